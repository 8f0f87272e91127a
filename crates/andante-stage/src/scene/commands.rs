//! Reading what characters are told to do.

use super::read::{Problem, long, near, refused, waypoint};
use super::schema::{GivenPlace, SceneFile, WaypointTable};
use super::{GroundPatch, STEP, Scene, Waypoint};
use crate::live::covers;
use crate::physical::{SimulationGround, Site, Solids};
use crate::{
    BodyDrive, Command, CommandError, Cue, GazeTarget, MovingPlatform, Occurrence, Order, PropForm,
    PushOrder, SceneGround, ThrowOrder,
};
use andante_body::Prop;
use andante_plan::steps::PlacedFootprints;
use andante_skeleton::Planar;
use andante_world::{Ground, Obstacle};
use glam::{Vec2, Vec3, Vec3Swizzles};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// How far to stay behind somebody who is followed, in metres.
const BEHIND: f32 = 1.5;

/// How close is near, in metres.
const NEAR: f32 = 2.0;

/// The longest that anything may last, in seconds.
pub(crate) const LONGEST: f32 = 86_400.0;

/// The fastest anything is thrown, in m/s.
const MOST_THROWN: f32 = 60.0;

/// The fastest anybody is asked to go, in m/s.
const FASTEST: f32 = 12.0;

/// An obstacle that begins above this is ducked under or passed, in metres over the ground; one that ends less than a step
/// above it is stepped on.
const DUCKED: f32 = 1.0;

/// Stands for all characters.
const EVERYONE: &str = "everyone";

/// The table of a command: its keys that say what to do, what they hold, and how that is read.
macro_rules! command_table {
    ($($(#[$about:meta])* $key:ident: $value:ty => $read:expr;)*) => {
        /// What somebody is to do, by exactly one key, and when.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct CommandTable {
            name: Option<Spanned<String>>,
            who: Spanned<Names>,
            at: Option<f32>,
            after: Option<Spanned<Names>>,
            when: Option<Spanned<When>>,
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
    walk_to: PlaceValue => |own, to, span| own.place(to, span).map(Command::WalkTo);
    run_to: PlaceValue => |own, to, span| own.place(to, span).map(Command::RunTo);
    jump: LeapTable => Script::jump;
    face: TargetValue => |own, target, span| own.target(target, span).map(Command::Face);
    wait: f32 => |_, &seconds, span| lasting("wait", seconds, span).map(Command::Wait);
    stop: bool => |_, &said, span| simply("stop", said, Command::Stop, span);
    follow: String => |own, name, span| {
        Ok(Command::Follow { whom: own.number(name, span)?.into(), distance: BEHIND })
    };
    patrol: Vec<PlaceValue> => |own, given, span| own.patrol(given, span);
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

/// One name or several.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a name or a list of names")]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    fn all(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// `[x, z]` or `[x, y, z]`, or a post.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a place `[x, z]` or `[x, y, z]`, or `{ at = [x, z], heading = degrees }`"
)]
enum PlaceValue {
    At(GivenPlace),
    Post(WaypointTable),
}

/// A heading in degrees, a place, a point, or somebody's name.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a heading in degrees, a place `[x, z]`, a point `[x, y, z]` or a name"
)]
enum TargetValue {
    Heading(f32),
    Place([f32; 2]),
    Point([f32; 3]),
    Name(String),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a speed in m/s, or \"usual\"")]
enum Speed {
    Of(f32),
    Word(String),
}

/// One of the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct When {
    arrived: Option<String>,
    blocked: Option<String>,
    near: Option<[String; 2]>,
    /// How close is near, in metres.
    within: Option<f32>,
}

