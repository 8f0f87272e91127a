//! Characters, ground and things that come and go while a stage is played.

#![allow(clippy::unwrap_used)]

use andante_stage::{
    BodyDrive, CharacterSpec, Command, CommandError, Cue, EventKind, GazeTarget, GroundPatch,
    MovingPlatform, Occurrence, Order, PropForm, PushOrder, Scene, Stage, StageError, ThrowOrder,
    Waypoint, read_scene,
};
use andante_world::{ClosestPoint, Ground, Hit, Obstacle, ObstacleShape, Platform, Terrain};
use glam::{Vec2, Vec3, vec2};

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\nname = \"yard\"\noutline = [[-6, -6], [6, -6], [6, 6], [-6, 6]]\n\
    [[character]]\nname = \"ann\"\nstart = { at = [0, 0], heading = 0 }\n\
    [[character]]\nname = \"bob\"\nstart = { at = [2, 0], heading = 0 }\nbody = \"physical_when_touched\"\n";

fn stage() -> Stage {
    Stage::new(&read_scene(YARD).unwrap(), 1).unwrap()
}

fn to(x: f32, z: f32) -> Waypoint {
    Waypoint::at(vec2(x, z))
}

fn patch(name: &str, [low, high]: [Vec2; 2], terrain: Option<Terrain>) -> GroundPatch {
    let outline = vec![low, vec2(high.x, low.y), high, vec2(low.x, high.y)];
    GroundPatch { platform: Platform::level(name, outline, 0.0), terrain }
}

/// Steps until something has happened; whether it has within so many seconds.
fn until(stage: &mut Stage, seconds: f64, mut happened: impl FnMut(&Stage) -> bool) -> bool {
    let end = stage.time() + seconds;
    while stage.time() < end {
        stage.step(1.0 / 60.0);
        if happened(stage) {
            return true;
        }
    }
    false
}

fn told(stage: &Stage, is: impl Fn(&EventKind) -> bool) -> bool {
    stage.events().iter().any(|event| is(&event.kind))
}

#[test]
fn whoever_is_gone_is_never_another() {
    let mut stage = stage();
    stage.command(0, Command::Follow { whom: 1.into(), distance: 1.0 }).unwrap();
    stage.command(1, Command::WalkTo(to(2.0, 4.0))).unwrap();
    (0..60).for_each(|_| stage.step(1.0 / 60.0));
    stage.despawn(1).unwrap();
    let eve = stage.spawn(&CharacterSpec::new("eve", to(-3.0, 2.0))).unwrap();
    assert_eq!(eve.number(), 1);
    let gone = Err(CommandError::Gone(1.into()));
    assert_eq!(stage.command(1, Command::Stop), gone);
    assert_eq!(stage.steer(1, 1.0, 0.0), gone);
    assert_eq!(stage.teleport(1, to(0.0, 0.0)), gone);
    assert_eq!(stage.despawn(1), gone);
    let look = Command::LookAt(Some(GazeTarget::Character(1.into())));
    assert_eq!(stage.command(eve, look), gone);
    assert!(stage.actor(1).is_err() && !stage.is_physical(1));
    // Whoever followed the one that is gone does not follow the one that came.
    stage.step(1.0 / 60.0);
    assert!(told(&stage, |kind| matches!(kind, EventKind::Failed(why) if why.contains("gone"))));
    assert!(stage.actor(0).unwrap().is_idle());
    assert_eq!((stage.find("bob"), stage.find("eve")), (None, Some(eve)));
    assert_eq!(stage.present().count(), 2);
}

#[test]
fn nobody_comes_near_one_who_is_gone() {
    let mut stage = stage();
    stage.teleport(1, to(0.8, 0.0)).unwrap();
    stage.despawn(1).unwrap();
    stage.step(1.0 / 60.0);
    assert!(!told(&stage, |kind| matches!(kind, EventKind::Near(_))), "{:?}", stage.events());
}

