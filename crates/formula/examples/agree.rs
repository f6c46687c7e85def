//! Compares layout trees from LaTeX with those from MathML.
use formula::mathml::{MathmlReader, Reading};
use formula::slt::{LatexToSlt, Slt};
use std::io::Write;
fn main() {
    let dir = testkit::data_dir().unwrap();
    let read = |name: &str| {
        let text = std::fs::read_to_string(dir.join("arqmath-mini").join(name)).unwrap();
        parse_tsv(&text)
    };
    let latex = read("latex_representation.tsv");
    let slt: std::collections::HashMap<String, String> = read("slt_representation.tsv").into_iter().map(|r| (r[0].clone(), r[6].clone())).collect();
    let mut seen = std::collections::HashSet::new();
    let mut reader = latex::Reader::default();
    let mut mathml = MathmlReader::new(Reading::Labs);
    let (mut a, mut b) = (Slt::default(), Slt::default());
    let mut to = LatexToSlt::default();
    let (mut all, mut same, mut err) = (0, 0, 0);
    let mut out = std::io::BufWriter::new(std::fs::File::create("/tmp/diff.txt").unwrap());
    for row in &latex[1..] {
        if row[3] == "comment" || !seen.insert(row[5].clone()) { continue; }
        let m = &slt[&row[0]];
        if mathml.read(m, &mut b).is_err() { err += 1; continue; }
        if b.has_error_node() || m.contains("merror") { err += 1; continue; }
        let parse = reader.read(row[6].as_bytes(), latex::Mode::Document);
        to.read(&parse.tree, &mut a);
        all += 1;
        let (x, y) = (a.to_string(), b.to_string());
        if x == y { same += 1; } else {
            writeln!(out, "{}\n  ours {x}\n  labs {y}\n  {}", row[6], m.split_once("<semantics>").map_or(&m[..], |p| p.1)).unwrap();
        }
    }
    println!("{all} compared, {same} same ({:.3} %), {err} left out", 100.0 * same as f64 / all as f64);
}
fn parse_tsv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![]; let mut row = vec![]; let mut field = String::new(); let mut quoted = false; let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted => { if chars.peek() == Some(&'"') { chars.next(); field.push('"'); } else { quoted = false; } }
            '"' if field.is_empty() => quoted = true,
            '\t' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => { row.push(std::mem::take(&mut field)); rows.push(std::mem::take(&mut row)); }
            c => field.push(c),
        }
    }
    rows
}
