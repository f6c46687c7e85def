//! A made-up collection, read back and held against what it promises.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use formats::{Html, Source, Topic, read_topics};
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use synth::{Existing, Manifest, Settings, write};
use testkit::{TempDir, read_tsv};

type Row = BTreeMap<String, String>;

fn made(name: &str, posts: u64, seed: u64, threads: usize) -> (TempDir, Manifest) {
    let folder = TempDir::new(name);
    let settings = Settings { posts, seed, topics: Settings::usual_topics(posts), threads };
    let manifest = write(&settings, folder.path(), Existing::Refuse, |_| {}).unwrap();
    (folder, manifest)
}

/// The rows of a dump; fails where it is not well-formed.
fn rows(folder: &Path, name: &str) -> Vec<Row> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let mut rows = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap();
                    (attribute.key.as_ref().to_owned(), value.into_owned())
                });
                rows.push(attributes.collect());
            }
            Event::Eof => return rows,
            _ => {}
        }
    }
}

fn number(row: &Row, name: &str) -> u64 {
    row[name].parse().unwrap()
}

/// All files under a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for part in ["", "topics", "qrels"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn the_same_settings_give_the_same_bytes() {
    let (one, manifest) = made("synth-one", 2600, 5, 1);
    let (three, _) = made("synth-three", 2600, 5, 3);
    let (files, others) = (files(one.path()), files(three.path()));
    assert_eq!(files.len(), 12);
    assert!(files == others, "the number of threads shows");
    let (other, _) = made("synth-other", 2600, 6, 1);
    assert_ne!(files["Posts.xml"], self::files(other.path())["Posts.xml"]);
    // Frozen: whoever changes this changes every collection made before.
    let mut all = Vec::new();
    for (name, bytes) in &files {
        // The manifest names the version of the program.
        if name != "synth.json" {
            all.extend_from_slice(name.as_bytes());
            all.extend_from_slice(bytes);
        }
    }
    assert_eq!(format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&all)), "b64aa5b6903a3fe3");
    let json = String::from_utf8(files["synth.json"].clone()).unwrap();
    assert!(json.contains(&format!("\"instances\": {}", manifest.formulas.instances)), "{json}");
}

#[test]
fn there_are_exactly_as_many_posts_as_asked_for() {
    for posts in [1, 2, 3, 10, 24, 25, 60, 1023, 1024, 1025, 2049] {
        let (folder, manifest) = made("synth-count", posts, posts, 2);
        assert_eq!(rows(folder.path(), "Posts.xml").len() as u64, posts);
        assert_eq!(manifest.questions + manifest.answers, posts);
    }
}

