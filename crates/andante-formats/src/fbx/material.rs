//! Materials and their pictures.

use super::document::typed;
use crate::gate;
use crate::gltf::{Builder, mime_type};
use crate::text::shown;
use crate::{ReadLimits, Warning};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use ufbx::{Material, MaterialMap, Scene, Texture, TextureFile};

/// The materials that meshes use, and the pictures that those use, each once.
pub(super) struct Pictures<'a> {
    scene: &'a Scene,
    base: Option<&'a Path>,
    limits: &'a ReadLimits,
    /// By their numbers in the scene.
    places: HashMap<usize, usize>,
    /// The texture of each file, and none of those that cannot be shown.
    files: HashMap<u32, Option<usize>>,
    /// The texture of each content, however it is called, and why there is none.
    known: HashMap<Source, Result<usize, String>>,
    /// By the numbers of their textures, with what they are.
    pictures: Vec<(&'static str, Vec<u8>)>,
    /// Bytes that further pictures may have.
    allowance: u64,
    lost: Vec<String>,
    materials: Vec<Value>,
}

/// Where the content of a picture is.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    /// In the file: address and length, which tell one from another as long as the scene is there.
    Inside(usize, usize),
    /// In a file of its own, without links.
    Beside(PathBuf),
}

impl<'a> Pictures<'a> {
    pub fn new(scene: &'a Scene, base: Option<&'a Path>, limits: &'a ReadLimits) -> Self {
        let (places, files, known) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (pictures, lost, materials) = (Vec::new(), Vec::new(), Vec::new());
        let allowance = limits.file;
        Self { scene, base, limits, places, files, known, pictures, allowance, lost, materials }
    }

    /// The number of a material in the document.
    pub fn place(&mut self, material: &Material) -> usize {
        let number = typed(&material.element);
        if let Some(&place) = self.places.get(&number) {
            return place;
        }
        let pbr = &material.pbr;
        let part = |map: &MaterialMap, otherwise: f64| {
            let value = if map.has_value { map.value_vec4.x } else { otherwise };
            let value = value as f32;
            if value.is_finite() { value.clamp(0.0, 1.0) } else { otherwise as f32 }
        };
        let color = pbr.base_color.value_vec4;
        let factor = part(&pbr.base_factor, 1.0);
        let mut rgba = [1.0; 4];
        let picture = self.texture(&pbr.base_color, material);
        // A picture takes the place of the colour, as in the programs that make such files.
        if pbr.base_color.has_value && picture.is_none() {
            let channels = [color.x, color.y, color.z].map(|c| (c as f32 * factor).clamp(0.0, 1.0));
            for (slot, channel) in rgba.iter_mut().zip(channels) {
                *slot = if channel.is_finite() { channel } else { 1.0 };
            }
        }
        rgba[3] = part(&pbr.opacity, 1.0);
        let mut value = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": rgba,
                "metallicFactor": part(&pbr.metalness, 0.0),
                "roughnessFactor": part(&pbr.roughness, 0.8),
            },
        });
        if let Some(texture) = picture {
            value["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": texture });
        }
        let normals = if pbr.normal_map.texture.is_some() {
            &pbr.normal_map
        } else {
            &material.fbx.normal_map
        };
        if let Some(texture) = self.texture(normals, material) {
            value["normalTexture"] = json!({ "index": texture });
        }
        if !material.element.name.is_empty() {
            value["name"] = json!(&*material.element.name);
        }
        if material.features.double_sided.enabled {
            value["doubleSided"] = json!(true);
        }
        if rgba[3] < 1.0 {
            value["alphaMode"] = json!("BLEND");
        }
        self.materials.push(value);
        self.places.insert(number, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// That pictures are missing, told once per file.
    pub fn tell(&self, warnings: &mut Vec<Warning>) {
        if let Some(first) = self.lost.first() {
            let count = self.lost.len();
            warnings.push(Warning::new(format!("{count} pictures are not shown: {first}")));
        }
    }

    /// The part of the document about all this: materials, textures and images, whose bytes go to the end of its buffer. Until then they
    /// are not in it: what they take is no matter of the room for meshes and clips.
    pub fn finish(self, builder: &mut Builder) -> [Vec<Value>; 3] {
        let textures = (0..self.pictures.len()).map(|image| json!({ "source": image })).collect();
        let images = self.pictures.into_iter().map(|(kind, bytes)| {
            let view = builder.view(None, bytes);
            json!({ "bufferView": view, "mimeType": kind })
        });
        let images = images.collect();
        [self.materials, textures, images]
    }

    fn texture(&mut self, map: &MaterialMap, material: &Material) -> Option<usize> {
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
        // Of layers and shaders the first picture.
        let texture: &Texture = match texture.file_textures.first() {
            Some(file) => file,
            None => texture,
        };
        let file = self.scene.texture_files.get(texture.file_index as usize);
        let file = file.filter(|_| texture.has_file)?;
        if let Some(&known) = self.files.get(&file.index) {
            return known;
        }
        let found = self.source(file).and_then(|source| match self.known.get(&source) {
            Some(known) => known.clone(),
            None => {
                let found = self.load(file, &source);
                self.known.insert(source, found.clone());
                found
            }
        });
        let place = found.map_err(|why| {
            let name = last(&file.relative_filename).or_else(|| last(&file.filename));
            let name = shown(name.unwrap_or("without a name").as_bytes());
            let owner = shown(material.element.name.as_bytes());
            self.lost.push(format!("`{name}` of material `{owner}` {why}"));
        });
        self.files.insert(file.index, place.ok());
        place.ok()
    }

    /// Where a picture is: in the file, or else in one beside it. Where it was when it was written does not matter.
    fn source(&self, file: &TextureFile) -> Result<Source, String> {
        if !file.content.is_empty() {
            return Ok(Source::Inside(file.content.as_ptr().addr(), file.content.len()));
        }
        let base = self.base.ok_or_else(|| "is in a file of its own".to_owned())?;
        let names = [&file.relative_filename, &file.filename, &file.absolute_filename];
        let whole = names.iter().map(|name| name.replace('\\', "/"));
        let short = names.iter().filter_map(|name| last(name).map(str::to_owned));
        for name in whole.chain(short) {
            let Ok(path) = gate::path_in(base, &name, self.limits) else { continue };
            if path.is_file()
                && let Ok(path) = path.canonicalize()
            {
                return Ok(Source::Beside(path));
            }
        }
        Err("is not there".to_owned())
    }

    /// Takes the bytes of a picture: the number of its texture.
    fn load(&mut self, file: &TextureFile, source: &Source) -> Result<usize, String> {
        let most = self.limits.image.min(self.limits.file);
        let bytes = match source {
            Source::Inside(..) => file.content.to_vec(),
            Source::Beside(path) => gate::read_start(path, most.saturating_add(1))
                .map_err(|_| "cannot be read".to_owned())?,
        };
        let count = bytes.len() as u64;
        if matches!(source, Source::Beside(_)) && count > most {
            return Err(format!("is larger than the {most} bytes that are read of a picture"));
        }
        let kind = mime_type(&bytes).ok_or_else(|| "is neither PNG nor JPEG".to_owned())?;
        self.allowance = self.allowance.checked_sub(count).ok_or_else(|| {
            let all = self.limits.file;
            format!("would make more than the {all} bytes that pictures may have together")
        })?;
        self.pictures.push((kind, bytes));
        Ok(self.pictures.len() - 1)
    }
}

/// The last part of a path of any system.
fn last(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())
}
