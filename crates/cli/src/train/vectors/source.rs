//! What vectors are learned from: the formulas of a collection, or lines of tokens.

use crate::progress::Progress;
use ::train::vectors::Sequences;
use anyhow::{Context, Result};
use dense::formulas::{ALPHABET, TupleReader, write_alphabet};
use formats::MATH_STACK_EXCHANGE;
use formula::features::{TupleAlphabet, TupleWords, Tuples};
use post::FormulaTexts;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use store::{Collection, FormNo};

/// How many forms are taken together.
const BATCH: u32 = 1024;
/// The longest LaTeX that is taken apart; longer formulas are left out.
const LONGEST: usize = 20_000;
/// The longest line.
const LONGEST_LINE: u64 = 64 << 20;

/// What is learned from.
pub(super) struct Source {
    name: String,
    of: Of,
}

enum Of {
    Formulas(Box<Collection>, TupleWords),
    Lines(PathBuf),
}

impl Source {
    /// The distinct formulas of a collection.
    pub(super) fn formulas(path: &Path, words: TupleWords) -> Result<Self> {
        let collection = Collection::open(path)?;
        let name = format!(
            "{words} tuples of the formulas of {} ({:016x})",
            file_name(path),
            collection.fingerprint()
        );
        Ok(Self { name, of: Of::Formulas(Box::new(collection), words) })
    }

    /// The lines of a file.
    pub(super) fn lines(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let length = file.metadata().with_context(|| path.display().to_string())?.len();
        Ok(Self {
            name: format!("the lines of {} ({length} bytes)", file_name(path)),
            of: Of::Lines(path.to_owned()),
        })
    }

    /// What it is, in words.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The site that its data come from, as far as is known.
    pub(super) fn site(&self) -> Option<&str> {
        let Of::Formulas(collection, _) = &self.of else { return None };
        let about = collection.about();
        about.site.as_deref().or_else(|| (about.source == "arqmath").then_some(MATH_STACK_EXCHANGE))
    }

    /// Hands over all sequences.
    pub(super) fn read(&self, mut sequences: Sequences) -> Result<()> {
        let mut alphabet = Vec::new();
        let mut push = |tokens: &mut dyn Iterator<Item = &str>| Ok(sequences.push(tokens)?);
        match &self.of {
            Of::Formulas(collection, words) => alphabet = read_formulas(collection, *words, &mut push)?,
            Of::Lines(path) => read_lines(path, &mut push)?,
        }
        let extras: &[(&str, &[u8])] = if alphabet.is_empty() { &[] } else { &[(ALPHABET, &alphabet)] };
        Ok(sequences.finish(extras)?)
    }

    /// Writes all sequences as lines, for other programs.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<()> {
        let mut push = |tokens: &mut dyn Iterator<Item = &str>| {
            let tokens: Vec<&str> = tokens.collect();
            Ok(writeln!(out, "{}", tokens.join(" "))?)
        };
        match &self.of {
            Of::Formulas(collection, words) => drop(read_formulas(collection, *words, &mut push)?),
            Of::Lines(path) => read_lines(path, &mut push)?,
        }
        Ok(())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Takes a sequence of tokens.
type Push<'p> = dyn FnMut(&mut dyn Iterator<Item = &str>) -> Result<()> + 'p;

/// Reads each formula that looks different once, in the order in which they were first stored; gives the alphabet.
fn read_formulas(collection: &Collection, words: TupleWords, push: &mut Push<'_>) -> Result<Vec<u8>> {
    let first = first_forms(collection);
    let mut alphabet = TupleAlphabet::new(words);
    let mut progress = Progress::items(u64::from(collection.num_forms()));
    let new_worker = || {
        let (mut reader, mut texts) = (collection.reader(), FormulaTexts::default());
        let (mut trees, first) = (TupleReader::default(), &first);
        move |batch: Range<u32>| -> Result<(Vec<Tuples>, u32)> {
            let mut read = Vec::new();
            for form in batch.clone().map(FormNo) {
                if first[collection.form_visual(form).index()] != form.0 {
                    continue;
                }
                let latex = texts.latex(&mut reader, form)?;
                if latex.len() <= LONGEST {
                    read.push(trees.read(&latex, words).clone());
                }
            }
            Ok((read, batch.end - batch.start))
        }
    };
    let mut spelled = Vec::new();
    parallel::batches(collection.num_forms(), BATCH, new_worker, |(read, forms): (Vec<Tuples>, u32)| {
        for tuples in read {
            spelled.clear();
            alphabet.learn(&tuples, &mut spelled);
            push(&mut spelled.iter().map(String::as_str))?;
        }
        progress.advance(u64::from(forms));
        Ok(())
    })?;
    collection.sound()?;
    Ok(write_alphabet(&alphabet))
}

/// For each visual id its first form.
fn first_forms(collection: &Collection) -> Vec<u32> {
    let mut first = vec![u32::MAX; collection.num_visuals() as usize];
    for form in (0..collection.num_forms()).map(FormNo) {
        let first = &mut first[collection.form_visual(form).index()];
        *first = form.0.min(*first);
    }
    first
}

fn read_lines(path: &Path, push: &mut Push<'_>) -> Result<()> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut progress = Progress::bytes(file.metadata().map_or(0, |data| data.len()));
    let mut lines = BufReader::with_capacity(1 << 18, file);
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let at = || format!("{}:{number}", path.display());
        let read =
            std::io::Read::take(&mut lines, LONGEST_LINE).read_until(b'\n', &mut line).with_context(at)?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST_LINE {
            anyhow::bail!("{}: a line of more than {} MB", at(), LONGEST_LINE >> 20);
        }
        let text = std::str::from_utf8(&line).with_context(at)?;
        push(&mut text.split_whitespace())?;
        progress.advance(read as u64);
    }
    Ok(())
}
