//! A line to go along.

use super::disc::{Disc, heading_of};
use crate::PursuitSettings;
use andante_skeleton::Polyline;
use glam::Vec2;

/// A line of places, and how far along it somebody is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveRoute {
    line: Polyline,
    at: f32,
    /// The next corner of the line.
    corner: usize,
    /// Where the character was when it was looked for beforehand.
    followed: Option<Vec2>,
    foreseen: Option<Foreseen>,
}

/// A pursuit that has been found out already, and of what.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Foreseen {
    at: f32,
    disc: Disc,
    pace: f32,
    braking: f32,
    pursuit: Pursuit,
}

/// Where to turn to and how fast to go next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pursuit {
    pub heading: f32,
    pub speed: f32,
}

/// How far ahead of itself a character looks for where it is on its way, in metres.
const WINDOW: f32 = 2.0;

impl LiveRoute {
    /// From place to place. Without any it leads nowhere.
    pub fn new(places: &[Vec2]) -> Self {
        let line = Polyline::new(places);
        Self { line, at: 0.0, corner: 0, followed: None, foreseen: None }
    }

    /// From now on it is another, from its beginning; nothing is allocated for one that has no more places.
    pub fn lead_along(&mut self, places: &[Vec2]) {
        self.line.lead_along(places);
        (self.at, self.corner, self.followed) = (0.0, 0, None);
        self.foreseen = None;
    }

    pub fn length(&self) -> f32 {
        self.line.length()
    }

    /// The distance along the way.
    pub fn at(&self) -> f32 {
        self.at
    }

    pub fn left(&self) -> f32 {
        self.length() - self.at
    }

    pub fn end(&self) -> Vec2 {
        self.line.end()
    }

    /// Places from where the character is to the end, so many metres apart.
    pub fn rest(&self, spacing: f32) -> impl Iterator<Item = Vec2> {
        let count = (self.left() / spacing).ceil().max(0.0) as usize;
        (0..=count)
            .map(move |part| self.place((self.at + spacing * part as f32).min(self.length())))
    }

    /// The place after some metres; straight on beyond the end.
    pub fn place(&self, along: f32) -> Vec2 {
        self.line.extended_near(along, self.corner)
    }

    pub fn direction(&self, along: f32) -> Vec2 {
        (self.place(along + 0.15) - self.place((along - 0.15).max(0.0))).normalize_or_zero()
    }

    /// True if what is left of it, from where the character is, comes as near to a place as this.
    pub fn leads_by(&self, from: Vec2, at: Vec2, near: f32) -> bool {
        // Farther than it is long it leads nowhere.
        if from.distance(at) > self.left() + near + WINDOW {
            return false;
        }
        let spacing = 0.5 * near.max(0.1);
        let steps = (self.left() / spacing).ceil().max(0.0) as usize;
        from.distance(at) < near
            || (0..=steps).any(|step| {
                let along = (self.at + spacing * step as f32).min(self.length());
                self.place(along).distance(at) < near + 0.5 * spacing
            })
    }

    /// Takes note of how far along it the character is.
    pub fn go_to(&mut self, along: f32) {
        self.at = along.clamp(0.0, self.length());
        self.corner = self.line.corner_near(self.at, self.corner);
        (self.followed, self.foreseen) = (None, None);
    }

    /// Takes note of where the character is: the nearest place a little ahead, never back.
    pub fn follow(&mut self, place: Vec2) {
        if self.followed.take() != Some(place) {
            self.look_for(place);
        }
    }

    fn look_for(&mut self, place: Vec2) {
        self.at = self.line.closest_near(self.at..self.at + WINDOW, place, self.corner);
        self.corner = self.line.corner_near(self.at, self.corner);
    }

    /// True if it leads straight on for so many metres, never farther aside than this.
    pub fn is_straight(&self, far: f32, aside: f32) -> bool {
        let (from, to) = (self.place(self.at), self.place(self.at + far));
        let way = (to - from).normalize_or_zero();
        let off = |part: usize| {
            let at = self.place(self.at + far * part as f32 / 8.0) - from;
            at.perp_dot(way).abs()
        };
        far < self.left() && to.distance(from) > far - aside && (1..8).all(|part| off(part) < aside)
    }

