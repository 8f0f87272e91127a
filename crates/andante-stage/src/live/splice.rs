//! The one place where a body goes over from one motion to another.
//!
//! The newer motion is played alone; what the shown pose differs from it at the moment of the switch is carried
//! along and dies away, as if by inertia. Feet are kept apart from that: one that is down stays where it is until
//! the newer motion lifts it, and on its way through the air it loses what it differs. So no switch pops, and no
//! foot slides, whenever it comes. The little that motions themselves let feet slide is taken away too.

use andante_ik::{TwoBone, TwoBoneOptions};
use andante_motion::repertoire::Repertoire;
use andante_skeleton::{BodyPoint, Foot, Inertializer, Skeleton, Transform, ease, rotation};
use glam::{Quat, Vec3};
use std::f32::consts::PI;

/// Seconds in which half of a difference is gone: of the body, of a foot in the air, and of one that has to come
/// down.
const HALF_LIFE: f32 = 0.12;
const HALF_SWING: f32 = 0.09;
const HALF_LANDING: f32 = 0.05;

/// A foot this close to the ground is down, in metres.
const DOWN: f32 = 1.5e-3;

/// Heel and ball are both down if the foot is tilted by less, in radians.
const FLAT: f32 = 0.01;

/// Heel or ball that have moved by more since they came down have left the ground, in metres.
const ROLLED: f32 = 2.5e-3;

/// What moves by less in a frame stands still, in metres.
const STILL: f32 = 5e-5;

/// Differences smaller than these are none: metres and radians.
const NOTHING: [f32; 2] = [1e-4, 1e-3];

/// The most the hips go down so that a foot can stay, in metres, and seconds in which half of a change is made.
const MOST_DROP: f32 = 0.15;
const HALF_DROP: f32 = 0.1;

/// The most a heel is raised so that its ball can stay, in radians, and the most in a frame.
const RAISED: f32 = 0.9;
const RAISING: f32 = 0.15;

/// Toes are not bent farther than this for it, in radians.
const BENT: f32 = 1.2;

/// Legs are not stretched farther than this part of their length, or as far as the motion itself stretches them:
/// knees would snap.
const STRETCH: f32 = 0.985;

/// Straight knees bend by no more than this in a frame, in radians.
const UNBEND: f32 = 0.06;

/// Knees of legs in the air turn by no more than this in a sixtieth of a second, in radians: as fast as those of the
/// fastest built-in run.
const SWUNG: f32 = 0.27;

/// A foot that is dragged this far, in metres, lets go.
const DRAGGED: f32 = 0.35;

/// Soles may be this deep in the ground, in metres.
const SUNK: f32 = 1e-3;

/// Toes of which less than the first part points ahead are not bent out of the ground; with more than the second
/// they are.
const STEEP: [f32; 2] = [0.5, 0.8];

/// Toes of a foot whose ball is in the air turn by no more than this in a sixtieth of a second, in radians: as fast as
/// those of the fastest built-in run.
const SPRUNG: f32 = 0.26;

/// How fast a foot in the air follows the ground below it in a sixtieth of a second: metres and radians.
const RISING: f32 = 0.03;
const TILTING: f32 = 0.1;

/// Seconds in which half of a jolt that was kept from the body is gone.
const HALF_LAG: f32 = 0.2;

/// Bodies with more feet than this are not held by them.
const MOST_FEET: usize = 8;

/// What is played: which heels and balls it has on the ground, where that is, and how fast its body may change its
/// speed, in m/s².
pub(crate) struct Source<'a> {
    pub down: &'a dyn Fn(usize) -> [bool; 2],
    pub ground: &'a dyn Fn(Vec3) -> Option<f32>,
    pub most: f32,
    /// Height of the plane it was made for, if the ground is another.
    pub level: Option<f32>,
    /// Seconds since the last frame.
    pub dt: f32,
}

