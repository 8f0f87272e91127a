//! Any bytes as a gait that was found.

use andante_gait::{FoundGait, GaitProblem, GaitSketch, ProblemOptions};
use std::sync::LazyLock;

static PROBLEM: LazyLock<GaitProblem> = LazyLock::new(|| {
    let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap()
});

/// Reads the bytes; what can be read is the same after being written and read again, and fits a problem or does not.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let gait = match FoundGait::from_toml(text) {
        Ok(gait) => gait,
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            return;
        }
    };
    let _ = gait.candidate(&PROBLEM);
    let Ok(text) = gait.to_toml() else { return };
    match FoundGait::from_toml(&text).and_then(|again| {
        again.to_toml().map_err(|error| andante_formats::ReadError::file(error.to_string()))
    }) {
        Ok(again) => assert_eq!(text, again),
        Err(error) => panic!("what was written cannot be read: {error}\n{text}"),
    }
}
