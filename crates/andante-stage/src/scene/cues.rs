//! When commands are given: at a time, after others, or when something happens.

use super::commands::CommandTable;
use super::read::{Problem, long, refused};
use super::schema::SceneFile;
use super::script::Script;
use crate::{Cue, Occurrence, Order};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;

/// The longest that anything may last, in seconds.
pub(crate) const LONGEST: f32 = 86_400.0;

/// One of the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct When {
    arrived: Option<String>,
    blocked: Option<String>,
    near: Option<[String; 2]>,
    /// How close is near, in metres.
    within: Option<f32>,
}

/// The orders that each name stands for.
pub(super) type Numbers = HashMap<String, Vec<usize>>;

impl Script<'_> {
    pub(super) fn cue(
        &self,
        given: &CommandTable,
        span: &Range<usize>,
        numbers: &Numbers,
    ) -> Result<Cue, Problem> {
        match (given.at, &given.after, &given.when) {
            (None, None, None) => Ok(Cue::Next),
            (Some(at), None, None) => lasting("at", at, span).map(Cue::At),
            (None, Some(after), None) => {
                let mut all = Vec::new();
                for name in after.get_ref().all() {
                    match numbers.get(name) {
                        Some(own) => all.extend(own),
                        None => {
                            let message = format!("there is no command named `{name}`");
                            return refused(&after.span(), message);
                        }
                    }
                }
                Ok(Cue::After(all))
            }
            (None, None, Some(when)) => {
                self.occurrence(when.get_ref(), &when.span()).map(Cue::When)
            }
            _ => refused(
                span,
                "a command begins `at` a time, `after` another or `when` something happens: one of them",
            ),
        }
    }

    fn occurrence(&self, given: &When, span: &Range<usize>) -> Result<Occurrence, Problem> {
        if given.within.is_some() && given.near.is_none() {
            return refused(span, "`within` goes with `near`");
        }
        match (&given.arrived, &given.blocked, &given.near) {
            (Some(name), None, None) => self.number(name, span).map(Occurrence::Arrived),
            (None, Some(name), None) => self.number(name, span).map(Occurrence::Blocked),
            (None, None, Some([who, whom])) => {
                let (who, whom) = (self.number(who, span)?, self.number(whom, span)?);
                if who == whom {
                    return refused(span, "everybody is always near themselves");
                }
                let within = long(
                    "within",
                    given.within.unwrap_or(self.scene.settings.behavior.meeting),
                    span,
                )?;
                Ok(Occurrence::Near { who, whom, within })
            }
            _ => refused(span, "`when` has one of arrived, blocked, near"),
        }
    }
}

/// Refuses times that nobody waits for.
pub(super) fn lasting(what: &str, seconds: f32, span: &Range<usize>) -> Result<f32, Problem> {
    if (0.0..=LONGEST).contains(&seconds) {
        return Ok(seconds);
    }
    refused(span, format!("{what} is {seconds}; it is 0 to {LONGEST} s"))
}

/// Orders that wait for each other would wait for ever.
pub(super) fn refuse_circles(file: &SceneFile, orders: &[Order]) -> Result<(), Problem> {
    // What an order waits for: those it names, or the one before it for the same character.
    let waits: Vec<Vec<usize>> = orders
        .iter()
        .enumerate()
        .map(|(index, order)| match &order.cue {
            Cue::After(others) => others.clone(),
            Cue::Next => orders[..index]
                .iter()
                .rposition(|other| other.who == order.who)
                .into_iter()
                .collect(),
            Cue::At(_) | Cue::When(_) => Vec::new(),
        })
        .collect();
    // Orders are taken away as long as one waits for nothing that is left.
    let mut left: Vec<bool> = vec![true; orders.len()];
    loop {
        let free = |index: &usize| left[*index] && waits[*index].iter().all(|&other| !left[other]);
        let found: Vec<usize> = (0..orders.len()).filter(free).collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|index| left[index] = false);
    }
    let stuck = |index: &usize| left[*index] && matches!(orders[*index].cue, Cue::After(_));
    let Some(first) = (0..orders.len()).find(stuck) else { return Ok(()) };
    let name = orders[first].name.as_deref();
    let entry = file.command.iter().find(|entry| {
        let own = entry.get_ref().name.as_ref().map(|name| name.get_ref().as_str());
        own == name && entry.get_ref().after.is_some()
    });
    let span =
        entry.and_then(|entry| entry.get_ref().after.as_ref().map(Spanned::span)).unwrap_or(0..0);
    refused(&span, "commands wait for each other in a circle")
}
