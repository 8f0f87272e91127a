//! Legs that carry a body all the time.

#![allow(clippy::unwrap_used)]

use andante_body::creature;
use andante_gait::{
    CandidateTrial, CyclePush, Evaluator, Feedback, FeedbackOptions, FoundGait, GaitCycle,
    GaitProblem, GaitSketch, HeldRun, PlainWalkOptions, ProblemOptions, PulseController,
    SOFT_CONSTRAINTS, Search, SearchOptions, StridePattern,
};
use glam::DVec3;
use std::sync::Arc;

fn made(sketch: &GaitSketch, canonical: bool) -> GaitProblem {
    let body = creature(&sketch.character).unwrap();
    let options = ProblemOptions { canonical, ..ProblemOptions::default() };
    GaitProblem::new(&body, sketch, &options).unwrap()
}

fn problem(name: &str) -> GaitProblem {
    made(&GaitSketch::built_in(name).unwrap(), false)
}

fn found(name: &str) -> (GaitProblem, PulseController) {
    let problem = problem(name);
    let candidate = FoundGait::built_in(name).unwrap().unwrap().candidate(&problem).unwrap();
    (problem, candidate)
}

fn tried(problem: &GaitProblem, candidate: &PulseController) -> CandidateTrial {
    let evaluator = Evaluator::new(Arc::new(problem.clone()), 1).unwrap();
    evaluator.try_out(std::slice::from_ref(candidate)).remove(0)
}

fn soft(name: &str) -> usize {
    SOFT_CONSTRAINTS.iter().position(|known| *known == name).unwrap()
}

/// Hooves land one after the other, each hind one before the fore one of its side; two or more are always down, and each is for
/// more than half of the time.
#[test]
fn a_horse_walks_in_four_beats() {
    let (walk, candidate) = found("horse-walk");
    let cycle = GaitCycle::new(&walk, &candidate);
    let feet = walk.body().feet();
    let foot = |name: &str| feet.iter().position(|foot| foot.name == name).unwrap();
    let order = ["back left foot", "front left foot", "back right foot", "front right foot"];
    let order = order.map(foot);
    let count = cycle.states.len() - 1;
    let down = |foot: usize, index: usize| cycle.down[foot][index % count].contains(&true);
    for index in 0..count {
        let standing = order.iter().filter(|&&foot| down(foot, index)).count();
        assert!((2..=3).contains(&standing), "{index}: {standing} hooves are down");
    }
    let landing = |&foot: &usize| {
        let landings: Vec<usize> =
            (0..count).filter(|&index| !down(foot, index) && down(foot, index + 1)).collect();
        assert_eq!(landings.len(), 1, "{}: {landings:?}", feet[foot].name);
        landings[0] as f64 / count as f64
    };
    let landings: Vec<f64> = order.iter().map(landing).collect();
    for pair in landings.windows(2) {
        assert!((0.1..0.4).contains(&(pair[1] - pair[0])), "{landings:?}");
    }
    for foot in order {
        let share = (0..count).filter(|&index| down(foot, index)).count() as f64 / count as f64;
        assert!((0.58..0.75).contains(&share), "{}: {share}", feet[foot].name);
    }
    // A horse's strides, not a pattering dog's.
    assert!(cycle.period > 0.9 && cycle.stride.z > 0.9, "{} {}", cycle.period, cycle.stride);
}

/// It goes on without feedback as well.
#[test]
fn a_horse_goes_on_and_gets_over_a_push() {
    let (problem, candidate) = found("horse-walk");
    let alone = HeldRun::new(&problem, &candidate, None, 100, None);
    assert_eq!(alone.cycles, 100.0, "{alone:?}");
    let feedback = Feedback::new(&problem, &candidate, &FeedbackOptions::default()).unwrap();
    let held = HeldRun::new(&problem, &candidate, Some(&feedback), 100, None);
    assert_eq!(held.cycles, 100.0, "{held:?}");
    let weight = 9.80665 * problem.body().total_mass();
    for towards in [DVec3::Z, -DVec3::Z, DVec3::X, -DVec3::X] {
        let shove =
            CyclePush { at: 2.0 * candidate.length(), seconds: 0.2, force: 0.1 * weight * towards };
        let pushed = HeldRun::new(&problem, &candidate, Some(&feedback), 25, Some(shove));
        assert_eq!(pushed.cycles, 25.0, "{towards}: {pushed:?}");
    }
}

