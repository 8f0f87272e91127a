//! A layer over motions that somebody else makes: pose and root in, pose and root out, frame by frame.

mod body;
mod contact;
mod foot;
mod settings;

pub use settings::{PlacementReport, PlacementSettings, SourceFrame};

use self::body::{GroundedBody, NeedyLeg};
use self::contact::SourceSole;
use self::foot::{PlacementFrame, SourceBody, SourceFoot};
use crate::feet::sole::FootSample;
use crate::feet::{BendingAnkle, LegChain, RolledFoot, bend_toes, soften};
use crate::ground::clip::flat;
use crate::ground::curve::smooth;
use crate::ground::error::check_rig;
use crate::{FootReport, FootStatus, GroundClipError, GroundingError, SupportMotion};
use andante_skeleton::{
    Character, Foot, Planar, Pose, Ray, SettingError, Skeleton, Transform, ease, rotation,
};
use andante_world::Ground;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Foot placement for a motion that somebody else makes, frame by frame: a blend tree, a stream of captured poses, a
/// capsule with clips. Nothing of it is known ahead.
///
/// Each frame comes as a pose whose joint 0 is placed in the world, over a floor that the source thinks it is on. Feet that
/// stand there stand on the ground instead, where they came down, with its slope, and go along with ground that rises,
/// sinks, tilts or moves; feet in the air are led to where they will stand and clear what is in their way; the body comes
/// down as far as its legs need. Where the ground is the floor next to nothing is changed. The root is moved up and down
/// only, and leans with the ground if its feet are far apart.
///
/// [`FootPlacement::step`] allocates nothing.
#[derive(Clone, Debug)]
pub struct FootPlacement {
    character: Arc<Character>,
    settings: PlacementSettings,
    feet: Vec<SourceFoot>,
    reports: Vec<FootReport>,
    /// What each foot is in the source, in this frame.
    samples: Vec<FootSample>,
    own: Vec<OwnLeg>,
    models: Pose,
    /// Undoes how the hips are turned at rest.
    upright: Quat,
    /// Mean length of the legs.
    unit: f32,
    /// None before the first frame.
    source: Option<SourceBody>,
    body: GroundedBody,
    floor: f32,
    /// How much is done: less while the source is in the air.
    weight: f32,
    report: PlacementReport,
}

/// A leg as the source has it.
#[derive(Clone, Copy, Debug, Default)]
struct OwnLeg {
    extension: f32,
    /// The angle between shank and foot, if its ankle bends.
    ankle: Option<f32>,
}

impl FootPlacement {
    /// For a character; refused for rigs without feet and legs without knees.
    pub fn new(
        character: Arc<Character>,
        settings: PlacementSettings,
    ) -> Result<Self, GroundClipError> {
        check_rig(&character)?;
        settings.check()?;
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let rest = skeleton.rest_models();
        let upright = rest[rig.hips].rotation.conjugate();
        let hips = Planar::new(flat(rest[rig.hips].translation), 0.0);
        let mut feet = Vec::with_capacity(rig.feet.len());
        for foot in &rig.feet {
            let leg = LegChain::at_rest(skeleton, foot)
                .ok_or_else(|| GroundClipError::NoLeg { foot: foot.name.clone() })?;
            feet.push(SourceFoot::new(skeleton, foot, leg, &hips, &rest));
        }
        let sample =
            |(foot, own): (&Foot, &SourceFoot)| FootSample::of(foot, &rest, own.leg.joints[0]);
        Ok(Self {
            settings,
            reports: vec![FootReport::default(); feet.len()],
            samples: rig.feet.iter().zip(&feet).map(sample).collect(),
            own: vec![OwnLeg::default(); feet.len()],
            models: Pose::rest(skeleton),
            upright,
            unit: feet.iter().map(|foot| foot.leg.length).sum::<f32>() / feet.len() as f32,
            source: None,
            body: GroundedBody::default(),
            floor: 0.0,
            weight: 0.0,
            report: PlacementReport::default(),
            feet,
            character,
        })
    }

