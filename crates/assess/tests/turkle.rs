//! Turkle: out to it, filled in there, and back.

use crate::common;

use assess::turkle::{Columns, Pages, Question, ToShow, TurkleFile, TurkleOptions};
use assess::{Error, Result};
use common::Place;
use formats::{CsvTable, Source, TopicId, read_csv, write_csv_row};
use lab::judgments::Imported;
use lab::{PoolKind, Stage, Verdict};

/// Shows everything as a line that would do harm if it were not made safe.
struct Hostile;

impl Pages for Hostile {
    fn question(&mut self, _: PoolKind, _: &str, topic: &TopicId) -> Result<Question> {
        Ok(Question {
            title: format!("{topic} ${{question}}"),
            body: "${topic} \"quoted\", $x$\n${shown_1}".to_owned(),
        })
    }

    fn shown(&mut self, part: &ToShow<'_>) -> Result<String> {
        Ok(format!("<p>{} {:?} {:?} ${{title}}</p>", part.item, part.instance, part.text))
    }
}

fn export(place: &Place, kind: PoolKind, only: Option<&str>) -> Result<Vec<TurkleFile>> {
    let only = only.map(TopicId::from);
    place.office.read(|books| {
        let mut files = Vec::new();
        let mut take = |file| {
            files.push(file);
            Ok(())
        };
        books.write_turkle(kind, "now", only.as_ref(), &mut Hostile, &mut take)?;
        Ok(files)
    })
}

fn table(text: &str) -> CsvTable {
    read_csv(Source::bytes("batch.csv", text)).unwrap()
}

/// What Turkle shows: the fields filled in one after the other, whatever they hold.
fn filled(template: &str, columns: &[String], fields: &[String]) -> String {
    columns
        .iter()
        .zip(fields)
        .fold(template.to_owned(), |page, (name, field)| page.replace(&format!("${{{name}}}"), field))
}

/// What Turkle would give back when everybody answers as `answer` does for an item and a number.
fn results(
    batch: &CsvTable,
    people: &[&str],
    answer: impl Fn(&str, &str, usize) -> (String, String),
) -> String {
    let parts = batch.columns.iter().filter(|name| name.starts_with("shown_")).count();
    let mut header: Vec<String> =
        ["HITId", "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds"].map(str::to_owned).to_vec();
    header.extend(batch.columns.iter().map(|name| format!("Input.{name}")));
    header.extend(
        (1..=parts).flat_map(|at| [format!("Answer.comment_{at}"), format!("Answer.relevance_{at}")]),
    );
    header.push("Turkle.Username".to_owned());
    let mut text = write_csv_row(header.iter().map(String::as_str));
    for (number, row) in batch.rows.iter().enumerate() {
        for person in people {
            let time = "Tue Apr 05 12:01:02 UTC 2022".to_owned();
            let mut fields = vec![number.to_string(), "7".to_owned(), time.clone(), time, "30".to_owned()];
            fields.extend(row.fields.iter().cloned());
            for at in 1..=parts {
                let off = batch.columns.iter().position(|name| *name == format!("off_{at}")).unwrap();
                let (comment, said) = if row.fields[off].is_empty() {
                    answer(person, &row.fields[1], at)
                } else {
                    Default::default()
                };
                fields.extend([comment, said]);
            }
            fields.push((*person).to_owned());
            text.push_str(&write_csv_row(fields.iter().map(String::as_str)));
        }
    }
    text
}

fn import(place: &Place, text: &str, options: TurkleOptions) -> Result<Imported> {
    let text = text.to_owned();
    place.office.write(move |books| books.import_turkle(Source::bytes("back.csv", text), &options, "olga"))
}

fn problems(result: Result<Imported>) -> Vec<String> {
    match result.unwrap_err() {
        Error::Lab(lab::Error::Rows(rows)) => rows,
        other => vec![other.to_string()],
    }
}

