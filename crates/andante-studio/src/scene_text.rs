//! Edits of a scene file that leave everything else in it as it was, comments too.

use crate::scene_move::{SceneThing, as_number};
use glam::{Vec2, Vec3};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

/// A scene file that is being edited.
pub struct SceneText {
    document: DocumentMut,
}

/// A scene file to be asked, read anew only when its text is another.
#[derive(Default)]
pub struct ReadScene {
    of: Option<String>,
    text: Option<SceneText>,
}

impl ReadScene {
    /// The scene that a text says; none if it cannot be read.
    pub fn of(&mut self, text: &str) -> Option<&mut SceneText> {
        if self.of.as_deref() != Some(text) {
            (self.of, self.text) = (Some(text.to_owned()), SceneText::new(text).ok());
        }
        self.text.as_mut()
    }
}

/// Millimetres are fine enough for a file that people read.
pub fn number(value: f32) -> Value {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    Value::from(rounded + 0.0)
}

pub fn numbers<const N: usize>(values: [f32; N]) -> Array {
    values.into_iter().map(number).collect()
}

/// A place with a heading in radians, as scene files have it.
fn waypoint(place: Vec2, heading: Option<f32>) -> Value {
    let mut table = InlineTable::new();
    table.insert("at", numbers(place.to_array()).into());
    if let Some(heading) = heading {
        table.insert("heading", number(heading.to_degrees()));
    }
    Value::InlineTable(table)
}

impl SceneText {
    /// Of a text; what is wrong with it is told.
    pub fn new(text: &str) -> Result<Self, String> {
        text.parse().map(|document| Self { document }).map_err(|error| format!("{error}"))
    }

    /// The text as it is now.
    pub fn finish(self) -> String {
        self.document.to_string()
    }

    fn tables(&mut self, kind: &str) -> Option<&mut ArrayOfTables> {
        let entry = self.document.entry(kind);
        entry.or_insert(Item::ArrayOfTables(ArrayOfTables::new())).as_array_of_tables_mut()
    }

    /// The table of something, by what the scene calls it.
    fn find(&mut self, kind: &str, name: &str) -> Option<&mut Table> {
        let tables = self.tables(kind)?;
        let called = |(index, table): (usize, &Table)| {
            let own = table.get("name").and_then(Item::as_str).unwrap_or_default();
            if own.is_empty() { format!("{kind} {}", index + 1) == name } else { own == name }
        };
        let index = tables.iter().enumerate().position(called)?;
        tables.get_mut(index)
    }

    /// Adds a table with these keys, and gives its number.
    fn add<const N: usize>(&mut self, kind: &str, entries: [(&str, Item); N]) -> Option<usize> {
        let mut table = Table::new();
        for (key, item) in entries {
            table.insert(key, item);
        }
        let tables = self.tables(kind)?;
        tables.push(table);
        Some(tables.len() - 1)
    }

    /// Adds a box, with the middle of its underside at a place.
    pub fn add_box(&mut self, name: &str, at: Vec3, size: Vec3) -> Option<()> {
        let (at, size) = (numbers(at.to_array()), numbers(size.to_array()));
        self.add("obstacle", [("name", value(name)), ("at", value(at)), ("box", value(size))])?;
        Some(())
    }

    /// Adds a round column that stands at a place.
    pub fn add_column(&mut self, name: &str, at: Vec3, radius: f32, tall: f32) -> Option<()> {
        let entries = [
            ("name", value(name)),
            ("at", value(numbers(at.to_array()))),
            ("radius", value(number(radius))),
            ("tall", value(number(tall))),
        ];
        self.add("obstacle", entries).map(|_| ())
    }

