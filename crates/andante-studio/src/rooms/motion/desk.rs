//! A motion, and what follows from it.

use crate::home::StudioHome;
use crate::job::JobPulse;
use crate::motion_plan::{ContactSpans, MotionBody, MotionEdit, MotionPlan};
use andante_formats::ReadOptions;
use andante_motion::analysis::{AnalysisOptions, MotionClass, analyse};
use andante_motion::repertoire::taught;
use andante_motion::{rig, synth};
use andante_play::Contacts;
use andante_skeleton::{
    Character, Clip, Rig, Side, Skeleton, SkinnedMesh, Transform, capsule_body, humanoid,
    model_frames,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shelf from which clips are taken: a file, or the built-in ones.
pub struct ClipShelf {
    /// The file, if it is one.
    pub file: Option<std::path::PathBuf>,
    /// The joints of every clip.
    pub skeleton: Skeleton,
    /// Which of them are feet, if there are any.
    pub rig: Option<Rig>,
    /// What it looks like.
    pub skin: Arc<SkinnedMesh>,
    /// Whether that is its own, and not made from its bones.
    pub has_skin: bool,
    /// The clips.
    pub clips: Vec<Clip>,
    /// What is odd about the file.
    pub oddities: Vec<String>,
    /// What kind of motion each clip is, once somebody has looked; none where feet are not known.
    pub classes: Vec<Option<MotionClass>>,
}

impl ClipShelf {
    /// The motions that are made without any file.
    pub fn built_in() -> Self {
        let mut make = Self::making();
        loop {
            if let Some(made) = make() {
                return made;
            }
        }
    }

    /// The maker of them, one in each call, until all are there.
    pub fn making() -> impl FnMut() -> Option<Self> + Send {
        let human = humanoid();
        let (mut clips, mut number) = (Vec::new(), 0);
        move || {
            if let Some(name) = synth::NAMES.get(number) {
                clips.extend(synth::clip(&human, name).map(|made| made.clip));
                number += 1;
                return None;
            }
            Some(Self {
                file: None,
                skeleton: human.skeleton.clone(),
                rig: Some(human.rig.clone()),
                skin: Arc::new(capsule_body(&human.skeleton)),
                has_skin: false,
                clips: std::mem::take(&mut clips),
                oddities: Vec::new(),
                classes: Vec::new(),
            })
        }
    }

    /// The look at what kind of motion each clip is, which takes its time: one clip in each call, until all are known.
    pub fn kinds(
        &self,
    ) -> impl FnMut(&JobPulse) -> Option<Vec<Option<MotionClass>>> + Send + use<> {
        let (skeleton, rig) = (self.skeleton.clone(), self.rig.clone());
        let (clips, mut classes) = (self.clips.clone(), Vec::new());
        move |pulse| {
            if let Some(clip) = clips.get(classes.len()) {
                let options = AnalysisOptions::default();
                let found = rig.as_ref().map(|rig| analyse(&skeleton, rig, clip, &options));
                classes.push(found.and_then(Result::ok).map(|found| found.class));
                pulse.set_part(classes.len() as f32 / clips.len() as f32);
            }
            (classes.len() == clips.len()).then(|| std::mem::take(&mut classes))
        }
    }

    /// The motions of a file.
    pub fn read(path: &std::path::Path, home: &StudioHome) -> Result<Self, String> {
        let asset = match home.dropped(path) {
            Some(bytes) => crate::opening::read_motion(path, &bytes),
            None => andante_formats::read_file(path, &ReadOptions::default(), None),
        };
        let mut asset = asset.map_err(|error| error.to_string())?;
        let rig = rig::detect(&asset.skeleton, &asset.clips).ok();
        if asset.clips.is_empty() {
            asset.clips = borrowed(&asset.skeleton, rig.as_ref())?;
        }
        let has_skin = asset.mesh.is_some();
        let skin = asset.mesh.unwrap_or_else(|| capsule_body(&asset.skeleton));
        let oddities = asset.warnings.iter().map(|warning| warning.to_string()).collect();
        Ok(Self {
            file: Some(path.to_path_buf()),
            rig,
            skin: Arc::new(skin),
            has_skin,
            skeleton: asset.skeleton,
            clips: asset.clips,
            oddities,
            classes: Vec::new(),
        })
    }
}

/// The name of a clip in which a body that brought none does nothing.
pub const REST: &str = "rest";

/// Clips for a body that brought none: its rest, and if it has two legs what the built-in human does.
fn borrowed(skeleton: &Skeleton, rig: Option<&Rig>) -> Result<Vec<Clip>, String> {
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let still = Clip::new(REST, skeleton, 1.0, [rest.clone(), rest].concat());
    let mut clips = vec![still.map_err(|error| error.to_string())?];
    if let Some(rig) = rig.filter(|rig| rig.feet.len() == 2) {
        let own = Character::new("own", skeleton.clone(), rig.clone());
        let human = humanoid();
        let learnt = synth::NAMES.iter().filter_map(|name| {
            let made = synth::clip(&human, name).ok()?;
            taught(&own, &made).ok().map(|made| made.clip)
        });
        clips.extend(learnt);
    }
    Ok(clips)
}

/// Every joint that has a role, by the name of the role.
pub fn roles(rig: &Rig) -> Vec<(String, usize)> {
    let mut roles = vec![("hips".to_owned(), rig.hips)];
    roles.extend(rig.head.map(|head| ("head".to_owned(), head)));
    let side = |side: Side| match side {
        Side::Left => "left",
        Side::Right => "right",
        Side::Middle => "middle",
    };
    for foot in &rig.feet {
        let parts = ["hip", "knee", "ankle", "toes"];
        for (part, joint) in parts.into_iter().zip(foot.leg.iter().chain(foot.toes.iter())) {
            roles.push((format!("{} {part}", side(foot.side)), *joint));
        }
    }
    for arm in &rig.arms {
        let parts: &[&str] = match arm.chain.len() {
            4.. => &["collar", "shoulder", "elbow", "hand"],
            _ => &["shoulder", "elbow", "hand"],
        };
        for (part, joint) in parts.iter().zip(&arm.chain) {
            roles.push((format!("{} {part}", side(arm.side)), *joint));
        }
    }
    roles
}

/// A rig in which some joints have other roles.
pub fn with_roles(rig: &Rig, skeleton: &Skeleton, other: &BTreeMap<String, String>) -> Rig {
    let mut changed = rig.clone();
    for (role, old) in roles(rig) {
        let Some(new) = other.get(&role).and_then(|name| skeleton.find(name)) else { continue };
        if role == "hips" {
            changed.hips = new;
        } else if role == "head" {
            changed.head = Some(new);
        }
        for foot in &mut changed.feet {
            foot.leg.iter_mut().filter(|joint| **joint == old).for_each(|joint| *joint = new);
            if foot.toes == Some(old) {
                foot.toes = Some(new);
            }
            for point in [&mut foot.heel, &mut foot.ball, &mut foot.tip] {
                if point.joint == old {
                    point.joint = new;
                }
            }
        }
        for arm in &mut changed.arms {
            arm.chain.iter_mut().filter(|joint| **joint == old).for_each(|joint| *joint = new);
        }
    }
    changed
}

/// The clip that is worked on, after its edits.
pub struct ClipDesk {
    /// What it was made by.
    pub plan: MotionPlan,
    /// The motion.
    pub clip: Clip,
    /// Every joint in the world, frame by frame.
    pub models: Vec<Vec<Transform>>,
    /// When feet are down, if it has feet.
    pub contacts: Option<Contacts>,
    /// Which joints are what, as somebody has corrected it.
    pub rig: Option<Rig>,
}

impl ClipDesk {
    /// Takes a clip from a shelf and edits it.
    pub fn new(shelf: &ClipShelf, plan: &MotionPlan) -> Result<Self, String> {
        let named = shelf.clips.iter().find(|clip| clip.name() == plan.clip);
        let mut clip = named.ok_or(format!("there is no clip `{}`", plan.clip))?.clone();
        let rig = shelf.rig.as_ref().map(|rig| with_roles(rig, &shelf.skeleton, &plan.roles));
        let found = |clip: &Clip| -> Option<Contacts> {
            let found = analyse(&shelf.skeleton, rig.as_ref()?, clip, &AnalysisOptions::default());
            found.ok().map(|done| done.contacts)
        };
        let feet = rig.as_ref().map_or(0, |rig| rig.feet.len());
        let down = |clip: &Clip| match plan.contacts.len() == feet && feet > 0 {
            true => Some(ContactSpans::contacts(&plan.contacts)),
            false => found(clip),
        };
        for (index, edit) in plan.edits.iter().enumerate() {
            // What somebody says of feet is said of what comes of all edits.
            let last = !plan.edits[index..].iter().any(MotionEdit::changes_time);
            let contacts = match (matches!(edit, MotionEdit::Plant), last) {
                (false, _) => None,
                (true, true) => down(&clip),
                (true, false) => found(&clip),
            };
            let body = MotionBody {
                skeleton: &shelf.skeleton,
                rig: rig.as_ref(),
                clips: &shelf.clips,
                contacts: contacts.as_ref(),
            };
            clip = edit
                .apply(&body, &clip)
                .map_err(|error| format!("{}: {error}", edit.describe()))?;
        }
        let contacts = down(&clip);
        let models = model_frames(&shelf.skeleton, &clip);
        Ok(Self { plan: plan.clone(), clip, models, contacts, rig })
    }

    /// The number of the frame at a time.
    pub fn frame(&self, time: f32) -> usize {
        ((time * self.clip.fps()).round().max(0.0) as usize).min(self.models.len() - 1)
    }

    /// Height of a joint above zero in every frame, in metres.
    pub fn heights(&self, joint: usize) -> Vec<f32> {
        self.models.iter().map(|models| models[joint].translation.y).collect()
    }

    /// The angles of a joint from its rest pose in every frame, in degrees.
    pub fn angles(&self, skeleton: &Skeleton, joint: usize) -> Vec<f32> {
        let rest = skeleton.joint(joint).rest.rotation;
        self.clip
            .frames()
            .map(|frame| rest.angle_between(frame[joint].rotation).to_degrees())
            .collect()
    }

    /// The speeds of a joint in every frame, in m/s.
    pub fn speeds(&self, joint: usize) -> Vec<f32> {
        let fps = self.clip.fps();
        let last = self.models.len() - 1;
        let speed = |frame: usize| {
            let [a, b] = [frame.saturating_sub(1), (frame + 1).min(last)];
            let way = self.models[b][joint].translation - self.models[a][joint].translation;
            way.length() * fps / (b - a).max(1) as f32
        };
        (0..=last).map(speed).collect()
    }
}
