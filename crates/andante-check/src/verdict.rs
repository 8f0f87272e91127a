//! What the verifier says.

use andante_skeleton::told_apart;
use std::fmt;

/// The severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The take says something that is not so: it is not where it was sent, not on the ground, or inside something.
    Wrong,
    /// It happened as it says, but nobody moves like that.
    Unnatural,
}

/// The kind of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// A number of a pose is not finite.
    NotFinite,
    /// A joint jumps from one frame to the next.
    JointJump,
    /// The ground, an obstacle or a platform is not what was asked for.
    World,
    /// A platform that moves is elsewhere than it was asked to be.
    PlatformPlace,
    /// A platform that moves is turned otherwise than it was asked to be.
    PlatformHeading,
    /// It was told something and never did it.
    CommandLeftOut,
    /// It could not do what it was told.
    CommandFailed,
    /// It does what nobody told it.
    CommandUnasked,
    /// It does what it was told at another time, or for another time.
    CommandTime,
    /// It is elsewhere than it was told.
    CommandPlace,
    /// It faces elsewhere than it was told.
    CommandHeading,
    /// It has not come to the stop it was told.
    CommandSpeed,
    /// It lies where it was told to stand, or stands where it was told to lie.
    CommandPosture,
    /// It is not who was asked for: another name, another height, other bones, not moved by forces, or not there at all.
    Cast,
    /// It begins on another storey than it was asked to.
    StartStorey,
    /// It begins elsewhere than it was asked to.
    StartPlace,
    /// It begins facing elsewhere.
    StartHeading,
    /// It does not end where it was sent, seen from above.
    GoalPlace,
    /// It ends on another storey than it was sent to.
    GoalStorey,
    /// It ends facing elsewhere.
    GoalHeading,
    /// A sole is said to be down where there is nothing below it.
    ContactInAir,
    /// A foot is in the ground.
    FootInGround,
    /// A sole is said to be down on ground nobody can stand on.
    TooSteep,
    /// A sole that is said to be down slides.
    Slide,
    /// A part of the body is inside something of the world.
    ThroughWorld,
    /// A part of the body is inside somebody else.
    ThroughOther,
    /// It is off the ground for longer than anybody can be.
    InNothing,
    /// What nothing holds does not fall as gravity lets it.
    FreeFall,
    /// The hips are higher above the ground, or lower, than its legs allow.
    HipsHeight,
    /// A part of the body is inside another part.
    ThroughSelf,
    /// A joint is bent beyond its limit.
    JointLimit,
    /// A knee bends too fast.
    KneeSpeed,
    /// An ankle falls too fast.
    AnkleFall,
    /// An ankle rises too fast.
    AnkleRise,
    /// A foot is bent up too far against its shank.
    ShankFoot,
    /// A joint of the body changes its rate of turn at a blow.
    BodyPop,
    /// The hips are accelerated too hard.
    HipsAcceleration,
    /// The bones of the legs come too close to each other.
    LegsApart,
}

impl ViolationKind {
    /// Every kind, worst first.
    pub const ALL: [Self; 38] = [
        Self::NotFinite,
        Self::JointJump,
        Self::World,
        Self::PlatformPlace,
        Self::PlatformHeading,
        Self::CommandLeftOut,
        Self::CommandFailed,
        Self::CommandUnasked,
        Self::CommandTime,
        Self::CommandPlace,
        Self::CommandHeading,
        Self::CommandSpeed,
        Self::CommandPosture,
        Self::Cast,
        Self::StartStorey,
        Self::StartPlace,
        Self::StartHeading,
        Self::GoalPlace,
        Self::GoalStorey,
        Self::GoalHeading,
        Self::ContactInAir,
        Self::FootInGround,
        Self::TooSteep,
        Self::Slide,
        Self::ThroughWorld,
        Self::ThroughOther,
        Self::InNothing,
        Self::FreeFall,
        Self::HipsHeight,
        Self::ThroughSelf,
        Self::JointLimit,
        Self::KneeSpeed,
        Self::AnkleFall,
        Self::AnkleRise,
        Self::ShankFoot,
        Self::BodyPop,
        Self::HipsAcceleration,
        Self::LegsApart,
    ];

