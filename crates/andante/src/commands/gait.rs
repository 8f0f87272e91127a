//! `andante gait`.

use super::clips::metrics_json;
use super::gait_held::{held_film, polish};
use super::gait_report::Shown;
use super::gait_watch::GaitWatch;
use super::modes::read;
use super::run::seconds;
use super::select;
use crate::args::{GaitArgs, GaitTrialArgs};
use crate::body_recorder::{BODY, BodyRecorder, RecordedBody, Stance};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, FAINT, paths_json, written as paths};
use crate::take_output::{TakeOutput, check_folder, motion_metrics};
use andante_body::{CREATURES, RigidPartsMesh, write_body};
use andante_formats::{ReadLimits, unguarded};
use andante_gait::{
    Evaluator, Feedback, FeedbackOptions, FoundGait, GaitCycle, GaitProblem, GaitSketch,
    HeldMoment, HeldRun, Method, ProblemOptions, Progress, PulseController, SKETCHES, Search,
    SearchOptions, SearchResult, TrunkSwing, Variation, VariationGoal, VariationOptions,
    read_gait_file, read_sketch_file,
};
use andante_play::measure::MotionMetrics;
use andante_skeleton::check_setting;
use andante_take::{TakeHead, VectorCurve, slug};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub fn run(args: &GaitArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--minutes", &args.minutes, 1e-9..=1e4)?;
    check_setting("--speed", &args.speed, 0.01..=20.0)?;
    check_setting("--turn", &args.turn, -180.0..=180.0)?;
    check_setting("--step", &args.step, 0.05..=10.0)?;
    args.output.as_deref().map_or(Ok(()), check_folder)?;
    // All are looked up before the first is worked on: who comes back hours later finds no misspelt name.
    let sketches = args
        .sketches
        .iter()
        .map(|name| find_work(name, &context.limits))
        .collect::<Result<Vec<GaitWork>, Failure>>()?;
    let several = sketches.len() > 1;
    let mut all = CommandReport::done(String::new(), json!([]));
    let count = sketches.len();
    for (index, (name, work)) in args.sketches.iter().zip(sketches).enumerate() {
        let folder = match &args.output {
            Some(folder) if several => folder.join(slug(&work.sketch.name)),
            Some(folder) => folder.clone(),
            None => PathBuf::from("out").join(slug(&work.sketch.name)),
        };
        for name in WRITTEN {
            select::refuse_to_overwrite(&folder.join(name), &[] as &[&Path])?;
        }
        let one = work_on(name, work, (index + 1, count), &folder, args, context)?;
        if !several {
            return Ok(one);
        }
        all.text.push_str(&one.text);
        all.exit = all.exit.max(one.exit);
        if let Some(list) = all.json.as_array_mut() {
            list.push(one.json);
        }
        if context.stopped() {
            break;
        }
    }
    Ok(all)
}

/// Files that are written of every gait.
const WRITTEN: [&str; 5] =
    ["character.toml", "gait.toml", "gait.repertoire", "gait.svg", "search.bin"];