/// Puts the orders of a file into its scene, and the last place everybody is sent to into their parts.
pub(super) fn read(file: &SceneFile, scene: &mut Scene) -> Result<(), Problem> {
    let script = Script::new(file, scene)?;
    let mut orders: Vec<Order> = Vec::new();
    let mut starts = Vec::with_capacity(file.character.len());
    for (who, entry) in file.character.iter().enumerate() {
        let start = scene.characters[who].start;
        let span = entry.get_ref().start.span();
        let start = script.on_ground(start, &span)?;
        script.ground_of(&start, &span)?;
        starts.push(start);
        if let Some(goal) = &entry.get_ref().goal {
            let span = goal.span();
            let goal = script.standing(waypoint(goal.get_ref(), &span)?, &span)?;
            let command = if scene.characters[who].run { Command::RunTo } else { Command::WalkTo };
            orders.push(Order { name: None, who, cue: Cue::Next, command: command(goal) });
        }
    }
    let numbers = script.orders(file, orders.len())?;
    for entry in &file.command {
        let (span, given) = (entry.span(), entry.get_ref());
        let command = script.command(given, &span)?;
        let cue = script.cue(given, &span, &numbers)?;
        for who in script.names(&given.who)? {
            if matches!(command, Command::Follow { whom, .. } if whom == who.into()) {
                return refused(&span, "nobody can follow themselves");
            }
            let part = &scene.characters[who];
            if command.is_suffered() && part.nature == BodyDrive::Kinematic {
                let message = format!(
                    "`{}` is kinematic and feels nothing; `body = \"physical_when_touched\"` changes that",
                    part.name
                );
                return refused(&span, message);
            }
            let name = given.name.as_ref().map(|name| name.get_ref().clone());
            orders.push(Order { name, who, cue: cue.clone(), command: command.clone() });
        }
    }
    refuse_circles(file, &orders)?;
    for (part, start) in scene.characters.iter_mut().zip(starts) {
        if part.goal == part.start {
            part.goal = start;
        }
        part.start = start;
    }
    for order in &orders {
        if let Some(goal) = order.command.leads_to() {
            scene.characters[order.who].goal = goal;
        }
    }
    scene.orders = orders;
    Ok(())
}

/// The orders that each name stands for.
type Numbers = HashMap<String, Vec<usize>>;

