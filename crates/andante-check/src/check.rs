//! A take from beginning to end, everybody at once.

use crate::clearance::between;
use crate::free_fall::{self, FallCase, Faller};
use crate::orders::{self, OrderCase};
use crate::platform::other_world;
use crate::tally;
use crate::tile::TILE;
use crate::track::{Look, TrackCheck};
use crate::trail::Trail;
use crate::world::World;
use crate::{CheckSettings, Demand, DemandedOrder, PartDemand, Verdict, Violation, ViolationKind};
use andante_skeleton::parallel;
use andante_take::{TakeFileError, TakeSource, TrackView};
use andante_world::SceneGround;

/// Frames that are looked at together: memory holds no more of a take.
const TOGETHER: usize = 128;

/// Looks at every frame of a take. With a demand the world, starts and goals are those that were asked for; without one
/// they are those the take says.
pub fn check(
    take: &dyn TakeSource,
    demand: Option<&Demand>,
    settings: &CheckSettings,
) -> Result<Verdict, TakeFileError> {
    looked_at(take, demand, settings, false)
}

/// The same. Most of what cannot be wrong is told from it quickly, unless all of it is looked at.
fn looked_at(
    take: &dyn TakeSource,
    demand: Option<&Demand>,
    settings: &CheckSettings,
    at_all: bool,
) -> Result<Verdict, TakeFileError> {
    let mut world = World::new(take, demand);
    let parts = demand.map_or(&[][..], |demand| &demand.parts);
    let orders = demand.and_then(|demand| demand.orders.as_deref());
    prepare_spots(&mut world, parts, orders.unwrap_or_default());
    let fps = take.head().fps;
    let count = take.names().len();
    let gravity = free_fall::gravity(take, demand);
    let [orders_told, falls] = [orders.is_some(), gravity.is_some()];
    let trails = orders_told || falls;
    let look = Look { among_others: count > 1, at_all, trails, orders: orders_told, falls };
    let mut checks: Vec<Option<TrackCheck>> = (0..count).map(|_| None).collect();
    for from in (0..take.frames()).step_by(TOGETHER) {
        let mut together: Vec<(usize, TrackView<'_>)> = Vec::with_capacity(count);
        for index in 0..count {
            let until = (from + TOGETHER).min(take.frames_of(index));
            if from < until {
                together.push((index, take.view(index, from..until)?));
            }
        }
        for (index, view) in &together {
            let check = checks[*index].get_or_insert_with(|| {
                let part = demand.map(|_| parts.get(*index).cloned().unwrap_or_default());
                TrackCheck::new(view.track(), part, (fps, look), settings)
            });
            TrackCheck::places(view).for_each(|place| world.prepare(place, check.reach));
        }
        let mut pairs = of_part(&together, &mut checks);
        let world = &world;
        parallel::for_each(&mut pairs, |(view, check)| {
            check.part(view, (from, fps), world, settings)
        });
        others(&mut pairs, from, settings, fps);
        for (index, view) in &together {
            if let Some(check) =
                checks[*index].as_mut().filter(|_| from + TOGETHER >= take.frames_of(*index))
            {
                check.finish(view.track(), world, take.things(), settings);
            }
        }
    }
    let mut verdict = Verdict::default();
    let (mut trails, mut bodies) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for check in checks {
        let Some(check) = check else {
            trails.push(Trail::default());
            bodies.push(Faller::default());
            continue;
        };
        verdict.frames += check.frames;
        trails.push(check.trail.unwrap_or_default());
        bodies.push(Faller { height: check.volume.height, free: check.free });
        verdict.violations.extend(check.tally.into_violations());
    }
    if let Some(gravity) = gravity {
        let ground = demand.map_or(&take.head().ground, |demand| &demand.ground);
        let lowest = SceneGround::new(ground).lowest();
        let case = FallCase { take, gravity, lowest, trails: &trails, bodies, settings };
        verdict.violations.extend(case.judge(&mut world));
    }
    if let Some(demand) = demand {
        miscast(take, demand, &mut verdict);
        verdict.violations.extend(other_conditions(take, demand));
        verdict.violations.extend(other_world(take, demand, settings));
        if let Some(orders) = orders {
            let case = OrderCase { take, demand, orders, trails: &trails, world: &world, settings };
            verdict.violations.extend(orders::judge(&case));
        }
    }
    tally::sort(&mut verdict.violations);
    Ok(verdict)
}

/// Lets there be ground wherever somebody is asked to be.
fn prepare_spots(world: &mut World, parts: &[PartDemand], orders: &[DemandedOrder]) {
    let told = orders.iter().flat_map(|order| order.deed.spots().iter().copied());
    let ends = parts.iter().flat_map(|part| [part.start, part.goal]).flatten();
    for spot in ends.chain(told) {
        world.prepare(spot.place, TILE);
    }
}

/// Everybody in some frames, track by track; those who are not there then have no place for others.
fn of_part<'a, 'b>(
    together: &'a [(usize, TrackView<'b>)],
    checks: &'a mut [Option<TrackCheck>],
) -> Vec<(&'a TrackView<'b>, &'a mut TrackCheck)> {
    let mut here = together.iter().peekable();
    let mut pairs = Vec::with_capacity(together.len());
    for (index, check) in checks.iter_mut().enumerate() {
        match (here.next_if(|(next, _)| *next == index), check) {
            (Some((_, view)), Some(check)) => pairs.push((view, check)),
            (None, Some(check)) => check.placed.clear(),
            _ => {}
        }
    }
    pairs
}

