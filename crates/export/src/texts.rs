//! Texts of posts and comments with their formulas put back.

use crate::error::Error;
use post::FormulaTexts;
use std::fmt::Write as _;
use std::ops::Range;
use store::{Collection, Comment, FormNo, FormulaMarks, FormulaNo, Post, Reader};

/// Reads posts and comments and puts their formulas back.
#[derive(Debug)]
pub(crate) struct Texts<'c> {
    pub(crate) collection: &'c Collection,
    pub(crate) reader: Reader<'c>,
    texts: FormulaTexts,
}

/// A text written in two ways.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// HTML, with formulas as spans that carry their ids.
    pub(crate) html: String,
    /// Plain text, with formulas as `$LaTeX$`.
    pub(crate) plain: String,
}

impl<'c> Texts<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        Self { collection, reader: collection.reader(), texts: FormulaTexts::default() }
    }

    /// The LaTeX of a form; made from the MathML that was given where there is none.
    pub(crate) fn latex(&mut self, form: FormNo) -> Result<String, Error> {
        Ok(self.texts.latex(&mut self.reader, form)?)
    }

    /// The formulas of a title and those of the body.
    pub(crate) fn split(&self, post: &Post<'_>) -> (Range<u32>, Range<u32>) {
        let formulas = self.collection.formulas_of_post(post.number);
        let in_title = post.title.as_deref().map_or(0, |title| markup::markers(title) as u32);
        let middle = formulas.start.saturating_add(in_title).min(formulas.end);
        (formulas.start..middle, middle..formulas.end)
    }

    /// Title and body of a post as HTML.
    pub(crate) fn post_html(&mut self, post: &Post<'_>) -> Result<(Option<String>, String), Error> {
        let (title, body) = self.split(post);
        let title = post.title.as_deref().map(|text| self.html(text, title)).transpose()?;
        Ok((title, self.html(&post.body, body)?))
    }

    /// Title and body of a post as plain text.
    pub(crate) fn post_plain(&mut self, post: &Post<'_>) -> Result<(Option<String>, String), Error> {
        let (title, body) = self.split(post);
        let title = post.title.as_deref().map(|text| self.plain(text, title)).transpose()?;
        Ok((title, self.plain(&post.body, body)?))
    }

    /// A comment in both ways.
    pub(crate) fn comment(&mut self, comment: &Comment<'_>) -> Result<Written, Error> {
        let formulas = self.collection.formulas_of_comment(comment.number);
        let html = self.html(&comment.text, formulas.clone())?;
        Ok(Written { html, plain: self.plain(&comment.text, formulas)? })
    }

    /// HTML with formulas as spans. Dollars and backslashes of the text itself become entities, so
    /// that nobody who looks for formulas takes them for one.
    pub(crate) fn html(&mut self, html: &str, formulas: Range<u32>) -> Result<String, Error> {
        let latex = self.latex_of(markup::markers(html), &formulas)?;
        let guarded: String;
        let html = if html.contains(['$', '\\']) {
            guarded = html.replace('$', "&#36;").replace('\\', "&#92;");
            &guarded
        } else {
            html
        };
        Ok(markup::expand(html, |k, out| {
            let Some(latex) = latex.get(k) else { return };
            let formula = FormulaNo(formulas.start + k as u32);
            out.push_str("<span class=\"math-container\" id=\"");
            let mut id = String::new();
            let _ = write!(id, "{}", self.collection.formula_id(formula));
            push_escaped(out, &id);
            let block = self.collection.formula_marks(formula).has(FormulaMarks::BLOCK);
            let fence = if block { "$$" } else { "$" };
            out.push_str("\">");
            push_fenced(out, latex, fence, push_escaped);
            out.push_str("</span>");
        }))
    }

    /// Plain text with formulas as `$LaTeX$`.
    pub(crate) fn plain(&mut self, html: &str, formulas: Range<u32>) -> Result<String, Error> {
        let latex = self.latex_of(markup::markers(html), &formulas)?;
        let text = markup::text(html, |k, out| {
            let Some(latex) = latex.get(k) else { return };
            push_fenced(out, latex, "$", String::push_str);
        });
        Ok(text.trim_end().to_owned())
    }

    /// The LaTeX of the formulas that have a marker.
    fn latex_of(&mut self, markers: usize, formulas: &Range<u32>) -> Result<Vec<String>, Error> {
        let number = |formula| self.collection.formula_form(FormulaNo(formula));
        let forms: Vec<FormNo> = formulas.clone().take(markers).map(number).collect();
        forms.into_iter().map(|form| self.latex(form)).collect()
    }
}

/// Appends LaTeX between dollars. Where there is none, there are no dollars either: two would begin
/// a formula of their own. After a backslash at the end stands a blank, so that nobody takes it and
/// the dollar for one.
fn push_fenced(out: &mut String, latex: &str, fence: &str, push: impl Fn(&mut String, &str)) {
    if latex.is_empty() {
        return;
    }
    out.push_str(fence);
    push(out, latex);
    if latex.ends_with('\\') {
        out.push(' ');
    }
    out.push_str(fence);
}

/// Appends a text with `&`, `<`, `>` and `"` as entities.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{push_escaped, push_fenced};

    #[test]
    fn dollars_fence_formulas_and_nothing_else() {
        for (latex, fence, written) in [
            ("x<1", "$", "$x&lt;1$"),
            ("x", "$$", "$$x$$"),
            ("", "$", ""),
            (r"n\\", "$", r"$n\\ $"),
            (r"n\", "$$", r"$$n\ $$"),
        ] {
            let mut out = String::new();
            push_fenced(&mut out, latex, fence, push_escaped);
            assert_eq!(out, written);
        }
    }
}
