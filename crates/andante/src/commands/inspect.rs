//! `andante inspect`.

use super::select;
use crate::args::InspectArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{BOLD, FAINT, Report, WARNING, table};
use andante_draw::{Filmstrip, Sheet, View};
use andante_formats::{Asset, UnitSource, write_atomically};
use andante_skeleton::Clip;
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &InspectArgs, _: &Context) -> Result<Report, Failure> {
    let mut asset = select::read(&args.file, &args.reading, args.reading.asf.as_deref(), None)?;
    select::keep_clip(&mut asset, args.clip.as_deref())?;
    let warnings = warnings(&asset);
    let mut report =
        Report::done(describe(args, &asset, &warnings), details(args, &asset, &warnings));
    if let Some(path) = &args.svg {
        draw(path, &args.file, &asset)?;
        report.text.push_str(&format!("  drawn to   {}\n", path.display()));
    }
    Ok(report)
}

/// What the reader found odd, and what the frames show.
fn warnings(asset: &Asset) -> Vec<String> {
    asset.warnings.iter().map(|warning| warning.to_string()).collect()
}

fn height(asset: &Asset) -> f32 {
    let (low, high) = asset.skeleton.rest_bounds();
    high.y - low.y
}

fn describe(args: &InspectArgs, asset: &Asset, warnings: &[String]) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", args.file.display());
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<10} {value}\n"));
    let tips = asset.skeleton.joints().iter().filter(|joint| joint.tip.is_some()).count();
    line(
        "skeleton",
        format!(
            "{} joints, {tips} tips, {:.2} m tall at rest",
            asset.skeleton.len(),
            height(asset)
        ),
    );
    let scale = asset.units.scale;
    line(
        "units",
        match asset.units.source {
            UnitSource::Given => format!("1 unit = {scale} m, as given"),
            UnitSource::Stated => format!("1 unit = {scale} m, as the file says"),
            UnitSource::Guessed(unit) => format!("{unit} ({scale} m), guessed from the height"),
        },
    );
    if let Some(mesh) = &asset.mesh {
        let vertices: usize =
            mesh.primitives.iter().map(|part| part.vertices.positions.len()).sum();
        let triangles: usize = mesh.primitives.iter().map(|part| part.indices.len() / 3).sum();
        line(
            "mesh",
            format!(
                "{vertices} vertices, {triangles} triangles, {} materials",
                mesh.materials.len()
            ),
        );
    }
    match asset.clips.as_slice() {
        [] => line("animation", "none".into()),
        [clip] => line("animation", format!("{}: {}", clip.name(), timing(clip))),
        clips => {
            line("animations", clips.len().to_string());
            let rows: Vec<Vec<String>> =
                clips.iter().map(|clip| vec![format!("  {}", clip.name()), timing(clip)]).collect();
            text.push_str(&table(&rows, &[]));
        }
    }
    if args.joints {
        let rows: Vec<Vec<String>> = asset
            .skeleton
            .joints()
            .iter()
            .enumerate()
            .map(|(index, joint)| {
                let depth = asset.skeleton.ancestors(index).count() - 1;
                let length = format!("{:.3}", joint.rest.translation.length());
                vec![format!("  {}{}", "  ".repeat(depth), joint.name), length]
            })
            .collect();
        text.push_str(&format!(
            "  {FAINT}joints, with their distance from the parent in metres{FAINT:#}\n"
        ));
        text.push_str(&table(&rows, &[1]));
    }
    for warning in warnings {
        text.push_str(&format!("  {WARNING}odd{WARNING:#}        {warning}\n"));
    }
    text
}

fn timing(clip: &Clip) -> String {
    format!("{} frames at {} fps, {:.2} s", clip.frame_count(), clip.fps(), clip.duration())
}

fn details(args: &InspectArgs, asset: &Asset, warnings: &[String]) -> Value {
    let skeleton = &asset.skeleton;
    let joint = |joint: &andante_skeleton::Joint| {
        json!({
            "name": joint.name,
            "parent": joint.parent.map(|parent| &skeleton.joint(parent).name),
            "offset": joint.rest.translation.to_array(),
        })
    };
    let clip = |clip: &Clip| json!({ "name": clip.name(), "frames": clip.frame_count(), "fps": clip.fps(), "seconds": clip.duration() });
    let first = asset.clips.first();
    json!({
        "file": args.file.display().to_string(),
        "joints": skeleton.joints().iter().map(joint).collect::<Vec<_>>(),
        "height_m": height(asset),
        "metres_per_unit": asset.units.scale,
        "units_guessed": matches!(asset.units.source, UnitSource::Guessed(_)),
        "fps": first.map(Clip::fps),
        "frames": first.map_or(0, Clip::frame_count),
        "seconds": first.map_or(0.0, Clip::duration),
        "clips": asset.clips.iter().map(clip).collect::<Vec<_>>(),
        "mesh": asset.mesh.is_some(),
        "warnings": warnings,
    })
}

fn draw(path: &Path, file: &Path, asset: &Asset) -> Result<(), Failure> {
    let Some(clip) = asset.clips.first() else {
        return Err(Failure::new("there is no animation to draw"));
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut sheet = Sheet::new(format!("{name}: {}", clip.name()));
    sheet.note(timing(clip));
    sheet.add(Filmstrip::new(&asset.skeleton, clip).draw());
    sheet.add(Filmstrip::new(&asset.skeleton, clip).view(View::Front).draw());
    write_atomically(path, sheet.to_svg().as_bytes()).map_err(|error| Failure::write(path, &error))
}
