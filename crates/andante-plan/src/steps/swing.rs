//! A foot in the air, carried over what lies between its footprints.

use super::score::smootherstep;
use andante_world::Ground;
use glam::{Vec2, Vec3};

/// Parts of a swing between the control values of its lift.
const PARTS: usize = 24;

/// Room below a sole that the clip itself has is kept up to this, in leg lengths.
const CLEARANCE: f32 = 0.025;

/// Room above edges that are in the way, in leg lengths.
const SPARE: f32 = 0.02;

/// How far a foot is held back at first, or sent ahead at last, to get round an edge; in leg lengths.
const DETOURS: [f32; 7] = [0.0, 0.03, 0.06, 0.09, 0.13, 0.17, 0.22];

/// Footprints whose heights differ by less are level, in leg lengths.
const LEVEL: f32 = 0.03;

/// The part of a swing that a detour takes.
const ASIDE: f32 = 0.6;

/// Rounding, in leg lengths.
const NOTHING: f32 = 1e-4;

/// What a foot may lack, in leg lengths, without being lifted or sent on a longer detour.
const EXCUSED: f32 = 2e-3;

/// Steepest rise and fall of the lift, in leg lengths per swing.
const STEEPEST: f32 = 2.6;

/// Rounds in which the lift is corrected.
const ROUNDS: usize = 4;

/// Points of a sole that are looked at.
pub(super) const POINTS: usize = 5;

/// A frame of a swing as it is without being lifted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Airborne {
    /// From 0 at the last contact to 1 at the next.
    pub part: f32,
    /// From heel to tip.
    pub sole: [Vec3; POINTS],
    /// Heights of these points above the ground in the clip.
    pub heights: [f32; POINTS],
    /// Room that is wanted in the middle of the swing whatever the clip has.
    pub wanted: f32,
}

/// What is below the points of a sole in a frame.
struct SoleGround {
    /// Heights of the ground; where there is none it is infinitely low.
    ground: [f32; POINTS],
    /// Heights the points are to have.
    wanted: [f32; POINTS],
}

/// A swing, and where it leads.
pub(super) struct PlannedSwing<'a> {
    pub frames: &'a [Airborne],
    /// From the last footprint to the next.
    pub way: Vec3,
    /// Length of a leg.
    pub unit: f32,
    pub ground: &'a dyn Ground,
}

