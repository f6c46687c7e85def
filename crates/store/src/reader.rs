//! Collections, read: each thing to be had by its number or id.

mod formulas;
mod official;
mod posts;

pub use formulas::{FoundFormulas, Stray};
pub use official::Official;
pub use posts::{Comment, Link, Post, PostFacts};

use crate::about::About;
use crate::block::{BlockCache, Blocks};
use crate::error::Error;
use crate::ids::{Id, IdKind};
use crate::section::{FORMAT, Section};
use frame::{Bytes, Frame, Opening};
use std::ops::Range;
use std::path::Path;

/// A collection that was opened.
///
/// One of up to 64 MB is read whole when it is opened. Of a larger one opening
/// looks at the frame only, so it takes the same time for a large and a very
/// large one; each piece is compared with its checksum before its first use, and
/// [`Collection::check`] reads all of it. Numbers and ids that come from a
/// damaged piece are wrong, so whoever has read some asks [`Collection::sound`]
/// before showing them to anyone.
#[derive(Debug)]
pub struct Collection {
    frame: Frame,
    sections: Vec<Range<usize>>,
    about: About,
}

impl Collection {
    /// Opens a collection.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no collection, is of another version, or is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_as(path, Opening::USUAL)
    }

    /// Opens a collection, and reads it whole up to a size of choice.
    ///
    /// # Errors
    ///
    /// As for [`Collection::open`].
    pub fn open_as(path: &Path, opening: Opening) -> Result<Self, Error> {
        let frame = Frame::open_as(path, &FORMAT, opening)?;
        let range = |section: &Section| frame.range(section.name()).unwrap_or_default();
        let sections: Vec<Range<usize>> = Section::ALL.iter().map(range).collect();
        let about = serde_json::from_slice(frame.bytes(Section::About.name())).map_err(|error| {
            Error::from(frame.damaged(&format!("it does not say what is in it ({error})")))
        })?;
        let collection = Self { frame, sections, about };
        collection.check_lengths()?;
        Ok(collection)
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.frame.path()
    }

    /// Its size on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.frame.size()
    }

    /// A number that is another one when anything in it is.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.frame.fingerprint()
    }

    /// What it says about itself.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Its sections, with the bytes that each takes.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Section::ALL.iter().map(|section| (section.name(), self.view(*section).len() as u64))
    }

    /// Something to read texts with.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self)
    }

    /// Opens a collection and reads all of it, whatever its size: what is made of it is made of what was
    /// written.
    ///
    /// # Errors
    ///
    /// As for [`Collection::open`], and when a section is not as it was written.
    pub fn open_whole(path: &Path) -> Result<Self, Error> {
        let collection = Self::open(path)?;
        collection.check()?;
        Ok(collection)
    }

    /// Its file.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Whether all that was read of it so far is as it was written, and its file is as long as it was.
    ///
    /// # Errors
    ///
    /// When that is not so; then what was read may be wrong.
    pub fn sound(&self) -> Result<(), Error> {
        Ok(self.frame.sound()?)
    }

    /// Reads all of it and compares checksums.
    ///
    /// # Errors
    ///
    /// When a section is not as it was written.
    pub fn check(&self) -> Result<(), Error> {
        Ok(self.frame.check()?)
    }

    /// Sections hold what the counts promise, so that no number leads outside.
    fn check_lengths(&self) -> Result<(), Error> {
        let counts = &self.about.counts;
        let posts = self.num_posts() as usize;
        let ids = |kind, ids, ends| match kind {
            IdKind::Numbers => (ids, 8),
            IdKind::Texts => (ends, 8),
        };
        let (post_ids, post_ids_size) =
            ids(self.about.post_ids.into(), Section::PostIds, Section::PostIdEnds);
        let (comment_ids, comment_ids_size) =
            ids(self.about.comment_ids.into(), Section::CommentIds, Section::CommentIdEnds);
        let (formula_ids, formula_ids_size) =
            ids(self.about.formula_ids.into(), Section::FormulaIds, Section::FormulaIdEnds);
        let (comments, formulas) = (counts.comments as usize, counts.formulas as usize);
        let (forms, visuals) = (counts.forms as usize, counts.visuals as usize);
        for (section, items, size) in [
            (post_ids, posts, post_ids_size),
            (Section::PostKinds, posts, 1),
            (Section::PostParents, posts, 4),
            (Section::PostAccepted, posts, 4),
            (Section::PostScores, posts, 4),
            (Section::PostDates, posts, 8),
            (Section::PostFormulas, posts, 4),
            (Section::AnswerEnds, posts, 4),
            (Section::PostCommentEnds, posts, 4),
            (Section::PostLinkEnds, posts, 4),
            (comment_ids, comments, comment_ids_size),
            (Section::CommentPosts, comments, 4),
            (Section::CommentScores, comments, 4),
            (Section::CommentDates, comments, 8),
            (Section::CommentFormulas, comments, 4),
            (Section::PostComments, comments, 4),
            (formula_ids, formulas, formula_ids_size),
            (Section::FormulaForms, formulas, 4),
            (Section::FormulaMarks, formulas, 1),
            (Section::FormFormulas, formulas, 4),
            (Section::FormVisuals, forms, 4),
            (Section::FormMarks, forms, 1),
            (Section::FormKeys, forms, 16),
            (Section::FormFormulaEnds, forms, 4),
            (Section::VisualForms, forms, 4),
            (Section::UsersById, counts.users as usize, 4),
            (Section::VisualIds, visuals, 8),
            (Section::VisualsById, visuals, 4),
            (Section::VisualFormEnds, visuals, 4),
        ] {
            if self.view(section).len() != items * size {
                return Err(self.damaged(&format!("the section {} has a wrong length", section.name())));
            }
        }
        // These are there only if they are needed.
        for (section, items, size) in [
            (Section::PostsById, posts, 4),
            (Section::CommentsById, comments, 4),
            (Section::FormulasById, formulas, 4),
            (Section::FormOldVisuals, forms, 8),
        ] {
            let length = self.view(section).len();
            if length != 0 && length != items * size {
                return Err(self.damaged(&format!("the section {} has a wrong length", section.name())));
            }
        }
        // What belongs to something needs something to belong to.
        for (what, of, belongs, to) in [
            ("comments", comments, "posts", posts),
            ("formulas", formulas, "forms", forms),
            ("forms", forms, "visual ids", visuals),
        ] {
            if of > 0 && to == 0 {
                return Err(self.damaged(&format!("there are {what} but no {belongs}")));
            }
        }
        Ok(())
    }

    fn damaged(&self, what: &str) -> Error {
        self.frame.damaged(what).into()
    }

    fn view(&self, section: Section) -> Bytes<'_> {
        self.frame.view(self.sections[section as usize].clone())
    }

    fn blocks(&self, data: Section, table: Section) -> Blocks<'_> {
        Blocks { data: self.view(data), table: self.view(table) }
    }

    fn array<const N: usize>(&self, section: Section, index: usize) -> [u8; N] {
        self.view(section).array(index * N)
    }

    fn u32_at(&self, section: Section, index: usize) -> u32 {
        u32::from_le_bytes(self.array(section, index))
    }

    fn u64_at(&self, section: Section, index: usize) -> u64 {
        u64::from_le_bytes(self.array(section, index))
    }

    /// From the end of the group before to the end of this one.
    fn span(&self, ends: Section, group: usize) -> Range<u32> {
        let start = group.checked_sub(1).map_or(0, |before| self.u32_at(ends, before));
        start..self.u32_at(ends, group).max(start)
    }

    /// The items of a group; damaged ends give fewer.
    fn group(&self, ends: Section, items: Section, group: usize) -> impl Iterator<Item = u32> {
        let Range { start, end } = self.span(ends, group);
        let items = self.view(items).get(start as usize * 4..end as usize * 4).unwrap_or_default();
        items.chunks_exact(4).map(|item| u32::from_le_bytes(item.try_into().expect("four bytes")))
    }

    fn id(&self, kind: IdKind, ids: Section, ends: Section, index: usize) -> Id<'_> {
        match kind {
            IdKind::Numbers => Id::Number(self.u64_at(ids, index)),
            IdKind::Texts => {
                let place = |end: u64| usize::try_from(end).unwrap_or(usize::MAX);
                let start = index.checked_sub(1).map_or(0, |before| place(self.u64_at(ends, before)));
                let text = self.view(ids).get(start..place(self.u64_at(ends, index))).unwrap_or_default();
                Id::Text(std::str::from_utf8(text).unwrap_or_default())
            }
        }
    }

    /// The numbers of all that have an id, in ascending order.
    fn find(
        &self,
        wanted: &str,
        kind: IdKind,
        (ids, ends, by_id): (Section, Section, Section),
        count: u32,
    ) -> Range<u32> {
        let Some(wanted) = Id::parse(wanted, kind) else { return 0..0 };
        let id = |rank: u32| self.id(kind, ids, ends, self.ranked(by_id, rank, count) as usize);
        let search = |before: &dyn Fn(Id<'_>) -> bool| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = low.midpoint(high);
                if before(id(middle)) { low = middle + 1 } else { high = middle }
            }
            low
        };
        search(&|id| id < wanted)..search(&|id| id <= wanted)
    }

    /// The number of what has a rank in the order of ids; there are `count` of them, whatever the file says.
    fn ranked(&self, by_id: Section, rank: u32, count: u32) -> u32 {
        let number = if self.view(by_id).is_empty() { rank } else { self.u32_at(by_id, rank as usize) };
        number.min(count.saturating_sub(1))
    }
}

/// Reads texts from a collection, and remembers the blocks it unpacked last.
///
/// Each thread has its own.
#[derive(Clone, Debug)]
pub struct Reader<'c> {
    collection: &'c Collection,
    posts: BlockCache,
    comments: BlockCache,
    links: BlockCache,
    users: BlockCache,
    claims: BlockCache,
    latex: BlockCache,
    presentation: BlockCache,
    content: BlockCache,
}

impl<'c> Reader<'c> {
    fn new(collection: &'c Collection) -> Self {
        Self {
            collection,
            posts: BlockCache::new(8),
            comments: BlockCache::new(8),
            links: BlockCache::new(4),
            users: BlockCache::new(32),
            claims: BlockCache::new(1),
            latex: BlockCache::new(512),
            presentation: BlockCache::new(8),
            content: BlockCache::new(8),
        }
    }

    /// The collection it reads from.
    #[must_use]
    pub fn collection(&self) -> &'c Collection {
        self.collection
    }
}
