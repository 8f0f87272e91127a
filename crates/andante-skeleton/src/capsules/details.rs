//! What bones do not show: heads and heels.

use super::anatomy::Anatomy;
use super::knots::Role;
use super::surface::Ball;
use glam::Vec3;

impl Anatomy {
    /// Gives an upright head a skull and a chin, and another one that ends in nothing a muzzle.
    pub(super) fn shape_head(&mut self) {
        let Some(index) = self.knots.iter().position(|knot| knot.is_head) else { return };
        let knot = &self.knots[index];
        let below = knot.parent.map_or(knot.place - Vec3::Y, |parent| self.knots[parent].place);
        let farthest = knot
            .ends
            .iter()
            .map(|end| end.place)
            .max_by(|a, b| a.distance(knot.place).total_cmp(&b.distance(knot.place)));
        let along = farthest
            .and_then(|end| (end - knot.place).try_normalize())
            .unwrap_or_else(|| (knot.place - below).normalize_or(Vec3::Y));
        let ball = |center: Vec3, radius: f32| Ball { center, radius, joint: knot.joint };
        let skull = 0.05 * self.size;
        let extra = if along.y > 0.7 {
            let height = farthest.map_or(0.0, |end| end.distance(knot.place) + 0.01 * self.size);
            let crown = knot.place + along * height.max(0.095 * self.size);
            let forward = (Vec3::Z - along * along.z).normalize_or(Vec3::Z);
            let at =
                |down: f32, front: f32| crown - along * (down * skull) + forward * (front * skull);
            vec![
                ball(at(1.0, -0.2), skull),
                ball(at(1.15, 0.25), 0.92 * skull),
                ball(at(1.82, 0.45), 0.68 * skull),
            ]
        } else if farthest.is_none() {
            let muzzle = knot.place + along * (2.0 * skull) - Vec3::Y * (0.3 * skull);
            vec![ball(knot.place, skull), ball(muzzle, 0.5 * skull)]
        } else {
            Vec::new()
        };
        self.knots[index].extra = extra;
    }

    /// Gives a heel to feet that stand flat below upright shins.
    pub(super) fn shape_heels(&mut self) {
        for index in 0..self.knots.len() {
            let knot = &self.knots[index];
            let parent = knot.parent.map(|parent| &self.knots[parent]);
            let Some(parent) = parent.filter(|parent| parent.role != Role::Locator) else {
                continue;
            };
            let [toe] = knot.ends[..] else { continue };
            let shin = knot.place - parent.place;
            let foot = toe.place - knot.place;
            let flat = Vec3::new(foot.x, 0.0, foot.z);
            let stands = knot.role == Role::Limb
                && knot.place.y < self.ground + 0.12 * self.size
                && shin.y < -0.7 * shin.length()
                && foot.y.abs() < 0.8 * foot.length()
                && flat.length() > 0.04 * self.size;
            if stands {
                let radius = knot.radius.max(0.02 * self.size);
                let sole = toe.place.y - self.end_radius(knot, &toe);
                let back = knot.place - flat.normalize() * (0.4 * radius);
                let center = Vec3::new(back.x, (sole + radius).min(knot.place.y), back.z);
                let heel = Ball { center, radius, joint: toe.joint };
                self.knots[index].extra.push(heel);
            }
        }
    }
}
