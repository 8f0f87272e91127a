//! What was played, as files for other programs.

use super::player::{Recorded, StagePlayer};
use crate::bench::Workbench;
use crate::command_lines;
use crate::job::{JobPulse, JobState, SideJob};
use crate::look::{ACCENT, BAD, GOOD, command_line};
use andante_check::{Severity, Verdict};
use andante_draw::{Camera, Film, FilmOptions, PageSettings, take_report};
use andante_stage::{FPS, Take};
use andante_take::{ExportSettings, TakeSource, bvh, measure, write_glb};
use eframe::egui::{self, RichText};

/// Files by name.
pub type ExportFiles = Vec<(String, Vec<u8>)>;

/// The wish for an export of what was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportWish {
    /// Write it for other programs.
    Files,
    /// Only say whether it is so.
    Check,
    /// Keep it as a take, to be seen beside others.
    Keep,
}

/// What was made of what was played.
struct Exported {
    files: ExportFiles,
    verdict: Verdict,
    /// Who had not come to an end.
    under_way: Vec<String>,
}

/// Something that can be written: its name, what it is for, and whether it is wanted.
type ExportKind = (&'static str, &'static str, bool);

/// The export of what was played: the files to write, and where.
pub struct StageExport {
    /// What somebody asked for.
    pub wish: Option<ExportWish>,
    folder: String,
    kinds: [ExportKind; 6],
    /// Whether it is played to its end before it is written.
    to_end: bool,
    job: Option<(ExportWish, SideJob<Result<Exported, String>>)>,
    /// What the verifier said last, about what was played then.
    pub verdict: Option<Verdict>,
}

impl Default for StageExport {
    fn default() -> Self {
        Self {
            wish: None,
            folder: "out/studio".into(),
            kinds: [
                ("GLB", "for any 3-D program", true),
                ("BVH", "the joints of each character", true),
                ("Report", "a page with player, map and measures", true),
                ("Picture", "PNG of the moment that is shown", false),
                ("Film", "GIF of all that was played", false),
                ("Take", "to be checked, rendered and measured later", false),
            ],
            to_end: true,
            job: None,
            verdict: None,
        }
    }
}

/// The verdict in a sentence, and whether anything is wrong.
pub fn sentence(verdict: &Verdict) -> (String, bool) {
    let wrong = verdict.wrong(None).count();
    let odd = verdict.violations.len() - wrong;
    let text = match (verdict.violations.first(), wrong) {
        (None, _) => format!("{} frames were checked: nothing is wrong", verdict.frames),
        (Some(_), 0) => format!(
            "{} frames were checked: nothing is wrong, {odd} things are unnatural",
            verdict.frames
        ),
        (Some(worst), _) => format!("the verifier says that {wrong} things are wrong: {worst}"),
    };
    (text, wrong > 0)
}

/// The findings of the verifier, line by line; the moment that was clicked, in seconds.
pub fn findings(ui: &mut egui::Ui, verdict: &Verdict) -> Option<f32> {
    let (text, bad) = sentence(verdict);
    ui.label(RichText::new(text).small().color(if bad { BAD } else { GOOD }));
    let mut moment = None;
    for violation in verdict.violations.iter().take(12) {
        let color = match violation.severity() {
            Severity::Wrong => BAD,
            Severity::Unnatural => ACCENT,
        };
        let line = RichText::new(violation.to_string()).small().color(color);
        let button = egui::Button::new(line).frame(false).wrap();
        if ui.add(button).on_hover_text("Show this moment").clicked() {
            moment = Some(violation.time_s);
        }
    }
    moment
}

