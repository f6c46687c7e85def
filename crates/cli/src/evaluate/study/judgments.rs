//! Studies of judgments alone: how much was judged and found relevant, by kind of topic and by grade.

use crate::evaluate::load::{self, Judges, NamedQrels};
use crate::evaluate::{Eval, Ids, LabRules, OutputFormat, StudyName, json, plot, refuse, score, strata};
use crate::{Exit, output};
use anyhow::{Result, ensure};
use eval::{Codes, GradeMeans, JudgedCounts, Stratum, TopicGrades, topic_grades};
use figures::table::Table;
use formats::TopicId;
use labreport::{JudgedPart, JudgedRow, Level, RelevantGroup, RelevantItems, RelevantKind, judged_table};
use std::collections::BTreeSet;

/// Judgments under the name they have in tables.
struct Judged {
    name: String,
    topics: Vec<TopicGrades>,
    /// The highest grade on their scale.
    highest: i32,
}

impl Judged {
    fn new(args: &Eval, set: &NamedQrels) -> Self {
        let topics = topic_grades(&set.qrels, Codes::Unjudged);
        let seen = topics.iter().filter_map(|topic| topic.grades.first().copied()).max().unwrap_or(0);
        let highest = match (args.task, set.judges) {
            (Some(LabRules::Ntcir10 | LabRules::Ntcir12), Judges::One) => 2,
            (Some(LabRules::Ntcir10 | LabRules::Ntcir12), Judges::All) => 4,
            (Some(LabRules::One | LabRules::Two), _) => 3,
            (Some(LabRules::Three | LabRules::Ntcir11) | None, _) => seen,
        };
        Self { name: set.name.clone(), topics, highest }
    }

    /// The grades of the topics that are kept.
    fn grades(&self, keep: impl Fn(&TopicId) -> bool) -> impl Iterator<Item = &[i32]> {
        self.topics.iter().filter(move |topic| keep(&topic.id)).map(|topic| topic.grades.as_slice())
    }
}

/// Reads the judgments and prints the study.
pub(in crate::evaluate) fn print(args: &Eval, study: StudyName) -> Result<Exit> {
    refuse::options_of_runs(args, study)?;
    refuse::options_without_effect(args)?;
    let mut sets = load::qrels(args)?;
    let judged = |sets: &[NamedQrels]| sets.iter().map(|set| Judged::new(args, set)).collect::<Vec<_>>();
    let mut instances = Vec::new();
    if args.ranking.visual_ids.is_some() {
        instances = judged(&sets);
        load::visual_ids(args, &[], &mut sets)?;
    }
    let kinds = strata::read(args, &sets.iter().map(|set| &set.qrels).collect::<Vec<_>>())?;
    let sets = judged(&sets);
    ensure!(sets.iter().any(|set| !set.topics.is_empty()), "the judgments have no grade");
    let (table, charts) = match study {
        StudyName::Relevant => {
            let items = relevant(args, &sets, &kinds);
            (items.table(), items.charts())
        }
        _ => (judged_items(args, &instances, &sets, &kinds), Vec::new()),
    };
    if let Some(dir) = &args.plot {
        let page = plot::write_judgments(args, dir, &table, charts)?;
        output::note(&format!("charts: open {}", page.display()));
    }
    output::print(rendered(args, study, table)?.as_bytes())?;
    Ok(Exit::Yes)
}

fn rendered(args: &Eval, study: StudyName, table: Table) -> Result<String> {
    let mut out = match args.format {
        OutputFormat::Json => json::study(study, &[table])?,
        format => table.render(score::table_format(format)),
    };
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Ok(out)
}

/// What the documents of the judgments are once they have been read.
fn unit(args: &Eval) -> &'static str {
    let by_instance = args.qrels_ids() == Ids::Instance;
    match (args.task, by_instance, args.ranking.visual_ids.is_some()) {
        (_, true, true) => "visually distinct formulas",
        (_, true, false) => "formula instances",
        (Some(LabRules::Two), ..) => "visually distinct formulas",
        (Some(LabRules::One), ..) => "answers",
        _ => "items",
    }
}

/// The first letter in upper case, for headings.
fn heading(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn judged_items(args: &Eval, instances: &[Judged], sets: &[Judged], kinds: &[Stratum]) -> Table {
    let rows = |sets: &[Judged]| {
        let mut rows = Vec::new();
        for set in sets {
            let mut line = |name: String, keep: &dyn Fn(&TopicId) -> bool| {
                rows.extend(JudgedCounts::of(set.grades(keep)).map(|counts| JudgedRow { name, counts }));
            };
            line(set.name.clone(), &|_| true);
            for kind in kinds {
                line(format!("– {}", kind.name), &|topic| kind.topics.contains(topic));
            }
        }
        rows
    };
    let mut parts = Vec::new();
    if !instances.is_empty() {
        parts.push(JudgedPart { heading: Some("Formula instances".to_owned()), rows: rows(instances) });
    }
    let named = matches!(args.task, Some(task) if task != LabRules::One) || !instances.is_empty();
    parts.push(JudgedPart { heading: named.then(|| heading(unit(args))), rows: rows(sets) });
    let by = args.compare.label().map(|label| format!(", by {label}")).unwrap_or_default();
    judged_table(format!("Judged and relevant items per topic{by}"), &parts)
}

fn relevant(args: &Eval, sets: &[Judged], kinds: &[Stratum]) -> RelevantItems {
    let highest = sets.iter().map(|set| set.highest).max().unwrap_or(0);
    let grades: Vec<i32> = match args.task {
        Some(LabRules::One | LabRules::Two | LabRules::Ntcir10 | LabRules::Ntcir12) => {
            (1..=highest).rev().collect()
        }
        // Scales of other collections may have gaps.
        _ => {
            let seen = sets.iter().flat_map(|set| &set.topics).flat_map(|topic| &topic.grades);
            seen.copied().filter(|grade| *grade >= 1).collect::<BTreeSet<i32>>().into_iter().rev().collect()
        }
    };
    let name = |grade: i32| match (args.task, grade) {
        (Some(LabRules::One | LabRules::Two), 3) => "High".to_owned(),
        (Some(LabRules::One | LabRules::Two), 2) => "Medium".to_owned(),
        (Some(LabRules::One | LabRules::Two), 1) => "Low".to_owned(),
        _ => format!("grade {grade}"),
    };
    let group = |set: &Judged| {
        let mut of_kinds = Vec::new();
        let mut add = |name: &str, keep: &dyn Fn(&TopicId) -> bool| {
            let means = GradeMeans::of(set.grades(keep), &grades);
            of_kinds.extend(means.map(|means| RelevantKind { name: name.to_owned(), means }));
        };
        for kind in kinds {
            add(&kind.name, &|topic| kind.topics.contains(topic));
        }
        add("all", &|_| true);
        RelevantGroup { name: set.name.clone(), highest: set.highest, kinds: of_kinds }
    };
    let unit = unit(args);
    let label = args.compare.label().unwrap_or("kind");
    let by = if kinds.is_empty() { String::new() } else { format!(" {label} of the topics and by") };
    RelevantItems {
        title: format!("Relevant {unit} by{by} grade"),
        label: label.to_owned(),
        unit: unit.to_owned(),
        levels: grades.iter().map(|grade| Level { grade: *grade, name: name(*grade) }).collect(),
        groups: sets.iter().map(group).collect(),
    }
}
