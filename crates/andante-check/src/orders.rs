//! Whether everybody has done what they were told, in its order and at its time.

use crate::deeds::Deeds;
use crate::trail::Trail;
use crate::world::World;
use crate::{CheckSettings, Demand, DemandedCue, DemandedDeed, DemandedOrder};
use crate::{Violation, ViolationKind};
use andante_take::{Event, EventKind, TakeSource};

/// How something that was begun has ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrderEnd {
    Done,
    Interrupted,
    Failed(String),
}

/// When an order was begun and ended, by the events of the take.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderRun {
    pub begun: Option<f32>,
    pub ended: Option<(f32, OrderEnd)>,
}

/// A take, and what was told to everybody in it.
#[derive(Clone, Copy)]
pub(crate) struct OrderCase<'a> {
    pub take: &'a dyn TakeSource,
    pub demand: &'a Demand,
    pub orders: &'a [DemandedOrder],
    pub trails: &'a [Trail],
    pub world: &'a World,
    pub settings: &'a CheckSettings,
}

/// What is to be said against how orders were carried out.
pub(crate) fn judge(case: &OrderCase<'_>) -> Vec<Violation> {
    let (runs, unasked) = runs(case);
    let mut found = unasked;
    for (index, order) in case.orders.iter().enumerate() {
        case.judge_cue(&runs, index, &mut found);
        if runs[index].begun.is_some() {
            Deeds { case, order, run: &runs[index] }.judge(&mut found);
        }
    }
    found
}

/// When each order was carried out, and what was done that nobody told.
fn runs(case: &OrderCase<'_>) -> (Vec<OrderRun>, Vec<Violation>) {
    let events = case.take.events();
    let mut used = vec![false; events.len()];
    let mut runs = vec![OrderRun::default(); case.orders.len()];
    for (order, run) in case.orders.iter().zip(&mut runs) {
        let heeds = order.deed == DemandedDeed::Heed;
        let ends = |event: &Event| match &event.kind {
            EventKind::Done(words) if *words == order.words => Some(OrderEnd::Done),
            EventKind::Interrupted(words) if *words == order.words => Some(OrderEnd::Interrupted),
            EventKind::Failed(words) => {
                let why = words.strip_prefix(&order.words)?.strip_prefix(": ")?;
                Some(OrderEnd::Failed(why.into()))
            }
            _ => None,
        };
        let begins = |event: &Event| {
            let began = matches!(&event.kind, EventKind::Began(words) if *words == order.words);
            // What takes no time, and what could not be begun, is told in one.
            let at_once = ends(event).is_some_and(|end| heeds || end != OrderEnd::Done);
            began || at_once
        };
        let own = |index: &usize| !used[*index] && events[*index].track == Some(order.who);
        let Some(first) = (0..events.len()).filter(own).find(|&index| begins(&events[index]))
        else {
            continue;
        };
        let is_whole = ends(&events[first]).is_some();
        let last = (first..events.len())
            .filter(own)
            .find(|&index| (is_whole || index > first) && ends(&events[index]).is_some());
        run.begun = Some(events[first].time);
        run.ended = last.and_then(|last| Some((events[last].time, ends(&events[last])?)));
        used[first] = true;
        last.into_iter().for_each(|last| used[last] = true);
    }
    // What was begun is told once.
    let began = |event: &Event, words: &String| {
        let same = |other: &Event| matches!(&other.kind, EventKind::Began(own) if own == words);
        events.iter().any(|other| other.track == event.track && same(other))
    };
    let unasked = events.iter().zip(&used).filter(|(_, used)| !**used).filter_map(|(event, _)| {
        let words = match &event.kind {
            EventKind::Began(words) => words,
            EventKind::Done(words) if !began(event, words) => words,
            _ => return None,
        };
        let kind = ViolationKind::CommandUnasked;
        Some(case.violation(kind, event.track?, words.clone(), (event.time, 1.0, 0.0)))
    });
    let unasked = unasked.collect();
    (runs, unasked)
}