#[test]
fn orders_of_a_scene_end_with_whom_they_are_for() {
    let text = format!("{YARD}[[command]]\nwho = \"ann\"\nat = 1\nwalk_to = [0, 4]\n");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    assert!(!stage.is_over());
    stage.despawn(0).unwrap();
    stage.spawn(&CharacterSpec::new("eve", to(-3.0, 2.0))).unwrap();
    (0..90).for_each(|_| stage.step(1.0 / 60.0));
    assert!(stage.is_over() && stage.actors()[0].is_idle());
}

#[test]
fn one_that_lies_is_put_on_its_feet() {
    let mut stage = stage();
    stage.command(1, Command::Fall).unwrap();
    let lies =
        |kind: &EventKind| matches!(kind, EventKind::Waits(why) if why == "it lies on the ground");
    assert!(until(&mut stage, 20.0, |stage| told(stage, lies)));
    stage.reset(1).unwrap();
    assert!(!stage.is_physical(1) && stage.actor(1).unwrap().is_idle());
    let head = stage.actor(1).unwrap().character().rig.head.unwrap();
    assert!(stage.actor(1).unwrap().models()[head].translation.y > 1.3);
    stage.command(1, Command::WalkTo(to(0.0, 4.0))).unwrap();
    assert!(until(&mut stage, 20.0, |stage| told(stage, |kind| *kind == EventKind::Arrived)));
    stage.command(1, Command::Push(PushOrder::new(80.0, 1.0))).unwrap();
    (0..30).for_each(|_| stage.step(1.0 / 60.0));
    stage.teleport(1, Waypoint { heading: Some(1.0), ..to(-4.0, -4.0) }).unwrap();
    let place = stage.actor(1).unwrap().disc().place;
    assert!(place.position.distance(vec2(-4.0, -4.0)) < 0.01 && (place.heading - 1.0).abs() < 0.01);
    assert_eq!(stage.teleport(1, to(40.0, 0.0)), Err(CommandError::NoGround(vec2(40.0, 0.0))));
}

#[test]
fn ground_that_comes_is_walked_on_and_ground_that_goes_is_not() {
    let mut stage = stage();
    stage.command(0, Command::WalkTo(to(9.0, 0.0))).unwrap();
    let failed = |kind: &EventKind| matches!(kind, EventKind::Failed(_));
    assert!(until(&mut stage, 2.0, |stage| told(stage, failed)));
    let annex = patch("annex", [vec2(6.0, -2.0), vec2(12.0, 2.0)], None);
    stage.place_ground(annex).unwrap();
    stage.command(0, Command::WalkTo(to(9.0, 0.0))).unwrap();
    assert!(until(&mut stage, 20.0, |stage| told(stage, |kind| *kind == EventKind::Arrived)));
    stage.command(0, Command::WalkTo(to(0.0, 0.0))).unwrap();
    assert!(until(&mut stage, 20.0, |stage| told(stage, |kind| *kind == EventKind::Arrived)));
    stage.remove_ground("annex").unwrap();
    assert!(matches!(
        stage.remove_ground("annex"),
        Err(StageError::Command(CommandError::Unknown { .. }))
    ));
    stage.command(0, Command::WalkTo(to(9.0, 0.0))).unwrap();
    assert!(until(&mut stage, 2.0, |stage| told(stage, failed)));
    assert_eq!(stage.ground().len(), 1);
}

#[test]
fn a_physical_body_falls_where_its_ground_is_taken_away() {
    let mut stage = stage();
    stage.place_ground(patch("annex", [vec2(6.5, -2.0), vec2(12.0, 2.0)], None)).unwrap();
    let mut part = CharacterSpec::new("eve", to(9.0, 0.0));
    part.nature = BodyDrive::Physical;
    let eve = stage.spawn(&part).unwrap();
    (0..60).for_each(|_| stage.step(1.0 / 60.0));
    assert!(stage.is_physical(eve));
    stage.remove_ground("annex").unwrap();
    assert!(until(&mut stage, 10.0, |stage| told(stage, |kind| *kind == EventKind::FellOut)));
    assert!(stage.reset(eve).is_err());
    stage.teleport(eve, to(0.0, 3.0)).unwrap();
    (0..60).for_each(|_| stage.step(1.0 / 60.0));
    let hips = stage.actor(eve).unwrap().models()[0].translation.y;
    assert!(hips > 0.7, "{hips}");
}

