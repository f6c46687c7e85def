//! Results by votes and by date: over all that is ranked, ties by rank, and not offered where there is neither.

use super::{Collection, SMALL, ids};
use retrieve::people::{Grouping, Results, SearchOptions, Sort};
use retrieve::typed::Typed;

fn sorted(collection: &Collection, query: &str, options: SearchOptions) -> Results {
    collection.engine.search(&Typed::read(query), &options).unwrap()
}

fn by(sort: Sort) -> SearchOptions {
    SearchOptions { sort, ..SearchOptions::default() }
}

#[test]
fn names_are_read_back() {
    for sort in Sort::ALL {
        assert_eq!(Sort::named(sort.name()), Some(sort));
    }
    assert_eq!(Sort::named("score"), None);
}

#[test]
fn votes_and_dates_descend_and_posts_without_come_last() {
    let query = "a square mean number group integral negative graph parabola theorem because";
    let ranked = sorted(&SMALL, query, by(Sort::Relevance));
    assert_eq!(ranked.sorts, Sort::ALL);
    assert!(ranked.hits.len() >= 7, "{:?}", ids(&ranked));
    for sort in [Sort::Votes, Sort::Date] {
        let found = sorted(&SMALL, query, by(sort));
        // The ranks of the sorted posts before they were sorted: equal ones stay in order.
        let rank = |id: &str| ids(&ranked).iter().position(|known| *known == id).unwrap();
        let key = |hit: &retrieve::people::FoundPost| match sort {
            Sort::Date => hit.date.map(|date| date.0),
            _ => hit.votes.map(i64::from),
        };
        for pair in found.hits.windows(2) {
            let (left, right) = (key(&pair[0]), key(&pair[1]));
            assert!(left >= right, "{sort:?}: {:?}", ids(&found));
            assert!(left > right || rank(&pair[0].id) < rank(&pair[1].id), "{sort:?}: {:?}", ids(&found));
        }
        let mut all = (ids(&found), ids(&ranked));
        all.0.sort_unstable();
        all.1.sort_unstable();
        assert_eq!(all.0, all.1);
        let ranks: Vec<usize> = found.hits.iter().map(|hit| hit.rank).collect();
        assert_eq!(ranks, (1..=found.hits.len()).collect::<Vec<_>>());
        assert_eq!((found.total, &found.notes), (ranked.total, &ranked.notes));
    }
}

#[test]
fn pages_of_a_sorted_search_fit_together() {
    let query = "a square mean number group";
    let whole = sorted(&SMALL, query, by(Sort::Votes));
    let mut pages = Vec::new();
    for offset in 0..whole.hits.len() {
        let page = sorted(&SMALL, query, SearchOptions { offset, limit: 1, ..by(Sort::Votes) });
        pages.extend(page.hits.into_iter().map(|hit| hit.id));
    }
    assert_eq!(pages, ids(&whole));
}

#[test]
fn a_thread_stands_where_its_most_voted_post_does() {
    let options = SearchOptions { grouping: Grouping::Threads, ..by(Sort::Votes) };
    let found = sorted(&SMALL, "negative square parabola $a^2+b^2$", options);
    let votes: Vec<_> = found.hits.iter().map(|hit| (hit.id.as_str(), hit.votes)).collect();
    assert_eq!(votes[0], ("12", Some(9)), "{votes:?}");
    assert!(found.hits[0].others.iter().any(|other| other.id == "10"));
    assert!(votes.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{votes:?}");
}

#[test]
fn facets_do_not_depend_on_the_order() {
    let facets = |sort| sorted(&SMALL, "a square mean", SearchOptions { facets: 3, ..by(sort) }).facets;
    assert_eq!(facets(Sort::Votes), facets(Sort::Relevance));
}

#[test]
fn what_there_is_not_is_not_offered() {
    let posts = "{\"kind\":\"document\",\"id\":1,\"body\":\"A group\"}\n\
                 {\"kind\":\"document\",\"id\":2,\"body\":\"The group of a group\",\"date\":\"2014-03-02\"}\n";
    let collection = Collection::of("people-sort", posts);
    let found = sorted(&collection, "group", by(Sort::Votes));
    assert_eq!(found.sorts, [Sort::Relevance, Sort::Date]);
    assert_eq!(ids(&found), ids(&sorted(&collection, "group", by(Sort::Relevance))));
    let notes: Vec<&str> = found.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["no result has votes: sorted by relevance"]);
    assert_eq!(ids(&sorted(&collection, "group", by(Sort::Date))), ["2", "1"]);
}
