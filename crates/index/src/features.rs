//! The features of formulas that are indexed.

use formula::features::paths::{Paths, WildcardPaths};
use formula::features::{
    PairExtractor, PairOptions, PathExtractor, PathOptions, Tokens, TupleExtractor, TupleOptions,
};
use formula::matching::Parts;
use formula::mathml::{MathmlReader, Reading};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;
use std::fmt;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64;

/// A kind of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureKind {
    /// Our own: parts of evened-out trees.
    Parts,
    /// Tangent-S: symbol pairs of layout trees.
    Pairs,
    /// Tangent-S: symbol pairs of the labs' operator trees.
    PairsOpt,
    /// Tangent-L: math tuples.
    Tuples,
    /// approach0: leaf-root paths.
    Paths,
    /// Tokens of LaTeX and pairs of them.
    Ngrams,
}

impl FeatureKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Parts, Self::Pairs, Self::PairsOpt, Self::Tuples, Self::Paths, Self::Ngrams];

    /// Its name in commands and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parts => "parts",
            Self::Pairs => "pairs",
            Self::PairsOpt => "pairs-opt",
            Self::Tuples => "tuples",
            Self::Paths => "paths",
            Self::Ngrams => "ngrams",
        }
    }
}

impl fmt::Display for FeatureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of features that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no features called `{0}`; there are parts, pairs, pairs-opt, tuples, paths, ngrams")]
pub struct UnknownFeatures(String);

impl FromStr for FeatureKind {
    type Err = UnknownFeatures;

    fn from_str(name: &str) -> Result<Self, UnknownFeatures> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownFeatures(name.to_owned()))
    }
}

/// Takes formulas apart; keeps its memory.
#[derive(Debug)]
pub struct Extractor {
    reader: latex::Reader,
    to_slt: LatexToSlt,
    mathml: MathmlReader,
    slt: Slt,
    labs: LabsOpt,
    opt: Opt,
    parts: Parts,
    pairs: PairExtractor,
    tuples: TupleExtractor,
    paths: [PathExtractor; 2],
    found_paths: Paths,
    tokens: Tokens,
    latex: String,
    mode: Mode,
}

impl Default for Extractor {
    fn default() -> Self {
        let queries = PathOptions { wildcards: WildcardPaths::Keep, ..PathOptions::default() };
        Self {
            reader: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            mathml: MathmlReader::new(Reading::Tolerant),
            slt: Slt::default(),
            labs: LabsOpt::default(),
            opt: Opt::default(),
            parts: Parts::default(),
            pairs: PairExtractor::new(PairOptions::default()),
            tuples: TupleExtractor::new(TupleOptions::tangent_l().with_locations_below(1)),
            paths: [PathOptions::default(), queries].map(PathExtractor::new),
            found_paths: Paths::default(),
            tokens: Tokens::default(),
            latex: String::new(),
            mode: Mode::Document,
        }
    }
}

impl Extractor {
    /// Reads a formula.
    pub fn read(&mut self, latex: &str, mode: Mode) {
        self.mode = mode;
        latex.clone_into(&mut self.latex);
        let parse = self.reader.read(latex.as_bytes(), mode);
        self.to_slt.read(&parse.tree, &mut self.slt);
    }

    /// The formula that was read last, as a layout tree.
    #[must_use]
    pub fn slt(&self) -> &Slt {
        &self.slt
    }

    /// LaTeX for the layout of a formula given as Presentation MathML, if it can be read.
    pub fn latex_of_mathml(&mut self, mathml: &str) -> Option<String> {
        self.mathml.read(mathml, &mut self.slt).ok()?;
        Some(self.slt.to_latex())
    }

    /// How many symbols the formula that was read last has, evened out.
    pub fn size(&mut self) -> usize {
        self.parts.of(&self.slt, |_, _| ())
    }

    /// The parts of the formula that was read last with their weights in a query; says how many symbols it has.
    pub fn parts(&mut self, sink: impl FnMut(u64, f32)) -> usize {
        self.parts.of(&self.slt, sink)
    }

    /// The features of the formula that was read last, one for each time it has them. Features that touch a
    /// wildcard of a query are left out.
    pub fn features(&mut self, kind: FeatureKind, mut sink: impl FnMut(u64)) {
        match kind {
            FeatureKind::Parts => {
                self.parts.of(&self.slt, |part, _| sink(part));
            }
            FeatureKind::Pairs => self.pairs.slt(&self.slt, |pair| sink(pair.hash())),
            FeatureKind::PairsOpt => {
                self.labs.read(&self.slt, &mut self.opt);
                self.pairs.opt(&self.opt, |pair| sink(pair.hash()));
            }
            FeatureKind::Tuples => {
                self.tuples.slt(&self.slt, |tuple| sink(xxh3_64(tuple.as_bytes())));
            }
            FeatureKind::Paths => {
                let extractor = &mut self.paths[usize::from(self.mode == Mode::Query)];
                extractor.slt(&self.slt, &mut self.found_paths);
                for path in self.found_paths.iter() {
                    (0..path.width()).for_each(|_| sink(path.hash()));
                }
            }
            FeatureKind::Ngrams => {
                self.tokens.read_tree(&self.reader.read(self.latex.as_bytes(), self.mode).tree);
                self.tokens.ngrams(2, |run| sink(run.hash()));
            }
        }
    }
}
