//! Moves what a scene file says to be somewhere.

use crate::scene_text::{SceneText, number, numbers};
use glam::{Vec2, Vec3};
use toml_edit::{Item, Table, Value, value};

/// Something in a scene file that has a place: which table it is, by kind and number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneThing {
    /// An obstacle, by its name.
    Obstacle(String),
    /// Ground with an edge.
    Platform(usize),
    /// A flight of steps.
    Stairs(usize),
    /// A platform that moves, with its stops.
    Ferry(usize),
    /// Where a character begins.
    Start(usize),
    /// Where a character is sent.
    Goal(usize),
    /// Where a command leads.
    Command(usize),
    /// A footprint that was placed by hand: the command, and its number in it.
    Print(usize, usize),
    /// A lamp, which is no part of the file.
    Lamp(usize),
}

/// The move of a thing: shifted, turned about its middle, made larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThingMove {
    /// By so many metres.
    pub by: Vec3,
    /// To the left, in radians.
    pub turn: f32,
    /// So many times as large.
    pub scale: f32,
}

impl Default for ThingMove {
    fn default() -> Self {
        Self { by: Vec3::ZERO, turn: 0.0, scale: 1.0 }
    }
}

impl SceneText {
    /// Moves, turns and scales something; none where there is no such thing or it cannot be.
    pub fn transform(&mut self, thing: &SceneThing, how: &ThingMove) -> Option<()> {
        let middle = self.middle(thing)?;
        let flat = |at: Vec2| {
            let from = (at - Vec2::new(middle.x, middle.z)) * how.scale;
            let (sin, cos) = libm::sincosf(how.turn);
            // A positive heading turns from +Z towards +X.
            let turned = Vec2::new(from.x * cos + from.y * sin, from.y * cos - from.x * sin);
            turned + Vec2::new(middle.x + how.by.x, middle.z + how.by.z)
        };
        let table = self.table(thing)?;
        match thing {
            SceneThing::Platform(_) if table.contains_key("outline") => {
                for corner in table.get_mut("outline")?.as_array_mut()?.iter_mut() {
                    let [x, z] = read_numbers(corner)?;
                    *corner = numbers(flat(Vec2::new(x, z)).to_array()).into();
                }
            }
            SceneThing::Print(_, print) => {
                let prints = table.get_mut("footprints")?.as_array_mut()?;
                let one = prints.get_mut(*print)?.as_array_mut()?;
                let own = [one.get(0), one.get(1), one.get(2)];
                let [x, z, heading] = own.map(|part| part.and_then(as_number).unwrap_or(0.0));
                let place = flat(Vec2::new(x, z));
                one.replace(0, number(place.x));
                one.replace(1, number(place.y));
                one.replace(2, number(heading + how.turn.to_degrees()));
            }
            SceneThing::Start(_) | SceneThing::Goal(_) | SceneThing::Command(_) => {
                let key = place_key(thing, table)?;
                return shift_post(table.get_mut(key)?.as_value_mut()?, &flat, how.turn);
            }
            _ => {
                let at = table.get_mut("at")?.as_value_mut()?;
                match at.as_array()?.len() {
                    2 => {
                        let [x, z] = read_numbers(at)?;
                        *at = numbers(flat(Vec2::new(x, z)).to_array()).into();
                    }
                    _ => {
                        let [x, y, z] = read_numbers(at)?;
                        let place = flat(Vec2::new(x, z));
                        *at = numbers([place.x, y + how.by.y, place.y]).into();
                    }
                }
                if let Some(stops) = table.get_mut("stops").and_then(Item::as_array_mut) {
                    for stop in stops.iter_mut().filter(|stop| stop.is_array()) {
                        let [x, y, z] = read_numbers(stop)?;
                        *stop = numbers((Vec3::new(x, y, z) + how.by).to_array()).into();
                    }
                }
                turn_key(table, how.turn);
            }
        }
        if let SceneThing::Platform(_) | SceneThing::Stairs(_) = thing
            && how.by.y != 0.0
        {
            let height = table.get("height").and_then(Item::as_value).and_then(as_number);
            table.insert("height", value(number(height.unwrap_or(0.0) + how.by.y)));
        }
        scale_keys(table, how.scale);
        Some(())
    }

    /// The middle of something, as far as the file says where it is; heights of the ground are not known here.
    pub fn middle(&mut self, thing: &SceneThing) -> Option<Vec3> {
        let table = self.table(thing)?;
        let height = table.get("height").and_then(Item::as_value).and_then(as_number);
        let height = height.unwrap_or(0.0);
        match thing {
            SceneThing::Platform(_) if table.contains_key("outline") => {
                let corners = table.get("outline")?.as_array()?;
                let mut sum = Vec2::ZERO;
                for corner in corners.iter() {
                    sum += Vec2::from(read_numbers(corner)?);
                }
                let middle = sum / corners.len().max(1) as f32;
                Some(Vec3::new(middle.x, height, middle.y))
            }
            SceneThing::Print(_, print) => {
                let one = table.get("footprints")?.as_array()?.get(*print)?.as_array()?;
                let [x, z] = [one.get(0).and_then(as_number)?, one.get(1).and_then(as_number)?];
                Some(Vec3::new(x, 0.0, z))
            }
            SceneThing::Start(_) | SceneThing::Goal(_) | SceneThing::Command(_) => {
                let key = place_key(thing, table)?;
                let [x, z] = read_post(table.get(key)?.as_value()?)?;
                Some(Vec3::new(x, 0.0, z))
            }
            _ => {
                let at = table.get("at")?.as_value()?;
                match at.as_array()?.len() {
                    2 => read_numbers(at).map(|[x, z]| Vec3::new(x, height, z)),
                    _ => read_numbers(at).map(|[x, y, z]| Vec3::new(x, y, z)),
                }
            }
        }
    }
}

