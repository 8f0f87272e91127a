//! The evidence in the motion of what somebody was told to do.

use crate::goal;
use crate::orders::{OrderCase, OrderEnd, OrderRun};
use crate::tally::exceeds;
use crate::trail::{Trail, TrailPoint};
use crate::world::Moment;
use crate::{DemandedDeed, DemandedOrder, DemandedSpot, Violation, ViolationKind};
use andante_skeleton::Planar;
use andante_skeleton::rotation::wrap_angle;
use andante_take::{BodyDrive, Event, EventKind, RigidTrack};
use glam::{Vec2, Vec3};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// One order that was begun.
pub(crate) struct Deeds<'a> {
    pub case: &'a OrderCase<'a>,
    pub order: &'a DemandedOrder,
    pub run: &'a OrderRun,
}

impl Deeds<'_> {
    pub fn judge(&self, found: &mut Vec<Violation>) {
        let (case, deed) = (self.case, &self.order.deed);
        let begun = self.run.begun.unwrap_or(0.0);
        let last = case.take.seconds();
        let ended = self.run.ended.as_ref().map_or(last, |(time, _)| *time);
        let is_endless = matches!(deed, DemandedDeed::Follow(..) | DemandedDeed::Round(_));
        match &self.run.ended {
            Some((_, OrderEnd::Failed(why))) => {
                return found.push(self.note(ViolationKind::CommandFailed, why, (ended, 1.0, 0.0)));
            }
            Some((_, OrderEnd::Interrupted)) if !self.is_told_otherwise(ended) => {
                let why = "given up, and nobody told it anything else";
                return found.push(self.note(ViolationKind::CommandFailed, why, (ended, 1.0, 0.0)));
            }
            None if !is_endless => {
                let why = "begun and never ended";
                return found.push(self.note(ViolationKind::CommandFailed, why, (ended, 1.0, 0.0)));
            }
            Some((_, OrderEnd::Done)) if is_endless => {
                let why = "it has no end";
                return found.push(self.note(ViolationKind::CommandTime, why, (ended, 1.0, 0.0)));
            }
            _ => {}
        }
        let is_given_up = matches!(self.run.ended, Some((_, OrderEnd::Interrupted)));
        let frames = case.frame(begun)..=case.frame(ended);
        match deed {
            DemandedDeed::Round(spots) => self.round(spots, [begun, ended], is_given_up, found),
            DemandedDeed::Follow(whom, far) => self.follow(*whom, *far, frames, is_given_up, found),
            _ if is_given_up => {}
            DemandedDeed::Go(spot) => self.is_there(spot, (ended, 0.0), "", found),
            DemandedDeed::Along(spots) => self.along(spots, frames, ended, found),
            DemandedDeed::Leap(ends) => self.leap(*ends, frames, ended, found),
            DemandedDeed::Face(_) | DemandedDeed::FacePoint(_) | DemandedDeed::FaceCharacter(_) => {
                self.face(frames, ended, found);
            }
            DemandedDeed::Stand(seconds) => self.stand(*seconds, [begun, ended], found),
            DemandedDeed::Stop => self.stop(ended, found),
            DemandedDeed::Step(prints) => self.step(prints, frames, ended, found),
            DemandedDeed::Push(impulse) => self.push(*impulse, begun, found),
            DemandedDeed::Throw { size, from, speed } => {
                self.throw((*size, *from, *speed), begun, found);
            }
            DemandedDeed::Fall | DemandedDeed::GetUp => self.upright(ended, found),
            DemandedDeed::Heed => {}
        }
    }

    fn note(&self, kind: ViolationKind, why: &str, numbers: (f32, f32, f32)) -> Violation {
        let colon = if why.is_empty() { "" } else { ": " };
        let what = format!("{}{colon}{why}", self.order.words);
        self.case.violation(kind, self.order.who, what, numbers)
    }

    fn trail(&self) -> Option<&Trail> {
        self.case.trails.get(self.order.who)
    }

    /// The platform that carries it.
    fn carrier(&self) -> Option<&RigidTrack> {
        let part = self.case.demand.parts.get(self.order.who)?;
        self.case.world.deck_under(part.start.as_ref()?)
    }

    /// Limits of place and heading at a moment.
    fn limits(&self, frame: usize) -> [f32; 2] {
        let settings = self.case.settings;
        let part = self.case.demand.parts.get(self.order.who);
        let second = self.case.take.head().fps as usize;
        let is_forced =
            self.trail().is_some_and(|trail| trail.is_forced(frame.saturating_sub(second)..=frame));
        match is_forced || part.is_some_and(|part| part.drive == Some(BodyDrive::Physical)) {
            true => settings.goal_by_forces,
            false => settings.goal,
        }
    }

    /// Whether it was told something else at a moment.
    fn is_told_otherwise(&self, time: f32) -> bool {
        self.case.take.events().iter().any(|event| {
            let other = matches!(&event.kind, EventKind::Began(words) if *words != self.order.words || event.time >= time);
            other
                && event.track == Some(self.order.who)
                && (event.time - time).abs() <= self.case.settings.cue_s
        })
    }

    /// Whether it is somewhere at a time, or passes it by no more than this, in metres.
    fn is_there(
        &self,
        spot: &DemandedSpot,
        (time, by_m): (f32, f32),
        which: &str,
        found: &mut Vec<Violation>,
    ) {
        let frame = self.case.frame(time);
        let Some(point) = self.trail().and_then(|trail| trail.at(frame)) else { return };
        let [near_m, near_deg] = self.limits(frame);
        let carrier = self.carrier();
        let spot = goal::carried(*spot, carrier, frame);
        let near_m = near_m.max(by_m);
        let far = point.place().distance(spot.place);
        if exceeds(far, near_m) {
            found.push(self.note(ViolationKind::CommandPlace, which, (time, far, near_m)));
        }
        if let Some(heading) = spot.heading {
            self.faces(point, heading, (time, near_deg), found);
        }
        let moment = Moment { frame, time };
        let world = self.case.world;
        let level = world.highest(point.place(), point.at.y, Some(moment));
        let asked = goal::level(&spot, world, moment);
        let soles = point.soles.filter(|_| spot.height.is_some());
        let off = goal::off(goal::stands_on(level, soles), asked);
        let limit = self.case.settings.storey_m;
        if off > limit {
            found.push(self.note(
                ViolationKind::CommandPlace,
                "on another storey",
                (time, off, limit),
            ));
        }
    }

    fn faces(
        &self,
        point: &TrailPoint,
        heading: f32,
        (time, limit): (f32, f32),
        found: &mut Vec<Violation>,
    ) {
        let off = wrap_angle(point.heading - heading).abs().to_degrees();
        if exceeds(off, limit) {
            found.push(self.note(ViolationKind::CommandHeading, "", (time, off, limit)));
        }
    }

    fn along(
        &self,
        spots: &[DemandedSpot],
        frames: RangeInclusive<usize>,
        ended: f32,
        found: &mut Vec<Violation>,
    ) {
        let (Some(trail), Some((last, by))) = (self.trail(), spots.split_last()) else { return };
        let limit = self.case.settings.path_m;
        let (carrier, first) = (self.carrier(), *frames.start());
        let points = trail.among(frames);
        let mut from = 0;
        for (number, spot) in by.iter().enumerate() {
            let far = |index: usize| {
                let spot = goal::carried(*spot, carrier, first + index);
                points[index].place().distance(spot.place)
            };
            let nearest = (from..points.len()).map(far).fold(f32::INFINITY, f32::min);
            match (from..points.len()).find(|&index| far(index) <= limit) {
                Some(index) => from = index,
                None => {
                    let which = format!("place {}", number + 1);
                    found.push(self.note(
                        ViolationKind::CommandPlace,
                        &which,
                        (ended, nearest, limit),
                    ));
                }
            }
        }
        self.is_there(last, (ended, 0.0), "", found);
    }

    fn round(
        &self,
        spots: &[DemandedSpot],
        [begun, ended]: [f32; 2],
        is_given_up: bool,
        found: &mut Vec<Violation>,
    ) {
        let own = |event: &&Event| {
            event.track == Some(self.order.who) && event.kind == EventKind::Arrived
        };
        let times = self.case.take.events().iter().filter(own).map(|event| event.time);
        let times: Vec<f32> = times.filter(|time| (begun..=ended).contains(time)).collect();
        for (number, (time, spot)) in times.iter().zip(spots.iter().cycle()).enumerate() {
            let which = format!("place {}", number % spots.len() + 1);
            // Where it has to face somewhere it stops.
            let by_m = if spot.heading.is_some() { 0.0 } else { self.case.settings.path_m };
            self.is_there(spot, (*time, by_m), &which, found);
        }
        if !is_given_up && times.len() < spots.len() {
            let which = format!("it has been to {} of {} places", times.len(), spots.len());
            found.push(self.note(ViolationKind::CommandLeftOut, &which, (ended, 1.0, 0.0)));
        }
    }

    /// Who follows has been as near as it was told at least once in the last seconds; who was called off has kept up or come nearer.
    fn follow(
        &self,
        whom: usize,
        distance: f32,
        frames: RangeInclusive<usize>,
        is_given_up: bool,
        found: &mut Vec<Violation>,
    ) {
        let (Some(own), Some(other)) = (self.trail(), self.case.trails.get(whom)) else { return };
        let [slack_m, last_s] = self.case.settings.follow;
        let fps = self.case.take.head().fps;
        let far = |frame: usize| {
            let places = own.at(frame).zip(other.at(frame));
            places.map_or(f32::INFINITY, |(own, other)| own.place().distance(other.place()))
        };
        let (first, last) = (*frames.start(), *frames.end());
        let since = last.saturating_sub((last_s * fps) as usize).max(first);
        let nearest = (since..=last).map(far).fold(f32::INFINITY, f32::min);
        // Others who follow the same stand before it.
        let same = |order: &&DemandedOrder| match order.deed {
            DemandedDeed::Follow(other, _) => other == whom && order.who != self.order.who,
            _ => false,
        };
        let others: BTreeSet<usize> =
            self.case.orders.iter().filter(same).map(|order| order.who).collect();
        let slack_m = slack_m * (1.0 + 0.5 * others.len() as f32);
        // Who had no time to come is only asked to set off.
        let limit = match is_given_up {
            true => distance.max(far(first)) + 2.0 * slack_m,
            false => distance + slack_m,
        };
        if exceeds(nearest, limit) {
            let time = last as f32 / fps;
            found.push(self.note(
                ViolationKind::CommandPlace,
                "too far behind",
                (time, nearest, limit),
            ));
        }
    }

    fn leap(
        &self,
        ends: [Vec2; 2],
        frames: RangeInclusive<usize>,
        time: f32,
        found: &mut Vec<Violation>,
    ) {
        let Some(trail) = self.trail() else { return };
        let points = trail.among(frames);
        let mut nearest = f32::INFINITY;
        let mut left: Option<Vec2> = None;
        for pair in points.windows(2) {
            match (pair[0].down, pair[1].down) {
                (true, false) => left = Some(pair[0].place()),
                (false, true) => {
                    let Some(from) = left.take() else { continue };
                    let far = from.distance(ends[0]).max(pair[1].place().distance(ends[1]));
                    nearest = nearest.min(far);
                }
                _ => {}
            }
        }
        let limit = self.case.settings.leap_m;
        if exceeds(nearest, limit) {
            found.push(self.note(
                ViolationKind::CommandPlace,
                "no such flight",
                (time, nearest, limit),
            ));
        }
    }

    fn face(&self, frames: RangeInclusive<usize>, time: f32, found: &mut Vec<Violation>) {
        let frame = *frames.end();
        let Some(point) = self.trail().and_then(|trail| trail.at(frame)) else { return };
        let [_, near_deg] = self.limits(frame);
        let towards = |at: Vec2| {
            let way = at - point.place();
            // Who stands there has no way to face.
            (way.length() > 0.06).then(|| libm::atan2f(way.x, way.y))
        };
        match self.order.deed {
            DemandedDeed::Face(heading) => {
                // On what turns it is told by how that was at first.
                let spot =
                    DemandedSpot { place: point.place(), height: None, heading: Some(heading) };
                let heading = goal::carried(spot, self.carrier(), frame).heading.unwrap_or(heading);
                self.faces(point, heading, (time, near_deg), found);
            }
            DemandedDeed::FacePoint(at) => {
                let spot = DemandedSpot { place: at, height: None, heading: None };
                let at = goal::carried(spot, self.carrier(), frame).place;
                if let Some(heading) = towards(at) {
                    self.faces(point, heading, (time, near_deg), found);
                }
            }
            DemandedDeed::FaceCharacter(whom) => {
                let Some(other) = self.case.trails.get(whom) else { return };
                let headings = other.among(frames).iter().filter_map(|seen| towards(seen.place()));
                let off = |heading: f32| wrap_angle(point.heading - heading).abs();
                if let Some(heading) = headings.min_by(|a, b| off(*a).total_cmp(&off(*b))) {
                    self.faces(point, heading, (time, near_deg), found);
                }
            }
            _ => {}
        }
    }

    /// Places as seen from what carries it.
    fn at_home(&self, frame: usize) -> Option<Vec2> {
        let at = self.trail()?.at(frame)?.at;
        let back = self.carrier().and_then(|thing| thing.at(frame)).map(|at| at.inverse());
        let at = back.map_or(at, |back| back.transform_point(at));
        Some(Vec2::new(at.x, at.z))
    }

    fn stand(&self, seconds: f32, [begun, ended]: [f32; 2], found: &mut Vec<Violation>) {
        let limit = self.case.settings.cue_s;
        let off = (ended - begun - seconds).abs();
        if exceeds(off, limit) {
            found.push(self.note(
                ViolationKind::CommandTime,
                "for another time",
                (ended, off, limit),
            ));
        }
        // Who was moving comes to a stand first.
        let [stray_m, stop_s] = self.case.settings.stand;
        let frames = self.case.frame(begun + stop_s)..=self.case.frame(ended);
        let Some(trail) = self.trail().filter(|_| !frames.is_empty()) else { return };
        if trail.is_forced(self.case.frame(begun)..=*frames.end()) {
            return;
        }
        let Some(first) = self.at_home(*frames.start()) else { return };
        let places = frames.filter_map(|frame| self.at_home(frame));
        let strayed = places.map(|place| place.distance(first)).fold(0.0, f32::max);
        if exceeds(strayed, stray_m) {
            found.push(self.note(
                ViolationKind::CommandPlace,
                "it does not stand",
                (ended, strayed, stray_m),
            ));
        }
    }

    fn stop(&self, time: f32, found: &mut Vec<Violation>) {
        let (last, fps) = (self.case.frame(time), self.case.take.head().fps);
        let first = last.saturating_sub((0.1 * fps) as usize);
        let (Some(from), Some(to)) = (self.at_home(first), self.at_home(last)) else { return };
        if first < last && self.trail().is_some_and(|trail| !trail.is_forced(first..=last)) {
            let speed = from.distance(to) * fps / (last - first) as f32;
            let limit = self.case.settings.standing_mps;
            if exceeds(speed, limit) {
                found.push(self.note(ViolationKind::CommandSpeed, "", (time, speed, limit)));
            }
        }
    }

    fn step(
        &self,
        prints: &[(usize, Planar)],
        frames: RangeInclusive<usize>,
        time: f32,
        found: &mut Vec<Violation>,
    ) {
        let Some(trail) = self.trail() else { return };
        let [near_m, near_deg] = self.case.settings.footprint;
        let before = |foot: usize| {
            trail
                .stands
                .iter()
                .rposition(|stand| stand.foot == foot && stand.frame <= *frames.start())
        };
        // Feet may stand where they are asked to be first.
        let first = [0, 1].into_iter().filter_map(before).min().unwrap_or(0);
        let mut from = first;
        for (number, (foot, print)) in prints.iter().enumerate() {
            let own = |index: &usize| {
                let stand = &trail.stands[*index];
                stand.foot == *foot && stand.frame <= *frames.end()
            };
            let far = |index: usize| trail.stands[index].place.distance(print.position);
            let turned = |index: usize| {
                wrap_angle(trail.stands[index].heading - print.heading).abs().to_degrees()
            };
            let all = || (from..trail.stands.len()).filter(own);
            let nearest = all().map(far).fold(f32::INFINITY, f32::min);
            match all().find(|&index| far(index) <= near_m && turned(index) <= near_deg) {
                Some(index) => from = index,
                None => {
                    let which = format!("footprint {}", number + 1);
                    found.push(self.note(
                        ViolationKind::CommandPlace,
                        &which,
                        (time, nearest, near_m),
                    ));
                }
            }
        }
    }

    /// The events of it that are told at a moment.
    fn told(&self, time: f32) -> impl Iterator<Item = &EventKind> {
        let (who, slack) = (self.order.who, self.case.settings.occasion[1]);
        let events = self.case.take.events().iter().filter(move |event| {
            event.track == Some(who) && (-1e-3..=slack).contains(&(event.time - time))
        });
        events.map(|event| &event.kind)
    }

    fn push(&self, impulse: f32, time: f32, found: &mut Vec<Violation>) {
        let of = |kind: &EventKind| match kind {
            EventKind::Pushed(own) => Some((own - impulse).abs()),
            _ => None,
        };
        let limit = 0.01 * impulse + 0.01;
        let off = self.told(time).filter_map(of).fold(f32::INFINITY, f32::min);
        if exceeds(off, limit) {
            found.push(self.note(
                ViolationKind::CommandLeftOut,
                "no such push",
                (time, off, limit),
            ));
        }
        let frame = self.case.frame(time);
        let half = (0.5 * self.case.take.head().fps) as usize;
        let is_moved = self.trail().is_some_and(|trail| trail.is_forced(frame..=frame + half))
            || self.told(time).any(|kind| matches!(kind, EventKind::GaveWay));
        if impulse > 0.0 && !is_moved {
            let why = "no force moves it";
            found.push(self.note(ViolationKind::CommandLeftOut, why, (time, 1.0, 0.0)));
        }
    }

    fn throw(&self, (size, from, speed): (f32, Vec3, f32), time: f32, found: &mut Vec<Violation>) {
        let name = self.told(time).find_map(|kind| match kind {
            EventKind::Thrown(name) => Some(name),
            _ => None,
        });
        let things = self.case.take.things();
        let thing = name.and_then(|name| things.iter().find(|thing| thing.name == *name));
        let Some((thing, first)) = thing.and_then(|thing| Some((thing, thing.places.first()?)))
        else {
            let why = "nothing is thrown";
            return found.push(self.note(ViolationKind::CommandLeftOut, why, (time, 1.0, 0.0)));
        };
        // It is seen at the end of the frame in which it was let go.
        let limit = 0.05 + 2.0 * speed / self.case.take.head().fps;
        let far = first.translation.distance(from);
        if exceeds(far, limit) {
            found.push(self.note(
                ViolationKind::CommandPlace,
                "thrown from elsewhere",
                (time, far, limit),
            ));
        }
        let all = || thing.mesh.positions.iter().copied();
        let extent =
            all().fold(Vec3::NEG_INFINITY, Vec3::max) - all().fold(Vec3::INFINITY, Vec3::min);
        let (off, limit) = ((extent.y - size).abs(), 0.01 * size + 1e-3);
        if exceeds(off, limit) {
            found.push(self.note(
                ViolationKind::CommandPlace,
                "of another size",
                (time, off, limit),
            ));
        }
    }

    /// Whether it lies or stands as it was told.
    fn upright(&self, time: f32, found: &mut Vec<Violation>) {
        let frame = self.case.frame(time);
        let Some(trail) = self.trail().filter(|trail| trail.hips.is_finite()) else { return };
        let Some(point) = trail.at(frame) else { return };
        let moment = Moment { frame, time };
        let Some(level) = self.case.world.highest(point.place(), point.at.y, Some(moment)) else {
            return;
        };
        let share = (point.at.y - level) / trail.hips.max(1e-3);
        let [lies, stands] = self.case.settings.lies_and_stands;
        let is_asked_to_lie = self.order.deed == DemandedDeed::Fall;
        let (off, limit) = match is_asked_to_lie {
            true => (share, lies),
            false => (1.0 - share, 1.0 - stands),
        };
        if exceeds(off, limit) {
            let why = if is_asked_to_lie { "it does not lie" } else { "it does not stand" };
            found.push(self.note(ViolationKind::CommandPosture, why, (time, off, limit)));
        }
    }
}