/// A switch and what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    inertia: Inertializer,
    feet: Vec<Hold>,
    /// Joints in the world as they were shown last, and before that.
    shown: [Vec<Transform>; 2],
    /// The same with heels that are not raised.
    bare: [Vec<Transform>; 2],
    frames: usize,
    source: Vec<Transform>,
    models: Vec<Transform>,
    /// Seconds since the switch.
    since: f32,
    /// How far the hips are let down, and how fast.
    drop: Vec3,
    drop_rate: Vec3,
    /// Where the root was without what is kept from it, and how fast; what is kept.
    root: Vec3,
    root_rate: Vec3,
    lag: Vec3,
    lag_rate: Vec3,
}

/// What a foot differs from the motion that is played: it is turned about one of its points, and moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hold {
    moved: Vec3,
    moved_rate: Vec3,
    turned: Vec3,
    turned_rate: Vec3,
    /// The point it is turned about: 0 is the heel, 1 the ball.
    about: usize,
    /// Where that point stays.
    pin: Option<Vec3>,
    /// Where a flat foot points to.
    points: Option<f32>,
    /// What is shown as down.
    down: [bool; 2],
    /// Where heel and ball came down.
    landed: [Option<Vec3>; 2],
    /// Where they were last.
    seen: [Vec3; 2],
    /// How much the knee is bent, as if both bones were as long, in radians.
    bent: f32,
    /// The ground below, where it is not the plane the motion was made for: its height, and its tilt as a rotation
    /// vector.
    ground: Option<f32>,
    tilt: Vec3,
    /// How far the heel is raised over toes that stay flat because the leg is too short, in radians, and how fast.
    raised: f32,
    raised_rate: f32,
    /// How the toes were turned last, without a raised heel.
    toes: Option<Quat>,
}

impl Splice {
    pub fn new(repertoire: &Repertoire) -> Self {
        let joints = repertoire.character().skeleton.len();
        let rest = vec![Transform::IDENTITY; joints];
        Self {
            inertia: Inertializer::new(joints, HALF_LIFE),
            feet: vec![Hold::default(); repertoire.character().rig.feet.len()],
            shown: [rest.clone(), rest.clone()],
            bare: [rest.clone(), rest.clone()],
            frames: 0,
            source: rest.clone(),
            models: rest,
            since: f32::INFINITY,
            drop: Vec3::ZERO,
            drop_rate: Vec3::ZERO,
            root: Vec3::ZERO,
            root_rate: Vec3::ZERO,
            lag: Vec3::ZERO,
            lag_rate: Vec3::ZERO,
        }
    }

    /// Joints in the world as they are shown.
    pub fn models(&self) -> &[Transform] {
        &self.shown[0]
    }

    /// The same a frame ago.
    pub fn earlier(&self) -> &[Transform] {
        if self.frames > 1 { &self.shown[1] } else { &self.shown[0] }
    }