/// A number, whole or not.
pub fn as_number(value: &Value) -> Option<f32> {
    value.as_float().or(value.as_integer().map(|whole| whole as f64)).map(|number| number as f32)
}

fn read_numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let array = value.as_array()?;
    let mut read = [0.0; N];
    for (index, own) in read.iter_mut().enumerate() {
        *own = as_number(array.get(index)?)?;
    }
    (array.len() == N).then_some(read)
}

/// The key of a table that says where something is.
fn place_key(thing: &SceneThing, table: &Table) -> Option<&'static str> {
    match thing {
        SceneThing::Start(_) => Some("start"),
        SceneThing::Goal(_) => Some("goal"),
        _ => ["walk_to", "run_to"].into_iter().find(|key| table.contains_key(key)),
    }
}

/// The place of a post: `[x, z]`, or a table with it.
fn read_post(post: &Value) -> Option<[f32; 2]> {
    let at = post.as_inline_table().and_then(|table| table.get("at")).unwrap_or(post);
    let array = at.as_array()?;
    let last = array.len().checked_sub(1)?;
    Some([as_number(array.get(0)?)?, as_number(array.get(last)?)?])
}

/// Moves a post, and turns it if it has a heading.
fn shift_post(post: &mut Value, flat: &impl Fn(Vec2) -> Vec2, turn: f32) -> Option<()> {
    let place = flat(Vec2::from(read_post(post)?));
    let put = |at: &mut Value| -> Option<()> {
        let array = at.as_array_mut()?;
        let last = array.len().checked_sub(1)?;
        array.replace(0, number(place.x));
        array.replace(last, number(place.y));
        Some(())
    };
    match post.as_inline_table_mut() {
        None => put(post)?,
        Some(table) => {
            put(table.get_mut("at")?)?;
            if turn != 0.0 {
                let old = table.get("heading").and_then(as_number).unwrap_or(0.0);
                table.insert("heading", number(old + turn.to_degrees()));
            }
        }
    }
    Some(())
}

fn turn_key(table: &mut Table, turn: f32) {
    if turn != 0.0 {
        let old = table.get("heading").and_then(Item::as_value).and_then(as_number);
        table.insert("heading", value(number(old.unwrap_or(0.0) + turn.to_degrees())));
    }
}

/// Sizes of a thing, so many times as large: steps stay as high and deep as feet like them.
fn scale_keys(table: &mut Table, scale: f32) {
    if scale == 1.0 {
        return;
    }
    let grown =
        |value: &Value| as_number(value).map(|old| number((old * scale).clamp(0.05, 500.0)));
    for key in ["radius", "tall", "width"] {
        if let Some(own) = table.get_mut(key).and_then(Item::as_value_mut)
            && let Some(grown) = grown(own)
        {
            *own = grown;
        }
    }
    if let Some(sides) = table.get_mut("box").and_then(Item::as_array_mut) {
        for side in sides.iter_mut() {
            if let Some(grown) = grown(side) {
                *side = grown;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_stage::{Command, read_scene};
    use glam::{vec2, vec3};

    const YARD: &str = "version = 1\nname = \"yard\"\n\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\n\
        [[character]]\nstart = { at = [0, 0] }\n";

    #[test]
    fn ground_stairs_posts_and_prints_are_moved_turned_and_scaled() {
        let mut text = SceneText::new(YARD).unwrap();
        text.add_platform(vec3(20.0, 0.5, 0.0), vec2(4.0, 2.0), "hills:0.1:3").unwrap();
        text.add_stairs(vec3(9.0, 0.0, 0.0), 0.0).unwrap();
        let turn = std::f32::consts::FRAC_PI_2;
        let how = ThingMove { by: vec3(1.0, 0.25, 0.0), turn, scale: 2.0 };
        text.transform(&SceneThing::Platform(1), &how).unwrap();
        text.transform(&SceneThing::Stairs(0), &how).unwrap();
        text.transform(&SceneThing::Start(0), &ThingMove { scale: 1.0, ..how }).unwrap();
        text.step_on("walker", 0.0, &[(vec2(0.1, 0.2), 0.0, true)]).unwrap();
        text.transform(
            &SceneThing::Print(0, 0),
            &ThingMove { by: vec3(0.1, 0.0, 0.2), ..ThingMove::default() },
        )
        .unwrap();
        let text = text.finish();
        let scene = read_scene(&text).unwrap();
        let outline = &scene.ground[1].platform.outline;
        let size =
            outline.iter().fold(Vec2::ZERO, |far, at| far.max((*at - vec2(21.0, 0.0)).abs()));
        assert!((size - vec2(2.0, 4.0)).length() < 0.01, "{outline:?}");
        assert!((scene.ground[1].platform.height_at(vec2(21.0, 0.0)) - 0.75).abs() < 0.01);
        let step = &scene.ground[2].platform;
        assert!(step.outline.iter().all(|at| at.x >= 9.99), "they lead up along +x: {step:?}");
        assert_eq!(scene.characters[0].start.place, vec2(1.0, 0.0));
        let Command::Footprints(prints) = &scene.orders[0].command else { panic!() };
        assert!((prints[0].place.position - vec2(0.2, 0.4)).length() < 1e-3);
    }
}
