//! A stage that is played, stopped, gone back in and changed.

use super::frame::{StageFrame, StagePrint, skin_of};
use crate::job::JobPulse;
use crate::look::DYES;
use crate::view::{SolidMesh, ViewMesh};
use andante_check::{CheckSettings, Demand, DemandedSpot, Verdict};
use andante_skeleton::{SkinnedMesh, Transform};
use andante_stage::{
    ActorId, Command, Cue, FPS, GroundPatch, Perception, Recorder, Scene, SceneGround, Stage,
    StageSnapshot, Take,
};
use andante_world::Obstacle;
use eframe::egui::Color32;
use std::sync::Arc;

/// Frames from one snapshot to the next.
const KEEP: usize = 60;
/// Frames that are made at most while one is shown: whoever cannot keep up sees slow motion.
const AT_ONCE: usize = 4;
/// Joints of all frames together that are kept: about a third of a gigabyte.
const MOST_JOINTS: usize = 12_000_000;

/// A change of what is played, while it is played.
#[derive(Clone, Debug)]
pub enum LiveEdit {
    /// An obstacle comes, or is elsewhere.
    Place(Obstacle),
    /// An obstacle goes.
    Remove(String),
    /// Somebody is told something.
    Tell(usize, Command),
    /// Somebody is led by hand: metres a second ahead, and turn to the left.
    Steer(usize, f32, f32),
}

/// The bodies of those who have one of their own, by their numbers.
pub type OwnSkins = Vec<Option<Arc<SkinnedMesh>>>;

/// A stage with its past.
pub struct StagePlayer {
    /// What it began with.
    first: Scene,
    /// What the scene file says now, as far as it was taken over.
    scene: Scene,
    seed: u64,
    stage: Stage,
    frames: Vec<StageFrame>,
    prints: Vec<StagePrint>,
    snapshots: Vec<StageSnapshot>,
    /// What was changed, after which frame.
    journal: Vec<(usize, LiveEdit)>,
    obstacles: Arc<Vec<Obstacle>>,
    /// Where it is shown, in frames.
    pub playhead: f32,
    /// Whether time passes.
    pub playing: bool,
    /// How fast, 1 is as fast as it is.
    pub speed: f32,
    /// Whether it begins anew at its end.
    pub looping: bool,
    /// What was refused last.
    pub refused: Option<String>,
    skins: Vec<Arc<SkinnedMesh>>,
    own: OwnSkins,
    ground: Vec<SolidMesh>,
    surface: SceneGround,
}

impl StagePlayer {
    /// Sets a scene, and plays it up to a frame.
    pub fn load(scene: Scene, seed: u64, own: OwnSkins) -> Result<Self, String> {
        let stage = Stage::new(&scene, seed).map_err(|error| error.to_string())?;
        let crowd = stage.actors().len() > 12;
        let mut known: Vec<(String, usize, Arc<SkinnedMesh>)> = Vec::new();
        let mut skins = Vec::new();
        for (who, actor) in stage.actors().iter().enumerate() {
            if let Some(skin) = own.get(who).cloned().flatten() {
                skins.push(skin);
                continue;
            }
            let character = actor.character();
            let same = |(name, joints, _): &&(String, usize, _)| {
                *name == character.name && *joints == character.skeleton.len()
            };
            let like = known
                .iter()
                .find(same)
                .filter(|_| scene.characters.iter().all(|part| part.height.is_none()));
            let skin = like.map(|(_, _, skin)| Arc::clone(skin)).unwrap_or_else(|| {
                let skin = Arc::new(skin_of(character, crowd));
                known.push((character.name.clone(), character.skeleton.len(), Arc::clone(&skin)));
                skin
            });
            skins.push(skin);
        }
        let ground = ground_mesh(&scene.ground, &Transform::IDENTITY);
        let surface = SceneGround::new(stage.ground());
        let obstacles = Arc::new(stage.obstacles().to_vec());
        let frames = vec![StageFrame::of(&stage, &obstacles, 0)];
        let snapshots = vec![stage.snapshot()];
        Ok(Self {
            first: scene.clone(),
            scene,
            seed,
            stage,
            frames,
            prints: Vec::new(),
            snapshots,
            journal: Vec::new(),
            obstacles,
            playhead: 0.0,
            playing: false,
            speed: 1.0,
            looping: false,
            refused: None,
            skins,
            own,
            ground,
            surface,
        })
    }

