//! Settings of what characters decide, and of how they follow their way.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of what characters decide.
    #[serde(default, deny_unknown_fields)]
    pub struct BehaviorSettings: Copy, Deserialize {
        /// Others farther away than this do not matter, in metres. Little meets people unprepared, much costs time.
        sight: f32 = 5.0, 0.5..=100.0;
        /// Seconds without progress until somebody looks for another way. 0 looks all the time.
        patience: f64 = 2.0, 0.0..=600.0;
        /// So many ways are looked for before somebody gives up.
        most_detours: usize = 150, 0..=100000;
        /// And so many in vain before they give others room.
        vain_detours: usize = 12, 0..=100000;
        /// And so many before they turn into others who stand there.
        desperate: usize = 40, 0..=100000;
        /// Ways around others are no longer than this at first, in metres. More goes far round instead of waiting.
        farther: f32 = 3.0, 0.0..=1000.0;
        /// Seconds between looks for ways around those who stand.
        around_seconds: f64 = 1.0, 0.0..=60.0;
        /// How far ahead those matter, in metres.
        look_ahead: f32 = 4.0, 0.0..=100.0;
        /// Corners of a path that turn by more than this, in radians, are turned round on the spot. More wrings the hips of
        /// who walks round them, little stops at every bend.
        hairpin: f32 = 2.2, 0.5..=4.0;
        /// How much of a path before and after a corner is its sides, in metres, however finely it is drawn.
        hairpin_length: f32 = 0.4, 0.05..=2.0;
        /// Room that ways around those who stand leave if there is any, in metres.
        beside: f32 = 0.13, 0.0..=5.0;
        /// And if there is not, in metres.
        squeezed_beside: f32 = 0.05, 0.0..=5.0;
        /// Without this much room another way is looked for, in metres; not above `beside`, or it is looked for again.
        too_near: f32 = 0.09, 0.0..=5.0;
        /// Goals are taken by those who stand no farther from them than touching and this, in metres.
        taken: f32 = 0.12, 0.0..=5.0;
        /// Room that is left for them to leave, in metres.
        leaving: f32 = 0.9, 0.0..=10.0;
        /// How near to their goal somebody minds that, in metres.
        minded: f32 = 2.5, 0.0..=100.0;
        /// Who stands closer to a wall than they should by this steps aside first, in metres.
        pressed: f32 = 0.02, 0.0..=1.0;
        /// And so much farther, in metres.
        aside: f32 = 0.05, 0.0..=1.0;
        /// Hips that turn on the spot come no deeper into others, in metres. 0 may leave them stuck.
        touching: f32 = 0.01, 0.0..=0.5;
        /// Steps away from others may sway to them by this, in metres.
        sway: f32 = 0.01, 0.0..=0.5;
        /// Bodies brake for the end of their way at this, in m/s². Little creeps up to it.
        braking: f32 = 1.1, 0.05..=20.0;
        /// Seconds until the brakes of somebody take hold who has to wait. 0 stops too late.
        lag: f32 = 0.3, 0.0..=5.0;
        /// This close to their goal somebody has arrived, in metres; the last steps are exact.
        arrived: f32 = 0.3, 0.02..=5.0;
        /// Who waits goes no closer for less than this, in metres. 0 shuffles.
        shuffle: f32 = 0.5, 0.0..=10.0;
        /// Who stands and has to turn by more than this does so on the spot, in radians.
        about: f32 = 1.0, 0.0..=3.2;
        /// And goes on once no more of that is missing than this, in radians. 0 waits until the turn has settled.
        turned: f32 = 0.15, 0.0..=3.2;
        /// So far before they have to wait somebody who walks as planned goes over to the gait, in metres.
        brakes: f32 = 1.5, 0.0..=20.0;
        /// How fast somebody goes back, in m/s.
        back: f32 = 0.5, 0.0..=2.0;
        /// For so many seconds somebody goes back from who is too close.
        back_seconds: f64 = 0.7, 0.0..=60.0;
        /// Room that others are left by who turns on the spot, in metres.
        elbows: f32 = 0.06, 0.0..=2.0;
        /// Characters closer than this are near each other, from middle to middle, in metres: that is told.
        near: f32 = 1.2, 0.0..=100.0;
        /// Farther than this they are not any more, in metres; not below `near`, or it is told again and again.
        not_near: f32 = 1.6, 0.0..=100.0;
        /// How much faster or slower than the mean somebody walks where there are several, as a share. 0 marches.
        vigour: f32 = 0.08, 0.0..=0.5;
        /// The ground a foot may be on is no higher above it than this, in metres.
        step_up: f32 = 0.6, 0.0..=5.0;
        /// Bodies are let change their speed by this much, however gentle their gait, in m/s². Less shows slower changes.
        least_vigour: f32 = 4.0, 0.1..=100.0;
        /// Who has gone no farther than this has hardly set off, and stands where they stood, in metres.
        hardly: f32 = 0.05, 0.0..=1.0;
        /// A crown closer than this to what hangs above goes lower, in metres.
        head_room: f32 = 0.02, 0.0..=1.0;
        /// Height of others as obstacles, in metres.
        person: f32 = 1.7, 0.1..=10.0;
        /// Seconds without moving after which somebody who has something to do is told of as waiting, and why.
        waits: f64 = 1.0, 0.0..=3600.0;
        /// Seconds after which that is told again.
        waits_again: f64 = 30.0, 0.1..=86400.0;
        /// The next part of a way that somebody has to itself if nobody comes near it, in metres. Little plans what others cross.
        alone_ahead: f32 = 15.0, 0.0..=1000.0;
        /// Those who move are near a way within this, in metres.
        alone_beside: f32 = 2.5, 0.0..=100.0;
        /// Those who move are near somebody within this, wherever they go, in metres.
        alone_around: f32 = 4.0, 0.0..=100.0;
        /// Distance to stay behind somebody who is followed, where the command does not say, in metres.
        follow_distance: f32 = 1.5, 0.01..=10000.0;
        /// Who follows has come up once it is no farther behind than it was told and this, in metres, and half as much again for each
        /// other who follows the same. Above 0.95 a run may not be called reached.
        came_up: f32 = 0.9, 0.1..=0.95;
        /// Distance within which `when = { near = … }` holds, where it does not say, in metres.
        meeting: f32 = 2.0, 0.01..=10000.0;
        /// Seconds in the air after which a foot that comes down is a footfall. 0 tells of feet that only tremble.
        lifted: f64 = 0.05, 0.0..=10.0;
    }

    /// Settings of how a way is followed.
    #[serde(default, deny_unknown_fields)]
    pub struct PursuitSettings: Copy, Deserialize {
        /// Bodies go at a place of their way that is at least so far ahead, in metres. Little sways, much cuts corners.
        look: f32 = 0.5, 0.05..=10.0;
        /// And so many seconds ahead.
        look_seconds: f32 = 0.5, 0.0..=10.0;
        /// Who is beside its way comes back to it at a place that is so many times as far ahead as it is aside. 0 goes straight
        /// back into those it went round, much stays beside the way.
        aside: f32 = 6.0, 0.0..=100.0;
        /// But no farther ahead than the way is straight: the distance between its ends, as part of its length.
        straight: f32 = 0.99, 0.0..=1.0;
        /// Acceleration to the side that nobody minds, in m/s². Less slows down for bends.
        lateral: f32 = 2.0, 0.05..=50.0;
        /// Nobody turns faster than this on a way, in rad/s.
        turning: f32 = 0.8, 0.05..=10.0;
        /// No bend makes anybody slower than this, in m/s.
        slowest: f32 = 0.5, 0.0..=5.0;
        /// Seconds until brakes take hold. 0 goes too far.
        lag: f32 = 0.15, 0.0..=5.0;
    }

    /// Settings of how nobody gets into another or into a wall, whatever moves them.
    #[serde(default, deny_unknown_fields)]
    pub struct SeparationSettings: Copy, Deserialize {
        /// Bodies may lie so deep within each other, in metres. 0 may leave them stuck.
        allowed: f32 = 0.01, 0.0..=1.0;
        /// Hips of those who come closer keep so far apart, in metres: they sway on after a stop.
        swaying: f32 = 0.12, 0.0..=1.0;
        /// In passages hips may be so much closer to walls than they should, in metres.
        pressed: f32 = 0.03, 0.0..=1.0;
        /// Away from passages hips keep this far off walls for arms and legs that swing, in metres.
        swinging: f32 = 0.12, 0.0..=2.0;
        /// Who goes at a wall by less than this only passes it, as the sine of an angle; less than somebody turns by on the
        /// spot.
        askance: f32 = 0.15, 0.0..=1.0;
        /// Bodies that are closer than this are slowed for each other, in metres.
        soon: f32 = 0.5, 0.0..=10.0;
        /// By so much, in m/s². Little slows early.
        braking: f32 = 3.0, 0.05..=100.0;
        /// But by no more than this, in m/s², however suddenly something is there. Little runs into it, much is a jolt.
        hardest: f32 = 11.0, 0.1..=1000.0;
        /// Those who would be left with less than this share of their speed stop. 0 never, 1 at once.
        stops: f32 = 0.3, 0.0..=1.0;
        /// Who goes at another by less than this slides along, as the sine of an angle.
        grazing: f32 = 0.35, 0.0..=1.0;
        /// Those in the air are not slowed below this share of their speed. 0 lets them hang, 1 lets them fly into others.
        airborne: f32 = 0.2, 0.0..=1.0;
    }
}
