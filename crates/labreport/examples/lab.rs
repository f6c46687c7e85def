//! Makes up a large lab and writes its report: eight teams with five runs in
//! each of three tasks, sixty topics, three test sets.
//!
//! ```text
//! cargo run -p hypatia-labreport --example lab -- /tmp/lab.html
//! ```
//!
//! With a folder as second argument the tables are written into it, too.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "an example fails by panicking and says what it did"
)]
#![allow(clippy::cast_precision_loss, reason = "small made-up numbers")]

use eval::task3::{ComparedAnswer, Counting, LexicalOverlap, Normalisation, Tokenizer};
use eval::{Preset, TopicPolicy, VisualIdLookup};
use formats::check::{AnswerType, Evaluation, RunType};
use formats::qrels::{Judgment, Qrels, Scale};
use formats::run::{Run, RunBuilder};
use formats::{AnswerFlags, DocId, Flag, Flags, RunTag, Source, TopicId};
use labreport::{
    Agreement, Answer, AnswerTask, AssessorId, AssessorLabels, Contribution, DataUsed, DroppedTopic, Fact,
    Grade, ItemJudgment, Judging, Kind, Lab, LabelledItem, ManyInstances, Output, PairLabels, PoolDepths,
    PoolStatistics, Pooled, PooledTopic, PostTexts, Role, SimilaritySettings, System, Task, TestSet, Topic,
    TopicLabel, TrainingRound, overview,
};
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

const TEAMS: [&str; 8] = ["approach0", "DPRL", "JU_NITS", "MathDowsers", "MIRMU", "MSM", "SCM", "TU_DBS"];
const RUNS: [&str; 5] =
    ["fusion_alpha05", "rerank_nostemmer", "ensemble_RRF", "base_10", "interpolated_text+positional"];
const TOPICS: usize = 60;
const DOCS: usize = 240;

/// Topics with judgments and runs, made up.
struct MadeUp {
    name: String,
    topics: Vec<Topic>,
    qrels: Qrels,
    runs: Vec<Run>,
    pool: PoolStatistics,
    judging: Judging,
}

/// Formula instances are called `visual_number`.
struct Looks(HashMap<String, String>);

impl VisualIdLookup for Looks {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        self.0.get(formula.as_str()).map(|id| DocId(id))
    }
}

struct Posts;

impl PostTexts for Posts {
    fn text(&self, post: DocId<'_>) -> Option<ComparedAnswer> {
        let mut rng = Rng::seeded(post.as_str().bytes().map(u64::from).sum());
        let text = words(&mut rng, 30);
        Some(ComparedAnswer { characters: text.chars().count(), text })
    }
}

fn words(rng: &mut Rng, number: usize) -> String {
    const WORDS: [&str; 24] = [
        "let",
        "the",
        "matrix",
        "norm",
        "is",
        "bounded",
        "by",
        "a",
        "limit",
        "of",
        "sum",
        "proof",
        "take",
        "any",
        "integral",
        "converges",
        "if",
        "and",
        "only",
        "we",
        "have",
        "$x^2$",
        "$\\frac{1}{n}$",
        "$\\alpha$",
    ];
    (0..number).map(|_| WORDS[rng.index(WORDS.len())]).collect::<Vec<_>>().join(" ")
}

fn systems(rng: &mut Rng, baselines: &[(&str, DataUsed, Pooled)]) -> Vec<(System, f64)> {
    let mut systems = Vec::new();
    for (run, data, pooled) in baselines {
        let system = System {
            team: "Organisers".into(),
            run: (*run).into(),
            role: Role::Baseline,
            pooled: *pooled,
            run_type: RunType::Auto,
            data: *data,
            answer_type: Some(AnswerType::Generate),
            trained_on: Vec::new(),
            models: Vec::new(),
            warnings: 0,
            filtered: 0,
        };
        systems.push((system, 0.25 + 0.2 * rng.unit()));
    }
    for (place, team) in TEAMS.iter().enumerate() {
        let skill = 0.35 + 0.5 * rng.unit();
        for (number, run) in RUNS.iter().enumerate() {
            let system = System {
                team: (*team).into(),
                run: (*run).into(),
                role: Role::Submitted(if number == 0 { Evaluation::Primary } else { Evaluation::Alternate }),
                pooled: if number == 0 { Pooled::AsPrimary } else { Pooled::AsAlternate },
                run_type: if place == 0 { RunType::Manual } else { RunType::Auto },
                data: [DataUsed::Both, DataUsed::Math, DataUsed::Both, DataUsed::Text, DataUsed::Both]
                    [number],
                answer_type: Some(if place % 3 == 2 { AnswerType::Generate } else { AnswerType::Extract }),
                models: Vec::new(),
                trained_on: if place == 1 {
                    vec!["Made-up-1".into(), "Made-up-2".into()]
                } else {
                    Vec::new()
                },
                warnings: usize::from(place == 3 && number == 4) * 3,
                filtered: 0,
            };
            systems.push((system, (skill + 0.1 * rng.unit() - 0.05).clamp(0.05, 0.95)));
        }
    }
    systems
}

