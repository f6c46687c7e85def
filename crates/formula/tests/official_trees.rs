//! Our trees against the labs' strings, on the real data if it is there.

use formula::mathml::{MathmlError, MathmlReader, Reading};
use formula::slt::Slt;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn pooled_formulas_have_the_labs_strings() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let official: BTreeMap<String, String> = testkit::read_tsv(&data.join("arqmath1-pool/pool.tsv"))
        .into_iter()
        .map(|mut row| (row.remove("visual_id").unwrap(), row.remove("slt").unwrap()))
        .collect();
    let mut slt = Slt::default();
    let mut reader = MathmlReader::new(Reading::Labs);
    let mut compared = BTreeSet::new();
    for row in testkit::read_tsv(&data.join("arqmath-mini/slt_representation.tsv")) {
        match reader.read(&row["formula"], &mut slt) {
            Ok(_) => assert!(slt.root().is_some(), "{}", row["formula"]),
            // The only failures are empty cells.
            Err(error) => {
                assert_eq!((error, row["formula"].as_str()), (MathmlError::NoMathml, ""));
                continue;
            }
        }
        if let Some(string) = official.get(&row["visual_id"]) {
            let expected = Slt::read_repaired(string).unwrap();
            slt.repair();
            assert_eq!(slt.to_string(), expected.to_string(), "formula {}", row["id"]);
            compared.insert(row["visual_id"].clone());
        }
    }
    assert_eq!(compared.len(), 225);
}

#[test]
fn all_pooled_strings_can_be_read() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let rows = testkit::read_tsv(&data.join("arqmath1-pool/pool.tsv"));
    let mut repaired = 0;
    for row in rows.iter().filter(|row| !row["slt"].is_empty()) {
        let slt = Slt::read_repaired(&row["slt"]).unwrap();
        repaired += usize::from(slt.to_string() != row["slt"]);
    }
    // 284 with `<` or `>`, others with `&`, primes and quotes.
    assert!(repaired >= 284, "{repaired}");
}
