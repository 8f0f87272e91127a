//! A found gait as motion: one cycle that can be repeated for ever.

use crate::BodyState;
use crate::held::lap_course::{LapCourse, PlanarFrame};
use crate::problem::gait_problem::GaitProblem;
use crate::problem::gait_setup::GaitSetup;
use crate::problem::options::PlaybackOptions;
use crate::problem::pulse_controller::PulseController;
use andante_body::RigidPartsMesh;
use andante_skeleton::{Clip, ClipError, Transform};
use glam::DVec3;

/// One cycle, step by step of the simulation.
#[derive(Clone, Debug)]
pub struct GaitCycle {
    /// Where the body is; the last is the first one again, farther on.
    pub states: Vec<BodyState>,
    /// For each foot, at each of `states`, whether toe and heel are down.
    pub down: Vec<Vec<[bool; 2]>>,
    /// Seconds between states.
    pub step: f64,
    /// Seconds.
    pub period: f64,
    /// How far a cycle leads.
    pub stride: DVec3,
    /// By how much it turns, rad; positive turns left.
    pub turn: f64,
    /// How it is shown.
    pub(crate) playback: PlaybackOptions,
}

impl GaitCycle {
    /// One cycle of a candidate, as it is shown: the simulation of the evaluated part, led to its exact end over its last tenth
    /// and mirrored where only half a cycle was evaluated (P1). The tolerances keep what is changed small.
    pub fn new(problem: &GaitProblem, candidate: &PulseController) -> Self {
        let setup = &problem.setup;
        let mut states: Vec<BodyState> = Vec::new();
        let mut down: Vec<Vec<[bool; 2]>> = vec![Vec::new(); setup.simulator.feet.len()];
        let mut frame = PlanarFrame::default();
        for lap in candidate.laps() {
            let (mut lapped, feet) = record(setup, &lap);
            lead_to_goal(setup, &mut lapped, &lap);
            // Halves share the state between them.
            let shared = usize::from(!states.is_empty());
            states.extend(lapped[shared..].iter().map(|state| frame.global(state)));
            down.iter_mut().zip(feet).for_each(|(down, foot)| down.extend(&foot[shared..]));
            if let Some(end) = lapped.last() {
                frame = frame.after(end, end.position, setup.sketch.turn * lap.length());
            }
        }
        let length = states.len() - 1;
        if let Some(mirror) = &setup.mirror {
            let ahead = DVec3::Z * (states[length].position.z - states[0].position.z);
            let other: Vec<BodyState> = states[1..]
                .iter()
                .map(|state| {
                    let mut state = state.mirrored(mirror);
                    state.position += ahead;
                    state
                })
                .collect();
            states.extend(other);
            let partner = |foot: usize| mirror.partner_foot(&setup.simulator.body, foot);
            let halves: Vec<Vec<[bool; 2]>> =
                (0..down.len()).map(|foot| down[partner(foot)][1..].to_vec()).collect();
            down.iter_mut().zip(halves).for_each(|(foot, half)| foot.extend(half));
        }
        let stride = states[states.len() - 1].position - states[0].position;
        let period = setup.whole_cycle(candidate).length();
        let turn = setup.sketch.turn * period;
        let playback = setup.options.playback;
        Self {
            playback,
            period,
            step: period / (states.len() - 1) as f64,
            states,
            down,
            stride,
            turn,
        }
    }

    /// The state at a time, of the cycle repeated for ever.
    pub fn at(&self, time: f64) -> BodyState {
        let laps = (time / self.period).floor();
        let most = (self.states.len() - 1) as f64;
        let place = ((time - laps * self.period) / self.step).clamp(0.0, most);
        let start = self.states[0].position;
        let course = LapCourse::new(start, start + self.stride, self.turn);
        course.after(laps, &between(&self.states, place))
    }

    /// The contacts of the toe (0) or heel (1) of a foot, in seconds from the beginning of the cycle.
    pub fn contacts(&self, foot: usize, part: usize) -> Vec<[f64; 2]> {
        let mut intervals: Vec<[f64; 2]> = Vec::new();
        let Some(down) = self.down.get(foot) else { return intervals };
        let mut open = None;
        for (index, parts) in down.iter().enumerate() {
            let time = index as f64 * self.step;
            match (parts.get(part).copied().unwrap_or(false), open) {
                (true, None) => open = Some(time),
                (false, Some(start)) => {
                    intervals.push([start, time]);
                    open = None;
                }
                _ => {}
            }
        }
        if let Some(start) = open {
            intervals.push([start, self.period]);
        }
        intervals
    }

