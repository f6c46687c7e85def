//! What is wrong with the rows of a batch, and which way each row should move.
//!
//! Rows come in as single precision and are worked on in double precision, in a fixed order. The formulas and the
//! numbers of the tests are those of the labs' systems and of sentence-transformers.

/// A loss and its gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Lossy {
    /// The loss of the batch.
    pub loss: f64,
    /// A row for each row of the batch.
    pub gradient: Vec<f32>,
}

/// Which texts a query is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Negatives {
    /// All texts of the batch, hard negatives of other queries among them.
    #[default]
    Shared,
    /// Its own hard negative alone.
    Own,
}

/// The cross-entropy of finding the text that belongs to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranking {
    /// What similarities are multiplied by.
    pub scale: f64,
    /// Cosines rather than dot products.
    pub cosine: bool,
    /// Which texts a query is compared with.
    pub negatives: Negatives,
}

impl Ranking {
    /// `rows` are `count` queries, as many texts that belong to them, and perhaps as many that do not. A text of the
    /// same group as a query, other than its own, is left out: it may answer the query as well.
    #[must_use]
    pub fn loss(&self, rows: &[f32], width: usize, groups: &[[u32; 2]]) -> Lossy {
        let count = groups.len();
        let units = Units::new(rows, width, self.cosine);
        let documents = (units.len() - count).max(count);
        let mut pulls = vec![0.0; rows.len()];
        let mut loss = 0.0;
        for query in 0..count {
            let is_candidate = |document: usize| match self.negatives {
                _ if document == query => true,
                Negatives::Own => document == count + query,
                Negatives::Shared if document < count => groups[document][0] != groups[query][0],
                Negatives::Shared => groups[document - count][1] != groups[query][0],
            };
            let candidates: Vec<usize> = (0..documents).filter(|document| is_candidate(*document)).collect();
            let scores: Vec<f64> =
                candidates.iter().map(|document| self.scale * units.dot(query, count + document)).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = scores.iter().map(|score| libm::exp(score - most)).sum();
            for (&document, &score) in candidates.iter().zip(&scores) {
                let share = libm::exp(score - most) / sum;
                let is_own = document == query;
                if is_own {
                    loss += (most + libm::log(sum) - score) / count as f64;
                }
                let slope = (share - f64::from(u8::from(is_own))) * self.scale / count as f64;
                units.pull(query, count + document, slope, &mut pulls);
            }
        }
        Lossy { loss, gradient: units.finish(&pulls) }
    }
}

/// The hinge on how much nearer a query is to its own text than to its hard negative, by cosine: the mean over
/// triples. `rows` are queries, texts and negatives.
#[must_use]
pub fn triplet(rows: &[f32], width: usize, margin: f64) -> Lossy {
    let units = Units::new(rows, width, true);
    let count = units.len() / 3;
    let (mut loss, mut pulls) = (0.0, vec![0.0; rows.len()]);
    for query in 0..count {
        let (own, other) = (count + query, 2 * count + query);
        let hinge = units.dot(query, other) - units.dot(query, own) + margin;
        if hinge > 0.0 {
            loss += hinge / count as f64;
            units.pull(query, other, 1.0 / count as f64, &mut pulls);
            units.pull(query, own, -1.0 / count as f64, &mut pulls);
        }
    }
    Lossy { loss, gradient: units.finish(&pulls) }
}

/// The mean squared error of cosines beside targets, as CompuBERT was trained in 2020. `rows` are queries and texts.
#[must_use]
pub fn cosine_regression(rows: &[f32], width: usize, targets: &[f32]) -> Lossy {
    let units = Units::new(rows, width, true);
    let count = targets.len();
    let (mut loss, mut pulls) = (0.0, vec![0.0; rows.len()]);
    for (query, target) in targets.iter().enumerate() {
        let error = units.dot(query, count + query) - f64::from(*target);
        loss += error * error / count as f64;
        units.pull(query, count + query, 2.0 * error / count as f64, &mut pulls);
    }
    Lossy { loss, gradient: units.finish(&pulls) }
}

/// Squared cosine distances of pairs that belong together, and of those that do not within a margin; of the batch
/// only pairs that are hard: negatives nearer than the farthest positive, positives farther than the nearest negative.
/// `rows` are queries, texts and negatives.
#[must_use]
pub fn online_contrastive(rows: &[f32], width: usize, margin: f64) -> Lossy {
    let units = Units::new(rows, width, true);
    let count = units.len() / 3;
    let distance = |query: usize, other: usize| 1.0 - units.dot(query, other);
    let together: Vec<f64> = (0..count).map(|query| distance(query, count + query)).collect();
    let apart: Vec<f64> = (0..count).map(|query| distance(query, 2 * count + query)).collect();
    let farthest = together.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let nearest = apart.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut loss, mut pulls) = (0.0, vec![0.0; rows.len()]);
    for query in 0..count {
        if together[query] > nearest {
            loss += together[query] * together[query];
            units.pull(query, count + query, -2.0 * together[query], &mut pulls);
        }
        let within = margin - apart[query];
        if apart[query] < farthest && within > 0.0 {
            loss += within * within;
            units.pull(query, 2 * count + query, 2.0 * within, &mut pulls);
        }
    }
    Lossy { loss, gradient: units.finish(&pulls) }
}

