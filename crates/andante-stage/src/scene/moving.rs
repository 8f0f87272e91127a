//! Reading platforms that move.

use super::read::{Problem, long, named, near};
use super::schema::{self, Stop};
use crate::{MovingPlatform, MovingPlatformSettings};
use glam::Vec3;
use std::ops::RangeInclusive;
use toml::Spanned;

/// How fast and hard they can, and how long they wait at most.
const SPEEDS: RangeInclusive<f32> = 0.01..=10.0;
const ACCELERATIONS: RangeInclusive<f32> = 0.01..=20.0;
const WAITS: RangeInclusive<f32> = 0.0..=86_400.0;

/// Stops of one platform.
const MOST_STOPS: usize = 1000;

pub(super) fn platform(
    index: usize,
    entry: &Spanned<schema::Ferry>,
    usual: &MovingPlatformSettings,
) -> Result<MovingPlatform, Problem> {
    let (span, given) = (entry.span(), entry.get_ref());
    near("at", given.at, &span)?;
    near("heading", [given.heading], &span)?;
    given.size.iter().try_for_each(|&side| long("a side of the box", side, &span).map(|_| ()))?;
    if !(1..=MOST_STOPS).contains(&given.stops.len()) {
        let message = format!("{} stops; there are 1 to {MOST_STOPS}", given.stops.len());
        return Err((span, message));
    }
    let mut stops = vec![(Vec3::from(given.at), given.heading.to_radians())];
    for stop in &given.stops {
        let before = stops.last().map_or(0.0, |(_, heading)| *heading);
        let (at, heading) = match stop.get_ref() {
            Stop::At(at) => (at, before),
            Stop::Turned(turned) => (&turned.at, turned.heading.to_radians()),
        };
        let at = near("a stop", *at, &stop.span())?;
        near("the heading of a stop", [heading], &stop.span())?;
        stops.push((at.into(), heading));
    }
    Ok(MovingPlatform {
        name: named(&given.name, "moving platform", index),
        size: given.size.into(),
        stops,
        speed: within("speed", given.speed.as_ref(), usual.speed, SPEEDS, "m/s")?,
        acceleration: within(
            "acceleration",
            given.acceleration.as_ref(),
            usual.acceleration,
            ACCELERATIONS,
            "m/s²",
        )?,
        wait: within("wait", given.wait.as_ref(), usual.wait, WAITS, "s")?,
        round: given.round,
    })
}

fn within(
    what: &str,
    given: Option<&Spanned<f32>>,
    usual: f32,
    range: RangeInclusive<f32>,
    unit: &str,
) -> Result<f32, Problem> {
    let Some(given) = given else { return Ok(usual) };
    let (number, least, most) = (*given.get_ref(), range.start(), range.end());
    if range.contains(&number) {
        return Ok(number);
    }
    Err((given.span(), format!("{what} is {number}; it is {least} to {most} {unit}")))
}

#[cfg(test)]
mod tests {
    use crate::read_scene;
    use glam::{Vec2, Vec3};

    const QUAY: &str = r#"version = 1
name = "quay"
[[platform]]
outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
[[moving_platform]]
name = "ferry"
at = [4, -0.3, -2]
box = [2, 0.5, 3]
stops = [
  [4, -0.3, -8],
  { at = [4, -0.3, -8], heading = 90 }]
speed = 0.8
[[character]]
name = "ann"
start = { at = [4, -2], heading = 180 }
[[character]]
name = "ben"
start = { at = [4, 4] }
"#;

    #[test]
    fn a_platform_that_moves_is_read_with_who_rides_on_it() {
        let scene = read_scene(QUAY).unwrap();
        let ferry = &scene.moving[0];
        assert_eq!((ferry.speed, ferry.acceleration, ferry.wait), (0.8, 0.5, 1.0));
        assert_eq!(ferry.stops.len(), 3);
        assert_eq!(ferry.stops[0], (Vec3::new(4.0, -0.3, -2.0), 0.0));
        assert!((ferry.stops[2].1.to_degrees() - 90.0).abs() < 1e-4);
        assert!((ferry.top() - 0.2).abs() < 1e-6);
        assert_eq!(scene.rides(&scene.characters[0]), Some(0));
        assert_eq!(scene.rides(&scene.characters[1]), None);
        let mut below = scene.characters[0].clone();
        below.start.height = Some(0.0);
        assert_eq!(scene.rides(&below), None);
        below.start.place = Vec2::new(5.5, -2.0);
        assert_eq!(scene.rides(&below), None);
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        for (from, to, message) in [
            ("speed = 0.8", "speed = 80", "line 12, column 9: speed is 80; it is 0.01 to 10 m/s"),
            ("speed = 0.8", "wait = -1", "line 12, column 8: wait is -1; it is 0 to 86400 s"),
            ("speed = 0.8", "sped = 0.8", "line 12, column 1: unknown field `sped`"),
            ("  [4, -0.3, -8],", "  [4, -0.3],", "line 9, column 9: expected a stop `[x, y, z]`"),
            ("[4, -0.3, -8],", "[4, -0.3, -8e9],", "line 10, column 3: a stop is -8000000000"),
            ("box = [2, 0.5, 3]", "box = [2, 0, 3]", "line 5, column 1: a side of the box is 0"),
        ] {
            assert!(QUAY.contains(from));
            let error = read_scene(&QUAY.replace(from, to)).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let none = QUAY.replace(
            "stops = [
  [4, -0.3, -8],
  { at = [4, -0.3, -8], heading = 90 }]",
            "stops = []",
        );
        let error = read_scene(&none).unwrap_err().to_string();
        assert!(error.contains("0 stops; there are 1 to 1000"), "{error}");
    }
}
