//! Which foot goes where, and when.

use crate::balance::foothold::{Foothold, Situation, StepLimits};
use crate::balance::sole_swing::SoleSwing;
use crate::support_polygon::SupportPolygon;

/// The phase of stepping: standing, or a step under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepPhase {
    /// Both feet carry.
    Stand,
    /// A foot is on its way to where it catches the body.
    Step {
        /// 0 left, 1 right.
        foot: usize,
        /// Its way.
        swing: SoleSwing,
    },
    /// Weight goes over the other foot so that this one can go home.
    Shift {
        /// 0 left, 1 right.
        foot: usize,
        /// Since when, s.
        since: f64,
    },
    /// A foot goes home.
    Return {
        /// 0 left, 1 right.
        foot: usize,
        /// Its way.
        swing: SoleSwing,
    },
}

impl StepPhase {
    /// The foot in the air and its way.
    pub fn swinging(&self) -> Option<(usize, &SoleSwing)> {
        match self {
            StepPhase::Step { foot, swing } | StepPhase::Return { foot, swing } => {
                Some((*foot, swing))
            }
            StepPhase::Stand | StepPhase::Shift { .. } => None,
        }
    }
}

/// Decides about steps.
#[derive(Clone, Debug)]
pub struct Stepper {
    limits: StepLimits,
    return_feet: bool,
    feet: SupportPolygon,
    phase: StepPhase,
    calm_since: f64,
    landed: f64,
    /// The foot that stepped last, until the other has joined it.
    lead: Option<usize>,
    /// Whether the other foot is to join it at once, as at the end of a walk.
    joins: bool,
    /// Whether feet stay where they are until the next step, because they could not be brought home.
    stays: bool,
    steps: usize,
    returns: usize,
}

impl Stepper {
    /// Both feet on the ground.
    pub fn new(limits: StepLimits, return_feet: bool) -> Self {
        Stepper {
            limits,
            return_feet,
            feet: SupportPolygon::with_room(8),
            phase: StepPhase::Stand,
            calm_since: 0.0,
            landed: f64::NEG_INFINITY,
            lead: None,
            joins: false,
            stays: false,
            steps: 0,
            returns: 0,
        }
    }

    /// Begins anew with both feet on the ground. Steps count on.
    pub fn restart(&mut self, time: f64) {
        self.phase = StepPhase::Stand;
        self.calm_since = time;
        self.landed = f64::NEG_INFINITY;
        (self.lead, self.joins, self.stays) = (None, false, false);
    }

    /// Begins anew with a foot before the other, which is to join it while the body still goes on.
    pub fn halt(&mut self, lead: usize, time: f64) {
        self.restart(time);
        (self.lead, self.joins) = (Some(lead), true);
    }

    /// The phase of stepping.
    pub fn phase(&self) -> &StepPhase {
        &self.phase
    }

    /// True if both feet have stood for a while.
    pub fn settled(&self, time: f64) -> bool {
        self.phase == StepPhase::Stand && time > self.landed + self.limits.calm
    }

    /// The foot that stepped last, while the other has not joined it yet.
    pub fn lead(&self) -> Option<usize> {
        self.lead
    }

    /// Steps made to catch the body.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Steps made to bring feet home.
    pub fn returns(&self) -> usize {
        self.returns
    }

    /// Looks at the situation and decides.
    pub fn advance(&mut self, situation: &Situation, time: f64) {
        self.phase = self.next(situation, time);
    }

    fn next(&mut self, situation: &Situation, time: f64) -> StepPhase {
        let corners = situation.senses.corners.iter().flatten();
        self.feet.set_hull(corners.map(|corner| [corner.point.x, corner.point.z]));
        let unbalanced = self.feet.depth(situation.capture) < -self.limits.margin;
        match self.phase {
            StepPhase::Stand | StepPhase::Shift { .. }
                if unbalanced && time > self.landed + 0.02 =>
            {
                self.begin_step(situation, time)
            }
            StepPhase::Step { foot, swing } => self.step_on(situation, time, foot, swing),
            StepPhase::Return { foot, swing } => self.return_on(situation, time, foot, swing),
            StepPhase::Shift { foot, since } => self.shift_on(situation, time, foot, since),
            StepPhase::Stand => self.stand_on(situation, time),
        }
    }

