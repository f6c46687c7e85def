//! A lab's folder damaged in many ways: each is named, and nothing is guessed.

use crate::common;

use common::whole;
use formats::check::Task;
use lab::qrels::QrelsRequest;
use lab::verify::{Severity, verify};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Changes the database behind the program's back.
fn sql(root: &Path, statements: &str) {
    let database = Connection::open(root.join("lab.db")).unwrap();
    database.execute_batch(statements).unwrap();
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).unwrap();
    fs::write(path, before + text).unwrap();
}

/// Damages a copy of a whole lab and looks for a sentence about it.
fn check(name: &str, damage: impl FnOnce(&Path), severity: Severity, place: &str, part: &str) {
    let (folder, mut lab) = whole(name);
    for task in [Task::Task1, Task::Task2, Task::Task3] {
        lab.make_qrels(&QrelsRequest::new(task)).unwrap();
    }
    drop(lab);
    assert_eq!(verify(&folder.root), [], "{name}: whole before");
    damage(&folder.root);
    let found = verify(&folder.root);
    let told = found.iter().any(|damage| {
        damage.severity == severity && damage.place.contains(place) && damage.text.contains(part)
    });
    assert!(told, "{name}: no {severity:?} of {place} that says {part:?} in {found:#?}");
}

fn damaged(name: &str, damage: impl FnOnce(&Path), place: &str, part: &str) {
    check(name, damage, Severity::Damage, place, part);
}

#[test]
fn the_folder_and_its_description() {
    assert!(verify(Path::new("/nowhere/at/all"))[0].text.contains("no such folder"));
    damaged("damage-1", |root| fs::remove_file(root.join("lab.toml")).unwrap(), "lab.toml", "no lab.toml");
    damaged("damage-2", |root| append(&root.join("lab.toml"), "\nnonsense ="), "lab.toml", "line ");
    damaged("damage-3", |root| fs::write(root.join("lab.toml"), b"\xff\xfe").unwrap(), "lab.toml", "UTF-8");
    let edit = |from: &'static str, to: &'static str| {
        move |root: &Path| {
            let path = root.join("lab.toml");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from));
            fs::write(&path, text.replace(from, to)).unwrap();
        }
    };
    damaged("damage-4", edit("current = \"now\"", "current = \"then\""), "lab.toml", "no set of that name");
    damaged("damage-5", edit("topics/now/questions.xml", "topics/now/other.xml"), "lab.toml", "never took");
    damaged("damage-6", edit("tasks = [1, 2, 3]", "tasks = [1, 2]"), "system us/writer", "task 3");
    damaged("damage-7", edit("name = \"old\"", "name = \"older\""), "lab.db", "\"old\"");
    damaged(
        "damage-8",
        edit("grade = 3\nname = \"High\"", "grade = 4\nname = \"High\""),
        "judgments of",
        "no grade",
    );
}

#[test]
fn the_database() {
    damaged("damage-9", |root| fs::remove_file(root.join("lab.db")).unwrap(), "lab.db", "missing");
    let half = |root: &Path| {
        let path = root.join("lab.db");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    };
    damaged("damage-10", half, "lab.db", "");
    damaged(
        "damage-11",
        |root| fs::write(root.join("lab.db"), "").unwrap(),
        "lab.db",
        "no database of a lab",
    );
    damaged("damage-12", |root| sql(root, "PRAGMA user_version = 99"), "lab.db", "version 99");
    damaged(
        "damage-13",
        |root| sql(root, "DROP TRIGGER judgment_is_never_removed"),
        "lab.db",
        "judgment_is_never_removed is missing",
    );
    damaged("damage-14", |root| sql(root, "CREATE TABLE mine (x)"), "lab.db", "mine is not of the lab");
    let without_a_judgment = |root: &Path| {
        let trigger: String = Connection::open(root.join("lab.db"))
            .unwrap()
            .query_row("SELECT sql FROM sqlite_master WHERE name = 'judgment_is_never_removed'", [], |row| {
                row.get(0)
            })
            .unwrap();
        sql(
            root,
            &format!(
                "DROP TRIGGER judgment_is_never_removed; DELETE FROM judgment WHERE number = 2; {trigger};"
            ),
        );
    };
    damaged("damage-15", without_a_judgment, "lab.db", "1 rows of the table judgment were taken out");
    damaged(
        "damage-16",
        |root| sql(root, "PRAGMA foreign_keys = OFF; DELETE FROM system WHERE number = 1"),
        "lab.db",
        "leads to nothing in system",
    );
    damaged(
        "damage-17",
        |root| sql(root, "UPDATE pool_item SET place = 7 WHERE place = 1 AND topic = 'A.1'"),
        "pool of answers",
        "gaps or doubles",
    );
    damaged(
        "damage-18",
        |root| sql(root, "DELETE FROM pool_source WHERE item = 1"),
        "pool of answers",
        "no run brought",
    );
    let insert = "INSERT INTO judgment (kind, topic_set, topic, item, stage, assessor, verdict, comment, judged_at, \
                  origin) VALUES ('answers', 'now', 'A.77', '1', 'main', 'x', '1', '', '', '')";
    damaged("damage-19", move |root| sql(root, insert), "judgments of answers", "A.77");
}

