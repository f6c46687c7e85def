//! `hypatia collection show`: one post, comment, formula or visual id.

mod facts;
mod text;

use crate::output;
use crate::{Exit, Run};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use facts::{Facts, Fetch};
use post::FormulaTexts;
use render::{Links, Options, Page};
use std::path::PathBuf;
use store::{Collection, CommentNo, FormulaNo, PostNo, Reader, VisualNo};

const LONG_ABOUT: &str = "\
Shows one thing of a collection: a post, a comment, a formula, or all that shares a visual id.

An ID is that of a post, else of a comment, else of a formula. To say which is meant, write \
p:ID, c:ID or f:ID; v:ID is a visual id.

As text, a post comes with what is known of it, its words with the formulas between dollars, \
its formulas with their ids and visual ids, and the comments on it; a formula comes with where \
it stands and where else the same is seen. As html, the words are safe HTML with formulas as \
MathML. As json, everything is one object. As latex, each formula is a line, as other commands \
read them.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection show math.coll 1023              a post, readable
  hypatia collection show math.coll c:7               a comment
  hypatia collection show math.coll f:2618            a formula, and where else it is seen
  hypatia collection show math.coll v:501 --as json   all that looks like this
  hypatia collection show math.coll 1023 --as latex | hypatia formula text -";

/// Show one post, comment, formula or visual id
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The collection
    collection: PathBuf,

    /// What to show: ID, p:ID, c:ID, f:ID or v:ID
    #[arg(value_name = "ID")]
    id: String,

    /// How to show it
    #[arg(long = "as", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A readable summary
    Text,
    /// Safe HTML with MathML
    Html,
    /// One object
    Json,
    /// Its formulas, one a line
    Latex,
}

/// What an id names.
#[derive(Clone, Debug)]
enum Named {
    Post(PostNo),
    Comment(CommentNo),
    /// Its places: one, as a rule.
    Formula(Vec<FormulaNo>),
    Visual(VisualNo),
}

impl Run for Show {
    fn run(self) -> Result<Exit> {
        let collection = Collection::open(&self.collection)?;
        let named = find(&collection, &self.id);
        collection.sound()?;
        let named = named.with_context(|| self.collection.display().to_string())?;
        let mut reader = collection.reader();
        let out = match self.format {
            Format::Text => text::write(&Fetch::new(&mut reader).facts(&named)?),
            Format::Json => {
                let facts: Facts = Fetch::new(&mut reader).facts(&named)?;
                let mut out = serde_json::to_string_pretty(&facts)?;
                out.push('\n');
                out
            }
            Format::Html => html(&mut reader, &named)?,
            Format::Latex => latex(&mut reader, &named)?,
        };
        collection.sound()?;
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn find(collection: &Collection, id: &str) -> Result<Named> {
    let post = |id: &str| collection.find_post(id).map(Named::Post);
    let comment = |id: &str| collection.find_comment(id).map(Named::Comment);
    let formula = |id: &str| {
        let places: Vec<FormulaNo> = collection.find_formulas(id).collect();
        (!places.is_empty()).then_some(Named::Formula(places))
    };
    // Names of files may hold colons, so the id as it stands goes first.
    if let Some(named) = post(id).or_else(|| comment(id)).or_else(|| formula(id)) {
        return Ok(named);
    }
    let (found, what) = match id.split_once(':') {
        Some(("p", id)) => (post(id), format!("post {id}")),
        Some(("c", id)) => (comment(id), format!("comment {id}")),
        Some(("f", id)) => (formula(id), format!("formula {id}")),
        Some(("v", id)) => {
            let number: u64 =
                id.parse().ok().with_context(|| format!("visual ids are numbers, and {id} is none"))?;
            (collection.find_visual(number).map(Named::Visual), format!("visual id {id}"))
        }
        _ => bail!("there is no post, comment or formula {id}"),
    };
    found.with_context(|| format!("there is no {what}"))
}

fn html(reader: &mut Reader<'_>, named: &Named) -> Result<String> {
    let collection = reader.collection();
    let page = Page::new(collection, Options { links: Links::None, ..Options::default() });
    Ok(match named {
        Named::Post(post) => page.post(reader, *post)?,
        Named::Comment(comment) => page.comment(reader, *comment)?,
        Named::Formula(places) => match places.first() {
            Some(place) => page.formula(reader, *place)?,
            None => String::new(),
        },
        Named::Visual(visual) => {
            let mut out = String::new();
            for form in collection.forms_of_visual(*visual) {
                if let Some(formula) = collection.formulas_of_form(form).next() {
                    out.push_str(&page.formula(reader, formula)?);
                }
            }
            out
        }
    })
}

fn latex(reader: &mut Reader<'_>, named: &Named) -> Result<String> {
    let collection = reader.collection();
    let forms: Vec<_> = match named {
        Named::Post(post) => collection
            .formulas_of_post(*post)
            .map(|number| collection.formula_form(FormulaNo(number)))
            .collect(),
        Named::Comment(comment) => {
            let formulas = collection.formulas_of_comment(*comment);
            formulas.map(|number| collection.formula_form(FormulaNo(number))).collect()
        }
        Named::Formula(places) => {
            places.iter().take(1).map(|place| collection.formula_form(*place)).collect()
        }
        Named::Visual(visual) => collection.forms_of_visual(*visual).collect(),
    };
    let mut out = String::new();
    let mut texts = FormulaTexts::default();
    for form in forms {
        out.push_str(&text::one_line(&texts.latex(reader, form)?));
        out.push('\n');
    }
    Ok(out)
}
