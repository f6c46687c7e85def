//! Reading judgments.

use super::{Judgment, Qrels, QrelsTopic, Row, Scale};
use crate::error::{Error, Problems};
use crate::fields::{Cutter, Fields, Span, columns_found, lines, problem, shorten};
use crate::ids::TopicId;
use crate::source::{Source, SourceText};
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

impl Qrels {
    /// Reads judgments; a line that is none is an error, and so is a document
    /// that is judged twice for a topic. The notes say which grades were cut.
    ///
    /// ```
    /// use formats::{Source, qrels::{Judgment, Qrels, Scale}};
    /// let (qrels, notes) = Qrels::read(Source::bytes("q", "A.1 0 42 2.0\r\n"), Scale::Plain)?;
    /// let topic = qrels.topics().next().expect("a topic");
    /// let row = topic.rows().next().expect("a row");
    /// assert_eq!((row.doc().as_str(), row.judgment()), ("42", Judgment::Grade(2)));
    /// assert!(notes.is_empty());
    /// # Ok::<(), formats::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds something else: all problems are listed.
    pub fn read(source: Source<'_>, scale: Scale) -> Result<(Self, Problems), Error> {
        let source = source.read()?;
        if source.text.len() > Span::LIMIT {
            return Err(Error::File { file: source.name, reason: "is larger than 4 GiB".to_owned() });
        }
        let mut reader = Reader {
            source: &source,
            scale,
            topics: Vec::new(),
            indexes: HashMap::new(),
            last: None,
            rows: Vec::with_capacity(source.text.len() / 16),
            problems: Problems::default(),
            notes: Problems::default(),
        };
        let text = source.text.as_str();
        let mut cutter = Cutter::default();
        for (number, start, end) in lines(text) {
            let fields = cutter.cut(text, start, end, |count| count == 4);
            reader.row(number, &fields);
        }
        reader.duplicates();
        let Reader { topics, rows, problems, notes, .. } = reader;
        if !problems.is_empty() {
            return Err(problems.into());
        }
        if rows.is_empty() {
            return Err(Error::File { file: source.name, reason: "holds no judgments".to_owned() });
        }
        let mut sorted = rows;
        sorted.sort_by_key(|(topic, _)| *topic);
        let mut start = 0;
        let topics = topics
            .into_iter()
            .map(|(id, count)| {
                start += count;
                QrelsTopic { id, rows: start - count..start }
            })
            .collect();
        let rows = sorted.into_iter().map(|(_, row)| row).collect();
        Ok((Self { source, topics, rows }, notes))
    }
}

struct Reader<'a> {
    source: &'a SourceText,
    scale: Scale,
    topics: Vec<(TopicId, usize)>,
    indexes: HashMap<&'a str, usize>,
    /// The topic of the row before, which is mostly that of the next.
    last: Option<(&'a str, usize)>,
    rows: Vec<(usize, Row)>,
    problems: Problems,
    notes: Problems,
}

impl<'a> Reader<'a> {
    fn row(&mut self, number: usize, fields: &Fields) {
        let text = self.source.text.as_str();
        if fields.count() != 4 {
            let found = columns_found(fields.count());
            let reason = format!("{found} where judgments have 4 (topic, 0, document, grade)");
            return self.problem(number, fields.get(0), reason);
        }
        let [topic, mark, doc, grade] = [0, 1, 2, 3].map(|index| fields.get(index));
        for (span, what) in [(topic, "topic"), (doc, "document")] {
            if span.of(text).is_empty() {
                return self.problem(number, span, format!("the {what} is empty"));
            }
            if let Some(hidden) = text::hidden_character(span.of(text)) {
                let reason = format!("the {what} holds the hidden character U+{:04X}", u32::from(hidden));
                return self.problem(number, span, reason);
            }
        }
        let judgment = match judgment(grade.of(text), self.scale) {
            Ok(Graded { judgment, fraction: Fraction::None }) => judgment,
            Ok(Graded { judgment, fraction: Fraction::CutOff }) => {
                let shown = shorten(grade.of(text));
                let reason = format!("the grade {shown} is cut to a whole number, as trec_eval does");
                self.note(number, grade, reason);
                judgment
            }
            Err(reason) => {
                let is_word = grade.of(text).starts_with(char::is_alphabetic);
                let hint =
                    if number == 1 && is_word { "; if the first line is a header, delete it" } else { "" };
                return self.problem(number, grade, format!("{reason}{hint}"));
            }
        };
        let index = self.topic(topic.of(text));
        self.topics[index].1 += 1;
        let number = u32::try_from(number).expect("a line takes at least a byte");
        self.rows.push((index, Row { mark, doc, grade, number, judgment }));
    }

