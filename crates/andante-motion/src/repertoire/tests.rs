use super::*;
use crate::synth::{self, GaitRequest};
use andante_play::repertoire::{ClipClass, PHASES};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Planar, Pose, Transform, humanoid, rotation};
use glam::Vec3;

fn walk(speed: f32, turn_rate: f32) -> ClipSource {
    let made =
        synth::locomotion(&humanoid(), &GaitRequest { turn_rate, ..GaitRequest::ahead(speed) })
            .unwrap();
    let name = format!("walk {speed} {turn_rate}");
    ClipSource { clip: made.clip.renamed(name), contacts: made.contacts, cyclic: true, class: None }
}

/// Rounds of a cycle one after the other, somewhere and facing somewhere: a recording.
fn recording(source: &ClipSource, rounds: usize, lifted: f32) -> ClipSource {
    let human = humanoid();
    let clip = &source.clip;
    let last = clip.frame_count() - 1;
    let place = |frame: usize| Planar::from_transform(&clip.frame(frame)[0]).to_transform();
    let round = place(last) * place(0).inverse();
    let mut start = Planar::new(glam::Vec2::new(3.0, -1.0), 2.0).to_transform();
    start.translation.y = lifted;
    let mut transforms: Vec<Transform> = Vec::new();
    for _ in 0..rounds {
        for frame in 0..last {
            let mut pose = clip.frame(frame).to_vec();
            pose[0] = start * pose[0];
            transforms.extend(pose);
        }
        start = start * round;
    }
    let period = clip.duration();
    let repeat = |intervals: &[Interval]| {
        let mut all: Vec<Interval> = Vec::new();
        for round in 0..rounds {
            let later = round as f32 * period;
            for i in intervals {
                match all.last_mut() {
                    Some(before) if i.start + later - before.end < 1e-3 => {
                        before.end = i.end + later
                    }
                    _ => all.push(Interval::new(i.start + later, i.end + later)),
                }
            }
        }
        all
    };
    let foot = |f: &FootContacts| FootContacts { heel: repeat(&f.heel), toe: repeat(&f.toe) };
    let contacts = Contacts { feet: source.contacts.feet.iter().map(foot).collect() };
    let clip = Clip::new("recording", &human.skeleton, clip.fps(), transforms).unwrap();
    ClipSource::new(clip, contacts)
}

fn learn(sources: &[ClipSource]) -> Repertoire {
    from_clips(&humanoid(), sources).unwrap()
}

#[test]
fn a_stride_cut_from_a_long_recording_is_the_cycle_it_was_made_of() {
    for (speed, turn_rate) in [(1.3, 0.0), (1.1, 0.7), (3.0, -0.3)] {
        let source = walk(speed, turn_rate);
        let whole = learn(std::slice::from_ref(&source));
        let cut = learn(&[recording(&source, 4, 0.12)]);
        let (whole, cut) = (&whole.clips()[0], &cut.clips()[0]);
        assert_eq!(whole.class(), cut.class());
        assert!((whole.period() - cut.period()).abs() < 0.01);
        assert!(whole.point().distance(cut.point()) < 0.02, "{} {}", whole.point(), cut.point());
        assert!(
            (whole.speed() - speed).abs() < 0.02 && (whole.turn_rate() - turn_rate).abs() < 0.02
        );
        let skeleton = &humanoid().skeleton;
        let (mut a, mut b) = (Pose::rest(skeleton), Pose::rest(skeleton));
        for step in 0..20 {
            let phase = step as f32 / 20.0;
            whole.sample(phase, &mut a);
            cut.sample(phase, &mut b);
            assert!(
                a[0].translation.distance(b[0].translation) < 0.01,
                "lifted ground is taken out"
            );
            for (joint, (a, b)) in a.iter().zip(b.iter()).enumerate() {
                let apart = rotation::angle_between(a.rotation, b.rotation);
                assert!(apart < 0.08, "phase {phase} joint {joint}: {apart}");
            }
        }
    }
}

#[test]
fn a_cycle_leads_from_its_end_to_its_start_and_stays_in_place() {
    // A recording whose pelvis and head drift.
    let mut source = recording(&walk(1.3, 0.4), 3, 0.0);
    let joints = source.clip.joint_count();
    let frames = source.clip.frame_count();
    let human = humanoid();
    let mut transforms = source.clip.into_transforms();
    for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
        let drift = frame as f32 / frames as f32;
        pose[0].translation.y += 0.03 * drift;
        if let Some(head) = human.rig.head {
            pose[head].rotation *= rotation::exp(Vec3::new(0.2, 0.1, 0.3) * drift);
        }
    }
    source.clip = Clip::new("drifting", &human.skeleton, 60.0, transforms).unwrap();
    let repertoire = learn(&[source]);
    let clip = &repertoire.clips()[0];
    let (mut first, mut last) = (Pose::rest(&human.skeleton), Pose::rest(&human.skeleton));
    clip.sample(0.0, &mut first);
    clip.sample(1.0 - 1e-5, &mut last);
    for (a, b) in first.iter().zip(last.iter()) {
        assert!(a.translation.distance(b.translation) < 1e-3);
        assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-3);
    }
    for step in 0..PHASES {
        clip.sample(step as f32 / PHASES as f32, &mut first);
        assert!(first[0].translation.x.hypot(first[0].translation.z) < 0.1);
    }
}

