//! Arrays and archives of numpy, for tests.

/// What numpy's `savez` and `savez_compressed` wrote.
pub const SAVED: &[u8] = include_bytes!("../../../../fuzz/seeds/npz/good-saved_by_numpy");
pub const COMPRESSED: &[u8] = include_bytes!("../../../../fuzz/seeds/npz/good-compressed_by_numpy");

/// An array of doubles of this shape.
pub fn floats(shape: &str, values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

/// An array of one number without axes.
pub fn number(value: f64) -> Vec<u8> {
    floats("()", &[value])
}

/// An archive of arrays.
pub fn archive(members: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, whole) in members {
        let name = format!("{name}.npy");
        let packed = match deflated {
            true => miniz_oxide::deflate::compress_to_vec(whole, 6),
            false => whole.clone(),
        };
        let mut fields = Vec::new();
        fields.extend(20u16.to_le_bytes());
        fields.extend(0u16.to_le_bytes());
        fields.extend((if deflated { 8u16 } else { 0 }).to_le_bytes());
        fields.extend([0; 4]);
        fields.extend(crc32fast::hash(whole).to_le_bytes());
        fields.extend((packed.len() as u32).to_le_bytes());
        fields.extend((whole.len() as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend(0u16.to_le_bytes());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&fields);
        bytes.extend(name.as_bytes());
        bytes.extend(packed);
    }
    let (count, at) = (members.len() as u16, bytes.len() as u32);
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}
