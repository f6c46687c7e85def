//! Runs the target [`fuzzing::document`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::document(bytes);
});
