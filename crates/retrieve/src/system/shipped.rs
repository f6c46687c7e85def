//! The systems that come with the program.

/// The systems that come with the program: a name and the text of the file.
pub const SYSTEMS: &[(&str, &str)] = &[
    ("hypatia-classic-1", include_str!("../../../../systems/hypatia-classic-1.toml")),
    ("hypatia-classic-2", include_str!("../../../../systems/hypatia-classic-2.toml")),
    ("formula+keywords", include_str!("../../../../systems/formula+keywords.toml")),
    ("bm25", include_str!("../../../../systems/bm25.toml")),
    ("search", include_str!("../../../../systems/search.toml")),
    ("bm25-latex", include_str!("../../../../systems/bm25-latex.toml")),
    ("tangent-s", include_str!("../../../../systems/tangent-s.toml")),
    ("tangent-s-slt", include_str!("../../../../systems/tangent-s-slt.toml")),
    ("tangent-s-opt", include_str!("../../../../systems/tangent-s-opt.toml")),
    ("tangent-l", include_str!("../../../../systems/tangent-l.toml")),
    ("mathdowsers-l8", include_str!("../../../../systems/mathdowsers-l8.toml")),
    ("mathdowsers-latex-l8-a035", include_str!("../../../../systems/mathdowsers-latex-l8-a035.toml")),
    ("mathdowsers-latex-l8-a040", include_str!("../../../../systems/mathdowsers-latex-l8-a040.toml")),
    ("approach0-a0", include_str!("../../../../systems/approach0-a0.toml")),
    ("xyphoc-xy5", include_str!("../../../../systems/xyphoc-xy5.toml")),
    ("xyphoc-xy5idf", include_str!("../../../../systems/xyphoc-xy5idf.toml")),
    ("xyphoc-xy7o4", include_str!("../../../../systems/xyphoc-xy7o4.toml")),
];
