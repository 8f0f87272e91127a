//! Where shapes may touch: a fixed list of slots, so that impulses are remembered by slot from step to step.

use std::ops::Range;

use super::pairs::{Posed, capacity, collide};
use super::terrain::{ContactTerrain, FAR};
use crate::kinematics::Kinematics;
use crate::math::{Mat3, Vec3, vec3};
use crate::model::Model;
use crate::real::Real;
use crate::shape::{CollisionForm, CollisionShape};
use crate::spatial::MotionVector;

/// What a slot watches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlotKind {
    /// A ball (of radius zero: a corner) of a shape, against the terrain.
    Terrain { local: Vec3<f64>, radius: f64 },
    /// One of the touches of two shapes.
    Pair { other: usize },
}

/// A place at which there may be a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub kind: SlotKind,
    pub shape: usize,
    pub link: usize,
    /// The other link of a pair.
    pub other: Option<usize>,
    pub friction: f64,
    pub restitution: f64,
}

/// A contact found in at least one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactCandidate<R: Real> {
    pub slot: usize,
    /// Relative to the reference of the link's tree, and of the other link's.
    pub place: Vec3<R>,
    pub other_place: Vec3<R>,
    pub normal: Vec3<R>,
    pub distance: R,
    /// Speed along the normal before the step, against what is touched.
    pub approach: R,
    /// The number of the ground's motion; none where it stays.
    pub ground: Option<usize>,
    /// Lanes in which it is near enough to matter.
    pub active: R::Mask,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    a: usize,
    b: usize,
    first: usize,
    slots: usize,
}

/// A shape and its slots against the terrain.
#[derive(Clone, Debug)]
struct Watched {
    shape: usize,
    slots: Range<usize>,
    /// A box that it may be inside of.
    cover: Option<usize>,
}

/// All slots of a model, and what was found at them.
#[derive(Clone, Debug)]
pub(crate) struct Points<R: Real> {
    pub slots: Vec<Slot>,
    terrain: Vec<Watched>,
    pairs: Vec<Pair>,
    pub found: Vec<ContactCandidate<R>>,
    /// How moving ground moves that was found, with velocities at the origin.
    pub moving: Vec<MotionVector<R>>,
}

/// The balls and corners by which a shape touches terrain. On anything but a plane the shape's middle counts too.
fn samples(shape: &CollisionShape, flat: bool, mut add: impl FnMut(Vec3<f64>, f64)) {
    let turn = shape.rotation.normalized().matrix();
    let mut put = |local: Vec3<f64>, radius: f64| add(shape.origin + turn * local, radius);
    match shape.form {
        CollisionForm::Sphere { radius } => put(vec3(0.0, 0.0, 0.0), radius),
        CollisionForm::Capsule { half_length, radius } => {
            put(vec3(0.0, -half_length, 0.0), radius);
            put(vec3(0.0, half_length, 0.0), radius);
            if !flat {
                put(vec3(0.0, 0.0, 0.0), radius);
            }
        }
        CollisionForm::Box { half } => {
            for corner in 0..8 {
                let sign = |bit: usize| if corner & bit == 0 { -1.0 } else { 1.0 };
                put(vec3(half.x * sign(1), half.y * sign(2), half.z * sign(4)), 0.0);
            }
            if !flat {
                for side in [-1.0, 1.0] {
                    put(vec3(half.x * side, 0.0, 0.0), 0.0);
                    put(vec3(0.0, half.y * side, 0.0), 0.0);
                    put(vec3(0.0, 0.0, half.z * side), 0.0);
                }
            }
        }
    }
}

/// The box of the same link that holds the centre of a sphere and has its surface.
fn cover(shapes: &[CollisionShape], sphere: &CollisionShape) -> Option<usize> {
    let CollisionForm::Sphere { .. } = sphere.form else { return None };
    shapes.iter().position(|shape| {
        shape.link == sphere.link
            && (shape.friction, shape.restitution) == (sphere.friction, sphere.restitution)
            && holds::<f64>(shape, sphere.origin)
    })
}

/// In which lanes a point of the link is within a box, surface included.
fn holds<R: Real>(shape: &CollisionShape, point: Vec3<R>) -> R::Mask {
    let CollisionForm::Box { half } = shape.form else { return R::mask_all(false) };
    let turn = Mat3::splat(&shape.rotation.normalized().matrix());
    let at = turn.transpose_mul(point - Vec3::splat(shape.origin));
    let within = |at: R, half: f64| R::lt(at.abs(), R::splat(half + 1e-9));
    R::and(R::and(within(at.x, half.x), within(at.y, half.y)), within(at.z, half.z))
}

