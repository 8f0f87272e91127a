//! Two hundred and fifty-six colours for a film of many more.

use super::shade::Picture;

/// Colours are sorted into this many shades of each part.
const SHADES: usize = 32;

/// A palette and the way from colours to it.
pub(super) struct Palette {
    /// Three bytes per colour.
    pub colors: Vec<u8>,
    /// The entry for every colour of five bits per part.
    nearest: Vec<u8>,
}

/// Thresholds of an ordered dither (Bayer 1973), by row.
const BAYER: [[i16; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

fn cell([r, g, b]: [u8; 3]) -> usize {
    (usize::from(r) >> 3) * SHADES * SHADES + (usize::from(g) >> 3) * SHADES + (usize::from(b) >> 3)
}

impl Palette {
    /// The palette of some frames, by median cut (Heckbert 1982).
    pub fn of(frames: &[Picture]) -> Self {
        let mut counts = vec![0u32; SHADES * SHADES * SHADES];
        for color in frames.iter().flat_map(|frame| &frame.pixels) {
            counts[cell(*color)] += 1;
        }
        let color = |cell: usize| {
            [cell / (SHADES * SHADES), cell / SHADES % SHADES, cell % SHADES]
                .map(|part| (part * 8 + 4) as f32)
        };
        let used: Vec<(usize, u32)> =
            counts.iter().copied().enumerate().filter(|(_, count)| *count > 0).collect();
        let mut boxes: Vec<Vec<(usize, u32)>> = vec![used];
        while boxes.len() < 256 {
            // The box with the largest spread, counted by the root of its pixels, is cut at its median.
            let spread = |cells: &Vec<(usize, u32)>| {
                let weight: u32 = cells.iter().map(|(_, count)| count).sum();
                let extent = (0..3).map(|axis| extent(cells, axis, color));
                let widest = extent.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
                widest.map_or((0, 0.0), |(axis, wide)| (axis, wide * (weight as f32).sqrt()))
            };
            let best = boxes
                .iter()
                .map(spread)
                .enumerate()
                .max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
            let Some((index, (axis, wide))) = best else { break };
            if wide <= 0.0 {
                break;
            }
            let mut cells = boxes.swap_remove(index);
            cells.sort_by(|a, b| color(a.0)[axis].total_cmp(&color(b.0)[axis]));
            let half = cells.iter().map(|(_, count)| u64::from(*count)).sum::<u64>() / 2;
            let mut sum = 0;
            let at = cells.iter().position(|(_, count)| {
                sum += u64::from(*count);
                sum >= half
            });
            let at = (at.unwrap_or(0) + 1).clamp(1, cells.len() - 1);
            let rest = cells.split_off(at);
            boxes.extend([cells, rest]);
        }
        let mean = |cells: &Vec<(usize, u32)>| {
            let weight: f32 = cells.iter().map(|(_, count)| *count as f32).sum::<f32>().max(1.0);
            let part = |axis: usize| {
                cells.iter().map(|(cell, count)| color(*cell)[axis] * *count as f32).sum::<f32>()
            };
            [0, 1, 2].map(|axis| part(axis) / weight)
        };
        let chosen: Vec<[f32; 3]> = boxes.iter().map(mean).collect();
        let nearest = (0..counts.len()).map(|index| {
            let wanted = color(index);
            let distance = |c: &[f32; 3]| (0..3).map(|k| (c[k] - wanted[k]).powi(2)).sum::<f32>();
            let found = chosen.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            found.map_or(0, |(index, _)| index as u8)
        });
        let nearest = nearest.collect();
        let colors = chosen.iter().flatten().map(|part| part.round() as u8).collect();
        Self { colors, nearest }
    }

    /// The entries of every pixel, dithered.
    pub fn indices(&self, picture: &Picture) -> Vec<u8> {
        let pixel = |(index, color): (usize, &[u8; 3])| {
            let (x, y) = (index % picture.width, index / picture.width);
            let shift = (BAYER[y % 4][x % 4] - 7) / 2;
            let shifted = color.map(|part| (i16::from(part) + shift).clamp(0, 255) as u8);
            self.nearest[cell(shifted)]
        };
        picture.pixels.iter().enumerate().map(pixel).collect()
    }
}

fn extent(cells: &[(usize, u32)], axis: usize, color: impl Fn(usize) -> [f32; 3]) -> f32 {
    let values = || cells.iter().map(|(cell, _)| color(*cell)[axis]);
    values().fold(f32::MIN, f32::max) - values().fold(f32::MAX, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_palette_holds_colours_that_are_close_to_what_was_asked() {
        let ramp = |index: usize| [(index % 64 * 4) as u8, (index / 64 * 4) as u8, 128];
        let picture = Picture { width: 64, height: 64, pixels: (0..64 * 64).map(ramp).collect() };
        let palette = Palette::of(std::slice::from_ref(&picture));
        assert!(palette.colors.len() <= 3 * 256);
        for (index, entry) in palette.indices(&picture).iter().enumerate() {
            let found = &palette.colors[3 * usize::from(*entry)..][..3];
            let wanted = picture.pixels[index];
            let off = (0..3).map(|k| found[k].abs_diff(wanted[k])).max();
            assert!(off.unwrap() < 32, "{found:?} for {wanted:?}");
        }
    }

    #[test]
    fn one_colour_is_a_palette_too() {
        let picture = Picture { width: 2, height: 2, pixels: vec![[9, 9, 9]; 4] };
        assert_eq!(Palette::of(std::slice::from_ref(&picture)).colors.len(), 3);
    }
}
