//! What a scene asks for, for whoever checks what came of it.

use crate::character_file::CharacterFile;
use crate::{CharacterSpec, Command, Cue, GazeTarget, MovingPlatform, Occurrence, Order};
use crate::{PropForm, Scene, Waypoint};
use andante_check::{Demand, DemandedCue, DemandedDeed, DemandedOrder, DemandedPlatform};
use andante_check::{DemandedSpot, PartDemand};
use andante_formats::{ReadLimits, gate::read_bytes};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Skeleton, humanoid, humanoid_of_height};
use glam::Vec2;
use std::path::Path;

impl Scene {
    /// The world, who is in it and where they begin and end, and what they are told to do.
    pub fn demand(&self) -> Demand {
        let part = |(who, part): (usize, &CharacterSpec)| PartDemand {
            name: Some(part.name.clone()),
            height: part.height,
            skeleton: bones(part),
            drive: Some(part.nature),
            start: Some(spot(&part.start)),
            goal: self.last_goal(who),
        };
        Demand {
            ground: self.ground.clone(),
            obstacles: self.obstacles.clone(),
            conditions: self.settings.physics.conditions(),
            platforms: Some(self.moving.iter().map(platform).collect()),
            parts: self.characters.iter().enumerate().map(part).collect(),
            orders: Some(self.orders.iter().map(|order| self.told(order)).collect()),
        }
    }

    fn told(&self, order: &Order) -> DemandedOrder {
        let name = |who: usize| self.characters.get(who).map(|part| part.name.as_str());
        let cue = match &order.cue {
            Cue::Next => DemandedCue::Next,
            Cue::At(time) => DemandedCue::At(*time),
            Cue::After(others) => DemandedCue::After(others.clone()),
            Cue::When(Occurrence::Arrived(who)) => DemandedCue::Arrived(*who),
            Cue::When(Occurrence::Blocked(who)) => DemandedCue::Blocked(*who),
            Cue::When(Occurrence::Near { who, whom, within }) => {
                DemandedCue::Near([*who, *whom], *within)
            }
        };
        let words = order.label(order.command.words(|whom| name(whom.number())));
        DemandedOrder { who: order.who, words, cue, deed: deed(&order.command) }
    }

    /// Where somebody is sent last; none if something else comes after it that leads elsewhere.
    pub(crate) fn last_goal(&self, who: usize) -> Option<DemandedSpot> {
        let own = self.orders.iter().rev().filter(|order| order.who == who);
        let mut turned = false;
        for order in own {
            match &order.command {
                Command::WalkTo(post) | Command::RunTo(post) => {
                    let spot = spot(post);
                    let heading = spot.heading.filter(|_| !turned);
                    return Some(DemandedSpot { heading, ..spot });
                }
                Command::Path(posts) => return posts.last().map(spot),
                Command::Wait(_) | Command::LookAt(_) | Command::Speed(_) => {}
                Command::Push(_) | Command::Throw(_) => {}
                Command::Face(_) => turned = true,
                _ => return None,
            }
        }
        None
    }
}

fn spot(post: &Waypoint) -> DemandedSpot {
    DemandedSpot { place: post.place, height: post.height, heading: post.heading }
}

fn platform(own: &MovingPlatform) -> DemandedPlatform {
    DemandedPlatform {
        name: own.name.clone(),
        size: own.size,
        stops: own.stops.clone(),
        speed: own.speed,
        acceleration: own.acceleration,
        wait: own.wait,
        round: own.round,
    }
}

/// The bones of the body that a part asks for, if they are to be had.
fn bones(part: &CharacterSpec) -> Option<Skeleton> {
    let limits = ReadLimits::default();
    let path = Path::new(&part.character);
    if let Some(path) = &part.repertoire {
        let own = Repertoire::from_bytes(&read_bytes(path, &limits).ok()?).ok()?;
        return Some(own.character().skeleton.clone());
    }
    if path.extension().is_some() {
        let file = CharacterFile::read(path, part.height, &limits).ok()?;
        return Some(file.character.skeleton);
    }
    let is_built_in = part.character == "humanoid";
    is_built_in.then(|| part.height.map_or_else(humanoid, humanoid_of_height).skeleton)
}

fn deed(command: &Command) -> DemandedDeed {
    let spots = |posts: &[Waypoint]| posts.iter().map(spot).collect();
    match command {
        Command::WalkTo(post) | Command::RunTo(post) => DemandedDeed::Go(spot(post)),
        Command::Path(posts) => DemandedDeed::Along(spots(posts)),
        Command::Patrol(posts) => DemandedDeed::Round(spots(posts)),
        Command::Jump { from, to } => DemandedDeed::Leap([*from, *to]),
        Command::Face(GazeTarget::Heading(heading)) => DemandedDeed::Face(*heading),
        Command::Face(GazeTarget::Point(at)) => DemandedDeed::FacePoint(Vec2::new(at.x, at.z)),
        Command::Face(GazeTarget::Character(whom)) => DemandedDeed::FaceCharacter(whom.number()),
        Command::Wait(seconds) => DemandedDeed::Stand(*seconds),
        Command::Stop => DemandedDeed::Stop,
        Command::Follow { whom, distance } => DemandedDeed::Follow(whom.number(), *distance),
        Command::Footprints(prints) => {
            let prints = prints.iter().map(|print| (print.foot, print.place));
            DemandedDeed::Step(prints.collect())
        }
        Command::Push(push) => DemandedDeed::Push(push.impulse),
        Command::Throw(throw) => DemandedDeed::Throw {
            size: match throw.form {
                PropForm::Ball { radius } => 2.0 * radius as f32,
                PropForm::Cube { side } => side as f32,
            },
            from: throw.from,
            speed: throw.speed,
        },
        Command::Fall => DemandedDeed::Fall,
        Command::GetUp => DemandedDeed::GetUp,
        Command::LookAt(_) | Command::Speed(_) => DemandedDeed::Heed,
    }
}
