//! The page: what stands on it, from top to bottom.

mod fragment;
mod linked;
mod words;

pub use fragment::Fragment;

use crate::address::{Named, Site, named};
use crate::escape::{self, percent};
use crate::formulas::{Colour, Frame, Look, Pen};
use crate::links::Links;
use crate::style::STYLE;
use crate::tag::Rank;
use crate::weave::{Fill, Inside, Place, weave};
use formula::mathml::Display;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use store::{
    Collection, CommentNo, Date, Error, FormulaMarks, FormulaNo, Id, Post, PostKind, PostNo, Reader,
};
use words::{SEPARATOR, anchor, count, label, score};

/// Which formulas are highlighted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlight {
    /// Those with these formula ids.
    pub formulas: BTreeSet<String>,
    /// Those with these visual ids.
    pub visuals: BTreeSet<u64>,
}

/// What a page looks like where there is a choice.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// Which formulas are highlighted.
    pub highlight: Highlight,
    /// How links to other threads are written.
    pub links: Links<'a>,
    /// The site that the collection is of; `None` for [`Site::of`] it.
    pub site: Option<Site>,
    /// Posts that were deleted since the collection was made: they are not shown.
    pub gone: BTreeSet<PostNo>,
    /// What else there is on the site that parts are made for.
    pub around: Around,
}

/// What there is on a site besides threads, for the parts of its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Around {
    /// A search: formulas lead to their pages, tags to a search for them.
    #[default]
    Search,
    /// Nothing: formulas and tags are no links.
    Nothing,
}

/// Makes pages of the threads of a collection.
///
/// One can be shared by several threads of a program, each with its own [`Reader`].
#[derive(Clone, Debug)]
pub struct Page<'a> {
    highlight: Highlight,
    links: Links<'a>,
    site: Site,
    gone: BTreeSet<PostNo>,
    around: Around,
}

impl<'a> Page<'a> {
    /// Prepares for the threads of a collection; nothing is read yet.
    #[must_use]
    pub fn new(collection: &Collection, options: Options<'a>) -> Self {
        Self {
            highlight: options.highlight,
            links: options.links,
            site: options.site.unwrap_or_else(|| Site::of(collection)),
            gone: options.gone,
            around: options.around,
        }
    }

    /// The page of the thread that a post is in.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn render(&self, reader: &mut Reader<'_>, post: PostNo) -> Result<String, Error> {
        let thread = reader.collection().thread_of(post);
        Sheet::new(self, reader, thread).page()
    }

    /// The text of a post as it stands on the page, title first, without anything around it.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn post(&self, reader: &mut Reader<'_>, post: PostNo) -> Result<String, Error> {
        let mut sheet = Sheet::new(self, reader, reader.collection().thread_of(post));
        let read = sheet.reader.post(post)?;
        let mut out = String::new();
        let (title, markers) = sheet.title(&read, Place::Line)?;
        if let Some(title) = title {
            out.push_str(&format!("<h1>{title}</h1>\n"));
        }
        sheet.body(&read, markers, &mut out)?;
        out.push('\n');
        Ok(out)
    }

    /// The text of a comment as it stands on the page, without anything around it.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn comment(&self, reader: &mut Reader<'_>, comment: CommentNo) -> Result<String, Error> {
        let thread = reader.collection().thread_of(reader.collection().comment_post(comment));
        let mut sheet = Sheet::new(self, reader, thread);
        let read = sheet.reader.comment(comment)?;
        let mut out = String::new();
        let formulas = sheet.collection.formulas_of_comment(comment);
        sheet.text(&read.text, formulas, Place::Blocks, Draw::Here, &mut out)?;
        out.push('\n');
        Ok(out)
    }

    /// A formula as it stands on the page.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn formula(&self, reader: &mut Reader<'_>, formula: FormulaNo) -> Result<String, Error> {
        let mut out = String::new();
        let sheet = &mut Sheet::new(self, reader, PostNo(0));
        sheet.formula(formula, (Place::Blocks, Inside::Text), Draw::Here, &mut out)?;
        out.push('\n');
        Ok(out)
    }
}

