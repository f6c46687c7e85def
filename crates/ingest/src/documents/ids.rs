//! What is a page called?
//!
//! A page is named by its path below the folder or archive that is read,
//! without the ending: `notes/week1` for `notes/week1.md`. Where several pages
//! would get one id, such as `a.md` and `a.html`, all of them keep their
//! endings. A page with MathML is named by its file alone, `0710.3032_1_22`
//! or `Fibonacci_number`, as collections of such pages do, unless another page
//! has that name in another folder. Where the name is the number of a paper
//! within an archive of arXiv, as in MREC, the archive's folder belongs to it:
//! `math/0301001` for `math/papers/0301001/0301001.xhtml`.

use std::collections::{BTreeMap, BTreeSet};

use super::page::Kind;
use text::arxiv::ArxivId;

/// The ids that a page may get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageId {
    /// Its path, without the ending unless that is needed.
    pub path: String,
    /// The name of its file without ending and folders, but for the archive of a number of arXiv, if no other page
    /// has it.
    pub stem: Option<String>,
}

impl PageId {
    /// The ids of a page that stands alone.
    #[must_use]
    pub fn alone(path: &str) -> Self {
        Self { path: Kind::without_ending(path).to_owned(), stem: Some(stem(path)) }
    }
}

/// The ids of pages, given the paths of all of them; no two are the same unless two paths are.
#[must_use]
pub fn page_ids(paths: &[&str]) -> Vec<PageId> {
    let whole: BTreeSet<&str> = paths.iter().copied().collect();
    let mut shorts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut stems: BTreeMap<String, usize> = BTreeMap::new();
    for path in paths {
        *shorts.entry(Kind::without_ending(path)).or_default() += 1;
        *stems.entry(stem(path)).or_default() += 1;
    }
    let id = |path: &&str| {
        let (short, stem) = (Kind::without_ending(path), stem(path));
        // What is short for one may be the whole of another: `a.md` beside `a.md.html`.
        let alone = shorts[short] == 1 && !whole.contains(short);
        PageId {
            path: if alone { short } else { path }.to_owned(),
            stem: (stems[&stem] == 1 && !whole.contains(stem.as_str())).then_some(stem),
        }
    };
    paths.iter().map(id).collect()
}

/// The name of a file without ending and folders, but for the archive of a number of arXiv.
fn stem(path: &str) -> String {
    let short = Kind::without_ending(path);
    let name = short.rsplit('/').next().unwrap_or(short);
    // A name that says all by itself is kept as it is.
    let archive = match ArxivId::of_name(name) {
        Some(_) => None,
        None => ArxivId::of_path(short),
    };
    // A version, if there is one, follows the number.
    archive.map_or_else(|| name.to_owned(), |id| format!("{id}{}", name.get(7..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{PageId, page_ids};

    #[test]
    fn ids_are_short_where_they_can_be() {
        let paths = [
            "a.md",
            "a.html",
            "b/a.tex",
            "a.md.html",
            "0710/0710.3032_1_22.xhtml",
            "x/Ring.html",
            "y/Ring.htm",
            "UP.HTML",
        ];
        let expected = [
            ("a.md", None),
            ("a.html", None),
            ("b/a", None),
            ("a.md.html", None),
            ("0710/0710.3032_1_22", Some("0710.3032_1_22")),
            ("x/Ring", None),
            ("y/Ring", None),
            ("UP", Some("UP")),
        ];
        let expected =
            expected.map(|(path, stem)| PageId { path: path.to_owned(), stem: stem.map(str::to_owned) });
        assert_eq!(page_ids(&paths), expected);
        assert_eq!(PageId::alone("0710/0710.3032_1_22.xhtml"), expected[4]);
    }

    #[test]
    fn documents_of_mrec_are_named_by_their_arxiv_identifiers() {
        let paths = [
            "math/papers/0301001/0301001.xhtml",
            "hep-th/papers/0301001/0301001v2.xhtml",
            "0901/0901.1234.xhtml",
            "math/0301002.xhtml",
            "alg-geom9205001.xhtml",
            "other/0301002.xhtml",
        ];
        let stems: Vec<Option<String>> = page_ids(&paths).into_iter().map(|id| id.stem).collect();
        let expected =
            ["math/0301001", "hep-th/0301001v2", "0901.1234", "math/0301002", "alg-geom9205001", "0301002"];
        assert_eq!(stems, expected.map(|stem| Some(stem.to_owned())));
    }
}
