//! Every packing, whole and damaged, and the lists of folders and archives.
use std::fs;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use ingest::files::{Input, list, read_each};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter, EncoderMethod, SourceReader};
use testkit::TempDir;
use zip::write::SimpleFileOptions;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut packer = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    packer.include_checksum(true).unwrap();
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// A frame that needs a window of 2^31 bytes, as `zstd --long=31` makes.
fn zstd_long(bytes: &[u8]) -> Vec<u8> {
    let mut packer = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    packer.window_log(31).unwrap();
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zip(method: zip::CompressionMethod, members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        // The second of them has the sizes of zip64.
        let options =
            SimpleFileOptions::default().compression_method(method).large_file(name.starts_with('b'));
        packer.start_file(*name, options).unwrap();
        packer.write_all(bytes).unwrap();
    }
    packer.finish().unwrap().into_inner()
}

fn solid(method: EncoderMethod, members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    packer.set_content_methods(vec![method.into()]);
    let entries = members.iter().map(|(name, _)| ArchiveEntry::new_file(name)).collect();
    let readers = members.iter().map(|(_, bytes)| SourceReader::new(*bytes)).collect();
    packer.push_archive_entries(entries, readers).unwrap();
    packer.finish().unwrap().into_inner()
}

fn not_solid(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in members {
        packer.push_archive_entry(ArchiveEntry::new_file(name), Some(*bytes)).unwrap();
    }
    packer.finish().unwrap().into_inner()
}

/// Bytes that cannot be packed much, so that a cut falls into them.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u64;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(step).collect()
}

/// What could be read of an input, and how it ended.
fn read(input: &Input) -> (Vec<u8>, io::Result<()>) {
    let done = AtomicU64::new(0);
    let mut bytes = Vec::new();
    let result = input.read(&done, &mut |reader| reader.read_to_end(&mut bytes).map(drop));
    assert_eq!(done.into_inner(), input.packed_size(), "{}", input.name);
    (bytes, result)
}

fn names(inputs: &[Input]) -> Vec<&str> {
    inputs.iter().map(|input| input.name.as_str()).collect()
}

#[test]
fn packed_files_are_unpacked_whatever_their_name() {
    let text = b"The harmonic series diverges.\n".repeat(40_000);
    let two = |pack: fn(&[u8]) -> Vec<u8>| [pack(&text[..500_000]), pack(&text[500_000..])].concat();
    let skippable = [b"\x50\x2a\x4d\x18\x04\0\0\0abcd".to_vec(), zstd(&text)].concat();
    let dir = TempDir::new("files");
    for (name, packed) in [
        ("Posts.xml", text.clone()),
        ("plain.gz", text.clone()),
        ("one.xml.gz", gzip(&text)),
        ("one.xml", gzip(&text)),
        ("two.gz", two(gzip)),
        ("one.zst", zstd(&text)),
        ("two.zst", two(zstd)),
        ("skippable", skippable),
        ("long.zst", zstd_long(&text)),
        ("one.bz2", bzip2(&text)),
        ("two.bz2", two(bzip2)),
    ] {
        let inputs = list(&dir.write(name, &packed)).unwrap();
        assert_eq!(names(&inputs), [name]);
        assert_eq!(inputs[0].packed_size(), packed.len() as u64);
        let (bytes, result) = read(&inputs[0]);
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes == text, "{name}");
    }
}

#[test]
fn nothing_packed_or_not_is_nothing() {
    let dir = TempDir::new("files");
    for (name, packed) in
        [("a", Vec::new()), ("b", gzip(b"")), ("c", zstd(b"")), ("d", bzip2(b"")), ("e.gz", Vec::new())]
    {
        let inputs = list(&dir.write(name, packed)).unwrap();
        let (bytes, result) = read(&inputs[0]);
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(bytes, b"");
    }
}

