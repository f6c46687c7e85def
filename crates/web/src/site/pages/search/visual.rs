//! A formula as a result.

use crate::site::pages::{Accepted, Link};
use crate::view::{Html, Pen, count, encode, texts};
use latex::Mode;
use retrieve::people::{Containment, FoundVisual};

/// A formula as it is shown.
pub(crate) struct VisualView {
    pub(crate) id: u64,
    pub(crate) math: Html,
    /// How alike, from 0 to 100.
    pub(crate) percent: u32,
    pub(crate) alike: String,
    pub(crate) whole: Accepted,
    pub(crate) posts: String,
    pub(crate) example: Option<Link>,
}

impl VisualView {
    /// Makes a formula ready to be shown.
    pub(crate) fn new(pen: &mut Pen, hit: &FoundVisual) -> Self {
        let percent = (hit.similarity.clamp(0.0, 1.0) * 100.0).round() as u32;
        let example = hit.example.as_ref().map(|(post, title)| Link {
            address: format!("/thread/{0}?hl={1}#post-{0}", encode(post), hit.visual_id),
            text: texts(pen, title, Mode::Document),
        });
        Self {
            id: hit.visual_id,
            math: pen.block(&hit.latex, Mode::Document, &hit.spans),
            percent,
            alike: format!("{percent}\u{2009}% alike"),
            whole: if hit.containment == Containment::Whole { Accepted::Yes } else { Accepted::No },
            posts: count(hit.posts, "post", "posts"),
            example,
        }
    }

    /// The same for a formula that holds another: how alike they are says little.
    pub(crate) fn part(pen: &mut Pen, hit: &FoundVisual) -> Self {
        Self { alike: String::new(), whole: Accepted::No, ..Self::new(pen, hit) }
    }
}
