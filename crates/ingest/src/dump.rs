//! Rows of a dump as records.

use crate::dirt::{Dirt, DirtKind};
use crate::record::{At, RawComment, RawLink, RawPost, RawUser, Record};
use crate::rows::{Attributes, FileKind};
use markup::Markup;
use std::str::FromStr;
use store::{Date, LinkKind, PostKind};

/// How comments are written: ARQMath's hold spans, others what people typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) comments: Markup,
}

/// What a row says.
#[derive(Debug)]
pub(crate) enum Said {
    Record(Box<Record>),
    /// It is counted and not kept.
    PassedOver,
    /// It cannot be used; why was told.
    Nothing,
}

/// Reads a row of a file of a kind; tells what is wrong with it.
pub(crate) fn read(
    kind: FileKind,
    dialect: Dialect,
    at: At,
    attributes: Attributes<'_>,
    tell: &mut dyn FnMut(Dirt),
) -> Said {
    let mut row = Row { at, attributes, about: String::new(), tell };
    let record = match kind {
        FileKind::Posts => row.post().map(Record::Post),
        FileKind::Comments => row.comment(dialect).map(Record::Comment),
        FileKind::PostLinks => row.link().map(Record::Link),
        FileKind::Users => row.user().map(Record::User),
        FileKind::Tags | FileKind::Votes | FileKind::Badges | FileKind::PostHistory => {
            return Said::PassedOver;
        }
    };
    record.map_or(Said::Nothing, |record| Said::Record(Box::new(record)))
}

struct Row<'a, 't> {
    at: At,
    attributes: Attributes<'a>,
    about: String,
    tell: &'t mut dyn FnMut(Dirt),
}

impl Row<'_, '_> {
    fn dirt(&mut self, kind: DirtKind, detail: &str) {
        (self.tell)(Dirt::new(kind, self.at, self.about.clone(), detail));
    }

    /// The id, which must be there; what the row is about is named by it.
    fn id(&mut self, what: &str, name: &str) -> Option<String> {
        let id = self.attributes.take(name).map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
        match &id {
            Some(id) => self.about = format!("{what} {id}"),
            None => self.dirt(DirtKind::MissingId, name),
        }
        id
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.attributes.take(name).filter(|text| !text.trim().is_empty())
    }

    fn number<N: FromStr>(&mut self, name: &str) -> Option<N> {
        let text = self.text(name)?;
        let number = text.trim().parse().ok();
        if number.is_none() {
            self.dirt(DirtKind::BadNumber, &format!("{name}={text}"));
        }
        number
    }

    fn date(&mut self, name: &str) -> Option<Date> {
        let text = self.text(name)?;
        let date = Date::parse(text.trim());
        if date.is_none() {
            self.dirt(DirtKind::BadDate, &format!("{name}={text}"));
        }
        date
    }

    fn post(&mut self) -> Option<RawPost> {
        let id = self.id("post", "Id")?;
        let kind = match self.attributes.get("PostTypeId").map(str::trim) {
            Some("1") => PostKind::Question,
            Some("2") => PostKind::Answer,
            None | Some("") => {
                self.dirt(DirtKind::MissingKind, "");
                return None;
            }
            Some(other) => {
                let other = format!("PostTypeId={other}");
                self.dirt(DirtKind::OtherKind, &other);
                return None;
            }
        };
        let title = self.text("Title");
        if kind == PostKind::Question && title.is_none() {
            self.dirt(DirtKind::MissingTitle, "");
        }
        let body = self.text("Body").unwrap_or_else(|| {
            self.dirt(DirtKind::MissingBody, "");
            String::new()
        });
        let parent = self.text("ParentId").filter(|_| kind == PostKind::Answer);
        if kind == PostKind::Answer && parent.is_none() {
            self.dirt(DirtKind::MissingParent, "");
        }
        let tags = self.text("Tags").map(|tags| self.tags(&tags)).unwrap_or_default();
        Some(RawPost {
            at: self.at,
            id,
            kind,
            parent,
            accepted: self.text("AcceptedAnswerId"),
            markup: Markup::Html,
            title,
            body,
            tags,
            score: self.number("Score"),
            date: self.date("CreationDate"),
            owner: self.text("OwnerUserId"),
            views: self.number("ViewCount"),
        })
    }

    /// `<a><b>` or `|a|b|`; anything else is taken apart by its blanks and marks.
    fn tags(&mut self, text: &str) -> Vec<String> {
        let trimmed = text.trim();
        let inner =
            |open: &str, close: &str| trimmed.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        let listed: Option<Vec<&str>> = inner("<", ">")
            .map(|inner| inner.split("><").collect())
            .or_else(|| inner("|", "|").map(|inner| inner.split('|').collect()));
        let clean =
            |tag: &&str| !tag.is_empty() && !tag.contains(|c: char| c.is_whitespace() || "<>|,".contains(c));
        if let Some(tags) = listed.filter(|tags| tags.iter().all(clean)) {
            return tags.into_iter().map(str::to_owned).collect();
        }
        self.dirt(DirtKind::BadTags, text);
        let apart = |c: char| c.is_whitespace() || "<>|,".contains(c);
        trimmed.split(apart).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
    }

    fn comment(&mut self, dialect: Dialect) -> Option<RawComment> {
        let id = self.id("comment", "Id")?;
        let Some(post) = self.text("PostId") else {
            self.dirt(DirtKind::OrphanComment, "no PostId");
            return None;
        };
        let text = self.text("Text").unwrap_or_else(|| {
            self.dirt(DirtKind::MissingBody, "");
            String::new()
        });
        Some(RawComment {
            at: self.at,
            id,
            post: post.trim().to_owned(),
            markup: dialect.comments,
            text,
            score: self.number("Score"),
            date: self.date("CreationDate"),
            owner: self.text("UserId"),
        })
    }

    fn link(&mut self) -> Option<RawLink> {
        if let Some(id) = self.attributes.get("Id") {
            self.about = format!("link {id}");
        }
        let ends = (self.text("PostId"), self.text("RelatedPostId"));
        let (Some(from), Some(to)) = ends else {
            self.dirt(DirtKind::MissingId, "PostId or RelatedPostId");
            return None;
        };
        let kind = self.text("LinkTypeId").unwrap_or_default();
        let Some(kind) = kind.trim().parse().ok().and_then(LinkKind::from_number) else {
            self.dirt(DirtKind::OtherLinkKind, &format!("LinkTypeId={kind}"));
            return None;
        };
        let (from, to) = (from.trim().to_owned(), to.trim().to_owned());
        Some(RawLink { at: self.at, from, to, kind, date: self.date("CreationDate") })
    }

    fn user(&mut self) -> Option<RawUser> {
        let id = self.id("user", "Id")?;
        Some(RawUser { at: self.at, id, name: self.text("DisplayName").unwrap_or_default() })
    }
}
