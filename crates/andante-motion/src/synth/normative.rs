//! How the joints of a leg move over a gait cycle, in healthy adults.
//!
//! The tables are in [`GaitCurves`].
//!
//! They shape the swing of a leg, and the knee's course in stance decides the height of the body.
//! What the feet do on the ground follows from geometry.

use super::curve::Periodic;
use super::settings::{GaitCurves, SynthSettings};

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

impl LegCurves {
    /// Walking, with the excursion of the thigh and the flexion of the swinging knee as multiples
    /// of those at 1.3 m/s.
    pub fn walk(settings: &SynthSettings, thigh: f32, swing_knee: f32) -> Self {
        Self::new(settings, &settings.walk_curves, thigh, swing_knee)
    }

    /// Running, with multiples of those at 3 m/s.
    pub fn run(settings: &SynthSettings, thigh: f32, swing_knee: f32) -> Self {
        Self::new(settings, &settings.run_curves, thigh, swing_knee)
    }

    /// A leg that hangs in the air, in degrees.
    pub fn hanging(settings: &SynthSettings, thigh: f32, knee: f32, ankle: f32) -> Self {
        let toe_off = settings.walk_curves.toe_off;
        let (thigh, knee, ankle) = ([thigh; 20], [knee; 20], [ankle; 20]);
        let still = GaitCurves { toe_off, thigh, thigh_mean: 0.0, knee, ankle };
        Self::new(settings, &still, 1.0, 1.0)
    }

    fn new(
        settings: &SynthSettings,
        curves: &GaitCurves,
        thigh_scale: f32,
        knee_scale: f32,
    ) -> Self {
        let GaitCurves { toe_off, thigh, thigh_mean, knee, ankle } = curves;
        let thigh =
            thigh.map(|angle| (thigh_mean + (angle - thigh_mean) * thigh_scale).to_radians());
        let mut flexion = knee.map(|degrees| soft_knee(settings, degrees));
        for (index, angle) in flexion.iter_mut().enumerate() {
            if index as f32 / 20.0 > *toe_off {
                *angle *= knee_scale;
            }
        }
        Self {
            thigh: Periodic::through(&thigh),
            knee: Periodic::through(&flexion),
            ankle: Periodic::through(&ankle.map(f32::to_radians)),
            toe_off: *toe_off,
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
fn soft_knee(settings: &SynthSettings, degrees: f32) -> f32 {
    let (least, blend) = (settings.least_knee, settings.knee_blend);
    (0.5 * (degrees + least + libm::hypotf(degrees - least, blend))).to_radians()
}
