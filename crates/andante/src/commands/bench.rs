//! `andante bench`.

use crate::args::BenchArgs;
use crate::context::CliContext;
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
use andante_skeleton::{BlendLayer, Character, CompactClip, Pose, Wrap, blend, humanoid};
use andante_stage::{CharacterPlan, Clock, Command, Scene, Stage, Waypoint, plan_character};
use andante_world::{Obstacle, ObstacleShape, Terrain};
use glam::{Vec2, Vec3};
use indicatif::ProgressBar;
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

/// Costs while they are measured.
struct CostList<'a> {
    context: &'a CliContext,
    repeats: usize,
    seed: u64,
    progress: ProgressBar,
    costs: Vec<HeadlineCost>,
}

pub fn run(args: &BenchArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    if args.repeats == 0 {
        return Err(Failure::new("--repeats 0: must be at least 1"));
    }
    let progress = context.progress(25, "measuring");
    let (repeats, seed) = (args.repeats, context.seed);
    let mut list = CostList { context, repeats, seed, progress, costs: Vec::new() };
    list.measure().map_err(|error| match error.downcast::<Stopped>() {
        Ok(_) => Failure::stopped(),
        Err(error) => Failure::new(error.to_string()),
    })?;
    let costs = list.costs;
    let rows: Vec<Vec<String>> = costs
        .iter()
        .map(|cost| vec![cost.name.into(), format!("{:.3}", cost.value), cost.unit.into()])
        .collect();
    // Peers are compared in `cargo bench`, so that the command does not have to carry them.
    let row = |cost: &HeadlineCost| json!({ "name": cost.name, "value": cost.value, "unit": cost.unit, "peer": null, "peer_value": null, "ratio": null });
    Ok(CommandReport::done(table(&rows, &[1]), costs.iter().map(row).collect()))
}

/// Somebody has had enough.
#[derive(Debug)]
struct Stopped;

