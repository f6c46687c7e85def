//! Results for people: titles and snippets with formulas as Unicode text, what was found marked.

use formula::matching::Likeness;
use formula::text::write_text;
use latex::Mode;
use retrieve::ClueKind;
use retrieve::people::{FoundFormula, FoundPost, Marked, Rest, Results, Standing, Total};
use retrieve::typed::{Note, Reading, Typed};
use std::fmt::Write as _;
use std::ops::Range;
use store::PostKind;

/// How many characters stand on a line.
const WIDTH: usize = 96;
/// What lines below a title begin with.
const INDENT: &str = "    ";
/// How many characters of a formula are shown.
const FORMULA: usize = 160;
/// How many clues are listed.
const CLUES: usize = 12;

/// Whether what was found is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    On,
    Off,
}

/// How a text is set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Title,
    Word,
    TitleWord,
    Formula,
    Faint,
}

impl Style {
    /// The numbers of an escape sequence.
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Title => Some("1"),
            Self::Word => Some("1;33"),
            Self::TitleWord => Some("1;4"),
            Self::Formula => Some("1;36"),
            Self::Faint => Some("2"),
        }
    }
}

/// Prints results into a string.
pub(super) struct Printer {
    pub(super) out: String,
    colours: Colours,
    reader: latex::Reader,
    /// How many characters stand on the line under way.
    column: usize,
}

impl Printer {
    pub(super) fn new(colours: Colours) -> Self {
        Self { out: String::new(), colours, reader: latex::Reader::default(), column: 0 }
    }

    /// How the query was read, and what else the person may want to know.
    pub(super) fn notes(&mut self, query: &str, typed: &Typed, results: &Results) {
        let corrected = results.corrections.iter().map(|correction| Note {
            message: format!("searched for as {}", correction.meant),
            span: correction.span.clone(),
        });
        let translated = typed.formulas.iter().filter(|formula| formula.reading == Reading::Translated);
        let read = translated.map(|formula| Note {
            message: format!("read as {}", formula.latex),
            span: formula.span.clone(),
        });
        let notes: Vec<Note> = corrected.chain(read).chain(results.notes.iter().cloned()).collect();
        for note in &notes {
            let about = query.get(note.span.clone()).filter(|about| !about.trim().is_empty());
            let about = about.map(|about| format!("«{}»: ", short(about, 40))).unwrap_or_default();
            self.push("note: ", Style::Faint);
            self.push(&format!("{about}{}", note.message), Style::Plain);
            self.end();
        }
        if !notes.is_empty() && !results.hits.is_empty() {
            self.end();
        }
    }

    /// The best formulas of the index.
    pub(super) fn formulas(&mut self, typed: &Typed, results: &Results) {
        for (place, query) in typed.formulas.iter().enumerate() {
            let best: Vec<_> = results.formulas.iter().filter(|best| best.query == place).collect();
            if best.is_empty() {
                continue;
            }
            let query = self.unicode(&query.latex, Mode::Query);
            self.push(&format!("Most like {query}:"), Style::Title);
            self.end();
            for best in best {
                let posts = if best.posts == 1 { "post" } else { "posts" };
                let shown = self.unicode(&best.latex, Mode::Document);
                self.push(&format!("{INDENT}{:.3}  ", best.similarity), Style::Plain);
                self.push(&shown, Style::Formula);
                self.push(
                    &format!("  in {} {posts}, visual id {}", best.posts, best.visual_id),
                    Style::Faint,
                );
                self.end();
            }
            self.end();
        }
    }

    /// One post.
    pub(super) fn hit(&mut self, hit: &FoundPost) {
        self.push(&format!("{:>3} ", format!("{}.", hit.rank)), Style::Plain);
        if hit.title.text.trim().is_empty() {
            self.push(&hit.label(), Style::Title);
        } else {
            self.marked(&hit.title, Style::Title, Style::TitleWord);
        }
        self.end();
        let mut facts = vec![match (hit.kind, &hit.question_id) {
            (PostKind::Answer, Some(question)) => format!("answer {} to question {question}", hit.id),
            (kind, _) => format!("{} {}", kind.name(), hit.id),
        }];
        if hit.standing == Standing::Accepted {
            facts.push("accepted".to_owned());
        }
        facts.extend(hit.votes.map(|votes| format!("{votes} {}", if votes == 1 { "vote" } else { "votes" })));
        facts.extend(hit.date.map(|date| date.to_string().chars().take(10).collect()));
        facts.extend(hit.user.as_ref().map(|user| format!("by {user}")));
        facts.extend(hit.tags.iter().map(|tag| format!("[{tag}]")).reduce(|all, tag| format!("{all} {tag}")));
        facts.push(format!("score {:.3}", hit.score));
        self.wrap(&facts.join(" · "), Style::Faint);
        self.end();
        if !hit.snippet.text.trim().is_empty() {
            if hit.snippet.before == Rest::Cut {
                self.wrap("… ", Style::Plain);
            }
            self.marked(&hit.snippet, Style::Plain, Style::Word);
            if hit.snippet.after == Rest::Cut {
                self.wrap(" …", Style::Plain);
            }
            self.end();
        }
        self.end();
    }

