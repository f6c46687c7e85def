//! Runs the target [`fuzzing::turkle`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::turkle(bytes);
});
