//! What the grades mean, and how one judges.

use super::rules::rules_of;
use super::scale::{FAILURE, UNKNOWN};
use crate::assess::{Answer, AssessApp, Person, page};
use askama::Template;
use axum::extract::State;
use formats::check::Task;
use lab::{Context, Grade, PoolKind};

#[derive(Template)]
#[template(path = "assess/guide.html")]
struct GuidePage {
    person: Person,
    lab: String,
    about: String,
    scales: Vec<(String, &'static str, Vec<Grade>, Vec<&'static str>)>,
    formula_alone: bool,
    failure: (&'static str, &'static str),
    unknown: (&'static str, &'static str),
}

impl GuidePage {
    fn here(&self) -> &'static str {
        "guide"
    }
}

pub(super) async fn guide(State(app): State<AssessApp>, person: Person) -> Answer {
    let material = app.material().await?;
    let manifest = material.manifest();
    let what = |task: Task| match task {
        Task::Task1 => "You see a question and a post. How well does the post answer the question?",
        Task::Task2 => {
            "You see a question with one of its formulas set off, and a formula that was found. How useful would it \
             be, to somebody who looks for the formula of the question, to find this one?"
        }
        Task::Task3 => {
            "You see a question and an answer that a system wrote. How well does it answer the question?"
        }
    };
    let mut scales: Vec<(String, &'static str, Vec<Grade>, Vec<&'static str>)> = Vec::new();
    for task in manifest.all_tasks() {
        let grades: Vec<Grade> = manifest.grades_of(task).into_iter().cloned().collect();
        let name = match task {
            Task::Task1 => "Task 1: posts that answer",
            Task::Task2 => "Task 2: formulas",
            Task::Task3 => "Task 3: answers that systems wrote",
        };
        scales.push((name.to_owned(), what(task), grades, rules_of(manifest, PoolKind::of(task))));
    }
    page(&GuidePage {
        person,
        lab: manifest.name.clone(),
        about: manifest.about.clone(),
        scales,
        formula_alone: manifest.context == Context::Formula,
        failure: FAILURE,
        unknown: UNKNOWN,
    })
}
