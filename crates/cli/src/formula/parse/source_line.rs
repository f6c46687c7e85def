//! The line of a formula that a remark is about, with a mark under the place.

use std::ops::Range;

/// Characters shown of a long line.
const WIDTH: usize = 96;

/// Two lines: the source around `span`, and carets under it. Blanks stand for
/// tabs and other control characters, so that the carets are in their place.
pub(super) fn show(source: &str, span: Range<usize>) -> String {
    let start = boundary(source, span.start);
    let end = boundary(source, span.end).max(start);
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
    let line: Vec<char> = source[line_start..line_end]
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let first = source[line_start..start].chars().count();
    let marked = source[start..end.min(line_end)].chars().count().max(1);

    let from = if line.len() > WIDTH { first.saturating_sub(WIDTH / 3).min(line.len() - WIDTH) } else { 0 };
    let to = line.len().min(from + WIDTH);
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
    let shown: String = line[from..to].iter().collect();
    let indent = " ".repeat(first - from + before.chars().count());
    let carets = "^".repeat(marked.min((to - first.min(to)).max(1)));
    format!("  {before}{shown}{after}\n  {indent}{carets}\n")
}

/// The nearest place at or before `at` where a character starts.
fn boundary(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_place() {
        assert_eq!(show("a+\\foo", 2..6), "  a+\\foo\n    ^^^^\n");
        assert_eq!(show("é\\foo", 2..6), "  é\\foo\n   ^^^^\n");
        assert_eq!(show("a\nb{\nc", 3..4), "  b{\n   ^\n");
    }

    #[test]
    fn the_end_and_beyond_get_one_mark() {
        assert_eq!(show("x", 1..1), "  x\n   ^\n");
        assert_eq!(show("", 7..9), "  \n  ^\n");
        assert_eq!(show("é", 1..1), "  é\n  ^\n");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let shown = show(&source, 500..501);
        let lines: Vec<Vec<char>> = shown.lines().map(|line| line.chars().collect()).collect();
        let at = lines[1].iter().position(|&character| character == '^').unwrap();
        assert_eq!(lines[0][at], '!');
        assert!(lines[0].len() < 110);
        for at in [0, 1, 30, 31, 32, 33, 900, 999, 1000, 1001] {
            show(&source, at..at + 200);
        }
    }
}
