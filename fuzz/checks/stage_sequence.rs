//! Any bytes as what a game does to a stage: commands, frames of any length, and a world that changes.

use andante_skeleton::Transform;
use andante_stage::{
    ActorId, BodyDrive, CharacterSpec, Command, GazeTarget, MovingPlatform, PropForm, PushOrder,
    Scene, Stage, ThrowOrder, Waypoint, read_scene,
};
use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform};
use glam::{Vec2, Vec3, vec2};
use std::sync::OnceLock;

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\nname = \"yard\"\noutline = [[-10, -10], [10, -10], [10, 10], [-10, 10]]\n\
    [[obstacle]]\nname = \"wall\"\nat = [3, 0, 0]\nbox = [0.4, 2, 6]\n\
    [[obstacle]]\nname = \"beam\"\nat = [-3, 1.55, 3]\nbox = [3, 0.4, 0.4]\n\
    [[moving_platform]]\nname = \"ferry\"\nat = [0, 0, -7]\nbox = [2, 0.2, 2]\nstops = [[4, 0.3, -7]]\n\
    [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\njump = true\nrun = true\n\
    [[character]]\nname = \"bob\"\nstart = { at = [-2, 2] }\nbody = \"physical_when_touched\"\n\
    [[character]]\nname = \"eve\"\nstart = { at = [0, -7] }\n";

/// A joint moves no faster than this, in m/s, nor farther at once than this on top of it, in metres.
const FASTEST: f64 = 15.0;
const JOLT: f64 = 0.03;

/// Frames of one sequence, at most, and characters on the stage.
pub const FRAMES: usize = 600;
const MOST: usize = 6;

/// What came of a sequence.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SequenceOutcome {
    pub frames: usize,
    pub seconds: f64,
    /// The largest share of what a joint may move in a frame.
    pub worst: f64,
    /// Calls that were refused.
    pub refused: usize,
}

/// Does to a stage what the bytes say.
pub fn check(bytes: &[u8]) {
    if let Err(problem) = play(bytes, FRAMES) {
        panic!("{problem}");
    }
}

/// The same, and what came of it or what was wrong.
pub fn play(bytes: &[u8], frames: usize) -> Result<SequenceOutcome, String> {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    let stage = STAGE.get_or_init(|| Stage::new(&read_scene(YARD).unwrap(), 1).unwrap());
    let mut sequence = Sequence {
        stage: stage.clone(),
        choices: Choices(bytes),
        ids: (0..3).map(ActorId::from).collect(),
        gone: Vec::new(),
        shown: Vec::new(),
        outcome: SequenceOutcome::default(),
    };
    while sequence.outcome.frames < frames && !sequence.choices.0.is_empty() {
        sequence.frame()?;
    }
    Ok(sequence.outcome)
}

/// Bytes that decide; zeros at the end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let (&first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first
    }

    fn one_of(&mut self, count: usize) -> usize {
        usize::from(self.byte()) * count / 256
    }

    fn share(&mut self) -> f32 {
        f32::from(self.byte()) / 255.0
    }

    fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.share()
    }

    fn place(&mut self) -> Vec2 {
        vec2(self.within(-11.0, 11.0), self.within(-11.0, 11.0))
    }

    fn post(&mut self) -> Waypoint {
        let heading = (self.byte() < 80).then(|| self.within(-4.0, 4.0));
        Waypoint { heading, ..Waypoint::at(self.place()) }
    }

    /// From a billionth of a second to half a second.
    fn dt(&mut self) -> f32 {
        match self.one_of(8) {
            0..=3 => 1.0 / 60.0,
            4 => self.within(0.004, 0.04),
            5 => self.within(0.0, 0.1),
            6 if self.byte() < 24 => 0.5,
            _ => 1e-9 * 5e8f32.powf(self.share()),
        }
    }

    /// No number for anything.
    fn absurd(&mut self) -> f32 {
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, f32::MAX][self.one_of(6)]
    }
}

struct Sequence<'a> {
    stage: Stage,
    choices: Choices<'a>,
    ids: Vec<ActorId>,
    gone: Vec<ActorId>,
    /// How those who were not put elsewhere were shown last.
    shown: Vec<(ActorId, Vec<Transform>)>,
    outcome: SequenceOutcome,
}

