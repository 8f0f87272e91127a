//! What follows from a body and a sketch: everything that is shown of them.

use crate::view::FlatFigure;
use andante_body::{
    Body, Geometry, Mass, RestPose, RigidPartsMesh, RigidPlacement, read_body, write_body,
};
use andante_gait::{
    FoundGait, GaitCycle, GaitProblem, GaitSketch, Modes, PhaseSketch, PinnedPoint, ProblemOptions,
    read_sketch,
};
use andante_skeleton::{SkinnedMesh, Transform};
use eframe::egui::Color32;
use glam::Vec3;
use std::sync::Arc;

/// A phase of a step: before feet land, and while they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPhaseKind {
    /// Nothing touches the ground.
    Air,
    /// Toes are held by the ground.
    Ground,
}

impl StepPhaseKind {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Air, Self::Ground];

    /// The name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Air => "Air",
            Self::Ground => "Ground",
        }
    }
}

/// The role of a mode in a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModeRole {
    /// The search does without it.
    Excluded,
    /// The search may use it.
    Allowed,
    /// It makes the style, with this amplitude.
    Priority(f64),
}

/// A body, its sketch, and what follows from them.
pub struct CreatureDesk {
    /// The texts it was made from.
    pub texts: [String; 2],
    /// The body.
    pub body: Body,
    /// The sketch.
    pub sketch: GaitSketch,
    /// Vibrations in the air and on the ground.
    pub modes: [Modes; 2],
    /// The pose that springs pull to.
    pub pose: RestPose,
    /// What is to be searched, or why nothing can be.
    pub problem: Result<Arc<GaitProblem>, String>,
    /// The body as it is drawn.
    pub skin: Arc<SkinnedMesh>,
    /// The segment that each joint of the skin is.
    segments: Vec<usize>,
    /// A gait that was found before for just this body and sketch.
    pub known: Option<(Arc<GaitProblem>, GaitCycle)>,
}

