//! Where symbols are.

use super::{any_latex, monsters, slt};
use formula::features::phoc::{FRACTION_LINE, Glyph, Layout, Phoc, PhocExtractor, Regions, RegionsError};
use formula::slt::Slt;
use proptest::prelude::*;

fn phoc(regions: &str, latex: &str) -> Phoc {
    let mut phoc = Phoc::default();
    PhocExtractor::new(regions.parse().expect("a name")).read(&slt(latex), &mut phoc);
    phoc
}

#[test]
fn names_of_regions() {
    for (name, bits) in
        [("x1", 1), ("xy2", 5), ("xy5", 29), ("xy7o4", 64), ("o4", 10), ("x3y2", 8), ("r3", 6)]
    {
        let regions: Regions = name.parse().unwrap();
        assert_eq!((regions.bits(), regions.to_string()), (bits, name.to_owned()));
    }
    assert_eq!(Regions::default(), "xy7o4".parse().unwrap());
    for name in ["", "x", "5", "z5", "xx5", "x5x4", "x0", "x-1", "é5", "xy5 "] {
        assert_eq!(name.parse::<Regions>(), Err(RegionsError::NotAName(name.to_owned())));
    }
    for name in ["x16", "x99999999", "xyor9"] {
        assert_eq!(name.parse::<Regions>(), Err(RegionsError::TooMany(name.to_owned())));
    }
    assert_eq!("x15".parse::<Regions>().unwrap().bits(), 120);
}

#[test]
fn points_in_regions() {
    let regions: Regions = "x3y2o2r2".parse().unwrap();
    // all | left right | thirds | top bottom | inner outer ellipse | inner outer rectangle
    let bits = |x, y| format!("{:012b}", regions.holding(x, y)).chars().rev().collect::<String>();
    assert_eq!(bits(0.5, 0.5), "1".to_owned() + "01" + "010" + "01" + "10" + "10");
    assert_eq!(bits(0.0, 0.0), "1".to_owned() + "10" + "100" + "10" + "01" + "01");
    assert_eq!(bits(1.0, 1.0), "1".to_owned() + "01" + "001" + "01" + "01" + "01");
    assert_eq!(bits(0.3, 0.3), "1".to_owned() + "10" + "100" + "10" + "01" + "10");
}

#[test]
fn the_worked_example() {
    let phoc = phoc("xy2", "x^2");
    let bits = |symbol| (0..5).map(|bit| phoc.get(symbol) >> bit & 1).collect::<Vec<_>>();
    assert_eq!(bits('x'), [1, 1, 0, 0, 1]);
    assert_eq!(bits('2'), [1, 0, 1, 1, 0]);
    assert_eq!(phoc.to_string(), "2:d x:13");
}

/// The first box of a character.
fn find(layout: &Layout, symbol: char) -> Glyph {
    let found = layout.glyphs().iter().find(|glyph| glyph.symbol == symbol);
    *found.unwrap_or_else(|| panic!("no {symbol}"))
}

