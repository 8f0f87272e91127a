//! Things that are thrown at a human, and ground that moves under it.

#![allow(clippy::unwrap_used)]

use andante_body::{
    BalanceController, BalanceOptions, Physique, Prop, PropForm, Push, PushTrial, state_with_props,
    with_props,
};
use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Simulation, Vec3, vec3};
use std::sync::Arc;

const STEP: f64 = 1.0 / 240.0;

fn human() -> Physique {
    let body = andante_body::creature("humanoid").unwrap();
    Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap()
}

/// A human that stands, with something on its way to its chest, a step or two away.
fn thrown(physique: &Physique, form: PropForm, mass: f64, velocity: Vec3<f64>) -> Simulation<f64> {
    let mut kin = andante_dynamics::Kinematics::new(&physique.model);
    let rest = JointState::<f64>::rest(&physique.model);
    kin.set_positions(&physique.model, &rest.q);
    let chest = kin.point(&physique.model, physique.torso, physique.chest);
    let away = velocity.normalized().unwrap() * (0.2 + form.reach());
    let prop = Prop::new("prop", form, mass, chest - away).thrown(velocity);
    prop.check(&ContactTerrain::level()).unwrap();
    let model = Arc::new(with_props(Some(&physique.model), std::slice::from_ref(&prop)).unwrap());
    let options = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation = Simulation::new(model, ContactTerrain::level(), options).unwrap();
    simulation.set_state(&state_with_props(&rest, &[prop])).unwrap();
    simulation
}

fn run(physique: &Physique, simulation: &mut Simulation<f64>, seconds: f64) -> (usize, Vec3<f64>) {
    let mut balancer = BalanceController::new(physique, BalanceOptions::default());
    let mut fastest = Vec3::default();
    while simulation.time() < seconds {
        balancer.drive(physique, simulation);
        assert_eq!(simulation.step().quarantined, 0);
        let (momentum, _) = simulation.momentum(0);
        let along = vec3(momentum.x, 0.0, momentum.z);
        if along.length() > fastest.length() && simulation.time() < 0.3 {
            fastest = along;
        }
    }
    (balancer.steps(), fastest)
}

#[test]
fn what_is_thrown_gives_its_momentum_to_the_body_and_nothing_is_lost() {
    let physique = human();
    for form in [PropForm::Ball { radius: 0.12 }, PropForm::Cube { side: 0.2 }] {
        let mut simulation = thrown(&physique, form, 3.0, vec3(0.0, 0.0, 8.0));
        let mut balancer = BalanceController::new(&physique, BalanceOptions::default());
        let mut known = simulation.momentum(0).0 + simulation.momentum(1).0;
        let mass = physique.mass + 3.0;
        let mut struck = false;
        while simulation.time() < 0.4 {
            balancer.drive(&physique, &mut simulation);
            simulation.step();
            let ground = simulation.contacts(0).filter(|contact| contact.other.is_none());
            known += ground.fold(vec3(0.0, -9.80665 * mass, 0.0), |sum, c| sum + c.force) * STEP;
            struck |= simulation.contacts(0).any(|contact| contact.other.is_some());
        }
        let all = simulation.momentum(0).0 + simulation.momentum(1).0;
        assert!(struck);
        assert!((all - known).length() < 0.01 * 24.0, "{form:?}: {:?}", all - known);
    }
}

#[test]
fn a_throw_is_a_push_of_its_momentum() {
    let physique = human();
    for (mass, speed) in [(2.0, 10.0), (4.0, 5.0)] {
        let form = PropForm::Ball { radius: 0.12 };
        let mut simulation = thrown(&physique, form, mass, vec3(0.0, 0.0, speed));
        let (_, body) = run(&physique, &mut simulation, 0.3);
        // What does not bounce stays behind with the speed of the chest: the body gets most of it.
        let push = mass * speed;
        assert!((0.7 * push..1.3 * push).contains(&body.z), "{body:?} of {push}");
        let mut trial = PushTrial::new(
            &physique,
            ContactTerrain::level(),
            BalanceOptions::default(),
            Push { at: 0.0, duration: STEP, ..Push::new(push, 0.0) },
            STEP,
        )
        .unwrap();
        let mut pushed = Vec3::default();
        while trial.simulation.time() < 0.3 {
            trial.step(&physique);
            let (momentum, _) = trial.simulation.momentum(0);
            if momentum.length() > pushed.length() {
                pushed = momentum;
            }
        }
        assert!((pushed.z - body.z).abs() < 0.3 * push, "{pushed:?} {body:?}");
    }
}

#[test]
fn a_human_that_is_hit_stays_up_and_what_hit_it_lies_on_the_ground() {
    let physique = human();
    for velocity in [vec3(0.0, 0.0, 9.0), vec3(9.0, 0.0, 0.0), vec3(0.0, 0.0, -9.0)] {
        let form = PropForm::Ball { radius: 0.12 };
        let mut simulation = thrown(&physique, form, 3.0, velocity);
        let (steps, _) = run(&physique, &mut simulation, 4.0);
        let head = simulation.kinematics().point(&physique.model, physique.torso, physique.head);
        assert!(head.y > 0.85 * physique.top && steps <= 4, "{velocity:?}: {head:?} {steps}");
        let link = physique.model.links().len();
        let ball = simulation.kinematics().position(simulation.model(), link);
        assert!((ball.y - 0.12).abs() < 0.02, "{velocity:?}: {ball:?}");
    }
}

/// Seen from a platform that is moved along, everything is pushed the other way.
#[test]
fn a_platform_that_is_pulled_away_under_a_human_is_a_push() {
    let physique = human();
    let options = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), options).unwrap();
    let mut balancer = BalanceController::new(&physique, BalanceOptions::default());
    while simulation.time() < 5.0 {
        // Half a metre per second in a fifth of a second, and on at that speed.
        let pulled = (0.5..0.7).contains(&simulation.time());
        let gravity = vec3(0.0, -9.80665, if pulled { -2.5 } else { 0.0 });
        simulation.set_gravity(gravity).unwrap();
        balancer.drive(&physique, &mut simulation);
        assert_eq!(simulation.step().quarantined, 0);
    }
    let head = simulation.kinematics().point(&physique.model, physique.torso, physique.head);
    assert!(head.y > 0.85 * physique.top, "{head:?}");
    assert!(simulation.momentum(0).0.length() < 0.1 * physique.mass);
}
