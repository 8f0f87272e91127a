//! Nobody gets into another or into a wall, whatever moves them.

use super::Stage;
use crate::live::floor::walls_at;
use glam::Vec2;
use std::sync::Arc;

impl Stage {
    /// Slows those who would come too close to somebody or to a wall in this step, whatever moves them, and stops them
    /// in the end.
    pub(super) fn keep_apart(&mut self, dt: f32) {
        let Self { actors, seen, places, world, decks, gates, .. } = self;
        places.clear();
        places.extend(actors.iter().map(|actor| actor.body.disc.place.position));
        for (who, actor) in actors.iter_mut().enumerate() {
            if actor.gone {
                continue;
            }
            let settings = actor.settings().separation;
            actor.body.rate = 1.0;
            // Forces do not wait.
            if actor.body.is_physical() {
                continue;
            }
            let place = places[who];
            let (moves, sways) = (actor.body.would_move(dt), actor.body.drift * dt);
            if moves.length_squared().max(sways.length_squared()) < 1e-12 {
                continue;
            }
            let mut rate = 1.0f32;
            let mut limit = |moves: Vec2, towards: Vec2, gap: f32| {
                let closing = moves.dot(towards.normalize_or_zero());
                let most = ((settings.braking * gap.max(0.0)).sqrt() * dt).min(0.3 * gap.max(0.0));
                if closing > most {
                    rate = rate.min(most / closing);
                }
            };
            for other in (0..seen.len()).filter(|&other| other != who && seen[other].present) {
                // What is shown sways about the disc it is led by: neither may come too close.
                let led = (moves, places[other] - place, settings.allowed);
                let between = seen[other].hips - seen[who].hips;
                let leaves = moves.dot(between) <= 0.0;
                let shown =
                    (sways, between, if leaves { settings.allowed } else { -settings.swaying });
                for (moves, between, allowed) in [led, shown] {
                    let gap = between.length() - seen[who].radius - seen[other].radius;
                    let aims =
                        moves.dot(between) > settings.grazing * moves.length() * between.length();
                    if gap < settings.soon && aims {
                        limit(moves, between, gap + allowed);
                    }
                }
            }
            let world = decks.world_mut(world, actor.deck());
            if world.is_level()
                && actor.minds_walls()
                && let Ok(network) = world.network(actor.kind, &Arc::clone(actor.shared()), false)
                && let Some(walls) = walls_at(&network, place)
            {
                let hips = actor.body.hips().position;
                let in_passage = gates.is_near(place);
                for (at, reach) in walls.around(hips, settings.soon) {
                    let pressed = if in_passage { settings.pressed } else { 0.0 };
                    let (towards, gap) = (at - hips, at.distance(hips) - reach + pressed);
                    limit(moves, towards, gap);
                    limit(sways, towards, gap);
                    // Arms and legs swing farther than that; whoever has the room leaves it to them.
                    let aims =
                        moves.dot(towards) > settings.askance * moves.length() * towards.length();
                    if aims && !in_passage {
                        limit(moves, towards, gap - settings.swinging);
                    }
                }
            }
            if rate < settings.stops && actor.body.is_moved() && actor.halt() {
                rate = 0.0;
            }
            if actor.body.is_moved() && actor.may_wait() {
                actor.body.rate = rate;
            }
            places[who] = place + rate * moves;
        }
    }

    /// Lets discs that would have come to lie too deep within another slide along it, or else stay where they were.
    pub(super) fn hold(&mut self) {
        let Self { actors, seen, places, .. } = self;
        places.clear();
        places.extend(seen.iter().map(|seen| seen.place));
        for (who, actor) in actors.iter_mut().enumerate() {
            let settings = actor.settings().separation;
            let (before, mut after) = (places[who], actor.body.disc.place.position);
            let too_deep = |after: Vec2| {
                (0..seen.len()).find(|&other| {
                    let reach = seen[who].radius + seen[other].radius - settings.allowed;
                    let apart = after.distance(places[other]);
                    other != who
                        && seen[other].present
                        && apart < reach
                        && apart < before.distance(places[other]) - 1e-5
                })
            };
            if !(actor.gone || actor.is_bound())
                && let Some(other) = too_deep(after)
            {
                let reach = seen[who].radius + seen[other].radius - settings.allowed;
                let reach = reach.min(before.distance(places[other]));
                after = places[other] + (after - places[other]).normalize_or_zero() * reach;
                if too_deep(after).is_some() {
                    after = before;
                }
                actor.body.disc.place.position = after;
            }
            places[who] = after;
        }
    }
}
