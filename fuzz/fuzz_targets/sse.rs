//! Runs the target [`fuzzing::sse`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::sse(bytes);
});
