//! Performances of a player as clips with contacts.

use andante_play::blend_space::{GaitPlayer, PlayerStep};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Pose, Transform};

pub const FPS: f32 = 60.0;

/// What a player did.
pub struct Recorded {
    pub clip: Clip,
    pub contacts: Contacts,
    character: Character,
}

/// Records a player; `advance` is called for every frame after the first.
pub fn record(
    player: &mut GaitPlayer,
    seconds: f32,
    mut advance: impl FnMut(&mut GaitPlayer, f32) -> PlayerStep,
) -> Recorded {
    let character = player.repertoire().character().clone();
    let feet = character.rig.feet.len();
    let mut transforms: Vec<Transform> = Vec::new();
    let mut contacts = Contacts { feet: vec![FootContacts::default(); feet] };
    let mut pose = Pose::rest(&character.skeleton);
    let mut was_down = vec![[false; 2]; feet];
    for frame in 0..=(seconds * FPS) as usize {
        let time = frame as f32 / FPS;
        if frame > 0 {
            advance(player, time);
        }
        player.write_pose(&mut pose);
        transforms.extend_from_slice(&pose);
        for (foot, contacts) in contacts.feet.iter_mut().enumerate() {
            let down = player.contact(foot);
            for (point, list) in [&mut contacts.heel, &mut contacts.toe].into_iter().enumerate() {
                match list.last_mut() {
                    Some(last) if down[point] && was_down[foot][point] => last.end = time,
                    _ if down[point] => list.push(Interval::new(time, time)),
                    _ => {}
                }
            }
            was_down[foot] = down;
        }
    }
    let clip = Clip::new("recorded", &character.skeleton, FPS, transforms).expect("finite");
    Recorded { clip, contacts, character }
}

impl Recorded {
    pub fn foot_metrics(&self) -> MotionMetrics {
        let Character { skeleton, rig, .. } = &self.character;
        measure_level(skeleton, rig, &self.clip, &self.contacts, 0.0)
    }
}
