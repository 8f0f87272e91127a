//! Bodies that follow clips by the torques of their joints.

#![allow(clippy::unwrap_used)]

use andante_body::{
    ClipControlOptions, ClipPlan, HumanFit, Physique, TrackEnd, TrackOutcome, TrackTrial, fit_human,
};
use andante_dynamics::{Kinematics, PhysicsSettings};
use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions, plant_feet};
use andante_motion::synth::{self, GaitRequest};
use andante_motion::{oddities, rig};
use andante_skeleton::{Character, humanoid, humanoid_of_height};
use std::path::Path;

const STEP: f64 = 1.0 / 240.0;

/// A body for somebody, and the plan of a generated clip.
fn generated(human: &Character, made: &synth::SynthClip) -> (HumanFit, Physique, ClipPlan) {
    let (fit, physique) = body(human);
    let feet = &made.contacts.feet;
    let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
    let clip = (human, &made.clip);
    let plan = ClipPlan::new(&physique, &fit, clip, 0.0, &down, &Default::default()).unwrap();
    (fit, physique, plan)
}

fn body(human: &Character) -> (HumanFit, Physique) {
    let fit = fit_human(human, &Default::default()).unwrap();
    let settings = PhysicsSettings::default();
    let physique = Physique::new(&fit.body, &fit.body.poses()[0], &settings).unwrap();
    (fit, physique)
}

fn follow(physique: &Physique, plan: ClipPlan, assist: f64) -> TrackOutcome {
    let options = ClipControlOptions { assist, ..ClipControlOptions::default() };
    let mut trial = TrackTrial::new(physique, plan, options, STEP).unwrap();
    while trial.step(physique) {}
    trial.outcome()
}

/// The plan of a motion file, its feet planted.
fn captured(path: &Path) -> (Physique, ClipPlan) {
    let asset = read_file(path, &ReadOptions::default(), None).unwrap();
    let clip = &asset.clips[0];
    let clip = oddities::without_added_frames(&asset.skeleton, clip, 0).unwrap();
    let rig = rig::detect(&asset.skeleton, &asset.clips).unwrap();
    let found = analyse(&asset.skeleton, &rig, &clip, &AnalysisOptions::default()).unwrap();
    let height = found.ground.height;
    let options = PlantOptions { ground: GroundLevel::Flat(height), ..PlantOptions::default() };
    let (clip, _) = plant_feet(&asset.skeleton, &rig, &clip, &found.contacts, &options).unwrap();
    let character = Character::new("somebody", asset.skeleton.clone(), rig);
    let (fit, physique) = body(&character);
    let feet = &found.contacts.feet;
    let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
    let clip = (&character, &clip);
    let height = f64::from(height);
    let plan = ClipPlan::new(&physique, &fit, clip, height, &down, &Default::default()).unwrap();
    (physique, plan)
}

#[test]
fn walks_of_several_sizes_and_speeds_are_followed_to_their_ends_without_help() {
    for (height, speed) in [(1.75, 1.3), (1.6, 1.0), (1.9, 1.5)] {
        let human = humanoid_of_height(height);
        let made = synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap();
        let (_, physique, plan) = generated(&human, &made);
        let done = follow(&physique, plan, 0.0);
        assert_eq!(done.end, TrackEnd::Followed, "{height} m, {speed} m/s: {done:?}");
        assert!(done.error.to_degrees() < 15.0, "{height} m, {speed} m/s: {done:?}");
        assert_eq!((done.assist, done.assist_peak), (0.0, 0.0));
        assert_eq!(done.energy.assistant, 0.0);
    }
}

