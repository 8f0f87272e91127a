//! Joints.

use crate::border::{
    Failure, andante_status, c_text, call, free, make, put, reference, slice, text,
};
use crate::types::{andante_transform, put_transforms};
use ::andante_skeleton::{Joint, Skeleton, Transform};
use std::ffi::{CString, c_char};

/// A tree of joints, parents before children, with its rest pose. It never changes: any number of threads may read it at once.
pub struct andante_skeleton {
    pub(crate) skeleton: Skeleton,
    names: Vec<CString>,
}

/// One joint.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct andante_joint {
    /// Its name, unique in its skeleton. A name that is told stays as long as the handle.
    pub name: *const c_char,
    /// Index of the joint it hangs on; -1 for the root, which comes first.
    pub parent: i32,
    /// Where it is relative to its parent in the rest pose.
    pub rest: andante_transform,
}

impl andante_skeleton {
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        let names = skeleton.joints().iter().map(|joint| c_text(&joint.name)).collect();
        Self { skeleton: skeleton.clone(), names }
    }
}

/// A skeleton of joints of one's own, parents before children, depth first.
///
/// # Safety
/// `joints` points to `count` of them with names that end with a zero; `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_new(
    joints: *const andante_joint,
    count: usize,
    out: *mut *mut andante_skeleton,
) -> andante_status {
    // SAFETY: `out` is the caller's, as the header asks.
    unsafe {
        make(out, || {
            let mut own = Vec::with_capacity(count.min(Skeleton::MAX_JOINTS));
            for joint in slice(joints, count, "joints")? {
                let name = text(joint.name, "name")?;
                let parent = match joint.parent {
                    -1 => None,
                    parent => Some(usize::try_from(parent).map_err(|_| {
                        Failure::argument(format!("parent is {parent}; it is -1 or a joint before"))
                    })?),
                };
                let rest = Transform::from(&joint.rest);
                own.push(Joint { rest, ..Joint::new(name, parent, rest.translation) });
            }
            Ok(andante_skeleton::new(&Skeleton::new(own)?))
        })
    }
}

/// How many joints it has; at least 1.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_joint_count(
    skeleton: *const andante_skeleton,
    out: *mut usize,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { put(out, reference(skeleton, "skeleton")?.skeleton.len(), "out") })
}

/// One of its joints.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_joint(
    skeleton: *const andante_skeleton,
    index: usize,
    out: *mut andante_joint,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(skeleton, "skeleton") }?;
        let joint = own.skeleton.joints().get(index).ok_or_else(|| {
            let count = own.skeleton.len();
            Failure::argument(format!("there is no joint {index}; there are {count}"))
        })?;
        let joint = andante_joint {
            name: own.names[index].as_ptr(),
            parent: joint.parent.map_or(-1, |parent| parent as i32),
            rest: (&joint.rest).into(),
        };
        // SAFETY: as the header asks.
        unsafe { put(out, joint, "out") }
    })
}

/// The joint of a name.
///
/// # Safety
/// Pointers are null or what they are called; the name ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_find(
    skeleton: *const andante_skeleton,
    name: *const c_char,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let (own, name) = unsafe { (reference(skeleton, "skeleton")?, text(name, "name")?) };
        let found = own.skeleton.find(name);
        let found =
            found.ok_or_else(|| Failure::argument(format!("there is no joint named `{name}`")))?;
        // SAFETY: as the header asks.
        unsafe { put(out, found, "out") }
    })
}

/// Turns a pose, in which joints are relative to their parents, into joints in the world. Both have as many transforms as the
/// skeleton has joints, and may be the same.
///
/// # Safety
/// `pose` points to `count` transforms, `models` to room for `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_models(
    skeleton: *const andante_skeleton,
    pose: *const andante_transform,
    count: usize,
    models: *mut andante_transform,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(skeleton, "skeleton") }?;
        // SAFETY: as the header asks.
        let pose = unsafe { slice(pose, count, "pose") }?;
        if pose.len() != own.skeleton.len() {
            let joints = own.skeleton.len();
            let message = format!("a pose of {count} joints for a skeleton with {joints}");
            return Err(Failure::argument(message));
        }
        let locals: Vec<Transform> = pose.iter().map(Transform::from).collect();
        let mut turned = locals.clone();
        own.skeleton.local_to_model(&locals, &mut turned);
        // SAFETY: as the header asks; the pose is not looked at any more.
        unsafe { put_transforms(models, capacity, &turned) }
    })
}

/// Frees a skeleton; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_skeleton_free(skeleton: *mut andante_skeleton) {
    // SAFETY: as the header asks.
    unsafe { free(skeleton) }
}