#[test]
fn boxes_stand_as_on_paper() {
    let mut layout = Layout::default();
    // First, relation, second: `<` left of, `^` above, `@` inside the height and width of.
    for (latex, first, relation, second) in [
        ("ab", 'a', '<', 'b'),
        ("a+b", '+', '<', 'b'),
        ("x^2", 'x', '<', '2'),
        ("x_1^2", '2', '^', '1'),
        (r"\frac{a}{b}", 'a', '^', FRACTION_LINE),
        (r"\frac{a}{b}", FRACTION_LINE, '^', 'b'),
        (r"\frac{a}{b}c", 'b', '<', 'c'),
        (r"\sqrt{x}", 'x', '@', '√'),
        (r"\sqrt[3]{x}", '3', '<', 'x'),
        (r"(a)", '(', '<', 'a'),
        (r"(a)", 'a', '<', ')'),
        (r"f(x,y)", ',', '<', 'y'),
        (r"\sum_{i}^{n} k", 'n', '^', '∑'),
        (r"\sum_{i}^{n} k", '∑', '^', 'i'),
        (r"\int_{0}^{1} k", '∫', '<', '1'),
        (r"\int_{0}^{1} k", '1', '^', '0'),
        (r"\bar x", '¯', '^', 'x'),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", 'a', '<', 'b'),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", 'a', '^', 'c'),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", 'd', '<', ')'),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}e", ')', '<', 'e'),
        (r"\sum_{abcdefg} k", 'g', '<', 'k'),
        (r"\underset{abcdefghi}{(xy)}", '(', '<', 'x'),
        (r"\binom nk", 'n', '^', 'k'),
    ] {
        layout.set(&slt(latex));
        let [a, b] = [first, second].map(|symbol| find(&layout, symbol));
        let holds = match relation {
            '<' => a.right <= b.left + 1e-4,
            '^' => a.bottom <= b.top + 1e-4,
            _ => {
                a.left >= b.left && a.right <= b.right + 1e-4 && a.top >= b.top && a.bottom <= b.bottom + 1e-4
            }
        };
        assert!(holds, "{latex}: {a:?} {relation} {b:?}");
    }
    // Brackets are as tall as what they hold.
    layout.set(&slt(r"(\frac{a}{b})"));
    let [open, a, b] = ['(', 'a', 'b'].map(|symbol| find(&layout, symbol));
    assert!(open.top <= a.top && open.bottom >= b.bottom);
    // No line where none is drawn.
    layout.set(&slt(r"\binom nk"));
    assert!(layout.glyphs().iter().all(|glyph| glyph.symbol != FRACTION_LINE));
}

#[test]
fn similarity() {
    let one = |_| 1.0;
    let same = phoc("xy7o4", "x^2+y^2=z^2");
    assert!((same.similarity(&same, one) - 1.0).abs() < 1e-12);
    let close = phoc("xy7o4", "x^2+y^2=r^2");
    let far = phoc("xy7o4", r"\frac{a}{b}");
    assert!(same.similarity(&close, one) > 0.7);
    assert_eq!(same.similarity(&far, one), 0.0);
    assert_eq!(same.similarity(&Phoc::default(), one), 0.0);
    // Counted by hand: x^2 and x in xy2. x alone is in the middle: all, right, bottom.
    let [square, x] = ["x^2", "x"].map(|latex| phoc("xy2", latex));
    assert_eq!(x.get('x'), 0b10101);
    let expected = 2.0 / (6_f64.sqrt() * 3_f64.sqrt());
    assert!((square.similarity(&x, one) - expected).abs() < 1e-12);
    // What weighs nothing does not count.
    let only_x = |symbol| if symbol == 'x' { 2.0 } else { 0.0 };
    assert!((square.similarity(&x, only_x) - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn monsters_end() {
    let mut extractor = PhocExtractor::default();
    let mut phoc = Phoc::default();
    for latex in monsters() {
        extractor.read(&slt(&latex), &mut phoc);
    }
}

proptest! {
    #[test]
    fn any_input_has_boxes(latex in any_latex()) {
        let mut tree = Slt::default();
        formula::slt::from_latex(&latex::parse_bytes(&latex, latex::Mode::Query).tree, &mut tree);
        let mut layout = Layout::default();
        layout.set(&tree);
        for glyph in layout.glyphs() {
            prop_assert!([glyph.left, glyph.top, glyph.right, glyph.bottom].into_iter().all(f32::is_finite));
            prop_assert!(glyph.left <= glyph.right && glyph.top <= glyph.bottom, "{glyph:?}");
        }
        let mut phoc = Phoc::default();
        PhocExtractor::default().read(&tree, &mut phoc);
        let score = phoc.similarity(&phoc, |_| 1.0);
        prop_assert!(phoc.is_empty() || (score - 1.0).abs() < 1e-9);
        prop_assert!(phoc.iter().all(|(_, bits)| bits & 1 == 1));
    }
}
