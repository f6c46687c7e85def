//! How far a model and people agree, and how sure that is.
//!
//! Answers that people judged are drawn [with as many of each grade as there are](choose), since most judged posts
//! are not relevant and a sample of those would say little. So what is counted over the sample is not what would be
//! counted over all that was judged: both are given, the second with each answer weighed by how frequent its grade
//! is among the judgments. Intervals come from drawing again, within each grade, from what was drawn.

use stats::rng::Rng;
use std::fmt;

/// The least grade of a relevant answer.
const RELEVANT: i32 = 2;

/// With fewer answers that both graded nothing is said of how far they agree.
pub const FEWEST: usize = 20;

/// So often is drawn again for an interval.
pub const RESAMPLES: usize = 2000;

/// How many there are of each grade from 0 to 3.
pub type OfGrade = [usize; 4];

/// How far a model's grades and people's agree, on answers that both graded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// How many answers both graded.
    pub answers: usize,
    /// How many of those that people graded the model gave no grade.
    pub without_grade: usize,
    /// On how many of them both gave the same grade.
    pub same: usize,
    /// How many answers that both graded have each of people's grades.
    pub sample: OfGrade,
    /// How many of all that people judged have each grade.
    pub judged: OfGrade,
    /// Over the sample; nothing with fewer than [`FEWEST`] answers.
    pub over_sample: Option<Figures>,
    /// With grades as frequent as people gave them; nothing with fewer than [`FEWEST`] answers, or when the model
    /// graded no answer with a grade that people gave.
    pub as_judged: Option<Figures>,
}

/// The figures of an agreement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Cohen's kappa of relevant (2 and 3) against not; nothing if it is not defined.
    pub relevant: Option<Estimate>,
    /// Kappa with squared distances of grades; nothing if it is not defined.
    pub graded: Option<Estimate>,
    /// The mean of the model's grades less that of people's.
    pub difference: Estimate,
}

/// A value and the interval that 95 % of the draws are in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A model's grade, people's, and how much the answer weighs.
#[derive(Clone, Copy, Debug)]
struct Pair {
    model: i32,
    people: i32,
    weight: f64,
}

impl Trust {
    /// From pairs of a model's grade, if it gave one, and people's, how many of each grade people gave in all, and
    /// what the draws for intervals start from.
    #[must_use]
    pub fn of(pairs: &[(Option<i32>, i32)], judged: OfGrade, seed: u64) -> Self {
        let both: Vec<(i32, i32)> =
            pairs.iter().filter_map(|(model, people)| Some(((*model)?, *people))).collect();
        let sample = of_grade(both.iter().map(|(_, people)| *people));
        let figures = |weights: [f64; 4]| {
            let weigh = |&(model, people): &(i32, i32)| {
                let weight = usize::try_from(people).ok().and_then(|grade| weights.get(grade));
                Pair { model, people, weight: weight.copied().unwrap_or(0.0) }
            };
            Figures::of(&both.iter().map(weigh).collect::<Vec<_>>(), seed)
        };
        let total: usize = judged.iter().sum();
        let is_covered = total > 0 && judged.iter().zip(&sample).all(|(all, drawn)| *all == 0 || *drawn > 0);
        let weights = std::array::from_fn(|grade| match sample[grade] {
            0 => 0.0,
            drawn => judged[grade] as f64 / drawn as f64,
        });
        let is_enough = both.len() >= FEWEST;
        Self {
            answers: both.len(),
            without_grade: pairs.len() - both.len(),
            same: both.iter().filter(|(model, people)| model == people).count(),
            sample,
            judged,
            over_sample: is_enough.then(|| figures([1.0; 4])),
            as_judged: (is_enough && is_covered).then(|| figures(weights)),
        }
    }

    /// The agreement in few words, for every row of a table.
    #[must_use]
    pub fn short(&self) -> String {
        match self.over_sample {
            _ if self.answers == 0 => "not known: no answer that people judged got a grade".to_owned(),
            None => format!("too few to say: {} answers graded by both", self.answers),
            Some(figures) => format!("kappa {} on {} answers", shown(figures.relevant), self.answers),
        }
    }

    /// Kappa of relevant against not over the sample, with three decimals; `-` where nothing is said of it.
    #[must_use]
    pub fn kappa(&self) -> String {
        let relevant = self.over_sample.and_then(|figures| figures.relevant);
        relevant.map_or_else(|| "-".to_owned(), |relevant| format!("{:.3}", relevant.value))
    }

