//! What the graphics card keeps from frame to frame: bodies that it bends by their joints, and triangles that are others in
//! every frame, in memory that stays.

use super::body::{ViewBodies, ViewBody};
use super::mesh::ViewMesh;
use andante_skeleton::{Primitive, SkinnedMesh};
use glam::Vec3;
use std::rc::Rc;
use three_d::{
    AxisAlignedBoundingBox, ColorTexture, Context, DepthTexture, Effect, ElementBuffer, Geometry,
    GeometryId, InstanceBuffer, Interpolation, Light, Material, Program, RenderStates, Srgba,
    Texture2D, VertexBuffer, Viewer, Wrapping, render_with_effect, render_with_material,
};

/// The name of places in a picture, for shaders.
const PLACE: &str = "uv_coordinates";

/// For bodies: joints are looked up in a texture, three texels each, the first row of them at its bottom.
const BODY_SHADER: &str = "
uniform mat4 viewProjection;
uniform highp sampler2D bones;
in vec3 position;
in vec3 normal;
in vec4 color;
in vec4 joints;
in vec4 weights;
in vec4 seat;
out vec3 pos;
out vec3 nor;
out vec4 col;
flat out int instance_id;
#ifdef PAINTED
in vec2 uv_coordinates;
out vec2 uvs;
#endif

mat4 carried(float number, float weight)
{
    int joint = int(seat.x) + int(number);
    ivec2 size = textureSize(bones, 0);
    int across = size.x / 3;
    int x = 3 * (joint % across);
    int y = size.y - 1 - joint / across;
    return weight * mat4(texelFetch(bones, ivec2(x, y), 0), texelFetch(bones, ivec2(x + 1, y), 0),
        texelFetch(bones, ivec2(x + 2, y), 0), vec4(0.0));
}

void main()
{
    mat4 rows = carried(joints.x, weights.x) + carried(joints.y, weights.y)
        + carried(joints.z, weights.z) + carried(joints.w, weights.w);
    pos = (vec4(position, 1.0) * rows).xyz;
    nor = normalize((vec4(normal, 0.0) * rows).xyz);
    col = color * vec4(seat.yzw, 1.0);
    gl_Position = viewProjection * vec4(pos, 1.0);
    instance_id = gl_InstanceID;
#ifdef PAINTED
    uvs = uv_coordinates;
#endif
}
";

/// For triangles that are where they are.
const PLAIN_SHADER: &str = "
uniform mat4 viewProjection;
in vec3 position;
in vec3 normal;
in vec4 color;
out vec3 pos;
out vec3 nor;
out vec4 col;
flat out int instance_id;

void main()
{
    pos = position;
    nor = normal;
    col = color;
    gl_Position = viewProjection * vec4(position, 1.0);
    instance_id = gl_InstanceID;
}
";

/// Corners of triangles on the graphics card.
struct Corners {
    positions: VertexBuffer<[f32; 3]>,
    normals: VertexBuffer<[f32; 3]>,
    colors: VertexBuffer<[f32; 4]>,
    indices: ElementBuffer<u32>,
}

impl Corners {
    fn new(context: &Context) -> Self {
        Self {
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            indices: ElementBuffer::new(context),
        }
    }

    fn offer(&self, program: &Program) {
        program.use_vertex_attribute("position", &self.positions);
        // What a shader has no use for is not there.
        if program.requires_attribute("normal") {
            program.use_vertex_attribute("normal", &self.normals);
        }
        if program.requires_attribute("color") {
            program.use_vertex_attribute("color", &self.colors);
        }
    }
}

/// The shades of a colour as light adds up.
fn linear([r, g, b, a]: [u8; 4]) -> [f32; 4] {
    Srgba::new(r, g, b, a).to_linear_srgb().into()
}

/// A box around boxes that may be empty.
fn box_around(bounds: Option<[Vec3; 2]>) -> AxisAlignedBoundingBox {
    let corners = bounds.map(|corners| corners.map(|at| three_d::vec3(at.x, at.y, at.z)));
    AxisAlignedBoundingBox::new_with_positions(corners.as_ref().map_or(&[], |corners| corners))
}

