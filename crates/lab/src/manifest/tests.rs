//! What a `lab.toml` may say and what not.

use super::*;

fn sample() -> Manifest {
    Manifest {
        format: FORMAT,
        name: "a \"lab\"\n\u{7f}".to_owned(),
        about: "One \\ two".to_owned(),
        rules: Rules::Arqmath,
        tasks: vec![1, 2, 3],
        seed: 7,
        most_runs: 5,
        context: Context::Post,
        identical: Identical::Relevant,
        current: "2022".to_owned(),
        collection: Some(CollectionFile { path: "../x.coll".into(), fingerprint: "ab".to_owned() }),
        topic_threads: Some(CollectionFile { path: "../later.coll".into(), fingerprint: "cd".to_owned() }),
        formulas: None,
        answers: AnswerScoring::default(),
        assessor_groups: vec![AssessorGroup {
            name: "graduates".to_owned(),
            assessors: vec!["ann \"a\"".to_owned(), "bob".to_owned()],
        }],
        grades: [1, 2].into_iter().flat_map(|task| Scale::Arqmath.grades(task)).collect(),
        sets: vec![TestSet {
            name: "2022".to_owned(),
            questions: Some(SetFiles {
                topics: "topics/2022/1.xml".to_owned(),
                labels: Some("topics/2022/labels.csv".to_owned()),
                qrels: None,
            }),
            formulas: Some(SetFiles {
                topics: "topics/2022/2.xml".to_owned(),
                labels: None,
                qrels: Some("topics/2022/2.qrels".to_owned()),
            }),
        }],
    }
}

fn read(text: &str) -> Result<Manifest> {
    Manifest::read(Path::new("lab.toml"), text)
}

#[test]
fn what_is_written_is_read_back() {
    let manifest = sample();
    assert_eq!(manifest.problem(), None);
    assert_eq!(read(&manifest.to_toml()).unwrap(), manifest);
    let ntcir = Manifest {
        rules: Rules::Ntcir12,
        tasks: vec![2],
        answers: AnswerScoring::default(),
        grades: Scale::Ntcir.grades(2),
        collection: None,
        topic_threads: None,
        formulas: Some("formulas.tsv".into()),
        ..sample()
    };
    assert_eq!(read(&ntcir.to_toml()).unwrap(), ntcir);
}

#[test]
fn task_3_is_judged_as_task_1_is() {
    let manifest = sample();
    assert_eq!(manifest.grades_of(Task::Task3), manifest.grades_of(Task::Task1));
    assert_eq!(manifest.grades_of(Task::Task2)[0].grade, 3);
}

#[test]
fn mistakes_are_told_with_their_line() {
    let text = sample().to_toml().replace("seed = 7", "seed = seven");
    let message = read(&text).unwrap_err().to_string();
    assert!(message.starts_with("lab.toml: line "), "{message}");
    let message = read(&sample().to_toml().replace("format = 1", "format = 9")).unwrap_err().to_string();
    assert!(message.contains("format 9"), "{message}");
    let message = read(&sample().to_toml().replace("most_runs", "most_rums")).unwrap_err().to_string();
    assert!(message.contains("most_rums"), "{message}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let with = |change: fn(&mut Manifest)| {
        let mut manifest = sample();
        change(&mut manifest);
        manifest.problem().unwrap_or_default()
    };
    for (change, part) in [
        ((|lab| lab.tasks = vec![1, 1]) as fn(&mut Manifest), "each once"),
        (|lab| lab.tasks = vec![4], "each once"),
        (|lab| lab.name = " ".to_owned(), "no name"),
        (|lab| lab.current = "2021".to_owned(), "no set of that name"),
        (|lab| lab.sets[0].formulas = None, "no topics for task 2"),
        (|lab| lab.sets[0].name = "../x".to_owned(), "name of a set"),
        (|lab| lab.grades[0].grade = 5, "from 0 to 4"),
        (|lab| lab.grades[0].grade = 2, "twice"),
        (|lab| lab.grades.retain(|grade| grade.grade != 0), "no grade 0"),
        (|lab| lab.rules = Rules::Ntcir10, "task 2 alone"),
        (|lab| lab.sets.push(lab.sets[0].clone()), "there twice"),
        (
            |lab| {
                if let Some(files) = &mut lab.sets[0].questions {
                    files.topics = "../../etc/passwd".to_owned();
                }
            },
            "inside its folder",
        ),
    ] {
        let problem = with(change);
        assert!(problem.contains(part), "{problem:?} should say {part:?}");
    }
}

#[test]
fn ntcir_10_shows_formulas_without_context_unless_the_lab_says_otherwise() {
    let usual = [Rules::Arqmath, Rules::Ntcir10, Rules::Ntcir12].map(Rules::usual_context);
    assert_eq!(usual, [Context::Post, Context::Formula, Context::Post]);
}
