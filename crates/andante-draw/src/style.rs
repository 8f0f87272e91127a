//! The numbers that shape pictures. Lengths are units of a sheet, which is 1200 wide, unless they say metres.

andante_skeleton::settings! {
    /// The style of charts.
    pub struct ChartStyle: Copy {
        /// Height of the room for curves, usually 60 to 300.
        plot_height: f32 = 110.0, 0.0..;
        /// Height of a bar, usually 6 to 30.
        bar_height: f32 = 12.0, 0.0..;
        /// Width of a letter of small text, 6 to 9 for most fonts: too narrow, and names overlap.
        letter_width: f32 = 7.0, 0.0..;
    }

    /// The size of a map.
    pub struct MapStyle: Copy {
        /// Maps are not taller than this, usually 400 to 2000.
        tallest: f32 = 900.0, 0.0..;
        /// Nor larger than this in units per metre, usually 30 to 300: more shows single footprints, less a whole town.
        largest: f32 = 90.0, 0.0..;
    }

    /// The style of a view from the side.
    pub struct SideStyle: Copy {
        /// Views are not taller than this, however high the ground; usually 400 to 2000.
        tallest: f32 = 900.0, 0.0..;
        /// Figures are not larger than this in units per metre, usually 50 to 400.
        largest: f32 = 160.0, 0.0..;
        /// Metres of earth below the lowest point, from 0 for a line alone.
        earth: f32 = 0.15, 0.0..;
        /// Times that stand closer to the last one than this are left out; 0 writes all.
        label_room: f32 = 42.0, 0.0..;
    }

    /// The spacing of a gallery.
    pub struct GalleryStyle: Copy {
        /// Room between cells, usually 4 to 40.
        gap: f32 = 14.0, 0.0..;
        /// Height of a line of a caption, from 12, where letters touch.
        line: f32 = 16.0, 0.0..;
    }

    /// Settings by which a take is cut into the rows of a filmstrip.
    pub struct StripSettings: Copy {
        /// Metres of way in one row, usually 2 to 20: short rows have large figures.
        row: f32 = 6.0, 0.0..;
        /// Rows that are drawn at most, from 1; longer ways get longer rows.
        most_rows: f32 = 14.0, 0.0..;
        /// Metres between points of the ground, usually 0.02 to 0.2: edges of steps are blurred by as much.
        ground_step: f32 = 0.05, 0.0..;
        /// Metres of way from figure to figure, usually 0.3 to 2.
        figure_step: f32 = 0.75, 0.0..;
        /// Fainter figures between two figures, from 0.
        onion: usize = 2;
        /// How each row looks.
        side: SideStyle = SideStyle::default();
    }

    /// The look of a film: how finely it is drawn, and through what lens.
    pub struct FilmLook: Copy {
        /// Samples along each side of a pixel: 1 has jagged edges, 4 takes four times as long as 2.
        samples: usize = 2, 1..=16;
        /// Pixels along each side of the map of what the sun sees, usually 256 to 4096: few make shadows blurred.
        sun_map: usize = 1024, 1..=16_384;
        /// Half of the angle of view from top to bottom, as a tangent; usually 0.2, a long lens, to 0.8, a wide one.
        spread: f32 = 0.36, 0.01..=10.0;
        /// Nothing nearer to the eye is drawn, in parts of its distance from what it looks at;
        /// usually up to 0.2.
        near: f32 = 0.03, 1e-4..=0.9;
        /// Radians per second of an orbit, usually 0.1 to 1.
        orbit_rate: f32 = 0.5, 0.0..;
        /// Marks lie this high above what they mark, in metres: at 0 they flicker, above 0.05 they float.
        mark_lift: f32 = 0.012, 0.0..;
        /// Frames, spread over the film, from which the colours of a GIF are chosen.
        palette_frames: usize = 6, 1..;
        /// Triangles of uneven ground are not smaller than this, in metres: coarser ones blur stairs.
        ground_cell: f32 = 0.05, 0.0..;
        /// And not many more than so many.
        most_ground_cells: f32 = 4e4, 0.0..;
    }
}
