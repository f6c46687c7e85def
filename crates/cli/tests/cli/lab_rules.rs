//! Rules of the labs from the command line: threads of topics, the context of NTCIR-10's formulas, and chance among
//! formulas in baselines.

use crate::util::{Dir, Outcome};
use std::collections::BTreeSet;
use std::fs;

#[track_caller]
fn run(dir: &Dir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let done = dir.run(&arguments);
    assert_eq!(done.code, 0, "{arguments:?}: {}{}", done.stdout, done.stderr);
    done
}

fn read(dir: &Dir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

/// Post 78 answers the topic's own question, posted after the collection was made.
#[test]
fn no_run_may_return_posts_of_topic_threads() {
    let dir = Dir::new("rules-threads");
    dir.write(
        "posts.jsonl",
        "{\"kind\":\"question\",\"id\":1,\"title\":\"Old\",\"body\":\"Is it?\"}\n\
         {\"kind\":\"answer\",\"id\":11,\"parent\":1,\"body\":\"It is.\"}\n",
    );
    dir.write(
        "later.jsonl",
        "{\"kind\":\"question\",\"id\":77,\"title\":\"Is it so?\",\"body\":\"Is it?\"}\n\
         {\"kind\":\"answer\",\"id\":78,\"parent\":77,\"body\":\"It is, later.\"}\n",
    );
    dir.write(
        "q.xml",
        "<Topics><Topic number=\"A.1\"><Title>Is it so?</Title><Question>Is it?</Question><Tags>a</Tags></Topic></Topics>",
    );
    let name = "us-task1-a-auto-both-P.tsv";
    dir.write(name, "A.1\t78\t1\t0.9\ta\nA.1\t11\t2\t0.8\ta\n");
    run(&dir, "collection build posts.jsonl -o c");
    run(&dir, "collection build later.jsonl -o later");
    run(&dir, "lab init lab --name x --topics 1=q.xml --tasks 1 --collection c --topic-threads later");
    let taken = run(&dir, &format!("lab submit lab {name}"));
    assert!(taken.stderr.contains("1 hit is filtered"), "{}", taken.stderr);
    assert_eq!(read(&dir, &format!("lab/runs/main/{name}")), "A.1\t11\t2\t0.8\ta\n");
    run(&dir, "lab pool lab");
    let pool = read(&dir, "lab/pools/main-answers.tsv");
    assert!(pool.contains("\t11\t") && !pool.contains("\t78\t"), "{pool}");
    run(&dir, "lab verify lab");
    // A collection that cannot be opened is found when the lab is made, not when somebody judges.
    let lost =
        dir.run(&["lab", "init", "other", "--name", "x", "--topics", "1=q.xml", "--topic-threads", "lost"]);
    assert!(lost.code == 2 && lost.stderr.contains("lost"), "{}", lost.stderr);
}

/// In NTCIR-10 assessors saw each formula by itself, and in NTCIR-12 where it stood.
#[test]
fn assessors_of_ntcir_10_see_formulas_by_themselves_unless_the_lab_says_otherwise() {
    let dir = Dir::new("rules-context");
    dir.write(
        "f.xml",
        "<topics><topic><num>N-1</num><query><formula id=\"f.0\">x</formula></query></topic></topics>",
    );
    for (folder, options, context) in [
        ("ten", "--rules ntcir10", "formula"),
        ("ten-in-posts", "--rules ntcir10 --context post", "post"),
        ("twelve", "--rules ntcir12", "post"),
    ] {
        run(&dir, &format!("lab init {folder} --name x --tasks 2 --topics 2=f.xml {options}"));
        let toml = read(&dir, &format!("{folder}/lab.toml"));
        assert!(toml.contains(&format!("context = \"{context}\"")), "{folder}: {toml}");
    }
}

/// The topic has three formulas as large, each of which stands in another answer: the baseline searches for one of them.
#[test]
fn baselines_draw_among_the_largest_formulas_of_a_topic_with_the_seed_of_the_lab() {
    let dir = Dir::new("rules-chance");
    dir.write(
        "posts.jsonl",
        "{\"kind\":\"question\",\"id\":1,\"title\":\"Old\",\"body\":\"Is it?\"}\n\
         {\"kind\":\"answer\",\"id\":11,\"parent\":1,\"body\":\"It is $x+y$.\"}\n\
         {\"kind\":\"answer\",\"id\":12,\"parent\":1,\"body\":\"It is $a-b$.\"}\n\
         {\"kind\":\"answer\",\"id\":13,\"parent\":1,\"body\":\"It is $u=v$.\"}\n",
    );
    let spans = |latex: &[&str]| -> String {
        let span = |(at, latex): (usize, &&str)| {
            format!("<span class=\"math-container\" id=\"q_{at}\">${latex}$</span> ").replace('<', "&lt;")
        };
        latex.iter().enumerate().map(span).collect()
    };
    dir.write(
        "q.xml",
        format!(
            "<Topics><Topic number=\"A.1\"><Title>What?</Title><Question>{}</Question><Tags>a</Tags></Topic></Topics>",
            spans(&["x+y", "u=v", "a-b"])
        ),
    );
    run(&dir, "index posts.jsonl -o i");
    let first = |seed: u32, again: &str| -> String {
        let lab = format!("lab{seed}{again}");
        run(&dir, &format!("lab init {lab} --name x --topics 1=q.xml --tasks 1 --seed {seed}"));
        run(&dir, &format!("lab baselines {lab} --index i --systems tangent-s-answers"));
        let runs = fs::read_dir(dir.path().join(&lab).join("runs/main")).unwrap();
        let run =
            runs.map(|entry| entry.unwrap().path()).find(|path| path.extension().unwrap() == "tsv").unwrap();
        let run = fs::read_to_string(run).unwrap();
        run.lines().next().and_then(|row| row.split('\t').nth(1)).unwrap().to_owned()
    };
    let drawn: Vec<String> = (1..=12).map(|seed| first(seed, "")).collect();
    let different: BTreeSet<&String> = drawn.iter().collect();
    assert!(different.len() > 1, "{drawn:?}");
    for seed in [1, 2, 3] {
        assert_eq!(first(seed, "again"), drawn[seed as usize - 1], "{seed}");
    }
}
