//! The whole studio without a display: driven by the names that a screen reader reads, by mouse and by keys.

#![allow(clippy::unwrap_used, missing_docs)]

mod access;
mod creature;
mod editing;
mod journeys;
mod monkey;
mod motion;
mod physics;
mod stage;
mod truth;
mod welcome;
mod world;

use andante_studio::{StudioApp, StudioHome, StudioRoom, StudioStart};
use eframe::egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use std::path::Path;
use std::sync::Once;

/// Files that are written without a thought go nowhere near the sources.
pub fn elsewhere() {
    static ELSEWHERE: Once = Once::new();
    ELSEWHERE.call_once(|| std::env::set_current_dir(tempfile::tempdir().unwrap().keep()).unwrap());
}

/// The studio, and whoever uses it.
pub struct User {
    pub window: Harness<'static, StudioApp>,
}

impl User {
    /// Opens the studio in a room; nothing is remembered.
    pub fn in_room(room: StudioRoom) -> Self {
        Self::start(StudioStart { room: Some(room), ..StudioStart::default() })
    }

    /// Opens the studio with a home of its own.
    pub fn at_home(home: &Path, room: StudioRoom) -> Self {
        let home = StudioHome::at(home);
        Self::start(StudioStart { room: Some(room), home, ..StudioStart::default() })
    }

    pub fn start(start: StudioStart) -> Self {
        elsewhere();
        let window = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_step_dt(1.0 / 60.0)
            .allow_missing_glyphs()
            .build_eframe(|creation| StudioApp::new(&creation.egui_ctx, start));
        let mut user = Self { window };
        user.settle();
        user
    }

    pub fn app(&self) -> &StudioApp {
        self.window.state()
    }

    /// Waits until nothing goes on beside the window.
    pub fn settle(&mut self) {
        self.window.run_steps(3);
        while !self.app().is_calm() {
            std::thread::yield_now();
            self.window.step();
        }
        self.window.run_steps(3);
    }

    pub fn click(&mut self, name: &str) {
        self.window.get_by_label(name).click();
        self.window.run_steps(2);
    }

    pub fn key(&mut self, key: Key) {
        self.window.key_press(key);
        self.window.run_steps(2);
    }

    pub fn keys(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.window.run_steps(2);
    }

    /// Where a point of the stage is in the window.
    pub fn on_stage(&self, at: Vec3) -> Pos2 {
        let rect = self.window.get_by_label("Stage view").rect();
        self.app().stage.camera.project(at, rect).unwrap()
    }

    pub fn click_at(&mut self, at: Pos2) {
        self.window.hover_at(at);
        self.window.step();
        self.window.drag_at(at);
        self.window.step();
        self.window.drop_at(at);
        self.window.run_steps(2);
    }

    /// Drags from one place to another, bit by bit.
    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.window.hover_at(from);
        self.window.step();
        self.window.drag_at(from);
        self.window.step();
        for part in 1..=8 {
            self.window.hover_at(from + (to - from) * (part as f32 / 8.0));
            self.window.step();
        }
        self.window.drop_at(to);
        self.window.run_steps(3);
    }

    /// Lets seconds pass.
    pub fn wait(&mut self, seconds: f32) {
        self.window.run_steps((60.0 * seconds) as usize);
    }
}
