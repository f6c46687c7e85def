//! What people published: documents, dumps, formula tables, and the archives they come in.

use super::text_or_refuse;
use crate::Outcome;
use crate::scratch::Scratch;
use crate::small::build;
use ingest::documents::{self, DocumentInput, Format, Item};
use ingest::files::{Input, list, read_each};
use ingest::{BuildError, Dirt, Plan, Record, Strictness, Watch};
use markup::{Cleaned, Cleaner, Dollars, Markup, expand, markers, text};
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use store::Collection;
use text::arxiv::{self, ArxivId};

const ALLOWED: &str = " p br hr em strong b i u s sub sup del ins code pre kbd blockquote ul ol li dl dt dd h1 h2 h3 h4 \
                       h5 h6 table thead tbody tr th td a span div abbr ";

/// Texts in all four kinds of markup: only tags of the list come out, every formula has its marker, and cleaned
/// text is clean. The first byte says which kind it is and whether dollars mean formulas.
pub fn document(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    let source = text_or_refuse!(rest);
    let markup = [Markup::Html, Markup::Markdown, Markup::Latex, Markup::Text][usize::from(kind % 4)];
    let dollars = match kind & 12 {
        0 | 8 => Dollars::Math,
        4 => Dollars::Text,
        _ => Dollars::Stray,
    };
    let mut cleaner = Cleaner::new();
    let cleaned = cleaner.clean(source, markup, dollars);
    check_cleaned(&cleaned);
    let again = cleaner.clean(&whole(&cleaned), Markup::Html, Dollars::Text);
    assert_eq!(again.html, cleaned.html);
    assert_eq!(again.formulas.len(), cleaned.formulas.len());
    assert_eq!(cleaner.clean(source, markup, dollars), cleaned, "buffers are not what was read before");
    Outcome::Read
}

/// Every `<` starts a tag of the list, without attributes but for a link's, and every formula has a marker.
fn check_cleaned(cleaned: &Cleaned) {
    assert_eq!(markers(&cleaned.html), cleaned.formulas.len());
    for rest in cleaned.html.split('<').skip(1) {
        let (tag, _) = rest.split_once('>').expect("tags end");
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ALLOWED.contains(&format!(" {name} ")), "{tag}");
        let value = attributes.strip_prefix("href=\"").and_then(|rest| rest.strip_suffix('"'));
        let link = value.is_some_and(|value| {
            let address = value.to_ascii_lowercase();
            let scheme = ["http:", "https:", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
            !value.contains('"') && (scheme || !address.contains(':'))
        });
        assert!(attributes.is_empty() || (name == "a" && link), "{tag}");
    }
    let words = text(&cleaned.html, |_, out| out.push('F'));
    assert!(!words.contains('<') || cleaned.html.contains("&lt;"));
}

/// The HTML with its formulas in spans again.
fn whole(cleaned: &Cleaned) -> String {
    expand(&cleaned.html, |k, out| {
        let latex = cleaned.formulas[k].latex.replace('&', "&amp;").replace('<', "&lt;");
        out.push_str(&format!("<span class=\"math-container\">\\(x{latex}\\)</span>"));
    })
}

/// Pages and threads of any bytes: a record or a reason, with a line that the file has. The first byte says
/// what the file is called.
pub fn page(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    match kind % 4 {
        0 => read_documents(Format::Page, "a.html", rest),
        1 => read_documents(Format::Page, "a.md", rest),
        2 => read_documents(Format::Page, "a.tex", rest),
        _ => read_documents(Format::Threads, "a.md", rest),
    }
}

/// Citations of arXiv papers in texts of any kind: they lie in the text in order, an identifier is the name of its own
/// paper, and what is found is found again by itself.
pub fn citations(bytes: &[u8]) -> Outcome {
    let source = text_or_refuse!(bytes);
    let found = arxiv::citations(source);
    assert!(found.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "{found:?}");
    for citation in &found {
        let id = citation.id.as_str();
        assert_eq!(ArxivId::of_name(id).as_ref(), Some(&citation.id), "{id}");
        let cited = arxiv::citations(&source[citation.range.clone()]);
        assert!(cited.len() == 1 && cited[0].id == citation.id, "{cited:?} of {citation:?}");
    }
    for path in source.split_whitespace() {
        if let Some(id) = ArxivId::of_path(path) {
            assert_eq!(ArxivId::of_name(id.as_str()), Some(id), "{path}");
        }
    }
    if found.is_empty() { Outcome::Refused } else { Outcome::Read }
}

