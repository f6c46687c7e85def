//! Pages of Markdown, HTML and LaTeX.

use ingest::documents::{Format, LIMIT, PageId};

use super::{Failing, items, items_with};

fn check(path: &str, input: impl AsRef<[u8]>, expected: &[&str]) {
    super::check(Format::Page, path, input, expected);
}

#[test]
fn markdown() {
    for (text, expected) in [
        ("", "\"\""),
        ("Text", "\"Text\""),
        ("\n# A $x$ title #\n\nText\n", "title=\"A $x$ title\" \"Text\""),
        ("# C#\nText", "title=\"C#\" \"Text\""),
        ("Text\n# Title\nmore", "title=\"Title\" \"Text\\n# Title\\nmore\""),
        ("Title\n=====\n\nText", "title=\"Title\" \"Text\""),
        ("One\ntwo\n===", "\"One\\ntwo\\n===\""),
        ("#hash\n\n## Second\n", "\"#hash\\n\\n## Second\""),
        ("```\n# comment\n```\n# Title", "title=\"Title\" \"```\\n# comment\\n```\\n# Title\""),
        ("    # code", "\"    # code\""),
        (
            "---\ntitle: \"T: x\"\ntags: [a, 'b c']\ndate: 2014-03-02\n---\n# Heading\nText",
            concat!(
                "date=2014-03-02T00:00:00.000 tags=[\"a\", \"b c\"] title=\"T: x\" ",
                "\"# Heading\\nText\""
            ),
        ),
        ("---\ntags:\n  - a\n  - b\nother: x\n...\n# T\nText", "tags=[\"a\", \"b\"] title=\"T\" \"Text\""),
        ("---\nA line\n---\nText", "\"---\\nA line\\n---\\nText\""),
        ("---\ntitle: open", "\"---\\ntitle: open\""),
    ] {
        check("notes/a.md", text, &[&format!("document 0:1 notes/a {expected}")]);
    }
    check("a.md", "---\r\nid: own\r\n---\r\nText\r\n", &["document 0:1 own \"Text\""]);
    check("a.markdown", "---\ndate: soon\n---\n", &["document 0:1 a \"\"", "! bad-date 0:1 [post a] soon"]);
}

#[test]
fn html() {
    for (text, expected) in [
        ("<p>Text", "\"<p>Text\""),
        (
            "<html><HEAD><Title>A &amp;\n B</Title></HEAD><body class='a>b'> <p>x</p> </body></html>",
            "title=\"A &amp; B\" \"<p>x</p>\"",
        ),
        ("<!-- <title>No</title><body> --><title>T</title><body>x", "title=\"T\" \"x\""),
        (
            "<script>'<title>No</title>'</script><title>T</title><body>x</body>y</body>",
            "title=\"T\" \"x</body>y\"",
        ),
        ("<body><svg><title>No</title></svg></body>", "\"<svg><title>No</title></svg>\""),
        ("<titles>x</titles><title/>x", "\"<titles>x</titles><title/>x\""),
        ("<body", "\"\""),
        ("</body><body>x", "\"x\""),
        ("<!-- <body>x", "\"<!-- <body>x\""),
    ] {
        check("d/a.html", text, &[&format!("document 0:1 d/a markup=Html {expected}")]);
    }
}

#[test]
fn pages_with_mathml_are_named_by_their_file() {
    let text = "<html><body><p><m:math id=\"e1\"><m:mi>x</m:mi></m:math></p></body></html>";
    let inside = "\"<p><m:math id=\\\"e1\\\"><m:mi>x</m:mi></m:math></p>\"";
    check(
        "0710/0710.3032/0710.3032_1_22.xhtml",
        text,
        &[&format!("document 0:1 0710.3032_1_22 markup=Html {inside}")],
    );
    let id = PageId { path: "x/Ring".to_owned(), stem: None };
    let (found, _) = items_with(Format::Page, "x/Ring.html", Some(&id), text.as_bytes());
    assert_eq!(found, [format!("document 0:1 x/Ring markup=Html {inside}")]);
    check("d/a.html", "<!-- <math> --><mathx>", &["document 0:1 d/a markup=Html \"<!-- <math> --><mathx>\""]);
}

#[test]
fn latex() {
    for (text, expected) in [
        ("\\title{On $x_{1}$}\nText", "title=\"On $x_{1}$\""),
        ("% \\title{No}\n\\%\\title [short [x]] {A %c\n \\} B}", "title=\"A \\\\} B\""),
        ("\\titlepage \\maketitle \\title{T}", "title=\"T\""),
        ("\\title{open", ""),
        ("\\title", ""),
        ("no title\\", ""),
    ] {
        let body = format!("{text:?}");
        let expected = format!("document 0:1 d/a markup=Latex {expected}");
        check("d/a.tex", text, &[&format!("{} {body}", expected.trim_end())]);
    }
}

#[test]
fn damage_and_bad_bytes() {
    check(
        "a.md",
        b"\xef\xbb\xbfa\xff\xfeb",
        &["document 0:1 a \"a\u{fffd}\u{fffd}b\"", "! bad-encoding 0:1 [post a]"],
    );
    let (found, result) = items(Format::Page, "a.md", Failing(b"Text"));
    assert!(found.is_empty() && result.is_err());
}

#[test]
fn long_pages_are_cut_between_characters() {
    let text = format!("a{}", "é".repeat(LIMIT / 2));
    let (found, result) = items(Format::Page, "a.md", text.as_bytes());
    result.unwrap();
    assert!(found[0].ends_with("éé\""));
    assert_eq!(found[1..], ["! too-long 0:1 [post a] a.md"]);
}

#[test]
fn hostile_pages_take_no_longer_than_others() {
    for (path, unit) in [
        ("a.html", "<title \""),
        ("a.html", "<title>"),
        ("a.html", "<body '"),
        ("a.html", "<script>"),
        ("a.html", "<!--"),
        ("a.html", "<![CDATA["),
        ("a.html", "<"),
        ("a.tex", "\\title["),
        ("a.tex", "\\title[]"),
        ("a.tex", "%\\"),
        ("a.md", "```\n# \n"),
        ("a.md", "# #"),
        ("a.md", "x\n=\n"),
        ("a.md", "---\n"),
    ] {
        let (found, result) = items(Format::Page, path, unit.repeat(200_000).as_bytes());
        result.unwrap();
        assert_eq!(found.len(), 1, "{unit}");
    }
}
