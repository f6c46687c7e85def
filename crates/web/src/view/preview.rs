//! What is being typed, drawn, with the places of mistakes.

use super::html::Html;
use super::math::Pen;
use latex::{DiagnosticKind, Mode};
use retrieve::typed::Typed;

/// So many formulas are drawn.
const MOST: usize = 8;
/// So many mistakes of a formula are told.
const MOST_MISTAKES: usize = 3;

/// What was typed, drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preview {
    /// The formulas.
    pub(crate) formulas: Vec<Drawn>,
}

/// A formula, drawn.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    /// As MathML.
    pub(crate) math: Html,
    /// Its source with the places of mistakes underlined, if there are any.
    pub(crate) source: Option<Html>,
    /// What is wrong, in sentences.
    pub(crate) mistakes: Vec<String>,
}

/// Draws the formulas of a query.
pub(crate) fn preview(typed: &Typed) -> Preview {
    let mut pen = Pen::default();
    let formulas = typed.formulas.iter().filter(|formula| !formula.latex.is_empty()).take(MOST);
    Preview { formulas: formulas.map(|formula| draw(&mut pen, &formula.latex)).collect() }
}

fn draw(pen: &mut Pen, latex: &str) -> Drawn {
    let parse = pen.read(latex, Mode::Query);
    let told = parse
        .diagnostics
        .iter()
        .filter(|told| !matches!(told.kind, DiagnosticKind::Ignored | DiagnosticKind::Unread));
    let mut places = Vec::new();
    let mut mistakes: Vec<String> = Vec::new();
    for mistake in told.take(MOST_MISTAKES) {
        places.push(mistake.span.range());
        let message = mistake.message.replace('`', "");
        if !mistakes.contains(&message) {
            mistakes.push(message);
        }
    }
    places.sort_by_key(|place| (place.start, place.end));
    let mut source = Html::default();
    let mut at = 0;
    for place in &places {
        let (start, end) = (place.start.max(at), place.end.max(at).min(latex.len()));
        let (Some(before), Some(wrong)) = (latex.get(at..start), latex.get(start..end)) else { continue };
        source.push_text(before);
        source.push(if wrong.is_empty() {
            "<mark class=\"mistake gap\">"
        } else {
            "<mark class=\"mistake\">"
        });
        source.push_text(wrong);
        source.push("</mark>");
        at = end;
    }
    source.push_text(latex.get(at..).unwrap_or_default());
    let source = Some(source).filter(|_| !places.is_empty());
    Drawn { math: pen.block(latex, Mode::Query, &[]), source, mistakes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_underlined_at_their_place() {
        let drawn = preview(&Typed::read(r"why $a<\foo b$ and $x^2$"));
        assert_eq!(drawn.formulas.len(), 2);
        let source = drawn.formulas[0].source.clone().map(|html| html.to_string());
        assert_eq!(source.as_deref(), Some("a&lt;<mark class=\"mistake\">\\foo</mark> b"));
        assert_eq!(drawn.formulas[0].mistakes, ["unknown command \\foo"]);
        assert_eq!(drawn.formulas[1].source, None);
    }
}
