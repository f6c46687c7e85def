//! Topics from any bytes, in whatever format they show, written in every format there is.
#![no_main]

use collection::{
    LineEnd, Representation, Source, TopicFormat, read_topics, read_topics_as, write_topic_formulas,
    write_topics,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = read_topics(Source::bytes("topics", bytes)) else { return };
    for topic in &file.topics {
        let _ = topic.marked_formulas();
        topic.formulas.iter().for_each(|formula| drop(formula.plain_latex()));
    }
    for line_end in [LineEnd::Lf, LineEnd::CrLf] {
        for format in [
            TopicFormat::ArqmathXml,
            TopicFormat::NtcirXml,
            TopicFormat::FormulaTsv,
            TopicFormat::LatexTsv,
            TopicFormat::TextTsv,
            TopicFormat::Table,
        ] {
            let Ok(written) = write_topics(&file.topics, format, line_end) else { continue };
            let again =
                read_topics_as(Source::bytes("again", written.text.clone()), format).expect("it was read");
            if written.lost.is_empty() {
                // Nothing is lost: reading gives exactly the topics that were written.
                assert_eq!(again.topics, file.topics);
            }
            if let Ok(twice) = write_topics(&again.topics, format, line_end)
                && twice.lost.is_empty()
            {
                let twice = read_topics_as(Source::bytes("twice", twice.text), format).expect("it was read");
                assert_eq!(twice.topics, again.topics);
            }
        }
        for representation in Representation::ALL {
            let _ = write_topic_formulas(&file.topics, representation, line_end);
        }
    }
});