    /// Whether heel and ball of a foot are shown as down.
    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.feet[foot].down
    }

    /// Whether the last switch was a moment ago.
    pub fn is_fresh(&self) -> bool {
        self.since < 8.0 * HALF_LIFE
    }

    /// Whether anything is left of a switch.
    pub fn is_active(&self) -> bool {
        self.since < 20.0 * HALF_LIFE
            || self.drop.length() > NOTHING[0]
            || self.lag.length() > NOTHING[0]
            || self.feet.iter().any(|hold| !hold.is_nothing())
    }

    /// Goes over to a newer motion. `before` is its pose at the time of the last frame that was shown, `now` the one
    /// `dt` later that is about to be.
    pub fn switch(
        &mut self,
        repertoire: &Repertoire,
        before: &[Transform],
        now: &[Transform],
        played: &Source,
    ) {
        if self.frames == 0 {
            return;
        }
        let dt = played.dt;
        let character = repertoire.character();
        self.inertia.switch(before, now, dt);
        self.since = -dt;
        // How far the hips are down, and what they lag behind, is part of the difference from now on.
        (self.drop, self.drop_rate) = (Vec3::ZERO, Vec3::ZERO);
        (self.lag, self.lag_rate) = (Vec3::ZERO, Vec3::ZERO);
        self.root = self.shown[0][0].translation;
        if self.frames > 1 && dt > 0.0 {
            self.root_rate = (self.root - self.shown[1][0].translation) / dt;
        }
        character.skeleton.local_to_model(before, &mut self.source);
        character.skeleton.local_to_model(now, &mut self.models);
        // Toes are bent as they are shown, so that the ball is where it is shown.
        for foot in &character.rig.feet {
            if let Some(toes) = foot.toes {
                let ankle = foot.ankle();
                let bent = self.bare[0][ankle].inverse() * self.bare[0][toes];
                self.source[toes] = self.source[ankle] * bent;
                self.models[toes] = self.models[ankle] * bent;
            }
        }
        for (foot, hold) in character.rig.feet.iter().zip(&mut self.feet) {
            (hold.ground, hold.tilt) = match played.level {
                Some(level) => below(foot, &self.source, level, played.ground),
                None => (None, Vec3::ZERO),
            };
            for models in [&mut self.source, &mut self.models] {
                hold.lay(foot, models, played.level);
            }
        }
        let moving = self.frames > 1 && dt > 0.0;
        for (foot, hold) in character.rig.feet.iter().zip(&mut self.feet) {
            let about = match hold.down {
                [true, false] => 0,
                _ => 1,
            };
            let point = [foot.heel, foot.ball][about];
            let at = |models: &[Transform]| point.position(models);
            let turn = |models: &[Transform]| models[foot.ankle()].rotation;
            let [shown, earlier] = [&self.bare[0], &self.bare[1]];
            let moved = at(shown) - at(&self.source);
            let turned = rotation::log(turn(shown) * turn(&self.source).conjugate());
            let (mut moved_rate, mut turned_rate) = (Vec3::ZERO, Vec3::ZERO);
            if moving {
                let own = at(&self.models) - at(&self.source);
                moved_rate = (at(shown) - at(earlier) - own) / dt;
                let was = rotation::log(turn(shown) * turn(earlier).conjugate());
                let own = rotation::log(turn(&self.models) * turn(&self.source).conjugate());
                turned_rate = (was - own) / dt;
            }
            let pin = hold.down.contains(&true).then(|| at(shown));
            let points = hold.points.filter(|_| pin.is_some());
            *hold = Hold { moved, moved_rate, turned, turned_rate, about, pin, points, ..*hold };
        }
    }

    /// Makes what is shown from the pose that is played.
    pub fn apply(&mut self, repertoire: &Repertoire, pose: &mut [Transform], played: &Source) {
        let dt = played.dt;
        let character = repertoire.character();
        let skeleton = &character.skeleton;
        skeleton.local_to_model(pose, &mut self.source);
        self.inertia.apply(pose, dt);
        self.since += dt;
        self.steady(pose[0].translation, played);
        self.shown.swap(0, 1);
        self.bare.swap(0, 1);
        self.frames = (self.frames + 1).min(2);
        // Where the ankles have to be.
        let mut targets = [Transform::IDENTITY; MOST_FEET];
        let legs = repertoire.legs();
        for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
            if let Some(toes) = foot.toes {
                self.source[toes] = self.source[foot.ankle()] * pose[toes];
            }
            let down = (played.down)(index);
            hold.follow_ground(foot, &self.source, down, played);
            hold.lay(foot, &mut self.source, played.level);
            let points = [foot.heel.position(&self.source), foot.ball.position(&self.source)];
            hold.advance(down, points, dt);
            if let Some(target) = targets.get_mut(index) {
                *target = hold.place(&self.source[foot.ankle()], points[hold.about]);
            }
        }
        if !self.is_active() && played.level.is_none() {
            // The motion itself.
            self.shown[0].copy_from_slice(&self.source);
            self.bare[0].copy_from_slice(&self.source);
            for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
                let ankle = self.source[foot.ankle()];
                if let Some(toes) = hold.ease_toes(foot, &ankle, pose, played) {
                    self.shown[0][toes] = ankle * pose[toes];
                    self.bare[0][toes] = self.shown[0][toes];
                }
                hold.look(foot, &self.shown[0]);
                if let Some(leg) = legs.get(index).and_then(Option::as_ref) {
                    hold.bent = bent(skeleton, leg, &self.shown[0]);
                }
            }
            return;
        }
        pose[0].translation += self.lag;
        skeleton.local_to_model(pose, &mut self.shown[0]);
        // The hips go down as far as feet that stay need them to.
        let mut needed = 0.0f32;
        let (mut reaches, mut lengths) = ([0.0; MOST_FEET], [0.0; MOST_FEET]);
        for (index, hold) in self.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = legs.get(index).and_then(Option::as_ref) else { continue };
            let [hip, knee, ankle] = leg.joints();
            let length = skeleton.joint(knee).rest.translation.length()
                + skeleton.joint(ankle).rest.translation.length();
            let own = self.source[hip].translation.distance(self.source[ankle].translation);
            let soon = length * (0.5 * (hold.bent + UNBEND)).cos();
            reaches[index] = own.max(soon).max(STRETCH * length);
            lengths[index] = length;
            if hold.pin.is_none() {
                continue;
            }
            let to = targets[index].translation - self.shown[0][hip].translation;
            let deep = (reaches[index].powi(2) - to.x * to.x - to.z * to.z).max(0.0).sqrt();
            needed = needed.max((-to.y - deep).min(MOST_DROP));
        }
        let goal = Vec3::Y * needed;
        let (left, rate) = damped(self.drop - goal, self.drop_rate, HALF_DROP, dt);
        (self.drop, self.drop_rate) = (goal + left, rate);
        if self.drop != Vec3::ZERO {
            pose[0].translation -= self.drop;
            skeleton.local_to_model(pose, &mut self.shown[0]);
        }
        let mut toes_before = [Quat::IDENTITY; MOST_FEET];
        for (index, foot) in character.rig.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = legs.get(index).and_then(Option::as_ref) else { continue };
            let models = &mut self.shown[0];
            let hip = models[leg.joints()[0]].translation;
            let hold = &mut self.feet[index];
            keep_above(foot, played.ground, &mut targets[index], pose);
            let bare = targets[index];
            hold.ease_toes(foot, &bare, pose, played);
            if let Some(toes) = foot.toes {
                toes_before[index] = pose[toes].rotation;
            }
            let mut target =
                hold.raise_heel((skeleton, foot), (hip, reaches[index]), &bare, pose, dt);
            let to = target.translation - hip;
            if to.length() > reaches[index] {
                target.translation = hip + to * (reaches[index] / to.length());
                // A foot that cannot stay is not shown as one that does.
                if to.length() > reaches[index] + DOWN {
                    hold.down = [false; 2];
                }
            }
            if self.frames > 1 {
                hold.ease_knee(foot, hip, lengths[index], &mut target, pose, played);
            }
            leg.solve(&target, &TwoBoneOptions::default(), pose, models);
            hold.bent = bent(skeleton, leg, models);
            for joint in skeleton.subtree(foot.ankle()).skip(1) {
                if let Some(parent) = skeleton.parent(joint) {
                    models[joint] = models[parent] * pose[joint];
                }
            }
        }
        self.bare[0].copy_from_slice(&self.shown[0]);
        for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
            hold.look(foot, &self.shown[0]);
            if hold.raised > 0.0 && index < MOST_FEET {
                let bare = &mut self.bare[0];
                bare[foot.ankle()] = targets[index];
                if let Some(toes) = foot.toes {
                    let raised = pose[toes].rotation;
                    pose[toes].rotation = toes_before[index];
                    bare[toes] = bare[foot.ankle()] * pose[toes];
                    toes_before[index] = raised;
                }
            }
        }
        // The next switch goes on from how it would be without raised heels and from where it is shown.
        self.inertia.amend(pose);
        for (index, (foot, hold)) in character.rig.feet.iter().zip(&self.feet).enumerate() {
            if let Some(toes) = foot.toes.filter(|_| hold.raised > 0.0 && index < MOST_FEET) {
                pose[toes].rotation = toes_before[index];
            }
        }
    }
}

