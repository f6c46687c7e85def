//! Every target over its seeds and mutations of them, without a fuzzer.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a failed target says where its input is kept")]

use fuzzing::mutate::mutation;
use fuzzing::{Outcome, TARGETS, Target};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use testkit::workspace_root;

fn seeds_of(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = workspace_root().join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Runs a target; where it panics, the input is kept so that it can become a seed.
fn attempt(target: &Target, bytes: &[u8], what: &dyn Fn() -> String) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).unwrap_or_else(|panic| {
        let path = std::env::temp_dir().join(format!("hypatia-crash-{}", target.name));
        let kept = fs::write(&path, bytes).is_ok();
        let place = if kept { path.display().to_string() } else { "nowhere".to_owned() };
        #[allow(clippy::print_stderr, reason = "who runs the test has to find the input")]
        let () = eprintln!("{}: {}; the input is kept as {place}", target.name, what());
        resume_unwind(panic)
    })
}

fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds = seeds_of(name);
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let mut read = 0;
    for (path, bytes) in &seeds {
        let outcome = attempt(target, bytes, &|| path.display().to_string());
        read += usize::from(outcome == Outcome::Read);
    }
    assert!(read > 0, "{name} refuses all its seeds, so it tests nothing");
    let each = target.mutations.div_ceil(seeds.len()) as u64;
    for (place, (path, bytes)) in seeds.iter().enumerate() {
        let (_, other) = &seeds[(place + 1) % seeds.len()];
        for number in 0..each {
            let changed = mutation(bytes, other, (place as u64) << 32 | number);
            attempt(target, &changed, &|| format!("mutation {number} of {}", path.display()));
        }
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        #[test]
        fn every_target_has_a_test() {
            let tested = BTreeSet::from([$(stringify!($name)),*]);
            assert_eq!(tested, TARGETS.iter().map(|target| target.name).collect());
        }
    };
}

targets! {
    answer_system archive assessments citations compare content document dump features formula_table frame gguf index jsonl lab_manifest
    latex mathml measure opt_string page penman qrels run safetensors search slt_string sse store submission system task3_run
    token_vectors topics turkle typed_query vector_lists
}

#[test]
fn every_target_has_seeds_and_the_other_way_round() {
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let entries =
        fs::read_dir(workspace_root().join("fuzz/seeds")).unwrap().map(|entry| entry.unwrap().path());
    let seeds = entries.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names, seeds);
}

/// Seeds in our own binary formats; `UPDATE_EXPECT=1` writes them anew after a format has changed.
#[test]
fn seeds_that_our_writers_make_are_read() {
    let seeds = workspace_root().join("fuzz/seeds");
    let archives = archives().into_iter().map(|(name, bytes)| ("archive", name.to_owned(), bytes));
    for (target, name, bytes) in fuzzing::seeds::written().into_iter().chain(archives) {
        let path = seeds.join(target).join(&name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let run = TARGETS.iter().find(|known| known.name == target).unwrap().run;
        for (bytes, whose) in [(bytes, "a new one"), (kept, "the one that is kept")] {
            let advice = "write them anew with UPDATE_EXPECT=1 if the format was meant to change";
            assert_eq!(run(&bytes), Outcome::Read, "{}: {whose} is refused; {advice}", path.display());
        }
    }
}

/// A page in every packing that is read.
fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let page = b"<title>T</title><p>Some text with $x^2$ in it, some text with $x^2$ in it.</p>";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(page).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(page).unwrap();
    let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    zstd.include_checksum(true).unwrap();
    zstd.write_all(page).unwrap();
    let zip = |method: zip::CompressionMethod| {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a/b.html", "c.md"] {
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            zip.start_file(name, options).unwrap();
            zip.write_all(page).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let seven = |method: sevenz_rust2::EncoderMethod| {
        let mut seven = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        seven.set_content_methods(vec![method.into()]);
        let names = ["a/b.html", "c.md"];
        let entries = names.iter().map(|name| sevenz_rust2::ArchiveEntry::new_file(name)).collect();
        let readers = names.iter().map(|_| sevenz_rust2::SourceReader::new(&page[..])).collect();
        seven.push_archive_entries(entries, readers).unwrap();
        seven.finish().unwrap().into_inner()
    };
    vec![
        ("plain", page.to_vec()),
        ("gzip", gzip.finish().unwrap()),
        ("bzip2", bzip2.finish().unwrap()),
        ("zstd", zstd.finish().unwrap()),
        ("zip-stored", zip(zip::CompressionMethod::Stored)),
        ("zip-deflated", zip(zip::CompressionMethod::Deflated)),
        ("7z-lzma2", seven(sevenz_rust2::EncoderMethod::LZMA2)),
        ("7z-copy", seven(sevenz_rust2::EncoderMethod::COPY)),
        ("7z-ppmd", seven(sevenz_rust2::EncoderMethod::PPMD)),
    ]
}
