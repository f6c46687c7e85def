//! Our reading of LaTeX against the labs' operator trees, on the real data if it is there.
//!
//! A difference is put into the class of the first two nodes, from the top, that are not the same. The table
//! of classes goes to the file that `HYPATIA_REPORT` names.

use formula::opt::content::{ContentReader, Reading, fold_italics};
use formula::opt::labs::LabsOpt;
use formula::opt::{Opt, OptId};
use formula::slt::{LatexToSlt, Slt};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// How many examples of each class are reported.
const SHOWN: usize = 100;

#[derive(Default)]
struct Ours {
    reader: latex::Reader,
    to_slt: LatexToSlt,
    slt: Slt,
    labs: LabsOpt,
}

impl Ours {
    fn tree(&mut self, latex: &str) -> Opt {
        let parse = self.reader.read(latex.as_bytes(), latex::Mode::Document);
        self.to_slt.read(&parse.tree, &mut self.slt);
        let mut opt = Opt::default();
        self.labs.read_typed(&self.slt, latex, &mut opt);
        fold_italics(&mut opt);
        opt
    }
}

/// Equal trees of all, and the differences by class.
#[derive(Default)]
struct Agreement {
    equal: usize,
    all: usize,
    classes: BTreeMap<String, Vec<(String, String, String)>>,
}

impl Agreement {
    fn note(&mut self, latex: &str, ours: &Opt, theirs: &Opt) {
        self.all += 1;
        match class(ours, theirs) {
            None => self.equal += 1,
            Some(class) => {
                let example = (latex.to_owned(), ours.to_string(), theirs.to_string());
                self.classes.entry(class).or_default().push(example);
            }
        }
    }

    fn share(&self) -> f64 {
        self.equal as f64 / self.all.max(1) as f64
    }

    fn report(&self, name: &str, out: &mut String) {
        let _ =
            writeln!(out, "{name}: {} of {} equal ({:.2} %)\n", self.equal, self.all, 100.0 * self.share());
        let mut classes: Vec<_> = self.classes.iter().collect();
        classes.sort_by_key(|(_, examples)| std::cmp::Reverse(examples.len()));
        for (class, mut examples) in classes.into_iter().map(|(class, examples)| (class, examples.clone())) {
            let _ = writeln!(out, "{} {class}", examples.len());
            examples.sort_by_key(|(latex, ..)| latex.len());
            for (latex, ours, theirs) in examples.iter().take(SHOWN) {
                let _ = writeln!(out, "    {latex}\n        we   {ours}\n        they {theirs}");
            }
        }
    }
}

/// The first two nodes that differ; `None` if there are none.
fn class(ours: &Opt, theirs: &Opt) -> Option<String> {
    let mut pairs: Vec<(Option<OptId>, Option<OptId>)> = vec![(ours.root(), theirs.root())];
    while let Some((our, their)) = pairs.pop() {
        let (Some(our), Some(their)) = (our, their) else { return Some("nothing".to_owned()) };
        let counts = (ours.children(our).count(), theirs.children(their).count());
        if ours.tag(our) != theirs.tag(their) {
            return Some(format!("{} for {}", kind(ours.tag(our)), kind(theirs.tag(their))));
        }
        if counts.0 != counts.1 {
            return Some(format!("number of operands of {}", kind(ours.tag(our))));
        }
        let both: Vec<_> = ours.children(our).zip(theirs.children(their)).collect();
        pairs.extend(both.into_iter().rev().map(|(our, their)| (Some(our), Some(their))));
    }
    None
}

/// A tag without the letters of names and numbers.
fn kind(tag: &str) -> String {
    match tag.get(..2) {
        Some(prefix @ ("V!" | "N!" | "T!" | "-!"))
            if tag.chars().all(|c| c.is_alphanumeric() || c == '!') =>
        {
            prefix.to_owned()
        }
        Some("M!") => tag.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x').to_owned(),
        _ => tag.to_owned(),
    }
}

#[test]
fn trees_agree_with_the_labs() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let mut ours = Ours::default();
    let mut report = String::new();

    let mut queries = Agreement::default();
    for row in testkit::read_tsv(&data.join("arqmath1-pool/queries.tsv")) {
        // One string is quoted twice.
        let text = row["opt"].trim_matches(['\\', '"']).replace("\\\"", "\"").replace("\"\"", "\"");
        let Ok(mut theirs) = Opt::read(&text) else { panic!("{text}") };
        fold_italics(&mut theirs);
        queries.note(&row["latex"], &ours.tree(&row["latex"]), &theirs);
    }
    queries.report("Official strings of queries", &mut report);

    let mut latex: HashMap<String, String> = HashMap::new();
    for mut row in testkit::read_tsv(&data.join("arqmath-mini/latex_representation.tsv")) {
        let (Some(id), Some(formula)) = (row.remove("visual_id"), row.remove("formula")) else { continue };
        latex.entry(id).or_insert(formula);
    }
    let mut formulas = Agreement::default();
    let mut labs = ContentReader::new(Reading::Labs);
    let mut theirs = Opt::default();
    for row in testkit::read_tsv(&data.join("arqmath-mini/opt_representation.tsv")) {
        let Some(latex) = latex.get(&row["visual_id"]) else { continue };
        labs.read(&row["content_mathml"], &mut theirs).expect("the table holds Content MathML");
        fold_italics(&mut theirs);
        formulas.note(latex, &ours.tree(latex), &theirs);
    }
    formulas.report("\nFormulas by LaTeXML", &mut report);

    if let Some(path) = std::env::var_os("HYPATIA_REPORT") {
        std::fs::write(path, &report).unwrap();
    }
    eprintln!("queries {:.4}, formulas {:.4}", queries.share(), formulas.share());
    assert!(formulas.share() >= 0.85, "formulas: {:.4}", formulas.share());
    assert!(queries.share() >= 0.85, "queries: {:.4}", queries.share());
}
