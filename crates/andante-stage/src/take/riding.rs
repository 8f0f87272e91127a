//! Those who ride on platforms that move, and the platforms, in a take.

use super::{CharacterTrack, PropTrack, Take};
use crate::moving_platform::Carriage;
use crate::{MovingPlatform, SceneGround};
use andante_skeleton::{Clip, Planar, Transform};
use andante_world::TriangleMesh;

/// A thing that moves, for pictures and files: a prop or a platform.
#[derive(Clone, Debug)]
pub struct PlatformTrack {
    /// What it is called.
    pub name: String,
    /// Its surface.
    pub mesh: TriangleMesh,
    /// The frame from which on it is there.
    pub from: usize,
    /// Where it is in each frame since then.
    pub places: Vec<Transform>,
}

impl PlatformTrack {
    /// Where it is in a frame of the take: nowhere before it comes.
    pub fn at(&self, frame: usize) -> Option<Transform> {
        let since = frame.checked_sub(self.from)?;
        self.places.get(since).or(self.places.last()).copied()
    }
}

impl Take {
    /// Everything that moves and is nobody: what was thrown, and platforms.
    pub fn movers(&self) -> Vec<PlatformTrack> {
        let rate = self.tracks.first().map_or(60.0, |track| track.clip.fps());
        let thrown = self.props.iter().map(PropTrack::mover);
        let platform = |platform: &MovingPlatform| PlatformTrack {
            name: platform.name.clone(),
            mesh: platform.mesh(),
            from: 0,
            places: (0..self.frames()).map(|frame| platform.at(frame as f32 / rate)).collect(),
        };
        thrown.chain(self.scene.moving.iter().map(platform)).collect()
    }
}

impl Take {
    /// The platform that carries a track.
    pub(super) fn deck(&self, track: usize) -> Option<(&MovingPlatform, SceneGround)> {
        let deck = self.scene.rides(self.scene.characters.get(track)?)?;
        Some((self.scene.moving.get(deck)?, SceneGround::new(&self.scene.on_deck(deck))))
    }

    /// Height of every foot's heel and ball above what it stands on, frame by frame; not finite where there is nothing below.
    pub fn foot_heights(&self, track: usize) -> Vec<[Vec<f32>; 2]> {
        let Some(own) = self.tracks.get(track) else { return Vec::new() };
        match self.deck(track) {
            Some((platform, ground)) => own.seen_from(platform).foot_heights(&ground),
            None => own.foot_heights(&SceneGround::new(&self.scene)),
        }
    }
}

impl PropTrack {
    fn mover(&self) -> PlatformTrack {
        PlatformTrack {
            name: self.name.clone(),
            mesh: self.mesh(),
            from: self.from,
            places: self.places.clone(),
        }
    }
}

impl CharacterTrack {
    /// The same as if what carries it had stayed where it began.
    pub fn seen_from(&self, platform: &MovingPlatform) -> Self {
        let (skeleton, fps) = (&self.character.skeleton, self.clip.fps());
        let back = |frame: usize| {
            let carriage = Carriage::new(platform, f64::from(frame as f32 / fps));
            carriage.transform().inverse()
        };
        let mut transforms = Vec::with_capacity(self.clip.frame_count() * skeleton.len());
        for frame in 0..self.clip.frame_count() {
            let first = transforms.len();
            transforms.extend_from_slice(self.clip.frame(frame));
            if let Some(root) = transforms.get_mut(first) {
                *root = back(frame) * *root;
            }
        }
        let placed = |(frame, body): (usize, &Planar)| {
            Planar::from_transform(&(back(frame) * body.to_transform()))
        };
        let clip = Clip::new(self.clip.name(), skeleton, fps, transforms);
        Self {
            // Moved by rigid motions it is a clip still.
            clip: clip.unwrap_or_else(|_| self.clip.clone()),
            body: self.body.iter().enumerate().map(placed).collect(),
            ..self.clone()
        }
    }
}
