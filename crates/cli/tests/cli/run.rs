//! `hypatia run` and `hypatia tune` on the sample: the same bytes on any number of threads, in every form.

use crate::util::Dir;

fn read(dir: &Dir, name: &str) -> String {
    std::fs::read_to_string(dir.path().join(name)).unwrap()
}

/// A folder with the sample's files and an index of it.
fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    for command in [
        &["collection", "build", "--sample", "-o", "sample.coll"][..],
        &["index", "sample.coll", "-o", "sample.index"],
        &["sample", "-o", "sample"],
    ] {
        let done = dir.run(command);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    dir
}

const TASK1: &str = "sample/topics/Topics_Task1.xml";
const TASK2: &str = "sample/topics/Topics_Task2.xml";

#[test]
fn a_run_is_the_same_on_any_number_of_threads_and_is_valid() {
    let dir = sample("run-same");
    for (task, topics, name) in [
        ("1", TASK1, "hypatia-task1-hypatia_classic_1-auto-both-P.tsv"),
        ("2", TASK2, "hypatia-task2-hypatia_classic_2-auto-math-P.tsv"),
    ] {
        let common = ["run", "--task", task, "--topics", topics, "--index", "sample.index"];
        let run = |more: &[&str]| {
            let done = dir.run(&[&common[..], more].concat());
            assert_eq!(done.code, 0, "{}", done.stderr);
        };
        run(&["-j", "1", "-o", "."]);
        run(&["-j", "4", "-o", "again.tsv"]);
        let first = read(&dir, name);
        assert_eq!(first, read(&dir, "again.tsv"), "task {task}");
        assert!(first.lines().count() > 1000);
        let checked = dir.run(&["check", name]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
        let sidecar: serde_json::Value = serde_json::from_str(&read(&dir, &format!("{name}.json"))).unwrap();
        assert_eq!(sidecar["topics"], 20);
        assert!(sidecar["system_file"].as_str().unwrap().contains("[[posts.group]]") == (task == "1"));
        assert!(sidecar["milliseconds"]["p50"].as_f64().unwrap() > 0.0);
        run(&["--exact", "--format", "trec", "-o", "exact.trec"]);
        assert!(read(&dir, "exact.trec").lines().all(|line| line.split('\t').nth(1) == Some("Q0")));
    }
}

#[test]
fn every_system_gives_the_same_run_on_any_number_of_threads() {
    let dir = sample("run-threads");
    for (system, task, topics) in [
        ("bm25", "1", TASK1),
        ("formula+keywords", "1", TASK1),
        ("search", "1", TASK1),
        ("hypatia-classic-2", "2", TASK2),
    ] {
        let common =
            ["run", "--task", task, "--system", system, "--topics", topics, "--index", "sample.index"];
        for (threads, out) in [("1", "one.tsv"), ("8", "eight.tsv")] {
            let done = dir.run(&[&common[..], &["-j", threads, "-o", out]].concat());
            assert_eq!(done.code, 0, "{}", done.stderr);
        }
        assert_eq!(read(&dir, "one.tsv"), read(&dir, "eight.tsv"), "{system}");
    }
}

#[test]
fn our_systems_are_better_than_bm25_and_chance_on_the_sample() {
    let dir = sample("run-good");
    let score = |run: &str, more: &[&str]| -> f64 {
        let done = dir.run(&[&["eval", run, "--format", "json"][..], more].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        let value: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        value[0]["measures"]["nDCG'"].as_f64().unwrap()
    };
    for system in ["hypatia-classic-1", "bm25"] {
        let out = format!("{system}.tsv");
        let done = dir.run(&[
            "run",
            "--task",
            "1",
            "--system",
            system,
            "--topics",
            TASK1,
            "--index",
            "sample.index",
            "-o",
            &out,
        ]);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    let judged = ["--qrels", "sample/qrels/task1.qrels", "--task", "1"];
    assert!(score("hypatia-classic-1.tsv", &judged) > score("bm25.tsv", &judged));
    let done = dir.run(&[
        "run",
        "--task",
        "2",
        "--topics",
        TASK2,
        "--index",
        "sample.index",
        "--format",
        "trec",
        "--ids",
        "visual",
        "-o",
        "2.trec",
    ]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        score("2.trec", &["--qrels", "sample/qrels/task2.qrels", "--task", "2", "--ids", "visual"]) > 0.8
    );
    let tuned = dir.run(&[
        "tune",
        "--system",
        "hypatia-classic-2",
        "--index",
        "sample.index",
        "--topics",
        TASK2,
        "--qrels",
        "sample/qrels/task2.qrels",
        "--vary",
        "formulas.rerank.depth=0,30",
        "--folds",
        "3",
        "-o",
        "best.txt",
    ]);
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    assert!(tuned.stdout.contains("held out"), "{}", tuned.stdout);
    assert!(read(&dir, "best.txt").starts_with("formulas.rerank.depth = "));
}

#[test]
fn what_cannot_be_run_is_said() {
    let dir = sample("run-wrong");
    for (arguments, said) in [
        (
            vec![
                "run",
                "--task",
                "1",
                "--system",
                "bm26",
                "--topics",
                TASK1,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "there is no such system",
        ),
        (
            vec![
                "run",
                "--task",
                "2",
                "--system",
                "bm25",
                "--topics",
                TASK2,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "is for task 1",
        ),
        (
            vec!["run", "--task", "1", "--topics", TASK1, "--index", "sample", "-o", "x"],
            "sample: not an index",
        ),
        (
            vec!["run", "--task", "1", "--topics", "missing.xml", "--index", "sample.index", "-o", "x"],
            "missing.xml",
        ),
        (
            vec![
                "run",
                "--task",
                "2",
                "--ids",
                "visual",
                "--topics",
                TASK2,
                "--index",
                "sample.index",
                "-o",
                "x",
            ],
            "--format trec",
        ),
        (
            vec![
                "tune",
                "--system",
                "bm25",
                "--index",
                "sample.index",
                "--topics",
                TASK1,
                "--qrels",
                "sample/qrels/task1.qrels",
                "--vary",
                "posts.nowhere.at=1,2",
            ],
            "no place",
        ),
    ] {
        let done = dir.run(&arguments);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.stderr.contains(said), "{arguments:?}: {}", done.stderr);
    }
}

/// The guidelines take formulas of questions and answers, by the ids that the collection's table gives them.
#[test]
fn a_run_of_task_2_returns_only_published_ids_in_questions_and_answers() {
    let dir = Dir::new("run-published-ids");
    let span = |id: u64, latex: &str| {
        format!("&lt;span class=&quot;math-container&quot; id=&quot;{id}&quot;&gt;{latex}&lt;/span&gt;")
    };
    // Formula 3 is in a comment by the table, 4 is not in the table, and the last has no span.
    let question = [span(1, "x^2"), span(3, "x^2+1"), span(4, "x^2+2"), "$x^2+3$".to_owned()].join(" and ");
    let answer = [span(5, "x^2+y"), span(6, "x^2")].join(" and ");
    let comment = span(7, "x^2+y^2");
    let posts = format!(
        "<posts>\n<row Id=\"1\" PostTypeId=\"1\" Title=\"Squares\" Body=\"{question}\" Tags=\"\"/>\n\
         <row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" Body=\"{answer}\"/>\n</posts>\n"
    );
    dir.write("dump/Posts.xml", posts);
    dir.write(
        "dump/Comments.xml",
        format!("<comments>\n<row Id=\"8\" PostId=\"2\" Text=\"{comment}\"/>\n</comments>\n"),
    );
    let table = "id\tpost_id\tthread_id\ttype\tvisual_id\tformula\n1\t1\t1\tquestion\t11\tx^2\n\
                 3\t1\t1\tcomment\t13\tx^2+1\n5\t2\t1\tanswer\t15\tx^2+y\n6\t2\t1\tanswer\t11\tx^2\n\
                 7\t2\t1\tcomment\t17\tx^2+y^2\n";
    dir.write("dump/latex_representation.tsv", table);
    dir.write(
        "topics.xml",
        "<Topics><Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x^2</Latex><Title>t</Title>\
         <Question>q</Question><Tags>a</Tags></Topic></Topics>",
    );
    let built = dir.run(&["index", "dump", "-o", "i"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let common = ["run", "--task", "2", "--topics", "topics.xml", "--index", "i"];
    for system in ["hypatia-classic-2", "tangent-s", "combsum-all-2"] {
        let name = "us-task2-x-auto-math-P.tsv";
        let done = dir.run(&[&common[..], &["--system", system, "--tag", "x", "-o", name]].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        let mut rows: Vec<String> = read(&dir, name)
            .lines()
            .map(|line| line.split('\t').skip(1).take(2).collect::<Vec<_>>().join(" "))
            .collect();
        rows.sort();
        assert_eq!(rows, ["1 1", "5 2"], "{system}");
        let checked = dir.run(&["check", name, "--formulas", "dump/latex_representation.tsv"]);
        assert_eq!(checked.stdout, format!("{name}: valid\n"), "{system}");
    }
    // People still find all of them.
    let found = dir.run(&["search", "--index", "i", "--formulas", "--json", "$x^2+3$"]);
    assert!(found.code == 0 && found.stdout.contains("x^2+3"), "{}{}", found.stdout, found.stderr);
}

/// The guidelines ask for text, math or both in the name of a file.
#[test]
fn in_a_folder_a_run_has_the_name_of_the_guidelines_with_what_its_system_uses() {
    let dir = sample("run-named");
    let words = "name = \"words\"\ntask = 1\nabout = \"Words alone.\"\n[posts]\n[[posts.group]]\nname = \"words\"\n\
                 [[posts.group.part]]\nterms = \"words\"\nown = { body = 1 }\n\
                 model = { name = \"bm25\", k1 = 0.9, b = 0.4, length = \"lucene\" }\n";
    dir.write("words.toml", words);
    for (task, system, more, expected) in [
        ("1", "words.toml", &[][..], "hypatia-task1-words-auto-text-P.tsv"),
        ("1", "bm25", &[], "hypatia-task1-bm25-auto-both-P.tsv"),
        ("1", "tangent-s-answers", &[], "hypatia-task1-tangent_s_answers-auto-math-P.tsv"),
        ("1", "tf-idf+tangent-s", &[], "hypatia-task1-tf_idf_tangent_s-auto-both-P.tsv"),
        ("2", "tangent-s", &["--tag", "mine"], "hypatia-task2-mine-auto-math-P.tsv"),
        ("1", "bm25", &["--tag", "us-task1-a-auto-text-A"], "us-task1-a-auto-text-A.tsv"),
        ("3", "hypatia-extract", &[], "hypatia-task3-hypatia_extract-auto-both-extract-P.tsv"),
        (
            "3",
            "first-answer",
            &["--candidates", "tangent-s-answers"],
            "hypatia-task3-first_answer-auto-math-extract-P.tsv",
        ),
    ] {
        let topics = if task == "2" { TASK2 } else { TASK1 };
        let common =
            ["run", "--task", task, "--system", system, "--topics", topics, "--index", "sample.index"];
        let done = dir.run(&[&common[..], more, &["-o", "runs/"]].concat());
        assert_eq!(done.code, 0, "{system}: {}", done.stderr);
        assert!(dir.path().join("runs").join(expected).is_file(), "{system}: {expected}");
        let checked = dir.run(&["check", &format!("runs/{expected}")]);
        assert!(!checked.stdout.contains("[name]"), "{}", checked.stdout);
    }
}

const PICKED: &str = "topic\tkeywords\tformula\nA.1\tquadratic\tx^2+1\n";

/// The first topics' ids of a file.
fn ids(dir: &Dir, topics: &str) -> Vec<String> {
    let text = read(dir, topics);
    text.split("number=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn a_run_with_queries_made_by_hand_is_manual_kept_replayable_and_has_an_automatic_twin() {
    let dir = sample("run-by-hand");
    let first = &ids(&dir, TASK1)[0];
    std::fs::write(dir.path().join("picked.tsv"), PICKED.replace("A.1", first)).unwrap();
    let common = ["run", "--task", "1", "--system", "bm25", "--topics", TASK1, "--index", "sample.index"];
    let run = |more: &[&str]| dir.run(&[&common[..], more].concat());
    let done = run(&["--queries", "picked.tsv", "-o", "runs/"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("these topics are asked as they are"), "{}", done.stderr);
    let (manual, twin) =
        ("runs/hypatia-task1-bm25_by_hand-manual-both-P.tsv", "runs/hypatia-task1-bm25-auto-both-A.tsv");
    let rows = |name: &str, topic: &str| -> Vec<String> {
        let text = read(&dir, name);
        let of_topic = text.lines().filter(|line| line.starts_with(&format!("{topic}\t")));
        of_topic.map(|line| line.rsplit_once('\t').unwrap().0.to_owned()).collect()
    };
    assert_ne!(rows(manual, first), rows(twin, first), "what was picked is asked");
    assert!(!rows(manual, first).is_empty());
    let second = &ids(&dir, TASK1)[1];
    assert_eq!(rows(manual, second), rows(twin, second), "no query was made for it");

    let record = |name: &str| -> serde_json::Value {
        serde_json::from_str(&read(&dir, &format!("{name}.json"))).unwrap()
    };
    let kept = format!("{manual}.queries.tsv");
    assert_eq!(read(&dir, &kept), PICKED.replace("A.1", first));
    assert_eq!(record(manual)["queries"]["kept"], "hypatia-task1-bm25_by_hand-manual-both-P.tsv.queries.tsv");
    assert_eq!(record(manual)["queries"]["as_given"].as_array().unwrap().len(), 19);
    assert_eq!(record(twin)["twin_of"], "hypatia-task1-bm25_by_hand-manual-both-P");
    assert!(record(twin)["queries"].is_null());

    let before = read(&dir, manual);
    let again = run(&["--queries", &kept, "--no-twin", "-o", "again/"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(read(&dir, &manual.replace("runs/", "again/")), before);
    assert!(!dir.path().join(twin.replace("runs/", "again/")).exists());
    let alone = run(&["-o", "alone.tsv"]);
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    assert_eq!(rows("alone.tsv", first), rows(twin, first), "the twin is the automatic run");
    let checked = dir.run(&["check", manual, twin]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);

    // A lab takes the queries with the run, from which the run can be made again.
    let made = dir.run(&[
        "lab",
        "init",
        "lab",
        "--name",
        "x",
        "--set",
        "now",
        "--tasks",
        "1",
        "--topics",
        &format!("1={TASK1}"),
    ]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let taken = dir.run(&["lab", "submit", "lab", manual]);
    assert_eq!(taken.code, 0, "{}{}", taken.stdout, taken.stderr);
    let name = record(manual)["queries"]["kept"].as_str().unwrap().to_owned();
    assert_eq!(read(&dir, &format!("lab/runs/now/{name}")), PICKED.replace("A.1", first));
    let verified = dir.run(&["lab", "verify", "lab"]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    std::fs::write(dir.path().join(&kept), PICKED.replace("quadratic", "cubic")).unwrap();
    let changed = dir.run(&["lab", "submit", "lab", manual, "--replace"]);
    assert!(changed.code == 2 && changed.stderr.contains("was changed since"), "{}", changed.stderr);
    std::fs::remove_file(dir.path().join(&kept)).unwrap();
    let lost = dir.run(&["lab", "submit", "lab", manual, "--replace"]);
    assert!(lost.code == 0 && lost.stderr.contains("which is not beside it"), "{}", lost.stderr);
}

#[test]
fn queries_made_by_hand_are_searched_for_in_every_task() {
    let dir = sample("run-by-hand-tasks");
    for (task, topics, queries, manual, twin) in [
        (
            "2",
            TASK2,
            "topic\tformula\nID\t\\int_0^1 x\\,dx\n",
            "hypatia-task2-tangent_s_by_hand-manual-math-P.tsv",
            "hypatia-task2-tangent_s-auto-math-A.tsv",
        ),
        (
            "3",
            TASK1,
            "topic\tformula\nID\tx^2+1\n",
            "hypatia-task3-first_answer_by_hand-manual-both-extract-P.tsv",
            "hypatia-task3-first_answer-auto-both-extract-A.tsv",
        ),
    ] {
        let (first, second) = (&ids(&dir, topics)[0], &ids(&dir, topics)[1]);
        std::fs::write(dir.path().join("picked.tsv"), queries.replace("ID", first)).unwrap();
        let system = if task == "2" { "tangent-s" } else { "first-answer" };
        let common =
            ["run", "--task", task, "--system", system, "--topics", topics, "--index", "sample.index"];
        let done = dir.run(&[&common[..], &["--queries", "picked.tsv", "-o", "runs/"]].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        let rows = |name: &str, topic: &str| -> Vec<String> {
            let text = read(&dir, &format!("runs/{name}"));
            let of_topic = text.lines().filter(|line| line.starts_with(&format!("{topic}\t")));
            // The tag stands behind the score in Task 3, and at the end of a row in Task 2.
            let without_tag = |line: &str| -> Vec<String> {
                let tag = if task == "3" { 3 } else { line.split('\t').count() - 1 };
                let fields = line.split('\t').enumerate().filter(|(place, _)| *place != tag);
                fields.map(|(_, field)| field.to_owned()).collect()
            };
            of_topic.map(|line| without_tag(line).join("\t")).collect()
        };
        assert!(!rows(manual, first).is_empty(), "task {task}");
        assert_ne!(rows(manual, first), rows(twin, first), "task {task}: what was picked is asked");
        assert_eq!(rows(manual, second), rows(twin, second), "task {task}: no query was made for it");
        let checked = dir.run(&["check", &format!("runs/{manual}"), &format!("runs/{twin}")]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    }
}

#[test]
fn queries_made_by_hand_that_cannot_be_asked_are_refused() {
    let dir = sample("run-by-hand-refused");
    let refused = |task: &str, topics: &str, queries: &str, more: &[&str]| {
        std::fs::write(dir.path().join("picked.tsv"), queries).unwrap();
        let common = ["run", "--task", task, "--topics", topics, "--index", "sample.index"];
        let output: &[&str] = if more.contains(&"-o") { &[] } else { &["-o", "run.tsv"] };
        let done = dir.run(&[&common[..], &["--queries", "picked.tsv"], more, output].concat());
        assert_eq!(done.code, 2, "{}", done.stderr);
        done.stderr
    };
    let (first, formula) = (ids(&dir, TASK1)[0].clone(), ids(&dir, TASK2)[0].clone());
    let picked = PICKED.replace("A.1", &first);
    let stderr = refused("1", TASK1, &picked.replace(&first, "A.9999"), &[]);
    assert!(stderr.contains("picked.tsv: there is no topic A.9999"), "{stderr}");
    let stderr = refused("1", TASK1, &format!("topic\tkeywords\n{first}\t\n"), &[]);
    assert!(stderr.contains("neither words nor formulas"), "{stderr}");
    let stderr = refused("2", TASK2, &format!("topic\tkeywords\n{formula}\tprime\n"), &[]);
    assert!(stderr.contains("no formula to look for"), "{stderr}");
    let stderr = refused("1", TASK1, &picked, &["-o", "us-task1-x-auto-both-P.tsv"]);
    assert!(stderr.contains("its name says auto"), "{stderr}");
    let stderr = refused("1", TASK1, &picked, &["--tag", "us-task1-x-auto-both-P"]);
    assert!(stderr.contains("made by hand is manual"), "{stderr}");
    let stderr = refused("1", TASK1, &picked, &["-o", "picked.tsv"]);
    assert!(stderr.contains("would be overwritten"), "{stderr}");
}
