//! The frame of a collection file: a head, sections one after the other, a table of them, a foot.
//!
//! `docs/collections.md` draws it byte by byte.

use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of every collection.
pub(crate) const HEAD: [u8; 8] = *b"hypatiaC";
/// The last bytes of every collection that was written to its end.
pub(crate) const FOOT: [u8; 8] = *b"Caitapyh";
/// The version of the format that is written and read.
pub(crate) const VERSION: u32 = 1;
/// Head, version, and four bytes of nought.
pub(crate) const HEAD_LENGTH: usize = 16;
/// Where the table is, how long it is, its checksum, and the last bytes.
pub(crate) const FOOT_LENGTH: usize = 32;

macro_rules! sections {
    ($($section:ident $name:literal)*) => {
        /// A part of a collection file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Section { $($section),* }

        impl Section {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$section),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$section => $name),* }
            }
        }
    };
}

sections! {
    About "about"
    PostIds "post.ids"
    PostIdEnds "post.ids.ends"
    PostsById "post.by-id"
    PostKinds "post.kind"
    PostParents "post.parent"
    PostAccepted "post.accepted"
    PostScores "post.score"
    PostDates "post.date"
    PostFormulas "post.formulas"
    PostTexts "post.text"
    PostTextBlocks "post.text.blocks"
    AnswerEnds "post.answers.ends"
    Answers "post.answers"
    CommentIds "comment.ids"
    CommentIdEnds "comment.ids.ends"
    CommentsById "comment.by-id"
    CommentPosts "comment.post"
    CommentScores "comment.score"
    CommentDates "comment.date"
    CommentFormulas "comment.formulas"
    CommentTexts "comment.text"
    CommentTextBlocks "comment.text.blocks"
    PostCommentEnds "post.comments.ends"
    PostComments "post.comments"
    Links "link"
    LinkBlocks "link.blocks"
    PostLinkEnds "post.links.ends"
    PostLinks "post.links"
    Users "user"
    UserBlocks "user.blocks"
    UsersById "user.by-id"
    FormulaIds "formula.ids"
    FormulaIdEnds "formula.ids.ends"
    FormulasById "formula.by-id"
    FormulaForms "formula.form"
    FormulaMarks "formula.marks"
    StrayFormulas "stray.formula"
    StrayPlaces "stray.place"
    StrayPlaceBlocks "stray.place.blocks"
    FormVisuals "form.visual"
    FormOldVisuals "form.old-visual"
    FormMarks "form.marks"
    FormKeys "form.key"
    FormLatex "form.latex"
    FormLatexBlocks "form.latex.blocks"
    FormPresentation "form.presentation"
    FormPresentationBlocks "form.presentation.blocks"
    FormContent "form.content"
    FormContentBlocks "form.content.blocks"
    FormFormulaEnds "form.formulas.ends"
    FormFormulas "form.formulas"
    VisualIds "visual.ids"
    VisualsById "visual.by-id"
    VisualFormEnds "visual.forms.ends"
    VisualForms "visual.forms"
}

/// Where a section is, and the checksum of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) range: Range<usize>,
    pub(crate) checksum: u64,
}

/// Writes the table of sections and the foot, as they follow after the last section.
pub(crate) fn write_table(entries: &[(Section, Entry)], table_at: u64) -> Vec<u8> {
    let mut table = Vec::new();
    for (section, entry) in entries {
        let name = section.name();
        table.push(u8::try_from(name.len()).expect("names of sections are short"));
        table.extend_from_slice(name.as_bytes());
        table.extend_from_slice(&(entry.range.start as u64).to_le_bytes());
        table.extend_from_slice(&(entry.range.len() as u64).to_le_bytes());
        table.extend_from_slice(&entry.checksum.to_le_bytes());
    }
    let (length, checksum) = (table.len() as u64, xxh3_64(&table));
    table.extend_from_slice(&table_at.to_le_bytes());
    table.extend_from_slice(&length.to_le_bytes());
    table.extend_from_slice(&checksum.to_le_bytes());
    table.extend_from_slice(&FOOT);
    table
}

/// What is wrong with the frame of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    NotACollection,
    Version(u32),
    Damaged(String),
}

/// Reads the frame of a file. Sections that are not known are passed over.
pub(crate) fn read_table(bytes: &[u8]) -> Result<Vec<(Section, Entry)>, FrameError> {
    if !bytes.starts_with(&HEAD) {
        return Err(FrameError::NotACollection);
    }
    let damaged = |what: &str| FrameError::Damaged(what.to_owned());
    if bytes.len() < HEAD_LENGTH + FOOT_LENGTH {
        return Err(damaged("it is cut short"));
    }
    let version = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    if version != VERSION {
        return Err(FrameError::Version(version));
    }
    let (body, foot) = bytes.split_at(bytes.len() - FOOT_LENGTH);
    if foot[24..] != FOOT {
        return Err(damaged("its end is missing"));
    }
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let (at, length, checksum) = (number(&foot[..8]), number(&foot[8..16]), number(&foot[16..24]));
    let table = usize::try_from(at)
        .ok()
        .zip(usize::try_from(length).ok())
        .and_then(|(at, length)| body.get(at..at.checked_add(length)?))
        .ok_or_else(|| damaged("its table of sections is not where it should be"))?;
    if xxh3_64(table) != checksum {
        return Err(damaged("its table of sections has a wrong checksum"));
    }
    let mut entries = Vec::new();
    let mut rest = table;
    while let Some((&length, after)) = rest.split_first() {
        let entry = after
            .split_at_checked(usize::from(length))
            .and_then(|(name, after)| after.split_at_checked(24).map(|(entry, after)| (name, entry, after)))
            .ok_or_else(|| damaged("its table of sections is cut short"))?;
        let (name, entry, after) = entry;
        rest = after;
        let start = usize::try_from(number(&entry[..8])).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(number(&entry[8..16])).unwrap_or(usize::MAX));
        if end > body.len() {
            return Err(damaged("a section lies outside the file"));
        }
        let known = Section::ALL.iter().find(|section| section.name().as_bytes() == name);
        if let Some(&section) = known {
            entries.push((section, Entry { range: start..end, checksum: number(&entry[16..]) }));
        }
    }
    Ok(entries)
}
