//! A push as a take: recorded as it happens, and drawn from what was recorded.

use super::push::{Pushed, STEP, TriedPush};
use super::simulate::placed;
use crate::args::PushArgs;
use crate::body_recorder::{BODY, BodyRecorder, PER_FRAME, RecordedBody, Stance};
use crate::failure::Failure;
use crate::take_output::TakeOutput;
use andante_body::{Body, BodySense, Physique, Push};
use andante_draw::{BodyStrip, LineChart, Sheet, View};
use andante_dynamics::Simulation;
use andante_take::{Event, EventKind, TakeFile, TakeHead, TakeSource, VectorCurve};
use glam::{DVec3, Vec3};
use std::path::Path;

/// Figures in a row.
pub(super) const COLUMNS: usize = 6;

/// What the marks of a filmstrip mean.
const LEGEND: &str = "black: centre of mass; orange: capture point; blue: what carries; arrows: the force of the ground and the push";

/// A push that was recorded.
pub(super) struct PushTake {
    push: Push,
    pub take: TakeFile,
}

impl PushTake {
    /// Records the first of so many pushes, as a trial makes its steps.
    pub fn record<T>(
        output: &TakeOutput,
        pushed: &Pushed,
        (first, count): (&TriedPush, usize),
        trial: &mut T,
        step: impl Fn(&mut T) -> bool,
        simulation: impl Fn(&T) -> &Simulation<f64>,
    ) -> Result<Self, Failure> {
        let Pushed { body, physique, context, .. } = *pushed;
        let push = first.push;
        let Push { impulse, direction, at, .. } = push;
        let towards = direction.to_degrees();
        let head = TakeHead {
            name: format!("{} is pushed", body.name()),
            about: format!(
                "{impulse:.1} N·s towards {towards:.0}° at {at:.2} s; {count} pushes in all"
            ),
            seed: context.seed,
            fps: (1.0 / (STEP * PER_FRAME as f64)) as f32,
            ..TakeHead::default()
        };
        let mut recorder = BodyRecorder::new(output, body, head, true)?;
        recorder.take.curve(BODY, "speed", "m/s");
        recorder.take.curve(BODY, "lean of the torso", "°");
        for vector in [
            VectorCurve::point("centre of mass"),
            VectorCurve::point("capture point"),
            VectorCurve::point("pressure"),
            VectorCurve::force("ground force", 2),
            VectorCurve::point("chest"),
            VectorCurve::force("push", 4),
            VectorCurve::point("edge of the support"),
            VectorCurve { unit: "m".into(), ..VectorCurve::force("support", 6) },
        ] {
            recorder.take.vector(BODY, vector);
        }
        let mut event = Some(Event {
            time: at as f32,
            track: Some(BODY),
            kind: EventKind::Pushed(impulse as f32),
        });
        loop {
            let open = step(trial);
            let now = simulation(trial);
            if now.time() >= at
                && let Some(event) = event.take()
            {
                recorder.take.event(event);
            }
            if now.steps().is_multiple_of(PER_FRAME) || !open {
                let up = now.kinematics().rotation(physique.torso).y.y.clamp(-1.0, 1.0);
                let speed = now.momentum(0).0.length() / physique.mass;
                let curves = [speed as f32, libm::acos(up).to_degrees() as f32];
                let placed = placed(&physique.model, now.kinematics());
                recorder.frame(&RecordedBody {
                    placed: &placed,
                    curves: &curves,
                    vectors: &felt(physique, now, &push),
                    stance: Stance::Simulated(now),
                })?;
            }
            if !open {
                break;
            }
        }
        let kind = match first.recovered {
            true => EventKind::Recovered(first.steps),
            false => EventKind::Fell,
        };
        // It was seen in the last frame.
        let time = recorder.take.time() - (STEP * PER_FRAME as f64) as f32;
        recorder.take.event(Event { time, track: Some(BODY), kind });
        Ok(Self { push, take: recorder.finish()? })
    }

