//! One step after the other: what a sequence of tokens teaches the rows of a network.
//!
//! Skip-gram predicts each token of a window from the sub-words of the one in its middle, whose hidden vector the
//! references make again for each token that is predicted. Since every prediction adds one gradient to all rows that
//! the vector is made of, the vector after it is known without them, and the rows are changed once for the window:
//! the same numbers up to rounding, for a fraction of the work.

use super::chance::Negatives;
use super::numbers::{BLOCK, Block, add_scaled, zeros};
use super::options::{Objective, Options, Reference};
use super::rows::Rows;
use super::sigmoid::Sigmoid;
use stats::rng::Rng;

/// The rows that a token's vector is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    rows: Vec<u32>,
    ends: Vec<usize>,
    /// What the hidden vector gains of a gradient that is added to each of the rows.
    gains: Vec<f32>,
    /// What the sum of the rows is divided by.
    divisors: Vec<f32>,
}

impl Made {
    /// Adds a token that is made of its own row and of those of its sub-words.
    pub(super) fn push(&mut self, own: u32, subwords: &[u32], reference: Reference) {
        self.rows.push(own);
        self.rows.extend_from_slice(subwords);
        self.ends.push(self.rows.len());
        let divisor = match reference {
            Reference::Gensim | Reference::Pine => subwords.len().max(1),
            Reference::Facebook => subwords.len() + 1,
        } as f32;
        // A row that occurs several times gets the gradient as often, and counts as often.
        let repeated: usize =
            subwords.iter().map(|row| subwords.iter().filter(|other| *other == row).count()).sum();
        self.divisors.push(divisor);
        self.gains.push((repeated + 1) as f32 / divisor);
    }

    #[inline(always)]
    pub(super) fn of(&self, token: u32) -> &[u32] {
        let token = token as usize;
        let start = token.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[token]]
    }
}

/// What all threads know.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) objective: Objective,
    pub(super) reference: Reference,
    pub(super) window: usize,
    pub(super) negatives: usize,
    pub(super) blocks: usize,
    /// How many of the dimensions are positional.
    pub(super) positional: usize,
    pub(super) made: Made,
    /// The probability with which an occurrence of each token is kept.
    pub(super) keep: Vec<f64>,
    pub(super) drawn: Negatives,
    pub(super) sigmoid: Sigmoid,
}

impl Plan {
    pub(super) fn new(options: &Options, made: Made, keep: Vec<f64>, drawn: Negatives) -> Self {
        let reference = options.algorithm.reference();
        Self {
            objective: options.objective,
            reference,
            window: options.window,
            negatives: options.negatives,
            blocks: super::numbers::blocks(options.dimensions),
            positional: options.positional,
            made,
            keep,
            drawn,
            sigmoid: Sigmoid::of(reference),
        }
    }

    /// A token that stands against a target; nothing if it is the target itself, which Facebook's draws again, and
    /// the others pass over.
    #[inline(always)]
    fn negative(&self, target: u32, rng: &mut Rng) -> Option<u32> {
        let draws = if self.reference == Reference::Facebook { REDRAWS } else { 1 };
        for _ in 0..draws {
            let drawn = self.drawn.draw(rng);
            if drawn != target {
                return Some(drawn);
            }
        }
        None
    }
}

/// The matrices.
#[derive(Debug)]
pub(super) struct Network<M> {
    /// A row for each token, then one for each bucket that is used.
    pub(super) input: M,
    /// A row for each token.
    pub(super) output: M,
    /// A row for each place in the window, if places count.
    pub(super) positions: M,
}

/// A thread's own memory.
#[derive(Debug)]
pub(super) struct Learner<'p> {
    plan: &'p Plan,
    kept: Vec<u32>,
    hidden: Vec<Block>,
    gradient: Vec<Block>,
    change: Vec<Block>,
    /// Copies of the rows around a token and of the rows of their places, before they are changed.
    around: Vec<Block>,
    places: Vec<Block>,
    /// The target and what stands against it.
    rows: Vec<u32>,
    /// The sum of the losses of some predictions, and their number.
    pub(super) loss: (f64, u64),
    centres: u64,
}

/// The loss of one centre in this many is summed up.
const WATCHED: u64 = 64;

