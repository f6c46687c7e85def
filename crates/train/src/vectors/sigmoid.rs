//! The logistic function, from tables as the references have them.

use super::options::Reference;

/// The logistic function.
#[derive(Clone, Debug)]
pub(super) struct Sigmoid {
    table: Vec<f32>,
    limit: f32,
    /// Steps of the table for 1.
    steps: f32,
    outside: Outside,
}

/// What becomes of numbers beyond the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outside {
    /// They count 0 or 1.
    Saturates,
    /// Nothing is learned from them.
    Skips,
}

impl Sigmoid {
    pub(super) fn of(reference: Reference) -> Self {
        let (limit, size, outside) = match reference {
            Reference::Facebook => (8.0, 512, Outside::Saturates),
            Reference::Gensim => (6.0, 1000, Outside::Skips),
            Reference::Pine => (6.0, 1000, Outside::Saturates),
        };
        let at = |step: usize| (step as f64 * 2.0 * limit / size as f64 - limit) as f32;
        let value = |x: f32| (1.0 / (1.0 + libm::exp(-f64::from(x)))) as f32;
        Self {
            table: (0..=size).map(|step| value(at(step))).collect(),
            limit: limit as f32,
            steps: size as f32 / (2.0 * limit as f32),
            outside,
        }
    }

    /// The function itself, so closely that tests see no table.
    #[cfg(test)]
    pub(super) fn exact() -> Self {
        let size = 1 << 20;
        let at = |step: usize| (step as f64 + 0.5) * 4.0 / size as f64 - 2.0;
        let value = |x: f64| (1.0 / (1.0 + libm::exp(-x))) as f32;
        let table = (0..=size).map(|step| value(at(step))).collect();
        Self { table, limit: 2.0, steps: size as f32 / 4.0, outside: Outside::Saturates }
    }

    /// The value, or nothing if nothing is to be learned.
    #[inline(always)]
    pub(super) fn of_number(&self, x: f32) -> Option<f32> {
        if x > -self.limit && x < self.limit {
            let step = ((x + self.limit) * self.steps) as usize;
            return self.table.get(step).copied();
        }
        // Not a number is nothing to learn from.
        match self.outside {
            Outside::Skips => None,
            Outside::Saturates if x >= self.limit => Some(1.0),
            Outside::Saturates if x <= -self.limit => Some(0.0),
            Outside::Saturates => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_end_where_those_of_the_references_end() {
        let [facebook, gensim, pine] =
            [Reference::Facebook, Reference::Gensim, Reference::Pine].map(Sigmoid::of);
        assert_eq!((facebook.table.len(), gensim.table.len()), (513, 1001));
        for sigmoid in [&facebook, &gensim, &pine] {
            for x in [-5.9_f32, -2.0, -0.3, 0.0, 0.3, 2.0, 5.9] {
                let exact = 1.0 / (1.0 + (-x).exp());
                assert!((sigmoid.of_number(x).unwrap() - exact).abs() < 0.01, "{x}");
            }
            assert_eq!(sigmoid.of_number(0.0), Some(0.5));
        }
        assert_eq!((facebook.of_number(8.0), facebook.of_number(-9.0)), (Some(1.0), Some(0.0)));
        assert_eq!((gensim.of_number(6.0), gensim.of_number(-6.0)), (None, None));
        assert_eq!((pine.of_number(6.0), pine.of_number(-6.0)), (Some(1.0), Some(0.0)));
        assert_eq!(facebook.of_number(f32::NAN), None);
    }
}
