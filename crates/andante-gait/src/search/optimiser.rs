//! Optimisers that can be exchanged.

use serde::{Deserialize, Serialize};

/// The worth of a sample.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// To be made small: f. Not finite if the sample cannot be judged.
    pub value: f64,
    /// To become zero: φ. Optimisers that know no residuals look at the value alone.
    pub residuals: Vec<f64>,
    /// Whether it is good enough in any case.
    pub solved: bool,
}

/// An optimiser in the unit cube, by asking and telling: [`Cma`](crate::Cma), [`LevenbergMarquardt`](crate::LevenbergMarquardt),
/// [`Multipliers`](crate::Multipliers), or one of your own.
///
/// [`Evaluator::advance`](crate::Evaluator::advance) runs any of them on a gait problem.
///
/// ```
/// use andante_gait::{Cma, CmaOptions, Judged, LevenbergMarquardt, Optimiser};
///
/// let judge = |x: &Vec<f64>| {
///     let residuals: Vec<f64> = x.iter().map(|x| x - 0.2).collect();
///     Judged { value: residuals.iter().map(|r| r * r).sum(), residuals, solved: false }
/// };
/// let start = vec![0.9; 3];
/// let least_squares = LevenbergMarquardt::new(start.clone(), judge(&start), Default::default());
/// let optimisers: [Box<dyn Optimiser>; 2] =
///     [Box::new(Cma::new(&start, &CmaOptions::default())), Box::new(least_squares)];
/// for mut optimiser in optimisers {
///     while !optimiser.is_over() && optimiser.evaluations() < 10_000 {
///         let judged: Vec<Judged> = optimiser.ask().iter().map(judge).collect();
///         optimiser.tell(&judged);
///     }
///     assert!(judge(&optimiser.best_point().to_vec()).value < 1e-6);
/// }
/// ```
pub trait Optimiser {
    /// Samples that it wants to have judged, all within the unit cube. Asking again gives the same ones.
    fn ask(&self) -> Vec<Vec<f64>>;

    /// Takes what the samples are worth, in their order.
    fn tell(&mut self, judged: &[Judged]);

    /// Whether it will get no farther.
    fn is_over(&self) -> bool;

    /// The best place so far.
    fn best_point(&self) -> &[f64];

    /// Samples so far.
    fn evaluations(&self) -> u64;
}
