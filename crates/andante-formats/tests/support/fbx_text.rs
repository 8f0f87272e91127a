//! A small writer of FBX as text, for tests alone: it shares no code with the reader, nor with what the reader is built on.

use andante_skeleton::{Clip, Skeleton};
use glam::{EulerRot, Quat, Vec3};
use std::fmt::Write;

/// Units of FBX's time in a second.
const SECOND: f64 = 46_186_158_000.0;

/// How a file is to be written.
#[derive(Clone, Copy)]
pub struct FbxForm {
    /// Metres per unit.
    pub unit: f32,
    pub z_up: bool,
    /// The order of rotations of joint 0; the next joint has the next one.
    pub order: usize,
    /// Degrees about X, Y and Z that every joint is turned by before its own rotation.
    pub before: Vec3,
    pub prefix: &'static str,
    /// With a node above that is scaled and turned, as programs put in.
    pub armature: bool,
}

impl Default for FbxForm {
    fn default() -> Self {
        Self { unit: 0.01, z_up: false, order: 0, before: Vec3::ZERO, prefix: "", armature: false }
    }
}

/// Orders by their numbers: the first letter is applied first.
const ORDERS: [EulerRot; 6] =
    [EulerRot::ZYX, EulerRot::YZX, EulerRot::XZY, EulerRot::ZXY, EulerRot::YXZ, EulerRot::XYZ];

/// Degrees about X, Y and Z.
fn degrees(rotation: Quat, order: usize) -> [f64; 3] {
    let (a, b, c) = rotation.as_dquat().to_euler(ORDERS[order]);
    let again = Quat::from_euler(ORDERS[order], a as f32, b as f32, c as f32);
    assert!(again.dot(rotation).abs() > 1.0 - 1e-6, "angles that say little: {rotation}");
    let [x, y, z] = match order {
        0 => [c, b, a],
        1 => [c, a, b],
        2 => [a, c, b],
        3 => [b, c, a],
        4 => [b, a, c],
        _ => [a, b, c],
    };
    [x, y, z].map(f64::to_degrees)
}

impl FbxForm {
    /// A direction of ours in the axes of the file.
    fn axes(self, ours: Vec3) -> Vec3 {
        if self.z_up { Vec3::new(ours.x, -ours.z, ours.y) } else { ours }
    }

    fn place(self, ours: Vec3) -> [f64; 3] {
        let place = (self.axes(ours).as_dvec3() / f64::from(self.unit)).to_array();
        // The armature is ten times as large as it looks.
        if self.armature { place.map(|number| number / 10.0) } else { place }
    }

