//! The pictures on skins: decoded beside the window, and drawn from then on.

use andante_skeleton::Texture;
use std::io::Cursor;
use three_d::{CpuTexture, TextureData, Wrapping};

/// A picture that is being decoded.
pub struct ComingPaint {
    #[cfg(not(target_arch = "wasm32"))]
    decoded: std::sync::mpsc::Receiver<Option<CpuTexture>>,
    #[cfg(target_arch = "wasm32")]
    decoded: Option<CpuTexture>,
}

impl ComingPaint {
    /// Begins to decode a picture; `done` is called when that is over.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn begin(texture: &Texture, done: impl FnOnce() + Send + 'static) -> Self {
        let (sender, decoded) = std::sync::mpsc::channel();
        let texture = texture.clone();
        std::thread::spawn(move || {
            let sent = sender.send(read_paint(&texture, 2048));
            if sent.is_ok() {
                done();
            }
        });
        Self { decoded }
    }

    /// Decodes a picture: a page has one thread.
    #[cfg(target_arch = "wasm32")]
    pub fn begin(texture: &Texture, done: impl FnOnce() + Send + 'static) -> Self {
        let decoded = read_paint(texture, 2048);
        done();
        Self { decoded }
    }

    /// The picture, once, as soon as it is there.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn arrived(&mut self) -> Option<CpuTexture> {
        self.decoded.try_recv().ok().flatten()
    }

    /// The picture, once.
    #[cfg(target_arch = "wasm32")]
    pub fn arrived(&mut self) -> Option<CpuTexture> {
        self.decoded.take()
    }
}

/// A picture as the graphics card takes it, its sides not longer than so many pixels; none if it cannot be read, which is told in
/// the log.
fn read_paint(texture: &Texture, longest: usize) -> Option<CpuTexture> {
    let read = match texture.mime_type.as_str() {
        "image/jpeg" => read_jpeg(&texture.bytes),
        _ => read_png(&texture.bytes),
    };
    let (mut pixels, [mut width, mut height]) = match read {
        Ok(read) => read,
        Err(error) => {
            log::warn!("a picture on a skin cannot be read: {error}");
            return None;
        }
    };
    while width.max(height) > longest {
        (pixels, [width, height]) = halved(&pixels, [width, height]);
    }
    let mut data = TextureData::RgbaU8(pixels);
    data.to_linear_srgb();
    Some(CpuTexture {
        name: "skin".into(),
        data,
        width: width as u32,
        height: height as u32,
        wrap_s: Wrapping::Repeat,
        wrap_t: Wrapping::Repeat,
        ..CpuTexture::default()
    })
}

/// Pixels row by row from the top, and how many there are across and down.
type Pixels = (Vec<[u8; 4]>, [usize; 2]);

/// Pixels of so many channels each, from the top.
fn pixels(bytes: &[u8], size: [usize; 2]) -> Result<Pixels, String> {
    let count = size[0] * size[1];
    let channels = bytes.len().checked_div(count).unwrap_or(0);
    let pixel = |part: &[u8]| match part {
        [light] => [*light, *light, *light, 255],
        [light, _] => [*light, *light, *light, 255],
        [r, g, b, ..] => [*r, *g, *b, 255],
        [] => [255; 4],
    };
    match channels {
        1..=4 => Ok((bytes.chunks_exact(channels).take(count).map(pixel).collect(), size)),
        _ => Err(format!("{} bytes for {} x {} pixels", bytes.len(), size[0], size[1])),
    }
}

/// Bytes of the largest picture that is worth it: what a file says of its size is no reason to take all memory.
fn largest() -> usize {
    2 * png::Limits::default().bytes
}