/// A tripod is always down, each takes its turn alone, and the belly does not drag although nothing but feet meets the ground.
#[test]
fn an_insect_walks_on_tripods() {
    let walk = problem("hexapod-tripod");
    let candidate =
        FoundGait::built_in("hexapod-tripod").unwrap().unwrap().candidate(&walk).unwrap();
    let cycle = GaitCycle::new(&walk, &candidate);
    let body = walk.body();
    let feet = body.feet();
    let foot = |name: &str| feet.iter().position(|foot| foot.name == name).unwrap();
    let tripods = [
        ["front left foot", "middle right foot", "hind left foot"],
        ["front right foot", "middle left foot", "hind right foot"],
    ]
    .map(|tripod| tripod.map(foot));
    let abdomen = body.segments().iter().position(|segment| segment.name == "abdomen").unwrap();
    let middle = body.segments()[abdomen].mass.center;
    let mut alone = [0; 2];
    for (index, state) in cycle.states.iter().enumerate() {
        let down = |foot: usize| cycle.down[foot][index].contains(&true);
        let stands = tripods.map(|tripod| tripod.into_iter().all(down));
        assert!(stands.contains(&true), "{index}: no tripod is down");
        for (tripod, other) in [(0, 1), (1, 0)] {
            alone[tripod] += usize::from(!tripods[other].into_iter().any(down));
        }
        let belly = state.place(body, walk.pose())[abdomen].transform_point(middle).y - 0.055;
        assert!(belly > 0.0, "{index}: the abdomen is at {belly} m");
    }
    let shares = alone.map(|count| count as f64 / cycle.states.len() as f64);
    assert!(shares.iter().all(|share| (0.2..0.5).contains(share)), "{shares:?}");
}

#[test]
fn walks_may_begin_more_slowly_than_runs() {
    let least = |name: &str| {
        let problem = problem(name);
        problem.variables().iter().find(|it| it.name == "speed forwards").unwrap().low
    };
    assert_eq!(least("dog-trot"), 0.5);
    assert!(least("hexapod-tripod") < 0.35);
}

/// Torques grow with weight and height: a horse may take as much more of them as it is larger than a human.
#[test]
fn large_walkers_may_take_more_effort_than_humans() {
    let (problem, candidate) = found("horse-walk");
    let trial = tried(&problem, &candidate);
    let effort = soft("effort");
    assert!(trial.effort > 500_000.0 && trial.soft[effort] == 0.0, "{}", trial.effort);
    let mut strained = candidate.clone();
    for step in &mut strained.steps {
        for phase in [&mut step.air, &mut step.ground] {
            phase.torques.iter_mut().for_each(|torque| *torque *= 1.5);
        }
    }
    assert!(tried(&problem, &strained).soft[effort] > 0.0);
    // What is worth little in a human's measure is worth as little in its own.
    let errors = problem.errors(&trial);
    assert!(errors[errors.len() - 1] < 1.0, "{}", errors[errors.len() - 1]);
}

/// Who stands on ice and is thrown forwards has all feet on the ground and walks on none of them.
#[test]
fn feet_that_slide_do_not_count_as_down() {
    let sketch = GaitSketch::built_in("horse-walk").unwrap();
    let violation = |friction: f64, speed: f64| {
        let options = ProblemOptions::default().with_friction(friction);
        let body = creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &options).unwrap();
        let mut standing = problem.decode(&problem.start());
        standing.start = andante_gait::BodyState::rest(&body, problem.pose());
        standing.start.velocity = speed * DVec3::Z;
        for step in &mut standing.steps {
            for phase in [&mut step.air, &mut step.ground] {
                phase.torques.fill(0.0);
            }
        }
        tried(&problem, &standing).soft[soft("support foot down")]
    };
    let [ice, still] = [violation(0.0, 0.5), violation(0.0, 0.0)];
    assert!(still < 50.0 && ice > 500.0, "{ice} against {still}");
}

/// From soon after it lands until its time is over no foot gets far.
#[test]
fn feet_stay_where_they_land() {
    for name in ["horse-walk", "hexapod-tripod"] {
        let (problem, candidate) = found(name);
        let cycle = GaitCycle::new(&problem, &candidate);
        let sketch = problem.sketch();
        let whole = problem.whole_cycle(&candidate);
        for (step, _, _, from) in whole.phases().filter(|(_, down, ..)| *down) {
            for &foot in &whole.steps[step].feet {
                let at = &problem.body().feet()[foot];
                let toe = |part: f64| {
                    let state = cycle.at(from + part * sketch.duty * cycle.period);
                    let placed = state.place(problem.body(), problem.pose());
                    placed[at.segment].transform_point(at.toe)
                };
                let slid = (1..20).map(|k| f64::from(k) / 20.0).fold(0.0f64, |slid, part| {
                    slid.max((toe(part) - toe(0.05)).with_y(0.0).length())
                });
                assert!(slid < 0.1 * cycle.stride.z, "{name}, {}: {slid} m", at.name);
            }
        }
    }
}

