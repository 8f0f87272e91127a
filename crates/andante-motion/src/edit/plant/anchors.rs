//! Where the points of a foot stay while they are down.

use super::{GroundLevel, PlantOptions};
use andante_play::{FootContacts, Interval};
use andante_skeleton::{BodyPoint, Clip, Foot, Transform, rotation};
use glam::{Quat, Vec2, Vec3};
use std::ops::Range;

/// A foot and everything about its placement that a clip shows.
pub(super) struct PlantedFoot<'a> {
    pub foot: &'a Foot,
    pub clip: &'a Clip,
    /// The placement of every joint in the model, frame by frame.
    pub models: &'a [Vec<Transform>],
}

/// One stretch of frames in which a point is down, and where it stays.
#[derive(Clone, Debug)]
pub(super) struct PlantAnchor {
    pub frames: Range<usize>,
    pub position: Vec3,
}

/// The toes while they are down.
#[derive(Clone, Debug)]
pub(super) struct ToeAnchor {
    pub ball: PlantAnchor,
    /// World rotation of the toe joint, if there is one: toes lie flat on the ground.
    pub rotation: Option<Quat>,
}

/// Heel and ball down together: the foot stays as it is.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub frames: Range<usize>,
    heel: usize,
    toe: usize,
    /// World rotation of the ankle joint.
    pub rotation: Quat,
    toe_local: Quat,
}

/// All anchors of one foot over a clip.
#[derive(Clone, Debug)]
pub(super) struct Anchors {
    heels: Vec<PlantAnchor>,
    pub toes: Vec<ToeAnchor>,
    pub flats: Vec<Flat>,
    /// Per frame the anchor of the heel, and that of the toes.
    heel_of: Vec<Option<usize>>,
    toe_of: Vec<Option<usize>>,
}

impl Anchors {
    fn new(frames: usize, heels: Vec<PlantAnchor>, toes: Vec<ToeAnchor>, flats: Vec<Flat>) -> Self {
        let (mut heel_of, mut toe_of) = (vec![None; frames], vec![None; frames]);
        for (index, heel) in heels.iter().enumerate() {
            heel_of[heel.frames.clone()].fill(Some(index));
        }
        for (index, toe) in toes.iter().enumerate() {
            toe_of[toe.ball.frames.clone()].fill(Some(index));
        }
        Self { heels, toes, flats, heel_of, toe_of }
    }

    /// The heel's anchor in a frame in which it is down.
    pub fn heel(&self, frame: usize) -> Option<&PlantAnchor> {
        self.heel_of[frame].map(|index| &self.heels[index])
    }

    /// The toes' anchor in a frame in which they are down.
    pub fn toe(&self, frame: usize) -> Option<&ToeAnchor> {
        self.toe_of[frame].map(|index| &self.toes[index])
    }
}

