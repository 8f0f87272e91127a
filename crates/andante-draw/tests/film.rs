//! Pictures that are drawn without a display.

#![allow(clippy::unwrap_used)]

use andante_draw::{Camera, Film, FilmError, FilmOptions, StripSettings, take_strip};
use andante_motion::synth;
use andante_skeleton::{Clip, humanoid};
use andante_take::Take;
use std::ops::Range;
use std::sync::OnceLock;

/// Somebody who walks on level ground.
fn walk() -> &'static Take {
    static WALK: OnceLock<Take> = OnceLock::new();
    WALK.get_or_init(|| {
        let human = humanoid();
        let made = synth::clip(&human, "walk").unwrap();
        Take::of_clip(&human, &made.clip, made.contacts, None)
    })
}

/// The same place and camera, with nearly all of the body far below the ground.
fn nobody() -> Take {
    let mut take = walk().clone();
    let skeleton = &take.tracks[0].character.skeleton;
    let mut transforms = take.tracks[0].clip.transforms().to_vec();
    for pose in transforms.chunks_exact_mut(skeleton.len()) {
        for child in skeleton.children(0) {
            pose[child].translation.y -= 500.0;
        }
    }
    take.tracks[0].clip = Clip::new("away", skeleton, 60.0, transforms).unwrap();
    take
}

fn small() -> FilmOptions {
    FilmOptions { width: 96, height: 64, fps: 10.0, ..FilmOptions::default() }
}

#[test]
fn somebody_is_in_the_middle_of_the_picture_whatever_the_camera() {
    let nobody = nobody();
    for camera in [Camera::Follow, Camera::Orbit, Camera::Top, Camera::Side] {
        let options = FilmOptions { camera, ..small() };
        let with = Film::new(walk(), &options).unwrap().picture(0.4);
        let without = Film::new(&nobody, &options).unwrap().picture(0.4);
        assert_eq!(with.pixels.len(), 96 * 64);
        let differs = |pixel: usize| {
            (0..3).any(|part| with.pixels[pixel][part].abs_diff(without.pixels[pixel][part]) > 8)
        };
        let count = |columns: Range<usize>| {
            (0..96 * 64).filter(|pixel| columns.contains(&(pixel % 96)) && differs(*pixel)).count()
        };
        assert!(count(36..60) > 60, "{camera:?}: {} pixels of a body", count(36..60));
        assert!(count(0..8) + count(88..96) < 40, "{camera:?}: nothing at the rim");
    }
}

#[test]
fn the_same_moment_is_the_same_picture_and_another_one_another() {
    let film = Film::new(walk(), &small()).unwrap();
    assert_eq!(film.picture(0.3), film.picture(0.3));
    assert_ne!(film.picture(0.3), film.picture(0.6));
}

#[test]
fn a_png_holds_the_pixels_of_its_picture() {
    let film = Film::new(walk(), &small()).unwrap();
    let bytes = film.png(0.2).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (96, 64));
    assert_eq!(&pixels[..96 * 64 * 3], film.picture(0.2).pixels.as_flattened());
}

#[test]
fn a_gif_has_a_frame_for_each_tenth_of_a_second() {
    let film = Film::new(walk(), &small()).unwrap();
    let mut gif = film.gif().unwrap();
    while !gif.is_done() {
        gif.draw(3).unwrap();
    }
    let bytes = gif.finish().unwrap();
    let mut decoder = gif::DecodeOptions::new();
    decoder.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = decoder.read_info(&bytes[..]).unwrap();
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height, frame.delay), (96, 64, 10));
        let picture = film.picture(frames as f32 / 10.0);
        let off = |(found, wanted): (&[u8], &[u8; 3])| -> f64 {
            (0..3).map(|part| f64::from(found[part].abs_diff(wanted[part]))).sum()
        };
        let off: f64 = frame.buffer.chunks_exact(4).zip(&picture.pixels).map(off).sum();
        let mean = off / (3.0 * 96.0 * 64.0);
        assert!(mean < 6.0, "colours of frame {frames} are off by {mean}");
        frames += 1;
    }
    assert_eq!(frames, film.frames());
    assert_eq!(frames, (walk().seconds() * 10.0) as usize + 1);
}

#[test]
fn films_that_cannot_be_are_refused() {
    let refused = |options: FilmOptions| match Film::new(walk(), &options) {
        Err(error) => error.to_string(),
        Ok(_) => String::new(),
    };
    assert!(refused(FilmOptions { width: 3, ..small() }).contains("width is 3"));
    assert!(refused(FilmOptions { height: 100_000, ..small() }).contains("4096"));
    assert!(refused(FilmOptions { fps: f32::NAN, ..small() }).contains("fps is NaN"));
    assert!(refused(FilmOptions { from: 1e9, ..small() }).contains("from is 1000000000"));
    assert!(
        refused(FilmOptions { from: 0.5, to: 0.1, ..small() })
            .contains("to is 0.1; it is 0.5 or more")
    );
    let nobody = Take { tracks: Vec::new(), ..walk().clone() };
    assert!(matches!(Film::new(&nobody, &small()), Err(FilmError::Empty)));
}

#[test]
fn a_filmstrip_has_onion_skins_ground_and_prints() {
    let svg = take_strip(walk(), None, [0.0, walk().seconds()], &StripSettings::default()).to_svg();
    for class in ["\"bone left\"", "\"trace left\"", "\"surface\"", "print left"] {
        assert!(svg.contains(class), "{class}");
    }
}