    /// Adds level ground of a size around a place, with terrain on it if there is any.
    pub fn add_platform(&mut self, at: Vec3, size: Vec2, terrain: &str) -> Option<usize> {
        let half = 0.5 * size;
        let corner = |x: f32, z: f32| Value::from(numbers([at.x + x * half.x, at.z + z * half.y]));
        let outline: Array = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .into_iter()
            .map(|(x, z)| corner(x, z))
            .collect();
        let entries = [("outline", value(outline)), ("height", value(number(at.y)))];
        let index = self.add("platform", entries)?;
        if !terrain.is_empty() {
            self.table(&SceneThing::Platform(index))?.insert("terrain", value(terrain));
        }
        Some(index)
    }

    /// Adds a flight of steps that leads up from a place.
    pub fn add_stairs(&mut self, at: Vec3, heading: f32) -> Option<usize> {
        let place = numbers([at.x, at.z]);
        let entries = [
            ("at", value(place)),
            ("heading", value(number(heading.to_degrees()))),
            ("width", value(2.0)),
            ("steps", value(6)),
            ("rise", value(number(0.17))),
            ("run", value(number(0.29))),
            ("height", value(number(at.y))),
        ];
        self.add("stairs", entries)
    }

    /// The table of something.
    pub fn table(&mut self, thing: &SceneThing) -> Option<&mut Table> {
        let (kind, index) = match thing {
            SceneThing::Obstacle(name) => return self.find("obstacle", name),
            SceneThing::Platform(index) => ("platform", *index),
            SceneThing::Stairs(index) => ("stairs", *index),
            SceneThing::Ferry(index) => ("moving_platform", *index),
            SceneThing::Start(index) | SceneThing::Goal(index) => ("character", *index),
            SceneThing::Command(index) | SceneThing::Print(index, _) => ("command", *index),
            SceneThing::Lamp(_) => return None,
        };
        self.tables(kind)?.get_mut(index)
    }

    /// The number of tables of a kind.
    pub fn count(&mut self, kind: &str) -> usize {
        self.document.get(kind).and_then(Item::as_array_of_tables).map_or(0, ArrayOfTables::len)
    }

    /// A number of something, by its key.
    pub fn number(&mut self, thing: &SceneThing, key: &str) -> Option<f32> {
        self.table(thing)?.get(key).and_then(Item::as_value).and_then(as_number)
    }

    /// A text of something, by its key.
    pub fn word(&mut self, thing: &SceneThing, key: &str) -> Option<String> {
        Some(self.table(thing)?.get(key)?.as_str()?.to_owned())
    }

    /// Sets a number of something; a whole one stays whole.
    pub fn set_number(&mut self, thing: &SceneThing, key: &str, to: f32) -> Option<()> {
        let table = self.table(thing)?;
        let whole = table.get(key).and_then(Item::as_value).is_some_and(Value::is_integer);
        let to = if whole && key == "steps" { Value::from(to.round() as i64) } else { number(to) };
        table.insert(key, value(to));
        Some(())
    }

    /// Sets a text of something; an empty one takes it away.
    pub fn set_word(&mut self, thing: &SceneThing, key: &str, to: &str) -> Option<()> {
        let table = self.table(thing)?;
        match to.is_empty() {
            true => drop(table.remove(key)),
            false => drop(table.insert(key, value(to))),
        }
        Some(())
    }

    /// Takes something away; none if there is no such thing.
    pub fn remove(&mut self, thing: &SceneThing) -> Option<()> {
        match thing {
            SceneThing::Obstacle(name) => self.remove_obstacle(name),
            SceneThing::Goal(index) => {
                self.tables("character")?.get_mut(*index)?.remove("goal").map(|_| ())
            }
            SceneThing::Print(index, print) => {
                let prints = self.tables("command")?.get_mut(*index)?.get_mut("footprints")?;
                let prints = prints.as_array_mut()?;
                (*print < prints.len()).then(|| drop(prints.remove(*print)))
            }
            SceneThing::Lamp(_) => None,
            other => {
                self.table(other)?;
                let (kind, index) = match other {
                    SceneThing::Platform(index) => ("platform", *index),
                    SceneThing::Stairs(index) => ("stairs", *index),
                    SceneThing::Ferry(index) => ("moving_platform", *index),
                    SceneThing::Command(index) => ("command", *index),
                    SceneThing::Start(index) => ("character", *index),
                    _ => return None,
                };
                self.tables(kind)?.remove(index);
                Some(())
            }
        }
    }

