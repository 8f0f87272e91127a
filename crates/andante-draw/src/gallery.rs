//! Many small pictures in rows.

use crate::sheet::{MARGIN, Panel, WIDTH};
use crate::style::GalleryStyle;
use crate::svg::{Svg, of_side};
use andante_skeleton::Side;
use glam::Vec2;

/// A picture made of filled outlines, in metres, y up. Later outlines cover earlier ones.
#[derive(Clone, Debug, Default)]
pub struct GalleryFigure {
    outlines: Vec<FilledOutline>,
    dots: Vec<(Vec2, Side)>,
    strokes: Vec<([Vec2; 2], Side, bool)>,
}

#[derive(Clone, Debug)]
struct FilledOutline {
    points: Vec<Vec2>,
    side: Side,
    /// Whether it is a trace of where something was.
    ghost: bool,
}

impl GalleryFigure {
    /// Adds a part: a polygon with the colour of its side.
    pub fn part(&mut self, points: Vec<Vec2>, side: Side) {
        self.outlines.push(FilledOutline { points, side, ghost: false });
    }

    /// Adds where a part was or will be: its outline alone.
    pub fn ghost(&mut self, points: Vec<Vec2>, side: Side) {
        self.outlines.push(FilledOutline { points, side, ghost: true });
    }

    /// Adds a point on top of everything.
    pub fn dot(&mut self, at: Vec2, side: Side) {
        self.dots.push((at, side));
    }

    /// Adds a broad line below everything: what carries.
    pub fn bar(&mut self, ends: [Vec2; 2], side: Side) {
        self.strokes.push((ends, side, false));
    }

    /// Adds an arrow on top of everything, to the second of its ends.
    pub fn arrow(&mut self, ends: [Vec2; 2], side: Side) {
        self.strokes.push((ends, side, true));
    }

    fn bounds(&self) -> Option<(Vec2, Vec2)> {
        let dots = self.dots.iter().map(|(at, _)| at);
        let strokes = self.strokes.iter().flat_map(|(ends, _, _)| ends);
        let outlines = self.outlines.iter().flat_map(|outline| &outline.points);
        let mut points = outlines.chain(dots).chain(strokes);
        let first = *points.next()?;
        Some(points.fold((first, first), |(low, high), &p| (low.min(p), high.max(p))))
    }
}

/// Figures at one common scale, each with a caption, in rows.
#[derive(Clone, Debug)]
pub struct Gallery {
    title: String,
    columns: usize,
    ground: bool,
    cells: Vec<(GalleryFigure, Vec<String>)>,
    style: GalleryStyle,
}

impl Gallery {
    /// An empty gallery.
    pub fn new(title: impl Into<String>, columns: usize) -> Self {
        Self {
            title: title.into(),
            columns: columns.max(1),
            ground: false,
            cells: Vec::new(),
            style: GalleryStyle::default(),
        }
    }

    /// Draws a line at height zero in every cell.
    pub fn on_ground(mut self) -> Self {
        self.ground = true;
        self
    }

    /// Adds a figure with lines of text below it, the first of them the name.
    pub fn figure(mut self, figure: GalleryFigure, caption: Vec<String>) -> Self {
        self.cells.push((figure, caption));
        self
    }

    /// Sets the style.
    pub fn style(mut self, style: GalleryStyle) -> Self {
        self.style = style;
        self
    }

