//! When each leg is to be down.

use crate::problem::gait_setup::GaitSetup;
use crate::problem::pulse_controller::PulseController;

/// Landings of every foot over a whole cycle, and how long feet are to stay down: where all feet can touch the ground, stances of
/// different legs overlap as they like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LandingSchedule {
    period: f64,
    /// The part of the time between two landings that a foot can be asked to stay down.
    longest: f64,
    /// For each foot when it lands, and for how long it is to stay down.
    stances: Vec<Vec<[f64; 2]>>,
}

/// Where between two landings a leg is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegPhase {
    /// Seconds since the foot landed; negative up to the slack that was asked for.
    pub since: f64,
    /// Seconds for which it is to stay down.
    pub stance: f64,
    /// Seconds from this landing to the next one.
    pub stride: f64,
}

impl LegPhase {
    /// The part of the swing that is over; negative while the foot is to be down.
    pub(crate) fn swing(&self) -> f64 {
        (self.since - self.stance) / (self.stride - self.stance)
    }
}

impl LandingSchedule {
    /// When each leg of a candidate is to be down.
    pub(crate) fn new(setup: &GaitSetup, candidate: &PulseController) -> Self {
        let whole = setup.whole_cycle(candidate);
        let period = whole.length();
        let mut stances = vec![Vec::new(); setup.simulator.feet.len()];
        for (step, down, phase, from) in whole.phases() {
            let plan = &whole.steps[step];
            let least = (0.5 * phase.pulse)
                .max(setup.sketch.stance * plan.length())
                .max(setup.sketch.duty * period);
            for &foot in plan.feet.iter().filter(|_| down) {
                stances[foot].push([from, least]);
            }
        }
        Self { period, longest: setup.options.limits.longest_stance, stances }
    }

    /// Where a leg is at a time of the cycle; a landing counts from a little, the slack, before it. `None` for feet that never
    /// land.
    pub(crate) fn leg(&self, foot: usize, time: f64, slack: f64) -> Option<LegPhase> {
        let since = |landing: f64| (time + slack - landing).rem_euclid(self.period) - slack;
        let stances = self.stances.get(foot)?;
        let last = stances.iter().min_by(|a, b| since(a[0]).total_cmp(&since(b[0])))?;
        let ahead = |landing: f64| (landing - last[0]).rem_euclid(self.period);
        let others = stances.iter().map(|stance| ahead(stance[0])).filter(|ahead| *ahead > 0.0);
        let stride = others.fold(self.period, f64::min);
        let stance = last[1].min(self.longest * stride);
        Some(LegPhase { since: since(last[0]), stance, stride })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_swing_from_the_end_of_their_stance_to_their_next_landing() {
        let schedule = LandingSchedule {
            period: 1.0,
            longest: 0.95,
            stances: vec![vec![[0.2, 0.6]], vec![], vec![[0.1, 0.3], [0.6, 0.9]]],
        };
        let leg = |foot: usize, time: f64| schedule.leg(foot, time, 0.001);
        assert_eq!(leg(1, 0.3), None);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let phase = leg(0, 0.5).unwrap();
        assert!(close(phase.since, 0.3) && phase.swing() < 0.0);
        // From 0.8 round the end of the cycle to 0.2.
        assert!(close(leg(0, 0.8).unwrap().swing(), 0.0));
        assert!(close(leg(0, 0.0).unwrap().swing(), 0.5));
        assert!(close(leg(0, 0.1995).unwrap().since, -0.0005));
        assert!(close(leg(0, 0.19).unwrap().since, 0.99));
        // Who lands twice in a cycle swings twice, and is never asked to be down all the time.
        let twice = leg(2, 0.5).unwrap();
        assert!(close(twice.stride, 0.5) && close(twice.swing(), 0.5));
        assert!(close(leg(2, 0.7).unwrap().stance, 0.475));
    }
}