/// What a script is about: a scene, and everybody's number by name.
struct Script<'a> {
    scene: &'a Scene,
    /// The ground, and platforms that move where they begin.
    ground: Vec<GroundPatch>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Script<'a> {
    fn new(file: &SceneFile, scene: &'a Scene) -> Result<Self, Problem> {
        let mut numbers = HashMap::new();
        for (number, (part, entry)) in scene.characters.iter().zip(&file.character).enumerate() {
            let name = part.name.as_str();
            if numbers.insert(name, number).is_some() {
                let message = "nobody could tell them apart";
                return refused(
                    &entry.span(),
                    format!("two characters are called `{name}`: {message}"),
                );
            }
        }
        let decks = scene.moving.iter().map(MovingPlatform::deck);
        let ground = scene.ground.iter().cloned().chain(decks).collect();
        Ok(Self { scene, ground, numbers })
    }

    fn number(&self, name: &str, span: &Range<usize>) -> Result<usize, Problem> {
        self.numbers.get(name).copied().map_or_else(
            || {
                let mut names: Vec<&str> = self.numbers.keys().copied().collect();
                names.sort_unstable();
                let there = if names.is_empty() { "nobody".into() } else { names.join(", ") };
                refused(span, format!("there is no character `{name}`; there is {there}"))
            },
            Ok,
        )
    }

    fn names(&self, names: &Spanned<Names>) -> Result<Vec<usize>, Problem> {
        match names.get_ref() {
            Names::One(name) if name == EVERYONE && !self.numbers.contains_key(EVERYONE) => {
                let mut all: Vec<usize> = self.numbers.values().copied().collect();
                all.sort_unstable();
                Ok(all)
            }
            given => given.all().iter().map(|name| self.number(name, &names.span())).collect(),
        }
    }

    /// The orders of a file by name; so many come before.
    fn orders(&self, file: &SceneFile, mut next: usize) -> Result<Numbers, Problem> {
        let mut numbers = Numbers::new();
        for entry in &file.command {
            let given = entry.get_ref();
            let count = self.names(&given.who)?.len();
            if let Some(name) = &given.name {
                let own = (next..next + count).collect();
                if numbers.insert(name.get_ref().clone(), own).is_some() {
                    let message = format!("two commands are named `{}`", name.get_ref());
                    return refused(&name.span(), message);
                }
            }
            next += count;
        }
        Ok(numbers)
    }

    /// Exactly one of the keys that say what to do.
    fn command(&self, given: &CommandTable, span: &Range<usize>) -> Result<Command, Problem> {
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

    fn patrol(&self, given: &[PlaceValue], span: &Range<usize>) -> Result<Command, Problem> {
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
        let slowest = self.scene.settings.steering.set_off_above;
        match given {
            Speed::Of(speed) if *speed > slowest && *speed <= FASTEST => {
                Ok(Command::Speed(Some(*speed)))
            }
            Speed::Of(other) => refused(
                span,
                format!("speed is {other}; it is above {slowest} and at most {FASTEST} m/s"),
            ),
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

    /// A place as it was given.
    fn post(
        &self,
        what: &str,
        given: &GivenPlace,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let place = Vec2::from(near(what, given.place, span)?);
        near(what, [given.height.unwrap_or(0.0)], span)?;
        Ok(Waypoint { place, height: given.height, heading: None })
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

    fn target(&self, target: &TargetValue, span: &Range<usize>) -> Result<GazeTarget, Problem> {
        Ok(match target {
            TargetValue::Heading(degrees) => {
                let [degrees] = near("heading", [*degrees], span)?;
                GazeTarget::Heading(degrees.to_radians())
            }
            TargetValue::Place(place) => {
                let [x, z] = near("place", *place, span)?;
                GazeTarget::Point(Vec3::new(x, 1.5, z))
            }
            TargetValue::Point(point) => GazeTarget::Point(near("point", *point, span)?.into()),
            TargetValue::Name(name) => GazeTarget::Character(self.number(name, span)?.into()),
        })
    }

    fn place(&self, place: &PlaceValue, span: &Range<usize>) -> Result<Waypoint, Problem> {
        let given = match place {
            PlaceValue::At(at) => self.post("place", at, span)?,
            PlaceValue::Post(given) => waypoint(given, span)?,
        };
        self.standing(given, span)
    }

    /// Refuses goals where nobody can stand, whatever their size.
    fn standing(&self, goal: Waypoint, span: &Range<usize>) -> Result<Waypoint, Problem> {
        let goal = self.on_ground(goal, span)?;
        let (scene, at) = (self.scene, goal.place);
        let ground = self.ground_of(&goal, span)?;
        let inside = |obstacle: &&Obstacle| {
            let stands = obstacle.bottom() - ground < DUCKED && obstacle.top() - ground > STEP;
            stands && covers(&obstacle.footprint(), at, at, 0.0)
        };
        match scene.obstacles.iter().find(inside) {
            Some(obstacle) => {
                refused(span, format!("[{}, {}] is inside `{}`", at.x, at.y, obstacle.name))
            }
            None => Ok(goal),
        }
    }

    /// The height of a place that is on the ground; there is no standing elsewhere.
    fn ground_of(&self, post: &Waypoint, span: &Range<usize>) -> Result<f32, Problem> {
        let below = || self.below(post.place.extend(1e6).xzy(), f32::INFINITY);
        let none = || (span.clone(), CommandError::NoGround(post.place).to_string());
        post.height.or_else(below).ok_or_else(none)
    }

    /// The post at the height of its ground.
    fn on_ground(&self, post: Waypoint, span: &Range<usize>) -> Result<Waypoint, Problem> {
        let settled = post.on_ground(|from, depth| self.below(from, depth));
        settled.map_err(|error| (span.clone(), error.to_string()))
    }

    /// The ground below a point to some depth; platforms that move are where they begin.
    fn below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.ground.iter().filter_map(|patch| patch.height_below(from, depth)).reduce(f32::max)
    }

    fn cue(
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
                let within = long("within", given.within.unwrap_or(NEAR), span)?;
                Ok(Occurrence::Near { who, whom, within })
            }
            _ => refused(span, "`when` has one of arrived, blocked, near"),
        }
    }
}

