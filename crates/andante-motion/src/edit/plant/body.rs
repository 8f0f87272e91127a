//! Hands, knees and the trunk on the ground: what feet get from [`plant_feet`](super::plant_feet), for the rest of the body.

use super::super::error::{EditError, check};
use super::signal::fill;
use super::{NOTHING, check_rig};
use crate::analysis::{TouchContacts, TouchLimits, TouchPart};
use andante_play::feet::{Bend, LegChain, LimbJoints};
use andante_play::{Contacts, Interval};
use andante_skeleton::{
    Clip, Rig, Skeleton, Transform, TwoBone, TwoBoneOptions, model_frames, rotation,
};
use glam::{Quat, Vec3};

andante_skeleton::settings! {
    /// Options of [`plant_parts`].
    pub struct PartOptions: Copy {
        /// Height of the ground in metres.
        ground: f32 = 0.0;
        /// Seconds over which corrections fade in and out around contacts. Short fades jerk.
        fade: f32 = 0.2, 0.02..=1.0;
        /// How thick parts of the body are.
        touch: TouchLimits = TouchLimits::default() => check;
        /// How far arms may be stretched, as a fraction of their length.
        max_extension: f32 = 0.995, 0.9..=1.0;
    }
}

/// The report of parts of the body that were put on the ground.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PartReport {
    /// The name of each part, how far it is off the ground on average while it is down, and at most, in metres.
    pub parts: Vec<(String, f32, f32)>,
    /// How far the body was moved up or down at most, in metres.
    pub moved_max: f32,
}

/// Puts parts of the body on level ground while they are down: the body is moved up or down for the trunk and the knees, and for
/// hands where no foot bears it; then knees and hands are brought to the ground by their limbs, hands without sliding. Feet that
/// are down stay where they are.
pub fn plant_parts(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    touching: &[TouchContacts],
    options: &PartOptions,
) -> Result<(Clip, PartReport), EditError> {
    check(skeleton, clip)?;
    check_rig(skeleton, rig)?;
    options.check()?;
    if touching.is_empty() {
        return Ok((clip.clone(), PartReport::default()));
    }
    let length = crate::analysis::NaturalUnits::of(skeleton, rig).map_or(1.0, |units| units.length);
    let body = PlantedBody {
        skeleton,
        rig,
        options,
        length,
        window: (options.fade * clip.fps()).max(1.0),
    };
    let mut report = PartReport::default();
    let mut limbs = body.lifted(clip, contacts, touching, &mut report)?;
    let last = |chain: &[usize]| match chain {
        [.., root, middle, end] => Some([*root, *middle, *end]),
        _ => None,
    };
    for touch in touching {
        let limb = match touch.part {
            TouchPart::Knee(foot) => last(&rig.feet[foot].leg),
            TouchPart::Elbow(arm) => last(&rig.arms[arm].chain),
            _ => None,
        };
        if let Some(limb) = limb {
            limbs = body.middle(&limbs, touch, limb)?;
        }
    }
    // As far as it is bent the arms hang elsewhere: a second round makes up for that.
    for _ in 0..3 {
        limbs = body.bowed(&limbs, touching)?;
    }
    // Hands last: where an elbow is down they are brought there by the forearm alone.
    for touch in touching {
        if let TouchPart::Hand(arm) = touch.part {
            let elbow = touching.iter().find(|other| other.part == TouchPart::Elbow(arm));
            limbs = body.hand(&limbs, arm, touch, elbow.map_or(&[], |elbow| &elbow.down))?;
        }
    }
    report.parts = body.measured(&limbs, touching);
    Ok((limbs, report))
}

fn is_down(intervals: &[Interval], time: f32) -> bool {
    intervals.iter().any(|interval| interval.contains(time))
}

struct PlantedBody<'a> {
    skeleton: &'a Skeleton,
    rig: &'a Rig,
    options: &'a PartOptions,
    length: f32,
    /// Frames of a fade.
    window: f32,
}

