//! One motion of a repertoire.

use super::track::{FootTrack, tracks};
use super::{FootSpans, PHASES, PhaseMap, Twist};
use andante_skeleton::{Character, CompactClip, Planar, Transform, Wrap};
use glam::Vec2;
use std::ops::Range;

/// The class of a clip's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClipClass {
    /// On the spot.
    Stand,
    /// Ahead, or turning, with a foot down at all times.
    Walk,
    /// Ahead, with both feet in the air between steps.
    Run,
    /// Backwards.
    Back,
    /// Sideways.
    Side,
    /// A gait of another manner, such as sneaking, which walks and runs are not mixed with.
    Other,
    /// Played once: a jump, a start, a stop.
    Action,
}

impl ClipClass {
    /// All classes, in order.
    pub const ALL: [Self; 7] =
        [Self::Stand, Self::Walk, Self::Run, Self::Back, Self::Side, Self::Other, Self::Action];

    /// A word for lists and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Back => "back",
            Self::Side => "side",
            Self::Other => "other",
            Self::Action => "action",
        }
    }
}

/// The way a clip goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Travel {
    /// A cycle: the same arc every round.
    Round(Twist),
    /// Played once: a placement per frame, beginning with the identity.
    Recorded(Vec<Planar>),
}

/// A motion ready to be blended: in place, by phase instead of time, with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct RepertoireClip {
    class: ClipClass,
    /// Lasts one second, which is one phase.
    clip: CompactClip,
    map: PhaseMap,
    travel: Travel,
    feet: Vec<FootSpans>,
    tracks: Vec<FootTrack>,
}

impl RepertoireClip {
    /// A motion in place, by phase, with its travel and its contacts: `clip` lasts one second, which is one phase.
    ///
    /// # Panics
    /// If the clip has not the joints of the character.
    pub fn new(
        character: &Character,
        class: ClipClass,
        clip: CompactClip,
        map: PhaseMap,
        travel: Travel,
        feet: Vec<FootSpans>,
    ) -> Self {
        let mut clip = Self { class, clip, map, travel, feet, tracks: Vec::new() };
        clip.tracks = tracks(character, &clip);
        clip
    }

    /// Name, as the file or the generator gave it.
    pub fn name(&self) -> &str {
        self.clip.name()
    }

    /// Its kind.
    pub fn class(&self) -> ClipClass {
        self.class
    }

    /// True if it goes round.
    pub fn is_cyclic(&self) -> bool {
        matches!(self.travel, Travel::Round(_))
    }

    /// Seconds from phase 0 to phase 1.
    pub fn period(&self) -> f32 {
        self.map.period()
    }

    /// Times and phases.
    pub fn map(&self) -> &PhaseMap {
        &self.map
    }

    /// The contacts of each foot's heel and ball, by phase.
    pub fn feet(&self) -> &[FootSpans] {
        &self.feet
    }

    /// The tracks of each foot's sole, by phase.
    pub fn tracks(&self) -> &[FootTrack] {
        &self.tracks
    }

    /// The frames.
    pub fn frames(&self) -> &CompactClip {
        &self.clip
    }

    /// Travel from phase 0 to phase 1.
    pub fn round(&self) -> Planar {
        self.travel(1.0)
    }

    /// The steady motion of a cycle per round; what leads to the end of a clip that is played once.
    pub fn twist(&self) -> Twist {
        match &self.travel {
            Travel::Round(twist) => *twist,
            Travel::Recorded(places) => places.last().map(Twist::to).unwrap_or_default(),
        }
    }

    pub(in crate::repertoire) fn travel_data(&self) -> &Travel {
        &self.travel
    }

    /// Mean height of the soles while they are down, if they ever are.
    pub fn ground_height(&self) -> Option<f32> {
        let (mut sum, mut count) = (0.0, 0);
        for (spans, track) in self.feet.iter().zip(&self.tracks) {
            for step in 0..PHASES {
                let phase = step as f32 / PHASES as f32;
                let sole = track.at(phase);
                for (down, point) in spans.down(phase).into_iter().zip([sole.heel, sole.ball]) {
                    if down {
                        sum += point.y;
                        count += 1;
                    }
                }
            }
        }
        (count > 0).then(|| sum / count as f32)
    }

    /// Velocity to the left and ahead in m/s.
    pub fn velocity(&self) -> Vec2 {
        self.twist().velocity / self.period()
    }

    /// Turn to the left in rad/s.
    pub fn turn_rate(&self) -> f32 {
        self.twist().turn / self.period()
    }

    /// Speed along the arc in m/s.
    pub fn speed(&self) -> f32 {
        self.velocity().length()
    }

    /// Turn per metre in 1/m; 0 on the spot.
    pub fn curvature(&self) -> f32 {
        let speed = self.speed();
        if speed > 1e-3 { self.turn_rate() / speed } else { 0.0 }
    }

    /// Speed ahead and turn rate: its place in a [`BlendSpace2`](crate::blend_space::BlendSpace2).
    pub fn point(&self) -> Vec2 {
        Vec2::new(self.velocity().y, self.turn_rate())
    }

    /// The pose at a phase, in place: the root is placed relative to where [`RepertoireClip::travel`]
    /// leads. Cycles go round; other clips hold their ends.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    #[inline]
    pub fn sample(&self, phase: f32, pose: &mut [Transform]) {
        self.sample_but(&(0..0), phase, pose);
    }

    /// The same but for the joints of a range, which stay as they are in `pose`.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    #[inline]
    pub fn sample_but(&self, left_out: &Range<usize>, phase: f32, pose: &mut [Transform]) {
        let wrap = if self.is_cyclic() { Wrap::Loop } else { Wrap::Clamp };
        self.clip.sample_but(left_out, phase, wrap, pose);
    }

    /// Travel since phase 0; rounds of a cycle go on.
    pub fn travel(&self, phase: f32) -> Planar {
        match &self.travel {
            Travel::Round(twist) => twist.after(self.map.seconds(phase) / self.period()),
            Travel::Recorded(places) => {
                let last = places.len() - 1;
                let at = (phase * last as f32).max(0.0).min(last as f32);
                let index = (at as usize).min(last);
                places[index].lerp(&places[(index + 1).min(last)], at - index as f32)
            }
        }
    }
}
