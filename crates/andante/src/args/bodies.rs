//! Options of the commands that work on physical bodies and their gaits.

use super::PipeArgs;
use andante_dynamics::{PhysicsSettings, vec3};
use andante_skeleton::{SettingError, check_setting};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Find a cyclic gait for a sketch, or play the one found before
///
/// Turns a movement described with natural modes into physically simulated locomotion that repeats itself: where it starts,
/// how long its phases are and how strong each mode is pushed. Writes gait.toml, gait.glb, gait.bvh,
/// gait.svg, report.html and gait.repertoire, and at every step search.bin, from which --resume goes on. While it searches,
/// search.svg shows the best so far; search.html, left open in a browser, keeps up with it. Ctrl-C keeps the best so far.
/// Several sketches are worked on one after the other. With --speed or --turn the gait, found before or searched for first, is led
/// there little by little; what cannot be reached is approached as far as possible.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante gait basic-run                 as it was found before
  andante gait basic-run --search --seed 2
  andante gait kangaroo-hop -o out/hop --search --minutes 5
  andante gait basic-run --resume        go on where it was stopped
  andante gait kangaroo-hop --turn 20    round a curve
  andante gait kangaroo-hop lateral-sway --speed 2.5
  andante gait my-sketch.toml --threads 1
  andante gait out/my-sketch/gait.toml   a result of one's own
  andante gait dog-trot --polish         the same way for less work
  andante gait ostrich-run --film 20     what feedback holds, as a take with the forces of the ground
  andante gait dog-trot -o out/trot && andante ground out/trot/gait.repertoire --terrain hills:0.2:3 -o trot.glb")]
pub struct GaitArgs {
    /// Built-in sketches (`andante sketches`), files of sketches (.toml), or gaits that were found (gait.toml)
    #[arg(value_name = "SKETCH", required = true)]
    pub sketches: Vec<String>,
    /// Where to write; out/SKETCH if left out. Several have a directory each in it
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Search anew, even if a gait of this sketch was found before; --gravity and --friction do, too
    #[arg(long)]
    pub search: bool,
    /// How long to search for each at most
    #[arg(long, value_name = "M", default_value_t = 10.0, allow_negative_numbers = true)]
    pub minutes: f64,
    /// Threads; 0 for all cores. The result is the same for any number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Go on where it was stopped: from the checkpoint in the output directory
    #[arg(long)]
    pub resume: bool,
    /// Milliseconds of one step of the simulation
    #[arg(long, value_name = "MS", default_value_t = 2.0, allow_negative_numbers = true)]
    pub step: f64,
    /// Speed in m/s: the gait is led to this one on average, or a little more
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    pub speed: Option<f64>,
    /// Turn to the left in degrees per second; the gait is led there
    #[arg(long, value_name = "DEG/S", allow_negative_numbers = true)]
    pub turn: Option<f64>,
    /// Make the gait cheaper until that stalls or --minutes are over, and keep the cheapest that feedback holds
    #[arg(long)]
    pub polish: bool,
    /// Drive single joints instead of modes, for comparison
    #[arg(long)]
    pub canonical: bool,
    /// Search by the method of multipliers with the published settings; takes hours
    #[arg(long)]
    pub published: bool,
    #[command(flatten)]
    pub physics: PhysicsArgs,
    #[command(flatten)]
    pub trial: GaitTrialArgs,
}

/// The world that bodies are simulated in.
#[derive(ClapArgs, Clone, Copy, Debug)]
pub struct PhysicsArgs {
    /// Gravity downwards in m/s²; 9.80665 if it is not given, 1.62 on the moon
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub gravity: Option<f64>,
    /// Coulomb friction of bodies on the ground: 0.05 is ice, 0.8 the usual one (0.9 for gaits)
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    pub friction: Option<f64>,
}

impl PhysicsArgs {
    /// True if anything but the usual is asked for.
    pub fn is_given(&self) -> bool {
        self.gravity.is_some() || self.friction.is_some()
    }

