//! Gradient descent on a weighted sum of terms.

mod chain;
mod terms;

pub use chain::{ChainDescent, ChainDescentOptions, DescentTerms, Freedom};

/// One term of an objective `F(x) = Σ w·f(x)`. Terms share what they depend on beside `x` through `data`.
pub trait Term<D: ?Sized> {
    /// The weight w.
    fn weight(&self) -> f32;

    /// The value f(x), without its weight.
    fn value(&self, x: &[f32], data: &D) -> f32;

    /// Adds `weight · ∂f/∂x` to `gradient`.
    fn add_gradient(&self, x: &[f32], data: &D, weight: f32, gradient: &mut [f32]);
}

/// The rule by which a step is made from the gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DescentMode {
    /// `x := x − λ∇F`.
    Regular,
    /// `G := αG + (1−α)∇F`, `x := x − λG`. The first step is a regular one.
    Momentum {
        /// How much of the direction before is kept (0…1; 0.8 in the source).
        alpha: f32,
    },
}

andante_skeleton::settings! {
    /// Options of [`GradientDescent`]. The defaults are those of the source (terrain-ik 9 and 17).
    pub struct DescentOptions: Copy {
        /// Step length λ. Too long diverges, too short creeps.
        rate: f32 = 0.01, 1e-6..=10.0;
        /// Most steps.
        max_iterations: usize = 300;
        /// The descent ends when no variable moves by more than this.
        target_delta: f32 = 1e-3, 0.0..;
        /// Plain or with momentum.
        mode: DescentMode = DescentMode::Regular;
        /// Largest growth of a component of the gradient from step to step; larger ones are cut off.
        /// Infinity never cuts.
        soft_clip: f32 = 10.0, 0.0..;
    }
}

/// The report of a descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescentReport {
    /// Whether the descent ended because nothing moved any more.
    pub converged: bool,
    /// Steps made.
    pub iterations: usize,
}

/// The engine: owns its buffers, knows nothing about what it minimises.
///
/// ```
/// use andante_ik::{DescentOptions, GradientDescent, Term};
///
/// /// The squared distance from a point.
/// struct Near([f32; 2]);
/// impl Term<()> for Near {
///     fn weight(&self) -> f32 {
///         3.0
///     }
///     fn value(&self, x: &[f32], _: &()) -> f32 {
///         x.iter().zip(self.0).map(|(x, p)| (x - p).powi(2)).sum()
///     }
///     fn add_gradient(&self, x: &[f32], _: &(), weight: f32, gradient: &mut [f32]) {
///         for ((sum, x), p) in gradient.iter_mut().zip(x).zip(self.0) {
///             *sum += weight * 2.0 * (x - p);
///         }
///     }
/// }
///
/// let mut descent = GradientDescent::new(2, DescentOptions { target_delta: 1e-6, ..Default::default() });
/// let mut x = [0.0, 0.0];
/// let report = descent.minimise(&mut x, &mut (), &[&Near([1.0, -2.0])], |_, _, _| {});
/// assert!(report.converged && (x[1] + 2.0).abs() < 1e-4);
/// ```
#[derive(Clone, Debug)]
pub struct GradientDescent {
    options: DescentOptions,
    gradient: Vec<f32>,
    /// What was last subtracted, before the rate: the gradient, or with momentum its average.
    raw: Vec<f32>,
}

impl GradientDescent {
    /// For `variables` variables.
    pub fn new(variables: usize, options: DescentOptions) -> Self {
        Self { options, gradient: vec![0.0; variables], raw: vec![0.0; variables] }
    }

    /// The options of the descent.
    pub fn options(&self) -> &DescentOptions {
        &self.options
    }