    fn rotation(self, ours: Quat) -> Quat {
        let axis = self.axes(Vec3::new(ours.x, ours.y, ours.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, ours.w)
    }

    fn turned_before(self) -> Quat {
        let [x, y, z] = self.before.to_array().map(f32::to_radians);
        // Always in the first order.
        Quat::from_euler(EulerRot::ZYX, z, y, x)
    }

    /// The properties of a joint that is placed like this on its parent.
    fn local(self, joint: usize, rotation: Quat) -> [f64; 3] {
        let own = self.turned_before().conjugate() * self.rotation(rotation);
        degrees(own.normalize(), (self.order + joint) % 6)
    }
}

/// A skeleton and its clips as a file, with further objects and connections of a mesh.
pub fn fbx(skeleton: &Skeleton, clips: &[Clip], form: FbxForm, mesh: (&str, &str)) -> Vec<u8> {
    let mut objects = String::new();
    let mut links = String::new();
    let top = if form.armature { 900 } else { 0 };
    if form.armature {
        objects += "\tModel: 900, \"Model::Armature\", \"Null\" {\n\t\tProperties70: {\n\t\t\t\
            P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,90,0\n\t\t\t\
            P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",10,10,10\n\t\t}\n\t}\n";
        links += "\tC: \"OO\",900,0\n";
    }
    for (number, joint) in skeleton.joints().iter().enumerate() {
        let (id, parent) = (1000 + number, joint.parent.map_or(top, |parent| 1000 + parent));
        let [x, y, z] = form.place(joint.rest.translation);
        let [a, b, c] = form.local(number, joint.rest.rotation);
        let (order, before) = ((form.order + number) % 6, form.before);
        let name = format!("{}{}", form.prefix, joint.name);
        let _ = write!(
            objects,
            "\tModel: {id}, \"Model::{name}\", \"LimbNode\" {{\n\t\tVersion: 232\n\t\tProperties70: {{\n\
             \t\t\tP: \"RotationActive\", \"bool\", \"\", \"\",1\n\
             \t\t\tP: \"RotationOrder\", \"enum\", \"\", \"\",{order}\n\
             \t\t\tP: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{},{},{}\n\
             \t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n\
             \t\t\tP: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",{a},{b},{c}\n\t\t}}\n\t}}\n\
             \tNodeAttribute: {}, \"NodeAttribute::{name}\", \"LimbNode\" {{\n\t\tTypeFlags: \"Skeleton\"\n\t}}\n",
            before.x,
            before.y,
            before.z,
            5000 + number
        );
        let _ = write!(links, "\tC: \"OO\",{id},{parent}\n\tC: \"OO\",{},{id}\n", 5000 + number);
    }
    for (number, clip) in clips.iter().enumerate() {
        stack(skeleton, clip, 100_000 * (number + 1), form, &mut objects, &mut links);
    }
    let fps = clips.first().map_or(30.0, Clip::fps);
    let (up, front, sign) = if form.z_up { (2, 1, -1) } else { (1, 2, 1) };
    let unit = f64::from(form.unit) * 100.0;
    let text = format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}}\n\
         GlobalSettings:  {{\n\tVersion: 1000\n\tProperties70:  {{\n\
         \t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\n\t\tP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
         \t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\n\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{sign}\n\
         \t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n\t\tP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
         \t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{unit}\n\
         \t\tP: \"TimeMode\", \"enum\", \"\", \"\",14\n\t\tP: \"CustomFrameRate\", \"double\", \"Number\", \"\",{fps}\n\t}}\n}}\n\
         Objects:  {{\n{objects}{}}}\nConnections:  {{\n{links}{}}}\n",
        mesh.0, mesh.1
    );
    text.into_bytes()
}

fn stack(
    skeleton: &Skeleton,
    clip: &Clip,
    first: usize,
    form: FbxForm,
    objects: &mut String,
    links: &mut String,
) {
    let (stack, layer) = (first, first + 1);
    let time = |frame: usize| (frame as f64 / f64::from(clip.fps()) * SECOND).round() as i64;
    let end = time(clip.frame_count() - 1);
    let _ = write!(
        objects,
        "\tAnimationStack: {stack}, \"AnimStack::{}\", \"\" {{\n\t\tProperties70: {{\n\
         \t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",{end}\n\t\t}}\n\t}}\n\
         \tAnimationLayer: {layer}, \"AnimLayer::base\", \"\" {{\n\t}}\n",
        clip.name()
    );
    let _ = writeln!(links, "\tC: \"OO\",{layer},{stack}");
    let mut id = first + 2;
    for joint in 0..skeleton.len() {
        let local = |frame: usize| clip.frame(frame)[joint];
        let places: Vec<[f64; 3]> =
            (0..clip.frame_count()).map(|f| form.place(local(f).translation)).collect();
        let turns: Vec<[f64; 3]> =
            (0..clip.frame_count()).map(|f| form.local(joint, local(f).rotation)).collect();
        for (letter, property, values) in
            [("T", "Lcl Translation", &places), ("R", "Lcl Rotation", &turns)]
        {
            let node = id;
            id += 4;
            let _ = writeln!(
                objects,
                "\tAnimationCurveNode: {node}, \"AnimCurveNode::{letter}\", \"\" {{\n\t}}"
            );
            let _ = writeln!(links, "\tC: \"OO\",{node},{layer}");
            let _ = writeln!(links, "\tC: \"OP\",{node},{}, \"{property}\"", 1000 + joint);
            for (axis, name) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
                let curve = node + 1 + axis;
                let count = values.len();
                let times: Vec<String> = (0..count).map(|frame| time(frame).to_string()).collect();
                let keys: Vec<String> = values.iter().map(|v| v[axis].to_string()).collect();
                let _ = write!(
                    objects,
                    "\tAnimationCurve: {curve}, \"AnimCurve::\", \"\" {{\n\t\tDefault: 0\n\t\tKeyVer: 4008\n\
                     \t\tKeyTime: *{count} {{\n\t\t\ta: {}\n\t\t}}\n\
                     \t\tKeyValueFloat: *{count} {{\n\t\t\ta: {}\n\t\t}}\n\
                     \t\tKeyAttrFlags: *1 {{\n\t\t\ta: 4\n\t\t}}\n\
                     \t\tKeyAttrDataFloat: *4 {{\n\t\t\ta: 0,0,0,0\n\t\t}}\n\
                     \t\tKeyAttrRefCount: *1 {{\n\t\t\ta: {count}\n\t\t}}\n\t}}\n",
                    times.join(","),
                    keys.join(",")
                );
                let _ = writeln!(links, "\tC: \"OP\",{curve},{node}, \"{name}\"");
            }
        }
    }
}

