//! Text that is in no collection, such as the question of a topic, for a page of a site.

use crate::address::{Named, Site, named};
use crate::escape::percent;
use crate::tag::Rank;
use crate::weave::{Fill, Inside, Place, weave};
use store::{Collection, Error};

/// Such texts stand under a heading of the second rank.
const HEADING: Rank = Rank(2);

/// What a text may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Paragraphs, lists and so on.
    Blocks,
    /// One line.
    Line,
}

/// HTML with a [`markup::MARKER`] for each formula, written anew as that of posts is: only tags of a short list,
/// no attributes, links only to threads of the collection. Headings rank from the third on. `formula` writes the formula of a marker and is
/// trusted to write safe HTML.
///
/// # Errors
///
/// What `formula` gives.
///
/// ```
/// use render::{Shape, given};
/// let html = given("<p onclick=x>a <a href=\"https://example.org\">b</a></p>", Shape::Blocks, None, &mut |_, _| Ok(()))?;
/// assert_eq!(html, "<p>a <span class=\"outside\" title=\"https://example.org\">b</span></p>");
/// # Ok::<(), store::Error>(())
/// ```
pub fn given(
    html: &str,
    shape: Shape,
    collection: Option<&Collection>,
    formula: &mut dyn FnMut(usize, &mut String) -> Result<(), Error>,
) -> Result<String, Error> {
    let place = match shape {
        Shape::Blocks => Place::Blocks,
        Shape::Line => Place::Line,
    };
    let mut out = String::with_capacity(html.len() + 64);
    weave(html, (place, HEADING), &mut Given { collection, formula }, &mut out)?;
    Ok(out)
}

struct Given<'a> {
    collection: Option<&'a Collection>,
    formula: &'a mut dyn FnMut(usize, &mut String) -> Result<(), Error>,
}

impl Fill for Given<'_> {
    fn formula(&mut self, k: usize, _: Inside, out: &mut String) -> Result<(), Error> {
        (self.formula)(k, out)
    }

    fn link(&mut self, address: &str) -> Option<String> {
        let collection = self.collection?;
        let post = match named(collection, &Site::of(collection), address)? {
            Named::Post(post) => post,
            Named::Comment(comment) => collection.comment_post(comment),
        };
        let thread = percent(&collection.post_id(collection.thread_of(post)).to_string());
        Some(format!("/thread/{thread}#post-{}", percent(&collection.post_id(post).to_string())))
    }
}
