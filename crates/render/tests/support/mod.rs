//! A collection that was made to do harm, and a reader of pages that lets nothing pass.

#![allow(dead_code, reason = "each test uses a part of this")]

use store::{
    About, Collection, CollectionWriter, FormLook, FormMarks, FormNo, FormulaMarks, Id, IdKinds, LinkKind,
    NewComment, NewForm, NewFormula, NewLink, NewPost, Part, PostKind,
};
use testkit::TempDir;

/// What each payload would do if it ran: the title of the page says so.
const RUN: &str = "document.title='OWNED'";

/// Texts that were never cleaned. `RUN` stands for the script that would run.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>RUN</script>",
    "<SCRIPT/x>RUN</SCRIPT ><scr<script>ipt>RUN</scr</script>ipt>",
    "<img src=x onerror=RUN><image src=x onerror=RUN>",
    "<img src=\"x\" onerror=\"RUN\" alt='\u{FDD0}'>\u{FDD0}",
    "<p onmouseover=RUN onclick='RUN' style=\"position:fixed;inset:0;background:red\">all over the page</p>",
    "<a href=javascript:RUN>plain</a><a href=\"JaVaScRiPt:RUN\">capitals</a>",
    "<a href=\"java\tscript:RUN\">tab</a><a href=\"&#106;&#97;vascript&colon;RUN\">references</a>",
    "<a href=\" \u{1}javascript:RUN\">blank</a><a href='javascript://math.stackexchange.com/q/1%0aRUN'>host</a>",
    "<a href=\"data:text/html,<script>RUN</script>\">data</a><a href=\"vbscript:RUN\">vb</a>",
    "<a href=\"//example.org/\">no scheme</a><a href=\"https://example.org/\">out</a><a href=\"\\\\example.org\">back</a>",
    "<svg onload=RUN><script>RUN</script><a xlink:href=javascript:RUN><text>x</text></a></svg>",
    "<svg><style><img src=x onerror=RUN></style></svg><svg></p><style><a id=\"</style><img src=x onerror=RUN>\">",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x onerror=RUN&gt;\">",
    "<math><mi xlink:href=\"javascript:RUN\" href='javascript:RUN'>x</mi><annotation-xml encoding='text/html'><script>RUN</script></annotation-xml></math>",
    "<style>body{display:none}</style><style>@import url(http://example.org/x.css);*{background:url(x)}</style>",
    "</style><script>RUN</script></title><script>RUN</script></div></article></main></body></html><script>RUN</script>",
    "<iframe src=javascript:RUN></iframe><iframe srcdoc='<script>parent.RUN</script>'></iframe><frameset onload=RUN>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'><base href=https://example.org/><link rel=stylesheet href=x>",
    "<form action=https://example.org/><input autofocus onfocus=RUN><button formaction=javascript:RUN>x</button></form>",
    "<template><script>RUN</script></template><noscript><p title=\"</noscript><img src=x onerror=RUN>\">",
    "<object data=javascript:RUN></object><embed src=javascript:RUN><video><source onerror=RUN></video><audio src=x onerror=RUN>",
    "<textarea><script>RUN</script></textarea><xmp><script>RUN</script></xmp><plaintext><script>RUN</script>",
    "<details open ontoggle=RUN><summary>x</summary></details><marquee onstart=RUN>x</marquee><body onload=RUN>",
    "<!--><script>RUN</script>--><!-- --!><script>RUN</script> --><![CDATA[<script>RUN</script>]]><?x <script>RUN</script>?>",
    "<p title=\"a\u{FDD0}b\" class=hit id=formula-1 hidden>\u{FDD0}</p><span class=\"unseen\">hidden words</span>",
    "&lt;script&gt;RUN&lt;/script&gt; &amp;lt;script&amp;gt; &#60;script&#62;RUN&#60;/script&#62;",
    "<a href='https://math.stackexchange.com/q/1\"onclick=\"RUN'>quote</a><a href=\"/q/1#\" onclick=RUN>x</a>",
    "<b><i><u></b></u></i></p></td></tr></table></ol></section><li>li</li><td>td</td><h1>h</h1></h1><table><td><table></td>",
    "<<script>script>RUN<</script>/script>< script>RUN</ script><\u{0}script>RUN</script>",
];

