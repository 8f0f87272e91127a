//! Another way from the middle of a performance on.

use super::footprint::{Print, Stance};
use super::performance::{Performance, Timings};
use super::planner::{Constraints, Record, StepPlanner, contacts, millis};
use super::plot::Plot;
use super::score::{Beat, FPS, Score};
use super::vocabulary::Moment;
use super::{Journey, Leg, StepError, StepOptions, World, itinerary};
use andante_skeleton::{Clip, Planar, rotation};
use glam::Vec2;
use std::time::Instant;

/// New ways that lead back by more than this, in radians, are begun after a stop.
const ABOUT: f32 = 1.9;

impl StepPlanner {
    /// Keeps a performance up to a time and then goes another way: to a new goal, or to the same one when
    /// the world has changed. The change is made at the next step, or after the jump that is under
    /// way; what comes before it is kept as it is.
    ///
    /// `legs` begin near where the character is then; [`Performance::body`] tells.
    pub fn repair(
        &self,
        before: &Performance,
        time: f32,
        legs: &[Leg],
        goal: Planar,
        world: &World,
        options: &StepOptions,
    ) -> Result<Performance, StepError> {
        let began = Instant::now();
        let record = &before.record;
        let cut = cut(record, time).ok_or(StepError::NoSuchTime(time))?;
        let beat = record.beats[cut];
        let start = beat.course;
        let journey = Journey { start, goal, legs: legs.to_vec() };
        let score = if beat.stands {
            itinerary::compose(self.vocabulary(), &journey, world, options)?
        } else {
            let towards = next_place(&journey) - start.position;
            let turn = rotation::wrap_angle(towards.x.atan2(towards.y) - start.heading);
            let bent = if turn.abs() > ABOUT {
                self.halted(&journey, &beat, world, options)
            } else {
                // What is too fast to bend comes to a stop first.
                self.bent(&journey, &beat, world, options)
                    .or_else(|_| self.halted(&journey, &beat, world, options))
            };
            let mut score = bent?;
            score.hold(goal, 0.5)?;
            score.finish();
            score
        };
        let mut timings = Timings { scoring: millis(began), ..Timings::default() };
        let kept = standing_on(&record.plot, cut);
        let constraints =
            Constraints { footprints: &kept, continued: Some(before.clip.frame(cut)) };
        let after = self.realise(&score, &constraints, world, &mut timings)?;
        let performance = self.join(before, cut, after)?;
        timings.total = millis(began);
        Ok(Performance { timings, ..performance })
    }

    /// Where [`Self::repair`] from a time on leaves the way of a performance.
    pub fn changeover(&self, before: &Performance, time: f32) -> Option<Planar> {
        cut(&before.record, time).map(|cut| before.record.beats[cut].course)
    }