    fn topic(&mut self, topic: &'a str) -> usize {
        if let Some((last, index)) = self.last
            && last == topic
        {
            return index;
        }
        let topics = &mut self.topics;
        let index = *self.indexes.entry(topic).or_insert_with(|| {
            topics.push((TopicId::from(topic), 0));
            topics.len() - 1
        });
        self.last = Some((topic, index));
        index
    }

    fn duplicates(&mut self) {
        let text = self.source.text.as_str();
        let mut seen: HashSet<(usize, &str)> = HashSet::with_capacity(self.rows.len());
        let again: Vec<(usize, Row)> = self
            .rows
            .iter()
            .filter(|(topic, row)| !seen.insert((*topic, row.doc.of(text))))
            .copied()
            .collect();
        for (topic, row) in again {
            let reason = format!(
                "document {} is judged a second time for topic {}",
                shorten(row.doc.of(text)),
                self.topics[topic].0
            );
            self.problem(row.number as usize, row.doc, reason);
        }
    }

    fn problem(&mut self, line: usize, span: Span, reason: String) {
        self.problems.push(|| problem(&self.source.name, &self.source.text, line, span, reason));
    }

    fn note(&mut self, line: usize, span: Span, reason: String) {
        self.notes.push(|| problem(&self.source.name, &self.source.text, line, span, reason));
    }
}

struct Graded {
    judgment: Judgment,
    fraction: Fraction,
}

enum Fraction {
    None,
    CutOff,
}

