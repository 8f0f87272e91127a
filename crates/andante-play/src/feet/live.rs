//! Feet of a gait that is led on the fly, over ground that is not the plane it was made for: each knows where it stands and
//! where it will land, and is led from one to the other as any foot in the air is.

use super::foothold::{self, FootholdQuery, Sensor};
use super::sole::{FootSample, SoleOutline};
use super::swing_plan::{StandingFoot, SwingBrief, SwingMoment, SwingPath, SwingPlan};
use super::{FeetSettings, Footprint, SwingCurve};
use crate::blend_space::{GaitPlayer, StepAhead};
use crate::ground::clip::flat;
use crate::ground::curve::{glide, smooth};
use crate::ground::ends::PrintBridge;
use crate::ground::plan::PlacedPrint;
use crate::ground::trace::{GroundQuery, Trace};
use crate::ground::turns::landing;
use crate::repertoire::Repertoire;
use andante_skeleton::{Planar, Side, Transform, rotation};
use andante_world::Ground;
use glam::{Vec2, Vec3};

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
    /// Where the next one was before it was looked at again, and how long before landing that was.
    moved: Option<(PlanePrint, f32)>,
    path: SwingPath,
    aloft: bool,
    /// Its landing has been looked at for the last time.
    committed: bool,
    /// Since it left, and until it lands.
    since: f32,
    left: f32,
    /// The middle of this stance, and of the ones before and after.
    middles: [f32; 3],
    placed: Option<PlacedPrint>,
}

impl LiveStep {
    fn pass(&mut self, phases: f32) {
        self.since += phases;
        self.left -= phases;
        self.middles.iter_mut().for_each(|middle| *middle -= phases);
    }

    /// How far a foot in the air has come.
    fn part(&self) -> f32 {
        (self.since / (self.since + self.left.max(0.0)).max(1e-4)).clamp(0.0, 1.0)
    }

    /// The next print where it is at the moment.
    fn coming(&self) -> Option<PlanePrint> {
        let next = self.next?;
        Some(match self.moved {
            Some((from, left)) => {
                from.lerp(&next, smooth((1.0 - self.left / left.max(1e-3)) / 0.8))
            }
            None => next,
        })
    }

    /// What leads the body from the plane to the ground, for this foot.
    fn carries(&self, height: f32) -> Option<Vec3> {
        let here = self.here?.offset(height);
        let (from, to, [begins, ends]) = match (self.before, self.coming()) {
            (Some(before), _) if self.middles[1] > 0.0 => {
                (before.offset(height), here, [self.middles[0], self.middles[1]])
            }
            (_, Some(next)) => (here, next.offset(height), [self.middles[1], self.middles[2]]),
            _ => return Some(here),
        };
        Some(from.lerp(to, glide(-begins / (ends - begins).max(1e-3))))
    }

