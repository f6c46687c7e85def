//! Judgments by topic and document, ready to be looked up.

use crate::doc_table::{DocHash, DocHasher, DocTable};
use crate::ranked::{JudgedGrades, ResultGrade};
use foldhash::HashMap;
use foldhash::HashMapExt as _;
use formats::qrels::{Judgment, Qrels};
use formats::{DocId, TopicId};

/// What Task 3's codes for "system failure" and "do not know" count as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codes {
    /// As not judged, which is how Tasks 1 and 2 take them.
    #[default]
    Unjudged,
    /// As not relevant, which is how Task 3 takes them.
    Zero,
}

/// The judgments of all topics, borrowed from the file they were read from.
#[derive(Clone, Debug)]
pub struct Judgments<'q> {
    topics: Vec<JudgedTopic<'q>>,
    by_id: HashMap<&'q TopicId, usize>,
}

/// The judgments of one topic.
#[derive(Clone, Debug)]
pub struct JudgedTopic<'q> {
    id: &'q TopicId,
    /// Each document once.
    verdicts: Vec<(DocId<'q>, ResultGrade)>,
    places: DocTable,
    hasher: DocHasher,
    pool: JudgedGrades,
}

impl<'q> Judgments<'q> {
    /// Makes a file of judgments ready; topics are listed as people list them.
    #[must_use]
    pub fn new(qrels: &'q Qrels, codes: Codes) -> Self {
        Self::restricted(qrels, codes, |_, _| true)
    }

    /// Keeps only those judgments that `keep` says, as if the others had never been made.
    #[must_use]
    pub fn restricted(
        qrels: &'q Qrels,
        codes: Codes,
        mut keep: impl FnMut(&'q TopicId, DocId<'q>) -> bool,
    ) -> Self {
        let hasher = DocHasher::default();
        let mut topics: Vec<JudgedTopic<'q>> = qrels
            .topics()
            .map(|topic| {
                let rows = topic.rows().filter(|row| keep(topic.id(), row.doc()));
                let verdicts = rows.map(|row| (row.doc(), verdict(row.judgment(), codes))).collect();
                JudgedTopic::new(topic.id(), verdicts, hasher.clone())
            })
            .collect();
        topics.sort_by(|a, b| a.id.natural_cmp(b.id));
        let mut by_id = HashMap::with_capacity(topics.len());
        by_id.extend(topics.iter().enumerate().map(|(index, topic)| (topic.id, index)));
        Self { topics, by_id }
    }

    /// All topics, in the order in which people list them.
    #[must_use]
    pub fn topics(&self) -> &[JudgedTopic<'q>] {
        &self.topics
    }

    /// Where a topic stands in [`Judgments::topics`].
    #[must_use]
    pub fn index_of(&self, id: &TopicId) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

impl<'q> JudgedTopic<'q> {
    /// A topic that nobody judged.
    #[must_use]
    pub fn unjudged(id: &'q TopicId) -> Self {
        Self::new(id, Vec::new(), DocHasher::default())
    }

    fn new(id: &'q TopicId, verdicts: Vec<(DocId<'q>, ResultGrade)>, hasher: DocHasher) -> Self {
        let mut places = DocTable::default();
        places.clear(verdicts.len());
        for (place, (doc, _)) in verdicts.iter().enumerate() {
            places.insert(hasher.hash(*doc), place, |at| verdicts[at].0 == *doc);
        }
        let pool = JudgedGrades::new(verdicts.iter().filter_map(|(_, verdict)| verdict.grade()).collect());
        Self { id, verdicts, places, hasher, pool }
    }

    /// The topic.
    #[must_use]
    pub fn id(&self) -> &'q TopicId {
        self.id
    }

    /// All its grades.
    #[must_use]
    pub fn pool(&self) -> &JudgedGrades {
        &self.pool
    }

    /// What was said of a document.
    #[must_use]
    pub fn verdict(&self, doc: DocId<'_>) -> ResultGrade {
        self.verdict_of(self.hash(doc), doc)
    }

    /// What the hash of a document is, for [`JudgedTopic::verdict_of`].
    #[inline]
    pub(crate) fn hash(&self, doc: DocId<'_>) -> DocHash {
        self.hasher.hash(doc)
    }

    /// What was said of a document whose hash is known.
    #[inline]
    pub(crate) fn verdict_of(&self, hash: DocHash, doc: DocId<'_>) -> ResultGrade {
        let place = self.places.find(hash, |at| self.verdicts[at].0 == doc);
        place.map_or(ResultGrade::UNJUDGED, |place| self.verdicts[place].1)
    }

    /// The documents that were judged, in no order.
    pub fn docs(&self) -> impl Iterator<Item = (DocId<'q>, ResultGrade)> + '_ {
        self.verdicts.iter().copied()
    }
}

fn verdict(judgment: Judgment, codes: Codes) -> ResultGrade {
    match (judgment, codes) {
        (Judgment::Grade(grade), _) => ResultGrade::graded(grade),
        (Judgment::SystemFailure | Judgment::DoNotKnow, Codes::Zero) => ResultGrade::graded(0),
        _ => ResultGrade::POOLED,
    }
}
