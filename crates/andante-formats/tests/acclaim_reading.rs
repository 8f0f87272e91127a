//! What is made of odd and of broken Acclaim files. The files are the fuzzer's seeds.
#![allow(clippy::unwrap_used, clippy::panic)]

use andante_formats::acclaim::{self, AmcReader, AngleUnit, AsfSkeleton, Dof};
use andante_formats::{Asset, ReadError, ReadOptions, RotationOrder, UnitSource, UpAxis};
use andante_skeleton::{JointLimit, rotation};
use glam::{DVec3, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;
use std::io::{BufReader, Read};
use std::path::Path;

fn seed(name: &str) -> Vec<u8> {
    let format = name.rsplit('.').next().unwrap();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    std::fs::read(directory.join(format).join(name)).unwrap()
}

fn asf(name: &str) -> Result<AsfSkeleton, ReadError> {
    acclaim::read_asf(&seed(&format!("{name}.asf")), &ReadOptions::default())
}

/// A skeleton for the motions among the seeds, all of whose bones move in a way of their own.
const TRIPOD: &str = ":version 1.10
:units mass 1 length 0.45 angle deg
:root
  order RZ TX RX TY RY TZ axis XYZ position 0 0 0 orientation 0 30 0
:bonedata
  begin id 1 name hip direction 1 0 0 length 2 axis 0 0 0 XYZ end
  begin id 2 name leg direction 0 -1 0 length 5 axis 0 0 20 XYZ dof rx limits (-10 inf) end
  begin id 3 name foot direction 0 0 1 length 1.5 axis 90 10 20 ZYX dof rz rx end
  begin id 4 name spine direction 0 1 0 length 4 axis 0 0 0 XYZ dof ry rz rx l end
  begin id 5 name head direction 0 1 0 length 1 axis 0 45 0 XYZ dof tx ty tz rx ry rz end
:hierarchy
  begin
    root hip spine
    hip leg
    leg foot
    spine head
  end
";

fn amc(name: &str) -> Result<Asset, ReadError> {
    let bytes = seed(&format!("{name}.amc"));
    acclaim::read(TRIPOD.as_bytes(), bytes.as_slice(), "clip", &ReadOptions::default())
}

#[test]
fn everything_in_a_skeleton_file_is_kept() {
    let file = asf("plain").unwrap();
    assert_eq!((file.version(), file.name()), ("1.10", "Tripod"));
    assert_eq!(file.documentation(), "Two lines\n  of text.");
    let units = file.units();
    assert_eq!((units.mass, units.length, units.angle), (1.0, 0.45, AngleUnit::Degrees));
    let (t, r) = (Dof::Translation, Dof::Rotation);
    assert_eq!(file.root().order, [t(0), t(1), t(2), r(0), r(1), r(2)]);
    let leg = &file.bones()[1];
    assert_eq!((leg.id, leg.name.as_str(), leg.length), (Some(2), "leg", 7.0));
    assert_eq!((leg.direction, leg.axis), (DVec3::NEG_Y, DVec3::new(0.0, 0.0, 20.0)));
    assert_eq!(leg.axis_order, RotationOrder::Zyx);
    assert_eq!(leg.dof, [r(0), r(1), r(2)]);
    let infinite = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(leg.limits, [[-160.0, 20.0], [-70.0, 70.0], infinite]);
    assert_eq!((leg.bodymass, leg.cofmass), (Some(3.5), Some(2.0)));
    assert_eq!((leg.parent, file.bones()[0].children.as_slice()), (Some(0), &[1][..]));
    assert_eq!(file.warnings(), []);
}

#[test]
fn bones_become_joints_at_their_starts() {
    let (skeleton, units, warnings) = asf("plain").unwrap().to_skeleton().unwrap();
    assert_eq!((units.source, warnings.as_slice()), (UnitSource::Stated, &[][..]));
    let metres = 0.0254 / 0.45;
    let names: Vec<_> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "hip", "leg"]);
    assert_eq!(skeleton.joint(1).rest.translation, Vec3::ZERO);
    assert!(skeleton.joint(2).rest.translation.abs_diff_eq(Vec3::X * 2.0 * metres, 1e-6));
    assert_eq!(skeleton.joint(1).tip, None);
    assert!(skeleton.joint(2).tip.unwrap().abs_diff_eq(Vec3::NEG_Y * 7.0 * metres, 1e-6));
    let limits: Vec<_> = skeleton.joints().iter().map(|joint| joint.limit).collect();
    assert_eq!(limits, [JointLimit::Free, JointLimit::Fixed, JointLimit::Free]);
}

