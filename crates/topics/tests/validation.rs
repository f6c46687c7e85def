//! Validation sets of the sample and of small collections.

use formats::qrels::{Qrels, Scale};
use formats::{Source, Topics, read_topics};
use ingest::{Plan, Strictness, Unwatched};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use store::{Collection, PostKind};
use testkit::TempDir;
use topics::validation::{Kind, Request, Set, make};

const REQUEST: Request = Request { count: 20, seed: 7 };

fn build(folder: &TempDir, plan: &Plan) -> Collection {
    let path = folder.path().join("whole.coll");
    ingest::build(plan, &path, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched).unwrap();
    Collection::open_whole(&path).unwrap()
}

fn of_lines(folder: &TempDir, lines: &str) -> Collection {
    build(folder, &Plan::of(&folder.write("posts.jsonl", lines)).unwrap())
}

fn sample(folder: &TempDir) -> Collection {
    build(folder, &sample::plan().unwrap())
}

fn topics(set: &Set) -> Topics {
    read_topics(Source::bytes(set.files[0].0, set.files[0].1.as_str())).unwrap().topics
}

/// Topics with their relevant items and grades.
fn qrels(set: &Set) -> Vec<(String, Vec<(String, i32)>)> {
    let (qrels, _) = Qrels::read(Source::bytes("qrels", set.files[1].1.as_str()), Scale::Plain).unwrap();
    let row = |row: formats::qrels::Qrel<'_>| (row.doc().to_string(), row.judgment().grade().unwrap());
    qrels.topics().map(|topic| (topic.id().to_string(), topic.rows().map(row).collect())).collect()
}

/// The cells of the table: of each topic, where it comes from first.
fn info(set: &Set) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    set.files[2].1.lines().skip(1).map(cells).collect()
}

fn searched(folder: &TempDir, source: &Collection, set: &Set) -> Collection {
    let path = folder.path().join(format!("{}.coll", set.kind));
    set.write_searched(source, &path).unwrap();
    Collection::open_whole(&path).unwrap()
}

fn ids(collection: &Collection) -> BTreeSet<String> {
    collection.posts().map(|post| collection.post_id(post).to_string()).collect()
}

/// Every topic has relevant items, all of them in the collection to search.
fn check_relevant(set: &Set, searched: &Collection) {
    let (topics, qrels) = (topics(set), qrels(set));
    assert_eq!((topics.len(), qrels.len()), (set.topics, set.topics));
    assert_eq!(qrels.iter().map(|(_, items)| items.len()).sum::<usize>(), set.relevant);
    for (topic, items) in &qrels {
        assert!(topics.get(topic).is_some() && !items.is_empty(), "{topic}");
        for (item, _) in items {
            let post = searched.find_post(item).unwrap();
            assert_eq!(searched.post_facts(post).kind, PostKind::Answer, "{topic} {item}");
        }
    }
}

