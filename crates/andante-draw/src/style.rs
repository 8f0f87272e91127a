//! The numbers that shape pictures. Lengths are units of a sheet, which is 1200 wide, unless they say metres.

/// How charts look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartStyle {
    /// Height of the room for curves, usually 60 to 300.
    pub plot_height: f32,
    /// Height of a bar, usually 6 to 30.
    pub bar_height: f32,
    /// Width of a letter of small text, 6 to 9 for most fonts: too narrow, and names overlap.
    pub letter_width: f32,
}

impl Default for ChartStyle {
    fn default() -> Self {
        Self { plot_height: 110.0, bar_height: 12.0, letter_width: 7.0 }
    }
}

/// How large a map is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapStyle {
    /// Maps are not taller than this, usually 400 to 2000.
    pub tallest: f32,
    /// Nor larger than this in units per metre, usually 30 to 300: more shows single footprints, less a whole town.
    pub largest: f32,
}

impl Default for MapStyle {
    fn default() -> Self {
        Self { tallest: 900.0, largest: 90.0 }
    }
}

/// How a view from the side looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideStyle {
    /// Views are not taller than this, however high the ground; usually 400 to 2000.
    pub tallest: f32,
    /// Figures are not larger than this in units per metre, usually 50 to 400.
    pub largest: f32,
    /// Metres of earth below the lowest point, from 0 for a line alone.
    pub earth: f32,
    /// Times that stand closer to the last one than this are left out; 0 writes all.
    pub label_room: f32,
}

impl Default for SideStyle {
    fn default() -> Self {
        Self { tallest: 900.0, largest: 160.0, earth: 0.15, label_room: 42.0 }
    }
}

/// How a gallery is spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GalleryStyle {
    /// Room between cells, usually 4 to 40.
    pub gap: f32,
    /// Height of a line of a caption, from 12, where letters touch.
    pub line: f32,
}

impl Default for GalleryStyle {
    fn default() -> Self {
        Self { gap: 14.0, line: 16.0 }
    }
}

/// How a take is cut into the rows of a filmstrip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripSettings {
    /// Metres of way in one row, usually 2 to 20: short rows have large figures.
    pub row: f32,
    /// Rows that are drawn at most, from 1; longer ways get longer rows.
    pub most_rows: f32,
    /// Metres between points of the ground, usually 0.02 to 0.2: edges of steps are blurred by as much.
    pub ground_step: f32,
    /// Metres of way from figure to figure, usually 0.3 to 2.
    pub figure_step: f32,
    /// Fainter figures between two figures, from 0.
    pub onion: usize,
    /// How each row looks.
    pub side: SideStyle,
}

impl Default for StripSettings {
    fn default() -> Self {
        Self {
            row: 6.0,
            most_rows: 14.0,
            ground_step: 0.05,
            figure_step: 0.75,
            onion: 2,
            side: SideStyle::default(),
        }
    }
}

/// How finely a film is drawn, and through what lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmLook {
    /// Samples along each side of a pixel, 1 to 4: 1 has jagged edges, 4 takes four times as long as 2.
    pub samples: usize,
    /// Pixels along each side of the map of what the sun sees, usually 256 to 4096: few make shadows blurred.
    pub sun_map: usize,
    /// Half of the angle of view from top to bottom, as a tangent; usually 0.2, a long lens, to 0.8, a wide one.
    pub spread: f32,
    /// Nothing nearer to the eye is drawn, in parts of its distance from what it looks at; above 0, usually up to 0.2.
    pub near: f32,
    /// Radians per second of an orbit, usually 0.1 to 1.
    pub orbit_rate: f32,
    /// Marks lie this high above what they mark, in metres: at 0 they flicker, above 0.05 they float.
    pub mark_lift: f32,
    /// Frames, spread over the film, from which the colours of a GIF are chosen; from 1.
    pub palette_frames: usize,
    /// Triangles of uneven ground are not smaller than this, in metres: coarser ones blur stairs.
    pub ground_cell: f32,
    /// And not many more than so many.
    pub most_ground_cells: f32,
}

impl FilmLook {
    /// The usual look.
    pub const fn new() -> Self {
        Self {
            samples: 2,
            sun_map: 1024,
            spread: 0.36,
            near: 0.03,
            orbit_rate: 0.5,
            mark_lift: 0.012,
            palette_frames: 6,
            ground_cell: 0.05,
            most_ground_cells: 4e4,
        }
    }
}

impl Default for FilmLook {
    fn default() -> Self {
        Self::new()
    }
}
