//! Free props, on each other and under a character, and terrain of every kind.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use andante_dynamics::samples::humanoid;
use andante_dynamics::{
    CollisionForm, CollisionShape, ContactTerrain, HeightSurface, JointState, LinkJoint,
    MeshSurface, Model, ModelLink, PhysicsSettings, Quat, Real, Simulation, Vec3, f64x4, vec3,
};

fn free_box(name: &str, mass: f64, size: Vec3<f64>, at: Vec3<f64>) -> ModelLink {
    ModelLink::solid_box(name, None, LinkJoint::Floating, mass, size).at(at)
}

fn box_shape(link: usize, size: Vec3<f64>) -> CollisionShape {
    CollisionShape::new(link, CollisionForm::Box { half: size * 0.5 })
}

fn ball(name: &str, mass: f64, radius: f64, at: Vec3<f64>) -> ModelLink {
    let i = 0.4 * mass * radius * radius;
    ModelLink::new(name, None, LinkJoint::Floating, mass, vec3(i, i, i)).at(at)
}

fn run(
    links: Vec<ModelLink>,
    shapes: Vec<CollisionShape>,
    terrain: ContactTerrain,
    options: PhysicsSettings,
) -> Simulation<f64> {
    Simulation::new(Arc::new(Model::new(links, shapes).unwrap()), terrain, options).unwrap()
}

/// How far a link went from where its model put it.
fn moved(simulation: &Simulation<f64>, link: usize) -> f64 {
    let model = simulation.model();
    (simulation.kinematics().position(model, link) - model.links()[link].origin).length()
}

#[test]
fn a_tower_of_boxes_stands() {
    let size = vec3(0.3, 0.2, 0.3);
    let links: Vec<_> = (0..4)
        .map(|i| {
            free_box(
                "box",
                1.0 + f64::from(i),
                size,
                vec3(0.01 * f64::from(i), 0.1 + 0.2 * f64::from(i), 0.0),
            )
        })
        .collect();
    let shapes = (0..4).map(|i| box_shape(i, size)).collect();
    let mut simulation = run(links, shapes, ContactTerrain::level(), PhysicsSettings::default());
    for _ in 0..2500 {
        assert_eq!(simulation.step().quarantined, 0);
    }
    for link in 0..4 {
        assert!(moved(&simulation, link) < 0.005, "box {link} moved {}", moved(&simulation, link));
    }
    let fastest = simulation.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(fastest < 1e-3, "{fastest}");
    // What the ground carries is the weight of all.
    let carried: f64 =
        simulation.contacts(0).filter(|c| c.other.is_none()).map(|c| c.force.y).sum();
    assert!((carried / (9.80665 * simulation.model().mass()) - 1.0).abs() < 0.01, "{carried}");
}

#[test]
fn two_balls_exchange_their_velocities() {
    let links =
        vec![ball("a", 1.0, 0.1, vec3(-0.5, 1.0, 0.0)), ball("b", 1.0, 0.1, vec3(0.5, 1.0, 0.0))];
    let shapes = (0..2)
        .map(|i| CollisionShape::new(i, CollisionForm::Sphere { radius: 0.1 }).surface(0.0, 1.0))
        .collect();
    let options = PhysicsSettings { gravity: vec3(0.0, 0.0, 0.0), ..PhysicsSettings::default() };
    let mut simulation = run(links, shapes, ContactTerrain::None, options);
    let mut state = simulation.state().clone();
    (state.v[3], state.v[9]) = (3.0, -1.0);
    simulation.set_state(&state).unwrap();
    for _ in 0..300 {
        simulation.step();
    }
    let v = &simulation.state().v;
    assert!((v[3] + 1.0).abs() < 1e-9 && (v[9] - 3.0).abs() < 1e-9, "{} {}", v[3], v[9]);
    assert!(v[4].abs() < 1e-9 && v[10].abs() < 1e-9);
}

#[test]
fn collisions_between_props_keep_the_momentum_of_all() {
    let size = vec3(0.3, 0.2, 0.4);
    let mut links = vec![free_box("box", 2.0, size, vec3(0.0, 0.0, 0.0))];
    let mut shapes = vec![box_shape(0, size)];
    links.push(ball("ball", 1.0, 0.15, vec3(1.0, 0.05, 0.1)));
    shapes.push(CollisionShape::new(1, CollisionForm::Sphere { radius: 0.15 }));
    links.push(
        ModelLink::new("rod", None, LinkJoint::Floating, 1.5, vec3(0.05, 0.01, 0.05))
            .at(vec3(-1.0, 0.1, -0.1)),
    );
    shapes.push(CollisionShape::new(2, CollisionForm::Capsule { half_length: 0.3, radius: 0.05 }));
    let options = PhysicsSettings { gravity: vec3(0.0, 0.0, 0.0), ..PhysicsSettings::default() };
    let mut simulation = run(links, shapes, ContactTerrain::None, options);
    let mut state = simulation.state().clone();
    (state.v[9], state.v[15], state.v[12]) = (-2.0, 2.0, 3.0);
    simulation.set_state(&state).unwrap();
    let total = |s: &Simulation<f64>| {
        (0..3).fold((vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)), |sum, tree| {
            let (p, l) = s.momentum(tree);
            (sum.0 + p, sum.1 + l + s.centre_of_mass(tree).cross(p))
        })
    };
    let (p, l) = total(&simulation);
    let energy = simulation.kinetic_energy();
    let mut touched = 0;
    for _ in 0..600 {
        touched += simulation.step().contacts;
        assert!(simulation.kinetic_energy() < energy * 1.001, "collisions do not make energy");
    }
    assert!(touched > 0);
    let (p2, l2) = total(&simulation);
    assert!((p2 - p).length() < 1e-9, "{p2:?} {p:?}");
    // While they touch, the new velocities hold in the old pose.
    assert!((l2 - l).length() < 0.02 * l.length(), "{l2:?} {l:?}");
}