    /// Settings as they are asked for.
    pub fn applied(&self, mut settings: PhysicsSettings) -> Result<PhysicsSettings, SettingError> {
        check_setting("--gravity", &self.gravity, 0.1..=100.0)?;
        check_setting("--friction", &self.friction, 0.0..=5.0)?;
        if let Some(gravity) = self.gravity {
            settings.gravity = vec3(0.0, -gravity, 0.0);
        }
        settings.friction = self.friction.unwrap_or(settings.friction);
        Ok(settings)
    }
}

/// The numbers of cycles for which a gait is written, left to itself and held.
#[derive(ClapArgs, Clone, Debug)]
pub struct GaitTrialArgs {
    /// How many cycles are written
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(1, 1000), hide_short_help = true)]
    pub cycles: usize,
    /// Most cycles a gait is left to itself; most fall within ten
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(1, 100_000), hide_short_help = true)]
    pub alone: usize,
    /// Most cycles it is held by feedback: what holds for a hundred holds for good
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(1, 100_000), hide_short_help = true)]
    pub held: usize,
    /// Record so many cycles held by feedback, with torques and forces of the ground, in DIR/held
    #[arg(long, value_name = "N", value_parser = number(1, 1000))]
    pub film: Option<usize>,
}

/// List the built-in sketches of gaits, or print the file of one
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante sketches
  andante sketches basic-run > mine.toml
  andante sketches basic-run --preview             what it pushes and how it sways, before any search
  andante sketches mine.toml --preview run.glb     the same as two films: without gravity, and with it
  andante sketches --random 7 > drawn.toml
  andante sketches --random 7 --character kangaroo
  andante sketches --walk --character dog > dog-walk.toml && andante gait dog-walk.toml")]
#[command(group(clap::ArgGroup::new("made").args(["random", "walk"])))]
pub struct SketchesArgs {
    /// Print the file of this one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Tell how the sketch moves before any search, and write two cycles of it to FILE, without gravity and with it; NAME may be a
    /// file
    #[arg(long, value_name = "FILE", num_args = 0..=1, requires = "name")]
    pub preview: Option<Option<PathBuf>>,
    /// Print one whose modes are drawn at random, the same for the same seed: three in the air, four on the ground
    #[arg(long, value_name = "SEED", conflicts_with = "name")]
    pub random: Option<u64>,
    /// Print the walk that the build of a symmetric character with four or more feet asks for, with every mode allowed
    #[arg(long, conflicts_with = "name")]
    pub walk: bool,
    /// Who moves. With --random one that has a built-in sketch, whose feet and times are taken; humanoid if left out. With --walk
    /// one that is built in, or a file; horse if left out
    #[arg(long, value_name = "NAME", requires = "made")]
    pub character: Option<String>,
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
    /// Where to write: its rest pose as a .glb, .gltf, .bvh or .amc file
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub pipe: PipeArgs,
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
    /// The picture to draw (.svg): the palette
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
  andante push --gravity 1.62 --impulse 20      on the moon
  andante push --envelope --json | jq .envelope")]
pub struct PushArgs {
    /// A built-in physical character with two feet, or a character file (.toml)
    #[arg(value_name = "CHARACTER", default_value = "humanoid")]
    pub character: String,
    /// Force times time in newton seconds, over a tenth of a second at chest height
    #[arg(long, value_name = "NS", default_value_t = 40.0, allow_negative_numbers = true)]
    pub impulse: f64,
    /// Where it is pushed to, in degrees: 0 forwards, 90 to its left, 180 backwards
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    pub direction: Option<f64>,
    /// How many pushes
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub trials: usize,
    /// What it does before it is pushed
    #[arg(long, value_enum, default_value_t = StanceChoice::Stand)]
    pub stance: StanceChoice,
    /// Speed in m/s: that of a walk or a run; 1.3 or 2.5 if it is not given
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    pub speed: Option<f64>,
    /// Share of an invisible hand that holds it, 0 to 1
    #[arg(long, value_name = "A", default_value_t = 0.0, allow_negative_numbers = true)]
    pub assist: f64,
    /// Metres to the goal of a walk or a run; 10 or 30 if it is not given. A runner is pushed after six or more
    #[arg(long, value_name = "M", hide_short_help = true)]
    pub goal: Option<f64>,
    /// Find the strongest push it recovers from in each of several directions
    #[arg(long)]
    pub envelope: bool,
    /// Directions of the envelope
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = number(1, 360), hide_short_help = true)]
    pub directions: usize,
    /// Most steps with which a recovery counts
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number(0, 100), hide_short_help = true)]
    pub most_steps: usize,
    #[command(flatten)]
    pub physics: PhysicsArgs,
    /// Rows of the report's table at most
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number(0, 1_000_000), hide_short_help = true)]
    pub rows: usize,
    /// Figures of a picture
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = number(2, 200), hide_short_help = true)]
    pub figures: usize,
    /// The picture to draw (.svg): the first push
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Where to write: report.html, the first push as push.glb and push.bvh, and all outcomes as push.json
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Let a physical body follow a clip by the torques of its joints
///
/// The body is fitted to whoever moves in the clip. The clip is made possible first: feet stand where they stand, the
/// centre of mass falls freely in the air and otherwise moves so that the pressure of the ground stays below the feet. The
/// body then follows it: nothing holds it but the ground, unless --assist lets an invisible hand help. It has followed if it
/// is still up at the end of the clip; if it is not, the exit code is 1. The ground is level. The error is the mean
/// angle between its joints and those of the clip as it is in the file.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante track walk
  andante track 16_15.bvh -o out/track
  andante track dance.glb --clip Waltz --assist 0.5
  andante track run --rounds 10 --svg run.svg
  andante track jump.bvh --character me.glb     another body does it
  andante track 16_15.bvh --json | jq .seconds_upright")]