impl Sequence<'_> {
    fn frame(&mut self) -> Result<(), String> {
        while self.choices.byte() > 220 {
            self.act()?;
        }
        let dt = self.choices.dt();
        let before = self.stage.time();
        self.stage.step(dt);
        let passed = self.stage.time() - before;
        self.outcome.frames += 1;
        self.outcome.seconds += passed;
        if !(0.0..1.01).contains(&passed) {
            return Err(format!("{passed} s passed in a frame of {dt}"));
        }
        let most = FASTEST * passed + JOLT;
        for actor in self.stage.present() {
            for (joint, model) in actor.models().iter().enumerate() {
                if !(model.translation.is_finite() && model.rotation.is_finite()) {
                    return Err(format!("{}: joint {joint} is nowhere", actor.name()));
                }
                let known = self.shown.iter().find(|(id, _)| *id == actor.id());
                let Some((_, shown)) = known else { continue };
                let moved = f64::from(shown[joint].translation.distance(model.translation));
                self.outcome.worst = self.outcome.worst.max(moved / most);
                if moved > most {
                    let (name, doing) = (actor.name(), actor.doing());
                    let joint = &actor.character().skeleton.joint(joint).name;
                    let forces = self.stage.is_physical(actor.id());
                    return Err(format!(
                        "frame {}: {joint} of {name} moved {moved:.3} m in {passed:.5} s; it does \
                         `{doing}`, forces {forces}",
                        self.outcome.frames
                    ));
                }
            }
        }
        self.note();
        Ok(())
    }

    /// Remembers how everybody is shown.
    fn note(&mut self) {
        self.shown.clear();
        let present = self.stage.present();
        self.shown.extend(present.map(|actor| (actor.id(), actor.models().to_vec())));
    }

    fn who(&mut self) -> ActorId {
        let index = self.choices.one_of(self.ids.len().max(1));
        self.ids.get(index).copied().unwrap_or(0.into())
    }

    /// Whether a call was right to be refused is not known; that it was is counted.
    fn tried<T, E: std::fmt::Display>(&mut self, result: Result<T, E>) -> Option<T> {
        if let Err(error) = &result {
            assert!(!error.to_string().is_empty());
            self.outcome.refused += 1;
        }
        result.ok()
    }

    fn act(&mut self) -> Result<(), String> {
        match self.choices.one_of(12) {
            0..=3 => {
                let who = self.who();
                let command = self.command();
                let told = self.stage.command(who, command);
                self.tried(told);
            }
            4 => {
                let who = self.who();
                let speed = self.choices.within(-2.0, 9.0);
                let turn = self.choices.within(-4.0, 4.0);
                let told = self.stage.steer(who, speed, turn);
                self.tried(told);
            }
            5 | 6 => self.change_world(),
            7 => self.change_people(),
            8 => {
                let who = self.who();
                let put = if self.choices.byte() < 128 {
                    let post = self.choices.post();
                    self.stage.teleport(who, post)
                } else {
                    self.stage.reset(who)
                };
                self.tried(put);
                self.shown.retain(|(id, _)| *id != who);
            }
            9 => return self.rewind(),
            _ => return self.be_absurd(),
        }
        Ok(())
    }

    fn command(&mut self) -> Command {
        let choices = &mut self.choices;
        match choices.one_of(18) {
            0..=2 => Command::WalkTo(choices.post()),
            3 | 4 => Command::RunTo(choices.post()),
            5 => Command::Path(
                (0..2 + choices.one_of(4)).map(|_| Waypoint::at(choices.place())).collect(),
            ),
            6 => Command::Patrol((0..1 + choices.one_of(3)).map(|_| choices.post()).collect()),
            7 => {
                let distance = choices.within(0.5, 3.0);
                Command::Follow { whom: self.who(), distance }
            }
            8 => Command::Face(GazeTarget::Heading(choices.within(-7.0, 7.0))),
            9 => Command::LookAt(Some(GazeTarget::Character(self.who()))),
            10 => Command::Stop,
            11 => Command::Wait(choices.within(0.0, 3.0)),
            12 => Command::Speed((choices.byte() < 200).then(|| choices.within(0.3, 6.0))),
            13 => Command::Jump { from: choices.place(), to: choices.place() },
            14 => {
                let (impulse, direction) = (choices.within(0.0, 90.0), choices.within(-3.0, 3.0));
                Command::Push(PushOrder::new(impulse, direction))
            }
            15 => Command::Throw(ThrowOrder {
                form: PropForm::Ball { radius: 0.1 },
                mass: choices.within(0.1, 5.0),
                from: Vec3::new(choices.within(-6.0, 6.0), 1.5, choices.within(-6.0, 6.0)),
                speed: choices.within(4.0, 14.0),
            }),
            16 => Command::Fall,
            _ => Command::GetUp,
        }
    }

    fn change_world(&mut self) {
        let choices = &mut self.choices;
        let name = ["one", "two", "wall"][choices.one_of(3)];
        let at = choices.place();
        match choices.one_of(10) {
            0..=3 => {
                let shape = match choices.byte() < 128 {
                    true => ObstacleShape::Box(Vec3::new(choices.within(0.2, 3.0), 1.0, 0.5)),
                    false => {
                        ObstacleShape::Cylinder { radius: choices.within(0.1, 1.0), height: 2.0 }
                    }
                };
                let (at, heading) = (Vec3::new(at.x, 0.0, at.y), choices.within(-3.0, 3.0));
                let placed =
                    self.stage.place_obstacle(Obstacle { name: name.into(), shape, at, heading });
                self.tried(placed);
            }
            4 | 5 => {
                let removed = self.stage.remove_obstacle(name);
                self.tried(removed);
            }
            6 => {
                let high = choices.within(-0.1, 0.1);
                let corners = [[10.0, -4.0], [16.0, -4.0], [16.0, 4.0], [10.0, 4.0]];
                let outline = corners.map(Vec2::from).to_vec();
                let platform = Platform::level("annex", outline, high);
                let placed = self.stage.place_ground(GroundPatch { platform, terrain: None });
                self.tried(placed);
            }
            7 => {
                let removed = self.stage.remove_ground("annex");
                self.tried(removed);
            }
            8 => {
                let speed = choices.within(0.2, 2.0);
                let placed = self.stage.place_platform(MovingPlatform {
                    name: "ferry".into(),
                    size: Vec3::new(2.0, 0.2, 2.0),
                    stops: vec![
                        (Vec3::new(0.0, 0.0, -7.0), 0.0),
                        (Vec3::new(at.x, 0.0, -7.0), 0.0),
                    ],
                    speed,
                    acceleration: 0.5,
                    wait: 1.0,
                    round: false,
                });
                self.tried(placed);
                // Those who rode on it stand on the ground now.
                self.shown.clear();
            }
            _ => {
                let radius = 0.1 + 0.2 * f64::from(choices.share());
                let at = Vec3::new(at.x, 1.0, at.y);
                let placed = match choices.byte() < 160 {
                    true => self.stage.place_prop("ball", PropForm::Ball { radius }, 1.0, at),
                    false => self.stage.remove_prop("ball"),
                };
                self.tried(placed);
            }
        }
    }

    fn change_people(&mut self) {
        if self.choices.byte() < 128 && self.ids.len() < MOST {
            let mut part = CharacterSpec::new("guest", self.choices.post());
            if self.choices.byte() < 40 {
                part.nature = BodyDrive::WhenTouched;
            }
            let came = self.stage.spawn(&part);
            let came = self.tried(came);
            self.ids.extend(came);
        } else {
            let who = self.who();
            let left = self.stage.despawn(who);
            if self.tried(left).is_some() {
                self.ids.retain(|id| *id != who);
                self.gone.push(who);
                assert!(self.stage.actor(who).is_err());
            }
        }
    }

    /// Goes on, goes back and goes on in the same way.
    fn rewind(&mut self) -> Result<(), String> {
        let snapshot = self.stage.snapshot();
        let frames = [self.choices.dt(), self.choices.dt(), 1.0 / 60.0];
        let mut ends = [Vec::new(), Vec::new()];
        for end in &mut ends {
            self.stage.restore(&snapshot);
            frames.iter().for_each(|&dt| self.stage.step(dt));
            end.extend(self.stage.present().flat_map(|actor| actor.models().to_vec()));
        }
        self.note();
        match ends[0] == ends[1] {
            true => Ok(()),
            false => Err("it went another way after going back".into()),
        }
    }

    /// What makes no sense is refused, and whoever is gone stays gone.
    fn be_absurd(&mut self) -> Result<(), String> {
        let who = self.who();
        let odd = self.choices.absurd();
        let post = Waypoint::at(vec2(odd, 0.0));
        let command = match self.choices.one_of(9) {
            0 => Command::WalkTo(post),
            1 => Command::Path(vec![Waypoint::at(Vec2::ZERO), Waypoint::at(vec2(0.0, odd))]),
            2 => Command::Speed(Some(odd)),
            3 => Command::Wait(odd),
            4 => Command::Face(GazeTarget::Heading(odd)),
            5 => Command::Follow { whom: usize::MAX.into(), distance: 1.0 },
            6 => Command::Push(PushOrder::new(odd, 0.0)),
            7 => Command::Jump { from: Vec2::ZERO, to: vec2(odd, odd) },
            _ => Command::Patrol(vec![post]),
        };
        let words = command.to_string();
        let obstacle = Obstacle {
            name: "huge".into(),
            shape: ObstacleShape::Cylinder { radius: odd, height: 1.0 },
            at: Vec3::ZERO,
            heading: 0.0,
        };
        let accepted = self.stage.command(who, command).is_ok()
            || self.stage.steer(who, odd, 0.0).is_ok()
            || self.stage.teleport(who, post).is_ok()
            || self.stage.place_obstacle(obstacle).is_ok()
            || self.stage.spawn(&CharacterSpec::new("nobody", post)).is_ok()
            || self.gone.iter().any(|&id| self.stage.command(id, Command::Stop).is_ok());
        match accepted {
            true => Err(format!("what makes no sense was not refused: {words} with {odd}")),
            false => Ok(()),
        }
    }
}

/// A yard of several characters whom forces move.
#[allow(dead_code)]
pub fn pushed_yard(people: usize) -> Scene {
    let mut scene = read_scene(YARD).unwrap();
    (scene.moving, scene.obstacles) = (Vec::new(), Vec::new());
    let part = |number: usize| {
        let place = vec2(2.5 * (number % 4) as f32 - 4.0, 2.5 * (number / 4) as f32 - 4.0);
        let nature = BodyDrive::Physical;
        CharacterSpec { nature, ..CharacterSpec::new(format!("{number}"), Waypoint::at(place)) }
    };
    scene.characters = (0..people).map(part).collect();
    scene
}
