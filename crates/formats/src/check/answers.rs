//! Rules about runs of Task 3: one answer a topic, short, and readable as text.

use super::documents::{check_tags, every_hit_is_filtered};
use super::file_name::{AnswerType, SubmissionName, Task};
use super::finding::{Findings, RuleId, Spot};
use super::submission::Submission;
use super::topics::{self, TopicSpot};
use super::{Options, mend::counted};
use crate::error::Problems;
use crate::fields::shorten;
use crate::source::Source;
use crate::task3::{LONGEST_ANSWER, Task3Answer, Task3Run};
use std::collections::HashMap;

/// Names of HTML elements that turn up in answers.
const ELEMENTS: [&str; 20] = [
    "p",
    "br",
    "div",
    "span",
    "b",
    "i",
    "em",
    "strong",
    "a",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "code",
    "pre",
    "blockquote",
    "img",
    "table",
];

/// A run of Task 3 with what could not be read of it.
pub(super) struct Answers {
    pub(super) run: Task3Run,
    /// The line of the header.
    pub(super) header: Option<usize>,
    /// What is wrong beside the header.
    pub(super) problems: Problems,
}

/// Reads the answers; a first line that is a header is told apart from broken rows.
pub(super) fn read(submission: &Submission) -> Option<Answers> {
    let source = Source::bytes(&submission.label, submission.text.as_bytes());
    let (run, mut problems) = Task3Run::read_tolerant(source).ok()?;
    let (first, line) = submission.text.lines().zip(1..).find(|(line, _)| !line.trim().is_empty())?;
    let mut fields = first.split('\t').map(str::trim);
    let is_topic = |field: &str| field.starts_with("A.") || field.starts_with("B.");
    let header = match problems.kept.first() {
        Some(problem) if problem.place.line == line => {
            let is_named = fields.clone().count() > 1
                && !fields.clone().next().is_some_and(is_topic)
                && !fields.any(|field| field.parse::<f64>().is_ok());
            is_named.then_some(line)
        }
        _ => None,
    };
    if header.is_some() {
        problems.kept.remove(0);
        problems.total -= 1;
    }
    Some(Answers { run, header, problems })
}

/// Checks a run of Task 3.
pub(super) fn check(
    submission: &Submission,
    name: Option<&SubmissionName>,
    options: &Options<'_>,
    findings: &mut Findings,
) {
    let Some(Answers { run, header, problems }) = read(submission) else { return };
    if let Some(line) = header {
        findings.error(
            RuleId::Header,
            Spot::Line(line),
            "the first line is a header".to_owned(),
            "delete it",
        );
        if run.answers.is_empty() && problems.is_empty() {
            let text = "the file has a header but no rows".to_owned();
            findings.error(RuleId::Empty, Spot::Line(line), text, "write an answer for each topic");
        }
    }
    let lines: Vec<&str> = submission.text.split('\n').collect();
    let line = |number: usize| lines.get(number - 1).copied().unwrap_or_default();
    for problem in problems.kept {
        let number = problem.place.line;
        let fields: Vec<&str> = line(number).split('\t').collect();
        let (rule, fix) = match fields.as_slice() {
            ["", _, _, _, _, _] => (RuleId::EmptyField, "write the topic"),
            [_, _, _, _, _, _] => (RuleId::Score, "write a number"),
            _ => {
                (RuleId::Columns, "write six columns with tabs, and quote answers with tabs or lines in them")
            }
        };
        findings.error(rule, Spot::Line(number), problem.reason, fix);
    }
    let extracted = name.and_then(|name| name.answer_type) == Some(AnswerType::Extract);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut spots = Vec::new();
    for answer in &run.answers {
        let topic = answer.topic.as_str();
        match seen.get(topic) {
            Some(first) => {
                let text = format!("topic {} was answered before, on line {first}", shorten(topic));
                findings.error(RuleId::Duplicate, Spot::Line(answer.line), text, "give one answer a topic");
            }
            None => {
                seen.insert(topic, answer.line);
                spots.push(TopicSpot { id: topic, place: Spot::Column(answer.line, 1) });
            }
        }
        check_row(answer, findings);
        check_text(answer, line(answer.line), findings);
        if extracted && answer.sources.trim().is_empty() {
            let text = format!("the answer to topic {} is extracted, but names no source", shorten(topic));
            findings.warning(
                RuleId::Sources,
                Spot::Line(answer.line),
                text,
                "write the posts it was taken from",
            );
        }
    }
    // A filtered answer is one topic without a hit; that all are is another matter.
    if !run.answers.is_empty() && run.answers.iter().all(|answer| !broken(answer).is_empty()) {
        every_hit_is_filtered(findings);
    }
    topics::check(&spots, Task::Task3, options.topics, findings);
    let tags = run.answers.iter().map(|answer| (answer.run.as_str(), Spot::Line(answer.line)));
    check_tags(tags, submission, name, findings);
}

fn check_row(answer: &Task3Answer, findings: &mut Findings) {
    let place = Spot::Line(answer.line);
    if answer.rank.trim() != "1" {
        let text = format!("the rank is '{}'; the only answer to a topic has rank 1", shorten(&answer.rank));
        findings.warning(RuleId::Rank, place, text, "write 1");
    }
    if !answer.score.parse::<f64>().is_ok_and(f64::is_finite) {
        let text = format!("the score '{}' is not finite", shorten(&answer.score));
        findings.error(RuleId::Score, place, text, "write a finite number");
    }
    if answer.run.trim().is_empty() {
        findings.error(RuleId::EmptyField, place, "the run is empty".to_owned(), "write the run");
    }
}

