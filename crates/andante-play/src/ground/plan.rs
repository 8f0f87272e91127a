//! Where one foot stands, where it goes next, and what that makes of the foot in the clip.

use crate::feet::shaped::Shaped;
use crate::feet::sole::FootSample;
use crate::feet::swing::{Shaping, SwingShape};
use crate::ground::clip::{GroundClip, flat};
use crate::ground::curve::{glide, smooth};
use crate::ground::ends::SwingEnds;
use crate::ground::turns::{landing, leaving};
use crate::ground::watch::FootFollower;
use crate::{FootStatus, Footprint};
use andante_skeleton::{Planar, Transform, rotation};
use glam::{Quat, Vec2, Vec3};

/// One stance of the clip, put on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StancePrint {
    pub at: Footprint,
    /// The print in the clip.
    pub clip: Planar,
    /// What leads from the clip to the world for a body that is on its way to this print.
    pub chain: Planar,
    pub landing: f32,
    pub middle: f32,
    pub end: f32,
    /// Heading that had been asked for by then, in total.
    pub turned: f32,
    /// Length of the steps that lead here, as a multiple of the clip's.
    pub scale: f32,
    /// Rise per metre on the way here.
    pub grade: f32,
    /// How much flatter than in the clip the foot lands and leaves.
    pub flatter: [f32; 2],
    pub status: FootStatus,
    /// The place that was wished for, and how far from there, along and across, one was found.
    pub wished: Planar,
    pub offset: Vec2,
    /// Heights of the ground below heel, ball and tip when it was looked at last.
    pub below: Option<[f32; 3]>,
}

impl StancePrint {
    /// A foot of the clip, placed as it is in the clip relative to its print.
    pub fn place(&self, at: &Footprint, height: f32, ankle: &Transform) -> PlacedPrint {
        PlacedPrint::on(&self.clip, at, height, ankle)
    }

    /// The ground has moved.
    pub fn carry(&mut self, motion: &Transform) {
        self.carry_below(motion);
        let turned = Planar::from_transform(motion);
        self.at = self.at.carried(motion);
        self.chain = turned.then(&self.chain);
        self.wished = turned.then(&self.wished);
    }

    /// Times of the clip begin a round later.
    fn rebase(&mut self, duration: f32, round: &Planar) {
        self.landing -= duration;
        self.middle -= duration;
        self.end -= duration;
        self.clip = round.inverse().then(&self.clip);
        self.chain = self.chain.then(round);
    }
}

/// A foot where it belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedPrint {
    pub ankle: Transform,
    /// What turned it from the clip into the world.
    pub turn: Quat,
    /// What turns its toes beyond that, as a rotation vector.
    pub toes: Vec3,
}

/// The turn about the vertical from the print of a motion to the one on the ground.
pub(crate) fn yaw(clip: &Planar, at: &Footprint) -> Quat {
    let turn = at.heading - clip.heading;
    if turn == 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(turn) }
}

impl PlacedPrint {
    /// A foot of a motion over a plane of a height, placed as it is there relative to its print.
    pub fn on(clip: &Planar, at: &Footprint, height: f32, ankle: &Transform) -> Self {
        let turn = at.tilt * yaw(clip, at);
        let from = Vec3::new(clip.position.x, height, clip.position.y);
        let place = at.position + turn * (ankle.translation - from);
        let ankle = Transform::new((turn * ankle.rotation).normalize(), place);
        Self { ankle, turn, toes: at.toe_turn() }
    }

