//! Where lines are drawn between standing and moving, walking and running.

andante_skeleton::settings! {
    /// Contact limits: what counts as a foot on the ground, in natural units (1 is a leg's length, and the time and speed of
    /// its pendulum). Where there are two, a contact begins below the first and is kept below the one of the same name.
    pub struct ContactLimits: Copy {
        /// A point on the ground is slower than this. More takes feet that drag for feet that stand.
        speed: f32 = 0.13, 0.01..=1.0;
        /// And is the same contact while it is slower than this.
        speed_kept: f32 = 0.22, 0.01..=1.0;
        /// For slow motions, the same as a fraction of the foot's own fast swings.
        swing: f32 = 0.15, 0.0..=1.0;
        /// And to keep it.
        swing_kept: f32 = 0.3, 0.0..=1.0;
        /// On a treadmill feet that animators drew hardly keep the speed of the belt, but swing feet go the other way:
        /// speeds that differ from the belt's by this many times their scatter are on it.
        scatter: f32 = 2.0, 0.0..=10.0;
        /// And to keep it.
        scatter_kept: f32 = 3.0, 0.0..=10.0;
        /// But by no more than this fraction of the speed of the belt.
        belt: f32 = 0.6, 0.0..=1.0;
        /// And to keep it.
        belt_kept: f32 = 0.85, 0.0..=1.0;
        /// Height on a treadmill, as a fraction of how far the foot is lifted.
        belt_height: f32 = 0.15, 0.0..=1.0;
        /// And to keep it.
        belt_height_kept: f32 = 0.25, 0.0..=1.0;
        /// How much of a speed against the direction of travel counts on a treadmill.
        lag: f32 = 0.4, 0.0..=1.0;
        /// Noise of capture: nothing slower counts as moving.
        noise: f32 = 0.03, 0.0..=0.5;
        /// And to keep it.
        noise_kept: f32 = 0.05, 0.0..=0.5;
        /// Height of a point on the ground above the level of its stance. More takes feet for standing that hover.
        height: f32 = 0.025, 0.0..=0.5;
        /// And to keep it.
        height_kept: f32 = 0.035, 0.0..=0.5;
        /// Below a heel that is up, toes may be this many times faster.
        roll_faster: f32 = 1.2, 1.0..=5.0;
        /// And this many times higher.
        roll_higher: f32 = 1.3, 1.0..=5.0;
        /// A foot stands this close to the level of other feet that stand.
        level: f32 = 0.07, 0.0..=1.0;
        /// Feet that bear weight at heights this far apart are on rough ground.
        rough: f32 = 0.06, 0.0..=1.0;
        /// Heel and toes of one foot may differ in height by as much on rough ground.
        tilt: f32 = 0.12, 0.0..=1.0;
        /// On flat ground they differ by how well the soles are known.
        flat: f32 = 0.02, 0.0..=1.0;
        /// Half the width of the filter for speeds.
        smoothing: f32 = 0.07, 0.0..=1.0;
        /// How long before and after a pause a foot has left its level.
        around: f32 = 0.4, 0.0..=5.0;
        /// Shortest contact.
        shortest: f32 = 0.2, 0.0..=5.0;
        /// Shortest lift.
        lift: f32 = 0.3, 0.0..=5.0;
        /// While one end of the foot bears, the other is down below this height above its level.
        inner: f32 = 0.012, 0.0..=0.5;
        /// Shortest sole, from heel to ball, that rolls.
        sole: f32 = 0.1, 0.0..=1.0;
        /// A foot that stays put strays by less than this.
        settled: f32 = 0.0007, 0.0..=0.1;
    }

    /// Class limits: what tells standing, walking, running, jumping and turning apart, in natural units.
    pub struct ClassLimits: Copy {
        /// Hips that travel this fast walk.
        travel: f32 = 0.11, 0.0..=1.0;
        /// Slower than this they stand.
        travel_kept: f32 = 0.06, 0.0..=1.0;
        /// A body that turns this fast, in radians per natural time, turns.
        turn: f32 = 0.1, 0.0..=3.0;
        /// Slower than this it does not.
        turn_kept: f32 = 0.04, 0.0..=3.0;
        /// Who is farther than this part of the way from where it began travels.
        getting_on: f32 = 0.25, 0.0..=1.0;
        /// And so does who wanders this many leg lengths.
        wandering: f32 = 6.0, 0.0..=100.0;
        /// Shortest piece that is told from its neighbours, in natural times.
        piece: f32 = 1.5, 0.0..=20.0;
        /// Feet that leave or reach the ground within this time do so together.
        together: f32 = 0.4, 0.0..=5.0;
        /// A flight off both feet that is at least this long is a jump.
        jump: f32 = 0.7, 0.0..=5.0;
        /// So is one from a foot onto the same foot; quick turns have shorter ones.
        hop: f32 = 0.9, 0.0..=5.0;
        /// A flight this long is a jump however it begins; running is in the air for up to 0.6.
        leap: f32 = 1.15, 0.0..=10.0;
        /// In a jump the hips rise by at least this many leg lengths; in free fall over 0.7 it is 0.06.
        rise: f32 = 0.03, 0.0..=1.0;
        /// Shorter flights are inaccuracies of the contacts.
        flight: f32 = 0.08, 0.0..=1.0;
        /// So are flights of a body slower than this that are shorter than `doubtful_flight` or in which it does not fall
        /// freely: people walk up to 0.7 natural speeds and run from 0.5 on.
        slow: f32 = 0.4, 0.0..=2.0;
        /// How short those are.
        doubtful_flight: f32 = 0.4, 0.0..=2.0;
        /// Acceleration of the hips in free fall is −1 times gravity; more than this is not.
        falling: f32 = -0.5, -1.0..=0.0;
        /// At up to this speed people walk, and contacts on a slope are easily missed: what looks like a flight is none unless the
        /// body falls in it.
        walked: f32 = 0.7, 0.0..=2.0;
        /// Acceleration of the hips, in units of gravity, above which nothing falls: where feet change in a walk hips are pushed up.
        borne: f32 = -0.2, -1.0..=0.0;
        /// Whoever is this fast runs, whatever the contacts say.
        fast: f32 = 1.0, 0.0..=5.0;
        /// A travel shorter than this many leg lengths is a shift of weight or a step aside.
        distance: f32 = 0.8, 0.0..=10.0;
        /// A turn of more than this many radians on the spot is one.
        round: f32 = 0.7, 0.0..=6.3;
        /// Hips lower than this fraction of the leg do not stand or walk.
        low: f32 = 0.5, 0.0..=1.0;
        /// A clip of which this part is sat, lain or crawled is about that; much misses getting up, little takes who bends down
        /// for a crawler.
        held: f32 = 0.25, 0.0..=1.0;
    }
}

/// The limits of a contact that begins, or of one that is kept.
pub(super) struct ContactBounds {
    pub speed: f32,
    pub swing: f32,
    pub scatter: f32,
    pub belt: f32,
    pub belt_height: f32,
    pub noise: f32,
    pub height: f32,
}

impl ContactLimits {
    /// Below which a contact begins, and below which it is kept.
    pub(super) fn bounds(&self) -> [ContactBounds; 2] {
        let begins = ContactBounds {
            speed: self.speed,
            swing: self.swing,
            scatter: self.scatter,
            belt: self.belt,
            belt_height: self.belt_height,
            noise: self.noise,
            height: self.height,
        };
        let kept = ContactBounds {
            speed: self.speed_kept,
            swing: self.swing_kept,
            scatter: self.scatter_kept,
            belt: self.belt_kept,
            belt_height: self.belt_height_kept,
            noise: self.noise_kept,
            height: self.height_kept,
        };
        [begins, kept]
    }
}