struct Mound;

impl Ground for Mound {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        // An engine may answer nonsense where it has nothing.
        let height = if from.x > 3.0 { f32::NAN } else { 0.4 };
        let met = !(height > from.y || height < from.y - depth);
        met.then(|| Hit { point: from.with_y(height), normal: Vec3::Y })
    }
}

#[test]
fn an_engines_own_ground_is_stood_on() {
    let mut stage = Stage::new(&Scene::default(), 1).unwrap();
    stage.step(1.0 / 60.0);
    let field = [vec2(-6.0, 8.0), vec2(6.0, 14.0)];
    stage.place_ground(patch("field", field, Some(Terrain::own(Mound)))).unwrap();
    let eve = stage.spawn(&CharacterSpec::new("eve", to(0.0, 11.0))).unwrap();
    (0..30).for_each(|_| stage.step(1.0 / 60.0));
    let foot = stage.actor(eve).unwrap().character().rig.feet[0].ankle();
    let high = stage.actor(eve).unwrap().models()[foot].translation.y;
    assert!((0.4..0.6).contains(&high), "{high}");
    assert!(stage.spawn(&CharacterSpec::new("zoe", to(5.0, 11.0))).is_err());
}

/// A pillar that only answers for its closest point.
struct EnginePillar;

impl Ground for EnginePillar {
    fn probe(&self, _: Vec3, _: f32) -> Option<Hit> {
        None
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        let aside = point.with_y(0.0) - 3.0 * Vec3::Z;
        let normal = aside.normalize_or(Vec3::X);
        let found = (3.0 * Vec3::Z + 0.4 * normal).with_y(point.y.clamp(0.0, 2.0));
        let distance = found.distance(point);
        (distance < within).then_some(ClosestPoint { point: found, normal, distance })
    }
}

#[test]
fn an_engines_own_colliders_are_walked_around() {
    let corners = [Vec3::new(-2.0, 0.0, 1.0), Vec3::new(2.0, 2.5, 5.0)];
    let pillar = Obstacle::of_colliders("pillar", &EnginePillar, corners, 0.1).unwrap();
    assert!((1..60).contains(&pillar.len()), "{}", pillar.len());
    let mut stage = stage();
    pillar.into_iter().for_each(|part| stage.place_obstacle(part).unwrap());
    stage.command(0, Command::WalkTo(to(0.0, 5.5))).unwrap();
    let mut nearest = f32::MAX;
    let there = until(&mut stage, 30.0, |stage| {
        let models = stage.actors()[0].models().iter();
        nearest = nearest.min(
            models
                .map(|own| (own.translation.with_y(0.0) - 3.0 * Vec3::Z).length())
                .fold(f32::MAX, f32::min),
        );
        told(stage, |kind| *kind == EventKind::Arrived)
    });
    assert!(there && nearest > 0.4, "{there}, {nearest} m from its axis");
    for (corners, cell) in [(corners, f32::NAN), (corners, 1e-9), ([corners[1], corners[0]], 0.1)] {
        assert!(Obstacle::of_colliders("odd", &EnginePillar, corners, cell).is_err());
    }
}

