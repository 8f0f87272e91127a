//! What a synthesised gait is made of: the numbers behind every built-in clip.

use super::{GaitRequest, SynthClip, SynthError};
use andante_skeleton::Character;

andante_skeleton::settings! {
    /// The settings of the gait synthesis. Lengths, times and speeds are those of the adult, and are carried over to other bodies
    /// by leg length.
    ///
    /// ```
    /// use andante_motion::synth::SynthSettings;
    /// use andante_skeleton::humanoid;
    ///
    /// // Knees that straighten less: an older walker.
    /// let older = SynthSettings { striding_extension: 0.99, ..SynthSettings::default() };
    /// let walk = older.clip(&humanoid(), "walk")?;
    /// assert!(walk.cyclic);
    /// # Ok::<(), andante_motion::synth::SynthError>(())
    /// ```
    pub struct SynthSettings {
        /// Frames per second of every clip. Few make quick feet angular.
        fps: f32 = 60.0, 24.0..=240.0;
        /// Gravity in m/s². It decides flight, lean in turns and from which speed people run; on the moon all of it is
        /// slow. The built-in clips were tuned with this one, 0.03 % above standard gravity, and keep it to the bit.
        gravity: f32 = 9.81, 0.0..;
        /// Height of the hip joints of the adult in metres: 53 % of 1.75 m (Drillis and Contini 1966).
        adult_hip_height: f32 = 0.9275, 0.0..;
        /// Standing height of the adult in metres, by which cadence is published.
        adult_stature: f32 = 1.75, 0.0..;
        /// Speed of the clip `walk` in m/s.
        walk_speed: f32 = 1.3, 0.8..=1.8;
        /// Speed of the clip `run` in m/s.
        run_speed: f32 = 3.6, 2.5..=6.0;
        /// The joint courses of a walking leg.
        walk_curves: GaitCurves = GaitCurves::walking();
        /// The joint courses of a running leg.
        run_curves: GaitCurves = GaitCurves::running();
        /// Least flexion of a knee in degrees: a straighter one would snap.
        least_knee: f32 = 7.9, 0.0..=15.0;
        /// Degrees over which a knee nears its least flexion. 0 makes an edge.
        knee_blend: f32 = 4.4, 1.0..=10.0;
        /// Largest extension of a leg, where 1 is straight, of those who walk ahead. The default leaves the knee bent
        /// by 5.6°, about as much as the knees of walkers are when they are straightest.
        striding_extension: f32 = 0.9988, 0.98..=0.999;
        /// The same for all others, by default a bend of 12°: a knee that moves quickly would snap if it were
        /// straighter.
        max_extension: f32 = 0.9945, 0.98..=0.999;
        /// The same for somebody who stands.
        stand_extension: f32 = 0.9925, 0.0..;
        /// How much more a walker rises and falls than the two harmonics of the height that the knees ask for: where
        /// the body is then too high for its legs it sinks, which flattens the vault again.
        vault: f32 = 1.33, 1.0..=1.5;
        /// By how much of a cycle sooner: sinking comes after the top.
        vault_lead: f32 = 0.0086, 0.0..;
        /// Frames by which a body sinks ahead of the moment it has to. Few jerk.
        sink_frames: usize = 7, 2..=15;
        /// Farthest that a runner's body travels over a foot, in metres.
        longest_contact: f32 = 0.88, 0.7..=1.0;
        /// Outward turn of the feet that walk, in radians: about 7° (Murray 1964).
        toe_out: f32 = 0.12;
        /// Outward turn of the feet that stand.
        stand_toe_out: f32 = 0.16;
        /// What feet can do.
        foot: SynthFootSettings = SynthFootSettings::default() => check;
        /// How much of the bend between pelvis and chest each joint of the spine takes, from below.
        spine_shares: [f32; 3] = [0.4, 0.35, 0.25], 0.0..;
        /// How much of the bend between chest and head the neck takes.
        neck_share: f32 = 0.5, 0.0..=1.0;
        /// Bend of relaxed fingers in radians.
        finger_curl: f32 = 0.35, 0.0..;
        /// How much the swivel of a leg cares for the hip, against 1 for the ankle: a little lets the hip turn with the
        /// foot rather than the ankle against it.
        hip_weight: f32 = 0.2, 0.0..=1.0;
        /// Seconds of one breath at rest: 12 a minute.
        breath: f32 = 5.0, 0.0..;
        /// When somebody who stretches starts and ends to rise, in seconds.
        stretch_up: [f32; 2] = [0.5, 1.9], 0.0..;
        /// When they start and end to come down.
        stretch_down: [f32; 2] = [3.1, 4.6], 0.0..;
        /// Farthest turn in place with one pair of steps, in radians.
        widest_turn: f32 = 1.1, 0.5..=1.5;
        /// Seconds of a pair of steps while turning in place.
        turn_pair: f32 = 0.95, 0.7..=1.3;
        /// Seconds before the first step of a turn.
        turn_lead_in: f32 = 0.40, 0.0..;
        /// Seconds after the last one.
        turn_lead_out: f32 = 0.45, 0.0..;
    }

    /// Limits and timing of synthesised feet, in radians unless said otherwise.
    pub struct SynthFootSettings: Copy {
        /// Where an ankle begins to resist bending up and where it stops: a little inside its range of motion.
        dorsiflexion: [f32; 2] = [0.27, 0.325], 0.0..;
        /// The same for bending down.
        plantar_flexion: [f32; 2] = [0.70, 0.86], 0.0..;
        /// Part of a swing in which the toes straighten.
        toes_relax: f32 = 0.45, 0.2..=0.8;
        /// How far toes bend down at most; negative.
        least_toes: f32 = -0.35;
        /// A heel this high is off the ground, as a fraction of the leg's length.
        heel_up: f32 = 5e-4, 0.0..;
    }
}

