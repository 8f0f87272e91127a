//! How a mode moves, in closed form (M6).

/// A mass on a spring and a damper: one mode, seen alone. m·p̈ + d·ṗ + k·p = f.
///
/// W. T. Thomson, "Theory of Vibration with Applications", chapters 2 and 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// m, positive.
    pub mass: f64,
    /// d, not negative.
    pub damping: f64,
    /// k, positive.
    pub stiffness: f64,
}

/// Amplitude and its rate.
pub type State = [f64; 2];

impl From<&crate::VibrationMode> for Oscillator {
    fn from(mode: &crate::VibrationMode) -> Self {
        Self { mass: mode.mass, damping: mode.damping, stiffness: mode.stiffness }
    }
}

impl Oscillator {
    /// Natural frequency without damping, rad/s.
    pub fn omega(&self) -> f64 {
        (self.stiffness / self.mass).sqrt()
    }

    /// Damping as a part of what would just stop all vibration.
    pub fn damping_ratio(&self) -> f64 {
        self.damping / (2.0 * (self.stiffness * self.mass).sqrt())
    }

    /// The state `time` seconds after `start`, left alone.
    pub fn free(&self, start: State, time: f64) -> State {
        let (cosine, sine) = self.kernels(time);
        let [p, v] = start;
        let decay = 0.5 * self.damping / self.mass;
        let square = self.stiffness / self.mass;
        // p = C·p₀ + S·(v₀ + σ·p₀), where both kernels hold the decay e^(−σt).
        [cosine * p + sine * (v + decay * p), cosine * v - sine * (square * p + decay * v)]
    }

    /// Amplitude `time` seconds after an impulse, from rest.
    pub fn impulse(&self, impulse: f64, time: f64) -> f64 {
        if time <= 0.0 { 0.0 } else { self.free([0.0, impulse / self.mass], time)[0] }
    }

    /// The state `time` seconds after `start` under a constant force.
    pub fn pushed(&self, start: State, force: f64, time: f64) -> State {
        let held = force / self.stiffness;
        let [p, v] = self.free([start[0] - held, start[1]], time);
        [p + held, v]
    }

    /// Amplitude at a time after a force that acts from 0 to `duration`, from rest.
    pub fn pulse(&self, force: f64, duration: f64, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        let pushed = self.pushed([0.0; 2], force, time.min(duration));
        self.free(pushed, (time - duration).max(0.0))[0]
    }

    /// e^(−σt)·cos ω_d t and e^(−σt)·sin(ω_d t)/ω_d with σ = d/2m; hyperbolic beyond critical damping, and
    /// their common limit at it.
    fn kernels(&self, time: f64) -> (f64, f64) {
        let decay = 0.5 * self.damping / self.mass;
        let square = self.stiffness / self.mass - decay * decay;
        let scale = self.stiffness / self.mass;
        if square > 1e-12 * scale {
            let omega = square.sqrt();
            let envelope = libm::exp(-decay * time);
            (envelope * libm::cos(omega * time), envelope * libm::sin(omega * time) / omega)
        } else if square < -1e-12 * scale {
            let rate = (-square).sqrt();
            // Both exponents are negative: nothing overflows, however long it takes.
            let (slow, fast) =
                (libm::exp((rate - decay) * time), libm::exp(-(rate + decay) * time));
            (0.5 * (slow + fast), 0.5 * (slow - fast) / rate)
        } else {
            let envelope = libm::exp(-decay * time);
            (envelope, envelope * time)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillators() -> impl Iterator<Item = Oscillator> {
        // Free, light, critical and heavy damping.
        [0.0, 0.3, 4.0, 9.0]
            .map(|damping| Oscillator { mass: 1.0, damping, stiffness: 4.0 })
            .into_iter()
    }

    /// Runge-Kutta of fourth order, which knows nothing of exponentials.
    fn integrate(o: &Oscillator, mut state: State, force: impl Fn(f64) -> f64, time: f64) -> State {
        let steps = 20_000;
        let h = time / f64::from(steps);
        let rate =
            |[p, v]: State, t: f64| [v, (force(t) - o.damping * v - o.stiffness * p) / o.mass];
        let ahead = |[p, v]: State, [dp, dv]: State, h: f64| [p + h * dp, v + h * dv];
        for step in 0..steps {
            let t = f64::from(step) * h;
            let a = rate(state, t);
            let b = rate(ahead(state, a, 0.5 * h), t + 0.5 * h);
            let c = rate(ahead(state, b, 0.5 * h), t + 0.5 * h);
            let d = rate(ahead(state, c, h), t + h);
            for i in 0..2 {
                state[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
            }
        }
        state
    }

    #[test]
    fn closed_forms_agree_with_integration_for_every_damping() {
        for o in oscillators() {
            let exact = o.free([0.7, -1.3], 2.5);
            let stepped = integrate(&o, [0.7, -1.3], |_| 0.0, 2.5);
            assert!((exact[0] - stepped[0]).abs() < 1e-9 && (exact[1] - stepped[1]).abs() < 1e-9);
            // A pulse that starts and ends on a step.
            let pulsed = integrate(&o, [0.0; 2], |t| if t < 0.5 { 3.0 } else { 0.0 }, 2.0);
            assert!((o.pulse(3.0, 0.5, 2.0) - pulsed[0]).abs() < 1e-3, "{o:?}");
            let pushed = integrate(&o, [0.2, 0.1], |_| 3.0, 1.5);
            assert!((o.pushed([0.2, 0.1], 3.0, 1.5)[0] - pushed[0]).abs() < 1e-9);
        }
    }

    #[test]
    fn a_short_pulse_is_an_impulse() {
        for o in oscillators() {
            let (short, kick) = (o.pulse(2000.0, 1e-3, 0.8), o.impulse(2.0, 0.8));
            assert!((short - kick).abs() < 2e-3 * kick.abs().max(0.1), "{short} {kick}");
        }
    }

    #[test]
    fn heavy_damping_over_a_long_time_stays_finite() {
        let o = Oscillator { mass: 1e-6, damping: 1e3, stiffness: 1.0 };
        assert!(o.free([1.0, 1.0], 1e6).iter().all(|value| value.is_finite()));
    }
}
