//! The command line as `--help` shows it.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Gives any character a way to move.
///
/// Reads and writes motion capture and character files (BVH, ASF/AMC, glTF) and says what is in them; edits, retargets
/// and makes motions; puts them on uneven ground; finds ways and footsteps to a goal; and knows bodies with mass and springs. A
/// human and seven creatures are built in, for when there is no file at all.
///
/// Everything is in metres, seconds and radians, Y up, facing +Z; files in other units are converted
/// when they are read.
#[derive(Parser)]
#[command(name = "andante", version, styles = STYLES, max_term_width = 100, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str =
    "Start with `andante demo`. `andante COMMAND --help` shows examples for each command.";

const LONG_EXAMPLES: &str = "Examples:
  andante demo                         see what it can do
  andante inspect walk.bvh             what is in this file?
  andante convert walk.bvh walk.glb    open it in a glTF viewer
  andante convert clips/*.bvh out/     a whole directory, on all cores
  andante inspect walk.bvh --json      the same for scripts
  andante ground walk --terrain stairs:0.17:0.29 -o climb.glb
  andante run jumps                    to a goal over two gaps

Exit codes: 0 done; 1 the work failed; 2 bad input or usage.";

/// Options of every command.
#[derive(ClapArgs)]
pub struct GlobalArgs {
    /// Print exactly one JSON document on stdout
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,
    /// No progress bars and no warnings
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// Seed of everything random: the same seed gives the same result
    #[arg(
        long,
        global = true,
        default_value_t = 1,
        value_name = "N",
        help_heading = "Global options"
    )]
    pub seed: u64,
}

#[derive(Subcommand)]
pub enum Command {
    Demo(DemoArgs),
    Convert(ConvertArgs),
    Inspect(InspectArgs),
    Retarget(RetargetArgs),
    Ground(GroundArgs),
    Plan(PlanArgs),
    Run(RunArgs),
    Render(RenderArgs),
    Scenes(ScenesArgs),
    Edit(EditArgs),
    Repertoire(RepertoireArgs),
    Clips(ClipsArgs),
    Characters(CharactersArgs),
    Modes(ModesArgs),
    Gait(GaitArgs),
    Sketches(SketchesArgs),
    Simulate(SimulateArgs),
    Push(PushArgs),
    Bench(BenchArgs),
}

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

/// Convert between BVH, ASF/AMC and glTF
///
/// The format follows from the extension: .bvh, .amc (with its .asf), .glb, .gltf. With a directory as
/// OUT every input becomes a file in it. Files are written whole or not at all.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante convert 16_15.bvh walk.glb                    a person as a mannequin, to look at
  andante convert 16_15.bvh walk.bvh --fps 60 --drop-first-frame
  andante convert mocap/*.bvh out/ --to glb             many files, on all cores
  andante convert dance.asf dance.amc dance.glb         the skeleton comes with the motion
  andante convert horse.glb walk.bvh --clip Walk        one animation of several
  andante convert robot.bvh robot.glb --scale 0.01 --up z")]
pub struct ConvertArgs {
    /// Files to read, then the file or directory to write
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Resample to this many frames per second
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// Leave out the first frame (CMU files begin with a T-pose)
    #[arg(long)]
    pub drop_first_frame: bool,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Format of the files written to a directory
    #[arg(long, value_name = "FORMAT", default_value = "glb")]
    pub to: OutputFormat,
    /// What the character looks like in a glTF file
    #[arg(long, value_name = "BODY", default_value = "auto")]
    pub body: Body,
}

/// What is in a file, what the motion is, and what is odd about it
///
/// Shows the skeleton, units and timing; what kind of motion it is, when which foot is down, strides, speed and
/// turning, how much the feet slide; and whatever looks like a mistake: T-pose first frames, dropouts, missing frames.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante inspect 16_15.bvh
  andante inspect 16_15.bvh --svg walk.svg      filmstrip, contacts, speed and foot heights
  andante inspect horse.glb --clip Trot
  andante inspect 16_15.bvh --json | jq .warnings")]
pub struct InspectArgs {
    /// The file to look at
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// List every joint
    #[arg(long)]
    pub joints: bool,
    /// Draw a filmstrip with charts of contacts, speed and foot heights
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
}

/// Put a motion on another character
///
/// Proportions, joint counts and rest poses may differ. The way is scaled with the length of the legs and the feet are
/// planted on the ground afterwards.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante retarget 16_15.bvh --to humanoid walk.glb
  andante retarget walk.bvh --to robot.glb walk-of-the-robot.bvh
  andante retarget 16_15.bvh --to humanoid walk.bvh --json | jq .metrics")]
pub struct RetargetArgs {
    /// The motion
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// A built-in character or a file with the skeleton
    #[arg(long, value_name = "CHARACTER")]
    pub to: String,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Leave the feet where the joint angles put them
    #[arg(long)]
    pub no_planting: bool,
}

/// Adapt a motion to uneven ground
///
/// Feet land where the ground carries them, soles lie on it, legs and body follow; on level ground the motion stays
/// as it is. The way begins at the origin and leads along +Z. Terrains:
///
///   flat
///   slope:DEG[:HEADING]      uphill along the heading, 90 is across; a negative slope leads down
///   stairs:RISE:RUN          up along the way after two metres; a negative rise leads down
///   hills:AMPLITUDE:LENGTH   waves in both directions
///   random:SEED              bumps
///   FILE                     .csv profile or grid, .obj or .glb mesh, or a motion whose feet were on such ground
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  andante ground walk --terrain stairs:0.17:0.29 -o climb.glb
  andante ground 16_15.bvh --terrain hills:0.25:2 --svg hills.svg
  andante ground horse.glb --clip Walk --terrain slope:-15 --distance 20 -o downhill.glb
  andante ground walk --terrain 03_02.bvh --json | jq .metrics"
)]
pub struct GroundArgs {
    /// A motion file, or the name of a built-in clip
    #[arg(value_name = "CLIP")]
    pub input: String,
    /// What to walk on
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub terrain: String,
    /// The file to write; in .glb and .gltf files the ground is part of it
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw it from the side, with where ankles should go and where they go
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
    /// How many metres to go; motions that repeat go 10, others to their end
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub distance: Option<f32>,
    /// Turn this many degrees per second besides the motion's own turning
    #[arg(long, value_name = "DEG", default_value_t = 0.0, allow_negative_numbers = true)]
    pub turn: f32,
    /// Frames per second of what is written
    #[arg(long, value_name = "N", default_value_t = 60.0, allow_negative_numbers = true)]
    pub fps: f32,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArgs,
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
    /// Draw the world, the way and the footprints from above, with curvature and speed
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
}

/// Play a scene and write what its characters do
///
/// Writes report.html, which opens in any browser, take.take with everything, take.glb with everybody and the world,
/// take-NAME.bvh for each (take.bvh for one alone), curves.csv, plan.svg and metrics.json.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante run jumps
  andante run my-scene.toml -o out/mine --json | jq .metrics")]
pub struct RunArgs {
    /// A scene file, or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub scene: String,
    /// Where to write; out/NAME if not given
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Draw a take: a picture, an animated picture or a filmstrip
///
/// Needs no display and no graphics card. TAKE is a file that `andante run` wrote, a scene, or a motion file.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante render out/demo/take.take -o demo.gif
  andante render jumps -o jump.png --from 6.2 --camera side
  andante render walk.bvh -o walk.svg                   a filmstrip
  andante render out/demo/take.take -o ben.gif --character Ben --from 4 --to 9 --fps 12")]
pub struct RenderArgs {
    /// A .take file, a scene file, the name of a built-in scene, or a .bvh, .amc, .glb or .gltf file
    #[arg(value_name = "TAKE")]
    pub take: String,
    /// The file to write: .png, .gif or .svg
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Pixels from left to right
    #[arg(long, value_name = "N", default_value_t = 720)]
    pub width: usize,
    /// Pixels from top to bottom
    #[arg(long, value_name = "N", default_value_t = 405)]
    pub height: usize,
    /// Frames per second of an animation
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
    pub character: Option<String>,
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

/// Find a cyclic gait for a sketch, or play the one found before
///
/// Turns a movement described with natural modes into physically simulated locomotion that repeats itself: where it starts,
/// how long its phases are and how strong each mode is pushed. Writes gait.toml, gait.glb, gait.bvh,
/// gait.svg, report.html and gait.repertoire, and at every step search.bin, from which --resume goes on. Ctrl-C keeps the best so
/// far. Several sketches are worked on one after the other.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante gait basic-run                 as it was found before
  andante gait basic-run --search --seed 2
  andante gait kangaroo-hop -o out/hop --search --minutes 5
  andante gait basic-run --resume        go on where it was stopped
  andante gait basic-run yaw-run --search --speed 2.5")]
pub struct GaitArgs {
    /// Built-in sketches (`andante sketches`) or files (.toml)
    #[arg(value_name = "SKETCH", required = true)]
    pub sketches: Vec<String>,
    /// Where to write; out/SKETCH if left out. Several have a directory each in it
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Search anew, even if a gait of this sketch was found before
    #[arg(long)]
    pub search: bool,
    /// How long to search for each at most
    #[arg(long, value_name = "M", default_value_t = 10.0, allow_negative_numbers = true)]
    pub minutes: f64,
    /// Threads; 0 for all cores. The result is the same for any number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Go on from the checkpoint in the output directory
    #[arg(long)]
    pub resume: bool,
    /// Milliseconds of one step of the simulation
    #[arg(long, value_name = "MS", default_value_t = 2.0, allow_negative_numbers = true)]
    pub step: f64,
    /// The least mean speed, m/s, instead of the sketch's
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub speed: Option<f64>,
    /// Drive single joints instead of modes, for comparison
    #[arg(long)]
    pub canonical: bool,
    /// Search by the method of multipliers with the published settings; takes hours
    #[arg(long)]
    pub published: bool,
}

/// List the built-in sketches of gaits, or print the file of one
#[derive(ClapArgs)]
pub struct SketchesArgs {
    /// Print the file of this one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
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

/// Cut, join, mirror, loop and re-time motions
///
/// Operations are applied from left to right:
///
///   trim=FROM:TO       keep these seconds
///   cut=FROM:TO        leave these seconds out
///   append=FILE[:FADE] go on with another motion where this one ends (fade in seconds)
///   resample=FPS       another frame rate
///   speed=FACTOR       2 plays twice as fast
///   retime=M/S         play so that it travels at this speed
///   mirror             left for right
///   reverse            backwards
///   loop               close its best stride, or else all of it, into a cycle
///   plant              remove the foot slide of the capture
///   posture=TIME       the pose at a time, as a clip of one frame
///   mix=FILE:T         between this motion (T=0) and another (T=1), or beyond
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  andante edit 16_15.bvh step.bvh plant loop
  andante edit walk.bvh left.bvh mirror
  andante edit walk.bvh fast.glb trim=0.5:2.5 speed=1.3
  andante edit walk.bvh both.bvh append=run.bvh:0.3"
)]
pub struct EditArgs {
    /// The motion
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// What to do, in this order
    #[arg(required = true, value_name = "OPERATION")]
    pub operations: Vec<String>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
}

/// Make a repertoire of a directory of motions
///
/// Every motion is analysed; strides are cut out, closed and aligned by phase, so that they can be blended by speed and
/// turn.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante repertoire mocap/cmu/16 -o subject16.repertoire
  andante repertoire built-in -o human.repertoire
  andante repertoire subject16.repertoire")]
pub struct RepertoireArgs {
    /// A directory of motions of one skeleton, a repertoire file to look at, or `built-in`
    #[arg(value_name = "DIR")]
    pub source: PathBuf,
    /// Where to write the repertoire
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// List the built-in motions
///
/// They are made by our own generator from published gait data, for any height. With a name or a speed, one of
/// them is shown and can be written.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante clips
  andante clips walk -o walk.glb --svg walk.svg
  andante clips --speed 2.8 --turn 30 -o jog-left.bvh    any speed and turn
  andante clips run --height 1.2 -o child.glb")]
pub struct ClipsArgs {
    /// Show this one
    pub name: Option<String>,
    /// Make a gait of this speed instead, in m/s
    #[arg(long, value_name = "M/S", conflicts_with = "name", allow_negative_numbers = true)]
    pub speed: Option<f32>,
    /// Turn to the left, in degrees per second
    #[arg(long, value_name = "DEG/S", allow_negative_numbers = true)]
    pub turn: Option<f32>,
    /// Height of the human, in metres
    #[arg(long, value_name = "METRES", default_value_t = 1.75)]
    pub height: f32,
    /// Repeat a cyclic motion this often
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: usize,
    /// Write it as .glb, .gltf, .bvh or .amc
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw a filmstrip with charts of contacts, speed and foot heights
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
}

/// List the built-in characters
///
/// With a name, its joints, limits and feet.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante characters
  andante characters humanoid
  andante characters humanoid -o humanoid.glb")]
pub struct CharactersArgs {
    /// Show this one
    pub name: Option<String>,
    /// Write its rest pose as .glb, .gltf, .bvh or .amc
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
}

/// The natural vibrations of a physical character
///
/// A body on springs has shapes in which all of it swings at one frequency. The slow ones move it far for little effort:
/// they are what its gaits are made of. Lists them in the air and with a toe pinned to the ground.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante modes humanoid
  andante modes kangaroo --svg palette.svg      every mode as a small picture
  andante modes humanoid --pose crouched --foot 'right foot'
  andante modes robot.urdf                      or MJCF as .xml
  andante modes horse.glb                       a body made for the skeleton of a motion file
  andante modes my-creature.toml --json | jq '.air[].hz'")]
pub struct ModesArgs {
    /// A built-in physical character, a character file (.toml), a robot (.urdf, .xml) or a motion file
    #[arg(value_name = "CHARACTER")]
    pub character: String,
    /// The pose in which its springs are at rest, instead of the first
    #[arg(long, value_name = "NAME")]
    pub pose: Option<String>,
    /// The foot that stands, instead of the first
    #[arg(long, value_name = "NAME")]
    pub foot: Option<String>,
    /// How many modes to show, slowest first; JSON has all
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub count: usize,
    /// Draw the palette to an .svg file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Push a physical character that stands, walks or runs, and see whether it stays up
///
/// It keeps its balance by the torques of its joints: ankles, hips and arms, and steps where those are not enough. A trial
/// counts as recovered when it has stood again for two seconds, upright, head up and feet below it; that is measured on the
/// simulated body. A walker has recovered when it comes to its goal, ten metres ahead, upright and walking, and a runner
/// when it comes to one thirty metres ahead. Without --direction, pushes have any direction and any strength up to
/// --impulse.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante push --impulse 40 --trials 100
  andante push --impulse 30 --direction 180 --svg push.svg
  andante push --stance walk --impulse 25 --trials 100
  andante push --stance run --speed 3 --impulse 15 --trials 100
  andante push --envelope --json | jq .envelope")]
pub struct PushArgs {
    /// A built-in physical character with two feet, or a character file (.toml)
    #[arg(value_name = "CHARACTER", default_value = "humanoid")]
    pub character: String,
    /// Force times time in newton seconds, over a tenth of a second at chest height
    #[arg(long, value_name = "NS", default_value_t = 40.0, allow_negative_numbers = true)]
    pub impulse: f64,
    /// Where it is pushed to: 0 forwards, 90 to its left, 180 backwards
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    pub direction: Option<f64>,
    /// How many pushes
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub trials: usize,
    /// What it does before it is pushed
    #[arg(long, value_enum, default_value_t = Stance::Stand)]
    pub stance: Stance,
    /// Speed of a walk or a run in metres per second; 1.3 or 2.5 if it is not given
    #[arg(long, value_name = "MPS", allow_negative_numbers = true)]
    pub speed: Option<f64>,
    /// Share of an invisible hand that holds it, 0 to 1
    #[arg(long, value_name = "A", default_value_t = 0.0, allow_negative_numbers = true)]
    pub assist: f64,
    /// Find the strongest push it recovers from in each of sixteen directions
    #[arg(long)]
    pub envelope: bool,
    /// Draw the first push to an .svg file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The directory for report.html, the first push as push.glb and push.bvh, and all outcomes as push.json
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// What a character does before it is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Stance {
    /// It stands still.
    Stand,
    /// It walks straight ahead.
    Walk,
    /// It runs straight ahead.
    Run,
}

/// Drop a physical character and see what happens
///
/// Gravity, springs, joints and contacts with level ground; nobody drives the muscles. The springs pull towards the
/// rest pose.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante simulate humanoid -o drop.glb
  andante simulate dog --drop 1 --tilt 40 --svg dog.svg
  andante simulate my-creature.toml --seconds 5 --json | jq .at_rest")]
pub struct SimulateArgs {
    /// A built-in physical character, a character file (.toml), a robot (.urdf, .xml) or a motion file
    #[arg(value_name = "CHARACTER")]
    pub character: String,
    /// Height above standing it falls from, in metres
    #[arg(long, value_name = "H", default_value_t = 0.2, allow_negative_numbers = true)]
    pub drop: f64,
    /// How long
    #[arg(long, value_name = "T", default_value_t = 3.0, allow_negative_numbers = true)]
    pub seconds: f64,
    /// How far it leans forwards at first, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 0.0, allow_negative_numbers = true)]
    pub tilt: f64,
    /// Milliseconds of one step
    #[arg(long, value_name = "MS", default_value_t = 2.0, allow_negative_numbers = true)]
    pub step: f64,
    /// The pose in which its springs are at rest, instead of the first
    #[arg(long, value_name = "NAME")]
    pub pose: Option<String>,
    /// The file to write: .glb, .gltf or .bvh
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw it to an .svg file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Measure what things cost on this machine
///
/// Each is the median of several runs. Build with --release before believing them.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante bench
  andante bench --repeats 31 --json")]
pub struct BenchArgs {
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub repeats: usize,
}

/// How files in other conventions are read.
#[derive(ClapArgs)]
pub struct ReadingArgs {
    /// Metres per unit of the file; otherwise what the file says or a guess from the height
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub scale: Option<f32>,
    /// The axis that points up in the file
    #[arg(long, value_name = "AXIS", default_value = "y")]
    pub up: Up,
    /// The .asf skeleton of .amc files, if it is not beside them
    #[arg(long, value_name = "FILE")]
    pub asf: Option<PathBuf>,
    /// Frames per second of .amc files, which do not tell; otherwise 120
    #[arg(long, value_name = "N")]
    pub amc_fps: Option<f32>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Up {
    Y,
    Z,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum OutputFormat {
    Bvh,
    Amc,
    Glb,
    Gltf,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Body {
    /// The mesh of the file, or a mannequin if it has none
    Auto,
    /// A mannequin
    Capsules,
    /// Bones alone
    None,
}
