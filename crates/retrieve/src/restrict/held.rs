//! Formulas that posts must or must not hold.
//!
//! The index tells which formulas have the symbols of the wanted one ([`Parts::needed`]), and only those are
//! compared with it, each once for a query however many posts have it.
//! If comparing all of them is cheap, that is done first, and the posts are known before anything is ranked.
//! Otherwise the formulas of posts are compared as the posts are ranked, for as long as there is time.
//!
//! A formula that exhausts the comparison counts as one that holds the wanted one, all of whose symbols it has:
//! `+$…$` keeps its posts and `-$…$` drops them. So a required formula does not hide a post that probably has it,
//! and an excluded one does not show up.
//!
//! [`Parts::needed`]: formula::matching::Parts::needed

use super::Passing;
use super::bits::{Bits, each_in};
use super::documents::Documents;
use crate::alike::{Comparer, Containment};
use crate::desk::Desk;
use crate::engine::{Engine, Work};
use formula::matching::node::MAX_NODES;
use formula::matching::{Letters, Prepared};
use index::postings::List;
use index::{Document, FeatureKind, Source};
use latex::Mode;
use std::cell::RefCell;
use std::collections::HashMap;
use store::FormulaNo;

/// What may be done before anything is ranked.
#[derive(Clone, Copy)]
struct Budget {
    /// The most pairs of nodes that are compared.
    pairs: usize,
    /// The most places in posts that are looked up.
    places: usize,
}

/// About a hundredth of a second.
const CHEAP: Budget = Budget { pairs: 500_000, places: 50_000 };
/// Reading a formula costs as much as comparing each of its symbols with this many others.
const READING: usize = 30;
/// So few candidates are not worth telling apart by further symbols.
const FEW: usize = 32;
/// The size that stands for this and anything larger.
const LARGE: u8 = u8::MAX;

/// A formula that is asked for with a sign.
pub(super) struct Held {
    wanted: Prepared,
    /// The formulas that may hold it, for each collection; none where the index cannot tell.
    may: Vec<Option<Bits>>,
    /// The posts that have one of these.
    posts: Posts,
    /// What comparisons told, by the place of the collection and the formula.
    known: RefCell<HashMap<(usize, u32), Containment>>,
}

/// What is known of posts before they are looked at.
enum Posts {
    /// Nothing.
    Unknown,
    /// All others do not hold it.
    May(Documents),
    /// These do, and no others.
    Hold(Documents),
}

impl Held {
    /// Makes a formula ready, and asks the index about it. None if it is too long to be compared.
    pub(super) fn read(desk: &mut Desk<'_>, latex: &str, letters: Letters, work: &mut Work) -> Option<Self> {
        Self::read_within(CHEAP, desk, (latex, letters), work)
    }

    fn read_within(
        budget: Budget,
        desk: &mut Desk<'_>,
        (latex, letters): (&str, Letters),
        work: &mut Work,
    ) -> Option<Self> {
        let wanted = desk.comparer.prepare(latex, Mode::Query)?.with_letters(letters);
        let needed = desk.comparer.needed_parts(latex, letters);
        let engine = desk.engine;
        let sources = engine.index().sources().iter();
        let may: Vec<_> = sources.map(|source| having(source, &needed, work)).collect();
        let known = RefCell::default();
        let mut held = Self { wanted, may, posts: Posts::Unknown, known };
        if held.costs_at_most(budget.pairs, engine) {
            held.posts = held.settle(budget, desk, work);
        } else if let Some(posts) = held.posts(budget, engine, |_, _| true, work) {
            held.posts = Posts::May(posts);
        }
        Some(held)
    }

    /// The formula.
    pub(super) fn wanted(&self) -> &Prepared {
        &self.wanted
    }

