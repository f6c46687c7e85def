//! Formulas like those that were typed, like one of the index, and around one of the index.

use super::{FormulaResults, FoundVisual, Places};
use crate::alike::Containment;
use crate::desk::Desk;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::FormulaHit;
use crate::meaning::failed;
use crate::people::highlight::Highlight;
use crate::people::{SearchOptions, Total, notes};
use crate::pipeline::{Asked, Completeness, Pipeline, Ranking};
use crate::query::Query;
use crate::restrict::{self, Restriction, Sign, may_hold};
use crate::system::{DEFAULT_SEARCH_FORMULAS, System};
use crate::typed::{Must, Typed};
use formula::matching::{Letters, Prepared};
use index::parts::Over;
use index::{Deadline, Document};
use latex::Mode;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use text::{FORMULA, Stemmer, StopWords};

/// So many formulas are found for each of the query.
const FOUND: usize = 200;
/// Of the posts that a formula stands in, so many are read where only their text can tell.
const READ: usize = 64;
/// Posts that are looked at between two looks at the clock.
const AT_ONCE: usize = 256;
/// Of those, the example is the best of so many.
const EXAMPLES: usize = 1_000;
/// So many formulas with the parts of another are looked at, to see if they hold it.
const HOLDERS: usize = 500;

/// A formula on its way to the results.
struct Candidate {
    /// The place of the formula of the query among those searched for.
    query: usize,
    hit: FormulaHit,
    similarity: f32,
}

/// Formulas that were compared with one of the query.
struct Compared {
    /// Best first.
    candidates: Vec<Candidate>,
    /// Whether these are all that there are.
    all: bool,
    completeness: Completeness,
}

/// What formulas are listed for.
#[derive(Clone, Copy)]
struct Listed<'l> {
    /// The formulas that were typed, with their places.
    formulas: &'l [(usize, String)],
    restrictions: &'l [Restriction],
    letters: Letters,
    options: &'l SearchOptions,
}

/// A formula that others are compared with.
struct Wanted {
    /// Its place among those typed.
    place: usize,
    prepared: Option<Prepared>,
    latex: String,
}

impl Engine {
    /// Searches for formulas like those that a person typed, by the system `search-formulas`. Filters, words
    /// and phrases with a sign restrict through the posts: a formula is given if one of the posts that it
    /// stands in passes. Formulas with a sign must be held by those that are given, or must not. Other words
    /// do not count, and a note says so.
    ///
    /// # Errors
    ///
    /// When the index lacks what the system needs, or cannot be read.
    pub fn search_formulas(&self, typed: &Typed, options: &SearchOptions) -> Result<FormulaResults, Error> {
        let start = Instant::now();
        let asked = Highlight::new(&Query::of_typed(typed), (Stemmer::None, StopWords::None));
        let mut notes = typed.notes.clone();
        if asked.formulas.is_empty() {
            notes.push(notes::about("there is no formula to look for: write one as in $x^2+1$", 0..0));
        } else if let Some(word) = typed.words.iter().find(|word| word.must == Must::Should) {
            notes.push(notes::about("formulas are listed: words do not count", word.span.clone()));
        }
        let results =
            FormulaResults { hits: Vec::new(), total: Total::Exactly(0), notes, elapsed: Duration::ZERO };
        let mut results = self.work(&options.deadline, |work| {
            let restrictions = restrict::read(self, typed, work)?;
            let listed = Listed {
                formulas: &asked.formulas,
                restrictions: &restrictions,
                letters: typed.letters(),
                options,
            };
            self.list_formulas(&listed, results, work)
        })?;
        results.elapsed = start.elapsed();
        Ok(results)
    }

