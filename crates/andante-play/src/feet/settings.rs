//! What feet may do: reach, footholds, swings.

andante_skeleton::settings! {
    /// Settings of feet on the ground. Distances are in leg lengths, so that children and giants are treated alike.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct FeetSettings: Copy {
        /// Longest reach of a leg over the length of its bones. At 1 knees lock and snap; lower bends every step. A leg
        /// that the motion itself stretches farther may stay so.
        longest_reach: f32 = 0.995, 0.98..=1.0;
        /// Reach that bodies are planned with (a little below `longest_reach`), so that what comes late has some left.
        planned_reach: f32 = 0.9935, 0.9..=1.0;
        /// How much less than that a leg is stretched which lands a step down: its knee gives way.
        step_down_bend: f32 = 0.035, 0.0..=0.1;
        /// Reach from which on a leg in the air that the motion does not stretch so far is stretched ever less
        /// (0.9…`longest_reach`): its knee would be thrown straight and stop at once.
        soft_reach: f32 = 0.95, 0.5..=1.0;
        /// How far toes bend up at a foot that stands or rolls, in radians.
        toes_bent: f32 = 1.2, 0.5..=1.3;
        /// How fast toes of a foot in the air turn at most, in radians per sixtieth of a second: as fast as those of
        /// the fastest built-in run. What bent them is gone within a frame otherwise.
        toe_speed: f32 = 0.26, 0.1..=0.5;
        /// How fast knees of legs in the air turn at most, in radians per sixtieth of a second.
        knee_speed: f32 = 0.27, 0.1..=0.5;
        /// How fast a knee gives way under a body that has landed on it, in a walk and in a run, in radians per sixtieth of a
        /// second: the body comes down for it to be bent enough. More lets legs land straighter.
        knee_gives: [f32; 2] = [0.115, 0.18], 0.05..=0.5;
        /// How fast a knee in the air straightens before it lands, in a walk and in a run, in radians per sixtieth of a
        /// second, unless it has to be faster to land in time.
        knee_swings: [f32; 2] = [0.145, 0.26], 0.05..=0.5;
        /// How round the turn is where a knee in the air that was held begins to straighten, in frames; 0 is an edge.
        knee_round: f32 = 0.3, 0.0..=3.0;
        /// The least angle between shank and foot, in radians, unless the motion has less: ankles that would be bent
        /// farther let the heel rise.
        ankle_least: f32 = 1.09, 0.8..=1.4;
        /// From so much more on heels begin to rise, in radians; 0 raises them all at once.
        ankle_soft: f32 = 0.1, 0.0..=0.3;
        /// A foot this close to where it stands is down, in metres.
        down: f32 = 1.5e-3, 5e-4..=5e-3;
        /// How far a body comes down for its legs at most; what is farther is out of reach.
        lowest_body: f32 = 0.6, 0.2..=0.8;
        /// Speed in m/s at which a body with legs of 0.85 m comes down for what it did not foresee. Less lets feet lose
        /// the ground for a moment, more is a jolt.
        quickest_drop: f32 = 2.0, 1.0..=4.0;
        /// How fast a foot follows ground that has jumped, per second: at 36 what is left of 0.3 m after a fifth of a second
        /// is under a centimetre. Ground that moves evenly takes it along at once.
        follow: f32 = 36.0, 15.0..=60.0;
        /// A change of the ground below a foot that is none, in leg lengths.
        unmoved: f32 = 5e-4, 0.0..=0.002;
        /// How fast a late change of plan is taken in, per second.
        take_in: f32 = 18.0, 10.0..=30.0;
        /// What legs on the ground may lack before a body comes down for it unforeseen.
        slack_down: f32 = 0.0015, 0.0..=0.005;
        /// What legs in the air may lack, where nobody sees it.
        slack_aloft: f32 = 0.08, 0.0..=0.15;
        /// Seconds from leaving the ground, and to landing, by which a foot is in the air.
        aloft: f32 = 0.08, 0.03..=0.15;
        /// Root mean square distance of feet from their middle from which on they carry a body that leans with the
        /// ground. Those of humans are 0.12 apart; 0 lets everybody lean.
        long_body: f32 = 0.25, 0.15..=0.4;
        /// Seconds between the moments at which it is looked whether legs of 0.85 m reach.
        look_spacing: f32 = 0.03, 0.01..=0.06;
        /// Moments that are looked at again in one go after a change of plan (1…20). More takes it in sooner and makes a
        /// step of time more expensive.
        looks_again: i32 = 8, 1..=1000;
        /// The same in a step of time that has made plans already.
        looks_again_busy: i32 = 3, 1..=1000;
        /// Frames over which a planned foot becomes flat when heel and ball are down.
        flatten_frames: f32 = 5.0, 1.0..=15.0;
        /// Frames around a planned stance in which what holds back a stretched leg in the air fades.
        soft_frames: f32 = 6.0, 1.0..=15.0;
        /// Frames before and after a stretched leg in which a planned body goes down; fewer is a jolt.
        lower_frames: usize = 12, 2..=30;
        /// Frames between the knots of a planned body's offset, coarse first; fewer follow each step more closely.
        offset_frames: [f32; 2] = [48.0, 24.0], 12.0..=96.0;
        /// Where a foot can stand.
        foothold: FootholdSettings = FootholdSettings::default() => check;
        /// How a foot gets over what is in its way.
        swing: SwingSettings = SwingSettings::default() => check;
    }

    /// Settings of footholds: where a foot can stand. Distances are in leg lengths.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct FootholdSettings: Copy {
        /// Unevenness below a sole that is none; below it no other place is looked for.
        even: f32 = 0.006, 0.003..=0.02;
        /// Unevenness that is a stair or an edge: soles do not bridge it.
        broken: f32 = 0.035, 0.02..=0.06;
        /// How far feet go out of their way for a better place; at 0 they take what comes.
        farthest: f32 = 0.2, 0.0..=0.4;
        /// Spacing of the places that are looked at.
        spacing: f32 = 0.0125, 0.005..=0.03;
        /// How far aside lines of places are looked at, besides the one ahead.
        aside: f32 = 0.09, 0.0..=0.15;
        /// Room around a sole that should be even too.
        margin: f32 = 0.045, 0.0..=0.1;
        /// Room around a sole that has to be free (0…`margin`).
        near: f32 = 0.02, 0.0..=0.5;
        /// How high the ground may be below the arch of a foot.
        arch: f32 = 0.012, 0.0..=0.03;
        /// Slope, as a tangent, that soles do not like to lie on.
        steep: f32 = 0.5, 0.3..=0.8;
        /// Slope, as a tangent, that soles cannot lie on.
        steepest: f32 = 1.0, 0.7..=1.5;
        /// Slope, as a tangent, from which on it counts that a sole is shorter seen from above.
        shortens: f32 = 0.1, 0.0..=0.3;
        /// How far before and behind an edge planned feet are put with care.
        care: f32 = 0.53, 0.2..=1.0;
        /// How far beside a planned way the ground is looked at for edges.
        beside: f32 = 0.14, 0.0..=0.3;
        /// How far above and below the way planned ground is looked for.
        look: f32 = 0.8, 0.4..=1.2;
        /// What it costs a planned step when a part of the sole has nothing to stand on, against a stride a tenth longer or
        /// shorter than usual. A sole that lies badly costs up to 25 times that: where something has to hang, it is not the ball.
        hanging: f32 = 4.0, 1.0..=10.0;
        /// What it costs a foot that its heel hangs, where one that is 0.15 ahead of its place or 0.08 beside it
        /// costs 1.
        hanging_heel: f32 = 36.0, 0.0..=1000.0;
        /// What it costs that its ball hangs: treads that are shorter than a sole carry its ball.
        hanging_ball: f32 = 200.0, 0.0..=1000.0;
        /// What it costs that the tip of its toes hangs.
        hanging_tip: f32 = 30.0, 0.0..=1000.0;
        /// What it costs that a side of its ball hangs.
        hanging_side: f32 = 60.0, 0.0..=1000.0;
        /// How far toes bend down, in radians.
        toes_down: f32 = -0.35, -0.6..=0.0;
        /// How far toes bend up, in radians.
        toes_up: f32 = 0.5, 0.0..=0.8;
    }

    /// Settings of swings: how a foot gets from one print to the next over what is in its way. Distances are in leg
    /// lengths.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct SwingSettings: Copy {
        /// Room below a sole that the motion itself has is kept up to this.
        clearance: f32 = 0.025, 0.0..=0.05;
        /// Room above edges that are in the way: more lifts knees higher on stairs.
        spare: f32 = 0.02, 0.0..=0.05;
        /// A rise of the ground from one look to the next, beyond the one before, that is an edge.
        edge: f32 = 0.035, 0.02..=0.06;
        /// What a foot may lack without more time being taken.
        excused: f32 = 6e-3, 0.0..=0.02;
        /// Spacing of the places ahead and behind that are tried at edges.
        shift: f32 = 0.02, 0.01..=0.04;
        /// What a lift costs against being elsewhere; more holds feet back at edges rather than lifting them.
        lifting: f32 = 0.1, 0.0..=0.2;
        /// How fast ankles of legs of 0.85 m rise and fall, in m/s: less takes longer on stairs.
        quickest: [f32; 2] = [1.75, 1.7], 1.0..=4.0;
        /// How hard they are accelerated, in m/s².
        hardest: f32 = 25.0, 10.0..=60.0;
        /// Time that a climb takes over that at the quickest speed: feet start and stop.
        climb: f32 = 2.4, 1.5..=4.0;
        /// How much longer than in the motion a swing may take.
        slowest: f32 = 2.2, 1.0..=3.0;
        /// How much more time is taken at each attempt.
        slow_step: f32 = 1.15, 1.05..=1.4;
        /// The least angle between shank and foot, in radians, unless the motion has less.
        ankle_least: f32 = 1.15, 0.9..=1.4;
        /// Way between the foot in the air and the one that stands.
        apart: f32 = 0.1, 0.05..=0.15;
        /// How hard a foot is led aside for that, in m/s²: more is a jerk, less lets feet that leave close to each other
        /// pass closer.
        hardest_aside: f32 = 12.0, 4.0..=30.0;
        /// Room below a sole that is wanted in the middle of a swing even if the motion has less, in a walk.
        least_walking: f32 = 0.014, 0.0..=0.03;
        /// The same in a step out of standing or into it.
        least_standing: f32 = 0.04, 0.0..=0.08;
        /// How quickly feet may turn at any time, in radians per second: 6 are 5.7° a sixtieth of a second. Less makes
        /// feet land flatter.
        turn_speed: f32 = 0.95 * std::f32::consts::TAU, 3.0..=12.0;
        /// How much quicker they turn, at each attempt, where that is not enough.
        turn_quicker: f32 = 1.05, 1.01..=1.2;
        /// Attempts to turn quicker; 0 lets a turn that does not fit be made in one go.
        turn_attempts: usize = 20, 0..=50;
        /// How much flatter feet land at most where they would have to turn too quickly: 0 lands as in the motion, 1 flat.
        land_flatter: f32 = 0.8, 0.0..=1.0;
        /// How much less heels rise before at most, where landing flatter is not enough.
        leave_flatter: f32 = 0.4, 0.0..=1.0;
        /// A change of the ground that a swing has room for; more shapes it anew.
        unchanged: f32 = 2e-3, 0.0..=0.005;
    }
}
