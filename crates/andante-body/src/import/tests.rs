use super::*;
use proptest::prelude::*;

const MJCF: &str = r#"<mujoco model="hopper">
  <compiler angle="degree"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="torso" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.25" mass="10"/>
      <body name="thigh" pos="0 0 -0.3">
        <joint type="hinge" axis="1 0 0" range="-30 30"/>
        <joint type="hinge" axis="0 1 0" range="-100 20"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
        <body name="shank" pos="0 0 -0.4">
          <joint type="hinge" axis="0 1 0" range="0 130"/>
          <geom type="cylinder" fromto="0 0 0 0 0 -0.4" size="0.04" mass="2"/>
          <body name="sole" pos="0 0 -0.4"><geom type="box" size="0.1 0.05 0.02" mass="0.5"/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

const URDF: &str = r#"<robot name="arm">
  <link name="world"/>
  <link name="base"><inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
    <collision><geometry><box size="0.2 0.3 0.1"/></geometry></collision></link>
  <link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.003"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.4"/></geometry></visual></link>
  <link name="tool"/>
  <joint name="j0" type="fixed"><parent link="world"/><child link="base"/></joint>
  <joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.1 0 0.05"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="40"/></joint>
  <joint name="j2" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="0 0 0.4"/></joint>
</robot>"#;

#[test]
fn an_mjcf_robot_stands_upright_and_has_its_joints() {
    let body = read_mjcf(MJCF).unwrap();
    let names: Vec<&str> = body.segments().iter().map(|segment| segment.name.as_str()).collect();
    assert_eq!(names, ["torso", "thigh", "shank"], "the sole is welded to the shank");
    assert_eq!(body.internal_dof(), 4);
    assert!(body.segments()[0].anchor.abs_diff_eq(DVec3::Y, 1e-12));
    assert!((body.segments()[2].mass.mass - 2.5).abs() < 1e-9);
    // A capsule of density 1000.
    let volume = std::f64::consts::PI * 0.0025 * (0.4 + 0.05 * 4.0 / 3.0);
    assert!((body.segments()[1].mass.mass - 1000.0 * volume).abs() < 1e-9);
    let thigh = body.segments()[1].joint.unwrap();
    let limits = thigh.limits.unwrap();
    assert_eq!(limits.lower.map(|a| a.to_degrees().round()), [-30.0, -100.0, 0.0]);
    // Forward there is z here, left is x.
    assert!(
        thigh.axes()[0].abs_diff_eq(DVec3::Z, 1e-9) && thigh.axes()[1].abs_diff_eq(DVec3::X, 1e-9)
    );
    assert!(thigh.stiffness[0] > 1.0 && thigh.stiffness[2] > thigh.stiffness[0]);
    let knee = body.segments()[2].joint.unwrap();
    assert_eq!(knee.kind, JointKind::Hinge);
    assert!(knee.axes()[0].abs_diff_eq(DVec3::X, 1e-9));
}

#[test]
fn a_urdf_robot_has_its_links_in_place() {
    let body = read_urdf(URDF).unwrap();
    let names: Vec<&str> = body.segments().iter().map(|segment| segment.name.as_str()).collect();
    assert_eq!(names, ["base", "arm"]);
    let arm = &body.segments()[1];
    assert!(arm.anchor.abs_diff_eq(DVec3::new(0.0, 0.05, 0.1), 1e-12), "{}", arm.anchor);
    assert!(arm.mass.center.abs_diff_eq(DVec3::Y * 0.2, 1e-12));
    let joint = arm.joint.unwrap();
    assert_eq!((joint.kind, joint.torque_limit[0]), (JointKind::Hinge, 40.0));
    assert!(joint.axes()[0].abs_diff_eq(DVec3::X, 1e-9));
    let limits = joint.limits.unwrap();
    assert_eq!((limits.lower[0], limits.upper[0]), (-1.0, 2.0));
}

#[test]
fn what_cannot_be_simulated_is_refused_with_its_place() {
    let refused = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from));
        let changed = text.replacen(from, to, 1);
        let read = if text == MJCF { read_mjcf(&changed) } else { read_urdf(&changed) };
        read.unwrap_err().to_string()
    };
    let slide = refused(MJCF, "hinge\" axis=\"1 0 0", "slide\" axis=\"1 0 0");
    assert!(slide.contains("thigh") && slide.contains("slides"), "{slide}");
    let loops = refused(URDF, "<child link=\"tool\"/>", "<child link=\"base\"/>");
    assert!(loops.contains("line 12, column 3") && loops.contains("loop"), "{loops}");
    let missing = refused(URDF, "<child link=\"tool\"/>", "<child link=\"hand\"/>");
    assert!(missing.contains("there is no link `hand`"), "{missing}");
    let massless = refused(URDF, "<mass value=\"2\"/>", "<mass value=\"0\"/>");
    assert!(massless.contains("arm"), "{massless}");
    let broken = refused(URDF, "<link name=\"tool\"/>", "<link name=\"tool\">");
    assert!(broken.starts_with("line "), "{broken}");
    assert!(refused(URDF, "\"revolute\"", "\"prismatic\"").contains("not supported"));
    assert!(refused(URDF, "0.1 0 0.05", "0.1 x").contains("not three numbers"));
}

/// The weight of no segments was asked for, and there was a panic.
#[test]
fn descriptions_without_bodies_are_refused() {
    let world = read_mjcf("<mujoco><worldbody/></mujoco>").unwrap_err();
    assert!(world.to_string().contains("no bodies"), "{world}");
    assert!(read_urdf("<robot name=\"nobody\"/>").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn damaged_robots_are_read_or_refused(cut in 0usize..1200, length in 0usize..30, digit in prop::bool::ANY) {
        for (text, read) in [(MJCF, read_mjcf as fn(&str) -> Result<Body, ReadError>), (URDF, read_urdf)] {
            let cut = cut.min(text.len());
            let end = (cut + length).min(text.len());
            let middle = if digit { "9" } else { "" };
            let damaged = format!("{}{middle}{}", &text[..cut], &text[end..]);
            if let Ok(body) = read(&damaged) {
                prop_assert!(body.total_mass() > 0.0);
            }
        }
    }
}