/// The published course of a leg's joints over a gait cycle of healthy adults: twenty samples from foot strike to foot strike,
/// in degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct GaitCurves {
    /// The phase at which the foot leaves the ground in the tables.
    pub toe_off: f32,
    /// The thigh against the vertical, forward positive.
    pub thigh: [f32; 20],
    /// The angle of the thigh about which its excursion grows with speed.
    pub thigh_mean: f32,
    /// Knee flexion.
    pub knee: [f32; 20],
    /// Ankle dorsiflexion.
    pub ankle: [f32; 20],
}

impl GaitCurves {
    /// Walking at 1.3 m/s, drawn after the means of D. A. Winter, "The Biomechanics and Motor Control of Human Gait" (1991), and
    /// J. Perry and J. Burnfield, "Gait Analysis" (2010).
    pub fn walking() -> Self {
        Self {
            toe_off: 0.595,
            thigh: [
                24.0, 22.5, 20.0, 16.5, 12.0, 7.0, 1.5, -4.0, -9.5, -14.5, -18.0, -18.0, -12.0,
                -2.0, 8.0, 17.0, 23.5, 27.0, 28.0, 27.0,
            ],
            thigh_mean: 5.4,
            knee: [
                5.0, 11.0, 16.0, 18.0, 16.0, 12.5, 9.0, 6.5, 5.0, 6.0, 10.0, 20.0, 35.0, 50.0,
                59.0, 60.0, 52.0, 38.0, 20.0, 7.0,
            ],
            ankle: [
                1.0, -4.0, -4.0, 0.0, 3.5, 6.0, 8.0, 9.5, 10.5, 10.5, 7.0, -2.0, -13.0, -17.0,
                -10.0, -2.0, 2.0, 3.0, 3.0, 2.0,
            ],
        }
    }

    /// Running at 3 m/s, drawn after the means of T. F. Novacheck, "The biomechanics of running", Gait & Posture 7 (1998).
    pub fn running() -> Self {
        Self {
            toe_off: 0.40,
            thigh: [
                26.0, 22.0, 18.0, 12.0, 5.0, -4.0, -13.0, -20.0, -23.0, -21.0, -14.0, -4.0, 8.0,
                19.0, 28.0, 35.0, 38.0, 38.0, 35.5, 31.0,
            ],
            thigh_mean: 7.0,
            knee: [
                19.0, 28.0, 38.0, 43.0, 42.0, 36.0, 27.0, 19.0, 18.0, 28.0, 45.0, 62.0, 77.0, 86.0,
                89.0, 86.0, 76.0, 59.0, 40.0, 25.0,
            ],
            ankle: [
                4.0, 8.0, 14.0, 18.0, 18.0, 14.0, 5.0, -8.0, -20.0, -22.0, -15.0, -8.0, -4.0, 0.0,
                4.0, 7.0, 9.0, 10.0, 8.0, 5.0,
            ],
        }
    }
}

impl SynthSettings {
    /// One cycle of a steady gait; see [`locomotion`](super::locomotion).
    pub fn locomotion(
        &self,
        character: &Character,
        gait: &GaitRequest,
    ) -> Result<SynthClip, SynthError> {
        super::steady(character, gait, self)
    }

    /// One built-in clip; see [`clip`](super::clip()).
    pub fn clip(&self, character: &Character, name: &str) -> Result<SynthClip, SynthError> {
        super::repertoire::named(character, name, self)
    }
}
