//! Runs the target [`fuzzing::store`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::store(bytes);
});