/// The mean binary cross-entropy of logits, one for each label.
#[must_use]
pub fn binary_cross_entropy(logits: &[f32], labels: &[f32]) -> Lossy {
    let count = labels.len().max(1) as f64;
    let (mut loss, mut gradient) = (0.0, Vec::with_capacity(logits.len()));
    for (&logit, &label) in logits.iter().zip(labels) {
        let (logit, label) = (f64::from(logit), f64::from(label));
        loss += (logit.max(0.0) - logit * label + libm::log1p(libm::exp(-logit.abs()))) / count;
        gradient.push(((1.0 / (1.0 + libm::exp(-logit)) - label) / count) as f32);
    }
    Lossy { loss, gradient }
}

/// The mean cross-entropy of two logits a pair, of which the second means that the texts belong together.
#[must_use]
pub fn softmax_cross_entropy(logits: &[f32], labels: &[f32]) -> Lossy {
    let count = labels.len().max(1) as f64;
    let (mut loss, mut gradient) = (0.0, Vec::with_capacity(logits.len()));
    for (pair, &label) in logits.chunks_exact(2).zip(labels) {
        let (apart, together, label) = (f64::from(pair[0]), f64::from(pair[1]), f64::from(label));
        // Two classes are one logit: the difference.
        let logit = together - apart;
        loss += (logit.max(0.0) - logit * label + libm::log1p(libm::exp(-logit.abs()))) / count;
        let slope = ((1.0 / (1.0 + libm::exp(-logit)) - label) / count) as f32;
        gradient.extend([-slope, slope]);
    }
    Lossy { loss, gradient }
}

/// Rows of unit length, or as they are, and how gradients of their products become those of the rows.
struct Units {
    width: usize,
    rows: Vec<f64>,
    /// What each row was divided by; empty if rows are as they came.
    lengths: Vec<f64>,
}

