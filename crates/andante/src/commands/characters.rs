//! `andante characters`.

use crate::args::CharactersArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, FAINT, table, write, written};
use andante_body::{Body, CREATURES, creature, write_body};
use andante_formats::{Asset, write_file};
use andante_skeleton::{Character, Clip, Foot, JointLimit, Pose, humanoid};
use serde_json::{Value, json};
use std::path::Path;

/// Everything that is built in.
pub fn built_in() -> Vec<Character> {
    vec![humanoid()]
}

pub fn run(args: &CharactersArgs, _: &CliContext) -> Result<CommandReport, Failure> {
    let characters = built_in();
    let Some(name) = &args.name else {
        let bodies = physical()?;
        let feet = |count| if count == 1 { "1 foot".into() } else { format!("{count} feet") };
        let skeletons: Vec<Vec<String>> = characters
            .iter()
            .map(|character| {
                let joints = format!("{} joints", character.skeleton.len());
                let feet = feet(character.rig.feet.len());
                vec![character.name.clone(), joints, feet, character.description.clone()]
            })
            .collect();
        let rows: Vec<Vec<String>> = bodies
            .iter()
            .map(|body| {
                let segments = format!("{} segments", body.segments().len());
                let description = body.parts().description.clone();
                vec![body.name().into(), segments, feet(body.feet().len()), description]
            })
            .collect();
        let text = format!(
            "{BOLD}Skeletons{BOLD:#} {FAINT}for clips and scenes{FAINT:#}\n{}\n\
             {BOLD}Bodies{BOLD:#} {FAINT}for physics and gaits{FAINT:#}\n{}",
            table(&skeletons, &[]),
            table(&rows, &[])
        );
        let json = characters.iter().map(summary).chain(bodies.iter().map(body_summary)).collect();
        return Ok(CommandReport::done(text, json));
    };
    // A character file is what a body is written to; everything else is a skeleton.
    let wants_body =
        args.output.as_ref().is_some_and(|path| path.extension().is_some_and(|e| e == "toml"));
    let is_skeleton = characters.iter().any(|character| character.name == *name);
    if (wants_body || !is_skeleton) && CREATURES.iter().any(|(known, _)| known == name) {
        return show_body(&creature(name)?, args.output.as_deref());
    }
    let Some(character) = characters.iter().find(|character| character.name == *name) else {
        let mut names: Vec<_> =
            characters.iter().map(|character| character.name.as_str()).collect();
        names.extend(CREATURES.iter().map(|(name, _)| *name).filter(|name| *name != "humanoid"));
        return Err(Failure::new(format!("there is no character `{name}`"))
            .hint(format!("built in: {}", names.join(", "))));
    };
    let mut report = CommandReport::done(describe(character), details(character));
    if let Some(path) = &args.output {
        let rest = Pose::rest(&character.skeleton).to_vec();
        let clip = Clip::new("rest", &character.skeleton, 60.0, rest).or_fail()?;
        let asset = Asset::new(character.skeleton.clone(), vec![clip]);
        report.text.push_str(&written(&write_file(path, &asset, &Default::default())?));
    }
    Ok(report)
}

/// A physical character; written as the character file that it was read from, comments included.
fn show_body(body: &Body, output: Option<&Path>) -> Result<CommandReport, Failure> {
    let rows: Vec<Vec<String>> = body
        .segments()
        .iter()
        .map(|segment| {
            let stiffness = segment.joint.map_or(String::new(), |joint| {
                let values = joint.stiffness[..joint.dof()].iter().map(|k| format!("{k}"));
                format!("{} N·m/rad", values.collect::<Vec<_>>().join(", "))
            });
            let parent = segment.joint.map(|joint| body.segments()[joint.parent].name.clone());
            vec![
                segment.name.clone(),
                parent.unwrap_or_default(),
                format!("{:.2} kg", segment.mass.mass),
                stiffness,
            ]
        })
        .collect();
    let feet: Vec<_> = body.feet().iter().map(|foot| foot.name.as_str()).collect();
    let poses: Vec<_> = body.poses().iter().map(|pose| pose.name.as_str()).collect();
    let text = format!(
        "{BOLD}{}{BOLD:#}: {}\n{FAINT}segments with parent, mass and stiffness of the joint{FAINT:#}\n{}feet: {}\nrest poses: {}\n",
        body.name(),
        body.parts().description,
        table(&rows, &[2]),
        feet.join(", "),
        poses.join(", "),
    );
    let mut report = CommandReport::done(text, body_summary(body));
    if let Some(path) = output {
        if path.extension().is_none_or(|extension| extension != "toml") {
            return Err(Failure::of_file(path, "a physical character is a .toml file"));
        }
        let known = CREATURES.iter().find(|(name, _)| *name == body.name());
        let text = known.map_or_else(|| write_body(body), |(_, text)| (*text).into());
        write(path, text.as_bytes())?;
        report.text.push_str(&written(&[path.into()]));
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
