//! Runs the target [`fuzzing::index`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::index(bytes);
});
