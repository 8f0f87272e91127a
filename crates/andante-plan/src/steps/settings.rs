//! How characters step: everything that shapes a planned motion and is not a question of one journey.

/// Settings of a [`StepPlanner`](super::StepPlanner), or of whatever a [`StepMethod`](super::StepMethod) plans with.
///
/// The defaults were tuned on the built-in repertoire and on captured walks. Lengths and speeds are those of an adult
/// unless they are given in leg lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepSettings {
    /// When what happens.
    pub timeline: TimelineSettings,
    /// Speed along a way.
    pub pace: PaceSettings,
    /// Strides over edges.
    pub strides: StrideSettings,
    /// How clips are mixed.
    pub mix: MixSettings,
    /// Where footprints come to lie.
    pub footprints: FootprintSettings,
    /// Other ways from the middle of a motion on.
    pub repair: RepairSettings,
    /// Gaits that leave the ground.
    pub aerial: AerialSettings,
}

/// Settings of the timeline: what happens when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineSettings {
    /// The longest motion, in seconds; longer ones are refused.
    pub longest: f32,
    /// Seconds of standing before setting off (0…1).
    pub hold_before: f32,
    /// Seconds of standing after arriving (0…1).
    pub hold_after: f32,
    /// Cycles over which standing goes over into walking (0.3…1). Less looks like a start from the blocks.
    pub setting_off: f32,
    /// Cycles over which walking goes over into standing (0.3…1).
    pub settling: f32,
    /// How long before toe off somebody who stands begins to step, as a phase (0…0.15).
    pub lead: f32,
    /// Cycles from the last strike to the end of the way (−0.1…0.1): below 0 the foot comes down just as the body
    /// comes to rest, so that the step before it is no longer than the others.
    pub rest_after: f32,
    /// The most a step on the spot turns, in radians (0.5…1.2).
    pub step_turn: f32,
    /// How many times as fast as natural somebody may step to come out right (1…1.3).
    pub haste: f32,
    /// At edges and under what hangs low nobody goes faster than this part of the usual walk (0.5…1).
    pub careful_pace: f32,
    /// Seconds at either end of a jump's clip in which a gait's course goes over into that of the clip (0…0.3): the
    /// first and last frames of a recording are often shaken.
    pub shaken: f32,
    /// Seconds in which the difference to a motion that this one takes over from, or goes over into, dies away (0.1…1).
    pub take_over: f32,
    /// Ways shorter than this are gone without turning towards them, in metres (0…1.5).
    pub sidle: f32,
    /// Turns up to this are taken in by the first steps, in radians (0…1.5); larger ones are made on the spot first.
    pub turn_at_start: f32,
    /// Turns up to this are taken in by the last steps, in radians (0…1.5); larger ones are made on the spot.
    pub turn_at_goal: f32,
    /// Straight way before and after a jump, in metres (0.3…2).
    pub run_in: f32,
    /// How far a clip can be stretched over a gap (1…1.3), as a factor of its reach. More looks like flying.
    pub stretch: f32,
    /// On given footprints: seconds after the last foot has come down at which the body rests (0…0.5).
    pub settle_on_prints: f32,
    /// On given footprints: the fastest turn above a foot, in rad/s (1…4).
    pub turn_rate_on_prints: f32,
}

impl Default for TimelineSettings {
    fn default() -> Self {
        Self {
            longest: 1800.0,
            hold_before: 0.2,
            hold_after: 0.5,
            setting_off: 0.5,
            settling: 0.38,
            lead: 0.06,
            rest_after: -0.04,
            step_turn: 0.95,
            haste: 1.12,
            careful_pace: 0.9,
            shaken: 0.12,
            take_over: 0.4,
            sidle: 0.9,
            turn_at_start: 0.8,
            turn_at_goal: 0.9,
            run_in: 0.7,
            stretch: 1.1,
            settle_on_prints: 0.25,
            turn_rate_on_prints: 2.0,
        }
    }
}

/// Settings of the speed along a way, beyond what [`StepOptions`](super::StepOptions) ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaceSettings {
    /// The most anybody accelerates or brakes for a jump, in m/s² (3…6). Run-ups that need more are refused.
    pub hardest: f32,
    /// Turning faster than this looks like spinning, in rad/s (0.8…2). Bends are taken slower for it.
    pub turn_rate: f32,
    /// How many times harder than is comfortable a bend beside a jump may be (1…6).
    pub sharpest: f32,
    /// No bend makes it slower than this, in m/s (0.2…0.6).
    pub slowest: f32,
    /// Seconds over which changes of acceleration are spread (0…0.5). At 0 speed changes with a jerk.
    pub spread: f32,
}

