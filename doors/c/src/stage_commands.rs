//! What people on a stage are told.

use crate::ANDANTE_NOBODY;
use crate::border::{Failure, andante_status, call, fill, put, reference, slice};
use crate::stage::{OpenStage, andante_stage};
use crate::types::andante_waypoint;
use ::andante_stage::{Command, GazeTarget, PushOrder, Waypoint};
use glam::{Vec2, Vec3};

/// A footprint of a plan.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_footprint {
    /// Which foot: 0 is left, 1 right.
    pub foot: u32,
    /// Between heel and ball, on the ground.
    pub place: [f32; 3],
    /// The way it points, in radians.
    pub heading: f32,
    /// When it touches the ground, in seconds from when it sets off.
    pub landing: f32,
    /// When it has left it.
    pub take_off: f32,
}

/// What a plan comes to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_plan {
    /// How long it takes.
    pub seconds: f32,
    /// How far from the goal it ends, in metres.
    pub goal_error: f32,
    /// How many footprints it has.
    pub footprints: usize,
}

/// Does something with a stage.
///
/// # Safety
/// The handle is null or a stage.
unsafe fn on(
    stage: *mut andante_stage,
    work: impl FnOnce(&mut OpenStage) -> Result<(), Failure>,
) -> andante_status {
    call(|| {
        // SAFETY: as the caller says.
        let own = unsafe { reference(stage, "stage") }?;
        own.0.with(work)
    })
}

/// Gives a command.
///
/// # Safety
/// The handle is null or a stage.
unsafe fn tell(stage: *mut andante_stage, actor: u32, command: Command) -> andante_status {
    // SAFETY: as the caller says.
    unsafe { on(stage, |own| Ok(own.stage.command(actor, command)?)) }
}

/// Sends somebody to a place, at a walk or at a run. It arrives exactly there; whether there is a way shows later, as an event.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_go_to(
    stage: *mut andante_stage,
    actor: u32,
    to: andante_waypoint,
    run: bool,
) -> andante_status {
    let to = Waypoint::from(&to);
    let command = if run { Command::RunTo(to) } else { Command::WalkTo(to) };
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, command) }
}

/// Sends somebody from place to place, round and round (`rounds`), or once along the line they make.
///
/// # Safety
/// `places` points to `count` of them; the handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_follow_line(
    stage: *mut andante_stage,
    actor: u32,
    places: *const andante_waypoint,
    count: usize,
    rounds: bool,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let places = slice(places, count, "places")?.iter().map(Waypoint::from).collect();
            let command = if rounds { Command::Patrol(places) } else { Command::Path(places) };
            Ok(own.stage.command(actor, command)?)
        })
    }
}

/// Lets somebody follow another, so many metres behind, from middle to middle.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_follow(
    stage: *mut andante_stage,
    actor: u32,
    whom: u32,
    distance: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let whom = own.stage.id(whom);
            Ok(own.stage.command(actor, Command::Follow { whom, distance })?)
        })
    }
}

/// Lets somebody come to a stop.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_stop(
    stage: *mut andante_stage,
    actor: u32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Stop) }
}

/// Lets somebody stand for some seconds.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_wait(
    stage: *mut andante_stage,
    actor: u32,
    seconds: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Wait(seconds)) }
}

/// Lets somebody turn on the spot towards a heading, in radians.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_face(
    stage: *mut andante_stage,
    actor: u32,
    heading: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Face(GazeTarget::Heading(heading))) }
}

/// Lets somebody look at somebody else while it does what it does; ANDANTE_NOBODY is at nobody.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_look_at(
    stage: *mut andante_stage,
    actor: u32,
    whom: u32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let whom = (whom != ANDANTE_NOBODY).then(|| own.stage.id(whom));
            let command = Command::LookAt(whom.map(GazeTarget::Character));
            Ok(own.stage.command(actor, command)?)
        })
    }
}

/// Lets somebody look at a point in the world.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_look_at_point(
    stage: *mut andante_stage,
    actor: u32,
    x: f32,
    y: f32,
    z: f32,
) -> andante_status {
    let target = GazeTarget::Point(Vec3::new(x, y, z));
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::LookAt(Some(target))) }
}

/// Lets somebody go at a speed from now on, in m/s; NAN is the usual one.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_set_speed(
    stage: *mut andante_stage,
    actor: u32,
    speed: f32,
) -> andante_status {
    let speed = (!speed.is_nan()).then_some(speed);
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Speed(speed)) }
}

/// Leads somebody by hand, as from a gamepad, until it is told otherwise: a speed ahead in m/s, a turn rate to the left in rad/s.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_steer(
    stage: *mut andante_stage,
    actor: u32,
    speed: f32,
    turn_rate: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let who = own.stage.id(actor);
            Ok(own.stage.stage_mut().steer(who, speed, turn_rate)?)
        })
    }
}

/// Lets somebody run up, jump from one place to another and come to a stop.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_jump(
    stage: *mut andante_stage,
    actor: u32,
    from_x: f32,
    from_z: f32,
    to_x: f32,
    to_z: f32,
) -> andante_status {
    let (from, to) = (Vec2::new(from_x, from_z), Vec2::new(to_x, to_z));
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Jump { from, to }) }
}

/// Shoves somebody who is not moved by motion alone, at the chest, for a tenth of a second: an impulse in N s towards a heading
/// in radians.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_push(
    stage: *mut andante_stage,
    actor: u32,
    impulse: f32,
    direction: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Push(PushOrder::new(impulse, direction))) }
}

/// Lets somebody who is not moved by motion alone fall and lie.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_fall(
    stage: *mut andante_stage,
    actor: u32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::Fall) }
}

/// Lets somebody get up who lies.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_get_up(
    stage: *mut andante_stage,
    actor: u32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { tell(stage, actor, Command::GetUp) }
}

/// Puts somebody elsewhere, whatever it does and however it is: it stands there at once.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_teleport(
    stage: *mut andante_stage,
    actor: u32,
    to: andante_waypoint,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let who = own.stage.id(actor);
            Ok(own.stage.stage_mut().teleport(who, (&to).into())?)
        })
    }
}

/// Puts somebody on its feet where it is, whatever it does and however it is.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_reset(
    stage: *mut andante_stage,
    actor: u32,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let who = own.stage.id(actor);
            Ok(own.stage.stage_mut().reset(who)?)
        })
    }
}

/// Plans a way from where somebody is to a place, as if nobody else were there; nobody goes anywhere. What it comes to is told,
/// and its footprints are written if there is room for all of them; without any (null and 0) they are not. Why there is no way is
/// the error.
///
/// # Safety
/// `footprints` is null or has room for `capacity` of them; other pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_plan(
    stage: *mut andante_stage,
    actor: u32,
    to: andante_waypoint,
    run: bool,
    out: *mut andante_plan,
    footprints: *mut andante_footprint,
    capacity: usize,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        on(stage, |own| {
            let plan = own.stage.plan(actor, (&to).into(), run)?;
            let (seconds, goal_error) = (plan.seconds, plan.goal_error);
            let told = andante_plan { seconds, goal_error, footprints: plan.footprints.len() };
            put(out, told, "out")?;
            if footprints.is_null() && capacity == 0 {
                return Ok(());
            }
            let prints = plan.footprints.iter().map(|print| andante_footprint {
                foot: print.foot as u32,
                place: print.position.to_array(),
                heading: print.heading,
                landing: print.landing,
                take_off: print.take_off,
            });
            fill(footprints, capacity, prints, "footprints")
        })
    }
}
