//! Clips over any ground.

use crate::character::Character;
use crate::convert::{object, thrown, view};
use crate::ground::{PageGround, thrown as thrown_by_ground};
use crate::player::contact;
use andante_door::{DoorError, Walker as Walking};
use andante_skeleton::{Ground, HeightFunction};
use andante_world::Terrain;
use js_sys::{Float32Array, Function};
use wasm_bindgen::prelude::*;

/// A character that plays its clips over any ground: it looks for footholds ahead, stops where there are none, and lets its body
/// follow its feet.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Walker {
    walker: Walking,
    terrain: Option<Terrain>,
}

#[wasm_bindgen]
impl Walker {
    /// A walker that will play a clip of its character, such as "walk" or "stand", from a place on whose ground is about as high as
    /// `height`, which is 0 unless it is said.
    #[wasm_bindgen(constructor)]
    pub fn new(
        character: &Character,
        clip: &str,
        x: f32,
        z: f32,
        heading: f32,
        height: Option<f32>,
    ) -> Result<Walker, JsValue> {
        let walker = Walking::new(&character.0, clip, [x, z], heading, height.unwrap_or(0.0))
            .map_err(thrown)?;
        Ok(Self { walker, terrain: None })
    }

    /// Ground by its words: `flat`, `slope:DEG`, `stairs:RISE:RUN`, `hills:AMPLITUDE:WAVELENGTH` or `random:SEED`.
    #[wasm_bindgen(js_name = setTerrain)]
    pub fn set_terrain(&mut self, words: &str) -> Result<(), JsValue> {
        self.terrain = Some(words.parse::<Terrain>().map_err(thrown)?);
        Ok(())
    }

    /// Goes over to another clip, at the next moment that suits both.
    pub fn play(&mut self, clip: &str) -> Result<(), JsValue> {
        self.walker.play(clip).map_err(thrown)
    }

    /// Lets `dt` seconds pass over the ground: that of a function, or that of `setTerrain`, or level ground at height 0. `rate` is
    /// how fast the clip is played (1 as it was made), `turnRate` is to the left in rad/s.
    #[wasm_bindgen(unchecked_return_type = "Walk")]
    pub fn step(
        &mut self,
        dt: f32,
        rate: f32,
        turn_rate: f32,
        #[wasm_bindgen(unchecked_param_type = "GroundFunction | undefined | null")] ground: Option<
            Function,
        >,
    ) -> Result<JsValue, JsValue> {
        let level = HeightFunction::new(|_| 0.0);
        let asked = ground.map(PageGround::new);
        let ground: &dyn Ground = match (&asked, &self.terrain) {
            (Some(asked), _) => asked,
            (None, Some(terrain)) => terrain,
            (None, None) => &level,
        };
        let report = self.walker.step(dt, rate, turn_rate, ground);
        thrown_by_ground()?;
        let report = report.map_err(thrown)?;
        Ok(object([
            ("x", report.place.position.x.into()),
            ("z", report.place.position.y.into()),
            ("heading", report.place.heading.into()),
            ("height", report.height.into()),
            ("grade", report.grade.into()),
            ("residual", report.residual.into()),
            ("stopped", self.walker.is_stopped().into()),
        ]))
    }

    /// Its pose, seven numbers for each joint: quaternion x, y, z, w, then x, y, z; joint 0 in the world, the others relative to
    /// their parents. A view of the library's memory: read it before the next call of anything.
    pub fn pose(&self) -> Float32Array {
        view(self.walker.pose())
    }

    /// Every joint in the world, in the same way.
    pub fn models(&self) -> Float32Array {
        view(self.walker.models())
    }

    /// Whether heel and ball of a foot are down; 0 is left, 1 right.
    #[wasm_bindgen(unchecked_return_type = "FootContact")]
    pub fn contact(&self, foot: usize) -> Result<JsValue, JsValue> {
        let feet = self.walker.character().character().rig.feet.len();
        contact(self.walker.contact(foot), foot, feet)
    }
}

/// A terrain by its words, or nothing.
pub(crate) fn terrain(words: Option<String>) -> Result<Option<Terrain>, DoorError> {
    Ok(words.map(|words| words.parse::<Terrain>()).transpose()?)
}