/// How the formulas of a text are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draw {
    /// With anchors, highlighted if they are to be.
    Here,
    /// As part of a title of another thread.
    Elsewhere,
    /// As a line of text.
    Text,
}

/// What a text becomes part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    /// A page that needs nothing else.
    File,
    /// A thread on a page of a site.
    Thread,
    /// One post on a page of a site.
    Post(PostNo),
    /// The text of a post alone, of which there may be several on a page of a site.
    Text,
}

/// A page under way.
struct Sheet<'p, 'r, 'c> {
    page: &'p Page<'p>,
    collection: &'c Collection,
    reader: &'r mut Reader<'c>,
    pen: Pen,
    thread: PostNo,
    whole: Whole,
    /// The heading that the text under way stands under.
    heading: Rank,
    /// How often each anchor was used.
    anchors: BTreeMap<String, u32>,
    /// The anchors of formulas that are highlighted.
    hits: Vec<String>,
    formulas: u32,
    comments: u32,
}

impl<'p, 'r, 'c> Sheet<'p, 'r, 'c> {
    fn new(page: &'p Page<'p>, reader: &'r mut Reader<'c>, thread: PostNo) -> Self {
        Self {
            page,
            collection: reader.collection(),
            reader,
            pen: Pen::default(),
            thread,
            whole: Whole::File,
            heading: Rank(1),
            anchors: BTreeMap::new(),
            hits: Vec::new(),
            formulas: 0,
            comments: 0,
        }
    }

    fn page(mut self) -> Result<String, Error> {
        let first = self.reader.post(self.thread)?;
        let name = self.name(&first)?;
        let (content, footer) = self.thread(&first)?;
        let mut out = String::with_capacity(content.len() + STYLE.len() + 1024);
        out.push_str(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n",
        );
        out.push_str(&format!("<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n", name.trim()));
        out.push_str("<main>\n");
        self.list_of_hits(&mut out);
        out.push_str(&content);
        out.push_str("</main>\n");
        out.push_str(&footer);
        out.push_str("</body>\n</html>\n");
        Ok(out)
    }

    /// What a post is called, as text, escaped.
    fn name(&mut self, post: &Post<'_>) -> Result<String, Error> {
        if self.is_gone(post.number) {
            return Ok(label(post.facts.kind, post.id));
        }
        let (name, _) = self.title(post, Place::Plain)?;
        Ok(name.unwrap_or_else(|| label(post.facts.kind, post.id)))
    }

    /// All posts of the thread, and the last line.
    fn thread(&mut self, first: &Post<'_>) -> Result<(String, String), Error> {
        let answers = self.answers(first);
        let mut content = String::new();
        self.question(first, answers.len(), &mut content)?;
        if !answers.is_empty() {
            content.push_str(&format!(
                "<section id=\"answers\">\n<h2>{}</h2>\n",
                count(answers.len(), "answer")
            ));
            for answer in &answers {
                self.answer(*answer, first.facts.accepted, &mut content)?;
            }
            content.push_str("</section>\n");
        }
        self.linked(&answers, &mut content)?;
        let footer = self.footer(first, answers.len());
        Ok((content, footer))
    }

    /// The answers, the accepted one first, then by score, then by id.
    fn answers(&self, first: &Post<'_>) -> Vec<PostNo> {
        let collection = self.collection;
        let answers = collection.answers(self.thread).filter(|answer| *answer != self.thread);
        let mut answers: Vec<PostNo> = answers.filter(|answer| !self.is_gone(*answer)).collect();
        answers.sort_by_key(|answer| {
            let score = collection.post_facts(*answer).score.unwrap_or(0);
            (first.facts.accepted != Some(*answer), std::cmp::Reverse(score), collection.post_id(*answer))
        });
        answers
    }

    fn is_gone(&self, post: PostNo) -> bool {
        self.page.gone.contains(&post)
    }