    /// Takes an obstacle away; none if there is no such.
    pub fn remove_obstacle(&mut self, name: &str) -> Option<()> {
        self.find("obstacle", name)?;
        let tables = self.tables("obstacle")?;
        // Those without a name are called by their number, which must not change.
        for (index, table) in tables.iter_mut().enumerate() {
            if !table.contains_key("name") {
                table.insert("name", value(format!("obstacle {}", index + 1)));
            }
        }
        tables.retain(|table| table.get("name").and_then(Item::as_str) != Some(name));
        Some(())
    }

    /// Puts an obstacle elsewhere; none if there is no such.
    pub fn move_obstacle(&mut self, name: &str, at: Vec3, heading: f32) -> Option<()> {
        let table = self.find("obstacle", name)?;
        table.insert("at", value(numbers(at.to_array())));
        if heading != 0.0 || table.contains_key("heading") {
            table.insert("heading", value(number(heading.to_degrees())));
        }
        Some(())
    }

    /// Gives a box another size; none if there is no such box.
    pub fn resize_box(&mut self, name: &str, size: Vec3) -> Option<()> {
        let table = self.find("obstacle", name)?;
        table.contains_key("box").then(|| {
            table.insert("box", value(numbers(size.to_array())));
        })
    }

    /// Sends somebody to a place at a time, at a walk or at a run.
    pub fn send(&mut self, who: &str, run: bool, place: Vec2, seconds: f32) -> Option<()> {
        let key = if run { "run_to" } else { "walk_to" };
        self.tell(who, Some(seconds), key, numbers(place.to_array()).into())
    }

    /// Tells somebody something at a time, or after what it does.
    pub fn tell(&mut self, who: &str, at: Option<f32>, key: &str, what: Value) -> Option<()> {
        let mut table = Table::new();
        table.insert("who", value(who));
        if let Some(seconds) = at {
            table.insert("at", value(number(seconds)));
        }
        table.insert(key, value(what));
        self.tables("command")?.push(table);
        Some(())
    }

    /// The commands of one of several characters, in the order of the file: the number of each with what it says in one
    /// line.
    pub fn commands(&mut self, who: &str) -> Vec<(usize, String)> {
        let Some(tables) = self.tables("command") else { return Vec::new() };
        let of = |table: &Table| match table.get("who") {
            Some(item) if item.is_str() => {
                matches!(item.as_str(), Some(name) if name == who || name == "everyone")
            }
            Some(item) => item
                .as_array()
                .is_some_and(|names| names.iter().any(|name| name.as_str() == Some(who))),
            None => true,
        };
        let line = |table: &Table| {
            let said = table.iter().filter(|(key, _)| *key != "who");
            let said = said.map(|(key, item)| format!("{key} = {}", item.to_string().trim()));
            said.collect::<Vec<_>>().join("; ")
        };
        let all = tables.iter().enumerate();
        all.filter(|(_, table)| of(table)).map(|(index, table)| (index, line(table))).collect()
    }

    /// Writes a command anew from a line such as `walk_to = [3, 4]; at = 2`. What is wrong with it is told.
    pub fn rewrite(&mut self, index: usize, line: &str) -> Result<(), String> {
        let text: Vec<String> = split_line(line);
        let parsed: DocumentMut = text.join("\n").parse().map_err(|error| format!("{error}"))?;
        let missing = || "there is no such command".to_owned();
        let table = self.table(&SceneThing::Command(index)).ok_or_else(missing)?;
        let before: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
        for key in before.iter().filter(|key| *key != "who") {
            table.remove(key);
        }
        for (key, item) in parsed.iter() {
            table.insert(key, item.clone());
        }
        Ok(())
    }

