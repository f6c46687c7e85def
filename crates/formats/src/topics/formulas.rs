//! ARQMath's tables of all formulas of all topics, one table a representation.
//!
//! Columns go by name: `id`, `topic_id`, `thread_id`, `type` (`title` or
//! `body`), and the formula, under the name `formula`, `latex`, `slt` or `opt`.
//! The tables called SLT and OPT hold MathML in fact, or tree strings; what a
//! cell holds is seen from the cell. Topics carry the number of Task 1 also
//! when the topics are those of Task 2; [`Topics::join`] knows that.

use super::read::{Builder, LineEnd};
use super::{Formula, Representation, Role, Site, Topics};
use crate::delimited::{Delimiter, Header, Quoting, Records, quote};
use crate::error::Error;
use crate::ids::FormulaId;
use crate::source::SourceText;
use std::collections::HashMap;

/// The names the last column may have, and what it holds if it is no MathML.
const COLUMNS: [(&str, Representation); 7] = [
    ("latex", Representation::Latex),
    ("formula", Representation::Latex),
    ("slt", Representation::Slt),
    ("opt", Representation::Opt),
    ("mathml", Representation::Mathml),
    ("pmml", Representation::PresentationMathml),
    ("cmml", Representation::ContentMathml),
];

/// Whether a table with these columns is one of formulas.
pub(super) fn has_columns(header: &Header) -> bool {
    ["id", "topic_id", "type"].iter().all(|name| header.find(&[name]).is_some())
}

pub(super) fn read(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let mut records = Records::new(&source.name, source.text.as_bytes(), Delimiter::Tab, Quoting::Csv);
    if !records.advance()? {
        return Ok(());
    }
    let header = Header::new(records.record());
    let column = |name: &str| {
        header
            .find(&[name])
            .ok_or_else(|| records.bad(0, format!("no column {name}; the columns are {}", header.names())))
    };
    let (id_at, topic_at, type_at) = (column("id")?, column("topic_id")?, column("type")?);
    let thread_at = header.find(&["thread_id"]);
    let Some((formula_at, named)) =
        COLUMNS.iter().find_map(|(name, named)| header.find(&[name]).map(|at| (at, *named)))
    else {
        let names = COLUMNS.map(|(name, _)| name).join(", ");
        let reason = format!("no column for the formula ({names}); the columns are {}", header.names());
        return Err(records.bad(0, reason));
    };
    let mut lines: HashMap<String, usize> = HashMap::new();
    while records.advance()? {
        let record = records.record();
        let field = |at: usize| record.get(at).unwrap_or_default();
        let (id, topic_id) = (field(id_at).trim(), field(topic_at).trim());
        if id.is_empty() {
            return Err(records.bad(id_at, "a formula without an id"));
        }
        if let Some(line) = lines.insert(id.to_owned(), record.line) {
            return Err(records.bad(id_at, format!("formula {id} is there twice: on line {line}, too")));
        }
        let mut formula = Formula::new(Role::Context);
        formula.id = Some(FormulaId::new(id));
        formula.site = match field(type_at) {
            "title" => Some(Site::Title),
            "body" | "question" => Some(Site::Body),
            "" => None,
            other => {
                let reason = format!("type {other:?}; known are title and body");
                return Err(records.bad(type_at, reason));
            }
        };
        let cell = field(formula_at);
        if !cell.is_empty() {
            *formula.slot(classify(cell, named)) = Some(cell.to_owned());
        }
        let topic = builder.entry(topic_id, records.place(topic_at))?;
        if let Some(thread) = thread_at.map(field).filter(|thread| !thread.is_empty()) {
            match &topic.thread {
                None => topic.thread = Some(thread.to_owned()),
                Some(before) if before == thread => {}
                Some(before) => {
                    let reason = format!("topic {topic_id} is from thread {thread}, but above from {before}");
                    return Err(records.bad(thread_at.unwrap_or_default(), reason));
                }
            }
        }
        topic.formulas.push(formula);
    }
    Ok(())
}

