//! What characters are told to do: one key for each command, and how it is read.

use super::Waypoint;
use super::cues::{When, lasting};
use super::read::{Problem, long, near, refused};
use super::schema::GivenPlace;
use super::schema::WaypointTable;
use super::script::{Names, Script, TargetValue};
use crate::physical::{SimulationGround, Site, Solids};
use crate::{Command, PropForm, PushOrder, SceneGround, ThrowOrder};
use andante_body::Prop;
use andante_plan::steps::PlacedFootprints;
use andante_skeleton::Planar;
use andante_world::Ground;
use glam::{Vec2, Vec3, Vec3Swizzles};
use serde::Deserialize;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// The fastest anything is thrown, in m/s.
const MOST_THROWN: f32 = 60.0;

/// The table of a command: its keys that say what to do, what they hold, and how that is read.
macro_rules! command_table {
    ($($(#[$about:meta])* $key:ident: $value:ty => $read:expr;)*) => {
        /// What somebody is to do, by exactly one key, and when.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct CommandTable {
            pub name: Option<Spanned<String>>,
            pub who: Spanned<Names>,
            pub at: Option<f32>,
            pub after: Option<Spanned<Names>>,
            pub when: Option<Spanned<When>>,
            /// How far to stay behind somebody who is followed.
            distance: Option<f32>,
            $($(#[$about])* $key: Option<Spanned<$value>>,)*
        }

        impl<'a> Script<'a> {
            /// What is said by the keys there are.
            fn said(&self, given: &CommandTable) -> Result<Vec<Command>, Problem> {
                let mut said = Vec::new();
                $(if let Some(given) = &given.$key {
                    let read: fn(&Script<'a>, &$value, &Range<usize>) -> Result<Command, Problem> = $read;
                    said.push(read(self, given.get_ref(), &given.span())?);
                })*
                Ok(said)
            }
        }

        const KEYS: &[&str] = &[$(stringify!($key)),*];
    };
}

command_table! {
    walk_to: WaypointTable => |own, to, span| own.place(to, span).map(Command::WalkTo);
    run_to: WaypointTable => |own, to, span| own.place(to, span).map(Command::RunTo);
    jump: LeapTable => Script::jump;
    face: TargetValue => |own, target, span| own.target(target, span).map(Command::Face);
    wait: f32 => |_, &seconds, span| lasting("wait", seconds, span).map(Command::Wait);
    stop: bool => |_, &said, span| simply("stop", said, Command::Stop, span);
    follow: String => |own, name, span| {
        let distance = own.scene.settings.behavior.follow_distance;
        Ok(Command::Follow { whom: own.number(name, span)?.into(), distance })
    };
    patrol: Vec<WaypointTable> => |own, given, span| own.patrol(given, span);
    look_at: TargetValue => Script::look_at;
    speed: Speed => Script::speed;
    path: Vec<GivenPlace> => |own, given, span| own.path(given, span);
    /// `[x, z, heading, "left"]` each.
    footprints: Vec<GivenFootprint> => |own, given, span| own.footprints(given, span);
    push: PushTable => Script::push;
    throw: ThrowTable => Script::throw;
    fall: bool => |_, &said, span| simply("fall", said, Command::Fall, span);
    get_up: bool => |_, &said, span| simply("get_up", said, Command::GetUp, span);
}

/// A footprint: x, z, heading in degrees, and the foot.
type GivenFootprint = (f32, f32, f32, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeapTable {
    from: GivenPlace,
    to: GivenPlace,
}

/// A shove: where it pushes to, as a heading, and how high it lands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PushTable {
    /// N·s.
    impulse: f32,
    #[serde(default)]
    direction: f32,
    height: Option<f32>,
    seconds: Option<f32>,
    bone: Option<String>,
}

/// A `ball` of a radius or a `cube` of a side.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThrowTable {
    ball: Option<f32>,
    cube: Option<f32>,
    mass: f32,
    from: [f32; 3],
    speed: f32,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a speed in m/s, or \"usual\"")]
enum Speed {
    Of(f32),
    Word(String),
}

impl Script<'_> {
    /// Exactly one of the keys that say what to do.
    pub(super) fn command(
        &self,
        given: &CommandTable,
        span: &Range<usize>,
    ) -> Result<Command, Problem> {
        let mut said = self.said(given)?;
        let (Some(mut command), true) = (said.pop(), said.is_empty()) else {
            return refused(span, format!("a command has one of {}", KEYS.join(", ")));
        };
        match (&mut command, given.distance) {
            (Command::Follow { distance, .. }, Some(far)) => {
                *distance = long("distance", far, span)?
            }
            (_, Some(_)) => return refused(span, "`distance` goes with `follow`"),
            (_, None) => {}
        }
        Ok(command)
    }

    fn jump(&self, given: &LeapTable, span: &Range<usize>) -> Result<Command, Problem> {
        let end = |what: &str, given: &GivenPlace| {
            let post = self.on_ground(self.post(what, given, span)?, span)?;
            let highest = self.below(post.place.extend(1e6).xzy(), f32::INFINITY);
            if post.height.is_some() && post.height != highest {
                let message = "is below other ground; jumps are on the highest ground there is";
                return refused(span, format!("{what} {message}"));
            }
            Ok(post.place)
        };
        let (from, to) = (end("from", &given.from)?, end("to", &given.to)?);
        if from.distance(to) < 0.1 {
            return refused(span, "a jump from a place to itself is none");
        }
        Ok(Command::Jump { from, to })
    }

    fn patrol(&self, given: &[WaypointTable], span: &Range<usize>) -> Result<Command, Problem> {
        if given.len() < 2 {
            return refused(span, "a patrol has at least two places");
        }
        let posts: Result<_, _> = given.iter().map(|place| self.place(place, span)).collect();
        posts.map(Command::Patrol)
    }

    fn look_at(&self, given: &TargetValue, span: &Range<usize>) -> Result<Command, Problem> {
        Ok(Command::LookAt(match given {
            TargetValue::Name(name) if name == "nothing" => None,
            target => Some(self.target(target, span)?),
        }))
    }

    fn speed(&self, given: &Speed, span: &Range<usize>) -> Result<Command, Problem> {
        let steering = &self.scene.settings.steering;
        match given {
            Speed::Of(speed) => match crate::command_error::walks(*speed, steering) {
                Ok(()) => Ok(Command::Speed(Some(*speed))),
                Err(error) => refused(span, error.to_string()),
            },
            Speed::Word(word) if word == "usual" => Ok(Command::Speed(None)),
            Speed::Word(word) => {
                refused(span, format!("`{word}` is no speed; say m/s or \"usual\""))
            }
        }
    }

    fn path(&self, given: &[GivenPlace], span: &Range<usize>) -> Result<Command, Problem> {
        let posts = given.iter().map(|at| self.on_ground(self.post("path", at, span)?, span));
        let posts: Vec<Waypoint> = posts.collect::<Result<_, _>>()?;
        match posts.last() {
            Some(&last) => self.standing(last, span).map(|_| Command::Path(posts)),
            None => refused(span, "a path has at least one place"),
        }
    }

    fn footprints(
        &self,
        given: &[GivenFootprint],
        span: &Range<usize>,
    ) -> Result<Command, Problem> {
        let print = |(x, z, heading, side): &GivenFootprint| {
            let [x, z, heading] = near("footprints", [*x, *z, *heading], span)?;
            let foot = match side.as_str() {
                "left" => 0,
                "right" => 1,
                other => {
                    return refused(span, format!("no foot is `{other}`; it is left or right"));
                }
            };
            let place = self.standing(Waypoint::at(Vec2::new(x, z)), span)?.place;
            Ok(PlacedFootprints { foot, place: Planar::new(place, heading.to_radians()) })
        };
        let prints: Vec<_> = given.iter().map(print).collect::<Result<_, _>>()?;
        if prints.is_empty() {
            return refused(span, "there is no footprint");
        }
        Ok(Command::Footprints(prints))
    }

    fn push(&self, given: &PushTable, span: &Range<usize>) -> Result<Command, Problem> {
        let shove = PushOrder {
            impulse: given.impulse,
            direction: given.direction.to_radians(),
            height: given.height,
            seconds: given.seconds.unwrap_or(0.1),
            bone: given.bone.clone(),
        };
        match shove.problem() {
            Some(problem) => refused(span, problem),
            None => Ok(Command::Push(shove)),
        }
    }

    /// Refuses what is nothing, and what would be thrown from inside of something.
    fn throw(&self, given: &ThrowTable, span: &Range<usize>) -> Result<Command, Problem> {
        let (name, form) = match (given.ball, given.cube) {
            (Some(radius), None) => ("ball", PropForm::Ball { radius: f64::from(radius) }),
            (None, Some(side)) => ("cube", PropForm::Cube { side: f64::from(side) }),
            _ => return refused(span, "a throw is of a `ball` of a radius or a `cube` of a side"),
        };
        let (mass, speed) = (given.mass, given.speed);
        let from: Vec3 = near("from", given.from, span)?.into();
        if !(speed > 0.0 && speed <= MOST_THROWN) {
            let message = format!("speed is {speed}; it is above 0 and at most {MOST_THROWN} m/s");
            return refused(span, message);
        }
        let ground = SceneGround::new(&self.scene.ground);
        let above = ground.height_at(Vec2::new(from.x, from.z));
        if above.is_some() && ground.probe(from, f32::INFINITY).is_none() {
            return refused(span, format!("{name} is inside of the ground"));
        }
        // Where platforms are that move, is seen when it is thrown.
        let (moving, solids, obstacles) =
            (Arc::default(), Solids::default(), &self.scene.obstacles);
        let site = Site { ground: &ground, obstacles, moving: &moving, solids: &solids };
        let place = from.as_dvec3();
        let place = andante_dynamics::vec3(place.x, place.y, place.z);
        let prop = Prop::new(name, form, f64::from(mass), place);
        match prop.check(&SimulationGround::everywhere(site).at(0.0)) {
            Ok(()) => Ok(Command::Throw(ThrowOrder { form, mass, from, speed })),
            Err(error) => refused(span, error.to_string()),
        }
    }
}

/// A command without anything to add.
fn simply(
    key: &str,
    said: bool,
    command: Command,
    span: &Range<usize>,
) -> Result<Command, Problem> {
    if said {
        return Ok(command);
    }
    refused(span, format!("`{key} = false` says nothing; leave it out"))
}

#[cfg(test)]
mod tests;
