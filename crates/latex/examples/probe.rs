use std::io::{BufRead, Write};
fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let how = if std::env::args().nth(2).is_some() { latex::Mode::Query } else { latex::Mode::Document };
    let mut n = 0;
    let mut bad = 0;
    let mut kinds = std::collections::BTreeMap::new();
    let mut out = std::io::stdout().lock();
    let mut reader = latex::Reader::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let parse = reader.read(line.as_bytes(), how);
        n += 1;
        if mode == "tree" {
            let _ = write!(out, "{line}\n{}", parse.tree);
            for d in &parse.diagnostics {
                let _ = writeln!(out, "! {} {}..{} {}", d.kind, d.span.start, d.span.end, d.message);
            }
            let _ = writeln!(out);
        }
        if parse.has_errors() {
            bad += 1;
            if mode == "bad" {
                let _ = writeln!(out, "{line}");
            }
        }
        if mode == "time" {
            continue;
        }
        for d in &parse.diagnostics {
            *kinds
                .entry(
                    if d.kind == latex::DiagnosticKind::UnknownCommand
                        || d.kind == latex::DiagnosticKind::UnknownEnvironment
                    {
                        d.message.to_string()
                    } else {
                        d.kind.to_string()
                    },
                )
                .or_insert(0) += 1;
            if mode == d.kind.name() {
                let _ = writeln!(out, "{} | {line}", d.message);
            }
        }
    }
    let _ = writeln!(out, "{n} {bad} {kinds:?}");
}