impl PlantedBody<'_> {
    /// The clip with the body moved up or down, and feet that bear it left where they are.
    fn lifted(
        &self,
        clip: &Clip,
        contacts: &Contacts,
        touching: &[TouchContacts],
        report: &mut PartReport,
    ) -> Result<Clip, EditError> {
        let (skeleton, rig) = (self.skeleton, self.rig);
        let models = model_frames(skeleton, clip);
        let shift = self.shifts(clip, &models, contacts, touching);
        let mut transforms = clip.transforms().to_vec();
        let joints = skeleton.len();
        let mut placed = vec![Transform::IDENTITY; joints];
        let legs: Vec<Option<LegChain>> =
            rig.feet.iter().map(|foot| LegChain::new(skeleton, foot, clip)).collect();
        for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
            let by = shift[frame].y;
            if by.abs() < NOTHING {
                continue;
            }
            report.moved_max = report.moved_max.max(by.abs());
            let above = skeleton
                .parent(rig.hips)
                .map_or(Quat::IDENTITY, |parent| models[frame][parent].rotation);
            pose[rig.hips].translation += above.conjugate() * (Vec3::Y * by);
            skeleton.local_to_model(pose, &mut placed);
            let time = clip.frame_time(frame);
            for (index, (foot, leg)) in rig.feet.iter().zip(&legs).enumerate() {
                let down = contacts
                    .feet
                    .get(index)
                    .is_some_and(|foot| foot.heel_down(time) || foot.toe_down(time));
                let kneels = touching.iter().any(|touch| {
                    touch.part == TouchPart::Knee(index) && is_down(&touch.down, time)
                });
                if let (Some(leg), true, false) = (leg, down, kneels) {
                    leg.solve(&models[frame][foot.ankle()], foot.ankle(), 1.0, pose, &mut placed);
                }
            }
        }
        Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
    }

    /// How far parts are off the ground while they are down: on average and at most.
    fn measured(&self, limbs: &Clip, touching: &[TouchContacts]) -> Vec<(String, f32, f32)> {
        let (skeleton, rig, options) = (self.skeleton, self.rig, self.options);
        let made = model_frames(skeleton, limbs);
        let off = |touch: &TouchContacts| {
            let thick = touch.part.thickness(&options.touch, self.length);
            let frames = (0..limbs.frame_count())
                .filter(|&frame| is_down(&touch.down, limbs.frame_time(frame)));
            let off: Vec<f32> = frames
                .map(|frame| touch.part.position(skeleton, rig, &made[frame]).y)
                .map(|height| (height - options.ground - thick).abs())
                .collect();
            let mean = off.iter().sum::<f32>() / off.len().max(1) as f32;
            (touch.name.clone(), mean, off.iter().copied().fold(0.0, f32::max))
        };
        touching.iter().map(off).collect()
    }

    /// How far a part is below where it belongs, in metres.
    fn lack(&self, part: TouchPart, models: &[Transform]) -> f32 {
        let belongs = self.options.ground + part.thickness(&self.options.touch, self.length);
        belongs - part.position(self.skeleton, self.rig, models).y
    }

    /// How far the body is moved up in every frame.
    fn shifts(
        &self,
        clip: &Clip,
        models: &[Vec<Transform>],
        contacts: &Contacts,
        touching: &[TouchContacts],
    ) -> Vec<Vec3> {
        let known: Vec<Option<Vec3>> = models
            .iter()
            .enumerate()
            .map(|(frame, models)| {
                let time = clip.frame_time(frame);
                let down = || touching.iter().filter(|touch| is_down(&touch.down, time));
                let mean = |wanted: &dyn Fn(TouchPart) -> bool| {
                    let lacks: Vec<f32> = down()
                        .filter(|touch| wanted(touch.part))
                        .map(|touch| self.lack(touch.part, models))
                        .collect();
                    (!lacks.is_empty())
                        .then(|| Vec3::Y * (lacks.iter().sum::<f32>() / lacks.len() as f32))
                };
                let feet =
                    contacts.feet.iter().any(|foot| foot.heel_down(time) || foot.toe_down(time));
                mean(&|part| part == TouchPart::Pelvis)
                    .or_else(|| mean(&|part| matches!(part, TouchPart::Back)))
                    .or_else(|| mean(&|part| matches!(part, TouchPart::Knee(_))))
                    .or_else(|| {
                        mean(&|part| {
                            matches!(
                                part,
                                TouchPart::Hand(_) | TouchPart::Elbow(_) | TouchPart::Head
                            )
                        })
                        .filter(|_| !feet)
                    })
                    // Feet that bear the body alone keep it where it is.
                    .or(feet.then_some(Vec3::ZERO))
            })
            .collect();
        fill(&known, self.window, 2)
    }

    /// Brings the middle joint of a limb to the ground by turning the bone above it; the bone below keeps pointing to where the
    /// end was, and the end itself where it pointed.
    fn middle(
        &self,
        clip: &Clip,
        touch: &TouchContacts,
        limb: [usize; 3],
    ) -> Result<Clip, EditError> {
        let models = model_frames(self.skeleton, clip);
        let lacks = self.lacks(clip, touch, &models);
        let mut transforms = clip.transforms().to_vec();
        let mut placed = vec![Transform::IDENTITY; self.skeleton.len()];
        for (frame, pose) in transforms.chunks_exact_mut(self.skeleton.len()).enumerate() {
            if lacks[frame].y.abs() < NOTHING {
                continue;
            }
            let [root, joint, end] = limb;
            let far = models[frame][end].translation;
            self.raise(pose, &mut placed, [root, joint], lacks[frame].y);
            let below = placed[end].translation - placed[joint].translation;
            let by = rotation::arc(below, far - placed[joint].translation);
            self.turn(pose, &mut placed, joint, by);
            let above = placed[self.skeleton.parent(end).unwrap_or(joint)].rotation;
            pose[end].rotation = (above.conjugate() * models[frame][end].rotation).normalize();
        }
        Ok(Clip::new(clip.name(), self.skeleton, clip.fps(), transforms)?)
    }

    /// Turns a bone so that its far joint is higher by so much, and points as it did seen from above.
    fn raise(
        &self,
        pose: &mut [Transform],
        placed: &mut [Transform],
        [root, joint]: [usize; 2],
        by: f32,
    ) {
        self.skeleton.local_to_model(pose, placed);
        let bone = placed[joint].translation - placed[root].translation;
        let height = (bone.y + by).clamp(-bone.length(), bone.length());
        let flat = (bone.length_squared() - height * height).max(0.0).sqrt();
        let along = bone.with_y(0.0).try_normalize().unwrap_or(Vec3::Z);
        self.turn(pose, placed, root, rotation::arc(bone, along * flat + Vec3::Y * height));
    }

    /// Turns a joint in the world.
    fn turn(&self, pose: &mut [Transform], placed: &mut [Transform], joint: usize, by: Quat) {
        self.skeleton.local_to_model(pose, placed);
        let above =
            self.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| placed[parent].rotation);
        pose[joint].rotation = (above.conjugate() * by * placed[joint].rotation).normalize();
        self.skeleton.local_to_model(pose, placed);
    }

    /// How far a part is to be moved up in every frame: what it lacks while it is down, and fading around that.
    fn lacks(&self, clip: &Clip, touch: &TouchContacts, models: &[Vec<Transform>]) -> Vec<Vec3> {
        let known: Vec<Option<Vec3>> = models
            .iter()
            .enumerate()
            .map(|(frame, models)| {
                is_down(&touch.down, clip.frame_time(frame))
                    .then(|| Vec3::Y * self.lack(touch.part, models))
            })
            .collect();
        fill(&known, self.window, 2)
    }

    /// Bends the trunk down where arms would be too short for hands that are down.
    fn bowed(&self, clip: &Clip, touching: &[TouchContacts]) -> Result<Clip, EditError> {
        let Some(&waist) = self.rig.spine.first() else { return Ok(clip.clone()) };
        let models = model_frames(self.skeleton, clip);
        let bone = |joint: usize| self.skeleton.joint(joint).rest.translation.length();
        // How far a shoulder has to come down, and where it is.
        let wanted = |touch: &TouchContacts, models: &[Transform]| {
            let TouchPart::Hand(arm) = touch.part else { return None };
            let [.., root, middle, end] = self.rig.arms[arm].chain[..] else { return None };
            let target = models[end].translation + Vec3::Y * self.lack(touch.part, models);
            let shoulder = models[root].translation;
            let longest = self.options.max_extension * (bone(middle) + bone(end));
            let across = (shoulder - target).with_y(0.0).length_squared();
            let height = (longest * longest - across).max(0.0).sqrt();
            Some(((shoulder.y - target.y - height).max(0.0), shoulder))
        };
        let known: Vec<Option<Vec3>> = models
            .iter()
            .enumerate()
            .map(|(frame, models)| {
                let time = clip.frame_time(frame);
                let down = touching.iter().filter(|touch| is_down(&touch.down, time));
                let all: Vec<(f32, Vec3)> =
                    down.filter_map(|touch| wanted(touch, models)).collect();
                let most = all.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
                let lever = most.1 - models[waist].translation;
                let ahead = lever.with_y(0.0);
                let axis = Vec3::Y.cross(ahead).try_normalize()?;
                // Not by a step so small that it is none, and not more than half a radian.
                let angle = libm::atan2f(most.0, ahead.length().max(1e-3)).min(0.5);
                Some(axis * angle)
            })
            .collect();
        let turns = fill(&known, self.window, 2);
        let mut transforms = clip.transforms().to_vec();
        let mut placed = vec![Transform::IDENTITY; self.skeleton.len()];
        for (frame, pose) in transforms.chunks_exact_mut(self.skeleton.len()).enumerate() {
            if turns[frame].length() > NOTHING {
                self.turn(pose, &mut placed, waist, rotation::exp(turns[frame]));
            }
        }
        Ok(Clip::new(clip.name(), self.skeleton, clip.fps(), transforms)?)
    }

    /// Brings a hand to the ground, where it stays at the middle of its places while it is down.
    fn hand(
        &self,
        clip: &Clip,
        arm: usize,
        touch: &TouchContacts,
        on_elbow: &[Interval],
    ) -> Result<Clip, EditError> {
        let chain = &self.rig.arms[arm].chain;
        let limb = LimbJoints::of_chain(self.skeleton, chain, Some(clip), Bend::Forward, Vec3::Z);
        let Some((limb, solver)) = limb.and_then(|limb| Some((limb, limb.solver(self.skeleton)?)))
        else {
            return Ok(clip.clone());
        };
        let mut made = clip.clone();
        // The lowest point of a hand changes with it: a second round brings down what is lowest then.
        for _ in 0..3 {
            made = self.hand_once(&made, (&limb, &solver), touch, on_elbow)?;
        }
        Ok(made)
    }

    fn hand_once(
        &self,
        clip: &Clip,
        (limb, solver): (&LimbJoints, &TwoBone),
        touch: &TouchContacts,
        on_elbow: &[Interval],
    ) -> Result<Clip, EditError> {
        let [_, elbow, end] = limb.joints;
        let models = model_frames(self.skeleton, clip);
        let mut known: Vec<Option<Vec3>> = vec![None; models.len()];
        for interval in &touch.down {
            let frames: Vec<usize> = (0..models.len())
                .filter(|&frame| interval.contains(clip.frame_time(frame)))
                .collect();
            let places: Vec<Vec3> =
                frames.iter().map(|&frame| models[frame][end].translation).collect();
            if places.is_empty() {
                continue;
            }
            let middle = crate::signal::median_point(&places);
            for (&frame, place) in frames.iter().zip(&places) {
                let lack = self.lack(touch.part, &models[frame]);
                known[frame] = Some((middle - *place).with_y(lack));
            }
        }
        let moves = fill(&known, self.window, 2);
        let options = TwoBoneOptions {
            max_extension: self.options.max_extension,
            ..TwoBoneOptions::default()
        };
        let mut transforms = clip.transforms().to_vec();
        for (frame, pose) in transforms.chunks_exact_mut(self.skeleton.len()).enumerate() {
            if moves[frame].length() < NOTHING {
                continue;
            }
            let mut placed = models[frame].clone();
            if is_down(on_elbow, clip.frame_time(frame)) {
                self.raise(pose, &mut placed, [elbow, end], moves[frame].y);
                continue;
            }
            let target =
                Transform::new(placed[end].rotation, placed[end].translation + moves[frame]);
            solver.solve(&target, &options, pose, &mut placed);
        }
        Ok(Clip::new(clip.name(), self.skeleton, clip.fps(), transforms)?)
    }
}
