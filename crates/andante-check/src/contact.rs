//! Whether soles that are said to be down are on the ground, and stay where they are.

use crate::moving::IntervalCursor;
use crate::tally::Tally;
use crate::world::{Bearing, Moment, World};
use crate::{CheckSettings, ViolationKind};
use andante_play::FootContacts;
use andante_skeleton::{Foot, Transform};
use glam::Vec3;

/// The tip of the toes bears instead of the ball once that has risen so much above it, in metres.
const HANDED_OVER: f32 = 0.005;

/// Which point of a sole bears: heel, ball or tip.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SolePoint {
    Heel,
    Ball,
    Tip,
}

/// Where a point of a sole came down, on what, and where it was seen last.
#[derive(Clone, Copy, Debug)]
struct Planted {
    point: SolePoint,
    at: Vec3,
    deck: Option<usize>,
}

/// One foot over time.
#[derive(Clone, Debug, Default)]
pub(crate) struct FootCheck {
    /// Heel, and ball or tip.
    planted: [Option<Planted>; 2],
    /// What it stands on, or stood on last.
    pub hold: Option<GroundHold>,
    /// Whether it is said to be down, and whether there is ground then.
    pub is_down: bool,
    pub is_borne: bool,
    /// Whether all of it is said to be down.
    pub is_flat: bool,
    /// The same in the frame before.
    pub was_flat: bool,
    /// Contacts of the heel and of the toes.
    cursors: [IntervalCursor; 2],
}

/// Ground that bears or bore a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundHold {
    pub height: f32,
    pub slope_deg: f32,
}

/// What a foot is judged by.
pub(crate) struct FootCase<'a> {
    pub foot: &'a Foot,
    pub contacts: &'a FootContacts,
    pub world: &'a World,
    pub settings: &'a CheckSettings,
    /// How many times as tall as a person the body is.
    pub scale: f32,
}

impl FootCheck {
    pub fn frame(
        &mut self,
        case: &FootCase<'_>,
        models: &[Transform],
        moment: Moment,
        is_judged: bool,
        tally: &mut Tally,
    ) {
        let FootCase { foot, contacts, world, settings, scale } = case;
        let [heel, ball, tip] =
            [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
        let toe = if ball.y > tip.y + HANDED_OVER * scale {
            (SolePoint::Tip, tip)
        } else {
            (SolePoint::Ball, ball)
        };
        let [of_heel, of_toe] = &mut self.cursors;
        let down = [
            of_heel.contains(&contacts.heel, moment.time),
            of_toe.contains(&contacts.toe, moment.time),
        ];
        self.is_down = down != [false; 2];
        self.is_flat = down == [true; 2];
        self.is_borne = false;
        if !self.is_down {
            self.planted = [None; 2];
            return;
        }
        let limit = settings.contact_gap_m * scale;
        let points = [(SolePoint::Heel, heel), toe];
        let near = |at: Vec3| world.bearing(at, limit, moment).map(|bearing| (at, bearing));
        let found = [0, 1].map(|index| if down[index] { near(points[index].1) } else { None });
        // A sole may reach over an edge at either end as long as some of it lies on the ground. Toes that bend over an edge are
        // below a ball that lies on it.
        let between = [heel.midpoint(ball), ball, tip];
        let borne = found[0].or(found[1]).or_else(|| between.into_iter().find_map(near));
        let reaches_over = |at: Vec3| {
            borne.is_some_and(|(on, bearing)| (at - on).dot(bearing.normal).abs() <= limit)
        };
        for (index, (point, at)) in points.into_iter().enumerate() {
            if !down[index] || (found[index].is_none() && reaches_over(at)) {
                self.planted[index] = None;
                continue;
            }
            let found = found[index].map(|(_, bearing)| bearing);
            self.point(case, (index, point, at), found, moment, is_judged, tally);
        }
        if let Some((_, bearing)) = borne {
            let slope_deg = bearing.slope_deg();
            self.hold = Some(GroundHold { height: bearing.point.y, slope_deg });
            self.is_borne = true;
        }
    }

    /// One point of the sole that is said to be down and does not reach over an edge.
    fn point(
        &mut self,
        case: &FootCase<'_>,
        (index, point, at): (usize, SolePoint, Vec3),
        found: Option<Bearing>,
        moment: Moment,
        is_judged: bool,
        tally: &mut Tally,
    ) {
        let FootCase { foot, world, settings, scale, .. } = case;
        // The farthest that is looked for ground, so that the value tells how far it is.
        let far = 0.5 * scale;
        let nearest = found.or_else(|| world.bearing(at, far, moment));
        let gap = nearest.map_or(far, |bearing| bearing.distance);
        let is_buried =
            nearest.is_some_and(|bearing| at.y < bearing.point.y && bearing.is_above(at));
        let mut note = |kind: ViolationKind, value: f32, limit: f32| {
            if is_judged {
                tally.note(kind, moment.time, value, limit, || foot.name.clone());
            }
        };
        if is_buried {
            note(ViolationKind::FootInGround, gap, settings.foot_depth_m * scale);
        } else {
            note(ViolationKind::ContactInAir, gap, settings.contact_gap_m * scale);
        }
        let Some(bearing) = nearest.filter(|_| found.is_some() || is_buried) else {
            self.planted[index] = None;
            return;
        };
        note(ViolationKind::TooSteep, bearing.slope_deg(), settings.slope_deg);
        let seen = bearing.deck.map_or(at, |deck| world.drawn_from_deck(deck, at, moment));
        match self.planted[index] {
            Some(planted) if planted.point == point && planted.deck == bearing.deck => {
                let moved = seen - planted.at;
                let along = moved - moved.dot(bearing.normal) * bearing.normal;
                note(ViolationKind::Slide, along.length(), settings.slide_m * scale);
            }
            _ => self.planted[index] = Some(Planted { point, at: seen, deck: bearing.deck }),
        }
    }

    /// Forgets what it stands on now.
    pub fn lift(&mut self) {
        self.planted = [None; 2];
    }
}
