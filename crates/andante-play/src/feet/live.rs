//! Feet of a gait that is led on the fly, over ground that is not the plane it was made for: each knows where it stands and
//! where it will land, and is led from one to the other as any foot in the air is.

use super::foothold::{self, FootholdQuery, Sensor};
use super::sole::{FootSample, SoleOutline};
use super::swing_plan::{StandingFoot, SwingBrief, SwingMoment, SwingPath, SwingPlan};
use super::{FeetSettings, Footprint, SwingCurve, leg};
use crate::blend_space::{GaitPlayer, StepAhead};
use crate::ground::clip::flat;
use crate::ground::curve::{glide, smooth};
use crate::ground::ends::PrintBridge;
use crate::ground::plan::PlacedPrint;
use crate::ground::trace::{GroundQuery, Trace};
use crate::ground::turns::landing;
use crate::repertoire::Repertoire;
use crate::spring::damped;
use andante_skeleton::{Planar, Side, Transform, rotation};
use andante_world::Ground;
use glam::{Vec2, Vec3};

andante_skeleton::settings! {
    /// Settings of the steps of a gait that is led on the fly. Times are in phases: parts of a round of the gait.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct LiveStepSettings: Copy {
        /// Part of a swing after which the landing is not looked at any more.
        commit: f32 = 0.45, 0.2..=0.8;
        /// Part of a swing after which no other print is looked for, however far from it the gait will have the foot.
        latest: f32 = 0.8, 0.5..=0.95;
        /// How far that is, in leg lengths, for another one to be looked for.
        drifts: f32 = 0.05, 0.01..=0.3;
        /// Phases in which two thirds of the way are made to another print.
        moves: f32 = 0.04, 0.01..=0.2;
        /// Rounds that pass in a second for the steps of somebody who stands already.
        rounds: f32 = 0.9, 0.5..=2.0;
        /// Phases before its time at which a foot that comes down does so too early.
        early: f32 = 0.06, 0.0..=0.2;
        /// Phases before a foot leaves within which time goes as slowly as its swing needs.
        soon: f32 = 0.1, 0.0..=0.3;
        /// How fast the speed of time changes, per second.
        quicker: f32 = 3.0, 1.0..=20.0;
        /// How far the ground rises and falls within half as much of a way, in leg lengths: what is beyond is no
        /// ground for a step.
        step_range: f32 = 0.3, 0.1..=0.6;
        /// Phases around a stretched leg in which the body is lower for it.
        stretch_near: f32 = 0.5, 0.2..=1.0;
        /// Seconds in which half of that is made.
        half_drop: f32 = 0.06, 0.02..=0.3;
    }
}

/// A gait over a plane, and the ground that is there instead.
#[derive(Clone, Copy)]
pub struct GaitPlane<'a> {
    /// Height of the plane.
    pub height: f32,
    /// The gait.
    pub player: &'a GaitPlayer,
    /// The ground.
    pub ground: &'a dyn Ground,
}

/// A print on the plane, and the one on the ground it is put on.
#[derive(Clone, Copy, Debug)]
struct PlanePrint {
    plane: Planar,
    at: Footprint,
    /// The place on the plane it was looked for.
    wished: Vec2,
    /// How much flatter than in the motion the foot lands.
    flatter: f32,
}

impl PlanePrint {
    /// What leads from the plane to the ground.
    fn offset(&self, height: f32) -> Vec3 {
        let Vec2 { x, y: z } = self.plane.position;
        self.at.position - Vec3::new(x, height, z)
    }

    fn lerp(&self, other: &Self, t: f32) -> Self {
        let turn = rotation::wrap_angle(other.plane.heading - self.plane.heading);
        Self {
            plane: Planar::new(
                self.plane.position.lerp(other.plane.position, t),
                self.plane.heading + turn * t,
            ),
            at: self.at.lerp(&other.at, t),
            wished: other.wished,
            flatter: self.flatter + (other.flatter - self.flatter) * t,
        }
    }
}

