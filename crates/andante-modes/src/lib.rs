//! Natural vibrations of a physical character, and movements sketched with them.