impl Splice {
    /// Keeps jolts from the body: what it would change its speed by too quickly it makes up for later.
    fn steady(&mut self, root: Vec3, played: &Source) {
        let dt = played.dt;
        if dt > 0.0 {
            let rate = (root - self.root) / dt;
            let change = rate - self.root_rate;
            if self.frames > 1 {
                self.lag_rate -= change - change.clamp_length_max(played.most * dt);
            }
            (self.lag, self.lag_rate) = damped(self.lag, self.lag_rate, HALF_LAG, dt);
            self.root_rate = rate;
        }
        self.root = root;
    }
}

impl Hold {
    fn is_nothing(&self) -> bool {
        self.moved.length() < NOTHING[0]
            && self.turned.length() < NOTHING[1]
            && self.raised < NOTHING[1]
    }

    /// Feet in the air follow the ground below them, so that they land on it; those that are down stay.
    fn follow_ground(
        &mut self,
        foot: &Foot,
        models: &[Transform],
        down: [bool; 2],
        played: &Source,
    ) {
        let Some(level) = played.level else { return };
        if down.contains(&true) && self.down.contains(&true) && self.ground.is_some() {
            return;
        }
        let (ground, tilt) = below(foot, models, level, played.ground);
        let frames = 60.0 * played.dt;
        self.ground = match (self.ground, ground) {
            (Some(own), Some(ground)) => {
                Some(own + (ground - own).clamp(-RISING * frames, RISING * frames))
            }
            (own, ground) => ground.or(own),
        };
        self.tilt += (tilt - self.tilt).clamp_length_max(TILTING * frames);
    }