fn check_text(answer: &Task3Answer, line: &str, findings: &mut Findings) {
    let text = answer.answer.as_str();
    let topic = shorten(answer.topic.as_str());
    // A column can be named where the answer stands in the file as it is.
    let start = line.trim_end_matches('\r').strip_suffix(text).map(|before| before.chars().count());
    let spot = |index: usize| match start {
        Some(start) => Spot::Column(answer.line, start + index + 1),
        None => Spot::Line(answer.line),
    };
    if text.trim().is_empty() {
        let message = format!("the answer to topic {topic} is empty");
        findings.warning(
            RuleId::EmptyAnswer,
            Spot::Line(answer.line),
            message,
            "answer it, or leave the row out",
        );
        return;
    }
    for Broken { rule, index, text, fix } in broken(answer) {
        findings.filtered(rule, spot(index), text, fix);
    }
    let hidden = |letter: char| text::is_hidden(letter) && !matches!(letter, '\n' | '\r' | '\t');
    if let Some((index, letter)) = text.chars().enumerate().find(|(_, letter)| hidden(*letter)) {
        let message = format!("the answer holds the hidden character U+{:04X}", u32::from(letter));
        findings.warning(RuleId::Characters, spot(index), message, "delete the character");
    }
    if let Some((index, tag)) = html_tag(text) {
        let message = format!("the answer holds HTML: {tag}");
        findings.warning(RuleId::Html, spot(index), message, "write plain text with LaTeX");
    }
}

/// What is wrong with an answer that the lab filters.
pub(super) struct Broken {
    pub(super) rule: RuleId,
    /// The character that it is about, from 0.
    index: usize,
    pub(super) text: String,
    fix: String,
}

/// What is wrong with an answer, if the lab filters it.
pub(super) fn broken(answer: &Task3Answer) -> Vec<Broken> {
    let mut broken = Vec::new();
    let length = answer.answer.chars().count();
    if length > LONGEST_ANSWER {
        let topic = shorten(answer.topic.as_str());
        broken.push(Broken {
            rule: RuleId::LongAnswer,
            index: LONGEST_ANSWER,
            text: format!(
                "the answer to topic {topic} has {length} characters; {LONGEST_ANSWER} are the most"
            ),
            fix: format!("cut {}", counted(length - LONGEST_ANSWER, "character", "characters")),
        });
    }
    if let Some(index) = unmatched_dollar(&answer.answer) {
        broken.push(Broken {
            rule: RuleId::Dollars,
            index,
            text: format!("the dollar sign at character {} of the answer has no partner", index + 1),
            fix: "close the formula, or write \\$ for the sign itself".to_owned(),
        });
    }
    broken
}

/// The character of a dollar sign without partner, if there is one among those that no backslash takes away.
///
/// `$$` opens and closes a display, a single one a formula in the line; in a display single ones stand in pairs, as
/// in `\text{if $x$}`.
fn unmatched_dollar(text: &str) -> Option<usize> {
    let mut dollars = Vec::new();
    let mut backslashes = 0;
    for (index, letter) in text.chars().enumerate() {
        match letter {
            '\\' => {
                backslashes += 1;
                continue;
            }
            '$' if backslashes % 2 == 0 => dollars.push(index),
            _ => {}
        }
        backslashes = 0;
    }
    let mut open: Option<(usize, usize)> = None;
    // The single dollar sign in a display that waits for its partner.
    let mut inside: Option<usize> = None;
    let mut at = 0;
    while at < dollars.len() {
        let is_double = dollars.get(at + 1) == Some(&(dollars[at] + 1));
        let width = match open {
            Some((_, 2)) if !is_double => {
                inside = if inside.is_some() { None } else { Some(dollars[at]) };
                at += 1;
                continue;
            }
            Some((_, width)) => width,
            None if is_double => 2,
            None => 1,
        };
        open = match open {
            None => Some((dollars[at], width)),
            Some(_) if inside.is_some() => return inside,
            Some(_) => None,
        };
        at += width;
    }
    open.map(|(index, _)| index)
}

/// The first HTML tag, with the number of its first character.
fn html_tag(text: &str) -> Option<(usize, &str)> {
    text.match_indices('<').find_map(|(at, _)| {
        let inside = &text[at + 1..];
        let end = inside.find('>')?;
        let name = inside[..end].trim_start_matches('/');
        let name = name.split([' ', '/']).next()?.to_ascii_lowercase();
        let tag = &text[at..=at + 1 + end];
        (ELEMENTS.contains(&name.as_str()) && tag.len() < 60).then(|| (text[..at].chars().count(), tag))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_that_have_no_partner() {
        for (text, expected) in [
            ("$x$ and $y$", None),
            ("$x$ and $y", Some(8)),
            ("cost \\$5", None),
            ("\\\\$x", Some(2)),
            ("$$x$$ $y", Some(6)),
            ("$$x$", Some(0)),
            // An even number is not enough.
            ("Let $$x$ and y$ be", Some(4)),
            ("$x$$ and $", None),
            ("a $$ b", Some(2)),
            ("$$x \\text{ if $n$}$$", None),
            ("$$x$$$y$ $z$$w$", None),
            ("$$x $ y$$", Some(4)),
            ("a$", Some(1)),
            ("$", Some(0)),
            ("", None),
        ] {
            assert_eq!(unmatched_dollar(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_are_told_from_inequalities() {
        assert_eq!(html_tag("if $a<b$ and $c>d$"), None);
        assert_eq!(html_tag("$x<p$ <br/>"), Some((6, "<br/>")));
        assert_eq!(html_tag("é<p class='x'>"), Some((1, "<p class='x'>")));
    }
}
