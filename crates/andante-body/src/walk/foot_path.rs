//! The way of one foot through a cycle, for a body whose feet do not bend.

use super::cycle_settings::CycleSettings;
use glam::{DQuat, DVec3};

/// The foot of a clip in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipFoot {
    pub ankle: DVec3,
    /// Toes up is positive.
    pub pitch: f64,
    /// Outwards or inwards, about y.
    pub yaw: f64,
    pub heel_down: bool,
    pub toe_down: bool,
}

/// A stiff foot seen from its ankle: how far heel and toe reach along it, and how far below the sole is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shoe {
    pub heel: f64,
    pub toe: f64,
    pub below: f64,
}

/// Where a stiff foot is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StiffFoot {
    pub ankle: DVec3,
    pub pitch: f64,
    pub yaw: f64,
}

impl StiffFoot {
    pub fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw) * DQuat::from_rotation_x(-self.pitch)
    }

    pub fn values(&self) -> [f64; 5] {
        [self.ankle.x, self.ankle.y, self.ankle.z, self.pitch, self.yaw]
    }

    pub fn of(v: [f64; 5]) -> Self {
        StiffFoot { ankle: DVec3::new(v[0], v[1], v[2]), pitch: v[3], yaw: v[4] }
    }

    /// The point at a distance along the sole.
    pub fn sole_point(&self, along: f64, shoe: &Shoe) -> DVec3 {
        self.ankle + self.rotation() * DVec3::new(0.0, -shoe.below, along)
    }
}

/// A foot's way: a whole cycle of poses, and when it stands.
#[derive(Clone, Debug)]
pub(super) struct FootPath {
    /// One pose per frame of the clip.
    pub poses: Vec<StiffFoot>,
    /// The frame in which it strikes.
    pub strike: usize,
    /// Frames from then until it leaves the ground.
    pub stance: usize,
    /// Frames from the strike until its heel rises.
    pub heel_off: usize,
    /// Where it stands flat in the stance that begins at `strike`.
    pub print: StiffFoot,
}

impl FootPath {
    /// The way of a stiff foot that does what a clip's foot does; `None` if that never stands or never swings.
    ///
    /// In stance it rolls over the ends of its sole: over the heel as the clip's foot does, over the toe so that the ankle
    /// is as high as the clip's. In swing it follows the clip's ankle, led in and out smoothly.
    pub fn new(
        frames: &[ClipFoot],
        travel: DVec3,
        shoe: &Shoe,
        own: &CycleSettings,
    ) -> Option<Self> {
        let n = frames.len();
        let down = |k: usize| frames[k % n].heel_down || frames[k % n].toe_down;
        let strike = (0..n).find(|&k| down(k) && !down(k + n - 1))?;
        let stance = (1..n).find(|&j| !down(strike + j))?;
        // Frames from the strike on, without the leap at the end of the clip.
        let clip = |j: usize| {
            let k = strike + j;
            let foot = frames[k % n];
            ClipFoot { ankle: foot.ankle + travel * (k / n) as f64, ..foot }
        };
        let (middle, print) = footprint(stance, clip, shoe);
        let flies = 2 * stance < n;
        let low = middle.iter().map(|f| f.ankle.y).fold(f64::INFINITY, f64::min);
        let stand = |j: usize| {
            let (round, j) = (j / n, j % n);
            let foot = clip(j);
            let rising = j > stance / 3;
            let print = StiffFoot { ankle: print.ankle + travel * round as f64, ..print };
            if flies {
                let late =
                    (j as f64 / stance as f64 - own.heel_rise).max(0.0) / (1.0 - own.heel_rise);
                roll_over_toes(&print, own.toe_off * late * late, shoe)
            } else if rising {
                roll_off(&print, foot.ankle.y - low, shoe, own.soft)
            } else {
                land(&print, foot.pitch, shoe)
            }
        };

        let mut poses = vec![StiffFoot::default(); n];
        let last = stance - 1;
        let as_pose = |j: usize| {
            let foot = if j < n {
                clip(j)
            } else {
                ClipFoot { ankle: clip(j - n).ankle + travel, ..clip(j - n) }
            };
            let hanging = if flies { own.hanging } else { 1.0 };
            StiffFoot { ankle: foot.ankle, pitch: foot.pitch * hanging, yaw: foot.yaw }
        };
        let clearance = if flies { own.running_clearance } else { own.clearance };
        let off = |j: usize| {
            let (a, b) = (stand(j).values(), as_pose(j).values());
            [0, 1, 2, 3, 4].map(|k| a[k] - b[k])
        };
        let (start, before, end, after) = (off(last), off(last - 1), off(n), off(n + 1));
        let span = (n - last) as f64;
        for j in 0..n {
            let pose = if j < stance {
                stand(j)
            } else {
                let u = (j - last) as f64 / span;
                let base = as_pose(j).values();
                let led = [0, 1, 2, 3, 4].map(|k| {
                    let (d0, d1) = ((start[k] - before[k]) * span, (after[k] - end[k]) * span);
                    base[k] + hermite(u, start[k], d0, end[k], d1)
                });
                lifted(StiffFoot::of(led), u, shoe, clearance)
            };
            let k = strike + j;
            let back = travel * (k / n) as f64;
            poses[k % n] = StiffFoot { ankle: pose.ankle - back, ..pose };
        }
        let risen = |&j: &usize| poses[(strike + j) % n].pitch < -own.risen;
        let heel_off = (1..stance).find(risen).unwrap_or(stance);
        Some(FootPath { poses, strike, stance, heel_off, print })
    }
}

