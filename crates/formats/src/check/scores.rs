//! Rules about ranks, scores and the length of a ranking.

use super::finding::{Findings, RuleId, Spot};
use super::mend::counted;
use super::rows::{Row, Rows};
use crate::fields::shorten;
use crate::ids::DocId;
use crate::order::{Width, compare};

/// Checks each topic's ranks, scores and length, then ties over all of them.
pub(super) fn check(rows: &Rows<'_>, most: usize, findings: &mut Findings) {
    let mut exact = Ties::default();
    let mut narrow = Ties::default();
    for row in rows.rows() {
        check_numbers(&row, findings);
    }
    for topic in rows.by_topic() {
        let ranking: Vec<&Row<'_>> = topic.rows.iter().collect();
        check_ranks(&ranking, findings);
        check_order(&ranking, findings);
        if let Some(first) = ranking.get(most) {
            let more = if topic.is_whole() {
                String::new()
            } else {
                format!("; the order and the ties of the first {} are looked at", ranking.len())
            };
            let (id, count) = (shorten(topic.topic), topic.count);
            let text = format!("topic {id} has {count} results; {most} are the most{more}");
            let fix = format!("keep the {most} with the highest scores");
            findings.error(RuleId::TooMany, Spot::Line(first.number), text, fix);
        }
        exact.add(&ranking, Width::F64);
        narrow.add(&ranking, Width::F32);
    }
    let fix = "give different scores where the order matters";
    if let Some(first) = exact.first {
        let tied = counted(exact.tied, "result", "results");
        let moved = counted(exact.moved, "result moves", "results move");
        let text = format!(
            "{tied} in {} share a score with others: trec_eval puts the higher id first, and {moved}; the lab pools them \
             by rank",
            counted(exact.topics, "topic", "topics"),
        );
        findings.warning(RuleId::Ties, first, text, fix);
    }
    if narrow.tied > exact.tied
        && let Some(first) = narrow.first
    {
        let tied = counted(narrow.tied - exact.tied, "more result ties", "more results tie");
        let moved = counted(narrow.moved, "result moves", "results move");
        let text =
            format!("{tied} in the 32 bits that trec_eval 9 keeps of a score; with all ties {moved} there");
        findings.warning(RuleId::Ties32Bits, first, text, fix);
    }
}

fn check_numbers(row: &Row<'_>, findings: &mut Findings) {
    if row.rank.is_none() {
        let text = format!("the rank '{}' is not a whole number", shorten(row.rank_text));
        findings.error(RuleId::Rank, row.spot(row.rank_text), text, "count ranks from 1 in each topic");
    }
    if row.score.is_none() {
        let shown = shorten(row.score_text);
        let (text, fix) = match row.score_text.parse::<f64>() {
            Ok(score) if score.is_nan() => ("the score is not a number but NaN".to_owned(), "write a number"),
            Ok(_) => (format!("the score '{shown}' is not finite"), "write a finite number"),
            Err(_) if row.score_text.contains(',') => {
                (format!("the score '{shown}' is not a number"), "write decimals with a point")
            }
            Err(_) => (format!("the score '{shown}' is not a number"), "write a number"),
        };
        findings.error(RuleId::Score, row.spot(row.score_text), text, fix);
    }
}

