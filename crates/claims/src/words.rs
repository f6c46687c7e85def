//! A text as sentences of words and parts of formulas.

use formula::opt::meaning::SltToOpt;
use formula::opt::{Opt, OptId};
use formula::slt::{Slt, from_latex};
use std::ops::Range;

/// Longer formulas are not taken apart.
const LONGEST_FORMULA: usize = 2_000;
/// Of a text with more formulas the rest is not looked at.
const MOST_FORMULAS: usize = 400;

/// A formula of a text.
pub(crate) struct Formula {
    pub(crate) latex: String,
    pub(crate) opt: Opt,
    /// Where it is in the text, without its dollars.
    pub(crate) start: usize,
}

/// A relation between two parts of a formula.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) formula: usize,
    /// The tag of the relation.
    pub(crate) relation: String,
    pub(crate) left: OptId,
    pub(crate) right: OptId,
    /// The modulus of a congruence.
    pub(crate) modulus: Option<OptId>,
    /// The number of links of its chain, and its place among them.
    pub(crate) chain: (usize, usize),
}

/// What a sentence is made of.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// In small letters.
    Word(String),
    Comma,
    Link(Link),
    /// A formula, or a part of one, that states nothing.
    Term(usize, OptId),
}

/// A sentence, and where it is in the text.
#[derive(Debug, Default)]
pub(crate) struct Sentence {
    pub(crate) items: Vec<(Item, Range<usize>)>,
    pub(crate) is_question: bool,
}

/// A text. See the [module](self).
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) formulas: Vec<Formula>,
    pub(crate) sentences: Vec<Sentence>,
    open: Sentence,
}

impl Text {
    /// Takes a text apart whose formulas stand between dollars.
    pub(crate) fn new(text: &str) -> Self {
        let mut made = Self::default();
        let mut reader = SltToOpt::default();
        let mut rest = 0;
        while let Some((start, fence)) = next_fence(text, rest) {
            let inside = start + fence.len();
            let Some(end) = find_fence(text, inside, fence) else { break };
            made.add_prose(&text[rest..start], rest);
            rest = end + fence.len();
            if made.formulas.len() < MOST_FORMULAS && end - inside <= LONGEST_FORMULA {
                made.add_formula(&text[inside..end], inside, &mut reader);
            }
            // A full stop before the dollars ends the sentence as one behind them does.
            let ends = text[inside..end].trim_end().ends_with('.')
                && !text[rest..].trim_start().starts_with(char::is_lowercase);
            if ends {
                made.end(false);
            }
        }
        made.add_prose(&text[rest..], rest);
        made.end(false);
        made
    }

    fn push(&mut self, item: Item, place: Range<usize>) {
        self.open.items.push((item, place));
    }

    fn end(&mut self, is_question: bool) {
        let mut sentence = std::mem::take(&mut self.open);
        sentence.is_question = is_question;
        if !sentence.items.is_empty() {
            self.sentences.push(sentence);
        }
    }

