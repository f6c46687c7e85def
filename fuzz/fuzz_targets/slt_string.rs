//! The reader of layout-tree strings: what it accepts and writes, it reads again the same.
#![no_main]

use formula::slt::Slt;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(slt) = Slt::read(text) {
        let written = slt.to_string();
        let again = Slt::read(&written).expect("what was written can be read");
        assert_eq!(again.to_string(), written);
        assert_eq!(again.len(), slt.len());
    }
    if let Ok(slt) = Slt::read_repaired(text) {
        let _ = slt.to_string();
        let _ = formula::identity::Keyer::default().key_of_tree(&slt);
        let _ = latex::parse(&slt.to_latex());
    }
});