/// Plays or searches the gait of one sketch; `job` is which of how many it is.
fn work_on(
    name: &str,
    work: GaitWork,
    job: (usize, usize),
    folder: &Path,
    args: &GaitArgs,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let GaitWork { mut sketch, given } = work;
    let fresh =
        args.search || args.resume || args.canonical || args.published || args.physics.is_given();
    // What is searched for anew is searched for under the physics of the gait that was given.
    let physics = given.as_ref().map(|gait| gait.options().physics);
    let given = given.filter(|_| !fresh);
    let turn = args.turn.map_or(sketch.turn, f64::to_radians);
    let led = args.speed.is_some() || args.turn.is_some() || (given.is_none() && turn != 0.0);
    let aim = led.then_some(VariationGoal { speed: args.speed, turn });
    if given.is_none() {
        // Whatever is led to a curve is looked for on a straight way.
        sketch.turn = 0.0;
    }
    let body = read(&sketch.character, &context.limits)?;
    context.warn_of(&sketch.character, body.remarks());
    let built_in = FoundGait::built_in(&sketch.name)?.filter(|gait| {
        let same = GaitSketch::built_in(&sketch.name).is_ok_and(|known| known == sketch);
        !fresh && same && gait.character == sketch.character
    });
    let known = given.or(built_in);
    let options = match &known {
        Some(gait) => gait.options(),
        None => {
            let options = ProblemOptions { canonical: args.canonical, ..ProblemOptions::default() };
            let physics = physics.unwrap_or_else(|| options.physics.clone());
            let physics = args.physics.applied(physics)?;
            ProblemOptions { physics, ..options }.with_step(1e-3 * args.step)
        }
    };
    let problem = GaitProblem::new(&body, &sketch, &options)
        .map_err(|error| Failure::new(format!("{}: {error}", sketch.name)))?;
    let problem = Arc::new(problem);
    let search;
    let (gait, candidate, mut story) = if let Some(gait) = known {
        let candidate = gait.candidate(&problem).map_err(|misfit| {
            Failure::new(format!("the gait of `{}` cannot be played: {misfit}", sketch.name))
        })?;
        // What a file says of a gait is not believed.
        let tried = Evaluator::new(Arc::clone(&problem), 1).or_fail()?;
        let Some(trial) = tried.try_out(std::slice::from_ref(&candidate)).pop() else {
            return Ok(CommandReport::stopped());
        };
        let complaints = problem.complaints(&trial);
        let again = FoundGait::of(&problem, &candidate, &trial);
        let gait = FoundGait { made_by: gait.made_by, ..again };
        (gait, candidate, Story { complaints, ..Story::default() })
    } else {
        std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
        let watch = GaitWatch::new(&sketch.name, job, folder, context);
        let picture;
        (search, picture) = search_for(&problem, watch, folder, args, context)?;
        let Some(best) = search.best() else {
            return Ok(CommandReport::stopped());
        };
        let mut gait = FoundGait::new(&problem, best);
        let world = |key: &str, value: Option<f64>| {
            value.map(|value| format!(" --{key} {value}")).unwrap_or_default()
        };
        gait.made_by = format!(
            "andante gait {name} --search --seed {}{}{}",
            context.seed,
            world("gravity", args.physics.gravity),
            world("friction", args.physics.friction),
        );
        let story = Story::of(&search, best, picture);
        (gait, problem.decode(&best.point), story)
    };
    let found = MadeGait { gait, candidate, problem };
    let made = led_on(found, aim, &mut story, args, context)?;
    report(&made.problem, made.gait, &made.candidate, story, &args.trial, folder, context)
}

/// A gait, and the problem that it solves.
struct MadeGait {
    gait: FoundGait,
    candidate: PulseController,
    problem: Arc<GaitProblem>,
}

/// What is made of a gait that is there: polished and led to a speed or a curve, where that is asked for.
fn led_on(
    found: MadeGait,
    aim: Option<VariationGoal>,
    story: &mut Story,
    args: &GaitArgs,
    context: &CliContext,
) -> Result<MadeGait, Failure> {
    let MadeGait { mut gait, mut candidate, mut problem } = found;
    if args.polish && gait.valid {
        let polished = polish(&problem, &candidate, story, args, context)?;
        if let Some(best) = polished {
            let made_by = format!("{} --polish", gait.made_by);
            gait = FoundGait { made_by, ..FoundGait::new(&problem, &best) };
            candidate = problem.decode(&best.point);
        }
    }
    if let Some(aim) = aim.filter(|_| gait.valid) {
        let led = lead(&problem, &candidate, aim, story, args, context)?;
        let (reached, best) = led.best();
        let speed = aim.speed.map(|speed| format!(" --speed {speed}")).unwrap_or_default();
        let turn = args.turn.map(|turn| format!(" --turn {turn}")).unwrap_or_default();
        let made_by = format!("{}{speed}{turn}", gait.made_by);
        gait = FoundGait { made_by, ..FoundGait::new(reached, best) };
        candidate = reached.decode(&best.point);
        problem = Arc::clone(reached);
    } else if aim.is_some() {
        story.complaints.push("there is no valid gait to be led anywhere".into());
    }
    Ok(MadeGait { gait, candidate, problem })
}

/// Searches until a gait is found or there is no time left; gives the last picture drawn meanwhile, too.
fn search_for(
    problem: &Arc<GaitProblem>,
    watch: GaitWatch,
    folder: &Path,
    args: &GaitArgs,
    context: &CliContext,
) -> Result<(Search, Option<PathBuf>), Failure> {
    let checkpoint = folder.join("search.bin");
    let mut search = if args.resume {
        // It is gone on with, in its place.
        unguarded(|| Search::resume(Arc::clone(problem), &checkpoint, args.threads))
            .map_err(|error| Failure::new(error.to_string()).about(&checkpoint))?
    } else {
        let method = if args.published { Method::Published } else { Method::Direct };
        let options = SearchOptions { method, seed: context.seed, ..SearchOptions::default() };
        Search::new(Arc::clone(problem), &options, args.threads).or_fail()?
    };
    search = search.timed(seconds);
    let picture = look(&mut search, args.minutes, &checkpoint, watch, context)?;
    Ok((search, picture))
}

