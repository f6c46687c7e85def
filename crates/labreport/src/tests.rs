//! Whole labs, small enough to be worked by hand.

use crate::input::*;
use crate::testing::{baseline, manual, primary, qrels, run, submitted};
use crate::{Overview, OverviewError, overview};
use eval::Preset;
use figures::table::{Cell, Mark, Row, Table, Value};
use formats::TopicId;
use formats::qrels::{Judgment, Qrels};
use formats::run::Run;

fn lab(tasks: Vec<Task<'_>>) -> Lab<'_> {
    Lab { name: "Lab".into(), tasks, ..Lab::default() }
}

fn task<'a>(systems: Vec<System>, name: &str, qrels: Option<&'a Qrels>, runs: &'a [Run]) -> Task<'a> {
    let mut task = Task::new("Task 1", "task1", Kind::Ranked(Preset::Task1));
    task.systems = systems;
    task.current = set(name, qrels, runs);
    task
}

fn set<'a>(name: &str, qrels: Option<&'a Qrels>, runs: &'a [Run]) -> TestSet<'a> {
    TestSet {
        name: name.into(),
        qrels,
        outputs: runs.iter().map(|run| Some(Output::Ranking(run))).collect(),
        ..TestSet::default()
    }
}

fn table<'o>(overview: &'o Overview, name: &str) -> &'o Table {
    let tables = overview.tables();
    let found = tables.iter().find(|(key, _)| *key == name);
    found
        .unwrap_or_else(|| {
            panic!("no table {name} among {:?}", tables.iter().map(|(key, _)| key).collect::<Vec<_>>())
        })
        .1
}

/// Every row as text: headings in brackets, bold between stars.
fn shown(table: &Table) -> Vec<String> {
    let cell = |cell: &Cell| {
        let text = match &cell.value {
            Value::Empty => String::new(),
            Value::Text(text) => text.clone(),
            Value::Number { value, decimals } => format!("{value:.decimals$}"),
        };
        cell.marks.iter().fold(text, |text, mark| match mark {
            Mark::Best => format!("*{text}*"),
            Mark::Parentheses => format!("({text})"),
            Mark::Dagger => format!("{text}†"),
            Mark::DoubleDagger => format!("{text}‡"),
            _ => text,
        })
    };
    let row = |row: &Row| match row {
        Row::Section(name) => format!("[{name}]"),
        Row::Cells(cells) => cells.iter().map(cell).collect::<Vec<_>>().join(" | "),
        Row::Rule => "---".to_owned(),
    };
    table.rows.iter().map(row).collect()
}

/// Two topics with one relevant answer each: its rank decides. nDCG' is 1 at
/// rank 1, 0.631 at rank 2 and 0.5 at rank 3; AP' is 1, 0.5 and 0.333.
const JUDGED: &str = "A.1 0 x 3\nA.1 0 y 0\nA.1 0 z 0\nA.2 0 x 3\nA.2 0 y 0\nA.2 0 z 0\n";

fn ranked(first: usize, second: usize) -> Run {
    let docs = |rank: usize| ["x y z", "y x z", "y z x"][rank - 1];
    run(&[("A.1", docs(first)), ("A.2", docs(second))])
}

