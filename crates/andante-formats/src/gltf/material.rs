//! Materials and the images of their base colours.

use super::accessor::{DocumentData, in_element, missing};
use super::uri;
use crate::text::shown;
use crate::{ReadError, ReadLimits, Warning};
use andante_skeleton::{Material, Texture};
use std::collections::HashMap;
use std::path::Path;

/// The materials that a mesh uses, each read once.
pub(super) struct Materials<'a> {
    data: &'a DocumentData<'a>,
    base: Option<&'a Path>,
    limits: &'a ReadLimits,
    places: HashMap<usize, usize>,
    pub found: Vec<Material>,
}

impl<'a> Materials<'a> {
    pub fn new(data: &'a DocumentData<'a>, base: Option<&'a Path>, limits: &'a ReadLimits) -> Self {
        Self { data, base, limits, places: HashMap::new(), found: Vec::new() }
    }

    /// The set of texture coordinates that a material uses.
    pub fn uv_set(&self, index: Option<usize>) -> usize {
        let material = index.and_then(|index| self.data.root.materials.get(index));
        let texture = material.and_then(|m| m.pbr_metallic_roughness.base_color_texture.as_ref());
        texture.map_or(0, |texture| texture.tex_coord)
    }

    /// The place of a material in [`Materials::found`].
    pub fn place(&mut self, index: usize, warnings: &mut Vec<Warning>) -> Result<usize, ReadError> {
        if let Some(&place) = self.places.get(&index) {
            return Ok(place);
        }
        let element = || format!("materials[{index}]");
        let material = self.data.root.materials.get(index).ok_or_else(|| missing(element()))?;
        let pbr = &material.pbr_metallic_roughness;
        let factors = [pbr.metallic_factor, pbr.roughness_factor];
        if !pbr.base_color_factor.iter().chain(&factors).all(|factor| factor.is_finite()) {
            return Err(ReadError::element(element(), "a factor is not a finite number"));
        }
        let name = material.name.clone().unwrap_or_default();
        let texture = pbr.base_color_texture.as_ref().map(|texture| self.texture(texture.index));
        let texture = match texture {
            Some(Ok(texture)) => Some(texture),
            // A character without its picture is still a character.
            Some(Err(error)) => {
                let shown = shown(name.as_bytes());
                let message = format!("material `{shown}` has lost its texture: {error}");
                warnings.push(Warning::new(message));
                None
            }
            None => None,
        };
        self.found.push(Material {
            name,
            base_color: pbr.base_color_factor.map(|factor| factor.clamp(0.0, 1.0)),
            base_color_texture: texture,
            metallic: pbr.metallic_factor.clamp(0.0, 1.0),
            roughness: pbr.roughness_factor.clamp(0.0, 1.0),
            double_sided: material.double_sided,
        });
        self.places.insert(index, self.found.len() - 1);
        Ok(self.found.len() - 1)
    }

    fn texture(&self, index: usize) -> Result<Texture, ReadError> {
        let root = self.data.root;
        let texture =
            root.textures.get(index).ok_or_else(|| missing(format!("textures[{index}]")))?;
        let source = texture.source.ok_or_else(|| {
            ReadError::element(format!("textures[{index}]"), "has no PNG or JPEG image")
        })?;
        let element = || format!("images[{source}]");
        let image = root.images.get(source).ok_or_else(|| missing(element()))?;
        let bytes = match (&image.uri, image.buffer_view) {
            (_, Some(view)) => {
                let bytes = self.data.view(view)?;
                self.data.charge(bytes.len() as u64).map_err(|e| in_element(e, element()))?;
                bytes.to_vec()
            }
            (Some(uri), None) => uri::load(uri, self.base, self.limits.image, self.limits)
                .map_err(|e| in_element(e, element()))?,
            (None, None) => return Err(ReadError::element(element(), "has no data")),
        };
        let mime_type = mime_type(&bytes)
            .ok_or_else(|| ReadError::element(element(), "is neither PNG nor JPEG"))?;
        Ok(Texture { mime_type: mime_type.to_owned(), bytes })
    }
}

/// What the first bytes of an image say it is.
pub(crate) fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}
