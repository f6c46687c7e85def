//! The systems that come with the program.

/// The systems that come with the program: a name and the text of the file.
pub const SYSTEMS: &[(&str, &str)] = &[
    ("hypatia-classic-1", include_str!("../../../../systems/hypatia-classic-1.toml")),
    ("hypatia-classic-2", include_str!("../../../../systems/hypatia-classic-2.toml")),
    ("formula+keywords", include_str!("../../../../systems/formula+keywords.toml")),
    ("bm25", include_str!("../../../../systems/bm25.toml")),
    ("search", include_str!("../../../../systems/search.toml")),
];
