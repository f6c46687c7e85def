//! What trees look like as text.

use super::*;
use expect_test::expect;
use quick_xml::Reader;
use quick_xml::events::Event;

fn node(label: &str, parent: Option<usize>) -> Node {
    Node { label: label.into(), parent, class: "tree-letter", ..Node::default() }
}

/// Well-formed, without styles, and every number finite.
fn check(tree: &Tree) -> String {
    let svg = tree.to_svg();
    let mut reader = Reader::from_str(&svg);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                for attribute in tag.attributes() {
                    let attribute = attribute.unwrap();
                    let key: &[u8] = attribute.key.as_ref().as_ref();
                    assert!(!matches!(key, b"style" | b"id"), "{svg}");
                }
            }
            Ok(_) => {}
            Err(error) => panic!("{error}: {svg}"),
        }
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    svg
}

#[test]
fn a_small_tree() {
    let mut two = node("2", Some(0));
    two.edge = "a".into();
    two.tip = "N!2".into();
    let nodes = vec![node("x", None), two];
    expect![[r#"
        <svg class="tree" role="img" xmlns="http://www.w3.org/2000/svg" width="42" height="98" viewBox="0 0 42 98" font-size="14" text-anchor="middle">
        <title>x squared</title>
        <g fill="none" stroke="currentColor" stroke-opacity="0.45">
        <path class="tree-edge" d="M21 34C21 49 21 49 21 64"/>
        </g>
        <g class="tree-edge-label" font-size="11" fill="currentColor">
        <text x="30" y="60">a</text>
        </g>
        <g class="tree-node tree-letter"><rect x="8" y="8" width="26" height="26" rx="6" fill="none" stroke="currentColor" stroke-opacity="0.45"/><text x="21" y="26" fill="currentColor">x</text></g>
        <g class="tree-node tree-letter"><title>N!2</title><rect x="8" y="64" width="26" height="26" rx="6" fill="none" stroke="currentColor" stroke-opacity="0.45"/><text x="21" y="82" fill="currentColor">2</text></g>
        </svg>
    "#]].assert_eq(&check(&Tree { title: "x squared".into(), nodes, ..Tree::default() }));
}

#[test]
fn a_line_to_the_right() {
    let straight = |label, parent| Node { side: Side::Straight, ..node(label, Some(parent)) };
    let nodes = vec![node("x", None), node("2", Some(0)), straight("+", 0), straight("1", 2)];
    let tree = Tree { title: "x".into(), nodes, direction: Direction::Right };
    let svg = check(&tree);
    // The symbols of the line stand at one height.
    let heights: Vec<&str> = ["x", "+", "1"]
        .iter()
        .map(|label| {
            let end = svg.find(&format!(" fill=\"currentColor\">{label}</text>")).unwrap();
            svg[..end].rsplit_once(" y=\"").unwrap().1.split('"').next().unwrap()
        })
        .collect();
    assert!(heights.iter().all(|height| *height == heights[0]), "{heights:?} {svg}");
}

#[test]
fn large_trees_are_cut_and_say_so() {
    let chain: Vec<Node> = (0..100_000_usize).map(|place| node("x", place.checked_sub(1))).collect();
    let star: Vec<Node> = (0..100_000_usize).map(|place| node("x", (place > 0).then_some(0))).collect();
    for nodes in [chain, star] {
        for direction in [Direction::Down, Direction::Right] {
            let svg = check(&Tree { title: "t".into(), nodes: nodes.clone(), direction });
            assert_eq!(svg.matches("<rect").count(), MOST_NODES);
            assert_eq!(svg.matches("…").count(), 1);
            assert!(svg.contains("99700 nodes are not shown"), "{}", &svg[..300]);
        }
    }
}

#[test]
fn odd_trees_break_nothing() {
    let long = "word ".repeat(5_000);
    for nodes in [
        vec![],
        vec![node("", None)],
        vec![node("<&\"\u{0}\n", None)],
        vec![node(&long, None), node(&long, Some(0))],
        // Parents that come later, or are not there.
        vec![node("a", Some(0)), node("b", Some(7)), node("c", None), node("d", Some(2)), node("e", Some(0))],
    ] {
        for direction in [Direction::Down, Direction::Right] {
            check(&Tree { title: "<t>".into(), nodes: nodes.clone(), direction });
        }
    }
}
