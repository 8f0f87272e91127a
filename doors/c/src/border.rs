//! What every call goes through: arguments are looked at, panics stay here, errors become a code and a text.

use ::andante_door::{DoorError, DoorErrorKind};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, TryLockError};

/// What became of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum andante_status {
    /// It was done.
    ANDANTE_OK = 0,
    /// A pointer is null that may not be, or not aligned.
    ANDANTE_NULL = 1,
    /// A number, a text or an index is not one that it may be.
    ANDANTE_ARGUMENT = 2,
    /// A buffer of the caller's is too small; the text says how large it has to be.
    ANDANTE_BUFFER = 3,
    /// A file or a text cannot be read; the text says where, as far as line and column.
    ANDANTE_READ = 4,
    /// A file cannot be written.
    ANDANTE_WRITE = 5,
    /// A character or a body cannot do that: its joints are not understood, say, or it has no two feet.
    ANDANTE_CHARACTER = 6,
    /// Somebody is meant who is not on the stage, or not any more.
    ANDANTE_GONE = 7,
    /// It makes no sense as things are, or cannot be done.
    ANDANTE_REFUSED = 8,
    /// The handle is in use: by another thread, or by the call that called back.
    ANDANTE_BUSY = 9,
    /// A fault of the library. The handle answers nothing else from now on; free it.
    ANDANTE_PANIC = 10,
}

/// Why a call was not carried out.
pub(crate) struct Failure {
    status: andante_status,
    message: String,
}

impl Failure {
    pub fn new(status: andante_status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(andante_status::ANDANTE_ARGUMENT, message)
    }
}

impl<E: Into<DoorError>> From<E> for Failure {
    fn from(error: E) -> Self {
        let DoorError { kind, message } = error.into();
        let status = match kind {
            DoorErrorKind::Argument => andante_status::ANDANTE_ARGUMENT,
            DoorErrorKind::Read => andante_status::ANDANTE_READ,
            DoorErrorKind::Write => andante_status::ANDANTE_WRITE,
            DoorErrorKind::Character => andante_status::ANDANTE_CHARACTER,
            DoorErrorKind::Gone => andante_status::ANDANTE_GONE,
            DoorErrorKind::Refused => andante_status::ANDANTE_REFUSED,
        };
        Self { status, message }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Text as C has it: what would end it early is left out.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

fn remember(message: &str) {
    // Nobody is left to ask while a thread ends.
    let _ = LAST.try_with(|last| last.replace(c_text(message)));
}

/// Why the last call of this thread that failed did so, in the words that the library has for it; empty if none has. The text is
/// the library's and stays until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn andante_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Carries out a call: nothing that panics gets out of it.
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> andante_status {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return andante_status::ANDANTE_OK,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            let message = format!("a fault of the library: {}", words(payload.as_ref()));
            // What was thrown may panic again when it is dropped.
            std::mem::forget(payload);
            Failure::new(andante_status::ANDANTE_PANIC, message)
        }
    };
    remember(&failure.message);
    failure.status
}

fn words(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("it panicked")
}

/// Something that one thread uses at a time. Who comes meanwhile is refused instead of made to wait.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    pub fn new(inner: T) -> Self {
        Self(Mutex::new(inner))
    }

    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> Result<R, Failure>) -> Result<R, Failure> {
        match self.0.try_lock() {
            Ok(mut inner) => work(&mut inner),
            Err(TryLockError::WouldBlock) => Err(Failure::new(
                andante_status::ANDANTE_BUSY,
                "the handle is in use by another call",
            )),
            Err(TryLockError::Poisoned(_)) => Err(Failure::new(
                andante_status::ANDANTE_PANIC,
                "the handle is of no use any more: a call of it panicked",
            )),
        }
    }
}

fn null(name: &str) -> Failure {
    Failure::new(andante_status::ANDANTE_NULL, format!("{name} is null or not aligned"))
}

/// What a pointer points to.
///
/// # Safety
/// A pointer that is not null points to a `T` that stays as it is for as long as the answer is used.
pub(crate) unsafe fn reference<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(null(name));
    }
    // SAFETY: it is neither null nor unaligned, and the caller vouches for the rest.
    Ok(unsafe { &*pointer })
}

/// The elements of an array of the caller's; none need not be anywhere.
///
/// # Safety
/// A pointer that is not null points to `length` elements that stay as they are for as long as the answer is used.
pub(crate) unsafe fn slice<'a, T>(
    pointer: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(null(name));
    }
    if length > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::argument(format!("{name} has {length} elements, which is no length")));
    }
    // SAFETY: as above, and its size is one that objects have.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// A text of the caller's.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero and stay as they are for as long as the answer is used.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format!("{name} is not UTF-8")))
}

/// Writes one value where the caller wants it.
///
/// # Safety
/// A pointer that is not null points to memory for a `T`, which need not hold one yet.
pub(crate) unsafe fn put<T>(to: *mut T, value: T, name: &str) -> Result<(), Failure> {
    if to.is_null() || !to.is_aligned() {
        return Err(null(name));
    }
    // SAFETY: there is room for it, and what was there is plain numbers or nothing.
    unsafe { to.write(value) };
    Ok(())
}

