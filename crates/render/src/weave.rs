//! Stored HTML written anew: tags of a short list without attributes, formulas in place of markers,
//! and everything else as text.
//!
//! Whatever the input holds, the output is a well-nested run of tags that are spelled here, so no
//! attribute, script, style or foreign element can come through. That is why nothing else looks at
//! the text again.

use crate::escape::{self, push_char};
use crate::tag::{self, Found, Kind, Rank, Side, Tag};
use markup::MARKER;
use store::Error;

/// Where a text stands on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A division: all tags of the list.
    Blocks,
    /// A line, such as a heading: no blocks.
    Line,
    /// A line inside a link: no links either.
    InLink,
    /// Where no tags are possible at all, such as `title`.
    Plain,
}

/// Whether something stands in a link, where there can be no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Link,
    Text,
}

/// What takes the place of formulas and addresses.
pub(crate) trait Fill {
    /// Writes the formula of the `k`-th marker.
    fn formula(&mut self, k: usize, inside: Inside, out: &mut String) -> Result<(), Error>;

    /// Where an address leads inside the collection.
    fn link(&mut self, address: &str) -> Option<String>;
}

/// Deeper elements are left out, their content is not.
const DEEPEST: usize = 64;

/// Elements whose content is not meant to be read.
const UNREAD: [&str; 5] = ["script", "style", "template", "iframe", "noscript"];

/// Schemes of addresses that are shown.
const SHOWN: [&str; 4] = ["https", "http", "mailto", "ftp"];

