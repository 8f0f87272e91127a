//! Parsing, within limits.

use crate::{ReadError, ReadOptions, UpAxis};
use ufbx::{
    AllocatorOpts, CoordinateAxes, ErrorType, FileFormat, GeometryTransformHandling,
    InheritModeHandling, LoadOpts, MirrorAxis, SceneRoot, SpaceConversion, StringOpt,
};

/// The scene of a file: in metres with Y up, unless the axes of the file are not to be believed.
pub(super) fn load(bytes: &[u8], options: &ReadOptions) -> Result<SceneRoot, ReadError> {
    for (what, value) in [("scale", options.scale), ("frame rate", options.fps)] {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            return Err(ReadError::file(format!("{value} is not a {what}")));
        }
    }
    // Metres per unit of the file as it is asked for, in place of what it says.
    let metre = match options.scale {
        None => 1.0,
        Some(scale) => {
            let bare = LoadOpts { ignore_all_content: true, ..opts(bytes, options) };
            let stated = parse(bytes, bare)?.settings.original_unit_meters;
            stated / f64::from(scale)
        }
    };
    let axes = match options.up {
        UpAxis::Y => ufbx::axes_right_handed_y_up(),
        // Three times the same axis: as they are.
        UpAxis::Z => CoordinateAxes::default(),
    };
    let whole = LoadOpts { target_axes: axes, target_unit_meters: metre, ..opts(bytes, options) };
    let scene = parse(bytes, whole)?;
    let unit = scene.settings.original_unit_meters;
    if !(unit.is_finite() && unit > 0.0) {
        let message = format!("{unit} metres is not a unit of length");
        return Err(ReadError::element("GlobalSettings.UnitScaleFactor", message));
    }
    Ok(scene)
}

fn opts<'a>(bytes: &[u8], options: &ReadOptions) -> LoadOpts<'a> {
    let limits = &options.limits;
    let more = limits.decoded_per_byte.saturating_mul(bytes.len() as u64);
    let memory = usize::try_from(limits.decoded.saturating_add(more)).unwrap_or(usize::MAX);
    let allocator = || AllocatorOpts { memory_limit: memory, ..AllocatorOpts::default() };
    LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        file_format: FileFormat::Fbx,
        node_depth_limit: 1000,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::Compensate,
        space_conversion: SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: MirrorAxis::X,
        scale_helper_name: StringOpt::Ref("scale"),
        geometry_transform_helper_name: StringOpt::Ref("geometry"),
        clean_skin_weights: true,
        use_blender_pbr_material: true,
        generate_missing_normals: true,
        normalize_normals: true,
        ..LoadOpts::default()
    }
}

fn parse(bytes: &[u8], opts: LoadOpts) -> Result<SceneRoot, ReadError> {
    ufbx::load_memory(bytes, opts).map_err(|error| {
        let message = match error.type_ {
            ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
                "would take more memory than a file of this size may".to_owned()
            }
            ErrorType::UnrecognizedFileFormat => "is not an FBX file".to_owned(),
            ErrorType::EmptyFile => "is empty, or ends where its content would begin".to_owned(),
            _ => {
                let what = error.description.trim_end_matches('.').to_lowercase();
                format!("is no whole FBX file ({what})")
            }
        };
        ReadError::file(message)
    })
}
