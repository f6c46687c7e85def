//! Parts for the pages of a site: a thread or one post, without styles, formulas as links.

use super::words::label;
use super::{Around, Draw, Page, Sheet, Whole};
use crate::escape::{self, percent};
use crate::tag::Rank;
use crate::weave::Place;
use store::{Error, PostKind, PostNo, Reader};

/// A part of a page. It holds no `style` and no script, so it can stand on a page that allows neither.
///
/// Formulas are links to `/formula/ID`, by their visual ids, where they do not stand in another link; they
/// need the classes of [`formula::mathml::STYLE_SHEET`]. Tags are links to `/search`. Neither is one where
/// there is [`Around::Nothing`]. Anchors and all other
/// classes are those of the pages that [`Page::render`] makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The title as plain text, not escaped; formulas are in a line.
    pub title: String,
    /// The content as HTML, with one `h1`.
    pub content: String,
    /// The anchors of highlighted formulas, in order; the content of a thread begins with links to them.
    pub hits: Vec<String>,
}

impl Page<'_> {
    /// The thread that a post is in, as a part of a page.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    ///
    /// ```
    /// # let small = testkit::small_collection("fragment-doc");
    /// use render::{Links, Options, Page};
    ///
    /// let page = Page::new(&small.collection, Options { links: Links::Server, ..Options::default() });
    /// let post = small.collection.find_post("12").expect("it is there");
    /// let thread = page.thread_fragment(&mut small.collection.reader(), post)?;
    /// assert_eq!(thread.title, "Why is ∑ 1/n infinite?");
    /// assert!(thread.content.contains("<a class=\"math-container\" id=\"formula-2\" href=\"/formula/502\""));
    /// # Ok::<(), store::Error>(())
    /// ```
    pub fn thread_fragment(&self, reader: &mut Reader<'_>, post: PostNo) -> Result<Fragment, Error> {
        let thread = reader.collection().thread_of(post);
        let mut sheet = Sheet::new(self, reader, thread);
        sheet.whole = Whole::Thread;
        let first = sheet.reader.post(thread)?;
        let name = sheet.name(&first)?;
        let (content, footer) = sheet.thread(&first)?;
        let mut out = String::with_capacity(content.len() + 512);
        sheet.list_of_hits(&mut out);
        out.push_str(&content);
        out.push_str(&footer);
        Ok(Fragment { title: escape::undo(name.trim()), content: out, hits: sheet.hits })
    }

    /// One post with the comments on it, as a part of a page; an answer names its question.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn post_fragment(&self, reader: &mut Reader<'_>, post: PostNo) -> Result<Fragment, Error> {
        let collection = reader.collection();
        let thread = collection.thread_of(post);
        let mut sheet = Sheet::new(self, reader, thread);
        sheet.whole = Whole::Post(post);
        let first = sheet.reader.post(thread)?;
        let name = sheet.name(&first)?;
        let mut out = String::new();
        if post == thread {
            let answers = sheet.answers(&first).len();
            sheet.question(&first, answers, &mut out)?;
        } else {
            sheet.answer(post, first.facts.accepted, &mut out)?;
        }
        Ok(Fragment { title: escape::undo(name.trim()), content: out, hits: sheet.hits })
    }

    /// The text of a post without anything around it, as a part of a page: who wrote it and what others think
    /// of it is not told. It stands under a heading of the second rank, so that a title is one of the third. Only highlighted formulas have anchors.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn text_fragment(&self, reader: &mut Reader<'_>, post: PostNo) -> Result<Fragment, Error> {
        let thread = reader.collection().thread_of(post);
        let mut sheet = Sheet::new(self, reader, thread);
        sheet.whole = Whole::Text;
        let read = sheet.reader.post(post)?;
        let name = sheet.name(&read)?;
        let mut out = String::new();
        let (title, markers) = sheet.title(&read, Place::Line)?;
        sheet.heading = Rank(2);
        if let Some(title) = title {
            sheet.heading = sheet.heading.below();
            let element = sheet.heading.element();
            out.push_str(&format!("<{element}>{}</{element}>\n", title.trim()));
        }
        sheet.body(&read, markers, &mut out)?;
        Ok(Fragment { title: escape::undo(name.trim()), content: out, hits: sheet.hits })
    }
}

impl Sheet<'_, '_, '_> {
    /// What stands above an answer that is shown alone: its question. Gives the rank of its own heading.
    pub(super) fn heading_of_answer(&mut self, out: &mut String) -> Result<Rank, Error> {
        let Whole::Post(_) = self.whole else { return Ok(Rank(3)) };
        let first = self.reader.post(self.thread)?;
        let mut title = String::new();
        let title_html = first.title.as_deref().filter(|title| !title.trim().is_empty());
        match title_html.filter(|_| !self.is_gone(self.thread)) {
            Some(html) => {
                let formulas = self.collection.formulas_of_post(self.thread);
                self.text(html, formulas, Place::InLink, Draw::Elsewhere, &mut title)?;
            }
            None => title = label(PostKind::Question, first.id),
        }
        let title = title.trim();
        match self.page.links.address(self.collection, self.thread) {
            Some(address) => {
                let address = escape::text(&address);
                out.push_str(&format!("<h1><a href=\"{address}\">{title}</a></h1>\n"));
            }
            None => out.push_str(&format!("<h1>{title}</h1>\n")),
        }
        Ok(Rank(2))
    }

    /// A tag; on a site it leads to a search for it.
    pub(super) fn tag(&self, tag: &str, out: &mut String) {
        match (self.whole, self.page.around) {
            (Whole::File | Whole::Text, _) | (_, Around::Nothing) => {
                out.extend(["<li>", &escape::text(tag), "</li>"]);
            }
            (Whole::Thread | Whole::Post(_), Around::Search) => {
                let query = percent(&format!("[{tag}]"));
                out.push_str(&format!("<li><a href=\"/search?q={query}\">{}</a></li>", escape::text(tag)));
            }
        }
    }
}