#[test]
fn a_bone_with_one_angle_is_a_hinge_about_its_axis() {
    for name in ["hinge-with-limits", "hinge-with-limits-swapped"] {
        let (skeleton, ..) = asf(name).unwrap().to_skeleton().unwrap();
        let JointLimit::Hinge { axis, range } = skeleton.joint(2).limit else { panic!("{name}") };
        assert!(axis.abs_diff_eq(Quat::from_rotation_z(20f32.to_radians()) * Vec3::X, 1e-6));
        assert_eq!(range, [-160f32, 20.0].map(f32::to_radians), "{name}");
    }
}

#[test]
fn the_same_skeleton_is_read_however_it_is_spelt() {
    let plain = asf("plain").unwrap().to_skeleton().unwrap();
    for name in [
        "tabs-and-crlf",
        "byte-order-mark",
        "comments-and-commas",
        "upper-case",
        "axis-order-missing",
        "sections-in-another-order",
    ] {
        assert_eq!(asf(name).unwrap().to_skeleton().unwrap(), plain, "{name}");
    }
}

#[test]
fn harmless_oddities_of_skeletons_are_warnings() {
    for (name, expected) in [
        (
            "skin-and-unknown-sections",
            &["line 38: section `:weights` is not known; it is left out"][..],
        ),
        (
            "unknown-fields",
            &[
                "line 5: `time` in the units is not known; it is left out",
                "line 14: `shade` in the root is not known; it is left out",
                "line 20: `colour` in the description of a bone is not known; it is left out",
            ],
        ),
        ("dof-of-every-kind", &["bone `leg` ends a limb; its changes of length are not kept"]),
        (
            "size-unusual",
            &[
                "the skeleton measures 395.111 m by the unit of length that the file states; if that is \
               wrong, give the scale",
            ],
        ),
    ] {
        let (_, _, warnings) = asf(name).unwrap().to_skeleton().unwrap();
        let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, expected, "{name}");
    }
}

