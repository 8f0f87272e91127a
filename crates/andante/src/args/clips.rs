//! Options of the commands that work on clips.

use crate::failure::Failure;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::{Path, PathBuf, is_separator};

/// Convert between BVH, ASF/AMC and glTF, and from FBX, VRM and SMPL poses
///
/// The format follows from the extension: .bvh, .amc (with its .asf), .glb, .gltf are read and written; .fbx, .vrm and the .npz of
/// AMASS are read. With a directory as OUT every input becomes a file in it; folders and patterns are inputs, too. Files are written whole or not at all.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante convert 16_15.bvh walk.glb                    a person as a mannequin, to look at
  andante convert 16_15.bvh walk.bvh --fps 60 --drop-first-frame
  andante convert mocap/*.bvh out/ --format glb         many files, on all cores
  andante convert mocap out/                            all motions of a folder and of those in it
  andante convert dance.asf dance.amc dance.glb         the skeleton comes with the motion
  andante convert horse.glb walk.bvh --clip Walk        one animation of several
  andante convert Walking.fbx walk.glb                  with its skin, materials and blend shapes
  andante convert robot.bvh robot.glb --scale 0.01 --up z
  andante convert - - --format glb < walk.bvh > walk.glb")]
pub struct ConvertArgs {
    /// Files to read, then the file or directory to write
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub motion: MotionArgs,
    /// Frames per second of what is written; as many as were read if it is not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// Leave out the first frame, or all of an added T-pose (CMU files begin with one)
    #[arg(long)]
    pub drop_first_frame: bool,
    /// Format where no name tells it: of what is written to stdout (-) or to a directory, or else of stdin
    ///
    /// Stdin is otherwise known by how it begins; files in a directory are .glb.
    #[arg(long, value_name = "FORMAT", alias = "to")]
    pub format: Option<PipeFormat>,
    /// What the character looks like in a glTF file
    #[arg(long, value_name = "BODY", default_value = "auto")]
    pub body: BodyChoice,
    #[command(flatten)]
    pub writing: WritingArgs,
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
  andante inspect 16_15.bvh --json | jq .warnings
  andante inspect mocap                         all motions of a folder, a line for each, on all cores
  andante inspect 'mocap/**/*.bvh' --json | jq '.files[] | [.input, .class]'")]
