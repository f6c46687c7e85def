//! The `hypatia` program.

fn main() {}
