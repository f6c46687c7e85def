//! Filters: their names, their values, and what to say about those that are none.

use formula::matching::Letters;
use std::fmt::Debug;

/// What results must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Their question has this tag, in lower case with hyphens.
    Tag(String),
    /// They are this.
    Is(PostIs),
    /// Their author has this name or number.
    User(String),
    /// Their score.
    Score(Bounds<i64>),
    /// The day on which they were written.
    Date(Bounds<Day>),
    /// How many answers their question has.
    Answers(Bounds<i64>),
    /// Formulas with a sign: whether their letters may have other names.
    Letters(Letters),
}

/// What a post can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostIs {
    /// A question.
    Question,
    /// An answer.
    Answer,
    /// An answer that the person who asked accepted.
    Accepted,
}

/// A day, as far as it was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// From the first to the last, both included; none means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<T> {
    /// The smallest that fits.
    pub from: Option<T>,
    /// The greatest that fits.
    pub to: Option<T>,
}

impl<T: Ord + Copy> Bounds<T> {
    /// Whether a value is within.
    #[must_use]
    pub fn contains(&self, value: T) -> bool {
        self.from.is_none_or(|from| from <= value) && self.to.is_none_or(|to| value <= to)
    }
}

/// What a name before a colon asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Tag,
    Is,
    User,
    Score,
    Answers,
    Year,
    Date,
    Letters,
}

const NAMES: &[(&str, Name)] = &[
    ("tag", Name::Tag),
    ("tags", Name::Tag),
    ("is", Name::Is),
    ("user", Name::User),
    ("author", Name::User),
    ("score", Name::Score),
    ("votes", Name::Score),
    ("answers", Name::Answers),
    ("year", Name::Year),
    ("date", Name::Date),
    ("letters", Name::Letters),
];

/// What can be said, for notes.
const KNOWN: &str = "tag:calculus, is:answer, user:name, score:>5, answers:0, year:2015, date:2015-03..2016 and letters:any are understood";

impl Name {
    /// The filter of this name, whatever the case of its letters.
    pub(crate) fn of(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, name)| *name)
    }

    /// The filter with this value, or a sentence that says what it can be.
    pub(crate) fn filter(self, value: &str) -> Result<Filter, String> {
        let value = value.trim();
        let unfit = |can: &str| format!("«{}» was searched as text: {can}", shown(value));
        match self {
            Self::Tag => {
                let tag = as_tag(value);
                if tag.is_empty() {
                    Err(unfit("a tag is a word, such as tag:calculus"))
                } else {
                    Ok(Filter::Tag(tag))
                }
            }
            Self::User if value.is_empty() => Err(unfit("user: takes a name, such as user:\"First Last\"")),
            Self::User => Ok(Filter::User(value.to_owned())),
            Self::Is => post_is(value).map(Filter::Is).ok_or_else(|| {
                let known = ["question", "answer", "accepted"];
                let meant = nearest(value, known).map(|name| format!("; did you mean is:{name}?"));
                unfit(&format!("is: takes question, answer or accepted{}", meant.unwrap_or_default()))
            }),
            Self::Score => numbers(value)
                .map(Filter::Score)
                .ok_or_else(|| unfit("score: takes a number, such as score:5, score:>5 or score:3..10")),
            Self::Answers => numbers(value).map(Filter::Answers).ok_or_else(|| {
                unfit("answers: takes a number, such as answers:0, answers:>2 or answers:1..3")
            }),
            Self::Letters => match value.to_ascii_lowercase().as_str() {
                "any" => Ok(Filter::Letters(Letters::Any)),
                "same" => Ok(Filter::Letters(Letters::Same)),
                _ => Err(unfit("letters: takes any or same, as in +$a^2+b^2$ letters:any")),
            },
            Self::Year | Self::Date => days(value).map(Filter::Date).ok_or_else(|| {
                unfit(
                    "a date is written 2015, 2015-03 or 2015-03-14, as in date:>=2015-03 or year:2015..2017",
                )
            }),
        }
    }
}

/// What to say about a name that is none.
pub(crate) fn unknown(name: &str) -> String {
    let known = NAMES.iter().map(|(known, _)| *known);
    match nearest(name, known) {
        Some(known) => format!("«{}:» was searched as text; did you mean {known}:?", shown(name)),
        None => format!("«{}:» was searched as text; {KNOWN}", shown(name)),
    }
}

/// A tag as the collections write it.
pub(crate) fn as_tag(value: &str) -> String {
    let words: Vec<&str> =
        value.split(|c: char| c.is_whitespace() || c == '_').filter(|w| !w.is_empty()).collect();
    words.join("-").trim_matches(['[', ']', ',', ';']).to_lowercase()
}

fn post_is(value: &str) -> Option<PostIs> {
    Some(match value.to_ascii_lowercase().as_str() {
        "question" | "questions" | "q" => PostIs::Question,
        "answer" | "answers" | "a" => PostIs::Answer,
        "accepted" => PostIs::Accepted,
        _ => return None,
    })
}