/// Appends stored HTML to `out` and says how many markers it held. Its headings rank below `heading`, the one that
/// it stands under.
pub(crate) fn weave(
    html: &str,
    (place, heading): (Place, Rank),
    fill: &mut impl Fill,
    out: &mut String,
) -> Result<usize, Error> {
    let start = out.len();
    let no_end = [false; UNREAD.len() + 2];
    let mut weaver = Weaver { place, heading, out, start, open: Vec::new(), markers: 0, no_end };
    let mut rest = html;
    while !rest.is_empty() {
        let plain = rest.find(|c: char| matches!(c, '<' | '&' | MARKER)).unwrap_or(rest.len());
        weaver.text(&rest[..plain]);
        rest = &rest[plain..];
        let Some(c) = rest.chars().next() else { break };
        let length = match c {
            '<' => weaver.angle(rest, fill),
            '&' => weaver.ampersand(rest),
            _ => {
                let k = weaver.markers;
                weaver.markers += 1;
                let inside = weaver.inside();
                fill.formula(k, inside, weaver.out)?;
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    weaver.close_to(0);
    Ok(weaver.markers)
}

struct Weaver<'o> {
    place: Place,
    /// The heading that the text stands under.
    heading: Rank,
    out: &'o mut String,
    /// Where the text begins in `out`.
    start: usize,
    open: Vec<Open>,
    markers: usize,
    /// Kinds of ends that do not come any more: looked for once.
    no_end: [bool; UNREAD.len() + 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    tag: Tag,
    /// What it is written as; a link that leads nowhere is a `span`.
    written: &'static str,
}

impl Weaver<'_> {
    fn inside(&self) -> Inside {
        let link = self.place == Place::InLink || self.position(|open| open.written == "a").is_some();
        if link { Inside::Link } else { Inside::Text }
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            push_char(c, self.out);
        }
    }

    fn ampersand(&mut self, rest: &str) -> usize {
        match escape::reference(rest) {
            // A reference is a character, never markup.
            Some(reference) => {
                self.out.push_str(reference);
                reference.len()
            }
            None => {
                self.out.push_str("&amp;");
                1
            }
        }
    }

    /// What begins with `<`; gives its length.
    fn angle(&mut self, rest: &str, fill: &mut impl Fill) -> usize {
        if let Some(found) = tag::read(rest) {
            self.markers += rest[..found.length].matches(MARKER).count();
            return found.length + self.tag(&found, &rest[found.length..], fill);
        }
        let (end, kind) = if rest.starts_with("<!--") {
            ("-->", UNREAD.len())
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            (">", UNREAD.len() + 1)
        } else {
            self.out.push_str("&lt;");
            return 1;
        };
        match self.find_end(rest, kind, |rest| rest.find(end)) {
            Some(at) => {
                self.markers += rest[..at].matches(MARKER).count();
                at + end.len()
            }
            None => {
                self.out.push_str("&lt;");
                1
            }
        }
    }

    fn find_end(&mut self, rest: &str, kind: usize, find: impl Fn(&str) -> Option<usize>) -> Option<usize> {
        if self.no_end[kind] {
            return None;
        }
        let found = find(rest);
        self.no_end[kind] = found.is_none();
        found
    }

    /// Writes a tag, if it is one of ours; gives the length of what is left out after it.
    fn tag(&mut self, found: &Found<'_>, after: &str, fill: &mut impl Fill) -> usize {
        let unread = UNREAD.iter().position(|name| name.eq_ignore_ascii_case(found.name));
        if let Some(kind) = unread.filter(|_| found.side == Side::Start) {
            let end = self.find_end(after, kind, |after| find_end_tag(after, UNREAD[kind])).unwrap_or(0);
            self.markers += after[..end].matches(MARKER).count();
            return end;
        }
        let Some(tag) = Tag::named(found.name) else { return 0 };
        match (self.place, tag.kind) {
            (Place::Plain, Kind::Inline | Kind::Link) => return 0,
            (Place::InLink, Kind::Link) => return 0,
            // What stood on several lines stands on one.
            (Place::Line | Place::InLink, Kind::Block | Kind::Part(_) | Kind::Rule | Kind::Void)
            | (Place::Plain, _) => {
                if self.out.len() > self.start && !self.out.ends_with(' ') {
                    self.out.push(' ');
                }
                return 0;
            }
            _ => {}
        }
        match found.side {
            Side::Start => self.start(tag, found, fill),
            Side::End => self.end(tag),
        }
        0
    }

    fn start(&mut self, tag: Tag, found: &Found<'_>, fill: &mut impl Fill) {
        if matches!(tag.kind, Kind::Block | Kind::Rule)
            && let Some(paragraph) = self.position(|open| open.written == "p")
        {
            // As a browser would: a paragraph holds no blocks.
            self.close_to(paragraph);
        }
        match tag.kind {
            Kind::Void | Kind::Rule => {
                self.out.extend(["<", tag.written(self.heading), ">"]);
                return;
            }
            Kind::Part(holders) => {
                let Some(holder) = self.position(|open| holders.contains(&open.written)) else { return };
                let same = self.position(|open| open.tag.kind == tag.kind);
                if let Some(same) = same.filter(|same| *same > holder) {
                    self.close_to(same);
                }
            }
            Kind::Link if self.position(|open| open.tag.kind == Kind::Link).is_some() => return,
            Kind::Inline | Kind::Link | Kind::Block => {}
        }
        if self.open.len() >= DEEPEST {
            return;
        }
        let mut written = tag.written(self.heading);
        if tag.kind == Kind::Link {
            let address = found.href().map(escape::undo).unwrap_or_default();
            match fill.link(&address) {
                Some(inside) => self.out.extend(["<a href=\"", &escape::text(&inside), "\">"]),
                None => {
                    written = "span";
                    self.outside(&address);
                }
            }
        } else {
            self.out.extend(["<", written, ">"]);
        }
        self.open.push(Open { tag, written });
    }

    /// The beginning of what was a link: its address is said, but leads nowhere.
    fn outside(&mut self, address: &str) {
        let address: String = address.chars().filter(|c| !c.is_control()).collect();
        let scheme = address.split_once(':').map(|(scheme, _)| scheme);
        if scheme.is_some_and(|scheme| SHOWN.iter().any(|shown| shown.eq_ignore_ascii_case(scheme))) {
            self.out.extend(["<span class=\"outside\" title=\"", &escape::text(&address), "\">"]);
        } else {
            self.out.push_str("<span class=\"outside\">");
        }
    }

    fn end(&mut self, tag: Tag) {
        if let Some(at) = self.position(|open| open.tag == tag) {
            self.close_to(at);
        }
    }

    /// The innermost open element of some sort; at most [`DEEPEST`] are looked at.
    fn position(&self, wanted: impl Fn(&Open) -> bool) -> Option<usize> {
        self.open.iter().rposition(wanted)
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            if let Some(open) = self.open.pop() {
                self.out.extend(["</", open.written, ">"]);
            }
        }
    }
}

