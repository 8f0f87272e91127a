//! `andante gait`.

use super::modes::read;
use crate::args::GaitArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{BOLD, FAINT, Report};
use andante_body::{Body, Puppet};
use andante_draw::{BarChart, Gallery, LineChart, Sheet, View, body_figure};
use andante_formats::{Asset, gltf, write_atomically, write_file};
use andante_search::{
    Candidate, Cycle, Feedback, FeedbackOptions, Gait, GaitProblem, GaitSketch, Method,
    ProblemOptions, Progress, SKETCHES, Search, SearchOptions, read_sketch_file,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Cycles in the files that are written.
const CYCLES: usize = 5;
/// Most cycles a gait is left to itself, and held by feedback.
const ALONE: usize = 20;
const HELD: usize = 100;
/// Figures of a picture.
const FIGURES: usize = 8;

pub fn run(args: &GaitArgs, context: &Context) -> Result<Report, Failure> {
    if !(args.minutes > 0.0 && args.minutes <= 10_000.0) {
        return Err(Failure::new(format!(
            "--minutes {}: must be above 0 and at most 10000",
            args.minutes
        )));
    }
    let sketch = find(&args.sketch)?;
    let body = read(&sketch.character)?;
    let options = ProblemOptions {
        step: 1e-3 * args.step,
        canonical: args.canonical,
        ..ProblemOptions::default()
    };
    if !(0.05..=10.0).contains(&args.step) {
        return Err(Failure::new(format!("--step {}: must be from 0.05 to 10", args.step)));
    }
    let problem = GaitProblem::new(&body, &sketch, &options)
        .map_err(|error| Failure::new(format!("{}: {error}", sketch.name)))?;
    let problem = Arc::new(problem);
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(&sketch.name));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, &error))?;
    let fresh = args.search || args.resume || args.canonical || args.published;
    if let Some(gait) = Gait::built_in(&sketch.name)?.filter(|_| !fresh)
        && gait.character == sketch.character
        && GaitSketch::built_in(&sketch.name).is_ok_and(|known| known == sketch)
    {
        return play(&body, &sketch, gait, &folder);
    }
    let checkpoint = folder.join("search.bin");
    let mut search = if args.resume {
        Search::resume(Arc::clone(&problem), &checkpoint, args.threads)
            .map_err(|error| Failure::new(error.to_string()).about(&checkpoint))?
    } else {
        let method = if args.published { Method::Published } else { Method::Direct };
        let options = SearchOptions { method, seed: context.seed, ..SearchOptions::default() };
        Search::new(Arc::clone(&problem), &options, args.threads)
            .map_err(|error| Failure::new(error.to_string()))?
    };
    look(&mut search, args.minutes, &checkpoint, context)?;
    let Some(best) = search.best().cloned() else {
        return Err(Failure::new("the search was stopped before its first samples"));
    };
    let mut gait = Gait::new(&problem, &best);
    gait.made_by = format!("andante gait {} --search --seed {}", args.sketch, context.seed);
    let candidate = problem.decode(&best.point);
    let story = Story {
        history: search.history(),
        evaluations: search.evaluations(),
        seconds: search.seconds(),
        complaints: problem.complaints(&best.trial),
    };
    report(&problem, gait, &candidate, &story, &folder)
}

/// How a gait was found; nothing of it if that was before.
#[derive(Default)]
struct Story<'a> {
    history: &'a [Progress],
    evaluations: u64,
    seconds: f64,
    complaints: Vec<String>,
}

/// A gait that was found before.
fn play(body: &Body, sketch: &GaitSketch, gait: Gait, folder: &Path) -> Result<Report, Failure> {
    let options =
        ProblemOptions { step: gait.step, friction: gait.friction, ..ProblemOptions::default() };
    let problem = GaitProblem::new(body, sketch, &options)
        .map_err(|error| Failure::new(format!("{}: {error}", sketch.name)))?;
    let candidate = gait
        .candidate(&problem)
        .ok_or_else(|| Failure::new(format!("the gait of `{}` is of another body", sketch.name)))?;
    report(&problem, gait, &candidate, &Story::default(), folder)
}