#[test]
fn answers_stay_without_their_questions() {
    let folder = TempDir::new("validation-answers");
    let source = sample(&folder);
    let set = make(&source, Kind::Answers, &REQUEST).unwrap().unwrap();
    assert_eq!((set.topics, set.posts_left_out(), set.titles_left_out()), (20, 233, 0));
    let searched = searched(&folder, &source, &set);
    check_relevant(&set, &searched);
    let counts = searched.about().counts;
    let whole = source.about().counts;
    assert_eq!((counts.questions, counts.answers), (0, whole.answers));
    assert_eq!((counts.in_titles, counts.in_questions, counts.in_answers), (0, 0, whole.in_answers));
    let mut reader = searched.reader();
    for post in searched.posts() {
        assert_eq!((searched.post_facts(post).parent, reader.post(post).unwrap().parent_id), (None, None));
    }
    // Comments on answers stay, those on questions leave.
    let on_answers = source
        .comments()
        .filter(|comment| source.post_facts(source.comment_post(*comment)).kind == PostKind::Answer);
    assert_eq!(counts.comments as usize, on_answers.count());
    assert_eq!(counts.links, 0);
    // Formulas that are left have the visual ids they had.
    for formula in searched.formulas() {
        let id = searched.formula_id(formula).to_string();
        let old = source.find_formulas(&id).next().unwrap();
        let visual = |collection: &Collection, formula| {
            let form = collection.formula_form(formula);
            (collection.visual_id(collection.form_visual(form)), collection.form_key(form))
        };
        assert_eq!(visual(&searched, formula), visual(&source, old));
    }
    // Forms that stand nowhere any more are not there.
    assert!(searched.forms().all(|form| searched.formulas_of_form(form).next().is_some()));
    assert!(searched.about().repairs.iter().any(|note| note.kind.contains("answers")));
    // A topic asks what the question asks, and its own answers are relevant.
    for (line, topic) in info(&set).iter().zip(topics(&set).iter()) {
        let question = source.find_post(&line[1]).unwrap();
        let words = source.reader().post(question).unwrap().title.unwrap();
        let first = words.split(' ').next().unwrap();
        assert!(topic.title.as_ref().unwrap().as_str().starts_with(first));
        let items = &qrels(&set).into_iter().find(|(id, _)| *id == line[0]).unwrap().1;
        let own: Vec<(String, i32)> =
            source.answers(question).map(|answer| (source.post_id(answer).to_string(), 3)).collect();
        assert_eq!(*items, own);
    }
}

#[test]
fn linked_questions_lose_their_threads_and_keep_a_target() {
    let folder = TempDir::new("validation-links");
    let source = sample(&folder);
    let set = make(&source, Kind::Links, &Request { count: 1000, seed: 7 }).unwrap().unwrap();
    assert!(set.topics > 50, "{}", set.topics);
    let searched = searched(&folder, &source, &set);
    check_relevant(&set, &searched);
    let left = ids(&searched);
    assert_eq!(left.len() + set.posts_left_out(), source.num_posts() as usize);
    for line in info(&set) {
        let question = source.find_post(&line[1]).unwrap();
        assert!(!left.contains(&line[1]));
        for answer in source.answers(question) {
            assert!(!left.contains(&source.post_id(answer).to_string()));
        }
        // Relevant are the answers to linked questions that are left, by kind of link.
        let items = qrels(&set).into_iter().find(|(id, _)| *id == line[0]).unwrap().1;
        let expected = [(2, 3), (3, 2)].into_iter().flat_map(|(column, grade)| {
            let targets: Vec<&str> = line[column].split_whitespace().collect();
            let source = &source;
            let answers = targets.into_iter().flat_map(move |target| {
                source.answers(source.find_post(target).unwrap()).collect::<Vec<_>>()
            });
            answers.map(move |answer| (source.post_id(answer).to_string(), grade)).collect::<Vec<_>>()
        });
        assert_eq!(items.into_iter().collect::<BTreeSet<_>>(), expected.collect());
    }
    // No link leads to a post that left.
    let mut reader = searched.reader();
    for link in searched.links() {
        let link = reader.link(link).unwrap();
        assert!(left.contains(&link.from) && left.contains(&link.to));
    }
}

/// Question 1 is a duplicate of 2, whose texts and comments name it; 3 is linked with an answer to 2.
const LINKED: &str = r#"{"kind":"question","id":1,"title":"First $a+b$","body":"Duplicate: [Second](https://math.stackexchange.com/questions/2/second) $a$"}
{"kind":"answer","id":11,"parent":1,"body":"Answer to first"}
{"kind":"question","id":2,"title":"Second","body":"As in [First $a+b$](https://math.stackexchange.com/questions/1/first), $c$"}
{"kind":"answer","id":21,"parent":2,"body":"Answer to second"}
{"kind":"comment","id":7,"post":21,"text":"see https://math.stackexchange.com/questions/1/first and https://math.stackexchange.com/q/3"}
{"kind":"comment","id":8,"post":21,"text":"Thanks $c$"}
{"kind":"question","id":3,"title":"Third","body":"Nobody answered"}
{"kind":"link","from":1,"to":2,"link":"duplicate"}
{"kind":"link","from":3,"to":21,"link":"related"}
"#;

