//! Published figures of real runs, computed by the program.

use crate::util::Dir;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The objects that `hypatia eval` prints for files below `data`.
fn eval(data: &Path, arguments: &[&str]) -> Vec<Value> {
    let dir = Dir::new("known-figures");
    let mut command = dir.command(&["eval", "--format", "json"]);
    command.args(arguments).current_dir(data);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The values of some measures as they are printed.
fn rounded(run: &Value, measures: &[&str]) -> Vec<String> {
    let value = |name: &&str| format!("{:.4}", run["measures"][*name].as_f64().unwrap());
    measures.iter().map(value).collect()
}

#[test]
fn arqmath_runs() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the known figures are of real runs");
    };
    let measures = ["nDCG'", "MAP'", "P'@10"];
    let task2_2020_v2 = "arqmath-mini/official/task2_2020_v2.qrels";
    let task2_2020 = "arqmath-mini/official/task2_2020.qrels";
    let task1_2020 = "arqmath-mini/official/task1_2020.qrels";
    for (task, run, qrels, topics, expected) in [
        ("2", "task2-2020/tangent-s", task2_2020_v2, 45, ["0.6908", "0.4459", "0.4533"]),
        ("2", "task2-2020/tangent-s", task2_2020, 45, ["0.6888", "0.4444", "0.4533"]),
        ("1", "task1-2020/linked-mse", task1_2020, 77, ["0.2791", "0.1937", "0.3857"]),
        ("1", "task1-2020/mathdowsers-alpha05", task1_2020, 77, ["0.3446", "0.1393", "0.1623"]),
        ("1", "task1-2020/approach0", task1_2020, 77, ["0.2470", "0.0989", "0.1831"]),
        ("1", "task1-2020/mirmu-ensemble", task1_2020, 77, ["0.2378", "0.0641", "0.1390"]),
        ("1", "task1-2020/psu-full", task1_2020, 77, ["0.2625", "0.0822", "0.1156"]),
        ("1", "task1-2020/dprl-a3", task1_2020, 77, ["0.0603", "0.0150", "0.0195"]),
        ("1", "task1-2020/zbmath", task1_2020, 77, ["0.0418", "0.0222", "0.0273"]),
    ] {
        let file = format!("runs/{run}.tsv");
        for task in [&["--task", task][..], &[]] {
            let arguments = [&[file.as_str(), "--qrels", qrels], task].concat();
            let found = eval(&data, &arguments);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0]["topics"], topics, "{arguments:?}");
            assert_eq!(rounded(&found[0], &measures), expected, "{arguments:?}");
        }
    }
}

#[test]
fn every_topic_of_a_run_by_trec_eval() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the values are of a real run");
    };
    let run = "runs/task1-2020/mathdowsers-alpha05";
    let theirs = std::fs::read_to_string(data.join(format!("{run}.trec_eval-per-topic.txt"))).unwrap();
    let theirs: BTreeMap<String, String> = theirs
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            (fields[0] == "ndcg" && fields[1] != "all").then(|| (fields[1].to_owned(), fields[2].to_owned()))
        })
        .collect();
    let file = format!("{run}.tsv");
    let arguments = [&file, "--qrels", "arqmath-mini/official/task1_2020.qrels", "--topics", "judged", "-q"];
    let found = eval(&data, &arguments);
    let ours: BTreeMap<String, String> = found[0]["per_topic"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(topic, measures)| (topic.clone(), format!("{:.4}", measures["nDCG'"].as_f64().unwrap())))
        .collect();
    assert_eq!(ours.len(), 77);
    assert_eq!(ours, theirs);
}

#[test]
fn ntcir12_concrete_topics() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the figures are of a real run");
    };
    let arguments = [
        "ntcir12-wfb/runs/tangent-cft.dat",
        "--qrels",
        "ntcir12-wfb/qrels.txt",
        "--task",
        "ntcir12",
        "--topics",
        "returned",
    ];
    let found = eval(&data, &arguments);
    assert_eq!(found[0]["topics"], 20);
    let measures = ["bpref full", "bpref partial", "P@5", "P@5 partial"];
    assert_eq!(rounded(&found[0], &measures), ["0.5963", "0.7134", "0.4600", "0.9100"]);
}