    /// Puts a foot of a motion that was made for a plane on the ground.
    fn lay(&self, foot: &Foot, models: &mut [Transform], level: Option<f32>) {
        let Some(level) = level else { return };
        let turn = rotation::exp(self.tilt);
        let rise = self.ground.map_or(0.0, |ground| ground - level);
        let middle = foot.heel.position(models).midpoint(foot.ball.position(models)).with_y(level);
        for joint in [Some(foot.ankle()), foot.toes].into_iter().flatten() {
            let own = models[joint];
            let place = middle + turn * (own.translation - middle) + rise * Vec3::Y;
            models[joint] = Transform::new(turn * own.rotation, place);
        }
    }

    /// Where the foot is shown, if the motion has its ankle here and the point it is turned about there.
    fn place(&self, ankle: &Transform, about: Vec3) -> Transform {
        let turn = rotation::exp(self.turned);
        Transform::new(
            turn * ankle.rotation,
            about + self.moved + turn * (ankle.translation - about),
        )
    }

    /// Lets the difference die away where the foot is free to move.
    fn advance(&mut self, down: [bool; 2], points: [Vec3; 2], dt: f32) {
        let about = match down {
            [true, false] => 0,
            _ => 1,
        };
        if about != self.about {
            // The same foot, turned about its other point.
            let turn = rotation::exp(self.turned);
            let from = points[self.about];
            self.moved += turn * (points[about] - from) - (points[about] - from);
            self.about = about;
            self.pin = self.pin.map(|_| points[about] + self.moved);
        }
        let at = points[about];
        if !down.contains(&true) {
            (self.pin, self.points) = (None, None);
            self.decay(HALF_SWING, dt);
            if self.is_nothing() {
                (self.moved, self.turned) = (Vec3::ZERO, Vec3::ZERO);
                (self.moved_rate, self.turned_rate) = (Vec3::ZERO, Vec3::ZERO);
            }
        } else if let Some(pin) = self.pin {
            // It stays in the plane; a ball that rises over the tip of the toes has to be let up.
            let upright = |v: Vec3| Vec3::Y * v.y;
            let (up, rate) =
                damped(upright(self.moved), upright(self.moved_rate), HALF_LANDING, dt);
            self.moved = (pin - at).with_y(up.y);
            self.moved_rate = rate;
            if self.moved.length() > DRAGGED {
                self.pin = None;
            }
            // The way it points stays, the rest of the turn dies away about the point that is down.
            let (tilt, mut yaw) = rotation::swing_twist(rotation::exp(self.turned), Vec3::Y);
            let own = heading(points[1] - points[0]);
            match self.points {
                Some(points) if down == [true; 2] => yaw = Quat::from_rotation_y(points - own),
                _ => self.points = Some(own + rotation::heading(yaw)),
            }
            let tilt_rate = self.turned_rate.with_y(0.0);
            let (tilt, rate) = damped(rotation::log(tilt), tilt_rate, HALF_LANDING, dt);
            self.turned = rotation::log(rotation::exp(tilt) * yaw);
            self.turned_rate = rate;
        } else {
            self.points = None;
            self.decay(HALF_LANDING, dt);
            if self.moved.y.abs() < DOWN {
                self.pin = Some(at + self.moved);
            }
        }
        let tilt = rotation::swing_twist(rotation::exp(self.turned), Vec3::Y).0;
        let flat = rotation::log(tilt).length() < FLAT;
        let planted = self.pin.is_some();
        self.down = [0, 1].map(|point| planted && down[point] && (flat || point == about));
    }