    /// Descends from `x` to a minimum of the terms' weighted sum.
    ///
    /// After every step `hook(x, data, raw)` may change the variables (limits), bring data up to date and
    /// damp `raw`, which is the gradient just used or, with momentum, the average that the next
    /// step starts from.
    ///
    /// Descends over as many variables as both `x` and the engine have.
    pub fn minimise<D: ?Sized>(
        &mut self,
        x: &mut [f32],
        data: &mut D,
        terms: &[&dyn Term<D>],
        mut hook: impl FnMut(&mut [f32], &mut D, &mut [f32]),
    ) -> DescentReport {
        let count = x.len().min(self.raw.len());
        let (x, options) = (&mut x[..count], self.options);
        let mut report = DescentReport { converged: false, iterations: 0 };
        while report.iterations < options.max_iterations && !report.converged {
            let gradient = &mut self.gradient[..count];
            gradient.fill(0.0);
            for term in terms {
                term.add_gradient(x, data, term.weight(), gradient);
            }
            if !gradient.iter().all(|slope| slope.is_finite()) {
                // Nobody comes nearer to what is too far away to be squared.
                break;
            }
            let first = report.iterations == 0;
            for (raw, slope) in self.raw.iter_mut().zip(gradient.iter()) {
                let most = options.soft_clip * raw.abs();
                let slope = if first { *slope } else { slope.clamp(-most, most) };
                *raw = match options.mode {
                    DescentMode::Momentum { alpha } if !first => {
                        alpha * *raw + (1.0 - alpha) * slope
                    }
                    _ => slope,
                };
            }
            for (x, raw) in x.iter_mut().zip(&self.raw) {
                *x -= options.rate * raw;
            }
            hook(x, data, &mut self.raw[..count]);
            report.iterations += 1;
            let raw = &self.raw[..count];
            report.converged =
                raw.iter().all(|raw| (options.rate * raw).abs() < options.target_delta);
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// f = Σ kᵢ (xᵢ − pᵢ)².
    struct Bowl {
        weight: f32,
        stiffness: Vec<f32>,
        lowest: Vec<f32>,
    }

    impl Term<()> for Bowl {
        fn weight(&self) -> f32 {
            self.weight
        }
        fn value(&self, x: &[f32], _: &()) -> f32 {
            let away = x.iter().zip(&self.lowest).map(|(x, p)| (x - p).powi(2));
            away.zip(&self.stiffness).map(|(d, k)| k * d).sum()
        }
        fn add_gradient(&self, x: &[f32], _: &(), weight: f32, gradient: &mut [f32]) {
            for (k, sum) in gradient.iter_mut().enumerate() {
                *sum += weight * 2.0 * self.stiffness[k] * (x[k] - self.lowest[k]);
            }
        }
    }

    fn bowls() -> [Bowl; 2] {
        let bowl = |weight, lowest: [f32; 2]| Bowl {
            weight,
            stiffness: vec![1.0, 2.0],
            lowest: lowest.to_vec(),
        };
        [bowl(1.0, [0.0, 0.0]), bowl(3.0, [4.0, -4.0])]
    }

    fn descend(options: DescentOptions) -> (DescentReport, [f32; 2]) {
        let [a, b] = bowls();
        let mut x = [10.0, 10.0];
        let report =
            GradientDescent::new(2, options).minimise(&mut x, &mut (), &[&a, &b], |_, _, _| {});
        (report, x)
    }

    #[test]
    fn both_modes_find_the_weighted_mean() {
        for mode in [DescentMode::Regular, DescentMode::Momentum { alpha: 0.8 }] {
            let options = DescentOptions {
                mode,
                target_delta: 1e-6,
                max_iterations: 2000,
                ..Default::default()
            };
            let (report, x) = descend(options);
            assert!(report.converged, "{report:?}");
            assert!((x[0] - 3.0).abs() < 1e-3 && (x[1] + 3.0).abs() < 1e-3, "{x:?}");
        }
    }

    #[test]
    fn a_regular_step_is_the_rate_times_the_gradient() {
        let (report, x) = descend(DescentOptions { max_iterations: 1, ..Default::default() });
        // ∂F/∂x₀ = 2·10 + 3·2·6 = 56; ∂F/∂x₁ = 2·2·10 + 3·2·2·14 = 208.
        assert_eq!(report, DescentReport { converged: false, iterations: 1 });
        assert!((x[0] - (10.0 - 0.56)).abs() < 1e-5 && (x[1] - (10.0 - 2.08)).abs() < 1e-5);
    }

    #[test]
    fn momentum_averages_gradients() {
        let mode = DescentMode::Momentum { alpha: 0.8 };
        let (_, x) = descend(DescentOptions { mode, max_iterations: 2, ..Default::default() });
        // The second gradient of x₀ at 9.44 is 8·(9.44 − 3) = 51.52.
        let second = 0.8 * 56.0 + 0.2 * 51.52;
        assert!((x[0] - (10.0 - 0.56 - 0.01 * second)).abs() < 1e-4, "{x:?}");
    }

    #[test]
    fn the_hook_can_hold_variables_back() {
        let [a, b] = bowls();
        let mut x = [10.0, 10.0];
        let mut held = 0;
        let hold = |x: &mut [f32], (): &mut (), raw: &mut [f32]| {
            if x[0] < 5.0 {
                x[0] = 5.0;
                raw[0] = 0.0;
                held += 1;
            }
        };
        let report = GradientDescent::new(2, DescentOptions::default()).minimise(
            &mut x,
            &mut (),
            &[&a, &b],
            hold,
        );
        assert!(report.converged && held > 0);
        assert_eq!(x[0], 5.0);
    }

    /// A cliff: the slope is 1 up to x = 0 and 10 000 beyond.
    struct Cliff;
    impl Term<()> for Cliff {
        fn weight(&self) -> f32 {
            1.0
        }
        fn value(&self, x: &[f32], _: &()) -> f32 {
            if x[0] < 0.0 { -x[0] } else { 1e4 * x[0] }
        }
        fn add_gradient(&self, x: &[f32], _: &(), weight: f32, gradient: &mut [f32]) {
            gradient[0] += weight * if x[0] < 0.0 { -1.0 } else { 1e4 };
        }
    }

    #[test]
    fn a_sudden_gradient_is_cut_to_ten_times_the_one_before() {
        let mut x = [-0.005];
        let options = DescentOptions { max_iterations: 2, ..Default::default() };
        GradientDescent::new(1, options).minimise(&mut x, &mut (), &[&Cliff], |_, _, _| {});
        // The first step leads to 0.005, the second would lead to −100.
        assert!((x[0] - (0.005 - 0.01 * 10.0)).abs() < 1e-6, "{x:?}");
    }

    #[test]
    fn gradients_agree_with_differences_of_values() {
        let [a, _] = bowls();
        let x = [0.7, -1.3];
        let mut gradient = [0.0; 2];
        a.add_gradient(&x, &(), 1.0, &mut gradient);
        for k in 0..2 {
            let (mut low, mut high) = (x, x);
            low[k] -= 1e-2;
            high[k] += 1e-2;
            let slope = (a.value(&high, &()) - a.value(&low, &())) / 2e-2;
            assert!((slope - gradient[k]).abs() < 1e-3);
        }
    }
}