#[test]
fn fields_are_not_filled_in_twice() {
    let place = Place::new("turkle-fields");
    let files = export(&place, PoolKind::Answers, None).unwrap();
    let names: Vec<(&str, usize)> = files.iter().map(|file| (file.name.as_str(), file.tasks)).collect();
    assert_eq!(names, [("answers-A.1.csv", 4), ("answers-A.2.csv", 3)]);
    let batch = table(&files[0].text);
    assert_eq!(batch.columns, ["topic", "item", "title", "question", "instance_1", "shown_1", "off_1"]);
    let template = "<h1>${title}</h1>${question}<div>${shown_1}</div>";
    let page = filled(template, &batch.columns, &batch.rows[0].fields);
    assert!(
        page.contains("<h1>A.1 &#36;{question}</h1>&#36;{topic} \"quoted\", $x$\n&#36;{shown_1}<div><p>"),
        "{page}"
    );
    assert!(!page.contains("${"), "{page}");
    // The text of a written answer is shown.
    assert!(batch.rows.iter().any(|row| row.fields[5].contains("It is $1$.")));
}

#[test]
fn out_and_back() {
    let place = Place::new("turkle-round");
    let file = &export(&place, PoolKind::Formulas, Some("B.1")).unwrap()[0];
    let batch = table(&file.text);
    assert_eq!(batch.columns.len(), 4 + 5 * 3);
    let seven = batch.rows.iter().find(|row| row.fields[1] == "7").unwrap();
    assert_eq!(
        (seven.fields[4].as_str(), seven.fields[7].as_str(), seven.fields[6].as_str()),
        ("1", "2", "")
    );
    assert_eq!(seven.fields[12], "hidden disabled");
    let text = results(&batch, &["ada", "bob"], |person, item, at| match (person, item, at) {
        (_, "7", 2) => (String::new(), "HIGH".to_owned()),
        ("bob", "8", _) => ("the post is\n\"empty\"".to_owned(), "System failure".to_owned()),
        _ => (String::new(), "1".to_owned()),
    });
    let first = import(&place, &text, TurkleOptions::default()).unwrap();
    assert_eq!((first.added, first.known, first.repeated, first.uncommented), (8, 0, 0, 0));
    let again = import(&place, &text, TurkleOptions::default()).unwrap();
    assert_eq!((again.added, again.known), (0, 8));
    let log = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Formulas, "now")?)).unwrap();
    let of_ada: Vec<(String, Option<String>, Verdict, Option<f64>)> = log
        .iter()
        .filter(|row| row.said.assessor == "ada" && row.said.item == "7")
        .map(|row| (row.said.item.clone(), row.said.instance.clone(), row.said.verdict, row.said.seconds))
        .collect();
    // Thirty seconds for two instances.
    let expected = [("1", 1), ("2", 3)].map(|(instance, grade)| {
        ("7".to_owned(), Some(instance.to_owned()), Verdict::Grade(grade), Some(15.0))
    });
    assert_eq!(of_ada, expected);
    let failure = log.iter().find(|row| row.said.verdict == Verdict::SystemFailure).unwrap();
    assert_eq!(failure.said.comment, "the post is\n\"empty\"");
    assert_eq!((failure.said.at.as_deref(), failure.said.stage), (Some("2022-04-05T12:01:02Z"), Stage::Main));
}

/// Somebody who changed their mind since is not taken back to what a file says.
#[test]
fn an_old_file_changes_nothing() {
    let place = Place::new("turkle-old");
    let batch = table(&export(&place, PoolKind::Answers, Some("A.2")).unwrap()[0].text);
    let all = |grade: &'static str| results(&batch, &["ada"], |_, _, _| (String::new(), grade.to_owned()));
    let (first, second) = (all("low"), all("not relevant").replace("Apr 05 12:01", "Apr 05 13:01"));
    assert_eq!(import(&place, &first, TurkleOptions::default()).unwrap().added, 3);
    assert_eq!(import(&place, &second, TurkleOptions::default()).unwrap().added, 3);
    assert_eq!(import(&place, &first, TurkleOptions::default()).unwrap().added, 0);
    let log = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    assert!(log.iter().all(|row| row.said.verdict == Verdict::Grade(0)));
}

