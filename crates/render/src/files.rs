//! Names of files and folders for pages.

use std::collections::BTreeMap;
use store::{Collection, Date, Id, IdKind, PostNo};
use xxhash_rust::xxh3::xxh3_64;

/// Longer names are cut.
const LONGEST: usize = 120;

/// The name of the file for a thread: its id and `.html`.
///
/// An id that is a number stays as it is. In others, what is no plain letter, digit, `-`, `_` or `.`
/// becomes `=` and the digits of its bytes, and long ones are cut and end in a checksum, so that
/// different ids have different names and none leads out of its folder.
///
/// ```
/// assert_eq!(render::file_name(store::Id::Number(12)), "12.html");
/// assert_eq!(render::file_name(store::Id::Text("a/b c")), "a=2Fb=20c.html");
/// ```
#[must_use]
pub fn file_name(id: Id<'_>) -> String {
    format!("{}.html", safe(id))
}

fn safe(id: Id<'_>) -> String {
    let text = match id {
        Id::Number(number) => return number.to_string(),
        Id::Text(text) => text,
    };
    let mut name = String::new();
    for (at, byte) in text.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || (byte == b'.' && at > 0);
        if plain {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("={byte:02X}"));
        }
    }
    if name.is_empty() {
        name.push('=');
    }
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push_str(&format!("={:016x}", xxh3_64(text.as_bytes())));
    }
    name
}

/// The folders that the pages of all threads are spread over.
///
/// With dates, as the labs do: `MIN_YYYY/MIN_MM/ID.html`, where `MIN` is the smallest id of a thread of
/// that year or month. Without, `THOUSAND/ID.html`: the id rounded down, or, for ids that are no
/// numbers, the rank.
#[derive(Clone, Debug)]
pub struct Folders {
    scheme: Scheme,
}

#[derive(Clone, Debug)]
enum Scheme {
    Dates { years: BTreeMap<i64, u64>, months: BTreeMap<(i64, String), u64> },
    DatesOnly,
    Thousands,
    Ranks(Vec<u32>),
}

impl Folders {
    /// Looks at all threads of a collection once.
    #[must_use]
    pub fn new(collection: &Collection) -> Self {
        let threads = || collection.posts().filter(|post| collection.thread_of(*post) == *post);
        let dated = threads().any(|thread| collection.post_facts(thread).date.is_some());
        let numbers = IdKind::from(collection.about().post_ids) == IdKind::Numbers;
        let scheme = match (dated, numbers) {
            (false, true) => Scheme::Thousands,
            (true, false) => Scheme::DatesOnly,
            (false, false) => {
                let mut ranks = vec![0; collection.num_posts() as usize];
                for (rank, post) in (0..).zip(collection.posts_by_id()) {
                    if let Some(slot) = ranks.get_mut(post.index()) {
                        *slot = rank;
                    }
                }
                Scheme::Ranks(ranks)
            }
            (true, true) => {
                let mut years = BTreeMap::new();
                let mut months = BTreeMap::new();
                for thread in threads() {
                    let Some(date) = collection.post_facts(thread).date else { continue };
                    let Id::Number(id) = collection.post_id(thread) else { continue };
                    let smallest = years.entry(date.year()).or_insert(id);
                    *smallest = id.min(*smallest);
                    let smallest = months.entry((date.year(), month(date))).or_insert(id);
                    *smallest = id.min(*smallest);
                }
                Scheme::Dates { years, months }
            }
        };
        Self { scheme }
    }

    /// The folder and name of a thread's file, with slashes.
    #[must_use]
    pub fn path(&self, collection: &Collection, thread: PostNo) -> String {
        let id = collection.post_id(thread);
        let date = collection.post_facts(thread).date;
        let folder = match (&self.scheme, date, id) {
            (Scheme::Dates { years, months }, Some(date), _) => {
                let (year, month) = (date.year(), month(date));
                let in_year = years.get(&year).copied().unwrap_or_default();
                let in_month = months.get(&(year, month.clone())).copied().unwrap_or_default();
                format!("{in_year}_{year:04}/{in_month}_{month}")
            }
            (Scheme::DatesOnly, Some(date), _) => format!("{:04}/{}", date.year(), month(date)),
            // As deep as the others, so that links between them are alike.
            (Scheme::Dates { .. } | Scheme::DatesOnly, None, _) => "undated/00".to_owned(),
            (Scheme::Ranks(ranks), _, _) => {
                (ranks.get(thread.index()).copied().unwrap_or_default() / 1000 * 1000).to_string()
            }
            (Scheme::Thousands, _, Id::Number(id)) => (id / 1000 * 1000).to_string(),
            (Scheme::Thousands, _, Id::Text(_)) => "0".to_owned(),
        };
        format!("{folder}/{}", file_name(id))
    }

    /// The address of a thread's page, seen from any other page.
    #[must_use]
    pub fn address(&self, collection: &Collection, thread: PostNo) -> String {
        let up = match self.scheme {
            Scheme::Dates { .. } | Scheme::DatesOnly => "../../",
            Scheme::Thousands | Scheme::Ranks(_) => "../",
        };
        // Names hold nothing that an address would have to escape.
        format!("{up}{}", self.path(collection, thread))
    }
}

/// The month, with two digits.
fn month(date: Date) -> String {
    let text = date.to_string();
    // A year before 0 begins with a sign.
    text.trim_start_matches('-').split('-').nth(1).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder_and_differ() {
        for (id, expected) in [
            ("Page (x)", "Page=20=28x=29.html"),
            ("../../etc/passwd", "=2E.=2F..=2Fetc=2Fpasswd.html"),
            (".hidden", "=2Ehidden.html"),
            ("", "=.html"),
            ("=", "=3D.html"),
            ("C:\\x", "C=3A=5Cx.html"),
            ("é", "=C3=A9.html"),
        ] {
            assert_eq!(file_name(Id::Text(id)), expected);
        }
        let [a, b] = ["a", "b"].map(|end| file_name(Id::Text(&format!("{}{end}", "x".repeat(500)))));
        assert!(a != b && a.len() < 150, "{a}");
    }

    #[test]
    fn folders_are_those_of_the_labs() {
        let small = testkit::small_collection("folders");
        let collection = &small.collection;
        let folders = Folders::new(collection);
        let paths: Vec<String> = ["10", "20"]
            .iter()
            .filter_map(|id| collection.find_post(id))
            .map(|thread| folders.path(collection, thread))
            .collect();
        assert_eq!(paths, ["10_2014/10_03/10.html", "20_2015/20_01/20.html"]);
        let ten = collection.find_post("10").unwrap();
        assert_eq!(folders.address(collection, ten), "../../10_2014/10_03/10.html");
    }
}