    /// Whether the model agrees with people more than chance does, as far as can be told; nothing if it cannot.
    #[must_use]
    pub fn is_above_chance(&self) -> Option<bool> {
        Some(self.over_sample?.relevant?.low > 0.0)
    }
}

/// How many of these grades are 0, 1, 2 and 3; others are not counted.
#[must_use]
pub fn of_grade(grades: impl IntoIterator<Item = i32>) -> OfGrade {
    let mut counts = OfGrade::default();
    for grade in grades {
        if let Some(count) = usize::try_from(grade).ok().and_then(|grade| counts.get_mut(grade)) {
            *count += 1;
        }
    }
    counts
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = self.answers + self.without_grade;
        if self.answers == 0 {
            let those = "answers that people judged got a grade";
            return write!(f, "agreement with people is not known: none of {asked} {those}");
        }
        let [none, low, medium, high] = self.sample;
        write!(
            f,
            "agreement with people on {} answers that they judged, {none} of grade 0, {low} of 1, {medium} of 2 and \
             {high} of 3: ",
            self.answers
        )?;
        match self.over_sample {
            None => write!(f, "too few to say")?,
            Some(figures) => write!(f, "{figures}, the same grade for {}", self.same)?,
        }
        if self.without_grade > 0 {
            write!(f, "; {} more got no grade", self.without_grade)?;
        }
        if let Some(figures) = self.as_judged {
            let total: usize = self.judged.iter().sum();
            let share = |grade: usize| 100.0 * self.judged[grade] as f64 / total as f64;
            let (none, low, medium, high) = (share(0), share(1), share(2), share(3));
            write!(
                f,
                ". With grades as frequent as among all judgments, {none:.0} % of grade 0, {low:.0} % of 1, \
                 {medium:.0} % of 2 and {high:.0} % of 3: {figures}"
            )?;
        }
        match self.is_above_chance() {
            Some(false) => write!(f, ". That may be no more than chance"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { value, low, high } = self.difference;
        write!(
            f,
            "kappa {} (relevant or not), {} (grades, squared), {value:+.2} [{low:+.2}, {high:+.2}] in the mean",
            shown(self.relevant),
            shown(self.graded)
        )
    }
}

fn shown(kappa: Option<Estimate>) -> String {
    match kappa {
        None => "not defined".to_owned(),
        Some(Estimate { value, low, high }) => format!("{value:.3} [{low:.3}, {high:.3}]"),
    }
}

impl Figures {
    /// The figures over some pairs, which are not empty.
    fn of(pairs: &[Pair], seed: u64) -> Self {
        let mut of_grades: [Vec<Pair>; 4] = Default::default();
        for pair in pairs {
            if let Some(same) = usize::try_from(pair.people).ok().and_then(|grade| of_grades.get_mut(grade)) {
                same.push(*pair);
            }
        }
        let mut rng = Rng::seeded(seed);
        // The sample has so many of each grade by design, and so has each draw.
        let draws: Vec<Vec<Pair>> = (0..RESAMPLES)
            .map(|_| {
                let again = |same: &Vec<Pair>| {
                    (0..same.len()).map(|_| same[rng.index(same.len())]).collect::<Vec<_>>()
                };
                of_grades.iter().flat_map(again).collect()
            })
            .collect();
        let estimate = |statistic: &dyn Fn(&[Pair]) -> Option<f64>| {
            let value = statistic(pairs)?;
            let mut values: Vec<f64> = draws.iter().filter_map(|draw| statistic(draw)).collect();
            values.sort_by(f64::total_cmp);
            let end = |share: f64| {
                values.get((share * values.len().saturating_sub(1) as f64).round() as usize).copied()
            };
            Some(Estimate { value, low: end(0.025)?, high: end(0.975)? })
        };
        let zero = Estimate { value: 0.0, low: 0.0, high: 0.0 };
        Self {
            relevant: estimate(&|pairs| {
                kappa(pairs, |a, b| f64::from(u8::from((a >= RELEVANT) != (b >= RELEVANT))))
            }),
            graded: estimate(&|pairs| kappa(pairs, |a, b| f64::from((a - b).pow(2)))),
            difference: estimate(&difference).unwrap_or(zero),
        }
    }
}

/// The weighed mean of the model's grades less people's.
fn difference(pairs: &[Pair]) -> Option<f64> {
    let total: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let sum: f64 = pairs.iter().map(|pair| pair.weight * f64::from(pair.model - pair.people)).sum();
    (total > 0.0).then(|| sum / total)
}

/// Kappa with weights of answers, which the functions of `stats` do not have: one less the distance that was found
/// over the one that chance would give. Nothing where chance gives none.
fn kappa(pairs: &[Pair], distance: impl Fn(i32, i32) -> f64) -> Option<f64> {
    let mut table = [[0.0; 4]; 4];
    for pair in pairs {
        let (model, people) = (usize::try_from(pair.model).ok()?, usize::try_from(pair.people).ok()?);
        *table.get_mut(model)?.get_mut(people)? += pair.weight;
    }
    let total: f64 = table.iter().flatten().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for (model, row) in table.iter().enumerate() {
        let of_model: f64 = row.iter().sum();
        for (people, weight) in row.iter().enumerate() {
            let of_people: f64 = table.iter().map(|row| row[people]).sum();
            let apart = distance(model as i32, people as i32);
            observed += apart * weight / total;
            expected += apart * (of_model / total) * (of_people / total);
        }
    }
    let kappa = 1.0 - observed / expected;
    kappa.is_finite().then_some(kappa)
}

/// So many of some things, drawn by a seed, as many of each grade as there are; all if there are no more.
#[must_use]
pub fn choose<T>(mut graded: Vec<(i32, T)>, most: usize, seed: u64) -> Vec<(i32, T)> {
    Rng::seeded(seed).shuffle(&mut graded);
    // The first of every grade, then the second of every grade, and so on.
    let mut counts = [0_usize; 4];
    let mut turns: Vec<(usize, i32, T)> = graded
        .into_iter()
        .filter_map(|(grade, thing)| {
            let count = usize::try_from(grade).ok().and_then(|grade| counts.get_mut(grade))?;
            *count += 1;
            Some((*count, grade, thing))
        })
        .collect();
    turns.sort_by_key(|(turn, grade, _)| (*turn, *grade));
    turns.truncate(most);
    turns.into_iter().map(|(_, grade, thing)| (grade, thing)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::agreement::{Distance, cohen_kappa_at, weighted_kappa};

    /// So many pairs of grades of the model and of people, each written once with how often.
    fn pairs(counted: &[(usize, i32, i32)]) -> Vec<(Option<i32>, i32)> {
        let each = |&(times, model, people): &(usize, i32, i32)| vec![(Some(model), people); times];
        counted.iter().flat_map(each).collect()
    }

    #[test]
    fn trust_is_counted_over_what_both_graded() {
        let mut all = pairs(&[(10, 3, 3), (5, 2, 1), (5, 0, 1)]);
        all.push((None, 2));
        let trust = Trust::of(&all, [0, 10, 0, 10], 1);
        assert_eq!((trust.answers, trust.without_grade, trust.same), (20, 1, 10));
        assert_eq!(trust.sample, [0, 10, 0, 10]);
        // Observed 3/4; the model finds 15 of 20 relevant, people 10: expected 3/4·1/2 + 1/4·1/2 = 1/2.
        let figures = trust.over_sample.unwrap();
        let relevant = figures.relevant.unwrap();
        assert!((relevant.value - 0.5).abs() < 1e-12, "{trust:?}");
        assert!(relevant.low < 0.5 && relevant.high > 0.5 && relevant.low > 0.0, "{relevant:?}");
        assert_eq!(figures.difference.value, 0.0);
        assert_eq!(trust.is_above_chance(), Some(true));
        let shown = trust.to_string();
        let start = "agreement with people on 20 answers that they judged, 0 of grade 0, 10 of 1, 0 of 2 and 10 of 3: kappa 0.500 [";
        assert!(shown.starts_with(start), "{shown}");
        assert!(shown.contains("the same grade for 10; 1 more got no grade. With grades as"), "{shown}");
    }

    #[test]
    fn kappas_without_weights_are_those_of_the_statistics() {
        let (model, people) = ([3, 2, 1, 0, 0, 3, 2, 0, 1, 0], [3, 1, 1, 0, 0, 2, 2, 0, 0, 3]);
        let pairs: Vec<Pair> =
            model.iter().zip(&people).map(|(&model, &people)| Pair { model, people, weight: 1.0 }).collect();
        let figures = Figures::of(&pairs, 1);
        let relevant = cohen_kappa_at(&model, &people, &RELEVANT).unwrap().kappa;
        let graded = weighted_kappa(&model, &people, Distance::Quadratic).unwrap().kappa;
        assert!((figures.relevant.unwrap().value - relevant).abs() < 1e-12, "{figures:?} {relevant}");
        assert!((figures.graded.unwrap().value - graded).abs() < 1e-12, "{figures:?} {graded}");
    }

    #[test]
    fn a_balanced_sample_is_weighed_by_how_frequent_grades_are() {
        // Half of both grades are said to be relevant, with 10 of each drawn: a kappa of 0 and no difference.
        // Nine of ten judged answers have grade 0, which the model is two times too kind to in half of the cases.
        let all = pairs(&[(5, 2, 0), (5, 0, 0), (5, 2, 2), (5, 0, 2)]);
        let trust = Trust::of(&all, [90, 0, 10, 0], 1);
        assert_eq!(trust.over_sample.unwrap().difference.value, 0.0);
        let judged = trust.as_judged.unwrap();
        assert!((judged.difference.value - 0.8).abs() < 1e-12, "{judged:?}");
        // A model that finds all relevant and 8 of 10 others not has a kappa of 0.8 in the sample. With weights 9
        // and 1 the two differ in 0.18; by chance in 0.9·0.28 + 0.1·0.72 = 0.324.
        let all = pairs(&[(8, 0, 0), (2, 2, 0), (10, 2, 2)]);
        let trust = Trust::of(&all, [90, 0, 10, 0], 1);
        assert!((trust.over_sample.unwrap().relevant.unwrap().value - 0.8).abs() < 1e-12);
        let kappa = trust.as_judged.unwrap().relevant.unwrap();
        assert!((kappa.value - (1.0 - 0.18 / 0.324)).abs() < 1e-12, "{kappa:?}");
        // Of a grade that people gave and that was not drawn nothing is known.
        assert_eq!(Trust::of(&all, [90, 1, 10, 0], 1).as_judged, None);
    }

    #[test]
    fn intervals_are_those_of_the_seed() {
        let all = pairs(&[(7, 0, 0), (3, 2, 0), (4, 2, 2), (6, 1, 2)]);
        let (one, other) = (Trust::of(&all, [10, 0, 10, 0], 1), Trust::of(&all, [10, 0, 10, 0], 1));
        assert_eq!(one, other);
        let relevant = one.over_sample.unwrap().relevant.unwrap();
        assert!(relevant.low < relevant.value && relevant.value < relevant.high, "{relevant:?}");
        assert!(
            relevant.low <= 0.0 && one.to_string().ends_with(". That may be no more than chance"),
            "{one}"
        );
    }

    #[test]
    fn what_is_not_known_is_said() {
        let trust = Trust::of(&[(None, 2)], [0, 0, 1, 0], 1);
        assert_eq!(
            trust.to_string(),
            "agreement with people is not known: none of 1 answers that people judged got a grade"
        );
        assert_eq!(trust.short(), "not known: no answer that people judged got a grade");
        let few = Trust::of(&pairs(&[(19, 0, 0)]), [19, 0, 0, 0], 1);
        assert!(few.to_string().ends_with("0 of 2 and 0 of 3: too few to say"), "{few}");
        assert_eq!(few.short(), "too few to say: 19 answers graded by both");
        let same = Trust::of(&pairs(&[(20, 0, 0)]), [20, 0, 0, 0], 1);
        assert!(same.to_string().contains("kappa not defined (relevant or not)"), "{same}");
        assert_eq!(same.short(), "kappa not defined on 20 answers");
    }

    #[test]
    fn grades_are_drawn_in_turn() {
        let graded: Vec<(i32, usize)> =
            (0..40).map(|number| (if number < 36 { 0 } else { number as i32 - 36 }, number)).collect();
        let chosen = choose(graded.clone(), 6, 1);
        let grades: Vec<i32> = chosen.iter().map(|(grade, _)| *grade).collect();
        assert_eq!(grades, [0, 1, 2, 3, 0, 0]);
        assert_eq!(choose(graded.clone(), 6, 1), chosen);
        assert_eq!(choose(graded, 100, 1).len(), 40);
    }
}
