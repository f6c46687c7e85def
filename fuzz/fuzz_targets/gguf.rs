//! Runs the target [`fuzzing::gguf`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::gguf(bytes);
});
