//! Any bytes as a sketch of a gait.

use andante_gait::read_sketch;

/// Reads the bytes; what can be read is the same after being written and read again.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let sketch = match read_sketch(text) {
        Ok(sketch) => sketch,
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            return;
        }
    };
    let text = sketch.to_toml();
    match read_sketch(&text) {
        Ok(again) => assert_eq!(sketch, again),
        Err(error) => panic!("what was written cannot be read: {error}\n{text}"),
    }
}
