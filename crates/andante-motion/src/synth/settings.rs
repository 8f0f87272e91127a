//! What a synthesised gait is made of: the numbers behind every built-in clip.

use super::{GaitRequest, SynthClip, SynthError};
use andante_skeleton::Character;

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
#[derive(Clone, Debug, PartialEq)]
pub struct SynthSettings {
    /// Frames per second of every clip (24…240). Few make quick feet angular.
    pub fps: f32,
    /// Gravity in m/s². It decides flight, lean in turns and from which speed people run; on the moon all of it is slow.
    pub gravity: f32,
    /// Height of the hip joints of the adult in metres: 53 % of 1.75 m (Drillis and Contini 1966).
    pub adult_hip_height: f32,
    /// Standing height of the adult in metres, by which cadence is published.
    pub adult_stature: f32,
    /// Speed of the clip `walk` in m/s (0.8…1.8).
    pub walk_speed: f32,
    /// Speed of the clip `run` in m/s (2.5…6).
    pub run_speed: f32,
    /// The joint courses of a walking leg.
    pub walk_curves: GaitCurves,
    /// The joint courses of a running leg.
    pub run_curves: GaitCurves,
    /// Least flexion of a knee in degrees (0…15): a straighter one would snap.
    pub least_knee: f32,
    /// Degrees over which a knee nears its least flexion (1…10). 0 makes an edge.
    pub knee_blend: f32,
    /// Largest extension of a leg, where 1 is straight, of those who walk ahead (0.98…0.999). The default leaves the knee
    /// bent by 5.6°, about as much as the knees of walkers are when they are straightest.
    pub striding_extension: f32,
    /// The same for all others (0.98…0.999), by default a bend of 12°: a knee that moves quickly would snap if it were
    /// straighter.
    pub max_extension: f32,
    /// The same for somebody who stands.
    pub stand_extension: f32,
    /// How much more a walker rises and falls than the two harmonics of the height that the knees ask for (1…1.5): where the
    /// body is then too high for its legs it sinks, which flattens the vault again.
    pub vault: f32,
    /// By how much of a cycle sooner: sinking comes after the top.
    pub vault_lead: f32,
    /// Frames by which a body sinks ahead of the moment it has to (2…15). Few jerk.
    pub sink_frames: usize,
    /// Farthest that a runner's body travels over a foot, in metres (0.7…1).
    pub longest_contact: f32,
    /// Outward turn of the feet that walk, in radians: about 7° (Murray 1964).
    pub toe_out: f32,
    /// Outward turn of the feet that stand.
    pub stand_toe_out: f32,
    /// What feet can do.
    pub foot: SynthFootSettings,
    /// How much of the bend between pelvis and chest each joint of the spine takes, from below.
    pub spine_shares: [f32; 3],
    /// How much of the bend between chest and head the neck takes (0…1).
    pub neck_share: f32,
    /// Bend of relaxed fingers in radians.
    pub finger_curl: f32,
    /// How much the swivel of a leg cares for the hip, against 1 for the ankle (0…1): a little lets the hip turn with the foot
    /// rather than the ankle against it.
    pub hip_weight: f32,
    /// Seconds of one breath at rest: 12 a minute.
    pub breath: f32,
    /// When somebody who stretches starts and ends to rise, in seconds.
    pub stretch_up: [f32; 2],
    /// When they start and end to come down.
    pub stretch_down: [f32; 2],
    /// Farthest turn in place with one pair of steps, in radians (0.5…1.5).
    pub widest_turn: f32,
    /// Seconds of a pair of steps while turning in place (0.7…1.3).
    pub turn_pair: f32,
    /// Seconds before the first step of a turn.
    pub turn_lead_in: f32,
    /// Seconds after the last one.
    pub turn_lead_out: f32,
}

/// What feet can do, in radians unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SynthFootSettings {
    /// Where an ankle begins to resist bending up and where it stops: a little inside its range of motion.
    pub dorsiflexion: [f32; 2],
    /// The same for bending down.
    pub plantar_flexion: [f32; 2],
    /// Part of a swing in which the toes straighten (0.2…0.8).
    pub toes_relax: f32,
    /// How far toes bend down at most; negative.
    pub least_toes: f32,
    /// A heel this high is off the ground, as a fraction of the leg's length.
    pub heel_up: f32,
}

impl Default for SynthFootSettings {
    fn default() -> Self {
        Self {
            dorsiflexion: [0.27, 0.325],
            plantar_flexion: [0.70, 0.86],
            toes_relax: 0.45,
            least_toes: -0.35,
            heel_up: 5e-4,
        }
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

impl Default for SynthSettings {
    fn default() -> Self {
        Self {
            fps: 60.0,
            gravity: 9.81,
            adult_hip_height: 0.9275,
            adult_stature: 1.75,
            walk_speed: 1.3,
            run_speed: 3.6,
            walk_curves: GaitCurves::walking(),
            run_curves: GaitCurves::running(),
            least_knee: 7.9,
            knee_blend: 4.4,
            striding_extension: 0.9988,
            max_extension: 0.9945,
            stand_extension: 0.9925,
            vault: 1.33,
            vault_lead: 0.0086,
            sink_frames: 7,
            longest_contact: 0.88,
            toe_out: 0.12,
            stand_toe_out: 0.16,
            foot: SynthFootSettings::default(),
            spine_shares: [0.4, 0.35, 0.25],
            neck_share: 0.5,
            finger_curl: 0.35,
            hip_weight: 0.2,
            breath: 5.0,
            stretch_up: [0.5, 1.9],
            stretch_down: [3.1, 4.6],
            widest_turn: 1.1,
            turn_pair: 0.95,
            turn_lead_in: 0.40,
            turn_lead_out: 0.45,
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
