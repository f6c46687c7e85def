//! Settings: where they come from, which wins, and what commands make of them.

use crate::util::{Dir, Running, get};

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"The square is never negative."}
"#;

#[test]
fn settings_are_shown_with_where_they_come_from() {
    let dir = Dir::new("config");
    let shown = dir.run(&["config"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    for row in ["hypatia.index", "127.0.0.1", "8080", ".data/hypatia/models", "default"] {
        assert!(shown.stdout.contains(row), "{row}: {}", shown.stdout);
    }
    dir.write("hypatia.toml", "index = \"math.index\"\nport = 9000\n");
    dir.write(".config/hypatia/hypatia.toml", "port = 1\nmodels = \"models\"\n");
    let mut command = dir.command(&["config", "--format", "json"]);
    let output = command.env("HYPATIA_INDEX", "other.index").output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows: Vec<(&str, Option<&str>, &str)> = lines
        .iter()
        .map(|line| {
            (line["setting"].as_str().unwrap(), line["value"].as_str(), line["from"].as_str().unwrap())
        })
        .collect();
    let own = dir.path().join(".config/hypatia");
    let (models, from) =
        (own.join("models").display().to_string(), format!("{}, line 2", own.join("hypatia.toml").display()));
    assert_eq!(
        rows,
        [
            ("index", Some("other.index"), "HYPATIA_INDEX"),
            ("host", Some("127.0.0.1"), "default"),
            ("port", Some("9000"), "hypatia.toml, line 2"),
            ("models", Some(models.as_str()), from.as_str()),
        ]
    );
    // An address of a service, as Kubernetes puts it there, is not a port.
    let output = dir.command(&["config"]).env("HYPATIA_PORT", "tcp://10.0.0.1:80").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("9000"));
    // A file that is named is the only one that is read.
    dir.write("named.toml", "host = \"::1\"\n");
    let output = dir.command(&["config"]).env("HYPATIA_CONFIG", "named.toml").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("::1") && text.contains("named.toml, line 1") && !text.contains("9000"), "{text}");
}

#[test]
fn wrong_settings_are_named_with_file_and_line() {
    let dir = Dir::new("config-wrong");
    for (text, told) in [
        (
            "index = \"a\"\nprot = 1\n",
            "hypatia: hypatia.toml, line 2: there is no setting 'prot'; did you mean 'port'?",
        ),
        ("port = -1\n", "hypatia: hypatia.toml, line 1: port is a number from 0 to 65535, not '-1'"),
        ("port 1\n", "hypatia: hypatia.toml, line 1: "),
    ] {
        dir.write("hypatia.toml", text);
        for arguments in [&["config"][..], &["serve"], &["search", "x"]] {
            let outcome = dir.run(arguments);
            assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{text}");
            assert!(outcome.stderr.starts_with(told), "{}", outcome.stderr);
        }
        // Commands that need no settings do not stumble over them.
        assert_eq!(dir.run(&["formula", "text", "x"]).code, 0);
    }
    // An account without a folder of its own has no settings there.
    std::fs::remove_file(dir.path().join("hypatia.toml")).unwrap();
    let mut command = dir.command(&["config"]);
    command.env_remove("XDG_CONFIG_HOME").env("HOME", "/dev/null");
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    let output = dir.command(&["config"]).env("HYPATIA_CONFIG", "gone.toml").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "hypatia: gone.toml: no such file (HYPATIA_CONFIG)\n");
}

#[test]
fn commands_use_the_settings_where_an_option_is_missing() {
    let dir = Dir::new("config-used");
    dir.write("posts.jsonl", POSTS);
    dir.write("hypatia.toml", "index = \"deep/math.index\"\nport = 0\nmodels = \"shelf\"\n");
    std::fs::create_dir(dir.path().join("deep")).unwrap();
    let built = dir.run(&["index", "posts.jsonl"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert!(dir.path().join("deep/math.index/index.json").is_file());
    assert_eq!(dir.run(&["index", "--info"]).code, 0);
    assert!(dir.run(&["search", "square"]).stdout.contains("never negative"));
    let mut running = Running::start(&dir, &["serve"]);
    let (address, _) = running.address();
    assert!(!address.ends_with(":8080"), "the port is that of the settings: {address}");
    assert!(get(&address, "/api/v1/search?q=square").contains("never negative"));
    assert_eq!(running.stop("-TERM").0, Some(0));
    let asked = dir.run(&["ask", "--model", "none", "is a square negative?"]);
    assert!(asked.stderr.contains("none: there is no such file, and none in shelf"), "{}", asked.stderr);
    dir.write("shelf/none.gguf", "not a model");
    let asked = dir.run(&["ask", "--model", "none", "is a square negative?"]);
    assert!(asked.stderr.contains("shelf/none.gguf"), "{}", asked.stderr);
}
