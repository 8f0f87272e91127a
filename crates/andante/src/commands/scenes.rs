//! `andante scenes`.

use crate::args::ScenesArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{CommandReport, table};
use andante_stage::{Scene, built_in_scenes};
use serde_json::{Value, json};

pub fn run(args: &ScenesArgs, _: &CliContext) -> Result<CommandReport, Failure> {
    if let Some(name) = &args.name {
        let Some(scene) = built_in_scenes().iter().find(|scene| scene.name == name) else {
            return Err(Failure::new(format!("there is no built-in scene `{name}`"))
                .hint("`andante scenes` lists them"));
        };
        return Ok(CommandReport::done(
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
    Ok(CommandReport::done(table(&rows, &[]), json.into()))
}
