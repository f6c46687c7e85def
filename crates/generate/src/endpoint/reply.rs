//! What a server answered: a whole completion, or one piece by piece.
//!
//! Which of the two it is, is seen in its first byte, whatever the server calls it. Nothing here knows a
//! socket: the answer is read from anything that gives bytes. What an answer says is read in `answer.rs`.

use super::answer::{Heard, SoFar, unreadable};
use super::guard::Guard;
use crate::sse::EventReader;
use crate::{Cause, Completion, Continue, Ended};
use std::io::{self, Read};

/// How much is read of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Of all bytes.
    pub(super) bytes: u64,
    /// Of a line in a stream.
    pub(super) line: usize,
}

/// Reads a completion. `form` is what the server calls its answer, `guard` says what of it may be told, and
/// `broken` what it means when bytes cannot be read.
pub(super) fn read(
    reader: impl Read,
    limits: Limits,
    form: &str,
    guard: Guard,
    broken: impl Fn(io::Error) -> Cause,
    on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
) -> Result<Completion, Cause> {
    let mut source = Source { reader, broken, limit: limits.bytes, total: 0, buffer: vec![0; 16 << 10] };
    let start = loop {
        let piece = source.next()?;
        if piece.is_empty() {
            return Err(Cause::BrokenOff { reason: "it is empty".to_owned() });
        }
        let piece = piece.trim_ascii_start();
        if !piece.is_empty() {
            break piece.to_vec();
        }
    };
    let mut so_far = SoFar::new(guard);
    if start.starts_with(b"{") {
        read_whole(start, source, form, &mut so_far, on_heard)?;
    } else {
        match read_stream(start, source, limits.line, form, &mut so_far, on_heard) {
            // The text was whole before; nothing that comes after it matters.
            Err(_) if so_far.ended.is_some() => {}
            result => result?,
        }
    }
    so_far.completion(on_heard)
}

/// Bytes of an answer, piece by piece, and not too many of them.
struct Source<R, B> {
    reader: R,
    broken: B,
    limit: u64,
    total: u64,
    buffer: Vec<u8>,
}

impl<R: Read, B: Fn(io::Error) -> Cause> Source<R, B> {
    /// The next bytes, none at the end.
    fn next(&mut self) -> Result<&[u8], Cause> {
        let count = loop {
            match self.reader.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result.map_err(&self.broken)?,
            }
        };
        self.total += count as u64;
        if self.total > self.limit {
            return Err(Cause::TooLarge { limit: self.limit });
        }
        Ok(&self.buffer[..count])
    }
}

fn read_whole<R: Read, B: Fn(io::Error) -> Cause>(
    start: Vec<u8>,
    mut source: Source<R, B>,
    form: &str,
    so_far: &mut SoFar,
    on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
) -> Result<(), Cause> {
    let mut bytes = start;
    loop {
        let piece = source.next()?;
        if piece.is_empty() {
            break;
        }
        bytes.extend_from_slice(piece);
    }
    let answer = serde_json::from_slice(&bytes).map_err(|error| unreadable(format!("{error} ({form})")))?;
    so_far.take(answer, on_heard)?;
    so_far.ended.get_or_insert(Ended::Itself);
    Ok(())
}

