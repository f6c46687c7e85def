//! Work that is cut off at any moment leaves the old state, and is taken up again.

use super::numbers::{self, From, Numbers, kinds};
use super::util::{collection, drafts, files, options, view};
use crate::{
    Change, Index, Unwatched, Watch, add_part, build, build_with, change, change_with, compact, compact_with,
    remove_parts,
};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use testkit::TempDir;

/// Ends the work at a certain report. Nothing is tidied up then, as when the process is killed.
struct Until {
    reports: AtomicU32,
    last: u32,
    /// The stages, and the steps that each began with.
    stages: Mutex<Vec<(String, Option<u64>)>>,
}

impl Until {
    fn new(last: u32) -> Self {
        Self { reports: AtomicU32::new(0), last, stages: Mutex::default() }
    }

    fn report(&self) {
        let report = self.reports.fetch_add(1, Ordering::Relaxed);
        if report == self.last {
            std::panic::resume_unwind(Box::new("cut off"));
        }
    }
}

impl Watch for Until {
    fn stage(&self, name: &str, _: u64) {
        self.stages.lock().unwrap().push((name.to_owned(), None));
        self.report();
    }

    fn done(&self, steps: u64) {
        if let Some((_, first)) = self.stages.lock().unwrap().last_mut() {
            first.get_or_insert(steps);
        }
        self.report();
    }
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    if from.is_dir() {
        for (name, bytes) in files(from) {
            fs::write(to.join(name), bytes).unwrap();
        }
    }
}

/// Cuts work off at each of its reports, in a copy of a folder, and does it again.
fn cut_everywhere(folder: &TempDir, before: &Path, work: impl Fn(&Path, &dyn Watch)) {
    let target = folder.path().join("work");
    copy(before, &target);
    let all = Until::new(u32::MAX);
    work(&target, &all);
    let whole = files(&target);
    let reports = all.reports.into_inner();
    let old = Index::open(before).ok().map(|index| index.fingerprint());
    let mut resumed = 0;
    for last in 0..reports {
        copy(before, &target);
        catch_unwind(AssertUnwindSafe(|| work(&target, &Until::new(last)))).unwrap_err();
        assert_eq!(Index::open(&target).ok().map(|index| index.fingerprint()), old, "report {last}");
        let again = Until::new(u32::MAX);
        work(&target, &again);
        let stages = again.stages.into_inner().unwrap();
        resumed += u32::from(stages.iter().any(|(_, first)| first.is_some_and(|first| first > 0)));
        assert!(files(&target) == whole, "cut at report {last} of {reports}");
    }
    assert!(resumed * 3 > reports, "{resumed} of {reports} went on from where they were");
    // Cut again and again, a little later each time, it still gets there.
    copy(before, &target);
    let mut tries = 0;
    while catch_unwind(AssertUnwindSafe(|| work(&target, &Until::new(4 + tries / 4)))).is_err() {
        tries += 1;
        assert!(tries < 400);
    }
    assert!(files(&target) == whole, "after {tries} cuts");
    assert!(tries > 0);
}

#[test]
fn a_build_goes_on_where_it_was() {
    let folder = TempDir::new("resume-build");
    let path = collection(&folder, "c", &drafts(40));
    let build_it = |target: &Path, watch: &dyn Watch| drop(build(&path, target, &options(), watch).unwrap());
    cut_everywhere(&folder, &folder.path().join("nothing"), build_it);
    let before = folder.path().join("before");
    let other = collection(&folder, "other", &drafts(5));
    build(&other, &before, &options(), &Unwatched).unwrap();
    cut_everywhere(&folder, &before, build_it);
}

#[test]
fn a_change_goes_on_where_it_was() {
    let folder = TempDir::new("resume-change");
    let before = folder.path().join("before");
    build(&collection(&folder, "c", &drafts(12)), &before, &options(), &Unwatched).unwrap();
    let new = collection(&folder, "new", &drafts(40)[8..]);
    let delete = ["1".to_owned(), "31".to_owned()];
    cut_everywhere(&folder, &before, |target, watch| {
        drop(change(target, Change { add: Some(&new), delete: &delete }, watch).unwrap());
    });
    let changed = folder.path().join("changed");
    copy(&before, &changed);
    change(&changed, Change { add: Some(&new), delete: &delete }, &Unwatched).unwrap();
    cut_everywhere(&folder, &changed, |target, watch| drop(compact(target, watch).unwrap()));
}

#[test]
fn a_build_with_parts_goes_on_where_it_was() {
    let folder = TempDir::new("resume-parts-build");
    let (path, parts) = (collection(&folder, "c", &drafts(40)), numbers::all());
    let build_it = |target: &Path, watch: &dyn Watch| {
        drop(build_with(&path, target, &options(), &kinds(&parts), watch).unwrap());
    };
    cut_everywhere(&folder, &folder.path().join("nothing"), build_it);
    let before = folder.path().join("before");
    let other = collection(&folder, "other", &drafts(5));
    build_with(&other, &before, &options(), &kinds(&parts), &Unwatched).unwrap();
    cut_everywhere(&folder, &before, build_it);
}

