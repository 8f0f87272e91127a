//! The closed form behind the interface of the other solvers.

use crate::{IkReport, IkTarget, Solver};
use andante_skeleton::Transform;
use andante_skeleton::{TwoBone, TwoBoneOptions};

/// A [`TwoBone`] with its options, to be exchanged for and compared with the iterative solvers. Limits are
/// not its business, except that the middle joint bends about its axis and to its side.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoBoneSolver {
    limb: TwoBone,
    options: TwoBoneOptions,
    joints: [usize; 3],
}

impl TwoBoneSolver {
    /// A limb and how to solve it.
    pub fn new(limb: TwoBone, options: TwoBoneOptions) -> Self {
        Self { limb, options, joints: limb.joints() }
    }
}

impl Solver for TwoBoneSolver {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        let [target] = targets else { return IkReport::REFUSED };
        if !target.is_finite() {
            return IkReport::REFUSED;
        }
        if !target.active() {
            return IkReport { reached: true, residual: 0.0, iterations: 0 };
        }
        let solved = match target.rotation {
            Some(rotation) => {
                let place = Transform::new(rotation, target.position);
                self.limb.solve(&place, &self.options, locals, models)
            }
            None => self.limb.solve_position(target.position, &self.options, locals, models),
        };
        IkReport { reached: solved.reached, residual: solved.residual, iterations: 1 }
    }

    fn joints(&self) -> &[usize] {
        &self.joints
    }
}
