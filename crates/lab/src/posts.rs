//! Texts of posts as answers are written: plain, with formulas between dollars.

use collection::Html;
use eval::task3::{Piece, PostText};
use markup::{Cleaner, Dollars, Markup};
use store::{Collection, FormulaNo, PostNo, Reader};

/// Stands for a formula while a text is cut into pieces; stored texts have no such character.
const MARK: char = '\u{FFFC}';

/// A post cut into text and formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// What stands before, between and behind the formulas: one more than there are formulas.
    texts: Vec<String>,
    formulas: Vec<String>,
}

impl Pieces {
    fn of(text: &str, formulas: Vec<String>) -> Self {
        let mut texts: Vec<String> = text.split(MARK).map(str::to_owned).collect();
        texts.resize(formulas.len() + 1, String::new());
        Self { texts, formulas }
    }

    /// The text with `$…$` around formulas; white space is folded.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for (at, text) in self.texts.iter().enumerate() {
            // A dollar of the text itself would open a formula.
            out.push_str(&text.replace('$', "\\$"));
            if let Some(formula) = self.formulas.get(at).filter(|formula| !formula.trim().is_empty()) {
                out.push_str(&format!("${}$", formula.trim()));
            }
        }
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text as answers are compared by their words.
    #[must_use]
    pub fn compared(&self) -> PostText {
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        for (at, text) in self.texts.iter().enumerate() {
            pieces.push(Piece::Text(text));
            pieces.extend(self.formulas.get(at).map(|formula| Piece::Formula(formula)));
        }
        PostText::from_pieces(pieces)
    }
}

/// The body of a post.
///
/// # Errors
///
/// When the collection is damaged.
pub fn body(
    collection: &Collection,
    reader: &mut Reader<'_>,
    number: PostNo,
) -> Result<Pieces, store::Error> {
    let post = reader.post(number)?;
    let in_title = post.title.as_deref().map_or(0, markup::markers);
    let numbers = collection.formulas_of_post(number).skip(in_title).take(markup::markers(&post.body));
    let forms: Vec<_> = numbers.map(|formula| collection.formula_form(FormulaNo(formula))).collect();
    let text = markup::text(&post.body, |_, out| out.push(MARK));
    let mut formulas = Vec::with_capacity(forms.len());
    for form in forms {
        formulas.push(reader.latex(form)?.to_owned());
    }
    Ok(Pieces::of(&text, formulas))
}

/// A title or question of a topic as one line of plain text.
#[must_use]
pub fn plain_html(html: &Html) -> String {
    let cleaned = Cleaner::new().clean(html.as_str(), Markup::Html, Dollars::Math);
    let text = markup::text(&cleaned.html, |_, out| out.push(MARK));
    Pieces::of(&text, cleaned.formulas.into_iter().map(|found| found.latex).collect()).plain()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_stand_between_dollars() {
        let html = Html::new("<p>Is $x^2$\nless than 5\\$ &amp; <b>why</b>?</p>");
        assert_eq!(plain_html(&html), "Is $x^2$ less than 5\\$ & why?");
        let pieces = Pieces::of("Take \u{FFFC}, then \u{FFFC}", vec!["x".to_owned(), " ".to_owned()]);
        assert_eq!(pieces.plain(), "Take $x$, then");
        assert_eq!(pieces.compared().text, "Take [MATH] x [/MATH] , then [MATH]");
    }
}
