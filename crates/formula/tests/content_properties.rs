//! Content MathML of any operator tree reads back as that tree.

use formula::opt::Opt;
use formula::opt::content::{read_content_mathml, write_content_mathml};
use formula::opt::labs::LabsOpt;
use formula::slt::{Slt, from_latex};
use proptest::prelude::*;

/// Tags of the labs, and some that are not.
fn tag() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "U!plus",
            "U!times",
            "U!and",
            "O!minus",
            "O!SUB",
            "O!SUP",
            "O!int",
            "O!root",
            "O!sum",
            "O!form-seq",
            "O!rem",
            "O!forall",
            "O!binomial",
            "O!interval(C-O)",
            "M!V-2",
            "M!S-1",
            "M!M-1x1",
            "M!R!",
            "M!D-lsqb;&rsqb;",
            "M!D-⌋",
            "+!",
            "+!O!sum",
            "+!O!SUB",
            "F!sin",
            "F!det",
            "F!f",
            "F!→",
            "C!infinity",
            "C!hbar",
            "E!",
            "W!",
            "T!if x",
            "-!q",
            "?x",
            "N!2",
            "V!x",
            "V!&comma;",
            "$!degree",
            "$!bvar",
        ])
        .prop_map(str::to_owned),
        "[VNFOUCTMEW+-]![a-z]{1,3}",
        "[a-z<&!?]{1,3}",
    ]
}

fn tree() -> impl Strategy<Value = String> {
    let leaf = tag().prop_map(|tag| format!("[{tag}]"));
    leaf.prop_recursive(4, 24, 3, |inner| {
        (tag(), prop::collection::vec(inner, 0..4)).prop_map(|(tag, children)| {
            let children: String =
                children.iter().enumerate().map(|(label, child)| format!(",{label}{child}")).collect();
            format!("[{tag}{children}]")
        })
    })
}

proptest! {
    #[test]
    fn any_tree_can_be_written(text in tree()) {
        let opt = Opt::read(&text).unwrap();
        let markup = write_content_mathml(&opt);
        let mut again = Opt::default();
        prop_assert!(read_content_mathml(&markup, &mut again).is_ok(), "{}", markup);
    }

    #[test]
    fn trees_of_the_labs_read_back(latex in r"([a-z0-9+=<|(),!'^_{} -]|\\frac|\\sin |\\sum|\\int |\\left\(|\\right\)|\\to |\\begin\{matrix\}|&|\\end\{matrix\}){0,24}") {
        let (mut slt, mut opt) = (Slt::default(), Opt::default());
        from_latex(&latex::parse(&latex).tree, &mut slt);
        LabsOpt::default().read(&slt, &mut opt);
        prop_assert!(opt.root().is_some());
        let markup = write_content_mathml(&opt);
        let mut again = Opt::default();
        prop_assert!(read_content_mathml(&markup, &mut again).is_ok(), "{}", markup);
        prop_assert_eq!(again.to_string(), opt.to_string(), "{}", markup);
    }

    #[test]
    fn any_markup_is_read_or_refused(text in r"(<(apply|ci|cn|plus|share|math|semantics|annotation-xml|matrix|qvar)( [a-z]+=.x.)?/?>|</(apply|ci|math)>|[a-z&;<]){0,24}") {
        let mut opt = Opt::default();
        let read = read_content_mathml(&text, &mut opt);
        prop_assert_eq!(read.is_ok(), opt.root().is_some());
    }
}
