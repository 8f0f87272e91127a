//! Options of the commands that play scenes.

use super::PipeArgs;
use clap::{Args as ClapArgs, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// See what it can do, on built-in data alone
///
/// Plays the built-in scene `demo` as `andante run` does. Ends with the path of a report that opens in any browser.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante demo
  andante demo -o /tmp/demo --json | jq .metrics")]
pub struct DemoArgs {
    /// Where to write
    #[arg(long, short, value_name = "DIR", default_value = "out/demo")]
    pub output: PathBuf,
}

/// Find the way and the footsteps of every character in a scene
///
/// SCENE is a scene file or the name of a built-in scene.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante plan jumps --svg jumps.svg
  andante plan my-scene.toml --json | jq .timings_ms")]
pub struct PlanArgs {
    /// A scene file, or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub scene: String,
    /// The picture to draw (.svg): the world, the way and the footprints from above, with curvature and speed
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): everybody in the scene is it
    #[arg(long, value_name = "FILE")]
    pub character: Option<PathBuf>,
}

/// Play a scene and write what its characters do
///
/// Writes report.html, which opens in any browser, take.take with everything, take.glb with everybody and the world,
/// take-NAME.bvh for each (take.bvh for one alone), curves.csv, plan.svg and metrics.json.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante run jumps
  andante run my-scene.toml -o out/mine --json | jq .metrics
  andante run stairs --character mine.glb               somebody of yours, with its own skin")]
pub struct RunArgs {
    /// A scene file, or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub scene: String,
    /// Where to write; out/NAME if not given
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): everybody in the scene is it
    #[arg(long, value_name = "FILE")]
    pub character: Option<PathBuf>,
}

/// Check a take by other means than it was made with
///
/// Looks at every frame: goal and storey, ground under soles that are down, bodies in the world, in each other and in
/// themselves, joint limits, and whether anybody moves like that. SCENE is what was asked for; without it the take is
/// checked against what it says of itself. Exit code 1 if there is anything to be said against it.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante check out/jumps/take.take jumps
  andante check out/mine/take.take my-scene.toml --json | jq .violations")]
pub struct CheckArgs {
    /// A .take file
    #[arg(value_name = "TAKE")]
    pub take: PathBuf,
    /// The scene it was made for: a file, or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub scene: Option<String>,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): everybody in the scene was it, as for `andante run`
    #[arg(long, value_name = "FILE", requires = "scene")]
    pub character: Option<PathBuf>,
    /// Steepest ground that can be stood on, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 45.0)]
    pub slope: f32,
}

/// Draw a take: a picture, an animated picture or a filmstrip
///
/// Needs no display and no graphics card. TAKE is a file that `andante run` wrote, a scene, or a motion file.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante render out/demo/take.take -o demo.gif
  andante render jumps -o jump.png --from 6.2 --camera side
  andante render walk.bvh -o walk.svg                   a filmstrip
  andante render jumps -o frames/ --fps 30              a picture of every frame
  andante render jumps -o jumps.mp4 --fps 30            a film, with the ffmpeg of this machine
  andante render out/demo/take.take -o ben.gif --look-at Ben --from 4 --to 9 --fps 12")]
pub struct RenderArgs {
    /// A .take file, a scene file, the name of a built-in scene, or a .bvh, .amc, .glb, .gltf, .vrm, .fbx or .npz file
    #[arg(value_name = "TAKE")]
    pub take: String,
    /// Where to write: a .png, .gif, .svg or .mp4 file, or a directory for a picture of every frame
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub pipe: PipeArgs,
    /// Pixels from left to right
    #[arg(long, value_name = "N", default_value_t = 720)]
    pub width: usize,
    /// Pixels from top to bottom
    #[arg(long, value_name = "N", default_value_t = 405)]
    pub height: usize,
    /// Frames per second of what is written
    #[arg(long, value_name = "N", default_value_t = 20.0, allow_negative_numbers = true)]
    pub fps: f32,
    /// Begin at this second
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub from: Option<f32>,
    /// End at this second
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub to: Option<f32>,
    /// Where it is seen from
    #[arg(long, value_name = "VIEW", default_value = "follow")]
    pub camera: CameraArg,
    /// Look at this one instead of the first
    #[arg(long, value_name = "NAME")]
    pub look_at: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CameraArg {
    /// From ahead and to the side, moving along
    Follow,
    /// Going round
    Orbit,
    /// From above
    Top,
    /// From the side
    Side,
}

/// List the built-in scenes, or print one as a file to start from
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante scenes
  andante scenes house > my-house.toml")]
pub struct ScenesArgs {
    /// Print the file of this one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Open the studio: a window in which all of this can be seen, dragged and changed
///
/// It is a program of its own, andante-studio, which is found beside this one or on the path.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante studio
  andante studio my-scene.toml
  andante studio --room creature")]
pub struct StudioArgs {
    /// A project folder, a scene, a character file or a sketch, and options of the studio
    #[arg(value_name = "FILE", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}
