//! Whether soles that are said to be down are on the ground, and stay where they are.

use crate::moving::IntervalCursor;
use crate::tally::Tally;
use crate::world::{Bearing, Moment, World};
use crate::{CheckSettings, ViolationKind};
use andante_play::FootContacts;
use andante_skeleton::{Foot, Transform};
use glam::{Vec2, Vec3};

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
    pub is_down: bool,
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
        let limit = settings.contact_gap_m * scale;
        // The farthest that is looked for ground, so that the value tells how far it is.
        let far = 0.5 * scale;
        for (index, (point, at)) in [(SolePoint::Heel, heel), toe].into_iter().enumerate() {
            if !down[index] {
                self.planted[index] = None;
                continue;
            }
            // Near ground is looked for first: it is cheap.
            let bearing =
                world.bearing(at, limit, moment).or_else(|| world.bearing(at, far, moment));
            let what = || foot.name.clone();
            let gap = bearing.map_or(far, |bearing| bearing.distance);
            let is_buried =
                bearing.is_some_and(|bearing| at.y < bearing.point.y && is_above(&bearing, at));
            if is_judged && is_buried {
                let limit = settings.foot_depth_m * scale;
                tally.note(ViolationKind::FootInGround, moment.time, gap, limit, what);
            } else if is_judged {
                tally.note(ViolationKind::ContactInAir, moment.time, gap, limit, what);
            }
            let Some(bearing) = bearing.filter(|bearing| bearing.distance <= limit || is_buried)
            else {
                self.planted[index] = None;
                continue;
            };
            let slope_deg = bearing.normal.y.clamp(-1.0, 1.0).acos().to_degrees();
            self.hold = Some(GroundHold { height: bearing.point.y, slope_deg });
            if is_judged {
                tally.note(
                    ViolationKind::TooSteep,
                    moment.time,
                    slope_deg,
                    settings.slope_deg,
                    what,
                );
            }
            let seen = bearing.deck.map_or(at, |deck| world.from_deck(deck, at, moment));
            match self.planted[index] {
                Some(planted) if planted.point == point && planted.deck == bearing.deck => {
                    let moved = seen - planted.at;
                    let along = moved - moved.dot(bearing.normal) * bearing.normal;
                    if is_judged {
                        let limit = settings.slide_m * scale;
                        tally.note(ViolationKind::Slide, moment.time, along.length(), limit, what);
                    }
                }
                _ => self.planted[index] = Some(Planted { point, at: seen, deck: bearing.deck }),
            }
        }
    }

    /// Forgets what it stands on now.
    pub fn lift(&mut self) {
        self.planted = [None; 2];
    }
}

/// Whether ground lies over a point and not beside it.
fn is_above(bearing: &Bearing, point: Vec3) -> bool {
    let aside = Vec2::new(bearing.point.x - point.x, bearing.point.z - point.z).length();
    aside <= bearing.normal.y.acos().sin() * bearing.distance + 1e-4
}
