//! A table as comma-separated values, for other programs.

use super::{Cell, Mark, Row, Table, Value};
use crate::escape::one_line;

impl Table {
    /// The table as RFC 4180 text: one heading line, fields quoted where
    /// needed, lines ended by CR LF.
    ///
    /// Made to be read back, so it differs from what is printed:
    ///
    /// - numbers are given in full, with as many digits as bring back the same
    ///   value; one that is not finite is an empty field;
    /// - a column under a group is headed `group: title`;
    /// - a table with sections starts with a column `section`;
    /// - after a column in which some cell is marked comes a column of marks,
    ///   headed `title marks`: `best`, `*`, `**`, `dagger`,
    ///   `double-dagger`, `letters=ab`, `dim`, `parentheses`, parted by blanks;
    /// - rules, caption and footnotes are left out.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let has_sections = self.rows.iter().any(|row| matches!(row, Row::Section(_)));
        let mut has_marks = vec![false; self.columns.len()];
        for row in &self.rows {
            if let Row::Cells(cells) = row {
                for (marked, cell) in has_marks.iter_mut().zip(self.cells(cells)) {
                    *marked |= !cell.marks.is_empty();
                }
            }
        }

        let mut out = String::new();
        let mut fields = Vec::new();
        if has_sections {
            fields.push("section".to_owned());
        }
        for (column, &marked) in self.columns.iter().zip(&has_marks) {
            let title = match &column.group {
                Some(group) => format!("{}: {}", one_line(group), one_line(&column.title)),
                None => one_line(&column.title),
            };
            fields.push(title.clone());
            if marked {
                fields.push(format!("{title} marks"));
            }
        }
        push_record(&mut out, &fields);

        let mut section = "";
        for row in &self.rows {
            match row {
                Row::Section(name) => section = name,
                Row::Rule => section = "",
                Row::Cells(cells) => {
                    fields.clear();
                    if has_sections {
                        fields.push(section.to_owned());
                    }
                    for (cell, &marked) in self.cells(cells).zip(&has_marks) {
                        fields.push(value_text(&cell.value));
                        if marked {
                            fields.push(marks_text(cell));
                        }
                    }
                    push_record(&mut out, &fields);
                }
            }
        }
        out
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Number { value, .. } if value.is_finite() => value.to_string(),
        Value::Empty | Value::Number { .. } => String::new(),
        Value::Text(text) => text.clone(),
    }
}

fn marks_text(cell: &Cell) -> String {
    let words: Vec<String> = cell
        .marks
        .iter()
        .map(|mark| match mark {
            Mark::Best => "best".to_owned(),
            Mark::Star => "*".to_owned(),
            Mark::DoubleStar => "**".to_owned(),
            Mark::Dagger => "dagger".to_owned(),
            Mark::DoubleDagger => "double-dagger".to_owned(),
            Mark::Letters(letters) => format!("letters={letters}"),
            Mark::Dim => "dim".to_owned(),
            Mark::Parentheses => "parentheses".to_owned(),
        })
        .collect();
    words.join(" ")
}

fn push_record(out: &mut String, fields: &[String]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        if field.contains(['"', ',', '\n', '\r']) || (fields.len() == 1 && field.is_empty()) {
            out.push('"');
            out.push_str(&field.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(field);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::sample::overview;
    use super::*;
    use crate::table::Column;

    #[test]
    fn an_overview_table() {
        expect![[r#"
            section,Run,Type,ARQMath-1 / 77 topics: nDCG',ARQMath-1 / 77 topics: nDCG' marks,ARQMath-1 / 77 topics: MAP',ARQMath-1 / 77 topics: MAP' marks,ARQMath-2 / 71 topics: nDCG',ARQMath-2 / 71 topics: nDCG' marks
            Baselines,TF-IDF,auto,0.2044,,0.049,dim,0.185,
            Baselines,Linked|posts,n/a,0.279,parentheses,,,-0.0001,
            Team_A & co,tree_50%,auto,0.4335,best **,0.121,best letters=ab,0.25,dagger
            ,Oracle,,1,*,,,,
        "#]].assert_eq(&overview().to_csv().replace("\r\n", "\n"));
    }

    #[test]
    fn fields_are_quoted_and_numbers_whole() {
        let table = Table {
            columns: vec![Column::left("a,b"), Column::right("n")],
            rows: vec![Row::Cells(vec![Cell::text("say \"x\"\ny"), Cell::number(1.0 / 3.0, 1)])],
            ..Table::default()
        };
        assert_eq!(table.to_csv(), "\"a,b\",n\r\n\"say \"\"x\"\"\ny\",0.3333333333333333\r\n");
    }
}
