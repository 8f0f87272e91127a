//! Captured walks on other bodies.

mod support;

use andante_motion::metrics::foot_metrics;
use andante_motion::retarget::{Actor, RetargetOptions, retarget};
use andante_skeleton::humanoid;

#[test]
fn numbers() {
    for number in support::STRAIGHT.into_iter().chain(support::TURNING) {
        let Some(walk) = support::walk(number) else { return };
        let human = humanoid();
        let source = Actor { skeleton: &walk.skeleton, rig: &walk.rig };
        for c in &walk.contacts.feet {
            println!("{:?}\n   {:?}", c.heel, c.toe);
        }
        println!(
            "{number} source {:?}",
            foot_metrics(&walk.skeleton, &walk.rig, &walk.clip, &walk.contacts, |_, _| 0.0)
        );
        for plant in [None, RetargetOptions::default().plant] {
            let options = RetargetOptions { plant, ..Default::default() };
            let result =
                retarget(source, &walk.clip, &walk.contacts, Actor::from(&human), &options)
                    .unwrap();
            let metrics = foot_metrics(
                &human.skeleton,
                &human.rig,
                &result.clip,
                &result.contacts,
                |_, _| 0.0,
            );
            println!("{metrics:?}\n  {:?} {:?}", result.report.plant, result.report.scale);
        }
    }
}