/// The joints of everybody in a picture, as a texture.
pub struct BoneTexture {
    texture: Option<Rc<Texture2D>>,
    texels: Vec<[f32; 4]>,
}

impl BoneTexture {
    /// With nobody in it.
    pub fn new() -> Self {
        Self { texture: None, texels: Vec::new() }
    }

    /// Takes over the joints of everybody. A texture is made only where the last one was too small.
    pub fn fill(&mut self, context: &Context, rows: &[[f32; 4]]) -> Rc<Texture2D> {
        // Sixty-four joints in a line.
        let across = 3 * 64;
        let lines = rows.len().div_ceil(across).max(1);
        let kept = self.texture.take().filter(|texture| texture.height() as usize >= lines);
        let texture = kept.unwrap_or_else(|| {
            Rc::new(Texture2D::new_empty::<[f32; 4]>(
                context,
                across as u32,
                lines.next_power_of_two() as u32,
                Interpolation::Nearest,
                Interpolation::Nearest,
                None,
                Wrapping::ClampToEdge,
                Wrapping::ClampToEdge,
            ))
        });
        self.texels.clear();
        self.texels.extend_from_slice(rows);
        self.texels.resize(across * texture.height() as usize, [0.0; 4]);
        texture.fill(&self.texels);
        self.texture = Some(Rc::clone(&texture));
        texture
    }
}

/// The bodies with the same skin, drawn at once.
pub struct BodyGeometry {
    context: Context,
    corners: Corners,
    joints: VertexBuffer<[f32; 4]>,
    weights: VertexBuffer<[f32; 4]>,
    /// Places in the picture, if there is one on it.
    places: Option<VertexBuffer<[f32; 2]>>,
    /// The ball around what each joint carries, at binding.
    balls: Vec<Option<(Vec3, f32)>>,
    /// For each body its first joint and its dye.
    seats: InstanceBuffer<[f32; 4]>,
    bones: Option<Rc<Texture2D>>,
    bounds: AxisAlignedBoundingBox,
}

