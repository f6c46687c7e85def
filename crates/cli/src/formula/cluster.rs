//! `hypatia formula cluster`: formulas that look the same get the same visual id.

use crate::engine::{Engine, Formula, Notation, Rule};
use crate::input::{InputArgs, Item, Source};
use crate::output::{self, Format};
use crate::{Exit, Run, relevance, stream};
use anyhow::{Context, Result};
use clap::Args;
use formula::cluster::{Clusterer, FormulaId, LookKeys, Member, TieBreak, VisualId, recluster};
use latex::Mode;
use repair::Relevance;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Gives each formula a visual id: the same number to formulas that are the same by a rule, \
counted from 1 in the order of the input. The same input always gives the same ids, and \
formulas added at its end do not change those before them.

With --recluster, an existing numbering (the column that --visual-id names) is put right \
as ARQMath-3 did, and what changed is printed instead: when an id holds formulas that are \
not the same, its largest part keeps it (ties: the part with more relevance in the qrels \
that --relevance names, then the lowest formula id); each other part joins an id that \
holds the same formula, or gets a new one. A summary goes to standard error.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula cluster formulas.txt > visual.tsv
  hypatia formula cluster posts.tsv --by labs | tail -n +2 | cut -f2 | sort -u | wc -l
  hypatia formula cluster latex_representation.tsv --recluster --visual-id visual_id
  hypatia formula cluster slt_representation.tsv --from mathml --by labs \\
      --recluster --visual-id visual_id --relevance grades_of_formulas.qrels";

/// Number formulas so that those that look the same share a visual id
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Cluster {
    #[command(flatten)]
    input: InputArgs,

    /// What the formulas are written in [default: latex, or what the column is named after]
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,

    /// The rule that says what is the same
    #[arg(long, value_name = "RULE", default_value = "key")]
    by: Rule,

    /// Put an existing numbering right and print what changed
    #[arg(long, requires = "visual_id")]
    recluster: bool,

    /// The column of a table that holds the existing numbering
    #[arg(long, value_name = "COLUMN", requires = "recluster")]
    visual_id: Option<String>,

    /// Judgments in TREC form that decide ties: topic, iteration, formula id (not visual id), grade
    #[arg(long, value_name = "FILE", requires = "recluster")]
    relevance: Option<PathBuf>,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "tsv")]
    format: Format,
}

impl Run for Cluster {
    fn run(self) -> Result<Exit> {
        let extra: Vec<&str> = self.visual_id.iter().map(String::as_str).collect();
        let source = self.input.open(&extra)?;
        if self.recluster { self.recluster(source) } else { self.number(source) }
    }
}

impl Cluster {
    /// Memory grows with the number of different formulas, not with that of all.
    fn number(&self, source: Source) -> Result<Exit> {
        if self.format == Format::Tsv {
            output::print(b"id\tvisual_id\n")?;
        }
        let (notation, rule) = (source.layout_notation(self.from)?, self.by);
        let work = move |engine: &mut Engine, item: &Item<'_>, rows: &mut Vec<(String, LookKeys)>| {
            let identity =
                engine.identity(Formula { notation, mode: Mode::Document, source: &item.formula }, rule);
            rows.push((item.id.to_string(), identity));
        };
        let mut clusterer = Clusterer::default();
        stream::each(source, self.input.threads(), work, |rows| {
            let mut out = String::new();
            for (id, identity) in rows {
                let visual_id = clusterer.assign_keys(identity).to_string();
                match self.format {
                    Format::Tsv => output::push_row(&mut out, &[&id, &visual_id]),
                    Format::Json => output::push_pairs(&mut out, &[("id", &id), ("visual_id", &visual_id)]),
                }
            }
            output::print(out.as_bytes())
        })?;
        Ok(Exit::Yes)
    }

    /// Holds a member for every formula: all parts of an id must be known
    /// before it can be said which is the largest.
    fn recluster(&self, source: Source) -> Result<Exit> {
        let relevance = self.relevance.as_deref().map(relevance::read).transpose()?.unwrap_or_default();
        let (notation, rule) = (source.layout_notation(self.from)?, self.by);
        let work = move |engine: &mut Engine, item: &Item<'_>, rows: &mut Vec<Row>| {
            let keys =
                engine.identity(Formula { notation, mode: Mode::Document, source: &item.formula }, rule);
            let visual_id = item.extra.first().map(ToString::to_string).unwrap_or_default();
            rows.push(Row { id: item.id.to_string(), visual_id, keys });
        };
        let mut rows = Vec::new();
        stream::each(source, self.input.threads(), work, |part: Vec<Row>| {
            rows.extend(part);
            Ok(())
        })?;
        let all = rows.len();
        rows.retain(|row| !row.visual_id.trim().is_empty());
        let members = members(&rows, &relevance)?;
        let reclustering = recluster(&members, TieBreak::Cumulative);
        let mut out = String::new();
        if self.format == Format::Tsv {
            output::push_row(&mut out, &["id", "old_visual_id", "new_visual_id"]);
        }
        for (row, new) in rows.iter().zip(&reclustering.ids) {
            let new = new.to_string();
            if new == row.visual_id {
                continue;
            }
            match self.format {
                Format::Tsv => output::push_row(&mut out, &[&row.id, &row.visual_id, &new]),
                Format::Json => {
                    let pairs =
                        [("id", &*row.id), ("old_visual_id", &*row.visual_id), ("new_visual_id", &*new)];
                    output::push_pairs(&mut out, &pairs);
                }
            }
        }
        output::print(out.as_bytes())?;
        let mut summary = reclustering.summary.to_string();
        if self.relevance.is_some() {
            let judged = rows.iter().filter(|row| relevance.contains_key(&row.id)).count();
            summary += &format!("\nformulas with judgments\t{judged}");
        }
        if rows.len() < all {
            summary += &format!("\nformulas without a visual id, left out\t{}", all - rows.len());
        }
        output::note(&summary);
        Ok(Exit::Yes)
    }
}

/// A formula of a table that has a numbering.
struct Row {
    id: String,
    visual_id: String,
    keys: LookKeys,
}

/// The formulas as the library wants them. Ids that are not all numbers count by their place in the table.
fn members(rows: &[Row], relevance: &Relevance) -> Result<Vec<Member>> {
    let numbers: Option<Vec<u64>> = rows.iter().map(|row| row.id.parse().ok()).collect();
    let member = |(place, row): (usize, &Row)| {
        let number = numbers.as_ref().map_or(place as u64, |numbers| numbers[place]);
        let old = row.visual_id.parse().with_context(|| {
            format!("formula {}: '{}' is no visual id: a whole number is wanted", row.id, row.visual_id)
        })?;
        Ok(Member {
            formula: FormulaId(number),
            old: VisualId(old),
            key: row.keys.key(),
            relevance: relevance.get(&row.id).copied().unwrap_or_default(),
        })
    };
    rows.iter().enumerate().map(member).collect()
}
