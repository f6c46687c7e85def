//! What holds for every ranking.

use super::MANY;
use crate::measure::testing::measure;
use crate::{Aggregate, JudgedGrades, Ranked, ResultGrade};
use proptest::prelude::*;

/// Results and items that were not returned; −2 is outside of the pool.
fn ranking() -> impl Strategy<Value = (Vec<ResultGrade>, JudgedGrades)> {
    let grades = prop::collection::vec(-2..4i32, 0..30);
    (grades, prop::collection::vec(0..4i32, 0..10)).prop_map(|(results, missing)| {
        let pool = JudgedGrades::new(results.iter().chain(&missing).copied().collect());
        (results.into_iter().map(verdict).collect(), pool)
    })
}

fn verdict(grade: i32) -> ResultGrade {
    if grade == -2 { ResultGrade::UNJUDGED } else { ResultGrade::graded(grade) }
}

fn score(name: &str, verdicts: &[ResultGrade], pool: &JudgedGrades) -> f64 {
    measure(name).score(Ranked { grades: verdicts, judged: pool })
}

fn judged(verdicts: &[ResultGrade]) -> Vec<ResultGrade> {
    verdicts.iter().copied().filter(|verdict| verdict.is_judged()).collect()
}

proptest! {
    #[test]
    fn values_lie_between_0_and_the_highest((verdicts, pool) in ranking()) {
        for name in MANY.split_whitespace().filter(|name| !name.contains("gains")) {
            let value = score(name, &verdicts, &pool);
            prop_assert!(value >= 0.0, "{name}: {value}");
            let measure = measure(name);
            if measure.aggregate() != Aggregate::Sum {
                prop_assert!(value <= measure.highest(&pool) + 1e-12, "{name}: {value}");
                prop_assert!(measure.highest(&pool) <= 1.0 + 1e-12 || name.starts_with("DCG"));
            }
        }
    }

    #[test]
    fn never_nan(
        results in prop::collection::vec(prop_oneof![-2..4i32, any::<i32>()], 0..12),
        pool in prop::collection::vec(prop_oneof![-2..4i32, any::<i32>()], 0..12),
    ) {
        // The pool need not hold the results' grades: even then values are numbers.
        let verdicts: Vec<_> = results.into_iter().map(verdict).collect();
        let pool = JudgedGrades::new(pool);
        for name in MANY.split_whitespace() {
            let measure = measure(name);
            prop_assert!(score(name, &verdicts, &pool).is_finite(), "{name}");
            prop_assert!(measure.highest(&pool).is_finite(), "{name}");
            prop_assert!(measure.random_order_expectation(&pool).is_none_or(f64::is_finite), "{name}");
            let residual = measure.residual(Ranked { grades: &verdicts, judged: &pool });
            prop_assert!(residual.is_none_or(f64::is_finite), "{name}");
        }
    }

    #[test]
    fn removing_unjudged_results_twice_is_removing_them_once((verdicts, pool) in ranking()) {
        let once = judged(&verdicts);
        for name in MANY.split_whitespace().filter(|name| name.contains('\'')) {
            let measure = measure(name);
            let ranked = Ranked { grades: &once, judged: &pool };
            prop_assert_eq!(measure.score(ranked), score(name, &verdicts, &pool));
            prop_assert_eq!(measure.score_filtered(ranked), measure.score(ranked));
        }
    }

    #[test]
    fn bpref_passes_over_unjudged_results((mut verdicts, pool) in ranking(), place in 0..30usize) {
        let before = score("bpref", &verdicts, &pool);
        verdicts.insert(place.min(verdicts.len()), ResultGrade::UNJUDGED);
        prop_assert_eq!(score("bpref", &verdicts, &pool), before);
    }

    #[test]
    fn precision_is_bounded_by_the_relevant_items((verdicts, pool) in ranking(), level in 0..5i32) {
        let bound = pool.num_relevant(level).min(10) as f64 / 10.0;
        let value = score(&format!("P(rel={level})@10"), &verdicts, &pool);
        prop_assert!(value <= bound);
    }

    #[test]
    fn ndcg_is_1_only_for_the_ideal_ranking((verdicts, pool) in ranking()) {
        let judged = judged(&verdicts);
        let descends = judged.windows(2).all(|pair| pair[0].grade() >= pair[1].grade());
        let found = judged.iter().filter(|verdict| verdict.is_relevant(1)).count();
        let is_ideal = descends && found == pool.num_relevant(1) && found > 0;
        prop_assert_eq!((score("nDCG'", &verdicts, &pool) - 1.0).abs() < 1e-12, is_ideal);
    }

    #[test]
    fn the_residual_bounds_what_judging_more_can_add((verdicts, pool) in ranking()) {
        let ranked = Ranked { grades: &verdicts, judged: &pool };
        let rbp = measure("RBP(p=0.8)");
        let all_good: Vec<_> =
            verdicts.iter().map(|v| if v.is_judged() { *v } else { ResultGrade::graded(1) }).collect();
        let added = score("RBP(p=0.8)", &all_good, &pool) - rbp.score(ranked);
        let tail = 0.8f64.powf(verdicts.len() as f64);
        prop_assert!((rbp.residual(ranked).unwrap() - added - tail).abs() < 1e-12);
    }
}
