//! A Parquet file, written row by row and kept in memory one row group at a time.

use crate::Output;
use crate::error::Error;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::parser::parse_message_type;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// A row group has at most so many rows …
const MOST_ROWS: usize = 64 << 10;
/// … and ends after this number of bytes of values.
const MOST_BYTES: usize = 64 << 20;
/// A level at which packing is no slower than what comes before it.
const LEVEL: i32 = 3;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// 64 bits.
    Long,
    /// 32 bits.
    Int,
    /// Yes or no.
    Flag,
    /// Milliseconds since 1970, without a time zone.
    Date,
    /// UTF-8.
    Text,
    /// A list of texts.
    Texts,
}

/// Whether a value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Always,
    Maybe,
}

/// A column: its name, what it holds, and whether every row has it.
pub(super) type Field = (&'static str, Kind, Need);

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Cell<'a> {
    Long(Option<i64>),
    Int(Option<i32>),
    Flag(bool),
    Text(Option<Cow<'a, str>>),
    Texts(&'a [String]),
}

impl<'a> Cell<'a> {
    pub(super) fn text(text: &'a str) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }

    pub(super) fn maybe(text: Option<&'a str>) -> Self {
        Self::Text(text.map(Cow::Borrowed))
    }
}

/// A Parquet file that is being written.
pub(super) struct Table {
    path: PathBuf,
    writer: SerializedFileWriter<Output>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
    all_rows: u64,
}

impl Table {
    pub(super) fn create(
        output: Output,
        name: &str,
        fields: &[Field],
        notes: &[(&str, String)],
    ) -> Result<Self, Error> {
        let path = output.path().to_owned();
        let writer = begin(output, name, fields, notes).map_err(Error::parquet(&path))?;
        let columns = fields.iter().map(Column::new).collect();
        Ok(Self { path, writer, columns, rows: 0, bytes: 0, all_rows: 0 })
    }

    /// Adds a row; its cells are in the order of the columns.
    pub(super) fn push(&mut self, row: Vec<Cell<'_>>) -> Result<(), Error> {
        debug_assert_eq!(row.len(), self.columns.len(), "{}", self.path.display());
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.bytes += column.push(cell);
        }
        self.rows += 1;
        self.all_rows += 1;
        if self.rows >= MOST_ROWS || self.bytes >= MOST_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> Result<(), Error> {
        if self.rows > 0 {
            write_group(&mut self.writer, &mut self.columns).map_err(Error::parquet(&self.path))?;
        }
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes the rest; says how many rows there are.
    pub(super) fn finish(mut self) -> Result<(Output, u64), Error> {
        self.end_group()?;
        let Self { path, writer, all_rows, .. } = self;
        let output = writer.into_inner().map_err(Error::parquet(&path))?;
        Ok((output, all_rows))
    }
}

fn begin(
    output: Output,
    name: &str,
    fields: &[Field],
    notes: &[(&str, String)],
) -> ParquetResult<SerializedFileWriter<Output>> {
    let schema = parse_message_type(&message(name, fields))?;
    let notes = notes.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_key_value_metadata(Some(notes.collect()))
        .build();
    SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))
}

/// The schema in Parquet's own notation.
fn message(name: &str, fields: &[Field]) -> String {
    let mut message = format!("message {name} {{\n");
    for (name, kind, need) in fields {
        let need = if *need == Need::Always { "required" } else { "optional" };
        let _ = match kind {
            Kind::Long => writeln!(message, "{need} int64 {name};"),
            Kind::Int => writeln!(message, "{need} int32 {name};"),
            Kind::Flag => writeln!(message, "{need} boolean {name};"),
            Kind::Date => writeln!(message, "{need} int64 {name} (TIMESTAMP(MILLIS,false));"),
            Kind::Text => writeln!(message, "{need} binary {name} (STRING);"),
            Kind::Texts => writeln!(
                message,
                "required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
            ),
        };
    }
    message.push('}');
    message
}

/// The values of a column in the row group that is being filled.
struct Column {
    values: Values,
    /// 1 where there is a value; unused where there always is.
    definitions: Option<Vec<i16>>,
    /// 0 where a row begins; only of lists.
    repetitions: Option<Vec<i16>>,
}

enum Values {
    Long(Vec<i64>),
    Int(Vec<i32>),
    Flag(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Column {
    fn new((_, kind, need): &Field) -> Self {
        let is_list = *kind == Kind::Texts;
        let values = match kind {
            Kind::Long | Kind::Date => Values::Long(Vec::new()),
            Kind::Int => Values::Int(Vec::new()),
            Kind::Flag => Values::Flag(Vec::new()),
            Kind::Text | Kind::Texts => Values::Text(Vec::new()),
        };
        let definitions = (is_list || *need == Need::Maybe).then(Vec::new);
        Self { values, definitions, repetitions: is_list.then(Vec::new) }
    }

    /// Adds a value and says how much memory it takes.
    fn push(&mut self, cell: Cell<'_>) -> usize {
        let (is_given, size) = match (&mut self.values, cell) {
            (Values::Long(values), Cell::Long(value)) => {
                values.extend(value);
                (value.is_some(), size_of::<i64>())
            }
            (Values::Int(values), Cell::Int(value)) => {
                values.extend(value);
                (value.is_some(), size_of::<i32>())
            }
            (Values::Flag(values), Cell::Flag(value)) => {
                values.push(value);
                (true, size_of::<bool>())
            }
            (Values::Text(values), Cell::Text(value)) => {
                let is_given = value.is_some();
                (is_given, value.map_or(0, |value| push_text(values, value)))
            }
            (Values::Text(_), Cell::Texts(list)) => return self.push_list(list),
            _ => unreachable!("cells are of the kinds that the fields name"),
        };
        if let Some(definitions) = &mut self.definitions {
            definitions.push(i16::from(is_given));
        }
        size
    }

    fn push_list(&mut self, list: &[String]) -> usize {
        let (Values::Text(values), Some(definitions), Some(repetitions)) =
            (&mut self.values, &mut self.definitions, &mut self.repetitions)
        else {
            unreachable!("cells are of the kinds that the fields name")
        };
        if list.is_empty() {
            definitions.push(0);
            repetitions.push(0);
        }
        let mut size = 0;
        for (place, text) in list.iter().enumerate() {
            definitions.push(1);
            repetitions.push(i16::from(place > 0));
            size += push_text(values, Cow::Borrowed(text));
        }
        size
    }

    fn write(&mut self, mut writer: SerializedColumnWriter<'_>) -> ParquetResult<()> {
        let (definitions, repetitions) = (self.definitions.as_deref(), self.repetitions.as_deref());
        match &mut self.values {
            Values::Long(values) => {
                writer.typed::<Int64Type>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Int(values) => {
                writer.typed::<Int32Type>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Flag(values) => {
                writer.typed::<BoolType>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
        }
        for levels in [&mut self.definitions, &mut self.repetitions].into_iter().flatten() {
            levels.clear();
        }
        writer.close()
    }
}

fn push_text(values: &mut Vec<ByteArray>, text: Cow<'_, str>) -> usize {
    let size = text.len() + size_of::<ByteArray>();
    values.push(ByteArray::from(text.into_owned().into_bytes()));
    size
}

fn write_group(writer: &mut SerializedFileWriter<Output>, columns: &mut [Column]) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        let writer = group.next_column()?;
        column.write(writer.ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?)?;
    }
    group.close()?;
    Ok(())
}
