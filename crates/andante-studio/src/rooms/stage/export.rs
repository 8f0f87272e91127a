//! What was played, as files for other programs.

use super::player::StagePlayer;
use crate::bench::Workbench;
use crate::job::{JobPulse, JobState, SideJob};
use andante_draw::{Film, FilmOptions, PageSettings, take_report};
use andante_stage::Take;
use andante_take::{ExportSettings, TakeSource, bvh, measure, write_glb};
use eframe::egui::{self, RichText};

/// Files by name.
pub type ExportFiles = Vec<(String, Vec<u8>)>;

/// What to write, and where.
pub struct StageExport {
    /// Whether somebody asked for it by key.
    pub open: bool,
    folder: String,
    kinds: [(&'static str, &'static str, bool); 5],
    job: Option<SideJob<Result<ExportFiles, String>>>,
}

impl Default for StageExport {
    fn default() -> Self {
        Self {
            open: false,
            folder: "out/studio".into(),
            kinds: [
                ("GLB", "for any 3-D program", true),
                ("BVH", "the joints of each character", true),
                ("Report", "a page with player, map and measures", true),
                ("Picture", "PNG of what is shown", false),
                ("Take", "to be checked, rendered and measured later", false),
            ],
            job: None,
        }
    }
}

impl StageExport {
    /// The part of a panel that asks.
    pub fn panel(
        &mut self,
        ui: &mut egui::Ui,
        bench: &mut Workbench,
        player: Option<&StagePlayer>,
    ) {
        for (name, about, wanted) in &mut self.kinds {
            ui.checkbox(wanted, *name).on_hover_text(*about);
        }
        let label = ui.label("Folder");
        ui.text_edit_singleline(&mut self.folder).labelled_by(label.id);
        let ready = player.is_some_and(|player| player.frames().len() > 1)
            && self.job.is_none()
            && self.kinds.iter().any(|(_, _, wanted)| *wanted);
        let button = ui.add_enabled(ready, egui::Button::new("Export"));
        if button.on_hover_text("Writes what was played so far").clicked() {
            self.open = true;
        }
        let Some(player) = player else { return };
        let saved = bench
            .project
            .folder
            .as_ref()
            .map(|folder| folder.join("scene.toml").display().to_string());
        let known =
            andante_stage::built_in_scenes().iter().find(|scene| scene.text == bench.project.scene);
        let scene = known.map(|scene| scene.name.to_owned()).or(saved);
        let scene = scene.unwrap_or_else(|| "scene.toml".into());
        ui.weak("The same from a command line:");
        let seed = if bench.project.seed == 1 {
            String::new()
        } else {
            format!(" --seed {}", bench.project.seed)
        };
        let line = format!("andante run {scene}{seed} -o {}", self.folder);
        ui.add(egui::Label::new(RichText::new(line).monospace().small()).wrap());
        if !player.journal().is_empty() {
            ui.weak("There, what was changed on the way is so from the beginning.");
        }
    }

    /// Begins what was asked for, and looks whether it is done.
    pub fn follow(
        &mut self,
        context: &egui::Context,
        bench: &mut Workbench,
        player: Option<&StagePlayer>,
    ) {
        if std::mem::take(&mut self.open)
            && let Some(player) = player
            && self.job.is_none()
        {
            let mut work = Some(player.performance());
            let (mut recording, kinds) = (None, self.kinds);
            let moment = player.seconds()[0];
            self.job = Some(bench.jobs.start(context, "exporting", move |pulse| {
                if let Some(work) = work.take() {
                    match work.begin() {
                        Ok(begun) => recording = Some(begun),
                        Err(error) => return Some(Err(error)),
                    }
                }
                match recording.as_mut()?.go_on(pulse) {
                    Ok(true) => None,
                    Ok(false) => {
                        let take = recording.take()?.finish();
                        Some(take.and_then(|take| files(&take, &kinds, moment, pulse)))
                    }
                    Err(error) => Some(Err(error)),
                }
            }));
        }
        let Some(job) = &mut self.job else { return };
        match job.poll() {
            JobState::Running => {}
            JobState::Stopped => self.job = None,
            JobState::Done(done) => {
                self.job = None;
                match done.and_then(|files| write(&self.folder, &files)) {
                    Ok(names) => bench.notices.done(format!("Wrote {names} to {}", self.folder)),
                    Err(error) => bench.notices.failed(error),
                }
            }
        }
    }
}

/// Makes the files.
fn files(
    take: &Take,
    kinds: &[(&str, &str, bool); 5],
    moment: f32,
    pulse: &JobPulse,
) -> Result<ExportFiles, String> {
    let [glb, tracks, report, picture, whole] = kinds.map(|(_, _, wanted)| wanted);
    let mut made = ExportFiles::new();
    pulse.set_note("writing");
    if glb {
        let mut bytes = Vec::new();
        write_glb(take, &ExportSettings::default(), &mut bytes)
            .map_err(|error| error.to_string())?;
        made.push(("take.glb".into(), bytes));
    }
    pulse.set_part(0.8);
    if tracks {
        let names = take.file_names();
        for (track, name) in take.tracks.iter().zip(&names) {
            let name = if names.len() == 1 { String::new() } else { format!("-{name}") };
            made.push((format!("take{name}.bvh"), bvh(track).into_bytes()));
        }
    }
    pulse.set_part(0.85);
    if report {
        let metrics = measure(take).map_err(|error| error.to_string())?;
        let page = take_report(take, &metrics, &PageSettings::default())
            .map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        page.write(&mut bytes).map_err(|error| error.to_string())?;
        made.push(("report.html".into(), bytes));
    }
    pulse.set_part(0.95);
    if picture {
        let film = Film::new(take, &FilmOptions::default()).map_err(|error| error.to_string())?;
        let bytes = film.png(moment).map_err(|error| error.to_string())?;
        made.push(("picture.png".into(), bytes));
    }
    if whole {
        let bytes = take.to_bytes().map_err(|error| error.to_string())?;
        made.push(("take.take".into(), bytes));
    }
    Ok(made)
}

#[cfg(not(target_arch = "wasm32"))]
fn write(folder: &str, files: &ExportFiles) -> Result<String, String> {
    let write = || {
        let aside = andante_formats::ResultFolder::new(std::path::Path::new(folder))?;
        for (name, bytes) in files {
            std::fs::write(aside.path().join(name), bytes)?;
        }
        aside.commit()
    };
    write().map_err(|error: std::io::Error| format!("{folder}: {error}"))?;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    Ok(names.join(", "))
}

#[cfg(target_arch = "wasm32")]
fn write(_: &str, files: &ExportFiles) -> Result<String, String> {
    for (name, bytes) in files {
        crate::page::offer(name, bytes)?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    Ok(names.join(", "))
}