/// The layout of Table 3: baselines, teams by their best run, marks.
#[test]
fn the_table_of_results() {
    let judged = qrels(JUDGED);
    let mut pooled = baseline("linked");
    pooled.pooled = Pooled::AsPrimary;
    pooled.data = DataUsed::Links;
    let mut trained = submitted("B", "b2");
    trained.trained_on = vec!["Old".into()];
    let systems = vec![
        manual(primary("A", "a1")),
        primary("B", "b1"),
        trained,
        submitted("C", "c1"),
        baseline("tf"),
        pooled,
    ];
    let runs = [ranked(1, 1), ranked(1, 2), ranked(2, 2), ranked(3, 3), ranked(3, 3), ranked(2, 3)];
    let old = [ranked(2, 2), ranked(1, 2), ranked(1, 1), ranked(3, 3), ranked(3, 3), ranked(1, 1)];
    let mut task = task(systems, "New", Some(&judged), &runs);
    task.earlier.push(set("Old", Some(&judged), &old));
    let report = overview(&lab(vec![task])).unwrap();
    let results = table(&report, "task1-results");
    let groups: Vec<&str> = results.columns.iter().filter_map(|column| column.group.as_deref()).collect();
    assert_eq!(groups[0], "Old, 2 topics");
    assert_eq!(groups[5], "New, 2 topics");
    assert_eq!(
        shown(results),
        [
            "[Baselines]",
            "linked | *L | (✓) |  | (1.000) | (1.000) | 0.100 | 0.565 | 0.417 | 0.100",
            "tf | B |  |  | 0.500 | 0.333 | 0.100 | 0.500 | 0.333 | 0.100",
            "[A]",
            "a1 | B | ✓ | ✓ | 0.631 | 0.500 | *0.100* | *1.000* | *1.000* | *0.100*",
            "[B]",
            "b1 | B | ✓ |  | *0.815* | *0.750* | *0.100* | *0.815* | *0.750* | *0.100*",
            "b2 | B |  |  | 1.000† | 1.000† | 0.100† | 0.631 | 0.500 | *0.100*",
            "[C]",
            "c1 | B |  |  | 0.500 | 0.333 | *0.100* | 0.500 | 0.333 | *0.100*",
        ]
    );
    let notes = results.footnotes.join(" ");
    assert!(notes.contains("0.100 for P'@10"), "{notes}");
    assert!(notes.contains("trained on topics"), "{notes}");
    let html = report.to_html();
    assert!(html.contains("the best run on New is A a1 (manual) with nDCG' 1.000"));
    assert!(html.contains("The best automatic run is B b1 with 0.815"));
    let tau = shown(table(&report, "task1-sets-tau"));
    assert!(tau[0].starts_with("Old : New | 6 | "), "{tau:?}");
    let tests = shown(table(&report, "task1-significance"));
    assert_eq!(tests.iter().filter(|row| row.starts_with("tf")).count(), 1, "{tests:?}");
    assert!(!tests.iter().any(|row| row.starts_with("linked")), "the base is not compared with itself");
}

/// A run whose record names a model trained on the site of the topics is marked in every table of scores.
#[test]
fn runs_of_exposed_models_are_marked() {
    let judged = qrels(JUDGED);
    let model = |name: &str, set: &str| formats::RecordedModel {
        seen_topics: Vec::new(),
        name: name.to_owned(),
        fingerprint: String::new(),
        trained_on: vec![set.to_owned()],
    };
    let mut seen = primary("A", "a1");
    seen.models = vec![model("mini", "math.stackexchange.com")];
    let mut other = primary("B", "b1");
    other.models = vec![model("plain", "ms-marco")];
    let runs = [ranked(1, 1), ranked(1, 2), ranked(3, 3)];
    let task = task(vec![seen, other, baseline("tf")], "New", Some(&judged), &runs);
    let report = overview(&lab(vec![task])).unwrap();
    for name in ["task1-results", "task1-intervals", "task1-significance"] {
        let table = table(&report, name);
        let rows = shown(table);
        assert!(rows.iter().any(|row| row.starts_with("a1‡ | ")), "{name}: {rows:?}");
        assert!(rows.iter().any(|row| row.starts_with("b1 | ")), "{name}: {rows:?}");
        let notes: Vec<&String> = table.footnotes.iter().filter(|note| note.starts_with('‡')).collect();
        assert_eq!(notes.len(), 1, "{name}: {:?}", table.footnotes);
        assert!(notes[0].ends_with("may be too high: mini."), "{}", notes[0]);
    }
    let page = report.to_html();
    assert!(page.contains("a1<sup>‡</sup>") && page.contains("‡ ranked with a model trained on"));
    let markdown = report.to_markdown();
    assert!(markdown.contains("a1‡") && markdown.contains("‡ ranked with a model trained on"));
    let latex = report.latex_files();
    let results = latex.iter().find(|file| file.name == "task1-results").unwrap();
    assert!(results.text.contains("a1$^{\\ddagger}$"), "{}", results.text);
}

#[test]
fn an_empty_lab_has_a_report() {
    let report = overview(&Lab::default()).unwrap();
    assert!(report.to_html().contains("The lab has no tasks yet."));
    assert!(report.tables().is_empty());
}

#[test]
fn a_lab_with_one_run() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2)];
    let report = overview(&lab(vec![task(vec![primary("A", "a1")], "New", Some(&judged), &runs)])).unwrap();
    assert_eq!(shown(table(&report, "task1-results")), ["[A]", "a1 | B | ✓ |  | 0.815 | 0.750 | 0.100"]);
    assert!(report.to_html().contains("There is no baseline with results"));
}

#[test]
fn a_lab_without_judgments_says_so_and_shows_no_zeros() {
    let runs = [ranked(1, 2)];
    let mut task = task(vec![primary("A", "a1")], "New", None, &runs);
    task.current.topics.push(Topic { id: TopicId::from("A.1"), title: "Why?".into(), labels: Vec::new() });
    let report = overview(&lab(vec![task])).unwrap();
    let html = report.to_html();
    assert!(html.contains("there are no judgments for New yet"), "{html}");
    assert!(html.contains("There are no results"));
    assert!(!html.contains("0.000"));
    assert_eq!(shown(table(&report, "summary")), ["Task 1 | 1 | 1 | 0 | 1 | – | NaN | NaN | NaN"]);
}

