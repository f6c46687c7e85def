//! Where the labs have a formula: where its table says, under published ids.

use store::{Collection, Official};
use testkit::small_collection;

fn place(collection: &Collection, id: &str) -> Official {
    collection.official_place_of(id).unwrap()
}

#[test]
fn the_table_says_where_a_formula_stands() {
    let small = small_collection("official");
    let collection = &small.collection;
    let post = |id: &str| collection.find_post(id).unwrap();
    assert!(collection.publishes_formula_ids());
    assert_eq!(place(collection, "1"), Official::Post(post("10")));
    // It stands in post 21, and its table has it in post 12.
    assert_eq!(place(collection, "5"), Official::Post(post("12")));
    assert_eq!(place(collection, "6"), Official::Comment(post("12")));
    assert_eq!(place(collection, "9"), Official::Nowhere, "it stands in no text");
    assert_eq!(place(collection, "77"), Official::Nowhere);
}
