//! A found gait among recorded ones.

use crate::held::gait_cycle::GaitCycle;
use crate::problem::gait_problem::GaitProblem;
use andante_body::{Body, RestPose, RigidPartsMesh, RigidPlacement};
use andante_motion::repertoire::{BuildError, ClipSource};
use andante_play::repertoire::{ClipClass, Repertoire};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{BodyPoint, Character, Clip, Foot, Rig, SkeletonError};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// An error that keeps a gait from joining a repertoire.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// The body makes no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The clip makes no repertoire.
    #[error(transparent)]
    Repertoire(#[from] BuildError),
}

/// A physical character as the rest of the pipeline knows characters: its puppet's joints and what they are for.
pub fn character(body: &Body) -> Result<(Character, RigidPartsMesh), SkeletonError> {
    let puppet = RigidPartsMesh::new(body)?;
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
            side: foot.side,
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

/// A pose with its soles laid flat, and all of it as far above the ground as its feet on average.
fn flat_footed(body: &Body, pose: &RestPose) -> Vec<RigidPlacement> {
    let mut placed = body.stand(pose);
    let mut heights = Vec::new();
    for foot in body.feet().iter().filter(|foot| !foot.disregarded) {
        let ankle = &mut placed[foot.segment];
        let sole = ankle.rotation * (foot.toe - foot.heel);
        let level = DVec3::new(sole.x, 0.0, sole.z);
        if level.length() > 1e-6 {
            let turn = DQuat::from_rotation_arc(sole.normalize(), level.normalize());
            ankle.rotation = turn * ankle.rotation;
        }
        heights.push(ankle.transform_point(foot.toe).y);
    }
    let lift = -heights.iter().sum::<f64>() / heights.len().max(1) as f64;
    placed.iter_mut().for_each(|segment| segment.translation.y += lift);
    placed
}

/// A second of standing on all feet.
fn standing(problem: &GaitProblem, puppet: &RigidPartsMesh) -> Result<ClipSource, BuildError> {
    let fps = 60.0f32;
    let pose = puppet.pose(&flat_footed(problem.body(), problem.pose()));
    let clip = Clip::new("stand", &puppet.skeleton, fps, pose.repeat(fps as usize + 1))?;
    let whole = vec![Interval::new(0.0, clip.duration())];
    let feet = problem.body().feet().iter().filter(|foot| !foot.disregarded);
    let feet = feet.map(|_| FootContacts { heel: whole.clone(), toe: whole.clone() }).collect();
    let class = Some(ClipClass::Stand);
    Ok(ClipSource { clip, contacts: Contacts { feet }, cyclic: true, class })
}

impl GaitCycle {
    /// The cycle as a clip to learn from, its contacts as simulated. Contacts of feet that are disregarded are left out.
    pub fn source(
        &self,
        problem: &GaitProblem,
        puppet: &RigidPartsMesh,
        name: &str,
    ) -> Result<ClipSource, BuildError> {
        let clip = self.clip(problem, puppet, name, 1)?;
        let intervals = |foot: usize, part: usize| {
            let spans = self.planted(problem, foot, part).into_iter();
            spans.map(|[start, end]| Interval::new(start as f32, end as f32)).collect()
        };
        let feet = problem.body().feet().iter().enumerate();
        let feet = feet
            .filter(|(_, foot)| !foot.disregarded)
            .map(|(foot, _)| FootContacts { heel: intervals(foot, 1), toe: intervals(foot, 0) })
            .collect();
        Ok(ClipSource { clip, contacts: Contacts { feet }, cyclic: true, class: None })
    }

    /// When toe (0) or heel (1) of a foot is down without gliding in or out: [`GaitCycle::contacts`] are a matter of height alone.
    fn planted(&self, problem: &GaitProblem, foot: usize, part: usize) -> Vec<[f64; 2]> {
        let setup = &problem.body().feet()[foot];
        let point = [setup.toe, setup.heel][part];
        let place = |time: f64| {
            let placed = self.at(time).place(problem.body(), problem.pose());
            placed[setup.segment].transform_point(point)
        };
        let slow = |time: f64| {
            let h = 0.5 * self.step;
            place(time + h).distance(place(time - h)) < self.playback.gliding * self.step
        };
        let shorter = |[mut start, mut end]: [f64; 2]| {
            while start < end && !slow(start) && start > 0.0 {
                start += self.step;
            }
            while end > start && !slow(end) && end < self.period {
                end -= self.step;
            }
            (end > start).then_some([start, end])
        };
        self.contacts(foot, part).into_iter().filter_map(shorter).collect()
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
        Ok(andante_motion::repertoire::from_clips(
            &character,
            &[gait, standing(problem, &puppet)?],
        )?)
    }
}
