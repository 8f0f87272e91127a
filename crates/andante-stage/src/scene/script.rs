//! Reading what characters are told to do.

use super::read::{Problem, long, near, post};
use super::schema::{self, Names, PlaceValue, SceneFile};
use super::{GroundPatch, Scene, Waypoint};
use crate::physical::{SimulationGround, Site, Solids};
use crate::{
    BodyDrive, Command, Cue, GazeTarget, MovingPlatform, Occurrence, Order, PropForm, PushOrder,
    SceneGround, ThrowOrder,
};
use andante_body::Prop;
use andante_plan::steps::PlacedFootprints;
use andante_skeleton::Planar;
use andante_world::{Ground, Obstacle, ObstacleOutline};
use glam::{Vec2, Vec3};
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

/// An obstacle that begins above this is ducked under or passed, in metres over the ground; one that ends below
/// the second is stepped over.
const STANDS: [f32; 2] = [1.0, 0.35];

/// Puts the orders of a file into its scene, and the last place everybody is sent to into their parts.
pub(super) fn read(file: &SceneFile, scene: &mut Scene) -> Result<(), Problem> {
    let cast = CharacterNames::new(file, scene)?;
    let mut orders: Vec<Order> = Vec::new();
    for (who, entry) in file.character.iter().enumerate() {
        if let Some(goal) = &entry.get_ref().goal {
            let goal = cast.standing(scene, post(goal)?, &goal.span())?;
            let command = if scene.characters[who].run { Command::RunTo } else { Command::WalkTo };
            orders.push(Order { name: None, who, cue: Cue::Next, command: command(goal) });
        }
    }
    let numbers = numbers(file, &cast, orders.len())?;
    for entry in &file.command {
        let given = entry.get_ref();
        let command = cast.command(scene, entry)?;
        let cue = cast.cue(given, &entry.span(), &numbers)?;
        for who in cast.names(&given.who)? {
            if let Command::Follow { whom, .. } = command
                && whom == who.into()
            {
                return Err((entry.span(), "nobody can follow themselves".into()));
            }
            let part = &scene.characters[who];
            if command.is_suffered() && part.nature == BodyDrive::Kinematic {
                let message = format!(
                    "`{}` is kinematic and feels nothing; `body = \"physical_when_touched\"` changes that",
                    part.name
                );
                return Err((entry.span(), message));
            }
            let name = given.name.as_ref().map(|name| name.get_ref().clone());
            orders.push(Order { name, who, cue: cue.clone(), command: command.clone() });
        }
    }
    refuse_circles(file, &orders)?;
    for order in &orders {
        let last = match &order.command {
            Command::WalkTo(post) | Command::RunTo(post) => Some(*post),
            Command::Path(places) => {
                places.last().map(|&place| Waypoint { place, height: None, heading: None })
            }
            Command::Jump { to, .. } => Some(Waypoint { place: *to, height: None, heading: None }),
            _ => None,
        };
        if let Some(goal) = last {
            scene.characters[order.who].goal = goal;
        }
    }
    scene.orders = orders;
    Ok(())
}

/// The orders that each name stands for.
type Numbers = HashMap<String, Vec<usize>>;

fn numbers(file: &SceneFile, cast: &CharacterNames, mut next: usize) -> Result<Numbers, Problem> {
    let mut numbers = Numbers::new();
    for entry in &file.command {
        let given = entry.get_ref();
        let count = cast.names(&given.who)?.len();
        if let Some(name) = &given.name {
            let own = (next..next + count).collect();
            if numbers.insert(name.get_ref().clone(), own).is_some() {
                return Err((name.span(), format!("two commands are named `{}`", name.get_ref())));
            }
        }
        next += count;
    }
    Ok(numbers)
}

/// Everybody's number by name.
struct CharacterNames {
    numbers: HashMap<String, usize>,
}

/// Stands for all characters.
const EVERYONE: &str = "everyone";

