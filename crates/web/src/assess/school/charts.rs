//! Charts of how alike people judge. Their style is in the style sheet of the school.

use crate::view::Html;
use assess::school::{LessonResults, PupilResult};
use figures::chart::{Band, Bars, Bin, Lines, Range, Series, Spacing, without_style};
use lab::Stage;

/// A kappa of somebody.
type Measure = fn(&PupilResult) -> Option<f64>;
/// By all grades, and by relevant or not.
const MEASURES: [Measure; 2] = [|pupil| pupil.kappa, |pupil| pupil.binary];

/// One's own agreement with the others, round by round, within what all have.
pub(super) fn own(rounds: &[&LessonResults], name: &str, relevant: &str) -> Html {
    let line = |measure: Measure, title: &str| {
        series(rounds, title, measure, |round| round.of(name).and_then(measure))
    };
    let lines = vec![line(MEASURES[0], "you, all grades"), line(MEASURES[1], &format!("you, {relevant}"))];
    by_round("Your agreement with the others", lines)
}

/// The mean agreement of all, round by round.
pub(super) fn means(rounds: &[&LessonResults], relevant: &str) -> Html {
    let graded = series(rounds, "all grades", MEASURES[0], |round| round.mean_kappa().0);
    let binary = series(rounds, relevant, MEASURES[1], |round| round.mean_kappa().1);
    by_round("Mean agreement by round", vec![graded, binary])
}

/// Everybody in one lesson, as the report of a lab shows it. Applicants are held against what is known,
/// assessors against each other.
pub(super) fn lesson(results: &LessonResults, relevant: &str) -> Html {
    let key = results.lesson.key;
    let sample = key.stage == Stage::Sample;
    let values = |pupil: &PupilResult| {
        if sample { [pupil.with_known.kappa, pupil.with_known.binary] } else { [pupil.kappa, pupil.binary] }
    };
    let bins = results.pupils.iter().map(|pupil| Bin {
        label: pupil.name.clone(),
        values: values(pupil).map(|kappa| kappa.unwrap_or(f64::NAN)).to_vec(),
    });
    let chart = Bars {
        title: key.name(),
        x_label: if sample { "applicant" } else { "assessor" }.to_owned(),
        y_label: if sample {
            "Cohen's kappa with what is known"
        } else {
            "mean Cohen's kappa with the others"
        }
        .to_owned(),
        series: vec!["all grades".to_owned(), relevant.to_owned()],
        bins: bins.collect(),
        y_range: Range::UNIT,
        decimals: 2,
        notes: Vec::new(),
    };
    Html::trusted(without_style(&chart.to_svg()))
}

/// A line over rounds, with what all have around it.
fn series(
    rounds: &[&LessonResults],
    name: &str,
    measure: Measure,
    own: impl Fn(&LessonResults) -> Option<f64>,
) -> Series {
    let mut line = Series { name: name.to_owned(), ..Series::default() };
    for round in rounds {
        let Stage::Training(number) = round.lesson.key.stage else { continue };
        let x = f64::from(number);
        line.points.push((x, own(round).unwrap_or(f64::NAN)));
        let all: Vec<f64> = round.pupils.iter().filter_map(measure).collect();
        if !all.is_empty() {
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            line.band.push(Band { x, low, high });
        }
    }
    line
}

fn by_round(title: &str, series: Vec<Series>) -> Html {
    let last = series.iter().flat_map(|line| &line.points).map(|(x, _)| *x).fold(1.0, f64::max);
    let chart = Lines {
        title: title.to_owned(),
        x_label: "round of training".to_owned(),
        y_label: "mean Cohen's kappa with the others".to_owned(),
        series,
        x_spacing: Spacing::Linear,
        y_spacing: Spacing::Linear,
        // So wide that ticks stand at whole numbers.
        x_range: Range::AtLeast { low: 0.0, high: (last + 1.0).max(5.0) },
        y_range: Range::UNIT,
        decimals: 2,
        notes: vec!["The shaded range goes from the lowest to the highest of all assessors.".to_owned()],
    };
    Html::trusted(without_style(&chart.to_svg()))
}
