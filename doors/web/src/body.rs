//! Bodies that forces move.

use crate::convert::{thrown, view};
use andante_door::{Condition, DoorError, SimulatedBody};
use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

/// A body of rigid segments in a simulation of its own, on level ground.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Body(SimulatedBody);

#[wasm_bindgen]
impl Body {
    /// A built-in body: "humanoid", "monster", "kangaroo", "dog", "horse", "insect" or "ostrich". With `balances` its muscles keep
    /// it on its feet, catch it by steps when it is pushed, and get it up again, which needs two feet; otherwise it hangs in its
    /// springs.
    pub fn creature(name: &str, balances: bool) -> Result<Body, JsValue> {
        SimulatedBody::creature(name, balances).map(Self).map_err(thrown)
    }

    /// The same of the text of a body file.
    pub fn read(toml: &str, balances: bool) -> Result<Body, JsValue> {
        SimulatedBody::read(toml, balances).map(Self).map_err(thrown)
    }

    /// Lets `dt` seconds pass, at most one, in steps of the simulation.
    pub fn step(&mut self, dt: f32) -> Result<(), JsValue> {
        self.0.step(dt).map_err(thrown)
    }

    /// Shoves its trunk for a tenth of a second: an impulse in N s towards a heading in radians.
    pub fn push(&mut self, impulse: f32, direction: f32) -> Result<(), JsValue> {
        self.0.push(impulse, direction).map_err(thrown)
    }

    /// An impulse of three numbers in N s on a segment, at a point in the world, in the next step.
    pub fn impulse(&mut self, segment: usize, impulse: &[f32], at: &[f32]) -> Result<(), JsValue> {
        let three = |v: &[f32]| -> Result<[f32; 3], DoorError> {
            let wrong = |_| DoorError::argument(format!("{} numbers; there are 3 to 3", v.len()));
            v.try_into().map_err(wrong)
        };
        let told = three(impulse).and_then(|impulse| Ok((impulse, three(at)?)));
        let (impulse, at) = told.map_err(thrown)?;
        self.0.impulse(segment, impulse, at).map_err(thrown)
    }

    /// Puts it back to where it began, as it was, so many metres higher.
    pub fn reset(&mut self, higher: Option<f32>) -> Result<(), JsValue> {
        self.0.reset(higher.unwrap_or(0.0)).map_err(thrown)
    }

    /// The names of its segments.
    #[wasm_bindgen(getter)]
    pub fn segments(&self) -> Vec<String> {
        self.0.body().segments().iter().map(|segment| segment.name.clone()).collect()
    }

    /// Every segment in the world, seven numbers each: quaternion x, y, z, w, then x, y, z. A view of the library's memory: read it
    /// before the next call of anything.
    pub fn pose(&self) -> Float32Array {
        view(self.0.placed())
    }

    /// How it is.
    #[wasm_bindgen(getter, unchecked_return_type = "BodyState")]
    pub fn condition(&self) -> String {
        let word = match self.0.condition() {
            Condition::Limp => "limp",
            Condition::Balance => "balance",
            Condition::Fall => "fall",
            Condition::Lie => "lie",
            Condition::GetUp => "get up",
            Condition::Stand => "stand",
        };
        word.into()
    }

    /// Its centre of mass: x, y, z.
    #[wasm_bindgen(getter, js_name = centreOfMass)]
    pub fn centre_of_mass(&self) -> Vec<f32> {
        self.0.centre_of_mass().to_vec()
    }

    /// Seconds that were simulated.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.0.time()
    }
}
