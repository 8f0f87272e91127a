//! MuJoCo's XML.

use super::{ImportedHinge, ImportedPart, Turns, assemble, cylinder, guard};
use crate::mass::symmetric;
use crate::{Body, Geometry, Mass, RigidPlacement, SolidShape};
use andante_formats::gate::{path_in, read_text};
use andante_formats::{ReadError, ReadLimits};
use glam::{DMat3, DQuat, DVec3};
use mjcf_rs::Model;
use mjcf_rs::body::{Geom, GeomType, InertiaSpec, Joint, JointType};
use mjcf_rs::compiler::InertiaFromGeom;
use roxmltree::{Document, Node};
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

/// Of flesh and of most MJCF files, kg/m³.
const DENSITY: f64 = 1000.0;

/// Files that one description may include.
const MAX_INCLUDES: usize = 100;

/// The first body of an MJCF file and all that hangs on it. Includes are looked for in its folder, and outside it where
/// the limits allow that.
pub fn read_mjcf_file(path: &Path, limits: &ReadLimits) -> Result<Body, ReadError> {
    let text = read_text(path, limits)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    read(&text, Some((folder, limits))).map_err(|error| error.in_file(path))
}

/// The first body of an MJCF document that includes no other, and all that hangs on it.
pub fn read_mjcf(text: &str) -> Result<Body, ReadError> {
    read(text, None)
}

fn read(text: &str, place: Option<(&Path, &ReadLimits)>) -> Result<Body, ReadError> {
    let mut left = MAX_INCLUDES;
    check_includes(text, place, &mut left)?;
    let folder = place.map_or(Path::new("."), |(folder, _)| folder);
    let model =
        Model::from_str(text, folder).map_err(|error| ReadError::file(error.to_string()))?;
    // Index of each body of the file among the parts of the first tree.
    let mut indices: Vec<Option<usize>> = vec![None; model.bodies.len()];
    let mut parts: Vec<ImportedPart> = Vec::new();
    let mut remarks = Vec::new();
    for id in depth_first(&model) {
        let entry = &model.bodies[id];
        let parent = entry.parent.and_then(|parent| indices.get(parent).copied().flatten());
        let body = &entry.body;
        let own = placement(&body.pose);
        let place = parent.map_or(own, |parent| parts[parent].place * own);
        let name = body.name.clone().unwrap_or_else(|| format!("body {id}"));
        let turns = if parent.is_none() { Turns::Weld } else { turns(&name, &body.joints)? };
        if parent.is_none() {
            remarks.extend(root_remark(&name, &body.joints));
        }
        let mut shapes = Vec::new();
        let mut masses = Vec::new();
        for geom in &body.geoms {
            let Some((shape, volume)) = shape(geom) else { continue };
            let mass = geom.mass.unwrap_or_else(|| geom.density.unwrap_or(DENSITY) * volume);
            if mass > 0.0 {
                masses.push(shape.mass(mass));
            }
            shapes.push(shape);
        }
        if let Some(inertial) = &body.inertial
            && model.compiler.inertia_from_geom != InertiaFromGeom::True
        {
            let inertia = match inertial.inertia {
                InertiaSpec::Diagonal(moments) => DMat3::from_diagonal(DVec3::from(moments)),
                InertiaSpec::Full(entries) => symmetric(entries),
            };
            let own = Mass { mass: inertial.mass, center: DVec3::ZERO, inertia };
            masses = vec![own.placed(&placement(&inertial.pose))];
        }
        indices[id] = Some(parts.len());
        parts.push(ImportedPart { name, parent, place, turns, masses, shapes });
    }
    let body = assemble(model.name.as_deref().unwrap_or("mjcf"), &parts)?;
    Ok(body.with_remarks(remarks))
}

/// What is said of a root that is not free in its file: here every root floats.
fn root_remark(name: &str, joints: &[Joint]) -> Option<String> {
    let kinds: Vec<JointType> = joints.iter().map(|joint| joint.type_).collect();
    let how = match kinds[..] {
        [JointType::Free] => return None,
        [] => "is fixed to the world".into(),
        _ => {
            let slides = kinds.iter().filter(|kind| **kind == JointType::Slide).count();
            format!("moves on {slides} slides and {} hinges", kinds.len() - slides)
        }
    };
    Some(format!(
        "`{name}` {how} in the file; here nothing holds it, and it can move and fall anywhere"
    ))
}

