//! Runs the target [`fuzzing::topics`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::topics(bytes);
});