#[test]
fn names_lose_folders_and_packing() {
    let dir = TempDir::new("files");
    fs::create_dir(dir.path().join("sub")).unwrap();
    dir.write("sub/Posts.xml.gz", gzip(b"x"));
    dir.write("a.zip", zip(zip::CompressionMethod::Stored, &[("d/b.html.bz2", b"")]));
    let inputs = list(dir.path()).unwrap();
    let found: Vec<_> = inputs.iter().map(|input| (input.plain_name(), input.relative())).collect();
    assert_eq!(found, [("b.html", "a.zip/d/b.html"), ("Posts.xml", "sub/Posts.xml")]);
    let top = dir.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(names(&inputs), [format!("{top}/a.zip/d/b.html.bz2"), format!("{top}/sub/Posts.xml.gz")]);

    let inputs = list(&dir.path().join("a.zip")).unwrap();
    assert_eq!((inputs[0].name.as_str(), inputs[0].relative()), ("a.zip/d/b.html.bz2", "d/b.html"));
}

#[test]
fn archives_give_their_members() {
    let (posts, packed) = (b"<posts/>".repeat(50_000), gzip(b"<comments/>"));
    let nested = zstd(b"1\t2\n");
    let members: &[(&str, &[u8])] =
        &[("10.tsv.zst", &nested), ("b/Posts.xml", &posts), ("Comments.xml", &packed), ("2.tsv", b"x")];
    let expected = [
        ("2.tsv", b"x".to_vec()),
        ("10.tsv.zst", b"1\t2\n".to_vec()),
        ("Comments.xml", b"<comments/>".to_vec()),
        ("b/Posts.xml", posts.clone()),
    ];
    let dir = TempDir::new("files");
    for (kind, archive) in [
        ("stored.zip", zip(zip::CompressionMethod::Stored, members)),
        ("deflated.zip", zip(zip::CompressionMethod::Deflated, members)),
        ("lzma2.7z", solid(EncoderMethod::LZMA2, members)),
        ("lzma.7z", solid(EncoderMethod::LZMA, members)),
        ("bzip2.7z", solid(EncoderMethod::BZIP2, members)),
        ("ppmd.7z", solid(EncoderMethod::PPMD, members)),
        ("copy.7z", solid(EncoderMethod::COPY, members)),
        ("parts.7z", not_solid(members)),
    ] {
        let path = dir.write(kind, &archive);
        let inputs = list(&path).unwrap();
        let total: u64 = inputs.iter().map(Input::packed_size).sum();
        assert!(total <= archive.len() as u64 && total + 1000 > archive.len() as u64, "{kind}: {total}");
        let expected_names: Vec<_> = expected.iter().map(|(name, _)| format!("{kind}/{name}")).collect();
        assert_eq!(names(&inputs), expected_names);
        for (input, (name, expected)) in inputs.iter().zip(&expected) {
            let (bytes, result) = read(input);
            result.unwrap_or_else(|error| panic!("{kind} {name}: {error}"));
            assert!(bytes == *expected, "{kind} {name}");
        }
        check_each(&inputs, &expected);
    }
}

/// All inputs in one go, some of them read only in part.
fn check_each(inputs: &[Input], expected: &[(&str, Vec<u8>)]) {
    let done = AtomicU64::new(0);
    let mut found = vec![Vec::new(); inputs.len()];
    let failed = read_each(inputs, &done, &mut |number, reader| {
        let limit = if number == 3 { 10 } else { u64::MAX };
        reader.take(limit).read_to_end(&mut found[number]).map(drop)
    });
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(done.into_inner(), inputs.iter().map(Input::packed_size).sum::<u64>());
    for (number, (bytes, (name, expected))) in found.iter().zip(expected).enumerate() {
        let expected = if number == 3 { &expected[..10] } else { expected };
        assert!(bytes == expected, "{name}");
    }
}

#[test]
fn empty_members_between_others_disturb_nothing() {
    let mut packer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    packer.push_archive_entry::<&[u8]>(ArchiveEntry::new_file("empty1"), None).unwrap();
    let entries = ["a", "c"].map(ArchiveEntry::new_file).to_vec();
    let readers = [b"A".as_slice(), b"C"].map(SourceReader::new).into();
    packer.push_archive_entries(entries, readers).unwrap();
    packer.push_archive_entry::<&[u8]>(ArchiveEntry::new_file("b"), None).unwrap();
    packer.push_archive_entry::<&[u8]>(ArchiveEntry::new_directory("folder"), None).unwrap();
    packer.push_archive_entry(ArchiveEntry::new_file("d"), Some(b"D".as_slice())).unwrap();
    let dir = TempDir::new("files");
    let inputs = list(&dir.write("x.7z", packer.finish().unwrap().into_inner())).unwrap();
    assert_eq!(names(&inputs), ["x.7z/a", "x.7z/b", "x.7z/c", "x.7z/d", "x.7z/empty1"]);
    let found: Vec<_> = inputs.iter().map(|input| read(input).0).collect();
    assert_eq!(found, [b"A".as_slice(), b"", b"C", b"D", b""]);
}

