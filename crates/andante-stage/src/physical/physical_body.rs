//! The physical body of a character, and how poses of the one become poses of the other.
//!
//! Balance is kept by a body of eleven segments that stands with its arms down. It is made as large as the character: its
//! joints lie where the character's do, so a foot of the one is a foot of the other. What the body has no joints for, spine,
//! hands and toes, is shown as in standing.

use super::compliance::TouchedMass;
use super::mass_points::fit_options;
use crate::StageSettings;
use andante_body::{HumanFit, HumanFitError, Physique, PhysiqueError, fit_human};
use andante_dynamics::{Kinematics, Model, Vec3 as Vector};
use andante_skeleton::{BodyCapsules, Character, Transform, body_capsules};
use glam::{DQuat, DVec3};
use std::sync::Arc;
use thiserror::Error;

/// An error that keeps a character from being physical.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PhysicalBodyError {
    /// No body could be made for it.
    #[error(transparent)]
    Fit(#[from] HumanFitError),
    /// Nobody could balance it.
    #[error(transparent)]
    Physique(#[from] PhysiqueError),
}

/// A body, and which joints of a character its links are.
#[derive(Clone, Debug)]
pub(crate) struct PhysicalBody {
    pub physique: Physique,
    /// Which joints its links are.
    fit: HumanFit,
    hips: usize,
    /// For each joint the link it is, if any.
    links: Vec<Option<usize>>,
    /// What may be touched of it.
    pub capsules: BodyCapsules,
    /// What light touches have to move.
    pub touched: TouchedMass,
    /// Those of the stage it is on.
    pub settings: Arc<StageSettings>,
}

impl PhysicalBody {
    /// The body of a character that is built like a human.
    pub fn new(
        character: &Character,
        settings: Arc<StageSettings>,
    ) -> Result<Self, PhysicalBodyError> {
        let own = &settings.physical;
        let fit = fit_human(character, &fit_options(own))?;
        let physics = settings.physics.with_step(own.step);
        let physique = Physique::new(&fit.body, &fit.body.poses()[0], &physics)?;
        let mut links = vec![None; character.skeleton.len()];
        for (link, &joint) in fit.joints.iter().enumerate() {
            links[joint] = Some(link);
        }
        let (hips, touched) =
            (character.rig.hips, TouchedMass::new(&physique, &fit.joints, character));
        let capsules = body_capsules(&character.skeleton);
        Ok(Self { physique, fit, hips, links, capsules, touched, settings })
    }

    /// The link that carries a joint.
    pub fn link_of(&self, character: &Character, joint: usize) -> usize {
        character.skeleton.ancestors(joint).find_map(|own| self.links[own]).unwrap_or(0)
    }

    /// The coordinates of the body when the joints are placed so.
    pub fn coordinates(&self, models: &[Transform]) -> Vec<f64> {
        self.fit.coordinates(self.model(), models)
    }

    /// The pose of the character when the links are placed so; what has no link is as in `others`. The root's translation is
    /// where the hips are.
    pub fn write_pose(
        &self,
        character: &Character,
        kin: &Kinematics<f64>,
        others: &[Transform],
        pose: &mut [Transform],
    ) {
        let (skeleton, model) = (&character.skeleton, &*self.physique.model);
        pose.copy_from_slice(others);
        let at =
            kin.position(model, self.fit.joints.iter().position(|&j| j == self.hips).unwrap_or(0));
        let hips =
            Transform::new(self.rotation(kin, 0), glam::DVec3::new(at.x, at.y, at.z).as_vec3());
        // Whatever is above the hips is moved so that they are where they are.
        let above = skeleton.ancestors(self.hips).skip(1);
        let chain = above.fold(Transform::IDENTITY, |chain, joint| others[joint] * chain);
        if self.hips == 0 {
            pose[0] = hips;
        } else {
            let root = hips * (chain * others[self.hips]).inverse() * others[0];
            pose[0] = root;
        }
        let mut turned = vec![glam::Quat::IDENTITY; skeleton.len()];
        for joint in 0..skeleton.len() {
            let parent = skeleton.parent(joint).map(|parent| turned[parent]);
            let own = match (self.links[joint], parent) {
                (Some(link), Some(parent)) => {
                    let own = self.rotation(kin, link);
                    pose[joint].rotation = (parent.conjugate() * own).normalize();
                    own
                }
                (_, Some(parent)) => (parent * pose[joint].rotation).normalize(),
                (_, None) => pose[joint].rotation,
            };
            turned[joint] = own;
        }
    }

    /// How a link's joint is turned.
    fn rotation(&self, kin: &Kinematics<f64>, link: usize) -> glam::Quat {
        let m = kin.rotation(link);
        let [x, y, z] = [m.x, m.y, m.z].map(|v| DVec3::new(v.x, v.y, v.z));
        let own = DQuat::from_mat3(&glam::DMat3::from_cols(x, y, z));
        (own * self.fit.turns[link].conjugate()).normalize().as_quat()
    }

    /// Links that hang on others by joints, and the joints of the character they are.
    pub fn jointed(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let links = self.model().links().iter().zip(&self.fit.joints).enumerate();
        links
            .filter(|(_, (link, _))| link.parent.is_some())
            .map(|(link, (_, &joint))| (link, joint))
    }

    pub fn model(&self) -> &Model {
        &self.physique.model
    }
}

/// A vector of the simulation.
pub(crate) fn vector(v: glam::Vec3) -> Vector<f64> {
    Vector { x: f64::from(v.x), y: f64::from(v.y), z: f64::from(v.z) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_body::{BalanceOptions, Push, WalkCycle, try_pushes};
    use andante_skeleton::{humanoid, humanoid_of_height};

    #[test]
    fn a_pose_that_becomes_coordinates_becomes_the_pose_again() {
        let human = humanoid();
        let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
        let walk = andante_motion::synth::clip(&human, "walk").unwrap().clip;
        let mut models = human.skeleton.rest_models();
        for frame in (0..walk.frame_count()).step_by(7) {
            human.skeleton.local_to_model(walk.frame(frame), &mut models);
            let q = flesh.coordinates(&models);
            let mut kin = Kinematics::new(flesh.model());
            kin.set_positions(flesh.model(), &q);
            let mut pose = walk.frame(0).to_vec();
            flesh.write_pose(&human, &kin, walk.frame(frame), &mut pose);
            let mut back = models.clone();
            human.skeleton.local_to_model(&pose, &mut back);
            for (joint, (a, b)) in models.iter().zip(&back).enumerate() {
                let name = &human.skeleton.joint(joint).name;
                assert!(a.translation.distance(b.translation) < 2e-3, "{name} {a:?} {b:?}");
                assert!(a.rotation.angle_between(b.rotation) < 2e-3, "{name}");
            }
        }
    }

    #[test]
    fn soles_of_body_and_character_are_one() {
        for height in [1.2, 1.75, 2.0] {
            let human = humanoid_of_height(height);
            let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
            let mut kin = Kinematics::new(flesh.model());
            kin.set_positions(flesh.model(), &flesh.coordinates(&human.skeleton.rest_models()));
            for sole in &flesh.physique.soles {
                for corner in sole.edges() {
                    let at = kin.point(flesh.model(), sole.link, corner);
                    assert!(at.y.abs() < 1e-4, "{height}: {at:?}");
                }
            }
        }
    }

    #[test]
    fn bodies_of_any_height_recover_from_pushes_and_can_walk() {
        for height in [1.6, 1.75, 1.9] {
            let flesh = PhysicalBody::new(&humanoid_of_height(height), Arc::default()).unwrap();
            let pushes = Push::random(16, 40.0, 3);
            let options = BalanceOptions::default();
            let outcomes = try_pushes(&flesh.physique, options, &pushes, 1.0 / 240.0).unwrap();
            let good = outcomes.iter().filter(|outcome| outcome.recovered).count();
            assert!(good >= 15, "{height}: {good} of 16");
            assert!(WalkCycle::built_in(&flesh.physique, 1.3).is_ok(), "{height}");
        }
    }

    #[test]
    fn who_is_not_built_like_a_human_is_told_what_is_missing() {
        let mut nobody = humanoid();
        nobody.rig.arms.pop();
        let error = PhysicalBody::new(&nobody, Arc::default()).unwrap_err().to_string();
        assert_eq!(error, "a physical character needs two arms with hands");
        nobody.rig.feet.pop();
        let error = PhysicalBody::new(&nobody, Arc::default()).unwrap_err().to_string();
        assert_eq!(error, "a physical character needs two legs of thigh, shank and foot");
    }
}
