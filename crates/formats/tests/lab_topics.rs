//! Topics as the labs published them, if the real data is there.

use formats::{LineEnd, Source, TopicFile, TopicFormat, read_topics, write_topics};
use std::fs;
use std::path::Path;

fn read(path: &Path) -> TopicFile {
    read_topics(Source::path(path)).unwrap_or_else(|error| panic!("{error}"))
}

/// Count, first, tenth and last topic.
fn check_topics(file: &TopicFile, format: TopicFormat, count: usize, ids: [&str; 3]) {
    assert_eq!(file.format, format);
    assert_eq!(file.topics.len(), count);
    let found: Vec<&str> = file.topics.iter().map(|topic| topic.id.as_str()).collect();
    assert_eq!([found[0], found[9], found[count - 1]], ids);
}

#[test]
fn arqmath_files_are_written_byte_for_byte() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let expected = [
        ("Topics_Task1_2020.xml", 98, ["A.1", "A.10", "A.100"], LineEnd::CrLf),
        ("Topics_Task1_2021.xml", 100, ["A.201", "A.210", "A.300"], LineEnd::Lf),
        ("Topics_Task2_2020.xml", 85, ["B.1", "B.12", "B.98"], LineEnd::CrLf),
        ("Topics_Task2_2021.xml", 100, ["B.201", "B.210", "B.300"], LineEnd::CrLf),
    ];
    for (name, count, ids, line_end) in expected {
        let path = data.join("arqmath-mini/topics").join(name);
        let file = read(&path);
        check_topics(&file, TopicFormat::ArqmathXml, count, ids);
        assert!(file.notes.is_empty(), "{name}: {:?}", file.notes);
        assert_eq!(file.line_end, line_end);
        let written = write_topics(&file.topics, file.format, file.line_end).unwrap();
        assert!(written.text.as_bytes() == fs::read(&path).unwrap(), "{name} is written otherwise");
        assert_eq!(written.lost, []);
    }
}

#[test]
fn formulas_marked_in_arqmath_questions() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    for (name, marked, with_id) in [
        ("Topics_Task1_2020.xml", 1008, 1008),
        ("Topics_Task2_2020.xml", 922, 922),
        ("Topics_Task1_2021.xml", 843, 829),
        ("Topics_Task2_2021.xml", 843, 829),
    ] {
        let file = read(&data.join("arqmath-mini/topics").join(name));
        let all: Vec<_> = file.topics.iter().flat_map(|topic| topic.marked_formulas()).collect();
        let ids = all.iter().filter(|formula| formula.id.is_some()).count();
        assert_eq!((all.len(), ids), (marked, with_id), "{name}");
        assert!(all.iter().all(|formula| formula.latex.is_some()), "{name}");
        let mut different = Vec::new();
        for topic in &file.topics {
            for query in topic.queries() {
                let marked = topic.marked_formulas();
                let same = marked.iter().find(|formula| formula.id == query.id).expect("the query is marked");
                if same.latex.as_deref().unwrap().trim() != query.plain_latex().unwrap().trim() {
                    different.push(topic.id.to_string());
                }
            }
        }
        // The lab spelled two queries otherwise than the questions do.
        let expected: &[&str] = if name == "Topics_Task2_2021.xml" { &["B.231", "B.271"] } else { &[] };
        assert_eq!(different, expected, "{name}");
    }
}

#[test]
fn tables_of_queries() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let file = read(&data.join("ntcir11-known-item/queries.tsv"));
    check_topics(&file, TopicFormat::LatexTsv, 50, ["NTCIR11-Math-1", "NTCIR11-Math-19", "NTCIR11-Math-99"]);
    let file = read(&data.join("arqmath1-pool/queries.tsv"));
    check_topics(&file, TopicFormat::Table, 29, ["B.3", "B.37", "B.98"]);
    assert!(file.notes.is_empty());
    for topic in &file.topics {
        let query = topic.queries().next().unwrap();
        assert!(query.id.is_some() && query.latex.is_some() && query.slt.is_some() && query.opt.is_some());
    }
    let mathml = read(&data.join("arqmath-mini/topics/Topics_Task2_mathml.tsv"));
    check_topics(&mathml, TopicFormat::Table, 184, ["B.1", "B.12", "B.299"]);
    let query = mathml.topics.get("B.2").unwrap().queries().next().unwrap();
    assert!(query.presentation_mathml.is_some() && query.content_mathml.is_some());
}

#[test]
fn ntcir_12_topics_as_xml_and_as_table() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let folder = data.join("ntcir12-wfb");
    let table = read(&folder.join("topics.txt"));
    let xml = read(&folder.join("NTCIR12-MathWikiFormula-queries-participants.xml"));
    let ids = ["NTCIR12-MathWiki-1", "NTCIR12-MathWiki-10", "NTCIR12-MathWiki-40"];
    check_topics(&table, TopicFormat::LatexTsv, 40, ids);
    check_topics(&xml, TopicFormat::NtcirXml, 40, ids);
    assert!(xml.notes.is_empty(), "{:?}", xml.notes);
    let written = write_topics(&xml.topics, TopicFormat::NtcirXml, xml.line_end).unwrap();
    assert_eq!(written.lost, []);
    // On one line, the annotations are what the table says, blanks aside.
    let on_one_line = write_topics(&xml.topics, TopicFormat::LatexTsv, LineEnd::Lf).unwrap();
    let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let mut different = Vec::new();
    for (left, right) in
        on_one_line.text.lines().zip(fs::read_to_string(folder.join("topics.txt")).unwrap().lines())
    {
        if visible(left) != visible(right) {
            different.push((left.to_owned(), right.to_owned()));
        }
    }
    assert_eq!(on_one_line.text.lines().count(), 40);
    assert!(different.is_empty(), "{different:?}");
    let wildcards = xml.topics.iter().filter(|topic| {
        topic.queries().any(|query| query.mathml.as_deref().unwrap_or_default().contains("<qvar>"))
    });
    assert_eq!(wildcards.count(), 20);
}
