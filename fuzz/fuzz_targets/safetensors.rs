//! Runs the target [`fuzzing::safetensors`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::safetensors(bytes);
});