    /// Lets toes that the ground has bent spring back as fast as toes do: what they were bent by is gone within a frame or
    /// two when a foot leaves quickly. Returns the toes if they had to be held.
    fn ease_toes(
        &mut self,
        foot: &Foot,
        ankle: &Transform,
        pose: &mut [Transform],
        played: &Source,
    ) -> Option<usize> {
        let toes = foot.toes?;
        let own = pose[toes].rotation;
        let before = self.toes.replace(own)?;
        let most = SPRUNG * 60.0 * played.dt;
        if self.down[1] || rotation::angle_between(before, own) <= most {
            return None;
        }
        pose[toes].rotation = before.rotate_towards(own, most);
        if depth(foot, &foot.tip, played.ground, ankle, pose) > 0.0 {
            // The ground bends them as fast as it has to.
            pose[toes].rotation = own;
            return None;
        }
        self.toes = Some(pose[toes].rotation);
        Some(toes)
    }

    /// Moves a foot in the air along its leg where the knee would be bent or straightened faster than knees are.
    fn ease_knee(
        &self,
        foot: &Foot,
        hip: Vec3,
        length: f32,
        ankle: &mut Transform,
        pose: &[Transform],
        played: &Source,
    ) {
        if self.pin.is_some() || self.down.contains(&true) {
            return;
        }
        let most = SWUNG * 60.0 * played.dt;
        let far = |bent: f32| length * (0.5 * bent.clamp(0.0, PI)).cos();
        let to = ankle.translation - hip;
        let eased = to.length().clamp(far(self.bent + most), far(self.bent - most));
        if eased != to.length() {
            let own = ankle.translation;
            ankle.translation = hip + to.normalize_or_zero() * eased;
            let sinks = eased > to.length()
                && depth(foot, &foot.heel, played.ground, ankle, pose)
                    .max(depth(foot, &foot.ball, played.ground, ankle, pose))
                    .max(depth(foot, &foot.tip, played.ground, ankle, pose))
                    > 0.0;
            if sinks {
                ankle.translation = own;
            }
        }
    }

