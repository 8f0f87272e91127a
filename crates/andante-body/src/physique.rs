//! A body as balance sees it: what it stands on, what must stay up.

use std::sync::Arc;

use crate::{Body, BodyError, BodyFoot, BodyModel, CharacterError, Geometry, RestPose};
use andante_dynamics::{JointState, Kinematics, Model, PhysicsSettings, Quat, Vec3, vec3};
use andante_skeleton::Side;
use glam::DVec3;

/// An error that keeps a body from being balanced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PhysiqueError {
    /// Not a biped.
    #[error("balance needs two feet, one on each side; this body has {0} that count")]
    Feet(usize),
    /// The body is not one any more without its springs.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// It cannot be simulated.
    #[error(transparent)]
    Character(#[from] CharacterError),
}

/// The underside of a foot.
#[derive(Clone, Debug)]
pub struct SoleBox {
    /// The foot's link.
    pub link: usize,
    /// The link whose joint is the hip.
    pub hip: usize,
    /// Corners of the area that can carry, in the link's frame.
    pub corners: [Vec3<f64>; 4],
    /// Their middle, which is the sole's.
    pub centre: Vec3<f64>,
    /// +1 for a left foot, -1 for a right one: which way is outwards along x.
    pub outwards: f64,
}

impl SoleBox {
    /// The corners of the whole sole: what a foot tips over.
    pub fn edges(&self) -> [Vec3<f64>; 4] {
        self.corners.map(|corner| self.centre + (corner - self.centre) * (1.0 / TRUSTED))
    }
}

/// The end of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// The link that carries it.
    pub link: usize,
    /// Its middle, in the link's frame.
    pub centre: Vec3<f64>,
}

/// A biped whose joints are driven by muscles alone.
///
/// The springs a [`Body`] hangs in are left out: a controller decides what pulls.
#[derive(Clone, Debug)]
pub struct Physique {
    /// Links, joints and shapes; link `i` is segment `i` of the body.
    pub model: Arc<Model>,
    /// Left, then right.
    pub soles: [SoleBox; 2],
    /// Left, then right, where there are arms.
    pub hands: [Option<Hand>; 2],
    /// Velocities of the joints from hip to foot.
    pub legs: Vec<usize>,
    /// The link that is to stay upright.
    pub torso: usize,
    /// Of all links, kg.
    pub mass: f64,
    /// Height of the centre of mass above the soles in the rest pose.
    pub height: f64,
    /// Middle of the torso's highest shape, in its frame.
    pub head: Vec3<f64>,
    /// Where pushes land, in the torso's frame: at four fifths of the head's height.
    pub chest: Vec3<f64>,
    /// Height of the head above the soles in the rest pose.
    pub top: f64,
    /// Distance from hip to ankle with a straight leg.
    pub leg: f64,
    /// Hips above the soles in the rest pose.
    pub hips: f64,
    /// Half the distance between the middles of the soles in the rest pose.
    pub half_width: f64,
    /// Highest friction of the soles.
    pub friction: f64,
    /// The world that it is made for: trials of it and its walks are under this gravity.
    pub physics: PhysicsSettings,
}

fn vector(v: DVec3) -> Vec3<f64> {
    vec3(v.x, v.y, v.z)
}

