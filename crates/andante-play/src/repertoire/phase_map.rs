//! Where in its cycle a gait is at a time, and the other way round.

/// Steps of the phase over a cycle at which clips and maps are sampled: about the frame rate of
/// capture for a walk, more for a run.
pub const PHASES: usize = 64;

/// The time at every phase of a cycle: a table that rises strictly from 0 to the period.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseMap {
    seconds: Vec<f32>,
}

impl PhaseMap {
    /// Phase in proportion to time.
    pub fn linear(period: f32) -> Self {
        let step = period.max(1e-3) / PHASES as f32;
        Self { seconds: (0..=PHASES).map(|k| k as f32 * step).collect() }
    }

    /// A smooth map through events given as (phase, part of the period), both from 0 and below 1
    /// and rising; the first must be (0, 0). Between events it is a monotone cubic (F. Fritsch and R.
    /// Carlson 1980), periodic in its slope, so that neither time nor cadence jumps.
    pub fn through(events: &[(f32, f32)], period: f32) -> Self {
        let count = events.len();
        let knot = |index: usize| {
            let (phase, part) = events[index % count];
            let rounds = (index / count) as f32;
            (phase + rounds, part + rounds)
        };
        let secant = |index: usize| {
            let ((a, x), (b, y)) = (knot(index), knot(index + 1));
            (y - x) / (b - a)
        };
        // Slopes at the knots: harmonic mean of the secants before and after, which never overshoots.
        let slope = |index: usize| {
            let (before, after) = (secant(index + count - 1), secant(index));
            2.0 * before * after / (before + after)
        };
        let part = |phase: f32| {
            let index = (0..count).rev().find(|&i| knot(i).0 <= phase).unwrap_or(0);
            let ((a, x), (b, y)) = (knot(index), knot(index + 1));
            let width = b - a;
            let t = (phase - a) / width;
            let (m0, m1) = (slope(index) * width, slope((index + 1) % count) * width);
            let (tt, ttt) = (t * t, t * t * t);
            x + (y - x) * (3.0 * tt - 2.0 * ttt) + m0 * (ttt - 2.0 * tt + t) + m1 * (ttt - tt)
        };
        let mut seconds: Vec<f32> =
            (0..PHASES).map(|k| part(k as f32 / PHASES as f32) * period).collect();
        seconds.push(period);
        seconds[0] = 0.0;
        Self { seconds }
    }

    /// From a table as [`PhaseMap::table`] gives it; `None` if it does not rise from 0.
    pub fn from_table(seconds: Vec<f32>) -> Option<Self> {
        let rises = seconds.windows(2).all(|pair| pair[0] < pair[1]);
        let whole = seconds.len() == PHASES + 1 && seconds[0] == 0.0;
        (whole && rises && seconds.iter().all(|s| s.is_finite())).then_some(Self { seconds })
    }

    /// The time in seconds at each of the [`PHASES`] + 1 equidistant phases.
    pub fn table(&self) -> &[f32] {
        &self.seconds
    }

    /// Seconds a cycle lasts.
    #[inline]
    pub fn period(&self) -> f32 {
        self.seconds[PHASES]
    }

    /// The time at a phase; rounds go on.
    #[inline]
    pub fn seconds(&self, phase: f32) -> f32 {
        let rounds = phase.floor();
        let at = (phase - rounds) * PHASES as f32;
        let index = (at as usize).min(PHASES - 1);
        let (a, b) = (self.seconds[index], self.seconds[index + 1]);
        rounds * self.period() + a + (b - a) * (at - index as f32)
    }

    /// Seconds per phase, at a phase: a period on average, more where the phase goes slowly.
    #[inline]
    pub fn slope(&self, phase: f32) -> f32 {
        let at = (phase - phase.floor()) * PHASES as f32;
        let index = (at as usize).min(PHASES - 1);
        (self.seconds[index + 1] - self.seconds[index]) * PHASES as f32
    }

    /// The phase at a time; rounds go on.
    pub fn phase(&self, seconds: f32) -> f32 {
        let rounds = (seconds / self.period()).floor();
        let within = (seconds - rounds * self.period()).clamp(0.0, self.period());
        let above = self.seconds.partition_point(|s| *s <= within).clamp(1, PHASES);
        let (a, b) = (self.seconds[above - 1], self.seconds[above]);
        rounds + ((above - 1) as f32 + (within - a) / (b - a)) / PHASES as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_map_passes_its_events_and_rises_between_them(
            gaps in proptest::collection::vec((0.5f32..2.0, 0.5f32..2.0), 1..9),
            period in 0.3f32..2.0,
            probe in -2.0f32..3.0,
        ) {
            let sum = gaps.iter().fold((0.0, 0.0), |sum, gap| (sum.0 + gap.0, sum.1 + gap.1));
            let mut events = vec![(0.0, 0.0)];
            for gap in &gaps[..gaps.len() - 1] {
                let (phase, part) = events[events.len() - 1];
                events.push((phase + gap.0 / sum.0, part + gap.1 / sum.1));
            }
            let map = PhaseMap::through(&events, period);
            prop_assert!(PhaseMap::from_table(map.table().to_vec()).is_some());
            for (phase, part) in events {
                // The table is linear between its entries.
                prop_assert!((map.seconds(phase) / period - part).abs() < 0.01);
            }
            prop_assert!((map.phase(map.seconds(probe)) - probe).abs() < 1e-3);
            prop_assert!((map.seconds(probe + 1.0) - map.seconds(probe) - period).abs() < 1e-4);
        }
    }

    #[test]
    fn one_event_gives_phase_in_proportion_to_time() {
        let (map, linear) = (PhaseMap::through(&[(0.0, 0.0)], 1.2), PhaseMap::linear(1.2));
        for k in 0..40 {
            let phase = k as f32 * 0.037;
            assert!((map.seconds(phase) - linear.seconds(phase)).abs() < 1e-5);
            assert!((map.slope(phase) - 1.2).abs() < 1e-3);
        }
    }

    #[test]
    fn tables_that_do_not_rise_are_refused() {
        let good = PhaseMap::linear(1.0).table().to_vec();
        assert!(PhaseMap::from_table(good.clone()).is_some());
        for (index, value) in [(0, 0.1), (5, 0.0), (9, f32::NAN), (PHASES, 0.5)] {
            let mut bad = good.clone();
            bad[index] = value;
            assert!(PhaseMap::from_table(bad).is_none());
        }
        assert!(PhaseMap::from_table(vec![0.0, 1.0]).is_none());
    }
}