    /// Raises the heel of a foot whose ball stays, as far as the leg cannot reach it, and lets it sink again when
    /// it can. Toes stay as they are.
    fn raise_heel(
        &mut self,
        (skeleton, foot): (&Skeleton, &Foot),
        (hip, reach): (Vec3, f32),
        ankle: &Transform,
        pose: &mut [Transform],
        dt: f32,
    ) -> Transform {
        let alone = |x: f32| Vec3::X * x;
        let (left, rate) = damped(alone(self.raised), alone(self.raised_rate), HALF_SWING, dt);
        let before = std::mem::replace(&mut self.raised, left.x.clamp(0.0, RAISED));
        self.raised_rate = rate.x;
        let Some(toes) = foot.toes else { return *ankle };
        let pivot = ankle.transform_point(pose[toes].translation);
        let arm = ankle.translation - pivot;
        // Across the foot, however it is turned.
        let heel = foot.heel.offset;
        let across = (-heel).cross(pose[toes].translation - heel);
        let Some(side) = across.try_normalize().filter(|_| foot.heel.joint == foot.ankle()) else {
            return *ankle;
        };
        let side = ankle.rotation * side;
        let raised = |angle: f32| pivot + Quat::from_axis_angle(side, angle) * arm;
        let far = |angle: f32| raised(angle).distance(hip) > reach;
        // What the toes are bent by already counts.
        let straight = skeleton.joint(toes).rest.rotation;
        let bent = rotation::angle_between(pose[toes].rotation, straight);
        let most = (before + RAISING).min(RAISED).min(BENT - bent).max(0.0);
        self.raised = self.raised.min(most);
        if self.pin.is_some() && self.about == 1 && most > self.raised && far(self.raised) {
            let (mut low, mut high) = (self.raised, most);
            for _ in 0..14 {
                let middle = 0.5 * (low + high);
                if far(middle) { low = middle } else { high = middle }
            }
            self.raised = high;
            self.raised_rate = if dt > 0.0 { (high - before) / dt } else { 0.0 };
        }
        if self.raised < 1e-4 {
            self.raised = 0.0;
            return *ankle;
        }
        let turned = Quat::from_axis_angle(side, self.raised) * ankle.rotation;
        let flat = ankle.rotation * pose[toes].rotation;
        pose[toes].rotation = (turned.conjugate() * flat).normalize();
        self.down[0] &= self.raised < FLAT;
        Transform::new(turned, raised(self.raised))
    }

    /// Heel or ball that have moved are not down any more, though the motion says so: while a foot rolls, the one
    /// that is held stays, and the other may have begun to move.
    fn look(&mut self, foot: &Foot, models: &[Transform]) {
        for (index, point) in [foot.heel, foot.ball].iter().enumerate() {
            if !self.down[index] {
                self.landed[index] = self.landed[index].filter(|_| self.pin.is_some());
                continue;
            }
            let at = point.position(models);
            let still = self.seen[index].distance(at) < STILL;
            self.seen[index] = at;
            let landed = *self.landed[index].get_or_insert(at);
            self.down[index] = (at - landed).with_y(0.0).length() < ROLLED;
            if !self.down[index] && still {
                // It has come down again.
                self.landed[index] = None;
            }
        }
    }

    fn decay(&mut self, half_life: f32, dt: f32) {
        (self.moved, self.moved_rate) = damped(self.moved, self.moved_rate, half_life, dt);
        (self.turned, self.turned_rate) = damped(self.turned, self.turned_rate, half_life, dt);
    }
}