#[test]
fn references_to_a_topic_are_hidden_too() {
    let folder = TempDir::new("validation-references");
    let plan = Plan::of(&folder.write("posts.jsonl", LINKED)).unwrap().of_site("math.stackexchange.com");
    let source = build(&folder, &plan);
    assert_eq!(source.about().counts.links, 2);
    let request = |seed| Request { count: 10, seed };
    let chosen = |set: &Set| info(set).iter().map(|line| line[1].clone()).collect::<BTreeSet<_>>();
    // 3 has no answers, so it can always be a topic; of 1 and 2 only one can.
    let sets: Vec<Set> =
        (0..20).map(|seed| make(&source, Kind::Links, &request(seed)).unwrap().unwrap()).collect();
    let set = sets.iter().find(|set| chosen(set) == ["1", "3"].map(str::to_owned).into()).unwrap();
    assert!(sets.iter().all(|set| !chosen(set).contains("2") || chosen(set) == ["2".to_owned()].into()));
    let searched = searched(&folder, &source, set);
    check_relevant(set, &searched);
    assert_eq!(ids(&searched), ["2", "21"].map(str::to_owned).into());
    let second = searched.find_post("2").unwrap();
    let body = searched.reader().post(second).unwrap().body;
    assert!(body.contains("As in") && !body.contains("First") && !body.contains("href"), "{body}");
    assert_eq!(searched.formulas_of_post(second).len(), 1);
    let comments: Vec<String> =
        searched.comments().map(|comment| searched.comment_id(comment).to_string()).collect();
    assert_eq!(comments, ["8"]);
    // The topic does not quote its target.
    let topics = topics(set);
    let first = topics.iter().find(|topic| topic.title.as_ref().unwrap().as_str().contains("First")).unwrap();
    let question = first.question.as_ref().unwrap().as_str();
    assert!(question.contains("Duplicate") && !question.contains("Second"), "{question}");
    assert!(question.contains("$a$"), "{question}");
    let grades: Vec<i32> =
        qrels(set).into_iter().flat_map(|(_, items)| items).map(|(_, grade)| grade).collect();
    assert_eq!(grades.iter().copied().collect::<BTreeSet<_>>(), [2, 3].into());
}

#[test]
fn titles_leave_with_their_formulas_and_at_most_one_in_five() {
    let folder = TempDir::new("validation-titles");
    let source = sample(&folder);
    let set = make(&source, Kind::Titles, &Request { count: 1000, seed: 7 }).unwrap().unwrap();
    assert_eq!((set.topics, set.titles_left_out(), set.posts_left_out()), (233 / 5, 233 / 5, 0));
    let searched = searched(&folder, &source, &set);
    check_relevant(&set, &searched);
    assert_eq!(ids(&searched), ids(&source));
    let untitled: BTreeSet<String> = info(&set).iter().map(|line| line[1].clone()).collect();
    let (mut old, mut new) = (source.reader(), searched.reader());
    for (before, after) in source.posts().zip(searched.posts()) {
        let (before, after) = (old.post(before).unwrap(), new.post(after).unwrap());
        assert_eq!((before.id, &before.body, &before.parent_id), (after.id, &after.body, &after.parent_id));
        let lost = untitled.contains(&before.id.to_string());
        assert_eq!(after.title, before.title.filter(|_| !lost));
        let formulas = |collection: &Collection, post| collection.formulas_of_post(post).len();
        let fewer = formulas(&source, before.number) - formulas(&searched, after.number);
        assert!(lost || fewer == 0);
    }
    let lost = source.about().counts.in_titles - searched.about().counts.in_titles;
    assert!(lost > 0 && searched.about().counts.formulas == source.about().counts.formulas - lost);
    for topic in &topics(&set) {
        assert!(topic.title.is_some() && topic.question.is_none() && topic.tags.is_empty());
    }
}

