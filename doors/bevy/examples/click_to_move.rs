//! A small game: hills, stairs, a wall, one's own character and a crowd.
//! `cargo run --release --example click_to_move --features rendered -- [hero.glb] [--crowd 200]`
//!
//! Left button: walk there; with Shift, run. Right button: push whoever is near. W A S D: lead by hand. G: lines on and off.
//! `--shot FILE` plays a few seconds by itself, draws a picture and ends.
#![allow(clippy::print_stderr)]

use bevy::asset::AssetPath;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy_andante::{
    AndanteCharacter, AndanteGizmos, AndanteGizmosPlugin, AndanteGround, AndanteObstacle,
    AndantePlugin, AndanteViewer, Arrived, GoTo, Locomotion, PhysicalBody, Push, Refused, Steer,
    embed_human,
};
use std::path::PathBuf;
use std::time::Duration;

/// What was asked for on the command line.
#[derive(Resource, Clone, Default)]
struct Options {
    hero: Option<PathBuf>,
    crowd: usize,
    shot: Option<PathBuf>,
}

/// The assets of the hero and of the crowd.
#[derive(Resource)]
struct Looks {
    hero: AssetPath<'static>,
    crowd: AssetPath<'static>,
}

/// Whoever obeys the mouse and the keys.
#[derive(Component)]
pub struct Hero;

/// Whoever strolls about, and how often it has arrived.
#[derive(Component)]
pub struct Stroller(pub usize);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = options()?;
    let mut assets = AssetPlugin::default();
    if let Some(hero) = &options.hero {
        assets.file_path = hero.parent().unwrap_or(hero).display().to_string();
    }
    let title = "click: walk · shift: run · right: push · W A S D: lead · G: lines".into();
    let window = Window { title, resolution: (1280, 800).into(), ..default() };
    let window = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(assets).set(window));
    app.add_plugins((MeshPickingPlugin, AndantePlugin::default(), AndanteGizmosPlugin));
    let crowd = embed_human(app.world(), None)?;
    let hero = match &options.hero {
        Some(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            AssetPath::from(name).into_owned()
        }
        None => crowd.clone(),
    };
    if options.shot.is_some() {
        // However long it takes to draw a frame, a thirtieth of a second passes in it.
        let frame = Duration::from_secs_f32(1.0 / 30.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        app.add_systems(Update, shoot);
    }
    app.insert_resource(Looks { hero, crowd })
        .insert_resource(options)
        .insert_resource(ClearColor(Color::srgb(0.62, 0.74, 0.86)))
        .add_systems(Startup, (build, people))
        .add_systems(Update, (lead, follow, toggle_lines))
        .add_observer(stroll)
        .add_observer(|no: On<Refused>| eprintln!("{}: {}", no.entity, no.error))
        .run();
    Ok(())
}

fn options() -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--crowd" => {
                let count = words.next().and_then(|count| count.parse().ok());
                options.crowd = count.ok_or("--crowd is followed by a number")?;
            }
            "--shot" => {
                options.shot = Some(words.next().ok_or("--shot is followed by a file")?.into());
            }
            path => {
                let path = std::path::absolute(path).map_err(|error| error.to_string())?;
                options.hero = Some(path);
            }
        }
    }
    Ok(options)
}

/// Height of the hills, level where the stairs are.
fn height(x: f32, z: f32) -> f32 {
    let away = (((x - 6.0).hypot(z + 6.0) - 6.0) / 4.0).clamp(0.0, 1.0);
    away * 0.5 * (0.45 * x).sin() * (0.4 * z).cos()
}

/// Hills, stairs up to a terrace, a wall, light and a camera.
fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut hills = Plane3d::default().mesh().size(36.0, 36.0).subdivisions(35).build();
    if let Some(VertexAttributeValues::Float32x3(corners)) =
        hills.attribute_mut(Mesh::ATTRIBUTE_POSITION)
    {
        corners.iter_mut().for_each(|[x, y, z]| *y = height(*x, *z));
    }
    let mut matt = |color: Color| {
        let own = StandardMaterial { base_color: color, perceptual_roughness: 0.95, ..default() };
        MeshMaterial3d(materials.add(own))
    };
    let grass = matt(Color::srgb(0.33, 0.47, 0.25));
    let (stone, brick) = (matt(Color::srgb(0.62, 0.6, 0.56)), matt(Color::srgb(0.55, 0.3, 0.24)));
    let hills = meshes.add(hills.with_computed_smooth_normals());
    commands.spawn((AndanteGround, Mesh3d(hills), grass)).observe(click);
    for step in 0..7 {
        let top = 0.16 * (step + 1) as f32;
        let length = if step == 6 { 3.0 } else { 0.32 };
        let shape = meshes.add(Cuboid::new(3.0, top, length));
        let z = -5.0 - 0.32 * step as f32 - 0.5 * length;
        let at = Transform::from_xyz(6.0, 0.5 * top, z);
        commands.spawn((AndanteGround, Mesh3d(shape), stone.clone(), at)).observe(click);
    }
    let wall = meshes.add(Cuboid::new(3.0, 1.2, 0.4));
    let at = Transform::from_xyz(-3.0, 0.6, -3.0);
    commands.spawn((AndanteObstacle, Mesh3d(wall), brick, at));
    let sun = DirectionalLight { shadow_maps_enabled: true, illuminance: 9_000.0, ..default() };
    commands.spawn((sun, Transform::IDENTITY.looking_to(vec3(-0.6, -1.0, -0.4), Vec3::Y)));
    commands.insert_resource(GlobalAmbientLight { brightness: 350.0, ..default() });
    let eye = Transform::from_xyz(-2.0, 4.5, 8.0).looking_at(vec3(1.0, 0.8, -1.0), Vec3::Y);
    commands.spawn((Camera3d::default(), AndanteViewer, eye));
}

