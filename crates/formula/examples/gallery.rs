//! Prints the gallery page.

#[allow(clippy::print_stdout, reason = "this is a program")]
fn main() {
    print!("{}", formula::gallery::gallery(formula::gallery::entries()));
}
