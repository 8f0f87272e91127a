//! Getting going and coming to a stand: from one walk to the next slower or faster one, a step at a time.

use andante_dynamics::{Vec3, vec3};

use super::cycle::WalkCycle;
use super::options::WalkOptions;

/// Walks of one body, from slow to fast.
#[derive(Clone, Debug)]
pub struct Ladder {
    rungs: Vec<WalkCycle>,
}

impl Ladder {
    /// Walks from slow to fast; `None` if there are none.
    pub fn new(rungs: Vec<WalkCycle>) -> Option<Self> {
        (!rungs.is_empty()).then_some(Ladder { rungs })
    }
}

/// A way to a place, step by step.
#[derive(Clone, Debug)]
pub(super) struct StepCourse {
    options: WalkOptions,
    /// The walk that is under way is not among them: its place holds the one it was taken for.
    rungs: Vec<WalkCycle>,
    rung: usize,
    goal: Vec3<f64>,
    /// Half the distance of the feet in standing.
    half_width: f64,
    stretch: [f64; 2],
    over: bool,
}

impl StepCourse {
    pub fn new(ladder: &Ladder, goal: Vec3<f64>, half_width: f64, options: WalkOptions) -> Self {
        let rungs = ladder.rungs.clone();
        StepCourse { options, rungs, rung: 0, goal, half_width, stretch: [0.0; 2], over: false }
    }

    pub fn slowest(&self) -> &WalkCycle {
        &self.rungs[0]
    }

    /// By how much farther to the left and ahead than the walk's the next step is to be.
    pub fn stretch(&self) -> [f64; 2] {
        self.stretch
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Ends as soon as it can, slower with every step, from where a foot is.
    pub fn stop(&mut self, at: Vec3<f64>, heading: f64, walk: &WalkCycle) {
        let (sin, cos) = libm::sincos(heading);
        let slower: f64 = self.rungs[..self.rung].iter().map(|rung| 0.5 * rung.stride).sum();
        // The step that is being made, and one more so as not to be in a hurry.
        let room = slower + walk.stride;
        let ahead = (self.goal.x - at.x) * sin + (self.goal.z - at.z) * cos;
        if room < ahead {
            self.goal = at + vec3(sin, 0.0, cos) * room;
        }
    }

    /// A foot has come down at a place: chooses the walk of the next step.
    ///
    /// The fastest it may be is that from which there is room to become slower with every step. The last steps are
    /// slow ones, stretched evenly so that the last foot comes down at the goal.
    pub fn strike(&mut self, at: Vec3<f64>, foot: usize, heading: f64, walk: &mut WalkCycle) {
        let (o, (sin, cos)) = (self.options, libm::sincos(heading));
        let aside = (self.goal.x - at.x) * cos - (self.goal.z - at.z) * sin;
        let left = (self.goal.x - at.x) * sin + (self.goal.z - at.z) * cos;
        let mut room = left;
        let mut next = 0;
        for (rung, own) in self.rungs.iter().enumerate().take(self.rung + 2) {
            let length = if rung == self.rung { walk.stride } else { own.stride };
            room -= 0.5 * length;
            if rung > 0 && room < 0.0 {
                break;
            }
            next = rung;
        }
        if next != self.rung {
            std::mem::swap(walk, &mut self.rungs[self.rung]);
            std::mem::swap(walk, &mut self.rungs[next]);
            self.rung = next;
        }
        let aside = aside + walk.strikes[foot].x;
        self.stretch = [(0.5 * aside).clamp(-o.sidestep, o.sidestep), 0.0];
        if next == 0 {
            let length = 0.5 * walk.stride;
            let steps = (left / length).round();
            self.over = steps < 1.0;
            if (1.0..4.0).contains(&steps) {
                if steps < 2.0 {
                    // The last foot comes down as far aside as it will stand.
                    let own = walk.strikes[1 - foot].x;
                    let wide = aside - own + self.half_width.copysign(own);
                    self.stretch[0] = wide.clamp(-o.widen, o.widen);
                }
                self.stretch[1] = (left / steps - length).clamp(-o.stretch, o.stretch);
            }
        }
    }
}
