//! Plain tables of topics: two columns without a header, or any with one.

use super::read::{Builder, LineEnd, TopicFormat};
use super::{Formula, Html, Keyword, Representation, Role, Topic, Topics, arqmath, formulas, pya0};
use crate::delimited::{Delimiter, Header, Quoting, Records, quote};
use crate::error::Error;
use crate::ids::FormulaId;
use crate::source::SourceText;

/// What stands behind the topic in a table without a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Second {
    Latex,
    Text,
}

/// The names under which the id of the topic goes.
const TOPIC: [&str; 6] = ["topic", "topic_id", "qid", "query_id", "number", "id"];
const TITLE: [&str; 1] = ["title"];
const QUESTION: [&str; 2] = ["question", "body"];
const TAGS: [&str; 1] = ["tags"];
const KEYWORDS: [&str; 2] = ["keywords", "keyword"];
const FORMULA_ID: [&str; 1] = ["formula_id"];
const THREAD: [&str; 1] = ["thread_id"];
const FORMS: [(Representation, &[&str]); 6] = [
    (Representation::Latex, &["latex", "tex", "formula"]),
    (Representation::Mathml, &["mathml"]),
    (Representation::PresentationMathml, &["pmml", "presentation_mathml"]),
    (Representation::ContentMathml, &["cmml", "content_mathml"]),
    (Representation::Slt, &["slt"]),
    (Representation::Opt, &["opt"]),
];

/// Which table this is, from its first line and, without a header, from how
/// the second column looks.
pub(super) fn detect(source: &SourceText) -> Result<TopicFormat, Error> {
    let mut records = records(source, Quoting::None);
    if !records.advance()? {
        return Ok(TopicFormat::Table);
    }
    let first = records.record();
    if first.len() < 2 {
        let reason = "not a file of topics: neither XML nor JSON, and no tab in its first line";
        return Err(records.bad(0, reason));
    }
    let header = Header::new(first);
    if formulas::has_columns(&header) {
        return Ok(TopicFormat::FormulaTsv);
    }
    if pya0::has_columns(&header) {
        return Ok(TopicFormat::Pya0Tsv);
    }
    if header.find(&TOPIC).is_some() && known_columns(&header) >= 1 {
        return Ok(TopicFormat::Table);
    }
    let (mut prose, mut all) = (0, 0);
    loop {
        all += 1;
        prose += usize::from(records.record().get(1).is_some_and(looks_like_prose));
        if !records.advance()? {
            break;
        }
    }
    Ok(if 2 * prose > all { TopicFormat::TextTsv } else { TopicFormat::LatexTsv })
}

/// Words one after the other, and nothing that only formulas have.
fn looks_like_prose(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-')
    });
    !text.contains(['\\', '^', '_', '{', '=']) && words.count() >= 2
}

fn known_columns(header: &Header) -> usize {
    let forms = FORMS.iter().map(|(_, names)| *names);
    let others: [&[&str]; 4] = [&TITLE, &QUESTION, &TAGS, &KEYWORDS];
    forms.chain(others).filter(|names| header.find(names).is_some()).count()
}

fn records(source: &SourceText, quoting: Quoting) -> Records<&[u8]> {
    Records::new(&source.name, source.text.as_bytes(), Delimiter::Tab, quoting)
}

pub(super) fn read_simple(source: &SourceText, second: Second, builder: &mut Builder) -> Result<(), Error> {
    let mut records = records(source, Quoting::None);
    while records.advance()? {
        let record = records.record();
        if record.len() != 2 {
            let reason = format!("{} columns where a topic and what it asks were expected", record.len());
            return Err(records.bad(record.len().min(2), reason));
        }
        let mut topic = Topic::new(record.get(0).unwrap_or_default().trim());
        let asked = record.get(1).unwrap_or_default();
        if asked.trim().is_empty() {
            return Err(records.bad(1, format!("topic {} asks nothing", topic.id)));
        }
        match second {
            Second::Text => topic.title = Some(Html::from_text(asked)),
            Second::Latex => {
                let mut formula = Formula::new(Role::Query);
                formula.latex = Some(asked.to_owned());
                topic.formulas.push(formula);
            }
        }
        builder.push(topic, records.place(0))?;
    }
    Ok(())
}

