//! `andante bench`.

use crate::args::BenchArgs;
use crate::context::{self, CliContext};
use crate::failure::Failure;
use crate::report::{CommandReport, table};
use andante_body::{BodyModel, Physique, Push, RecoveryController, RecoveryOptions, creature};
use andante_dynamics::{ContactTerrain as PhysicalTerrain, PhysicsSettings, Simulation, f64x4};
use andante_formats::{ReadOptions, bvh};
use andante_gait::Modes;
use andante_gait::{
    Evaluator, GaitProblem, GaitSketch, LANES, ProblemOptions, Search, SearchOptions,
};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{self, JoinOptions, PlantOptions};
use andante_motion::synth::{self, GaitRequest};
use andante_play::blend_space::{GaitPlayer, PlayerOptions};
use andante_play::{Grounding, GroundingOptions, Input, Start};
use andante_skeleton::{BlendLayer, CompactClip, Pose, Wrap, blend, humanoid};
use andante_stage::{Scene, plan_character};
use andante_world::Terrain;
use rayon::prelude::*;
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// One headline cost.
struct HeadlineCost {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

pub fn run(args: &BenchArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    if args.repeats == 0 {
        return Err(Failure::new("--repeats 0: must be at least 1"));
    }
    let costs = measure(args.repeats, context).map_err(|error| Failure::new(error.to_string()))?;
    let rows: Vec<Vec<String>> = costs
        .iter()
        .map(|cost| vec![cost.name.into(), format!("{:.3}", cost.value), cost.unit.into()])
        .collect();
    // Peers are compared in `cargo bench`, so that the command does not have to carry them.
    let row = |cost: &HeadlineCost| json!({ "name": cost.name, "value": cost.value, "unit": cost.unit, "peer": null, "peer_value": null, "ratio": null });
    Ok(CommandReport::done(table(&rows, &[1]), costs.iter().map(row).collect()))
}

fn measure(repeats: usize, context: &CliContext) -> Result<Vec<HeadlineCost>, Box<dyn Error>> {
    const CROWD: usize = 10_000;
    let progress = context.progress(18, "measuring");
    let median = |work: &mut dyn FnMut()| {
        let seconds = median_seconds(repeats, work);
        progress.inc(1);
        seconds
    };
    let mut costs = Vec::new();
    let mut add = |name, value, unit| costs.push(HeadlineCost { name, value, unit });

    let human = humanoid();
    let skeleton = &human.skeleton;
    let rest = Pose::rest(skeleton);
    let clips = ["walk", "walk-left", "walk-brisk"]
        .map(|name| synth::clip(&human, name).map(|made| CompactClip::new(&made.clip)));
    let [a, b, c] = clips;
    let clips = [a?, b?, c?];
    let frame = |buffers: &mut [Pose; 5], time: f32| {
        let [a, b, c, mixed, models] = buffers;
        for (clip, pose) in clips.iter().zip([&mut *a, &mut *b, &mut *c]) {
            clip.sample(time, Wrap::Loop, pose);
        }
        blend(
            &rest,
            &[BlendLayer::new(a, 0.5), BlendLayer::new(b, 0.3), BlendLayer::new(c, 0.2)],
            mixed,
        );
        skeleton.local_to_model(mixed, models);
    };
    let buffers = || [rest.clone(), rest.clone(), rest.clone(), rest.clone(), rest.clone()];
    let mut one = buffers();
    let seconds =
        median(&mut || (0..1000).for_each(|step| frame(black_box(&mut one), step as f32 * 0.013)));
    add("three clips sampled, blended, model transforms; 26 joints", seconds * 1e3, "µs");
    let mut crowd: Vec<_> = (0..CROWD).map(|_| buffers()).collect();
    let seconds = median(&mut || {
        crowd
            .par_iter_mut()
            .with_min_len(64)
            .enumerate()
            .for_each(|(index, one)| frame(one, index as f32 * 0.013));
    });
    add("the same for 10000 characters on all cores", seconds * 1e3, "ms");

    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human)?);
    let mut player = GaitPlayer::new(repertoire, PlayerOptions::default())?;
    let mut step = 0u32;
    let seconds = median(&mut || {
        for _ in 0..1000 {
            step += 1;
            let sway = (step as f32 * 0.01).sin();
            player.advance(1.0 / 60.0, 1.4 + 0.4 * sway, 0.4 * sway);
        }
    });
    add("gait player, one frame of changing speed and turn; 26 joints", seconds * 1e3, "µs");

    let seconds = median(&mut || {
        let _ = black_box(synth::locomotion(&human, &GaitRequest::ahead(1.4)));
    });
    add("one stride synthesised", seconds * 1e3, "ms");

    let stride = synth::clip(&human, "walk")?.clip;
    let mut walk = stride.clone();
    while walk.duration() < 10.0 {
        walk =
            edit::concatenate(skeleton, &walk, &stride, &JoinOptions { align: true, fade: 0.0 })?;
    }
    let contacts = analyse(skeleton, &human.rig, &walk, &AnalysisOptions::default())?.contacts;
    let seconds = median(&mut || {
        let _ = black_box(analyse(skeleton, &human.rig, &walk, &AnalysisOptions::default()));
    });
    add("ten seconds analysed", seconds * 1e3, "ms");
    let seconds = median(&mut || {
        let _ = black_box(edit::plant_feet(
            skeleton,
            &human.rig,
            &walk,
            &contacts,
            &PlantOptions::default(),
        ));
    });
    add("ten seconds planted", seconds * 1e3, "ms");

    let clip = Arc::new(synth::clip(&human, "walk")?.ground_clip(&Arc::new(human.clone()))?);
    let hills: Terrain = "hills:0.25:4".parse()?;
    let mut walker = Grounding::new(clip, Start::default(), GroundingOptions::default());
    let mut pose = rest.clone();
    let seconds = median(&mut || {
        for _ in 0..1000 {
            walker.step(1.0 / 60.0, &Input::default(), &hills, &mut pose);
        }
    });
    add("one frame of a walk adapted to hills; 26 joints", seconds * 1e3, "µs");

    let scene = Scene::built_in("jumps")?;
    let everything = Arc::new(andante_motion::repertoire::built_in(&human)?);
    let seconds = median(&mut || {
        let _ = black_box(plan_character(&scene, &scene.characters[0], &human, &everything));
    });
    add("the scene `jumps` planned and performed, 18 s of motion", seconds * 1e3, "ms");

    let body = creature("humanoid")?;
    let standing = &body.poses()[0];
    let seconds = median(&mut || {
        let _ = black_box(Modes::find(&body, standing, &[]));
    });
    add("natural modes of the humanoid", seconds * 1e3, "ms");
    let model = Arc::new(BodyModel::new(&body, standing, &PhysicsSettings::default())?.model);
    let mut fallen =
        Simulation::<f64x4>::new(model, PhysicalTerrain::level(), PhysicsSettings::default())?;
    let seconds = median(&mut || {
        for _ in 0..100 {
            fallen.step();
        }
    });
    add(
        "one step of the humanoid on the ground, four in one thread, each",
        seconds * 1e6 / 400.0,
        "µs",
    );

    let people = People::new(50)?;
    let mut one = people.crowd[..1].to_vec();
    let seconds = median(&mut || people.second(&mut one));
    add("a pushed physical human, one 240 Hz step", seconds / 240.0 * 1e6, "µs");
    let mut all = people.crowd.clone();
    let seconds = median(&mut || people.second(&mut all));
    add("50 pushed physical humans on all cores, one second", seconds * 1e3, "ms");

    let sketch = GaitSketch::built_in("basic-run")?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let points: Vec<Vec<f64>> = (0..16 * LANES)
        .map(|k| {
            let start = problem.start().into_iter().enumerate();
            start.map(|(n, unit)| unit + 0.02 * ((k * 31 + n * 17) as f64).sin()).collect()
        })
        .collect();
    let (single, two) =
        (Evaluator::new(Arc::clone(&problem), 1)?, Evaluator::new(Arc::clone(&problem), 2)?);
    // By turns, so that a machine that gets slower does so for all of them.
    let clock = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    let mut times: Vec<[f64; 3]> = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let alone = clock(&mut || {
            for point in &points[..LANES] {
                black_box(single.evaluate_alone(point));
            }
        }) * (points.len() / LANES) as f64;
        let lanes = clock(&mut || drop(black_box(single.evaluate(&points))));
        let threads = clock(&mut || drop(black_box(two.evaluate(&points))));
        times.push([alone, lanes, threads]);
    }
    let middle = |of: fn(&[f64; 3]) -> f64| {
        let mut values: Vec<f64> = times.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    progress.inc(3);
    let rate = points.len() as f64 / middle(|times| times[1]);
    add("simulations of the sketch of a run in a search, one thread", rate, "1/s");
    add("speed-up of simulating four in one thread", middle(|times| times[0] / times[1]), "×");
    add("speed-up of a second thread", middle(|times| times[1] / times[2]), "×");
    let mut search =
        Search::new(Arc::clone(&problem), &SearchOptions::default(), 1)?.timed(context::seconds);
    for _ in 0..4 * repeats {
        search.step();
    }
    add("part of a search's time spent simulating", 100.0 * search.simulating(), "%");
    progress.inc(1);

    let text = bvh::write(skeleton, &walk, &bvh::BvhWriteOptions::default());
    let seconds = median(&mut || {
        let _ = black_box(bvh::read(text.as_bytes(), "walk", &ReadOptions::default()));
    });
    add("BVH read into a clip", text.len() as f64 / seconds / 1e6, "MB/s");
    let seconds = median(&mut || {
        black_box(bvh::write(skeleton, &walk, &bvh::BvhWriteOptions::default()));
    });
    add("BVH written", text.len() as f64 / seconds / 1e6, "MB/s");
    progress.finish_and_clear();
    Ok(costs)
}