/// Lines of JSON of any bytes: a record or a reason for each, with a line that the file has.
pub fn jsonl(bytes: &[u8]) -> Outcome {
    let _ = documents::format_of("a", bytes);
    read_documents(Format::Jsonl, "a.jsonl", bytes)
}

fn read_documents(format: Format, path: &str, bytes: &[u8]) -> Outcome {
    let input = DocumentInput { file: 3, path, page_id: None };
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let mut outcome = Outcome::Refused;
    let mut cleaner = Cleaner::new();
    let mut items = 0;
    let mut sink = |item: Item| {
        items += 1;
        let at = match &item {
            Item::Dirt(dirt) => {
                assert!(dirt.detail.chars().count() <= Dirt::QUOTED + 1 && !dirt.detail.contains('\n'));
                dirt.at
            }
            Item::Record(record) => {
                outcome = Outcome::Read;
                match record {
                    Record::Post(post) => {
                        check_cleaned(&cleaner.clean(&post.body, post.markup, Dollars::Math));
                        post.at
                    }
                    Record::Comment(comment) => comment.at,
                    Record::Link(link) => link.at,
                    Record::User(user) => user.at,
                }
            }
        };
        assert!(at.file == 3 && (1..=lines).contains(&at.line), "{at:?} of {lines} lines");
        ControlFlow::Continue(())
    };
    documents::read(format, &input, &mut &*bytes, &mut sink).expect("bytes in memory can be read");
    // One document cannot become more than it has bytes.
    assert!(items <= bytes.len() * 4 + 8, "{items} items of {} bytes", bytes.len());
    outcome
}

thread_local! {
    static DUMP: Scratch = Scratch::new("dump");
    static ARCHIVE: Scratch = Scratch::new("archive");
}

/// The files of a dump that an input may hold, each after a line `%% NAME`.
const FILES: [&str; 7] = [
    "Posts.xml",
    "Comments.xml",
    "PostLinks.xml",
    "Users.xml",
    "latex_representation_v3/1.tsv",
    "slt_representation_v3/1.tsv",
    "opt_representation_v3/1.tsv",
];

/// Dumps of any bytes: a collection comes of them that is whole, or a reason.
pub fn dump(bytes: &[u8]) -> Outcome {
    let mut files = FILES.map(|file| (file, None::<Vec<u8>>));
    // A dump has posts, if none are in them.
    files[0].1 = Some(Vec::new());
    let mut current = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let name = line.strip_prefix(b"%% ").map(<[u8]>::trim_ascii);
        if let Some(file) = FILES.iter().position(|file| name == Some(file.as_bytes())) {
            current = file;
        } else {
            files[current].1.get_or_insert_default().extend_from_slice(line);
        }
    }
    let given = files.into_iter().filter_map(|(name, text)| text.map(|text| (name, text)));
    build_dump(&given.collect::<Vec<_>>())
}

const POSTS: &[u8] = br#"<posts>
<row Id="1" PostTypeId="1" Title="What is &lt;span class=&quot;math-container&quot; id=&quot;1&quot;&gt;$x^2$&lt;/span&gt;?" Body="&lt;p&gt;&lt;span class=&quot;math-container&quot; id=&quot;2&quot;&gt;$y$&lt;/span&gt;&lt;/p&gt;" />
<row Id="2" PostTypeId="2" ParentId="1" Body="&lt;span class=&quot;math-container&quot; id=&quot;3&quot;&gt;$z_1$&lt;/span&gt;" />
</posts>
"#;

/// Formula tables of any bytes beside a small dump. The first byte says which of the tables it is; a LaTeX table
/// of one row stands beside the two others.
pub fn formula_table(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    let table = FILES[4 + usize::from(kind % 3)];
    let mut files = vec![(FILES[0], POSTS.to_vec()), (table, rest.to_vec())];
    if table != FILES[4] {
        let latex = "id\tpost_id\tthread_id\ttype\tvisual_id\tformula\n1\t1\t1\ttitle\t7\tx^2\n";
        files.push((FILES[4], latex.as_bytes().to_vec()));
    }
    build_dump(&files)
}

