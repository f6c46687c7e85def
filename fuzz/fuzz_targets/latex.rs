//! The LaTeX reader on any bytes, in both modes, and everything that is made of what it read.
#![no_main]

use formula::identity::Keyer;
use formula::mathml::{MathmlOptions, write_mathml};
use formula::normal::write_latex;
use formula::slt::{Slt, from_latex};
use formula::text::write_text;
use latex::{Mode, Parse, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    let mut reader = Reader::default();
    for mode in [Mode::Document, Mode::Query] {
        let parse = reader.read(source, mode);
        check_spans(source, parse);
        let _ = parse.tree.to_string();
        let mut slt = Slt::default();
        from_latex(&parse.tree, &mut slt);
        assert!(slt.root().is_some());
        let written = slt.to_string();
        assert_eq!(Slt::read(&written).expect("what was written can be read").to_string(), written);
        let _ = Keyer::default().key_of_tree(&slt);
        let _ = slt.to_latex();
        let _ = write_text(&parse.tree);
        let _ = write_latex(&parse.tree);
        let _ = write_mathml(&parse.tree, &String::from_utf8_lossy(source), MathmlOptions::default());
    }
});

/// Spans lie in the source, on the borders of characters, and in those of their parents.
fn check_spans(source: &[u8], parse: &Parse) {
    let text = std::str::from_utf8(source).ok();
    let mut children = Vec::new();
    let mut stack = vec![parse.tree.root().expect("there is always a tree")];
    while let Some(id) = stack.pop() {
        let span = parse.tree.node(id).span;
        assert!(source.get(span.range()).is_some());
        assert!(text.is_none_or(|text| text.get(span.range()).is_some()));
        children.clear();
        parse.tree.children(id, &mut children);
        for &(_, child) in &children {
            let inner = parse.tree.node(child).span;
            assert!(span.start <= inner.start && inner.end <= span.end);
            stack.push(child);
        }
    }
    for diagnostic in &parse.diagnostics {
        assert!(source.get(diagnostic.span.range()).is_some());
    }
}