fn labels(rng: &mut Rng) -> Vec<TopicLabel> {
    let mut pick =
        |name: &str, values: [&str; 3]| TopicLabel { name: name.into(), value: values[rng.index(3)].into() };
    vec![
        pick("type", ["Proof", "Computation", "Concept"]),
        pick("difficulty", ["Easy", "Medium", "Hard"]),
        pick("dependence", ["Text", "Formula", "Both"]),
    ]
}

/// A test set; formulas have up to seven instances each.
fn made_up(rng: &mut Rng, name: &str, letter: char, systems: &[(System, f64)], formulas: bool) -> MadeUp {
    let mut builders: Vec<RunBuilder> =
        systems.iter().enumerate().map(|(n, _)| RunBuilder::new(RunTag::new(format!("run{n}")))).collect();
    let mut topics = Vec::new();
    let mut qrels = String::new();
    let mut pool = PoolStatistics {
        depths: PoolDepths { primary: Some(25), alternate: Some(15) },
        seed: Some(20_220_905),
        contributions: vec![Some(Contribution { items: 0, unique_items: 0 }); systems.len()],
        many_instances: formulas.then_some(ManyInstances { more_than: 5, items: 541, of: 9_023 }),
        ..PoolStatistics::default()
    };
    let mut judging = Judging::default();
    for number in 0..TOPICS {
        let id = TopicId::new(format!("{letter}.{}", 301 + number));
        let title = format!("How does one show that {} when n > {number}?", words(rng, 5));
        topics.push(Topic { id: id.clone(), title, labels: labels(rng) });
        let hardness = 0.5 + rng.unit();
        let few = 3 + rng.index(60);
        let grades: Vec<i32> = (0..DOCS)
            .map(|doc| if doc < few { 1 + i32::try_from(rng.index(3)).unwrap() } else { 0 })
            .collect();
        let mut brought: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (system, (about, skill)) in systems.iter().enumerate() {
            let trained = about.trained_on.iter().any(|set| set == name);
            let skill = if trained { 1.2 } else { skill / hardness };
            let mut scored: Vec<(f64, usize)> = grades
                .iter()
                .enumerate()
                .map(|(doc, grade)| (skill * f64::from(*grade) + 3.2 * rng.unit(), doc))
                .collect();
            scored.sort_by(|a, b| b.0.total_cmp(&a.0));
            let depth = if about.pooled == Pooled::AsPrimary { 25 } else { 15 };
            for (rank, (score, doc)) in scored.iter().take(100).enumerate() {
                let doc_id =
                    if formulas { format!("{doc}_{}", rng.index(7)) } else { format!("{number}{doc:03}") };
                builders[system].push(&id, DocId(&doc_id), rank + 1, *score);
                if rank < depth {
                    brought.entry(*doc).or_default().insert(system);
                }
            }
        }
        let assessor = AssessorId(format!("{}", 1 + number % 6));
        for (doc, by) in &brought {
            let doc_id = if formulas { doc.to_string() } else { format!("{number}{doc:03}") };
            let unknown = rng.unit() < 0.01;
            if !unknown {
                writeln!(qrels, "{id} 0 {doc_id} {}", grades[*doc]).unwrap();
            }
            for system in by {
                let contribution = pool.contributions[*system].as_mut().unwrap();
                contribution.items += 1;
                contribution.unique_items += usize::from(by.len() == 1);
            }
            judging.judgments.push(ItemJudgment {
                topic: id.clone(),
                assessor: assessor.clone(),
                judgment: if unknown { Judgment::DoNotKnow } else { Judgment::Grade(grades[*doc]) },
                seconds: Some(5.0 + 80.0 * rng.unit() * rng.unit()),
            });
        }
        pool.topics.push(PooledTopic {
            topic: id,
            items: brought.len() + rng.index(4),
            instances: formulas.then_some(brought.len() * 2),
            judged_items: brought.len(),
            judged_instances: formulas.then_some(brought.len() + 40),
        });
    }
    agreement(rng, &mut judging, letter);
    let (qrels, _) = Qrels::read(Source::bytes("qrels", qrels), Scale::Task3).unwrap();
    let runs = builders.into_iter().map(|builder| builder.finish("run").unwrap()).collect();
    MadeUp { name: name.into(), topics, qrels, runs, pool, judging }
}

