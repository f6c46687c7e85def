//! Forms and visual ids: how large formulas are, of which kinds, and how often each occurs.

use crate::histogram::Histogram;
use crate::shape::{FormulaKind, Shape};
use crate::top::Top;
use formula::FormulaParser;
use latex::Mode;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use store::{Collection, Error, FormMarks, FormNo, PostNo, Reader, VisualNo};

/// How many of the most frequent formulas are kept.
pub(crate) const MOST_FREQUENT: usize = 10;

/// A count of forms and of the formula instances that are written so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// Distinct forms.
    pub forms: u64,
    /// Formula instances.
    pub instances: u64,
}

impl Both {
    fn add(&mut self, instances: u64) {
        self.forms += 1;
        self.instances += instances;
    }

    fn merge(&mut self, other: Self) {
        self.forms += other.forms;
        self.instances += other.instances;
    }
}

/// The sizes of formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// See [`Shape::symbols`].
    pub symbols: Histogram,
    /// See [`Shape::depth`].
    pub depth: Histogram,
    /// See [`Shape::nesting`].
    pub nesting: Histogram,
}

impl Sizes {
    fn add(&mut self, shape: &Shape, times: u64) {
        self.symbols.add_times(shape.symbols.into(), times);
        self.depth.add_times(shape.depth.into(), times);
        self.nesting.add_times(shape.nesting.into(), times);
    }

    fn merge(&mut self, other: &Self) {
        self.symbols.merge(&other.symbols);
        self.depth.merge(&other.depth);
        self.nesting.merge(&other.nesting);
    }
}

/// What was counted in forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// All of them.
    pub all: Both,
    /// Sizes, each form once.
    pub sizes: Sizes,
    /// Sizes, each form as often as it occurs.
    pub instance_sizes: Sizes,
    /// Forms by kind, in the order of [`FormulaKind::ALL`].
    pub kinds: [Both; FormulaKind::ALL.len()],
    /// How often each form occurs.
    pub frequency: Histogram,
    /// A part of the LaTeX could not be read.
    pub unreadable: Both,
    /// Without a LaTeX text.
    pub without_latex: Both,
    /// Without given Presentation MathML.
    pub without_presentation: Both,
    /// Without given Content MathML.
    pub without_content: Both,
    /// The given Presentation MathML is wrong.
    pub foreign_presentation: Both,
    /// The given Content MathML is wrong.
    pub foreign_content: Both,
    /// The visual id is ours.
    pub our_visual_id: Both,
    /// What the reader of LaTeX remarks, by kind of remark: one form may have several.
    pub remarks: BTreeMap<&'static str, Both>,
}

/// Counts forms; keeps its memory between them.
pub(crate) struct FormTally<'c> {
    pub(crate) forms: Forms,
    reader: Reader<'c>,
    parser: FormulaParser,
    remarks: Vec<&'static str>,
}

impl<'c> FormTally<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        Self {
            forms: Forms::default(),
            reader: collection.reader(),
            parser: FormulaParser::default(),
            remarks: Vec::new(),
        }
    }

    pub(crate) fn look(&mut self, forms: Range<u32>) -> Result<(), Error> {
        forms.map(FormNo).try_for_each(|form| self.look_at(form))
    }

    fn look_at(&mut self, form: FormNo) -> Result<(), Error> {
        let collection = self.reader.collection();
        let instances = num_instances(collection, form);
        let forms = &mut self.forms;
        forms.all.add(instances);
        forms.frequency.add(i64::try_from(instances).unwrap_or(i64::MAX));

        let text = self.reader.latex(form)?;
        if text.trim().is_empty() {
            forms.without_latex.add(instances);
        }
        let parsed = self.parser.parse_latex(text, Mode::Document);
        let diagnostics = parsed.layout().map(|parse| parse.diagnostics.iter()).into_iter().flatten();
        self.remarks.clear();
        self.remarks.extend(diagnostics.map(|diagnostic| diagnostic.kind.name()));
        self.remarks.sort_unstable();
        self.remarks.dedup();
        for remark in &self.remarks {
            forms.remarks.entry(remark).or_default().add(instances);
        }
        let shape = Shape::of(parsed.slt());
        forms.sizes.add(&shape, 1);
        forms.instance_sizes.add(&shape, instances);
        forms.kinds[shape.kind as usize].add(instances);

        let marks = collection.form_marks(form);
        for (bit, both) in [
            (FormMarks::UNREADABLE, &mut forms.unreadable),
            (FormMarks::FOREIGN_PRESENTATION, &mut forms.foreign_presentation),
            (FormMarks::FOREIGN_CONTENT, &mut forms.foreign_content),
            (FormMarks::OUR_VISUAL_ID, &mut forms.our_visual_id),
        ] {
            if marks.has(bit) {
                both.add(instances);
            }
        }
        if self.reader.presentation(form)?.is_empty() {
            self.forms.without_presentation.add(instances);
        }
        if self.reader.content(form)?.is_empty() {
            self.forms.without_content.add(instances);
        }
        Ok(())
    }
}

