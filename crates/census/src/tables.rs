//! Tables for people: what a paper about a test collection shows, each to be pasted alone.

mod files;
mod formulas;
mod posts;

use crate::{Histogram, Sheet};
use figures::table::{Cell, Column, Row, Table};

impl Sheet<'_> {
    /// All tables that have something to show, top to bottom.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        match self.census {
            Some(census) => {
                tables.push(posts::overview(self, census));
                tables.push(distributions(self));
                tables.push(formulas::overview(self, census));
                tables.push(formulas::kinds(census));
                tables.extend(formulas::most_frequent(census));
                tables.extend(formulas::remarks(census));
                tables.extend(formulas::looks(census));
                tables.extend(posts::tags(census));
                tables.extend(posts::years(census));
            }
            None => tables.push(posts::counts(self)),
        }
        tables.extend(files::dirt(self));
        tables.extend(files::passed_over(self));
        tables.push(files::inputs(self));
        tables
    }
}

/// How everything is spread, a line each.
fn distributions(sheet: &Sheet<'_>) -> Table {
    let mut rows = Vec::new();
    if let Some(census) = sheet.census {
        for (section, lines) in [
            ("Posts", posts::distributions(&census.posts)),
            ("Words, formulas left out", posts::words(&census.posts)),
            ("Formulas in each", posts::formulas_each(&census.posts)),
            ("Size of formulas", formulas::sizes(&census.forms)),
        ] {
            let lines: Vec<_> = lines.into_iter().filter(|(_, histogram)| histogram.count() > 0).collect();
            if !lines.is_empty() {
                rows.push(Row::Section(section.into()));
                rows.extend(lines.iter().map(|(name, histogram)| distribution(name, histogram)));
            }
        }
    }
    Table {
        caption: vec!["Distributions.".into()],
        columns: [Column::left("")]
            .into_iter()
            .chain(["N", "Mean", "Least", "Q1", "Median", "Q3", "Greatest"].map(Column::right))
            .collect(),
        rows,
        footnotes: vec![
            "Symbols are nodes of the layout tree without blanks; depth is the longest way from the first \
             symbol, along baselines too; nesting is how often such a way leaves a baseline."
                .into(),
        ],
    }
}

fn distribution(name: &str, histogram: &Histogram) -> Row {
    let whole = |value: Option<i64>| Cell::text(value.map_or_else(String::new, grouped_signed));
    let quartile = |quarter| {
        let value = histogram.quartile(quarter).unwrap_or(f64::NAN);
        // Quartiles of whole numbers are whole, halves or quarters.
        let decimals = [1.0, 2.0].iter().position(|part| (value * part).fract() == 0.0).unwrap_or(2);
        Cell::text(grouped_decimal(value, decimals))
    };
    Row::Cells(vec![
        Cell::text(name),
        number(histogram.count()),
        Cell::text(grouped_decimal(histogram.mean().unwrap_or(f64::NAN), 2)),
        whole(histogram.least()),
        quartile(1),
        quartile(2),
        quartile(3),
        whole(histogram.greatest()),
    ])
}

/// The columns of a table of numbers and shares.
fn number_columns() -> Vec<Column> {
    vec![Column::left(""), Column::right("Number"), Column::right("Share")]
}

/// A line with a number.
fn line(name: &str, count: u64) -> Row {
    Row::Cells(vec![Cell::text(name), number(count)])
}

/// A line with a number and its share of another.
fn line_of(name: &str, count: u64, all: u64) -> Row {
    Row::Cells(vec![Cell::text(name), number(count), share(count, all)])
}

/// A line with words.
fn line_text(name: &str, text: &str) -> Row {
    Row::Cells(vec![Cell::text(name), Cell::text(text)])
}

/// A count, digits in groups of three.
fn number(count: u64) -> Cell {
    Cell::text(grouped(count))
}

/// A share in percent; nothing of nothing is empty.
fn share(count: u64, all: u64) -> Cell {
    if all == 0 {
        return Cell::default();
    }
    Cell::text(format!("{:.1} %", 100.0 * count as f64 / all as f64))
}

fn grouped(count: u64) -> String {
    group_digits(&count.to_string())
}

fn grouped_signed(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", grouped(value.unsigned_abs()))
}

fn grouped_decimal(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |parts| parts);
    let sign = if value < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group_digits(whole))
}

fn group_digits(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A formula that fits into a cell.
fn short(latex: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = latex.split_whitespace().collect();
    let text = words.join(" ");
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    if text.chars().count() <= LONGEST {
        return text;
    }
    let start: String = text.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!([0, 7, 999, 1000, 28_000_000].map(grouped), ["0", "7", "999", "1,000", "28,000,000"]);
        assert_eq!([-12_345, 12].map(grouped_signed), ["−12,345", "12"]);
        for (value, decimals, text) in [
            (1234.567, 2, "1,234.57"),
            (-0.001, 2, "0.00"),
            (-1.5, 1, "−1.5"),
            (f64::NAN, 2, "–"),
            (3.0, 0, "3"),
        ] {
            assert_eq!(grouped_decimal(value, decimals), text);
        }
    }

    #[test]
    fn long_formulas_are_cut() {
        assert_eq!(short(" a\n b "), "a b");
        assert_eq!(short(&"x".repeat(100)).chars().count(), 60);
        assert_eq!(short(" "), "(empty)");
    }
}
