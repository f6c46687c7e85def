//! Markdown to HTML with tokens: formulas are taken out before Markdown can touch them.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::dollars::Flavour;
use crate::plain::{Escapes, with_tokens};
use crate::{Dollars, Notes};

/// Markdown as HTML; formulas are tokens. HTML in it stays, so the result is not safe yet.
pub(crate) fn html(text: &str, dollars: Dollars, notes: &mut Notes) -> String {
    let source = with_tokens(text, dollars, notes, &codes(text), Escapes::Kept, Flavour::Plain);
    let mut out = String::with_capacity(source.len() + source.len() / 4);
    pulldown_cmark::html::push_html(&mut out, Parser::new_ext(&source, options()));
    out
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// Where code is, in order: dollars there are no formulas.
fn codes(text: &str) -> Vec<Range<usize>> {
    if !text.contains(['`', '~']) && !text.contains("    ") && !text.contains('\t') {
        return Vec::new();
    }
    Parser::new_ext(text, options())
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))))
        .map(|(_, range)| range)
        .collect()
}
