//! Posts that may hold the answer, best first.

use crate::desk::Desk;
use crate::error::Error;
use crate::evidence::{Scales, Standing};
use formats::{DocId, order};
use index::Document;
use retrieve::{Asked, Pipeline, Ranking};
use std::collections::HashMap;

/// A post that may hold the answer.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) document: Document,
    pub(crate) id: String,
    pub(crate) standing: Standing,
}

/// The best of a ranking.
pub(crate) fn ranked(
    desk: &Desk<'_>,
    pipeline: &Pipeline,
    asked: &Asked<'_>,
    depth: usize,
) -> Result<Vec<(Document, String, f64)>, Error> {
    match desk.engine.run(pipeline, asked, depth)?.ranking {
        Ranking::Posts(hits) => Ok(hits.into_iter().map(|hit| (hit.document, hit.id, hit.score)).collect()),
        Ranking::Formulas(_) => {
            let system = pipeline.name().to_owned();
            Err(retrieve::Error::Other { system, returns: "formulas", wanted: "posts" }.into())
        }
    }
}

/// The answers to questions that were found: how alike the question is, times how alike the answer is to what
/// is asked.
pub(crate) fn of_questions(
    desk: &mut Desk<'_>,
    scales: &mut Scales<'_>,
    questions: Vec<(Document, String, f64)>,
) -> Result<Vec<(Document, String, f64)>, Error> {
    let best = highest(&questions);
    let mut answers = Vec::new();
    for (question, _, score) in questions {
        if desk.is_over() {
            return Err(retrieve::Error::Stopped.into());
        }
        for document in desk.answers(question) {
            let answer = desk.read(document)?;
            let [alike, ..] = scales.answer(&answer);
            answers.push((document, answer.id.clone(), score / best * alike));
        }
    }
    answers.sort_by(|left, right| order::compare((left.2, DocId(&left.1)), (right.2, DocId(&right.1))));
    Ok(answers)
}

fn highest(found: &[(Document, String, f64)]) -> f64 {
    found.iter().map(|(.., score)| *score).fold(f64::MIN_POSITIVE, f64::max)
}

/// Where each stands in its ranking.
pub(crate) fn standing(desk: &Desk<'_>, found: Vec<(Document, String, f64)>) -> Vec<Candidate> {
    let best = highest(&found);
    // The two best scores of each thread: an answer does not speak for itself.
    let mut threads: HashMap<Document, [f64; 2]> = HashMap::new();
    let thread_of = |document: Document| desk.question(document).unwrap_or(document);
    for (document, _, score) in &found {
        let two = threads.entry(thread_of(*document)).or_insert([0.0; 2]);
        if *score > two[0] {
            *two = [*score, two[0]];
        } else if *score > two[1] {
            two[1] = *score;
        }
    }
    let candidate = |(rank, (document, id, score)): (usize, (Document, String, f64))| {
        let two = threads[&thread_of(document)];
        let others = if score >= two[0] { two[1] } else { two[0] };
        let standing = Standing { rank, score: score / best, thread: others / best };
        Candidate { document, id, standing }
    };
    (1..).zip(found).map(candidate).collect()
}
