//! How a foot in the air gets past the one that stands.

use super::{SwingCurve, SwingPlan, SwingSettings, smooth};
use glam::{Vec2, Vec3};

/// A foot that stands while another one passes by.
#[derive(Clone, Copy, Debug)]
pub struct StandingFoot {
    /// Heel and tip, seen from above.
    pub sole: [Vec2; 2],
    /// The side on which the other foot belongs, seen from above.
    pub outward: Vec2,
}

impl StandingFoot {
    /// A left or a right foot that stands, for the other one.
    pub fn new([heel, tip]: [Vec3; 2], is_left: bool) -> Self {
        let sole = [heel, tip].map(|end| Vec2::new(end.x, end.z));
        let ahead = (sole[1] - sole[0]).normalize_or(Vec2::Y);
        // Seen from a right foot the other one is on the left.
        let left = Vec2::new(ahead.y, -ahead.x);
        Self { sole, outward: if is_left { -left } else { left } }
    }

    /// Ways out for a foot that goes a way: across this foot, across that way, and between.
    fn ways_out(&self, way: Vec3) -> [Vec2; 4] {
        let across = Vec2::new(way.z, -way.x).normalize_or(self.outward);
        let across = across * across.dot(self.outward).signum();
        std::array::from_fn(|k| {
            self.outward.lerp(across, k as f32 / 3.0).normalize_or(self.outward)
        })
    }

    /// How much farther out a sole has to be to pass by on its side with some room.
    fn lacks(&self, sole: [Vec3; 2], out: Vec2, room: f32) -> f32 {
        let along = out.perp();
        let ends = sole.map(|end| Vec2::new(end.x, end.z));
        let span = |ends: [Vec2; 2]| {
            let [a, b] = ends.map(|end| along.dot(end));
            [a.min(b), a.max(b)]
        };
        let ([from, to], [heel, tip]) = (span(ends), span(self.sole));
        // Ahead of it and behind it there is room.
        let away = (from - tip).max(heel - to) / (0.4 * room);
        if away >= 1.0 {
            return 0.0;
        }
        let inner = ends.map(|end| out.dot(end)).into_iter().fold(f32::INFINITY, f32::min);
        let outer = self.sole.map(|end| out.dot(end)).into_iter().fold(f32::NEG_INFINITY, f32::max);
        (outer + room - inner).max(0.0) * (1.0 - away.max(0.0))
    }
}

impl SwingPlan {
    /// Leads the foot past the one that stands, on its own side, so that legs do not cross: the way that takes least,
    /// and least of a lift that there is no time for.
    pub(super) fn pass_by(&mut self, set: &SwingSettings, ground: &mut dyn FnMut(Vec2) -> f32) {
        let half = SwingCurve::PARTS / 2;
        let stands = |index: usize| self.moments[index].beside;
        let Some(other) = (0..=half).find_map(|k| stands(half - k).or(stands(half + k))) else {
            return;
        };
        let reachable = self.reachable(set);
        // What is lacking where the foot stays on its way, which is the same whichever way is out.
        let mut on_its_way = [None; SwingCurve::KNOTS];
        let mut best = (f32::INFINITY, self.path);
        for out in other.ways_out(self.brief.way) {
            let needs = self.beside(out, set);
            let mut cost: f32 = needs.iter().map(|need| need * need).sum();
            if cost <= 0.0 {
                return;
            }
            let mut aside = self.aside(&needs, set);
            for (index, aside) in aside.iter_mut().enumerate() {
                let mut lacking = |by: f32| {
                    let heights = self.heights_at(index, Vec3::new(out.x, 0.0, out.y) * by, ground);
                    (self.lacks(index, &heights, set) - reachable[index]).max(0.0)
                };
                let mut unmet = |by: f32| match by == 0.0 {
                    true => *on_its_way[index].get_or_insert_with(|| lacking(0.0)),
                    false => lacking(by),
                };
                // What is too high yet is passed by later.
                let later = index < half && *aside > 0.0;
                let shares = if later { &[1.0, 0.75, 0.5, 0.25, 0.0][..] } else { &[1.0] };
                let (mut by, mut left) = (*aside, 0.0);
                for share in shares {
                    by = share * *aside;
                    left = unmet(by);
                    if left <= 0.0 {
                        break;
                    }
                }
                *aside = by;
                cost += 10.0 * left.powi(2);
            }
            (self.path.outward, self.path.aside) = (out, SwingCurve::near(&aside));
            if cost < best.0 {
                best = (cost, self.path);
            }
        }
        self.path = best.1;
    }

    /// How far out the foot has to be at each moment. Next to the prints there is no time to be elsewhere.
    fn beside(&self, out: Vec2, set: &SwingSettings) -> [f32; SwingCurve::KNOTS] {
        let part = self.brief.seconds / SwingCurve::PARTS as f32;
        std::array::from_fn(|index| {
            let time = part * index.min(SwingCurve::PARTS - index) as f32;
            let lacks = self.moments[index].beside.map_or(0.0, |other| {
                let [heel, _, tip] = self.moments[index].sole;
                other.lacks([heel, tip], out, set.apart * self.brief.unit)
            });
            lacks.min(0.5 * set.hardest_aside * time * time)
        })
    }

    /// The way out and back that meets needs, no harder than that and no sooner than has to be.
    fn aside(
        &self,
        needs: &[f32; SwingCurve::KNOTS],
        set: &SwingSettings,
    ) -> [f32; SwingCurve::KNOTS] {
        let last = SwingCurve::PARTS;
        let part = self.brief.seconds / last as f32;
        let share = |at: usize, index: usize| {
            let time = (6.0 * needs[at] / set.hardest_aside).sqrt();
            let parts = (time / part.max(1e-4)).max(1.0).min(at.min(last - at) as f32);
            needs[at] * smooth(1.0 - at.abs_diff(index) as f32 / parts)
        };
        let most = |index: usize| (1..last).map(|at| share(at, index)).fold(0.0, f32::max);
        std::array::from_fn(most)
    }
}