impl PlannedSwing<'_> {
    /// What is to be added in each frame so that the foot passes over the ground; nothing if it does already.
    pub fn corrections(&self) -> Option<Vec<Vec3>> {
        let ahead = Vec2::new(self.way.x, self.way.z).normalize_or_zero();
        let climbs = self.way.y > 0.0;
        let mut best: Option<(f32, Vec<Vec3>)> = None;
        // Only edges are gone round.
        let detours = if self.way.y.abs() > LEVEL * self.unit { DETOURS.len() } else { 1 };
        for detour in DETOURS.into_iter().take(detours) {
            let aside = |part: f32| {
                let bell = |part: f32| (4.0 * part * (1.0 - part)).powi(2);
                if climbs {
                    -bell((part / ASIDE).min(1.0))
                } else {
                    bell(((1.0 - part) / ASIDE).min(1.0))
                }
            };
            let shift = |part: f32| {
                let way = ahead * (detour * self.unit * aside(part));
                Vec3::new(way.x, 0.0, way.y)
            };
            let (lift, unmet) = self.lift(&shift);
            let Some(lift) = lift else {
                if detour == 0.0 {
                    return None;
                }
                continue;
            };
            let made = || {
                let frames = self.frames.iter();
                frames.map(|f| shift(f.part) + Vec3::Y * lift.at(f.part)).collect()
            };
            if best.as_ref().is_none_or(|(least, _)| unmet < 0.8 * least) {
                best = Some((unmet, made()));
            }
            if unmet <= EXCUSED * self.unit {
                break;
            }
        }
        best.map(|(_, corrections)| corrections)
    }

    /// The lift that a swing with a detour needs, if any, and what is missing nevertheless.
    fn lift(&self, shift: &impl Fn(f32) -> Vec3) -> (Option<Lift>, f32) {
        let mut needs = [0.0f32; PARTS + 1];
        let mut lift = Lift { control: needs };
        let mut unmet = 0.0f32;
        let shifted = |frame: &Airborne| self.below(frame, shift(frame.part));
        let below: Vec<SoleGround> = self.frames.iter().map(shifted).collect();
        for round in 0..ROUNDS {
            unmet = 0.0;
            for (frame, below) in self.frames.iter().zip(&below) {
                let now = lift.at(frame.part);
                let lacks = self.lacks(frame, below, now);
                if lacks <= 0.0 {
                    continue;
                }
                unmet = unmet.max(lacks);
                let spare = match round {
                    // What has to be passed over is passed over with room to spare, once there is time for it.
                    0 => (0.3 * lacks).min(SPARE * self.unit) * ends(frame.part, 5.0),
                    _ => 5e-4 * self.unit,
                };
                let index = ((frame.part * PARTS as f32) as usize).min(PARTS - 1);
                for (near, need) in needs.iter_mut().enumerate().skip(index).take(2) {
                    let most = most(near as f32 / PARTS as f32) * self.unit;
                    *need = need.max(now + lacks + spare).min(most);
                }
            }
            if unmet <= 0.0 {
                break;
            }
            lift.control = envelope(&needs);
        }
        (needs.iter().any(|&need| need > 0.0).then_some(lift), unmet)
    }

    /// What is below a sole that is shifted.
    fn below(&self, frame: &Airborne, shift: Vec3) -> SoleGround {
        let bump = (4.0 * frame.part * (1.0 - frame.part)).powi(2);
        // Next to the footprints there is hardly any room.
        let ends = ends(frame.part, 4.0);
        let ground = frame.sole.map(|point| {
            let from = point + shift + Vec3::Y;
            self.ground.height_below(from, 2.5).unwrap_or(f32::NEG_INFINITY)
        });
        let wanted = std::array::from_fn(|index| {
            let own = frame.heights[index].min(CLEARANCE * self.unit);
            let own = if own > 0.0 { own * ends } else { own };
            ground[index] + own.max(frame.wanted * bump)
        });
        SoleGround { ground, wanted }
    }

    /// How much higher a lifted sole has to be.
    fn lacks(&self, frame: &Airborne, below: &SoleGround, lift: f32) -> f32 {
        let (mut lacks, mut deepest) = (0.0f32, 0.0f32);
        for (index, point) in frame.sole.iter().enumerate() {
            let height = point.y + lift;
            lacks = lacks.max(below.wanted[index] - height);
            deepest = deepest.max(below.ground[index] - height);
        }
        // A little less room than the clip has is none the worse.
        if deepest > NOTHING * self.unit || lacks > EXCUSED * self.unit { lacks } else { 0.0 }
    }
}

/// Grows from 0 at either end to 1, so many times as fast as the swing goes by.
fn ends(part: f32, steep: f32) -> f32 {
    smootherstep(steep * part.min(1.0 - part))
}

/// The highest lift at a part of a swing, in leg lengths.
fn most(part: f32) -> f32 {
    (STEEPEST * (part.min(1.0 - part) - 0.5 / PARTS as f32)).max(0.0)
}

/// A height over the parts of a swing: a uniform cubic B-spline.
#[derive(Clone, Copy, Debug)]
struct Lift {
    control: [f32; PARTS + 1],
}

