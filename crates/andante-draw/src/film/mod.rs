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
use andante_skeleton::{SettingError, check_setting};
use andante_take::{Take, Track};
#[cfg(feature = "pictures")]
use palette::Palette;
#[cfg(feature = "pictures")]
use rayon::prelude::*;
use stage::FilmSet;
use thiserror::Error;

andante_skeleton::settings! {
    /// Settings of a film of a take.
    pub struct FilmOptions: Copy {
        /// Pixels in a row.
        width: usize = 720, 16..=4096;
        /// Rows.
        height: usize = 405, 16..=4096;
        /// Frames per second of an animation: more is not played by viewers.
        fps: f32 = 20.0, 0.1..=50.0;
        /// First moment, in seconds.
        from: f32 = 0.0, 0.0..;
        /// Last moment; not later than the end.
        to: f32 = f32::INFINITY, 0.0..;
        /// Where it is seen from.
        camera: Camera = Camera::Follow;
        /// Who is looked at; the first one if nobody is named.
        track: Option<usize> = None;
        /// How finely it is drawn, and through what lens.
        look: FilmLook = FilmLook::default() => check;
    }
}

/// An error that keeps a take from being drawn.
#[derive(Debug, Error)]
pub enum FilmError {
    /// Nobody to be seen.
    #[error("there is nobody in this take")]
    Empty,
    /// A number out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
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
        options.check()?;
        let end = take.seconds();
        check_setting("from", &options.from, ..=end)?;
        check_setting("to", &options.to, options.from..)?;
        let (low, high) = star.character.skeleton.rest_bounds();
        let look = &options.look;
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

    /// The picture of a moment.
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

    /// True if all pictures are drawn.
    pub fn is_done(&self) -> bool {
        self.drawn >= self.film.frames()
    }

    /// The file.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.encoder.into_inner().map_err(|error| FilmError::Encoding(error.to_string()))
    }
}
