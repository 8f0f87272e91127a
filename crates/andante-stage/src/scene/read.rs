//! Reading scene files.

use super::schema::{self, GivenPlace, SceneFile};
use super::{CharacterSpec, FootstepMethod, GroundPatch, Scene, Waypoint};
use super::{moving, script};
use crate::BodyDrive;
use crate::settings::byte_of;
use andante_formats::gate::{path_in, read_text};
use andante_formats::{ReadError, ReadLimits};
use andante_plan::route::{RouteMethod, TwoTrees};
use andante_world::{
    MeshError, MeshGround, Obstacle, ObstacleOutline, ObstacleShape, Platform, Terrain,
    TriangleMesh,
};
use glam::{Vec2, Vec3};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;

/// Nothing in a scene is farther away or larger than this, in metres: single precision would show.
pub(crate) const FAR: f32 = 10_000.0;

/// Steps of one flight.
const MOST_STEPS: usize = 10_000;

/// What is wrong, and the bytes it is about.
pub(super) type Problem = (Range<usize>, String);

/// A scene from the text of its file. Errors name line and column. Meshes are read from the working
/// directory and below it.
///
/// ```
/// let text = r#"
/// version = 1
/// name = "yard"
/// [[platform]]
/// outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
/// [[character]]
/// start = { at = [1, 1] }
/// goal = { at = [7, 7], heading = 90 }
/// "#;
/// let yard = andante_stage::read_scene(text)?;
/// assert_eq!(yard.characters[0].goal.place.x, 7.0);
///
/// let error = andante_stage::read_scene(&text.replace("heading", "haeding")).unwrap_err();
/// assert!(error.to_string().starts_with("line 8, column 23: unknown field `haeding`"), "{error}");
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub fn read_scene(text: &str) -> Result<Scene, ReadError> {
    read_scene_in(Path::new(""), text)
}

/// The same with meshes and repertoires from a folder and below it.
pub fn read_scene_in(folder: &Path, text: &str) -> Result<Scene, ReadError> {
    read_in(&SceneFolder { path: folder, limits: &ReadLimits::default() }, text)
}

/// A scene whose meshes are in a folder.
fn read_in(folder: &SceneFolder, text: &str) -> Result<Scene, ReadError> {
    let at = |byte: usize, message: String| ReadError::at(text.as_bytes(), byte, message);
    let file: SceneFile = toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => at(span.start, error.message().to_string()),
        None => ReadError::file(error.message().to_string()),
    })?;
    let version = *file.version.get_ref();
    if version != 1 {
        let message = format!("version {version} is not known; this program reads version 1");
        return Err(at(file.version.span().start, message));
    }
    file.settings.check().map_err(|error| {
        at(byte_of(text, error.group.as_deref().unwrap_or_default(), error.key), error.message)
    })?;
    scene(folder, &file).map_err(|(span, message)| at(span.start, message))
}

/// A scene from a file. Errors name file, line and column; paths in it are taken from where it is.
pub fn read_scene_file(path: &Path) -> Result<Scene, ReadError> {
    read_scene_file_within(path, &ReadLimits::default())
}

/// The same with limits of one's own: paths in the file may lead out of its folder where they allow that.
pub fn read_scene_file_within(path: &Path, limits: &ReadLimits) -> Result<Scene, ReadError> {
    let text = read_text(path, limits)?;
    let folder = SceneFolder { path: path.parent().unwrap_or(Path::new(".")), limits };
    read_in(&folder, &text).map_err(|error| error.in_file(path))
}

/// Where the files are that a scene names.
struct SceneFolder<'a> {
    path: &'a Path,
    limits: &'a ReadLimits,
}

impl SceneFolder<'_> {
    fn file(&self, named: &str, span: Range<usize>) -> Result<PathBuf, Problem> {
        path_in(self.path, named, self.limits).map_err(|error| (span, error.message))
    }
}