    /// Finds formulas, and makes results of those that pass.
    fn list_formulas(
        &self,
        listed: &Listed<'_>,
        mut results: FormulaResults,
        work: &mut Work,
    ) -> Result<FormulaResults, Error> {
        let Listed { formulas, restrictions, letters, options } = *listed;
        let mut desk = Desk::new(self);
        let (mut candidates, mut wanted, mut all) = (Vec::new(), Vec::new(), true);
        let mut cut_short = false;
        for (query, (place, latex)) in formulas.iter().enumerate() {
            let found = self.compared(query, latex, &options.deadline)?;
            all &= found.all;
            cut_short |= found.completeness == Completeness::CutShort;
            candidates.extend(found.candidates);
            let prepared = desk.comparer.prepare(latex, Mode::Query);
            let prepared = prepared.map(|prepared| prepared.with_letters(letters));
            wanted.push(Wanted { place: *place, prepared, latex: latex.clone() });
        }
        best_first(&mut candidates);
        let (of_formulas, of_posts): (Vec<_>, Vec<_>) =
            restrictions.iter().partition(|restriction| restriction.of_formulas().is_some());
        let mut passed = 0;
        let enough = options.offset.saturating_add(options.limit);
        for candidate in &candidates {
            if restrictions.is_empty() && passed >= enough {
                passed = candidates.len();
                break;
            }
            if work.is_over() {
                break;
            }
            if !holds_as_asked(&mut desk, &of_formulas, self.formula_latex(&candidate.hit), work) {
                continue;
            }
            let places = Places::of(self, candidate.hit.visual_id, |_, _, _| {}, work);
            let passing = passing(&mut desk, &of_posts, &places, work)?;
            // What was not looked at to its end is not told.
            if work.is_over() {
                break;
            }
            let Some(passing) = passing else { continue };
            if passed >= options.offset && passed < enough {
                let wanted = &wanted[candidate.query];
                results.hits.push(found(&mut desk, wanted, candidate, (passed + 1, &places, &passing))?);
            }
            passed += 1;
            if passed > enough {
                break;
            }
        }
        cut_short |= work.is_cut_short();
        let counted = passed <= enough || restrictions.is_empty();
        let is_exact = all && counted && !cut_short;
        results.total = if is_exact { Total::Exactly(passed) } else { Total::AtLeast(passed) };
        if cut_short {
            results.notes.push(notes::about(notes::CUT_SHORT, 0..0));
        } else if results.hits.is_empty() && !formulas.is_empty() && options.limit > 0 {
            let message = match passed {
                0 => "no formula is like this".to_owned(),
                _ => format!("there are only {passed} formulas"),
            };
            results.notes.push(notes::about(&message, 0..0));
        }
        self.sound(results)
    }

