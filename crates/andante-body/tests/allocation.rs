//! Nothing allocates once a body lives.

#![allow(clippy::unwrap_used)]

use andante_body::{BodyCondition, Physique, Push, RecoveryController, RecoveryOptions};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, vec3};

/// A human on level ground.
fn standing() -> (Physique, Simulation<f64>, RecoveryController) {
    let body = andante_body::creature("humanoid").unwrap();
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
    let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
    let simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings).unwrap();
    let survivor = RecoveryController::new(&physique, RecoveryOptions::default()).unwrap();
    (physique, simulation, survivor)
}

#[test]
fn steps_falls_and_rises_allocate_nothing() {
    let (physique, mut simulation, mut survivor) = standing();
    let mut lived = [false; 5];
    let counted = allocation_counter::measure(|| {
        let push = Push::new(130.0, 0.0);
        while simulation.time() < 9.0 {
            push.apply(&physique, &mut simulation);
            survivor.drive(&physique, &mut simulation);
            simulation.step();
            lived[match survivor.condition() {
                BodyCondition::Balance => 0,
                BodyCondition::Fall => 1,
                BodyCondition::Lie => 2,
                BodyCondition::GetUp { .. } => 3,
                BodyCondition::Stand => 4,
            }] = true;
        }
    });
    assert_eq!(lived, [true; 5]);
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn reaching_allocates_nothing() {
    let (physique, mut simulation, mut survivor) = standing();
    let counted = allocation_counter::measure(|| {
        survivor.balancer_mut().reach(&physique, 0, vec3(0.3, 1.4, 0.5));
        while simulation.time() < 3.0 {
            if simulation.time() > 2.0 {
                survivor.balancer_mut().release(0);
            }
            survivor.drive(&physique, &mut simulation);
            simulation.step();
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
