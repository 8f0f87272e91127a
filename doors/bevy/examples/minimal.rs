//! One's own character walks over hills to where one clicks; the right button pushes it away from there:
//! `cargo run --release --example minimal --features rendered -- hero.glb`

use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_andante::{AndanteCharacter, AndanteGround, AndantePlugin};
use bevy_andante::{GoTo, Locomotion, PhysicalBody, Push};

fn main() {
    let path = std::env::args().nth(1).unwrap_or("hero.glb".into());
    let path = std::path::absolute(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(&path).display().to_string();
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    App::new()
        .add_plugins(DefaultPlugins.set(AssetPlugin { file_path: folder, ..default() }))
        .add_plugins((MeshPickingPlugin, AndantePlugin::default()))
        .insert_resource(Hero(file))
        .add_systems(Startup, set_up)
        .run();
}

#[derive(Resource)]
struct Hero(String);

fn set_up(
    mut commands: Commands,
    server: Res<AssetServer>,
    hero: Res<Hero>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut hills = Plane3d::default().mesh().size(24.0, 24.0).subdivisions(30).build();
    if let Some(VertexAttributeValues::Float32x3(corners)) =
        hills.attribute_mut(Mesh::ATTRIBUTE_POSITION)
    {
        corners.iter_mut().for_each(|[x, y, z]| *y = 0.4 * (0.6 * *x).sin() * (0.5 * *z).cos());
    }
    let green = materials.add(Color::srgb(0.3, 0.5, 0.25));
    let hills = Mesh3d(meshes.add(hills.with_computed_smooth_normals()));
    commands.spawn((AndanteGround, hills, MeshMaterial3d(green))).observe(click);
    let character = server.load::<AndanteCharacter>(hero.0.clone());
    let scene = server.load(GltfAssetLabel::Scene(0).from_asset(hero.0.clone()));
    commands.spawn((Locomotion::file(character), PhysicalBody::default(), WorldAssetRoot(scene)));
    commands
        .spawn((DirectionalLight::default(), Transform::IDENTITY.looking_to(-Vec3::ONE, Vec3::Y)));
    let eye = Transform::from_xyz(0.0, 6.0, 9.0).looking_at(Vec3::Y, Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
}

type Heroes = (Entity, &'static Transform, &'static Locomotion);

fn click(click: On<PointerClick>, mut commands: Commands, heroes: Query<Heroes>) {
    let Some(place) = click.hit.position else { return };
    for (hero, at, _) in &heroes {
        match click.button {
            PointerButton::Primary => _ = commands.entity(hero).insert(GoTo::point(place)),
            _ => commands.trigger(Push::new(hero, 50.0 * (at.translation - place).normalize())),
        }
    }
}