fn read_stream<R: Read, B: Fn(io::Error) -> Cause>(
    start: Vec<u8>,
    mut source: Source<R, B>,
    longest_line: usize,
    form: &str,
    so_far: &mut SoFar,
    on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
) -> Result<(), Cause> {
    let mut reader = EventReader::new(longest_line);
    let mut events = Vec::new();
    let mut has_events = false;
    let mut pushed = reader.push(&start, &mut events);
    loop {
        has_events |= !events.is_empty();
        for event in events.drain(..) {
            if event == "[DONE]" {
                so_far.ended.get_or_insert(Ended::Itself);
                return Ok(());
            }
            // Some servers send these as a sign of life.
            if event.trim().is_empty() {
                continue;
            }
            let answer = serde_json::from_str(&event).map_err(|error| unreadable(error.to_string()))?;
            so_far.take(answer, on_heard)?;
            if so_far.is_stopped {
                return Ok(());
            }
        }
        pushed.map_err(|error| unreadable(error.to_string()))?;
        let piece = source.next()?;
        if piece.is_empty() {
            break;
        }
        pushed = reader.push(piece, &mut events);
    }
    // What has no blank line after it counts if it is whole, and is half an event otherwise.
    let finished = reader.finish(&mut events);
    has_events |= !events.is_empty();
    for event in events.iter().filter(|_| finished.is_ok()) {
        if event == "[DONE]" {
            so_far.ended.get_or_insert(Ended::Itself);
        } else if let Ok(answer) = serde_json::from_str(event) {
            so_far.take(answer, on_heard)?;
        }
    }
    match so_far.ended {
        Some(_) => Ok(()),
        None if has_events => {
            Err(Cause::BrokenOff { reason: "the stream ended before the text did".to_owned() })
        }
        None => Err(unreadable(format!("it is neither JSON nor a stream of events ({form})"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { bytes: 1000, line: 300 };

    fn read(answer: &str) -> Result<(String, Ended), Cause> {
        let mut pieces = String::new();
        let mut listen = |heard: Heard<'_>| {
            if let Heard::Text(piece) = heard {
                pieces.push_str(piece);
            }
            Continue::Yes
        };
        let broken = |error: io::Error| Cause::BrokenOff { reason: error.to_string() };
        let guard = Guard::new(None, &["\nQ:".to_owned()]);
        let completion = super::read(answer.as_bytes(), LIMITS, "text/plain", guard, broken, &mut listen)?;
        assert_eq!(pieces, completion.text);
        Ok((completion.text, completion.ended))
    }

    fn good(answer: &str) -> (String, Ended) {
        read(answer).unwrap_or_else(|cause| panic!("{answer}: {cause}"))
    }

    fn unreadable(answer: &str) -> String {
        match read(answer) {
            Err(Cause::Unreadable { reason }) => reason,
            other => panic!("{answer}: {other:?}"),
        }
    }

    fn itself(text: &str) -> (String, Ended) {
        (text.to_owned(), Ended::Itself)
    }

    #[test]
    fn whole_answers() {
        let chat = r#" {"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}"#;
        assert_eq!(good(chat), itself("4"));
        let text = r#"{"choices":[{"text":"4","finish_reason":"length"}]}"#;
        assert_eq!(good(text), ("4".to_owned(), Ended::Limit));
        // A whole answer needs no word about its end.
        assert_eq!(good(r#"{"choices":[{"text":"4"}],"error":null}"#), itself("4"));
    }

    #[test]
    fn a_content_that_is_null_is_an_empty_text() {
        let whole = r#"{"choices":[{"message":{"content":null},"finish_reason":"length"}]}"#;
        assert_eq!(good(whole), (String::new(), Ended::Limit));
        let stream = "data: {\"choices\":[{\"delta\":{\"content\":null}}]}\n\ndata: [DONE]\n\n";
        assert_eq!(good(stream), itself(""));
    }

    #[test]
    fn streams_end_by_a_mark_or_by_a_reason() {
        let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"4\"},\"finish_reason\":null}]}\n\n";
        let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        let empty = "data: {\"choices\":[]}\n\n";
        assert_eq!(good(&format!("{piece}{piece}data: [DONE]\n\n")), itself("44"));
        assert_eq!(good(&format!("{piece}data: [DONE]")), itself("4"));
        assert_eq!(good(&format!("{empty}{piece}{end}")), itself("4"));
        assert_eq!(good(&format!("{piece}{}", end.trim_end())), itself("4"));
        // After the end nothing counts, not even what cannot be read.
        assert_eq!(good(&format!("{piece}{end}{piece}data: oh\n\n")), itself("4"));
        assert_eq!(good(&format!("{piece}data: [DONE]\n\n{piece}data: [DONE]\n\n")), itself("4"));
        for half in [piece.to_owned(), format!("{piece}data: {{\"cho"), format!("{piece}{}", &end[..40])] {
            assert!(matches!(read(&half), Err(Cause::BrokenOff { .. })), "{half}");
        }
    }

    #[test]
    fn empty_events_are_passed_over() {
        let piece = "data: {\"choices\":[{\"text\":\"4\",\"finish_reason\":null}]}\n\n";
        assert_eq!(good(&format!("data:\n\ndata: \n\n{piece}data:\n\ndata: [DONE]\n\n")), itself("4"));
    }

    #[test]
    fn texts_end_before_the_first_stop_whatever_the_server_makes_of_it() {
        let whole = r#"{"choices":[{"text":"4\nQ: 5?","finish_reason":"length"}]}"#;
        assert_eq!(good(whole), itself("4"));
        let piece = |text: &str| format!("data: {{\"choices\":[{{\"text\":\"{text}\"}}]}}\n\n");
        assert_eq!(good(&(piece("4\\n") + &piece("Q") + &piece(": 5?") + "data: oh\n\n")), itself("4"));
        // What only began as a stop does belongs to the text.
        assert_eq!(good(&(piece("4\\n") + &piece("Q") + "data: [DONE]\n\n")), itself("4\nQ"));
    }

    #[test]
    fn a_content_may_be_in_parts() {
        let parts = r#"[{"type":"thinking","thinking":[]},{"type":"text","text":"It "},{"type":"text","text":"is."}]"#;
        let whole =
            format!("{{\"choices\":[{{\"message\":{{\"content\":{parts}}},\"finish_reason\":\"stop\"}}]}}");
        assert_eq!(good(&whole), itself("It is."));
    }

    #[test]
    fn thoughts_without_an_answer_are_an_error_that_says_so() {
        for thoughts in [r#""content":null,"reasoning_content":"Hm""#, r#""content":"","reasoning":"Hm""#] {
            let whole = format!(r#"{{"choices":[{{"message":{{{thoughts}}},"finish_reason":"length"}}]}}"#);
            assert_eq!(read(&whole), Err(Cause::OnlyThoughts));
            let stream = format!("data: {{\"choices\":[{{\"delta\":{{{thoughts}}}}}]}}\n\n");
            let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n";
            assert_eq!(read(&(stream.clone() + end)), Err(Cause::OnlyThoughts));
            let text = "data: {\"choices\":[{\"delta\":{\"content\":\"4\"}}]}\n\n";
            assert_eq!(good(&(stream + text + end)), ("4".to_owned(), Ended::Limit));
        }
    }

    #[test]
    fn what_a_server_says_of_itself_is_known() {
        let whole = r#"{"model":"m-2","system_fingerprint":"fp_1","choices":[{"text":"4"}]}"#;
        let broken = |_| unreachable!("memory can be read");
        let completion =
            super::read(whole.as_bytes(), LIMITS, "", Guard::default(), broken, &mut |_| Continue::Yes)
                .unwrap();
        assert_eq!(completion.served.model.as_deref(), Some("m-2"));
        assert_eq!(completion.served.system_fingerprint.as_deref(), Some("fp_1"));
    }

    #[test]
    fn other_texts_than_the_first_are_not_taken() {
        let two = r#"{"choices":[{"index":1,"text":"no"},{"index":0,"text":"yes"}]}"#;
        assert_eq!(good(two), itself("yes"));
    }

    #[test]
    fn what_is_no_answer_says_why() {
        assert!(unreadable("<html>").contains("neither JSON nor a stream of events (text/plain)"));
        assert!(unreadable("{\"choices\":[").contains("EOF"));
        assert!(unreadable("{}").contains("no choices"));
        assert!(unreadable(r#"{"choices":[]}"#).contains("no choice in it"));
        assert!(unreadable(r#"{"choices":[{}]}"#).contains("a choice has no text"));
        assert!(unreadable(r#"{"choices":7}"#).contains("invalid type"));
        assert!(unreadable("data: [DONE]\n\n").contains("no choice in it"));
        assert!(unreadable("data: oh\n\n").contains("expected value"));
        assert!(unreadable(&format!(": {}", "x".repeat(300))).contains("300 bytes"));
        assert!(matches!(read(&" ".repeat(1001)), Err(Cause::TooLarge { limit: 1000 })));
        assert!(matches!(read(" "), Err(Cause::BrokenOff { .. })));
    }

    #[test]
    fn errors_inside_an_answer_are_told() {
        let busy = "data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n";
        assert_eq!(read(busy), Err(Cause::Status { status: 503, message: "busy".to_owned() }));
        let lost = r#"{"error":"lost"}"#;
        assert_eq!(read(lost), Err(Cause::Reported { message: "lost".to_owned() }));
    }

    #[test]
    fn an_end_that_is_not_known_is_no_answer() {
        let filtered = r#"{"choices":[{"text":"4","finish_reason":"content_filter"}]}"#;
        assert_eq!(read(filtered), Err(Cause::Withheld { reason: "content_filter".to_owned() }));
    }

    #[test]
    fn who_listens_can_stop() {
        let stream = "data: {\"choices\":[{\"text\":\"4\"}]}\n\ndata: {\"choices\":[{\"text\":\"5\"}]}\n\n";
        let broken = |_| unreachable!("memory can be read");
        let completion =
            super::read(stream.as_bytes(), LIMITS, "", Guard::default(), broken, &mut |_| Continue::No)
                .unwrap();
        assert_eq!((completion.text.as_str(), completion.ended), ("4", Ended::Stopped));
    }

    #[test]
    fn who_listens_can_stop_before_there_is_text() {
        let thought = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"Hm\"}}]}\n\n";
        let broken = |_| unreachable!("memory can be read");
        let mut events = 0;
        let completion =
            super::read(thought.repeat(5).as_bytes(), LIMITS, "", Guard::default(), broken, &mut |heard| {
                assert_eq!(heard, Heard::Nothing);
                events += 1;
                if events < 3 { Continue::Yes } else { Continue::No }
            });
        let completion = completion.unwrap();
        assert_eq!((completion.text.as_str(), completion.ended, events), ("", Ended::Stopped, 3));
    }
}
