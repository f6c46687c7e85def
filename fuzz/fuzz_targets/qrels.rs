//! Runs the target [`fuzzing::qrels`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::qrels(bytes);
});
