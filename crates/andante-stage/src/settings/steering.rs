//! Settings of how a walking body is led among others.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of how a walking body is led among others.
    #[serde(default, deny_unknown_fields)]
    pub struct SteeringSettings: Copy, Deserialize {
        /// Seconds in which two thirds of a change of mind are made. Less trembles, more reacts late.
        smoothing: f32 = 0.15, 0.001..=5.0;
        /// Who walks stops below this speed, in m/s. 0 lets gaits creep.
        stop_below: f32 = 0.25, 0.0..=2.0;
        /// Who stands sets off above this speed, in m/s; not below `stop_below`, or people stop and go.
        set_off_above: f32 = 0.35, 0.0..=2.0;
        /// And who has lost patience above this, in m/s.
        squeeze_above: f32 = 0.12, 0.0..=2.0;
        /// Part of the usual room that is left to others on the way ahead. More waits more often.
        room: f32 = 0.6, 0.0..=5.0;
        /// The same for who has lost patience. 0 brushes past.
        squeeze_room: f32 = 0.15, 0.0..=5.0;
        /// Patience is lost after so many seconds. 0 always squeezes through.
        patience: f32 = 2.0, 0.0..=600.0;
        /// Who has to turn by more than this stops for it, in radians. Much walks in wide arcs.
        stop_turn: f32 = 1.2, 0.1..=3.2;
        /// Who never turns on the spot goes round narrow bends at this, in m/s; less than `set_off_above` stands still.
        bend: f32 = 0.6, 0.0..=5.0;
        /// Who stands and cannot go ahead turns on the spot by at least this, in radians. 0 fidgets.
        spot_turn: f32 = 0.12, 0.0..=3.2;
        /// Turns on the spot are worth it for this part of the speed that it takes to set off.
        turn_share: f32 = 0.8, 0.0..=5.0;
        /// Turns on the spot are thought over for so many seconds. 0 turns to and fro.
        thought: f32 = 0.4, 0.0..=60.0;
        /// Seconds after a stop until somebody sets off again. 0 stops and goes.
        stand: f32 = 0.4, 0.0..=60.0;
        /// Seconds after which others see that somebody stands, and go around.
        seen: f32 = 0.5, 0.0..=60.0;
        /// Seconds in which two thirds of what a gait sways to the side even out for those who watch it. Less lets
        /// others react to every step.
        sway: f32 = 0.35, 0.001..=10.0;
    }
}