/// LaTeX and MathML that were made to do harm.
pub(crate) const HOSTILE_FORMULAS: &[(&str, &str)] = &[
    (r"\text{<script>RUN</script>}", ""),
    (r"\href{javascript:RUN}{x} \url{javascript:RUN}", ""),
    (r#"\color{"onclick="RUN}x \class{hit}{y} \cssId{a"b}{z} \style{position:fixed}{w}"#, ""),
    (r"\unknown<img src=x onerror=RUN> </math></span><script>RUN</script>", ""),
    (r"\begin{array}{<script>}a\end{array} \operatorname{<b>} \bbox[url(x)]{x}", ""),
    (
        "",
        "<math><mtext><img src=x onerror=RUN></mtext><mi href=\"javascript:RUN\" onclick=\"RUN\" style=\"background:url(x)\">x</mi></math>",
    ),
    (
        "",
        "<math><mi>&lt;script&gt;RUN&lt;/script&gt;</mi><annotation-xml encoding=\"text/html\"><script>RUN</script></annotation-xml></math><script>RUN</script>",
    ),
    ("", "<script>RUN</script>"),
];

/// One thread: question 1, and an answer with a comment for each hostile text.
pub(crate) fn hostile_collection(name: &str) -> (Collection, TempDir) {
    let folder = TempDir::new(name);
    let path = folder.path().join("hostile");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).expect("the folder can be written");
    for (latex, mathml) in HOSTILE_FORMULAS {
        let (latex, mathml) = (armed(latex), armed(mathml));
        let presentation = (!mathml.is_empty()).then_some(mathml.as_str());
        writer
            .add_form(&NewForm { latex: &latex, presentation, ..NewForm::default() })
            .expect("a form is added");
    }
    let mut next = 0;
    let mut formulas = |text: &str, part| -> Vec<NewFormula<'static>> {
        let one = |_| {
            next += 1;
            let form = FormNo(next % u32::try_from(HOSTILE_FORMULAS.len()).expect("few"));
            let bits = if next % 2 == 0 { FormulaMarks::BLOCK } else { 0 };
            NewFormula { id: Id::Number(next.into()), form, marks: FormulaMarks::new(part, bits) }
        };
        text.matches('\u{FDD0}').map(one).collect()
    };
    let title = format!("Title <b>\u{FDD0}</b> {} &lt;i&gt;", armed(&HOSTILE[..6].concat()));
    let tags: Vec<String> = HOSTILE.iter().take(4).map(|tag| armed(tag)).collect();
    let owner = armed("\"><script>RUN</script>\u{202E}");
    let body = format!("<p>{}</p>", "\u{FDD0} ".repeat(HOSTILE_FORMULAS.len()));
    let mut post = NewPost {
        id: Id::Number(1),
        kind: PostKind::Question,
        parent: None,
        title: Some(&title),
        body: &body,
        tags: &tags,
        score: Some(1),
        date: None,
        owner: Some(&owner),
        views: None,
    };
    let both = [formulas(&title, Part::Title), formulas(&body, Part::Body)].concat();
    let question = writer.add_post(&post, &both).expect("a post is added");
    post.kind = PostKind::Answer;
    post.parent = Some("1");
    post.title = None;
    let mut answers = Vec::new();
    for (text, id) in HOSTILE.iter().zip(100..) {
        let body = armed(text);
        let post = NewPost { id: Id::Number(id), body: &body, owner: Some("3"), ..post };
        let formulas = formulas(&body, Part::Body);
        let answer = writer.add_post(&post, &formulas).expect("a post is added");
        writer.set_parent(answer, question);
        answers.push(answer);
    }
    let others = [(500, Some(armed(HOSTILE[0]) + "<b>Other \u{FDD0}"))];
    for (id, title) in &others {
        post = NewPost {
            id: Id::Number(*id),
            kind: PostKind::Question,
            parent: None,
            title: title.as_deref(),
            ..post
        };
        let formulas = formulas(title.as_deref().unwrap_or_default(), Part::Title);
        writer.add_post(&NewPost { body: "", ..post }, &formulas).expect("a post is added");
        let link =
            NewLink { from: Id::Number(*id), to: Id::Number(1), kind: LinkKind::Duplicate, date: None };
        writer.add_link(&link).expect("a link is added");
    }
    for ((text, answer), id) in HOSTILE.iter().zip(answers).zip(1..) {
        let text = armed(text);
        let comment = NewComment {
            id: Id::Number(id),
            post: answer,
            text: &text,
            score: None,
            date: None,
            owner: Some(&owner),
        };
        let formulas = formulas(&text, Part::Comment);
        writer.add_comment(&comment, &formulas).expect("a comment is added");
    }
    writer.add_user("3", &armed("<script>RUN</script><img src=x onerror=RUN>")).expect("a user is added");
    let look = |latex: &str, mathml: &str| FormLook {
        key: (latex.len() * 1000 + mathml.len()) as u128,
        marks: FormMarks(0),
    };
    writer.look_at_forms(|| look).expect("forms are read back");
    let about = About { program: "test".to_owned(), source: "arqmath".to_owned(), ..About::default() };
    writer.finish(about).expect("the collection is written");
    (Collection::open(&path).expect("the collection opens"), folder)
}

