//! Lets humans live for hours of simulated time on all sorts of ground: they are pushed harder than they can bear, balls and
//! cubes are thrown at them, they reach for things, fall, lie, get up and begin anew; others walk. Looks for anything that is
//! not finite, has to be stopped, or panics.
//!
//! `cargo run --release -p andante-body --example soak -- 24` simulates a day; a second number is the first seed.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::f64::consts::TAU;
use std::panic::catch_unwind;
use std::sync::Arc;

use andante_body::{
    BodyCondition, Physique, Prop, PropForm, Push, RecoveryController, RecoveryOptions, Stroll,
    WalkCycle, WalkOptions, aim, state_with_props, with_props,
};
use andante_dynamics::{
    ContactTerrain, HeightSurface, JointState, PhysicsSettings, Simulation, Vec3, vec3,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const STEP: f64 = 1.0 / 240.0;
/// Seconds of one life.
const LIFE: f64 = 300.0;
/// Seconds between two disturbances.
const BETWEEN: f64 = 12.0;
/// Farther away than this, what was thrown is forgotten, m.
const AWAY: f64 = 20.0;
/// Walks per life.
const WALKS: usize = 12;
/// Grounds that lives are lived on, one after another.
const GROUNDS: u64 = 6;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    seconds: f64,
    pushes: usize,
    throws: usize,
    reaches: usize,
    falls: usize,
    rises: usize,
    stopped: usize,
    infinite: usize,
    panics: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.seconds += other.seconds;
        self.pushes += other.pushes;
        self.throws += other.throws;
        self.reaches += other.reaches;
        self.falls += other.falls;
        self.rises += other.rises;
        self.stopped += other.stopped;
        self.infinite += other.infinite;
        self.panics += other.panics;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let hours: f64 = arguments.next().map_or(Ok(0.1), |text| text.parse())?;
    let mut seed: u64 = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let cycle = WalkCycle::built_in(&physique, 1.3)?;
    let mut all = Tally::default();
    while all.seconds < 3600.0 * hours {
        // Every fourth life is beyond what any body survives.
        let strongest = if seed % 4 == 3 { 1000.0 } else { 120.0 };
        let one = catch_unwind(|| -> Result<Tally, String> {
            let mut one = live(&physique, strongest, seed).map_err(|error| error.to_string())?;
            let walked = walk(&physique, &cycle, 0.5 * strongest, seed);
            one.add(&walked.map_err(|error| error.to_string())?);
            Ok(one)
        });
        match one {
            Ok(one) => all.add(&one?),
            Err(_) => {
                println!("panic in the life of seed {seed}");
                all.panics += 1;
            }
        }
        seed += 1;
        println!(
            "{:.2} h, {} pushes, {} throws, {} reaches, {} falls, {} times up again, {} stopped by the guard, {} not finite, {} panics",
            all.seconds / 3600.0,
            all.pushes,
            all.throws,
            all.reaches,
            all.falls,
            all.rises,
            all.stopped,
            all.infinite,
            all.panics,
        );
    }
    Ok(())
}

/// Level, three slopes, waves and stones.
fn ground(seed: u64) -> Result<ContactTerrain, Box<dyn Error>> {
    let turn = 0.7 * seed as f64;
    let slope = |degrees: f64| {
        let tilt = degrees.to_radians();
        ContactTerrain::plane(
            vec3(tilt.sin() * turn.sin(), tilt.cos(), tilt.sin() * turn.cos()),
            0.0,
        )
    };
    let waves = |high: f64, fine: f64| {
        ContactTerrain::surface(HeightSurface(move |x: f64, z: f64| {
            let mut all = (0.0, 0.0, 0.0);
            for (a, b, phase) in [(13.0, 7.0, 0.3), (-6.0, 17.0, 1.1), (21.0, -11.0, 2.3)] {
                let (a, b) = (a * fine, b * fine);
                let (sin, cos) = (a * x + b * z + phase * (turn + 1.0)).sin_cos();
                all = (all.0 + high * sin, all.1 + high * a * cos, all.2 + high * b * cos);
            }
            all
        }))
    };
    Ok(match seed % GROUNDS {
        0 => ContactTerrain::level(),
        1 => slope(5.0)?,
        2 => slope(10.0)?,
        3 => slope(15.0)?,
        4 => waves(0.02, 0.15),
        _ => waves(0.02 / 3.0, 1.0),
    })
}

/// What happens to somebody next.
enum Event {
    Push(Push),
    Throw(Prop),
    Reach(usize, Vec3<f64>),
}

