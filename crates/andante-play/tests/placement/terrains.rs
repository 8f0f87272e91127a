//! Sources over generated ground: what is said of feet is true, and nothing jumps.

use crate::common::{self, Case, horse, slope, stairs};
use crate::moving::Truth;
use crate::oracle::forward;
use crate::source::{Layered, Seeded, Source};
use andante_skeleton::{Transform, rotation};
use andante_world::{Ground, HeightFunction};
use glam::Vec2;
use std::fmt::Write;

/// Hills, ramps, stairs or ledges, the same for a seed in every run.
fn generated(seed: u64) -> (String, Box<dyn Ground>) {
    let mut seeded = Seeded::new(seed);
    let mut any = |low: f32, high: f32| seeded.between(low, high);
    match seed % 4 {
        0 => {
            let waves: Vec<[f32; 4]> = (0..4)
                .map(|_| [any(0.02, 0.12), any(-2.0, 2.0), any(-2.0, 2.0), any(0.0, 6.0)])
                .collect();
            let height = move |place: Vec2| {
                let wave = |[high, x, z, phase]: &[f32; 4]| {
                    high * (x * place.x + z * place.y + phase).sin()
                };
                waves.iter().map(wave).sum::<f32>()
            };
            ("hills".into(), Box::new(HeightFunction::new(height)))
        }
        1 => {
            let (rise, run, begins) = (any(-0.18, 0.18), any(0.27, 0.4), any(0.5, 2.0));
            let height = move |place: Vec2| {
                rise * ((place.y - begins) / run).floor().clamp(-1.0, 40.0) + rise
            };
            (format!("stairs {rise:.2} x {run:.2}"), Box::new(HeightFunction::new(height)))
        }
        2 => {
            let (degrees, towards) = (any(3.0, 20.0), any(0.0, 360.0));
            (format!("slope {degrees:.0}° {towards:.0}°"), slope(degrees, towards).ground)
        }
        _ => {
            let ledges: Vec<[f32; 2]> =
                (0..8).map(|ledge| [1.0 + ledge as f32 * any(1.2, 2.0), any(-0.3, 0.3)]).collect();
            let height = move |place: Vec2| {
                let below = ledges.iter().filter(|[at, _]| place.y > *at);
                below.map(|[_, rise]| rise).sum::<f32>()
            };
            ("ledges".into(), Box::new(HeightFunction::new(height)))
        }
    }
}

fn sources() -> Vec<Source> {
    let mut all: Vec<Source> = [("walk", 0.7), ("walk", 1.0), ("crouch-walk", 1.0), ("stand", 1.0)]
        .into_iter()
        .map(|(name, rate)| Source::built_in(name, rate))
        .collect();
    all.push(Source::mixed("walk", "stand"));
    all.push(Source::mixed("walk", "crouch-walk"));
    all
}

#[test]
fn what_is_said_of_feet_is_true_on_any_ground() {
    let (mut table, mut wrong) = (String::new(), 0);
    for seed in 0..24 {
        for source in sources() {
            let (name, ground) = generated(seed);
            let mut layered = Layered::new(source);
            let mut seeded = Seeded::new(seed + 99);
            let (mut truth, mut now) = (Truth::default(), 0.0);
            while now < 6.0 {
                let dt = seeded.frame();
                now += dt;
                layered.step(dt, &*ground);
                truth.add(&layered, &*ground, dt, now);
            }
            let Truth { inside, off, lies, worst, .. } = truth;
            // Down treads shorter than a sole a foot may miss the one it was led to.
            let most = if name.starts_with("stairs") { 0.4 } else { 0.25 };
            let holds = inside <= 0.25 && off <= most && lies == 0.0;
            wrong += usize::from(!holds);
            writeln!(
                table,
                "{seed} {name} {}: in {inside:.2} s, off {off:.2} s, false {lies:.2} s {worst:?} {}",
                layered.source.name,
                if holds { "" } else { "<<" },
            )
            .unwrap();
        }
    }
    assert!(wrong == 0, "{wrong} wrong\n{table}");
}

/// The largest change of a joint's turn from one sixtieth of a second to the next, in degrees, without toes; and of the root's
/// way, in millimetres.
#[derive(Default)]
struct Pops {
    poses: Vec<Vec<Transform>>,
    joints: f32,
    joint: usize,
    frame: usize,
    at: usize,
    root: f32,
    root_at: usize,
}

