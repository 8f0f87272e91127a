//! A report that opens in any browser, offline.

use crate::filmstrip::SegmentSide;
use crate::svg::escape;
use crate::{Sheet, filmstrip};
use andante_skeleton::{Clip, Skeleton};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;
use serde_json::json;
use std::fmt::Write;

/// One self-contained HTML file: players, pictures and tables below each other. Nothing is loaded
/// from anywhere.
///
/// ```
/// use andante_draw::Page;
/// use andante_skeleton::{Clip, Pose, humanoid};
///
/// let human = humanoid();
/// let clip = Clip::new("rest", &human.skeleton, 60.0, Pose::rest(&human.skeleton).to_vec())?;
/// let mut page = Page::new("A human at rest");
/// page.player(&human.skeleton, &clip);
/// page.table(&["joint"], human.skeleton.joints().iter().map(|joint| vec![joint.name.clone()]));
/// assert!(page.to_html().starts_with("<!doctype html>"));
/// # Ok::<(), andante_skeleton::ClipError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new() }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.put(format_args!("<h2>{}</h2>\n", escape(text)));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.put(format_args!("<p class=\"faint\">{}</p>\n", escape(text)));
    }

    /// A picture.
    pub fn figure(&mut self, sheet: &Sheet) {
        self.put(format_args!("<figure>{}</figure>\n", sheet.to_svg()));
    }

    /// A table.
    pub fn table(&mut self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.body.push_str("<div class=\"scroll\"><table><tr>");
        for cell in header {
            self.put(format_args!("<th>{}</th>", escape(cell)));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                self.put(format_args!("<td>{}</td>", escape(&cell)));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    /// A player for a motion: play, scrub, slow motion, orbit and zoom.
    pub fn player(&mut self, skeleton: &Skeleton, clip: &Clip) {
        let data = player_data(skeleton, clip);
        self.put(format_args!(
            "<div class=\"player\"><canvas aria-label=\"3-D view of the motion\"></canvas>\n\
             <div class=\"controls\"><button>Pause</button>\n\
             <input type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\">\n\
             <output>0.00 s</output>\n\
             <select aria-label=\"speed\"><option value=\"1\">1×</option><option value=\"0.5\">½×</option>\
             <option value=\"0.25\">¼×</option><option value=\"0.1\">⅒×</option></select></div>\n\
             <p class=\"faint\">Drag to look around, scroll to zoom, space to pause, arrow keys for single frames.</p>\n\
             <script type=\"application/json\">{data}</script></div>\n"
        ));
    }

    /// The whole page.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let (style, script) = (include_str!("page.css"), include_str!("player.js"));
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{style}</style></head>\n<body>\n<h1>{title}</h1>\n{}\
             <script>\n{script}</script>\n</body></html>\n",
            self.body
        )
    }

    fn put(&mut self, what: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(what);
    }
}

/// Frames per second that a player needs; it interpolates between them.
const PLAYER_FPS: f32 = 60.0;

/// What `player.js` reads: bones as pairs of points with a radius and a side, and the points of
/// every frame as base64 of 16-bit millimetres around the frame's root.
fn player_data(skeleton: &Skeleton, clip: &Clip) -> String {
    let slower = if clip.fps() > PLAYER_FPS { clip.resampled(PLAYER_FPS).ok() } else { None };
    let clip = slower.as_ref().unwrap_or(clip);

    let mut bones = Vec::new();
    let mut tips = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let side = match filmstrip::side(&joint.name) {
            SegmentSide::Middle => 0,
            SegmentSide::Left => 1,
            SegmentSide::Right => 2,
        };
        if let Some(parent) = joint.parent {
            bones.push((parent, index, radius(joint.rest.translation.length()), side));
        }
        if let Some(tip) = joint.tip {
            bones.push((index, skeleton.len() + tips.len(), radius(tip.length()), side));
            tips.push((index, tip));
        }
    }

    let mut packed: Vec<u8> = Vec::new();
    let mut origins = Vec::new();
    let (mut low, mut high) = (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN));
    let mut models = clip.frame(0).to_vec();
    for pose in clip.frames() {
        skeleton.local_to_model(pose, &mut models);
        let origin = models[0].translation;
        origins.push(origin.to_array());
        let ends = tips.iter().map(|(joint, tip)| models[*joint].transform_point(*tip));
        for point in models.iter().map(|model| model.translation).chain(ends) {
            low = low.min(point);
            high = high.max(point);
            let millimetres = (point - origin) * 1000.0;
            packed.extend(
                millimetres
                    .to_array()
                    .iter()
                    .flat_map(|value| (value.round() as i16).to_le_bytes()),
            );
        }
    }
    json!({
        "fps": clip.fps(),
        "count": skeleton.len() + tips.len(),
        "size": (high.y - low.y).max(0.1),
        "ground": low.y,
        "bones": bones,
        "origins": origins,
        "points": STANDARD.encode(&packed),
    })
    .to_string()
}

/// Long bones are thicker, within what looks like a body.
fn radius(length: f32) -> f32 {
    (0.14 * length).clamp(0.004, 0.06)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_the_page() {
        let mut page = Page::new("<script>");
        page.table(&["a & b"], [vec!["</table>".to_string()]]);
        let html = page.to_html();
        assert!(!html.contains("<title><script>") && html.contains("&lt;/table&gt;"));
    }
}
