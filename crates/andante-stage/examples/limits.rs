//! Measures what the stage promises, over many moments and seeds:
//! `cargo run --release -p andante-stage --example limits -- [interrupts] [seeds] [first seed] [seed of interrupts]`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use andante_skeleton::{Transform, rotation};
use andante_stage::{
    Actor, Command, EventKind, FPS, Recorder, Scene, Stage, Take, Waypoint, read_scene,
};
use glam::{Vec2, vec2};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The same number for performances that nothing interrupts: what planning itself makes of the clips.
fn whole() {
    let scene = read_scene(YARD).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let mut all = Vec::new();
    for _ in 0..40 {
        let mut stage = Stage::new(&scene, 1).unwrap();
        let mut recorder = Recorder::new(&stage, &scene, 1).unwrap();
        let place = vec2(random.random_range(-9.0..9.0), random.random_range(-9.0..9.0));
        stage.command(0, Command::RunTo(Waypoint { place, height: None, heading: None })).unwrap();
        while !stage.actors()[0].is_idle() {
            stage.step(1.0 / FPS);
            recorder.frame(&stage).unwrap();
        }
        let take = recorder.finish(&stage).unwrap();
        let jumps = changes(&take, 0);
        let at = (0..jumps.len()).max_by(|a, b| jumps[*a].total_cmp(&jumps[*b])).unwrap();
        all.push(jumps[at]);
    }
    println!("whole performances: {:.1}°", all.iter().copied().fold(0.0, f32::max));
}

