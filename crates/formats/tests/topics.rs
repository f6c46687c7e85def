//! Topics in every format: what is read, what is refused, what survives writing.

use formats::{
    Formula, FormulaId, Html, Keyword, LineEnd, Representation, Role, Site, Source, Topic, TopicFile,
    TopicFormat, Topics, read_topics, read_topics_as, write_topic_formulas, write_topics,
};

fn read(text: &str) -> TopicFile {
    read_topics(Source::bytes("t", text)).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn check_error(text: &str, expected: &str) {
    let error = read_topics(Source::bytes("t", text)).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{text}\n{error}");
}

fn formula(role: Role, id: Option<&str>, latex: &str) -> Formula {
    let mut formula = Formula::new(role);
    formula.id = id.map(FormulaId::from);
    formula.latex = Some(latex.to_owned());
    formula
}

const TASK_1: &str = "<?xml version=\"1.0\" ?>
<Topics>
   <Topic number=\"A.1\">
      <Title>On &lt;span class=&quot;math-container&quot; id=&quot;q_1&quot;&gt;$x$&lt;/span&gt;</Title>
      <Question>&lt;p&gt;Is &lt;span class=&quot;math-container&quot; id=&quot;q_2&quot;&gt;$$x &amp;lt; 1$$&lt;/span&gt;?&lt;/p&gt;</Question>
      <Tags>algebra,limits</Tags>
   </Topic>
</Topics>
";

const TASK_2: &str = "<?xml version=\"1.0\" ?>
<Topics>
   <Topic number=\"B.1\">
      <Formula_Id>q_2</Formula_Id>
      <Latex> x &lt; 1</Latex>
      <Title>On x</Title>
      <Question>Why?</Question>
      <Tags/>
   </Topic>
</Topics>
";

const NTCIR: &str =
    "<topics xmlns:m=\"http://www.w3.org/1998/Math/MathML\" xmlns:mws=\"http://search.mathweb.org/ns\">
<topic><num>N-1</num><type>Content-Query</type><query>
<formula id=\"f.0\"><m:math><m:semantics><m:mi>x</m:mi><mws:qvar name=\"a\"/>
<m:annotation encoding=\"application/x-tex\">x \\qvar{a}&amp;</m:annotation></m:semantics></m:math></formula>
<formula id=\"f.1\"><m:math><m:mn>1</m:mn></m:math></formula>
<keyword id=\"w.0\">prime number</keyword><keyword id=\"w.1\">sieve</keyword>
</query></topic>
</topics>";

#[test]
fn arqmath_task_1() {
    let file = read(TASK_1);
    assert_eq!((file.format, file.line_end, file.notes.len()), (TopicFormat::ArqmathXml, LineEnd::Lf, 0));
    let topic = file.topics.get("A.1").unwrap();
    assert_eq!(topic.tags, ["algebra", "limits"]);
    assert!(topic.formulas.is_empty());
    let marked = topic.marked_formulas();
    let marked: Vec<_> = marked
        .iter()
        .map(|formula| {
            (formula.id.as_ref().unwrap().as_str(), formula.site, formula.latex.as_deref().unwrap())
        })
        .collect();
    assert_eq!(marked, [("q_1", Some(Site::Title), "x"), ("q_2", Some(Site::Body), "x < 1")]);
}

#[test]
fn arqmath_task_2() {
    let file = read(TASK_2);
    let topic = file.topics.get("B.1").unwrap();
    assert_eq!(topic.formulas, [formula(Role::Query, Some("q_2"), " x < 1")]);
    assert_eq!(topic.title, Some(Html::new("On x")));
    assert!(topic.tags.is_empty());
}

#[test]
fn arqmath_is_written_as_it_was_read() {
    for text in [TASK_1, TASK_2] {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let file = read(&text);
            let written = write_topics(&file.topics, file.format, file.line_end).unwrap();
            assert_eq!(written.text, text);
            assert_eq!(written.lost, []);
        }
    }
}

#[test]
fn arqmath_elements_out_of_order_are_noted() {
    let file = read("<Topics><Topic number='A.1'><Question>q</Question><Title>t</Title></Topic></Topics>");
    let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["t:1:51: <Title> of topic A.1 is not in its place", "t:1:9: topic A.1 has no <Tags>"]);
}