fn read_jpeg(bytes: &[u8]) -> Result<Pixels, String> {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes));
    decoder.decode_headers().map_err(|error| error.to_string())?;
    let within = |[width, height]: [usize; 2]| 4 * width * height <= largest();
    if !decoder.info().is_some_and(|info| within([info.width.into(), info.height.into()])) {
        return Err("it is too large".into());
    }
    let decoded = decoder.decode().map_err(|error| error.to_string())?;
    let info = decoder.info().ok_or("it has no size")?;
    pixels(&decoded, [usize::from(info.width), usize::from(info.height)])
}

fn read_png(bytes: &[u8]) -> Result<Pixels, String> {
    let limits = png::Limits { bytes: largest() };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let size = reader.output_buffer_size().filter(|size| *size <= largest());
    let size = size.ok_or("it is too large")?;
    let mut decoded = vec![0; size];
    let info = reader.next_frame(&mut decoded).map_err(|error| error.to_string())?;
    pixels(&decoded[..info.buffer_size()], [info.width as usize, info.height as usize])
}

/// Half as many pixels in each direction, each the mean of four.
fn halved(pixels: &[[u8; 4]], [width, height]: [usize; 2]) -> Pixels {
    let size = [width.div_ceil(2), height.div_ceil(2)];
    let mean = |index: usize| {
        let (x, y) = (2 * (index % size[0]), 2 * (index / size[0]));
        let at = |x: usize, y: usize| pixels[y.min(height - 1) * width + x.min(width - 1)];
        let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
        [0, 1, 2, 3].map(|k| (four.iter().map(|pixel| u32::from(pixel[k])).sum::<u32>() / 4) as u8)
    };
    ((0..size[0] * size[1]).map(mean).collect(), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(color: png::ColorType, data: &[u8], [width, height]: [u32; 2]) -> Texture {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        Texture { mime_type: "image/png".into(), bytes }
    }

    #[test]
    fn pictures_of_any_number_of_channels_have_their_colours() {
        let gray = png(png::ColorType::Grayscale, &[0, 100], [2, 1]);
        assert_eq!(read_png(&gray.bytes), Ok((vec![[0, 0, 0, 255], [100, 100, 100, 255]], [2, 1])));
        let rgb = png(png::ColorType::Rgb, &[1, 2, 3, 4, 5, 6], [1, 2]);
        assert_eq!(read_png(&rgb.bytes), Ok((vec![[1, 2, 3, 255], [4, 5, 6, 255]], [1, 2])));
        let rgba = png(png::ColorType::Rgba, &[7, 8, 9, 0], [1, 1]);
        assert_eq!(read_png(&rgba.bytes), Ok((vec![[7, 8, 9, 255]], [1, 1])));
    }

    /// All memory was asked for at once, and the studio was gone.
    #[test]
    fn a_picture_that_says_it_is_larger_than_any_is_refused() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 60_000, 2_000_000);
        encoder.set_color(png::ColorType::Rgba);
        drop(encoder.write_header().unwrap());
        assert_eq!(read_png(&bytes), Err("it is too large".into()));
    }

    #[test]
    fn a_picture_that_is_too_large_is_made_smaller_and_stays_what_it_is() {
        let (width, height) = (130, 3);
        let data: Vec<u8> =
            (0..width * height).map(|k| if k % width < 9 { 255 } else { 0 }).collect();
        let large = png(png::ColorType::Grayscale, &data, [width as u32, height as u32]);
        let paint = read_paint(&large, 64).unwrap();
        assert_eq!([paint.width, paint.height], [33, 1]);
        let TextureData::RgbaU8(pixels) = paint.data else { panic!("eight bits each") };
        assert_eq!(pixels.len(), (paint.width * paint.height) as usize);
        assert_eq!((pixels[0], pixels[9]), ([255; 4], [0, 0, 0, 255]));
    }

    #[test]
    fn a_damaged_picture_is_no_picture() {
        let bytes = vec![0x89, 0x50, 1, 2, 3];
        for mime in ["image/png", "image/jpeg"] {
            let texture = Texture { mime_type: mime.into(), bytes: bytes.clone() };
            assert!(read_paint(&texture, 64).is_none());
        }
    }
}
