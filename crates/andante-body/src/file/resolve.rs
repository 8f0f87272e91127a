//! From the keys of a file to a body.

use super::schema::{self, SegmentTable, ShapeTable, Symmetry};
use super::sides::{add_mirror_images, flip, flip_turn, is_left, other_side, renamed};
use crate::mass::symmetric;
use crate::{
    Body, BodyError, BodyFoot, BodyJoint, BodyParts, BodySegment, FitOptions, Geometry,
    JointLimits, Mass, RestPose, SolidShape, weight,
};
use andante_dynamics::PhysicsSettings;
use andante_skeleton::Side;
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;
use toml::Spanned;

/// What is wrong, and where.
pub(super) struct Problem {
    pub byte: Option<usize>,
    pub message: String,
}

impl Problem {
    fn at(span: std::ops::Range<usize>, message: impl Into<String>) -> Self {
        Self { byte: Some(span.start), message: message.into() }
    }
}

/// Damping of a joint that does not say is this part of its stiffness, in seconds.
pub(crate) const DAMPING_PER_STIFFNESS: f64 = 0.1;
/// Stops that do not say are this much stiffer than the joint itself, or as stiff as this at least.
const STOP_FACTOR: f64 = 10.0;
const LEAST_STOP: f64 = 10.0;

pub(super) fn body(file: &schema::BodyFile) -> Result<Body, Problem> {
    let mut written: Vec<SegmentTable> =
        file.segments.iter().map(|segment| segment.get_ref().clone()).collect();
    if file.symmetry == Symmetry::Mirror {
        add_mirror_images(&mut written);
    }
    let order = depth_first(&written)?;
    let index: HashMap<&str, usize> =
        order.iter().enumerate().map(|(index, &from)| (written[from].name(), index)).collect();

    let mut segments = Vec::with_capacity(order.len());
    let mut origins = Vec::with_capacity(order.len());
    let mut parents = Vec::with_capacity(order.len());
    for &from in &order {
        let source = &written[from];
        let parent = source.parent.as_ref().and_then(|name| index.get(name.get_ref().as_str()));
        let (segment, origin) = resolve_segment(source, parent.copied(), &origins)?;
        segments.push(segment);
        origins.push(origin);
        parents.push(parent.copied());
    }
    // What a joint has to carry is known once all masses are.
    let carried = weight::carried(&segments, &parents, PhysicsSettings::STANDARD_GRAVITY);
    for (index, &from) in order.iter().enumerate() {
        if let Some(parent) = parents[index] {
            segments[index].joint = Some(resolve_joint(&written[from], parent, carried[index])?);
        }
    }

    let torso = named(&file.torso, &index)?;
    let feet = feet(file, &index, &origins)?;
    let poses = poses(file, &index, &segments)?;
    let partners = match file.symmetry {
        Symmetry::None => None,
        _ => Some(
            segments
                .iter()
                .enumerate()
                .map(|(own, segment)| {
                    other_side(&segment.name)
                        .and_then(|name| index.get(name.as_str()).copied())
                        .unwrap_or(own)
                })
                .collect(),
        ),
    };
    let parts = BodyParts {
        name: file.name.clone(),
        description: file.description.clone(),
        segments,
        torso,
        feet,
        partners,
        poses,
    };
    Body::new(parts).map_err(|error| locate(&error, file, &written))
}

impl SegmentTable {
    fn name(&self) -> &str {
        self.name.get_ref()
    }

    fn problem(&self, message: impl std::fmt::Display) -> Problem {
        Problem::at(self.name.span(), format!("segment `{}`: {message}", self.name()))
    }
}

fn named(name: &Spanned<String>, index: &HashMap<&str, usize>) -> Result<usize, Problem> {
    index.get(name.get_ref().as_str()).copied().ok_or_else(|| {
        Problem::at(name.span(), format!("there is no segment named `{}`", name.get_ref()))
    })
}