/// A text with the script that would run.
pub(crate) fn armed(text: &str) -> String {
    text.replace("RUN", RUN)
}

/// Elements that a page may have.
const ELEMENTS: &str = "html head meta title style body main header footer section article nav h1 h2 h3 h4 h5 h6 \
     p a br hr em strong b i u s sub sup del ins code kbd abbr span bdi time small pre blockquote div ul ol li dl dt dd \
     table thead tbody tr th td math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom \
     menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd";

/// Attributes that a page may have, beside those of MathML, which say nothing but lengths and names.
const ATTRIBUTES: &str = "lang charset http-equiv content name class id title href datetime aria-label aria-hidden \
     data-visual-id display alttext style mathvariant mathcolor mathbackground mathsize lspace rspace stretchy symmetric \
     largeop movablelimits accent accentunder form fence separator minsize maxsize linethickness width height depth \
     voffset columnalign rowalign columnspacing rowspacing columnlines rowlines frame displaystyle scriptlevel notation \
     columnspan rowspan bevelled";

/// Elements with their attributes, in order; complains about whatever is not plainly harmless.
pub(crate) fn check_page(page: &str) -> Result<Vec<String>, String> {
    let mut elements = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        // A strict reader: a tag has a lower-case name, and attributes are quoted and hold no angle.
        let end = rest.find('>').ok_or("a tag does not end")?;
        let inside = &rest[1..end];
        let around = &rest[..end + 1];
        rest = &rest[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("{around} closes nothing"));
            }
            continue;
        }
        let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let (name, mut attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        if !ELEMENTS.split_whitespace().any(|known| known == name) {
            return Err(format!("{around} is no known element"));
        }
        while !attributes.is_empty() {
            let (attribute, after) =
                attributes.split_once("=\"").ok_or(format!("{around} has odd attributes"))?;
            let (value, after) = after.split_once('"').ok_or(format!("{around} has an open quote"))?;
            if !ATTRIBUTES.split_whitespace().any(|known| known == attribute) {
                return Err(format!("{around} has the attribute {attribute}"));
            }
            let harmless = match attribute {
                "href" => is_inside(value),
                "style" => !["url", "fixed", "absolute", "&", "\\"].iter().any(|bad| value.contains(bad)),
                "http-equiv" => value == "Content-Security-Policy",
                "id" => {
                    ["post-", "comment-", "formula-"].iter().any(|start| value.starts_with(start))
                        || ["answers", "duplicates", "duplicate-of", "related"].contains(&value)
                }
                _ => true,
            };
            if !harmless || value.contains('<') {
                return Err(format!("{around}: {attribute} is not harmless"));
            }
            attributes = after.trim_start_matches(' ');
        }
        elements.push(name.to_owned());
        if name == "style" {
            let (css, after) = rest.split_once("</style>").ok_or("the style does not end")?;
            if css.contains("url(") || css.contains("@import") || css.contains('<') {
                return Err("the style loads something".to_owned());
            }
            rest = after;
        } else if closed && !name.starts_with('m') {
            // Only MathML has elements that end themselves.
            return Err(format!("{around} does not end itself"));
        } else if !closed && !["meta", "br", "hr"].contains(&name) {
            open.push(name);
        }
    }
    if elements.iter().filter(|name| *name == "style").count() != 1 || !open.is_empty() {
        return Err(format!("open at the end: {open:?}"));
    }
    Ok(elements)
}

/// Whether an address stays among our pages.
fn is_inside(address: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~=%/#".contains(c);
    !address.starts_with("//") && address.chars().all(plain)
}