/// Whether a link can move at all.
fn moves(model: &Model, link: usize) -> bool {
    model.chains[link].iter().any(|&i| model.nodes[i].joint.freedoms() > 0)
}

impl<R: Real> Points<R> {
    /// Slots of every shape with the terrain, of shapes of different trees, and of the `extra` pairs of shapes.
    pub fn new(model: &Model, terrain: &ContactTerrain, extra: &[(usize, usize)]) -> Self {
        let shapes = model.shapes();
        let flat = matches!(terrain, ContactTerrain::Plane { .. });
        let (mut slots, mut watched, mut pairs) = (Vec::new(), Vec::new(), Vec::<Pair>::new());
        // Slots of the same links follow each other, so that what is found is in groups.
        let mut by_link: Vec<_> = (0..shapes.len()).collect();
        by_link.sort_by_key(|&index| shapes[index].link);
        for &index in &by_link {
            let (shape, first) = (&shapes[index], slots.len());
            if !matches!(terrain, ContactTerrain::None) && moves(model, shape.link) {
                samples(shape, flat, |local, radius| {
                    slots.push(Slot {
                        kind: SlotKind::Terrain { local, radius },
                        shape: index,
                        link: shape.link,
                        other: None,
                        friction: shape.friction,
                        restitution: shape.restitution,
                    });
                });
            }
            let cover = cover(shapes, shape).filter(|_| flat);
            watched.push(Watched { shape: index, slots: first..slots.len(), cover });
        }
        for (k, &a) in by_link.iter().enumerate() {
            for &b in &by_link[k + 1..] {
                let (one, two) = (&shapes[a], &shapes[b]);
                let apart = model.tree(one.link) != model.tree(two.link);
                let asked = extra.contains(&(a, b)) || extra.contains(&(b, a));
                let movable = moves(model, one.link) || moves(model, two.link);
                if (apart || asked) && movable && one.link != two.link {
                    pairs.push(Pair { a, b, first: 0, slots: capacity(&one.form, &two.form) });
                }
            }
        }
        pairs.sort_by_key(|pair| (shapes[pair.a].link, shapes[pair.b].link));
        for pair in &mut pairs {
            let (one, two) = (&shapes[pair.a], &shapes[pair.b]);
            pair.first = slots.len();
            let slot = Slot {
                kind: SlotKind::Pair { other: pair.b },
                shape: pair.a,
                link: one.link,
                other: Some(two.link),
                friction: (one.friction * two.friction).sqrt(),
                restitution: one.restitution.max(two.restitution),
            };
            slots.resize(slots.len() + pair.slots, slot);
        }
        let found = Vec::with_capacity(slots.len());
        Points { slots, terrain: watched, pairs, found, moving: Vec::new() }
    }

