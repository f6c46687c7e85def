//! The commands that turn each formula into one value, on every kind of input.

use crate::util::Dir;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

const COMMANDS: [&str; 5] = ["slt", "mathml", "text", "latex", "key"];

/// The table that `command` should print for these ids and formulas, made from
/// what it prints for each alone.
fn table(dir: &Dir, command: &str, rows: &[(&str, &str)]) -> String {
    let mut table = format!("id\t{command}\n");
    for (id, formula) in rows {
        table.push_str(&format!("{id}\t{}\n", dir.value(command, formula)));
    }
    table
}

#[test]
fn a_file_of_lines() {
    let dir = Dir::new("lines");
    dir.write("f.txt", "x^2\n\n\\frac{1}{2}\n\\undefined{");
    let rows = [("1", "x^2"), ("2", ""), ("3", "\\frac{1}{2}"), ("4", "\\undefined{")];
    for command in COMMANDS {
        dir.run(&["formula", command, "f.txt"]).prints(&table(&dir, command, &rows));
    }
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    let dir = Dir::new("crlf");
    dir.write("f.txt", b"\xEF\xBB\xBFx\r\ny\r\n");
    dir.run(&["formula", "slt", "f.txt"]).prints(&table(&dir, "slt", &[("1", "x"), ("2", "y")]));
    dir.write("f.tsv", b"\xEF\xBB\xBFid\tlatex\r\n7\tx\r\n");
    dir.run(&["formula", "slt", "f.tsv"]).prints(&table(&dir, "slt", &[("7", "x")]));
}

#[test]
fn a_table_with_quoted_fields() {
    let dir = Dir::new("table");
    let contents =
        "post\tid\tformula\n9\t70\t\"a\tb\"\n9\t71\t\"c\nd\"\n8\t\"7 2\"\t\"\"\"x\"\"\"\n7\t73\te\"f\n";
    dir.write("f.tsv", contents);
    let expected = table(&dir, "slt", &[("70", "a\tb"), ("71", "c\nd"), ("7 2", "\"x\""), ("73", "e\"f")]);
    dir.run(&["formula", "slt", "f.tsv"]).prints(&expected);
}

#[test]
fn columns_by_name() {
    let dir = Dir::new("columns");
    dir.write("f.tsv", "id\ttopic\tquery\tlatex\n1\tA.1\tx\ty\n2\tA.2\tz\tw\n");
    let run = |more: &[&str]| dir.run(&[&["formula", "key", "f.tsv"], more].concat());
    run(&[]).prints(&table(&dir, "key", &[("1", "y"), ("2", "w")]));
    run(&["--column", "query"]).prints(&table(&dir, "key", &[("1", "x"), ("2", "z")]));
    run(&["--id", "topic"]).prints(&table(&dir, "key", &[("A.1", "y"), ("A.2", "w")]));
}

#[test]
fn rows_without_ids_are_numbered() {
    let dir = Dir::new("numbers");
    dir.write("f.tsv", "formula\nx\n\ny\n");
    dir.run(&["formula", "slt", "f.tsv"]).prints(&table(&dir, "slt", &[("1", "x"), ("2", ""), ("3", "y")]));
}

#[test]
fn unknown_columns_list_the_known_ones() {
    let dir = Dir::new("unknown");
    dir.write("f.tsv", "id\tvisual_id\tformula\n1\t2\tx\n");
    let run = |more: &[&str]| dir.run(&[&["formula", "slt", "f.tsv"], more].concat());
    run(&["--column", "fromula"])
        .fails("hypatia: f.tsv: no column 'fromula'; did you mean 'formula'? known: id, visual_id, formula");
    run(&["--id", "zzz"]).fails("hypatia: f.tsv: no column 'zzz'; known: id, visual_id, formula");
    dir.write("g.tsv", "id\tcmml\n");
    dir.run(&["formula", "slt", "g.tsv"]).fails(
        "hypatia: g.tsv: no column of formulas (formula, latex, mathml, slt, opt) in the first line, which has \
         to be the header: name it with --column; known: id, cmml",
    );
    dir.write("empty.tsv", "");
    dir.run(&["formula", "slt", "empty.tsv"])
        .fails("hypatia: empty.tsv: is empty, but a table needs a header line");
    dir.write("mark.tsv", b"\xEF\xBB\xBF");
    dir.run(&["formula", "slt", "mark.tsv"])
        .fails("hypatia: mark.tsv: is empty, but a table needs a header line");
    dir.write("blank.tsv", "\nid\tformula\n1\tx\n");
    dir.run(&["formula", "slt", "blank.tsv"])
        .fails("hypatia: blank.tsv: the first line is blank, but a table needs a header line");
}

