//! Editing: each gives a new clip.

use crate::arrays::{Floats, point};
use crate::clip::Clip;
use crate::error::{OrRaise, refused};
use crate::skeleton::Skeleton;
use andante_motion::edit::{self, CycleOptions, EditError, GroundLevel, JoinOptions, PlantOptions};
use andante_motion::oddities;
use andante_play::Interval;
use andante_skeleton as base;
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};
use pyo3::prelude::*;

impl Clip {
    /// The same body in a motion that an edit made.
    fn edited(&self, made: Result<base::Clip, EditError>) -> PyResult<Self> {
        Ok(Self::own(&self.figure, made.or_raise()?))
    }

    fn finite(name: &str, value: f32) -> PyResult<f32> {
        match value.is_finite() {
            true => Ok(value),
            false => Err(refused(format!("{name} is {value}; it is a finite number"))),
        }
    }
}

#[pymethods]
impl Clip {
    /// The part from start to end, in seconds.
    fn trim(&self, start: f32, end: f32) -> PyResult<Self> {
        self.edited(edit::trim(self.joints(), self.motion(), Interval::new(start, end)))
    }

    /// The clip without what is between start and end, in seconds; both sides are joined smoothly.
    fn cut(&self, start: f32, end: f32) -> PyResult<Self> {
        let (range, options) = (Interval::new(start, end), JoinOptions::default());
        self.edited(edit::cut(self.joints(), self.motion(), range, &options))
    }

    /// The clip and then another of the same skeleton, which begins where this one ends. fade: seconds of blending, 0 to 2.
    #[pyo3(signature = (other, *, fade=None))]
    fn append(&self, other: &Self, fade: Option<f32>) -> PyResult<Self> {
        self.figure.same_joints(&other.figure)?;
        let usual = JoinOptions::default();
        let fade = fade.unwrap_or(usual.fade);
        if !(0.0..=2.0).contains(&fade) {
            return Err(refused(format!("fade is {fade}: a fade lasts from 0 to 2 seconds")));
        }
        let options = JoinOptions { fade, ..usual };
        self.edited(edit::concatenate(self.joints(), self.motion(), other.motion(), &options))
    }

    /// At another frame rate, in frames per second.
    fn resample(&self, fps: f32) -> PyResult<Self> {
        self.edited(edit::resampled(self.joints(), self.motion(), fps))
    }

    /// Played faster by this factor.
    fn speed_up(&self, factor: f32) -> PyResult<Self> {
        self.edited(edit::change_speed(self.joints(), self.motion(), factor))
    }

    /// Played so that it travels at this speed, in m/s.
    fn retime(&self, speed: f32) -> PyResult<Self> {
        self.edited(edit::retime_to_speed(self.joints(), self.motion(), speed))
    }

    /// Left and right exchanged.
    fn mirror(&self) -> PyResult<Self> {
        self.edited(edit::mirrored(self.joints(), self.motion()))
    }

    /// Backwards in time.
    fn reverse(&self) -> PyResult<Self> {
        self.edited(edit::reversed(self.joints(), self.motion()))
    }

    /// Its best stride, or else all of it, closed into a cycle: the last frame is the first one again, farther on.
    fn r#loop(&self, py: Python<'_>) -> PyResult<Self> {
        let best = self.analysis(py).ok().and_then(|analysis| analysis.loop_point);
        let options = CycleOptions::default();
        let (skeleton, motion) = (self.joints(), self.motion());
        self.edited(py.detach(|| {
            match best {
                Some(point) => edit::trim(skeleton, motion, point.interval)
                    .and_then(|stride| edit::make_cyclic(skeleton, &stride, &options)),
                None => edit::make_cyclic(skeleton, motion, &options),
            }
        }))
    }

    /// With feet that stay where they stand, on the height at which they were found.
    fn plant(&self, py: Python<'_>) -> PyResult<Self> {
        let (rig, analysis) = (self.figure.rig()?, self.analysis(py)?);
        let (skeleton, motion) = (self.joints(), self.motion());
        let usual = PlantOptions::default();
        let options =
            PlantOptions { ground: GroundLevel::found(&analysis.ground, &usual), ..usual };
        let plant = |clip: &base::Clip| {
            edit::plant_feet(skeleton, rig, clip, &analysis.contacts, &options)
                .map(|(clip, _)| clip)
        };
        let made = py.detach(|| match analysis.belt {
            None => plant(motion),
            // Planted on ground that stays, and then put back on the treadmill.
            Some(belt) => {
                (|| Ok(belt.walked_on(skeleton, &plant(&belt.walked_off(skeleton, motion)?)?)?))()
            }
        });
        self.edited(made)
    }

    /// Without its travel: the root stays over its place.
    fn in_place(&self) -> PyResult<Self> {
        self.edited(edit::in_place(self.joints(), self.motion()))
    }

    /// From the origin on, facing +Z in the first frame.
    fn at_origin(&self) -> PyResult<Self> {
        self.edited(edit::at_origin(self.joints(), self.motion()))
    }

    /// Turned about the vertical through the origin by radians to the left, then moved by [x, y, z] metres.
    #[pyo3(signature = (by=None, *, turn=0.0))]
    fn moved(&self, by: Option<Floats<'_>>, turn: f32) -> PyResult<Self> {
        let by = by.map(|by| point("by", &by)).transpose()?.unwrap_or(Vec3::ZERO);
        if !by.is_finite() {
            return Err(refused(format!("by is {by}; it is three finite numbers")));
        }
        let place = Planar::new(Vec2::new(by.x, by.z), Self::finite("turn", turn)?);
        self.edited(edit::moved(self.joints(), self.motion(), &place, by.y))
    }

    /// Without what shakes faster than this frequency, in Hz, from 0.01 on.
    fn low_pass(&self, hertz: f32) -> PyResult<Self> {
        self.edited(edit::low_pass(self.joints(), self.motion(), hertz))
    }

    /// With a joint and all that hangs on it moving as in another clip of the same skeleton.
    fn with_part(&self, joint: &str, other: &Self) -> PyResult<Self> {
        self.figure.same_joints(&other.figure)?;
        let joint = Skeleton::index(self.joints(), joint)?;
        self.edited(edit::with_part(self.joints(), self.motion(), other.motion(), joint))
    }

    /// Between this clip (t = 0) and another of the same skeleton (t = 1).
    fn mix(&self, other: &Self, t: f32) -> PyResult<Self> {
        self.figure.same_joints(&other.figure)?;
        self.edited(edit::interpolate_clips(
            self.joints(),
            self.motion(),
            other.motion(),
            Self::finite("t", t)?,
        ))
    }

    /// True if the first frame is a T-pose that capture systems add (CMU files have one).
    #[getter]
    fn begins_with_t_pose(&self) -> bool {
        oddities::added_frames(self.joints(), self.motion()) > 0
    }

    /// Without its first frame, or without all of an added T-pose.
    fn without_first_frame(&self) -> PyResult<Self> {
        let clip = oddities::without_added_frames(self.joints(), self.motion(), 1).or_raise()?;
        Ok(Self::own(&self.figure, clip))
    }
}
