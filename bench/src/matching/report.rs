//! How good the matcher is on everything judged that is here.

use super::data::{self, Reader};
use super::{measures, print_values};
use formula::identity::{Key, Keyer};
use formula::matching::{Matcher, Prepared, Weights};
use latex::Mode;
use std::path::Path;
use std::time::Instant;

pub(crate) fn report() {
    let Some(data) = testkit::data_dir() else {
        testkit::skip("no data folder: nothing to measure on");
        return;
    };
    let weights = Weights::default();
    let measures = measures();
    println!("{:32} nDCG'   MAP'    P'@10", "");
    for (name, mut topics) in [
        ("arqmath1-pool", data::pool(&data, &weights)),
        ("arqmath-mini 2020", data::mini(&data, "2020", &weights)),
        ("arqmath-mini 2021", data::mini(&data, "2021", &weights)),
    ] {
        let mut matcher = Matcher::new(weights.clone());
        let start = Instant::now();
        let mut pairs = 0;
        let values: Vec<_> = topics
            .iter_mut()
            .map(|topic| {
                let terms = topic.terms(&mut matcher, &weights);
                pairs += terms.len();
                topic.measure(&terms, &weights, &measures)
            })
            .collect();
        let seconds = start.elapsed().as_secs_f64();
        print_values(&format!("{name} ({})", values.len()), &values);
        println!("{:32} {pairs} pairs, {:.0} a second", "", pairs as f64 / seconds);
    }
    known_items(&data, &weights);
}

/// Mean reciprocal rank of the known items of NTCIR-11; what looks the same is the same.
fn known_items(data: &Path, weights: &Weights) {
    let lines = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(data.join("ntcir11-known-item").join(name)).unwrap_or_default();
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    };
    let mut reader = Reader::new(weights);
    let mut keyer = Keyer::default();
    let formulas = lines("formulas.tsv");
    let candidates: Vec<(Prepared, Key)> = formulas
        .iter()
        .map(|row| (reader.latex(&row[2], Mode::Document), keyer.key_of_tree(reader.slt())))
        .collect();
    let targets = lines("targets.tsv");
    let mut matcher = Matcher::new(weights.clone());
    let (mut sum, mut found_first, mut topics) = (0.0, 0, 0);
    for query in lines("queries.tsv") {
        let Some(target) = targets.iter().find(|target| target[0] == query[0]) else { continue };
        let numbers: Vec<&str> =
            target[2].split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
        let wanted: Vec<&Key> = formulas
            .iter()
            .zip(&candidates)
            .filter(|(row, _)| row[0] == target[1] && numbers.contains(&row[1].as_str()))
            .map(|(_, (_, key))| key)
            .collect();
        let prepared = reader.latex(&query[1], Mode::Query);
        let mut ranking: Vec<(f32, usize)> = candidates
            .iter()
            .enumerate()
            .map(|(place, (candidate, _))| (matcher.score(&prepared, candidate).value, place))
            .collect();
        ranking.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| (&formulas[b.1][0], b.1).cmp(&(&formulas[a.1][0], a.1)))
        });
        topics += 1;
        if let Some(rank) = ranking.iter().position(|(_, place)| wanted.contains(&&candidates[*place].1)) {
            sum += 1.0 / (rank as f64 + 1.0);
            found_first += usize::from(rank == 0);
        }
    }
    println!("ntcir11-known-item ({topics})  MRR {:.4}, {found_first} first", sum / f64::from(topics.max(1)));
}