#[test]
fn a_table_without_a_header_does_not_flood_the_message() {
    let dir = Dir::new("headerless");
    dir.write("f.tsv", format!("page\t{}\n", "x+".repeat(100_000)));
    let outcome = dir.run(&["formula", "slt", "f.tsv"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.len() < 250, "{}", outcome.stderr);
}

#[test]
fn standard_input() {
    let dir = Dir::new("stdin");
    dir.pipe(&["formula", "slt", "-"], b"x\ny\n").prints(&table(&dir, "slt", &[("1", "x"), ("2", "y")]));
    let outcome = dir.pipe(&["formula", "slt", "-", "--input", "tsv"], b"id\tformula\n5\tx\n");
    outcome.prints(&table(&dir, "slt", &[("5", "x")]));
    dir.pipe(&["formula", "slt", "-"], b"").prints("id\tslt\n");
}

#[test]
fn results_come_as_soon_as_their_lines() {
    let dir = Dir::new("interactive");
    let mut command = dir.command(&["formula", "slt", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "id\tslt\n");
    for number in 1..4 {
        stdin.write_all(b"x\n").unwrap();
        line.clear();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{number}\t{}\n", dir.value("slt", "x")));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_formula_as_an_argument() {
    let dir = Dir::new("argument");
    for command in COMMANDS {
        for formula in ["x/y", "", "a.b", "\\frac12"] {
            let value = dir.value(command, formula);
            dir.run(&["formula", command, formula]).prints(&format!("{value}\n"));
        }
        let value = dir.value(command, "-x");
        dir.run(&["formula", command, "--", "-x"]).prints(&format!("{value}\n"));
    }
    let expected = table(&dir, "slt", &[("1", "x")]);
    dir.run(&["formula", "slt", "x", "--format", "tsv"]).prints(&expected);
    let expected = table(&dir, "slt", &[("1", "x"), ("2", "-y")]);
    dir.run(&["formula", "slt", "-e", "x", "-e", "-y"]).prints(&expected);
}

#[test]
fn a_file_wins_over_a_formula_unless_forced() {
    let dir = Dir::new("forced");
    dir.write("x", "y\n");
    dir.run(&["formula", "slt", "x"]).prints(&table(&dir, "slt", &[("1", "y")]));
    assert_ne!(dir.value("slt", "x"), dir.value("slt", "y"));
}

#[test]
fn json_lines() {
    let dir = Dir::new("json");
    dir.write("f.tsv", "id\tformula\n\"a\"\"b\"\tx\n2\ty\n");
    let x = serde_json::Value::from(dir.value("slt", "x"));
    let y = serde_json::Value::from(dir.value("slt", "y"));
    let expected = format!("{{\"id\":\"a\\\"b\",\"slt\":{x}}}\n{{\"id\":\"2\",\"slt\":{y}}}\n");
    dir.run(&["formula", "slt", "f.tsv", "--format", "json"]).prints(&expected);
    dir.run(&["formula", "slt", "x", "--format", "json"]).prints(&format!("{{\"id\":\"1\",\"slt\":{x}}}\n"));
}

#[test]
fn files_that_cannot_be_read() {
    let dir = Dir::new("missing");
    dir.run(&["formula", "slt", "nope.txt"]).fails("hypatia: nope.txt: no such file");
    dir.run(&["formula", "slt", "a/nope.TSV"]).fails("hypatia: a/nope.TSV: no such file");
    dir.run(&["formula", "slt", "nope.csv"]).fails("hypatia: nope.csv: no such file");
    dir.run(&["formula", "slt", "."])
        .fails("hypatia: .: is a folder, not a file (use -e to read it as a formula)");
    dir.write("f.csv", "id,formula\n");
    dir.run(&["formula", "slt", "f.csv"])
        .fails("hypatia: f.csv: not a .txt or .tsv file; say what it is with --input txt or --input tsv");
    dir.write("open.tsv", "id\tformula\n1\tx\n2\t\"y\n3\tz\n");
    let outcome = dir.run(&["formula", "slt", "open.tsv"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(outcome.stdout, table(&dir, "slt", &[("1", "x")]));
    assert_eq!(outcome.stderr, "hypatia: open.tsv: line 3: a quoted field is never closed\n");
}

#[test]
fn options_without_effect_are_errors() {
    let dir = Dir::new("effect");
    dir.write("f.txt", "x\n");
    dir.run(&["formula", "slt", "f.txt", "--column", "c"])
        .fails("hypatia: --column has no effect on a file of lines: it has no columns");
    dir.run(&["formula", "slt", "x+y", "--id", "c"])
        .fails("hypatia: --id has no effect on a formula: it has no columns");
    dir.run(&["formula", "slt", "x+y", "--input", "tsv"])
        .fails("hypatia: --input has no effect on a formula");
}

#[test]
fn dirty_input_is_read_and_mentioned_once() {
    let dir = Dir::new("dirt");
    dir.write("f.txt", b"x\na\xFFb\n\xED\xA0\x80\n");
    let outcome = dir.run(&["formula", "slt", "f.txt"]);
    let rows = [("1", "x"), ("2", "a\u{FFFD}b"), ("3", "\u{FFFD}\u{FFFD}\u{FFFD}")];
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.stdout, table(&dir, "slt", &rows));
    let warning = "hypatia: warning: f.txt: 2 fields with bytes that are not UTF-8, each read as U+FFFD \
                   (first in line 2)\n";
    assert_eq!(outcome.stderr, warning);

    dir.write("f.tsv", "id\tformula\n1\tx\n2\n");
    let outcome = dir.run(&["formula", "slt", "f.tsv"]);
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.stdout, table(&dir, "slt", &[("1", "x"), ("2", "")]));
    let warning = "hypatia: warning: f.tsv: 1 field missing because its row is shorter than the header, \
                   read as empty (first in line 3)\n";
    assert_eq!(outcome.stderr, warning);

    // A tab that nobody quoted; one at the end of a row does no harm.
    dir.write("f.tsv", "id\tformula\n1\tx\t\n2\ty\tz\n");
    let outcome = dir.run(&["formula", "slt", "f.tsv"]);
    assert_eq!(outcome.code, 0);
    assert_eq!(outcome.stdout, table(&dir, "slt", &[("1", "x"), ("2", "y")]));
    let warning = "hypatia: warning: f.tsv: 1 row longer than the header, what is beyond it left out \
                   (first in line 3)\n";
    assert_eq!(outcome.stderr, warning);
}

#[test]
fn what_cannot_be_read_at_all_is_mentioned() {
    let dir = Dir::new("unread");
    dir.write("f.txt", "[V!x]\n[V!x\n\nx^2\n");
    for command in COMMANDS.into_iter().chain(["cluster"]) {
        let outcome = dir.run(&["formula", command, "f.txt", "--from", "slt"]);
        assert_eq!((outcome.code, outcome.stdout.lines().count()), (0, 5), "{command}");
        let warning = "hypatia: warning: f.txt: 2 formulas that could not be read and so without a tree \
                       (first in line 2)\n";
        assert_eq!(outcome.stderr, warning, "{command}");
    }
    let outcome = dir.run(&["formula", "slt", "--from", "mathml", "x"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, "[W!]\n"));
    assert_eq!(outcome.stderr, "hypatia: warning: formula 1 could not be read, so it has no tree\n");
}

#[test]
fn order_is_kept_however_many_threads_work() {
    let dir = Dir::new("order");
    let formulas: Vec<String> = (0..20_000).map(|number| format!("x_{{{number}}}")).collect();
    dir.write("f.txt", formulas.join("\n"));
    let alone = dir.run(&["formula", "slt", "f.txt", "--threads", "1"]);
    assert_eq!((alone.code, alone.stdout.lines().count()), (0, 20_001));
    for (line, number) in alone.stdout.lines().skip(1).zip(1..) {
        let (id, value) = line.split_once('\t').unwrap();
        assert_eq!(id, number.to_string());
        assert!(value.contains(&(number - 1).to_string()), "{line}");
    }
    for threads in ["2", "3", "7"] {
        assert!(dir.run(&["formula", "slt", "f.txt", "-j", threads]) == alone, "{threads} threads");
    }
    for threads in ["0", "100000"] {
        let outcome = dir.run(&["formula", "slt", "f.txt", "-j", threads]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{threads} threads");
    }
}

#[test]
fn a_very_long_field_is_read() {
    let dir = Dir::new("long");
    dir.write("f.tsv", format!("id\tformula\n1\t\"{}\"\n2\ty\n", "x\t\n".repeat(200_000)));
    let outcome = dir.run(&["formula", "key", "f.tsv"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert_eq!(outcome.stdout.lines().count(), 3);
    assert_eq!(outcome.stdout.lines().last().unwrap(), format!("2\t{}", dir.value("key", "y")));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = Dir::new("pipe");
    dir.write("f.txt", "x^2\n".repeat(300_000));
    let mut command = dir.command(&["formula", "slt", "f.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 6];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"id\tslt");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_column_says_what_the_formulas_are_written_in() {
    let dir = Dir::new("notation");
    let slt = dir.value("slt", "x^2");
    dir.write("f.tsv", format!("id\tslt\n1\t{slt}\n"));
    dir.run(&["formula", "slt", "f.tsv"]).prints(&format!("id\tslt\n1\t{slt}\n"));
    let mathml = dir.value("mathml", "x^2");
    dir.write("g.tsv", format!("id\tmathml\n1\t{mathml}\n"));
    dir.run(&["formula", "slt", "g.tsv"]).prints(&format!("id\tslt\n1\t{slt}\n"));
    dir.run(&["formula", "slt", "--from", "mathml", "-e", &mathml]).prints(&format!("{slt}\n"));
}
