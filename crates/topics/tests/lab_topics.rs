//! How the rules do on topics of the labs, which people labelled; skipped where these are not at hand.

#![allow(clippy::print_stdout, reason = "the figures are for people who look at them")]

use formats::{Source, TopicLabels, Topics, read_labels, read_topics};
use markup::{Cleaner, Dollars, Markup};
use std::path::PathBuf;
use topics::complexity::measure;
use topics::estimate::{dependence, difficulty};
use topics::wording::{question_type, words};
use topics::{Dependence, Level, QuestionType};

fn file(name: &str) -> Option<PathBuf> {
    let path = testkit::data_dir()?.join("arqmath-mini/topics").join(name);
    path.exists().then_some(path)
}

fn topics(name: &str) -> Option<Topics> {
    Some(read_topics(Source::path(&file(name)?)).unwrap().topics)
}

#[test]
fn formula_queries_of_two_labs_fall_in_three_parts() {
    let mut points = Vec::new();
    for name in ["Topics_Task2_2020.xml", "Topics_Task2_2021.xml"] {
        let Some(topics) = topics(name) else { return testkit::skip("no topics of the labs") };
        for topic in &topics {
            let latex = topic.queries().next().unwrap().plain_latex().unwrap();
            points.push(measure(&latex::parse(&latex).tree));
        }
    }
    let all = points.len() as f64;
    let mut sorted: Vec<u32> = points.iter().map(|measure| measure.points()).collect();
    sorted.sort_unstable();
    println!(
        "{all} queries; deciles {:?}",
        (1..10).map(|tenth| sorted[sorted.len() * tenth / 10]).collect::<Vec<_>>()
    );
    println!(
        "thirds at {} and {}; most {:?}",
        sorted[sorted.len() / 3],
        sorted[sorted.len() * 2 / 3],
        sorted.last()
    );
    for level in Level::ALL {
        let share = points.iter().filter(|measure| measure.level() == level).count() as f64 / all;
        println!("{level}: {share:.3}");
        assert!((0.25..0.42).contains(&share), "{level}: {share:.3}");
    }
}

#[test]
fn estimates_against_the_labels_of_people() {
    let mut hits = [[0_usize; 2]; 3];
    let mut tables = [[[0_usize; 3]; 3]; 3];
    let mut cleaner = Cleaner::new();
    for (name, labels) in [
        ("Topics_Task1_2020.xml", "task1_2020_topic_info.json"),
        ("Topics_Task1_2021.xml", "task1_2021_topic_info.json"),
    ] {
        let (Some(topics), Some(labels)) = (topics(name), file(labels)) else {
            return testkit::skip("no topics of the labs");
        };
        let labels: TopicLabels = read_labels(Source::path(&labels)).unwrap().0;
        for topic in &topics {
            let mut plain = |html: Option<&formats::Html>, latex: &mut Vec<String>| {
                let cleaned =
                    cleaner.clean(html.map_or("", |html| html.as_str()), Markup::Html, Dollars::Text);
                latex.extend(cleaned.formulas.into_iter().map(|found| found.latex));
                words(&markup::text(&cleaned.html, |_, out| out.push(markup::MARKER)))
            };
            let mut formulas = Vec::new();
            let title = plain(topic.title.as_ref(), &mut formulas);
            let body = plain(topic.question.as_ref(), &mut formulas);
            formulas.sort();
            formulas.dedup();
            let measures: Vec<_> = formulas.iter().map(|latex| measure(&latex::parse(latex).tree)).collect();
            let terms = title.terms + body.terms;
            let most = measures.iter().map(|measure| measure.level()).max().unwrap_or(Level::Low);
            let points = measures.iter().map(|measure| measure.points()).sum();
            let label = |name: &str| Some(labels.get(topic.id.as_str(), name).ok()??.value.clone());
            let mut count = |at: usize, said: Option<usize>, found: usize| {
                if let Some(said) = said {
                    hits[at][0] += usize::from(said == found);
                    hits[at][1] += 1;
                    tables[at][said][found] += 1;
                }
            };
            let kind =
                label("type").and_then(|name| QuestionType::from_name(&name)).map(|kind| kind as usize);
            count(0, kind, question_type(&title, &body) as usize);
            let hard =
                label("difficulty").and_then(|name| Level::from_name(&name)).map(|level| level as usize);
            count(1, hard, difficulty(&topic.tags, most, terms) as usize);
            let on = label("dependence").and_then(|name| Dependence::from_name(&name)).map(|on| on as usize);
            count(2, on, dependence(terms, points) as usize);
        }
    }
    println!("type, difficulty, dependence: {hits:?}; said × found {tables:?}");
    for (at, least) in [(0, 75), (1, 45), (2, 58)] {
        assert!(hits[at][0] * 100 >= hits[at][1] * least, "{hits:?}");
    }
}
