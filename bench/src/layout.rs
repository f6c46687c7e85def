//! How often layout trees from LaTeX equal those from LaTeXML's MathML, and why not.

use formula::mathml::{MathmlReader, Reading};
use formula::slt::{LatexToSlt, Slt};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Compares the distinct formulas of `arqmath-mini`'s posts and prints each class of difference with examples.
pub(crate) fn agreement() {
    let Some(dir) = testkit::data_dir() else {
        return testkit::skip("no data folder, so nothing to compare");
    };
    let latex = testkit::read_tsv(&dir.join("arqmath-mini/latex_representation.tsv"));
    let mathml: HashMap<String, String> = testkit::read_tsv(&dir.join("arqmath-mini/slt_representation.tsv"))
        .into_iter()
        .map(|mut row| (row.remove("id").unwrap_or_default(), row.remove("formula").unwrap_or_default()))
        .collect();
    let mut seen = HashSet::new();
    let mut reader = latex::Reader::default();
    let mut mathml_reader = MathmlReader::new(Reading::Labs);
    let mut to_slt = LatexToSlt::default();
    let (mut ours, mut theirs) = (Slt::default(), Slt::default());
    let (mut compared, mut same, mut left_out) = (0usize, 0usize, 0usize);
    let mut classes: BTreeMap<&str, Vec<[String; 3]>> = BTreeMap::new();
    let official = official_strings(&dir.join("arqmath1-pool/pool.tsv"));
    let (mut with_official, mut as_official) = (0usize, 0usize);
    for row in &latex {
        if row["type"] == "comment" || !seen.insert(row["visual_id"].clone()) {
            continue;
        }
        if let Some(official) = official.get(&row["visual_id"]) {
            to_slt.read(&reader.read(row["formula"].as_bytes(), latex::Mode::Document).tree, &mut ours);
            with_official += 1;
            as_official += usize::from(ours.to_string() == *official);
        }
        let their_mathml = mathml.get(&row["id"]).map_or("", String::as_str);
        let read = mathml_reader.read(their_mathml, &mut theirs).is_ok();
        if !read || theirs.has_error_node() || their_mathml.contains("<merror") {
            left_out += 1;
            continue;
        }
        compared += 1;
        let source = &row["formula"];
        to_slt.read(&reader.read(source.as_bytes(), latex::Mode::Document).tree, &mut ours);
        let (ours, theirs) = (ours.to_string(), theirs.to_string());
        if ours == theirs {
            same += 1;
        } else {
            let class = class(source, &ours, &theirs);
            classes.entry(class).or_default().push([source.clone(), ours, theirs]);
        }
    }
    let share = 100.0 * same as f64 / compared as f64;
    println!(
        "{compared} distinct formulas compared, {left_out} left out (no MathML, or an error node in it)"
    );
    println!("{same} the same: {share:.2} %");
    println!("{as_official} of {with_official} as the official string of the same visual id in the pool");
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|(name, examples)| (std::cmp::Reverse(examples.len()), *name));
    for (name, mut examples) in classes {
        println!("{:>5}  {name}", examples.len());
        examples.sort_by_key(|[source, ..]| source.len());
        for [source, ours, theirs] in examples.iter().take(3) {
            println!("         {}", shortened(source));
            println!("           ours {}", shortened(ours));
            println!("           labs {}", shortened(theirs));
        }
    }
}

/// The labs' own strings by visual id, repaired.
fn official_strings(pool: &std::path::Path) -> HashMap<String, String> {
    testkit::read_tsv(pool)
        .into_iter()
        .filter_map(|mut row| {
            let slt = Slt::read_repaired(&row["slt"]).ok()?;
            Some((row.remove("visual_id")?, slt.to_string()))
        })
        .collect()
}

fn shortened(text: &str) -> String {
    let cut: String = text.chars().take(110).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

/// Why the two trees differ, as far as it can be told from outside.
fn class(source: &str, ours: &str, theirs: &str) -> &'static str {
    let taken_apart = ["V!&", "V!a[V!m[V!p", "V!g[V!t[;", "V!l[V!t[;"];
    if taken_apart.iter().any(|letters| theirs.contains(letters)) {
        return "labs: an HTML escape (&lt; &amp; &#39;) read as letters";
    }
    if theirs.contains("qvar_") {
        return "labs: a typed ? read as a wildcard with what follows";
    }
    if ["\\par", "\\end{document}", "\\@@"].iter().any(|leak| source.contains(leak)) {
        return "labs: leaked from the next formula of a batch";
    }
    if theirs.contains('\u{338}') && without_strokes(ours) == without_strokes(theirs) {
        return "labs: a negated sign as two characters";
    }
    if !source.is_ascii() {
        return "labs: an operator typed as a character read as a letter";
    }
    if theirs.contains("T!") && theirs.contains('\u{2062}') || source.starts_with('$') {
        return "labs: a formula inside text flattened to letters";
    }
    if source.starts_with("\\ ") || source.starts_with("\\,") || source.starts_with("\\;") {
        return "labs: scripts lost after a leading space";
    }
    if beside(ours) == beside(theirs) {
        return "either: limits beside or below (display style not known)";
    }
    if ours.contains('⨁') || ours.contains('⨆') || ours.contains('⨂') {
        return "labs: big operators of an older LaTeXML";
    }
    if letter_d(ours) == letter_d(theirs) {
        return "ours: the d of an integral as operator or letter";
    }
    if ["|", "\\|", "\\mid", "vert"].iter().any(|bar| source.contains(bar)) {
        return "ours: vertical bars paired or not";
    }
    "other"
}

/// The string with negated signs reduced to plain ones, however they are spelled.
fn without_strokes(string: &str) -> String {
    let plain = |c| match c {
        '≁' => '∼',
        '∤' => '∣',
        '≠' => '=',
        '∉' => '∈',
        '≢' => '≡',
        '⊄' => '⊂',
        '≯' => '>',
        '≮' => '<',
        c => c,
    };
    string.chars().filter(|&c| c != '\u{338}').map(plain).collect()
}

fn beside(string: &str) -> String {
    string.replace(",u[", ",b[").replace(",o[", ",a[")
}

fn letter_d(string: &str) -> String {
    string.replace("[𝑑", "[V!d").replace("[d[", "[V!d[")
}
