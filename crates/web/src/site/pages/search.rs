//! Results.

mod asks;
mod hit;
mod narrow;
mod paging;
mod visual;

pub(super) use asks::ReplyView;
pub(super) use hit::{HitView, bare, shown};
pub(super) use visual::VisualView;

use super::answer::Wanted;
use super::{Current, Focus, Link, PageError, Pairs, page};
use crate::site::config::Config;
use crate::site::error::AppError;
use crate::site::state::{App, Served};
use crate::site::systems;
use crate::view::{self, Html, Pen, Preview, Search, View, count, total};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use narrow::{Chip, FacetView, NoteView};
use paging::PageLink;
use retrieve::Deadline;
use retrieve::people::{Correction, Grouping, SearchOptions, Sort, Total};
use retrieve::typed::{LONGEST, Reading, Typed, TypedFormula};
use std::time::{Duration, Instant};

/// So many threads or posts are on a page.
const POSTS: usize = 10;
/// So many formulas are on a page.
const FORMULAS: usize = 20;
/// Facets are counted over so many posts of a large index: as many as the first step of a search ranks.
const FACETS: usize = 200;
/// In an index of so many posts all that is ranked is counted.
const SMALL: u32 = 10_000;
/// Titles of pages are cut after so many characters.
const NAME: usize = 70;

/// An order of the results.
struct SortLink {
    name: &'static str,
    address: String,
    current: Current,
}

struct Tab {
    name: &'static str,
    key: &'static str,
    address: String,
    current: Current,
}

/// How what was typed was understood.
struct Understood {
    /// The query with its mistyped words put right.
    corrected: Option<String>,
    /// Formulas that were not typed as LaTeX.
    formulas: Vec<Html>,
    /// The search for what was typed as it stands there.
    literal: String,
}

/// What to do when there is nothing.
struct Help {
    title: &'static str,
    text: &'static str,
    links: Vec<Link>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct Results {
    search: Search,
    preview: Preview,
    autofocus: Focus,
    /// What was typed, short, for the history of the browser.
    name: String,
    tabs: Vec<Tab>,
    summary: Html,
    /// The orders to choose from; none if there is no choice.
    sorts: Vec<SortLink>,
    chips: Vec<Chip>,
    /// How what was typed was understood, where that is not what stands there.
    understood: Option<Understood>,
    notes: Vec<NoteView>,
    /// A place for an answer.
    reply: Option<ReplyView>,
    first: usize,
    hits: Vec<HitView>,
    visuals: Vec<VisualView>,
    help: Option<Help>,
    pages: Vec<PageLink>,
    facets: Vec<FacetView>,
    /// Over how many posts facets were counted, if not over all.
    counted: Option<String>,
}

impl Results {
    fn here(&self) -> &'static str {
        "search"
    }
}

/// Searches.
pub(super) async fn search(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    let search = Search::read(&pairs);
    if search.q.chars().count() + search.f.chars().count() > LONGEST {
        return Err(AppError::BadRequest(format!("a query can have {LONGEST} characters")).into());
    }
    let config = app.config().clone();
    let results = app.work(move |served, deadline| find(served, &config, search, deadline)).await?;
    Ok(page(&results))
}

/// What is being typed, drawn: a part of the page, for the script that shows it while people type.
pub(super) async fn preview(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    #[derive(Template)]
    #[template(path = "preview.html")]
    struct Part {
        preview: Preview,
    }
    let search = Search::read(&pairs);
    let query: String = search.query().chars().take(LONGEST).collect();
    let preview = app.work(move |_, _| Ok(view::preview(&Typed::read(&query)))).await?;
    Ok(page(&Part { preview }))
}

