//! How many real formulas are read with an error, where the real data is there.

use latex::{Kind, Mode, Reader, Tree};
use std::collections::BTreeSet;
use std::path::Path;

/// The share of formulas that are read with an error.
fn share_with_errors<'s>(formulas: impl Iterator<Item = &'s str>) -> f64 {
    let mut reader = Reader::default();
    let (mut all, mut wrong) = (0u32, 0u32);
    for formula in formulas {
        all += 1;
        wrong += u32::from(reader.read(formula.as_bytes(), Mode::Document).has_errors());
    }
    f64::from(wrong) / f64::from(all)
}

/// Whether something is left that a converter and not a person wrote: the letters of `&amp;`, a command's
/// inner name.
fn has_debris(tree: &Tree) -> bool {
    let mut letters = String::new();
    for node in tree.nodes() {
        match node.kind {
            Kind::Symbol { text, .. } | Kind::Opaque { text, .. } => tree.push_text(text, &mut letters),
            Kind::Space(_) | Kind::StyleSwitch(_) => {}
            _ => letters.push(' '),
        }
    }
    letters.contains("amp;") || letters.contains("\\@") || letters.contains("\\lx@")
}

fn read_formulas(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn most_real_formulas_are_read_without_an_error() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    for (file, most) in [("formulas/nlab.txt", 0.005), ("formulas/stacks.txt", 0.05)] {
        let formulas = read_formulas(&data.join(file));
        let share = share_with_errors(formulas.lines());
        assert!(share < most, "{file}: {:.3} % with an error", 100.0 * share);
    }
}

#[test]
fn nothing_is_left_of_a_converters_inner_names() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let rows = testkit::read_tsv(&data.join("arqmath-mini/latex_representation.tsv"));
    let formulas: BTreeSet<&str> =
        rows.iter().filter_map(|row| row.get("formula")).map(String::as_str).collect();
    let share = share_with_errors(formulas.iter().copied());
    assert!(share < 0.004, "{:.3} % with an error", 100.0 * share);
    let with_debris: Vec<&&str> =
        formulas.iter().filter(|formula| has_debris(&latex::parse(formula).tree)).collect();
    assert!(with_debris.is_empty(), "{}: {:?}", with_debris.len(), with_debris.first());
}
