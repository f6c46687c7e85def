//! `hypatia index`: files or a collection become an index, and stay one when posts come and go.

mod encode;
mod facts;
mod source;

use crate::place::find_index_by;
use crate::settings::Settings;
use crate::{Exit, Run, output, warn};
use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use encode::{EncodeArgs, as_kinds, parts_of};
use facts::{Facts, Work};
use index::{Change, Error, FeatureKind, Index, Options, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::Strictness;
use source::Source;
use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;
use store::Collection;

/// With more distinct formulas than this, `auto` takes only what our own systems need.
const MANY_FORMULAS: u32 = 1_000_000;
/// With more posts than this, `auto` takes only what our own systems need.
const MANY_POSTS: u32 = 300_000;

const LONG_ABOUT: &str = "\
Makes an index, in which words and formulas are found at once, of your files or of a collection.

SOURCE is whatever `hypatia collection build` reads: a folder, file or archive with posts of Stack Exchange \
or ARQMath, NTCIR documents, Markdown, HTML, LaTeX or JSON lines; or a collection that was built before. \
Build the collection by itself where you want its report, or several indexes of it. Without -o the index is \
that of the settings, by default hypatia.index in the current folder.

An index is a folder. It holds the collection itself (under another name for the same file, where \
the disk can do that), an index of its distinct formulas, and one of its posts: the words of title, \
text, tags and comments, and the features of formulas. The memory that a build takes does not grow \
with the texts, and all cores are used; the bytes are the same whatever their number.

An index is in the state before a change or after it, whatever happens on the way. A build that was \
cut off is taken up again where it was when the same command is given once more. Searches that have \
the index open keep the state they opened.

  --update adds the posts of a collection; those with an id that is known replace what was there.
  --delete takes posts out; the answers to a deleted question stay.
  --compact puts what --update and --delete have left into one piece.
  --encode adds vectors by a model of the store (see `hypatia model`), for search by meaning: while an index is \
built, or to one that is there. Updates encode what is new.
  --verify reads all of it and compares checksums; the program leaves with 1 if it is damaged.
  --info says what is in it.

Features are what formulas are found by: parts (our own), pairs and \
pairs-opt (Tangent-S), tuples (Tangent-L), paths (approach0), ngrams. --features chooses them for the \
index of distinct formulas, --post-features for that of posts: a list with commas, 'all', 'none', or \
'auto'. With 'auto' all are taken up to 1,000,000 distinct formulas, and up to 300,000 posts; beyond \
that what our own systems need, parts of formulas, and parts and paths of posts, since the others \
take several times the room.";

const EXAMPLES: &str = "\
Examples:
  hypatia index notes/                                    your notes, as hypatia.index
  hypatia index --sample                                  the sample, to try things on
  hypatia index math.coll -o math.index                   a collection that was built before
  hypatia index math.coll -o math.index --features parts --post-features parts,tuples
  hypatia index new.coll -o math.index --update           add and replace posts
  hypatia index -o math.index --delete 1023,1047          delete two posts
  hypatia index -o math.index --delete @ids.txt           those in a file, an id a line
  hypatia index new.coll -o math.index --update --delete @gone.txt
  hypatia index math.coll -o math.index --encode all-MiniLM-L6-v2
  hypatia index -o math.index --encode all-MiniLM-L6-v2   vectors for an index that is there
  hypatia index -o math.index --compact                   after many changes
  hypatia index -o math.index --verify                    is it as it was written?
  hypatia index -o math.index --info --format json | jq .posts";

/// Make and keep an index of files or of a collection
#[derive(Debug, Args)]
#[command(
    long_about = LONG_ABOUT,
    after_help = EXAMPLES,
    group = ArgGroup::new("look").args(["compact", "verify", "info"])
)]
pub(crate) struct IndexCommand {
    /// The folder, file, archive or collection whose posts are indexed
    #[arg(value_name = "SOURCE")]
    source: Option<PathBuf>,

    /// Index the sample that is part of the program
    #[arg(long, conflicts_with_all = ["source", "look", "delete"])]
    sample: bool,

    /// Index what can be read of files that are cut short or damaged
    #[arg(long, conflicts_with = "look")]
    keep_going: bool,

    /// The folder of the index: a new or empty one, or an index, which is replaced at the end [default: that
    /// of the settings, see hypatia config]
    #[arg(short, long, value_name = "INDEX")]
    output: Option<PathBuf>,

    /// What formulas are found by: kinds with commas between them, all, none or auto
    #[arg(long, value_name = "LIST", default_value = "auto")]
    features: Choice,

    /// What posts are found by: kinds with commas between them, all, none or auto
    #[arg(long, value_name = "LIST", default_value = "auto")]
    post_features: Choice,

    #[command(flatten)]
    vectors: EncodeArgs,

    /// Add the posts of SOURCE to the index; those with a known id replace what was there
    #[arg(long, conflicts_with_all = ["look", "features", "post_features"])]
    update: bool,

