//! Curves and bars over time.

use crate::sheet::{MARGIN, Panel, WIDTH};
use crate::style::ChartStyle;
use crate::svg::{Svg, of_side};
use andante_skeleton::Side;
use glam::Vec2;

/// Curves over time, each with a name and a class of colour.
#[derive(Clone, Debug)]
pub struct LineChart {
    title: String,
    duration: f32,
    curves: Vec<(String, Vec<f32>)>,
    limits: Vec<f32>,
    unit: &'static str,
    style: ChartStyle,
}

/// `left …` and `right …` have the colours of those sides.
fn side_of(name: &str) -> Side {
    let name = name.to_lowercase();
    match (name.contains("left"), name.contains("right")) {
        (true, _) => Side::Left,
        (false, true) => Side::Right,
        (false, false) => Side::Middle,
    }
}

impl LineChart {
    /// An empty chart from 0 to `duration` seconds. The title names the unit.
    pub fn new(title: impl Into<String>, duration: f32) -> Self {
        let (curves, style) = (Vec::new(), ChartStyle::default());
        Self { title: title.into(), duration, curves, limits: Vec::new(), unit: " s", style }
    }

    /// Sets the unit of the horizontal axis, where it is not a time in seconds.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Adds a curve of values at even times from 0 to the end.
    pub fn curve(mut self, name: impl Into<String>, values: Vec<f32>) -> Self {
        self.curves.push((name.into(), values));
        self
    }

    /// Draws a line at a value that curves should keep to.
    pub fn limit(mut self, value: f32) -> Self {
        self.limits.push(value);
        self
    }

    /// Sets the style.
    pub fn style(mut self, style: ChartStyle) -> Self {
        self.style = style;
        self
    }

    /// Draws the chart.
    pub fn draw(&self) -> Panel {
        let values = || {
            let curves = self.curves.iter().flat_map(|(_, values)| values);
            curves.chain(&self.limits).filter(|value| value.is_finite())
        };
        let low = values().fold(0.0f32, |low, &value| low.min(value));
        let high = values().fold(low + 1e-6, |high, &value| high.max(value));
        let mut svg = Svg::default();
        let top = 26.0;
        let y = |value: f32| top + self.style.plot_height * (1.0 - (value - low) / (high - low));
        svg.text(Vec2::new(MARGIN, 14.0), "", &self.title);
        for value in ticks(low, high) {
            svg.line(Vec2::new(MARGIN, y(value)), Vec2::new(WIDTH - MARGIN, y(value)), "grid");
            svg.text(Vec2::new(MARGIN - 6.0, y(value) + 4.0), "faint end", &tick_label(value));
        }
        time_axis(&mut svg, top + self.style.plot_height, self.duration, self.unit);
        for &limit in self.limits.iter().filter(|limit| limit.is_finite()) {
            let ends = [MARGIN, WIDTH - MARGIN].map(|x| Vec2::new(x, y(limit)));
            svg.polyline(ends, "curve ink aim");
        }
        for (name, values) in &self.curves {
            let last = (values.len().max(2) - 1) as f32;
            let point = |(index, &value): (usize, &f32)| {
                let x = MARGIN + (WIDTH - 2.0 * MARGIN) * index as f32 / last;
                Vec2::new(x, y(value))
            };
            let class = of_side("curve ", side_of(name));
            svg.polyline(values.iter().enumerate().map(point), &class);
        }
        let names = self.curves.iter().map(|(name, _)| name.as_str());
        legend(&mut svg, self.style.letter_width, names);
        Panel { svg, height: top + self.style.plot_height + 22.0 }
    }
}

/// Bars over time, a row for each name: when which foot is down.
#[derive(Clone, Debug)]
pub struct BarChart {
    title: String,
    duration: f32,
    rows: Vec<(String, Vec<[f32; 2]>)>,
    style: ChartStyle,
}

impl BarChart {
    /// An empty chart from 0 to `duration` seconds.
    pub fn new(title: impl Into<String>, duration: f32) -> Self {
        Self { title: title.into(), duration, rows: Vec::new(), style: ChartStyle::default() }
    }

    /// Adds a row of bars, each from start to end in seconds.
    pub fn row(mut self, name: impl Into<String>, bars: Vec<[f32; 2]>) -> Self {
        self.rows.push((name.into(), bars));
        self
    }

    /// Sets the style.
    pub fn style(mut self, style: ChartStyle) -> Self {
        self.style = style;
        self
    }