    /// A little straight on, and then into the bend.
    fn bent<'a>(
        &'a self,
        journey: &Journey,
        beat: &Beat,
        world: &World<'a>,
        options: &StepOptions,
    ) -> Result<Score<'a>, StepError> {
        let start = journey.start;
        let ahead = itinerary::forward(start.heading);
        let lead = start.position + ahead * (0.2 + 0.3 * beat.speed);
        let mut journey = journey.clone();
        journey.legs.insert(0, Leg::Walk(vec![lead]));
        drop_passed(&mut journey, start, ahead, 0.6 + 0.6 * beat.speed);
        let mut score = Score::new(self.vocabulary(), world, options);
        itinerary::go(&mut score, &journey, moment(beat))?;
        Ok(score)
    }

    /// To a stop, and then from there.
    fn halted<'a>(
        &'a self,
        journey: &Journey,
        beat: &Beat,
        world: &World<'a>,
        options: &StepOptions,
    ) -> Result<Score<'a>, StepError> {
        let start = journey.start;
        let braking = beat.speed * beat.speed / (2.0 * options.braking.max(0.5));
        let way = itinerary::forward(start.heading) * (braking + 0.4);
        let halt = Planar::new(start.position + way, start.heading);
        let stretch = vec![start.position, halt.position];
        let mut score = Score::new(self.vocabulary(), world, options);
        itinerary::travel(&mut score, start, &[stretch], Vec::new(), halt, moment(beat))?;
        score.hold(halt, 0.1)?;
        let journey = Journey { start: halt, ..journey.clone() };
        itinerary::go(&mut score, &journey, Moment::REST)?;
        Ok(score)
    }

    /// The one up to a frame, then the other.
    fn join(
        &self,
        before: &Performance,
        cut: usize,
        after: Performance,
    ) -> Result<Performance, StepError> {
        let skeleton = &self.vocabulary().character().skeleton;
        let mut transforms = before.clip.transforms()[..cut * skeleton.len()].to_vec();
        transforms.extend_from_slice(after.clip.transforms());
        let clip = Clip::new("performance", skeleton, FPS, transforms)
            .map_err(|_| StepError::NonFinite("a pose"))?;
        let later = |frames: [usize; 2]| frames.map(|frame| frame + cut);
        let mut plot = Plot { stances: vec![], played: vec![], desired: vec![] };
        let mut footprints = Vec::new();
        let old = &before.record.plot;
        for k in 0..old.stances.len() {
            if old.stances[k].frames[1] < cut {
                plot.stances.push(old.stances[k]);
                plot.played.push(old.played[k]);
                plot.desired.push(old.desired[k]);
                footprints.push(before.footprints[k]);
            }
        }
        let new = &after.record.plot;
        for k in 0..new.stances.len() {
            let own = &new.stances[k];
            let mut stance = Stance {
                foot: own.foot,
                frames: later(own.frames),
                heel: own.heel.map(later),
                ball: own.ball.map(later),
            };
            let mut footprint = after.footprints[k];
            footprint.landing += cut as f32 / FPS;
            footprint.take_off += cut as f32 / FPS;
            // A foot that was down already has been for longer.
            let was = (0..old.stances.len()).find(|&o| {
                let [first, last] = old.stances[o].frames;
                own.frames[0] == 0 && old.stances[o].foot == own.foot && first < cut && last >= cut
            });
            if let Some(o) = was {
                let since = &old.stances[o];
                stance.frames[0] = since.frames[0];
                let longer = |own: Option<[usize; 2]>, was: Option<[usize; 2]>| match (own, was) {
                    (Some([_, last]), Some([first, _])) => Some([first, last]),
                    (None, Some([first, last])) => Some([first, last.min(cut - 1)]),
                    (own, None) => own,
                };
                stance.heel = longer(stance.heel, since.heel);
                stance.ball = longer(stance.ball, since.ball);
                footprint.landing = before.footprints[o].landing;
            }
            plot.stances.push(stance);
            plot.played.push(new.played[k]);
            plot.desired.push(new.desired[k]);
            footprints.push(footprint);
        }
        let mut beats = before.record.beats[..cut].to_vec();
        let mut jumps = before.record.jumps.clone();
        let known = jumps.len();
        beats.extend(after.record.beats.iter().map(|beat| {
            let mut beat = *beat;
            if let Some(act) = &mut beat.act {
                act.jump += known;
            }
            beat
        }));
        jumps.extend(after.record.jumps.iter().cloned());
        let joined = |a: &[f32], b: &[f32]| [&a[..cut], b].concat();
        let share = cut as f32 / clip.frame_count() as f32;
        Ok(Performance {
            contacts: contacts(&plot),
            footprints,
            body: [&before.body[..cut], &after.body].concat(),
            curvature: joined(&before.curvature, &after.curvature),
            running: joined(&before.running, &after.running),
            speed: joined(&before.speed, &after.speed),
            pose_change_deg_mean: share * before.pose_change_deg_mean
                + (1.0 - share) * after.pose_change_deg_mean,
            clips_root_accel_max: before.clips_root_accel_max.max(after.clips_root_accel_max),
            head_room: [before.head_room, after.head_room].into_iter().flatten().reduce(f32::min),
            timings: after.timings,
            record: Record { beats, jumps, plot },
            clip,
        })
    }
}

/// Where in its gait a character is.
fn moment(beat: &Beat) -> Moment {
    Moment { speed: beat.speed.max(0.05), cycles: Some(beat.cycles.rem_euclid(1.0)) }
}

/// The first frame from a time on at which the way can change: standing, or as a foot comes down.
fn cut(record: &Record, time: f32) -> Option<usize> {
    if !(time.is_finite() && time >= 0.0) {
        return None;
    }
    let first = (time * FPS).ceil() as usize;
    let lands = |frame: usize| record.plot.stances.iter().any(|s| s.frames[0] == frame);
    (first..record.beats.len()).find(|&frame| {
        let beat = &record.beats[frame];
        beat.stands || (beat.act.is_none() && beat.rest < 0.5 && lands(frame))
    })
}

/// The footprints a character stands on.
fn standing_on(plot: &Plot, frame: usize) -> Vec<Print> {
    (0..plot.stances.len())
        .filter(|&k| {
            let [first, last] = plot.stances[k].frames;
            (first..=last).contains(&frame)
        })
        .map(|k| plot.desired[k])
        .collect()
}

/// Leaves out places that a character which goes straight on passes anyway.
fn drop_passed(journey: &mut Journey, start: Planar, ahead: Vec2, way: f32) {
    if let Some(Leg::Walk(places)) = journey.legs.get_mut(1) {
        let last = places.len().saturating_sub(1);
        let near = |place: &Vec2| {
            let offset = *place - start.position;
            offset.length() < way || offset.dot(ahead) < 0.0 && offset.length() < 2.0 * way
        };
        let passed = places[..last].iter().take_while(|place| near(place)).count();
        places.drain(..passed);
    }
}

/// Where a journey leads to next.
fn next_place(journey: &Journey) -> Vec2 {
    let far = |place: &&Vec2| place.distance(journey.start.position) > 0.8;
    let found = journey.legs.iter().find_map(|leg| match leg {
        Leg::Walk(places) => places.iter().find(far).copied(),
        Leg::Jump(jump) => Some(jump.from),
    });
    found.unwrap_or(journey.goal.position)
}
