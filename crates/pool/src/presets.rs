//! How deep the labs pooled, as named presets that state their rules.
//!
//! The depths of Task 1 in ARQMath-1 and ARQMath-2 are not in the sources at
//! hand, so there are no presets for them: [`Preset::Arqmath3Task1`] is that
//! of 2022 and of no other year. NTCIR-11 had known items and no pool.

use crate::extent::{Depths, Extent};
use crate::item::ItemKind;
use std::fmt;
use std::str::FromStr;

/// How a lab pooled. Depths can be set otherwise: see [`Extent`] and [`crate::Standing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// ARQMath-1 (2020), formulas: 25 and 10 visually distinct ones.
    Arqmath1Task2,
    /// ARQMath-2 (2021), formulas: 20 and 10 visually distinct ones.
    Arqmath2Task2,
    /// ARQMath-3 (2022), answers: 45 and 20.
    Arqmath3Task1,
    /// ARQMath-3 (2022), formulas: 25 and 15 visually distinct ones.
    Arqmath3Task2,
    /// NTCIR-10: rank by rank until there are 100 instances.
    Ntcir10,
    /// NTCIR-12: the first 20 instances of every run.
    Ntcir12,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 6] = [
        Self::Arqmath1Task2,
        Self::Arqmath2Task2,
        Self::Arqmath3Task1,
        Self::Arqmath3Task2,
        Self::Ntcir10,
        Self::Ntcir12,
    ];

    /// What it is called on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arqmath1Task2 => "arqmath1-task2",
            Self::Arqmath2Task2 => "arqmath2-task2",
            Self::Arqmath3Task1 => "arqmath3-task1",
            Self::Arqmath3Task2 => "arqmath3-task2",
            Self::Ntcir10 => "ntcir10",
            Self::Ntcir12 => "ntcir12",
        }
    }

    /// What people were asked about.
    #[must_use]
    pub fn items(self) -> ItemKind {
        match self {
            Self::Arqmath3Task1 => ItemKind::Post,
            Self::Arqmath1Task2 | Self::Arqmath2Task2 | Self::Arqmath3Task2 => ItemKind::Formula,
            Self::Ntcir10 | Self::Ntcir12 => ItemKind::Instance,
        }
    }

    /// How deep runs were pooled.
    #[must_use]
    pub fn extent(self) -> Extent {
        let depths = |primary, alternate| Extent::Depths(Depths { primary, alternate });
        match self {
            Self::Arqmath1Task2 => depths(25, 10),
            Self::Arqmath2Task2 => depths(20, 10),
            Self::Arqmath3Task1 => depths(45, 20),
            Self::Arqmath3Task2 => depths(25, 15),
            Self::Ntcir10 => Extent::RankByRank { at_least: 100 },
            Self::Ntcir12 => Extent::depth(20),
        }
    }

    /// The rules in words.
    #[must_use]
    pub fn rules(self) -> &'static str {
        match self {
            Self::Arqmath1Task2 => {
                "ARQMath-1, Task 2: the first 25 visually distinct formulas of primary runs, 10 of others"
            }
            Self::Arqmath2Task2 => {
                "ARQMath-2, Task 2: the first 20 visually distinct formulas of primary runs, 10 of others"
            }
            Self::Arqmath3Task1 => {
                "ARQMath-3, Task 1: the first 45 answers of primary runs and of the baselines linked posts and \
                 TF-IDF + Tangent-S, 20 of others; all answers of Task 3 join them"
            }
            Self::Arqmath3Task2 => {
                "ARQMath-3, Task 2: the first 25 visually distinct formulas of primary runs and the baseline, \
                 15 of others"
            }
            Self::Ntcir10 => {
                "NTCIR-10: all runs side by side, rank by rank, until there are at least 100 formula instances"
            }
            Self::Ntcir12 => "NTCIR-12: the first 20 formula instances of every run",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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

    #[test]
    fn names_are_read_back() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(preset));
        }
        assert_eq!("arqmath1-task1".parse::<Preset>(), Err(()));
    }

    #[test]
    fn the_words_name_the_depths() {
        for preset in Preset::ALL {
            let (first, second) = match preset.extent() {
                Extent::Depths(depths) => (depths.primary, depths.alternate),
                Extent::RankByRank { at_least } => (at_least, at_least),
            };
            for depth in [first, second] {
                assert!(preset.rules().contains(&depth.to_string()), "{preset}: {depth}");
            }
        }
    }
}
