//! Nobody gets into another or into a wall, whatever moves them.

use super::Stage;
use super::note::StepNote;
use crate::SeparationSettings;
use crate::live::actor::Actor;
use crate::live::floor::walls_at;
use andante_plan::route::Walls;
use glam::Vec2;

/// How far anybody gets in a step, and how far hips are shown from the disc that leads them, at most, in metres.
const REACH: f32 = 1.0;

/// How much somebody is slowed in a step.
struct Brake {
    /// Share of what it would have moved.
    rate: f32,
    /// How far its disc would move, and how far its hips are shown to.
    moves: Vec2,
    sways: Vec2,
    dt: f32,
    settings: SeparationSettings,
}

impl Brake {
    /// Slows what moves towards something that is so far away.
    fn limit(&mut self, moves: Vec2, towards: Vec2, gap: f32) {
        let closing = moves.dot(towards.normalize_or_zero());
        let gap = gap.max(0.0);
        let most = ((self.settings.braking * gap).sqrt() * self.dt).min(0.3 * gap);
        if closing > most {
            self.rate = self.rate.min(most / closing);
        }
    }

    fn mind_walls(&mut self, walls: &Walls, hips: Vec2, in_passage: bool) {
        let (moves, settings) = (self.moves, self.settings);
        // Whoever comes fast is slowed sooner.
        let fast = moves.length() / self.dt.max(1e-6);
        let soon = settings.soon.max(0.6 * fast * fast / settings.hardest);
        for (at, reach) in walls.around(hips, soon) {
            let pressed = if in_passage { settings.pressed } else { 0.0 };
            let (towards, gap) = (at - hips, at.distance(hips) - reach + pressed);
            self.limit(moves, towards, gap);
            self.limit(self.sways, towards, gap);
            // Arms and legs swing farther than that; whoever has the room leaves it to them.
            let aims = moves.dot(towards) > settings.askance * moves.length() * towards.length();
            if aims && !in_passage {
                self.limit(moves, towards, gap - settings.swinging);
            }
        }
    }
}

/// Share of the time that passes for somebody who would be slowed to a rate, and was to another before.
fn passing(actor: &Actor, is_moved: bool, [rate, before]: [f32; 2], airborne: f32) -> f32 {
    if is_moved && actor.may_wait() {
        rate
    } else if actor.flies() {
        // Those in the air are to come down.
        rate.max(airborne).min(before)
    } else {
        1.0
    }
}

impl Stage {
    /// Slows those who would come too close to somebody or to a wall in this step, whatever moves them, and stops them
    /// in the end.
    pub(super) fn keep_apart(&mut self, dt: f32) {
        let Self { actors, kinds, notes, seen, neighbours, world, decks, gates, .. } = self;
        for who in 0..notes.len() {
            let note = notes[who];
            if note.gone {
                continue;
            }
            let kind = &kinds[note.kind].1;
            let settings = kind.settings.separation;
            let StepNote { place, moves, sways, rate: before, .. } = note;
            // Forces do not wait.
            let rests = moves.length_squared().max(sways.length_squared()) < 1e-12;
            if note.is_physical || rests {
                actors[who].body.pass_at(1.0, before);
                continue;
            }
            let mut brake = Brake { rate: 1.0, moves, sways, dt, settings };
            // Shown hips sway, and those before it have moved already.
            let reach = settings.soon + seen[who].radius + neighbours.largest + REACH;
            neighbours.each_within(seen[who].place, reach, |other| {
                if other == who {
                    return;
                }
                // What is shown sways about the disc it is led by: neither may come too close.
                let led = (moves, notes[other].place - place, settings.allowed);
                let between = seen[other].hips - seen[who].hips;
                let leaves = moves.dot(between) <= 0.0;
                let shown =
                    (sways, between, if leaves { settings.allowed } else { -settings.swaying });
                for (moves, between, allowed) in [led, shown] {
                    let gap = between.length() - seen[who].radius - seen[other].radius;
                    let aims =
                        moves.dot(between) > settings.grazing * moves.length() * between.length();
                    if gap < settings.soon && aims {
                        brake.limit(moves, between, gap + allowed);
                    }
                }
            });
            let world = decks.world_mut(world, note.deck);
            if world.is_level()
                && note.minds_walls
                && let Ok(network) = world.network_around(note.kind, kind, place)
                && let Some(walls) = walls_at(&network, place, note.floor)
            {
                brake.mind_walls(walls, note.hips, gates.is_near(place));
            }
            // However suddenly something is there or gone, nobody is stopped as by a wall or flung ahead.
            let change = settings.hardest * dt * dt / moves.length().max(1e-6);
            let mut rate = brake.rate.clamp(before - change, (before + change).min(1.0));
            let mut is_moved = note.is_moved;
            if rate < settings.stops && is_moved && actors[who].halt() {
                (rate, is_moved) = (0.0, actors[who].body.is_moved());
            }
            // Who is not held back, and was not, needs not be asked whether it may be.
            let passes = if (rate, before) == (1.0, 1.0) {
                1.0
            } else {
                passing(&actors[who], is_moved, [rate, before], settings.airborne)
            };
            actors[who].body.pass_at(passes, before);
            notes[who].place = place + rate * moves;
        }
    }

    /// Lets discs that would have come to lie too deep within another slide along it, or else stay where they were.
    pub(super) fn hold(&mut self) {
        let Self { actors, kinds, notes, seen, neighbours, places, .. } = self;
        places.clear();
        places.extend(seen.iter().map(|seen| seen.place));
        for (who, note) in notes.iter().enumerate() {
            let settings = kinds[note.kind].1.settings.separation;
            let (before, mut after) = (places[who], note.place);
            let too_deep = |after: Vec2| {
                let mut first = None;
                let near = seen[who].radius + neighbours.largest + REACH;
                neighbours.each_within(after, near, |other| {
                    let reach = seen[who].radius + seen[other].radius - settings.allowed;
                    let apart = after.distance(places[other]);
                    let deep = apart < reach && apart < before.distance(places[other]) - 1e-5;
                    if other != who && deep && first.is_none_or(|first| other < first) {
                        first = Some(other);
                    }
                });
                first
            };
            if !(note.gone || note.is_bound)
                && let Some(other) = too_deep(after)
            {
                let reach = seen[who].radius + seen[other].radius - settings.allowed;
                let reach = reach.min(before.distance(places[other]));
                after = places[other] + (after - places[other]).normalize_or_zero() * reach;
                if too_deep(after).is_some() {
                    after = before;
                }
                actors[who].body.disc.place.position = after;
            }
            places[who] = after;
        }
    }
}