/// Everything that people write goes through every printer.
#[test]
fn hostile_names_are_text() {
    const BAD: &str = "<script>alert('x')</script>\"&\u{1b}[31m\n|*_[a](b) \\input{x} % $1$";
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2), ranked(2, 1), ranked(3, 3)];
    let mut task =
        task(vec![primary(BAD, BAD), submitted(BAD, BAD), baseline(BAD)], BAD, Some(&judged), &runs);
    task.name = BAD.into();
    task.unit = Unit::new(BAD, BAD);
    task.relevant_name = BAD.into();
    task.aggregation = Some(BAD.into());
    task.codes = Some(BAD.into());
    task.grades = vec![Grade { grade: 3, name: BAD.into(), definition: BAD.into() }];
    let label = |value: &str| vec![TopicLabel { name: BAD.into(), value: format!("{BAD}{value}") }];
    task.current.topics = vec![
        Topic { id: TopicId::from("A.1"), title: BAD.into(), labels: label("1") },
        Topic { id: TopicId::from("A.2"), title: BAD.into(), labels: label("2") },
    ];
    task.current.pool = Some(PoolStatistics {
        topics: vec![PooledTopic {
            topic: TopicId::new(BAD),
            items: 3,
            instances: None,
            judged_items: 3,
            judged_instances: None,
        }],
        contributions: vec![Some(Contribution { items: 3, unique_items: 1 }); 3],
        notes: vec![BAD.into()],
        ..PoolStatistics::default()
    });
    let person = |number: u8| AssessorId(format!("{BAD}{number}"));
    let grades = vec![(Judgment::Grade(3), Judgment::Grade(0)), (Judgment::Grade(0), Judgment::Grade(0))];
    task.current.judging = Some(Judging {
        judgments: vec![ItemJudgment {
            topic: TopicId::new(BAD),
            assessor: person(1),
            judgment: Judgment::Grade(3),
            seconds: Some(9.0),
        }],
        dropped: vec![DroppedTopic { topic: TopicId::new(BAD), reason: BAD.into() }],
        agreement: vec![Agreement {
            name: BAD.into(),
            pairs: vec![PairLabels { first: person(1), second: person(2), labels: grades }],
        }],
        training: vec![TrainingRound {
            name: BAD.into(),
            assessors: [1, 2]
                .map(|number| AssessorLabels {
                    assessor: person(number),
                    labels: vec![LabelledItem {
                        topic: TopicId::new(BAD),
                        item: BAD.into(),
                        judgment: Judgment::Grade(1),
                    }],
                })
                .to_vec(),
        }],
        notes: vec![BAD.into()],
    });
    let mut lab = lab(vec![task]);
    lab.name = BAD.into();
    lab.about = vec![BAD.into()];
    lab.notes = vec![BAD.into()];
    lab.facts = vec![Fact { name: BAD.into(), value: BAD.into() }];
    let report = overview(&lab).unwrap();
    let html = report.to_html();
    assert!(!html.contains("<script") && !html.contains('\u{1b}'));
    assert!(html.contains("&lt;script&gt;"));
    // Nothing of it stands in an attribute that could be left: addresses are made here.
    for id in html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{id}");
    }
    let markdown = report.to_markdown();
    assert!(markdown.match_indices("<script").all(|(at, _)| markdown[..at].ends_with('\\')));
    for file in report.latex_files() {
        assert!(!file.text.contains("\\input"), "{}", file.text);
    }
}

#[test]
fn addresses_and_files_are_named_once() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2), ranked(2, 1), ranked(3, 3)];
    let systems = vec![primary("A", "a1"), submitted("B", "b1"), baseline("x")];
    let mut other = task(systems.clone(), "New", Some(&judged), &runs);
    other.key = "task2".into();
    let report = overview(&lab(vec![task(systems, "New", Some(&judged), &runs), other])).unwrap();
    let html = report.to_html();
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    // Every place one can jump to is there.
    for target in html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.binary_search(&target).is_ok(), "{target}");
    }
    let figures = report.figure_files();
    assert_eq!(figures.len(), html.matches("<svg").count(), "every figure of the page is a file, too");
    for figure in &figures {
        assert!(figure.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{}", figure.name);
        assert!(figure.svg.contains("<style>"), "{} stands by itself", figure.name);
    }
    let tables = report.latex_files().into_iter().map(|file| file.name);
    let mut files: Vec<String> = tables
        .map(|name| format!("{name}.tex"))
        .chain(figures.into_iter().map(|file| format!("{}.svg", file.name)))
        .collect();
    let all = files.len();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), all);
}