    /// Why a post was found.
    pub(super) fn reasons(&mut self, typed: &Typed, hit: &FoundPost) {
        // The blank line after the post comes after its reasons.
        self.out.pop();
        for clue in hit.why.clues.iter().take(CLUES) {
            let term = match clue.kind {
                ClueKind::Formula => self.unicode(&clue.term, Mode::Query),
                ClueKind::Word | ClueKind::Remark => clue.term.clone(),
            };
            self.wrap(&format!("{:.4}  {:<8}  {}", clue.score, clue.group, short(&term, 60)), Style::Plain);
            self.end();
        }
        if hit.why.clues.len() > CLUES {
            let rest: f64 = hit.why.clues.iter().skip(CLUES).map(|clue| clue.score).sum();
            self.wrap(&format!("{rest:.4}  from {} more", hit.why.clues.len() - CLUES), Style::Plain);
            self.end();
        }
        for found in &hit.why.words {
            self.wrap(&format!("{} in {}", found.word, found.fields.join(", ")), Style::Plain);
            self.end();
        }
        for found in &hit.why.formulas {
            self.formula(typed, found);
        }
        self.end();
    }

    /// How a formula of a post is like one of the query.
    fn formula(&mut self, typed: &Typed, found: &FoundFormula) {
        let query = typed.formulas.get(found.query).map_or("", |formula| formula.latex.as_str());
        self.wrap(&format!("{:.3} alike, in the {}:", found.similarity, found.field), Style::Plain);
        self.end();
        let rows = [("query", query, &found.query_spans), ("found", found.latex.as_str(), &found.spans)];
        for (name, latex, spans) in rows {
            self.wrap(&format!("  {name}  "), Style::Plain);
            let mut at = 0;
            for (span, _) in spans {
                self.push(latex.get(at..span.start).unwrap_or_default(), Style::Plain);
                self.push(latex.get(span.clone()).unwrap_or_default(), Style::Formula);
                at = span.end;
            }
            self.push(latex.get(at..).unwrap_or_default(), Style::Plain);
            self.end();
            let other: Vec<String> = spans
                .iter()
                .filter(|(_, how)| *how != Likeness::Same)
                .map(|(span, how)| {
                    let text = latex.get(span.clone()).unwrap_or_default().trim();
                    format!("{} ({})", short(text, 24), how.name())
                })
                .take(8)
                .collect();
            if name == "found" && !other.is_empty() {
                self.wrap(&format!("  not the same: {}", other.join(", ")), Style::Faint);
                self.end();
            }
        }
    }

    /// How many there are.
    pub(super) fn summary(&mut self, results: &Results) {
        let milliseconds = results.elapsed.as_secs_f64() * 1000.0;
        let (shown, total) = (results.hits.len(), results.total);
        let of = match total {
            Total::Exactly(1) => "1 result".to_owned(),
            Total::Exactly(number) => format!("{number} results"),
            Total::AtLeast(number) => format!("more than {} results", number.saturating_sub(1)),
        };
        let shown = match (results.hits.first(), results.hits.last()) {
            (Some(first), Some(last)) if shown < total.known() => {
                format!("{} to {} of {of}", first.rank, last.rank)
            }
            _ => of,
        };
        self.push(&format!("{shown} in {milliseconds:.1} ms"), Style::Faint);
        self.end();
    }

    /// A text with what was found in it.
    fn marked(&mut self, marked: &Marked, plain: Style, found: Style) {
        let mut pieces: Vec<(Range<usize>, Style, bool)> = Vec::new();
        pieces.extend(marked.words.iter().map(|word| (word.clone(), found, false)));
        pieces.extend(marked.formulas.iter().map(|formula| {
            (formula.span.clone(), if formula.like.is_some() { Style::Formula } else { plain }, true)
        }));
        pieces.sort_by_key(|(range, ..)| range.start);
        let mut at = 0;
        for (range, style, is_formula) in pieces {
            self.wrap(marked.text.get(at..range.start).unwrap_or_default(), plain);
            if is_formula {
                let latex = marked.text.get(range.start + 1..range.end - 1).unwrap_or_default();
                let shown = self.unicode(latex, Mode::Document);
                self.wrap(&shown, style);
            } else {
                self.wrap(marked.text.get(range.clone()).unwrap_or_default(), style);
            }
            at = range.end;
        }
        self.wrap(marked.text.get(at..).unwrap_or_default(), plain);
    }

    /// A formula in one line of Unicode.
    fn unicode(&mut self, latex: &str, mode: Mode) -> String {
        let parse = self.reader.read(latex.as_bytes(), mode);
        short(write_text(&parse.tree).trim(), FORMULA)
    }

    /// Appends a text that goes on the next line where it is too long.
    fn wrap(&mut self, text: &str, style: Style) {
        let mut rest = text;
        while !rest.is_empty() {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let after = rest[blanks..].find(' ').map_or(rest.len(), |length| blanks + length);
            let (word, next) = rest.split_at(after);
            let may_break = (blanks > 0 || self.out.ends_with(' ')) && self.column > INDENT.len();
            if may_break && self.column + word.chars().count() > WIDTH {
                self.end();
                self.begin();
                self.push(&word[blanks..], style);
            } else {
                if self.column == 0 {
                    self.begin();
                }
                self.push(word, style);
            }
            rest = next;
        }
    }

    fn begin(&mut self) {
        self.out.push_str(INDENT);
        self.column = INDENT.len();
    }

    /// Appends a text; what could steer the terminal is left out or shown by its number.
    fn push(&mut self, text: &str, style: Style) {
        let shown: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let shown = text::visible(&shown);
        self.column += shown.chars().count();
        match style.code().filter(|_| self.colours == Colours::On && !shown.trim().is_empty()) {
            // Writing to a string cannot fail.
            Some(code) => {
                let _ = write!(self.out, "\x1b[{code}m{shown}\x1b[0m");
            }
            None => self.out.push_str(&shown),
        }
    }

    fn end(&mut self) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
        self.column = 0;
    }
}

/// The beginning of something long.
fn short(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}
