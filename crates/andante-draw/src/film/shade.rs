//! Light, shadow and the finished picture.

use super::camera::Eye;
use super::raster::{NOTHING, Raster, RasterTriangle};
use super::stage::{Face, Matter};
use crate::FilmLook;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Red, green and blue of every pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Three bytes each.
    pub pixels: Vec<[u8; 3]>,
}

const SUN: Vec3 = Vec3::new(0.453, 0.805, 0.383);
const SKY: [Vec3; 2] = [Vec3::new(0.80, 0.86, 0.92), Vec3::new(0.52, 0.66, 0.82)];

/// Draws triangles as an eye sees them. `size` is the height of a body.
pub(super) fn draw(
    faces: &[Face],
    eye: &Eye,
    size: f32,
    [width, height]: [usize; 2],
    look: &FilmLook,
) -> Picture {
    let samples = look.samples;
    let (wide, tall) = (width * samples, height * samples);
    let lens = Lens::new(eye, wide, tall, look);
    let mut seen: Vec<Face> = Vec::with_capacity(faces.len());
    let mut facets = Vec::with_capacity(faces.len());
    for face in faces {
        lens.cut(face, &mut |face| {
            facets.push(lens.facet(&face));
            seen.push(face);
        });
    }
    let raster = Raster::new(wide, tall, &facets);
    let sun = Sun::new(faces, eye.centre, 4.5 * size, look.sun_map);
    let reach = 22.0 * size;
    let sample = |x: usize, y: usize| -> Vec3 {
        let index = raster.nearest[y * wide + x];
        let up = 1.0 - y as f32 / tall as f32;
        let sky = SKY[0].lerp(SKY[1], up * up);
        if index == NOTHING {
            return sky;
        }
        let (face, facet) = (&seen[index as usize], &facets[index as usize]);
        let shares = shares(facet, Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
        let mix = |values: [Vec3; 3]| {
            values[0] * shares[0] + values[1] * shares[1] + values[2] * shares[2]
        };
        let (at, normal) = (mix(face.corners), mix(face.normals).normalize_or(Vec3::Y));
        let color = light(face, at, normal, eye, &sun);
        let distance = at.distance(eye.at) / reach;
        let fog = ((distance - 0.35) / 0.65).clamp(0.0, 1.0);
        color.lerp(SKY[0], fog * fog * (3.0 - 2.0 * fog))
    };
    let pixel = |index: usize| {
        let (x, y) = (index % width, index / width);
        let mut sum = Vec3::ZERO;
        for part in 0..samples * samples {
            sum += sample(x * samples + part % samples, y * samples + part / samples);
        }
        (sum / (samples * samples) as f32).to_array().map(encode)
    };
    let pixels = (0..width * height).into_par_iter().map(pixel).collect();
    Picture { width, height, pixels }
}

/// Linear light as a byte of a screen.
fn encode(value: f32) -> u8 {
    (libm::powf(value.clamp(0.0, 1.0), 1.0 / 2.2) * 255.0).round() as u8
}

fn light(face: &Face, at: Vec3, normal: Vec3, eye: &Eye, sun: &Sun) -> Vec3 {
    let towards = (eye.at - at).normalize_or(Vec3::Y);
    let normal = if normal.dot(towards) < 0.0 { -normal } else { normal };
    let lit = normal.dot(SUN).max(0.0);
    match face.matter {
        Matter::Mark => face.color * (0.75 + 0.4 * sun.reaches(at, normal)),
        Matter::Ground => {
            let lit = lit * sun.reaches(at, normal);
            let color = grid(face.color, at, normal, eye);
            color
                * (Vec3::new(0.40, 0.42, 0.46)
                    + 0.16 * normal.y
                    + Vec3::new(0.62, 0.59, 0.52) * lit)
        }
        Matter::Solid => {
            let above = 0.5 + 0.5 * normal.y;
            let rim = (1.0 - normal.dot(towards).max(0.0)).powi(3);
            let sky = Vec3::new(0.30, 0.32, 0.36) + 0.22 * above;
            face.color * (sky + Vec3::new(0.78, 0.74, 0.66) * lit) + 0.08 * rim * SKY[0]
        }
    }
}

/// Lines every metre, thinner than a pixel nowhere.
fn grid(color: Vec3, at: Vec3, normal: Vec3, eye: &Eye) -> Vec3 {
    if normal.y < 0.4 {
        return color;
    }
    // About the width of a pixel on the ground.
    let away = at - eye.at;
    let pixel = 0.0008 * away.length() / away.normalize_or(Vec3::Y).dot(normal).abs().max(0.08);
    let near = |value: f32| (value - value.round()).abs();
    let line = near(at.x).min(near(at.z)) / pixel.max(0.006);
    let strength = (1.5 - line).clamp(0.0, 1.0) * (1.0 - pixel / 0.25).clamp(0.0, 1.0);
    color * (1.0 - 0.35 * strength)
}

/// How much each corner counts at a point of the picture, seen in perspective.
fn shares(facet: &RasterTriangle, point: Vec2) -> [f32; 3] {
    let [a, b, c] = facet.corners;
    let inverse = (b - a).perp_dot(c - a).recip();
    let from = point - a;
    let (q, r) = (from.perp_dot(c - a) * inverse, (b - a).perp_dot(from) * inverse);
    let weighted = [(1.0 - q - r) * facet.depth[0], q * facet.depth[1], r * facet.depth[2]];
    let sum: f32 = weighted.iter().sum();
    weighted.map(|weight| weight / sum)
}

/// From the world to the picture.
struct Lens<'a> {
    eye: &'a Eye,
    middle: Vec2,
    /// Pixels per unit of a tangent.
    scale: f32,
    near: f32,
}

