//! Which joint of a motion stands for which of a character, as a file that people can read and correct.

use crate::failure::Failure;
use andante_formats::ReadLimits;
use andante_formats::gate::read_text;
use andante_motion::retarget::RetargetReport;
use andante_skeleton::{Joint, Rig, Side, Skeleton};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines of `character joint = motion joint`; what comes after `#` is a remark.
pub fn text(report: &RetargetReport) -> String {
    let mut text = String::from(
        "# joint of the character = joint of the motion; a line that is left out keeps its joint at rest\n",
    );
    for (target, source) in &report.matched {
        text.push_str(&format!("{target} = {source}\n"));
    }
    for target in &report.resting {
        text.push_str(&format!("# {target} =\n"));
    }
    text
}

/// The joints of the motion, by those of the character.
pub type BoneMap = BTreeMap<String, String>;

/// Reads a map; joints that neither skeleton has are refused with their line.
pub fn read(
    path: &Path,
    (source, target): (&Skeleton, &Skeleton),
    limits: &ReadLimits,
) -> Result<BoneMap, Failure> {
    let mut map = BoneMap::new();
    for (number, line) in read_text(path, limits)?.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let fail = |what: String| Failure::of_file(path, format!("line {}: {what}", number + 1));
        if line.is_empty() {
            continue;
        }
        let Some((to, from)) = line.split_once('=') else {
            return Err(fail(format!("`{line}` is not `character joint = motion joint`")));
        };
        let (to, from) = (to.trim(), from.trim());
        for (name, skeleton, whose) in [(to, target, "character"), (from, source, "motion")] {
            if skeleton.find(name).is_none() {
                return Err(fail(format!("the {whose} has no joint `{name}`")));
            }
        }
        if map.insert(to.to_owned(), from.to_owned()).is_some() {
            return Err(fail(format!("`{to}` has a line already")));
        }
    }
    Ok(map)
}

/// The skeleton of a motion with the names that say what its joints are mapped to; what is mapped to nothing gets a name that
/// says nothing.
pub fn renamed(
    source: &Skeleton,
    (target, rig): (&Skeleton, &Rig),
    map: &BoneMap,
) -> Result<Skeleton, Failure> {
    let roles = role_names(target, rig);
    let mut joints: Vec<Joint> = source.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        joint.name = format!("unmapped.{index}");
    }
    // One joint of a motion may move several of a character: its role counts.
    for (to, from) in map.iter().rev() {
        let (Some(to), Some(from)) = (target.find(to), source.find(from)) else { continue };
        let role = roles.get(&to).cloned();
        let name = role.clone().unwrap_or_else(|| target.joint(to).name.clone());
        if role.is_some() || joints[from].name.starts_with("unmapped.") {
            joints[from].name = name;
        }
    }
    Skeleton::new(joints).map_err(|error| Failure::new(format!("--map: {error}")))
}

/// Names by which joints with a role are recognised.
fn role_names(target: &Skeleton, rig: &Rig) -> BTreeMap<usize, String> {
    let side = |side: Side| match side {
        Side::Left => "Left",
        Side::Right => "Right",
        Side::Middle => "",
    };
    let mut names = BTreeMap::new();
    names.insert(rig.hips, "Hips".to_owned());
    for (number, &joint) in rig.spine.iter().enumerate() {
        names.insert(joint, format!("Spine{number}"));
    }
    if let Some(head) = rig.head {
        names.insert(head, "Head".to_owned());
    }
    let mut limb = |chain: &[usize], row: usize, words: [&str; 3], of: &str| {
        for (number, &joint) in chain.iter().enumerate() {
            let word = match number {
                0 => words[0],
                _ if number + 1 == chain.len() => words[2],
                _ => words[1],
            };
            let extra = if number > 1 && number + 1 < chain.len() { "More" } else { "" };
            let row = if row > 0 { format!("{row}") } else { String::new() };
            names.insert(joint, format!("{of}{word}{extra}{row}"));
        }
    };
    for (row, foot) in rig.feet.iter().enumerate() {
        limb(&foot.leg, row / 2, ["UpLeg", "LowLeg", "Foot"], side(foot.side));
    }
    for (row, arm) in rig.arms.iter().enumerate() {
        limb(&arm.chain, row / 2, ["UpperArm", "ForeArm", "Hand"], side(arm.side));
    }
    for (row, foot) in rig.feet.iter().enumerate() {
        if let Some(toes) = foot.toes {
            let row = if row > 1 { format!("{}", row / 2) } else { String::new() };
            names.insert(toes, format!("{}ToeBase{row}", side(foot.side)));
        }
    }
    names.retain(|&joint, _| joint < target.len());
    names
}
