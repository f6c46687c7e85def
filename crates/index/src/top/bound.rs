//! Upper bounds of clauses in windows.

use super::{Norms, Part, Searcher, Space, TermScorer};

impl Searcher {
    /// Bounds each clause in each window, and finds where its postings are.
    pub(super) fn bound<W: TermScorer, N: Norms>(&mut self, parts: &[Part<'_, '_, W, N>], space: &Space<'_>) {
        let windows = space.windows.len();
        self.bounds.clear();
        self.cursors.clear();
        for part in parts {
            if self.pace.is_over() {
                // The first window that is looked at ends the search.
                self.bounds.resize(parts.len() * windows, 0);
                return;
            }
            self.peaks.clear();
            self.peaks.resize(windows, 0.0);
            for member in &part.clause.members {
                self.cursors.push(member, space, &mut self.peaks, &mut self.pace);
            }
            let bounds = self.peaks.iter().enumerate();
            let bounds = bounds.map(|(window, &peak)| if peak > 0.0 { part.bound(peak, window) } else { 0 });
            self.bounds.extend(bounds);
        }
    }
}
