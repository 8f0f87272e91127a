//! The few SVG elements that pictures are made of.

use andante_skeleton::Side;
use glam::Vec2;
use std::fmt::Write;

/// A growing list of SVG elements. Classes are defined in the style of a [`Sheet`](crate::Sheet).
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg {
    pub body: String,
}

impl Svg {
    pub fn line(&mut self, from: Vec2, to: Vec2, class: &str) {
        let (a, b) = (Number(from.x), Number(from.y));
        let (c, d) = (Number(to.x), Number(to.y));
        self.put(format_args!(
            "<line x1=\"{a}\" y1=\"{b}\" x2=\"{c}\" y2=\"{d}\" class=\"{class}\"/>\n"
        ));
    }

    pub fn circle(&mut self, center: Vec2, radius: f32, class: &str) {
        let (x, y, r) = (Number(center.x), Number(center.y), Number(radius));
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" class=\"{class}\"/>\n"));
    }

    pub fn rect(&mut self, corner: Vec2, size: Vec2, class: &str) {
        let (x, y) = (Number(corner.x), Number(corner.y));
        let (w, h) = (Number(size.x), Number(size.y));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"2\" class=\"{class}\"/>\n"
        ));
    }

    pub fn polyline(&mut self, points: impl IntoIterator<Item = Vec2>, class: &str) {
        self.points("polyline", points, class);
    }

    pub fn polygon(&mut self, points: impl IntoIterator<Item = Vec2>, class: &str) {
        self.points("polygon", points, class);
    }

    fn points(&mut self, kind: &str, points: impl IntoIterator<Item = Vec2>, class: &str) {
        self.put(format_args!("<{kind} points=\""));
        for point in points {
            // Writing to a string cannot fail.
            let _ = put_number(&mut self.body, point.x);
            self.body.push(',');
            let _ = put_number(&mut self.body, point.y);
            self.body.push(' ');
        }
        self.put(format_args!("\" class=\"{class}\"/>\n"));
    }

    pub fn text(&mut self, at: Vec2, class: &str, text: &str) {
        let (x, y) = (Number(at.x), Number(at.y));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>\n",
            escape(text)
        ));
    }

    fn put(&mut self, what: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(what);
    }
}

/// A coordinate with two decimals and no trailing zeros: half the size of the default.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        put_number(f, self.0)
    }
}

/// Writes a number with at most two digits after the point.
fn put_number(out: &mut impl Write, number: f32) -> std::fmt::Result {
    let hundredths = (number * 100.0).round();
    if hundredths.abs() < 1e6 {
        // As many digits as a float tells apart, and much faster to print.
        let count = hundredths.abs() as u32;
        let (whole, parts) = (count / 100, [count / 10 % 10, count % 10]);
        let digit = |number: u32| char::from(b'0' + (number % 10) as u8);
        if hundredths < 0.0 {
            out.write_char('-')?;
        }
        for unit in [1000, 100, 10, 1] {
            if unit <= whole.max(1) {
                out.write_char(digit(whole / unit))?;
            }
        }
        let [tenths, rest] = parts;
        if parts != [0, 0] {
            out.write_char('.')?;
            out.write_char(digit(tenths))?;
        }
        if rest != 0 {
            out.write_char(digit(rest))?;
        }
        return Ok(());
    }
    let rounded = hundredths / 100.0;
    // Not −0.
    write!(out, "{}", if rounded == 0.0 || !rounded.is_finite() { 0.0 } else { rounded })
}

/// The class of a kind of thing on a side: the left is blue, the right is orange, and what is between is ink.
pub(crate) fn of_side(kind: &str, side: Side) -> String {
    let side = match side {
        Side::Left => "left",
        Side::Right => "right",
        Side::Middle => "ink",
    };
    format!("{kind}{side}")
}

/// Text that cannot be mistaken for markup.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_markup() {
        assert_eq!(escape("a<b>&\"c\"\u{0}"), "a&lt;b&gt;&amp;&quot;c&quot; ");
    }

    #[test]
    fn coordinates_are_short_and_finite() {
        let shown = |value| Number(value).to_string();
        assert_eq!(
            (shown(1.0), shown(-0.001), shown(2.346)),
            ("1".into(), "0".into(), "2.35".into())
        );
        assert_eq!(shown(f32::NAN), "0");
    }
}
