//! What can be asked of a steady gait.

use super::SynthError;
use super::figure::BipedMeasures;

/// The mode of a gait: walking or running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GaitMode {
    /// Runs where walking is no longer usual: from a Froude number v²/(gL) of 0.5, which is 2.1 m/s
    /// for an adult.
    #[default]
    Auto,
    /// Walks, up to 2.4 m/s for an adult.
    Walk,
    /// Runs, from 1.8 m/s for an adult.
    Run,
}

/// A steady gait along an arc. Speeds are those of the character itself; their ranges are given for
/// an adult of 1.75 m and shrink with the square root of leg length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitRequest {
    /// Speed ahead in m/s (−1.6…7); negative walks backwards.
    pub speed: f32,
    /// Speed to the left in m/s (−1…1); negative steps to the right. Runners go straight.
    pub lateral: f32,
    /// Turn to the left in rad/s (−1.5…1.5); fast runners turn more slowly, lest they slip: the
    /// product of speed and turn rate stays below 3 m/s².
    pub turn_rate: f32,
    /// From upright (0) to sneaking with bent knees (1). Runners stay upright.
    pub crouch: f32,
    /// Walking or running.
    pub mode: GaitMode,
    /// Multiple of the usual arm swing (0…1.5): 0 lets the arms hang.
    pub arm_swing: f32,
}

impl GaitRequest {
    /// Straight ahead, upright, in the usual manner.
    pub fn ahead(speed: f32) -> Self {
        Self {
            speed,
            lateral: 0.0,
            turn_rate: 0.0,
            crouch: 0.0,
            mode: GaitMode::Auto,
            arm_swing: 1.0,
        }
    }

    /// The same motion with time running backwards: backward walking is close to reversed forward
    /// walking (D. A. Winter, N. Pluck and J. F. Yang 1989; A. Thorstensson 1986).
    pub(super) fn reversed(&self) -> Self {
        Self { speed: -self.speed, lateral: -self.lateral, turn_rate: -self.turn_rate, ..*self }
    }

    /// Refuses what no gait was made for.
    pub(super) fn check(&self, figure: &BipedMeasures) -> Result<(), SynthError> {
        let range = |what, value: f32, low: f32, high: f32| {
            // Written so that NaN is refused.
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(SynthError::Range { what, value, low, high })
            }
        };
        let fastest = figure.speed(match self.mode {
            GaitMode::Walk => 2.4,
            _ => 7.0,
        });
        let slowest = figure.speed(match self.mode {
            GaitMode::Run => 1.8,
            _ => -1.6,
        });
        range("a speed", self.speed, slowest, fastest)?;
        let aside = if self.runs(figure) { 0.0 } else { figure.speed(1.0) };
        range("a sideways speed", self.lateral, -aside, aside)?;
        let least = figure.speed(0.25);
        range("a speed in any direction", libm::hypotf(self.speed, self.lateral), least, fastest)?;
        let turning = figure.per_second(1.5).min(3.0 / self.speed.abs().max(1e-3));
        range("a turn rate", self.turn_rate, -turning, turning)?;
        range("a crouch", self.crouch, 0.0, if self.runs(figure) { 0.0 } else { 1.0 })?;
        range("an arm swing", self.arm_swing, 0.0, 1.5)
    }

    /// Whether it is a run.
    pub(super) fn runs(&self, figure: &BipedMeasures) -> bool {
        match self.mode {
            GaitMode::Walk => false,
            GaitMode::Run => true,
            GaitMode::Auto => figure.froude(self.speed) > 0.5,
        }
    }
}
