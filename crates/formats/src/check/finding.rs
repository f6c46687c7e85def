//! What the check says: findings, the rules they come from, and their places.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is not a valid submission.
    Error,
    /// The file is valid, but the lab filters the hit: it is not pooled, judged or scored.
    Filtered,
    /// The file is valid, but something is probably not meant.
    Warning,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Filtered => "filtered",
            Self::Warning => "warning",
        }
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident = $name:literal,)*) => {
        /// A rule of the lab; its name stands in brackets in messages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RuleId {
            $($(#[$doc])* $rule,)*
        }

        impl RuleId {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule,)*];

            /// The name of the rule in messages.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// The file is named `[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv`.
    Name = "name",
    /// The file holds rows.
    Empty = "empty",
    /// The file starts without a byte order mark.
    ByteOrderMark = "byte-order-mark",
    /// Lines end in a line feed.
    LineEnds = "line-ends",
    /// There are no blank lines.
    BlankLine = "blank-line",
    /// There is no header line.
    Header = "header",
    /// Columns are parted by single tabs.
    Separator = "separator",
    /// Every row has the columns of its task.
    Columns = "columns",
    /// The columns are the lab's, not TREC's.
    TrecColumns = "trec-columns",
    /// No field is empty.
    EmptyField = "empty-field",
    /// Fields hold no blanks at their edges and no control characters.
    Characters = "characters",
    /// Ranks are whole numbers that count from 1 in each topic.
    Rank = "rank",
    /// Scores are finite numbers.
    Score = "score",
    /// Scores do not rise with the rank.
    ScoreOrder = "score-order",
    /// Equal scores leave the order to the ids.
    Ties = "ties",
    /// Scores that differ too little are equal in 32 bits.
    Ties32Bits = "ties-32-bits",
    /// A topic has a document once.
    Duplicate = "duplicate",
    /// A topic has at most 1,000 results.
    TooMany = "too-many",
    /// The rows of a topic stand together.
    TopicOrder = "topic-order",
    /// Topic ids are those of the task.
    TopicId = "topic-id",
    /// Topics are topics of the lab.
    UnknownTopic = "unknown-topic",
    /// All topics have results.
    MissingTopic = "missing-topic",
    /// One tag names the run in all rows.
    Tag = "tag",
    /// Ids of posts and formulas are whole numbers.
    DocId = "doc-id",
    /// What Task 1 returns are answers.
    NotAnAnswer = "not-an-answer",
    /// Formulas of Task 2 are in the collection, in a question or an answer, and in the post they claim.
    FormulaPlace = "formula-place",
    /// Answers have at most 1,200 characters.
    LongAnswer = "long-answer",
    /// Answers say something.
    EmptyAnswer = "empty-answer",
    /// Dollar signs around formulas come in pairs.
    Dollars = "dollars",
    /// Extracted answers name their sources.
    Sources = "sources",
    /// Answers are text, not HTML.
    Html = "html",
    /// A team has at most five runs in a task.
    RunsPerTeam = "runs-per-team",
    /// A team has one primary run in a task.
    Primary = "primary",
    /// Run ids of a team differ.
    RunId = "run-id",
    /// Files differ.
    Identical = "identical",
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where in its file a finding is; lines and columns (in characters) count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// The file as a whole.
    File,
    /// A line.
    Line(usize),
    /// A column of a line.
    Column(usize, usize),
}

impl Spot {
    /// The line, if it is about one.
    #[must_use]
    pub fn line(self) -> Option<usize> {
        match self {
            Self::File => None,
            Self::Line(line) | Self::Column(line, _) => Some(line),
        }
    }

    /// The column, if one can be named.
    #[must_use]
    pub fn column(self) -> Option<usize> {
        match self {
            Self::Column(_, column) => Some(column),
            Self::File | Self::Line(_) => None,
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The rule it is about.
    pub rule: RuleId,
    /// Where it is.
    pub place: Spot,
    /// What is wrong.
    pub text: String,
    /// How to mend it.
    pub fix: String,
}

impl Finding {
    /// The finding on one line, as compilers print theirs.
    #[must_use]
    pub fn line(&self, file: &str) -> String {
        let (severity, rule, text) = (self.severity.name(), self.rule, &self.text);
        match self.place {
            Spot::File => format!("{file}: {severity}[{rule}]: {text}"),
            Spot::Line(line) => format!("{file}:{line}: {severity}[{rule}]: {text}"),
            Spot::Column(line, column) => format!("{file}:{line}:{column}: {severity}[{rule}]: {text}"),
        }
    }
}

/// Collects findings, of each rule as many as anyone can read: a file of the
/// wrong kind has one for every line.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    counts: BTreeMap<(Severity, RuleId), usize>,
}

impl Findings {
    /// How many findings of a rule are kept.
    const KEPT: usize = 10_000;

    pub(super) fn error(&mut self, rule: RuleId, place: Spot, text: String, fix: impl Into<String>) {
        self.push(Finding { severity: Severity::Error, rule, place, text, fix: fix.into() });
    }

    pub(super) fn filtered(&mut self, rule: RuleId, place: Spot, text: String, fix: impl Into<String>) {
        self.push(Finding { severity: Severity::Filtered, rule, place, text, fix: fix.into() });
    }

    pub(super) fn warning(&mut self, rule: RuleId, place: Spot, text: String, fix: impl Into<String>) {
        self.push(Finding { severity: Severity::Warning, rule, place, text, fix: fix.into() });
    }

    fn push(&mut self, finding: Finding) {
        let count = self.counts.entry((finding.severity, finding.rule)).or_default();
        *count += 1;
        if *count <= Self::KEPT {
            self.list.push(finding);
        }
    }

    /// The lines that have an error.
    pub(super) fn error_lines(&self) -> HashSet<usize> {
        let errors = self.list.iter().filter(|finding| finding.severity == Severity::Error);
        errors.filter_map(|finding| finding.place.line()).collect()
    }

    /// The findings in the order of the file; what was not kept is counted in one more.
    pub(super) fn sorted(mut self) -> Vec<Finding> {
        for ((severity, rule), count) in self.counts {
            if count > Self::KEPT {
                let text = format!("{} more places are not listed", count - Self::KEPT);
                let fix = "mend those that are listed first".to_owned();
                self.list.push(Finding { severity, rule, place: Spot::File, text, fix });
            }
        }
        self.list.sort_by_key(|finding| (finding.place, finding.rule));
        self.list
    }
}
