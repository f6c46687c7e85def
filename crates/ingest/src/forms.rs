//! Distinct ways in which formulas are written and given.

use crate::build::BuildError;
use crate::record::At;
use std::collections::HashMap;
use store::{CollectionWriter, FormNo, NewForm};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// What makes two forms one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identity {
    pub(crate) visual: Option<u64>,
    pub(crate) old_visual: Option<u64>,
    /// Stands for the MathML that was given: a number or a hash, `u64::MAX` for none.
    pub(crate) presentation: u64,
    pub(crate) content: u64,
}

/// All forms so far: about 45 bytes each, when the table has just grown.
#[derive(Default)]
pub(crate) struct Forms {
    numbers: HashMap<FormKey, u32, foldhash::fast::FixedState>,
    latex: Vec<u64>,
    first: Vec<(u32, u32)>,
}

impl Forms {
    /// The number of a form, if it is known.
    pub(crate) fn find(&self, latex: &str, identity: Identity) -> Option<FormNo> {
        self.numbers.get(&key(latex, identity)).copied().map(FormNo)
    }

    /// The number of a form, which is added if it is new.
    pub(crate) fn add(
        &mut self,
        writer: &mut CollectionWriter,
        form: &NewForm<'_>,
        identity: Identity,
        at: At,
    ) -> Result<FormNo, BuildError> {
        let key = key(form.latex, identity);
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(FormNo(number));
        }
        let number = writer.add_form(form)?;
        self.numbers.insert(key, number.0);
        self.latex.push(even_hash(form.latex));
        self.first.push((at.file, u32::try_from(at.line).unwrap_or(u32::MAX)));
        Ok(number)
    }

    /// Whether a form's LaTeX is this, blanks aside.
    pub(crate) fn is_written(&self, form: FormNo, latex: &str) -> bool {
        self.latex[form.index()] == even_hash(latex)
    }

    /// Where a form was first met.
    pub(crate) fn first(&self, form: FormNo) -> At {
        let (file, line) = self.first[form.index()];
        At { file, line: u64::from(line) }
    }

    /// Gives back the memory that only adding needs.
    pub(crate) fn close(&mut self) {
        self.numbers = HashMap::default();
        self.latex = Vec::new();
    }
}

/// 96 bits of a hash, so that an entry of the table takes 16 bytes.
type FormKey = (u64, u32);

fn key(latex: &str, identity: Identity) -> FormKey {
    let mut bytes = [0; 48];
    bytes[..16].copy_from_slice(&xxh3_128(latex.as_bytes()).to_le_bytes());
    bytes[16..24].copy_from_slice(&identity.visual.unwrap_or(u64::MAX).to_le_bytes());
    bytes[24..32].copy_from_slice(&identity.old_visual.unwrap_or(u64::MAX).to_le_bytes());
    bytes[32..40].copy_from_slice(&identity.presentation.to_le_bytes());
    bytes[40..].copy_from_slice(&identity.content.to_le_bytes());
    let hash = xxh3_128(&bytes);
    (hash as u64, (hash >> 64) as u32)
}

/// A hash in which all blanks are one.
fn even_hash(latex: &str) -> u64 {
    let blank = |c: char| c.is_whitespace();
    let odd = latex.contains("  ") || latex.contains(|c: char| blank(c) && c != ' ');
    if !odd && latex.trim().len() == latex.len() {
        return xxh3_64(latex.as_bytes());
    }
    let even = latex.split(blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    xxh3_64(even.as_bytes())
}