#[test]
fn damaged_arqmath_files_are_refused() {
    let topic = |inside: &str| format!("<Topics>\n<Topic number=\"A.1\">{inside}</Topic></Topics>");
    check_error("<Topics>\n  <Topic><Title/></Topic></Topics>", "t:2:3: a <Topic> without a number");
    check_error("<Topics><Topic number=' '/></Topics>", "t:1:9: a <Topic> without a number");
    check_error(&topic("<Body/>"), "t:2:21: <Body> in topic A.1; known are <Formula_Id>, <Latex>, ");
    check_error(&topic("<Title/><Title/>"), "t:2:29: a second <Title> in topic A.1");
    check_error(&topic("<Title><b>x</b></Title>"), "t:2:28: <b> inside <Title>, which holds only text");
    check_error(&topic("x"), "t:2:21: text inside <Topic>, which holds only elements");
    check_error(&topic("<Formula_Id>q_1</Formula_Id>"), "t:2:1: topic A.1 has a <Formula_Id> but no <Latex>");
    check_error("<Topics>\n<Thing/></Topics>", "t:2:1: <Thing> where <Topic> was expected");
    check_error("<posts/>", "t:1:1: <posts> where <Topics> (ARQMath) or <topics> (NTCIR) was expected");
    let twice = "<Topics>\n<Topic number='A.1'/>\n <Topic number='A.1'/></Topics>";
    check_error(twice, "t:3:2: topic A.1 is there twice: on line 2, too");
    check_error(&TASK_1[..300], "t:5:");
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    for text in [TASK_1, TASK_2, NTCIR] {
        let end = text.trim_end().len();
        for cut in (1..end).filter(|cut| text.is_char_boundary(*cut)) {
            assert!(read_topics(Source::bytes("t", &text[..cut])).is_err(), "{}", &text[..cut]);
        }
    }
}

#[test]
fn ntcir_formulas_wildcards_and_keywords() {
    let file = read(NTCIR);
    assert_eq!(file.format, TopicFormat::NtcirXml);
    assert_eq!(file.notes[0].to_string(), "t:2:22: <type> is not used");
    let topic = file.topics.get("N-1").unwrap();
    let keywords: Vec<&str> = topic.keywords.iter().map(|keyword| keyword.text.as_str()).collect();
    assert_eq!(keywords, ["prime number", "sieve"]);
    let [first, second] = &topic.formulas[..] else { panic!("{topic:?}") };
    assert_eq!(first.latex.as_deref(), Some("x \\qvar{a}&"));
    let mathml = first.mathml.as_deref().unwrap();
    assert!(mathml.starts_with("<m:math>") && mathml.ends_with("</m:math>"));
    assert!(mathml.contains("<mws:qvar name=\"a\"/>"));
    assert_eq!(
        (second.latex.as_deref(), second.mathml.as_deref()),
        (None, Some("<m:math><m:mn>1</m:mn></m:math>"))
    );
    let written = write_topics(&file.topics, TopicFormat::NtcirXml, LineEnd::CrLf).unwrap();
    assert_eq!(written.lost, []);
    assert_eq!(read(&written.text).topics, file.topics);
}

#[test]
fn damaged_ntcir_files_are_refused() {
    check_error("<topics><topic><query/></topic></topics>", "t:1:9: a <topic> without a <num>");
    check_error(
        "<topics><topic><num>1</num><query><formula/></query></topic></topics>",
        "t:1:35: a <formula> with",
    );
    let twice = "<topics><topic><num>1</num></topic>\n<topic><num>1</num></topic></topics>";
    check_error(twice, "t:2:1: topic 1 is there twice: on line 1, too");
    check_error("<topics>x</topics>", "t:1:9: text inside <topics>");
}