impl BodyGeometry {
    /// Sends the parts of a skin to the graphics card that have the same picture on them, or none.
    pub fn new(context: &Context, skin: &SkinnedMesh, picture: Option<usize>) -> Self {
        let mut corners = Corners::new(context);
        let (mut positions, mut normals, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        let (mut joints, mut weights, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = Vec::new();
        let own = |part: &&Primitive| picture_of(skin, part) == picture;
        for part in skin.primitives.iter().filter(own) {
            let base = positions.len() as u32;
            let vertices = &part.vertices;
            positions.extend(vertices.positions.iter().map(Vec3::to_array));
            normals.extend(facing(part).iter().map(Vec3::to_array));
            colors.extend(own_colors(skin, part, picture.is_some()));
            places.extend(vertices.uvs.iter().map(|at| [at.x, 1.0 - at.y]));
            joints.extend(vertices.joints.iter().map(|own| own.map(f32::from)));
            weights.extend_from_slice(&vertices.weights);
            indices.extend(part.indices.iter().map(|corner| base + corner));
        }
        corners.positions.fill(&positions);
        corners.normals.fill(&normals);
        corners.colors.fill(&colors);
        corners.indices.fill(&indices);
        Self {
            joints: VertexBuffer::new_with_data(context, &joints),
            weights: VertexBuffer::new_with_data(context, &weights),
            places: picture.map(|_| VertexBuffer::new_with_data(context, &places)),
            balls: balls(skin, picture),
            seats: InstanceBuffer::new(context),
            bones: None,
            bounds: AxisAlignedBoundingBox::EMPTY,
            corners,
            context: context.clone(),
        }
    }

    /// Takes over who has this skin in a picture.
    pub fn sit(&mut self, bodies: &ViewBodies, own: &[&ViewBody], bones: &Rc<Texture2D>) {
        let seat = |body: &&ViewBody| {
            // What has a picture on it has its own colours.
            let dye = if self.places.is_some() { [255; 4] } else { body.dye.to_array() };
            let [r, g, b, _] = linear(dye);
            [body.first as f32, r, g, b]
        };
        let seats: Vec<[f32; 4]> = own.iter().map(seat).collect();
        self.seats.fill(&seats);
        self.bones = Some(Rc::clone(bones));
        let mut around: Option<[Vec3; 2]> = None;
        for body in own {
            for (joint, ball) in self.balls.iter().enumerate() {
                let Some((middle, radius)) = ball else { continue };
                let at = bodies.carry(body.first + joint, *middle);
                let reach = Vec3::splat(radius * bodies.stretch(body.first + joint));
                let [low, high] = around.unwrap_or([at, at]);
                around = Some([low.min(at - reach), high.max(at + reach)]);
            }
        }
        self.bounds = box_around(around);
    }
}

/// The material whose picture a part has on it, by its number; none without a picture or without places in it.
pub fn picture_of(skin: &SkinnedMesh, part: &Primitive) -> Option<usize> {
    let vertices = &part.vertices;
    let material = part.material.filter(|_| vertices.uvs.len() == vertices.positions.len())?;
    skin.materials.get(material)?.base_color_texture.as_ref().map(|_| material)
}

/// The ways that the corners of a part face: its own, or those of the triangles around them.
fn facing(part: &Primitive) -> Vec<Vec3> {
    let vertices = &part.vertices;
    if vertices.normals.len() == vertices.positions.len() {
        return vertices.normals.clone();
    }
    let mut normals = vec![Vec3::ZERO; vertices.positions.len()];
    for corners in part.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| vertices.positions[corners[k] as usize]);
        let normal = (b - a).cross(c - a);
        corners.iter().for_each(|corner| normals[*corner as usize] += normal);
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
}

/// The colour of each corner of a part, light enough to be dyed unless there is a picture on it.
fn own_colors<'a>(
    skin: &'a SkinnedMesh,
    part: &'a Primitive,
    painted: bool,
) -> impl Iterator<Item = [f32; 4]> + 'a {
    let paint = part.material.and_then(|index| skin.materials.get(index));
    let paint = paint.map_or([1.0; 4], |material| material.base_color);
    let light = if painted { 1.0 } else { 1.4 };
    (0..part.vertices.positions.len()).map(move |vertex| {
        let own = part.vertices.colors.get(vertex).copied().unwrap_or([1.0; 4]);
        let shade = |k: usize| (light * paint[k] * own[k]).clamp(0.0, 1.0);
        [shade(0), shade(1), shade(2), 1.0]
    })
}

/// For each joint the ball around all that it carries, at binding.
fn balls(skin: &SkinnedMesh, picture: Option<usize>) -> Vec<Option<(Vec3, f32)>> {
    let mut boxes: Vec<Option<[Vec3; 2]>> = vec![None; skin.inverse_binds.len()];
    for part in skin.primitives.iter().filter(|part| picture_of(skin, part) == picture) {
        let vertices = &part.vertices;
        let carriers = vertices.joints.iter().zip(&vertices.weights);
        for (at, (joints, weights)) in vertices.positions.iter().zip(carriers) {
            for (joint, _) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                if let Some(own) = boxes.get_mut(usize::from(*joint)) {
                    let [low, high] = own.unwrap_or([*at, *at]);
                    *own = Some([low.min(*at), high.max(*at)]);
                }
            }
        }
    }
    let ball = |[low, high]: [Vec3; 2]| (0.5 * (low + high), 0.5 * low.distance(high));
    boxes.into_iter().map(|own| own.map(ball)).collect()
}

/// Triangles that are others in every frame, in memory that stays.
pub struct FlowGeometry {
    context: Context,
    corners: Corners,
    bounds: AxisAlignedBoundingBox,
}

