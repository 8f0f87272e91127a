//! Settings of how narrow passages are passed in turn.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of how narrow passages are passed in turn.
    #[serde(default, deny_unknown_fields)]
    pub struct DoorwaySettings: Copy, Deserialize {
        /// Room to the side beyond which a passage is not narrow, in metres. More costs time.
        look: f32 = 1.6, 0.1..=10.0;
        /// Room that two need beside their bodies to pass each other, in metres. More makes people take turns in wide
        /// passages, 0 lets them meet in doors.
        extra: f32 = 0.35, 0.0..=5.0;
        /// Walls that are ahead or behind by more are not beside a way, as the cosine of an angle. 0 takes every wall
        /// for a post of a door, 1 none.
        beside: f32 = 0.35, 0.0..=1.0;
        /// Distance between the places of a way where its width is measured, in metres. Much overlooks doors.
        spacing: f32 = 0.2, 0.02..=2.0;
        /// A passage is asked for so far before it, in metres. Less has people stop in front of it.
        ask: f32 = 9.0, 0.5..=100.0;
        /// Those who wait leave this much room before it, in metres. Less is in the way of who comes out.
        room: f32 = 2.2, 0.2..=20.0;
        /// And so much more for each who comes before them, in metres. Less makes a cluster of the queue.
        queue: f32 = 0.9, 0.0..=10.0;
        /// Behind the passage one is out of it, in metres. More lets others wait longer.
        out: f32 = 1.0, 0.0..=10.0;
        /// So close to it one is in it, in metres. More lets more people go on without their turn.
        inside: f32 = 0.9, 0.0..=10.0;
        /// Passages shorter than this are passed at one point, in metres.
        short: f32 = 0.5, 0.0..=10.0;
        /// Passages closer than this are one, in metres. Less may count a door twice, more joins neighbours.
        same: f32 = 0.9, 0.0..=10.0;
        /// Those who go in one after the other are so far apart, in metres. 0 lets them go in side by side.
        file: f32 = 0.9, 0.0..=10.0;
        /// Nobody comes closer than this while somebody else goes in, in metres.
        mouth: f32 = 1.5, 0.0..=10.0;
        /// Those who make room are let stay this much closer than they should, in metres. 0 has them shuffle.
        slack: f32 = 0.3, 0.0..=5.0;
        /// Part of the way back that leads away from the passage instead of along it. 0 goes straight back.
        aside: f32 = 0.5, 0.0..=10.0;
        /// So many pass in a row while others wait. 1 takes strict turns, many let the others wait for long.
        in_a_row: usize = 5, 1..=1000;
        /// So many are on their way through at once. 1 waits until the passage is empty.
        at_once: usize = 4, 1..=1000;
    }
}
