//! Looks at a motion in a world with nothing but the polygons and boxes it was made from.

use super::generator::World;
use andante_plan::steps::PlannedMotion;
use andante_skeleton::{Character, Transform};
use glam::{Vec2, Vec3, vec2};

/// What is wrong with a motion from the start to the goal of a world; nothing if all is well.
pub fn objection(world: &World, character: &Character, motion: &PlannedMotion) -> Option<String> {
    let clip = &motion.clip;
    let mut models = vec![Transform::IDENTITY; character.skeleton.len()];
    let size = world.height / 1.75;
    let frames = clip.frame_count();
    for frame in 0..frames {
        character.skeleton.local_to_model(clip.frame(frame), &mut models);
        let hips = models[character.rig.hips].translation;
        if frame == 0 || frame + 1 == frames {
            let (wanted, far) = if frame == 0 { (world.start, 0.5) } else { (world.goal, 0.02) };
            let off = vec2(hips.x - wanted.x, hips.z - wanted.z).length();
            let feet = character.rig.feet.iter();
            let sole = feet.map(|foot| foot.ball.position(&models).y).fold(f32::MAX, f32::min);
            if off > far || (sole - wanted.y).abs() > 0.1 {
                return Some(format!(
                    "frame {frame}: hips {off:.3} m off, soles at {sole:.2} m instead of {:.2} m",
                    wanted.y
                ));
            }
        }
        if frame % 2 == 0 {
            for (joint, of) in character.skeleton.joints().iter().enumerate() {
                let Some(parent) = of.parent else { continue };
                let bone = [models[parent].translation, models[joint].translation];
                let is_foot = character.rig.feet.iter().any(|foot| {
                    let mut next = Some(joint);
                    while let Some(at) = next {
                        if at == foot.ankle() {
                            return at != joint;
                        }
                        next = character.skeleton.joints()[at].parent;
                    }
                    false
                });
                if is_foot {
                    continue;
                }
                if let Some(floor) = world.floors.iter().position(|floor| crosses(bone, floor)) {
                    return Some(format!("frame {frame}: {} goes through floor {floor}", of.name));
                }
                if let Some(thing) = world.boxes.iter().position(|thing| is_in(bone, thing)) {
                    return Some(format!("frame {frame}: {} is in box {thing}", of.name));
                }
            }
        }
    }
    stances(world, character, motion, size)
}

/// Whether feet that are said to stand do so on something that is there, and stay.
fn stances(
    world: &World,
    character: &Character,
    motion: &PlannedMotion,
    size: f32,
) -> Option<String> {
    let clip = &motion.clip;
    let mut models = vec![Transform::IDENTITY; character.skeleton.len()];
    for (index, (foot, contacts)) in
        character.rig.feet.iter().zip(&motion.contacts.feet).enumerate()
    {
        for (name, point, intervals) in
            [("heel", foot.heel, &contacts.heel), ("ball", foot.ball, &contacts.toe)]
        {
            for stance in intervals.iter() {
                let middle = 0.5 * (stance.start + stance.end) * clip.fps();
                let frame = (middle.round() as usize).min(clip.frame_count() - 1);
                character.skeleton.local_to_model(clip.frame(frame), &mut models);
                let sole = [foot.heel, foot.ball, foot.tip].map(|own| own.position(&models));
                let at = point.position(&models);
                // A heel or toes may reach over an edge if the rest of the sole lies on something.
                let borne = [at, sole[0], sole[1], sole[2], sole[0].midpoint(sole[1])];
                let bears = |at: &Vec3| surface(world, *at, 0.06 * size).is_some();
                if !borne.iter().any(bears) {
                    return Some(format!(
                        "frame {frame}: {name} of foot {index} on nothing at {at}"
                    ));
                }
                if let Some(steep) = surface(world, at, 0.06 * size).filter(|y| *y < 0.77) {
                    return Some(format!("frame {frame}: {name} on ground of cosine {steep}"));
                }
            }
        }
    }
    None
}

/// The cosine of the slope of a surface that is near a point.
fn surface(world: &World, at: Vec3, within: f32) -> Option<f32> {
    let on_floor = world.floors.iter().filter_map(|floor| {
        let normal = (floor[1] - floor[0]).cross(floor[2] - floor[0]).normalize();
        let height = floor[0].y
            - (normal.x * (at.x - floor[0].x) + normal.z * (at.z - floor[0].z)) / normal.y;
        let near = (height - at.y).abs() <= within && inside(floor, vec2(at.x, at.z), 0.02);
        near.then_some(normal.y.abs())
    });
    let on_box = world.boxes.iter().filter_map(|&(middle, half, heading)| {
        let local = local(at, middle, heading);
        let near = local.x.abs() <= half.x + 0.02
            && local.z.abs() <= half.z + 0.02
            && (local.y - half.y).abs() <= within;
        near.then_some(1.0)
    });
    on_floor.chain(on_box).reduce(f32::max)
}

fn local(at: Vec3, middle: Vec3, heading: f32) -> Vec3 {
    let (sin, cos) = heading.sin_cos();
    let off = at - middle;
    Vec3::new(off.x * cos - off.z * sin, off.y, off.x * sin + off.z * cos)
}

/// Whether a bone goes through a floor, and not only with an end.
fn crosses([a, b]: [Vec3; 2], floor: &[Vec3]) -> bool {
    let normal = (floor[1] - floor[0]).cross(floor[2] - floor[0]).normalize();
    let (over, under) = ((a - floor[0]).dot(normal), (b - floor[0]).dot(normal));
    if over * under >= 0.0 || over.abs().min(under.abs()) < 0.02 {
        return false;
    }
    let at = a.lerp(b, over / (over - under));
    inside(floor, vec2(at.x, at.z), -0.02)
}

/// Whether a bone is inside a box, by more than a little.
fn is_in([a, b]: [Vec3; 2], &(middle, half, heading): &(Vec3, Vec3, f32)) -> bool {
    (0..=8).any(|part| {
        let at = local(a.lerp(b, part as f32 / 8.0), middle, heading).abs();
        at.cmplt(half - 0.01).all()
    })
}

/// Whether a place is within a convex outline, or so far outside of it, or so far inside.
fn inside(floor: &[Vec3], place: Vec2, by: f32) -> bool {
    let flat = |at: Vec3| vec2(at.x, at.z);
    let middle = floor.iter().map(|at| flat(*at)).sum::<Vec2>() / floor.len() as f32;
    (0..floor.len()).all(|index| {
        let (from, to) = (flat(floor[index]), flat(floor[(index + 1) % floor.len()]));
        let side = (to - from).perp().normalize();
        let side = if side.dot(middle - from) < 0.0 { -side } else { side };
        side.dot(place - from) >= -by
    })
}
