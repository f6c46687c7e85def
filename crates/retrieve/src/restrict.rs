//! What results must and must not be: filters, words, phrases and formulas with a sign.
//!
//! What the index can tell is asked of every post; what only its text can tell, of those that are ranked first.

mod bits;
mod documents;
mod held;

use crate::desk::{Desk, Label};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::sources::terms::answers;
use crate::typed::{Bounds, Day, Filter, Must, PostIs, Typed};
pub(crate) use held::may_hold;

use documents::Documents;
use formula::matching::Prepared;
use held::Held;
use index::{Document, Part};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use store::{Date, PostKind};
use text::{FORMULA, Kind, Tokenizer};

/// The milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Something that results must or must not be.
pub(crate) struct Restriction {
    pub(crate) span: Range<usize>,
    sign: Sign,
    test: Test,
}

/// Whether something must or must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Must,
    MustNot,
}

/// What is asked of a post.
enum Test {
    Is(PostIs),
    Score(Bounds<i64>),
    Date(Bounds<i64>),
    Answers(Bounds<i64>),
    Tag {
        tag: String,
        may: Documents,
    },
    /// For each collection the ids of those who are called so.
    User(Vec<HashSet<String>>),
    Word(Documents),
    Phrase {
        tokens: Vec<Token>,
        may: Documents,
    },
    Formula(Box<Held>),
}

/// What can be told without reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    Yes,
    No,
    /// Only the text can tell.
    Unknown,
}

impl From<bool> for Passing {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Whether an answer was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// By the person who asked.
    Accepted,
    /// By nobody, or it is no answer.
    Plain,
}

/// Whether the person who asked accepted an answer.
pub(crate) fn standing(engine: &Engine, document: Document) -> Standing {
    let index = engine.index();
    let parent = index.segments()[document.segment].posts.parent(document.doc);
    let Some(parent) = parent else { return Standing::Plain };
    let (their, question) = index.post(Document { doc: parent, ..document });
    let (ours, answer) = index.post(document);
    let accepted = their.collection.post_facts(question).accepted.is_some_and(|accepted| {
        their.collection.post_id(accepted).to_string() == ours.collection.post_id(answer).to_string()
    });
    if accepted { Standing::Accepted } else { Standing::Plain }
}

const WORDS: [Part; 3] = [Part::Title, Part::Body, Part::Tags];

/// Reads what results must and must not be.
pub(crate) fn read(engine: &Engine, typed: &Typed, work: &mut Work) -> Result<Vec<Restriction>, Error> {
    let mut all = Vec::new();
    let sign = |must: Must| match must {
        Must::Should => None,
        Must::Must => Some(Sign::Must),
        Must::MustNot => Some(Sign::MustNot),
    };
    let names = typed.filters.iter().filter_map(|filter| match &filter.filter {
        Filter::User(name) => Some(name.as_str()),
        _ => None,
    });
    let users = users(engine, names, work)?;
    for filter in &typed.filters {
        let test = match &filter.filter {
            Filter::Is(what) => Test::Is(*what),
            Filter::Score(bounds) => Test::Score(*bounds),
            Filter::Answers(bounds) => Test::Answers(*bounds),
            Filter::Date(bounds) => Test::Date(Bounds {
                from: bounds.from.and_then(begin),
                to: bounds.to.and_then(begin).map(|begin| begin + (DAY - 1)),
            }),
            Filter::Tag(tag) => {
                let may = Documents::with_words(engine, terms(tag), &[Part::Tags], work)?;
                Test::Tag { tag: tag.clone(), may }
            }
            Filter::Letters(_) => continue,
            Filter::User(name) => Test::User(users.get(name.as_str()).cloned().unwrap_or_default()),
        };
        let sign = sign(filter.must).unwrap_or(Sign::Must);
        all.push(Restriction { span: filter.span.clone(), sign, test });
    }
    for word in &typed.words {
        let Some(sign) = sign(word.must) else { continue };
        let terms = terms(&word.text);
        if !terms.is_empty() {
            let test = Test::Word(Documents::with_words(engine, terms, &WORDS, work)?);
            all.push(Restriction { span: word.span.clone(), sign, test });
        }
    }
    for phrase in &typed.phrases {
        // Quotation marks alone say that the words must stand together.
        let sign = sign(phrase.must).unwrap_or(Sign::Must);
        let tokens = tokens(&phrase.text);
        let words = tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word.clone()),
            Token::Formula => None,
        });
        let may = Documents::with_words(engine, words, &WORDS, work)?;
        if !tokens.is_empty() {
            all.push(Restriction { span: phrase.span.clone(), sign, test: Test::Phrase { tokens, may } });
        }
    }
    let mut desk = Desk::new(engine);
    for formula in &typed.formulas {
        // A formula in a phrase has the sign of the phrase, which is asked for as a whole.
        let in_phrase =
            |span: &Range<usize>| span.start <= formula.span.start && formula.span.end <= span.end;
        let Some(sign) = sign(formula.must) else { continue };
        if typed.phrases.iter().any(|phrase| in_phrase(&phrase.span)) {
            continue;
        }
        if let Some(held) = Held::read(&mut desk, &formula.latex, typed.letters(), work) {
            all.push(Restriction { span: formula.span.clone(), sign, test: Test::Formula(Box::new(held)) });
        }
    }
    Ok(all)
}

