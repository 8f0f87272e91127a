//! `andante plan`, and what `andante run` shares with it.

use super::check::{self, words};
use super::run::seconds;
use super::select;
use crate::args::PlanArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, draw};
use andante_check::{CheckSettings, Demand, DemandedSpot, Verdict};
use andante_draw::{LineChart, PlanView, Sheet};
use andante_formats::ReadLimits;
use andante_skeleton::Character;
use andante_stage::{
    CharacterFile, CharacterPlan, CharacterSpec, Clock, MovingPlatform, Scene, Stage, Waypoint,
    built_in_scenes, read_scene_file_within,
};
use andante_take::{RigidTrack, Take, TakeHead, Track};
use glam::Vec2;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

pub fn run(args: &PlanArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    select::check_picture(args.svg.as_deref())?;
    let scene = cast(scene(&args.scene, &context.limits)?, args.character.as_deref(), context)?;
    let planned = planned(&scene)?;
    let mut text = summary(&scene, &planned);
    if let Some(path) = &args.svg {
        text.push_str(&draw(path, &picture(&scene, &planned))?);
    }
    Ok(CommandReport { text, json: json_of(&scene, &planned), exit: exit(&planned) })
}

/// A character of a scene and the plan of its part, or why there is none.
pub struct PlanResult {
    pub character: Character,
    pub plan: Result<CharacterPlan, String>,
    /// What is to be said against it.
    pub verdict: Verdict,
}

impl PlanResult {
    /// Whether there is a plan, and nothing is to be said against it.
    fn is_reached(&self) -> bool {
        self.plan.is_ok() && self.verdict.is_ok()
    }
}

/// A scene by name or from a file.
pub fn scene(name: &str, limits: &ReadLimits) -> Result<Scene, Failure> {
    let path = Path::new(name);
    if !path.is_file() && built_in_scenes().iter().any(|scene| scene.name == name) {
        return Ok(Scene::built_in(name)?);
    }
    if !path.exists() {
        return Err(Failure::new(format!("{name}: neither a built-in scene nor a file"))
            .hint("`andante scenes` lists the built-in ones"));
    }
    Ok(read_scene_file_within(path, limits)?)
}

/// A scene in which everybody is the character of a file, if there is one. What is odd about files of characters is told.
pub fn cast(
    mut scene: Scene,
    character: Option<&Path>,
    context: &CliContext,
) -> Result<Scene, Failure> {
    if let Some(path) = character {
        if path.extension().is_none() || !path.exists() {
            return Err(Failure::of_file(path, "there is no such file of bones and skin"));
        }
        for part in &mut scene.characters {
            part.character = path.to_string_lossy().into_owned();
            (part.repertoire, part.height) = (None, None);
        }
    }
    let files = scene.characters.iter().map(|part| (part.character.clone(), part.height.is_some()));
    for (file, sized) in files.collect::<BTreeSet<_>>() {
        let path = Path::new(&file);
        let height = sized.then_some(1.0);
        if path.extension().is_some()
            && let Ok(read) = CharacterFile::read(path, height, &context.limits)
        {
            context.warn_of(&file, &read.warnings);
        }
    }
    Ok(scene)
}

/// The plan of everybody's way to the last place it is sent to, as the stage makes it.
pub fn planned(scene: &Scene) -> Result<Vec<PlanResult>, Failure> {
    let mut stage = Stage::new(scene, 0).or_fail()?;
    stage.set_clock(Clock::new(seconds));
    let plan = |(who, part): (usize, &CharacterSpec)| -> Result<PlanResult, Failure> {
        let character = stage.actors()[who].character().clone();
        let plan = stage.plan(who, part.goal, part.run).map_err(|error| error.to_string());
        let verdict = match &plan {
            Ok(plan) => verdict(scene, part, &character, plan)?,
            Err(_) => Verdict::default(),
        };
        Ok(PlanResult { character, plan, verdict })
    };
    scene.characters.iter().enumerate().map(plan).collect()
}