impl Default for PaceSettings {
    fn default() -> Self {
        Self { hardest: 4.5, turn_rate: 1.3, sharpest: 4.0, slowest: 0.35, spread: 0.25 }
    }
}

/// Settings of strides that fit ground with edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrideSettings {
    /// Distance between the places that are tried, in metres (0.01…0.05). Finer takes longer, by its square.
    pub spacing: f32,
    /// Shortest step, in metres (0.05…0.3).
    pub shortest: f32,
    /// Longest step, in leg lengths, unless speed makes longer ones (0.7…1.1).
    pub longest: f32,
    /// Steps up or down that are felt, in leg lengths (0.1…0.4); twice as much is avoided wherever it can be.
    pub high: f32,
    /// Cycles from the strike of a foot until the body is above it (0.2…0.4).
    pub middle: f32,
    /// How fast feet are put where there are edges, as a part of how fast elsewhere (0.5…1).
    pub careful: f32,
}

impl Default for StrideSettings {
    fn default() -> Self {
        Self { spacing: 0.02, shortest: 0.1, longest: 0.95, high: 0.23, middle: 0.3, careful: 0.85 }
    }
}

/// Settings of how clips are mixed and what their feet do then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixSettings {
    /// Seconds of the cross-fade between walking and running (0.1…0.6).
    pub fade: f32,
    /// Frames to either side over which weights are spread, twice (0…10). At 0 a change of clips is felt.
    pub spread: usize,
    /// Phases around its strike in which a foot comes down (0.05…0.25).
    pub strike: f32,
    /// Where clips disagree, heel or ball that is higher than the other by more than this part of the distance
    /// between them is not down, whatever most of them say (0.05…0.3): it would be held down first and would have
    /// to catch up afterwards.
    pub risen: f32,
    /// Clips with less weight do not count as part of a motion (0…0.5).
    pub heard: f32,
    /// Jumps that begin or end slower than this, in m/s, begin or end standing (0.2…0.6).
    pub still: f32,
    /// How many times as sharply as the sharpest clip a mix may turn (1…1.5). Mixes far outside the clips sway.
    pub sharper: f32,
    /// How far the tempo may leave that of the clips, as a part of it (0…0.4).
    pub tempo: f32,
    /// How far somebody who stands stretches the legs, if no clip says so (0.95…1): not quite straight.
    pub extension: f32,
    /// How far curvature looks ahead and back, in frames, and is smoothed (4…30).
    pub look: usize,
}

impl Default for MixSettings {
    fn default() -> Self {
        Self {
            fade: 0.3,
            spread: 4,
            strike: 0.15,
            risen: 0.1,
            heard: 0.2,
            still: 0.4,
            sharper: 1.15,
            tempo: 0.2,
            extension: 0.985,
            look: 12,
        }
    }
}

/// Settings of where footprints come to lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootprintSettings {
    /// Contacts this many frames apart are one (0…6).
    pub join: usize,
    /// Contacts of fewer frames are none (1…6).
    pub shortest: usize,
    /// How far the middles of two feet are apart at least, across the way they point, in metres (0…0.1).
    pub apart: f32,
    /// Steps at least this long, in metres, must not cross (0.1…0.4).
    pub striding: f32,
    /// How far above the last footprint the next is looked for, in metres (0.5…2).
    pub look_up: f32,
    /// How far below the last footprint the next is looked for, in metres (1…10).
    pub look_down: f32,
    /// Heel and ball farther apart in height than this, in metres, stand on an edge (0.05…0.15).
    pub edge: f32,
    /// Footprints closer than this do not tell a direction, in metres (0.1…0.4).
    pub close: f32,
    /// Seconds over which a change comes to an end at either end of a motion (0.1…1).
    pub ending: f32,
}

impl Default for FootprintSettings {
    fn default() -> Self {
        Self {
            join: 3,
            shortest: 3,
            apart: 0.05,
            striding: 0.25,
            look_up: 1.0,
            look_down: 4.0,
            edge: 0.09,
            close: 0.25,
            ending: 0.35,
        }
    }
}

/// Settings of repairs: other ways from the middle of a motion on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairSettings {
    /// New ways that lead back by more than this, in radians, are begun after a stop (1…2.5).
    pub about: f32,
    /// Seconds of standing before a new way is begun (0…0.5).
    pub pause: f32,
    /// Frames after which a foot that has just come down is certainly down (1…8).
    pub down: usize,
    /// How a new way comes back to the old motion.
    pub meeting: MeetingSettings,
}