#[test]
fn everything_that_is_referred_to_exists() {
    let (folder, manifest) = made("synth-references", 3000, 11, 2);
    let folder = folder.path();
    let posts = rows(folder, "Posts.xml");
    let users: BTreeSet<u64> = rows(folder, "Users.xml").iter().map(|user| number(user, "Id")).collect();
    let tags: BTreeMap<String, u64> =
        rows(folder, "Tags.xml").iter().map(|tag| (tag["TagName"].clone(), number(tag, "Count"))).collect();
    let (mut questions, mut answers) = (BTreeMap::new(), BTreeMap::new());
    let mut used: BTreeMap<String, u64> = BTreeMap::new();
    let mut last = (0, String::new());
    for post in &posts {
        let (id, date) = (number(post, "Id"), post["CreationDate"].clone());
        assert!(id > last.0 && date >= last.1, "{post:?}");
        assert!(users.contains(&number(post, "OwnerUserId")));
        if post["PostTypeId"] == "1" {
            for tag in post["Tags"].trim_matches(['<', '>']).split("><") {
                *used.entry(tag.to_owned()).or_default() += 1;
            }
            questions.insert(id, post);
        } else {
            // The question is there already: it is older.
            assert!(questions.contains_key(&number(post, "ParentId")), "{post:?}");
            answers.insert(id, number(post, "ParentId"));
        }
        last = (id, date);
    }
    assert_eq!(used, tags);
    assert_eq!((questions.len() as u64, answers.len() as u64), (manifest.questions, manifest.answers));
    for (id, question) in &questions {
        let own = answers.values().filter(|parent| *parent == id).count() as u64;
        assert_eq!(number(question, "AnswerCount"), own);
        if question.contains_key("AcceptedAnswerId") {
            assert_eq!(answers[&number(question, "AcceptedAnswerId")], *id);
        }
    }
    let comments = rows(folder, "Comments.xml");
    assert_eq!(comments.len() as u64, manifest.comments);
    let dates: BTreeMap<u64, &String> =
        posts.iter().map(|post| (number(post, "Id"), &post["CreationDate"])).collect();
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for (index, comment) in comments.iter().enumerate() {
        assert_eq!(number(comment, "Id"), index as u64 + 1);
        assert!(&comment["CreationDate"] >= dates[&number(comment, "PostId")], "{comment:?}");
        assert!(users.contains(&number(comment, "UserId")));
        *counts.entry(number(comment, "PostId")).or_default() += 1;
    }
    for post in &posts {
        assert_eq!(
            number(post, "CommentCount"),
            counts.get(&number(post, "Id")).copied().unwrap_or_default()
        );
    }
    let links = rows(folder, "PostLinks.xml");
    assert_eq!(links.len() as u64, manifest.links);
    for link in &links {
        let (from, to) = (number(link, "PostId"), number(link, "RelatedPostId"));
        assert!(questions.contains_key(&from) && questions.contains_key(&to) && from != to, "{link:?}");
    }
}

#[test]
fn every_formula_has_one_row_and_can_be_read() {
    let (folder, manifest) = made("synth-formulas", 3000, 21, 2);
    let folder = folder.path();
    // What stands in the texts: id, then type, post, comment and LaTeX.
    let mut placed: BTreeMap<u64, [String; 4]> = BTreeMap::new();
    let mut place = |html: &str, kind: &str, post: &str, comment: &str| {
        let mut text = Topic::new("a text");
        text.question = Some(Html::new(html));
        for span in text.marked_formulas() {
            let found = [kind, post, comment, span.latex.as_deref().unwrap()].map(str::to_owned);
            assert!(placed.insert(span.id.unwrap().as_str().parse().unwrap(), found).is_none());
        }
    };
    for post in rows(folder, "Posts.xml") {
        if post["PostTypeId"] == "1" {
            place(&post["Title"], "title", &post["Id"], "");
            place(&post["Body"], "question", &post["Id"], "");
        } else {
            place(&post["Body"], "answer", &post["Id"], "");
        }
    }
    for comment in rows(folder, "Comments.xml") {
        place(&comment["Text"], "comment", &comment["PostId"], &comment["Id"]);
    }
    let table = read_tsv(&folder.join("latex_representation.tsv"));
    assert_eq!((table.len(), placed.len() as u64), (placed.len(), manifest.formulas.instances));
    let mut looks: BTreeMap<&str, &str> = BTreeMap::new();
    let mut bad = Vec::new();
    for (index, row) in table.iter().enumerate() {
        let id = number(row, "id");
        assert_eq!(id, index as u64 + 1, "sorted and without gaps");
        let cells = ["type", "post_id", "comment_id", "formula"].map(|name| row[name].clone());
        assert_eq!(placed[&id], cells);
        let look = looks.entry(&row["formula"]).or_insert(&row["visual_id"]);
        assert_eq!(look, &row["visual_id"], "the same LaTeX looks the same");
        let parse = latex::parse(&row["formula"]);
        if !parse.diagnostics.is_empty() {
            bad.push((&row["formula"], parse.diagnostics));
        }
    }
    assert!(bad.len() * 1000 <= table.len(), "{} of {}: {:?}", bad.len(), table.len(), &bad[..3]);
    let distinct: BTreeSet<&str> = looks.values().copied().collect();
    assert_eq!(distinct.len() as u64, manifest.formulas.distinct_visual_ids);
    assert_eq!(looks.len() as u64, manifest.formulas.distinct_latex);
}

