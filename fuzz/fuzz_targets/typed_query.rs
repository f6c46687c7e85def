//! Runs the target [`fuzzing::typed_query`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::typed_query(bytes);
});
