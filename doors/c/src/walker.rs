//! Clips over any ground.

use crate::border::{Shared, andante_status, call, free, make, put, reference, text};
use crate::character::andante_character;
use crate::ground::{CallerGround, andante_ground};
use crate::player::{no_foot, put_contact};
use crate::types::{andante_placement, andante_transform, put_transforms};
use ::andante_door::Walker;
use ::andante_skeleton::HeightFunction;
use std::ffi::{c_char, c_void};

/// A character that plays its clips over any ground: it looks for footholds ahead, stops where there are none, and lets its body
/// follow its feet.
pub struct andante_walker(Shared<Walker>);

/// How somebody walks over ground, after a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_walk {
    /// Where its body is and which way it faces.
    pub place: andante_placement,
    /// Height of the ground that it goes by.
    pub height: f32,
    /// Rise of the ground per metre ahead.
    pub grade: f32,
    /// How far its body is below where the clip has it, so that its legs reach.
    pub lowered: f32,
    /// Largest distance of an ankle from where it belongs.
    pub residual: f32,
    /// Whether it waits because the next step leads nowhere.
    pub stopped: bool,
}

/// A walker that will play a clip of its character, such as "walk" or "stand", from a place on whose ground is about as high as
/// `height`. Before the first step its pose is at rest.
///
/// # Safety
/// Pointers are null or what they are called; the name of the clip ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_new(
    character: *const andante_character,
    clip: *const c_char,
    start: andante_placement,
    height: f32,
    out: *mut *mut andante_walker,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let (own, clip) = (reference(character, "character")?, text(clip, "clip")?);
            let walker = Walker::new(&own.own, clip, [start.x, start.z], start.heading, height)?;
            Ok(andante_walker(Shared::new(walker)))
        })
    }
}

/// Goes over to another clip, at the next moment that suits both.
///
/// # Safety
/// The handle is null or a walker; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_play(
    walker: *mut andante_walker,
    clip: *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, clip) = unsafe { (reference(walker, "walker")?, text(clip, "clip")?) };
        own.0.with(|own| Ok(own.play(clip)?))
    })
}

/// Lets `dt` seconds pass over the ground, which is asked meanwhile, on this thread alone; without a function it is level at
/// height 0. `rate` is how fast the clip is played (1 as it was made), `turn_rate` is to the left in rad/s, besides what the clip
/// turns. What became of it is told if `out` is not null.
///
/// # Safety
/// The ground's function can be called with `user` until this returns; other pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_step(
    walker: *mut andante_walker,
    dt: f32,
    rate: f32,
    turn_rate: f32,
    ground: andante_ground,
    user: *mut c_void,
    out: *mut andante_walk,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(walker, "walker") }?;
        let report = own.0.with(|own| {
            Ok(match ground {
                Some(height) => {
                    let ground = CallerGround::new(height, user, None);
                    own.step(dt, rate, turn_rate, &ground)?
                }
                None => own.step(dt, rate, turn_rate, &HeightFunction::new(|_| 0.0))?,
            })
        })?;
        if out.is_null() {
            return Ok(());
        }
        let told = andante_walk {
            place: report.place.into(),
            height: report.height,
            grade: report.grade,
            lowered: report.lowered,
            residual: report.residual,
            stopped: own.0.with(|own| Ok(own.is_stopped()))?,
        };
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Its pose: joint 0 in the world, the others relative to their parents.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_pose(
    walker: *mut andante_walker,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(walker, "walker") }?;
        // SAFETY: as the header asks.
        own.0.with(|own| unsafe { put_transforms(transforms, capacity, own.pose()) })
    })
}

/// Every joint in the world.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_models(
    walker: *mut andante_walker,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(walker, "walker") }?;
        // SAFETY: as the header asks.
        own.0.with(|own| unsafe { put_transforms(transforms, capacity, own.models()) })
    })
}

/// Whether the heel and the ball of a foot are down.
///
/// # Safety
/// `heel` and `ball` are null, or point to a bool each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_contact(
    walker: *mut andante_walker,
    foot: usize,
    heel: *mut bool,
    ball: *mut bool,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(walker, "walker") }?;
        let down = own.0.with(|own| {
            let feet = own.character().character().rig.feet.len();
            own.contact(foot).ok_or_else(|| no_foot(foot, feet))
        })?;
        // SAFETY: as the header asks.
        unsafe { put_contact(down, heel, ball) }
    })
}

/// Frees a walker; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_walker_free(walker: *mut andante_walker) {
    // SAFETY: as the header asks.
    unsafe { free(walker) }
}