    /// Draws all figures.
    pub fn draw(&self) -> Panel {
        let GalleryStyle { gap, line: line_height } = self.style;
        let mut svg = Svg::default();
        svg.text(Vec2::new(MARGIN, 14.0), "heading", &self.title);
        let bounds: Vec<(Vec2, Vec2)> =
            self.cells.iter().filter_map(|(figure, _)| figure.bounds()).collect();
        let size =
            bounds.iter().fold(Vec2::splat(1e-6), |size, (low, high)| size.max(*high - *low));
        let low = bounds.iter().fold(f32::MAX, |least, (low, _)| least.min(low.y));
        let high = bounds.iter().fold(f32::MIN, |most, (_, high)| most.max(high.y));
        let pitch = (WIDTH - 2.0 * MARGIN + gap) / self.columns as f32;
        // As wide as the cell; not taller than half as much again.
        let tall = (high - low).max(1e-6);
        let scale = ((pitch - gap) / size.x).min(1.5 * pitch / tall);
        let height = if bounds.is_empty() { 0.0 } else { tall * scale };
        let lines = self.cells.iter().map(|(_, caption)| caption.len()).max().unwrap_or(0);
        let row_height = height + line_height * lines as f32 + 2.0 * gap;
        let top = 30.0;
        for (index, (figure, caption)) in self.cells.iter().enumerate() {
            let (column, row) = (index % self.columns, index / self.columns);
            let corner = Vec2::new(MARGIN + pitch * column as f32, top + row_height * row as f32);
            let middle = figure.bounds().map_or(0.0, |(low, high)| 0.5 * (low.x + high.x));
            let center = corner.x + 0.5 * (pitch - gap);
            let place = |p: Vec2| {
                Vec2::new(center + (p.x - middle) * scale, corner.y + height - (p.y - low) * scale)
            };
            if self.ground {
                let y = place(Vec2::ZERO).y;
                svg.line(Vec2::new(corner.x, y), Vec2::new(corner.x + pitch - gap, y), "axis");
            }
            for (ends, side, _) in figure.strokes.iter().filter(|(_, _, arrow)| !arrow) {
                svg.line(place(ends[0]), place(ends[1]), &of_side("print ", *side));
            }
            for outline in &figure.outlines {
                let class = of_side(if outline.ghost { "ghost " } else { "part " }, outline.side);
                svg.polygon(outline.points.iter().map(|&p| place(p)), &class);
            }
            for (ends, side, _) in figure.strokes.iter().filter(|(_, _, arrow)| *arrow) {
                let class = &of_side("curve ", *side);
                let [from, to] = ends.map(place);
                svg.line(from, to, class);
                let back = (from - to).normalize_or_zero() * 7.0;
                for turn in [0.45, -0.45] {
                    svg.line(to, to + Vec2::from_angle(turn).rotate(back), class);
                }
            }
            for (at, side) in &figure.dots {
                svg.circle(place(*at), 4.0, &of_side("dot-", *side));
            }
            for (number, line) in caption.iter().enumerate() {
                let at =
                    Vec2::new(center, corner.y + height + line_height * (number + 1) as f32 + 2.0);
                svg.text(at, if number == 0 { "middle" } else { "faint middle small" }, line);
            }
        }
        let rows = self.cells.len().div_ceil(self.columns);
        Panel { svg, height: top + row_height * rows as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_every_figure_is_drawn() {
        let mut figure = GalleryFigure::default();
        figure.ghost(vec![Vec2::ZERO, Vec2::X, Vec2::Y], Side::Left);
        figure.part(vec![Vec2::ZERO, Vec2::X, Vec2::Y], Side::Middle);
        let gallery = Gallery::new("two", 1)
            .on_ground()
            .figure(figure.clone(), vec!["a".into()])
            .figure(figure, vec!["b".into(), "more".into()]);
        let panel = gallery.draw();
        assert_eq!(panel.svg.body.matches("<polygon").count(), 4);
        assert_eq!(panel.svg.body.matches("\"ghost left\"").count(), 2);
        assert!(panel.svg.body.contains(">more<"));
    }

    #[test]
    fn points_bars_and_arrows_are_drawn_and_fit_into_the_cell() {
        let mut figure = GalleryFigure::default();
        figure.dot(Vec2::new(0.0, 3.0), Side::Middle);
        figure.bar([Vec2::ZERO, Vec2::X], Side::Left);
        figure.arrow([Vec2::ZERO, Vec2::Y], Side::Right);
        let panel = Gallery::new("marks", 1).figure(figure, vec![]).draw();
        assert_eq!(panel.svg.body.matches("<circle").count(), 1);
        assert_eq!(panel.svg.body.matches("<line").count(), 1 + 3);
        assert!(panel.height > 100.0);
    }

    #[test]
    fn galleries_without_figures_or_with_points_alone_are_finite() {
        assert!(Gallery::new("none", 0).draw().height.is_finite());
        let mut point = GalleryFigure::default();
        point.part(vec![Vec2::ONE], Side::Right);
        let panel = Gallery::new("point", 3).figure(point, vec![]).draw();
        assert!(panel.height.is_finite() && !panel.svg.body.contains("NaN"));
    }
}
