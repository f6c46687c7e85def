//! Scores of Task 3 as tables.

use super::super::table::DECIMALS;
use super::entries::{Answers, Entry};
use super::{Scored, Similar};
use collection::qrels::Qrels;
use collection::{Flags, TopicId};
use eval::task3::{
    MatchKind, MatchRule, MeanOver, NamedSource, Outcome, Relevance, UnrelatedByRelevance, grade_of,
};
use report::table::{Cell, Column, Mark, Row, Table};
use std::collections::BTreeSet;

/// What all tables are about.
pub(super) struct Shown<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) scored: &'a [Scored],
    pub(super) best: &'a Relevance,
    pub(super) flags: Option<&'a Flags>,
    pub(super) qrels: &'a Qrels,
    pub(super) rule: MatchRule,
    /// What the references are, in sentences.
    pub(super) references: &'a [String],
}

/// A column of values, one for each run.
struct Values {
    column: Column,
    highest: Option<f64>,
    lower_is_better: bool,
    values: Vec<Option<f64>>,
}

/// All runs by all measures there are.
pub(super) fn table(shown: &Shown<'_>) -> Table {
    // What a map says was given to people to judge; what stands in other runs may never have been seen.
    let by_map = shown.entries.iter().all(|entry| matches!(entry.answers, Answers::Mapped { .. }));
    let values = if by_map { of_map(shown) } else { with_judged_share(shown) };
    let mut columns = vec![Column::left("Run"), Column::right("topics")];
    if !by_map {
        columns.push(Column::right("judged"));
    }
    columns.extend(values.iter().map(|values| values.column.clone()));
    let mut rows = Vec::new();
    if values.iter().any(|values| values.highest.is_some()) {
        let mut highest =
            vec![Cell::text("highest possible").marked(Mark::Dim), count(shown.best.num_topics())];
        if !by_map {
            highest.push(Cell::default());
        }
        highest.extend(values.iter().map(|values| match values.highest {
            Some(value) => Cell::number(value, 3).marked(Mark::Dim),
            None => Cell::default(),
        }));
        rows.extend([Row::Cells(highest), Row::Rule]);
    }
    let mut order: Vec<usize> = (0..shown.entries.len()).collect();
    if let Some(first) = values.first() {
        let of = |run: usize| first.values[run].unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|a, b| of(*b).total_cmp(&of(*a)));
    }
    for run in order {
        let scored = &shown.scored[run];
        let topics = if by_map { scored.topics() } else { scored.relevance.judged().total };
        let mut cells = vec![Cell::text(shown.entries[run].name.as_str()), count(topics)];
        if !by_map {
            cells.push(Cell::text(scored.relevance.judged().to_string()));
        }
        cells.extend(values.iter().map(|values| values.cell(run)));
        rows.push(Row::Cells(cells));
    }
    Table { caption: Vec::new(), columns, rows, footnotes: footnotes(shown, by_map) }
}

impl Values {
    fn new(column: Column, values: Vec<Option<f64>>) -> Self {
        Self { column, highest: None, lower_is_better: false, values }
    }

    fn below(self, highest: Option<f64>) -> Self {
        Self { highest, ..self }
    }

    fn cell(&self, run: usize) -> Cell {
        let values = self.values.iter().flatten().copied();
        let best = if self.lower_is_better { values.reduce(f64::min) } else { values.reduce(f64::max) };
        match self.values[run] {
            None => Cell::text("–"),
            Some(found) if self.values.len() > 1 && Some(found) == best => {
                Cell::number(found, 3).marked(Mark::Best)
            }
            Some(found) => Cell::number(found, 3),
        }
    }
}

/// AR and P@1 in the mean that was asked for, and what else there is.
fn of_map(shown: &Shown<'_>) -> Vec<Values> {
    let relevance = |value: fn(&Relevance) -> Option<f64>| {
        shown.scored.iter().map(|scored| value(&scored.relevance)).collect()
    };
    let p_at_1 = |relevance: &Relevance| relevance.p_at_1().value();
    let mut values = vec![
        Values::new(Column::right("AR"), relevance(Relevance::ar)).below(shown.best.ar()),
        Values::new(Column::right("P@1"), relevance(p_at_1)).below(p_at_1(shown.best)),
    ];
    values.extend(others(shown));
    values.retain(|values| values.values.iter().any(Option::is_some));
    values
}

