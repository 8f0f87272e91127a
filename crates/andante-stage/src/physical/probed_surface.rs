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

/// The ground below a point, unless it is further than `reach`.
pub(super) fn below(ground: &impl Ground, at: DVec3, reach: f64) -> Option<SurfacePoint> {
    let from = (at + DVec3::Y * ABOVE).as_vec3();
    let hit = ground.probe(from, (ABOVE + 2.0 * reach) as f32)?;
    let distance = (at - hit.point.as_dvec3()).dot(hit.normal.as_dvec3());
    (distance <= reach).then(|| SurfacePoint { distance, normal: vector(hit.normal) })
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
