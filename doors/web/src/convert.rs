//! What passes the border.

use andante_door::{DoorError, DoorErrorKind};
use andante_skeleton::Transform;
use js_sys::{Float32Array, Object, Reflect, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};

/// An exception with the words of the library.
pub fn thrown(error: impl Into<DoorError>) -> JsValue {
    let error = error.into();
    let kind = match error.kind {
        DoorErrorKind::Argument => "argument",
        DoorErrorKind::Read => "read",
        DoorErrorKind::Write => "write",
        DoorErrorKind::Character => "character",
        DoorErrorKind::Gone => "gone",
        DoorErrorKind::Refused => "refused",
    };
    let exception = js_sys::Error::new(&error.message);
    exception.set_name("AndanteError");
    set(&exception, "kind", kind);
    exception.into()
}

/// Sets a key of a plain object.
pub fn set(object: &Object, key: &str, value: impl Into<JsValue>) {
    // It fails for objects that are frozen, and ours are new.
    let _ = Reflect::set(object, &key.into(), &value.into());
}

/// A plain object of keys and values.
pub fn object<const N: usize>(entries: [(&str, JsValue); N]) -> JsValue {
    let made = Object::new();
    for (key, value) in entries {
        set(&made, key, value);
    }
    made.into()
}

/// Transforms as they lie in memory, seven numbers each: no copy, and only good until the next call.
pub fn view(transforms: &[Transform]) -> Float32Array {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let (at, length) = (transforms.as_ptr() as usize, 7 * transforms.len());
    Float32Array::new_with_byte_offset_and_length(&memory.buffer(), at as u32, length as u32)
}
