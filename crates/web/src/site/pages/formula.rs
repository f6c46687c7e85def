//! One visually distinct formula: how it looks, how it is built, where it stands, what is like it.

use super::search::{HitView, VisualView, bare};
use super::{PageError, Pairs, page};
use crate::site::error::AppError;
use crate::site::state::{App, Served};
use crate::trees::{layout_tree, operator_tree};
use crate::view::{Formulas, Html, Pen, Search, View, count, number_of};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use figures::tree::Tree;
use formula::mathml::Display;
use formula::opt::{Opt, labs, meaning};
use formula::slt::{Slt, from_latex};
use formula::text::write_text;
use latex::Mode;
use retrieve::Deadline;

/// So many posts are on a page.
const INSTANCES: usize = 10;
/// So many similar formulas, and so many that hold it.
const OTHERS: usize = 8;
/// Longer LaTeX (bytes) is not drawn as trees: nobody could read them.
const LONGEST_TREE: usize = 600;

/// A tree, drawn, and the string that the labs write for it.
struct TreeView {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    svg: Html,
    text: String,
}

struct SpellingView {
    latex: String,
    times: String,
}

struct InstanceView {
    hit: HitView,
    times: String,
}

#[derive(Template)]
#[template(path = "formula.html")]
struct FormulaPage {
    /// In a line of text, for the history of the browser.
    name: String,
    latex: String,
    math: Html,
    mathml: String,
    posts: String,
    instances: String,
    find: String,
    find_posts: String,
    spellings: Vec<SpellingView>,
    trees: Vec<TreeView>,
    similar: Vec<VisualView>,
    /// Similar ones by their vectors, if the index has some.
    near: Vec<VisualView>,
    containing: Vec<VisualView>,
    /// Those that contain it with any letters.
    renamed: Option<String>,
    places: Vec<InstanceView>,
    before: Option<String>,
    after: Option<String>,
    range: String,
}

impl FormulaPage {
    fn here(&self) -> &'static str {
        "formula"
    }
}

/// The page of a formula.
pub(super) async fn formula(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pairs): Pairs,
) -> Result<Response, PageError> {
    let unknown = || AppError::NotFound(format!("formula with the visual id {id}"));
    let visual: u64 = id.parse().map_err(|_| unknown())?;
    let number = pairs.iter().find(|(name, _)| name == "page").and_then(|(_, value)| value.parse().ok());
    let number: usize = number.unwrap_or(1).max(1);
    let made = app.work(move |served, deadline| draw(served, visual, number, deadline)).await?;
    Ok(page(&made.ok_or_else(unknown)?))
}

/// The search for formulas that contain one, whatever its letters are called.
fn containing_renamed(latex: &str) -> Option<String> {
    // A formula with another inside cannot stand between dollars.
    let q = (!latex.contains('$')).then(|| format!("+${}$ letters:any", latex.trim()))?;
    Some(Search { q, page: 1, ..Search::default() }.viewed(View::Formulas).address())
}

fn draw(
    served: &Served,
    id: u64,
    number: usize,
    deadline: &Deadline,
) -> Result<Option<FormulaPage>, AppError> {
    let engine = &served.engine;
    let Some(visual) = engine.visual(id, deadline)? else { return Ok(None) };
    let mut pen = Pen::default();
    let offset = number.saturating_sub(1).saturating_mul(INSTANCES);
    let found = engine.instances(id, offset, INSTANCES, deadline)?;
    let places: Vec<InstanceView> = found
        .instances
        .iter()
        .map(|instance| {
            let mut hit = bare(&mut pen, &instance.post, Formulas::Links);
            // The formula is set off where the link leads, too.
            hit.address = hit.address.replacen('#', &format!("?hl={id}#"), 1);
            let times = if instance.times > 1 {
                format!("{} times", number_of(instance.times))
            } else {
                String::new()
            };
            InstanceView { hit, times }
        })
        .collect();
    let link = |number: usize| format!("/formula/{id}?page={number}#places");
    let last = offset + places.len();
    let similar = engine.similar_formulas(id, OTHERS, deadline)?;
    let near = engine.similar_by_vectors(id, OTHERS, deadline)?;
    let containing = engine.containing_formulas(id, OTHERS, deadline)?;
    let spelling = |spelling: &retrieve::people::Spelling| SpellingView {
        latex: spelling.latex.clone(),
        times: count(spelling.instances, "time", "times"),
    };
    let mut mathml = Html::default();
    pen.bare(&visual.latex, Mode::Document, Display::Block, &mut mathml);
    let search = Search { f: visual.latex.trim().to_owned(), page: 1, ..Search::default() };
    Ok(Some(FormulaPage {
        name: short(&write_text(&pen.read(&visual.latex, Mode::Document).tree)),
        math: pen.block(&visual.latex, Mode::Document, &[]),
        mathml: mathml.to_string(),
        posts: count(visual.posts, "post", "posts"),
        instances: count(visual.instances, "time", "times"),
        find: search.viewed(View::Formulas).address(),
        find_posts: search.address(),
        spellings: visual.spellings.iter().map(spelling).collect(),
        trees: trees(&mut pen, &visual.latex),
        near: near.iter().map(|hit| VisualView::new(&mut pen, hit)).collect(),
        similar: similar.iter().map(|hit| VisualView::new(&mut pen, hit)).collect(),
        containing: containing.iter().map(|hit| VisualView::part(&mut pen, hit)).collect(),
        renamed: containing_renamed(&visual.latex),
        before: (number > 1).then(|| link(number - 1)),
        after: (last < found.total && !places.is_empty()).then(|| link(number + 1)),
        range: if places.is_empty() {
            String::new()
        } else {
            let all = count(found.total, "post", "posts");
            if found.total <= INSTANCES { all } else { format!("{}–{last} of {all}", offset + 1) }
        },
        places,
        latex: visual.latex,
    }))
}

/// The trees of a formula: its layout, and the operations in it as they are meant and as the labs read them.
fn trees(pen: &mut Pen, latex: &str) -> Vec<TreeView> {
    if latex.len() > LONGEST_TREE {
        return Vec::new();
    }
    let (mut slt, mut meant, mut read) = (Slt::default(), Opt::default(), Opt::default());
    from_latex(&pen.read(latex, Mode::Document).tree, &mut slt);
    meaning::from_slt(&slt, &mut meant);
    labs::from_slt(&slt, &mut read);
    let view = |id, name, about, mut tree: Tree, text: String| {
        tree.title = format!("{name} of {}", short(latex));
        TreeView { id, name, about, svg: Html::trusted(tree.to_svg()), text }
    };
    let mut all = vec![
        view(
            "slt",
            "Symbol layout tree",
            "Which symbol stands where: next (n), above (a), below (b), over (o), under (u), within (w), element (e).",
            layout_tree(&slt),
            slt.to_string(),
        ),
        view(
            "opt",
            "Operator tree",
            "Which operation is applied to what, as it is meant.",
            operator_tree(&meant),
            meant.to_string(),
        ),
    ];
    let text = read.to_string();
    if text != all[1].text {
        all.push(view(
            "opt-labs",
            "Operator tree of the labs",
            "The same by the rules with which the labs made their trees.",
            operator_tree(&read),
            text,
        ));
    }
    all
}

/// The beginning of a line.
fn short(line: &str) -> String {
    let mut letters = line.trim().chars();
    let mut short: String = letters.by_ref().take(60).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}
