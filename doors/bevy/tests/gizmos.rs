//! Lines that show what characters are about, without a renderer.
#![allow(clippy::unwrap_used)]

mod common;

use bevy::color::palettes::tailwind::{AMBER_400, EMERALD_400, PINK_500, SKY_400};
use bevy::gizmos::{GizmoAsset, GizmoPlugin};
use bevy::prelude::*;
use bevy_andante::{AndanteGizmos, AndanteGizmosPlugin, GoTo};
use common::{ground, heard, human, pass, place, until, world_with};
use std::any::TypeId;
use std::path::Path;

/// A yard in which lines are drawn.
fn drawn(height: f32) -> App {
    let mut app = world_with(Path::new("."), |app| {
        app.add_plugins((GizmoPlugin, AndanteGizmosPlugin));
    });
    ground(&mut app, Plane3d::default().mesh().size(40.0, 40.0).into(), height);
    app.update();
    app
}

/// Every corner of the lines of a colour.
fn lines(app: &App, color: Srgba) -> Vec<Vec3> {
    let color = LinearRgba::from(color);
    let all = app.world().resource::<Assets<GizmoAsset>>().iter();
    let ours = all.filter(|(_, own)| own.config_typeid() == TypeId::of::<AndanteGizmos>());
    let mut corners = Vec::new();
    for (_, asset) in ours {
        let drawn = asset.buffer().buffer();
        for (places, colors) in
            [(drawn.list_positions, drawn.list_colors), (drawn.strip_positions, drawn.strip_colors)]
        {
            let both =
                places.iter().zip(colors).filter(|(at, own)| **own == color && at.is_finite());
            corners.extend(both.map(|(at, _)| *at));
        }
    }
    corners
}

#[test]
fn lines_are_where_the_character_is_and_goes() {
    let mut app = drawn(0.5);
    let ann = human(&mut app, vec3(0.0, 0.5, 0.0));
    let goal = vec3(2.0, 0.5, 6.0);
    app.world_mut().entity_mut(ann).insert(GoTo::point(goal));
    pass(&mut app, 3.0);
    let at = place(&app, ann);
    let route = lines(&app, SKY_400);
    let end = route.iter().map(|own| own.distance(goal)).fold(f32::MAX, f32::min);
    assert!(end < 0.1 && route.iter().all(|own| (own.y - 0.5).abs() < 0.05), "{end} m off");
    let prints = lines(&app, AMBER_400);
    assert!(prints.len() > 20 && prints.iter().all(|own| (own.y - 0.5).abs() < 0.1), "{prints:?}");
    let soles = lines(&app, EMERALD_400);
    assert!(!soles.is_empty() && soles.iter().all(|own| own.distance(at) < 1.2), "{soles:?}");
    let mass = lines(&app, PINK_500);
    let (low, high) = mass
        .iter()
        .fold((f32::MAX, f32::MIN), |(low, high), own| (low.min(own.y), high.max(own.y)));
    assert!((low - 0.5).abs() < 0.01 && (1.2..1.8).contains(&high), "{low} to {high}");
    until(&mut app, 30.0, "arrival", |app| !heard(app).arrived.is_empty());
    pass(&mut app, 0.5);
    assert!(lines(&app, SKY_400).is_empty(), "there is nowhere to go any more");
}

#[test]
fn what_is_switched_off_is_not_drawn() {
    let mut app = drawn(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, 12.0)));
    pass(&mut app, 3.0);
    {
        let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
        let (_, own) = store.config_mut::<AndanteGizmos>();
        (own.route, own.footprints, own.contacts) = (false, false, false);
    }
    pass(&mut app, 0.1);
    for color in [SKY_400, AMBER_400, EMERALD_400] {
        assert!(lines(&app, color).is_empty());
    }
    assert!(!lines(&app, PINK_500).is_empty());
    app.world_mut().entity_mut(ann).despawn();
    pass(&mut app, 0.1);
    let store = app.world().resource::<bevy::gizmos::GizmoHandles>();
    let left = store.handles().get(&TypeId::of::<AndanteGizmos>());
    assert!(left.is_none_or(Option::is_none), "nothing is drawn of who is gone");
}
