//! How the report was made, and what the organisers add.

use crate::document::{Block, Section};
use crate::input::Lab;

/// Facts and notes.
pub(super) fn section(lab: &Lab<'_>) -> Section {
    let mut section = Section::new("made", "How this report was made");
    lab.notes.iter().for_each(|note| section.paragraph(note.clone()));
    if !lab.facts.is_empty() {
        section.blocks.push(Block::Facts(lab.facts.clone()));
    }
    section
}
