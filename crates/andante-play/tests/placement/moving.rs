//! Ground that is raised, lowered, tilted or moved under sources that know nothing of it.

use crate::oracle::{closest, lowest, soles};
use crate::source::{Layered, Seeded, Source};
use andante_play::FootStatus;
use andante_world::{Ground, Hit};
use glam::{Vec2, Vec3};
use std::fmt::Write;

/// Ground that is something else at every time.
pub struct Moving<F> {
    pub now: f32,
    pub height: F,
    pub velocity: Vec3,
}

impl<F: Fn(f32, Vec2) -> f32 + Send + Sync> Ground for Moving<F> {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let height = (self.height)(self.now, Vec2::new(from.x, from.z));
        let met = height <= from.y && height >= from.y - depth;
        met.then(|| Hit { point: Vec3::new(from.x, height, from.z), normal: Vec3::Y })
    }

    fn velocity(&self, _: Vec3) -> Vec3 {
        self.velocity
    }
}

/// How long soles are in the ground, and all of them off it, at most; and how long one was called firm that was not.
#[derive(Default)]
pub struct Truth {
    sunk: Vec<f32>,
    aloft: f32,
    pub inside: f32,
    pub off: f32,
    pub lies: f32,
    pub deepest: f32,
    pub worst: Option<(f32, f32)>,
}

impl Truth {
    pub fn add(&mut self, layered: &Layered, ground: &dyn Ground, dt: f32, now: f32) {
        let [own, shown] =
            [&layered.before, &layered.pose].map(|pose| soles(&layered.source.character, pose));
        self.sunk.resize(shown.len(), 0.0);
        // Samples in centimetres are giants.
        let size = layered.source.size.max(1.0);
        let (near, dt) = (0.01 * size, dt / size.sqrt());
        let mut stands = false;
        for (foot, sole) in shown.iter().enumerate() {
            let status = layered.layer.feet()[foot].status;
            let says = matches!(status, FootStatus::Firm | FootStatus::Overhang);
            let Some(lowest) = lowest(sole, ground) else {
                self.lies += if says { dt } else { 0.0 };
                continue;
            };
            // What the source has in its floor itself is its own.
            let own = own[foot].iter().map(|point| point.y - layered.source.floor);
            let own = own.fold(0.0, f32::min);
            self.deepest = self.deepest.min(lowest - own);
            self.sunk[foot] = if lowest < own - near { self.sunk[foot] + dt } else { 0.0 };
            self.inside = self.inside.max(self.sunk[foot]);
            stands |= closest(sole, ground).is_some_and(|closest| closest < near);
            if says && lowest.abs() > near {
                self.lies += dt;
                self.worst.get_or_insert((now, lowest));
            }
        }
        self.aloft = if stands { 0.0 } else { self.aloft + dt };
        self.off = self.off.max(self.aloft);
    }
}

/// Plays every case, and shows the whole table if one is wrong.
fn all_hold(height: impl Fn(f32, f32, Vec2) -> f32 + Send + Sync, velocity: Vec3) {
    let (mut table, mut wrong) = (String::new(), 0);
    for (index, name) in ["stand", "walk", "crouch-walk", "walk"].into_iter().enumerate() {
        for moment in 0..8 {
            let at = 1.0 + 0.137 * moment as f32;
            let rate = [1.0, 1.0, 1.0, 0.7][index];
            let mut layered = Layered::new(Source::built_in(name, rate));
            let mut seeded = Seeded::new(moment as u64 + 1);
            let even = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0][moment % 3];
            let mut ground = Moving {
                now: 0.0,
                height: |now: f32, place| height(now - at, now, place),
                velocity,
            };
            let mut truth = Truth::default();
            while ground.now < 5.0 {
                let dt = if moment < 4 { even } else { seeded.frame() };
                ground.now += dt;
                layered.step(dt, &ground);
                truth.add(&layered, &ground, dt, ground.now);
            }
            let Truth { inside, off, lies, worst, .. } = truth;
            // What a source of its own has in the air is in the air.
            let holds = inside <= 0.25 && off <= 0.25 && lies == 0.0;
            writeln!(
                table,
                "{name} {at:.2} s: in {inside:.2} s, off {off:.2} s, false {lies:.2} s {worst:?} {}",
                if holds { "" } else { "<<" }
            )
            .unwrap();
            wrong += usize::from(!holds);
        }
    }
    assert!(wrong == 0, "{wrong} wrong\n{table}");
}

#[test]
fn ground_that_is_raised_lifts_whoever_is_on_it() {
    all_hold(|since, _, _| if since > 0.0 { 0.2 } else { 0.0 }, Vec3::ZERO);
}

#[test]
fn ground_that_is_lowered_lets_them_down() {
    all_hold(|since, _, _| if since > 0.0 { -0.3 } else { 0.0 }, Vec3::ZERO);
}

#[test]
fn lifts_carry_those_who_stand_and_walk_in_them() {
    for speed in [0.5, -0.5] {
        all_hold(move |since, _, _| speed * since.clamp(0.0, 2.5), Vec3::ZERO);
    }
}

#[test]
fn ground_that_tilts_tilts_soles() {
    for towards in [Vec2::X, Vec2::Y, Vec2::new(-0.6, 0.8)] {
        let height = move |since: f32, _: f32, place: Vec2| {
            let angle = 0.2 * (1.5 * since.clamp(0.0, 3.0)).sin();
            angle.tan() * place.dot(towards)
        };
        all_hold(height, Vec3::ZERO);
    }
}

#[test]
fn hills_that_pass_below_are_stood_on() {
    for speed in [0.5f32, -0.5] {
        let height = move |_: f32, now: f32, place: Vec2| {
            0.12 * (1.6 * (place.y - speed * now)).sin() * (1.1 * place.x).cos()
        };
        all_hold(height, Vec3::ZERO);
        all_hold(height, Vec3::Z * speed);
    }
}

/// A belt below somebody whose root stays takes the feet along, and they step back where they belong.
#[test]
fn feet_on_a_belt_go_with_it_and_step_back() {
    let belt = Vec3::new(0.3, 0.0, -0.4);
    let mut ground = Moving { now: 0.0, height: |_, _| 0.0, velocity: belt };
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    let dt = 1.0 / 60.0;
    let (mut before, mut stepped): (Option<Vec<[Vec3; 3]>>, [u32; 2]) = (None, [0; 2]);
    for frame in 0..600 {
        ground.now += dt;
        layered.step(dt, &ground);
        let shown = soles(&layered.source.character, &layered.pose);
        for foot in 0..2 {
            let report = &layered.layer.feet()[foot];
            if report.status == FootStatus::Aloft {
                stepped[foot] += 1;
            }
            let Some(before) = before.as_ref().filter(|_| report.down == [true; 2]) else {
                continue;
            };
            let by = (shown[foot][1] - before[foot][1]) / dt;
            assert!((by - belt).with_y(0.0).length() < 0.08, "{frame}: foot {foot} moves {by}");
        }
        before = Some(shown);
    }
    assert!(stepped[0] > 20 && stepped[1] > 20, "{stepped:?}");
    assert!(stepped[0] + stepped[1] < 500, "{stepped:?}");
}
