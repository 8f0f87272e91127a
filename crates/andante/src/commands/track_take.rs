//! A body that follows a clip as a take: recorded as it happens, and drawn from what was recorded.

use super::push::STEP;
use super::push_take::{COLUMNS, balance_vectors};
use super::simulate::placed;
use crate::args::TrackArgs;
use crate::body_recorder::{BODY, BodyRecorder, PER_FRAME, RecordedBody, Stance};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::take_output::TakeOutput;
use andante_body::{Body, Physique, TrackEnd, TrackTrial};
use andante_draw::{BodyStrip, LineChart, Sheet, View};
use andante_take::{Event, EventKind, TakeFile, TakeFileError, TakeHead, TakeSource, VectorCurve};
use glam::{DVec3, Vec3};
use std::path::Path;

/// What the marks of a filmstrip mean.
const LEGEND: &str = "black: centre of mass; orange: capture point; blue: what carries; arrows: the force of the ground and of the invisible hand";

/// A followed clip that was recorded.
pub(super) struct TrackTake {
    pub take: TakeFile,
}

impl TrackTake {
    /// Records a trial to its end, and half a second of a fall.
    pub fn record(
        output: &TakeOutput,
        (body, physique): (&Body, &Physique),
        trial: &mut TrackTrial,
        args: &TrackArgs,
        context: &CliContext,
    ) -> Result<Self, Failure> {
        let head = TakeHead {
            name: format!("{} is followed", args.input),
            about: format!("by joint torques; assistance {}", args.assist),
            seed: context.seed,
            fps: (1.0 / (STEP * PER_FRAME as f64)) as f32,
            ..TakeHead::default()
        };
        let mut recorder = BodyRecorder::new(output, body, head, true)?;
        for (name, unit) in [("error", "°"), ("assistance", "N"), ("work of muscles", "J")] {
            recorder.take.curve(BODY, name, unit);
        }
        for vector in [
            VectorCurve::point("centre of mass"),
            VectorCurve::point("capture point"),
            VectorCurve::point("pressure"),
            VectorCurve::force("ground force", 2),
            VectorCurve::point("edge of the support"),
            VectorCurve { unit: "m".into(), ..VectorCurve::force("support", 4) },
            VectorCurve::point("centre of mass of the clip"),
            VectorCurve::force("assistance", 0),
        ] {
            recorder.take.vector(BODY, vector);
        }
        let frames = trial.controller.plan().seconds() / STEP;
        let progress = context.progress(frames as u64, "following");
        let mut after = 0.5 / STEP;
        loop {
            let open = trial.step(physique) && !context.stopped();
            progress.inc(1);
            let fallen = trial.outcome().end == TrackEnd::Fell;
            after -= f64::from(u8::from(fallen));
            let goes_on = fallen && after > 0.0 && !context.stopped();
            let over = !(open || goes_on);
            if trial.simulation.steps().is_multiple_of(PER_FRAME) || over {
                record(&mut recorder, physique, trial)?;
            }
            if over {
                break;
            }
        }
        progress.finish_and_clear();
        if trial.outcome().end == TrackEnd::Fell {
            let time = recorder.take.time() - 0.5;
            let fell = Event { time: time.max(0.0), track: Some(BODY), kind: EventKind::Fell };
            recorder.take.event(fell);
        }
        Ok(Self { take: recorder.finish()? })
    }

    /// Figures through the clip, and how far it was from it.
    pub fn sheet(&self, args: &TrackArgs, body: &Body) -> Result<Sheet, Failure> {
        let fail = |error: TakeFileError| Failure::export(Path::new(&args.input), &error.into());
        let last = self.take.frames() - 1;
        let strip =
            BodyStrip { view: View::Side, columns: COLUMNS, ..BodyStrip::new(body, &self.take) };
        let count = args.figures.min(self.take.frames()).max(2);
        let frames = (0..count).map(|figure| figure * last / (count - 1));
        let mut sheet = Sheet::new(format!("{} by joint torques", args.input));
        sheet.note(LEGEND);
        sheet.add(strip.draw("from beginning to end", frames).map_err(fail)?);
        let track = self.take.track(BODY).map_err(fail)?;
        for curve in &track.curves {
            let title = format!("{}, {}", curve.name, curve.unit);
            let chart = LineChart::new(title, self.take.seconds());
            sheet.add(chart.curve(&curve.name, curve.values.clone()).draw());
        }
        Ok(sheet)
    }
}

fn record(
    recorder: &mut BodyRecorder,
    physique: &Physique,
    trial: &TrackTrial,
) -> Result<(), Failure> {
    let (now, own) = (&trial.simulation, &trial.controller);
    let point = |v: andante_dynamics::Vec3<f64>| DVec3::new(v.x, v.y, v.z).as_vec3();
    let [force, _] = own.assistance();
    let held = force.length();
    let error = trial.error_now(physique).to_degrees();
    let curves = [error as f32, held as f32, trial.outcome().energy.driven as f32];
    let [centre, capture, pressure, ground, low, across] =
        balance_vectors(physique, now, View::Side.axes()[0]);
    let help = if held > 0.0 { point(force) } else { Vec3::NAN };
    recorder.frame(&RecordedBody {
        placed: &placed(&physique.model, now.kinematics()),
        curves: &curves,
        vectors: &[centre, capture, pressure, ground, low, across, point(own.centre()), help],
        stance: Stance::Simulated(now),
    })
}