    fn question(&mut self, post: &Post<'_>, answers: usize, out: &mut String) -> Result<(), Error> {
        let kind = post.facts.kind;
        let anchor = escape::text(&anchor("post", post.id));
        out.push_str(&format!("<article class=\"{}\" id=\"{anchor}\">\n<header>\n", kind.name()));
        if self.is_gone(post.number) {
            let name = label(kind, post.id);
            out.push_str(&format!(
                "<h1>{name}</h1>\n<p class=\"facts\">deleted</p>\n</header>\n</article>\n"
            ));
            return Ok(());
        }
        let (title, markers) = self.title(post, Place::Line)?;
        self.heading = Rank(1);
        let heading = title.unwrap_or_else(|| label(kind, post.id));
        out.push_str(&format!("<h1>{}</h1>\n<p class=\"facts\">", heading.trim()));
        let mut facts = vec![label(kind, post.id)];
        if let Some(parent) = post.parent_id.as_deref().filter(|_| kind == PostKind::Answer) {
            facts.push(format!("to question {}, which is not in the collection", escape::text(parent)));
        }
        facts.extend(post.facts.score.map(score));
        if kind == PostKind::Question {
            facts.push(count(answers, "answer"));
        }
        facts.extend(post.views.map(|views| count(views as usize, "view")));
        self.byline(post.facts.date, post.owner.as_deref(), &mut facts)?;
        out.push_str(&facts.join(SEPARATOR));
        out.push_str("</p>\n");
        if !post.tags.is_empty() {
            out.push_str("<ul class=\"tags\" aria-label=\"Tags\">");
            for tag in &post.tags {
                self.tag(tag, out);
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</header>\n<div class=\"postcell text\">");
        self.body(post, markers, out)?;
        out.push_str("</div>\n");
        self.comments(post, out)?;
        out.push_str("</article>\n");
        Ok(())
    }

    fn answer(&mut self, answer: PostNo, accepted: Option<PostNo>, out: &mut String) -> Result<(), Error> {
        let post = self.reader.post(answer)?;
        let is_accepted = accepted == Some(answer);
        let class = if is_accepted { "answer accepted" } else { "answer" };
        let anchor = escape::text(&anchor("post", post.id));
        out.push_str(&format!("<article class=\"{class}\" id=\"{anchor}\">\n<header>\n"));
        self.heading = self.heading_of_answer(out)?;
        let element = self.heading.element();
        let heading = if is_accepted {
            "<span class=\"tick\" aria-hidden=\"true\">✓</span> Accepted answer"
        } else {
            "Answer"
        };
        let id = escape::text(&post.id.to_string());
        out.push_str(&format!("<{element}>{heading} {id}</{element}>\n"));
        let mut facts = Vec::new();
        facts.extend(post.facts.score.map(score));
        self.byline(post.facts.date, post.owner.as_deref(), &mut facts)?;
        if !facts.is_empty() {
            out.push_str(&format!("<p class=\"facts\">{}</p>\n", facts.join(SEPARATOR)));
        }
        out.push_str("</header>\n");
        let (title, markers) = self.title(&post, Place::Line)?;
        out.push_str("<div class=\"answercell text\">");
        if let Some(title) = title {
            let element = self.heading.below().element();
            out.push_str(&format!("<{element}>{}</{element}>", title.trim()));
        }
        self.body(&post, markers, out)?;
        out.push_str("</div>\n");
        self.comments(&post, out)?;
        out.push_str("</article>\n");
        Ok(())
    }

    fn comments(&mut self, post: &Post<'_>, out: &mut String) -> Result<(), Error> {
        let collection = self.collection;
        let mut comments: Vec<CommentNo> = collection.comments_on(post.number).collect();
        if comments.is_empty() {
            return Ok(());
        }
        comments.sort_by_key(|comment| collection.comment_id(*comment));
        self.comments += u32::try_from(comments.len()).unwrap_or(u32::MAX);
        let of_post = self.heading;
        self.heading = of_post.below();
        let element = self.heading.element();
        out.push_str(&format!(
            "<section class=\"comments\">\n<{element}>{}<span class=\"unseen\"> on {}</span></{element}>\n<ol>\n",
            count(comments.len(), "comment"),
            label(post.facts.kind, post.id)
        ));
        for number in comments {
            let comment = self.reader.comment(number)?;
            let anchor = escape::text(&anchor("comment", comment.id));
            out.push_str(&format!("<li id=\"{anchor}\"><div class=\"text\">"));
            self.text(&comment.text, collection.formulas_of_comment(number), Place::Blocks, Draw::Here, out)?;
            out.push_str("</div>");
            let mut facts = Vec::new();
            facts.extend(comment.score.filter(|score| *score != 0).map(score));
            self.byline(comment.date, comment.owner.as_deref(), &mut facts)?;
            if !facts.is_empty() {
                out.push_str(&format!("<p class=\"facts\">{}</p>", facts.join(SEPARATOR)));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol>\n</section>\n");
        self.heading = of_post;
        Ok(())
    }

    fn footer(&self, first: &Post<'_>, answers: usize) -> String {
        let mut parts = vec![format!("Thread {}", escape::text(&first.id.to_string()))];
        if answers > 0 {
            parts.push(count(answers, "answer"));
        }
        parts.push(count(self.comments as usize, "comment"));
        parts.push(count(self.formulas as usize, "formula"));
        if let (Site::Host(host), Id::Number(id)) = (&self.page.site, first.id) {
            parts.push(format!("originally at {}/q/{id}", escape::text(host)));
        }
        format!("<footer>{}</footer>\n", parts.join(SEPARATOR))
    }

    /// Where the highlighted formulas are.
    fn list_of_hits(&self, out: &mut String) {
        if self.hits.is_empty() {
            return;
        }
        out.push_str("<nav class=\"hits\" aria-label=\"Highlighted formulas\">Highlighted:");
        for (number, anchor) in (1..).zip(&self.hits) {
            out.push_str(&format!(" <a href=\"#{}\">{number}</a>", percent(anchor)));
        }
        out.push_str("</nav>\n");
    }

    /// When and by whom.
    fn byline(
        &mut self,
        date: Option<Date>,
        owner: Option<&str>,
        facts: &mut Vec<String>,
    ) -> Result<(), Error> {
        if let Some(date) = date {
            let exact = date.to_string();
            let shown = exact.get(..16).unwrap_or(&exact).replace('T', " ");
            let shown = shown.strip_suffix(" 00:00").unwrap_or(&shown);
            facts.push(format!("<time datetime=\"{exact}\">{shown}</time>"));
        }
        if let Some(owner) = owner.filter(|owner| !owner.is_empty()) {
            let name = match self.reader.user(owner)? {
                Some(name) => escape::text(&name),
                None if owner.bytes().all(|byte| byte.is_ascii_digit()) => format!("user {owner}"),
                None => escape::text(owner),
            };
            // A name in another script must not turn what stands beside it.
            facts.push(format!("<bdi class=\"owner\">{name}</bdi>"));
        }
        Ok(())
    }

    /// The title of a post, and how many formulas it holds.
    fn title(&mut self, post: &Post<'_>, place: Place) -> Result<(Option<String>, u32), Error> {
        let Some(title) = post.title.as_deref().filter(|title| !title.trim().is_empty()) else {
            return Ok((None, 0));
        };
        let mut out = String::new();
        let draw = if place == Place::Plain { Draw::Text } else { Draw::Here };
        let formulas = self.collection.formulas_of_post(post.number);
        let markers = self.text(title, formulas, place, draw, &mut out)?;
        Ok((Some(out), markers))
    }

    fn body(&mut self, post: &Post<'_>, in_title: u32, out: &mut String) -> Result<(), Error> {
        let Range { start, end } = self.collection.formulas_of_post(post.number);
        let start = start.saturating_add(in_title);
        self.text(&post.body, start..end.max(start), Place::Blocks, Draw::Here, out)?;
        Ok(())
    }

    fn text(
        &mut self,
        html: &str,
        formulas: Range<u32>,
        place: Place,
        draw: Draw,
        out: &mut String,
    ) -> Result<u32, Error> {
        let mut filling = Filling { sheet: self, formulas, place, draw };
        let heading = filling.sheet.heading;
        let markers = weave(html, (place, heading), &mut filling, out)?;
        Ok(u32::try_from(markers).unwrap_or(u32::MAX))
    }

    fn formula(
        &mut self,
        formula: FormulaNo,
        (place, inside): (Place, Inside),
        draw: Draw,
        out: &mut String,
    ) -> Result<(), Error> {
        let collection = self.collection;
        let form = collection.formula_form(formula);
        if draw == Draw::Text {
            return self.pen.write(self.reader, form, out);
        }
        let visual = collection.visual_id(collection.form_visual(form));
        let block = place == Place::Blocks && collection.formula_marks(formula).has(FormulaMarks::BLOCK);
        let display = if block { Display::Block } else { Display::Inline };
        let frame = match (self.whole, inside) {
            (Whole::File, _) => Frame::Page,
            (_, Inside::Link) => Frame::Part,
            (_, Inside::Text) => match self.page.around {
                Around::Search => Frame::Link,
                Around::Nothing => Frame::Part,
            },
        };
        let mut look = Look { display, anchor: None, visual, colour: Colour::Plain, frame };
        if draw == Draw::Elsewhere {
            return self.pen.draw(self.reader, form, look, out);
        }
        self.formulas += 1;
        let id = collection.formula_id(formula);
        let mut name = anchor("formula", id);
        let times = self.anchors.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            name.push_str(&format!("-{times}"));
        }
        let highlight = &self.page.highlight;
        if highlight.visuals.contains(&visual) || highlight.formulas.contains(&id.to_string()) {
            look.colour = Colour::Highlighted;
            self.hits.push(name.clone());
        }
        // The same text may stand on a page twice, with other formulas highlighted.
        if self.whole != Whole::Text || look.colour == Colour::Highlighted {
            look.anchor = Some(&name);
        }
        self.pen.draw(self.reader, form, look, out)
    }

    /// Where something that an address names is.
    fn address(&self, found: Named) -> Option<String> {
        let collection = self.collection;
        let (post, anchor) = match found {
            Named::Post(post) => (post, anchor("post", collection.post_id(post))),
            Named::Comment(comment) => {
                (collection.comment_post(comment), anchor("comment", collection.comment_id(comment)))
            }
        };
        let thread = collection.thread_of(post);
        let here = match self.whole {
            Whole::Post(shown) => shown == post,
            Whole::File | Whole::Thread => thread == self.thread,
            Whole::Text => false,
        };
        if here {
            return Some(format!("#{}", percent(&anchor)));
        }
        let page = self.page.links.address(collection, thread)?;
        Some(if found == Named::Post(thread) { page } else { format!("{page}#{}", percent(&anchor)) })
    }
}

/// What a text of a page is filled with.
struct Filling<'s, 'p, 'r, 'c> {
    sheet: &'s mut Sheet<'p, 'r, 'c>,
    formulas: Range<u32>,
    place: Place,
    draw: Draw,
}

impl Fill for Filling<'_, '_, '_, '_> {
    fn formula(&mut self, k: usize, inside: Inside, out: &mut String) -> Result<(), Error> {
        // A marker beyond the last formula stands for nothing.
        let number = u32::try_from(k).ok().and_then(|k| self.formulas.start.checked_add(k));
        match number.filter(|number| *number < self.formulas.end) {
            Some(number) => self.sheet.formula(FormulaNo(number), (self.place, inside), self.draw, out),
            None => Ok(()),
        }
    }

    fn link(&mut self, address: &str) -> Option<String> {
        let found = named(self.sheet.collection, &self.sheet.page.site, address)?;
        self.sheet.address(found)
    }
}