impl Error for Stopped {}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl CostList<'_> {
    fn measure(&mut self) -> Result<(), Box<dyn Error>> {
        let human = humanoid();
        self.poses(&human)?;
        self.clips(&human)?;
        self.planning(&human)?;
        self.physics()?;
        self.search()?;
        self.progress.finish_and_clear();
        Ok(())
    }

    fn add(&mut self, name: &'static str, value: f64, unit: &'static str) {
        self.costs.push(HeadlineCost { name, value, unit });
    }

    /// The middle of several times, after one that does not count.
    fn median(&mut self, work: &mut dyn FnMut()) -> Result<f64, Stopped> {
        work();
        let mut seconds = Vec::with_capacity(self.repeats);
        for _ in 0..self.repeats {
            self.go_on()?;
            seconds.push(clock(work));
        }
        self.progress.inc(1);
        Ok(quantile(seconds, 0.5))
    }

    fn go_on(&self) -> Result<(), Stopped> {
        if self.context.stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Sampling, blending and adapting: what every frame of a character costs.
    fn poses(&mut self, human: &Character) -> Result<(), Box<dyn Error>> {
        let skeleton = &human.skeleton;
        let rest = Pose::rest(skeleton);
        let clips = ["walk", "walk-left", "walk-brisk"]
            .map(|name| synth::clip(human, name).map(|made| CompactClip::new(&made.clip)));
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
        let seconds = self.median(&mut || {
            (0..1000).for_each(|step| frame(black_box(&mut one), step as f32 * 0.013));
        })?;
        self.add("three clips sampled, blended, model transforms; 26 joints", seconds * 1e3, "µs");
        let mut crowd: Vec<_> = (0..10_000).map(|_| buffers()).collect();
        let seconds = self.median(&mut || {
            crowd
                .par_iter_mut()
                .with_min_len(64)
                .enumerate()
                .for_each(|(index, one)| frame(one, index as f32 * 0.013));
        })?;
        self.add("the same for 10000 characters on all cores", seconds * 1e3, "ms");

        let repertoire = Arc::new(andante_motion::repertoire::built_in(human)?);
        let mut player = GaitPlayer::new(repertoire, PlayerOptions::default())?;
        let mut step = 0u32;
        let seconds = self.median(&mut || {
            for _ in 0..1000 {
                step += 1;
                let sway = libm::sinf(step as f32 * 0.01);
                player.advance(1.0 / 60.0, 1.4 + 0.4 * sway, 0.4 * sway);
            }
        })?;
        self.add(
            "gait player, one frame of changing speed and turn; 26 joints",
            seconds * 1e3,
            "µs",
        );

        let clip = Arc::new(synth::clip(human, "walk")?.ground_clip(&Arc::new(human.clone()))?);
        let hills: Terrain = "hills:0.25:4".parse()?;
        let mut walker = Grounding::new(clip, Start::default(), GroundingOptions::default())?;
        let mut pose = rest.clone();
        let seconds = self.median(&mut || {
            for _ in 0..1000 {
                walker.step(1.0 / 60.0, &Input::default(), &hills, &mut pose);
            }
        })?;
        self.add("one frame of a walk adapted to hills; 26 joints", seconds * 1e3, "µs");
        Ok(())
    }

    /// Clips made, looked at, corrected, read and written.
    fn clips(&mut self, human: &Character) -> Result<(), Box<dyn Error>> {
        let skeleton = &human.skeleton;
        let seconds = self.median(&mut || {
            let _ = black_box(synth::locomotion(human, &GaitRequest::ahead(1.4)));
        })?;
        self.add("one stride synthesised", seconds * 1e3, "ms");

        let stride = synth::clip(human, "walk")?.clip;
        let mut walk = stride.clone();
        let join = JoinOptions { align: true, fade: 0.0 };
        while walk.duration() < 10.0 {
            walk = edit::concatenate(skeleton, &walk, &stride, &join)?;
        }
        let looking = AnalysisOptions::default();
        let contacts = analyse(skeleton, &human.rig, &walk, &looking)?.contacts;
        let seconds = self.median(&mut || {
            let _ = black_box(analyse(skeleton, &human.rig, &walk, &looking));
        })?;
        self.add("ten seconds analysed", seconds * 1e3, "ms");
        let planting = PlantOptions::default();
        let seconds = self.median(&mut || {
            let _ = black_box(edit::plant_feet(skeleton, &human.rig, &walk, &contacts, &planting));
        })?;
        self.add("ten seconds planted", seconds * 1e3, "ms");

        let text = bvh::write(skeleton, &walk, &bvh::BvhWriteOptions::default());
        let seconds = self.median(&mut || {
            let _ = black_box(bvh::read(text.as_bytes(), "walk", &ReadOptions::default()));
        })?;
        self.add("BVH read into a clip", text.len() as f64 / seconds / 1e6, "MB/s");
        let seconds = self.median(&mut || {
            black_box(bvh::write(skeleton, &walk, &bvh::BvhWriteOptions::default()));
        })?;
        self.add("BVH written", text.len() as f64 / seconds / 1e6, "MB/s");
        Ok(())
    }

    /// A whole scene, and walks as a stage plans and repairs them: ten ways for each repeat, through a car park, to
    /// places that the seed chooses.
    fn planning(&mut self, human: &Character) -> Result<(), Box<dyn Error>> {
        let scene = Scene::built_in("jumps")?;
        let everything = Arc::new(andante_motion::repertoire::built_in(human)?);
        let seconds = self.median(&mut || {
            let _ = black_box(plan_character(&scene, &scene.characters[0], human, &everything));
        })?;
        self.add("the scene `jumps` planned and performed, 18 s of motion", seconds * 1e3, "ms");

        let mut scene = Scene::built_in("parking")?;
        // It goes where it is told here, not where the scene sends it.
        scene.orders.clear();
        // Repairs are made in the step itself, not beside it.
        scene.settings.planner.plan_rate = 1e9;
        let mut stage = Stage::new(&scene, self.seed)?;
        stage.set_clock(Clock::new(super::run::seconds));
        // What is prepared once for a world does not count.
        stage.plan(0, scene.characters[0].goal, false)?;
        let (mut plans, mut repairs) = (Vec::new(), Vec::new());
        for index in 0..10 * self.repeats {
            self.go_on()?;
            let to = place_in(&scene, self.seed.wrapping_add(index as u64));
            let began = Instant::now();
            // Some places are under cars.
            let Ok(plan) = black_box(stage.plan(0, to, false)) else { continue };
            plans.push(began.elapsed().as_secs_f64());
            repairs.extend(repair_seconds(stage.clone(), to, &plan));
        }
        self.progress.inc(2);
        self.add("a walk planned on a stage, median", quantile(plans.clone(), 0.5) * 1e3, "ms");
        self.add("a walk planned on a stage, 99th percentile", quantile(plans, 0.99) * 1e3, "ms");
        let half = quantile(repairs.clone(), 0.5) * 1e3;
        self.add("a walk repaired in its next step, median", half, "ms");
        let most = quantile(repairs, 0.99) * 1e3;
        self.add("a walk repaired in its next step, 99th percentile", most, "ms");
        self.crowds()
    }

    /// Frames of crowds on open ground, one after the other without a pause; ten seconds of each.
    fn crowds(&mut self) -> Result<(), Box<dyn Error>> {
        let far = "a frame of 1000 who walk and are far from the viewer";
        for (people, half, worst) in [
            (10, "a frame of 10 who walk, median", "a frame of 10 who walk, worst"),
            (100, "a frame of 100 who walk, median", "a frame of 100 who walk, worst"),
            (1000, "a frame of 1000 who walk, median", "a frame of 1000 who walk, worst"),
            (2000, "a frame of 2000 who walk, median", "a frame of 2000 who walk, worst"),
            (1000, far, "the same, worst"),
        ] {
            let mut stage = Stage::new(&Scene::crowd_of(people, self.seed), self.seed)?;
            if half == far {
                stage.set_viewer(Some(Vec3::new(5e3, 0.0, 0.0)))?;
            }
            let mut frames = Vec::with_capacity(600);
            for _ in 0..600 {
                self.go_on()?;
                frames.push(clock(&mut || stage.step(1.0 / 60.0)) * 1e3);
            }
            self.progress.inc(1);
            self.add(half, quantile(frames.clone(), 0.5), "ms");
            self.add(worst, frames.into_iter().fold(0.0, f64::max), "ms");
        }
        Ok(())
    }

    /// Bodies that are moved by forces.
    fn physics(&mut self) -> Result<(), Box<dyn Error>> {
        let body = creature("humanoid")?;
        let standing = &body.poses()[0];
        let seconds = self.median(&mut || {
            let _ = black_box(Modes::find(&body, standing, &[]));
        })?;
        self.add("natural modes of the humanoid", seconds * 1e3, "ms");
        let settings = PhysicsSettings::default();
        let model = Arc::new(BodyModel::new(&body, standing, &settings)?.model);
        let mut fallen = Simulation::<f64x4>::new(model, PhysicalTerrain::level(), settings)?;
        let seconds = self.median(&mut || {
            for _ in 0..100 {
                fallen.step();
            }
        })?;
        self.add(
            "one step of the humanoid on the ground, four in one thread, each",
            seconds * 1e6 / 400.0,
            "µs",
        );

        let people = People::new(50)?;
        let mut one = people.crowd[..1].to_vec();
        let seconds = self.median(&mut || people.second(&mut one))?;
        self.add("a pushed physical human, one 240 Hz step", seconds / 240.0 * 1e6, "µs");
        let mut all = people.crowd.clone();
        let seconds = self.median(&mut || people.second(&mut all))?;
        self.add("50 pushed physical humans on all cores, one second", seconds * 1e3, "ms");
        Ok(())
    }

    /// The search for the gait of a sketch.
    fn search(&mut self) -> Result<(), Box<dyn Error>> {
        let (body, sketch) = (creature("humanoid")?, GaitSketch::built_in("basic-run")?);
        let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
        let points: Vec<Vec<f64>> = (0..16 * LANES)
            .map(|k| {
                let start = problem.start().into_iter().enumerate();
                start.map(|(n, unit)| unit + 0.02 * libm::sin((k * 31 + n * 17) as f64)).collect()
            })
            .collect();
        let (single, two) =
            (Evaluator::new(Arc::clone(&problem), 1)?, Evaluator::new(Arc::clone(&problem), 2)?);
        // By turns, so that a machine that gets slower does so for all of them.
        let mut times: Vec<[f64; 3]> = Vec::with_capacity(self.repeats);
        for _ in 0..self.repeats {
            self.go_on()?;
            let alone = clock(&mut || {
                for point in &points[..LANES] {
                    black_box(single.evaluate_alone(point));
                }
            }) * (points.len() / LANES) as f64;
            let lanes = clock(&mut || drop(black_box(single.evaluate(&points))));
            let threads = clock(&mut || drop(black_box(two.evaluate(&points))));
            times.push([alone, lanes, threads]);
        }
        let middle = |of: fn(&[f64; 3]) -> f64| quantile(times.iter().map(of).collect(), 0.5);
        self.progress.inc(3);
        let rate = points.len() as f64 / middle(|times| times[1]);
        self.add("simulations of the sketch of a run in a search, one thread", rate, "1/s");
        let lanes = middle(|times| times[0] / times[1]);
        self.add("speed-up of simulating four in one thread", lanes, "×");
        self.add("speed-up of a second thread", middle(|times| times[1] / times[2]), "×");
        let mut search = Search::new(Arc::clone(&problem), &SearchOptions::default(), 1)?
            .timed(super::run::seconds);
        for _ in 0..4 * self.repeats {
            self.go_on()?;
            search.step();
        }
        self.add("part of a search's time spent simulating", 100.0 * search.simulating(), "%");
        self.progress.inc(1);
        Ok(())
    }
}