/// Checks a text and the files that it includes, before the parser follows them itself. A text without a folder may
/// include none.
fn check_includes(
    text: &str,
    place: Option<(&Path, &ReadLimits)>,
    left: &mut usize,
) -> Result<(), ReadError> {
    guard::check_depth(text)?;
    // What is no XML, the parser tells.
    let Ok(document) = Document::parse(text) else { return Ok(()) };
    let follows = |node: &Node| node.has_tag_name("include") || node.has_tag_name("model");
    let includes = document.descendants().filter(follows);
    for name in includes.filter_map(|node| node.attribute("file")) {
        let Some((folder, limits)) = place else {
            return Err(ReadError::file("includes a file, and the folder to look in is not known"));
        };
        let path = path_in(folder, name, limits)?;
        *left = left.checked_sub(1).ok_or_else(|| {
            ReadError::file(format!(
                "more than {MAX_INCLUDES} included files, or files that include each other"
            ))
        })?;
        let inner = read_text(&path, limits)?;
        let folder = path.parent().unwrap_or(folder);
        let checked = check_includes(&inner, Some((folder, limits)), left);
        checked.map_err(|error| error.without_excerpt().in_file(&path))?;
    }
    Ok(())
}

/// Bodies of the first tree below the world, parents first, branches one after the other.
fn depth_first(model: &Model) -> Vec<usize> {
    let children = |parent: usize| {
        model.bodies_iter().filter(move |(_, entry)| entry.parent == Some(parent)).map(|(id, _)| id)
    };
    let mut open: Vec<usize> = children(0).take(1).collect();
    let mut order = Vec::new();
    while let Some(id) = open.pop() {
        order.push(id);
        let below: Vec<usize> = children(id).collect();
        open.extend(below.into_iter().rev());
    }
    order
}

fn placement(pose: &mjcf_rs::Pose) -> RigidPlacement {
    let (q, t) = (pose.rotation, pose.translation);
    RigidPlacement::new(DQuat::from_xyzw(q.x, q.y, q.z, q.w), DVec3::new(t.x, t.y, t.z))
}

fn turns(name: &str, joints: &[Joint]) -> Result<Turns, ReadError> {
    let refuse = |message: &str| Err(ReadError::element(format!("body `{name}`"), message));
    let axis = |joint: &Joint| ImportedHinge {
        direction: DVec3::from(joint.axis),
        at: DVec3::from(joint.pos),
        range: joint.range,
        stiffness: joint.stiffness,
        damping: joint.damping,
        torque: None,
    };
    let kinds: Vec<JointType> = joints.iter().map(|joint| joint.type_).collect();
    match kinds[..] {
        [] => Ok(Turns::Weld),
        [JointType::Ball] => Ok(Turns::Ball(axis(&joints[0]))),
        _ if kinds.contains(&JointType::Slide) => refuse("slides are not supported"),
        _ if kinds.contains(&JointType::Free) => refuse("only the first body may be free"),
        _ if kinds.contains(&JointType::Ball) => refuse("a ball and other joints in one body"),
        _ if kinds.len() > 3 => refuse("more than three hinges in one body"),
        _ => Ok(Turns::Hinges(joints.iter().map(axis).collect())),
    }
}

/// The shape and the volume of the solid it stands for; `None` for what has no shape of its own.
fn shape(geom: &Geom) -> Option<(SolidShape, f64)> {
    let size = DVec3::from(geom.size);
    let own = placement(&geom.pose);
    // Round solids are along z there and along y here.
    let mut place = own * RigidPlacement::new(DQuat::from_rotation_x(FRAC_PI_2), DVec3::ZERO);
    let mut half_length = size.y;
    if let Some([a, b, c, d, e, f]) = geom.fromto {
        let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
        half_length = 0.5 * from.distance(to);
        let along = (to - from).try_normalize()?;
        place = RigidPlacement::new(DQuat::from_rotation_arc(DVec3::Y, along), (from + to) * 0.5);
    }
    let geometry = match geom.type_ {
        GeomType::Sphere => Geometry::Sphere { radius: size.x },
        GeomType::Capsule => Geometry::Capsule { radius: size.x, half_length },
        GeomType::Cylinder => cylinder(size.x, half_length),
        GeomType::Box => {
            place = own;
            Geometry::Box { half: size }
        }
        GeomType::Ellipsoid => {
            place = own;
            Geometry::Box { half: size * libm::cbrt(PI / 6.0) }
        }
        GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf => return None,
    };
    let shape = SolidShape { geometry, center: place.translation, rotation: place.rotation };
    geometry.is_valid().then(|| (shape, geometry.volume()))
}