impl Default for RepairSettings {
    fn default() -> Self {
        Self { about: 1.9, pause: 0.1, down: 4, meeting: MeetingSettings::default() }
    }
}

/// Settings of meetings: where a new way comes back to the old motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeetingSettings {
    /// Frames from the next landing after a meeting to where the old motion is taken up again (6…20).
    pub into_stance: usize,
    /// Frames that are looked at beyond that (30…90): what is mixed and smoothed there must not feel the end.
    pub beyond: usize,
    /// Frames from the meeting to the next landing at least (8…20), so that it comes when it did.
    pub settled: usize,
    /// How far beside the old way the new one may be where they meet, in metres (0.05…0.3).
    pub near: f32,
    /// The least cosine of the angle between the ways where they meet (0.8…1).
    pub along: f32,
    /// Length over which the new way goes over into the old one, in metres (0.5…3).
    pub merge: f32,
    /// How far the ways are apart where that begins, at most, in metres (0.2…1).
    pub apart: f32,
    /// Cycles of the gait there must be before a meeting, so that it can be met on the right foot (2…8).
    pub cycles: f32,
    /// How far from anything low the meeting is, in metres (0.5…2).
    pub free: f32,
}

impl Default for MeetingSettings {
    fn default() -> Self {
        Self {
            into_stance: 12,
            beyond: 45,
            settled: 14,
            near: 0.12,
            along: 0.95,
            merge: 1.4,
            apart: 0.45,
            cycles: 4.0,
            free: 1.0,
        }
    }
}

/// Settings of an [`AerialPlanner`](super::AerialPlanner).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AerialSettings {
    /// The longest motion, in seconds; longer ones are refused.
    pub longest: f32,
    /// Seconds from standing to the whole gait, and back (0.5…3). Less looks thrown.
    pub ramp: f32,
    /// The least share of the gait with which it turns on the spot or creeps to its goal (0.2…0.6).
    pub least: f32,
    /// The most it turns in one flight, in radians (0.1…0.6).
    pub most_turn: f32,
    /// The most it is moved in one flight beside what the gait does, in metres (0.05…0.3).
    pub most_shift: f32,
    /// How fast flights of hops on the spot pass (0.3…1): they rise higher for how far they lead than the gait does.
    pub floating: f32,
    /// Bends sharper than this are taken slowly, in radians (0.3…1).
    pub slow_bend: f32,
    /// Bends sharper than this are taken on the spot, in radians (0.6…2).
    pub spot_bend: f32,
    /// How far ahead it looks, in strides (0.5…2).
    pub look: f32,
    /// At the end of its way it turns to the goal if it is off by more than this, in radians (0.2…1).
    pub off_turn: f32,
    /// At the end of its way it comes nearer if it is farther off than this, in metres (0.2…1).
    pub off_way: f32,
    /// Half the length of way over which its direction is taken, in metres (0.05…0.3).
    pub tangent: f32,
    /// Seconds it stands at the end (0…1).
    pub stand: f32,
    /// Flights over which what is still missing at the goal is spread (4…20).
    pub last: usize,
    /// Ends this near to the goal are there, in metres.
    pub near: f32,
    /// Ends turned this little from the goal are there, in radians.
    pub near_turn: f32,
    /// How often the end is aimed anew (1…20).
    pub rounds: usize,
    /// How much of what is missing it is aimed farther at a time (0.2…1).
    pub gain: f32,
    /// Flights of fewer frames are left as they are (2…8): whatever changed in them would jerk.
    pub shortest: usize,
    /// Frames over which the body rises or sinks to where the ground is a little higher or lower (4…16).
    pub lifting: f32,
    /// From how far above ground is looked for, in metres (1…5).
    pub look_up: f32,
    /// Frames on either side over which speed and curvature are smoothed (5…30).
    pub smooth: usize,
}

impl Default for AerialSettings {
    fn default() -> Self {
        Self {
            longest: 600.0,
            ramp: 1.2,
            least: 0.35,
            most_turn: 0.35,
            most_shift: 0.15,
            floating: 0.5,
            slow_bend: 0.6,
            spot_bend: 1.2,
            look: 1.2,
            off_turn: 0.6,
            off_way: 0.5,
            tangent: 0.1,
            stand: 0.4,
            last: 12,
            near: 3e-4,
            near_turn: 1e-3,
            rounds: 10,
            gain: 0.4,
            shortest: 4,
            lifting: 8.0,
            look_up: 3.0,
            smooth: 15,
        }
    }
}
