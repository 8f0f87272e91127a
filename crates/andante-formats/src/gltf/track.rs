//! Keys of an animation, and values between them.

use super::accessor::{DocumentData, in_element, missing};
use super::graph::Parts;
use super::json::{GltfAnimation, GltfChannel, Interpolation, Property, Sampler};
use crate::ReadError;
use crate::text::shown;
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// The motion of one property of one node.
pub(super) struct PropertyTrack {
    pub node: usize,
    property: Property,
    interpolation: Interpolation,
    /// Seconds, not decreasing; at least one.
    times: Rc<[f32]>,
    values: Values,
}

/// One value per key, or for cubic splines three: tangent before, value, tangent after.
enum Values {
    Vectors(Vec<[f32; 3]>),
    Rotations(Vec<[f32; 4]>),
}

/// Key times by accessor: the channels of an animation mostly share them.
type Times = HashMap<usize, Rc<[f32]>>;

/// The tracks of an animation that move these nodes, and the times of all their keys in order.
pub(super) fn read(
    data: &DocumentData,
    index: usize,
    animation: &GltfAnimation,
    is_used: impl Fn(usize) -> bool,
) -> Result<(Vec<PropertyTrack>, Vec<f64>), ReadError> {
    let mut times = Times::new();
    let mut tracks: Vec<PropertyTrack> = Vec::new();
    let mut places: HashMap<(usize, Property), usize> = HashMap::new();
    for (number, channel) in animation.channels.iter().enumerate() {
        // Channels of other kinds may point anywhere.
        let moves = !matches!(channel.target.path, Property::Weights | Property::Other);
        let Some(node) = channel.target.node.filter(|&node| moves && is_used(node)) else {
            continue;
        };
        let track =
            read_channel(data, index, animation, channel, node, &mut times).map_err(|error| {
                let name = data.root.nodes[node].name.as_deref().unwrap_or("without a name");
                let name = shown(name.as_bytes());
                let element = format!("animations[{index}].channels[{number}] (node `{name}`)");
                in_element(error, element)
            })?;
        // One track for each property, so that the work for a frame is bounded by the nodes.
        match places.entry((node, track.property)) {
            Entry::Occupied(place) => tracks[*place.get()] = track,
            Entry::Vacant(place) => {
                place.insert(tracks.len());
                tracks.push(track);
            }
        }
    }
    let mut all: Vec<_> = times.values().flat_map(|t| t.iter().copied().map(f64::from)).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    Ok((tracks, all))
}

fn read_channel(
    data: &DocumentData,
    animation_index: usize,
    animation: &GltfAnimation,
    channel: &GltfChannel,
    node: usize,
    times: &mut Times,
) -> Result<PropertyTrack, ReadError> {
    let sampler: &Sampler = animation.samplers.get(channel.sampler).ok_or_else(|| {
        missing(format!("animations[{animation_index}].samplers[{}]", channel.sampler))
    })?;
    let times = match times.get(&sampler.input) {
        Some(times) => times.clone(),
        None => {
            let read = read_times(data, sampler.input)?;
            times.insert(sampler.input, read.clone());
            read
        }
    };
    let per_key = if sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let (values, count) = if channel.target.path == Property::Rotation {
        let values = data.floats::<4>(sampler.output)?;
        let short = |value: &[f32; 4]| DQuat::from_array(value.map(f64::from)).length() < 1e-6;
        if values.iter().skip(per_key / 2).step_by(per_key).any(short) {
            return Err(ReadError::file("a rotation is not a quaternion of length 1"));
        }
        let count = values.len();
        (Values::Rotations(values), count)
    } else {
        let values = data.floats::<3>(sampler.output)?;
        let count = values.len();
        (Values::Vectors(values), count)
    };
    if count != times.len() * per_key {
        return Err(ReadError::file(format!(
            "{count} values for {} keys; there should be {}",
            times.len(),
            times.len() * per_key
        )));
    }
    let (property, interpolation) = (channel.target.path, sampler.interpolation);
    Ok(PropertyTrack { node, property, interpolation, times, values })
}

