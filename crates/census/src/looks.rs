//! Where our key of a formula's look and the given visual ids disagree.
//!
//! Only forms with a given visual id are looked at.

use crate::forms::{forms_of, num_instances};
use crate::top::Top;
use std::cmp::Reverse;
use std::ops::Range;
use store::{Collection, Error, FormMarks, FormNo, Reader, VisualNo};

/// How many examples are kept.
const EXAMPLES: usize = 10;

/// Forms that are held in memory at once while keys are compared: about 32 MB a thread.
const AT_ONCE: u32 = 1 << 20;

/// What stands on one side and is apart on the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// Visual ids, or keys, whose forms are apart on the other side.
    pub groups: u64,
    /// Of these, groups in which forms that are apart have the same LaTeX, letter by letter.
    pub same_latex: u64,
    /// The forms in them.
    pub forms: u64,
    /// The formula instances in them.
    pub instances: u64,
    /// Those with the most instances.
    pub examples: Vec<Example>,
}

/// A group of forms that are apart on the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The formula instances in it.
    pub instances: u64,
    /// How many visual ids it has.
    pub num_visual_ids: usize,
    /// How many keys it has.
    pub num_keys: usize,
    /// The visual ids of the two forms below.
    pub visual_ids: (u64, u64),
    /// The LaTeX of two forms that are apart, each the one that occurs most.
    pub latex: (String, String),
}

/// Where keys and visual ids disagree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Forms with a given visual id.
    pub forms: u64,
    /// Distinct keys among them.
    pub keys: u64,
    /// Visual ids whose forms have several keys: alike for the source, different for us.
    pub split: Disagreement,
    /// Keys with several visual ids: alike for us, different for the source.
    pub joined: Disagreement,
}

/// One form: what it has on the side at hand, its number and how often it occurs.
type Item<K> = (K, FormNo, u64);

#[derive(Clone, Debug)]
struct Group {
    num_visual_ids: usize,
    num_keys: usize,
    forms: (FormNo, FormNo),
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.forms == other.forms
    }
}

impl Eq for Group {}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.forms.cmp(&other.forms)
    }
}

struct SideTally {
    counts: Disagreement,
    top: Top<Group>,
}

impl SideTally {
    fn new() -> Self {
        Self { counts: Disagreement::default(), top: Top::new(EXAMPLES) }
    }

    /// Counts a group whose items are sorted by what they have on the other side.
    fn add<K: PartialEq>(
        &mut self,
        reader: &mut Reader<'_>,
        items: &[Item<K>],
        sizes: impl Fn(usize) -> (usize, usize),
    ) -> Result<(), Error> {
        let parts: Vec<&[Item<K>]> = items.chunk_by(|a, b| a.0 == b.0).collect();
        if parts.len() < 2 {
            return Ok(());
        }
        let instances = items.iter().map(|item| item.2).sum();
        self.counts.groups += 1;
        self.counts.forms += items.len() as u64;
        self.counts.instances += instances;
        self.counts.same_latex += u64::from(shares_latex(reader, &parts)?);
        if self.top.wants(instances) {
            let mut most: Vec<(u64, Reverse<FormNo>)> = parts
                .iter()
                .filter_map(|part| part.iter().map(|(_, form, count)| (*count, Reverse(*form))).max())
                .collect();
            most.sort_unstable_by(|a, b| b.cmp(a));
            if let [(_, Reverse(first)), (_, Reverse(second)), ..] = most[..] {
                let (num_visual_ids, num_keys) = sizes(parts.len());
                let group = Group { num_visual_ids, num_keys, forms: (first, second) };
                self.top.add(instances, group);
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) {
        self.counts.groups += other.counts.groups;
        self.counts.same_latex += other.counts.same_latex;
        self.counts.forms += other.counts.forms;
        self.counts.instances += other.counts.instances;
        self.top.merge(other.top);
    }

    fn finish(self, reader: &mut Reader<'_>) -> Result<Disagreement, Error> {
        let collection = reader.collection();
        let mut counts = self.counts;
        for (instances, group) in self.top.into_items() {
            let visual_id = |form| collection.visual_id(collection.form_visual(form));
            let first = reader.latex(group.forms.0)?.to_owned();
            let second = reader.latex(group.forms.1)?.to_owned();
            counts.examples.push(Example {
                instances,
                num_visual_ids: group.num_visual_ids,
                num_keys: group.num_keys,
                visual_ids: (visual_id(group.forms.0), visual_id(group.forms.1)),
                latex: (first, second),
            });
        }
        Ok(counts)
    }
}

/// Whether two parts of a group have a form with the same LaTeX.
fn shares_latex<K>(reader: &mut Reader<'_>, parts: &[&[Item<K>]]) -> Result<bool, Error> {
    let mut texts: Vec<(String, usize)> = Vec::new();
    for (part, items) in parts.iter().enumerate() {
        for (_, form, _) in *items {
            texts.push((reader.latex(*form)?.to_owned(), part));
        }
    }
    texts.sort_unstable();
    Ok(texts.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1))
}

/// Compares keys and visual ids, a range of visual ids or a share of all keys at a time.
pub(crate) struct LookTally<'c> {
    reader: Reader<'c>,
    forms: u64,
    keys: u64,
    split: SideTally,
    joined: SideTally,
}

