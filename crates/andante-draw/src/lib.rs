#![doc = include_str!("../README.md")]

mod body_figure;
mod bones;
mod chart;
mod film;
mod filmstrip;
mod gallery;
mod page;
mod paint;
mod plan_view;
mod report;
mod sheet;
mod side_view;
mod strip;
mod style;
mod svg;

pub use body_figure::{BodyStrip, body_figure};
pub use chart::{BarChart, LineChart};
#[cfg(feature = "pictures")]
pub use film::Gif;
pub use film::{Camera, Film, FilmError, FilmOptions, Picture};
pub use filmstrip::{Filmstrip, View};
pub use gallery::{Gallery, GalleryFigure};
pub use page::{Page, PageSettings, Show};
pub use plan_view::PlanView;
pub use report::{motion_sheet, take_map, take_report, take_sheet};
pub use sheet::{Panel, Sheet};
pub use side_view::{SideView, Stroke};
pub use strip::take_strip;
pub use style::{ChartStyle, FilmLook, GalleryStyle, MapStyle, SideStyle, StripSettings};
