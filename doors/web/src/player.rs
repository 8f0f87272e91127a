//! Gaits at any speed.

use crate::character::Character;
use crate::convert::{object, thrown, view};
use andante_door::{DoorError, within};
use andante_play::blend_space::{GaitPlayer as Player, PlayerOptions};
use andante_skeleton::{Planar, Pose};
use glam::Vec2;
use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

/// A character that walks and runs at any speed and turn, on level ground, without its feet sliding.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GaitPlayer {
    player: Player,
    pose: Pose,
    models: Pose,
}

#[wasm_bindgen]
impl GaitPlayer {
    /// A player of a character, which stands at the origin and faces +Z.
    #[wasm_bindgen(constructor)]
    pub fn new(character: &Character) -> Result<GaitPlayer, JsValue> {
        let pose = Pose::rest(&character.0.character().skeleton);
        let repertoire = character.0.repertoire().clone();
        let player = Player::new(repertoire, PlayerOptions::default()).map_err(thrown)?;
        let mut own = Self { player, models: pose.clone(), pose };
        own.write();
        Ok(own)
    }

    /// Lets `dt` seconds pass, at most one, towards a speed ahead in m/s and a turn rate to the left in rad/s.
    pub fn advance(&mut self, dt: f32, speed: f32, turn_rate: f32) -> Result<(), JsValue> {
        within("dt", dt, 0.0..=1e3, " s").map_err(thrown)?;
        within("speed", speed, -100.0..=100.0, " m/s").map_err(thrown)?;
        within("turn_rate", turn_rate, -100.0..=100.0, " rad/s").map_err(thrown)?;
        self.player.advance(dt, speed, turn_rate);
        self.write();
        Ok(())
    }

    /// Puts it elsewhere, as it is.
    pub fn place(&mut self, x: f32, z: f32, heading: f32) -> Result<(), JsValue> {
        let check = || -> Result<(), DoorError> {
            within("place", x, -1e4..=1e4, " m")?;
            within("place", z, -1e4..=1e4, " m")?;
            within("heading", heading, -1e4..=1e4, " rad")?;
            Ok(())
        };
        check().map_err(thrown)?;
        self.player.place(Planar::new(Vec2::new(x, z), heading));
        self.write();
        Ok(())
    }

    fn write(&mut self) {
        self.player.write_pose(&mut self.pose);
        let world = self.player.placement().to_transform();
        for (to, model) in self.models.iter_mut().zip(self.player.models()) {
            *to = world * *model;
        }
    }

    /// Where it is.
    #[wasm_bindgen(getter)]
    pub fn x(&self) -> f32 {
        self.player.placement().position.x
    }

    /// Where it is.
    #[wasm_bindgen(getter)]
    pub fn z(&self) -> f32 {
        self.player.placement().position.y
    }

    /// Which way it faces, from +Z towards +X, in radians.
    #[wasm_bindgen(getter)]
    pub fn heading(&self) -> f32 {
        self.player.placement().heading
    }

    /// Its pose, seven numbers for each joint: quaternion x, y, z, w, then x, y, z; joint 0 in the world, the others relative to
    /// their parents. A view of the library's memory: read it before the next call of anything.
    pub fn pose(&self) -> Float32Array {
        view(&self.pose)
    }

    /// Every joint in the world, in the same way.
    pub fn models(&self) -> Float32Array {
        view(&self.models)
    }

    /// Whether heel and ball of a foot are down; 0 is left, 1 right.
    #[wasm_bindgen(unchecked_return_type = "FootContact")]
    pub fn contact(&self, foot: usize) -> Result<JsValue, JsValue> {
        let feet = self.player.repertoire().character().rig.feet.len();
        let down = (foot < feet).then(|| self.player.contact(foot));
        contact(down, foot, feet)
    }
}

/// Heel and ball as an object, or why there is none.
pub(crate) fn contact(
    down: Option<[bool; 2]>,
    foot: usize,
    feet: usize,
) -> Result<JsValue, JsValue> {
    let none = || DoorError::argument(format!("there is no foot {foot}; there are {feet}"));
    let [heel, ball] = down.ok_or_else(none).map_err(thrown)?;
    Ok(object([("heel", heel.into()), ("ball", ball.into())]))
}
