//! A walk over uneven ground as a picture from the side, and as a GLB file with the ground in it.
//!
//! ```sh
//! cargo run -p andante-draw --example walk_over_ground -- hills:0.1:3 OUT.svg OUT.glb [CLIP.bvh]
//! ```
//!
//! The motion is not adapted: the feet go where the clip has them. With a clip instead of the terrain, the ground is
//! what its feet have stood on.
#![allow(clippy::print_stdout)]

use andante_draw::{Sheet, SideView, Stroke};
use andante_formats::{Asset, ReadOptions, gltf, read_file, write_atomically, write_file};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::{rig, synth};
use andante_play::Contacts;
use andante_skeleton::model_frames;
use andante_skeleton::{Clip, Rig, Side, Skeleton, Transform, humanoid};
use andante_world::{Area, Profile, Terrain, TerrainError};
use glam::{Vec2, Vec3};
use std::error::Error;
use std::path::Path;

/// A motion with when its feet are down.
struct Walk {
    skeleton: Skeleton,
    rig: Rig,
    clip: Clip,
    contacts: Contacts,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [terrain, svg, glb, clip @ ..] = arguments.as_slice() else {
        return Err("usage: walk_over_ground TERRAIN OUT.svg OUT.glb [CLIP]".into());
    };
    let walk = match clip.first() {
        Some(path) => recorded(Path::new(path))?,
        None => built_in()?,
    };
    let ground = match Terrain::named(terrain, &Default::default()) {
        Err(TerrainError::Motion(path)) => {
            let recorded = recorded(&path)?;
            let points =
                recorded.contacts.footfalls(&recorded.skeleton, &recorded.rig, &recorded.clip);
            Terrain::from_footfalls(&points, &Default::default())?
        }
        ground => ground?,
    };
    let mut sheet = Sheet::new(format!("{} over {terrain}", walk.clip.name()));
    sheet.note("Unadapted: the feet go where the clip has them.");
    sheet.add(walk.view(&ground).draw());
    write_atomically(Path::new(svg), sheet.to_svg().as_bytes())?;

    let (from, to) = walk.way();
    let area = Area::new(from.min(to) - 2.0, from.max(to) + 2.0);
    let mesh = ground.mesh(area, 0.1)?.to_static("ground", [0.35, 0.42, 0.3, 1.0]);
    let options = gltf::GltfWriteOptions { extra: vec![mesh], ..Default::default() };
    write_file(Path::new(glb), &Asset::new(walk.skeleton, vec![walk.clip]), &options)?;
    println!("{svg}\n{glb}");
    Ok(())
}

/// Three strides of the built-in walk.
fn built_in() -> Result<Walk, Box<dyn Error>> {
    let human = humanoid();
    let made = synth::clip(&human, "walk")?;
    let once = made.clip;
    let stride = once.frame(once.frame_count() - 1)[0].translation - once.frame(0)[0].translation;
    let mut frames: Vec<Transform> = Vec::new();
    let mut contacts = made.contacts.clone();
    for (foot, all) in made.contacts.feet.iter().zip(&mut contacts.feet) {
        for (part, all) in [(&foot.heel, &mut all.heel), (&foot.toe, &mut all.toe)] {
            all.clear();
            for round in 0..3 {
                let shift = round as f32 * once.duration();
                all.extend(part.iter().map(|interval| {
                    andante_play::Interval::new(interval.start + shift, interval.end + shift)
                }));
            }
        }
    }
    for round in 0..3 {
        // The last frame of a round is the first of the next.
        for frame in 0..once.frame_count() - usize::from(round < 2) {
            let mut pose = once.frame(frame).to_vec();
            pose[0].translation += round as f32 * stride;
            frames.extend(pose);
        }
    }
    let clip = Clip::new("walk", &human.skeleton, once.fps(), frames)?;
    Ok(Walk { skeleton: human.skeleton, rig: human.rig, clip, contacts })
}

/// The first motion of a file.
fn recorded(path: &Path) -> Result<Walk, Box<dyn Error>> {
    let asset = read_file(path, &ReadOptions::default(), None)?;
    let rig = rig::detect(&asset.skeleton, &asset.clips)?;
    let clip = asset.clips.into_iter().next().ok_or("the file has no motion")?;
    let analysis = analyse(&asset.skeleton, &rig, &clip, &AnalysisOptions::default())?;
    Ok(Walk { skeleton: asset.skeleton, rig, clip, contacts: analysis.contacts })
}

impl Walk {
    /// First and last place of the hips.
    fn way(&self) -> (Vec2, Vec2) {
        let frames = model_frames(&self.skeleton, &self.clip);
        let hips = |frame: usize| frames[frame][self.rig.hips].translation;
        let (first, last) = (hips(usize::from(frames.len() > 1)), hips(frames.len() - 1));
        (Vec2::new(first.x, first.z), Vec2::new(last.x, last.z))
    }

    /// Figures, ankles and footprints over the ground.
    fn view(&self, ground: &Terrain) -> SideView<'_> {
        let (from, to) = self.way();
        let direction = (to - from).normalize_or(Vec2::Y);
        let path = [from - 1.5 * direction, to + 1.5 * direction];
        let profile = Profile::sample(ground, &path, 0.02, 1e3);
        let mut view = SideView::new(&self.skeleton, &self.clip, path[0], direction)
            .figures(13)
            .ground(profile.lines());
        let frames = model_frames(&self.skeleton, &self.clip);
        for (foot, contacts) in self.rig.feet.iter().zip(&self.contacts.feet) {
            let ankle: Vec<Vec3> =
                frames.iter().map(|models| models[foot.ankle()].translation).collect();
            // What the ankle would have to do: as high above this ground as it was above level ground.
            let target: Vec<Vec3> = ankle
                .iter()
                .filter_map(|&p| Some(p + Vec3::Y * ground.height_at(Vec2::new(p.x, p.z))?))
                .collect();
            let side = if foot.side == Side::Left { "left" } else { "right" };
            view = view.path(format!("{side} ankle"), foot.side, Stroke::Solid, &ankle).path(
                format!("{side} ankle, target"),
                foot.side,
                Stroke::Dashed,
                &target,
            );
            for stance in contacts.stance() {
                let time = 0.5 * (stance.start + stance.end);
                let frame = ((time * self.clip.fps()).round() as usize).min(frames.len() - 1);
                let [heel, tip] = [foot.heel, foot.tip].map(|point| point.position(&frames[frame]));
                view = view.footprint(foot.side, heel, tip);
            }
        }
        view
    }
}
