//! The view into a world: a camera, what there is to see, and who draws it.

mod body;
mod camera;
mod figure;
mod geometry;
mod gl;
mod mesh;
mod paint;
mod viewport;

pub use camera::{Orbit, ViewSide};
pub use figure::{FlatFigure, FlatView};
pub use gl::forget_all as forget_gl;
pub use mesh::{SolidMesh, ViewMesh, floor};
pub use viewport::{ViewPicture, Viewport3, ViewportAnswer};
