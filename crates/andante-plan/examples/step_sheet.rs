//! Performs some routes, says how well, and draws them: from above, and as a filmstrip from the side.
//!
//! ```text
//! cargo run --release -p andante-plan --example step_sheet -- OUT_DIR [ROUTE] [FIGURES] [FROM] [TO]
//! ```
#![allow(clippy::print_stdout)]

use andante_plan::steps::{
    FootprintMethod, Jump, PlacedFootprints, PlannedMotion, RoadmapOptions, StepGround,
    StepJourney, StepLeg, StepOptions, StepPlanner,
};
use andante_skeleton::model_frames;
use andante_skeleton::{Character, Planar, Transform, humanoid};
use andante_world::HeightFunction;
use glam::{Vec2, Vec3, vec2};
use std::f32::consts::{FRAC_PI_2, PI};
use std::fmt::Write;
use std::sync::Arc;

fn routes() -> Vec<(&'static str, StepJourney)> {
    let at = |x: f32, z: f32, heading: f32| Planar::new(vec2(x, z), heading);
    let from_rest =
        |goal: Planar, legs: Vec<StepLeg>| StepJourney { start: Planar::IDENTITY, goal, legs };
    let bend = |radius: f32, to: f32| -> Vec<Vec2> {
        (0..=40)
            .map(|k| {
                let angle = to * k as f32 / 40.0;
                radius * vec2(1.0 - angle.cos(), angle.sin())
            })
            .collect()
    };
    let waves: Vec<Vec2> =
        (0..=120).map(|k| k as f32 * 0.1).map(|z| vec2(1.5 * (0.6 * z).sin(), z)).collect();
    let jump = |gap: f32| {
        let far = vec2(0.0, 6.0 + gap);
        vec![
            StepLeg::Walk(vec![vec2(0.0, 0.0), vec2(0.0, 6.0)]),
            StepLeg::Jump(Jump { from: vec2(0.0, 6.0), to: far, clip: None }),
            StepLeg::Walk(vec![far, far + vec2(0.0, 5.0)]),
        ]
    };
    let (rim, far) = (vec2(3.0, 7.0), vec2(3.0, 8.4));
    let (second, landing) = (vec2(10.5, 13.5), vec2(11.7, 13.5));
    let jumps = vec![
        StepLeg::Walk(vec![vec2(0.0, 0.0), vec2(0.5, 2.0), vec2(3.0, 3.0), rim]),
        StepLeg::Jump(Jump { from: rim, to: far, clip: None }),
        StepLeg::Walk(vec![far, vec2(3.0, 13.5), second]),
        StepLeg::Jump(Jump { from: second, to: landing, clip: None }),
        StepLeg::Walk(vec![landing, vec2(17.0, 13.5)]),
    ];
    vec![
        ("jumps", from_rest(at(17.0, 13.5, FRAC_PI_2), jumps)),
        ("straight", from_rest(at(0.0, 8.0, 0.0), vec![])),
        ("bend", from_rest(at(3.0, 3.0, FRAC_PI_2), vec![StepLeg::Walk(bend(3.0, FRAC_PI_2))])),
        ("tight", from_rest(at(1.0, 0.0, PI), vec![StepLeg::Walk(bend(0.5, PI))])),
        ("waves", from_rest(at(1.5 * 7.2f32.sin(), 12.0, 0.0), vec![StepLeg::Walk(waves)])),
        ("jump", from_rest(at(0.0, 12.6, 0.0), jump(1.6))),
        ("behind", from_rest(at(0.0, -3.0, 0.0), vec![])),
        ("near", from_rest(at(0.1, 0.3, 0.2), vec![])),
        ("aside", from_rest(at(0.6, 0.0, 0.0), vec![])),
        ("hopscotch", from_rest(at(0.3, 3.2, 0.0), vec![])),
        ("roadmap", from_rest(at(2.0, 4.0, 0.5), vec![])),
        ("turn", from_rest(at(0.0, 0.0, 2.5), vec![])),
        (
            "corner",
            from_rest(at(4.0, 4.0, 0.0), vec![StepLeg::Walk(vec![vec2(0.0, 4.0), vec2(4.0, 4.0)])]),
        ),
    ]
}

