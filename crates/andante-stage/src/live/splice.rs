//! The one place where a body goes over from one motion to another.
//!
//! The newer motion is played alone; what the shown pose differs from it at the moment of the switch is carried
//! along and dies away, as if by inertia. Feet are kept apart from that: one that is down stays where it is until
//! the newer motion lifts it, and on its way through the air it loses what it differs. So no switch pops, and no
//! foot slides, whenever it comes. The little that motions themselves let feet slide is taken away too.

use andante_ik::{TwoBone, TwoBoneOptions};
use andante_motion::repertoire::Repertoire;
use andante_skeleton::{Foot, Inertializer, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

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

/// The most the hips go down so that a foot can stay, in metres, and seconds in which half of that is gone.
const MOST_DROP: f32 = 0.15;
const HALF_DROP: f32 = 0.08;

/// How fast they go down, in m/s.
const DROPPING: f32 = 0.5;

/// Legs are not stretched farther than this part of their length, or as far as the motion itself stretches them:
/// knees would snap.
const STRETCH: f32 = 0.985;

/// Straight knees bend by no more than this in a frame, in radians.
const UNBEND: f32 = 0.06;

/// A foot that is dragged this far, in metres, lets go.
const DRAGGED: f32 = 0.35;

/// Bodies with more feet than this are not held by them.
const MOST_FEET: usize = 8;

/// A switch and what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    inertia: Inertializer,
    feet: Vec<Hold>,
    /// Joints in the world as they were shown last, and before that.
    shown: [Vec<Transform>; 2],
    frames: usize,
    source: Vec<Transform>,
    models: Vec<Transform>,
    /// Seconds since the switch.
    since: f32,
    /// How far the hips are let down.
    drop: f32,
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
}

impl Splice {
    pub fn new(repertoire: &Repertoire) -> Self {
        let joints = repertoire.character().skeleton.len();
        let rest = vec![Transform::IDENTITY; joints];
        Self {
            inertia: Inertializer::new(joints, HALF_LIFE),
            feet: vec![Hold::default(); repertoire.character().rig.feet.len()],
            shown: [rest.clone(), rest.clone()],
            frames: 0,
            source: rest.clone(),
            models: rest,
            since: f32::INFINITY,
            drop: 0.0,
        }
    }

    /// Joints in the world as they are shown.
    pub fn models(&self) -> &[Transform] {
        &self.shown[0]
    }

