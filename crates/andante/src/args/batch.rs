//! Options of the commands that do much at once, and of those about the program itself.

use clap::{Args as ClapArgs, value_parser};
use std::path::PathBuf;
use std::str::FromStr;

/// Do a list of jobs, or one share of it
///
/// JOBS.toml names commands with gaps, and what goes into them; every combination is an item:
///
///   [[job]]
///   name = "searches"
///   command = ["gait", "{sketch}", "--search", "--seed", "{seed}", "-o", "{out}"]
///   each.sketch = ["basic-run", "skipping"]
///   each.seed = { from = 1, to = 20 }
///
///   [[job]]
///   name = "planted"
///   command = ["edit", "{clip}", "{out}/{clip.stem}.bvh", "plant"]
///   each.clip = { files = "mocap/**/*.bvh" }
///
/// {out} is a folder of the item's own; {clip.stem} is the name of a file without folder and extension. Paths are those of the
/// folder of JOBS.toml. Each item is a process of its own, and what it prints with --json becomes a line of DIR/shard-I-of-N.jsonl as
/// soon as it is done. What is done is not done again: --resume goes on after Ctrl-C, a kill or with other shards, as long as command and
/// input files are the same. `andante merge` puts the lines of all shards together.
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  andante batch jobs.toml --list                 what there is to do
  andante batch jobs.toml -o out/jobs            all of it, on all cores
  andante batch jobs.toml -o out/jobs --resume   go on where it was stopped
  andante batch jobs.toml -o out/jobs --shard 3/8 --resume    on the third of eight machines
  andante merge jobs.toml -o out/jobs --csv results.csv"
)]
pub struct BatchArgs {
    /// The list of jobs
    #[arg(value_name = "JOBS")]
    pub jobs: PathBuf,
    /// Where to write; out/JOBS if left out. Shards may share it
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Do share I of N: items I, I + N, I + 2 N and so on
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Leave out what is done already, and go on with searches that were stopped
    #[arg(long)]
    pub resume: bool,
    /// With --resume, do again what has failed
    #[arg(long, requires = "resume")]
    pub again: bool,
    /// Items at a time; 0 for one on each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u16).range(0..=1024))]
    pub processes: u16,
    /// Print the items of the share and do nothing
    #[arg(long)]
    pub list: bool,
}

/// Put the results of all shares of a batch together
///
/// Writes DIR/results.jsonl: a line for each item in the order of JOBS.toml, the same bytes however many shares there were and
/// whichever was done first. Says what is missing, failed or made from other input files than there are now, with exit code 1.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante merge jobs.toml -o out/jobs
  andante merge jobs.toml -o out/jobs --csv results.csv")]
pub struct MergeArgs {
    /// The list of jobs
    #[arg(value_name = "JOBS")]
    pub jobs: PathBuf,
    /// Where the shares wrote; out/JOBS if left out
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write the numbers as a table, too: a row for each item
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Do not read the input files again to see whether they are still the same
    #[arg(long)]
    pub trust: bool,
}

/// Print what makes a shell complete the words of this program
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante completions bash > ~/.local/share/bash-completion/completions/andante
  andante completions zsh > ~/.zfunc/_andante
  andante completions fish > ~/.config/fish/completions/andante.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write the manual pages of all commands
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  andante man ~/.local/share/man/man1 && man andante-run")]
pub struct ManArgs {
    /// Where to write
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// One share of many, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one.
    pub share: usize,
    /// How many there are.
    pub of: usize,
}

impl Shard {
    /// True if an item belongs to it, by its place in the list.
    pub fn has(self, place: usize) -> bool {
        place % self.of + 1 == self.share
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(share, of)| (share.parse(), of.parse()));
        match numbers {
            Some((Ok(share), Ok(of))) if (1..=of).contains(&share) => Ok(Self { share, of }),
            _ => Err("a share is I/N with I from 1 to N, as 3/8".into()),
        }
    }
}
