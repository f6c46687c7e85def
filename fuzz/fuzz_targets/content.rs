//! Runs the target [`fuzzing::content`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::content(bytes);
});
