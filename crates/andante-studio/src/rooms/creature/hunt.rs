//! The search for a gait, beside the window.

use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use andante_gait::{GaitCycle, GaitProblem, Progress, Search, SearchOptions, SearchResult};
use eframe::egui;
use std::sync::{Arc, Mutex, PoisonError};

/// The news of a search: what is to be seen of it.
#[derive(Clone, Default)]
pub struct HuntNews {
    /// One line for every step.
    pub history: Vec<Progress>,
    /// The best so far.
    pub best: Option<Arc<SearchResult>>,
    /// Simulations so far.
    pub evaluations: u64,
    /// What is being done.
    pub activity: &'static str,
    /// Whether a valid gait was found.
    pub converged: bool,
}

/// A search that can be watched, stopped and gone on with.
pub struct GaitHunt {
    problem: Arc<GaitProblem>,
    search: Arc<Mutex<Option<Search>>>,
    news: Arc<Mutex<HuntNews>>,
    job: Option<SideJob<Result<(), String>>>,
    /// The best so far, as motion.
    shown: Option<(Arc<SearchResult>, GaitCycle)>,
}

impl GaitHunt {
    /// Begins to search.
    pub fn begin(
        context: &egui::Context,
        bench: &mut Workbench,
        problem: &Arc<GaitProblem>,
    ) -> Self {
        let mut hunt = Self {
            problem: Arc::clone(problem),
            search: Arc::default(),
            news: Arc::default(),
            job: None,
            shown: None,
        };
        hunt.go_on(context, bench);
        hunt
    }

    /// Goes on with what was stopped.
    pub fn go_on(&mut self, context: &egui::Context, bench: &mut Workbench) {
        let (problem, search, news) =
            (Arc::clone(&self.problem), Arc::clone(&self.search), Arc::clone(&self.news));
        let seed = bench.project.seed;
        self.job = Some(bench.jobs.start(context, "searching for a gait", move |pulse| {
            let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
            if search.is_none() {
                let options = SearchOptions { seed, ..SearchOptions::default() };
                match Search::new(Arc::clone(&problem), &options, threads()) {
                    Ok(made) => *search = Some(made),
                    Err(error) => return Some(Err(error.to_string())),
                }
            }
            let own = search.as_mut()?;
            own.step();
            let over = own.is_over();
            let mut told = news.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = told.history.len();
            told.history.extend_from_slice(own.history().get(fresh..).unwrap_or_default());
            if own.best() != told.best.as_deref() {
                told.best = own.best().cloned().map(Arc::new);
            }
            told.evaluations = own.evaluations();
            told.activity = own.activity();
            told.converged = own.is_converged();
            pulse.set_note(format!("{} simulations, {}", told.evaluations, told.activity));
            over.then_some(Ok(()))
        }));
    }

    /// Stops, and keeps what was found.
    pub fn stop(&mut self) {
        self.job = None;
    }

    /// True if it goes on.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// Looks how it goes; what went wrong, if anything did.
    pub fn follow(&mut self) -> Result<(), String> {
        let state = self.job.as_mut().map(SideJob::poll);
        let outcome = match state {
            Some(JobState::Done(done)) => {
                self.job = None;
                done
            }
            Some(JobState::Stopped) => {
                self.job = None;
                Ok(())
            }
            _ => Ok(()),
        };
        let best = self.news().best;
        if let Some(best) = best
            && self.shown.as_ref().is_none_or(|(shown, _)| !Arc::ptr_eq(shown, &best))
        {
            let cycle = GaitCycle::new(&self.problem, &self.problem.decode(&best.point));
            self.shown = Some((best, cycle));
        }
        outcome
    }

    /// The news of the search.
    pub fn news(&self) -> HuntNews {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The problem that is searched.
    pub fn problem(&self) -> &Arc<GaitProblem> {
        &self.problem
    }

    /// The best so far, as motion.
    pub fn cycle(&self) -> Option<&GaitCycle> {
        self.shown.as_ref().map(|(_, cycle)| cycle)
    }
}

/// A core is left to the window.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1))
}
