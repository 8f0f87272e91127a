//! How the joints of a leg move over a gait cycle, in healthy adults.
//!
//! The curves are drawn after the published means: walking after D. A. Winter, "The Biomechanics and
//! Motor Control of Human Gait" (1991), and J. Perry and J. Burnfield, "Gait Analysis" (2010), running
//! after T. F. Novacheck, "The biomechanics of running", Gait & Posture 7 (1998). Twenty samples a
//! cycle from foot strike to foot strike, in degrees; the thigh against the vertical, forward
//! positive; knee flexion; ankle dorsiflexion.
//!
//! They shape the swing of a leg, and the knee's course in stance decides the height of the body.
//! What the feet do on the ground follows from geometry.

use super::curve::Periodic;

/// The sagittal angles of a leg, in radians, at a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NormativeLegAngles {
    pub thigh: f32,
    pub knee: f32,
    pub ankle: f32,
}

/// Curves of one leg over a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LegCurves {
    thigh: Periodic,
    knee: Periodic,
    ankle: Periodic,
    /// The phase at which the foot leaves the ground in the tables.
    toe_off: f32,
}

const WALK_TOE_OFF: f32 = 0.595;
const WALK_THIGH: [f32; 20] = [
    24.0, 22.5, 20.0, 16.5, 12.0, 7.0, 1.5, -4.0, -9.5, -14.5, -18.0, -18.0, -12.0, -2.0, 8.0,
    17.0, 23.5, 27.0, 28.0, 27.0,
];
const WALK_KNEE: [f32; 20] = [
    5.0, 11.0, 16.0, 18.0, 16.0, 12.5, 9.0, 6.5, 5.0, 6.0, 10.0, 20.0, 35.0, 50.0, 59.0, 60.0,
    52.0, 38.0, 20.0, 7.0,
];
const WALK_ANKLE: [f32; 20] = [
    1.0, -4.0, -4.0, 0.0, 3.5, 6.0, 8.0, 9.5, 10.5, 10.5, 7.0, -2.0, -13.0, -17.0, -10.0, -2.0,
    2.0, 3.0, 3.0, 2.0,
];

const RUN_TOE_OFF: f32 = 0.40;
const RUN_THIGH: [f32; 20] = [
    26.0, 22.0, 18.0, 12.0, 5.0, -4.0, -13.0, -20.0, -23.0, -21.0, -14.0, -4.0, 8.0, 19.0, 28.0,
    35.0, 38.0, 38.0, 35.5, 31.0,
];
const RUN_KNEE: [f32; 20] = [
    19.0, 28.0, 38.0, 43.0, 42.0, 36.0, 27.0, 19.0, 18.0, 28.0, 45.0, 62.0, 77.0, 86.0, 89.0, 86.0,
    76.0, 59.0, 40.0, 25.0,
];
const RUN_ANKLE: [f32; 20] = [
    4.0, 8.0, 14.0, 18.0, 18.0, 14.0, 5.0, -8.0, -20.0, -22.0, -15.0, -8.0, -4.0, 0.0, 4.0, 7.0,
    9.0, 10.0, 8.0, 5.0,
];

impl LegCurves {
    /// Walking, with the excursion of the thigh and the flexion of the swinging knee as multiples
    /// of those at 1.3 m/s.
    pub fn walk(thigh: f32, swing_knee: f32) -> Self {
        let tables = [&WALK_THIGH, &WALK_KNEE, &WALK_ANKLE];
        Self::new(tables, WALK_TOE_OFF, 5.4, thigh, swing_knee)
    }

    /// Running, with multiples of those at 3 m/s.
    pub fn run(thigh: f32, swing_knee: f32) -> Self {
        let tables = [&RUN_THIGH, &RUN_KNEE, &RUN_ANKLE];
        Self::new(tables, RUN_TOE_OFF, 7.0, thigh, swing_knee)
    }

    /// A leg that hangs in the air, in degrees.
    pub fn hanging(thigh: f32, knee: f32, ankle: f32) -> Self {
        let tables = [&[thigh; 20], &[knee; 20], &[ankle; 20]];
        Self::new(tables, WALK_TOE_OFF, 0.0, 1.0, 1.0)
    }

    fn new(
        [thigh, knee, ankle]: [&[f32; 20]; 3],
        toe_off: f32,
        thigh_mean: f32,
        thigh_scale: f32,
        knee_scale: f32,
    ) -> Self {
        let thigh =
            thigh.map(|angle| (thigh_mean + (angle - thigh_mean) * thigh_scale).to_radians());
        let mut flexion = knee.map(soft_knee);
        for (index, angle) in flexion.iter_mut().enumerate() {
            if index as f32 / 20.0 > toe_off {
                *angle *= knee_scale;
            }
        }
        Self {
            thigh: Periodic::through(&thigh),
            knee: Periodic::through(&flexion),
            ankle: Periodic::through(&ankle.map(f32::to_radians)),
            toe_off,
        }
    }

    /// The angles of a swinging leg, from 0 when the foot leaves the ground to 1 when it strikes.
    pub fn swing(&self, u: f32) -> NormativeLegAngles {
        self.at(self.toe_off + u * (1.0 - self.toe_off))
    }

    /// The flexion of the knee of a standing leg, from 0 at foot strike to 1 at toe off.
    pub fn stance_knee(&self, u: f32) -> f32 {
        self.knee.at(u * self.toe_off)
    }

    fn at(&self, phase: f32) -> NormativeLegAngles {
        NormativeLegAngles {
            thigh: self.thigh.at(phase),
            knee: self.knee.at(phase),
            ankle: self.ankle.at(phase),
        }
    }
}

/// Flexion in radians for one in degrees: smoothly kept above the angle at which a leg counts as
/// stretched, because a straighter knee would snap.
fn soft_knee(degrees: f32) -> f32 {
    const LEAST: f32 = 7.9;
    const BLEND: f32 = 4.4;
    (0.5 * (degrees + LEAST + (degrees - LEAST).hypot(BLEND))).to_radians()
}
