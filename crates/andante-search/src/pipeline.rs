//! A found gait among recorded ones.

use crate::cycle::Cycle;
use crate::problem::GaitProblem;
use andante_body::{Body, Puppet, Side as BodySide};
use andante_motion::repertoire::{ClipClass, ClipSource, Repertoire, RepertoireError};
use andante_motion::{Contacts, FootContacts, Interval};
use andante_skeleton::{BodyPoint, Character, Clip, Foot, Rig, Side, SkeletonError};
use glam::DVec3;
use thiserror::Error;

/// Why a gait cannot join a repertoire.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// The body makes no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The clip makes no repertoire.
    #[error(transparent)]
    Repertoire(#[from] RepertoireError),
}

/// A physical character as the rest of the pipeline knows characters: its puppet's joints and what they are for.
pub fn character(body: &Body) -> Result<(Character, Puppet), SkeletonError> {
    let puppet = Puppet::new(body)?;
    let joint = |segment: usize| puppet.segments.iter().position(|&other| other == segment);
    let parents: Vec<Option<usize>> = body.parents().collect();
    let mut feet = Vec::new();
    for foot in body.feet().iter().filter(|foot| !foot.disregarded) {
        let mut leg = vec![foot.segment];
        while let Some(&last) = leg.last()
            && last != foot.hip
            && let Some(parent) = parents[last]
        {
            leg.push(parent);
        }
        leg.reverse();
        let (Some(ankle), Some(leg)) =
            (joint(foot.segment), leg.into_iter().map(joint).collect::<Option<Vec<usize>>>())
        else {
            continue;
        };
        let point = |at: DVec3| BodyPoint { joint: ankle, offset: at.as_vec3() };
        feet.push(Foot {
            name: foot.name.clone(),
            side: match foot.side {
                BodySide::Left => Side::Left,
                BodySide::Right => Side::Right,
                BodySide::Middle => Side::Middle,
            },
            leg,
            toes: None,
            heel: point(foot.heel),
            ball: point(foot.toe),
            tip: point(foot.toe),
        });
    }
    let rig = Rig { hips: 0, spine: Vec::new(), head: None, feet, arms: Vec::new() };
    let character = Character {
        name: body.name().into(),
        description: body.parts().description.clone(),
        skeleton: puppet.skeleton.clone(),
        rig,
    };
    Ok((character, puppet))
}

/// A second of standing on all feet.
fn standing(problem: &GaitProblem, puppet: &Puppet) -> Result<ClipSource, RepertoireError> {
    const FRAMES: usize = 61;
    let pose = puppet.pose(&problem.body().stand(problem.pose()));
    let clip = Clip::new("stand", &puppet.skeleton, 60.0, pose.repeat(FRAMES))?;
    let whole = vec![Interval::new(0.0, clip.duration())];
    let feet = problem.body().feet().iter().filter(|foot| !foot.disregarded);
    let feet = feet.map(|_| FootContacts { heel: whole.clone(), toe: whole.clone() }).collect();
    let class = Some(ClipClass::Stand);
    Ok(ClipSource { clip, contacts: Contacts { feet }, cyclic: true, class })
}

impl Cycle {
    /// The cycle as a clip to learn from, its contacts as simulated. Contacts of feet that are disregarded are left out.
    pub fn source(
        &self,
        problem: &GaitProblem,
        puppet: &Puppet,
        name: &str,
    ) -> Result<ClipSource, RepertoireError> {
        let clip = self.clip(problem, puppet, name, 1)?;
        let intervals = |foot: usize, part: usize| {
            let spans = self.contacts(foot, part).into_iter();
            spans.map(|[start, end]| Interval::new(start as f32, end as f32)).collect()
        };
        let feet = problem.body().feet().iter().enumerate();
        let feet = feet
            .filter(|(_, foot)| !foot.disregarded)
            .map(|(foot, _)| FootContacts { heel: intervals(foot, 1), toe: intervals(foot, 0) })
            .collect();
        Ok(ClipSource { clip, contacts: Contacts { feet }, cyclic: true, class: None })
    }

    /// A repertoire of this gait, and of standing in the pose that it was looked for in: whatever is slower is a mix of both.
    pub fn repertoire(
        &self,
        problem: &GaitProblem,
        name: &str,
    ) -> Result<Repertoire, PipelineError> {
        let (character, puppet) = character(problem.body())?;
        let gait =
            ClipSource { class: Some(ClipClass::Walk), ..self.source(problem, &puppet, name)? };
        Ok(Repertoire::from_clips(&character, &[gait, standing(problem, &puppet)?])?)
    }
}
