//! What is allowed.

/// Limits of the verifier. Lengths are for a person of 1.75 m and grow with the body where that is said.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckSettings {
    /// How far from its goal it may end, in metres, and turned by how much, in degrees.
    pub goal: [f32; 2],
    /// The same for who ends moved by forces, and sways.
    pub goal_by_forces: [f32; 2],
    /// Two levels farther apart than this, in metres, are two storeys.
    pub storey_m: f32,
    /// Whether the height of a start that was told is that of the soles, and not of what is below the hips.
    pub start_by_soles: bool,
    /// How far from its start it may begin, in metres, and turned by how much, in degrees.
    pub start: [f32; 2],
    /// Where a platform that moves may be beside where it was asked to be, in metres, and turned by how much, in degrees.
    pub platform: [f32; 2],
    /// How much earlier or later than it is due something may be begun, or ended that lasts so long, in seconds.
    pub cue_s: f32,
    /// How much farther apart two may be who are said to be near each other, in metres, and how much later something may be told
    /// that happens with something else, in seconds.
    pub occasion: [f32; 2],
    /// How far from the places of a path or of a patrol it may pass, in metres; at the last one of a path, and where it is to face
    /// somewhere, it has to be.
    pub path_m: f32,
    /// How far from where it was told to leave the ground and to come down it may do so, by its hips, in metres.
    pub leap_m: f32,
    /// How far who stands may stray, in metres, after so many seconds in which who was moving comes to a stand.
    pub stand: [f32; 2],
    /// Who is slower than this stands, in m/s.
    pub standing_mps: f32,
    /// How much farther behind than it was told who follows may be, in metres, at the nearest of so many last seconds; and half as much again for each
    /// other who follows the same.
    pub follow: [f32; 2],
    /// How far a foot may be beside a footprint it was told to step on, in metres, and turned by how much, in degrees.
    pub footprint: [f32; 2],
    /// Hips below the first part of their height at rest lie, and above the second stand.
    pub lies_and_stands: [f32; 2],
    /// Ground that is steeper than this, in degrees, cannot be stood on.
    pub slope_deg: f32,
    /// How far a sole that is down may be from the ground, in metres; grows with the body.
    pub contact_gap_m: f32,
    /// How deep a foot may be in the ground, in metres; grows with the body.
    pub foot_depth_m: f32,
    /// How far a sole that is down may slide, in metres; grows with the body.
    pub slide_m: f32,
    /// How deep a part of the body may be in something, in metres; grows with the body.
    pub world_depth_m: f32,
    /// The same while forces move it: contacts give way.
    pub world_depth_by_forces_m: f32,
    /// How deep two bodies may be in each other, in metres; grows with the body.
    pub other_depth_m: f32,
    /// How deep a part may be in another part of the same body beyond what it is at rest, in metres; grows with the body.
    pub self_depth_m: f32,
    /// Longest time off the ground, in seconds.
    pub flight_s: f32,
    /// For how long, in seconds, a body that forces move has to fall freely for it to be told how it falls, and by how much of
    /// gravity that may differ from it: where its mass is exactly is not known.
    pub body_fall: [f32; 2],
    /// By how much it may always differ, in m/s²: limbs move the middle of a body where gravity is low, too.
    pub fall_least: f32,
    /// The same as of bodies for things.
    pub thing_fall: [f32; 2],
    /// Nothing is freely falling that is as near to anything as this, in metres.
    pub fall_room_m: f32,
    /// A body that falls faster than this, in m/s, may be held up by the limit of its speed.
    pub fall_mps: f32,
    /// Least and greatest height of the hips above what bears the body, as parts of their height at rest.
    pub hips_height: [f32; 2],
    /// Fastest a joint moves, in m/s; grows with the body.
    pub joint_speed_mps: f32,
    /// How far beyond its limit a joint may bend, in degrees. Ankles of people are judged by
    /// [`NaturalBounds::shank_foot_deg`] instead: under load they bend farther than tables of joints say.
    pub joint_limit_deg: f32,
    /// For so long after forces have let go of a body, in seconds, its rates are those of the change-over and not judged, and joints that
    /// forces have bent too far only have to come back.
    pub change_over_s: f32,
    /// Clips that people bring along may be unnatural themselves: what is made of one may be so by this many times as much.
    pub of_clip: f32,
    /// What people do, by kind of motion.
    pub natural: NaturalSettings,
}

