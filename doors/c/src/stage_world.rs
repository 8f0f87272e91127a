//! What stands, lies and can be walked on.

use crate::border::{Failure, andante_status, call, reference, slice, text};
use crate::ground::{CallerGround, andante_ground, andante_release};
use crate::stage::andante_stage;
use ::andante_stage::GroundPatch;
use ::andante_world::{Obstacle, ObstacleShape, Platform, Terrain};
use glam::{Vec2, Vec3};
use std::ffi::{c_char, c_void};

/// Puts an obstacle somewhere, or in the place of the one of the same name, which is how it is moved.
///
/// # Safety
/// The handle is null or a stage; the name ends with a zero.
unsafe fn place(
    stage: *mut andante_stage,
    name: *const c_char,
    shape: ObstacleShape,
    at: Vec3,
    heading: f32,
) -> andante_status {
    call(|| {
        // SAFETY: as the caller says.
        let (own, name) = unsafe { (reference(stage, "stage")?, text(name, "name")?) };
        let obstacle = Obstacle { name: name.to_owned(), shape, at, heading };
        own.0.with(|own| Ok(own.stage.stage_mut().place_obstacle(obstacle)?))
    })
}

/// Puts a box into the world, or in the place of the obstacle of the same name, which is how it is moved. (x, y, z) is the middle
/// of its underside. Ways that it blocks are planned again.
///
/// # Safety
/// The handle is null or a stage; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_place_box(
    stage: *mut andante_stage,
    name: *const c_char,
    x: f32,
    y: f32,
    z: f32,
    width: f32,
    height: f32,
    depth: f32,
    heading: f32,
) -> andante_status {
    let shape = ObstacleShape::Box(Vec3::new(width, height, depth));
    // SAFETY: as the header asks.
    unsafe { place(stage, name, shape, Vec3::new(x, y, z), heading) }
}

/// The same with an upright cylinder.
///
/// # Safety
/// The handle is null or a stage; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_place_cylinder(
    stage: *mut andante_stage,
    name: *const c_char,
    x: f32,
    y: f32,
    z: f32,
    radius: f32,
    height: f32,
) -> andante_status {
    let shape = ObstacleShape::Cylinder { radius, height };
    // SAFETY: as the header asks.
    unsafe { place(stage, name, shape, Vec3::new(x, y, z), 0.0) }
}

/// Takes the obstacle of a name away.
///
/// # Safety
/// The handle is null or a stage; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_remove_obstacle(
    stage: *mut andante_stage,
    name: *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, name) = unsafe { (reference(stage, "stage")?, text(name, "name")?) };
        own.0.with(|own| Ok(own.stage.stage_mut().remove_obstacle(name)?))
    })
}

/// Puts a patch of ground into the world, or in the place of the one of the same name: an outline of corners (x, z, x, z...) that
/// can be walked on, level at a height, or with ground of one's own on top of that (its heights are added).
///
/// The ground's function is called by any thread, by several at once, and also between calls of the stage, until `release` is
/// called with `user`. That happens once, from any thread, when nobody asks any more: at once if the call fails, else some time
/// after the ground was replaced or removed or the stage freed.
///
/// # Safety
/// `corners` points to 2 * count numbers; the handle is null or a stage; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_place_ground(
    stage: *mut andante_stage,
    name: *const c_char,
    corners: *const f32,
    count: usize,
    height: f32,
    ground: andante_ground,
    user: *mut c_void,
    release: andante_release,
) -> andante_status {
    // Whatever happens from here on, it is released in the end.
    let terrain = ground.map(|height| CallerGround::new(height, user, release));
    if let (None, Some(release)) = (ground, release) {
        // SAFETY: without a function nobody asks for `user`.
        unsafe { release(user) };
    }
    call(move || {
        // SAFETY: as the header asks.
        let (own, name) = unsafe { (reference(stage, "stage")?, text(name, "name")?) };
        let numbers = count
            .checked_mul(2)
            .ok_or_else(|| Failure::argument(format!("{count} corners are no number")))?;
        // SAFETY: as the header asks.
        let corners = unsafe { slice(corners, numbers, "corners") }?;
        let outline = corners.chunks_exact(2).map(|at| Vec2::new(at[0], at[1])).collect();
        let platform = Platform::level(name, outline, height);
        let patch = GroundPatch { platform, terrain: terrain.map(Terrain::own) };
        own.0.with(|own| Ok(own.stage.stage_mut().place_ground(patch)?))
    })
}

/// Takes the patch of ground of a name away.
///
/// # Safety
/// The handle is null or a stage; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_remove_ground(
    stage: *mut andante_stage,
    name: *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, name) = unsafe { (reference(stage, "stage")?, text(name, "name")?) };
        own.0.with(|own| Ok(own.stage.stage_mut().remove_ground(name)?))
    })
}