fn agreement(rng: &mut Rng, judging: &mut Judging, letter: char) {
    let person = |number: usize| AssessorId(number.to_string());
    let topic = TopicId::new(format!("{letter}.201"));
    for round in 1..=3 {
        let truth: Vec<i32> = (0..22).map(|_| i32::try_from(rng.index(4)).unwrap()).collect();
        let mut assessors = Vec::new();
        for number in 1..=6 {
            let mut label = |(item, grade): (usize, &i32)| {
                let noisy = if rng.unit() < 0.75 - 0.15 * f64::from(round) {
                    i32::try_from(rng.index(4)).unwrap()
                } else {
                    *grade
                };
                LabelledItem {
                    topic: topic.clone(),
                    item: item.to_string(),
                    judgment: Judgment::Grade(noisy),
                }
            };
            assessors.push(AssessorLabels {
                assessor: person(number),
                labels: truth.iter().enumerate().map(&mut label).collect(),
            });
        }
        judging.training.push(TrainingRound { name: format!("Round {round}"), assessors });
    }
    let mut pair = |first: usize, second: usize| {
        let mut labels = Vec::new();
        for _ in 0..120 {
            let one = i32::try_from(rng.index(4)).unwrap();
            let other = if rng.unit() < 0.4 { one } else { i32::try_from(rng.index(4)).unwrap() };
            labels.push((Judgment::Grade(one), Judgment::Grade(other)));
        }
        PairLabels { first: person(first), second: person(second), labels }
    };
    judging.agreement.push(Agreement {
        name: "After the assessment".into(),
        pairs: (1..6).map(|n| pair(n, n + 1)).collect(),
    });
    judging.dropped.push(DroppedTopic {
        topic: TopicId::new(format!("{letter}.399")),
        reason: "only one answer was assessed as high or medium".into(),
    });
}

/// The answers of all systems, their judgments and flags.
fn answers(rng: &mut Rng, topics: &[Topic], systems: &[(System, f64)]) -> (Vec<Vec<Answer>>, Qrels, Flags) {
    let mut qrels = String::new();
    let mut flags = Vec::new();
    let mut all = Vec::new();
    for (number, (about, skill)) in systems.iter().enumerate() {
        let mut answers = Vec::new();
        for topic in topics {
            let id = format!("{number}_{}", topic.id);
            let grade = if rng.unit() < *skill { 1 + rng.index(3) } else { 0 };
            if rng.unit() > 0.02 {
                writeln!(qrels, "{} 0 {id} {grade}", topic.id).unwrap();
            }
            let flag = |yes: bool| if yes { Flag::Yes } else { Flag::No };
            let generated = if about.answer_type == Some(AnswerType::Generate) { 0.8 } else { 0.2 };
            let found = AnswerFlags {
                machine_generated: flag(rng.unit() < generated),
                unrelated_information: flag(rng.unit() < if grade > 1 { 0.2 } else { 0.8 }),
            };
            flags.push((topic.id.clone(), id.clone(), found));
            let mut shared = Rng::seeded(topic.id.as_str().bytes().map(u64::from).sum());
            let text = if grade > 1 { words(&mut shared, 25) + " " + &words(rng, 6) } else { words(rng, 25) };
            answers.push(Answer { topic: topic.id.clone(), id, text: Some(text) });
        }
        all.push(answers);
    }
    let (qrels, _) = Qrels::read(Source::bytes("qrels", qrels), Scale::Task3).unwrap();
    (all, qrels, flags.iter().map(|(topic, id, flags)| (topic.clone(), DocId(id), *flags)).collect())
}

fn grades(definitions: [&str; 4]) -> Vec<Grade> {
    let names = ["High", "Medium", "Low", "Not Relevant"];
    let grade = |(place, (name, definition)): (i32, (&str, &str))| Grade {
        grade: 3 - place,
        name: name.into(),
        definition: definition.into(),
    };
    (0..).zip(names.into_iter().zip(definitions)).map(grade).collect()
}

