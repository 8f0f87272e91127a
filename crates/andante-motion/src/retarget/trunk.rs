//! Hips, spine, neck and head, however many joints they have.

use super::actor::RestMeasures;
use glam::Vec3;

/// The chain from the hips to the head.
pub(super) struct SpineChain {
    /// Hips first, head (or else the last joint of the spine) last.
    pub chain: Vec<usize>,
    /// Index in the chain of the joint that carries the arms; the last one if there are none.
    carrier: usize,
}

impl SpineChain {
    pub fn new(body: &RestMeasures) -> Self {
        let (rig, skeleton) = (body.actor.rig, body.actor.skeleton);
        // Along the tree, whatever the rig lists.
        let top = rig.head.or(rig.spine.last().copied()).unwrap_or(rig.hips);
        let mut chain: Vec<usize> =
            skeleton.ancestors(top).take_while(|&joint| joint != rig.hips).collect();
        chain.push(rig.hips);
        chain.reverse();
        let carrier = rig.arms.iter().find_map(|arm| {
            let shoulder = *arm.chain.first()?;
            let above = skeleton.ancestors(shoulder).find(|joint| chain.contains(joint))?;
            chain.iter().position(|&joint| joint == above)
        });
        let carrier = carrier.filter(|&index| index > 0).unwrap_or(chain.len() - 1);
        Self { chain, carrier }
    }

    /// The back, from the first joint above the hips to the one that carries the arms, and the neck,
    /// from the first joint above that one to the head.
    pub fn sections(&self) -> [&[usize]; 2] {
        let last = self.chain.len() - 1;
        let from = |start: usize, end: usize| &self.chain[start.min(end)..=end];
        [from(1, self.carrier), from(self.carrier + 1, last)]
    }

    /// The place of every joint along the trunk: 0 at the hips, up to 1 along the back, up to 2 along the neck. A joint
    /// counts where the middle of its bone is.
    pub fn places(&self, body: &RestMeasures) -> Vec<(usize, f32)> {
        let length = |joint: usize| body.actor.skeleton.joint(joint).rest.translation.length();
        let mut places = vec![(self.chain[0], 0.0)];
        for (section, base) in self.sections().into_iter().zip([0.0, 1.0]) {
            let total: f32 = section.iter().skip(1).map(|&joint| length(joint)).sum();
            let mut below = 0.0;
            for pair in section.windows(2) {
                let bone = length(pair[1]);
                let middle = if total > 1e-6 { (below + 0.5 * bone) / total } else { 0.5 };
                places.push((pair[0], base + middle));
                below += bone;
            }
            if let Some(&end) = section.last()
                && places.iter().all(|&(joint, _)| joint != end)
            {
                places.push((end, base + 1.0));
            }
        }
        places
    }

    /// The direction of a section at rest.
    pub fn direction(&self, body: &RestMeasures, section: usize) -> Vec3 {
        match self.sections()[section] {
            [start, .., end] => body.rest[*end].translation - body.rest[*start].translation,
            _ => Vec3::ZERO,
        }
    }
}