    /// The part of the cycle in which no foot is down.
    pub fn aerial_fraction(&self) -> f64 {
        let count = self.states.len();
        let flying = (0..count)
            .filter(|&index| self.down.iter().all(|foot| foot[index] == [false; 2]))
            .count();
        flying as f64 / count.max(1) as f64
    }

    /// As a clip of the body's [`RigidPartsMesh`], repeated: one cycle is cyclic, its last frame being the first one again.
    pub fn clip(
        &self,
        problem: &GaitProblem,
        puppet: &RigidPartsMesh,
        name: &str,
        cycles: usize,
    ) -> Result<Clip, ClipError> {
        // As near to 60 a second as whole frames of a cycle allow.
        let frames = (60.0 * self.period).round().max(2.0);
        let fps = frames / self.period;
        let count = frames as usize * cycles.max(1);
        let mut transforms: Vec<Transform> = Vec::new();
        for frame in 0..=count {
            // Exactly at the end of the last cycle, not at the beginning of the next.
            let state = self.at(frame as f64 / fps);
            transforms.extend(puppet.pose(&state.place(problem.body(), problem.pose())));
        }
        Clip::new(name, &puppet.skeleton, fps as f32, transforms)
    }
}

/// Leads the last tenth of a recording to where it has to end.
fn lead_to_goal(setup: &GaitSetup, states: &mut [BodyState], lap: &PulseController) {
    let length = states.len() - 1;
    // Sideways a mirrored cycle swings about the middle.
    if setup.mirror.is_some() {
        let drift = states[length].position.x - states[0].position.x;
        states.iter_mut().for_each(|state| state.position.x -= 0.5 * drift);
    }
    let end = states[length].clone();
    let mut target = match (&setup.mirror, &lap.goal) {
        (Some(mirror), _) => states[0].mirrored(mirror),
        (None, None) => states[0].turned(setup.sketch.turn * lap.length()),
        (None, Some(goal)) => goal.turned(setup.sketch.turn * lap.length()),
    };
    target.position.z = end.position.z;
    // Wherever a way that turns leads is right.
    if setup.sketch.turn != 0.0 {
        target.position.x = end.position.x;
    }
    let window = ((setup.options.playback.blend * length as f64).ceil() as usize).max(1);
    for (index, state) in states.iter_mut().enumerate().skip(length - window) {
        let part = (index + window - length) as f64 / window as f64;
        let weight = part * part * (3.0 - 2.0 * part);
        state.lead(&end, &target, weight);
    }
}

/// States of the evaluated part as simulated, and which feet are down.
fn record(setup: &GaitSetup, candidate: &PulseController) -> (Vec<BodyState>, Vec<Vec<[bool; 2]>>) {
    let (simulator, down_below) = (&setup.simulator, setup.options.playback.down);
    let mut states = vec![candidate.start.clone()];
    let mut down: Vec<Vec<[bool; 2]>> = vec![Vec::new(); simulator.feet.len()];
    let h = simulator.step();
    if let Some(mut simulation) = simulator.begin(&candidate.start) {
        for step in 0..simulator.count(candidate) {
            simulator.drive(&mut simulation, 0, candidate, step);
            simulation.step();
            states.push(simulator.state(&simulation, 0));
        }
    }
    // As many states, evenly over the exact length.
    let count = (candidate.length() / h).round().max(1.0) as usize;
    let spacing = candidate.length() / count as f64;
    let states: Vec<BodyState> =
        (0..=count).map(|index| between(&states, index as f64 * spacing / h)).collect();
    for (step, state) in states.iter().enumerate() {
        let placed = state.place(&simulator.body, &simulator.pose);
        let (index, ..) = candidate.at((step as f64 - 0.5) * spacing);
        for (foot, points) in simulator.feet.iter().enumerate() {
            let plan = candidate.steps.get(index);
            let active = plan.is_some_and(|plan| simulator.touches(plan, foot));
            let low = |point: DVec3| {
                active && placed[points.segment].transform_point(point).y < down_below
            };
            down[foot].push([low(points.toe), low(points.heel)]);
        }
    }
    (states, down)
}

/// The state at a place between recorded ones.
fn between(states: &[BodyState], place: f64) -> BodyState {
    let last = states.len() - 1;
    let index = (place.max(0.0).floor() as usize).min(last.saturating_sub(1));
    let mut state = states[index].clone();
    state.lead(&states[index], &states[(index + 1).min(last)], place - index as f64);
    state
}