impl StageExport {
    /// The part of a panel that asks; the moment to be shown, if one was clicked.
    pub fn panel(
        &mut self,
        ui: &mut egui::Ui,
        bench: &mut Workbench,
        player: Option<&StagePlayer>,
    ) -> Option<f32> {
        ui.horizontal_wrapped(|ui| {
            for (name, about, wanted) in &mut self.kinds {
                ui.checkbox(wanted, *name).on_hover_text(*about);
            }
        });
        let label = ui.label("Folder");
        ui.text_edit_singleline(&mut self.folder)
            .labelled_by(label.id)
            .on_hover_text("Where files are written to");
        ui.checkbox(&mut self.to_end, "To the end").on_hover_text(
            "Plays on beside the window until everybody has done what they were told, two minutes at most; otherwise what was played so far is written",
        );
        let played = player.is_some_and(|player| player.frames().len() > 1) && self.job.is_none();
        let ready = played && self.kinds.iter().any(|(_, _, wanted)| *wanted);
        ui.horizontal_wrapped(|ui| {
            let mut ask = |ready: bool, name: &str, about: &str, wish: ExportWish| {
                let button = ui.add_enabled(ready, egui::Button::new(name));
                if button.on_hover_text(about).clicked() {
                    self.wish = Some(wish);
                }
            };
            ask(ready, "Export", "Checks it and writes it to files", ExportWish::Files);
            ask(played, "Check", "Is it so, and does anybody move like that?", ExportWish::Check);
            ask(played, "Keep as a take", "To be seen beside others", ExportWish::Keep);
        });
        let moment = self.verdict.as_ref().and_then(|verdict| findings(ui, verdict));
        let player = player?;
        let mut lines = command_lines::run(bench.project, &self.folder);
        for (kind, file) in [(3, "picture.png"), (4, "film.gif")] {
            if self.kinds[kind].2 {
                lines += &format!("\nandante render {0}/take.take -o {0}/{file}", self.folder);
            }
        }
        command_line(ui, &lines);
        if !player.journal().is_empty() {
            ui.weak("There, what was changed on the way is so from the beginning.");
        }
        moment
    }

    /// Begins what was asked for, and looks whether it is done.
    pub fn follow(
        &mut self,
        context: &egui::Context,
        bench: &mut Workbench,
        player: Option<&StagePlayer>,
    ) {
        if let Some(wish) = self.wish.take()
            && let Some(player) = player
            && self.job.is_none()
        {
            let more =
                if wish == ExportWish::Files && self.to_end { 120 * FPS as usize } else { 0 };
            let mut work = Some(player.performance(more));
            let (mut recording, mut kinds) = (None, self.kinds);
            for (index, kind) in kinds.iter_mut().enumerate() {
                kind.2 = match wish {
                    ExportWish::Files => kind.2,
                    ExportWish::Check => false,
                    ExportWish::Keep => index == 5,
                };
            }
            let moment = player.seconds()[0];
            let job = bench.jobs.start(context, "exporting", move |pulse| {
                if let Some(work) = work.take() {
                    match work.begin() {
                        Ok(begun) => recording = Some(begun),
                        Err(error) => return Some(Err(error)),
                    }
                }
                match recording.as_mut()?.go_on(pulse) {
                    Ok(true) => None,
                    Ok(false) => {
                        let done = recording.take()?.finish();
                        Some(done.and_then(|done| exported(done, &kinds, moment, pulse)))
                    }
                    Err(error) => Some(Err(error)),
                }
            });
            self.job = Some((wish, job));
        }
        let Some((wish, job)) = &mut self.job else { return };
        let wish = *wish;
        match job.poll() {
            JobState::Running => {}
            JobState::Stopped => self.job = None,
            JobState::Done(done) => {
                self.job = None;
                let done = done.and_then(|done| self.deliver(bench, wish, done));
                if let Err(error) = done {
                    bench.notices.failed(error);
                }
            }
        }
    }

    /// Puts files where they belong, and says what the verifier found.
    fn deliver(
        &mut self,
        bench: &mut Workbench,
        wish: ExportWish,
        done: Exported,
    ) -> Result<(), String> {
        let (mut said, bad) = sentence(&done.verdict);
        if !done.under_way.is_empty() {
            said += &format!("; still under way: {}", done.under_way.join(", "));
        }
        let text = match wish {
            ExportWish::Check => said,
            ExportWish::Files => {
                let names = write(&self.folder, &done.files)?;
                format!("Wrote {names} to {}; {said}", self.folder)
            }
            ExportWish::Keep => {
                let (_, bytes) = done.files.into_iter().next().ok_or("nothing was recorded")?;
                let path = keep(bench, bytes)?;
                let text = format!("Kept as {}; {said}", path.display());
                bench.project.takes.push(path);
                text
            }
        };
        self.verdict = Some(done.verdict);
        if bad {
            bench.notices.failed(text)
        } else {
            bench.notices.done(text)
        };
        Ok(())
    }
}