#[test]
fn formula_tables_of_all_representations() {
    let file = read(
        "id\ttopic_id\tthread_id\ttype\tformula\r\nq_1\tA.1\t77\ttitle\tx\r\nq_2\tA.1\t77\tbody\t\"a\tb\"\r\n",
    );
    assert_eq!(file.format, TopicFormat::FormulaTsv);
    let topic = file.topics.get("A.1").unwrap();
    assert_eq!(topic.thread.as_deref(), Some("77"));
    assert_eq!(topic.formula("q_2").unwrap().latex.as_deref(), Some("a\tb"));
    let written = write_topics(&file.topics, TopicFormat::FormulaTsv, file.line_end).unwrap();
    assert_eq!((read(&written.text).topics, written.lost), (file.topics, Vec::new()));

    let slt = read("id\ttopic_id\tthread_id\ttype\tslt\nq_1\tA.1\t77\ttitle\t<math><mi>x</mi></math>\n");
    let formula = slt.topics.get("A.1").unwrap().formula("q_1").unwrap().clone();
    assert_eq!(formula.presentation_mathml.as_deref(), Some("<math><mi>x</mi></math>"));
    let form = Representation::PresentationMathml;
    assert_eq!(write_topic_formulas(&slt.topics, form, LineEnd::Lf).unwrap().lost, []);

    let mut topics = read(TASK_2).topics;
    let joined = topics.join(
        &read("id\ttopic_id\tthread_id\ttype\tslt\nq_2\tA.1\t77\tbody\t[V!x]\nq_9\tA.8\t1\tbody\tx\n").topics,
    );
    assert_eq!((joined.completed, joined.added, joined.unknown.len()), (1, 0, 1));
    let query = topics.get("B.1").unwrap().queries().next().unwrap();
    assert_eq!((query.site, query.slt.as_deref()), (Some(Site::Body), Some("[V!x]")));
    let joined = topics.join(&read("id\ttopic_id\ttype\tlatex\nq_2\tA.1\tbody\ty\n").topics);
    assert_eq!(joined.different.len(), 1);
}

#[test]
fn damaged_formula_tables_are_refused() {
    let head = "id\ttopic_id\tthread_id\ttype\tformula\n";
    check_error(
        &format!("{head}q_1\tA.1\t1\tanswer\tx\n"),
        "t:2:11: type \"answer\"; known are title and body",
    );
    check_error(&format!("{head}\tA.1\t1\tbody\tx\n"), "t:2:1: a formula without an id");
    check_error(&format!("{head}q_1\t\t1\tbody\tx\n"), "t:2:5: a topic without a number");
    check_error(
        &format!("{head}q_1\tA.1\t1\tbody\tx\nq_1\tA.2\t1\tbody\tx"),
        "t:3:1: formula q_1 is there twice",
    );
    check_error(
        &format!("{head}q_1\tA.1\t1\tbody\tx\nq_2\tA.1\t2\tbody\tx"),
        "t:3:9: topic A.1 is from thread 2, but",
    );
    check_error(
        &format!("{head}q_1\tA.1\t1\tbody\t\"x\n"),
        "t:2:16: the quote that opens here is never closed",
    );
    check_error("id\ttopic_id\ttype\n", "t:1:1: no column for the formula (latex, formula, ");
}

#[test]
fn simple_tables() {
    let file = read("B.1\tx^2\r\nB.2\t\"y\"\r\n");
    assert_eq!((file.format, file.line_end), (TopicFormat::LatexTsv, LineEnd::CrLf));
    assert_eq!(file.topics.get("B.2").unwrap().formulas, [formula(Role::Query, None, "\"y\"")]);
    let file = read("A.1\tHow many primes below n?\nA.2\tIs 1 < x always true\n");
    assert_eq!(file.format, TopicFormat::TextTsv);
    assert_eq!(file.topics.get("A.2").unwrap().title, Some(Html::new("Is 1 &lt; x always true")));
    let file = read_topics_as(Source::bytes("t", "A.1\tlimits\n"), TopicFormat::TextTsv).unwrap();
    assert_eq!(file.topics.get("A.1").unwrap().title, Some(Html::new("limits")));
    check_error("B.1\tx\nB.1\ty\n", "t:2:1: topic B.1 is there twice: on line 1, too");
    check_error("B.1\tx\nB.2\ty\tz\n", "t:2:7: 3 columns where");
    check_error("B.1\tx\nB.2\n", "t:2:4: 1 columns where");
    check_error("B.1\tx\nB.2\t \n", "t:2:5: topic B.2 asks nothing");
    check_error("B.1\tx\n\ty\n", "t:2:1: a topic without a number");
    check_error("", "t: the file is empty");
    check_error("some words", "t:1:1: not a file of topics");
}

#[test]
fn tables_with_a_header() {
    let file = read("topic\tformula_id\tLaTeX\tslt\topt\tnotes\nB.3\tq_1\t\"x\"\"\"\t[V!x]\t\tno\nB.4\n");
    assert_eq!(file.format, TopicFormat::Table);
    assert_eq!(file.notes[0].to_string(), "t:1:32: the column \"notes\" is not used");
    let mut expected = formula(Role::Query, Some("q_1"), "x\"");
    expected.slt = Some("[V!x]".to_owned());
    assert_eq!(file.topics.get("B.3").unwrap().formulas, [expected]);
    assert_eq!(file.topics.get("B.4").unwrap(), &Topic::new("B.4"));
    let file = read("topic\ttitle\tquestion\ttags\nA.1\ta\tb\tc,d\n");
    assert_eq!(file.topics.get("A.1").unwrap().tags, ["c", "d"]);
    check_error("topic\tlatex\nB.1\tx\ty\n", "t:2:7: 3 columns where the header has 2");
    check_error("topic\tlatex\nB.1\tx\nB.1\ty", "t:3:1: topic B.1 is there twice: on line 2, too");
}

