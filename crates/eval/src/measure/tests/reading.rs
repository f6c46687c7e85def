//! Names of measures, ours and others', and what is said of wrong ones.

use super::MANY;
use crate::measure::Measure;
use crate::measure::testing::measure;
use expect_test::{Expect, expect};
use proptest::prelude::*;

#[track_caller]
fn reads(text: &str, printed: &str) {
    assert_eq!(measure(text).to_string(), printed);
}

#[track_caller]
fn refuses(text: &str, message: Expect) {
    message.assert_eq(&text.parse::<Measure>().unwrap_err().to_string());
}

#[test]
fn what_is_printed_is_as_written() {
    for name in MANY.split_whitespace() {
        reads(name, name);
    }
}

#[test]
fn names_of_ir_measures() {
    reads("nDCG(judged_only=True)@10", "nDCG'@10");
    reads("AP(rel=2,judged_only=True)", "AP'(rel=2)");
    reads("AP(rel=2, judged_only=False)", "AP(rel=2)");
    reads("nDCG(dcg='exp-log2')@5", "nDCG(gain=exp)@5");
    reads("nDCG(dcg=log2)", "nDCG");
    reads("nDCG(gains={0: 0, 1: 1, 2: 3})", "nDCG(gains={2:3})");
    reads("NDCG(cutoff=10)", "nDCG@10");
    reads("Bpref(rel=2)", "bpref(rel=2)");
    reads("NumRet(rel=2)", "NumRelRet(rel=2)");
    reads("RBP(rel=1)", "RBP(p=0.8)");
    reads("IPrec(recall=0.1)", "IPrec@0.1");
    reads("MRR", "RR");
    reads("Precision@10", "P@10");
    reads("ERR@20", "ERR(max=4)@20");
}

#[test]
fn names_of_trec_eval() {
    reads("map", "AP");
    reads("ndcg_cut_10", "nDCG@10");
    reads("ndcg_cut.10", "nDCG@10");
    reads("ndcg.1=3.5,2=9", "nDCG(gains={1:3.5,2:9})");
    reads("P_10", "P@10");
    reads("P.10", "P@10");
    reads("recall_100", "R@100");
    reads("recip_rank", "RR");
    reads("success_5", "Success@5");
    reads("num_rel_ret", "NumRelRet");
    reads("iprec_at_recall_0.10", "IPrec@0.1");
    reads("11pt_avg", "11ptAvg");
    reads("set_P", "SetP");
    reads("set_F.0.5", "SetF(beta=0.5)");
    reads("Rprec_mult_0.20", "Rprec(mult=0.2)");
    reads("gm_map", "GMAP");
    reads("gm_bpref", "GMbpref");
    reads("R-prec", "Rprec");
    reads("nDCG′@10", "nDCG'@10");
}

#[test]
fn trec_eval_names_lead_back() {
    for text in MANY.split_whitespace() {
        let measure = measure(text).at_level(1);
        let name = measure.trec_name().filter(|_| text != "P@hit" && !measure.is_judged_only());
        if let Some(name) = name {
            assert_eq!(name.parse(), Ok(measure), "{name}");
        }
    }
    assert_eq!(measure("P@hit").trec_name().as_deref(), Some("set_P"));
    assert_eq!(measure("nDCG'@10").trec_name().as_deref(), Some("ndcg_cut_10"));
    assert_eq!(measure("RR@10").trec_name(), None);
}

#[test]
fn lists() {
    let printed =
        |text| Measure::parse_list(text).unwrap().iter().map(Measure::to_string).collect::<Vec<_>>();
    assert_eq!(printed("P.5,10"), ["P@5", "P@10"]);
    assert_eq!(
        printed("P_5 nDCG(gains={1:2,2:5})@10;11ptAvg"),
        ["P@5", "nDCG(gains={1:2,2:5})@10", "11ptAvg"]
    );
    assert_eq!(printed("ndcg.1=3,2=9 , map"), ["nDCG(gains={1:3,2:9})", "AP"]);
    assert_eq!(printed("ndcg_cut").len(), 9);
    assert_eq!(printed(" "), [""; 0]);
    assert!(Measure::parse_list("P.5,x").is_err());
    assert!(Measure::parse_list("10").is_err());
}

#[test]
fn the_mean_has_its_own_name() {
    assert_eq!(measure("AP'(rel=2)").mean_name(), "MAP'(rel=2)");
    assert_eq!(measure("RR@10").mean_name(), "MRR@10");
    assert_eq!(measure("nDCG'").mean_name(), "nDCG'");
}

#[test]
fn levels_and_primes_where_they_make_a_difference() {
    assert_eq!(measure("AP").at_level(2).judged_only().to_string(), "AP'(rel=2)");
    assert_eq!(measure("nDCG").at_level(2).to_string(), "nDCG");
    assert_eq!(measure("bpref").at_level(-1).judged_only().to_string(), "bpref(rel=0)");
    assert_eq!(Measure::precision(1, 10.try_into().unwrap()), measure("P@10"));
}

