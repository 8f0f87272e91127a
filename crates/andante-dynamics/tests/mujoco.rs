//! Accelerations against MuJoCo's, which `mujoco/reference.py` wrote down.

#![allow(clippy::unwrap_used)]

use andante_dynamics::{Aba, Force, Kinematics, LinkJoint, Model, ModelLink, Quat, Sym3, vec3};

fn numbers(words: &str) -> Vec<f64> {
    words.split_whitespace().map(|w| w.parse().unwrap()).collect()
}

fn link(index: usize, line: &str) -> ModelLink {
    let mut words = line.splitn(3, ' ');
    let parent: i64 = words.next().unwrap().parse().unwrap();
    let kind = words.next().unwrap();
    let n = numbers(words.next().unwrap());
    let joint = match kind {
        "floating" => LinkJoint::Floating,
        "ball" => LinkJoint::Ball,
        _ => LinkJoint::Hinge(vec3(n[17], n[18], n[19])),
    };
    let mut link = ModelLink::new(
        &index.to_string(),
        usize::try_from(parent).ok(),
        joint,
        n[7],
        vec3(1.0, 1.0, 1.0),
    )
    .at(vec3(n[0], n[1], n[2]))
    .turned(Quat { x: n[3], y: n[4], z: n[5], w: n[6] })
    .centred(vec3(n[8], n[9], n[10]));
    link.inertia = Sym3 { xx: n[11], yy: n[12], zz: n[13], xy: n[14], xz: n[15], yz: n[16] };
    link
}

#[test]
fn accelerations_agree_with_mujoco() {
    let mut lines = include_str!("mujoco/reference.txt").lines();
    let gravity = numbers(lines.next().unwrap().strip_prefix("gravity ").unwrap());
    let gravity = vec3(gravity[0], gravity[1], gravity[2]);
    let (mut trees, mut worst) = (0, 0.0f64);
    while let Some(head) = lines.next() {
        let count: usize = head.strip_prefix("tree ").unwrap().parse().unwrap();
        let links: Vec<_> = (0..count)
            .map(|i| link(i, lines.next().unwrap().strip_prefix("link ").unwrap()))
            .collect();
        let model = Model::new(links, vec![]).unwrap();
        let mut vector = |name: &str| numbers(lines.next().unwrap().strip_prefix(name).unwrap());
        let (q, v, tau, expected) = (vector("q "), vector("v "), vector("tau "), vector("a "));
        let mut kin = Kinematics::new(&model);
        kin.set_positions(&model, &q);
        kin.set_velocities(&model, &v);
        let mut a = vec![0.0; model.freedoms()];
        let none = vec![Force::zero(); count];
        let zero = vec![0.0; model.freedoms()];
        Aba::new(&model).solve(&model, &kin, gravity, &tau, &zero, &none, &mut a);
        let size = expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for (k, (a, e)) in a.iter().zip(&expected).enumerate() {
            worst = worst.max((a - e).abs() / size);
            assert!((a - e).abs() < 1e-6 * size, "tree of {count}, velocity {k}: {a} against {e}");
        }
        trees += 1;
    }
    assert_eq!(trees, 6);
    println!("largest relative difference {worst:.1e}");
}