impl<'a> Lens<'a> {
    fn new(eye: &'a Eye, width: usize, height: usize, look: &FilmLook) -> Self {
        let size = Vec2::new(width as f32, height as f32);
        let near = look.near * eye.at.distance(eye.centre);
        Self { eye, middle: 0.5 * size, scale: 0.5 * size.y / look.spread, near }
    }

    fn ahead(&self, point: Vec3) -> f32 {
        (self.eye.at - point).dot(self.eye.back)
    }

    fn facet(&self, face: &Face) -> RasterTriangle {
        let place = |point: Vec3| {
            let from = point - self.eye.at;
            let across = Vec2::new(from.dot(self.eye.right), -from.dot(self.eye.up));
            self.middle + self.scale * across / self.ahead(point)
        };
        RasterTriangle {
            corners: face.corners.map(place),
            depth: face.corners.map(|point| self.ahead(point).recip()),
        }
    }

    /// Calls with the parts of a triangle that are before the eye.
    fn cut(&self, face: &Face, keep: &mut dyn FnMut(Face)) {
        let ahead = face.corners.map(|corner| self.ahead(corner) - self.near);
        if ahead.iter().all(|ahead| *ahead >= 0.0) {
            keep(*face);
            return;
        }
        let mut rest: Vec<(Vec3, Vec3)> = Vec::with_capacity(4);
        for here in 0..3 {
            let next = (here + 1) % 3;
            let corner = |index: usize| (face.corners[index], face.normals[index]);
            if ahead[here] >= 0.0 {
                rest.push(corner(here));
            }
            if (ahead[here] >= 0.0) != (ahead[next] >= 0.0) {
                let part = ahead[here] / (ahead[here] - ahead[next]);
                let ((a, m), (b, n)) = (corner(here), corner(next));
                rest.push((a.lerp(b, part), m.lerp(n, part)));
            }
        }
        for last in 2..rest.len() {
            let chosen = [rest[0], rest[last - 1], rest[last]];
            keep(Face {
                corners: chosen.map(|(corner, _)| corner),
                normals: chosen.map(|(_, normal)| normal),
                ..*face
            });
        }
    }
}

/// What the sun sees of the things that throw shadows.
struct Sun {
    map: Raster,
    centre: Vec3,
    right: Vec3,
    up: Vec3,
    half: f32,
    /// Pixels along each side of the map.
    side: usize,
}

impl Sun {
    fn new(faces: &[Face], centre: Vec3, half: f32, side: usize) -> Self {
        let right = Vec3::Y.cross(SUN).normalize_or(Vec3::X);
        let up = SUN.cross(right);
        let empty = Raster::new(1, 1, &[]);
        let mut sun = Self { map: empty, centre, right, up, half, side };
        let facet = |face: &Face| RasterTriangle {
            corners: face.corners.map(|corner| sun.place(corner)),
            depth: face.corners.map(|corner| corner.dot(SUN)),
        };
        let solid = faces.iter().filter(|face| face.matter == Matter::Solid);
        let facets: Vec<RasterTriangle> = solid.map(facet).collect();
        sun.map = Raster::new(side, side, &facets);
        sun
    }

    /// In pixels of the map.
    fn place(&self, point: Vec3) -> Vec2 {
        let from = point - self.centre;
        let part = Vec2::new(from.dot(self.right), from.dot(self.up)) / self.half;
        (part * 0.5 + 0.5) * self.side as f32
    }

    /// How much light reaches a point, from 0 to 1, with a soft rim.
    fn reaches(&self, at: Vec3, normal: Vec3) -> f32 {
        let at = at + 0.02 * normal;
        let (place, depth) = (self.place(at) - 0.5, at.dot(SUN));
        let sees = |x: f32, y: f32| {
            let inside =
                (0.0..self.side as f32).contains(&x) && (0.0..self.side as f32).contains(&y);
            let blocked =
                inside && self.map.depth[y as usize * self.side + x as usize] > depth + 0.02;
            if blocked { 0.0 } else { 1.0 }
        };
        let (low, part) = (place.floor(), place - place.floor());
        let row = |y: f32| {
            (1.0 - part.x) * sees(low.x - 1.0, y)
                + sees(low.x, y)
                + sees(low.x + 1.0, y)
                + part.x * sees(low.x + 2.0, y)
        };
        let sum = (1.0 - part.y) * row(low.y - 1.0)
            + row(low.y)
            + row(low.y + 1.0)
            + part.y * row(low.y + 2.0);
        sum / 9.0
    }
}
