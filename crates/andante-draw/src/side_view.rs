//! A motion over uneven ground, seen from the side.

use crate::bones::{self, DrawnBone, bones};
use crate::chart::{tick_label, ticks};
use crate::sheet::{MARGIN, Panel, WIDTH};
use crate::style::SideStyle;
use crate::svg::{Svg, of_side};
use andante_skeleton::{Clip, Side, Skeleton, Wrap, joint_sides};
use glam::{Vec2, Vec3};

/// Stick figures where they really are, on the ground they walk on, with whatever lines belong to them. One scale
/// for lengths and heights: a slope has its true angle.
#[derive(Clone, Debug)]
pub struct SideView<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    origin: Vec2,
    direction: Vec2,
    figures: usize,
    onion: usize,
    start: f32,
    ground: Vec<Vec<Vec2>>,
    paths: Vec<DrawnPath>,
    prints: Vec<(Side, [Vec2; 2])>,
    range: Option<[f32; 2]>,
    style: SideStyle,
}

/// The stroke of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// What happened.
    Solid,
    /// What was meant to happen.
    Dashed,
}

#[derive(Clone, Debug)]
struct DrawnPath {
    name: String,
    class: String,
    points: Vec<Vec2>,
}

impl<'a> SideView<'a> {
    /// Ten figures. Distances are measured from `origin` `(x, z)` along `direction`, which leads to the right edge;
    /// without length it is +Z.
    pub fn new(skeleton: &'a Skeleton, clip: &'a Clip, origin: Vec2, direction: Vec2) -> Self {
        Self {
            skeleton,
            clip,
            origin,
            direction: direction.normalize_or(Vec2::Y),
            figures: 10,
            onion: 0,
            start: 0.0,
            ground: Vec::new(),
            paths: Vec::new(),
            prints: Vec::new(),
            range: None,
            style: SideStyle::default(),
        }
    }

    /// Sets the number of figures; clips of fewer frames get one for each.
    pub fn figures(mut self, figures: usize) -> Self {
        self.figures = figures.max(1);
        self
    }

    /// Fainter figures between two figures.
    pub fn onion(mut self, between: usize) -> Self {
        self.onion = between;
        self
    }

    /// The time that is written above the first figure, in seconds.
    pub fn starting(mut self, time: f32) -> Self {
        self.start = time;
        self
    }

    /// The ground as lines of distance and height, divided by holes.
    pub fn ground(mut self, lines: Vec<Vec<Vec2>>) -> Self {
        self.ground = lines;
        self
    }

    /// Adds a line through space, such as the way of an ankle. The left is blue and the right orange. Lines of one
    /// name share an entry in the legend.
    pub fn path(
        mut self,
        name: impl Into<String>,
        side: Side,
        stroke: Stroke,
        points: &[Vec3],
    ) -> Self {
        let dashes = if stroke == Stroke::Dashed { " aim" } else { "" };
        let points = points.iter().map(|&point| self.project(point)).collect();
        self.paths.push(DrawnPath {
            name: name.into(),
            class: of_side("curve ", side) + dashes,
            points,
        });
        self
    }

    /// Adds a place where a foot rested, from its heel to its toes.
    pub fn footprint(mut self, side: Side, heel: Vec3, toes: Vec3) -> Self {
        self.prints.push((side, [heel, toes].map(|point| self.project(point))));
        self
    }

    /// Shows the distances between these two only; all of the motion otherwise.
    pub fn range(mut self, from: f32, to: f32) -> Self {
        self.range = Some([from, to]).filter(|_| from < to && (to - from).is_finite());
        self
    }

    /// Sets the style.
    pub fn style(mut self, style: SideStyle) -> Self {
        self.style = style;
        self
    }

    /// Distance and height of a point.
    fn project(&self, point: Vec3) -> Vec2 {
        let place = Vec2::new(point.x, point.z) - self.origin;
        Vec2::new(place.dot(self.direction), point.y)
    }