/// What is done to a body.
fn sufferings(scene: &Scene, given: &schema::CommandTable) -> Result<Vec<Command>, Problem> {
    let mut found: Vec<Command> = Vec::new();
    if let Some(push) = &given.push {
        found.push(Command::Push(shove(push)?));
    }
    if let Some(throw) = &given.throw {
        found.push(Command::Throw(thrown(scene, throw)?));
    }
    for (key, name, command) in
        [(&given.fall, "fall", Command::Fall), (&given.get_up, "get_up", Command::GetUp)]
    {
        if let Some(key) = key {
            if !key.get_ref() {
                return Err((key.span(), format!("`{name} = false` says nothing; leave it out")));
            }
            found.push(command);
        }
    }
    Ok(found)
}

impl CharacterNames {
    fn new(file: &SceneFile, scene: &Scene) -> Result<Self, Problem> {
        let mut numbers = HashMap::new();
        for (number, (part, entry)) in scene.characters.iter().zip(&file.character).enumerate() {
            if numbers.insert(part.name.clone(), number).is_some() && !file.command.is_empty() {
                let message = format!(
                    "two characters are called `{}`: commands cannot tell them apart",
                    part.name
                );
                return Err((entry.span(), message));
            }
        }
        Ok(Self { numbers })
    }