    /// True of what is about who is there, where it begins and where it ends, and not about how it gets from one to the other.
    pub fn is_of_ends(self) -> bool {
        (Self::Cast..=Self::GoalHeading).contains(&self)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// Its meaning in words, to follow the name of a character.
    pub fn sentence(self) -> &'static str {
        self.words().1
    }

    /// The unit of its value and its limit.
    pub fn unit(self) -> &'static str {
        self.words().2
    }

    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::NotFinite => ("not_finite", "is nowhere: a number is not finite", ""),
            Self::JointJump => ("joint_jump", "jumps in one frame", "m/s"),
            Self::World => ("world", "is not as it was asked for", ""),
            Self::PlatformPlace => ("platform_place", "is elsewhere than was asked for", "m"),
            Self::PlatformHeading => ("platform_heading", "is turned elsewhere", "°"),
            Self::CommandLeftOut => ("command_left_out", "leaves out what it was told", ""),
            Self::CommandFailed => ("command_failed", "fails to do what it was told", ""),
            Self::CommandUnasked => ("command_unasked", "does what nobody told it", ""),
            Self::CommandTime => ("command_time", "does what it was told at another time", "s"),
            Self::CommandPlace => ("command_place", "is elsewhere than it was told", "m"),
            Self::CommandHeading => ("command_heading", "faces elsewhere than it was told", "°"),
            Self::CommandSpeed => ("command_speed", "has not come to a stop", "m/s"),
            Self::CommandPosture => ("command_posture", "lies or stands unlike it was told", ""),
            Self::Cast => ("cast", "is not who was asked for", ""),
            Self::StartStorey => ("start_storey", "begins on another storey", "m"),
            Self::StartPlace => ("start_place", "begins elsewhere", "m"),
            Self::StartHeading => ("start_heading", "begins facing elsewhere", "°"),
            Self::GoalPlace => ("goal_place", "misses its goal", "m"),
            Self::GoalStorey => ("goal_storey", "ends on another storey", "m"),
            Self::GoalHeading => ("goal_heading", "ends facing elsewhere", "°"),
            Self::ContactInAir => ("contact_in_air", "stands in the air", "m"),
            Self::FootInGround => ("foot_in_ground", "has a foot in the ground", "m"),
            Self::TooSteep => ("too_steep", "stands on ground that is too steep", "°"),
            Self::Slide => ("slide", "slides on a sole that is down", "m"),
            Self::ThroughWorld => ("through_world", "is inside something", "m"),
            Self::ThroughOther => ("through_other", "is inside somebody", "m"),
            Self::InNothing => ("in_nothing", "is off the ground for too long", "s"),
            Self::FreeFall => ("free_fall", "does not fall as it has to", "m/s²"),
            Self::HipsHeight => ("hips_height", "has hips where its legs cannot hold them", ""),
            Self::ThroughSelf => ("through_self", "goes through itself", "m"),
            Self::JointLimit => ("joint_limit", "bends a joint beyond its limit", "°"),
            Self::KneeSpeed => ("knee_speed", "bends a knee too fast", "°/s"),
            Self::AnkleFall => ("ankle_fall", "drops an ankle too fast", "m/s"),
            Self::AnkleRise => ("ankle_rise", "lifts an ankle too fast", "m/s"),
            Self::ShankFoot => ("shank_foot", "bends a foot up too far", "°"),
            Self::BodyPop => ("body_pop", "has a joint that pops", "°"),
            Self::HipsAcceleration => {
                ("hips_acceleration", "accelerates its hips too hard", "m/s²")
            }
            Self::LegsApart => ("legs_apart", "brings its legs too close to each other", "m"),
        }
    }

    /// The severity of its kind: what is said to be so and is not is wrong, what nobody does is unnatural.
    pub fn severity(self) -> Severity {
        if self < Self::ThroughSelf { Severity::Wrong } else { Severity::Unnatural }
    }

    /// True if values below the limit are the bad ones.
    pub fn is_least(self) -> bool {
        matches!(self, Self::ShankFoot | Self::LegsApart)
    }
}

