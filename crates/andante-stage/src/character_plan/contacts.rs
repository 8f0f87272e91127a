//! Contacts that say no more than what feet do.

use super::PlanningWorld;
use andante_check::CheckSettings;
use andante_plan::steps::PlannedMotion;
use andante_play::{FootContacts, Interval};
use andante_skeleton::Transform;
use andante_world::Ground;
use glam::Vec3;

/// Ends contacts a little earlier, or lets them begin a little later, where a sole is off the ground then: a foot that is
/// led over an edge is taken up sooner than on level ground. Says whether any was changed.
pub(super) fn end_with_the_ground(motion: &mut PlannedMotion, world: &PlanningWorld) -> bool {
    let character = &world.body.character;
    let size = world.body.walker.height / 1.75;
    let (near, fps) = (0.8 * CheckSettings::default().contact_gap_m * size, motion.clip.fps());
    let most = world.body.settings.loose_frames;
    let mut models = vec![Transform::IDENTITY; character.skeleton.len()];
    let mut has_changed = false;
    for (foot, FootContacts { heel, toe }) in
        character.rig.feet.iter().zip(&mut motion.contacts.feet)
    {
        let mut is_off = |frame: usize| {
            character.skeleton.local_to_model(motion.clip.frame(frame), &mut models);
            let [heel, ball, tip] =
                [foot.heel, foot.ball, foot.tip].map(|point| point.position(&models));
            !([heel, ball, tip, heel.midpoint(ball)].iter()).any(|point| {
                let from = *point + Vec3::Y * near;
                world.place.ground.height_below(from, 2.0 * near).is_some()
            })
        };
        for intervals in [heel, toe] {
            for interval in intervals.iter_mut() {
                let first = (interval.start * fps).ceil() as usize;
                let last = ((interval.end * fps) as usize).min(motion.clip.frame_count() - 1);
                if last <= first + 2 * most {
                    continue;
                }
                let late = (0..=most).find(|by| !is_off(first + by)).unwrap_or(0);
                let early = (0..=most).find(|by| !is_off(last - by)).unwrap_or(0);
                if late + early > 0 {
                    *interval = Interval::new(
                        interval.start + late as f32 / fps,
                        interval.end - early as f32 / fps,
                    );
                    has_changed = true;
                }
            }
        }
    }
    has_changed
}