    fn number(&self, name: &str, span: &Range<usize>) -> Result<usize, Problem> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let mut names: Vec<&str> = self.numbers.keys().map(String::as_str).collect();
            names.sort_unstable();
            let there = if names.is_empty() { "nobody".into() } else { names.join(", ") };
            (span.clone(), format!("there is no character `{name}`; there is {there}"))
        })
    }

    fn names(&self, names: &Spanned<Names>) -> Result<Vec<usize>, Problem> {
        match names.get_ref() {
            Names::One(name) if name == EVERYONE && !self.numbers.contains_key(EVERYONE) => {
                let mut all: Vec<usize> = self.numbers.values().copied().collect();
                all.sort_unstable();
                Ok(all)
            }
            Names::One(name) => Ok(vec![self.number(name, &names.span())?]),
            Names::Several(several) => {
                several.iter().map(|name| self.number(name, &names.span())).collect()
            }
        }
    }

    /// Exactly one of the keys that say what to do.
    fn command(
        &self,
        scene: &Scene,
        entry: &Spanned<schema::CommandTable>,
    ) -> Result<Command, Problem> {
        let mut found = self.ways(scene, entry)?;
        found.extend(self.ways_by_hand(scene, entry)?);
        found.extend(self.manners(entry.get_ref())?);
        found.extend(sufferings(scene, entry.get_ref())?);
        match found.pop() {
            Some(command) if found.is_empty() => Ok(command),
            _ => Err((
                entry.span(),
                "a command has one of walk_to, run_to, jump, face, wait, stop, follow, patrol, look_at, speed, path, \
                 footprints, push, throw, fall, get_up"
                    .into(),
            )),
        }
    }

    /// What leads somewhere.
    fn ways(
        &self,
        scene: &Scene,
        entry: &Spanned<schema::CommandTable>,
    ) -> Result<Vec<Command>, Problem> {
        let given = entry.get_ref();
        let mut found: Vec<Command> = Vec::new();
        if let Some(to) = &given.walk_to {
            found.push(Command::WalkTo(self.place(scene, to.get_ref(), &to.span())?));
        }
        if let Some(to) = &given.run_to {
            found.push(Command::RunTo(self.place(scene, to.get_ref(), &to.span())?));
        }
        if let Some(jump) = &given.jump {
            let span = jump.span();
            let [from, to] = [jump.get_ref().from, jump.get_ref().to];
            let [from, to] = [near("from", from, &span)?, near("to", to, &span)?].map(Vec2::from);
            if from.distance(to) < 0.1 {
                return Err((span, "a jump from a place to itself is none".into()));
            }
            found.push(Command::Jump { from, to });
        }
        if let Some(follow) = &given.follow {
            let whom = self.number(follow.get_ref(), &follow.span())?;
            let distance = given.distance.unwrap_or(BEHIND);
            let distance = long("distance", distance, &entry.span())?;
            found.push(Command::Follow { whom: whom.into(), distance });
        } else if given.distance.is_some() {
            return Err((entry.span(), "`distance` goes with `follow`".into()));
        }
        if let Some(patrol) = &given.patrol {
            let span = patrol.span();
            let posts = patrol.get_ref().iter().map(|place| self.place(scene, place, &span));
            let posts: Vec<Waypoint> = posts.collect::<Result<_, _>>()?;
            if posts.len() < 2 {
                return Err((span, "a patrol has at least two places".into()));
            }
            found.push(Command::Patrol(posts));
        }
        Ok(found)
    }

    /// What leads along a line or footprints drawn by hand.
    fn ways_by_hand(
        &self,
        scene: &Scene,
        entry: &Spanned<schema::CommandTable>,
    ) -> Result<Vec<Command>, Problem> {
        let given = entry.get_ref();
        let mut found: Vec<Command> = Vec::new();
        if let Some(path) = &given.path {
            let span = path.span();
            let places = path.get_ref().iter().map(|&at| near("path", at, &span).map(Vec2::from));
            let places: Vec<Vec2> = places.collect::<Result<_, _>>()?;
            let Some(&last) = places.last() else {
                return Err((span, "a path has at least one place".into()));
            };
            self.standing(scene, Waypoint { place: last, height: None, heading: None }, &span)?;
            found.push(Command::Path(places));
        }
        if let Some(prints) = &given.footprints {
            let span = prints.span();
            let print = |(x, z, heading, side): &(f32, f32, f32, String)| {
                let [x, z, heading] = near("footprints", [*x, *z, *heading], &span)?;
                let foot = match side.as_str() {
                    "left" => 0,
                    "right" => 1,
                    other => {
                        let message = format!("no foot is `{other}`; it is left or right");
                        return Err((span.clone(), message));
                    }
                };
                let place = Planar::new(Vec2::new(x, z), heading.to_radians());
                self.standing(
                    scene,
                    Waypoint { place: place.position, height: None, heading: None },
                    &span,
                )?;
                Ok(PlacedFootprints { foot, place })
            };
            let prints = prints.get_ref().iter().map(print).collect::<Result<Vec<_>, _>>()?;
            if prints.is_empty() {
                return Err((span, "there is no footprint".into()));
            }
            found.push(Command::Footprints(prints));
        }
        Ok(found)
    }

    /// What is done on the spot or on the way.
    fn manners(&self, given: &schema::CommandTable) -> Result<Vec<Command>, Problem> {
        let mut found: Vec<Command> = Vec::new();
        if let Some(face) = &given.face {
            found.push(Command::Face(self.target(face)?));
        }
        if let Some(wait) = &given.wait {
            let seconds = *wait.get_ref();
            if !(0.0..=LONGEST).contains(&seconds) {
                return Err((wait.span(), format!("wait is {seconds}; it is 0 to {LONGEST} s")));
            }
            found.push(Command::Wait(seconds));
        }
        if let Some(stop) = &given.stop {
            if !stop.get_ref() {
                return Err((stop.span(), "`stop = false` says nothing; leave it out".into()));
            }
            found.push(Command::Stop);
        }
        if let Some(look) = &given.look_at {
            let nothing =
                matches!(look.get_ref(), schema::TargetValue::Name(name) if name == "nothing");
            let target = if nothing { None } else { Some(self.target(look)?) };
            found.push(Command::LookAt(target));
        }
        if let Some(speed) = &given.speed {
            found.push(Command::Speed(match speed.get_ref() {
                schema::Speed::Of(speed) if *speed > 0.0 && *speed <= FASTEST => Some(*speed),
                schema::Speed::Word(word) if word == "usual" => None,
                schema::Speed::Of(other) => {
                    let message =
                        format!("speed is {other}; it is above 0 and at most {FASTEST} m/s");
                    return Err((speed.span(), message));
                }
                schema::Speed::Word(word) => {
                    return Err((
                        speed.span(),
                        format!("`{word}` is no speed; say m/s or \"usual\""),
                    ));
                }
            }));
        }
        Ok(found)
    }

    fn target(&self, target: &Spanned<schema::TargetValue>) -> Result<GazeTarget, Problem> {
        let span = target.span();
        Ok(match target.get_ref() {
            schema::TargetValue::Heading(degrees) => {
                let [degrees] = near("heading", [*degrees], &span)?;
                GazeTarget::Heading(degrees.to_radians())
            }
            schema::TargetValue::Place(place) => {
                let [x, z] = near("place", *place, &span)?;
                GazeTarget::Point(Vec3::new(x, 1.5, z))
            }
            schema::TargetValue::Point(point) => {
                GazeTarget::Point(near("point", *point, &span)?.into())
            }
            schema::TargetValue::Name(name) => {
                GazeTarget::Character(self.number(name, &span)?.into())
            }
        })
    }

    fn place(
        &self,
        scene: &Scene,
        place: &PlaceValue,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let given = match place {
            PlaceValue::At(at) => {
                Waypoint { place: near("place", *at, span)?.into(), height: None, heading: None }
            }
            PlaceValue::Post(given) => {
                let place = near("at", given.at, span)?.into();
                let [height, heading] = [given.height.unwrap_or(0.0), given.heading.unwrap_or(0.0)];
                near("height and heading", [height, heading], span)?;
                Waypoint {
                    place,
                    height: given.height,
                    heading: given.heading.map(f32::to_radians),
                }
            }
        };
        self.standing(scene, given, span)
    }

    /// Refuses goals where nobody can stand, whatever their size.
    fn standing(
        &self,
        scene: &Scene,
        goal: Waypoint,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let at = goal.place;
        let from = Vec3::new(at.x, goal.height.unwrap_or(1e6) + 0.05, at.y);
        let decks: Vec<GroundPatch> = scene.moving.iter().map(MovingPlatform::deck).collect();
        let ground = scene.ground.iter().chain(&decks);
        let heights = ground.filter_map(|patch: &GroundPatch| patch.probe(from, f32::INFINITY));
        let Some(ground) = heights.map(|hit| hit.point.y).reduce(f32::max) else {
            return Err((span.clone(), format!("there is no ground at [{}, {}]", at.x, at.y)));
        };
        let inside = |obstacle: &&Obstacle| {
            let stands =
                obstacle.bottom() - ground < STANDS[0] && obstacle.top() - ground > STANDS[1];
            stands && contains(&obstacle.footprint(), at)
        };
        match scene.obstacles.iter().find(inside) {
            Some(obstacle) => {
                Err((span.clone(), format!("[{}, {}] is inside `{}`", at.x, at.y, obstacle.name)))
            }
            None => Ok(goal),
        }
    }

    fn cue(
        &self,
        given: &schema::CommandTable,
        span: &Range<usize>,
        numbers: &Numbers,
    ) -> Result<Cue, Problem> {
        match (given.at, &given.after, &given.when) {
            (None, None, None) => Ok(Cue::Next),
            (Some(at), None, None) if (0.0..=LONGEST).contains(&at) => Ok(Cue::At(at)),
            (Some(at), None, None) => {
                Err((span.clone(), format!("at is {at}; it is 0 to {LONGEST} s")))
            }
            (None, Some(after), None) => {
                let names: &[String] = match after.get_ref() {
                    Names::One(name) => std::slice::from_ref(name),
                    Names::Several(names) => names,
                };
                let of = |name: &String| {
                    let missing = || (after.span(), format!("there is no command named `{name}`"));
                    numbers.get(name).ok_or_else(missing)
                };
                let all: Vec<&Vec<usize>> = names.iter().map(of).collect::<Result<_, _>>()?;
                Ok(Cue::After(all.into_iter().flatten().copied().collect()))
            }
            (None, None, Some(when)) => Ok(Cue::When(self.happening(when)?)),
            _ => Err((
                span.clone(),
                "a command begins `at` a time, `after` another or `when` something happens: one of them".into(),
            )),
        }
    }

    fn happening(&self, when: &Spanned<schema::When>) -> Result<Occurrence, Problem> {
        let (span, given) = (when.span(), when.get_ref());
        if given.within.is_some() && given.near.is_none() {
            return Err((span, "`within` goes with `near`".into()));
        }
        match (&given.arrived, &given.blocked, &given.near) {
            (Some(name), None, None) => Ok(Occurrence::Arrived(self.number(name, &span)?)),
            (None, Some(name), None) => Ok(Occurrence::Blocked(self.number(name, &span)?)),
            (None, None, Some([who, whom])) => {
                let (who, whom) = (self.number(who, &span)?, self.number(whom, &span)?);
                if who == whom {
                    return Err((span, "everybody is always near themselves".into()));
                }
                let within = long("within", given.within.unwrap_or(NEAR), &span)?;
                Ok(Occurrence::Near { who, whom, within })
            }
            _ => Err((span, "`when` has one of arrived, blocked, near".into())),
        }
    }
}

