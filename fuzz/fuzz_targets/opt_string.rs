//! The reader of operator-tree strings: what it accepts, it writes as it was, and each node knows its place.
#![no_main]

use formula::opt::Opt;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut reused = Opt::read("[U!plus,0[V!x],1[N!1]]").expect("a good string");
    let result = reused.read_into(text);
    match Opt::read(text) {
        Ok(opt) => {
            assert_eq!(opt.to_string(), text.trim());
            assert_eq!(result, Ok(()));
            assert_eq!(reused, opt);
            // A few are enough: long strings have many nodes.
            for id in opt.preorder().take(16) {
                let part = &text[opt.span(id).range()];
                assert_eq!(Opt::read(part).map(|opt| opt.to_string()).as_deref(), Ok(part));
            }
        }
        Err(error) => {
            assert!(error.offset <= text.len());
            assert_eq!(result, Err(error));
            assert!(reused.is_empty());
        }
    }
});
