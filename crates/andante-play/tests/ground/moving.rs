//! Ground that is raised, lowered, tilted or moved under feet that stand and walk. Nobody tells them: they look.

use crate::common::built_in;
use crate::player::Player;
use andante_play::{FootStatus, GroundingOptions, Input, Start};
use andante_world::{Ground, Hit};
use glam::{Vec2, Vec3};
use std::fmt::Write;

/// Ground that is something else at every time.
struct Moving<F> {
    now: f32,
    height: F,
    velocity: Vec3,
}

impl<F: Fn(f32, Vec2) -> f32 + Send + Sync> Moving<F> {
    fn at(&self, place: Vec2) -> f32 {
        (self.height)(self.now, place)
    }
}

impl<F: Fn(f32, Vec2) -> f32 + Send + Sync> Ground for Moving<F> {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let place = Vec2::new(from.x, from.z);
        let height = self.at(place);
        let step = 1e-3;
        let slope = |by: Vec2| (self.at(place + by) - self.at(place - by)) / (2.0 * step);
        let normal = Vec3::new(-slope(Vec2::X * step), 1.0, -slope(Vec2::Y * step)).normalize();
        let met = height <= from.y && height >= from.y - depth;
        met.then(|| Hit { point: Vec3::new(from.x, height, from.z), normal })
    }

    fn velocity(&self, _: Vec3) -> Vec3 {
        self.velocity
    }
}

/// How long soles are in the ground or off it at most, in seconds, and lies that were told.
fn play<F: Fn(f32, Vec2) -> f32 + Send + Sync>(
    clip: &str,
    ground: &mut Moving<F>,
    dt: f32,
    table: &mut String,
) -> (f32, f32, f32) {
    let clip = built_in(clip);
    let mut player = Player::new(&clip, Start::default(), GroundingOptions::default());
    let feet = &clip.character().rig.feet;
    let (mut inside, mut off, mut lies) = (0.0f32, 0.0f32, 0.0f32);
    let mut sunk = vec![0.0; feet.len()];
    let mut aloft = 0.0;
    while ground.now < 5.0 {
        ground.now += dt;
        player.step(dt, &Input::default(), ground);
        let mut stands = false;
        for (index, foot) in feet.iter().enumerate() {
            let points = [foot.heel, foot.ball, foot.tip].map(|it| it.position(&player.models));
            let above = points.map(|point| point.y - ground.at(Vec2::new(point.x, point.z)));
            let lowest = above.into_iter().fold(f32::INFINITY, f32::min);
            sunk[index] = if lowest < -0.01 { sunk[index] + dt } else { 0.0 };
            inside = inside.max(sunk[index]);
            stands |= lowest < 0.01;
            let report = &player.grounding.feet()[index];
            let says = matches!(report.status, FootStatus::Firm | FootStatus::Overhang);
            if says && lowest.abs() > 0.01 {
                if lies == 0.0 {
                    writeln!(
                        table,
                        "    {index} at {:.2} s: {:?} {:.0} mm",
                        ground.now,
                        report.status,
                        1e3 * lowest
                    )
                    .unwrap();
                }
                lies += dt;
            }
        }
        aloft = if stands { 0.0 } else { aloft + dt };
        off = off.max(aloft);
    }
    (inside, off, lies)
}

/// Plays every case, and shows the whole table if one is wrong.
fn all_hold(height: impl Fn(f32, f32, Vec2) -> f32 + Send + Sync, velocity: Vec3) {
    let (mut table, mut wrong) = (String::new(), 0);
    for clip in ["stand", "walk", "crouch-walk"] {
        for moment in 0..8 {
            let at = 1.0 + 0.137 * moment as f32;
            let dt = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0][moment % 3];
            let mut ground = Moving {
                now: 0.0,
                height: |now: f32, place| height(now - at, now, place),
                velocity,
            };
            let (inside, off, lies) = play(clip, &mut ground, dt, &mut table);
            let holds = inside <= 0.25 && off <= 0.25 && lies == 0.0;
            writeln!(
                table,
                "{clip} {at:.2} s, {dt:.3}: in {inside:.2} s, off {off:.2} s, false {lies:.2} s {}",
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

/// What says how fast it moves takes feet along.
#[test]
fn nobody_slides_on_a_treadmill() {
    let belt = Vec3::new(0.3, 0.0, -0.4);
    let mut ground = Moving { now: 0.0, height: |_, _| 0.0, velocity: belt };
    let mut player = Player::playing("stand");
    player.step(0.0, &Input::default(), &ground);
    let before = player.ball(0);
    let dt = 1.0 / 60.0;
    for frame in 1..=120 {
        ground.now += dt;
        player.step(dt, &Input::default(), &ground);
        let carried = before + belt * (dt * frame as f32);
        assert!(player.ball(0).distance(carried) < 0.012, "{frame}: {}", player.ball(0) - carried);
    }
    let hips = player.models[0].translation;
    assert!((hips.x - 0.6).abs() < 0.05 && (hips.z + 0.8).abs() < 0.05, "{hips}");
}