    /// Finds out what will be asked for next: where the character is, and its pursuit of the way.
    pub fn foresee(&mut self, disc: &Disc, pace: f32, braking: f32, settings: &PursuitSettings) {
        self.look_for(disc.place.position);
        self.followed = Some(disc.place.position);
        let pursuit = self.found_pursuit(disc, pace, braking, settings);
        self.foreseen = Some(Foreseen { at: self.at, disc: *disc, pace, braking, pursuit });
    }

    /// The pursuit of the way from where the disc is: where to turn to and how fast to go.
    pub fn pursue(
        &self,
        disc: &Disc,
        pace: f32,
        braking: f32,
        settings: &PursuitSettings,
    ) -> Pursuit {
        let asked = (self.at, *disc, pace, braking);
        let known = self.foreseen.filter(|own| (own.at, own.disc, own.pace, own.braking) == asked);
        known.map_or_else(|| self.found_pursuit(disc, pace, braking, settings), |own| own.pursuit)
    }

    fn found_pursuit(
        &self,
        disc: &Disc,
        pace: f32,
        braking: f32,
        settings: &PursuitSettings,
    ) -> Pursuit {
        let place = disc.place.position;
        let near = settings.look.max(settings.look_seconds * disc.speed.abs());
        let look = self.look_ahead(place, near, settings);
        let aim = self.place((self.at + look).min(self.length()));
        // Close to the end its own direction counts: nobody circles a point.
        let close = self.end().distance(place) < 0.35 * near.max(1.0);
        let last = close.then(|| self.direction(self.length() - 0.2));
        let towards = last.filter(|last| *last != Vec2::ZERO).unwrap_or(aim - place);
        let heading =
            if towards.length_squared() > 1e-6 { heading_of(towards) } else { disc.place.heading };
        // What is left when the brakes take hold.
        let left = (self.remaining(place) - settings.lag * disc.speed.abs()).max(0.0);
        let mut speed = pace.min((2.0 * braking * left).sqrt());
        // Bends ahead are taken no faster than they can be, and braked for.
        let reach = (0.5 * pace * pace / braking).min(8.0);
        let mut ahead = 0.0;
        while ahead < reach.min(self.left()) {
            let (a, b) = (self.direction(self.at + ahead), self.direction(self.at + ahead + 0.6));
            let bend = a.angle_to(b).abs() / 0.6;
            if bend > 1e-3 {
                let allowed = (settings.lateral / bend)
                    .sqrt()
                    .min(settings.turning / bend)
                    .max(settings.slowest);
                speed = speed.min((allowed * allowed + 2.0 * braking * ahead).sqrt());
            }
            ahead += 0.3;
        }
        Pursuit { heading, speed }
    }

    /// How far ahead somebody aims for, who comes back to a way from beside it: the farther the more it is aside, as far as
    /// the way is nearly straight.
    fn look_ahead(&self, place: Vec2, near: f32, settings: &PursuitSettings) -> f32 {
        let from = self.place(self.at);
        let mut look = near + settings.aside * from.distance(place);
        while look > near && self.place(self.at + look).distance(from) < settings.straight * look {
            look = (0.7 * look).max(near);
        }
        look
    }

    /// Metres to the end, as the character sees it.
    fn remaining(&self, place: Vec2) -> f32 {
        if self.left() >= 0.6 {
            return self.left();
        }
        (self.end() - place).dot(self.direction(self.length() - 0.2)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn progress_goes_on_and_never_back() {
        let mut way =
            LiveRoute::new(&[vec2(0.0, 0.0), vec2(0.0, 4.0), vec2(0.0, 4.0), vec2(4.0, 4.0)]);
        assert_eq!(way.length(), 8.0);
        way.follow(vec2(0.3, 1.5));
        assert!((way.at() - 1.5).abs() < 0.06);
        way.follow(vec2(0.0, 0.2));
        assert!((way.at() - 1.5).abs() < 0.06);
        assert_eq!(way.place(6.0), vec2(2.0, 4.0));
        assert!(way.direction(6.0).abs_diff_eq(Vec2::X, 1e-5));
        assert_eq!(way.end(), vec2(4.0, 4.0));
    }

    #[test]
    fn a_way_to_nowhere_is_over() {
        let mut way = LiveRoute::new(&[]);
        way.follow(vec2(1.0, 1.0));
        assert_eq!((way.left(), way.direction(0.0)), (0.0, Vec2::ZERO));
        assert!(way.pursue(&Disc::default(), 1.0, 2.0, &PursuitSettings::default()).speed == 0.0);
    }
}
