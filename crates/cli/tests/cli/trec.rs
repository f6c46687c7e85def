//! `hypatia eval --trec`: the lines of trec_eval.

use crate::util::Dir;

fn dir(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("q", "A.1 0 d1 3\nA.1 0 d2 0\nA.2 0 d3 2\nA.4 0 d7 2\n");
    dir.write("r", "A.1 Q0 d2 1 2 t\nA.1 Q0 d1 2 1 t\nA.2 Q0 x 1 3 t\nA.9 Q0 d5 1 1 t\n");
    dir
}

#[test]
fn topics_and_summary() {
    let dir = dir("trec-topics");
    dir.run(&[
        "eval", "r", "--qrels", "q", "--trec", "-q", "-c", "-m", "ndcg", "-m", "num_rel", "-m", "num_q",
    ])
    .prints(
        "\
num_rel               \tA.1\t1
ndcg                  \tA.1\t0.6309
num_rel               \tA.2\t1
ndcg                  \tA.2\t0.0000
num_q                 \tall\t3
num_rel               \tall\t3
ndcg                  \tall\t0.2103
",
    );
}

#[test]
fn levels_and_judged_results() {
    let dir = dir("trec-level");
    dir.run(&["eval", "r", "--qrels", "q", "--trec", "-l3", "-J", "-m", "map", "-m", "P.5,10"]).prints(
        "\
map                   \tall\t0.2500
P_5                   \tall\t0.1000
P_10                  \tall\t0.0500
",
    );
    dir.run(&["eval", "r", "--qrels", "q", "--trec", "-n"]).prints("");
}

#[test]
fn what_trec_eval_does_not_know_is_refused() {
    let dir = dir("trec-refused");
    dir.run(&["eval", "r", "--qrels", "q", "--trec", "--task", "1"])
        .fails("hypatia: --task has no effect with --trec");
    let outcome = dir.run(&["eval", "r", "--qrels", "q", "--trec", "-m", "foo"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("foo"), "{outcome:?}");
    let outcome = dir.run(&["eval", "r", "--qrels", "q", "-c"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--trec"), "{outcome:?}");
}
