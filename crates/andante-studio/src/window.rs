//! The studio's window, and what it is told on a command line.

use andante_studio::{StudioApp, StudioHome, StudioMonkey, StudioRoom, StudioStart};
use eframe::egui::{self, ColorImage, Theme};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

const HELP: &str = "The studio of Andante: see it, drag it, change it while it runs.

Usage: andante-studio [FILE] [OPTIONS]

  FILE                a project folder, a scene or the name of a built-in one, a motion,
                      a take, a character file or a sketch
  --room NAME         begin in this room: welcome, stage, motion, creature, physics
  --screenshot FILE   draw the room, write it as PNG and leave
  --at SECONDS        the moment of the stage that is drawn (default 4)
  --size WIDTHxHEIGHT of the window (default 1280x800)
  --theme NAME        light or dark
  --fresh             remember nothing of earlier starts
  --time              say after how many seconds the room was drawn with all that is in it, and leave

Without a window, for tests:
  --monkey SEED       click, drag and type at random; leaves with 1 if something breaks
  --type KEYS         type these keys again and again, and say how many obstacles and edits there are
  --seconds N         for so long (default 60)
";

struct Wishes {
    start: StudioStart,
    screenshot: Option<PathBuf>,
    at: f32,
    size: [f32; 2],
    time: bool,
    monkey: Option<u64>,
    types: Option<String>,
    seconds: f32,
}

fn wishes(mut words: impl Iterator<Item = String>) -> Result<Option<Wishes>, String> {
    let home = StudioHome::of_user();
    let start = StudioStart { home, ..StudioStart::default() };
    let mut wishes = Wishes {
        start,
        screenshot: None,
        at: 4.0,
        size: [1280.0, 800.0],
        time: false,
        monkey: None,
        types: None,
        seconds: 60.0,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--room" => {
                let name = value()?;
                let rooms = StudioRoom::ALL.map(|room| room.name().to_lowercase()).join(", ");
                let unknown = || format!("there is no room `{name}`; there are {rooms}");
                wishes.start.room = Some(StudioRoom::of_name(&name).ok_or_else(unknown)?);
            }
            "--screenshot" => wishes.screenshot = Some(value()?.into()),
            "--at" => wishes.at = number(&value()?)?,
            "--monkey" => {
                let text = value()?;
                let seed = text.parse().map_err(|_| format!("`{text}` is no seed"))?;
                wishes.monkey = Some(seed);
            }
            "--type" => wishes.types = Some(value()?),
            "--seconds" => wishes.seconds = number(&value()?)?,
            "--size" => {
                let text = value()?;
                let (width, height) = text.split_once('x').ok_or("--size is like 1280x800")?;
                wishes.size = [number(width)?, number(height)?];
            }
            "--theme" => match value()?.as_str() {
                "light" => wishes.start.theme = Some(Theme::Light),
                "dark" => wishes.start.theme = Some(Theme::Dark),
                other => return Err(format!("--theme is light or dark, not `{other}`")),
            },
            "--time" => wishes.time = true,
            "--fresh" => wishes.start.home = StudioHome::nowhere(),
            other if other.starts_with('-') => return Err(format!("there is no option `{other}`")),
            file => wishes.start.file = Some(file.into()),
        }
    }
    Ok(Some(wishes))
}

fn number(text: &str) -> Result<f32, String> {
    let number: Option<f32> =
        text.parse().ok().filter(|number: &f32| (0.0..10_000.0).contains(number));
    number.ok_or(format!("`{text}` is no number"))
}

/// The studio in a window, which leaves once it has been drawn if it was asked to.
struct StudioWindow {
    app: StudioApp,
    shot: Option<(PathBuf, f32)>,
    /// When the program began, as long as somebody wants to know how long it took.
    begun: Option<Instant>,
    drawn: (Sender<Arc<ColorImage>>, Receiver<Arc<ColorImage>>),
    frames: u32,
    /// Whether everything is there and has begun anew: from then on frames are counted.
    prepared: bool,
}

/// Frames of a sixtieth of a second that are drawn before the picture is taken.
const FRAMES: u32 = 75;

