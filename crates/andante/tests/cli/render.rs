//! Pictures: `render`.

use crate::{json, text, walk};

#[test]
fn takes_scenes_and_motions_are_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    json(&["run", "hills", "-o", text(directory.path())], 0);
    let take = path("take.take");
    let draw = |source: &str, name: &str, more: &[&str]| {
        let output = path(name);
        let arguments = [&["render", source, "-o", text(&output)], more].concat();
        (json(&arguments, 0), std::fs::read(&output).unwrap())
    };
    let small = ["--width", "64", "--height", "48"];
    let (report, bytes) = draw(text(&take), "a.png", &small);
    assert_eq!(
        (&report["frames"], &report["width"], &report["height"]),
        (&1.into(), &64.into(), &48.into())
    );
    assert!(bytes.starts_with(b"\x89PNG"));
    let span =
        [&small[..], &["--from", "2", "--to", "3", "--fps", "10", "--camera", "orbit"]].concat();
    let (report, bytes) = draw(text(&take), "a.gif", &span);
    assert_eq!(report["frames"], 11);
    assert!(bytes.starts_with(b"GIF89a"));
    let (_, bytes) = draw(text(&take), "a.svg", &[]);
    assert!(bytes.starts_with(b"<svg"));
    assert!(draw("jumps", "b.png", &small).1.starts_with(b"\x89PNG"));
    let walk = walk(directory.path());
    assert!(draw(text(&walk), "c.png", &small).1.starts_with(b"\x89PNG"));
}

#[test]
fn takes_that_are_none_are_refused_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    json(&["run", "hills", "-o", text(directory.path())], 0);
    let take = std::fs::read(path("take.take")).unwrap();
    let mut damaged = take.clone();
    damaged[take.len() / 2] ^= 1;
    let mut newer = take.clone();
    newer[8] = 99;
    for (name, bytes, says) in [
        ("short.take", &take[..take.len() / 3], "copied incompletely"),
        ("foreign.take", b"not a take", "not a take file"),
        ("damaged.take", &damaged[..], "checksum"),
        ("newer.take", &newer[..], "version 99"),
    ] {
        std::fs::write(path(name), bytes).unwrap();
        let error = json(&["render", text(&path(name)), "-o", text(&path("x.png"))], 2);
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
        assert!(!path("x.png").exists());
    }
    for (arguments, says) in [
        (["take.take", "x.avi", "--fps", "20"], "not a picture"),
        (["take.take", "x.png", "--width", "1"], "width is 1; it is 16 to 4096"),
        (["take.take", "x.png", "--from", "999"], "from is 999"),
        (["take.take", "x.png", "--look-at", "Zoe"], "no `Zoe`"),
        (["nowhere", "x.png", "--fps", "20"], "neither a built-in scene nor a file"),
    ] {
        let [take, output, option, value] = arguments;
        let source = if take == "nowhere" { take.into() } else { text(&path(take)).to_string() };
        let error = json(&["render", &source, "-o", text(&path(output)), option, value], 2);
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
    }
}

#[test]
fn every_frame_becomes_a_picture_and_ffmpeg_a_film_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let small = ["--width", "64", "--height", "47", "--from", "1", "--to", "2", "--fps", "10"];
    let frames = directory.path().join("frames/");
    let report = json(&[&["render", text(&walk), "-o", text(&frames)], &small[..]].concat(), 0);
    assert_eq!(report["frames"], 11);
    let files: Vec<_> =
        std::fs::read_dir(&frames).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 11);
    for file in &files {
        assert!(std::fs::read(file).unwrap().starts_with(b"\x89PNG"), "{}", file.display());
    }
    assert_ne!(
        std::fs::read(frames.join("000001.png")).unwrap(),
        std::fs::read(frames.join("000006.png")).unwrap()
    );
    let film = directory.path().join("film.mp4");
    let arguments = [&["render", text(&walk), "-o", text(&film)], &small[..]].concat();
    // Without an encoder it is said, and nothing is written.
    let empty = directory.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = crate::andante()
        .env("PATH", &empty)
        .args(&arguments)
        .assert()
        .code(1)
        .get_output()
        .stderr
        .clone();
    let said = String::from_utf8_lossy(&output).into_owned();
    assert!(said.contains("ffmpeg") && said.contains("frames/"), "{said}");
    assert!(!film.exists());
    #[cfg(unix)]
    {
        // One that tells what it was given.
        use std::os::unix::fs::PermissionsExt;
        let encoder = empty.join("ffmpeg");
        let script = "#!/bin/sh\nfor last; do :; done\necho \"$@\" > \"$last\"\n";
        std::fs::write(&encoder, script).unwrap();
        std::fs::set_permissions(&encoder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", text(&empty));
        crate::andante().env("PATH", &path).args(&arguments).assert().code(0);
        let told = std::fs::read_to_string(&film).unwrap();
        assert!(told.contains("-framerate 10") && told.contains("%06d.png"), "{told}");
    }
}
