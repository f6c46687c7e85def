//! Formulas as people and machines write them: LaTeX, MathML and strings of trees.

use super::text_or_refuse;
use crate::Outcome;
use formula::features::pairs::{PairExtractor, PairOptions};
use formula::features::paths::{PathExtractor, Paths};
use formula::features::phoc::{Phoc, PhocExtractor};
use formula::features::tuples::{TupleExtractor, TupleOptions};
use formula::identity::Keyer;
use formula::matching::{Matcher, Preparer, Weights};
use formula::mathml::{MathmlOptions, MathmlReader, Reading, write_mathml};
use formula::normal::write_latex;
use formula::opt::content::{
    ContentReader, Reading as ContentReading, read_content_mathml, write_content_mathml,
};
use formula::opt::labs::LabsOpt;
use formula::opt::{Opt, meaning};
use formula::similarity::edit::{Costs, EditDistance, EditTree, Labels};
use formula::similarity::tangent_s;
use formula::slt::{Slt, from_latex};
use formula::text::write_text;
use latex::{Mode, Parse, Reader};

/// The LaTeX reader on any bytes, in both modes, and everything that is made of the tree.
pub fn latex(source: &[u8]) -> Outcome {
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
    Outcome::Read
}

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

/// The MathML reader on any text, tolerant and as the labs read it.
pub fn mathml(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let mut outcome = Outcome::Refused;
    for reading in [Reading::Tolerant, Reading::Labs] {
        let mut slt = Slt::default();
        let mut reader = MathmlReader::new(reading);
        match reader.read(text, &mut slt) {
            Ok(_) => outcome = Outcome::Read,
            Err(_) => assert!(slt.root().is_none()),
        }
        let _ = slt.to_string();
        // A reader that has read before reads the same.
        let mut again = Slt::default();
        let _ = reader.read(text, &mut again);
        assert_eq!(slt.to_string(), again.to_string());
    }
    outcome
}

/// The reader of layout-tree strings: a tree that it accepts is written and read again the same.
pub fn slt_string(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let read = Slt::read(text);
    if let Ok(slt) = &read {
        let written = slt.to_string();
        let again = Slt::read(&written).expect("what was written can be read");
        assert_eq!(again.to_string(), written);
        assert_eq!(again.len(), slt.len());
    }
    if let Ok(slt) = Slt::read_repaired(text) {
        let _ = slt.to_string();
        let _ = Keyer::default().key_of_tree(&slt);
        let _ = ::latex::parse(&slt.to_latex());
    }
    Outcome::of(&read)
}

/// The reader of operator-tree strings: a tree that it accepts is written as it was, and each node knows its place.
pub fn opt_string(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
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
            Outcome::Read
        }
        Err(error) => {
            assert!(error.offset <= text.len());
            assert_eq!(result, Err(error));
            assert!(reused.is_empty());
            Outcome::Refused
        }
    }
}

/// The reader of Content MathML on any text; a tree that it reads is written so that it can be read again.
pub fn content(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let mut opt = Opt::default();
    let _ = ContentReader::new(ContentReading::Labs).read(text, &mut opt);
    let _ = opt.to_string();
    let read = read_content_mathml(text, &mut opt);
    if read.is_ok() {
        let written = write_content_mathml(&opt);
        read_content_mathml(&written, &mut Opt::default()).expect("what was written can be read");
    }
    Outcome::of(&read)
}

/// Two formulas, one a line, compared by every measure: trees of both kinds, features, scores.
pub fn compare(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let (query, candidate) = text.split_once('\n').unwrap_or((text, text));
    let trees = [(query, Mode::Query), (candidate, Mode::Document)].map(|(source, mode)| {
        let mut slt = Slt::default();
        from_latex(&::latex::parse_bytes(source.as_bytes(), mode).tree, &mut slt);
        let (mut opt, mut labs) = (Opt::default(), Opt::default());
        meaning::from_slt(&slt, &mut opt);
        LabsOpt::default().read_typed(&slt, source, &mut labs);
        for tree in [&opt, &labs] {
            assert!(tree.root().is_some());
            assert_eq!(&Opt::read(&tree.to_string()).expect("what was written can be read"), tree);
        }
        (slt, opt, labs)
    });
    for (slt, opt, _) in &trees {
        let mut pairs = PairExtractor::new(PairOptions::default());
        pairs.slt(slt, |_| {});
        pairs.opt(opt, |_| {});
        TupleExtractor::new(TupleOptions::default()).slt(slt, |_| {});
        PathExtractor::default().slt(slt, &mut Paths::default());
        let regions = "xy7o4".parse().expect("a name of regions");
        PhocExtractor::new(regions).read(slt, &mut Phoc::default());
    }
    let [(query, query_opt, query_labs), (candidate, candidate_opt, candidate_labs)] = &trees;
    let mut preparer = Preparer::new(Weights::default());
    let (ours, theirs) = (preparer.from_slt(query), preparer.from_slt(candidate));
    let score = Matcher::default().score(&ours, &theirs);
    assert!((0.0..=1.001).contains(&score.value));
    assert_eq!(score, Matcher::default().score(&ours, &theirs));
    let mut aligner = tangent_s::Aligner::default();
    let _ = aligner.align(&query.into(), &candidate.into());
    let _ = aligner.align(&query_labs.into(), &candidate_labs.into());
    let mut edit = EditDistance::default();
    let labels = Labels::Tags;
    let _ = edit.distance(&EditTree::slt(query, labels), &EditTree::slt(candidate, labels), Costs::SLT);
    let _ =
        edit.distance(&EditTree::opt(query_opt, labels), &EditTree::opt(candidate_opt, labels), Costs::OPT);
    Outcome::Read
}