fn test_set<'a>(made: &'a MadeUp, looks: Option<&'a Looks>, preset: Preset) -> TestSet<'a> {
    TestSet {
        name: made.name.clone(),
        topics: made.topics.clone(),
        qrels: Some(&made.qrels),
        instance_qrels: None,
        distinct_qrels: None,
        groups: Vec::new(),
        train: std::collections::BTreeSet::new(),
        pipeline: eval::Pipeline {
            duplicates: preset.duplicates(),
            depth: preset.depth(),
            visual_ids: looks.map(|looks| looks as &dyn VisualIdLookup),
            ..eval::Pipeline::default()
        },
        policy: preset.topic_policy(),
        outputs: made.runs.iter().map(|run| Some(Output::Ranking(run))).collect(),
        pool: Some(made.pool.clone()),
        judging: Some(made.judging.clone()),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of the HTML file");
    let mut rng = Rng::seeded(7);
    let looks = Looks(
        (0..DOCS).flat_map(|doc| (0..7).map(move |n| (format!("{doc}_{n}"), doc.to_string()))).collect(),
    );
    let baselines = [
        ("TF-IDF (Terrier)", DataUsed::Both, Pooled::AsAlternate),
        ("Tangent-S", DataUsed::Math, Pooled::AsAlternate),
        ("Linked posts", DataUsed::Links, Pooled::AsPrimary),
    ];
    let systems1 = systems(&mut rng, &baselines);
    let systems2 = systems(&mut rng, &baselines[1..2]);
    let systems3 = systems(&mut rng, &[("GPT-3", DataUsed::Both, Pooled::AsPrimary)]);
    let names = ["Made-up-1", "Made-up-2", "Made-up-3"];
    let sets1 = names.map(|name| made_up(&mut rng, name, 'A', &systems1, false));
    let sets2 = names.map(|name| made_up(&mut rng, name, 'B', &systems2, true));
    let (given, qrels3, flags) = answers(&mut rng, &sets1[2].topics, &systems3);

    let mut task1 = Task::new("Task 1: Answer Retrieval", "task1", Kind::Ranked(Preset::Task1));
    task1.grades = grades([
        "Sufficient to answer the complete question on its own",
        "Provides some path towards the solution. This path might come from clarifying the question, or identifying steps towards a solution",
        "Provides information that could be useful for finding or interpreting an answer, or interpreting the question",
        "Provides no information pertinent to the question or its answers",
    ]);
    task1.codes = Some("\"Do not know\" and \"system failure\" count as not judged.".into());
    task1.systems = systems1.into_iter().map(|(system, _)| system).collect();
    task1.earlier = sets1[..2].iter().map(|made| test_set(made, None, Preset::Task1)).collect();
    task1.current = test_set(&sets1[2], None, Preset::Task1);

    let mut task2 = Task::new("Task 2: Formula Retrieval", "task2", Kind::Ranked(Preset::Task2));
    task2.grades = grades([
        "Just as good as finding an exact match to the query formula would be",
        "Useful but not as good as the original formula would be",
        "There is some chance of finding something useful",
        "Not expected to be useful",
    ]);
    task2.aggregation =
        Some("The grade of a visually distinct formula is the highest of its instances.".into());
    task2.systems = systems2.into_iter().map(|(system, _)| system).collect();
    task2.earlier = sets2[..2].iter().map(|made| test_set(made, Some(&looks), Preset::Task2)).collect();
    task2.current = test_set(&sets2[2], Some(&looks), Preset::Task2);

    let overlap = LexicalOverlap { tokenizer: &Tokenizer::WordsAndLatex, counting: Counting::Bags };
    let kind = Kind::Answers(AnswerTask {
        flags: Some(&flags),
        similarity: Some(SimilaritySettings {
            measures: vec![&overlap],
            normalisation: Normalisation::Published,
            posts: Some(&Posts),
        }),
        first_answers: Some(&sets1[2].qrels),
    });
    let mut task3 = Task::new("Task 3: Open Domain Question Answering", "task3", kind);
    task3.grades = task1.grades.clone();
    task3.codes = Some("\"Do not know\" and \"system failure\" count as not relevant.".into());
    task3.systems = systems3.into_iter().map(|(system, _)| system).collect();
    task3.current = TestSet {
        name: names[2].into(),
        topics: sets1[2].topics.clone(),
        qrels: Some(&qrels3),
        policy: TopicPolicy::Judged,
        outputs: given.into_iter().map(|answers| Some(Output::Answers(answers))).collect(),
        ..TestSet::default()
    };
    let lab = Lab {
        name: "Made-up-3: a lab that never was".into(),
        about: vec!["Eight teams, three tasks, three test sets; every number follows from one seed.".into()],
        facts: vec![
            Fact { name: "program".into(), value: "hypatia 0.1.0".into() },
            Fact { name: "command".into(), value: "cargo run -p hypatia-labreport --example lab".into() },
            Fact { name: "seed".into(), value: "7".into() },
        ],
        tasks: vec![task1, task2, task3],
        notes: vec!["Nothing in this report describes a real system.".into()],
        ..Lab::default()
    };
    let report = overview(&lab).unwrap();
    let html = report.to_html();
    eprintln!("{path}: {} bytes, {} tables", html.len(), report.tables().len());
    std::fs::write(&path, html).unwrap();
    if let Some(folder) = arguments.next() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(format!("{folder}/report.md"), report.to_markdown()).unwrap();
        for file in report.latex_files() {
            std::fs::write(format!("{folder}/{}.tex", file.name), file.text).unwrap();
        }
    }
}
