//! Times one file.
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    let start = std::time::Instant::now();
    let parse = latex::parse_bytes(&bytes, latex::Mode::Document);
    println!("{} bytes {:?} {} nodes {} diagnostics", bytes.len(), start.elapsed(), parse.tree.len(), parse.diagnostics.len());
}