pub struct InspectArgs {
    /// The files to look at: names, folders of motions, or patterns
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub motion: MotionArgs,
    #[command(flatten)]
    pub pipe: PipeArgs,
    /// List every joint
    #[arg(long)]
    pub joints: bool,
    /// The picture to draw (.svg): a filmstrip with charts of contacts, speed and foot heights
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Put a motion on another character
///
/// Proportions, joint counts and rest poses may differ. The way is scaled with the length of the legs and the feet are
/// planted on the ground afterwards. With a directory as OUT every motion becomes a file in it.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante retarget 16_15.bvh --to humanoid walk.glb
  andante retarget walk.bvh --to robot.glb walk-of-the-robot.bvh
  andante retarget 16_15.bvh --to humanoid walk.bvh --json | jq .metrics
  andante retarget odd.bvh --to humanoid out.bvh --save-map odd.map
  andante retarget odd.bvh --to humanoid out.bvh --map odd.map       after correcting it
  andante retarget mocap out/ --to robot.glb --format glb            a whole folder, on all cores")]
pub struct RetargetArgs {
    /// Motions (names, folders or patterns), then the file or directory to write
    #[arg(required = true, num_args = 1.., value_names = ["IN", "OUT"])]
    pub paths: Vec<PathBuf>,
    /// A built-in character or a file with the skeleton
    #[arg(long, value_name = "CHARACTER")]
    pub to: String,
    #[command(flatten)]
    pub motion: MotionArgs,
    #[command(flatten)]
    pub pipe: PipeArgs,
    /// Leave the feet where the joint angles put them
    #[arg(long)]
    pub no_planting: bool,
    /// Which joint of the motion stands for which of the character, instead of what is recognised
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Write down which joint stood for which, to be corrected and given back with --map
    #[arg(long, value_name = "FILE")]
    pub save_map: Option<PathBuf>,
    #[command(flatten)]
    pub writing: WritingArgs,
}

/// Adapt a motion to uneven ground
///
/// Feet land where the ground carries them, soles lie on it, legs and body follow; on level ground the motion stays
/// as it is. The way begins at the origin and leads along +Z. Terrains:
///
///   flat
///   slope:DEG[:HEADING]      uphill along the heading, both in degrees: 90 is across; a negative slope leads down
///   stairs:RISE:RUN          up along the way after two metres; a negative rise leads down
///   hills:AMPLITUDE:LENGTH   waves in both directions
///   random:SEED              bumps
///   FILE                     .csv profile or grid, .obj, .3ds or .glb mesh, or a motion whose feet were on such ground
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  andante ground walk --terrain stairs:0.17:0.29 -o climb.glb
  andante ground 16_15.bvh --terrain hills:0.25:2 --svg hills.svg
  andante ground horse.glb --clip Walk --terrain slope:-15 --distance 20 -o downhill.glb
  andante ground walk --terrain 03_02.bvh --json | jq .metrics
  andante ground out/dog-trot/gait.repertoire --terrain hills:0.2:3 -o trot.glb
  andante ground mocap --terrain stairs:0.17:0.29 -o out/ --format glb     a whole folder, on all cores"
)]
pub struct GroundArgs {
    /// A motion file, the name of a built-in clip, or a .repertoire, in which it is known when feet are down; several, folders and
    /// patterns as well
    #[arg(value_name = "CLIP", required = true)]
    pub inputs: Vec<PathBuf>,
    /// What to walk on; slopes are in degrees
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub terrain: String,
    /// Where to write: a .glb or .gltf file with the ground in it, a .bvh or .take file, or a directory for a report and all of them
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The picture to draw (.svg): it from the side, with where ankles should go and where they go
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): its character does it
    #[arg(long, value_name = "FILE")]
    pub character: Option<PathBuf>,
    /// How many metres to go; motions that repeat go 10, others to their end
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub distance: Option<f32>,
    /// Turn to the left in degrees per second; besides the motion's own turning
    #[arg(long, value_name = "DEG/S", default_value_t = 0.0, allow_negative_numbers = true)]
    pub turn: f32,
    /// Place feet frame by frame as in a game, with nothing known ahead: the motion keeps its pace and its way
    #[arg(long)]
    pub live: bool,
    /// Frames per second of what is written
    #[arg(long, value_name = "N", default_value_t = 60.0, allow_negative_numbers = true)]
    pub fps: f32,
    #[command(flatten)]
    pub pipe: PipeArgs,
    #[command(flatten)]
    pub motion: MotionArgs,
}