    /// Draws the view.
    pub fn draw(&self) -> Panel {
        let figures = self.all_figures();
        let joints = figures.iter().flat_map(|(_, figure)| figure);
        let points = joints.flat_map(|segment| [segment.from, segment.to]);
        let marks = self.prints.iter().flat_map(|(_, ends)| *ends);
        let paths = self.paths.iter().flat_map(|path| path.points.iter().copied());
        let mut motion: Vec<Vec2> = points.chain(marks).chain(paths).collect();
        motion.retain(|point| point.is_finite());
        let [from, to] = self.range.unwrap_or_else(|| {
            let [low, high] = span(motion.iter().map(|point| point.x));
            [low - 0.2, high + 0.2]
        });
        let is_shown = |point: &&Vec2| point.is_finite() && point.x >= from && point.x <= to;
        let shown = motion.iter().chain(self.ground.iter().flatten()).filter(is_shown);
        let [low, high] = span(shown.map(|point| point.y));
        let (low, high) = (low - self.style.earth, high + 0.05);

        let width = WIDTH - 2.0 * MARGIN;
        let scale =
            (width / (to - from)).min(self.style.tallest / (high - low)).min(self.style.largest);
        let left = MARGIN + 0.5 * (width - scale * (to - from));
        let top = if self.paths.is_empty() && self.prints.is_empty() { 22.0 } else { 42.0 };
        let floor = top + scale * (high - low);
        let place = |p: Vec2| Vec2::new(left + scale * (p.x - from), floor - scale * (p.y - low));

        let mut svg = Svg::default();
        for line in &self.ground {
            self.draw_ground(&mut svg, &cut(line, from, to), low, &place);
        }
        for skin in self.onion_skins() {
            bones::draw(&mut svg, "trace ", &skin, place);
        }
        for (_, figure) in &figures {
            bones::draw(&mut svg, "bone ", figure, place);
        }
        for (side, [heel, toes]) in &self.prints {
            let class = if *side == Side::Left { "print left" } else { "print right" };
            svg.line(place(*heel), place(*toes), class);
        }
        for path in &self.paths {
            svg.polyline(path.points.iter().map(|&point| place(point)), &path.class);
        }
        self.draw_times(&mut svg, &figures, &place);
        svg.line(Vec2::new(left, floor), Vec2::new(left + scale * (to - from), floor), "axis");
        for distance in ticks(from, to) {
            let x = place(Vec2::new(distance, 0.0)).x;
            svg.line(Vec2::new(x, floor), Vec2::new(x, floor + 4.0), "axis");
            let label = format!("{} m", tick_label(distance));
            svg.text(Vec2::new(x, floor + 18.0), "faint middle", &label);
        }
        self.draw_legend(&mut svg);
        Panel { svg, height: floor + 24.0 }
    }

    /// The figures at even times, with the time.
    fn all_figures(&self) -> Vec<(f32, Vec<DrawnBone>)> {
        let count = self.figures.min(self.clip.frame_count());
        let times =
            (0..count).map(|index| self.clip.duration() * index as f32 / (count.max(2) - 1) as f32);
        times.map(|time| (self.start + time, self.figure(time))).collect()
    }

    /// The figures between them.
    fn onion_skins(&self) -> Vec<Vec<DrawnBone>> {
        let (count, parts) = (self.figures.min(self.clip.frame_count()), self.onion + 1);
        let last = (count.max(2) - 1) * parts;
        let between = (0..last).filter(|index| index % parts != 0);
        between
            .map(|index| self.figure(self.clip.duration() * index as f32 / last as f32))
            .collect()
    }

    fn figure(&self, time: f32) -> Vec<DrawnBone> {
        let mut pose = self.clip.frame(0).to_vec();
        self.clip.sample(time, Wrap::Clamp, &mut pose);
        let mut models = pose.clone();
        self.skeleton.local_to_model(&pose, &mut models);
        let sides = joint_sides(self.skeleton);
        bones(self.skeleton, &models, &sides, |point| self.project(point))
    }

    /// The earth under a line of ground, and the line.
    fn draw_ground(&self, svg: &mut Svg, line: &[Vec2], low: f32, place: &dyn Fn(Vec2) -> Vec2) {
        let [first, .., last] = line else { return };
        let ends = [Vec2::new(last.x, low), Vec2::new(first.x, low)];
        svg.polygon(line.iter().chain(&ends).map(|&point| place(point)), "earth");
        svg.polyline(line.iter().map(|&point| place(point)), "surface");
    }

    /// The time of each figure above its head, unless they stand too close for that.
    fn draw_times(
        &self,
        svg: &mut Svg,
        figures: &[(f32, Vec<DrawnBone>)],
        place: &dyn Fn(Vec2) -> Vec2,
    ) {
        let mut last = f32::NEG_INFINITY;
        for (time, figure) in figures {
            let ends = figure.iter().flat_map(|segment| [segment.from, segment.to]);
            let Some(head) = ends.max_by(|a, b| a.y.total_cmp(&b.y)).map(place) else { continue };
            if (head.x - last).abs() >= self.style.label_room {
                svg.text(head - Vec2::Y * 8.0, "faint middle", &format!("{time:.2} s"));
                last = head.x;
            }
        }
    }

    /// A sample of each kind of line with its name, from the left.
    fn draw_legend(&self, svg: &mut Svg) {
        let mut x = MARGIN;
        let mut entry = |name: &str, class: &str| {
            svg.line(Vec2::new(x, 10.0), Vec2::new(x + 26.0, 10.0), class);
            svg.text(Vec2::new(x + 34.0, 14.0), "", name);
            x += 34.0 + 7.5 * name.chars().count() as f32 + 22.0;
        };
        let mut named: Vec<&str> = Vec::new();
        for path in &self.paths {
            if !named.contains(&path.name.as_str()) {
                named.push(&path.name);
                entry(&path.name, &path.class);
            }
        }
        for (side, name) in [(Side::Left, "left footprint"), (Side::Right, "right footprint")] {
            if self.prints.iter().any(|(print, _)| *print == side) {
                let class = if side == Side::Left { "print left" } else { "print right" };
                entry(name, class);
            }
        }
    }
}

