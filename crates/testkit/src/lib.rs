//! Fixtures and checks for the tests of the other crates.
