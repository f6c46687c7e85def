//! Identifiers of arXiv: in addresses and texts that cite a paper, and in names of files.
//!
//! Papers until March 2007 are called `archive/YYMMNNN`, such as `math/0301001`, perhaps with a subject class,
//! `math.AG/0301001`; later ones `YYMM.NNNN`, from 2015 on with five digits. A version, `v2`, may follow.
//! Versions and subject classes do not make another paper: [`ArxivId`] is without them.

use std::fmt;
use std::ops::Range;

/// The rule in words.
pub const RULE: &str = "\
A citation of an arXiv paper is an address on arxiv.org, ar5iv.org, xxx.lanl.gov or front.math.ucdavis.edu that \
ends in an identifier, `arXiv:` or `arXiv` before an identifier, or an identifier of the old form by itself, such as \
math/0301001 or math.AG/0301001. An identifier of the new form by itself, such as 0901.1234, is a number and not a \
citation. Versions (v2) and subject classes (.AG) do not count.";

/// The archives of the old form.
const ARCHIVES: [&str; 38] = [
    "acc-phys", "adap-org", "alg-geom", "ao-sci", "astro-ph", "atom-ph", "bayes-an", "chao-dyn", "chem-ph",
    "cmp-lg", "comp-gas", "cond-mat", "cs", "dg-ga", "econ", "eess", "funct-an", "gr-qc", "hep-ex",
    "hep-lat", "hep-ph", "hep-th", "math", "math-ph", "mtrl-th", "nlin", "nucl-ex", "nucl-th", "patt-sol",
    "physics", "plasm-ph", "q-alg", "q-bio", "q-fin", "quant-ph", "solv-int", "stat", "supr-con",
];

/// Hosts on which a path that ends in an identifier names a paper.
const HOSTS: [&str; 5] =
    ["arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "xxx.lanl.gov", "front.math.ucdavis.edu"];

/// Folders of these hosts before an identifier.
const FOLDERS: [&str; 9] = ["abs", "pdf", "ps", "html", "format", "e-print", "src", "dvi", "papers"];

/// The identifier of a paper, without version and subject class: `0901.1234` or `math/0301001`.
///
/// ```
/// use text::arxiv::ArxivId;
/// let of = |name: &str| ArxivId::of_name(name).map(|id| id.to_string());
/// assert_eq!(of("0901.1234v2").as_deref(), Some("0901.1234"));
/// assert_eq!(of("math.AG/0301001").as_deref(), Some("math/0301001"));
/// assert_eq!(of("math0301001").as_deref(), Some("math/0301001"));
/// assert_eq!(of("Fibonacci_number"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArxivId(String);

impl ArxivId {
    /// The identifier as arXiv writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The identifier that a name is: `0901.1234`, `math/0301001`, or as names of files have it without a slash,
    /// `math0301001`, `math_0301001`, `math-0301001`, `math.0301001`. Nothing may stand before or after it.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let found = new_form(name).or_else(|| old_form(name, Slash::Optional));
        found.filter(|found| found.length == name.len()).map(|found| found.id)
    }

    /// The identifier that the path of a file names, without its ending: its name, or seven digits below a folder
    /// that is called after their archive, as in `math/papers/0301001/0301001`.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let mut parts = path.split('/').rev();
        let name = parts.next()?;
        if let Some(id) = Self::of_name(name) {
            return Some(id);
        }
        let digits = seven_digits(name)?;
        if digits + version(&name[digits..]) != name.len() {
            return None;
        }
        let archive =
            parts.find_map(|part| ARCHIVES.into_iter().find(|known| part.eq_ignore_ascii_case(known)))?;
        Some(Self(format!("{archive}/{}", &name[..digits])))
    }
}

impl fmt::Display for ArxivId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A citation in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The paper.
    pub id: ArxivId,
    /// The bytes that name it: the identifier with what shows that it is one.
    pub range: Range<usize>,
}

