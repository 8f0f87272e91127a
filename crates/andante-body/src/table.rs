//! Tuned tables that come with the crate.

use serde::de::DeserializeOwned;

/// A table of the folder `controllers`. A test reads every one of them.
pub(crate) fn table<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| unreachable!("a built-in table: {error}"))
}
