//! `hypatia search` and `hypatia systems`: on a small collection, as a person sees it.

use crate::util::Dir;
use serde_json::Value;

const POSTS: &str = r#"{"kind":"user","id":3,"name":"Sophie"}
{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"For real $x$ the square is never negative.","tags":["algebra","inequality"],"score":4,"date":"2015-02-03","owner":3,"accepted":2}
{"kind":"answer","id":2,"parent":1,"body":"Yes: \\[x^2=x\\cdot x\\] is a product of equal signs.","score":1}
{"kind":"question","id":3,"title":"Sums of squares","body":"What is $\\sum_{k=1}^n k^2$? \u001b[31mred\u001b[0m","tags":["series"]}
"#;

fn folder(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("posts.jsonl", POSTS);
    for arguments in [
        &["collection", "build", "posts.jsonl", "-o", "posts.coll"][..],
        &["index", "posts.coll", "-o", "hypatia.index", "--features", "parts", "--post-features", "parts"],
    ] {
        let outcome = dir.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    dir
}

/// What was printed without the last line, which says how long it took.
fn shown(stdout: &str) -> (&str, &str) {
    stdout.trim_end().rsplit_once('\n').unwrap_or(("", stdout.trim_end()))
}

#[test]
fn results_are_shown() {
    let dir = folder("search-shown");
    let outcome = dir.run(&["search", "product", "of", "signs", "is:answer"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{}", outcome.stdout);
    let (text, summary) = shown(&outcome.stdout);
    assert_eq!(
        text,
        " 1. Is x² ≥ 0?\n    answer 2 to question 1 · accepted · 1 vote · [algebra] [inequality] · score 1.000\n    \
         Yes: x² = x ⋅ x is a product of equal signs.\n"
    );
    assert!(summary.starts_with("1 result in ") && summary.ends_with(" ms"), "{summary}");
}

#[test]
fn results_are_sorted() {
    let dir = folder("search-sorted");
    let ids = |order: &str| {
        let query = ["search", "product signs sums squares square", "--json", "--sort", order];
        let outcome = dir.run(&query);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        json["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    let (ranked, votes, dates): (Vec<_>, Vec<_>, Vec<_>) = (ids("relevance"), ids("votes"), ids("date"));
    assert_eq!(votes, ["1", "2", "3"]);
    assert_eq!(dates[0], "1");
    assert_eq!(ranked.len(), 3);
    let other = dir.run(&["search", "square", "--sort", "size"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("relevance, votes, date"), "{}", other.stderr);
}

#[test]
fn own_documents_have_titles() {
    let dir = Dir::new("search-titles");
    dir.write("notes/heading.md", "## Compact sets\n\nA compact set is closed.\n");
    dir.write("notes/section.tex", "\\section{Compact operators}\nThey are limits.\n");
    dir.write("notes/page.html", "<p>x</p><h3>Compact spaces</h3><p>Text</p>");
    dir.write("notes/words.md", "Every compact $K$ is bounded. It is closed, too.\n");
    let built = dir.run(&["index", "notes", "-o", "hypatia.index"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let found = dir.run(&["search", "compact"]).stdout;
    for title in ["Compact sets", "Compact operators", "Compact spaces", "Every compact K is bounded"] {
        assert!(found.lines().any(|line| line.ends_with(&format!(". {title}"))), "{title}: {found}");
    }
    assert!(!found.contains("(no title)"), "{found}");
}

#[test]
fn formulas_words_and_reasons() {
    let dir = folder("search-reasons");
    let outcome = dir.run(&["search", "square $x^2\\ge 0$", "--explain", "--formulas", "--limit", "1"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for part in [
        "Most like x² ≥ 0:\n    1.000  x² ≥ 0  in 1 post, visual id",
        " 1. Is x² ≥ 0?\n",
        "question 1 · 4 votes · 2015-02-03 · by Sophie",
        "words     squar",
        "formulas  x² ≥ 0",
        "square in body",
        "1.000 alike, in the title:",
        "query  x^2\\ge 0\n",
        "1 to 1 of 3 results",
    ] {
        assert!(outcome.stdout.contains(part), "{part} in\n{}", outcome.stdout);
    }
}

#[test]
fn colours_only_where_wanted() {
    let dir = folder("search-colours");
    let plain = dir.run(&["search", "squares red"]).stdout;
    assert!(!plain.contains('\x1b'), "{plain}");
    let coloured = dir.run(&["search", "squares red", "--color", "always"]).stdout;
    assert!(coloured.contains("\x1b[1;33m"), "{coloured}");
    assert!(!coloured.contains("\x1b[31m"), "what a post says does not steer the terminal: {coloured}");
}

#[test]
fn json() {
    let dir = folder("search-json");
    let outcome = dir.run(&["search", "--json", "inequalty square $x^2$"]);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(json["query"]["formulas"][0], "x^2");
    assert_eq!(json["corrections"], serde_json::json!([{"typed": "inequalty", "meant": "inequality"}]));
    let hit = &json["hits"][0];
    for key in ["id", "score", "kind", "title", "snippet", "tags", "why"] {
        assert!(!hit[key].is_null(), "{key} in {hit}");
    }
    let sum: f64 =
        hit["why"]["clues"].as_array().unwrap().iter().map(|clue| clue["worth"].as_f64().unwrap()).sum();
    assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-4, "{hit}");
    assert!(json["formulas"][0]["visual_id"].is_string(), "{json}");
}

#[test]
fn nothing_found_is_explained() {
    let dir = folder("search-nothing");
    for (query, note) in [
        ("", "note: type words"),
        ("qqqqqqqq", "note: «qqqqqqqq»: no post has the word qqqqqqqq\n"),
        ("square tag:topology", "note: «tag:topology»: without this, there would be results\n"),
    ] {
        let outcome = dir.run(&["search", query]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (1, ""), "{query}");
        assert!(outcome.stdout.contains(note), "{query}: {}", outcome.stdout);
        assert!(outcome.stdout.contains("0 results in "), "{query}: {}", outcome.stdout);
    }
    let page = dir.run(&["search", "square", "--page", "9"]);
    assert!(page.stdout.contains("note: there are only 3 results"), "{}", page.stdout);
}

#[test]
fn the_index_is_found() {
    let dir = folder("search-index");
    let empty = Dir::new("search-no-index");
    let outcome = empty.command(&["search", "square"]).env_remove("HYPATIA_INDEX").output().unwrap();
    let error = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(2), "{error}");
    for part in ["--index", "hypatia index FOLDER", "hypatia index --sample"] {
        assert!(error.contains(part), "{error}");
    }
    let path = dir.path().join("hypatia.index");
    let found = empty.command(&["search", "square"]).env("HYPATIA_INDEX", &path).output().unwrap();
    assert_eq!(found.status.code(), Some(0));
    let named = empty.run(&["search", "square", "--index", path.to_str().unwrap()]);
    assert_eq!(named.code, 0, "{}", named.stderr);
    let wrong = dir.run(&["search", "square", "--system", "hypatia-classic-2"]);
    wrong.fails("hypatia: the system hypatia-classic-2 returns formulas, not posts");
}

#[test]
fn a_system_of_ones_own_is_a_file() {
    let dir = Dir::new("systems");
    let file = dir.run(&["systems", "search"]).stdout;
    dir.write("mine.toml", file.replace("name = \"search\"\n", "name = \"mine\"\n"));
    let missing = dir.run(&["search", "x", "--system", "mine.toml", "--index", "none"]);
    assert!(missing.stderr.contains("none"), "{}", missing.stderr);
}
