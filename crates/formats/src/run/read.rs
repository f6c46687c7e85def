//! Reading runs: every line is looked at, every problem is kept.

use super::{Row, Run, RunKind, RunLayout, RunTopic};
use crate::error::{Error, Problems};
use crate::fields::{Cutter, Fields, Span, columns_found, lines, problem, shorten};
use crate::ids::{RunTag, TopicId};
use crate::source::Source;
use foldhash::{HashMap, HashMapExt as _};

/// What stands in the second column of a TREC run.
const TREC_MARKS: [&str; 2] = ["Q0", "xxx"];

impl Run {
    /// Reads a run; a line that is not a row of it is an error.
    ///
    /// ```
    /// use formats::{Source, run::{Run, RunKind}};
    /// let run = Run::read(Source::bytes("run", "A.1\tQ0\t42\t1\t0.5\tus\r\n"), RunKind::Documents)?;
    /// let topic = run.topics().next().expect("a topic");
    /// let row = topic.rows().next().expect("a row");
    /// assert_eq!((topic.id().as_str(), row.doc().as_str(), row.score()), ("A.1", "42", 0.5));
    /// # Ok::<(), formats::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no run: all problems are listed.
    pub fn read(source: Source<'_>, kind: RunKind) -> Result<Self, Error> {
        let (run, problems) = Self::read_tolerant(source, kind)?;
        if problems.is_empty() { Ok(run) } else { Err(problems.into()) }
    }

    /// Reads what can be read of a run, and says what cannot.
    ///
    /// # Errors
    ///
    /// When the file cannot be read at all.
    pub fn read_tolerant(source: Source<'_>, kind: RunKind) -> Result<(Self, Problems), Error> {
        let source = source.read()?;
        if source.text.len() > Span::LIMIT {
            return Err(Error::File { file: source.name, reason: "is larger than 4 GiB".to_owned() });
        }
        let mut reader = Reader::new(&source.name, &source.text, kind);
        reader.rows = Some(Vec::with_capacity(source.text.len() / 32));
        let cutter = reader.read();
        let Reader { layout, topics, rows, problems, .. } = reader;
        let (topics, rows) = by_topic(topics, rows.unwrap_or_default());
        let layout = layout.unwrap_or(RunLayout::Trec);
        let mut run = Self { source, layout, cutter, tag: RunTag::from(""), topics, rows };
        if let Some(row) = run.rows.first() {
            run.tag = RunTag::from(run.field(*row, layout.score() + 1));
        }
        Ok((run, problems))
    }

    /// What [`Run::read_tolerant`] would say of a text, without keeping a row of it.
    pub(crate) fn problems_of(name: &str, text: &str, kind: RunKind) -> Problems {
        let mut reader = Reader::new(name, text, kind);
        reader.read();
        reader.problems
    }
}

/// Brings the rows of each topic together, keeping their order.
fn by_topic(topics: Vec<(TopicId, usize)>, rows: Vec<Row>) -> (Vec<RunTopic>, Vec<Row>) {
    let mut start = 0;
    let mut next: Vec<usize> = Vec::with_capacity(topics.len());
    let topics: Vec<RunTopic> = topics
        .into_iter()
        .map(|(id, count)| {
            next.push(start);
            start += count;
            RunTopic { id, rows: start - count..start }
        })
        .collect();
    if rows.is_sorted_by_key(|row| row.topic) {
        return (topics, rows);
    }
    let mut sorted = rows.clone();
    for row in rows {
        let slot = &mut next[row.topic as usize];
        sorted[*slot] = row;
        *slot += 1;
    }
    (topics, sorted)
}

/// The number that `str::parse` reads.
fn read_score(text: &str) -> Result<f64, std::num::ParseFloatError> {
    short_decimal(text).map_or_else(|| text.parse(), Ok)
}

/// A number of at most 15 digits with perhaps a point, as most scores are.
///
/// Its digits and the power of ten below them are both exact in 64 bits, so
/// that one division rounds as the general way does (Clinger, PLDI 1990).
fn short_decimal(text: &str) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > POWERS.len() {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut point = None;
    for (index, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(index),
            _ => return None,
        }
    }
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 || count > 15 {
        return None;
    }
    let decimals = point.map_or(0, |point| count - point);
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    kind: RunKind,
    layout: Option<RunLayout>,
    /// Topics with the number of their rows.
    topics: Vec<(TopicId, usize)>,
    indexes: HashMap<&'a str, u32>,
    /// The topic of the row before, which is mostly that of the next.
    last: Option<(&'a str, u32)>,
    /// The rows and topics, if they are to be kept.
    rows: Option<Vec<Row>>,
    problems: Problems,
}

