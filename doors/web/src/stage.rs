//! Stages.

use crate::character::Character;
use crate::convert::{object, thrown, view};
use crate::ground::{PageGround, thrown as thrown_by_ground};
use crate::player::contact;
use crate::walker::terrain;
use andante_door::{DoorError, DoorStage, within};
use andante_stage::{
    BodyDrive, CharacterSpec, Command, GazeTarget, GroundPatch, PushOrder, Waypoint,
};
use andante_world::{Obstacle, ObstacleShape, Platform, Terrain};
use glam::{Vec2, Vec3};
use js_sys::{Array, Float32Array, Function};
use wasm_bindgen::prelude::*;

/// A scene that is being played: a world, and characters in it that do what they are told. Everybody on it has a number that is
/// never another's: those of the scene 0, 1, 2... in its order, and whoever comes later the next one.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stage(DoorStage);

/// Corners as `(x, z)`, two numbers each.
fn corners(numbers: &[f32]) -> Result<Vec<Vec2>, DoorError> {
    if !numbers.len().is_multiple_of(2) {
        let message = format!("{} numbers; places are x, z, x, z...", numbers.len());
        return Err(DoorError::argument(message));
    }
    Ok(numbers.chunks_exact(2).map(|at| Vec2::new(at[0], at[1])).collect())
}

fn waypoint(x: f32, z: f32, height: Option<f32>, heading: Option<f32>) -> Waypoint {
    Waypoint { place: Vec2::new(x, z), height, heading }
}

/// The part of somebody who comes on.
fn part(name: &str, start: Waypoint, nature: Option<String>) -> Result<CharacterSpec, DoorError> {
    let nature = match nature {
        None => BodyDrive::default(),
        Some(word) => {
            let found = BodyDrive::NAMES.iter().find(|(known, _)| *known == word);
            let names = BodyDrive::NAMES.map(|(known, _)| known).join(", ");
            let none = || DoorError::argument(format!("nature is `{word}`; it is {names}"));
            found.ok_or_else(none)?.1
        }
    };
    Ok(CharacterSpec { run: true, jump: true, nature, ..CharacterSpec::new(name, start) })
}

impl Stage {
    fn tell(&mut self, actor: u32, command: Command) -> Result<(), JsValue> {
        self.0.command(actor, command).map_err(thrown)
    }

    fn put(
        &mut self,
        name: &str,
        at: [f32; 3],
        heading: f32,
        shape: ObstacleShape,
    ) -> Result<(), JsValue> {
        let obstacle = Obstacle { name: name.into(), shape, at: Vec3::from(at), heading };
        self.0.stage_mut().place_obstacle(obstacle).map_err(thrown)
    }

    fn lay(
        &mut self,
        name: &str,
        outline: &[f32],
        height: f32,
        terrain: Option<Terrain>,
    ) -> Result<(), JsValue> {
        let platform = Platform::level(name, corners(outline).map_err(thrown)?, height);
        let placed = self.0.stage_mut().place_ground(GroundPatch { platform, terrain });
        thrown_by_ground()?;
        placed.map_err(thrown)
    }
}

#[wasm_bindgen]
impl Stage {
    /// A stage from the text of a scene file. The same scene and seed give the same motion, bit by bit, everywhere.
    #[wasm_bindgen(constructor)]
    pub fn new(scene: &str, seed: Option<u32>) -> Result<Stage, JsValue> {
        DoorStage::read(scene, u64::from(seed.unwrap_or(1))).map(Self).map_err(thrown)
    }

    /// A stage of a scene that comes with the library, such as "stairs".
    #[wasm_bindgen(js_name = builtIn)]
    pub fn built_in(name: &str, seed: Option<u32>) -> Result<Stage, JsValue> {
        DoorStage::built_in(name, u64::from(seed.unwrap_or(1))).map(Self).map_err(thrown)
    }

    /// Lets `dt` seconds pass: whatever a frame lasts, each as long as it likes, at most a second at once.
    pub fn step(&mut self, dt: f32) -> Result<(), JsValue> {
        within("dt", dt, 0.0..=1e3, " s").map_err(thrown)?;
        self.0.stage_mut().step(dt);
        thrown_by_ground()
    }

