//! Clips that a repertoire has learned.

use crate::repertoire::{Repertoire, RepertoireClip};
use crate::{Contacts, FootContacts, Interval};
use crate::{GroundClip, GroundClipError};
use andante_skeleton::{Clip, Transform};
use std::sync::Arc;

/// Frames a second: gaits are learned more finely than they are shown.
const FPS: f32 = 120.0;

impl GroundClip {
    /// A clip of a repertoire. When its feet are down is known, so that nothing has to be guessed from how they move.
    pub fn from_repertoire(
        repertoire: &Repertoire,
        clip: &RepertoireClip,
    ) -> Result<Self, GroundClipError> {
        let character = Arc::new(repertoire.character().clone());
        let skeleton = &character.skeleton;
        let count = (clip.period() * FPS).round().max(2.0);
        let fps = count / clip.period();
        let mut transforms = Vec::new();
        let mut pose = vec![Transform::IDENTITY; skeleton.len()];
        let feet = vec![FootContacts::default(); clip.feet().len()];
        let mut contacts = Contacts { feet };
        for frame in 0..=count as usize {
            let time = frame as f32 / fps;
            let last = frame == count as usize;
            let phase = if last { 1.0 } else { clip.map().phase(time).clamp(0.0, 1.0) };
            clip.sample(phase, &mut pose);
            pose[0] = clip.travel(phase).to_transform() * pose[0];
            transforms.extend_from_slice(&pose);
            for (contacts, spans) in contacts.feet.iter_mut().zip(clip.feet()) {
                // What is not cyclic ends; what is begins again.
                let [heel, ball] = spans.down(if last && clip.is_cyclic() { 0.0 } else { phase });
                for (intervals, down) in [(&mut contacts.heel, heel), (&mut contacts.toe, ball)] {
                    note(intervals, time, 1.5 / fps, down);
                }
            }
        }
        let made = Clip::new(clip.name(), skeleton, fps, transforms)?;
        Self::new(&character, made, &contacts, clip.is_cyclic(), 0.0)
    }
}

/// Adds a moment to intervals; one that follows the last one within a gap belongs to it.
fn note(intervals: &mut Vec<Interval>, time: f32, gap: f32, down: bool) {
    match intervals.last_mut() {
        _ if !down => {}
        Some(last) if time - last.end < gap => last.end = time,
        _ => intervals.push(Interval::new(time, time)),
    }
}