impl<'p> Learner<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let blocks = plan.blocks;
        Self {
            plan,
            kept: Vec::new(),
            hidden: zeros(blocks),
            gradient: zeros(blocks),
            change: zeros(blocks),
            around: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            loss: (0.0, 0),
            centres: 0,
        }
    }

    /// Learns from a sequence of tokens at a learning rate.
    #[inline(always)]
    pub(super) fn sequence<R: Rows>(
        &mut self,
        tokens: &[u32],
        rate: f32,
        network: &mut Network<R>,
        rng: &mut Rng,
    ) {
        let plan = self.plan;
        self.kept.clear();
        for &token in tokens {
            let keep = plan.keep[token as usize];
            if keep >= 1.0 || rng.unit() < keep {
                self.kept.push(token);
            }
        }
        let kept = std::mem::take(&mut self.kept);
        for centre in 0..kept.len() {
            let reach = 1 + rng.index(plan.window);
            self.step(&kept, (centre, reach), rate, network, rng);
        }
        self.kept = kept;
    }

    /// Learns from a token and those up to `reach` places before and after it.
    #[inline(always)]
    fn step<R: Rows>(
        &mut self,
        kept: &[u32],
        (centre, reach): (usize, usize),
        rate: f32,
        network: &mut Network<R>,
        rng: &mut Rng,
    ) {
        let start = centre.saturating_sub(reach);
        let end = kept.len().min(centre + reach + 1);
        if end - start < 2 {
            return;
        }
        match self.plan.objective {
            Objective::SkipGram => self.skip_gram(kept, (start, centre, end), rate, network, rng),
            Objective::Cbow if self.plan.positional > 0 => {
                self.positional(kept, (start, centre, end), rate, network, rng);
            }
            Objective::Cbow => self.cbow(kept, (start, centre, end), rate, network, rng),
        }
        self.centres += 1;
    }

    /// Predicts the tokens around a token from it.
    #[inline(always)]
    fn skip_gram<R: Rows>(
        &mut self,
        kept: &[u32],
        (start, centre, end): (usize, usize, usize),
        rate: f32,
        network: &mut Network<R>,
        rng: &mut Rng,
    ) {
        let made = &self.plan.made;
        let token = kept[centre];
        let rows = made.of(token);
        let mut hidden = std::mem::take(&mut self.hidden);
        let mut change = std::mem::take(&mut self.change);
        mean(rows, made.divisors[token as usize], &network.input, &mut hidden);
        change.fill([0.0; BLOCK]);
        let gain = made.gains[token as usize];
        for place in (start..end).filter(|place| *place != centre) {
            self.predict(kept[place], &hidden, rate, &mut network.output, rng);
            for ((hidden, change), gradient) in hidden.iter_mut().zip(&mut change).zip(&self.gradient) {
                add_scaled(hidden, gain, gradient);
                add_scaled(change, 1.0, gradient);
            }
        }
        for &row in rows {
            network.input.change(row as usize, &change);
        }
        (self.hidden, self.change) = (hidden, change);
    }

    /// Predicts a token from the mean of all rows around it.
    #[inline(always)]
    fn cbow<R: Rows>(
        &mut self,
        kept: &[u32],
        (start, centre, end): (usize, usize, usize),
        rate: f32,
        network: &mut Network<R>,
        rng: &mut Rng,
    ) {
        let made = &self.plan.made;
        let mut hidden = std::mem::take(&mut self.hidden);
        hidden.fill([0.0; BLOCK]);
        let mut count = 0;
        let around = || (start..end).filter(|place| *place != centre).map(|place| made.of(kept[place]));
        for rows in around() {
            for &row in rows {
                network.input.add_to(row as usize, &mut hidden);
            }
            count += rows.len();
        }
        scale(&mut hidden, 1.0 / count as f32);
        self.predict(kept[centre], &hidden, rate, &mut network.output, rng);
        for rows in around() {
            for &row in rows {
                network.input.change(row as usize, &self.gradient);
            }
        }
        self.hidden = hidden;
    }

    /// The same, with the first numbers of each row multiplied by those of its place in the window.
    #[inline(always)]
    fn positional<R: Rows>(
        &mut self,
        kept: &[u32],
        (start, centre, end): (usize, usize, usize),
        rate: f32,
        network: &mut Network<R>,
        rng: &mut Rng,
    ) {
        let Plan { blocks, positional, window, .. } = *self.plan;
        let around = end - start - 1;
        let of_places = super::numbers::blocks(positional);
        self.around.clear();
        self.around.resize(around * blocks, [0.0; BLOCK]);
        self.places.clear();
        self.places.resize(around * of_places, [0.0; BLOCK]);
        // Places are counted without the one in the middle.
        let place = |at: usize| if at < centre { at + window - centre } else { at + window - centre - 1 };
        let tokens = || (start..end).filter(|at| *at != centre).map(|at| (kept[at] as usize, place(at)));
        let mut hidden = std::mem::take(&mut self.hidden);
        hidden.fill([0.0; BLOCK]);
        for (number, (token, place)) in tokens().enumerate() {
            let row = &mut self.around[number * blocks..(number + 1) * blocks];
            network.input.add_to(token, row);
            let weights = &mut self.places[number * of_places..(number + 1) * of_places];
            network.positions.add_to(place, weights);
            for (at, numbers) in row.iter().enumerate() {
                for (lane, number) in numbers.iter().enumerate() {
                    hidden[at][lane] += number * weight(weights, positional, (at, lane));
                }
            }
        }
        scale(&mut hidden, 1.0 / around as f32);
        self.predict(kept[centre], &hidden, rate, &mut network.output, rng);
        let mut change = std::mem::take(&mut self.change);
        let mut of_place = zeros(of_places);
        for (number, (token, place)) in tokens().enumerate() {
            let row = &self.around[number * blocks..(number + 1) * blocks];
            let weights = &self.places[number * of_places..(number + 1) * of_places];
            for (at, (change, gradient)) in change.iter_mut().zip(&self.gradient).enumerate() {
                for lane in 0..BLOCK {
                    change[lane] = gradient[lane] * weight(weights, positional, (at, lane));
                    if at * BLOCK + lane < positional {
                        of_place[at][lane] = gradient[lane] * row[at][lane];
                    }
                }
            }
            network.input.change(token, &change);
            network.positions.change(place, &of_place);
        }
        (self.hidden, self.change) = (hidden, change);
    }

    /// Teaches the output rows that this token belongs to a hidden vector and drawn ones do not; what that says of
    /// the vector is the gradient.
    #[inline(always)]
    fn predict<R: Rows>(&mut self, target: u32, hidden: &[Block], rate: f32, output: &mut R, rng: &mut Rng) {
        let plan = self.plan;
        let mut gradient = std::mem::take(&mut self.gradient);
        gradient.fill([0.0; BLOCK]);
        let watched = self.centres.is_multiple_of(WATCHED);
        // All rows are brought near at once: one after the other, each would be waited for.
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        rows.push(target);
        for _ in 0..plan.negatives {
            rows.extend(plan.negative(target, rng));
        }
        let mut any = 0;
        for &row in &rows {
            any |= output.touch(row as usize);
        }
        std::hint::black_box(any);
        for (number, &row) in rows.iter().enumerate() {
            let (row, label) = (row as usize, if number == 0 { 1.0 } else { 0.0 });
            let x = output.dot(row, hidden);
            if watched {
                self.loss.0 += loss(if number == 0 { x } else { -x });
            }
            if let Some(value) = plan.sigmoid.of_number(x) {
                output.learn(row, rate * (label - value), hidden, &mut gradient);
            }
        }
        self.rows = rows;
        self.gradient = gradient;
        self.loss.1 += u64::from(watched);
    }

    /// A step with the whole window, for tests.
    #[cfg(test)]
    pub(super) fn centre<R: Rows>(
        &mut self,
        tokens: &[u32],
        centre: usize,
        rate: f32,
        network: &mut Network<R>,
    ) {
        let reach = self.plan.window;
        self.step(tokens, (centre, reach), rate, network, &mut Rng::seeded(1));
    }

    /// The hidden vector of the last prediction; after a step of skip-gram, with its gradient.
    #[cfg(test)]
    pub(super) fn hidden(&self) -> &[Block] {
        &self.hidden
    }

    /// The gradient of the last prediction.
    #[cfg(test)]
    pub(super) fn gradient(&self) -> &[Block] {
        &self.gradient
    }
}

/// How often a negative is drawn at most: where there is hardly another token, drawing would not end.
const REDRAWS: usize = 100;

/// The loss of a prediction whose score is `x`.
fn loss(x: f32) -> f64 {
    libm::log1p(libm::exp(-f64::from(x)))
}

/// The sum of rows over a divisor.
#[inline(always)]
fn mean<R: Rows>(rows: &[u32], divisor: f32, input: &R, hidden: &mut [Block]) {
    hidden.fill([0.0; BLOCK]);
    for &row in rows {
        input.add_to(row as usize, hidden);
    }
    scale(hidden, 1.0 / divisor);
}

#[inline(always)]
fn scale(numbers: &mut [Block], factor: f32) {
    for number in numbers.as_flattened_mut() {
        *number *= factor;
    }
}

/// What a number of a row is multiplied with at a place.
#[inline(always)]
fn weight(weights: &[Block], positional: usize, (at, lane): (usize, usize)) -> f32 {
    if at * BLOCK + lane < positional { weights[at][lane] } else { 1.0 }
}
