//! A foot between two motions: one that is down stays, one in the air loses what it differs from the newer motion.

use super::soles::depth;
use super::{HeldFeet, NO_TURN, NOTHING, SpliceSource, sixtieths};
use crate::spring::damped;
use andante_skeleton::{Foot, Inertializer, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};
use std::f32::consts::PI;

/// What moves by less in a sixtieth of a second stands still, in metres.
const STILL: f32 = 5e-5;

/// Tells of hip, ankle and the joint of the toes whether the ankle is bent too far.
pub(super) type AnkleLimit<'a> = &'a dyn Fn(Vec3, Vec3, Vec3) -> bool;

/// What a foot differs from the motion that is played: it is turned about one of its points, and moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hold {
    pub(super) moved: Vec3,
    pub(super) moved_rate: Vec3,
    pub(super) turned: Vec3,
    pub(super) turned_rate: Vec3,
    /// The point it is turned about: 0 is the heel, 1 the ball.
    pub(super) about: usize,
    /// Where that point stays.
    pub(super) pin: Option<Vec3>,
    /// Where a flat foot points to.
    pub(super) points: Option<f32>,
    /// What is shown as down.
    pub(super) down: [bool; 2],
    /// Where heel and ball came down.
    landed: [Option<Vec3>; 2],
    /// Where they were last.
    seen: [Vec3; 2],
    /// How much the knee is bent, as if both bones were as long, in radians.
    pub(super) bent: f32,
    /// How far ground that has suddenly risen still is above the foot.
    pub(super) risen: f32,
    /// How far the heel is raised over toes that stay flat because the leg is too short, in radians, and how fast.
    pub(super) raised: f32,
    raised_rate: f32,
    /// How the toes were turned last, without a raised heel.
    toes: Option<Quat>,
}

impl Hold {
    pub(super) fn is_nothing(&self) -> bool {
        self.moved.length() < NOTHING && self.turned.length() < NO_TURN && self.raised < NO_TURN
    }

    /// Where the foot is shown, if the motion has its ankle here and the point it is turned about there.
    pub(super) fn place(&self, ankle: &Transform, about: Vec3) -> Transform {
        let turn = rotation::exp(self.turned);
        Transform::new(
            turn * ankle.rotation,
            about + self.moved + turn * (ankle.translation - about),
        )
    }

    /// Lets the difference die away where the foot is free to move.
    pub(super) fn advance(&mut self, down: [bool; 2], points: [Vec3; 2], dt: f32, set: &HeldFeet) {
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
            self.decay(set.half_swing, dt);
            if self.is_nothing() {
                (self.moved, self.turned) = (Vec3::ZERO, Vec3::ZERO);
                (self.moved_rate, self.turned_rate) = (Vec3::ZERO, Vec3::ZERO);
            }
        } else if let Some(pin) = self.pin {
            // It stays in the plane; a ball that rises over the tip of the toes has to be let up.
            let upright = |v: Vec3| Vec3::Y * v.y;
            let (up, rate) =
                damped(upright(self.moved), upright(self.moved_rate), set.half_landing, dt);
            self.moved = (pin - at).with_y(up.y);
            self.moved_rate = rate;
            if self.moved.length() > set.dragged {
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
            let (tilt, rate) = damped(rotation::log(tilt), tilt_rate, set.half_landing, dt);
            self.turned = rotation::log(rotation::exp(tilt) * yaw);
            self.turned_rate = rate;
        } else {
            self.points = None;
            self.decay(set.half_landing, dt);
            if self.moved.y.abs() < set.feet.down {
                self.pin = Some(at + self.moved);
            }
        }
        let tilt = rotation::swing_twist(rotation::exp(self.turned), Vec3::Y).0;
        let flat = rotation::log(tilt).length() < set.flat;
        let planted = self.pin.is_some();
        self.down = [0, 1].map(|point| planted && down[point] && (flat || point == about));
    }

    /// Heel or ball of a foot that is clearly above the ground are not down, whatever the motion says.
    pub(super) fn stand_on_ground(
        &mut self,
        foot: &Foot,
        ankle: &Transform,
        pose: &[Transform],
        played: &SpliceSource,
        set: &HeldFeet,
    ) {
        for (index, point) in [foot.heel, foot.ball].iter().enumerate() {
            let above = -depth(foot, point, played.ground, ankle, pose, 0.0);
            self.down[index] &= above < set.above;
        }
    }