/// Writes a take where those of the project are, under a name that is free.
fn keep(bench: &Workbench, bytes: Vec<u8>) -> Result<std::path::PathBuf, String> {
    let saved = bench.project.folder.as_ref().map(|folder| folder.join("takes"));
    let folder = saved.map_or_else(|| bench.home.takes(), Ok)?;
    let stem = andante_take::slug(&bench.project.name);
    let taken = |path: &std::path::PathBuf| path.exists() || bench.project.takes.contains(path);
    let names = (1..).map(|number| folder.join(format!("{stem}-{number}.take")));
    let path = names.into_iter().find(|path| !taken(path)).unwrap_or_default();
    if cfg!(target_arch = "wasm32") {
        bench.home.take_in(&path, bytes);
        return Ok(path);
    }
    std::fs::create_dir_all(&folder)
        .and_then(|()| andante_formats::write_atomically(&path, &bytes))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Judges what was recorded, and makes the files.
fn exported(
    mut done: Recorded,
    kinds: &[ExportKind; 6],
    moment: f32,
    pulse: &JobPulse,
) -> Result<Exported, String> {
    pulse.set_note("checking");
    let verdict = done.judge()?;
    pulse.set_part(0.75);
    let still = done.take.tracks.iter().zip(&done.under_way).filter(|(_, still)| **still);
    let under_way: Vec<String> = still.map(|(track, _)| track.name.clone()).collect();
    let mut files = files(&done.take, kinds, moment, pulse)?;
    if kinds.iter().take(5).any(|kind| kind.2) {
        let lines: String = verdict.violations.iter().map(|one| format!("{one}\n")).collect();
        let text = format!("{}\n{lines}", sentence(&verdict).0);
        files.push(("check.txt".into(), text.into_bytes()));
    }
    Ok(Exported { files, verdict, under_way })
}

/// Makes the files.
fn files(
    take: &Take,
    kinds: &[ExportKind; 6],
    moment: f32,
    pulse: &JobPulse,
) -> Result<ExportFiles, String> {
    let [glb, tracks, report, picture, film, whole] = kinds.map(|(_, _, wanted)| wanted);
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
    pulse.set_part(0.9);
    let options = FilmOptions { camera: Camera::Follow, ..FilmOptions::default() };
    if picture {
        let film = Film::new(take, &options).map_err(|error| error.to_string())?;
        let bytes = film.png(moment).map_err(|error| error.to_string())?;
        made.push(("picture.png".into(), bytes));
    }
    if film {
        made.push(("film.gif".into(), gif(take, &options, pulse)?));
    }
    if whole {
        let bytes = take.to_bytes().map_err(|error| error.to_string())?;
        made.push(("take.take".into(), bytes));
    }
    Ok(made)
}

/// A film of a take, a few pictures at a time so that it can be given up.
fn gif(take: &Take, options: &FilmOptions, pulse: &JobPulse) -> Result<Vec<u8>, String> {
    let film = Film::new(take, options).map_err(|error| error.to_string())?;
    let mut gif = film.gif().map_err(|error| error.to_string())?;
    while !gif.is_done() {
        if pulse.is_cancelled() {
            return Err("the film was given up".into());
        }
        gif.draw(4).map_err(|error| error.to_string())?;
        pulse.set_note(format!("drawing {} of {} pictures", gif.drawn(), film.frames()));
        pulse.set_part(gif.drawn() as f32 / film.frames().max(1) as f32);
    }
    gif.finish().map_err(|error| error.to_string())
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
