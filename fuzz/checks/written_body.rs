//! What holds for every body that was read from a file.

use andante_body::{Body, read_body, write_body};
use andante_formats::ReadError;

/// A body has weight and a finite size, and is the same after being written and read.
pub fn check(read: Result<Body, ReadError>) {
    let body = match read {
        Ok(body) => body,
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            return;
        }
    };
    let mass = body.total_mass();
    assert!(mass.is_finite() && mass > 0.0, "a body of {mass} kg");
    assert!(body.segments().iter().all(|segment| segment.anchor.is_finite()));
    let text = write_body(&body);
    let again = match read_body(&text) {
        Ok(again) => again,
        Err(error) => panic!("what was written cannot be read: {error}\n{text}"),
    };
    assert_eq!(body.segments().len(), again.segments().len());
    assert_eq!(body.internal_dof(), again.internal_dof());
    assert_eq!(body.feet().len(), again.feet().len());
    assert!((again.total_mass() - mass).abs() <= 1e-6 * mass);
}