/// One foot: its stance, the one before and the one after. Times are in phases from now on.
#[derive(Clone, Copy, Debug, Default)]
struct LiveStep {
    before: Option<PlanePrint>,
    here: Option<PlanePrint>,
    next: Option<PlanePrint>,
    /// Where the next one is held to be: it moves there smoothly when it has been looked at again.
    held: Option<PlanePrint>,
    path: SwingPath,
    aloft: bool,
    /// Its landing has been looked at for the last time.
    committed: bool,
    /// Since it left, and until it lands.
    since: f32,
    left: f32,
    /// The middle of this stance, and of the ones before and after.
    middles: [f32; 3],
    /// When its leg is stretched: the last landing, this leaving and the next landing.
    stretched: [StretchedLeg; 3],
    /// Rise over the way of the step it makes.
    grade: f32,
    /// The angle between shank and foot in the motion.
    own_ankle: f32,
    placed: Option<PlacedPrint>,
}

/// A moment at which a leg would be straighter than in the motion, and how much lower the body has to be for it not to.
#[derive(Clone, Copy, Debug, Default)]
struct StretchedLeg {
    when: f32,
    lowers: f32,
}

impl LiveStep {
    /// Lets phases pass; a body that stands comes to the middle of its stances and stays there.
    fn pass(&mut self, phases: f32, stands: bool, set: &LiveStepSettings) {
        self.since += phases;
        self.left -= phases;
        for middle in &mut self.middles {
            let passed = *middle - phases;
            *middle = if stands { passed.max(middle.min(0.0)) } else { passed };
        }
        self.stretched.iter_mut().for_each(|leg| leg.when -= phases);
        let share = 1.0 - libm::expf(-phases / set.moves);
        self.held = match (self.held, self.next) {
            (Some(held), Some(next)) => Some(held.lerp(&next, share)),
            (_, next) => next,
        };
    }

    /// How far a foot in the air has come.
    fn part(&self) -> f32 {
        (self.since / (self.since + self.left.max(0.0)).max(1e-4)).clamp(0.0, 1.0)
    }

    /// The next print where it is at the moment.
    fn coming(&self, set: &LiveStepSettings) -> Option<PlanePrint> {
        let (next, held) = (self.next?, self.held.or(self.next)?);
        let settled =
            if self.aloft { smooth((self.part() - set.latest) / (1.0 - set.latest)) } else { 0.0 };
        Some(held.lerp(&next, settled))
    }

    /// What leads the body from the plane to the ground some phases later, for this foot.
    fn carries(&self, height: f32, later: f32, set: &LiveStepSettings) -> Option<Vec3> {
        let here = self.here?.offset(height);
        let [before, own, next] = self.middles.map(|middle| middle - later);
        let (from, to, [begins, ends]) = match (self.before, self.coming(set)) {
            (Some(left), _) if own > 0.0 => (left.offset(height), here, [before, own]),
            (_, Some(coming)) => (here, coming.offset(height), [own, next]),
            _ => return Some(here),
        };
        Some(from.lerp(to, glide(-begins / (ends - begins).max(1e-3))))
    }

    /// How far the body has to be lower for its legs at the moment.
    fn lowers(&self, set: &LiveStepSettings) -> f32 {
        let near = |need: &StretchedLeg| {
            need.lowers * smooth(1.0 - (need.when.abs() / set.stretch_near).min(1.0))
        };
        self.stretched.iter().map(near).fold(0.0, f32::max)
    }

    /// A foot of the gait where it belongs.
    fn place(
        &self,
        sample: &FootSample,
        (height, unit): (f32, f32),
        set: &LiveStepSettings,
    ) -> Option<PlacedPrint> {
        let here = self.here?;
        let Some(next) = self.coming(set).filter(|_| self.aloft) else {
            let placed = PlacedPrint::on(&here.plane, &here.at, height, &sample.ankle);
            return Some(placed.flattened([here.flatter, 0.0], sample));
        };
        let u = self.part();
        let prints = [(&here.plane, &here.at), (&next.plane, &next.at)];
        let mut placed = PrintBridge::new(prints, height, unit).fitted(u, smooth(u), &sample.ankle);
        let (by, turn) = self.path.at(u);
        placed.ankle.translation += by;
        placed.ankle.rotation = (turn * placed.ankle.rotation).normalize();
        placed.turn = turn * placed.turn;
        Some(placed.flattened([next.flatter * landing(u), 0.0], sample))
    }
}

/// What is known of a foot for good.
#[derive(Clone, Copy, Debug)]
struct LiveSole {
    outline: SoleOutline,
    /// Length of its leg, and of its bones.
    unit: f32,
    bones: Option<[f32; 2]>,
    is_left: bool,
}