    /// Draws the chart.
    pub fn draw(&self) -> Panel {
        let mut svg = Svg::default();
        svg.text(Vec2::new(MARGIN, 14.0), "", &self.title);
        let per_second = (WIDTH - 2.0 * MARGIN) / self.duration.max(1e-6);
        let mut top = 26.0;
        // Names that do not fit beside their bars stand above them.
        let beside =
            |name: &str| self.style.letter_width * name.chars().count() as f32 <= MARGIN - 6.0;
        let above = !self.rows.iter().all(|(name, _)| beside(name));
        for (name, bars) in &self.rows {
            if above {
                svg.text(Vec2::new(MARGIN, top + 11.0), "faint", name);
                top += 16.0;
            }
            let middle = top + 0.5 * self.style.bar_height;
            svg.line(Vec2::new(MARGIN, middle), Vec2::new(WIDTH - MARGIN, middle), "grid");
            for [start, end] in bars {
                let width = ((end - start) * per_second).max(1.0);
                svg.rect(
                    Vec2::new(MARGIN + start * per_second, top),
                    Vec2::new(width, self.style.bar_height),
                    &of_side("dot-", side_of(name)),
                );
            }
            if !above {
                svg.text(Vec2::new(MARGIN - 6.0, middle + 4.0), "faint end", name);
            }
            top += self.style.bar_height + 6.0;
        }
        time_axis(&mut svg, top, self.duration, " s");
        Panel { svg, height: top + 22.0 }
    }
}

fn time_axis(svg: &mut Svg, y: f32, duration: f32, unit: &str) {
    svg.line(Vec2::new(MARGIN, y), Vec2::new(WIDTH - MARGIN, y), "axis");
    for time in ticks(0.0, duration) {
        let x = MARGIN + (WIDTH - 2.0 * MARGIN) * time / duration.max(1e-6);
        svg.line(Vec2::new(x, y), Vec2::new(x, y + 4.0), "axis");
        svg.text(Vec2::new(x, y + 18.0), "faint middle", &format!("{}{unit}", tick_label(time)));
    }
}

fn legend<'a>(svg: &mut Svg, letter: f32, names: impl DoubleEndedIterator<Item = &'a str>) {
    let mut x = WIDTH - MARGIN;
    for name in names.rev() {
        svg.text(Vec2::new(x, 14.0), "faint end", name);
        x -= letter * name.chars().count() as f32 + 10.0;
        svg.circle(Vec2::new(x, 10.0), 4.0, &of_side("dot-", side_of(name)));
        x -= 18.0;
    }
}

/// About five round numbers between two values.
pub(crate) fn ticks(low: f32, high: f32) -> Vec<f32> {
    let span = f64::from(high) - f64::from(low);
    if !(span.is_finite() && span > 0.0) {
        return vec![low];
    }
    let rough = span / 5.0;
    let power = libm::pow(10f64, libm::log10(rough).floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(rough);
    let first = (f64::from(low) / step).ceil() as i64;
    let last = (f64::from(high) / step).floor() as i64;
    (first..=last).map(|index| (index as f64 * step) as f32).collect()
}

/// At most three decimals, none that say nothing.
pub(crate) fn tick_label(value: f32) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks(-3.0, 12.0), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(2.0, 2.0), [2.0]);
        assert!(ticks(0.0, f32::INFINITY).len() == 1);
        assert_eq!(
            (tick_label(0.5), tick_label(-0.0001), tick_label(20.0)),
            ("0.5".into(), "0".into(), "20".into())
        );
    }

    #[test]
    fn long_names_of_rows_stand_above_their_bars_and_short_ones_beside() {
        let chart = |name: &str| BarChart::new("feet", 1.0).row(name, vec![[0.0, 0.5]]).draw();
        let (short, long) = (chart("left toe"), chart("front left foot, heel"));
        assert!(short.svg.body.contains("faint end") && !long.svg.body.contains("faint end"));
        assert!(long.svg.body.contains("front left foot, heel") && long.height > short.height);
    }

    #[test]
    fn charts_without_values_are_drawn_empty() {
        let panel = LineChart::new("speed (m/s)", 0.0).curve("speed", vec![]).draw();
        assert!(!panel.svg.body.contains("NaN"));
        let panel = BarChart::new("contacts", 0.0).row("left heel", vec![[0.0, 0.0]]).draw();
        assert!(!panel.svg.body.contains("NaN"));
    }
}