#[test]
fn official_judgments() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the judgments are real ones");
    };
    let dir = Dir::new("official-judgments");
    for (name, topics, grades) in [
        ("task1_2020", 77, [35051, 2269, 1071, 733]),
        ("task1_2021", 71, [28306, 1521, 1097, 864]),
        ("task2_2020", 45, [4841, 453, 357, 423]),
        ("task2_2021", 58, [5015, 1306, 860, 934]),
    ] {
        let qrels = data.join(format!("arqmath-mini/official/{name}.qrels"));
        let qrels = qrels.to_str().unwrap();
        // A run of the right kind: one result that nobody judged.
        let topic = if name.starts_with("task1") { "A" } else { "B" };
        let text = std::fs::read_to_string(qrels).unwrap();
        let topic = text.split('\t').next().filter(|first| first.starts_with(topic)).unwrap();
        dir.write("run.tsv", format!("{topic}\tQ0\tnothing\t1\t1\tus\n"));
        let levels = "NumRel(rel=0); NumRel(rel=1); NumRel(rel=2); NumRel(rel=3)";
        let outcome = dir.run(&["eval", "run.tsv", "--qrels", qrels, "-m", levels, "--format", "json"]);
        let found: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(found[0]["topics"], topics, "{name}");
        let names = ["NumRel(rel=0)", "NumRel", "NumRel(rel=2)", "NumRel(rel=3)"];
        let counts = names.map(|name| found[0]["measures"][name].as_f64().unwrap());
        let expected: [f64; 4] = [0, 1, 2, 3].map(|level| grades[level..].iter().sum::<i32>().into());
        assert_eq!(counts, expected, "{name}");
    }
}

/// The matcher on the judged pool of ARQMath-1 stays above what Tangent-S stored there (0.777, 0.509, 0.486).
#[test]
fn the_matcher_beats_tangent_s() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the pool is of real formulas");
    };
    let dir = Dir::new("matcher-figures");
    let pool = data.join("arqmath1-pool");
    let (queries, candidates) = (pool.join("queries.tsv"), pool.join("pool.tsv"));
    let qrels: String = testkit::read_tsv(&candidates)
        .iter()
        .map(|row| format!("{} 0 {} {}\n", row["topic"], row["visual_id"], row["rel"]))
        .collect();
    let qrels = dir.write("pool.qrels", qrels);
    let run = dir.path().join("pool.run");
    let mut command = dir.command(&["formula", "rank", "--id", "visual_id", "--by", "topic", "--queries"]);
    command.arg(&queries).arg("--candidates").arg(&candidates).arg("-o").arg(&run);
    assert!(command.output().unwrap().status.success());
    let [qrels, run] = [&qrels, &run].map(|path| path.to_str().unwrap());
    let runs = eval(dir.path(), &[run, "--qrels", qrels, "--task", "2", "--ids", "visual"]);
    assert_eq!(runs[0]["topics"], 29);
    for (measure, least) in [("nDCG'", 0.83), ("MAP'", 0.60), ("P'@10", 0.50)] {
        let value = runs[0]["measures"][measure].as_f64().unwrap();
        assert!(value >= least, "{measure}: {value}");
    }
}

/// Tables 5 and 7 of "Effects of context, complexity, and clustering on evaluation for math formula retrieval".
#[test]
fn counts_and_values_of_the_comparison_of_six_collections() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the counts are of real judgments");
    };
    let dir = Dir::new("known-counts");
    let study = |arguments: &[&str]| -> Vec<String> {
        let mut command = dir.command(&["eval", "--study", "judged", "--format", "csv"]);
        command.args(arguments).current_dir(&data);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let number = |field: &str| match field.parse::<f64>() {
            Ok(number) if number.fract() != 0.0 => format!("{number:.1}"),
            _ => field.to_owned(),
        };
        let row = |line: &str| line.split(',').skip(2).map(number).collect::<Vec<_>>().join(" ");
        text.lines().skip(1).map(row).collect()
    };
    let arqmath1 = study(&["--task", "2", "--qrels", "arqmath-mini/official/task2_2020_v2.qrels"]);
    assert_eq!(arqmath1, ["45 102 159 134.9 6 62 27.4"]);
    // Concrete and wildcard queries of NTCIR-12, whose published means of judged instances are 59.5 and 74.3.
    let kind = |topic: u32| {
        format!("NTCIR12-MathWiki-{topic},{}\n", if topic <= 20 { "Concrete" } else { "Wildcard" })
    };
    dir.write("kinds.csv", format!("topic,kind\n{}", (1..=40).map(kind).collect::<String>()));
    let labels = dir.path().join("kinds.csv");
    let labels = labels.to_str().unwrap();
    let ntcir12 =
        study(&["--task", "ntcir12", "--qrels", "ntcir12-wfb/qrels.txt", "--labels", labels, "--by", "kind"]);
    assert_eq!(ntcir12[1..], ["20 30 90 60.1 14 89 41.1", "20 48 107 74.2 12 80 50.9"]);
    let mut command = dir.command(&["eval", "ntcir12-wfb/runs/tangent-cft.dat", "--task", "ntcir12"]);
    command.args([
        "--qrels",
        "ntcir12-wfb/qrels.txt",
        "-m",
        "nDCG'",
        "--topics",
        "returned",
        "--format",
        "json",
    ]);
    let output = command.current_dir(&data).output().unwrap();
    let runs: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rounded(&runs[0], &["nDCG'"]), ["0.8598"], "the published value is 0.86");
}
