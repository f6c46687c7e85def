//! The school and Turkle's files, as people and organisers see them.

use crate::common;

use assess::school::LessonKey;
use assess::{NewGrade, Role, Standing};
use axum::body::Body;
use axum::http::{Request, header};
use common::bureau::{Browser, Bureau};
use lab::{PoolKind, Stage, Verdict};

const ROUND: LessonKey = LessonKey { stage: Stage::Training(1), kind: PoolKind::Answers };

/// What organisers fill in for a lesson from the earlier set.
fn lesson<'a>(what: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("what", what),
        ("round", "1"),
        ("source", "answers/given/old"),
        ("how_many", "2"),
        ("per_topic", "4"),
        ("topics", ""),
        ("seed", "5"),
    ];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    fields
}

/// Judges all of a lesson: what is known, but one grade off on every third thing.
fn judge_all(bureau: &Bureau, browser: &Browser, key: LessonKey, off: usize) {
    let account = browser.account.clone().unwrap();
    bureau
        .office()
        .write(move |books| {
            let known = books.lesson_results(key)?.things;
            let mut count = 0;
            while let Ok(assignment) = books.begin_lesson(account.number, key) {
                while let Some(task) = books.first_task(account.number, assignment)? {
                    let shown = books.show(account.number, assignment, task)?;
                    for part in &shown.parts {
                        count += 1;
                        let thing = known
                            .iter()
                            .find(|thing| thing.topic == shown.batch.topic && thing.item == shown.item);
                        let right = thing.unwrap().known.grade().unwrap();
                        let grade = if count % off == 0 { (right + 1).min(3) } else { right };
                        books.judge(
                            &account,
                            &NewGrade {
                                assignment,
                                part: part.part,
                                verdict: Verdict::Grade(grade),
                                comment: format!("thing {count} of {}: <b>hm</b>", account.name),
                                seconds: Some(20.0),
                                request: format!("school-{}-{count:012}", account.number),
                            },
                        )?;
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn a_round_from_making_it_to_its_results() {
    let bureau = Bureau::new("school-web-round");
    let mut olga = bureau.organiser("olga").await;
    let mut ada = bureau.assessor("ada").await;
    let bob = bureau.assessor("bob").await;
    assert!(ada.get("/school").await.text().contains("nothing to learn from yet"));
    assert_eq!(ada.get("/desk/school").await.status, 404);
    let desk = olga.open("/desk/school").await;
    assert_eq!(desk.status, 200);
    assert!(desk.text().contains("answers of old, its judgments"), "{}", desk.text());
    let made = olga.post("/desk/school/make", &lesson("round", &[])).await;
    assert_eq!(
        (made.status.as_u16(), made.headers[header::LOCATION].to_str().unwrap()),
        (303, "/desk/school?news=made")
    );
    let again = olga.post("/desk/school/make", &lesson("round", &[])).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("Round 1 of answers is there already."), "{}", again.text());

    let school = ada.open("/school").await.text();
    assert!(school.contains("0 of 8") && school.contains("Begin"), "{school}");
    let begun = ada.post("/school/training-1/answers/begin", &[]).await;
    assert_eq!(begun.status, 303);
    assert!(begun.headers[header::LOCATION].to_str().unwrap().starts_with("/batch/"));
    judge_all(&bureau, &ada, ROUND, 3);
    judge_all(&bureau, &bob, ROUND, 4);
    // Nobody sees what is known before it is open, by whatever address.
    assert!(ada.get("/school").await.text().contains("not open yet"));
    let early = ada.get("/school/training-1/answers").await;
    assert_eq!(early.status, 422);
    assert!(!early.text().contains("Known"));
    assert_eq!(ada.get("/desk/school/lesson/training-1/answers").await.status, 404);
    assert_eq!(ada.post("/desk/school/lesson/training-1/answers/open", &[]).await.status, 404);

    let lesson_page = olga.open("/desk/school/lesson/training-1/answers").await.text();
    assert!(lesson_page.contains("8 of 8") && lesson_page.contains("Open the results"), "{lesson_page}");
    let opened = olga.post("/desk/school/lesson/training-1/answers/open", &[]).await;
    assert_eq!(opened.status, 303);
    let results = ada.get("/school/training-1/answers").await;
    let text = results.text();
    assert_eq!(results.status, 200);
    assert!(text.contains("what is known") && text.contains("Look at it again"), "{text}");
    // What the others said has no names, and is text.
    assert!(
        !text.contains(">bob<") && text.contains("of bob: &lt;b&gt;hm") || text.contains("&#60;b&#62;hm"),
        "{text}"
    );
    assert!(ada.get("/school").await.text().contains("<svg"));
    for path in ["/desk/school", "/desk/school/lesson/training-1/answers"] {
        let text = olga.get(path).await.text();
        // Charts take their style from the page's sheet.
        assert!(text.contains("<svg") && !text.contains("<style"), "{path}");
    }
    let mut cyd = bureau.assessor("cyd").await;
    assert_eq!(cyd.get("/school/training-1/answers").await.status, 404);
    let given = olga.post("/desk/school/lesson/training-1/answers/give", &[]).await;
    assert!(given.headers[header::LOCATION].to_str().unwrap().ends_with("news=given"));
    assert!(cyd.get("/school").await.text().contains("0 of 8"));
    assert_eq!(olga.post("/desk/school/lesson/training-1/answers/remove", &[]).await.status, 422);
}

#[tokio::test]
async fn applicants_get_their_sample_when_they_come() {
    let bureau = Bureau::new("school-web-sample");
    let mut olga = bureau.organiser("olga").await;
    assert_eq!(olga.post("/desk/school/make", &lesson("sample", &[])).await.status, 303);
    let mut zoe = bureau.person("zoe", Role::Assessor, Standing::Applicant).await;
    let school = zoe.get("/school").await.text();
    assert!(school.contains("Sample") && school.contains("0 of 8"), "{school}");
    let key = LessonKey { stage: Stage::Sample, ..ROUND };
    judge_all(&bureau, &zoe, key, 4);
    let scores = olga.get("/desk/school/lesson/sample/answers").await.text();
    assert!(scores.contains("zoe") && scores.contains("75 %"), "{scores}");
    assert!(!olga.get("/desk/school").await.text().contains("0 of 0"));
}

#[tokio::test]
async fn forms_that_make_no_sense_are_told() {
    let bureau = Bureau::new("school-web-forms");
    let mut olga = bureau.organiser("olga").await;
    for (change, told) in [
        (("source", "answers/given/now"), "came without judgments"),
        (("source", "x"), "Choose the topics"),
        (("source", "answers/given/nowhere"), "There is no set"),
        (("how_many", "many"), "must be a number"),
        (("per_topic", "0"), "from 1 to 100"),
        (("round", "0"), "from 1 to 99"),
        (("topics", "A.999"), "topic A.999"),
        (("seed", "-"), "whole number"),
    ] {
        let answer = olga.post("/desk/school/make", &lesson("round", &[change])).await;
        assert_eq!(answer.status, 422, "{change:?}");
        assert!(answer.text().contains(told), "{told}: {}", answer.text());
    }
    let bare = olga.post_bare("/desk/school/make", &lesson("round", &[])).await;
    assert_eq!(bare.status, 403);
    for path in [
        "/school/main/answers",
        "/school/x/y",
        "/desk/school/lesson/training-9/answers",
        "/school/chart/x.svg",
    ] {
        assert!(olga.get(path).await.status.is_client_error(), "{path}");
    }
}

/// A form with a file, as browsers send it.
fn with_file(path: &str, csrf: &str, name: &str, text: &str, fields: &[(&str, &str)]) -> Request<Body> {
    let mut body = String::new();
    for (field, value) in fields.iter().copied().chain([("csrf", csrf)]) {
        body.push_str(&format!(
            "--sep\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str(&format!(
        "--sep\r\nContent-Disposition: form-data; name=\"table\"; filename=\"{name}\"\r\n\
         Content-Type: text/csv\r\n\r\n{text}\r\n--sep--\r\n"
    ));
    Request::post(path)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=sep")
        .body(Body::from(body))
        .unwrap()
}

#[tokio::test]
async fn turkle_out_and_back() {
    let bureau = Bureau::new("school-web-turkle");
    let mut olga = bureau.organiser("olga").await;
    let mut ada = bureau.assessor("ada").await;
    let page = olga.open("/desk/turkle").await.text();
    assert!(page.contains("/desk/turkle/answers/batch/A.1.csv"), "{page}");
    for path in ["/desk/turkle", "/desk/turkle/answers/all.zip", "/desk/turkle/answers/batch/A.1.csv"] {
        assert_eq!(ada.get(path).await.status, 404, "{path}");
    }
    let batch = olga.get("/desk/turkle/answers/batch/A.1.csv").await;
    assert_eq!(batch.status, 200, "{}", batch.text());
    assert!(batch.headers[header::CONTENT_DISPOSITION].to_str().unwrap().contains("answers-A.1.csv"));
    let table = formats::read_csv(formats::Source::bytes("b.csv", batch.body.clone())).unwrap();
    assert_eq!(table.rows.len(), 5);
    let text = batch.text();
    assert!(
        text.contains("<math") && !text.contains("<script") && !text.contains("onerror=alert(2)>"),
        "{text}"
    );
    let template = olga.get("/desk/turkle/answers/template.html").await.text();
    for name in &table.columns {
        assert!(template.contains(&format!("${{{name}}}")), "{name} is not in the template");
    }
    assert!(template.contains("name=\"relevance_1\"") && template.contains("name=\"comment_1\""));
    // Nothing that is read tells a post of the collection from an answer that a system wrote.
    assert!(template.contains("data-item=\"${item}\">Answer</p>"), "{template}");
    assert_eq!(template.matches("${item}").count(), 1);
    for row in &table.rows {
        let fields: Vec<(&String, &String)> = table.columns.iter().zip(&row.fields).collect();
        let field = |name: &str| fields.iter().find(|(column, _)| *column == name).unwrap().1.as_str();
        for name in ["Answer", "Post"] {
            assert!(!field("shown_1").contains(&format!("{name} {}", field("item"))), "{}", field("shown_1"));
        }
    }
    let formulas = olga.get("/desk/turkle/formulas/template.html").await.text();
    assert!(formulas.contains("${off_5}") && !formulas.contains("${off_6}"));
    // Who judges in Turkle has the rules of whoever judges here.
    for (template, own) in
        [(&template, "High only if it covers all of them"), (&formulas, "identical to the query formula")]
    {
        for rule in ["Judge as an expert would", "links that lead out of the collection", own] {
            assert!(template.contains(rule), "{rule} in {template}");
        }
    }
    let archive = olga.get("/desk/turkle/formulas/all.zip").await;
    assert_eq!(archive.status, 200);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive.body)).unwrap();
    assert_eq!(archive.len(), 9);
    assert!(archive.by_name("formulas-template.html").is_ok() && archive.by_name("formulas-B.1.csv").is_ok());

    let items: Vec<&str> = table.rows.iter().map(|row| row.fields[1].as_str()).collect();
    let mut results =
        String::from("Input.topic,Input.item,Answer.relevance_1,Answer.comment_1,Turkle.Username\n");
    for item in &items {
        results.push_str(&format!("A.1,{item},High,,\"<i>dan</i>\"\n"));
    }
    let csrf = olga.csrf.clone();
    let wrong = format!("{results}A.1,nothing,High,,dan\nA.1,{},Splendid,,dan\n", items[0]);
    let refused = olga.send(with_file("/desk/turkle", &csrf, "b.csv", &wrong, &[("stage", "main")])).await;
    assert_eq!(refused.status, 422);
    let told = refused.text();
    assert!(told.contains("2 rows do not fit") && told.contains("b.csv:7:1"), "{told}");
    let taken = olga.send(with_file("/desk/turkle", &csrf, "b.csv", &results, &[("stage", "main")])).await;
    assert!(taken.text().contains("5 judgments were added, 0 were known"), "{}", taken.text());
    let again = olga.send(with_file("/desk/turkle", &csrf, "b.csv", &results, &[])).await;
    assert!(again.text().contains("0 judgments were added, 5 were known"), "{}", again.text());
    for (fields, told) in [
        (vec![("stage", "never")], "judged for"),
        (vec![("columns", "colour=red")], "nothing that a column has"),
    ] {
        let answer = olga.send(with_file("/desk/turkle", &csrf, "b.csv", &results, &fields)).await;
        assert_eq!(answer.status, 422);
        assert!(answer.text().contains(told), "{}", answer.text());
    }
    let empty = olga.send(with_file("/desk/turkle", &csrf, "b.csv", "", &[])).await;
    assert!(empty.text().contains("Choose a file"), "{}", empty.text());
    let forged = olga.send(with_file("/desk/turkle", "wrong", "b.csv", &results, &[])).await;
    assert_eq!(forged.status, 403);
    let stranger = ada.csrf.clone();
    assert_eq!(ada.send(with_file("/desk/turkle", &stranger, "b.csv", &results, &[])).await.status, 404);
}

#[tokio::test]
async fn trainees_stay_in_their_round_until_it_is_done() {
    let bureau = Bureau::new("school-web-stay");
    let mut olga = bureau.organiser("olga").await;
    let mut ada = bureau.assessor("ada").await;
    olga.open("/desk/school").await;
    let made = olga.post("/desk/school/make", &lesson("round", &[])).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let plan = common::judging::plan(PoolKind::Answers, assess::Asks::Grades);
    bureau.office().write(move |books| books.make_batches(&plan, "olga")).unwrap();
    // Two batches of the round are kept for her, and nothing else is given out before they are judged.
    let account = ada.account.clone().unwrap();
    for _ in 0..2 {
        let taken = ada.post("/take", &[]).await;
        assert_eq!(taken.status, 303);
    }
    let stages = |bureau: &Bureau| -> Vec<Stage> {
        let works = bureau.office().read(move |books| books.work_of(account.number)).unwrap();
        works.iter().map(|work| work.batch.stage).collect()
    };
    assert_eq!(stages(&bureau), [Stage::Training(1), Stage::Training(1)]);
    assert_eq!(ada.post("/take", &[]).await.header("location"), "/");
    assert_eq!(stages(&bureau).len(), 2);
    assert!(!ada.get("/").await.text().contains("Take the next batch"));
    judge_all(&bureau, &ada, ROUND, 100);
    ada.post("/take", &[]).await;
    assert_eq!(stages(&bureau).into_iter().filter(|stage| *stage == Stage::Main).count(), 1);
}
