//! Words of TangentCFT: the symbol pairs of a tree, each spelled with one private character for each of its parts.
//!
//! Pairs are those of [`PairOptions::TANGENT_CFT`](super::PairOptions::TANGENT_CFT), in the order of the original: for
//! each child of a node the pairs of the node with the child and what is below it, then the pairs of the child
//! itself; last the pair that ends a baseline. A word is a type and a value for each of two symbols (`V!x` is `V!` and
//! `x`, the end `0!` is `0!` and an empty value, the digits of a number in a layout tree are values of their own), and
//! a character for each label of the path between them. A formula is the sequence of these words, for models that
//! learn vectors of words from their neighbours and of runs of characters inside words.
//!
//! Characters are numbered in the order in which their parts are first seen: symbols from U+EA60, labels from U+01F4.
//! A [`TupleAlphabet`] that is only read gives parts it does not know characters by their hash.

use super::pairs::END;
use crate::opt::{Opt, OptId, text::label};
use crate::slt::{Edge, Slt, SltId};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64;

/// The longest path of a pair.
const WINDOW: usize = 2;
/// The first character of symbols, and that of labels.
const FIRST_SYMBOL: u32 = 60_000;
const FIRST_LABEL: u32 = 500;
/// The number of characters from the first symbol on.
const SYMBOLS: u32 = char::MAX as u32 - FIRST_SYMBOL + 1;
/// Characters that are left for symbols that a finished alphabet does not know.
const UNKNOWN: u32 = 50_000;

/// The tree whose pairs are spelled, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TupleWords {
    /// Types and values of the layout tree.
    Slt,
    /// Types and values of the labs' operator tree.
    Opt,
    /// Types alone of the layout tree.
    SltType,
    /// Types alone of the labs' operator tree.
    OptType,
}

impl TupleWords {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Slt, Self::Opt, Self::SltType, Self::OptType];

    /// The name in options and models.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Slt => "slt",
            Self::Opt => "opt",
            Self::SltType => "slt-type",
            Self::OptType => "opt-type",
        }
    }

    /// Whether they are of the operator tree.
    #[must_use]
    pub fn is_of_operators(self) -> bool {
        matches!(self, Self::Opt | Self::OptType)
    }
}

impl fmt::Display for TupleWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of words that do not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWords(String);

impl fmt::Display for UnknownWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = TupleWords::ALL.map(TupleWords::name).join(", ");
        write!(f, "there are no words {:?} of formulas; choose one of {known}", self.0)
    }
}

impl std::error::Error for UnknownWords {}

impl FromStr for TupleWords {
    type Err = UnknownWords;

    fn from_str(name: &str) -> Result<Self, UnknownWords> {
        Self::ALL.into_iter().find(|words| words.name() == name).ok_or_else(|| UnknownWords(name.to_owned()))
    }
}

/// A pair of a tree: two tags and the labels between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuples {
    text: String,
    /// Where the tags and the path of each pair end.
    ends: Vec<[u32; 3]>,
}

impl Tuples {
    /// Forgets the pairs, keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// The pairs of a layout tree, after those that are there.
    pub fn slt(&mut self, slt: &Slt) {
        if let Some(root) = slt.root() {
            let children = |id: SltId| {
                ORDER.into_iter().filter_map(move |edge| {
                    let child = if edge == Edge::Next { slt.next(id) } else { slt.child(id, edge) };
                    child.map(|child| (edge.label(), child))
                })
            };
            let end = |id: SltId| (slt.next(id).is_none() && !slt.tag(id).starts_with("E!")).then_some('n');
            // An error inside another symbol is not a symbol of its own.
            let mute = |edge, id| edge == Edge::Within.label() && slt.tag(id).starts_with("E!");
            self.walk(root, &|id| children(id).collect(), &|id| slt.tag(id), &end, &mute);
        }
    }

    /// The pairs of an operator tree, after those that are there.
    pub fn opt(&mut self, opt: &Opt) {
        if let Some(root) = opt.root() {
            let children = |id: OptId| {
                let unordered = opt.tag(id).starts_with("U!");
                opt.children(id)
                    .enumerate()
                    .map(move |(place, child)| (label(if unordered { 0 } else { place }), child))
            };
            let end = |id: OptId| (opt.is_leaf(id) && !opt.tag(id).starts_with("E!")).then_some('0');
            self.walk(root, &|id| children(id).collect(), &|id| opt.tag(id), &end, &|_, _| false);
        }
    }

