//! Takes for other programs.

use super::{CharacterTrack, Take};
use andante_body::creature_skin;
use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{Asset, bvh};
use std::fmt::Write;

/// Linear colours of the ground and of obstacles.
const EARTH: [f32; 4] = [0.35, 0.42, 0.3, 1.0];
const STONE: [f32; 4] = [0.5, 0.47, 0.42, 1.0];

impl Take {
    /// Everybody, the world as it is at the beginning and one animation as a `.glb` file.
    pub fn to_glb(&self) -> Result<Vec<u8>, gltf::WriteError> {
        let asset = |track: &CharacterTrack| Asset {
            mesh: creature_skin(&track.character),
            ..Asset::new(track.character.skeleton.clone(), vec![track.clip.clone()])
        };
        let mut assets: Vec<Asset> = self.tracks.iter().map(asset).collect();
        let rate = self.tracks.first().map_or(60.0, |track| track.clip.fps());
        let movers = self.movers();
        assets.extend(movers.iter().filter_map(|thing| thing.asset(self.frames(), rate)));
        // Alone, joints keep their names.
        let name = |index: usize| match index.checked_sub(self.tracks.len()) {
            Some(prop) => format!("prop-{}", prop + 1),
            None if assets.len() > 1 => self.file_name(index),
            None => String::new(),
        };
        let names: Vec<String> = (0..assets.len()).map(name).collect();
        let group: Vec<(&str, &Asset)> = names.iter().map(String::as_str).zip(&assets).collect();
        let mut options = GltfWriteOptions::default();
        // A scene without ground is a scene of bodies in the air.
        if let Ok(ground) = self.ground_mesh() {
            options.extra.push(ground.to_static("ground", EARTH));
        }
        let obstacles = self.scene.obstacles.iter();
        options.extra.extend(obstacles.map(|thing| thing.mesh().to_static(&thing.name, STONE)));
        gltf::write_group_glb(&group, &options)
    }

    /// One track as a `.bvh` file.
    pub fn to_bvh(&self, track: usize) -> Option<String> {
        let track = self.tracks.get(track)?;
        Some(bvh::write(&track.character.skeleton, &track.clip, &bvh::BvhWriteOptions::default()))
    }

    /// The name of a track as part of the name of a file, different for every track.
    pub fn file_name(&self, track: usize) -> String {
        let plain = |index: usize| match self.tracks.get(index) {
            Some(track) => track.name.replace(|c: char| !c.is_alphanumeric(), "-").to_lowercase(),
            None => String::new(),
        };
        let name = plain(track);
        let same = (0..track).filter(|&before| plain(before) == name).count();
        if same == 0 { name } else { format!("{name}-{}", same + 1) }
    }

    /// Curves as a table: a row for each frame, for each track place, heading, speed, curvature, running, which feet
    /// are down, and how high heels and balls are above the ground. Empty where a track has ended or there is no
    /// ground.
    pub fn to_csv(&self) -> String {
        let heights: Vec<_> =
            (0..self.tracks.len()).map(|track| self.foot_heights(track)).collect();
        let mut text = String::from("time");
        for (index, track) in self.tracks.iter().enumerate() {
            let name = self.file_name(index);
            for column in ["x", "z", "heading", "speed", "curvature", "running"] {
                let _ = write!(text, ",{name}.{column}");
            }
            for foot in &track.character.rig.feet {
                let foot = foot.name.replace([' ', ',', '"'], "-");
                for part in ["heel-down", "ball-down", "heel-height", "ball-height"] {
                    let _ = write!(text, ",{name}.{foot}.{part}");
                }
            }
        }
        text.push('\n');
        let rate = self.tracks.first().map_or(60.0, |track| track.clip.fps());
        for frame in 0..self.frames() {
            let time = frame as f32 / rate;
            let _ = write!(text, "{time}");
            for (track, heights) in self.tracks.iter().zip(&heights) {
                track.row(frame, heights, &mut text);
            }
            text.push('\n');
        }
        text
    }
}

impl CharacterTrack {
    fn row(&self, frame: usize, heights: &[[Vec<f32>; 2]], text: &mut String) {
        let (Some(place), Some(speed), Some(curvature), Some(running)) = (
            self.body.get(frame),
            self.speed.get(frame),
            self.curvature.get(frame),
            self.running.get(frame),
        ) else {
            text.extend(std::iter::repeat_n(',', 6 + 4 * self.character.rig.feet.len()));
            return;
        };
        let (x, z, heading) = (place.position.x, place.position.y, place.heading);
        let _ = write!(text, ",{x},{z},{heading},{speed},{curvature},{running}");
        let time = self.clip.frame_time(frame);
        for (down, [heel, ball]) in self.contacts.feet.iter().zip(heights) {
            let (heel_down, ball_down) = (down.heel_down(time) as u8, down.toe_down(time) as u8);
            let _ = write!(text, ",{heel_down},{ball_down}");
            for height in [heel[frame], ball[frame]] {
                match height.is_finite() {
                    true => drop(write!(text, ",{height}")),
                    false => text.push(','),
                }
            }
        }
    }
}
