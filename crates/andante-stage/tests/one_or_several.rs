//! Every key of a scene means the same, whether a character is told one thing or several.

#![allow(clippy::unwrap_used)]

use andante_skeleton::humanoid_of_height;
use andante_stage::{PlayOptions, Stage, Take, play, read_scene, read_scene_file};

/// What a row of the table sets: keys of the character, a moving platform, and the way it is told to go.
struct Row {
    what: &'static str,
    character: &'static str,
    world: &'static str,
    told: &'static str,
}

const WALK: &str = "[[command]]\nwho = \"ann\"\nwalk_to = [0.4, 4]\n";
const FERRY: &str = "[[moving_platform]]\nname = \"ferry\"\nat = [0, 0, 0]\nbox = [3, 0.3, 12]\nstops = [[4, 0, 0]]\nspeed = 0.5\n";
const CRATE: &str = "[[obstacle]]\nname = \"crate\"\nat = [0.2, 0, 2]\nbox = [0.6, 1, 0.6]\n";

const TABLE: [Row; 9] = [
    Row { what: "nothing", character: "", world: "", told: WALK },
    Row { what: "goal", character: "goal = { at = [0.4, 4] }\nrun = false", world: "", told: "" },
    Row { what: "height", character: "height = 1.2", world: "", told: WALK },
    Row { what: "body", character: "body = \"physical\"", world: "", told: WALK },
    Row { what: "moving platform", character: "", world: FERRY, told: WALK },
    Row { what: "obstacle", character: "", world: CRATE, told: WALK },
    Row {
        what: "heading",
        character: "",
        world: "",
        told: "[[command]]\nwho = \"ann\"\nwalk_to = { at = [0.4, 4], heading = 120 }\n",
    },
    Row {
        what: "run",
        character: "",
        world: "",
        told: "[[command]]\nwho = \"ann\"\nrun_to = [0.4, 7]\n",
    },
    Row { what: "repertoire", character: "repertoire = \"REPERTOIRE\"", world: "", told: WALK },
];

fn text(row: &Row, more: &str, repertoire: &str) -> String {
    format!(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n{}\
         [[character]]\nname = \"ann\"\nstart = {{ at = [0, -1], heading = 0 }}\n{}\n{}{more}",
        row.world,
        row.character.replace("REPERTOIRE", repertoire),
        row.told
    )
}

/// The take of a scene in a folder.
fn played_in(folder: &std::path::Path, text: &str) -> Take {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    play(&read_scene_file(&path).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

#[test]
fn one_command_is_carried_out_like_the_first_of_several() {
    let directory = tempfile::tempdir().unwrap();
    let name = "small.repertoire";
    let small = andante_motion::repertoire::built_in(&humanoid_of_height(1.5)).unwrap();
    std::fs::write(directory.path().join(name), small.to_bytes()).unwrap();
    let usual = std::sync::OnceLock::new();
    for row in &TABLE {
        let what = row.what;
        let make = |more: &str| played_in(directory.path(), &text(row, more, name));
        let one = make("");
        let several =
            make("[[command]]\nwho = \"ann\"\nwait = 0.5\n[[command]]\nwho = \"ann\"\nface = 90\n");
        assert!(one.metrics()[0].reached, "{what}: {:?}", one.events);
        let (a, b) = (&one.tracks[0], &several.tracks[0]);
        assert!(b.clip.frame_count() > a.clip.frame_count(), "{what}");
        for frame in 0..a.clip.frame_count() {
            assert_eq!(a.clip.frame(frame), b.clip.frame(frame), "{what}: frame {frame}");
        }
        // Every key does something.
        let usual = usual.get_or_init(|| a.clip.clone());
        assert_eq!(a.clip == *usual, ["nothing", "goal"].contains(&what), "{what}");
    }
}

#[test]
fn a_character_of_another_height_is_as_tall_as_it_is_said() {
    let scene = read_scene(&text(&TABLE[2], "", "")).unwrap();
    let take = play(&scene, 1, &PlayOptions::default(), |_| true).unwrap();
    let character = &take.tracks[0].character;
    let (low, high) = character.skeleton.rest_bounds();
    assert!((high.y - low.y - 1.2).abs() < 0.03, "{low} {high}");
    let hips = take.tracks[0].clip.frame(60)[character.rig.hips].translation.y;
    assert!(hips < 0.75, "hips at {hips} m");
}

#[test]
fn a_physical_character_is_moved_by_torques_on_its_only_walk() {
    let mut stage = Stage::new(&read_scene(&text(&TABLE[3], "", "")).unwrap(), 1).unwrap();
    let mut moved = false;
    for _ in 0..1200 {
        stage.step(1.0 / 60.0);
        moved |= stage.is_physical(0) && stage.actors()[0].disc().speed > 0.7;
        if stage.is_over() {
            break;
        }
    }
    assert!(moved);
}
