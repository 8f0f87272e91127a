//! How a walk or a run is kept up.

use super::cycle::WalkCycle;
use crate::control::whole_body::Weights;

/// How a walk is kept up. The defaults suit a human.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkOptions {
    /// How fast the capture point is drawn to where the walk has it, 1/s.
    pub centring: f64,
    /// How fast angular momentum comes to the walk's, 1/s.
    pub spin_decay: f64,
    /// Stiffness of height, 1/s²; critically damped.
    pub height_stiffness: f64,
    /// Stiffness of the trunk's attitude, 1/s²; critically damped.
    pub trunk_stiffness: f64,
    /// Stiffness of a swinging foot's way, 1/s²; critically damped.
    pub swing_stiffness: f64,
    /// Part of the capture point's error at the next strike that the foot makes up for.
    pub placement: f64,
    /// How far a foot may land before or behind where the walk has it, m.
    pub reach: f64,
    /// How far it may land farther out, m.
    pub aside: f64,
    /// Least distance of the feet across the body, m.
    pub apart: f64,
    /// How far beyond the feet hips and arms may bring the effective pressure, m.
    pub hip_reach: f64,
    /// Largest rate of angular momentum that is asked for, N·m.
    pub moment: f64,
    /// What a step that is a tenth quicker than usual is worth, as a foot's way aside, m.
    pub haste: f64,
    /// Quickest pace of a step that is in a hurry, against the usual one.
    pub hurry: f64,
    /// How fast it turns to its goal, rad/s.
    pub turn: f64,
    /// What matters against what.
    pub weights: Weights,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions {
            centring: 1.8,
            spin_decay: 7.1,
            height_stiffness: 49.0,
            trunk_stiffness: 180.0,
            swing_stiffness: 650.0,
            placement: 1.27,
            reach: 0.32,
            aside: 0.35,
            apart: 0.044,
            hip_reach: 0.008,
            moment: 100.0,
            haste: 0.029,
            hurry: 1.88,
            turn: 0.2,
            weights: Weights {
                moment: 1.6,
                dynamics: 23.0,
                feet: 5.4e4,
                swing: 1e4,
                torso: 19.0,
                legs: 2.4,
                posture: 9.3,
                posture_stiffness: 210.0,
                limits: 30.0,
                damping: 0.02,
                sweeps: 30,
            },
        }
    }
}

impl WalkOptions {
    /// For a run of a human.
    pub fn run() -> Self {
        let walk = WalkOptions::default();
        WalkOptions {
            centring: 1.54,
            spin_decay: 8.47,
            height_stiffness: 145.0,
            trunk_stiffness: 206.0,
            swing_stiffness: 326.0,
            placement: 0.819,
            reach: 0.543,
            aside: 0.35,
            apart: 0.00588,
            hip_reach: 0.0352,
            moment: 164.0,
            weights: Weights {
                moment: 12.8,
                dynamics: 18.8,
                swing: 5732.0,
                torso: 5.01,
                legs: 5.27,
                posture: 7.62,
                posture_stiffness: 283.0,
                ..walk.weights
            },
            ..walk
        }
    }

    /// The defaults that suit a cycle.
    pub fn of(cycle: &WalkCycle) -> Self {
        if cycle.flies { Self::run() } else { Self::default() }
    }
}
