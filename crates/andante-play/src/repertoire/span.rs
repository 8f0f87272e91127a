//! Contacts over a cycle, as stretches of phase.

use crate::{FootContacts, Interval};

/// A stretch of phase. It starts in [0, 1) and may end beyond 1, in the next round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseSpan {
    /// First phase.
    pub start: f32,
    /// Last phase; at most a whole round later.
    pub end: f32,
}

impl PhaseSpan {
    /// Always.
    pub const WHOLE: Self = Self { start: 0.0, end: 1.0 };

    fn is_whole(&self) -> bool {
        self.end - self.start > 0.999
    }

    #[inline]
    fn since_start(&self, phase: f32) -> f32 {
        let since = phase - self.start;
        since - since.floor()
    }

    /// True if a phase lies in it; rounds do not matter.
    #[inline]
    pub fn contains(&self, phase: f32) -> bool {
        self.is_whole() || self.since_start(phase) <= self.end - self.start
    }

    /// 0 outside and at the ends, rising to 1 over `ramp` phases inwards.
    #[inline]
    pub fn weight(&self, phase: f32, ramp: f32) -> f32 {
        if self.is_whole() {
            return 1.0;
        }
        let since = self.since_start(phase);
        let left = self.end - self.start - since;
        (since.min(left) / ramp).clamp(0.0, 1.0)
    }

    pub(in crate::repertoire) fn is_valid(&self) -> bool {
        (0.0..1.0).contains(&self.start) && self.end > self.start && self.end <= self.start + 1.0
    }
}

/// The contacts of a foot's heel and ball, as phases.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FootSpans {
    /// From heel strike to heel off.
    pub heel: Vec<PhaseSpan>,
    /// From foot flat to toe off.
    pub ball: Vec<PhaseSpan>,
}

impl FootSpans {
    /// A foot that stands.
    pub fn standing() -> Self {
        Self { heel: vec![PhaseSpan::WHOLE], ball: vec![PhaseSpan::WHOLE] }
    }

    /// The weights of heel and ball: see [`PhaseSpan::weight`].
    #[inline]
    pub fn weights(&self, phase: f32, ramp: f32) -> [f32; 2] {
        let firmest = |spans: &[PhaseSpan]| {
            spans.iter().map(|span| span.weight(phase, ramp)).fold(0.0, f32::max)
        };
        [firmest(&self.heel), firmest(&self.ball)]
    }

    /// The contacts of heel and ball: true if down.
    #[inline]
    pub fn down(&self, phase: f32) -> [bool; 2] {
        let any = |spans: &[PhaseSpan]| spans.iter().any(|span| span.contains(phase));
        [any(&self.heel), any(&self.ball)]
    }

    /// Spans during which any part of the foot is down.
    pub fn stances(&self) -> Vec<PhaseSpan> {
        let mut all: Vec<[f32; 2]> =
            self.heel.iter().chain(&self.ball).map(|span| [span.start, span.end]).collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut merged: Vec<[f32; 2]> = Vec::new();
        for span in all {
            match merged.last_mut() {
                Some(last) if span[0] <= last[1] + JOIN => last[1] = last[1].max(span[1]),
                _ => merged.push(span),
            }
        }
        close_round(&mut merged);
        merged.into_iter().map(|[start, end]| PhaseSpan { start, end }).collect()
    }

    /// The contacts of a stretch of time whose parts are phases: of what begins or ends outside, what
    /// is inside. `to_phase` maps times from `range.start` to `range.end` onto 0 to 1. In a cycle, a
    /// contact at the end goes over into one at the start.
    /// The spans of contacts within a range of time, given the phase of a time.
    pub fn from_contacts(
        contacts: &FootContacts,
        range: Interval,
        cyclic: bool,
        to_phase: impl Fn(f32) -> f32,
    ) -> Self {
        let spans = |intervals: &[Interval]| {
            let mut spans: Vec<[f32; 2]> = intervals
                .iter()
                .filter(|i| i.end > range.start && i.start < range.end)
                .map(|i| [i.start.max(range.start), i.end.min(range.end)].map(&to_phase))
                .filter(|[start, end]| *start < 1.0 && end - start > 1e-4)
                .collect();
            if cyclic {
                close_round(&mut spans);
            }
            spans.iter().map(|&[start, end]| PhaseSpan { start, end }).collect()
        };
        Self { heel: spans(&contacts.heel), ball: spans(&contacts.toe) }
    }
}

/// Spans nearer than this are one.
const JOIN: f32 = 1e-3;

/// A span that lasts to the end of the round and one that begins with it are one span.
fn close_round(spans: &mut Vec<[f32; 2]>) {
    if let (Some(first), Some(last)) = (spans.first().copied(), spans.last().copied()) {
        if spans.len() > 1 && first[0] < JOIN && last[1] > 1.0 - JOIN && last[1] <= 1.0 + JOIN {
            spans.remove(0);
            if let Some(last) = spans.last_mut() {
                last[1] = (1.0 + first[1]).min(last[0] + 1.0);
            }
        } else if spans.len() > 1 && last[1] > 1.0 && first[0] <= last[1] - 1.0 + JOIN {
            // The last one goes on into the next round and reaches the first.
            spans.remove(0);
            if let Some(last) = spans.last_mut() {
                last[1] = last[1].max(1.0 + first[1]).min(last[0] + 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: f32, end: f32) -> PhaseSpan {
        PhaseSpan { start, end }
    }

    #[test]
    fn a_contact_across_the_end_of_the_round_is_one_span() {
        let contacts = FootContacts {
            heel: vec![Interval::new(1.0, 1.2), Interval::new(1.6, 2.0)],
            toe: vec![Interval::new(1.7, 2.0)],
        };
        let spans =
            FootSpans::from_contacts(&contacts, Interval::new(1.0, 2.0), true, |time| time - 1.0);
        assert_eq!(spans.heel.len(), 1);
        assert!((spans.heel[0].start - 0.6).abs() < 1e-6 && (spans.heel[0].end - 1.2).abs() < 1e-6);
        assert!(spans.heel[0].contains(0.1) && spans.heel[0].contains(0.9));
        assert!(!spans.heel[0].contains(0.4));
        assert_eq!(spans.stances().len(), 1);
        let once = FootSpans::from_contacts(&contacts, Interval::new(1.0, 2.0), false, |t| t - 1.0);
        assert_eq!(once.heel.len(), 2, "what is played once does not go round");
    }

    #[test]
    fn weights_rise_and_fall_inside_the_span() {
        let span = span(0.9, 1.3);
        assert_eq!(span.weight(0.85, 0.1), 0.0);
        assert!((span.weight(0.95, 0.1) - 0.5).abs() < 1e-5);
        assert_eq!(span.weight(0.1, 0.1), 1.0);
        assert!((span.weight(1.25, 0.1) - 0.5).abs() < 1e-5);
        assert_eq!(PhaseSpan::WHOLE.weight(0.0, 0.1), 1.0);
    }

    #[test]
    fn stances_join_heel_and_ball_across_the_round() {
        let foot = FootSpans { heel: vec![span(0.5, 0.9)], ball: vec![span(0.6, 1.1)] };
        assert_eq!(foot.stances(), [span(0.5, 1.1)]);
        let foot = FootSpans { heel: vec![span(0.0, 0.3)], ball: vec![span(0.8, 1.1)] };
        let stances = foot.stances();
        assert_eq!(stances.len(), 1);
        assert!((stances[0].start - 0.8).abs() < 1e-6 && (stances[0].end - 1.3).abs() < 1e-6);
    }
}
