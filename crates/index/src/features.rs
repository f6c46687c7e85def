//! The features of formulas that are indexed.

use crate::fields::word_key;
use crate::symbols::symbol_words;
use formula::FormulaParser;
use formula::features::paths::{Paths, WildcardPaths};
use formula::features::{
    PairExtractor, PairOptions, PathExtractor, PathOptions, Phoc, PhocExtractor, Tokens, TupleExtractor,
    TupleOptions,
};
use formula::matching::{Letters, Parts};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use formula::slt::Slt;
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
    /// Tangent-L until 2021: math tuples without locations.
    Tuples,
    /// MathDowsers 2022: math tuples, most of them with their location as well.
    TuplesL8,
    /// approach0: leaf-root paths.
    Paths,
    /// Tokens of LaTeX and pairs of them.
    Ngrams,
    /// MathDowsers 2022: words of more than two letters in the LaTeX.
    LatexWords,
    /// XY-PHOC: symbols and the strips in which they stand, five levels deep.
    PhocXy5,
    /// XY-PHOC: symbols and the strips and rings in which they stand, seven and four levels deep.
    PhocXy7o4,
    /// JU_NITS: tokens of LaTeX.
    LatexTokens,
    /// JU_NITS: the tags of layout trees.
    SltTokens,
    /// JU_NITS: the tags of the labs' operator trees.
    OptTokens,
    /// PyTerrier's baseline: the names of the signs in texts and LaTeX. Only posts are found by them.
    Symbols,
}

impl FeatureKind {
    /// All kinds that formulas can be found by.
    pub const ALL: [Self; 13] = [
        Self::Parts,
        Self::Pairs,
        Self::PairsOpt,
        Self::Tuples,
        Self::TuplesL8,
        Self::Paths,
        Self::Ngrams,
        Self::LatexWords,
        Self::PhocXy5,
        Self::PhocXy7o4,
        Self::LatexTokens,
        Self::SltTokens,
        Self::OptTokens,
    ];
    /// The kinds that posts can be found by: words of LaTeX have a field of their own there, and pictures say
    /// nothing about a bag of formulas.
    pub const OF_POSTS: [Self; 8] = [
        Self::Parts,
        Self::Pairs,
        Self::PairsOpt,
        Self::Tuples,
        Self::TuplesL8,
        Self::Paths,
        Self::Ngrams,
        Self::Symbols,
    ];

    /// The kinds of both, each once.
    fn known() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain([Self::Symbols])
    }

    /// Its name in commands and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parts => "parts",
            Self::Pairs => "pairs",
            Self::PairsOpt => "pairs-opt",
            Self::Tuples => "tuples",
            Self::TuplesL8 => "tuples-l8",
            Self::Paths => "paths",
            Self::Ngrams => "ngrams",
            Self::LatexWords => "latex-words",
            Self::PhocXy5 => "phoc-xy5",
            Self::PhocXy7o4 => "phoc-xy7o4",
            Self::LatexTokens => "latex-tokens",
            Self::SltTokens => "slt-tokens",
            Self::OptTokens => "opt-tokens",
            Self::Symbols => "symbols",
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
#[error("there are no features called `{0}`; there are {known}", known = FeatureKind::known().map(FeatureKind::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownFeatures(String);

impl FromStr for FeatureKind {
    type Err = UnknownFeatures;

    fn from_str(name: &str) -> Result<Self, UnknownFeatures> {
        Self::known().find(|kind| kind.name() == name).ok_or_else(|| UnknownFeatures(name.to_owned()))
    }
}

