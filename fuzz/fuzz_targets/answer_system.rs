//! Runs the target [`fuzzing::answer_system`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::answer_system(bytes);
});
