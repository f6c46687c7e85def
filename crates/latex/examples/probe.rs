use std::io::BufRead;
fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut n = 0; let mut bad = 0; let mut kinds = std::collections::BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let parse = latex::parse(&line);
        n += 1;
        if mode == "tree" { println!("{line}\n{}", parse.tree); }
        if parse.has_errors() { bad += 1; if mode == "bad" { println!("{line}"); } }
        for d in &parse.diagnostics {
            *kinds.entry(if d.kind == latex::DiagnosticKind::UnknownCommand || d.kind==latex::DiagnosticKind::UnknownEnvironment {d.message.to_string()} else {d.kind.to_string()}).or_insert(0) += 1;
            if mode == d.kind.name() { println!("{} | {line}", d.message); }
        }
    }
    println!("{n} {bad} {kinds:?}");
}