impl<'a> Reader<'a> {
    fn new(name: &'a str, text: &'a str, kind: RunKind) -> Self {
        let (topics, indexes, problems) = (Vec::new(), HashMap::new(), Problems::default());
        Self { name, text, kind, layout: None, topics, indexes, last: None, rows: None, problems }
    }

    /// Reads all lines; how they were cut is given back.
    fn read(&mut self) -> Cutter {
        let text = self.text;
        let mut cutter = Cutter::default();
        for (number, start, end) in lines(text) {
            let layout = self.layout;
            let fields = cutter.cut(text, start, end, |count| match layout {
                Some(layout) => count == layout.columns(),
                None => count == 5 || count == 6,
            });
            self.row(number, Span::new(start, end), &fields);
        }
        cutter
    }

    fn row(&mut self, number: usize, line: Span, fields: &Fields) {
        let text = self.text;
        let layout = match self.layout {
            Some(layout) if fields.count() == layout.columns() => layout,
            None if fields.count() == 5 && TREC_MARKS.contains(&fields.get(1).of(text)) => {
                let (mark, names) = (fields.get(1).of(text), RunLayout::Trec.names());
                let reason =
                    format!("5 columns with {mark} where a TREC run has 6 ({names}): is the tag missing?");
                return self.problem(number, fields.get(1), reason);
            }
            None if matches!(fields.count(), 5 | 6) => self.kind.layout(fields, text),
            _ => return self.wrong_count(number, fields),
        };
        let topic = fields.get(0).of(text);
        let doc = fields.get(layout.doc());
        let score = fields.get(layout.score());
        let tag = fields.get(layout.score() + 1);
        for (span, what) in [(fields.get(0), "topic"), (doc, "document"), (tag, "tag")] {
            if span.of(text).is_empty() && what != "tag" {
                return self.problem(number, span, format!("the {what} is empty"));
            }
            if let Some(hidden) = text::hidden_character(span.of(text)) {
                let reason = format!("the {what} holds the hidden character U+{:04X}", u32::from(hidden));
                return self.problem(number, span, reason);
            }
        }
        let score = match read_score(score.of(text)) {
            Ok(value) if value.is_nan() => {
                return self.problem(number, score, "the score is not a number but NaN".to_owned());
            }
            Ok(value) if value.is_infinite() => {
                let reason = format!("the score '{}' is not finite", shorten(score.of(text)));
                return self.problem(number, score, reason);
            }
            Ok(value) => value,
            Err(_) => {
                let hint = if number == 1 { "; if the first line is a header, delete it" } else { "" };
                let reason = format!("the score '{}' is not a number{hint}", shorten(score.of(text)));
                return self.problem(number, score, reason);
            }
        };
        // A line that is no row decides nothing about the next.
        self.layout = Some(layout);
        if self.rows.is_none() {
            return;
        }
        let index = self.topic(topic);
        self.topics[index as usize].1 += 1;
        let number = u32::try_from(number).expect("a line takes at least a byte");
        if let Some(rows) = &mut self.rows {
            rows.push(Row { line, doc, number, topic: index, score });
        }
    }

    fn topic(&mut self, topic: &'a str) -> u32 {
        if let Some((last, index)) = self.last
            && last == topic
        {
            return index;
        }
        let topics = &mut self.topics;
        let index = *self.indexes.entry(topic).or_insert_with(|| {
            topics.push((TopicId::from(topic), 0));
            u32::try_from(topics.len() - 1).expect("a topic takes at least a byte")
        });
        self.last = Some((topic, index));
        index
    }

    fn wrong_count(&mut self, number: usize, fields: &Fields) {
        let found = columns_found(fields.count());
        let wanted = match self.layout {
            Some(layout) => format!("{} as in the lines before ({})", layout.columns(), layout.names()),
            None => match self.kind {
                RunKind::Documents => {
                    let (trec, task1) = (RunLayout::Trec.names(), RunLayout::Task1.names());
                    format!("6 ({trec}) or 5 ({task1})")
                }
                RunKind::Formulas => format!("6 ({})", RunLayout::Task2.names()),
            },
        };
        self.problem(number, fields.get(0), format!("{found} where a run has {wanted}"));
    }

