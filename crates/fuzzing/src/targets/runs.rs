//! The files of a lab: runs, judgments, topics, measures.

use super::{check_place, text_or_refuse};
use crate::Outcome;
use eval::{Codes, JudgedGrades, Judgments, Measure, Ranked, ResultGrade};
use formats::check::{Columns, Options, Submission, Task, check, mend};
use formats::qrels::{Judgment, Qrels, Scale};
use formats::run::{Run, RunKind, RunLayout};
use formats::task3::{Task3Answer, Task3Run};
use formats::{
    AmrTarget, FeatureTable, LineEnd, Representation, Source, TopicFormat, read_assessments, read_csv,
    read_penman, read_topics, read_topics_as, write_assessments, write_csv_row, write_topic_formulas,
    write_topics,
};

/// Runs from any bytes: a run is written and read again the same, and the check of submissions has words for
/// everything.
pub fn run(bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::Refused;
    for kind in [RunKind::Documents, RunKind::Formulas] {
        let (run, problems) = match Run::read_tolerant(Source::bytes("run", bytes), kind) {
            Ok(read) => read,
            Err(error) => {
                check_place(&error.to_string(), "run", bytes);
                return Outcome::Refused;
            }
        };
        let strict = Run::read(Source::bytes("run", bytes), kind);
        assert_eq!(strict.is_ok(), problems.is_empty());
        match strict {
            Ok(_) => outcome = Outcome::Read,
            Err(error) => check_place(&error.to_string(), "run", bytes),
        }
        check_round_trip(&run, kind);
        for layout in [RunLayout::Trec, RunLayout::Task1, RunLayout::Task2] {
            let _ = run.to_text(layout);
        }
    }
    let Ok(submission) = Submission::read("run", Some("us-task1-x-auto-both-P.tsv"), bytes) else {
        return outcome;
    };
    for task in [Task::Task1, Task::Task2] {
        for columns in [Columns::Lab, Columns::Trec] {
            let options = Options { task: Some(task), columns, ..Options::default() };
            let _ = check(&submission, &options);
            if let Some(text) = mend(&submission, &options).text {
                // What was mended needs no mending.
                assert_eq!(mend(&submission.with_text(text), &options).text, None);
            }
        }
    }
    outcome
}

/// Features from any bytes: a table is written and read again the same.
pub fn features(bytes: &[u8]) -> Outcome {
    // A few lines may ask for a table of gigabytes, which is refused, or for one that only takes long.
    let high = bytes.windows(4).any(|window| window.iter().all(u8::is_ascii_digit));
    if high && bytes.len() > 4096 {
        return Outcome::Refused;
    }
    match FeatureTable::read(Source::bytes("features", bytes)) {
        Ok(table) => {
            assert_eq!(table.values.len(), table.rows.len() * table.names.len());
            let again = FeatureTable::read(Source::bytes("features", table.to_text()));
            assert_eq!(again.expect("what was written can be read"), table);
            Outcome::Read
        }
        Err(error) => {
            check_place(&error.to_string(), "features", bytes);
            Outcome::Refused
        }
    }
}

/// Meanings as graphs from any bytes: every edge leads to a node, and each node stands in the line once.
pub fn penman(bytes: &[u8]) -> Outcome {
    match read_penman(Source::bytes("penman", bytes)) {
        Ok(graphs) => {
            for graph in graphs.values() {
                let targets = graph.nodes.iter().flat_map(|node| &node.edges).map(|(_, target)| target);
                for target in targets {
                    assert!(!matches!(target, AmrTarget::Node(node) if *node >= graph.nodes.len()));
                }
                let words: usize = graph.nodes.iter().map(|node| node.concept.split(' ').count()).sum();
                assert!(graph.linear(|_| None).split(' ').count() <= words.max(1));
            }
            Outcome::Read
        }
        Err(error) => {
            check_place(&error.to_string(), "penman", bytes);
            Outcome::Refused
        }
    }
}

/// The rows of a run: topic, document, bits of the score, and all other columns.
fn rows(run: &Run) -> Vec<[String; 7]> {
    let rows = run.topics().flat_map(|topic| topic.rows().map(move |row| (topic.id(), row)));
    rows.map(|(topic, row)| {
        for column in 0..run.layout().columns() {
            let _ = row.column_place(column);
        }
        [
            topic.to_string(),
            row.doc().to_string(),
            row.score().to_bits().to_string(),
            row.rank_text().to_owned(),
            row.score_text().to_owned(),
            row.tag_text().to_owned(),
            row.post().map(|post| post.to_string()).unwrap_or_default(),
        ]
    })
    .collect()
}

