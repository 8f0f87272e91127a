//! Long work, done beside the window.

use eframe::egui::Context;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The pulse of a job: what it tells of itself, and is told.
pub struct JobPulse {
    title: String,
    part: AtomicU32,
    note: Mutex<String>,
    cancelled: AtomicBool,
    over: AtomicBool,
}

impl JobPulse {
    /// The title of the job.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The part that is done, from 0 to 1; below 0 if nobody knows.
    pub fn part(&self) -> f32 {
        f32::from_bits(self.part.load(Ordering::Relaxed))
    }

    /// Tells how much is done.
    pub fn set_part(&self, part: f32) {
        self.part.store(part.to_bits(), Ordering::Relaxed);
    }

    /// A note on the progress, in a few words.
    pub fn note(&self) -> String {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells how it goes.
    pub fn set_note(&self, note: impl Into<String>) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = note.into();
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// A piece of the work: none while there is more to do.
type Slice<T> = Box<dyn FnMut(&JobPulse) -> Option<T> + Send>;

/// Work that is being done. It is made of slices, so that it can be done in a thread or, where there are none, a little in
/// every frame.
pub struct SideJob<T> {
    pulse: Arc<JobPulse>,
    #[cfg(not(target_arch = "wasm32"))]
    result: std::sync::mpsc::Receiver<T>,
    #[cfg(target_arch = "wasm32")]
    slice: Slice<T>,
    #[cfg(target_arch = "wasm32")]
    context: Context,
}

/// The state of a job.
pub enum JobState<T> {
    /// There is more to do.
    Running,
    /// This came of it.
    Done(T),
    /// It was stopped, or came to nothing.
    Stopped,
}

impl<T: Send + 'static> SideJob<T> {
    #[cfg(not(target_arch = "wasm32"))]
    fn start(pulse: Arc<JobPulse>, context: Context, mut slice: Slice<T>) -> Self {
        let (sender, result) = std::sync::mpsc::channel();
        let own = Arc::clone(&pulse);
        std::thread::spawn(move || {
            while !own.is_cancelled() {
                if let Some(done) = slice(&own) {
                    // Nobody waits for it any more, if this fails.
                    let _ = sender.send(done);
                    break;
                }
                context.request_repaint();
            }
            own.over.store(true, Ordering::Relaxed);
            drop(sender);
            context.request_repaint();
        });
        Self { pulse, result }
    }

    #[cfg(target_arch = "wasm32")]
    fn start(pulse: Arc<JobPulse>, context: Context, slice: Slice<T>) -> Self {
        Self { pulse, slice, context }
    }

    /// Asks for the result.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn poll(&mut self) -> JobState<T> {
        use std::sync::mpsc::TryRecvError;
        match self.result.try_recv() {
            Ok(done) => JobState::Done(done),
            Err(TryRecvError::Empty) => JobState::Running,
            Err(TryRecvError::Disconnected) => JobState::Stopped,
        }
    }

    /// Does a slice of it, and asks for the result.
    #[cfg(target_arch = "wasm32")]
    pub fn poll(&mut self) -> JobState<T> {
        let cancelled = self.pulse.is_cancelled();
        let done = if cancelled { None } else { (self.slice)(&self.pulse) };
        self.context.request_repaint();
        match done {
            None if !cancelled => return JobState::Running,
            _ => self.pulse.over.store(true, Ordering::Relaxed),
        }
        done.map_or(JobState::Stopped, JobState::Done)
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.pulse.cancel();
    }

    /// The pulse of the job.
    pub fn pulse(&self) -> &Arc<JobPulse> {
        &self.pulse
    }
}

impl<T> Drop for SideJob<T> {
    fn drop(&mut self) {
        self.pulse.cancel();
    }
}

/// Everything that is being done.
#[derive(Default)]
pub struct JobBoard {
    pulses: Vec<Weak<JobPulse>>,
}

impl JobBoard {
    /// Begins some work. `slice` is called until it returns something or the job is cancelled or dropped.
    pub fn start<T: Send + 'static>(
        &mut self,
        context: &Context,
        title: impl Into<String>,
        slice: impl FnMut(&JobPulse) -> Option<T> + Send + 'static,
    ) -> SideJob<T> {
        let job = Self::start_quietly(context, title, slice);
        self.pulses.retain(|pulse| pulse.strong_count() > 0);
        self.pulses.push(Arc::downgrade(&job.pulse));
        job
    }

    /// The same for work that nobody has asked for: it is not on the board, and nobody waits for it.
    pub fn start_quietly<T: Send + 'static>(
        context: &Context,
        title: impl Into<String>,
        slice: impl FnMut(&JobPulse) -> Option<T> + Send + 'static,
    ) -> SideJob<T> {
        let pulse = Arc::new(JobPulse {
            title: title.into(),
            part: AtomicU32::new((-1.0f32).to_bits()),
            note: Mutex::default(),
            cancelled: AtomicBool::new(false),
            over: AtomicBool::new(false),
        });
        SideJob::start(pulse, context.clone(), Box::new(slice))
    }

    /// The pulses of the jobs that go on now.
    pub fn running(&self) -> Vec<Arc<JobPulse>> {
        let alive = self.pulses.iter().filter_map(Weak::upgrade);
        alive.filter(|pulse| !pulse.over.load(Ordering::Relaxed) && !pulse.is_cancelled()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T: Send + 'static>(job: &mut SideJob<T>) -> JobState<T> {
        loop {
            match job.poll() {
                JobState::Running => std::thread::yield_now(),
                state => return state,
            }
        }
    }

    #[test]
    fn a_job_is_done_in_slices_and_tells_how_far_it_is() {
        let mut board = JobBoard::default();
        let mut left = 4;
        let mut job = board.start(&Context::default(), "counting", move |pulse| {
            left -= 1;
            pulse.set_part(1.0 - left as f32 / 4.0);
            (left == 0).then_some("counted")
        });
        assert!(matches!(wait(&mut job), JobState::Done("counted")));
        assert_eq!(job.pulse().part(), 1.0);
        assert!(board.running().is_empty());
    }

    #[test]
    fn a_job_without_an_end_stops_when_it_is_cancelled() {
        let mut board = JobBoard::default();
        let mut job = board.start(&Context::default(), "for ever", |_| None::<()>);
        assert_eq!(board.running()[0].title(), "for ever");
        job.cancel();
        assert!(matches!(wait(&mut job), JobState::Stopped));
    }

    #[test]
    fn a_job_that_nobody_wants_any_more_ends() {
        let mut board = JobBoard::default();
        let job = board.start(&Context::default(), "for ever", |_| None::<()>);
        let pulse = Arc::clone(job.pulse());
        drop(job);
        while !pulse.over.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }
}
