//! What there is to be seen at a moment, as triangles in the world.

use crate::paint;
use andante_skeleton::{SkinnedMesh, Wrap, capsule_body};
use andante_take::{Presence, RigidTrack, Take, Track, presences};
use andante_world::SceneGround;
use glam::{Quat, Vec2, Vec3};

/// What a surface is, for the light that falls on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    /// Has a grid.
    Ground,
    /// Throws shadows.
    Solid,
    /// A mark on the ground.
    Mark,
}

/// A triangle with smooth normals. Colours are linear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [Vec3; 3],
    pub normals: [Vec3; 3],
    pub color: Vec3,
    pub matter: Matter,
}

const EARTH: Vec3 = Vec3::new(0.60, 0.57, 0.46);
const STONE: Vec3 = Vec3::new(0.37, 0.32, 0.26);
const PAINT: Vec3 = Vec3::new(0.72, 0.16, 0.08);
const LEFT: Vec3 = Vec3::new(0.03, 0.19, 0.46);
const RIGHT: Vec3 = Vec3::new(0.69, 0.17, 0.02);
const WAY: Vec3 = Vec3::new(0.16, 0.22, 0.34);

/// Tints of the first, second … body.
const DYES: [Vec3; 6] = [
    Vec3::ONE,
    Vec3::new(1.12, 0.86, 0.62),
    Vec3::new(0.72, 1.02, 0.80),
    Vec3::new(1.10, 0.76, 0.92),
    Vec3::new(0.80, 0.85, 1.20),
    Vec3::new(1.15, 1.05, 0.60),
];

/// A skin, how its joints were turned when it was bound, and the colours of its corners, part by part.
struct FilmBody {
    mesh: SkinnedMesh,
    binds: Vec<Quat>,
    colors: Vec<Vec<[f32; 4]>>,
}

/// Everything that is the same at every moment.
pub(super) struct FilmSet<'a> {
    take: &'a Take,
    bodies: Vec<FilmBody>,
    ground: Vec<Face>,
    things: Vec<(Presence, Vec<Face>)>,
    prints: Vec<(f32, Vec<Face>)>,
    movers: Vec<(Vec<Face>, &'a RigidTrack)>,
    ways: Vec<Face>,
}

impl<'a> FilmSet<'a> {
    pub fn new(take: &'a Take, cell: f32, lift: f32) -> Self {
        let body = |track: &Track| {
            let character = &track.character;
            let own = track.mesh.as_deref().cloned();
            let body = own.unwrap_or_else(|| capsule_body(&character.skeleton));
            let turns =
                body.inverse_binds.iter().map(|bind| bind.to_scale_rotation_translation().1);
            let binds = turns.collect();
            let colors = body.primitives.iter().map(|part| paint::colors(&body, part)).collect();
            FilmBody { mesh: body, binds, colors }
        };
        let surface = SceneGround::new(&take.head.ground);
        let ground = surface.mesh(cell).unwrap_or_default();
        let thing = |presence: Presence| {
            let faces = faces(&presence.obstacle.mesh(), STONE, Matter::Solid);
            (presence, faces)
        };
        let prints = take.tracks.iter().flat_map(|track| {
            track.footprints.iter().map(|print| {
                let side = track.character.rig.feet.get(print.foot).map(|foot| foot.side);
                let color = if side == Some(andante_skeleton::Side::Left) { LEFT } else { RIGHT };
                (print.landing, oval([print.heel, print.tip], print.normal, lift, color))
            })
        });
        Self {
            take,
            bodies: take.tracks.iter().map(body).collect(),
            ground: faces(&ground, EARTH, Matter::Ground),
            things: presences(take).into_iter().map(thing).collect(),
            prints: prints.collect(),
            movers: take
                .things
                .iter()
                .map(|thing| (faces(&thing.mesh, PAINT, Matter::Solid), thing))
                .collect(),
            ways: take.tracks.iter().flat_map(|track| way(track, &surface, lift)).collect(),
        }
    }

    /// All triangles at a moment.
    pub fn at(&self, time: f32) -> Vec<Face> {
        let mut faces = self.ground.clone();
        faces.extend(&self.ways);
        for (presence, thing) in &self.things {
            if presence.from <= time && time < presence.until {
                faces.extend(thing);
            }
        }
        for (landing, print) in &self.prints {
            if *landing <= time {
                faces.extend(print);
            }
        }
        let frame = (time * self.take.head.fps).round();
        for (own, thing) in &self.movers {
            let Some(place) = thing.at(frame.max(0.0) as usize) else { continue };
            faces.extend(own.iter().map(|face| Face {
                corners: face.corners.map(|corner| place.transform_point(corner)),
                normals: face.normals.map(|normal| place.rotation * normal),
                ..*face
            }));
        }
        for (index, track) in self.take.tracks.iter().enumerate() {
            self.body(index, track, time, &mut faces);
        }
        faces
    }