#[test]
fn topics_have_relevant_items_of_every_grade() {
    let (folder, manifest) = made("synth-topics", 2500, 31, 2);
    let folder = folder.path();
    let topics = |name: &str| {
        let bytes = fs::read(folder.join("topics").join(name)).unwrap();
        let file = read_topics(Source::bytes(name, bytes)).unwrap();
        file.topics
    };
    let (first, second) = (topics("Topics_Task1.xml"), topics("Topics_Task2.xml"));
    assert_eq!((first.len(), second.len(), manifest.topics), (20, 20, 20));
    let formulas = topics("Formulas_Latex.tsv");
    for (topic, query) in first.iter().zip(&second) {
        let listed = formulas.get(topic.id.as_str()).unwrap();
        assert_eq!(listed.formulas, topic.marked_formulas());
        let query = query.queries().next().unwrap();
        let marked = listed.formula(query.id.as_ref().unwrap().as_str()).unwrap();
        assert_eq!(marked.latex, query.latex);
    }

    let answers: BTreeSet<String> = rows(folder, "Posts.xml")
        .into_iter()
        .filter(|post| post["PostTypeId"] == "2")
        .map(|mut post| post.remove("Id").unwrap())
        .collect();
    let table = read_tsv(&folder.join("latex_representation.tsv"));
    let in_posts = table.iter().filter(|row| row["type"] != "comment");
    let looks: BTreeSet<String> = in_posts.map(|row| row["visual_id"].clone()).collect();
    for (name, known, lines) in [
        ("task1.qrels", &answers, manifest.judged_answers),
        ("task2.qrels", &looks, manifest.judged_formulas),
    ] {
        let text = fs::read_to_string(folder.join("qrels").join(name)).unwrap();
        let mut grades: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for line in text.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let [topic, _, item, grade] = cells[..] else { panic!("{line}") };
            assert!(known.contains(item), "{name}: {line}");
            assert!(seen.insert((topic, item)), "{name}: {line}");
            grades.entry(topic).or_default().insert(grade);
        }
        assert_eq!(seen.len() as u64, lines);
        assert_eq!(grades.len(), 20);
        for (topic, grades) in grades {
            assert_eq!(grades, BTreeSet::from(["0", "1", "2", "3"]), "{name}: {topic}");
        }
    }
}

#[test]
fn a_folder_is_not_written_over_by_accident() {
    let folder = TempDir::new("synth-existing");
    let settings = Settings { posts: 20, seed: 1, topics: 0, threads: 1 };
    write(&settings, folder.path(), Existing::Refuse, |_| {}).unwrap();
    let before = files(folder.path());
    let error = write(&settings, folder.path(), Existing::Refuse, |_| {}).unwrap_err();
    assert!(error.to_string().contains("holds files already, such as Comments.xml"), "{error}");
    write(&settings, folder.path(), Existing::Replace, |_| {}).unwrap();
    assert_eq!(before, files(folder.path()));
    let file = folder.write("file", "x");
    assert!(write(&settings, &file, Existing::Replace, |_| {}).is_err());
}

#[test]
fn what_cannot_be_made_is_refused() {
    let check = |posts: u64, topics: u32, expected: &str| {
        let settings = Settings { posts, seed: 1, topics, threads: 1 };
        let folder = TempDir::new("synth-refused");
        let error = write(&settings, folder.path(), Existing::Refuse, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(0, 0, "a collection needs at least one post");
    check(100, 5, "5 topics are too many for 100 posts: each needs 25, so 4 can be made");
    check(u64::MAX, 0, "18446744073709551615 posts are too many; at most 1000000000 can be made");
}