/// What is to be said against a plan, as a take of one character alone in its world as that is at the beginning.
fn verdict(
    scene: &Scene,
    part: &CharacterSpec,
    character: &Character,
    plan: &CharacterPlan,
) -> Result<Verdict, Failure> {
    let performance = &plan.performance;
    let mut track = Track::of_clip(character, &performance.clip, performance.contacts.clone());
    track.name = part.name.clone();
    let head = TakeHead {
        name: scene.name.clone(),
        fps: performance.clip.fps(),
        ground: scene.ground.clone(),
        obstacles: scene.obstacles.clone(),
        conditions: scene.settings.physics.conditions(),
        ..TakeHead::default()
    };
    let deck = |platform: &MovingPlatform| RigidTrack {
        outlines: platform.outlines(),
        places: vec![platform.at(0.0)],
        ..RigidTrack::new(&platform.name, platform.mesh())
    };
    let things = scene.moving.iter().map(deck).collect();
    let take = Take { head, tracks: vec![track], things, events: Vec::new() };
    // A plan is the way to one place, in a world that stands still.
    let mut demand = Demand { platforms: None, orders: None, ..scene.demand() };
    let own = scene.characters.iter().position(|other| std::ptr::eq(other, part));
    demand.parts = own.and_then(|own| demand.parts.get(own).cloned()).into_iter().collect();
    let Waypoint { place, height, heading } = part.goal;
    for asked in &mut demand.parts {
        asked.goal = Some(DemandedSpot { place, height, heading });
        // A plan is motion, whatever will move it.
        asked.drive = None;
    }
    let (settings, name) = (CheckSettings::default(), &scene.name);
    let fail = |error| Failure::new(format!("{name}: {error}"));
    let known = plan.verdict_in(character, &scene.ground, &scene.obstacles);
    let Some(mut verdict) = known.filter(|_| scene.moving.is_empty()) else {
        return andante_check::check(&take, Some(&demand), &settings).map_err(fail);
    };
    // It was checked in this very world while it was planned, but for what the scene asks for.
    let ends = andante_check::check_ends(&take, &demand, &settings).map_err(fail)?;
    verdict.violations.iter_mut().for_each(|violation| violation.who = part.name.clone());
    Ok(ends.and(verdict))
}

pub fn exit(planned: &[PlanResult]) -> u8 {
    u8::from(planned.iter().any(|planned| !planned.is_reached()))
}

pub fn summary(scene: &Scene, planned: &[PlanResult]) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}: {}\n", scene.name, scene.about);
    for (part, planned) in scene.characters.iter().zip(planned) {
        let plan = match &planned.plan {
            Ok(plan) => plan,
            Err(reason) => {
                text.push_str(&format!("  {} does not get there: {reason}\n", part.name));
                continue;
            }
        };
        let (m, timings) = (&plan.metrics, &plan.performance.timings);
        let jumps = plan.journey.jumps.len();
        let jumps = match jumps {
            0 => String::new(),
            1 => ", one jump".into(),
            many => format!(", {many} jumps"),
        };
        text.push_str(&format!(
            "  {}: {:.1} m in {:.1} s, {} footsteps{jumps}\n    the goal is missed by {:.2} mm and {:.2}°; feet slide {:.2} mm on average, {:.2} at most\n    \
             {}\n    {} frames; world {:.1} ms, search {:.1} ms, then scoring {:.1}, smoothing {:.1}, refinement {:.1}, body trajectory {:.1}, \
             blend groups {:.1}, inverse kinematics {:.1}, in all {:.1} ms{}\n",
            part.name,
            plan.journey.length,
            plan.performance.seconds(),
            plan.performance.footprints.len(),
            1e3 * m.goal_error_m,
            m.goal_heading_error_deg,
            m.motion.foot_slide_mm_mean,
            m.motion.foot_slide_mm_max,
            touches(scene, plan),
            plan.performance.clip.frame_count(),
            plan.timings.preparation,
            plan.timings.search,
            timings.scoring,
            timings.smoothing,
            timings.refinement,
            timings.body_trajectory,
            timings.blend_groups,
            timings.inverse_kinematics,
            timings.total,
            if plan.timings.corrections > 0.0 {
                format!("; earlier tries {:.1} ms", plan.timings.corrections)
            } else {
                String::new()
            },
        ));
        text.push_str(&words(&planned.verdict));
    }
    text
}

