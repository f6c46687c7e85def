//! The few greatest of many.

/// The `limit` items with the greatest weight; of equal ones the least item.
#[derive(Clone, Debug)]
pub(crate) struct Top<T> {
    limit: usize,
    items: Vec<(u64, T)>,
}

impl<T: Ord> Top<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, items: Vec::new() }
    }

    /// Whether an item of this weight could be among them: saves making it.
    pub(crate) fn wants(&self, weight: u64) -> bool {
        self.items.len() < self.limit || self.items.last().is_some_and(|(least, _)| weight >= *least)
    }

    pub(crate) fn add(&mut self, weight: u64, item: T) {
        let before = |(other, known): &(u64, T)| (*other, &item) > (weight, known);
        let at = self.items.partition_point(before);
        if at < self.limit {
            self.items.insert(at, (weight, item));
            self.items.truncate(self.limit);
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        other.items.into_iter().for_each(|(weight, item)| self.add(weight, item));
    }

    /// The greatest first.
    pub(crate) fn into_items(self) -> Vec<(u64, T)> {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::Top;

    #[test]
    fn the_order_of_adding_does_not_matter() {
        let items = [(3, "c"), (9, "a"), (3, "b"), (1, "d"), (3, "a")];
        for start in 0..items.len() {
            let (mut top, mut other) = (Top::new(3), Top::new(3));
            for index in 0..items.len() {
                let (weight, item) = items[(start + index) % items.len()];
                if index % 2 == 0 { top.add(weight, item) } else { other.add(weight, item) }
            }
            top.merge(other);
            assert_eq!(top.into_items(), [(9, "a"), (3, "a"), (3, "b")]);
        }
    }
}
