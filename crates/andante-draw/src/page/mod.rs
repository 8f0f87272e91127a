//! A report that opens in any browser, offline.

mod pack;
mod show;

pub use show::{PageSettings, Show};

use crate::svg::escape;
use crate::{Panel, Sheet};
use std::fmt::Write;
use std::io;

/// One self-contained HTML file: players, pictures and tables below each other. Nothing is loaded
/// from anywhere.
///
/// ```
/// use andante_draw::{Page, Show};
/// use andante_skeleton::{Clip, Pose, capsule_body, humanoid};
///
/// let human = humanoid();
/// let clip = Clip::new("rest", &human.skeleton, 60.0, Pose::rest(&human.skeleton).to_vec())?;
/// let mut page = Page::new("A human at rest");
/// page.player(&Show::of_clip(&human.skeleton, &clip, &capsule_body(&human.skeleton)));
/// page.table(&["joint"], human.skeleton.joints().iter().map(|joint| vec![joint.name.clone()]));
/// assert!(page.to_html().starts_with("<!doctype html>"));
/// # Ok::<(), andante_skeleton::ClipError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    about: String,
    body: String,
}

/// What can be shown or hidden: what it is called in the script, for people, its key, and whether it is shown at first.
const LAYERS: [(&str, &str, char, bool); 7] = [
    ("bodies", "Bodies", 'b', true),
    ("bones", "Bones", 'k', false),
    ("prints", "Footprints", 'f', true),
    ("contacts", "Contacts", 'c', true),
    ("ways", "Way", 'w', true),
    ("shadows", "Shadows", 's', true),
    ("grid", "Grid", 'g', true),
];

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), about: String::new(), body: String::new() }
    }

    /// A sentence under the title.
    pub fn about(&mut self, text: impl Into<String>) {
        self.about = text.into();
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
        self.put(format_args!("<figure>{}</figure>\n", sheet.to_plain_svg()));
    }

    /// A chart over the time of the player: it shows the moment, and a click goes there.
    pub fn chart(&mut self, chart: &Panel) {
        self.put(format_args!(
            "<figure class=\"timed\">{}<i></i></figure>\n",
            chart.to_plain_svg()
        ));
    }

    /// Two columns beside each other, below each other on narrow screens.
    pub fn columns(&mut self, left: impl FnOnce(&mut Self), right: impl FnOnce(&mut Self)) {
        self.body.push_str("<div class=\"columns\"><section>\n");
        left(self);
        self.body.push_str("</section><section>\n");
        right(self);
        self.body.push_str("</section></div>\n");
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

    /// A list of moments: seconds, the number of the one it is about, and words. A click on one goes there.
    pub fn events(&mut self, events: impl IntoIterator<Item = (f32, Option<usize>, String)>) {
        self.body.push_str("<ol class=\"events\">\n");
        for (time, track, words) in events {
            let track = track.map(|track| format!(" data-track=\"{track}\"")).unwrap_or_default();
            self.put(format_args!(
                "<li><button data-time=\"{time:.3}\"{track}><time>{time:.2} s</time><span>{}</span></button></li>\n",
                escape(&words)
            ));
        }
        self.body.push_str("</ol>\n");
    }

    /// A player: play, scrub, slow motion, orbit, pan, zoom, follow somebody, show and hide layers.
    pub fn player(&mut self, show: &Show) {
        self.body.push_str(
            "<section class=\"player\" aria-label=\"player\"><canvas aria-label=\"3-D view\"></canvas>\n\
             <p class=\"blindnote\">This browser shows no WebGL 2: the pictures below still work.</p>\n\
             <div class=\"controls\"><button data-do=\"play\">Play</button>\n\
             <input data-do=\"scrub\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\">\n\
             <output data-do=\"clock\">0.00 s</output>\n\
             <select data-do=\"speed\" aria-label=\"speed\"><option value=\"2\">2×</option>\
             <option value=\"1\" selected>1×</option><option value=\"0.5\">½×</option>\
             <option value=\"0.25\">¼×</option><option value=\"0.1\">⅒×</option></select>\n\
             <select data-do=\"follow\" aria-label=\"follow\">",
        );
        for (index, name) in show.names.iter().enumerate() {
            self.put(format_args!("<option value=\"{index}\">Follow {}</option>", escape(name)));
        }
        self.body.push_str(
            "<option value=\"all\">Follow everybody</option><option value=\"free\">Stay here</option></select></div>\n\
             <div class=\"controls\" role=\"group\" aria-label=\"layers\">",
        );
        for (layer, name, key, on) in LAYERS {
            let shown = key.to_ascii_uppercase();
            self.put(format_args!(
                "<button data-toggle=\"{layer}\" data-key=\"{key}\" aria-pressed=\"{on}\">{name}<kbd>{shown}</kbd></button>\n"
            ));
        }
        self.body.push_str("</div>\n<script type=\"application/json\">");
        // Writing to a string cannot fail.
        let _ = serde_json::to_writer(ScriptText(&mut self.body), &show.data);
        self.body.push_str(
            "</script></section>\n\
             <p class=\"hint\">Drag to look around, Shift or right button and drag to move, scroll or + and − to zoom. \
             Space plays, ← → go by frames, with Shift by seconds, [ ] change the speed, 1–9 follow somebody.</p>\n",
        );
    }

    /// The whole page.
    pub fn to_html(&self) -> String {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.write(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Writes the whole page.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let (title, about) = (escape(&self.title), escape(&self.about));
        let style = include_str!("page.css");
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{style}</style></head>\n<body>\n\
             <header><div><h1>{title}</h1><p class=\"faint\">{about}</p></div>\
             <button data-do=\"theme\">Dark</button></header>\n",
        )?;
        out.write_all(self.body.as_bytes())?;
        for script in
            [include_str!("shaders.js"), include_str!("player.js"), include_str!("selftest.js")]
        {
            write!(out, "<script>\n{script}</script>\n")?;
        }
        out.write_all(b"</body></html>\n")
    }

    fn put(&mut self, what: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(what);
    }
}

/// The text of a script, which names in it cannot end.
struct ScriptText<'a>(&'a mut String);

impl io::Write for ScriptText<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (index, part) in bytes.split(|byte| *byte == b'<').enumerate() {
            self.0.push_str(if index > 0 { "\\u003c" } else { "" });
            self.0.push_str(&String::from_utf8_lossy(part));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Clip, Pose, capsule_body, humanoid};

    #[test]
    fn text_cannot_break_the_page() {
        let mut page = Page::new("<script>");
        page.table(&["a & b"], [vec!["</table>".to_string()]]);
        page.events([(0.5, Some(1), "<b>".to_string())]);
        let html = page.to_html();
        assert!(!html.contains("<title><script>") && html.contains("&lt;/table&gt;"));
        assert!(html.contains("&lt;b&gt;"));
    }

    #[test]
    fn a_name_cannot_end_the_data_of_a_player() {
        let human = humanoid();
        let pose = Pose::rest(&human.skeleton).to_vec();
        let clip = Clip::new("</script>", &human.skeleton, 60.0, pose).unwrap();
        let mut page = Page::new("x");
        page.player(&Show::of_clip(&human.skeleton, &clip, &capsule_body(&human.skeleton)));
        let html = page.to_html();
        assert_eq!(html.matches("</script>").count(), 1 + 3);
        assert!(html.contains("\\u003c/script>"));
    }
}
