//! What is told of what a model writes, and when.
//!
//! Tokens are bytes and may end within a character; a text at which the model
//! shall stop may be split over tokens. So characters are told when they are
//! whole, and what may be the beginning of such a text is held back until it is clear.

use generate::{Continue, Event};

/// What became of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// More is wanted.
    More,
    /// A text came at which the model stops.
    StopText,
    /// Whoever listens has enough.
    Enough,
}

/// A text as it comes.
pub(crate) struct Speech<'a> {
    stop: Vec<&'a str>,
    listener: &'a mut dyn FnMut(Event<'_>) -> Continue,
    /// Bytes of a character that is not whole.
    bytes: Vec<u8>,
    /// Text that may be the beginning of one to stop at.
    held: String,
    told: String,
}

impl<'a> Speech<'a> {
    /// An empty text to stop at is none.
    pub(crate) fn new(stop: &[&'a str], listener: &'a mut dyn FnMut(Event<'_>) -> Continue) -> Self {
        let stop = stop.iter().copied().filter(|text| !text.is_empty()).collect();
        Self { stop, listener, bytes: Vec::new(), held: String::new(), told: String::new() }
    }

    /// Adds the bytes of a token.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Heard {
        self.bytes.extend_from_slice(bytes);
        loop {
            match std::str::from_utf8(&self.bytes) {
                Ok(text) => {
                    self.held.push_str(text);
                    self.bytes.clear();
                    break;
                }
                Err(error) => {
                    let (whole, rest) = self.bytes.split_at(error.valid_up_to());
                    self.held.push_str(&String::from_utf8_lossy(whole));
                    // Bytes that can never become a character are shown as such.
                    let Some(broken) = error.error_len() else {
                        self.bytes = rest.to_vec();
                        break;
                    };
                    self.held.push(char::REPLACEMENT_CHARACTER);
                    self.bytes = rest[broken..].to_vec();
                }
            }
        }
        if let Some(at) = self.stop.iter().filter_map(|stop| self.held.find(stop)).min() {
            self.held.truncate(at);
            return match self.tell(at) {
                Continue::Yes => Heard::StopText,
                Continue::No => Heard::Enough,
            };
        }
        let clear = self.held.len() - self.suspicious();
        // A model may go on for long without a text that could be told.
        let go_on = if clear == 0 { self.wait() } else { self.tell(clear) };
        match go_on {
            Continue::Yes => Heard::More,
            Continue::No => Heard::Enough,
        }
    }

    /// Asks whether more is wanted while there is nothing to tell.
    pub(crate) fn wait(&mut self) -> Continue {
        (self.listener)(Event::Waiting)
    }

    /// Tells what was held back, when nothing more comes, and gives the whole text.
    pub(crate) fn finish(mut self) -> String {
        if !self.bytes.is_empty() {
            self.held.push(char::REPLACEMENT_CHARACTER);
        }
        self.tell(self.held.len());
        self.told
    }

    /// What was told, when no more shall be.
    pub(crate) fn into_told(self) -> String {
        self.told
    }

    /// How many bytes at the end may be the beginning of a text to stop at.
    fn suspicious(&self) -> usize {
        let beginnings = self.stop.iter().flat_map(|stop| {
            stop.char_indices()
                .map(|(at, _)| at)
                .rev()
                .filter(|&at| at > 0 && self.held.ends_with(&stop[..at]))
                .take(1)
        });
        beginnings.max().unwrap_or(0)
    }

    fn tell(&mut self, length: usize) -> Continue {
        if length == 0 {
            return Continue::Yes;
        }
        let told: String = self.held.drain(..length).collect();
        self.told.push_str(&told);
        (self.listener)(Event::Text(&told))
    }
}

#[cfg(test)]
mod tests {
    use super::{Heard, Speech};
    use generate::{Continue, Event};
    use proptest::prelude::*;

    /// Pieces in, pieces told, and how it ended.
    fn hear(stop: &[&str], pieces: &[&[u8]]) -> (Vec<String>, Heard) {
        let mut told = Vec::new();
        let mut listener = |event: Event<'_>| {
            if let Event::Text(text) = event {
                told.push(text.to_owned());
            }
            Continue::Yes
        };
        let mut speech = Speech::new(stop, &mut listener);
        let mut heard = Heard::More;
        for piece in pieces {
            heard = speech.add(piece);
            if heard != Heard::More {
                break;
            }
        }
        let text = if heard == Heard::More { speech.finish() } else { speech.into_told() };
        assert_eq!(text, told.concat());
        assert!(!told.iter().any(String::is_empty));
        (told, heard)
    }

    #[test]
    fn characters_are_told_whole() {
        let (told, _) = hear(&[], &[b"a\xe2", b"\x89", b"\xa4b"]);
        assert_eq!(told, ["a", "≤b"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown() {
        assert_eq!(hear(&[], &[b"a\xff", b"b\xe2"]).0, ["a\u{fffd}", "b", "\u{fffd}"]);
        assert_eq!(hear(&[], &[b"\xe2", b"a"]).0, ["\u{fffd}a"]);
    }

    #[test]
    fn a_stop_text_is_not_told_though_tokens_split_it() {
        let (told, heard) = hear(&["\n\nQ:"], &[b"yes\n", b"\n", b"Q", b": no"]);
        assert_eq!((told.concat().as_str(), heard), ("yes", Heard::StopText));
    }

    #[test]
    fn what_only_looked_like_a_stop_text_is_told() {
        let (told, heard) = hear(&["END"], &[b"E", b"N", b"ENERGY", b" EN"]);
        assert_eq!((told.concat().as_str(), heard), ("ENENERGY EN", Heard::More));
        assert_eq!(told.last().map(String::as_str), Some("EN"));
    }

    #[test]
    fn the_first_stop_text_counts_and_an_empty_one_is_none() {
        assert_eq!(hear(&["", "d", "bc"], &[b"abcd"]).0, ["a"]);
        assert_eq!(hear(&[""], &[b"ab"]).0, ["ab"]);
    }

    #[test]
    fn a_listener_that_has_enough_is_told_no_more() {
        let mut count = 0;
        let mut listener = |_: Event<'_>| {
            count += 1;
            Continue::No
        };
        let mut speech = Speech::new(&[], &mut listener);
        assert_eq!(speech.add(b"a"), Heard::Enough);
        assert_eq!(speech.into_told(), "a");
        assert_eq!(count, 1);
    }

    #[test]
    fn a_listener_is_asked_though_there_is_nothing_to_tell() {
        let mut listener = |event: Event<'_>| {
            assert_eq!(event, Event::Waiting);
            Continue::No
        };
        // A token without a text, half a character, and what may be the beginning of a text to stop at.
        for bytes in [&b""[..], b"\xe2", b"EN"] {
            let mut speech = Speech::new(&["END"], &mut listener);
            assert_eq!(speech.add(bytes), Heard::Enough);
            assert_eq!(speech.into_told(), "");
        }
    }

    proptest! {
        /// However a text is cut into tokens, what is told is what stands before the stop text.
        #[test]
        fn cuts_do_not_matter(text in "[ab≤é]{0,12}", stop in "[ab≤]{1,3}", cuts in prop::collection::vec(0_usize..30, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &text.as_bytes()[pair[0]..pair[1]]).collect();
            let (told, heard) = hear(&[&stop], &pieces);
            let expected = text.split(&stop).next().unwrap_or_default();
            prop_assert_eq!(told.concat(), expected);
            prop_assert_eq!(heard == Heard::StopText, text.contains(&stop));
        }
    }
}
