//! One foot of a source on the ground: where it stands, where it will land, and how it gets there.

use super::contact::{Slide, SourceSole};
use super::settings::PlacementSettings;
use crate::feet::foothold::{self, FootholdQuery, Sensor};
use crate::feet::leg::lowering;
use crate::feet::sole::{FootSample, SoleOutline};
use crate::feet::{BendingAnkle, LegChain};
use crate::ground::clip::flat;
use crate::ground::curve::{glide, smooth};
use crate::ground::ends::PrintBridge;
use crate::ground::plan::PlacedPrint;
use crate::ground::trace::Trace;
use crate::ground::watch::{FootFollower, below, drift, is_unmoved};
use crate::spring::damped;
use crate::{FootStatus, Footprint, SupportMotion};
use andante_skeleton::{Foot, Inertializer, Planar, Skeleton, Transform, ease, rotation};
use andante_world::Ground;
use glam::{Quat, Vec2, Vec3};

/// What a frame means for every foot.
pub(super) struct PlacementFrame<'a> {
    pub ground: &'a dyn Ground,
    pub floor: f32,
    /// The source has its feet on its floor, or may have.
    pub grounded: bool,
    pub dt: f32,
    /// How many feet there are.
    pub feet: usize,
    pub body: SourceBody,
    /// Height of the ground that the body went by in the last frame.
    pub carried: f32,
    /// Height of the source's hips.
    pub hips: f32,
    pub set: &'a PlacementSettings,
    pub supports: &'a [SupportMotion],
}

/// Where the body of a source is, and how it moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceBody {
    pub place: Planar,
    pub velocity: Vec2,
    pub turn_rate: f32,
    /// By how much it has turned since the last frame, with all of its feet.
    pub turned: f32,
}

/// A print of the source on its floor, and the one on the ground it is put on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourcePrint {
    plane: Planar,
    pub at: Footprint,
    pub status: FootStatus,
    /// Heights of the ground below it when it was looked at last.
    below: [f32; 3],
}

/// One foot.
#[derive(Clone, Debug)]
pub(super) struct SourceFoot {
    pub leg: LegChain,
    pub outline: SoleOutline,
    /// The middle of the sole in the frame of the ankle.
    about: Vec3,
    /// Where it stands below the body at rest.
    pub home: Vec2,
    pub sole: SourceSole,
    /// How fast that moves on which it stands, seen from above.
    belt: Vec2,
    pub here: Option<SourcePrint>,
    pub next: Option<SourcePrint>,
    pub aloft: bool,
    /// It is in the air though the source has it on its floor.
    steps_over: bool,
    /// Seconds since it left, and how much of its way it has made.
    since: f32,
    pub part: f32,
    /// Where its landing was looked for, and whether it is where the source will have it.
    wished: Vec2,
    as_wished: bool,
    /// What led from the source to the print when it came down.
    landed: Planar,
    /// What is known of its swings: seconds, and where it lands as seen from the body.
    swing: f32,
    lands: Option<Planar>,
    /// From its ankle to its hip when it landed last, as seen from the body, and how far down it needed that.
    stretched: Option<Vec3>,
    needed: f32,
    follower: FootFollower,
    /// How far it is lifted over what is in its way, and how fast.
    lift: [f32; 2],
    /// Where it belongs.
    pub placed: PlacedPrint,
    pub missed: f32,
    /// How far its heel is raised because its leg is too short, in radians, and how fast.
    raised: [f32; 2],
}

impl SourceFoot {
    pub fn new(
        skeleton: &Skeleton,
        foot: &Foot,
        leg: LegChain,
        hips: &Planar,
        rest: &[Transform],
    ) -> Self {
        let sample = FootSample::of(foot, rest, leg.joints[0]);
        let print = sample.print();
        let has_toes = BendingAnkle::new(skeleton, foot, &leg).is_some();
        let outline = SoleOutline::new(&sample, &print, leg.length, has_toes);
        let middle = sample.heel.midpoint(sample.ball);
        Self {
            outline,
            about: sample.ankle.inverse().transform_point(middle),
            home: hips.to(&print).position,
            sole: SourceSole::default(),
            belt: Vec2::ZERO,
            here: None,
            next: None,
            aloft: false,
            steps_over: false,
            since: 0.0,
            part: 0.0,
            wished: Vec2::ZERO,
            as_wished: true,
            landed: Planar::IDENTITY,
            swing: 0.0,
            lands: None,
            stretched: None,
            needed: 0.0,
            follower: FootFollower::default(),
            lift: [0.0; 2],
            placed: PlacedPrint {
                ankle: Transform::IDENTITY,
                turn: Quat::IDENTITY,
                toes: Vec3::ZERO,
            },
            missed: 0.0,
            raised: [0.0; 2],
            leg,
        }
    }

