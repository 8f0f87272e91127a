//! Platforms that move, and those who stand on them.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{EventKind, PlayOptions, Take, play, read_scene};
use glam::Vec3;

/// A yard with a platform that somebody stands on.
fn yard(body: &str, platform: &str, commands: &str) -> Take {
    let text = format!(
        r#"version = 1
name = "yard"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]
[[moving_platform]]
name = "ferry"
at = [0, 0, 0]
box = [3, 0.3, 3]
{platform}
[[character]]
name = "ann"
body = "{body}"
start = {{ at = [0.3, 0.2], heading = 40 }}
{commands}"#
    );
    play(&read_scene(&text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

const STANDS: &str = "[[command]]\nwho = \"ann\"\nwait = 20\n";

/// How far each sole gets from where it first was on the platform while it is said to be down, in metres; at most.
fn slip(take: &Take) -> f32 {
    let track = take.tracks[0].seen_from(&take.scene.moving[0]);
    let skeleton = &track.character.skeleton;
    let mut models = track.clip.frame(0).to_vec();
    let mut first: Option<Vec<Vec3>> = None;
    let mut most = 0.0f32;
    for frame in 0..track.clip.frame_count() {
        skeleton.local_to_model(track.clip.frame(frame), &mut models);
        let feet = track.character.rig.feet.iter();
        let points: Vec<Vec3> = feet
            .flat_map(|foot| [foot.heel, foot.ball].map(|point| point.position(&models)))
            .collect();
        // Forces take over in the first frames, where the body shifts its weight a little.
        let first = first.get_or_insert_with(|| points.clone());
        for (a, b) in first.iter().zip(&points) {
            most = most.max(a.distance(*b));
        }
    }
    most
}

fn fell(take: &Take) -> bool {
    take.events.iter().any(|event| event.kind == EventKind::Fell)
}

#[test]
fn somebody_stands_on_a_platform_that_goes_there_and_back_without_a_step() {
    for platform in [
        "stops = [[0, 0, 5]]\nspeed = 1\nacceleration = 0.5",
        "stops = [[4, 0, 3]]\nspeed = 0.8\nacceleration = 1",
        "stops = [{ at = [0, 0, 0], heading = 180 }]\nspeed = 0.8",
        "stops = [[0, 2, 0]]\nspeed = 0.8\nacceleration = 1",
        "stops = [{ at = [-3, 1, 4], heading = -90 }, [3, 0.5, 4]]\nround = true",
    ] {
        for body in ["physical", "kinematic"] {
            let take = yard(body, platform, STANDS);
            assert!(take.seconds() > 19.9, "{}", take.seconds());
            let slip = slip(&take);
            println!("{platform:?} {body}: {slip}");
            assert!(!fell(&take), "{platform}: {:?}", take.events);
            assert!(slip < 0.01, "{platform}, {body}: {slip} m");
            let metrics = &take.metrics()[0].feet;
            assert!(
                metrics.foot_slide_mm_max < 5.0 && metrics.penetration_mm_max < 5.0,
                "{metrics:?}"
            );
            // It was carried.
            let far = |frame: usize| {
                let at = take.tracks[0].clip.frame(frame)[0].translation;
                let ferry = take.scene.moving[0].at(frame as f32 / 60.0).translation;
                (at - ferry).length()
            };
            for frame in 0..take.frames() {
                assert!((far(frame) - far(0)).abs() < 0.15, "{platform}, {body}: {}", far(frame));
            }
        }
    }
}
