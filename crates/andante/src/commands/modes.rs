//! `andante modes`.

use super::select;
use crate::args::ModesArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, FAINT, draw, table};
use andante_body::{
    Body, BodyFoot, CREATURES, FitOptions, RestPose, creature, fit, fit_human, read_body_file,
    read_mjcf_file, read_urdf_file,
};
use andante_draw::{Gallery, Sheet, View, body_figure};
use andante_formats::{Format, ReadLimits};
use andante_gait::{Modes, Oscillator, Parity, PinnedPoint, VibrationMode};
use andante_motion::rig;
use andante_skeleton::{Character, SkinnedMesh};
use serde_json::{Value, json};
use std::path::Path;

/// Modes or figures in a row.
pub(super) const COLUMNS: usize = 5;

pub fn run(args: &ModesArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    select::check_picture(args.svg.as_deref())?;
    let body = read(&args.character, &context.limits)?;
    context.warn_of(&args.character, body.remarks());
    let pose = choose_pose(&body, args.pose.as_deref())?;
    let foot = choose_foot(&body, args.foot.as_deref())?;
    let find = |pins: &[PinnedPoint]| Modes::find(&body, pose, pins).or_fail();
    let air = find(&[])?;
    let ground = foot.map(|foot| find(&[PinnedPoint::toe(foot)])).transpose()?;

    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {} segments, {:.1} kg, {} joint angles; springs rest in the pose `{}`\n",
        body.name(),
        body.segments().len(),
        body.total_mass(),
        body.internal_dof(),
        pose.name,
    );
    text.push_str(&list("in the air", &body, &air, args.count));
    if let (Some(foot), Some(ground)) = (foot, &ground) {
        text.push_str(&list(
            &format!("toe of the {} pinned", foot.name),
            &body,
            ground,
            args.count,
        ));
    }
    let all =
        |modes: &Modes| modes.modes.iter().map(|mode| details(&body, mode)).collect::<Vec<_>>();
    let json = json!({
        "character": body.name(),
        "pose": pose.name,
        "poses": body.poses().iter().map(|pose| pose.name.as_str()).collect::<Vec<_>>(),
        "mass_kg": body.total_mass(),
        "segments": body.segments().iter().map(|segment| segment.name.as_str()).collect::<Vec<_>>(),
        "foot": foot.map(|foot| foot.name.as_str()),
        "air": all(&air),
        "ground": ground.as_ref().map(all),
        "rigid_air": air.rigid,
        "rigid_ground": ground.as_ref().map(|ground| ground.rigid),
    });
    let mut report = CommandReport::done(text, json);
    if let Some(path) = &args.svg {
        let sheet = palette(&body, pose, &air, foot.zip(ground.as_ref()), args.count);
        report.text.push_str(&draw(path, &sheet)?);
    }
    Ok(report)
}

/// A built-in body by name, a character file, a robot description, or a body made for the skeleton of a motion file.
pub fn read(character: &str, limits: &ReadLimits) -> Result<Body, Failure> {
    let path = Path::new(character);
    if CREATURES.iter().any(|(name, _)| *name == character) {
        return Ok(creature(character)?);
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        None if !path.exists() => {
            let names = CREATURES.map(|(name, _)| name).join(", ");
            Err(Failure::new(format!("there is no physical character `{character}`"))
                .hint(format!("built in: {names}; or give a file")))
        }
        Some("urdf") => Ok(read_urdf_file(path)?),
        Some("xml" | "mjcf") => Ok(read_mjcf_file(path, limits)?),
        _ if Format::of(path).is_some() => fitted(path, limits),
        _ => Ok(read_body_file(path)?),
    }
}

/// A body for whoever moves in a file.
fn fitted(path: &Path, limits: &ReadLimits) -> Result<Body, Failure> {
    let (character, mesh) = moving(path, limits)?;
    let fitted = fit(&character, mesh.as_ref(), &FitOptions::default());
    Ok(fitted.map_err(|error| Failure::new(error.to_string()).about(path))?.body)
}

/// The same as [`read`], of who is built like a human the body that balances and walks.
pub fn read_standing(character: &str, limits: &ReadLimits) -> Result<Body, Failure> {
    let path = Path::new(character);
    if Format::of(path).is_some() {
        let (character, _) = moving(path, limits)?;
        if let Ok(human) = fit_human(&character, &Default::default()) {
            let mut parts = human.body.into_parts();
            (parts.name, parts.description) = (character.name, character.description);
            return Body::new(parts).or_fail_of(&path.display().to_string());
        }
    }
    read(character, limits)
}

/// Whoever moves in a file, and its skin.
fn moving(path: &Path, limits: &ReadLimits) -> Result<(Character, Option<SkinnedMesh>), Failure> {
    let asset = select::read_plainly(path, limits)?;
    let rig = rig::detect(&asset.skeleton, &asset.clips)
        .map_err(|error| Failure::new(error.to_string()).about(path))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut character = Character::new(name.clone(), asset.skeleton, rig);
    character.description = format!("made for the skeleton of {name}");
    Ok((character, asset.mesh))
}

