//! Andante in a page: what the package `andante` exports. `README.md` has a whole page.
//!
//! Types that wasm-bindgen cannot tell are written in `types.ts`, which becomes a part of the package's declarations.

mod body;
mod character;
mod convert;
mod ground;
mod player;
mod stage;
mod walker;

pub use body::*;
pub use character::*;
pub use player::*;
pub use stage::*;
pub use walker::*;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.ts");

/// A fault of the library becomes an exception with its words, instead of a trap without any.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|fault| wasm_bindgen::throw_str(&fault.to_string())));
}

/// The version of the library, such as "0.1.0".
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
