//! Where an address on a Stack Exchange site leads inside a collection.

use store::{Collection, CommentNo, PostNo};

/// The site whose posts are in a collection. Other sites count from 1, too, so that the same number
/// is another post there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// The site with this name, such as `math.stackexchange.com`.
    Host(String),
    /// Not known: no address with a host leads to a post.
    Unknown,
}

impl Site {
    /// The site that a collection is of, as far as it says so.
    #[must_use]
    pub fn of(collection: &Collection) -> Self {
        let about = collection.about();
        match (&about.site, about.source.as_str()) {
            (Some(host), _) => Self::Host(host.clone()),
            // Collections that do not name their site yet.
            (None, "arqmath") => Self::Host("math.stackexchange.com".to_owned()),
            (None, _) => Self::Unknown,
        }
    }

    /// The post of a collection that an address leads to; an address of a comment leads to its post.
    ///
    /// ```
    /// # let small = testkit::small_collection("post-at");
    /// # let collection = &small.collection;
    /// let site = render::Site::of(collection);
    /// let post = site.post_at(collection, "https://math.stackexchange.com/questions/10/why");
    /// assert_eq!(post, collection.find_post("10"));
    /// ```
    #[must_use]
    pub fn post_at(&self, collection: &Collection, address: &str) -> Option<PostNo> {
        match named(collection, self, address)? {
            Named::Post(post) => Some(post),
            Named::Comment(comment) => Some(collection.comment_post(comment)),
        }
    }

    fn is(&self, host: &str) -> bool {
        let host = host.strip_prefix("www.").unwrap_or(host);
        match self {
            Self::Host(own) => host.eq_ignore_ascii_case(own),
            Self::Unknown => false,
        }
    }
}

/// What an address names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Post(PostNo),
    Comment(CommentNo),
}

/// What of the collection an address names, if anything.
pub(crate) fn named(collection: &Collection, site: &Site, address: &str) -> Option<Named> {
    let parts = Parts::read(address.trim())?;
    if parts.host.is_some_and(|host| !site.is(host)) {
        return None;
    }
    let post = |id: &str| collection.find_post(id).map(Named::Post);
    let comment = |id: &str| collection.find_comment(id).map(Named::Comment);
    let mut path = parts.path.split('/').filter(|part| !part.is_empty());
    let (first, second) = (path.next()?, path.next()?);
    match first {
        "q" | "a" | "posts" if is_number(second) => post(second),
        "posts" if second == "comments" => path.next().filter(|id| is_number(id)).and_then(comment),
        "questions" if is_number(second) => {
            // `#comment7_12` is comment 7 on post 12; `#12` and a last part `/12` are answers.
            let in_fragment = match parts.fragment.strip_prefix("comment") {
                Some(ids) => {
                    let (id, on) = ids.split_once('_').unwrap_or((ids, ""));
                    comment(id).or_else(|| post(on))
                }
                None => post(parts.fragment.strip_prefix("answer-").unwrap_or(parts.fragment)),
            };
            let answer = path.nth(1).filter(|id| is_number(id));
            in_fragment.or_else(|| answer.and_then(post)).or_else(|| post(second))
        }
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

struct Parts<'a> {
    /// `None` for an address within the site.
    host: Option<&'a str>,
    path: &'a str,
    fragment: &'a str,
}

impl<'a> Parts<'a> {
    fn read(address: &'a str) -> Option<Self> {
        let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
        let address = address.split_once('?').map_or(address, |(address, _)| address);
        let rest = match address.split_once(':') {
            Some((scheme, rest))
                if ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme)) =>
            {
                rest
            }
            Some(_) => return None,
            None => address,
        };
        match rest.strip_prefix("//") {
            Some(rest) => {
                let (host, path) = rest.split_once('/')?;
                Some(Self { host: Some(host), path, fragment })
            }
            None => rest.strip_prefix('/').map(|path| Self { host: None, path, fragment }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_posts_and_comments() {
        let small = testkit::small_collection("addresses");
        let collection = &small.collection;
        let own = Site::of(collection);
        assert_eq!(own, Site::Host("math.stackexchange.com".to_owned()));
        let post = |id| collection.find_post(id).map(Named::Post);
        for (address, expected) in [
            ("https://math.stackexchange.com/questions/10/why", post("10")),
            ("http://math.stackexchange.com/questions/10", post("10")),
            ("HTTPS://www.Math.StackExchange.com/q/10/345?x=1", post("10")),
            ("//math.stackexchange.com/a/12", post("12")),
            ("/questions/10/why/12#12", post("12")),
            ("https://math.stackexchange.com/questions/10/why/12", post("12")),
            ("https://math.stackexchange.com/questions/10/why?noredirect=1&lq=1#12", post("12")),
            ("https://math.stackexchange.com/questions/10/why#answer-12", post("12")),
            ("https://math.stackexchange.com/questions/10/why/77#77", post("10")),
            ("https://math.stackexchange.com/questions/77/other/12#12", post("12")),
            ("https://math.stackexchange.com/questions/10/why#comment99_12", post("12")),
            (
                "https://math.stackexchange.com/questions/10/why#comment7_12",
                collection.find_comment("7").map(Named::Comment),
            ),
            (
                "https://math.stackexchange.com/posts/comments/7",
                collection.find_comment("7").map(Named::Comment),
            ),
            ("https://math.stackexchange.com/questions/tagged/10", None),
            ("https://math.stackexchange.com/users/10/x", None),
            ("https://math.stackexchange.com/questions/77", None),
            ("https://physics.stackexchange.com/questions/10", None),
            ("https://math.stackexchange.com.example.org/questions/10", None),
            ("https://example.org/questions/10", None),
            ("javascript://math.stackexchange.com/questions/10", None),
            ("questions/10", None),
            ("", None),
        ] {
            assert_eq!(named(collection, &own, address), expected, "{address}");
        }
    }

    /// Every site counts its posts from 1.
    #[test]
    fn only_addresses_on_the_collections_own_site_name_its_posts() {
        let small = testkit::small_collection("addresses-of-sites");
        let collection = &small.collection;
        let post = collection.find_post("10").map(Named::Post);
        let physics = Site::Host("physics.stackexchange.com".to_owned());
        for (address, site, expected) in [
            ("https://physics.stackexchange.com/q/10", &physics, post),
            ("https://mathoverflow.net/q/10", &physics, None),
            ("https://mathoverflow.net/q/10", &Site::Unknown, None),
            ("https://physics.stackexchange.com/q/10", &Site::Unknown, None),
            ("/q/10", &Site::Unknown, post),
        ] {
            assert_eq!(named(collection, site, address), expected, "{address} {site:?}");
        }
    }
}
