//! Our identities against the official visual ids, on the real data if it is there.

use formula::identity::{Blanks, Formula, Key, Keyer, explain};
use formula::mathml::{MathmlReader, Reading};
use formula::slt::{Slt, from_latex};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

#[test]
fn dump() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let collection = Collection::read(&data.join("arqmath-mini"));
    let official = collection.official();
    let look = collection.by_look();
    let labs = collection.by_labs_rule();
    eprintln!("items {} official {}", collection.formulas.len(), official.len());
    for (name, ours) in [("look", &look), ("labs", &labs)] {
        let both = official.intersection(ours).count();
        eprintln!("{name}: pairs {} both {both} precision {:.4} recall {:.4}", ours.len(), both as f64 / ours.len() as f64, both as f64 / official.len() as f64);
        let mut out = String::new();
        for (kind, pairs) in [("FP", ours.difference(&official)), ("FN", official.difference(ours))] {
            for &(a, b) in pairs {
                let (a, b) = (&collection.formulas[a], &collection.formulas[b]);
                let err = a.mathml.iter().chain(&b.mathml).any(|m| m.contains("merror"));
                let (x, y) = (a.slt(), b.slt());
                let why = explain(Formula { slt: Some(&x), latex: &a.latex }, Formula { slt: Some(&y), latex: &b.latex });
                out += &format!("{kind}\t{err}\t{:?}\t{:?}\t{why}\n", a.latex, b.latex);
            }
        }
        std::fs::write(format!("/tmp/dump-{name}.tsv"), out).unwrap();
    }
}

/// A LaTeX string and everything that the collection says about it.
struct Item {
    latex: String,
    mathml: BTreeSet<String>,
    ids: BTreeSet<u32>,
}

impl Item {
    fn slt(&self) -> Slt {
        let mut slt = Slt::default();
        from_latex(&latex::parse(&self.latex).tree, &mut slt);
        slt
    }
}

struct Collection {
    formulas: Vec<Item>,
}

type Pairs = BTreeSet<(usize, usize)>;

impl Collection {
    fn read(dir: &Path) -> Self {
        let mut mathml: HashMap<String, String> = testkit::read_tsv(&dir.join("slt_representation.tsv"))
            .into_iter()
            .map(|mut row| (row.remove("id").unwrap(), row.remove("formula").unwrap()))
            .collect();
        let mut joined = Joined::default();
        let mut first_id: HashMap<(String, String), u32> = HashMap::new();
        let mut items: BTreeMap<String, Item> = BTreeMap::new();
        for mut row in testkit::read_tsv(&dir.join("latex_representation.tsv")) {
            // Some rows have no visual id, and no MathML either.
            let Ok(id) = row["visual_id"].parse::<u32>() else { continue };
            let latex = row.remove("formula").unwrap();
            let mathml = mathml.remove(&row["id"]).unwrap();
            let item = items.entry(latex.clone()).or_insert_with(|| Item {
                latex: latex.clone(),
                mathml: BTreeSet::new(),
                ids: BTreeSet::new(),
            });
            item.ids.insert(id);
            item.mathml.insert(mathml.clone());
            let first = *first_id.entry((latex, mathml)).or_insert(id);
            joined.join(first, id);
        }
        let mut formulas: Vec<Item> = items.into_values().collect();
        for item in &mut formulas {
            item.ids = item.ids.iter().map(|&id| joined.find(id)).collect();
        }
        Self { formulas }
    }

    fn official(&self) -> Pairs {
        pairs(self.formulas.iter().map(|item| item.ids.clone()))
    }

    fn by_look(&self) -> Pairs {
        let mut keyer = Keyer::default();
        pairs(self.formulas.iter().map(|item| {
            let key = keyer.key(Formula { slt: Some(&item.slt()), latex: &item.latex });
            BTreeSet::from([key])
        }))
    }

    fn by_labs_rule(&self) -> Pairs {
        let mut keyer = Keyer::default();
        let mut reader = MathmlReader::new(Reading::Labs);
        let mut slt = Slt::default();
        pairs(self.formulas.iter().map(|item| {
            let keys = item.mathml.iter().map(|mathml| {
                let tree = reader.read(mathml, &mut slt).is_ok().then_some(&slt);
                keyer.labs_key(Formula { slt: tree, latex: &item.latex }, Blanks::All).0
            });
            keys.collect::<BTreeSet<Key>>()
        }))
    }
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
#[test]
fn dump_rows() {
    let data = testkit::data_dir().unwrap();
    let dir = data.join("arqmath-mini");
    let mut keyer = Keyer::default();
    let mut reader = MathmlReader::new(Reading::Labs);
    let mut slt = Slt::default();
    let mut out = String::new();
    for (m, l) in testkit::read_tsv(&dir.join("slt_representation.tsv")).iter().zip(testkit::read_tsv(&dir.join("latex_representation.tsv"))) {
        let latex = &l["formula"];
        let tree = reader.read(&m["formula"], &mut slt).is_ok().then_some(&slt);
        let labs = keyer.labs_key(Formula { slt: tree, latex }, Blanks::All).0;
        let mut ours = Slt::default();
        from_latex(&latex::parse(latex).tree, &mut ours);
        let look = keyer.key(Formula { slt: Some(&ours), latex });
        let tree_look = keyer.key_of_tree(&ours);
        let err = keyer.labs_key(Formula { slt: Some(&ours), latex }, Blanks::All);
        let mut tolerant = Slt::default();
        let ok = formula::mathml::read_mathml(&m["formula"], &mut tolerant).is_ok();
        let mathml_look = keyer.key(Formula { slt: ok.then_some(&tolerant), latex });
        let err = format!("{err}\t{mathml_look}");
        out += &format!("{}\t{labs}\t{look}\t{tree_look}\t{err}\t{}\n", m["id"], tree.map(|s| s.to_string()).unwrap_or_default());
    }
    std::fs::write("/tmp/rows.tsv", out).unwrap();
}
