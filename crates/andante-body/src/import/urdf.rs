//! The robot descriptions of ROS.

use super::{ImportedHinge, ImportedPart, Turns, assemble, cylinder, guard};
use crate::mass::symmetric;
use crate::{Body, Geometry, Mass, RigidPlacement, SolidShape};
use andante_formats::gate::read_text;
use andante_formats::{ReadError, ReadLimits};
use glam::{DQuat, DVec3, EulerRot};
use roxmltree::{Document, Node};
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// A body from a URDF file.
pub fn read_urdf_file(path: &Path) -> Result<Body, ReadError> {
    read_urdf(&read_text(path, &ReadLimits::default())?).map_err(|error| error.in_file(path))
}

/// A body from a URDF document. Errors name line and column.
pub fn read_urdf(text: &str) -> Result<Body, ReadError> {
    guard::check_depth(text)?;
    let document = Document::parse(text).map_err(|error| {
        let at = error.pos();
        let line_starts = text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize);
        let line: usize = line_starts.map(str::len).sum();
        let before = text[line..].chars().take(at.col.saturating_sub(1) as usize);
        let byte = line + before.map(char::len_utf8).sum::<usize>();
        ReadError::at(text.as_bytes(), byte, error.to_string())
    })?;
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        return Err(wrong(text, robot, "a URDF file is a <robot>"));
    }
    let mut links: HashMap<&str, Node> = HashMap::new();
    for link in children(robot, "link") {
        if links.insert(attribute(text, link, "name")?, link).is_some() {
            return Err(wrong(text, link, "another link has this name"));
        }
    }
    // Joints by the link they hang on, and which links hang on something.
    let mut below: HashMap<&str, Vec<(Node, &str)>> = HashMap::new();
    let mut hanging: HashMap<&str, Node> = HashMap::new();
    for joint in children(robot, "joint") {
        let end = |tag: &str| {
            let node = child(joint, tag)
                .ok_or_else(|| wrong(text, joint, &format!("<{tag}> is missing")))?;
            let name = attribute(text, node, "link")?;
            if links.contains_key(name) {
                Ok(name)
            } else {
                Err(wrong(text, node, &format!("there is no link `{name}`")))
            }
        };
        let (parent, own) = (end("parent")?, end("child")?);
        if hanging.insert(own, joint).is_some() {
            return Err(wrong(
                text,
                joint,
                &format!("link `{own}` hangs on two others: loops are not supported"),
            ));
        }
        below.entry(parent).or_default().push((joint, own));
    }
    let root = children(robot, "link")
        .filter_map(|link| link.attribute("name"))
        .find(|name| !hanging.contains_key(name));
    let Some(root) = root else {
        return Err(wrong(text, robot, "no link is the root: links form a loop"));
    };

    let mut parts: Vec<ImportedPart> = Vec::new();
    let mut open = vec![(root, None, RigidPlacement::IDENTITY, Turns::Weld)];
    while let Some((name, parent, place, turns)) = open.pop() {
        let index = parts.len();
        let (masses, shapes) = solid(text, links[name])?;
        parts.push(ImportedPart { name: name.into(), parent, place, turns, masses, shapes });
        for (joint, own) in below.remove(name).unwrap_or_default().into_iter().rev() {
            let place = place * origin(text, joint)?;
            open.push((own, Some(index), place, joint_turns(text, joint)?));
        }
    }
    without_frames(&mut parts);
    assemble(robot.attribute("name").unwrap_or("urdf"), &parts)
}

/// Leaves out parts that are only frames of reference.
fn without_frames(parts: &mut Vec<ImportedPart>) {
    // A root without mass is a frame of reference, as is usual.
    while parts.len() > 1
        && parts[0].masses.is_empty()
        && parts.iter().filter(|part| part.parent == Some(0)).count() == 1
    {
        parts.remove(0);
        for part in parts.iter_mut() {
            part.parent = part.parent.and_then(|parent| parent.checked_sub(1));
        }
    }
    // Frames without mass at the end of a limb, such as tool points, move nothing.
    for index in (1..parts.len()).rev() {
        let carries = parts.iter().any(|part| part.parent == Some(index));
        if parts[index].masses.is_empty() && !carries {
            parts[index].turns = Turns::Weld;
        }
    }
}

fn children<'a, 'i>(node: Node<'a, 'i>, tag: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.has_tag_name(tag))
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(tag))
}

fn wrong(text: &str, node: Node, message: &str) -> ReadError {
    ReadError::at(text.as_bytes(), node.range().start, message)
}

