//! The index of formulas: what looks the same is one document.
//!
//! There is one for each collection of an index. Documents are the visual ids
//! that stand in a question or an answer, the smallest formulas first, so that
//! formulas of about the same size lie together, and among these those that look
//! alike. Each keeps its LaTeX, to be matched with.

mod build;

pub(crate) use build::build;

use crate::error::Error;
use crate::features::FeatureKind;
use crate::postings::{END, Postings};
use crate::stored::{Column, Stored, number_in};
use crate::top::{self, Space};
use frame::{Format, Frame, Opening};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use store::VisualNo;

/// What an index of formulas begins and ends with.
pub(crate) const FORMAT: Format = Format { head: *b"hypatiaF", foot: *b"Faitapyh", version: 1 };
/// How many documents are looked at together.
const WINDOW: u32 = 8192;

/// The formulas of a collection, indexed.
#[derive(Debug)]
pub struct Formulas {
    stored: Stored,
    windows: Vec<u32>,
    /// The size of the smallest formula of each window.
    least: Vec<u8>,
    /// For each document its visual id, its size, where the visual id stands in order, and the end of its LaTeX.
    visuals: Column,
    sizes: Column,
    ranks: Column,
    latex_ends: Column,
    latex: Range<usize>,
    /// For each visual id of the collection its document.
    documents: Range<usize>,
}

/// What an index of formulas says about itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) documents: u32,
    pub(crate) kinds: Vec<String>,
}

impl Formulas {
    pub(crate) fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        let (frame, about) = Stored::open::<About>(path, &FORMAT, opening)?;
        let stored = Stored::new(frame, about.documents, &about.kinds)?;
        let sizes = stored.column("formula.size", 1)?;
        let windows = top::windows(about.documents, WINDOW, |_| None);
        let size = |start: &u32| stored.view(&sizes).array::<1>(*start as usize)[0];
        Ok(Self {
            // The smallest come first.
            least: windows.iter().map(size).collect(),
            windows,
            visuals: stored.column("formula.visual", 4)?,
            ranks: stored.column("formula.rank", 4)?,
            latex_ends: stored.column("formula.latex.ends", END)?,
            latex: stored.frame().range("formula.latex").unwrap_or_default(),
            documents: stored.frame().range("visual.formula").unwrap_or_default(),
            sizes,
            stored,
        })
    }

    pub(crate) fn frame(&self) -> &Frame {
        self.stored.frame()
    }

    /// How many formulas there are.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.stored.documents()
    }

    /// The lists of a kind of features, if it is indexed.
    #[must_use]
    pub fn postings(&self, kind: FeatureKind) -> Option<Postings<'_>> {
        self.stored.postings(kind.name())
    }

    /// How many features of a kind each formula has.
    pub fn lengths(&self, kind: FeatureKind) -> impl Iterator<Item = u16> {
        self.stored.lengths(&format!("length.{kind}"))
    }

    /// The same, from a document on.
    pub fn lengths_from(&self, kind: FeatureKind, doc: usize) -> impl Iterator<Item = u16> {
        self.stored.lengths_from(&format!("length.{kind}"), doc)
    }

    /// The documents, for a search.
    #[must_use]
    pub fn space(&self) -> Space<'_> {
        Space {
            documents: self.documents(),
            windows: &self.windows,
            parents: &[],
            ranks: self.stored.bytes(&self.ranks),
        }
    }

    /// How many symbols each formula has, 255 standing for anything longer.
    #[must_use]
    pub fn sizes(&self) -> &[u8] {
        self.stored.bytes(&self.sizes)
    }

    /// The least size in each window.
    #[must_use]
    pub fn least_sizes(&self) -> &[u8] {
        &self.least
    }

    /// What a document looks like.
    #[must_use]
    pub fn visual(&self, doc: u32) -> VisualNo {
        VisualNo(u32::from_le_bytes(self.stored.view(&self.visuals).array(doc as usize * 4)))
    }

    /// The document of a visual id; there is none if that stands in comments only.
    #[must_use]
    pub fn document(&self, visual: VisualNo) -> Option<u32> {
        let doc = number_in(self.frame().view(self.documents.clone()), visual.0);
        doc.filter(|doc| *doc < self.documents())
    }

    /// The LaTeX of a document, as it stands in the first place.
    #[must_use]
    pub fn latex(&self, doc: u32) -> &str {
        let ends = self.stored.view(&self.latex_ends);
        let end = |doc: usize| {
            let mut bytes = [0; 8];
            bytes[..END].copy_from_slice(&ends.array::<END>(doc * END));
            usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let start = (doc as usize).checked_sub(1).map_or(0, end);
        let latex = self.frame().view(self.latex.clone()).get(start..end(doc as usize)).unwrap_or_default();
        std::str::from_utf8(latex).unwrap_or_default()
    }
}