    /// Normal of the ground that it stands on, or stood on last.
    pub fn up(&self) -> Vec3 {
        self.here.map_or(Vec3::Y, |here| here.at.up())
    }

    /// Length of the leg.
    fn unit(&self) -> f32 {
        self.leg.length
    }

    fn scale(&self) -> f32 {
        (self.unit() / 0.85).sqrt()
    }

    /// Height of the ground that the body goes by for this foot, and what that will be when it lands.
    pub fn carries(&self, floor: f32) -> [f32; 2] {
        let Some(here) = self.here.map(|here| here.at.position.y) else { return [floor; 2] };
        let next = self.next.filter(|_| self.aloft).map_or(here, |next| next.at.position.y);
        [here + (next - here) * glide(self.part), next]
    }

    /// Rise per metre of the step that is made.
    pub fn grade(&self) -> Option<f32> {
        let (here, next) = (self.here?, self.next.filter(|_| self.aloft)?);
        let way = next.at.position - here.at.position;
        Some(way.y / flat(way).length().max(0.3 * self.unit()))
    }

    /// The depth by which a foot that is about to land needs the body lower than it will be then: its leg is to be no
    /// straighter than in the source.
    pub fn needs_soon(&self, frame: &PlacementFrame) -> f32 {
        let (Some(next), Some(leg)) = (self.next.filter(|_| self.aloft), self.stretched) else {
            // What a leg that has landed needed dies away.
            return self.needed * (1.0 - ease(self.since / self.swing.max(1e-3)));
        };
        let [now, then] = self.carries(frame.floor);
        // The body will be so much nearer to the ground that this foot lands on.
        let height = frame.carried + (then - now) / frame.feet as f32;
        let away = flat(next.at.position) - next.plane.position;
        let ankle = Vec3::new(away.x, then - height, away.y);
        let hip = Quat::from_rotation_y(frame.body.place.heading) * leg;
        let longest = leg.length().max(frame.set.feet.soft_reach * self.unit());
        let left = self.needed * (1.0 - ease(2.0 * self.part));
        (lowering(hip, ankle, longest) * ease(self.part)).max(left)
    }

    /// The part of it that is in the air: 0 to 1, and back before it lands.
    pub fn airborne(&self, set: &PlacementSettings) -> f32 {
        let aloft = set.feet.aloft * self.scale();
        if self.aloft { smooth(self.since / aloft) * smooth(self.left(set) / aloft) } else { 0.0 }
    }

    /// Seconds until it lands, as far as is known.
    pub fn left(&self, set: &PlacementSettings) -> f32 {
        if self.steps_over {
            return (set.step_over * self.scale() - self.since).max(0.0);
        }
        let falls = self.sole.height() / (set.feet.swing.quickest[1] * self.scale());
        (self.swing - self.since).max(falls).max(0.0)
    }

    /// Begins anew where the source has the foot.
    pub fn begin(&mut self, sample: &FootSample, frame: &PlacementFrame) {
        let unit = self.unit();
        self.sole.begin_anew();
        self.sole.see(sample, (frame.floor, (Vec3::ZERO, 0.0), 0.0), 0.0, unit, frame.set);
        let own = sample.print();
        // What is a step away is meant, and only where there is none what is farther.
        let step = frame.set.highest_step * unit;
        let near = self.lay(own, own, (frame.floor, step), frame);
        let laid = match near.status {
            FootStatus::Unsupported => self.lay(own, own, (frame.floor, 1.5 * unit), frame),
            _ => near,
        };
        self.here = Some(laid);
        (self.next, self.aloft, self.steps_over) = (None, !self.sole.is_down(), false);
        self.swing = frame.set.swing * self.scale();
        (self.since, self.part) = (0.5 * self.swing, 0.5);
        (self.landed, self.lands, self.follower) =
            (Planar::IDENTITY, None, FootFollower::default());
        (self.lift, self.missed, self.stretched) = ([0.0; 2], 0.0, None);
        (self.needed, self.raised) = (0.0, [0.0; 2]);
        if self.aloft {
            self.find(self.ahead(own, &frame.body, frame.set), frame);
        }
        self.placed = self.place(sample, frame.floor);
    }

