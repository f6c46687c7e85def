//! The last step of writing: what belongs together is joined, and the file becomes visible.

use super::{CollectionWriter, Comments, Forms, Formulas, IdSpool, Posts};
use crate::NO_NUMBER;
use crate::about::{About, Counts};
use crate::block::BlockWriter;
use crate::error::Error;
use crate::ids::IdKind;
use crate::marks::{FormMarks, Part};
use crate::section::{FORMAT, Section};
use crate::spool::{Spool, Workshop};
use frame::{Entry, FrameWriter};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

impl CollectionWriter {
    /// Writes the collection and makes it visible under its path.
    ///
    /// Forms must have been looked at. A form without a visual id gets that of
    /// the first form that has one and looks the same, else a new one above all
    /// that were given, in the order of forms.
    ///
    /// # Errors
    ///
    /// When something cannot be written; then nothing has changed at the path.
    pub fn finish(self, mut about: About) -> Result<About, Error> {
        let Self { path, workshop, mut counts, posts, comments, links, link_ends, users, .. } = self;
        let (user_ids, formulas, forms) = (self.user_ids, self.formulas, self.forms);
        assert_eq!(forms.looks.len(), forms.latex.records() as usize, "forms are looked at before the end");
        let mut file = Assembler::create(&workshop)?;
        about.post_ids = posts.index.kind().into();
        about.comment_ids = comments.index.kind().into();
        about.formula_ids = formulas.kind.into();
        let num_posts = posts.kinds.len();
        posts.write(&mut file)?;
        comments.write(&mut file, num_posts)?;
        file.blocks(Section::Links, Section::LinkBlocks, links)?;
        let links = (0_u32..).zip(&link_ends).flat_map(|(link, &(from, to))| {
            let other = (to != from).then_some((to, link));
            std::iter::once((from, link)).chain(other)
        });
        file.groups(Section::PostLinkEnds, Section::PostLinks, num_posts, || links.clone())?;
        file.blocks(Section::Users, Section::UserBlocks, users)?;
        let mut by_id: Vec<u32> = (0..counts.users).collect();
        by_id.sort_unstable_by_key(|user| &user_ids[*user as usize]);
        file.numbers(Section::UsersById, &by_id)?;
        let form_of_formula = formulas.write(&mut file, &mut counts)?;
        forms.write(&mut file, form_of_formula, &mut counts)?;
        about.counts = counts;
        let json = serde_json::to_vec(&about).expect("plain values always serialise");
        file.bytes(Section::About, json.iter().map(|byte| [*byte]))?;
        file.publish(&path)?;
        drop(workshop);
        Ok(about)
    }
}

impl Posts {
    fn write(self, file: &mut Assembler) -> Result<(), Error> {
        let sections = (Section::PostIds, Section::PostIdEnds, Section::PostsById);
        file.ids(vec![self.ids], self.index.kind(), sections)?;
        file.bytes(Section::PostKinds, self.kinds.iter().map(|kind| [*kind as u8]))?;
        file.numbers(Section::PostParents, &self.parents)?;
        file.numbers(Section::PostAccepted, &self.accepted)?;
        file.spool(Section::PostScores, self.scores)?;
        file.spool(Section::PostDates, self.dates)?;
        file.spool(Section::PostFormulas, self.formulas)?;
        file.blocks(Section::PostTexts, Section::PostTextBlocks, self.texts)?;
        let answers = (0_u32..).zip(&self.parents).map(|(post, &parent)| (parent, post));
        file.groups(Section::AnswerEnds, Section::Answers, self.kinds.len(), || answers.clone())
    }
}

impl Comments {
    fn write(self, file: &mut Assembler, num_posts: usize) -> Result<(), Error> {
        let sections = (Section::CommentIds, Section::CommentIdEnds, Section::CommentsById);
        file.ids(vec![self.ids], self.index.kind(), sections)?;
        file.numbers(Section::CommentPosts, &self.posts)?;
        file.spool(Section::CommentScores, self.scores)?;
        file.spool(Section::CommentDates, self.dates)?;
        file.spool(Section::CommentFormulas, self.formulas)?;
        file.blocks(Section::CommentTexts, Section::CommentTextBlocks, self.texts)?;
        let comments = (0_u32..).zip(&self.posts).map(|(comment, &post)| (post, comment));
        file.groups(Section::PostCommentEnds, Section::PostComments, num_posts, || comments.clone())
    }
}