#[test]
fn energy_that_goes_in_comes_out_to_two_hundredths() {
    let human = humanoid();
    for (name, assist) in [("walk", 0.0), ("walk", 1.0), ("stand", 0.0)] {
        let made = synth::clip(&human, name).unwrap();
        let (_, physique, plan) = generated(&human, &made);
        let energy = follow(&physique, plan, assist).energy;
        let moved = energy.driven - energy.braked + energy.assistant.abs() + energy.ground.abs();
        assert!(energy.unaccounted().abs() < 0.02 * moved + 0.1, "{name} {assist}: {energy:?}");
    }
}

#[test]
fn the_same_clip_is_followed_in_the_same_way_to_the_last_bit() {
    let human = humanoid();
    let made = synth::clip(&human, "walk").unwrap();
    let (_, physique, plan) = generated(&human, &made);
    let (_, _, again) = generated(&human, &made);
    assert_eq!(follow(&physique, plan, 0.0), follow(&physique, again, 0.0));
}

#[test]
fn an_assistant_pulls_a_body_nearer_to_the_clip_and_accounts_for_its_force() {
    let human = humanoid();
    let made = synth::clip(&human, "walk").unwrap();
    let (_, physique, plan) = generated(&human, &made);
    let alone = follow(&physique, plan.clone(), 0.0);
    let held = follow(&physique, plan, 1.0);
    assert_eq!(held.end, TrackEnd::Followed);
    assert!(held.assist > 0.0 && held.assist <= held.assist_peak);
    assert!(held.plan_error <= alone.plan_error + 0.02, "{held:?} {alone:?}");
}

/// The soles of a plan: where a foot is down it neither slides nor sinks nor hangs in the air.
#[test]
fn feet_of_a_plan_stand_on_the_ground_where_the_clip_has_them_down() {
    let human = humanoid();
    let made = synth::clip(&human, "walk").unwrap();
    let (_, physique, mut plan) = generated(&human, &made);
    let mut reference = plan.reference(&physique);
    let mut kin = Kinematics::new(&physique.model);
    let count = (plan.seconds() / 0.01) as usize;
    for k in 0..count {
        let time = k as f64 * 0.01;
        plan.at(&physique, time, 1.0, &mut reference);
        kin.set_positions(&physique.model, &reference.q);
        for (foot, sole) in physique.soles.iter().enumerate() {
            let heights = sole.edges().map(|c| kin.point(&physique.model, sole.link, c).y);
            let low = heights.into_iter().fold(f64::INFINITY, f64::min);
            assert!(low > -0.01, "{time}: foot {foot} is {low} m below");
            let feet = &made.contacts.feet[foot];
            let (heel, toe) = (feet.heel_down(time as f32), feet.toe_down(time as f32));
            if heel && toe {
                assert!(low < 0.02, "{time}: foot {foot} hangs {low} m above");
            }
        }
    }
}

#[test]
fn a_captured_walk_of_another_rig_is_followed_to_its_end() {
    for name in ["cmu/16/16_15.bvh", "cmu/16/16_33.bvh", "cmu/other/104_02.bvh"] {
        let Some(path) = andante_testdata::mocap(name) else { continue };
        let (physique, plan) = captured(&path);
        let done = follow(&physique, plan, 0.0);
        assert_eq!(done.end, TrackEnd::Followed, "{name}: {done:?}");
        assert!(done.error.to_degrees() < 20.0, "{name}: {done:?}");
    }
}

#[test]
fn what_is_no_clip_or_no_share_is_refused() {
    let human = humanoid();
    let made = synth::clip(&human, "walk").unwrap();
    let (fit, physique, plan) = generated(&human, &made);
    for assist in [-0.1, 1.1, f64::NAN] {
        let options = ClipControlOptions { assist, ..ClipControlOptions::default() };
        assert!(TrackTrial::new(&physique, plan.clone(), options, STEP).is_err());
    }
    let never = |_: usize, _: f32| [false; 2];
    let clip = (&human, &made.clip);
    let error = ClipPlan::new(&physique, &fit, clip, 0.0, &never, &Default::default());
    assert!(error.unwrap_err().to_string().contains("no foot is ever down"));
}
