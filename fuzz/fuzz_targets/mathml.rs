//! The MathML reader on any text, tolerant and as the labs do.
#![no_main]

use formula::mathml::{MathmlReader, Reading};
use formula::slt::Slt;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for reading in [Reading::Tolerant, Reading::Labs] {
        let mut slt = Slt::default();
        let mut reader = MathmlReader::new(reading);
        if reader.read(text, &mut slt).is_err() {
            assert!(slt.root().is_none());
        }
        let _ = slt.to_string();
        // A reader that has read before reads the same.
        let mut again = Slt::default();
        let _ = reader.read(text, &mut again);
        assert_eq!(slt.to_string(), again.to_string());
    }
});
