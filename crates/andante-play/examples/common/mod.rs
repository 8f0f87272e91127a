//! Characters, clips and grounds that examples, tests and benchmarks share.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use andante_formats::{ReadOptions, read_file};
use andante_motion::adapt::Extent;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::trim;
use andante_motion::{rig, synth};
use andante_play::GroundClip;
use andante_play::Interval;
use andante_skeleton::{Character, humanoid};
use andante_world::{Ground, HeightFunction};
use glam::Vec2;
use std::f32::consts::TAU;
use std::path::Path;
use std::sync::Arc;

/// Ground with a name.
pub struct Terrain {
    pub name: String,
    pub ground: Box<dyn Ground>,
}

pub fn terrain(
    name: impl Into<String>,
    height: impl Fn(Vec2) -> f32 + Send + Sync + 'static,
) -> Terrain {
    Terrain { name: name.into(), ground: Box::new(HeightFunction::new(height)) }
}

/// A plane that rises by so many degrees towards a heading.
pub fn slope(degrees: f32, towards: f32) -> Terrain {
    let rise = degrees.to_radians().tan();
    let (sin, cos) = towards.to_radians().sin_cos();
    terrain(format!("slope {degrees}° {towards}°"), move |place| {
        rise * (place.x * sin + place.y * cos)
    })
}

/// Stairs along +Z that begin a little ahead; a negative rise leads down.
pub fn stairs(rise: f32, run: f32) -> Terrain {
    terrain(format!("stairs {rise}x{run}"), move |place| {
        rise * ((place.y - 1.5) / run).floor().max(-1.0) + rise
    })
}

pub fn hills(amplitude: f32, wavelength: f32) -> Terrain {
    let wave = TAU / wavelength;
    terrain(format!("hills {amplitude}x{wavelength}"), move |place| {
        amplitude * (wave * place.y).sin() * (0.6 * wave * place.x).cos()
    })
}

/// Every ground that motions are measured on.
pub fn terrains() -> Vec<Terrain> {
    let mut list = vec![terrain("flat", |_| 0.0)];
    for degrees in [5.0, 10.0, 15.0, 20.0, 25.0] {
        for towards in [0.0, 180.0, 90.0] {
            list.push(slope(degrees, towards));
        }
    }
    list.push(stairs(0.17, 0.29));
    list.push(stairs(-0.17, 0.29));
    list.push(hills(0.25, 2.0));
    list.push(hills(0.5, 5.0));
    // Mounds and steps of the size people walked over in recordings on uneven terrain.
    list.push(terrain("mounds", |place| {
        0.12 * (1.7 * place.y).sin()
            + 0.06 * (4.1 * place.y + 0.7).sin()
            + 0.05 * (2.3 * place.x).sin()
    }));
    list
}

/// A clip ready for the ground, and how much of it to play.
pub struct Case {
    pub name: String,
    pub clip: Arc<GroundClip>,
    pub extent: Extent,
}

pub fn built_in(name: &str) -> Arc<GroundClip> {
    let human = Arc::new(humanoid());
    Arc::new(synth::clip(&human, name).unwrap().ground_clip(&human).unwrap())
}

pub fn built_in_case(name: &str) -> Case {
    let clip = built_in(name);
    let rounds = (8.0 / clip.clip().duration()).ceil() as u32;
    Case { name: name.into(), clip, extent: Extent::Rounds(rounds) }
}

/// A captured clip, its feet planted on the level.
pub fn captured(path: &str) -> Option<Case> {
    let asset = read_file(&andante_testdata::mocap(path)?, &ReadOptions::default(), None).unwrap();
    let rig = rig::detect(&asset.skeleton, &asset.clips).unwrap();
    let clip = &asset.clips[0];
    let options = AnalysisOptions::default();
    let first = analyse(&asset.skeleton, &rig, clip, &options).unwrap();
    let range = Interval::new(clip.frame_time(first.frames.start), clip.duration());
    let clip = trim(&asset.skeleton, clip, range).unwrap();
    let analysis = analyse(&asset.skeleton, &rig, &clip, &options).unwrap();
    let character = Arc::new(Character {
        name: path.into(),
        description: String::new(),
        skeleton: asset.skeleton,
        rig,
    });
    let clip = andante_motion::planted_ground_clip(&character, &clip, &analysis).unwrap();
    let name = Path::new(path).file_stem().unwrap().to_string_lossy().into_owned();
    Some(Case { name, clip: Arc::new(clip), extent: Extent::Once })
}

/// A clip of the horse.
pub fn horse(clip: &str) -> Option<Case> {
    let path = andante_testdata::gltf("horse-animations.glb")?;
    let mut asset = read_file(&path, &ReadOptions::default(), None).unwrap();
    asset.clips.retain(|found| found.name() == clip);
    let rig = rig::detect(&asset.skeleton, &asset.clips).unwrap();
    let clip = asset.clips.pop()?;
    let character = Arc::new(Character {
        name: "horse".into(),
        description: String::new(),
        skeleton: asset.skeleton,
        rig,
    });
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    let options = AnalysisOptions::default();
    let analysis = analyse(skeleton, rig, &clip, &options).unwrap();
    let clip = Arc::new(andante_motion::planted_ground_clip(&character, &clip, &analysis).unwrap());
    let rounds = (8.0 / clip.clip().duration()).ceil() as u32;
    Some(Case { name: "horse".into(), clip, extent: Extent::Rounds(rounds) })
}

/// Every clip of the other samples on four feet or more whose feet are found.
pub fn animals() -> Vec<Case> {
    let mut found = Vec::new();
    for path in andante_testdata::animated_gltf() {
        let Ok(asset) = read_file(&path, &ReadOptions::default(), None) else { continue };
        let Ok(rig) = rig::detect(&asset.skeleton, &asset.clips) else { continue };
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if file.starts_with("horse") {
            continue;
        }
        let character = Arc::new(Character::new(file.clone(), asset.skeleton, rig));
        for clip in &asset.clips {
            let (skeleton, rig) = (&character.skeleton, &character.rig);
            let Ok(analysis) = analyse(skeleton, rig, clip, &AnalysisOptions::default()) else {
                continue;
            };
            let made = andante_motion::planted_ground_clip(&character, clip, &analysis);
            let Ok(clip) = made.map(Arc::new) else { continue };
            let name = format!("{file} {}", clip.clip().name());
            found.push(Case { name, clip, extent: Extent::Rounds(2) });
        }
    }
    found
}
