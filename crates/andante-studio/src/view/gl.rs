//! Draws pictures in the window's own graphics context.
//!
//! What the graphics card holds stays in the thread of the window: contexts of a browser cannot leave theirs.

use super::body::{ViewBodies, ViewBody};
use super::camera::FIELD;
use super::geometry::{BodyGeometry, BoneTexture, FlowGeometry, FlowTriangles, picture_of};
use super::mesh::{SolidMesh, ViewMesh};
use super::paint::ComingPaint;
use super::viewport::ViewPicture;
use andante_skeleton::SkinnedMesh;
use eframe::egui;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use three_d::{
    AmbientLight, Attenuation, Blend, Camera, ClearState, ColorMaterial, Context, CpuMesh,
    CpuTexture, Cull, DirectionalLight, Geometry, Gm, Indices, Interpolation, Light, Mesh, Mipmap,
    Object, PhysicalMaterial, PointLight, Positions, RenderStates, RenderTarget, ScissorBox, Srgba,
    Texture2DRef, TextureData, Viewport, Wrapping, WriteMask, radians, vec2, vec3,
};

thread_local! {
    static CARD: RefCell<Option<GraphicsCard>> = const { RefCell::new(None) };
}

/// Pixels along a side of the shadow map.
const SHADOW: u32 = 2048;
/// Pixels along a side of a metre of ground.
const TILE: usize = 128;

/// What is kept between frames.
struct GraphicsCard {
    context: Context,
    tile: Texture2DRef,
    kept: HashMap<usize, KeptMesh>,
    skins: HashMap<usize, KeptSkin>,
    bones: BoneTexture,
    moving: Gm<FlowGeometry, PhysicalMaterial>,
    marks: Gm<FlowGeometry, ColorMaterial>,
    sun: DirectionalLight,
    fill: DirectionalLight,
    sky: AmbientLight,
}

struct KeptMesh {
    of: Weak<ViewMesh>,
    model: Gm<Mesh, PhysicalMaterial>,
}

struct KeptSkin {
    of: Weak<SkinnedMesh>,
    parts: Vec<KeptPart>,
}

/// What of a skin has the same picture on it, and that picture while it is on its way.
struct KeptPart {
    model: Gm<BodyGeometry, PhysicalMaterial>,
    coming: Option<ComingPaint>,
}

/// Everything that the graphics card holds is let go, while its context is still there.
pub fn forget_all() {
    CARD.with_borrow_mut(|card| *card = None);
}

/// A picture that is ready to be sent to the graphics card.
pub struct PreparedPicture {
    picture: ViewPicture,
    moving: Option<FlowTriangles>,
    marks: Option<FlowTriangles>,
    /// What is to be drawn again when more is there.
    window: egui::Context,
}

impl PreparedPicture {
    /// Gets a picture ready.
    pub fn new(mut picture: ViewPicture, window: egui::Context) -> Self {
        let moving = FlowTriangles::of(std::mem::take(&mut picture.moving));
        let marks = FlowTriangles::of(std::mem::take(&mut picture.marks));
        Self { picture, moving, marks, window }
    }
}

/// Draws a picture where a callback is painted.
pub fn paint(
    picture: &PreparedPicture,
    info: &egui::PaintCallbackInfo,
    gl: &Arc<three_d::context::Context>,
) {
    CARD.with_borrow_mut(|card| {
        if card.is_none() {
            *card = GraphicsCard::new(gl);
        }
        if let Some(card) = card {
            card.draw(picture, info);
        }
    });
}

impl GraphicsCard {
    fn new(gl: &Arc<three_d::context::Context>) -> Option<Self> {
        let context = match Context::from_gl_context(Arc::clone(gl)) {
            Ok(context) => context,
            Err(error) => {
                log::error!("nothing can be drawn: {error}");
                return None;
            }
        };
        let sun = DirectionalLight::new(
            &context,
            2.1,
            Srgba::new_opaque(255, 244, 228),
            vec3(-0.45, -1.0, -0.38),
        );
        let fill = DirectionalLight::new(
            &context,
            0.5,
            Srgba::new_opaque(200, 220, 255),
            vec3(0.6, -0.35, 0.7),
        );
        let sky = AmbientLight::new(&context, 0.42, Srgba::new_opaque(214, 226, 245));
        let tile = Texture2DRef::from_cpu_texture(&context, &tile());
        let moving = Gm::new(FlowGeometry::new(&context), matt(None));
        let marks = Gm::new(FlowGeometry::new(&context), painted());
        let (kept, skins, bones) = (HashMap::new(), HashMap::new(), BoneTexture::new());
        Some(Self { context, tile, kept, skins, bones, moving, marks, sun, fill, sky })
    }

