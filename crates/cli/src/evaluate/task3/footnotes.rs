//! What stands below the scores of Task 3, in sentences.

use super::entries::Entry;
use super::matched::Matched;
use super::print::{Shown, measures};
use super::{Scored, Similar};
use eval::task3::{CodeRule, MeanOver, Outcome, SimilarityScore, UnrelatedByRelevance};
use formats::qrels::Qrels;
use formats::{Exposed, Flags};

/// All that is to be known about the numbers.
pub(super) fn footnotes(shown: &Shown<'_>, by_map: bool) -> Vec<String> {
    let mut footnotes = Vec::new();
    let codes = match shown.codes {
        CodeRule::Zero => "System failure and \"do not know\" count 0.",
        CodeRule::LeftOut => "Topics with system failure or \"do not know\" are left out.",
    };
    if shown.is_without_grades() {
        footnotes.push("The lab judged none of these answers, so there is no AR and no P@1.".to_owned());
    } else if by_map {
        footnotes.push(format!(
            "AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3; over {}. {codes}",
            shown.best.mean_over
        ));
    } else {
        let over = match shown.best.mean_over {
            MeanOver::RelevantTopics => MeanOver::RelevantTopics,
            MeanOver::JudgedTopics | MeanOver::JudgedAnswers => MeanOver::JudgedTopics,
        };
        footnotes.push(format!("AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3. {codes}"));
        footnotes.push(format!(
            "unjudged = 0: over {over}, an answer that is missing or was not judged counts 0. judged only: over those \
             of them whose answer was judged."
        ));
        if shown.entries.iter().any(|entry| entry.matches().is_some()) {
            footnotes.push(format!(
                "A written answer is judged if it is the text of a judged post, or an excerpt: {}. An excerpt has the \
                 grade of the whole post.",
                shown.rule
            ));
        }
    }
    footnotes.extend(Exposed::among(shown.entries.iter().flat_map(|entry| &entry.models)).note());
    let measures = measures(shown.scored);
    footnotes.extend(measures.iter().map(|(_, similar)| rules(&similar.score)));
    if !measures.is_empty() || shown.scored.iter().any(|scored| scored.flags.is_some()) {
        footnotes.push(
            "(n): over how many topics the value before it is; these may be others than those of AR."
                .to_owned(),
        );
    }
    if shown.references.is_empty() {
        if !measures.is_empty() {
            let names: Vec<&str> = measures.iter().map(|(name, _)| *name).collect();
            let leave = if names.len() == 1 { "leaves" } else { "leave" };
            let names = names.join(" and ");
            footnotes
                .push(format!("{names} {leave} out references that only the run's own team contributed."));
        }
    } else {
        footnotes.extend(shown.references.iter().cloned());
        let removed = |(entry, scored): (&Entry, &Scored)| {
            let Similar { score, removed, .. } = scored.similar.first()?;
            let topics = score.num_topics();
            (*removed > 0).then(|| format!("{}: {removed} (topics left: {topics})", entry.name))
        };
        let removed: Vec<String> = shown.entries.iter().zip(shown.scored).filter_map(removed).collect();
        if !removed.is_empty() {
            footnotes.push(format!("References left out, {}. \"all\": with them.", removed.join(", ")));
        }
    }
    for (entry, scored) in shown.entries.iter().zip(shown.scored) {
        footnotes.extend(about_answers(entry, scored, shown.qrels, by_map));
    }
    footnotes.extend(about_topics(shown));
    footnotes.extend(shown.flags.and_then(|flags| unrelated(flags, shown.qrels)));
    footnotes
}