fn find(served: &Served, config: &Config, search: Search, deadline: &Deadline) -> Result<Results, AppError> {
    let start = Instant::now();
    let query = search.query();
    let typed = search.typed();
    let size = if search.view == View::Formulas { FORMULAS } else { POSTS };
    let mut options = SearchOptions {
        limit: size,
        offset: search.page.saturating_sub(1).saturating_mul(size),
        formulas: 0,
        facets: if served.engine.index().num_posts() <= SMALL { SMALL as usize } else { FACETS },
        deadline: deadline.clone(),
        sort: search.sort,
        understanding: search.understanding,
        grouping: if search.view == View::Threads { Grouping::Threads } else { Grouping::Posts },
        ..SearchOptions::default()
    };
    if let Some(name) = &search.system {
        options.pipeline = systems::for_search(name)?;
    }
    let mut pen = Pen::default();
    let mut results = Results {
        preview: view::preview(&typed),
        autofocus: if search.is_empty() { Focus::Box } else { Focus::Nowhere },
        name: name(&query),
        tabs: tabs(&search),
        summary: Html::default(),
        sorts: Vec::new(),
        chips: narrow::chips(&search, &typed),
        understood: None,
        notes: Vec::new(),
        reply: None,
        first: options.offset + 1,
        hits: Vec::new(),
        visuals: Vec::new(),
        help: None,
        pages: Vec::new(),
        facets: Vec::new(),
        counted: None,
        search,
    };
    let search = &results.search;
    if search.is_empty() {
        results.help = Some(help(search, &typed));
        return Ok(results);
    }
    let found;
    if search.view == View::Formulas {
        let answer = served.engine.search_formulas(&typed, &options)?;
        results.visuals = answer.hits.iter().map(|hit| VisualView::new(&mut pen, hit)).collect();
        results.notes = narrow::notes(search, &query, &answer.notes);
        results.understood = understood(&mut pen, search, &typed, &[]);
        found = answer.total;
        results.summary = summary(found, "formula", "formulas", start.elapsed());
    } else {
        let answer = served.engine.search(&typed, &options)?;
        results.hits = answer.hits.iter().map(|hit| shown(&mut pen, search, &typed, hit)).collect();
        results.sorts = sorts(search, &answer.sorts);
        results.facets = narrow::facets(search, &typed, &answer.facets);
        let cut = answer.candidates > options.facets;
        results.counted = cut.then(|| format!("among the best {} posts", options.facets));
        results.notes = narrow::notes(search, &query, &answer.notes);
        results.understood = understood(&mut pen, search, &typed, &answer.corrections);
        if !answer.hits.is_empty() && asks::is_known(&answer.notes) && asks::asks(search, &typed) {
            results.reply = ReplyView::new(served, config, &Wanted::of_search(search));
        }
        found = answer.total;
        let (one, many) =
            if search.view == View::Threads { ("thread", "threads") } else { ("post", "posts") };
        let mut summary = summary(found, one, many, start.elapsed());
        // Posts that share no more than a part of a formula are among them.
        if !typed.formulas.is_empty() && found.known() > size {
            let counted = std::mem::replace(&mut summary, Html::text("about "));
            summary.push_html(&counted);
        }
        results.summary = summary;
    }
    results.pages = paging::pages(search, found, size);
    if results.hits.is_empty() && results.visuals.is_empty() {
        results.help = Some(help(search, &typed));
    }
    Ok(results)
}

/// So many formulas are shown as they were read.
const SHOWN: usize = 4;

/// How what was typed was understood, where a person may not have meant it so.
fn understood(
    pen: &mut Pen,
    search: &Search,
    typed: &Typed,
    corrections: &[Correction],
) -> Option<Understood> {
    let translated = typed.formulas.iter().filter(|formula| formula.reading == Reading::Translated);
    let drawn = |formula: &TypedFormula| {
        let mut out = Html::default();
        pen.inline(&formula.latex, &[], &mut out);
        out
    };
    let formulas: Vec<Html> = translated.take(SHOWN).map(drawn).collect();
    if formulas.is_empty() && corrections.is_empty() {
        return None;
    }
    let mut corrected = search.query();
    for Correction { span, meant } in corrections.iter().rev() {
        if corrected.get(span.clone()).is_some() {
            corrected.replace_range(span.clone(), meant);
        }
    }
    let corrected = Some(corrected).filter(|_| !corrections.is_empty());
    Some(Understood { corrected, formulas, literal: search.literally().address() })
}