/// A strip of two squares on joints 0 and 1, which both are at the origin of the mesh at binding, with a material and a blend shape:
/// objects and connections.
pub fn strip() -> (&'static str, &'static str) {
    (
        "\tModel: 700, \"Model::Skin\", \"Mesh\" {\n\t}\n\
         \tGeometry: 701, \"Geometry::Skin\", \"Mesh\" {\n\
         \t\tVertices: *18 {\n\t\t\ta: 0,0,0,100,0,0,0,100,0,100,100,0,0,200,0,100,200,0\n\t\t}\n\
         \t\tPolygonVertexIndex: *8 {\n\t\t\ta: 0,1,3,-3,2,3,5,-5\n\t\t}\n\t\tGeometryVersion: 124\n\
         \t\tLayerElementUV: 0 {\n\t\t\tVersion: 101\n\t\t\tMappingInformationType: \"ByPolygonVertex\"\n\
         \t\t\tReferenceInformationType: \"Direct\"\n\t\t\tUV: *16 {\n\t\t\t\ta: 0,0.25,1,0,1,1,0,1,0,0,1,0,1,1,0,1\n\t\t\t}\n\t\t}\n\
         \t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tMappingInformationType: \"AllSame\"\n\
         \t\t\tReferenceInformationType: \"IndexToDirect\"\n\t\t\tMaterials: *1 {\n\t\t\t\ta: 0\n\t\t\t}\n\t\t}\n\
         \t\tLayer: 0 {\n\t\t\tVersion: 100\n\
         \t\t\tLayerElement: {\n\t\t\t\tType: \"LayerElementUV\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\
         \t\t\tLayerElement: {\n\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n\
         \tMaterial: 702, \"Material::Paint\", \"\" {\n\t\tShadingModel: \"phong\"\n\t\tProperties70: {\n\
         \t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.25,0.5,0.75\n\t\t}\n\t}\n\
         \tDeformer: 703, \"Deformer::Skin\", \"Skin\" {\n\t}\n\
         \tDeformer: 704, \"SubDeformer::A\", \"Cluster\" {\n\t\tIndexes: *4 {\n\t\t\ta: 0,1,2,3\n\t\t}\n\
         \t\tWeights: *4 {\n\t\t\ta: 1,1,0.5,0.5\n\t\t}\n\
         \t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n\
         \t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n\t}\n\
         \tDeformer: 705, \"SubDeformer::B\", \"Cluster\" {\n\t\tIndexes: *4 {\n\t\t\ta: 2,3,4,5\n\t\t}\n\
         \t\tWeights: *4 {\n\t\t\ta: 0.5,0.5,1,1\n\t\t}\n\
         \t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,-100,0,1\n\t\t}\n\
         \t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,100,0,1\n\t\t}\n\t}\n\
         \tDeformer: 706, \"Deformer::Face\", \"BlendShape\" {\n\t}\n\
         \tDeformer: 707, \"SubDeformer::Smile\", \"BlendShapeChannel\" {\n\t\tDeformPercent: 40\n\
         \t\tFullWeights: *1 {\n\t\t\ta: 100\n\t\t}\n\t}\n\
         \tGeometry: 708, \"Geometry::Smile\", \"Shape\" {\n\t\tIndexes: *1 {\n\t\t\ta: 5\n\t\t}\n\
         \t\tVertices: *3 {\n\t\t\ta: 0,0,10\n\t\t}\n\t}\n",
        "\tC: \"OO\",700,0\n\tC: \"OO\",701,700\n\tC: \"OO\",702,700\n\tC: \"OO\",703,701\n\tC: \"OO\",704,703\n\
         \tC: \"OO\",705,703\n\tC: \"OO\",1000,704\n\tC: \"OO\",1001,705\n\tC: \"OO\",706,701\n\tC: \"OO\",707,706\n\
         \tC: \"OO\",708,707\n",
    )
}