#[test]
fn soles_that_slid_in_a_recording_are_planted() {
    let mut source = walk(1.3, 0.0);
    // On ice: the body gains six centimetres per cycle on its feet.
    let joints = source.clip.joint_count();
    let last = source.clip.frame_count() - 1;
    let human = humanoid();
    let mut transforms = source.clip.into_transforms();
    for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
        pose[0].translation.z += 0.06 * frame as f32 / last as f32;
    }
    source.clip = Clip::new("ice", &human.skeleton, 60.0, transforms).unwrap();
    let repertoire = learn(&[source]);
    let clip = &repertoire.clips()[0];
    for (spans, track) in clip.feet().iter().zip(clip.tracks()) {
        for span in &spans.ball {
            let mut landed: Option<Vec3> = None;
            for step in 1..40 {
                let phase = span.start + (span.end - span.start) * step as f32 / 40.0;
                let sole = track.at(phase.fract());
                let ball = clip.travel(phase).to_transform().transform_point(sole.ball);
                let from = *landed.get_or_insert(ball);
                let slid = glam::Vec2::new(ball.x - from.x, ball.z - from.z);
                assert!(slid.length() < 1.5e-3, "{phase}: {slid}");
            }
        }
    }
}

#[test]
fn kinds_are_told_from_the_motion() {
    let made = |gait: GaitRequest| {
        let made = synth::locomotion(&humanoid(), &gait).unwrap();
        let source =
            ClipSource { clip: made.clip, contacts: made.contacts, cyclic: true, class: None };
        learn(&[source]).clips()[0].class()
    };
    assert_eq!(made(GaitRequest::ahead(1.2)), ClipClass::Walk);
    assert_eq!(made(GaitRequest::ahead(3.5)), ClipClass::Run);
    assert_eq!(made(GaitRequest::ahead(-0.8)), ClipClass::Back);
    assert_eq!(made(GaitRequest { lateral: 0.5, ..GaitRequest::ahead(0.0) }), ClipClass::Side);
    let human = humanoid();
    let pose = Pose::rest(&human.skeleton).to_vec();
    let still = Clip::new("still", &human.skeleton, 30.0, pose.repeat(31)).unwrap();
    let down = vec![Interval::new(0.0, 1.0)];
    let foot = FootContacts { heel: down.clone(), toe: down };
    let contacts = Contacts { feet: vec![foot.clone(), foot] };
    let stand = learn(&[ClipSource::new(still.clone(), contacts)]);
    assert_eq!(stand.clips()[0].class(), ClipClass::Stand);
    let air = Contacts { feet: vec![FootContacts::default(); 2] };
    let fall = learn(&[ClipSource::new(still, air)]);
    assert_eq!(fall.clips()[0].class(), ClipClass::Action);
    assert!(fall.families().is_empty());
}

#[test]
fn the_built_in_repertoire_stands_walks_and_runs() {
    let repertoire = built_in(&humanoid()).unwrap();
    assert_eq!(repertoire.families().len(), 2);
    for class in ClipClass::ALL {
        assert!(repertoire.of_class(class).next().is_some(), "no clip is {}", class.name());
    }
    let walk = &repertoire.families()[0];
    assert!(walk.has_single_support() && walk.speed_range()[0] < 0.0);
    assert!(repertoire.legs().iter().all(Option::is_some));
    let left = repertoire.find("walk-left").unwrap();
    let right = repertoire.find("walk-right").unwrap();
    assert!(left.curvature() > 0.3 && right.curvature() < -0.3);
}

#[test]
fn clips_that_do_not_fit_the_character_are_refused() {
    let human = humanoid();
    let source = walk(1.2, 0.0);
    let twice = from_clips(&human, &[source.clone(), source.clone()]);
    assert!(matches!(twice, Err(BuildError::Repertoire(RepertoireError::Duplicate(_)))));
    let mut barefoot = source.clone();
    barefoot.contacts.feet.pop();
    let refused = from_clips(&human, &[barefoot]);
    assert!(matches!(refused, Err(BuildError::Feet { feet: 1, expected: 2, .. })));
    let mut steps = source.clone();
    steps.cyclic = false;
    steps.class = Some(ClipClass::Run);
    steps.contacts.feet.iter_mut().for_each(|foot| *foot = FootContacts::default());
    let refused = from_clips(&human, &[steps]);
    assert!(matches!(refused, Err(BuildError::NoCycle { .. })));
    let other = Character {
        skeleton: andante_skeleton::Skeleton::new(human.skeleton.joints()[..20].to_vec()).unwrap(),
        ..human
    };
    let refused = from_clips(&other, &[source]);
    assert!(matches!(refused, Err(BuildError::Joints { .. })));
    let nothing = from_clips(&humanoid(), &[]).unwrap();
    assert!(nothing.clips().is_empty() && nothing.families().is_empty());
}
