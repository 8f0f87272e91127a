//! What feet may do: reach, footholds, swings.

/// How feet meet the ground. Distances are in leg lengths, so that children and giants are treated alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetSettings {
    /// Longest reach of a leg over the length of its bones (0.98…1). At 1 knees lock and snap; lower bends every
    /// step. A leg that the motion itself stretches farther may stay so.
    pub longest_reach: f32,
    /// Reach that bodies are planned with (a little below `longest_reach`), so that what comes late has some left.
    pub planned_reach: f32,
    /// How much less than that a leg is stretched which lands a step down (0…0.1): its knee gives way.
    pub step_down_bend: f32,
    /// Reach from which on a leg in the air that the motion does not stretch so far is stretched ever less
    /// (0.9…`longest_reach`): its knee would be thrown straight and stop at once.
    pub soft_reach: f32,
    /// How far toes bend up at a foot that stands or rolls, in radians (0.5…1.3).
    pub toes_bent: f32,
    /// How fast toes of a foot in the air turn at most, in radians per sixtieth of a second (0.1…0.5): as fast as those
    /// of the fastest built-in run. What bent them is gone within a frame otherwise.
    pub toe_speed: f32,
    /// How fast knees of legs in the air turn at most, in radians per sixtieth of a second (0.1…0.5).
    pub knee_speed: f32,
    /// A foot this close to where it stands is down, in metres (5e-4…5e-3).
    pub down: f32,
    /// How far a body comes down for its legs at most (0.2…0.8); what is farther is out of reach.
    pub lowest_body: f32,
    /// Speed in m/s at which a body with legs of 0.85 m comes down for what it did not foresee (1…4). Less lets feet
    /// lose the ground for a moment, more is a jolt.
    pub quickest_drop: f32,
    /// How fast a late change of plan is taken in, per second (10…30).
    pub take_in: f32,
    /// What legs on the ground may lack before a body comes down for it unforeseen (0…0.005).
    pub slack_down: f32,
    /// What legs in the air may lack, where nobody sees it (0…0.15).
    pub slack_aloft: f32,
    /// Seconds from leaving the ground, and to landing, by which a foot is in the air (0.03…0.15).
    pub aloft: f32,
    /// Root mean square distance of feet from their middle from which on they carry a body that leans with the ground
    /// (0.15…0.4). Those of humans are 0.12 apart; 0 lets everybody lean.
    pub long_body: f32,
    /// Seconds between the moments at which it is looked whether legs of 0.85 m reach (0.01…0.06).
    pub look_spacing: f32,
    /// Moments that are looked at again in one go after a change of plan (1…20). More takes it in sooner and makes a
    /// step of time more expensive.
    pub looks_again: i32,
    /// The same in a step of time that has made plans already.
    pub looks_again_busy: i32,
    /// Frames over which a planned foot becomes flat when heel and ball are down (1…15).
    pub flatten_frames: f32,
    /// Frames around a planned stance in which what holds back a stretched leg in the air fades (1…15).
    pub soft_frames: f32,
    /// Frames before and after a stretched leg in which a planned body goes down (2…30); fewer is a jolt.
    pub lower_frames: usize,
    /// Frames between the knots of a planned body's offset, coarse first (12…96); fewer follow each step more closely.
    pub offset_frames: [f32; 2],
    /// Where a foot can stand.
    pub foothold: FootholdSettings,
    /// How a foot gets over what is in its way.
    pub swing: SwingSettings,
}

impl Default for FeetSettings {
    fn default() -> Self {
        Self {
            longest_reach: 0.995,
            planned_reach: 0.9935,
            step_down_bend: 0.03,
            soft_reach: 0.95,
            toes_bent: 1.2,
            toe_speed: 0.26,
            knee_speed: 0.27,
            down: 1.5e-3,
            lowest_body: 0.6,
            quickest_drop: 2.0,
            take_in: 18.0,
            slack_down: 0.0015,
            slack_aloft: 0.08,
            aloft: 0.08,
            long_body: 0.25,
            look_spacing: 0.03,
            looks_again: 8,
            looks_again_busy: 3,
            flatten_frames: 5.0,
            soft_frames: 6.0,
            lower_frames: 12,
            offset_frames: [48.0, 24.0],
            foothold: FootholdSettings::default(),
            swing: SwingSettings::default(),
        }
    }
}

