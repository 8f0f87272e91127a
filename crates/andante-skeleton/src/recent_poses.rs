//! What was shown last, and how fast it moved.

use crate::Transform;

/// The last poses that were shown, for whoever has to go on as fast as they moved.
///
/// Frames may last as long or as short as they like. Velocities come from two poses that are at least
/// [`RecentPoses::APART`] apart, with the time that passed between them: closer ones differ by rounding alone.
///
/// ```
/// use andante_skeleton::{RecentPoses, Transform};
/// use glam::Vec3;
///
/// let mut recent = RecentPoses::new(1);
/// let mut time = 0.0;
/// for dt in [0.02, 1e-7, 0.01, 1e-5] {
///     time += dt;
///     recent.pass(dt);
///     recent.last_mut()[0] = Transform::from_translation(Vec3::X * time);
/// }
/// let (earlier, seconds) = recent.earlier().ok_or("only one was shown")?;
/// let speed = (recent.last()[0].translation - earlier[0].translation) / seconds;
/// assert!((speed.x - 1.0).abs() < 1e-3);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecentPoses {
    /// From the last one back.
    poses: [Vec<Transform>; 3],
    /// Seconds between the first and the second, and between the second and the third, which are never close.
    between: [f32; 2],
    count: usize,
}

impl RecentPoses {
    /// Poses that tell a velocity are this many seconds apart or more.
    pub const APART: f32 = 1e-3;

    /// Of a body of so many joints that shows nothing yet.
    pub fn new(joints: usize) -> Self {
        let rest = vec![Transform::IDENTITY; joints];
        Self { poses: [rest.clone(), rest.clone(), rest], between: [0.0; 2], count: 0 }
    }

    /// Lets time pass until the pose that is shown next, which [`RecentPoses::last_mut`] then takes.
    pub fn pass(&mut self, dt: f32) {
        let dt = dt.max(0.0);
        if self.count > 1 && self.between[0] < Self::APART {
            // The last one stands for a moment only, and makes way.
            self.between[0] += dt;
            return;
        }
        self.poses.rotate_right(1);
        self.between = [dt, self.between[0]];
        self.count = (self.count + 1).min(3);
    }

    /// The pose that was shown last.
    pub fn last(&self) -> &[Transform] {
        &self.poses[0]
    }

    /// The same, to be written.
    pub fn last_mut(&mut self) -> &mut [Transform] {
        &mut self.poses[0]
    }

    /// True if nothing has been shown yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True if the last one is the only one so far.
    pub fn is_first(&self) -> bool {
        self.count == 1
    }

    /// A pose from before the last one, and how many seconds before; none until a time has passed that tells a
    /// velocity.
    pub fn earlier(&self) -> Option<(&[Transform], f32)> {
        let [first, second] = self.between;
        match self.count {
            2 | 3 if first >= Self::APART => Some((&self.poses[1], first)),
            3 => Some((&self.poses[2], first + second)),
            _ => None,
        }
    }
}
