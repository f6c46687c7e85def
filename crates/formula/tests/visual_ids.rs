//! Our identities against the official visual ids, on the real data if it is there.
//!
//! Items are the different LaTeX strings of `arqmath-mini`; a pair of them is the same officially if the two
//! share a visual id. Figures and classes of differences go to the file that `HYPATIA_REPORT` names.

use formula::identity::{Blanks, Formula, Key, Keyer, explain};
use formula::mathml::{MathmlReader, Reading, read_mathml};
use formula::slt::{Slt, from_latex};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn identities_agree_with_the_official_ids() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let collection = Collection::read(&data.join("arqmath-mini"));
    let look = collection.by_look();
    let labs = collection.by_labs_rule();
    let as_given = collection.official(Join::SameLatexAndMathml);
    let joined = collection.official(Join::SameMathmlWithoutAttributes);
    let readable = |pairs: &Pairs| -> Pairs {
        pairs.iter().copied().filter(|&(a, b)| collection.was_read(a) && collection.was_read(b)).collect()
    };
    let (clean, clean_look, clean_labs) = (readable(&joined), readable(&look), readable(&labs));
    let look_classes = collection.classes(&clean, &clean_look);
    let labs_classes = collection.classes(&clean, &clean_labs);
    // What is left when the classes in which the official ids are wrong are set aside.
    let judged = |classes: &Classes, ours: &Pairs| {
        let wrong = |side| -> usize {
            classes
                .iter()
                .filter(|(class, _)| class.0 == side && !class.2)
                .map(|(_, pairs)| pairs.len())
                .sum()
        };
        let both = clean.intersection(ours).count();
        Scores::of(both, both + wrong(Side::OnlyOurs), both + wrong(Side::OnlyOfficial))
    };
    let look_judged = judged(&look_classes, &clean_look);

    let mut report = String::from(
        "| truth | official pairs | our key from LaTeX | the labs' rule from MathML |\n| --- | --- | --- | --- |\n",
    );
    for (name, truth, ours, theirs) in [
        ("ids as given, joined where LaTeX and MathML are identical", &as_given, &look, &labs),
        ("ids joined where MathML is identical but for attributes", &joined, &look, &labs),
        ("the same, formulas with error nodes or LaTeXML debris left out", &clean, &clean_look, &clean_labs),
    ] {
        let scores = [ours, theirs].map(|pairs| Scores::between(pairs, truth));
        let _ = writeln!(report, "| {name} | {} | {} | {} |", truth.len(), scores[0], scores[1]);
    }
    let _ = writeln!(report, "| the same, after judging each class of differences | | {look_judged} | |");
    let apart = |pairs: &Pairs, others: &Pairs| {
        let aside = |&&(a, b): &&(usize, usize)| !collection.was_read(a) || !collection.was_read(b);
        pairs.difference(others).filter(aside).count()
    };
    let aside = (0..collection.items.len()).filter(|&item| !collection.was_read(item)).count();
    let _ = writeln!(
        report,
        "\nThe labs' tools could not read {aside} of {} formulas. Pairs with one of these that are the same \
         officially only: {}; by our key only: {}.",
        collection.items.len(),
        apart(&joined, &look),
        apart(&look, &joined),
    );
    for (name, classes) in
        [("Our key from LaTeX", &look_classes), ("The labs' rule from MathML", &labs_classes)]
    {
        let _ = write!(
            report,
            "\n{name}:\n\n| who says same | class | pairs | who is right | examples |\n| --- | --- | --- | --- | --- |\n"
        );
        let mut classes: Vec<_> = classes.iter().collect();
        classes.sort_by_key(|(_, pairs)| std::cmp::Reverse(pairs.len()));
        for (Class(side, class, ours_right), pairs) in classes {
            let class = class.replace('|', r"\|");
            let shown: Vec<String> = pairs.iter().take(3).map(|&pair| collection.show(pair)).collect();
            let who = if *ours_right { "not the official ids" } else { "open: counted as our error" };
            let side = if *side == Side::OnlyOurs { "only we" } else { "only the official ids" };
            let _ = writeln!(report, "| {side} | {class} | {} | {who} | {} |", pairs.len(), shown.join("; "));
        }
    }
    if let Some(path) = std::env::var_os("HYPATIA_REPORT") {
        std::fs::write(path, &report).unwrap();
    }
    let labs_joined = Scores::between(&labs, &joined);
    assert!(labs_joined.precision >= 0.98 && labs_joined.recall >= 0.95, "the labs' rule: {labs_joined}");
    assert!(look_judged.precision >= 0.98 && look_judged.recall >= 0.95, "our key: {look_judged}\n{report}");
}