    /// Whether heel and ball of a foot are shown as down.
    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.feet[foot].down
    }

    /// Whether anything is left of a switch.
    pub fn is_active(&self) -> bool {
        self.since < 20.0 * HALF_LIFE
            || self.drop > NOTHING[0]
            || self.feet.iter().any(|hold| !hold.is_nothing())
    }

    /// Goes over to a newer motion. `before` is its pose at the time of the last frame that was shown, `now` the one
    /// `dt` later that is about to be.
    pub fn switch(
        &mut self,
        repertoire: &Repertoire,
        before: &[Transform],
        now: &[Transform],
        dt: f32,
    ) {
        if self.frames == 0 {
            return;
        }
        let character = repertoire.character();
        self.inertia.switch(before, now, dt);
        self.since = -dt;
        // How far the hips are down is part of the difference from now on.
        self.drop = 0.0;
        character.skeleton.local_to_model(before, &mut self.source);
        character.skeleton.local_to_model(now, &mut self.models);
        // Toes are bent as they are shown, so that the ball is where it is shown.
        for foot in &character.rig.feet {
            if let Some(toes) = foot.toes {
                let ankle = foot.ankle();
                let bent = self.shown[0][ankle].inverse() * self.shown[0][toes];
                self.source[toes] = self.source[ankle] * bent;
                self.models[toes] = self.models[ankle] * bent;
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
            let [shown, earlier] = [&self.shown[0], &self.shown[1]];
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

    /// Makes what is shown from the pose that is played, `dt` after the last frame. `down` says which heels and balls
    /// the motion that is played has on the ground.
    pub fn apply(
        &mut self,
        repertoire: &Repertoire,
        pose: &mut [Transform],
        down: impl Fn(usize) -> [bool; 2],
        dt: f32,
    ) {
        let character = repertoire.character();
        let skeleton = &character.skeleton;
        skeleton.local_to_model(pose, &mut self.source);
        self.inertia.apply(pose, dt);
        self.since += dt;
        self.shown.swap(0, 1);
        self.frames = (self.frames + 1).min(2);
        // Where the ankles have to be.
        let mut targets = [Transform::IDENTITY; MOST_FEET];
        let legs = repertoire.legs();
        for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
            if let Some(toes) = foot.toes {
                self.source[toes] = self.source[foot.ankle()] * pose[toes];
            }
            let points = [foot.heel.position(&self.source), foot.ball.position(&self.source)];
            hold.advance(down(index), points, dt);
            if let Some(target) = targets.get_mut(index) {
                *target = hold.place(&self.source[foot.ankle()], points[hold.about]);
            }
        }
        if !self.is_active() {
            // The motion itself.
            self.shown[0].copy_from_slice(&self.source);
            for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
                hold.look(foot, &self.shown[0]);
                if let Some(leg) = legs.get(index).and_then(Option::as_ref) {
                    hold.bent = bent(skeleton, leg, &self.shown[0]);
                }
            }
            return;
        }
        skeleton.local_to_model(pose, &mut self.shown[0]);
        // The hips go down as far as feet that stay need them to.
        let most = self.drop + DROPPING * dt;
        self.drop *= (-dt / HALF_DROP * std::f32::consts::LN_2).exp();
        let mut reaches = [0.0; MOST_FEET];
        for (index, hold) in self.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = legs.get(index).and_then(Option::as_ref) else { continue };
            let [hip, knee, ankle] = leg.joints();
            let length = skeleton.joint(knee).rest.translation.length()
                + skeleton.joint(ankle).rest.translation.length();
            let own = self.source[hip].translation.distance(self.source[ankle].translation);
            let soon = length * (0.5 * (hold.bent + UNBEND)).cos();
            reaches[index] = own.max(soon).max(STRETCH * length);
            if hold.pin.is_none() {
                continue;
            }
            let to = targets[index].translation - self.shown[0][hip].translation;
            let deep = (reaches[index].powi(2) - to.x * to.x - to.z * to.z).max(0.0).sqrt();
            self.drop = self.drop.max((-to.y - deep).min(MOST_DROP).min(most));
        }
        if self.drop > 0.0 {
            pose[0].translation.y -= self.drop;
            skeleton.local_to_model(pose, &mut self.shown[0]);
        }
        for (index, foot) in character.rig.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = legs.get(index).and_then(Option::as_ref) else { continue };
            let models = &mut self.shown[0];
            let hip = models[leg.joints()[0]].translation;
            let mut target = targets[index];
            let to = target.translation - hip;
            if to.length() > reaches[index] {
                target.translation = hip + to * (reaches[index] / to.length());
                // A foot that cannot stay is not shown as one that does.
                if to.length() > reaches[index] + DOWN {
                    self.feet[index].down = [false; 2];
                }
            }
            leg.solve(&target, &TwoBoneOptions::default(), pose, models);
            self.feet[index].bent = bent(skeleton, leg, models);
            for joint in skeleton.subtree(foot.ankle()).skip(1) {
                if let Some(parent) = skeleton.parent(joint) {
                    models[joint] = models[parent] * pose[joint];
                }
            }
        }
        for (foot, hold) in character.rig.feet.iter().zip(&mut self.feet) {
            hold.look(foot, &self.shown[0]);
        }
        self.inertia.amend(pose);
    }
}

impl Hold {
    fn is_nothing(&self) -> bool {
        self.moved.length() < NOTHING[0] && self.turned.length() < NOTHING[1]
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
            (self.moved_rate, self.turned_rate) = (Vec3::ZERO, Vec3::ZERO);
            // It stays in the plane; a ball that rises over the tip of the toes has to be let up.
            self.moved = (pin - at).with_y(self.moved.y * landing_left(dt));
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
            self.turned = rotation::log(tilt_left(tilt, dt) * yaw);
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

fn tilt_left(tilt: Quat, dt: f32) -> Quat {
    rotation::exp(rotation::log(tilt) * landing_left(dt))
}

/// The part of a difference that is left of a foot that comes down.
fn landing_left(dt: f32) -> f32 {
    (-dt / HALF_LANDING * std::f32::consts::LN_2).exp()
}

/// A critically damped spring towards nothing.
pub(crate) fn damped(x: Vec3, rate: Vec3, half_life: f32, dt: f32) -> (Vec3, Vec3) {
    let y = 1.678_347 / half_life;
    let decay = (-y * dt).exp();
    let j = rate + x * y;
    ((x + j * dt) * decay, (rate - j * (y * dt)) * decay)
}