fn scene(folder: &SceneFolder, file: &SceneFile) -> Result<Scene, Problem> {
    let mut ground = Vec::new();
    for (index, entry) in file.platform.iter().enumerate() {
        ground.push(match &entry.get_ref().mesh {
            Some(mesh) => level(folder, index, entry, mesh)?,
            None => patch(index, entry)?,
        });
    }
    for (index, entry) in file.stairs.iter().enumerate() {
        ground.extend(flight(index, entry)?);
    }
    if ground.is_empty() {
        let message = "there is no ground: a scene has at least one [[platform]] or [[stairs]]";
        return refused(&file.version.span(), message);
    }
    let mut obstacles = Vec::new();
    for (index, entry) in file.obstacle.iter().enumerate() {
        obstacles.extend(things(folder, index, entry)?);
    }
    let moving = file.moving_platform.iter().enumerate();
    let moving = moving
        .map(|(index, entry)| moving::platform(index, entry, &file.settings.moving_platforms));
    let moving = moving.collect::<Result<_, _>>()?;
    let mut scene = Scene {
        name: file.name.clone(),
        about: file.about.clone(),
        ground,
        obstacles,
        moving,
        characters: file
            .character
            .iter()
            .map(|entry| part(folder, entry))
            .collect::<Result<_, _>>()?,
        orders: Vec::new(),
        settings: file.settings,
    };
    script::read(file, &mut scene)?;
    Ok(scene)
}

/// Says what is wrong with some bytes.
pub(super) fn refused<T>(span: &Range<usize>, message: impl Into<String>) -> Result<T, Problem> {
    Err((span.clone(), message.into()))
}

/// Refuses what is not a place on earth.
pub(super) fn near<const N: usize>(
    what: &str,
    numbers: [f32; N],
    span: &Range<usize>,
) -> Result<[f32; N], Problem> {
    match numbers.iter().find(|number| !(-FAR..=FAR).contains(*number)) {
        Some(number) => {
            refused(span, format!("{what} is {number}; numbers are from -{FAR} to {FAR}"))
        }
        None => Ok(numbers),
    }
}

/// Refuses lengths that are none.
pub(super) fn long(what: &str, number: f32, span: &Range<usize>) -> Result<f32, Problem> {
    if number > 0.0 && number <= FAR {
        return Ok(number);
    }
    refused(span, format!("{what} is {number}; it must be above 0 and at most {FAR}"))
}

pub(super) fn named(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {}", index + 1) } else { name.into() }
}

fn patch(index: usize, entry: &Spanned<schema::GroundTable>) -> Result<GroundPatch, Problem> {
    let (span, ground) = (entry.span(), entry.get_ref());
    near("height", [ground.height.unwrap_or(0.0)], &span)?;
    let mut slope = Vec2::from(near("slope", ground.slope.unwrap_or_default(), &span)?);
    let (outline, origin, height) = match (&ground.outline, ground.at, ground.radius) {
        (Some(outline), None, None) => {
            if outline.len() < 3 {
                let count = outline.len();
                let message = format!("the outline has {count} corners; at least 3 are needed");
                return refused(&span, message);
            }
            let corner = |corner: &GivenPlace| near("outline", corner.place, &span).map(Vec2::from);
            let corners: Vec<Vec2> = outline.iter().map(corner).collect::<Result<_, _>>()?;
            let heights: Vec<f32> = outline.iter().filter_map(|corner| corner.height).collect();
            near("outline", [heights.iter().fold(0.0, |far, y| y.abs().max(far))], &span)?;
            if !heights.is_empty() {
                slope = plane(&corners, &heights, ground).map_err(|why| (span.clone(), why))?;
            }
            let origin = corners[0];
            (corners, origin, heights.first().copied().or(ground.height))
        }
        (None, Some(given), Some(radius)) => {
            let at = Vec2::from(near("at", given.place, &span)?);
            let height = given.height_or(ground.height).map_err(|why| (span.clone(), why))?;
            near("at", [height.unwrap_or(0.0)], &span)?;
            let radius = long("radius", radius, &span)?;
            (ObstacleOutline::Disc { at, radius }.corners(), at, height)
        }
        _ => {
            return refused(
                &span,
                "a platform has an outline, or a place `at` and a radius, or a mesh",
            );
        }
    };
    let terrain = ground.terrain.as_ref().map(|terrain| {
        terrain
            .get_ref()
            .parse()
            .map_err(|error: andante_world::TerrainError| (terrain.span(), error.to_string()))
    });
    let name = named(&ground.name, "platform", index);
    let height = height.unwrap_or(0.0) - slope.dot(origin);
    Ok(GroundPatch {
        platform: Platform { name, outline, height, slope },
        terrain: terrain.transpose()?,
    })
}

