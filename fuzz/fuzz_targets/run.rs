//! Runs the target [`fuzzing::run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::run(bytes);
});