pub fn choose_pose<'a>(body: &'a Body, name: Option<&str>) -> Result<&'a RestPose, Failure> {
    let Some(name) = name else { return Ok(&body.poses()[0]) };
    body.pose(name).ok_or_else(|| {
        let names: Vec<&str> = body.poses().iter().map(|pose| pose.name.as_str()).collect();
        Failure::new(format!("{} has no pose `{name}`", body.name()))
            .hint(format!("it has {}", names.join(", ")))
    })
}

/// The foot asked for, or the first that counts.
fn choose_foot<'a>(body: &'a Body, name: Option<&str>) -> Result<Option<&'a BodyFoot>, Failure> {
    let Some(name) = name else {
        return Ok(body.feet().iter().find(|foot| !foot.disregarded));
    };
    let found = body.feet().iter().find(|foot| foot.name == name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<&str> = body.feet().iter().map(|foot| foot.name.as_str()).collect();
        Failure::new(format!("{} has no foot `{name}`", body.name()))
            .hint(format!("it has {}", names.join(", ")))
    })
}

fn list(title: &str, body: &Body, modes: &Modes, count: usize) -> String {
    let rows: Vec<Vec<String>> = modes
        .modes
        .iter()
        .take(count)
        .enumerate()
        .map(|(index, mode)| {
            let number = (index + 1).to_string();
            vec![number, format!("{:.2} Hz", mode.hz()), mode.describe(body).text]
        })
        .collect();
    let hidden = modes.modes.len().saturating_sub(count);
    let more = if hidden > 0 { format!(", {hidden} faster ones not shown") } else { String::new() };
    format!(
        "\n{BOLD}{title}{BOLD:#} {FAINT}({} rigid motions{more}){FAINT:#}\n{}",
        modes.rigid,
        table(&rows, &[0, 1])
    )
}

fn details(body: &Body, mode: &VibrationMode) -> Value {
    let description = mode.describe(body);
    let shares: Vec<Value> = description
        .shares
        .iter()
        .filter(|(_, _, share)| *share >= 0.01)
        .map(|&(segment, axis, share)| {
            let (name, axis) = (&body.segments()[segment].name, ["x", "y", "z"][axis]);
            json!({ "segment": name, "axis": axis, "share": share })
        })
        .collect();
    json!({
        "hz": mode.hz(),
        "damping_ratio": Oscillator::from(mode).damping_ratio(),
        "parity": match description.parity {
            Parity::Symmetric => "symmetric",
            Parity::Antisymmetric => "antisymmetric",
            Parity::None => "none",
        },
        "joints": shares,
        "text": description.text,
        "shape": mode.shape,
    })
}

/// The body at rest, then its modes as poses at both ends of the swing.
fn palette(
    body: &Body,
    pose: &RestPose,
    air: &Modes,
    ground: Option<(&BodyFoot, &Modes)>,
    count: usize,
) -> Sheet {
    let mut sheet = Sheet::new(format!("{}: natural modes", body.name()));
    sheet.note(&body.parts().description);
    let placed = body.stand(pose);
    let mut views = Gallery::new(format!("pose `{}`", pose.name), COLUMNS).on_ground();
    for (view, name) in
        [(View::Side, "side"), (View::Front, "front"), (View::Quarter, "three quarters")]
    {
        views = views.figure(body_figure(body, &placed, &[], view), vec![name.into()]);
    }
    sheet.add(views.draw());
    let root = placed[0].translation;
    let mut draw = |title: String, modes: &Modes| {
        let mut gallery = Gallery::new(title, COLUMNS);
        for (index, mode) in modes.modes.iter().take(count).enumerate() {
            let swing = |part: f64| {
                let mut amplitudes = vec![0.0; index + 1];
                amplitudes[index] = part * swing_amplitude(mode);
                modes.displace(body, pose, root, &amplitudes)
            };
            let ghosts = [swing(-1.0), swing(-0.5), swing(0.5)];
            let figure = body_figure(body, &swing(1.0), &ghosts, View::Quarter);
            let name = format!("{}: {:.2} Hz", index + 1, mode.hz());
            let mut caption = vec![name];
            caption.extend(mode.describe(body).text.split(", ").map(String::from));
            gallery = gallery.figure(figure, caption);
        }
        sheet.add(gallery.draw());
    };
    draw("in the air".into(), air);
    if let Some((foot, ground)) = ground {
        draw(format!("on the ground, toe of the {} pinned", foot.name), ground);
    }
    sheet
}

/// Far enough to see: the joint that turns most turns by about 35°.
fn swing_amplitude(mode: &VibrationMode) -> f64 {
    let peak =
        mode.shape.iter().chain(&mode.root[..3]).fold(0.0f64, |peak, value| peak.max(value.abs()));
    0.6 / peak.max(1e-9)
}