impl CreatureDesk {
    /// From the texts of a character file and a sketch.
    pub fn new(body_text: &str, sketch_text: &str, step: usize) -> Result<Self, String> {
        let body = read_body(body_text).map_err(|error| format!("the body: {error}"))?;
        let sketch = read_sketch(sketch_text).map_err(|error| format!("the sketch: {error}"))?;
        let named = sketch.pose.as_deref().and_then(|name| body.pose(name));
        let pose = named.unwrap_or(&body.poses()[0]).clone();
        let feet = sketch.steps.get(step).map(|step| step.feet.clone()).unwrap_or_default();
        let standing = body.feet().iter().filter(|foot| feet.contains(&foot.name));
        let mut pins: Vec<PinnedPoint> = standing.map(PinnedPoint::toe).collect();
        if pins.is_empty() {
            pins.extend(body.feet().first().map(PinnedPoint::toe));
        }
        let find = |pins: &[PinnedPoint]| {
            Modes::find(&body, &pose, pins).map_err(|error| error.to_string())
        };
        let modes = [find(&[])?, find(&pins)?];
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default());
        let problem = problem.map(Arc::new).map_err(|error| error.to_string());
        let RigidPartsMesh { skin, segments, .. } =
            RigidPartsMesh::new(&body).map_err(|error| error.to_string())?;
        let skin = Arc::new(skin);
        let known = known(&body, &sketch);
        let texts = [body_text.to_owned(), sketch_text.to_owned()];
        Ok(Self { texts, body, sketch, modes, pose, problem, skin, segments, known })
    }

    /// The modes of a phase.
    pub fn modes(&self, phase: StepPhaseKind) -> &Modes {
        &self.modes[phase as usize]
    }

    /// The role of a mode.
    pub fn role(&self, step: usize, phase: StepPhaseKind, mode: usize) -> ModeRole {
        let Some(sketch) = self.sketch.steps.get(step) else { return ModeRole::Excluded };
        let part = match phase {
            StepPhaseKind::Air => &sketch.air,
            StepPhaseKind::Ground => &sketch.ground,
        };
        match part.priority.iter().find(|(own, _)| *own == mode) {
            Some((_, amplitude)) => ModeRole::Priority(*amplitude),
            None if part.allowed.contains(&mode) => ModeRole::Allowed,
            None => ModeRole::Excluded,
        }
    }

    /// The sketch with another role of a mode, as text.
    pub fn with_role(
        &self,
        step: usize,
        phase: StepPhaseKind,
        mode: usize,
        role: ModeRole,
    ) -> Option<String> {
        let mut sketch = self.sketch.clone();
        let own = sketch.steps.get_mut(step)?;
        let part: &mut PhaseSketch = match phase {
            StepPhaseKind::Air => &mut own.air,
            StepPhaseKind::Ground => &mut own.ground,
        };
        part.priority.retain(|(own, _)| *own != mode);
        part.allowed.retain(|own| *own != mode);
        match role {
            ModeRole::Excluded => {}
            ModeRole::Allowed => part.allowed.push(mode),
            ModeRole::Priority(amplitude) => part.priority.push((mode, amplitude)),
        }
        part.priority.sort_by_key(|(mode, _)| *mode);
        part.allowed.sort_unstable();
        Some(sketch.to_toml())
    }

    /// The body with another mass of a segment and of its mirror image, as text.
    pub fn with_mass(&self, segment: usize, mass: f64) -> Result<String, String> {
        let partner = self.body.partners().map_or(segment, |partners| partners[segment]);
        let mut parts = self.body.parts().clone();
        for index in [segment, partner] {
            let own = &mut parts.segments[index].mass;
            let factor = mass / own.mass;
            *own = Mass { mass, center: own.center, inertia: own.inertia * factor };
        }
        Body::new(parts).map(|body| write_body(&body)).map_err(|error| error.to_string())
    }

    /// The body with springs of a joint, and of its mirror image, so many times as stiff; dampers grow with them.
    pub fn with_stiffness(&self, segment: usize, stiffness: [f64; 3]) -> Result<String, String> {
        let partner = self.body.partners().map_or(segment, |partners| partners[segment]);
        let mut parts = self.body.parts().clone();
        for index in [segment, partner] {
            if let Some(joint) = &mut parts.segments[index].joint {
                let axes = joint.stiffness.iter_mut().zip(&mut joint.damping).zip(stiffness);
                for ((own, damping), wanted) in axes {
                    if *own > 0.0 {
                        *damping *= wanted / *own;
                    }
                    *own = wanted;
                }
            }
        }
        Body::new(parts).map(|body| write_body(&body)).map_err(|error| error.to_string())
    }

    /// The place of the root when the body stands.
    pub fn root(&self) -> glam::DVec3 {
        self.body.stand(&self.pose)[0].translation
    }

    /// Joints of the skin in the world when segments are placed so.
    pub fn models(&self, placed: &[RigidPlacement]) -> Vec<Transform> {
        let place = |segment: &usize| {
            let place = placed[*segment];
            Transform::new(place.rotation.as_quat().normalize(), place.translation.as_vec3())
        };
        self.segments.iter().map(place).collect()
    }

    /// The body as a flat drawing.
    pub fn figure(
        &self,
        placed: &[RigidPlacement],
        color: impl Fn(usize) -> Color32,
    ) -> FlatFigure {
        let mut figure = FlatFigure::default();
        for (segment, (part, place)) in self.body.segments().iter().zip(placed).enumerate() {
            for shape in &part.shapes {
                let at = |local: glam::DVec3| {
                    place.transform_point(shape.center + shape.rotation * local).as_vec3()
                };
                let (ends, radius) = rod(&shape.geometry);
                figure.rods.push((ends.map(at), radius, color(segment)));
            }
        }
        figure
    }

    /// The box around the body at rest, with room to swing.
    pub fn bounds(&self) -> [Vec3; 2] {
        let figure = self.figure(&self.body.stand(&self.pose), |_| Color32::WHITE);
        let mut bounds = [Vec3::MAX, Vec3::MIN];
        for (ends, radius, _) in &figure.rods {
            for end in ends {
                bounds = [bounds[0].min(*end - *radius), bounds[1].max(*end + *radius)];
            }
        }
        let room = 0.08 * (bounds[1] - bounds[0]).max_element();
        [bounds[0] - room, bounds[1] + room]
    }
}

/// The rod that a solid looks like from afar: along its longest side.
fn rod(geometry: &Geometry) -> ([glam::DVec3; 2], f32) {
    match *geometry {
        Geometry::Sphere { radius } => ([glam::DVec3::ZERO; 2], radius as f32),
        Geometry::Capsule { radius, half_length } => {
            ([glam::DVec3::Y * half_length, -glam::DVec3::Y * half_length], radius as f32)
        }
        Geometry::Box { half } => {
            let axis = (0..3).max_by(|a, b| half[*a].total_cmp(&half[*b])).unwrap_or(1);
            let others = (0..3).filter(|other| *other != axis).map(|other| half[other]);
            let radius = others.fold(0.0, |sum, side| sum + 0.5 * side);
            let mut end = glam::DVec3::ZERO;
            end[axis] = (half[axis] - radius).max(0.0);
            ([end, -end], radius as f32)
        }
    }
}

