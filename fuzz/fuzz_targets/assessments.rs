//! Runs the target [`fuzzing::assessments`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::assessments(bytes);
});
