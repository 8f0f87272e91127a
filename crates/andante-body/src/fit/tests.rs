use super::*;
use andante_skeleton::{Joint, Pose, Rig, humanoid, humanoid_of_height};
use glam::Vec3;
use proptest::prelude::*;

#[test]
fn a_human_weighs_what_the_tables_say() {
    let human = humanoid();
    let fitted = fit(&human, None, &FitOptions { mass: Some(70.0), ..Default::default() }).unwrap();
    let body = &fitted.body;
    assert!((body.total_mass() - 70.0).abs() < 1e-9);
    let mass = |name: &str| body.segments()[body.find(name).unwrap()].mass.mass;
    for (name, kilograms) in [("LeftUpperLeg", 10.13), ("RightLowerLeg", 3.20), ("Head", 4.77)] {
        assert!((mass(name) - kilograms).abs() < 0.01, "{name}: {}", mass(name));
    }
    assert!(body.partners().is_some(), "the built-in human is symmetric");
    assert!(body.find("LeftThumb").is_none(), "a thumb moves with the hand");
    // Hips hold about the weight of a leg.
    let hip = body.segments()[body.find("LeftUpperLeg").unwrap()].joint.unwrap();
    assert!((60.0..200.0).contains(&hip.stiffness[0]), "{:?}", hip.stiffness);
}

#[test]
fn joints_are_carried_where_the_skeleton_has_them() {
    let human = humanoid();
    let fitted = fit(&human, None, &FitOptions { least_mass: 0.0, ..Default::default() }).unwrap();
    let mut pose = Pose::rest(&human.skeleton);
    // What the body holds stiff stays.
    let moving = |(index, _): &(usize, &mut Transform)| fitted.joints.contains(index);
    for (index, joint) in pose.iter_mut().enumerate().filter(moving).skip(1) {
        joint.rotation =
            glam::Quat::from_scaled_axis(Vec3::new(0.2, -0.1, 0.3) * (index as f32).sin());
    }
    // A knee is a hinge, in the body too.
    for joint in &mut pose.iter_mut().zip(human.skeleton.joints()) {
        if let andante_skeleton::JointLimit::Hinge { axis, .. } = joint.1.limit {
            joint.0.rotation = glam::Quat::from_axis_angle(axis, 0.4);
        }
    }
    let mut models = pose.clone();
    human.skeleton.local_to_model(&pose, &mut models);
    let posed = fitted.rest_pose("posed", &models);
    let placed = fitted.body.place(models[0].translation.as_dvec3(), &posed.rotations);
    for (index, (found, meant)) in fitted.models(&placed).iter().zip(models.iter()).enumerate() {
        let name = &human.skeleton.joint(index).name;
        assert!(found.translation.abs_diff_eq(meant.translation, 1e-4), "{name}");
    }
}

#[test]
fn feet_are_on_the_ground() {
    for height in [0.6, 1.75, 2.4] {
        let human = humanoid_of_height(height);
        let fitted = fit(&human, None, &FitOptions::default()).unwrap();
        let placed = fitted.body.stand(&fitted.body.poses()[0]);
        for foot in fitted.body.feet() {
            for point in [foot.toe, foot.heel] {
                assert!(placed[foot.segment].transform_point(point).y.abs() < 1e-3);
            }
        }
        let top = placed.iter().map(|place| place.translation.y).fold(0.0, f64::max);
        assert!((0.8..1.0).contains(&(top / f64::from(height))), "{top}");
    }
}

#[test]
fn captured_people_and_animals_get_bodies() {
    let mocap = |path: &str| Some((andante_testdata::mocap(path)?, None, 40.0..120.0));
    let gltf = |path: &str, scale, mass| Some((andante_testdata::gltf(path)?, scale, mass));
    let cases = [
        mocap("cmu/16/16_15.bvh"),
        // In centimetres, which the file does not tell.
        gltf("Fox.glb", Some(0.01), 5.0..100.0),
        gltf("horse-animations.glb", None, 100.0..1200.0),
        gltf("spider-animations.glb", None, 10.0..800.0),
        gltf("CesiumMan.glb", None, 20.0..120.0),
    ];
    for (path, scale, masses) in cases.into_iter().flatten() {
        let options = andante_formats::ReadOptions { scale, ..Default::default() };
        let asset = andante_formats::read_file(&path, &options, None).unwrap();
        let Ok(rig) = andante_motion::rig::detect(&asset.skeleton, &asset.clips) else { continue };
        let character = Character {
            name: "captured".into(),
            description: String::new(),
            skeleton: asset.skeleton.clone(),
            rig,
        };
        let fitted = fit(&character, asset.mesh.as_ref(), &FitOptions::default()).unwrap();
        let (mass, segments) = (fitted.body.total_mass(), fitted.body.segments().len());
        assert!(
            masses.contains(&mass) && segments > 8,
            "{}: {mass} kg, {segments}",
            path.display()
        );
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let human = humanoid();
    for options in [
        FitOptions { mass: Some(-1.0), ..Default::default() },
        FitOptions { density: f64::NAN, ..Default::default() },
        FitOptions { stiffness: 0.0, ..Default::default() },
    ] {
        assert!(matches!(fit(&human, None, &options), Err(FitError::Option(_))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Trees of all kinds become bodies or are refused; nothing panics, and masses are finite.
    #[test]
    fn any_skeleton_gets_a_body_or_a_reason(
        offsets in prop::collection::vec((0usize..4, prop::array::uniform3(-1.0f32..1.0)), 1..20),
    ) {
        let mut joints = vec![Joint::new("root", None, Vec3::Y)];
        let mut chain = vec![0];
        for (index, (back, offset)) in offsets.into_iter().enumerate() {
            chain.truncate(chain.len().saturating_sub(back).max(1));
            let parent = chain[chain.len() - 1];
            joints.push(Joint::new(format!("j{index}"), Some(parent), Vec3::from(offset)));
            chain.push(index + 1);
        }
        let rig = Rig { hips: 0, spine: vec![], head: None, feet: vec![], arms: vec![] };
        let skeleton = Skeleton::new(joints).unwrap();
        let character = Character { name: "any".into(), description: String::new(), skeleton, rig };
        if let Ok(fitted) = fit(&character, None, &FitOptions::default()) {
            prop_assert!(fitted.body.total_mass().is_finite());
            prop_assert_eq!(fitted.models(&fitted.body.stand(&fitted.body.poses()[0])).len(), character.skeleton.len());
        }
    }
}
