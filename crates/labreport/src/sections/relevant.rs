//! How many relevant items topics of each kind have, by grade, as in Figure 2 of the comparison of six collections
//! for formula retrieval: by the complexity of queries or, for questions, by their difficulty.

use super::labels::{LabelKinds, kinds};
use crate::counts::{Level, RelevantGroup, RelevantItems, RelevantKind};
use crate::input::TestSet;
use crate::scored::ScoredTask;
use eval::{Codes, GradeMeans, topic_grades};
use formats::TopicId;
use formats::qrels::Qrels;

/// The labels by which topics are grouped; the first one that a set has is used.
const LABELS: [&str; 2] = ["complexity", "difficulty"];

/// Judgments, who gave them and on which scale.
struct Judged<'s, 'a> {
    who: String,
    highest: i32,
    set: &'s TestSet<'a>,
    qrels: &'a Qrels,
}

/// The means of every set with labels, by all judgments and by each group of assessors; nothing without labels or
/// judgments.
pub(super) fn items(task: &ScoredTask<'_, '_>) -> Option<RelevantItems> {
    let has = |name: &&&str| task.sets.iter().any(|set| label_of(set.set, name).is_some());
    let name = *LABELS.iter().find(has)?;
    let of_one = task.task.grades.iter().map(|grade| grade.grade).max();
    let mut judged: Vec<Judged<'_, '_>> = Vec::new();
    for set in task.sets.iter().map(|set| set.set).filter(|set| label_of(set, name).is_some()) {
        let Some(qrels) = set.distinct_qrels.or(set.qrels) else { continue };
        let seen = highest(qrels);
        judged.push(Judged { who: set.name.clone(), highest: seen.max(of_one.unwrap_or(seen)), set, qrels });
        for group in &set.groups {
            let who = format!("{}, {}", set.name, group.name);
            judged.push(Judged { who, highest: of_one.unwrap_or(seen), set, qrels: group.qrels });
        }
    }
    let highest = judged.iter().map(|judged| judged.highest).max()?;
    let levels: Vec<i32> = (1..=highest).rev().collect();
    let groups: Vec<RelevantGroup> = judged
        .into_iter()
        .map(|judged| RelevantGroup {
            kinds: means(&judged, name, &levels),
            name: judged.who,
            highest: judged.highest,
        })
        .filter(|group| !group.kinds.is_empty())
        .collect();
    let is_distinct = task.sets.iter().any(|set| set.set.distinct_qrels.is_some());
    let unit = if is_distinct { "visually distinct formulas" } else { task.task.unit.many.as_str() };
    // Grades have the names of one assessor's, unless they are sums.
    let is_of_one = of_one.is_none_or(|of_one| of_one >= highest);
    let level = |grade: i32| {
        let known = task.task.grades.iter().find(|known| is_of_one && known.grade == grade);
        Level { grade, name: known.map_or_else(|| format!("grade {grade}"), |known| known.name.clone()) }
    };
    (!groups.is_empty()).then(|| RelevantItems {
        title: format!("{}: relevant {unit} by {name} of the topics and by grade.", task.task.name),
        label: name.to_owned(),
        unit: unit.to_owned(),
        levels: levels.iter().map(|grade| level(*grade)).collect(),
        groups,
    })
}

fn label_of(set: &TestSet<'_>, name: &str) -> Option<LabelKinds> {
    kinds(set).into_iter().find(|label| label.name == name)
}

fn highest(qrels: &Qrels) -> i32 {
    let topics = topic_grades(qrels, Codes::Unjudged);
    topics.iter().filter_map(|topic| topic.grades.first().copied()).max().unwrap_or(0)
}

/// The means of each kind of topics and of all, those for training left out.
fn means(judged: &Judged<'_, '_>, name: &str, levels: &[i32]) -> Vec<RelevantKind> {
    let topics = topic_grades(&judged.set.tested(judged.qrels), Codes::Unjudged);
    let mut found = Vec::new();
    let mut add = |name: &str, keep: &dyn Fn(&TopicId) -> bool| {
        let kept = topics.iter().filter(|topic| keep(&topic.id)).map(|topic| topic.grades.as_slice());
        let means = GradeMeans::of(kept, levels);
        found.extend(means.map(|means| RelevantKind { name: name.to_owned(), means }));
    };
    for (value, of_kind) in label_of(judged.set, name).iter().flat_map(|label| &label.values) {
        add(value, &|topic| of_kind.contains(topic));
    }
    add("all", &|_| true);
    found
}
