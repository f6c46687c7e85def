//! Small collections with dates, scores and duplicate links.

use store::{
    About, Collection, CollectionWriter, Date, FormLook, FormMarks, FormNo, FormulaMarks, Id, IdKinds,
    LinkKind, NewComment, NewForm, NewFormula, NewLink, NewPost, Part, PostKind,
};
use testkit::TempDir;

/// A question; formulas stand between dollars in title and body.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) id: u64,
    pub(crate) date: Option<&'static str>,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) score: Option<i32>,
    pub(crate) views: Option<u32>,
    pub(crate) tag: &'static str,
    /// How many comments are on it.
    pub(crate) comments: u64,
}

impl Ask {
    pub(crate) fn new(id: u64, date: &'static str, title: &str, body: &str) -> Self {
        Self {
            id,
            date: Some(date),
            title: title.to_owned(),
            body: body.to_owned(),
            score: Some(5),
            views: Some(300),
            tag: "calculus",
            comments: 0,
        }
    }
}

/// A collection in a folder that goes when it is dropped.
pub(crate) struct Shelf {
    pub(crate) collection: Collection,
    _folder: TempDir,
}

pub(crate) const OLD: &str = "2015-06-01";
pub(crate) const NEW: &str = "2021-03-04T05:06:07";

impl Shelf {
    pub(crate) fn build(name: &str, questions: &[Ask], links: &[(u64, u64, LinkKind)]) -> Self {
        let folder = TempDir::new(name);
        let path = folder.path().join("shelf");
        let mut writer = CollectionWriter::create(&path, IdKinds::default()).unwrap();
        let mut forms: Vec<String> = Vec::new();
        let mut next = 1;
        for ask in questions {
            let mut formulas = Vec::new();
            let mut take = |text: &str, part: Part| {
                let mut out = String::new();
                for (at, piece) in text.split('$').enumerate() {
                    if at % 2 == 0 {
                        out.push_str(piece);
                        continue;
                    }
                    out.push('\u{FDD0}');
                    let form = forms.iter().position(|form| form == piece).unwrap_or_else(|| {
                        let form = NewForm { latex: piece, visual: Some(next), ..NewForm::default() };
                        writer.add_form(&form).unwrap();
                        forms.push(piece.to_owned());
                        forms.len() - 1
                    });
                    formulas.push(NewFormula {
                        id: Id::Number(next),
                        form: FormNo(form as u32),
                        marks: FormulaMarks::new(part, 0),
                    });
                    next += 1;
                }
                out
            };
            let title = take(&ask.title, Part::Title);
            let body = take(&ask.body, Part::Body);
            let post = NewPost {
                id: Id::Number(ask.id),
                kind: PostKind::Question,
                parent: None,
                title: Some(&title),
                body: &body,
                tags: &[ask.tag.to_owned()],
                score: ask.score,
                date: ask.date.and_then(Date::parse),
                owner: None,
                views: ask.views,
            };
            writer.add_post(&post, &formulas).unwrap();
        }
        if let Some(first) = questions.first() {
            let parent = first.id.to_string();
            let post = NewPost {
                id: Id::Number(9999),
                kind: PostKind::Answer,
                parent: Some(&parent),
                title: None,
                body: "<p>Yes.</p>",
                tags: &[],
                score: None,
                date: None,
                owner: None,
                views: None,
            };
            let answer = writer.add_post(&post, &[]).unwrap();
            writer.set_parent(answer, store::PostNo(0));
        }
        for (at, ask) in questions.iter().enumerate() {
            for number in 0..ask.comments {
                let comment = NewComment {
                    id: Id::Number(ask.id * 100 + number),
                    post: store::PostNo(at as u32),
                    text: "Well asked.",
                    score: None,
                    date: None,
                    owner: None,
                };
                writer.add_comment(&comment, &[]).unwrap();
            }
        }
        for (from, to, kind) in links {
            let link = NewLink { from: Id::Number(*from), to: Id::Number(*to), kind: *kind, date: None };
            writer.add_link(&link).unwrap();
        }
        let look = |latex: &str, _: &str| FormLook { key: latex.len() as u128, marks: FormMarks(0) };
        writer.look_at_forms(|| look).unwrap();
        let about = About { program: "test".to_owned(), source: "test".to_owned(), ..About::default() };
        writer.finish(about).unwrap();
        Self { collection: Collection::open(&path).unwrap(), _folder: folder }
    }

    fn olds() -> Vec<Ask> {
        let old = |id, title: &str| Ask::new(id, OLD, title, "<p>An old question about $x$ here.</p>");
        vec![old(1, "Gauss"), old(2, "Sets"), old(3, "Groups"), old(4, "Roots"), old(5, "Primes")]
    }