    /// The pairs of a tree, without recursion: formulas can be deep. Nodes that `mute` names, by the edge to them, are
    /// the second of no pair.
    fn walk<'t, Id: Copy>(
        &mut self,
        root: Id,
        children: &dyn Fn(Id) -> Vec<(char, Id)>,
        tag: &dyn Fn(Id) -> &'t str,
        end: &dyn Fn(Id) -> Option<char>,
        mute: &dyn Fn(char, Id) -> bool,
    ) {
        // A node with the children that are still to come, the next one last.
        let open = |id| (id, children(id).into_iter().rev().collect::<Vec<_>>());
        let mut nodes = vec![open(root)];
        while let Some((id, waiting)) = nodes.last_mut() {
            let id = *id;
            let Some((edge, child)) = waiting.pop() else {
                if let Some(edge) = end(id) {
                    self.push(tag(id), END, &[edge]);
                }
                nodes.pop();
                continue;
            };
            if !mute(edge, child) {
                self.push(tag(id), tag(child), &[edge]);
            }
            if WINDOW > 1 {
                for (below, grandchild) in children(child).into_iter().filter(|at| !mute(at.0, at.1)) {
                    self.push(tag(id), tag(grandchild), &[edge, below]);
                }
            }
            nodes.push(open(child));
        }
    }

    fn push(&mut self, ancestor: &str, descendant: &str, path: &[char]) {
        self.text.push_str(ancestor);
        let first = self.text.len() as u32;
        self.text.push_str(descendant);
        let second = self.text.len() as u32;
        self.text.extend(path);
        self.ends.push([first, second, self.text.len() as u32]);
    }

    /// The pairs: the tags and the path.
    pub fn iter(&self) -> impl Iterator<Item = [&str; 3]> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|[.., end]| *end));
        starts.zip(&self.ends).map(|(start, &[first, second, third])| {
            let text = |from: u32, to: u32| &self.text[from as usize..to as usize];
            [text(start, first), text(first, second), text(second, third)]
        })
    }
}

/// The order of children in layout trees.
const ORDER: [Edge; 9] = [
    Edge::Above,
    Edge::Below,
    Edge::Over,
    Edge::Under,
    Edge::PreAbove,
    Edge::PreBelow,
    Edge::Within,
    Edge::Element,
    Edge::Next,
];

/// The characters of the parts of pairs.
///
/// ```
/// use formula::features::{TupleAlphabet, TupleWords, Tuples};
/// use formula::slt::Slt;
///
/// let mut tuples = Tuples::default();
/// tuples.slt(&Slt::read("[V!x,a[N!2]]")?);
/// let mut alphabet = TupleAlphabet::new(TupleWords::Slt);
/// let mut words = Vec::new();
/// alphabet.learn(&tuples, &mut words);
/// assert_eq!(words[0], "\u{EA60}\u{EA61}\u{EA62}\u{EA63}\u{01F4}");
/// assert_eq!(words.len(), 3);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TupleAlphabet {
    words: TupleWords,
    of_symbols: HashMap<Box<str>, char, FixedState>,
    of_labels: HashMap<char, char, FixedState>,
    /// The symbols and the labels, in the order of their characters.
    symbols: Vec<Box<str>>,
    labels: Vec<char>,
}

