//! Numbers and names in sentences and cells.

use figures::table::Cell;
use std::fmt::Display;

/// `1 run`, `5 runs`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.pop() {
        None => String::new(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} and {last}", items.join(", ")),
    }
}

/// The same with no more than so many of them.
pub(crate) fn some<T: Display>(items: impl IntoIterator<Item = T>, most: usize) -> String {
    let items: Vec<T> = items.into_iter().collect();
    match items.len().checked_sub(most) {
        None | Some(0) => list(items),
        Some(further) => {
            let shown: Vec<String> = items.iter().take(most).map(ToString::to_string).collect();
            format!("{} and {further} more", shown.join(", "))
        }
    }
}

/// A count as a cell.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn count_cell(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}

/// A number, or a dash where there is none.
pub(crate) fn optional(value: Option<f64>, decimals: usize) -> Cell {
    Cell::number(value.unwrap_or(f64::NAN), decimals)
}

/// A number with fixed decimals for a sentence, or a dash.
pub(crate) fn shown(value: Option<f64>, decimals: usize) -> String {
    value
        .filter(|value| value.is_finite())
        .map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"))
}

/// The mean of counts.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn mean(counts: &[usize]) -> Option<f64> {
    (!counts.is_empty()).then(|| counts.iter().sum::<usize>() as f64 / counts.len() as f64)
}

/// The middle value; the mean of the two in the middle of an even number.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        length if length % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

/// A share as `12.3 %`.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn percent(part: usize, whole: usize) -> Option<String> {
    (whole > 0).then(|| format!("{:.1} %", 100.0 * part as f64 / whole as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_people_write_them() {
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b", "c"]), "a, b and c");
        assert_eq!(some(["a", "b", "c"], 3), "a, b and c");
        assert_eq!(some(["a", "b", "c", "d"], 2), "a, b and 2 more");
        assert_eq!(count(1, "run", "runs"), "1 run");
    }

    #[test]
    fn middles() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(percent(1, 8).as_deref(), Some("12.5 %"));
        assert_eq!(percent(0, 0), None);
    }
}
