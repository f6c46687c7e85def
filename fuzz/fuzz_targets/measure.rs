//! Lists of measures from any text, applied to any ranking: names are stable, values are numbers.
//!
//! The first line is the list; the bytes behind it are a ranking and what else was judged.
#![no_main]

use eval::{Measure, Pool, Ranked, Verdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let Ok(list) = std::str::from_utf8(&bytes[..end]) else { return };
    let Ok(measures) = Measure::parse_list(list) else { return };
    let rest = bytes.get(end + 1..).unwrap_or_default();
    let (returned, missed) = rest.split_at(rest.len() - rest.len() / 3);
    let verdicts: Vec<Verdict> = returned.iter().map(|byte| verdict(*byte)).collect();
    let grades = verdicts.iter().filter_map(|verdict| verdict.grade());
    let grades = grades.chain(missed.iter().filter_map(|byte| verdict(*byte).grade())).collect();
    let pool = Pool::new(grades);
    for measure in measures.iter().take(50) {
        let printed = measure.to_string();
        assert_eq!(printed.parse::<Measure>().as_ref(), Ok(measure), "{printed}");
        let ranked = Ranked { verdicts: &verdicts, pool: &pool };
        let value = measure.score(ranked);
        assert!(value.is_finite(), "{printed} = {value}");
        assert!(measure.highest(&pool).is_finite(), "{printed}");
        assert!(measure.residual(ranked).is_none_or(f64::is_finite), "{printed}");
        assert!(measure.random_order_expectation(&pool).is_none_or(f64::is_finite), "{printed}");
        assert!(measure.aggregate().of(&[value, 0.0, value]).is_finite(), "{printed}");
        let _ = measure.trec_name();
        let _ = measure.clone().judged_only().at_level(2).to_string().parse::<Measure>().expect(&printed);
    }
});

fn verdict(byte: u8) -> Verdict {
    match byte {
        b'a'..=b'z' => Verdict::UNJUDGED,
        b'-' => Verdict::POOLED,
        0xFF => Verdict::graded(i32::MAX),
        0x80..0xFF => Verdict::graded(1 << (byte & 31).min(30)),
        _ => Verdict::graded(i32::from(byte & 7)),
    }
}