    /// Puts a command before the one that was before it, or behind the next.
    pub fn swap_commands(&mut self, a: usize, b: usize) -> Option<()> {
        let tables = self.tables("command")?;
        let (mut first, mut second) = (tables.get(a)?.clone(), tables.get(b)?.clone());
        // Tables are written where they stood.
        let [early, late] = [first.position(), second.position()];
        first.set_position(late);
        second.set_position(early);
        *tables.get_mut(a)? = second;
        *tables.get_mut(b)? = first;
        Some(())
    }

    /// Lets somebody step on footprints: places, headings in radians, and whether it is the left foot.
    pub fn step_on(&mut self, who: &str, at: f32, prints: &[(Vec2, f32, bool)]) -> Option<()> {
        let print = |(place, heading, left): &(Vec2, f32, bool)| {
            let mut one = numbers([place.x, place.y, heading.to_degrees()]);
            one.push(if *left { "left" } else { "right" });
            Value::from(one)
        };
        let all: Array = prints.iter().map(print).collect();
        self.tell(who, Some(at), "footprints", all.into())
    }

    /// True if the goal of a character is part of it.
    pub fn has_goal(&mut self, number: usize) -> bool {
        let own = self.tables("character").and_then(|tables| tables.get(number));
        own.is_some_and(|table| table.contains_key("goal"))
    }

    /// Lets a character begin, or end, at another place; none if there is no such character.
    pub fn place_character(
        &mut self,
        number: usize,
        key: &str,
        place: Vec2,
        heading: Option<f32>,
    ) -> Option<()> {
        let table = self.tables("character")?.get_mut(number)?;
        table.insert(key, value(waypoint(place, heading)));
        Some(())
    }

    /// Adds a character that stands somewhere.
    pub fn add_character(&mut self, name: &str, place: Vec2, body: &str) -> Option<()> {
        let mut table = Table::new();
        table.insert("name", value(name));
        if body != "kinematic" {
            table.insert("body", value(body));
        }
        table.insert("start", value(waypoint(place, None)));
        self.tables("character")?.push(table);
        Some(())
    }
}

