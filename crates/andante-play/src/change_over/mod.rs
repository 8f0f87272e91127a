//! The one place where a body goes over from one motion to another.
//!
//! The newer motion is played alone; what the shown pose differs from it at the moment of the switch is carried
//! along and dies away, as if by inertia. Feet are kept apart from that: one that is down stays where it is until
//! the newer motion lifts it, and on its way through the air it loses what it differs. So no switch pops, and no
//! foot slides, whenever it comes. The little that motions themselves let feet slide is taken away too.

mod apart;
mod hold;
mod settings;
mod soles;

pub use settings::ChangeOverSettings;

use self::hold::{AnkleLimit, Hold};
use self::settings::HeldFeet;
use self::soles::{keep_above, risen};
use crate::feet::live::LiveFeet;
use crate::feet::sole::FootSample;
use crate::feet::{FeetSettings, GaitPlane};
use crate::repertoire::Repertoire;
use crate::spring::damped;
use andante_skeleton::{Foot, Inertializer, RecentPoses, Skeleton, Transform, rotation};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec3};
use std::ops::Range;

/// Differences smaller than this are none: metres, and radians.
const NOTHING: f32 = 1e-4;
const NO_TURN: f32 = 1e-3;

/// Bodies with more feet than this are not held by them.
const MOST_FEET: usize = 8;

/// The source of a splice: which heels and balls it has on the ground, where that is, and how fast its body may change
/// its speed, in m/s².
pub struct SpliceSource<'a> {
    /// Whether heel and ball of a foot are down.
    pub down: &'a dyn Fn(usize) -> [bool; 2],
    /// Height of the ground below a point.
    pub ground: &'a dyn Fn(Vec3) -> Option<f32>,
    /// How fast the body may change its speed, in m/s².
    pub most: f32,
    /// The gait and the plane it was made for, if the ground is another.
    pub plane: Option<GaitPlane<'a>>,
    /// Seconds since the last frame; none pass if they are no number, or fewer than none.
    pub dt: f32,
    /// Joints that are not made now and hang as they did, of bodies that are hardly seen; neither hips nor legs.
    pub left_out: Range<usize>,
}

impl SpliceSource<'_> {
    /// The same, in no time if that is no number or goes back.
    fn lasting(&self) -> Self {
        let dt = if self.dt.is_finite() { self.dt.max(0.0) } else { 0.0 };
        Self { dt, left_out: self.left_out.clone(), ..*self }
    }
}

/// A switch and what is left of it.
#[derive(Clone, Debug)]
pub struct ChangeOver {
    settings: HeldFeet,
    inertia: Inertializer,
    feet: Vec<Hold>,
    /// Joints in the world as they were shown.
    shown: RecentPoses,
    /// The same with heels that are not raised.
    bare: RecentPoses,
    source: Vec<Transform>,
    models: Vec<Transform>,
    /// Seconds since the switch.
    since: f32,
    /// How far the hips are let down, and how fast.
    drop: Vec3,
    drop_rate: Vec3,
    /// Where the root was without what is kept from it, how long ago, how fast, and whether that is known; what is
    /// kept.
    root: Vec3,
    root_age: f32,
    root_rate: Vec3,
    steadied: bool,
    lag: Vec3,
    lag_rate: Vec3,
    /// The feet of a gait over ground that is not its plane.
    live: LiveFeet,
}

impl ChangeOver {
    /// Of a body that shows nothing yet, and whose feet may do so much.
    pub fn new(repertoire: &Repertoire, settings: ChangeOverSettings, feet: FeetSettings) -> Self {
        let joints = repertoire.character().skeleton.len();
        let rest = vec![Transform::IDENTITY; joints];
        Self {
            settings: HeldFeet::new(settings, feet),
            inertia: Inertializer::new(joints, settings.half_life),
            feet: vec![Hold::default(); repertoire.character().rig.feet.len()],
            shown: RecentPoses::new(joints),
            bare: RecentPoses::new(joints),
            source: rest.clone(),
            models: rest,
            since: f32::INFINITY,
            drop: Vec3::ZERO,
            drop_rate: Vec3::ZERO,
            root: Vec3::ZERO,
            root_age: 0.0,
            root_rate: Vec3::ZERO,
            steadied: false,
            lag: Vec3::ZERO,
            lag_rate: Vec3::ZERO,
            live: LiveFeet::new(repertoire, settings.live),
        }
    }

    /// Speed of time that a gait needs for its feet to get over what is in their way; 1 is as it was made.
    pub fn tempo(&self) -> f32 {
        self.live.tempo
    }

