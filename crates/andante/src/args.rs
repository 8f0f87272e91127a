//! The command line as `--help` shows it.

mod batch;
mod bodies;
mod clips;
#[cfg(test)]
mod meaning;
mod scenes;

pub use self::batch::*;
pub use self::bodies::*;
pub use self::clips::*;
pub use self::scenes::*;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args as ClapArgs, Parser, Subcommand};

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
#[command(name = "andante", version = VERSION, styles = STYLES, max_term_width = 100, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: CliCommand,
}

/// The version, with the commit it was built from where that is known.
const VERSION: &str = env!("ANDANTE_VERSION");

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
  andante clips walk -o - --format bvh | andante inspect -

`-` stands for stdin in the place of a motion, scene or take, and for stdout where a file is written. Earlier results of
the same kind are replaced; any other file stays, with exit code 2, unless --force is given.

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
    /// Follow paths inside files (meshes, buffers, characters, includes) out of the folder of the file
    #[arg(long, global = true, help_heading = "Global options")]
    pub allow_outside: bool,
    /// Write over files that hold something else than what is written, too; never over what is read
    #[arg(long, global = true, help_heading = "Global options")]
    pub force: bool,
    /// Leave at once when stdin ends
    ///
    /// So do the items of a batch, whatever happens to the batch.
    #[arg(long, global = true, hide = true)]
    pub while_stdin: bool,
}

#[derive(Subcommand)]
pub enum CliCommand {
    Demo(DemoArgs),
    Convert(ConvertArgs),
    Inspect(InspectArgs),
    Retarget(RetargetArgs),
    Ground(GroundArgs),
    Plan(PlanArgs),
    Run(RunArgs),
    Check(CheckArgs),
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
    Track(TrackArgs),
    Bench(BenchArgs),
    Batch(BatchArgs),
    Merge(MergeArgs),
    Studio(StudioArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
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
