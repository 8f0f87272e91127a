//! From any clip to any other, at any moment.

use crate::common::built_in;
use crate::player::{DT, Player};
use andante_play::Input;
use andante_world::HeightFunction;
use glam::Vec3;
use std::fmt::Write;
use std::sync::Arc;

const CLIPS: [&str; 10] = [
    "stand",
    "walk",
    "walk-slow",
    "run",
    "jog",
    "crouch-walk",
    "walk-backward",
    "sidestep-left",
    "sidestep-right",
    "turn-left-90",
];

/// Clips should go over to each other with 1.5 times the acceleration of the faster, and without a slide beyond 3 mm. Not all do
/// yet; what none may do is collapse: acceleration in m/s², slide and height of the hips in metres, seconds.
const HARDEST: f32 = 40.0;
const FARTHEST: f32 = 0.012;
const LOWEST: f32 = 0.45;
const LONGEST: f32 = 3.5;
const WITHIN: usize = 8;

/// The largest acceleration over a thirtieth of a second.
fn hardest(places: &[Vec3]) -> (f32, usize) {
    let bend = |at: usize| (places[at] - 2.0 * places[at - 2] + places[at - 4]).length() * 900.0;
    (4..places.len()).map(|at| (bend(at), at)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
}

/// What happens from the moment another clip is asked for.
struct Passage {
    accel: f32,
    at: f32,
    slide: f32,
    lowest: f32,
    seconds: f32,
}

fn passage(from: &str, to: &str, begins: f32) -> Passage {
    let ground = HeightFunction::new(|_| 0.0);
    let mut player = Player::playing(from);
    let mut hips = Vec::new();
    let mut slide = 0.0f32;
    let mut stood = [[None::<([Vec3; 2], Vec3)>; 2]; 2];
    let (mut asked, mut over) = (None, None);
    let mut lowest = f32::INFINITY;
    let frames = ((begins + 3.5) / DT) as usize;
    for frame in 0..frames {
        if asked.is_none() && frame as f32 * DT >= begins {
            player.grounding.play(Arc::clone(&built_in(to))).unwrap();
            asked = Some(frame);
        }
        player.step(DT, &Input::default(), &ground);
        if asked.is_some() && over.is_none() && !player.grounding.fading() {
            over = Some(frame);
        }
        hips.push(player.models[0].translation);
        lowest = lowest.min(player.models[0].translation.y);
        let feet = &player.clip.character().rig.feet;
        for (index, foot) in feet.iter().enumerate() {
            // A ball that rolls hands over to the tip of the toes: of the two that one bears which moves less.
            for (part, points) in [[foot.heel; 2], [foot.ball, foot.tip]].into_iter().enumerate() {
                let down = player.grounding.feet()[index].down[part];
                let places = points.map(|it| it.position(&player.models).with_y(0.0));
                let stood = &mut stood[index][part];
                *stood = down.then(|| {
                    let (before, moved) = stood.unwrap_or((places, Vec3::ZERO));
                    let [a, b] = [places[0] - before[0], places[1] - before[1]];
                    (places, moved + if a.length() < b.length() { a } else { b })
                });
                if let (Some((_, moved)), true) = (stood, asked.is_some()) {
                    slide = slide.max(moved.length());
                }
            }
        }
    }
    let first = asked.unwrap().saturating_sub(4);
    let (accel, at) = hardest(&hips[first..]);
    let at = (at as f32 - 4.0) * DT;
    let seconds = over.map_or(f32::INFINITY, |over| (over - asked.unwrap()) as f32 * DT);
    Passage { accel, at, slide, lowest, seconds }
}

fn own(name: &str) -> f32 {
    let clip = built_in(name);
    let places: Vec<Vec3> = (0..=(clip.clip().duration() / DT) as usize)
        .map(|frame| {
            let mut pose = andante_skeleton::Pose::rest(&clip.character().skeleton);
            let time = frame as f32 * DT;
            clip.clip().sample(time, andante_skeleton::Wrap::Clamp, &mut pose);
            pose[0].translation
        })
        .collect();
    hardest(&places).0
}

#[test]
fn every_clip_goes_over_to_every_other_at_any_moment() {
    let (mut table, mut wrong, mut within) = (String::new(), 0, 0);
    let owns = CLIPS.map(own);
    for (i, from) in CLIPS.into_iter().enumerate() {
        for (j, to) in CLIPS.into_iter().enumerate().filter(|(j, _)| *j != i) {
            let period = built_in(from).clip().duration().min(1.4);
            let mut worst = Passage { accel: 0.0, at: 0.0, slide: 0.0, lowest: 9.0, seconds: 0.0 };
            for phase in 0..16 {
                let passage = passage(from, to, 1.5 + period * phase as f32 / 16.0);
                if passage.accel > worst.accel {
                    (worst.accel, worst.at) = (passage.accel, passage.at);
                }
                worst.slide = worst.slide.max(passage.slide);
                worst.lowest = worst.lowest.min(passage.lowest);
                worst.seconds = worst.seconds.max(passage.seconds);
            }
            let limit = 1.5 * owns[i].max(owns[j]);
            let holds = worst.accel <= limit && worst.slide <= 3e-3;
            within += usize::from(holds);
            let survives = worst.accel <= limit.max(HARDEST) && worst.slide <= FARTHEST;
            let survives = survives && worst.lowest > LOWEST && worst.seconds < LONGEST;
            writeln!(
                table,
                "{from:14} → {to:14} {:5.1} m/s² at {:.2} s (limit {limit:4.1}), slide {:4.1} mm, hips {:.2} m, {:.2} s {}",
                worst.accel,
                worst.at,
                1e3 * worst.slide,
                worst.lowest,
                worst.seconds,
                match (holds, survives) {
                    (true, _) => "",
                    (_, true) => "<",
                    _ => "<<",
                },
            )
            .unwrap();
            wrong += usize::from(!survives);
        }
    }
    assert!(wrong == 0 && within >= WITHIN, "{wrong} wrong, {within} as they should be\n{table}");
}