    fn draw(&mut self, prepared: &PreparedPicture, info: &egui::PaintCallbackInfo) {
        let picture = &prepared.picture;
        let view = info.viewport_in_pixels();
        let clip = info.clip_rect_in_pixels();
        if view.width_px <= 0 || view.height_px <= 0 || clip.width_px <= 0 || clip.height_px <= 0 {
            return;
        }
        self.keep(&picture.ground, true);
        self.keep(&picture.solids, false);
        self.keep(&picture.distant, false);
        self.kept.retain(|_, kept| kept.of.strong_count() > 0);
        let seated = self.seat(&picture.bodies, &prepared.window);
        if let Some(moving) = &prepared.moving {
            self.moving.geometry.fill(moving);
        }
        if let Some(marks) = &prepared.marks {
            self.marks.geometry.fill(marks);
        }

        let viewport = Viewport {
            x: view.left_px,
            y: view.from_bottom_px,
            width: view.width_px as u32,
            height: view.height_px as u32,
        };
        let [eye, target, up] = [picture.camera.eye(), picture.camera.target, picture.camera.up()]
            .map(|at| vec3(at.x, at.y, at.z));
        let reach = picture.camera.distance;
        let (near, far) = ((0.02 * reach).max(0.02), 8.0 * reach + 120.0);
        let camera = Camera::new_perspective(viewport, eye, target, up, radians(FIELD), near, far);

        let moving = prepared.moving.as_ref().map(|_| &self.moving);
        let marks = prepared.marks.as_ref().map(|_| &self.marks);
        let worn = seated.iter().filter_map(|key| self.skins.get(key));
        let bodies = worn.flat_map(|kept| kept.parts.iter().map(|part| &part.model));
        let of = |solid: &SolidMesh| self.kept.get(&key(solid)).map(|kept| &kept.model);
        let grounds = picture.ground.iter().chain(&picture.distant).filter_map(of);
        let solids = picture.solids.iter().filter_map(of);

        let [heading, height] = picture.light.sun.map(f32::to_radians);
        let ((sin, cos), (up, flat)) = (libm::sincosf(heading), libm::sincosf(height));
        self.sun.direction = vec3(-flat * sin, -up, -flat * cos);
        self.sun.intensity = 2.1 * picture.light.strength;
        self.sun.clear_shadow_map();
        let mut casters: Vec<&dyn Geometry> = Vec::new();
        casters.extend(solids.clone().map(|model| &model.geometry as &dyn Geometry));
        casters.extend(bodies.clone().map(|model| &model.geometry as &dyn Geometry));
        casters.extend(moving.map(|model| &model.geometry as &dyn Geometry));
        if let Err(error) = self.sun.generate_shadow_map(SHADOW, casters) {
            log::error!("no shadows: {error}");
        }

        let scissor = ScissorBox {
            x: clip.left_px,
            y: clip.from_bottom_px,
            width: clip.width_px as u32,
            height: clip.height_px as u32,
        };
        let [width, height] = info.screen_size_px;
        let mut objects: Vec<&dyn Object> = Vec::new();
        objects.extend(grounds.chain(solids).map(|model| model as &dyn Object));
        objects.extend(bodies.map(|model| model as &dyn Object));
        objects.extend(moving.map(|model| model as &dyn Object));
        let mut after: Vec<&dyn Object> = Vec::new();
        after.extend(marks.map(|model| model as &dyn Object));
        let lamp = |at: &[f32; 3]| {
            let (color, fade) = (
                Srgba::new_opaque(255, 220, 170),
                Attenuation { constant: 0.2, linear: 0.0, quadratic: 1.0 },
            );
            PointLight::new(&self.context, 2.5, color, vec3(at[0], at[1], at[2]), fade)
        };
        let lamps: Vec<PointLight> = picture.light.lamps.iter().map(lamp).collect();
        let mut lights: Vec<&dyn Light> = vec![&self.sun, &self.fill, &self.sky];
        lights.extend(lamps.iter().map(|lamp| lamp as &dyn Light));
        RenderTarget::screen(&self.context, width, height)
            .clear_partially(scissor, ClearState::depth(1.0))
            .render_partially(scissor, &camera, objects, &lights)
            .render_partially(scissor, &camera, after, &lights);
    }

    /// Lets everybody of a picture take a seat: who has the same skin is drawn at once. Skins that are not there yet are sent; the
    /// keys of those that are worn now.
    fn seat(&mut self, bodies: &ViewBodies, window: &egui::Context) -> Vec<usize> {
        self.skins.retain(|_, kept| kept.of.strong_count() > 0);
        let mut seated = Vec::new();
        if bodies.all().is_empty() {
            return seated;
        }
        let bones = self.bones.fill(&self.context, bodies.rows());
        let mut left: Vec<&ViewBody> = bodies.all().iter().collect();
        while let Some(first) = left.first().copied() {
            let same = |body: &&ViewBody| Arc::ptr_eq(&body.skin, &first.skin);
            let (own, others): (Vec<&ViewBody>, Vec<&ViewBody>) = left.into_iter().partition(same);
            left = others;
            let key = Arc::as_ptr(&first.skin).addr();
            let kept = self.skins.entry(key);
            let kept = kept.or_insert_with(|| KeptSkin::new(&self.context, &first.skin, window));
            for part in &mut kept.parts {
                part.model.geometry.sit(bodies, &own, &bones);
                if let Some(paint) = part.coming.as_mut().and_then(ComingPaint::arrived) {
                    let paint = Texture2DRef::from_cpu_texture(&self.context, &paint);
                    (part.model.material, part.coming) = (matt(Some(paint)), None);
                }
            }
            seated.push(key);
        }
        seated
    }

