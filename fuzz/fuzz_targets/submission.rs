//! Runs the target [`fuzzing::submission`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::submission(bytes);
});
