//! What the sample promises.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

use formats::{Source, TopicFormat, TopicId, read_labels, read_topics, read_topics_as};
use ingest::documents::{DocumentInput, Item, threads};
use ingest::{RawComment, RawLink, RawPost, Record};
use markup::{Cleaner, Dollars, Markup};
use sample::{Judgment, task1, task2};
use store::{LinkKind, PostKind};

/// All that the threads say.
#[derive(Default)]
struct Threads {
    posts: Vec<RawPost>,
    comments: Vec<RawComment>,
    links: Vec<RawLink>,
}

fn read() -> Threads {
    let mut all = Threads::default();
    for (file, part) in (0..).zip(sample::threads()) {
        assert!(part.text.len() < 1_000_000, "{} is too long", part.name);
        let input = DocumentInput { file, path: part.name, page_id: None };
        threads::read(&input, &mut part.text.as_bytes(), &mut |item| {
            match item {
                Item::Record(Record::Post(post)) => all.posts.push(post),
                Item::Record(Record::Comment(comment)) => all.comments.push(comment),
                Item::Record(Record::Link(link)) => all.links.push(link),
                Item::Record(Record::User(user)) => panic!("a user: {user:?}"),
                Item::Dirt(dirt) => panic!("{}: {dirt:?}", part.name),
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    }
    all
}

/// The LaTeX of each formula in a text.
fn formulas(cleaner: &mut Cleaner, text: &str) -> Vec<String> {
    let cleaned = cleaner.clean(text, Markup::Markdown, Dollars::Math);
    assert!(cleaned.flaws.is_empty(), "{:?} in {text}", cleaned.flaws);
    cleaned.formulas.into_iter().map(|found| found.latex.trim().to_owned()).collect()
}

fn formulas_of_posts(threads: &Threads) -> Vec<String> {
    let mut cleaner = Cleaner::new();
    let texts = threads.posts.iter().flat_map(|post| post.title.iter().chain([&post.body]));
    texts.flat_map(|text| formulas(&mut cleaner, text)).collect()
}

fn is_kind(kind: PostKind) -> impl Fn(&&RawPost) -> bool {
    move |post| post.kind == kind
}

#[test]
fn there_is_enough_of_everything() {
    let threads = read();
    assert!(threads.posts.iter().filter(is_kind(PostKind::Question)).count() >= 100);
    assert!(threads.posts.iter().filter(is_kind(PostKind::Answer)).count() >= 240);
    assert!(threads.comments.len() >= 150);
    assert!(formulas_of_posts(&threads).len() >= 1_900);
    assert!(threads.links.iter().filter(|link| link.kind == LinkKind::Duplicate).count() >= 20);
    assert_eq!(sample::topics().len(), 20);
    assert_eq!(sample::question_topics().len(), 20);
    assert_eq!(sample::formula_topics().len(), 20);
}

#[test]
fn threads_hang_together() {
    let threads = read();
    let mut kinds: HashMap<&str, PostKind> = HashMap::new();
    for post in &threads.posts {
        assert!(kinds.insert(&post.id, post.kind).is_none(), "post {} is there twice", post.id);
        assert!(post.score.is_some() && post.date.is_some() && post.owner.is_some(), "{}", post.id);
    }
    let mut comments = HashSet::new();
    for comment in &threads.comments {
        assert!(comments.insert(&comment.id), "comment {} is there twice", comment.id);
        assert!(kinds.contains_key(comment.post.as_str()), "comment {}", comment.id);
    }
    for post in &threads.posts {
        match post.kind {
            PostKind::Question => assert!(post.title.is_some() && !post.tags.is_empty(), "{}", post.id),
            _ => assert_eq!(kinds[post.parent.as_deref().unwrap()], PostKind::Question, "{}", post.id),
        }
        if let Some(accepted) = &post.accepted {
            let answer = threads.posts.iter().find(|other| other.id == *accepted);
            assert_eq!(answer.unwrap().parent.as_ref(), Some(&post.id));
        }
    }
    for link in &threads.links {
        for end in [&link.from, &link.to] {
            assert_eq!(kinds.get(end.as_str()), Some(&PostKind::Question), "{} to {}", link.from, link.to);
        }
    }
}

#[test]
fn every_formula_is_read_without_error() {
    let threads = read();
    let mut all = formulas_of_posts(&threads);
    let mut cleaner = Cleaner::new();
    all.extend(threads.comments.iter().flat_map(|comment| formulas(&mut cleaner, &comment.text)));
    for topic in sample::topics() {
        all.extend(formulas(&mut cleaner, &topic.title));
        all.extend(formulas(&mut cleaner, &topic.body));
    }
    for latex in all {
        assert!(!latex.is_empty());
        let parse = latex::parse(&latex);
        let errors: Vec<_> = parse.diagnostics.iter().filter(|remark| remark.kind.is_error()).collect();
        assert!(errors.is_empty(), "{latex}: {errors:?}");
    }
}

#[test]
fn topics_are_whole() {
    let mut cleaner = Cleaner::new();
    let threads = read();
    let questions: HashSet<&str> =
        threads.posts.iter().filter(is_kind(PostKind::Question)).map(|post| post.id.as_str()).collect();
    let titles: HashSet<&str> = threads.posts.iter().filter_map(|post| post.title.as_deref()).collect();
    for (number, topic) in (1..).zip(sample::topics()) {
        assert_eq!(topic.id, format!("A.{number}"));
        let known = |value: &str, values: &[&str]| assert!(values.contains(&value), "{}: {value}", topic.id);
        known(&topic.kind, &["Proof", "Concept", "Computation"]);
        known(&topic.difficulty, &["Low", "Medium", "High"]);
        known(&topic.dependence, &["Text", "Formula", "Both"]);
        known(&topic.complexity, &["low", "medium", "high"]);
        assert!(!topic.tags.is_empty() && !topic.duplicate_of.is_empty(), "{}", topic.id);
        assert!(topic.duplicate_of.iter().all(|id| questions.contains(id.as_str())), "{}", topic.id);
        assert!(!titles.contains(topic.title.as_str()), "{} is in the collection", topic.id);
        let mut all = formulas(&mut cleaner, &topic.title);
        all.extend(formulas(&mut cleaner, &topic.body));
        assert!(all.contains(&topic.formula), "{} does not hold its formula: {all:?}", topic.id);
    }
}

/// Judgments of every topic in order, none twice, with a reason; the best are good.
fn check_judgments(judgments: &[Judgment], letter: char, items: &HashSet<&str>) {
    let mut by_topic: BTreeMap<usize, Vec<&Judgment>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for judgment in judgments {
        let number = judgment.topic.strip_prefix(letter).and_then(|rest| rest.strip_prefix('.')).unwrap();
        by_topic.entry(number.parse().unwrap()).or_default().push(judgment);
        assert!(items.contains(judgment.item), "{}: there is no {}", judgment.topic, judgment.item);
        assert!(seen.insert((judgment.topic, judgment.item)), "judged twice: {judgment:?}");
        assert!(judgment.grade <= 3 && !judgment.reason.trim().is_empty(), "{judgment:?}");
    }
    assert!(by_topic.keys().copied().eq(1..=20));
    for (number, judgments) in by_topic {
        let count = |grades: &[u8]| judgments.iter().filter(|one| grades.contains(&one.grade)).count();
        assert!(judgments.len() >= 14, "{letter}.{number}");
        assert!(count(&[2, 3]) >= 2 && count(&[3]) >= 1 && count(&[0]) >= 5, "{letter}.{number}");
        assert!(judgments.is_sorted_by_key(|judgment| 3 - judgment.grade), "{letter}.{number}");
    }
}

#[test]
fn judged_answers_are_there() {
    let threads = read();
    let answers: HashSet<&str> =
        threads.posts.iter().filter(is_kind(PostKind::Answer)).map(|post| post.id.as_str()).collect();
    check_judgments(&task1(), 'A', &answers);
}

/// Those that stand only in comments are not among them.
#[test]
fn judged_formulas_stand_in_posts() {
    let all = formulas_of_posts(&read());
    check_judgments(&task2(), 'B', &all.iter().map(String::as_str).collect());
}

#[test]
fn an_answer_below_the_known_duplicate_is_good() {
    let threads = read();
    for topic in sample::topics() {
        let good = task1().into_iter().filter(|one| one.topic == topic.id && one.grade == 3);
        let below = |id: &str| {
            let post = threads.posts.iter().find(|post| post.id == id).unwrap();
            post.parent.as_ref().is_some_and(|parent| topic.duplicate_of.contains(parent))
        };
        assert!(good.map(|one| one.item).any(below), "{}", topic.id);
    }
}

#[test]
fn every_topic_has_judgments_of_other_subjects() {
    let mut subjects: HashMap<String, u32> = HashMap::new();
    for post in read().posts {
        subjects.insert(post.id, post.at.file);
    }
    for topic in sample::topics() {
        let judged = task1().into_iter().filter(|one| one.topic == topic.id);
        let files: BTreeSet<u32> = judged.map(|one| subjects[one.item]).collect();
        assert!(files.len() >= 2, "{} is judged in one subject only", topic.id);
    }
}

fn file(path: &str) -> String {
    let files = sample::files().unwrap();
    files.into_iter().find(|file| file.path == path).unwrap().text.into_owned()
}

#[test]
fn topics_read_back_as_they_were() {
    for (path, wanted) in [
        ("topics/Topics_Task1.xml", sample::question_topics()),
        ("topics/Topics_Task2.xml", sample::formula_topics()),
    ] {
        let back = read_topics(Source::bytes(path, file(path))).unwrap();
        assert!(back.notes.is_empty(), "{:?}", back.notes);
        assert_eq!(back.topics.len(), 20);
        for (topic, wanted) in back.topics.iter().zip(&wanted) {
            assert_eq!(
                (&topic.id, &topic.title, &topic.question),
                (&wanted.id, &wanted.title, &wanted.question)
            );
            assert_eq!(topic.tags, wanted.tags);
            for formula in &wanted.formulas {
                let marked = topic.marked_formulas();
                let same = marked.iter().find(|other| other.id == formula.id).unwrap();
                assert_eq!((&same.latex, same.site), (&formula.latex, formula.site), "{}", topic.id);
            }
            let queries: Vec<_> = topic.queries().map(|query| (&query.id, &query.latex)).collect();
            assert!(wanted.queries().map(|query| (&query.id, &query.latex)).eq(queries), "{}", topic.id);
        }
    }
}

#[test]
fn a_title_is_a_line_with_marked_formulas() {
    let topics = sample::question_topics();
    let title = |id: &str| topics.get(id).unwrap().title.as_ref().unwrap().to_string();
    assert_eq!(title("A.9"), "Meaning of the condition in the definition of a normal subgroup");
    assert_eq!(
        title("A.1"),
        "Exact value of the improper integral of <span class=\"math-container\" id=\"q_1\">$\\sin(x)/x$</span> \
         on the half line"
    );
}

#[test]
fn formula_tables_hold_every_formula() {
    let topics = sample::question_topics();
    let count: usize = topics.iter().map(|topic| topic.formulas.len()).sum();
    for name in ["Latex", "SLT", "OPT"] {
        let path = format!("topics/Topics_Formulas_{name}.tsv");
        let back = read_topics_as(Source::bytes(&path, file(&path)), TopicFormat::FormulaTsv).unwrap();
        let formulas: Vec<_> = back.topics.iter().flat_map(|topic| &topic.formulas).collect();
        assert_eq!(formulas.len(), count, "{name}");
        let ids: Vec<String> =
            formulas.iter().map(|formula| formula.id.as_ref().unwrap().to_string()).collect();
        assert!(ids.iter().map(String::as_str).eq((1..=count).map(|k| format!("q_{k}")).collect::<Vec<_>>()));
        let given = match name {
            "Latex" => formulas.iter().all(|formula| formula.latex.is_some()),
            "SLT" => formulas.iter().all(|formula| formula.presentation_mathml.is_some()),
            _ => formulas.iter().all(|formula| formula.content_mathml.is_some()),
        };
        assert!(given, "{name}");
    }
}

#[test]
fn labels_and_judgments_are_read_by_the_lab() {
    for (path, first) in [("topics/topic_labels_task1.tsv", "A.1"), ("topics/topic_labels_task2.tsv", "B.1")]
    {
        let (labels, notes) = read_labels(Source::bytes(path, file(path))).unwrap();
        assert!(notes.is_empty());
        assert_eq!(labels.len(), 20);
        let value = |name: &str| labels.get(first, name).unwrap().unwrap().value.clone();
        assert_eq!(["type", "difficulty", "dependence"].map(value), ["Computation", "High", "Both"]);
        assert_eq!(["complexity", "duplicate-of"].map(value), ["Medium", "5"]);
    }
    let path = "qrels/task1.qrels";
    let source = Source::bytes(path, file(path));
    let (qrels, notes) = formats::qrels::Qrels::read(source, formats::qrels::Scale::Plain).unwrap();
    assert!(notes.is_empty());
    assert_eq!(qrels.num_rows(), task1().len());
    let grades = qrels.topic(&TopicId::new("A.1")).unwrap().rows().map(|row| row.judgment().grade());
    assert_eq!(grades.max(), Some(Some(3)));
}

#[test]
fn tables_of_judgments_are_plain() {
    for (path, judgments) in [("judgments/task1.tsv", task1()), ("judgments/task2.tsv", task2())] {
        let text = file(path);
        assert_eq!(text.lines().count(), judgments.len() + 1);
        assert!(text.lines().all(|line| line.split('\t').count() == 4 && !line.contains('"')), "{path}");
    }
}