    /// Sends those meshes to the graphics card that are not there yet.
    fn keep(&mut self, meshes: &[SolidMesh], ground: bool) {
        for solid in meshes.iter().filter(|solid| !solid.is_empty()) {
            let known = self.kept.get(&key(solid));
            if known.is_some_and(|kept| kept.of.strong_count() > 0) {
                continue;
            }
            let mut mesh = ready(solid);
            if ground {
                let places = solid.positions.iter().zip(&solid.normals);
                // Walls show no tiles.
                let place = |(at, normal): (&glam::Vec3, &glam::Vec3)| match normal.y > 0.3 {
                    true => vec2(at.x, at.z),
                    false => vec2(0.5, 0.5),
                };
                mesh.uvs = Some(places.map(place).collect());
            }
            let tile = ground.then(|| self.tile.clone());
            let model = Gm::new(Mesh::new(&self.context, &mesh), matt(tile));
            self.kept.insert(key(solid), KeptMesh { of: Arc::downgrade(solid), model });
        }
    }
}

impl KeptSkin {
    /// Sends a skin to the graphics card. Pictures on it come later.
    fn new(context: &Context, skin: &Arc<SkinnedMesh>, window: &egui::Context) -> Self {
        let drawn = skin.primitives.iter().filter(|part| !part.indices.is_empty());
        let mut pictures: Vec<Option<usize>> = drawn.map(|part| picture_of(skin, part)).collect();
        pictures.sort_unstable();
        pictures.dedup();
        let part = |picture: Option<usize>| {
            let texture = picture.and_then(|own| skin.materials[own].base_color_texture.as_ref());
            let coming = texture.map(|texture| {
                let window = window.clone();
                ComingPaint::begin(texture, move || window.request_repaint())
            });
            let geometry = BodyGeometry::new(context, skin, picture);
            KeptPart { model: Gm::new(geometry, matt(None)), coming }
        };
        Self { of: Arc::downgrade(skin), parts: pictures.into_iter().map(part).collect() }
    }
}

fn key(solid: &SolidMesh) -> usize {
    Arc::as_ptr(solid).addr()
}

/// A mesh as the graphics card takes it.
fn ready(mesh: &ViewMesh) -> CpuMesh {
    let convert = |at: &glam::Vec3| vec3(at.x, at.y, at.z);
    let unit = |normal: &glam::Vec3| convert(&normal.normalize_or(glam::Vec3::Y));
    let positions = mesh.positions.iter().map(convert).collect();
    let normals = mesh.normals.iter().map(unit).collect();
    let colors = mesh.colors.iter().map(|[r, g, b, a]| Srgba::new(*r, *g, *b, *a)).collect();
    CpuMesh {
        positions: Positions::F32(positions),
        indices: Indices::U32(mesh.indices.clone()),
        normals: Some(normals),
        colors: Some(colors),
        ..CpuMesh::default()
    }
}

fn matt(albedo_texture: Option<Texture2DRef>) -> PhysicalMaterial {
    PhysicalMaterial {
        roughness: 0.85,
        metallic: 0.0,
        albedo_texture,
        ..PhysicalMaterial::default()
    }
}

/// For marks on top of what is there.
fn painted() -> ColorMaterial {
    ColorMaterial {
        color: Srgba::WHITE,
        is_transparent: true,
        render_states: RenderStates {
            blend: Blend::TRANSPARENCY,
            cull: Cull::None,
            write_mask: WriteMask::COLOR,
            ..RenderStates::default()
        },
        ..ColorMaterial::default()
    }
}

/// A metre of ground: plain, with a thin line around it.
fn tile() -> CpuTexture {
    let shade = |index: usize| {
        let near = |at: usize| !(2..TILE - 1).contains(&at);
        let light = if near(index % TILE) || near(index / TILE) { 176 } else { 255 };
        [light, light, light, 255u8]
    };
    CpuTexture {
        name: "tile".into(),
        data: TextureData::RgbaU8((0..TILE * TILE).map(shade).collect()),
        width: TILE as u32,
        height: TILE as u32,
        min_filter: Interpolation::Linear,
        mag_filter: Interpolation::Linear,
        mipmap: Some(Mipmap { max_ratio: 4, ..Mipmap::default() }),
        wrap_s: Wrapping::Repeat,
        wrap_t: Wrapping::Repeat,
    }
}
