//! Lets libFuzzer loose on the target that `FUZZ_TARGET` names; `fuzz/run` builds and runs it.
#![no_main]

use fuzzing::{TARGETS, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(" ");
    TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap_or_else(|| panic!("FUZZ_TARGET is {name:?}, and not one of: {}", names()))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    (TARGET.run)(bytes);
});