#[test]
fn wrong_names() {
    refuses(
        "ndgc@10",
        expect![[r#"
            there is no measure `ndgc` (did you mean nDCG?); known are nDCG, DCG, AP, P, R, Rprec, bpref, RR, Success, Judged, infAP, RBP, ERR, IPrec, 11ptAvg, SetP, SetR, SetF, SetAP, GMAP, GMbpref, NumQ, NumRet, NumRel, NumRelRet, NumNonRelJudgedRet"#]],
    );
    assert!(!"wxyzv".parse::<Measure>().unwrap_err().to_string().contains("did you mean"));
    assert!("".parse::<Measure>().is_err());
}

#[test]
fn parameters_without_effect() {
    refuses(
        "nDCG(rel=2)",
        expect!["`rel=2` has no effect on nDCG: it has no threshold: every grade counts with its gain"],
    );
    refuses("AP(p=0.5)", expect!["`p=0.5` has no effect on AP: it knows rel, @cutoff"]);
    refuses("bpref@10", expect!["`@10` has no effect on bpref: it knows rel"]);
    refuses("bpref'", expect!["`'` has no effect on bpref: it passes over unjudged results anyway"]);
    refuses("SetP@10", expect!["`@10` has no effect on SetP: it looks at everything returned"]);
    refuses("NumQ(x=1)", expect!["`x=1` has no effect on NumQ: it has no parameters"]);
    refuses("AP(rel=1,rel=2)", expect!["`rel=2` has no effect on AP: it is given twice"]);
}

#[test]
fn wrong_values_and_forms() {
    refuses("P", expect!["P needs a cutoff, as in P@10"]);
    refuses("IPrec", expect!["IPrec needs a cutoff, as in IPrec@0.1"]);
    refuses("P@0", expect!["`@0` of P should be a whole number of 1 or more"]);
    refuses("P(rel=-1)@5", expect!["`rel=-1` of P should be a grade of 0 or more"]);
    refuses("RBP(p=1.5)", expect!["`p=1.5` of RBP should be a number from 0 to 1"]);
    refuses("RBP(rel=1,max=3)", expect!["`max=3` of RBP should be only one of rel= and max="]);
    refuses("nDCG(gain=square)", expect!["`gain=square` of nDCG should be linear or exp"]);
    refuses("AP(rel=2", expect!["cannot read `(rel=2` in `AP(rel=2`: the parenthesis is not closed"]);
    refuses("AP(2)", expect!["cannot read `2` in `AP(2)`: a parameter is NAME=VALUE"]);
    refuses(
        "AP(rel=2)x",
        expect![
            "cannot read `x` in `AP(rel=2)x`: the form is NAME, then ', then (parameter=value), then @cutoff"
        ],
    );
}

/// Names with all their parameters; L, K, N and G stand for any level, cutoff, number, table.
const TEMPLATES: [&str; 30] = [
    "nDCG",
    "nDCG'@K",
    "nDCG(gain=exp)@K",
    "nDCG'(gains=G)",
    "DCG@K",
    "AP'(rel=L)@K",
    "P(rel=L)@K",
    "P'@hit",
    "R(rel=L)@K",
    "Rprec(rel=L,mult=N)",
    "bpref(rel=L)",
    "RR'(rel=L)@K",
    "Success(rel=L)@K",
    "Judged@K",
    "infAP(rel=L)",
    "RBP(p=N)",
    "RBP'(p=N,rel=L)@K",
    "RBP(p=N,max=3)",
    "ERR@K",
    "ERR'(max=5)",
    "IPrec(rel=L)@N",
    "11ptAvg(rel=L)",
    "SetP(rel=L)",
    "SetR(rel=L)",
    "SetF'(rel=L,beta=N)",
    "SetAP",
    "GMAP(rel=L)@K",
    "GMbpref(rel=L)",
    "NumRet(rel=L)",
    "NumNonRelJudgedRet(rel=L)",
];

proptest! {
    #[test]
    fn what_is_printed_can_be_read(
        template in 0..TEMPLATES.len(), level in 0..i32::MAX, cutoff in 1..usize::MAX,
        number in 0.0..1.0f64, gain in -1e9..1e9f64,
    ) {
        let text = TEMPLATES[template]
            .replace("=L", &format!("={level}"))
            .replace("@K", &format!("@{cutoff}"))
            .replace("=N", &format!("={number}"))
            .replace("@N", &format!("@{number}"))
            .replace("=G", &format!("={{0:{gain},{level}:7}}"));
        prop_assume!(!(text.contains("gains") && level == 0));
        let measure = measure(&text);
        prop_assert_eq!(measure.to_string().parse(), Ok(measure.clone()));
        prop_assert_eq!(measure.mean_name().parse(), Ok(measure.clone()));
        prop_assert_eq!(Measure::parse_list(&measure.to_string()), Ok(vec![measure]));
    }

    #[test]
    fn reading_never_panics(text in "[a-zA-Z0-9_.'′(){}=:,@ -]{0,20}|\\PC{0,20}") {
        let _ = text.parse::<Measure>();
        let _ = Measure::parse_list(&text);
    }
}
