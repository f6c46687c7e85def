//! Whole reports beside what trec_eval 9.0.4 prints for the same files and options.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

use eval::trec::{Averaged, Lines, Options, Results, TrecError, report};
use expect_test::{Expect, expect};
use formats::Source;
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};

const QRELS: &str = "\
T.2 0 a 2
T.2 0 b 0
T.2 0 c 1
T.2 0 d -1
T.10 0 a 1
T.10 0 z 3
T.3 0 q 1
";

const RUN: &str = "\
T.10 Q0 a 1 3 first
T.10 Q0 z 2 3 first
T.2 Q0 d 1 9 first
T.2 Q0 x 1 8 first
T.2 Q0 a 1 7 first
T.9 Q0 a 1 1 first
T.10 Q0 b 1 0.5 last
";

fn qrels(text: &str) -> Qrels {
    Qrels::read(Source::bytes("qrels", text), Scale::Plain).unwrap().0
}

fn run(text: &str) -> Run {
    Run::read(Source::bytes("run", text), RunKind::Documents).unwrap()
}

fn measures(names: &str) -> Vec<String> {
    names.split(' ').map(String::from).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "as expect! makes it")]
fn check(options: &Options, expected: Expect) {
    expected.assert_eq(&report(&run(RUN), &qrels(QRELS), options).unwrap());
}

