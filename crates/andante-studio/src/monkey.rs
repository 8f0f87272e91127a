//! Somebody who clicks, drags and types whatever comes to hand, in a studio without a window.

use crate::action::StudioAction;
use crate::app::{StudioApp, StudioStart};
use crate::room::StudioRoom;
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};

/// A studio that nobody sees, and who plays with it.
pub struct StudioMonkey {
    context: egui::Context,
    /// What it plays with.
    pub app: StudioApp,
    dice: u64,
    frames: u64,
}

/// The window that is not there, in points.
const WINDOW: [f32; 2] = [1280.0, 800.0];
/// Seconds of a frame.
const FRAME: f32 = 1.0 / 60.0;

const KEYS: [Key; 24] = [
    Key::Space,
    Key::B,
    Key::G,
    Key::R,
    Key::S,
    Key::F,
    Key::X,
    Key::I,
    Key::P,
    Key::Tab,
    Key::Num1,
    Key::Num3,
    Key::Num7,
    Key::Delete,
    Key::Escape,
    Key::Enter,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::Home,
    Key::L,
    Key::C,
    Key::T,
    Key::W,
    Key::A,
];

impl StudioMonkey {
    /// Sits down. The same seed does the same, as far as work beside the window allows.
    pub fn new(seed: u64, start: StudioStart) -> Self {
        let context = egui::Context::default();
        let mut app = StudioApp::new(&context, start);
        app.fixed_step = Some(FRAME);
        let mut monkey = Self { context, app, dice: seed, frames: 0 };
        monkey.settle();
        monkey
    }

    /// A number below another one. A generator of one's own, so that a seed means the same for ever.
    fn roll(&mut self, sides: usize) -> usize {
        let (factor, sum) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.dice = self.dice.wrapping_mul(factor).wrapping_add(sum);
        (self.dice >> 33) as usize % sides.max(1)
    }

    /// Lets a frame pass in which this happens.
    fn frame(&mut self, mut events: Vec<Event>, modifiers: Modifiers) -> egui::FullOutput {
        self.frames += 1;
        events.insert(0, Event::ModifiersChanged(modifiers));
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, WINDOW.into())),
            time: Some(self.frames as f64 * f64::from(FRAME)),
            predicted_dt: FRAME,
            focused: true,
            events,
            ..egui::RawInput::default()
        };
        let app = &mut self.app;
        let mut shown = self.context.run_ui(input, |ui| app.show(ui));
        // Nobody draws it.
        shown.textures_delta.clear();
        shown
    }

    /// Lets a frame pass and makes triangles of it, as a window does; how many pieces there are to be drawn.
    pub fn draw(&mut self) -> usize {
        let shown = self.frame(Vec::new(), Modifiers::NONE);
        self.context.tessellate(shown.shapes, shown.pixels_per_point).len()
    }

    fn wait(&mut self, frames: usize) {
        for _ in 0..frames {
            self.frame(Vec::new(), Modifiers::NONE);
        }
    }

    /// Waits until nothing goes on beside the window.
    pub fn settle(&mut self) {
        self.wait(3);
        while !self.app.is_calm() {
            std::thread::yield_now();
            self.wait(1);
        }
        self.wait(2);
    }

    fn place(&mut self) -> Pos2 {
        let [width, height] = WINDOW;
        pos2(self.roll(width as usize) as f32, self.roll(height as usize) as f32)
    }

    fn button(&mut self, at: Pos2, button: PointerButton, pressed: bool) {
        let modifiers = Modifiers::NONE;
        let event = Event::PointerButton { pos: at, button, pressed, modifiers };
        self.frame(vec![Event::PointerMoved(at), event], modifiers);
    }

    /// Presses and lets go of a key.
    pub fn key(&mut self, modifiers: Modifiers, key: Key) {
        for pressed in [true, false] {
            let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
            self.frame(vec![event], modifiers);
        }
        self.wait(1);
    }

    /// Does something, whatever it is.
    pub fn deed(&mut self) {
        match self.roll(9) {
            0..=2 => {
                let at = self.place();
                self.button(at, PointerButton::Primary, true);
                self.button(at, PointerButton::Primary, false);
            }
            3 | 4 => {
                let (from, to) = (self.place(), self.place());
                let button = [PointerButton::Primary, PointerButton::Middle][self.roll(2)];
                self.button(from, button, true);
                for part in 1..=6 {
                    let at = from + (to - from) * (part as f32 / 6.0);
                    self.frame(vec![Event::PointerMoved(at)], Modifiers::NONE);
                }
                self.button(to, button, false);
            }
            5 => {
                let key = KEYS[self.roll(KEYS.len())];
                self.key(Modifiers::NONE, key);
            }
            6 => {
                let key = [Key::Z, Key::Y, Key::K, Key::A][self.roll(4)];
                self.key(Modifiers::COMMAND, key);
            }
            7 => {
                let (at, up) = (self.place(), self.roll(2) == 0);
                let delta = vec2(0.0, if up { 3.0 } else { -3.0 });
                let (unit, phase) = (egui::MouseWheelUnit::Line, egui::TouchPhase::Move);
                let (source, modifiers) = (egui::MouseWheelSource::Wheel, Modifiers::NONE);
                let wheel = Event::MouseWheel { unit, delta, phase, source, modifiers };
                self.frame(vec![Event::PointerMoved(at), wheel], modifiers);
            }
            _ => {
                let at = self.place();
                self.button(at, PointerButton::Secondary, true);
                self.button(at, PointerButton::Secondary, false);
            }
        }
        let more = self.roll(12);
        self.wait(more);
    }

    /// Does so much; what is wrong afterwards, if anything is. Whatever was done, it can be left.
    pub fn play(&mut self, deeds: usize) -> Result<(), String> {
        for deed in 0..deeds {
            self.deed();
            let frame = self.app.stage.player().map(|player| player.shown());
            let mut joints = frame.into_iter().flat_map(|frame| frame.models.iter().flatten());
            if joints.any(|joint| !joint.is_finite()) {
                return Err(format!("a joint is nowhere after {deed} deeds"));
            }
        }
        for _ in 0..3 {
            self.key(Modifiers::NONE, Key::Escape);
        }
        let before = self.app.room();
        for room in StudioRoom::ALL.into_iter().rev().chain([before]) {
            // Work that was begun before may just be done and lead on to another room, once.
            for _ in 0..2 {
                if self.app.room() != room {
                    self.app.act(&self.context.clone(), StudioAction::Enter(room));
                    self.wait(2);
                }
            }
            if self.app.room() != room {
                return Err(format!("{} cannot be entered", room.name()));
            }
        }
        Ok(())
    }
}