impl CheckSettings {
    /// The same with limits of what is natural so much closer that what a clip does is told before it is unnatural: the figures by
    /// which what is made of it is judged ([`Verdict::allowed`](crate::Verdict::allowed)).
    pub fn of_raw_clip(&self) -> Self {
        let closer = |limit: f32| limit / self.of_clip;
        let natural =
            NaturalSettings { margin: closer(self.natural.margin), ..self.natural.clone() };
        Self {
            self_depth_m: closer(self.self_depth_m),
            joint_limit_deg: closer(self.joint_limit_deg),
            natural,
            ..self.clone()
        }
    }
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            goal: [0.01, 1.0],
            goal_by_forces: [0.1, 10.0],
            storey_m: 0.1,
            start_by_soles: true,
            start: [0.01, 1.0],
            platform: [0.01, 0.5],
            cue_s: 0.1,
            occasion: [0.4, 0.2],
            path_m: 0.35,
            leap_m: 0.7,
            stand: [0.15, 2.0],
            standing_mps: 0.3,
            follow: [1.0, 5.0],
            footprint: [0.03, 5.0],
            lies_and_stands: [0.6, 0.6],
            slope_deg: 45.0,
            contact_gap_m: 0.035,
            foot_depth_m: 0.02,
            slide_m: 0.03,
            world_depth_m: 0.015,
            world_depth_by_forces_m: 0.08,
            other_depth_m: 0.04,
            self_depth_m: 0.03,
            flight_s: 1.2,
            body_fall: [0.2, 0.3],
            fall_least: 0.6,
            thing_fall: [0.1, 0.05],
            fall_room_m: 0.05,
            fall_mps: 10.0,
            hips_height: [0.25, 1.3],
            joint_speed_mps: 20.0,
            joint_limit_deg: 10.0,
            change_over_s: 0.5,
            of_clip: 1.15,
            natural: NaturalSettings::default(),
        }
    }
}

/// Limits of natural motion between contacts, by kind of motion, as captured people keep them, and how far beyond them a
/// motion may go.
#[derive(Clone, Debug, PartialEq)]
pub struct NaturalSettings {
    /// Greatest values are multiplied with it, least values divided by it.
    pub margin: f32,
    /// Seconds before and after a moment in which a kind of motion counts for it.
    pub around_s: f32,
    /// Who is faster than this runs, in m/s.
    pub run_mps: f32,
    /// Who is off the ground for longer than this jumps, in seconds.
    pub jump_s: f32,
    /// Ground that is steeper than this is a slope, in degrees.
    pub slope_deg: f32,
    /// Feet that stand farther above one another than this go on steps, in metres.
    pub step_m: f32,
    /// On level ground.
    pub walk: NaturalBounds,
    /// At a run.
    pub run: NaturalBounds,
    /// Over stairs and ledges.
    pub steps: NaturalBounds,
    /// Up and down ramps.
    pub slope: NaturalBounds,
    /// In long jumps.
    pub jump: NaturalBounds,
}

/// Extremes of one kind of motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NaturalBounds {
    /// Fastest bend of a knee, in °/s.
    pub knee_speed_dps: f32,
    /// Fastest fall of an ankle, in m/s.
    pub ankle_fall_mps: f32,
    /// Fastest rise of an ankle, in m/s.
    pub ankle_rise_mps: f32,
    /// Least angle between shank and foot, in degrees.
    pub shank_foot_deg: f32,
    /// Greatest change of a joint's rate of turn, in degrees per 1/60 s.
    pub body_pop_deg: f32,
    /// Hardest acceleration of the hips, in m/s².
    pub hips_accel: f32,
    /// Least distance between the bones of the legs, in metres.
    pub legs_apart_m: f32,
}

impl NaturalBounds {
    /// What either of two allows.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            knee_speed_dps: self.knee_speed_dps.max(other.knee_speed_dps),
            ankle_fall_mps: self.ankle_fall_mps.max(other.ankle_fall_mps),
            ankle_rise_mps: self.ankle_rise_mps.max(other.ankle_rise_mps),
            shank_foot_deg: self.shank_foot_deg.min(other.shank_foot_deg),
            body_pop_deg: self.body_pop_deg.max(other.body_pop_deg),
            hips_accel: self.hips_accel.max(other.hips_accel),
            legs_apart_m: self.legs_apart_m.min(other.legs_apart_m),
        }
    }
}

impl Default for NaturalSettings {
    /// Captured people of the Carnegie Mellon database.
    fn default() -> Self {
        let of = |numbers: [f32; 7]| {
            let [knee_speed_dps, ankle_fall_mps, ankle_rise_mps, shank_foot_deg, ..] = numbers;
            let [.., body_pop_deg, hips_accel, legs_apart_m] = numbers;
            NaturalBounds {
                knee_speed_dps,
                ankle_fall_mps,
                ankle_rise_mps,
                shank_foot_deg,
                body_pop_deg,
                hips_accel,
                legs_apart_m,
            }
        };
        Self {
            margin: 1.25,
            around_s: 0.6,
            run_mps: 2.0,
            jump_s: 0.3,
            slope_deg: 4.0,
            step_m: 0.05,
            walk: of([490.0, 1.5, 1.6, 75.0, 14.0, 26.0, 0.070]),
            run: of([840.0, 2.9, 4.3, 75.0, 20.0, 26.0, 0.090]),
            steps: of([510.0, 1.9, 2.9, 60.0, 14.0, 26.0, 0.070]),
            slope: of([800.0, 1.7, 3.4, 60.0, 17.0, 26.0, 0.090]),
            jump: of([840.0, 2.9, 4.3, 57.0, 26.0, 33.0, 0.090]),
        }
    }
}
