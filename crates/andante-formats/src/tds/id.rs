//! What chunks are called by their numbers.

pub const MAIN: u16 = 0x4d4d;
pub const EDITOR: u16 = 0x3d3d;
pub const OBJECT: u16 = 0x4000;
pub const MESH: u16 = 0x4100;
pub const VERTICES: u16 = 0x4110;
pub const FACES: u16 = 0x4120;
pub const FACE_MATERIAL: u16 = 0x4130;
pub const COORDINATES: u16 = 0x4140;
pub const SMOOTHING: u16 = 0x4150;
pub const MATERIAL: u16 = 0xafff;
pub const MATERIAL_NAME: u16 = 0xa000;
pub const AMBIENT: u16 = 0xa010;
pub const DIFFUSE: u16 = 0xa020;
pub const SPECULAR: u16 = 0xa030;
pub const TRANSPARENCY: u16 = 0xa050;
pub const TEXTURE: u16 = 0xa200;
pub const TEXTURE_FILE: u16 = 0xa300;
pub const FLOAT_COLOR: u16 = 0x0010;
pub const BYTE_COLOR: u16 = 0x0011;
pub const BYTE_COLOR_LINEAR: u16 = 0x0012;
pub const FLOAT_COLOR_LINEAR: u16 = 0x0013;
pub const BYTE_PERCENT: u16 = 0x0030;
pub const FLOAT_PERCENT: u16 = 0x0031;