/// A built-in sketch, or a file.
fn find(name: &str) -> Result<GaitSketch, Failure> {
    if SKETCHES.iter().any(|(known, _)| *known == name) {
        return Ok(GaitSketch::built_in(name)?);
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.exists() {
        return Ok(read_sketch_file(path)?);
    }
    Err(Failure::new(format!("there is no sketch `{name}`"))
        .hint("`andante sketches` lists the built-in ones; a file ends in .toml"))
}

/// Steps until the gait is found, time is up or someone has had enough. What was found is kept at every step.
fn look(
    search: &mut Search,
    minutes: f64,
    checkpoint: &Path,
    context: &Context,
) -> Result<(), Failure> {
    let bar = if context.quiet || context.json {
        ProgressBar::hidden()
    } else {
        let style = ProgressStyle::with_template("{spinner} {msg}");
        ProgressBar::new_spinner()
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    };
    let began = search.seconds();
    while !search.is_over() && search.seconds() - began < 60.0 * minutes && !context.stopped() {
        search.step();
        search
            .save(checkpoint)
            .map_err(|error| Failure::new(error.to_string()).about(checkpoint))?;
        if let Some(now) = search.history().last() {
            bar.set_message(format!(
                "{}: {} simulations in {:.0} s, {:.2} m/s, effort {:.0} N²m², largest residual {:.2} of its tolerance, \
                 {} limits violated",
                search.activity(),
                now.evaluations,
                search.seconds(),
                now.speed,
                now.effort,
                now.residual,
                now.violated,
            ));
            bar.tick();
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn report(
    problem: &GaitProblem,
    gait: Gait,
    candidate: &Candidate,
    story: &Story,
    folder: &Path,
) -> Result<Report, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let cycle = problem.cycle(candidate);
    let survived = problem.run(candidate, None, ALONE, None).cycles;
    let feedback = gait
        .valid
        .then(|| Feedback::new(problem, candidate, &FeedbackOptions::default()))
        .flatten();
    let held = feedback.map(|feedback| problem.run(candidate, Some(&feedback), HELD, None).cycles);

    let text = gait.to_toml().map_err(|error| fail(&error))?;
    let mut written = vec![folder.join("gait.toml")];
    write_atomically(&written[0], text.as_bytes())
        .map_err(|error| Failure::write(&written[0], &error))?;
    let puppet = Puppet::new(problem.body()).map_err(|error| fail(&error))?;
    let clip = cycle
        .clip(problem, &puppet, &problem.sketch().name, CYCLES)
        .map_err(|error| fail(&error))?;
    let asset = Asset { mesh: Some(puppet.skin), ..Asset::new(puppet.skeleton, vec![clip]) };
    for name in ["gait.glb", "gait.bvh"] {
        written.extend(write_file(&folder.join(name), &asset, &gltf::WriteOptions::default())?);
    }
    let repertoire = cycle
        .repertoire(problem, &problem.sketch().name)
        .map_err(|error| error.to_string())
        .map(|repertoire| repertoire.to_bytes());
    if let Ok(bytes) = &repertoire {
        let path = folder.join("gait.repertoire");
        write_atomically(&path, bytes).map_err(|error| Failure::write(&path, &error))?;
        written.push(path);
    }
    let picture = folder.join("gait.svg");
    write_atomically(&picture, draw(problem, &gait, story, &cycle).as_bytes())
        .map_err(|error| Failure::write(&picture, &error))?;
    written.push(picture);

    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {}{}\n  {:.2} m/s, a cycle in {:.2} s, {:.0} % of it in the air\n  \
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
        survived,
        held.map_or(String::new(), |held| format!(", with feedback for {held:.0} of {HELD}")),
    );
    for complaint in &story.complaints {
        text.push_str(&format!("  {complaint}\n"));
    }
    if let Err(reason) = &repertoire {
        text.push_str(&format!("  {FAINT}not for a repertoire: {reason}{FAINT:#}\n"));
    }
    if !gait.valid {
        let folder = folder.display();
        text.push_str(&format!(
            "  {FAINT}the best so far is kept; `--resume -o {folder}` goes on from here{FAINT:#}\n"
        ));
    }
    for path in &written {
        text.push_str(&format!("written to {}\n", path.display()));
    }
    let feet = problem.body().feet().iter().enumerate();
    let contacts: serde_json::Map<String, serde_json::Value> = feet
        .filter(|(_, foot)| !foot.disregarded)
        .map(|(index, foot)| (foot.name.clone(), json!(cycle.contacts(index, 0))))
        .collect();
    let json = json!({
        "sketch": gait.sketch, "character": gait.character, "converged": gait.valid, "speed_mps": gait.speed,
        "energy": gait.effort, "cost_of_transport": gait.cost_of_transport, "residual_max": gait.residual,
        "evaluations": story.evaluations, "seconds": story.seconds, "cycles_survived": survived,
        "cycles_with_feedback": held, "made_by": gait.made_by,
        "period_s": cycle.period, "aerial_fraction": cycle.aerial_fraction(), "violated": story.complaints, "contacts": contacts,
        "files": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    });
    Ok(Report { text, json, exit: u8::from(!gait.valid) })
}

/// How the search went, when feet are down, and what it looks like.
fn draw(problem: &GaitProblem, gait: &Gait, story: &Story, cycle: &Cycle) -> String {
    let state = if gait.valid { "a valid cycle" } else { "the best so far, not yet valid" };
    let mut sheet = Sheet::new(format!("{}: {state}", problem.sketch().name));
    let history = story.history;
    let curve = |pick: &dyn Fn(usize) -> f64| {
        let stride = history.len().div_ceil(400).max(1);
        (0..history.len()).step_by(stride).map(|index| pick(index) as f32).collect::<Vec<f32>>()
    };
    let seconds = story.seconds as f32;
    if !history.is_empty() {
        sheet.add(
            LineChart::new(
                "largest residual of the cycle, log₁₀ of its tolerance: below 0 it closes",
                seconds,
            )
            .curve("residual", curve(&|index| history[index].residual.max(1e-3).log10()))
            .draw(),
        );
        sheet.add(
            LineChart::new("violated limits of the best so far", seconds)
                .curve("violated", curve(&|index| history[index].violated as f64))
                .draw(),
        );
        sheet.add(
            LineChart::new("speed of the best so far, m/s", seconds)
                .curve("speed", curve(&|index| history[index].speed))
                .draw(),
        );
    }
    let mut footfalls = BarChart::new("feet on the ground, two cycles", 2.0 * cycle.period as f32);
    for (index, foot) in problem.body().feet().iter().enumerate() {
        if foot.disregarded {
            continue;
        }
        for (part, name) in ["toe", "heel"].iter().enumerate() {
            let once = cycle.contacts(index, part);
            let twice = [0.0, cycle.period]
                .iter()
                .flat_map(|&later| once.iter().map(move |[a, b]| [a + later, b + later]))
                .map(|[a, b]| [a as f32, b as f32])
                .collect();
            footfalls = footfalls.row(format!("{}, {name}", foot.name), twice);
        }
    }
    sheet.add(footfalls.draw());
    let mut gallery = Gallery::new("one cycle", FIGURES).on_ground();
    for figure in 0..FIGURES {
        let time = cycle.period * figure as f64 / FIGURES as f64;
        let placed = cycle.at(time).place(problem.body(), problem.pose());
        let drawn = body_figure(problem.body(), &placed, &[], View::Side);
        gallery = gallery.figure(drawn, vec![format!("{time:.2} s")]);
    }
    sheet.add(gallery.draw());
    sheet.to_svg()
}