    /// A foot whose toes are less far up, or whose heel is: it is turned about its heel, or about the joint of its
    /// toes, which stay where they are.
    pub fn flattened(mut self, [lands, leaves]: [f32; 2], sample: &FootSample) -> Self {
        if [lands, leaves] == [0.0; 2] {
            return self;
        }
        let (mut angle, axis) = sample.toes_up();
        if angle > 0.0 {
            // Balls and toes that point down are not put into the ground.
            for point in [sample.toe, sample.tip] {
                let ahead = point - sample.heel;
                let pitch = libm::atan2f(ahead.y, Vec2::new(ahead.x, ahead.z).length());
                angle = angle.min(pitch).max(0.0);
            }
        }
        let part = if angle > 0.0 { lands } else { leaves };
        if part == 0.0 || angle == 0.0 {
            return self;
        }
        let turned = self.turn * (axis * (-part * angle));
        let turn = rotation::exp(turned);
        let pivot = if angle > 0.0 { sample.heel } else { sample.toe };
        if angle < 0.0 {
            self.toes -= turned;
        }
        let ankle = self.turn * (sample.ankle.translation - pivot);
        self.ankle.translation += turn * ankle - ankle;
        self.ankle.rotation = (turn * self.ankle.rotation).normalize();
        self.turn = turn * self.turn;
        self
    }

    /// A foot that rolls off over the tip of its toes does so over the tip of toes that are bent.
    pub fn rolling(mut self, clip: &GroundClip, foot: usize, sample: &FootSample) -> Self {
        let height = clip.feet[foot].sole.toe_height;
        let toes = sample.tip - sample.toe;
        if self.toes == Vec3::ZERO || toes.y >= -height {
            return self;
        }
        let ahead = Vec3::new(toes.x, 0.0, toes.z).normalize_or_zero();
        let reach = (toes.length_squared() - height * height).max(0.0).sqrt();
        let flat = ahead * reach - Vec3::Y * height;
        let rolled = self.turn * (toes - flat);
        self.ankle.translation += rolled - rotation::exp(self.toes) * rolled;
        self
    }
}

/// A print that is on its way to be stood on. It may still move, but smoothly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComingPrint {
    pub print: StancePrint,
    from: Footprint,
    /// Heading of the chain and grade before the last change of plan.
    from_course: [f32; 2],
    moves: [f32; 2],
}

impl ComingPrint {
    pub fn new(print: StancePrint) -> Self {
        let from_course = [print.chain.heading, print.grade];
        Self { from: print.at, from_course, moves: [f32::NEG_INFINITY; 2], print }
    }

    /// Another print instead, from a time on; it has taken over a little before the foot lands.
    pub fn retarget(&mut self, print: StancePrint, time: f32) {
        self.from = self.at(time);
        self.from_course = self.course(time);
        let until = time + 0.8 * (print.landing - time);
        self.moves = [time, until.max(time)];
        self.print = StancePrint { flatter: self.print.flatter, ..print };
    }

    /// The ground has moved below it.
    pub fn follow(&mut self, print: StancePrint) {
        let by = print.at.position - self.print.at.position;
        self.from_course[0] += print.chain.heading - self.print.chain.heading;
        self.from.position += by;
        self.print = print;
    }

    /// The footprint at a time.
    pub fn at(&self, time: f32) -> Footprint {
        match self.moved(time) {
            Some(share) => self.from.lerp(&self.print.at, share),
            None => self.print.at,
        }
    }

    /// Heading of the chain that leads there, and grade of the way, at a time.
    fn course(&self, time: f32) -> [f32; 2] {
        let to = [self.print.chain.heading, self.print.grade];
        match self.moved(time) {
            Some(share) => {
                std::array::from_fn(|i| self.from_course[i] + (to[i] - self.from_course[i]) * share)
            }
            None => to,
        }
    }

    /// How much of the last change of plan has been made; none if all of it.
    fn moved(&self, time: f32) -> Option<f32> {
        let [start, end] = self.moves;
        (time < end).then(|| smooth((time - start) / (end - start)))
    }

    fn carry(&mut self, motion: &Transform) {
        self.print.carry(motion);
        self.from = self.from.carried(motion);
        self.from_course[0] += rotation::heading(motion.rotation);
    }

    fn rebase(&mut self, duration: f32, round: &Planar) {
        self.print.rebase(duration, round);
        self.moves = self.moves.map(|time| time - duration);
        self.from_course[0] += round.heading;
    }
}

/// What a foot does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FootStage {
    Stance,
    Swing,
    /// In the air, and its landing has been looked at for the last time.
    Committed,
}