/// Looks only at who is there and where everybody begins and ends, which is what a demand asks for beside the world.
pub fn check_ends(
    take: &dyn TakeSource,
    demand: &Demand,
    settings: &CheckSettings,
) -> Result<Verdict, TakeFileError> {
    let mut world = World::new(take, Some(demand));
    prepare_spots(&mut world, &demand.parts, &[]);
    let (fps, look) = (take.head().fps, Look::default());
    let mut verdict = Verdict::default();
    for index in 0..take.names().len() {
        let last = take.frames_of(index).saturating_sub(1);
        let mut found: Option<TrackCheck> = None;
        for frame in [0, last] {
            let view = take.view(index, frame..frame + 1)?;
            let check = found.get_or_insert_with(|| {
                let part = demand.parts.get(index).cloned().unwrap_or_default();
                TrackCheck::new(view.track(), Some(part), (fps, look), settings)
            });
            TrackCheck::places(&view).for_each(|place| world.prepare(place, check.reach));
            check.end_frame(&view, (frame, fps), &world, settings);
            if frame == last {
                check.finish(view.track(), &world, take.things(), settings);
                break;
            }
        }
        verdict
            .violations
            .extend(found.into_iter().flat_map(|check| check.tally.into_violations()));
    }
    verdict.violations.retain(|violation| violation.kind.is_of_ends());
    miscast(take, demand, &mut verdict);
    tally::sort(&mut verdict.violations);
    Ok(verdict)
}

/// What the take says it was made under that was not asked for. Those that say nothing are judged by what is seen.
fn other_conditions(take: &dyn TakeSource, demand: &Demand) -> Vec<Violation> {
    let head = take.head();
    if head.conditions.is_empty() {
        return Vec::new();
    }
    let differing = demand.conditions.iter().filter_map(|asked| {
        let own = head.conditions.iter().find(|own| own.name == asked.name);
        let made = own.map_or("nothing".into(), |own| own.value.to_string());
        own.is_none_or(|own| own.value != asked.value).then(|| Violation {
            kind: ViolationKind::World,
            who: head.name.clone(),
            what: format!("made with {} {made}, not {}", asked.name, asked.value),
            time_s: 0.0,
            value: own.map_or(f32::NAN, |own| own.value as f32),
            limit: asked.value as f32,
            frames: 1,
        })
    });
    differing.collect()
}

/// Notes who was asked for and is not there, or there and not asked for.
fn miscast(take: &dyn TakeSource, demand: &Demand, verdict: &mut Verdict) {
    let (names, parts) = (take.names(), &demand.parts);
    for (index, part) in parts.iter().enumerate().skip(names.len()) {
        let who = part.name.clone().unwrap_or_else(|| format!("number {}", index + 1));
        verdict.violations.push(absent(who, "nobody is there"));
    }
    for name in names.iter().skip(parts.len()) {
        verdict.violations.push(absent((*name).into(), "nobody asked for it"));
    }
}

fn absent(who: String, what: &str) -> Violation {
    let kind = ViolationKind::Cast;
    Violation { kind, who, what: what.into(), time_s: 0.0, value: 1.0, limit: 0.0, frames: 1 }
}

