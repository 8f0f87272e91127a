//! A human that reaches for things and keeps its balance.

#![allow(clippy::unwrap_used)]

use andante_body::{
    BodyCondition, Physique, Push, ReachStatus, RecoveryController, RecoveryOptions,
};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, Vec3, vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const STEP: f64 = 1.0 / 240.0;

struct Person {
    physique: Physique,
    simulation: Simulation<f64>,
    survivor: RecoveryController,
}

impl Person {
    fn new() -> Self {
        let body = andante_body::creature("humanoid").unwrap();
        let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
        let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
        let simulation = Simulation::new(physique.model.clone(), ContactTerrain::level(), settings);
        let survivor = RecoveryController::new(&physique, RecoveryOptions::default()).unwrap();
        Person { simulation: simulation.unwrap(), survivor, physique }
    }

    fn reach(&mut self, hand: usize, target: Vec3<f64>) {
        self.survivor.balancer_mut().reach(&self.physique, hand, target);
    }

    /// Where a hand is, and how fast.
    fn hand(&self, hand: usize) -> (Vec3<f64>, f64) {
        let kin = self.simulation.kinematics();
        let at = self.physique.hand_at(kin, hand).unwrap();
        let link = self.physique.hands[hand].unwrap().link;
        (at, kin.velocity_at(&self.physique.model, link, at).length())
    }

    /// Lives for some seconds; gives the highest speed of a hand.
    fn live(&mut self, seconds: f64, hand: usize) -> f64 {
        let (end, mut fastest) = (self.simulation.time() + seconds, 0.0f64);
        while self.simulation.time() < end {
            self.survivor.drive(&self.physique, &mut self.simulation);
            assert_eq!(self.simulation.step().quarantined, 0);
            fastest = fastest.max(self.hand(hand).1);
        }
        fastest
    }

    fn status(&self, hand: usize) -> Option<ReachStatus> {
        let reaching = self.survivor.balancer().reaching(hand, self.simulation.time());
        reaching.map(|reaching| reaching.status)
    }

    /// Steps and falls.
    fn trouble(&self) -> usize {
        let balancer = self.survivor.balancer();
        balancer.steps() + balancer.returns() + self.survivor.falls()
    }
}

/// In front, aside, high and low; some need a lean.
fn targets() -> Vec<(usize, Vec3<f64>)> {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut all = vec![
        (1, vec3(-0.3, 1.95, 0.1)),
        (0, vec3(0.2, 0.5, 0.45)),
        (1, vec3(-0.2, 0.3, 0.4)),
        (0, vec3(0.2, 1.3, 0.8)),
        (1, vec3(-0.95, 1.3, 0.1)),
        (0, vec3(-0.2, 1.2, 0.4)),
    ];
    for index in 0..14 {
        let (hand, side) = [(0, 1.0), (1, -1.0)][index % 2];
        let turn = -0.4 + 1.7 * random.random::<f64>();
        let out = 0.3 + 0.5 * random.random::<f64>();
        let up = 0.4 + 1.4 * random.random::<f64>();
        all.push((hand, vec3(side * (0.15 + out * turn.sin()), up, out * turn.cos())));
    }
    all
}

#[test]
fn hands_come_within_two_centimetres_without_a_step_and_go_back_smoothly() {
    let mut start = Person::new();
    start.live(1.0, 0);
    for (hand, target) in targets() {
        let mut person = Person {
            physique: start.physique.clone(),
            simulation: start.simulation.clone(),
            survivor: start.survivor.clone(),
        };
        let (home, _) = person.hand(hand);
        person.reach(hand, target);
        let out = person.live(3.5, hand);
        let off = (person.hand(hand).0 - target).length();
        assert!(off < 0.02, "{target:?}: {off} m");
        assert_eq!(person.status(hand), Some(ReachStatus::There), "{target:?}");
        person.survivor.balancer_mut().release(hand);
        let back = person.live(3.0, hand);
        assert!(out < 2.0 && back < 2.0, "{target:?}: {out} and {back} m/s");
        assert_eq!(person.status(hand), None);
        let off = (person.hand(hand).0 - home).length();
        assert!(off < 0.06, "{target:?}: {off} m from home");
        assert_eq!(person.trouble(), 0, "{target:?}");
    }
}

#[test]
fn a_place_out_of_reach_is_said_to_be_and_leant_to_without_a_step() {
    for target in [vec3(0.2, 1.2, 1.2), vec3(2.0, 1.2, 2.0), vec3(0.3, 3.0, 0.0)] {
        let mut person = Person::new();
        person.live(1.0, 0);
        let before = (person.hand(0).0 - target).length();
        person.reach(0, target);
        person.live(6.0, 0);
        assert_eq!(person.status(0), Some(ReachStatus::OutOfReach), "{target:?}");
        let after = (person.hand(0).0 - target).length();
        assert!(after < before - 0.4, "{target:?}: {before} to {after} m");
        assert_eq!(person.trouble(), 0, "{target:?}");
        person.survivor.balancer_mut().release(0);
        person.live(3.0, 0);
        assert_eq!(person.trouble(), 0, "{target:?}");
    }
}

#[test]
fn both_hands_reach_at_once() {
    let mut person = Person::new();
    let targets = [vec3(0.3, 1.5, 0.5), vec3(-0.35, 0.9, 0.5)];
    for (hand, target) in targets.into_iter().enumerate() {
        person.reach(hand, target);
    }
    person.live(3.5, 0);
    for (hand, target) in targets.into_iter().enumerate() {
        assert!((person.hand(hand).0 - target).length() < 0.02);
    }
    assert_eq!(person.trouble(), 0);
}

#[test]
fn who_is_pushed_while_reaching_recovers_and_reaches_again() {
    let mut person = Person::new();
    let target = vec3(0.3, 1.3, 0.5);
    person.reach(0, target);
    person.live(2.0, 0);
    let push = Push { at: 2.5, ..Push::new(45.0, 3.0) };
    while person.simulation.time() < 14.0 {
        push.apply(&person.physique, &mut person.simulation);
        person.survivor.drive(&person.physique, &mut person.simulation);
        person.simulation.step();
    }
    assert_eq!(person.survivor.condition(), BodyCondition::Balance);
    assert!(person.survivor.balancer().steps() > 0);
    let reaching = person.survivor.balancer().reaching(0, person.simulation.time()).unwrap();
    assert_eq!(reaching.status, ReachStatus::There, "{reaching:?}");
}

#[test]
fn what_is_no_hand_and_no_place_is_not_reached_for() {
    let mut person = Person::new();
    person.reach(2, vec3(0.0, 1.0, 0.5));
    person.reach(0, vec3(f64::NAN, 1.0, 0.5));
    person.survivor.balancer_mut().release(7);
    person.live(0.1, 0);
    assert_eq!(person.status(0), None);
    assert_eq!(person.status(2), None);
}
