//! Somebody who clicks, drags and types whatever comes to hand.

use super::User;
use andante_studio::StudioRoom;
use eframe::egui::{Key, Modifiers, PointerButton, Pos2};

/// A small generator of one's own, so that a seed means the same for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

const KEYS: [Key; 20] = [
    Key::Space,
    Key::B,
    Key::G,
    Key::R,
    Key::S,
    Key::F,
    Key::Num1,
    Key::Num3,
    Key::Num7,
    Key::Delete,
    Key::Escape,
    Key::Enter,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::Home,
    Key::L,
    Key::C,
    Key::T,
    Key::W,
    Key::A,
];

fn play(seed: u64, room: StudioRoom, deeds: usize) {
    let mut user = User::in_room(room);
    let mut dice = Dice(seed);
    for _ in 0..deeds {
        let place = |dice: &mut Dice| Pos2::new(dice.roll(1280) as f32, dice.roll(800) as f32);
        match dice.roll(8) {
            0..=2 => {
                let at = place(&mut dice);
                user.click_at(at);
            }
            3 | 4 => {
                let (from, to) = (place(&mut dice), place(&mut dice));
                user.drag(from, to);
            }
            5 => {
                let key = KEYS[dice.roll(KEYS.len())];
                user.key(key);
            }
            6 => {
                let key = [Key::Z, Key::Y, Key::K, Key::A][dice.roll(4)];
                user.keys(Modifiers::COMMAND, key);
            }
            _ => {
                let at = place(&mut dice);
                for pressed in [true, false] {
                    user.window.event(eframe::egui::Event::PointerButton {
                        pos: at,
                        button: PointerButton::Secondary,
                        pressed,
                        modifiers: Modifiers::NONE,
                    });
                    user.window.step();
                }
            }
        }
        let frame = user.app().stage.player().map(|player| player.shown());
        let joints = frame.into_iter().flat_map(|frame| frame.models.iter().flatten());
        assert!(joints.into_iter().all(|joint| joint.is_finite()), "seed {seed}");
    }
    // Whatever was done, it can be left.
    user.key(Key::Escape);
    user.key(Key::Escape);
    user.click("Welcome");
    assert_eq!(user.app().room(), StudioRoom::Welcome);
}

#[test]
fn a_monkey_breaks_nothing_on_the_stage() {
    for seed in 1..4 {
        play(seed, StudioRoom::Stage, 60);
    }
}

#[test]
fn a_monkey_breaks_nothing_among_the_creatures() {
    play(5, StudioRoom::Creature, 40);
}

#[test]
fn a_monkey_breaks_nothing_among_clips_and_forces() {
    play(6, StudioRoom::Motion, 60);
    play(7, StudioRoom::Physics, 60);
}
