//! Takes as pictures and animated pictures, drawn without a display or a graphics card.

mod camera;
#[cfg(feature = "pictures")]
mod palette;
mod raster;
mod shade;
mod stage;

pub use camera::Camera;
pub use shade::Picture;

use crate::{FilmLook, PageSettings};
use andante_take::{Take, Track};
#[cfg(feature = "pictures")]
use palette::Palette;
#[cfg(feature = "pictures")]
use rayon::prelude::*;
use stage::FilmSet;
use thiserror::Error;

/// How a take is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmOptions {
    /// Pixels in a row, from 16 to 4096.
    pub width: usize,
    /// Rows, from 16 to 4096.
    pub height: usize,
    /// Frames per second of an animation, above 0 and at most 50: more is not played by viewers.
    pub fps: f32,
    /// First moment, in seconds.
    pub from: f32,
    /// Last moment; not later than the end.
    pub to: f32,
    /// Where it is seen from.
    pub camera: Camera,
    /// Who is looked at; the first one if nobody is named.
    pub track: Option<usize>,
    /// How finely it is drawn, and through what lens.
    pub look: FilmLook,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            width: 720,
            height: 405,
            fps: 20.0,
            from: 0.0,
            to: f32::INFINITY,
            camera: Camera::Follow,
            track: None,
            look: FilmLook::default(),
        }
    }
}

/// Why a take cannot be drawn.
#[derive(Debug, Error)]
pub enum FilmError {
    /// Nobody to be seen.
    #[error("there is nobody in this take")]
    Empty,
    /// A number out of its range.
    #[error("{name} is {value}, and must be from {low} to {high}")]
    Range {
        /// What it is.
        name: &'static str,
        /// What was asked.
        value: f32,
        /// The least.
        low: f32,
        /// The most.
        high: f32,
    },
    /// The picture could not be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// A take that is ready to be drawn.
pub struct Film<'a> {
    stage: FilmSet<'a>,
    star: &'a Track,
    size: f32,
    span: [f32; 2],
    /// Hundredths of a second from frame to frame, which is how GIF counts.
    delay: u16,
    options: FilmOptions,
}

impl<'a> Film<'a> {
    /// Prepares everything that does not move.
    pub fn new(take: &'a Take, options: &FilmOptions) -> Result<Self, FilmError> {
        let star = camera::star(take, options.track).ok_or(FilmError::Empty)?;
        let (width, height) = (options.width as f32, options.height as f32);
        within("the width", width, 16.0, 4096.0)?;
        within("the height", height, 16.0, 4096.0)?;
        within("the frame rate", options.fps, 0.1, 50.0)?;
        let end = take.seconds();
        within("the first moment", options.from, 0.0, end)?;
        within("the last moment", options.to.min(end), options.from, end)?;
        let (low, high) = star.character.skeleton.rest_bounds();
        let look = &options.look;
        within("the samples of a pixel", look.samples as f32, 1.0, 16.0)?;
        within("the map of the sun", look.sun_map as f32, 1.0, 16_384.0)?;
        within("the spread of the lens", look.spread, 0.01, 10.0)?;
        within("the nearest distance", look.near, 1e-4, 0.9)?;
        let cells = PageSettings {
            ground_cell_m: look.ground_cell,
            most_ground_cells: look.most_ground_cells,
            ..PageSettings::default()
        };
        Ok(Self {
            stage: FilmSet::new(take, cells.ground_cell(&take.head), look.mark_lift),
            star,
            size: (high - low).max_element().max(0.1),
            span: [options.from, options.to.min(end)],
            delay: (100.0 / options.fps).round().max(2.0) as u16,
            options: *options,
        })
    }

    /// First and last moment.
    pub fn span(&self) -> [f32; 2] {
        self.span
    }

    /// Pixels in a row, and rows.
    pub fn size(&self) -> [usize; 2] {
        [self.options.width, self.options.height]
    }

    /// Frames of the animation.
    pub fn frames(&self) -> usize {
        let [from, to] = self.span;
        ((to - from) * 100.0 / f32::from(self.delay)) as usize + 1
    }

    /// What is seen at a moment.
    pub fn picture(&self, time: f32) -> Picture {
        let eye = self.options.camera.eye(self.star, time, self.size, self.options.look.orbit_rate);
        let faces = self.stage.at(time);
        shade::draw(&faces, &eye, self.size, self.size(), &self.options.look)
    }

    /// A moment as a PNG file.
    #[cfg(feature = "pictures")]
    pub fn png(&self, time: f32) -> Result<Vec<u8>, FilmError> {
        let picture = self.picture(time);
        let mut bytes = Vec::new();
        let mut encoder =
            png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let fail = |error: png::EncodingError| FilmError::Encoding(error.to_string());
        let mut writer = encoder.write_header().map_err(fail)?;
        writer.write_image_data(picture.pixels.as_flattened()).map_err(fail)?;
        writer.finish().map_err(fail)?;
        Ok(bytes)
    }

    /// The whole film as a GIF file, to be drawn part by part.
    #[cfg(feature = "pictures")]
    pub fn gif(&self) -> Result<Gif<'_, 'a>, FilmError> {
        let count = self.options.look.palette_frames.max(1);
        let [from, to] = self.span;
        let moment = |index: usize| from + (to - from) * index as f32 / (count.max(2) - 1) as f32;
        let samples: Vec<Picture> =
            (0..count).into_par_iter().map(|index| self.picture(moment(index))).collect();
        let palette = Palette::of(&samples);
        let [width, height] = self.size().map(|side| side as u16);
        let fail = |error: gif::EncodingError| FilmError::Encoding(error.to_string());
        let mut encoder =
            gif::Encoder::new(Vec::new(), width, height, &palette.colors).map_err(fail)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(fail)?;
        Ok(Gif { film: self, palette, encoder, drawn: 0 })
    }
}

/// A film while it is drawn.
#[cfg(feature = "pictures")]
pub struct Gif<'f, 'a> {
    film: &'f Film<'a>,
    palette: Palette,
    encoder: gif::Encoder<Vec<u8>>,
    drawn: usize,
}

#[cfg(feature = "pictures")]
impl Gif<'_, '_> {
    /// Draws the next frames, on all cores.
    pub fn draw(&mut self, count: usize) -> Result<(), FilmError> {
        let last = (self.drawn + count).min(self.film.frames());
        let (from, delay) = (self.film.span[0], self.film.delay);
        let [width, height] = self.film.size().map(|side| side as u16);
        let frame = |index: usize| {
            let picture = self.film.picture(from + index as f32 * f32::from(delay) / 100.0);
            let indices = self.palette.indices(&picture);
            let mut frame = gif::Frame::from_indexed_pixels(width, height, indices, None);
            frame.delay = delay;
            frame.make_lzw_pre_encoded();
            frame
        };
        let frames: Vec<gif::Frame> = (self.drawn..last).into_par_iter().map(frame).collect();
        for frame in &frames {
            self.encoder
                .write_lzw_pre_encoded_frame(frame)
                .map_err(|error| FilmError::Encoding(error.to_string()))?;
        }
        self.drawn = last;
        Ok(())
    }

    /// Frames that are drawn.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// Whether all are.
    pub fn is_done(&self) -> bool {
        self.drawn >= self.film.frames()
    }

    /// The file.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.encoder.into_inner().map_err(|error| FilmError::Encoding(error.to_string()))
    }
}

fn within(name: &'static str, value: f32, low: f32, high: f32) -> Result<(), FilmError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(FilmError::Range { name, value, low, high })
}