/// Where the end tag of an element begins.
fn find_end_tag(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("</") {
        from += at + 2;
        let found = text.as_bytes().get(from..from + name.len());
        if found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes())) {
            return Some(from - 2);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Marks;

    impl Fill for Marks {
        fn formula(&mut self, k: usize, inside: Inside, out: &mut String) -> Result<(), Error> {
            let link = if inside == Inside::Link { "a" } else { "" };
            out.push_str(&format!("[{link}{k}]"));
            Ok(())
        }

        fn link(&mut self, address: &str) -> Option<String> {
            address.strip_prefix("in:").map(|rest| format!("{rest}.html"))
        }
    }

    fn woven(html: &str, place: Place) -> String {
        let mut out = String::new();
        weave(html, (place, Rank(3)), &mut Marks, &mut out).unwrap();
        out
    }

    #[test]
    fn clean_text_stays_as_it_is() {
        for html in [
            "<p>a <em>b</em> &amp; &lt;c&gt; &#955;</p>",
            "<ul><li>a</li><li><p>b</p></li></ul>",
            "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>",
            "<blockquote><p>a<br>b</p></blockquote><hr><pre><code>x  y\n z</code></pre>",
            "<dl><dt>a</dt><dd>b</dd></dl>",
            "<ol><li>a<ul><li>b</li></ul></li></ol>",
        ] {
            assert_eq!(woven(html, Place::Blocks), html);
        }
    }

    #[test]
    fn what_is_not_in_the_list_is_left_out() {
        for (html, expected) in [
            ("<p onclick=\"x()\" style='a'>b</p>", "<p>b</p>"),
            ("a<script>b</script>c", "ac"),
            ("a<SCRIPT >b\u{FDD0}</Script\n>\u{FDD0}", "a[1]"),
            ("a<script>b", "ab"),
            ("a<!-- <p>\u{FDD0} -->\u{FDD0}", "a[1]"),
            ("a<!-- b", "a&lt;!-- b"),
            ("<!DOCTYPE x><?y?>a", "a"),
            ("<b>a", "<b>a</b>"),
            ("a</div></p>b", "ab"),
            ("<b><i>a</b>b</i>", "<b><i>a</i></b>b"),
            ("<p>a<p>b", "<p>a</p><p>b</p>"),
            ("<p><b>a<div>b</div>", "<p><b>a</b></p><div>b</div>"),
            ("<li>a</li><td>b</td><tr>", "ab"),
            ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
            ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
            ("<svg><math><mtext><img src=x onerror=y>a", "a"),
            ("<h1>a</h1><h6>b</h6>", "<h4>a</h4><h6>b</h6>"),
            ("\u{FDD0}<b title='\u{FDD0}'>\u{FDD0}</b>", "[0]<b>[2]</b>"),
        ] {
            assert_eq!(woven(html, Place::Blocks), expected, "{html}");
        }
    }

    #[test]
    fn headings_rank_below_the_one_above() {
        for (rank, expected) in
            [(1, "<h2>a</h2><h4>b</h4>"), (2, "<h3>a</h3><h5>b</h5>"), (5, "<h6>a</h6><h6>b</h6>")]
        {
            let mut out = String::new();
            weave("<h1>a</h1><h3>b</h3>", (Place::Blocks, Rank(rank)), &mut Marks, &mut out).unwrap();
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn links_lead_inside_or_nowhere() {
        for (html, expected) in [
            ("<a href=\"in:12\">a</a>", "<a href=\"12.html\">a</a>"),
            ("<a href=\"in:&quot;onclick=&quot;x\">a</a>", "<a href=\"&quot;onclick=&quot;x.html\">a</a>"),
            (
                "<a href=\"https://x.org/?a&amp;b\">a</a>",
                "<span class=\"outside\" title=\"https://x.org/?a&amp;b\">a</span>",
            ),
            ("<a href=javascript:x()>a</a>", "<span class=\"outside\">a</span>"),
            ("<a>a</a>", "<span class=\"outside\">a</span>"),
            ("<a href=in:1>a<a href=in:2>b</a>c</a>d", "<a href=\"1.html\">ab</a>cd"),
        ] {
            assert_eq!(woven(html, Place::Blocks), expected, "{html}");
        }
    }

    #[test]
    fn lines_hold_no_blocks() {
        let html = "<p>a<b>b</b></p><p>\u{FDD0} <a href=in:1>c</a></p>";
        assert_eq!(woven(html, Place::Line), "a<b>b</b> [0] <a href=\"1.html\">c</a> ");
        assert_eq!(woven(html, Place::InLink).trim(), "a<b>b</b> [a0] c");
        assert_eq!(woven(html, Place::Plain).trim(), "ab [0] c");
    }

    #[test]
    fn deep_and_broken_text_takes_little_time() {
        for piece in
            ["<div>", "<a href=\"", "<script>", "<!--", "</", "<b", "&", "<ul><li>", "<table><tr><td>"]
        {
            let html = piece.repeat(100_000 / piece.len());
            let out = woven(&html, Place::Blocks);
            assert!(out.len() < 6 * html.len(), "{piece}");
        }
    }
}
