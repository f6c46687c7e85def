//! Lines of a table without a header, cut into fields.
//!
//! trec_eval's files are cut at blanks and tabs of any number; the labs' files
//! are cut at single tabs, and a field may then hold blanks. Both are read:
//! the first line decides which, and a line that has another number of fields
//! is tried the other way before it is a problem.

use crate::error::{Place, Problem};

/// A piece of a text, by bytes. A file has less than 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Files up to this size can be addressed.
    pub(crate) const LIMIT: usize = u32::MAX as usize;

    /// A span; both ends are within a text that is not longer than [`Span::LIMIT`].
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let short = |offset: usize| u32::try_from(offset).expect("texts are shorter than the limit");
        Self { start: short(start), end: short(end) }
    }

    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

/// The fields of a line; one more than any table has is enough to notice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fields {
    spans: [Span; Self::MOST],
    count: usize,
}

impl Fields {
    const MOST: usize = 8;

    /// How many fields there are, counted up to one more than fit.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn get(&self, index: usize) -> Span {
        self.spans[index]
    }

    fn push(&mut self, start: usize, end: usize) {
        if let Some(slot) = self.spans.get_mut(self.count) {
            *slot = Span::new(start, end);
        }
        self.count = (self.count + 1).min(Self::MOST + 1);
    }
}

/// How the lines of a file are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// At every tab.
    Tabs,
    /// At any number of blanks and tabs.
    Blanks,
}

impl Cut {
    #[inline]
    fn apply(self, text: &str, start: usize, end: usize) -> Fields {
        match self {
            Self::Tabs => cut_at_tabs(text, start, end),
            Self::Blanks => cut_at_blanks(text, start, end),
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Tabs => Self::Blanks,
            Self::Blanks => Self::Tabs,
        }
    }
}

/// Cuts the lines of one file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cutter {
    cut: Option<Cut>,
}

impl Cutter {
    /// Cuts the line `text[start..end]`; `fits` says which numbers of fields are right.
    #[inline]
    pub(crate) fn cut(
        &mut self,
        text: &str,
        start: usize,
        end: usize,
        fits: impl Fn(usize) -> bool,
    ) -> Fields {
        let first = *self.cut.get_or_insert_with(|| {
            let tabs = cut_at_tabs(text, start, end);
            if fits(tabs.count()) { Cut::Tabs } else { Cut::Blanks }
        });
        let fields = first.apply(text, start, end);
        if fits(fields.count()) {
            return fields;
        }
        let again = first.other().apply(text, start, end);
        if fits(again.count()) && (0..again.count()).all(|index| !again.get(index).of(text).is_empty()) {
            again
        } else {
            fields
        }
    }
}

/// Fields between tabs, without the blanks around each. Carriage returns count
/// as blanks there: at the end of a line they could not be written back.
#[inline]
fn cut_at_tabs(text: &str, start: usize, end: usize) -> Fields {
    let line = &text.as_bytes()[start..end];
    let mut ends = [line.len(); Fields::MOST];
    let mut tabs = 0;
    each_tab(line, |tab| {
        if let Some(end) = ends.get_mut(tabs) {
            *end = tab;
        }
        tabs += 1;
    });
    let mut fields = Fields { count: (tabs + 1).min(Fields::MOST + 1), ..Fields::default() };
    let mut from = 0;
    for (span, to) in fields.spans.iter_mut().zip(ends).take(tabs + 1) {
        let (mut left, mut right) = (from, to);
        while left < right && matches!(line[left], b' ' | b'\r') {
            left += 1;
        }
        while left < right && matches!(line[right - 1], b' ' | b'\r') {
            right -= 1;
        }
        *span = Span::new(start + left, start + right);
        from = to + 1;
    }
    fields
}

/// Calls `found` with the place of every tab. Fields are short, so that
/// looking at eight bytes at a time is faster than a search for each tab.
#[inline]
fn each_tab(line: &[u8], mut found: impl FnMut(usize)) {
    const TABS: u64 = u64::from_le_bytes([b'\t'; 8]);
    const LOW_BITS: u64 = u64::from_le_bytes([0x7F; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let differs = u64::from_le_bytes(*word) ^ TABS;
        // The high bit of every byte that does not differ.
        let mut tabs = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        while tabs != 0 {
            found(8 * index + tabs.trailing_zeros() as usize / 8);
            tabs &= tabs - 1;
        }
    }
    for (index, byte) in rest.iter().enumerate() {
        if *byte == b'\t' {
            found(8 * words.len() + index);
        }
    }
}

fn cut_at_blanks(text: &str, start: usize, end: usize) -> Fields {
    let bytes = text.as_bytes();
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C | b'\r');
    let mut fields = Fields::default();
    let mut at = start;
    loop {
        while at < end && is_blank(bytes[at]) {
            at += 1;
        }
        if at == end {
            return fields;
        }
        let from = at;
        while at < end && !is_blank(bytes[at]) {
            at += 1;
        }
        fields.push(from, at);
    }
}