    /// A foot of the gait where it belongs.
    fn place(&self, sample: &FootSample, height: f32, unit: f32) -> Option<PlacedPrint> {
        let here = self.here?;
        let Some(next) = self.coming().filter(|_| self.aloft) else {
            let placed = PlacedPrint::on(&here.plane, &here.at, height, &sample.ankle);
            return Some(placed.flattened([here.flatter, 0.0], sample));
        };
        let u = self.part();
        let prints = [(&here.plane, &here.at), (&next.plane, &next.at)];
        let mut placed =
            PrintBridge::new(prints, height, unit).fitted(u, smooth(u), &sample.ankle);
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

/// The feet of a gait over ground.
#[derive(Clone, Debug)]
pub(crate) struct LiveFeet {
    soles: Vec<LiveSole>,
    steps: Vec<LiveStep>,
    /// The phase of the gait in the last frame.
    phase: f32,
    /// What leads the body from the plane to the ground.
    pub offset: Vec3,
    /// Speed of time that gives feet the time they need.
    pub tempo: f32,
    probes: Trace<GroundQuery>,
}

/// Phases before a foot leaves within which time goes as slowly as its swing needs.
const SOON: f32 = 0.1;
/// How fast the speed of time changes, per second.
const QUICKER: f32 = 3.0;

impl LiveFeet {
    pub fn new(repertoire: &Repertoire) -> Self {
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
            let outline = SoleOutline::new(&sample, &print(&sample), unit, foot.toes.is_some());
            let is_left = foot.side == Side::Left;
            LiveSole { outline, unit, bones: bones.filter(|_| foot.toes.is_some()), is_left }
        };
        let feet = character.rig.feet.len();
        Self {
            soles: character.rig.feet.iter().enumerate().map(sole).collect(),
            steps: vec![LiveStep::default(); feet],
            phase: 0.0,
            offset: Vec3::ZERO,
            tempo: 1.0,
            probes: Trace::new(0),
        }
    }

    /// Forgets where feet stand.
    pub fn forget(&mut self) {
        self.steps.fill(LiveStep::default());
        (self.offset, self.tempo) = (Vec3::ZERO, 1.0);
    }

    /// Lets time pass and says where feet belong that the gait has somewhere above its plane.
    pub fn advance(
        &mut self,
        models: &[Transform],
        plane: &GaitPlane,
        dt: f32,
        feet: &FeetSettings,
    ) {
        let player = plane.player;
        let phases = (player.phase() - self.phase).rem_euclid(1.0);
        // A phase that went back a little has not gone all round.
        let phases = if phases > 0.9 || player.is_standing() { 0.0 } else { phases };
        self.phase = player.phase();
        let rig = &player.repertoire().character().rig;
        for (index, foot) in rig.feet.iter().enumerate() {
            let sample = FootSample::of(foot, models, self.hip(index, player));
            self.steps[index].pass(phases);
            self.go_on(index, &sample, plane, feet);
            let unit = self.soles[index].unit;
            self.steps[index].placed = self.steps[index].place(&sample, plane.height, unit);
        }
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for offset in self.steps.iter().filter_map(|step| step.carries(plane.height)) {
            sum += offset;
            count += 1.0;
        }
        self.offset = sum / f32::max(count, 1.0);
        let slower = self.steps.iter().map(|step| {
            let soon = step.aloft || step.next.is_some() && step.left < 1.0 && step.since > -SOON;
            if soon { step.path.slower } else { 1.0 }
        });
        let wanted = slower.fold(1.0, f32::max).recip();
        self.tempo += (wanted - self.tempo).clamp(-QUICKER * dt, QUICKER * dt);
    }

    fn hip(&self, index: usize, player: &GaitPlayer) -> usize {
        let repertoire = player.repertoire();
        match repertoire.legs().get(index) {
            Some(Some(leg)) => leg.joints()[0],
            _ => repertoire.character().rig.hips,
        }
    }

    /// Where a foot belongs that was looked at last.
    pub fn placed(&self, foot: usize) -> Option<PlacedPrint> {
        self.steps[foot].placed
    }

    /// Where a foot belongs that is elsewhere.
    pub fn place(&self, foot: usize, sample: &FootSample, height: f32) -> Option<PlacedPrint> {
        self.steps[foot].place(sample, height, self.soles[foot].unit)
    }

    fn go_on(&mut self, foot: usize, sample: &FootSample, plane: &GaitPlane, feet: &FeetSettings) {
        let down = plane.player.contact(foot) != [false; 2];
        let own = print(sample);
        let unit = self.soles[foot].unit;
        let step = &self.steps[foot];
        let strayed = |here: &PlanePrint| {
            down && here.plane.position.distance(own.position) > 0.5 * unit
        };
        if step.here.is_none_or(|here| strayed(&here) && !step.aloft) {
            let height = step.here.map_or(plane.height, |here| here.at.position.y);
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
                if step.next.is_none() && step.middles[1] <= 0.0 && !plane.player.is_standing() {
                    self.plan(foot, plane, feet);
                }
            }
            (true, false) => {
                let step = &mut self.steps[foot];
                if !step.committed && step.part() > 0.45 {
                    step.committed = true;
                    self.plan(foot, plane, feet);
                }
            }
            (true, true) => self.land(foot, plane),
        }
    }