/// The triangles of a file as ground.
fn level(
    folder: &SceneFolder,
    index: usize,
    entry: &Spanned<schema::GroundTable>,
    mesh: &Spanned<String>,
) -> Result<GroundPatch, Problem> {
    let (span, ground) = (entry.span(), entry.get_ref());
    let schema::GroundTable { outline, radius, slope, terrain, .. } = ground;
    if outline.is_some() || radius.is_some() || slope.is_some() || terrain.is_some() {
        return refused(&span, "a `mesh` says where the ground is; it may be put `at` a place");
    }
    let at = ground.at.unwrap_or(GivenPlace { place: [0.0; 2], height: None });
    let height = at.height_or(ground.height).map_err(|why| (span.clone(), why))?;
    let [x, z] = near("at", at.place, &span)?;
    let [y] = near("height", [height.unwrap_or(0.0)], &span)?;
    let (file, span) = (folder.file(mesh.get_ref(), mesh.span())?, mesh.span());
    let problem = |error: MeshError| (span.clone(), format!("{}: {error}", file.display()));
    let mut mesh = TriangleMesh::read(&file, folder.limits)
        .map_err(|error| (span.clone(), error.to_string()))?;
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for corner in &mut mesh.positions {
        *corner += Vec3::new(x, y, z);
        near("a coordinate of the mesh", corner.to_array(), &span)?;
        low = low.min(Vec2::new(corner.x, corner.z));
        high = high.max(Vec2::new(corner.x, corner.z));
    }
    let mesh = MeshGround::new(mesh).map_err(problem)?;
    let (low, high) = (low - LEVEL_RIM, high + LEVEL_RIM);
    let outline = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let platform = Platform::level(named(&ground.name, "platform", index), outline, 0.0);
    Ok(GroundPatch { platform, terrain: Some(Terrain::Mesh(Arc::new(mesh))) })
}

/// How much more than its triangles the outline of a level covers, in metres, so that none is cut by rounding.
const LEVEL_RIM: f32 = 0.01;

/// How much higher the plane through corners of known heights is a metre along x and along z.
fn plane(corners: &[Vec2], heights: &[f32], ground: &schema::GroundTable) -> Result<Vec2, String> {
    if heights.len() < corners.len() {
        return Err("corners are `[x, z]` or `[x, y, z]`, but all alike".into());
    }
    if ground.height.is_some() || ground.slope.is_some() {
        return Err("corners `[x, y, z]` say the height and the slope; leave the keys out".into());
    }
    let from = |corner: usize| (corners[corner] - corners[0], heights[corner] - heights[0]);
    // The two sides from the first corner that span the largest triangle.
    let pairs = (1..corners.len()).flat_map(|b| (1..b).map(move |a| (a, b)));
    let area = |&(a, b): &(usize, usize)| from(a).0.perp_dot(from(b).0).abs();
    let (a, b) = pairs.max_by(|one, two| area(one).total_cmp(&area(two))).unwrap_or((0, 0));
    let ((a, up_a), (b, up_b)) = (from(a), from(b));
    let area = a.perp_dot(b);
    if area.abs() < 1e-6 {
        return Err("the corners of the outline lie on one line".into());
    }
    let slope = Vec2::new(up_a * b.y - up_b * a.y, up_b * a.x - up_a * b.x) / area;
    for corner in 0..corners.len() {
        let (at, up) = from(corner);
        let off = up - slope.dot(at);
        if off.abs() > 1e-3 {
            return Err(format!("corner {} is {off:.3} m off the plane of the others", corner + 1));
        }
    }
    Ok(slope)
}