/// The same for turns on the spot and little steps aside.
fn turns() {
    let scene = read_scene(YARD).unwrap();
    let mut worst = Vec::new();
    for step in 0..72 {
        let (turn, away) = (5.0 * step as f32 - 180.0, 0.1 * (step % 4) as f32);
        let aim = 2.4 * step as f32;
        let mut stage = Stage::new(&scene, 1).unwrap();
        let mut recorder = Recorder::new(&stage, &scene, 1).unwrap();
        let place = away * vec2(aim.sin(), aim.cos());
        let heading = Some(turn.to_radians());
        stage.command(0, Command::WalkTo(Waypoint { place, height: None, heading })).unwrap();
        while !stage.actors()[0].is_idle() {
            stage.step(1.0 / FPS);
            recorder.frame(&stage).unwrap();
        }
        let take = recorder.finish(&stage).unwrap();
        let own = take.metrics()[0];
        let jump = changes(&take, 0).into_iter().fold(0.0, f32::max);
        worst.push((jump, turn, away, own.motion.root_accel_max, own.motion.foot_slide_mm_max));
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (jump, turn, away, pull, slide) in worst.iter().take(8) {
        println!("turn by {turn}°, {away} m aside: {jump:.1}°, {pull:.1} m/s², {slide:.2} mm");
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse().unwrap_or(0));
    let interrupts = numbers.next().unwrap_or(1000);
    let seeds = numbers.next().unwrap_or(100);
    let first = numbers.next().unwrap_or(0) as u64;
    if interrupts > 0 {
        whole();
        turns();
        interrupted(interrupts, numbers.next().unwrap_or(7) as u64);
    }
    if seeds > 0 {
        doorway(first, seeds as u64);
    }
}

const YARD: &str = r#"
version = 1
name = "yard"
[[platform]]
outline = [[-12, -12], [12, -12], [12, 12], [-12, 12]]
[[character]]
start = { at = [0, 0], heading = 0 }
"#;

/// Commands given at random moments: what joints and feet make of it.
fn interrupted(count: usize, seed: u64) {
    let scene = read_scene(YARD).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut kinds: Vec<(String, f32, f32, usize)> = Vec::new();
    let mut done = 0;
    let mut worst = (0.0f32, 0.0f32);
    while done < count {
        let mut stage = Stage::new(&scene, 1).unwrap();
        let mut recorder = Recorder::new(&stage, &scene, 1).unwrap();
        let mut cuts: Vec<(usize, String)> = Vec::new();
        let mut frame = 0;
        for _ in 0..20 {
            let command = any(&mut random);
            let word = match &command {
                Some(command) => {
                    let word = command.to_string();
                    stage.command(0, command.clone()).unwrap();
                    word.split(' ').next().unwrap_or_default().to_string()
                }
                None => {
                    stage
                        .steer(0, random.random_range(0.0..2.4), random.random_range(-0.8..0.8))
                        .unwrap();
                    "steer".into()
                }
            };
            cuts.push((frame, word));
            for _ in 0..random.random_range(6..240) {
                stage.step(1.0 / FPS);
                recorder.frame(&stage).unwrap();
                frame += 1;
            }
        }
        done += cuts.len();
        let take = recorder.finish(&stage).unwrap();
        let own = 0.0;
        let jumps = changes(&take, 0);
        let slides = slides(&take, 0);
        for (index, (from, word)) in cuts.iter().enumerate() {
            let to = cuts.get(index + 1).map_or(jumps.len(), |(next, _)| *next).min(jumps.len());
            let jump = jumps[*from..to].iter().copied().fold(0.0, f32::max) - own;
            let slide = slides
                .iter()
                .filter(|(start, ..)| (*from..to).contains(start))
                .map(|(_, _, slide, _)| *slide)
                .fold(0.0, f32::max);
            let kind = match kinds.iter_mut().find(|(own, ..)| own == word) {
                Some(kind) => kind,
                None => {
                    kinds.push((word.clone(), 0.0, 0.0, 0));
                    let last = kinds.len() - 1;
                    &mut kinds[last]
                }
            };
            kind.1 = kind.1.max(jump);
            kind.2 = kind.2.max(slide);
            kind.3 += 1;
            if (jump > 14.0 || slide > 3.0) && std::env::var_os("VERBOSE").is_some() {
                let before = if index > 0 { cuts[index - 1].1.as_str() } else { "start" };
                let at = (*from..to).max_by(|a, b| jumps[*a].total_cmp(&jumps[*b])).unwrap();
                let joint = culprit(&take, at);
                println!(
                    "  {before} -> {word}: cut {from} {jump:.1}° at {at} {joint}, slide {slide:.1} {:?}",
                    slides
                        .iter()
                        .filter(|(start, _, slide, _)| (*from..to).contains(start) && *slide > 3.0)
                        .collect::<Vec<_>>()
                );
            }
            worst = (worst.0.max(jump), worst.1.max(slide));
        }
    }
    println!(
        "interrupts: {done}; largest change of a joint in a frame {:.1}°, largest slide of a stance {:.2} mm",
        worst.0, worst.1
    );
    println!("clips' own: {:.1}°", clips_own());
    for (word, jump, slide, count) in kinds {
        println!("  {word:8} {count:5}  {jump:5.1}°  {slide:5.2} mm");
    }
}

fn any(random: &mut Pcg64Mcg) -> Option<Command> {
    let mut place = || vec2(random.random_range(-9.0..9.0), random.random_range(-9.0..9.0));
    let post = Waypoint { place: place(), height: None, heading: None };
    let turned = Waypoint { heading: Some(post.place.x), ..post };
    Some(match random.random_range(0..8) {
        0 | 1 => Command::WalkTo(turned),
        2 => Command::WalkTo(post),
        3 | 4 => Command::RunTo(post),
        5 => Command::Stop,
        6 => Command::Face(andante_stage::GazeTarget::Heading(random.random_range(-3.0..3.0))),
        _ => return None,
    })
}

/// The largest change of a joint from frame to frame, in degrees, for every frame.
fn changes(take: &Take, track: usize) -> Vec<f32> {
    let clip = &take.tracks[track].clip;
    let frames: Vec<&[Transform]> = clip.frames().collect();
    let change = |pair: &[&[Transform]]| {
        let angle =
            |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
        pair[0].iter().zip(pair[1]).map(angle).fold(0.0, f32::max).to_degrees()
    };
    frames.windows(2).map(change).collect()
}

fn culprit(take: &Take, frame: usize) -> String {
    let track = &take.tracks[0];
    let (a, b) = (track.clip.frame(frame), track.clip.frame(frame + 1));
    let angle = |joint: usize| rotation::angle_between(a[joint].rotation, b[joint].rotation);
    let joint = (0..a.len()).max_by(|x, y| angle(*x).total_cmp(&angle(*y))).unwrap();
    let around: Vec<String> = (frame.saturating_sub(3)
        ..(frame + 4).min(track.clip.frame_count() - 1))
        .map(|f| {
            format!(
                "{:.0}",
                rotation::angle_between(
                    track.clip.frame(f)[joint].rotation,
                    track.clip.frame(f + 1)[joint].rotation
                )
                .to_degrees()
            )
        })
        .collect();
    format!(
        "{} [{}] speed {:.2}",
        track.character.skeleton.joint(joint).name,
        around.join(" "),
        track.curve("speed")[frame]
    )
}

/// Of the gaits that were played: the same number, for the clips alone.
fn clips_own() -> f32 {
    let human = andante_skeleton::humanoid();
    let clips = andante_motion::synth::repertoire(&human).unwrap();
    let mut most = 0.0f32;
    for clip in clips.iter().filter(|clip| !clip.clip.name().starts_with("jump")) {
        let frames: Vec<&[Transform]> = clip.clip.frames().collect();
        for pair in frames.windows(2) {
            for (a, b) in pair[0].iter().zip(pair[1]) {
                let per_frame =
                    rotation::angle_between(a.rotation, b.rotation) * clip.clip.fps() / FPS;
                most = most.max(per_frame.to_degrees());
            }
        }
    }
    most
}

/// How far each contact of a heel or ball slides, with its first and last frame.
fn slides(take: &Take, track: usize) -> Vec<(usize, usize, f32, String)> {
    let track = &take.tracks[track];
    let skeleton = &track.character.skeleton;
    let mut models = skeleton.rest_models();
    let mut found = Vec::new();
    for (foot, contacts) in track.character.rig.feet.iter().zip(&track.contacts.feet) {
        for (point, intervals) in [(foot.heel, &contacts.heel), (foot.ball, &contacts.toe)] {
            for interval in intervals {
                let first = (interval.start * FPS).ceil() as usize;
                let last = ((interval.end * FPS) as usize).min(track.clip.frame_count() - 1);
                let mut places: Vec<Vec2> = Vec::new();
                for frame in first..=last {
                    skeleton.local_to_model(track.clip.frame(frame), &mut models);
                    let at = point.position(&models);
                    places.push(vec2(at.x, at.z));
                }
                let slide =
                    places.iter().map(|place| place.distance(places[0])).fold(0.0, f32::max);
                found.push((
                    first,
                    last,
                    1e3 * slide,
                    format!(
                        "{} {}",
                        foot.name,
                        if std::ptr::eq(intervals, &contacts.heel) { "heel" } else { "ball" }
                    ),
                ));
            }
        }
    }
    found
}

/// Two rooms, a door of 1.2 m between them, and twenty people who change rooms.
fn rooms(seed: u64, people: usize) -> Scene {
    let mut text = String::from(
        "version = 1\nname = \"rooms\"\n[[platform]]\noutline = [[-6, -8], [6, -8], [6, 8], [-6, 8]]\n\
         [[obstacle]]\nname = \"left\"\nat = [3.3, 0, 0]\nbox = [5.4, 2.5, 0.2]\n\
         [[obstacle]]\nname = \"right\"\nat = [-3.3, 0, 0]\nbox = [5.4, 2.5, 0.2]\n",
    );
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut taken: [Vec<Vec2>; 2] = Default::default();
    let mut place = |used: &mut Vec<Vec2>, side: f32| loop {
        let at = vec2(random.random_range(-5.0..5.0), side * random.random_range(3.2..7.2));
        if used.iter().all(|other| other.distance(at) > 1.1) {
            used.push(at);
            return at;
        }
    };
    for person in 0..people {
        let side = if person % 2 == 0 { 1.0 } else { -1.0 };
        let from = place(&mut taken[0], side);
        let to = place(&mut taken[1], -side);
        let heading = if side > 0.0 { 180 } else { 0 };
        text.push_str(&format!(
            "[[character]]\nname = \"{person}\"\nstart = {{ at = [{}, {}], heading = {heading} }}\ngoal = {{ at = [{}, {}] }}\nrun = false\n",
            from.x, from.y, to.x, to.y
        ));
    }
    read_scene(&text).unwrap()
}

/// Where the hips are shown, seen from above.
fn hips(actor: &Actor) -> Vec2 {
    let at = actor.models()[actor.character().rig.hips].translation;
    vec2(at.x, at.z)
}

/// How deep the discs of two lie in each other, as they are led and around their hips as they are shown.
fn depths(a: &Actor, b: &Actor) -> [f32; 2] {
    let reach = a.radius() + b.radius();
    let led = a.disc().place.position.distance(b.disc().place.position);
    [reach - led, reach - hips(a).distance(hips(b))]
}

fn doorway(first: u64, seeds: u64) {
    let (mut late, mut deepest, mut longest, mut slowest) = (0, [0.0f32; 2], 0.0f32, 0.0f32);
    for seed in first..first + seeds {
        let scene = rooms(seed, 20);
        let mut stage = Stage::new(&scene, seed).unwrap();
        let mut overlap = [0.0f32; 2];
        let mut where_ = [(0, 0, 0.0, Vec2::ZERO); 2];
        let mut failed = 0;
        let began = std::time::Instant::now();
        while !stage.is_over() && stage.time() < 300.0 {
            stage.step(1.0 / FPS);
            for event in stage.events() {
                if let (EventKind::Failed(reason), Some(who)) = (&event.kind, event.track) {
                    failed += 1;
                    let at = stage.actors()[who].disc().place.position;
                    println!("  seed {seed}: {who} at {at} after {:.0} s: {reason}", event.time);
                }
            }
            let actors = stage.actors();
            for a in 0..actors.len() {
                for b in 0..a {
                    for (way, deep) in depths(&actors[a], &actors[b]).into_iter().enumerate() {
                        if deep > overlap[way] {
                            overlap[way] = deep;
                            where_[way] = (a, b, stage.time(), hips(&actors[a]));
                        }
                    }
                }
            }
        }
        let missed = stage
            .actors()
            .iter()
            .filter(|actor| {
                actor
                    .goal()
                    .is_none_or(|goal| goal.position.distance(actor.disc().place.position) > 0.35)
            })
            .count();
        if missed + failed > 0
            || overlap[0].max(overlap[1]) > 0.02
            || std::env::var_os("VERBOSE").is_some()
        {
            println!(
                "  seed {seed}: {missed} not there, {failed} failed, overlap {:.1} cm, shown {:.1} cm {where_:?}, {:.0} s (in {:.1} s)",
                1e2 * overlap[0],
                1e2 * overlap[1],
                stage.time(),
                began.elapsed().as_secs_f32()
            );
            if stage.time() >= 300.0 {
                for (index, actor) in
                    stage.actors().iter().enumerate().filter(|(_, actor)| !actor.is_idle())
                {
                    println!(
                        "    {index} at {} goal {:?} {}",
                        actor.disc().place.position,
                        actor.goal().map(|goal| goal.position),
                        actor.doing()
                    );
                }
            }
        }
        late += usize::from(missed + failed > 0);
        deepest = [deepest[0].max(overlap[0]), deepest[1].max(overlap[1])];
        longest = longest.max(stage.time() as f32);
        slowest = slowest.max(began.elapsed().as_secs_f32() / stage.time() as f32);
    }
    println!(
        "doorway: {seeds} seeds of 20; {late} with somebody who did not arrive; deepest overlap {:.1} cm, of hips as shown {:.1} cm; longest {longest:.0} s",
        1e2 * deepest[0],
        1e2 * deepest[1]
    );
}
