//! Runs the target [`fuzzing::dump`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::dump(bytes);
});
