//! Same input, same bits: solvers are pinned by a hash.

use crate::support::random::Random;
use crate::support::{direction, leg_solvers, standing};
use andante_ik::{Balance, FullBody, FullBodyOptions, IkTarget, Solver};
use andante_skeleton::{Transform, humanoid};
use glam::Vec3;

/// FNV-1a over the bits of every number.
fn add(hash: &mut u64, poses: &[Transform]) {
    for transform in poses {
        let rotation = transform.rotation.to_array();
        for value in rotation.iter().chain(&transform.translation.to_array()) {
            for byte in value.to_bits().to_le_bytes() {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
}

fn hashes() -> Vec<(&'static str, String)> {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let hip = source_models[human.rig.feet[0].hip()].translation;
    let mut found = Vec::new();
    for (name, mut solver) in leg_solvers(&human, 0, true) {
        let mut random = Random(3);
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for _ in 0..50 {
            let way = Vec3::new(0.4, -1.0, 0.6) * direction(&mut random) * random.between(0.4, 1.0);
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            solver.solve(&[IkTarget::position(hip + way)], &mut pose, &mut models);
            add(&mut hash, &pose);
        }
        found.push((name, format!("{hash:016x}")));
    }
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    body.set_balance(Some(Balance { place: Vec3::ZERO, radius: 0.02 }));
    let mut random = Random(5);
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for _ in 0..20 {
        let feet = human.rig.feet.iter().map(|foot| source_models[foot.ankle()].translation);
        let hands =
            [1.0, -1.0].map(|side| Vec3::new(0.3 * side, 1.0, 0.4) + 0.2 * direction(&mut random));
        let off = IkTarget::position(Vec3::ZERO).weighted(0.0);
        let targets: Vec<IkTarget> =
            feet.chain(hands).map(IkTarget::position).chain([off, off]).collect();
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        body.solve(&targets, &mut pose, &mut models);
        add(&mut hash, &pose);
    }
    found.push(("full body", format!("{hash:016x}")));
    found
}

#[test]
fn solvers_give_the_same_bits() {
    let found = hashes();
    assert_eq!(found, hashes(), "twice the same");
    let pinned = [
        ("CCD", "b831d36890af69ac"),
        ("FABRIK", "b5d1a37ba03d3c45"),
        ("Jacobian", "5278bc0e52481961"),
        ("descent", "6383448bdce15803"),
        ("two bones", "7d2268fc5044d5dc"),
        ("full body", "f6834977642ccec0"),
    ];
    assert_eq!(found, pinned.map(|(name, hash)| (name, hash.to_string())));
}