/// What a cell holds, in a column whose name says `named`.
pub(super) fn classify(cell: &str, named: Representation) -> Representation {
    let Some(inside) = math_inside(cell) else { return named };
    match named {
        Representation::Slt | Representation::PresentationMathml => Representation::PresentationMathml,
        Representation::Opt | Representation::ContentMathml => Representation::ContentMathml,
        Representation::Mathml => Representation::Mathml,
        Representation::Latex if is_content(inside) => Representation::ContentMathml,
        Representation::Latex => Representation::PresentationMathml,
    }
}

/// What follows the start tag of a `math` element, if the cell is one.
fn math_inside(cell: &str) -> Option<&str> {
    let mut rest = cell.trim_start();
    if let Some(declaration) = rest.strip_prefix("<?xml") {
        rest = declaration.split_once("?>")?.1.trim_start();
    }
    let name = rest.strip_prefix('<')?.split([' ', '>', '/', '\n', '\t', '\r']).next()?;
    (name == "math" || name.ends_with(":math")).then(|| rest.split_once('>').map_or("", |(_, inside)| inside))
}

/// Whether the first element, past `semantics`, is one of Content MathML.
fn is_content(inside: &str) -> bool {
    const CONTENT: [&str; 8] = ["apply", "ci", "cn", "csymbol", "cerror", "share", "bind", "interval"];
    let names = inside.split('<').skip(1).map(|tag| {
        let name = tag.split([' ', '>', '/', '\n', '\t', '\r']).next().unwrap_or_default();
        name.rsplit(':').next().unwrap_or(name)
    });
    names.into_iter().find(|name| *name != "semantics").is_some_and(|name| CONTENT.contains(&name))
}

/// Whether a formula has a line in the table of a representation: if it is
/// given in it, or in nothing at all.
pub(super) fn has_line(formula: &Formula, representation: Representation) -> bool {
    formula.get(representation).is_some()
        || Representation::ALL.iter().all(|other| formula.get(*other).is_none())
}

pub(super) fn write(topics: &Topics, representation: Representation, line_end: LineEnd) -> String {
    let last = match representation {
        Representation::Latex => "latex",
        Representation::PresentationMathml | Representation::Slt => "slt",
        Representation::ContentMathml | Representation::Opt => "opt",
        Representation::Mathml => "mathml",
    };
    let end = line_end.as_str();
    let mut table = format!("id\ttopic_id\tthread_id\ttype\t{last}{end}");
    for topic in topics {
        for formula in topic.formulas.iter().filter(|formula| has_line(formula, representation)) {
            let site = match formula.site {
                Some(Site::Title) => "title",
                Some(Site::Body) => "body",
                None => "",
            };
            let fields = [
                formula.id.as_ref().map_or("", FormulaId::as_str),
                topic.id.as_str(),
                topic.thread.as_deref().unwrap_or_default(),
                site,
                formula.get(representation).unwrap_or_default(),
            ];
            table.push_str(&fields.map(quote).join("\t"));
            table.push_str(end);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_they_hold() {
        use Representation::{ContentMathml, Latex, PresentationMathml, Slt};
        let check = |cell: &str, named, expected| assert_eq!(classify(cell, named), expected, "{cell}");
        check("x^2", Latex, Latex);
        check("<x", Latex, Latex);
        check("[V!x]", Slt, Slt);
        check("<math><mi>x</mi></math>", Slt, PresentationMathml);
        check(
            "<?xml version=\"1.0\"?>\n<m:math a=\"1\">\n<m:semantics><m:mi>x</m:mi>",
            Latex,
            PresentationMathml,
        );
        check("<math xmlns=\"u\"><apply><plus/></apply></math>", Latex, ContentMathml);
        check("<math><ci>x</ci></math>", Latex, ContentMathml);
    }
}
