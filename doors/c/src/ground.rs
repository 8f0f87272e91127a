//! Ground of the caller's.

use ::andante_skeleton::{Ground, Hit};
use glam::Vec3;
use std::ffi::c_void;

/// Ground of one's own: the height of the highest surface at (x, z) that is not above `from_y`, or NAN where there is none. The
/// unit normal of the surface, pointing up, may be written to `normal`, which is (0, 1, 0) before. `from_y` may be as large as
/// FLT_MAX. It must not throw, and not use the handle that asks.
pub type andante_ground = Option<
    unsafe extern "C" fn(user: *mut c_void, x: f32, z: f32, from_y: f32, normal: *mut f32) -> f32,
>;

/// Called once when `user` is needed no longer.
pub type andante_release = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Ground that is asked for through a function of the caller's.
pub(crate) struct CallerGround {
    height: unsafe extern "C" fn(*mut c_void, f32, f32, f32, *mut f32) -> f32,
    user: *mut c_void,
    release: andante_release,
}

impl CallerGround {
    pub fn new(
        height: unsafe extern "C" fn(*mut c_void, f32, f32, f32, *mut f32) -> f32,
        user: *mut c_void,
        release: andante_release,
    ) -> Self {
        Self { height, user, release }
    }
}

// SAFETY: where a stage keeps it the header asks for a function that any thread may call, several at once, and for a `user` that
// any thread may let go; elsewhere it stays on the thread that called.
unsafe impl Send for CallerGround {}
// SAFETY: as above.
unsafe impl Sync for CallerGround {}

impl Ground for CallerGround {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let mut normal = [0.0, 1.0, 0.0];
        // SAFETY: the function and its `user` are the caller's, who promised that they can be called so; `normal` has the three
        // numbers it may write.
        let height =
            unsafe { (self.height)(self.user, from.x, from.z, from.y, normal.as_mut_ptr()) };
        // Also false for what is not a number.
        let met = height.is_finite() && height <= from.y && height >= from.y - depth;
        let normal = Vec3::from_array(normal);
        let normal = if normal.is_finite() { normal.normalize_or(Vec3::Y) } else { Vec3::Y };
        let normal = if normal.y > 0.0 { normal } else { Vec3::Y };
        met.then(|| Hit { point: from.with_y(height), normal })
    }
}

impl Drop for CallerGround {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: nobody asks any more, and it is dropped once.
            unsafe { release(self.user) };
        }
    }
}