#[test]
fn files() {
    let run = "runs/now/us-task1-first-auto-both-P.tsv";
    damaged("damage-20", |root| fs::remove_file(root.join(run)).unwrap(), run, "missing");
    damaged("damage-21", |root| append(&root.join(run), "A.1\t99\t9\t0.1\tfirst\n"), run, "bytes");
    let swapped = |root: &Path| {
        let text = fs::read_to_string(root.join(run)).unwrap();
        fs::write(root.join(run), text.replace("\t11\t", "\t19\t")).unwrap();
    };
    damaged("damage-22", swapped, run, "checksum");
    damaged(
        "damage-23",
        |root| fs::write(root.join("runs/now/stray.tsv"), "x").unwrap(),
        "runs/now/stray.tsv",
        "does not know",
    );
    damaged(
        "damage-24",
        |root| append(&root.join("topics/now/questions.xml"), " "),
        "questions.xml",
        "bytes",
    );
    damaged(
        "damage-25",
        |root| fs::remove_file(root.join("topics/old/old.qrels")).unwrap(),
        "old.qrels",
        "missing",
    );
    let qrels = "qrels/now/task1.qrels";
    damaged("damage-26", |root| fs::write(root.join(qrels), "A.9\t0\t50\t3\n").unwrap(), qrels, "bytes");
    // Judgments of other topics, with the checksum put right by whoever did it.
    let forged = |root: &Path| {
        let text = "A.9\t0\t50\t3\n";
        fs::write(root.join(qrels), text).unwrap();
        let sum = lab::checksum(text.as_bytes());
        sql(
            root,
            &format!("UPDATE file SET bytes = {}, sha256 = '{sum}' WHERE path = '{qrels}'", text.len()),
        );
    };
    damaged("damage-27", forged, qrels, "none of the set");
    damaged(
        "damage-28",
        |root| append(&root.join("pools/now-answers.tsv"), "x"),
        "pools/now-answers.tsv",
        "bytes",
    );
    damaged(
        "damage-29",
        |root| fs::remove_file(root.parent().unwrap().join("table.tsv")).unwrap(),
        "formulas",
        "missing",
    );
    check(
        "damage-30",
        |root| fs::write(root.join("runs/now/.x.tsv.1.tmp"), "half").unwrap(),
        Severity::Note,
        "runs/now/.x.tsv.1.tmp",
        "interrupted",
    );
    let newer = "INSERT INTO judgment (kind, topic_set, topic, item, stage, assessor, verdict, comment, judged_at, \
                 origin) VALUES ('answers', 'now', 'A.1', '11', 'main', 'zoe', '1', '', '', '')";
    check(
        "damage-31",
        move |root| sql(root, newer),
        Severity::Note,
        "qrels/now/task1.json",
        "judgments were added",
    );
}

/// What is damaged is not worked with, either.
#[test]
fn a_changed_run_is_not_pooled_or_scored() {
    let (folder, mut lab) = whole("damage-use");
    lab.make_qrels(&QrelsRequest::new(Task::Task1)).unwrap();
    append(&folder.root.join("runs/now/us-task1-first-auto-both-P.tsv"), "A.1\t99\t9\t0.1\tfirst\n");
    let error = lab.plan_pool(&common::request(lab::PoolKind::Answers)).unwrap_err().to_string();
    assert!(error.contains("us-task1-first") && error.contains("was changed"), "{error}");
    let error = lab.make_report(&lab::report::ReportRequest::default()).unwrap_err().to_string();
    assert!(error.contains("was changed"), "{error}");
}