    /// Figures around the push, and how the body leans and moves.
    pub fn sheet(&self, args: &PushArgs, body: &Body) -> Result<Sheet, Failure> {
        let fail = |error: andante_take::TakeFileError| {
            Failure::export(Path::new(body.name()), &error.into())
        };
        let Push { impulse, direction, at, .. } = self.push;
        let fps = f64::from(self.take.head().fps);
        // Most happens in the two seconds after the push.
        let end = self.take.frames() - 1;
        let first = (((at - 0.1) * fps).max(0.0) as usize).min(end);
        let last = end.min(first + (2.2 * fps) as usize);
        let strip = BodyStrip {
            view: view(&self.push),
            columns: COLUMNS,
            since: at as f32,
            ..BodyStrip::new(body, &self.take)
        };
        let frames =
            (0..args.figures).map(|figure| first + figure * (last - first) / (args.figures - 1));
        let mut sheet = Sheet::new(format!(
            "{} pushed with {impulse:.0} N·s towards {:.0}°",
            body.name(),
            direction.to_degrees()
        ));
        sheet.note(LEGEND);
        let title = "from a tenth of a second before the push";
        sheet.add(strip.draw(title, frames).map_err(fail)?);
        let track = self.take.track(BODY).map_err(fail)?;
        for curve in track.curves.iter().rev() {
            let title = format!("{}, {}", curve.name, curve.unit);
            let chart = LineChart::new(title, self.take.seconds());
            sheet.add(chart.curve(&curve.name, curve.values.clone()).draw());
        }
        Ok(sheet)
    }
}

/// From where a push is seen best.
fn view(push: &Push) -> View {
    let sideways = libm::sin(push.direction).abs() > libm::cos(push.direction).abs();
    if sideways { View::Front } else { View::Side }
}

/// What a body feels, in the world: the vectors of its track.
fn felt(physique: &Physique, simulation: &Simulation<f64>, push: &Push) -> [Vec3; 8] {
    let (sin, cos) = libm::sincos(push.direction);
    let along = Vec3::new(sin as f32, 0.0, cos as f32);
    let is_pushed = (push.at..=push.at + push.duration).contains(&simulation.time());
    let strength = if is_pushed { push.impulse / push.duration } else { f64::NAN };
    let chest = simulation.kinematics().point(&physique.model, physique.torso, physique.chest);
    let right = view(push).axes()[0];
    let [centre, capture, pressure, force, low, across] =
        balance_vectors(physique, simulation, right);
    let chest = DVec3::new(chest.x, chest.y, chest.z).as_vec3();
    [centre, capture, pressure, force, chest, strength as f32 * along, low, across]
}

/// Centre of mass, capture point, pressure, force of the ground, and the support as it is seen from where `right` is to
/// the right: its edge and from there to the other one.
pub(super) fn balance_vectors(
    physique: &Physique,
    simulation: &Simulation<f64>,
    right: Vec3,
) -> [Vec3; 6] {
    let mut senses = BodySense::default();
    senses.feel(physique, simulation);
    let point = |v: andante_dynamics::Vec3<f64>| DVec3::new(v.x, v.y, v.z).as_vec3();
    let floor = senses.centre.y - senses.height;
    let on_floor = |[x, z]: [f64; 2]| DVec3::new(x, floor, z).as_vec3();
    let force = simulation.contacts(0).map(|contact| point(contact.force)).sum();
    let (pressure, force) =
        senses.pressure.map_or((Vec3::NAN, Vec3::NAN), |pressure| (on_floor(pressure), force));
    let corners = || senses.support.corners().iter().map(|&corner| on_floor(corner));
    let along_view = |a: &Vec3, b: &Vec3| a.dot(right).total_cmp(&b.dot(right));
    let low = corners().min_by(along_view).unwrap_or(Vec3::NAN);
    let high = corners().max_by(along_view).unwrap_or(Vec3::NAN);
    let capture = on_floor(senses.capture_point());
    [point(senses.centre), capture, pressure, force, low, high - low]
}