#[test]
fn the_same_lab_gives_the_same_bytes() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2), ranked(2, 1), ranked(3, 3)];
    let report = || {
        let systems = vec![primary("A", "a1"), submitted("B", "b1"), baseline("x")];
        overview(&lab(vec![task(systems, "New", Some(&judged), &runs)])).unwrap()
    };
    assert_eq!(report().to_html(), report().to_html());
    assert_eq!(report().to_markdown(), report().to_markdown());
}

#[test]
fn what_cannot_be_is_an_error() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2)];
    let make = || task(vec![primary("A", "a1")], "New", Some(&judged), &runs);
    let mut wrong = make();
    wrong.current.outputs = vec![Some(Output::Answers(Vec::new()))];
    assert!(matches!(overview(&lab(vec![wrong])), Err(OverviewError::WrongOutput { .. })));
    let mut absent = make();
    absent.compare_with = Some(SystemIndex(1));
    assert!(matches!(overview(&lab(vec![absent])), Err(OverviewError::NoSuchSystem { .. })));
    let mut spaced = make();
    spaced.key = "Task 1".into();
    assert!(matches!(overview(&lab(vec![spaced])), Err(OverviewError::Key(_))));
    assert!(matches!(overview(&lab(vec![make(), make()])), Err(OverviewError::Key(_))));
}

/// Topics with 3, 2 and 1 judged items, of which 2, 1 and 1 have grade 1 or more; the last is for training.
#[test]
fn judged_and_relevant_items_of_a_topic_for_test_and_training_apart() {
    let judged = qrels("A.1 0 a 3\nA.1 0 b 1\nA.1 0 c 0\nA.2 0 a 2\nA.2 0 b 0\nA.3 0 a 1\n");
    let instances = qrels("A.1 0 i 3\nA.1 0 j 3\nA.1 0 k 3\nA.1 0 l 0\n");
    let runs = [ranked(1, 2)];
    let mut made = task(vec![primary("A", "a1")], "New", Some(&judged), &runs);
    made.current.train = [TopicId::from("A.3")].into();
    made.current.instance_qrels = Some(&instances);
    let report = overview(&lab(vec![made])).unwrap();
    assert_eq!(
        shown(table(&report, "task1-judged")),
        [
            "[Formula instances]",
            "New | 1 | 4 | 4 | 4.0 | 3 | 3 | 3.0",
            "– test | 1 | 4 | 4 | 4.0 | 3 | 3 | 3.0",
            "[Visually distinct formulas]",
            "New | 3 | 1 | 3 | 2.0 | 1 | 2 | 1.3",
            "– test | 2 | 2 | 3 | 2.5 | 1 | 2 | 1.5",
            "– train | 1 | 1 | 1 | 1.0 | 1 | 1 | 1.0",
        ]
    );
}

/// The two runs have the relevant answers of A.1 and A.2 at ranks 1 and 3, and at ranks 2 and 1.
#[test]
fn results_are_over_test_topics_and_training_topics_stand_apart() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 3), ranked(2, 1)];
    let mut made = task(vec![primary("A", "a1"), primary("B", "b1")], "New", Some(&judged), &runs);
    made.current.train = [TopicId::from("A.2")].into();
    let report = overview(&lab(vec![made])).unwrap();
    let results = table(&report, "task1-results");
    assert_eq!(results.columns[4].group.as_deref(), Some("New, 1 topic"));
    assert_eq!(
        shown(results),
        [
            "[A]",
            "a1 | B | ✓ |  | *1.000* | *1.000* | *0.100*",
            "[B]",
            "b1 | B | ✓ |  | 0.631 | 0.500 | *0.100*"
        ]
    );
    let training = table(&report, "task1-results-train");
    assert_eq!(training.columns[4].group.as_deref(), Some("New, training, 1 topic"));
    assert_eq!(
        shown(training),
        [
            "[A]",
            "a1 | B | ✓ |  | 0.500 | 0.333 | *0.100*",
            "[B]",
            "b1 | B | ✓ |  | *1.000* | *1.000* | *0.100*"
        ]
    );
    // The other sections of results have the test topics, too.
    let hardest = shown(table(&report, "task1-hardest"));
    assert!(hardest.len() == 1 && hardest[0].starts_with("A.1 |"), "{hardest:?}");
    assert!(shown(table(&report, "task1-left-out"))[1].starts_with("a1 | 1.000 |"));
}