/// Refuses times that nobody waits for.
fn lasting(what: &str, seconds: f32, span: &Range<usize>) -> Result<f32, Problem> {
    if (0.0..=LONGEST).contains(&seconds) {
        return Ok(seconds);
    }
    refused(span, format!("{what} is {seconds}; it is 0 to {LONGEST} s"))
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

/// Orders that wait for each other would wait for ever.
fn refuse_circles(file: &SceneFile, orders: &[Order]) -> Result<(), Problem> {
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

#[cfg(test)]
mod tests {
    use crate::{Command, Cue, GazeTarget, Occurrence, read_scene};

    const SCRIPT: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
[[obstacle]]
name = "crate"
at = [4, 0, 4]
box = [1, 2, 1]
[[character]]
name = "ann"
start = { at = [1, 1] }
goal = { at = [7, 7], heading = 90 }
run = false
[[character]]
name = "ben"
start = { at = [7, 1] }
[[command]]
name = "greet"
who = "ben"
when = { near = ["ann", "ben"], within = 3 }
face = "ann"
[[command]]
name = "go"
who = "ben"
after = "greet"
walk_to = [1, 7]
[[command]]
who = "everyone"
at = 20
stop = true
"#;

    fn refused(from: &str, to: &str) -> String {
        assert!(SCRIPT.contains(from), "{from}");
        read_scene(&SCRIPT.replace(from, to)).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn commands_are_given_to_whom_they_name_when_they_say() {
        let scene = read_scene(SCRIPT).unwrap();
        let orders = &scene.orders;
        assert_eq!(orders.len(), 5);
        assert!(matches!(orders[0].command, Command::WalkTo(_)) && orders[0].cue == Cue::Next);
        assert_eq!(orders[1].command, Command::Face(GazeTarget::Character(0.into())));
        let near = Occurrence::Near { who: 0, whom: 1, within: 3.0 };
        assert_eq!(orders[1].cue, Cue::When(near));
        assert_eq!(orders[2].cue, Cue::After(vec![1]));
        assert_eq!((orders[3].who, orders[4].who), (0, 1));
        assert_eq!(orders[4].cue, Cue::At(20.0));
        assert_eq!(scene.characters[1].goal.place, glam::vec2(1.0, 7.0));
        assert_eq!(orders[2].label(orders[2].command.to_string()), "go: walk_to [1, 7]");
    }

    #[test]
    fn mistakes_in_commands_are_named_with_line_and_column() {
        for (from, to, line, says) in [
            ("who = \"ben\"\nwhen", "who = \"bob\"\nwhen", "line 19, column 7", "`bob`"),
            ("after = \"greet\"", "after = \"gret\"", "line 25, column 9", "`gret`"),
            ("after = \"greet\"", "after = \"go\"", "line 25, column 9", "circle"),
            (
                "when = { near = [\"ann\", \"ben\"], within = 3 }",
                "after = \"go\"",
                "line 20",
                "circle",
            ),
            ("walk_to = [1, 7]", "walk_to = [4, 4]", "line 26, column 11", "inside `crate`"),
            ("walk_to = [1, 7]", "walk_to = [1, 9]", "line 26, column 11", "no ground"),
            ("walk_to = [1, 7]", "walk_to = [1, 7]\nstop = true", "line 22", "one of"),
            ("walk_to = [1, 7]", "walk_to = \"there\"", "line 26, column 11", "a place"),
            ("walk_to = [1, 7]", "walk_to = { at = [1, 7], hading = 1 }", "line 26", "a place"),
            ("stop = true", "stop = false", "line 30, column 8", "says nothing"),
            ("at = 20", "at = -1", "line 27", "-1"),
            ("at = 20", "at = 20\nafter = \"go\"", "line 27", "one of them"),
            ("face = \"ann\"", "follow = \"ben\"", "line 17", "themselves"),
            ("face = \"ann\"", "wait = nan", "line 21", "NaN"),
            ("face = \"ann\"", "speed = 0", "line 21", "speed is 0"),
            ("face = \"ann\"", "speed = 0.1", "line 21", "speed is 0.1; it is above 0.35"),
            ("at = [1, 1]", "at = [40, 1]", "line 11, column 9", "ground"),
            ("face = \"ann\"", "patrol = [[1, 1]]", "line 21", "two places"),
            ("name = \"go\"", "name = \"greet\"", "line 23, column 8", "two commands"),
            ("name = \"ann\"", "name = \"ben\"", "line 14", "two characters"),
            (
                "goal = { at = [7, 7]",
                "goal = { at = [4.2, 4]",
                "line 12, column 8",
                "inside `crate`",
            ),
            ("within = 3", "within = 0", "line 20", "within"),
            ("face = \"ann\"", "push = { impulse = 9 }", "line 17", "`ben` is kinematic"),
            ("face = \"ann\"", "fall = true", "line 17", "`ben` is kinematic"),
            ("face = \"ann\"", "get_up = false", "line 21, column 10", "says nothing"),
            ("face = \"ann\"", "push = { impulse = 1e9 }", "line 21, column 8", "10000"),
            ("face = \"ann\"", "push = { impulse = nan }", "line 21", "NaN"),
            ("face = \"ann\"", "push = { impulze = 9 }", "line 21, column 10", "`impulze`"),
            ("face = \"ann\"", "push = { impulse = 9, seconds = 0 }", "line 21", "seconds"),
        ] {
            let error = refused(from, to);
            assert!(error.contains(line) && error.contains(says), "{from} -> {to}: {error}");
        }
    }

    #[test]
    fn things_that_nobody_could_throw_are_refused_by_name() {
        let throw = |what: &str| {
            let text = SCRIPT
                .replace("start = { at = [7, 1] }", "start = { at = [7, 1] }\nbody = \"physical\"");
            let text = text.replace("face = \"ann\"", &format!("throw = {{ {what} }}"));
            read_scene(&text).map(|_| ()).map_err(|error| error.to_string())
        };
        let good = "ball = 0.1, mass = 2, from = [3, 1.5, 2], speed = 9";
        assert!(throw(good).is_ok(), "{:?}", throw(good));
        for (from, to, says) in [
            ("mass = 2", "mass = 0", "ball: a mass of 0 kg"),
            ("mass = 2", "mass = inf", "ball: a mass of inf kg"),
            ("ball = 0.1", "cube = 0", "cube: a size of 0 m"),
            ("ball = 0.1", "ball = 0.1, cube = 1", "a `ball`"),
            ("[3, 1.5, 2]", "[4, 1.5, 4]", "ball is inside"),
            ("[3, 1.5, 2]", "[3, -1, 2]", "ball is inside"),
            ("speed = 9", "speed = -1", "speed is -1"),
            ("speed = 9", "sped = 9", "`sped`"),
        ] {
            assert!(good.contains(from));
            let error = throw(&good.replace(from, to)).unwrap_err();
            assert!(error.contains("line 22, column") && error.contains(says), "{to}: {error}");
        }
        let error = read_scene(&SCRIPT.replace("run = false", "run = false\nbody = \"jelly\""));
        let error = error.map(|_| ()).unwrap_err().to_string();
        assert!(
            error.contains("line 14, column 8") && error.contains("physical_when_touched"),
            "{error}"
        );
    }

    #[test]
    fn a_command_to_wait_for_itself_through_the_order_of_the_file_is_a_circle() {
        let text = SCRIPT
            .replace("who = \"everyone\"\nat = 20", "name = \"last\"\nwho = \"ben\"")
            .replace("when = { near = [\"ann\", \"ben\"], within = 3 }", "after = \"last\"");
        let error = read_scene(&text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("circle"), "{error}");
    }
}