#[test]
fn a_platform_comes_goes_and_leaves_its_riders_standing() {
    let mut stage = stage();
    let ferry = |far: f32| MovingPlatform {
        name: "ferry".into(),
        size: Vec3::new(2.0, 0.2, 2.0),
        stops: vec![(Vec3::new(-4.0, 0.0, -4.0), 0.0), (Vec3::new(far, 0.0, -4.0), 0.0)],
        speed: 0.5,
        acceleration: 0.5,
        wait: 0.5,
        round: false,
    };
    stage.place_platform(ferry(0.0)).unwrap();
    stage.step(1.0 / 60.0);
    assert_eq!(stage.platforms().len(), 1);
    stage.place_platform(ferry(1.0)).unwrap();
    assert!(stage.place_platform(MovingPlatform { speed: f32::NAN, ..ferry(0.0) }).is_err());
    stage.remove_platform("ferry").unwrap();
    stage.step(1.0 / 60.0);
    assert!(stage.platforms().is_empty() && stage.remove_platform("ferry").is_err());

    let text = format!(
        "{YARD}[[moving_platform]]\nname = \"lift\"\nat = [-3, 0, -3]\nbox = [2, 0.2, 2]\nstops = [[-3, 1, -3]]\n\
         [[character]]\nname = \"eve\"\nstart = {{ at = [-3, -3] }}\n"
    );
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    (0..300).for_each(|_| stage.step(1.0 / 60.0));
    assert!(stage.actor(2).unwrap().models()[0].translation.y > 1.2);
    stage.remove_platform("lift").unwrap();
    stage.command(2, Command::WalkTo(to(-1.0, -1.0))).unwrap();
    assert!(until(&mut stage, 20.0, |stage| told(stage, |kind| *kind == EventKind::Arrived)));
}

#[test]
fn things_come_and_go() {
    let mut stage = stage();
    let ball = PropForm::Ball { radius: 0.2 };
    stage.place_prop("ball", ball, 1.0, Vec3::new(3.0, 1.0, 3.0)).unwrap();
    (0..120).for_each(|_| stage.step(1.0 / 60.0));
    let (_, _, at) = stage.props().next().unwrap();
    assert!((at.translation.y - 0.2).abs() < 0.02, "{}", at.translation);
    let throw = ThrowOrder { form: ball, mass: 0.5, from: Vec3::new(2.0, 1.4, 4.0), speed: 9.0 };
    stage.command(1, Command::Throw(throw)).unwrap();
    (0..20).for_each(|_| stage.step(1.0 / 60.0));
    stage.remove_prop("ball").unwrap();
    assert!(stage.remove_prop("ball").is_err() && stage.props().count() == 1);
    (0..120).for_each(|_| stage.step(1.0 / 60.0));
    assert!(stage.place_prop("ball", ball, -1.0, Vec3::Y).is_err());
}

#[test]
fn going_back_gives_the_same_bits() {
    let mut stage = stage();
    let act = |stage: &mut Stage| {
        stage.command(0, Command::WalkTo(to(-3.0, 4.0))).unwrap();
        stage.command(1, Command::Push(PushOrder::new(40.0, 2.0))).unwrap();
        let guest = stage.spawn(&CharacterSpec::new("guest", to(4.0, 4.0))).unwrap();
        stage.command(guest, Command::RunTo(to(-4.0, -4.0))).unwrap();
        for frame in 0..200 {
            stage.step([1.0 / 60.0, 0.003, 0.08, 1e-6][frame % 4]);
        }
        let poses: Vec<_> = stage.present().flat_map(|actor| actor.pose().to_vec()).collect();
        (guest, poses, stage.time())
    };
    (0..30).for_each(|_| stage.step(1.0 / 60.0));
    let snapshot = stage.snapshot();
    let first = act(&mut stage);
    stage.restore(&snapshot);
    assert!(stage.actor(first.0).is_err());
    assert_eq!(act(&mut stage), first);
}

#[test]
fn every_step_is_heard_once_and_where_it_is_made() {
    let mut stage = stage();
    stage.command(0, Command::WalkTo(to(0.0, 5.0))).unwrap();
    let mut falls = Vec::new();
    until(&mut stage, 20.0, |stage| told(stage, |kind| *kind == EventKind::Arrived));
    stage.command(0, Command::WalkTo(to(0.0, -5.0))).unwrap();
    for _ in 0..60 * 20 {
        stage.step(1.0 / 60.0);
        falls.extend(stage.footfalls().iter().copied().filter(|fall| fall.who == 0.into()));
    }
    // Ten metres are a dozen steps and some to turn.
    assert!((12..40).contains(&falls.len()), "{}", falls.len());
    for fall in &falls {
        assert!(fall.place.y.abs() < 1e-3 && fall.normal == Vec3::Y && fall.surface == Some(0));
        assert!(fall.speed < 10.0, "{}", fall.speed);
    }
    let feet: Vec<usize> = falls.iter().map(|fall| fall.foot).collect();
    assert!(feet.contains(&0) && feet.contains(&1));
}

