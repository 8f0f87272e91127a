//! Ground that characters walk on, as a surface that bodies touch.

use andante_dynamics::{Surface, SurfacePoint, Vec3 as Vector};
use andante_world::Ground;
use glam::DVec3;

use super::physical_body::vector;

/// Ground is looked for from so far above, in metres.
const ABOVE: f64 = 0.5;

/// Contact surface over a [`Ground`], asked straight down from half a metre above each point.
///
/// It answers in single precision: contacts rest within a micrometre of it near the origin, a tenth of a millimetre a
/// kilometre away.
pub struct ProbedSurface<G>(pub G);

impl<G: Ground> Surface for ProbedSurface<G> {
    fn nearest(&self, p: Vector<f64>, reach: f64) -> Option<SurfacePoint> {
        below(&self.0, DVec3::new(p.x, p.y, p.z), reach)
    }
}

/// A point farther below the ground than this, in metres, may be in the side of a step.
const SIDE: f64 = 0.05;

/// The ground below a point, unless it is further than `reach`. What is deep in it but near to where it is not, is in the side
/// of a step: the way out of it leads aside.
pub(super) fn below(ground: &impl Ground, at: DVec3, reach: f64) -> Option<SurfacePoint> {
    let from = (at + DVec3::Y * ABOVE).as_vec3();
    let hit = ground.probe(from, (ABOVE + 2.0 * reach) as f32)?;
    let deep = f64::from(hit.point.y) - at.y;
    if deep > SIDE
        && hit.normal.y > 0.9
        && let Some(aside) = out_of_side(ground, at, deep)
    {
        return Some(aside);
    }
    let distance = (at - hit.point.as_dvec3()).dot(hit.normal.as_dvec3());
    (distance <= reach).then(|| SurfacePoint { distance, normal: vector(hit.normal) })
}

/// The shortest way out of the side of a step, if it is shorter than the way up.
fn out_of_side(ground: &impl Ground, at: DVec3, deep: f64) -> Option<SurfacePoint> {
    let free = |to: DVec3| {
        let hit = ground.probe((to + DVec3::Y * ABOVE).as_vec3(), 2.0 * ABOVE as f32);
        hit.is_none_or(|hit| f64::from(hit.point.y) < to.y + 0.2 * SIDE)
    };
    let ways = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
    let slant = std::f64::consts::FRAC_1_SQRT_2;
    let ways = ways.into_iter().chain(
        [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
            .map(|[x, z]| DVec3::new(slant * x, 0.0, slant * z)),
    );
    let found = ways.filter(|way| free(at + *way * deep)).map(|way| {
        let (mut inside, mut outside) = (0.0, deep);
        for _ in 0..10 {
            let middle = 0.5 * (inside + outside);
            if free(at + way * middle) { outside = middle } else { inside = middle }
        }
        (outside, way)
    });
    let (far, way) = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(SurfacePoint { distance: -far, normal: vector(way.as_vec3()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_dynamics::vec3;
    use andante_world::HeightFunction;

    #[test]
    fn probed_ground_is_the_ground_below() {
        let ground = HeightFunction::new(|at: glam::Vec2| 0.2 * at.x);
        let found = ProbedSurface(ground).nearest(vec3(1.0, 0.5, 3.0), 1.0).unwrap();
        let normal = vec3(-0.2, 1.0, 0.0).normalized().unwrap();
        assert!((found.normal - normal).length() < 1e-3, "{found:?}");
        assert!((found.distance - 0.3 * normal.y).abs() < 1e-4, "{found:?}");
    }
}