#[test]
fn broken_skeletons_are_refused_with_line_and_column() {
    for (name, expected) in [
        (
            "bone-direction-word",
            "line 19, column 17: direction of bone `hip`: `up` is not a number",
        ),
        (
            "bone-length-nan",
            "line 27, column 12: length of bone `leg`: `nan` is not a finite number",
        ),
        (
            "bone-length-overflows",
            "line 27, column 12: length of bone `leg`: `1e999` is not a finite number",
        ),
        ("bone-name-missing", "line 18, column 5: the name of the bone is missing"),
        ("bone-name-repeated", "line 25, column 10: a second bone is named `hip`"),
        ("bone-name-root", "line 18, column 10: a bone is named `root`, as the root is"),
        ("bone-not-closed", "line 23, column 3: bone `leg` is not closed: `end` is missing"),
        ("bone-without-axis", "line 16, column 3: bone `hip` has no axis"),
        ("bone-without-direction", "line 16, column 3: bone `hip` has no direction"),
        ("bone-without-name", "line 16, column 3: a bone has no name"),
        ("dof-repeated", "line 29, column 15: dof of bone `leg`: `rx` twice"),
        ("dof-unknown", "line 29, column 12: `rw`: expected a degree of freedom such as rx here"),
        ("empty", "line 1, column 1: the file has no :root section"),
        ("hierarchy-bone-left-out", "line 36, column 1: bone `leg` is not in the hierarchy"),
        (
            "hierarchy-circle",
            "line 36, column 1: the hierarchy runs in a circle: bone `hip` is its own ancestor",
        ),
        (
            "hierarchy-self",
            "line 36, column 1: the hierarchy runs in a circle: bone `hip` is its own ancestor",
        ),
        ("hierarchy-missing", "line 36, column 1: the file has no :hierarchy section"),
        (
            "hierarchy-not-closed",
            "line 40, column 1: the hierarchy is not closed: `end` is missing",
        ),
        ("hierarchy-two-parents", "line 40, column 10: bone `leg` has a parent already"),
        (
            "hierarchy-unknown-child",
            "line 39, column 9: child `log` in the hierarchy is not a bone",
        ),
        (
            "hierarchy-unknown-parent",
            "line 39, column 5: parent `hop` in the hierarchy is not a bone",
        ),
        (
            "hierarchy-without-begin",
            "line 37, column 5: `root`: expected `begin`, to open the hierarchy, here",
        ),
        ("limits-odd", "line 33, column 5: limits of bone `leg`: a limit has no upper bound"),
        ("limits-too-few", "line 30, column 5: bone `leg` has 2 limits for 3 degrees of freedom"),
        (
            "limits-without-dof",
            "line 29, column 5: bone `leg` has 3 limits for 0 degrees of freedom",
        ),
        (
            "not-asf",
            "line 1, column 1: this is not an Acclaim skeleton: it does not begin with a section such as \
             :version",
        ),
        ("root-axis-wrong", "line 12, column 8: `XXZ`: expected an order of axes such as XYZ here"),
        ("root-missing", "line 36, column 1: the file has no :root section"),
        (
            "root-position-short",
            "line 14, column 3: position of the root: `orientation` is not a number",
        ),
        ("root-with-length", "line 11, column 3: the root has no length to change"),
        ("units-angle-unknown", "line 6, column 9: `grad`: expected deg or rad here"),
        ("units-length-negative", "line 5, column 10: the length unit must be a positive number"),
        ("units-length-zero", "line 5, column 10: the length unit must be a positive number"),
    ] {
        assert_eq!(asf(name).unwrap_err().to_string(), expected, "{name}");
    }
}

#[test]
fn a_scale_that_is_given_overrides_the_unit_of_the_file() {
    let options = ReadOptions { scale: Some(0.01), ..Default::default() };
    let file = acclaim::read_asf(&seed("plain.asf"), &options).unwrap();
    let (skeleton, units, _) = file.to_skeleton().unwrap();
    assert_eq!(units.source, UnitSource::Given);
    assert!(skeleton.joint(2).rest.translation.abs_diff_eq(Vec3::X * 0.02, 1e-7));
    let bad = ReadOptions { scale: Some(f32::NAN), ..Default::default() };
    assert!(acclaim::read_asf(&seed("plain.asf"), &bad).is_err());
}

#[test]
fn values_are_taken_in_the_order_that_the_skeleton_lists() {
    let asset = amc("plain").unwrap();
    assert_eq!(asset.warnings, []);
    let clip = &asset.clips[0];
    assert_eq!((clip.frame_count(), clip.fps()), (3, 120.0));
    let metres = 0.0254 / 0.45;
    let joint = |name: &str| clip.frame(0)[asset.skeleton.find(name).unwrap()];
    let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let y = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    let z = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let same = |name: &str, expected: Quat| {
        assert!(rotation::angle_between(joint(name).rotation, expected) < 1e-5, "{name}");
    };
    // `root 1 0.5 2 17 3 0.1` with order RZ TX RX TY RY TZ: first about Z, then X, then Y.
    assert!(joint("root").translation.abs_diff_eq(Vec3::new(0.5, 17.0, 0.1) * metres, 1e-6));
    same("root", y(30.0) * (y(3.0) * x(2.0) * z(1.0)) * y(-30.0));
    same("hip", Quat::IDENTITY);
    same("leg", z(20.0) * x(11.0) * z(-20.0));
    // `axis 90 10 20 ZYX`: about Z first.
    let axis = x(90.0) * y(10.0) * z(20.0);
    same("foot", axis * (x(-1.0) * z(5.0)) * axis.conjugate());
    same("spine", x(3.0) * z(2.0) * y(1.0));
    // The spine is 0.5 longer; the head moves in the frame of its axis.
    let moved = Vec3::Y * 4.5 + y(45.0) * Vec3::new(0.1, 0.2, 0.3);
    assert!(joint("head").translation.abs_diff_eq(moved * metres, 1e-6));
    same("head", y(45.0) * (z(30.0) * y(20.0) * x(10.0)) * y(-45.0));
}