/// All citations in a text or in HTML, in order, by [`RULE`]; in time linear in its length.
///
/// ```
/// use text::arxiv::citations;
/// let found = citations("See http://arxiv.org/abs/0901.1234v2 and [GS] = math.AG/0301001, not 0901.1234.");
/// let ids: Vec<&str> = found.iter().map(|citation| citation.id.as_str()).collect();
/// assert_eq!(ids, ["0901.1234", "math/0301001"]);
/// ```
#[must_use]
pub fn citations(text: &str) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // An identifier, or what leads to one, begins a word.
        let begins = at == 0 || !(is_word(bytes[at - 1]) || bytes[at - 1] == b'-');
        if !begins || !bytes[at].is_ascii_alphabetic() {
            at += 1;
            continue;
        }
        let rest = &text[at..];
        match address(rest).or_else(|| named(rest)).or_else(|| old_form(rest, Slash::Needed)) {
            Some(Found { id, length }) => {
                found.push(Citation { id, range: at..at + length });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// An identifier at the beginning of a text, and how many bytes name it.
struct Found {
    id: ArxivId,
    length: usize,
}

impl Found {
    fn after(self, before: usize) -> Self {
        Self { length: before + self.length, ..self }
    }
}

/// Whether a slash must part an archive from its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slash {
    Needed,
    Optional,
}

/// `arxiv.org/abs/0901.1234`, from the host on.
fn address(text: &str) -> Option<Found> {
    let host = HOSTS.into_iter().find(|host| {
        starts(text.as_bytes(), 0, host.as_bytes()) && text.as_bytes().get(host.len()) == Some(&b'/')
    })?;
    let mut at = host.len() + 1;
    if let Some(folder) = FOLDERS.into_iter().find(|folder| {
        starts(text.as_bytes(), at, folder.as_bytes())
            && text.as_bytes().get(at + folder.len()) == Some(&b'/')
    }) {
        at += folder.len() + 1;
    }
    // `abs/arXiv:0901.1234` is an address, too.
    let prefix = if starts(text.as_bytes(), at, b"arxiv:") { "arxiv:".len() } else { 0 };
    either_form(text.get(at + prefix..)?).map(|found| found.after(at + prefix))
}

/// `arXiv:0901.1234`, with or without colon and blanks; `arXiv.0901.1234` in addresses of DOIs.
fn named(text: &str) -> Option<Found> {
    let bytes = text.as_bytes();
    let mut at = starts(bytes, 0, b"arxiv").then_some("arxiv".len())?;
    // `arXiv e-print`, `arXiv preprint`
    for word in ["e-print", "eprint", "preprint"] {
        let blank = at + usize::from(bytes.get(at) == Some(&b' '));
        if blank > at && starts(bytes, blank, word.as_bytes()) {
            at = blank + word.len();
            break;
        }
    }
    if matches!(bytes.get(at), Some(b':' | b'.')) {
        at += 1;
    }
    if bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    if at == "arxiv".len() {
        return None;
    }
    either_form(text.get(at..)?).map(|found| found.after(at))
}

fn either_form(text: &str) -> Option<Found> {
    new_form(text).or_else(|| old_form(text, Slash::Needed))
}

/// `0901.1234v2`
fn new_form(text: &str) -> Option<Found> {
    let bytes = text.as_bytes();
    if !is_month(bytes.get(..4)?) || bytes.get(4) != Some(&b'.') {
        return None;
    }
    let digits = bytes[5..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(4..=5).contains(&digits) {
        return None;
    }
    ended(text, 5 + digits).map(|length| Found { id: ArxivId(text[..5 + digits].to_owned()), length })
}

/// `math.AG/0301001v2`
fn old_form(text: &str, slash: Slash) -> Option<Found> {
    let bytes = text.as_bytes();
    // The longest, since `math-ph` begins with `math`.
    let known = ARCHIVES.into_iter().filter(|archive| starts(bytes, 0, archive.as_bytes()));
    let archive = known.max_by_key(|archive| archive.len())?;
    let mut at = archive.len();
    let class = bytes.get(at) == Some(&b'.')
        && bytes.get(at + 1..at + 3).is_some_and(|class| class.iter().all(u8::is_ascii_alphabetic));
    if class {
        at += 3;
        // `cond-mat.stat-mech`
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    }
    at += match (bytes.get(at), slash) {
        (Some(b'/'), _) => 1,
        (Some(b'%'), _) if starts(bytes, at, b"%2f") => 3,
        (Some(b'_' | b'-' | b'.'), Slash::Optional) => 1,
        (Some(_), Slash::Optional) => 0,
        _ => return None,
    };
    let digits = seven_digits(text.get(at..)?)?;
    let id = ArxivId(format!("{archive}/{}", &text[at..at + digits]));
    ended(text, at + digits).map(|length| Found { id, length })
}

/// Seven digits of which the first four are a month: their number, 7.
fn seven_digits(text: &str) -> Option<usize> {
    let digits = text.as_bytes().get(..7)?;
    (is_month(&digits[..4]) && digits.iter().all(u8::is_ascii_digit)).then_some(7)
}

/// Whether four bytes are a year and a month.
fn is_month(bytes: &[u8]) -> bool {
    let digit = |at: usize| bytes.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    match (digit(0), digit(1), digit(2), digit(3)) {
        (Some(_), Some(_), Some(tens), Some(ones)) => (1..=12).contains(&(tens * 10 + ones)),
        _ => false,
    }
}

/// Where an identifier ends with its version; `None` if more letters or digits follow.
fn ended(text: &str, length: usize) -> Option<usize> {
    let length = length + version(&text[length..]);
    let rest = &text.as_bytes()[length..];
    // A file of a paper: `0901.1234.pdf`, `0901.1234v1.ps.gz`.
    let follows = rest.first().copied().is_some_and(is_word);
    let decimal = rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit);
    (!follows && !decimal).then_some(length)
}

/// The length of `v2` at the beginning of a text, or 0.
fn version(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !matches!(bytes.first(), Some(b'v' | b'V')) {
        return 0;
    }
    let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=3).contains(&digits) { 1 + digits } else { 0 }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether lower-case bytes stand at a place, whatever the case there.
fn starts(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = citations(text);
        let found: Vec<(&str, &str)> =
            found.iter().map(|found| (found.id.as_str(), &text[found.range.clone()])).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn addresses_that_end_in_an_identifier_are_citations() {
        for (text, id, shown) in [
            ("http://arxiv.org/abs/0901.1234", "0901.1234", "arxiv.org/abs/0901.1234"),
            ("https://www.arxiv.org/pdf/1501.00001v3.pdf", "1501.00001", "arxiv.org/pdf/1501.00001v3"),
            ("http://de.arxiv.org/abs/math.AG/0301001", "math/0301001", "arxiv.org/abs/math.AG/0301001"),
            ("http://arxiv.org/abs/math/0301001v1", "math/0301001", "arxiv.org/abs/math/0301001v1"),
            ("http://arxiv.org/abs/arXiv:0901.1234", "0901.1234", "arxiv.org/abs/arXiv:0901.1234"),
            ("http://xxx.lanl.gov/abs/hep-th/9711200", "hep-th/9711200", "xxx.lanl.gov/abs/hep-th/9711200"),
            ("http://front.math.ucdavis.edu/0901.1234", "0901.1234", "front.math.ucdavis.edu/0901.1234"),
            (
                "http://front.math.ucdavis.edu/math.QA/0301001",
                "math/0301001",
                "front.math.ucdavis.edu/math.QA/0301001",
            ),
            ("https://arxiv.org/abs/cond-mat.stat-mech/0301001", "cond-mat/0301001", ""),
            ("https://doi.org/10.48550/arXiv.0901.1234", "0901.1234", "arXiv.0901.1234"),
            ("http://arxiv.org/abs/math%2F0301001", "math/0301001", "arxiv.org/abs/math%2F0301001"),
            ("<a href=\"http://arxiv.org/abs/0901.1234\">here</a>", "0901.1234", "arxiv.org/abs/0901.1234"),
        ] {
            let found = citations(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].id.as_str(), id, "{text}");
            assert!(shown.is_empty() || &text[found[0].range.clone()] == shown, "{text}: {found:?}");
        }
    }

    #[test]
    fn identifiers_in_texts_are_citations() {
        check("see arXiv:0901.1234.", &[("0901.1234", "arXiv:0901.1234")]);
        check("(ArXiv: math/0301001v2)", &[("math/0301001", "ArXiv: math/0301001v2")]);
        check("arXiv 1501.00001, p. 3", &[("1501.00001", "arXiv 1501.00001")]);
        check("arXiv preprint arXiv:0704.0001", &[("0704.0001", "arXiv:0704.0001")]);
        check("arXiv e-print math-ph/0301001", &[("math-ph/0301001", "arXiv e-print math-ph/0301001")]);
        check(
            "math/0301001, math.AG/0301002",
            &[("math/0301001", "math/0301001"), ("math/0301002", "math.AG/0301002")],
        );
    }

    #[test]
    fn numbers_and_words_are_no_citations() {
        for text in [
            "",
            "0901.1234",
            "about 0901.1234 of them",
            "arXiv:0901.123",
            "arXiv:0901.123456",
            "arXiv:0913.1234",
            "arXiv:0900.1234",
            "arXiv0901.1234",
            "http://arxiv.org/list/math",
            "http://arxiv.org/abs/",
            "http://notarxiv.org/abs/0901.1234",
            "http://not-arxiv.org/abs/0901.1234",
            "http://arxiv.org.example.org/abs/0901.1234",
            "math/03010011",
            "math/0313001",
            "aftermath/0301001",
            "math0301001",
            "arXiv:0901.1234.5",
            "arxiv",
            "arXiv:",
            "ärxiv:0901.1234é",
        ] {
            assert_eq!(citations(text), [], "{text}");
        }
    }

    #[test]
    fn files_are_named_by_identifiers() {
        for (path, expected) in [
            ("0901/0901.1234", Some("0901.1234")),
            ("0901.1234v2", Some("0901.1234")),
            ("math0301001", Some("math/0301001")),
            ("math_0301001", Some("math/0301001")),
            ("papers/math.AG_0301001", Some("math/0301001")),
            ("hep-th-9711200", Some("hep-th/9711200")),
            ("math/0301001", Some("math/0301001")),
            ("MREC/math/papers/0301001/0301001", Some("math/0301001")),
            ("hep-th/0301/0301001v3", Some("hep-th/0301001")),
            ("0301001", None),
            ("notes/0301001", None),
            ("0710.3032_1_22", None),
            ("f024345", None),
            ("math/0313001", None),
            ("math/0301001x", None),
            ("", None),
            ("math/", None),
        ] {
            let found = ArxivId::of_path(path);
            assert_eq!(found.as_ref().map(ArxivId::as_str), expected, "{path}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for piece in ["arxiv.org/abs/", "math/", "arXiv: ", "math.AG/030100", "a"] {
            assert_eq!(citations(&piece.repeat(400_000 / piece.len())), []);
        }
    }
}
