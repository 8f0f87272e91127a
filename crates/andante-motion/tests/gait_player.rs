//! The built-in repertoire, played.

use andante_motion::blend_space::{FootMode, GaitPlayer, PlayerOptions};
use andante_motion::metrics::{self, FootMetrics};
use andante_motion::repertoire::{ClipClass, Repertoire};
use andante_motion::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Pose, Transform, humanoid};
use glam::Vec2;
use std::sync::{Arc, OnceLock};

const FPS: f32 = 60.0;

fn built_in() -> Arc<Repertoire> {
    static BUILT_IN: OnceLock<Arc<Repertoire>> = OnceLock::new();
    let build = || Arc::new(Repertoire::built_in(&humanoid()).expect("built in"));
    Arc::clone(BUILT_IN.get_or_init(build))
}

/// A performance as a clip with contacts.
struct Recorded {
    clip: Clip,
    contacts: Contacts,
}

fn record(
    player: &mut GaitPlayer,
    seconds: f32,
    mut advance: impl FnMut(&mut GaitPlayer, f32),
) -> Recorded {
    let skeleton = &player.repertoire().character().skeleton.clone();
    let frames = (seconds * FPS) as usize;
    let mut transforms: Vec<Transform> = Vec::new();
    let mut contacts = Contacts { feet: vec![FootContacts::default(); 2] };
    let mut pose = Pose::rest(skeleton);
    for frame in 0..=frames {
        if frame > 0 {
            advance(player, frame as f32 / FPS);
        }
        player.write_pose(&mut pose);
        transforms.extend_from_slice(&pose);
        let time = frame as f32 / FPS;
        for (foot, contacts) in contacts.feet.iter_mut().enumerate() {
            let down = player.contact(foot);
            for (down, list) in down.into_iter().zip([&mut contacts.heel, &mut contacts.toe]) {
                if down {
                    match list.last_mut() {
                        Some(last) if time - last.end < 1.5 / FPS => last.end = time,
                        _ => list.push(Interval::new(time, time)),
                    }
                }
            }
        }
    }
    let clip = Clip::new("recorded", skeleton, FPS, transforms).expect("finite");
    Recorded { clip, contacts }
}

fn measure(recorded: &Recorded) -> FootMetrics {
    let human = humanoid();
    metrics::foot_metrics(
        &human.skeleton,
        &human.rig,
        &recorded.clip,
        &recorded.contacts,
        |_, _| 0.0,
    )
}

fn player(options: PlayerOptions) -> GaitPlayer {
    GaitPlayer::new(built_in(), options).expect("gaits")
}

#[test]
fn explore() {
    let rep = built_in();
    for clip in rep.clips() {
        println!(
            "{:18} {:?} T {:.3} v {:.3} {:.3} w {:.3} feet {:?}",
            clip.name(),
            clip.class(),
            clip.period(),
            clip.velocity().x,
            clip.velocity().y,
            clip.turn_rate(),
            clip.feet()
                .iter()
                .map(|f| (
                    f.heel.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>(),
                    f.ball.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>()
                ))
                .collect::<Vec<_>>()
        );
    }
    for family in rep.families() {
        println!(
            "{:?} start {:.3} single {} range {:?} triangles {:?}",
            family.kind(),
            family.start_phase(),
            family.has_single_support(),
            family.speed_range(),
            family.space().triangles().collect::<Vec<_>>()
        );
    }
    for feet in [FootMode::Body, FootMode::BodyAndLegs] {
        for wait in [false, true] {
            let options =
                PlayerOptions { feet, wait_for_single_support: wait, ..PlayerOptions::default() };
            for clip in rep
                .clips()
                .iter()
                .filter(|c| matches!(c.class(), ClipClass::Walk | ClipClass::Run | ClipClass::Back))
            {
                let mut p = player(options);
                let at = clip.point();
                for _ in 0..180 {
                    p.advance(1.0 / FPS, at.x, at.y);
                }
                let start = p.placement();
                let r = record(&mut p, 5.0, |p, _| {
                    p.advance(1.0 / FPS, at.x, at.y);
                });
                let end = p.placement();
                let m = measure(&r);
                println!(
                    "{feet:?} {wait} {:18} v {:.3}/{:.3} w {:.3}/{:.3} slide mean {:.2} max {:.2} pen {:.2} rot {:.1}",
                    clip.name(),
                    (end.position - start.position).length() / 5.0,
                    at.x,
                    (end.heading - start.heading) / 5.0,
                    at.y,
                    m.foot_slide_mm_mean,
                    m.foot_slide_mm_max,
                    m.penetration_mm_max,
                    m.foot_rotation_deg_max
                );
            }
            type D = fn(f32) -> Vec2;
            let sweeps: [(&str, D); 5] = [
                ("walk sweep", |t| Vec2::new(0.9 + 0.9 * (0.7 * t).sin(), 0.9 * (1.9 * t).sin())),
                ("all sweep", |t| Vec2::new(2.0 + 2.0 * (0.63 * t).sin(), 0.8 * (1.7 * t).sin())),
                ("static mid", |_| Vec2::new(1.1, 0.3)),
                ("static slow", |_| Vec2::new(0.4, 0.0)),
                ("start stop", |t| Vec2::new(if (t % 4.0) < 2.0 { 1.4 } else { 0.0 }, 0.0)),
            ];
            for (name, demand) in sweeps {
                let mut p = player(options);
                let r = record(&mut p, 10.0, |p, t| {
                    let d = demand(t);
                    p.advance(1.0 / FPS, d.x, d.y);
                });
                let m = measure(&r);
                println!("{feet:?} {wait} {name:12} {:?}", m);
            }
        }
    }
    let _ = Planar::IDENTITY;
}
