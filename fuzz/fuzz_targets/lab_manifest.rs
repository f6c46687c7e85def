//! Runs the target [`fuzzing::lab_manifest`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::lab_manifest(bytes);
});