    /// The stage, as it is at the end of what was played.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The scene that the file describes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Ground, as it is drawn.
    pub fn ground(&self) -> &[SolidMesh] {
        &self.ground
    }

    /// Ground, to be asked about.
    pub fn surface(&self) -> &SceneGround {
        &self.surface
    }

    /// The bodies of everybody.
    pub fn skins(&self) -> &[Arc<SkinnedMesh>] {
        &self.skins
    }

    /// The frame that is shown.
    pub fn shown(&self) -> &StageFrame {
        &self.frames[self.frame()]
    }

    /// Its number.
    pub fn frame(&self) -> usize {
        (self.playhead.max(0.0).round() as usize).min(self.frames.len() - 1)
    }

    /// The footprints until the frame that is shown.
    pub fn prints(&self) -> &[StagePrint] {
        &self.prints[..self.shown().prints]
    }

    /// Frames that were played, from the beginning.
    pub fn frames(&self) -> &[StageFrame] {
        &self.frames
    }

    /// The journal of changes made while it was played.
    pub fn journal(&self) -> &[(usize, LiveEdit)] {
        &self.journal
    }

    /// Seconds that are shown, and that there are.
    pub fn seconds(&self) -> [f32; 2] {
        [self.frame(), self.frames.len() - 1].map(|frame| frame as f32 / FPS)
    }

    /// True if nothing more happens by itself at the end of what was played.
    pub fn is_over(&self) -> bool {
        let steered = matches!(
            self.journal.iter().rev().find(|(_, edit)| matches!(edit, LiveEdit::Steer(..))),
            Some((_, LiveEdit::Steer(_, speed, turn))) if *speed != 0.0 || *turn != 0.0
        );
        let busy = self.stage.present().any(|actor| !actor.is_idle());
        let joints = self.frames.len() * self.frames[0].joints().max(1);
        (self.stage.is_over() && !busy && !steered) || joints > MOST_JOINTS
    }

    /// Lets time pass while it is playing.
    pub fn advance(&mut self, seconds: f32) {
        if !self.playing {
            return;
        }
        self.playhead += seconds.clamp(0.0, 0.25) * self.speed * FPS;
        let mut made = 0;
        while self.playhead > (self.frames.len() - 1) as f32 {
            if self.is_over() {
                if self.looping && self.frames.len() > 1 {
                    self.playhead = 0.0;
                } else {
                    self.playhead = (self.frames.len() - 1) as f32;
                    self.playing = false;
                }
                return;
            }
            if made == AT_ONCE {
                self.playhead = (self.frames.len() - 1) as f32;
                return;
            }
            self.step();
            made += 1;
        }
    }

    /// Plays on until so many frames are there, or nothing more happens.
    pub fn play_to(&mut self, frame: usize) {
        while self.frames.len() <= frame && !self.is_over() {
            self.step();
        }
    }

    /// Makes a frame.
    fn step(&mut self) {
        self.stage.step(1.0 / FPS);
        self.prints.extend(StagePrint::landed(&self.stage));
        let frame = StageFrame::of(&self.stage, &self.obstacles, self.prints.len());
        self.frames.push(frame);
        if (self.frames.len() - 1).is_multiple_of(KEEP) {
            self.snapshots.push(self.stage.snapshot());
        }
    }

    /// Goes back to the frame that is shown: what came after it has not happened.
    fn return_to_playhead(&mut self) {
        let frame = self.frame();
        if frame + 1 == self.frames.len() {
            return;
        }
        let kept = frame / KEEP;
        self.snapshots.truncate(kept + 1);
        self.stage.restore(&self.snapshots[kept]);
        self.frames.truncate(kept * KEEP + 1);
        self.prints.truncate(self.frames[kept * KEEP].prints);
        let journal = std::mem::take(&mut self.journal);
        let (before, later): (Vec<_>, Vec<_>) = journal
            .into_iter()
            .filter(|(at, _)| *at < frame)
            .partition(|(at, _)| *at < kept * KEEP);
        self.journal = before;
        self.obstacles = Arc::new(self.stage.obstacles().to_vec());
        let mut later = later.into_iter().peekable();
        loop {
            let now = self.frames.len() - 1;
            while let Some((_, edit)) = later.next_if(|(at, _)| *at == now) {
                self.apply(edit);
            }
            if now == frame {
                break;
            }
            self.step();
        }
        self.playhead = frame as f32;
    }