fn flight(index: usize, entry: &Spanned<schema::StairsTable>) -> Result<Vec<GroundPatch>, Problem> {
    let (span, stairs) = (entry.span(), entry.get_ref());
    if !(1..=MOST_STEPS).contains(&stairs.steps) {
        return refused(&span, format!("{} steps; there are 1 to {MOST_STEPS}", stairs.steps));
    }
    let at = Vec2::from(near("at", stairs.at.place, &span)?);
    let height = stairs.at.height_or(stairs.height).map_err(|why| (span.clone(), why))?;
    let height = height.unwrap_or(0.0);
    near("heading, rise and height", [stairs.heading, stairs.rise, height], &span)?;
    let (width, run) = (long("width", stairs.width, &span)?, long("run", stairs.run, &span)?);
    let (sin, cos) = libm::sincosf(stairs.heading.to_radians());
    let (up, across) = (Vec2::new(sin, cos), Vec2::new(cos, -sin) * (0.5 * width));
    let name = named(&stairs.name, "stairs", index);
    let step = |number: usize| {
        let (from, to) = (at + number as f32 * run * up, at + (number + 1) as f32 * run * up);
        let outline = vec![from - across, from + across, to + across, to - across];
        let height = height + (number + 1) as f32 * stairs.rise;
        GroundPatch {
            platform: Platform::level(format!("{name}, step {}", number + 1), outline, height),
            terrain: None,
        }
    };
    Ok((0..stairs.steps).map(step).collect())
}

/// An obstacle, or the pieces of one.
fn things(
    folder: &SceneFolder,
    index: usize,
    entry: &Spanned<schema::ObstacleTable>,
) -> Result<Vec<Obstacle>, Problem> {
    let (span, thing) = (entry.span(), entry.get_ref());
    let at = Vec3::from(near("at", thing.at, &span)?);
    near("heading", [thing.heading], &span)?;
    let (name, heading) = (named(&thing.name, "obstacle", index), thing.heading.to_radians());
    let schema::ObstacleTable { size, radius, tall, mesh, vertices, triangles, .. } = thing;
    let shape = match (size, radius, tall, mesh, vertices, triangles) {
        (Some(size), None, None, None, None, None) => {
            size.iter().try_for_each(|&side| long("a side of the box", side, &span).map(|_| ()))?;
            ObstacleShape::Box(Vec3::from(*size))
        }
        (None, Some(radius), Some(tall), None, None, None) => ObstacleShape::Cylinder {
            radius: long("radius", *radius, &span)?,
            height: long("tall", *tall, &span)?,
        },
        (None, None, None, Some(path), None, None) => {
            let file = folder.file(path.get_ref(), path.span())?;
            let mesh = TriangleMesh::read(&file, folder.limits)
                .map_err(|error| (path.span(), error.to_string()))?;
            for vertex in &mesh.positions {
                near("a coordinate of the mesh", vertex.to_array(), &path.span())?;
            }
            let pieces = Obstacle::of_mesh(&name, &mesh, at, heading);
            return pieces.map_err(|error| (path.span(), format!("{}: {error}", file.display())));
        }
        (None, None, None, None, Some(vertices), Some(triangles)) => {
            let mut mesh = TriangleMesh::default();
            for vertex in vertices {
                let place = near("a coordinate", *vertex.get_ref(), &vertex.span())?;
                mesh.positions.push(place.into());
            }
            mesh.triangles = triangles.iter().map(|corners| *corners.get_ref()).collect();
            let pieces = Obstacle::of_mesh(&name, &mesh, at, heading);
            return pieces.map_err(|error| match error {
                MeshError::Index { triangle, .. } => {
                    (triangles[triangle].span(), error.to_string())
                }
                _ => (span, error.to_string()),
            });
        }
        _ => {
            return refused(
                &span,
                "an obstacle is either a `box = [width, height, depth]`, or has a radius and is `tall`, or has \
                 vertices and triangles, or a `mesh` file of them",
            );
        }
    };
    Ok(vec![Obstacle { name, shape, at, heading }])
}

