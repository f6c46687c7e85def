//! Runs the target [`fuzzing::mathml`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::mathml(bytes);
});