    /// Whether it is known which posts hold it.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.posts, Posts::Hold(_))
    }

    /// What can be told without comparing anything.
    pub(super) fn ask(&self, document: Document) -> Passing {
        match &self.posts {
            Posts::Unknown => Passing::Unknown,
            Posts::May(posts) if posts.contains(document) => Passing::Unknown,
            Posts::May(_) => Passing::No,
            Posts::Hold(posts) => posts.contains(document).into(),
        }
    }

    /// Whether a post holds it. Without time to find out, it does not.
    pub(super) fn look(&self, desk: &mut Desk<'_>, document: Document, work: &mut Work) -> bool {
        let engine = desk.engine;
        let (source, post) = engine.index().post(document);
        let number = source.number;
        let Some(place) = engine.index().sources().iter().position(|source| source.number == number) else {
            return false;
        };
        let collection = &source.collection;
        collection.formulas_of_post(post).any(|formula| {
            let visual = collection.form_visual(collection.formula_form(FormulaNo(formula)));
            let doc = source.formulas.document(visual);
            doc.is_some_and(|doc| self.holds(&mut desk.comparer, engine, (place, doc), work))
        })
    }

    /// Whether a formula of a collection holds it.
    fn holds(
        &self,
        comparer: &mut Comparer,
        engine: &Engine,
        (place, doc): (usize, u32),
        work: &mut Work,
    ) -> bool {
        if self.may[place].as_ref().is_some_and(|may| !may.contains(doc)) {
            return false;
        }
        if let Some(known) = self.known.borrow().get(&(place, doc)) {
            return may_hold(*known);
        }
        if work.is_over() {
            return false;
        }
        let latex = engine.index().sources()[place].formulas.latex(doc);
        let candidate = comparer.prepare(latex, Mode::Document);
        let containment =
            candidate.map_or(Containment::Part, |candidate| comparer.holds(&self.wanted, &candidate));
        self.known.borrow_mut().insert((place, doc), containment);
        may_hold(containment)
    }

    /// Whether comparing all candidates stays within a number of pairs of nodes. It does not if the index
    /// cannot tell which they are.
    fn costs_at_most(&self, most: usize, engine: &Engine) -> bool {
        let mut cost = 0;
        for (source, may) in engine.index().sources().iter().zip(&self.may) {
            let Some(may) = may else { return false };
            let sizes = source.formulas.sizes();
            for doc in may.iter() {
                let size = sizes.get(doc as usize).copied().unwrap_or(LARGE);
                cost += usize::from(size) * (READING + self.wanted.nodes().len());
                if cost > most {
                    return false;
                }
            }
        }
        true
    }

    /// Compares all candidates, and finds the posts of those that hold it.
    fn settle(&self, budget: Budget, desk: &mut Desk<'_>, work: &mut Work) -> Posts {
        let (engine, comparer) = (desk.engine, &mut desk.comparer);
        for (place, may) in self.may.iter().enumerate() {
            for doc in may.iter().flat_map(Bits::iter) {
                self.holds(comparer, engine, (place, doc), work);
            }
        }
        let hold = |place, doc| self.known.borrow().get(&(place, doc)).copied().is_some_and(may_hold);
        match self.posts(budget, engine, hold, work) {
            Some(posts) if !work.is_cut_short() => Posts::Hold(posts),
            _ => Posts::Unknown,
        }
    }

    /// The posts of the candidates that are wanted; none if those are in too many places, or unknown.
    fn posts(
        &self,
        budget: Budget,
        engine: &Engine,
        is_wanted: impl Fn(usize, u32) -> bool,
        work: &mut Work,
    ) -> Option<Documents> {
        let mut documents = Documents::none(engine);
        let mut places = 0;
        for (place, source) in engine.index().sources().iter().enumerate() {
            let collection = &source.collection;
            for doc in self.may[place].as_ref()?.iter().filter(|doc| is_wanted(place, *doc)) {
                if work.is_over() {
                    return None;
                }
                let forms = collection.forms_of_visual(source.formulas.visual(doc));
                for formula in forms.flat_map(|form| collection.formulas_of_form(form)) {
                    places += 1;
                    if places > budget.places {
                        return None;
                    }
                    if collection.formula_comment(formula).is_none()
                        && let Some(post) = collection.formula_post(formula)
                        && let Some(document) = engine.index().document(place, post)
                    {
                        documents.insert(document);
                    }
                }
            }
        }
        Some(documents)
    }
}

/// Whether a formula counts as one that holds another.
pub(crate) fn may_hold(containment: Containment) -> bool {
    matches!(containment, Containment::Whole | Containment::Undecided)
}

