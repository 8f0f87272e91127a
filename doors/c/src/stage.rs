//! Stages: who is on them and what happens.

use crate::ANDANTE_NOBODY;
use crate::border::{
    Failure, Shared, andante_status, c_text, call, fill, free, make, put, put_text, reference, text,
};
use crate::character::andante_character;
use crate::player::{no_foot, put_contact};
use crate::skeleton::andante_skeleton;
use crate::types::{andante_transform, andante_waypoint, put_transforms};
use ::andante_door::{DoorStage, StageEvent, within};
use ::andante_stage::{BodyDrive, CharacterSpec};
use std::ffi::{CString, c_char};

/// A scene that is being played: a world, and characters in it that do what they are told. Everybody on it has a number that is
/// never another's: those of the scene 0, 1, 2... in its order, and whoever comes later the next one.
pub struct andante_stage(pub(crate) Shared<OpenStage>);

pub(crate) struct OpenStage {
    pub stage: DoorStage,
    /// Of the last step, with the words that C may look at.
    events: Vec<(StageEvent, [CString; 2])>,
    footfalls: Vec<andante_footfall>,
}

impl OpenStage {
    /// Takes note of what happened.
    fn note(&mut self) {
        self.events.clear();
        self.events.extend(self.stage.events().map(|event| {
            let words = [c_text(event.word), c_text(&event.text)];
            (event, words)
        }));
        self.footfalls.clear();
        self.footfalls.extend(self.stage.footfalls().map(|(actor, fall)| andante_footfall {
            actor,
            foot: fall.foot as u32,
            place: fall.place.to_array(),
            normal: fall.normal.to_array(),
            speed: fall.speed,
        }));
    }
}

/// Who comes on, and where.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct andante_part {
    /// What it is called here.
    pub name: *const c_char,
    /// Where it begins.
    pub start: andante_waypoint,
    /// Who it is; null is the built-in human. It is shared, and may be freed at any time.
    pub character: *const andante_character,
    /// Whether it may run where it is sent.
    pub run: bool,
    /// Whether it may jump over gaps.
    pub jump: bool,
    /// What moves it: 0 motion alone, which cannot be pushed; 1 forces whenever it stands, and on level straight ways; 2 motion,
    /// and forces from when something touches it until it is safe again.
    pub body: i32,
}

/// How somebody on a stage is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_actor {
    /// Its number.
    pub number: u32,
    /// Where its middle is.
    pub x: f32,
    /// Where its middle is.
    pub z: f32,
    /// Which way it faces, from +Z towards +X, in radians.
    pub heading: f32,
    /// Ahead, in m/s.
    pub speed: f32,
    /// To the left, in rad/s.
    pub turn_rate: f32,
    /// Of the disc that its body needs, in metres.
    pub radius: f32,
    /// Joints of its skeleton.
    pub joints: u32,
    /// Feet of its skeleton.
    pub feet: u32,
    /// Whether it has nothing to do.
    pub idle: bool,
}

/// Something that happened in the last step. Its texts stay until the next step.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct andante_event {
    /// Seconds from the beginning.
    pub time: f32,
    /// Whom it is about; ANDANTE_NOBODY if it is about the world.
    pub actor: u32,
    /// Who else it is about, or ANDANTE_NOBODY.
    pub other: u32,
    /// One word for it: "began", "done", "arrived", "failed", "blocked", "waits", "near", "pushed", "fell", "got up"...
    pub word: *const c_char,
    /// A short sentence without its subject.
    pub text: *const c_char,
}

/// A foot that came down in the last step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_footfall {
    /// Whose it is.
    pub actor: u32,
    /// Its number: 0 is left, 1 right.
    pub foot: u32,
    /// Where its sole met the ground.
    pub place: [f32; 3],
    /// The way up from the ground there.
    pub normal: [f32; 3],
    /// How fast the sole came down, in m/s.
    pub speed: f32,
}

fn opened(stage: DoorStage) -> andante_stage {
    andante_stage(Shared::new(OpenStage { stage, events: Vec::new(), footfalls: Vec::new() }))
}

