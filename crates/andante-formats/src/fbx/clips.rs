//! Animation stacks, frame by frame.

use super::document::{Nodes, of_node, typed};
use super::morph;
use crate::budget::Budget;
use crate::gltf::Builder;
use crate::text::shown;
use crate::{ReadError, ReadOptions, Warning};
use serde_json::{Value, json};
use ufbx::{Anim, AnimStack, Node, Scene};

/// Seconds by which frames are late: a step that is to be on a frame has been made there, whatever was rounded.
const AFTER: f64 = 1e-9;

/// Frames per second of all clips.
pub(super) fn rate(scene: &Scene, options: &ReadOptions, warnings: &mut Vec<Warning>) -> f32 {
    let stated = scene.settings.frames_per_second;
    match options.fps {
        Some(fps) => fps,
        None if (1.0..=1000.0).contains(&stated) => stated as f32,
        None => {
            let fps = options.guesses.fps;
            warnings.push(Warning::new(format!(
                "{stated} frames per second make no sense; {fps} assumed"
            )));
            fps
        }
    }
}

/// The frames of a clip.
struct Frames {
    begin: f64,
    duration: f64,
    count: usize,
}

impl Frames {
    fn of(scene: &Scene, stack: &AnimStack, fps: f32) -> Self {
        let (mut begin, mut end) = (stack.time_begin, stack.time_end);
        let stop = ufbx::find_prop(&stack.element.props, "LocalStop");
        if let Some(stop) = stop.filter(|_| end <= begin) {
            // A start that is not said is zero.
            (begin, end) = (0.0, stop.value_int as f64 / scene.metadata.ktime_second as f64);
        }
        if !(begin.is_finite() && end.is_finite() && end > begin) {
            // The file does not say when it plays: from the first key to the last.
            let curves = || {
                let props = stack.layers.iter().flat_map(|layer| &layer.anim_props);
                props.flat_map(|prop| prop.anim_value.curves.iter().flatten())
            };
            let keys = || curves().flat_map(|curve| curve.keyframes.iter().map(|key| key.time));
            let keys = || keys().filter(|time| time.is_finite());
            begin = keys().fold(f64::INFINITY, f64::min);
            end = keys().fold(f64::NEG_INFINITY, f64::max);
            if begin > end {
                (begin, end) = (0.0, 0.0);
            }
        }
        let duration = end - begin;
        let count = ((duration * f64::from(fps)).round() as usize).saturating_add(1);
        Self { begin, duration, count }
    }

    /// Seconds from the first frame.
    fn time(&self, frame: usize) -> f64 {
        match self.count - 1 {
            0 => 0.0,
            last => self.duration * (frame as f64 / last as f64),
        }
    }
}

