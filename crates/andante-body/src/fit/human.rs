//! What parts weigh.

use super::FitOptions;
use super::group::Groups;
use super::measure::SkinBox;
use andante_skeleton::{Character, Foot};

/// Fractions of body mass, means of men and women: P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
/// parameters", Journal of Biomechanics 29 (1996), table 4.
mod fraction {
    pub const HEAD: f64 = 0.0681;
    pub const TRUNK: f64 = 0.4302;
    pub const UPPER_ARM: f64 = 0.0263;
    pub const FOREARM: f64 = 0.0150;
    pub const HAND: f64 = 0.0059;
    pub const THIGH: f64 = 0.1447;
    pub const SHANK: f64 = 0.0457;
    pub const FOOT: f64 = 0.0133;
}

/// Height of the hip joints as a part of stature: R. Drillis and R. Contini, "Body segment parameters" (1966).
pub(crate) const HIP_HEIGHT: f64 = 0.530;

/// The mass of each segment.
pub(super) fn masses(
    character: &Character,
    groups: &Groups,
    boxes: &[SkinBox],
    options: &FitOptions,
) -> Vec<f64> {
    let volumes: Vec<f64> = boxes.iter().map(SkinBox::volume).collect();
    let total: f64 = volumes.iter().sum();
    if !is_human(character) {
        let density = options.mass.map_or(options.density, |mass| mass / total);
        return volumes.iter().map(|volume| volume * density).collect();
    }
    let mass = options.mass.unwrap_or_else(|| options.body_mass_index * stature(character).powi(2));
    let parts = parts(character, groups);
    let mut shares: Vec<f64> = parts.iter().map(|(_, fraction)| *fraction).collect();
    // A part that several segments make up is shared by volume; a part that none makes up is left out.
    let mut sums = vec![0.0; parts.len()];
    let of_segment = segment_parts(groups, &parts);
    for (part, volume) in of_segment.iter().zip(&volumes) {
        sums[*part] += volume;
    }
    for (share, sum) in shares.iter_mut().zip(&sums) {
        if *sum <= 0.0 {
            *share = 0.0;
        }
    }
    let scale = mass / shares.iter().sum::<f64>();
    of_segment
        .iter()
        .zip(&volumes)
        .map(|(part, volume)| scale * shares[*part] * volume / sums[*part])
        .collect()
}

/// Standing height by the length of the legs: people are captured with their legs apart, and skeletons end at the neck.
fn stature(character: &Character) -> f64 {
    let skeleton = &character.skeleton;
    let models = skeleton.rest_models();
    let place = |joint: usize| models[joint].translation;
    let length = |foot: &Foot| {
        let bones: f32 =
            foot.leg.windows(2).map(|pair| place(pair[0]).distance(place(pair[1]))).sum();
        f64::from(bones + (place(foot.ankle()).y - foot.heel.position(&models).y).abs())
    };
    let feet = &character.rig.feet;
    feet.iter().map(length).sum::<f64>() / feet.len() as f64 / HIP_HEIGHT
}

/// Two legs of thigh, shank and foot, two arms with hands, and a head.
fn is_human(character: &Character) -> bool {
    let rig = &character.rig;
    rig.feet.len() == 2
        && rig.feet.iter().all(|foot| foot.leg.len() == 3)
        && rig.arms.len() == 2
        && rig.arms.iter().all(|arm| arm.chain.len() >= 3)
        && rig.head.is_some()
}

/// The joint from which each part of a human begins, with its fraction; the trunk first.
fn parts(character: &Character, groups: &Groups) -> Vec<(usize, f64)> {
    let rig = &character.rig;
    let mut parts = vec![(groups.joints[0], fraction::TRUNK)];
    parts.extend(rig.head.map(|head| (head, fraction::HEAD)));
    for arm in &rig.arms {
        let fractions = [fraction::UPPER_ARM, fraction::FOREARM, fraction::HAND];
        parts.extend(arm.chain.iter().copied().zip(fractions));
    }
    for foot in &rig.feet {
        let fractions = [fraction::THIGH, fraction::SHANK, fraction::FOOT];
        parts.extend(foot.leg.iter().copied().zip(fractions));
    }
    parts
}

/// For each segment the part it belongs to: its own, or its parent's.
fn segment_parts(groups: &Groups, parts: &[(usize, f64)]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::with_capacity(groups.joints.len());
    for (segment, &joint) in groups.joints.iter().enumerate() {
        let own = parts.iter().position(|(first, _)| *first == joint);
        let inherited = groups.parents[segment].map_or(0, |parent| found[parent]);
        found.push(own.unwrap_or(inherited));
    }
    found
}
