//! The labs' tables beside topics, judgments and runs, if the real data is there.

use formats::{
    FormulaId, FormulaSite, Keep, Source, TopicLabels, Wanted, read_answers, read_labels, read_visual_ids,
};
use std::collections::HashSet;
use std::path::Path;

fn labels(path: &Path, notes: usize) -> TopicLabels {
    let (labels, found) = read_labels(Source::path(path)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.len(), notes, "{found:?}");
    labels
}

fn counts(labels: &TopicLabels, name: &str) -> Vec<(String, usize)> {
    let strata = labels.strata(name).unwrap();
    strata.into_iter().map(|stratum| (stratum.value, stratum.topics.len())).collect()
}

#[test]
fn labels_of_two_years_have_the_same_strata() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let folder = data.join("arqmath-mini/topics");
    let first = labels(&folder.join("task1_2020_topic_info.json"), 1);
    let second = labels(&folder.join("task1_2021_topic_info.json"), 0);
    let table = labels(&folder.join("Task1_2021_Topic_Information.csv"), 0);
    assert_eq!((first.len(), second.len(), table.len()), (77, 71, 71));
    for name in ["difficulty", "type", "dependence"] {
        let values = |labels: &TopicLabels| {
            counts(labels, name).into_iter().map(|(value, _)| value).collect::<Vec<_>>()
        };
        assert_eq!(values(&first), values(&second), "{name}");
        assert_eq!(counts(&second, name), counts(&table, name), "{name}");
    }
    let difficulty: usize = counts(&first, "difficulty").iter().map(|(_, count)| count).sum();
    assert_eq!(difficulty, 77);
    let value = |labels: &TopicLabels, topic, name| labels.get(topic, name).unwrap().unwrap().value.clone();
    assert_eq!(value(&table, "A.201", "type"), "Proof");
    assert_eq!(value(&table, "A.212", "category"), "Computation");
    assert_eq!(value(&table, "A.300", "average rating"), "1.5");
    assert_eq!(value(&first, "A.10", "Difficulty"), "Low");
}

#[test]
fn visual_ids_of_the_formula_index() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    for name in ["latex_representation.tsv", "slt_representation.tsv"] {
        let path = data.join("arqmath-mini").join(name);
        let ids = read_visual_ids(&path, Wanted::All, Keep::Places).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ids.len(), 76_965, "{name}");
        let distinct: HashSet<_> = ids.iter().map(|(_, visual)| visual).collect();
        assert_eq!((ids.iter().count(), distinct.len()), (76_274, 37_987), "{name}");
        for (formula, visual, post, site) in [
            ("1552", "695948", "9253", FormulaSite::Answer),
            ("2618", "4097", "255", FormulaSite::Title),
            ("28299327", "2270536", "3055993", FormulaSite::Answer),
        ] {
            let place = ids.place(formula).unwrap();
            assert_eq!(ids.get(formula).unwrap().as_str(), visual);
            assert_eq!((place.post.as_str(), place.site), (post, site));
        }
        let wanted: HashSet<FormulaId> = ["2618", "no such"].into_iter().map(FormulaId::from).collect();
        assert_eq!(read_visual_ids(&path, Wanted::Only(&wanted), Keep::VisualIds).unwrap().len(), 1);
    }
    let by_visual_id = data.join("arqmath-mini/opt_representation.tsv");
    assert!(read_visual_ids(&by_visual_id, Wanted::All, Keep::VisualIds).is_err());
}

#[test]
fn answers_of_task_3() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let path = data.join("task3-2022/teams_document_id.tsv");
    let (answers, notes) = read_answers(Source::path(&path)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((answers.len(), answers.runs().count(), notes.len()), (1399, 14, 0));
    let first = answers.run("approach0-task3-run1-manual-both-extract-A").unwrap();
    assert_eq!(first.get("A.301").unwrap().as_str(), "d_1");
    assert_eq!(first.get("A.310").unwrap().as_str(), "d_10");
    let last = answers.run("TU_DBS-task3-shortest-auto-both-generate-P.tsv").unwrap();
    assert_eq!(last.get("A.400").unwrap().as_str(), "d_943");
    let distinct: HashSet<_> = answers
        .runs()
        .flat_map(|run| answers.run(run.as_str()).unwrap().all())
        .map(|(_, answer)| answer)
        .collect();
    assert_eq!(distinct.len(), 1008);
}
