//! The index of formulas, built.

use super::{About, FORMAT};
use crate::error::Error;
use crate::features::{Extractor, FeatureKind};
use crate::postings::END;
use crate::postings::gather::{Batch, Chunk, Gathering};
use crate::progress::Watch;
use frame::FrameWriter;
use latex::Mode;
use memmap2::Mmap;
use post::FormulaTexts;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use store::{Collection, FormNo, Reader, VisualNo};

/// How many formulas are taken together; what is written does not depend on it.
const BATCH: u32 = if cfg!(test) { 32 } else { 8192 };
/// The longest LaTeX that is taken apart; of anything longer, the beginning.
const LONGEST: usize = 20_000;

/// Builds the index of a collection's formulas.
///
/// What a build that was cut off has left in `work` is used if it had the same `purpose`.
pub(crate) fn build(
    collection: &Collection,
    kinds: &[FeatureKind],
    (work, purpose): (&Path, &str),
    target: &Path,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let names: Vec<String> = kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let mut gathering = Gathering::open(work, &names, purpose)?;
    let formulas = SizedFormulas::read(collection, work, watch)?;
    let documents = formulas.in_order();
    let count = u32::try_from(documents.len()).expect("visual ids are numbered with 32 bits");
    let start = gathering.next();
    watch.stage("formulas", u64::from(count));
    watch.done(u64::from(start));
    let new_worker = || {
        let (formulas, documents) = (&formulas, &documents);
        let mut extractor = Extractor::default();
        let mut batches: Vec<Batch> = kinds.iter().map(|_| Batch::default()).collect();
        move |batch: Range<u32>| -> Result<Made, Error> {
            let mut lengths = Vec::new();
            for doc in start + batch.start..start + batch.end {
                extractor.read(formulas.latex(documents[doc as usize]), Mode::Document);
                for (kind, batch) in kinds.iter().zip(&mut batches) {
                    let mut count = 0_u16;
                    extractor.features(*kind, |feature| {
                        batch.add(feature, doc);
                        count = count.saturating_add(1);
                    });
                    lengths.extend_from_slice(&count.to_le_bytes());
                }
            }
            let chunks = batches.iter_mut().map(Batch::chunk).collect();
            Ok(Made { chunks, lengths, next: start + batch.end })
        }
    };
    parallel::batches(count - start, BATCH, new_worker, |made: Made| {
        gathering.add(&made.chunks, made.next, made.lengths)?;
        watch.done(u64::from(made.next));
        Ok::<_, Error>(())
    })?;
    watch.stage("lists of formulas", 0);
    let mut file = FrameWriter::create(target, FORMAT)?;
    let about = About { documents: count, kinds: names };
    let about = serde_json::to_vec(&about).expect("names and numbers can be written");
    file.section::<Error>("about", |put| Ok(put(&about)?))?;
    formulas.write(&mut file, collection, &documents)?;
    for (column, kind) in kinds.iter().enumerate() {
        let rows = gathering.notes().iter().flat_map(|note| note.chunks_exact(kinds.len() * 2));
        file.items(&format!("length.{kind}"), rows.map(|row| [row[column * 2], row[column * 2 + 1]]))?;
    }
    gathering.write(&mut file, |_| ())?;
    file.finish()?;
    formulas.remove()
}

/// What became of a batch.
struct Made {
    chunks: Vec<Chunk>,
    lengths: Vec<u8>,
    next: u32,
}

/// The formulas of a collection with their sizes: their LaTeX lies on disk, to be had in any order.
struct SizedFormulas {
    path: PathBuf,
    latex: Mmap,
    /// For each visual id where its LaTeX ends and begins; the same place twice if it is no document.
    places: Vec<Range<u64>>,
    sizes: Vec<u8>,
    /// What brings formulas that look alike together.
    outlines: Vec<u64>,
    wanted: Vec<bool>,
}

impl SizedFormulas {
    fn read(collection: &Collection, work: &Path, watch: &dyn Watch) -> Result<Self, Error> {
        let chosen = chosen_forms(collection);
        let path = work.join("latex");
        let mut file = BufWriter::with_capacity(1 << 18, File::create(&path).map_err(Error::io(&path))?);
        let visuals = collection.num_visuals() as usize;
        let (mut places, mut sizes, mut wanted) =
            (vec![0..0; visuals], vec![0; visuals], vec![false; visuals]);
        let mut outlines = vec![0; visuals];
        let mut at = 0;
        watch.stage("sizes of formulas", u64::from(collection.num_forms()));
        let new_worker = || {
            let mut reader = collection.reader();
            let (mut texts, mut extractor) = (FormulaTexts::default(), Extractor::default());
            let chosen = &chosen;
            move |batch: Range<u32>| {
                let mut read = Vec::new();
                for form in batch.clone().map(FormNo) {
                    let visual = collection.form_visual(form);
                    if chosen[visual.index()] == form.0 {
                        read.push(read_form(visual, form, &mut reader, &mut texts, &mut extractor)?);
                    }
                }
                Ok::<_, Error>((read, batch.end))
            }
        };
        parallel::batches(collection.num_forms(), BATCH, new_worker, |(read, end): (Vec<Read>, u32)| {
            for Read { visual, latex, size, outline } in read {
                file.write_all(latex.as_bytes()).map_err(Error::io(&path))?;
                let start = at;
                at += latex.len() as u64;
                places[visual.index()] = start..at;
                sizes[visual.index()] = size;
                outlines[visual.index()] = outline;
                wanted[visual.index()] = true;
            }
            watch.done(u64::from(end));
            Ok::<_, Error>(())
        })?;
        file.into_inner().map_err(|error| Error::io(&path)(error.into_error()))?;
        let latex = frame::map(&path)?;
        Ok(Self { path, latex, places, sizes, outlines, wanted })
    }

