//! `hypatia eval --task 3 --collection`: written answers that nobody judged, as excerpts of judged posts.

use crate::util::{Dir, Outcome};
use serde_json::Value;
use std::fs;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Why is $\\sum 1/n$ infinite?","body":"I know that the terms become smaller and smaller, so why is it not finite?"}
{"kind":"answer","id":11,"parent":1,"body":"Group the terms by powers of two: $1/3+1/4\\ge 1/2$. Each group is at least one half. So the partial sums grow without bound."}
{"kind":"answer","id":12,"parent":1,"body":"Compare the sum with the integral of $1/x$, which is $\\log n$ and grows without bound, if slowly."}
{"kind":"answer","id":13,"parent":1,"body":"It is not so easy to see that, and I do not know it."}
{"kind":"answer","id":14,"parent":1,"body":"By induction the sum is $n(n+1)/2$."}
{"kind":"answer","id":15,"parent":1,"body":"Another answer that nobody ever looked at for any of the topics."}
"#;
const QRELS: &str = "A.1 0 11 3\nA.1 0 12 2\nA.1 0 13 0\nA.2 0 14 2\nA.3 0 13 0\nA.3 0 98 0\nA.4 0 12 1\n";
const TOPICS: &str = "<Topics>\n<Topic number=\"A.1\"><Title>Why infinite?</Title><Question>I know that the \
                      terms become smaller and smaller, so why?</Question><Tags>series</Tags></Topic>\n</Topics>\n";
const US: &str = "us-task3-a-auto-both-extract-P.tsv";
const THEM: &str = "them-task3-b-auto-both-generate-P.tsv";

