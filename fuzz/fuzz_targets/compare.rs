//! Two formulas, one a line, compared by every measure: trees of both kinds, features, scores.
#![no_main]

use formula::features::pairs::{PairExtractor, PairOptions};
use formula::features::paths::{PathExtractor, Paths};
use formula::features::phoc::{Phoc, PhocExtractor};
use formula::features::tuples::{TupleExtractor, TupleOptions};
use formula::matching::{Matcher, Preparer, Weights};
use formula::opt::labs::LabsOpt;
use formula::opt::{Opt, meaning};
use formula::similarity::edit::{Costs, EditDistance, EditTree, Labels};
use formula::similarity::tangent_s;
use formula::slt::{Slt, from_latex};
use latex::Mode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (query, candidate) = text.split_once('\n').unwrap_or((text, text));
    let trees = [(query, Mode::Query), (candidate, Mode::Document)].map(|(source, mode)| {
        let mut slt = Slt::default();
        from_latex(&latex::parse_bytes(source.as_bytes(), mode).tree, &mut slt);
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
    let _ = edit.distance(&EditTree::opt(query_opt), &EditTree::opt(candidate_opt), Costs::OPT);
});