/// Physical humans that stand and are pushed every now and then.
struct People {
    physique: Physique,
    crowd: Vec<(Simulation<f64>, RecoveryController, Push)>,
}

impl People {
    fn new(count: usize) -> Result<Self, Box<dyn Error>> {
        let body = creature("humanoid")?;
        let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
        let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
        let mut crowd = Vec::with_capacity(count);
        for push in Push::random(count, 40.0, 1) {
            let level = PhysicalTerrain::level();
            let simulation = Simulation::new(physique.model.clone(), level, settings.clone())?;
            let survivor = RecoveryController::new(&physique, RecoveryOptions::default())?;
            crowd.push((simulation, survivor, push));
        }
        Ok(People { physique, crowd })
    }

    /// A second of everybody's life, in which each is pushed once.
    fn second(&self, people: &mut [(Simulation<f64>, RecoveryController, Push)]) {
        people.par_iter_mut().for_each(|(simulation, survivor, push)| {
            let push = Push { at: simulation.time() + push.at, ..*push };
            for _ in 0..240 {
                push.apply(&self.physique, simulation);
                survivor.drive(&self.physique, simulation);
                simulation.step();
            }
        });
    }
}

/// The middle of several times, after one that does not count.
fn median_seconds(repeats: usize, work: &mut dyn FnMut()) -> f64 {
    work();
    let mut seconds: Vec<f64> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[repeats / 2]
}
