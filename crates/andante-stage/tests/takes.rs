//! Takes of scenes: as files, as measured, and for other programs.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_play::Contacts;
use andante_play::archive::fnv1a;
use andante_skeleton::{Clip, humanoid};
use andante_stage::{PlayOptions, Scene, play, read_scene};
use andante_take::{Event, EventKind, Take, TakeFile, TakeSource, bvh, presences, write_csv};
use andante_world::{MeshShape, Obstacle, ObstacleShape, SceneGround, TriangleMesh};
use glam::{Vec3, vec3};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

const YARD: &str = r#"version = 1
name = "yard"
about = "Two people"
[[platform]]
outline = [[-3, -2], [3, -2], [3, 8], [-3, 8]]
[[platform]]
outline = [[3, -2], [6, -2], [6, 8], [3, 8]]
terrain = "hills:0.05:3"
[[platform]]
name = "island"
outline = [[38, -2], [42, -2], [42, 2], [38, 2]]
[[obstacle]]
at = [2, 0, 3]
box = [0.4, 1, 0.4]
[[character]]
name = "Anna"
start = { at = [0, 0], heading = 0 }
goal = { at = [0, 5], heading = 0 }
[[character]]
name = "Ben"
start = { at = [1, 6], heading = 180 }
goal = { at = [4.5, 2] }
[[character]]
name = "Cleo"
start = { at = [-2, 0], heading = 90 }
goal = { at = [40, 0] }
[[command]]
name = "look"
who = "Anna"
at = 1.5
look_at = "Ben"
[[command]]
who = "Ben"
after = "look"
face = [0, 0]
[[command]]
who = "Cleo"
when = { near = ["Anna", "Ben"], within = 2 }
patrol = [[-2, 0], [-2, 2]]
"#;

fn take() -> &'static Take {
    static TAKE: OnceLock<Take> = OnceLock::new();
    TAKE.get_or_init(|| {
        let scene = read_scene(YARD).unwrap();
        let options = PlayOptions { encore: 0.5, ..PlayOptions::default() };
        let mut take = play(&scene, 7, &options, |_| true).unwrap();
        let cart = Obstacle {
            name: "cart".into(),
            shape: ObstacleShape::Cylinder { radius: 0.5, height: 1.0 },
            at: Vec3::ZERO,
            heading: 0.3,
        };
        let sail = TriangleMesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, vec3(0.3, 1.2, 0.3)],
            normals: Vec::new(),
            triangles: vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        let shape = ObstacleShape::Mesh(Arc::new(MeshShape::new(sail).unwrap()));
        let moved = Obstacle { shape, at: vec3(1.0, 0.0, 0.0), ..cart.clone() };
        let world = |time, kind| Event { time, track: None, kind };
        take.events.extend([
            world(1.0, EventKind::Placed(cart)),
            world(2.0, EventKind::Placed(moved)),
            world(3.0, EventKind::Removed("cart".into())),
            Event { time: 3.5, track: Some(0), kind: EventKind::Near(1) },
            Event { time: 4.0, track: Some(1), kind: EventKind::TooLow(0.2) },
        ]);
        take
    })
}

fn bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| take().to_bytes().unwrap())
}

#[test]
fn a_take_that_is_read_is_the_one_that_was_written_to_the_bit() {
    let back = Take::from_bytes(bytes()).unwrap();
    assert_eq!(back.to_bytes().unwrap(), bytes());
    for (track, read) in take().tracks.iter().zip(&back.tracks) {
        assert_eq!(track.clip, read.clip);
        assert_eq!(track.character, read.character);
        assert_eq!(track.contacts, read.contacts);
        assert_eq!(track.footprints, read.footprints);
        assert_eq!((&track.body, track.goal), (&read.body, read.goal));
    }
    assert_eq!(take().events, back.events);
    assert_eq!(take().metrics(), back.metrics(), "the ground is the same too");
}

