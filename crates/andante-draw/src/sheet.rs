//! A page of pictures.

use crate::svg::{Svg, escape};
use glam::Vec2;

/// Width of every sheet in SVG units.
pub(crate) const WIDTH: f32 = 1200.0;
/// Room left and right of panels.
pub(crate) const MARGIN: f32 = 100.0;

/// A finished picture, ready to be put on a [`Sheet`].
#[derive(Clone, Debug)]
pub struct Panel {
    pub(crate) svg: Svg,
    pub(crate) height: f32,
}

/// Panels below each other under a title.
#[derive(Clone, Debug)]
pub struct Sheet {
    title: String,
    notes: Vec<String>,
    panels: Vec<Panel>,
}

/// Colours follow the reader's theme; left is blue and right is orange everywhere, which also
/// people who see no red can tell apart.
const STYLE: &str = "
svg { background: #fcfcfb; font-family: system-ui, sans-serif; }
.ink { stroke: #3a3a38; } .left { stroke: #2a78b5; } .right { stroke: #d9722a; }
.bone { stroke-width: 3.2; stroke-linecap: round; fill: none; }
.trace { stroke-width: 1.6; stroke-linecap: round; opacity: 0.28; }
.axis { stroke: #b9b8b2; stroke-width: 1; } .grid { stroke: #e6e5df; stroke-width: 1; }
.curve { stroke-width: 1.8; fill: none; stroke-linejoin: round; }
.dot-left { fill: #2a78b5; } .dot-right { fill: #d9722a; } .dot-ink { fill: #3a3a38; }
.soft { opacity: 0.45; } .aim { stroke-dasharray: 5 4; }
.earth { fill: #ece9df; } .surface { stroke: #8d8877; stroke-width: 1.6; fill: none; stroke-linejoin: round; }
.rim { stroke: #8d8877; stroke-width: 1; } .block { fill: #b5ada0; } .overhead { fill: #7fa06a; opacity: 0.35; }
.thin { stroke: #8d8877; stroke-width: 0.7; opacity: 0.6; fill: none; }
.print { stroke-width: 6; stroke-linecap: round; }
.part { fill: #efeee9; stroke-width: 1.3; stroke-linejoin: round; } .ghost { fill: none; stroke-width: 0.9; opacity: 0.4; }
.part.left { fill: #dcebf6; } .part.right { fill: #fbe6d8; }
text { fill: #3a3a38; font-size: 13px; } .title { font-size: 22px; font-weight: 600; } .faint { fill: #8a8983; }
.heading { font-size: 15px; font-weight: 600; } .small { font-size: 11px; }
.end { text-anchor: end; } .middle { text-anchor: middle; }
@media (prefers-color-scheme: dark) {
svg { background: #1c1c1b; }
.ink { stroke: #d8d7d0; } .left { stroke: #64a9df; } .right { stroke: #f0945a; }
.axis { stroke: #5a5954; } .grid { stroke: #33322f; } .earth { fill: #2b2a26; } .block { fill: #57534b; } .surface { stroke: #8d8877; }
.dot-left { fill: #64a9df; } .dot-right { fill: #f0945a; } .dot-ink { fill: #d8d7d0; }
.part { fill: #343431; } .part.left { fill: #22394a; } .part.right { fill: #4a3324; }
text { fill: #d8d7d0; } .faint { fill: #8f8e87; }
}";

impl Panel {
    /// The panel as SVG without colours of its own, for a page that has them.
    pub(crate) fn to_plain_svg(&self) -> String {
        let Self { svg, height } = self;
        format!("<svg viewBox=\"0 0 {WIDTH} {height}\">\n{}</svg>", svg.body)
    }
}

impl Sheet {
    /// An empty sheet without a title, for a page that has one.
    pub(crate) fn bare() -> Self {
        Self::new("")
    }

    /// An empty sheet.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), notes: Vec::new(), panels: Vec::new() }
    }

    /// Adds a line of text under the title.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds a panel at the bottom.
    pub fn add(&mut self, panel: Panel) {
        self.panels.push(panel);
    }

    /// Width and height in SVG units.
    pub fn size(&self) -> [usize; 2] {
        [WIDTH as usize, self.draw().1.ceil() as usize]
    }

    /// The whole sheet as an SVG document.
    pub fn to_svg(&self) -> String {
        let (body, height) = self.draw();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\n\
             <title>{}</title>\n<style>{STYLE}\n</style>\n{body}</svg>\n",
            escape(&self.title),
        )
    }

    /// The sheet without colours of its own, for a page that has them.
    pub(crate) fn to_plain_svg(&self) -> String {
        let (body, height) = self.draw();
        format!("<svg viewBox=\"0 0 {WIDTH} {height}\">\n{body}</svg>")
    }

    /// Everything on it, and how high that is.
    fn draw(&self) -> (String, f32) {
        let mut head = Svg::default();
        let mut y = 12.0;
        if !self.title.is_empty() {
            y = 44.0;
            head.text(Vec2::new(MARGIN, y), "title", &self.title);
        }
        for note in &self.notes {
            y += 20.0;
            head.text(Vec2::new(MARGIN, y), "faint", note);
        }
        y += 20.0;
        let mut body = head.body;
        for panel in &self.panels {
            body.push_str(&format!("<g transform=\"translate(0 {y})\">\n{}</g>\n", panel.svg.body));
            y += panel.height + 24.0;
        }
        (body, y)
    }
}
