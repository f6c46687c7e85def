//! The XML of ARQMath, all years and tasks.
//!
//! The lab's own reader goes by position, so the order of the elements is
//! kept: `Formula_Id` and `Latex` (Task 2 only), `Title`, `Question`, `Tags`.

use super::read::Builder;
use super::{Formula, Html, Role, Topic, Topics};
use crate::error::Error;
use crate::ids::FormulaId;
use crate::source::SourceText;
use crate::xml::{self, Element, bad, escape, escape_attribute, place_of};
use std::fmt::Write;

/// The elements of a topic in their order.
const ORDER: [&str; 5] = ["Formula_Id", "Latex", "Title", "Question", "Tags"];

pub(super) fn read(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let root = xml::parse(source)?;
    if root.name != "Topics" {
        let reason = format!("<{}> where <Topics> was expected", root.name);
        return Err(bad(source, root.range.start, reason));
    }
    root.no_text(source)?;
    for element in root.elements() {
        if element.name != "Topic" {
            let reason = format!("<{}> where <Topic> was expected", element.name);
            return Err(bad(source, element.range.start, reason));
        }
        let topic = read_topic(source, element, builder)?;
        builder.push_element(topic, source, element)?;
    }
    Ok(())
}

fn read_topic(source: &SourceText, element: &Element<'_>, builder: &mut Builder) -> Result<Topic, Error> {
    let Some(number) = element.attribute("number").map(str::trim).filter(|number| !number.is_empty()) else {
        return Err(bad(source, element.range.start, "a <Topic> without a number"));
    };
    element.no_text(source)?;
    let mut texts: [Option<String>; 5] = Default::default();
    let mut last = 0;
    for child in element.elements() {
        let Some(position) = ORDER.iter().position(|name| *name == child.name) else {
            let reason = format!(
                "<{}> in topic {number}; known are {}",
                child.name,
                ORDER.map(|name| format!("<{name}>")).join(", ")
            );
            return Err(bad(source, child.range.start, reason));
        };
        if texts[position].is_some() {
            let reason = format!("a second <{}> in topic {number}", child.name);
            return Err(bad(source, child.range.start, reason));
        }
        if position < last {
            builder.note(
                place_of(source, child),
                format!("<{}> of topic {number} is not in its place", child.name),
            );
        }
        last = last.max(position);
        texts[position] = Some(child.only_text(source)?);
    }
    for (name, text) in ORDER.iter().zip(&texts).skip(2) {
        if text.is_none() {
            builder.note(place_of(source, element), format!("topic {number} has no <{name}>"));
        }
    }
    let [formula_id, latex, title, question, tags] = texts;
    let mut topic = Topic::new(number);
    match (&formula_id, &latex) {
        (None, None) => {}
        (Some(_), None) => {
            return Err(bad(
                source,
                element.range.start,
                format!("topic {number} has a <Formula_Id> but no <Latex>"),
            ));
        }
        (None, Some(_)) => {
            return Err(bad(
                source,
                element.range.start,
                format!("topic {number} has a <Latex> but no <Formula_Id>"),
            ));
        }
        (Some(id), Some(_)) => {
            let mut formula = Formula::new(Role::Query);
            formula.id = Some(id.trim()).filter(|id| !id.is_empty()).map(FormulaId::new);
            formula.latex = latex.filter(|latex| !latex.is_empty());
            topic.formulas.push(formula);
        }
    }
    topic.title = title.filter(|title| !title.is_empty()).map(Html::new);
    topic.question = question.filter(|question| !question.is_empty()).map(Html::new);
    topic.tags = read_tags(&tags.unwrap_or_default());
    Ok(topic)
}

/// Tags as ARQMath writes them, `a,b`, or as the site does, `<a><b>`.
pub(super) fn read_tags(text: &str) -> Vec<String> {
    let tags: Vec<&str> = match text.trim().strip_prefix('<').and_then(|tags| tags.strip_suffix('>')) {
        Some(tags) => tags.split("><").collect(),
        None => text.split(',').collect(),
    };
    tags.into_iter().map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

pub(super) fn write(topics: &Topics) -> String {
    let mut xml = "<?xml version=\"1.0\" ?>\n<Topics>\n".to_owned();
    for topic in topics {
        // Writing to a string does not fail.
        let _ = writeln!(xml, "   <Topic number=\"{}\">", escape_attribute(topic.id.as_str()));
        if let Some(query) = topic.queries().next() {
            element(&mut xml, "Formula_Id", query.id.as_ref().map_or("", FormulaId::as_str));
            element(&mut xml, "Latex", query.latex.as_deref().unwrap_or_default());
        }
        element(&mut xml, "Title", topic.title.as_ref().map_or("", Html::as_str));
        element(&mut xml, "Question", topic.question.as_ref().map_or("", Html::as_str));
        element(&mut xml, "Tags", &topic.tags.join(","));
        xml.push_str("   </Topic>\n");
    }
    xml.push_str("</Topics>\n");
    xml
}

fn element(xml: &mut String, name: &str, text: &str) {
    let _ = if text.is_empty() {
        writeln!(xml, "      <{name}/>")
    } else {
        writeln!(xml, "      <{name}>{}</{name}>", escape(text))
    };
}