/// The ground below a foot: its height in the middle of the sole, and its tilt.
fn below(
    foot: &Foot,
    models: &[Transform],
    level: f32,
    ground: &dyn Fn(Vec3) -> Option<f32>,
) -> (Option<f32>, Vec3) {
    let [heel, ball] = [foot.heel, foot.ball].map(|point| point.position(models).with_y(level));
    let along = ball - heel;
    let across = 0.3 * Vec3::Y.cross(along);
    let middle = heel.midpoint(ball);
    let Some(under) = ground(middle) else { return (None, Vec3::ZERO) };
    let ends = [heel, ball, middle - across, middle + across].map(ground);
    let [Some(back), Some(front), Some(right), Some(left)] = ends else {
        return (Some(under), Vec3::ZERO);
    };
    // Over an edge a foot stays as it is.
    let steep = |a: f32, b: f32, far: f32| (a - under).abs().max((b - under).abs()) > far;
    let length = along.length();
    if steep(back, front, 0.5 * length) || steep(right, left, 0.5 * length) {
        return (Some(under), Vec3::ZERO);
    }
    let ahead = along + (front - back) * Vec3::Y;
    let aside = 2.0 * across + (left - right) * Vec3::Y;
    let normal = ahead.cross(aside).normalize_or(Vec3::Y);
    let tilt = rotation::log(Quat::from_rotation_arc(Vec3::Y, normal));
    (Some(0.5 * (back + front)), tilt)
}

/// Lifts a foot whose heel or ball would be in the ground, and toes whose tip would be.
fn keep_above(
    foot: &Foot,
    ground: &dyn Fn(Vec3) -> Option<f32>,
    ankle: &mut Transform,
    pose: &mut [Transform],
) {
    let deep = |point: &BodyPoint| depth(foot, point, ground, ankle, pose);
    let deepest = deep(&foot.heel).max(deep(&foot.ball));
    if deepest > 0.0 {
        ankle.translation.y += deepest;
    }
    let Some(toes) = foot.toes.filter(|&toes| foot.tip.joint == toes) else { return };
    let deep = depth(foot, &foot.tip, ground, ankle, pose);
    if deep <= 0.0 {
        return;
    }
    let joint = *ankle * pose[toes];
    let toe = joint.rotation * foot.tip.offset;
    // Toes that point down are not bent: the foot is lifted.
    let level = toe.with_y(0.0);
    let share = ease((level.length() / toe.length() - STEEP[0]) / (STEEP[1] - STEEP[0]));
    if share > 0.0
        && let Some(axis) = level.cross(Vec3::Y).try_normalize()
    {
        let wanted = ((toe.y + share * deep) / toe.length()).clamp(-1.0, 1.0).asin();
        let lift = Quat::from_axis_angle(axis, wanted - toe.y.atan2(level.length()));
        pose[toes].rotation = (ankle.rotation.conjugate() * lift * joint.rotation).normalize();
    }
    ankle.translation.y += (1.0 - share) * deep;
}

/// How deep a point of a foot is in the ground, if it moves with the ankle or the toes, and beyond what it may be.
fn depth(
    foot: &Foot,
    point: &BodyPoint,
    ground: &dyn Fn(Vec3) -> Option<f32>,
    ankle: &Transform,
    pose: &[Transform],
) -> f32 {
    let joint = match point.joint {
        joint if joint == foot.ankle() => *ankle,
        joint if foot.toes == Some(joint) => *ankle * pose[joint],
        _ => return 0.0,
    };
    let place = joint.transform_point(point.offset);
    ground(place).map_or(0.0, |ground| ground - place.y) - SUNK
}

/// How much a knee is bent, as if both bones were as long.
fn bent(skeleton: &Skeleton, leg: &TwoBone, models: &[Transform]) -> f32 {
    let [hip, knee, ankle] = leg.joints();
    let length = skeleton.joint(knee).rest.translation.length()
        + skeleton.joint(ankle).rest.translation.length();
    let far = models[hip].translation.distance(models[ankle].translation);
    2.0 * (far / length).clamp(0.0, 1.0).acos()
}

/// The way a direction points, seen from above.
fn heading(direction: Vec3) -> f32 {
    direction.x.atan2(direction.z)
}

/// A critically damped spring towards nothing.
pub(crate) fn damped(x: Vec3, rate: Vec3, half_life: f32, dt: f32) -> (Vec3, Vec3) {
    let y = 1.678_347 / half_life;
    let decay = (-y * dt).exp();
    let j = rate + x * y;
    ((x + j * dt) * decay, (rate - j * (y * dt)) * decay)
}
