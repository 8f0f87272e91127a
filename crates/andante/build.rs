//! Tells the program which commit it is built from, where that can be known.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = packaged(&package).or_else(|| checked_out(&package)).unwrap_or_default();
    let shown = if commit.is_empty() { version } else { format!("{version} ({:.9})", commit) };
    println!("cargo::rustc-env=ANDANTE_VERSION={shown}");
}

/// What `cargo package` writes down.
fn packaged(package: &Path) -> Option<String> {
    let text = fs::read_to_string(package.join(".cargo_vcs_info.json")).ok()?;
    hexadecimal(text.split("\"sha1\"").nth(1)?.split('"').nth(1)?)
}

/// What a checkout is at: the head, or the branch it names.
fn checked_out(package: &Path) -> Option<String> {
    let git = package.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    let git = match git.is_file() {
        true => PathBuf::from(fs::read_to_string(git).ok()?.strip_prefix("gitdir: ")?.trim()),
        false => git,
    };
    // Branches of a linked checkout are kept where it was linked from.
    let common = fs::read_to_string(git.join("commondir")).map(|path| git.join(path.trim()));
    let common = common.unwrap_or_else(|_| git.clone());
    let head = git.join("HEAD");
    println!("cargo::rerun-if-changed={}", head.display());
    let text = fs::read_to_string(head).ok()?;
    let Some(branch) = text.strip_prefix("ref: ").map(str::trim) else {
        return hexadecimal(text.trim());
    };
    let file = common.join(branch);
    let packed = common.join("packed-refs");
    for path in [&file, &packed] {
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let listed = || {
        let text = fs::read_to_string(&packed).ok()?;
        text.lines()
            .find_map(|line| line.strip_suffix(branch)?.strip_suffix(' ').map(str::to_owned))
    };
    hexadecimal(fs::read_to_string(&file).ok().or_else(listed)?.trim())
}

fn hexadecimal(text: &str) -> Option<String> {
    let good = text.len() >= 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    good.then(|| text.to_string())
}
