//! Character and motion files.

use crate::border::{
    Failure, Shared, andante_status, c_text, call, free, make, put, reference, slice, text,
};
use crate::skeleton::andante_skeleton;
use crate::types::{andante_transform, put_transforms};
use ::andante_formats::{
    Asset, ReadOptions, gltf::GltfWriteOptions, read_file, read_memory, write_file,
};
use ::andante_skeleton::{Clip, Pose, Transform, Wrap};
use std::ffi::{CString, c_char};
use std::path::Path;

/// What a file holds: a skeleton, motions, and perhaps a mesh. BVH, ASF/AMC, glTF and GLB are read and written, in metres with Y
/// up, whatever they were in.
pub struct andante_asset(Shared<OpenAsset>);

struct OpenAsset {
    asset: Asset,
    clips: Vec<CString>,
    warnings: Vec<CString>,
}

/// One motion of an asset.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct andante_clip {
    /// Its name; stays as long as the asset.
    pub name: *const c_char,
    /// Frames per second.
    pub fps: f32,
    /// From the first frame to the last.
    pub seconds: f32,
    /// How many frames it has.
    pub frames: usize,
}

impl andante_asset {
    fn new(asset: Asset) -> Self {
        let clips = asset.clips.iter().map(|clip| c_text(clip.name())).collect();
        let warnings = asset.warnings.iter().map(|odd| c_text(&odd.to_string())).collect();
        Self(Shared::new(OpenAsset { asset, clips, warnings }))
    }
}

impl OpenAsset {
    fn clip(&self, index: usize) -> Result<&Clip, Failure> {
        let count = self.asset.clips.len();
        self.asset.clips.get(index).ok_or_else(|| {
            Failure::argument(format!("there is no clip {index}; there are {count}"))
        })
    }
}

/// Reads a file; its extension tells the format. An .amc file needs its .asf beside it.
///
/// # Safety
/// The path ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_read(
    path: *const c_char,
    out: *mut *mut andante_asset,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let path = Path::new(text(path, "path")?);
            Ok(andante_asset::new(read_file(path, &ReadOptions::default(), None)?))
        })
    }
}

/// Reads a file that is in memory. Its name, such as "walk.bvh", tells the format; nothing is opened.
///
/// # Safety
/// The name ends with a zero, `bytes` points to `length` of them; `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_read_memory(
    name: *const c_char,
    bytes: *const u8,
    length: usize,
    out: *mut *mut andante_asset,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let name = Path::new(text(name, "name")?);
            let bytes = slice(bytes, length, "bytes")?;
            Ok(andante_asset::new(read_memory(name, bytes, &ReadOptions::default())?))
        })
    }
}

/// An asset of a skeleton, without motions: what andante_asset_add_clip() is for.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_new(
    skeleton: *const andante_skeleton,
    out: *mut *mut andante_asset,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let skeleton = reference(skeleton, "skeleton")?;
            Ok(andante_asset::new(Asset::new(skeleton.skeleton.clone(), Vec::new())))
        })
    }
}

/// Adds a motion: frame after frame, each with one transform per joint, relative to their parents.
///
/// # Safety
/// The name ends with a zero; `transforms` points to `count` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_add_clip(
    asset: *mut andante_asset,
    name: *const c_char,
    fps: f32,
    transforms: *const andante_transform,
    count: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, name) = unsafe { (reference(asset, "asset")?, text(name, "name")?) };
        // SAFETY: as the header asks.
        let transforms = unsafe { slice(transforms, count, "transforms") }?;
        let frames = transforms.iter().map(Transform::from).collect();
        own.0.with(|own| {
            own.asset.clips.push(Clip::new(name, &own.asset.skeleton, fps, frames)?);
            own.clips.push(c_text(name));
            Ok(())
        })
    })
}

/// Writes it; the extension tells the format. A glTF file that was read is written with everything else that was in it.
///
/// # Safety
/// The path ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_write(
    asset: *mut andante_asset,
    path: *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, path) = unsafe { (reference(asset, "asset")?, text(path, "path")?) };
        own.0.with(|own| {
            write_file(Path::new(path), &own.asset, &GltfWriteOptions::default())?;
            Ok(())
        })
    })
}

/// A copy of its skeleton, to be freed by the caller.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_skeleton(
    asset: *mut andante_asset,
    out: *mut *mut andante_skeleton,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            reference(asset, "asset")?.0.with(|own| Ok(andante_skeleton::new(&own.asset.skeleton)))
        })
    }
}

/// How many motions it has.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_clip_count(
    asset: *mut andante_asset,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(asset, "asset") }?;
        let count = own.0.with(|own| Ok(own.asset.clips.len()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, count, "out") }
    })
}

/// One of its motions.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_clip(
    asset: *mut andante_asset,
    index: usize,
    out: *mut andante_clip,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(asset, "asset") }?;
        let told = own.0.with(|own| {
            let clip = own.clip(index)?;
            let (fps, seconds, frames) = (clip.fps(), clip.duration(), clip.frame_count());
            Ok(andante_clip { name: own.clips[index].as_ptr(), fps, seconds, frames })
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// The pose of a motion at a time in seconds: one transform per joint, relative to their parents. With `loops`, time begins again
/// at the end; otherwise the first and the last frame are held.
///
/// # Safety
/// `transforms` points to room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_sample(
    asset: *mut andante_asset,
    clip: usize,
    time: f32,
    loops: bool,
    transforms: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(asset, "asset") }?;
        if !time.is_finite() {
            return Err(Failure::argument(format!("time is {time}; it is a number of seconds")));
        }
        own.0.with(|own| {
            let clip = own.clip(clip)?;
            let mut pose = Pose::identity(clip.joint_count());
            clip.sample(time, if loops { Wrap::Loop } else { Wrap::Clamp }, &mut pose);
            // SAFETY: as the header asks.
            unsafe { put_transforms(transforms, capacity, &pose) }
        })
    })
}

/// How many things were odd about its file.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_warning_count(
    asset: *mut andante_asset,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(asset, "asset") }?;
        let count = own.0.with(|own| Ok(own.warnings.len()))?;
        // SAFETY: as the header asks.
        unsafe { put(out, count, "out") }
    })
}

/// One of the things that were odd; stays as long as the asset.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_warning(
    asset: *mut andante_asset,
    index: usize,
    out: *mut *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(asset, "asset") }?;
        let told = own.0.with(|own| {
            let count = own.warnings.len();
            let none =
                || Failure::argument(format!("there is no warning {index}; there are {count}"));
            own.warnings.get(index).map(|text| text.as_ptr()).ok_or_else(none)
        })?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Frees an asset; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_asset_free(asset: *mut andante_asset) {
    // SAFETY: as the header asks.
    unsafe { free(asset) }
}