    fn problem(&mut self, line: usize, span: Span, reason: String) {
        self.problems.push(|| problem(self.name, self.text, line, span, reason));
    }
}

impl RunKind {
    fn layout(self, fields: &Fields, text: &str) -> RunLayout {
        match (self, fields.count()) {
            (Self::Documents, 5) => RunLayout::Task1,
            (Self::Formulas, 5) => RunLayout::Task2WithoutPost,
            (Self::Formulas, _) if !TREC_MARKS.contains(&fields.get(1).of(text)) => RunLayout::Task2,
            _ => RunLayout::Trec,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::DocId;

    fn read(text: &str, kind: RunKind) -> Run {
        Run::read(Source::bytes("run", text), kind).unwrap()
    }

    fn rows(run: &Run) -> Vec<(String, String, f64)> {
        run.topics()
            .flat_map(|topic| {
                topic.rows().map(move |row| (topic.id().to_string(), row.doc().to_string(), row.score()))
            })
            .collect()
    }

    fn row(topic: &str, doc: &str, score: f64) -> (String, String, f64) {
        (topic.to_owned(), doc.to_owned(), score)
    }

    #[test]
    fn layouts_are_told_apart() {
        let trec = read("A.1 Q0 7 1 0.5 us\n", RunKind::Documents);
        assert_eq!((trec.layout(), rows(&trec)), (RunLayout::Trec, vec![row("A.1", "7", 0.5)]));
        let task1 = read("A.1\t7\t1\t0.5\tus\n", RunKind::Documents);
        assert_eq!((task1.layout(), rows(&task1)), (RunLayout::Task1, vec![row("A.1", "7", 0.5)]));
        let task2 = read("B.1\t7\t99\t1\t0.5\tus\n", RunKind::Formulas);
        assert_eq!((task2.layout(), rows(&task2)), (RunLayout::Task2, vec![row("B.1", "7", 0.5)]));
        let first = task2.topics().next().unwrap().rows().next().unwrap();
        assert_eq!((first.post(), first.rank_text(), first.tag_text()), (Some(DocId("99")), "1", "us"));
        let visual = read("B.1\txxx\t7\t1\t0.5\tus\n", RunKind::Formulas);
        assert_eq!((visual.layout(), rows(&visual)), (RunLayout::Trec, vec![row("B.1", "7", 0.5)]));
        let short = read("B.1\t7\t1\t0.5\tus\n", RunKind::Formulas);
        assert_eq!(short.layout(), RunLayout::Task2WithoutPost);
    }

    #[test]
    fn topics_that_are_mixed_are_brought_together() {
        let run = read("A Q0 1 1 3 t\nB Q0 2 1 2 t\nA Q0 3 2 1 t\n", RunKind::Documents);
        assert_eq!(rows(&run), [row("A", "1", 3.0), row("A", "3", 1.0), row("B", "2", 2.0)]);
        let lines: Vec<usize> = run.topics().flat_map(|topic| topic.rows().map(|row| row.line())).collect();
        assert_eq!(lines, [1, 3, 2]);
    }

    #[test]
    fn all_problems_are_listed_with_their_places() {
        let text = "A Q0 1 1 3 t\nA 2\nA Q0 3 1 high t\r\n\nA Q0 4 1 nan t";
        let (run, problems) = Run::read_tolerant(Source::bytes("r.tsv", text), RunKind::Documents).unwrap();
        let shown: Vec<String> = problems.kept.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "r.tsv:2:1: 2 columns where a run has 6 as in the lines before (topic, Q0, document, rank, \
                 score, tag)",
                "r.tsv:3:10: the score 'high' is not a number",
                "r.tsv:5:10: the score is not a number but NaN",
            ]
        );
        assert_eq!(rows(&run), [row("A", "1", 3.0)]);
        let error = Run::read(Source::bytes("r.tsv", text), RunKind::Documents).unwrap_err();
        assert!(error.to_string().ends_with("score, tag) (and 2 more problems)"), "{error}");
    }

    #[test]
    fn a_header_is_recognised_as_what_it_is() {
        let text = "Query_Id\tPost_Id\tRank\tScore\tRun\nA.1\t7\t1\t0.5\tus\n";
        let error = Run::read(Source::bytes("r", text), RunKind::Documents).unwrap_err().to_string();
        assert_eq!(
            error,
            "r:1:23: the score 'Score' is not a number; if the first line is a header, delete it"
        );
    }

