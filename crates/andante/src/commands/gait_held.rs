//! A gait that feedback holds: made cheaper, and filmed.

use super::gait::Story;
use super::gait_report::Shown;
use crate::args::GaitArgs;
use crate::body_recorder::{BODY, BodyRecorder, RecordedBody, Stance};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::take_output::TakeOutput;
use andante_gait::{
    Feedback, FeedbackOptions, GaitProblem, HeldMoment, HeldRun, Polish, PolishOptions,
    PulseController, SearchResult,
};
use andante_take::{Event, EventKind, TakeHead, VectorCurve};
use glam::Vec3;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Makes a gait cheaper until that stalls or time is up; the cheapest that feedback holds, if there is one.
pub fn polish(
    problem: &GaitProblem,
    candidate: &PulseController,
    story: &mut Story,
    args: &GaitArgs,
    context: &CliContext,
) -> Result<Option<SearchResult>, Failure> {
    let name = &problem.sketch().name;
    let options = PolishOptions::default();
    let (bar, began) = (context.spinner(), Instant::now());
    let mut polish = Polish::new(problem, candidate, &options, args.threads)
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let left = || began.elapsed().as_secs_f64() < 60.0 * args.minutes && !context.stopped();
    while !polish.is_over() && left() {
        polish.step();
        let (sweep, round) = polish.progress();
        bar.set_message(format!(
            "{name}, sweep {sweep}, round {round}: {} simulations, cost of transport {:.2}",
            polish.evaluations(),
            polish.cost()
        ));
        bar.tick();
    }
    bar.finish_and_clear();
    // What holds only at the step it was found at is no gait.
    let finest = problem.options().clone().with_step(problem.options().physics.step / 4.0);
    let finest = GaitProblem::new(problem.body(), problem.asked(), &finest)
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let is_held = |problem: &GaitProblem, candidate: &PulseController| {
        let feedback = Feedback::new(problem, candidate, &FeedbackOptions::default());
        feedback.is_some_and(|feedback| {
            let mut goes_on = |_: &HeldMoment| !context.stopped();
            let held = args.trial.held;
            let run =
                HeldRun::watched(problem, candidate, Some(&feedback), held, None, &mut goes_on);
            run.cycles >= held as f64
        })
    };
    let best = polish.found().iter().rev().take_while(|_| !context.stopped()).find(|found| {
        let candidate = problem.decode(&found.point);
        [problem, &finest].iter().all(|problem| is_held(problem, &candidate))
    });
    story.evaluations += polish.evaluations();
    story.seconds += began.elapsed().as_secs_f64();
    if best.is_none() {
        // The gait that was given stays what it is.
        let why = if context.stopped() { "stopped before" } else { "polished in vain:" };
        story.notes.push(format!("{why} anything cheaper was found that is valid and held"));
    }
    Ok(best.cloned())
}

/// Records a gait while feedback holds it, with torques and forces of the ground, in a folder of its own; also gives for how
/// many cycles it was held.
pub fn held_film(
    shown: &Shown,
    feedback: &Feedback,
    cycles: usize,
    folder: &Path,
    context: &CliContext,
) -> Result<(Vec<PathBuf>, f64), Failure> {
    let (problem, name) = (shown.problem, &shown.gait.sketch);
    let body = problem.body();
    let output = TakeOutput::of_folder(folder, "held")?;
    let head = TakeHead { name: format!("{name}, held"), fps: 60.0, ..TakeHead::default() };
    let fps = f64::from(head.fps);
    let mut recorder = BodyRecorder::new(&output, body, head, true)?;
    recorder.take.curve(BODY, "speed", "m/s");
    let feet: Vec<usize> =
        (0..body.feet().len()).filter(|&foot| !body.feet()[foot].disregarded).collect();
    for (index, &foot) in feet.iter().enumerate() {
        let name = &body.feet()[foot].name;
        recorder.take.vector(BODY, VectorCurve::point(name));
        let force = VectorCurve::force(&format!("ground force of {name}"), 2 * index);
        recorder.take.vector(BODY, force);
    }
    let (mut frames, mut failure) = (0u32, None);
    let mut film = |moment: &HeldMoment| {
        if moment.time + 1e-9 < f64::from(frames) / fps {
            return !context.stopped();
        }
        frames += 1;
        let placed = moment.placed();
        let forces = moment.ground_forces();
        let vectors: Vec<Vec3> = feet
            .iter()
            .flat_map(|&foot| {
                let of = &body.feet()[foot];
                let toe = placed[of.segment].transform_point(of.toe);
                [toe.as_vec3(), forces[foot].as_vec3()]
            })
            .collect();
        let simulation = moment.simulation();
        let speed = simulation.momentum(0).0.length() / simulation.model().mass();
        let kept = recorder.frame(&RecordedBody {
            placed: &placed,
            curves: &[speed as f32],
            vectors: &vectors,
            stance: Stance::Simulated(simulation),
        });
        failure = kept.err();
        failure.is_none() && !context.stopped()
    };
    let run = HeldRun::watched(problem, shown.candidate, Some(feedback), cycles, None, &mut film);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if run.cycles < cycles as f64 && !context.stopped() {
        let time = recorder.take.time();
        recorder.take.event(Event { time, track: Some(BODY), kind: EventKind::Fell });
    }
    recorder.take.head_mut().about =
        format!("{:.1} cycles by torques alone, held by feedback", run.cycles);
    let take = recorder.finish()?;
    Ok((output.publish(&take, |_| {})?, run.cycles))
}
