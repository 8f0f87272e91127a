//! What a foot is below its ankle, moment by moment.

use crate::FootContacts;
use crate::ground::clip::flat;
use crate::ground::turns::Spin;
use andante_skeleton::{Foot, Planar, Transform};
use glam::{Vec2, Vec3};

/// A foot at one moment of a clip, in the clip's space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootSample {
    pub ankle: Transform,
    pub heel: Vec3,
    pub ball: Vec3,
    pub tip: Vec3,
    /// The joint that bends the toes; the ball if there is none.
    pub toe: Vec3,
    /// Where the bending part of the leg begins and ends.
    pub hip: Vec3,
    pub end: Vec3,
}

impl FootSample {
    /// A foot of a pose whose leg begins at a joint.
    pub fn of(foot: &Foot, models: &[Transform], hip: usize) -> Self {
        let ankle = models[foot.ankle()];
        let [heel, ball, tip] = [foot.heel, foot.ball, foot.tip].map(|it| it.position(models));
        let toe = foot.toes.map_or(ball, |toes| models[toes].translation);
        let (hip, end) = (models[hip].translation, ankle.translation);
        Self { ankle, heel, ball, tip, toe, hip, end }
    }

    pub fn lerp(&self, next: &Self, t: f32) -> Self {
        Self {
            ankle: Transform::new(
                andante_skeleton::rotation::nlerp(self.ankle.rotation, next.ankle.rotation, t),
                self.ankle.translation.lerp(next.ankle.translation, t),
            ),
            heel: self.heel.lerp(next.heel, t),
            ball: self.ball.lerp(next.ball, t),
            tip: self.tip.lerp(next.tip, t),
            toe: self.toe.lerp(next.toe, t),
            hip: self.hip.lerp(next.hip, t),
            end: self.end.lerp(next.end, t),
        }
    }

    /// The same foot rounds later.
    pub fn carried(&self, round: &Transform) -> Self {
        Self {
            ankle: *round * self.ankle,
            heel: round.transform_point(self.heel),
            ball: round.transform_point(self.ball),
            tip: round.transform_point(self.tip),
            toe: round.transform_point(self.toe),
            hip: round.transform_point(self.hip),
            end: round.transform_point(self.end),
        }
    }

    /// The angle by which the toes are above the heel, which may be negative, and the axis about which they are raised.
    pub fn toes_up(&self) -> (f32, Vec3) {
        let along = self.ball - self.heel;
        let ahead = Vec2::new(along.x, along.z);
        let axis = Vec3::new(-along.z, 0.0, along.x).normalize_or_zero();
        (libm::atan2f(along.y, ahead.length()), axis)
    }

    /// The place of the foot, seen from above.
    pub fn print(&self) -> Planar {
        let along = flat(self.ball - self.heel);
        Planar::new(flat(self.heel.midpoint(self.ball)), libm::atan2f(along.x, along.y))
    }

    /// The points of the sole.
    pub fn sole(&self) -> [Vec3; 3] {
        [self.heel, self.ball, self.tip]
    }
}

/// Outline of a sole in the frame of its print, as (x, z): +z points to the toes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SoleOutline {
    pub heel: Vec2,
    pub ball: Vec2,
    pub tip: Vec2,
    /// Half its width.
    pub half_width: f32,
    /// The toes can be bent at the ball.
    pub bends: bool,
    /// How far the foot rolls beyond its heel and its tip while it stands.
    pub rolls: [f32; 2],
    /// The joint that bends them, and how high it is.
    pub toe: Vec2,
    pub toe_height: f32,
}

impl SoleOutline {
    pub fn new(sample: &FootSample, print: &Planar, leg: f32, toes: bool) -> Self {
        let seen = |point: Vec3| {
            let flat = Planar::new(Vec2::new(point.x, point.z), 0.0);
            print.to(&flat).position
        };
        let (heel, ball, tip) = (seen(sample.heel), seen(sample.ball), seen(sample.tip));
        let half_width = half_width(heel.distance(tip), leg);
        // Toes shorter than that have no slope of their own.
        let bends = toes && tip.y - ball.y > 0.03 * leg && ball.y - heel.y > 0.03 * leg;
        let (toe, toe_height) = (seen(sample.toe), sample.toe.y - sample.ball.y);
        Self { heel, ball, tip, half_width, bends, rolls: [0.0; 2], toe, toe_height }
    }

    /// Takes in how far a foot rolls that stands on a print.
    pub fn rolls(&mut self, sample: &FootSample, print: &Planar) {
        for point in sample.sole() {
            let along = print.to(&Planar::new(Vec2::new(point.x, point.z), 0.0)).position.y;
            let front = self.tip.y.max(self.ball.y);
            let beyond = [self.heel.y - along, along - front];
            self.rolls = std::array::from_fn(|end| self.rolls[end].max(beyond[end]));
        }
    }

    /// The same sole seen at a slant, with part of its width and length.
    pub fn scaled(&self, share: Vec2) -> Self {
        Self {
            heel: self.heel * share,
            ball: self.ball * share,
            tip: self.tip * share,
            half_width: self.half_width * share.x,
            toe: self.toe * share,
            ..*self
        }
    }

    /// From heel to tip.
    pub fn length(&self) -> f32 {
        self.heel.distance(self.tip)
    }
}

/// One foot over a clip.
#[derive(Clone, Debug)]
pub(crate) struct SoleTrack {
    pub stances: Vec<crate::GroundStance>,
    /// How the foot turns by itself in the swing after each stance.
    pub spins: Vec<Spin>,
    /// The joint that bends the toes, if it is the ankle's child.
    pub toes: Option<usize>,
    /// The foot never leaves the ground.
    pub always_down: bool,
    pub samples: Vec<FootSample>,
    pub sole: SoleOutline,
    /// Where the foot stands below the body in the middle of a stance, in the frame of the path.
    pub home: Vec2,
    pub contacts: FootContacts,
}

/// Half the width of a sole of a length, below a leg of another.
pub(crate) fn half_width(sole: f32, leg: f32) -> f32 {
    (0.16 * sole).max(0.01 * leg)
}