pub struct TrackArgs {
    /// A motion file, or the name of a built-in clip
    #[arg(value_name = "CLIP")]
    pub input: String,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): its character does it
    #[arg(long, value_name = "FILE")]
    pub character: Option<PathBuf>,
    /// Share of an invisible hand that holds it, 0 to 1
    ///
    /// It adds that share of what the soles do not give, at the root.
    #[arg(long, value_name = "A", default_value_t = 0.0, allow_negative_numbers = true)]
    pub assist: f64,
    /// How often a motion that repeats is gone through; a built-in one 5 times, that of a file once
    #[arg(long, value_name = "N", value_parser = number(1, 1000))]
    pub rounds: Option<usize>,
    #[command(flatten)]
    pub physics: PhysicsArgs,
    /// Figures of a picture
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = number(2, 200), hide_short_help = true)]
    pub figures: usize,
    /// The picture to draw (.svg): how it goes
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Where to write: report.html, track.take, track.glb, track.bvh, and what is printed as track.json
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub pipe: PipeArgs,
    #[command(flatten)]
    pub motion: super::MotionArgs,
}

/// The stance of a character before it is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StanceChoice {
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
    /// Milliseconds of one step of the simulation
    #[arg(long, value_name = "MS", default_value_t = 2.0, allow_negative_numbers = true)]
    pub step: f64,
    #[command(flatten)]
    pub physics: PhysicsArgs,
    /// Frames per second of what is written
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60.0,
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub fps: f64,
    /// Figures of a picture
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = number(1, 200), hide_short_help = true)]
    pub figures: usize,
    /// The pose in which its springs are at rest, instead of the first
    #[arg(long, value_name = "NAME")]
    pub pose: Option<String>,
    /// Where to write: a .glb, .gltf, .bvh or .take file, or a directory for a report and all of them
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub pipe: PipeArgs,
    /// The picture to draw (.svg): figures of it
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Accepts whole numbers within bounds.
fn number(low: u64, high: u64) -> impl clap::builder::TypedValueParser<Value = usize> {
    clap::builder::RangedU64ValueParser::<usize>::new().range(low..=high)
}
