//! The release archive, made of the program under test.

use crate::util::Dir;
use std::path::Path;
use std::process::Command;

#[test]
fn an_archive_has_all_that_people_need_and_is_the_same_every_time() {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success());
    if !has("python3") || !has("sha256sum") || !has("tar") {
        println!("SKIPPED the release archive: no python3, sha256sum or tar");
        return;
    }
    let dir = Dir::new("archive");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/archive");
    let make = |folder: &str| {
        let mut command = Command::new(&script);
        command.args(["--program", env!("CARGO_BIN_EXE_hypatia"), "-o"]).arg(dir.path().join(folder));
        let output = command.env("SOURCE_DATE_EPOCH", "1700000000").env("LEVEL", "-1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let archive = String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned();
        (archive.clone(), std::fs::read(archive).unwrap())
    };
    let (archive, bytes) = make("first");
    let name = Path::new(&archive).file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("hypatia-") && name.ends_with(".tar.gz"), "{name}");
    assert!(bytes == make("second").1, "the same program gives the same archive");

    let shell = |folder: &str, line: &str| {
        let output =
            Command::new("bash").args(["-c", line]).current_dir(dir.path().join(folder)).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    shell(
        "first",
        "sha256sum --check --quiet *.sha256 && tar -xzf *.tar.gz && cd hypatia-*/ && sha256sum --check --quiet SHA256SUMS",
    );
    let files = shell("first", "cd hypatia-*/ && find . -type f");
    for file in [
        "./hypatia",
        "./README.md",
        "./LICENSE-MIT",
        "./LICENSE-APACHE",
        "./LICENSES-THIRD-PARTY.txt",
        "./man/hypatia.1",
        "./man/hypatia-search.1",
        "./completions/hypatia.bash",
        "./completions/hypatia.zsh",
        "./completions/hypatia.fish",
    ] {
        assert!(files.lines().any(|line| line == file), "{file} is missing:\n{files}");
    }
    let licences = shell("first", "cat hypatia-*/LICENSES-THIRD-PARTY.txt");
    assert!(licences.contains("serde_json ") && licences.contains("Permission is hereby granted"));
    let version = shell("first", "hypatia-*/hypatia --version");
    assert_eq!(version, format!("hypatia {}\n", env!("CARGO_PKG_VERSION")));
}
