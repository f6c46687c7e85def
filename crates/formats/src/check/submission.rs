//! A file that was read, and the rules about its bytes: byte order mark and line ends.

use super::file_name::Task;
use super::finding::{Findings, RuleId, Spot};
use crate::error::Error;
use crate::source::Source;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Whether a file starts with a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Absent,
    Present,
}

/// A file to be checked.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What the file is called in messages.
    pub label: String,
    /// The name of the file without its folder; standard input has none.
    pub file_name: Option<String>,
    /// What is in it, without a byte order mark.
    pub text: String,
    pub(super) mark: ByteOrderMark,
}

impl Submission {
    /// Takes the bytes of a file, unpacked if they are gzip.
    ///
    /// # Errors
    ///
    /// When the packing is damaged or the text is not UTF-8.
    pub fn read(label: &str, file_name: Option<&str>, bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let mut start = Vec::new();
        // A damaged packing is said by the reader below.
        let _ = if bytes.starts_with(&[0x1F, 0x8B]) {
            MultiGzDecoder::new(bytes.as_slice()).take(3).read_to_end(&mut start)
        } else {
            bytes.as_slice().take(3).read_to_end(&mut start)
        };
        let mark = if start == b"\xEF\xBB\xBF" { ByteOrderMark::Present } else { ByteOrderMark::Absent };
        let source = Source::bytes(label, bytes).read()?;
        let file_name = file_name.map(str::to_owned);
        Ok(Self { label: source.name, file_name, text: source.text, mark })
    }

    /// The same file with another text.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        let (label, file_name) = (self.label.clone(), self.file_name.clone());
        Self { label, file_name, text, mark: ByteOrderMark::Absent }
    }

    /// Whether a field may reach over several lines, so that lines are no rows.
    pub(super) fn is_quoted(&self) -> bool {
        self.text.contains('"')
    }
}

/// How lines end, by count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEnds {
    /// Lines that end in CR LF, and the first of them.
    pub(super) crlf: usize,
    pub(super) first_crlf: usize,
    /// CR that no LF follows, and the line of the first.
    pub(super) lone_cr: usize,
    pub(super) first_lone_cr: usize,
}

impl LineEnds {
    pub(super) fn of(text: &str) -> Self {
        let mut ends = Self::default();
        for (line, number) in text.split('\n').zip(1..) {
            // The piece behind the last line feed has no end of its own.
            let body = match line.strip_suffix('\r') {
                Some(body) => {
                    ends.crlf += 1;
                    if ends.crlf == 1 {
                        ends.first_crlf = number;
                    }
                    body
                }
                None => line,
            };
            let lone = memchr::memchr_iter(b'\r', body.as_bytes()).count();
            if lone > 0 && ends.lone_cr == 0 {
                ends.first_lone_cr = number;
            }
            ends.lone_cr += lone;
        }
        ends
    }
}

/// The rules about the bytes of a file.
pub(super) fn check(submission: &Submission, task: Task, findings: &mut Findings) {
    if submission.mark == ByteOrderMark::Present {
        findings.error(
            RuleId::ByteOrderMark,
            Spot::Column(1, 1),
            "the file starts with a byte order mark, which others read as part of the first topic".to_owned(),
            "save it as UTF-8 without a byte order mark",
        );
    }
    let is_blank = |text: &str| text.bytes().all(|byte| byte.is_ascii_whitespace());
    if is_blank(&submission.text) {
        let fix = "write a row for each result";
        findings.error(RuleId::Empty, Spot::Line(1), "the file has no rows".to_owned(), fix);
        return;
    }
    if task == Task::Task3 && submission.is_quoted() {
        return;
    }
    let ends = LineEnds::of(&submission.text);
    if ends.crlf > 0 {
        let lines = super::mend::counted(ends.crlf, "line ends", "lines end");
        findings.warning(
            RuleId::LineEnds,
            Spot::Line(ends.first_crlf),
            format!("{lines} in CR LF, as on Windows"),
            "end lines with a line feed alone",
        );
    }
    if ends.lone_cr > 0 {
        findings.error(
            RuleId::LineEnds,
            Spot::Line(ends.first_lone_cr),
            format!("{} without a line feed behind", super::mend::counted(ends.lone_cr, "CR", "CRs")),
            "end lines with a line feed alone",
        );
    }
    for (line, number) in submission.text.split_terminator('\n').zip(1..) {
        if is_blank(line) {
            let text = "the line is blank".to_owned();
            findings.warning(RuleId::BlankLine, Spot::Line(number), text, "delete it");
        }
    }
}