#[test]
fn damage_is_named_after_what_came_before_it() {
    let bytes = noise(900_000);
    let dir = TempDir::new("files");
    for (name, packed, packing) in
        [("a.gz", gzip(&bytes), "gzip"), ("a.zst", zstd(&bytes), "zstd"), ("a.bz2", bzip2(&bytes), "bzip2")]
    {
        for length in [packed.len() - 1, packed.len() / 2 + 17_000] {
            let inputs = list(&dir.write(name, &packed[..length])).unwrap();
            let (found, result) = read(&inputs[0]);
            let error = result.expect_err("a part of a file is damaged").to_string();
            assert_eq!(error, format!("damaged {packing}: it ends too early"));
            assert!(bytes.starts_with(&found), "{name}");
            assert!(found.len() > length / 3, "{name}: {} of {length}", found.len());
        }
        let mut changed = packed;
        let middle = changed.len() / 2;
        changed[middle..middle + 100].fill(0x55);
        let inputs = list(&dir.write(name, &changed)).unwrap();
        let error = read(&inputs[0]).1.expect_err("changed bytes are damage").to_string();
        assert!(error.starts_with(&format!("damaged {packing}: ")), "{error}");
    }
}

#[test]
fn damaged_archives_are_inputs_that_say_so() {
    let bytes = noise(300_000);
    let members: &[(&str, &[u8])] = &[("a", &bytes), ("b", &bytes[1..]), ("c", b"c")];
    let dir = TempDir::new("files");
    for (name, archive) in [
        ("x.zip", zip(zip::CompressionMethod::Deflated, members)),
        ("y.zip", zip(zip::CompressionMethod::Stored, members)),
        ("x.7z", solid(EncoderMethod::LZMA2, members)),
        ("y.7z", not_solid(members)),
    ] {
        let packing = &name[2..];
        for length in [20, archive.len() / 2, archive.len() - 1] {
            let inputs = list(&dir.write(name, &archive[..length])).unwrap();
            assert_eq!(names(&inputs), [name]);
            let error = read(&inputs[0]).1.expect_err("a part of an archive is damaged").to_string();
            assert!(error.starts_with(&format!("damaged {packing}: ")), "{error}");
        }
        // Damage in the first member: the last is read all the same.
        let mut changed = archive.clone();
        changed[100_000..100_100].fill(0x55);
        let inputs = list(&dir.write(name, &changed)).unwrap();
        let (found, result) = read(&inputs[0]);
        let error = result.expect_err("changed bytes are damage").to_string();
        assert!(error.starts_with(&format!("damaged {packing}: ")), "{error}");
        assert!(found.len() > 50_000 && (found[..50_000] == bytes[..50_000]), "{name}");
        assert_eq!(read(&inputs[2]).0, b"c");

        let done = AtomicU64::new(0);
        let failed = read_each(&inputs, &done, &mut |_, reader| io::copy(reader, &mut io::sink()).map(drop));
        let failed: Vec<_> = failed.iter().map(|(number, _)| *number).collect();
        // In the solid archive the second member is made from the first.
        assert_eq!(failed, if name == "x.7z" { vec![0, 1] } else { vec![0] });
        assert_eq!(done.into_inner(), inputs.iter().map(Input::packed_size).sum::<u64>());
    }
}

