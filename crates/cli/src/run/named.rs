//! What runs and their files are called, by the guidelines of the labs.

use ::collection::check::{AnswerType, Data, Evaluation, RunType, SubmissionName, Task};
use anyhow::{Context, Result};
use retrieve::Uses;
use std::fs;
use std::path::{Path, PathBuf};

/// Who runs of this program are of, unless a tag says otherwise.
const TEAM: &str = "hypatia";

/// What the guidelines call the data that a system uses. They have no word for links.
pub(crate) fn data(uses: Uses) -> Data {
    match uses {
        Uses::Words => Data::Text,
        Uses::Formulas => Data::Math,
        Uses::Both | Uses::Nothing => Data::Both,
    }
}

/// The name of a system as the id of a run.
pub(crate) fn id(system: &str) -> String {
    system.replace(['-', '+'], "_")
}

/// What a run is called.
pub(super) struct Named {
    /// In its last column.
    pub(super) tag: String,
    /// As a file.
    file: String,
}

impl Named {
    /// By the guidelines, with the name of the system or the tag that was asked for. A tag that follows the
    /// guidelines is the whole name.
    pub(super) fn new(
        task: Task,
        system: &str,
        tag: Option<&str>,
        data: Data,
        answer_type: Option<AnswerType>,
    ) -> Self {
        let file = |id: String| {
            SubmissionName {
                group: TEAM.to_owned(),
                task,
                id,
                run_type: RunType::Auto,
                data,
                answer_type,
                evaluation: Evaluation::Primary,
            }
            .to_string()
        };
        let Some(tag) = tag else {
            let file = file(id(system));
            let tag = file.strip_suffix(".tsv").unwrap_or(&file).to_owned();
            return Self { tag, file };
        };
        let whole = format!("{tag}.tsv");
        let is_name = SubmissionName::parse(&whole).is_ok_and(|(_, departures)| departures.is_empty());
        Self { tag: tag.to_owned(), file: if is_name { whole } else { file(id(&plain(tag))) } }
    }

    /// Where the run goes: the file that is named, or one with the guidelines' name in a folder, which is made
    /// if its path ends in a slash.
    pub(super) fn path(&self, output: &Path) -> Result<PathBuf> {
        let is_folder = output.to_string_lossy().ends_with(std::path::MAIN_SEPARATOR);
        if is_folder {
            fs::create_dir_all(output).with_context(|| output.display().to_string())?;
        }
        Ok(if is_folder || output.is_dir() { output.join(&self.file) } else { output.to_owned() })
    }
}

/// A tag without what no file is called.
fn plain(tag: &str) -> String {
    tag.replace(|letter: char| letter == '/' || letter.is_whitespace() || letter.is_control(), "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_guidelines() {
        for (system, tag, data, expected) in [
            ("bm25", None, Data::Text, "hypatia-task1-bm25-auto-text-P.tsv"),
            ("tf-idf+tangent-s", None, Data::Both, "hypatia-task1-tf_idf_tangent_s-auto-both-P.tsv"),
            ("bm25", Some("my run/2"), Data::Math, "hypatia-task1-my_run_2-auto-math-P.tsv"),
            ("bm25", Some("us-task1-first-manual-both-A"), Data::Math, "us-task1-first-manual-both-A.tsv"),
        ] {
            let named = Named::new(Task::Task1, system, tag, data, None);
            assert_eq!(named.file, expected);
            assert_eq!(named.tag, tag.unwrap_or(expected.trim_end_matches(".tsv")));
        }
    }
}
