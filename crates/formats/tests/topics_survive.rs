//! Topics survive being written and read, and no file makes the reader panic.

use formats::{
    Formula, FormulaId, Html, Keyword, LineEnd, Role, Site, Source, Topic, TopicFormat, Topics, read_topics,
    read_topics_as, write_topics,
};
use proptest::option::of;
use proptest::prelude::*;

/// Any text that XML can hold, rich in what needs care.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[<>&\"'\r\n\t ;#a$\\\\%,-]{1,12}", "[\\PC\r\n\t]{1,12}"]
}

fn id() -> impl Strategy<Value = String> {
    "[A-Z<&\"]\\.[0-9]{1,3}"
}

fn html() -> impl Strategy<Value = Option<Html>> {
    of(text().prop_map(Html::new))
}

fn query() -> impl Strategy<Value = Formula> {
    (of("q_[0-9]{1,3}"), of(text())).prop_map(|(id, latex)| {
        let mut formula = Formula::new(Role::Query);
        formula.id = id.map(|id| FormulaId::from(id.as_str()));
        formula.latex = latex;
        formula
    })
}

fn topics(topic: impl Strategy<Value = Topic>) -> impl Strategy<Value = Topics> {
    proptest::collection::vec(topic, 0..5).prop_map(|mut list| {
        list.sort_by(|left, right| left.id.cmp(&right.id));
        list.dedup_by(|left, right| left.id == right.id);
        list.reverse();
        Topics::new(list).unwrap()
    })
}

fn line_end() -> impl Strategy<Value = LineEnd> {
    prop_oneof![Just(LineEnd::Lf), Just(LineEnd::CrLf)]
}

fn check_round_trip(topics: &Topics, format: TopicFormat, line_end: LineEnd) -> Result<(), TestCaseError> {
    let written = write_topics(topics, format, line_end).unwrap();
    prop_assert_eq!(&written.lost, &[], "{}", written.text);
    let back = read_topics_as(Source::bytes("t", written.text.as_str()), format).unwrap();
    prop_assert_eq!(&back.topics, topics);
    prop_assert_eq!(write_topics(&back.topics, format, line_end).unwrap().text, written.text);
    Ok(())
}

proptest! {
    #[test]
    fn arqmath_survives(
        topics in topics((id(), html(), html(), proptest::collection::vec("[a-z&-][a-z<&-]{0,4}", 0..3), of(query()))
            .prop_map(|(id, title, question, tags, query)| {
                let mut topic = Topic::new(id.as_str());
                (topic.title, topic.question, topic.formulas) = (title, question, query.into_iter().collect());
                topic.tags = tags;
                topic
            })),
        line_end in line_end(),
    ) {
        check_round_trip(&topics, TopicFormat::ArqmathXml, line_end)?;
    }

    #[test]
    fn ntcir_survives(
        topics in topics((id(), proptest::collection::vec(query(), 0..3), proptest::collection::vec("[a-z<&\"]{1,9}", 0..3), any::<bool>())
            .prop_map(|(id, formulas, keywords, with_mathml)| {
                let mut topic = Topic::new(id.as_str());
                topic.formulas = formulas;
                for formula in topic.formulas.iter_mut().filter(|_| with_mathml) {
                    formula.latex = None;
                    formula.mathml = Some("<math>\n<qvar>*1*</qvar><mo>&lt;</mo></math>".to_owned());
                }
                let keyword = |text| Keyword { id: Some("w.0".to_owned()), text };
                topic.keywords = keywords.into_iter().map(keyword).collect();
                topic
            })),
        line_end in line_end(),
    ) {
        check_round_trip(&topics, TopicFormat::NtcirXml, line_end)?;
    }

    #[test]
    fn formula_tables_survive(
        cells in proptest::collection::vec((0_u8..3, of(text())), 0..6),
        line_end in line_end(),
    ) {
        let mut list: Vec<Topic> = Vec::new();
        for (number, (topic, latex)) in cells.into_iter().enumerate() {
            let id = format!("A.{topic}");
            let mut formula = Formula::new(Role::Context);
            formula.id = Some(FormulaId::new(format!("q_{number}")));
            formula.site = [Some(Site::Title), Some(Site::Body), None][number % 3];
            formula.latex = latex;
            match list.iter_mut().find(|topic| topic.id.as_str() == id) {
                Some(topic) => topic.formulas.push(formula),
                None => {
                    let mut topic = Topic::new(id.as_str());
                    topic.formulas.push(formula);
                    list.push(topic);
                }
            }
        }
        check_round_trip(&Topics::new(list).unwrap(), TopicFormat::FormulaTsv, line_end)?;
    }

    #[test]
    fn simple_tables_survive(
        topics in topics((id(), "[a-z\\\\^\"%<]{1,9}").prop_map(|(id, latex)| {
            let mut topic = Topic::new(id.as_str());
            let mut formula = Formula::new(Role::Query);
            formula.latex = Some(latex);
            topic.formulas = vec![formula];
            topic
        })),
        line_end in line_end(),
    ) {
        check_round_trip(&topics, TopicFormat::LatexTsv, line_end)?;
    }

    #[test]
    fn tables_with_a_header_survive(
        topics in topics((id(), html(), of(query())).prop_map(|(id, title, query)| {
            let mut topic = Topic::new(id.as_str());
            topic.title = title;
            topic.formulas = query.into_iter().filter(|query| query.id.is_some() || query.latex.is_some()).collect();
            topic
        })),
        line_end in line_end(),
    ) {
        check_round_trip(&topics, TopicFormat::Table, line_end)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = read_topics(Source::bytes("t", bytes));
    }

    #[test]
    fn damage_anywhere_is_read_or_refused(
        topics in topics((id(), html(), of(query())).prop_map(|(id, title, query)| {
            let mut topic = Topic::new(id.as_str());
            (topic.title, topic.formulas) = (title, query.into_iter().collect());
            topic
        })),
        format in prop_oneof![
            Just(TopicFormat::ArqmathXml), Just(TopicFormat::NtcirXml), Just(TopicFormat::Table)
        ],
        at in 0_usize..600,
        by in "[<>&\"\t\n\\[a]{0,3}",
    ) {
        let mut text = write_topics(&topics, format, LineEnd::Lf).unwrap().text;
        let at = at.min(text.len());
        if text.is_char_boundary(at) {
            text.insert_str(at, &by);
            let _ = read_topics(Source::bytes("t", text));
        }
    }
}