/// A.1 is of low complexity and has grades 3, 1 and 0; A.2 is of high complexity and has grade 2; undergraduates
/// gave 1 and 0 to A.1. A.3 is for training.
#[test]
fn relevant_items_by_complexity_and_grade_with_groups_of_assessors_apart() {
    let judged = qrels("A.1 0 a 3\nA.1 0 b 1\nA.1 0 c 0\nA.2 0 a 2\nA.3 0 a 3\n");
    let undergraduates = qrels("A.1 0 a 1\nA.1 0 b 0\n");
    let runs = [ranked(1, 2)];
    let mut made = task(vec![primary("A", "a1")], "New", Some(&judged), &runs);
    made.current.train = [TopicId::from("A.3")].into();
    made.current.groups = vec![AssessorGroup { name: "undergraduates".into(), qrels: &undergraduates }];
    let topic = |(id, complexity): (&str, &str)| Topic {
        id: TopicId::from(id),
        title: String::new(),
        labels: vec![TopicLabel { name: "complexity".into(), value: complexity.into() }],
    };
    made.current.topics = [("A.1", "Low"), ("A.2", "High"), ("A.3", "High")].map(topic).into();
    made.grades = [(3, "High"), (2, "Medium"), (1, "Low"), (0, "Not relevant")]
        .map(|(grade, name)| Grade { grade, name: name.into(), definition: String::new() })
        .into();
    let report = overview(&lab(vec![made])).unwrap();
    let relevant = table(&report, "task1-relevant");
    let titles: Vec<&str> = relevant.columns.iter().map(|column| column.title.as_str()).collect();
    assert_eq!(titles, ["complexity", "topics", "High", "Medium", "Low", "relevant"]);
    assert_eq!(
        shown(relevant),
        [
            "[New]",
            "Low | 1 | 1.0 | 0.0 | 1.0 | 2.0",
            "High | 1 | 0.0 | 1.0 | 0.0 | 1.0",
            "all | 2 | 0.5 | 0.5 | 0.5 | 1.5",
            "[New, undergraduates]",
            "Low | 1 | 0.0 | 0.0 | 1.0 | 1.0",
            "all | 1 | 0.0 | 0.0 | 1.0 | 1.0",
        ]
    );
    let figures = report.figure_files();
    assert!(figures.iter().any(|figure| figure.svg.contains("relevant answers by complexity")));
}

/// 1 for texts with the same first word, 0 for others: stands for contextual similarity, which needs a model.
struct FirstWord;

impl eval::task3::AnswerSimilarity for FirstWord {
    fn name(&self) -> String {
        "CS".to_owned()
    }

    fn rules(&self) -> Vec<eval::task3::Rule> {
        vec![eval::task3::Rule { name: "model", value: "first word".to_owned() }]
    }

    fn similarities(
        &self,
        answer: &str,
        references: &[&str],
    ) -> Result<Vec<Option<f64>>, eval::task3::Task3Error> {
        let first = |text: &str| text.split(' ').next().map(str::to_owned);
        let value = |reference: &&str| Some(f64::from(u8::from(first(reference) == first(answer))));
        Ok(references.iter().map(value).collect())
    }

    fn remarks(&self) -> Vec<String> {
        vec!["one text was cut".to_owned()]
    }
}

/// Grades 3 and 1 and a code: without it AR is 2, and 4/3 if it counts 0.
#[test]
fn first_answers_with_codes_are_left_out_and_count_zero_side_by_side() {
    let judged = qrels("A.1 0 a 3\nA.2 0 e 1\nA.3 0 c 5\n");
    let ranked = [run(&[("A.1", "a z"), ("A.2", "e"), ("A.3", "c")])];
    let kind = Kind::Answers(AnswerTask { first_answers: Some(&judged), ..AnswerTask::default() });
    let mut answered = Task::new("Task 3", "task3", kind);
    answered.systems = vec![primary("B", "b1")];
    let answer = Answer { topic: TopicId::from("A.1"), id: "a".to_owned(), text: None };
    answered.current = TestSet {
        name: "New".into(),
        qrels: Some(&judged),
        outputs: vec![Some(Output::Answers(vec![answer]))],
        ..TestSet::default()
    };
    let first = task(vec![primary("A", "t1")], "New", Some(&judged), &ranked);
    let report = overview(&lab(vec![first, answered])).unwrap();
    let found = table(&report, "task3-task1-first");
    assert_eq!(shown(found), ["[A]", "t1 | B | ✓ |  | 2.000 | 0.500 | 2 | 1.333 | 0.333 | 3"]);
    let groups: Vec<&str> = found.columns.iter().filter_map(|column| column.group.as_deref()).collect();
    assert_eq!(groups[groups.len() - 6..], [["codes left out"; 3], ["codes as 0"; 3]].concat());
    assert!(found.footnotes.iter().any(|note| note.contains("which is what the published values")));
}