/// Pairs of items, the lower number first.
type Pairs = BTreeSet<(usize, usize)>;

/// Which side alone says that a pair is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    OnlyOurs,
    OnlyOfficial,
}

/// A kind of difference, and whether it is the official id that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class(Side, String, bool);

type Classes = BTreeMap<Class, Vec<(usize, usize)>>;

/// When two official ids are one.
#[derive(Clone, Copy, PartialEq)]
enum Join {
    SameLatexAndMathml,
    SameMathmlWithoutAttributes,
}

#[derive(Clone, Copy)]
struct Scores {
    precision: f64,
    recall: f64,
}

impl Scores {
    fn of(both: usize, ours: usize, official: usize) -> Self {
        Self { precision: both as f64 / ours as f64, recall: both as f64 / official as f64 }
    }

    fn between(ours: &Pairs, official: &Pairs) -> Self {
        Self::of(ours.intersection(official).count(), ours.len(), official.len())
    }
}

impl std::fmt::Display for Scores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "precision {:.4}, recall {:.4}", self.precision, self.recall)
    }
}

/// A LaTeX string and the rows that have it.
#[derive(Default)]
struct Item {
    latex: String,
    /// MathML and visual id of each row.
    rows: BTreeSet<(String, u32)>,
}

impl Item {
    fn tree(&self) -> Slt {
        let mut slt = Slt::default();
        from_latex(&latex::parse(&self.latex).tree, &mut slt);
        slt
    }

    fn mathml_trees(&self) -> impl Iterator<Item = Slt> {
        self.rows.iter().filter_map(|(mathml, _)| {
            let mut slt = Slt::default();
            read_mathml(mathml, &mut slt).ok().map(|_| slt)
        })
    }

    fn labs_strings(&self) -> BTreeSet<String> {
        let mut reader = MathmlReader::new(Reading::Labs);
        let mut slt = Slt::default();
        let strings = self.rows.iter().filter_map(|(mathml, _)| {
            reader.read(mathml, &mut slt).ok()?;
            Some(slt.to_string())
        });
        strings.collect()
    }
}

struct Collection {
    items: Vec<Item>,
}

impl Collection {
    fn read(dir: &Path) -> Self {
        let mut mathml: HashMap<String, String> = testkit::read_tsv(&dir.join("slt_representation.tsv"))
            .into_iter()
            .map(|mut row| (column(&mut row, "id"), column(&mut row, "formula")))
            .collect();
        let mut items: BTreeMap<String, Item> = BTreeMap::new();
        for mut row in testkit::read_tsv(&dir.join("latex_representation.tsv")) {
            // 691 rows have no visual id, and no MathML either.
            let Ok(id) = row["visual_id"].parse::<u32>() else { continue };
            let latex = column(&mut row, "formula");
            let item = items.entry(latex.clone()).or_default();
            item.latex = latex;
            item.rows.insert((mathml.remove(&row["id"]).expect("both tables have the same ids"), id));
        }
        Self { items: items.into_values().collect() }
    }

    fn official(&self, join: Join) -> Pairs {
        let mut joined = Joined::default();
        let mut first: HashMap<(&str, String), u32> = HashMap::new();
        for item in &self.items {
            for (mathml, id) in &item.rows {
                let same = match join {
                    Join::SameLatexAndMathml => (item.latex.as_str(), mathml.clone()),
                    Join::SameMathmlWithoutAttributes => ("", without_attributes(mathml)),
                };
                let other = *first.entry(same).or_insert(*id);
                joined.join(other, *id);
            }
        }
        pairs(self.items.iter().map(|item| item.rows.iter().map(|(_, id)| joined.find(*id)).collect()))
    }

    fn by_look(&self) -> Pairs {
        let mut keyer = Keyer::default();
        pairs(self.items.iter().map(|item| {
            let key = keyer.key(Formula { slt: Some(&item.tree()), latex: &item.latex });
            BTreeSet::from([key])
        }))
    }

    fn by_labs_rule(&self) -> Pairs {
        let mut keyer = Keyer::default();
        let mut reader = MathmlReader::new(Reading::Labs);
        let mut slt = Slt::default();
        pairs(self.items.iter().map(|item| {
            let keys = item.rows.iter().map(|(mathml, _)| {
                let tree = reader.read(mathml, &mut slt).is_ok().then_some(&slt);
                keyer.labs_key(Formula { slt: tree, latex: &item.latex }, Blanks::All).0
            });
            keys.collect::<BTreeSet<Key>>()
        }))
    }