#[test]
fn a_rod_lies_on_a_box() {
    let size = vec3(1.0, 0.2, 0.4);
    let turn = Quat::from_axis_angle(vec3(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2);
    let rod = ModelLink::new("rod", None, LinkJoint::Floating, 1.0, vec3(0.02, 0.001, 0.02))
        .at(vec3(0.0, 0.26, 0.0))
        .turned(turn);
    let links = vec![free_box("box", 2.0, size, vec3(0.0, 0.1, 0.0)), rod];
    let shapes = vec![
        box_shape(0, size),
        CollisionShape::new(1, CollisionForm::Capsule { half_length: 0.3, radius: 0.05 }),
    ];
    let mut simulation = run(links, shapes, ContactTerrain::level(), PhysicsSettings::default());
    for _ in 0..1500 {
        simulation.step();
    }
    assert!((simulation.kinematics().position(simulation.model(), 1).y - 0.25).abs() < 0.002);
    assert!(moved(&simulation, 1) < 0.02, "{}", moved(&simulation, 1));
}

/// A humanoid on a crate, with a ball in the air.
fn on_a_crate() -> Arc<Model> {
    let base = humanoid().unwrap();
    let (mut links, mut shapes) = (base.links().to_vec(), base.shapes().to_vec());
    links[0].origin.y += 0.3;
    let size = vec3(0.8, 0.3, 0.8);
    let crate_link = links.len();
    links.push(free_box("crate", 20.0, size, vec3(0.0, 0.15, 0.05)));
    shapes.push(box_shape(crate_link, size));
    links.push(ball("ball", 0.6, 0.12, vec3(0.05, 2.4, 0.0)));
    shapes.push(
        CollisionShape::new(crate_link + 1, CollisionForm::Sphere { radius: 0.12 })
            .surface(0.6, 0.5),
    );
    Arc::new(Model::new(links, shapes).unwrap())
}

#[test]
fn a_character_stands_and_falls_among_props_the_same_in_lanes() {
    let model = on_a_crate();
    let mut one = Simulation::<f64>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    let mut four = Simulation::<f64x4>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    let mut state = JointState::<f64x4>::rest(&model);
    let mut pushed = JointState::<f64>::rest(&model);
    pushed.v[5] = 1.5;
    state.set_lane(2, &pushed);
    four.set_state(&state).unwrap();
    one.set_state(&pushed).unwrap();
    for step in 0..1500 {
        assert_eq!(one.step().quarantined, 0);
        assert_eq!(four.step().quarantined, 0);
        if step == 100 {
            let on_crate: f64 =
                four.contacts(0).filter(|c| c.other == Some(11)).map(|c| c.force.y).sum();
            assert!(on_crate > 300.0, "it stands on the crate: {on_crate}");
        }
    }
    assert_eq!(four.state().lane(2), *one.state(), "bit by bit");
    let low = one.kinematics().position(&model, 0).y;
    assert!(low > 0.05 && low < 0.9, "it fell and lies on something: {low}");
    for link in 0..model.links().len() {
        assert!(one.kinematics().position(&model, link).y > -0.02, "nothing is under the ground");
    }
}

#[test]
fn links_of_one_tree_collide_when_asked() {
    let hinge = LinkJoint::Hinge(vec3(0.0, 0.0, 1.0));
    let size = vec3(0.1, 0.5, 0.1);
    let upper =
        ModelLink::solid_box("upper", None, hinge, 1.0, size).centred(vec3(0.0, -0.25, 0.0));
    let lower = ModelLink::solid_box("lower", Some(0), hinge, 1.0, size)
        .at(vec3(0.0, -0.6, 0.0))
        .centred(vec3(0.0, -0.25, 0.0));
    let rod = CollisionForm::Capsule { half_length: 0.15, radius: 0.05 };
    let shapes = vec![
        CollisionShape::new(0, rod).at(vec3(0.0, -0.25, 0.0)),
        CollisionShape::new(1, rod).at(vec3(0.0, -0.25, 0.0)),
    ];
    let fold = |self_collisions| {
        let options = PhysicsSettings {
            gravity: vec3(0.0, 0.0, 0.0),
            self_collisions,
            ..PhysicsSettings::default()
        };
        let mut simulation =
            run(vec![upper.clone(), lower.clone()], shapes.clone(), ContactTerrain::None, options);
        for _ in 0..1500 {
            simulation.controls_mut().torque_mut()[1] = 1.0 - 0.5 * simulation.state().v[1];
            simulation.step();
        }
        simulation.state().q[1]
    };
    assert!(fold(vec![]) > 3.2, "nothing is in the way");
    let angle = fold(vec![(0, 1)]);
    assert!(angle > 2.0 && angle < 3.1, "they meet: {angle}");
}

fn slab(rise: f64) -> ([Vec3<f64>; 4], [[u32; 3]; 2]) {
    let y = |x: f64| rise * x;
    let corner = |x: f64, z: f64| vec3(x, y(x), z);
    (
        [corner(-9.0, -9.0), corner(9.0, -9.0), corner(9.0, 9.0), corner(-9.0, 9.0)],
        [[0, 2, 1], [0, 3, 2]],
    )
}

#[test]
fn mesh_heights_and_plane_are_one_ground() {
    let rise = -0.25;
    let (vertices, triangles) = slab(rise);
    let normal = vec3(-rise, 1.0, 0.0);
    let grounds = [
        ContactTerrain::plane(normal, 0.0).unwrap(),
        ContactTerrain::surface(MeshSurface::new(&vertices, &triangles).unwrap()),
        ContactTerrain::surface(HeightSurface(move |x, _| (rise * x, rise, 0.0))),
    ];
    let turn = Quat::from_axis_angle(vec3(0.0, 0.0, 1.0), f64::atan(rise));
    let size = vec3(0.3, 0.2, 0.4);
    let ends: Vec<_> = grounds
        .into_iter()
        .map(|ground| {
            let links = vec![
                free_box("box", 2.0, size, vec3(0.13, 0.2, 0.21)).turned(turn),
                ball("ball", 1.0, 0.15, vec3(0.3, 0.2, 1.5)),
                ModelLink::new("rod", None, LinkJoint::Floating, 1.0, vec3(0.02, 0.001, 0.02))
                    .at(vec3(0.1, 0.5, -1.5))
                    .turned(Quat::from_axis_angle(vec3(1.0, 0.0, 0.0), 1.5)),
            ];
            let shapes = vec![
                box_shape(0, size).surface(0.2, 0.0),
                CollisionShape::new(1, CollisionForm::Sphere { radius: 0.15 }),
                CollisionShape::new(2, CollisionForm::Capsule { half_length: 0.3, radius: 0.05 }),
            ];
            let mut simulation = run(links, shapes, ground, PhysicsSettings::default());
            for _ in 0..750 {
                assert_eq!(simulation.step().quarantined, 0);
            }
            simulation.state().q.clone()
        })
        .collect();
    for other in &ends[1..] {
        for (a, b) in ends[0].iter().zip(other) {
            assert!((a - b).abs() < 0.01, "{:?}\n{:?}", ends[0], other);
        }
    }
    assert!(ends[0][7] > 1.0, "the ball rolled: {}", ends[0][7]);
}

#[test]
fn a_fast_ball_does_not_pass_through_a_mesh() {
    let (vertices, triangles) = slab(0.0);
    let ground = ContactTerrain::surface(MeshSurface::new(&vertices, &triangles).unwrap());
    let mut simulation = run(
        vec![ball("ball", 1.0, 0.02, vec3(0.0, 1.0, 0.0))],
        vec![CollisionShape::new(0, CollisionForm::Sphere { radius: 0.02 })],
        ground,
        PhysicsSettings { step: 0.005, ..PhysicsSettings::default() },
    );
    let mut state = simulation.state().clone();
    state.v[4] = -20.0;
    simulation.set_state(&state).unwrap();
    for _ in 0..400 {
        simulation.step();
        assert!(simulation.state().q[1] > 0.01);
    }
    assert!((simulation.state().q[1].lane(0) - 0.02).abs() < 0.001);
}

#[test]
fn steps_among_props_and_on_a_mesh_allocate_nothing() {
    let (vertices, triangles) = slab(0.0);
    let ground = ContactTerrain::surface(MeshSurface::new(&vertices, &triangles).unwrap());
    let mut simulation =
        Simulation::<f64>::new(on_a_crate(), ground, PhysicsSettings::default()).unwrap();
    let count = allocation_counter::measure(|| {
        for _ in 0..500 {
            simulation.step();
        }
    });
    assert_eq!(count.count_total, 0);
    assert!(
        simulation.contacts(0).any(|c| c.other.is_some())
            && simulation.contacts(0).any(|c| c.other.is_none())
    );
}
