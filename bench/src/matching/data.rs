//! Judged formulas, made ready for the matcher.

use eval::{JudgedGrades, Measure, Ranked, ResultGrade};
use formula::matching::{Matcher, Prepared, Preparer, TERMS, Weights};
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;
use std::collections::HashMap;
use std::path::Path;

/// A candidate with its grade.
pub(super) struct Candidate {
    pub(super) id: String,
    grade: i32,
    formula: Prepared,
}

/// A query with everything that was judged for it.
pub(super) struct Topic {
    pub(super) name: String,
    query: Prepared,
    pub(super) candidates: Vec<Candidate>,
    pool: JudgedGrades,
}

/// The terms of every candidate's score.
pub(super) type Terms = Vec<[f32; TERMS]>;

/// nDCG', AP' and P'@10 of one topic.
pub(super) type Values = [f64; 3];

/// Reads formulas for the matcher.
pub(super) struct Reader {
    preparer: Preparer,
    reader: latex::Reader,
    to_slt: LatexToSlt,
    slt: Slt,
}

impl Reader {
    pub(super) fn new(weights: &Weights) -> Self {
        Self {
            preparer: Preparer::new(weights.clone()),
            reader: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            slt: Slt::default(),
        }
    }

    pub(super) fn latex(&mut self, source: &str, mode: Mode) -> Prepared {
        self.to_slt.read(&self.reader.read(source.as_bytes(), mode).tree, &mut self.slt);
        self.preparer.from_slt(&self.slt)
    }

    fn string(&mut self, source: &str) -> Prepared {
        if self.slt.read_repaired_into(source).is_err() {
            self.slt.clear();
        }
        self.preparer.from_slt(&self.slt)
    }

    /// The layout tree of the formula read last.
    pub(super) fn slt(&self) -> &Slt {
        &self.slt
    }
}

/// The judged pool of ARQMath-1, as layout strings.
pub(super) fn pool(data: &Path, weights: &Weights) -> Vec<Topic> {
    let mut reader = Reader::new(weights);
    let queries = testkit::read_tsv(&data.join("arqmath1-pool/queries.tsv"));
    let judged = testkit::read_tsv(&data.join("arqmath1-pool/pool.tsv"));
    let queries = queries.iter().map(|row| (row["topic"].clone(), reader.string(&row["slt"]))).collect();
    let mut reader = Reader::new(weights);
    let candidates = judged.iter().map(|row| {
        let grade = row["rel"].parse().unwrap_or(0);
        let candidate =
            Candidate { id: row["visual_id"].clone(), grade, formula: reader.string(&row["slt"]) };
        (row["topic"].clone(), candidate)
    });
    topics(queries, candidates)
}

/// The judged formulas of `arqmath-mini` for one year, as LaTeX.
pub(super) fn mini(data: &Path, year: &str, weights: &Weights) -> Vec<Topic> {
    let mut reader = Reader::new(weights);
    let data = data.join("arqmath-mini");
    let mut latex = HashMap::new();
    for row in testkit::read_tsv(&data.join("latex_representation.tsv")) {
        if row["type"] != "comment" {
            latex.entry(row["visual_id"].clone()).or_insert_with(|| row["formula"].clone());
        }
    }
    let path = data.join(format!("topics/Topics_Task2_{year}.xml"));
    let Ok(read) = formats::read_topics(formats::Source::path(&path)) else {
        println!("{}: could not be read", path.display());
        return Vec::new();
    };
    let queries = read
        .topics
        .iter()
        .filter_map(|topic| {
            let source = topic.formulas.first()?.latex.as_ref()?;
            Some((topic.id.to_string(), reader.latex(source, Mode::Query)))
        })
        .collect();
    let qrels = std::fs::read_to_string(data.join(format!("qrels/task2_{year}.qrels"))).unwrap_or_default();
    let mut reader = Reader::new(weights);
    let candidates = qrels.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [topic, _, id, grade] = fields[..] else { return None };
        let formula = reader.latex(latex.get(id)?, Mode::Document);
        let candidate = Candidate { id: id.to_owned(), grade: grade.parse().ok()?, formula };
        Some((topic.to_owned(), candidate))
    });
    let mut all = topics(queries, candidates);
    all.retain(|topic| topic.pool.num_relevant(1) > 0);
    all
}

fn topics(
    queries: Vec<(String, Prepared)>,
    candidates: impl Iterator<Item = (String, Candidate)>,
) -> Vec<Topic> {
    let mut topics: Vec<Topic> = queries
        .into_iter()
        .map(|(name, query)| Topic { name, query, candidates: Vec::new(), pool: JudgedGrades::default() })
        .collect();
    let places: HashMap<String, usize> =
        topics.iter().enumerate().map(|(place, topic)| (topic.name.clone(), place)).collect();
    for (topic, candidate) in candidates {
        if let Some(&place) = places.get(&topic) {
            topics[place].candidates.push(candidate);
        }
    }
    for topic in &mut topics {
        topic.pool = JudgedGrades::new(topic.candidates.iter().map(|candidate| candidate.grade).collect());
    }
    topics
}

impl Topic {
    /// The terms of every candidate's score.
    pub(super) fn terms(&mut self, matcher: &mut Matcher, weights: &Weights) -> Terms {
        self.query.weigh(weights);
        let query = &self.query;
        self.candidates
            .iter_mut()
            .map(|candidate| {
                candidate.formula.weigh(weights);
                matcher.score(query, &candidate.formula).terms
            })
            .collect()
    }

    /// The measures of the ranking by these terms.
    pub(super) fn measure(&self, terms: &Terms, weights: &Weights, measures: &[Measure; 3]) -> Values {
        let mut order: Vec<(f32, usize)> = terms
            .iter()
            .map(|terms| terms.iter().zip(&weights.terms).map(|(term, weight)| term * weight).sum())
            .enumerate()
            .map(|(place, score)| (score, place))
            .collect();
        order.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| self.candidates[b.1].id.cmp(&self.candidates[a.1].id))
        });
        let verdicts: Vec<ResultGrade> =
            order.iter().map(|&(_, place)| ResultGrade::graded(self.candidates[place].grade)).collect();
        let ranked = Ranked { grades: &verdicts, judged: &self.pool };
        [0, 1, 2].map(|which: usize| measures[which].score_filtered(ranked))
    }
}