/// What became of the answers of a run.
fn about_answers(entry: &Entry, scored: &Scored, qrels: &Qrels, by_map: bool) -> Option<String> {
    if by_map {
        let is_missing =
            |outcome: Outcome| matches!(outcome, Outcome::AnswerNotJudged | Outcome::NotAnswered);
        let left_out = scored.relevance.left_out();
        let missing = left_out.filter(|topic| is_missing(topic.outcome)).count();
        let topics = if missing == 1 { "topic has" } else { "topics have" };
        return (missing > 0)
            .then(|| format!("{}: {missing} judged {topics} no judged answer of it.", entry.name));
    }
    let matched = Matched::of(entry, &scored.relevance, qrels)?;
    let (judged, found) = (matched.judged(), matched.found());
    let mut sentence = format!(
        "{}: answers to topics of the mean: {}, of judged posts: {}, of other posts: {}, of none: {}; whole posts: {}, \
         excerpts: {}",
        entry.name,
        found.total,
        judged.count,
        matched.not_judged,
        matched.none,
        matched.whole,
        matched.excerpts,
    );
    for (number, what) in [
        (matched.named_but_differs, "source named but text differs"),
        (matched.several_grades, "in posts of several grades"),
    ] {
        if number > 0 {
            sentence.push_str(&format!(", {what}: {number}"));
        }
    }
    sentence.push('.');
    Some(sentence)
}

/// How many answers say nothing, as nobody judged their topics; in one line if this is the same for all runs.
fn about_topics(shown: &Shown<'_>) -> Vec<String> {
    let topics: Vec<usize> = shown.scored.iter().map(Scored::topics_not_judged).collect();
    let say = |run: &str, number: usize| match number {
        1 => format!("{run}: 1 answered topic is not judged."),
        _ => format!("{run}: {number} answered topics are not judged."),
    };
    match topics.as_slice() {
        [first, second, rest @ ..]
            if *first > 0 && [second].into_iter().chain(rest).all(|other| other == first) =>
        {
            vec![say("each run", *first)]
        }
        _ => {
            let runs = shown.entries.iter().zip(topics).filter(|(_, number)| *number > 0);
            runs.map(|(entry, number)| say(&entry.name, number)).collect()
        }
    }
}

/// What a similarity depends on. The last rule is about the references, of which more is said below.
fn rules(score: &SimilarityScore) -> String {
    let rules: Vec<String> = score.rules.iter().map(ToString::to_string).collect();
    format!("{}: {}.", score.measure, rules[..rules.len().saturating_sub(1)].join("; "))
}

fn unrelated(flags: &Flags, qrels: &Qrels) -> Option<String> {
    let by_relevance = UnrelatedByRelevance::count(flags, qrels);
    let (unrelated, all) = (by_relevance.not_relevant_of_unrelated(), by_relevance.not_relevant_of_all());
    Some(format!(
        "Of answers with unrelated information {:.2} % are not relevant ({unrelated}), of all {:.2} % ({all}).",
        100.0 * unrelated.value()?,
        100.0 * all.value()?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::task3::{MatchRule, Relevance, Rule, Unanswered};

    fn similar(measure: &str, rules: &[(&'static str, &str)]) -> Similar {
        let rules = rules.iter().map(|(name, value)| Rule { name, value: (*value).to_owned() }).collect();
        let (measure, unanswered) = (measure.to_owned(), Unanswered::LeftOut);
        let score = SimilarityScore { measure, rules, unanswered, topics: Vec::new() };
        Similar { score, removed: 0, all: None }
    }

    #[test]
    fn every_measure_says_what_it_depends_on() {
        let relevance = Relevance { mean_over: MeanOver::JudgedAnswers, topics: Vec::new() };
        let overlap = similar("LO", &[("tokenizer", "words and LaTeX"), ("references", "all")]);
        let contextual = similar(
            "CS",
            &[("model", "tiny"), ("layer", "2 of 3"), ("window", "512 tokens"), ("references", "all")],
        );
        let scored = Scored {
            relevance: relevance.clone(),
            similar: vec![overlap, contextual],
            flags: None,
            indicators: None,
            claims: None,
        };
        let (qrels, _) = Qrels::read(formats::Source::bytes("q", "A.1 0 d 1\n"), Default::default()).unwrap();
        let shown = Shown {
            entries: &[],
            scored: &[scored],
            best: &relevance,
            flags: None,
            qrels: &qrels,
            rule: MatchRule::default(),
            references: &[],
            codes: CodeRule::default(),
        };
        let found = footnotes(&shown, true);
        assert_eq!(
            found[1..3],
            ["LO: tokenizer: words and LaTeX.", "CS: model: tiny; layer: 2 of 3; window: 512 tokens."]
        );
        assert_eq!(found[4], "LO and CS leave out references that only the run's own team contributed.");
    }
}