#[test]
fn the_same_frames_are_read_however_they_are_spelt() {
    let plain = amc("plain").unwrap();
    for name in ["crlf", "byte-order-mark", "comments", "blank-lines", "bone-rigid-with-a-line"] {
        assert_eq!(amc(name).unwrap(), plain, "{name}");
    }
}

#[test]
fn angles_are_in_the_unit_of_the_motion() {
    let radians = amc("radians").unwrap();
    let leg = radians.clips[0].rotation(0, radians.skeleton.find("leg").unwrap());
    let axis = Quat::from_rotation_z(20f32.to_radians());
    let expected = axis * Quat::from_rotation_x(11.0) * axis.conjugate();
    assert!(rotation::angle_between(leg, expected) < 1e-5);
}

#[test]
fn the_frame_rate_is_that_of_the_options_or_the_file_or_120() {
    assert_eq!(amc("sample-rate").unwrap().clips[0].fps(), 60.0);
    let bytes = seed("sample-rate.amc");
    let options = ReadOptions { fps: Some(25.0), ..Default::default() };
    let asset = acclaim::read(TRIPOD.as_bytes(), bytes.as_slice(), "clip", &options).unwrap();
    assert_eq!(asset.clips[0].fps(), 25.0);
}

#[test]
fn harmless_oddities_of_motions_are_warnings() {
    for (name, frames, expected) in [
        ("keyword-unknown", 3, &["line 1: `:FRAME-RANGE` is not known; it is left out"][..]),
        (
            "numbers-not-consecutive",
            4,
            &[
                "line 9: frame 5 follows frame 1; frames are taken as they come",
                "3 frame numbers do not follow the one before",
            ],
        ),
        (
            "cut-off-after-a-line",
            2,
            &["line 18: the file is cut off in frame 3; the frame is left out"],
        ),
        (
            "cut-off-in-a-line",
            2,
            &["line 20: the file is cut off in frame 3; the frame is left out"],
        ),
        (
            "cut-off-in-a-name",
            2,
            &["line 19: the file is cut off in frame 3; the frame is left out"],
        ),
        (
            "cut-off-in-a-number",
            2,
            &["line 20: the file is cut off in frame 3; the frame is left out"],
        ),
        (
            "frame-number-last",
            3,
            &["line 21: the file is cut off in frame 4; the frame is left out"],
        ),
        ("frames-none", 0, &["the motion has no frames; there is no clip"]),
        ("empty", 0, &["the motion has no frames; there is no clip"]),
        ("header-missing", 2, &[]),
    ] {
        let asset = amc(name).unwrap();
        let warnings: Vec<_> = asset.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, expected, "{name}");
        assert_eq!(asset.clips.first().map_or(0, |clip| clip.frame_count()), frames, "{name}");
    }
}

#[test]
fn broken_motions_are_refused_with_line_and_column() {
    for (name, expected) in [
        ("bone-missing", "line 3, column 1: frame 1 has no line for bone `leg`"),
        ("bone-missing-in-the-only-frame", "line 3, column 1: frame 1 has no line for bone `leg`"),
        ("bone-missing-in-the-last-frame", "line 15, column 1: frame 3 has no line for bone `leg`"),
        ("root-missing", "line 3, column 1: frame 1 has no line for bone `root`"),
        ("bone-twice", "line 12, column 1: frame 2 has two lines for bone `leg`"),
        ("bone-unknown", "line 11, column 1: `log` is not a bone of the skeleton"),
        (
            "bone-rigid-with-values",
            "line 11, column 5: frame 2, bone `hip`: more than 0 values, one per degree of freedom",
        ),
        (
            "values-too-few",
            "line 12, column 7: frame 2, bone `foot`: 1 values for 2 degrees of freedom",
        ),
        (
            "values-too-many",
            "line 12, column 11: frame 2, bone `foot`: more than 2 values, one per degree of freedom",
        ),
        ("value-nan", "line 12, column 6: frame 2, bone `foot`: `nan` is not a finite number"),
        ("value-infinite", "line 12, column 8: frame 2, bone `foot`: `inf` is not a finite number"),
        (
            "value-overflows",
            "line 12, column 8: frame 2, bone `foot`: `1e999` is not a finite number",
        ),
        (
            "value-nan-at-the-end",
            "line 20, column 24: frame 3, bone `head`: `nan` is not a finite number",
        ),
        ("value-word", "line 12, column 6: frame 2, bone `foot`: `five` is not a number"),
        (
            "values-before-a-frame",
            "line 3, column 1: values of bone `root` before the number of the first frame",
        ),
        ("sample-rate-bad", "line 1, column 1: the number of samples per second must be positive"),
        ("not-amc", "line 1, column 1: `\\0ÿ` is not a bone of the skeleton"),
    ] {
        assert_eq!(amc(name).unwrap_err().to_string(), expected, "{name}");
    }
}