    /// Goes on with a step: to where the foot is needed by now, until it carries.
    fn step_on(
        &mut self,
        situation: &Situation,
        time: f64,
        foot: usize,
        mut swing: SoleSwing,
    ) -> StepPhase {
        let progress = swing.progress(time);
        let landed = progress > 0.6 && situation.senses.load[foot] > 20.0;
        if landed || progress > 2.0 {
            self.landed = time;
            self.calm_since = time;
            return StepPhase::Stand;
        }
        if progress < 0.8 {
            let left = (1.0 - progress) * swing.duration;
            swing.to = situation.foothold(foot, Some(left), &self.limits).to;
            // A way that has become longer takes longer.
            let [low, high] = self.limits.duration;
            let way = libm::hypot(swing.to.x - swing.from.x, swing.to.z - swing.from.z);
            let wanted = (self.limits.slowness * way).clamp(low, high);
            swing.duration = swing.duration.max(wanted.min(swing.duration * self.limits.stretch));
        }
        StepPhase::Step { foot, swing }
    }

    /// Goes on bringing a foot home, unless the body has to be caught.
    fn return_on(
        &mut self,
        situation: &Situation,
        time: f64,
        foot: usize,
        swing: SoleSwing,
    ) -> StepPhase {
        let stance = situation.sole(1 - foot);
        let progress = swing.progress(time);
        if stance.depth(situation.capture) < -0.02 {
            self.steps += 1;
            self.lead = Some(foot);
            let hold = situation.foothold(foot, None, &self.limits);
            return StepPhase::Step { foot, swing: SoleSwing { to: hold.to, ..swing } };
        }
        if (progress > 0.6 && situation.senses.load[foot] > 20.0) || progress > 2.0 {
            self.landed = time;
            self.calm_since = time;
            (self.lead, self.joins) = (None, false);
            return StepPhase::Stand;
        }
        self.phase
    }

    /// Goes on shifting weight until a foot can go home.
    fn shift_on(&mut self, situation: &Situation, time: f64, foot: usize, since: f64) -> StepPhase {
        let stance = situation.sole(1 - foot);
        let (at, speed) = (situation.capture, situation.senses.velocity.length());
        let limits = &self.limits;
        let (deep, slow) = if self.joins {
            (limits.join_depth, limits.join_speed)
        } else {
            (limits.home_depth, limits.home_speed)
        };
        if stance.depth(at) > deep && speed < slow {
            self.returns += 1;
            let swing = SoleSwing {
                from: situation.soles[foot],
                to: situation.home(foot, &self.limits),
                began: time,
                duration: self.limits.home,
                clearance: self.limits.clearance,
                seek: self.limits.seek,
            };
            return StepPhase::Return { foot, swing };
        }
        if time > since + 3.0 {
            // It stays as it is: who cannot shift its weight would try for ever.
            (self.lead, self.joins, self.stays) = (None, false, true);
            self.calm_since = time;
            return StepPhase::Stand;
        }
        self.phase
    }

    /// Stands; brings feet home once all is calm.
    fn stand_on(&mut self, situation: &Situation, time: f64) -> StepPhase {
        if situation.senses.velocity.length() > 0.08 {
            self.calm_since = time;
        }
        if let Some(lead) = self.lead.filter(|_| self.joins && self.return_feet) {
            return StepPhase::Shift { foot: 1 - lead, since: time };
        }
        if !self.return_feet || self.stays || time < self.calm_since + self.limits.calm {
            return StepPhase::Stand;
        }
        let home = |foot: usize| situation.home(foot, &self.limits);
        let away = |foot: usize| (home(foot) - situation.soles[foot]).length();
        if away(0).max(away(1)) < self.limits.away {
            self.lead = None;
            return StepPhase::Stand;
        }
        // The foot that carries less has less to hand over.
        let light = usize::from(situation.senses.load[1] < situation.senses.load[0]);
        let foot = self.lead.map_or(light, |lead| 1 - lead);
        StepPhase::Shift { foot, since: time }
    }

    /// Lifts the foot that catches the body better.
    fn begin_step(&mut self, situation: &Situation, time: f64) -> StepPhase {
        let limits = &self.limits;
        let holds: [Foothold; 2] = [0, 1].map(|foot| situation.foothold(foot, None, limits));
        let again = |foot: usize| if self.lead == Some(foot) { limits.alternate } else { 0.0 };
        let foot = usize::from(holds[1].miss + again(1) < holds[0].miss + again(0));
        self.steps += 1;
        (self.lead, self.joins, self.stays) = (Some(foot), false, false);
        let swing = SoleSwing {
            from: situation.soles[foot],
            to: holds[foot].to,
            began: time,
            duration: holds[foot].duration,
            clearance: limits.clearance,
            seek: limits.seek,
        };
        StepPhase::Step { foot, swing }
    }
}