    /// Lets a frame pass. `may_step` is false for feet that have to stay because others are in the air.
    pub fn advance(
        &mut self,
        index: usize,
        sample: &FootSample,
        may_step: bool,
        frame: &PlacementFrame,
    ) {
        let (dt, set) = (frame.dt, frame.set);
        self.follower.pass(dt, set.feet.follow / self.scale());
        let motion = self.carry(index, frame);
        let (carried, spun) = motion;
        self.belt = flat(carried);
        let moved = (frame.floor, motion, frame.body.turned);
        let slide = self.sole.see(sample, moved, dt, self.unit(), set);
        let own = sample.print();
        if self.aloft {
            self.fly(own, frame);
        } else {
            self.since += dt;
            self.hold(&slide, flat(carried * dt), spun);
        }
        let before = self.place(sample, frame.floor);
        let down = self.sole.is_down() && frame.grounded;
        self.watch(frame);
        match (self.aloft, down) {
            (true, true) if !self.steps_over || self.part >= 1.0 => {
                self.land(own, &before, sample, frame);
            }
            (false, false) => self.leave(own, false, frame),
            (false, true) if self.strays(may_step, set) => self.leave(own, true, frame),
            (true, down) => self.steps_over &= down,
            (false, true) => {}
        }
        if self.aloft {
            self.aim(own, frame);
        }
        self.placed = self.place(sample, frame.floor);
        self.follower.wanted([&before.ankle, &self.placed.ankle], self.about, dt);
        let beside = flat(self.follower.behind()).length();
        if !self.aloft && beside < set.feet.down {
            self.follower.stand();
        }
        self.rise(sample, frame);
    }

    /// Raises the heel, or lets it sink, towards an angle; returns how far it is raised.
    pub fn raise_heel(&mut self, to: f32, frame: &PlacementFrame) -> f32 {
        let half = frame.set.half_lift[0] * self.scale();
        let [off, speed] = [self.raised[0] - to, self.raised[1]].map(|x| Vec3::Y * x);
        let (off, speed) = damped(off, speed, half, frame.dt);
        self.raised = [(to + off.y).max(0.0), speed.y];
        self.raised[0]
    }

    /// The place where the foot is shown: not quite where it belongs yet.
    pub fn shown(&self) -> Transform {
        let mut ankle = self.placed.ankle;
        self.follower.trail_about(self.about, &mut ankle);
        ankle.translation.y += self.lift[0];
        ankle
    }

    /// The height above where it belongs at which it is shown.
    pub fn behind(&self) -> f32 {
        self.follower.behind().y + self.lift[0]
    }

    /// Where a foot of the source belongs.
    fn place(&self, sample: &FootSample, floor: f32) -> PlacedPrint {
        let floor = floor + self.sole.level;
        let alone = PlacedPrint { ankle: sample.ankle, turn: Quat::IDENTITY, toes: Vec3::ZERO };
        let Some(here) = &self.here else { return alone };
        match self.next.as_ref().filter(|_| self.aloft) {
            None => PlacedPrint::on(&here.plane, &here.at, floor, &sample.ankle),
            Some(next) => {
                let prints = [(&here.plane, &here.at), (&next.plane, &next.at)];
                let bridge = PrintBridge::new(prints, floor, self.unit());
                bridge.fitted(self.part, smooth(self.part), &sample.ankle)
            }
        }
    }