    /// Five old questions, and later ones for every way to fall.
    pub(crate) fn one(name: &str) -> Self {
        let mut asks = Self::olds();
        let gauss = r"$\int_{-\infty}^\infty e^{-x^2} dx$";
        asks.push(Ask::new(
            100,
            NEW,
            "Evaluating the Gaussian integral over the line",
            &format!("<p>How do I compute the integral {gauss} in closed form?</p>"),
        ));
        asks.push(Ask::new(
            101,
            NEW,
            "What does a union of sets mean?",
            "<p>I do not understand the definition of $A \\cup B$ as it stands in my book of set theory.</p>",
        ));
        let mut ask = Ask::new(
            102,
            NEW,
            "Groups of prime order",
            "<p>Prove that every group $G$ with $|G|=p$ elements is cyclic. Also, show that $a&lt;b$ is not needed.</p>",
        );
        (ask.tag, ask.views) = ("group-theory", None);
        asks.push(ask);
        asks.push(Ask::new(
            103,
            NEW,
            r"Is $\sqrt{2+\sqrt{3}}$ an algebraic number of degree four?",
            "<p>I would like to determine its minimal polynomial over $\\mathbb{Q}$ by hand.</p>",
        ));
        // No formula; no duplicate; only a related question; too short; too many formulas; a low score.
        asks.push(Ask::new(104, NEW, "No formula at all here", "<p>Nothing to see in this one.</p>"));
        asks.push(Ask::new(105, NEW, "No duplicate of it", "<p>What is the sum $1+1$ in this ring?</p>"));
        asks.push(Ask::new(106, NEW, "Only a related one", "<p>What is the sum $1+2$ in this ring?</p>"));
        asks.push(Ask::new(107, NEW, "$x$", "<p>$y$?</p>"));
        asks.push(Ask::new(108, NEW, "Far too many formulas in it", &"<p>$z+1$</p>".repeat(60)));
        let mut ask =
            Ask::new(109, NEW, "Nobody liked this question", "<p>Why is $1=2$ wrong, they asked.</p>");
        ask.score = Some(-3);
        asks.push(ask);
        // Nearly the question 100; the duplicate of 101.
        asks.push(Ask::new(
            110,
            NEW,
            "Evaluating the Gaussian integral over the real line",
            &format!("<p>How do I compute the integral {gauss} in closed form, please?</p>"),
        ));
        asks.push(Ask::new(
            111,
            NEW,
            "How to count the subsets of a finite set",
            "<p>Find the number of subsets of $S$ when it has $n$ elements in all, and explain why.</p>",
        ));
        // A later question that is a duplicate of a later one only.
        asks.push(Ask::new(112, NEW, "Points to later ones", "<p>A later question about $q+r$ in here.</p>"));
        let mut links: Vec<(u64, u64, LinkKind)> = [
            (100, 1),
            (101, 2),
            (3, 102),
            (103, 4),
            (104, 1),
            (107, 1),
            (108, 1),
            (109, 1),
            (110, 5),
            (111, 2),
            (105, 777),
            (112, 105),
        ]
        .map(|(from, to)| (from, to, LinkKind::Duplicate))
        .to_vec();
        links.push((106, 1, LinkKind::Related));
        Self::build(name, &asks, &links)
    }

    /// The old questions alone; one of them has a link to a question outside.
    pub(crate) fn old(name: &str) -> Self {
        Self::build(name, &Self::olds(), &[(502, 3, LinkKind::Duplicate), (1, 2, LinkKind::Duplicate)])
    }

    /// Questions of a later dump.
    pub(crate) fn later(name: &str) -> Self {
        let ask = |id, title: &str| Ask::new(id, NEW, title, "<p>A later question about $x+y$ in here.</p>");
        let asks = [ask(500, "One"), ask(501, "Two"), ask(502, "Three"), ask(503, "Four"), ask(2, "Sets")];
        let links = [(500, 1), (2, 501), (503, 888), (502, 503)];
        Self::build(name, &asks, &links.map(|(from, to)| (from, to, LinkKind::Duplicate)))
    }

    /// One old question for each of many later ones, which differ in all ways.
    pub(crate) fn many(name: &str, count: u64) -> Self {
        let mut asks = Vec::new();
        let mut links = Vec::new();
        for id in 0..count {
            asks.push(Ask::new(1000 + id, OLD, "Old", "<p>An old question.</p>"));
            let ask = ["Prove that", "Compute the value", "What is the meaning"][id as usize % 3];
            let formula =
                ["x+K", r"x_K^2+\frac{1}{K}", r"\sum_{k=K}^\infty\frac{\sqrt{k^2+K}}{(k+1)^3}=\int_0^1 f^K"]
                    [id as usize / 3 % 3]
                    .replace('K', &id.to_string());
            let words: String = (0..20).map(|word| format!("w{id}x{word} ")).collect();
            let mut ask =
                Ask::new(2000 + id, NEW, &format!("{ask} of it"), &format!("<p>{words} ${formula}$</p>"));
            ask.tag = ["arithmetic", "group-theory", "schemes"][id as usize / 9 % 3];
            links.push((2000 + id, 1000 + id, LinkKind::Duplicate));
            asks.push(ask);
        }
        Self::build(name, &asks, &links)
    }
}
