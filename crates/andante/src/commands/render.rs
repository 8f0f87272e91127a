//! `andante render`.

use super::render_frames::{draw_into, encode};
use super::run::take_of;
use super::{plan, select};
use crate::args::{CameraArg, RenderArgs};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{CommandReport, write};
use andante_draw::{Camera, Film, FilmError, FilmLook, FilmOptions, StripSettings, take_strip};
use andante_formats::{Format, ReadLimits};
use andante_skeleton::Character;
use andante_take::{Take, TakeFile};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Frames that are drawn before the next look at Ctrl-C and the progress bar.
pub const BATCH: usize = 8;

pub fn run(args: &RenderArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let output = &args.output;
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kind = extension.to_ascii_lowercase();
    let folder = select::is_folder(output);
    if !folder && !["png", "gif", "svg", "mp4"].contains(&kind.as_str()) {
        return Err(Failure::of_file(output, "not a picture that can be drawn").hint(
            "use .png for a frame, .gif or .mp4 for a film, .svg for a filmstrip, or a folder for a picture of every frame",
        ));
    }
    select::refuse_to_overwrite(output, &[Path::new(&args.take)])?;
    let Some(take) = read(args, context)? else { return Ok(CommandReport::stopped()) };
    let track = match &args.look_at {
        Some(name) => {
            Some(take.tracks.iter().position(|track| track.name == *name).ok_or_else(|| {
                let names: Vec<&str> =
                    take.tracks.iter().map(|track| track.name.as_str()).collect();
                Failure::new(format!("there is no `{name}` in this take"))
                    .hint(format!("there is {}", names.join(", ")))
            })?)
        }
        None => None,
    };
    let options = FilmOptions {
        width: args.width,
        height: args.height,
        fps: args.fps,
        from: args.from.unwrap_or(0.0),
        to: args.to.unwrap_or(f32::INFINITY),
        camera: match args.camera {
            CameraArg::Follow => Camera::Follow,
            CameraArg::Orbit => Camera::Orbit,
            CameraArg::Top => Camera::Top,
            CameraArg::Side => Camera::Side,
        },
        track,
        look: FilmLook::default(),
    };
    let refused = |error: FilmError| Failure::new(error.to_string());
    let film = Film::new(&take, &options).map_err(refused)?;
    if folder || kind == "mp4" {
        return pictures(&film, output, folder, args.fps, context);
    }
    let (bytes, frames, [width, height]) = match kind.as_str() {
        "svg" => {
            let strip = take_strip(&take, track, film.span(), &StripSettings::default());
            let size = strip.size();
            (strip.to_svg().into_bytes(), 1, size)
        }
        "png" => {
            // One moment: the given one, or the middle of what is shown.
            let [from, to] = film.span();
            let moment =
                if args.to.is_none() && args.from.is_some() { from } else { 0.5 * (from + to) };
            (film.png(moment).map_err(refused)?, 1, film.size())
        }
        _ => {
            let progress = context.progress(film.frames() as u64, "drawing");
            let mut gif = film.gif().map_err(refused)?;
            while !gif.is_done() {
                gif.draw(BATCH).map_err(refused)?;
                progress.set_position(gif.drawn() as u64);
                if context.stopped() {
                    progress.abandon();
                    return Ok(CommandReport::stopped());
                }
            }
            progress.finish_and_clear();
            (gif.finish().map_err(refused)?, film.frames(), film.size())
        }
    };
    write(output, &bytes)?;
    let text = format!(
        "{}: {frames} frame{}, {width} × {height}, {} kB\n",
        output.display(),
        if frames == 1 { "" } else { "s" },
        bytes.len() / 1000
    );
    Ok(CommandReport::done(text, json!({ "frames": frames, "width": width, "height": height })))
}

/// A picture of every frame: in a folder, or as a film that ffmpeg makes of them.
fn pictures(
    film: &Film,
    output: &Path,
    folder: bool,
    fps: f32,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let aside = tempfile::tempdir().map_err(|error| Failure::write(output, &error))?;
    let place = if folder { output } else { aside.path() };
    let Some(frames) = draw_into(film, fps, place, context)? else {
        return Ok(CommandReport::stopped());
    };
    if !folder {
        write(output, &encode(place, fps, context)?)?;
    }
    let [width, height] = film.size();
    let text = format!("{}: {frames} frames, {width} × {height}\n", output.display());
    Ok(CommandReport::done(text, json!({ "frames": frames, "width": width, "height": height })))
}

/// A take file, a motion file, a scene file or the name of a built-in scene; none if somebody had enough of it.
fn read(args: &RenderArgs, context: &CliContext) -> Result<Option<Take>, Failure> {
    let path = Path::new(&args.take);
    if Format::of(path).is_some() {
        return motion(path, &context.limits).map(Some);
    }
    let is_file = path.is_file() && path.extension().is_none_or(|extension| extension != "toml");
    if !is_file {
        return take_of(&plan::scene(&args.take, &context.limits)?, context);
    }
    TakeFile::open(path).and_then(|take| take.load()).map(Some).map_err(|error| {
        Failure::of_file(path, error)
            .hint("`andante run SCENE` writes takes; scenes, .bvh and .glb files can be drawn too")
    })
}

/// The first clip of a motion file on level ground.
fn motion(path: &Path, limits: &ReadLimits) -> Result<Take, Failure> {
    let asset = select::read_plainly(path, limits)?;
    let clip = asset.clips.first();
    let clip = clip.ok_or_else(|| Failure::of_file(path, "there is no motion in it"))?;
    let understood = select::understand(&asset.skeleton, &asset.clips, clip);
    let (rig, analysis) = understood.map_err(|error| Failure::of_file(path, error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let character = Character::new(name, asset.skeleton.clone(), rig);
    let mut take = Take::of_clip(&character, clip, analysis.contacts, None);
    take.tracks[0].mesh = asset.mesh.map(Arc::new);
    Ok(take)
}