/// A grade: a whole number, perhaps with a fraction; letters and codes by the scale.
fn judgment(text: &str, scale: Scale) -> Result<Graded, String> {
    let letter = match (scale, text) {
        (Scale::Ntcir, "N") => Some(0),
        (Scale::Ntcir, "P") => Some(1),
        (Scale::Ntcir, "R") => Some(2),
        _ => None,
    };
    if let Some(grade) = letter {
        return Ok(Graded { judgment: Judgment::Grade(grade), fraction: Fraction::None });
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("the grade '{}' is not a number", shorten(text)));
    }
    let grade: i32 = match whole.parse() {
        Ok(grade) => grade,
        Err(error)
            if matches!(
                error.kind(),
                std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow
            ) =>
        {
            return Err(format!("the grade {} is out of range", shorten(text)));
        }
        Err(_) => return Err(format!("the grade '{}' is not a number", shorten(text))),
    };
    let fraction = if fraction.bytes().all(|byte| byte == b'0') { Fraction::None } else { Fraction::CutOff };
    let judgment = match (scale, grade) {
        (_, ..0) => Judgment::Unjudged,
        (Scale::Task3 | Scale::Coded, 5) => Judgment::SystemFailure,
        (Scale::Task3 | Scale::Coded, 6) => Judgment::DoNotKnow,
        (Scale::Task3, 4 | 7..) => {
            return Err(format!("{grade} is neither a grade (0 to 3) nor one of Task 3's codes 5 and 6"));
        }
        _ if text.starts_with('-') => Judgment::Unjudged,
        _ => Judgment::Grade(grade),
    };
    Ok(Graded { judgment, fraction })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::DocId;

    fn check(text: &str, scale: Scale, expected: &[(&str, &str, Judgment)]) {
        let (qrels, _) = Qrels::read(Source::bytes("q", text), scale).unwrap();
        let found: Vec<(&str, &str, Judgment)> = qrels
            .topics()
            .flat_map(|topic| {
                topic.rows().map(move |row| (topic.id().as_str(), row.doc().as_str(), row.judgment()))
            })
            .collect();
        assert_eq!(found, expected);
    }

    fn problems(text: &str, scale: Scale) -> Vec<String> {
        match Qrels::read(Source::bytes("q", text), scale) {
            Err(Error::Problems(problems)) => problems.kept.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn judgments_of_some_topics() {
        let text = "A.2 0 d 1\nA.1 0 a 3\nA.1 0 b 0\nA.3 0 c 2\n";
        let (qrels, _) = Qrels::read(Source::bytes("q", text), Scale::Plain).unwrap();
        let only = qrels.only(|topic| topic.as_str() != "A.2");
        assert_eq!(only.to_text(), "A.1\t0\ta\t3\nA.1\t0\tb\t0\nA.3\t0\tc\t2\n");
        assert_eq!((only.num_rows(), only.topics().len()), (3, 2));
        assert!(only.topic(&TopicId::from("A.2")).is_none());
    }

    #[test]
    fn separators_line_ends_and_marks_of_any_kind() {
        let text = "A.1\t0\t7\t2\r\nA.1 xxx  8 1.0\nA.1\tQ0\tVan der Waerden:3\t0";
        let grade = Judgment::Grade;
        let expected =
            [("A.1", "7", grade(2)), ("A.1", "8", grade(1)), ("A.1", "Van der Waerden:3", grade(0))];
        check(text, Scale::Plain, &expected);
    }

    #[test]
    fn codes_and_letters_are_typed() {
        check(
            "A 0 x 5\nA 0 y 6\nA 0 z -1\n",
            Scale::Plain,
            &[("A", "x", Judgment::Grade(5)), ("A", "y", Judgment::Grade(6)), ("A", "z", Judgment::Unjudged)],
        );
        check(
            "A 0 x 5\nA 0 y 6\nA 0 z 3\n",
            Scale::Task3,
            &[
                ("A", "x", Judgment::SystemFailure),
                ("A", "y", Judgment::DoNotKnow),
                ("A", "z", Judgment::Grade(3)),
            ],
        );
        check(
            "A 0 x R\nA 0 y N\nA 0 z 4.0\n",
            Scale::Ntcir,
            &[("A", "x", Judgment::Grade(2)), ("A", "y", Judgment::Grade(0)), ("A", "z", Judgment::Grade(4))],
        );
    }

    #[test]
    fn fractions_are_cut_with_a_note() {
        let (qrels, notes) =
            Qrels::read(Source::bytes("q", "A 0 x 2.7\nA 0 y -0.5\n"), Scale::Plain).unwrap();
        let found: Vec<Judgment> = qrels.topics().next().unwrap().rows().map(|row| row.judgment()).collect();
        assert_eq!(found, [Judgment::Grade(2), Judgment::Unjudged]);
        assert_eq!(notes.total, 2);
        assert_eq!(
            notes.kept[0].to_string(),
            "q:1:7: the grade 2.7 is cut to a whole number, as trec_eval does"
        );
    }

    #[test]
    fn what_is_wrong_is_listed() {
        assert_eq!(
            problems("A 0 x 1\nA 0 y\nA 0 x 2\nA 0 z good\nA 0 w 99999999999\nA 0 v 1e1\n", Scale::Plain),
            [
                "q:2:1: 3 columns where judgments have 4 (topic, 0, document, grade)",
                "q:4:7: the grade 'good' is not a number",
                "q:5:7: the grade 99999999999 is out of range",
                "q:6:7: the grade '1e1' is not a number",
                "q:3:5: document x is judged a second time for topic A",
            ]
        );
        assert_eq!(
            problems("A 0 x 4\n", Scale::Task3),
            ["q:1:7: 4 is neither a grade (0 to 3) nor one of Task 3's codes 5 and 6"]
        );
        assert_eq!(
            problems("topic iter doc grade\nA 0 x\u{200B} 1\n", Scale::Plain),
            [
                "q:1:16: the grade 'grade' is not a number; if the first line is a header, delete it",
                "q:2:5: the document holds the hidden character U+200B",
            ]
        );
        let empty = Qrels::read(Source::bytes("q", "\n\n"), Scale::Plain).unwrap_err();
        assert_eq!(empty.to_string(), "q: holds no judgments");
    }

    #[test]
    fn written_as_it_was_read() {
        let text = "B\txxx\tTitle:1\t2.0\nB\txxx\tTitle:2\t-1\nA\t0\tx\t3\n";
        assert_eq!(Qrels::read(Source::bytes("q", text), Scale::Plain).unwrap().0.to_text(), text);
    }

    #[test]
    fn a_visual_id_has_the_highest_grade_of_its_instances() {
        let text = "B 0 1 0\nB 0 2 0\nB 0 3 1\nB 0 4 -1\nB 0 5 3\n";
        let qrels = Qrels::read(Source::bytes("q", text), Scale::Plain).unwrap().0;
        let visual = |doc: DocId<'_>| match doc.as_str() {
            "1" | "2" | "3" => Some("10".to_owned()),
            "4" => Some("20".to_owned()),
            _ => None,
        };
        let (by_visual, without) = qrels.by_visual_id(visual).unwrap();
        assert_eq!(by_visual.to_text(), "B\t0\t10\t1\nB\t0\t20\t-1\n");
        assert_eq!(without, 1);
    }

    #[test]
    fn two_judges_are_summed() {
        let read = |text: &str| Qrels::read(Source::bytes("q", text), Scale::Ntcir).unwrap().0;
        let (sum, partial) =
            Qrels::sum(&[read("T 0 a R\nT 0 b P\n"), read("T 0 a P\nT 0 b P\nT 0 c R\n")]).unwrap();
        assert_eq!(sum.to_text(), "T\t0\ta\t3\nT\t0\tb\t2\nT\t0\tc\t2\n");
        assert_eq!(partial, 1);
    }
}
