//! Where the mass of a character is.

use crate::PhysicalSettings;
use andante_body::{HumanFit, HumanFitOptions, fit_human};
use andante_skeleton::{BodyPoint, Character, Transform, body_capsules};
use glam::Vec3;

/// The masses of a character, carried by its joints: those of its physical body if it is built like a human, else those
/// of a body of one density around its bones.
#[derive(Clone, Debug)]
pub(crate) struct MassPoints {
    /// Middles and shares of the whole.
    points: Vec<(BodyPoint, f32)>,
}

impl MassPoints {
    pub fn new(character: &Character, settings: &PhysicalSettings) -> Self {
        let mut points = match fit_human(character, &fit_options(settings)) {
            Ok(fit) => human(&fit),
            Err(_) => around_bones(character),
        };
        let whole: f32 = points.iter().map(|(_, mass)| mass).sum();
        points.iter_mut().for_each(|(_, mass)| *mass /= whole.max(f32::MIN_POSITIVE));
        Self { points }
    }

    /// The centre of mass of joints that are placed so.
    pub fn centre(&self, models: &[Transform]) -> Vec3 {
        self.points.iter().map(|(point, share)| *share * point.position(models)).sum()
    }
}

/// How a human body is fitted on a stage.
pub(crate) fn fit_options(settings: &PhysicalSettings) -> HumanFitOptions {
    HumanFitOptions {
        foot_height: settings.foot_height,
        foot_width: settings.foot_width,
        foot_inset: settings.foot_inset,
    }
}

fn human(fit: &HumanFit) -> Vec<(BodyPoint, f32)> {
    let parts = fit.body.segments().iter().zip(fit.joints.iter().zip(&fit.turns));
    parts
        .map(|(segment, (&joint, turn))| {
            let offset = (*turn * segment.mass.center).as_vec3();
            (BodyPoint { joint, offset }, segment.mass.mass as f32)
        })
        .collect()
}

/// Balls and what lies between them, by volume.
fn around_bones(character: &Character) -> Vec<(BodyPoint, f32)> {
    let body = body_capsules(&character.skeleton);
    let rest = character.skeleton.rest_models();
    let mut points: Vec<(BodyPoint, f32)> =
        body.balls.iter().map(|(at, radius)| (*at, radius * radius * radius * 4.0 / 3.0)).collect();
    for [a, b] in &body.capsules {
        let ((from, r), (to, s)) = (body.balls[*a], body.balls[*b]);
        let radius = 0.5 * (r + s);
        let half = 0.5 * radius * radius * from.position(&rest).distance(to.position(&rest));
        points[*a].1 += half;
        points[*b].1 += half;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physical::PhysicalBody;
    use andante_dynamics::Kinematics;
    use andante_skeleton::humanoid_of_height;
    use std::sync::Arc;

    /// Against the model that is simulated, which adds up its links by itself. Its trunk is one piece, and arms that are shown
    /// hang on a spine that bends: some millimetres.
    #[test]
    fn the_centre_of_mass_of_what_is_shown_is_that_of_what_is_simulated() {
        for height in [1.2, 1.75, 2.0] {
            let human = humanoid_of_height(height);
            let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
            let points = MassPoints::new(&human, &PhysicalSettings::default());
            let walk = andante_motion::synth::clip(&human, "walk").unwrap().clip;
            let mut models = human.skeleton.rest_models();
            for frame in (0..walk.frame_count()).step_by(9) {
                human.skeleton.local_to_model(walk.frame(frame), &mut models);
                let mut kin = Kinematics::new(flesh.model());
                kin.set_positions(flesh.model(), &flesh.coordinates(&models));
                let links = flesh.model().links().iter().enumerate();
                let (sum, mass) = links.fold((Vec3::ZERO, 0.0), |(sum, mass), (link, own)| {
                    let at = kin.point(flesh.model(), link, own.centre);
                    let at = glam::DVec3::new(at.x, at.y, at.z).as_vec3();
                    (sum + own.mass as f32 * at, mass + own.mass as f32)
                });
                let found = points.centre(&models);
                assert!(found.distance(sum / mass) < 6e-3, "{found} {}", sum / mass);
            }
        }
    }

    #[test]
    fn creatures_have_a_centre_within_their_bones() {
        let dog = andante_body::creature("dog").unwrap();
        let puppet = andante_body::RigidPartsMesh::new(&dog).unwrap();
        let rig = andante_skeleton::Rig {
            hips: 0,
            spine: Vec::new(),
            head: None,
            feet: Vec::new(),
            arms: Vec::new(),
        };
        let dog = Character::new("dog", puppet.skeleton, rig);
        let models = dog.skeleton.rest_models();
        let centre = MassPoints::new(&dog, &PhysicalSettings::default()).centre(&models);
        let (low, high) = dog.skeleton.rest_bounds();
        assert!(centre.cmpge(low).all() && centre.cmple(high).all(), "{centre} {low} {high}");
    }
}
