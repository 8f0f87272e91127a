//! The direct method: samples and least squares by turns.

use super::{Contender, Search, SearchHeat, SearchResult, Work};
use crate::problem::candidate_trial::CandidateTrial;
use crate::search::closing::Closing;
use crate::search::cma::{Cma, CmaOptions};
use crate::search::levenberg_marquardt::LevenbergMarquardtOptions;
use crate::search::optimiser::Optimiser;
use crate::search::random::{Normals, mix};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

andante_skeleton::settings! {
    /// Options of the direct method.
    pub struct DirectOptions: Copy, Serialize, Deserialize {
        /// Laps in which joints find out where they begin, before the one that counts. Each costs as many simulations
        /// again.
        laps: usize = 1;
        /// Generations between interludes of least squares.
        interlude: u64 = 50;
        /// Steps that an interlude has at most.
        interlude_steps: u32 = 6;
        /// The part of the merit, 0 to 1, to which an interlude has to get for samples to move there.
        worthwhile: f64 = 0.9, 0.0..;
        /// A round goes on while the merit comes down to this part of itself within the patience. More gives up later.
        markedly: f64 = 0.7, 0.0..=1.0;
        /// The same near a solution.
        markedly_near: f64 = 0.9, 0.0..;
        /// A merit below this is near a solution.
        near: f64 = 10.0, 0.0..;
        /// Generations after which a round that has not got markedly better is given up.
        patience: u64 = 110;
        /// Short searches with which all rounds but the first begin, each up to its first interlude.
        contenders: u32 = 5;
        /// How far apart they start, of the unit interval.
        scatter: f64 = 0.1, 0.0..;
        /// Steps of least squares that may fail before samples get their turn.
        stalled: u32 = 4;
        /// A round that ends with a merit below this is within reach of a solution.
        within_reach: f64 = 2.0, 0.0..;
        /// It is not given up before its errors have been weighed so many times.
        weighings: u32 = 12;
        /// How least squares go.
        least_squares: LevenbergMarquardtOptions = LevenbergMarquardtOptions::default() => check;
    }
}

impl Search {
    fn direct(&self) -> DirectOptions {
        self.state.options.direct
    }

    pub(super) fn sample(&mut self, mut cma: Cma) {
        // Joints begin where they do in the best so far, or in the sketch.
        let known = self.state.round_best.as_ref().map(|best| best.point.clone());
        let base = known.unwrap_or_else(|| self.problem().start());
        let essential = self.problem().essential().to_vec();
        let placed = |sample: Vec<f64>| {
            let mut point = base.clone();
            essential.iter().zip(sample).for_each(|(&index, value)| point[index] = value);
            point
        };
        let points: Vec<Vec<f64>> = cma.ask().into_iter().map(placed).collect();
        let laps = self.direct().laps;
        let (points, trials) = self.evaluator.settle(&points, laps);
        self.state.evaluations += (laps * points.len()) as u64;
        let merits: Vec<f64> = trials.iter().map(|trial| self.problem().merit(trial)).collect();
        cma.tell(&merits);
        let known = self.state.recent.as_ref().map(|recent| self.problem().merit(&recent.trial));
        let least = merits.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
        if let Some((index, _)) =
            least.filter(|(_, merit)| known.is_none_or(|known| **merit < known))
        {
            let (point, trial) = (points[index].clone(), trials[index].clone());
            self.state.recent = Some(SearchResult { point, trial });
        }
        self.take_in(points, trials);
        let over = cma.stop().is_some();
        self.state.work = if self.is_converged() {
            Work::Over
        } else if (over && self.state.heat.is_none()) || self.is_stuck(cma.generation()) {
            self.closing(self.state.round_best.clone(), None)
        } else if over || cma.generation().is_multiple_of(self.direct().interlude) {
            self.interlude(cma)
        } else {
            Work::Sampling { cma: Box::new(cma) }
        };
    }

    /// Whether this round has not got markedly better for long.
    fn is_stuck(&mut self, generation: u64) -> bool {
        let Some(best) = &self.state.round_best else { return false };
        let merit = self.evaluator.problem().merit(&best.trial);
        let direct = self.direct();
        let markedly = if merit < direct.near { direct.markedly_near } else { direct.markedly };
        if merit < markedly * self.state.milestone.1 {
            self.state.milestone = (generation, merit);
        }
        generation >= self.state.milestone.0 + direct.patience
    }

