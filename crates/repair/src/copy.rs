//! A collection written anew, with what was found mended.

use crate::{Change, ChangeKind, Counter, Counts, Found, Relevance, RepairError, Tell, find};
use markup::{Cleaner, Display, Dollars, Markup};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use store::{
    About, Claim, Collection, CollectionWriter, DirtNote, FormMarks, FormNo, FormulaMarks, FormulaNo, Id,
    IdKind, NewComment, NewForm, NewFormula, NewLink, NewPost, Part, Reader,
};

/// Writes a repaired copy of a collection to a path, which may be its own. Relevance decides between
/// looks of a visual id that have as many formulas.
///
/// # Errors
///
/// When the collection is damaged, the copy cannot be written, or a change
/// cannot be passed on; then nothing has changed at the path.
pub fn repair(
    collection: &Collection,
    target: &Path,
    relevance: &Relevance,
    tell: &mut Tell<'_>,
) -> Result<(Counts, About), RepairError> {
    let mut counter = Counter { tell, counts: Counts::new() };
    let found = find(collection, relevance, &mut counter)?;
    let about = collection.about();
    let mut copy = Copy {
        collection,
        reader: collection.reader(),
        writer: CollectionWriter::create(target, about.into())?,
        found: &found,
        counter: &mut counter,
        wrapper: Wrapper::new(collection),
        new_forms: HashMap::new(),
    };
    copy.forms()?;
    copy.posts()?;
    copy.comments()?;
    copy.rest()?;
    let mut writer = copy.writer;
    writer.look_at_forms(post::looker)?;
    for form in collection.forms() {
        let kept = collection.form_marks(form).0 & FormMarks::OUR_VISUAL_ID;
        writer.mark_form(form, FormMarks(kept | found.faults[form.index()].marks()));
    }
    let mut about = about.clone();
    for kind in ChangeKind::ALL {
        let count = counter.counts.get(&kind).copied().unwrap_or_default();
        if count > 0 {
            let note = DirtNote { kind: kind.name().to_owned(), action: "mended".to_owned(), count };
            about.repairs.push(note);
        }
    }
    let about = writer.finish(about)?;
    Ok((counter.counts, about))
}

/// Tells all formulas that have no span.
pub(crate) fn find_bare(collection: &Collection, counter: &mut Counter<'_, '_>) -> Result<(), RepairError> {
    let mut reader = collection.reader();
    let mut wrapper = Wrapper::new(collection);
    for post in collection.posts() {
        let post = reader.post(post)?;
        let about = format!("post {}", post.id);
        for text in post.title.iter().chain([&post.body]) {
            wrapper.wrap(text, &about, counter)?;
        }
    }
    for comment in collection.comments() {
        let comment = reader.comment(comment)?;
        wrapper.wrap(&comment.text, &format!("comment {}", comment.id), counter)?;
    }
    Ok(())
}

/// Finds formulas that have no span, in collections whose formulas have some.
struct Wrapper {
    cleaner: Cleaner,
    wanted: bool,
    highest: u64,
}

/// A text with its formulas in their order: those it had, by number, and new ones.
struct Wrapped {
    html: String,
    formulas: Vec<Slot>,
}

enum Slot {
    Old(usize),
    New { latex: String, display: Display },
}

impl Wrapper {
    fn new(collection: &Collection) -> Self {
        // Ids of ours go on from the highest there is, and never meet those of tables.
        let last = collection.formulas_by_id().next_back().map(|formula| collection.formula_id(formula));
        let highest = match last {
            Some(Id::Number(number)) => number.max(1_000_000_000),
            _ => 1_000_000_000,
        };
        Self { cleaner: Cleaner::new(), wanted: collection.about().source == "arqmath", highest }
    }

    fn next_id(&mut self) -> u64 {
        self.highest += 1;
        self.highest
    }

