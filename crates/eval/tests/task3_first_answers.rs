//! Runs of ARQMath-1's Task 1, cut after the first answer and scored as Task 3 runs.

use eval::task3::{MeanOver, RelevanceConfig, first_answers, relevance};
use formats::Source;
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};

/// Run, judged first answers, the sum of their grades and how many are
/// relevant; counted apart from this program. Two of the runs have ties for
/// the first place.
const RUNS: [(&str, usize, i32, usize); 7] = [
    ("psu-full", 77, 33, 8),
    ("linked-mse", 71, 127, 46),
    ("approach0", 76, 55, 16),
    ("zbmath", 32, 55, 21),
    ("mathdowsers-alpha05", 77, 49, 17),
    ("mirmu-ensemble", 77, 38, 11),
    ("dprl-a3", 77, 6, 2),
];

#[test]
fn first_answers_of_task_1_runs() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the Task 1 runs are not there");
    };
    let path = data.join("arqmath-mini/official/task1_2020.qrels");
    let (qrels, _) = Qrels::read(Source::path(&path), Scale::Plain).unwrap();
    for (name, judged, sum, relevant) in RUNS {
        let path = data.join(format!("runs/task1-2020/{name}.tsv"));
        let run = Run::read(Source::path(&path), RunKind::Documents).unwrap();
        let answers = first_answers(&run).unwrap();
        let published = relevance(answers.clone(), &qrels, &RelevanceConfig::default()).unwrap();
        assert_eq!(published.num_topics(), judged, "{name}");
        assert_eq!(published.counted().map(|(_, grade)| grade).sum::<i32>(), sum, "{name}");
        assert_eq!(published.p_at_1().count, relevant, "{name}");
        let config = RelevanceConfig { mean_over: MeanOver::JudgedTopics, ..RelevanceConfig::default() };
        let all = relevance(answers, &qrels, &config).unwrap();
        assert_eq!((all.num_topics(), all.ar()), (77, Some(f64::from(sum) / 77.0)), "{name}");
    }
}
