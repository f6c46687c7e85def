//! Runs the target [`fuzzing::archive`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::archive(bytes);
});
