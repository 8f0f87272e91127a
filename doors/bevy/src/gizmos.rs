//! Lines that show what characters are about.

use crate::{AndanteActor, AndanteStage, Footfall};
use andante_ik::Masses;
use andante_stage::Actor;
use andante_world::Ground;
use bevy::color::palettes::tailwind::{AMBER_400, EMERALD_400, PINK_500, SKY_400};
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use std::collections::VecDeque;

/// Draws routes, footprints, contacts and centres of mass.
///
/// What is drawn is said by [`AndanteGizmos`] in Bevy's `GizmoConfigStore`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AndanteGizmosPlugin;

impl Plugin for AndanteGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<AndanteGizmos>()
            .init_resource::<Trodden>()
            .add_observer(remember)
            .add_systems(Update, draw.run_if(resource_exists::<AndanteStage>));
    }
}

/// The lines of characters.
#[derive(Clone, Copy, Debug, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct AndanteGizmos {
    /// The rest of the way.
    pub route: bool,
    /// Where feet are planned to be, and where they were last.
    pub footprints: bool,
    /// Heels and balls that are down.
    pub contacts: bool,
    /// The centre of mass, and the ground below it.
    pub centre_of_mass: bool,
    /// How many of the last footfalls of each character are kept.
    pub kept: usize,
}

impl Default for AndanteGizmos {
    fn default() -> Self {
        Self { route: true, footprints: true, contacts: true, centre_of_mass: true, kept: 12 }
    }
}

/// The last footfalls of everybody, with the way up there.
#[derive(Resource, Default)]
struct Trodden(EntityHashMap<VecDeque<[Vec3; 2]>>);

fn remember(fall: On<Footfall>, config: Res<GizmoConfigStore>, mut trodden: ResMut<Trodden>) {
    let kept = config.config::<AndanteGizmos>().1.kept;
    let own = trodden.0.entry(fall.entity).or_default();
    own.push_back([fall.place, fall.normal]);
    while own.len() > kept {
        own.pop_front();
    }
}

/// Lines are drawn so far above the ground, in metres, that they are seen.
const ABOVE: Vec3 = Vec3::new(0.0, 0.02, 0.0);

fn draw(
    mut gizmos: Gizmos<AndanteGizmos>,
    stage: Res<AndanteStage>,
    actors: Query<(Entity, &AndanteActor)>,
    mut trodden: ResMut<Trodden>,
    mut masses: Local<EntityHashMap<Masses>>,
) {
    let shown = *gizmos.config_ext;
    masses.retain(|entity, _| actors.contains(*entity));
    trodden.0.retain(|entity, _| actors.contains(*entity));
    for (entity, own) in &actors {
        let Ok(actor) = stage.stage().actor(own.id()) else { continue };
        if shown.route {
            gizmos.linestrip(on_ground(&stage, actor), SKY_400);
        }
        if shown.footprints {
            for print in actor.footprints() {
                gizmos
                    .linestrip([print.heel, print.ball, print.tip].map(|at| at + ABOVE), AMBER_400);
            }
            for [place, normal] in trodden.0.get(&entity).into_iter().flatten() {
                let up = Quat::from_rotation_arc(Vec3::Z, normal.normalize_or(Vec3::Y));
                gizmos.circle(Isometry3d::new(*place + ABOVE, up), 0.06, AMBER_400);
            }
        }
        if shown.contacts {
            for (foot, sole) in actor.character().rig.feet.iter().enumerate() {
                for (point, is_down) in
                    [&sole.heel, &sole.ball].into_iter().zip(actor.contact(foot))
                {
                    if is_down {
                        let at = point.position(actor.models());
                        gizmos.sphere(Isometry3d::from_translation(at), 0.03, EMERALD_400);
                    }
                }
            }
        }
        if shown.centre_of_mass {
            let masses =
                masses.entry(entity).or_insert_with(|| Masses::of_character(actor.character()));
            let at = masses.centre_of_mass(actor.models());
            gizmos.sphere(Isometry3d::from_translation(at), 0.05, PINK_500);
            if let Some(height) = stage.ground.height_below(at, f32::INFINITY) {
                gizmos.line(at, at.with_y(height), PINK_500);
            }
        }
    }
}

/// The rest of somebody's way, on the ground that is nearest below its head.
fn on_ground(stage: &AndanteStage, actor: &Actor) -> Vec<Vec3> {
    let hips = actor.models()[actor.character().rig.hips].translation;
    let mut from = hips.y;
    let place = |place: Vec2| {
        let from_here = Vec3::new(place.x, from, place.y);
        let height = stage.ground.height_below(from_here, f32::INFINITY);
        let height = height.or_else(|| stage.ground.height_at(place))?;
        from = height + 1.0;
        Some(Vec3::new(place.x, height, place.y) + ABOVE)
    };
    actor.route().filter_map(place).collect()
}