fn check_round_trip(run: &Run, kind: RunKind) {
    let text = run.to_text(run.layout());
    // A mark at the start of a file is no part of its first topic.
    if text.starts_with('\u{FEFF}') {
        return;
    }
    let again = Run::read(Source::bytes("again", text.clone()), kind).expect("what was written can be read");
    if run.num_rows() > 0 {
        assert_eq!(again.layout(), run.layout());
        assert_eq!(rows(&again), rows(run));
        assert_eq!(again.to_text(again.layout()), text);
    }
}

/// Runs of Task 3 from any bytes: a run is written and read again the same, and the check of submissions has
/// words for everything.
pub fn task3_run(bytes: &[u8]) -> Outcome {
    let Ok((run, problems)) = Task3Run::read_tolerant(Source::bytes("run", bytes)) else {
        return Outcome::Refused;
    };
    let (again, none) =
        Task3Run::read_tolerant(Source::bytes("run", run.to_text())).expect("what was written can be read");
    assert!(none.is_empty(), "{none}");
    assert_eq!(without_lines(again.answers), without_lines(run.answers));
    let mut outcome = Outcome::Read;
    if !problems.is_empty() {
        outcome = Outcome::Refused;
        let error = Task3Run::read(Source::bytes("run", bytes)).expect_err("problems are errors");
        check_place(&error.to_string(), "run", bytes);
    }
    let Ok(submission) = Submission::read("run", Some("us-task3-x-auto-both-gen-P.tsv"), bytes) else {
        return outcome;
    };
    let options = Options { task: Some(Task::Task3), ..Options::default() };
    let _ = check(&submission, &options);
    if let Some(text) = mend(&submission, &options).text {
        // What was mended needs no mending.
        assert_eq!(mend(&submission.with_text(text), &options).text, None);
    }
    outcome
}

fn without_lines(mut answers: Vec<Task3Answer>) -> Vec<Task3Answer> {
    answers.iter_mut().for_each(|answer| answer.line = 0);
    answers
}

/// Judgments from any bytes, on all scales: judgments are written and read again the same.
pub fn qrels(bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::Refused;
    for scale in [Scale::Plain, Scale::Task3, Scale::Ntcir] {
        let qrels = match Qrels::read(Source::bytes("qrels", bytes), scale) {
            Ok((qrels, _)) => qrels,
            Err(error) => {
                check_place(&error.to_string(), "qrels", bytes);
                continue;
            }
        };
        outcome = Outcome::Read;
        let text = qrels.to_text();
        // A mark at the start of a file is no part of its first topic.
        if text.starts_with('\u{FEFF}') {
            continue;
        }
        let (again, _) =
            Qrels::read(Source::bytes("again", text.clone()), scale).expect("it can be read again");
        assert_eq!(judged(&again), judged(&qrels));
        assert_eq!(again.to_text(), text);
        let judgments = Judgments::new(&qrels, Codes::Unjudged);
        for topic in judgments.topics() {
            assert_eq!(
                judgments.topics()[judgments.index_of(topic.id()).expect("it is there")].id(),
                topic.id()
            );
            assert!(topic.docs().all(|(doc, verdict)| topic.verdict(doc) == verdict));
        }
        let _ = Qrels::sum(&[qrels, again]);
    }
    outcome
}

fn judged(qrels: &Qrels) -> Vec<(String, String, Judgment)> {
    let rows = qrels.topics().flat_map(|topic| topic.rows().map(move |row| (topic.id(), row)));
    rows.map(|(topic, row)| (topic.to_string(), row.doc().to_string(), row.judgment())).collect()
}

/// Tables of single judgments, and any table cut at commas: rows are written and read again the same, and errors
/// name a line of the file.
pub fn assessments(bytes: &[u8]) -> Outcome {
    match read_csv(Source::bytes("table", bytes)) {
        Ok(table) => {
            let line = |fields: &[String]| write_csv_row(fields.iter().map(String::as_str));
            let mut text = line(&table.columns);
            table.rows.iter().for_each(|row| text.push_str(&line(&row.fields)));
            let again =
                read_csv(Source::bytes("again", text.clone())).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again.columns, table.columns);
            let fields = |table: &formats::CsvTable| -> Vec<Vec<String>> {
                table.rows.iter().map(|row| row.fields.clone()).collect()
            };
            assert_eq!(fields(&again), fields(&table));
        }
        Err(error) => check_place(&error.to_string(), "table", bytes),
    }
    let rows = match read_assessments(Source::bytes("table", bytes)) {
        Ok(rows) => rows,
        Err(error) => {
            check_place(&error.to_string(), "table", bytes);
            return Outcome::Refused;
        }
    };
    let again = read_assessments(Source::bytes("table", write_assessments(&rows)));
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.len(), rows.len());
    for (again, row) in again.into_iter().zip(rows) {
        assert!(row.seconds.is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0));
        // Only the places differ.
        assert_eq!(formats::Assessment { place: row.place.clone(), ..again }, row);
    }
    Outcome::Read
}

