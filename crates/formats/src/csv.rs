//! Any table cut at commas, with a header, as other programs write it.

use crate::delimited::{Delimiter, Quoting, Records};
use crate::error::{Error, Place};
use crate::source::Source;

/// A table with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvTable {
    /// The names of the columns, as they are written; no two are the same.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<CsvRow>,
}

/// A row of a table, with as many fields as there are columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvRow {
    /// Where it begins.
    pub place: Place,
    /// The fields.
    pub fields: Vec<String>,
}

/// Reads a table that is cut at commas, whose fields may be in quotes.
///
/// ```
/// use formats::{Source, read_csv};
/// let table = read_csv(Source::bytes("t.csv", "a,b\n1,\"two, or\nthree\"\n"))?;
/// assert_eq!(table.columns, ["a", "b"]);
/// assert_eq!(table.rows[0].fields[1], "two, or\nthree");
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When it cannot be read, has no header, names a column twice, or a row has more or fewer fields
/// than the header.
pub fn read_csv(source: Source<'_>) -> Result<CsvTable, Error> {
    let source = source.read()?;
    let mut records = Records::new(&source.name, source.text.as_bytes(), Delimiter::Comma, Quoting::Csv);
    if !records.advance()? {
        return Err(Error::File { file: source.name, reason: "the table is empty".to_owned() });
    }
    let columns: Vec<String> = records.record().iter().map(|name| name.trim().to_owned()).collect();
    for (at, name) in columns.iter().enumerate() {
        if columns[..at].contains(name) {
            return Err(records.bad(at, format!("the column {name:?} is there twice")));
        }
    }
    let mut rows = Vec::new();
    while records.advance()? {
        let record = records.record();
        if record.len() != columns.len() {
            let reason = format!("the row has {} fields, and the header has {}", record.len(), columns.len());
            return Err(records.bad(0, reason));
        }
        let fields = record.iter().map(str::to_owned).collect();
        rows.push(CsvRow { place: records.place(0), fields });
    }
    Ok(CsvTable { columns, rows })
}

/// Writes a row of such a table, every field in quotes.
#[must_use]
pub fn write_csv_row<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> =
        fields.into_iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
    quoted.join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<CsvTable, Error> {
        read_csv(Source::bytes("t.csv", text))
    }

    #[test]
    fn broken_tables_are_told_with_their_place() {
        for (text, told) in [
            ("", "t.csv: the table is empty"),
            ("a,a\n", "t.csv:1:3: the column \"a\" is there twice"),
            ("a,b\n1,2\n1\n", "t.csv:3:1: the row has 1 fields, and the header has 2"),
            ("a,b\n1,\"2\n", "t.csv:2:3: the quote that opens here is never closed"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn tabs_are_no_border_here() {
        let table = read("\u{feff}a,b\r\n\"x\ty\",\r\n").unwrap();
        assert_eq!((table.columns, table.rows.len()), (vec!["a".to_owned(), "b".to_owned()], 1));
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read_back(fields in proptest::collection::vec("[a\"\t\r\n, é]{0,6}", 2..5)) {
            let names: Vec<String> = (0..fields.len()).map(|at| format!("c{at}")).collect();
            let text = write_csv_row(names.iter().map(String::as_str))
                + &write_csv_row(fields.iter().map(String::as_str));
            proptest::prop_assert_eq!(&read(&text).unwrap().rows[0].fields, &fields);
        }
    }
}