/// Grades 3, 0 and a failure, which counts 0: AR is 1. The other run has one
/// answer that nobody judged, and leaves it out: AR is (2 + 1) / 2.
#[test]
fn answers_by_hand() {
    let judged = qrels("A.1 0 a 3\nA.2 0 b 0\nA.3 0 c 5\nA.1 0 d 2\nA.2 0 e 1\n");
    let flags = formats::Flags::from_iter([("A.1", "a", 0, 0), ("A.2", "b", 1, 1), ("A.1", "d", 0, 1)].map(
        |(topic, id, machine, unrelated)| {
            let flag = |digit| if digit == 1 { formats::Flag::Yes } else { formats::Flag::No };
            let flags = formats::AnswerFlags {
                machine_generated: flag(machine),
                unrelated_information: flag(unrelated),
            };
            (TopicId::from(topic), formats::DocId(id), flags)
        },
    ));
    let answers = |ids: [(&str, &str); 3], text: &str| {
        let answer = |(topic, id): (&str, &str)| Answer {
            topic: TopicId::from(topic),
            id: id.to_owned(),
            text: Some(format!("{text} {topic}")),
        };
        Some(Output::Answers(ids.map(answer).to_vec()))
    };
    let overlap = eval::task3::LexicalOverlap {
        tokenizer: &eval::task3::Tokenizer::Blanks,
        counting: eval::task3::Counting::Bags,
    };
    let settings = SimilaritySettings {
        measures: vec![&overlap, &FirstWord],
        normalisation: eval::task3::Normalisation::Published,
        posts: None,
    };
    let ranked = [run(&[("A.1", "a z"), ("A.2", "e"), ("A.3", "unseen")])];
    let kind = Kind::Answers(AnswerTask {
        flags: Some(&flags),
        similarity: Some(settings),
        first_answers: Some(&judged),
    });
    let mut answered = Task::new("Task 3", "task3", kind);
    answered.systems = vec![primary("A", "a1"), primary("B", "b1")];
    answered.current = TestSet {
        name: "New".into(),
        qrels: Some(&judged),
        policy: eval::TopicPolicy::Judged,
        outputs: vec![
            answers([("A.1", "a"), ("A.2", "b"), ("A.3", "c")], "one two"),
            answers([("A.1", "d"), ("A.2", "e"), ("A.3", "f")], "one three"),
        ],
        ..TestSet::default()
    };
    let first = task(vec![primary("A", "t1")], "New", Some(&judged), &ranked);
    let report = overview(&lab(vec![first, answered])).unwrap();
    // The only references are the two relevant answers to A.1; each team is
    // compared with the other's: "one two A.1" and "one three A.1" share two of three tokens.
    assert_eq!(
        shown(table(&report, "task3-results")),
        [
            "[B]",
            "b1 | B | ✓ |  |  | *1.500* | *0.500* | *0.667* | *1.000* | *0.000* | 1.000",
            "[A]",
            "a1 | B | ✓ |  |  | 1.000 | 0.333 | *0.667* | *1.000* | 0.500 | *0.500*",
        ]
    );
    let groups: Vec<&str> =
        table(&report, "task3-results").columns.iter().filter_map(|column| column.group.as_deref()).collect();
    assert_eq!(groups, ["3 topics", "3 topics", "1 topic", "1 topic", "2 topics", "2 topics"]);
    let notes = &table(&report, "task3-results").footnotes;
    for expected in [
        "LO depends on tokenizer: blanks; tokens: bags, as published; normalisation: as published; 2 references, \
         those that only the system's own team returned left out.",
        "CS depends on model: first word; normalisation: as published; 2 references, those that only the system's \
         own team returned left out.",
        "CS: one text was cut.",
    ] {
        assert!(notes.iter().any(|note| note == expected), "{expected}: {notes:#?}");
    }
    assert_eq!(shown(table(&report, "task3-task1-first")), ["[A]", "t1 | B | ✓ |  | 2.000 | 0.500 | 2"]);
    let html = report.to_html();
    assert!(
        html.contains(
            "For 1 of 3 judged topics at least one system has a relevant answer (H+M), for 1 systems"
        )
    );
}

/// Knows the texts of two posts.
struct TwoPosts;

impl PostTexts for TwoPosts {
    fn text(&self, post: formats::DocId<'_>) -> Option<eval::task3::ComparedAnswer> {
        let text = match post.as_str() {
            "11" => "one two",
            "12" => "one four five",
            _ => return None,
        };
        Some(eval::task3::ComparedAnswer { text: text.to_owned(), characters: text.chars().count() })
    }
}