/// The formulas of a collection that have at least one part of each group, and those of which not all parts are
/// indexed. None if there are no groups or no parts in the index, or no time.
fn having(source: &Source, groups: &[Vec<u64>], work: &mut Work) -> Option<Bits> {
    let formulas = &source.formulas;
    let postings = formulas.postings(FeatureKind::Parts)?;
    let lists = |group: &Vec<u64>| group.iter().filter_map(|part| postings.find(*part)).collect();
    let mut groups: Vec<Vec<List<'_>>> = groups.iter().map(lists).collect();
    groups.sort_by_key(|lists| lists.iter().map(|list| u64::from(list.len())).sum::<u64>());
    // The smallest formulas come first, and only large ones are cut.
    let large = formulas.sizes().partition_point(|size| *size < LARGE);
    let lengths = (large as u32..).zip(formulas.lengths_from(FeatureKind::Parts, large));
    let cut: Vec<u32> =
        lengths.filter(|(_, length)| usize::from(*length) >= MAX_NODES).map(|(doc, _)| doc).collect();
    let mut all: Option<Bits> = None;
    for lists in groups {
        if all.as_ref().is_some_and(|all| all.len() <= FEW + cut.len()) {
            break;
        }
        let mut having = Bits::none(formulas.documents());
        cut.iter().for_each(|doc| having.insert(*doc));
        for list in lists {
            each_in(list, work, |doc| having.insert(doc)).ok()?;
        }
        if let Some(all) = &all {
            having.keep(all);
        }
        all = Some(having);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::{Deadline, Index, Options, Unwatched};
    use std::sync::atomic::AtomicU64;
    use testkit::TempDir;

    /// A formula a post, in several notations and fonts.
    const FORMULAS: [&str; 20] = [
        r"x^2+1",
        r"\frac{x^2+1}{2}",
        r"\mathbf{x}^2",
        r"f''(x)",
        r"\int dx",
        r"\int x^2\,dx",
        r"e^{x}",
        r"\exp x",
        r"\sqrt{x}",
        r"x^{1/2}",
        r"\sum_{n\ge 0} a_n",
        r"\sum_{n=0}^\infty a_n",
        r"\ln x",
        r"\log(x)+y",
        r"a>b",
        r"b<a",
        r"12",
        r"\sin^2 x+\cos^2 x=1",
        r"\binom{n}{k}",
        r"C(n,k)",
    ];

    fn engine(folder: &TempDir) -> Engine {
        engine_of(folder, &FORMULAS)
    }

    /// An index of posts with a formula each.
    fn engine_of(folder: &TempDir, formulas: &[&str]) -> Engine {
        let mut posts = String::new();
        for (id, latex) in formulas.iter().enumerate() {
            let latex = latex.replace('\\', "\\\\");
            posts.push_str(&format!(
                "{{\"kind\":\"question\",\"id\":{id},\"title\":\"T\",\"body\":\"${latex}$\"}}\n"
            ));
        }
        let source = folder.write("posts.jsonl", posts);
        let collection = folder.path().join("posts.coll");
        let plan = ingest::Plan::of(&source).unwrap();
        let done = AtomicU64::new(0);
        ingest::build(&plan, &collection, ingest::Strictness::Lenient, &done, &mut ingest::Unwatched)
            .unwrap();
        let kinds = vec![FeatureKind::Parts];
        let options = Options { formula_features: kinds.clone(), post_features: kinds };
        let target = folder.path().join("index");
        index::build(&collection, &target, &options, &Unwatched).unwrap();
        Engine::new(Index::open(&target).unwrap())
    }

    /// The posts that hold a formula, by plans that may do so much beforehand.
    fn holders(engine: &Engine, query: (&str, Letters), budget: Budget) -> Vec<usize> {
        let mut desk = Desk::new(engine);
        let found = engine.work(&Deadline::never(), |work| {
            let held = Held::read_within(budget, &mut desk, query, work).unwrap();
            let mut holders = Vec::new();
            for id in 0..FORMULAS.len() {
                let document = engine.index().find(&id.to_string()).unwrap();
                let holds = match held.ask(document) {
                    Passing::Yes => true,
                    Passing::No => false,
                    Passing::Unknown => held.look(&mut desk, document, work),
                };
                if holds {
                    holders.push(id);
                }
            }
            Ok(holders)
        });
        found.unwrap()
    }

    #[test]
    fn every_plan_finds_what_comparing_everything_finds() {
        let folder = TempDir::new("held");
        let engine = engine(&folder);
        let mut comparer = Comparer::default();
        let plenty = Budget { pairs: usize::MAX, places: usize::MAX };
        let no_pairs = Budget { pairs: 0, ..plenty };
        let nothing = Budget { pairs: 0, places: 0 };
        let queries = FORMULAS.iter().copied().chain(["x", "1", "?a^2", "?", "x+?y", r"\int ?f", "dx", "q"]);
        let (mut found, mut renamed) = (0, 0);
        for (latex, letters) in queries.flat_map(|latex| [(latex, Letters::Same), (latex, Letters::Any)]) {
            let query = comparer.prepare(latex, Mode::Query).unwrap().with_letters(letters);
            let holds = |id: &usize| {
                let candidate = comparer.prepare(FORMULAS[*id], Mode::Document).unwrap();
                comparer.holds(&query, &candidate) == Containment::Whole
            };
            let expected: Vec<usize> = (0..FORMULAS.len()).filter(holds).collect();
            *(if letters == Letters::Same { &mut found } else { &mut renamed }) += expected.len();
            for budget in [plenty, no_pairs, nothing] {
                assert_eq!(holders(&engine, (latex, letters), budget), expected, "{latex} {letters:?}");
            }
        }
        // Most formulas hold more than themselves.
        assert!(found > FORMULAS.len() + 10, "{found}");
        assert!(renamed > found + 10, "{renamed} {found}");
    }

    /// A comparison that gives up counts as one that found the formula.
    #[test]
    fn what_is_not_decided_counts_as_held() {
        // Every product of the query fits every product of the candidate, and z fits none of its operands.
        let query = (0..8).map(|number| format!("?{number}x_{{?}}")).collect::<Vec<_>>().join("+") + "+z";
        let hard =
            (0..30).map(|number| format!("a_{{{number}}}x_{{{number}}}")).collect::<Vec<_>>().join("+");
        let hard = hard + "+z^2";
        let folder = TempDir::new("held-undecided");
        let engine = engine_of(&folder, &[&hard, "x_1+z"]);
        let mut comparer = Comparer::default();
        let wanted = comparer.prepare(&query, Mode::Query).unwrap();
        let candidate = comparer.prepare(&hard, Mode::Document).unwrap();
        assert_eq!(comparer.holds(&wanted, &candidate), Containment::Undecided);
        let plenty = Budget { pairs: usize::MAX, places: usize::MAX };
        for budget in [plenty, Budget { pairs: 0, ..plenty }, Budget { pairs: 0, places: 0 }] {
            let mut desk = Desk::new(&engine);
            engine
                .work(&Deadline::never(), |work| {
                    let held = Held::read_within(budget, &mut desk, (&query, Letters::Same), work).unwrap();
                    let mut holds = |id: &str| {
                        let document = engine.index().find(id).unwrap();
                        match held.ask(document) {
                            Passing::Yes => true,
                            Passing::No => false,
                            Passing::Unknown => held.look(&mut desk, document, work),
                        }
                    };
                    assert_eq!((holds("0"), holds("1")), (true, false));
                    Ok(())
                })
                .unwrap();
        }
    }

    #[test]
    fn a_formula_is_compared_once_and_only_if_it_has_the_symbols() {
        let folder = TempDir::new("held-once");
        let engine = engine(&folder);
        let mut desk = Desk::new(&engine);
        engine
            .work(&Deadline::never(), |work| {
                let held = Held::read(&mut desk, "x^2", Letters::Same, work).unwrap();
                assert!(held.is_settled());
                let compared = held.known.borrow().len();
                assert!((3..FORMULAS.len() / 2).contains(&compared), "{compared}");
                Ok(())
            })
            .unwrap();
    }

    #[test]
    fn without_time_nothing_is_compared() {
        let folder = TempDir::new("held-late");
        let engine = engine(&folder);
        let mut desk = Desk::new(&engine);
        let (deadline, cancel) = Deadline::never().with_cancel();
        cancel.cancel();
        engine
            .work(&deadline, |work| {
                let held = Held::read(&mut desk, "x^2", Letters::Same, work).unwrap();
                assert!(!held.is_settled());
                let document = engine.index().find("0").unwrap();
                assert!(!held.look(&mut desk, document, work));
                assert!(held.known.borrow().is_empty());
                assert!(work.is_cut_short());
                Ok(())
            })
            .unwrap();
    }
}