    /// Goes along with what is known to move below the foot; returns how fast that is where it stands, and by how much it
    /// has turned.
    fn carry(&mut self, index: usize, frame: &PlacementFrame) -> (Vec3, f32) {
        let told = frame.supports.iter().find(|support| support.foot == index);
        let mut carried = (Vec3::ZERO, 0.0);
        for (print, next) in [(&mut self.here, false), (&mut self.next, true)] {
            let Some(print) = print else { continue };
            let motion = match told {
                Some(support) => Some(if next { support.lands } else { support.stands }),
                None => drift(&self.outline, &print.at, frame.dt, frame.ground),
            };
            let Some(motion) = motion else { continue };
            let before = print.at;
            print.at = print.at.carried(&motion);
            let by = print.at.position - before.position;
            if told.is_some() {
                print.below = print.below.map(|height| height + by.y);
            }
            if !next && frame.dt >= Inertializer::SHORTEST {
                let spun = rotation::wrap_angle(print.at.heading - before.heading);
                carried = (by / frame.dt, spun);
            }
        }
        carried
    }

    /// A foot that stands stays where it is and points there, however the source slides and turns.
    fn hold(&mut self, slide: &Slide, carried: Vec2, spun: f32) {
        let Some(here) = &mut self.here else { return };
        slide.take(&mut here.plane);
        here.plane.position += carried * (1.0 - slide.held);
        here.plane.heading += spun * (1.0 - slide.turn_held);
    }

    /// Time passes for a foot in the air.
    fn fly(&mut self, own: Planar, frame: &PlacementFrame) {
        let left = self.left(frame.set);
        self.part += (1.0 - self.part) * (frame.dt / left.max(frame.dt).max(1e-6));
        self.since += frame.dt;
        let place = self.ahead(own, &frame.body, frame.set);
        let as_wished = self.as_wished;
        let Some(next) = &mut self.next else { return };
        if as_wished {
            let by = place.position - next.plane.position;
            next.at = next.at.moved(Vec3::new(by.x, 0.0, by.y));
            next.at.heading += rotation::wrap_angle(place.heading - next.plane.heading);
        }
        next.plane = place;
    }

    /// Where the source will have the foot when it lands: by where it landed last, and the nearer it is, by its own way.
    fn ahead(&self, own: Planar, body: &SourceBody, set: &PlacementSettings) -> Planar {
        let left = self.left(set);
        if self.steps_over {
            return Planar::new(own.position + body.velocity * left, own.heading);
        }
        let turned = body.turn_rate * left;
        let then =
            Planar::new(body.place.position + body.velocity * left, body.place.heading + turned);
        let by_body = match &self.lands {
            Some(lands) => then.then(lands),
            None => {
                let home = then.then(&Planar::new(self.home, 0.0)).position;
                Planar::new(home + 0.6 * self.swing * body.velocity, own.heading + turned)
            }
        };
        let by_foot = own.position + 0.5 * left * flat(self.sole.velocity());
        let share = smooth(2.0 * self.part - 1.0);
        let turn = rotation::wrap_angle(own.heading - by_body.heading);
        Planar::new(by_body.position.lerp(by_foot, share), by_body.heading + turn * share)
    }

    /// Where a foot is put that the source will have at a place: one that steps over what moves goes against that, which
    /// will take it along.
    fn put(&self, place: Planar, set: &PlacementSettings) -> Planar {
        let against =
            if self.steps_over { self.belt * set.step_over * self.scale() } else { Vec2::ZERO };
        Planar::new(place.position - against, place.heading)
    }

    /// Looks at the ground below prints again.
    fn watch(&mut self, frame: &PlacementFrame) {
        for next in [false, true] {
            // What is where it is wished for is looked at all the time.
            let print = if next { self.next.filter(|_| !self.as_wished) } else { self.here };
            let Some(print) = print else { continue };
            let mut probes = Trace::new(0);
            let mut sensor = self.sensor(&mut probes, frame);
            let slack = sensor.feet.unmoved * self.unit();
            let now = below(&self.outline, &print.at, &mut sensor);
            if is_unmoved(print.below, now, slack) {
                continue;
            }
            let expected = print.at.position.y;
            let laid = self.lay(print.plane, print.at.planar(), (expected, sensor.range), frame);
            *(if next { &mut self.next } else { &mut self.here }) = Some(laid);
        }
    }