impl TupleAlphabet {
    /// An alphabet without characters.
    #[must_use]
    pub fn new(words: TupleWords) -> Self {
        Self {
            words,
            of_symbols: HashMap::default(),
            of_labels: HashMap::default(),
            symbols: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// An alphabet with the symbols and labels of an earlier one.
    #[must_use]
    pub fn with<S: AsRef<str>>(words: TupleWords, symbols: &[S], labels: &str) -> Self {
        let mut alphabet = Self::new(words);
        for symbol in symbols {
            alphabet.symbol(symbol.as_ref());
        }
        for label in labels.chars() {
            alphabet.label(label);
        }
        alphabet
    }

    /// What the words are made of.
    #[must_use]
    pub fn words(&self) -> TupleWords {
        self.words
    }

    /// The symbols, in the order of their characters.
    #[must_use]
    pub fn symbols(&self) -> &[Box<str>] {
        &self.symbols
    }

    /// The labels, in the order of their characters.
    #[must_use]
    pub fn labels(&self) -> String {
        self.labels.iter().collect()
    }

    /// Appends the words of pairs, and learns the parts that it did not know.
    pub fn learn(&mut self, tuples: &Tuples, words: &mut Vec<String>) {
        for [ancestor, descendant, path] in tuples.iter() {
            let mut word = String::new();
            for tag in [ancestor, descendant] {
                parts(self.words, tag, |part| word.push(self.symbol(part)));
            }
            path.chars().for_each(|label| word.push(self.label(label)));
            words.push(word);
        }
    }

    /// Appends the words of pairs; parts that it does not know have characters by their hashes.
    pub fn spell(&self, tuples: &Tuples, words: &mut Vec<String>) {
        for [ancestor, descendant, path] in tuples.iter() {
            let mut word = String::new();
            for tag in [ancestor, descendant] {
                parts(self.words, tag, |part| {
                    let known = self.of_symbols.get(part);
                    word.push(known.copied().unwrap_or_else(|| unknown(part)));
                });
            }
            for label in path.chars() {
                word.push(self.of_labels.get(&label).copied().unwrap_or(label));
            }
            words.push(word);
        }
    }

    fn symbol(&mut self, part: &str) -> char {
        if let Some(known) = self.of_symbols.get(part) {
            return *known;
        }
        let number = self.symbols.len() as u32;
        if number >= SYMBOLS - UNKNOWN {
            return unknown(part);
        }
        let character = char::from_u32(FIRST_SYMBOL + number).expect("there are no surrogates from here on");
        self.of_symbols.insert(part.into(), character);
        self.symbols.push(part.into());
        character
    }

    fn label(&mut self, label: char) -> char {
        if let Some(known) = self.of_labels.get(&label) {
            return *known;
        }
        let number = self.labels.len() as u32;
        // Trees have a few hundred labels at most; what is beyond stands for itself.
        let Some(character) = char::from_u32(FIRST_LABEL + number).filter(|_| number < 5000) else {
            return label;
        };
        self.of_labels.insert(label, character);
        self.labels.push(label);
        character
    }
}

/// The character of a symbol that has none of its own.
fn unknown(part: &str) -> char {
    let number = (xxh3_64(part.as_bytes()) % u64::from(UNKNOWN)) as u32;
    char::from_u32(char::MAX as u32 - number).expect("there are no surrogates from here on")
}

/// The parts of a tag that have characters.
fn parts(words: TupleWords, tag: &str, mut sink: impl FnMut(&str)) {
    // A tag that is one sign has no type; that may be an exclamation mark.
    let Some(at) = tag.find('!').filter(|at| *at > 0) else {
        sink(tag);
        return;
    };
    let (kind, value) = tag.split_at(at + 1);
    sink(kind);
    match words {
        TupleWords::SltType | TupleWords::OptType => {}
        TupleWords::Slt if kind == "N!" => {
            for (at, digit) in value.char_indices() {
                sink(&value[at..at + digit.len_utf8()]);
            }
        }
        TupleWords::Slt | TupleWords::Opt => sink(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as the numbers of their characters.
    fn numbers(words: &[String]) -> Vec<Vec<u32>> {
        words.iter().map(|word| word.chars().map(u32::from).collect()).collect()
    }

    fn slt(alphabet: &mut TupleAlphabet, tree: &str) -> Vec<Vec<u32>> {
        let (mut tuples, mut words) = (Tuples::default(), Vec::new());
        tuples.slt(&Slt::read(tree).unwrap());
        alphabet.learn(&tuples, &mut words);
        let mut again = Vec::new();
        alphabet.spell(&tuples, &mut again);
        assert_eq!(words, again);
        numbers(&words)
    }

    #[test]
    fn words_of_layout_trees() {
        let mut alphabet = TupleAlphabet::new(TupleWords::Slt);
        assert_eq!(
            slt(&mut alphabet, "[V!x,a[N!2]]"),
            [
                vec![60000, 60001, 60002, 60003, 500],
                vec![60002, 60003, 60004, 60005, 501],
                vec![60000, 60001, 60004, 60005, 501]
            ]
        );
        assert_eq!(
            slt(&mut alphabet, "[V!x[+[V!y]],a[N!12]]"),
            [
                vec![60000, 60001, 60002, 60006, 60003, 500],
                vec![60002, 60006, 60003, 60004, 60005, 501],
                vec![60000, 60001, 60007, 501],
                vec![60000, 60001, 60000, 60008, 501, 501],
                vec![60007, 60000, 60008, 501],
                vec![60000, 60008, 60004, 60005, 501]
            ]
        );
        let expected: Vec<&str> = "V! x N! 2 0!  1 + y".split(' ').collect();
        assert_eq!(alphabet.symbols().iter().map(AsRef::as_ref).collect::<Vec<&str>>(), expected);
        let kept = TupleAlphabet::with(TupleWords::Slt, alphabet.symbols(), &alphabet.labels());
        assert_eq!((kept.of_symbols, kept.of_labels), (alphabet.of_symbols, alphabet.of_labels));
    }

    #[test]
    fn words_of_types_and_of_operator_trees() {
        let mut types = TupleAlphabet::new(TupleWords::SltType);
        assert_eq!(
            slt(&mut types, "[V!x,a[N!2]]"),
            [vec![60000, 60001, 500], vec![60001, 60002, 501], vec![60000, 60002, 501]]
        );
        let (mut tuples, mut words) = (Tuples::default(), Vec::new());
        tuples.opt(&Opt::read("[O!SUP,0[V!x],1[N!2]]").unwrap());
        TupleAlphabet::new(TupleWords::Opt).learn(&tuples, &mut words);
        assert_eq!(
            numbers(&words),
            [
                vec![60000, 60001, 60002, 60003, 500],
                vec![60002, 60003, 60004, 60005, 500],
                vec![60000, 60001, 60006, 60007, 501],
                vec![60006, 60007, 60004, 60005, 500]
            ]
        );
    }

    #[test]
    fn pairs_are_those_of_the_extractor_in_another_order() {
        use crate::features::{PairExtractor, PairOptions};
        let mut extractor = PairExtractor::new(PairOptions::TANGENT_CFT);
        for tree in [
            "[V!x]",
            "[V!x[+[N!1[=[V!y,b[V!i]]]]],a[N!2,a[V!k]]]",
            "[W!,w[V!x,a[N!2]]]",
            "[E!,w[V!x]]",
            "[R!root,w[E!,w[V!x[V!y]]]]",
        ] {
            let slt = Slt::read(tree).unwrap();
            let mut expected = Vec::new();
            extractor.slt(&slt, |pair| expected.push(pair.to_string()));
            let mut tuples = Tuples::default();
            tuples.slt(&slt);
            let mut found: Vec<String> = tuples.iter().map(|[a, b, c]| format!("({a},{b},{c})")).collect();
            assert_eq!(found.len(), expected.len(), "{tree}");
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{tree}");
        }
    }

    #[test]
    fn unknown_parts_have_characters_that_do_not_depend_on_the_order() {
        let (mut tuples, alphabet) = (Tuples::default(), TupleAlphabet::new(TupleWords::Slt));
        tuples.slt(&Slt::read("[V!x[V!y]]").unwrap());
        let (mut first, mut second) = (Vec::new(), Vec::new());
        alphabet.spell(&tuples, &mut first);
        alphabet.spell(&tuples, &mut second);
        assert_eq!(first, second);
        assert_eq!(first[0].chars().count(), 5);
        assert!(
            first[0].chars().take(4).all(|character| u32::from(character) > u32::from(char::MAX) - UNKNOWN)
        );
        // An exclamation mark is a sign without a type.
        let mut spelled = Vec::new();
        parts(TupleWords::Slt, "!", |part| spelled.push(part.to_owned()));
        assert_eq!(spelled, ["!"]);
    }
}