    fn body(&self, index: usize, track: &Track, time: f32, faces: &mut Vec<Face>) {
        let FilmBody { mesh: body, binds, colors } = &self.bodies[index];
        let mut pose = track.clip.frame(0).to_vec();
        track.clip.sample(time, Wrap::Clamp, &mut pose);
        let mut models = pose.clone();
        track.character.skeleton.local_to_model(&pose, &mut models);
        let turns: Vec<Quat> =
            models.iter().zip(binds).map(|(model, bind)| model.rotation * *bind).collect();
        for (part, colors) in body.primitives.iter().zip(colors) {
            let vertices = &part.vertices;
            let dye = DYES[index % DYES.len()] / 3.0;
            let tint = |corners: &[u32; 3]| {
                let of = |&corner: &u32| {
                    let [r, g, b, _] = colors[corner as usize];
                    Vec3::new(r, g, b)
                };
                corners.iter().map(of).sum::<Vec3>() * dye
            };
            let places: Vec<Vec3> = (0..vertices.positions.len())
                .map(|vertex| body.skin(vertices, vertex, &models))
                .collect();
            // Parts are stiff: the joint that carries most of a vertex turns its normal.
            let normals: Vec<Vec3> = (0..vertices.positions.len())
                .map(|vertex| {
                    let weights = &vertices.weights[vertex];
                    let most = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
                    let joint = usize::from(vertices.joints[vertex][most.unwrap_or(0)]);
                    let normal = vertices.normals.get(vertex).copied().unwrap_or(Vec3::Y);
                    turns.get(joint).map_or(normal, |turn| *turn * normal)
                })
                .collect();
            let (triangles, _) = part.indices.as_chunks::<3>();
            faces.extend(triangles.iter().map(|corners| Face {
                corners: corners.map(|corner| places[corner as usize]),
                normals: corners.map(|corner| normals[corner as usize]),
                color: tint(corners),
                matter: Matter::Solid,
            }));
        }
    }
}

fn faces(mesh: &andante_world::TriangleMesh, color: Vec3, matter: Matter) -> Vec<Face> {
    let smooth = mesh.smooth_normals();
    let normals = if mesh.normals.is_empty() { &smooth } else { &mesh.normals };
    let face = |triangle: &[u32; 3]| Face {
        corners: triangle.map(|corner| mesh.positions[corner as usize]),
        normals: triangle.map(|corner| normals[corner as usize]),
        color,
        matter,
    };
    mesh.triangles.iter().map(face).collect()
}

/// A footprint.
fn oval([heel, tip]: [Vec3; 2], normal: Vec3, lift: f32, color: Vec3) -> Vec<Face> {
    const CORNERS: usize = 12;
    let normal = normal.normalize_or(Vec3::Y);
    let ahead = 0.52 * (tip - heel);
    let across = 0.2 * normal.cross(ahead);
    let middle = 0.5 * (heel + tip) + lift * normal;
    let corner = |index: usize| {
        let around = Vec2::from_angle(index as f32 * std::f32::consts::TAU / CORNERS as f32);
        middle + around.x * ahead + around.y * across
    };
    let face = |index: usize| Face {
        corners: [middle, corner(index), corner(index + 1)],
        normals: [normal; 3],
        color,
        matter: Matter::Mark,
    };
    (0..CORNERS).map(face).collect()
}

/// A ribbon where the body goes.
fn way(track: &Track, ground: &SceneGround, lift: f32) -> Vec<Face> {
    use andante_world::Ground;
    let step = 6;
    let hips = |frame: usize| track.clip.frame(frame)[0].translation.y;
    let on_ground = |frame: usize| {
        let place = track.body[frame].position;
        let hit = ground.probe(Vec3::new(place.x, hips(frame), place.y), 4.0)?;
        Some(hit.point + lift * hit.normal)
    };
    let frames: Vec<usize> =
        (0..track.body.len().min(track.clip.frame_count())).step_by(step).collect();
    let mut faces = Vec::new();
    for pair in frames.windows(2) {
        let (Some(a), Some(b)) = (on_ground(pair[0]), on_ground(pair[1])) else { continue };
        let across = 0.016 * Vec3::Y.cross(b - a).normalize_or_zero();
        for corners in [[a - across, b - across, b + across], [a - across, b + across, a + across]]
        {
            faces.push(Face { corners, normals: [Vec3::Y; 3], color: WAY, matter: Matter::Mark });
        }
    }
    faces
}
