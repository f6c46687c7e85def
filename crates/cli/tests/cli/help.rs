//! Help that teaches, completions and man pages.

use crate::util::Dir;

#[test]
fn help_has_examples() {
    let dir = Dir::new("help");
    for arguments in
        [&["--help"][..], &["formula", "--help"], &["formula", "slt", "--help"], &["help", "man"]]
    {
        let outcome = dir.run(arguments);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(outcome.stdout.contains("Examples:"), "{arguments:?}");
    }
    let slt = dir.run(&["formula", "slt", "--help"]).stdout;
    for word in ["--column", "--id", "--from", "--format", "standard input"] {
        assert!(slt.contains(word), "{word} is not in the help");
    }
}

#[test]
fn mistakes_are_explained_on_standard_error() {
    let dir = Dir::new("mistakes");
    let outcome = dir.run(&["formula", "mathm", "x"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.contains("'mathml'"), "{}", outcome.stderr);
    let outcome = dir.run(&["formula", "slt"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.contains("INPUT"), "{}", outcome.stderr);
    let outcome = dir.run(&["formula", "slt", "x", "--from", "word"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("latex, mathml, slt"), "{}", outcome.stderr);
}

#[test]
fn version() {
    let expected = format!("hypatia {}\n", env!("CARGO_PKG_VERSION"));
    Dir::new("version").run(&["--version"]).prints(&expected);
}

#[test]
fn completions_for_every_shell() {
    let dir = Dir::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = dir.run(&["completions", shell]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{shell}");
        assert!(outcome.stdout.contains("mathml"), "{shell}");
    }
}

#[test]
fn man_pages_for_every_command() {
    let dir = Dir::new("man");
    let outcome = dir.run(&["man"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.contains(".TH hypatia 1"));
    dir.run(&["man", "--dir", "pages/man1"]).prints("");
    for page in ["hypatia", "hypatia-formula", "hypatia-formula-slt", "hypatia-formula-same", "hypatia-man"] {
        let text = std::fs::read_to_string(dir.path().join(format!("pages/man1/{page}.1"))).unwrap();
        assert!(text.contains(".SH"), "{page}");
    }
}

#[test]
fn examples_of_formula_commands_can_be_pasted() {
    let dir = Dir::new("help");
    for command in ["opt", "features", "compare", "rank", "suite"] {
        let help = dir.run(&["formula", command, "--help"]).stdout;
        let (_, examples) = help.split_once("Examples:\n").expect("examples stand last");
        let mut goes_on = false;
        for line in examples.lines() {
            assert_eq!(line.starts_with("  hypatia "), !goes_on, "{command}: {line}");
            goes_on = line.ends_with('\\');
        }
    }
}