fn tabs(search: &Search) -> Vec<Tab> {
    let tab = |(name, key, view)| Tab {
        name,
        key,
        address: search.viewed(view).address(),
        current: if search.view == view { Current::Here } else { Current::Elsewhere },
    };
    let all =
        [("Threads", "t", View::Threads), ("Posts", "p", View::Posts), ("Formulas", "f", View::Formulas)];
    all.into_iter().map(tab).collect()
}

/// Links to the orders that make a difference.
fn sorts(search: &Search, sorts: &[Sort]) -> Vec<SortLink> {
    if sorts.len() < 2 {
        return Vec::new();
    }
    let link = |sort: &Sort| SortLink {
        name: match sort {
            Sort::Relevance => "Relevance",
            Sort::Votes => "Votes",
            Sort::Date => "Newest",
        },
        address: search.sorted(*sort).address(),
        current: if search.sort == *sort { Current::Here } else { Current::Elsewhere },
    };
    sorts.iter().map(link).collect()
}

fn summary(found: Total, one: &str, many: &str, elapsed: Duration) -> Html {
    let milliseconds = elapsed.as_secs_f64() * 1000.0;
    let shown = if milliseconds < 9.95 { format!("{milliseconds:.1}") } else { format!("{milliseconds:.0}") };
    let mut html = Html::text(&total(found, one, many));
    html.push(" <span class=\"time\">in ");
    html.push_text(&shown);
    html.push("\u{A0}ms</span>");
    html
}

fn help(search: &Search, typed: &Typed) -> Help {
    let try_it = |q: &str, f: &str, view: View, text: &str| {
        let other = Search { q: q.to_owned(), f: f.to_owned(), view, page: 1, ..search.clone() };
        Link::new(other.address(), text)
    };
    if search.is_empty() {
        return Help {
            title: "What are you looking for?",
            text: "Type words, formulas between dollars, or both. Formulas are found by their structure, so \
                   other names and notations are found, too.",
            links: vec![Link::new("/help".to_owned(), "What can be typed")],
        };
    }
    if search.view == View::Formulas && typed.formulas.is_empty() {
        return Help {
            title: "There is no formula in the query",
            text: "This view lists formulas like those that were typed. Put one between dollars, or in the \
                   formula row.",
            links: vec![Link::new(search.viewed(View::Threads).address(), "Search threads instead")],
        };
    }
    let mut links = Vec::new();
    if search.page > 1 {
        links.push(Link::new(search.paged(1).address(), "The first page"));
    }
    if !typed.filters.is_empty() {
        let mut open = search.paged(1);
        for filter in typed.filters.iter().rev() {
            open = open.without(&filter.span);
        }
        links.push(Link::new(
            open.address(),
            &format!("Search without {}", count(typed.filters.len(), "filter", "filters")),
        ));
    }
    if let (Some(formula), false) = (typed.formulas.first(), search.view == View::Formulas) {
        links.push(try_it("", &formula.latex, View::Formulas, "List formulas like the first one"));
    }
    if !typed.words.is_empty() && !typed.formulas.is_empty() {
        let words: Vec<&str> = typed.words.iter().map(|word| word.text.as_str()).collect();
        links.push(try_it(&words.join(" "), "", View::Threads, "Search for the words alone"));
    }
    links.push(Link::new("/help".to_owned(), "What can be typed"));
    Help {
        title: "Nothing was found",
        text: "Fewer words help, and a wildcard such as ?a in a formula stands for anything.",
        links,
    }
}

/// The beginning of a query.
fn name(query: &str) -> String {
    let mut letters = query.chars();
    let mut name: String = letters.by_ref().take(NAME).collect();
    if letters.next().is_some() {
        name.push('…');
    }
    name
}
