//! `hypatia formula features`: pieces of each formula that can be counted and compared.

use super::each::EachArgs;
use crate::engine::{Engine, Features as Made, Formula, TokensOf, Wrap};
use crate::{Exit, Run};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use formula::features::paths::Pruning;
use formula::features::phoc::Regions;
use formula::features::tuples::{Include, Normalisation, Synonyms};
use formula::features::{EndOfBaseline, PairOptions, PathOptions, TupleOptions};

const LONG_ABOUT: &str = "\
Prints the features of each formula that the systems of the math retrieval labs compare or \
index, separated by blanks, as often as they occur. A blank inside a feature is written as \
'␣'; a formula without features prints '-'.

  pairs      symbol pairs of the layout tree (Tangent-S)
  pairs-opt  symbol pairs of the operator tree (Tangent-S)
  tuples     math tuples (Tangent-L, MathDowsers)
  paths      leaf-root paths of the operator tree (approach0)
  phoc       symbols and the regions they are in (XY-PHOC)
  ngrams     runs of LaTeX tokens, with '~' between them

Options of other kinds than the chosen one are refused.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula features 'x^2+1' --kind pairs --eob all
  hypatia formula features latex_representation.tsv --kind tuples --wrap > tuples.tsv
  hypatia formula features slt.tsv --kind phoc --regions xy5
  hypatia formula features formulas.txt --kind ngrams --longest 3";

