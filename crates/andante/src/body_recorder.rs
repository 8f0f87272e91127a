//! Takes of bodies of rigid segments: what forces do to them, and what their feet do.

use crate::failure::Failure;
use crate::take_output::TakeOutput;
use andante_body::{Body, BodyFoot, RigidPartsMesh, RigidPlacement};
use andante_dynamics::Simulation;
use andante_skeleton::Planar;
use andante_stage::PhysicalSettings;
use andante_take::{BodyFrame, TakeFile, TakeFileError, TakeHead, TakeRecorder, ground_around};
use glam::{DVec3, Vec3};
use std::path::Path;
use std::sync::Arc;

/// Records one body of rigid segments on level ground, frame after frame: its feet, and the torques of its joints where it
/// is simulated.
pub struct BodyRecorder {
    /// For curves, vectors and events of its one track.
    pub take: TakeRecorder,
    puppet: RigidPartsMesh,
    feet: Vec<BodyFoot>,
    /// Segments with joints whose torques are recorded.
    joints: Vec<usize>,
    /// Where it has been.
    span: [Vec3; 2],
}

/// The only track there is.
pub const BODY: usize = 0;

/// Steps of simulation per frame of a take of one body.
pub const PER_FRAME: u64 = 4;

/// A frame of a recorded body.
pub struct RecordedBody<'a> {
    pub placed: &'a [RigidPlacement],
    /// One value for each curve and vector.
    pub curves: &'a [f32],
    pub vectors: &'a [Vec3],
    pub stance: Stance<'a>,
}

/// The stance of the feet of a recorded body, and how it is known.
pub enum Stance<'a> {
    /// By the contacts of a simulation, whose torques are recorded as well.
    Simulated(&'a Simulation<f64>),
    /// Of each foot that counts, whether heel and toe are down.
    Known(&'a [[bool; 2]]),
}

impl BodyRecorder {
    /// Begins a take of a body, with torques or without.
    pub fn new(
        output: &TakeOutput,
        body: &Body,
        head: TakeHead,
        torques: bool,
    ) -> Result<Self, Failure> {
        let (character, puppet) = andante_gait::character(body)
            .map_err(|error| Failure::new(format!("{}: {error}", body.name())))?;
        let mut take = output.recorder(head)?;
        take.add_track(body.name(), &character, Some(Arc::new(puppet.skin.clone())));
        let segments = body.segments().iter().enumerate();
        let jointed = segments.filter(|(_, segment)| torques && segment.joint.is_some());
        let joints: Vec<usize> = jointed.map(|(index, _)| index).collect();
        joints.iter().for_each(|&index| take.torque(BODY, &body.segments()[index].name));
        let feet: Vec<BodyFoot> =
            body.feet().iter().filter(|foot| !foot.disregarded).cloned().collect();
        let span = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        Ok(Self { take, puppet, feet, joints, span })
    }

    /// The next frame.
    pub fn frame(&mut self, body: &RecordedBody) -> Result<(), Failure> {
        let placed = body.placed;
        for place in placed {
            let at = place.translation.as_vec3();
            self.span = [self.span[0].min(at), self.span[1].max(at)];
        }
        let pose = self.puppet.pose(placed);
        let (simulation, down) = match body.stance {
            Stance::Simulated(simulation) => (Some(simulation), self.standing(placed, simulation)),
            Stance::Known(down) => (None, down.to_vec()),
        };
        // Link by link it is segment by segment.
        let torque = |&link: &usize| simulation.map_or(0.0, |own| own.joint_torque(link) as f32);
        let torques: Vec<f32> = self.joints.iter().map(torque).collect();
        let frame = BodyFrame {
            pose: &pose,
            body: Planar::from_transform(&pose[0]),
            curves: body.curves,
            vectors: body.vectors,
            torques: &torques,
            physical: simulation.is_some(),
            down: &down,
        };
        for (foot, down) in down.iter().enumerate() {
            self.print(placed, foot, *down);
        }
        self.take.frame(BODY, &frame);
        self.take.end_frame().map_err(Self::fail)
    }

    /// Whether heel and toe of each foot are down: they are at the ground, and it carries the foot.
    fn standing(&self, placed: &[RigidPlacement], simulation: &Simulation<f64>) -> Vec<[bool; 2]> {
        let near = PhysicalSettings::default().down;
        let carried = |segment: usize| {
            simulation.contacts(0).any(|contact| contact.link == segment && contact.force.y > 0.0)
        };
        let foot = |foot: &BodyFoot| {
            let height = |point: DVec3| placed[foot.segment].transform_point(point).y;
            let down = carried(foot.segment);
            [foot.heel, foot.toe].map(|point| down && height(point) < near)
        };
        self.feet.iter().map(foot).collect()
    }

    /// Keeps where a foot stands: its toe is its ball and its tip.
    fn print(&mut self, placed: &[RigidPlacement], index: usize, down: [bool; 2]) {
        let foot = &self.feet[index];
        self.take.foot(BODY, index, down, || {
            let point = |at: DVec3| placed[foot.segment].transform_point(at).with_y(0.0).as_vec3();
            ([foot.heel, foot.toe, foot.toe].map(point), Vec3::Y)
        });
    }

    fn fail(error: TakeFileError) -> Failure {
        Failure::export(Path::new("take"), &error.into())
    }

    /// The take, complete, on ground around where the body has been.
    pub fn finish(mut self) -> Result<TakeFile, Failure> {
        self.take.head_mut().ground = vec![ground_around(self.span, 0.0, None)];
        self.take.into_file().map_err(Self::fail)
    }
}