#[test]
fn whoever_finds_no_way_stands_and_is_not_there() {
    let metrics = take().metrics();
    // Ben is told to face somewhere on his way.
    assert_eq!(metrics.iter().map(|m| m.reached).collect::<Vec<_>>(), [true, false, false]);
    assert!(metrics[0].goal_error_m.unwrap() < 1e-3 && metrics[0].motion.foot_slide_mm_max < 5.0);
    assert!(metrics[1].motion.penetration_mm_max < 20.0, "{:?}", metrics[1]);
    assert_eq!(metrics[1].footprints_off, 0);
    assert!((metrics[0].way_m - 5.0).abs() < 0.5);
    let failed = take().events.iter().find(|event| matches!(event.kind, EventKind::Failed(_)));
    let words = failed.unwrap().describe(&take().names());
    assert!(words.starts_with("fails to run_to [40, 0]: "), "{words}");
}

#[test]
fn a_thing_that_moves_is_in_one_place_at_a_time() {
    let there = presences(take());
    let cart: Vec<_> = there.iter().filter(|p| p.obstacle.name == "cart").collect();
    let times: Vec<_> = cart.iter().map(|p| (p.from, p.until, p.obstacle.at.x)).collect();
    assert_eq!(times, [(1.0, 2.0, 0.0), (2.0, 3.0, 1.0)]);
    assert_eq!(there.len(), 3);
}

#[test]
fn everybody_is_in_one_glb_with_the_world() {
    let glb = take().to_glb().unwrap();
    let options = andante_formats::ReadOptions::default();
    let read = andante_formats::gltf::read(&glb, None, "take", &options).unwrap();
    assert_eq!(read.clips.len(), 1);
    assert_eq!(read.clips[0].frame_count(), take().frames());
    for name in ["anna", "ben", "cleo"] {
        let of = |joint: &&andante_skeleton::Joint| joint.name.starts_with(&format!("{name}/"));
        let joints = read.skeleton.joints().iter().filter(of).count();
        assert_eq!(joints, humanoid().skeleton.len(), "{name}");
    }
    // Everybody is where the take has them, at any time.
    let frame = take().tracks[1].clip.frame_count() / 2;
    let mut models = read.clips[0].frame(frame).to_vec();
    read.skeleton.local_to_model(read.clips[0].frame(frame), &mut models);
    let root = take().tracks[1].clip.frame(frame)[0].translation;
    let found = read.skeleton.joints().iter().position(|j| j.name.starts_with("ben/")).unwrap();
    assert!(models[found].translation.distance(root) < 1e-3);
}

#[test]
fn curves_have_a_row_for_each_frame_and_as_many_columns_as_the_header() {
    let mut csv = Vec::new();
    write_csv(take(), &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 1 + take().frames());
    let columns = rows[0].split(',').count();
    // Of each its place and curves, its feet, and its centre of mass.
    assert_eq!(columns, 1 + 3 * (6 + 2 * 4 + 3));
    assert!(rows.iter().all(|row| row.split(',').count() == columns));
    assert!(rows[0].contains("anna.left-foot.heel-down"));
    let down: Vec<&str> = rows[1].split(',').collect();
    assert_eq!(down[7], "1", "Anna begins standing: {}", rows[1]);
    assert!(bvh(&take().tracks[0]).starts_with("HIERARCHY"));
    // From a file, some frames at a time, it is the same.
    let mut again = Vec::new();
    write_csv(&TakeFile::from_bytes(bytes().to_vec()).unwrap(), &mut again).unwrap();
    assert_eq!(csv.as_bytes(), again);
}

