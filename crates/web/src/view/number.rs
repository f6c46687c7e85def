//! Numbers, dates and plurals as people read them.

use retrieve::people::Total;
use store::Date;

/// A number with commas between the thousands.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The same for what is counted in memory.
pub(crate) fn number_of(count: usize) -> String {
    number(count as u64)
}

/// The word for so many.
fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// `1 post`, `214 posts`.
pub(crate) fn count(count: usize, one: &str, many: &str) -> String {
    format!("{}\u{A0}{}", number_of(count), plural(count, one, many))
}

/// `1 vote`, `-3 votes`.
pub(crate) fn votes(votes: i32) -> String {
    format!("{votes}\u{A0}{}", if votes == 1 { "vote" } else { "votes" })
}

/// `214 posts` or `more than 9999 posts`.
pub(crate) fn total(total: Total, one: &str, many: &str) -> String {
    match total {
        Total::Exactly(number) => count(number, one, many),
        Total::AtLeast(number) => format!("more than {}", count(number.saturating_sub(1), one, many)),
    }
}

/// `22 Mar 2017`, with the machine's form beside it for the `datetime` attribute.
pub(crate) fn day(date: Date) -> (String, String) {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let machine: String = date.to_string().chars().take_while(|letter| *letter != 'T').collect();
    let mut parts = machine.rsplitn(3, '-');
    let (day, month, year) = (parts.next(), parts.next(), parts.next());
    let shown = match (day, month.and_then(|month| month.parse::<usize>().ok()), year) {
        (Some(day), Some(month @ 1..=12), Some(year)) => {
            format!("{} {} {year}", day.trim_start_matches('0'), MONTHS[month - 1])
        }
        _ => machine.clone(),
    };
    (shown, machine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (given, expected) in
            [(0, "0"), (214, "214"), (9999, "9,999"), (28_000, "28,000"), (1_234_567, "1,234,567")]
        {
            assert_eq!(number(given), expected);
        }
    }

    #[test]
    fn totals_are_told() {
        assert_eq!(total(Total::Exactly(1), "post", "posts"), "1\u{A0}post");
        assert_eq!(total(Total::AtLeast(51), "post", "posts"), "more than 50\u{A0}posts");
        assert_eq!(total(Total::AtLeast(2), "post", "posts"), "more than 1\u{A0}post");
    }

    #[test]
    fn days_are_written_out() {
        let date = Date::parse("2017-03-02T09:15:00").expect("a date");
        assert_eq!(day(date), ("2 Mar 2017".to_owned(), "2017-03-02".to_owned()));
    }
}