/// A stage from the text of a scene file. The same scene and seed give the same motion, bit by bit, everywhere. Files that the
/// scene names are looked for in the working directory and below it.
///
/// # Safety
/// The text ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_read(
    scene: *const c_char,
    seed: u64,
    out: *mut *mut andante_stage,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { make(out, || Ok(opened(DoorStage::read(text(scene, "scene")?, seed)?))) }
}

/// A stage of a scene that comes with the library, such as "stairs".
///
/// # Safety
/// The name ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_built_in(
    name: *const c_char,
    seed: u64,
    out: *mut *mut andante_stage,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { make(out, || Ok(opened(DoorStage::built_in(text(name, "name")?, seed)?))) }
}

/// Lets `dt` seconds pass: whatever a frame lasts, each as long as it likes, at most a second at once.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_step(stage: *mut andante_stage, dt: f32) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        within("dt", dt, 0.0..=1e3, " s")?;
        own.0.with(|own| {
            own.stage.stage_mut().step(dt);
            own.note();
            Ok(())
        })
    })
}

/// Seconds since the beginning.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_time(
    stage: *mut andante_stage,
    out: *mut f64,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let time = own.0.with(|own| Ok(own.stage.stage().time()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, time, "out") }
    })
}

/// Lets somebody come on, who has nothing to do yet, and tells its number.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_spawn(
    stage: *mut andante_stage,
    part: *const andante_part,
    out: *mut u32,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, part) = unsafe { (reference(stage, "stage")?, reference(part, "part")?) };
        // SAFETY: as the header asks; a number that is refused is nobody's.
        unsafe { put(out, ANDANTE_NOBODY, "out") }?;
        // SAFETY: as the header asks.
        let name = unsafe { text(part.name, "part.name") }?;
        let natures = [BodyDrive::Kinematic, BodyDrive::Physical, BodyDrive::WhenTouched];
        let nature = usize::try_from(part.body).ok().and_then(|body| natures.get(body)).copied();
        let nature = nature
            .ok_or_else(|| Failure::argument(format!("body is {}; it is 0, 1 or 2", part.body)))?;
        let spec = CharacterSpec {
            run: part.run,
            jump: part.jump,
            nature,
            ..CharacterSpec::new(name, (&part.start).into())
        };
        let character = if part.character.is_null() {
            None
        } else {
            // SAFETY: it is not null, and then it is a character.
            Some(&unsafe { reference(part.character, "part.character") }?.own)
        };
        let number = own.0.with(|own| Ok(own.stage.spawn(&spec, character)?))?;
        // SAFETY: as the header asks.
        unsafe { put(out, number, "out") }
    })
}

/// Takes somebody away. Its number means nobody from now on.
///
/// # Safety
/// The handle is null or a stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_despawn(
    stage: *mut andante_stage,
    actor: u32,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        own.0.with(|own| Ok(own.stage.despawn(actor)?))
    })
}

/// How many are on the stage.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_actor_count(
    stage: *mut andante_stage,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let count = own.0.with(|own| Ok(own.stage.stage().present().count()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, count, "out") }
    })
}

/// The numbers of those who are on the stage, as many as andante_stage_actor_count() says.
///
/// # Safety
/// `numbers` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_actors(
    stage: *mut andante_stage,
    numbers: *mut u32,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let present: Vec<u32> = own.0.with(|own| {
            let stage = &own.stage;
            Ok(stage.numbers().filter(|who| stage.actor(*who).is_ok()).collect())
        })?;
        // SAFETY: as the header asks.
        unsafe { fill(numbers, capacity, present.into_iter(), "numbers") }
    })
}

/// How somebody is.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_actor(
    stage: *mut andante_stage,
    actor: u32,
    out: *mut andante_actor,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let told = own.0.with(|own| {
            let who = own.stage.actor(actor)?;
            let (disc, character) = (who.disc(), who.character());
            Ok(andante_actor {
                number: actor,
                x: disc.place.position.x,
                z: disc.place.position.y,
                heading: disc.place.heading,
                speed: disc.speed,
                turn_rate: disc.turn_rate,
                radius: who.radius(),
                joints: character.skeleton.len() as u32,
                feet: character.rig.feet.len() as u32,
                idle: who.is_idle(),
            })
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// The name of somebody, and how long it is without the zero at its end. With null and a capacity of 0 only that is told.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes; `length` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_actor_name(
    stage: *mut andante_stage,
    actor: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let name = own.0.with(|own| Ok(own.stage.actor(actor)?.name().to_owned()))?;
        // SAFETY: as the header asks.
        unsafe { put_text(buffer, capacity, length, &name) }
    })
}

