//! Labels of real clips against what the archive says they are.

mod captured;

use andante_motion::analysis::{ClipAnalysis, Direction, Gait, MotionClass, Oddity, Sharpness};
use captured::{Captured, OWN};
use std::path::Path;

use Direction::{Left, Right, Straight};
use MotionClass::{Jump, Run, Stand, TurnInPlace, Walk};

/// Clips of subject 16 of the Carnegie Mellon archive with their captions.
const SUBJECT_16: [(&[u32], MotionClass, Direction, Sharpness); 16] = [
    (&[1, 2, 3, 4], Jump, Straight, Sharpness::None),
    (&[5, 6, 7, 9, 10], Jump, Straight, Sharpness::None),
    (&[8, 57], Run, Straight, Sharpness::None),
    (&[11, 12, 23, 24], Walk, Left, Sharpness::Veer),
    (&[13, 14, 25, 26], Walk, Right, Sharpness::Veer),
    (&[15, 16, 21, 22, 31, 32, 47, 58], Walk, Straight, Sharpness::None),
    (&[17, 18, 27, 28], Walk, Left, Sharpness::Turn),
    (&[19, 20, 29, 30], Walk, Right, Sharpness::Turn),
    (&[33, 34], Walk, Straight, Sharpness::None),
    (&[35, 36, 45, 46, 56, 55], Run, Straight, Sharpness::None),
    (&[37, 38, 48], Run, Left, Sharpness::Veer),
    (&[39, 40, 49, 50], Run, Right, Sharpness::Veer),
    (&[41, 42], Run, Left, Sharpness::Turn),
    (&[43, 44], Run, Right, Sharpness::Turn),
    (&[51, 52], Run, Left, Sharpness::Turn),
    (&[53, 54], Run, Right, Sharpness::Turn),
];

/// The others: one direction each; a walk on uneven ground may wander.
const OTHERS: [(&str, MotionClass, Option<Direction>); 8] = [
    ("cmu/other/77_02.bvh", Stand, Some(Straight)),
    ("cmu/other/69_16.bvh", TurnInPlace, Some(Left)),
    ("cmu/other/69_18.bvh", TurnInPlace, Some(Right)),
    ("cmu/other/104_02.bvh", Walk, Some(Straight)),
    ("cmu/03/03_01.bvh", Walk, None),
    ("cmu/03/03_02.bvh", Walk, None),
    ("cmu/03/03_03.bvh", Walk, None),
    ("cmu/03/03_04.bvh", Walk, None),
];

fn analysed(path: &Path) -> ClipAnalysis {
    let captured = Captured::load(path);
    captured.analyse(&captured.clips[0])
}

/// Contacts hold in every clip: long enough to be one, in order, within the clip.
fn check_contacts(path: &str, captured: &Captured) {
    for clip in &captured.clips {
        let analysis = captured.analyse(clip);
        let frame = 1.0 / clip.fps();
        for foot in &analysis.contacts.feet {
            for intervals in [&foot.heel, &foot.toe, &foot.stance()] {
                for interval in intervals.iter() {
                    // What a cyclic clip cuts off at its ends goes on at the other end.
                    let least = if analysis.cyclic { 0.5 } else { 1.5 };
                    let long = interval.length() > least * frame;
                    assert!(long, "{path} {}: {interval:?}", clip.name());
                    assert!(interval.start >= 0.0 && interval.end <= clip.duration() + 1e-3);
                }
                let apart = intervals.windows(2).all(|pair| pair[0].end < pair[1].start);
                assert!(apart, "{path} {}", clip.name());
            }
        }
    }
}

#[test]
fn our_own_files_are_what_they_were_made_to_be() {
    // A leap out of a run is a run still.
    let expected = [
        (Walk, Straight, 1.3),
        (Run, Straight, 3.6),
        (TurnInPlace, Left, 0.0),
        (Run, Straight, 3.6),
    ];
    for (name, (class, direction, speed)) in OWN.into_iter().zip(expected) {
        let analysis = analysed(&andante_testdata::own(name));
        let found = (analysis.locomotion, analysis.travel.direction);
        assert_eq!(found, (class, direction), "{name}");
        if name.ends_with(".bvh") && class != TurnInPlace {
            assert!((analysis.travel.speed / speed - 1.0).abs() < 0.05, "{name}");
        }
    }
    let walker = Captured::own("walker.glb");
    for (clip, class) in [("stand", Stand), ("walk", Walk), ("run", Run)] {
        assert_eq!(walker.analyse(walker.clip(clip)).locomotion, class, "{clip}");
    }
    let animal = Captured::own("four_legs.glb");
    let amble = animal.analyse(&animal.clips[0]);
    assert!(amble.in_place() && amble.cyclic);
    assert_eq!((amble.locomotion, amble.contacts.feet.len()), (Walk, 4));
}