/// Finds the place in the file that an error of the whole body is about.
fn locate(error: &BodyError, file: &schema::BodyFile, written: &[SegmentTable]) -> Problem {
    let segment = |name: &str| {
        let found = written.iter().find(|written| written.name() == name);
        found.map(|written| written.name.span().start)
    };
    let byte = match error {
        BodyError::Root(name)
        | BodyError::Order(name)
        | BodyError::Duplicate(name)
        | BodyError::Mass(name, _)
        | BodyError::Size(name)
        | BodyError::Shape(name)
        | BodyError::NonFinite(name, _)
        | BodyError::Joint(name, _)
        | BodyError::Pair(name, ..) => segment(name),
        BodyError::Foot(name, _) => {
            let plain = |foot: &&Spanned<schema::FootTable>| {
                foot.get_ref().name == *name
                    || other_side(&foot.get_ref().name).as_ref() == Some(name)
            };
            file.feet.iter().find(plain).map(|foot| foot.span().start)
        }
        BodyError::Pose(name, _) => file
            .poses
            .iter()
            .find(|pose| pose.get_ref().name == *name)
            .map(|pose| pose.span().start),
        BodyError::Empty | BodyError::TooMany(_) | BodyError::Torso(_) => None,
    };
    Problem { byte, message: error.to_string() }
}

/// Indices of the written segments, parents before children, branches one after the other.
fn depth_first(written: &[SegmentTable]) -> Result<Vec<usize>, Problem> {
    let mut by_name: HashMap<&str, usize> = HashMap::with_capacity(written.len());
    for (index, source) in written.iter().enumerate() {
        if by_name.insert(source.name(), index).is_some() {
            return Err(source.problem("another segment has this name"));
        }
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); written.len()];
    let mut root = None;
    for (index, source) in written.iter().enumerate() {
        match &source.parent {
            None if root.is_none() => root = Some(index),
            None => return Err(source.problem("it has no parent, but the root is already there")),
            Some(parent) => match by_name.get(parent.get_ref().as_str()) {
                Some(&above) => children[above].push(index),
                None => {
                    let message = format!(
                        "segment `{}`: its parent `{}` does not exist",
                        source.name(),
                        parent.get_ref()
                    );
                    return Err(Problem::at(parent.span(), message));
                }
            },
        }
    }
    let root = match (root, written.first()) {
        (Some(root), _) => root,
        (None, Some(first)) => {
            return Err(first.problem("every segment has a parent: one must be the root"));
        }
        (None, None) => return Err(Problem { byte: None, message: BodyError::Empty.to_string() }),
    };
    let mut order = Vec::with_capacity(written.len());
    let mut open = vec![root];
    while let Some(next) = open.pop() {
        order.push(next);
        open.extend(children[next].iter().rev());
    }
    if order.len() < written.len() {
        let mut reached = vec![false; written.len()];
        order.iter().for_each(|&index| reached[index] = true);
        if let Some(source) =
            written.iter().zip(&reached).find(|(_, reached)| !**reached).map(|(s, _)| s)
        {
            return Err(source.problem("its parents form a loop that never reaches the root"));
        }
    }
    Ok(order)
}