/// Ground pushes feet out with all its might, which is a way to begin faster than one is.
#[test]
fn no_foot_begins_far_below_the_ground() {
    let (problem, candidate) = found("horse-walk");
    let swing = soft("swing feet above ground");
    assert_eq!(tried(&problem, &candidate).soft[swing], 0.0);
    let mut sunk = candidate.clone();
    sunk.start.position.y -= 0.05;
    assert!(tried(&problem, &sunk).soft[swing] > 0.0);
}

/// Feet and times of the horse, but no word about its modes.
fn bare_walk() -> GaitSketch {
    GaitSketch::walk(&creature("horse").unwrap(), &PlainWalkOptions::default()).unwrap()
}

/// Springs that are held against the torques have the feet where their paths are.
#[test]
fn torques_of_a_stride_would_hold_feet_on_their_paths() {
    let problem = made(&bare_walk(), true);
    let stride = StridePattern { speed: 0.5, duty: 0.6, lift: 0.05, lead: 0.0 };
    let walk = stride.controller(&problem);
    let body = problem.body();
    let stiffness: Vec<f64> = body
        .joints()
        .flat_map(|(_, joint)| joint.stiffness.into_iter().take(joint.dof()))
        .collect();
    let foot = body.feet().iter().position(|foot| foot.name == "back left foot").unwrap();
    let toe = |torques: &[f64]| {
        let mut state = andante_gait::BodyState::rest(body, problem.pose());
        for ((angle, torque), spring) in state.deflections.iter_mut().zip(torques).zip(&stiffness) {
            *angle = torque / spring;
        }
        let foot = &body.feet()[foot];
        state.place(body, problem.pose())[foot.segment].transform_point(foot.toe)
    };
    let rest = toe(&vec![0.0; stiffness.len()]);
    // Halfway through the phases: the foot lands between the first two.
    let step = &walk.steps[0];
    let half = 0.5 * stride.speed * walk.length() * 2.0 * stride.duty;
    let stood = 0.5 * step.ground.length / (2.0 * walk.length()) / stride.duty;
    let standing = toe(&step.ground.torques) - rest;
    let along = half * (1.0 - 2.0 * stood);
    assert!(standing.abs_diff_eq(DVec3::new(0.0, 0.0, along), 2e-3), "{standing} {along}");
    let swinging = toe(&step.air.torques) - rest;
    assert!(swinging.z > 0.5 * half && swinging.y > 0.1 * stride.lift, "{swinging}");
    // Torques are ahead of the feet, which begin where they are.
    let early = StridePattern { lead: 0.05, ..stride }.controller(&problem);
    assert_eq!(early.start, walk.start);
    let sooner = toe(&early.steps[0].ground.torques) - rest;
    assert!(sooner.z < standing.z - 0.01, "{sooner} {standing}");
    assert!((walk.start.velocity.z - stride.speed).abs() < 1e-12);
    for phase in walk.steps.iter().flat_map(|step| [&step.air, &step.ground]) {
        assert_eq!(phase.pulse, phase.length);
    }
}

/// Without a search walkers stay on their legs for longer than the half cycle that is evaluated, and get ahead, driven by single joints or by modes.
#[test]
fn a_stride_nearly_walks() {
    for name in ["horse", "dog", "insect"] {
        let sketch =
            GaitSketch::walk(&creature(name).unwrap(), &PlainWalkOptions::default()).unwrap();
        for canonical in [true, false] {
            let problem = made(&sketch, canonical);
            let walk = StridePattern::natural(&problem).controller(&problem);
            let run = HeldRun::new(&problem, &walk, None, 3, None);
            assert!(run.cycles > 0.75, "{name} {canonical}: {run:?}");
            let mut limp = walk.clone();
            for step in &mut limp.steps {
                step.air.torques.fill(0.0);
                step.ground.torques.fill(0.0);
            }
            let limp = HeldRun::new(&problem, &limp, None, 3, None);
            // The dog falls soon, but in the direction it was going to.
            let gained = run.distance - limp.distance;
            let wanted = if name == "dog" { 0.0 } else { 0.25 * sketch.speed * sketch.period };
            assert!(gained > wanted, "{name} {canonical}: {run:?}, {limp:?}");
        }
    }
}