impl Physique {
    /// A body that stands in a rest pose; every shape has the friction and restitution of the settings.
    pub fn new(
        body: &Body,
        pose: &RestPose,
        settings: &PhysicsSettings,
    ) -> Result<Self, PhysiqueError> {
        let feet: Vec<&BodyFoot> = body.feet().iter().filter(|foot| !foot.disregarded).collect();
        let of = |side: Side| feet.iter().find(|foot| foot.side == side);
        let (Some(left), Some(right), 2) = (of(Side::Left), of(Side::Right), feet.len()) else {
            return Err(PhysiqueError::Feet(feet.len()));
        };
        let mut parts = body.clone().into_parts();
        for joint in parts.segments.iter_mut().filter_map(|segment| segment.joint.as_mut()) {
            joint.stiffness = [0.0; 3];
            joint.damping = [0.0, TWIST_DAMPING, 0.0];
        }
        // Legs twist by muscles alone.
        for foot in [left, right] {
            let mut at = foot.segment;
            while let Some(joint) = parts.segments[at].joint.as_mut() {
                joint.damping = [0.0; 3];
                at = if at == foot.hip { 0 } else { joint.parent };
            }
        }
        let loose = Body::new(parts)?;
        let model = BodyModel::new(&loose, pose, settings)?.model.with_stop_spin(STOP_SPIN);
        let soles = [sole(body, left, 1.0), sole(body, right, -1.0)];

        let state = JointState::<f64>::rest(&model);
        let mut kin = Kinematics::new(&model);
        kin.set_positions(&model, &state.q);
        let placed = body.stand(pose);
        let at = |sole: &SoleBox| kin.point(&model, sole.link, sole.centre);
        let ground = 0.5 * (at(&soles[0]).y + at(&soles[1]).y);
        let torso = placed[body.torso()];
        let shapes = body.segments()[body.torso()].shapes.iter().map(|shape| shape.center);
        let height = |point: &DVec3| torso.transform_point(*point).y;
        let head = shapes.max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or(DVec3::ZERO);
        let top = height(&head) - ground;
        let over = torso.transform_point(head);
        let chest = torso.inverse().transform_point(DVec3::new(
            torso.translation.x,
            0.8 * top + ground,
            torso.translation.z.midpoint(over.z),
        ));
        let hip = |sole: &SoleBox| kin.position(&model, sole.hip);
        let physique = Physique {
            torso: body.torso(),
            mass: model.mass(),
            height: body.center_of_mass(&placed).y - ground,
            head: vector(head),
            chest: vector(chest),
            top,
            legs: soles.iter().flat_map(|sole| leg_freedoms(&model, sole)).collect(),
            leg: leg(body, &soles[0]),
            hips: 0.5 * (hip(&soles[0]).y + hip(&soles[1]).y) - ground,
            half_width: 0.5 * (at(&soles[0]).x - at(&soles[1]).x).abs(),
            hands: soles.each_ref().map(|sole| hand(&model, &soles, body.torso(), sole.outwards)),
            model: Arc::new(model),
            soles,
            friction: settings.friction,
            physics: settings.clone(),
        };
        Ok(physique)
    }

    /// The middle of a sole.
    pub fn sole_at(&self, kin: &Kinematics<f64>, foot: usize) -> Vec3<f64> {
        kin.point(&self.model, self.soles[foot].link, self.soles[foot].centre)
    }

    /// The height above the ground for the hips of a body that stands, or is to stand, on these places: as in the rest
    /// pose, lower where a leg must reach far aside or down.
    pub fn hip_height(&self, kin: &Kinematics<f64>, feet: &[Vec3<f64>; 2], ground: f64) -> f64 {
        let reach = 0.97 * self.leg;
        let ankle = self.hips - self.leg;
        let mut height = self.hips;
        for (sole, to) in self.soles.iter().zip(feet) {
            let hip = kin.position(&self.model, sole.hip);
            let away = libm::hypot(to.x - hip.x, to.z - hip.z);
            let down = ground - to.y;
            height = height.min((reach * reach - away * away).max(0.0).sqrt() + ankle - down);
        }
        height.max(0.7 * self.hips)
    }

    /// The height of the hips above the ground when the leg that is stretched most is stretched to a part of its length.
    pub fn stretched_height(
        &self,
        kin: &Kinematics<f64>,
        feet: &[Vec3<f64>; 2],
        ground: f64,
        stretch: f64,
    ) -> f64 {
        let reach = stretch * self.leg;
        let mut height = f64::INFINITY;
        for (sole, to) in self.soles.iter().zip(feet) {
            let hip = kin.position(&self.model, sole.hip);
            // From the middle of the sole to the ankle, as the foot lies.
            let ankle = kin.position(&self.model, sole.link)
                - kin.point(&self.model, sole.link, sole.centre);
            let at = *to + ankle;
            let away = libm::hypot(at.x - hip.x, at.z - hip.z);
            height = height.min((reach * reach - away * away).max(0.0).sqrt() + at.y - ground);
        }
        height
    }

    /// The rest pose with the joints of the legs turned less, so that legs are stretched to a part of their length.
    pub fn straightened(&self, stretch: f64) -> Vec<f64> {
        let rest = self.model.rest();
        let mut kin = Kinematics::new(&self.model);
        kin.set_positions(&self.model, rest);
        let sole = &self.soles[0];
        let own =
            (kin.position(&self.model, sole.hip) - kin.position(&self.model, sole.link)).length();
        // Of a leg of two bones that are about as long: half the bend is the angle whose cosine is the stretch.
        let bend = |stretch: f64| libm::acos(stretch.clamp(0.0, 1.0));
        let share = bend(stretch) / bend(own / self.leg).max(1e-6);
        let mut q = rest.to_vec();
        self.each_leg_joint(|range| {
            if let [x, y, z, w] = &mut q[range] {
                let turn = Quat { x: *x, y: *y, z: *z, w: *w }.log() * share.min(1.0);
                [*x, *y, *z, *w] = {
                    let own = Quat::exp(turn);
                    [own.x, own.y, own.z, own.w]
                };
            }
        });
        q
    }