    /// Changes something at the frame that is shown. Whether it could be; else [`Self::refused`] says why.
    pub fn edit(&mut self, edit: LiveEdit) -> bool {
        self.return_to_playhead();
        self.apply(edit)
    }

    fn apply(&mut self, edit: LiveEdit) -> bool {
        let done = perform(&mut self.stage, &edit);
        let changed = matches!(edit, LiveEdit::Place(_) | LiveEdit::Remove(_));
        match done {
            Ok(()) => self.journal.push((self.frames.len() - 1, edit)),
            Err(error) => {
                self.refused = Some(error);
                return false;
            }
        }
        if changed {
            self.obstacles = Arc::new(self.stage.obstacles().to_vec());
            let obstacles = Arc::clone(&self.obstacles);
            if let Some(last) = self.frames.last_mut() {
                last.obstacles = obstacles;
            }
        }
        true
    }

    /// Takes over what has changed in the scene file, if that can be done while it is played: obstacles, and what people
    /// are told from now on. Otherwise it has to be set anew.
    pub fn sync(&mut self, scene: &Scene) -> bool {
        if format!("{:?}", rest(&self.scene)) != format!("{:?}", rest(scene)) {
            return false;
        }
        let now = self.seconds()[0] - 1.5 / FPS;
        let known = self.scene.orders.len();
        let told = scene.orders.get(known..).unwrap_or_default().to_vec();
        let later = |cue: &Cue| matches!(cue, Cue::At(time) if *time >= now);
        if scene.orders.get(..known) != Some(self.scene.orders.as_slice())
            || !told.iter().all(|order| later(&order.cue))
        {
            return false;
        }
        let before = std::mem::take(&mut self.scene.obstacles);
        for old in &before {
            if !scene.obstacles.iter().any(|new| new.name == old.name) {
                self.edit(LiveEdit::Remove(old.name.clone()));
            }
        }
        for new in &scene.obstacles {
            if !before.contains(new) {
                self.edit(LiveEdit::Place(new.clone()));
            }
        }
        for order in told {
            self.edit(LiveEdit::Tell(order.who, order.command));
        }
        self.scene = scene.clone();
        true
    }

    /// The stage as it is at the end of what was played, for somebody who plans on it beside the window.
    pub fn snapshot(&self) -> StageSnapshot {
        self.stage.snapshot()
    }

    /// The perception of a character at the end of what was played.
    pub fn senses(&mut self, who: usize) -> Option<Perception> {
        self.stage.senses(ActorId::from(who)).ok()
    }

    /// Everything that is needed to play the same again, and so many frames more at most until nothing more happens.
    pub fn performance(&self, more: usize) -> Performance {
        Performance {
            more,
            scene: self.first.clone(),
            seed: self.seed,
            journal: self.journal.clone(),
            frames: self.frames.len(),
            own: self.own.clone(),
        }
    }
}

/// A scene without what can change while it is played.
fn rest(scene: &Scene) -> Scene {
    Scene { obstacles: Vec::new(), orders: Vec::new(), ..scene.clone() }
}

fn perform(stage: &mut Stage, edit: &LiveEdit) -> Result<(), String> {
    match edit {
        LiveEdit::Place(obstacle) => stage.place_obstacle(obstacle.clone()),
        LiveEdit::Remove(name) => stage.remove_obstacle(name),
        LiveEdit::Tell(who, command) => stage.command(ActorId::from(*who), command.clone()),
        LiveEdit::Steer(who, speed, turn) => stage.steer(ActorId::from(*who), *speed, *turn),
    }
    .map_err(|error| error.to_string())
}

/// The record of what was played, to be played again and recorded.
pub struct Performance {
    scene: Scene,
    seed: u64,
    journal: Vec<(usize, LiveEdit)>,
    frames: usize,
    more: usize,
    own: OwnSkins,
}

/// A performance that is being recorded.
pub struct Recording {
    of: Performance,
    stage: Stage,
    recorder: Recorder,
    made: usize,
}

impl Performance {
    /// Begins to play it again.
    pub fn begin(self) -> Result<Recording, String> {
        let stage = Stage::new(&self.scene, self.seed).map_err(|error| error.to_string())?;
        let recorder =
            Recorder::new(&stage, &self.scene, self.seed).map_err(|error| error.to_string())?;
        Ok(Recording { of: self, stage, recorder, made: 1 })
    }
}

