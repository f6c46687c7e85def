//! Runs the target [`fuzzing::slt_string`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::slt_string(bytes);
});
