//! What runs contributed to the pools, by the depths of the lab.

use super::entries::Answers;
use super::{Entry, Task3Args};
use anyhow::Result;
use formats::check::{Evaluation, SubmissionName};
use formats::{DocId, TopicId};
use pool::{Depths, Extent, Preset, Reading, Standing, Unit};

/// Reads two depths: of primary runs, and of others.
pub(super) fn depths(text: &str) -> Result<Depths, String> {
    let parts: Option<Vec<usize>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some([primary, alternate]) if *primary > 0 && *alternate > 0 => {
            Ok(Depths { primary: *primary, alternate: *alternate })
        }
        _ => Err("two depths are wanted, of primary runs and of others, as in 45,20".to_owned()),
    }
}

impl Task3Args {
    /// How deep runs of Task 1 were pooled.
    pub(super) fn depths(&self) -> Depths {
        self.pool_depths.unwrap_or_else(|| match Preset::Arqmath3Task1.extent() {
            Extent::Depths(depths) => depths,
            Extent::RankByRank { .. } => Depths::WHOLE,
        })
    }
}

impl Entry {
    /// The posts that the run contributed to the pools: the first of a ranking, as many as runs of its
    /// standing were pooled to, and every judged post that a written answer agrees with, as each of them
    /// is as much its source as the one whose grade it has.
    pub(super) fn contributed(&self, depths: Depths) -> Result<Vec<(TopicId, DocId<'_>)>> {
        match &self.answers {
            Answers::Ranked { run, .. } => {
                let (reading, depth) = (Reading::new(Unit::Posts), depths.of(self.standing()));
                let mut contributed = Vec::new();
                for topic in run.topics() {
                    let pooled = reading.ranking(topic)?.into_iter().take(depth);
                    contributed.extend(pooled.map(|doc| (topic.id().clone(), doc)));
                }
                Ok(contributed)
            }
            Answers::Mapped { .. } | Answers::New { .. } => Ok(self.known_ids().collect()),
            Answers::Written { matches, .. } => {
                let posts = matches.iter().flat_map(|(topic, found)| {
                    found.post.iter().chain(&found.others).map(|post| (topic.clone(), DocId(post)))
                });
                Ok(posts.collect())
            }
        }
    }

    /// What the name of its file says; a run whose name does not say it is not a primary one.
    fn standing(&self) -> Standing {
        let name = self.file_name().and_then(|name| SubmissionName::parse(&name).ok());
        match name.map(|(name, _)| name.evaluation) {
            Some(Evaluation::Primary) => Standing::Primary,
            Some(Evaluation::Alternate) | None => Standing::Alternate,
        }
    }
}