#[test]
fn captions_of_the_archive_are_found() {
    let Some(directory) = andante_testdata::mocap("cmu/16") else { return };
    let (mut clips, mut classes, mut directions, mut sharpnesses) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for (numbers, class, direction, sharpness) in SUBJECT_16 {
        for number in numbers {
            let analysis = analysed(&directory.join(format!("16_{number:02}.bvh")));
            let found = (analysis.locomotion, analysis.travel.direction);
            clips += 1;
            classes += usize::from(found.0 == class);
            directions += usize::from(found.1 == direction);
            sharpnesses += usize::from(analysis.travel.sharpness == sharpness);
            if found != (class, direction) {
                let turned = analysis.travel.heading_change.to_degrees();
                wrong.push(format!(
                    "16_{number:02}: {found:?} {turned:.0}°, is {class:?} {direction:?}"
                ));
            }
        }
    }
    for (path, class, direction) in OTHERS {
        let Some(path) = andante_testdata::mocap(path) else { return };
        let analysis = analysed(&path);
        let found = (analysis.locomotion, analysis.travel.direction);
        clips += 1;
        classes += usize::from(found.0 == class);
        directions += usize::from(direction.is_none_or(|direction| direction == found.1));
        if found.0 != class {
            wrong.push(format!("{}: {found:?}, is {class:?} {direction:?}", path.display()));
        }
    }
    eprintln!(
        "{classes} classes, {directions} directions of {clips}; {sharpnesses} of 58 turns as sharp"
    );
    assert_eq!(clips, 66);
    assert!(100 * classes >= 95 * clips, "{classes} of {clips}: {wrong:#?}");
    assert!(100 * directions >= 95 * clips, "{directions} of {clips}: {wrong:#?}");
    assert!(sharpnesses >= 54, "{sharpnesses} of 58");
}

#[test]
fn clips_that_begin_or_end_at_rest_are_starts_and_stops() {
    let cases = [
        ("cmu/16/16_08.bvh", MotionClass::Stop, Run),
        ("cmu/16/16_33.bvh", MotionClass::Stop, Walk),
        ("cmu/16/16_32.bvh", MotionClass::Start, Walk),
        ("cmu/16/16_21.bvh", Walk, Walk),
    ];
    for (path, class, locomotion) in cases {
        let Some(captured) = Captured::mocap(path) else { return };
        let analysis = captured.analyse(&captured.clips[0]);
        assert_eq!((analysis.class, analysis.locomotion), (class, locomotion), "{path}");
        let first = analysis.segments.first().unwrap().interval.start;
        let last = analysis.segments.last().unwrap().interval.end;
        assert!(first <= 1.5 / 120.0 && last >= captured.clips[0].duration() - 1e-3, "{path}");
    }
}

#[test]
fn an_added_rest_pose_a_freeze_and_a_jump_are_reported() {
    let Some(captured) = Captured::mocap("cmu/03/03_02.bvh") else { return };
    let analysis = captured.analyse(&captured.clips[0]);
    assert_eq!(analysis.frames.start, 1);
    let frozen = Oddity::Frozen { frames: 11..25 };
    assert_eq!(
        analysis.oddities,
        [Oddity::AddedFrames { count: 1 }, Oddity::Jump { frame: 51 }, frozen],
    );
    let Some(captured) = Captured::mocap("cmu/16/16_04.bvh") else { return };
    let analysis = captured.analyse(&captured.clips[0]);
    let dropout = Oddity::Dropout { frames: 16..17 };
    assert_eq!(analysis.oddities, [Oddity::AddedFrames { count: 1 }, dropout]);
}

#[test]
fn no_contact_of_a_file_lasts_a_single_frame() {
    let mut paths = OWN.map(andante_testdata::own).to_vec();
    paths.extend(["walker.glb", "four_legs.glb"].map(andante_testdata::own));
    paths.extend(andante_testdata::cmu());
    if let Some(directory) = andante_testdata::mocap("asf-amc") {
        paths.extend(andante_testdata::files(&directory, "amc"));
    }
    // A rod has no feet.
    let animated = andante_testdata::animated_gltf().into_iter();
    paths.extend(animated.filter(|path| !path.ends_with("RiggedSimple.glb")));
    for path in paths {
        check_contacts(&path.display().to_string(), &Captured::load(&path));
    }
}

