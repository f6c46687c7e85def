//! How deep runs are pooled.

/// The depths of runs by what they count as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Depths {
    /// For primary runs, and baselines that are pooled like them.
    pub primary: usize,
    /// For alternate runs, and other baselines.
    pub alternate: usize,
}

impl Depths {
    /// All of every run.
    pub const WHOLE: Self = Self::same(usize::MAX);

    /// The same depth for all runs.
    #[must_use]
    pub const fn same(depth: usize) -> Self {
        Self { primary: depth, alternate: depth }
    }

    /// The depth for a run.
    #[must_use]
    pub fn of(self, standing: Standing) -> usize {
        match standing {
            Standing::Primary => self.primary,
            Standing::Alternate => self.alternate,
            Standing::Depth(depth) => depth,
        }
    }
}

/// What a run counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A team's first run, or a baseline that is pooled like one.
    #[default]
    Primary,
    /// Any other run.
    Alternate,
    /// A run with a depth of its own, whatever the others have. With 0 the run
    /// brings nothing, and what others brought still says where this run has it.
    Depth(usize),
}

/// When enough of the runs is in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The first items of each run: so many posts or instances, or so many
    /// visually distinct formulas.
    Depths(Depths),
    /// All runs side by side, one rank at a time, until the topic has so many
    /// items. The last rank is finished for every run, so there may be a few
    /// more. A run with a depth of its own ends there.
    RankByRank {
        /// How many items a topic has at least, if the runs have as many.
        at_least: usize,
    },
}

impl Extent {
    /// The same depth for all runs that have none of their own.
    #[must_use]
    pub const fn depth(depth: usize) -> Self {
        Self::Depths(Depths::same(depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_may_have_a_depth_of_its_own() {
        let depths = Depths { primary: 45, alternate: 20 };
        let found = [Standing::Primary, Standing::Alternate, Standing::Depth(7)].map(|run| depths.of(run));
        assert_eq!(found, [45, 20, 7]);
        assert_eq!(Depths::same(9), Depths { primary: 9, alternate: 9 });
    }
}
