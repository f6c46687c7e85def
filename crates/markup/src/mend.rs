//! LaTeX that HTML, Markdown or a converter has damaged, put right.
//!
//! * Tags in a formula are taken out; emphasis that Markdown made of underscores or stars is undone:
//!   `a<em>1 + b</em>2` was `a_1 + b_2`.
//! * Tags whose `<` was escaped count as tags where they cannot be relations: `</p><p>`, but not `a<p>b`.
//! * Entities that were escaped twice and then read as LaTeX: `&amp;` came out as a `&` that begins a cell and the
//!   letters `amp;`, `&lt;` as a cell that begins with `lt;`.

use std::borrow::Cow;

use crate::tag::{Lexeme, Lexer, Side, Tag};

/// LaTeX out of a table of formulas with its damage undone.
///
/// ```
/// assert_eq!(markup::mended(r"a&\displaystyle amp;=b&\displaystyle lt;c"), r"a&\displaystyle =b<c");
/// assert_eq!(markup::mended("a<p>b & c; d"), "a<p>b & c; d");
/// ```
#[must_use]
pub fn mended(latex: &str) -> Cow<'_, str> {
    let tagless = without_escaped_tags(latex);
    let entities = lost_entities(tagless.as_deref().unwrap_or(latex));
    entities.or(tagless).map_or(Cow::Borrowed(latex), Cow::Owned)
}

/// A tag in a formula.
struct Found {
    start: usize,
    after: usize,
    tag: Tag,
    side: Side,
    /// What stands in its place.
    mark: &'static str,
}

/// A formula without its tags, or none if there were none. A line break is a blank; unknown names are not tags.
pub(crate) fn without_tags(source: &str) -> Option<String> {
    strip(source, |_| true)
}

/// A formula without tags whose `<` was a `&lt;`, or none if there were none.
///
/// One of nothing but tags becomes an empty group, so that it is a formula still.
pub(crate) fn without_escaped_tags(latex: &str) -> Option<String> {
    if !latex.contains('<') {
        return None;
    }
    let mut closed: [Option<bool>; 26] = [None; 26];
    let tagless = strip(latex, |lexeme| match lexeme.name.as_bytes() {
        _ if lexeme.tag == Tag::Other => lexeme.is("img"),
        _ if lexeme.end == Side::End => true,
        [letter] => {
            let letter = letter.to_ascii_lowercase();
            *closed[usize::from(letter - b'a')].get_or_insert_with(|| {
                memchr::memmem::find(latex.as_bytes(), &[b'<', b'/', letter, b'>']).is_some()
            })
        }
        _ => true,
    })?;
    let delimiters = |c: char| c == '$' || c.is_whitespace();
    if tagless.contains(|c| !delimiters(c)) {
        return Some(tagless);
    }
    let after = latex.trim_start_matches(delimiters);
    let dollars = &latex[..latex.len() - after.len()];
    Some(format!("{dollars}{{}}{dollars}"))
}

/// Takes out the tags that `wanted` says yes to.
fn strip(source: &str, mut wanted: impl FnMut(&Lexeme<'_>) -> bool) -> Option<String> {
    let mut lexer = Lexer::default();
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &source.as_bytes()[at..]) {
        at += found;
        let lexeme = lexer.read(source, at).filter(|lexeme| lexeme.is_known() && wanted(lexeme));
        let Some(lexeme) = lexeme else {
            at += 1;
            continue;
        };
        let mark = if lexeme.tag == Tag::Br || lexeme.tag.is_block() { " " } else { "" };
        tags.push(Found { start: at, after: lexeme.after, tag: lexeme.tag, side: lexeme.end, mark });
        at = lexeme.after;
    }
    if tags.is_empty() {
        return None;
    }
    undo_emphasis(source, &mut tags);
    let mut out = String::with_capacity(source.len());
    let mut from = 0;
    for tag in &tags {
        out.push_str(&source[from..tag.start]);
        out.push_str(tag.mark);
        from = tag.after;
    }
    out.push_str(&source[from..]);
    Some(out)
}

/// Gives the tags of emphasis the marks that Markdown took for it, where both ends show which.
fn undo_emphasis(source: &str, tags: &mut [Found]) {
    let mut open = None;
    for at in 0..tags.len() {
        if tags[at].tag != Tag::Em {
            continue;
        }
        if tags[at].side == Side::Start {
            open = Some(at);
        } else if let Some(open) = open.take() {
            let both = |is: fn(&str, &str) -> bool| {
                [open, at].iter().all(|at| is(&source[..tags[*at].start], &source[tags[*at].after..]))
            };
            let mark = if both(is_subscript) {
                "_"
            } else if both(|before, _| before.ends_with('^') || before.ends_with("^{")) {
                "*"
            } else {
                continue;
            };
            tags[open].mark = mark;
            tags[at].mark = mark;
        }
    }
}

/// Whether an underscore between these would make a subscript: after a letter, a command or a bracket, before a digit,
/// a letter, a command or a group.
fn is_subscript(before: &str, after: &str) -> bool {
    let base = match before.as_bytes().last() {
        Some(b'}' | b')' | b']') => true,
        Some(b) if b.is_ascii_alphabetic() => {
            let name = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            before.len() - name.len() == 1 || name.ends_with('\\')
        }
        _ => false,
    };
    base && match after.as_bytes() {
        [b'{' | b'\\' | b'0'..=b'9', ..] => true,
        [letter, next, ..] => letter.is_ascii_alphabetic() && !next.is_ascii_alphabetic(),
        [letter] => letter.is_ascii_alphabetic(),
        [] => false,
    }
}