/// The worst moment of one kind of violation of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// Whose track it is.
    pub who: String,
    /// Where in the body or the world, such as `left shin in log`.
    pub what: String,
    /// When it is worst, in seconds.
    pub time_s: f32,
    /// How much then.
    pub value: f32,
    /// How much is allowed then.
    pub limit: f32,
    /// In how many frames it is beyond its limit.
    pub frames: usize,
}

impl Violation {
    /// The severity of the violation.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// True if its value is beyond a limit.
    pub fn is_beyond(&self, limit: f32) -> bool {
        crate::tally::exceeds(excess(self.kind, self.value, limit), 1.0)
    }

    /// The ratio of its value to its limit.
    pub fn excess(&self) -> f32 {
        excess(self.kind, self.value, self.limit)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, who, what, time_s, value, limit, frames } = self;
        let unit = kind.unit();
        let space = if unit.is_empty() || unit.starts_with('°') { "" } else { " " };
        write!(f, "{who} {}", kind.sentence())?;
        if !what.is_empty() {
            write!(f, " ({what})")?;
        }
        let (value, limit) = (told_apart(*value, *limit, 3), told_apart(*limit, *value, 3));
        write!(f, ": {value}{space}{unit} at {time_s:.2} s, allowed {limit}{space}{unit}")?;
        if *frames > 1 { write!(f, ", {frames} frames") } else { Ok(()) }
    }
}

pub(crate) fn excess(kind: ViolationKind, value: f32, limit: f32) -> f32 {
    let (over, under) = if kind.is_least() { (limit, value) } else { (value, limit) };
    if over.is_finite() { over.abs() / under.abs().max(1e-6) } else { f32::INFINITY }
}

/// The verdict of the verifier on a take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What is wrong, the worst first: one for each kind and character, and each command.
    pub violations: Vec<Violation>,
    /// Frames of all characters that were looked at.
    pub frames: usize,
}

impl Verdict {
    /// Two about different things, or about different characters, as one.
    pub fn and(mut self, other: Self) -> Self {
        self.violations.extend(other.violations);
        crate::tally::sort(&mut self.violations);
        self.frames += other.frames;
        self
    }

    /// True if there is nothing to be said against the take.
    pub fn is_ok(&self) -> bool {
        self.violations.is_empty()
    }

    /// True if there is nothing to be said against one of the characters.
    pub fn is_ok_of(&self, who: &str) -> bool {
        self.violations.iter().all(|violation| violation.who != who)
    }

    /// The limit of a violation where the clip that it was made of is unnatural itself: the larger of its limit and `times` what that
    /// clip does, by the verdict on it. What is wrong is never the clip's.
    pub fn allowed(&self, violation: &Violation, times: f32) -> f32 {
        let own = self.violations.iter().filter(|own| own.kind == violation.kind);
        let own = own.map(|own| own.value).filter(|_| violation.severity() == Severity::Unnatural);
        match violation.kind.is_least() {
            true => own.fold(violation.limit, |least, own| least.min(own / times)),
            false => own.fold(violation.limit, |most, own| most.max(own * times)),
        }
    }

    /// The violations that make the take a false answer, of everybody or of one.
    pub fn wrong<'a>(&'a self, who: Option<&'a str>) -> impl Iterator<Item = &'a Violation> {
        self.violations.iter().filter(move |violation| {
            violation.severity() == Severity::Wrong && who.is_none_or(|who| violation.who == who)
        })
    }
}
