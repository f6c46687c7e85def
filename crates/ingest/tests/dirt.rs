//! A damaged dump: every kind of dirt once, each told once, and nothing else lost.
use ingest::{BuildError, Dirt, DirtKind, Plan, Strictness, Unwatched, Watch};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use store::{About, Collection};
use testkit::TempDir;

/// The files of a dump, row by row.
#[derive(Clone, Default)]
struct Dump {
    posts: Vec<String>,
    comments: Vec<String>,
    links: Vec<String>,
    users: Vec<String>,
    latex: Vec<String>,
    slt: Vec<String>,
    /// What stands after the last user, instead of the end of the file.
    users_end: &'static str,
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn span(id: &str, latex: &str) -> String {
    format!("<span class=\"math-container\" id=\"{id}\">${latex}$</span>")
}

impl Dump {
    fn clean() -> Self {
        let mut dump = Self { users_end: "</users>\n", ..Self::default() };
        for thread in 1..=6 {
            let (q, a) = (thread * 10, thread * 10 + 1);
            let (f1, f2, f3) = (thread * 100, thread * 100 + 1, thread * 100 + 2);
            dump.question(q, &format!("<p>What is {}?</p>", span(&f1.to_string(), &format!("x^{thread}"))));
            dump.answer(a, q, &format!("<p>It is {}.</p>", span(&f2.to_string(), &format!("y_{thread}+1"))));
            let text = format!("Why {}?", span(&f3.to_string(), &format!("n>{thread}")));
            let row = format!("Id=\"{thread}\" PostId=\"{a}\" Score=\"2\" Text=\"{}\"", escape(&text));
            dump.comments.push(format!("<row {row} />"));
            dump.row(f1, q, "question", "", &format!("x^{thread}"));
            dump.row(f2, a, "answer", "", &format!("y_{thread}+1"));
            dump.row(f3, a, "comment", &thread.to_string(), &format!("n>{thread}"));
            dump.users.push(format!("<row Id=\"{thread}\" DisplayName=\"user {thread}\" />"));
        }
        dump.link(20, 10, 3);
        dump.link(30, 10, 1);
        dump
    }

    fn post(&mut self, attributes: &str, body: &str) {
        self.posts.push(format!("<row {attributes} Body=\"{}\" />", escape(body)));
    }

    fn question(&mut self, id: u32, body: &str) {
        let date = "CreationDate=\"2015-01-02T03:04:05.678\"";
        let tags = "Tags=\"&lt;algebra&gt;&lt;limits&gt;\"";
        self.post(
            &format!("Id=\"{id}\" PostTypeId=\"1\" Score=\"3\" {date} Title=\"About {id}\" {tags}"),
            body,
        );
    }

    fn answer(&mut self, id: u32, parent: u32, body: &str) {
        self.post(&format!("Id=\"{id}\" PostTypeId=\"2\" ParentId=\"{parent}\""), body);
    }

    fn link(&mut self, from: u32, to: u32, kind: u32) {
        let row = format!("PostId=\"{from}\" RelatedPostId=\"{to}\" LinkTypeId=\"{kind}\"");
        self.links.push(format!("<row Id=\"{}\" {row} />", self.links.len()));
    }

    fn row(&mut self, id: u32, post: u32, kind: &str, comment: &str, latex: &str) {
        let visual = xx(latex);
        self.latex.push(format!("{id}\t{post}\t{post}\t{kind}\t{comment}\t{visual}\t\t{visual}\t{latex}"));
        let mathml = format!("<math><mi>{}</mi></math>", escape(latex));
        self.slt.push(format!("{id}\t{post}\t{post}\t{kind}\t{comment}\t{visual}\t\t{visual}\t{mathml}"));
    }