/// Print features: pairs, tuples, paths, regions, n-grams
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Features {
    #[command(flatten)]
    each: EachArgs,

    /// Which features
    #[arg(long, value_name = "KIND")]
    kind: Kind,

    /// pairs, tuples: how many edges a path can have, 0 for any number [default: pairs 4, tuples 1]
    #[arg(long, value_name = "N")]
    window: Option<usize>,

    /// pairs: which ends of baselines make a pair [default: small]
    #[arg(long, value_name = "ENDS")]
    eob: Option<Ends>,

    /// tuples: which kinds, of S(ymbol pairs), T(erminals), C(ompounds), D(uplicates), R (edge pairs), E(nds),
    /// L(ong pairs), A(bbreviated pairs) [default: STCD]
    #[arg(long, value_name = "LETTERS")]
    include: Option<String>,

    /// tuples: write a second copy with the location when it has fewer nodes, 1 for none [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    locations: Option<u32>,

    /// tuples: add copies that the wildcards of queries match [default: none]
    #[arg(long, value_name = "HOW")]
    synonyms: Option<SynonymsArg>,

    /// tuples: add pairs with the operands of commutative signs and relations swapped
    #[arg(long)]
    swapped: bool,

    /// tuples: put '#(start)#' and '#(end)#' around each formula
    #[arg(long)]
    wrap: bool,

    /// paths: leave out what approach0 does not index
    #[arg(long)]
    prune: bool,

    /// paths: formulas with more leaves have no paths [default: 64]
    #[arg(long, value_name = "N")]
    leaves: Option<u16>,

    /// phoc: families of regions and their levels [default: xy7o4]
    #[arg(long, value_name = "NAME")]
    regions: Option<String>,

    /// ngrams: the longest run of tokens, at most 8 [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    longest: Option<u8>,

    /// ngrams: what the tokens are [default: latex]
    #[arg(long, value_name = "WHAT")]
    tokens: Option<TokensOf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Symbol pairs of the layout tree
    Pairs,
    /// Symbol pairs of the operator tree
    PairsOpt,
    /// Math tuples
    Tuples,
    /// Leaf-root paths
    Paths,
    /// Symbols and regions
    Phoc,
    /// Runs of tokens
    Ngrams,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ends {
    /// None
    None,
    /// Those of trees that are a root and its children
    Small,
    /// All
    All,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SynonymsArg {
    /// No copies
    None,
    /// With '*' in place of each symbol
    Any,
    /// With the type in place of each symbol, as in '?v'
    Typed,
}

impl Run for Features {
    fn run(self) -> Result<Exit> {
        self.refuse_what_has_no_effect()?;
        let features = self.features()?;
        let value = move |engine: &mut Engine, formula: Formula<'_>| engine.features(formula, &features);
        match self.kind {
            Kind::PairsOpt => self.each.run_any("features", value),
            // A column can hold operator trees, too.
            _ => self.each.run("features", value),
        }
    }
}

impl Features {
    fn refuse_what_has_no_effect(&self) -> Result<()> {
        use Kind::{Ngrams, Pairs, PairsOpt, Paths, Phoc, Tuples};
        let options: [(&str, bool, &[Kind]); 12] = [
            ("--window", self.window.is_some(), &[Pairs, PairsOpt, Tuples]),
            ("--eob", self.eob.is_some(), &[Pairs, PairsOpt]),
            ("--include", self.include.is_some(), &[Tuples]),
            ("--locations", self.locations.is_some(), &[Tuples]),
            ("--synonyms", self.synonyms.is_some(), &[Tuples]),
            ("--swapped", self.swapped, &[Tuples]),
            ("--wrap", self.wrap, &[Tuples]),
            ("--prune", self.prune, &[Paths]),
            ("--leaves", self.leaves.is_some(), &[Paths]),
            ("--regions", self.regions.is_some(), &[Phoc]),
            ("--longest", self.longest.is_some(), &[Ngrams]),
            ("--tokens", self.tokens.is_some(), &[Ngrams]),
        ];
        let kind = self.kind.to_possible_value();
        let kind = kind.as_ref().map_or("", |kind| kind.get_name());
        for (option, given, kinds) in options {
            if given && !kinds.contains(&self.kind) {
                bail!("{option} has no effect on --kind {kind}");
            }
        }
        if self.kind != PairsOpt && self.each.is_opt() {
            bail!("--from opt has no effect on --kind {kind}: an operator tree has no layout");
        }
        Ok(())
    }

    fn features(&self) -> Result<Made> {
        let pairs = || PairOptions {
            window: self.window.unwrap_or(PairOptions::default().window),
            end_of_baseline: match self.eob {
                None | Some(Ends::Small) => EndOfBaseline::Small,
                Some(Ends::None) => EndOfBaseline::None,
                Some(Ends::All) => EndOfBaseline::All,
            },
        };
        Ok(match self.kind {
            Kind::Pairs => Made::Pairs(pairs()),
            Kind::PairsOpt => Made::PairsOpt(pairs()),
            Kind::Tuples => {
                let wrap = if self.wrap { Wrap::Yes } else { Wrap::No };
                Made::Tuples(self.tuples()?, wrap)
            }
            Kind::Paths => Made::Paths(PathOptions {
                most_leaves: self.leaves.map_or(PathOptions::default().most_leaves, usize::from),
                pruning: if self.prune { Pruning::APPROACH0 } else { Pruning::None },
                ..PathOptions::default()
            }),
            Kind::Phoc => Made::Phoc(match &self.regions {
                Some(name) => name.parse().context("--regions")?,
                None => Regions::default(),
            }),
            Kind::Ngrams => {
                Made::Ngrams(self.longest.map_or(2, usize::from), self.tokens.unwrap_or(TokensOf::Latex))
            }
        })
    }

    fn tuples(&self) -> Result<TupleOptions> {
        let letters = self.include.as_deref().unwrap_or("STCD");
        if let Some(wrong) = letters.chars().find(|letter| !"STCDRELA".contains(*letter)) {
            bail!("--include: '{wrong}' is no kind of tuple, the kinds are S, T, C, D, R, E, L and A");
        }
        let bound = self.locations.map_or(8, |bound| bound as usize);
        let include = |letter| if letters.contains(letter) { Include::Near(bound) } else { Include::No };
        Ok(TupleOptions {
            window: match self.window {
                None => 1,
                Some(0) => usize::MAX,
                Some(window) => window,
            },
            pairs: include('S'),
            terminals: include('T'),
            compounds: include('C'),
            duplicates: include('D'),
            edge_pairs: include('R'),
            ends: include('E'),
            long_pairs: include('L'),
            abbreviated_pairs: include('A'),
            synonyms: match self.synonyms {
                None | Some(SynonymsArg::None) => Synonyms::None,
                Some(SynonymsArg::Any) => Synonyms::Any,
                Some(SynonymsArg::Typed) => Synonyms::Typed,
            },
            normalisation: if self.swapped { Normalisation::SwappedOperands } else { Normalisation::None },
            ..TupleOptions::default()
        })
    }
}