    /// The settings by which feet are placed.
    pub fn settings(&self) -> &PlacementSettings {
        &self.settings
    }

    /// Changes how feet are placed, from the next frame on. Settings out of their range change nothing.
    pub fn set_settings(&mut self, settings: PlacementSettings) -> Result<(), SettingError> {
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// Forgets everything: the next frame is the first.
    pub fn forget(&mut self) {
        (self.source, self.body) = (None, GroundedBody::default());
        (self.floor, self.weight) = (0.0, 0.0);
        self.feet.iter_mut().for_each(|foot| foot.sole = SourceSole::default());
        self.reports.fill(FootReport::default());
        self.report = PlacementReport::default();
    }

    /// Every foot after the last frame. A status of [`FootStatus::Firm`] is looked at: the sole that is shown is on the
    /// ground.
    pub fn feet(&self) -> &[FootReport] {
        &self.reports
    }

    /// The last frame's report.
    pub fn report(&self) -> &PlacementReport {
        &self.report
    }

    /// Places the feet of the next frame of a source, `dt` seconds after the one before, on the ground. What is refused
    /// changes nothing. Nothing is left to change after a thousand seconds: more count as those.
    pub fn step(
        &mut self,
        pose: &mut [Transform],
        source: &SourceFrame,
        ground: &dyn Ground,
        dt: f32,
    ) -> Result<PlacementReport, GroundingError> {
        self.check(pose, source, dt)?;
        let dt = dt.min(1e3);
        let set = self.settings;
        let character = Arc::clone(&self.character);
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        skeleton.local_to_model(pose, &mut self.models);
        let hips = self.models[rig.hips];
        let place =
            Planar::from_transform(&Transform::new(hips.rotation * self.upright, hips.translation));
        let grounded = source.floor.is_some();
        let anew = self.takes_in(place, source.floor, dt);
        if self.weight == 0.0 && !grounded {
            self.reports.fill(FootReport::default());
            self.report = PlacementReport { began: anew, ..PlacementReport::default() };
            return Ok(self.report);
        }
        self.floor = source.floor.unwrap_or(self.floor);
        self.look_at_source(&character);
        let mut body = self.source.unwrap_or_default();
        for (foot, sample) in self.feet.iter().zip(&self.samples) {
            body.turned = foot.sole.turns_with(sample, body.turned);
        }
        let frame = PlacementFrame {
            ground,
            floor: self.floor,
            grounded,
            dt,
            feet: self.feet.len(),
            body,
            carried: self.body.height,
            hips: hips.translation.y,
            set: &set,
            supports: source.supports,
        };
        self.place_feet(&frame, anew);
        let root = pose[0].translation;
        let weight = smooth(self.weight);
        let up = self.body.follow(&self.feet, &frame, anew);
        let up = if weight < 1.0 { Transform::IDENTITY.lerp(&up, weight) } else { up };
        pose[0] = up * pose[0];
        self.models.iter_mut().for_each(|model| *model = up * *model);
        self.come_down(&frame, anew, weight, pose);
        let residual = self.bend_legs(&frame, weight, pose);
        skeleton.local_to_model(pose, &mut self.models);
        self.say_what_is_true(&frame, weight);
        let grade = self.feet.iter().find_map(SourceFoot::grade);
        self.report = PlacementReport {
            raised: pose[0].translation.y - root.y,
            lowered: self.body.lowered * weight,
            residual,
            grade: grade.unwrap_or(self.report.grade),
            began: anew,
        };
        Ok(self.report)
    }

    /// Refuses what is not a frame of this character.
    fn check(
        &self,
        pose: &[Transform],
        source: &SourceFrame,
        dt: f32,
    ) -> Result<(), GroundingError> {
        let skeleton = &self.character.skeleton;
        if pose.len() != skeleton.len() {
            let (found, expected) = (pose.len(), skeleton.len());
            return Err(GroundingError::Joints { found, expected });
        }
        if let Some(joint) = pose.iter().position(|joint| !joint.is_finite()) {
            return Err(GroundingError::Pose(skeleton.joint(joint).name.clone()));
        }
        let far = -Ray::LONGEST..=Ray::LONGEST;
        let root = pose[0].translation;
        for (argument, value) in [("root.x", root.x), ("root.y", root.y), ("root.z", root.z)] {
            GroundingError::unless_within(argument, value, far.clone(), "m")?;
        }
        if let Some(floor) = source.floor {
            GroundingError::unless_within("floor", floor, far, "m")?;
        }
        let wrong = |support: &&SupportMotion| {
            let finite = support.stands.is_finite() && support.lands.is_finite();
            support.foot >= self.feet.len() || !finite
        };
        if let Some(support) = source.supports.iter().find(wrong) {
            return Err(GroundingError::Support(support.foot));
        }
        GroundingError::unless_within("dt", dt, 0.0..=f32::MAX, "s")
    }

    /// Takes in where the source is; true if everything begins anew.
    fn takes_in(&mut self, place: Planar, floor: Option<f32>, dt: f32) -> bool {
        let (set, grounded) = (&self.settings, floor.is_some());
        let was_off = self.weight == 0.0;
        // The floor of a source goes on with it; one that is elsewhere is another, unless it was in the air meanwhile.
        let rise = floor.filter(|_| !was_off).map_or(0.0, |floor| (floor - self.floor).abs());
        let scale = (self.unit / 0.85).sqrt();
        let towards = if grounded { 1.0 } else { -1.0 };
        self.weight = (self.weight + towards * dt / set.let_go.max(1e-6)).clamp(0.0, 1.0);
        let off = |source: &SourceBody| {
            source.place.position.distance(place.position).max(rise) > set.teleport * self.unit
        };
        match &mut self.source {
            Some(source) if !off(source) => {
                source.see(place, dt, scale, set);
                was_off && grounded
            }
            source => {
                *source = Some(SourceBody { place, ..SourceBody::default() });
                self.weight = if grounded { 1.0 } else { 0.0 };
                true
            }
        }
    }

    /// Remembers the feet and legs of the source.
    fn look_at_source(&mut self, character: &Character) {
        let skeleton = &character.skeleton;
        for (index, foot) in character.rig.feet.iter().enumerate() {
            let leg = &self.feet[index].leg;
            let [hip, _, end] = leg.joints;
            self.samples[index] = FootSample::of(foot, &self.models, hip);
            let reach = self.models[hip].translation.distance(self.models[end].translation);
            let bends = (character.rig.feet.len() <= 2)
                .then(|| BendingAnkle::new(skeleton, foot, leg))
                .flatten();
            self.own[index] = OwnLeg {
                extension: reach / leg.length,
                ankle: bends.map(|ankle| ankle.angle(&self.models)),
            };
        }
    }

    fn place_feet(&mut self, frame: &PlacementFrame, anew: bool) {
        let aloft = self.feet.iter().filter(|foot| foot.aloft).count();
        let mut may_step =
            2 * aloft < self.feet.len().max(2) && (aloft == 0 || self.feet.len() > 2);
        for (index, (foot, sample)) in self.feet.iter_mut().zip(&self.samples).enumerate() {
            if anew {
                foot.begin(sample, frame);
                continue;
            }
            let before = foot.aloft;
            foot.advance(index, sample, may_step, frame);
            may_step &= before || !foot.aloft || self.samples.len() > 2;
        }
    }

    /// Lets the body down as far as its legs need.
    fn come_down(
        &mut self,
        frame: &PlacementFrame,
        anew: bool,
        weight: f32,
        pose: &mut [Transform],
    ) {
        let (set, models) = (frame.set, &self.models);
        let speed = frame.body.velocity.length() / (self.unit / 0.85).sqrt();
        let feet = self.character.rig.feet.iter().zip(&self.feet).zip(&self.own);
        let legs = feet.map(|((foot, placed), own)| {
            let unit = placed.leg.length;
            let shown = placed.shown().translation;
            let lower = |reach: f32| {
                placed.leg.lowering(shown, models, foot.ankle(), unit * reach * (1.0 + 1e-5))
            };
            let feet = &set.feet;
            let airborne = placed.airborne(set);
            // Whoever stands stands flat.
            let rolls = if own.ankle.is_some() { ease(2.0 * speed) } else { 0.0 };
            let down = feet.slack_down + (set.heel_gives - feet.slack_down) * rolls;
            let slack = down + (feet.slack_aloft - down) * airborne;
            let now = lower(own.extension.max(feet.longest_reach)) - slack * unit;
            // A leg that stands, or is about to, is not folded up for another that cannot reach; of more than two, some
            // other bears.
            let folded = unit * own.extension.min(set.folded) * (1.0 - airborne);
            let room = match self.feet.len() {
                ..=2 => placed.leg.room(shown, models, foot.ankle(), folded),
                _ => f32::INFINITY,
            };
            NeedyLeg { now, soon: placed.needs_soon(frame), room }
        });
        self.body.come_down(legs, self.unit, frame.dt, anew, set);
        let down = Vec3::Y * (self.body.lowered * weight);
        pose[0].translation -= down;
        self.models.iter_mut().for_each(|model| model.translation -= down);
    }

    /// Bends legs so that feet are where they belong; returns the largest miss.
    fn bend_legs(&mut self, frame: &PlacementFrame, weight: f32, pose: &mut [Transform]) -> f32 {
        let (skeleton, set) = (&self.character.skeleton, &frame.set.feet);
        let mut residual = 0.0f32;
        for (index, foot) in self.character.rig.feet.iter().enumerate() {
            let (placed, own) = (&mut self.feet[index], &self.own[index]);
            let unit = placed.leg.length;
            let ankle = self.models[foot.ankle()];
            let within = (frame, weight);
            let (mut target, mut toes) =
                reached((skeleton, foot), (placed, own), &self.models, within);
            let moved = ankle.translation.distance(target.translation);
            let turned = rotation::angle_between(ankle.rotation, target.rotation);
            let (mut miss, mut extension) = (0.0, own.extension);
            if moved > 2e-6 * unit || turned > 2e-6 {
                let most = own.extension.clamp(set.longest_reach, 1.0);
                (miss, extension) =
                    placed.leg.solve(&target, foot.ankle(), most, pose, &mut self.models);
                let bends = BendingAnkle::new(skeleton, foot, &placed.leg);
                if let (Some(bends), Some(own)) = (bends, own.ankle) {
                    let up = placed.up();
                    let rolled =
                        bends.rise((&target, up), (own, most), set, pose, &mut self.models);
                    if let Some((rolled, _)) = rolled {
                        toes -= rolled.turned;
                        target = rolled.ankle;
                    }
                }
            }
            placed.missed = miss;
            residual = residual.max(miss);
            let ankle = self.models[foot.ankle()];
            turn_toes((skeleton, foot), (&ankle, toes), placed, within, pose);
            self.reports[index] = FootReport {
                lands: placed.next.map(|next| next.status),
                print: placed.here.map(|here| here.at),
                next: placed.next.map(|next| next.at),
                lands_in: placed.aloft.then(|| placed.left(frame.set)),
                target,
                ankle,
                toes,
                extension,
                source_extension: own.extension,
                ..FootReport::default()
            };
        }
        residual
    }

    /// Looks at the soles that are shown, and says how they stand.
    fn say_what_is_true(&mut self, frame: &PlacementFrame, weight: f32) {
        let on_ground = frame.set.on_ground;
        let feet = self.character.rig.feet.iter().zip(&self.feet);
        for (report, (foot, placed)) in self.reports.iter_mut().zip(feet) {
            let range = frame.set.highest_step * placed.leg.length;
            let above = [foot.heel, foot.ball, foot.tip].map(|point| {
                let place = point.position(&self.models);
                let height = frame.ground.height_below(place + Vec3::Y * range, 2.0 * range);
                height.filter(|height| height.is_finite()).map(|height| place.y - height)
            });
            let near =
                |above: Option<f32>| above.is_some_and(|above| above.abs() <= frame.set.down);
            let stands = !placed.aloft && weight > 0.0;
            let [heel, toe] = placed.sole.down;
            report.down = [heel && near(above[0]), toe && (near(above[1]) || near(above[2]))]
                .map(|part| part && stands);
            let lowest = above.into_iter().flatten().reduce(f32::min);
            report.status = match (placed.here, lowest) {
                _ if !stands => FootStatus::Aloft,
                (Some(here), _) if here.status == FootStatus::Unsupported => here.status,
                (None, _) | (_, None) => FootStatus::Unsupported,
                _ if placed.missed > 5e-3 * placed.leg.length => FootStatus::OutOfReach,
                (_, Some(lowest)) if lowest.abs() > on_ground => FootStatus::Settling,
                (Some(here), _) => here.status,
            };
        }
    }
}

/// Where a foot is put, and what turns its toes besides: as it is shown, within what its leg reaches.
fn reached(
    (skeleton, foot): (&Skeleton, &Foot),
    (placed, own): (&mut SourceFoot, &OwnLeg),
    models: &[Transform],
    (frame, weight): (&PlacementFrame, f32),
) -> (Transform, Vec3) {
    let (set, unit) = (&frame.set.feet, placed.leg.length);
    let ankle = models[foot.ankle()];
    let (mut target, mut toes) = (placed.shown(), placed.placed.toes);
    if weight < 1.0 {
        target = ankle.lerp(&target, weight);
        toes *= weight;
    }
    let airborne = placed.airborne(frame.set);
    let reach = |reach: f32| unit * own.extension.max(reach);
    let [hip, _, end] = placed.leg.joints.map(|joint| models[joint].translation);
    if airborne > 0.0 {
        // Legs in the air are stretched ever less, and knees not thrown straight.
        let from = hip + ankle.translation - end;
        let leg = target.translation - from;
        let far = leg.length();
        let gently = soften(far, reach(set.soft_reach), reach(set.longest_reach));
        target.translation = from + leg * (1.0 + airborne * (gently / far.max(1e-6) - 1.0));
    }
    let up = placed.up();
    let bends = BendingAnkle::new(skeleton, foot, &placed.leg).filter(|_| own.ankle.is_some());
    // Feet whose leg is too short roll onto their balls.
    let wanted = bends.map(|bends| {
        let most = (1.0 - airborne) * frame.set.heel_raised;
        (bends.toe, bends.reach((&target, up), (hip, reach(set.longest_reach)), most))
    });
    if let Some((toe, raised)) = wanted {
        let raised = placed.raise_heel(raised, frame);
        if raised > 1e-4 {
            let rolled = RolledFoot::new(&target, toe, up, raised);
            toes -= rolled.turned;
            target = rolled.ankle;
        }
    }
    (target, toes)
}

/// Turns the toes of a foot, and bends those that would be in the ground.
fn turn_toes(
    (skeleton, foot): (&Skeleton, &Foot),
    (ankle, toes): (&Transform, Vec3),
    placed: &SourceFoot,
    (frame, weight): (&PlacementFrame, f32),
    pose: &mut [Transform],
) {
    let bends = |&joint: &usize| skeleton.parent(joint) == Some(foot.ankle());
    if let Some(joint) = foot.toes.filter(bends).filter(|_| toes != Vec3::ZERO) {
        let turn = rotation::exp(ankle.rotation.conjugate() * toes);
        pose[joint].rotation = (turn * pose[joint].rotation).normalize();
    }
    // What is below where the foot belongs bends its toes, wherever it is shown.
    let behind = placed.behind().min(0.0);
    let range = frame.set.highest_step * placed.leg.length;
    let tip = |_: Vec3, tip: Vec3| {
        let height = frame.ground.height_below(tip + Vec3::Y * range, 2.0 * range)?;
        let height = Some(height + behind).filter(|height| height.is_finite())?;
        Some(height.min(tip.y + weight * (height - tip.y)))
    };
    bend_toes(skeleton, foot, ankle, frame.set.feet.toes_bent, tip, pose);
}
