//! The labs' ways of scoring, as named presets that state their rules.

use crate::average::TopicPolicy;
use crate::measure::Measure;
use crate::pipeline::Duplicates;
use std::fmt;
use std::str::FromStr;

/// A way of scoring that a lab used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// ARQMath Task 1: answers to questions.
    Task1,
    /// ARQMath Task 2: formulas, counted once for each look.
    Task2,
    /// NTCIR-10: formulas in papers.
    Ntcir10,
    /// NTCIR-11: known formulas in Wikipedia.
    Ntcir11,
    /// NTCIR-12: formula browsing in Wikipedia.
    Ntcir12,
}

/// A measure under the name that a lab printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, such as `MAP'`.
    pub name: String,
    /// The measure, such as `AP'(rel=2)`.
    pub measure: Measure,
}

impl Column {
    /// A measure under its own name.
    #[must_use]
    pub fn plain(measure: Measure) -> Self {
        Self { name: measure.to_string(), measure }
    }
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 5] = [Self::Task1, Self::Task2, Self::Ntcir10, Self::Ntcir11, Self::Ntcir12];

    /// What it is called on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Task1 => "1",
            Self::Task2 => "2",
            Self::Ntcir10 => "ntcir10",
            Self::Ntcir11 => "ntcir11",
            Self::Ntcir12 => "ntcir12",
        }
    }

    /// The measures, in the order of the lab's tables.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        self.columns_at(3)
    }

    /// The measures by the grades of one of NTCIR's two judges, which end at 2
    /// instead of 4: what asks for 3 of the sum asks for 2 here.
    #[must_use]
    pub fn columns_of_one_judge(self) -> Vec<Column> {
        self.columns_at(2)
    }

    /// The measures with the grade from which on NTCIR calls something relevant.
    fn columns_at(self, full: i32) -> Vec<Column> {
        let columns: &[(&str, &str)] = match self {
            Self::Task1 | Self::Task2 => {
                &[("nDCG'", "nDCG'"), ("MAP'", "AP'(rel=2)"), ("P'@10", "P'(rel=2)@10")]
            }
            Self::Ntcir10 => &[
                ("P@5", "P(rel=FULL)@5"),
                ("P@10", "P(rel=FULL)@10"),
                ("P@hit", "P(rel=FULL)@hit"),
                ("MAP", "AP(rel=FULL)"),
            ],
            Self::Ntcir11 => &[("MRR", "RR")],
            Self::Ntcir12 => &[
                ("P@5", "P(rel=FULL)@5"),
                ("P@10", "P(rel=FULL)@10"),
                ("P@15", "P(rel=FULL)@15"),
                ("P@20", "P(rel=FULL)@20"),
                ("P@5 partial", "P(rel=1)@5"),
                ("P@10 partial", "P(rel=1)@10"),
                ("P@15 partial", "P(rel=1)@15"),
                ("P@20 partial", "P(rel=1)@20"),
                ("bpref full", "bpref(rel=FULL)"),
                ("bpref partial", "bpref(rel=1)"),
            ],
        };
        columns
            .iter()
            .map(|(name, measure)| Column {
                name: (*name).to_owned(),
                measure: measure
                    .replace("FULL", &full.to_string())
                    .parse()
                    .expect("the presets name measures that exist"),
            })
            .collect()
    }

    /// How many results of a topic count.
    #[must_use]
    pub fn depth(self) -> Option<usize> {
        match self {
            Self::Task1 => Some(1000),
            Self::Task2 | Self::Ntcir10 | Self::Ntcir11 | Self::Ntcir12 => None,
        }
    }

    /// What happens to a document that is listed twice.
    #[must_use]
    pub fn duplicates(self) -> Duplicates {
        match self {
            Self::Task1 => Duplicates::KeepFirst,
            Self::Task2 => Duplicates::KeepLast,
            Self::Ntcir10 | Self::Ntcir11 | Self::Ntcir12 => Duplicates::Refuse,
        }
    }

    /// Which topics enter the means unless something else is asked for.
    #[must_use]
    pub fn topic_policy(self) -> TopicPolicy {
        TopicPolicy::All
    }

    /// The rules in words, for the foot of a table.
    #[must_use]
    pub fn rules(self) -> &'static str {
        match self {
            Self::Task1 => {
                "ARQMath Task 1: the first 1000 results of a topic; unjudged answers removed; \
                 MAP' and P'@10 count High and Medium (grade 2 or more) as relevant"
            }
            Self::Task2 => {
                "ARQMath Task 2: formula instances become visual ids, the highest instance of each kept; \
                 unjudged ones removed; the grade of a visual id is the highest of its instances; \
                 MAP' and P'@10 count High and Medium (grade 2 or more) as relevant"
            }
            Self::Ntcir10 => {
                "NTCIR-10: grades 0 to 4, the sum of two judges; 3 or more is relevant; \
                 unjudged results are not; P@hit is over all that was returned"
            }
            Self::Ntcir11 => {
                "NTCIR-11: one known formula for each topic; the mean of 1/rank, 0 if it was not found"
            }
            Self::Ntcir12 => {
                "NTCIR-12: grades 0 to 4, the sum of two judges; 3 or more is relevant, 1 or more partially; \
                 unjudged results are not, and bpref leaves them out"
            }
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|preset| preset.name() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(columns: &[Column]) -> Vec<String> {
        columns.iter().map(|column| format!("{} = {}", column.name, column.measure)).collect()
    }

    #[test]
    fn presets_name_their_measures_as_the_labs_do() {
        assert_eq!(
            printed(&Preset::Task2.columns()),
            ["nDCG' = nDCG'", "MAP' = AP'(rel=2)", "P'@10 = P'(rel=2)@10"]
        );
        assert_eq!(
            printed(&Preset::Ntcir10.columns()),
            ["P@5 = P(rel=3)@5", "P@10 = P(rel=3)@10", "P@hit = P(rel=3)@hit", "MAP = AP(rel=3)"]
        );
        assert_eq!(printed(&Preset::Ntcir10.columns_of_one_judge())[3], "MAP = AP(rel=2)");
        assert_eq!(Preset::Task1.columns_of_one_judge(), Preset::Task1.columns());
    }

    #[test]
    fn names_are_read_back() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(preset));
        }
    }
}
