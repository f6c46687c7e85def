//! Why a post was found: what each word and formula brought, and how formulas are alike.

use crate::view::{Html, Pen};
use formula::matching::Likeness;
use formula::mathml::likeness_class;
use latex::Mode;
use retrieve::ClueKind;
use retrieve::people::FoundPost;
use retrieve::typed::Typed;
use std::ops::Range;

/// So many clues are listed.
const CLUES: usize = 6;

/// The reasons of a result.
pub(super) fn why(pen: &mut Pen, typed: &Typed, hit: &FoundPost) -> Html {
    let mut out = Html::default();
    clues(pen, hit, &mut out);
    words(hit, &mut out);
    for found in &hit.why.formulas {
        let query = typed.formulas.get(found.query).map_or("", |formula| formula.latex.as_str());
        out.push("<figure class=\"pair\"><dl><dt>typed</dt><dd class=\"scroll\" tabindex=\"0\">");
        out.push_html(&pen.block(query, Mode::Query, &found.query_spans));
        out.push("</dd><dt>found</dt><dd class=\"scroll\" tabindex=\"0\">");
        out.push_html(&pen.block(&found.latex, Mode::Document, &found.spans));
        out.push("</dd></dl><figcaption>");
        out.push_text(&format!("{:.0}\u{2009}% alike, in the {}. ", found.similarity * 100.0, found.field));
        legend(&found.spans, &mut out);
        out.push("</figcaption></figure>");
    }
    if out.is_empty() {
        out.push("<p>It passes the filters; nothing else was asked for.</p>");
    }
    out
}

fn clues(pen: &mut Pen, hit: &FoundPost, out: &mut Html) {
    let most = hit.why.clues.first().map_or(0.0, |clue| clue.score);
    if most <= 0.0 {
        return;
    }
    out.push("<table class=\"clues\"><caption class=\"unseen\">What each part of the query brought</caption><thead><tr><th scope=\"col\">What</th><th scope=\"col\">How</th><th scope=\"col\" colspan=\"2\">Worth</th></tr></thead><tbody>");
    for clue in hit.why.clues.iter().take(CLUES) {
        out.push("<tr><th scope=\"row\">");
        let group = match clue.group.as_str() {
            "words" => "word",
            "parts" => "parts of the formula",
            "formulas" => "most similar formula",
            other => other,
        };
        if clue.kind == ClueKind::Formula {
            // It is drawn below; here a line of text says which one is meant.
            out.push("<i>");
            out.push_text(&pen.text(&clue.term));
            out.push("</i>");
        } else {
            out.push_text(&clue.term);
        }
        out.push("</th><td>");
        out.push_text(group);
        if clue.place != "post" {
            out.push_text(&format!(" of the {}", clue.place));
        }
        out.push("</td><td class=\"n\">");
        out.push_text(&format!("{:.3}", clue.score));
        out.push("</td><td>");
        bar(clue.score / most, out);
        out.push("</td></tr>");
    }
    let rest: f64 = hit.why.clues.iter().skip(CLUES).map(|clue| clue.score).sum();
    if hit.why.clues.len() > CLUES {
        out.push("<tr><th scope=\"row\">");
        out.push_text(&format!("{} more", hit.why.clues.len() - CLUES));
        out.push("</th><td></td><td class=\"n\">");
        out.push_text(&format!("{rest:.3}"));
        out.push("</td><td>");
        bar(rest / most, out);
        out.push("</td></tr>");
    }
    out.push("</tbody><tfoot><tr><th scope=\"row\">score</th><td></td><td class=\"n\">");
    out.push_text(&format!("{:.3}", hit.score));
    out.push("</td><td></td></tr></tfoot></table>");
}

/// A bar of this part of the whole.
pub(super) fn bar(part: f64, out: &mut Html) {
    out.push("<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"");
    out.push_text(&format!("{:.0}", part.clamp(0.0, 1.0) * 100.0));
    out.push("\" height=\"4\"/></svg>");
}

fn words(hit: &FoundPost, out: &mut Html) {
    if hit.why.words.is_empty() {
        return;
    }
    out.push("<p class=\"where\">");
    for (place, found) in hit.why.words.iter().enumerate() {
        if place > 0 {
            out.push("; ");
        }
        out.push("<mark>");
        out.push_text(&found.word);
        out.push("</mark> in ");
        out.push_text(&found.fields.join(", "));
    }
    out.push(".</p>");
}

/// What the marks of a formula mean.
fn legend(spans: &[(Range<usize>, Likeness)], out: &mut Html) {
    let mut kinds: Vec<(&'static str, &'static str)> = Vec::new();
    for (_, likeness) in spans {
        let Some(class) = likeness_class(*likeness) else { continue };
        let name = if class == "hyp-near" { "similar" } else { likeness.name() };
        if !kinds.contains(&(class, name)) {
            kinds.push((class, name));
        }
    }
    kinds.sort_unstable();
    if kinds.is_empty() {
        return;
    }
    out.push("<span class=\"legend\">");
    for (class, name) in kinds {
        out.push("<span class=\"");
        out.push(class);
        out.push("\">");
        out.push(name);
        out.push("</span> ");
    }
    out.push("</span>");
}
