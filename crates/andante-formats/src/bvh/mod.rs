//! BVH, the format of most motion capture files: a hierarchy of joints, then one line of numbers per
//! frame.
//!
//! There is no standard; what programs write differs. This is how it is read here:
//!
//! * A joint's rotation is the product of its rotation channels in the order in which they are
//!   listed: `Zrotation Yrotation Xrotation` is Rz·Ry·Rx. Any order and number of channels will do, and
//!   joints may differ.
//! * A position channel replaces that component of the joint's `OFFSET`, for the root as for any other
//!   joint. (Most files have a zero offset for the root, where replacing and adding are the same.)
//! * A joint's name is the rest of its line, spaces included.
//! * A frame is as many numbers as there are channels. It starts on a new line, and may go on over
//!   several.
//! * Odd but harmless things become warnings of the [`Asset`](crate::Asset); what would make the motion
//!   wrong is an error that names line, column and joint.

mod channel;
mod hierarchy;
mod motion;
mod pose;
mod reader;
mod writer;

pub use reader::read;
pub use writer::{BvhWriteOptions, write};