    /// The formulas that are most like a formula, itself aside.
    ///
    /// # Errors
    ///
    /// When the index lacks what is needed, or cannot be read.
    pub fn similar_formulas(
        &self,
        visual_id: u64,
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Vec<FoundVisual>, Error> {
        let Some(latex) = self.latex_of(visual_id) else { return self.sound(Vec::new()) };
        let candidates: Vec<Candidate> = self
            .compared(0, latex, deadline)?
            .candidates
            .into_iter()
            .filter(|candidate| candidate.hit.visual_id != visual_id && candidate.similarity > 0.0)
            .collect();
        self.found_around(latex, &candidates, limit, deadline)
    }

    /// The models of formulas whose vectors the index has and which are at hand.
    #[must_use]
    pub fn formula_models(&self) -> Vec<String> {
        let parts = self.index().parts().iter().filter(|label| label.over == Over::Formulas);
        let models = parts.filter_map(|label| Some(dense::Settings::read(label)?.model));
        models.filter(|model| self.vectors(Over::Formulas, Some(model)).is_ok()).collect()
    }

    /// The formulas whose vectors by a model are nearest to that of a formula, with their cosines, nearest first.
    ///
    /// # Errors
    ///
    /// When the index has no such vectors, the model cannot be used, or the index cannot be read.
    pub fn nearest_formulas(
        &self,
        latex: &str,
        model: &str,
        depth: usize,
        deadline: &Deadline,
    ) -> Result<Vec<FormulaHit>, Error> {
        let (hits, _) = self.formulas_by(&by_vectors(model)?, latex, depth, deadline)?;
        Ok(hits)
    }

    /// The formulas whose vectors are nearest to that of a formula of the index, itself aside; none where the index
    /// has no vectors of formulas or the model fails. What a result says of alikeness is the cosine.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn similar_by_vectors(
        &self,
        visual_id: u64,
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Vec<FoundVisual>, Error> {
        let (Some(model), Some(latex)) = (self.formula_models().into_iter().next(), self.latex_of(visual_id))
        else {
            return self.sound(Vec::new());
        };
        let hits = match self.nearest_formulas(latex, &model, limit.saturating_add(1), deadline) {
            Err(Error::Model { .. }) => return self.sound(Vec::new()),
            hits => hits?,
        };
        let others = hits.into_iter().filter(|hit| hit.visual_id != visual_id);
        let candidate = |hit: FormulaHit| Candidate { query: 0, similarity: hit.score as f32, hit };
        let candidates: Vec<Candidate> = others.map(candidate).collect();
        self.found_around(latex, &candidates, limit, deadline)
    }

    /// Formulas of which a formula is a part, itself aside; the smallest first. Of a formula that very many
    /// hold, not all are looked at.
    ///
    /// # Errors
    ///
    /// When the index lacks what is needed, or cannot be read.
    pub fn containing_formulas(
        &self,
        visual_id: u64,
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Vec<FoundVisual>, Error> {
        let Some(latex) = self.latex_of(visual_id) else { return self.sound(Vec::new()) };
        let mut desk = Desk::new(self);
        let Some(wanted) = desk.comparer.prepare(latex, Mode::Document) else {
            return self.sound(Vec::new());
        };
        let mut holders = Vec::new();
        let (hits, _) = self.formulas_by(&BY_PARTS, latex, HOLDERS, deadline)?;
        for hit in hits {
            if deadline.is_over() {
                break;
            }
            let prepared = desk.comparer.prepare(self.formula_latex(&hit), Mode::Document);
            let Some(prepared) = prepared.filter(|prepared| prepared.nodes().len() > wanted.nodes().len())
            else {
                continue;
            };
            if hit.visual_id != visual_id && desk.comparer.holds(&wanted, &prepared) == Containment::Whole {
                let similarity = desk.comparer.similarity(&wanted, &prepared);
                holders.push((prepared.nodes().len(), Candidate { query: 0, hit, similarity }));
            }
        }
        holders.sort_by(|left, right| {
            let similarity = right.1.similarity.total_cmp(&left.1.similarity);
            left.0.cmp(&right.0).then(similarity).then(left.1.hit.visual_id.cmp(&right.1.hit.visual_id))
        });
        let holders: Vec<Candidate> = holders.into_iter().map(|(_, candidate)| candidate).collect();
        self.found_around(latex, &holders, limit, deadline)
    }

    /// The formulas that are found for one and compared with it, best first.
    fn compared(&self, query: usize, latex: &str, deadline: &Deadline) -> Result<Compared, Error> {
        let pipeline = Pipeline::named(DEFAULT_SEARCH_FORMULAS).expect("it comes with the program");
        let (hits, completeness) = self.formulas_by(&pipeline, latex, FOUND, deadline)?;
        let found = hits.len();
        let candidate = |hit: FormulaHit| Some(Candidate { query, hit, similarity: hit.similarity? });
        let candidates: Vec<Candidate> = hits.into_iter().filter_map(candidate).collect();
        let all = completeness == Completeness::Whole && found < FOUND && found == candidates.len();
        Ok(Compared { candidates, all, completeness })
    }

    /// The formulas that a pipeline finds.
    fn formulas_by(
        &self,
        pipeline: &Pipeline,
        latex: &str,
        depth: usize,
        deadline: &Deadline,
    ) -> Result<(Vec<FormulaHit>, Completeness), Error> {
        let outcome = self.run(pipeline, &Asked::formulas(latex).until(deadline), depth)?;
        match outcome.ranking {
            Ranking::Formulas(hits) => Ok((hits, outcome.completeness)),
            Ranking::Posts(_) => {
                let system = pipeline.name().to_owned();
                Err(Error::Other { system, returns: "posts", wanted: "formulas" })
            }
        }
    }

    /// The LaTeX by which a formula of the index is compared.
    fn latex_of(&self, visual_id: u64) -> Option<&str> {
        self.index.sources().iter().find_map(|source| {
            let doc = source.formulas.document(source.collection.find_visual(visual_id)?)?;
            Some(source.formulas.latex(doc))
        })
    }

    /// The first candidates that stand in a valid post, as results; fewer if there is no time.
    fn found_around(
        &self,
        latex: &str,
        candidates: &[Candidate],
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Vec<FoundVisual>, Error> {
        let mut desk = Desk::new(self);
        let prepared = desk.comparer.prepare(latex, Mode::Document);
        let wanted = Wanted { place: 0, prepared, latex: latex.to_owned() };
        self.work(deadline, |work| {
            let mut hits = Vec::new();
            for candidate in candidates {
                if hits.len() == limit {
                    break;
                }
                let places = Places::of(self, candidate.hit.visual_id, |_, _, _| {}, work);
                if work.is_over() {
                    break;
                }
                let Some(passing) = passing(&mut desk, &[], &places, work)? else { continue };
                hits.push(found(&mut desk, &wanted, candidate, (hits.len() + 1, &places, &passing))?);
            }
            self.sound(hits)
        })
    }
}

/// Finds what has the parts of a formula, whatever else it has; of those with the same, the shorter first.
static BY_PARTS: LazyLock<Arc<Pipeline>> = LazyLock::new(|| {
    let system = System::read(include_str!("holders.toml"), "holders").expect("it can be read");
    let pipeline = Pipeline::compile(system, &System::named, &BTreeMap::new());
    Arc::new(pipeline.expect("it is made of no others"))
});

/// Finds formulas by the vectors of a model alone.
fn by_vectors(model: &str) -> Result<Pipeline, Error> {
    let model = toml::Value::from(model);
    let text =
        format!("name = \"nearest\"\ntask = 2\nabout = \"By vectors.\"\n[formulas.dense]\nmodel = {model}\n");
    let system = System::read(&text, "nearest").map_err(failed)?;
    Pipeline::compile(system, &System::named, &BTreeMap::new()).map_err(failed)
}

/// Best first, each formula once.
fn best_first(candidates: &mut Vec<Candidate>) {
    // What is found for one formula of the query keeps its order.
    candidates.sort_by(|left, right| right.similarity.total_cmp(&left.similarity));
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| candidate.similarity > 0.0 && seen.insert(candidate.hit.visual_id));
}

/// Whether a formula holds what it must and does not hold what it must not.
fn holds_as_asked(desk: &mut Desk<'_>, restrictions: &[&Restriction], latex: &str, work: &mut Work) -> bool {
    if restrictions.is_empty() {
        return true;
    }
    let Some(prepared) = desk.comparer.prepare(latex, Mode::Document) else { return false };
    let asked = restrictions.iter().filter_map(|restriction| restriction.of_formulas());
    asked.into_iter().all(|(wanted, sign)| {
        !work.is_over() && may_hold(desk.comparer.holds(wanted, &prepared)) == (sign == Sign::Must)
    })
}

/// The posts that a formula stands in and that pass; none if there is none.
fn passing(
    desk: &mut Desk<'_>,
    restrictions: &[&Restriction],
    places: &Places,
    work: &mut Work,
) -> Result<Option<Vec<Document>>, Error> {
    let posts = places.posts.iter().map(|(document, _)| *document);
    let may = |document: &Document| {
        restrictions.iter().all(|restriction| restriction.may_pass(desk.engine, *document))
    };
    let in_time = |(number, _): &(usize, Document)| !number.is_multiple_of(AT_ONCE) || !work.is_over();
    let posts = posts.enumerate().take_while(in_time).map(|(_, document)| document);
    let mut posts: Vec<Document> = posts.filter(may).take(EXAMPLES).collect();
    if restrictions.iter().any(|restriction| restriction.needs_text()) {
        posts.truncate(READ);
        let mut passing = Vec::new();
        for document in posts {
            let mut passes = true;
            for restriction in restrictions {
                passes = passes && restriction.passes(desk, document, work)?;
            }
            if passes {
                passing.push(document);
            }
        }
        posts = passing;
    }
    Ok(Some(posts).filter(|posts| !posts.is_empty()))
}

/// A candidate with all that is shown of it.
fn found(
    desk: &mut Desk<'_>,
    wanted: &Wanted,
    candidate: &Candidate,
    (rank, places, passing): (usize, &Places, &[Document]),
) -> Result<FoundVisual, Error> {
    let engine = desk.engine;
    let latex = engine.formula_latex(&candidate.hit).to_owned();
    let (mut containment, mut spans) = (Containment::Part, Vec::new());
    let prepared = desk.comparer.prepare(&latex, Mode::Document);
    if let (Some(query), Some(prepared)) = (&wanted.prepared, &prepared) {
        containment = desk.comparer.holds(query, prepared);
        [_, spans] = desk.comparer.spans((query, &wanted.latex), (prepared, &latex));
    }
    let example = passing.iter().min_by_key(|document| (engine.by_votes(**document), **document));
    let example = match example {
        Some(document) => {
            let (source, post) = engine.index().post(*document);
            Some((source.collection.post_id(post).to_string(), title(desk, *document)?))
        }
        None => None,
    };
    Ok(FoundVisual {
        rank,
        query: wanted.place,
        visual_id: candidate.hit.visual_id,
        latex,
        similarity: candidate.similarity,
        containment,
        spans,
        posts: places.posts.len(),
        instances: places.instances(),
        example,
    })
}

/// The title of a post or of its question, in one line with LaTeX between dollars.
fn title(desk: &mut Desk<'_>, document: Document) -> Result<String, Error> {
    let mut post = desk.read(document)?;
    if let (true, Some(question)) = (post.title.is_empty(), desk.question(document)) {
        post = desk.read(question)?;
    }
    let mut title = String::new();
    for (number, piece) in post.title.split(FORMULA).enumerate() {
        if let Some(formula) = number.checked_sub(1) {
            title.push('$');
            title.push_str(post.formulas.get(formula).map_or("", String::as_str));
            title.push('$');
        }
        title.push_str(piece);
    }
    Ok(title.replace(char::is_control, " "))
}