/// The frames in which a foot stands flat, and where it stands in them.
fn footprint(
    stance: usize,
    clip: impl Fn(usize) -> ClipFoot,
    shoe: &Shoe,
) -> (Vec<ClipFoot>, StiffFoot) {
    let flat: Vec<ClipFoot> =
        (0..stance).map(&clip).filter(|f| f.heel_down && f.toe_down).collect();
    let count = flat.len().max(1) as f64;
    let middle = if flat.is_empty() { vec![clip(stance / 2)] } else { flat };
    let mean = |of: &dyn Fn(&ClipFoot) -> f64| middle.iter().map(of).sum::<f64>() / count;
    let print = StiffFoot {
        ankle: DVec3::new(mean(&|f| f.ankle.x), shoe.below, mean(&|f| f.ankle.z)),
        pitch: 0.0,
        yaw: mean(&|f| f.yaw),
    };
    (middle, print)
}

/// On the heel, toes up.
pub(crate) fn land(print: &StiffFoot, pitch: f64, shoe: &Shoe) -> StiffFoot {
    let (sin, cos) = libm::sincos(pitch.max(0.0));
    let (along, up) = (-shoe.heel * cos - shoe.below * sin, -shoe.heel * sin + shoe.below * cos);
    place(print, shoe.heel + along, up, pitch.max(0.0))
}

/// On the toes, the ankle risen.
pub(crate) fn roll_off(print: &StiffFoot, rise: f64, shoe: &Shoe, soft: f64) -> StiffFoot {
    let rise = rise.max(0.0);
    let rise = rise * rise / (rise + soft);
    let arm = libm::hypot(shoe.toe, shoe.below);
    let pitch = libm::asin(((shoe.below + rise) / arm).min(0.95)) - libm::asin(shoe.below / arm);
    roll_over_toes(print, pitch, shoe)
}

pub(crate) fn roll_over_toes(print: &StiffFoot, pitch: f64, shoe: &Shoe) -> StiffFoot {
    let (sin, cos) = libm::sincos(pitch);
    let (along, up) = (-shoe.toe * cos + shoe.below * sin, shoe.toe * sin + shoe.below * cos);
    place(print, shoe.toe + along, up, -pitch)
}

fn place(print: &StiffFoot, along: f64, up: f64, pitch: f64) -> StiffFoot {
    let ahead = DQuat::from_rotation_y(print.yaw) * DVec3::Z;
    let ankle = print.ankle + ahead * along;
    StiffFoot { ankle: DVec3::new(ankle.x, up, ankle.z), pitch, yaw: print.yaw }
}

/// Raised where its sole would come too near to the ground.
pub(crate) fn lifted(pose: StiffFoot, u: f64, shoe: &Shoe, clearance: f64) -> StiffFoot {
    let height = |along: f64| pose.sole_point(along, shoe).y;
    let low = height(shoe.heel).min(height(shoe.toe));
    let arch = 1.0 - libm::cos(std::f64::consts::PI * u).powi(6);
    let missing = clearance * arch - low;
    let lift = 0.5 * (missing + libm::hypot(missing, 0.006)) * arch;
    StiffFoot { ankle: pose.ankle + DVec3::Y * lift, ..pose }
}

pub(crate) fn hermite(u: f64, a: f64, da: f64, b: f64, db: f64) -> f64 {
    let (u2, u3) = (u * u, u * u * u);
    a * (2.0 * u3 - 3.0 * u2 + 1.0)
        + da * (u3 - 2.0 * u2 + u)
        + b * (3.0 * u2 - 2.0 * u3)
        + db * (u3 - u2)
}
