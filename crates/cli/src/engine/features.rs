//! Features of formulas, as text.

use super::{Engine, Formula, Notation};
use formula::features::paths::{Paths, WildcardPaths};
use formula::features::phoc::{Phoc, Regions};
use formula::features::{
    PairExtractor, PairOptions, PathExtractor, PathOptions, PhocExtractor, Tokens, TupleExtractor,
    TupleOptions,
};
use formula::mathml::Reading;
use formula::opt::{Opt, labs::LabsOpt};
use latex::Mode;
use std::fmt::{Display, Write};

/// Which features, and how they are made.
#[derive(Clone, Debug)]
pub(crate) enum Features {
    Pairs(PairOptions),
    PairsOpt(PairOptions),
    Tuples(TupleOptions, Wrap),
    Paths(PathOptions),
    Phoc(Regions),
    Ngrams(usize, TokensOf),
}

/// Whether tuples stand between words that say where a formula begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    Yes,
    No,
}

/// What n-grams are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TokensOf {
    /// Normalised LaTeX
    Latex,
    /// The tags of the layout tree, in reading order
    Layout,
}

/// An extractor with its memory.
#[derive(Debug)]
pub(super) enum Extractor {
    Pairs(PairExtractor),
    PairsOpt(Box<(PairExtractor, LabsOpt, Opt)>),
    Tuples(Box<TupleExtractor>, Wrap),
    Paths(Box<(PathExtractor, PathExtractor, Paths)>),
    Phoc(Box<(PhocExtractor, Phoc)>),
    Ngrams(Tokens, usize, TokensOf),
}

impl Extractor {
    fn new(features: &Features) -> Self {
        match features {
            Features::Pairs(options) => Self::Pairs(PairExtractor::new(*options)),
            Features::PairsOpt(options) => {
                Self::PairsOpt(Box::new((PairExtractor::new(*options), LabsOpt::default(), Opt::default())))
            }
            Features::Tuples(options, wrap) => Self::Tuples(Box::new(TupleExtractor::new(*options)), *wrap),
            Features::Paths(options) => {
                let queries = PathOptions { wildcards: WildcardPaths::Keep, ..*options };
                let extractors = [*options, queries].map(PathExtractor::new);
                let [documents, queries] = extractors;
                Self::Paths(Box::new((documents, queries, Paths::default())))
            }
            Features::Phoc(regions) => {
                Self::Phoc(Box::new((PhocExtractor::new(regions.clone()), Phoc::default())))
            }
            Features::Ngrams(longest, of) => Self::Ngrams(Tokens::default(), *longest, *of),
        }
    }
}

impl Engine {
    /// The features of a formula, separated by blanks; `-` if there are none. All calls must be for the same
    /// features.
    pub(crate) fn features(&mut self, formula: Formula<'_>, features: &Features) -> String {
        let mut extractor = self.extractor.take().unwrap_or_else(|| Extractor::new(features));
        let mut out = List::default();
        match &mut extractor {
            Extractor::Pairs(pairs) => {
                self.read(formula, Reading::Tolerant);
                pairs.slt(&self.slt, |pair| out.push(pair));
            }
            Extractor::PairsOpt(memory) => {
                let (pairs, to_opt, opt) = &mut **memory;
                if formula.notation == Notation::Opt {
                    self.unread |=
                        opt.read_repaired_into(formula.source).is_err() && !formula.source.trim().is_empty();
                } else {
                    self.read(formula, Reading::Tolerant);
                    to_opt.read(&self.slt, opt);
                }
                pairs.opt(opt, |pair| out.push(pair));
            }
            Extractor::Tuples(tuples, wrap) => {
                self.read(formula, Reading::Tolerant);
                match wrap {
                    Wrap::Yes => tuples.wrapped(&self.slt, |tuple| out.push(tuple)),
                    Wrap::No => tuples.slt(&self.slt, |tuple| out.push(tuple)),
                }
            }
            Extractor::Paths(memory) => {
                let (documents, queries, paths) = &mut **memory;
                self.read(formula, Reading::Tolerant);
                let extractor = if formula.mode == Mode::Query { queries } else { documents };
                extractor.slt(&self.slt, paths);
                for path in paths.iter() {
                    for _ in 0..path.width() {
                        out.push(path);
                    }
                }
            }
            Extractor::Phoc(memory) => {
                let (extractor, phoc) = &mut **memory;
                self.read(formula, Reading::Tolerant);
                extractor.read(&self.slt, phoc);
                for (symbol, bits) in phoc.iter() {
                    out.push(format_args!("{symbol}:{bits:x}"));
                }
            }
            Extractor::Ngrams(tokens, longest, TokensOf::Latex) => {
                let latex = self.latex_of(formula);
                tokens.read_tree(&self.reader.read(latex.as_bytes(), formula.mode).tree);
                tokens.ngrams(*longest, |run| out.push(run));
            }
            Extractor::Ngrams(tokens, longest, TokensOf::Layout) => {
                self.read(formula, Reading::Tolerant);
                tokens.read_slt(&self.slt);
                tokens.ngrams(*longest, |run| out.push(run));
            }
        }
        self.extractor = Some(extractor);
        out.finish()
    }
}

/// Words on a line. What is blank inside a word is written as `␣`.
#[derive(Default)]
struct List(String);

impl List {
    fn push(&mut self, word: impl Display) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        let start = self.0.len();
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{word}");
        if self.0[start..].contains(char::is_whitespace) {
            let word = self.0.split_off(start);
            self.0.extend(word.chars().map(|c| if c.is_whitespace() { '␣' } else { c }));
        }
    }

    fn finish(self) -> String {
        if self.0.is_empty() { String::from("-") } else { self.0 }
    }
}
