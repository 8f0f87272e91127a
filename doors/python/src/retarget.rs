//! Motions on other bodies.

use crate::asset::Asset;
use crate::clip::Clip;
use crate::contacts::metrics_dict;
use crate::error::{OrRaise, refused, unreadable};
use crate::figure::Figure;
use crate::skeleton::Skeleton;
use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, Belt, analyse};
use andante_motion::oddities;
use andante_motion::retarget::{RetargetOptions, RetargetResult, RetargetRig, retarget};
use andante_motion::rig::{self, StandingRest, UprightOptions};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_skeleton as base;
use andante_skeleton::humanoid;
use andante_stage::on_its_feet;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// Who a motion is put on: an asset, a clip, a skeleton, "humanoid" or a file.
fn target(to: &Bound<'_, PyAny>) -> PyResult<Arc<Figure>> {
    if let Ok(asset) = to.cast::<Asset>() {
        return Ok(Arc::clone(&asset.get().figure));
    }
    if let Ok(clip) = to.cast::<Clip>() {
        return Ok(Arc::clone(&clip.get().figure));
    }
    if let Ok(skeleton) = to.cast::<Skeleton>() {
        let skeleton = (*skeleton.get().inner).clone();
        return Ok(Figure::new(andante_formats::Asset::new(skeleton, Vec::new())));
    }
    let human = humanoid();
    if to.extract::<String>().is_ok_and(|name| name == human.name) {
        return Ok(Figure::known(
            andante_formats::Asset::new(human.skeleton, Vec::new()),
            human.rig,
        ));
    }
    let path: PathBuf = to.extract()?;
    if !path.exists() {
        let (path, name) = (path.display(), &human.name);
        let message = format!("{path}: neither a built-in character ({name}) nor a file");
        return Err(pyo3::exceptions::PyFileNotFoundError::new_err(message));
    }
    let asset = read_file(&path, &ReadOptions::default(), None)
        .map_err(|error| unreadable(to.py(), &error))?;
    Ok(Figure::new(on_its_feet(&path, asset)))
}

/// One motion on the other body, and how its feet do there.
fn put_on(
    clip: &base::Clip,
    from: RetargetRig,
    to: RetargetRig,
    options: &RetargetOptions,
) -> Result<(RetargetResult, MotionMetrics), String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let usual = AnalysisOptions::default();
    let analysis = analyse(from.skeleton, from.rig, clip, &usual).map_err(|error| told(&error))?;
    // A motion in place is made to travel, so that its feet can be planted.
    let walked_off = analysis.belt.map(|belt| belt.walked_off(from.skeleton, clip)).transpose();
    let walked_off = walked_off.map_err(|error| told(&error))?;
    let moving = walked_off.as_ref().unwrap_or(clip);
    let source_ground = Some(analysis.ground.height);
    let options = RetargetOptions { source_ground, cyclic: analysis.cyclic, ..*options };
    let mut made =
        retarget(from, moving, &analysis.contacts, to, &options).map_err(|error| told(&error))?;
    // Graded on what is seen in the result, not on what the planter was told to hold.
    let seen = analyse(to.skeleton, to.rig, &made.clip, &usual).map_err(|error| told(&error))?;
    let mut feet = measure_level(to.skeleton, to.rig, &made.clip, &seen.contacts, 0.0);
    feet.pose_change_deg_mean = Some(made.report.pose_change_deg_mean);
    if let Some(belt) = analysis.belt {
        let belt = Belt { velocity: belt.velocity * made.report.scale, ..belt };
        made.clip = belt.walked_on(to.skeleton, &made.clip).map_err(|error| told(&error))?;
    }
    Ok((made, feet))
}

#[pymethods]
impl Clip {
    /// The motion on another body.
    ///
    /// to: an Asset, Clip or Skeleton, "humanoid", or a file. plant: whether feet are kept from sliding. A T-pose in front of the
    /// motion is left out. The report of the clip that is returned says what became of it: scale, matched (pairs of joints of the
    /// target and of this clip), resting (joints that nothing moves), doubts and metrics.
    #[pyo3(signature = (to, *, plant=true))]
    fn retarget(&self, to: &Bound<'_, PyAny>, plant: bool) -> PyResult<Self> {
        let py = to.py();
        let target = target(to)?;
        let (own, theirs) = (self.figure.rig()?, target.rig()?);
        let skeleton = &target.asset.skeleton;
        let another = UprightOptions::default().another;
        let upright = UprightOptions { believed: another, ..UprightOptions::default() };
        let mut doubts: Vec<String> = Vec::new();
        // Who is to stand on its feet rests as its file says if that stands at all: soles are level there.
        let standing = match rig::rest_pose(skeleton, theirs, &target.asset.clips, &upright) {
            StandingRest::Seen(standing) => Some(standing),
            StandingRest::Stands => None,
            StandingRest::Unknown => {
                doubts.push("its rest pose does not stand, and it has no motion that shows it standing; trunk, head and hands may be turned wrongly".into());
                None
            }
        };
        let motion = self.motion();
        let motion = &oddities::without_added_frames(self.joints(), motion, 0).or_raise()?;
        let mut options = RetargetOptions::default();
        if !plant {
            options.plant = None;
        }
        let from = RetargetRig { skeleton: self.joints(), rig: own };
        let to = RetargetRig { skeleton: standing.as_ref().unwrap_or(skeleton), rig: theirs };
        let (made, feet) = py.detach(|| put_on(motion, from, to, &options)).map_err(refused)?;
        doubts.extend(made.report.doubts.iter().map(ToString::to_string));
        let report = PyDict::new(py);
        report.set_item("scale", made.report.scale)?;
        report.set_item("matched", made.report.matched)?;
        report.set_item("resting", made.report.resting)?;
        report.set_item("doubts", doubts)?;
        report.set_item("metrics", metrics_dict(py, &feet)?)?;
        Ok(Self::own(&target, made.clip).telling(report))
    }
}