impl eframe::App for StudioWindow {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        eframe::App::ui(&mut self.app, ui, frame);
        if let Some(begun) = self.begun {
            ui.ctx().request_repaint();
            // What is there in this frame was drawn when the next one begins.
            self.frames += u32::from(self.app.is_shown());
            if self.frames == 2 {
                let said = writeln!(std::io::stdout(), "{:.2}", begun.elapsed().as_secs_f64());
                said.unwrap_or_default();
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
            }
            return;
        }
        let Some((path, at)) = &self.shot else { return };
        let context = ui.ctx();
        context.request_repaint();
        if !self.prepared {
            let ready = self.app.is_ready_at(*at) && self.app.is_calm();
            self.frames = if ready { self.frames + 1 } else { 0 };
            if self.frames > 10 {
                self.app.begin_anew();
                (self.prepared, self.frames) = (true, 0);
            }
            return;
        }
        self.frames += 1;
        if let Ok(image) = self.drawn.1.try_recv() {
            if let Err(error) = write_png(path, &image) {
                eprintln!("error: {}: {error}", path.display());
            }
            context.send_viewport_cmd(egui::ViewportCommand::Close);
            self.shot = None;
            return;
        }
        if self.frames == FRAMES {
            let sender = self.drawn.0.clone();
            context.request_screenshot(move |image| {
                let _ = sender.send(image);
            });
        }
    }

    fn raw_input_hook(&mut self, _: &egui::Context, input: &mut egui::RawInput) {
        // Pictures do not depend on where the mouse happens to be.
        if self.shot.is_some() {
            input.events.clear();
        }
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        self.app.on_exit(gl);
    }
}

fn write_png(path: &Path, image: &ColorImage) -> Result<(), Box<dyn std::error::Error>> {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, image.size[0] as u32, image.size[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    let bytes: Vec<u8> =
        image.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

/// Plays without a window for some seconds.
fn without_window(wishes: Wishes) -> Result<(), String> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    // Files that are written without a thought are nobody's.
    let elsewhere = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::env::set_current_dir(elsewhere.path()).map_err(|error| error.to_string())?;
    let over = Arc::new(AtomicBool::new(false));
    let (bell, rings) = (Arc::clone(&over), Duration::from_secs_f32(wishes.seconds.max(0.0)));
    std::thread::spawn(move || {
        std::thread::sleep(rings);
        bell.store(true, Ordering::Relaxed);
    });
    let seed = wishes.monkey.unwrap_or(1);
    let mut monkey = StudioMonkey::new(seed, wishes.start);
    let mut deeds = 0;
    while !over.load(Ordering::Relaxed) {
        match &wishes.types {
            Some(keys) => {
                for name in keys.chars().map(|key| key.to_uppercase().to_string()) {
                    let key =
                        egui::Key::from_name(&name).ok_or(format!("there is no key {name}"))?;
                    monkey.key(egui::Modifiers::NONE, key);
                    let things = monkey.app.project().scene.matches("[[obstacle]]").count();
                    let mut out = std::io::stdout().lock();
                    let told = writeln!(out, "{things} obstacles, {} edits", monkey.app.edits()[0]);
                    told.and_then(|()| out.flush()).map_err(|error| error.to_string())?;
                }
            }
            None => {
                monkey.play(200).map_err(|error| format!("seed {seed}: {error}"))?;
                deeds += 200;
                eprintln!("{deeds} deeds, {} edits can be undone", monkey.app.edits()[0]);
            }
        }
    }
    Ok(())
}

/// Opens the window; or draws it and leaves.
pub fn main() -> ExitCode {
    let begun = Instant::now();
    let wishes = match wishes(std::env::args().skip(1)) {
        Ok(Some(wishes)) => wishes,
        Ok(None) => {
            eprint!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("error: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if wishes.monkey.is_some() || wishes.types.is_some() {
        return match without_window(wishes) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Andante")
            .with_inner_size(wishes.size)
            .with_min_inner_size([640.0, 400.0]),
        depth_buffer: 24,
        multisampling: 4,
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    let shot = wishes.screenshot.map(|path| (path, wishes.at));
    let (start, begun) = (wishes.start, wishes.time.then_some(begun));
    let made = eframe::run_native(
        "andante-studio",
        options,
        Box::new(move |creation| {
            let mut app = StudioApp::new(&creation.egui_ctx, start);
            app.fixed_step = shot.is_some().then_some(1.0 / 60.0);
            let drawn = channel();
            Ok(Box::new(StudioWindow { app, shot, begun, drawn, frames: 0, prepared: false }))
        }),
    );
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: no window can be opened: {error}");
            ExitCode::FAILURE
        }
    }
}