fn event(
    physique: &Physique,
    simulation: &Simulation<f64>,
    strongest: f64,
    random: &mut Pcg64Mcg,
) -> Event {
    let kin = simulation.kinematics();
    let direction = TAU * random.random::<f64>();
    let (sin, cos) = direction.sin_cos();
    let chest = kin.point(&physique.model, physique.torso, physique.chest);
    match random.random_range(0..5) {
        0 | 1 => {
            let impulse = strongest * random.random::<f64>();
            let at = simulation.time() + 0.5;
            Event::Push(Push { at, ..Push::new(impulse, direction) })
        }
        2 | 3 => {
            let size = 0.08 + 0.12 * random.random::<f64>();
            let ball = random.random::<bool>();
            let form = if ball {
                PropForm::Ball { radius: size }
            } else {
                PropForm::Cube { side: 1.5 * size }
            };
            let speed = 3.0 + 9.0 * random.random::<f64>();
            let mass = 0.3 + strongest * random.random::<f64>() / speed;
            let from = chest + vec3(sin, 0.2, cos) * 1.5;
            let straight = (chest - from) * (speed / 1.5);
            let velocity = aim(from, chest, speed, 9.80665).unwrap_or(straight);
            Event::Throw(Prop::new("prop", form, mass, from).thrown(velocity))
        }
        _ => {
            let out = 0.2 + 0.8 * random.random::<f64>();
            let up = -1.2 + 1.8 * random.random::<f64>();
            Event::Reach(random.random_range(0..2), chest + vec3(out * sin, up, out * cos))
        }
    }
}

fn live(physique: &Physique, strongest: f64, seed: u64) -> Result<Tally, Box<dyn Error>> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let terrain = ground(seed)?;
    let start = physique.stand_on(&terrain, [0.0; 2], 0.0);
    let mut simulation = Simulation::<f64>::new(physique.model.clone(), terrain, settings)?;
    simulation.set_state(&start)?;
    let mut options = RecoveryOptions::default();
    // Some are helped.
    options.balance.assist = if seed % 5 == 4 { 0.5 } else { 0.0 };
    let mut survivor = RecoveryController::new(physique, options)?;
    let (mut tally, mut down, mut push, mut next) = (Tally::default(), false, None, 1.0);
    while simulation.time() < LIFE {
        if simulation.time() >= next {
            next += BETWEEN;
            (0..2).for_each(|hand| survivor.balancer_mut().release(hand));
            match event(physique, &simulation, strongest, &mut random) {
                Event::Push(shove) => {
                    tally.pushes += 1;
                    push = Some(shove);
                }
                Event::Throw(prop) => {
                    tally.throws += usize::from(throw(physique, &mut simulation, prop)?);
                }
                Event::Reach(hand, target) => {
                    tally.reaches += 1;
                    survivor.balancer_mut().reach(physique, hand, target);
                }
            }
        }
        if let Some(push) = &push {
            push.apply(physique, &mut simulation);
        }
        if gone(physique, &simulation) {
            put(physique, &mut simulation, &[])?;
        }
        survivor.drive(physique, &mut simulation);
        let report = simulation.step();
        let state = simulation.state();
        tally.infinite += usize::from(!state.q.iter().chain(&state.v).all(|x| x.is_finite()));
        if report.quarantined != 0 {
            println!(
                "stopped at {:.2} s in {:?} of seed {seed}: {:?}",
                simulation.time(),
                survivor.condition(),
                simulation.quarantine(0)
            );
            tally.stopped += 1;
            break;
        }
        let stands = survivor.condition() == BodyCondition::Balance;
        tally.rises += usize::from(down && stands);
        down = !stands && (down || survivor.condition() == BodyCondition::Fall);
    }
    (tally.seconds, tally.falls) = (simulation.time(), survivor.falls());
    Ok(tally)
}

/// Whether something thrown rolls away for good, faster and faster down a slope.
fn gone(physique: &Physique, simulation: &Simulation<f64>) -> bool {
    let (model, link) = (simulation.model(), physique.model.links().len());
    let from = simulation.centre_of_mass(0);
    model.links().len() > link
        && (simulation.kinematics().position(model, link) - from).length() > AWAY
}

/// Takes what was thrown before away and throws something else, unless it would begin inside the ground.
fn throw(
    physique: &Physique,
    simulation: &mut Simulation<f64>,
    prop: Prop,
) -> Result<bool, Box<dyn Error>> {
    if prop.check(simulation.terrain()).is_err() {
        return Ok(false);
    }
    put(physique, simulation, &[prop])?;
    Ok(true)
}

/// Puts props beside the body, in the place of those there are.
fn put(
    physique: &Physique,
    simulation: &mut Simulation<f64>,
    props: &[Prop],
) -> Result<(), Box<dyn Error>> {
    let (model, state) = (&*physique.model, simulation.state());
    let alone = JointState {
        q: state.q[..model.coordinates()].to_vec(),
        v: state.v[..model.freedoms()].to_vec(),
    };
    let all = with_props(Some(model), props)?;
    *simulation = simulation.with_model(Arc::new(all), &state_with_props(&alone, props))?;
    Ok(())
}

fn walk(
    physique: &Physique,
    cycle: &WalkCycle,
    strongest: f64,
    seed: u64,
) -> Result<Tally, Box<dyn Error>> {
    let mut tally = Tally::default();
    for push in Stroll::random_pushes(cycle, WALKS, strongest, seed) {
        let options = WalkOptions::default();
        let mut stroll = Stroll::new(physique, cycle, options, push, 10.0, STEP)?;
        while stroll.step(physique) {
            let state = stroll.simulation.state();
            tally.infinite += usize::from(!state.q.iter().chain(&state.v).all(|x| x.is_finite()));
        }
        let outcome = stroll.outcome();
        if outcome.exploded {
            println!("walk stopped after {push:?}: {:?}", stroll.simulation.quarantine(0));
        }
        tally.seconds += outcome.seconds;
        tally.stopped += usize::from(outcome.exploded);
        tally.pushes += 1;
    }
    Ok(tally)
}