fn read_times(data: &DocumentData, accessor: usize) -> Result<Rc<[f32]>, ReadError> {
    let times: Rc<[f32]> = data.floats::<1>(accessor)?.into_iter().map(|[time]| time).collect();
    let fail = |message: &str| ReadError::element(format!("accessors[{accessor}]"), message);
    if times.is_empty() {
        return Err(fail("an animation without keys"));
    }
    if times.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err(fail("key times run backwards"));
    }
    Ok(times)
}

impl PropertyTrack {
    /// True if values between keys lie off the straight line between them.
    pub fn is_curved(&self) -> bool {
        self.interpolation == Interpolation::CubicSpline
    }

    /// Puts the value at a time in its place. Outside the keys the nearest one holds. A step that
    /// is no more than `slack` ahead has been made: frames and keys differ by rounding.
    pub fn apply(&self, time: f64, slack: f64, parts: &mut Parts) {
        let is_step = self.interpolation == Interpolation::Step;
        let span = self.span(if is_step { time + slack } else { time });
        match &self.values {
            Values::Vectors(values) => {
                let value = self.vector(values, span);
                if self.property == Property::Scale {
                    parts.scale = value;
                } else {
                    parts.translation = value;
                }
            }
            Values::Rotations(values) => parts.rotation = self.rotation(values, span),
        }
    }

    fn span(&self, time: f64) -> Span {
        let after = self.times.partition_point(|&key| f64::from(key) <= time);
        let key = after.saturating_sub(1);
        let next = after.min(self.times.len() - 1);
        let start = f64::from(self.times[key]);
        let length = f64::from(self.times[next]) - start;
        let fraction = if length > 0.0 { (time - start) / length } else { 0.0 };
        Span { key, next, fraction, length }
    }

    fn vector(&self, values: &[[f32; 3]], span: Span) -> DVec3 {
        let at = |index: usize| DVec3::from(values[index].map(f64::from));
        match self.interpolation {
            Interpolation::Step => at(span.key),
            Interpolation::Linear => at(span.key).lerp(at(span.next), span.fraction),
            Interpolation::CubicSpline => {
                let (places, weights) = span.hermite();
                places.iter().zip(weights).map(|(&place, weight)| at(place) * weight).sum()
            }
        }
    }

    fn rotation(&self, values: &[[f32; 4]], span: Span) -> DQuat {
        let raw = |index: usize| DQuat::from_array(values[index].map(f64::from));
        let at = |index: usize| raw(index).normalize();
        match self.interpolation {
            Interpolation::Step => at(span.key),
            Interpolation::Linear => at(span.key).slerp(at(span.next), span.fraction).normalize(),
            Interpolation::CubicSpline => {
                let (places, weights) = span.hermite();
                let sum = places
                    .iter()
                    .zip(weights)
                    .fold(DQuat::from_array([0.0; 4]), |sum, (&place, weight)| {
                        sum + raw(place) * weight
                    });
                if sum.length() > 1e-9 { sum.normalize() } else { at(places[0]) }
            }
        }
    }
}

/// Where a time falls between two keys.
#[derive(Clone, Copy)]
struct Span {
    key: usize,
    next: usize,
    /// From 0 at `key` to 1 at `next`.
    fraction: f64,
    /// Seconds between the keys.
    length: f64,
}

impl Span {
    /// Places of value and outgoing tangent here, value and incoming tangent there, and their
    /// weights (glTF 2.0 specification, appendix C.5).
    fn hermite(self) -> ([usize; 4], [f64; 4]) {
        let Self { key, next, fraction: t, length } = self;
        let (t2, t3) = (t * t, t * t * t);
        (
            [3 * key + 1, 3 * key + 2, 3 * next + 1, 3 * next],
            [
                2.0 * t3 - 3.0 * t2 + 1.0,
                length * (t3 - 2.0 * t2 + t),
                3.0 * t2 - 2.0 * t3,
                length * (t3 - t2),
            ],
        )
    }
}