impl Units {
    fn new(rows: &[f32], width: usize, unit: bool) -> Self {
        let mut rows: Vec<f64> = rows.iter().copied().map(f64::from).collect();
        let mut lengths = Vec::new();
        if unit {
            for row in rows.chunks_exact_mut(width) {
                let length = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12);
                row.iter_mut().for_each(|x| *x /= length);
                lengths.push(length);
            }
        }
        Self { width, rows, lengths }
    }

    fn len(&self) -> usize {
        self.rows.len() / self.width
    }

    fn row(&self, number: usize) -> &[f64] {
        &self.rows[number * self.width..][..self.width]
    }

    fn dot(&self, left: usize, right: usize) -> f64 {
        self.row(left).iter().zip(self.row(right)).map(|(x, y)| x * y).sum()
    }

    /// Adds the gradient of a product of two rows, times `slope`.
    fn pull(&self, left: usize, right: usize, slope: f64, pulls: &mut [f64]) {
        for (to, from) in [(left, right), (right, left)] {
            let to = &mut pulls[to * self.width..][..self.width];
            to.iter_mut().zip(self.row(from)).for_each(|(sum, x)| *sum += slope * x);
        }
    }

    /// The gradient of the rows as they came.
    fn finish(&self, pulls: &[f64]) -> Vec<f32> {
        if self.lengths.is_empty() {
            return pulls.iter().map(|pull| *pull as f32).collect();
        }
        let mut gradient = Vec::with_capacity(pulls.len());
        for ((pull, unit), length) in
            pulls.chunks_exact(self.width).zip(self.rows.chunks_exact(self.width)).zip(&self.lengths)
        {
            let along: f64 = pull.iter().zip(unit).map(|(pull, x)| pull * x).sum();
            gradient.extend(pull.iter().zip(unit).map(|(pull, x)| ((pull - along * x) / length) as f32));
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERIES: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
    const TEXTS: [f32; 4] = [0.8, 0.6, 0.6, 0.8];
    const HARD: [f32; 4] = [0.0, 1.0, 1.0, 0.0];
    const APART: [[u32; 2]; 2] = [[0, 2], [1, 3]];

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} in place of {expected}");
    }

    #[test]
    fn losses_of_rankings_are_those_of_the_labs() {
        let (pairs, all) = ([QUERIES, TEXTS].concat(), [QUERIES, TEXTS, HARD].concat());
        let dots = Ranking { scale: 1.0, cosine: false, negatives: Negatives::Shared };
        near(dots.loss(&all, 2, &APART).loss, 1.249_748);
        let cosines = Ranking { scale: 20.0, cosine: true, negatives: Negatives::Shared };
        near(cosines.loss(&pairs, 2, &APART).loss, 0.018_150);
        near(cosines.loss(&all, 2, &APART).loss, 4.018_479);
        // Of its own negative alone: ln(1 + exp(0 - 0.8)) for dot products.
        let own = Ranking { negatives: Negatives::Own, ..dots };
        near(own.loss(&all, 2, &APART).loss, libm::log1p(libm::exp(-0.8)));
    }

    #[test]
    fn texts_of_the_same_thread_are_no_negatives() {
        let rows = [QUERIES, TEXTS, HARD].concat();
        let ranking = Ranking { scale: 1.0, cosine: false, negatives: Negatives::Shared };
        assert_eq!(ranking.loss(&rows[..8], 2, &[[7, 0], [7, 0]]).loss, 0.0);
        // The hard negative of the second query belongs to the thread of the first.
        let masked = ranking.loss(&rows, 2, &[[0, 2], [1, 0]]).loss;
        assert!(masked < ranking.loss(&rows, 2, &APART).loss, "{masked}");
    }

    #[test]
    fn losses_of_logits_are_those_of_torch() {
        near(binary_cross_entropy(&[0.7], &[1.0]).loss, 0.403_186);
        near(binary_cross_entropy(&[0.7], &[0.0]).loss, 1.103_186);
        near(softmax_cross_entropy(&[0.1, 0.8], &[1.0]).loss, 0.403_186);
        near(binary_cross_entropy(&[-800.0], &[0.0]).loss, 0.0);
    }

    #[test]
    fn only_hard_pairs_count_in_the_online_contrastive_loss() {
        // Distances of texts .2 and .2, of negatives 1 and 1: all are easy.
        assert_eq!(online_contrastive(&[QUERIES, TEXTS, HARD].concat(), 2, 0.5).loss, 0.0);
        // The other way round: texts at 1, negatives at .2, so 1 + 1 + .3² + .3².
        near(online_contrastive(&[QUERIES, HARD, TEXTS].concat(), 2, 0.5).loss, 2.18);
    }

    #[test]
    fn triples_and_targets() {
        let rows = [QUERIES, TEXTS, HARD].concat();
        near(triplet(&rows, 2, 0.5).loss, 0.0);
        near(triplet(&rows, 2, 1.0).loss, 0.2);
        near(cosine_regression(&rows[..8], 2, &[1.0, 0.3]).loss, (0.04 + 0.25) / 2.0);
    }

    /// Every gradient beside central differences, for rows that are not of unit length.
    #[test]
    fn gradients_are_central_differences() {
        let rows: Vec<f32> = (0..36_u16).map(|place| f32::from(place * 37 % 23) / 9.0 - 1.1).collect();
        let groups = [[0, 9], [1, 0], [2, 9], [3, 9]];
        let ranking = |cosine, scale, negatives| {
            move |rows: &[f32]| Ranking { scale, cosine, negatives }.loss(rows, 3, &groups)
        };
        let targets = [1.0, 0.0, 0.4, 0.7, 0.1, 0.9];
        let labels = [1.0_f32, 0.0].repeat(9);
        type Loss<'l> = Box<dyn Fn(&[f32]) -> Lossy + 'l>;
        let all: [(&str, Loss<'_>); 9] = [
            ("dots", Box::new(ranking(false, 1.0, Negatives::Shared))),
            ("cosines", Box::new(ranking(true, 20.0, Negatives::Shared))),
            ("own", Box::new(ranking(true, 5.0, Negatives::Own))),
            (
                "pairs",
                Box::new(move |rows| {
                    Ranking { scale: 3.0, cosine: true, negatives: Negatives::Shared }.loss(
                        rows,
                        3,
                        &[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]],
                    )
                }),
            ),
            ("triplet", Box::new(|rows| triplet(rows, 3, 0.7))),
            ("regression", Box::new(move |rows| cosine_regression(rows, 3, &targets))),
            ("contrastive", Box::new(|rows| online_contrastive(rows, 3, 0.5))),
            ("binary", Box::new(move |rows| binary_cross_entropy(rows, &labels.repeat(2)))),
            ("softmax", Box::new(|rows| softmax_cross_entropy(rows, &[1.0, 0.0, 0.0].repeat(6)))),
        ];
        for (name, loss) in all {
            let Lossy { gradient, .. } = loss(&rows);
            assert_eq!(gradient.len(), rows.len(), "{name}");
            assert!(gradient.iter().any(|slope| slope.abs() > 1e-4), "{name}");
            for place in 0..rows.len() {
                let at = |step: f32| {
                    let mut moved = rows.clone();
                    moved[place] += step;
                    (loss(&moved).loss, f64::from(moved[place]))
                };
                let (high, low) = (at(1e-3), at(-1e-3));
                let slope = (high.0 - low.0) / (high.1 - low.1);
                let found = f64::from(gradient[place]);
                assert!(
                    (found - slope).abs() < 1e-4 + 1e-3 * slope.abs(),
                    "{name} {place}: {found}, not {slope}"
                );
            }
        }
    }
}
