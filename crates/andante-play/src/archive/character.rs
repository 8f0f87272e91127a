//! Skeleton and rig.

use super::{ArchiveError, ArchiveReader, ArchiveWriter};
use andante_skeleton::{Arm, BodyPoint, Character, Foot, Joint, JointLimit, Rig, Side, Skeleton};

type Read<T> = Result<T, ArchiveError>;

/// Stands for "none" where a joint is expected.
const NONE: u16 = u16::MAX;

impl ArchiveWriter {
    /// A character.
    pub fn character(&mut self, character: &Character) {
        write(self, character);
    }
}

impl ArchiveReader<'_> {
    /// A character.
    pub fn character(&mut self) -> Read<Character> {
        read(self)
    }
}

fn write(writer: &mut ArchiveWriter, character: &Character) {
    writer.string(&character.name);
    writer.string(&character.description);
    writer.count(character.skeleton.len());
    for joint in character.skeleton.joints() {
        writer.string(&joint.name);
        optional(writer, joint.parent);
        writer.transform(&joint.rest);
        match joint.tip {
            Some(tip) => {
                writer.u8(1);
                writer.vec3(tip);
            }
            None => writer.u8(0),
        }
        write_limit(writer, &joint.limit);
    }
    let rig = &character.rig;
    writer.joint(rig.hips);
    write_joints(writer, &rig.spine);
    optional(writer, rig.head);
    writer.count(rig.feet.len());
    for foot in &rig.feet {
        writer.string(&foot.name);
        write_side(writer, foot.side);
        write_joints(writer, &foot.leg);
        optional(writer, foot.toes);
        for point in [foot.heel, foot.ball, foot.tip] {
            writer.joint(point.joint);
            writer.vec3(point.offset);
        }
    }
    writer.count(rig.arms.len());
    for arm in &rig.arms {
        write_side(writer, arm.side);
        write_joints(writer, &arm.chain);
    }
}

fn read(reader: &mut ArchiveReader) -> Read<Character> {
    let name = reader.string()?;
    let description = reader.string()?;
    let joints = reader.list(4 + 2 + 28 + 1 + 1, |reader| {
        let name = reader.string()?;
        let parent = reader.u16()?;
        let rest = reader.transform()?;
        let tip = if reader.u8()? == 1 { Some(reader.vec3()?) } else { None };
        let limit = read_limit(reader)?;
        let parent = (parent != NONE).then_some(usize::from(parent));
        Ok(Joint { name, parent, rest, tip, limit })
    })?;
    let skeleton = Skeleton::new(joints)?;
    let count = skeleton.len();
    let optional = |reader: &mut ArchiveReader| -> Read<Option<usize>> {
        let joint = reader.u16()?;
        match usize::from(joint) {
            _ if joint == NONE => Ok(None),
            joint if joint < count => Ok(Some(joint)),
            _ => Err(ArchiveError::Invalid("a joint that the skeleton does not have")),
        }
    };
    let chain = |reader: &mut ArchiveReader| reader.list(2, |reader| reader.joint(count));
    let hips = reader.joint(count)?;
    let spine = chain(reader)?;
    let head = optional(reader)?;
    let feet = reader.list(4 + 1 + 4 + 2 + 3 * 14, |reader| {
        let name = reader.string()?;
        let side = read_side(reader)?;
        let leg = chain(reader)?;
        if leg.is_empty() {
            return Err(ArchiveError::Invalid("a leg without joints"));
        }
        let toes = optional(reader)?;
        let mut point = || -> Read<BodyPoint> {
            Ok(BodyPoint { joint: reader.joint(count)?, offset: reader.vec3()? })
        };
        let (heel, ball, tip) = (point()?, point()?, point()?);
        Ok(Foot { name, side, leg, toes, heel, ball, tip })
    })?;
    let arms =
        reader.list(1 + 4, |reader| Ok(Arm { side: read_side(reader)?, chain: chain(reader)? }))?;
    let rig = Rig { hips, spine, head, feet, arms };
    Ok(Character { name, description, skeleton, rig })
}

fn optional(writer: &mut ArchiveWriter, joint: Option<usize>) {
    writer.u16(joint.map_or(NONE, |joint| joint as u16));
}

fn write_joints(writer: &mut ArchiveWriter, joints: &[usize]) {
    writer.count(joints.len());
    for joint in joints {
        writer.joint(*joint);
    }
}

fn write_side(writer: &mut ArchiveWriter, side: Side) {
    writer.u8(match side {
        Side::Left => 0,
        Side::Right => 1,
        Side::Middle => 2,
    });
}

fn read_side(reader: &mut ArchiveReader) -> Read<Side> {
    match reader.u8()? {
        0 => Ok(Side::Left),
        1 => Ok(Side::Right),
        2 => Ok(Side::Middle),
        _ => Err(ArchiveError::Invalid("a side that is neither left nor right")),
    }
}

fn write_limit(writer: &mut ArchiveWriter, limit: &JointLimit) {
    let range = |writer: &mut ArchiveWriter, range: [f32; 2]| {
        range.into_iter().for_each(|end| writer.f32(end));
    };
    match limit {
        JointLimit::Free => writer.u8(0),
        JointLimit::Fixed => writer.u8(1),
        JointLimit::Hinge { axis, range: angles } => {
            writer.u8(2);
            writer.vec3(*axis);
            range(writer, *angles);
        }
        JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
            writer.u8(3);
            writer.vec3(*twist_axis);
            writer.vec3(*swing_axis);
            for angles in [twist, swing_a, swing_b] {
                range(writer, *angles);
            }
        }
    }
}

fn read_limit(reader: &mut ArchiveReader) -> Read<JointLimit> {
    let range =
        |reader: &mut ArchiveReader| -> Read<[f32; 2]> { Ok([reader.f32()?, reader.f32()?]) };
    Ok(match reader.u8()? {
        0 => JointLimit::Free,
        1 => JointLimit::Fixed,
        2 => JointLimit::Hinge { axis: reader.vec3()?, range: range(reader)? },
        3 => JointLimit::Ball {
            twist_axis: reader.vec3()?,
            swing_axis: reader.vec3()?,
            twist: range(reader)?,
            swing_a: range(reader)?,
            swing_b: range(reader)?,
        },
        _ => return Err(ArchiveError::Invalid("a joint limit of no known kind")),
    })
}