fn resolve_segment(
    written: &SegmentTable,
    parent: Option<usize>,
    origins: &[DVec3],
) -> Result<(BodySegment, DVec3), Problem> {
    let mut shapes = Vec::with_capacity(written.shapes.len());
    for shape in &written.shapes {
        let shape = resolve_shape(shape).ok_or_else(|| written.problem("a shape has no length"))?;
        if !shape.geometry.is_valid() {
            return Err(written.problem("the lengths of a shape must be positive"));
        }
        shapes.push(shape);
    }
    let volume: f64 = shapes.iter().map(|shape| shape.geometry.volume()).sum();
    let total = match (written.mass, written.density) {
        (Some(mass), None) => mass,
        (None, Some(density)) if volume > 0.0 => density * volume,
        (None, Some(_)) => return Err(written.problem("a density needs a shape")),
        _ => return Err(written.problem("give either `mass` or `density`")),
    };
    let mut mass = Mass::of_shapes(&shapes, total);
    if shapes.is_empty() {
        let (Some(center), Some(_)) = (written.center, written.inertia) else {
            return Err(written.problem("without shapes it needs `center` and `inertia`"));
        };
        mass = Mass { mass: total, center: DVec3::from(center), inertia: DMat3::ZERO };
    }
    if let Some(center) = written.center {
        mass.center = DVec3::from(center);
    }
    if let Some(entries) = written.inertia {
        mass.inertia = symmetric(entries);
    }
    let origin = match (written.at, parent) {
        (Some(at), _) => DVec3::from(at),
        (None, None) => mass.center,
        (None, Some(_)) => return Err(written.problem("`at` is missing: where its joint is")),
    };
    for shape in &mut shapes {
        shape.center -= origin;
    }
    mass.center -= origin;
    let anchor = origin - parent.map_or(DVec3::ZERO, |parent| origins[parent]);
    Ok((BodySegment { name: written.name().into(), anchor, joint: None, mass, shapes }, origin))
}

/// The joint of a segment. Springs and muscles that the file does not give are those that the load asks for.
fn resolve_joint(
    written: &SegmentTable,
    parent: usize,
    carried: f64,
) -> Result<BodyJoint, Problem> {
    let fitted = FitOptions::default();
    let stiffness =
        written.stiffness.map_or_else(|| fitted.springs(carried), schema::PerAxis::values);
    let frame = match (written.along, written.frame) {
        (Some(_), Some(_)) => {
            return Err(written.problem("give either `along` or `frame`, not both"));
        }
        (Some(along), None) => limb_frame(DVec3::from(along))
            .ok_or_else(|| written.problem("`along` has no direction"))?,
        (None, Some(turn)) => rotation(turn),
        (None, None) => DQuat::IDENTITY,
    };
    let limits = written.limits.map(|limits| {
        let stop = limits.stiffness.unwrap_or_else(|| {
            let stiffest = stiffness.iter().fold(0.0f64, |most, value| most.max(*value));
            (STOP_FACTOR * stiffest).max(LEAST_STOP)
        });
        JointLimits {
            lower: limits.lower.values().map(f64::to_radians),
            upper: limits.upper.values().map(f64::to_radians),
            stiffness: stop,
            damping: limits.damping.unwrap_or(DAMPING_PER_STIFFNESS * stop),
        }
    });
    Ok(BodyJoint {
        parent,
        kind: written.joint.unwrap_or_default(),
        frame,
        stiffness,
        damping: written
            .damping
            .map_or(stiffness.map(|k| DAMPING_PER_STIFFNESS * k), schema::PerAxis::values),
        limits,
        torque_limit: written
            .torque
            .map_or_else(|| fitted.torques(stiffness, carried), schema::PerAxis::values),
    })
}

/// The axes of a joint whose limb leads along a direction: y against it, x as much to the left as that
/// leaves; upright for a limb that itself points sideways, which then swings forwards and back about it.
/// Mirrored limbs have mirrored axes.
pub(crate) fn limb_frame(along: DVec3) -> Option<DQuat> {
    let y = (-along).try_normalize()?;
    let sideways = if y.x.abs() < 0.9 { DVec3::X } else { y.cross(DVec3::Z) };
    let x = (sideways - y * sideways.dot(y)).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
}