    fn write(&self, folder: &Path) {
        let file = |name: &str, rows: &[String], end: &str| {
            let root = name.to_lowercase();
            let text = format!("<?xml version=\"1.0\"?>\n<{root}>\n  {}\n{end}", rows.join("\n  "));
            fs::write(folder.join(format!("{name}.xml")), text.replace("BAD-BYTES", "\u{FFFF}")).unwrap();
        };
        file("Posts", &self.posts, "</posts>\n");
        file("Comments", &self.comments, "</comments>\n");
        file("PostLinks", &self.links, "</postlinks>\n");
        file("Users", &self.users, self.users_end);
        let header = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tissue\tvisual_id\tformula\n";
        for (name, rows) in [("latex", &self.latex), ("slt", &self.slt)] {
            let text = format!("{header}{}\n", rows.join("\n"));
            fs::write(folder.join(format!("{name}_representation.tsv")), text).unwrap();
        }
    }
}

/// A visual id for LaTeX.
fn xx(latex: &str) -> u64 {
    latex.bytes().fold(7, |hash, byte| (hash * 31 + u64::from(byte)) % 1_000_003)
}

#[derive(Default)]
struct Collect(Vec<(String, Dirt)>);

impl Watch for Collect {
    fn dirt(&mut self, file: &str, dirt: &Dirt) -> std::io::Result<()> {
        let name = Path::new(file).file_name().unwrap().to_string_lossy().into_owned();
        self.0.push((name, dirt.clone()));
        Ok(())
    }
}

fn build(folder: &Path, strictness: Strictness) -> Result<(About, Collect), BuildError> {
    let mut collect = Collect::default();
    let plan = Plan::of(&folder.join("dump"))?;
    let about = ingest::build(&plan, &folder.join("c"), strictness, &AtomicU64::new(0), &mut collect)?;
    Ok((about, collect))
}

/// Posts, comments and formulas by their ids, as text.
fn contents(path: &Path) -> BTreeMap<String, String> {
    let collection = Collection::open(path).unwrap();
    collection.check().unwrap();
    let mut reader = collection.reader();
    let mut contents = BTreeMap::new();
    for post in collection.posts() {
        let post = reader.post(post).unwrap();
        let parent = post.facts.parent.map(|parent| collection.post_id(parent).to_string());
        let value =
            format!("{:?} {parent:?} {:?} {:?} {:?}", post.facts.kind, post.title, post.body, post.tags);
        contents.insert(format!("post {}", post.id), value);
    }
    for comment in collection.comments() {
        let comment = reader.comment(comment).unwrap();
        contents.insert(format!("comment {}", comment.id), format!("{:?} {}", comment.score, comment.text));
    }
    for formula in collection.formulas() {
        let form = collection.formula_form(formula);
        let marks = collection.formula_marks(formula);
        let post = collection.formula_post(formula).map(|post| collection.post_id(post).to_string());
        let visual = collection.visual_id(collection.form_visual(form));
        let latex = reader.latex(form).unwrap().to_owned();
        let mathml = reader.presentation(form).unwrap();
        let value = format!("{} {post:?} {visual} {latex} {mathml}", marks.part());
        contents.insert(format!("formula {}", collection.formula_id(formula)), value);
    }
    contents
}

#[test]
fn a_clean_dump_has_no_dirt() {
    let folder = TempDir::new("ingest-clean");
    fs::create_dir(folder.path().join("dump")).unwrap();
    Dump::clean().write(&folder.path().join("dump"));
    let (about, collect) = build(folder.path(), Strictness::Strict).unwrap();
    assert_eq!(collect.0, []);
    let counts = about.counts;
    assert_eq!(
        (counts.questions, counts.answers, counts.comments, counts.links, counts.users),
        (6, 6, 6, 2, 6)
    );
    assert_eq!((counts.formulas, counts.in_questions, counts.in_answers, counts.in_comments), (18, 6, 6, 6));
}

/// Each kind of dirt once. The number is that of the post, comment or formula it is made with.
fn damaged() -> Dump {
    let mut dump = Dump::clean();
    let long = format!("<p>{}</p>", "many words ".repeat(420_000));
    dump.posts.insert(1, "<wiki Id=\"1\"/>".to_owned());
    dump.posts.insert(3, "<row Id=\"900\" PostTypeId=\"1\" Title=\"broken />".to_owned());
    dump.post("PostTypeId=\"1\" Title=\"no id\"", "x");
    dump.post("Id=\"abc\" PostTypeId=\"1\" Title=\"bad id\"", "x");
    dump.question(10, "<p>a second post 10</p>");
    dump.post("Id=\"901\" Title=\"no kind\"", "x");
    dump.post("Id=\"902\" PostTypeId=\"5\" Title=\"a tag's page\"", "x");
    dump.post("Id=\"903\" PostTypeId=\"1\" Title=\"twice\" Score=\"1\" Score=\"2\"", "x");
    dump.post("Id=\"904\" PostTypeId=\"1\" Title=\"bad score\" Score=\"many\"", "x");
    dump.post("Id=\"905\" PostTypeId=\"1\" Title=\"bad date\" CreationDate=\"yesterday\"", "x");
    dump.post("Id=\"906\" PostTypeId=\"1\"", "no title");
    dump.posts.push("<row Id=\"907\" PostTypeId=\"1\" Title=\"no body\" />".to_owned());
    dump.post("Id=\"908\" PostTypeId=\"1\" Title=\"bad tags\" Tags=\"algebra, limits\"", "x");
    dump.post("Id=\"909\" PostTypeId=\"1\" Title=\"BAD-BYTES\"", "x");
    dump.post("Id=\"910\" PostTypeId=\"2\"", "no parent");
    dump.answer(911, 99_999, "no question");
    dump.answer(912, 11, "an answer to an answer");
    dump.post("Id=\"913\" PostTypeId=\"1\" Title=\"bad accepted\" AcceptedAnswerId=\"11\"", "x");
    dump.question(914, &long);
    dump.users_end = "<row Id=\"7\" Displ";
    dump.users.push("<row Id=\"1\" DisplayName=\"again\" />".to_owned());
    dump.comments.push("<row Id=\"1\" PostId=\"11\" Text=\"again\" />".to_owned());
    dump.comments.push("<row Id=\"900\" PostId=\"99999\" Text=\"about nothing\" />".to_owned());
    dump.link(20, 99_999, 1);
    dump.link(40, 40, 1);
    dump.link(20, 10, 3);
    dump.link(20, 30, 2);

    // Formulas in texts.
    let f = |id: u32, latex: &str| span(&id.to_string(), latex);
    dump.question(920, "<p>open <span class=\"math-container\" id=\"9200\">$q_0$</p><p>next</p>");
    dump.row(9200, 920, "question", "", "q_0");
    dump.question(921, "<p>stray</span> end</p>");
    let inner = "<span class=\"math-container\">q_2</span>";
    dump.question(922, &format!("<p><span class=\"math-container\" id=\"9220\">$p + {inner}$</span></p>"));
    dump.row(9220, 922, "question", "", "p + q_2");
    dump.question(923, "<p><span class=\"math-container\">$q_3$</span></p>");
    dump.question(924, "<p><span class=\"math-container\" id=\"nine\">$q_4$</span></p>");
    dump.question(925, "<p>bare $q_5 = 1$ here</p>");
    dump.question(926, "<p>empty <span class=\"math-container\" id=\"9260\">$$</span></p>");
    dump.row(9260, 926, "question", "", "");
    dump.question(927, &format!("<p>di{}n't</p>", f(9270, "d")));
    dump.row(9270, 927, "question", "", "d");
    dump.question(928, &format!("<p>{}</p>", f(9280, "q_8 &amp;lt; 1")));
    dump.row(9280, 928, "question", "", "q_8 < 1");
    dump.question(929, &format!("<p>{}</p>", f(9290, "q_9<em>+</em>1")));
    dump.row(9290, 929, "question", "", "q_9+1");
    dump.question(930, "<p onclick=\"x()\">unsafe</p>");
    dump.question(931, "<p><math><mi>x</mi></p>");
    // The formula tables.
    dump.latex.insert(2, "9320\ttoo few".to_owned());
    let again = dump.latex[0].clone();
    dump.latex.push(again);
    dump.question(933, &format!("<p>{}</p>", f(9330, "r_3")));
    dump.latex.push("9330\t933\t933\tquestion\t\t\t\tnone at all\tr_3".to_owned());
    dump.question(934, &format!("<p>{}</p>", f(9340, "r_4")));
    dump.row(9340, 934, "body", "", "r_4");
    dump.slt.retain(|row| !row.contains("\tbody\t"));
    dump.slt.push("9350\t10\t10\tquestion\t\t\t\t5\t<math/>".to_owned());
    dump.question(936, &format!("<p>{}</p>", f(9360, "r_6")));
    dump.row(9360, 936, "question", "", "r_6");
    let last = dump.slt.last_mut().unwrap();
    *last = last.replace(&xx("r_6").to_string(), "4");
    dump.row(9370, 937, "question", "", "r_7");
    dump.question(938, &format!("<p>{}</p>", f(9380, "r_8")));
    dump.question(939, &format!("<p>{}</p>", f(9390, "r_9")));
    dump.question(940, &format!("<p>{}</p>", f(9390, "r_9")));
    dump.row(9390, 939, "question", "", "r_9");
    dump.question(941, &format!("<p>{}</p>", f(9410, "s_1")));
    dump.row(9410, 942, "question", "", "s_1");
    dump.question(943, &format!("<p>{}</p>", f(9430, "s_3")));
    dump.row(9430, 943, "question", "", "s_{33}");
    dump.question(944, &format!("<p>{}</p>", f(9440, r"\frac{s_4")));
    dump.row(9440, 944, "question", "", r"\frac{s_4");
    dump
}

#[test]
fn each_kind_of_dirt_is_told_once_and_nothing_else_is_lost() {
    let folder = TempDir::new("ingest-dirt");
    let dump = folder.path().join("dump");
    fs::create_dir(&dump).unwrap();
    Dump::clean().write(&dump);
    build(folder.path(), Strictness::Strict).unwrap();
    let clean = contents(&folder.path().join("c"));

    damaged().write(&dump);
    // Bytes that are no UTF-8, a packed file that ends too soon, and a file of no known kind.
    let posts = fs::read(dump.join("Posts.xml")).unwrap();
    let at = posts.windows(3).position(|bytes| bytes == "\u{FFFF}".as_bytes()).unwrap();
    fs::write(dump.join("Posts.xml"), [&posts[..at], b"\xFF", &posts[at + 3..]].concat()).unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(b"<votes>\n<row Id=\"1\" PostId=\"10\" VoteTypeId=\"2\" />\n</votes>").unwrap();
    let packed = packer.finish().unwrap();
    fs::write(dump.join("Votes.xml.gz"), &packed[..packed.len() - 6]).unwrap();
    fs::write(dump.join("notes.pdf"), "%PDF").unwrap();

    let (about, collect) = build(folder.path(), Strictness::KeepGoing).unwrap();
    let mut told: BTreeMap<DirtKind, Vec<String>> = BTreeMap::new();
    for (file, dirt) in &collect.0 {
        told.entry(dirt.kind)
            .or_default()
            .push(format!("{file}:{} {} {}", dirt.at.line, dirt.about, dirt.detail));
    }
    // A formula in mark-up that is taken out is put elsewhere by the cleaner only where HTML says so,
    // which no small text shows; the cleaner's own tests do.
    let expected: Vec<DirtKind> =
        DirtKind::ALL.iter().copied().filter(|kind| *kind != DirtKind::LostFormula).collect();
    for kind in &expected {
        let places = told.remove(kind).unwrap_or_default();
        assert_eq!(places.len(), 1, "{}: {places:#?}", kind.name());
    }
    assert!(told.is_empty(), "{told:#?}");
    assert!(expected.len() >= 40);
    let noted: u64 = about.dirt.iter().map(|note| note.count).sum();
    assert_eq!(noted, expected.len() as u64);

    let after = contents(&folder.path().join("c"));
    for (id, value) in &clean {
        assert_eq!(after.get(id), Some(value), "{id}");
    }
    // What is kept or mended is there, what is skipped is not.
    for id in ["post 903", "post 904", "post 905", "post 906", "post 907", "post 908", "post 909", "post 910"]
    {
        assert!(after.contains_key(id), "{id}");
    }
    for id in ["post 900", "post 901", "post 902", "comment 900", "formula 9350"] {
        assert!(!after.contains_key(id), "{id}");
    }
    assert!(after["formula 9200"].contains("q_0"));
    assert!(after["formula 9370"].starts_with("nowhere None"));
    assert!(after["formula 9280"].contains("q_8 < 1"));
}

/// Formulas that lack spans, damaged ones, and LaTeX in texts: what is stored of a post.
#[test]
fn formulas_without_spans_stand_among_the_others_with_ids_of_ours() {
    let folder = TempDir::new("ingest-bare");
    let dump = folder.path().join("dump");
    fs::create_dir(&dump).unwrap();
    let mut files = Dump::clean();
    let (first, last) = (span("9001", "u_1"), span("9002", "u_2"));
    let environment = r"\begin{eqnarray}a&amp;=&amp;b\\c&amp;&lt;&amp;d\end{eqnarray}";
    files.question(900, &format!("<p>By {first}: {environment} and $v$ for $5, {last}, \\textbf{{so}}.</p>"));
    files.row(9001, 900, "question", "", "u_1");
    files.row(9002, 900, "question", "", "u_2");
    // A table that says of a formula what a converter made of it.
    let damaged = r"\begin{aligned}w&\displaystyle amp;=1\end{aligned}";
    files.answer(901, 900, &format!("<p>{}</p>", span("9003", &escape(damaged))));
    files.row(9003, 901, "answer", "", damaged);
    let text = escape(r"\frac{p}{q}=r");
    files.comments.push(format!("<row Id=\"90\" PostId=\"900\" Text=\"{text}\" />"));
    files.write(&dump);
    let (about, collect) = build(folder.path(), Strictness::KeepGoing).unwrap();
    let told = |kind| collect.0.iter().filter(|(_, dirt)| dirt.kind == kind).count();
    assert_eq!((told(DirtKind::BareFormula), told(DirtKind::EscapedTwice), collect.0.len()), (3, 1, 4));
    assert_eq!(about.counts.formulas, 18 + 6);

    let collection = Collection::open(&folder.path().join("c")).unwrap();
    let mut reader = collection.reader();
    let mut formulas = |range: std::ops::Range<u32>| -> Vec<(String, String)> {
        range
            .map(store::FormulaNo)
            .map(|formula| {
                let latex = reader.latex(collection.formula_form(formula)).unwrap().to_owned();
                (collection.formula_id(formula).to_string(), latex)
            })
            .collect()
    };
    let pair = |id: &str, latex: &str| (id.to_owned(), latex.to_owned());
    let question = collection.find_post("900").unwrap();
    assert_eq!(
        formulas(collection.formulas_of_post(question)),
        [
            pair("9001", "u_1"),
            pair("1000000001", r"\begin{eqnarray}a&=&b\\c&<&d\end{eqnarray}"),
            pair("1000000002", "v"),
            pair("9002", "u_2"),
        ]
    );
    let without_span = collection
        .formulas_of_post(question)
        .map(|formula| collection.formula_marks(store::FormulaNo(formula)).has(store::FormulaMarks::WRAPPED));
    assert_eq!(without_span.collect::<Vec<_>>(), [false, true, true, false]);
    let answer = collection.find_post("901").unwrap();
    assert_eq!(
        formulas(collection.formulas_of_post(answer)),
        [pair("9003", r"\begin{aligned}w&\displaystyle =1\end{aligned}")]
    );
    let comment = collection.comments().last().unwrap();
    assert_eq!(formulas(collection.formulas_of_comment(comment)), [pair("1000000003", r"\frac{p}{q}=r")]);
    let body = collection.reader().post(question).unwrap().body;
    let words = markup::text(&body, |_, out| out.push('F'));
    assert_eq!(words, "By F: F and F for $5, F, so.");
}

#[test]
fn a_strict_build_stops_at_the_first_dirt_and_leaves_what_was_there() {
    let folder = TempDir::new("ingest-strict");
    let dump = folder.path().join("dump");
    fs::create_dir(&dump).unwrap();
    Dump::clean().write(&dump);
    build(folder.path(), Strictness::Strict).unwrap();
    let before = fs::read(folder.path().join("c")).unwrap();
    let mut damaged = Dump::clean();
    damaged.answer(911, 99_999, "no question");
    damaged.write(&dump);
    let error = build(folder.path(), Strictness::Strict).err().unwrap().to_string();
    assert!(error.contains("Posts.xml:15: orphan-answer: answer to 99999"), "{error}");
    assert_eq!(fs::read(folder.path().join("c")).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
}

#[test]
fn rows_in_any_order_and_packing_give_the_same_contents() {
    let folder = TempDir::new("ingest-order");
    let dump = folder.path().join("dump");
    fs::create_dir(&dump).unwrap();
    let mut files = Dump::clean();
    files.write(&dump);
    build(folder.path(), Strictness::Strict).unwrap();
    let first = contents(&folder.path().join("c"));
    for rows in [&mut files.posts, &mut files.comments, &mut files.latex, &mut files.slt] {
        rows.reverse();
    }
    files.write(&dump);
    let posts = fs::read(dump.join("Posts.xml")).unwrap();
    fs::write(dump.join("Posts.V1.3.xml.zst"), zstd::encode_all(&*posts, 3).unwrap()).unwrap();
    fs::remove_file(dump.join("Posts.xml")).unwrap();
    // A table as a folder of numbered files.
    let table = fs::read_to_string(dump.join("latex_representation.tsv")).unwrap();
    let (header, rows) = table.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    fs::create_dir(dump.join("latex_representation_v3")).unwrap();
    for (number, rows) in rows.chunks(5).enumerate() {
        let text = format!("{header}\r\n{}\r\n", rows.join("\r\n"));
        fs::write(dump.join(format!("latex_representation_v3/{}.tsv", number + 1)), text).unwrap();
    }
    fs::remove_file(dump.join("latex_representation.tsv")).unwrap();
    let plan = Plan::of(&dump).unwrap();
    let target = folder.path().join("c");
    ingest::build(&plan, &target, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched).unwrap();
    assert_eq!(contents(&target), first);
}
