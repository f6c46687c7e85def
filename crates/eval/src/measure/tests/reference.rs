//! Values as other tools give them.

use crate::measure::testing::{check, measure, score, topic};
use crate::{Aggregate, Ranked};

/// Topics with values by trec_eval 9 (through pytrec_eval 0.5.11), and for
/// RBP, ERR, exponential gains and Judged by cwl_eval, gdeval and ir_measures.
const REFERENCE: &str = include_str!("../../../test_data/reference.tsv");

#[test]
fn values_are_those_of_other_tools() {
    assert!(compare(REFERENCE) > 800);
}

/// Compares every value in a table, and counts them.
fn compare(table: &str) -> usize {
    let mut count = 0;
    for line in table.lines() {
        let mut columns = line.split('\t');
        let (qrels, order) = (columns.next().unwrap(), columns.next().unwrap());
        for pair in columns.next().unwrap().split(' ') {
            let (name, value) = pair.rsplit_once('=').unwrap();
            let mut expected: f64 = value.parse().unwrap();
            if expected.is_nan() {
                expected = 0.0; // Interpolated precision of an empty list.
            }
            let mut found = score(name, qrels, order);
            if measure(name).aggregate() == Aggregate::GeometricMean {
                found = Aggregate::GeometricMean.of(&[found]);
            }
            // gdeval prints five digits.
            let exponential = name.starts_with("ERR") || name.contains("gain=exp");
            let tolerance = if exponential { 5.1e-6 } else { 1e-12 };
            assert!(
                (found - expected).abs() <= tolerance,
                "{qrels}\n{order}\n{name}: {found}, not {expected}"
            );
            assert_eq!(measure(name).to_string().parse(), Ok(measure(name)));
            count += 1;
        }
    }
    count
}

/// Qrels, order, then nDCG and at level 2 AP, P@10, bpref, Rprec, RR.
type Row<'a> = (&'a str, &'a str, [f64; 6]);

