//! A gamepad, where the system shows one: the joystick devices of Linux, and what a browser knows.

use eframe::egui;
#[cfg(target_os = "linux")]
use std::sync::{Arc, Mutex, PoisonError};

/// The sticks of a gamepad: what they ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PadSticks {
    /// Ahead, from -1 to 1.
    pub ahead: f32,
    /// To the left, from -1 to 1.
    pub left: f32,
    /// Whether it is asked to run.
    pub run: bool,
}

/// A gamepad: the left stick leads, any of the first buttons runs.
#[derive(Default)]
pub struct Gamepad {
    sticks: PadSticks,
    #[cfg(target_os = "linux")]
    read: Option<Arc<Mutex<PadSticks>>>,
}

/// An event of a joystick: milliseconds, a value, what it is of, and its number.
type PadEvent = [u8; 8];

impl PadSticks {
    /// Takes in an event of a joystick device, as Linux has them.
    pub fn take_in(&mut self, event: PadEvent) {
        let value = f32::from(i16::from_le_bytes([event[4], event[5]])) / f32::from(i16::MAX);
        // What is there at the beginning comes as an event with the highest bit.
        match (event[6] & 0x7f, event[7]) {
            (1, 0..=3) => self.run = value > 0.0,
            (2, 0) => self.left = -value,
            (2, 1) => self.ahead = -value,
            _ => {}
        }
    }

    /// The same without what a stick shows that nobody touches, in eighths: every change is an edit of what is played.
    pub fn at_ease(self) -> Self {
        let step = |value: f32| (8.0 * value.clamp(-1.0, 1.0)).round() / 8.0;
        // Sticks that are hardly moved are not.
        let calm = |value: f32| if value.abs() < 0.15 { 0.0 } else { step(value) };
        Self { ahead: calm(self.ahead), left: calm(self.left), ..self }
    }
}

impl Gamepad {
    /// The sticks as they were last seen.
    pub fn sticks(&self) -> PadSticks {
        self.sticks.at_ease()
    }

    /// Holds the sticks so, for whoever has no gamepad.
    pub fn hold(&mut self, sticks: PadSticks) {
        self.sticks = sticks;
    }

    /// Reads a joystick from now on, beside the window, as long as it is there.
    #[cfg(target_os = "linux")]
    pub fn listen(&mut self, context: &egui::Context, device: &std::path::Path) {
        use std::io::Read;
        let Ok(mut device) = std::fs::File::open(device) else { return };
        let (shared, context) = (Arc::new(Mutex::new(PadSticks::default())), context.clone());
        self.read = Some(Arc::clone(&shared));
        std::thread::spawn(move || {
            let mut event = PadEvent::default();
            while device.read_exact(&mut event).is_ok() {
                shared.lock().unwrap_or_else(PoisonError::into_inner).take_in(event);
                context.request_repaint();
            }
            // Who pulls out the plug lets go.
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = PadSticks::default();
            context.request_repaint();
        });
    }

    /// Looks for a gamepad.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn find(&mut self, context: &egui::Context) {
        #[cfg(target_os = "linux")]
        self.listen(context, std::path::Path::new("/dev/input/js0"));
        #[cfg(not(target_os = "linux"))]
        let _ = context;
    }

    /// A browser is asked in every frame.
    #[cfg(target_arch = "wasm32")]
    pub fn find(&mut self, _: &egui::Context) {}

    /// Looks at the sticks.
    pub fn look(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(read) = &self.read {
            self.sticks = *read.lock().unwrap_or_else(PoisonError::into_inner);
        }
        #[cfg(target_arch = "wasm32")]
        if let Some(sticks) = crate::page::sticks() {
            self.sticks = sticks;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(value: i16, kind: u8, number: u8) -> PadEvent {
        let [low, high] = value.to_le_bytes();
        [1, 2, 3, 4, low, high, kind, number]
    }

    #[test]
    fn events_of_a_joystick_are_ahead_left_and_run() {
        let mut sticks = PadSticks::default();
        // Up is negative, and so is left; the first events tell how things are.
        for own in [event(-32767, 2, 1), event(-16384, 0x82, 0), event(1, 1, 0), event(9, 2, 5)] {
            sticks.take_in(own);
        }
        let PadSticks { ahead, left, run } = sticks.at_ease();
        assert_eq!((ahead, left, run), (1.0, 0.5, true));
        sticks.take_in(event(0, 1, 0));
        sticks.take_in(event(-3000, 2, 1));
        assert_eq!((sticks.run, sticks.at_ease().ahead), (false, 0.0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_read_until_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("js0");
        std::fs::write(&path, event(-32767, 2, 1)).unwrap();
        let mut pad = Gamepad::default();
        pad.listen(&egui::Context::default(), &path);
        let shared = pad.read.clone().unwrap();
        while Arc::strong_count(&shared) > 2 {
            std::thread::yield_now();
        }
        pad.look();
        assert_eq!(pad.sticks(), PadSticks::default(), "who pulls out the plug lets go");
        pad.listen(&egui::Context::default(), &folder.path().join("js1"));
        pad.look();
    }
}
