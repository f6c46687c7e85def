//! Judgments from any bytes, on all scales: what was read is written and read again the same.
#![no_main]

use collection::Source;
use collection::qrels::{Judgment, Qrels, Scale};
use eval::{Codes, Judgments};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for scale in [Scale::Plain, Scale::Task3, Scale::Ntcir] {
        let Ok((qrels, _)) = Qrels::read(Source::bytes("qrels", bytes), scale) else { continue };
        let text = qrels.to_text();
        // A mark at the start of a file is no part of its first topic.
        if text.starts_with('\u{FEFF}') {
            continue;
        }
        let (again, _) =
            Qrels::read(Source::bytes("again", text.clone()), scale).expect("it can be read again");
        assert_eq!(rows(&again), rows(&qrels));
        assert_eq!(again.to_text(), text);
        let judgments = Judgments::new(&qrels, Codes::Unjudged);
        for topic in judgments.topics() {
            assert_eq!(
                judgments.topics()[judgments.index_of(topic.id()).expect("it is there")].id(),
                topic.id()
            );
            assert!(topic.docs().all(|(doc, verdict)| topic.verdict(doc) == verdict));
        }
        let _ = Qrels::sum(&[qrels, again]);
    }
});

fn rows(qrels: &Qrels) -> Vec<(String, String, Judgment)> {
    let rows = qrels.topics().flat_map(|topic| topic.rows().map(move |row| (topic.id(), row)));
    rows.map(|(topic, row)| (topic.to_string(), row.doc().to_string(), row.judgment())).collect()
}
