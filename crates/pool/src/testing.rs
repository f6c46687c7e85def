//! Small runs for the tests of this crate.

use crate::extent::Standing;
use crate::ranking::PooledRun;
use eval::VisualIdLookup;
use formats::run::{Run, RunKind};
use formats::{DocId, Source};
use std::collections::BTreeMap;

/// A run from the text of its file, blanks standing for tabs.
pub(crate) fn run_text(name: &str, text: &str) -> Run {
    Run::read(Source::bytes(name, text.replace(' ', "\t")), RunKind::Documents).unwrap()
}

/// A run with one topic and these documents, best first.
pub(crate) fn run(name: &str, topic: &str, docs: &[&str]) -> Run {
    let row =
        |(place, doc): (usize, &&str)| format!("{topic} Q0 {doc} {} {} {name}\n", place + 1, 10_000 - place);
    run_text(name, &docs.iter().enumerate().map(row).collect::<String>())
}

/// A run that takes part under the name of its file.
pub(crate) fn pooled(run: &Run, standing: Standing) -> PooledRun<'_> {
    PooledRun { name: run.name().into(), run, standing }
}

/// Visual ids of formulas.
pub(crate) struct Looks(BTreeMap<String, String>);

impl Looks {
    /// From pairs such as `i1=7 i2=7 i3=3`.
    pub(crate) fn new(pairs: &str) -> Self {
        let pair = |pair: &str| pair.split_once('=').map(|(id, look)| (id.to_owned(), look.to_owned()));
        Self(pairs.split(' ').filter_map(pair).collect())
    }
}

impl VisualIdLookup for Looks {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        self.0.get(formula.as_str()).map(|look| DocId(look))
    }
}