    fn add_prose(&mut self, prose: &str, offset: usize) {
        let mut word = String::new();
        let mut started = 0;
        let mut letters = prose.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            if letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-') {
                if word.is_empty() {
                    started = at;
                }
                word.extend(letter.to_lowercase());
                continue;
            }
            self.end_word(&mut word, offset + started, offset + at);
            let next = letters.peek().map(|(_, next)| *next);
            let ends = next.is_none_or(|next| next.is_whitespace() || matches!(next, '"' | ')' | '*'));
            match letter {
                ',' | ';' | ':' | '—' | '–' => {
                    self.push(Item::Comma, offset + at..offset + at + letter.len_utf8());
                }
                '.' | '!' if ends => self.end(false),
                '?' if ends => self.end(true),
                '\n' if next == Some('\n') => self.end(false),
                _ => {}
            }
        }
        self.end_word(&mut word, offset + started, offset + prose.len());
    }

    fn end_word(&mut self, word: &mut String, start: usize, end: usize) {
        if !word.is_empty() {
            let made = std::mem::take(word).replace('’', "'");
            self.push(Item::Word(made), start..end);
        }
    }

    fn add_formula(&mut self, latex: &str, start: usize, reader: &mut SltToOpt) {
        let (mut slt, mut opt) = (Slt::default(), Opt::default());
        from_latex(&latex::parse(latex).tree, &mut slt);
        reader.read(&slt, &mut opt);
        let number = self.formulas.len();
        let root = opt.root();
        self.formulas.push(Formula { latex: latex.to_owned(), opt, start });
        if let Some(root) = root {
            self.add_node(number, root, 0);
        }
    }

    fn place(&self, number: usize, node: OptId) -> Range<usize> {
        let formula = &self.formulas[number];
        let span = formula.opt.span(node);
        formula.start + span.start as usize..formula.start + span.end as usize
    }

    /// Adds the statements of a formula one by one, with the words between them.
    fn add_node(&mut self, number: usize, node: OptId, depth: usize) {
        let opt = &self.formulas[number].opt;
        let tag = opt.tag(node).to_owned();
        let kids: Vec<OptId> = opt.children(node).collect();
        let place = self.place(number, node);
        let states = |text: &Self, kid: OptId| {
            let tag = text.formulas[number].opt.tag(kid);
            is_relation(tag)
                || matches!(tag, "U!and" | "O!form-seq" | "O!mod" | "O!forall")
                || tag.starts_with("T!")
        };
        match (tag.as_str(), kids.as_slice()) {
            _ if depth > 8 => self.push(Item::Term(number, node), place),
            (_, [left, right]) if is_relation(&tag) => {
                let link = self.link(number, &tag, [*left, *right], None, (1, 0));
                self.push(Item::Link(link), place);
            }
            ("U!and", _) => {
                let links =
                    kids.iter().filter(|kid| is_relation(self.formulas[number].opt.tag(**kid))).count();
                if links == kids.len() {
                    self.add_chain(number, &kids, None);
                } else {
                    self.push(Item::Term(number, node), place);
                }
            }
            ("O!mod", [inner, modulus]) => {
                let inner_tag = self.formulas[number].opt.tag(*inner);
                let chain = match inner_tag {
                    "U!and" => self.formulas[number].opt.children(*inner).collect(),
                    tag if is_relation(tag) => vec![*inner],
                    _ => Vec::new(),
                };
                if chain.is_empty() {
                    self.push(Item::Word("mod".to_owned()), place.clone());
                    self.push(Item::Term(number, node), place);
                } else {
                    self.add_chain(number, &chain, Some(*modulus));
                }
            }
            ("O!forall", [bound, said]) => {
                for word in ["for", "all"] {
                    self.push(Item::Word(word.to_owned()), place.clone());
                }
                self.add_node(number, *bound, depth + 1);
                self.push(Item::Comma, place);
                self.add_node(number, *said, depth + 1);
            }
            ("O!form-seq", _) => self.add_all(number, &kids, depth),
            (list, _) if list.starts_with("M!L-") && kids.iter().any(|kid| states(self, *kid)) => {
                self.add_all(number, &kids, depth);
            }
            (text, _) if text.starts_with("T!") => self.add_prose(&text[2..], place.start),
            // An arrow or a sign that cannot be read as a statement hides the rest.
            ("W!", _) => {}
            _ => self.push(Item::Term(number, node), place),
        }
    }

    fn add_all(&mut self, number: usize, kids: &[OptId], depth: usize) {
        for (at, kid) in kids.iter().enumerate() {
            let place = self.place(number, *kid);
            let is_text = self.formulas[number].opt.tag(*kid).starts_with("T!");
            if at > 0 && !is_text {
                self.push(Item::Comma, place);
            }
            self.add_node(number, *kid, depth + 1);
        }
    }

    fn add_chain(&mut self, number: usize, links: &[OptId], modulus: Option<OptId>) {
        for (at, node) in links.iter().enumerate() {
            let opt = &self.formulas[number].opt;
            let tag = opt.tag(*node).to_owned();
            let kids: Vec<OptId> = opt.children(*node).collect();
            let place = self.place(number, *node);
            if let (true, [left, right]) = (is_relation(&tag), kids.as_slice()) {
                let link = self.link(number, &tag, [*left, *right], modulus, (links.len(), at));
                self.push(Item::Link(link), place);
            }
        }
    }

    fn link(
        &self,
        formula: usize,
        relation: &str,
        [left, right]: [OptId; 2],
        modulus: Option<OptId>,
        chain: (usize, usize),
    ) -> Link {
        Link { formula, relation: relation.to_owned(), left, right, modulus, chain }
    }
}

/// Whether a tag is that of a relation between two things.
pub(crate) fn is_relation(tag: &str) -> bool {
    matches!(
        tag,
        "U!eq"
            | "U!neq"
            | "O!lt"
            | "O!gt"
            | "O!leq"
            | "O!geq"
            | "U!approx"
            | "U!equivalent"
            | "O!divides"
            | "O!not-divides"
    ) || matches!(
        tag,
        "O!in" | "O!notin" | "O!assign" | "O!assigned-to" | "U!approximately-equals" | "U!similar-to"
    ) || matches!(
        tag,
        "U!similar-to-or-equals" | "U!asymptotically-equals" | "O!to" | "O!maps-to" | "U!leftrightarrow"
    ) || matches!(
        tag,
        "O!implies"
            | "O!iff"
            | "O!implied-by"
            | "U!not-equivalent-to"
            | "O!much-less-than"
            | "O!much-greater-than"
    )
}

/// The next sign that opens a formula.
fn next_fence(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'$' if bytes.get(at + 1) == Some(&b'$') => return Some((at, "$$")),
            b'$' => return Some((at, "$")),
            _ => at += 1,
        }
    }
    None
}

/// The end of a formula that was opened by such a fence.
fn find_fence(text: &str, from: usize, fence: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'$' if text[at..].starts_with(fence) => return Some(at),
            _ => at += 1,
        }
    }
    None
}