impl<'c> LookTally<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        let reader = collection.reader();
        Self { reader, forms: 0, keys: 0, split: SideTally::new(), joined: SideTally::new() }
    }

    pub(crate) fn look_at_visuals(&mut self, visuals: Range<u32>) -> Result<(), Error> {
        let collection = self.reader.collection();
        let mut items: Vec<Item<u128>> = Vec::new();
        for visual in visuals.map(VisualNo) {
            items.clear();
            let forms = forms_of(collection, visual).filter(|form| is_given(collection, *form));
            items
                .extend(forms.map(|form| (collection.form_key(form), form, num_instances(collection, form))));
            self.forms += items.len() as u64;
            items.sort_unstable();
            self.split.add(&mut self.reader, &items, |keys| (1, keys))?;
        }
        Ok(())
    }

    /// How many shares the keys are taken in, so that one fits in memory.
    pub(crate) fn shares(collection: &Collection) -> u32 {
        collection.num_forms().div_ceil(AT_ONCE)
    }

    pub(crate) fn look_at_keys(&mut self, share: u32, shares: u32) -> Result<(), Error> {
        let collection = self.reader.collection();
        let mut rows: Vec<(u128, VisualNo, FormNo)> = Vec::new();
        for form in collection.forms() {
            let key = collection.form_key(form);
            if key % u128::from(shares) == u128::from(share) && is_given(collection, form) {
                rows.push((key, collection.form_visual(form), form));
            }
        }
        rows.sort_unstable();
        let mut items: Vec<Item<VisualNo>> = Vec::new();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            self.keys += 1;
            if group.len() < 2 {
                continue;
            }
            items.clear();
            items.extend(
                group.iter().map(|(_, visual, form)| (*visual, *form, num_instances(collection, *form))),
            );
            self.joined.add(&mut self.reader, &items, |visuals| (visuals, 1))?;
        }
        Ok(())
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.forms += other.forms;
        self.keys += other.keys;
        self.split.merge(other.split);
        self.joined.merge(other.joined);
    }

    pub(crate) fn finish(mut self) -> Result<Looks, Error> {
        let split = self.split.finish(&mut self.reader)?;
        let joined = self.joined.finish(&mut self.reader)?;
        Ok(Looks { forms: self.forms, keys: self.keys, split, joined })
    }
}

fn is_given(collection: &Collection, form: FormNo) -> bool {
    !collection.form_marks(form).has(FormMarks::OUR_VISUAL_ID)
}
