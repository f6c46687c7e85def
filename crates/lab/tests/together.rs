//! Several programs that change a lab at once, and programs that are killed while they do.

use crate::common;

use common::{empty, entry, ranked, request, submit, whole};
use formats::Source;
use lab::judgments::{ImportOptions, Unpooled};
use lab::submit::{Earlier, Entry};
use lab::verify::{Severity, verify};
use lab::{Lab, PoolKind, Stage};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

/// Hands in runs at once, each over a connection of its own, and returns the refusals.
fn at_once(root: &Path, entries: Vec<Entry>) -> Vec<String> {
    let gate = Barrier::new(entries.len());
    thread::scope(|scope| {
        let threads: Vec<_> = entries
            .into_iter()
            .map(|entry| {
                let gate = &gate;
                scope.spawn(move || {
                    let mut lab = Lab::open(root).unwrap();
                    gate.wait();
                    lab.submit(&entry).err().map(|refusal| refusal.to_string())
                })
            })
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    })
}

/// A run of Task 1 that no other number has.
fn run(name: &str, number: usize) -> Entry {
    let doc = (100 + number).to_string();
    entry(name, &ranked(&[("A.1", &[doc.as_str(), "11"]), ("A.2", &["21"])], "run"))
}

fn files_below(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn ten_runs_at_once_do_not_pass_the_limit() {
    let (place, lab) = empty("together-limit");
    drop(lab);
    let runs = (0..10).map(|number| run(&format!("us-task1-r{number}-auto-both-A.tsv"), number)).collect();
    let refused = at_once(&place.root, runs);
    assert_eq!(refused.len(), 8, "two runs are the most: {refused:#?}");
    for reason in &refused {
        assert!(reason.contains("us has 2 runs in task 1 already, and 2 are the most"), "{reason}");
    }
    assert_eq!(Lab::open(&place.root).unwrap().systems().unwrap().len(), 2);
    assert_eq!(files_below(&place.root.join("runs/now")).len(), 2, "refused runs leave nothing behind");
    assert_eq!(verify(&place.root), []);
}

#[test]
fn one_name_submitted_ten_times_at_once_is_taken_once() {
    let (place, lab) = empty("together-double");
    drop(lab);
    let runs = (0..10).map(|number| run("us-task1-r-auto-both-P.tsv", number)).collect();
    let refused = at_once(&place.root, runs);
    assert_eq!(refused.len(), 9, "{refused:#?}");
    for reason in &refused {
        assert!(reason.contains("has a run on the set now already"), "{reason}");
    }
    assert_eq!(verify(&place.root), []);
}

#[test]
fn one_file_under_ten_names_and_ten_primary_runs_are_taken_once() {
    let (place, lab) = empty("together-primary");
    drop(lab);
    let runs = (0..10).map(|number| run(&format!("team{number}-task1-r-auto-both-P.tsv"), 7)).collect();
    let refused = at_once(&place.root, runs);
    assert_eq!(refused.len(), 9, "{refused:#?}");
    assert!(refused.iter().all(|reason| reason.contains("the file is the same as")), "{refused:#?}");
    let runs =
        (0..10).map(|number| run(&format!("us-task1-r{number}-auto-both-P.tsv"), 20 + number)).collect();
    let refused = at_once(&place.root, runs);
    assert_eq!(refused.len(), 9, "{refused:#?}");
    assert!(refused.iter().all(|reason| reason.contains("has a primary run")), "{refused:#?}");
    assert_eq!(verify(&place.root), []);
}

#[test]
fn replacements_at_once_leave_the_file_that_the_database_names() {
    let (place, lab) = empty("together-replace");
    drop(lab);
    let replacing =
        |number| Entry { earlier: Earlier::IsReplaced, ..run("us-task1-r-auto-both-P.tsv", number) };
    let refused = at_once(&place.root, (0..10).map(replacing).collect());
    assert_eq!(refused, [] as [&str; 0]);
    assert_eq!(verify(&place.root), []);
}

#[test]
fn a_table_imported_ten_times_at_once_is_added_once() {
    let (place, lab) = whole("together-import");
    let before = lab.judgment_log(PoolKind::Answers, "now").unwrap().len();
    drop(lab);
    let table = "topic\titem\tassessor\tverdict\nA.1\t11\teve\t1\nA.1\t12\teve\t0\n";
    let gate = Barrier::new(10);
    let added: usize = thread::scope(|scope| {
        let import = || {
            let mut lab = Lab::open(&place.root).unwrap();
            let options = ImportOptions { set: None, stage: Stage::Main, unpooled: Unpooled::Refuse };
            gate.wait();
            lab.import_judgments(Source::bytes("said.tsv", table), &options).unwrap().added
        };
        let threads: Vec<_> = (0..10).map(|_| scope.spawn(import)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(added, 2);
    let after = Lab::open(&place.root).unwrap().judgment_log(PoolKind::Answers, "now").unwrap().len();
    assert_eq!(after, before + 2);
}

#[test]
fn a_pool_is_not_kept_if_runs_came_since_it_was_planned() {
    let (place, mut lab) = whole("together-pool");
    let plan = lab.plan_pool(&request(PoolKind::Answers)).unwrap();
    let mut other = Lab::open(&place.root).unwrap();
    other.submit(&run("they-task1-late-auto-both-P.tsv", 1)).unwrap();
    let reason = lab.keep_pool(&plan).unwrap_err().to_string();
    assert!(reason.contains("make the pool again"), "{reason}");
    let plan = lab.plan_pool(&request(PoolKind::Answers)).unwrap();
    lab.keep_pool(&plan).unwrap();
}

/// The hidden name under which a file waits to be published.
fn hidden(root: &Path, relative: &str) -> std::path::PathBuf {
    let path = root.join(relative);
    let digits = lab::checksum(&fs::read(&path).unwrap())[..16].to_owned();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    path.with_file_name(format!(".{name}.{digits}.tmp"))
}

#[test]
fn a_program_killed_after_registering_leaves_an_unfinished_lab_not_a_damaged_one() {
    let (place, mut lab) = empty("together-killed");
    let relative = "runs/now/us-task1-r-auto-both-P.tsv";
    submit(&mut lab, "us-task1-r-auto-both-P.tsv", &ranked(&[("A.1", &["11"])], "r")).unwrap();
    drop(lab);
    // What a kill between committing and renaming leaves.
    let path = place.root.join(relative);
    let waiting = hidden(&place.root, relative);
    fs::rename(&path, &waiting).unwrap();
    let found = verify(&place.root);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].severity, found[0].place.as_str()), (Severity::Note, relative));
    assert!(found[0].text.contains("unfinished"), "{found:#?}");
    // The next program that opens the lab to change it finishes the work.
    let lab = Lab::open(&place.root).unwrap();
    assert!(path.is_file() && !waiting.exists());
    lab.plan_pool(&request(PoolKind::Answers)).unwrap();
    assert_eq!(verify(&place.root), []);
}

#[test]
fn a_program_killed_before_registering_leaves_what_the_next_one_removes() {
    let (place, lab) = empty("together-killed-early");
    drop(lab);
    let folder = place.root.join("runs/now");
    fs::create_dir_all(&folder).unwrap();
    let half = folder.join(".us-task1-r-auto-both-P.tsv.0123456789abcdef.tmp");
    fs::write(&half, "half a ru").unwrap();
    let found = verify(&place.root);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Note);
    assert!(found[0].text.contains("unfinished"), "{found:#?}");
    drop(Lab::open(&place.root).unwrap());
    assert!(!half.exists());
    assert_eq!(verify(&place.root), []);
}

#[test]
fn a_replacement_overtakes_one_that_was_killed() {
    let (place, mut lab) = empty("together-overtaken");
    let relative = "runs/now/us-task1-r-auto-both-P.tsv";
    lab.submit(&run("us-task1-r-auto-both-P.tsv", 1)).unwrap();
    drop(lab);
    fs::rename(place.root.join(relative), hidden(&place.root, relative)).unwrap();
    let mut lab = Lab::open(&place.root).unwrap();
    let second = Entry { earlier: Earlier::IsReplaced, ..run("us-task1-r-auto-both-P.tsv", 2) };
    lab.submit(&second).unwrap();
    assert_eq!(fs::read(place.root.join(relative)).unwrap(), second.bytes);
    assert_eq!(files_below(&place.root.join("runs/now")).len(), 1);
    assert_eq!(verify(&place.root), []);
}