impl FlowGeometry {
    /// Without any triangles.
    pub fn new(context: &Context) -> Self {
        let corners = Corners::new(context);
        Self { context: context.clone(), corners, bounds: AxisAlignedBoundingBox::EMPTY }
    }

    /// Takes over triangles, of which there is at least one.
    pub fn fill(&mut self, mesh: &FlowTriangles) {
        self.corners.positions.fill(&mesh.positions);
        self.corners.normals.fill(&mesh.normals);
        self.corners.colors.fill(&mesh.colors);
        self.corners.indices.fill(&mesh.indices);
        self.bounds = box_around(mesh.bounds);
    }
}

/// Triangles as the graphics card takes them.
pub struct FlowTriangles {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    bounds: Option<[Vec3; 2]>,
}

impl FlowTriangles {
    /// The triangles of a mesh, whose memory is used again; none without any.
    pub fn of(mesh: ViewMesh) -> Option<Self> {
        if mesh.is_empty() {
            return None;
        }
        let bounds = mesh.bounds();
        let unit = |normal: Vec3| normal.normalize_or(Vec3::Y).to_array();
        // Neighbours mostly have the same colour.
        let mut last = ([255; 4], [1.0; 4]);
        let shade = |color: [u8; 4]| {
            if color != last.0 {
                last = (color, linear(color));
            }
            last.1
        };
        Some(Self {
            positions: mesh.positions.into_iter().map(|at| at.to_array()).collect(),
            normals: mesh.normals.into_iter().map(unit).collect(),
            colors: mesh.colors.into_iter().map(shade).collect(),
            indices: mesh.indices,
            bounds,
        })
    }
}

/// What a geometry does with a material is the same for each.
macro_rules! rendered {
    () => {
        fn render_with_material(
            &self,
            material: &dyn Material,
            viewer: &dyn Viewer,
            lights: &[&dyn Light],
        ) {
            let done = render_with_material(&self.context, viewer, self, material, lights);
            if let Err(error) = done {
                log::error!("not drawn: {error}");
            }
        }

        fn render_with_effect(
            &self,
            effect: &dyn Effect,
            viewer: &dyn Viewer,
            lights: &[&dyn Light],
            color: Option<ColorTexture>,
            depth: Option<DepthTexture>,
        ) {
            let context = &self.context;
            let done = render_with_effect(context, viewer, self, effect, lights, color, depth);
            if let Err(error) = done {
                log::error!("not drawn: {error}");
            }
        }

        fn aabb(&self) -> AxisAlignedBoundingBox {
            self.bounds
        }
    };
}

impl Geometry for BodyGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        let Some(bones) = &self.bones else { return };
        program.use_uniform("viewProjection", viewer.projection() * viewer.view());
        program.use_texture("bones", bones);
        self.corners.offer(program);
        program.use_vertex_attribute("joints", &self.joints);
        program.use_vertex_attribute("weights", &self.weights);
        if let Some(places) = self.places.as_ref().filter(|_| program.requires_attribute(PLACE)) {
            program.use_vertex_attribute(PLACE, places);
        }
        program.use_instance_attribute("seat", &self.seats);
        let (viewport, count) = (viewer.viewport(), self.seats.instance_count());
        program.draw_elements_instanced(render_states, viewport, &self.corners.indices, count);
    }

    fn vertex_shader_source(&self) -> String {
        let painted = if self.places.is_some() { "#define PAINTED\n" } else { "" };
        format!("{painted}{BODY_SHADER}")
    }

    fn id(&self) -> GeometryId {
        GeometryId(if self.places.is_some() { 3 } else { 1 })
    }

    rendered!();
}

impl Geometry for FlowGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        program.use_uniform("viewProjection", viewer.projection() * viewer.view());
        self.corners.offer(program);
        program.draw_elements(render_states, viewer.viewport(), &self.corners.indices);
    }

    fn vertex_shader_source(&self) -> String {
        PLAIN_SHADER.to_owned()
    }

    fn id(&self) -> GeometryId {
        GeometryId(2)
    }

    rendered!();
}
