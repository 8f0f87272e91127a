//! When orders are due.

use super::{OrderState, Stage};
use crate::{Command, Cue, EventKind, Occurrence};

/// Gives the orders that are due.
pub(super) fn cue(stage: &mut Stage) {
    for index in 0..stage.orders.len() {
        if is_due(stage, index) {
            stage.states[index] = OrderState::Begun;
            let order = &stage.orders[index];
            let (who, command) = (order.who, order.command.clone());
            let label = order.label(words(stage, &command));
            give(stage, who, command, label, Some(index));
            for order in stage.ended.drain(..) {
                stage.states[order] = OrderState::Ended;
            }
        }
    }
}

/// A command in words, with the name of whom it is about.
pub(super) fn words(stage: &Stage, command: &Command) -> String {
    command.words(|whom| stage.actor(whom).ok().map(|actor| actor.name()))
}

pub(super) fn is_due(stage: &Stage, index: usize) -> bool {
    if stage.states[index] != OrderState::Waiting {
        return false;
    }
    let order = &stage.orders[index];
    let before = stage.orders[..index].iter().rposition(|other| other.who == order.who);
    match &order.cue {
        Cue::Next => before.is_none_or(|before| stage.states[before] == OrderState::Ended),
        Cue::At(time) => stage.time + 1e-6 >= f64::from(*time),
        Cue::After(others) => others.iter().all(|&other| stage.states[other] == OrderState::Ended),
        Cue::When(happening) => {
            let begun = before.is_none_or(|before| stage.states[before] != OrderState::Waiting);
            begun && happens(stage, happening)
        }
    }
}

fn happens(stage: &Stage, happening: &Occurrence) -> bool {
    // Whoever has taken the place of another is not meant.
    let there = |who: usize| stage.actor(who).ok();
    let told = |who: usize, kind: EventKind| {
        there(who).is_some()
            && stage.events.iter().any(|event| event.track == Some(who) && event.kind == kind)
    };
    match *happening {
        Occurrence::Arrived(who) => told(who, EventKind::Arrived),
        Occurrence::Blocked(who) => told(who, EventKind::Blocked),
        Occurrence::Near { who, whom, within } => match (there(who), there(whom)) {
            (Some(a), Some(b)) => {
                a.disc().place.position.distance(b.disc().place.position) <= within
            }
            _ => false,
        },
    }
}

pub(super) fn give(
    stage: &mut Stage,
    who: usize,
    command: Command,
    label: String,
    order: Option<usize>,
) {
    if command.is_suffered() {
        stage.act_on(who, &command, label, order);
        return;
    }
    stage.with(who, |own| own.obey(command, label, order));
}
