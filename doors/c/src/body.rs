//! Bodies that forces move.

use crate::border::{
    Failure, Shared, andante_status, c_text, call, free, make, put, reference, slice, text,
};
use crate::types::{andante_transform, put_transforms};
use ::andante_door::{Condition, SimulatedBody};
use std::ffi::{CString, c_char};

/// A body of rigid segments in a simulation of its own, on level ground.
pub struct andante_body {
    own: Shared<SimulatedBody>,
    names: Vec<CString>,
}

/// How a body is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum andante_condition {
    /// Nothing drives it but its springs.
    ANDANTE_LIMP = 0,
    /// It keeps its balance.
    ANDANTE_BALANCE = 1,
    /// It falls so that its head is spared.
    ANDANTE_FALL = 2,
    /// It lies.
    ANDANTE_LIE = 3,
    /// It gets up.
    ANDANTE_GET_UP = 4,
    /// It is on its feet and comes upright.
    ANDANTE_STAND = 5,
}

/// One segment of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct andante_segment {
    /// Its name; stays as long as the handle.
    pub name: *const c_char,
    /// The segment it hangs on; -1 for the root.
    pub parent: i32,
    /// kg.
    pub mass: f32,
}

fn opened(body: SimulatedBody) -> andante_body {
    let names = body.body().segments().iter().map(|segment| c_text(&segment.name)).collect();
    andante_body { own: Shared::new(body), names }
}

/// A built-in body: "humanoid", "monster", "kangaroo", "dog", "horse", "insect" or "ostrich". With `balances` its muscles keep it
/// on its feet, catch it by steps when it is pushed, and get it up again, which needs two feet; otherwise it hangs in its springs.
///
/// # Safety
/// The name ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_creature(
    name: *const c_char,
    balances: bool,
    out: *mut *mut andante_body,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { make(out, || Ok(opened(SimulatedBody::creature(text(name, "name")?, balances)?))) }
}

/// The same of the text of a body file.
///
/// # Safety
/// The text ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_read(
    file: *const c_char,
    balances: bool,
    out: *mut *mut andante_body,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { make(out, || Ok(opened(SimulatedBody::read(text(file, "file")?, balances)?))) }
}

/// Does something with a body.
///
/// # Safety
/// The handle is null or a body.
unsafe fn on<R>(
    body: *const andante_body,
    work: impl FnOnce(&mut SimulatedBody) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: as the caller says.
    unsafe { reference(body, "body") }?.own.with(work)
}

/// Lets `dt` seconds pass, at most one, in steps of the simulation.
///
/// # Safety
/// The handle is null or a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_step(body: *mut andante_body, dt: f32) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { on(body, |own| Ok(own.step(dt)?)) })
}

/// Shoves its trunk for a tenth of a second: an impulse in N s towards a heading in radians.
///
/// # Safety
/// The handle is null or a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_push(
    body: *mut andante_body,
    impulse: f32,
    direction: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { on(body, |own| Ok(own.push(impulse, direction)?)) })
}

/// An impulse of three numbers in N s on a segment, at a point in the world, in the next step.
///
/// # Safety
/// `impulse` and `at` are null or point to three numbers each; the handle is null or a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_impulse(
    body: *mut andante_body,
    segment: usize,
    impulse: *const f32,
    at: *const f32,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (impulse, at) = unsafe { (slice(impulse, 3, "impulse")?, slice(at, 3, "at")?) };
        let three = |v: &[f32]| [v[0], v[1], v[2]];
        // SAFETY: as the header asks.
        unsafe { on(body, |own| Ok(own.impulse(segment, three(impulse), three(at))?)) }
    })
}

/// Puts it back to where it began, as it was, so many metres higher.
///
/// # Safety
/// The handle is null or a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_reset(
    body: *mut andante_body,
    higher: f32,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { on(body, |own| Ok(own.reset(higher)?)) })
}

/// How many segments it has.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_segment_count(
    body: *const andante_body,
    out: *mut usize,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { put(out, reference(body, "body")?.names.len(), "out") })
}

/// One of its segments.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_segment(
    body: *const andante_body,
    index: usize,
    out: *mut andante_segment,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let handle = unsafe { reference(body, "body") }?;
        let told = handle.own.with(|own| {
            let count = own.segments();
            let none =
                || Failure::argument(format!("there is no segment {index}; there are {count}"));
            let segment = own.body().segments().get(index).ok_or_else(none)?;
            let parent = segment.joint.as_ref().map_or(-1, |joint| joint.parent as i32);
            let (name, mass) = (handle.names[index].as_ptr(), segment.mass.mass as f32);
            Ok(andante_segment { name, parent, mass })
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Every segment in the world.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_pose(
    body: *const andante_body,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { on(body, |own| put_transforms(transforms, capacity, own.placed())) })
}

/// How it is.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_condition(
    body: *const andante_body,
    out: *mut andante_condition,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let condition = unsafe { on(body, |own| Ok(own.condition())) }?;
        let told = match condition {
            Condition::Limp => andante_condition::ANDANTE_LIMP,
            Condition::Balance => andante_condition::ANDANTE_BALANCE,
            Condition::Fall => andante_condition::ANDANTE_FALL,
            Condition::Lie => andante_condition::ANDANTE_LIE,
            Condition::GetUp => andante_condition::ANDANTE_GET_UP,
            Condition::Stand => andante_condition::ANDANTE_STAND,
        };
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Its centre of mass, three numbers, and the seconds that were simulated. Either may be null.
///
/// # Safety
/// `centre` is null or has room for three numbers; `time` is null or points to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_state(
    body: *const andante_body,
    centre: *mut f32,
    time: *mut f64,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (at, now) = unsafe { on(body, |own| Ok((own.centre_of_mass(), own.time()))) }?;
        if !centre.is_null() {
            // SAFETY: it is not null, and then there is room for three.
            unsafe { crate::border::fill(centre, 3, at.into_iter(), "centre") }?;
        }
        if !time.is_null() {
            // SAFETY: it is not null, and then it is a number of the caller's.
            unsafe { put(time, now, "time") }?;
        }
        Ok(())
    })
}

/// Frees a body; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_body_free(body: *mut andante_body) {
    // SAFETY: as the header asks.
    unsafe { free(body) }
}