    /// Share of its speed at which a gait goes over ground as steep as it is here.
    pub fn pace(&self) -> f32 {
        let felt = (self.live.grade() - self.settings.slope_felt).max(0.0);
        (1.0 + self.settings.slope_slows * felt).recip()
    }

    /// Joints in the world as they are shown.
    pub fn models(&self) -> &[Transform] {
        self.shown.last()
    }

    /// The same a moment ago, and how many seconds; none before that can be told.
    pub fn earlier(&self) -> Option<(&[Transform], f32)> {
        self.shown.earlier()
    }

    /// The contacts of the heel and the ball of a foot as they are shown: true if down.
    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.feet[foot].down
    }

    /// True if the last switch was a moment ago.
    pub fn is_fresh(&self) -> bool {
        self.since < 8.0 * self.settings.half_life
    }

    /// True if anything is left of a switch.
    pub fn is_active(&self) -> bool {
        self.since < 20.0 * self.settings.half_life
            || self.drop.length() > NOTHING
            || self.lag.length() > NOTHING
            || self.feet.iter().any(|hold| !hold.is_nothing())
    }

    /// Goes over to a newer motion, or to the same one on ground that has changed. `before` is its pose at the time of the last frame that was shown, `now` the one
    /// `dt` later that is about to be. Frames may differ in length as they like: what is shown goes on as fast as it
    /// went in the frames that showed it.
    pub fn switch(
        &mut self,
        repertoire: &Repertoire,
        before: &mut [Transform],
        now: &mut [Transform],
        played: &SpliceSource,
    ) {
        if self.shown.is_empty() {
            return;
        }
        let played = &played.lasting();
        let dt = played.dt;
        let character = repertoire.character();
        character.skeleton.local_to_model(before, &mut self.source);
        self.live.forget();
        if let Some(plane) = &played.plane {
            self.live.advance(&self.source, plane, 0.0, &self.settings.feet);
        }
        let carried = self.live.offset;
        [&mut *before, &mut *now].into_iter().for_each(|pose| pose[0].translation += carried);
        self.inertia.switch(before, now, dt);
        self.since = -dt;
        // How far the hips are down, and what they lag behind, is part of the difference from now on.
        (self.drop, self.drop_rate) = (Vec3::ZERO, Vec3::ZERO);
        (self.lag, self.lag_rate) = (Vec3::ZERO, Vec3::ZERO);
        (self.root, self.root_age) = (self.shown.last()[0].translation, 0.0);
        if let Some((earlier, seconds)) = self.shown.earlier() {
            self.root_rate = (self.root - earlier[0].translation) / seconds;
        }
        character.skeleton.local_to_model(before, &mut self.source);
        character.skeleton.local_to_model(now, &mut self.models);
        // Toes are bent as they are shown, so that the ball is where it is shown.
        for foot in &character.rig.feet {
            if let Some(toes) = foot.toes {
                let ankle = foot.ankle();
                let bent = self.bare.last()[ankle].inverse() * self.bare.last()[toes];
                self.source[toes] = self.source[ankle] * bent;
                self.models[toes] = self.models[ankle] * bent;
            }
        }
        now[0].translation -= carried;
        if let Some(plane) = &played.plane {
            for (index, foot) in character.rig.feet.iter().enumerate() {
                for models in [&mut self.source, &mut self.models] {
                    let sample = FootSample::of(foot, models, character.rig.hips);
                    let sample = sample.carried(&Transform::from_translation(-carried));
                    let Some(placed) = self.live.place(index, &sample, plane.height) else {
                        continue;
                    };
                    lay(foot, placed.ankle, models);
                }
            }
        }
        let moving = self.bare.earlier().filter(|_| dt >= Inertializer::SHORTEST);
        for (foot, hold) in character.rig.feet.iter().zip(&mut self.feet) {
            let about = match hold.down {
                [true, false] => 0,
                _ => 1,
            };
            let point = [foot.heel, foot.ball][about];
            let at = |models: &[Transform]| point.position(models);
            let turn = |models: &[Transform]| models[foot.ankle()].rotation;
            let shown = self.bare.last();
            let moved = at(shown) - at(&self.source);
            let turned = rotation::log(turn(shown) * turn(&self.source).conjugate());
            let (mut moved_rate, mut turned_rate) = (Vec3::ZERO, Vec3::ZERO);
            if let Some((earlier, seconds)) = moving {
                let own = at(&self.models) - at(&self.source);
                moved_rate = (at(shown) - at(earlier)) / seconds - own / dt;
                let was = rotation::log(turn(shown) * turn(earlier).conjugate());
                let own = rotation::log(turn(&self.models) * turn(&self.source).conjugate());
                turned_rate = was / seconds - own / dt;
            }
            hold.risen = risen(foot, shown, played, &self.settings);
            let pin = hold.down.contains(&true).then(|| at(shown));
            let points = hold.points.filter(|_| pin.is_some());
            (hold.moved, hold.moved_rate) = (moved, moved_rate);
            (hold.turned, hold.turned_rate) = (turned, turned_rate);
            (hold.about, hold.pin, hold.points) = (about, pin, points);
        }
    }

    /// Makes what is shown from the pose that is played.
    pub fn apply(
        &mut self,
        repertoire: &Repertoire,
        pose: &mut [Transform],
        played: &SpliceSource,
    ) {
        let played = &played.lasting();
        let skeleton = &repertoire.character().skeleton;
        let (made, last) = (played.left_out.start, played.left_out.end);
        skeleton.local_to_model_in(0..made, pose, &mut self.source);
        skeleton.local_to_model_in(last..skeleton.len(), pose, &mut self.source);
        self.carry(repertoire, pose, played);
        self.inertia.apply_but(&played.left_out, pose, played.dt);
        self.since += played.dt;
        self.steady(pose[0].translation, played);
        // In the frame in which it is seen, so that nothing moves farther than the time of that frame allows.
        self.keep_apart(repertoire, played.dt);
        self.shown.pass(played.dt);
        self.bare.pass(played.dt);
        let mut targets = self.targets(repertoire, pose, played);
        if !self.is_active() && played.plane.is_none() {
            self.show_motion(repertoire, pose, played);
            skeleton.local_to_model_in(made..last, pose, self.shown.last_mut());
            return;
        }
        pose[0].translation += self.lag;
        skeleton.local_to_model(pose, self.shown.last_mut());
        let reaches = self.come_down(repertoire, &targets, played);
        if self.drop != Vec3::ZERO {
            pose[0].translation -= self.drop;
            skeleton.local_to_model(pose, self.shown.last_mut());
        }
        let mut toes = self.put_feet(repertoire, &reaches, &mut targets, pose, played);
        self.note_bare(repertoire, &targets, &mut toes, pose, played.dt);
    }

    /// Carries the body of a gait from its plane to the ground, and bends toes as it asks for.
    fn carry(&mut self, repertoire: &Repertoire, pose: &mut [Transform], played: &SpliceSource) {
        let Some(plane) = &played.plane else {
            self.live.forget();
            return;
        };
        self.live.advance(&self.source, plane, played.dt, &self.settings.feet);
        let carried = self.live.offset;
        pose[0].translation += carried;
        let left_out = &played.left_out;
        for part in [0..left_out.start, left_out.end..pose.len()] {
            self.source[part].iter_mut().for_each(|joint| joint.translation += carried);
        }
        for (index, foot) in repertoire.character().rig.feet.iter().enumerate() {
            let Some((toes, placed)) = foot.toes.zip(self.live.placed(index)) else { continue };
            if placed.toes != Vec3::ZERO {
                let turn = rotation::exp(placed.ankle.rotation.conjugate() * placed.toes);
                pose[toes].rotation = (turn * pose[toes].rotation).normalize();
            }
        }
    }

    /// Where the ankles have to be.
    fn targets(
        &mut self,
        repertoire: &Repertoire,
        pose: &[Transform],
        played: &SpliceSource,
    ) -> [Transform; MOST_FEET] {
        let mut targets = [Transform::IDENTITY; MOST_FEET];
        let feet = repertoire.character().rig.feet.iter().zip(&mut self.feet);
        for (index, (foot, hold)) in feet.enumerate() {
            if let Some(toes) = foot.toes {
                self.source[toes] = self.source[foot.ankle()] * pose[toes];
            }
            let mut down = (played.down)(index);
            if played.plane.is_some() && self.live.is_aloft(index) {
                down = [false; 2];
            }
            if let Some(placed) = self.live.placed(index).filter(|_| played.plane.is_some()) {
                lay(foot, placed.ankle, &mut self.source);
            }
            let points = [foot.heel.position(&self.source), foot.ball.position(&self.source)];
            hold.advance(down, points, played.dt, &self.settings);
            if let Some(target) = targets.get_mut(index) {
                *target = hold.place(&self.source[foot.ankle()], points[hold.about]);
            }
        }
        targets
    }

    /// Shows the motion itself.
    fn show_motion(
        &mut self,
        repertoire: &Repertoire,
        pose: &mut [Transform],
        played: &SpliceSource,
    ) {
        let character = repertoire.character();
        self.shown.last_mut().copy_from_slice(&self.source);
        self.bare.last_mut().copy_from_slice(&self.source);
        for (index, (foot, hold)) in character.rig.feet.iter().zip(&mut self.feet).enumerate() {
            let ankle = self.source[foot.ankle()];
            if let Some(toes) = hold.ease_toes(foot, &ankle, pose, played, &self.settings) {
                self.shown.last_mut()[toes] = ankle * pose[toes];
                self.bare.last_mut()[toes] = ankle * pose[toes];
            }
            hold.look(foot, self.shown.last(), self.settings.rolled, played.dt);
            if let Some(leg) = repertoire.legs().get(index).and_then(Option::as_ref) {
                hold.bent = bent(&character.skeleton, leg, self.shown.last());
            }
        }
    }

    /// Lets the hips down as far as feet that stay need them to; returns how far each leg reaches, and how long it is.
    fn come_down(
        &mut self,
        repertoire: &Repertoire,
        targets: &[Transform; MOST_FEET],
        played: &SpliceSource,
    ) -> [[f32; 2]; MOST_FEET] {
        let (set, dt) = (&self.settings, played.dt);
        let skeleton = &repertoire.character().skeleton;
        let mut needed = 0.0f32;
        let mut reaches = [[0.0f32; 2]; MOST_FEET];
        for (index, hold) in self.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = repertoire.legs().get(index).and_then(Option::as_ref) else { continue };
            let [hip, knee, ankle] = leg.joints();
            let length = skeleton.joint(knee).rest.translation.length()
                + skeleton.joint(ankle).rest.translation.length();
            let own = self.source[hip].translation.distance(self.source[ankle].translation);
            let soon = length * libm::cosf(0.5 * (hold.bent + set.unbend * sixtieths(dt)));
            let reach = own.max(soon).max(set.feet.longest_reach * length);
            reaches[index] = [reach, length];
            if hold.pin.is_none() {
                continue;
            }
            let to = targets[index].translation - self.shown.last()[hip].translation;
            let deep = (reach.powi(2) - to.x * to.x - to.z * to.z).max(0.0).sqrt();
            needed = needed.max((-to.y - deep).min(set.most_drop));
        }
        let goal = Vec3::Y * needed;
        if self.shown.is_first() {
            (self.drop, self.drop_rate) = (goal, Vec3::ZERO);
            return reaches;
        }
        let (left, rate) = damped(self.drop - goal, self.drop_rate, set.half_drop, dt);
        // They come up again no faster than the body may.
        let most = self.drop_rate.y - played.most * dt;
        (self.drop, self.drop_rate) = if rate.y < most {
            ((self.drop + most * dt * Vec3::Y).max(Vec3::ZERO), most * Vec3::Y)
        } else {
            (goal + left, rate)
        };
        reaches
    }

    /// Bends legs so that feet are where they belong; returns the toes as they are without raised heels.
    fn put_feet(
        &mut self,
        repertoire: &Repertoire,
        reaches: &[[f32; 2]; MOST_FEET],
        targets: &mut [Transform; MOST_FEET],
        pose: &mut [Transform],
        played: &SpliceSource,
    ) -> [Quat; MOST_FEET] {
        let character = repertoire.character();
        let (skeleton, set) = (&character.skeleton, &self.settings);
        let mut toes_before = [Quat::IDENTITY; MOST_FEET];
        for (index, foot) in character.rig.feet.iter().enumerate().take(MOST_FEET) {
            let Some(leg) = repertoire.legs().get(index).and_then(Option::as_ref) else { continue };
            let [reach, length] = reaches[index];
            let first = self.shown.is_first();
            let models = self.shown.last_mut();
            let hip = models[leg.joints()[0]].translation;
            let hold = &mut self.feet[index];
            hold.risen = (hold.risen - set.rising * sixtieths(played.dt)).max(0.0);
            keep_above(foot, played.ground, &mut targets[index], pose, set.sunk + hold.risen, set);
            let bare = targets[index];
            if played.plane.is_some() {
                hold.stand_on_ground(foot, &bare, pose, played, set);
            }
            hold.ease_toes(foot, &bare, pose, played, set);
            if let Some(toes) = foot.toes {
                toes_before[index] = pose[toes].rotation;
            }
            let least = set.feet.ankle_least.min(self.live.own_ankle(index));
            let folded = |hip: Vec3, ankle: Vec3, toe: Vec3| {
                self.live.ankle_angle(index, [hip, ankle, toe]) < least
            };
            let bends: Option<AnkleLimit> =
                if played.plane.is_some() { Some(&folded) } else { None };
            let leg_of = (hip, reach, bends);
            let mut target = hold.raise_heel((skeleton, foot), leg_of, &bare, pose, played.dt, set);
            let to = target.translation - hip;
            if to.length() > reach {
                target.translation = hip + to * (reach / to.length());
                // A foot that cannot stay is not shown as one that does.
                if to.length() > reach + set.feet.down {
                    hold.down = [false; 2];
                }
            }
            if !first {
                hold.ease_knee((foot, length), hip, &mut target, pose, played, set);
            }
            leg.solve(&target, &TwoBoneOptions::default(), pose, models);
            hold.bent = bent(skeleton, leg, models);
            for joint in skeleton.subtree(foot.ankle()).skip(1) {
                if let Some(parent) = skeleton.parent(joint) {
                    models[joint] = models[parent] * pose[joint];
                }
            }
        }
        toes_before
    }

    /// Remembers how it would be without raised heels: the next switch goes on from there and from where it is shown.
    fn note_bare(
        &mut self,
        repertoire: &Repertoire,
        targets: &[Transform; MOST_FEET],
        toes_before: &mut [Quat; MOST_FEET],
        pose: &mut [Transform],
        dt: f32,
    ) {
        let feet = &repertoire.character().rig.feet;
        self.bare.last_mut().copy_from_slice(self.shown.last());
        for (index, (foot, hold)) in feet.iter().zip(&mut self.feet).enumerate() {
            hold.look(foot, self.shown.last(), self.settings.rolled, dt);
            if hold.raised > 0.0 && index < MOST_FEET {
                let bare = self.bare.last_mut();
                bare[foot.ankle()] = targets[index];
                if let Some(toes) = foot.toes {
                    let raised = pose[toes].rotation;
                    pose[toes].rotation = toes_before[index];
                    bare[toes] = bare[foot.ankle()] * pose[toes];
                    toes_before[index] = raised;
                }
            }
        }
        self.inertia.amend(pose);
        for (index, (foot, hold)) in feet.iter().zip(&self.feet).enumerate() {
            if let Some(toes) = foot.toes.filter(|_| hold.raised > 0.0 && index < MOST_FEET) {
                pose[toes].rotation = toes_before[index];
            }
        }
    }

    /// Keeps jolts from the body: what it would change its speed by too quickly it makes up for later.
    fn steady(&mut self, root: Vec3, played: &SpliceSource) {
        let dt = played.dt;
        if self.shown.is_empty() {
            self.root = root;
            return;
        }
        self.root_age += dt;
        // Over less, speed is lost in rounding.
        let told = self.root_age >= RecentPoses::APART;
        if told {
            let rate = (root - self.root) / self.root_age;
            let change = rate - self.root_rate;
            if self.steadied {
                self.lag_rate -= change - change.clamp_length_max(played.most * self.root_age);
            }
            self.root_rate = rate;
            self.steadied = true;
        }
        if dt > 0.0 {
            (self.lag, self.lag_rate) = damped(self.lag, self.lag_rate, self.settings.half_lag, dt);
        }
        if told {
            (self.root, self.root_age) = (root, 0.0);
        }
    }
}

/// Puts an ankle elsewhere, and the toes with it.
fn lay(foot: &Foot, ankle: Transform, models: &mut [Transform]) {
    let own = models[foot.ankle()].inverse();
    for joint in [foot.toes, Some(foot.ankle())].into_iter().flatten() {
        models[joint] = ankle * (own * models[joint]);
    }
}

/// Frames of a sixtieth of a second in a time.
fn sixtieths(dt: f32) -> f32 {
    60.0 * dt
}

/// How much a knee is bent, as if both bones were as long.
fn bent(skeleton: &Skeleton, leg: &TwoBone, models: &[Transform]) -> f32 {
    let [hip, knee, ankle] = leg.joints();
    let length = skeleton.joint(knee).rest.translation.length()
        + skeleton.joint(ankle).rest.translation.length();
    let far = models[hip].translation.distance(models[ankle].translation);
    2.0 * libm::acosf((far / length).clamp(0.0, 1.0))
}
