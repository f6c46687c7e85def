//! Files that are missing, were changed or are not known.

use super::Findings;
use crate::change::{OWN, list, staged, unstaged};
use crate::files::checksum;
use crate::folder::Lab;
use crate::known::Known;
use formats::check::Task;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pub(super) fn check(lab: &Lab, findings: &mut Findings) {
    let known = match known_files(lab) {
        Ok(known) => known,
        Err(cause) => return findings.database(&cause, "lab.db"),
    };
    for (path, (bytes, sha256)) in &known {
        check_file(lab, path, *bytes, sha256, findings);
    }
    let mut strangers = BTreeSet::new();
    for folder in OWN {
        list(lab.root(), Path::new(folder), &mut strangers);
    }
    for path in strangers.iter().filter(|path| !known.contains_key(*path)) {
        let is_hidden =
            path.rsplit('/').next().is_some_and(|name| name.starts_with('.') && name.ends_with(".tmp"));
        match unstaged(path) {
            // Told with the file that it becomes.
            Some(of) if known.get(&of).is_some_and(|(_, sha256)| staged(&of, sha256) == *path) => {}
            Some(_) => findings.note(
                path,
                "unfinished: the command that wrote it was interrupted or is still running; the next \
                 command that changes the lab removes what is left",
            ),
            None if is_hidden => {
                findings.note(path, "left behind when writing was interrupted; it can be deleted");
            }
            None => {
                findings
                    .damage(path, "the lab does not know this file; submit or import it, or take it away");
            }
        }
    }
    for set in &lab.manifest().sets {
        let files = [set.questions.as_ref(), set.formulas.as_ref()].into_iter().flatten();
        let paths =
            files.flat_map(|files| [Some(&files.topics), files.labels.as_ref(), files.qrels.as_ref()]);
        for path in paths.flatten().filter(|path| !known.contains_key(*path)) {
            findings
                .damage("lab.toml", format!("the set {} names {path}, which the lab never took", set.name));
        }
    }
    check_topics(lab, findings);
    if let Err(error) = Known::open(lab) {
        findings.error("collection", &error);
    }
    if let Err(error) = lab.topic_threads() {
        findings.error("topic_threads", &error);
    }
    if let Ok(Known::Table(path)) = Known::open(lab)
        && !path.exists()
    {
        findings.damage("formulas", format!("{}: the table of formulas is missing", path.display()));
    }
}

/// Holds a file against its size and checksum.
fn check_file(lab: &Lab, path: &str, bytes: u64, sha256: &str, findings: &mut Findings) {
    let read = || fs::read(lab.path(path));
    let is_whole =
        |found: &std::io::Result<Vec<u8>>| found.as_ref().is_ok_and(|found| checksum(found) == sha256);
    let found = read();
    if is_whole(&found) {
        return;
    }
    if is_whole(&fs::read(lab.path(&staged(path, sha256)))) {
        let text = "unfinished: the file is registered and whole, but not in place yet; the next command that \
                    changes the lab moves it there";
        return findings.note(path, text);
    }
    // It may have been moved into place meanwhile.
    if is_whole(&read()) {
        return;
    }
    match found {
        Err(error) => findings.io(path, &error),
        Ok(found) if found.len() as u64 != bytes => {
            let text = format!("the file has {} bytes, and had {bytes} when the lab took it", found.len());
            findings.damage(path, text);
        }
        Ok(_) => {
            findings.damage(path, "the file was changed since the lab took it (its checksum is another)");
        }
    }
}

fn known_files(lab: &Lab) -> rusqlite::Result<BTreeMap<String, (u64, String)>> {
    let mut statement = lab.database().prepare("SELECT path, bytes, sha256 FROM file")?;
    let rows = statement.query_map([], |row| {
        let bytes = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        Ok((row.get::<_, String>(0)?, (bytes, row.get::<_, String>(2)?)))
    })?;
    rows.collect()
}

/// Topics that cannot be read, and earlier judgments of other topics.
fn check_topics(lab: &Lab, findings: &mut Findings) {
    for set in &lab.manifest().sets {
        for task in [Task::Task1, Task::Task2] {
            let Some(files) = set.files(task) else { continue };
            // A file that is missing or was changed is told above.
            if lab.unchanged(&files.topics).is_err() {
                continue;
            }
            let topics = match lab.topics(&set.name, task) {
                Ok(topics) => topics,
                Err(error) => {
                    findings.error(&files.topics, &error);
                    continue;
                }
            };
            let Some(path) = &files.qrels else { continue };
            if lab.unchanged(path).is_err() {
                continue;
            }
            match lab.given_qrels(&set.name, task) {
                Err(error) => findings.error(path, &error),
                Ok(qrels) => {
                    let judged = qrels.iter().flat_map(formats::qrels::Qrels::topics);
                    let strangers: Vec<String> = judged
                        .filter(|topic| topics.topics.get(topic.id().as_str()).is_none())
                        .map(|topic| topic.id().to_string())
                        .collect();
                    if let Some(first) = strangers.first() {
                        let count = strangers.len();
                        findings.damage(
                            path,
                            format!("{count} judged topics are not topics of {}: {first}, …", set.name),
                        );
                    }
                }
            }
        }
    }
}
