//! Recordings of a whole session, cut into clips that are about one thing each.

use crate::analysis::{ClipAnalysis, MotionClass};
use crate::edit::{EditError, placement, trim};
use andante_play::Interval;
use andante_skeleton::{Clip, Skeleton, rotation};

andante_skeleton::settings! {
    /// Options of [`cut_session`].
    pub struct SessionOptions: Copy {
        /// Pieces shorter than this, in seconds, are left out: nothing is learnt from them.
        shortest: f32 = 0.4, 0.0..=10.0;
        /// Standing for longer than this, in seconds, is cut off: it is all the same.
        longest_stand: f32 = 4.0, 0.5..=60.0;
        /// Strides that turn by more than this, in radians per second, are a clip apart from those that go straight.
        turning: f32 = 0.3, 0.01..=3.0;
    }
}

/// A piece of a session that is about one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionPiece {
    /// The motion, called by its kind and a number: `walk 2`.
    pub clip: Clip,
    /// Its kind.
    pub class: MotionClass,
    /// From when to when it was in the session.
    pub interval: Interval,
}

/// Cuts a recording into pieces of one kind: standing, walking straight, walking to the left, sitting and so on.
pub fn cut_session(
    skeleton: &Skeleton,
    clip: &Clip,
    analysis: &ClipAnalysis,
    options: &SessionOptions,
) -> Result<Vec<SessionPiece>, EditError> {
    options.check()?;
    let mut pieces: Vec<(Interval, MotionClass, String)> = Vec::new();
    for segment in &analysis.segments {
        let (span, class) = (segment.interval, segment.class);
        let name = class.name();
        match class {
            MotionClass::Walk | MotionClass::Run => {
                let strides = strides(skeleton, clip, analysis, &span, options.turning);
                if strides.is_empty() {
                    pieces.push((span, class, name.into()));
                }
                pieces.extend(
                    strides.into_iter().map(|(span, side)| (span, class, format!("{name}{side}"))),
                );
            }
            MotionClass::Stand => {
                let end = span.end.min(span.start + options.longest_stand);
                pieces.push((Interval::new(span.start, end), class, name.into()));
            }
            MotionClass::TurnInPlace => {
                let side = if segment.heading_change > 0.0 { "left" } else { "right" };
                pieces.push((span, class, format!("turn {side}")));
            }
            _ => pieces.push((span, class, name.into())),
        }
    }
    pieces.retain(|(span, ..)| span.length() >= options.shortest);
    let mut made: Vec<SessionPiece> = Vec::new();
    for (interval, class, name) in pieces {
        let of_name = |piece: &&SessionPiece| {
            piece.clip.name().rsplit_once(' ').map(|(name, _)| name) == Some(&name)
        };
        let number = made.iter().filter(of_name).count() + 1;
        let clip = trim(skeleton, clip, interval)?.renamed(format!("{name} {number}"));
        made.push(SessionPiece { clip, class, interval });
    }
    Ok(made)
}

/// Strides within a span that turn alike, as stretches, with what they are called by.
fn strides(
    skeleton: &Skeleton,
    clip: &Clip,
    analysis: &ClipAnalysis,
    span: &Interval,
    turning: f32,
) -> Vec<(Interval, &'static str)> {
    let heading = |time: f32| {
        let frame = ((time * clip.fps()).round() as usize).min(clip.frame_count() - 1);
        placement(skeleton, clip.frame(frame)).heading
    };
    let mut found: Vec<(Interval, &'static str)> = Vec::new();
    let middle = |own: &Interval| 0.5 * (own.start + own.end);
    for own in
        analysis.cycles.iter().map(|cycle| cycle.interval).filter(|own| span.contains(middle(own)))
    {
        let turned =
            rotation::wrap_angle(heading(own.end) - heading(own.start)) / own.length().max(1e-3);
        let side = match turned {
            turned if turned > turning => " left",
            turned if turned < -turning => " right",
            _ => "",
        };
        match found.last_mut() {
            Some((last, before)) if *before == side && own.start - last.end < 0.1 => {
                last.end = own.end
            }
            _ => found.push((own, side)),
        }
    }
    // What is before the first and after the last stride of a stretch belongs to it.
    if let Some((first, _)) = found.first_mut() {
        first.start = first.start.min(span.start);
    }
    if let Some((last, _)) = found.last_mut() {
        last.end = last.end.max(span.end);
    }
    found
}