#[test]
fn a_clip_alone_is_a_take_on_the_ground_below_its_feet() {
    let human = humanoid();
    let made = andante_motion::synth::clip(&human, "walk").unwrap();
    let alone = Take::of_clip(&human, &made.clip, made.contacts, None);
    let metrics = alone.metrics();
    assert!(metrics[0].reached && metrics[0].footprints_off == 0);
    assert!(metrics[0].motion.sole_gap_mm_mean.abs() < 5.0, "{:?}", metrics[0]);
    assert!(!alone.tracks[0].footprints.is_empty());
    let bytes = alone.to_bytes().unwrap();
    assert_eq!(Take::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
}

#[test]
fn foreign_newer_short_and_damaged_files_are_told_apart() {
    let refused = |bytes: &[u8]| Take::from_bytes(bytes).map(|_| ()).unwrap_err().to_string();
    assert_eq!(refused(b"glTF"), "this is not a take file");
    let mut newer = bytes().to_vec();
    newer[8] = 8;
    assert_eq!(refused(&newer), "take file of version 8; this program reads up to version 7");
    assert!(refused(&bytes()[..bytes().len() / 2]).contains("copied incompletely"));
    let mut damaged = bytes().to_vec();
    damaged[bytes().len() / 2] ^= 1;
    assert_eq!(refused(&damaged), "the take file is damaged: its checksum does not match");
    let mut older = bytes().to_vec();
    older[8] = 3;
    assert_eq!(refused(&older), "take file of version 3; this program reads versions 4 to 7");
}

/// The file with one byte of its tail changed by somebody who knows the checksum.
fn forged(at: usize, value: u8) -> Vec<u8> {
    let mut bytes = bytes().to_vec();
    let end = bytes.len() - 32;
    let start = u64::from_le_bytes(*bytes[end..].first_chunk().unwrap()) as usize;
    bytes[start + at % (end - start)] = value;
    let checksum = fnv1a(&bytes[start..end]).to_le_bytes();
    bytes[end + 16..end + 24].copy_from_slice(&checksum);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    #[test]
    fn no_forged_byte_makes_a_reader_panic(at in any::<usize>(), value in any::<u8>()) {
        let _ = Take::from_bytes(&forged(at, value));
    }

    #[test]
    fn no_forged_start_makes_a_reader_panic(at in 0usize..6000, value in any::<u8>()) {
        // Scene and character, where a byte is a count or an index more often.
        if let Ok(read) = Take::from_bytes(&forged(at, value)) {
            let _ = (read.seconds(), presences(&read), SceneGround::new(&read.head.ground).mesh(0.2));
        }
    }

    #[test]
    fn no_truncation_makes_a_reader_panic(length in any::<usize>()) {
        prop_assert!(Take::from_bytes(&bytes()[..length % bytes().len()]).is_err());
    }

    #[test]
    fn any_take_is_the_same_after_a_round_trip(
        seed in any::<u64>(),
        offsets in proptest::collection::vec(-3.0f32..3.0, 1..20),
        name in "\\PC{0,12}",
        times in proptest::collection::vec(0.0f32..9.0, 0..6),
    ) {
        let human = humanoid();
        let mut transforms = Vec::new();
        for offset in &offsets {
            let mut pose = andante_skeleton::Pose::rest(&human.skeleton);
            pose[0].translation.x = *offset;
            let joint = pose.len() / 2;
            pose[joint].rotation = glam::Quat::from_rotation_y(*offset);
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new(&name, &human.skeleton, 60.0, transforms).unwrap();
        let feet = vec![Default::default(); human.rig.feet.len()];
        let mut take = Take::of_clip(&human, &clip, Contacts { feet }, None);
        take.head.seed = seed;
        take.events = times
            .iter()
            .map(|&time| Event { time, track: Some(0), kind: EventKind::Began(name.clone()) })
            .collect();
        let written = take.to_bytes().unwrap();
        let back = Take::from_bytes(&written).unwrap();
        prop_assert_eq!(back.to_bytes().unwrap(), written);
        prop_assert_eq!(back.tracks[0].clip.transforms(), clip.transforms());
        prop_assert_eq!(back.events, take.events);
    }
}

#[test]
fn built_in_scenes_become_takes() {
    let scene = Scene::built_in("jumps").unwrap();
    let take = play(&scene, 1, &PlayOptions::default(), |_| true).unwrap();
    assert!(take.metrics()[0].reached && take.seconds() > 10.0);
}