    /// `None`: nothing in this text has to be wrapped.
    fn wrap(
        &mut self,
        html: &str,
        about: &str,
        counter: &mut Counter<'_, '_>,
    ) -> Result<Option<Wrapped>, RepairError> {
        if !self.wanted || !html.contains(['$', '\\']) {
            return Ok(None);
        }
        // Formulas that are there become spans whose ids lead back to them.
        let spanned = markup::expand(html, |k, out| {
            out.push_str(&format!("<span class=\"math-container\" id=\"{k}\">\\(x{k}\\)</span>"));
        });
        let cleaned = self.cleaner.clean(&spanned, Markup::Html, Dollars::Math);
        // What seems to be a formula around one that is there is none.
        let kept = cleaned.formulas.iter().filter(|formula| formula.id.is_some()).count();
        if kept == cleaned.formulas.len() || kept != markup::markers(html) {
            return Ok(None);
        }
        let mut formulas = Vec::with_capacity(cleaned.formulas.len());
        for formula in cleaned.formulas {
            formulas.push(match formula.id.and_then(|id| id.parse().ok()) {
                Some(number) => Slot::Old(number),
                None => {
                    counter.add(&Change {
                        kind: ChangeKind::Wrapped,
                        about: about.to_owned(),
                        before: String::new(),
                        after: formula.latex.clone(),
                    })?;
                    Slot::New { latex: formula.latex, display: formula.display }
                }
            });
        }
        Ok(Some(Wrapped { html: cleaned.html, formulas }))
    }
}

/// A formula of the copy.
struct Ready<'c> {
    id: Id<'c>,
    form: FormNo,
    marks: FormulaMarks,
    old: Option<FormulaNo>,
}

struct Copy<'c, 'r, 't, 't2, 'f> {
    collection: &'c Collection,
    reader: Reader<'c>,
    writer: CollectionWriter,
    found: &'f Found,
    counter: &'r mut Counter<'t, 't2>,
    wrapper: Wrapper,
    new_forms: HashMap<String, FormNo>,
}

impl<'c> Copy<'c, '_, '_, '_, '_> {
    /// Forms keep their numbers.
    fn forms(&mut self) -> Result<(), RepairError> {
        for form in self.collection.forms() {
            let faults = self.found.faults[form.index()];
            let latex = self.reader.latex(form)?.to_owned();
            let presentation = self.reader.presentation(form)?.to_owned();
            let content = self.reader.content(form)?;
            let given =
                |text, fault: Option<_>| Some(text).filter(|text: &&str| !text.is_empty() && fault.is_none());
            let visual = self.found.visuals[form.index()];
            let old = self.collection.visual_id(self.collection.form_visual(form));
            let old_visual = if old == visual { self.collection.form_old_visual(form) } else { Some(old) };
            self.writer.add_form(&NewForm {
                latex: &latex,
                presentation: given(&presentation, faults.presentation),
                content: given(content, faults.content),
                visual: Some(visual),
                old_visual,
            })?;
        }
        Ok(())
    }

    fn posts(&mut self) -> Result<(), RepairError> {
        for number in self.collection.posts() {
            let post = self.reader.post(number)?;
            let about = format!("post {}", post.id);
            let formulas = self.collection.formulas_of_post(number);
            let in_title = post.title.as_deref().map_or(0, markup::markers);
            let split = formulas.start + u32::try_from(in_title).unwrap_or(u32::MAX);
            let mut ready = Vec::new();
            let title = post.title.as_deref();
            let title =
                title.map(|title| self.text(title, Part::Title, formulas.start..split, &about, &mut ready));
            let title = title.transpose()?;
            let body = self.text(&post.body, Part::Body, split..formulas.end, &about, &mut ready)?;
            self.claims(Part::Body, &ready)?;
            let new = NewPost { title: title.as_deref(), body: &body, ..NewPost::from(&post) };
            self.writer.add_post(&new, &as_new(&ready))?;
        }
        for number in self.collection.posts() {
            let facts = self.collection.post_facts(number);
            if let Some(parent) = facts.parent {
                self.writer.set_parent(number, parent);
            }
            if let Some(accepted) = facts.accepted {
                self.writer.set_accepted(number, accepted);
            }
        }
        Ok(())
    }

    fn comments(&mut self) -> Result<(), RepairError> {
        for number in self.collection.comments() {
            let comment = self.reader.comment(number)?;
            let about = format!("comment {}", comment.id);
            let mut ready = Vec::new();
            let formulas = self.collection.formulas_of_comment(number);
            let text = self.text(&comment.text, Part::Comment, formulas, &about, &mut ready)?;
            self.claims(Part::Comment, &ready)?;
            let new = NewComment { text: &text, ..NewComment::from(&comment) };
            self.writer.add_comment(&new, &as_new(&ready))?;
        }
        Ok(())
    }

