//! Runs the target [`fuzzing::compare`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::compare(bytes);
});
