//! Somebody who can walk.

use crate::convert::thrown;
use andante_door::SharedCharacter;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// A character: joints and what they are for, and what it can do. Any number of players, walkers and stages share it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Character(pub(crate) SharedCharacter);

#[wasm_bindgen]
impl Character {
    /// The built-in human, so many metres tall (0.5 to 3), or as it is.
    pub fn humanoid(height: Option<f32>) -> Result<Character, JsValue> {
        SharedCharacter::humanoid(height).map(Self).map_err(thrown)
    }

    /// Somebody from the bytes of a file: its bones are understood, and it learns to walk from its own clips and from the built-in
    /// human. The name, such as "hero.glb", tells the format: GLB, glTF with everything in it, or BVH.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(name: &str, bytes: &[u8], height: Option<f32>) -> Result<Character, JsValue> {
        SharedCharacter::from_memory(name, bytes, height).map(Self).map_err(thrown)
    }

    /// The names of its joints, parents before children.
    #[wasm_bindgen(getter)]
    pub fn joints(&self) -> Vec<String> {
        let joints = self.0.character().skeleton.joints();
        joints.iter().map(|joint| joint.name.clone()).collect()
    }

    /// The joint that each joint hangs on; -1 for the root.
    #[wasm_bindgen(getter)]
    pub fn parents(&self) -> Vec<i32> {
        let joints = self.0.character().skeleton.joints();
        joints.iter().map(|joint| joint.parent.map_or(-1, |parent| parent as i32)).collect()
    }

    /// The names of its clips.
    #[wasm_bindgen(getter)]
    pub fn clips(&self) -> Vec<String> {
        self.0.repertoire().clips().iter().map(|clip| clip.name().into()).collect()
    }

    /// What was odd about its file.
    #[wasm_bindgen(getter)]
    pub fn warnings(&self) -> Vec<String> {
        self.0.warnings().to_vec()
    }

    /// Its bones and its skin as a GLB, in metres and without scale: joint i of its skin is joint i here, so that poses can be
    /// written to its bones as they are. Who has no skin is a mannequin.
    pub fn glb(&self) -> Result<Uint8Array, JsValue> {
        self.0.glb().map(|bytes| Uint8Array::from(&bytes[..])).map_err(thrown)
    }
}