    /// Turns the joints of the legs towards those of another pose, by a share of the way.
    pub fn mix_legs(&self, other: &[f64], share: f64, q: &mut [f64]) {
        self.each_leg_joint(|range| {
            let (own, other) = (&mut q[range.clone()], &other[range]);
            let dot: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
            for (a, b) in own.iter_mut().zip(other) {
                *a += share * (b * dot.signum() - *a);
            }
            let length = own.iter().map(|a| a * a).sum::<f64>().sqrt();
            if own.len() == 4 {
                own.iter_mut().for_each(|a| *a /= length.max(1e-9));
            }
        });
    }

    /// The coordinates of each joint from hip to foot.
    fn each_leg_joint(&self, mut work: impl FnMut(std::ops::Range<usize>)) {
        for sole in &self.soles {
            let mut link = Some(sole.link);
            while let Some(at) = link {
                work(self.model.coordinate_range(at));
                link = self.model.links()[at].parent.filter(|_| at != sole.hip);
            }
        }
    }

    /// The middle of a hand, if there is one.
    pub fn hand_at(&self, kin: &Kinematics<f64>, hand: usize) -> Option<Vec3<f64>> {
        let hand = self.hands.get(hand).copied().flatten()?;
        Some(kin.point(&self.model, hand.link, hand.centre))
    }
}

/// The end of the limb that hangs on the torso on one side and is no leg: the middle of the shape farthest out.
fn hand(model: &Model, soles: &[SoleBox; 2], torso: usize, outwards: f64) -> Option<Hand> {
    let links = model.links();
    let mut link = links.iter().enumerate().position(|(index, link)| {
        link.parent == Some(torso)
            && soles.iter().all(|sole| sole.hip != index)
            && link.origin.x * outwards > 0.0
    })?;
    while let Some(child) = links.iter().position(|child| child.parent == Some(link)) {
        link = child;
    }
    let shapes = model.shapes().iter().filter(|shape| shape.link == link);
    let far = shapes.max_by(|a, b| a.origin.length().total_cmp(&b.origin.length()))?;
    Some(Hand { link, centre: far.origin })
}

fn leg_freedoms(model: &Model, sole: &SoleBox) -> Vec<usize> {
    let mut freedoms = Vec::new();
    let mut link = Some(sole.link);
    while let Some(at) = link {
        freedoms.extend(model.freedom_range(at));
        link = model.links()[at].parent.filter(|_| at != sole.hip);
    }
    freedoms
}

/// Sum of the bones from hip to ankle.
fn leg(body: &Body, sole: &SoleBox) -> f64 {
    let mut length = 0.0;
    let mut link = sole.link;
    while link != sole.hip {
        let segment = &body.segments()[link];
        let Some(joint) = &segment.joint else { break };
        length += segment.anchor.length();
        link = joint.parent;
    }
    length
}

/// Damper about the length of an arm, N·m·s/rad. An arm has next to no inertia about its length, and beyond the ends of
/// several ranges at once its stops would spin it.
const TWIST_DAMPING: f64 = 4.0;

/// Joints that are beyond the ends of several ranges at once turn by no more than one radian in so many seconds.
const STOP_SPIN: f64 = 0.005;

/// The part of a sole that is relied on: pressure at the very edge tips the foot.
const TRUSTED: f64 = 0.88;

/// The lower face of the foot's box; of a foot without one, the width of the spheres at toe and heel.
fn sole(body: &Body, foot: &BodyFoot, outwards: f64) -> SoleBox {
    let shapes = &body.segments()[foot.segment].shapes;
    let boxed = shapes.iter().find_map(|shape| match shape.geometry {
        Geometry::Box { half } => Some((shape, half)),
        _ => None,
    });
    let corners = match boxed {
        Some((shape, half)) => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, z)| vector(shape.center + shape.rotation * (half * DVec3::new(x, -1.0, z)))),
        None => {
            let side = DVec3::X * foot.radius;
            [foot.heel - side, foot.heel + side, foot.toe + side, foot.toe - side].map(vector)
        }
    };
    let centre = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25;
    let corners = corners.map(|corner| centre + (corner - centre) * TRUSTED);
    SoleBox { link: foot.segment, hip: foot.hip, corners, centre, outwards }
}
