//! The orders of a take's scene in its file.

use super::file::{Read, invalid};
use super::file::{read_form, write_form};
use super::scene_file::{read_optional, read_post, write_optional, write_post};
use crate::{Command, Cue, GazeTarget, Occurrence, Order, PushOrder, ThrowOrder};
use andante_play::archive::{ArchiveReader, ArchiveWriter};

pub(super) fn write(writer: &mut ArchiveWriter, orders: &[Order]) {
    writer.count(orders.len());
    for Order { name, who, cue, command } in orders {
        writer.u8(u8::from(name.is_some()));
        if let Some(name) = name {
            writer.string(name);
        }
        writer.count(*who);
        write_cue(writer, cue);
        write_command(writer, command);
    }
}

pub(super) fn read(reader: &mut ArchiveReader) -> Read<Vec<Order>> {
    let count = reader.count(1 + 4 + 1 + 1)?;
    let order = |reader: &mut ArchiveReader| {
        let name = if reader.u8()? == 1 { Some(reader.string()?) } else { None };
        let who = index(reader)?;
        Ok(Order { name, who, cue: read_cue(reader)?, command: read_command(reader)? })
    };
    (0..count).map(|_| order(reader)).collect()
}

fn index(reader: &mut ArchiveReader) -> Read<usize> {
    Ok(reader.u32()? as usize)
}

fn write_cue(writer: &mut ArchiveWriter, cue: &Cue) {
    match cue {
        Cue::Next => writer.u8(0),
        Cue::At(time) => {
            writer.u8(1);
            writer.f32(*time);
        }
        Cue::After(orders) => {
            writer.u8(2);
            writer.count(orders.len());
            orders.iter().for_each(|order| writer.count(*order));
        }
        Cue::When(Occurrence::Arrived(who)) => {
            writer.u8(3);
            writer.count(*who);
        }
        Cue::When(Occurrence::Blocked(who)) => {
            writer.u8(4);
            writer.count(*who);
        }
        Cue::When(Occurrence::Near { who, whom, within }) => {
            writer.u8(5);
            writer.count(*who);
            writer.count(*whom);
            writer.f32(*within);
        }
    }
}

fn read_cue(reader: &mut ArchiveReader) -> Read<Cue> {
    Ok(match reader.u8()? {
        0 => Cue::Next,
        1 => Cue::At(reader.f32()?),
        2 => Cue::After(reader.list(4, |reader| Ok(reader.u32()? as usize))?),
        3 => Cue::When(Occurrence::Arrived(index(reader)?)),
        4 => Cue::When(Occurrence::Blocked(index(reader)?)),
        5 => {
            let (who, whom) = (index(reader)?, index(reader)?);
            Cue::When(Occurrence::Near { who, whom, within: reader.f32()? })
        }
        _ => return invalid("an order that begins at no known moment"),
    })
}

fn write_command(writer: &mut ArchiveWriter, command: &Command) {
    match command {
        Command::WalkTo(post) => {
            writer.u8(0);
            write_post(writer, post);
        }
        Command::RunTo(post) => {
            writer.u8(1);
            write_post(writer, post);
        }
        Command::Jump { from, to } => {
            writer.u8(2);
            writer.vec2(*from);
            writer.vec2(*to);
        }
        Command::Face(target) => {
            writer.u8(3);
            write_target(writer, Some(target));
        }
        Command::Wait(seconds) => {
            writer.u8(4);
            writer.f32(*seconds);
        }
        Command::Stop => writer.u8(5),
        Command::Follow { whom, distance } => {
            writer.u8(6);
            writer.count(*whom);
            writer.f32(*distance);
        }
        Command::Patrol(posts) => {
            writer.u8(7);
            writer.count(posts.len());
            posts.iter().for_each(|post| write_post(writer, post));
        }
        Command::LookAt(target) => {
            writer.u8(8);
            write_target(writer, target.as_ref());
        }
        Command::Speed(speed) => {
            writer.u8(9);
            write_optional(writer, *speed);
        }
        Command::Path(places) => {
            writer.u8(10);
            writer.count(places.len());
            places.iter().for_each(|place| writer.vec2(*place));
        }
        Command::Push(PushOrder { impulse, direction, height, seconds }) => {
            writer.u8(11);
            [impulse, direction, seconds].iter().for_each(|number| writer.f32(**number));
            write_optional(writer, *height);
        }
        Command::Throw(ThrowOrder { form, mass, from, speed }) => {
            writer.u8(12);
            write_form(writer, *form);
            writer.f32(*mass);
            writer.vec3(*from);
            writer.f32(*speed);
        }
        Command::Fall => writer.u8(13),
        Command::GetUp => writer.u8(14),
    }
}

fn read_command(reader: &mut ArchiveReader) -> Read<Command> {
    Ok(match reader.u8()? {
        0 => Command::WalkTo(read_post(reader)?),
        1 => Command::RunTo(read_post(reader)?),
        2 => Command::Jump { from: reader.vec2()?, to: reader.vec2()? },
        3 => match read_target(reader)? {
            Some(target) => Command::Face(target),
            None => return invalid("an order to face nothing"),
        },
        4 => Command::Wait(reader.f32()?),
        5 => Command::Stop,
        6 => Command::Follow { whom: index(reader)?, distance: reader.f32()? },
        7 => Command::Patrol(reader.list(10, read_post)?),
        8 => Command::LookAt(read_target(reader)?),
        9 => Command::Speed(read_optional(reader)?),
        10 => Command::Path(reader.list(8, ArchiveReader::vec2)?),
        11 => {
            let (impulse, direction, seconds) = (reader.f32()?, reader.f32()?, reader.f32()?);
            Command::Push(PushOrder { impulse, direction, height: read_optional(reader)?, seconds })
        }
        12 => {
            let (form, mass) = (read_form(reader)?, reader.f32()?);
            Command::Throw(ThrowOrder { form, mass, from: reader.vec3()?, speed: reader.f32()? })
        }
        13 => Command::Fall,
        14 => Command::GetUp,
        _ => return invalid("an order of no known kind"),
    })
}

fn write_target(writer: &mut ArchiveWriter, target: Option<&GazeTarget>) {
    match target {
        None => writer.u8(0),
        Some(GazeTarget::Heading(heading)) => {
            writer.u8(1);
            writer.f32(*heading);
        }
        Some(GazeTarget::Point(at)) => {
            writer.u8(2);
            writer.vec3(*at);
        }
        Some(GazeTarget::Character(who)) => {
            writer.u8(3);
            writer.count(*who);
        }
    }
}

fn read_target(reader: &mut ArchiveReader) -> Read<Option<GazeTarget>> {
    Ok(match reader.u8()? {
        0 => None,
        1 => Some(GazeTarget::Heading(reader.f32()?)),
        2 => Some(GazeTarget::Point(reader.vec3()?)),
        3 => Some(GazeTarget::Character(index(reader)?)),
        _ => return invalid("a target of no known kind"),
    })
}
