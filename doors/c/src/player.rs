//! Gaits at any speed.

use crate::border::{Failure, Shared, andante_status, call, free, make, put, reference};
use crate::character::andante_character;
use crate::types::{andante_placement, andante_transform, put_transforms};
use ::andante_door::within;
use ::andante_play::blend_space::{GaitPlayer, PlayerOptions};
use ::andante_skeleton::{Planar, Pose, Transform};
use glam::Vec2;

/// A character that walks and runs at any speed and turn, on level ground, without its feet sliding.
pub struct andante_player(Shared<OpenPlayer>);

struct OpenPlayer {
    player: GaitPlayer,
    pose: Pose,
}

impl OpenPlayer {
    fn feet(&self) -> usize {
        self.player.repertoire().character().rig.feet.len()
    }
}

/// A player of a character, which stands at the origin and faces +Z.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_new(
    character: *const andante_character,
    out: *mut *mut andante_player,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let own = reference(character, "character")?;
            let repertoire = own.own.repertoire().clone();
            let pose = Pose::rest(&repertoire.character().skeleton);
            let player = GaitPlayer::new(repertoire, PlayerOptions::default())?;
            Ok(andante_player(Shared::new(OpenPlayer { player, pose })))
        })
    }
}

/// Lets `dt` seconds pass, at most one, towards a speed ahead in m/s and a turn rate to the left in rad/s.
///
/// # Safety
/// The handle is null or a player.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_advance(
    player: *mut andante_player,
    dt: f32,
    speed: f32,
    turn_rate: f32,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        within("dt", dt, 0.0..=1e3, " s")?;
        within("speed", speed, -100.0..=100.0, " m/s")?;
        within("turn_rate", turn_rate, -100.0..=100.0, " rad/s")?;
        own.0.with(|own| {
            own.player.advance(dt, speed, turn_rate);
            Ok(())
        })
    })
}

/// Puts it elsewhere, as it is.
///
/// # Safety
/// The handle is null or a player.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_place(
    player: *mut andante_player,
    to: andante_placement,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        let place = placement(&to)?;
        own.0.with(|own| {
            own.player.place(place);
            Ok(())
        })
    })
}

/// A place in the world, as stages have it.
pub(crate) fn placement(own: &andante_placement) -> Result<Planar, Failure> {
    within("place", own.x, -1e4..=1e4, " m")?;
    within("place", own.z, -1e4..=1e4, " m")?;
    within("heading", own.heading, -1e4..=1e4, " rad")?;
    Ok(Planar::new(Vec2::new(own.x, own.z), own.heading))
}

/// Goes to another phase of its gait, from 0 to 1: for crowds that must not walk in step.
///
/// # Safety
/// The handle is null or a player.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_set_phase(
    player: *mut andante_player,
    phase: f32,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        within("phase", phase, 0.0..=1.0, "")?;
        own.0.with(|own| {
            own.player.set_phase(phase);
            Ok(())
        })
    })
}

/// Where it is and which way it faces.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_placement(
    player: *mut andante_player,
    out: *mut andante_placement,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        let place = own.0.with(|own| Ok(own.player.placement()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, place.into(), "out") }
    })
}

/// Its pose: joint 0 in the world, the others relative to their parents.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_pose(
    player: *mut andante_player,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        own.0.with(|own| {
            own.player.write_pose(&mut own.pose);
            // SAFETY: as the header asks.
            unsafe { put_transforms(transforms, capacity, &own.pose) }
        })
    })
}

/// Every joint in the world.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_models(
    player: *mut andante_player,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        own.0.with(|own| {
            let world: Transform = own.player.placement().to_transform();
            for (to, model) in own.pose.iter_mut().zip(own.player.models()) {
                *to = world * *model;
            }
            // SAFETY: as the header asks.
            unsafe { put_transforms(transforms, capacity, &own.pose) }
        })
    })
}

/// Whether the heel and the ball of a foot are down.
///
/// # Safety
/// `heel` and `ball` are null, or point to a bool each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_contact(
    player: *mut andante_player,
    foot: usize,
    heel: *mut bool,
    ball: *mut bool,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(player, "player") }?;
        let down = own.0.with(|own| {
            let feet = own.feet();
            let down = (foot < feet).then(|| own.player.contact(foot));
            down.ok_or_else(|| no_foot(foot, feet))
        })?;
        // SAFETY: as the header asks.
        unsafe { put_contact(down, heel, ball) }
    })
}

pub(crate) fn no_foot(foot: usize, feet: usize) -> Failure {
    Failure::argument(format!("there is no foot {foot}; there are {feet}"))
}

/// Writes what is down.
///
/// # Safety
/// Both are null, or point to a bool each.
pub(crate) unsafe fn put_contact(
    down: [bool; 2],
    heel: *mut bool,
    ball: *mut bool,
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        put(heel, down[0], "heel")?;
        put(ball, down[1], "ball")
    }
}

/// Frees a player; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_player_free(player: *mut andante_player) {
    // SAFETY: as the header asks.
    unsafe { free(player) }
}
