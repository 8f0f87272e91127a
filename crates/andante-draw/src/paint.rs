//! What skins are coloured with, corner by corner: materials, colours of corners, and images.

use andante_skeleton::{Primitive, SkinnedMesh, Texture};
use glam::Vec2;

/// Linear colours of the corners of a part.
pub(crate) fn colors(mesh: &SkinnedMesh, part: &Primitive) -> Vec<[f32; 4]> {
    let material = part.material.and_then(|index| mesh.materials.get(index));
    let base = material.map_or([0.6, 0.6, 0.6, 1.0], |material| material.base_color);
    let texture = material.and_then(|material| material.base_color_texture.as_ref());
    let image = texture.map(DecodedImage::new);
    let vertices = &part.vertices;
    let corner = |index: usize| {
        let own = vertices.colors.get(index).copied().unwrap_or([1.0; 4]);
        let painted = match &image {
            None => [1.0; 4],
            Some(Some(image)) => vertices.uvs.get(index).map_or([1.0; 4], |uv| image.at(*uv)),
            // An image of another kind: what they look like on average is not white.
            Some(None) => [0.62, 0.55, 0.46, 1.0],
        };
        [0, 1, 2, 3].map(|k| base[k] * own[k] * painted[k])
    };
    (0..vertices.positions.len()).map(corner).collect()
}

/// An image as rows of bytes, four for each dot.
struct DecodedImage {
    width: usize,
    height: usize,
    dots: Vec<u8>,
}

impl DecodedImage {
    #[cfg(feature = "pictures")]
    fn new(texture: &Texture) -> Option<Self> {
        /// Bytes of the largest image that is worth it.
        const LARGEST: usize = 1 << 27;
        let file = std::io::Cursor::new(&texture.bytes);
        let mut decoder = png::Decoder::new_with_limits(file, png::Limits { bytes: LARGEST });
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let size = reader.output_buffer_size().filter(|size| *size <= LARGEST)?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).ok()?;
        let rows = bytes.get(..info.buffer_size())?;
        let dots = match info.color_type {
            png::ColorType::Rgba => rows.to_vec(),
            png::ColorType::Rgb => {
                rows.chunks_exact(3).flat_map(|c| [c[0], c[1], c[2], 255]).collect()
            }
            png::ColorType::Grayscale => rows.iter().flat_map(|&c| [c, c, c, 255]).collect(),
            png::ColorType::GrayscaleAlpha => {
                rows.chunks_exact(2).flat_map(|c| [c[0], c[0], c[0], c[1]]).collect()
            }
            png::ColorType::Indexed => return None,
        };
        Some(Self { width: info.width as usize, height: info.height as usize, dots })
    }

    #[cfg(not(feature = "pictures"))]
    fn new(_: &Texture) -> Option<Self> {
        None
    }

    /// The dot at a place of the image, which repeats, as linear light.
    fn at(&self, uv: Vec2) -> [f32; 4] {
        let along = |share: f32, count: usize| {
            let share = share - share.floor();
            ((share * count as f32) as usize).min(count.saturating_sub(1))
        };
        let (x, y) = (along(uv.x, self.width), along(uv.y, self.height));
        let start = 4 * (y * self.width + x);
        let Some(&[r, g, b, a]) = self.dots.get(start..start + 4) else { return [1.0; 4] };
        // sRGB as its standard has it (IEC 61966-2-1).
        let light = |byte: u8| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
        };
        [light(r), light(g), light(b), f32::from(a) / 255.0]
    }
}