/// Team A wrote post 11 off, which it alone contributed to the pool: that team B returned it below
/// the pool depth does not make it a reference for A.
#[test]
fn references_are_left_out_by_pool_contributions_not_by_whole_runs() {
    let judged = qrels("A.1 0 11 3\nA.1 0 12 2\nA.1 0 w 2\n");
    let runs = [run(&[("A.1", "11")]), run(&[("A.1", "12 11")])];
    let measure = eval::task3::LexicalOverlap {
        tokenizer: &eval::task3::Tokenizer::Blanks,
        counting: eval::task3::Counting::Bags,
    };
    let overlap = |contributed: Option<Vec<ContributedItems>>| {
        let kind = Kind::Answers(AnswerTask {
            similarity: Some(SimilaritySettings {
                measures: vec![&measure],
                normalisation: eval::task3::Normalisation::Published,
                posts: Some(&TwoPosts),
            }),
            ..AnswerTask::default()
        });
        let mut answered = Task::new("Task 3", "task3", kind);
        answered.systems = vec![primary("A", "a1")];
        let answer = Answer { topic: "A.1".into(), id: "w".to_owned(), text: Some("one two".to_owned()) };
        answered.current = TestSet {
            name: "New".into(),
            qrels: Some(&judged),
            policy: eval::TopicPolicy::Judged,
            outputs: vec![Some(Output::Answers(vec![answer]))],
            ..TestSet::default()
        };
        let mut first = task(vec![primary("A", "t1"), primary("B", "t2")], "New", Some(&judged), &runs);
        first.current.pool = Some(PoolStatistics { contributed, ..PoolStatistics::default() });
        let report = overview(&lab(vec![first, answered])).unwrap();
        shown(table(&report, "task3-results"))[1].clone()
    };
    let items = |items: &[&str]| {
        let items = items.iter().map(ToString::to_string).collect();
        ContributedItems([("A.1".into(), items)].into())
    };
    // "one two" and "one four five" share one of five tokens: F1 is 0.4.
    let left = overlap(Some(vec![items(&["11"]), items(&["12"])]));
    assert!(left.contains("0.400"), "{left}");
    let shared = overlap(Some(vec![items(&["11"]), items(&["12", "11"])]));
    assert!(shared.ends_with("| 1.000"), "{shared}");
    let not_known = overlap(None);
    assert!(not_known.ends_with("| 1.000"), "{not_known}");
}

/// Table 6: AR is 1, 0.5 and 0, CS 0.5, 1 and 0. The deviations are 0.5, 0, -0.5 and 0, 0.5, -0.5, so r is 0.25 of
/// 0.5; two of three pairs are in the same order, so tau is (2 - 1) / 3. P@1 is 0 for all and has no order.
#[test]
fn correlations_between_measures_of_answers_by_hand() {
    let judged = qrels("A.1 0 a 1\nA.1 0 b 1\nA.1 0 c 0\nA.2 0 a 1\nA.2 0 b 0\nA.2 0 c 0\n");
    let relevant = qrels("A.1 0 11 3\nA.2 0 12 3\n");
    let runs = [run(&[("A.1", "11"), ("A.2", "12")])];
    let kind = Kind::Answers(AnswerTask {
        similarity: Some(SimilaritySettings {
            measures: vec![&FirstWord],
            normalisation: eval::task3::Normalisation::Published,
            posts: Some(&TwoPosts),
        }),
        ..AnswerTask::default()
    });
    let mut answered = Task::new("Task 3", "task3", kind);
    answered.systems = vec![primary("A", "a1"), primary("B", "b1"), primary("C", "c1")];
    // Both posts begin with "one".
    let answers = |id: &str, first: &str, second: &str| {
        let answer = |(topic, text): (&str, &str)| Answer {
            topic: topic.into(),
            id: id.to_owned(),
            text: Some(text.to_owned()),
        };
        Some(Output::Answers([("A.1", first), ("A.2", second)].map(answer).to_vec()))
    };
    answered.current = TestSet {
        name: "New".into(),
        qrels: Some(&judged),
        policy: eval::TopicPolicy::Judged,
        outputs: vec![
            answers("a", "one x", "two x"),
            answers("b", "one x", "one x"),
            answers("c", "two x", "two x"),
        ],
        ..TestSet::default()
    };
    let first = task(vec![primary("D", "t1")], "New", Some(&relevant), &runs);
    let report = overview(&lab(vec![first, answered])).unwrap();
    let matrix = |name: &str| shown(table(&report, name));
    assert_eq!(
        matrix("task3-answers-pearson"),
        ["AR | 1.000 | NaN | 0.500", "P@1 | NaN | NaN | NaN", "CS | 0.500 | NaN | 1.000"]
    );
    assert_eq!(
        matrix("task3-answers-kendall"),
        ["AR | 1.000 | NaN | 0.333", "P@1 | NaN | NaN | NaN", "CS | 0.333 | NaN | 1.000"]
    );
}