impl Lift {
    fn at(&self, part: f32) -> f32 {
        let at = (part * PARTS as f32).clamp(0.0, PARTS as f32);
        let index = (at as usize).min(PARTS - 1);
        let control = |offset: usize| {
            let index = (index + offset).checked_sub(1);
            index.and_then(|index| self.control.get(index)).copied().unwrap_or(0.0)
        };
        let t = at - index as f32;
        let (s, tt, ttt) = (1.0 - t, t * t, t * t * t);
        (s * s * s * control(0)
            + (3.0 * ttt - 6.0 * tt + 4.0) * control(1)
            + (-3.0 * ttt + 3.0 * tt + 3.0 * t + 1.0) * control(2)
            + ttt * control(3))
            / 6.0
    }
}

/// Control values of a smooth curve that is nowhere below the needs and leaves the ends alone.
fn envelope(needs: &[f32; PARTS + 1]) -> [f32; PARTS + 1] {
    let widest = |values: &[f32; PARTS + 1]| -> [f32; PARTS + 1] {
        std::array::from_fn(|i| {
            let near = i.saturating_sub(1)..=(i + 1).min(PARTS);
            values[near].iter().copied().fold(0.0, f32::max)
        })
    };
    let narrow = widest(needs);
    let wide = widest(&narrow);
    let mut control: [f32; PARTS + 1] = std::array::from_fn(|i| {
        let (before, after) = (wide[i.saturating_sub(1)], wide[(i + 1).min(PARTS)]);
        (0.25 * (before + 2.0 * wide[i] + after)).max(narrow[i])
    });
    for (end, next, inner) in [(0, 1, 2), (PARTS, PARTS - 1, PARTS - 2)] {
        control[end] = 0.0;
        control[next] = control[next].min(0.25 * control[inner]);
    }
    control
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::HeightFunction;

    /// A sole that is carried from one place to another, a little above the line between them.
    fn frames(from: Vec3, to: Vec3) -> Vec<Airborne> {
        let count = 26;
        (1..count)
            .map(|k| {
                let part = k as f32 / count as f32;
                let height = 0.05 * (4.0 * part * (1.0 - part));
                let middle = from.lerp(to, smootherstep(part)) + Vec3::Y * height;
                let sole = [-0.1, -0.01, 0.08, 0.115, 0.15].map(|ahead| middle + Vec3::Z * ahead);
                Airborne { part, sole, heights: [height; POINTS], wanted: 0.012 }
            })
            .collect()
    }

    #[test]
    fn a_foot_passes_over_every_tread_up_and_down() {
        let stairs = HeightFunction::new(|place: Vec2| 0.17 * (place.y / 0.29).floor());
        for rise in [2.0, -2.0] {
            let from = Vec3::new(0.0, 0.0, 0.12);
            let to = from + Vec3::new(0.0, 0.17 * rise, 0.29 * rise);
            let to = if rise < 0.0 { Vec3::new(0.0, -0.34, 0.7) } else { to };
            let down = HeightFunction::new(|place: Vec2| -0.17 * (place.y / 0.29).floor());
            let ground: &dyn Ground = if rise < 0.0 { &down } else { &stairs };
            let frames = frames(from, to);
            let swing = PlannedSwing { frames: &frames, way: to - from, unit: 0.85, ground };
            let moved = swing.corrections().unwrap();
            for (frame, by) in frames.iter().zip(&moved) {
                for point in frame.sole {
                    let at = point + *by;
                    let floor = ground.probe(at + Vec3::Y, 3.0).unwrap().point.y;
                    assert!(
                        at.y > floor - 3e-3,
                        "{rise}: {} below at {}",
                        floor - at.y,
                        frame.part
                    );
                }
            }
            let last = moved.len() - 1;
            // No more than a foot in the air goes from one frame to the next.
            assert!(moved[0].length() < 0.05 && moved[last].length() < 0.05);
        }
    }

    #[test]
    fn a_foot_with_nothing_in_its_way_is_left_alone() {
        let floor = HeightFunction::new(|_| 0.0);
        let frames = frames(Vec3::ZERO, Vec3::new(0.0, 0.0, 1.2));
        let swing = PlannedSwing { frames: &frames, way: Vec3::Z, unit: 0.85, ground: &floor };
        assert_eq!(swing.corrections(), None);
    }
}