    /// Looks at every slot. A contact counts once it is within `margin`, or will be within two steps of `h`.
    pub fn detect(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        terrain: &ContactTerrain,
        enabled: &[R::Mask],
        margin: f64,
        h: f64,
    ) {
        self.found.clear();
        self.moving.clear();
        for k in 0..self.terrain.len() {
            let Watched { shape, ref slots, cover } = self.terrain[k];
            if slots.is_empty() || !R::any(enabled[shape]) {
                continue;
            }
            let (slots, first) = (slots.clone(), self.found.len());
            self.detect_on_terrain(
                slots,
                model,
                kin,
                terrain,
                enabled[shape],
                &model.shapes()[shape],
                margin,
                h,
            );
            if let Some(cover) = cover {
                self.drop_covered(first, kin, enabled[cover], &model.shapes()[cover]);
            }
        }
        for k in 0..self.pairs.len() {
            let pair = self.pairs[k];
            let both = R::and(enabled[pair.a], enabled[pair.b]);
            if R::any(both) {
                self.detect_pair(pair, model, kin, both, margin, h);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn detect_on_terrain(
        &mut self,
        slots: Range<usize>,
        model: &Model,
        kin: &Kinematics<R>,
        terrain: &ContactTerrain,
        enabled: R::Mask,
        shape: &CollisionShape,
        margin: f64,
        h: f64,
    ) {
        let link = shape.link;
        let reference = kin.reference[model.nodes[link].tree];
        let (rotation, place, velocity) = (kin.rotation[link], kin.place[link], kin.velocity[link]);
        let (margin, twice) = (R::splat(margin), R::splat(2.0 * h));
        let far = shape.reach() + 1.0;
        if let ContactTerrain::Plane { .. } = terrain {
            // Nothing of the shape can be near if its centre is this far.
            let centre = place + rotation * Vec3::splat(shape.origin);
            let (distance, normal) = terrain.nearest(reference + centre, far);
            let reach = R::splat(shape.reach());
            let spin = velocity.w.x.abs() + velocity.w.y.abs() + velocity.w.z.abs();
            let speed = spin * reach - velocity.at(centre).dot(normal);
            let near = R::lt(distance, margin + reach + twice * speed.max(R::zero()));
            if !R::any(R::and(near, enabled)) {
                return;
            }
        }
        for slot in slots {
            let SlotKind::Terrain { local, radius } = self.slots[slot].kind else { continue };
            let centre = place + rotation * Vec3::splat(local);
            let (gap, normal) = terrain.nearest(reference + centre, far);
            let radius = R::splat(radius);
            let distance = gap - radius;
            let at = centre - normal * radius;
            let ground = self.ground_motion(terrain, reference + centre, far);
            let mut speed = velocity.at(at);
            if let Some(ground) = ground {
                speed -= self.moving[ground].at(reference + at);
            }
            let approach = speed.dot(normal);
            let near = R::lt(distance, margin + twice * (-approach).max(R::zero()));
            let active = R::and(near, enabled);
            if R::any(active) {
                self.found.push(ContactCandidate {
                    slot,
                    place: at,
                    other_place: at,
                    normal,
                    distance,
                    approach,
                    ground,
                    active,
                });
            }
        }
    }

    /// The number of the motion of the ground at a point of every lane, if it moves in any.
    #[inline(always)]
    fn ground_motion(&mut self, terrain: &ContactTerrain, at: Vec3<R>, far: f64) -> Option<usize> {
        if !matches!(terrain, ContactTerrain::Surface(_)) {
            return None;
        }
        let mut found = None;
        for lane in 0..R::LANES {
            if let Some(ground) = terrain.motion(at.lane(lane), far) {
                let motion = found.get_or_insert_with(MotionVector::<R>::zero);
                motion.w.set_lane(lane, ground.spin);
                motion.v.set_lane(lane, ground.velocity);
            }
        }
        let found = found?;
        let same = |a: &MotionVector<R>, b: &MotionVector<R>| {
            (0..R::LANES).all(|l| a.w.lane(l) == b.w.lane(l) && a.v.lane(l) == b.v.lane(l))
        };
        let known = self.moving.iter().position(|own| same(own, &found));
        Some(known.unwrap_or_else(|| {
            self.moving.push(found);
            self.moving.len() - 1
        }))
    }

    /// Forgets touches from `first` on where they are within a box: on a plane its corners are at least as deep, and
    /// on all sides of them.
    fn drop_covered(
        &mut self,
        first: usize,
        kin: &Kinematics<R>,
        enabled: R::Mask,
        cover: &CollisionShape,
    ) {
        let (place, rotation) = (kin.place[cover.link], kin.rotation[cover.link]);
        for found in &mut self.found[first..] {
            let covered =
                R::and(enabled, holds(cover, rotation.transpose_mul(found.place - place)));
            found.active = R::and_not(found.active, covered);
        }
        if self.found[first..].iter().all(|found| !R::any(found.active)) {
            self.found.truncate(first);
        }
    }

    fn detect_pair(
        &mut self,
        pair: Pair,
        model: &Model,
        kin: &Kinematics<R>,
        enabled: R::Mask,
        margin: f64,
        h: f64,
    ) {
        let (a, b) = (&model.shapes()[pair.a], &model.shapes()[pair.b]);
        let (ta, tb) = (model.nodes[a.link].tree, model.nodes[b.link].tree);
        let (ra, rb) = (kin.reference[ta], kin.reference[tb]);
        let centre =
            |s: &CollisionShape| kin.place[s.link] + kin.rotation[s.link] * Vec3::splat(s.origin);
        let (ca, cb) = (centre(a), centre(b));
        let (va, vb) = (kin.velocity[a.link], kin.velocity[b.link]);
        // How fast any two of their points can approach each other.
        let (size_a, size_b) = (R::splat(a.reach()), R::splat(b.reach()));
        let speed =
            (va.at(ca) - vb.at(cb)).length() + va.w.length() * size_a + vb.w.length() * size_b;
        let reach = R::splat(margin) + R::splat(2.0 * h) * speed;
        let off = (ra - rb) + ca - cb;
        let near = R::and(R::lt(off.length(), size_a + size_b + reach), enabled);
        if !R::any(near) {
            return;
        }
        let first = self.found.len();
        for k in 0..pair.slots {
            self.found.push(ContactCandidate {
                slot: pair.first + k,
                place: ca,
                other_place: cb,
                normal: Vec3::splat(vec3(0.0, 1.0, 0.0)),
                distance: R::splat(FAR),
                approach: R::zero(),
                ground: None,
                active: R::mask_all(false),
            });
        }
        for lane in (0..R::LANES).filter(|&lane| R::test(near, lane)) {
            // Relative to the first shape's tree, to keep the digits.
            let turned = |s: &CollisionShape, m: Mat3<f64>| m * s.rotation.normalized().matrix();
            let one = Posed {
                form: a.form,
                centre: ca.lane(lane),
                rotation: turned(a, kin.rotation[a.link].lane(lane)),
            };
            let two = Posed {
                form: b.form,
                centre: (cb + rb - ra).lane(lane),
                rotation: turned(b, kin.rotation[b.link].lane(lane)),
            };
            let touches = collide(&one, &two, reach.lane(lane));
            let shift = (ra - rb).lane(lane);
            for (k, touch) in touches.list[..touches.count.min(pair.slots)].iter().enumerate() {
                let found = &mut self.found[first + k];
                found.place.set_lane(lane, touch.point);
                found.other_place.set_lane(lane, touch.point + shift);
                found.normal.set_lane(lane, touch.normal);
                found.distance.set_lane(lane, touch.distance);
            }
        }
        let mut kept = first;
        for k in first..self.found.len() {
            let mut found = self.found[k];
            found.approach = (va.at(found.place) - vb.at(found.other_place)).dot(found.normal);
            let limit = R::splat(margin) + R::splat(2.0 * h) * (-found.approach).max(R::zero());
            found.active = R::and(R::lt(found.distance, limit), near);
            if R::any(found.active) {
                self.found[kept] = found;
                kept += 1;
            }
        }
        self.found.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{
        CollisionForm, CollisionShape, ContactTerrain, LinkJoint, Model, ModelLink,
        PhysicsSettings, Quat, Simulation, f64x4, vec3,
    };

    /// A foot, box and toe, pitched forwards by as many radians in every lane; in the third the box is not there.
    fn touches(pitch: f64) -> [usize; 4] {
        let link = ModelLink::new("foot", None, LinkJoint::Floating, 1.0, vec3(0.01, 0.01, 0.01));
        let sole = CollisionShape::new(0, CollisionForm::Box { half: vec3(0.05, 0.03, 0.12) });
        let toe = CollisionShape::new(0, CollisionForm::Sphere { radius: 0.02 })
            .at(vec3(0.0, -0.01, 0.11));
        let (sin, cos) = pitch.sin_cos();
        let height = (0.03 * cos + 0.12 * sin).max(0.01 * cos + 0.11 * sin + 0.02);
        let half = 0.5 * pitch;
        let turn = Quat { x: half.sin(), y: 0.0, z: 0.0, w: half.cos() };
        let foot = link.at(vec3(0.0, height, 0.0)).turned(turn);
        let model = Model::new(vec![foot], vec![sole, toe]).unwrap();
        let options = PhysicsSettings::default();
        let mut simulation =
            Simulation::<f64x4>::new(Arc::new(model), ContactTerrain::level(), options).unwrap();
        simulation.set_collision(0, 2, false);
        simulation.step();
        [0, 1, 2, 3].map(|lane| simulation.contacts(lane).count())
    }

    #[test]
    fn a_sphere_touches_a_plane_only_where_it_sticks_out_of_its_box() {
        assert_eq!(touches(0.0), [4, 4, 1, 4]);
        assert_eq!(touches(0.2), [2, 2, 1, 2], "on the edge of the box");
        assert_eq!(touches(1.4), [1, 1, 1, 1], "rolled on to the toe");
    }
}
