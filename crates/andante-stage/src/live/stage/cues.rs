//! When orders are due.

use super::{OrderState, Stage};
use crate::{Command, Cue, EventKind, Occurrence};

impl Stage {
    /// Gives the orders that are due.
    pub(super) fn cue(&mut self) {
        for index in 0..self.orders.len() {
            if self.is_due(index) {
                self.states[index] = OrderState::Begun;
                let order = &self.orders[index];
                let (who, label, command) = (order.who, order.describe(), order.command.clone());
                self.give(who, command, label, Some(index));
                for order in self.ended.drain(..) {
                    self.states[order] = OrderState::Ended;
                }
            }
        }
    }

    pub(super) fn is_due(&self, index: usize) -> bool {
        if self.states[index] != OrderState::Waiting {
            return false;
        }
        let order = &self.orders[index];
        let before = self.orders[..index].iter().rposition(|other| other.who == order.who);
        match &order.cue {
            Cue::Next => before.is_none_or(|before| self.states[before] == OrderState::Ended),
            Cue::At(time) => self.time + 1e-6 >= f64::from(*time),
            Cue::After(others) => {
                others.iter().all(|&other| self.states[other] == OrderState::Ended)
            }
            Cue::When(happening) => {
                let begun = before.is_none_or(|before| self.states[before] != OrderState::Waiting);
                begun && self.happens(happening)
            }
        }
    }

    fn happens(&self, happening: &Occurrence) -> bool {
        let told = |who: usize, kind: EventKind| {
            self.events.iter().any(|event| event.track == Some(who) && event.kind == kind)
        };
        match *happening {
            Occurrence::Arrived(who) => told(who, EventKind::Arrived),
            Occurrence::Blocked(who) => told(who, EventKind::Blocked),
            Occurrence::Near { who, whom, within } => {
                match (self.actors.get(who), self.actors.get(whom)) {
                    (Some(a), Some(b)) => {
                        a.disc().place.position.distance(b.disc().place.position) <= within
                    }
                    _ => false,
                }
            }
        }
    }

    pub(super) fn give(
        &mut self,
        who: usize,
        command: Command,
        label: String,
        order: Option<usize>,
    ) {
        if command.is_suffered() {
            self.act_on(who, &command, label, order);
            return;
        }
        self.with(who, |actor, ctx| actor.obey(who, command, label, order, ctx));
    }
}