/// Cut, join, mirror, loop, re-time and re-pose motions
///
/// Operations are applied from left to right:
///
///   trim=FROM:TO       keep these seconds
///   cut=FROM:TO        leave these seconds out
///   append=FILE[:FADE] go on with another motion where this one ends (fade in seconds)
///   bridge=FILE[:SECONDS]
///                      go on with another motion or pose after this one, with so many seconds between them that are made:
///                      feet that are down in both stay or step
///   between=FROM:TO    make what is between two times anew, in the same way: one step of each foot at most
///   resample=FPS       another frame rate
///   speed=FACTOR       2 plays twice as fast
///   retime=M/S         play so that it travels at this speed
///   warp=FROM:TO,...   what happens at FROM happens at TO, in seconds, and the pace changes smoothly between
///   mirror             left for right
///   reverse            backwards
///   loop               close its best stride, or else all of it, into a cycle
///   plant              remove the foot slide of the capture
///   lock=FOOT@FROM-TO[:FADE]
///                      this foot (left-foot, or a joint of it) stays where it is from one time to the other, and fades back to
///                      its own way (0.3 s); hands and other joints as well
///   in-place           without its travel, at the origin, facing +Z
///   origin             beginning at the origin, facing +Z
///   turn=DEG           turned to the left about the origin, by degrees
///   move=X,Y,Z         elsewhere, in metres
///   filter=HZ          without what is faster than this: noise of capture is above 6 Hz
///   set=JOINT@TIME:X,Y,Z[:FADE]
///                      the joint is turned so at a time: degrees from the rest pose about X (left), then Y (up), then Z (ahead);
///                      the difference fades to both sides (0.3 s). FROM-TO in the place of TIME holds it
///   bend=JOINT@TIME:X,Y,Z[:FADE]
///                      the same from where the motion has it
///   reach=JOINT@TIME:X,Y,Z[:SOLVER][:FADE]
///                      the joint is at this point of the world (metres) at this time, or from FROM-TO, and fades (0.4 s); solvers:
///                      jacobian (default), ccd, fabrik, descent (stays closer to the motion, and up to a seventh of a leg short of the point), two-bone, full (the whole body)
///   add=FILE[:WEIGHT]  another motion as a layer on top: what it does from its first pose on is added
///   part=JOINT:FILE    this joint and all on it as in another motion
///   mask=PART,...[:WEIGHT]
///                      operations after this are for a part of the body alone: joints with all that is on them, or all, upper,
///                      lower, head, spine, arms, left-arm, right-arm, legs, left-leg, right-leg; -PART takes one out
///   posture=TIME       the pose at a time, as a clip of one frame
///   mix=FILE:T         between this motion (T=0) and another (T=1), or beyond
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  andante edit 16_15.bvh step.bvh loop plant
  andante edit walk.bvh left.bvh mirror
  andante edit walk.bvh fast.glb trim=0.5:2.5 speed=1.3
  andante edit walk.bvh both.bvh append=run.bvh:0.3
  andante edit stand.bvh switch.bvh reach=LeftHand@1.5:0.4,1.4,0.4:full
  andante edit stand.bvh nod.bvh bend=Head@0.5:25,0,0:0.2 bend=Head@1.1:25,0,0:0.2
  andante edit walk.bvh calm.bvh mask=arms,-LeftHand filter=1 mask=all plant
  andante edit walk.bvh late.bvh warp=0:0,1.0:1.4,2:2
  andante edit walk.bvh held.bvh lock=left-foot@0.4-0.9:0.15
  andante edit walk.bvh sit.bvh bridge=sit.bvh:0.8
  andante edit 'mocap/**/*.bvh' out/ plant --format glb       many files, on all cores"
)]
pub struct EditArgs {
    /// The motions (names, folders or patterns), the file or directory to write, and what to do, in this order
    #[arg(required = true, num_args = 1.., value_names = ["IN", "OUT", "OPERATION"])]
    pub words: Vec<String>,
    /// Leave out the first frame, or all of an added T-pose (CMU files begin with one)
    #[arg(long)]
    pub drop_first_frame: bool,
    #[command(flatten)]
    pub pipe: PipeArgs,
    #[command(flatten)]
    pub writing: WritingArgs,
    #[command(flatten)]
    pub motion: MotionArgs,
}

impl EditArgs {
    /// Operations without a value. They are no paths, whatever there is by their names.
    pub const PLAIN: [&str; 6] = ["mirror", "reverse", "loop", "plant", "in-place", "origin"];

    /// The number of words that are paths: the first two, and those after them that look like paths and not like operations.
    pub fn paths(&self) -> usize {
        let is_path = |word: &&String| {
            let path = Path::new(word.as_str());
            let operation = word.contains('=') || EditArgs::PLAIN.contains(&word.as_str());
            let named = path.components().count() > 1
                || word.contains(['*', '?'])
                || word.ends_with(is_separator);
            !operation && (named || path.extension().is_some() || path.exists())
        };
        let more = self.words.iter().skip(2).take_while(is_path).count();
        (2 + more).min(self.words.len())
    }

    /// Motions, where to write, and operations.
    pub fn parts(&self) -> Result<(Vec<PathBuf>, PathBuf, &[String]), Failure> {
        let (paths, operations) = self.words.split_at(self.paths());
        let Some((out, inputs)) = paths.split_last().filter(|_| !operations.is_empty()) else {
            return Err(Failure::new("what is to be done? give an operation after IN and OUT")
                .hint("`andante edit --help` lists them"));
        };
        Ok((inputs.iter().map(PathBuf::from).collect(), PathBuf::from(out), operations))
    }
}

/// Make a repertoire of a directory of motions, or of one long recording
///
/// Every motion is analysed; strides are cut out, closed and aligned by phase, so that they can be blended by speed and
/// turn.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante repertoire mocap/cmu/16 -o subject16.repertoire
  andante repertoire built-in -o human.repertoire
  andante repertoire session.bvh -o own.repertoire      a whole recording, cut into walks, turns, jumps by itself
  andante repertoire subject16.repertoire")]
