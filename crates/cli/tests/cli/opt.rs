//! `hypatia formula opt`: operator trees from every notation.

use crate::util::Dir;

const PLUS: &str = "[U!plus,0[V!x],1[N!1]]";

#[test]
fn every_notation() {
    let dir = Dir::new("opt");
    for (from, formula) in [
        ("latex", "x+1"),
        ("slt", "[V!x[+[N!1]]]"),
        ("opt", PLUS),
        ("mathml", "<math><mi>x</mi><mo>+</mo><mn>1</mn></math>"),
        ("mathml", "<math><apply><plus/><ci>x</ci><cn>1</cn></apply></math>"),
        (
            "mathml",
            "<math><semantics><mi>y</mi><annotation-xml encoding=\"MathML-Content\"><apply><plus/><ci>x</ci>\
             <cn>1</cn></apply></annotation-xml></semantics></math>",
        ),
    ] {
        dir.run(&["formula", "opt", "--as", "labs", "--from", from, "-e", formula])
            .prints(&format!("{PLUS}\n"));
    }
}

#[test]
fn tables_and_files_of_lines() {
    let dir = Dir::new("opt_files");
    dir.write("f.txt", "x+1\n\nf(x)\n");
    let expected = format!("id\topt\n1\t{PLUS}\n2\t[W!]\n3\t[U!times,0[V!f],1[V!x]]\n");
    dir.run(&["formula", "opt", "f.txt", "--as", "labs"]).prints(&expected);
    dir.write("f.tsv", format!("visual_id\tlatex\topt\n7\ty\t{PLUS}\n"));
    dir.run(&["formula", "opt", "f.tsv", "--column", "opt", "--id", "visual_id"])
        .prints(&format!("id\topt\n7\t{PLUS}\n"));
}

#[test]
fn content_mathml() {
    let dir = Dir::new("opt_content");
    let content = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><apply><plus/><ci>x</ci><cn>1</cn></apply>\
                   </math>\n";
    dir.run(&["formula", "opt", "--content", "-e", "x+1"]).prints(content);
    dir.run(&["formula", "opt", "--content", "--from", "opt", "-e", PLUS]).prints(content);
}

#[test]
fn what_cannot_be_read_is_a_blank_and_mentioned() {
    let dir = Dir::new("opt_unread");
    for from in ["opt", "mathml"] {
        let outcome = dir.run(&["formula", "opt", "--from", from, "--as", "labs", "-e", "x"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (0, "[W!]\n"), "{from}");
        assert_ne!(outcome.stderr, "", "{from}");
    }
}

#[test]
fn operator_trees_have_no_layout() {
    let dir = Dir::new("opt_layout");
    for command in ["slt", "key", "mathml", "text", "latex"] {
        dir.run(&["formula", command, "--from", "opt", "-e", PLUS]).fails(
            "hypatia: operator trees do not say what a formula looks like, which this command has to know",
        );
    }
}