    #[test]
    fn scores_are_finite() {
        for (score, reason) in [
            ("nan", "the score is not a number but NaN"),
            ("-inf", "the score '-inf' is not finite"),
            ("1e999", "the score '1e999' is not finite"),
            ("0,5", "the score '0,5' is not a number"),
        ] {
            let text = format!("A.1\t7\t1\t1\tus\nA.1\t8\t2\t{score}\tus\n");
            let error = Run::read(Source::bytes("r", text), RunKind::Documents).unwrap_err();
            assert_eq!(error.to_string(), format!("r:2:9: {reason}"));
        }
    }

    #[test]
    fn a_trec_run_without_its_tag_is_no_run_of_task_1() {
        let error = Run::read(Source::bytes("r", "A.1 Q0 d1 1 5\n"), RunKind::Documents).unwrap_err();
        assert_eq!(
            error.to_string(),
            "r:1:5: 5 columns with Q0 where a TREC run has 6 (topic, Q0, document, rank, score, tag): is the tag \
             missing?"
        );
    }

    #[test]
    fn a_line_that_is_no_row_does_not_decide_the_layout() {
        let text = "A.0\t\t1\t0.5\tus\nA.1\tQ0\t7\t1\t0.5\tus\n";
        let (run, problems) = Run::read_tolerant(Source::bytes("r", text), RunKind::Documents).unwrap();
        assert_eq!((run.layout(), problems.total), (RunLayout::Trec, 1));
        assert_eq!(rows(&run), [row("A.1", "7", 0.5)]);
    }

    #[test]
    fn an_empty_document_is_a_problem() {
        let error = Run::read(Source::bytes("r", "A.1\t\t1\t0.5\tus\n"), RunKind::Documents).unwrap_err();
        assert_eq!(error.to_string(), "r:1:5: the document is empty");
    }

    #[test]
    fn written_as_it_was_read() {
        for (kind, layout, text) in [
            (RunKind::Documents, RunLayout::Trec, "A.1\tQ0\t07\t1\t1.50e0\tmy run\nA.1\tQ0\t8\t2\t-3\tx\n"),
            (RunKind::Documents, RunLayout::Task1, "A.1\t7\t1\t0.10000000001\tus\n"),
            (RunKind::Formulas, RunLayout::Task2, "B.1\t7\t99\t1\t+1.0\tus\n"),
            (RunKind::Formulas, RunLayout::Task2WithoutPost, "B.1\t7\t1\t1\tus\n"),
        ] {
            let run = read(text, kind);
            assert_eq!(run.layout(), layout);
            assert_eq!(run.to_text(layout), text);
        }
    }

    #[test]
    fn a_line_that_can_be_cut_both_ways_is_cut_as_it_was_read() {
        let text = "A.1 Q0 7 1 0.9 us\nA.1\t8\t1\t0.0 0.5\t\tus\n";
        let run = read(text, RunKind::Documents);
        assert_eq!(run.to_text(RunLayout::Trec), "A.1\tQ0\t7\t1\t0.9\tus\nA.1\tQ0\t1\t0.0\t0.5\tus\n");
    }

    #[test]
    fn scores_are_read_to_the_last_bit() {
        for text in ["", "-", ".", "-.", "1.2.3", "+1", "1e3", "inf", "x", "1_0", "--1"] {
            assert_eq!(read_score(text).ok(), text.parse().ok(), "{text}");
        }
        for text in
            ["0", "-0", "-0.0", "5.", ".5", "-.5", "007", "0.1", "9007199254740993", "0.30000000000000004"]
        {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(read_score(text).unwrap().to_bits(), expected.to_bits(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn scores_are_read_as_the_standard_library_does(text in "-?[0-9]{0,16}[.]?[0-9]{0,16}") {
            let found = read_score(&text).map(f64::to_bits);
            proptest::prop_assert_eq!(found, text.parse().map(f64::to_bits));
        }
    }

    #[test]
    fn columns_have_places() {
        let run = read("A.1\tQ0\té7\t1\t0.5\tus\n", RunKind::Documents);
        let first = run.topics().next().unwrap().rows().next().unwrap();
        assert_eq!(first.column_place(4).to_string(), "run:1:13");
    }
}
