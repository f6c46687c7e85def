//! Printing a measure as people write it.

use super::{Measure, Results};
use std::fmt::{self, Display};
use std::num::NonZeroUsize;

/// The parameters of a measure, in print.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    params: Vec<String>,
    cutoff: Option<String>,
}

impl Printed {
    /// Adds a parameter.
    pub(crate) fn param(&mut self, name: &str, value: impl Display) {
        self.params.push(format!("{name}={value}"));
    }

    /// Adds a relevance level, unless it is the usual one.
    pub(crate) fn level(&mut self, level: i32) {
        if level != 1 {
            self.param("rel", level);
        }
    }

    /// Sets the cutoff, if there is one.
    pub(crate) fn cutoff(&mut self, cutoff: Option<NonZeroUsize>) {
        if let Some(cutoff) = cutoff {
            self.at(cutoff);
        }
    }

    /// Sets what stands after `@`.
    pub(crate) fn at(&mut self, cutoff: impl Display) {
        self.cutoff = Some(cutoff.to_string());
    }
}

impl Measure {
    /// The name of the mean over topics, where people use another one than
    /// for a topic: `MAP'` for `AP'`, `MRR` for `RR`. It can be read as well.
    #[must_use]
    pub fn mean_name(&self) -> String {
        self.print_as(self.kind.measure().names().mean)
    }

    fn print_as(&self, name: &str) -> String {
        let mut printed = Printed::default();
        self.kind.measure().print(&mut printed);
        let mut text = name.to_owned();
        if self.results == Results::Judged {
            text.push('\'');
        }
        if !printed.params.is_empty() {
            text = format!("{text}({})", printed.params.join(","));
        }
        if let Some(cutoff) = printed.cutoff {
            text = format!("{text}@{cutoff}");
        }
        text
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.print_as(self.kind.measure().names().printed))
    }
}