impl Formulas {
    /// Writes those of posts, of comments, and those that stand nowhere; where the form of each was written is given.
    fn write(self, file: &mut Assembler, counts: &mut Counts) -> Result<Entry, Error> {
        let (in_posts, in_comments) = (self.in_posts.count, self.in_comments.count);
        let total = [in_posts, in_comments, self.nowhere.count];
        let total = total.into_iter().try_fold(0_u32, u32::checked_add).filter(|total| *total < NO_NUMBER);
        counts.formulas = total.ok_or(Error::TooMany("formulas"))?;
        let (mut ids, mut forms, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        for part in [self.in_posts, self.in_comments, self.nowhere] {
            ids.push(part.ids);
            forms.push(part.forms);
            marks.push(part.marks);
        }
        let sections = (Section::FormulaIds, Section::FormulaIdEnds, Section::FormulasById);
        counts.formula_ids = file.ids(ids, self.kind, sections)?;
        let forms = file.spools(Section::FormulaForms, forms)?;
        file.spools(Section::FormulaMarks, marks)?;
        let mut claims: Vec<(u32, u32)> = (0_u32..)
            .zip(&self.claims)
            .map(|(record, &(part, number))| match part {
                Part::Comment => (number + in_posts, record),
                Part::Nowhere => (number + in_posts + in_comments, record),
                Part::Title | Part::Body => (number, record),
            })
            .collect();
        claims.sort_unstable();
        file.bytes(
            Section::StrayFormulas,
            claims.iter().map(|(formula, record)| {
                let mut row = [0; 8];
                row[..4].copy_from_slice(&formula.to_le_bytes());
                row[4..].copy_from_slice(&record.to_le_bytes());
                row
            }),
        )?;
        file.blocks(Section::StrayPlaces, Section::StrayPlaceBlocks, self.claim_texts)?;
        Ok(forms)
    }
}

impl Forms {
    /// Writes forms and what they look like; `of_formulas` is where the form of each formula was written.
    fn write(mut self, file: &mut Assembler, of_formulas: Entry, counts: &mut Counts) -> Result<(), Error> {
        let given = self.given.read()?;
        let given = |form: usize, old: usize| {
            let at = form * 16 + old * 8;
            let id = u64::from_le_bytes(given[at..at + 8].try_into().expect("eight bytes"));
            (id != u64::MAX).then_some(id)
        };
        let Visuals { ids: visuals, of_forms } = visuals(&mut self.looks, |form| given(form, 0));
        let num_forms = self.looks.len();
        counts.forms = self.latex.records();
        counts.visuals = u32::try_from(visuals.len()).expect("no more visual ids than forms");
        let mut listed = vec![false; visuals.len()];
        for form in (0..num_forms).filter(|form| self.listed_in_posts.get(*form) == Some(&true)) {
            if given(form, 0).is_some() {
                listed[of_forms[form] as usize] = true;
            }
        }
        let listed = listed.into_iter().filter(|listed| *listed).count();
        counts.listed_visuals_in_posts = u32::try_from(listed).expect("no more than there are");
        file.numbers(Section::FormVisuals, &of_forms)?;
        if (0..num_forms).any(|form| given(form, 1).is_some()) {
            let old = (0..num_forms).map(|form| given(form, 1).unwrap_or(u64::MAX).to_le_bytes());
            file.bytes(Section::FormOldVisuals, old)?;
        }
        file.bytes(Section::FormMarks, self.looks.iter().map(|look| [look.marks.0]))?;
        file.bytes(Section::FormKeys, self.looks.iter().map(|look| look.key.to_le_bytes()))?;
        file.blocks(Section::FormLatex, Section::FormLatexBlocks, self.latex)?;
        file.blocks(Section::FormPresentation, Section::FormPresentationBlocks, self.presentation)?;
        file.blocks(Section::FormContent, Section::FormContentBlocks, self.content)?;
        drop(self.looks);
        let forms_of = file.read(of_formulas)?;
        let forms_of = forms_of
            .chunks_exact(4)
            .map(|form| u32::from_le_bytes(form.try_into().expect("four bytes")))
            .zip(0_u32..);
        file.groups(Section::FormFormulaEnds, Section::FormFormulas, num_forms, || forms_of.clone())?;
        file.bytes(Section::VisualIds, visuals.iter().map(|id| id.to_le_bytes()))?;
        let mut by_id: Vec<u32> = (0..counts.visuals).collect();
        by_id.sort_unstable_by_key(|visual| visuals[*visual as usize]);
        file.numbers(Section::VisualsById, &by_id)?;
        let forms = of_forms.iter().copied().zip(0_u32..);
        file.groups(Section::VisualFormEnds, Section::VisualForms, visuals.len(), || forms.clone())
    }
}

struct Visuals {
    ids: Vec<u64>,
    of_forms: Vec<u32>,
}

/// Gives each form a visual id: its own, or by its look.
fn visuals(looks: &mut [crate::FormLook], given: impl Fn(usize) -> Option<u64>) -> Visuals {
    let mut numbers: Map<u64, u32> = Map::default();
    let mut ids = Vec::new();
    let mut of_forms = vec![NO_NUMBER; looks.len()];
    let mut highest = 0;
    // Only looks of forms without an id are worth remembering.
    let mut by_look: Map<u128, Option<u32>> =
        (0..looks.len()).filter(|form| given(*form).is_none()).map(|form| (looks[form].key, None)).collect();
    for form in 0..looks.len() {
        let Some(id) = given(form) else { continue };
        highest = highest.max(id);
        let number = *numbers.entry(id).or_insert_with(|| {
            ids.push(id);
            u32::try_from(ids.len() - 1).expect("no more visual ids than forms")
        });
        of_forms[form] = number;
        if let Some(known @ None) = by_look.get_mut(&looks[form].key) {
            *known = Some(number);
        }
    }
    for (form, look) in looks.iter_mut().enumerate() {
        if of_forms[form] != NO_NUMBER {
            continue;
        }
        look.marks = FormMarks(look.marks.0 | FormMarks::OUR_VISUAL_ID);
        let number = by_look.get_mut(&look.key).expect("looks of forms without an id are remembered");
        of_forms[form] = *number.get_or_insert_with(|| {
            highest += 1;
            ids.push(highest);
            u32::try_from(ids.len() - 1).expect("no more visual ids than forms")
        });
    }
    Visuals { ids, of_forms }
}

/// The file as it is put together.
struct Assembler(FrameWriter);

impl Assembler {
    fn create(workshop: &Workshop) -> Result<Self, Error> {
        Ok(Self(FrameWriter::create(&workshop.path("whole"), FORMAT)?))
    }

