//! What a scene asks for, for whoever checks what came of it.

use crate::{BodyDrive, CharacterSpec, Command, Scene, Waypoint};
use andante_check::{Demand, DemandedSpot, PartDemand};

impl Scene {
    /// The world, and where everybody is to begin and to end.
    pub fn demand(&self) -> Demand {
        let part = |(who, part): (usize, &CharacterSpec)| PartDemand {
            name: Some(part.name.clone()),
            height: part.height,
            physical: part.nature == BodyDrive::Physical,
            start: Some(spot(&part.start)),
            goal: self.last_goal(who),
        };
        Demand {
            ground: self.ground.clone(),
            obstacles: self.obstacles.clone(),
            parts: self.characters.iter().enumerate().map(part).collect(),
        }
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
