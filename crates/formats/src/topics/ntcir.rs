//! The XML of NTCIR-10, 11 and 12: formulas and keywords of each topic, and for assessors its search scenario
//! (`<scenario>` or `<description>`) and judgment criteria (`<criteria>`, `<relevance>` or `<narrative>`).
//!
//! MathML is kept as it is written, wildcards (`qvar` under any prefix) and
//! all, with its line ends as `\n`; a prefix that is declared outside of the
//! formula stays undeclared in it. The LaTeX is that of the TeX annotation.

use super::read::Builder;
use super::{Formula, Html, Keyword, Role, Topic, Topics};
use crate::error::Error;
use crate::ids::{FormulaId, TopicId};
use crate::source::SourceText;
use crate::xml::{self, Element, bad, escape, escape_attribute, place_of};
use std::collections::HashSet;
use std::fmt::Write;

/// How annotations say that they hold LaTeX.
const TEX: &str = "application/x-tex";
/// A formula of which nothing is known.
const EMPTY_MATH: &str = "<math/>";

pub(super) fn read(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let root = xml::parse(source)?;
    if root.name != "topics" {
        let reason = format!("<{}> where <topics> was expected", root.name);
        return Err(bad(source, root.range.start, reason));
    }
    root.no_text(source)?;
    let mut passed_over = HashSet::new();
    for element in root.elements() {
        if element.name != "topic" {
            let reason = format!("<{}> where <topic> was expected", element.name);
            return Err(bad(source, element.range.start, reason));
        }
        let mut topic = Topic::new("");
        for child in element.elements() {
            match child.name {
                "num" => topic.id = TopicId::new(child.only_text(source)?.trim()),
                "title" => {
                    topic.title = Some(child.text())
                        .filter(|title| !title.is_empty())
                        .map(|title| Html::from_text(&title));
                }
                "scenario" | "description" => topic.scenario = words(child),
                "criteria" | "relevance" | "narrative" => topic.criteria = words(child),
                "query" => read_query(source, child, &mut topic, builder, &mut passed_over)?,
                _ => pass_over(source, child, builder, &mut passed_over),
            }
        }
        if topic.id.as_str().is_empty() {
            return Err(bad(source, element.range.start, "a <topic> without a <num>"));
        }
        builder.push_element(topic, source, element)?;
    }
    Ok(())
}

/// The text of an element with single blanks; nothing if there is none.
fn words(element: &Element<'_>) -> Option<String> {
    let text = element.text().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

fn read_query<'a>(
    source: &SourceText,
    query: &Element<'a>,
    topic: &mut Topic,
    builder: &mut Builder,
    passed_over: &mut HashSet<&'a str>,
) -> Result<(), Error> {
    query.no_text(source)?;
    for child in query.elements() {
        match child.name {
            "formula" => topic.formulas.push(read_formula(source, child)?),
            "keyword" => {
                let text = child.only_text(source)?.trim().to_owned();
                if text.is_empty() {
                    builder.note(place_of(source, child), "an empty <keyword> was passed over");
                } else {
                    topic.keywords.push(Keyword { id: child.attribute("id").map(str::to_owned), text });
                }
            }
            _ => pass_over(source, child, builder, passed_over),
        }
    }
    Ok(())
}

/// Notes once for each name that such elements are not used.
fn pass_over<'a>(
    source: &SourceText,
    element: &Element<'a>,
    builder: &mut Builder,
    passed_over: &mut HashSet<&'a str>,
) {
    if passed_over.insert(element.name) {
        builder.note(place_of(source, element), format!("<{}> is not used", element.name));
    }
}

fn read_formula(source: &SourceText, element: &Element<'_>) -> Result<Formula, Error> {
    let mut formula = Formula::new(Role::Query);
    formula.id = element.attribute("id").map(FormulaId::new);
    let Some(math) = element.find(&|inner| inner.name == "math") else {
        let latex = element.only_text(source)?;
        if latex.trim().is_empty() {
            return Err(bad(source, element.range.start, "a <formula> with nothing in it"));
        }
        formula.latex = Some(latex.trim().to_owned());
        return Ok(formula);
    };
    let is_tex = |inner: &Element<'_>| inner.name == "annotation" && inner.attribute("encoding") == Some(TEX);
    formula.latex = math.find(&is_tex).map(Element::text).filter(|latex| !latex.is_empty());
    let written = source.text[math.range.clone()].replace("\r\n", "\n");
    let says_more =
        written != EMPTY_MATH && written != only_latex(formula.latex.as_deref().unwrap_or_default());
    formula.mathml = says_more.then_some(written);
    Ok(formula)
}

/// MathML for a formula of which only LaTeX is known.
fn only_latex(latex: &str) -> String {
    format!(
        "<math><semantics><annotation encoding=\"{TEX}\">{}</annotation></semantics></math>",
        escape(latex)
    )
}

pub(super) fn write(topics: &Topics) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <topics xmlns=\"http://www.w3.org/1998/Math/MathML\" \
                   xmlns:m=\"http://www.w3.org/1998/Math/MathML\" \
                   xmlns:mws=\"http://search.mathweb.org/ns\">\n"
        .to_owned();
    for topic in topics {
        // Writing to a string does not fail.
        let _ = writeln!(xml, "  <topic>\n    <num>{}</num>", escape(topic.id.as_str()));
        if let Some(title) = &topic.title {
            let _ = writeln!(xml, "    <title>{}</title>", escape(&title.as_text().unwrap_or_default()));
        }
        xml.push_str("    <query>\n");
        for formula in &topic.formulas {
            let id = id_attribute(formula.id.as_ref().map(FormulaId::as_str));
            let math = match (&formula.mathml, &formula.latex) {
                (Some(mathml), _) => mathml.clone(),
                (None, Some(latex)) => only_latex(latex),
                (None, None) => EMPTY_MATH.to_owned(),
            };
            let _ = writeln!(xml, "      <formula{id}>\n        {math}\n      </formula>");
        }
        for keyword in &topic.keywords {
            let id = id_attribute(keyword.id.as_deref());
            let _ = writeln!(xml, "      <keyword{id}>{}</keyword>", escape(&keyword.text));
        }
        xml.push_str("    </query>\n");
        for (name, text) in [("scenario", &topic.scenario), ("criteria", &topic.criteria)] {
            if let Some(text) = text {
                let _ = writeln!(xml, "    <{name}>{}</{name}>", escape(text));
            }
        }
        xml.push_str("  </topic>\n");
    }
    xml.push_str("</topics>\n");
    xml
}

fn id_attribute(id: Option<&str>) -> String {
    id.map_or_else(String::new, |id| format!(" id=\"{}\"", escape_attribute(id)))
}