    fn bytes<const N: usize>(
        &mut self,
        section: Section,
        items: impl Iterator<Item = [u8; N]>,
    ) -> Result<(), Error> {
        Ok(self.0.items(section.name(), items)?)
    }

    fn numbers(&mut self, section: Section, numbers: &[u32]) -> Result<(), Error> {
        Ok(self.0.numbers(section.name(), numbers)?)
    }

    fn spool(&mut self, section: Section, spool: Spool) -> Result<(), Error> {
        self.spools(section, vec![spool]).map(|_| ())
    }

    fn spools(&mut self, section: Section, spools: Vec<Spool>) -> Result<Entry, Error> {
        let paths: Vec<PathBuf> = spools.into_iter().map(Spool::close).collect::<Result<_, _>>()?;
        Ok(self.0.files(section.name(), &paths)?)
    }

    fn blocks(&mut self, data: Section, table: Section, blocks: BlockWriter) -> Result<(), Error> {
        let (data_spool, table_spool) = blocks.finish()?;
        self.spool(data, data_spool)?;
        self.spool(table, table_spool)
    }

    /// What a section holds that was written before.
    fn read(&mut self, entry: Entry) -> Result<Written, Error> {
        self.0.flush()?;
        Ok(Written { map: frame::map(self.0.path())?, entry })
    }