#[test]
fn feet_take_turns_in_every_straight_walk() {
    let straight = SUBJECT_16.iter().filter(|row| row.1 == Walk && row.2 == Straight);
    let paths = straight.flat_map(|row| row.0).map(|number| format!("cmu/16/16_{number:02}.bvh"));
    for path in paths.chain(["cmu/other/104_02.bvh".into()]) {
        let Some(captured) = Captured::mocap(&path) else { return };
        let analysis = captured.analyse(&captured.clips[0]);
        let travel = analysis.travel.interval;
        let mut strikes: Vec<(f32, usize)> = Vec::new();
        for (foot, contacts) in analysis.contacts.feet.iter().enumerate() {
            let stances = contacts.stance();
            strikes.extend(stances.iter().map(|stance| (stance.start, foot)));
        }
        // Those at the very beginning are stances that had begun before, and who stops puts the
        // feet side by side.
        strikes.retain(|(time, _)| *time > 0.05 && travel.contains(*time));
        strikes.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(strikes.len() >= 3, "{path}");
        let turns = strikes.windows(2).all(|pair| pair[0].1 != pair[1].1);
        assert!(turns, "{path}: {strikes:?}");
        assert!(analysis.flights.is_empty(), "{path}: {:?}", analysis.flights);
    }
}

#[test]
fn strides_are_those_of_a_person() {
    let Some(captured) = Captured::mocap("cmu/16/16_15.bvh") else { return };
    let analysis = captured.analyse(&captured.clips[0]);
    // At 1.1 m/s adults take strides of 1.2 to 1.35 m and keep a foot down for 62 to 67 % of it (Winter,
    // "Biomechanics and Motor Control of Human Movement").
    assert!((1.15..1.4).contains(&analysis.stride_length), "{}", analysis.stride_length);
    assert!((0.6..0.7).contains(&analysis.duty_factor), "{}", analysis.duty_factor);
    assert!((1.5..2.0).contains(&analysis.cadence), "{}", analysis.cadence);
    assert!((analysis.travel.speed - analysis.cycles[0].speed).abs() < 0.1);
    let footfalls = analysis.footfalls.unwrap();
    assert_eq!(footfalls.gait, Gait::Walk);
    assert!((footfalls.phases[1] - 0.5).abs() < 0.05, "{footfalls:?}");
    // Phase runs from 0 to 1 over each stride.
    for cycle in &analysis.cycles {
        let frame = |time: f32| (time * 120.0).round() as usize;
        let (start, end) = (frame(cycle.interval.start), frame(cycle.interval.end));
        assert!(analysis.phase[start].unwrap() < 0.01);
        let middle = analysis.phase[(start + end) / 2].unwrap();
        assert!((middle - 0.5).abs() < 0.01);
    }
    let best = analysis.loop_point.unwrap();
    assert!(best.mismatch < 0.05, "{best:?}");
    assert!((best.interval.length() - analysis.cycles[0].interval.length()).abs() < 0.2);
}

#[test]
fn clips_in_place_are_as_fast_as_the_ground_under_their_feet() {
    let cases = [
        ("horse-animations.glb", "Walk", Walk, Gait::Walk, 1.0..2.2),
        ("horse-animations.glb", "Run", Run, Gait::Canter, 4.0..8.0),
        // Called a trot, but the feet of one side are down together.
        ("horse-animations.glb", "Trot", Run, Gait::Pace, 2.0..4.0),
        ("Fox.glb", "Walk", Walk, Gait::Walk, 70.0..140.0),
        ("Fox.glb", "Run", Run, Gait::Gallop, 100.0..250.0),
    ];
    for (file, name, class, gait, speed) in cases {
        let Some(captured) = Captured::gltf(file) else { return };
        let analysis = captured.analyse(captured.clip(name));
        assert!(analysis.in_place() && analysis.cyclic, "{file} {name}");
        assert_eq!(analysis.locomotion, class, "{file} {name}");
        assert_eq!(analysis.travel.direction, Straight, "{file} {name}");
        assert_eq!(analysis.footfalls.unwrap().gait, gait, "{file} {name}");
        assert!(speed.contains(&analysis.travel.speed), "{file} {name}: {}", analysis.travel.speed);
        assert!(analysis.contacts.feet.iter().all(|foot| !foot.stance().is_empty()));
    }
    let cases = [
        ("spider-animations.glb", "Walk", Walk),
        ("spider-animations.glb", "Idle", Stand),
        ("spider-animations.glb", "Jump", Jump),
        ("horse-animations.glb", "Idle", Stand),
        ("horse-animations.glb", "Eating", Stand),
        ("horse-animations.glb", "Death", MotionClass::Other),
        ("Fox.glb", "Survey", Stand),
    ];
    for (file, name, class) in cases {
        let Some(captured) = Captured::gltf(file) else { return };
        let analysis = captured.analyse(captured.clip(name));
        assert_eq!(analysis.locomotion, class, "{file} {name}");
        assert_eq!(analysis.in_place(), class == Walk, "{file} {name}");
    }
}

#[test]
fn a_backflip_is_a_jump_and_a_pirouette_a_turn() {
    for (path, class) in [("asf-amc/backflip.amc", Jump), ("asf-amc/pirouette.amc", TurnInPlace)] {
        let Some(captured) = Captured::mocap(path) else { return };
        let analysis = captured.analyse(&captured.clips[0]);
        assert_eq!(analysis.locomotion, class, "{path}");
    }
}