/// What somebody does, in the words of a scene file; empty if it has nothing to do. As andante_stage_actor_name().
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes; `length` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_actor_doing(
    stage: *mut andante_stage,
    actor: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let doing = own.0.with(|own| Ok(own.stage.actor(actor)?.doing().to_owned()))?;
        // SAFETY: as the header asks.
        unsafe { put_text(buffer, capacity, length, &doing) }
    })
}

/// A copy of somebody's skeleton, to be freed by the caller.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_skeleton(
    stage: *mut andante_stage,
    actor: u32,
    out: *mut *mut andante_skeleton,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            reference(stage, "stage")?.0.with(|own| {
                let who = own.stage.actor(actor)?;
                Ok(andante_skeleton::new(&who.character().skeleton))
            })
        })
    }
}

/// The pose of somebody: joint 0 in the world, the others relative to their parents.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_pose(
    stage: *mut andante_stage,
    actor: u32,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        own.0.with(|own| {
            let who = own.stage.actor(actor)?;
            // SAFETY: as the header asks.
            unsafe { put_transforms(transforms, capacity, who.pose()) }
        })
    })
}

/// Every joint of somebody in the world.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_models(
    stage: *mut andante_stage,
    actor: u32,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        own.0.with(|own| {
            let who = own.stage.actor(actor)?;
            // SAFETY: as the header asks.
            unsafe { put_transforms(transforms, capacity, who.models()) }
        })
    })
}

/// Whether the heel and the ball of somebody's foot are down.
///
/// # Safety
/// `heel` and `ball` are null, or point to a bool each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_contact(
    stage: *mut andante_stage,
    actor: u32,
    foot: usize,
    heel: *mut bool,
    ball: *mut bool,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let down = own.0.with(|own| {
            let who = own.stage.actor(actor)?;
            let feet = who.character().rig.feet.len();
            if foot < feet { Ok(who.contact(foot)) } else { Err(no_foot(foot, feet)) }
        })?;
        // SAFETY: as the header asks.
        unsafe { put_contact(down, heel, ball) }
    })
}

/// How many things happened in the last step.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_event_count(
    stage: *mut andante_stage,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let count = own.0.with(|own| Ok(own.events.len()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, count, "out") }
    })
}

/// One of the things that happened in the last step.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_event(
    stage: *mut andante_stage,
    index: usize,
    out: *mut andante_event,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let told = own.0.with(|own| {
            let count = own.events.len();
            let none =
                || Failure::argument(format!("there is no event {index}; there are {count}"));
            let (event, [word, text]) = own.events.get(index).ok_or_else(none)?;
            Ok(andante_event {
                time: event.time,
                actor: event.actor.unwrap_or(ANDANTE_NOBODY),
                other: event.other.unwrap_or(ANDANTE_NOBODY),
                word: word.as_ptr(),
                text: text.as_ptr(),
            })
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// How many feet came down in the last step.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_footfall_count(
    stage: *mut andante_stage,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let count = own.0.with(|own| Ok(own.footfalls.len()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, count, "out") }
    })
}

/// One of the feet that came down in the last step.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_footfall(
    stage: *mut andante_stage,
    index: usize,
    out: *mut andante_footfall,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(stage, "stage") }?;
        let told = own.0.with(|own| {
            let count = own.footfalls.len();
            let none =
                || Failure::argument(format!("there is no footfall {index}; there are {count}"));
            own.footfalls.get(index).copied().ok_or_else(none)
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Frees a stage; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_stage_free(stage: *mut andante_stage) {
    // SAFETY: as the header asks.
    unsafe { free(stage) }
}