/// The parts of a line between semicolons that are in no brackets and no quotes.
fn split_line(line: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quoted) = (vec![String::new()], 0i32, false);
    for letter in line.chars() {
        match letter {
            '"' => quoted ^= true,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ';' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts
}

/// Files that a scene names, as paths below its folder.
pub fn named_files(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let tables = document.iter().filter_map(|(_, item)| item.as_array_of_tables()).flatten();
    let named = |table: &Table| {
        let of = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
        ["mesh", "repertoire"].into_iter().filter_map(of).collect::<Vec<_>>()
    };
    let mut names: Vec<String> = tables.flat_map(named).collect();
    names.sort();
    names.dedup();
    names.retain(|name| std::path::Path::new(name).is_relative());
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_stage::{Command, Cue, read_scene};
    use andante_world::ObstacleShape;
    use glam::{vec2, vec3};

    const YARD: &str = "version = 1\nname = \"yard\" # ours\n\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\n\
        [[obstacle]]\nat = [4, 0, 4]\nradius = 0.2\ntall = 2\n\n[[character]]\nstart = { at = [0, 0] }\n";

    #[test]
    fn edits_are_what_the_reader_of_scenes_reads_and_comments_stay() {
        let mut text = SceneText::new(YARD).unwrap();
        text.add_box("crate", vec3(1.0, 0.0, 2.0), vec3(0.5, 1.0, 0.25)).unwrap();
        text.move_obstacle("crate", vec3(1.2345678, 0.0, 2.0), 0.5).unwrap();
        text.resize_box("crate", vec3(1.0, 1.0, 1.0)).unwrap();
        text.move_obstacle("obstacle 1", vec3(5.0, 0.0, 5.0), 0.0).unwrap();
        text.send("walker", false, vec2(3.0, -2.0), 1.5).unwrap();
        text.place_character(0, "goal", vec2(2.0, 2.0), Some(1.0)).unwrap();
        text.add_character("Ben", vec2(-3.0, 0.0), "physical").unwrap();
        let text = text.finish();
        assert!(text.contains("# ours"));
        let scene = read_scene(&text).unwrap();
        let crate_ = &scene.obstacles[1];
        assert_eq!(crate_.at, vec3(1.235, 0.0, 2.0));
        assert!((crate_.heading - 0.5).abs() < 1e-4);
        assert!(matches!(crate_.shape, ObstacleShape::Box(size) if size == Vec3::ONE));
        assert_eq!(scene.obstacles[0].at.x, 5.0);
        let turned = |order: &andante_stage::Order| match &order.command {
            Command::RunTo(there) => there.heading,
            _ => None,
        };
        assert!((scene.orders.iter().find_map(turned).unwrap() - 1.0).abs() < 1e-4);
        let order = scene.orders.last().unwrap();
        assert_eq!(order.cue, Cue::At(1.5));
        assert!(matches!(&order.command, Command::WalkTo(there) if there.place == vec2(3.0, -2.0)));
        assert_eq!(scene.characters[1].name, "Ben");
    }

    #[test]
    fn a_scene_that_is_asked_again_and_again_says_what_its_text_says_now() {
        let mut read = ReadScene::default();
        let one = "[[character]]\nname = \"Ann\"\n";
        let two = format!("{one}goal = {{ at = [0, 6] }}\n[[platform]]\n");
        for _ in 0..2 {
            assert!(!read.of(one).unwrap().has_goal(0));
            assert_eq!(read.of(one).unwrap().count("platform"), 0);
            assert!(read.of(&two).unwrap().has_goal(0));
            assert_eq!(read.of(&two).unwrap().count("platform"), 1);
            assert!(read.of("[[").is_none());
        }
    }

    #[test]
    fn the_names_of_others_stay_when_an_obstacle_goes() {
        let mut text = SceneText::new(YARD).unwrap();
        text.add_box("crate", Vec3::ZERO, Vec3::ONE).unwrap();
        let twice = SceneText::new(&text.finish()).unwrap().finish().replace(
            "[[character]]",
            "[[obstacle]]\nat = [6, 0, 6]\nradius = 0.3\ntall = 1\n\n[[character]]",
        );
        let names = |text: &str| -> Vec<String> {
            let scene = read_scene(text).unwrap();
            scene.obstacles.iter().map(|thing| thing.name.clone()).collect()
        };
        let before = names(&twice);
        let mut text = SceneText::new(&twice).unwrap();
        text.remove_obstacle("crate").unwrap();
        let after = names(&text.finish());
        let kept: Vec<_> = before.into_iter().filter(|name| name != "crate").collect();
        assert_eq!(after, kept);
        assert!(SceneText::new(YARD).unwrap().remove_obstacle("nothing").is_none());
    }

    #[test]
    fn commands_are_read_and_written_as_lines() {
        let mut text = SceneText::new(YARD).unwrap();
        text.send("walker", false, vec2(3.0, -2.0), 1.5).unwrap();
        assert_eq!(text.commands("walker"), [(0, "at = 1.5; walk_to = [3.0, -2.0]".to_owned())]);
        assert!(text.commands("somebody else").is_empty());
        text.send("walker", true, vec2(1.0, 1.0), 2.5).unwrap();
        let mut text = SceneText::new(&text.finish()).unwrap();
        text.swap_commands(0, 1).unwrap();
        let mut text = SceneText::new(&text.finish()).unwrap();
        assert!(text.commands("walker")[0].1.contains("run_to"));
        text.remove(&SceneThing::Command(1)).unwrap();
        text.rewrite(0, "run_to = { at = [1, 1], heading = 90 }; at = 2").unwrap();
        assert!(text.rewrite(0, "run_to = [").is_err());
        let scene = read_scene(&text.finish()).unwrap();
        assert!(matches!(&scene.orders[0].command, Command::RunTo(post) if post.heading.is_some()));
    }
}