/// AR and P@1 with unjudged answers as 0 and without them, and what else there is.
fn with_judged_share(shown: &Shown<'_>) -> Vec<Values> {
    let mut values = Vec::new();
    let p_at_1 = |relevance: &Relevance| relevance.p_at_1().value();
    for (group, mean_over) in
        [("unjudged = 0", MeanOver::JudgedTopics), ("judged only", MeanOver::JudgedAnswers)]
    {
        let of = |value: fn(&Relevance) -> Option<f64>| {
            shown.scored.iter().map(|scored| value(&scored.relevance.over(mean_over))).collect()
        };
        let is_first = mean_over == MeanOver::JudgedTopics;
        let highest = shown.best.over(mean_over);
        values.push(
            Values::new(Column::right("AR").under(group), of(Relevance::ar))
                .below(highest.ar().filter(|_| is_first)),
        );
        values.push(
            Values::new(Column::right("P@1").under(group), of(p_at_1))
                .below(p_at_1(&highest).filter(|_| is_first)),
        );
    }
    values.extend(others(shown));
    values
}

/// Similarities with and without ablation, and shares of flags.
fn others(shown: &Shown<'_>) -> Vec<Values> {
    let measures: BTreeSet<&str> = shown
        .scored
        .iter()
        .flat_map(|scored| scored.similar.iter().map(|similar| similar.score.measure.as_str()))
        .collect();
    let mut columns = Vec::new();
    // LO, then CS.
    for measure in measures.into_iter().rev() {
        let similar =
            |scored: &'_ Scored| scored.similar.iter().position(|similar| similar.score.measure == measure);
        let of = |scored: &Scored| scored.similar[similar(scored)?].score.mean();
        columns.push(Values::new(Column::right(measure), shown.scored.iter().map(of).collect()));
        let all = |scored: &Scored| {
            let similar = &scored.similar[similar(scored)?];
            similar.all.as_ref().unwrap_or(&similar.score).mean()
        };
        let all: Vec<Option<f64>> = shown.scored.iter().map(all).collect();
        if !shown.references.is_empty() && columns.last().is_some_and(|last| last.values != all) {
            columns.push(Values::new(Column::right(format!("{measure}, all")), all));
        }
    }
    for (name, value) in [
        ("MG", (|scored| scored.flags.as_ref()?.machine_generated.value()) as fn(&Scored) -> Option<f64>),
        ("UI", |scored| scored.flags.as_ref()?.unrelated_information.value()),
    ] {
        let values = Values::new(Column::right(name), shown.scored.iter().map(value).collect());
        columns.push(Values { lower_is_better: true, ..values });
    }
    columns.retain(|values| values.values.iter().any(Option::is_some));
    columns
}

fn footnotes(shown: &Shown<'_>, by_map: bool) -> Vec<String> {
    let mut footnotes = Vec::new();
    if by_map {
        footnotes.push(format!(
            "AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3; over {}. System failure and \"do not know\" \
             count 0.",
            shown.best.mean_over
        ));
    } else {
        let over = match shown.best.mean_over {
            MeanOver::RelevantTopics => MeanOver::RelevantTopics,
            MeanOver::JudgedTopics | MeanOver::JudgedAnswers => MeanOver::JudgedTopics,
        };
        footnotes.push(
            "AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3. System failure and \"do not know\" count 0."
                .to_owned(),
        );
        footnotes.push(format!(
            "unjudged = 0: over {over}, an answer that is missing or was not judged counts 0. judged only: over those \
             of them whose answer was judged."
        ));
        if shown.entries.iter().any(|entry| entry.matches().is_some()) {
            footnotes.push(format!(
                "A written answer is judged if it is the text of a judged post, or an excerpt: {}. An excerpt has the \
                 grade of the whole post.",
                shown.rule
            ));
        }
    }
    if let Some(similar) = shown.scored.iter().find_map(|scored| scored.similar.first()) {
        let rules: Vec<String> = similar.score.rules.iter().map(ToString::to_string).collect();
        let rules = rules[..rules.len().saturating_sub(1)].join("; ");
        let measure = &similar.score.measure;
        footnotes.push(match by_map {
            true => format!("{measure}: {measure}; {rules}."),
            false => format!("{measure}: {rules}."),
        });
    }
    if shown.references.is_empty() {
        if shown.scored.iter().any(|scored| !scored.similar.is_empty()) {
            footnotes.push("LO leaves out references that only the run's own team returned.".to_owned());
        }
    } else {
        footnotes.extend(shown.references.iter().cloned());
        let removed = |(entry, scored): (&Entry, &Scored)| {
            let Similar { score, removed, .. } = scored.similar.first()?;
            let topics = score.num_topics();
            (*removed > 0).then(|| format!("{}: {removed} (topics left: {topics})", entry.name))
        };
        let removed: Vec<String> = shown.entries.iter().zip(shown.scored).filter_map(removed).collect();
        if !removed.is_empty() {
            footnotes.push(format!("References left out, {}. \"all\": with them.", removed.join(", ")));
        }
    }
    for (entry, scored) in shown.entries.iter().zip(shown.scored) {
        footnotes.extend(about_answers(entry, scored, shown.qrels, by_map));
    }
    footnotes.extend(shown.flags.and_then(|flags| unrelated(flags, shown.qrels)));
    footnotes
}

