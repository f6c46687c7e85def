//! Labs where nothing can be written: they are read as any other, and are not called damaged.

#![allow(clippy::print_stderr, reason = "a test says why it cannot be run")]

use crate::common;

use common::{entry, judge, ranked, whole};
use lab::report::ReportRequest;
use lab::verify::{Severity, verify};
use lab::{Lab, PoolKind};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::TempDir;

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A small disk of its own, as long as it is needed.
struct Disk(PathBuf);

impl Disk {
    /// Nothing, with a reason on standard error, where the system does not allow it.
    fn mount(folder: &Path, size: &str) -> Option<Self> {
        fs::create_dir_all(folder).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", size, "tmpfs"]).arg(folder).output();
        match mounted {
            Ok(done) if done.status.success() => Some(Self(folder.to_owned())),
            Ok(done) => {
                eprintln!("not run, disks cannot be mounted here: {}", String::from_utf8_lossy(&done.stderr));
                None
            }
            Err(error) => {
                eprintln!("not run, there is no mount: {error}");
                None
            }
        }
    }

    fn make_read_only(&self) {
        let done = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.0).status().unwrap();
        assert!(done.success());
        fs::write(self.0.join("x"), "x").unwrap_err();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// A lab as a program leaves it that was killed: its last judgment is in the log of the database alone.
/// The second folder holds what the first one refers to.
fn killed(name: &str, to: &Path) -> (common::Place, usize) {
    let (place, mut lab) = whole(name);
    judge(&mut lab, "A.1 12 - eve 3 cross-check\n").unwrap();
    let rows = lab.judgment_log(PoolKind::Answers, "now").unwrap().len();
    assert!(fs::metadata(place.root.join("lab.db-wal")).unwrap().len() > 0);
    copy(&place.root, &to.join("lab"));
    fs::remove_file(to.join("lab/lab.db-shm")).unwrap();
    fs::copy(place.dir.path().join("table.tsv"), to.join("table.tsv")).unwrap();
    drop(lab);
    (place, rows)
}

/// Reads everything that can be read, and changes nothing.
fn read_all(root: &Path, rows: usize, aside: &Path) {
    let names = |folder: &Path| -> Vec<_> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        // On a full disk SQLite makes an empty one, and cannot make it larger.
        names.retain(|name| *name != "lab.db-shm");
        names.sort();
        names
    };
    let before = names(root);
    let lab = Lab::open_to_read(root).unwrap();
    assert_eq!(lab.judgment_log(PoolKind::Answers, "now").unwrap().len(), rows, "no judgment is passed over");
    lab.status().unwrap();
    let request = ReportRequest { output: Some(aside.join("report")), ..ReportRequest::default() };
    let made = lab.make_report(&request).unwrap();
    assert!(made.page.is_file() && made.page.starts_with(aside));
    drop(lab);
    let found = verify(root);
    assert!(found.iter().all(|finding| finding.severity == Severity::Note), "{found:#?}");
    assert_eq!(names(root), before);
}

#[test]
fn a_read_only_disk() {
    let dir = TempDir::new("places-read-only");
    let Some(disk) = Disk::mount(&dir.path().join("disk"), "size=8m") else { return };
    let (_place, rows) = killed("places-read-only-lab", &disk.0);
    disk.make_read_only();
    let root = disk.0.join("lab");
    read_all(&root, rows, dir.path());
    let refused = Lab::open(&root).unwrap_err().to_string();
    assert!(refused.contains("cannot be opened for writing") && refused.contains("read-only"), "{refused}");
}

#[test]
fn a_read_only_disk_with_a_lab_that_was_closed() {
    let dir = TempDir::new("places-closed");
    let Some(disk) = Disk::mount(&dir.path().join("disk"), "size=8m") else { return };
    let (place, lab) = whole("places-closed-lab");
    let rows = lab.judgment_log(PoolKind::Answers, "now").unwrap().len();
    drop(lab);
    copy(&place.root, &disk.0.join("lab"));
    fs::copy(place.dir.path().join("table.tsv"), disk.0.join("table.tsv")).unwrap();
    disk.make_read_only();
    read_all(&disk.0.join("lab"), rows, dir.path());
}

#[test]
fn a_full_disk() {
    let dir = TempDir::new("places-full");
    let Some(disk) = Disk::mount(&dir.path().join("disk"), "size=2m") else { return };
    let (_place, rows) = killed("places-full-lab", &disk.0);
    let mut filled = fs::File::create(disk.0.join("filler")).unwrap();
    while std::io::Write::write_all(&mut filled, &[0; 4096]).is_ok() {}
    let root = disk.0.join("lab");
    read_all(&root, rows, dir.path());
    let run = entry("them-task1-late-auto-both-A.tsv", &ranked(&[("A.1", &["11"])], "late"));
    let refused = Lab::open(&root)
        .map_err(|error| error.to_string())
        .and_then(|mut lab| lab.submit(&run).map(|_| ()).map_err(|error| error.to_string()));
    assert!(refused.is_err());
    read_all(&root, rows, dir.path());
    drop(filled);
    fs::remove_file(disk.0.join("filler")).unwrap();
    // With room again all goes on.
    Lab::open(&root).unwrap().submit(&run).unwrap();
    let found = verify(&root);
    assert!(found.iter().all(|finding| finding.severity == Severity::Note), "{found:#?}");
}

/// Whether a file can be got at is one question, and whether it is whole another.
#[test]
fn what_cannot_be_read_is_not_called_damaged() {
    let (place, lab) = whole("places-unreadable");
    drop(lab);
    // No user can read a folder as a file.
    let run = place.root.join("runs/now/us-task1-first-auto-both-P.tsv");
    fs::remove_file(&run).unwrap();
    fs::create_dir(&run).unwrap();
    let found = verify(&place.root);
    let about: Vec<_> = found.iter().filter(|finding| finding.place.contains("us-task1-first")).collect();
    assert!(!about.is_empty() && about.iter().all(|one| one.severity == Severity::Unreadable), "{found:#?}");
}

#[test]
fn what_is_in_a_lab_is_for_its_owner() {
    let (place, lab) = whole("places-private");
    fn modes(folder: &Path, found: &mut Vec<(PathBuf, u32)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            found.push((entry.path(), entry.metadata().unwrap().permissions().mode() & 0o777));
            if entry.file_type().unwrap().is_dir() {
                modes(&entry.path(), found);
            }
        }
    }
    let mut found =
        vec![(place.root.clone(), fs::metadata(&place.root).unwrap().permissions().mode() & 0o777)];
    modes(&place.root, &mut found);
    for (path, mode) in &found {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(*mode, expected, "{}: {mode:o}", path.display());
    }
    for end in ["lab.db", "lab.db-wal", "lab.db-shm", "lab.toml"] {
        assert!(found.iter().any(|(path, _)| path.ends_with(end)), "{end}");
    }
    assert_eq!(lab.exposed(), []);

    // A lab of an older program.
    fs::set_permissions(&place.root, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(lab.exposed(), [], "nobody can read the files themselves");
    fs::set_permissions(place.root.join("lab.db"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(lab.exposed(), [("lab.db".to_owned(), 0o644)]);
    let found = verify(&place.root);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].severity, found[0].place.as_str()), (Severity::Note, "lab.db"));
    assert!(found[0].text.contains("644") && found[0].text.contains("chmod"), "{found:#?}");
}
