//! A scene from beginning to end.

use crate::scene::LONGEST;
use crate::{Clock, Command, Cue, FPS, Recorder, Scene, Stage, StageError, StageTimings, Take};
use andante_take::TakeFile;
use std::path::Path;

andante_skeleton::settings! {
    /// Options of playing a scene.
    pub struct PlayOptions: Copy {
        /// It is over after so many seconds, whatever happens, beside those that somebody is told to wait. Who is not done
        /// by then has failed.
        longest: f32 = 600.0, 0.0..;
        /// Seconds that are played on where somebody does something without an end, once everybody else is done; longer until who
        /// patrols has been to each place once, and who follows has come up.
        encore: f32 = 10.0, 0.0..;
        /// Who does something without an end and has not come nearer to that for so many seconds has failed.
        patience: f32 = 30.0, 0.0..;
        /// Times planning for [`Stage::timings`], if there is one; nothing else depends on it.
        clock: Clock = Clock::default();
    }
}

/// Plays a scene and records it. `watch` is told the seconds that have been played, now and then, and says whether to
/// go on.
///
/// Commands that could not be carried out are events of the take ([`EventKind::Failed`](crate::EventKind::Failed)).
///
/// ```
/// use andante_stage::{EventKind, PlayOptions, Scene, play};
///
/// let take = play(&Scene::built_in("turns")?, 1, &PlayOptions::default(), |_| true)?;
/// assert!(take.events.iter().any(|event| event.kind == EventKind::Arrived));
/// assert_eq!(take.tracks[0].clip.frame_count(), take.tracks[0].body.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play(
    scene: &Scene,
    seed: u64,
    options: &PlayOptions,
    watch: impl FnMut(f32) -> bool,
) -> Result<Take, StageError> {
    let mut stage = cast(scene, seed)?;
    let mut recorder = Recorder::new(&stage, scene, seed)?;
    perform(scene, &mut stage, &mut recorder, options, watch)?;
    recorder.finish(&stage)
}

/// Plays a scene and records it to a file as it is played: memory does not grow with the length of the scene. What
/// planning has cost is told by [`PlayOptions::clock`].
pub fn play_to_file(
    scene: &Scene,
    seed: u64,
    options: &PlayOptions,
    path: &Path,
    watch: impl FnMut(f32) -> bool,
) -> Result<(TakeFile, StageTimings), StageError> {
    let mut stage = cast(scene, seed)?;
    stage.set_clock(options.clock);
    let mut recorder = Recorder::to_file(&stage, scene, seed, path)?;
    perform(scene, &mut stage, &mut recorder, options, watch)?;
    let timings = stage.timings();
    Ok((recorder.finish_file(&stage)?, timings))
}

/// The stage of a scene, which has somebody in it.
fn cast(scene: &Scene, seed: u64) -> Result<Stage, StageError> {
    if scene.characters.is_empty() {
        return Err(StageError::Nobody(scene.name.clone()));
    }
    Stage::new(scene, seed)
}

fn perform(
    scene: &Scene,
    stage: &mut Stage,
    recorder: &mut Recorder,
    options: &PlayOptions,
    mut watch: impl FnMut(f32) -> bool,
) -> Result<(), StageError> {
    let longest = (options.longest + waits(scene)).clamp(0.0, LONGEST);
    let frames = (longest * FPS) as usize;
    let (mut over, mut owed) = (0.0, (f32::INFINITY, 0.0));
    for frame in 0..frames {
        if frame % 12 == 0 && !watch(frame as f32 / FPS) {
            return Err(StageError::Cancelled);
        }
        stage.step(1.0 / FPS);
        recorder.frame(stage)?;
        if stage.is_over() {
            over += 1.0 / FPS;
            let endless = stage.actors().iter().any(|actor| actor.is_endless());
            let owes = stage.present().filter_map(|actor| actor.owes(stage.actors()));
            let left: f32 = owes.map(|(left, _)| left).sum();
            if left <= 0.0 && (!endless || over >= options.encore) {
                return Ok(());
            }
            // Half a metre is progress.
            if left < owed.0 - 0.5 || left <= 0.0 {
                owed = (left, over);
            } else if over - owed.1 > options.patience {
                stage.cut(&format!("and comes no nearer in {:.0} s", options.patience));
                return recorder.frame(stage);
            }
        } else {
            (over, owed) = (0.0, (f32::INFINITY, 0.0));
        }
    }
    if !stage.is_over() {
        stage.cut(&format!("not done after {longest:.0} s, the longest that is played"));
        recorder.frame(stage)?;
    }
    Ok(())
}

/// The seconds that somebody is told to wait, or to wait for, at most.
fn waits(scene: &Scene) -> f32 {
    let of = |who: usize| {
        let own = scene.orders.iter().filter(|order| order.who == who);
        own.map(|order| match (&order.command, &order.cue) {
            (Command::Wait(seconds), _) => *seconds,
            (_, Cue::At(time)) => *time,
            _ => 0.0,
        })
        .sum::<f32>()
    };
    (0..scene.characters.len()).map(of).fold(0.0, f32::max)
}