#[test]
fn a_change_with_parts_goes_on_where_it_was() {
    let folder = TempDir::new("resume-parts-change");
    let (before, parts) = (folder.path().join("before"), numbers::all());
    let first = collection(&folder, "c", &drafts(12));
    build_with(&first, &before, &options(), &kinds(&parts), &Unwatched).unwrap();
    let new = collection(&folder, "new", &drafts(40)[8..]);
    let delete = ["1".to_owned(), "31".to_owned()];
    let change_it = |target: &Path, watch: &dyn Watch| {
        drop(
            change_with(target, Change { add: Some(&new), delete: &delete }, &kinds(&parts), watch).unwrap(),
        );
    };
    cut_everywhere(&folder, &before, change_it);
    let changed = folder.path().join("changed");
    copy(&before, &changed);
    change_it(&changed, &Unwatched);
    cut_everywhere(&folder, &changed, |target, watch| {
        drop(compact_with(target, &kinds(&parts), watch).unwrap());
    });
    // A part is added to several segments, and taken away at once.
    let more = Numbers::new("more", From::Post);
    cut_everywhere(&folder, &changed, |target, watch| drop(add_part(target, &more, watch).unwrap()));
    let whole = folder.path().join("work");
    remove_parts(&whole, &["more"]).unwrap();
    let names = |path: &Path| files(path).into_keys().collect::<Vec<_>>();
    assert_eq!(names(&whole), names(&changed));
}

/// Values that an interrupted build has computed are not computed again.
#[test]
fn computed_values_are_kept() {
    let folder = TempDir::new("resume-parts-kept");
    let target = folder.path().join("index");
    build(&collection(&folder, "c", &drafts(40)), &target, &options(), &Unwatched).unwrap();
    let part = Numbers::new("more", From::Post);
    let mut cuts = 0;
    let mut computed = 0;
    // Three batches more are done each time.
    while catch_unwind(AssertUnwindSafe(|| add_part(&target, &part, &Until::new(5)).map(drop))).is_err() {
        cuts += 1;
        let length = |name: &str| {
            let path = target.join(format!("building/2.1.posts.more/{name}"));
            fs::metadata(path).map_or(0, |file| file.len() / 4)
        };
        let done = length("numbers.rows") + length("lists.lists");
        assert!(done > computed, "{done} after {computed}");
        computed = done;
    }
    assert!(cuts > 1);
    part.computed();
    remove_parts(&target, &["more"]).unwrap();
    let mut other = part.again();
    other.settings = "other";
    let count = Index::open(&target).unwrap().num_posts();
    // What was computed with other settings is not used.
    let cut = || add_part(&target, &part, &Until::new(6)).map(drop);
    catch_unwind(AssertUnwindSafe(cut)).unwrap_err();
    let index = add_part(&target, &other, &Unwatched).unwrap();
    assert_eq!(other.computed(), count);
    other.values(&index);
    // Nor are rows that are not as they were written.
    drop(index);
    for name in ["numbers.rows", "numbers.journal"] {
        catch_unwind(AssertUnwindSafe(cut)).unwrap_err();
        let path = fs::read_dir(target.join("building")).unwrap().next().unwrap().unwrap().path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[4] ^= 1;
        fs::write(&path, bytes).unwrap();
        part.computed();
        let index = add_part(&target, &part, &Unwatched).unwrap();
        assert_eq!(part.computed(), count);
        part.values(&index);
        add_part(&target, &other, &Unwatched).unwrap();
    }
}

/// What is left of one piece of work is not taken for that of another.
#[test]
fn other_work_begins_anew() {
    let folder = TempDir::new("resume-other");
    let target = folder.path().join("index");
    let (one, two) = (collection(&folder, "one", &drafts(30)), collection(&folder, "two", &drafts(36)));
    let expected = folder.path().join("expected");
    let whole = view(&build(&two, &expected, &options(), &Unwatched).unwrap());
    for last in 0.. {
        let cut = || build(&one, &target, &options(), &Until::new(last)).map(drop);
        let done = catch_unwind(AssertUnwindSafe(cut)).is_ok();
        assert_eq!(view(&build(&two, &target, &options(), &Unwatched).unwrap()), whole);
        if done {
            assert!(last > 10, "{last}");
            break;
        }
    }
    assert!(!target.join("building").exists());
}

/// The list of words is checked before it is gone on with.
#[test]
fn a_lost_vocabulary_is_made_again() {
    let folder = TempDir::new("resume-words");
    let path = collection(&folder, "c", &drafts(40));
    let target = folder.path().join("index");
    let whole = {
        build(&path, &target, &options(), &Unwatched).unwrap();
        files(&target)
    };
    let mut met = 0;
    for last in 0..40 {
        fs::remove_dir_all(&target).unwrap();
        let cut = || build(&path, &target, &options(), &Until::new(last)).map(drop);
        if catch_unwind(AssertUnwindSafe(cut)).is_ok() {
            break;
        }
        let words = target.join("building/1.posts/vocabulary");
        if let Ok(bytes) = fs::read(&words) {
            met += u32::from(bytes.len() > 50);
            fs::write(&words, &bytes[..bytes.len() / 2]).unwrap();
        }
        build(&path, &target, &options(), &Unwatched).unwrap();
        assert!(files(&target) == whole, "report {last}");
    }
    assert!(met > 2);
}
