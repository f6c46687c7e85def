//! The report as one page that loads nothing and runs nothing.
//!
//! Charts bring their style with them; it is the same for all, so the page
//! has it once.

use super::{Block, CompactTable, Fold, Overview, Section};
use figures::table::Table;
use figures::{markup, page};
use std::fmt::Write as _;

impl Overview {
    /// The report as one HTML page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut page = Page::default();
        for section in &self.sections {
            page.section(section, 2);
        }
        let title = markup(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>{}{STYLE}{}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{title}</h1>\n",
            page::STYLE,
            page.chart_style
        );
        for paragraph in &self.lead {
            out.push_str(&format!("<p>{}</p>\n", markup(paragraph)));
        }
        out.push_str("</header>\n");
        if self.sections.len() > 1 {
            out.push_str("<nav class=\"contents\" aria-label=\"Contents\">\n");
            contents(&self.sections, &mut out);
            out.push_str("</nav>\n");
        }
        out.push_str(&page.body);
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }
}

/// The sections and their parts as nested lists.
fn contents(sections: &[Section], out: &mut String) {
    out.push_str("<ol>\n");
    for section in sections {
        out.push_str(&format!("<li><a href=\"#{}\">{}</a>", section.id, markup(&section.title)));
        if !section.parts.is_empty() {
            out.push('\n');
            contents(&section.parts, out);
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
}

#[derive(Default)]
struct Page {
    body: String,
    /// The style of the charts, if there are any.
    chart_style: String,
    num_tables: usize,
    num_charts: usize,
}

impl Page {
    fn section(&mut self, section: &Section, level: usize) {
        let (id, title) = (&section.id, markup(&section.title));
        self.push(format_args!("<section id=\"{id}\">\n<h{level}>{title}</h{level}>\n"));
        for block in &section.blocks {
            self.block(block);
        }
        for part in &section.parts {
            self.section(part, (level + 1).min(6));
        }
        self.body.push_str("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(text) => self.push(format_args!("<p>{}</p>\n", markup(text))),
            Block::Facts(facts) => {
                self.body.push_str("<dl class=\"facts\">\n");
                for fact in facts {
                    let (name, value) = (markup(&fact.name), markup(&fact.value));
                    self.push(format_args!("<dt>{name}</dt><dd>{value}</dd>\n"));
                }
                self.body.push_str("</dl>\n");
            }
            Block::Table { name, table } => {
                self.num_tables += 1;
                let caption = markup(&table.caption.join(" "));
                let number = self.num_tables;
                self.push(format_args!(
                    "<figure id=\"table-{name}\"><figcaption class=\"above\">Table {number}. {caption}</figcaption>\n"
                ));
                // What is wider than the screen is scrolled, so it can be reached by keyboard too.
                self.push(format_args!("<div class=\"wide\" tabindex=\"0\">\n"));
                // Long lines above or below would stretch a narrow table.
                let bare = Table { caption: Vec::new(), footnotes: Vec::new(), ..table.clone() };
                self.body.push_str(&bare.to_html());
                self.body.push_str("</div>\n");
                for line in &table.footnotes {
                    self.push(format_args!("<p class=\"below\">{}</p>\n", markup(line)));
                }
                self.body.push_str("</figure>\n");
            }
            Block::Charts { charts, caption } => self.charts(charts, caption),
            Block::Jumps(places) => {
                self.body.push_str("<p class=\"jumps\">");
                for (id, text) in places {
                    self.push(format_args!("<a href=\"#{id}\">{}</a> ", markup(text)));
                }
                self.body.push_str("</p>\n");
            }
            Block::Fold(fold) => self.fold(fold),
        }
    }

    fn charts(&mut self, charts: &[String], caption: &str) {
        self.num_charts += 1;
        let class = if charts.len() > 1 { "wide several" } else { "wide" };
        self.push(format_args!("<figure><div class=\"{class}\" tabindex=\"0\">\n"));
        for svg in charts {
            let parts = svg.split_once("<style>");
            match parts.and_then(|(head, rest)| Some((head, rest.split_once("</style>\n")?))) {
                Some((head, (style, rest))) => {
                    if self.chart_style.is_empty() {
                        self.chart_style = style.to_owned();
                    }
                    self.body.push_str(head);
                    self.body.push_str(rest);
                }
                None => self.body.push_str(svg),
            }
        }
        let (number, caption) = (self.num_charts, markup(caption));
        self.push(format_args!("</div><figcaption>Figure {number}. {caption}</figcaption></figure>\n"));
    }

    fn fold(&mut self, fold: &Fold) {
        self.push(format_args!("<details><summary>{}</summary>\n", markup(&fold.summary)));
        // The address stands inside, so that a browser that goes there opens it.
        self.push(format_args!("<div id=\"{}\" class=\"topic\">\n", fold.id));
        for line in &fold.lines {
            self.push(format_args!("<p>{}</p>\n", markup(line)));
        }
        if let Some(table) = &fold.table {
            self.compact(table);
        }
        self.body.push_str("</div>\n</details>\n");
    }

    /// Cells and rows end by themselves in HTML.
    fn compact(&mut self, table: &CompactTable) {
        self.body.push_str("<div class=\"wide\" tabindex=\"0\"><table class=\"compact\"><thead><tr>");
        for column in &table.columns {
            self.push(format_args!("<th scope=\"col\">{}", markup(column)));
        }
        self.body.push_str("<tbody>\n");
        for (name, cells) in &table.rows {
            self.push(format_args!("<tr><th>{}", markup(name)));
            for cell in cells {
                self.push(format_args!("<td>{}", markup(cell)));
            }
            self.body.push('\n');
        }
        self.body.push_str("</table></div>\n");
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        self.body.write_fmt(text).expect("strings take all that is written");
    }
}

const STYLE: &str = "
main{max-width:76rem}
h1{font-size:1.9rem}
h2{font-size:1.4rem;margin:3.2rem 0 .6rem;padding-top:.8rem;border-top:1px solid var(--rule)}
h3{font-size:1.15rem;line-height:1.3;margin:2.2rem 0 .5rem}
h4{font-size:1rem;margin:1.6rem 0 .4rem}
p{max-width:46rem;margin:.55rem 0}
header p{color:var(--soft)}
figure{margin:1.2rem 0}
.contents>ol{columns:20rem;margin:1.2rem 0}
.contents>ol>li{break-inside:avoid;margin-bottom:.3rem}
.contents ol ol{columns:auto;padding-left:1.1rem;margin:0;list-style:none;font-size:.92rem}
figcaption.above{color:inherit;font-size:1rem;margin:0 0 .4rem;max-width:60rem}
.below{color:var(--soft);font-size:.85rem;margin:.25rem 0;max-width:56rem}
.results thead th{padding-right:1.1rem}
.results td.left{white-space:normal;max-width:38rem}
.results tbody tr:hover{background:color-mix(in srgb,var(--rule) 45%,transparent)}
.wide>table.results{margin-right:.5rem}
.several{display:flex;flex-wrap:wrap;gap:.5rem}.several svg{flex:0 1 23rem;width:23rem}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.6rem 0;font-size:.92rem}
.facts dt{color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}
.jumps{max-width:none;line-height:1.9;font-variant-numeric:tabular-nums}
.jumps a{margin-right:.45rem;white-space:nowrap}
details{border-bottom:1px solid var(--rule)}
summary{cursor:pointer;padding:.3rem 0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.topic{padding:.1rem 0 1rem 1.1rem}
.topic p{font-size:.92rem}
.compact{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;margin:.6rem 0}
.compact th{text-align:left;font-weight:400;padding:.06rem 1.2rem .06rem 0;white-space:nowrap}
.compact thead th{font-weight:600;border-bottom:1px solid}
.compact th:not(:first-child),.compact td{text-align:right;padding:.06rem .3rem .06rem .9rem}
.compact tbody tr:hover{background:color-mix(in srgb,var(--rule) 45%,transparent)}
@media (max-width:40rem){.results tbody tr:not(.section) th.left{position:sticky;left:0;background:var(--paper);min-width:7.5rem;max-width:9.5rem;white-space:normal;overflow-wrap:anywhere}.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.4rem}.results th,.results td{padding-right:.7rem}}
@media print{
body{font-size:10pt}main{max-width:none;padding:0}
.wide{overflow:visible}.wide svg{max-width:100%;height:auto}
table.results{font-size:7.5pt}.results th,.results td{padding:.05rem .5rem .05rem .15rem}
h2,h3,h4{break-after:avoid}figure,tr{break-inside:avoid}figure:has(table){break-inside:auto}
thead{display:table-header-group}a{color:inherit;text-decoration:none}.jumps{display:none}
}
";
