//! The index of formulas: what looks the same is one document.
//!
//! There is one for each collection of an index. Documents are the visual ids
//! that stand in a question or an answer, the smallest formulas first, so that
//! formulas of about the same size lie together. Each keeps its LaTeX, to be
//! matched with.

mod build;

pub(crate) use build::build;

use crate::error::Error;
use crate::features::FeatureKind;
use crate::postings::{END, Postings};
use crate::posts::number;
use crate::top::{self, Space};
use frame::{Format, Frame};
use serde::{Deserialize, Serialize};
use std::path::Path;
use store::VisualNo;

/// What an index of formulas begins and ends with.
pub(crate) const FORMAT: Format = Format { head: *b"hypatiaF", foot: *b"Faitapyh", version: 1 };
/// How many documents are looked at together.
const WINDOW: u32 = 8192;

/// The formulas of a collection, indexed.
#[derive(Debug)]
pub struct Formulas {
    frame: Frame,
    about: About,
    windows: Vec<u32>,
    /// The size of the smallest formula of each window.
    least: Vec<u8>,
}

/// What an index of formulas says about itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) documents: u32,
    pub(crate) kinds: Vec<String>,
}

impl Formulas {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let frame = Frame::open(path, &FORMAT)?;
        let about: About = serde_json::from_slice(frame.bytes("about"))
            .map_err(|error| frame.damaged(&format!("it does not say what is in it ({error})")))?;
        let documents = about.documents as usize;
        for (section, size) in
            [("formula.visual", 4), ("formula.size", 1), ("formula.rank", 4), ("formula.latex.ends", END)]
        {
            if frame.bytes(section).len() != documents * size {
                return Err(frame.damaged(&format!("the section {section} has a wrong length")).into());
            }
        }
        let windows = top::windows(about.documents, WINDOW, |_| None);
        let sizes = frame.bytes("formula.size");
        // The smallest come first.
        let least = windows.iter().map(|start| sizes.get(*start as usize).copied().unwrap_or(0)).collect();
        let formulas = Self { frame, about, windows, least };
        for kind in &formulas.about.kinds {
            if formulas.lists(kind).is_none() {
                let what = format!("the lists of {kind} do not fit together");
                return Err(formulas.frame.damaged(&what).into());
            }
        }
        Ok(formulas)
    }

    /// Reads all of it and compares checksums.
    pub(crate) fn check(&self) -> Result<(), Error> {
        Ok(self.frame.check()?)
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How many formulas there are.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.about.documents
    }

    fn lists(&self, kind: &str) -> Option<Postings<'_>> {
        let section = |part: &str| self.frame.bytes(&format!("{kind}.{part}"));
        Postings::new(section("keys"), section("ends"), section("lists"), self.documents())
    }

    /// The lists of a kind of features, if it is indexed.
    #[must_use]
    pub fn postings(&self, kind: FeatureKind) -> Option<Postings<'_>> {
        self.about.kinds.iter().find(|name| *name == kind.name()).and_then(|name| self.lists(name))
    }

    /// The bytes that keys and lists of a kind take.
    #[must_use]
    pub fn size_of(&self, kind: FeatureKind) -> u64 {
        let parts = ["keys", "ends", "lists"];
        parts.iter().map(|part| self.frame.bytes(&format!("{kind}.{part}")).len() as u64).sum()
    }

    /// How many features of a kind each formula has.
    pub fn lengths(&self, kind: FeatureKind) -> impl Iterator<Item = u16> {
        let bytes = self.frame.bytes(&format!("length.{kind}"));
        bytes.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// The documents, for a search.
    #[must_use]
    pub fn space(&self) -> Space<'_> {
        Space {
            documents: self.documents(),
            windows: &self.windows,
            parents: &[],
            ranks: self.frame.bytes("formula.rank"),
        }
    }

    /// How many symbols each formula has, 255 standing for anything longer.
    #[must_use]
    pub fn sizes(&self) -> &[u8] {
        self.frame.bytes("formula.size")
    }

    /// The least size in each window.
    #[must_use]
    pub fn least_sizes(&self) -> &[u8] {
        &self.least
    }

    /// What a document looks like.
    #[must_use]
    pub fn visual(&self, doc: u32) -> VisualNo {
        VisualNo(number(self.frame.bytes("formula.visual"), doc).expect("there is such a document"))
    }

    /// The document of a visual id; there is none if that stands in comments only.
    #[must_use]
    pub fn document(&self, visual: VisualNo) -> Option<u32> {
        number(self.frame.bytes("visual.formula"), visual.0).filter(|doc| *doc != u32::MAX)
    }

    /// The LaTeX of a document, as it stands in the first place.
    #[must_use]
    pub fn latex(&self, doc: u32) -> &str {
        let ends = self.frame.bytes("formula.latex.ends");
        let end = |doc: usize| {
            let mut bytes = [0; 8];
            bytes[..END].copy_from_slice(&ends[doc * END..(doc + 1) * END]);
            usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let start = (doc as usize).checked_sub(1).map_or(0, end);
        let latex = self.frame.bytes("formula.latex").get(start..end(doc as usize)).unwrap_or_default();
        std::str::from_utf8(latex).unwrap_or_default()
    }
}
