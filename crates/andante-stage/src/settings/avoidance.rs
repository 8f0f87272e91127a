//! Settings of how bodies keep clear of each other and of walls.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of how bodies keep clear of each other and of walls.
    #[serde(default, deny_unknown_fields)]
    pub struct AvoidanceSettings: Copy, Deserialize {
        /// Collisions with those who move matter if they are no later than this, in seconds. More avoids early and in
        /// wide arcs, less late and sharply.
        horizon: f32 = 5.0, 0.1..=30.0;
        /// The same for those who stand, in seconds. More keeps far away from them, less walks right up to them.
        standing_horizon: f32 = 0.6, 0.1..=30.0;
        /// The same for walls, in seconds. More keeps people in the middle of rooms.
        wall_horizon: f32 = 0.7, 0.05..=10.0;
        /// Walls nearer than this matter, in metres. 0 minds none; more costs time.
        wall_reach: f32 = 1.0, 0.0..=10.0;
        /// Room that is left beside walls for arms that swing, in metres. 0 lets hands touch; much closes doors.
        wall_room: f32 = 0.15, 0.0..=2.0;
        /// Who is closer to a wall than this leaves it, in metres. 0 lets people stand at walls.
        wall_close: f32 = 0.04, 0.0..=1.0;
        /// How fast that is, in m/s. Much is seen as a shove.
        wall_leave: f32 = 0.05, 0.0..=1.0;
        /// Who goes at a wall by less than this only grazes it, as the sine of an angle. 1 lets people run into
        /// walls, 0 slows them beside every wall.
        grazing: f32 = 0.35, 0.0..=1.0;
        /// How far ahead a wall is looked for by somebody who stands, in metres.
        wall_look: f32 = 0.3, 0.05..=10.0;
        /// And how much farther for every m/s, in seconds. Less brakes late.
        wall_look_seconds: f32 = 1.2, 0.0..=10.0;
        /// A wall ahead makes nobody slower than this, in m/s: they turn aside in time. 0 may leave them standing there.
        wall_crawl: f32 = 0.4, 0.0..=2.0;
        /// Room that is left between bodies that move, in metres. 0 lets arms touch; above 0.4 people stop for each other,
        /// lose patience and squeeze past.
        margin: f32 = 0.15, 0.0..=2.0;
        /// Room that is left beside those who stand, in metres.
        beside: f32 = 0.12, 0.0..=2.0;
        /// Who does not look out and is slower than this stands, in m/s.
        standing_speed: f32 = 0.15, 0.0..=1.0;
        /// What it costs to come too close to somebody in a second; what it costs to go the other way is 2. 0 minds nobody,
        /// more avoids early and in wide arcs.
        haste: f32 = 2.0, 0.0..=100.0;
        /// What it costs to change one's mind, as part of what it costs to have another velocity than is wanted. 0 dithers,
        /// much reacts late.
        steady: f32 = 0.3, 0.0..=10.0;
        /// What it costs to be slower than is wanted, beyond that. 0 slows down for each other, more goes round.
        brisk: f32 = 0.5, 0.0..=10.0;
        /// What it costs to stand and wait instead of going anywhere. 0 lets people wait for each other, much has them
        /// wander about.
        standing: f32 = 1.2, 0.0..=100.0;
        /// How many times its own change of velocity somebody takes into account when the other looks out, too: 1 does
        /// all of the avoiding alone, 2 half of it.
        reciprocity: f32 = 1.5, 1.0..=2.0;
        /// What it costs to pass on the left: of two who walk at each other both step to their right. 0 lets the side be
        /// chosen each time, less makes it the left.
        to_the_right: f32 = 0.02, -1.0..=1.0;
        /// So many headings are tried to each side of the wish, 15° from each other. Less gives up sooner.
        sides: usize = 7, 0..=12;
        /// What to do among others is thought over about every so many seconds. Less costs time.
        rethink: f32 = 0.1, 0.0..=5.0;
        /// So many walls are looked at, the nearest ones.
        most_walls: usize = 8, 0..=16;
        /// The rest of a gap is closed in no less than so many seconds. More makes people wait beside each other.
        closing_seconds: f32 = 0.5, 0.05..=20.0;
        /// A gap is never less than this for those who only have to get past, in metres. 0 may leave them stuck.
        least_gap: f32 = 0.015, 0.0..=0.5;
        /// Bodies brake at this for each other, in m/s². Less keeps longer distances.
        braking: f32 = 1.0, 0.05..=20.0;
        /// And begin to after so many seconds. More keeps longer distances.
        reaction: f32 = 0.5, 0.0..=5.0;
        /// How far somebody who stands perceives what is around, in metres.
        sense_reach: f32 = 1.0, 0.05..=100.0;
        /// And how much farther for every m/s, in seconds.
        sense_seconds: f32 = 0.5, 0.0..=20.0;
    }
}
