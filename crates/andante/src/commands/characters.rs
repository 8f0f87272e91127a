//! `andante characters`.

use crate::args::CharactersArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{BOLD, FAINT, Report, table};
use andante_body::{Body, CREATURES, creature};
use andante_formats::{Asset, gltf, write_file};
use andante_skeleton::{Character, Clip, Foot, JointLimit, Pose, humanoid};
use serde_json::{Value, json};

/// Everything that is built in.
pub fn built_in() -> Vec<Character> {
    vec![humanoid()]
}

pub fn run(args: &CharactersArgs, _: &Context) -> Result<Report, Failure> {
    let characters = built_in();
    let Some(name) = &args.name else {
        let bodies = physical()?;
        let mut rows: Vec<Vec<String>> = characters
            .iter()
            .map(|character| {
                let joints = format!("{} joints", character.skeleton.len());
                let feet = format!("{} feet", character.rig.feet.len());
                vec![character.name.clone(), joints, feet, character.description.clone()]
            })
            .collect();
        rows.extend(bodies.iter().map(|body| {
            let segments = format!("{} segments", body.segments().len());
            let feet = format!("{} feet", body.feet().len());
            vec![body.name().into(), segments, feet, body.parts().description.clone()]
        }));
        let json = characters.iter().map(summary).chain(bodies.iter().map(body_summary)).collect();
        return Ok(Report::done(table(&rows, &[]), json));
    };
    let Some(character) = characters.iter().find(|character| character.name == *name) else {
        let names: Vec<_> = characters.iter().map(|character| character.name.as_str()).collect();
        return Err(Failure::new(format!("there is no character `{name}`"))
            .hint(format!("built in: {}", names.join(", "))));
    };
    let mut report = Report::done(describe(character), details(character));
    if let Some(path) = &args.output {
        let rest = Pose::rest(&character.skeleton).to_vec();
        let clip = Clip::new("rest", &character.skeleton, 60.0, rest)
            .map_err(|error| Failure::new(error.to_string()))?;
        let asset = Asset::new(character.skeleton.clone(), vec![clip]);
        let written = write_file(path, &asset, &gltf::WriteOptions::default())?;
        for path in &written {
            report.text.push_str(&format!("written to {}\n", path.display()));
        }
    }
    Ok(report)
}

/// All built-in physical characters.
fn physical() -> Result<Vec<Body>, Failure> {
    CREATURES.iter().map(|(name, _)| Ok(creature(name)?)).collect()
}

fn body_summary(body: &Body) -> Value {
    json!({
        "name": body.name(),
        "description": body.parts().description,
        "segments": body.segments().len(),
        "joint_angles": body.internal_dof(),
        "mass_kg": body.total_mass(),
        "feet": body.feet().len(),
        "poses": body.poses().iter().map(|pose| pose.name.as_str()).collect::<Vec<_>>(),
        "physical": true,
    })
}

fn summary(character: &Character) -> Value {
    json!({
        "name": character.name,
        "description": character.description,
        "joints": character.skeleton.len(),
        "feet": character.rig.feet.len(),
    })
}

fn describe(character: &Character) -> String {
    let skeleton = &character.skeleton;
    let models = skeleton.rest_models();
    let rows: Vec<Vec<String>> = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(index, joint)| {
            let depth = skeleton.ancestors(index).count() - 1;
            let at = models[index].translation;
            vec![
                format!("{}{}", "  ".repeat(depth), joint.name),
                format!("{:.3}", at.x),
                format!("{:.3}", at.y),
                format!("{:.3}", at.z),
                limit_text(&joint.limit),
            ]
        })
        .collect();
    let feet: Vec<_> = character.rig.feet.iter().map(|foot| foot.name.as_str()).collect();
    format!(
        "{BOLD}{}{BOLD:#}: {}\n{FAINT}joints with rest position in metres and range of motion{FAINT:#}\n{}feet: {}\n",
        character.name,
        character.description,
        table(&rows, &[1, 2, 3]),
        feet.join(", "),
    )
}

fn limit_text(limit: &JointLimit) -> String {
    let degrees =
        |range: &[f32; 2]| format!("{:.0}…{:.0}°", range[0].to_degrees(), range[1].to_degrees());
    match limit {
        JointLimit::Free => String::new(),
        JointLimit::Fixed => "fixed".into(),
        JointLimit::Hinge { range, .. } => format!("hinge {}", degrees(range)),
        JointLimit::Ball { twist, swing_a, swing_b, .. } => {
            format!("ball {} × {}, twist {}", degrees(swing_a), degrees(swing_b), degrees(twist))
        }
    }
}

fn details(character: &Character) -> Value {
    let skeleton = &character.skeleton;
    let name = |joint: usize| skeleton.joint(joint).name.clone();
    let joints: Vec<_> = skeleton
        .joints()
        .iter()
        .map(|joint| {
            json!({
                "name": joint.name,
                "parent": joint.parent.map(name),
                "offset": joint.rest.translation.to_array(),
                "limit": limit_text(&joint.limit),
            })
        })
        .collect();
    let foot = |foot: &Foot| {
        json!({
            "name": foot.name,
            "leg": foot.leg.iter().map(|&joint| name(joint)).collect::<Vec<_>>(),
            "toes": foot.toes.map(name),
        })
    };
    let mut json = summary(character);
    json["joints"] = joints.into();
    json["feet"] = character.rig.feet.iter().map(foot).collect();
    json
}
