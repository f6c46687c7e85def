//! Runs the target [`fuzzing::system`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::system(bytes);
});
