//! The record of a run: the file `RUN.json` beside a run `RUN`, in which `hypatia run` states how it was made.
//!
//! Only the fields that others need are read here: the system, the kind of its answers, the models it used with
//! their training sets, and the queries of a manual run. Everything else in the file is ignored, so other programs
//! may write such a record.

use crate::error::Error;
use crate::exposure::Exposure;
use crate::json;
use crate::source::{Source, SourceText};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A record holds names and times; a larger file is something else.
const LARGEST: u64 = 16 << 20;

/// How a run was made, as far as readers of runs need it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRecord {
    /// The system that made the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Where the answers of a Task 3 run come from: `extracted` or `generated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The language model that wrote the answers of a Task 3 run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The models that ranked.
    pub models: Vec<RecordedModel>,
    /// The queries that people made in the place of topics; what other programs call so is ignored.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub queries: Option<RecordedQueries>,
}

/// Queries of a manual run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedQueries {
    /// The name of their file, which lies beside the run.
    pub kept: String,
    /// A checksum of it.
    #[serde(default)]
    pub fingerprint: String,
}

/// A field that other programs may fill as they like.
fn if_readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(field: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(serde_json::Value::deserialize(field)?).ok())
}

/// A model that a run was made with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RecordedModel {
    /// Its name in the store of models.
    pub name: String,
    /// A checksum of its files.
    #[serde(default)]
    pub fingerprint: String,
    /// Its training sets, as far as they are known.
    #[serde(default)]
    pub trained_on: Vec<String>,
    /// Those topics of the run on whose judgments it was trained.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen_topics: Vec<String>,
}

impl RecordedModel {
    /// Whether the model was trained on Math Stack Exchange, the site of ARQMath's topics, or on judgments of the
    /// topics themselves.
    #[must_use]
    pub fn exposure(&self) -> Exposure {
        if self.seen_topics.is_empty() { Exposure::of(&self.trained_on) } else { Exposure::Topics }
    }
}

/// A record with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFile {
    /// The fields of the record.
    pub record: RunRecord,
    /// The text of the file.
    pub text: String,
}

impl RunRecord {
    /// Reads the text of a record.
    ///
    /// # Errors
    ///
    /// When it is not JSON, or a field has another type.
    pub fn read(source: Source<'_>) -> Result<Self, Error> {
        Ok(RecordFile::read(source)?.record)
    }

    /// The record as JSON, as it is written beside a run.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("strings can always be written as JSON");
        json.push('\n');
        json
    }
}

impl RecordFile {
    /// The path of the record of a run: the path of the run with `.json` behind.
    #[must_use]
    pub fn path(run: &Path) -> PathBuf {
        let mut path = OsString::from(run);
        path.push(".json");
        path.into()
    }

    /// Reads the record beside a run; nothing if there is none. A run that was packed later, `RUN.gz`, has the
    /// record of `RUN` unless it has one of its own.
    ///
    /// # Errors
    ///
    /// When the record cannot be read, or is damaged.
    pub fn beside(run: &Path) -> Result<Option<Self>, Error> {
        if run == Path::new("-") {
            return Ok(None);
        }
        let unpacked = run.extension().filter(|ending| *ending == "gz").map(|_| run.with_extension(""));
        for run in std::iter::once(run).chain(unpacked.as_deref()) {
            let path = Self::path(run);
            match path.metadata() {
                Ok(file) if file.len() > LARGEST => {
                    let (file, reason) =
                        (path.display().to_string(), "too large for the record of a run".to_owned());
                    return Err(Error::File { file, reason });
                }
                Ok(_) => return Self::read(Source::path(&path)).map(Some),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(Error::Io { file: path.display().to_string(), cause }),
            }
        }
        Ok(None)
    }

    fn read(source: Source<'_>) -> Result<Self, Error> {
        let source = source.read()?;
        let record = json::read(&source)?;
        let SourceText { text, .. } = source;
        Ok(Self { record, text })
    }
}

/// The models of runs that were trained, or perhaps trained, on the site of the topics, or on the topics themselves.
///
/// Tables mark such a run with ‡ and explain the mark in one line: [`Exposed::note`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposed(Vec<RecordedModel>);

