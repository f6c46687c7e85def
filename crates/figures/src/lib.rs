//! How does a result look on paper? Tables and charts from plain values.
//!
//! The last room of the house: values come from `eval` and `stats`, text goes
//! to whoever writes files or pages. This crate never computes what it shows
//! (no means, no tests, no best values), reads and writes nothing, and gives
//! the same bytes for the same values.
//!
//! - [`table`]: a table of results, as aligned text, Markdown, LaTeX, CSV or HTML;
//! - [`chart`]: SVG charts: systems by measure, differences by topic, heat maps,
//!   scatter plots, lines, bars;
//! - [`tree`]: trees with labels, as SVG that takes its colours from the page;
//! - [`page`]: an HTML page with any of these inside.
//!
//! ```
//! use figures::chart::{Dots, Estimate, Panel, Range, System, Tone};
//! use figures::table::{Cell, Colour, Column, Mark, Row, Table};
//!
//! let table = Table {
//!     columns: vec![
//!         Column::left("Run"),
//!         Column::right("nDCG'").under("77 topics"),
//!         Column::right("P'@10").under("77 topics"),
//!     ],
//!     rows: vec![
//!         Row::Section("Baselines".into()),
//!         Row::Cells(vec![Cell::text("BM25"), Cell::number(0.1941, 3), Cell::number(0.1, 3)]),
//!         Row::Section("Our runs".into()),
//!         Row::Cells(vec![
//!             Cell::text("tree"),
//!             Cell::number(0.3472, 3).marked(Mark::Best).marked(Mark::Star),
//!             Cell::number(0.2, 3).marked(Mark::Best),
//!         ]),
//!     ],
//!     ..Table::default()
//! };
//! assert_eq!(table.to_text(Colour::Off), "\
//! \x20         77 topics
//! \x20       ─────────────
//! Run     nDCG'   P'@10
//! ─────────────────────
//! Baselines
//!   BM25  0.194   0.100
//!
//! Our runs
//!   tree  0.347*  0.200
//! ");
//!
//! let chart = Dots {
//!     title: "nDCG' by system".into(),
//!     systems: vec![System { name: "tree".into(), tone: Tone::Accent }],
//!     panels: vec![Panel {
//!         measure: "nDCG'".into(),
//!         estimates: vec![Estimate { value: 0.3472, interval: Some((0.301, 0.392)) }],
//!         range: Range::FROM_ZERO,
//!         decimals: 3,
//!         ..Panel::default()
//!     }],
//!     ..Dots::default()
//! };
//! assert!(chart.to_svg().starts_with("<svg"));
//! ```

mod escape;
mod number;

pub mod chart;
pub mod page;
pub mod table;
pub mod tree;

pub use escape::markup;
