//! Who did what when: the log that organisers read.

use crate::books::Books;
use crate::error::Result;
use rusqlite::params;

/// Something that somebody did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number.
    pub number: i64,
    /// When, as the database has it.
    pub at: String,
    /// Who.
    pub who: String,
    /// What.
    pub what: String,
}

/// A page of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Events {
    /// Newest first.
    pub list: Vec<Event>,
    /// How many there are in all that were asked for.
    pub total: usize,
    /// All who did something, by name.
    pub people: Vec<String>,
}

impl Books<'_> {
    /// What was done, newest first; by one person, if one is named.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn events(&self, who: Option<&str>, from: usize, at_most: usize) -> Result<Events> {
        let database = self.database();
        let total = database
            .prepare_cached("SELECT count(*) FROM event WHERE ?1 IS NULL OR who = ?1")?
            .query_row([who], |row| row.get(0))?;
        let select = "SELECT number, at, who, what FROM event WHERE ?1 IS NULL OR who = ?1
                      ORDER BY number DESC LIMIT ?2 OFFSET ?3";
        let mut statement = database.prepare_cached(select)?;
        let rows = statement.query_map(params![who, at_most, from], |row| {
            Ok(Event { number: row.get(0)?, at: row.get(1)?, who: row.get(2)?, what: row.get(3)? })
        })?;
        let list = rows.collect::<rusqlite::Result<_>>()?;
        let mut statement = database.prepare_cached("SELECT DISTINCT who FROM event ORDER BY who")?;
        let people = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(Events { list, total, people })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::small;

    #[test]
    fn the_newest_comes_first() {
        let (_place, lab) = small("assess-events");
        let books = Books::new(&lab, 0);
        let before = books.events(None, 0, 1).unwrap().total;
        for (who, what) in [("olga", "one"), ("ada", "two"), ("olga", "three")] {
            books.note(who, what).unwrap();
        }
        let page = books.events(Some("olga"), 0, 1).unwrap();
        assert_eq!((page.list[0].what.as_str(), page.total), ("three", 2));
        assert!(page.people.contains(&"ada".to_owned()));
        assert_eq!(books.events(Some("olga"), 1, 1).unwrap().list[0].what, "one");
        assert_eq!(books.events(None, 0, 9).unwrap().total, before + 3);
    }
}