    /// Seconds since the beginning.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.0.stage().time()
    }

    /// Lets the built-in human come on, who has nothing to do yet, and tells its number.
    pub fn spawn(
        &mut self,
        name: &str,
        x: f32,
        z: f32,
        heading: Option<f32>,
        #[wasm_bindgen(unchecked_param_type = "Nature | undefined | null")] nature: Option<String>,
    ) -> Result<u32, JsValue> {
        let part = part(name, waypoint(x, z, None, heading), nature).map_err(thrown)?;
        self.0.spawn(&part, None).map_err(thrown)
    }

    /// The same with somebody else, who is shared.
    #[wasm_bindgen(js_name = spawnAs)]
    pub fn spawn_as(
        &mut self,
        character: &Character,
        name: &str,
        x: f32,
        z: f32,
        heading: Option<f32>,
        #[wasm_bindgen(unchecked_param_type = "Nature | undefined | null")] nature: Option<String>,
    ) -> Result<u32, JsValue> {
        let part = part(name, waypoint(x, z, None, heading), nature).map_err(thrown)?;
        self.0.spawn(&part, Some(&character.0)).map_err(thrown)
    }

    /// Takes somebody away. Its number means nobody from now on.
    pub fn despawn(&mut self, actor: u32) -> Result<(), JsValue> {
        self.0.despawn(actor).map_err(thrown)
    }

    /// Sends somebody to a place, at a walk or at a run. It arrives exactly there; whether there is a way shows later, as an event.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(
        &mut self,
        actor: u32,
        x: f32,
        z: f32,
        run: Option<bool>,
        height: Option<f32>,
        heading: Option<f32>,
    ) -> Result<(), JsValue> {
        let to = waypoint(x, z, height, heading);
        let run = run.unwrap_or(false);
        self.tell(actor, if run { Command::RunTo(to) } else { Command::WalkTo(to) })
    }

    /// Sends somebody from place to place (x, z, x, z...), round and round, or once along the line they make.
    #[wasm_bindgen(js_name = followLine)]
    pub fn follow_line(&mut self, actor: u32, places: &[f32], rounds: bool) -> Result<(), JsValue> {
        let places: Vec<Waypoint> =
            corners(places).map_err(thrown)?.into_iter().map(Waypoint::at).collect();
        self.tell(actor, if rounds { Command::Patrol(places) } else { Command::Path(places) })
    }

    /// Lets somebody follow another, so many metres behind, from middle to middle.
    pub fn follow(&mut self, actor: u32, whom: u32, distance: f32) -> Result<(), JsValue> {
        let whom = self.0.id(whom);
        self.tell(actor, Command::Follow { whom, distance })
    }

    /// Lets somebody come to a stop.
    pub fn stop(&mut self, actor: u32) -> Result<(), JsValue> {
        self.tell(actor, Command::Stop)
    }

    /// Lets somebody turn on the spot towards a heading, in radians.
    pub fn face(&mut self, actor: u32, heading: f32) -> Result<(), JsValue> {
        self.tell(actor, Command::Face(GazeTarget::Heading(heading)))
    }

    /// Lets somebody look at somebody else while it does what it does, or at nobody.
    #[wasm_bindgen(js_name = lookAt)]
    pub fn look_at(&mut self, actor: u32, whom: Option<u32>) -> Result<(), JsValue> {
        let whom = whom.map(|whom| GazeTarget::Character(self.0.id(whom)));
        self.tell(actor, Command::LookAt(whom))
    }

    /// Lets somebody go at a speed from now on, in m/s, or at the usual one.
    #[wasm_bindgen(js_name = setSpeed)]
    pub fn set_speed(&mut self, actor: u32, speed: Option<f32>) -> Result<(), JsValue> {
        self.tell(actor, Command::Speed(speed))
    }

    /// Leads somebody by hand, as from a gamepad, until it is told otherwise: m/s ahead, rad/s to the left.
    pub fn steer(&mut self, actor: u32, speed: f32, turn_rate: f32) -> Result<(), JsValue> {
        let who = self.0.id(actor);
        self.0.stage_mut().steer(who, speed, turn_rate).map_err(thrown)
    }

    /// Shoves somebody who is not moved by motion alone, at the chest, for a tenth of a second: N s towards a heading in radians.
    pub fn push(&mut self, actor: u32, impulse: f32, direction: f32) -> Result<(), JsValue> {
        self.tell(actor, Command::Push(PushOrder::new(impulse, direction)))
    }

    /// Lets somebody who is not moved by motion alone fall and lie.
    pub fn fall(&mut self, actor: u32) -> Result<(), JsValue> {
        self.tell(actor, Command::Fall)
    }

    /// Lets somebody get up who lies.
    #[wasm_bindgen(js_name = getUp)]
    pub fn get_up(&mut self, actor: u32) -> Result<(), JsValue> {
        self.tell(actor, Command::GetUp)
    }

    /// Puts somebody elsewhere, whatever it does and however it is: it stands there at once.
    pub fn teleport(
        &mut self,
        actor: u32,
        x: f32,
        z: f32,
        height: Option<f32>,
        heading: Option<f32>,
    ) -> Result<(), JsValue> {
        let who = self.0.id(actor);
        let to = waypoint(x, z, height, heading);
        self.0.stage_mut().teleport(who, to).map_err(thrown)
    }

    /// Puts somebody on its feet where it is, whatever it does and however it is.
    pub fn reset(&mut self, actor: u32) -> Result<(), JsValue> {
        let who = self.0.id(actor);
        self.0.stage_mut().reset(who).map_err(thrown)
    }

    /// Puts a box into the world, or in the place of the obstacle of the same name, which is how it is moved. (x, y, z) is the
    /// middle of its underside. Ways that it blocks are planned again.
    #[wasm_bindgen(js_name = placeBox)]
    #[allow(clippy::too_many_arguments)]
    pub fn place_box(
        &mut self,
        name: &str,
        x: f32,
        y: f32,
        z: f32,
        width: f32,
        height: f32,
        depth: f32,
        heading: Option<f32>,
    ) -> Result<(), JsValue> {
        let size = Vec3::new(width, height, depth);
        self.put(name, [x, y, z], heading.unwrap_or(0.0), ObstacleShape::Box(size))
    }

    /// The same with an upright cylinder.
    #[wasm_bindgen(js_name = placeCylinder)]
    pub fn place_cylinder(
        &mut self,
        name: &str,
        x: f32,
        y: f32,
        z: f32,
        radius: f32,
        height: f32,
    ) -> Result<(), JsValue> {
        self.put(name, [x, y, z], 0.0, ObstacleShape::Cylinder { radius, height })
    }

    /// Takes the obstacle of a name away.
    #[wasm_bindgen(js_name = removeObstacle)]
    pub fn remove_obstacle(&mut self, name: &str) -> Result<(), JsValue> {
        self.0.stage_mut().remove_obstacle(name).map_err(thrown)
    }

    /// Puts a patch of ground into the world, or in the place of the one of the same name: an outline of corners (x, z, x, z...) at
    /// a height, with a terrain on it such as "hills:0.25:4".
    #[wasm_bindgen(js_name = placeGround)]
    pub fn place_ground(
        &mut self,
        name: &str,
        outline: &[f32],
        height: f32,
        words: Option<String>,
    ) -> Result<(), JsValue> {
        let terrain = terrain(words).map_err(thrown)?;
        self.lay(name, outline, height, terrain)
    }

    /// The same with ground of one's own: a function that tells its heights.
    #[wasm_bindgen(js_name = placeOwnGround)]
    pub fn place_own_ground(
        &mut self,
        name: &str,
        outline: &[f32],
        #[wasm_bindgen(unchecked_param_type = "GroundFunction")] ground: Function,
    ) -> Result<(), JsValue> {
        self.lay(name, outline, 0.0, Some(Terrain::own(PageGround::new(ground))))
    }

    /// Takes the patch of ground of a name away.
    #[wasm_bindgen(js_name = removeGround)]
    pub fn remove_ground(&mut self, name: &str) -> Result<(), JsValue> {
        self.0.stage_mut().remove_ground(name).map_err(thrown)
    }

    /// The numbers of those who are on the stage.
    #[wasm_bindgen(getter)]
    pub fn actors(&self) -> Vec<u32> {
        self.0.numbers().filter(|who| self.0.actor(*who).is_ok()).collect()
    }

    /// How somebody is.
    #[wasm_bindgen(unchecked_return_type = "ActorState")]
    pub fn actor(&self, actor: u32) -> Result<JsValue, JsValue> {
        let who = self.0.actor(actor).map_err(thrown)?;
        let disc = who.disc();
        Ok(object([
            ("number", actor.into()),
            ("name", who.name().into()),
            ("x", disc.place.position.x.into()),
            ("z", disc.place.position.y.into()),
            ("heading", disc.place.heading.into()),
            ("speed", disc.speed.into()),
            ("turnRate", disc.turn_rate.into()),
            ("radius", who.radius().into()),
            ("joints", (who.character().skeleton.len() as u32).into()),
            ("doing", who.doing().into()),
            ("idle", who.is_idle().into()),
        ]))
    }

    /// Somebody's pose, seven numbers for each joint: quaternion x, y, z, w, then x, y, z; joint 0 in the world, the others relative
    /// to their parents. A view of the library's memory: read it before the next call of anything.
    pub fn pose(&self, actor: u32) -> Result<Float32Array, JsValue> {
        Ok(view(self.0.actor(actor).map_err(thrown)?.pose()))
    }

    /// Every joint of somebody in the world, in the same way.
    pub fn models(&self, actor: u32) -> Result<Float32Array, JsValue> {
        Ok(view(self.0.actor(actor).map_err(thrown)?.models()))
    }

    /// Whether heel and ball of somebody's foot are down; 0 is left, 1 right.
    #[wasm_bindgen(unchecked_return_type = "FootContact")]
    pub fn contact(&self, actor: u32, foot: usize) -> Result<JsValue, JsValue> {
        let who = self.0.actor(actor).map_err(thrown)?;
        let feet = who.character().rig.feet.len();
        contact((foot < feet).then(|| who.contact(foot)), foot, feet)
    }

    /// What happened in the last step.
    #[wasm_bindgen(unchecked_return_type = "StageEvent[]")]
    pub fn events(&self) -> Array {
        let number = |who: Option<u32>| who.map_or(JsValue::NULL, JsValue::from);
        let events = self.0.events().map(|event| {
            object([
                ("time", event.time.into()),
                ("actor", number(event.actor)),
                ("other", number(event.other)),
                ("word", event.word.into()),
                ("text", event.text.into()),
            ])
        });
        events.collect()
    }

    /// Feet that came down in the last step.
    #[wasm_bindgen(unchecked_return_type = "Footfall[]")]
    pub fn footfalls(&self) -> Array {
        let falls = self.0.footfalls().map(|(actor, fall)| {
            object([
                ("actor", actor.into()),
                ("foot", (fall.foot as u32).into()),
                ("x", fall.place.x.into()),
                ("y", fall.place.y.into()),
                ("z", fall.place.z.into()),
                ("speed", fall.speed.into()),
            ])
        });
        falls.collect()
    }

    /// Plans a way from where somebody is to a place, as if nobody else were there; nobody goes anywhere. Why there is no way is the
    /// error.
    #[wasm_bindgen(unchecked_return_type = "Plan")]
    pub fn plan(
        &mut self,
        actor: u32,
        x: f32,
        z: f32,
        run: Option<bool>,
        height: Option<f32>,
        heading: Option<f32>,
    ) -> Result<JsValue, JsValue> {
        let to = waypoint(x, z, height, heading);
        let plan = self.0.plan(actor, to, run.unwrap_or(false)).map_err(thrown)?;
        let footprints: Array = plan
            .footprints
            .iter()
            .map(|print| {
                object([
                    ("foot", (print.foot as u32).into()),
                    ("x", print.position.x.into()),
                    ("y", print.position.y.into()),
                    ("z", print.position.z.into()),
                    ("heading", print.heading.into()),
                    ("landing", print.landing.into()),
                    ("takeOff", print.take_off.into()),
                ])
            })
            .collect();
        let line: Vec<f32> = plan.line.iter().flat_map(|at| at.to_array()).collect();
        Ok(object([
            ("seconds", plan.seconds.into()),
            ("goalError", plan.goal_error.into()),
            ("footprints", footprints.into()),
            ("line", Float32Array::from(&line[..]).into()),
        ]))
    }
}
