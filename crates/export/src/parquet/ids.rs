//! Ids as columns: numbers where all are, else texts.

use super::table::{Cell, Kind};
use std::borrow::Cow;
use store::{Collection, Id, IdKind};

/// How the ids of one sort are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdColumn {
    /// As in the collection.
    ids: IdKind,
    /// Numbers beyond 63 bits do not fit a column of numbers.
    pub(super) kind: Kind,
}

/// How all ids are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ids {
    pub(super) posts: IdColumn,
    pub(super) comments: IdColumn,
    pub(super) formulas: IdColumn,
    pub(super) visuals: IdColumn,
}

impl Ids {
    pub(super) fn of(collection: &Collection) -> Self {
        let about = collection.about();
        let last_post = collection.posts_by_id().next_back().map(|post| collection.post_id(post));
        let last_formula =
            collection.formulas_by_id().next_back().map(|formula| collection.formula_id(formula));
        let comments = collection.comments().map(|comment| collection.comment_id(comment)).max();
        let visuals = collection.visuals().map(|visual| collection.visual_id(visual));
        let old = collection.forms().filter_map(|form| collection.form_old_visual(form));
        let visuals = visuals.chain(old).max().map(Id::Number);
        Self {
            posts: IdColumn::new(about.post_ids.into(), last_post),
            comments: IdColumn::new(about.comment_ids.into(), comments),
            formulas: IdColumn::new(about.formula_ids.into(), last_formula),
            visuals: IdColumn::new(IdKind::Numbers, visuals),
        }
    }
}

impl IdColumn {
    fn new(ids: IdKind, greatest: Option<Id<'_>>) -> Self {
        let fits = match greatest {
            Some(Id::Number(number)) => i64::try_from(number).is_ok(),
            Some(Id::Text(_)) => false,
            None => ids == IdKind::Numbers,
        };
        Self { ids, kind: if fits { Kind::Long } else { Kind::Text } }
    }

    pub(super) fn cell<'a>(self, id: Option<Id<'a>>) -> Cell<'a> {
        match (self.kind, id) {
            (Kind::Long, Some(Id::Number(number))) => Cell::Long(i64::try_from(number).ok()),
            (Kind::Long, _) => Cell::Long(None),
            (_, None) => Cell::Text(None),
            (_, Some(Id::Text(text))) => Cell::text(text),
            (_, Some(Id::Number(number))) => Cell::Text(Some(Cow::Owned(number.to_string()))),
        }
    }

    /// An id that stands in a text, of something that may be outside the collection.
    pub(super) fn read<'a>(self, text: Option<&'a str>) -> Cell<'a> {
        self.cell(text.and_then(|text| Id::parse(text, self.ids)))
    }
}