fn resolve_shape(shape: &ShapeTable) -> Option<SolidShape> {
    let between = |from: [f64; 3], to: [f64; 3], geometry: &dyn Fn(f64) -> Geometry| {
        let (from, to) = (DVec3::from(from), DVec3::from(to));
        let rotation = limb_frame(to - from)?;
        Some(SolidShape {
            geometry: geometry(from.distance(to)),
            center: (from + to) * 0.5,
            rotation,
        })
    };
    match *shape {
        ShapeTable::Box { center, size, turn } => Some(SolidShape {
            geometry: Geometry::Box { half: DVec3::from(size) * 0.5 },
            center: DVec3::from(center),
            rotation: rotation(turn),
        }),
        ShapeTable::Bone { from, to, width, depth } => between(from, to, &|length| Geometry::Box {
            half: DVec3::new(width, length, depth) * 0.5,
        }),
        ShapeTable::Capsule { from, to, radius } => {
            between(from, to, &|length| Geometry::Capsule { radius, half_length: 0.5 * length })
        }
        ShapeTable::Sphere { center, radius } => Some(SolidShape {
            geometry: Geometry::Sphere { radius },
            center: DVec3::from(center),
            rotation: DQuat::IDENTITY,
        }),
    }
}

/// From a rotation vector in degrees.
fn rotation(turn: [f64; 3]) -> DQuat {
    DQuat::from_scaled_axis(DVec3::from(turn.map(f64::to_radians)))
}

fn feet(
    file: &schema::BodyFile,
    index: &HashMap<&str, usize>,
    origins: &[DVec3],
) -> Result<Vec<BodyFoot>, Problem> {
    let mut feet = Vec::new();
    let resolve = |foot: &schema::FootTable| -> Result<BodyFoot, Problem> {
        let segment = named(&foot.segment, index)?;
        Ok(BodyFoot {
            side: match foot.name.split(' ').find(|word| matches!(*word, "left" | "right")) {
                Some("left") => Side::Left,
                Some(_) => Side::Right,
                None => Side::Middle,
            },
            name: foot.name.clone(),
            segment,
            toe: DVec3::from(foot.toe) - origins[segment],
            heel: DVec3::from(foot.heel) - origins[segment],
            radius: foot.radius,
            hip: named(&foot.hip, index)?,
            disregarded: foot.disregarded,
        })
    };
    for foot in &file.feet {
        let foot = foot.get_ref();
        feet.push(resolve(foot)?);
        if file.symmetry == Symmetry::Mirror && is_left(&foot.name) {
            let mut image = foot.clone();
            image.name = other_side(&foot.name).unwrap_or_default();
            for name in [&mut image.segment, &mut image.hip] {
                *name = renamed(name);
            }
            (image.toe, image.heel) = (flip(image.toe), flip(image.heel));
            feet.push(resolve(&image)?);
        }
    }
    Ok(feet)
}

fn poses(
    file: &schema::BodyFile,
    index: &HashMap<&str, usize>,
    segments: &[BodySegment],
) -> Result<Vec<RestPose>, Problem> {
    let mut poses = Vec::new();
    for pose in &file.poses {
        let pose = pose.get_ref();
        let mut rotations = vec![DQuat::IDENTITY; segments.len()];
        for (name, turn) in &pose.turn {
            let Some(&segment) = index.get(name.get_ref().as_str()) else {
                let message =
                    format!("pose `{}`: there is no segment named `{}`", pose.name, name.get_ref());
                return Err(Problem::at(name.span(), message));
            };
            rotations[segment] = in_parent(*turn, &segments[segment]);
            // What a pose says of the left holds for the right, unless it says something else.
            let other = other_side(name.get_ref()).filter(|_| file.symmetry == Symmetry::Mirror);
            let Some(other) = other else { continue };
            let said = pose.turn.keys().any(|name| *name.get_ref() == other);
            if let (false, Some(&partner)) = (said, index.get(other.as_str())) {
                rotations[partner] = in_parent(flip_turn(*turn), &segments[partner]);
            }
        }
        poses.push(RestPose { name: pose.name.clone(), rotations });
    }
    if poses.is_empty() {
        poses.push(RestPose::design(segments.len()));
    }
    Ok(poses)
}

/// A turn about the joint's axes as a rotation relative to the parent.
fn in_parent(turn: [f64; 3], segment: &BodySegment) -> DQuat {
    let frame = segment.joint.map_or(DQuat::IDENTITY, |joint| joint.frame);
    frame * rotation(turn) * frame.conjugate()
}