fn check_rows(names: [&str; 6], rows: &[Row<'_>]) {
    for (qrels, order, values) in rows {
        for (name, value) in names.iter().zip(values) {
            check(name, qrels, order, *value);
        }
    }
}

#[test]
fn single_measures() {
    let twelve = "d00:2 d01:0 d02:2 d03:2 d04:0 d05:0 d06:0 d07:0 d08:0 d09:2 d10:2 d11:2";
    let twelve_in_order = "d00 d01 d02 d03 d04 d05 d06 d07 d08 d09 d10 d11";
    check_rows(
        ["nDCG", "AP(rel=2)", "P(rel=2)@10", "bpref(rel=2)", "Rprec(rel=2)", "RR(rel=2)"],
        &[
            ("a:3 b:0", "b a", [0.630930, 0.5, 0.1, 0.0, 0.0, 0.5]),
            ("a:1", "a", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ("a:0 b:0", "a b", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ("a:3 b:2 c:1", "b c", [0.552500, 0.5, 0.1, 0.5, 0.5, 1.0]),
            ("a:1 b:0 c:3 d:0 e:2 f:3", "a b c d e", [0.517707, 0.244444, 0.2, 0.111111, 0.333333, 0.333333]),
            (twelve, twelve_in_order, [0.837883, 0.628535, 0.4, 0.444444, 0.5, 1.0]),
            ("a:2 b:0 c:3 d:0 e:2 f:0 g:0", "b a x c d e", [0.620751, 0.5, 0.3, 0.555556, 0.333333, 0.5]),
            ("a:2 b:2 c:2 d:0", "d a b c", [0.732829, 0.638889, 0.3, 0.0, 0.666667, 0.5]),
            ("a:2 b:0 c:0", "a b", [1.0, 1.0, 0.1, 1.0, 1.0, 1.0]),
            ("a:2 b:2", "x b a", [0.693426, 0.583333, 0.2, 1.0, 0.5, 0.5]),
        ],
    );
}

#[test]
fn judged_results_only() {
    check_rows(
        ["nDCG'", "AP'(rel=2)", "P'(rel=2)@10", "bpref(rel=2)", "Rprec'(rel=2)", "RR'(rel=2)"],
        &[
            (
                "d1:3 d2:2 d3:1 d4:0 d5:3",
                "d2 d9 d1 d4 d3",
                [0.683718, 0.666667, 0.2, 0.666667, 0.666667, 1.0],
            ),
            // A tie of the first three, in descending order of their ids.
            ("d1:3 d2:0 d3:2 d4:1", "d3 d2 d1 d4", [0.825450, 0.833333, 0.2, 0.75, 0.5, 1.0]),
            ("d1:1 d2:0 d3:2", "d2 d1", [0.239812, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ("d1:3 d2:2 d3:1 d4:0", "d1 d2 d3 d4", [1.0, 1.0, 0.2, 1.0, 1.0, 1.0]),
            ("a:0 b:0 c:2 d:3 e:0 f:2", "a c b e d", [0.460373, 0.3, 0.2, 0.222222, 0.333333, 0.5]),
            (
                "v1:3 v2:3 v3:2 v4:1 v5:0 v6:0 v7:2",
                "v5 v1 v4 v3 v6 v2",
                [0.605345, 0.375, 0.3, 0.25, 0.5, 0.5],
            ),
        ],
    );
    let (qrels, order) = ("d1:3 d2:2 d3:1 d4:0 d5:3", "d2 d9 d1 d4 d3");
    assert_eq!(format!("{:.4}", score("nDCG", qrels, order)), "0.6147");
    assert_eq!(format!("{:.4}", score("AP(rel=2)", qrels, order)), "0.5556");
}

#[test]
fn ties_by_score_width_and_by_id() {
    // Scores 0.10000000001 and 0.1 tie as 32-bit numbers, and b comes first.
    check("RR", "a:0 b:3", "b a", 1.0);
    check("RR", "a:0 b:3", "a b", 0.5);
    // Ids descend as strings: 9, 100, 10.
    check("RR", "9:3 10:0 100:0", "9 100 10", 1.0);
    check("nDCG", "9:3 10:0 100:0", "9 100 10", 1.0);
}

#[test]
fn ranks_of_known_items() {
    let values = ["a x y z", "x y z a", "x y"].map(|order| score("RR", "a:1", order));
    assert!((Aggregate::Mean.of(&values) - 0.416667).abs() < 5e-7);
}

#[test]
fn formulas_by_their_visual_ids() {
    check("nDCG'", "10:3 9:2 30:0 55:2", "10 77 9 30", 0.809953);
    check("AP'(rel=2)", "10:3 9:2 30:0 55:2", "10 77 9 30", 0.666667);
    check("nDCG'", "10:3 30:2 9:0 55:2", "10 77 9 30", 0.760188);
    check("AP'(rel=2)", "10:3 30:2 9:0 55:2", "10 77 9 30", 0.555556);
}

/// As printed by trec_eval 9.0.4 with `-l`.
#[test]
fn levels_at_and_beyond_the_grades() {
    let (qrels, order) = ("a:2 b:0 c:0 d:1 e:-1", "b x e a");
    let names = ["AP", "Rprec", "bpref", "RR", "P@3", "infAP", "11ptAvg", "SetF", "NumRel", "NumRelRet"];
    let at_0 = [0.375, 0.5, 0.5, 1.0, 0.3333, 0.4375, 0.4091, 0.5, 4.0, 2.0];
    for (name, expected) in names.iter().zip(at_0) {
        let (verdicts, pool) = topic(qrels, order);
        let ranked = Ranked { grades: &verdicts, judged: &pool };
        let found = measure(name).at_level(0).score(ranked);
        assert!((found - expected).abs() < 5e-5, "{name}: {found}, not {expected}");
        assert_eq!(measure(name).at_level(5).score(ranked), 0.0, "{name}");
    }
    check("NumNonRelJudgedRet(rel=0)", qrels, order, 0.0);
    check("NumNonRelJudgedRet(rel=5)", qrels, order, 2.0);
}

/// As printed by trec_eval 9.0.4.
#[test]
fn geometric_means_and_tables_of_gains() {
    let topics = [("a:1 b:1", "a x b"), ("a:1", "x")];
    let total = |name| {
        let values = topics.map(|(qrels, order)| score(name, qrels, order));
        format!("{:.4}", measure(name).aggregate().of(&values))
    };
    assert_eq!([total("GMAP"), total("GMbpref"), total("AP")], ["0.0029", "0.0032", "0.4167"]);
    assert_eq!([total("SetF(beta=2)"), total("NumRel")], ["0.4286", "3.0000"]);
    let (qrels, order) = ("a:2 b:0 c:0 d:1 e:-1", "b x e a");
    assert_eq!(format!("{:.4}", score("ndcg.1=3.5,2=9", qrels, order)), "0.3458");
    assert_eq!(format!("{:.4}", score("ndcg.0=-1", qrels, order)), "-0.0527");
}