/// Takes formulas apart; keeps its memory.
#[derive(Debug)]
pub struct Extractor {
    parser: FormulaParser,
    labs: LabsOpt,
    opt: Opt,
    parts: Parts,
    pairs: PairExtractor,
    tuples: TupleExtractor,
    located: TupleExtractor,
    unlocated: TupleExtractor,
    pictures: [PhocExtractor; 2],
    picture: Phoc,
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
            parser: FormulaParser::default(),
            labs: LabsOpt::default(),
            opt: Opt::default(),
            parts: Parts::default(),
            pairs: PairExtractor::new(PairOptions::default()),
            tuples: TupleExtractor::new(TupleOptions::tangent_l().with_locations_below(1)),
            located: TupleExtractor::new(TupleOptions::default()),
            unlocated: TupleExtractor::new(TupleOptions::default().with_locations_below(1)),
            pictures: ["xy5", "xy7o4"]
                .map(|regions| PhocExtractor::new(regions.parse().expect("these are regions"))),
            picture: Phoc::default(),
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
        self.parser.parse_latex(latex, mode);
    }

    /// The formula that was read last, as a layout tree.
    #[must_use]
    pub fn slt(&self) -> &Slt {
        self.parser.last_slt()
    }

    /// How many symbols the formula that was read last has, evened out.
    pub fn size(&mut self) -> usize {
        self.outline().0
    }

    /// The size of the formula that was read last, and a number by which formulas that look alike lie
    /// together when they are sorted.
    pub fn outline(&mut self) -> (usize, u64) {
        self.parts.outline(self.parser.last_slt())
    }

    /// The parts of the formula that was read last with their weights in a query; says how many symbols it has.
    pub fn parts(&mut self, sink: impl FnMut(u64, f32)) -> usize {
        self.parts.of(self.parser.last_slt(), sink)
    }

    /// For each symbol that every formula which holds all of the one that was read last has: the
    /// [`FeatureKind::Parts`] of which it has at least one.
    pub fn needed_parts(&mut self, letters: Letters) -> Vec<Vec<u64>> {
        self.parts.needed(self.parser.last_slt(), letters)
    }

    /// The features of the formula that was read last, one for each time it has them. Features that touch a
    /// wildcard of a query are left out.
    pub fn features(&mut self, kind: FeatureKind, mut sink: impl FnMut(u64)) {
        match kind {
            FeatureKind::Parts => {
                self.parts.of(self.parser.last_slt(), |part, _| sink(part));
            }
            FeatureKind::Pairs => self.pairs.slt(self.parser.last_slt(), |pair| sink(pair.hash())),
            FeatureKind::PairsOpt => {
                self.opt();
                self.pairs.opt(&self.opt, |pair| sink(pair.hash()));
            }
            FeatureKind::Tuples => {
                self.tuples.slt(self.parser.last_slt(), |tuple| sink(xxh3_64(tuple.as_bytes())));
            }
            FeatureKind::TuplesL8 => {
                self.located.wrapped(self.parser.last_slt(), |tuple| sink(xxh3_64(tuple.as_bytes())));
            }
            FeatureKind::Paths => {
                for path in self.paths().iter() {
                    (0..path.width()).for_each(|_| sink(path.hash()));
                }
            }
            FeatureKind::Ngrams => {
                self.tokens.read_tree(&self.parser.last_layout().tree);
                self.tokens.ngrams(2, |run| sink(run.hash()));
            }
            FeatureKind::LatexTokens => {
                self.tokens.read_tree(&self.parser.last_layout().tree);
                self.tokens.ngrams(1, |token| sink(token.hash()));
            }
            FeatureKind::SltTokens => {
                let slt = self.parser.last_slt();
                slt.preorder().for_each(|node| sink(xxh3_64(slt.tag(node).as_bytes())));
            }
            FeatureKind::OptTokens => {
                let opt = self.opt();
                opt.preorder().for_each(|node| sink(xxh3_64(opt.tag(node).as_bytes())));
            }
            FeatureKind::LatexWords => {
                let words = self.latex.split(|c: char| !c.is_alphanumeric());
                let words = words.filter(|word| word.chars().nth(2).is_some());
                words.for_each(|word| sink(xxh3_64(word.to_lowercase().as_bytes())));
            }
            FeatureKind::PhocXy5 | FeatureKind::PhocXy7o4 => self.regions(kind, |key, _| sink(key)),
            FeatureKind::Symbols => symbol_words(&self.latex, |word| sink(word_key(word))),
        }
    }

    /// The tuples of the formula that was read last without locations, which are among
    /// [`FeatureKind::TuplesL8`].
    pub fn unlocated_tuples(&mut self, mut sink: impl FnMut(u64)) {
        self.unlocated.slt(self.parser.last_slt(), |tuple| sink(xxh3_64(tuple.as_bytes())));
    }

    /// The formula that was read last as an operator tree in the manner of the labs.
    pub fn opt(&mut self) -> &Opt {
        self.labs.read(self.parser.last_slt(), &mut self.opt);
        &self.opt
    }

    /// The leaf-root paths of the formula that was read last.
    pub fn paths(&mut self) -> &Paths {
        let extractor = &mut self.paths[usize::from(self.mode == Mode::Query)];
        extractor.slt(self.parser.last_slt(), &mut self.found_paths);
        &self.found_paths
    }

    /// Each symbol of the formula that was read last in each region where it stands, and the same symbol in the
    /// region that is the whole formula. Other kinds than pictures have none.
    pub fn regions(&mut self, kind: FeatureKind, mut sink: impl FnMut(u64, u64)) {
        let extractor = match kind {
            FeatureKind::PhocXy5 => &mut self.pictures[0],
            FeatureKind::PhocXy7o4 => &mut self.pictures[1],
            _ => return,
        };
        extractor.read(self.parser.last_slt(), &mut self.picture);
        for (symbol, bits) in self.picture.iter() {
            let whole = region_key(symbol, 0);
            for region in (0_u64..128).filter(|region| bits >> region & 1 == 1) {
                sink(region_key(symbol, region), whole);
            }
        }
    }
}

/// The key of a symbol in a region of a picture; region 0 is the whole of it.
fn region_key(symbol: char, region: u64) -> u64 {
    xxh3_64(&(u64::from(symbol) << 8 | region).to_le_bytes())
}