/// The gait that was found for just this body and sketch.
fn known(body: &Body, sketch: &GaitSketch) -> Option<(Arc<GaitProblem>, GaitCycle)> {
    let own = andante_body::creature(&sketch.character).ok()?;
    let asked = GaitSketch::built_in(&sketch.name).ok()?;
    if write_body(&own) != write_body(body) || asked != *sketch {
        return None;
    }
    let gait = FoundGait::built_in(&sketch.name).ok()??;
    let problem = GaitProblem::new(body, sketch, &gait.options()).ok()?;
    let cycle = GaitCycle::new(&problem, &gait.candidate(&problem).ok()?);
    Some((Arc::new(problem), cycle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{body_text, sketch_text};

    fn desk() -> CreatureDesk {
        CreatureDesk::new(&body_text("humanoid").unwrap(), &sketch_text("basic-run").unwrap(), 0)
            .unwrap()
    }

    #[test]
    fn a_heavier_limb_swings_more_slowly_and_so_does_its_partner() {
        let desk = desk();
        let arm = desk.body.find("left upper arm").or(desk.body.find("left humerus"));
        let arm = arm.unwrap_or(desk.body.segments().len() - 1);
        let before = desk.modes(StepPhaseKind::Air).modes[0].hz();
        let text = desk.with_mass(arm, 4.0 * desk.body.segments()[arm].mass.mass).unwrap();
        let heavier = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
        let partner = desk.body.partners().unwrap()[arm];
        assert_eq!(
            heavier.body.segments()[arm].mass.mass,
            heavier.body.segments()[partner].mass.mass
        );
        let sum = |desk: &CreatureDesk| {
            desk.modes(StepPhaseKind::Air).modes.iter().map(|mode| mode.hz()).sum::<f64>()
        };
        assert!(sum(&heavier) < sum(&desk), "{before}");
    }

    #[test]
    fn softer_springs_make_slower_modes_and_stiffness_is_kept_in_the_text() {
        let desk = desk();
        let mut text = desk.texts[0].clone();
        for (segment, _) in desk.body.joints() {
            let now = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
            let stiffness = desk.body.segments()[segment].joint.as_ref().unwrap().stiffness;
            text = now.with_stiffness(segment, stiffness.map(|one| 0.25 * one)).unwrap();
        }
        let softer = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
        for (soft, stiff) in
            softer.modes(StepPhaseKind::Air).modes.iter().zip(&desk.modes(StepPhaseKind::Air).modes)
        {
            assert!((soft.hz() / stiff.hz() - 0.5).abs() < 0.01, "{} {}", soft.hz(), stiff.hz());
        }
    }

    #[test]
    fn roles_of_modes_are_written_into_the_sketch() {
        let desk = desk();
        assert_eq!(desk.role(0, StepPhaseKind::Air, 1), ModeRole::Priority(0.2));
        assert_eq!(desk.role(0, StepPhaseKind::Air, 2), ModeRole::Allowed);
        let text = desk.with_role(0, StepPhaseKind::Air, 20, ModeRole::Priority(-0.4)).unwrap();
        let desk = CreatureDesk::new(&desk.texts[0], &text, 0).unwrap();
        assert_eq!(desk.role(0, StepPhaseKind::Air, 20), ModeRole::Priority(-0.4));
        let text = desk.with_role(0, StepPhaseKind::Air, 20, ModeRole::Excluded).unwrap();
        let desk = CreatureDesk::new(&desk.texts[0], &text, 0).unwrap();
        assert_eq!(desk.role(0, StepPhaseKind::Air, 20), ModeRole::Excluded);
    }

    #[test]
    fn the_gait_that_was_found_before_is_there_at_once_and_not_for_another_body() {
        let desk = desk();
        assert!(desk.known.is_some());
        let text = desk.with_mass(1, 9.0).unwrap();
        assert!(CreatureDesk::new(&text, &desk.texts[1], 0).unwrap().known.is_none());
    }
}