/// LaTeX with entities in the place of what a converter made of them, or none if there are none.
pub(crate) fn lost_entities(latex: &str) -> Option<String> {
    const NAMES: [(&str, &str); 7] =
        [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("nbsp", "~"), ("apos", "'"), ("#39", "'")];
    let mut out: Option<String> = None;
    let mut from = 0;
    for end in memchr::memchr_iter(b';', latex.as_bytes()) {
        let before = &latex[from..end];
        let Some((name, character)) = NAMES.iter().find(|(name, _)| before.ends_with(name)) else { continue };
        let lead = &before[..before.len() - name.len()];
        // The first cell of a line that a converter took apart begins with what the line before ended with.
        let first = from == 0
            && *name == "amp"
            && matches!(lead.trim_start_matches('$').trim(), "" | r"\displaystyle");
        let (kept, character) = match cell_start(lead) {
            Some(_) if *name == "amp" && !lead.ends_with('}') => (lead.len(), ""),
            Some(kept) => (kept, *character),
            None if first => (lead.len(), ""),
            None => continue,
        };
        let out = out.get_or_insert_with(|| String::with_capacity(latex.len()));
        out.push_str(&lead[..kept]);
        out.push_str(character);
        from = end + 1;
    }
    let mut out = out?;
    out.push_str(&latex[from..]);
    Some(out)
}

/// Where the separator begins that starts the cell at the end of this text, if nothing is in the cell yet.
fn cell_start(lead: &str) -> Option<usize> {
    if let Some(rest) = lead.strip_suffix(r"\qvar@construct{&}") {
        return Some(rest.len());
    }
    let rest = lead.trim_end_matches(' ');
    let rest = rest.strip_suffix(r"\displaystyle").unwrap_or(rest).trim_end_matches(' ');
    // Cells of some tables are formulas of their own: `$a$&$b$`.
    let (rest, own) = rest.strip_suffix('$').map_or((rest, false), |rest| (rest, true));
    let rest = rest.strip_suffix('&').filter(|rest| !rest.ends_with('\\'))?;
    let rest = if own { rest.strip_suffix('$')? } else { rest };
    Some(rest.strip_suffix(r"\hfil").unwrap_or(rest).len())
}

#[cfg(test)]
mod tests {
    use super::{lost_entities, without_escaped_tags, without_tags};

    #[test]
    fn emphasis_is_undone() {
        for (damaged, right) in [
            ("a<em>1 + b</em>2", "a_1 + b_2"),
            (r"\sum<em>{i=1}^n x</em>i", r"\sum_{i=1}^n x_i"),
            ("A^<em>A = AA^</em>", "A^*A = AA^*"),
            ("a<em>b</em><br>c", "ab c"),
            ("a_<em>1 b_</em>2", "a_1 b_2"),
            ("should<em>be</em>so", "shouldbeso"),
            ("x<em>1", "x1"),
            ("x</em>1<em>", "x1"),
            ("x<strong>1</strong>", "x1"),
            ("<p>x</p>", " x "),
        ] {
            assert_eq!(without_tags(damaged).as_deref(), Some(right), "{damaged}");
        }
        assert_eq!(without_tags("a<b>c").as_deref(), Some("ac"));
        assert_eq!(without_tags("a<c>b"), None);
    }

    #[test]
    fn escaped_tags() {
        for (damaged, right) in [
            ("x</p><p>y", "x  y"),
            ("$</p><p>$", "${}$"),
            ("</li><li>", "{}"),
            ("is<em>finite</em>and", "isfiniteand"),
            ("a<em>1 + b</em>2", "a_1 + b_2"),
            ("x<br>y", "x y"),
        ] {
            assert_eq!(without_escaped_tags(damaged).as_deref(), Some(right), "{damaged}");
        }
        for whole in ["a<b>c", "<p>", r"\left<a^3,b\right>", "<a>\\cap<b>", "f(a)>a,f(b)<b", "x", "K=<x>"] {
            assert_eq!(without_escaped_tags(whole), None, "{whole}");
        }
    }

    #[test]
    fn entities_that_became_cells() {
        for (damaged, right) in [
            (r"a&\displaystyle amp;=b", r"a&\displaystyle =b"),
            (r"a&\displaystyle amp;&\displaystyle lt;b", r"a&\displaystyle <b"),
            (r"|u|\hfil&\displaystyle gt;0", "|u|>0"),
            (r"x&\displaystyle#39;", "x'"),
            (r"$a$&$\displaystyle amp;=$", r"$a$&$\displaystyle =$"),
            (r"$a$&$\displaystyle lt;b$", "$a<b$"),
            (r"\displaystyle amp;=b", r"\displaystyle =b"),
            (r"$\displaystyle amp;=b$", r"$\displaystyle =b$"),
            (r"a&\qvar@construct{&}amp;b", "a&&b"),
            ("a&amp;b", "a&b"),
        ] {
            assert_eq!(lost_entities(damaged).as_deref(), Some(right), "{damaged}");
        }
        for whole in ["a; b", "ramp; x", r"\&amp; x", "x amp;", r"a\gt; b", ";", "amp"] {
            assert_eq!(lost_entities(whole), None, "{whole}");
        }
    }
}