/// Reads `5`, `>5`, `>=5`, `<5`, `<=5`, `=5`, `3..10`, `3..` and `..10`.
fn numbers(value: &str) -> Option<Bounds<i64>> {
    let number = |text: &str| text.trim().parse::<i64>().ok().map(|number| (number, number));
    bounds(value, number, |number| number.saturating_sub(1), |number| number.saturating_add(1))
}

/// The same with days, months and years.
fn days(value: &str) -> Option<Bounds<Day>> {
    bounds(value, |text| period(text.trim()), Day::before, Day::after)
}

/// Reads bounds of things that have a first and a last: a month has both.
fn bounds<T: Ord + Copy>(
    value: &str,
    read: impl Fn(&str) -> Option<(T, T)>,
    before: impl Fn(T) -> T,
    after: impl Fn(T) -> T,
) -> Option<Bounds<T>> {
    let bounds = |from, to| Some(Bounds { from, to });
    if let Some((first, last)) = value.split_once("..") {
        let last = last.trim_start_matches('.');
        return match (first.is_empty(), last.is_empty()) {
            (true, true) => None,
            (true, false) => bounds(None, Some(read(last)?.1)),
            (false, true) => bounds(Some(read(first)?.0), None),
            (false, false) => {
                let (first, last) = (read(first)?, read(last)?);
                // Whoever names the later one first means the same.
                bounds(Some(first.0.min(last.0)), Some(first.1.max(last.1)))
            }
        };
    }
    if let Some(rest) = [">=", "≥", "=>"].iter().find_map(|sign| value.strip_prefix(sign)) {
        return bounds(Some(read(rest)?.0), None);
    }
    if let Some(rest) = ["<=", "≤", "=<"].iter().find_map(|sign| value.strip_prefix(sign)) {
        return bounds(None, Some(read(rest)?.1));
    }
    if let Some(rest) = value.strip_prefix('>') {
        return bounds(Some(after(read(rest)?.1)), None);
    }
    if let Some(rest) = value.strip_prefix('<') {
        return bounds(None, Some(before(read(rest)?.0)));
    }
    let (first, last) = read(value.strip_prefix('=').unwrap_or(value))?;
    bounds(Some(first), Some(last))
}

/// The first and last day of `2015`, `2015-03` or `2015-03-14`.
fn period(text: &str) -> Option<(Day, Day)> {
    let mut parts = text.split(['-', '/']);
    let number = |part: Option<&str>, length: usize| match part {
        Some(part) if part.len() <= length && part.bytes().all(|byte| byte.is_ascii_digit()) => {
            part.parse::<u16>().ok()
        }
        _ => None,
    };
    let year = parts.next().filter(|part| part.len() == 4);
    let year = number(year, 4)?;
    let Some(month) = parts.next() else {
        return Some((Day { year, month: 1, day: 1 }, Day { year, month: 12, day: 31 }));
    };
    let month = u8::try_from(number(Some(month), 2)?).ok().filter(|month| (1..=12).contains(month))?;
    let last = days_in(year, month);
    let Some(day) = parts.next() else {
        return Some((Day { year, month, day: 1 }, Day { year, month, day: last }));
    };
    let day = u8::try_from(number(Some(day), 2)?).ok().filter(|day| (1..=last).contains(day))?;
    parts.next().is_none().then_some((Day { year, month, day }, Day { year, month, day }))
}

impl Day {
    fn before(self) -> Self {
        match self {
            Self { year: 0, month: 1, day: 1 } => self,
            Self { year, month: 1, day: 1 } => Self { year: year - 1, month: 12, day: 31 },
            Self { year, month, day: 1 } => Self { year, month: month - 1, day: days_in(year, month - 1) },
            Self { year, month, day } => Self { year, month, day: day - 1 },
        }
    }

    fn after(self) -> Self {
        let Self { year, month, day } = self;
        if day < days_in(year, month) {
            Self { year, month, day: day + 1 }
        } else if month < 12 {
            Self { year, month: month + 1, day: 1 }
        } else {
            Self { year: year.saturating_add(1), month: 1, day: 1 }
        }
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The beginning of something long.
fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(32).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The name that was meant, if a slip of the hand explains the difference: one letter wrong, missing or too
/// many, or two neighbours exchanged.
fn nearest<'k>(wanted: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted: Vec<char> = wanted.chars().take(16).map(|letter| letter.to_ascii_lowercase()).collect();
    known.into_iter().find(|name| name.len() > 2 && is_slip(&wanted, &name.chars().collect::<Vec<_>>()))
}

fn is_slip(wanted: &[char], known: &[char]) -> bool {
    let same = wanted.iter().zip(known).take_while(|(a, b)| a == b).count();
    let (wanted, known) = (&wanted[same..], &known[same..]);
    match (wanted, known) {
        ([], []) => true,
        ([a, b, rest @ ..], [c, d, others @ ..]) if a == d && b == c && rest == others => true,
        ([_, rest @ ..], [_, others @ ..]) if rest == others => true,
        ([_, rest @ ..], known) if rest == known => true,
        (wanted, [_, others @ ..]) if wanted == others => true,
        _ => false,
    }
}