/// One foot: its stance, the one before and the one after.
#[derive(Clone, Debug)]
pub(crate) struct FootPlan {
    pub foot: usize,
    /// Number of the stance in the clip; of the last one while the foot is in the air.
    pub number: i32,
    pub stage: FootStage,
    pub before: Option<StancePrint>,
    pub here: Option<StancePrint>,
    pub next: Option<ComingPrint>,
    pub swing: SwingShape,
    /// What it was shaped for.
    pub shaped: Option<Shaped>,
    /// The swing in the making, from a landing to the next leaving.
    pub shaping: Option<Shaping>,
    /// How much longer than in the clip the last swing took.
    pub slowed: f32,
    /// The next step leads nowhere.
    pub blocked: bool,
    /// The next step has not been looked for yet.
    pub due: bool,
    /// The foot does not leave the ground any more: its clip is being faded out.
    pub held: bool,
    /// How it follows ground that moves.
    pub follower: FootFollower,
}

impl FootPlan {
    /// The time at which the foot leaves or has left the ground.
    pub fn lift_off(&self) -> f32 {
        self.here.as_ref().map_or(f32::NEG_INFINITY, |here| here.end)
    }

    /// The prints its swing leads from and to.
    pub fn prints(&self) -> Option<[Footprint; 2]> {
        Some([self.here.as_ref()?.at, self.next.as_ref()?.print.at])
    }

    /// The placed print to which a foot of the clip belongs at a time; none for times that have not been planned.
    pub fn target(&self, clip: &GroundClip, time: f32, ankle: &Transform) -> Option<PlacedPrint> {
        let (mut placed, flatter) = self.placed(clip, time, ankle)?;
        if placed.toes != Vec3::ZERO || flatter != [0.0; 2] {
            let sample = clip.sample(self.foot, time);
            placed = placed.rolling(clip, self.foot, &sample).flattened(flatter, &sample);
        }
        self.follower.trail(&mut placed.ankle);
        Some(placed)
    }

    /// The same for a foot that has been sampled, and has followed all that the ground did.
    pub fn target_of(
        &self,
        clip: &GroundClip,
        time: f32,
        sample: &FootSample,
    ) -> Option<PlacedPrint> {
        let (placed, flatter) = self.placed(clip, time, &sample.ankle)?;
        Some(placed.rolling(clip, self.foot, sample).flattened(flatter, sample))
    }

    /// Where a foot belongs, and how much flatter than in the clip it lands and leaves.
    fn placed(
        &self,
        clip: &GroundClip,
        time: f32,
        ankle: &Transform,
    ) -> Option<(PlacedPrint, [f32; 2])> {
        let height = clip.height;
        let stands =
            |print: &StancePrint| Some((print.place(&print.at, height, ankle), print.flatter));
        match (&self.here, &self.next) {
            (Some(here), _) if time <= here.end || self.held => stands(here),
            (Some(here), None) => stands(here),
            (None, None) => None,
            (here, Some(next)) if time < next.print.landing => {
                let to = next.at(time);
                let Some(here) = here else {
                    return Some((next.print.place(&to, height, ankle), next.print.flatter));
                };
                let ends = self.ends(clip, here, &next.print, &to);
                let u = (time - here.end) / (next.print.landing - here.end).max(1e-4);
                let flatter = [next.print.flatter[0] * landing(u), here.flatter[1] * leaving(u)];
                Some((self.swing.place(&ends, u, ankle), flatter))
            }
            (_, Some(next)) => (time <= next.print.end)
                .then(|| (next.print.place(&next.at(time), height, ankle), next.print.flatter)),
        }
    }

    /// The amount of a step down in the step that the foot makes at a time: 1 if it leads down by a quarter of a leg or
    /// more.
    pub fn steps_down(&self, time: f32, unit: f32) -> f32 {
        let (from, to) = match (&self.before, &self.here, &self.next) {
            (_, Some(here), Some(next)) if time > here.end => (here, &next.print),
            (Some(before), Some(here), _) if time < here.middle => (before, here),
            _ => return 0.0,
        };
        let length = flat(to.at.position - from.at.position).length().max(0.1 * unit);
        let down = (from.at.position.y - to.at.position.y) / unit;
        let up = to.at.tilt * Vec3::Y;
        let ahead = (to.at.position - from.at.position).with_y(0.0) / length;
        // What the slope of the ground itself leads down is less of a step, what falls away behind a crest is one.
        let slope = (up.dot(ahead) / up.y.max(0.1)).max(0.0) * length / unit;
        let step = down - 0.7 * slope.min(down);
        smooth(6.0 * step.max(0.7 * (slope - down.max(0.0))) - 0.5)
    }