pub struct RepertoireArgs {
    /// A directory of motions of one skeleton, one long recording to be cut into pieces, a repertoire file to look at, or `built-in`
    #[arg(value_name = "DIR")]
    pub source: PathBuf,
    /// Where to write: a .repertoire file
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
  andante clips run --height 1.2 -o child.glb
  andante clips walk --character mine.glb -o walk.glb    on somebody of yours")]
pub struct ClipsArgs {
    /// Show this one
    pub name: Option<String>,
    /// Speed in m/s: a gait of it is made
    #[arg(long, value_name = "M/S", conflicts_with = "name", allow_negative_numbers = true)]
    pub speed: Option<f32>,
    /// Turn to the left in degrees per second
    #[arg(long, value_name = "DEG/S", allow_negative_numbers = true)]
    pub turn: Option<f32>,
    /// Height of the human, in metres
    #[arg(long, value_name = "METRES", default_value_t = 1.75)]
    pub height: f32,
    /// A file of bones and skin (.glb, .gltf, .vrm, .fbx, .bvh, .asf): its character does it
    #[arg(long, value_name = "FILE", conflicts_with = "height")]
    pub character: Option<PathBuf>,
    /// How many cycles are written; of a motion that is no cycle one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: usize,
    /// Where to write: a .glb, .gltf, .bvh or .amc file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub pipe: PipeArgs,
    /// The picture to draw (.svg): a filmstrip with charts of contacts, speed and foot heights
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// The choice of one motion of a file, and the conventions by which the file is read.
#[derive(ClapArgs)]
pub struct MotionArgs {
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Only the animation of this name or number (from 0)
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
}

/// The conventions by which foreign files are read.
#[derive(ClapArgs, Clone)]
pub struct ReadingArgs {
    /// Metres per unit of the file; otherwise what the file says or a guess from the height
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub scale: Option<f32>,
    /// The axis that points up in the file; auto finds it in .bvh and .amc files by their legs, in .npz by the pelvis; .fbx says it
    #[arg(long, value_name = "AXIS", default_value = "auto")]
    pub up: Up,
    /// The .asf skeleton of .amc files, if it is not beside them
    #[arg(long, value_name = "FILE")]
    pub asf: Option<PathBuf>,
    /// Frames per second of .amc files, which do not tell; otherwise 120
    #[arg(long, value_name = "N")]
    pub amc_fps: Option<f32>,
}

/// The layout of written files.
#[derive(ClapArgs, Clone, Copy)]
pub struct WritingArgs {
    /// Unit of lengths in .bvh files
    #[arg(long, value_name = "UNIT", default_value = "m")]
    pub unit: Unit,
    /// Order of rotation channels in .bvh files; otherwise zyx, and yxz at the root, whose heading does not wind then
    #[arg(long, value_name = "ORDER")]
    pub rotation_order: Option<OrderArg>,
    /// Leave out keys of .glb and .gltf files without which no joint is off by more than this, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 0.0, allow_negative_numbers = true)]
    pub key_error: f32,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Unit {
    M,
    Cm,
    Mm,
    Inch,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum OrderArg {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Up {
    Auto,
    Y,
    Z,
}

/// The format of what has no name.
#[derive(ClapArgs, Clone, Copy)]
pub struct PipeArgs {
    /// Format where no name tells it: of what is written to stdout (-) or to a directory, or else of stdin
    ///
    /// Stdin is otherwise known by how it begins.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<PipeFormat>,
}

impl PipeArgs {
    /// As names end.
    pub fn extension(&self) -> Option<&'static str> {
        self.format.map(PipeFormat::extension)
    }
}

/// The formats that can be asked for where no name tells one.
#[derive(Clone, Copy, ValueEnum)]
pub enum PipeFormat {
    Bvh,
    Amc,
    Asf,
    Glb,
    Gltf,
    Take,
    Repertoire,
    Png,
    Gif,
    Svg,
    Toml,
}

impl PipeFormat {
    /// As names end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Amc => "amc",
            Self::Asf => "asf",
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Take => "take",
            Self::Repertoire => "repertoire",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Svg => "svg",
            Self::Toml => "toml",
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum BodyChoice {
    /// The mesh of the file, or a mannequin if it has none
    Auto,
    /// A mannequin
    Capsules,
    /// Bones alone
    None,
}