impl Forms {
    pub(crate) fn merge(&mut self, other: Self) {
        self.all.merge(other.all);
        self.sizes.merge(&other.sizes);
        self.instance_sizes.merge(&other.instance_sizes);
        for (ours, theirs) in self.kinds.iter_mut().zip(other.kinds) {
            ours.merge(theirs);
        }
        self.frequency.merge(&other.frequency);
        self.unreadable.merge(other.unreadable);
        self.without_latex.merge(other.without_latex);
        self.without_presentation.merge(other.without_presentation);
        self.without_content.merge(other.without_content);
        self.foreign_presentation.merge(other.foreign_presentation);
        self.foreign_content.merge(other.foreign_content);
        self.our_visual_id.merge(other.our_visual_id);
        for (remark, both) in other.remarks {
            self.remarks.entry(remark).or_default().merge(both);
        }
    }
}

/// A formula that occurs often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequent {
    /// How often.
    pub instances: u64,
    /// Its visual id.
    pub visual_id: u64,
    /// The LaTeX of the form that occurs most.
    pub latex: String,
}

/// What was counted in visual ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visuals {
    /// How often each occurs.
    pub frequency: Histogram,
    /// How many forms each has.
    pub forms: Histogram,
    /// Those that occur in a post, not in comments or tables only.
    pub in_posts: u64,
    /// The most frequent ones.
    pub most_frequent: Vec<Frequent>,
}

pub(crate) struct VisualTally {
    visuals: Visuals,
    top: Top<VisualNo>,
}

impl VisualTally {
    pub(crate) fn new() -> Self {
        Self { visuals: Visuals::default(), top: Top::new(MOST_FREQUENT) }
    }

    pub(crate) fn look(&mut self, collection: &Collection, visuals: Range<u32>) {
        let last_post = collection.num_posts().checked_sub(1).map(PostNo);
        let posts_end = last_post.map_or(0, |post| collection.formulas_of_post(post).end);
        for visual in visuals.map(VisualNo) {
            let (mut forms, mut instances, mut in_posts) = (0, 0, false);
            for form in forms_of(collection, visual) {
                forms += 1;
                instances += num_instances(collection, form);
                // The places of a form stand in the order of the collection, posts first.
                in_posts |= collection.formulas_of_form(form).next().is_some_and(|first| first.0 < posts_end);
            }
            self.visuals.forms.add(forms);
            self.visuals.frequency.add(i64::try_from(instances).unwrap_or(i64::MAX));
            self.visuals.in_posts += u64::from(in_posts);
            if self.top.wants(instances) {
                self.top.add(instances, visual);
            }
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.visuals.frequency.merge(&other.visuals.frequency);
        self.visuals.forms.merge(&other.visuals.forms);
        self.visuals.in_posts += other.visuals.in_posts;
        self.top.merge(other.top);
    }

    pub(crate) fn finish(self, reader: &mut Reader<'_>) -> Result<Visuals, Error> {
        let collection = reader.collection();
        let mut visuals = self.visuals;
        for (instances, visual) in self.top.into_items() {
            let forms = forms_of(collection, visual);
            let most = forms.max_by_key(|form| (num_instances(collection, *form), Reverse(form.0)));
            let latex = most.map_or(Ok(""), |form| reader.latex(form))?.to_owned();
            visuals.most_frequent.push(Frequent {
                instances,
                visual_id: collection.visual_id(visual),
                latex,
            });
        }
        Ok(visuals)
    }
}

/// The forms of a visual id; damaged numbers are passed over.
pub(crate) fn forms_of(collection: &Collection, visual: VisualNo) -> impl Iterator<Item = FormNo> {
    let count = collection.num_forms();
    collection.forms_of_visual(visual).filter(move |form| form.0 < count)
}

/// How often a form occurs. Its places lie one after the other, so they need not be counted one by one.
pub(crate) fn num_instances(collection: &Collection, form: FormNo) -> u64 {
    let places = collection.formulas_of_form(form);
    match places.size_hint() {
        (low, Some(high)) if low == high => low as u64,
        _ => places.count() as u64,
    }
}