fn shove(entry: &Spanned<schema::PushTable>) -> Result<PushOrder, Problem> {
    let (span, given) = (entry.span(), entry.get_ref());
    let shove = PushOrder {
        impulse: given.impulse,
        direction: given.direction.to_radians(),
        height: given.height,
        seconds: given.seconds.unwrap_or(0.1),
    };
    match shove.problem() {
        Some(problem) => Err((span, problem)),
        None => Ok(shove),
    }
}

/// Refuses what is nothing, and what would be thrown from inside of something.
fn thrown(scene: &Scene, entry: &Spanned<schema::ThrowTable>) -> Result<ThrowOrder, Problem> {
    let (span, given) = (entry.span(), entry.get_ref());
    let (name, form) = match (given.ball, given.cube) {
        (Some(radius), None) => ("ball", PropForm::Ball { radius: f64::from(radius) }),
        (None, Some(side)) => ("cube", PropForm::Cube { side: f64::from(side) }),
        _ => return Err((span, "a throw is of a `ball` of a radius or a `cube` of a side".into())),
    };
    let from: Vec3 = near("from", given.from, &span)?.into();
    if !(given.speed > 0.0 && given.speed <= MOST_THROWN) {
        let message =
            format!("speed is {}; it is above 0 and at most {MOST_THROWN} m/s", given.speed);
        return Err((span, message));
    }
    let ground = SceneGround::new(&scene.ground);
    let above = ground.height_at(Vec2::new(from.x, from.z));
    if above.is_some() && ground.probe(from, f32::INFINITY).is_none() {
        return Err((span, format!("{name} is inside of the ground")));
    }
    // Where platforms are that move, is seen when it is thrown.
    let (moving, solids) = (Arc::default(), Solids::default());
    let site =
        Site { ground: &ground, obstacles: &scene.obstacles, moving: &moving, solids: &solids };
    let ground = SimulationGround::everywhere(site).at(0.0);
    let place = from.as_dvec3();
    let place = andante_dynamics::vec3(place.x, place.y, place.z);
    let prop = Prop::new(name, form, f64::from(given.mass), place);
    prop.check(&ground).map_err(|error| (span.clone(), error.to_string()))?;
    Ok(ThrowOrder { form, mass: given.mass, from, speed: given.speed })
}

/// Whether a place lies in a footprint.
fn contains(footprint: &ObstacleOutline, place: Vec2) -> bool {
    match footprint {
        ObstacleOutline::Disc { at, radius } => at.distance(place) < *radius,
        ObstacleOutline::Outline(corners) => {
            let side = |index: usize| {
                let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
                (b - a).perp_dot(place - a)
            };
            let sides = || (0..corners.len()).map(side);
            sides().all(|side| side > 0.0) || sides().all(|side| side < 0.0)
        }
    }
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
    Err((span, "commands wait for each other in a circle".into()))
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
        assert_eq!(orders[2].describe(), "go: walk_to [1, 7]");
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
