//! Repertoires from recordings, the one that needs none, and the one of anybody.

use super::{BuildError, ClipSource};
use crate::analysis::{AnalysisOptions, analyse};
use crate::retarget::{
    ArmRoom, ArmRoomSettings, RetargetError, RetargetOptions, RetargetRig, retarget,
};
use crate::synth::{self, SynthClip};
use andante_play::repertoire::{ClipClass, Repertoire, RepertoireClip};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Pose, SkinnedMesh, humanoid, parallel};

/// Analyses recorded clips and learns from them.
pub fn from_recordings(character: &Character, clips: &[Clip]) -> Result<Repertoire, BuildError> {
    let mut sources = Vec::with_capacity(clips.len());
    for clip in clips {
        sources.push(recorded(character, clip)?);
    }
    super::from_clips(character, &sources)
}

/// All generated clips, fitted to a character.
pub fn built_in(character: &Character) -> Result<Repertoire, BuildError> {
    let sources: Vec<ClipSource> = synth::repertoire(character)?.into_iter().map(source).collect();
    super::from_clips(character, &sources)
}

/// The generated clips that take a character from place to place, fitted to it: standing, gaits and jumps. Stages and
/// planners do with them what they do with all.
pub fn gaits_and_jumps(character: &Character) -> Result<Repertoire, BuildError> {
    let sources: Vec<ClipSource> =
        synth::gaits_and_jumps(character)?.into_iter().map(source).collect();
    super::from_clips(character, &sources)
}

/// The repertoire of a character that is known by a skeleton and clips of its own: those clips that are of use. Who has
/// two legs learns everything else from the built-in human, at a pace that suits the length of its legs and with arms that stay
/// out of its trunk, of which the skin tells how wide it is.
pub fn for_character(
    character: &Character,
    clips: &[Clip],
    skin: Option<&SkinnedMesh>,
) -> Result<Repertoire, BuildError> {
    // One at a time, so that one without a usable stride does not spoil the others.
    let usable = |clip: &Clip| {
        let source = recorded(character, clip).ok()?;
        let alone = super::from_clips(character, std::slice::from_ref(&source)).ok()?;
        let gait = alone.clips().first().map(|made| (made.class(), made.point()))?;
        Some((source, gait))
    };
    let own: Vec<(ClipSource, _)> = clips.iter().filter_map(usable).collect();
    if character.rig.feet.len() != 2 {
        // Many legs are led by a gait that leaves the ground, and by standing.
        let is = |wanted: ClipClass| own.iter().any(|(_, (class, _))| *class == wanted);
        let (runs, stands) = (is(ClipClass::Run), is(ClipClass::Stand));
        let led = own.into_iter().filter(|(_, (class, _))| !(runs && *class == ClipClass::Walk));
        let mut sources: Vec<ClipSource> = led.map(|(source, _)| source).collect();
        if !stands {
            sources.push(standing(character)?);
        }
        return super::from_clips(character, &sources);
    }
    let sources = learnt(character, skin)?;
    if own.is_empty() {
        return super::from_clips(character, &sources);
    }
    let taught = super::from_clips(character, &sources)?;
    let near = |made: &RepertoireClip| {
        own.iter().any(|(_, (class, point))| {
            *class == made.class()
                && matches!(class, ClipClass::Walk | ClipClass::Run)
                && (point.x - made.point().x).abs() < NEAR * point.x.abs()
                && (point.y - made.point().y).abs() < NEAR
        })
    };
    let kept = sources.into_iter().zip(taught.clips()).filter(|(_, made)| !near(made));
    let mut sources: Vec<ClipSource> = kept.map(|(source, _)| source).collect();
    for (source, (class, _)) in own {
        let known = sources.iter().any(|other| other.clip.name() == source.clip.name());
        if matches!(class, ClipClass::Walk | ClipClass::Run) && !known {
            sources.push(source);
        }
    }
    super::from_clips(character, &sources)
}

/// Somebody who stands as it rests.
fn standing(character: &Character) -> Result<ClipSource, BuildError> {
    let pose = Pose::rest(&character.skeleton);
    let clip = Clip::new("at rest", &character.skeleton, 30.0, pose.repeat(31))?;
    let down = vec![Interval::new(0.0, clip.duration())];
    let foot = FootContacts { heel: down.clone(), toe: down };
    let contacts = Contacts { feet: vec![foot; character.rig.feet.len()] };
    Ok(ClipSource { clip, contacts, cyclic: true, class: Some(ClipClass::Stand) })
}

/// A gait of one's own takes the place of one that is as fast to within this part, and turns as much to within these rad/s.
const NEAR: f32 = 0.2;

fn recorded(character: &Character, clip: &Clip) -> Result<ClipSource, BuildError> {
    let analysis = analyse(&character.skeleton, &character.rig, clip, &AnalysisOptions::default())?;
    Ok(ClipSource::analysed(&character.skeleton, clip, &analysis)?)
}

/// The generated clips by which the built-in human goes from place to place, on another body with two legs.
fn learnt(
    character: &Character,
    skin: Option<&SkinnedMesh>,
) -> Result<Vec<ClipSource>, BuildError> {
    let clips = synth::gaits_and_jumps(&humanoid())?;
    let room = ArmRoom::new(RetargetRig::from(character), skin, ArmRoomSettings::default());
    let room = room.map_err(RetargetError::Target)?;
    let learn = |clip: SynthClip| {
        let learnt = taught(character, &clip)?;
        let cleared = room.cleared(&learnt.clip).map_err(RetargetError::Target)?;
        Ok(source(SynthClip { clip: cleared.0, ..learnt }))
    };
    parallel::map(clips, learn).into_iter().collect()
}

/// A generated clip of [`humanoid`] on another body with two legs. Legs of another length swing at another pace: time goes
/// with the square root of lengths.
pub fn taught(character: &Character, made: &SynthClip) -> Result<SynthClip, BuildError> {
    let teacher = humanoid();
    let (from, to) = (RetargetRig::from(&teacher), RetargetRig::from(character));
    let options = RetargetOptions { cyclic: made.cyclic, ..RetargetOptions::default() };
    let moved = retarget(from, &made.clip, &made.contacts, to, &options)?;
    let pace = moved.report.scale.sqrt();
    let transforms = moved.clip.transforms().to_vec();
    let fps = moved.clip.fps() / pace;
    let clip = Clip::new(moved.clip.name(), &character.skeleton, fps, transforms)?;
    let later = |spans: &[Interval]| {
        spans.iter().map(|span| Interval::new(span.start * pace, span.end * pace)).collect()
    };
    let foot =
        |foot: &FootContacts| FootContacts { heel: later(&foot.heel), toe: later(&foot.toe) };
    let contacts = Contacts { feet: moved.contacts.feet.iter().map(foot).collect() };
    Ok(SynthClip { clip, contacts, cyclic: made.cyclic })
}

/// Generated clips are known by their names.
fn source(synth: SynthClip) -> ClipSource {
    let name = synth.clip.name();
    let class = if !synth.cyclic {
        Some(ClipClass::Action)
    } else if name == "stand" {
        Some(ClipClass::Stand)
    } else if name.starts_with("idle") {
        Some(ClipClass::Action)
    } else if name.starts_with("crouch") {
        Some(ClipClass::Other)
    } else {
        None
    };
    ClipSource { clip: synth.clip, contacts: synth.contacts, cyclic: synth.cyclic, class }
}
