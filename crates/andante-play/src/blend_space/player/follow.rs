//! How the mix of clips follows a demand.

use super::{GaitPlayer, mix};
use crate::blend_space::BoundaryPoint;
use crate::repertoire::ClipClass;
use andante_skeleton::CrossFade;

/// Weights this close to their goal have reached it.
const REACHED: f32 = 1e-4;

/// The mix within one family.
#[derive(Clone, Debug)]
pub(super) struct FamilyState {
    pub weights: Vec<f32>,
    pub goal: Vec<f32>,
    pub rate: f32,
    pub met: BoundaryPoint,
}

impl FamilyState {
    pub fn new(members: usize) -> Self {
        let nothing = vec![0.0; members];
        Self { weights: nothing.clone(), goal: nothing, rate: 1.0, met: BoundaryPoint::default() }
    }
}

impl GaitPlayer {
    /// The mix of the demand, at once.
    pub(super) fn settle(&mut self) {
        self.aim();
        for state in &mut self.families {
            state.weights.copy_from_slice(&state.goal);
            state.rate = state.met.rate;
        }
        self.combine();
        self.step(0.0);
    }

    /// Works out the goal of every family.
    fn aim(&mut self) {
        for (family, state) in self.repertoire.families().iter().zip(&mut self.families) {
            if let Some(met) = family.space().weights(self.demand, &mut state.goal) {
                state.met = met;
            }
        }
    }

    /// Moves the mix towards the demand.
    pub(super) fn follow(&mut self, dt: f32) {
        self.aim();
        let free = self.is_free();
        self.choose_family(free);
        self.fade.advance(dt);
        let share = match self.options.response {
            _ if !free => 0.0,
            response if response > 0.0 => 1.0 - libm::expf(-dt / response),
            _ => 1.0,
        };
        let fading = !self.fade.is_done();
        for (index, state) in self.families.iter_mut().enumerate() {
            if index != self.family && !fading {
                // Not heard: ready for when it is.
                state.weights.copy_from_slice(&state.goal);
                continue;
            }
            let mut farthest: f32 = 0.0;
            for (weight, goal) in state.weights.iter_mut().zip(&state.goal) {
                *weight += (goal - *weight) * share;
                farthest = farthest.max((goal - *weight).abs());
            }
            if farthest < REACHED {
                state.weights.copy_from_slice(&state.goal);
            }
            state.rate += (state.met.rate - state.rate) * share;
        }
        self.combine();
    }

    /// The speed between walking and running, if there are both.
    pub(super) fn border(&self) -> Option<f32> {
        let [walk, run] = self.repertoire.families() else { return None };
        Some(0.5 * (walk.speed_range()[1] + run.speed_range()[0]))
    }

    /// Walking or running, as the speed asks for; a change begins when no two feet are down.
    fn choose_family(&mut self, free: bool) {
        let Some(border) = self.border() else { return };
        let wanted = match self.family {
            0 if self.demand.x > border + self.options.hysteresis => 1,
            1 if self.demand.x < border - self.options.hysteresis => 0,
            same => same,
        };
        if wanted != self.family && self.fade.is_done() && free && self.agree() {
            self.family = wanted;
            self.fade = CrossFade::new(self.options.fade);
        }
    }

    /// Whether all families have the same feet down in what they would play.
    fn agree(&self) -> bool {
        let clips = self.repertoire.clips();
        let down = |family: usize, foot: usize| {
            let (members, state) =
                (self.repertoire.families()[family].members(), &self.families[family]);
            let heard = |(&clip, goal): (&usize, &f32)| {
                let gait = *goal > mix::SILENT && clips[clip].class() != ClipClass::Stand;
                gait && clips[clip].feet()[foot].down(self.phase).contains(&true)
            };
            members.iter().zip(&state.goal).any(heard)
        };
        (0..self.feet.len())
            .all(|foot| (1..self.families.len()).all(|f| down(f, foot) == down(0, foot)))
    }

    /// The weights of all clips from those of the families.
    fn combine(&mut self) {
        self.weights.fill(0.0);
        self.rate = 0.0;
        let share = if self.families.len() > 1 { self.fade.weight() } else { 1.0 };
        for (index, (family, state)) in
            self.repertoire.families().iter().zip(&self.families).enumerate()
        {
            let share = if index == self.family { share } else { 1.0 - share };
            for (&clip, weight) in family.members().iter().zip(&state.weights) {
                self.weights[clip] += weight * share;
            }
            self.rate += state.rate * share;
        }
    }

    /// Whether the mix may change: not with two feet down.
    fn is_free(&self) -> bool {
        let family = &self.repertoire.families()[self.family];
        if !(self.options.wait_for_single_support && family.has_single_support()) {
            return true;
        }
        // Somebody who stands on both feet is free to set off: what counts is the gait to come.
        let state = &self.families[self.family];
        let clips = self.repertoire.clips();
        let down = |foot: &usize| {
            family.members().iter().enumerate().any(|(member, &clip)| {
                let heard = state.weights[member].max(state.goal[member]) > mix::SILENT;
                let gait = heard && clips[clip].class() != ClipClass::Stand;
                gait && clips[clip].feet()[*foot].down(self.phase).contains(&true)
            })
        };
        (0..self.feet.len()).filter(down).count() < 2
    }
}