/// What the body runs into, in words.
fn touches(scene: &Scene, plan: &CharacterPlan) -> String {
    match plan.collisions.worst {
        None => "nothing is touched".into(),
        Some((frame, obstacle)) => format!(
            "{} is touched, {:.0} mm deep at frame {}; {} frames in all",
            scene.obstacles[obstacle].name,
            1e3 * plan.collisions.depth,
            frame + 1,
            plan.collisions.frames,
        ),
    }
}

/// The first character at the top, and everybody in a list.
pub fn json_of(scene: &Scene, planned: &[PlanResult]) -> Value {
    let parts: Vec<Value> = scene
        .characters
        .iter()
        .zip(planned)
        .map(|(part, planned)| part_json(part, planned))
        .collect();
    let mut json = parts[0].clone();
    json["scene"] = json!(scene.name);
    json["reached"] = json!(planned.iter().all(PlanResult::is_reached));
    json["characters"] = json!(parts);
    let violations = planned.iter().flat_map(|planned| planned.verdict.violations.clone());
    json["violations"] = check::to_json(&Verdict { violations: violations.collect(), frames: 0 });
    json
}

fn part_json(part: &CharacterSpec, planned: &PlanResult) -> Value {
    let plan = match &planned.plan {
        Ok(plan) => plan,
        Err(reason) => return json!({ "name": part.name, "reached": false, "reason": reason }),
    };
    let (m, t) = (&plan.metrics, &plan.performance.timings);
    let mut metrics = super::clips::metrics_json(&m.motion);
    metrics["clips_root_accel_max"] = json!(plan.performance.clips_root_accel_max);
    metrics["head_room_m"] = json!(m.head_room);
    metrics["root_accel_ratio"] = json!(m.root_accel_ratio);
    json!({
        "name": part.name, "reached": planned.is_reached(), "goal_error_m": m.goal_error_m, "goal_heading_error_deg": m.goal_heading_error_deg,
        "frames": plan.performance.clip.frame_count(), "seconds": plan.performance.seconds(),
        "footsteps": plan.performance.footprints.len(), "footsteps_off_the_ground": plan.footprints_off,
        "collisions": { "frames": plan.collisions.frames, "depth_mm_max": 1e3 * plan.collisions.depth },
        "route_length_m": plan.journey.length,
        "metrics": metrics,
        "timings_ms": {
            "preparation": plan.timings.preparation, "search": plan.timings.search, "corrections": plan.timings.corrections, "scoring": t.scoring, "smoothing": t.smoothing,
            "refinement": t.refinement, "body_trajectory": t.body_trajectory, "blend_groups": t.blend_groups,
            "inverse_kinematics": t.inverse_kinematics, "after_search": t.total,
        },
    })
}

/// The world from above with everybody's way, and for each the curves it was made from.
fn picture(scene: &Scene, planned: &[PlanResult]) -> Sheet {
    let mut map = PlanView::of_world(&scene.ground, &scene.obstacles);
    let mut sheet = Sheet::new(&scene.name);
    sheet.note(&scene.about);
    let mut charts = Vec::new();
    for (part, planned) in scene.characters.iter().zip(planned) {
        let Ok(plan) = &planned.plan else { continue };
        for walk in &plan.journey.walks {
            for branch in &walk.branches {
                map = map.branch("trees", &[branch.from, branch.to]);
            }
            map = map.branch("shortest way", &walk.corners);
        }
        for link in &plan.journey.jumps {
            map = map.intended("jump", &[link.from, link.to]);
        }
        let body: Vec<Vec2> = plan.performance.body.iter().map(|place| place.position).collect();
        map = map.way("body", &body);
        map = map.footprints(&planned.character.rig, &plan.performance.footprints);
        let start = part.start.heading.unwrap_or(0.0);
        map = map.mark(part.start.place, start, &part.name).mark(
            part.goal.place,
            plan.goal.heading,
            "goal",
        );
        let (performance, seconds) = (&plan.performance, plan.performance.seconds());
        for (title, name, values) in [
            ("curvature, 1/m", "curvature", &performance.curvature),
            ("walk 0, run 1", "running", &performance.running),
            ("speed, m/s", "speed", &performance.speed),
        ] {
            charts.push(LineChart::new(title, seconds).curve(name, values.clone()).draw());
        }
    }
    sheet.add(map.draw());
    charts.into_iter().for_each(|chart| sheet.add(chart));
    sheet
}