    /// Least squares from a place.
    fn closing(&self, from: Option<SearchResult>, cma: Option<Box<Cma>>) -> Work {
        let Some(from) = from else { return Work::Over };
        let closing =
            Closing::new(self.problem(), from.point, from.trial, self.direct().least_squares);
        Work::Closing { closing: Box::new(closing), cma }
    }

    pub(super) fn close(&mut self, mut closing: Closing, cma: Option<Box<Cma>>) {
        self.step_of(&mut closing);
        let over = closing.optimiser.stalled() >= self.direct().stalled;
        self.state.work = if self.is_converged() {
            Work::Over
        } else if let Some(mut cma) = cma {
            if !over && closing.optimiser.steps() < self.direct().interlude_steps {
                Work::Closing { closing: Box::new(closing), cma: Some(cma) }
            } else {
                self.move_samples(&mut cma, &closing);
                self.compete(cma)
            }
        } else if over
            && self.is_within_reach()
            && closing.optimiser.weighings() < self.direct().weighings
        {
            closing.optimiser.weigh();
            Work::Closing { closing: Box::new(closing), cma }
        } else if over {
            self.next_round()
        } else {
            Work::Closing { closing: Box::new(closing), cma }
        };
    }

    /// Least squares from what samples have found. If that is no better than what least squares made of it before, samples have
    /// followed them in vain: it is kept in mind.
    fn interlude(&mut self, cma: Cma) -> Work {
        let merit = |found: &SearchResult| self.evaluator.problem().merit(&found.trial);
        let (recent, best) = (&self.state.recent, &self.state.round_best);
        let in_vain = recent.as_ref().map(merit) > best.as_ref().map(merit);
        let from = if in_vain { recent.clone() } else { self.state.recent.take() };
        self.closing(from, Some(Box::new(cma)))
    }

    /// Lets samples go on where least squares have got to. If they did so in vain before, only if that is better for them too:
    /// with joints that begin where a lap leaves them.
    fn move_samples(&mut self, cma: &mut Cma, closing: &Closing) {
        let merit = |trial: &CandidateTrial| self.evaluator.problem().merit(trial);
        let (reached, known) = match self.state.recent.take() {
            None => (merit(closing.trial()), cma.best().value),
            Some(recent) => {
                let laps = self.direct().laps;
                let (_, settled) = self.evaluator.settle(&[closing.point().to_vec()], laps);
                self.state.evaluations += (laps + 1) as u64;
                (settled.first().map_or(f64::INFINITY, merit), merit(&recent.trial))
            }
        };
        if reached < self.direct().worthwhile * known {
            let essential = self.problem().essential().iter();
            let there: Vec<f64> = essential.map(|&index| closing.point()[index]).collect();
            cma.move_to(&there, reached);
        }
    }

    /// Whether the best of this round is all but a solution.
    fn is_within_reach(&self) -> bool {
        let merit = |best: &SearchResult| self.problem().merit(&best.trial);
        self.state.round_best.as_ref().is_some_and(|best| merit(best) < self.direct().within_reach)
    }

    /// From near the sketch again, with other and more samples.
    fn next_round(&mut self) -> Work {
        let left = self.direct().contenders;
        let state = &mut self.state;
        state.round += 1;
        state.population = (state.population * 5 / 4).next_multiple_of(8).min(4096);
        self.contend(SearchHeat { left, leader: None })
    }

    /// Begins another of the short searches of a heat.
    fn contend(&mut self, mut heat: SearchHeat) -> Work {
        heat.left = heat.left.saturating_sub(1);
        let state = &mut self.state;
        state.round_best = None;
        state.recent = None;
        state.milestone = (0, f64::INFINITY);
        let seed =
            mix(state.options.seed, (u64::from(state.round) << 20) | (u64::from(heat.left) << 10));
        let spread = self.evaluator.problem().sketch().spread;
        let settings = CmaOptions {
            population: Some(state.population),
            seed,
            generations: state.options.generations,
            sigma: state.options.sigma * spread,
            ..CmaOptions::default()
        };
        state.heat = Some(heat);
        let start = self.problem().start();
        let mut rng = Pcg64Mcg::seed_from_u64(mix(seed, u64::MAX));
        let mut normals = Normals::default();
        let scatter = self.direct().scatter;
        let mut scattered =
            |&index: &usize| start[index] + scatter * spread * normals.draw(&mut rng);
        let essential = self.problem().essential();
        let start: Vec<f64> = essential.iter().map(&mut scattered).collect();
        Work::Sampling { cma: Box::new(Cma::new(&start, &settings)) }
    }

