//! What is styled in place and what is styled by classes is the same.

use super::super::{MathmlOptions, write_mathml};
use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Formulas that need every rule but those of lines and blanks.
const FORMULAS: [&str; 20] = [
    r"\textbf{a}\textit{b}\textsf{c}\texttt{d}\textbf{\textit{e}}",
    "f'",
    r"\overline{ab}\underline{cd}",
    r"\vec{x}\dddot{y}",
    r"\boxed{x}",
    r"\enclose{box}{x}\enclose{roundedbox}{x}\enclose{circle left}{x}",
    r"\enclose{left right top bottom}{x}\enclose{longdiv}{x}\enclose{actuarial}{x}\enclose{madruwb}{x}",
    r"\cancel{a}\bcancel{b}\xcancel{c}\not{ab}",
    r"\begin{array}{l|r|c}a&b&c\end{array}",
    r"\begin{align}a&=b&c&=d\\&=e\end{align}",
    r"\begin{eqnarray}a&=&b\\c&=&d\end{eqnarray}",
    r"\begin{cases}a&b\\c&d\end{cases}",
    r"\sum_{\substack{a\\b}}c",
    r"\sum_{\begin{subarray}{l}a\\b\end{subarray}}c",
    r"a\\b",
    r"a\!b\hspace{-1cm}c\hspace{-5em}d",
    r"\enclose{updiagonalstrike downdiagonalstrike}{x}",
    r"\enclose{horizontalstrike}{x}\enclose{verticalstrike}{x}",
    r"\color{red}x\color{#0a0b0c}y",
    r"\text{ if }",
];

fn sheet() -> BTreeMap<&'static str, &'static str> {
    STYLE_SHEET
        .lines()
        .map(|line| {
            line.strip_prefix('.')
                .and_then(|line| line.strip_suffix('}'))
                .and_then(|line| line.split_once('{'))
                .unwrap()
        })
        .collect()
}

/// The values of an attribute.
fn values<'x>(xml: &'x str, attribute: &str) -> Vec<&'x str> {
    let start = format!(" {attribute}=\"");
    xml.split('<')
        .filter_map(|tag| tag.split_once(&start).and_then(|(_, rest)| rest.split_once('"')))
        .map(|(value, _)| value)
        .collect()
}

#[test]
fn every_rule_is_in_the_sheet_once() {
    let rules: Vec<Rule> = [ALL, STRIKES, BACK].concat();
    let sheet = sheet();
    assert_eq!(sheet.len(), rules.len());
    for rule in rules {
        assert_eq!(sheet.get(rule.class), Some(&rule.css), "{rule:?}");
        assert!(rule.class.starts_with("hyp-"));
        assert!(!rule.css.contains(['{', '}', '"', '<']), "{rule:?}");
    }
}

#[test]
fn classes_say_what_is_written_in_place() {
    let sheet = sheet();
    let mut seen = BTreeSet::new();
    for source in FORMULAS {
        let tree = latex::parse(source).tree;
        let [inline, classes] = [Styles::Inline, Styles::Classes]
            .map(|styles| write_mathml(&tree, source, MathmlOptions { styles, ..MathmlOptions::default() }));
        assert!(!classes.contains(" style=\""), "{classes}");
        let declared = values(&classes, "class").into_iter().filter_map(|names| {
            let found: Vec<&str> = names
                .split(' ')
                .filter_map(|name| sheet.get_key_value(name))
                .map(|(name, _)| *name)
                .collect();
            seen.extend(found.iter().copied());
            let css: Vec<&str> = found.iter().map(|name| sheet[name]).collect();
            (!css.is_empty()).then(|| css.join(";"))
        });
        let inline = values(&inline, "style");
        // Blanks are rounded.
        let exact = |css: &str| !css.starts_with("margin-left");
        let declared: Vec<String> = declared.filter(|css| exact(css)).collect();
        let inline: Vec<&str> = inline.into_iter().filter(|css| exact(css)).collect();
        assert_eq!(declared, inline, "{source}");
    }
    let unseen: Vec<&str> = ALL.iter().map(|rule| rule.class).filter(|class| !seen.contains(class)).collect();
    assert_eq!(unseen, [""; 0]);
}

#[test]
fn nothing_else_differs() {
    let without = |xml: &str, attributes: [&str; 2]| {
        let mut xml = xml.to_owned();
        for attribute in attributes {
            while let Some(at) = xml.find(&format!(" {attribute}=\"")) {
                let value = at + attribute.len() + 3;
                let end = value + xml[value..].find('"').unwrap() + 1;
                xml.replace_range(at..end, "");
            }
        }
        xml
    };
    for source in FORMULAS {
        let tree = latex::parse(source).tree;
        let [inline, classes] = [Styles::Inline, Styles::Classes].map(|styles| {
            let xml = write_mathml(&tree, source, MathmlOptions { styles, ..MathmlOptions::default() });
            without(&xml, ["style", "class"])
        });
        assert_eq!(inline, classes);
    }
}

#[test]
fn every_choice_of_lines_has_its_rule() {
    let lines = [Strikes::UP, Strikes::DOWN, Strikes::ACROSS, Strikes::UPRIGHT];
    let directions = ["to bottom right", "to top right", "to bottom", "to right"];
    assert_eq!(Strikes::default().rule(), None);
    for choice in 1..16_u8 {
        let chosen = |place: &usize| choice & (1 << place) != 0;
        let strikes = (0..4).filter(chosen).fold(Strikes::default(), |all, place| all.and(lines[place]));
        let rule = strikes.rule().unwrap();
        let drawn: Vec<&str> = rule
            .css
            .split("linear-gradient(")
            .skip(1)
            .filter_map(|line| line.split_once(',').map(|(direction, _)| direction))
            .collect();
        let expected: Vec<&str> = (0..4).filter(chosen).map(|place| directions[place]).collect();
        assert_eq!(drawn, expected);
        assert_eq!(rule.class, format!("hyp-strike-{choice}"));
    }
    assert_eq!(Strikes::CROSS.rule().unwrap().class, "hyp-cross");
}

#[test]
fn blanks_that_go_back_are_rounded() {
    for (mu, expected) in [
        (1, "margin-left:-0.056em"),
        (3, "margin-left:-0.167em"),
        (9, "margin-left:-0.500em"),
        (18, "margin-left:-1em"),
        (19, "margin-left:-1em"),
        (26, "margin-left:-1em"),
        (27, "margin-left:-2em"),
        (36, "margin-left:-2em"),
        (90, "margin-left:-5em"),
        (144, "margin-left:-8em"),
        (u16::MAX, "margin-left:-8em"),
    ] {
        assert_eq!(back(mu).css, expected, "{mu}");
    }
}
