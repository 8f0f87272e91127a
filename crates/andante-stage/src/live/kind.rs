//! What characters of one body and one repertoire share.

use crate::character_plan::PlanningBody;
use crate::{CharacterFile, CharacterSpec, FPS, StageError, StageSettings};
use andante_formats::ReadLimits;
use andante_formats::gate::read_bytes;
use andante_play::posture::Stoop;
use andante_play::repertoire::{ClipClass, Repertoire, RepertoireClip};
use andante_skeleton::{Character, Planar, SkinnedMesh, Transform, humanoid, humanoid_of_height};
use glam::Vec3;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A body, what it can do, and how large it is.
#[derive(Clone, Debug)]
pub(crate) struct ActorKind {
    pub repertoire: Arc<Repertoire>,
    /// What it looks like, if its file says so.
    pub skin: Option<Arc<SkinnedMesh>>,
    /// Without jumps, and with them.
    pub bodies: [Arc<PlanningBody>; 2],
    /// Of the body, seen from above.
    pub radius: f32,
    /// The usual walk, in m/s.
    pub walk: f32,
    pub stoop: Stoop,
    /// The largest acceleration of the root in each clip, in m/s².
    pub vigour: Vec<f32>,
    /// Joints that neither carry it nor step: where it goes does not depend on them.
    pub upper_body: Range<usize>,
    /// Those of the whole stage.
    pub settings: Arc<StageSettings>,
}

impl ActorKind {
    pub fn new(
        (repertoire, skin): (Arc<Repertoire>, Option<Arc<SkinnedMesh>>),
        part: &CharacterSpec,
        settings: Arc<StageSettings>,
    ) -> Result<Self, StageError> {
        let fail = |error| StageError::Steps(part.name.clone(), error);
        let planner = settings.step_method(&repertoire).map_err(fail)?;
        let character = repertoire.character();
        let bodies = [false, true].map(|leaps| {
            let part = CharacterSpec { run: leaps, jump: leaps, ..part.clone() };
            Arc::new(PlanningBody::new(&part, character, planner.clone(), &settings))
        });
        let speeds = repertoire.of_class(ClipClass::Walk).map(|clip| clip.point());
        let mut ahead: Vec<f32> =
            speeds.filter(|point| point.y.abs() < 0.1 && point.x > 0.0).map(|p| p.x).collect();
        ahead.sort_by(f32::total_cmp);
        let walk = ahead.get(ahead.len() / 2).copied().unwrap_or(1.0);
        let stoop = Stoop::new(character, bodies[0].walker.height, settings.posture);
        let radius = bodies[0].walker.clearance.radius;
        let vigour = repertoire.clips().iter().map(root_acceleration).collect();
        let upper_body = character.upper_body();
        Ok(Self { bodies, radius, walk, stoop, vigour, upper_body, repertoire, skin, settings })
    }

    pub fn character(&self) -> &Character {
        self.repertoire.character()
    }
}

/// The largest acceleration of the root in a cycle, in m/s².
fn root_acceleration(clip: &RepertoireClip) -> f32 {
    let joints = clip.frames().joint_count();
    let mut pose = vec![Transform::IDENTITY; joints];
    let count = (clip.period() * FPS).ceil().max(1.0) as usize;
    let places: Vec<Vec3> = (0..count + 2)
        .map(|frame| {
            let cycles = frame as f32 / (clip.period() * FPS);
            clip.sample_but(&(1..joints), cycles.fract(), &mut pose);
            let rounds =
                (0..cycles as usize).fold(Planar::IDENTITY, |at, _| at.then(&clip.round()));
            let placed = rounds.then(&clip.travel(cycles.fract()));
            (placed.to_transform() * pose[0]).translation
        })
        .collect();
    let change = |three: &[Vec3]| (three[2] - 2.0 * three[1] + three[0]).length() * FPS * FPS;
    places.windows(3).map(change).fold(0.0, f32::max)
}

/// Where a body and what it can do come from: what makes two characters of one kind.
#[derive(Clone, Debug)]
pub(crate) enum CharacterSource {
    /// A built-in body or a file.
    Named { character: String, height: Option<f32>, repertoire: Option<PathBuf> },
    /// From memory.
    Given(Arc<Repertoire>),
}

impl CharacterSource {
    /// As a part says.
    pub fn of(part: &CharacterSpec) -> Self {
        Self::Named {
            character: part.character.clone(),
            height: part.height,
            repertoire: part.repertoire.clone(),
        }
    }

    /// True if both are the same.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Given(own), Self::Given(other)) => Arc::ptr_eq(own, other),
            (
                Self::Named { character, height, repertoire },
                Self::Named { character: other, height: tall, repertoire: file },
            ) => character == other && height == tall && repertoire == file,
            _ => false,
        }
    }

    /// The repertoire of the kind, and the mesh it is drawn with.
    pub fn repertoire(
        &self,
        part: &CharacterSpec,
    ) -> Result<(Arc<Repertoire>, Option<Arc<SkinnedMesh>>), StageError> {
        match self {
            Self::Given(own) => Ok((Arc::clone(own), None)),
            Self::Named { .. } => named(part).map(|(own, skin)| (Arc::new(own), skin)),
        }
    }
}

/// The repertoire of a part: from its file, or what its body can do.
fn named(part: &CharacterSpec) -> Result<(Repertoire, Option<Arc<SkinnedMesh>>), StageError> {
    let limits = ReadLimits::default();
    let fail = |error: &dyn std::fmt::Display| StageError::Repertoire(error.to_string());
    let path = Path::new(&part.character);
    // A repertoire knows whose it is: only what has an extension is a file.
    let file = path.extension().map(|_| CharacterFile::read(path, part.height, &limits));
    let file = file.transpose().map_err(|error| fail(&error))?;
    if let Some(path) = &part.repertoire {
        let bytes = read_bytes(path, &limits).map_err(|error| fail(&error))?;
        let own = Repertoire::from_bytes(&bytes)
            .map_err(|error| fail(&format!("{}: {error}", path.display())))?;
        let skin = file.and_then(|file| file.skin);
        if skin.as_ref().is_some_and(|skin| skin.validate(&own.character().skeleton).is_err()) {
            let (path, character) = (path.display(), &part.character);
            return Err(fail(&format!("{path}: is for another skeleton than `{character}`")));
        }
        return Ok((own, skin));
    }
    match file {
        Some(file) => Ok((file.repertoire().map_err(|error| fail(&error))?, file.skin)),
        None if part.character != "humanoid" => Err(fail(&format!(
            "{}: there is no built-in repertoire for `{}`; give it a `repertoire`, or a file of bones and skin",
            part.name, part.character
        ))),
        None => {
            let body = part.height.map_or_else(humanoid, humanoid_of_height);
            let own =
                andante_motion::repertoire::gaits_and_jumps(&body).map_err(|error| fail(&error))?;
            Ok((own, None))
        }
    }
}

/// Where the hips are and which way they face, relative to how they are at rest.
pub(crate) fn hips(character: &Character, pose: &[Transform]) -> Planar {
    let (mut model, mut rest) = (Transform::IDENTITY, Transform::IDENTITY);
    for joint in character.skeleton.ancestors(character.rig.hips) {
        model = pose[joint] * model;
        rest = character.skeleton.joint(joint).rest * rest;
    }
    let turned = model.rotation * rest.rotation.conjugate();
    Planar::from_transform(&Transform::new(turned, model.translation))
}