/// Notes who is inside whom.
fn others(
    pairs: &mut [(&TrackView<'_>, &mut TrackCheck)],
    from: usize,
    settings: &CheckSettings,
    fps: f32,
) {
    for b in 1..pairs.len() {
        let (before, rest) = pairs.split_at_mut(b);
        let (other_view, other) = &mut rest[0];
        for (view, one) in before {
            let frames = one.placed.len().min(other.placed.len());
            for frame in 0..frames {
                let (Some(a), Some(b)) = (&one.placed[frame], &other.placed[frame]) else {
                    continue;
                };
                let Some((depth, [own, met])) = between((&one.volume, a), (&other.volume, b))
                else {
                    continue;
                };
                let limit = settings.other_depth_m * one.scale.min(other.scale);
                let time = (from + frame) as f32 / fps;
                let names = [&one.volume.capsules[own].name, &other.volume.capsules[met].name];
                let what = |own: &str, whose: &str, met: &str| format!("{own} in {whose}'s {met}");
                let kind = ViolationKind::ThroughOther;
                let whose = [&view.track().name, &other_view.track().name];
                one.tally.note(kind, time, depth, limit, || what(names[0], whose[1], names[1]));
                other.tally.note(kind, time, depth, limit, || what(names[1], whose[0], names[0]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DemandedSpot;
    use andante_motion::synth;
    use andante_play::{Contacts, FootContacts, Interval};
    use andante_skeleton::{
        BodyPoint, Character, Clip, Foot, Joint, Rig, Side, Skeleton, Transform, humanoid, rotation,
    };
    use andante_take::{RigidTrack, Take, TakeHead, Track};
    use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform, TriangleMesh};
    use glam::{Vec2, Vec3};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    struct Random(u32);

    impl Random {
        /// Between -1 and 1.
        fn number(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1u32 << 24) as f32 * 2.0 - 1.0
        }

        fn below(&mut self, count: usize) -> usize {
            ((0.5 * self.number() + 0.5) * count as f32) as usize % count
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.number(), self.number(), self.number())
        }
    }

    /// Four straight legs, a metre high and a metre long, with the hips behind and a root that stays on the floor.
    fn quadruped() -> Character {
        let mut joints =
            vec![Joint::new("root", None, Vec3::ZERO), Joint::new("pelvis", Some(0), Vec3::Y)];
        let (mut feet, mut chest) = (Vec::new(), 1);
        for side in [Side::Left, Side::Right, Side::Left, Side::Right] {
            if feet.len() == 2 {
                chest = joints.len();
                joints.push(Joint::new("chest", Some(1), Vec3::Z));
                joints.push(Joint::new("head", Some(chest), Vec3::new(0.0, 0.3, 0.3)));
            }
            let (from, first) = (chest, joints.len());
            let out = if side == Side::Left { 0.2 } else { -0.2 };
            let half = Vec3::new(0.0, -0.45, 0.0);
            for (index, offset) in [Vec3::X * out, half, half].into_iter().enumerate() {
                let above = if index == 0 { from } else { first + index - 1 };
                joints.push(Joint::new(format!("leg {}", first + index), Some(above), offset));
            }
            let sole = |z: f32| BodyPoint { joint: first + 2, offset: Vec3::new(0.0, -0.1, z) };
            feet.push(Foot {
                name: format!("foot {first}"),
                side,
                leg: (first..first + 3).collect(),
                toes: None,
                heel: sole(-0.05),
                ball: sole(0.05),
                tip: sole(0.08),
            });
        }
        Character {
            name: "quadruped".into(),
            description: String::new(),
            skeleton: Skeleton::new(joints).unwrap(),
            rig: Rig { hips: 1, spine: vec![chest], head: Some(chest + 1), feet, arms: vec![] },
        }
    }

    /// Somebody at rest who is carried along, so far in a frame, with all soles down.
    fn carried(body: &Character, step: f32, frames: usize) -> Track {
        let mut transforms: Vec<Transform> = Vec::new();
        for frame in 0..frames {
            let first = transforms.len();
            transforms.extend(body.skeleton.joints().iter().map(|joint| joint.rest));
            transforms[first + body.rig.hips].translation.z += step * frame as f32;
        }
        let clip = Clip::new("carried", &body.skeleton, 30.0, transforms).unwrap();
        let down = vec![Interval::new(0.0, clip.duration())];
        let foot = FootContacts { heel: down.clone(), toe: down };
        let contacts = Contacts { feet: vec![foot; body.rig.feet.len()] };
        Track::of_clip(body, &clip, contacts)
    }

    /// The same motion of a body of another size.
    fn scaled(track: &Track, by: f32) -> Track {
        let mut body = track.character.clone();
        let larger = |joint: &Joint| {
            let mut joint = joint.clone();
            joint.rest.translation *= by;
            joint.tip = joint.tip.map(|tip| by * tip);
            joint
        };
        body.skeleton = Skeleton::new(body.skeleton.joints().iter().map(larger).collect()).unwrap();
        for foot in &mut body.rig.feet {
            for point in [&mut foot.heel, &mut foot.ball, &mut foot.tip] {
                point.offset *= by;
            }
        }
        let mut transforms = track.clip.transforms().to_vec();
        transforms.iter_mut().for_each(|local| local.translation *= by);
        let name = track.clip.name();
        let clip = Clip::new(name, &body.skeleton, track.clip.fps(), transforms).unwrap();
        let physical = track.physical.clone();
        Track { physical, ..Track::of_clip(&body, &clip, track.contacts.clone()) }
    }

    /// A generated motion of a body of some size that is bent, jerked, sunk and moved more or less.
    fn track(random: &mut Random, harm: f32) -> Track {
        let made = match random.below(4) {
            0 => carried(&quadruped(), 0.05 * random.number(), 40),
            _ => {
                let human = humanoid();
                let name = synth::NAMES[random.below(synth::NAMES.len())];
                let made = synth::clip(&human, name).unwrap();
                Track::of_clip(&human, &made.clip, made.contacts)
            }
        };
        let body = &made.character;
        let joints = body.skeleton.len();
        let mut transforms = made.clip.transforms().to_vec();
        let frames = made.clip.frame_count();
        for _ in 0..random.below(4) {
            let (joint, from) = (1 + random.below(joints - 1), random.below(frames));
            let until = (from + 1 + random.below(40)).min(frames);
            let turn = rotation::exp(harm * random.vector());
            for frame in from..until {
                let local = &mut transforms[frame * joints + joint].rotation;
                *local *= turn;
            }
        }
        let (aside, from) = (0.1 * harm * random.vector(), random.below(frames));
        for frame in from..frames {
            transforms[frame * joints].translation += aside;
        }
        let clip = Clip::new("made", &body.skeleton, made.clip.fps(), transforms).unwrap();
        let mut track = Track::of_clip(body, &clip, made.contacts.clone());
        if random.below(4) == 0 {
            track.physical = vec![Interval::new(0.3, 0.3 + 0.2 * harm)];
        }
        // From the size of a beetle to that of a house; every other one as it is.
        match random.below(2) {
            0 => scaled(&track, 0.02 * libm::powf(1000.0, 0.5 * random.number() + 0.5)),
            _ => track,
        }
    }

    /// A platform that moves up and along.
    fn deck(random: &mut Random) -> RigidTrack {
        let corners = [[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]].map(Vec2::from);
        let mesh = TriangleMesh {
            positions: corners.iter().map(|corner| Vec3::new(corner.x, 0.0, corner.y)).collect(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            ..TriangleMesh::default()
        };
        let (at, way) = (0.5 * random.vector(), 0.01 * random.vector());
        let place = |frame: usize| Transform::from_translation(at + way * frame as f32);
        RigidTrack {
            outlines: vec![corners.to_vec()],
            places: (0..50).map(place).collect(),
            ..RigidTrack::new("deck", mesh)
        }
    }

    fn take(seed: u32) -> (Take, Demand) {
        let mut random = Random(seed);
        let harm = [0.0, 0.3, 1.0, 2.5][random.below(4)];
        let corners = [[-3.0, -2.0], [4.0, -3.0], [3.0, 8.0], [-4.0, 7.0]].map(Vec2::from);
        let platform = Platform::level("ground", corners.to_vec(), 0.02 * harm * random.number());
        let terrain = [None, Some("hills:0.1:2"), Some("stairs:0.1:0.4")][random.below(3)];
        let terrain = terrain.map(|words| words.parse().unwrap());
        let stone = |random: &mut Random| Obstacle {
            name: "stone".into(),
            shape: match random.below(2) {
                0 => ObstacleShape::Box(Vec3::new(0.4, 0.6, 0.3)),
                _ => ObstacleShape::Cylinder { radius: 0.2, height: 1.5 },
            },
            at: 2.0 * random.vector().with_y(0.0),
            heading: 3.0 * random.number(),
        };
        let obstacles: Vec<Obstacle> = (0..random.below(3)).map(|_| stone(&mut random)).collect();
        let tracks: Vec<Track> =
            (0..1 + random.below(2)).map(|_| track(&mut random, harm)).collect();
        let head = TakeHead {
            fps: tracks[0].clip.fps(),
            ground: vec![GroundPatch { platform, terrain }],
            obstacles,
            ..TakeHead::default()
        };
        let spot = |random: &mut Random| {
            let place = Vec2::new(random.number(), random.number());
            Some(DemandedSpot { place, height: None, heading: Some(random.number()) })
        };
        let part = |_: &Track| {
            let start = spot(&mut random);
            PartDemand { start, goal: spot(&mut random), ..PartDemand::default() }
        };
        let demand = Demand {
            ground: head.ground.clone(),
            obstacles: head.obstacles.clone(),
            parts: tracks.iter().map(part).collect(),
            ..Demand::default()
        };
        let things = (0..random.below(2)).map(|_| deck(&mut random)).collect();
        (Take { head, tracks, things, events: Vec::new() }, demand)
    }

    fn words(verdict: &Verdict) -> Vec<String> {
        let mut all: Vec<String> =
            verdict.violations.iter().map(|violation| format!("{violation:?}")).collect();
        all.sort();
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn what_is_told_quickly_is_what_is_told_by_looking_at_everything(seed: u32) {
            let (take, demand) = take(seed);
            let settings = CheckSettings::default();
            for demand in [None, Some(&demand)] {
                let [quick, slow] =
                    [false, true].map(|all| looked_at(&take, demand, &settings, all).unwrap());
                prop_assert_eq!(words(&quick), words(&slow));
            }
        }

        #[test]
        fn ends_are_judged_alone_as_they_are_with_everything_else(seed: u32) {
            let (take, demand) = take(seed);
            let settings = CheckSettings::default();
            let mut whole = check(&take, Some(&demand), &settings).unwrap();
            whole.violations.retain(|violation| violation.kind.is_of_ends());
            let ends = check_ends(&take, &demand, &settings).unwrap();
            prop_assert_eq!(words(&ends), words(&whole));
        }
    }

    /// What is said of a body on level ground is said of it on ground that is curved and hardly differs.
    #[test]
    fn curved_ground_is_there_for_large_long_and_swift_bodies_and_for_roots_that_stay_behind() {
        let (human, beast) = (humanoid(), quadruped());
        for (what, track) in [
            ("large", scaled(&carried(&human, 0.0, 3), 6.0)),
            ("long", scaled(&carried(&beast, 0.0, 3), 5.0)),
            ("larger", scaled(&carried(&beast, 0.0, 3), 12.0)),
            ("swift", carried(&human, 4.0, 9)),
            ("with a root that stays", carried(&beast, 0.05, 160)),
        ] {
            for sunk in [0.0, 0.1] {
                let mut transforms = track.clip.transforms().to_vec();
                let (lowest, hips) =
                    (&track.character.skeleton.rest_bounds(), track.character.rig.hips);
                for pose in transforms.chunks_exact_mut(track.character.skeleton.len()) {
                    pose[hips].translation.y -= sunk * (lowest.1 - lowest.0).max_element();
                }
                let clip = Clip::new(what, &track.character.skeleton, 30.0, transforms).unwrap();
                let found = ["hills:0.0001:2", ""].map(|terrain| {
                    let corners = [[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]];
                    let corners = corners.map(Vec2::from).to_vec();
                    let platform = Platform::level("ground", corners, 0.0);
                    let terrain = (!terrain.is_empty()).then(|| terrain.parse().unwrap());
                    let ground = vec![GroundPatch { platform, terrain }];
                    let head = TakeHead { fps: 30.0, ground, ..TakeHead::default() };
                    let track = Track { clip: clip.clone(), ..track.clone() };
                    let (tracks, things) = (vec![track], Vec::new());
                    let take = Take { head, tracks, things, events: Vec::new() };
                    let verdict = check(&take, None, &CheckSettings::default()).unwrap();
                    let kinds = verdict.violations.iter().map(|wrong| wrong.kind);
                    kinds.collect::<BTreeSet<ViolationKind>>()
                });
                assert_eq!(found[0], found[1], "{what}, sunk by {sunk}");
                let is_in = found[0].contains(&ViolationKind::FootInGround)
                    || found[0].contains(&ViolationKind::ThroughWorld);
                assert_eq!(is_in, sunk > 0.0, "{what}: {:?}", found[0]);
                let floats = found[0].contains(&ViolationKind::ContactInAir);
                assert!(sunk > 0.0 || !floats, "{what}: {:?}", found[0]);
            }
        }
    }

    /// Otherwise the comparison above would say nothing.
    #[test]
    fn generated_takes_are_wrong_in_many_ways() {
        let mut kinds = BTreeSet::new();
        let mut fine = 0;
        for seed in 0..60 {
            let (take, _) = take(seed * 7919);
            let verdict = check(&take, None, &CheckSettings::default()).unwrap();
            fine += usize::from(verdict.is_ok());
            kinds.extend(verdict.violations.iter().map(|violation| violation.kind));
        }
        assert!(kinds.len() >= 12 && fine >= 2, "{fine} fine, {kinds:?}");
    }
}