fn part(
    folder: &SceneFolder,
    entry: &Spanned<schema::CharacterTable>,
) -> Result<CharacterSpec, Problem> {
    let (span, character) = (entry.span(), entry.get_ref());
    if let Some(height) = character.height.filter(|height| !(0.5..=3.0).contains(height)) {
        return refused(&span, format!("height is {height}; it is from 0.5 to 3 m"));
    }
    let post = |entry: &Spanned<schema::WaypointTable>| waypoint(entry.get_ref(), &entry.span());
    let start = post(&character.start)?;
    let routes = [
        ("navigation_mesh", RouteMethod::NavigationMesh),
        ("two_trees", RouteMethod::TwoTrees(TwoTrees::default())),
    ];
    let footsteps = [("route", FootstepMethod::Route), ("roadmap", FootstepMethod::Roadmap)];
    Ok(CharacterSpec {
        name: character.name.clone(),
        character: match &character.character {
            file if Path::new(file).extension().is_some() => {
                folder.file(file, entry.span())?.to_string_lossy().into_owned()
            }
            name => name.clone(),
        },
        repertoire: match &character.repertoire {
            Some(named) => Some(folder.file(named, entry.span())?),
            None => None,
        },
        height: character.height,
        start,
        goal: character.goal.as_ref().map(post).transpose()?.unwrap_or(start),
        run: character.run,
        jump: character.jump,
        nature: known("body", character.body.as_ref(), &BodyDrive::NAMES)?,
        route: known("route", character.route.as_ref(), &routes)?,
        footsteps: known("way to step", character.steps.as_ref(), &footsteps)?,
    })
}

/// What a word stands for.
fn known<T: Copy + Default>(
    what: &str,
    given: Option<&Spanned<String>>,
    names: &[(&str, T)],
) -> Result<T, Problem> {
    let Some(given) = given else { return Ok(T::default()) };
    let known = names.iter().find(|(name, _)| name == given.get_ref());
    known.map(|(_, meant)| *meant).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        (given.span(), format!("no {what} is `{}`; it is one of {names}", given.get_ref()))
    })
}