/// When a day begins.
fn begin(Day { year, month, day }: Day) -> Option<i64> {
    Date::parse(&format!("{year:04}-{month:02}-{day:02}")).map(|date| date.0)
}

/// The ids of those who have one of these names or numbers: by names, and for each collection.
fn users<'n>(
    engine: &Engine,
    names: impl Iterator<Item = &'n str>,
    work: &mut Work,
) -> Result<BTreeMap<&'n str, Vec<HashSet<String>>>, Error> {
    let folded = |text: &str| {
        let mut folded = String::new();
        text::fold(text.trim(), &mut folded);
        folded
    };
    let mut all: BTreeMap<&str, Vec<HashSet<String>>> = names.map(|name| (name, Vec::new())).collect();
    if all.is_empty() {
        return Ok(all);
    }
    for source in engine.index().sources() {
        let mut wanted: BTreeMap<String, HashSet<String>> = BTreeMap::new();
        for name in all.keys() {
            wanted.entry(folded(name)).or_default();
        }
        work.each(source.collection.users()?, |(id, shown)| {
            if let Some(called) = wanted.get_mut(&folded(&shown)) {
                called.insert(id);
            }
        })?;
        for (name, called) in &mut all {
            let mut ids = wanted.get(&folded(name)).cloned().unwrap_or_default();
            ids.insert((*name).to_owned());
            called.push(ids);
        }
    }
    Ok(all)
}

impl Restriction {
    /// Whether a post may pass, as far as the index can tell.
    pub(crate) fn may_pass(&self, engine: &Engine, document: Document) -> bool {
        match self.test.ask(engine, document) {
            Passing::Unknown => true,
            verdict => (verdict == Passing::Yes) == (self.sign == Sign::Must),
        }
    }

    /// The formula that others must or must not hold, if that is asked.
    pub(crate) fn of_formulas(&self) -> Option<(&Prepared, Sign)> {
        match &self.test {
            Test::Formula(held) => Some((held.wanted(), self.sign)),
            _ => None,
        }
    }

    /// Whether posts have to be read, or their formulas compared, to tell.
    pub(crate) fn needs_text(&self) -> bool {
        match &self.test {
            Test::Tag { .. } | Test::User(_) | Test::Phrase { .. } => true,
            Test::Formula(held) => !held.is_settled(),
            Test::Is(_) | Test::Score(_) | Test::Date(_) | Test::Answers(_) | Test::Word(_) => false,
        }
    }

    /// Whether a post passes; its text is read if need be. Without time to find out, it does not.
    pub(crate) fn passes(
        &self,
        desk: &mut Desk<'_>,
        document: Document,
        work: &mut Work,
    ) -> Result<bool, Error> {
        let yes = match self.test.ask(desk.engine, document) {
            Passing::Yes => true,
            Passing::No => false,
            Passing::Unknown if work.is_over() => return Ok(false),
            Passing::Unknown => self.test.look(desk, document, work)?,
        };
        if work.is_cut_short() {
            return Ok(false);
        }
        Ok(yes == (self.sign == Sign::Must))
    }
}