#[test]
fn official_measures_of_all_topics() {
    check(
        &Options::default(),
        expect![[r#"
        runid                 	all	last
        num_q                 	all	2
        num_ret               	all	6
        num_rel               	all	4
        num_rel_ret           	all	3
        map                   	all	0.5833
        gm_map                	all	0.4082
        Rprec                 	all	0.5000
        bpref                 	all	0.7500
        recip_rank            	all	0.6667
        iprec_at_recall_0.00  	all	0.6667
        iprec_at_recall_0.10  	all	0.6667
        iprec_at_recall_0.20  	all	0.6667
        iprec_at_recall_0.30  	all	0.6667
        iprec_at_recall_0.40  	all	0.6667
        iprec_at_recall_0.50  	all	0.6667
        iprec_at_recall_0.60  	all	0.5000
        iprec_at_recall_0.70  	all	0.5000
        iprec_at_recall_0.80  	all	0.5000
        iprec_at_recall_0.90  	all	0.5000
        iprec_at_recall_1.00  	all	0.5000
        P_5                   	all	0.3000
        P_10                  	all	0.1500
        P_15                  	all	0.1000
        P_20                  	all	0.0750
        P_30                  	all	0.0500
        P_100                 	all	0.0150
        P_200                 	all	0.0075
        P_500                 	all	0.0030
        P_1000                	all	0.0015
    "#]],
    );
}

#[test]
fn missing_topics_count_but_have_no_lines() {
    check(
        &Options {
            lines: Lines::TopicsAndSummary,
            averaged: Averaged::Complete,
            level: 2,
            measures: measures("num_q num_rel map gm_map relstring.2 G"),
            ..Options::default()
        },
        expect![[r#"
            num_rel               	T.10	1
            map                   	T.10	1.0000
            relstring_2           	T.10	'31'
            G                     	T.10	1.0000
            num_rel               	T.2	1
            map                   	T.2	0.3333
            relstring_2           	T.2	'.-'
            G                     	T.2	0.3333
            num_q                 	all	3
            num_rel               	all	5
            map                   	all	0.4444
            gm_map                	all	0.0149
            G                     	all	0.4444
        "#]],
    );
}

#[test]
fn a_topic_whose_results_are_all_removed() {
    check(
        &Options {
            lines: Lines::Topics,
            results: Results::Judged,
            max_retrieved: Some(2),
            measures: measures("set num_nonrel_judged_ret iprec_at_recall.0,1 Rndcg"),
            ..Options::default()
        },
        expect![[r#"
            num_ret               	T.10	2
            num_rel               	T.10	2
            num_rel_ret           	T.10	2
            iprec_at_recall_0.00  	T.10	1.0000
            iprec_at_recall_1.00  	T.10	1.0000
            utility               	T.10	2.0000
            Rndcg                 	T.10	1.0000
            set_P                 	T.10	1.0000
            set_relative_P        	T.10	1.0000
            set_recall            	T.10	1.0000
            set_map               	T.10	1.0000
            set_F                 	T.10	1.0000
            num_nonrel_judged_ret 	T.10	0
            num_ret               	T.2	0
            num_rel               	T.2	2
            num_rel_ret           	T.2	0
            iprec_at_recall_0.00  	T.2	  -nan
            iprec_at_recall_1.00  	T.2	0.0000
            utility               	T.2	0.0000
            Rndcg                 	T.2	0.0000
            set_P                 	T.2	0.0000
            set_relative_P        	T.2	0.0000
            set_recall            	T.2	0.0000
            set_map               	T.2	0.0000
            set_F                 	T.2	0.0000
            num_nonrel_judged_ret 	T.2	0
        "#]],
    );
}

#[test]
fn parameters_and_the_order_of_measures() {
    check(
        &Options {
            lines: Lines::TopicsAndSummary,
            num_docs: 20,
            measures: measures(
                "utility.1,-0.5,-1,.25 ndcg.1=3.5,2=9 P.2,1 11pt_avg.1,.5 set_F.0.5 ndcg_rel P.7",
            ),
            ..Options::default()
        },
        expect![[r#"
            P_1                   	T.10	1.0000
            P_2                   	T.10	1.0000
            utility_1,-0.5,-1,.25 	T.10	5.7500
            11pt_avg_1,.5         	T.10	1.0000
            ndcg_1=3.5,2=9        	T.10	1.0000
            ndcg_rel              	T.10	1.0000
            set_F_0.5             	T.10	0.7500
            P_1                   	T.2	0.0000
            P_2                   	T.2	0.0000
            utility_1,-0.5,-1,.25 	T.2	3.0000
            11pt_avg_1,.5         	T.2	0.3333
            ndcg_1=3.5,2=9        	T.2	0.4015
            ndcg_rel              	T.2	0.3801
            set_F_0.5             	T.2	0.3750
            P_1                   	all	0.5000
            P_2                   	all	0.5000
            utility_1,-0.5,-1,.25 	all	4.3750
            11pt_avg_1,.5         	all	0.6667
            ndcg_1=3.5,2=9        	all	0.7007
            ndcg_rel              	all	0.6900
            set_F_0.5             	all	0.5625
        "#]],
    );
}

#[test]
fn scores_are_equal_when_their_first_32_bits_are() {
    let options =
        Options { lines: Lines::Topics, measures: measures("relstring recip_rank"), ..Options::default() };
    let run = run("A Q0 a 1 0.10000000001 t\nA Q0 b 2 0.1 t\nA Q0 c 3 1e300 t\nA Q0 d 4 1e301 t\n");
    let text = report(&run, &qrels("A 0 a 0\nA 0 b 3\nA 0 c 12\n"), &options).unwrap();
    assert_eq!(text, "recip_rank            \tA\t0.5000\nrelstring             \tA\t'->30'\n");
}

#[test]
fn nothing_is_printed_for_no_summary_and_no_topics() {
    check(&Options { lines: Lines::Nothing, ..Options::default() }, expect![[""]]);
}

#[test]
fn where_there_is_no_report() {
    let options = Options::default();
    let none = report(&run("X Q0 a 1 1 t\n"), &qrels(QRELS), &options).unwrap_err();
    assert_eq!(none.to_string(), "no topic has both results in run and judgments in qrels");
    let twice = run("T.2 Q0 a 1 1 t\nT.2 Q0 a 2 0.5 t\n");
    assert!(matches!(report(&twice, &qrels(QRELS), &options), Err(TrecError::Duplicate(_))));
    // Nobody looks at topics without judgments.
    let elsewhere = run("X Q0 a 1 1 t\nX Q0 a 2 0.5 t\nT.2 Q0 a 1 1 t\n");
    assert!(report(&elsewhere, &qrels(QRELS), &options).is_ok());
}

#[test]
fn what_was_published_for_runs_of_2020() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let judged = data.join("arqmath-mini/official/task1_2020.qrels");
    let runs = data.join("runs/task1-2020");
    if !judged.is_file() || !runs.is_dir() {
        return testkit::skip("the runs of 2020 are not there");
    }
    let judged = Qrels::read(Source::bytes("qrels", std::fs::read(judged).unwrap()), Scale::Plain).unwrap().0;
    let official = Options { level: 2, ..Options::default() };
    let per_topic =
        Options { lines: Lines::TopicsAndSummary, measures: measures("ndcg"), ..Options::default() };
    for (rows, published, options) in [
        ("dprl-a3", "DPRL_task1_auto_both_A3.trec_eval", &official),
        ("mirmu-ensemble", "prim_MIRMU-task1-Ensemble-auto-both-A.trec_eval", &official),
        ("mathdowsers-alpha05", "prim_MathDowsers-task1-alpha05noReRank-auto-both-A.trec_eval", &official),
        ("zbmath", "prim_zbMATH-task1-auto-both-P.trec_eval", &official),
        ("mathdowsers-alpha05", "mathdowsers-alpha05.trec_eval-per-topic", &per_topic),
    ] {
        let rows = std::fs::read(runs.join(format!("{rows}.tsv"))).unwrap();
        let run = Run::read(Source::bytes("run", rows), RunKind::Documents).unwrap();
        let expected = std::fs::read_to_string(runs.join(format!("{published}.txt"))).unwrap();
        assert!(report(&run, &judged, options).unwrap() == expected, "{published}");
    }
}
