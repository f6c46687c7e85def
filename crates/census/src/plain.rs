//! Plain counts, a name and a number a line.

use crate::Sheet;

impl Sheet<'_> {
    /// What the collection says is in it: stable names without blanks, and counts.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let counts = self.collection.about().counts;
        let mut list = vec![
            ("questions", counts.questions),
            ("answers", counts.answers),
            ("documents", counts.documents),
            ("comments", counts.comments),
            ("links", counts.links),
            ("users", counts.users),
            ("formulas", counts.formulas),
            ("formulas_in_titles", counts.in_titles),
            ("formulas_in_questions", counts.in_questions),
            ("formulas_in_answers", counts.in_answers),
            ("formulas_in_documents", counts.in_documents),
            ("formulas_in_comments", counts.in_comments),
            ("formulas_nowhere", counts.nowhere),
            ("formula_ids", counts.formula_ids),
            ("forms", counts.forms),
            ("visual_ids", counts.visuals),
        ];
        if counts.listed > 0 {
            list.extend([
                ("formulas_listed", counts.listed),
                ("formulas_listed_in_titles", counts.listed_in_titles),
                ("formulas_listed_in_questions", counts.listed_in_questions),
                ("formulas_listed_in_answers", counts.listed_in_answers),
                ("formulas_listed_in_comments", counts.listed_in_comments),
                ("visual_ids_listed_in_posts", counts.listed_visuals_in_posts),
            ]);
        }
        list.into_iter().map(|(name, count)| (name, u64::from(count))).collect()
    }

    /// [`Sheet::counts`] as lines: the name, blanks up to a common column, the number.
    #[must_use]
    pub fn plain(&self) -> String {
        let counts = self.counts();
        let name = counts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let digits = counts.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or(0);
        counts.iter().map(|(text, count)| format!("{text:name$}  {count:>digits$}\n")).collect()
    }
}
