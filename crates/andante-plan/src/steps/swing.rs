//! A foot in the air, carried over what lies between its footprints.

use andante_play::feet::{LiftCurve, SwingSettings};
use andante_world::Ground;
use glam::{Vec2, Vec3};

/// Rounding, in leg lengths.
const NOTHING: f32 = 1e-4;

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
    pub settings: &'a SwingSettings,
}

impl PlannedSwing<'_> {
    /// What is to be added in each frame so that the foot passes over the ground; nothing if it does already.
    pub fn corrections(&self) -> Option<Vec<Vec3>> {
        let ahead = Vec2::new(self.way.x, self.way.z).normalize_or_zero();
        let climbs = self.way.y > 0.0;
        let mut best: Option<(f32, Vec<Vec3>)> = None;
        // Only edges are gone round.
        let SwingSettings { detours, excused, .. } = *self.settings;
        let tried =
            if self.way.y.abs() > self.settings.level * self.unit { detours.len() } else { 1 };
        for detour in detours.into_iter().take(tried) {
            let aside = |part: f32| {
                let [leaving, landing] = self.settings.detour(part);
                if climbs { -leaving } else { landing }
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
            if unmet <= excused * self.unit {
                break;
            }
        }
        best.map(|(_, corrections)| corrections)
    }

    /// The lift that a swing with a detour needs, if any, and what is missing nevertheless.
    fn lift(&self, shift: &impl Fn(f32) -> Vec3) -> (Option<LiftCurve>, f32) {
        let mut needs = [0.0f32; LiftCurve::KNOTS];
        let mut lift = LiftCurve::default();
        let mut unmet = 0.0f32;
        let shifted = |frame: &Airborne| self.below(frame, shift(frame.part));
        let below: Vec<SoleGround> = self.frames.iter().map(shifted).collect();
        for round in 0..self.settings.rounds {
            unmet = 0.0;
            for (frame, below) in self.frames.iter().zip(&below) {
                let now = lift.at(frame.part);
                let lacks = self.lacks(frame, below, now);
                if lacks <= 0.0 {
                    continue;
                }
                unmet = unmet.max(lacks);
                let spare = match round {
                    0 => self.settings.spare(lacks, frame.part, self.unit),
                    _ => 5e-4 * self.unit,
                };
                let parts = LiftCurve::KNOTS - 1;
                let index = ((frame.part * parts as f32) as usize).min(parts - 1);
                for (near, need) in needs.iter_mut().enumerate().skip(index).take(2) {
                    let most = self.settings.highest(near as f32 / parts as f32, self.unit);
                    *need = need.max(now + lacks + spare).min(most);
                }
            }
            if unmet <= 0.0 {
                break;
            }
            lift = LiftCurve::above(&needs);
        }
        (needs.iter().any(|&need| need > 0.0).then_some(lift), unmet)
    }

    /// What is below a sole that is shifted.
    fn below(&self, frame: &Airborne, shift: Vec3) -> SoleGround {
        let bump = (4.0 * frame.part * (1.0 - frame.part)).powi(2);
        let ground = frame.sole.map(|point| {
            let from = point + shift + Vec3::Y;
            self.ground.height_below(from, 2.5).unwrap_or(f32::NEG_INFINITY)
        });
        let wanted = std::array::from_fn(|index| {
            let own = self.settings.room(frame.heights[index], frame.part, self.unit);
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
        if deepest > NOTHING * self.unit || lacks > self.settings.excused * self.unit {
            lacks
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::smootherstep;
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
            let swing = PlannedSwing {
                frames: &frames,
                way: to - from,
                unit: 0.85,
                ground,
                settings: &SwingSettings::default(),
            };
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
        let swing = PlannedSwing {
            frames: &frames,
            way: Vec3::Z,
            unit: 0.85,
            ground: &floor,
            settings: &SwingSettings::default(),
        };
        assert_eq!(swing.corrections(), None);
    }
}
