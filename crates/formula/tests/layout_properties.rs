//! What holds for every layout tree and every input.

use formula::mathml::{MathmlReader, Reading};
use formula::slt::{Builder, Leaf, Look, Rules, Slt, SltId};
use proptest::prelude::*;

/// Pieces that arbitrary markup is likely to be broken around.
fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<math>",
            "</math>",
            "<mrow>",
            "</mrow>",
            "<mi>",
            "</mi>",
            "<mo>",
            "</mo>",
            "<mn>2</mn>",
            "<mi>x</mi>",
            "<mo>,</mo>",
            "<mo>(</mo>",
            "<mo>)</mo>",
            "<msup>",
            "</msup>",
            "<msub>",
            "</msub>",
            "<mfrac>",
            "</mfrac>",
            "<mtable>",
            "</mtable>",
            "<mtr>",
            "</mtr>",
            "<mtd>",
            "</mtd>",
            "<mmultiscripts>",
            "</mmultiscripts>",
            "<mprescripts/>",
            "<none/>",
            "<mphantom>",
            "</mphantom>",
            "<semantics>",
            "</semantics>",
            "<annotation>",
            "</annotation>",
            "<merror>",
            "</merror>",
            "<mfenced open='[' separators=';,'>",
            "</mfenced>",
            "<ci>",
            "</ci>",
            "<mws:qvar name='x'/>",
            "<m:qvar>",
            "</m:qvar>",
            "<",
            ">",
            "&",
            "&lt;",
            "&alpha;",
            "&#0;",
            "\"",
            " a=\"",
            "<mi a=\"<\">",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?",
            "?>",
            "<msqrt/>",
            "<foo>",
            "</foo>",
            "\u{2062}",
            "<!DOCTYPE",
            "<mtext>&amp;</mtext>",
        ])
        .prop_map(str::to_owned),
        ".{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Builds something out of a list of numbers, as a reader would: a stack of parts and steps that join them.
fn build(steps: &[u8], rules: Rules) -> Slt {
    let mut slt = Slt::default();
    let mut builder = Builder::with_rules(&mut slt, rules);
    let mut stack: Vec<Option<SltId>> = Vec::new();
    for &step in steps {
        let mut pop = || stack.pop().flatten();
        let made = match step % 24 {
            0 => Some(builder.leaf(Leaf::Number, "1", Look::default())),
            1 => Some(builder.leaf(Leaf::Operator, "+", Look::default())),
            2 | 3 => Some(builder.leaf(Leaf::Operator, ",", Look::default())),
            4 | 5 => Some(builder.leaf(Leaf::Operator, "(", Look::default())),
            6 | 7 => Some(builder.leaf(Leaf::Operator, ")", Look::default())),
            8 => Some(builder.blank()),
            9 => None,
            10 => {
                let (base, sub, sup) = (pop(), pop(), pop());
                Some(builder.scripts(base, sub, sup))
            }
            11 => {
                let (base, under) = (pop(), pop());
                Some(builder.under_over(base, under, None))
            }
            12 => {
                let (numerator, denominator) = (pop(), pop());
                Some(builder.fraction(numerator, denominator, Look::default()))
            }
            13 => {
                let (radicand, index) = (pop(), pop());
                Some(builder.root(radicand, index))
            }
            14 => {
                let cells = [pop(), pop(), pop(), pop()];
                Some(builder.table(&cells, 2, 2))
            }
            15 => {
                let (base, scripts) = (pop(), [pop(), pop(), pop(), pop()]);
                Some(builder.multiscripts(base, &scripts[..2], &scripts[2..]))
            }
            16..=20 => {
                let start = stack.len().saturating_sub(usize::from(step) / 24 + 1);
                let items = stack.split_off(start);
                builder.row(&items)
            }
            _ => Some(builder.leaf(Leaf::Identifier, "x", Look::default())),
        };
        stack.push(made);
    }
    let root = builder.row(&stack);
    slt.set_root(root);
    slt
}

proptest! {
    #[test]
    fn any_tree_prints_and_reads_back(steps in prop::collection::vec(any::<u8>(), 0..80)) {
        for rules in [Rules::Labs, Rules::Lossless] {
            let slt = build(&steps, rules);
            let string = slt.to_string();
            prop_assert_eq!(slt.preorder().count(), string.matches('[').count());
            if slt.root().is_some() {
                let again = Slt::read(&string).expect(&string);
                prop_assert_eq!(&again.to_string(), &string);
                let mut repaired = again;
                repaired.repair();
                prop_assert!(Slt::read(&repaired.to_string()).is_ok());
            }
        }
    }

    #[test]
    fn the_lossless_rules_lose_no_leaf(steps in prop::collection::vec(any::<u8>(), 0..80)) {
        // Only joining steps that keep all their parts, and no blanks.
        let steps: Vec<u8> = steps.into_iter().filter(|step| !matches!(step % 24, 8 | 9 | 11..=13 | 15)).collect();
        let slt = build(&steps, Rules::Lossless);
        let letters = steps.iter().filter(|&step| matches!(step % 24, 21..=23)).count();
        prop_assert_eq!(slt.preorder().filter(|&id| slt.tag(id) == "V!x").count(), letters);
    }

    #[test]
    fn the_string_reader_takes_anything(text in ".{0,60}", brackets in "[\\[\\],abw!&xé]{0,60}") {
        for text in [text, brackets] {
            if let Ok(slt) = Slt::read_repaired(&text) {
                prop_assert!(Slt::read(&slt.to_string()).is_ok());
            }
        }
    }

    #[test]
    fn the_mathml_reader_takes_anything(text in ".{0,80}", markup in markup()) {
        let mut slt = Slt::default();
        for reading in [Reading::Labs, Reading::Tolerant] {
            let mut reader = MathmlReader::new(reading);
            for text in [&text, &markup] {
                match reader.read(text, &mut slt) {
                    Ok(_) if slt.root().is_some() => {
                        let string = slt.to_string();
                        prop_assert_eq!(Slt::read(&string).map(|slt| slt.to_string()), Ok(string));
                    }
                    Ok(_) => {}
                    Err(_) => prop_assert!(slt.is_empty()),
                }
            }
        }
    }
}