fn attribute<'a>(text: &str, node: Node<'a, '_>, name: &str) -> Result<&'a str, ReadError> {
    node.attribute(name)
        .ok_or_else(|| wrong(text, node, &format!("<{}> has no `{name}`", node.tag_name().name())))
}

/// One number; what is not there is the default.
fn number(text: &str, node: Option<Node>, name: &str, default: f64) -> Result<f64, ReadError> {
    let Some((node, value)) = node.and_then(|node| Some((node, node.attribute(name)?))) else {
        return Ok(default);
    };
    let value = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| wrong(text, node, &format!("`{name}` is not a number")))
}

/// Three numbers; what is not there is the default.
fn vector(text: &str, node: Option<Node>, name: &str, default: DVec3) -> Result<DVec3, ReadError> {
    let Some((node, value)) = node.and_then(|node| Some((node, node.attribute(name)?))) else {
        return Ok(default);
    };
    let numbers: Vec<f64> =
        value.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err(wrong(text, node, &format!("`{name}` is not three numbers"))),
    }
}

/// Where a thing is in its link: roll, pitch and yaw about fixed axes.
fn origin(text: &str, node: Node) -> Result<RigidPlacement, ReadError> {
    let origin = child(node, "origin");
    let turn = vector(text, origin, "rpy", DVec3::ZERO)?;
    let rotation = DQuat::from_euler(EulerRot::ZYX, turn.z, turn.y, turn.x);
    Ok(RigidPlacement::new(rotation, vector(text, origin, "xyz", DVec3::ZERO)?))
}

fn joint_turns(text: &str, joint: Node) -> Result<Turns, ReadError> {
    let limit = child(joint, "limit");
    let kind = attribute(text, joint, "type")?;
    let range = [number(text, limit, "lower", 0.0)?, number(text, limit, "upper", 0.0)?];
    let axis = ImportedHinge {
        direction: vector(text, child(joint, "axis"), "xyz", DVec3::X)?,
        at: DVec3::ZERO,
        range: (kind == "revolute").then_some(range),
        stiffness: 0.0,
        damping: number(text, child(joint, "dynamics"), "damping", 0.0)?.max(0.0),
        torque: limit.and_then(|limit| limit.attribute("effort")?.trim().parse().ok()),
    };
    match kind {
        "fixed" => Ok(Turns::Weld),
        "revolute" | "continuous" => Ok(Turns::Hinges(vec![axis])),
        "spherical" => Ok(Turns::Ball(axis)),
        other => Err(wrong(text, joint, &format!("joints of type `{other}` are not supported"))),
    }
}

type Solid = (Vec<Mass>, Vec<SolidShape>);

/// A link's inertia and its collision shapes, or what it looks like where it has none.
fn solid(text: &str, link: Node) -> Result<Solid, ReadError> {
    let mut masses = Vec::new();
    if let Some(inertial) = child(link, "inertial") {
        let place = origin(text, inertial)?;
        let mass = number(text, child(inertial, "mass"), "value", 0.0)?;
        let matrix = child(inertial, "inertia");
        let entry = |name: &str| number(text, matrix, name, 0.0);
        let (xx, yy, zz) = (entry("ixx")?, entry("iyy")?, entry("izz")?);
        let inertia = symmetric([xx, yy, zz, entry("ixy")?, entry("ixz")?, entry("iyz")?]);
        if mass > 0.0 {
            masses.push(Mass { mass, center: DVec3::ZERO, inertia }.placed(&place));
        }
    }
    let mut shapes = Vec::new();
    let tag = if child(link, "collision").is_some() { "collision" } else { "visual" };
    for node in children(link, tag) {
        let Some(geometry) = child(node, "geometry") else { continue };
        let mut place = origin(text, node)?;
        let geometry = if let Some(cuboid) = child(geometry, "box") {
            Geometry::Box { half: vector(text, Some(cuboid), "size", DVec3::ZERO)? * 0.5 }
        } else if let Some(sphere) = child(geometry, "sphere") {
            Geometry::Sphere { radius: number(text, Some(sphere), "radius", 0.0)? }
        } else if let Some(found) = child(geometry, "cylinder") {
            // Along z there and along y here.
            place = place * RigidPlacement::new(DQuat::from_rotation_x(FRAC_PI_2), DVec3::ZERO);
            let radius = number(text, Some(found), "radius", 0.0)?;
            let half = 0.5 * number(text, Some(found), "length", 0.0)?;
            cylinder(radius, half)
        } else {
            continue;
        };
        if !geometry.is_valid() {
            return Err(wrong(text, node, "the lengths of a shape must be positive"));
        }
        shapes.push(SolidShape { geometry, center: place.translation, rotation: place.rotation });
    }
    Ok((masses, shapes))
}
