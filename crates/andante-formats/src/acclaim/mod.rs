//! Acclaim skeletons (`.asf`) and motions (`.amc`), the form in which the Carnegie Mellon database was
//! recorded.
//!
//! A skeleton is a tree of *bones*. A bone starts where its parent ends, has a direction and a length in
//! the global frame of the base pose, and turns about its start. With C the rotation of the bone's
//! `axis`, M that of its angles in a frame, and R the rotation from the origin (after the format's
//! definition, version 1.10):
//!
//! ```text
//! R   = R_parent · C · M · C⁻¹
//! end = end_parent + R · (length · direction)
//! ```
//!
//! Here a bone becomes a joint at the bone's *start*, without rest rotation; a bone without children has
//! its end as [`tip`](andante_skeleton::Joint::tip). The root is a joint too.
//!
//! * Angles are about fixed axes in the order listed, first one first: `dof rx ry rz` and
//!   `axis … XYZ` both are Rz·Ry·Rx.
//! * `tx ty tz` of a bone move its start, in the frame of its axis; those of the root are its position.
//!   `l` is added to the bone's length.
//! * `length 0.45` in `:units` means that the numbers were multiplied by 0.45 on their way from inches,
//!   the unit of the format's makers: metres are value / 0.45 · 0.0254. The format itself names no unit,
//!   so [`ReadOptions::scale`](crate::ReadOptions::scale) overrides this.
//! * A motion holds no frame rate. [`ReadOptions::fps`](crate::ReadOptions::fps) gives it, or else a
//!   `:SAMPLES-PER-SECOND` line, which some programs write; otherwise it is 120.

mod amc;
mod asf;
mod asf_parser;
mod fields;
mod lexer;
mod lines;
mod pose;
mod reader;
mod writer;

pub use amc::{AmcFrame, AmcReader};
pub use asf::{AngleUnit, AsfBone, AsfRoot, AsfSkeleton, AsfUnits, Dof, read_asf};
pub use reader::{read, read_amc};
pub use writer::{AcclaimWriteOptions, AsfAmc, write, write_amc, write_asf};