/// The animations of a document.
pub(super) fn animations(
    nodes: &Nodes,
    length: usize,
    fps: f32,
    meshes: &[Option<(usize, Option<usize>)>],
    options: &ReadOptions,
    builder: &mut Builder,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Value>, ReadError> {
    let scene = nodes.scene;
    let mut allowance = Budget::new(length, &options.limits).transforms as u64;
    let joints = nodes.skeleton.iter().filter(|&&joint| joint).count();
    let meshes_of = scene.nodes.iter().filter_map(|node| node.mesh.as_ref());
    let shapes = |mesh: &ufbx::Mesh| {
        mesh.blend_deformers.iter().map(|all| all.channels.len()).sum::<usize>()
    };
    let shapes: usize = meshes_of.map(|mesh| shapes(mesh)).sum();
    let width =
        joints.max(options.limits.transforms_per_frame).max(1).saturating_add(shapes) as u64;
    let (mut animations, mut idle) = (Vec::new(), Vec::new());
    for stack in &scene.anim_stacks {
        let frames = Frames::of(scene, stack, fps);
        let work = (frames.count as u64).saturating_mul(width);
        allowance = allowance.checked_sub(work).ok_or_else(|| {
            let message = format!(
                "{} frames at {fps} frames/s of {joints} joints are more than a file of this size can hold; read \
                 it at a lower rate",
                frames.count
            );
            of_stack(stack, &message)
        })?;
        match animation(nodes, stack, &frames, meshes, builder)? {
            Some(animation) => animations.push(animation),
            None => idle.push(stack),
        }
    }
    if let Some(first) = idle.first() {
        let (count, first) = (idle.len(), shown(first.element.name.as_bytes()));
        warnings.push(Warning::new(format!(
            "{count} animation stacks move no joint and no blend shape and were left out (`{first}`)"
        )));
    }
    warnings.extend(stray(nodes));
    Ok(animations)
}

/// A stack as glTF has it; none that moves nothing, which glTF has no form for.
fn animation(
    nodes: &Nodes,
    stack: &AnimStack,
    frames: &Frames,
    meshes: &[Option<(usize, Option<usize>)>],
    builder: &mut Builder,
) -> Result<Option<Value>, ReadError> {
    let times: Vec<[f32; 1]> = (0..frames.count).map(|frame| [frames.time(frame) as f32]).collect();
    let mut animation = Animation { times: None, samplers: Vec::new(), channels: Vec::new() };
    for (number, node) in nodes.scene.nodes.iter().enumerate() {
        let (Some(place), true) = (nodes.places[number], nodes.skeleton[number]) else { continue };
        nodes.room(builder, frames.count, 44)?;
        let track = NodeTrack::new(node, &stack.anim, frames)?;
        let mut add = |path: &str, values: usize, builder: &mut Builder| {
            animation.add(place, path, &times, values, builder);
        };
        if track.turns || nodes.moved[number] && !track.shifts && !track.scales {
            let values = builder.floats(None, track.rotations.iter().copied());
            add("rotation", values, builder);
        }
        if track.shifts {
            let values = builder.floats(None, track.translations.iter().copied());
            add("translation", values, builder);
        }
        if track.scales {
            let values = builder.floats(None, track.sizes.iter().copied());
            add("scale", values, builder);
        }
    }
    for node in nodes.scene.nodes.iter() {
        let Some(mesh) = node.mesh.as_ref() else { continue };
        let known = meshes.get(typed(&mesh.element)).is_some_and(Option::is_some);
        let (Some(place), true) = (nodes.place(node), known) else { continue };
        let shapes = morph::shapes(mesh, &mut Default::default());
        let weights = |frame: usize| {
            let time = frames.begin + frames.time(frame) + AFTER;
            let at = move |shape: &&ufbx::BlendChannel| {
                morph::weight(ufbx::evaluate_blend_weight(&stack.anim, shape, time))
            };
            shapes.iter().map(at).collect::<Vec<f32>>()
        };
        // Times, and a weight for each shape.
        nodes.room(builder, frames.count, 4 + 4 * shapes.len())?;
        let all: Vec<Vec<f32>> =
            if shapes.is_empty() { Vec::new() } else { (0..frames.count).map(weights).collect() };
        if all.iter().any(|weights| Some(weights) != all.first()) {
            let values = builder.floats(None, all.iter().flatten().map(|&weight| [weight]));
            animation.add(place, "weights", &times, values, builder);
        }
    }
    if animation.channels.is_empty() {
        return Ok(None);
    }
    let mut value = json!({ "samplers": animation.samplers, "channels": animation.channels });
    if !stack.element.name.is_empty() {
        value["name"] = json!(&*stack.element.name);
    }
    Ok(Some(value))
}

/// An animation while it is collected.
struct Animation {
    /// The accessor of the times, once something needs it.
    times: Option<usize>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Animation {
    fn add(
        &mut self,
        node: usize,
        path: &str,
        times: &[[f32; 1]],
        values: usize,
        builder: &mut Builder,
    ) {
        let times = *self.times.get_or_insert_with(|| builder.bounded_floats(None, times));
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        self.samplers.push(json!({ "input": times, "output": values }));
    }
}

/// Where a node is in every frame, and whether that is anywhere else than at rest.
struct NodeTrack {
    rotations: Vec<[f32; 4]>,
    translations: Vec<[f32; 3]>,
    sizes: Vec<[f32; 3]>,
    turns: bool,
    shifts: bool,
    scales: bool,
}

impl NodeTrack {
    fn new(node: &Node, anim: &Anim, frames: &Frames) -> Result<Self, ReadError> {
        let mut track = Self {
            rotations: Vec::with_capacity(frames.count),
            translations: Vec::with_capacity(frames.count),
            sizes: Vec::with_capacity(frames.count),
            turns: false,
            shifts: false,
            scales: false,
        };
        let parts = |at: &ufbx::Transform| {
            let (r, t, s) = (at.rotation, at.translation, at.scale);
            (
                [r.x, r.y, r.z, r.w].map(|number| number as f32),
                [t.x, t.y, t.z].map(|number| number as f32),
                [s.x, s.y, s.z].map(|number| number as f32),
            )
        };
        let rest = parts(&node.local_transform);
        for frame in 0..frames.count {
            let time = frames.begin + frames.time(frame) + AFTER;
            let now = parts(&ufbx::evaluate_transform(anim, node, time));
            if !now.0.iter().chain(&now.1).chain(&now.2).all(|number| number.is_finite()) {
                let message = format!("is at no finite place in frame {}", frame + 1);
                return Err(of_node(node, &message));
            }
            track.turns |= now.0 != rest.0;
            track.shifts |= now.1 != rest.1;
            track.scales |= now.2 != rest.2;
            track.rotations.push(now.0);
            track.translations.push(now.1);
            track.sizes.push(now.2);
        }
        Ok(track)
    }
}

/// That something moves which is no part of the skeleton.
fn stray(nodes: &Nodes) -> Option<Warning> {
    let moves = |node: &Node| {
        let layers = nodes.scene.anim_layers.iter();
        let mut props = layers.flat_map(|layer| ufbx::find_anim_props(layer, &node.element));
        props.any(|prop| {
            let mut curves = prop.anim_value.curves.iter().flatten();
            curves.any(|curve| curve.min_value < curve.max_value)
        })
    };
    let all = nodes.scene.nodes.iter().enumerate();
    let stray: Vec<&Node> = all
        .filter(|(number, node)| nodes.moved[*number] && !nodes.skeleton[*number] && moves(node))
        .map(|(_, node)| &**node)
        .collect();
    let first = shown(stray.first()?.element.name.as_bytes());
    let count = stray.len();
    Some(Warning::new(format!(
        "{count} animated nodes are not part of the skeleton and were left out: `{first}`"
    )))
}

fn of_stack(stack: &AnimStack, message: &str) -> ReadError {
    let number = typed(&stack.element);
    let name = shown(stack.element.name.as_bytes());
    ReadError::element(format!("animation stack {number} (`{name}`)"), message)
}