#[test]
fn unrelated_information_is_counted_over_test_topics() {
    let judged = qrels("A.1 0 a 1\nA.2 0 a 3\n");
    let yes = || formats::AnswerFlags {
        machine_generated: formats::Flag::No,
        unrelated_information: formats::Flag::Yes,
    };
    let flags = ["A.1", "A.2"].map(|topic| (TopicId::from(topic), formats::DocId("a"), yes()));
    let flags = formats::Flags::from_iter(flags);
    let kind = Kind::Answers(AnswerTask { flags: Some(&flags), ..AnswerTask::default() });
    let mut answered = Task::new("Task 3", "task3", kind);
    answered.systems = vec![primary("A", "a1")];
    let answer = |topic: &str| Answer { topic: topic.into(), id: "a".to_owned(), text: None };
    answered.current = TestSet {
        name: "New".into(),
        qrels: Some(&judged),
        train: [TopicId::from("A.2")].into(),
        outputs: vec![Some(Output::Answers(vec![answer("A.1"), answer("A.2")]))],
        ..TestSet::default()
    };
    let html = overview(&lab(vec![answered])).unwrap().to_html();
    assert!(html.contains("(1/1) are not relevant; of all assessed answers,"), "{html}");
}

#[test]
fn pools_and_assessors_by_hand() {
    let judged = qrels(JUDGED);
    let runs = [ranked(1, 2), ranked(3, 3)];
    let mut task = task(vec![primary("A", "a1"), submitted("B", "b1")], "New", Some(&judged), &runs);
    let pooled = |topic: &str, items: usize| PooledTopic {
        topic: TopicId::from(topic),
        items,
        instances: None,
        judged_items: 3,
        judged_instances: None,
    };
    task.current.pool = Some(PoolStatistics {
        depths: PoolDepths { primary: Some(2), alternate: Some(1) },
        seed: Some(9),
        topics: vec![pooled("A.1", 4), pooled("A.2", 7)],
        contributions: vec![Some(Contribution { items: 4, unique_items: 2 }), None],
        ..PoolStatistics::default()
    });
    let judgment = |topic: &str, assessor: &str, judgment: Judgment, seconds: f64| ItemJudgment {
        topic: TopicId::from(topic),
        assessor: AssessorId(assessor.into()),
        judgment,
        seconds: Some(seconds),
    };
    task.current.judging = Some(Judging {
        judgments: vec![
            judgment("A.1", "1", Judgment::Grade(3), 10.0),
            judgment("A.1", "1", Judgment::Grade(0), 20.0),
            judgment("A.2", "2", Judgment::DoNotKnow, 60.0),
        ],
        ..Judging::default()
    });
    let report = overview(&lab(vec![task])).unwrap();
    let pool = shown(table(&report, "task1-pool"));
    assert_eq!(pool[0], "answers pooled | 2 | 11 | 5.5 | 5.5 | 4 | A.1 | 7 | A.2");
    assert_eq!(pool.last().unwrap(), "with grade 2 or more (H+M) | 2 | 2 | 1.0 | 1.0 | 1 | A.1 | 1 | A.1");
    assert_eq!(shown(table(&report, "task1-contributions")), ["[A]", "a1 | 2 | 4 | 2 | 50.0 % | 2"]);
    assert_eq!(
        shown(table(&report, "task1-assessors")),
        [
            "1 | 1 | 2 | 1 | 1 | 0 | 0 | 15.0 | 15.0 | 0.0",
            "2 | 1 | 1 | 0 | 0 | 0 | 1 | 60.0 | 60.0 | 0.0",
            "---",
            "*All* | 2 | 3 | 1 | 1 | 0 | 1 | 30.0 | 20.0 | 0.0",
        ]
    );
    let html = report.to_html();
    assert!(html.contains("The first 2 answers of primary runs were pooled, and the first 1 of alternate ones. Chance was drawn from seed 9."));
    assert!(html.contains(
        "2 assessors made 3 judgments on 2 topics, 1.5 a topic on average (least 1 for A.2, most 2 for A.1)."
    ));
    assert!(html.contains("took 30.0 seconds on average (median 20.0)"));
}