impl Test {
    /// What the index can tell.
    fn ask(&self, engine: &Engine, document: Document) -> Passing {
        let index = engine.index();
        let facts = || {
            let (source, post) = index.post(document);
            source.collection.post_facts(post)
        };
        match self {
            Self::Is(PostIs::Question) => (facts().kind == PostKind::Question).into(),
            Self::Is(PostIs::Answer) => (facts().kind == PostKind::Answer).into(),
            Self::Is(PostIs::Accepted) => (standing(engine, document) == Standing::Accepted).into(),
            Self::Score(bounds) => {
                facts().score.is_some_and(|score| bounds.contains(i64::from(score))).into()
            }
            Self::Date(bounds) => facts().date.is_some_and(|date| bounds.contains(date.0)).into(),
            Self::Answers(bounds) => {
                let parent = index.segments()[document.segment].posts.parent(document.doc);
                let question = Document { doc: parent.unwrap_or(document.doc), ..document };
                // What is no question has no number of answers; a thread of many is counted to its end.
                let segment = &index.segments()[document.segment];
                let (source, post) = index.post(question);
                let is_question = source.collection.post_facts(post).kind == PostKind::Question;
                let count = || {
                    answers(&segment.posts, question.doc).filter(|answer| segment.is_live(*answer)).count()
                };
                (is_question && bounds.contains(i64::try_from(count()).unwrap_or(i64::MAX))).into()
            }
            Self::Word(documents) => documents.contains(document).into(),
            Self::Tag { may, .. } | Self::Phrase { may, .. } => {
                if may.contains(document) {
                    Passing::Unknown
                } else {
                    Passing::No
                }
            }
            Self::User(_) => Passing::Unknown,
            Self::Formula(held) => held.ask(document),
        }
    }

    /// What the text tells.
    fn look(&self, desk: &mut Desk<'_>, document: Document, work: &mut Work) -> Result<bool, Error> {
        Ok(match self {
            Self::Tag { tag, .. } => {
                let has = |label: &Label| label.tags.iter().any(|known| known.to_lowercase() == *tag);
                // An answer has the tags of its question.
                match desk.question(document) {
                    Some(question) if has(&*desk.label(question)?) => true,
                    _ => has(&*desk.label(document)?),
                }
            }
            Self::Phrase { tokens: wanted, .. } => {
                let has = |text: &str| tokens(text).windows(wanted.len()).any(|window| window == wanted);
                let post = desk.words(document)?;
                let found = has(&post.title) || has(&post.body);
                found
                    || match desk.question(document) {
                        Some(question) => has(&desk.words(question)?.title),
                        None => false,
                    }
            }
            Self::User(ids) => {
                let number = desk.engine.index().post(document).0.number;
                let sources = desk.engine.index().sources();
                let source = sources.iter().position(|source| source.number == number);
                let ids = source.and_then(|source| ids.get(source));
                desk.label(document)?.owner.as_ref().zip(ids).is_some_and(|(owner, ids)| ids.contains(owner))
            }
            Self::Formula(held) => held.look(desk, document, work),
            Self::Is(_) | Self::Score(_) | Self::Date(_) | Self::Answers(_) | Self::Word(_) => {
                self.ask(desk.engine, document) == Passing::Yes
            }
        })
    }
}

/// A word or a formula of a text, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Formula,
}

/// The words and formulas of a text; compounds are left out, since their parts are there.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokenizer = Tokenizer::default();
    let mut tokens = Vec::new();
    for (number, piece) in text.split(FORMULA).enumerate() {
        if number > 0 {
            tokens.push(Token::Formula);
        }
        tokenizer.tokenize(piece, |word| {
            if word.kind != Kind::Compound {
                tokens.push(Token::Word(word.term.to_owned()));
            }
        });
    }
    tokens
}

/// The folded words of a text, compounds included, each once.
pub(crate) fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    Tokenizer::default().tokenize(text, |word| {
        terms.insert(word.term.to_owned());
    });
    terms
}