    /// Lets toes that the ground has bent spring back as fast as toes do: what they were bent by is gone within a frame or
    /// two when a foot leaves quickly. Returns the toes if they had to be held.
    pub(super) fn ease_toes(
        &mut self,
        foot: &Foot,
        ankle: &Transform,
        pose: &mut [Transform],
        played: &SpliceSource,
        set: &HeldFeet,
    ) -> Option<usize> {
        let toes = foot.toes?;
        let own = pose[toes].rotation;
        let before = self.toes.replace(own)?;
        let most = set.feet.toe_speed * 60.0 * played.dt;
        if self.down[1] || rotation::angle_between(before, own) <= most {
            return None;
        }
        pose[toes].rotation = before.rotate_towards(own, most);
        if depth(foot, &foot.tip, played.ground, ankle, pose, set.sunk) > 0.0 {
            // The ground bends them as fast as it has to.
            pose[toes].rotation = own;
            return None;
        }
        self.toes = Some(pose[toes].rotation);
        Some(toes)
    }

    /// Moves a foot in the air along its leg where the knee would be bent or straightened faster than knees are.
    pub(super) fn ease_knee(
        &self,
        (foot, length): (&Foot, f32),
        hip: Vec3,
        ankle: &mut Transform,
        pose: &[Transform],
        played: &SpliceSource,
        set: &HeldFeet,
    ) {
        if self.pin.is_some() || self.down.contains(&true) {
            return;
        }
        let most = set.feet.knee_speed * 60.0 * played.dt;
        let far = |bent: f32| length * libm::cosf(0.5 * bent.clamp(0.0, PI));
        let to = ankle.translation - hip;
        let eased = to.length().max(far(self.bent + most)).min(far(self.bent - most));
        if eased != to.length() {
            let own = ankle.translation;
            ankle.translation = hip + to.normalize_or_zero() * eased;
            let sinks = eased > to.length()
                && depth(foot, &foot.heel, played.ground, ankle, pose, set.sunk)
                    .max(depth(foot, &foot.ball, played.ground, ankle, pose, set.sunk))
                    .max(depth(foot, &foot.tip, played.ground, ankle, pose, set.sunk))
                    > 0.0;
            if sinks {
                ankle.translation = own;
            }
        }
    }

    /// Raises the heel of a foot whose ball stays, as far as the leg cannot reach it or its ankle would be bent too far
    /// (`bends` tells that of hip, ankle and the joint of the toes), and lets it sink again when it can. Toes stay as they
    /// are.
    pub(super) fn raise_heel(
        &mut self,
        (skeleton, foot): (&Skeleton, &Foot),
        (hip, reach, bends): (Vec3, f32, Option<AnkleLimit>),
        ankle: &Transform,
        pose: &mut [Transform],
        dt: f32,
        set: &HeldFeet,
    ) -> Transform {
        let alone = |x: f32| Vec3::X * x;
        let (left, rate) = damped(alone(self.raised), alone(self.raised_rate), set.half_swing, dt);
        let before = std::mem::replace(&mut self.raised, left.x.clamp(0.0, set.heel_raised));
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
        let far = |angle: f32| {
            let at = raised(angle);
            at.distance(hip) > reach || bends.is_some_and(|bends| bends(hip, at, pivot))
        };
        // What the toes are bent by already counts.
        let straight = skeleton.joint(toes).rest.rotation;
        let bent = rotation::angle_between(pose[toes].rotation, straight);
        let most = (before + set.heel_raising * sixtieths(dt))
            .min(set.heel_raised)
            .min(set.feet.toes_bent - bent)
            .max(0.0);
        self.raised = self.raised.min(most);
        if self.pin.is_some() && self.about == 1 && most > self.raised && far(self.raised) {
            let (mut low, mut high) = (self.raised, most);
            for _ in 0..14 {
                let middle = 0.5 * (low + high);
                if far(middle) { low = middle } else { high = middle }
            }
            self.raised = high;
            self.raised_rate =
                if dt >= Inertializer::SHORTEST { (high - before) / dt } else { 0.0 };
        }
        if self.raised < 1e-4 {
            self.raised = 0.0;
            return *ankle;
        }
        let turned = Quat::from_axis_angle(side, self.raised) * ankle.rotation;
        let flat = ankle.rotation * pose[toes].rotation;
        pose[toes].rotation = (turned.conjugate() * flat).normalize();
        self.down[0] &= self.raised < set.flat;
        Transform::new(turned, raised(self.raised))
    }

    /// Heel or ball that have moved are not down any more, though the motion says so: while a foot rolls, the one
    /// that is held stays, and the other may have begun to move.
    pub(super) fn look(&mut self, foot: &Foot, models: &[Transform], rolled: f32, dt: f32) {
        for (index, point) in [foot.heel, foot.ball].iter().enumerate() {
            if !self.down[index] {
                self.landed[index] = self.landed[index].filter(|_| self.pin.is_some());
                continue;
            }
            let at = point.position(models);
            let still = self.seen[index].distance(at) < STILL * sixtieths(dt).min(1.0);
            self.seen[index] = at;
            let landed = *self.landed[index].get_or_insert(at);
            self.down[index] = (at - landed).with_y(0.0).length() < rolled;
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

/// The way a direction points, seen from above.
fn heading(direction: Vec3) -> f32 {
    libm::atan2f(direction.x, direction.z)
}
