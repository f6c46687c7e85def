//! The last step of writing: what belongs together is joined, and the file becomes visible.

use super::{CollectionWriter, FormulaSpool, IdSpool};
use crate::NO_NUMBER;
use crate::about::About;
use crate::block::BlockWriter;
use crate::error::Error;
use crate::ids::IdKind;
use crate::map;
use crate::marks::{FormMarks, Part};
use crate::section::{Entry, HEAD, HEAD_LENGTH, Section, VERSION, write_table};
use crate::spool::{Spool, Workshop};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

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
    pub fn finish(mut self, mut about: About) -> Result<About, Error> {
        assert_eq!(
            self.looks.len(),
            self.form_latex.records() as usize,
            "forms are looked at before the end"
        );
        let mut file = Assembler::create(&self.workshop)?;

        let posts = self.post_kinds.len();
        about.post_ids = self.post_index.kind().into();
        about.comment_ids = self.comment_index.kind().into();
        let sections = (Section::PostIds, Section::PostIdEnds, Section::PostsById);
        file.ids(vec![self.post_ids], self.post_index.kind(), sections)?;
        file.bytes(Section::PostKinds, self.post_kinds.iter().map(|kind| [*kind as u8]))?;
        file.numbers(Section::PostParents, &self.post_parents)?;
        file.numbers(Section::PostAccepted, &self.post_accepted)?;
        file.spool(Section::PostScores, self.post_scores)?;
        file.spool(Section::PostDates, self.post_dates)?;
        file.spool(Section::PostFormulas, self.post_formulas)?;
        file.blocks(Section::PostTexts, Section::PostTextBlocks, self.post_texts)?;
        let answers = (0_u32..).zip(&self.post_parents).map(|(post, &parent)| (parent, post));
        file.groups(Section::AnswerEnds, Section::Answers, posts, || answers.clone())?;

        let sections = (Section::CommentIds, Section::CommentIdEnds, Section::CommentsById);
        file.ids(vec![self.comment_ids], self.comment_index.kind(), sections)?;
        file.numbers(Section::CommentPosts, &self.comment_posts)?;
        file.spool(Section::CommentScores, self.comment_scores)?;
        file.spool(Section::CommentDates, self.comment_dates)?;
        file.spool(Section::CommentFormulas, self.comment_formulas)?;
        file.blocks(Section::CommentTexts, Section::CommentTextBlocks, self.comment_texts)?;
        let comments = (0_u32..).zip(&self.comment_posts).map(|(comment, &post)| (post, comment));
        file.groups(Section::PostCommentEnds, Section::PostComments, posts, || comments.clone())?;

        file.blocks(Section::Links, Section::LinkBlocks, self.links)?;
        let links = (0_u32..).zip(&self.link_ends).flat_map(|(link, &(from, to))| {
            let other = (to != from).then_some((to, link));
            std::iter::once((from, link)).chain(other)
        });
        file.groups(Section::PostLinkEnds, Section::PostLinks, posts, || links.clone())?;
        file.blocks(Section::Users, Section::UserBlocks, self.users)?;
        let mut by_id: Vec<u32> = (0..self.counts.users).collect();
        by_id.sort_unstable_by_key(|user| &self.user_ids[*user as usize]);
        file.numbers(Section::UsersById, &by_id)?;

        // Formulas: those of posts, of comments, and those that stand nowhere.
        let (in_posts, in_comments) = (self.in_posts.count, self.in_comments.count);
        let total = [in_posts, in_comments, self.nowhere.count];
        let total = total.into_iter().try_fold(0_u32, u32::checked_add).filter(|total| *total < NO_NUMBER);
        self.counts.formulas = total.ok_or(Error::TooMany("formulas"))?;
        let kind = self.formula_ids;
        about.formula_ids = kind.into();
        let parts = [self.in_posts, self.in_comments, self.nowhere];
        let (mut ids, mut forms, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        for FormulaSpool { ids: part_ids, forms: part_forms, marks: part_marks, .. } in parts {
            ids.push(part_ids);
            forms.push(part_forms);
            marks.push(part_marks);
        }
        let sections = (Section::FormulaIds, Section::FormulaIdEnds, Section::FormulasById);
        self.counts.formula_ids = file.ids(ids, kind, sections)?;
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

        // Forms and what they look like.
        let given = self.form_given.read()?;
        let given = |form: usize, old: usize| {
            let at = form * 16 + old * 8;
            let id = u64::from_le_bytes(given[at..at + 8].try_into().expect("eight bytes"));
            (id != u64::MAX).then_some(id)
        };
        let Visuals { ids: visuals, of_forms } = visuals(&mut self.looks, |form| given(form, 0));
        let num_forms = self.looks.len();
        self.counts.forms = self.form_latex.records();
        self.counts.visuals = u32::try_from(visuals.len()).expect("no more visual ids than forms");
        let mut listed = vec![false; visuals.len()];
        for form in (0..num_forms).filter(|form| self.listed_in_posts.get(*form) == Some(&true)) {
            if given(form, 0).is_some() {
                listed[of_forms[form] as usize] = true;
            }
        }
        let listed = listed.into_iter().filter(|listed| *listed).count();
        self.counts.listed_visuals_in_posts = u32::try_from(listed).expect("no more than there are");
        file.numbers(Section::FormVisuals, &of_forms)?;
        if (0..num_forms).any(|form| given(form, 1).is_some()) {
            let old = (0..num_forms).map(|form| given(form, 1).unwrap_or(u64::MAX).to_le_bytes());
            file.bytes(Section::FormOldVisuals, old)?;
        }
        file.bytes(Section::FormMarks, self.looks.iter().map(|look| [look.marks.0]))?;
        file.bytes(Section::FormKeys, self.looks.iter().map(|look| look.key.to_le_bytes()))?;
        file.blocks(Section::FormLatex, Section::FormLatexBlocks, self.form_latex)?;
        file.blocks(Section::FormPresentation, Section::FormPresentationBlocks, self.form_presentation)?;
        file.blocks(Section::FormContent, Section::FormContentBlocks, self.form_content)?;
        drop(self.looks);
        let forms_of = file.read(forms)?;
        let forms_of = forms_of
            .chunks_exact(4)
            .map(|form| u32::from_le_bytes(form.try_into().expect("four bytes")))
            .zip(0_u32..);
        file.groups(Section::FormFormulaEnds, Section::FormFormulas, num_forms, || forms_of.clone())?;
        file.bytes(Section::VisualIds, visuals.iter().map(|id| id.to_le_bytes()))?;
        let mut by_id: Vec<u32> = (0..self.counts.visuals).collect();
        by_id.sort_unstable_by_key(|visual| visuals[*visual as usize]);
        file.numbers(Section::VisualsById, &by_id)?;
        let forms = of_forms.iter().copied().zip(0_u32..);
        file.groups(Section::VisualFormEnds, Section::VisualForms, visuals.len(), || forms.clone())?;

        about.counts = self.counts;
        let json = serde_json::to_vec(&about).expect("plain values always serialise");
        file.bytes(Section::About, json.iter().map(|byte| [*byte]))?;
        file.publish(&self.path)?;
        drop(self.workshop);
        Ok(about)
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
struct Assembler {
    file: BufWriter<File>,
    path: PathBuf,
    at: u64,
    entries: Vec<(Section, Entry)>,
}

impl Assembler {
    fn create(workshop: &Workshop) -> Result<Self, Error> {
        let path = workshop.path("whole");
        let file = File::create(&path).map_err(Error::io(&path))?;
        let mut head = [0; HEAD_LENGTH];
        head[..8].copy_from_slice(&HEAD);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let mut file =
            Self { file: BufWriter::with_capacity(1 << 18, file), path, at: 0, entries: Vec::new() };
        file.put(&head)?;
        Ok(file)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    /// Writes a section; `write` hands over its bytes.
    fn section(
        &mut self,
        section: Section,
        write: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error>,
    ) -> Result<Entry, Error> {
        let padding = (8 - self.at % 8) % 8;
        self.put(&[0; 8][..usize::try_from(padding).expect("less than eight")])?;
        let start = self.at;
        let mut checksum = Xxh3::new();
        write(&mut |bytes| {
            checksum.update(bytes);
            self.put(bytes)
        })?;
        let place = |at: u64| usize::try_from(at).map_err(|_| Error::TooMany("bytes"));
        let entry = Entry { range: place(start)?..place(self.at)?, checksum: checksum.digest() };
        self.entries.push((section, entry.clone()));
        Ok(entry)
    }

    fn bytes<const N: usize>(
        &mut self,
        section: Section,
        items: impl Iterator<Item = [u8; N]>,
    ) -> Result<(), Error> {
        let mut buffer = Vec::with_capacity(1 << 16);
        self.section(section, |put| {
            for item in items {
                buffer.extend_from_slice(&item);
                if buffer.len() >= 1 << 16 {
                    put(&buffer)?;
                    buffer.clear();
                }
            }
            put(&buffer)
        })?;
        Ok(())
    }

    fn numbers(&mut self, section: Section, numbers: &[u32]) -> Result<(), Error> {
        self.bytes(section, numbers.iter().map(|number| number.to_le_bytes()))
    }

    fn spool(&mut self, section: Section, spool: Spool) -> Result<(), Error> {
        self.spools(section, vec![spool]).map(|_| ())
    }

    fn spools(&mut self, section: Section, spools: Vec<Spool>) -> Result<Entry, Error> {
        let paths: Vec<PathBuf> = spools.into_iter().map(Spool::close).collect::<Result<_, _>>()?;
        self.section(section, |put| {
            let mut buffer = vec![0; 1 << 18];
            for path in paths {
                let mut file = File::open(&path).map_err(Error::io(&path))?;
                loop {
                    match file.read(&mut buffer).map_err(Error::io(&path))? {
                        0 => break,
                        read => put(&buffer[..read])?,
                    }
                }
                // It is in the whole now; the room on disk may be needed.
                fs::remove_file(&path).map_err(Error::io(&path))?;
            }
            Ok(())
        })
    }

    fn blocks(&mut self, data: Section, table: Section, blocks: BlockWriter) -> Result<(), Error> {
        let (data_spool, table_spool) = blocks.finish()?;
        self.spool(data, data_spool)?;
        self.spool(table, table_spool)
    }

    /// What a section holds that was written before.
    fn read(&mut self, entry: Entry) -> Result<Written, Error> {
        self.file.flush().map_err(Error::io(&self.path))?;
        Ok(Written { map: map::map(&self.path)?, entry })
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
    fn publish(mut self, target: &Path) -> Result<(), Error> {
        let table = write_table(&self.entries, self.at);
        self.put(&table)?;
        let file = self.file.into_inner().map_err(|error| Error::io(&self.path)(error.into_error()))?;
        file.sync_all().map_err(Error::io(&self.path))?;
        fs::rename(&self.path, target).map_err(Error::io(target))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        // The new name is lost in a power cut unless the folder is on the disk, too.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
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
