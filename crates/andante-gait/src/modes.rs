//! Natural vibrations: what a body does by itself.

pub(crate) mod body_state;
pub(crate) mod convert;
pub(crate) mod coordinate_layout;
pub(crate) mod describe;
pub(crate) mod displace;
pub(crate) mod eigen;
pub(crate) mod maximal;
pub(crate) mod mirror;
pub(crate) mod oscillator;
pub(crate) mod reduced;
pub(crate) mod vibration_modes;

pub use body_state::BodyState;
pub use coordinate_layout::CoordinateLayout;
pub use describe::{Description, Parity};
pub use mirror::Mirror;
pub use oscillator::{Oscillator, State};
pub use reduced::mass_matrix;
pub use vibration_modes::{Basis, Modes, ModesError, ModesMethod, PinnedPoint, VibrationMode};
