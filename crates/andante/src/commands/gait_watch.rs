//! Watching a search: lines under the spinner, and a picture of the best so far.

use super::gait::Story;
use super::gait_report::Shown;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::write;
use andante_body::Body;
use andante_gait::{FoundGait, GaitCycle, Search};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The first picture comes after so long, the others at least so long after the one before.
const SOON: Duration = Duration::from_secs(1);
const OFTEN: Duration = Duration::from_secs(3);

/// Between pictures passes so many times as long as the last one took: they cost less than a hundredth of the time.
const RARELY: u32 = 120;

/// Columns of what is drawn with characters.
const COLUMNS: usize = 48;

/// Eighths of a block.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Keeps `search.svg` in the browser up to date.
const PAGE: &str = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"3\">\
                    <title>search</title><img src=\"search.svg\" style=\"width:100%\">\n";

/// Shows how a search is getting on.
pub struct GaitWatch {
    bar: ProgressBar,
    folder: PathBuf,
    /// What is looked for, and which of how many it is.
    title: String,
    /// When the next picture may be drawn, and how good what the last one shows is.
    next: Instant,
    merit: f64,
    /// Feet of the best, as last drawn.
    feet: Vec<String>,
    picture: Option<PathBuf>,
}

impl GaitWatch {
    /// Watches in the terminal, if somebody looks, and in a folder. `job` is which of how many searches this is.
    pub fn new(sketch: &str, job: (usize, usize), folder: &Path, context: &CliContext) -> Self {
        Self {
            bar: context.spinner(),
            folder: folder.into(),
            title: title(sketch, job),
            next: Instant::now() + SOON,
            merit: f64::INFINITY,
            feet: Vec::new(),
            picture: None,
        }
    }

    /// Takes note of a step of the search.
    pub fn see(&mut self, search: &Search) -> Result<(), Failure> {
        let Some(now) = search.history().last() else { return Ok(()) };
        if now.merit < self.merit && Instant::now() >= self.next {
            let began = Instant::now();
            self.draw(search)?;
            self.merit = now.merit;
            self.next = Instant::now() + OFTEN.max(RARELY * began.elapsed());
        }
        if self.bar.is_hidden() {
            return Ok(());
        }
        let mut lines = vec![format!(
            "{}, {}: {} simulations in {:.0} s, {:.2} m/s, effort {:.0} N²m², largest residual {:.2} of its tolerance, \
             {} limits violated",
            self.title,
            search.activity(),
            now.evaluations,
            search.seconds(),
            now.speed,
            now.effort,
            now.residual,
            now.violated,
        )];
        let history = search.history();
        let merits: Vec<f64> = spread(history.len(), COLUMNS)
            .map(|index| libm::log10(history[index].merit.max(1e-9)))
            .collect();
        let [first, last] = [merits.first(), merits.last()].map(|value| value.map_or(0.0, |v| *v));
        lines.push(format!(
            "  {}  what is wrong, from 10^{first:.1} to 10^{last:.1}",
            sparkline(&merits)
        ));
        lines.extend(self.feet.iter().map(|foot| format!("  {foot}")));
        self.bar.set_message(lines.join("\n"));
        self.bar.tick();
        Ok(())
    }

    /// Clears the terminal; the picture, if there is one.
    pub fn finish(self) -> Option<PathBuf> {
        self.bar.finish_and_clear();
        self.picture
    }

    /// Draws the best so far.
    fn draw(&mut self, search: &Search) -> Result<(), Failure> {
        let Some(best) = search.best() else { return Ok(()) };
        let problem = search.problem();
        let candidate = problem.decode(&best.point);
        let cycle = GaitCycle::new(problem, &candidate);
        self.feet = footfalls(&cycle, problem.body(), COLUMNS);
        let story = Story::of(search, best, None);
        let gait = FoundGait::new(problem, best);
        let (problem, candidate, cycle, story) = (problem, &candidate, &cycle, &story);
        let shown = Shown { problem, gait: &gait, candidate, story, cycle, alone: 0.0, held: None };
        let path = self.folder.join("search.svg");
        write(&path, shown.snapshot(&self.title).as_bytes())?;
        if self.picture.is_none() {
            write(&self.folder.join("search.html"), PAGE.as_bytes())?;
        }
        self.picture = Some(path);
        Ok(())
    }
}

/// What is looked for, and which of how many it is.
fn title(sketch: &str, (number, count): (usize, usize)) -> String {
    if count > 1 { format!("{sketch} ({number} of {count})") } else { sketch.into() }
}

/// At most so many of a number of values, each the last one of its part.
fn spread(count: usize, columns: usize) -> impl Iterator<Item = usize> {
    let columns = columns.min(count);
    (1..=columns).map(move |column| column * count / columns - 1)
}

/// Values over time as a row of blocks, from the lowest to the highest of them.
fn sparkline(values: &[f64]) -> String {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    let block = |value: f64| {
        let part = if high > low { (value - low) / (high - low) } else { 0.0 };
        // What is no number is as bad as can be.
        let part = if part.is_finite() { part } else { 1.0 };
        BLOCKS[((part * 8.0) as usize).min(7)]
    };
    values.iter().map(|&value| block(value)).collect()
}

/// A line for each foot that counts, over one cycle: blocks where any of it is down.
fn footfalls(cycle: &GaitCycle, body: &Body, columns: usize) -> Vec<String> {
    let feet = body.feet().iter().enumerate().filter(|(_, foot)| !foot.disregarded);
    feet.map(|(index, foot)| {
        let down = cycle.down.get(index).map_or(&[][..], Vec::as_slice);
        format!("{}  {}", footfall(down, columns), foot.name)
    })
    .collect()
}

/// Whether toe or heel is down, as a bar.
fn footfall(down: &[[bool; 2]], columns: usize) -> String {
    let is_down = |column: usize| {
        let index = (2 * column + 1) * down.len() / (2 * columns);
        down.get(index).is_some_and(|parts| parts.contains(&true))
    };
    (0..columns).map(|column| if is_down(column) { '█' } else { '·' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_goes_from_the_whole_block_to_the_lowest() {
        let falling: Vec<f64> = (0..8).map(|value| 7.0 - f64::from(value)).collect();
        assert_eq!(sparkline(&falling), "█▇▆▅▄▃▂▁");
    }

    #[test]
    fn a_sparkline_takes_whatever_numbers_there_are() {
        assert_eq!(sparkline(&[]), "");
        assert_eq!(sparkline(&[2.0; 3]), "▁▁▁");
        assert_eq!(sparkline(&[f64::INFINITY, f64::NAN, 1.0, 0.0]), "███▁");
    }

    #[test]
    fn many_values_are_thinned_out_and_the_last_one_is_kept() {
        assert_eq!(spread(8, 4).collect::<Vec<_>>(), [1, 3, 5, 7]);
        assert_eq!(spread(3, 4).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0, 4).count(), 0);
        assert_eq!(spread(100_000, 48).last(), Some(99_999));
    }

    #[test]
    fn a_bar_is_full_where_toe_or_heel_is_down() {
        let down = [[true, false], [true, true], [false, false], [false, true]];
        assert_eq!(footfall(&down, 8), "████··██");
        assert_eq!(footfall(&down, 4), "██·█");
        assert_eq!(footfall(&[], 3), "···");
    }

    #[test]
    fn several_searches_are_counted() {
        assert_eq!(title("dog-trot", (1, 1)), "dog-trot");
        assert_eq!(title("dog-trot", (2, 3)), "dog-trot (2 of 3)");
    }
}
