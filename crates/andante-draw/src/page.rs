//! A report that opens in any browser, offline.

use crate::Sheet;
use crate::player::player_data;
use crate::svg::escape;
use andante_skeleton::{Clip, Skeleton, SkinnedMesh};
use std::fmt::Write;

/// One self-contained HTML file: players, pictures and tables below each other. Nothing is loaded
/// from anywhere.
///
/// ```
/// use andante_draw::Page;
/// use andante_skeleton::{Clip, Pose, capsule_body, humanoid};
///
/// let human = humanoid();
/// let clip = Clip::new("rest", &human.skeleton, 60.0, Pose::rest(&human.skeleton).to_vec())?;
/// let mut page = Page::new("A human at rest");
/// page.player(&human.skeleton, &clip, &capsule_body(&human.skeleton));
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

    /// A player for a motion with this body: play, scrub, slow motion, orbit and zoom.
    pub fn player(&mut self, skeleton: &Skeleton, clip: &Clip, body: &SkinnedMesh) {
        let data = player_data(skeleton, clip, body);
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