impl LiveSole {
    fn brief(&self, way: Vec3, heading: f32, seconds: f32) -> SwingBrief {
        let Self { unit, bones, .. } = *self;
        SwingBrief { way, heading, seconds, unit, bones, least: 0.0, toes_give: 0.0 }
    }
}

/// The feet of a gait over ground.
#[derive(Clone, Debug)]
pub(crate) struct LiveFeet {
    set: LiveStepSettings,
    soles: Vec<LiveSole>,
    steps: Vec<LiveStep>,
    /// The phase of the gait in the last frame, and how often it had come round.
    phase: f32,
    rounds: u32,
    /// What leads the body from the plane to the ground.
    pub offset: Vec3,
    /// How far it is lower for its legs, and how fast that changes.
    drop: [f32; 2],
    /// Speed of time that gives feet the time they need.
    pub tempo: f32,
    probes: Trace<GroundQuery>,
}

impl LiveFeet {
    pub fn new(repertoire: &Repertoire, set: LiveStepSettings) -> Self {
        let character = repertoire.character();
        let (skeleton, rest) = (&character.skeleton, character.skeleton.rest_models());
        let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
        let hips = rest[character.rig.hips].translation.y.abs().max(1e-2);
        let sole = |(index, foot): (usize, &andante_skeleton::Foot)| {
            let leg = repertoire.legs().get(index).and_then(Option::as_ref);
            let bones = leg.map(|leg| {
                let [_, knee, ankle] = leg.joints();
                [bone(knee), bone(ankle)]
            });
            let unit = bones.map_or(hips, |[thigh, shank]| thigh + shank);
            let sample = FootSample::of(&character.rig.feet[index], &rest, foot.ankle());
            let outline = SoleOutline::new(&sample, &sample.print(), unit, foot.toes.is_some());
            let is_left = foot.side == Side::Left;
            LiveSole { outline, unit, bones: bones.filter(|_| foot.toes.is_some()), is_left }
        };
        let feet = character.rig.feet.len();
        Self {
            set,
            soles: character.rig.feet.iter().enumerate().map(sole).collect(),
            steps: vec![LiveStep::default(); feet],
            phase: 0.0,
            rounds: 0,
            offset: Vec3::ZERO,
            drop: [0.0; 2],
            tempo: 1.0,
            probes: Trace::new(0),
        }
    }

    /// Forgets where feet stand.
    pub fn forget(&mut self) {
        self.steps.fill(LiveStep::default());
        (self.offset, self.drop, self.tempo) = (Vec3::ZERO, [0.0; 2], 1.0);
    }

    /// Lets time pass and says where feet belong that the gait has somewhere above its plane.
    pub fn advance(
        &mut self,
        models: &[Transform],
        plane: &GaitPlane,
        dt: f32,
        feet: &FeetSettings,
    ) {
        let (player, set) = (plane.player, self.set);
        let rounds = player.rounds().wrapping_sub(self.rounds);
        let phases = match player.is_standing() {
            // Feet in the air finish their step all the same.
            true => set.rounds * dt,
            // Long frames may go all round; a phase that was put back has not.
            false => (rounds as i32 as f32 + (player.phase() - self.phase)).max(0.0),
        };
        (self.phase, self.rounds) = (player.phase(), player.rounds());
        let rig = &player.repertoire().character().rig;
        for (index, foot) in rig.feet.iter().enumerate() {
            let sample = FootSample::of(foot, models, self.hip(index, player));
            self.steps[index].pass(phases, player.is_standing(), &set);
            self.go_on(index, &sample, plane, feet);
            let unit = self.soles[index].unit;
            let [hip, ankle] = [sample.hip, sample.ankle.translation];
            self.steps[index].own_ankle = self.ankle_angle(index, [hip, ankle, sample.toe]);
            self.steps[index].placed = self.steps[index].place(&sample, (plane.height, unit), &set);
        }
        let lowers = self.steps.iter().map(|step| step.lowers(&set)).fold(0.0, f32::max);
        let [off, speed] = [self.drop[0] - lowers, self.drop[1]].map(|x| Vec3::Y * x);
        let (off, speed) = damped(off, speed, set.half_drop, dt);
        self.drop = [lowers + off.y, speed.y];
        self.offset = self.carried(plane.height, 0.0) - self.drop[0].max(0.0) * Vec3::Y;
        let slower = self.steps.iter().map(|step| {
            let soon =
                step.aloft || step.next.is_some() && step.left < 1.0 && step.since > -set.soon;
            if soon { step.path.slower } else { 1.0 }
        });
        let wanted = slower.fold(1.0, f32::max).recip();
        self.tempo += (wanted - self.tempo).clamp(-set.quicker * dt, set.quicker * dt);
    }