    /// After an interlude: in a heat, the best of all contenders goes on when the last of them has had its first one.
    fn compete(&mut self, cma: Box<Cma>) -> Work {
        let problem = self.evaluator.problem();
        let merit = |contender: &Contender| {
            contender.best.as_ref().map_or(f64::INFINITY, |best| problem.merit(&best.trial))
        };
        let state = &mut self.state;
        let Some(mut heat) = state.heat.take() else { return Work::Sampling { cma } };
        let contender =
            Contender { cma, milestone: state.milestone, best: state.round_best.take() };
        let leader = match heat.leader.take() {
            Some(leader) if merit(&leader) <= merit(&contender) => leader,
            _ => contender,
        };
        if heat.left > 0 {
            heat.leader = Some(leader);
            return self.contend(heat);
        }
        state.milestone = leader.milestone;
        state.round_best = leader.best;
        Work::Sampling { cma: leader.cma }
    }

    /// One step of least squares, taken in.
    fn step_of(&mut self, closing: &mut Closing) {
        let before = closing.optimiser.evaluations();
        closing.step(&self.evaluator);
        let found = (closing.point().to_vec(), closing.trial().clone());
        // The simulation of what was found is among those of the step.
        self.state.evaluations += closing.optimiser.evaluations() - before - 1;
        self.take_in(vec![found.0], vec![found.1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaitProblem, GaitSketch, ProblemOptions, SearchOptions};
    use std::sync::Arc;

    /// A sketch that is nearly right is not left behind.
    #[test]
    fn samples_are_as_far_apart_as_the_sketch_says() {
        let sigma = |spread: f64| {
            let mut sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
            sketch.spread = spread;
            let body = andante_body::creature(&sketch.character).unwrap();
            let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
            let search = Search::new(Arc::new(problem), &SearchOptions::default(), 1).unwrap();
            let Work::Sampling { cma } = search.state.work else { panic!("it begins so") };
            cma.sigma()
        };
        assert_eq!([1.0, 0.5].map(sigma), [0.12, 0.06]);
    }

    /// The best of several short searches goes on, with what it had found, also if the search was interrupted meanwhile.
    #[test]
    fn the_best_contender_of_a_heat_goes_on() {
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let options = ProblemOptions::default().with_step(0.005);
        let problem = Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
        let options =
            SearchOptions { population: Some(8), generations: 3, ..SearchOptions::default() };
        let mut search = Search::new(Arc::clone(&problem), &options, 1).unwrap();
        search.state.work = search.contend(SearchHeat { left: 2, leader: None });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search.bin");
        let mut merits = Vec::new();
        let mut resumed = None;
        while let Some(heat) = &search.state.heat {
            let (left, round_best) = (heat.left, search.state.round_best.clone());
            if left == 0 && resumed.is_none() {
                assert!(heat.leader.is_some());
                search.save(&path).unwrap();
                resumed = Some(Search::resume(Arc::clone(&problem), &path, 2).unwrap());
            }
            search.step();
            if search.state.heat.as_ref().is_none_or(|heat| heat.left != left) {
                // The last step of least squares may have got better still.
                let before = round_best.map_or(f64::INFINITY, |best| problem.merit(&best.trial));
                merits.push(before);
            }
        }
        assert_eq!(merits.len(), 2);
        let kept = problem.merit(&search.state.round_best.as_ref().unwrap().trial);
        assert!(merits.iter().all(|merit| kept <= *merit), "{kept} of {merits:?}");
        assert!((merits[0] - merits[1]).abs() > 1e-3, "{merits:?}");
        let mut resumed = resumed.unwrap();
        while resumed.state.heat.is_some() {
            resumed.step();
        }
        assert_eq!(resumed.state.work, search.state.work);
        assert_eq!(resumed.state.round_best, search.state.round_best);
    }
}