#[test]
fn other_peoples_tables() {
    let place = Place::new("turkle-others");
    let text = "Query,Doc,Answer.choice,Answer.why,Who,Turkle.Username\n\
                A.1,11,High,,x,ada\nA.1,12,do_not_know,hard,x,ada\nA.1,13,Irrelevant,,x,ada\nA.2,21,2,,x,ada\nA.2,22,M,,x,ada\n";
    let columns = Columns::read("topic=query; item=doc, verdict=answer.CHOICE\ncomment=Answer.why").unwrap();
    let options = TurkleOptions { columns, stage: Stage::CrossCheck, ..TurkleOptions::default() };
    assert_eq!(import(&place, text, options).unwrap().added, 5);
    let log = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    let said: Vec<Verdict> = log.iter().map(|row| row.said.verdict).collect();
    use Verdict::{DoNotKnow, Grade};
    assert_eq!(said, [Grade(3), DoNotKnow, Grade(0), Grade(2), Grade(2)]);
    assert!(log.iter().all(|row| row.said.stage == Stage::CrossCheck && row.said.assessor == "ada"));
    assert!(Columns::read("colour=Input.x").unwrap_err().contains("there are topic, item"));
    assert!(Columns::read("topic").unwrap_err().contains("thing=column"));
    assert!(Columns::read("topic=").unwrap_err().contains("names no column"));
}

#[test]
fn all_that_is_wrong_is_told_and_nothing_is_taken() {
    let place = Place::new("turkle-wrong");
    let header = "Input.topic,Input.item,Input.instance_1,Input.instance_2,Answer.relevance_1,Answer.relevance_2,\
                  WorkTimeInSeconds,Turkle.Username\n";
    let rows = "A.1,11,,,high,,5,ada\n\
                A.1,99,,,high,,5,ada\n\
                A.77,11,,,high,,5,ada\n\
                A.1,12,,,superb,,5,ada\n\
                A.1,12,,,,,5,ada\n\
                B.1,7,1,2,low,,5,ada\n\
                B.1,8,3,,low,low,5,ada\n\
                B.1,7,1,4,low,low,5,ada\n\
                A.1,12,,,low,,soon,\n";
    let told = problems(import(&place, &format!("{header}{rows}"), TurkleOptions::default()));
    for part in [
        "back.csv:3:1: 99 was not pooled",
        "back.csv:4:1: topic A.77 is not in the set now",
        "back.csv:5:1: \"superb\" is no grade",
        "back.csv:6:1: nothing is said",
        "back.csv:7:1: nothing is said of instance 2",
        "back.csv:8:1: \"low\" is said of thing 2",
        "back.csv:9:1: instance 4 of 7 is not one that was shown",
        "back.csv:10:1: the assessor is empty",
        "back.csv:10:1: \"soon\" is no number of seconds",
    ] {
        assert!(told.iter().any(|line| line.starts_with(part)), "{part} is not in {told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
    let log = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    assert!(log.is_empty());
    for (text, told) in [
        ("", "the table is empty"),
        ("a,b\n1,2\n", "there is no column for the topic"),
        ("Input.topic,Input.item,Turkle.Username\n", "there is no column for the verdict"),
        ("Input.topic,\"Input.item\nx", "never closed"),
        ("Input.topic,Input.item,Answer.relevance,WorkerId\nA.1,11\n", "fields"),
    ] {
        let found = problems(import(&place, text, TurkleOptions::default())).concat();
        assert!(found.contains(told), "{found}");
    }
}

/// Of two rows of one person about the same task, the last counts, also when the file comes again.
#[test]
fn rows_about_the_same_thing() {
    let place = Place::new("turkle-same");
    let text =
        "Input.topic,Input.item,Answer.relevance,WorkerId,Turkle.Username\nA.1,11,high,4,\nA.1,11,low,4,\n";
    let first = import(&place, text, TurkleOptions::default()).unwrap();
    assert_eq!((first.added, first.repeated), (1, 1));
    let second = import(&place, text, TurkleOptions::default()).unwrap();
    assert_eq!((second.added, second.known), (0, 1));
    let log = place.office.read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    assert_eq!((log[0].said.verdict, log[0].said.assessor.as_str()), (Verdict::Grade(1), "4"));
}

#[test]
fn what_there_is_not_is_not_written() {
    let place = Place::new("turkle-none");
    assert!(export(&place, PoolKind::Answers, Some("A.7")).is_err());
    let old = place.office.read(|books| books.turkle_topics(PoolKind::Answers, "old"));
    assert!(old.unwrap_err().to_string().contains("no pool"));
    let topics = place.office.read(|books| books.turkle_topics(PoolKind::Formulas, "now")).unwrap();
    assert_eq!(topics, [(TopicId::from("B.1"), 3)]);
}
