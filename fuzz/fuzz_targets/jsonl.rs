//! Runs the target [`fuzzing::jsonl`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::jsonl(bytes);
});