    fn latex(&self, visual: u32) -> &str {
        let Range { start, end } = self.places[visual as usize];
        let place = |at: u64| usize::try_from(at).expect("it is mapped");
        std::str::from_utf8(&self.latex[place(start)..place(end)]).expect("it was written as text")
    }

    /// The visual ids that are documents, the smallest formulas first; of the same size, those that look alike
    /// together.
    fn in_order(&self) -> Vec<u32> {
        let mut documents: Vec<u32> =
            (0_u32..).zip(&self.wanted).filter(|(_, wanted)| **wanted).map(|(visual, _)| visual).collect();
        documents.sort_by_key(|visual| (self.sizes[*visual as usize], self.outlines[*visual as usize]));
        documents
    }

    fn write(&self, file: &mut FrameWriter, collection: &Collection, documents: &[u32]) -> Result<(), Error> {
        file.numbers("formula.visual", documents)?;
        let mut of_visual = vec![u32::MAX; self.wanted.len()];
        for (doc, &visual) in (0_u32..).zip(documents) {
            of_visual[visual as usize] = doc;
        }
        file.numbers("visual.formula", &of_visual)?;
        file.items("formula.size", documents.iter().map(|visual| [self.sizes[*visual as usize]]))?;
        // Visual ids decide between formulas with the same score, as strings.
        let mut order: Vec<u32> = (0_u32..).zip(documents).map(|(doc, _)| doc).collect();
        let digits = |doc: &u32| Digits::of(collection.visual_id(VisualNo(documents[*doc as usize])));
        order.sort_by_cached_key(digits);
        let mut ranks = vec![0; documents.len()];
        for (rank, doc) in (0_u32..).zip(order) {
            ranks[doc as usize] = rank;
        }
        file.numbers("formula.rank", &ranks)?;
        let mut end = 0;
        let ends = documents.iter().map(|visual| {
            end += self.latex(*visual).len() as u64;
            let mut bytes = [0; END];
            bytes.copy_from_slice(&end.to_le_bytes()[..END]);
            bytes
        });
        file.items("formula.latex.ends", ends)?;
        file.section::<Error>("formula.latex", |put| {
            Ok(documents.iter().try_for_each(|visual| put(self.latex(*visual).as_bytes()))?)
        })?;
        Ok(())
    }

    fn remove(self) -> Result<(), Error> {
        let Self { path, latex, .. } = self;
        drop(latex);
        fs::remove_file(&path).map_err(Error::io(&path))
    }
}

/// A number in the order of its decimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Digits([u8; 20]);

impl Digits {
    fn of(number: u64) -> Self {
        let mut digits = [0; 20];
        let mut rest = &mut digits[..];
        // Twenty digits hold every number of 64 bits.
        let _ = write!(rest, "{number}");
        rest.fill(0);
        Self(digits)
    }
}

/// For each visual id the first of its forms that stands in a post, or `u32::MAX`.
fn chosen_forms(collection: &Collection) -> Vec<u32> {
    let mut chosen = vec![u32::MAX; collection.num_visuals() as usize];
    for post in collection.posts() {
        for formula in collection.formulas_of_post(post) {
            let form = collection.formula_form(store::FormulaNo(formula));
            let chosen = &mut chosen[collection.form_visual(form).index()];
            *chosen = form.0.min(*chosen);
        }
    }
    chosen
}

/// A formula that was read.
struct Read {
    visual: VisualNo,
    latex: String,
    size: u8,
    outline: u64,
}

fn read_form(
    visual: VisualNo,
    form: FormNo,
    reader: &mut Reader<'_>,
    texts: &mut FormulaTexts,
    extractor: &mut Extractor,
) -> Result<Read, Error> {
    let mut latex = texts.latex(reader, form)?;
    if latex.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|end| latex.is_char_boundary(*end)).unwrap_or(0);
        latex.truncate(end);
    }
    extractor.read(&latex, Mode::Document);
    let (size, outline) = extractor.outline();
    let size = u8::try_from(size).unwrap_or(u8::MAX);
    Ok(Read { visual, latex, size, outline })
}