/// The least and the largest of some values; a metre around 0 if there are none.
fn span(values: impl Iterator<Item = f32>) -> [f32; 2] {
    let [low, high] =
        values.fold([f32::MAX, f32::MIN], |[low, high], value| [low.min(value), high.max(value)]);
    if low <= high { [low, high] } else { [-0.5, 0.5] }
}

/// The part of a line between two distances.
fn cut(line: &[Vec2], from: f32, to: f32) -> Vec<Vec2> {
    let mut kept = Vec::new();
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (low, high) = (a.x.max(from), b.x.min(to));
        // Also false for what is not a number. A vertical piece stays whole.
        if !(a.is_finite() && b.is_finite() && low <= high) {
            continue;
        }
        let at = |x: f32, end: Vec2| {
            if x == end.x { end } else { a + (b - a) * ((x - a.x) / (b.x - a.x)) }
        };
        for point in [at(low, a), at(high, b)] {
            if kept.last() != Some(&point) {
                kept.push(point);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Pose, humanoid};

    fn walk(step: f32) -> (Skeleton, Clip) {
        let skeleton = humanoid().skeleton;
        let frames = (0..5).flat_map(|frame| {
            let mut pose = Pose::rest(&skeleton).to_vec();
            pose[0].translation.z += step * frame as f32;
            pose
        });
        let clip = Clip::new("slide", &skeleton, 4.0, frames.collect()).unwrap();
        (skeleton, clip)
    }

    #[test]
    fn figures_stand_where_they_are_in_true_proportion() {
        let (skeleton, clip) = walk(1.0);
        let view = SideView::new(&skeleton, &clip, Vec2::ZERO, Vec2::Y).figures(5);
        let figures = view.all_figures();
        let start = |index: usize| figures[index].1[0].from;
        for index in 1..5 {
            assert!((start(index) - start(0)).distance(Vec2::new(index as f32, 0.0)) < 1e-5);
        }
        let back = SideView::new(&skeleton, &clip, Vec2::ZERO, Vec2::NEG_Y).figures(5);
        assert!(back.all_figures()[4].1[0].from.x < -3.0);
    }

    #[test]
    fn everything_that_is_added_is_drawn_and_named_once() {
        let (skeleton, clip) = walk(0.5);
        let ankle = [Vec3::ZERO, Vec3::Z, Vec3::new(0.0, 0.3, 2.0)];
        let panel = SideView::new(&skeleton, &clip, Vec2::ZERO, Vec2::Y)
            .ground(vec![vec![Vec2::new(-9.0, 0.0), Vec2::new(9.0, 0.1)], vec![]])
            .path("target", Side::Left, Stroke::Dashed, &ankle)
            .path("target", Side::Left, Stroke::Dashed, &ankle)
            .path("left ankle", Side::Left, Stroke::Solid, &ankle)
            .footprint(Side::Right, Vec3::ZERO, Vec3::Z * 0.2)
            .draw();
        let body = &panel.svg.body;
        let count = |what: &str| body.matches(what).count();
        assert_eq!((count("\"earth\""), count("\"surface\"")), (1, 1));
        assert_eq!((count(">target<"), count("curve left aim")), (1, 3));
        assert_eq!((count("print right"), count(">right footprint<")), (2, 1));
    }

    #[test]
    fn odd_numbers_leave_a_finite_picture() {
        let (skeleton, clip) = walk(0.0);
        let odd = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::ZERO];
        for range in [[0.0, f32::INFINITY], [1.0, 1.0], [f32::NAN, 2.0]] {
            let panel = SideView::new(&skeleton, &clip, Vec2::ZERO, Vec2::ZERO)
                .ground(vec![vec![Vec2::NAN, Vec2::ZERO, Vec2::X]])
                .path("odd", Side::Middle, Stroke::Solid, &odd)
                .range(range[0], range[1])
                .draw();
            assert!(panel.height.is_finite() && !panel.svg.body.contains("NaN"));
        }
    }

    #[test]
    fn ground_is_cut_at_the_edges_of_the_picture() {
        let line = [Vec2::new(0.0, 0.0), Vec2::new(4.0, 4.0), Vec2::new(4.0, 5.0)];
        assert_eq!(cut(&line, 1.0, 2.0), [Vec2::splat(1.0), Vec2::splat(2.0)]);
        assert_eq!(cut(&line, -1.0, 9.0), line);
    }
}
