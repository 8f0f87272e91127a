//! Settings of bodies that are moved by forces, and of what they are hit with.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of bodies that are moved by forces.
    #[serde(default, deny_unknown_fields)]
    pub struct PhysicalSettings: Copy, Deserialize {
        /// Seconds of a step of a simulation. More is quicker and less exact; controllers are made for 1/240.
        step: f64 = 1.0 / 240.0, 0.0005..=0.01;
        /// No part of a body gets much faster than this, whatever catches or crushes it, in m/s. Little holds falls up.
        fastest: f64 = 14.0, 3.0..=500.0;
        /// Who walks faster than the square root of this times gravity times the height of its centre of mass has left the ground
        /// by its own speed, in m/s (Alexander 1989: Froude numbers of walks are below 1): forces do not take it over.
        walk_froude: f64 = 1.0, 0.1..=100.0;
        /// The same for who runs.
        run_froude: f64 = 8.0, 0.1..=1000.0;
        /// Room around the middle of somebody in which their body is, in metres. Less notices things late.
        stout: f32 = 0.28, 0.05..=3.0;
        /// Things closer than this to somebody who is simulated are simulated with them, in metres. More costs time.
        at_hand: f32 = 0.6, 0.0..=10.0;
        /// How fast something has to come to count as a touch, in m/s. 0 lets everything near touch.
        comes: f32 = 0.2, 0.0..=10.0;
        /// Who is so far below all ground has fallen out of the world, in metres.
        below: f32 = 3.0, 0.1..=1000.0;
        /// Who has stood still for so many seconds is safe. 0 gives bodies back in the middle of a stagger.
        stands_seconds: f64 = 0.7, 0.0..=60.0;
        /// Still is who is slower than this, in m/s. 0 never ends.
        still: f64 = 0.06, 0.001..=2.0;
        /// Who has walked as they should for so many seconds is safe.
        walks_seconds: f64 = 0.8, 0.0..=60.0;
        /// Balance no farther than this from how it should be is good, in metres.
        walks_off: f64 = 0.05, 0.001..=1.0;
        /// A walk whose balance is farther off than this is given up, in metres. Less stops early, more falls.
        walk_lost: f64 = 0.6, 0.01..=5.0;
        /// Part of the usual height at which a head is up.
        upright_height: f64 = 0.85, 0.1..=1.0;
        /// Trunks are up whose axis leads up by more than this, as the cosine of an angle.
        upright_cosine: f64 = 0.9, -1.0..=1.0;
        /// Part of the usual height below which a head is of somebody who falls, and stops walking.
        falls_height: f64 = 0.8, 0.0..=1.0;
        /// Trunks fall whose axis leads up by less than this, as the cosine of an angle.
        falls_cosine: f64 = 0.7, -1.0..=1.0;
        /// Who walks as they were led is given back to motion at once with balance no farther off than this, in metres, where
        /// their way bends or ends.
        ends_off: f64 = 0.25, 0.0..=5.0;
        /// Who neither stands nor falls for so many seconds is given back to motion. Less ends staggers early.
        struggles: f64 = 8.0, 1.0..=3600.0;
        /// Somebody who is not up after so many seconds is said to lie for good.
        patience: f64 = 30.0, 0.0..=3600.0;
        /// Part of the depth of two bodies in each other by which they get out of it in a frame. Much bounces.
        parts: f32 = 0.25, 0.0..=1.0;
        /// And no faster than this, in m/s.
        parts_fastest: f32 = 0.6, 0.0..=10.0;
        /// Friction of people against each other.
        rubs: f32 = 0.4, 0.0..=2.0;
        /// Who has not touched somebody for so many seconds is told of when they touch again.
        parted: f64 = 1.0, 0.0..=3600.0;
        /// Heels and balls nearer to the ground than this are down, in metres.
        down: f64 = 0.006, 0.0..=0.1;
        /// How long somebody lies before they get up, in seconds.
        lies_seconds: f64 = 0.6, 0.0..=3600.0;
        /// Who is taken over at rest, no joint turning faster than this, is placed on uneven ground at once, in rad/s. Others
        /// find their balance on it.
        rests: f64 = 0.5, 0.0..=10.0;
        /// Ground this near to a sole is looked at for that, in metres.
        sole_reach: f64 = 0.5, 0.0..=5.0;
        /// Soles with an edge farther above or below the ground than this, in metres, do not stand by forces.
        whole: f32 = 0.05, 0.0..=1.0;
        /// Ground is level whose normal leads up by more than this, as the cosine of an angle.
        level_cosine: f64 = 0.9998, 0.0..=1.0;
        /// And which is no farther from the sole than this, in metres.
        level_gap: f64 = 0.01, 0.0..=1.0;
        /// How far around somebody ground has to be level to be taken for a plane, in metres. Less may let feet stand on
        /// nothing beside a rim, more costs time.
        level_around: f32 = 3.0, 0.1..=100.0;
        /// How far around somebody obstacles are simulated, in metres.
        around: f32 = 8.0, 0.5..=1000.0;
        /// Whose feet are so far below its top has fallen off a platform, in metres.
        off_deck: f64 = 0.15, 0.0..=5.0;
        /// How high the box of a foot is for somebody of usual height, in metres.
        foot_height: f64 = 0.07, 0.005..=0.3;
        /// How wide it is, in metres. More stands more firmly.
        foot_width: f64 = 0.09, 0.005..=0.5;
        /// How far before its ends heel and toe roll, in metres.
        foot_inset: f64 = 0.01, 0.0..=0.05;
    }

    /// Settings of bodies that give way to light touches while motion leads them.
    #[serde(default, deny_unknown_fields)]
    pub struct ComplianceSettings: Copy, Deserialize {
        /// Everybody gives way to touches that move their capture point by no more than this, in metres. 0 hands everybody
        /// over to forces at a tap who can be.
        light: f32 = 0.015, 0.0..=1.0;
        /// The same for who is led where forces could not lead it on; stronger ones hand it over. 0 lets runners fall at a
        /// tap.
        led: f32 = 0.1, 0.0..=1.0;
        /// Seconds in which half of what hips give way dies away. More sways farther and longer.
        hips: f32 = 0.3, 0.02..=5.0;
        /// The same for the trunk.
        trunk: f32 = 0.22, 0.02..=5.0;
        /// The same for an arm.
        arms: f32 = 0.15, 0.02..=5.0;
        /// Hips give way no farther than this, in metres.
        farthest: f32 = 0.06, 0.0..=0.3;
        /// Trunk and arms no farther than this, in radians.
        farthest_turn: f32 = 0.8, 0.0..=1.5;
        /// Hips sink rather than to stretch a leg farther than this part of its length.
        stretch: f32 = 0.995, 0.5..=1.0;
    }

    /// Settings of ways that are walked by a body's own torques.
    #[serde(default, deny_unknown_fields)]
    pub struct TorqueWalkSettings: Copy, Deserialize {
        /// How fast somebody walks by torques if nothing else was said, in m/s.
        pace: f32 = 1.3, 0.3..=2.5;
        /// Who is to go slower than this is led by motion instead, in m/s.
        slowest_pace: f32 = 0.9, 0.0..=5.0;
        /// And so is who is to go faster than this, in m/s.
        fastest_pace: f32 = 1.5, 0.0..=5.0;
        /// And so is whose centre of mass is lower than this when it stands, in metres: children of less than 1.4 m fall, for
        /// the controllers are tuned for adults.
        smallest: f64 = 0.75, 0.0..=5.0;
        /// Who is touched while walking goes on walking at this speed or more, in m/s; slower ones stop.
        slowest_kept: f32 = 0.9, 0.0..=5.0;
        /// And at this speed or less, in m/s. Walks above it are hard to balance.
        fastest_kept: f32 = 1.7, 0.5..=5.0;
        /// The slowest walk that is sped up from when somebody sets off, in m/s.
        slowest_start: f32 = 0.3, 0.05..=0.5;
        /// How far ahead on their way somebody looks who is to go on walking, in metres: so far it has to be straight.
        onward: f32 = 4.0, 0.5..=50.0;
        /// And so far it has to be while they do, in metres; then motion leads again.
        ends: f32 = 1.6, 0.0..=50.0;
        /// Straight is a way that is no farther aside than this, in metres.
        aside: f32 = 0.2, 0.0..=5.0;
        /// Ways that bend more than this are not walked on, in 1/m.
        bent: f32 = 0.25, 0.0..=10.0;
        /// Places nearer than this are not walked to, in metres: there is no room for a first and a last step.
        short: f64 = 0.8, 0.0..=50.0;
        /// Nor those farther aside than this, in radians.
        askew: f32 = 0.7, 0.0..=3.2;
        /// How often somebody sets off to a place. 0 leaves every way to motion.
        tries: usize = 3, 0..=1000;
        /// How fast somebody who has set off turns to their goal, in rad/s. Much loses balance.
        turn: f64 = 0.4, 0.0..=5.0;
    }

    /// Settings of things that are thrown.
    #[serde(default, deny_unknown_fields)]
    pub struct ThingSettings: Copy, Deserialize {
        /// What falls deeper than this is left to itself, in metres above 0.
        deep: f64 = -50.0, -10000.0..=10000.0;
        /// Slower than this something rests, in m/s. More ends throws early.
        rests: f64 = 0.3, 0.0..=10.0;
        /// Seconds after which something that was thrown is not waited for any more.
        patience: f64 = 4.0, 0.0..=3600.0;
        /// How fast spinning dies away on its own, in 1/s. 0 lets balls roll for ever.
        rolls_out: f64 = 2.0, 0.0..=50.0;
    }
}