/// Footprints placed by hand, found in a roadmap, or those of the clips along the way.
fn method(name: &str) -> FootprintMethod {
    let print = |(index, (x, z)): (usize, (f32, f32))| PlacedFootprints {
        foot: index % 2,
        place: Planar::new(vec2(x, z), 0.0),
    };
    let hops =
        [(0.1, 0.0), (-0.1, 0.0), (0.3, 0.5), (0.0, 1.0), (0.6, 1.4), (0.1, 2.0), (0.4, 2.6)];
    let ends = [(0.2, 3.2), (0.4, 3.2)];
    match name {
        "hopscotch" => {
            let prints = hops.into_iter().chain(ends).enumerate().map(print);
            FootprintMethod::Placed(prints.collect())
        }
        "roadmap" => FootprintMethod::Roadmap(RoadmapOptions::default()),
        _ => FootprintMethod::Route,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let out = args.first().ok_or("usage: step_sheet OUT_DIR [ROUTE] [FIGURES] [FROM] [TO]")?;
    std::fs::create_dir_all(out)?;
    let human = humanoid();
    let planner = StepPlanner::new(Arc::new(andante_motion::repertoire::built_in(&human)?))?;
    let hilly = args.get(1).is_some_and(|name| name == "hills");
    let ground =
        HeightFunction::new(
            move |p: Vec2| {
                if hilly { 0.25 * (0.9 * p.x).sin() * (0.7 * p.y).cos() } else { 0.0 }
            },
        );
    let world = StepGround::open(&ground);
    println!("widest gap {:?}", planner.widest_gap(&StepOptions::default()));
    let number = |index: usize| args.get(index).and_then(|text| text.parse::<f32>().ok());
    for (name, journey) in routes() {
        let wanted = args.get(1).map_or("all", String::as_str);
        if wanted != "all" && wanted != name && wanted != "hills" {
            continue;
        }
        let method = method(name);
        let performance = planner.perform_by(&method, &journey, &world, &StepOptions::default())?;
        let metrics = performance.metrics(&human, (&journey.goal, None), &world);
        println!(
            "{name}: {:.2} s, {} prints, goal {:.2} mm {:.3}°, slide {:.2}/{:.2} mm, into ground {:.1} mm, gap {:.2} mm, foot {:.1}°/frame, knee {:.4}, accel {:.1}, jerk {:.0}, pose {:.2}°",
            performance.seconds(),
            performance.footprints.len(),
            1e3 * metrics.goal_error_m,
            metrics.goal_heading_error_deg,
            metrics.motion.foot_slide_mm_mean,
            metrics.motion.foot_slide_mm_max,
            metrics.motion.penetration_mm_max,
            metrics.motion.sole_gap_mm_mean,
            metrics.motion.foot_rotation_deg_max,
            metrics.motion.knee_extension_max,
            metrics.motion.root_accel_max,
            metrics.motion.pelvis_jerk_rms,
            metrics.motion.pose_change_deg_mean.unwrap_or(0.0),
        );
        println!("   {:.3?}", performance.timings);
        let figures = number(2).unwrap_or(16.0) as usize;
        let range = [number(3).unwrap_or(0.0), number(4).unwrap_or(performance.seconds())];
        std::fs::write(
            format!("{out}/{name}.svg"),
            draw(&human, &journey, &performance, figures, range),
        )?;
    }
    Ok(())
}

const COLOURS: [&str; 2] = ["#1f6fd0", "#d0421f"];

fn draw(
    human: &Character,
    journey: &StepJourney,
    performance: &PlannedMotion,
    figures: usize,
    range: [f32; 2],
) -> String {
    let frames = model_frames(&human.skeleton, &performance.clip);
    let mut svg = String::from(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1600' height='1220'><rect width='100%' height='100%' fill='#fff'/>",
    );
    plan(&mut svg, journey, performance);
    for view in 0..2 {
        for figure in 0..figures {
            let part = figure as f32 / (figures - 1).max(1) as f32;
            let time = range[0] + part * (range[1] - range[0]);
            let frame = ((time * 60.0) as usize).min(frames.len() - 1);
            let per_row = figures.div_ceil(2);
            let (row, column) = (figure / per_row, figure % per_row);
            let floor = 640.0 + 150.0 * (2 * view + row) as f32;
            let centre = 1600.0 * (column as f32 + 0.5) / per_row as f32;
            let place = performance.body[frame];
            let seen = place.to_transform().inverse();
            let project = |point: Vec3| {
                let own = seen.transform_point(point);
                let across = if view == 0 { own.z } else { -own.x };
                vec2(centre + 75.0 * across, floor - 75.0 * own.y)
            };
            let _ = write!(
                svg,
                "<line x1='{}' x2='{}' y1='{floor}' y2='{floor}' stroke='#bbb'/><text x='{centre}' y='{}' font-size='10' text-anchor='middle'>{time:.2}</text>",
                centre - 70.0,
                centre + 70.0,
                floor + 11.0
            );
            draw_figure(&mut svg, human, &frames[frame], &project);
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Footprints, the body's path and the route from above.
fn plan(svg: &mut String, journey: &StepJourney, performance: &PlannedMotion) {
    let places: Vec<Vec2> = performance
        .body
        .iter()
        .map(|body| body.position)
        .chain(performance.footprints.iter().map(|print| vec2(print.position.x, print.position.z)))
        .collect();
    let low = places.iter().copied().fold(Vec2::MAX, Vec2::min) - 0.3;
    let high = places.iter().copied().fold(Vec2::MIN, Vec2::max) + 0.3;
    // Ahead is to the right, left is up.
    let scale = (1560.0 / (high.y - low.y)).min(480.0 / (high.x - low.x));
    let project =
        |place: Vec2| vec2(20.0 + scale * (place.y - low.y), 500.0 - scale * (place.x - low.x));
    let mut line = |points: &[Vec2], stroke: &str, width: f32| {
        let text: Vec<String> =
            points.iter().map(|&p| project(p)).map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect();
        let _ = write!(
            svg,
            "<polyline points='{}' fill='none' stroke='{stroke}' stroke-width='{width}'/>",
            text.join(" ")
        );
    };
    for leg in &journey.legs {
        match leg {
            StepLeg::Walk(places) => line(places, "#cca", 6.0),
            StepLeg::Jump(jump) => line(&[jump.from, jump.to], "#f99", 12.0),
        }
    }
    let body: Vec<Vec2> = performance.body.iter().map(|body| body.position).collect();
    line(&body, "#444", 1.0);
    for print in &performance.footprints {
        let flat = |p: Vec3| vec2(p.x, p.z);
        line(&[flat(print.heel), flat(print.ball)], COLOURS[print.foot], 7.0);
        line(&[flat(print.ball), flat(print.tip)], COLOURS[print.foot], 3.0);
    }
}

fn draw_figure(
    svg: &mut String,
    human: &Character,
    models: &[Transform],
    project: &dyn Fn(Vec3) -> Vec2,
) {
    let mut line = |a: Vec3, b: Vec3, stroke: &str, width: f32| {
        let (a, b) = (project(a), project(b));
        let _ = write!(
            svg,
            "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='{stroke}' stroke-width='{width}' stroke-linecap='round'/>",
            a.x, a.y, b.x, b.y
        );
    };
    for (index, joint) in human.skeleton.joints().iter().enumerate() {
        let stroke = match &joint.name {
            name if name.starts_with("Left") => COLOURS[0],
            name if name.starts_with("Right") => COLOURS[1],
            _ => "#333",
        };
        if let Some(parent) = joint.parent {
            line(models[parent].translation, models[index].translation, stroke, 3.0);
        }
        if let Some(tip) = joint.tip {
            line(models[index].translation, models[index].transform_point(tip), stroke, 2.0);
        }
    }
    for (foot, stroke) in human.rig.feet.iter().zip(COLOURS) {
        let [heel, ball, tip] =
            [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
        line(models[foot.ankle()].translation, heel, stroke, 2.0);
        line(heel, ball, stroke, 2.0);
        line(ball, tip, stroke, 2.0);
    }
}
