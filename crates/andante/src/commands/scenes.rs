//! `andante scenes`.

use crate::args::ScenesArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Report, table};
use andante_stage::{Scene, built_in_scenes};
use serde_json::{Value, json};

pub fn run(args: &ScenesArgs, _: &Context) -> Result<Report, Failure> {
    if let Some(name) = &args.name {
        let Some(scene) = built_in_scenes().iter().find(|scene| scene.name == name) else {
            return Err(Failure::new(format!("there is no built-in scene `{name}`"))
                .hint("`andante scenes` lists them"));
        };
        return Ok(Report::done(
            scene.text.to_string(),
            json!({ "name": scene.name, "text": scene.text }),
        ));
    }
    let mut rows = Vec::new();
    let mut json: Vec<Value> = Vec::new();
    for built_in in built_in_scenes() {
        let scene = Scene::built_in(built_in.name)?;
        json.push(json!({
            "name": scene.name, "about": scene.about, "patches": scene.ground.len(), "obstacles": scene.obstacles.len(),
            "characters": scene.characters.len(),
        }));
        rows.push(vec![scene.name, scene.about]);
    }
    Ok(Report::done(table(&rows, &[]), json.into()))
}