    /// A foot has come down.
    fn land(&mut self, foot: usize, plane: &GaitPlane) {
        let stance = plane.player.step_ahead(foot).map_or(0.0, |ahead| ahead.leaves);
        let step = &mut self.steps[foot];
        let Some(here) = step.coming() else {
            step.aloft = false;
            return;
        };
        *step = LiveStep {
            before: step.here,
            here: Some(here),
            middles: [step.middles[1], 0.5 * stance, 0.0],
            ..LiveStep::default()
        };
    }

    /// The print for a foot, or where it stands if there is none: near the place if it may choose.
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
        let range = feet.foothold.look * unit;
        let mut sensor =
            Sensor { ground: plane.ground, probes: &mut self.probes, range, feet };
        let along = Vec2::new(libm::sinf(place.heading), libm::cosf(place.heading));
        let wish = FootholdQuery { place, along, height, sole: outline, unit: *unit };
        let fit = if chooses {
            foothold::find(&mut sensor, &wish)
        } else {
            foothold::fit(&mut sensor, &wish, Vec2::ZERO)
        };
        let level = Vec3::new(place.position.x, height, place.position.y);
        let at = fit.map_or_else(|| Footprint::level(level, place.heading), |fit| fit.print);
        PlanePrint { plane: place, at, flatter: 0.0 }
    }

    /// Looks where a foot will land, and how it gets there.
    fn plan(&mut self, foot: usize, plane: &GaitPlane, feet: &FeetSettings) {
        let Some(ahead) = plane.player.step_ahead(foot) else { return };
        let step = self.steps[foot];
        let Some(here) = step.here else { return };
        let stance = ahead.leaves_again - ahead.lands;
        let lies = (ahead.lands + 0.15 * stance).min(1.0);
        let sample = plane.player.foot_ahead(foot, lies, plane.height);
        let place = print(&sample);
        let unit = self.soles[foot].unit;
        let own = &mut self.steps[foot];
        (own.left, own.middles[2]) = (ahead.lands, ahead.lands + 0.5 * stance);
        if !step.aloft {
            own.since = -ahead.leaves;
        }
        let moved = |next: &PlanePrint| next.plane.position.distance(place.position) > 0.01 * unit;
        if step.next.is_some_and(|next| !moved(&next)) {
            return;
        }
        let mut next = self.put(foot, place, here.at.position.y, true, plane, feet);
        let way = next.at.position - here.at.position;
        next.flatter = feet.swing.lands_flat(way, next.at.up(), unit);
        let own = &mut self.steps[foot];
        own.moved = step.coming().map(|from| (from, ahead.lands));
        own.next = Some(next);
        // One that is nearly there keeps to its way.
        if !step.committed {
            self.steps[foot].path = self.lead(foot, ahead, [here, next], plane, feet);
        }
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
        let brief = SwingBrief {
            way: next.at.position - here.at.position,
            heading: next.at.heading,
            seconds: plane.player.seconds_ahead(swing.min(1.0)),
            unit: sole.unit,
            bones: sole.bones,
            least: 0.0,
            toes_give: 0.0,
        };
        let other = match &self.steps[..] {
            [_, _] => self.steps[1 - foot].coming().or(self.steps[1 - foot].here),
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
            plane.ground.height_below(from, 2.0 * range).unwrap_or(f32::NEG_INFINITY)
        };
        SwingPlan::path(brief, moment, &feet.swing, &mut heights)
    }
}

/// Where a foot is, seen from above.
fn print(sample: &FootSample) -> Planar {
    let along = flat(sample.ball - sample.heel);
    Planar::new(flat(sample.heel.midpoint(sample.ball)), libm::atan2f(along.x, along.y))
}