/// Ours: two sentences of 11, the whole of 14, the whole of 15, which was not judged, and that of 12 under
/// the name of 13. Theirs was written.
fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("posts.jsonl", POSTS);
    dir.write("q.txt", QRELS);
    let built = dir.run(&["collection", "build", "posts.jsonl", "-o", "c"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    dir.write(
        US,
        "A.1\t1\t1\ta\t11\tGroup the terms by powers of two: $1/3+1/4\\ge 1/2$. […] So the partial sums grow \
         without bound.\n\
         A.2\t1\t1\ta\t14\tBy induction  the sum is $n(n+1)/2$.\n\
         A.3\t1\t1\ta\t15\tAnother answer that nobody ever looked at for any of the topics.\n\
         A.4\t1\t1\ta\t13\tCompare the sum with the integral of $1/x$, which is $\\log n$ and grows without \
         bound, if slowly.\n",
    );
    let same = "The sum is infinite, as the partial sums grow without bound.";
    let asked = "You know that the terms become smaller and smaller, so why is it so? It is so. It is so.";
    dir.write(
        THEM,
        format!(
            "A.1\t1\t1\tb\t\t{asked}\nA.2\t1\t1\tb\t\t{same}\nA.3\t1\t1\tb\t\t{same}\nA.4\t1\t1\tb\t\t\n"
        ),
    );
    dir.write(
        "t1.tsv",
        "A.1\tQ0\t12\t1\t1\tr\nA.2\tQ0\t14\t1\t1\tr\nA.3\tQ0\t12\t1\t1\tr\nA.4\tQ0\t13\t1\t1\tr\n",
    );
    dir
}

fn eval(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> =
        ["eval", "--task", "3", "--qrels", "q.txt"].into_iter().chain(arguments.split_whitespace()).collect();
    dir.run(&arguments)
}

fn json(outcome: &Outcome) -> Vec<Value> {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn written_answers_are_found_in_judged_posts() {
    let dir = dir("task3-posts");
    eval(&dir, &format!("{US} {THEM} t1.tsv --collection c")).prints(
        "                                                   unjudged = 0  judged only
                                                   ────────────  ────────────
Run                                topics  judged     AR    P@1     AR    P@1     LO  LO (n)  LO, all  LO, all (n)
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
highest possible                        4          1.500  0.500
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P          4     3/4  1.500  0.500  2.000  0.667  0.333       1    0.923            2
t1                                      4     2/4  1.000  0.500  2.000  1.000      –       –        –            –
them-task3-b-auto-both-generate-P       4     0/4  0.000  0.000      –      –  0.236       2    0.236            2

AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3. System failure and \"do not know\" count 0.
unjudged = 0: over all judged topics, an answer that is missing or was not judged counts 0. judged only: over those of them whose answer was judged.
A written answer is judged if it is the text of a judged post, or an excerpt: 90 % of the answer's tokens stand in the post, in order, in runs of 8 or more or as whole sentences. An excerpt has the grade of the whole post.
LO: tokenizer: words and LaTeX; tokens: bags, as published; normalisation: as published.
(n): over how many topics the value before it is; these may be others than those of AR.
References: the 3 relevant posts (grade 2 or more) of at most 1200 characters, over 2 topics; 0 longer ones and 0 that the collection does not hold are none.
The collection holds 4/5 of the judged posts: no answer can be found in the others.
An answer is not compared with references that it was cut out of, or that stand in it.
References left out, us-task3-a-auto-both-extract-P: 2 (topics left: 1). \"all\": with them.
us-task3-a-auto-both-extract-P: answers to topics of the mean: 4, of judged posts: 3, of other posts: 1, of none: 0; whole posts: 3, excerpts: 1, source named but text differs: 1.
them-task3-b-auto-both-generate-P: answers to topics of the mean: 4, of judged posts: 0, of other posts: 0, of none: 4; whole posts: 0, excerpts: 0.
",
    );
}

#[test]
fn only_topics_with_something_relevant_can_count() {
    let dir = dir("task3-posts-relevant");
    let found = json(&eval(&dir, &format!("{US} --collection c --topics relevant --format json -q")));
    let us = &found[0];
    assert_eq!(us["topics"], 3);
    assert_eq!((us["measures"]["AR"].as_f64(), us["judged"]["share"].as_f64()), (Some(2.0), Some(1.0)));
    assert_eq!(us["left_out"], serde_json::json!(["A.3"]));
    assert_eq!(us["averaged_over"], "judged topics with an answer of grade 1 or more");
    let matched = &us["matched"];
    // A.3, of which the answer is a post that nobody judged, is not in the mean.
    assert_eq!((matched["whole"].as_u64(), matched["excerpts"].as_u64()), (Some(2), Some(1)));
    assert_eq!((matched["not_judged"].as_u64(), matched["named_but_differs"].as_u64()), (Some(0), Some(1)));
    assert_eq!((matched["count"].as_u64(), matched["of"].as_u64()), (Some(3), Some(3)));
    let all = json(&eval(&dir, &format!("{US} --collection c --topics all --format json")));
    let matched = &all[0]["matched"];
    assert_eq!((matched["share"].as_f64(), matched["found"]["share"].as_f64()), (Some(0.75), Some(1.0)));
    assert_eq!((matched["whole"].as_u64(), matched["not_judged"].as_u64()), (Some(3), Some(1)));
    let first = &us["matches"]["A.1"];
    assert_eq!((first["post"].as_str(), first["kind"].as_str()), (Some("11"), Some("excerpt")));
    // 28 of the 36 tokens: the sentence in the middle has 8.
    assert_eq!(first["share_of_post"].as_f64(), Some(28.0 / 36.0));
    assert_eq!(us["matches"]["A.4"]["post"], "12");
    assert_eq!(us["matches"]["A.4"]["named_source"], "differs");
}

#[test]
fn an_index_holds_its_collection() {
    let dir = dir("task3-posts-index");
    let built = dir.run(&["index", "c", "-o", "i"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let of = |collection: &str| eval(&dir, &format!("{US} --collection {collection} --format json")).stdout;
    assert_eq!(of("i"), of("c"));
}

#[test]
fn answers_do_not_meet_themselves_unless_asked() {
    let dir = dir("task3-posts-ablation");
    let overlap = |options: &str, expected: f64, all: f64, left_out: u64| {
        let found = json(&eval(&dir, &format!("{US} --collection c --format json {options}")));
        let of = &found[0]["LO"];
        assert_eq!(of["references_left_out"], left_out, "{options}");
        for (value, expected) in [(&found[0]["measures"]["LO"], expected), (&of["with_all_references"], all)]
        {
            assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{options}: {value}, not {expected}");
        }
    };
    // With tags and ellipsis the answer to A.1 has 33 tokens and shares 30 of the 38 of post 11, and 10 of the
    // 27 of post 12; that to A.2 is the whole of 14.
    let (by_11, by_12) = (60.0 / 71.0, 20.0 / 60.0);
    let all = (by_11 + 1.0) / 2.0;
    overlap("", by_12, all, 2);
    overlap("--ablation none", all, all, 0);
    // Only we returned 11; 14 was returned by others, too, and nobody knows who returned 12.
    dir.write("us-task1-x-auto-both-P.tsv", "A.1\t11\t1\t2\tx\nA.2\t14\t1\t2\tx\n");
    dir.write("them-task1-y-auto-both-P.tsv", "A.2\t14\t1\t2\ty\n");
    let pool = "--pool us-task1-x-auto-both-P.tsv them-task1-y-auto-both-P.tsv";
    overlap(pool, (by_12 + 1.0) / 2.0, all, 1);
    // A run of Task 3 returned the posts that its answers are.
    overlap(&format!("--pool {US}"), by_12, all, 2);
}

/// What another team has below the pool depth was not contributed by it.
#[test]
fn a_reference_is_the_teams_own_by_the_pools_not_by_whole_runs() {
    let dir = dir("task3-posts-depth");
    dir.write("us-task1-x-auto-both-P.tsv", "A.1\t11\t1\t2\tx\nA.2\t14\t1\t2\tx\n");
    let left_out = |them: &str, options: &str| {
        dir.write(them, "A.2\t77\t1\t2\ty\nA.2\t14\t2\t1\ty\n");
        let pool = format!("--pool us-task1-x-auto-both-P.tsv {them} {options}");
        json(&eval(&dir, &format!("{US} --collection c --format json {pool}")))[0]["LO"]["references_left_out"]
            .as_u64()
            .unwrap()
    };
    let (primary, alternate) = ("them-task1-y-auto-both-P.tsv", "them-task1-y-auto-both-A.tsv");
    assert_eq!(left_out(primary, ""), 1, "11 alone is ours: they contributed 14 at rank 2");
    assert_eq!(left_out(primary, "--pool-depths 1,2"), 2);
    assert_eq!(left_out(alternate, "--pool-depths 1,2"), 1);
    assert_eq!(left_out("y.tsv", "--pool-depths 2,1"), 2, "the name does not say that it is primary");
    let wrong = eval(&dir, &format!("{US} --collection c --pool {primary} --pool-depths 45"));
    assert!(wrong.code == 2 && wrong.stderr.contains("two depths are wanted"), "{}", wrong.stderr);
}

/// A pool that does not list the scored run must not bring back the references that it was cut out of.
#[test]
fn what_only_the_scored_run_returned_is_left_out_with_any_pool() {
    let dir = dir("task3-posts-pool");
    dir.write("them-task1-y-auto-both-P.tsv", "A.2\t14\t1\t2\ty\n");
    let arguments = format!("{US} --collection c --format json --pool them-task1-y-auto-both-P.tsv");
    let outcome = eval(&dir, &arguments);
    assert_eq!(
        outcome.stderr,
        "hypatia: warning: --pool holds no run of us: only the posts that its scored answers are count as what it \
         contributed\n"
    );
    let found: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    // 11 is ours alone. 14 is theirs, too, and 12 we returned for another topic only.
    assert_eq!(found[0]["LO"]["references_left_out"], 1);
    let overlap = found[0]["measures"]["LO"].as_f64().unwrap();
    assert!((overlap - (20.0 / 60.0 + 1.0) / 2.0).abs() < 1e-12, "{overlap}");
    // A run of the team that is scored beside it returned for us, too; one of another team for others.
    let of_12 =
        "Compare the sum with the integral of $1/x$, which is $\\log n$ and grows without bound, if slowly.";
    for (name, answer, left_out) in [
        ("us-task3-b-auto-both-extract-A.tsv", of_12, 2),
        ("they-task3-b-auto-both-extract-A.tsv", "Each group is at least one half.", 0),
    ] {
        dir.write(name, format!("A.1\t1\t1\tb\t\t{answer}\n"));
        let found: Vec<Value> =
            serde_json::from_str(&eval(&dir, &format!("{name} {arguments}")).stdout).unwrap();
        assert_eq!(found[1]["LO"]["references_left_out"], left_out, "{name}");
    }
}

/// A topic that is left out is in no measure, no count and no reference.
#[test]
fn topics_that_are_left_out_are_nowhere() {
    let dir = dir("task3-posts-except");
    dir.write("flags.tsv", "Topic\tAnswer\tMG\tUI\nA.1\t11\t1\t1\nA.2\t14\t0\t1\n");
    let options = format!("{US} --collection c --ablation none --flags flags.tsv");
    let of = |more: &str| json(&eval(&dir, &format!("{options} --format json -q {more}"))).remove(0);
    let (all, without) = (of(""), of("--except A.2"));
    assert_eq!((all["measures"]["MG"].as_f64(), without["measures"]["MG"].as_f64()), (Some(0.5), Some(1.0)));
    assert_eq!((all["LO"]["topics"].as_u64(), without["LO"]["topics"].as_u64()), (Some(2), Some(1)));
    let overlap = without["measures"]["LO"].as_f64().unwrap();
    assert!((overlap - 60.0 / 71.0).abs() < 1e-12, "{overlap}");
    assert_eq!((all["matched"]["whole"].as_u64(), without["matched"]["whole"].as_u64()), (Some(3), Some(2)));
    assert!(without["matches"].get("A.2").is_none() && without["per_topic"].get("A.2").is_none());
    assert_eq!(without["left_out"], serde_json::json!(["A.2", "A.3"]));
    let outcome = eval(&dir, &format!("{options} --except A.2"));
    assert!(outcome.stdout.contains("References: the 2 relevant posts"), "{}", outcome.stdout);
    eval(&dir, &format!("{options} --except A.1,A.2,A.3,A.4"))
        .fails("hypatia: us-task3-a-auto-both-extract-P.tsv: --except leaves none of its judged topics");
}

#[test]
fn lengths_and_repetitions_are_counted() {
    let dir = dir("task3-posts-indicators");
    dir.write("t.xml", TOPICS);
    let outcome = eval(&dir, &format!("{US} {THEM} --collection c --indicators --questions t.xml"));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let (_, counted) = outcome.stdout.split_once("\nLengths").unwrap();
    let (counted, claims) = counted.split_once("\nClaims, tested with numbers\n").unwrap();
    let rows: Vec<Vec<&str>> = claims.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec![US.trim_end_matches(".tsv"), "1", "1", "0", "0", "1", "0"]), "{claims}");
    assert!(rows.contains(&vec![THEM.trim_end_matches(".tsv"), "0", "0", "0", "0", "0", "0"]), "{claims}");
    assert_eq!(
        counted,
        " and repetitions

Run                                characters  longest  full  formulas  sentences again  4-grams again  sources  empty  same text  from question
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
us-task3-a-auto-both-extract-P             73       97  0.00      0.14            0.00            0.00      1.0  0.00       0.00           0.00
them-task3-b-auto-both-generate-P          52       88  0.00      0.00            0.11!           0.02      0.0  0.25!      0.50!          0.46!

characters: characters of an answer, mean.
longest: characters of the longest answer; 1200 are allowed (! from 1201 on).
full: answers with 95 % of the allowed characters or more (! from 0.5 on).
formulas: characters in formulas, mean share of an answer (! from 0.8 on).
sentences again: sentences of four tokens or more that stood in the answer before, mean share (! from 0.05 on).
4-grams again: runs of four tokens that stood in the answer before, mean share (! from 0.3 on).
sources: sources named for an answer (words with a digit), mean (! from 4 on).
empty: answers without a word or sign (! from 0.05 on).
same text: answers whose text is also the answer to another topic (! from 0.05 on).
from question: tokens in runs of eight or more that stand in the question, mean share (! from 0.2 on).
A mark is a reason to look at the answers; it says nothing about their quality.
"
    );
    let found = json(&eval(&dir, &format!("{THEM} --collection c --format json")));
    let indicators = &found[0]["indicators"];
    assert_eq!((indicators["same_text"].as_f64(), indicators["empty"].as_f64()), (Some(0.5), Some(0.25)));
    assert_eq!(indicators.get("from_question"), None);
    assert_eq!(found[0].get("claims"), None, "they take time, so only who asks gets them");
    let found = json(&eval(&dir, &format!("{US} --collection c --indicators --format json")));
    assert_eq!(
        (found[0]["claims"]["checked"].as_u64(), found[0]["claims"]["failed"].as_u64()),
        (Some(1), Some(0))
    );
}

#[test]
fn what_is_wrong_is_said() {
    let dir = dir("task3-posts-wrong");
    eval(&dir, "t1.tsv --collection c")
        .fails("hypatia: --collection has no effect: no run holds written answers");
    eval(&dir, &format!("{US} --collection c --ablation team"))
        .fails("hypatia: --ablation team needs --pool, which says who contributed what");
    eval(&dir, &format!("{US} --collection c --ablation own --pool t1.tsv"))
        .fails("hypatia: --pool has no effect without --ablation team");
    eval(&dir, &format!("{US} --collection c --questions q.txt"))
        .fails("hypatia: --questions has no effect without --indicators");
    dir.write("t.xml", TOPICS.replace("A.1", "A.7"));
    eval(&dir, &format!("{US} --collection c --indicators --questions t.xml"))
        .fails("hypatia: t.xml: holds none of the topics that are answered");
    assert_eq!(eval(&dir, &format!("{US} --collection c --answers q.txt")).code, 2);
    assert_eq!(eval(&dir, &format!("{US} --collection nowhere")).code, 2);
    dir.write("empty.tsv", "");
    eval(&dir, "empty.tsv --collection c").fails("hypatia: empty.tsv: holds no answers");
    dir.run(&["eval", "t1.tsv", "--qrels", "q.txt", "--collection", "c"])
        .fails("hypatia: --collection has no effect without --task 3");
    dir.write("other.txt", "A.1 0 99 3\n");
    dir.run(&["eval", US, "--task", "3", "--qrels", "other.txt", "--collection", "c"])
        .fails("hypatia: c: holds none of the judged posts");
}

#[test]
fn hostile_answers_are_scored() {
    let dir = dir("task3-posts-hostile");
    let huge = "a ".repeat(200_000);
    dir.write(
        "huge.tsv",
        format!("A.1\t1\t1\ta\t11\t{huge}\nA.2\t1\t1\ta\t14\t$$ $ \\$ $\nA.4\t1\t1\ta\t\t\n"),
    );
    let outcome = eval(&dir, "huge.tsv --collection c --format json");
    assert_eq!(
        outcome.stderr,
        "hypatia: warning: huge.tsv: 1 answer has more than 1200 characters, the most that the lab takes: A.1\n"
    );
    let found: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        (found[0]["matched"]["none"].as_u64(), found[0]["judged"]["count"].as_u64()),
        (Some(3), Some(0))
    );
    assert_eq!(found[0]["measures"].get("AR"), None, "no answer was judged");
    assert_eq!(found[0]["unjudged_as_zero"]["AR"], 0.0);
    assert_eq!(found[0]["indicators"]["longest"], 400_000.0);
}

/// The answers of people, as a system that cuts posts out gives them, have the grades of the posts.
#[test]
fn first_answers_of_a_real_run() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the first answers are of real topics");
    };
    let dir = Dir::new("task3-posts-real");
    let mini = data.join("arqmath-mini");
    let built = dir.run(&["collection", "build", mini.to_str().unwrap(), "-o", "c"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let qrels = mini.join("qrels/task1_2020.qrels");
    let collection = store::Collection::open(&dir.path().join("c")).unwrap();
    let mut reader = collection.reader();
    // The first judged post of each topic in the file, once by its id and once by its text.
    let (mut ranking, mut written, mut last) = (String::new(), String::new(), String::new());
    for line in fs::read_to_string(&qrels).unwrap().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (topic, post) = (fields[0], fields[2]);
        let Some(number) = collection.find_post(post).filter(|_| topic != last) else { continue };
        last = topic.to_owned();
        let text = post::body(&mut reader, number).unwrap().plain();
        let text: String = text.chars().take(1200).collect();
        ranking.push_str(&format!("{topic}\tQ0\t{post}\t1\t1\tr\n"));
        written.push_str(&format!("{topic}\t1\t1\tr\t\t\"{}\"\n", text.replace('"', "\"\"")));
    }
    dir.write("ranking.tsv", ranking);
    dir.write("written.tsv", written);
    let qrels = qrels.to_str().unwrap();
    let arguments =
        ["eval", "ranking.tsv", "written.tsv", "--task", "3", "--collection", "c", "--qrels", qrels];
    let found = json(&dir.run(&[&arguments[..], &["--format", "json"]].concat()));
    assert_eq!((found[0]["topics"].as_u64(), found[1]["topics"].as_u64()), (Some(76), Some(76)));
    assert_eq!(found[0]["measures"]["AR"], found[1]["measures"]["AR"]);
    assert_eq!(found[0]["measures"]["P@1"], found[1]["measures"]["P@1"]);
    assert_eq!(found[1]["matched"]["none"], 0);
}