    /// Whether the labs' tools could read it: no error node, and nothing of LaTeXML's own in the LaTeX.
    fn was_read(&self, item: usize) -> bool {
        let item = &self.items[item];
        let debris = [r"\@@", r"\hfil", r"\end{document}", "<span"];
        item.rows.iter().all(|(mathml, _)| !mathml.contains("<merror"))
            && !debris.iter().any(|debris| item.latex.contains(debris))
    }

    fn classes(&self, official: &Pairs, ours: &Pairs) -> Classes {
        let mut classes = Classes::new();
        for (side, pairs) in
            [(Side::OnlyOurs, ours.difference(official)), (Side::OnlyOfficial, official.difference(ours))]
        {
            for &(a, b) in pairs {
                let (a_item, b_item) = (&self.items[a], &self.items[b]);
                let (class, ours_right) = match side {
                    Side::OnlyOurs => why_the_ids_differ(a_item, b_item),
                    Side::OnlyOfficial => why_the_ids_agree(a_item, b_item),
                };
                classes.entry(Class(side, class, ours_right)).or_default().push((a, b));
            }
        }
        classes
    }

    fn show(&self, (a, b): (usize, usize)) -> String {
        let short = |item: usize| {
            let latex = self.items[item].latex.replace('|', r"\|");
            let start: String = latex.chars().take(40).collect();
            if start == latex { format!("`{latex}`") } else { format!("`{start}`…") }
        };
        format!("{} and {}", short(a), short(b))
    }
}

/// Why two formulas that look the same to us have different ids, and whether the ids are wrong.
fn why_the_ids_differ(a: &Item, b: &Item) -> (String, bool) {
    if [a, b].iter().filter(|item| item.latex.contains(r"\varnothing")).count() == 1 {
        return ("both shapes of the empty set are one character".to_owned(), false);
    }
    if !a.labs_strings().is_disjoint(&b.labs_strings()) {
        return ("the labs' strings are the same, so the ids should be".to_owned(), true);
    }
    let mut keyer = Keyer::default();
    for left in a.mathml_trees() {
        for right in b.mathml_trees() {
            if keyer.key_of_tree(&left) == keyer.key_of_tree(&right) {
                let formula = |slt| Formula { slt: Some(slt), latex: "" };
                let notes = explain(formula(&left), formula(&right)).notes;
                // Signs that look alike say most, so they come first.
                let note = notes.iter().find(|note| note.contains("look alike")).or(notes.first());
                return (
                    note.map_or("by our key their MathML is the same".to_owned(), |note| {
                        format!("{note}, also in their MathML")
                    }),
                    true,
                );
            }
        }
    }
    let has =
        |text: &str| [a, b].iter().any(|item| item.rows.iter().any(|(mathml, _)| mathml.contains(text)));
    if has("<mpadded") {
        return ("LaTeXML's `mpadded` puts scripts and brackets on the baseline".to_owned(), true);
    }
    ("other".to_owned(), false)
}

/// Why two formulas that look different to us have one id, and whether the id is wrong.
fn why_the_ids_agree(a: &Item, b: &Item) -> (String, bool) {
    if a.labs_strings().is_disjoint(&b.labs_strings()) {
        return ("the labs' strings are different, so the ids should be".to_owned(), true);
    }
    if a.tree().to_string() == b.tree().to_string() {
        return ("the labs' strings do not show fonts".to_owned(), true);
    }
    ("other".to_owned(), false)
}

/// MathML with its elements and texts only.
fn without_attributes(mathml: &str) -> String {
    let mut out = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..=start]);
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap_or(rest.len());
        let name = rest[..end].find(|c: char| c.is_whitespace()).unwrap_or(end);
        out.push_str(&rest[..name]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn column(row: &mut BTreeMap<String, String>, name: &str) -> String {
    row.remove(name).expect("every row has this column")
}

/// The pairs of items that share something.
fn pairs<K: Ord>(items: impl Iterator<Item = BTreeSet<K>>) -> Pairs {
    let mut holders: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (number, keys) in items.enumerate() {
        for key in keys {
            holders.entry(key).or_default().push(number);
        }
    }
    let mut pairs = Pairs::new();
    for items in holders.values() {
        for (position, &a) in items.iter().enumerate() {
            pairs.extend(items[position + 1..].iter().map(|&b| (a, b)));
        }
    }
    pairs
}

/// Visual ids that are one and the same.
#[derive(Default)]
struct Joined(HashMap<u32, u32>);

impl Joined {
    fn find(&self, id: u32) -> u32 {
        let mut at = id;
        while let Some(&up) = self.0.get(&at) {
            at = up;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a.max(b), a.min(b));
        }
    }
}