    /// Delete the posts with these ids: with commas between them, or @FILE with one a line
    #[arg(long, value_name = "IDS", conflicts_with_all = ["look", "features", "post_features"])]
    delete: Option<String>,

    /// Put all that is valid into one piece
    #[arg(long, conflicts_with_all = ["features", "post_features"])]
    compact: bool,

    /// Read all of the index and compare checksums
    #[arg(long, conflicts_with_all = ["features", "post_features"])]
    verify: bool,

    /// Print what is in the index
    #[arg(long, conflicts_with_all = ["features", "post_features"])]
    info: bool,

    /// How to print what is in the index
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A name and a number a line
    Text,
    /// An object
    Json,
}

/// Which kinds of features are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    Auto,
    All,
    Kinds(Vec<FeatureKind>),
}

impl FromStr for Choice {
    type Err = index::UnknownFeatures;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => return Ok(Self::Auto),
            "all" => return Ok(Self::All),
            "none" => return Ok(Self::Kinds(Vec::new())),
            _ => {}
        }
        let kinds: BTreeSet<FeatureKind> =
            text.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Self::Kinds(kinds.into_iter().collect()))
    }
}

impl Choice {
    /// The kinds for so many things; with more than `many`, only the `needed` of all that there are.
    fn kinds(&self, all: &[FeatureKind], needed: &[FeatureKind], count: u32, many: u32) -> Vec<FeatureKind> {
        match self {
            Self::Kinds(kinds) => kinds.clone(),
            Self::All => all.to_vec(),
            Self::Auto if count <= many => all.to_vec(),
            Self::Auto => needed.to_vec(),
        }
    }
}

impl Run for IndexCommand {
    fn run(self) -> Result<Exit> {
        let target = &*self.target()?;
        if self.info {
            self.print(&Facts::of(&Index::open(target)?, None))?;
            return Ok(Exit::Yes);
        }
        if self.verify {
            return verify(target);
        }
        let replaces = index::is_index(target) && self.builds() && !self.adds_or_drops_vectors();
        let started = Instant::now();
        let watcher = Watcher::default();
        let (index, work) = if let Some(model) = self.vectors.drops() {
            (drop_vectors(target, model)?, Work::default())
        } else if self.vectors.encodes() && self.source.is_none() && !self.sample {
            (self.encode(target, &watcher)?, Work::default())
        } else if self.compact {
            let vectors = self.vectors.of_index(&Index::open(target)?)?;
            let kinds = vectors.kinds();
            (index::compact_with(target, &as_kinds(&kinds), &watcher)?, Work::default())
        } else if self.update || self.delete.is_some() {
            self.change(target, &watcher)?
        } else {
            (self.build(target, &watcher)?, Work::default())
        };
        drop(watcher);
        if replaces {
            output::note(&format!("{}: replaced", target.display()));
        }
        let work = Work { seconds: started.elapsed().as_secs_f64(), ..work };
        self.print(&Facts::of(&index, Some(work)))?;
        Ok(Exit::Yes)
    }
}

impl IndexCommand {
    fn strictness(&self) -> Strictness {
        if self.keep_going { Strictness::KeepGoing } else { Strictness::Lenient }
    }

    /// Whether a whole index is made.
    fn builds(&self) -> bool {
        !(self.compact || self.verify || self.info || self.update || self.delete.is_some())
    }

    /// Whether an index that is there gets vectors, or loses some.
    fn adds_or_drops_vectors(&self) -> bool {
        let has_source = self.source.is_some() || self.sample;
        self.vectors.drops().is_some() || self.vectors.encodes() && !has_source
    }

    /// Adds vectors to an index.
    fn encode(&self, target: &Path, watcher: &Watcher) -> Result<Index> {
        let vectors = self.vectors.wanted()?;
        Ok(index::add_parts(target, &as_kinds(&vectors.kinds()), watcher)?)
    }

    /// The folder of the index, if the arguments make sense together.
    fn target(&self) -> Result<PathBuf> {
        let look = self.compact || self.verify || self.info;
        let has_source = self.source.is_some() || self.sample;
        match (&self.source, &self.output) {
            (Some(source), Some(_)) if look || (self.delete.is_some() && !self.update) => {
                let source = source.display();
                bail!("{source} is not needed here; name the index with -o alone, or add --update")
            }
            (Some(index), None) if look => Ok(index.clone()),
            (None, index) if self.adds_or_drops_vectors() => find_index_by("-o", index.as_deref()),
            _ if self.update && !has_source => bail!(
                "--update needs the files or the collection whose posts are added: \
                 `hypatia index SOURCE -o INDEX --update`"
            ),
            (None, Some(index)) if self.builds() && !has_source => bail!(
                "nothing to do with {0}: `hypatia index SOURCE -o {0}` builds it; --info, --verify, --compact, \
                 --delete and --update need an index that exists",
                index.display()
            ),
            (None, None) if self.builds() && !has_source => {
                bail!(
                    "nothing to index: `hypatia index FOLDER`, or `hypatia index --sample`; --help has examples"
                )
            }
            (_, Some(index)) if self.builds() || self.verify => Ok(index.clone()),
            (_, Some(index)) => find_index_by("-o", Some(index)),
            (_, None) if self.builds() => Ok(Settings::read()?.index.value),
            (_, None) => find_index_by("-o", None),
        }
    }

