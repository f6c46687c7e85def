//! Runs the target [`fuzzing::measure`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::measure(bytes);
});
