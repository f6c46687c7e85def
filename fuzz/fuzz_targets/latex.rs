//! Runs the target [`fuzzing::latex`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::latex(bytes);
});