/// Ranks count 1, 2, 3 in the order of the file. Counting goes on from each slip; gaps are said once a topic.
fn check_ranks(ranking: &[&Row<'_>], findings: &mut Findings) {
    let fix = "count ranks from 1 in each topic, by falling score";
    let mut wanted = 1;
    let mut gaps: Option<(Spot, String, usize)> = None;
    for (index, row) in ranking.iter().enumerate() {
        let Some(rank) = row.rank else {
            wanted += 1;
            continue;
        };
        let place = row.spot(row.rank_text);
        let topic = shorten(row.topic);
        if index == 0 && rank != 1 {
            let text = format!("the ranks of topic {topic} start at {rank}, not at 1");
            if rank == 0 {
                findings.error(RuleId::Rank, place, text, fix);
            } else {
                findings.warning(RuleId::Rank, place, text, fix);
            }
        } else if rank > wanted {
            let text = format!("rank {rank} follows rank {}: there is a gap", wanted - 1);
            gaps.get_or_insert((place, text, 0)).2 += 1;
        } else if wanted > 0 && rank == wanted - 1 {
            findings.error(RuleId::Rank, place, format!("rank {rank} stands twice in topic {topic}"), fix);
        } else if rank < wanted {
            let text = format!("rank {rank} follows rank {}: ranks must rise", wanted - 1);
            findings.error(RuleId::Rank, place, text, fix);
        }
        wanted = rank.saturating_add(1);
    }
    if let Some((place, text, count)) = gaps {
        let more = if count > 1 { format!(" ({count} in this topic)") } else { String::new() };
        findings.warning(RuleId::Rank, place, text + &more, fix);
    }
}

/// The rows by their ranks if these tell them apart, else in the order of the file.
fn by_rank<'r, 'a>(ranking: &[&'r Row<'a>]) -> Vec<&'r Row<'a>> {
    let mut ranks: Vec<u64> = ranking.iter().filter_map(|row| row.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let mut sorted = ranking.to_vec();
    if ranks.len() == ranking.len() {
        sorted.sort_by_key(|row| row.rank);
    }
    sorted
}

/// Scores fall as ranks rise.
fn check_order(ranking: &[&Row<'_>], findings: &mut Findings) {
    for pair in by_rank(ranking).windows(2) {
        let [before, row] = pair else { continue };
        if let (Some(higher), Some(lower)) = (before.score, row.score)
            && lower > higher
        {
            let text = format!(
                "the score {} is above {} of the rank before; measures go by the score, not by the rank",
                shorten(row.score_text),
                shorten(before.score_text)
            );
            let fix = "sort each topic by score; if low scores are good, write them negative";
            findings.error(RuleId::ScoreOrder, row.spot(row.score_text), text, fix);
        }
    }
}

/// How many scores of all topics are above the one of the rank before, and how many there are.
pub(super) fn rising(rows: &Rows<'_>) -> (usize, usize) {
    let (mut up, mut all) = (0, 0);
    for topic in rows.by_topic() {
        let ranking: Vec<&Row<'_>> = topic.rows.iter().collect();
        for pair in by_rank(&ranking).windows(2) {
            if let (Some(higher), Some(lower)) = (pair[0].score, pair[1].score) {
                all += 1;
                up += usize::from(lower > higher);
            }
        }
    }
    (up, all)
}

/// Results that share their score with others of their topic, where that changes the order.
#[derive(Debug, Default)]
struct Ties {
    topics: usize,
    tied: usize,
    moved: usize,
    first: Option<Spot>,
}

impl Ties {
    fn add(&mut self, ranking: &[&Row<'_>], width: Width) {
        let scored = |row: &&Row<'_>| Some((width.round(row.score?), row.number));
        let mut given: Vec<(f64, usize, &Row<'_>)> = ranking
            .iter()
            .filter_map(|row| scored(row).map(|(score, number)| (score, number, *row)))
            .collect();
        given.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut ordered = given.clone();
        ordered.sort_by(|a, b| compare((a.0, DocId(a.2.doc)), (b.0, DocId(b.2.doc))));
        let moved = given.iter().zip(&ordered).filter(|(a, b)| a.1 != b.1).count();
        if moved == 0 {
            return;
        }
        let is_same = |pair: &[(f64, usize, &Row<'_>)]| pair[0].0.total_cmp(&pair[1].0).is_eq();
        for index in 0..given.len() {
            let before = index > 0 && is_same(&given[index - 1..=index]);
            let behind = index + 1 < given.len() && is_same(&given[index..=index + 1]);
            if before || behind {
                self.tied += 1;
                let row = given[index].2;
                self.first.get_or_insert_with(|| row.spot(row.score_text));
            }
        }
        self.moved += moved;
        self.topics += 1;
    }
}
