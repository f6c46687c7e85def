//! Runs the target [`fuzzing::formula_table`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::formula_table(bytes);
});