/// What became of the answers of a run.
fn about_answers(entry: &Entry, scored: &Scored, qrels: &Qrels, by_map: bool) -> Option<String> {
    if by_map {
        let is_missing =
            |outcome: Outcome| matches!(outcome, Outcome::AnswerNotJudged | Outcome::NotAnswered);
        let left_out = scored.relevance.left_out();
        let missing = left_out.filter(|topic| is_missing(topic.outcome)).count();
        let topics = if missing == 1 { "topic has" } else { "topics have" };
        return (missing > 0)
            .then(|| format!("{}: {missing} judged {topics} no judged answer of it.", entry.name));
    }
    let matched = Matched::of(entry, qrels)?;
    let mut sentence = format!(
        "{}: answers to judged topics: {}, whole posts: {}, excerpts: {}, neither: {}",
        entry.name,
        matched.answers(),
        matched.whole,
        matched.excerpts,
        matched.none
    );
    for (number, what) in [
        (matched.not_judged, "of posts that were not judged"),
        (matched.named_but_differs, "source named but text differs"),
        (matched.several_grades, "in posts of several grades"),
    ] {
        if number > 0 {
            sentence.push_str(&format!(", {what}: {number}"));
        }
    }
    sentence.push('.');
    Some(sentence)
}

/// How many answers of a run are what.
#[derive(Debug, Default)]
pub(super) struct Matched {
    pub(super) whole: usize,
    pub(super) excerpts: usize,
    pub(super) none: usize,
    /// Of those that agree with a post: how many with one that was not judged.
    pub(super) not_judged: usize,
    /// How many name a source whose text differs.
    pub(super) named_but_differs: usize,
    /// How many agree with posts of several grades.
    pub(super) several_grades: usize,
}

impl Matched {
    /// Counts the answers of a run; nothing if it was not asked which posts they are.
    pub(super) fn of(entry: &Entry, qrels: &Qrels) -> Option<Self> {
        let mut matched = Self::default();
        for (topic, found) in entry.matches()? {
            let grade = |post: &str| {
                let mut rows = qrels.topic(topic).into_iter().flat_map(|topic| topic.rows());
                rows.find(|row| row.doc().as_str() == post).and_then(|row| grade_of(row.judgment()))
            };
            match found.kind {
                MatchKind::Whole => matched.whole += 1,
                MatchKind::Excerpt { .. } => matched.excerpts += 1,
                MatchKind::None => matched.none += 1,
            }
            if let Some(post) = &found.post {
                let own = grade(post);
                matched.not_judged += usize::from(own.is_none());
                let mut others = found.others.iter().filter_map(|other| grade(other));
                matched.several_grades += usize::from(others.any(|grade| Some(grade) != own));
            }
            matched.named_but_differs += usize::from(found.named == NamedSource::Differs);
        }
        Some(matched)
    }

    pub(super) fn answers(&self) -> usize {
        self.whole + self.excerpts + self.none
    }
}

fn unrelated(flags: &Flags, qrels: &Qrels) -> Option<String> {
    let by_relevance = UnrelatedByRelevance::count(flags, qrels);
    let (unrelated, all) = (by_relevance.not_relevant_of_unrelated(), by_relevance.not_relevant_of_all());
    Some(format!(
        "Of answers with unrelated information {:.2} % are not relevant ({unrelated}), of all {:.2} % ({all}).",
        100.0 * unrelated.value()?,
        100.0 * all.value()?
    ))
}

#[expect(clippy::cast_precision_loss, reason = "a number of topics")]
fn count(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}

pub(super) fn per_topic(entries: &[Entry], scored: &[Scored]) -> Table {
    let mut columns = vec![Column::left("Topic"), Column::left("Run"), Column::left("Measure")];
    columns.push(Column::right("value"));
    let mut lines: Vec<(TopicId, usize, String, f64)> = Vec::new();
    for (run, scored) in scored.iter().enumerate() {
        for (topic, values) in scored.per_topic() {
            lines.extend(values.into_iter().map(|(name, value)| (topic.clone(), run, name, value)));
        }
    }
    lines.sort_by(|a, b| a.0.natural_cmp(&b.0).then(a.1.cmp(&b.1)));
    let row = |(topic, run, name, value): (TopicId, usize, String, f64)| {
        let name = Cell::text(name);
        Row::Cells(vec![
            Cell::text(topic.as_str()),
            Cell::text(entries[run].name.as_str()),
            name,
            Cell::number(value, DECIMALS),
        ])
    };
    Table { caption: Vec::new(), columns, rows: lines.into_iter().map(row).collect(), footnotes: Vec::new() }
}
