//! The reader of Content MathML on any text; what it reads is written so that it can be read again.
#![no_main]

use formula::opt::Opt;
use formula::opt::content::{ContentReader, Reading, read_content_mathml, write_content_mathml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut opt = Opt::default();
    let _ = ContentReader::new(Reading::Labs).read(text, &mut opt);
    let _ = opt.to_string();
    if read_content_mathml(text, &mut opt).is_ok() {
        let written = write_content_mathml(&opt);
        read_content_mathml(&written, &mut Opt::default()).expect("what was written can be read");
    }
});