/// A place on the first platform of a scene, another one for each number, evenly spread.
fn place_in(scene: &Scene, number: u64) -> Waypoint {
    let corners = scene.ground.iter().take(1).flat_map(|patch| &patch.platform.outline);
    let (low, high) = corners.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), corner| {
        (low.min(*corner), high.max(*corner))
    });
    // The steps of Roberts' sequence: the plane is filled without gaps and clusters.
    let part = |step: f64| ((number % 1_000_000) as f64 * step).fract() as f32;
    let place = low + (high - low) * Vec2::new(part(0.754_877_666), part(0.569_840_291));
    Waypoint { place, height: None, heading: None }
}

/// What it costs to put a post into the way of somebody who has walked for two seconds: the call and the step after it,
/// in which the walk is repaired. None if the way is too short or nothing is planned again.
fn repair_seconds(mut stage: Stage, to: Waypoint, plan: &CharacterPlan) -> Option<f64> {
    let motion = &plan.performance;
    let begun = (2.0 * motion.clip.fps()) as usize;
    let here = motion.body.get(begun)?.position;
    let ahead = motion.body[begun..].iter().find(|place| place.position.distance(here) > 3.0)?;
    stage.command(0, Command::WalkTo(to)).ok()?;
    while stage.time() < 2.0 {
        stage.step(1.0 / 60.0);
    }
    let post = Obstacle {
        name: "post".into(),
        shape: ObstacleShape::Cylinder { radius: 0.2, height: 1.2 },
        at: Vec3::new(ahead.position.x, 0.0, ahead.position.y),
        heading: 0.0,
    };
    let planned = stage.timings().steps.total;
    let mut placed = false;
    let seconds = clock(&mut || {
        placed = stage.place_obstacle(post.clone()).is_ok();
        stage.step(1.0 / 60.0);
    });
    (placed && stage.timings().steps.total > planned).then_some(seconds)
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

/// Seconds that some work takes.
fn clock(work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The value that a part of all values is not above; not a number if there are none.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN)
}
