//! The walk that a body with legs enough asks for by its build alone.

use crate::problem::gait_setup::choose_pose;
use crate::problem::problem_error::ProblemError;
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch, PulseShape, StepSketch, TouchingFeet};
use crate::{Basis, BodyState, Mirror, Modes, PinnedPoint};
use andante_body::Body;
use andante_dynamics::PhysicsSettings;

andante_skeleton::settings! {
    /// The proportions of a plain walk.
    pub struct PlainWalkOptions: Copy {
        /// A cycle takes so many times as long as falling from half the height of the root would. Usually 2 to 4.
        period: f64 = 2.8, 0.0..;
        /// Mean speed over that of waves in water as deep as it is high: its square, a Froude number, is that of a slow
        /// walk at 0.28; at 0.7 walks turn into runs.
        speed: f64 = 0.28, 0.0..;
        /// The part of the height of the root by which feet clear the ground.
        clearance: f64 = 0.015, 0.0..;
        /// The part of a step before its feet land.
        air: f64 = 0.38, 0.0..=1.0;
        /// Gravity for which it walks, m/s².
        gravity: f64 = PhysicsSettings::STANDARD_GRAVITY;
    }
}

impl GaitSketch {
    /// A walk with any mode, slow for the height of the body. Four feet land one after the other, each hind one before the fore
    /// one of its side; of six and more every second one on each side lands together with those between them on the other.
    ///
    /// Nothing has priority in it, so that a search begins with the paths of its feet ([`StridePattern`]).
    ///
    /// ```
    /// use andante_gait::{GaitSketch, PlainWalkOptions};
    /// let walk = GaitSketch::walk(&andante_body::creature("dog")?, &PlainWalkOptions::default())?;
    /// let feet: Vec<&str> = walk.steps.iter().map(|step| step.feet[0].as_str()).collect();
    /// assert_eq!(feet, ["back left foot", "front left foot"]);
    /// assert!(!walk.aerial && walk.mirrored);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`StridePattern`]: crate::StridePattern
    pub fn walk(body: &Body, options: &PlainWalkOptions) -> Result<Self, ProblemError> {
        let PlainWalkOptions { air: flight, gravity, .. } = *options;
        if body.feet().iter().filter(|foot| !foot.disregarded).count() < 4 {
            return Err(ProblemError::FewFeet(body.name().into()));
        }
        let pose = choose_pose(body, None)?;
        let mirror = Mirror::new(body).filter(|mirror| mirror.is_symmetric(&pose));
        let mirror = mirror.ok_or_else(|| ProblemError::NotSymmetric(body.name().into()))?;
        let rest = BodyState::rest(body, &pose);
        let placed = rest.place(body, &pose);
        let ahead = |foot: usize| {
            let foot = &body.feet()[foot];
            placed[foot.segment].transform_point(foot.toe)
        };
        let mut left: Vec<usize> = (0..body.feet().len())
            .filter(|&foot| !body.feet()[foot].disregarded && ahead(foot).x > 0.0)
            .filter(|&foot| mirror.partner_foot(body, foot) != foot)
            .collect();
        if left.len() < 2 {
            return Err(ProblemError::FewFeet(body.name().into()));
        }
        left.sort_by(|&a, &b| ahead(a).z.total_cmp(&ahead(b).z));
        let landings: Vec<Vec<usize>> = if left.len() == 2 {
            left.iter().map(|&foot| vec![foot]).collect()
        } else {
            let alternate = |(index, &foot): (usize, &usize)| {
                if index % 2 == 0 { foot } else { mirror.partner_foot(body, foot) }
            };
            vec![left.iter().enumerate().map(alternate).collect()]
        };
        let lands = |foot: usize| {
            let partner = mirror.partner_foot(body, foot);
            landings.iter().any(|feet| feet.contains(&foot) || feet.contains(&partner))
        };
        let idle = (0..body.feet().len()).filter(|&foot| !lands(foot));
        let disregarded = idle.map(|foot| body.feet()[foot].name.clone()).collect();
        let height = rest.position.y;
        let period = rounded(options.period * (height / gravity).sqrt());
        let speed = rounded(options.speed * (height * gravity).sqrt());
        let length = 0.5 * period / landings.len() as f64;
        let air = PhaseSketch::first(Modes::find(body, &pose, &[])?.modes.len());
        let mut steps = Vec::with_capacity(landings.len());
        for feet in &landings {
            let pins: Vec<PinnedPoint> =
                feet.iter().map(|&foot| PinnedPoint::toe(&body.feet()[foot])).collect();
            let ground = PhaseSketch::first(Modes::find(body, &pose, &pins)?.modes.len());
            steps.push(StepSketch {
                feet: feet.iter().map(|&foot| body.feet()[foot].name.clone()).collect(),
                air: air.clone(),
                ground,
                air_fraction: flight,
                air_pulse: rounded(flight * length),
                ground_pulse: rounded((1.0 - flight) * length),
                part: None,
            });
        }
        let beats = if landings.len() == 1 { "two" } else { "four" };
        Ok(Self {
            name: format!("{}-plain-walk", body.name()),
            about: format!("a walk in {beats} beats, made for the build of `{}`", body.name()),
            character: body.name().into(),
            pose: None,
            disregarded,
            mirrored: true,
            steps,
            period,
            basis: Basis::Static,
            speed,
            fastest: f64::INFINITY,
            slowest: rounded(0.2 * speed),
            turn: 0.0,
            aerial: false,
            stance: 0.0,
            touch: TouchingFeet::All,
            duty: if landings.len() == 1 { 0.5 } else { 0.58 },
            clearance: rounded(options.clearance * height),
            pulses: PulseShape::Rectangular,
            spread: 0.1,
        })
    }
}

/// To two digits.
fn rounded(value: f64) -> f64 {
    let digits = libm::pow(10f64, 1.0 - libm::log10(value.abs().max(1e-9)).floor());
    (value * digits).round() / digits
}
