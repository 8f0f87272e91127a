//! Tuned tables that come with the crate.

use serde::de::DeserializeOwned;

/// A table of the folder `controllers`. A test reads every one of them.
pub(crate) fn table<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| unreachable!("a built-in table: {error}"))
}

/// The default of some options is a table, which is read once.
macro_rules! default_table {
    ($options:ty, $file:literal) => {
        impl Default for $options {
            fn default() -> Self {
                static TABLE: std::sync::LazyLock<$options> = std::sync::LazyLock::new(|| {
                    $crate::table::table(include_str!(concat!("../../controllers/", $file)))
                });
                TABLE.clone()
            }
        }
    };
}
pub(crate) use default_table;

#[cfg(test)]
mod tests {
    use crate::{BalanceOptions, CycleSettings, RecoveryOptions, WalkOptions};

    #[test]
    fn every_table_is_read_and_written_tables_are_read_again() {
        let recovery = RecoveryOptions::default();
        let text = toml::to_string(&recovery).unwrap();
        assert_eq!(toml::from_str::<RecoveryOptions>(&text).unwrap(), recovery);
        assert_ne!(WalkOptions::default(), WalkOptions::run());
        assert_eq!(recovery.balance, BalanceOptions::default());
        assert!(CycleSettings::default().stretch < 1.0);
        let wrong = toml::to_string(&BalanceOptions::default()).unwrap() + "\nzeal = 1.0";
        assert!(toml::from_str::<BalanceOptions>(&wrong).is_err());
    }
}