pub(super) fn read_table(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let mut records = records(source, Quoting::Csv);
    if !records.advance()? {
        return Ok(());
    }
    let header = Header::new(records.record());
    let columns = records.record().len();
    let Some(topic_at) = header.find(&TOPIC) else {
        return Err(records.bad(0, format!("no column topic; the columns are {}", header.names())));
    };
    let forms: Vec<(Representation, usize)> =
        FORMS.iter().filter_map(|(form, names)| header.find(names).map(|at| (*form, at))).collect();
    let others =
        [&TITLE[..], &QUESTION, &TAGS, &KEYWORDS, &FORMULA_ID, &THREAD].map(|names| header.find(names));
    let used: Vec<usize> =
        forms.iter().map(|(_, at)| *at).chain(others.into_iter().flatten()).chain([topic_at]).collect();
    for at in (0..columns).filter(|at| !used.contains(at)) {
        let text = format!("the column {:?} is not used", records.record().get(at).unwrap_or_default());
        builder.note(records.place(at), text);
    }
    while records.advance()? {
        let record = records.record();
        if record.len() > columns {
            let reason = format!("{} columns where the header has {columns}", record.len());
            return Err(records.bad(columns, reason));
        }
        let field = |at: usize| Some(record.get(at).unwrap_or_default()).filter(|field| !field.is_empty());
        let [title, question, tags, keywords, formula_id, thread] = others.map(|at| at.and_then(field));
        let mut topic = Topic::new(field(topic_at).unwrap_or_default().trim());
        topic.title = title.map(Html::new);
        topic.question = question.map(Html::new);
        topic.tags = arqmath::read_tags(tags.unwrap_or_default());
        topic.keywords = read_keywords(keywords.unwrap_or_default());
        topic.thread = thread.map(str::to_owned);
        let mut formula = Formula::new(Role::Query);
        formula.id = formula_id.map(FormulaId::new);
        for (form, at) in &forms {
            if let Some(cell) = field(*at) {
                *formula.slot(formulas::classify(cell, *form)) = Some(cell.to_owned());
            }
        }
        if formula != Formula::new(Role::Query) {
            topic.formulas.push(formula);
        }
        builder.push(topic, records.place(topic_at))?;
    }
    Ok(())
}

/// Keywords separated by commas.
pub(super) fn read_keywords(text: &str) -> Vec<Keyword> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| Keyword { id: None, text: word.to_owned() }).collect()
}

pub(super) fn write_simple(topics: &Topics, second: Second, line_end: LineEnd) -> String {
    let mut table = String::new();
    for topic in topics {
        let asked = match second {
            Second::Text => {
                topic.title.as_ref().and_then(Html::as_text).map(|text| text.replace(['\n', '\t', '\r'], " "))
            }
            Second::Latex => topic.queries().next().and_then(|query| query.latex.as_deref()).map(on_one_line),
        };
        table.push_str(&format!("{}\t{}{}", topic.id, asked.unwrap_or_default(), line_end.as_str()));
    }
    table
}

/// LaTeX on one line: comments, which end with their line, go.
fn on_one_line(latex: &str) -> String {
    let mut line = String::with_capacity(latex.len());
    let mut rest = latex;
    while let Some(at) = rest.find(['\\', '%', '\n', '\t', '\r']) {
        line.push_str(&rest[..at]);
        let skip = match rest.as_bytes()[at] {
            b'\\' => {
                let escaped = rest[at + 1..].chars().next().filter(|c| !matches!(c, '\n' | '\t' | '\r'));
                line.push('\\');
                line.extend(escaped);
                1 + escaped.map_or(0, char::len_utf8)
            }
            b'%' if rest[at..].contains('\n') => rest[at..].find('\n').map_or(1, |end| end + 1),
            b'%' => {
                line.push('%');
                1
            }
            _ => {
                line.push(' ');
                1
            }
        };
        rest = &rest[at + skip..];
    }
    line.push_str(rest);
    line
}

pub(super) fn write_table(topics: &Topics, line_end: LineEnd) -> String {
    let rows: Vec<[String; 12]> = topics.iter().map(row).collect();
    let names = [
        TOPIC[0],
        FORMULA_ID[0],
        "latex",
        "mathml",
        "pmml",
        "cmml",
        "slt",
        "opt",
        TITLE[0],
        QUESTION[0],
        TAGS[0],
        KEYWORDS[0],
    ];
    let used = |at: usize| at == 0 || at == 2 || rows.iter().any(|row| !row[at].is_empty());
    let used: Vec<usize> = (0..names.len()).filter(|at| used(*at)).collect();
    let line =
        |cells: Vec<&str>| cells.into_iter().map(quote).collect::<Vec<_>>().join("\t") + line_end.as_str();
    let mut table = line(used.iter().map(|at| names[*at]).collect());
    for row in &rows {
        table.push_str(&line(used.iter().map(|at| row[*at].as_str()).collect()));
    }
    table
}

fn row(topic: &Topic) -> [String; 12] {
    let query = topic.queries().next();
    let form = |form| query.and_then(|query| query.get(form)).unwrap_or_default().to_owned();
    let keywords: Vec<&str> = topic.keywords.iter().map(|keyword| keyword.text.as_str()).collect();
    [
        topic.id.to_string(),
        query.and_then(|query| query.id.as_ref()).map(FormulaId::to_string).unwrap_or_default(),
        form(Representation::Latex),
        form(Representation::Mathml),
        form(Representation::PresentationMathml),
        form(Representation::ContentMathml),
        form(Representation::Slt),
        form(Representation::Opt),
        topic.title.as_ref().map(Html::to_string).unwrap_or_default(),
        topic.question.as_ref().map(Html::to_string).unwrap_or_default(),
        topic.tags.join(","),
        keywords.join(","),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_goes_on_one_line() {
        let check = |latex: &str, expected: &str| assert_eq!(on_one_line(latex), expected);
        check("a%\n+b", "a+b");
        check("50\\% of\na", "50\\% of a");
        check("a\\\\%x\nb\t%", "a\\\\b %");
        check("\\é\\", "\\é\\");
    }

    #[test]
    fn prose_is_not_latex() {
        assert!(looks_like_prose("How to prove Fermat's little theorem?"));
        assert!(!looks_like_prose("\\text{Frequency of this item}"));
        assert!(!looks_like_prose("ax+b"));
        assert!(!looks_like_prose("a b c"));
    }
}