#[test]
fn no_change_of_a_byte_makes_a_panic_or_a_circle() {
    let members: &[(&str, &[u8])] = &[("a", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaa"), ("b", b"b")];
    let dir = TempDir::new("files");
    for (name, whole) in [
        ("x.zip", zip(zip::CompressionMethod::Deflated, members)),
        ("x.7z", solid(EncoderMethod::LZMA2, members)),
        ("y.7z", solid(EncoderMethod::BZIP2, members)),
        ("x.gz", gzip(b"some text")),
        ("x.zst", zstd(b"some text")),
        ("x.bz2", bzip2(b"some text")),
    ] {
        for place in 0..whole.len() {
            for change in [0x80, 0xfb] {
                let mut bytes = whole.clone();
                bytes[place] ^= change;
                let inputs = list(&dir.write(name, &bytes)).unwrap();
                for input in &inputs {
                    let _ = read(input);
                }
                let all = &mut |_, reader: &mut dyn BufRead| io::copy(reader, &mut io::sink()).map(drop);
                read_each(&inputs, &AtomicU64::new(0), all);
            }
        }
    }
}

#[test]
fn folders_are_listed_in_natural_order_without_hidden_files() {
    let dir = TempDir::new("files");
    for folder in ["b", "b/2", "b/10", ".git", "empty"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    for name in ["10.tsv", "2.tsv", "b/10/x", "b/2/x", "b/1", ".hidden", ".git/x", "a\u{1b}[2J", "c.txt"] {
        dir.write(name, "x");
    }
    let inputs = list(dir.path()).unwrap();
    let found: Vec<_> = inputs.iter().map(Input::relative).collect();
    assert_eq!(found, ["2.tsv", "10.tsv", "a\u{fffd}[2J", "b/1", "b/2/x", "b/10/x", "c.txt"]);
    assert_eq!(read(&inputs[2]).0, b"x");
    assert!(list(&dir.path().join("none")).is_err());
    assert_eq!(list(&dir.path().join("empty")).unwrap().len(), 0);
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    use std::os::unix::fs::symlink;
    let dir = TempDir::new("files");
    let other = TempDir::new("other");
    other.write("far", "x");
    fs::create_dir(dir.path().join("z")).unwrap();
    dir.write("z/file", "x");
    let link = |to: &Path, name: &str| symlink(to, dir.path().join(name)).unwrap();
    link(dir.path(), "z/up");
    link(Path::new("z"), "a");
    link(other.path(), "other");
    link(other.path(), "other2");
    link(Path::new("z/file"), "linked");
    link(Path::new("nowhere"), "broken");
    let inputs = list(dir.path()).unwrap();
    let found: Vec<_> = inputs.iter().map(Input::relative).collect();
    assert_eq!(found, ["broken", "linked", "other/far", "z/file"]);
    assert!(read(&inputs[0]).1.is_err());
    assert_eq!(read(&inputs[1]).0, b"x");
}

#[test]
fn hidden_members_of_archives_are_left_out() {
    let members: &[(&str, &[u8])] =
        &[("__MACOSX/._a.xml", b"x"), (".DS_Store", b"x"), ("../a.xml", b"x"), ("./d/b.xml", b"x")];
    let dir = TempDir::new("files");
    let inputs = list(&dir.write("x.zip", zip(zip::CompressionMethod::Stored, members))).unwrap();
    assert_eq!(names(&inputs), ["x.zip/a.xml", "x.zip/d/b.xml"]);
}

#[test]
fn what_cannot_be_unpacked_says_why() {
    let dir = TempDir::new("files");
    let inputs = list(&dir.write("a.xz", b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46")).unwrap();
    assert_eq!(read(&inputs[0]).1.unwrap_err().to_string(), "xz cannot be read; unpack it first (unxz)");
}

#[test]
fn the_first_look_sees_enough() {
    let text = b"0123456789".repeat(1000);
    let dir = TempDir::new("files");
    for packed in [text.clone(), gzip(&text), solid(EncoderMethod::LZMA2, &[("a", &gzip(&text))])] {
        let inputs = list(&dir.write("a", packed)).unwrap();
        let done = AtomicU64::new(0);
        inputs[0]
            .read(&done, &mut |reader: &mut dyn BufRead| {
                assert!(reader.fill_buf()?.len() >= 4096);
                assert!(done.load(Ordering::Relaxed) > 0);
                Ok(())
            })
            .unwrap();
    }
}
