//! Edits of a scene file that leave everything else in it as it was, comments too.

use glam::{Vec2, Vec3};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

/// A scene file that is being edited.
pub struct SceneText {
    document: DocumentMut,
}

/// Millimetres are fine enough for a file that people read.
fn number(value: f32) -> Value {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    Value::from(rounded + 0.0)
}

fn numbers<const N: usize>(values: [f32; N]) -> Array {
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

    /// Adds a box, with the middle of its underside at a place.
    pub fn add_box(&mut self, name: &str, at: Vec3, size: Vec3) -> Option<()> {
        let mut table = Table::new();
        table.insert("name", value(name));
        table.insert("at", value(numbers(at.to_array())));
        table.insert("box", value(numbers(size.to_array())));
        self.tables("obstacle")?.push(table);
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

    /// Sends somebody to a place at a time, at a walk or at a run.
    pub fn send(&mut self, who: &str, run: bool, place: Vec2, seconds: f32) -> Option<()> {
        let mut table = Table::new();
        table.insert("who", value(who));
        table.insert("at", value(number(seconds)));
        let key = if run { "run_to" } else { "walk_to" };
        table.insert(key, value(numbers(place.to_array())));
        self.tables("command")?.push(table);
        Some(())
    }

    /// Whether the goal of a character is part of it.
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
}
