//! Pictures of motions that need no display.
//!
//! Pictures are plain SVG or HTML: they open in any browser, follow its light or dark theme, and are
//! the same on every machine. A [`Film`] is drawn triangle by triangle, as PNG or GIF.
//!
//! ```
//! use andante_draw::{Filmstrip, Sheet, View};
//! use andante_skeleton::{Clip, Pose, humanoid};
//!
//! let human = humanoid();
//! let clip = Clip::new("rest", &human.skeleton, 60.0, Pose::rest(&human.skeleton).to_vec())?;
//! let mut sheet = Sheet::new("A human at rest");
//! sheet.add(Filmstrip::new(&human.skeleton, &clip).view(View::Front).draw());
//! assert!(sheet.to_svg().starts_with("<svg"));
//! # Ok::<(), andante_skeleton::ClipError>(())
//! ```

mod body_figure;
mod bones;
mod chart;
mod film;
mod filmstrip;
mod gallery;
mod page;
mod plan_view;
mod report;
mod sheet;
mod side_view;
mod strip;
mod svg;

pub use body_figure::body_figure;
pub use chart::{BarChart, LineChart};
#[cfg(feature = "pictures")]
pub use film::Gif;
pub use film::{Camera, Film, FilmError, FilmOptions, Picture};
pub use filmstrip::{Filmstrip, View};
pub use gallery::{Gallery, GalleryFigure};
pub use page::{Page, PageSettings, Show};
pub use plan_view::PlanView;
pub use report::{take_map, take_report, take_sheet};
pub use sheet::{Panel, Sheet};
pub use side_view::{SideView, Stroke};
pub use strip::take_strip;