#[test]
fn queries_of_pya0() {
    let file = read("qid\tterm\ttex\ttex\nA.1\tgroup, ring\tx^2\ty\nA.2\t\t\tz\n");
    assert_eq!(file.format, TopicFormat::Pya0Tsv);
    let topic = file.topics.get("A.1").unwrap();
    assert_eq!((topic.keywords.len(), topic.formulas.len()), (2, 2));
    assert_eq!(file.topics.get("A.2").unwrap().formulas, [formula(Role::Query, None, "z")]);
    let json = r#"[{"qid": "A.1", "tags": ["a"], "kw": [{"type": "term", "str": "ring"}, {"type": "tex", "str": "x"}]},
{"qid": "A.2", "kw": []}]"#;
    let file = read(json);
    assert_eq!(file.format, TopicFormat::Pya0Json);
    let topic = file.topics.get("A.1").unwrap();
    assert_eq!(topic.keywords, [Keyword { id: None, text: "ring".to_owned() }]);
    assert_eq!((topic.tags.len(), topic.formulas.len()), (1, 1));
    check_error(&json.replace("A.2", "A.1"), "t:2: topic A.1 is there twice: on line 2, too");
    check_error(r#"[{"kw": []}]"#, "t: object 1: there is no qid");
    check_error(r#"[{"qid": "A.1", "kw": [{"type": "x"}]}]"#, "t: object 1: kw holds something without type");
    check_error("[{\"qid\":\n", "t:2:0: not the JSON expected here: EOF");
    check_error(&"[{\"a\":".repeat(100_000), "t:1:");
    let error = write_topics(&file.topics, TopicFormat::Pya0Json, LineEnd::Lf).unwrap_err();
    assert!(error.to_string().contains("only read"), "{error}");
}

#[test]
fn what_a_format_cannot_hold_is_named() {
    let lost = |text: &str, format| {
        let written = write_topics(&read(text).topics, format, LineEnd::Lf).unwrap();
        written.lost.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(lost(NTCIR, TopicFormat::ArqmathXml), ["N-1: keywords", "N-1: formulas"]);
    assert_eq!(lost(TASK_2, TopicFormat::LatexTsv), ["B.1: title", "B.1: question", "B.1: formulas"]);
    let mut topic = Topic::new("A.1");
    topic.title = Some(Html::new("\u{1}"));
    let topics = Topics::new(vec![topic]).unwrap();
    let error = write_topics(&topics, TopicFormat::ArqmathXml, LineEnd::Lf).unwrap_err();
    assert_eq!(error.to_string(), "the topics as written:4:14: U+0001 cannot stand in XML");
}

#[test]
fn ntcir_scenarios_and_judgment_criteria_are_read_and_kept() {
    let text = "<topics><topic><num>N-1</num><query><formula id=\"f.0\">x</formula></query>\
                <scenario>A student\n  looks for $x$.</scenario><relevance>R if it &lt; y.</relevance></topic>\
                <topic><num>N-2</num><query><formula id=\"f.0\">y</formula></query><criteria> </criteria></topic></topics>";
    let file = read(text);
    assert!(file.notes.is_empty(), "{:?}", file.notes);
    let topic = file.topics.get("N-1").unwrap();
    assert_eq!(topic.scenario.as_deref(), Some("A student looks for $x$."));
    assert_eq!(topic.criteria.as_deref(), Some("R if it < y."));
    assert_eq!(file.topics.get("N-2").unwrap().criteria, None);
    let written = write_topics(&file.topics, TopicFormat::NtcirXml, LineEnd::Lf).unwrap();
    assert!(written.lost.is_empty(), "{:?}", written.lost);
    // What a format cannot hold is told.
    let table = write_topics(&file.topics, TopicFormat::LatexTsv, LineEnd::Lf).unwrap();
    assert!(table.lost.iter().any(|loss| loss.part == "criteria"), "{:?}", table.lost);
}
