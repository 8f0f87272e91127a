//! Groups of settings: of each its meaning, its default and the values it may have, in one place.

use std::fmt::{Debug, Display};
use std::ops::{Bound, RangeBounds};

/// Writes a group of settings: the struct, its `Default`, and `check`, which refuses values out of range. Of each
/// setting there are the meaning, the default and, where it has bounds, the range; where a setting is a group
/// itself, `=> check` has its values checked as well. What a group derives beyond `Clone`, `Debug` and `PartialEq` is
/// named behind it: `Copy`, or serde's traits where settings are read from files.
///
/// ```
/// andante_skeleton::settings! {
///     /// How somebody walks.
///     pub struct Walking: Copy {
///         /// Speed in m/s. More is a run.
///         speed: f32 = 1.4, 0.1..=2.5;
///         /// Least and largest length of a step, in metres.
///         steps: [f32; 2] = [0.3, 0.9], 0.0..;
///         /// Whether arms swing.
///         arms: bool = true;
///     }
/// }
///
/// assert_eq!(Walking::default().speed, 1.4);
/// assert!(Walking::default().check().is_ok());
/// let error = Walking { speed: 9.0, ..Walking::default() }.check().unwrap_err();
/// assert_eq!(error.to_string(), "speed is 9; it is 0.1 to 2.5");
/// let error = Walking { steps: [0.3, f32::NAN], ..Walking::default() }.check().unwrap_err();
/// assert_eq!(error.to_string(), "steps is NaN; it is 0.0 or more");
/// ```
#[macro_export]
macro_rules! settings {
    ($($(#[$about:meta])* $shown:vis struct $group:ident $(: $($derived:ident),+)? {
        $($(#[$meaning:meta])* $key:ident: $kind:ty = $usual:expr $(, $range:expr)? $(=> $check:ident)?;)*
    })*) => {$(
        #[derive(Clone, Debug, PartialEq $(, $($derived),+)?)]
        $(#[$about])*
        $shown struct $group {
            $(
                $(#[$meaning])*
                #[doc = concat!("\n\nUsually `", stringify!($usual), "`", $("; in `", stringify!($range), "`",)? ".")]
                pub $key: $kind,
            )*
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($key: $usual,)* }
            }
        }

        impl $group {
            /// Refuses a value that is out of its range, or not a number.
            pub fn check(&self) -> Result<(), $crate::SettingError> {
                $(
                    $($crate::check_setting(stringify!($key), &self.$key, $range)?;)?
                    $(self.$key.$check().map_err(|error| error.of(stringify!($key)))?;)?
                )*
                Ok(())
            }
        }
    )*};
}

/// A setting whose value is out of its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SettingError {
    /// The group that it is in, where a group of groups was checked: `feet.swing`.
    pub group: Option<String>,
    /// The setting.
    pub key: &'static str,
    /// What it is, and what it may be.
    pub message: String,
}

impl SettingError {
    /// The same error of a setting in a group.
    #[must_use]
    pub fn of(self, group: &'static str) -> Self {
        let group = match self.group {
            Some(inner) => format!("{group}.{inner}"),
            None => group.into(),
        };
        Self { group: Some(group), ..self }
    }
}

/// A setting that has a range: a number, several, or perhaps one.
pub trait SettingNumbers {
    /// The numbers that it is made of.
    type Number: PartialOrd + Debug + Display;

    /// All of them.
    fn numbers(&self) -> &[Self::Number];
}

macro_rules! one_number {
    ($($kind:ty),*) => {$(
        impl SettingNumbers for $kind {
            type Number = $kind;

            fn numbers(&self) -> &[$kind] {
                std::slice::from_ref(self)
            }
        }
    )*};
}
one_number!(f32, f64, i32, u32, u64, usize);

impl<T: PartialOrd + Debug + Display, const N: usize> SettingNumbers for [T; N] {
    type Number = T;

    fn numbers(&self) -> &[T] {
        self
    }
}

impl<T: PartialOrd + Debug + Display> SettingNumbers for Option<T> {
    type Number = T;

    fn numbers(&self) -> &[T] {
        self.as_slice()
    }
}

/// Refuses a setting that is out of its range.
pub fn check_setting<S: SettingNumbers>(
    key: &'static str,
    setting: &S,
    range: impl RangeBounds<S::Number>,
) -> Result<(), SettingError> {
    let Some(value) = setting.numbers().iter().find(|value| !range.contains(value)) else {
        return Ok(());
    };
    let allowed = match (range.start_bound(), range.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => format!("{least:?} to {most:?}"),
        (Bound::Included(least), Bound::Excluded(most)) => format!("{least:?} to below {most:?}"),
        (Bound::Included(least), _) => format!("{least:?} or more"),
        (_, Bound::Included(most)) => format!("{most:?} or less"),
        (_, Bound::Excluded(most)) => format!("less than {most:?}"),
        _ => String::from("a number"),
    };
    Err(SettingError { group: None, key, message: format!("{key} is {value}; it is {allowed}") })
}