/// Where a foot can stand. Distances are in leg lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootholdSettings {
    /// Unevenness below a sole that is none (0.003…0.02); below it no other place is looked for.
    pub even: f32,
    /// Unevenness that is a stair or an edge (0.02…0.06): soles do not bridge it.
    pub broken: f32,
    /// How far feet go out of their way for a better place (0…0.4); at 0 they take what comes.
    pub farthest: f32,
    /// Spacing of the places that are looked at (0.005…0.03).
    pub spacing: f32,
    /// How far aside lines of places are looked at, besides the one ahead (0…0.15).
    pub aside: f32,
    /// Room around a sole that should be even too (0…0.1).
    pub margin: f32,
    /// Room around a sole that has to be free (0…`margin`).
    pub near: f32,
    /// How high the ground may be below the arch of a foot (0…0.03).
    pub arch: f32,
    /// Slope, as a tangent, that soles do not like to lie on (0.3…0.8).
    pub steep: f32,
    /// Slope, as a tangent, that soles cannot lie on (0.7…1.5).
    pub steepest: f32,
    /// Slope, as a tangent, from which on it counts that a sole is shorter seen from above (0…0.3).
    pub shortens: f32,
    /// How far before and behind an edge planned feet are put with care (0.2…1).
    pub care: f32,
    /// How far beside a planned way the ground is looked at for edges (0…0.3).
    pub beside: f32,
    /// How far above and below the way planned ground is looked for (0.4…1.2).
    pub look: f32,
    /// What it costs a planned step when a part of the sole has nothing to stand on (1…10), against a stride a tenth longer
    /// or shorter than usual. A sole that lies as badly as can be costs three times that.
    pub hanging: f32,
    /// How far toes bend down, in radians (−0.6…0).
    pub toes_down: f32,
    /// How far toes bend up, in radians (0…0.8).
    pub toes_up: f32,
}

impl Default for FootholdSettings {
    fn default() -> Self {
        Self {
            even: 0.006,
            broken: 0.035,
            farthest: 0.2,
            spacing: 0.0125,
            aside: 0.09,
            margin: 0.045,
            near: 0.02,
            arch: 0.012,
            steep: 0.5,
            steepest: 1.0,
            shortens: 0.1,
            care: 0.53,
            beside: 0.14,
            look: 0.8,
            hanging: 4.0,
            toes_down: -0.35,
            toes_up: 0.5,
        }
    }
}

/// How a foot gets from one print to the next over what is in its way. Distances are in leg lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingSettings {
    /// Room below a sole that the motion itself has is kept up to this (0…0.05).
    pub clearance: f32,
    /// Room above edges that are in the way (0…0.05): more lifts knees higher on stairs.
    pub spare: f32,
    /// A rise of the ground from one look to the next, beyond the one before, that is an edge (0.02…0.06).
    pub edge: f32,
    /// What a foot may lack without more time being taken (0…0.02).
    pub excused: f32,
    /// Spacing of the places ahead and behind that are tried at edges (0.01…0.04).
    pub shift: f32,
    /// What a lift costs against being elsewhere (0…0.2); more holds feet back at edges rather than lifting them.
    pub lifting: f32,
    /// How fast ankles of legs of 0.85 m rise and fall, in m/s (1.5…3): less takes longer on stairs.
    pub quickest: [f32; 2],
    /// How hard they are accelerated, in m/s² (10…60).
    pub hardest: f32,
    /// Time that a climb takes over that at the quickest speed (1.5…4): feet start and stop.
    pub climb: f32,
    /// How much longer than in the motion a swing may take (1…3).
    pub slowest: f32,
    /// How much more time is taken at each attempt (1.05…1.4).
    pub slow_step: f32,
    /// The least angle between shank and foot, in radians (0.9…1.4), unless the motion has less.
    pub ankle_least: f32,
    /// Way between the foot in the air and the one that stands (0.05…0.15).
    pub apart: f32,
    /// Room below a sole that is wanted in the middle of a swing even if the motion has less, in a walk (0…0.03).
    pub least_walking: f32,
    /// The same in a step out of standing or into it (0…0.08).
    pub least_standing: f32,
    /// How quickly feet may turn at any time, in radians per second (3…12): 6 are 5.7° a sixtieth of a second. Less
    /// makes feet land flatter.
    pub turn_speed: f32,
    /// How much quicker they turn, at each attempt, where that is not enough (1.01…1.2).
    pub turn_quicker: f32,
    /// Attempts to turn quicker (0…50); 0 lets a turn that does not fit be made in one go.
    pub turn_attempts: usize,
    /// A change of the ground that a swing has room for (0…0.005); more shapes it anew.
    pub unchanged: f32,
}

impl Default for SwingSettings {
    fn default() -> Self {
        Self {
            clearance: 0.025,
            spare: 0.02,
            edge: 0.035,
            excused: 6e-3,
            shift: 0.02,
            lifting: 0.1,
            quickest: [1.8, 1.7],
            hardest: 25.0,
            climb: 2.4,
            slowest: 2.2,
            slow_step: 1.15,
            ankle_least: 1.15,
            apart: 0.1,
            least_walking: 0.014,
            least_standing: 0.04,
            turn_speed: 0.95 * std::f32::consts::TAU,
            turn_quicker: 1.05,
            turn_attempts: 20,
            unchanged: 2e-3,
        }
    }
}