    /// The ends of the swing between two prints.
    pub fn ends<'a>(
        &self,
        clip: &'a GroundClip,
        from: &'a StancePrint,
        to: &'a StancePrint,
        at: &'a Footprint,
    ) -> SwingEnds<'a> {
        SwingEnds::new([from, to], at, clip, self.foot, self.number)
    }

    /// The two prints a body is between at a time, and how far it has come from the first to the second.
    pub fn footing(&self, time: f32) -> Option<BetweenPrints<'_>> {
        let (from, to, step) = match (&self.before, &self.here, &self.next) {
            (Some(before), Some(here), _) if time < here.middle => (before, here, None),
            (_, Some(here), Some(next)) => (here, &next.print, Some(next)),
            (_, Some(here), None) => (here, here, None),
            (_, None, Some(next)) => (&next.print, &next.print, None),
            (_, None, None) => return None,
        };
        let share = if std::ptr::eq(from, to) {
            0.0
        } else {
            glide((time - from.middle) / (to.middle - from.middle).max(1e-4))
        };
        let (at, course) = match step {
            Some(next) => (next.at(time).position, next.course(time)),
            None => (to.at.position, [to.chain.heading, to.grade]),
        };
        Some(BetweenPrints { from, to, at, course, share })
    }

    /// Carries the prints along with what the foot stands on and will land on, which has moved.
    pub fn carry(&mut self, stands: &Transform, lands: &Transform) {
        for print in [&mut self.before, &mut self.here].into_iter().flatten() {
            print.carry(stands);
        }
        if let Some(next) = &mut self.next {
            next.carry(lands);
        }
        // What carries both prints alike leaves the way between them as it was.
        if stands == lands {
            self.shaped = self.shaped.map(|shaped| shaped.carried(stands));
        }
    }

    /// Times of the clip begin a round later.
    pub fn rebase(&mut self, duration: f32, round: &Planar, stances: i32) {
        self.number -= stances;
        for print in [&mut self.before, &mut self.here].into_iter().flatten() {
            print.rebase(duration, round);
        }
        if let Some(next) = &mut self.next {
            next.rebase(duration, round);
        }
    }
}

/// Two prints and how far a body is between them.
pub(crate) struct BetweenPrints<'a> {
    from: &'a StancePrint,
    to: &'a StancePrint,
    /// Where the second one is at the moment, with the heading of its chain and the grade on the way.
    at: Vec3,
    course: [f32; 2],
    share: f32,
}

impl BetweenPrints<'_> {
    /// The place, for this foot, of a body at a place of the clip, with its heading, the height it goes by and the grade.
    pub fn carry(&self, body: &Planar) -> (Vec2, f32, f32, f32) {
        let one = |print: &StancePrint, at: Vec3, heading: f32| {
            let turn = Planar::new(Vec2::ZERO, heading);
            let offset = turn.then(&Planar::new(body.position - print.clip.position, 0.0)).position;
            (Vec2::new(at.x, at.z) + offset, body.heading + heading)
        };
        let (a, heading_a) = one(self.from, self.from.at.position, self.from.chain.heading);
        if self.share <= 0.0 {
            return (a, heading_a, self.from.at.position.y, self.from.grade);
        }
        let (b, heading_b) = one(self.to, self.at, self.course[0]);
        let mix = |a: f32, b: f32| a + (b - a) * self.share;
        (
            a.lerp(b, self.share),
            mix(heading_a, heading_b),
            mix(self.from.at.position.y, self.at.y),
            mix(self.from.grade, self.course[1]),
        )
    }
}