/// Leads a gait to another speed or turn, as far as it goes.
fn lead(
    problem: &GaitProblem,
    candidate: &PulseController,
    aim: VariationGoal,
    story: &mut Story,
    args: &GaitArgs,
    context: &CliContext,
) -> Result<Variation, Failure> {
    let bar = context.spinner();
    let began = Instant::now();
    let mut led =
        Variation::new(problem, candidate, aim, &VariationOptions::default(), args.threads)
            .map_err(|error| Failure::new(format!("{}: {error}", problem.sketch().name)))?;
    let left = || began.elapsed().as_secs_f64() < 60.0 * args.minutes && !context.stopped();
    while !led.is_over() && left() {
        led.step();
        let part = 100.0 * led.reached();
        bar.set_message(format!("{part:.0} % of the way, {} simulations", led.evaluations()));
        bar.tick();
    }
    bar.finish_and_clear();
    story.evaluations += led.evaluations();
    story.seconds += began.elapsed().as_secs_f64();
    if !led.is_converged() {
        let (problem, best) = led.best();
        story.complaints.push(format!(
            "it gets {:.0} % of the way: {:.1} degrees a second at {:.2} m/s",
            100.0 * led.reached(),
            problem.sketch().turn.to_degrees(),
            best.trial.velocity[2],
        ));
    }
    Ok(led)
}

/// The record of a search for a gait; empty if the gait was found before.
#[derive(Default)]
pub struct Story<'a> {
    pub history: &'a [Progress],
    pub evaluations: u64,
    pub seconds: f64,
    pub complaints: Vec<String>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// The last picture that was drawn meanwhile.
    pub picture: Option<PathBuf>,
}

impl<'a> Story<'a> {
    /// Of a search and the best that it has found.
    pub fn of(search: &'a Search, best: &SearchResult, picture: Option<PathBuf>) -> Self {
        Self {
            history: search.history(),
            evaluations: search.evaluations(),
            seconds: search.seconds(),
            complaints: search.problem().complaints(&best.trial),
            notes: Vec::new(),
            picture,
        }
    }
}

/// What is to be done: a sketch, and its gait where the file of one was given.
struct GaitWork {
    sketch: GaitSketch,
    given: Option<FoundGait>,
}

/// A built-in sketch, a file of one, or the file of a gait.
fn find_work(name: &str, limits: &ReadLimits) -> Result<GaitWork, Failure> {
    let path = Path::new(name);
    let known = SKETCHES.iter().any(|(known, _)| *known == name);
    if !known
        && path.is_file()
        && let Some(gait) = read_gait_file(path, limits)?
    {
        let sketch = gait.asked_sketch().map_err(|error| error.in_file(path))?;
        return Ok(GaitWork { sketch, given: Some(gait) });
    }
    Ok(GaitWork { sketch: find(name, limits)?, given: None })
}

