//! Settings of the planner of ways and footsteps.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of the planner of ways and footsteps.
    #[serde(default, deny_unknown_fields)]
    pub struct PlannerSettings: Copy, Deserialize {
        /// How far the middle of a footprint keeps from rims, in metres. 0 lets feet hang over, more closes narrow stones.
        foot_margin: f32 = 0.05, 0.0..=0.5;
        /// Straight ground before a jump, in metres. Less jumps from a stand, more finds fewer jumps.
        run_up: f32 = 2.0, 0.1..=20.0;
        /// Straight ground behind a jump, in metres. Less lands at once before the next bend, more finds fewer jumps.
        run_out: f32 = 1.5, 0.1..=20.0;
        /// Straight ground before a jump that was told, in metres.
        told_run_up: f32 = 2.5, 0.1..=20.0;
        /// Straight ground behind a jump that was told, in metres.
        told_run_out: f32 = 3.0, 0.1..=20.0;
        /// Speed of those who run, in m/s. Above what the clips can, footsteps are refused.
        run_pace: f32 = 2.6, 0.5..=12.0;
        /// How fast speed grows, in m/s². Less makes long starts.
        acceleration: f32 = 1.6, 1.0..=3.0;
        /// How fast it falls, in m/s². More looks like running into a wall.
        braking: f32 = 2.2, 1.0..=3.0;
        /// Acceleration to the side in bends, in m/s². Less slows down for bends.
        lateral: f32 = 2.0, 1.0..=4.0;
        /// Seconds of a cross-fade into and out of a clip that is played once, a jump. Less is a jerk.
        fade: f32 = 0.3, 0.2..=0.4;
        /// Rounds of smoothing of footprints. 0 keeps them where they came to lie first.
        smoothing: usize = 4, 0..=100;
        /// Rounds of refinement of footprints. Fewer are quicker and less even.
        refinement: usize = 10, 0..=100;
        /// Ground left between a rim and a foot that jumps, in metres. More jumps farther, and finds fewer jumps.
        jump_margin: f32 = 0.05, 0.0..=0.5;
        /// How far arms swing beyond the room that is kept anyway, in metres. 0 lets hands touch, more goes farther round.
        arms: f32 = 0.05, 0.0..=1.0;
        /// How much more room than they need those get who change their way, in metres: they turn at short notice.
        roomy: f32 = 0.07, 0.0..=1.0;
        /// How many times longer a way may be that has room for arms. 1 takes the narrow one whenever it is shorter.
        roomy_detour: f32 = 1.25, 1.0..=10.0;
        /// How often a way gets more room because the body would round its corners. 0 never.
        corner_rounds: usize = 3, 0..=50;
        /// How often a way gets more room to keep the body off obstacles. 0 takes every way as it is, more takes longer.
        pushes: usize = 3, 0..=50;
        /// The same for who is on the way already.
        detour_pushes: usize = 2, 0..=50;
        /// How much more room than is missing a way gets, in metres.
        spare: f32 = 0.03, 0.0..=1.0;
        /// The same for who is on the way already, in metres: one push is to be enough.
        detour_spare: f32 = 0.05, 0.0..=1.0;
        /// How many times the missing room they get.
        detour_share: f32 = 1.5, 0.0..=10.0;
        /// A push that leaves more than this part of a touch is not followed by another. 1 tries on whatever it helps.
        helps: f32 = 0.7, 0.0..=1.0;
        /// A push is tried if it gains at least this part of the missing room.
        gains: f32 = 0.3, 0.0..=1.0;
        /// Deeper than this no other step misses what a way leads into, in metres. 0 looks for other ways at once.
        deep: f32 = 0.05, 0.0..=1.0;
        /// How many times longer another way around what is touched may become.
        longest_detour: f32 = 1.1, 1.0..=10.0;
        /// How much obstacles grow at first for another way, for who is on the way already, in metres.
        first_growth: f32 = 0.15, 0.0..=2.0;
        /// And at the second try, in metres.
        second_growth: f32 = 0.05, 0.0..=2.0;
        /// Frames after which it does not matter how an old way was left.
        later: usize = 150, 0..=6000;
        /// Frames before an old walk is taken up again in which the new one goes over into it.
        merging: usize = 130, 0..=6000;
        /// Part of the usual room that somebody needs who goes straight on.
        straight_on: f32 = 0.8, 0.1..=5.0;
        /// How much more than the usual room somebody needs who stops to turn, in metres.
        turning: f32 = 0.05, 0.0..=2.0;
        /// How often all obstacles push a place, one after the other: between two of them it comes to lie in the middle.
        sweeps: usize = 6, 1..=100;
        /// Length over which a way that is pushed aside comes back, in metres. Less makes kinks.
        taper: f32 = 0.6, 0.05..=10.0;
        /// The farthest a way is pushed aside, in metres.
        farthest_push: f32 = 0.5, 0.0..=10.0;
        /// Rounds in which footprints from a roadmap are smoothed.
        roadmap_smoothing: usize = 4, 0..=100;
        /// Room around the start and the goal of a roadmap, in metres. More costs time.
        roadmap_around: f32 = 3.0, 0.5..=100.0;
        /// The farthest a first footprint that was placed by hand may be from its foot, in metres.
        farthest_step: f32 = 1.2, 0.1..=5.0;
        /// Ways that take longer than this are walked by the gait where that can go them, in seconds. A second that is planned
        /// takes 46 KB.
        longest_plan: f32 = 25.0, 0.0..=10000.0;
        /// Frames between the places of a way that is taken from a motion. Much cuts bends.
        way_frames: usize = 12, 1..=600;
        /// Who would run into something that has come within this many seconds goes over to the gait at once, and brakes.
        surprise_seconds: f32 = 0.7, 0.0..=10.0;
        /// Ways that lead no nearer by something that comes, goes or moves than a body and this are not looked for again, in
        /// metres. Little may miss what is grazed, much disturbs more people.
        change_margin: f32 = 1.0, 0.0..=1000.0;
        /// Who goes from place to place without a stop has the next part planned when so many seconds of the last are left, and
        /// half as much again planned at a time. Little stops now and then, much plans what changes.
        flow_seconds: f32 = 5.0, 1.0..=100.0;
        /// That begins no nearer to a place than this, in metres: less would turn back for it.
        flow_apart: f32 = 1.2, 0.3..=10.0;
        /// Ways that are looked for in one step of the stage, or one for each `people_per_way` if those are more. More makes longer
        /// steps, less lets those wait who set off together.
        ways_in_a_step: usize = 8, 1..=100000;
        /// Seconds of motion that are planned in a second of the stage, beside its steps. Less lets those wait who set off, more
        /// takes more of the machine.
        plan_rate: f32 = 90.0, 1.0..=1e9;
        /// Seconds of motion that any plan counts as, however short.
        plan_least: f32 = 1.5, 0.0..=1000.0;
        /// Who would have to wait longer than this for a plan sets off by the gait, in seconds. 0 plans one at a time.
        backlog_seconds: f64 = 0.5, 0.0..=600.0;
        /// Plans that are made and checked one after the other before somebody is told that there is none.
        tries: usize = 4, 1..=100;
        /// Plans that are made once more, each a little more gently, where one is right but moves as nobody does.
        gentler_tries: usize = 4, 0..=100;
        /// How much of its speed and acceleration a plan keeps each time it is made more gently.
        gentler: f32 = 0.94, 0.5..=1.0;
        /// Footsteps that are searched one by one and checked, one after the other, before somebody is told that there are none.
        /// 0 never searches them.
        searches: usize = 4, 0..=100;
        /// How many times as long they are searched in the end where that has found none. 0 gives up at once.
        longer_search: usize = 8, 0..=1000;
        /// Gaps up to this part of the body's height are looked at for footsteps where no way leads over them.
        stepped_gap: f32 = 0.5, 0.0..=2.0;
        /// Footsteps are searched to goals that are no farther than this, in metres. Far ones take long.
        searched_far: f32 = 25.0, 0.0..=1000.0;
        /// Radius that is closed around a place where a plan was refuted, in metres. Little tries nearly the same again, much
        /// closes narrow ways.
        closed: f32 = 0.2, 0.01..=5.0;
        /// People for whom one way is looked for in a step, where `ways_in_a_step` would be less. Few make longer steps.
        people_per_way: usize = 30, 1..=100000;
        /// Ways of a step that a way around others counts as: it is looked for in a mesh of its own.
        detour_cost: usize = 8, 1..=100000;
    }
}