/// Topics from any bytes, in whatever format they show, written in every format there is.
pub fn topics(bytes: &[u8]) -> Outcome {
    let file = match read_topics(Source::bytes("topics", bytes)) {
        Ok(file) => file,
        Err(error) => {
            check_place(&error.to_string(), "topics", bytes);
            return Outcome::Refused;
        }
    };
    for topic in &file.topics {
        let _ = topic.marked_formulas();
        topic.formulas.iter().for_each(|formula| drop(formula.plain_latex()));
    }
    for line_end in [LineEnd::Lf, LineEnd::CrLf] {
        for format in [
            TopicFormat::ArqmathXml,
            TopicFormat::NtcirXml,
            TopicFormat::FormulaTsv,
            TopicFormat::LatexTsv,
            TopicFormat::TextTsv,
            TopicFormat::Table,
        ] {
            let Ok(written) = write_topics(&file.topics, format, line_end) else { continue };
            let again =
                read_topics_as(Source::bytes("again", written.text.clone()), format).expect("it was read");
            if written.lost.is_empty() {
                // Nothing is lost: reading gives exactly the topics that were written.
                assert_eq!(again.topics, file.topics);
            }
            if let Ok(twice) = write_topics(&again.topics, format, line_end)
                && twice.lost.is_empty()
            {
                let twice = read_topics_as(Source::bytes("twice", twice.text), format).expect("it was read");
                assert_eq!(twice.topics, again.topics);
            }
        }
        for representation in Representation::ALL {
            let _ = write_topic_formulas(&file.topics, representation, line_end);
        }
    }
    Outcome::Read
}

/// Lists of measures from any text, applied to any ranking: names are stable, values are numbers.
/// The first line is the list; the bytes behind it are a ranking and what else was judged.
pub fn measure(bytes: &[u8]) -> Outcome {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let list = text_or_refuse!(&bytes[..end]);
    let Ok(measures) = Measure::parse_list(list) else { return Outcome::Refused };
    let rest = bytes.get(end + 1..).unwrap_or_default();
    let (returned, missed) = rest.split_at(rest.len() - rest.len() / 3);
    let verdicts: Vec<ResultGrade> = returned.iter().map(|byte| verdict(*byte)).collect();
    let grades = verdicts.iter().filter_map(|verdict| verdict.grade());
    let grades = grades.chain(missed.iter().filter_map(|byte| verdict(*byte).grade())).collect();
    let pool = JudgedGrades::new(grades);
    for measure in measures.iter().take(50) {
        let printed = measure.to_string();
        assert_eq!(printed.parse::<Measure>().as_ref(), Ok(measure), "{printed}");
        let ranked = Ranked { grades: &verdicts, judged: &pool };
        let value = measure.score(ranked);
        assert!(value.is_finite(), "{printed} = {value}");
        assert!(measure.highest(&pool).is_finite(), "{printed}");
        assert!(measure.residual(ranked).is_none_or(f64::is_finite), "{printed}");
        assert!(measure.random_order_expectation(&pool).is_none_or(f64::is_finite), "{printed}");
        assert!(measure.aggregate().of(&[value, 0.0, value]).is_finite(), "{printed}");
        let _ = measure.trec_name();
        let _ = measure.clone().judged_only().at_level(2).to_string().parse::<Measure>().expect(&printed);
    }
    Outcome::Read
}

fn verdict(byte: u8) -> ResultGrade {
    match byte {
        b'a'..=b'z' => ResultGrade::UNJUDGED,
        b'-' => ResultGrade::POOLED,
        0xFF => ResultGrade::graded(i32::MAX),
        0x80..0xFF => ResultGrade::graded(1 << (byte & 31).min(30)),
        _ => ResultGrade::graded(i32::from(byte & 7)),
    }
}
