//! Runs the target [`fuzzing::task3_run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::task3_run(bytes);
});