impl OrderCase<'_> {
    pub fn violation(
        &self,
        kind: ViolationKind,
        who: usize,
        what: String,
        (time_s, value, limit): (f32, f32, f32),
    ) -> Violation {
        let who = self.take.names().get(who).map_or("nobody", |name| *name).to_owned();
        Violation { kind, who, what, time_s, value, limit, frames: 1 }
    }

    /// The frame of a moment.
    pub fn frame(&self, time: f32) -> usize {
        (time * self.take.head().fps).round().max(0.0) as usize
    }

    /// The order before one for the same character.
    fn before(&self, index: usize) -> Option<usize> {
        let who = self.orders[index].who;
        self.orders[..index].iter().rposition(|other| other.who == who)
    }

    /// When an order is due; none if that never comes, or cannot be told from what has ended.
    fn due(&self, runs: &[OrderRun], index: usize) -> Option<f32> {
        let ended = |other: &usize| runs.get(*other)?.ended.as_ref().map(|(time, _)| *time);
        match &self.orders[index].cue {
            DemandedCue::Next => self.before(index).map_or(Some(0.0), |before| ended(&before)),
            DemandedCue::At(time) => Some(*time),
            DemandedCue::After(others) => {
                others.iter().try_fold(0.0f32, |latest, other| Some(latest.max(ended(other)?)))
            }
            _ => None,
        }
    }

    fn judge_cue(&self, runs: &[OrderRun], index: usize, found: &mut Vec<Violation>) {
        let (order, run) = (&self.orders[index], &runs[index]);
        let mut note = |kind: ViolationKind, why: &str, numbers: (f32, f32, f32)| {
            let what = format!("{}{why}", order.words);
            found.push(self.violation(kind, order.who, what, numbers));
        };
        let is_occasion = matches!(
            order.cue,
            DemandedCue::Arrived(_) | DemandedCue::Blocked(_) | DemandedCue::Near(..)
        );
        let Some(begun) = run.begun else {
            // What waits for something that never happens is never due.
            let missed = if is_occasion { self.occasion(runs, index, None) } else { Some(0.0) };
            if let Some(since) = missed {
                note(ViolationKind::CommandLeftOut, "", (since, 1.0, 0.0));
            }
            return;
        };
        if is_occasion {
            if self.occasion(runs, index, Some(begun)).is_none() {
                let why = ": what it waits for has not happened then";
                note(ViolationKind::CommandTime, why, (begun, f32::INFINITY, 0.0));
            }
            return;
        }
        let limit = self.settings.cue_s;
        match self.due(runs, index) {
            None => {
                let why = ": begun before what it comes after has ended";
                note(ViolationKind::CommandTime, why, (begun, f32::INFINITY, limit));
            }
            Some(due) => {
                // In the air nothing can be begun.
                let frames = self.frame(due)..=self.frame(begun);
                let trail = self.trails.get(order.who);
                let flight = trail.map_or(0, |trail| {
                    trail.among(frames).iter().take_while(|point| !point.down).count()
                });
                let flown = flight as f32 / self.take.head().fps;
                let off = if begun < due { due - begun } else { begun - due - flown };
                if off > limit {
                    note(
                        ViolationKind::CommandTime,
                        ": begun at another time",
                        (begun, off, limit),
                    );
                }
            }
        }
    }

    /// A moment at which what an order waits for happened for certain; at a given time whether it may have.
    fn occasion(&self, runs: &[OrderRun], index: usize, at: Option<f32>) -> Option<f32> {
        let since = match self.before(index) {
            Some(before) => runs[before].begun?,
            None => 0.0,
        };
        let [slack_m, slack_s] = self.settings.occasion;
        let told = |who: usize, kind: &EventKind| {
            let own = |event: &&Event| event.track == Some(who) && event.kind == *kind;
            let mut all = self.take.events().iter().filter(own).map(|event| event.time);
            match at {
                Some(at) => all.find(|time| (at - time).abs() <= slack_s),
                None => all.find(|time| *time > since + slack_s),
            }
        };
        match &self.orders[index].cue {
            DemandedCue::Arrived(who) => told(*who, &EventKind::Arrived),
            DemandedCue::Blocked(who) => told(*who, &EventKind::Blocked),
            DemandedCue::Near([one, other], within) => {
                let [one, other] = [one, other].map(|who| self.trails.get(*who));
                let apart = |frame: usize| {
                    Some(one?.at(frame)?.place().distance(other?.at(frame)?.place()))
                };
                match at {
                    Some(at) => (apart(self.frame(at))? <= within + slack_m).then_some(at),
                    None => (self.frame(since + slack_s)..self.take.frames())
                        .find(|&frame| apart(frame).is_some_and(|apart| apart < within - slack_m))
                        .map(|frame| frame as f32 / self.take.head().fps),
                }
            }
            _ => None,
        }
    }
}
