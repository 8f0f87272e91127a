//! For those who do not see the window, and for those who do and wonder.

use super::User;
use andante_studio::{MotionTab, StudioRoom};
use eframe::egui::accesskit::Role;
use eframe::egui::{Context, Order, Pos2, Rect, Theme};
use egui_kittest::kittest::{AccessKitNode, NodeT, Queryable};

/// Everything that can be pressed, pulled or written into.
fn is_control(node: &AccessKitNode<'_>) -> bool {
    use Role::{Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput};
    let own = [Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput];
    own.contains(&node.role())
}

/// Every state in which a room shows other controls.
fn states() -> Vec<(String, User)> {
    let mut states: Vec<(String, User)> = StudioRoom::ALL
        .into_iter()
        .map(|room| (room.name().to_owned(), User::in_room(room)))
        .collect();
    for tab in MotionTab::ALL {
        let mut user = User::in_room(StudioRoom::Motion);
        user.window.state_mut().motion.tab = tab;
        user.window.state_mut().motion.playing = false;
        user.window.state_mut().motion.mixes = tab == MotionTab::Gaits;
        user.window.run_steps(3);
        states.push((format!("Motion, {}", tab.name()), user));
    }
    states
}

#[test]
fn every_control_has_a_name() {
    let mut nameless = Vec::new();
    for (state, user) in states() {
        let mut controls = 0;
        for node in user.window.root().query_all_by(is_control) {
            controls += 1;
            let own = node.accesskit_node();
            if own.label().is_none_or(|label| label.trim().is_empty()) {
                nameless.push(format!(
                    "{state}: {:?} {:?} at {:?}",
                    own.role(),
                    own.value(),
                    node.rect()
                ));
            }
        }
        assert!(controls > 10, "{state} has {controls} controls");
    }
    assert!(nameless.is_empty(), "{nameless:#?}");
}

fn tooltip_shows(context: &Context) -> bool {
    let layers = context.memory(|memory| memory.areas().visible_layer_ids());
    layers.iter().any(|layer| layer.order == Order::Tooltip)
}

/// A name on a button says what it is; what it does is told to whoever waits.
#[test]
fn every_control_says_what_it_does_when_the_mouse_is_on_it() {
    let mut silent = Vec::new();
    for (state, mut user) in states() {
        // Nothing that moves away, and room for everything.
        if user.app().room() == StudioRoom::Stage {
            user.click("Pause");
        }
        user.window.set_size([1280.0, 1600.0].into());
        user.window.run_steps(3);
        user.window.ctx.all_styles_mut(|style| {
            style.interaction.tooltip_delay = 0.0;
            style.interaction.show_tooltips_only_when_still = false;
        });
        let window = Rect::from_min_size(Pos2::ZERO, [1280.0, 1600.0].into());
        let controls: Vec<(String, Rect)> = user
            .window
            .root()
            .query_all_by(|node| is_control(node) && !node.is_disabled())
            .map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()))
            .filter(|(_, rect)| window.contains_rect(*rect))
            .collect();
        for (name, rect) in controls {
            user.window.hover_at(rect.center());
            user.window.run_steps(3);
            if !tooltip_shows(&user.window.ctx) {
                silent.push(format!("{state}: {name}"));
            }
        }
    }
    silent.sort();
    silent.dedup();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn light_and_dark_are_a_button_apart() {
    let mut user = User::in_room(StudioRoom::Welcome);
    let before = user.window.ctx.theme();
    user.click("Light");
    assert_ne!(user.window.ctx.theme(), before);
    assert!([Theme::Light, Theme::Dark].contains(&user.window.ctx.theme()));
}

#[test]
fn on_a_screen_with_more_pixels_everything_is_as_large_as_before() {
    let mut user = User::in_room(StudioRoom::Stage);
    let size = |user: &User| user.window.get_by_label("Export").rect().size();
    let before = size(&user);
    user.window.set_pixels_per_point(2.0);
    user.window.run_steps(3);
    assert!((size(&user) - before).length() < 1.5, "{before} {}", size(&user));
}

/// A finger is as good as a mouse, and two fingers come nearer.
#[test]
fn fingers_turn_and_zoom_the_view() {
    use eframe::egui::{Event, TouchDeviceId, TouchId, TouchPhase, vec2};
    let mut user = User::in_room(StudioRoom::Stage);
    user.click("Pause");
    let rect = user.window.get_by_label("Stage view").rect();
    let touch = |user: &User, finger: u64, phase: TouchPhase, pos: Pos2| {
        let (device_id, id) = (TouchDeviceId(1), TouchId(finger));
        user.window.event(Event::Touch { device_id, id, phase, pos, force: None });
    };
    let before = user.app().stage.camera.distance;
    user.window.hover_at(rect.center());
    let place = |side: f32, apart: f32| rect.center() + vec2(side * apart, 60.0);
    for (finger, side) in [(1, -1.0), (2, 1.0)] {
        touch(&user, finger, TouchPhase::Start, place(side, 40.0));
    }
    user.window.step();
    for step in 1..=8 {
        for (finger, side) in [(1, -1.0), (2, 1.0)] {
            touch(&user, finger, TouchPhase::Move, place(side, 40.0 + 10.0 * step as f32));
        }
        user.window.step();
    }
    for (finger, side) in [(1, -1.0), (2, 1.0)] {
        touch(&user, finger, TouchPhase::End, place(side, 120.0));
    }
    user.window.run_steps(3);
    let after = user.app().stage.camera.distance;
    assert!(after < 0.7 * before, "{before} {after}");
}