/// A search begins where it is told to, and a checkpoint of it is not mistaken for one that began elsewhere.
#[test]
fn a_search_begins_with_a_stride() {
    let plain = problem("horse-walk");
    let walk = StridePattern::natural(&plain).controller(&plain);
    let problem = Arc::new(plain.clone().beginning_with(&walk));
    assert_eq!(problem.start(), problem.encode(&walk));
    assert_ne!(problem.start(), plain.start());
    let options = SearchOptions { population: Some(8), ..SearchOptions::default() };
    let mut search = Search::new(Arc::clone(&problem), &options, 1).unwrap();
    search.step();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.bin");
    search.save(&path).unwrap();
    assert!(Search::resume(problem, &path, 1).is_ok());
    let refused = Search::resume(Arc::new(plain), &path, 1).err().unwrap().to_string();
    assert!(refused.contains("another sketch"), "{refused}");
    // Of what has no style nothing would be lost: it begins so by itself.
    for canonical in [false, true] {
        let bare = made(&bare_walk(), canonical);
        assert_eq!(bare.start(), bare.encode(&StridePattern::natural(&bare).controller(&bare)));
    }
}

/// Steps follow from where feet are: four beats for four legs, tripods for six.
#[test]
fn walks_are_sketched_for_a_build() {
    let dog = GaitSketch::walk(&creature("dog").unwrap(), &PlainWalkOptions::default()).unwrap();
    assert_eq!(dog.steps.len(), 2);
    assert!((0.5..0.8).contains(&dog.period) && (0.5..0.8).contains(&dog.speed), "{dog:?}");
    let insect =
        GaitSketch::walk(&creature("insect").unwrap(), &PlainWalkOptions::default()).unwrap();
    let mut feet = insect.steps[0].feet.clone();
    feet.sort();
    assert_eq!(feet, ["front left foot", "hind left foot", "middle right foot"]);
    assert_eq!(andante_gait::read_sketch(&insect.to_toml()).unwrap(), insect);
    for name in ["humanoid", "ostrich", "kangaroo"] {
        let refused =
            GaitSketch::walk(&creature(name).unwrap(), &PlainWalkOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("four or more"), "{refused}");
    }
}

/// Bodies of all kinds come from files: joints without springs, feet that are the trunk itself, feet in the middle, curves.
#[test]
fn odd_bodies_and_ways_have_a_stride_too() {
    let whole = creature("dog").unwrap();
    let mut parts = whole.clone().into_parts();
    let paw = whole.find("left front paw").unwrap();
    let partner = whole.find("right front paw").unwrap();
    for segment in [paw, partner] {
        parts.segments[segment].joint.as_mut().unwrap().stiffness = [0.0; 3];
    }
    let root = whole.parents().position(|parent| parent.is_none()).unwrap();
    let belly = andante_body::BodyFoot {
        name: "belly".into(),
        segment: root,
        hip: root,
        toe: DVec3::new(0.0, 0.0, 0.1),
        heel: DVec3::ZERO,
        ..whole.feet()[0].clone()
    };
    parts.feet.push(belly);
    let odd = andante_body::Body::new(parts).unwrap();
    let mut sketch = GaitSketch::walk(&odd, &PlainWalkOptions::default()).unwrap();
    assert_eq!(sketch.disregarded, ["belly"]);
    sketch.disregarded.clear();
    sketch.steps[0].feet.push("belly".into());
    sketch.steps[0].ground.allowed.truncate(20);
    for turn in [0.0, 0.3] {
        sketch.turn = turn;
        let problem = GaitProblem::new(&odd, &sketch, &ProblemOptions::default()).unwrap();
        let walk = StridePattern::natural(&problem).controller(&problem);
        let states = [Some(&walk.start), walk.middle.as_ref()];
        for state in states.into_iter().flatten() {
            assert!(state.deflections.iter().all(|angle| angle.is_finite()));
            assert!((state.velocity.z - 0.8 * sketch.speed).abs() < 1e-9);
        }
        assert_eq!(walk.middle.is_some(), turn != 0.0);
        assert!(problem.start().iter().all(|unit| (0.0..=1.0).contains(unit)));
    }
}