impl Pops {
    fn add(&mut self, pose: &[Transform], toes: &[usize]) {
        self.frame += 1;
        self.poses.push(pose.to_vec());
        let [a, b, c] = match &self.poses[..] {
            [a, b, c] => [a, b, c],
            _ => return,
        };
        for joint in (1..pose.len()).filter(|joint| !toes.contains(joint)) {
            let turn = |from: &Transform, to: &Transform| {
                rotation::log(to.rotation * from.rotation.conjugate())
            };
            let change =
                (turn(&b[joint], &c[joint]) - turn(&a[joint], &b[joint])).length().to_degrees();
            if change > self.joints {
                (self.joints, self.joint, self.at) = (change, joint, self.frame);
            }
        }
        let bend = c[0].translation - 2.0 * b[0].translation + a[0].translation;
        if 1e3 * bend.length() > self.root {
            (self.root, self.root_at) = (1e3 * bend.length(), self.frame);
        }
        self.poses.remove(0);
    }
}

fn pops(source: Source, ground: &dyn Ground) -> [Pops; 2] {
    let mut layered = Layered::new(source);
    let toes: Vec<usize> =
        layered.source.character.rig.feet.iter().filter_map(|foot| foot.toes).collect();
    let [mut before, mut after] = [Pops::default(), Pops::default()];
    for _ in 0..360 {
        layered.step(1.0 / 60.0, ground);
        before.add(&layered.before, &toes);
        after.add(&layered.pose, &toes);
    }
    [before, after]
}

#[test]
fn nothing_jumps_on_hills_slopes_and_stairs() {
    let mut wrong = 0;
    for (most, root, ground) in [
        (12.0, 7.0, common::hills(0.25, 4.0)),
        (12.0, 7.0, slope(10.0, 0.0)),
        (12.0, 7.0, slope(-10.0, 0.0)),
        (12.0, 7.0, slope(12.0, 90.0)),
        (26.0, 22.0, stairs(0.17, 0.29)),
        (26.0, 22.0, stairs(-0.17, 0.29)),
    ] {
        for (clip, rate) in [("walk", 1.0), ("walk", 0.7), ("stand", 1.0)] {
            let source = Source::built_in(clip, rate);
            let names = source.character.clone();
            let [before, after] = pops(source, &*ground.ground);
            println!(
                "{} {clip} x{rate}: joints {:.1}° of {:.1}° ({} at {}), root {:.1} of {:.1} mm at {}",
                ground.name,
                after.joints,
                before.joints,
                names.skeleton.joint(after.joint).name,
                after.at,
                after.root,
                before.root,
                after.root_at
            );
            wrong +=
                usize::from(after.joints > before.joints + most || after.root > before.root + root);
        }
    }
    assert_eq!(wrong, 0);
}

/// Bones are as long as they were, whatever the ground.
fn keeps_bones(layered: &Layered) {
    let character = &layered.source.character;
    let [a, b] = [&layered.before, &layered.pose].map(|pose| forward(character, pose));
    for joint in 1..a.len() {
        let Some(parent) = character.skeleton.parent(joint) else { continue };
        let bone = |placed: &[glam::Mat4]| (placed[joint].w_axis - placed[parent].w_axis).length();
        assert!((bone(&a) - bone(&b)).abs() < 1e-3, "{joint}: {} {}", bone(&a), bone(&b));
    }
}

/// Whoever goes on four, six or eight.
fn foreign() -> Vec<Case> {
    let mut all: Vec<Case> = ["Walk", "Run"].into_iter().filter_map(horse).collect();
    all.extend(
        ["16_15", "16_35"]
            .into_iter()
            .filter_map(|take| common::captured(&format!("cmu/16/{take}.bvh"))),
    );
    all.extend(common::animals());
    all
}

#[test]
fn whoever_goes_on_however_many_feet_is_told_the_truth() {
    let (mut table, mut wrong) = (String::new(), 0);
    for case in foreign() {
        for seed in [0, 2, 4, 6, 3, 7, 1, 5] {
            let (name, ground) = generated(seed);
            let mut layered = Layered::new(Source::of(&case, 1.0));
            let mut seeded = Seeded::new(seed + 5);
            let (mut truth, mut now) = (Truth::default(), 0.0);
            while now < 4.0 {
                let dt = seeded.frame();
                now += dt;
                layered.step(dt, &*ground);
                keeps_bones(&layered);
                truth.add(&layered, &*ground, dt, now);
            }
            let Truth { inside, lies, worst, deepest, .. } = truth;
            // Spiders that fight and fall have legs where no ground is looked for.
            let most = if case.name.starts_with("spider") { f32::INFINITY } else { 0.25 };
            let holds = lies == 0.0 && inside <= most;
            wrong += usize::from(!holds);
            writeln!(
                table,
                "{} {name}: in {inside:.2} s ({deepest:.3} m), false {lies:.2} s {worst:?} {}",
                case.name,
                if holds { "" } else { "<<" },
            )
            .unwrap();
        }
    }
    println!("{table}");
    assert!(wrong == 0, "{wrong} wrong\n{table}");
}
