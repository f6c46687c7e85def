//! What clauses can be worth in a window at most.

use super::{Member, Norms, Part, Searcher, Space, TermScorer};

/// Lists with fewer postings a window are read to see in which windows they are.
const SPARSE: usize = 16;

impl Searcher {
    /// Bounds each clause in each window.
    pub(super) fn bound<W: TermScorer, N: Norms>(&mut self, parts: &[Part<'_, '_, W, N>], space: &Space<'_>) {
        let windows = space.windows.len();
        self.bounds.clear();
        for part in parts {
            if self.pace.is_over() {
                // The first window that is looked at ends the search.
                self.bounds.resize(parts.len() * windows, 0);
                return;
            }
            self.peaks.clear();
            self.peaks.resize(windows, 0.0);
            for member in &part.clause.members {
                self.peaks_of(member, space);
            }
            let bounds = self.peaks.iter().enumerate();
            let bounds = bounds.map(|(window, &peak)| if peak > 0.0 { part.bound(peak, window) } else { 0 });
            self.bounds.extend(bounds);
        }
    }

    /// Adds the highest frequency that a member can have in each window.
    fn peaks_of(&mut self, member: &Member<'_>, space: &Space<'_>) {
        let list = &member.list;
        let window_of = |doc: u32| space.windows.partition_point(|start| *start <= doc).saturating_sub(1);
        if (list.len() as usize) < space.windows.len() * SPARSE {
            // A short list is in few windows, and it is quickly seen in which.
            let mut last = usize::MAX;
            let mut peak = 0;
            for number in 0..list.num_blocks() {
                list.unpack(number, &mut self.block);
                self.pace.step(1);
                for (doc, frequency) in self.block.postings() {
                    if last == usize::MAX || !space.window(last).contains(&doc) {
                        if last != usize::MAX {
                            self.peaks[last] += peak as f32 * member.factor;
                        }
                        (last, peak) = (window_of(doc), 0);
                    }
                    peak = peak.max(frequency);
                }
            }
            if last != usize::MAX {
                self.peaks[last] += peak as f32 * member.factor;
            }
            return;
        }
        let (mut window, mut peak, mut first) = (0, 0, 0_u32);
        self.pace.step(list.num_blocks() as u64 / 16 + 1);
        for block in 0..list.num_blocks() {
            let last = list.last_doc(block);
            let highest = list.highest_in(block);
            // The block lies in the windows from that of its first document to that of its last.
            while first >= space.window(window).end {
                self.peaks[window] += peak as f32 * member.factor;
                peak = 0;
                window += 1;
            }
            peak = peak.max(highest);
            while last >= space.window(window).end && window + 1 < space.windows.len() {
                self.peaks[window] += peak as f32 * member.factor;
                peak = highest;
                window += 1;
            }
            first = last.saturating_add(1);
            if first >= space.documents {
                break;
            }
        }
        self.peaks[window] += peak as f32 * member.factor;
    }
}
