//! What runs and their files are called, by the guidelines of the labs.

use ::formats::check::{AnswerType, Data, Evaluation, RunType, SubmissionName, Task};
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
    pub(super) file: String,
}

/// What a run made of queries by hand is called beside its automatic twin.
const BY_HAND: &str = "_by_hand";

impl Named {
    /// By the guidelines, with the name of the system or the tag that was asked for. A tag that follows the
    /// guidelines is the whole name.
    pub(super) fn new(
        task: Task,
        system: &str,
        tag: Option<&str>,
        data: Data,
        answer_type: Option<AnswerType>,
        run_type: RunType,
    ) -> Self {
        let file = |id: String| {
            SubmissionName {
                group: TEAM.to_owned(),
                task,
                id,
                run_type,
                data,
                answer_type,
                evaluation: Evaluation::Primary,
            }
            .to_string()
        };
        let Some(tag) = tag else {
            let by_hand = if run_type == RunType::Manual { BY_HAND } else { "" };
            let file = file(id(system) + by_hand);
            let tag = file.strip_suffix(".tsv").unwrap_or(&file).to_owned();
            return Self { tag, file };
        };
        let whole = format!("{tag}.tsv");
        let is_name = SubmissionName::parse(&whole).is_ok_and(|(_, departures)| departures.is_empty());
        Self { tag: tag.to_owned(), file: if is_name { whole } else { file(id(&plain(tag))) } }
    }

    /// Whether the run is called automatic or manual.
    pub(super) fn run_type(&self) -> Option<RunType> {
        SubmissionName::parse(&self.file).ok().map(|(name, _)| name.run_type)
    }

    /// What the automatic twin of a manual run is called.
    pub(super) fn twin(&self) -> Self {
        let own = SubmissionName::parse(&self.file).map(|(name, _)| twin(&name).to_string());
        let file = own.unwrap_or_else(|_| format!("auto-{}", self.file));
        let is_name = format!("{}.tsv", self.tag) == self.file;
        let tag =
            if is_name { file.trim_end_matches(".tsv").to_owned() } else { format!("{}-auto", self.tag) };
        Self { tag, file }
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

/// The name of the automatic twin of a manual run: another id, since a team gives an id once, and never primary.
pub(super) fn twin(manual: &SubmissionName) -> SubmissionName {
    let id = manual.id.strip_suffix(BY_HAND).map_or_else(|| format!("{}_auto", manual.id), str::to_owned);
    SubmissionName { id, run_type: RunType::Auto, evaluation: Evaluation::Alternate, ..manual.clone() }
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
        use Data::{Both, Math, Text};
        let (auto, manual) = (RunType::Auto, RunType::Manual);
        for (system, tag, data, run_type, expected) in [
            ("bm25", None, Text, auto, "hypatia-task1-bm25-auto-text-P.tsv"),
            ("tf-idf+tangent-s", None, Both, auto, "hypatia-task1-tf_idf_tangent_s-auto-both-P.tsv"),
            ("bm25", Some("my run/2"), Math, auto, "hypatia-task1-my_run_2-auto-math-P.tsv"),
            ("bm25", Some("us-task1-first-manual-both-A"), Math, manual, "us-task1-first-manual-both-A.tsv"),
            ("bm25", None, Text, manual, "hypatia-task1-bm25_by_hand-manual-text-P.tsv"),
        ] {
            let named = Named::new(Task::Task1, system, tag, data, None, run_type);
            assert_eq!(named.file, expected);
            assert_eq!(named.run_type(), Some(run_type));
            assert_eq!(named.tag, tag.unwrap_or(expected.trim_end_matches(".tsv")));
        }
    }

    #[test]
    fn an_automatic_twin_has_an_id_of_its_own_and_is_not_primary() {
        for (tag, file, twin_tag) in [
            (None, "hypatia-task1-bm25-auto-text-A.tsv", "hypatia-task1-bm25-auto-text-A"),
            (
                Some("us-task1-first-manual-both-P"),
                "us-task1-first_auto-auto-both-A.tsv",
                "us-task1-first_auto-auto-both-A",
            ),
            (Some("mine"), "hypatia-task1-mine_auto-auto-text-A.tsv", "mine-auto"),
        ] {
            let twin = Named::new(Task::Task1, "bm25", tag, Data::Text, None, RunType::Manual).twin();
            assert_eq!((twin.file.as_str(), twin.tag.as_str()), (file, twin_tag));
        }
    }
}
