//! A clip that a body follows by the torques of its joints, as far as it can.

use crate::home::StudioHome;
use crate::motion_plan::MotionPlan;
use crate::rooms::motion::{ClipDesk, ClipShelf};
use andante_body::{
    BodySense, HumanFit, Physique, Reference, Regime, TrackOptions, Tracker, fit_human,
};
use andante_dynamics::{JointState, Simulation};
use andante_skeleton::{Character, Clip, Planar, SkinnedMesh, Transform, Wrap};
use std::sync::Arc;

/// A clip to be followed, and the body that fits whom it was made for.
pub struct ClipToFollow {
    /// What it was made of.
    pub plan: MotionPlan,
    /// Whom it was made for.
    character: Character,
    /// What that looks like.
    pub skin: Arc<SkinnedMesh>,
    clip: Clip,
    /// Where the next round begins, seen from where this one does, if it goes round.
    stride: Option<Transform>,
    /// The body, and which joints its segments are.
    pub fit: HumanFit,
}

impl ClipToFollow {
    /// The clip that is worked on among the motions, after its edits.
    pub fn new(plan: &MotionPlan, home: &StudioHome) -> Result<Self, String> {
        let shelf = match &plan.file {
            None => ClipShelf::built_in(),
            Some(path) => ClipShelf::read(path, home)?,
        };
        let ClipDesk { clip, rig, .. } = ClipDesk::new(&shelf, plan)?;
        let rig = rig.ok_or("nobody knows which joints of this clip are legs and arms")?;
        let character = Character::new(&plan.clip, shelf.skeleton, rig);
        let fit = fit_human(&character, &Default::default()).map_err(|error| error.to_string())?;
        let stride = stride(&clip);
        Ok(Self { plan: plan.clone(), character, skin: shelf.skin, clip, stride, fit })
    }

    /// Seconds of the clip.
    pub fn duration(&self) -> f64 {
        f64::from(self.clip.duration())
    }

    /// Every joint at a time. What goes round goes on.
    pub fn models(&self, time: f64) -> Vec<Transform> {
        let (rounds, within) = match self.stride {
            Some(_) => (libm::floor(time / self.duration()), time.rem_euclid(self.duration())),
            None => (0.0, time.max(0.0)),
        };
        let mut pose = vec![Transform::IDENTITY; self.character.skeleton.len()];
        self.clip.sample(within as f32, Wrap::Clamp, &mut pose);
        let mut models = pose.clone();
        self.character.skeleton.local_to_model(&pose, &mut models);
        if let Some(stride) = self.stride {
            let stride = if rounds < 0.0 { stride.inverse() } else { stride };
            for _ in 0..rounds.abs() as usize {
                models.iter_mut().for_each(|joint| *joint = stride * *joint);
            }
        }
        models
    }

    /// True if there is nothing left to follow at a time, or no floor: that ends a little further off.
    fn is_over(&self, time: f64) -> bool {
        let far = || self.models(time)[0].translation.with_y(0.0).length() > 14.0;
        if self.stride.is_some() { far() } else { time > self.duration() }
    }

    /// The coordinates of the body at a time, how they change, and how that does.
    fn reference(&self, physique: &Physique, time: f64) -> Reference {
        let apart = 1.0 / f64::from(self.clip.fps());
        let at = |time: f64| self.fit.coordinates(&physique.model, &self.models(time));
        Reference::between(physique, &at(time - apart), &at(time), &at(time + apart), apart)
    }

    /// The body as the clip begins.
    pub fn first(&self, physique: &Physique) -> JointState<f64> {
        let Reference { q, v, .. } = self.reference(physique, 0.0);
        JointState { q, v }
    }
}

/// The following of a clip by a simulated body.
pub struct ClipFollowing {
    /// What is followed.
    pub of: Arc<ClipToFollow>,
    tracker: Tracker,
    assist: f32,
    /// What is felt meanwhile.
    pub senses: BodySense,
    /// How far joints are from those of the clip, as a mean in degrees.
    pub off: f64,
    /// The force of the invisible hand, N.
    pub held: f64,
    /// Whether it came to the end.
    pub over: bool,
}

impl ClipFollowing {
    /// Begins to follow.
    pub fn new(of: Arc<ClipToFollow>, physique: &Physique, assist: f32) -> Self {
        let tracker = tracker(physique, assist);
        let senses = BodySense::default();
        Self { of, tracker, assist, senses, off: 0.0, held: 0.0, over: false }
    }

    /// Sets the torques of the next step; whether it still follows.
    pub fn drive(
        &mut self,
        physique: &Physique,
        simulation: &mut Simulation<f64>,
        assist: f32,
    ) -> bool {
        if assist != self.assist {
            self.assist = assist;
            self.tracker = tracker(physique, assist);
        }
        let time = simulation.time();
        self.over = self.of.is_over(time);
        let reference = self.of.reference(physique, time);
        self.tracker.drive(physique, &reference, simulation);
        self.senses.feel(physique, simulation);
        self.off = self.tracker.error(physique, simulation, &reference).to_degrees();
        self.held = self.tracker.assistance().0.length();
        self.tracker.regime() != Regime::Fall
    }
}

/// The way of a round along the ground, of a clip that ends as it began, within five degrees.
fn stride(clip: &Clip) -> Option<Transform> {
    let (first, last) = (clip.frame(0), clip.frame(clip.frame_count() - 1));
    let joints = first.iter().zip(last).skip(1);
    let same = joints.into_iter().all(|(a, b)| a.rotation.angle_between(b.rotation) < 0.09);
    let [from, to] = [first, last].map(|pose| Planar::from_transform(&pose[0]).to_transform());
    (same && clip.duration() > 0.1).then(|| to * from.inverse())
}

fn tracker(physique: &Physique, assist: f32) -> Tracker {
    let assist = f64::from(assist.clamp(0.0, 1.0));
    Tracker::new(physique, TrackOptions { assist, ..TrackOptions::default() })
}
