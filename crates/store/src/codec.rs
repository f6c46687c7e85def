//! Numbers and texts of a record, one after the other, without padding.

use frame::varint;

/// Appends a number in as few bytes as it needs.
pub(crate) fn put_number(out: &mut Vec<u8>, number: u64) {
    varint::put(number, out);
}

/// Appends a text with its length before it.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends a text that may be missing: its length and one, or nought.
pub(crate) fn put_maybe(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => {
            put_number(out, text.len() as u64 + 1);
            out.extend_from_slice(text.as_bytes());
        }
        None => out.push(0),
    }
}

/// Takes apart what the functions above wrote; `None` means that the bytes are not theirs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn number(&mut self) -> Option<u64> {
        varint::take(&mut self.0)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        self.take(length)
    }

    pub(crate) fn maybe(&mut self) -> Option<Option<&'a str>> {
        match self.number()? {
            0 => Some(None),
            length => self.take(length - 1).map(Some),
        }
    }

    fn take(&mut self, length: u64) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let mut bytes = Vec::new();
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            put_number(&mut bytes, number);
        }
        put_text(&mut bytes, "");
        put_text(&mut bytes, "𝑥²");
        put_maybe(&mut bytes, None);
        put_maybe(&mut bytes, Some(""));
        put_maybe(&mut bytes, Some("y"));
        let mut fields = Fields(&bytes);
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(fields.number(), Some(number));
        }
        assert_eq!(fields.text(), Some(""));
        assert_eq!(fields.text(), Some("𝑥²"));
        assert_eq!(fields.maybe(), Some(None));
        assert_eq!(fields.maybe(), Some(Some("")));
        assert_eq!(fields.maybe(), Some(Some("y")));
        assert_eq!(fields.number(), None);
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[0x80][..], &[5, b'a'], &[1, 0xFF], &[0xFF; 12]] {
            assert_eq!(Fields(bytes).text(), None, "{bytes:?}");
        }
    }
}
