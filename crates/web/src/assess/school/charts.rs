//! Charts of how alike people judge, as pictures of their own: they carry their style, which a page may not.

use super::super::Answer;
use super::super::app::AssessApp;
use super::super::error::AssessError;
use super::super::person::{Organiser, Person};
use super::key_of;
use super::words::relevant_name;
use assess::school::{LessonResults, PupilResult};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lab::{PoolKind, Stage};
use report::chart::{Band, Bars, Bin, Lines, Range, Series, Spacing};

/// A picture may style itself, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

fn picture(svg: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, svg).into_response()
}

fn kind_of(word: &str) -> Result<PoolKind, AssessError> {
    let word = word.strip_suffix(".svg").unwrap_or(word);
    PoolKind::read(word).ok_or_else(|| AssessError::NotFound("such chart".to_owned()))
}

/// What people are asked by: all grades, and relevant or not.
type Measure = fn(&PupilResult) -> Option<f64>;
const MEASURES: [Measure; 2] = [|pupil| pupil.kappa, |pupil| pupil.binary];

/// One's own agreement with the others, round by round, within what all have. Only rounds that are open to
/// who asks are in it.
pub(super) async fn own(State(app): State<AssessApp>, person: Person, Path(kind): Path<String>) -> Answer {
    let kind = kind_of(&kind)?;
    let name = person.account.name;
    let svg = app
        .read(move |books| {
            let relevant = relevant_name(books.manifest(), kind, books.relevant_from(kind));
            let rounds: Vec<LessonResults> = books
                .rounds()?
                .into_iter()
                .filter(|round| round.lesson.key.kind == kind && round.lesson.opened_at.is_some())
                .filter(|round| round.of(&name).is_some_and(PupilResult::is_done))
                .collect();
            let lines = |measure: Measure, title: String| {
                let own = |round: &LessonResults| round.of(&name).and_then(measure);
                series(&rounds, &title, measure, own)
            };
            Ok(by_round(
                "Your agreement with the others",
                vec![
                    lines(MEASURES[0], "you, all grades".to_owned()),
                    lines(MEASURES[1], format!("you, {relevant}")),
                ],
            ))
        })
        .await?;
    Ok(picture(svg))
}

/// The mean agreement of all, round by round.
pub(super) async fn rounds(State(app): State<AssessApp>, _: Organiser, Path(kind): Path<String>) -> Answer {
    let kind = kind_of(&kind)?;
    let svg = app
        .read(move |books| {
            let relevant = relevant_name(books.manifest(), kind, books.relevant_from(kind));
            let rounds: Vec<LessonResults> =
                books.rounds()?.into_iter().filter(|round| round.lesson.key.kind == kind).collect();
            let graded = series(&rounds, "all grades", MEASURES[0], |round| round.mean_kappa().0);
            let binary = series(&rounds, &relevant, MEASURES[1], |round| round.mean_kappa().1);
            Ok(by_round("Mean agreement by round", vec![graded, binary]))
        })
        .await?;
    Ok(picture(svg))
}

/// Everybody in one lesson, as the report of a lab shows it.
pub(super) async fn lesson(
    State(app): State<AssessApp>,
    _: Organiser,
    Path((stage, kind)): Path<(String, String)>,
) -> Answer {
    let key = key_of(&stage, kind.strip_suffix(".svg").unwrap_or(&kind))?;
    let svg = app
        .read(move |books| {
            let relevant = relevant_name(books.manifest(), key.kind, books.relevant_from(key.kind));
            let results = books.lesson_results(key)?;
            // Applicants are held against what is known, assessors against each other.
            let sample = key.stage == Stage::Sample;
            let values = |pupil: &PupilResult| match sample {
                true => [pupil.with_known.kappa, pupil.with_known.binary],
                false => [pupil.kappa, pupil.binary],
            };
            let bins = results.pupils.iter().map(|pupil| Bin {
                label: pupil.name.clone(),
                values: values(pupil).map(|kappa| kappa.unwrap_or(f64::NAN)).to_vec(),
            });
            let (title, y_label) = if sample {
                (key.name(), "Cohen's kappa with what is known")
            } else {
                (key.name(), "mean Cohen's kappa with the others")
            };
            Ok(Bars {
                title,
                x_label: "assessor".to_owned(),
                y_label: y_label.to_owned(),
                series: vec!["all grades".to_owned(), relevant],
                bins: bins.collect(),
                y_range: Range::UNIT,
                decimals: 2,
                notes: Vec::new(),
            }
            .to_svg())
        })
        .await?;
    Ok(picture(svg))
}

/// A line over rounds, with what all have around it.
fn series(
    rounds: &[LessonResults],
    name: &str,
    measure: Measure,
    own: impl Fn(&LessonResults) -> Option<f64>,
) -> Series {
    let mut line = Series { name: name.to_owned(), ..Series::default() };
    for round in rounds {
        let Stage::Training(number) = round.lesson.key.stage else { continue };
        let x = f64::from(number);
        let all: Vec<f64> = round.pupils.iter().filter_map(measure).collect();
        line.points.push((x, own(round).unwrap_or(f64::NAN)));
        if !all.is_empty() {
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            line.band.push(Band { x, low, high });
        }
    }
    line
}

fn by_round(title: &str, series: Vec<Series>) -> String {
    let last = series.iter().flat_map(|line| &line.points).map(|(x, _)| *x).fold(1.0, f64::max);
    Lines {
        title: title.to_owned(),
        x_label: "round of training".to_owned(),
        y_label: "mean Cohen's kappa with the others".to_owned(),
        series,
        x_spacing: Spacing::Linear,
        y_spacing: Spacing::Linear,
        x_range: Range::AtLeast { low: 1.0, high: last.max(3.0) },
        y_range: Range::UNIT,
        decimals: 2,
        notes: vec!["The shaded range goes from the lowest to the highest of all assessors.".to_owned()],
    }
    .to_svg()
}