    /// What leads the body from the plane to the ground some phases later, whatever its legs need.
    fn carried(&self, height: f32, later: f32) -> Vec3 {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0f32);
        for offset in self.steps.iter().filter_map(|step| step.carries(height, later, &self.set)) {
            sum += offset;
            count += 1.0;
        }
        sum / count.max(1.0)
    }

    /// Rise over the way of the steepest step that is made.
    pub fn grade(&self) -> f32 {
        self.steps.iter().map(|step| step.grade.abs()).fold(0.0, f32::max)
    }

    fn hip(&self, index: usize, player: &GaitPlayer) -> usize {
        let repertoire = player.repertoire();
        match repertoire.legs().get(index) {
            Some(Some(leg)) => leg.joints()[0],
            _ => repertoire.character().rig.hips,
        }
    }

    /// The angle between shank and foot of a leg with its hip, ankle and joint of the toes at these places.
    pub fn ankle_angle(&self, foot: usize, [hip, ankle, toe]: [Vec3; 3]) -> f32 {
        let heading = self.steps[foot].here.map_or(0.0, |here| here.at.heading);
        self.soles[foot].brief(Vec3::ZERO, heading, 0.0).ankle_angle(hip, ankle, toe)
    }

    /// The same in the motion itself.
    pub fn own_ankle(&self, foot: usize) -> f32 {
        self.steps[foot].own_ankle
    }

    /// True if a foot is in the air, be it that the gait has ended before its step has.
    pub fn is_aloft(&self, foot: usize) -> bool {
        self.steps[foot].aloft
    }

    /// The print to which a foot belongs that was looked at last.
    pub fn placed(&self, foot: usize) -> Option<PlacedPrint> {
        self.steps[foot].placed
    }

    /// The print to which a foot belongs that is elsewhere.
    pub fn place(&self, foot: usize, sample: &FootSample, height: f32) -> Option<PlacedPrint> {
        self.steps[foot].place(sample, (height, self.soles[foot].unit), &self.set)
    }

    fn go_on(&mut self, foot: usize, sample: &FootSample, plane: &GaitPlane, feet: &FeetSettings) {
        let set = self.set;
        let down = plane.player.contact(foot) != [false; 2];
        let own = sample.print();
        let unit = self.soles[foot].unit;
        let step = &self.steps[foot];
        let strayed =
            |here: &PlanePrint| down && here.plane.position.distance(own.position) > 0.5 * unit;
        // In a long frame a foot may have come down and left again.
        let unseen = step.aloft && step.middles[2] < if down { -0.5 } else { 0.0 };
        if unseen || step.here.is_none_or(|here| strayed(&here) && !step.aloft) {
            let last = step.next.filter(|_| unseen).or(step.here);
            let height = last.map_or(plane.height, |last| last.at.position.y);
            let here = self.put(foot, own, height, false, plane, feet);
            self.steps[foot] = LiveStep { here: Some(here), ..LiveStep::default() };
        }
        match (self.steps[foot].aloft, down) {
            (false, false) => {
                self.plan(foot, plane, feet);
                let step = &mut self.steps[foot];
                (step.aloft, step.committed, step.since) = (true, false, 0.0);
            }
            (false, true) => {
                let step = &self.steps[foot];
                let due = step.next.is_none() && step.middles[1] <= 0.0;
                let drifts = step.next.is_some() && self.drift(foot, plane) > set.drifts;
                if (due || drifts) && !plane.player.is_standing() {
                    self.plan(foot, plane, feet);
                }
            }
            (true, false) => {
                let step = &mut self.steps[foot];
                let commits = !step.committed && step.part() > set.commit;
                step.committed |= commits;
                // Whoever sets off or turns lands elsewhere than was thought.
                let drifts = step.part() < set.latest && self.drift(foot, plane) > set.drifts;
                if commits || drifts {
                    self.plan(foot, plane, feet);
                } else {
                    self.track(foot, plane);
                }
            }
            (true, true) => {
                let step = &mut self.steps[foot];
                if let Some(next) = step.next.as_mut().filter(|_| step.left >= set.early) {
                    next.plane = own;
                } else {
                    self.land(foot, plane);
                }
            }
        }
    }

    /// How far from where its print was looked for a foot will land, in leg lengths.
    fn drift(&self, foot: usize, plane: &GaitPlane) -> f32 {
        let (Some((_, place)), Some(next)) = (lands(foot, plane), self.steps[foot].next) else {
            return 0.0;
        };
        next.wished.distance(place.position) / self.soles[foot].unit
    }

    /// Sees to it that a foot comes down on its print, wherever the gait will have it.
    fn track(&mut self, foot: usize, plane: &GaitPlane) {
        let Some((ahead, place)) = lands(foot, plane) else { return };
        let step = &mut self.steps[foot];
        step.left = ahead.lands;
        step.middles[2] = 0.5 * (ahead.lands + ahead.leaves_again);
        if let Some(next) = &mut step.next {
            next.plane = place;
        }
    }

    /// A foot has come down.
    fn land(&mut self, foot: usize, plane: &GaitPlane) {
        let stance = plane.player.step_ahead(foot).map(|ahead| 0.5 * ahead.leaves);
        let step = &mut self.steps[foot];
        let Some(here) = step.next else {
            step.aloft = false;
            return;
        };
        *step = LiveStep {
            before: step.here,
            here: Some(here),
            middles: [step.middles[1], stance.unwrap_or(step.middles[2]).max(0.0), 0.0],
            stretched: [step.stretched[2], step.stretched[1], StretchedLeg::default()],
            grade: step.grade,
            ..LiveStep::default()
        };
    }

    /// The print for a foot, or where it stands if there is none: near the place if it may choose, and then at a height that
    /// a step leads to.
    fn put(
        &mut self,
        foot: usize,
        place: Planar,
        height: f32,
        chooses: bool,
        plane: &GaitPlane,
        feet: &FeetSettings,
    ) -> PlanePrint {
        let LiveSole { outline, unit, .. } = &self.soles[foot];
        let range = if chooses { self.set.step_range } else { feet.foothold.look } * unit;
        let mut sensor = Sensor { ground: plane.ground, probes: &mut self.probes, range, feet };
        let along = Vec2::new(libm::sinf(place.heading), libm::cosf(place.heading));
        let wish = FootholdQuery { place, along, height, sole: outline, unit: *unit };
        let fit = if chooses {
            foothold::find(&mut sensor, &wish)
        } else {
            foothold::fit(&mut sensor, &wish, Vec2::ZERO)
        };
        let level = Vec3::new(place.position.x, height, place.position.y);
        let at = fit.map_or_else(|| Footprint::level(level, place.heading), |fit| fit.print);
        PlanePrint { plane: place, at, wished: place.position, flatter: 0.0 }
    }

    /// Looks where a foot will land, and how it gets there.
    fn plan(&mut self, foot: usize, plane: &GaitPlane, feet: &FeetSettings) {
        let Some((ahead, place)) = lands(foot, plane) else { return };
        self.track(foot, plane);
        let step = self.steps[foot];
        let Some(here) = step.here else { return };
        let unit = self.soles[foot].unit;
        if !step.aloft {
            self.steps[foot].since = -ahead.leaves;
        }
        let moved = |next: &PlanePrint| next.wished.distance(place.position) > 0.01 * unit;
        if step.next.is_some_and(|next| !moved(&next)) {
            return;
        }
        let range = self.set.step_range * unit;
        let height = foothold::follow_ground(plane.ground, here.at.position, place.position, range);
        let mut next = self.put(foot, place, height, true, plane, feet);
        let way = next.at.position - here.at.position;
        next.flatter = feet.swing.lands_flat(way, next.at.up(), unit);
        let own = &mut self.steps[foot];
        own.next = Some(next);
        own.grade = way.y / flat(way).length().max(0.3 * unit);
        self.stretch(foot, ahead, plane, feet);
        // One that is nearly there keeps to its way.
        if !step.committed {
            self.steps[foot].path = self.lead(foot, ahead, [here, next], plane, feet);
        }
    }

    /// How far the body has to be lower when a foot leaves and lands, for its leg to be no straighter than in the motion.
    fn stretch(
        &mut self,
        foot: usize,
        StepAhead { leaves, lands, .. }: StepAhead,
        plane: &GaitPlane,
        feet: &FeetSettings,
    ) {
        let LiveSole { unit, .. } = self.soles[foot];
        let step = self.steps[foot];
        let (Some(here), Some(next)) = (step.here, step.next) else { return };
        let needs = |phases: f32, print: &PlanePrint| {
            let sample = plane.player.foot_ahead(foot, phases.min(1.0), plane.height);
            let placed = PlacedPrint::on(&print.plane, &print.at, plane.height, &sample.ankle);
            let hip = sample.hip + self.carried(plane.height, phases);
            let own = sample.hip.distance(sample.ankle.translation);
            let longest = own.max(feet.soft_reach * unit);
            let lowers = leg::lowering(hip, placed.ankle.translation, longest);
            StretchedLeg { when: phases, lowers: lowers.min(feet.lowest_body * unit) }
        };
        let [leaving, landing] =
            [(leaves, &here), (lands, &next)].map(|(at, print)| needs(at, print));
        let own = &mut self.steps[foot];
        if !own.aloft {
            own.stretched[1] = leaving;
        }
        own.stretched[2] = landing;
    }

    /// The way of a foot from print to print.
    fn lead(
        &self,
        foot: usize,
        StepAhead { leaves, lands, .. }: StepAhead,
        [here, next]: [PlanePrint; 2],
        plane: &GaitPlane,
        feet: &FeetSettings,
    ) -> SwingPath {
        let sole = &self.soles[foot];
        let bridge = PrintBridge::new(
            [(&here.plane, &here.at), (&next.plane, &next.at)],
            plane.height,
            sole.unit,
        );
        let begins = if self.steps[foot].aloft { self.steps[foot].part() } else { 0.0 };
        let swing = (lands - leaves) / (1.0 - begins).max(0.1);
        let seconds = plane.player.seconds_ahead(swing.min(1.0));
        let brief = sole.brief(next.at.position - here.at.position, next.at.heading, seconds);
        let other = match &self.steps[..] {
            [_, _] => self.steps[1 - foot].coming(&self.set).or(self.steps[1 - foot].here),
            _ => None,
        };
        let beside = other.map(|other| {
            let SoleOutline { heel, tip, .. } = self.soles[1 - foot].outline;
            let frame = other.at.frame();
            let ends = [heel, tip].map(|end| frame.transform_point(Vec3::new(end.x, 0.0, end.y)));
            StandingFoot::new(ends, self.soles[1 - foot].is_left)
        });
        let [from, to] = [here, next].map(|print| print.offset(plane.height));
        let moment = |index: usize| {
            let u = index as f32 / SwingCurve::PARTS as f32;
            let phases = (leaves + ((u - begins) * swing).max(0.0)).min(1.0);
            let sample = plane.player.foot_ahead(foot, phases, plane.height);
            let flatter = [next.flatter * landing(u), 0.0];
            let placed = bridge.fitted(u, smooth(u), &sample.ankle).flattened(flatter, &sample);
            let own = sample.ankle.translation;
            let put = |point: Vec3| placed.ankle.translation + placed.turn * (point - own);
            SwingMoment {
                hip: sample.hip + self.offset + 0.5 * smooth(u) * (to - from),
                ankle: placed.ankle.translation,
                toe: put(sample.toe),
                sole: sample.sole().map(put),
                heights: sample.sole().map(|point| point.y - plane.height),
                own_height: own.y - plane.height,
                own_angle: brief.ankle_angle(sample.hip, own, sample.toe),
                beside,
            }
        };
        let expected = 0.5 * (here.at.position.y + next.at.position.y);
        let range = feet.foothold.look * sole.unit;
        let mut heights = |place: Vec2| {
            let from = Vec3::new(place.x, expected + range, place.y);
            let found = plane.ground.height_below(from, 2.0 * range);
            found.filter(|height| height.is_finite()).unwrap_or(f32::NEG_INFINITY)
        };
        SwingPlan::path(brief, moment, &feet.swing, &mut heights)
    }
}

/// The next step of a foot, and where the gait will have it lie then.
fn lands(foot: usize, plane: &GaitPlane) -> Option<(StepAhead, Planar)> {
    let ahead = plane.player.step_ahead(foot)?;
    let lies = (ahead.lands + 0.15 * (ahead.leaves_again - ahead.lands)).min(1.0);
    Some((ahead, plane.player.foot_ahead(foot, lies, plane.height).print()))
}
