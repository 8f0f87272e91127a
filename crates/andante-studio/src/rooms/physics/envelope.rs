//! The strongest pushes that are withstood, in every direction, found beside the window.

use super::PushWorld;
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, GOOD};
use crate::view::ViewMesh;
use andante_body::{BalanceOptions, Physique, envelope};
use eframe::egui;
use glam::{Vec3, vec3};
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, PoisonError};

/// Directions that are tried.
pub const DIRECTIONS: usize = 12;
/// Metres of the drawing for each N·s.
const SCALE: f32 = 1.0 / 40.0;

/// The envelope of the strongest pushes that a body withstands, direction by direction, as far as it is known.
#[derive(Default)]
pub struct PushEnvelope {
    found: Arc<Mutex<Vec<f64>>>,
    job: Option<SideJob<Result<(), String>>>,
    /// Why there is none, if so.
    pub error: Option<String>,
}

impl PushEnvelope {
    /// Begins to look for it.
    pub fn begin(
        &mut self,
        context: &egui::Context,
        bench: &mut Workbench,
        physique: &Physique,
        assist: f64,
    ) {
        self.forget();
        let (physique, found) = (physique.clone(), Arc::clone(&self.found));
        let options = BalanceOptions { assist, ..BalanceOptions::default() };
        self.job = Some(bench.jobs.start(context, "trying pushes", move |pulse| {
            let known = found.lock().unwrap_or_else(PoisonError::into_inner).len();
            if known >= DIRECTIONS {
                return Some(Ok(()));
            }
            let direction = TAU * known as f64 / DIRECTIONS as f64;
            pulse.set_part(known as f32 / DIRECTIONS as f32);
            match envelope(&physique, options, direction, 3, 1.0 / 240.0) {
                Ok(strongest) => {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(strongest);
                    None
                }
                Err(error) => Some(Err(error.to_string())),
            }
        }));
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Looks how it goes.
    pub fn follow(&mut self) {
        let Some(job) = &mut self.job else { return };
        match job.poll() {
            JobState::Running => {}
            JobState::Stopped => self.job = None,
            JobState::Done(done) => {
                self.error = done.err();
                self.job = None;
            }
        }
    }

    /// True if it is being looked for.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// The strongest push in each direction so far, from ahead to the left and round, in N·s.
    pub fn strongest(&self) -> Vec<f64> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Draws it around the feet.
    pub fn draw(&self, world: &PushWorld, mesh: &mut ViewMesh) {
        let found = self.strongest();
        let middle = world.balance().0.with_y(0.02);
        let at = |(index, strongest): (usize, &f64)| {
            let (sin, cos) = libm::sincosf((TAU * index as f64 / DIRECTIONS as f64) as f32);
            middle + SCALE * *strongest as f32 * vec3(sin, 0.0, cos)
        };
        let mut rim: Vec<Vec3> = found.iter().enumerate().map(at).collect();
        for place in &rim {
            mesh.add_ribbon(&[middle, *place], 0.008, GOOD.gamma_multiply(0.5));
        }
        if found.len() == DIRECTIONS {
            rim.extend(rim.first().copied());
        }
        mesh.add_ribbon(&rim, 0.025, ACCENT);
    }
}
