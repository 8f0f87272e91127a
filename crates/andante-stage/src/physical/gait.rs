//! Walks of a body that are known, and where in them a body is.

use super::flesh::PhysicalBody;
use andante_body::{Ladder, WalkCycle, difference};
use andante_dynamics::{JointState, Vec3 as Vector};
use std::sync::Arc;

/// A walk of a body, and poses of it to find one's place in it.
#[derive(Debug)]
pub(crate) struct PhysicalGait {
    pub cycle: WalkCycle,
    /// Coordinates at phases that divide the cycle evenly.
    poses: Vec<Vec<f64>>,
}

/// Phases of a cycle that are compared.
const PHASES: usize = 60;

impl PhysicalGait {
    fn new(flesh: &PhysicalBody, speed: f32) -> Option<Self> {
        let physique = &flesh.physique;
        let cycle = WalkCycle::built_in(physique, f64::from(speed)).ok()?;
        let mut own = cycle.clone();
        let mut reference = cycle.reference(physique);
        let poses = (0..PHASES).map(|index| {
            own.at(physique, index as f64 / PHASES as f64, 1.0, &mut reference);
            reference.q.clone()
        });
        Some(Self { poses: poses.collect(), cycle })
    }

    /// The phase at which the walk is most like a body, and how far the body is from where the walk has it then.
    pub fn fit(&self, flesh: &PhysicalBody, state: &JointState<f64>) -> (f64, Vector<f64>) {
        let physique = &flesh.physique;
        let mut apart = vec![0.0; physique.model.freedoms()];
        let mut best = (f64::INFINITY, 0);
        for (index, pose) in self.poses.iter().enumerate() {
            difference(physique, &state.q, pose, 1.0, &mut apart);
            let cost: f64 = physique.legs.iter().map(|&k| apart[k] * apart[k]).sum();
            if cost < best.0 {
                best = (cost, index);
            }
        }
        let phase = best.1 as f64 / PHASES as f64;
        // Where the standing foot is decides where the walk is.
        let mut kin = andante_dynamics::Kinematics::new(&physique.model);
        let since = [0, 1].map(|f: usize| (phase - self.cycle.standing[f].strike).rem_euclid(1.0));
        let lead = usize::from(since[1] < since[0]);
        kin.set_positions(&physique.model, &self.poses[best.1]);
        let wanted = physique.sole_at(&kin, lead);
        kin.set_positions(&physique.model, &state.q);
        (phase, physique.sole_at(&kin, lead) - wanted)
    }
}

/// Walks that have been made, by speed in tenths of a metre per second.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cycles {
    gaits: Vec<(i32, Option<Arc<PhysicalGait>>)>,
    ladders: Vec<(i32, Option<Arc<Ladder>>)>,
}

impl Cycles {
    pub fn of(&mut self, flesh: &PhysicalBody, speed: f32) -> Option<Arc<PhysicalGait>> {
        let key = (speed * 10.0).round() as i32;
        if let Some((_, gait)) = self.gaits.iter().find(|(own, _)| *own == key) {
            return gait.clone();
        }
        let gait = PhysicalGait::new(flesh, key as f32 / 10.0).map(Arc::new);
        self.gaits.push((key, gait.clone()));
        gait
    }

    /// The walks up to a speed.
    pub fn ladder(&mut self, flesh: &PhysicalBody, speed: f32) -> Option<Arc<Ladder>> {
        let settings = &flesh.settings.torque_walk;
        let speed = speed.clamp(settings.slowest_start, settings.fastest_kept);
        let key = (speed * 10.0).round() as i32;
        if let Some((_, ladder)) = self.ladders.iter().find(|(own, _)| *own == key) {
            return ladder.clone();
        }
        let made = Ladder::built_in(&flesh.physique, f64::from(key) / 10.0).ok().map(Arc::new);
        self.ladders.push((key, made.clone()));
        made
    }
}