/// The line of a text that begins at a byte, without its end.
pub(crate) fn line_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    let line = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest, |end| &rest[..end]);
    line.trim_end_matches('\r')
}

/// The lines of a text that hold something: number from 1, start, end, without line ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, usize, usize)> {
    let bytes = text.as_bytes();
    let mut number = 0;
    let mut next = 0;
    std::iter::from_fn(move || {
        while next < bytes.len() {
            let start = next;
            let newline = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |found| start + found);
            next = newline + 1;
            number += 1;
            let mut end = newline;
            while end > start && bytes[end - 1] == b'\r' {
                end -= 1;
            }
            if bytes[start..end].iter().any(|byte| !byte.is_ascii_whitespace()) {
                return Some((number, start, end));
            }
        }
        None
    })
}

/// What is wrong with a field, with its place.
pub(crate) fn problem(name: &str, text: &str, line: usize, span: Span, reason: String) -> Problem {
    let before = &text[..span.start()];
    let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let column = Some(before[start..].chars().count() + 1);
    Problem { place: Place { file: name.to_owned(), line, column }, reason }
}

/// How many columns were found, in words.
pub(crate) fn columns_found(count: usize) -> String {
    match count {
        1 => "1 column (tabs or blanks part columns)".to_owned(),
        count if count > Fields::MOST => format!("more than {} columns", Fields::MOST),
        count => format!("{count} columns"),
    }
}

/// A field as it is shown in a message: its beginning, if it is long.
pub(crate) fn shorten(field: &str) -> String {
    match field.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &field[..end]),
        None => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], wanted: usize, expected: &[&[&str]]) {
        let mut cutter = Cutter::default();
        let found: Vec<Vec<&str>> = lines
            .iter()
            .map(|line| {
                let fields = cutter.cut(line, 0, line.len(), |count| count == wanted);
                (0..fields.count().min(Fields::MOST)).map(|index| fields.get(index).of(line)).collect()
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn tabs_keep_blanks_inside_a_field() {
        check(&["a b\tc", "d \t e"], 2, &[&["a b", "c"], &["d", "e"]]);
        check(&["a\r \tb\r "], 2, &[&["a", "b"]]);
    }

    #[test]
    fn blanks_of_any_number() {
        check(&["  a   b\tc "], 3, &[&["a", "b", "c"]]);
    }

    #[test]
    fn one_line_may_be_cut_the_other_way() {
        check(&["a\tb", "c d", "e f g\th"], 2, &[&["a", "b"], &["c", "d"], &["e f g", "h"]]);
    }

    #[test]
    fn an_empty_field_between_tabs_stays_empty() {
        check(&["a\t\tb"], 3, &[&["a", "", "b"]]);
        check(&["a\tb\tc", "a\t\tb\tc"], 3, &[&["a", "b", "c"], &["a", "b", "c"]]);
    }

    #[test]
    fn tabs_are_found_wherever_they_stand() {
        for length in 0..40 {
            for first in 0..length {
                for second in first + 1..length {
                    // A byte whose low bits are those of a tab is none.
                    let mut line = vec![b'\t' | 0x80; length];
                    (line[first], line[second]) = (b'\t', b'\t');
                    let mut found = Vec::new();
                    each_tab(&line, |tab| found.push(tab));
                    assert_eq!(found, [first, second]);
                }
            }
        }
        each_tab(b"\x08\x0A no tab here \x0B", |tab| panic!("a tab at {tab}"));
    }

    #[test]
    fn lines_are_numbered_and_blank_ones_skipped() {
        let text = "a\r\n\n  \r\nb";
        let found: Vec<(usize, &str)> = lines(text).map(|(line, from, to)| (line, &text[from..to])).collect();
        assert_eq!(found, [(1, "a"), (4, "b")]);
    }
}