    fn sensor<'a>(
        &self,
        probes: &'a mut Trace<crate::GroundQuery>,
        frame: &PlacementFrame<'a>,
    ) -> Sensor<'a> {
        let range = frame.set.highest_step * self.unit();
        Sensor { ground: frame.ground, probes, range, feet: &frame.set.feet }
    }

    /// Lays the sole on the ground at a place, for a print of the source.
    fn lay(
        &self,
        plane: Planar,
        place: Planar,
        (height, range): (f32, f32),
        frame: &PlacementFrame,
    ) -> SourcePrint {
        let mut probes = Trace::new(0);
        let mut sensor = Sensor { range, ..self.sensor(&mut probes, frame) };
        let wish = self.wish(place, height, &frame.body);
        let (at, status) = match foothold::fit(&mut sensor, &wish, Vec2::ZERO) {
            Some(fit) => (fit.print, fit.status),
            None => (level(place, height), FootStatus::Unsupported),
        };
        let below = below(&self.outline, &at, &mut sensor);
        SourcePrint { plane, at, status, below }
    }

    fn wish(&self, place: Planar, height: f32, body: &SourceBody) -> FootholdQuery<'_> {
        let (sin, cos) = libm::sincosf(place.heading);
        let along = body.velocity.try_normalize().unwrap_or(Vec2::new(sin, cos));
        FootholdQuery { place, along, height, sole: &self.outline, unit: self.unit() }
    }

    /// Looks for the next print near where the source will have the foot.
    fn find(&mut self, place: Planar, frame: &PlacementFrame) {
        let Some(here) = self.here else { return };
        let put = self.put(place, frame.set);
        let mut probes = Trace::new(0);
        let mut sensor = self.sensor(&mut probes, frame);
        let from = here.at.position;
        let height = foothold::follow_ground(frame.ground, from, put.position, 0.5 * sensor.range);
        let fit = foothold::find(&mut sensor, &self.wish(put, height, &frame.body));
        let (at, status) = match fit {
            Some(fit) => (fit.print, fit.status),
            None => (level(put, height), FootStatus::Unsupported),
        };
        let below = below(&self.outline, &at, &mut sensor);
        self.as_wished = fit.is_none_or(|fit| fit.offset == Vec2::ZERO);
        self.wished = place.position;
        self.next = Some(SourcePrint { plane: place, at, status, below });
    }

    /// Keeps the next print of a foot in the air where it will land.
    fn aim(&mut self, own: Planar, frame: &PlacementFrame) {
        let place = match &self.next {
            Some(next) => next.plane,
            None => self.ahead(own, &frame.body, frame.set),
        };
        let drifted = place.position.distance(self.wished) > frame.set.drifts * self.unit();
        if self.next.is_none() || drifted && self.part < frame.set.latest {
            self.find(place, frame);
        } else if self.as_wished
            && let Some(next) = self.next
        {
            let range = frame.set.highest_step * self.unit();
            let put = self.put(place, frame.set);
            let laid = self.lay(place, put, (next.at.position.y, range), frame);
            self.next = Some(laid);
        }
    }

    /// The foot leaves the ground.
    fn leave(&mut self, own: Planar, steps_over: bool, frame: &PlacementFrame) {
        self.needed *= 1.0 - ease(self.since / self.swing.max(1e-3));
        (self.aloft, self.steps_over) = (true, steps_over);
        (self.since, self.part, self.next) = (0.0, 0.0, None);
        self.find(self.ahead(own, &frame.body, frame.set), frame);
    }

    /// The foot comes down where it is shown.
    fn land(
        &mut self,
        own: Planar,
        before: &PlacedPrint,
        sample: &FootSample,
        frame: &PlacementFrame,
    ) {
        (self.part, self.needed) = (1.0, 0.0);
        self.needed = self.needs_soon(frame);
        let mut ankle = before.ankle;
        self.follower.trail_about(self.about, &mut ankle);
        let shift = ankle * sample.ankle.inverse();
        let heel_to_ball = flat(shift.rotation * (sample.ball - sample.heel));
        let middle = shift.transform_point(sample.heel.midpoint(sample.ball));
        let heading = if heel_to_ball.length() > 1e-3 {
            libm::atan2f(heel_to_ball.x, heel_to_ball.y)
        } else {
            own.heading
        };
        let place = Planar::new(flat(middle), heading);
        let expected = self.next.or(self.here).map_or(frame.floor, |print| print.at.position.y);
        let range = frame.set.highest_step * self.unit();
        let mut laid = self.lay(own, place, (expected, range), frame);
        // Where it would hang over an edge, or miss one, it goes on to where it was to land.
        let near = |next: &SourcePrint| {
            let apart = flat(next.at.position).distance(place.position);
            next.status == FootStatus::Firm && apart < frame.set.drifts * self.unit()
        };
        if let Some(next) = self.next.filter(near)
            && (laid.status != FootStatus::Firm
                || (laid.at.position.y - next.at.position.y).abs()
                    > frame.set.feet.foothold.broken * self.unit())
        {
            laid = SourcePrint { plane: own, ..next };
        }
        self.here = Some(laid);
        self.landed = offset(&own, &laid.at.planar());
        if !self.steps_over {
            let learned = frame.set.learned;
            let lasts = self.since.clamp(0.25 * self.swing, 4.0 * self.swing);
            self.swing += (lasts - self.swing) * learned;
            let seen = frame.body.place.to(&own);
            self.lands = Some(self.lands.map_or(seen, |lands| lands.lerp(&seen, learned)));
            let facing = Quat::from_rotation_y(-frame.body.place.heading);
            self.stretched = Some(facing * (sample.hip - sample.ankle.translation));
        }
        (self.aloft, self.steps_over, self.next, self.since) = (false, false, None, 0.0);
    }

    /// Whether the source has gone too far from a foot that stands.
    fn strays(&self, may_step: bool, set: &PlacementSettings) -> bool {
        let Some(here) = &self.here else { return false };
        let now = offset(&here.plane, &here.at.planar());
        let strays = set.strays * self.unit();
        let strayed =
            now.position.length() / strays.max(self.landed.position.length() + 0.5 * strays);
        let turned = rotation::wrap_angle(now.heading - self.landed.heading).abs();
        strayed.max(turned / set.strays_turned) > if may_step { 1.0 } else { 2.0 }
    }

    /// Lifts the foot over what is below it and in its way.
    fn rise(&mut self, sample: &FootSample, frame: &PlacementFrame) {
        let set = frame.set;
        let mut ankle = self.placed.ankle;
        if self.aloft {
            self.follower.trail_about(self.about, &mut ankle);
        }
        let put = ankle * sample.ankle.inverse();
        let mut probes = Trace::new(0);
        let mut sensor = self.sensor(&mut probes, frame);
        let mut need = 0.0f32;
        let points = sample.sole();
        if let Some(next) = self.next.filter(|_| self.aloft) {
            let way = next.plane.position - flat(sample.heel.midpoint(sample.ball));
            let (speed, far) = (flat(self.sole.velocity()), way.length());
            let direction = way.normalize_or_zero();
            let grade = self.grade().unwrap_or(0.0);
            let least = if self.steps_over {
                let arch = 4.0 * self.part * (1.0 - self.part);
                arch * set.feet.swing.least_standing * self.unit()
            } else {
                0.0
            };
            for point in points {
                let place = put.transform_point(point);
                let own = (point.y - frame.floor - self.sole.level).max(0.0);
                let clear = own.min(set.feet.swing.clearance * self.unit()).max(least);
                for look in 0..4 {
                    let seconds = set.ahead * look as f32 / 3.0;
                    let made = (speed.dot(direction) * seconds).clamp(0.0, far);
                    let at = flat(place) + direction * made;
                    let expected = place.y + grade * made;
                    let Some(height) = sensor.height(at, expected) else { continue };
                    need = need.max(height + clear - expected);
                }
            }
        } else {
            for point in &points[..2] {
                let place = put.transform_point(*point);
                if let Some(height) = sensor.height(flat(place), place.y) {
                    need = need.max(height - place.y);
                }
            }
        }
        let half = set.half_lift[usize::from(need < self.lift[0])] * self.scale();
        let [off, speed] = [self.lift[0] - need, self.lift[1]].map(|x| Vec3::Y * x);
        let (off, speed) = damped(off, speed, half, frame.dt);
        self.lift = [(need + off.y).max(0.0), speed.y];
    }
}

/// What leads from a print to another, seen from above.
fn offset(from: &Planar, to: &Planar) -> Planar {
    Planar::new(to.position - from.position, to.heading - from.heading)
}

/// A level print at a place.
fn level(place: Planar, height: f32) -> Footprint {
    Footprint::level(Vec3::new(place.position.x, height, place.position.y), place.heading)
}
