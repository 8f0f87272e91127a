//! A world and the way through it, seen from above.

use crate::chart::{tick_label, ticks};
use crate::sheet::{MARGIN, Panel, WIDTH};
use crate::style::MapStyle;
use crate::svg::Svg;
use andante_skeleton::{PlannedFootprint, Rig, Side};
use andante_world::{GroundPatch, Obstacle, ObstacleOutline};
use glam::{Vec2, Vec3};

/// Ground, obstacles, ways and footprints on a map. +X leads to the left of somebody who looks along +Z, so that a map
/// with +Z up has +X to the left, as one who walks it sees it.
#[derive(Clone, Debug, Default)]
pub struct PlanView {
    shapes: Vec<(Vec<Vec2>, &'static str)>,
    discs: Vec<(Vec2, f32, &'static str)>,
    lines: Vec<(String, Vec<Vec2>, &'static str)>,
    prints: Vec<(Side, [Vec2; 2])>,
    marks: Vec<(Vec2, f32, String)>,
    style: MapStyle,
}

impl PlanView {
    /// A map of ground, and of what stands on it or hangs over it.
    pub fn of_world(ground: &[GroundPatch], obstacles: &[Obstacle]) -> Self {
        let outlines = ground.iter().map(|patch| &patch.platform.outline);
        let mut map = outlines.fold(Self::default(), |map, outline| map.ground(outline));
        for obstacle in obstacles {
            let at = Vec2::new(obstacle.at.x, obstacle.at.z);
            let hangs = ground.iter().map(|patch| &patch.platform).any(|platform| {
                platform.contains(at) && obstacle.bottom() > platform.height_at(at) + 0.5
            });
            map = match obstacle.footprint() {
                ObstacleOutline::Outline(corners) if hangs => map.overhead(&corners),
                ObstacleOutline::Outline(corners) => map.obstacle(&corners),
                ObstacleOutline::Disc { at, radius } => map.post(at, radius),
            };
        }
        map
    }

    /// Adds ground that can be walked on.
    pub fn ground(mut self, outline: &[Vec2]) -> Self {
        self.shapes.push((outline.to_vec(), "earth rim"));
        self
    }

    /// Adds an obstacle.
    pub fn obstacle(mut self, outline: &[Vec2]) -> Self {
        self.shapes.push((outline.to_vec(), "block"));
        self
    }

    /// Adds a round obstacle.
    pub fn post(mut self, at: Vec2, radius: f32) -> Self {
        self.discs.push((at, radius, "block"));
        self
    }

    /// Adds what hangs low over the ground.
    pub fn overhead(mut self, outline: &[Vec2]) -> Self {
        self.shapes.push((outline.to_vec(), "overhead"));
        self
    }

    /// Adds a thin line of a search. Lines of one name share an entry in the legend.
    pub fn branch(mut self, name: impl Into<String>, places: &[Vec2]) -> Self {
        self.lines.push((name.into(), places.to_vec(), "thin"));
        self
    }

    /// Adds a way.
    pub fn way(mut self, name: impl Into<String>, places: &[Vec2]) -> Self {
        self.lines.push((name.into(), places.to_vec(), "curve ink"));
        self
    }

    /// Adds a way that was only meant.
    pub fn intended(mut self, name: impl Into<String>, places: &[Vec2]) -> Self {
        self.lines.push((name.into(), places.to_vec(), "curve ink aim"));
        self
    }

    /// Adds footprints of somebody.
    pub fn footprints(self, rig: &Rig, prints: &[PlannedFootprint]) -> Self {
        let flat = |point: Vec3| Vec2::new(point.x, point.z);
        let sided = prints.iter().filter_map(|print| Some((rig.feet.get(print.foot)?.side, print)));
        sided
            .fold(self, |map, (side, print)| map.footprint(side, flat(print.heel), flat(print.tip)))
    }

    /// Adds a footprint from heel to toes.
    pub fn footprint(mut self, side: Side, heel: Vec2, toes: Vec2) -> Self {
        self.prints.push((side, [heel, toes]));
        self
    }

    /// Adds a place somebody faces a heading at, with its name.
    pub fn mark(mut self, place: Vec2, heading: f32, name: impl Into<String>) -> Self {
        self.marks.push((place, heading, name.into()));
        self
    }

    /// Sets the style.
    pub fn style(mut self, style: MapStyle) -> Self {
        self.style = style;
        self
    }

    /// Draws the map.
    pub fn draw(&self) -> Panel {
        let shapes = self.shapes.iter().flat_map(|(corners, _)| corners.iter().copied());
        let lines = self.lines.iter().flat_map(|(_, places, _)| places.iter().copied());
        let discs = self.discs.iter().flat_map(|&(at, radius, _)| [at - radius, at + radius]);
        let marks = self.marks.iter().map(|(place, ..)| *place);
        let all = shapes.chain(lines).chain(discs).chain(marks).filter(|place| place.is_finite());
        let (low, high) = all.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        let (low, high) =
            if low.x <= high.x { (low - 0.3, high + 0.3) } else { (Vec2::ZERO, Vec2::ONE) };

        let (width, top) = (WIDTH - 2.0 * MARGIN, 42.0);
        let size = high - low;
        let scale = (width / size.x).min(self.style.tallest / size.y).min(self.style.largest);
        let left = MARGIN + 0.5 * (width - scale * size.x);
        let place =
            |at: Vec2| Vec2::new(left + scale * (high.x - at.x), top + scale * (high.y - at.y));
        let mut svg = Svg::default();
        for (corners, class) in &self.shapes {
            svg.polygon(corners.iter().map(|&corner| place(corner)), class);
        }
        for &(at, radius, class) in &self.discs {
            svg.circle(place(at), scale * radius, class);
        }
        for (_, places, class) in &self.lines {
            svg.polyline(places.iter().map(|&at| place(at)), class);
        }
        for (side, [heel, toes]) in &self.prints {
            svg.line(place(*heel), place(*toes), print_class(*side));
        }
        for (at, heading, name) in &self.marks {
            let (sin, cos) = libm::sincosf(*heading);
            let (tip, right) = (Vec2::new(sin, cos), Vec2::new(cos, -sin));
            let arrow = [
                *at + 0.35 * tip,
                *at - 0.15 * tip + 0.18 * right,
                *at - 0.15 * tip - 0.18 * right,
            ];
            svg.polygon(arrow.map(place), "dot-ink");
            svg.text(place(*at) + Vec2::new(12.0, 4.0), "", name);
        }
        let floor = top + scale * size.y;
        svg.line(Vec2::new(left, floor), Vec2::new(left + scale * size.x, floor), "axis");
        for x in ticks(low.x, high.x) {
            let at = place(Vec2::new(x, low.y)).x;
            svg.line(Vec2::new(at, floor), Vec2::new(at, floor + 4.0), "axis");
            svg.text(Vec2::new(at, floor + 18.0), "faint middle", &format!("{} m", tick_label(x)));
        }
        for z in ticks(low.y, high.y) {
            let at = place(Vec2::new(high.x, z)).y;
            svg.line(Vec2::new(left - 4.0, at), Vec2::new(left, at), "axis");
            svg.text(Vec2::new(left - 8.0, at + 4.0), "faint end", &tick_label(z));
        }
        self.draw_legend(&mut svg);
        Panel { svg, height: floor + 24.0 }
    }

    fn draw_legend(&self, svg: &mut Svg) {
        let mut entries: Vec<(&str, &str)> = Vec::new();
        for (name, _, class) in &self.lines {
            if !name.is_empty() && !entries.iter().any(|(known, _)| known == name) {
                entries.push((name, class));
            }
        }
        for (side, name) in [(Side::Left, "left footprint"), (Side::Right, "right footprint")] {
            if self.prints.iter().any(|(print, _)| *print == side) {
                entries.push((name, print_class(side)));
            }
        }
        let mut x = MARGIN;
        for (name, class) in entries {
            svg.line(Vec2::new(x, 10.0), Vec2::new(x + 26.0, 10.0), class);
            svg.text(Vec2::new(x + 34.0, 14.0), "", name);
            x += 34.0 + 7.5 * name.chars().count() as f32 + 22.0;
        }
    }
}

fn print_class(side: Side) -> &'static str {
    if side == Side::Left { "print left" } else { "print right" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn what_is_added_is_drawn_and_named_once() {
        let square = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(0.0, 4.0)];
        let panel = PlanView::default()
            .ground(&square)
            .obstacle(&square)
            .post(vec2(1.0, 1.0), 0.3)
            .overhead(&square)
            .branch("search", &square)
            .branch("search", &square)
            .way("body", &square)
            .footprint(Side::Left, vec2(1.0, 1.0), vec2(1.0, 1.3))
            .mark(vec2(2.0, 2.0), 0.5, "goal")
            .draw();
        let count = |what: &str| panel.svg.body.matches(what).count();
        assert_eq!(
            (count(">search<"), count(">body<"), count(">left footprint<"), count(">goal<")),
            (1, 1, 1, 1)
        );
        assert_eq!((count("\"block\""), count("overhead"), count("earth rim")), (2, 1, 1));
    }

    #[test]
    fn an_empty_map_and_odd_numbers_are_drawn_finitely() {
        for view in [
            PlanView::default(),
            PlanView::default().way("odd", &[Vec2::NAN, vec2(0.0, f32::INFINITY)]),
        ] {
            let panel = view.draw();
            assert!(panel.height.is_finite() && !panel.svg.body.contains("NaN"));
        }
    }
}
