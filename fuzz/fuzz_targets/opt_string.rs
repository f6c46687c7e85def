//! Runs the target [`fuzzing::opt_string`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::opt_string(bytes);
});