impl Recording {
    /// Plays some of it; whether there is more.
    pub fn go_on(&mut self, pulse: &JobPulse) -> Result<bool, String> {
        for _ in 0..30 {
            let busy = || !self.stage.is_over() || self.stage.present().any(|who| !who.is_idle());
            let last = self.of.frames + self.of.more;
            if self.made >= last || (self.made >= self.of.frames && !busy()) {
                return Ok(false);
            }
            let due = self.of.journal.iter().filter(|(at, _)| *at + 1 == self.made);
            for (_, edit) in due {
                perform(&mut self.stage, edit)?;
            }
            self.stage.step(1.0 / FPS);
            self.recorder.frame(&self.stage).map_err(|error| error.to_string())?;
            self.made += 1;
        }
        pulse.set_part(0.7 * (self.made as f32 / self.of.frames.max(1) as f32).min(1.0));
        if self.made > self.of.frames {
            pulse.set_note(format!("playing on: {:.0} s", self.made as f32 / FPS));
        }
        Ok(true)
    }

    /// The finished recording, and what was asked of everybody.
    pub fn finish(self) -> Result<Recorded, String> {
        // What was told on the way is told by the journal, and may have been stopped at any moment.
        let mut demand = Demand { orders: None, ..self.of.scene.demand() };
        for (who, part) in demand.parts.iter_mut().enumerate() {
            // What was told on the way counts, the last of it.
            let told = |(_, edit): &(usize, LiveEdit)| match edit {
                LiveEdit::Tell(own, Command::WalkTo(post) | Command::RunTo(post))
                    if *own == who =>
                {
                    let (place, height, heading) = (post.place, post.height, post.heading);
                    Some(Some(DemandedSpot { place, height, heading }))
                }
                LiveEdit::Tell(own, _) | LiveEdit::Steer(own, ..) if *own == who => Some(None),
                _ => None,
            };
            if let Some(goal) = self.of.journal.iter().rev().find_map(told) {
                part.goal = goal;
            }
        }
        let under_way = self.stage.actors().iter().map(|actor| !actor.is_idle()).collect();
        let mut take = self.recorder.finish(&self.stage).map_err(|error| error.to_string())?;
        for (track, skin) in take.tracks.iter_mut().zip(self.of.own) {
            track.mesh = skin.or(track.mesh.take());
        }
        Ok(Recorded { take, demand, under_way })
    }
}

/// A take, and what it is to be judged by.
pub struct Recorded {
    /// What happened.
    pub take: Take,
    /// What was asked of everybody.
    pub demand: Demand,
    /// Who had not come to an end when it was stopped.
    pub under_way: Vec<bool>,
}

impl Recorded {
    /// The verdict of the verifier. Who was still under way is not asked to have arrived.
    pub fn judge(&mut self) -> Result<Verdict, String> {
        let mut goals = Vec::new();
        for (who, track) in self.take.tracks.iter_mut().enumerate() {
            let still = self.under_way.get(who) == Some(&true);
            goals.push(if still { track.goal.take() } else { track.goal });
            if still && let Some(part) = self.demand.parts.get_mut(who) {
                part.goal = None;
            }
        }
        let verdict =
            andante_check::check(&self.take, Some(&self.demand), &CheckSettings::default());
        for (track, goal) in self.take.tracks.iter_mut().zip(goals) {
            track.goal = goal;
        }
        verdict.map_err(|error| error.to_string())
    }
}

/// Ground patches in colours that differ a little, so that edges show, moved to a place.
pub fn ground_mesh(ground: &[GroundPatch], place: &Transform) -> Vec<SolidMesh> {
    let tones = [[0xb4, 0xab, 0x94], [0xa9, 0xa2, 0x8e], [0xbc, 0xb2, 0x9a]];
    let mesh = |(index, patch): (usize, &GroundPatch)| {
        let [r, g, b] = tones[index % tones.len()];
        let triangles =
            SceneGround::new(std::slice::from_ref(patch)).mesh(0.25).unwrap_or_default();
        let mut mesh = ViewMesh::default();
        mesh.add_mesh(&triangles, place, Color32::from_rgb(r, g, b));
        Arc::new(mesh)
    };
    ground.iter().enumerate().map(mesh).collect()
}

/// The tint of a character.
pub fn dye(number: usize) -> Color32 {
    DYES[number % DYES.len()]
}
