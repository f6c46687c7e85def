//! What a file that is given as a run of Task 3 holds: told by its first row, cut as its readers cut it.

use formats::task3;
use std::fmt;

/// What kind of file a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `run topic answer`: a map of several runs.
    Map,
    /// `topic rank score run sources answer`.
    Answers,
    /// A ranking, of which the first result is the answer.
    Ranking,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => "a map of runs (run, topic, answer id)",
            Self::Answers => "written answers (topic, rank, score, run, sources, answer)",
            Self::Ranking => "a ranking (topic, Q0, document, rank, score, tag, or Task 1's columns)",
        })
    }
}

impl Kind {
    /// What a text holds. Quotes and tabs in an answer are no columns.
    pub(super) fn of(text: &str) -> Self {
        let mut rows = task3::rows(text);
        let first = rows.next().unwrap_or_default();
        let fields: Vec<&str> = first.iter().map(|field| field.trim()).collect();
        match fields.as_slice() {
            [_, _, _] => Self::Map,
            [_, rank, score, run, sources, last] if is_number(rank) && is_number(score) => {
                // Both kinds may have numbers in five columns: a ranking by `1 document rank score`, answers by
                // a run and a source that are numbers. Answers have rank 1, and differ from row to row; the
                // document of a ranking is no fraction, its first rank is 0 or 1, and its tag stays the same.
                let may_be_ranking = is_number(run)
                    && is_number(sources)
                    && score.bytes().all(|byte| byte.is_ascii_digit())
                    && (*rank != "1" || matches!(*run, "0" | "1"))
                    && !last.is_empty()
                    && !last.contains(char::is_whitespace);
                let has_tag = |row: Vec<String>| row.get(5).is_some_and(|field| field.trim() == *last);
                if may_be_ranking && rows.all(has_tag) { Self::Ranking } else { Self::Answers }
            }
            // A row of answers with a column too few or too many is still one; its reader says what is wrong.
            [_, rank, score, run, _, ..] if is_number(rank) && is_number(score) && !is_number(run) => {
                Self::Answers
            }
            _ => Self::Ranking,
        }
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_first_row_says() {
        for (text, expected) in [
            ("A.1\t1\t0.5\tus\t\tTake $x$.\n", Kind::Answers),
            ("\"A.1\"\t\"1\"\t\"0.5\"\t\"us\"\t\"7\"\t\"Take\"\n", Kind::Answers),
            ("A.1\t1\t0.5\tus\t7\t\"Take\t$x$\nor\t$y$\"\n", Kind::Answers),
            // A run and a source that are numbers.
            ("A.1\t1\t0.5\t7\t12345\tTake\n", Kind::Answers),
            ("A.1\t1\t1\t1\t12345\tTake $x$.\n", Kind::Answers),
            ("A.1\t1\t1\t1\t12345\tx\nA.2\t1\t1\t1\t12346\ty\n", Kind::Answers),
            ("A.1\t1\t9\t7\t12345\tx\nA.2\t1\t8\t7\t12346\tx\n", Kind::Answers),
            ("A.1\t1\t9\t1\t12345\t\n", Kind::Answers),
            // One column too few, one too many.
            ("A.1\t1\t0.5\tus\tx\n", Kind::Answers),
            ("A.1\t1\t0.5\tus\t7\tx\ty\n", Kind::Answers),
            ("\n\r\nus\tA.1\td_1\n", Kind::Map),
            ("A.1\tQ0\t12\t1\t0.5\tus\n", Kind::Ranking),
            ("A.1\t0\t12\t17\t0.5\tus\nA.1\t0\t13\t1\t0.9\tus\n", Kind::Ranking),
            ("A.1\t1\t12\t1\t0.5\tus\nA.1\t1\t13\t2\t0.4\tus\n", Kind::Ranking),
            ("A.1\t12\t1\t0.5\tus\n", Kind::Ranking),
            ("A.1 Q0 12 1 0.5 us\n", Kind::Ranking),
            ("", Kind::Ranking),
        ] {
            assert_eq!(Kind::of(text), expected, "{text}");
        }
    }
}