impl PlantedFoot<'_> {
    /// The ankle as the clip has it.
    pub fn ankle(&self, frame: usize) -> &Transform {
        &self.models[frame][self.foot.ankle()]
    }

    /// A point of the foot as the ankle joint sees it, with the toes bent as in that frame.
    pub fn in_foot(&self, point: &BodyPoint, frame: usize) -> Vec3 {
        self.ankle(frame).inverse().transform_point(point.position(&self.models[frame]))
    }

    /// The toe joint as the ankle joint sees it.
    pub fn toe_joint(&self, joint: usize, frame: usize) -> Vec3 {
        self.in_foot(&BodyPoint { joint, offset: Vec3::ZERO }, frame)
    }

    /// Mean of a quantity over frames.
    fn mean(&self, frames: &Range<usize>, value: impl Fn(usize) -> Vec3) -> Vec3 {
        let sum: glam::DVec3 = frames.clone().map(|frame| value(frame).as_dvec3()).sum();
        (sum / frames.len().max(1) as f64).as_vec3()
    }

    /// Mean rotation over frames, as the normalised sum of quaternions on one hemisphere.
    fn mean_rotation(&self, frames: &Range<usize>, value: impl Fn(usize) -> Quat) -> Quat {
        let first = value(frames.start);
        let mut sum = first * 0.0;
        for frame in frames.clone() {
            let q = value(frame);
            sum = if q.dot(first) < 0.0 { sum + -q } else { sum + q };
        }
        if sum.length() > 1e-6 { sum.normalize() } else { first }
    }

    fn anchor(&self, point: &BodyPoint, frames: Range<usize>, ground: GroundLevel) -> PlantAnchor {
        let mut position = median(frames.clone().map(|frame| point.position(&self.models[frame])));
        if let GroundLevel::Flat(height) = ground {
            position.y = height;
        }
        PlantAnchor { frames, position }
    }

    /// The frames of a clip that lie in an interval.
    fn frames_of(&self, interval: &Interval) -> Option<Range<usize>> {
        let count = self.clip.frame_count();
        let inside = |&frame: &usize| interval.contains(self.clip.frame_time(frame));
        // One frame early, because times are rounded.
        let near = ((interval.start * self.clip.fps()).max(1.0) as usize - 1).min(count);
        let start = (near..count).take(4).find(inside)?;
        let end = (start..count).take_while(inside).count() + start;
        Some(start..end)
    }

    /// Decides where heel, ball and toes stay. Points stay where they were in the middle of their
    /// places, so that the ends of a contact, where a foot arrives and leaves, do not drag it; heel and ball that are down together are moved apart or together until
    /// the foot fits between them.
    pub fn anchors(&self, contacts: &FootContacts, options: &PlantOptions) -> Anchors {
        let ground = options.ground;
        let foot = self.foot;
        let point = |point| self.in_foot(point, 0);
        if point(&foot.heel).distance(point(&foot.ball)) < options.pointed_below {
            return self.point_anchors(contacts, ground);
        }
        let frames = |intervals: &[Interval]| -> Vec<Range<usize>> {
            intervals.iter().filter_map(|interval| self.frames_of(interval)).collect()
        };
        let mut heels: Vec<PlantAnchor> = frames(&contacts.heel)
            .into_iter()
            .map(|frames| self.anchor(&foot.heel, frames, ground))
            .collect();
        let mut toes: Vec<ToeAnchor> = frames(&contacts.toe)
            .into_iter()
            .map(|frames| {
                let rotation = foot.toes.map(|toes| {
                    let mean = self.mean_rotation(&frames, |f| self.models[f][toes].rotation);
                    self.levelled(mean)
                });
                ToeAnchor { ball: self.anchor(&foot.ball, frames, ground), rotation }
            })
            .collect();

        let mut flats = Vec::new();
        for (heel, heel_anchor) in heels.iter().enumerate() {
            for (toe, toe_anchor) in toes.iter().enumerate() {
                let (a, b) = (&heel_anchor.frames, &toe_anchor.ball.frames);
                let both = a.start.max(b.start)..a.end.min(b.end);
                if !both.is_empty() {
                    flats.push(self.flat(both, (heel, toe)));
                }
            }
        }
        // One pair fits after one round; chains of heel, ball and heel again need a few.
        for _ in 0..if flats.len() > 1 { 50 } else { 1 } {
            for flat in &flats {
                let sole = self.sole(flat);
                let (heel, ball) = (heels[flat.heel].position, toes[flat.toe].ball.position);
                let drop = ball.y - heel.y;
                let length = (sole.length_squared() - drop * drop).max(0.0).sqrt();
                let along = Vec2::new(ball.x - heel.x, ball.z - heel.z);
                let Some(direction) = along.try_normalize() else { continue };
                let shift = direction * (0.5 * (length - along.length()));
                let shift = Vec3::new(shift.x, 0.0, shift.y);
                heels[flat.heel].position -= shift;
                toes[flat.toe].ball.position += shift;
            }
        }
        for flat in &mut flats {
            self.settle(flat, &heels, &toes);
        }
        // Toes that are part of a flat foot point where it points; the longest such stretch counts.
        for (index, toe) in toes.iter_mut().enumerate() {
            let longest =
                flats.iter().filter(|flat| flat.toe == index).max_by_key(|flat| flat.frames.len());
            if let (Some(flat), true) = (longest, foot.toes.is_some()) {
                toe.rotation = Some((flat.rotation * flat.toe_local).normalize());
            }
        }
        Anchors::new(self.models.len(), heels, toes, flats)
    }

    /// The anchors of a foot that touches the ground at a point, about which it turns freely.
    fn point_anchors(&self, contacts: &FootContacts, ground: GroundLevel) -> Anchors {
        let stances = contacts.stance();
        let frames = stances.iter().filter_map(|interval| self.frames_of(interval));
        let toes = frames
            .map(|frames| self.anchor(&self.foot.ball, frames, ground))
            .map(|ball| ToeAnchor { ball, rotation: None });
        Anchors::new(self.models.len(), Vec::new(), toes.collect(), Vec::new())
    }

    fn flat(&self, frames: Range<usize>, (heel, toe): (usize, usize)) -> Flat {
        let rotation = self.mean_rotation(&frames, |frame| self.ankle(frame).rotation);
        let toe_local = match self.foot.toes {
            Some(toes) => self.mean_rotation(&frames, |frame| {
                self.ankle(frame).rotation.conjugate() * self.models[frame][toes].rotation
            }),
            None => Quat::IDENTITY,
        };
        let mut flat = Flat { frames, heel, toe, rotation, toe_local };
        // Levelling the toes moves the ball a little, which tilts the foot a little.
        for _ in 0..4 {
            self.level(&mut flat, None);
        }
        flat
    }

    /// From heel to ball, as the ankle joint sees it in a flat foot.
    fn sole(&self, flat: &Flat) -> Vec3 {
        let foot = self.foot;
        let heel = self.mean(&flat.frames, |frame| self.in_foot(&foot.heel, frame));
        let ball = match foot.toes {
            Some(toes) if foot.ball.joint == toes => {
                self.mean(&flat.frames, |frame| self.toe_joint(toes, frame))
                    + flat.toe_local * foot.ball.offset
            }
            _ => self.mean(&flat.frames, |frame| self.in_foot(&foot.ball, frame)),
        };
        ball - heel
    }

    /// Turns a flat foot so that its sole points along `goal` (or else is level), and lays its toes
    /// flat.
    fn level(&self, flat: &mut Flat, goal: Option<Vec3>) {
        let now = flat.rotation * self.sole(flat);
        let goal = goal.unwrap_or(Vec3::new(now.x, 0.0, now.z));
        flat.rotation = (rotation::arc(now, goal) * flat.rotation).normalize();
        if self.foot.toes.is_some() {
            let toes = self.levelled(flat.rotation * flat.toe_local);
            flat.toe_local = (flat.rotation.conjugate() * toes).normalize();
        }
    }

    /// Turns a flat foot so that its heel and ball are at their anchors.
    fn settle(&self, flat: &mut Flat, heels: &[PlantAnchor], toes: &[ToeAnchor]) {
        let goal = toes[flat.toe].ball.position - heels[flat.heel].position;
        for _ in 0..4 {
            self.level(flat, Some(goal));
        }
    }

    /// A rotation of the toes turned so that ball and tip are at one height.
    fn levelled(&self, toes: Quat) -> Quat {
        let foot = self.foot;
        if foot.ball.joint != foot.tip.joint {
            return toes;
        }
        let now = toes * (foot.tip.offset - foot.ball.offset);
        (rotation::arc(now, Vec3::new(now.x, 0.0, now.z)) * toes).normalize()
    }
}

/// The middle of the values of each coordinate; zero without any.
fn median(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let points: Vec<Vec3> = points.collect();
    let middle = |coordinate: fn(&Vec3) -> f32| {
        let mut values: Vec<f32> = points.iter().map(coordinate).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Vec3::new(middle(|p| p.x), middle(|p| p.y), middle(|p| p.z))
}
