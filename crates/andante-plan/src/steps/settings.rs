//! How characters step: everything that shapes a planned motion and is not a question of one journey.

andante_skeleton::settings! {
    /// Settings of a [`StepPlanner`](super::StepPlanner), or of whatever a [`StepMethod`](super::StepMethod) plans
    /// with.
    ///
    /// The defaults were tuned on the built-in repertoire and on captured walks. Lengths and speeds are those of an adult
    /// unless they are given in leg lengths.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct StepSettings: Copy {
        /// When what happens.
        timeline: TimelineSettings = TimelineSettings::default() => check;
        /// Speed along a way.
        pace: PaceSettings = PaceSettings::default() => check;
        /// Strides over edges.
        strides: StrideSettings = StrideSettings::default() => check;
        /// How clips are mixed.
        mix: MixSettings = MixSettings::default() => check;
        /// Where footprints come to lie.
        footprints: FootprintSettings = FootprintSettings::default() => check;
        /// Other ways from the middle of a motion on.
        repair: RepairSettings = RepairSettings::default() => check;
        /// Gaits that leave the ground.
        aerial: AerialSettings = AerialSettings::default() => check;
    }

    /// Settings of the timeline: what happens when.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct TimelineSettings: Copy {
        /// The longest motion, in seconds; longer ones are refused.
        longest: f32 = 1800.0, 0.0..=1000000.0;
        /// Seconds of standing before setting off.
        hold_before: f32 = 0.2, 0.0..=60.0;
        /// Seconds of standing after arriving.
        hold_after: f32 = 0.5, 0.0..=60.0;
        /// Cycles over which standing goes over into walking. Less looks like a start from the blocks.
        setting_off: f32 = 0.5, 0.3..=1.0;
        /// Cycles over which walking goes over into standing.
        settling: f32 = 0.38, 0.3..=1.0;
        /// How long before toe off somebody who stands begins to step, as a phase.
        lead: f32 = 0.06, 0.0..=0.15;
        /// Cycles from the last strike to the end of the way: below 0 the foot comes down just as the body comes to
        /// rest, so that the step before it is no longer than the others.
        rest_after: f32 = -0.04, -0.1..=0.1;
        /// The most a step on the spot turns, in radians.
        step_turn: f32 = 0.95, 0.5..=1.2;
        /// The same at a corner of a way, where somebody turns round and goes on.
        corner_step_turn: f32 = 1.2, 0.5..=1.6;
        /// How many times as fast as natural somebody steps who turns round there. Less stands at corners, more spins.
        corner_haste: f32 = 2.2, 1.0..=2.5;
        /// How many times as fast as natural somebody may step to come out right.
        haste: f32 = 1.12, 1.0..=1.3;
        /// At edges and under what hangs low nobody goes faster than this part of the usual walk.
        careful_pace: f32 = 0.9, 0.5..=1.0;
        /// Seconds at either end of a jump's clip in which a gait's course goes over into that of the clip: the first
        /// and last frames of a recording are often shaken.
        shaken: f32 = 0.12, 0.0..=0.3;
        /// Seconds in which the difference to a motion that this one takes over from, or goes over into, dies away.
        take_over: f32 = 0.4, 0.1..=1.0;
        /// Ways shorter than this are gone without turning towards them, in metres.
        sidle: f32 = 0.9, 0.0..=1.5;
        /// Turns up to this are taken in by the first steps, in radians; larger ones are made on the spot first.
        turn_at_start: f32 = 0.8, 0.0..=1.5;
        /// Turns up to this are taken in by the last steps, in radians; larger ones are made on the spot.
        turn_at_goal: f32 = 0.9, 0.0..=1.5;
        /// Straight way before and after a jump, in metres.
        run_in: f32 = 0.7, 0.3..=2.0;
        /// How far a clip can be stretched over a gap, as a factor of its reach. More looks like flying.
        stretch: f32 = 1.1, 1.0..=1.3;
        /// On given footprints: seconds after the last foot has come down at which the body rests.
        settle_on_prints: f32 = 0.25, 0.0..=0.5;
        /// On given footprints: the fastest turn above a foot, in rad/s.
        turn_rate_on_prints: f32 = 2.0, 1.0..=4.0;
    }

    /// Settings of the speed along a way, beyond what [`StepOptions`](super::StepOptions) ask for.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct PaceSettings: Copy {
        /// The most anybody accelerates or brakes for a jump, in m/s². Run-ups that need more are refused.
        hardest: f32 = 4.5, 3.0..=6.0;
        /// Turning faster than this looks like spinning, in rad/s. Bends are taken slower for it.
        turn_rate: f32 = 1.3, 0.8..=2.0;
        /// How many times harder than is comfortable a bend beside a jump may be.
        sharpest: f32 = 4.0, 1.0..=6.0;
        /// No bend makes it slower than this, in m/s.
        slowest: f32 = 0.35, 0.2..=0.6;
        /// Slope, as a tangent, from which on it is felt: below it everybody goes as on level ground.
        slope_felt: f32 = 0.12, 0.0..=0.3;
        /// Slope, as a tangent, on which nobody runs any more.
        slope_walked: f32 = 0.16, 0.1..=0.6;
        /// How much longer a way takes for each unit of slope beyond that: people who were captured on uneven ground take
        /// an eighth longer at 12°, a quarter at 17°.
        slope_slows: f32 = 1.4, 0.0..=5.0;
        /// How far ahead and back slopes slow a walk, in leg lengths.
        slope_near: f32 = 0.9, 0.0..=3.0;
        /// How far ahead and back there has to be even ground for a run, in metres. Less is a change between walking and
        /// running from hill to hill.
        slope_ahead: f32 = 3.0, 0.0..=20.0;
        /// Seconds over which changes of acceleration are spread. At 0 speed changes with a jerk.
        spread: f32 = 0.25, 0.0..=0.5;
    }

    /// Settings of strides that fit ground with edges.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct StrideSettings: Copy {
        /// Distance between the places that are tried, in metres. Finer takes longer, by its square.
        spacing: f32 = 0.02, 0.01..=0.05;
        /// Shortest step, in metres.
        shortest: f32 = 0.1, 0.05..=0.3;
        /// Longest step, in leg lengths, unless speed makes longer ones.
        longest: f32 = 0.95, 0.7..=1.1;
        /// Steps up or down that are felt, in leg lengths; twice as much is avoided wherever it can be.
        high: f32 = 0.23, 0.1..=0.4;
        /// The highest step from one foot to the other, in leg lengths; higher ones are taken only where there is no other.
        highest: f32 = 0.4, 0.1..=1.0;
        /// Cycles from the strike of a foot until the body is above it.
        middle: f32 = 0.3, 0.2..=0.4;
        /// How fast feet are put where there are edges, as a part of how fast elsewhere.
        careful: f32 = 0.85, 0.5..=1.0;
        /// How much longer a foot takes over an edge for each radian that the way turns meanwhile, as a part of the time
        /// the rise itself takes.
        turning: f32 = 1.0, 0.0..=2.0;
    }

    /// Settings of how clips are mixed and what their feet do then.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct MixSettings: Copy {
        /// Seconds of the cross-fade between walking and running.
        fade: f32 = 0.3, 0.1..=0.6;
        /// Frames to either side over which weights are spread, twice. At 0 a change of clips is felt.
        spread: usize = 4, 0..=10;
        /// Phases around its strike in which a foot comes down.
        strike: f32 = 0.15, 0.05..=0.25;
        /// Where clips disagree, heel or ball that is higher than the other by more than this part of the distance
        /// between them is not down, whatever most of them say: it would be held down first and would have to catch up
        /// afterwards.
        risen: f32 = 0.1, 0.05..=0.3;
        /// Clips with less weight do not count as part of a motion.
        heard: f32 = 0.2, 0.0..=0.5;
        /// Jumps that begin or end slower than this, in m/s, begin or end standing.
        still: f32 = 0.4, 0.2..=0.6;
        /// How many times as sharply as the sharpest clip a mix may turn. Mixes far outside the clips sway.
        sharper: f32 = 1.15, 1.0..=1.5;
        /// How far the tempo may leave that of the clips, as a part of it.
        tempo: f32 = 0.2, 0.0..=0.4;
        /// How far somebody who stands stretches the legs, if no clip says so: not quite straight.
        extension: f32 = 0.985, 0.95..=1.0;
        /// How far curvature looks ahead and back, in frames, and is smoothed.
        look: usize = 12, 4..=30;
    }

    /// Settings of where footprints come to lie.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct FootprintSettings: Copy {
        /// Contacts this many frames apart are one.
        join: usize = 3, 0..=6;
        /// Contacts of fewer frames are none.
        shortest: usize = 3, 1..=6;
        /// How far the middles of two feet are apart at least, across the way they point, in metres.
        apart: f32 = 0.05, 0.0..=0.1;
        /// Steps at least this long, in metres, must not cross.
        striding: f32 = 0.25, 0.1..=0.4;
        /// How far above the last footprint the next is looked for, in metres.
        look_up: f32 = 1.0, 0.5..=2.0;
        /// How far below the last footprint the next is looked for, in metres.
        look_down: f32 = 4.0, 1.0..=10.0;
        /// Heel and ball farther apart in height than this, in metres, stand on an edge.
        edge: f32 = 0.09, 0.05..=0.15;
        /// Footprints closer than this do not tell a direction, in metres.
        close: f32 = 0.25, 0.1..=0.4;
        /// Seconds over which a change comes to an end at either end of a motion.
        ending: f32 = 0.35, 0.1..=1.0;
    }

    /// Settings of repairs: other ways from the middle of a motion on.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct RepairSettings: Copy {
        /// New ways that lead back by more than this, in radians, are begun after a stop.
        about: f32 = 1.9, 1.0..=2.5;
        /// Seconds of standing before a new way is begun.
        pause: f32 = 0.1, 0.0..=0.5;
        /// Frames after which a foot that has just come down is certainly down.
        down: usize = 4, 1..=8;
        /// How a new way comes back to the old motion.
        meeting: MeetingSettings = MeetingSettings::default() => check;
    }

    /// Settings of meetings: where a new way comes back to the old motion.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct MeetingSettings: Copy {
        /// Frames from the next landing after a meeting to where the old motion is taken up again.
        into_stance: usize = 12, 6..=20;
        /// Frames that are looked at beyond that: what is mixed and smoothed there must not feel the end.
        beyond: usize = 45, 30..=90;
        /// Frames from the meeting to the next landing at least, so that it comes when it did.
        settled: usize = 14, 8..=20;
        /// How far beside the old way the new one may be where they meet, in metres.
        near: f32 = 0.12, 0.05..=0.3;
        /// The least cosine of the angle between the ways where they meet.
        along: f32 = 0.95, 0.8..=1.0;
        /// Length over which the new way goes over into the old one, in metres.
        merge: f32 = 1.4, 0.5..=3.0;
        /// How far the ways are apart where that begins, at most, in metres.
        apart: f32 = 0.45, 0.2..=1.0;
        /// Cycles of the gait there must be before a meeting, so that it can be met on the right foot.
        cycles: f32 = 4.0, 2.0..=8.0;
        /// How far from anything low the meeting is, in metres.
        free: f32 = 1.0, 0.5..=2.0;
    }

    /// Settings of an [`AerialPlanner`](super::AerialPlanner).
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct AerialSettings: Copy {
        /// The longest motion, in seconds; longer ones are refused.
        longest: f32 = 600.0, 0.0..=1000000.0;
        /// Seconds from standing to the whole gait, and back. Less looks thrown.
        ramp: f32 = 1.2, 0.5..=3.0;
        /// The least share of the gait with which it turns on the spot or creeps to its goal.
        least: f32 = 0.35, 0.2..=0.6;
        /// The most it turns in one flight, in radians.
        most_turn: f32 = 0.35, 0.1..=0.6;
        /// The most it is moved in one flight beside what the gait does, in metres.
        most_shift: f32 = 0.15, 0.05..=0.3;
        /// How fast flights of hops on the spot pass: they rise higher for how far they lead than the gait does.
        floating: f32 = 0.5, 0.3..=1.0;
        /// Bends sharper than this are taken slowly, in radians.
        slow_bend: f32 = 0.6, 0.3..=1.0;
        /// Bends sharper than this are taken on the spot, in radians.
        spot_bend: f32 = 1.2, 0.6..=2.0;
        /// How far ahead it looks, in strides.
        look: f32 = 1.2, 0.5..=2.0;
        /// At the end of its way it turns to the goal if it is off by more than this, in radians.
        off_turn: f32 = 0.6, 0.2..=1.0;
        /// At the end of its way it comes nearer if it is farther off than this, in metres.
        off_way: f32 = 0.5, 0.2..=1.0;
        /// Half the length of way over which its direction is taken, in metres.
        tangent: f32 = 0.1, 0.05..=0.3;
        /// Seconds it stands at the end.
        stand: f32 = 0.4, 0.0..=1.0;
        /// Flights over which what is still missing at the goal is spread.
        last: usize = 12, 4..=20;
        /// Ends this near to the goal are there, in metres.
        near: f32 = 3e-4, 0.0..;
        /// Ends turned this little from the goal are there, in radians.
        near_turn: f32 = 1e-3, 0.0..;
        /// How often the end is aimed anew.
        rounds: usize = 10, 1..=20;
        /// How much of what is missing it is aimed farther at a time.
        gain: f32 = 0.4, 0.2..=1.0;
        /// Flights of fewer frames are left as they are: whatever changed in them would jerk.
        shortest: usize = 4, 2..=8;
        /// Frames over which the body rises or sinks to where the ground is a little higher or lower.
        lifting: f32 = 8.0, 4.0..=16.0;
        /// From how far above ground is looked for, in metres.
        look_up: f32 = 3.0, 1.0..=5.0;
        /// Frames on either side over which speed and curvature are smoothed.
        smooth: usize = 15, 5..=30;
    }
}