#[test]
fn whoever_waits_says_why() {
    let wall = "[[obstacle]]\nname = \"a\"\nat = [-3.2, 0, 3]\nbox = [5.6, 2, 0.4]\n\
                [[obstacle]]\nname = \"b\"\nat = [3.2, 0, 3]\nbox = [5.6, 2, 0.4]\n";
    let text = format!("{YARD}{wall}[[character]]\nname = \"eve\"\nstart = {{ at = [0, 3] }}\n");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    // Somebody stands in the only door.
    stage.command(0, Command::WalkTo(to(0.0, 5.0))).unwrap();
    let waits = |kind: &EventKind| matches!(kind, EventKind::Waits(_) | EventKind::Failed(_));
    assert!(until(&mut stage, 20.0, |stage| told(stage, waits)));
}

#[test]
fn arguments_that_make_no_sense_are_refused_by_name() {
    let mut stage = stage();
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, f32::MAX] {
        for (command, name) in [
            (Command::WalkTo(to(odd, 0.0)), "place"),
            (Command::RunTo(Waypoint { heading: Some(odd), ..to(0.0, 0.0) }), "heading"),
            (Command::RunTo(Waypoint { height: Some(odd), ..to(0.0, 0.0) }), "height"),
            (Command::Path(vec![to(0.0, odd)]), "place"),
            (Command::Patrol(vec![to(0.0, odd)]), "place"),
            (Command::Wait(odd), "seconds"),
            (Command::Speed(Some(odd)), "speed"),
            (Command::Face(GazeTarget::Heading(odd)), "heading"),
            (Command::LookAt(Some(GazeTarget::Point(Vec3::new(0.0, odd, 0.0)))), "point"),
            (Command::Follow { whom: 1.into(), distance: odd }, "distance"),
            (Command::Jump { from: vec2(odd, 0.0), to: Vec2::ZERO }, "from"),
            (Command::Push(PushOrder::new(odd, 0.0)), "impulse"),
        ] {
            let error = stage.command(0, command.clone()).unwrap_err().to_string();
            assert!(error.contains(name), "{command:?}: {error}");
        }
        assert!(stage.place_obstacle(post(odd)).unwrap_err().to_string().contains("radius"));
        assert!(stage.steer(0, odd, 0.0).unwrap_err().to_string().contains("speed"));
        assert!(stage.steer(0, 0.0, odd).unwrap_err().to_string().contains("turn_rate"));
        assert!(stage.teleport(0, to(odd, 0.0)).is_err());
        assert!(stage.spawn(&CharacterSpec::new("eve", to(odd, 0.0))).is_err());
        let mut ground = patch("odd", [vec2(0.0, 0.0), vec2(1.0, 1.0)], None);
        ground.platform.height = odd;
        assert!(stage.place_ground(ground).is_err());
        assert!(stage.plan(0, to(odd, 0.0), false).is_err());
    }
    assert!(stage.command(0, Command::Speed(Some(-1.0))).is_err());
    assert!(stage.command(0, Command::Path(Vec::new())).is_err());
    let own = Command::Follow { whom: 0.into(), distance: 1.0 };
    assert_eq!(stage.command(0, own), Err(CommandError::Own));
    let nobody = usize::MAX.into();
    for command in [
        Command::Follow { whom: nobody, distance: 1.0 },
        Command::Face(GazeTarget::Character(nobody)),
        Command::LookAt(Some(GazeTarget::Character(nobody))),
    ] {
        assert_eq!(stage.command(0, command), Err(CommandError::Gone(nobody)));
    }
    assert!(stage.actors()[0].is_idle() && stage.obstacles().is_empty());
}