pub(super) fn waypoint(
    given: &schema::WaypointTable,
    span: &Range<usize>,
) -> Result<Waypoint, Problem> {
    let place = Vec2::from(near("at", given.at.place, span)?);
    let height = given.at.height_or(given.height).map_err(|why| (span.clone(), why))?;
    let numbers = [height, given.heading].map(|number| number.unwrap_or(0.0));
    near("height and heading", numbers, span)?;
    Ok(Waypoint { place, height, heading: given.heading.map(f32::to_radians) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const YARD: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
[[stairs]]
at = [4, 8]
width = 2
steps = 3
rise = 0.2
run = 0.3
[[obstacle]]
at = [4, 0, 4]
box = [1, 2, 1]
[[character]]
start = { at = [1, 1] }
goal = { at = [7, 7], heading = 90 }
"#;

    fn refused(from: &str, to: &str) -> String {
        assert!(YARD.contains(from));
        read_scene(&YARD.replace(from, to)).map(|_| ()).unwrap_err().to_string()
    }

    /// Places with heights mean the same wherever they stand, and what is not on ground is refused by name.
    #[test]
    fn places_of_three_numbers_are_where_they_say() {
        const HOUSE: &str = r#"version = 1
name = "house"
[[platform]]
outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
[[platform]]
outline = [[0, 3, 0], [8, 3, 0], [8, 5, 4], [0, 5, 4]]
[[platform]]
at = [20, 30, 0]
radius = 2
[[stairs]]
at = [4, 1, 8]
width = 2
steps = 2
rise = 0.2
run = 0.3
[[character]]
name = "up"
start = { at = [1, 3.5, 1] }
goal = { at = [7, 0, 2], heading = 90 }
[[character]]
name = "high"
start = { at = [20, 30.2, 0] }
[[command]]
who = "up"
patrol = [[1, 0, 1], { at = [1, 1], height = 3.4 }]
[[command]]
who = "up"
path = [[1, 0, 1], [2, 3.6, 1]]
"#;
        let house = read_scene(HOUSE).unwrap();
        let near = |a: Option<f32>, b: f32| a.is_some_and(|a| (a - b).abs() < 1e-4);
        let [up, high] = &house.characters[..] else { panic!() };
        assert!(near(up.start.height, 3.5) && near(high.start.height, 30.0), "{up:?} {high:?}");
        let heights = |command: &crate::Command| match command {
            crate::Command::Patrol(posts) | crate::Command::Path(posts) => {
                posts.iter().map(|post| post.height).collect::<Vec<_>>()
            }
            crate::Command::RunTo(post) => vec![post.height],
            _ => vec![],
        };
        let all: Vec<_> = house.orders.iter().flat_map(|order| heights(&order.command)).collect();
        let wanted = [0.0, 0.0, 3.5, 0.0, 3.5];
        assert!(all.iter().zip(wanted).all(|(a, b)| near(*a, b)) && all.len() == 5, "{all:?}");
        assert!((house.ground[1].platform.height_at(Vec2::new(3.0, 2.0)) - 4.0).abs() < 1e-5);
        assert!((house.ground[3].platform.height - 1.2).abs() < 1e-6, "{:?}", house.ground[3]);

        let refused = |from: &str, to: &str| {
            assert!(HOUSE.contains(from));
            read_scene(&HOUSE.replace(from, to)).map(|_| ()).unwrap_err().to_string()
        };
        let nowhere = "no ground at a height of 9 m";
        for (from, to, message) in [
            ("[20, 30.2, 0]", "[20, 9, 0]", "there it is at 30.00 m"),
            ("[1, 3.5, 1]", "[1, 9, 1]", nowhere),
            ("[7, 0, 2]", "[7, 9, 2]", nowhere),
            ("patrol = [[1, 0, 1]", "patrol = [[1, 9, 1]", nowhere),
            ("[2, 3.6, 1]", "[2, 9, 1]", nowhere),
            ("[1, 3.5, 1]", "[50, 0, 1]", "there is no ground at [50, 1]"),
            ("[8, 5, 4]", "[8, 5.1, 4]", "off the plane of the others"),
            ("[8, 5, 4]", "[8, 4]", "all alike"),
            ("at = [4, 1, 8]", "height = 2\nat = [4, 1, 8]", "said twice"),
            ("[20, 30, 0]", "[20, 30, 0, 1]", "found 4 numbers"),
        ] {
            let error = refused(from, to);
            assert!(error.contains(message) && error.starts_with("line "), "{to}: {error}");
        }
    }

    #[test]
    fn a_start_and_a_goal_are_places_as_those_of_commands_are() {
        let short = |start: &str| {
            let text = YARD.replace("start = { at = [1, 1] }", start);
            assert_ne!(text, YARD);
            read_scene(&text).map(|scene| scene.characters[0].start)
        };
        let whole = short("start = { at = [1.0, 0.0, 1.0] }").unwrap();
        assert_eq!(short("start = [1, 0, 1]").unwrap(), whole);
        for (wrong, message) in [
            ("start = 3", "expected a place `[x, z]`"),
            ("start = [1]", "found 1 numbers"),
            ("start = { at = [1, 1], haeding = 3 }", "unknown field `haeding`"),
            ("start = { heading = 3 }", "missing field `at`"),
        ] {
            let error = short(wrong).unwrap_err().to_string();
            assert!(error.contains(message) && error.starts_with("line "), "{wrong}: {error}");
        }
    }

    const BOX: &str = "box = [1, 2, 1]";

    /// A tent instead of the box, with a mistake.
    fn tent(from: &str, to: &str) -> String {
        let tent = "vertices = [\n  [0, 0.8, 0], [-1, 0, -1], [1, 0, -1], [0, 0, 1]]\n\
                    triangles = [[0, 3, 1], [0, 1, 2], [0, 2, 3]]\n";
        assert!(tent.contains(from));
        tent.replacen(from, to, 1)
    }

    #[test]
    fn triangles_stand_where_they_are_put_and_are_one_obstacle_for_each_piece() {
        let text =
            YARD.replace(BOX, &tent("", "")).replace("[4, 0, 4]", "[4, 0.5, 4]\nheading = 90");
        let scene = read_scene(&text).unwrap();
        let [tent] = &scene.obstacles[..] else { panic!("{:?}", scene.obstacles) };
        assert_eq!((tent.name.as_str(), tent.bottom(), tent.top()), ("obstacle 1", 0.5, 1.3));
        // Its tip leads along its heading.
        assert!(tent.distance_beside(Vec2::new(4.99, 4.0)) == 0.0);
        assert!((tent.distance_beside(Vec2::new(5.5, 4.0)) - 0.5).abs() < 1e-5);

        // Two of the triangles without the vertex that joins them.
        let apart = "vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [3, 0, 0], [4, 0, 0], [3, 1, 0]]\n\
                     triangles = [[0, 1, 2], [3, 4, 5]]\nname = \"rocks\"";
        let scene = read_scene(&YARD.replace(BOX, apart)).unwrap();
        let names: Vec<&str> = scene.obstacles.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["rocks, piece 1", "rocks, piece 2"]);
    }

    #[test]
    fn a_mesh_file_is_looked_for_beside_the_scene() {
        let folder = std::env::temp_dir().join(format!("andante-mesh-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let rock = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        std::fs::write(folder.join("rock.obj"), rock).unwrap();
        let scene = folder.join("yard.toml");
        std::fs::write(&scene, YARD.replace(BOX, "mesh = \"rock.obj\"")).unwrap();
        let read = read_scene_file(&scene).unwrap();
        assert_eq!((read.obstacles.len(), read.obstacles[0].top()), (1, 1.0));
        std::fs::write(folder.join("rock.obj"), "v 0 0 0\nf 1 1 1\n").unwrap();
        let error = read_scene_file(&scene).unwrap_err().to_string();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(
            error.contains("yard.toml") && error.contains("rock.obj") && error.contains("area"),
            "{error}"
        );
    }

    #[test]
    fn stairs_become_steps_that_lead_up_along_their_heading() {
        let scene = read_scene(YARD).unwrap();
        let heights: Vec<f32> =
            scene.ground[1..].iter().map(|patch| patch.platform.height).collect();
        assert_eq!(heights, [0.2, 0.4, 0.6]);
        assert!(scene.ground[3].platform.contains(Vec2::new(4.0, 8.75)));
        let turned = read_scene(&YARD.replace("at = [4, 8]", "at = [8, 4]\nheading = 90")).unwrap();
        assert!(turned.ground[3].platform.contains(Vec2::new(8.75, 4.0)));
    }

    #[test]
    fn a_sloping_platform_has_its_height_at_its_first_corner() {
        let text = YARD
            .replace("[0, 8]]\n", "[0, 8]]\nheight = 1\nslope = [0.5, 0]\n")
            .replace("[[0, 0], [8, 0]", "[[2, 0], [8, 0]")
            .replace("at = [1, 1]", "at = [3, 1]");
        let platform = &read_scene(&text).unwrap().ground[0].platform;
        assert!((platform.height_at(Vec2::new(2.0, 0.0)) - 1.0).abs() < 1e-6);
        assert!((platform.height_at(Vec2::new(4.0, 3.0)) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn the_documented_scene_is_read() {
        let page = include_str!("../../../../docs/scenes.md");
        let block = |number: usize| page.split("```toml").nth(number)?.split("```").next();
        let scene = read_scene(block(1).unwrap()).unwrap();
        assert_eq!((scene.ground.len(), scene.obstacles.len(), scene.characters.len()), (11, 2, 1));
        // The tent; the gate is in a file.
        let tent = block(2).and_then(|tent| tent.split("[[obstacle]]").nth(1)).unwrap();
        let scene = read_scene(&format!("{}[[obstacle]]{tent}", block(1).unwrap())).unwrap();
        assert_eq!((scene.obstacles[2].name.as_str(), scene.obstacles[2].top()), ("tent", 1.2));
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        for (from, to, line, says) in [
            ("version = 1", "version = 2", "line 1, column 11", "version 2"),
            ("steps = 3", "steps = 0", "line 5", "0 steps"),
            ("[8, 8], [0, 8]]", "[8, nan], [0, 8]]", "line 3", "NaN"),
            ("[[0, 0], [8, 0], [8, 8], [0, 8]]", "[[0, 0], [8, 0]]", "line 3", "2 corners"),
            ("box = [1, 2, 1]", "box = [1, -2, 1]", "line 11", "-2"),
            ("box = [1, 2, 1]", "radius = 1", "line 11", "either"),
            (
                "box = [1, 2, 1]",
                "box = [1, 2, 1]\nvertices = []\ntriangles = []",
                "line 11",
                "either",
            ),
            (
                "box = [1, 2, 1]",
                "mesh = \"no.glb\"\nvertices = []\ntriangles = []",
                "line 11",
                "either",
            ),
            ("box = [1, 2, 1]", "vertices = []", "line 11", "either"),
            ("box = [1, 2, 1]", "vertices = []\ntriangles = []", "line 11", "no triangles"),
            ("box = [1, 2, 1]", "mesh = \"no.glb\"", "line 13, column 8", "no.glb"),
            ("box = [1, 2, 1]", "mesh = \"no.txt\"", "line 13, column 8", ".gltf"),
            (
                BOX,
                &tent("[0, 1, 2]", "[0, 1, 9]"),
                "line 15, column 25",
                "triangle 1 uses vertex 9, and there are 4",
            ),
            (BOX, &tent("[0, 1, 2]", "[0, -1, 2]"), "line 15, column 29", "-1"),
            (BOX, &tent("[0, 1, 2]", "[0, 1]"), "line 15", "3"),
            (BOX, &tent("0.8", "inf"), "line 14, column 3", "inf"),
            (BOX, &tent("[0, 3, 1], [0, 1, 2], [0, 2, 3]", "[0, 3, 3]"), "line 11", "has an area"),
            ("goal = {", "gaol = {", "line 16, column 1", "gaol"),
            ("run = 0.3", "run = \"x\"", "line 10, column 7", "expected f32"),
            ("run = 0.3", "run = 0.3\nwith = 2", "line 11, column 1", "with"),
            ("at = [1, 1]", "at = [1, inf]", "line 15", "inf"),
        ] {
            let error = refused(from, to);
            assert!(error.contains(line) && error.contains(says), "{from} -> {to}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd_to_be_refused_in_peace(cut in 0..YARD.len(), with in "\\PC{0,12}") {
            let mut text: String = YARD.into();
            text.replace_range(cut..cut + 1, &with);
            let _ = read_scene(&text);
        }
    }
}