    /// Links, users, and formulas that stand nowhere.
    fn rest(&mut self) -> Result<(), RepairError> {
        let kind = self.collection.about().post_ids.into();
        for link in self.collection.links() {
            let link = self.reader.link(link)?;
            if let Some((from, to)) = Id::parse(&link.from, kind).zip(Id::parse(&link.to, kind)) {
                self.writer.add_link(&NewLink { from, to, kind: link.kind, date: link.date })?;
            }
        }
        for (id, name) in self.collection.users()? {
            self.writer.add_user(&id, &name)?;
        }
        for formula in self.collection.formulas() {
            if self.collection.formula_marks(formula).part() != Part::Nowhere {
                continue;
            }
            let ready = self.old(formula);
            let stray = self.reader.stray(formula)?;
            let claim = stray.as_ref().map_or_else(Claim::default, Claim::from);
            let new = NewFormula { id: ready.id, form: ready.form, marks: ready.marks };
            self.writer.add_nowhere(&new, claim)?;
        }
        Ok(())
    }

    /// Where tables have formulas that are about to be added elsewhere.
    fn claims(&mut self, part: Part, ready: &[Ready<'c>]) -> Result<(), RepairError> {
        for (ahead, formula) in (0_u32..).zip(ready) {
            let Some(old) = formula.old.filter(|_| formula.marks.has(FormulaMarks::ELSEWHERE)) else {
                continue;
            };
            if let Some(stray) = self.reader.stray(old)? {
                self.writer.claim_elsewhere(part, ahead, Claim::from(&stray))?;
            }
        }
        Ok(())
    }

    /// A formula that is there, with the marks it gets.
    fn old(&self, formula: FormulaNo) -> Ready<'c> {
        let form = self.collection.formula_form(formula);
        let mut marks = self.collection.formula_marks(formula);
        if self.found.visuals[form.index()] != self.collection.visual_id(self.collection.form_visual(form)) {
            marks = marks.with(FormulaMarks::NEW_VISUAL_ID);
        }
        Ready { id: self.collection.formula_id(formula), form, marks, old: Some(formula) }
    }

    /// Copies a text and its formulas, with those that had no span.
    fn text(
        &mut self,
        html: &str,
        part: Part,
        formulas: Range<u32>,
        about: &str,
        ready: &mut Vec<Ready<'c>>,
    ) -> Result<String, RepairError> {
        let numbers = self.collection.about().formula_ids == IdKind::Numbers.into();
        let wrapped = if numbers { self.wrapper.wrap(html, about, self.counter)? } else { None };
        let Some(Wrapped { html, formulas: slots }) = wrapped else {
            ready.extend(formulas.map(|formula| self.old(FormulaNo(formula))));
            return Ok(html.to_owned());
        };
        for slot in slots {
            ready.push(match slot {
                Slot::Old(number) => {
                    self.old(FormulaNo(formulas.start + u32::try_from(number).unwrap_or(u32::MAX)))
                }
                Slot::New { latex, display } => {
                    let form = match self.new_forms.get(&latex) {
                        Some(form) => *form,
                        None => {
                            let form =
                                self.writer.add_form(&NewForm { latex: &latex, ..NewForm::default() })?;
                            self.new_forms.insert(latex, form);
                            form
                        }
                    };
                    let block = if display == Display::Block { FormulaMarks::BLOCK } else { 0 };
                    let bits = FormulaMarks::OUR_ID | FormulaMarks::WRAPPED | block;
                    let id = Id::Number(self.wrapper.next_id());
                    Ready { id, form, marks: FormulaMarks::new(part, bits), old: None }
                }
            });
        }
        Ok(html)
    }
}

fn as_new<'r>(ready: &'r [Ready<'_>]) -> Vec<NewFormula<'r>> {
    ready.iter().map(|ready| NewFormula { id: ready.id, form: ready.form, marks: ready.marks }).collect()
}
