//! What is known of the runs, and which of them is asked next.

use super::{Method, Relevance};
use stats::rng::Rng;

/// The runs of a topic, by their names, as a method sees them.
#[derive(Clone, Debug)]
pub(super) struct Arms {
    /// The items of each run, best first.
    lists: Vec<Vec<usize>>,
    /// How much of each list is given out or judged.
    done: Vec<usize>,
    known: Known,
}

#[derive(Clone, Debug)]
enum Known {
    /// Steps of priority that each run has lost, and the run that is followed.
    Front { lost: Vec<usize>, followed: Option<usize> },
    /// How many items of each run are relevant and how many are judged, older ones fading.
    Means { memory: f64, counts: Vec<(f64, f64)> },
}

impl Arms {
    pub(super) fn new(method: Method, lists: Vec<Vec<usize>>) -> Self {
        let count = lists.len();
        let known = match method {
            Method::MaxMean { memory } => Known::Means { memory, counts: vec![(0.0, 0.0); count] },
            Method::MoveToFront | Method::RankByRank | Method::Random => {
                Known::Front { lost: vec![0; count], followed: None }
            }
        };
        Self { done: vec![0; count], lists, known }
    }

    /// The next item and the run that gives it; nothing when no run has one.
    pub(super) fn draw(
        &mut self,
        is_waiting: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<(usize, usize)> {
        for (list, done) in self.lists.iter().zip(&mut self.done) {
            *done += list[*done..].iter().take_while(|place| !is_waiting(**place)).count();
        }
        let has_more = |run: usize| self.done[run] < self.lists[run].len();
        let open: Vec<usize> = (0..self.lists.len()).filter(|run| has_more(*run)).collect();
        let run = match &mut self.known {
            Known::Front { lost, followed } => match followed.filter(|run| has_more(*run)) {
                Some(run) => run,
                None => {
                    let least = open.iter().map(|run| lost[*run]).min()?;
                    let run = pick(&open, rng, |run| lost[run] == least)?;
                    *followed = Some(run);
                    run
                }
            },
            Known::Means { counts, .. } => {
                let mean = |run: usize| (counts[run].0 + 1.0) / (counts[run].1 + 2.0);
                let highest = open.iter().map(|run| mean(*run)).max_by(f64::total_cmp)?;
                pick(&open, rng, |run| mean(run).total_cmp(&highest).is_eq())?
            }
        };
        Some((self.lists[run][self.done[run]], run))
    }

    /// Takes a judgment of an item of these runs, drawn from one of them or from nowhere.
    pub(super) fn learn(&mut self, runs: &[usize], drawn_from: Option<usize>, relevance: Relevance) {
        match &mut self.known {
            Known::Front { lost, followed } => {
                if let (Some(run), Relevance::NotRelevant) = (drawn_from, relevance) {
                    lost[run] += 1;
                    *followed = followed.filter(|followed| *followed != run);
                }
            }
            Known::Means { memory, counts } => {
                let gain = f64::from(u8::from(relevance == Relevance::Relevant));
                for run in runs {
                    let (relevant, judged) = counts[*run];
                    counts[*run] = (*memory * relevant + gain, *memory * judged + 1.0);
                }
            }
        }
    }
}

/// One of the runs that are as good, by chance.
fn pick(open: &[usize], rng: &mut Rng, is_as_good: impl Fn(usize) -> bool) -> Option<usize> {
    let best: Vec<usize> = open.iter().copied().filter(|run| is_as_good(*run)).collect();
    best.get(rng.index(best.len())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Relevance::{NotRelevant, Relevant};

    /// Draws and judges until the end; returns the runs asked and the items given.
    fn play(method: Method, lists: &[&[usize]], relevant: &[usize], seed: u64) -> Vec<(usize, usize)> {
        let mut arms = Arms::new(method, lists.iter().map(|list| list.to_vec()).collect());
        let mut rng = Rng::seeded(seed);
        let mut given: Vec<(usize, usize)> = Vec::new();
        while let Some((item, run)) = arms.draw(|item| given.iter().all(|(_, seen)| *seen != item), &mut rng)
        {
            given.push((run, item));
            let runs: Vec<usize> = (0..lists.len()).filter(|run| lists[*run].contains(&item)).collect();
            let relevance = if relevant.contains(&item) { Relevant } else { NotRelevant };
            arms.learn(&runs, Some(run), relevance);
        }
        given
    }

    #[test]
    fn a_run_is_followed_while_it_is_right() {
        for seed in 0..20 {
            let given = play(Method::MoveToFront, &[&[0, 1, 2, 3], &[4, 5, 6, 7]], &[0, 1, 2], seed);
            let runs: Vec<usize> = given.iter().map(|(run, _)| *run).collect();
            // Run 0 gives three relevant items and one that is not; run 1 nothing of use.
            match runs[0] {
                // Four in a row, and then only the other is left.
                0 => assert_eq!(runs, [0, 0, 0, 0, 1, 1, 1, 1], "seed {seed}"),
                // One that is not: then run 0 has the higher priority and stays to its end.
                _ => assert_eq!(runs, [1, 0, 0, 0, 0, 1, 1, 1], "seed {seed}"),
            }
        }
    }

    #[test]
    fn two_poor_runs_take_turns_when_moved_to_front() {
        for seed in 0..20 {
            let given = play(Method::MoveToFront, &[&[0, 1, 2], &[3, 4, 5]], &[], seed);
            for turn in given.chunks(2) {
                assert_ne!(turn[0].0, turn[1].0, "seed {seed}: {given:?}");
            }
        }
    }

    #[test]
    fn the_highest_mean_is_asked() {
        for seed in 0..20 {
            let given = play(Method::MAX_MEAN, &[&[0, 1, 2, 3, 4], &[5, 6, 7]], &[0, 1], seed);
            let runs: Vec<usize> = given.iter().map(|(run, _)| *run).collect();
            // Run 0 goes 1/2, 2/3, 3/4, 3/5, 3/6, 3/7; run 1 goes 1/2, 1/3, 1/4.
            match runs[0] {
                // After 3/6 both are at 1/2, and chance decides: 0 ends, or 1 is tried once.
                0 => assert!(
                    [vec![0, 0, 0, 0, 0, 1, 1, 1], vec![0, 0, 0, 0, 1, 0, 1, 1]].contains(&runs),
                    "{runs:?}"
                ),
                _ => assert_eq!(runs, [1, 0, 0, 0, 0, 0, 1, 1]),
            }
        }
    }

    #[test]
    fn without_memory_the_last_judgment_alone_counts() {
        for seed in 0..20 {
            let given = play(Method::MAX_MEAN_LAST, &[&[0, 1, 2, 3], &[4, 5, 6, 7]], &[0, 1, 5], seed);
            let runs: Vec<usize> = given.iter().map(|(run, _)| *run).collect();
            // Run 0: 2/3, 2/3, then 1/3. Run 1: 1/3 after 4, 2/3 after 5, 1/3 after 6.
            let (zero, one) = (runs.iter().position(|run| *run == 0), runs.iter().position(|run| *run == 1));
            let (zero, one) = (zero.unwrap(), one.unwrap());
            assert_eq!(runs[zero..zero + 3], [0, 0, 0], "seed {seed}");
            assert!(one <= 3, "untried at 1/2 comes before tried in vain at 1/3");
        }
    }

    #[test]
    fn a_judgment_counts_for_every_run_with_the_item() {
        // Both share item 0; run 1 has learned from it although run 0 may have been asked.
        let mut arms = Arms::new(Method::MAX_MEAN, vec![vec![0, 1], vec![0, 2], vec![3]]);
        arms.learn(&[0, 1], Some(0), Relevant);
        for seed in 0..20 {
            let (item, _) = arms.clone().draw(|item| item != 0, &mut Rng::seeded(seed)).unwrap();
            assert!(item == 1 || item == 2, "run 2 is at 1/2, the others at 2/3");
        }
    }
}