/// A built-in sketch, or a file.
pub fn find(name: &str, limits: &ReadLimits) -> Result<GaitSketch, Failure> {
    if SKETCHES.iter().any(|(known, _)| *known == name) {
        return Ok(GaitSketch::built_in(name)?);
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.exists() {
        return Ok(read_sketch_file(path, limits)?);
    }
    Err(Failure::new(format!("there is no sketch `{name}`"))
        .hint("`andante sketches` lists the built-in ones; a file ends in .toml"))
}

/// Steps until the gait is found, time is up or someone has had enough. What was found is kept at every step.
fn look(
    search: &mut Search,
    minutes: f64,
    checkpoint: &Path,
    mut watch: GaitWatch,
    context: &CliContext,
) -> Result<Option<PathBuf>, Failure> {
    let began = search.seconds();
    while !search.is_over() && search.seconds() - began < 60.0 * minutes && !context.stopped() {
        search.step();
        search
            .save(checkpoint)
            .map_err(|error| Failure::new(error.to_string()).about(checkpoint).of_work())?;
        watch.see(search)?;
    }
    Ok(watch.finish())
}

/// Writes everything about a gait and tells of it.
fn report(
    problem: &GaitProblem,
    gait: FoundGait,
    candidate: &PulseController,
    mut story: Story,
    trial: &GaitTrialArgs,
    folder: &Path,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let cycle = GaitCycle::new(problem, candidate);
    let mut goes_on = |_: &HeldMoment| !context.stopped();
    let alone = HeldRun::watched(problem, candidate, None, trial.alone, None, &mut goes_on).cycles;
    let feedback = (gait.valid && !context.stopped())
        .then(|| Feedback::new(problem, candidate, &FeedbackOptions::default()))
        .flatten();
    let held = feedback.as_ref().map(|feedback| {
        let run =
            HeldRun::watched(problem, candidate, Some(feedback), trial.held, None, &mut goes_on);
        (run.cycles, trial.held)
    });
    if gait.valid {
        story.complaints.extend(match held {
            _ if context.stopped() => Some("stopped before it was known whether it is held".into()),
            None => Some("no feedback holds it: its deviations cannot be mastered".into()),
            Some((cycles, of)) if cycles < of as f64 => Some(format!(
                "it is not held: with feedback it falls after {cycles:.1} of {of} cycles"
            )),
            Some(_) => None,
        });
    }
    let story = &story;
    let shown = Shown { problem, gait: &gait, candidate, story, cycle: &cycle, alone, held };
    let WrittenGait { files: mut written, refusal, metrics } = write_gait(&shown, trial, folder)?;
    let film = folder.join("held");
    let (mut complaints, mut notes) = (story.complaints.clone(), story.notes.clone());
    if let (Some(cycles), Some(feedback)) = (trial.film, &feedback) {
        let (files, held) = held_film(&shown, feedback, cycles, &film, context)?;
        written.extend(files);
        if held < cycles as f64 && !context.stopped() {
            complaints
                .push(format!("the film shows how it falls after {held:.1} of {cycles} cycles"));
        }
    } else {
        // A film that is there is of the gait that was.
        notes.extend(TakeOutput::withdraw(&film, "held")?);
    }

    let found = gait.valid && complaints.is_empty();
    let unwanted = if gait.valid { Vec::new() } else { problem.unwanted(candidate) };
    let mut text = gait_text(&shown);
    for complaint in &complaints {
        text.push_str(&format!("  {complaint}\n"));
    }
    for note in &notes {
        text.push_str(&format!("  {FAINT}{note}{FAINT:#}\n"));
    }
    for words in &unwanted {
        text.push_str(&format!("  {FAINT}{words}{FAINT:#}\n"));
    }
    if let Some(reason) = &refusal {
        text.push_str(&format!("  {FAINT}not for a repertoire: {reason}{FAINT:#}\n"));
    }
    if !gait.valid && !story.history.is_empty() {
        let folder = folder.display();
        text.push_str(&format!(
            "  {FAINT}the best so far is kept; `--resume -o {folder}` goes on from here{FAINT:#}\n"
        ));
    }
    text.push_str(&paths(&written));
    let feet = problem.body().feet().iter().enumerate();
    let contacts: serde_json::Map<String, serde_json::Value> = feet
        .filter(|(_, foot)| !foot.disregarded)
        .map(|(index, foot)| (foot.name.clone(), json!(cycle.contacts(index, 0))))
        .collect();
    let places = cycle.states.iter().map(|state| state.place(problem.body(), problem.pose()));
    let style = json!({
        "sketch": TrunkSwing::sketched(problem).ok().map(style_json),
        "result": style_json(TrunkSwing::along(problem.body(), places)),
    });
    let json = json!({
        "style": style,
        "sketch": gait.sketch, "character": gait.character, "converged": found, "speed_mps": gait.speed,
        "turn_dps": gait.turn, "energy": gait.effort, "cost_of_transport": gait.cost_of_transport, "residual_max": gait.residual,
        "evaluations": story.evaluations, "seconds": story.seconds, "cycles_survived": alone,
        "cycles_with_feedback": held.map(|(cycles, _)| cycles), "held": held.map(|(cycles, of)| cycles >= of as f64), "made_by": gait.made_by,
        "period_s": cycle.period, "aerial_fraction": cycle.aerial_fraction(), "violated": complaints, "notes": notes, "unwanted": unwanted, "contacts": contacts,
        "gravity_mps2": problem.options().physics.gravity_strength(), "friction": problem.options().physics.friction,
        "metrics": metrics.map(|metrics| metrics_json(&metrics)),
        "files": paths_json(&written),
    });
    Ok(CommandReport { text, json, exit: u8::from(!found) })
}

/// The swing of a trunk from one side to the other, as told.
pub fn style_json(swing: TrunkSwing) -> serde_json::Value {
    json!({
        "sway_m": swing.sway, "yaw_deg": swing.yaw.to_degrees(), "roll_deg": swing.roll.to_degrees(),
    })
}

/// What was written of a gait.
struct WrittenGait {
    files: Vec<PathBuf>,
    /// Why it does not fit a repertoire, if it does not.
    refusal: Option<String>,
    /// How good its motion is.
    metrics: Option<MotionMetrics>,
}

/// Writes the files of a gait.
fn write_gait(shown: &Shown, trial: &GaitTrialArgs, folder: &Path) -> Result<WrittenGait, Failure> {
    let (problem, cycle) = (shown.problem, shown.cycle);
    let (body, sketch) = (problem.body(), problem.sketch());
    let mut output = TakeOutput::of_folder(folder, "gait")?;
    let mut gait = shown.gait.clone();
    if !CREATURES.iter().any(|(name, _)| *name == gait.character) {
        // Whoever plays the gait again needs the body.
        output.add_text("character.toml", &write_body(body))?;
        gait.character = "character.toml".into();
    }
    output.add_text("gait.toml", &gait.to_toml().or_fail()?)?;
    let refusal = match cycle.repertoire(problem, &sketch.name) {
        // What is no gait is nothing to be sent to goals.
        _ if !gait.valid || !shown.story.complaints.is_empty() => {
            output.outdate("gait.repertoire");
            Some("it is no gait yet".into())
        }
        Ok(repertoire) => {
            output.add("gait.repertoire", |out| Ok(out.write_all(&repertoire.to_bytes())?))?;
            None
        }
        Err(error) => Some(error.to_string()),
    };
    // As near to 60 a second as whole frames of a cycle allow.
    let frames = (60.0 * cycle.period).round().max(2.0);
    let fps = frames / cycle.period;
    let (name, about) = (sketch.name.clone(), sketch.about.clone());
    let head = TakeHead { name, about, fps: fps as f32, ..TakeHead::default() };
    let mut recorder = BodyRecorder::new(&output, body, head, false)?;
    recorder.take.curve(BODY, "speed", "m/s");
    recorder.take.vector(BODY, VectorCurve::point("centre of mass"));
    let puppet = RigidPartsMesh::new(body).or_fail_of(body.name())?;
    let contacts =
        cycle.source(problem, &puppet, &sketch.name).or_fail_of(body.name())?.contacts.feet;
    for frame in 0..=frames as usize * trial.cycles.max(1) {
        let time = frame as f64 / fps;
        let way = cycle.at(time + 0.05).position - cycle.at(time - 0.05).position;
        let speed = way.with_y(0.0).length() / 0.1;
        let placed = cycle.at(time).place(body, problem.pose());
        let at = time.rem_euclid(cycle.period) as f32;
        let down: Vec<[bool; 2]> =
            contacts.iter().map(|foot| [foot.heel_down(at), foot.toe_down(at)]).collect();
        let centre = body.center_of_mass(&placed).as_vec3();
        recorder.frame(&RecordedBody {
            placed: &placed,
            curves: &[speed as f32],
            vectors: &[centre],
            stance: Stance::Known(&down),
        })?;
    }
    let take = recorder.finish()?;
    let metrics = motion_metrics(&take)?;
    let cycles = shown.one_cycle(&take)?;
    output.add_text("gait.svg", &shown.sheet(cycles.clone()).to_svg())?;
    let mut written = output.publish(&take, |page| shown.fill(page, cycles))?;
    written.extend(shown.story.picture.clone());
    Ok(WrittenGait { files: written, refusal, metrics })
}

/// What a gait is like, in words.
fn gait_text(shown: &Shown) -> String {
    let Shown { gait, story, cycle, .. } = shown;
    let turning = if gait.turn == 0.0 {
        String::new()
    } else {
        format!(", turning by {:.1} degrees a second", gait.turn)
    };
    format!(
        "{BOLD}{}{BOLD:#}: {}{}\n  {:.2} m/s{turning}, a cycle in {:.2} s, {:.0} % of it in the air\n  \
         cost of transport {:.2}; left to itself it goes on for {:.1} cycles{}\n",
        gait.sketch,
        if gait.valid { "a valid cycle" } else { "no valid cycle" },
        if story.evaluations > 0 {
            format!(" after {} simulations in {:.0} s", story.evaluations, story.seconds)
        } else {
            format!(", found before by `{}`", gait.made_by)
        },
        gait.speed,
        cycle.period,
        100.0 * cycle.aerial_fraction(),
        gait.cost_of_transport,
        shown.alone,
        shown
            .held
            .map_or(String::new(), |(held, of)| format!(", with feedback for {held:.0} of {of}")),
    )
}
