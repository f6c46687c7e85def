//! A page that shows charts and tables with headings, in one file.

use crate::escape::markup;
use crate::table::Table;

/// A self-contained page: it loads nothing, runs nothing, and follows the
/// reader's choice of light or dark.
///
/// ```
/// use figures::page::{Body, Page, Section};
///
/// let page = Page {
///     title: "Our runs".into(),
///     lead: vec!["Made-up values.".into()],
///     sections: vec![Section {
///         heading: "nDCG' by system".into(),
///         caption: "Whiskers are 95% intervals.".into(),
///         body: Body::Chart(figures::chart::Dots::default().to_svg()),
///     }],
/// };
/// assert!(page.to_html().starts_with("<!DOCTYPE html>"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The page's title and first heading.
    pub title: String,
    /// Paragraphs under the title.
    pub lead: Vec<String>,
    /// What the page shows, top to bottom.
    pub sections: Vec<Section>,
}

/// A chart or table with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// What stands above; also in the list of contents.
    pub heading: String,
    /// What stands below.
    pub caption: String,
    /// The chart or table.
    pub body: Body,
}

/// What a section shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// SVG text from one of the charts. It is put into the page as it is, so it
    /// must not come from elsewhere.
    Chart(String),
    /// A table.
    Table(Table),
}

impl Page {
    /// The page as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let title = markup(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.lead {
            out.push_str(&format!("<p>{}</p>\n", markup(paragraph)));
        }
        if self.sections.len() > 1 {
            out.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
            for (index, section) in self.sections.iter().enumerate() {
                let number = index + 1;
                out.push_str(&format!("<li><a href=\"#s{number}\">{}</a></li>\n", markup(&section.heading)));
            }
            out.push_str("</ol>\n</nav>\n");
        }
        for (index, section) in self.sections.iter().enumerate() {
            let number = index + 1;
            out.push_str(&format!("<section id=\"s{number}\">\n<h2>{}</h2>\n", markup(&section.heading)));
            // What is wider than a phone is scrolled, so it can be reached by keyboard too.
            out.push_str("<figure>\n<div class=\"wide\" tabindex=\"0\">\n");
            match &section.body {
                Body::Chart(svg) => out.push_str(svg),
                Body::Table(table) => out.push_str(&table.to_html()),
            }
            out.push_str("</div>\n");
            if !section.caption.is_empty() {
                out.push_str(&format!("<figcaption>{}</figcaption>\n", markup(&section.caption)));
            }
            out.push_str("</figure>\n</section>\n");
        }
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }
}

/// How a page looks, and the tables in it: for pages with another layout that
/// shall look alike.
pub const STYLE: &str = "
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2127;--soft:#59636e;--rule:#dfe3e8;--link:#1f5fa8}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e4e8ec;--soft:#a3adb8;--rule:#323a43;--link:#6fb0f2}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main{max-width:68rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.15rem;line-height:1.3;margin:2.5rem 0 .5rem}
a{color:var(--link)}
nav ol{columns:18rem;padding-left:1.5rem;margin:.5rem 0}
figure{margin:0}
figcaption{color:var(--soft);font-size:.9rem;max-width:44rem;margin-top:.25rem}
.wide{overflow-x:auto}
.wide svg{display:block;height:auto;max-width:max(100%,50rem)}
table.results{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;border-top:2px solid;border-bottom:2px solid}
.results caption{text-align:left;margin-bottom:.4rem}
.results th,.results td{padding:.12rem 1.1rem .12rem .3rem;font-weight:400;white-space:nowrap}
.results thead th{font-weight:600;vertical-align:bottom}
.results thead th[scope=colgroup]{border-bottom:1px solid var(--soft);text-align:center}
.results tbody:first-of-type{border-top:1px solid}
.results tbody+tbody{border-top:1px solid var(--rule)}
.results .section th{text-align:left;font-style:italic;padding-top:.5rem}
.results .member th{padding-left:1.4rem}
.results .left{text-align:left}.results .right{text-align:right}.results .centre{text-align:center}
.results strong{font-weight:700}.results .dim{color:var(--soft)}
.results sup{line-height:0;font-size:.75em}
.results .right sup{display:inline-block;width:0}
.results tfoot td{border-top:1px solid;color:var(--soft);white-space:normal;text-align:left;padding-top:.3rem}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_written_by_people_is_escaped() {
        let section = Section {
            heading: "<script>".into(),
            caption: "a & b".into(),
            body: Body::Table(Table { caption: vec!["<b>".into()], ..Table::default() }),
        };
        let page = Page {
            title: "\"T\"".into(),
            lead: vec!["<i>".into()],
            sections: vec![section.clone(), section],
        };
        let html = page.to_html();
        for bad in ["<script>", "<b>", "<i>", "a & b"] {
            assert!(!html.contains(bad), "{bad}");
        }
        assert_eq!(html.matches("&lt;script&gt;").count(), 4);
    }
}