fn people(
    mut commands: Commands,
    server: Res<AssetServer>,
    looks: Res<Looks>,
    options: Res<Options>,
) {
    let walker = |path: &AssetPath<'static>| {
        let character = server.load::<AndanteCharacter>(path.clone());
        let scene = server.load(GltfAssetLabel::Scene(0).from_asset(path.clone()));
        (Locomotion::file(character), WorldAssetRoot(scene), PhysicalBody::default())
    };
    let start = Transform::from_xyz(-1.0, 3.0, 2.5);
    let hero = commands.spawn((Hero, Name::new("hero"), walker(&looks.hero), start)).id();
    if options.shot.is_some() {
        commands.entity(hero).insert(GoTo::place(vec2(3.0, -2.0)));
    }
    for number in 0..options.crowd {
        let place = somewhere(number);
        let start = Transform::from_xyz(place.x, 5.0, place.y);
        let goal = GoTo::place(somewhere(number + 7919));
        commands.spawn((Stroller(0), walker(&looks.crowd), start, goal));
    }
}

/// Places over the whole field, evenly: steps of the powers of the plastic number.
pub fn somewhere(number: usize) -> Vec2 {
    let part = vec2(0.754_877_7, 0.569_840_3) * (number + 1) as f32;
    30.0 * (part.fract() - 0.5)
}

/// Whoever strolls goes on to another place.
pub fn stroll(arrived: On<Arrived>, mut commands: Commands, mut strollers: Query<&mut Stroller>) {
    if let Ok(mut own) = strollers.get_mut(arrived.entity) {
        own.0 += 1;
        let next = somewhere(own.0 * 31 + arrived.entity.index_u32() as usize);
        commands.entity(arrived.entity).insert(GoTo::place(next));
    }
}

/// The left button sends the hero, the right one pushes whoever is near.
pub fn click(
    click: On<PointerClick>,
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    hero: Single<Entity, With<Hero>>,
    all: Query<(Entity, &Transform), With<Locomotion>>,
) {
    let Some(place) = click.hit.position else { return };
    if click.button == PointerButton::Primary {
        let go = GoTo::point(place);
        let fast = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        commands.entity(*hero).insert(if fast { go.running() } else { go });
        return;
    }
    for (entity, at) in &all {
        let away = at.translation - place;
        if away.length() < 2.0 {
            commands.trigger(Push::new(entity, 50.0 * away.normalize_or(Vec3::Z)));
        }
    }
}

/// W and S lead ahead and back, A and D turn.
pub fn lead(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    hero: Single<(Entity, Option<&Steer>), With<Hero>>,
) {
    let axis = |more, less| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let fast = if keys.pressed(KeyCode::ShiftLeft) { 3.0 } else { 1.4 };
    let (ahead, left) = (axis(KeyCode::KeyW, KeyCode::KeyS), axis(KeyCode::KeyA, KeyCode::KeyD));
    let (entity, before) = *hero;
    let now = Steer { speed: if ahead > 0.0 { fast } else { 0.7 * ahead }, turn_rate: 1.6 * left };
    match before {
        Some(_) if now == Steer::default() => _ = commands.entity(entity).remove::<Steer>(),
        before if now != Steer::default() && before != Some(&now) => {
            commands.entity(entity).insert(now);
        }
        _ => {}
    }
}

/// The camera looks after the hero.
fn follow(
    time: Res<Time>,
    hero: Single<&Transform, With<Hero>>,
    mut eye: Single<&mut Transform, (With<Camera3d>, Without<Hero>)>,
) {
    let goal = hero.translation + vec3(-1.0, 3.2, 6.0);
    let part = 1.0 - (-2.0 * time.delta_secs()).exp();
    eye.translation = eye.translation.lerp(goal, part);
    eye.look_at(hero.translation + 0.9 * Vec3::Y, Vec3::Y);
}

fn toggle_lines(keys: Res<ButtonInput<KeyCode>>, mut config: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::KeyG) {
        let (config, _) = config.config_mut::<AndanteGizmos>();
        config.enabled = !config.enabled;
    }
}

/// Lets the hero walk for some seconds, then draws a picture and ends. A push comes first if it is called `push…`.
fn shoot(
    mut commands: Commands,
    options: Res<Options>,
    hero: Single<(Entity, Has<bevy_andante::AndanteSkin>), With<Hero>>,
    mut walked: Local<usize>,
    mut exit: MessageWriter<AppExit>,
) {
    let (hero, is_there) = *hero;
    let Some(shot) = &options.shot else { return };
    *walked += usize::from(is_there);
    let name = shot.file_name().unwrap_or_default().to_string_lossy();
    match *walked {
        75 if name.starts_with("push") => {
            commands.trigger(Push::new(hero, vec3(70.0, 0.0, 10.0)));
        }
        90 => {
            let shot = shot.clone();
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(shot));
        }
        110 => _ = exit.write(AppExit::Success),
        _ => {}
    }
}