impl Exposed {
    /// Those among the models of one or more runs, each once.
    pub fn among<'a>(models: impl IntoIterator<Item = &'a RecordedModel>) -> Self {
        let exposed = models.into_iter().filter(|model| model.exposure() > Exposure::Unknown);
        let mut exposed: Vec<RecordedModel> = exposed.cloned().collect();
        exposed.sort();
        exposed.dedup_by(|left, right| left.name == right.name && left.exposure() == right.exposure());
        Self(exposed)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The exposure of a run with these models: that of its most exposed one.
    #[must_use]
    pub fn exposure(&self) -> Exposure {
        self.0.iter().map(RecordedModel::exposure).max().unwrap_or(Exposure::Unknown)
    }

    /// The meaning of the mark ‡ below a table; nothing if no model is exposed.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let (saw_topics, others): (Vec<&RecordedModel>, Vec<&RecordedModel>) =
            self.0.iter().partition(|model| model.exposure() == Exposure::Topics);
        let mut notes = Vec::new();
        if !saw_topics.is_empty() {
            let named = saw_topics.iter().map(|model| {
                let plural = if model.seen_topics.len() == 1 { "" } else { "s" };
                format!("{} ({} topic{plural})", model.name, model.seen_topics.len())
            });
            let named: Vec<String> = named.collect();
            notes.push(format!(
                "‡ train-on-test: ranked with a model that was trained on judgments of these topics, so that its \
                 scores say nothing about others: {}.",
                named.join(", ")
            ));
        }
        if !others.is_empty() {
            let named = others.iter().map(|model| match model.exposure() {
                Exposure::Likely => format!("{} (perhaps)", model.name),
                Exposure::Yes | Exposure::Unknown | Exposure::Topics => model.name.clone(),
            });
            let named: Vec<String> = named.collect();
            notes.push(format!(
                "‡ ranked with a model trained on Math Stack Exchange, the site of ARQMath's topics, so that its \
                 scores may be too high: {}.",
                named.join(", ")
            ));
        }
        Some(notes.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    const RECORD: &str = r#"{"program": "hypatia", "system": "dense", "topics": 2, "models":
        [{"name": "mini", "fingerprint": "ab", "trained_on": ["math.stackexchange.com"]}, {"name": "plain"}]}"#;

    fn beside(dir: &TempDir, run: &str) -> Result<Option<RunRecord>, String> {
        let found = RecordFile::beside(&dir.path().join(run));
        found.map(|file| file.map(|file| file.record)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_record_lies_beside_the_run() {
        let dir = TempDir::new("record");
        assert_eq!(beside(&dir, "run.tsv"), Ok(None));
        dir.write("run.tsv.json", RECORD);
        let record = beside(&dir, "run.tsv").unwrap().unwrap();
        assert_eq!(record.system.as_deref(), Some("dense"));
        assert_eq!(record.models.len(), 2);
        // Packing a run does not lose its record.
        assert_eq!(beside(&dir, "run.tsv.gz").unwrap(), Some(record));
        assert_eq!(RecordFile::beside(Path::new("-")).unwrap(), None);
    }

    #[test]
    fn a_damaged_record_is_named_with_the_reason() {
        let dir = TempDir::new("record-damaged");
        dir.write("cut.tsv.json", &RECORD[..40]);
        let error = beside(&dir, "cut.tsv").unwrap_err();
        assert!(error.contains("cut.tsv.json:1:40: ") && error.contains("EOF while parsing"), "{error}");
        dir.write("other.tsv.json", r#"{"models": "none"}"#);
        let error = beside(&dir, "other.tsv").unwrap_err();
        assert!(error.contains("other.tsv.json:1:17: ") && error.contains("expected a sequence"), "{error}");
        std::fs::create_dir(dir.path().join("folder.tsv.json")).unwrap();
        assert!(beside(&dir, "folder.tsv").unwrap_err().contains("is a folder, not a file"));
    }

    #[test]
    fn a_record_that_is_written_is_read_back() {
        let model = RecordedModel { name: "mini".to_owned(), ..RecordedModel::default() };
        let record =
            RunRecord { system: Some("dense".to_owned()), models: vec![model], ..RunRecord::default() };
        assert_eq!(RunRecord::read(Source::bytes("r.json", record.to_json())).unwrap(), record);
    }

    #[test]
    fn exposed_models_are_named_once() {
        let model = |name: &str, set: &str| RecordedModel {
            name: name.to_owned(),
            fingerprint: String::new(),
            trained_on: vec![set.to_owned()],
            seen_topics: Vec::new(),
        };
        let seen = model("mini", "math.stackexchange.com");
        let models = [model("plain", "ms-marco"), model("some", "hub/stackexchange_xml"), seen.clone(), seen];
        let exposed = Exposed::among(&models);
        assert_eq!(exposed.exposure(), Exposure::Yes);
        assert!(exposed.note().unwrap().ends_with("may be too high: mini, some (perhaps)."));
        assert_eq!(Exposed::among(&models[..2]).exposure(), Exposure::Likely);
        assert_eq!(Exposed::among(&models[..1]).note(), None);
    }

    #[test]
    fn a_model_that_saw_the_topics_is_exposed_whatever_its_sets() {
        let topics = ["B.1", "B.2"].map(str::to_owned).to_vec();
        let model = RecordedModel { name: "ltr".to_owned(), seen_topics: topics, ..RecordedModel::default() };
        let exposed = Exposed::among([&model]);
        assert_eq!((exposed.exposure(), exposed.exposure().word()), (Exposure::Topics, "topics"));
        let note = exposed.note().unwrap();
        assert!(note.starts_with("‡ train-on-test") && note.ends_with("others: ltr (2 topics)."), "{note}");
        let other =
            RecordedModel { name: "mini".to_owned(), trained_on: vec!["arqmath".into()], ..model.clone() };
        let other = RecordedModel { seen_topics: Vec::new(), ..other };
        let both = Exposed::among([&model, &other]).note().unwrap();
        assert!(both.contains("ltr (2 topics). ‡ ranked") && both.ends_with("high: mini."), "{both}");
        // Records of other runs have no such field.
        assert!(!RunRecord { models: vec![other], ..RunRecord::default() }.to_json().contains("seen_topics"));
    }
}