#[test]
fn z_up_files_stand_upright() {
    let options = ReadOptions { up: UpAxis::Z, ..Default::default() };
    let read = |options| {
        let motion = seed("plain.amc");
        acclaim::read(TRIPOD.as_bytes(), motion.as_slice(), "clip", options).unwrap()
    };
    let (y_up, z_up) = (read(&ReadOptions::default()), read(&options));
    let turn = Quat::from_rotation_x(-FRAC_PI_2);
    for (frame, turned) in y_up.clips[0].frames().zip(z_up.clips[0].frames()) {
        let (mut models, mut turned_models) = (frame.to_vec(), turned.to_vec());
        y_up.skeleton.local_to_model(frame, &mut models);
        z_up.skeleton.local_to_model(turned, &mut turned_models);
        for (model, turned) in models.iter().zip(&turned_models) {
            assert!(turned.translation.abs_diff_eq(turn * model.translation, 1e-5));
        }
    }
    let hinge =
        |asset: &Asset| match asset.skeleton.joint(asset.skeleton.find("leg").unwrap()).limit {
            JointLimit::Hinge { axis, .. } => axis,
            _ => panic!("not a hinge"),
        };
    assert!(hinge(&z_up).abs_diff_eq(turn * hinge(&y_up), 1e-6));
}

/// The same frame for ever.
struct Endless {
    frame: Vec<u8>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.frame[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.frame.len();
        Ok(count)
    }
}

#[test]
fn frames_come_one_at_a_time_from_a_motion_without_end() {
    let skeleton = acclaim::read_asf(TRIPOD.as_bytes(), &ReadOptions::default()).unwrap();
    let plain = String::from_utf8(seed("plain.amc")).unwrap();
    let frame = &plain[plain.find("1\n").unwrap()..plain.find("2\nroot").unwrap()];
    let endless = BufReader::new(Endless { frame: frame.into(), at: 0 });
    let mut reader = AmcReader::new(endless, &skeleton);
    for _ in 0..1000 {
        let frame = reader.next_frame().unwrap().unwrap();
        assert_eq!((frame.number(), frame.root()[1]), (1, 0.5));
    }
    assert!(reader.bytes_read() < 1010 * frame.len());
    // Frame numbers that stand still are mentioned twice, not a thousand times.
    assert_eq!(reader.warnings().len(), 2);
}

#[test]
fn a_line_without_end_is_refused() {
    let skeleton = acclaim::read_asf(TRIPOD.as_bytes(), &ReadOptions::default()).unwrap();
    let endless = BufReader::new(Endless { frame: b"leg 1 2 3 ".to_vec(), at: 0 });
    let error = AmcReader::new(endless, &skeleton).next_frame().unwrap_err();
    assert!(error.message.contains("a line of more than 65536 characters"), "{error}");
}

#[test]
fn an_error_of_the_stream_is_passed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let skeleton = acclaim::read_asf(TRIPOD.as_bytes(), &ReadOptions::default()).unwrap();
    let error = AmcReader::new(BufReader::new(Broken), &skeleton).next_frame().unwrap_err();
    assert_eq!(error.to_string(), "cannot be read: the disk is gone");
    assert!(error.source.is_some());
}