/// Places of dirt are in the file that they name.
struct Lines<'f>(&'f [(&'f str, Vec<u8>)]);

impl Watch for Lines<'_> {
    fn dirt(&mut self, file: &str, dirt: &Dirt) -> io::Result<()> {
        let text = self.0.iter().find(|(name, _)| file.ends_with(name)).map(|(_, text)| text);
        let text = text.unwrap_or_else(|| panic!("dirt of a file that was not given: {file}"));
        let lines = text.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        assert!(dirt.at.line <= lines, "{dirt:?} in a file of {lines} lines");
        Ok(())
    }
}

fn build_dump(files: &[(&str, Vec<u8>)]) -> Outcome {
    DUMP.with(|scratch| {
        let source = scratch.path().join("dump");
        let _ = std::fs::remove_dir_all(&source);
        for (name, text) in files {
            let path = source.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&source))
                .expect("a folder in the scratch folder");
            std::fs::write(path, text).expect("a file in the scratch folder");
        }
        let target = scratch.path().join("collection");
        let plan = match Plan::of(&source) {
            Ok(plan) => plan,
            Err(BuildError::Nothing(_)) => return Outcome::Refused,
            Err(error) => panic!("{error}"),
        };
        let done = AtomicU64::new(0);
        ingest::build(&plan, &target, Strictness::KeepGoing, &done, &mut Lines(files))
            .unwrap_or_else(|error| panic!("dirt is no error: {error}"));
        assert_eq!(done.load(Ordering::Relaxed), plan.packed_size());
        let collection = Collection::open(&target).expect("what was built can be opened");
        check_collection(&collection);
        if collection.num_posts() > 0 { Outcome::Read } else { Outcome::Refused }
    })
}

/// A collection that was built just now is whole and fits together.
fn check_collection(collection: &Collection) {
    collection.check().expect("a collection that was just built is whole");
    let mut reader = collection.reader();
    for number in collection.posts() {
        let post = reader.post(number).expect("a post that was just written");
        assert_eq!(collection.find_post(&post.id.to_string()), Some(number));
        let title = post.title.as_deref().map_or(0, markers);
        assert_eq!(collection.formulas_of_post(number).len(), title + markers(&post.body));
        for answer in collection.answers(number) {
            assert_eq!(collection.post_facts(answer).parent, Some(number));
        }
    }
    for number in collection.comments() {
        let comment = reader.comment(number).expect("a comment that was just written");
        assert!(comment.post.0 < collection.num_posts());
        assert_eq!(collection.formulas_of_comment(number).len(), markers(&comment.text));
    }
    for formula in collection.formulas() {
        let form = collection.formula_form(formula);
        reader.latex(form).expect("the LaTeX of a formula that was just written");
        reader.stray(formula).expect("the place of a formula that was just written");
        assert!(collection.form_visual(form).0 < collection.num_visuals());
    }
    for link in collection.links() {
        reader.link(link).expect("a link that was just written");
    }
}

/// An archive is not unpacked further than this.
const UNPACKED: usize = 1 << 20;

/// Archives of any bytes: members have harmless names, damage is an error, and progress reaches its end.
pub fn archive(bytes: &[u8]) -> Outcome {
    ARCHIVE.with(|scratch| {
        let path = scratch.write("a.packed", bytes);
        let inputs = list(&path).expect("a file that was just written can be listed");
        for input in &inputs {
            check_name(input.relative(), &path);
            check_name(input.plain_name(), &path);
        }
        let done = AtomicU64::new(0);
        let mut left = UNPACKED;
        let failed = read_each(&inputs, &done, &mut |_, reader| unpack(reader, &mut left));
        assert!(failed.iter().all(|(number, _)| *number < inputs.len()));
        let sum: u64 = inputs.iter().map(Input::packed_size).fold(0, u64::saturating_add);
        assert_eq!(done.load(Ordering::Relaxed), sum);
        // A collection comes of what is in it, or a reason.
        if left > 0 {
            let _ = build(&path, &scratch.path().join("collection"));
        }
        if failed.is_empty() && !inputs.is_empty() { Outcome::Read } else { Outcome::Refused }
    })
}

/// Names of members lead nowhere and do nothing to a terminal.
fn check_name(name: &str, path: &Path) {
    assert!(!name.chars().any(char::is_control), "{name:?} in {}", path.display());
    assert!(!name.starts_with('/') && name.split('/').all(|part| part != ".."), "{name:?}");
}

fn unpack(reader: &mut dyn BufRead, left: &mut usize) -> io::Result<()> {
    loop {
        let length = reader.fill_buf()?.len();
        if length == 0 || *left == 0 {
            return Ok(());
        }
        *left = left.saturating_sub(length);
        reader.consume(length);
    }
}