#[test]
fn formulas_are_changed_and_their_visual_ids_are_relevant() {
    let folder = TempDir::new("validation-formulas");
    let source = sample(&folder);
    let set = make(&source, Kind::Formulas, &Request { count: 200, seed: 7 }).unwrap().unwrap();
    assert_eq!((set.topics, set.posts_left_out()), (200, 0));
    let (topics, lines) = (topics(&set), info(&set));
    let changes: BTreeSet<&str> = lines.iter().map(|line| line[4].as_str()).collect();
    assert_eq!(changes, ["one side", "renamed", "retyped", "swapped"].into());
    let key = |latex: &str| {
        let (mut slt, mut to_slt) = Default::default();
        let tree = latex::parse(latex).tree;
        formula::slt::LatexToSlt::read(&mut to_slt, &tree, &mut slt);
        let mut keyer = formula::identity::Keyer::default();
        (keyer.key_of_readable_tree(&slt).unwrap(), keyer.key_without_names(&slt).unwrap())
    };
    let mut several = 0;
    for (line, (topic, items)) in lines.iter().zip(qrels(&set)) {
        let [_, post, formula, visual, change, original, query, relevant] = &line[..] else {
            panic!("{line:?}")
        };
        assert_eq!(items[0], (visual.clone(), 3));
        assert_eq!(items.len().to_string(), *relevant);
        let found = source.find_formulas(formula).next().unwrap();
        let form = source.formula_form(found);
        assert_eq!(source.visual_id(source.form_visual(form)).to_string(), *visual);
        let place = source.formula_post(found).unwrap();
        assert_eq!(source.post_id(place).to_string(), *post);
        let asked = topics.get(&topic).unwrap();
        assert_eq!(asked.queries().next().unwrap().latex.as_ref(), Some(query));
        // The question is there, and does not show the formula as it was.
        assert!(asked.question.is_some());
        let (old, new) = (key(original), key(query));
        match change.as_str() {
            "retyped" => assert_eq!(old.0, new.0),
            "renamed" => assert!(old.0 != new.0 && old.1 == new.1),
            _ => assert_ne!(old.0, new.0),
        }
        several += usize::from(items.len() > 1);
        for (item, grade) in &items[1..] {
            let visual = source.find_visual(item.parse().unwrap()).unwrap();
            let form = source.forms_of_visual(visual).next().unwrap();
            let other = key(source.reader().latex(form).unwrap());
            assert_eq!(*grade, 3);
            assert!(other.0 == new.0 || (change == "renamed" && other.1 == new.1), "{line:?} {item}");
        }
    }
    assert!(several > 0, "{}", set.files[2].1);
}

#[test]
fn the_same_seed_gives_the_same_files_and_another_gives_others() {
    let folder = TempDir::new("validation-seeds");
    let source = sample(&folder);
    for kind in Kind::ALL {
        let one = |seed, count| make(&source, kind, &Request { count, seed }).unwrap().unwrap();
        let (first, again, other) = (one(1, 10), one(1, 10), one(2, 10));
        assert_eq!(first.files, again.files, "{kind}");
        assert_ne!(first.files[1], other.files[1], "{kind}");
        // A smaller set is the beginning of a larger one, up to what else is hidden.
        let sources = |set: &Set| info(set).iter().map(|line| line[1].clone()).collect::<Vec<_>>();
        assert_eq!(sources(&one(1, 4)), sources(&first)[..4]);
        if kind != Kind::Formulas {
            let bytes = |name: &str, set: &Set| {
                let path = folder.path().join(name);
                set.write_searched(&source, &path).unwrap();
                std::fs::read(path).unwrap()
            };
            assert!(bytes("one", &first) == bytes("two", &again), "{kind}");
        }
    }
    // No two kinds have an id in common.
    let ids: Vec<String> = Kind::ALL
        .iter()
        .flat_map(|kind| info(&make(&source, *kind, &REQUEST).unwrap().unwrap()))
        .map(|line| line[0].clone())
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[test]
fn what_a_collection_does_not_have_gives_no_set() {
    let folder = TempDir::new("validation-nothing");
    let lines = "{\"kind\":\"question\",\"id\":1,\"title\":\"A\",\"body\":\"$x$\"}\n";
    let source = of_lines(&folder, lines);
    for kind in Kind::ALL {
        assert!(make(&source, kind, &REQUEST).unwrap().is_none(), "{kind}");
    }
}