    fn build(&self, target: &Path, watcher: &Watcher) -> Result<Index> {
        let source = Source::open(self.source.as_deref(), target, self.strictness())?;
        let collection = Collection::open(source.collection())?;
        let options = Options {
            formula_features: self.features.kinds(
                &FeatureKind::ALL,
                &[FeatureKind::Parts],
                collection.num_visuals(),
                MANY_FORMULAS,
            ),
            post_features: self.post_features.kinds(
                &FeatureKind::OF_POSTS,
                &[FeatureKind::Parts, FeatureKind::Paths],
                collection.num_posts(),
                MANY_POSTS,
            ),
        };
        drop(collection);
        let vectors = self.vectors.wanted()?;
        let kinds = vectors.kinds();
        match index::build_with(source.collection(), target, &options, &as_kinds(&kinds), watcher) {
            Err(Error::NotAnIndex(folder)) => bail!("{}", not_ours(&folder)),
            built => Ok(built?),
        }
    }

    fn change(&self, target: &Path, watcher: &Watcher) -> Result<(Index, Work)> {
        let delete = match &self.delete {
            None => Vec::new(),
            Some(ids) => read_ids(ids)?,
        };
        let source = if self.update {
            Some(Source::open(self.source.as_deref(), target, self.strictness())?)
        } else {
            None
        };
        let change = Change { add: source.as_ref().map(Source::collection), delete: &delete };
        let vectors = self.vectors.of_index(&Index::open(target)?)?;
        let kinds = vectors.kinds();
        let (index, changed) = index::change_with(target, change, &as_kinds(&kinds), watcher)?;
        if changed.unknown > 0 {
            warn(&format!("{} of the ids to be deleted are not in the index", changed.unknown));
        }
        Ok((index, Work { changed: Some(changed), ..Work::default() }))
    }

    fn print(&self, facts: &Facts) -> Result<()> {
        let text = match self.format {
            Format::Text => facts.to_text(),
            Format::Json => facts.to_json(),
        };
        output::print(text.as_bytes())
    }
}

/// Removes the vectors of a model from an index.
fn drop_vectors(target: &Path, model: &str) -> Result<Index> {
    let parts = parts_of(&Index::open(target)?, model)?;
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    Ok(index::remove_parts(target, &names)?)
}

/// What to say of a folder that is in the way.
fn not_ours(folder: &Path) -> String {
    let folder = folder.display();
    format!("{folder}: contains other files; -o needs a new or empty folder, or an index to replace")
}

/// Ids with commas between them, or one a line in a file.
fn read_ids(ids: &str) -> Result<Vec<String>> {
    let found: BTreeSet<String> = match ids.strip_prefix('@') {
        None => ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect(),
        Some(file) => {
            let text = fs::read_to_string(file).with_context(|| file.to_owned())?;
            text.lines().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect()
        }
    };
    if found.is_empty() {
        bail!("--delete {ids}: there is no id");
    }
    Ok(found.into_iter().collect())
}

/// Damage is an answer; that there is no index at all is not.
fn verify(target: &Path) -> Result<Exit> {
    match Index::open(target).and_then(|index| index.check().map(|()| index)) {
        Ok(index) => {
            let mut text = format!("whole: {} bytes, {} posts", index.size(), index.num_posts());
            if !index.parts().is_empty() {
                text.push_str(&format!(", parts {}", facts::part_names(&index).join(",")));
            }
            output::print(format!("{text}\n").as_bytes())?;
            Ok(Exit::Yes)
        }
        Err(error) if error.is_damage() => {
            output::print(format!("{error}\n").as_bytes())?;
            Ok(Exit::No)
        }
        Err(error) => Err(error.into()),
    }
}

/// Shows how far the work is.
struct Watcher {
    bar: Option<ProgressBar>,
}

impl Default for Watcher {
    fn default() -> Self {
        Self { bar: stderr().is_terminal().then(|| ProgressBar::new(0)) }
    }
}

impl Watch for Watcher {
    fn stage(&self, name: &str, steps: u64) {
        let Some(bar) = &self.bar else { return };
        let template = match steps {
            0 => "{msg:18} {elapsed}",
            _ => "{msg:18} {bar:32} {human_pos}/{human_len}  {eta} left",
        };
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(name.to_owned());
        bar.set_length(steps);
        bar.set_position(0);
        bar.reset_eta();
    }

    fn done(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(steps);
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