/// Writes values into a buffer of the caller's, or none of them if it is too small.
///
/// # Safety
/// A pointer that is not null points to memory for `capacity` values, which need not hold any yet.
pub(crate) unsafe fn fill<T>(
    to: *mut T,
    capacity: usize,
    values: impl ExactSizeIterator<Item = T>,
    name: &str,
) -> Result<(), Failure> {
    let needed = values.len();
    if needed == 0 {
        return Ok(());
    }
    if to.is_null() || !to.is_aligned() {
        return Err(null(name));
    }
    if capacity < needed {
        let message = format!("{name} has room for {capacity}; {needed} are needed");
        return Err(Failure::new(andante_status::ANDANTE_BUFFER, message));
    }
    for (index, value) in values.enumerate().take(needed) {
        // SAFETY: `index` is below `needed`, which is at most `capacity`.
        unsafe { to.add(index).write(value) };
    }
    Ok(())
}

/// Writes a text and the zero at its end, or nothing if there is no room. How long it is without the zero is told in any case,
/// if that is asked for.
///
/// # Safety
/// As [`fill`]; `length` is null or points to a number.
pub(crate) unsafe fn put_text(
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
    text: &str,
) -> Result<(), Failure> {
    let text = c_text(text);
    if !length.is_null() {
        // SAFETY: it is not null, and then it is a number of the caller's.
        unsafe { put(length, text.as_bytes().len(), "length") }?;
    }
    if to.is_null() && capacity == 0 {
        return Ok(());
    }
    let bytes = text.as_bytes_with_nul().iter().map(|byte| *byte as c_char);
    // SAFETY: the caller vouches for the buffer.
    unsafe { fill(to, capacity, bytes, "buffer") }
}

/// Makes a handle and hands it over. Where it was to go there is null if it could not be made.
///
/// # Safety
/// `out` is null or points to a pointer.
pub(crate) unsafe fn make<T>(
    out: *mut *mut T,
    work: impl FnOnce() -> Result<T, Failure>,
) -> andante_status {
    call(|| {
        // SAFETY: as the caller says.
        unsafe { put(out, std::ptr::null_mut(), "out") }?;
        let made = Box::new(work()?);
        // SAFETY: it was written to a moment ago.
        unsafe { put(out, Box::into_raw(made), "out") }
    })
}

/// Frees a handle; null is nothing.
///
/// # Safety
/// The pointer is null or came from [`make`], and is not used again.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if handle.is_null() {
        return;
    }
    let dropped = call(|| {
        // SAFETY: it came from a box, and nobody has freed it.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    });
    debug_assert_eq!(dropped, andante_status::ANDANTE_OK);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use andante_status::*;

    fn last() -> String {
        // SAFETY: it is a text of this thread's that nobody changes meanwhile.
        unsafe { CStr::from_ptr(andante_last_error()) }.to_str().unwrap().into()
    }

    #[test]
    fn a_panic_stays_inside_and_is_told() {
        assert_eq!(call(|| panic!("seven is not eight")), ANDANTE_PANIC);
        assert_eq!(last(), "a fault of the library: seven is not eight");
    }

    #[test]
    fn a_handle_that_panicked_answers_nothing_else() {
        let handle = Shared::new(1);
        assert_eq!(
            call(|| handle.with(|_| -> Result<(), Failure> { panic!("once") })),
            ANDANTE_PANIC
        );
        assert_eq!(call(|| handle.with(|_| Ok(()))), ANDANTE_PANIC);
        assert_eq!(last(), "the handle is of no use any more: a call of it panicked");
    }

    #[test]
    fn a_handle_in_use_is_busy() {
        let handle = Shared::new(1);
        let inner = || call(|| handle.with(|_| Ok(())));
        let mut meanwhile = ANDANTE_OK;
        let outer = call(|| {
            handle.with(|_| {
                meanwhile = inner();
                Ok(())
            })
        });
        assert_eq!((outer, meanwhile), (ANDANTE_OK, ANDANTE_BUSY));
        assert_eq!(inner(), ANDANTE_OK);
    }

    #[test]
    fn buffers_that_are_too_small_are_not_written_to() {
        let mut room = [7u8; 4];
        // SAFETY: there is room for four, and three are said.
        let short =
            call(|| unsafe { fill(room.as_mut_ptr(), 3, [1, 2, 3, 4].into_iter(), "room") });
        assert_eq!((short, room), (ANDANTE_BUFFER, [7; 4]));
        assert_eq!(last(), "room has room for 3; 4 are needed");
        // SAFETY: nothing is read or written where nothing is.
        let nowhere = call(|| unsafe { fill(std::ptr::null_mut(), 9, [1u8].into_iter(), "room") });
        assert_eq!(nowhere, ANDANTE_NULL);
    }

    #[test]
    fn errors_have_the_words_of_the_library() {
        let error = ::andante_stage::Scene::built_in("jumpz").unwrap_err();
        let words = error.to_string();
        assert_eq!(call(|| Err(error.into())), ANDANTE_READ);
        assert_eq!(last(), words);
    }

    #[test]
    fn texts_that_are_none_are_refused() {
        let odd = [0xffu8, 0xfe, 0];
        // SAFETY: it ends with a zero.
        let refused = call(|| unsafe { text(odd.as_ptr().cast(), "name") }.map(|_| ()));
        assert_eq!((refused, last().as_str()), (ANDANTE_ARGUMENT, "name is not UTF-8"));
    }
}