/// Feet jumped with ground that was replaced under them, or hung in the air where it had been.
#[test]
fn feet_follow_ground_that_is_replaced_without_a_jump() {
    for (walks, heights) in [(false, [-0.04, 0.09]), (false, [0.09, -0.07]), (true, [0.0, 0.08])] {
        for dt in [6e-4, 1.0 / 60.0] {
            let mut stage = stage();
            let annex = |height: f32| {
                let mut annex = patch("annex", [vec2(6.0, -6.0), vec2(16.0, 6.0)], None);
                annex.platform.height = height;
                annex
            };
            stage.place_ground(annex(heights[0])).unwrap();
            stage.teleport(0, to(8.0, 0.0)).unwrap();
            if walks {
                stage.command(0, Command::WalkTo(to(14.0, 1.0))).unwrap();
            }
            (0..90).for_each(|_| stage.step(1.0 / 60.0));
            stage.place_ground(annex(heights[1])).unwrap();
            let mut time = 0.0;
            while time < 1.5 {
                let before = stage.actors()[0].models().to_vec();
                stage.step(dt);
                time += dt;
                for (joint, (a, b)) in before.iter().zip(stage.actors()[0].models()).enumerate() {
                    let moved = a.translation.distance(b.translation);
                    assert!(moved < 8.0 * dt + 0.01, "{heights:?}, {dt}: {joint} moved {moved} m");
                }
            }
            let actor = &stage.actors()[0];
            let low = actor.character().rig.feet.iter().flat_map(|foot| [foot.heel, foot.ball]);
            let low = low.map(|point| point.position(actor.models()).y).fold(f32::MAX, f32::min);
            assert!((low - heights[1]).abs() < 0.02, "{heights:?}, {dt}: soles at {low}");
        }
    }
}

/// Something done to a scene, and what is wrong then.
type SceneChange<'a> = (&'a dyn Fn(&mut Scene), &'a str);

/// A scene that an engine has put together is looked at as closely as one from a file.
#[test]
fn a_scene_from_memory_that_makes_no_sense_is_refused_by_name() {
    let good = read_scene(YARD).unwrap();
    assert!(Stage::new(&good, 1).is_ok());
    let refusal = |change: &dyn Fn(&mut Scene)| {
        let mut scene = good.clone();
        change(&mut scene);
        Stage::new(&scene, 1).unwrap_err().to_string()
    };
    let order = |who: usize, cue: Cue, command: Command| Order { name: None, who, cue, command };
    for odd in [f32::NAN, f32::INFINITY, 1e30, -1e30, f32::MAX] {
        let changes: [SceneChange; 8] = [
            (&|own| own.characters[0].start.place.x = odd, "place"),
            (&|own| own.characters[0].start.heading = Some(odd), "heading"),
            (&|own| own.characters[0].height = Some(odd), "height"),
            (&|own| own.ground[0].platform.height = odd, "height"),
            (&|own| own.ground[0].platform.outline[1].y = odd, "corner"),
            (&|own| own.obstacles.push(post(odd)), "radius"),
            (&|own| own.orders.push(order(0, Cue::Next, Command::Wait(odd))), "seconds"),
            (&|own| own.orders.push(order(0, Cue::At(odd), Command::Stop)), "at"),
        ];
        for (change, name) in changes {
            let error = refusal(change);
            assert!(error.contains(name), "{name}: {error}");
        }
    }
    for cue in [Cue::Next, Cue::When(Occurrence::Arrived(9)), Cue::When(Occurrence::Blocked(7))] {
        let who = if cue == Cue::Next { 5 } else { 0 };
        let error = refusal(&|own| own.orders.push(order(who, cue.clone(), Command::Stop)));
        assert!(error.contains("not on the stage"), "{error}");
    }
    let error = refusal(&|own| own.orders.push(order(0, Cue::After(vec![3]), Command::Stop)));
    assert!(error.contains("after"), "{error}");
}

fn post(radius: f32) -> Obstacle {
    let shape = ObstacleShape::Cylinder { radius, height: 1.0 };
    Obstacle { name: "post".into(), shape, at: Vec3::ZERO, heading: 0.0 }
}
