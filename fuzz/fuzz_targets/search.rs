//! Runs the target [`fuzzing::search`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::search(bytes);
});
