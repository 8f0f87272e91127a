//! A foot in the air, from the print it leaves to the one it will have.

use crate::feet::foothold::Sensor;
use crate::feet::shaped::Shaped;
use crate::feet::swing_curve::SwingCurve;
use crate::feet::swing_plan::{SwingBrief, SwingMoment, SwingPath, SwingPlan};
use crate::ground::body::BodyCarrier;
use crate::ground::ends::SwingEnds;
use crate::ground::plan::{FootPlan, PlacedPrint};
use crate::ground::turns::{Turning, landing, leaving};
use crate::{Footprint, SwingSettings};
use andante_skeleton::{Transform, rotation};
use glam::{Vec2, Vec3};

/// What is done to the swing of the clip besides fitting its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SwingShape {
    /// How the turn from print to print is spread over it.
    pub turning: Turning,
    /// How much flatter than in the clip the foot lands and leaves.
    pub flatter: [f32; 2],
    /// What leads it over the ground.
    pub path: SwingPath,
}

impl SwingShape {
    /// A swing that nothing is in the way of. How flat the foot leaves may be settled already.
    pub fn free(ends: &SwingEnds, leaves: Option<f32>, settings: &SwingSettings) -> Self {
        let spins = &ends.clip.feet[ends.foot].spins;
        let seconds = ends.to.landing - ends.from.end;
        let [from, to] = ends.turns();
        let (turning, mut flatter) = spins
            .get(ends.number.rem_euclid(spins.len().max(1) as i32) as usize)
            .map(|spin| Turning::new(spin, from, to, seconds, leaves, settings))
            .unwrap_or_default();
        let (way, up) = (ends.at.position - ends.from.at.position, ends.at.tilt * Vec3::Y);
        flatter[0] = flatter[0].max(settings.lands_flat(way, up, ends.clip.unit));
        Self { turning, flatter, ..Self::default() }
    }

    /// The placement of the foot at a part of the swing.
    pub fn place(&self, ends: &SwingEnds, u: f32, ankle: &Transform) -> PlacedPrint {
        let mut placed = ends.fitted(u, self.turning.at(u), ankle);
        let (by, turn) = self.path.at(u);
        placed.ankle.translation += by;
        if turn != glam::Quat::IDENTITY {
            placed.ankle.rotation = (turn * placed.ankle.rotation).normalize();
            placed.turn = turn * placed.turn;
        }
        placed
    }
}

/// A swing in the making.
#[derive(Clone, Debug)]
pub(crate) struct Shaping {
    shape: SwingShape,
    shaped: Shaped,
    plan: SwingPlan,
}

impl Shaping {
    /// Looks at what is in the way between two prints, for a clip that plays at a rate.
    pub fn new(
        prints: [Footprint; 2],
        ends: &SwingEnds,
        plans: &[FootPlan],
        rate: f32,
        sensor: &mut Sensor,
    ) -> Self {
        let feet = sensor.feet;
        let shape = SwingShape::free(ends, Some(ends.from.flatter[1]), &feet.swing);
        let shaped = Shaped::for_ground(prints, sensor);
        let SwingEnds { clip, foot, .. } = *ends;
        let leg = &clip.legs[foot];
        let has_foot = leg.ends_at_ankle() && clip.feet[foot].toes.is_some();
        let brief = SwingBrief {
            way: ends.at.position - ends.from.at.position,
            heading: ends.at.heading,
            seconds: (ends.to.landing - ends.from.end) / rate.max(0.1),
            unit: clip.unit,
            bones: has_foot.then_some(leg.bones),
            least: 0.0,
            toes_give: 0.0,
        };
        let moment = |index: usize| {
            let u = index as f32 / SwingCurve::PARTS as f32;
            shape.moment(ends, u, &brief, plans, feet.long_body)
        };
        let mut ground = heights(ends, sensor);
        let plan = SwingPlan::new(brief, moment, &feet.swing, &mut ground);
        Self { shape, shaped, plan }
    }

    /// True if it is for these prints.
    pub fn is_for(&self, prints: [Footprint; 2]) -> bool {
        self.shaped.is_for(prints)
    }

    /// True if it is for these prints, over the ground as it is now.
    pub fn holds(&self, prints: [Footprint; 2], unit: f32, sensor: &mut Sensor) -> bool {
        self.shaped.holds(prints, unit, sensor)
    }

    /// The swing, and what it was shaped for, once there is nothing left to do.
    pub fn done(&self) -> Option<(SwingShape, Shaped)> {
        self.plan.done().map(|path| (SwingShape { path, ..self.shape }, self.shaped))
    }

    /// Does a bit of the work.
    pub fn go_on(&mut self, ends: &SwingEnds, sensor: &mut Sensor) {
        let set = &sensor.feet.swing;
        self.plan.go_on(set, &mut heights(ends, sensor));
    }
}

/// Heights of the ground around a swing; infinitely low where there is none.
fn heights<'a>(ends: &SwingEnds, sensor: &'a mut Sensor) -> impl FnMut(Vec2) -> f32 + 'a {
    let expected = 0.5 * (ends.from.at.position.y + ends.at.position.y);
    move |place| sensor.height(place, expected).unwrap_or(f32::NEG_INFINITY)
}

impl SwingShape {
    /// The foot at a part of the swing, if nothing leads it.
    fn moment(
        &self,
        ends: &SwingEnds,
        u: f32,
        brief: &SwingBrief,
        plans: &[FootPlan],
        long: f32,
    ) -> SwingMoment {
        let SwingEnds { clip, foot, .. } = *ends;
        let (start, end) = (ends.from.end, ends.to.landing);
        let time = start + u * (end - start);
        let sample = clip.sample(foot, time);
        let placed = ends.fitted(u, self.turning.at(u), &sample.ankle);
        let flatter = [self.flatter[0] * landing(u), self.flatter[1] * leaving(u)];
        let placed = placed.rolling(clip, foot, &sample).flattened(flatter, &sample);
        let place = |point: Vec3| {
            placed.ankle.translation + placed.turn * (point - sample.ankle.translation)
        };
        let [heel, mut ball, mut tip] = sample.sole().map(place);
        let toe = place(sample.toe);
        if placed.toes != Vec3::ZERO {
            let bend = rotation::exp(placed.toes);
            (ball, tip) = (toe + bend * (ball - toe), toe + bend * (tip - toe));
        }
        let map = BodyCarrier::new(clip, plans, time, long).map(clip, 0.0);
        SwingMoment {
            hip: map.transform_point(sample.hip),
            ankle: placed.ankle.translation,
            toe,
            sole: [heel, ball, tip],
            heights: sample.sole().map(|point| point.y - clip.height),
            own_height: sample.ankle.translation.y,
            own_angle: {
                let ankle = sample.ankle.translation;
                let turn = placed.turn;
                brief.ankle_angle(
                    turn * (sample.hip - ankle),
                    Vec3::ZERO,
                    turn * (sample.toe - ankle),
                )
            },
            beside: None,
        }
    }
}
