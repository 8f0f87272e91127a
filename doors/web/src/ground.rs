//! Ground that a page answers for.

use andante_skeleton::{Ground, HeightFunction, Hit};
use glam::Vec3;
use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;

thread_local! {
    /// Functions of the page by number; what they threw first.
    static ASKED: RefCell<Vec<Option<Function>>> = const { RefCell::new(Vec::new()) };
    static THROWN: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// Ground that a function of the page answers for, known by its number: pages have one thread.
#[derive(Debug)]
pub struct PageGround(usize);

impl PageGround {
    pub fn new(height: Function) -> Self {
        Self(ASKED.with_borrow_mut(|all| {
            let free = all.iter().position(Option::is_none);
            let number = free.unwrap_or_else(|| {
                all.push(None);
                all.len() - 1
            });
            all[number] = Some(height);
            number
        }))
    }

    fn height(&self, x: f32, z: f32, from_y: f32) -> f32 {
        // Not borrowed while it is called: it may make other ground.
        let Some(height) = ASKED.with_borrow(|all| all.get(self.0).cloned().flatten()) else {
            return f32::NAN;
        };
        match height.call3(&JsValue::NULL, &x.into(), &z.into(), &from_y.into()) {
            Ok(told) => told.as_f64().map_or(f32::NAN, |height| height as f32),
            Err(thrown) => {
                THROWN.with_borrow_mut(|first| first.get_or_insert(thrown).clone());
                f32::NAN
            }
        }
    }
}

impl Drop for PageGround {
    fn drop(&mut self) {
        ASKED.with_borrow_mut(|all| {
            if let Some(own) = all.get_mut(self.0) {
                *own = None;
            }
        });
    }
}

impl Ground for PageGround {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        // The way up is found from the heights around, which are asked for from the same height.
        let heights = HeightFunction::new(|at: glam::Vec2| self.height(at.x, at.y, from.y));
        heights.probe(from, depth)
    }
}

/// What a function of the page threw since this was asked last.
pub fn thrown() -> Result<(), JsValue> {
    THROWN.take().map_or(Ok(()), Err)
}