    /// Writes ids, and their order unless they came in order; says how many differ.
    fn ids(
        &mut self,
        spools: Vec<IdSpool>,
        kind: IdKind,
        (ids, ends, by_id): (Section, Section, Section),
    ) -> Result<u32, Error> {
        let mut in_order = true;
        let mut last = None;
        let (mut id_spools, mut end_paths, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for mut spool in spools {
            let first = spool.ids.read()?.first_chunk().map(|first| u64::from_le_bytes(*first));
            in_order &= spool.ascending && (first.is_none() || last <= first);
            last = spool.last.or(last);
            lengths.push(spool.ids.len());
            id_spools.push(spool.ids);
            end_paths.push(spool.ends.close()?);
        }
        let entry = self.spools(ids, id_spools)?;
        let written = self.read(entry)?;
        let mut distinct = 0;
        match kind {
            IdKind::Numbers => {
                let id = |number: u32| {
                    let at = number as usize * 8;
                    u64::from_le_bytes(written[at..at + 8].try_into().expect("eight bytes"))
                };
                let count = u32::try_from(written.len() / 8).map_err(|_| Error::TooMany("ids"))?;
                let mut before = None;
                let mut count_one = |number: u32| {
                    let id = id(number);
                    distinct += u32::from(before != Some(id));
                    before = Some(id);
                };
                if in_order {
                    (0..count).for_each(&mut count_one);
                } else {
                    let mut order: Vec<u32> = (0..count).collect();
                    order.sort_unstable_by_key(|number| (id(*number), *number));
                    order.iter().copied().for_each(&mut count_one);
                    self.numbers(by_id, &order)?;
                }
            }
            IdKind::Texts => {
                let mut all = Vec::new();
                let mut base = 0;
                for (path, length) in end_paths.iter().zip(lengths) {
                    let bytes = fs::read(path).map_err(Error::io(path))?;
                    let number = |end: &[u8]| u64::from_le_bytes(end.try_into().expect("eight bytes"));
                    all.extend(bytes.chunks_exact(8).map(|end| number(end) + base));
                    base += length;
                }
                self.bytes(ends, all.iter().map(|end| end.to_le_bytes()))?;
                let place = |end: u64| usize::try_from(end).expect("it lies in memory");
                let id = |number: u32| {
                    let number = number as usize;
                    let start = number.checked_sub(1).map_or(0, |before| place(all[before]));
                    &written[start..place(all[number])]
                };
                let mut order: Vec<u32> =
                    (0..u32::try_from(all.len()).map_err(|_| Error::TooMany("ids"))?).collect();
                order.sort_unstable_by_key(|number| (id(*number), *number));
                let repeated = order.windows(2).filter(|pair| id(pair[0]) == id(pair[1])).count();
                distinct = u32::try_from(order.len() - repeated).expect("as many as there are ids at most");
                self.numbers(by_id, &order)?;
            }
        }
        Ok(distinct)
    }

    /// Writes which items belong to each of `groups` groups: where the items of
    /// each end, and the items, in the order they come.
    fn groups<I: Iterator<Item = (u32, u32)>>(
        &mut self,
        ends: Section,
        items: Section,
        groups: usize,
        pairs: impl Fn() -> I,
    ) -> Result<(), Error> {
        let mut next = vec![0_u32; groups + 1];
        for (group, _) in pairs().filter(|(group, _)| *group != NO_NUMBER) {
            next[group as usize + 1] += 1;
        }
        for group in 1..next.len() {
            next[group] += next[group - 1];
        }
        let mut sorted = vec![0_u32; next[groups] as usize];
        for (group, item) in pairs().filter(|(group, _)| *group != NO_NUMBER) {
            let at = &mut next[group as usize];
            sorted[*at as usize] = item;
            *at += 1;
        }
        // Each group's next place is now the end of the group.
        self.numbers(ends, &next[..groups])?;
        self.numbers(items, &sorted)
    }

    /// Writes the table, makes sure that all is on the disk, and gives the file its name.
    fn publish(self, target: &Path) -> Result<(), Error> {
        let path = self.0.path().to_owned();
        self.0.finish()?;
        Ok(frame::publish(&path, target)?)
    }
}

/// A section of the file that is being put together.
struct Written {
    map: memmap2::Mmap,
    entry: Entry,
}

impl std::ops::Deref for Written {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.entry.range.clone()]
    }
}
