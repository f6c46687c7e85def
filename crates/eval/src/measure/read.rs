//! Reading the name of a measure, in our spelling and in that of other tools.

use super::{Args, Measure, MeasureError, Results};
use crate::measures::{Entry, Prime, REGISTRY, Suffix};
use std::str::FromStr;

/// What trec_eval computes when these names stand alone.
const TREC_LISTS: [(&str, &str); 7] = [
    ("P", "5,10,15,20,30,100,200,500,1000"),
    ("recall", "5,10,15,20,30,100,200,500,1000"),
    ("map_cut", "5,10,15,20,30,100,200,500,1000"),
    ("ndcg_cut", "5,10,15,20,30,100,200,500,1000"),
    ("success", "1,5,10"),
    ("iprec_at_recall", "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"),
    ("Rprec_mult", "0.2,0.4,0.6,0.8,1,1.2,1.4,1.6,1.8,2"),
];

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let parts = Parts::of(text)?;
        let entry = find(parts.name)?;
        let measure = entry.names.printed;
        let mut given = parts.given;
        let mut cutoff = parts.cutoff;
        match (parts.suffix, entry.names.suffix) {
            (None, _) => {}
            (Some(suffix), _) if suffix.contains('=') => given.push(("gains", suffix)),
            (Some(suffix), Suffix::Named(name)) => given.push((name, suffix)),
            (Some(suffix), Suffix::Cutoff) => cutoff = Some(suffix),
        }
        let mut results = parts.results;
        if let Some(flag) = take(&mut given, "judged_only") {
            results = match flag {
                "True" | "true" => Results::Judged,
                "False" | "false" if results == Results::All => Results::All,
                _ => return Err(Args::new(measure, given, None).bad("judged_only", flag, "True or False")),
            };
        }
        if cutoff.is_none() {
            cutoff = take(&mut given, "cutoff");
        }
        let mut args = Args::new(measure, given, cutoff);
        let kind = (entry.read)(&mut args)?;
        args.finish()?;
        if let (Results::Judged, Prime::NoEffect(reason)) = (results, kind.measure().prime()) {
            let parameter = "'".to_owned();
            return Err(MeasureError::NoEffect { measure, parameter, reason: reason.to_owned() });
        }
        Ok(Self { kind, results })
    }
}

impl Measure {
    /// Reads several measures, separated by commas or white space.
    ///
    /// trec_eval's lists become several measures, and so do its names that
    /// stand for the usual cutoffs.
    ///
    /// ```
    /// use eval::Measure;
    ///
    /// let measures = Measure::parse_list("nDCG', MAP'(rel=2) P.5,10 success")?;
    /// let printed: Vec<_> = measures.iter().map(Measure::to_string).collect();
    /// let expected = ["nDCG'", "AP'(rel=2)", "P@5", "P@10", "Success@1", "Success@5", "Success@10"];
    /// assert_eq!(printed, expected);
    /// # Ok::<(), eval::MeasureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For the first part that does not name a measure.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, MeasureError> {
        let mut names: Vec<String> = Vec::new();
        for token in tokens(text) {
            let first = token.split('=').next().unwrap_or(token);
            let listed = names.last().and_then(|last| split_suffix(last)).map(|(name, _)| name.to_owned());
            match (listed, names.last_mut()) {
                (Some(_), Some(last)) if first != token && is_number(first) => {
                    last.push(',');
                    last.push_str(token);
                }
                (Some(name), _) if is_number(token) => names.push(format!("{name}.{token}")),
                _ => match TREC_LISTS.iter().find(|(name, _)| *name == token) {
                    Some((name, cutoffs)) => {
                        names.extend(cutoffs.split(',').map(|cutoff| format!("{name}.{cutoff}")));
                    }
                    None => names.push(token.to_owned()),
                },
            }
        }
        names.iter().map(|name| name.parse()).collect()
    }
}

/// A text taken apart, its words not yet understood.
struct Parts<'a> {
    name: &'a str,
    suffix: Option<&'a str>,
    results: Results,
    given: Vec<(&'a str, &'a str)>,
    cutoff: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Result<Self, MeasureError> {
        let whole = text.trim();
        let syntax = |part: &str, expected| MeasureError::Syntax {
            text: whole.to_owned(),
            part: part.to_owned(),
            expected,
        };
        let end = whole.find(['\'', '′', '’', '(', '@']).unwrap_or(whole.len());
        let (name, mut rest) = whole.split_at(end);
        let (name, suffix) = match split_suffix(name) {
            Some((name, suffix)) => (name, Some(suffix)),
            None => (name.trim(), None),
        };
        let mut results = Results::All;
        if let Some(after) = rest.strip_prefix(['\'', '′', '’']) {
            results = Results::Judged;
            rest = after;
        }
        let mut given = Vec::new();
        if let Some(after) = rest.strip_prefix('(') {
            let (inner, after) =
                after.split_once(')').ok_or_else(|| syntax(rest, "the parenthesis is not closed"))?;
            for pair in split_outside(inner, |c| c == ',').filter(|pair| !pair.trim().is_empty()) {
                let (name, value) =
                    pair.split_once('=').ok_or_else(|| syntax(pair, "a parameter is NAME=VALUE"))?;
                given.push((name.trim(), value.trim().trim_matches(['\'', '"'])));
            }
            rest = after;
        }
        let mut cutoff = None;
        if let Some(after) = rest.strip_prefix('@') {
            if suffix.is_some() {
                return Err(syntax(rest, "there is a cutoff already"));
            }
            cutoff = Some(after.trim());
            rest = "";
        }
        if !rest.trim().is_empty() {
            return Err(syntax(rest, "the form is NAME, then ', then (parameter=value), then @cutoff"));
        }
        Ok(Self { name, suffix, results, given, cutoff })
    }
}

fn take<'a>(given: &mut Vec<(&'a str, &'a str)>, name: &str) -> Option<&'a str> {
    let index = given.iter().position(|(given, _)| *given == name)?;
    Some(given.remove(index).1)
}

/// Splits `P_10` and `P.10` into name and number.
fn split_suffix(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let is_start = |index: &usize| {
        let next = bytes.get(index + 1);
        matches!(bytes[*index], b'_' | b'.')
            && next.is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
    };
    let index = (1..bytes.len()).find(is_start)?;
    Some((text[..index].trim(), text[index + 1..].trim()))
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The parts of a list; commas and blanks inside brackets do not separate.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    split_outside(text, |c| c == ',' || c == ';' || c.is_whitespace()).filter(|token| !token.is_empty())
}

fn split_outside(text: &str, is_separator: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_separator(c)
    })
}

/// The measure of a name, whatever its case and whatever joins its words.
fn find(name: &str) -> Result<&'static Entry, MeasureError> {
    let plain = plain(name);
    let spellings = |entry: &'static Entry| {
        entry.names.others.iter().map(|other| (*other).to_owned()).chain([self::plain(entry.names.printed)])
    };
    if let Some(entry) = REGISTRY.iter().find(|entry| spellings(entry).any(|spelling| spelling == plain)) {
        return Ok(entry);
    }
    let nearest = REGISTRY
        .iter()
        .flat_map(|entry| {
            spellings(entry).map(|spelling| (text::edits(&spelling, &plain), entry.names.printed))
        })
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= plain.chars().count().div_ceil(2));
    Err(MeasureError::UnknownMeasure {
        name: name.to_owned(),
        nearest: nearest.map(|(_, name)| name),
        known: Measure::known().collect(),
    })
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}
