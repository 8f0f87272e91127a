//! Films as many pictures: a folder of them, or what an encoder makes of it.

use super::render::BATCH;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::write;
use andante_draw::Film;
use andante_formats::gate::read_bytes;
use rayon::prelude::*;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// Draws every moment of a film into a folder, numbered from 1; says how many, or nothing if it was stopped. What is drawn stays.
pub fn draw_into(
    film: &Film,
    fps: f32,
    folder: &Path,
    context: &CliContext,
) -> Result<Option<usize>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let [from, to] = film.span();
    let count = ((to - from) * fps + 1e-3) as usize + 1;
    let progress = context.progress(count as u64, "drawing");
    let frames: Vec<usize> = (0..count).collect();
    for batch in frames.chunks(BATCH) {
        if context.stopped() {
            progress.abandon();
            return Ok(None);
        }
        let draw = |frame: &usize| {
            let moment = (from + *frame as f32 / fps).min(to);
            let picture = film.png(moment).map_err(|error| Failure::new(error.to_string()))?;
            write(&folder.join(format!("{:06}.png", frame + 1)), &picture)
        };
        batch.par_iter().map(draw).collect::<Result<Vec<()>, Failure>>()?;
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();
    Ok(Some(count))
}

/// Makes an MP4 of the pictures in a folder with the ffmpeg of this machine; gives its bytes.
pub fn encode(folder: &Path, fps: f32, context: &CliContext) -> Result<Vec<u8>, Failure> {
    let film = folder.join("film.mp4");
    let rate = fps.to_string();
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-framerate", &rate, "-i"]);
    command.arg(folder.join("%06d.png"));
    // Players want an even number of rows and columns, and colours by halves.
    let even = "crop=trunc(iw/2)*2:trunc(ih/2)*2";
    command.args(["-vf", even, "-pix_fmt", "yuv420p", "-movflags", "+faststart"]).arg(&film);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let ended = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            Failure::new("an .mp4 film needs ffmpeg, and there is none on this machine")
                .of_work()
                .hint("install ffmpeg, or write a .gif file or a folder of pictures: -o frames/")
        }
        _ => Failure::new(format!("ffmpeg cannot be started: {error}")).of_work(),
    })?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no word");
        return Err(Failure::new(format!("ffmpeg has failed: {last}")).of_work());
    }
    Ok(read_bytes(&film, &context.limits)?)
}
