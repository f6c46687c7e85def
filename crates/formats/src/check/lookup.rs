//! What is known of the collection, for rules about posts and formulas.

use crate::delimited::{Delimiter, Header, Quoting, Records};
use crate::error::Error;
use crate::ids::DocId;
use crate::source::Source;
use std::borrow::Cow;
use std::collections::HashMap;

/// What a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PostKind {
    /// A question, its title included.
    Question,
    /// An answer.
    Answer,
    /// A comment.
    Comment,
    /// There is no such post.
    Missing,
    /// Nothing is known of it.
    Unknown,
}

/// Where a formula stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPlace<'a> {
    /// The post.
    pub post: Cow<'a, str>,
    /// What the post is; a formula in a comment carries the post commented on.
    pub kind: PostKind,
}

/// Answers questions about a collection.
pub trait CollectionLookup {
    /// What a post is: whether an answer.
    fn is_answer(&self, post: DocId<'_>) -> PostKind;

    /// Where a formula stands, if it is in the collection.
    fn formula_place(&self, formula: DocId<'_>) -> Option<FormulaPlace<'_>>;
}

/// The lab's tables of formulas, by their columns `id`, `post_id` and `type`.
///
/// Posts without formulas are not in them, so that nothing is known of those.
/// Tables are read piece by piece; a formula takes some 50 bytes.
///
/// ```
/// use formats::check::{CollectionLookup, FormulaTable, PostKind};
/// use formats::{DocId, Source};
/// let mut table = FormulaTable::default();
/// table.read(Source::bytes("formulas.tsv", "id\tpost_id\ttype\tformula\n7\t99\tanswer\tx^2\n"))?;
/// assert_eq!(table.formula_place(DocId("7")).expect("known").post, "99");
/// assert_eq!(table.is_answer(DocId("99")), PostKind::Answer);
/// # Ok::<(), formats::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FormulaTable {
    formulas: HashMap<u64, (u64, PostKind)>,
    posts: HashMap<u64, PostKind>,
}

impl FormulaTable {
    /// Adds the formulas of a table. Rows whose ids are no numbers are left out and counted.
    ///
    /// # Errors
    ///
    /// When the table cannot be read or lacks one of the columns.
    pub fn read(&mut self, source: Source<'_>) -> Result<usize, Error> {
        let name = source.name().to_owned();
        let mut records = Records::new(&name, source.open()?, Delimiter::Tab, Quoting::Csv);
        records.advance()?;
        let header = Header::new(records.record());
        let column = |name: &str| {
            header.find(&[name]).ok_or_else(|| {
                let reason =
                    format!("a table of formulas has the columns id, post_id and type; '{name}' is missing");
                records.bad(0, reason)
            })
        };
        let [id, post, kind] = [column("id")?, column("post_id")?, column("type")?];
        let mut left_out = 0;
        while records.advance()? {
            let field = |column: usize| records.record().get(column).unwrap_or_default();
            let kind = match field(kind) {
                "question" | "title" => PostKind::Question,
                "answer" => PostKind::Answer,
                "comment" => PostKind::Comment,
                _ => PostKind::Unknown,
            };
            let (Ok(id), Ok(post)) = (field(id).parse(), field(post).parse()) else {
                left_out += 1;
                continue;
            };
            // An id that stands in several places is where it may be returned from.
            let place = self.formulas.entry(id).or_insert((post, kind));
            if place.1 == PostKind::Comment && kind != PostKind::Comment {
                *place = (post, kind);
            }
            if matches!(kind, PostKind::Question | PostKind::Answer) {
                self.posts.insert(post, kind);
            }
        }
        Ok(left_out)
    }

    /// How many formulas there are.
    #[must_use]
    pub fn num_formulas(&self) -> usize {
        self.formulas.len()
    }
}

impl CollectionLookup for FormulaTable {
    fn is_answer(&self, post: DocId<'_>) -> PostKind {
        let known = post.as_str().parse().ok().and_then(|post: u64| self.posts.get(&post));
        known.copied().unwrap_or(PostKind::Unknown)
    }

    fn formula_place(&self, formula: DocId<'_>) -> Option<FormulaPlace<'_>> {
        let (post, kind) = self.formulas.get(&formula.as_str().parse().ok()?)?;
        Some(FormulaPlace { post: Cow::Owned(post.to_string()), kind: *kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_formulas_may_hold_tabs_and_lines() {
        let mut table = FormulaTable::default();
        let text =
            "id\tformula\tpost_id\ttype\r\n1\t\"a\tb\n\"\"c\n1\"\t9\ttitle\r\n2\tx\t8\tcomment\nx\t\t\t\n";
        assert_eq!(table.read(Source::bytes("t", text)).unwrap(), 1);
        assert_eq!(table.num_formulas(), 2);
        let place = table.formula_place(DocId("1")).unwrap();
        assert_eq!((place.post.as_ref(), place.kind), ("9", PostKind::Question));
        assert_eq!(table.formula_place(DocId("2")).unwrap().kind, PostKind::Comment);
        assert_eq!(table.is_answer(DocId("8")), PostKind::Unknown);
    }

    #[test]
    fn a_table_without_the_columns_is_refused() {
        let error = FormulaTable::default().read(Source::bytes("t", "id\tformula\n")).unwrap_err();
        assert!(error.to_string().ends_with("'post_id' is missing"), "{error}");
    }
}
