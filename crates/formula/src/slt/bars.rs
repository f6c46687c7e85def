//! Which vertical bars open, which close, and which stand alone.
//!
//! `|` says nothing about its side. In `|x|+|y|` it does by what stands around
//! it: where an operand is awaited a bar opens, after one it closes what was
//! opened; in `P(A|B)` there is nothing to close, and it stands alone.

use super::from_latex::{Item, Role};

/// What a bar does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bar {
    /// Begins a fence.
    Open,
    /// Ends one.
    Close,
    /// Neither.
    #[default]
    Plain,
}

/// The decisions for one baseline, and the fences that are open while it is read.
#[derive(Debug, Default)]
pub(super) struct Bars {
    decisions: Vec<Bar>,
    open: Vec<usize>,
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default)]
struct Level {
    /// Bars of this level, by position.
    bars: Vec<usize>,
}

impl Bars {
    /// Looks at a whole baseline.
    pub(super) fn decide(&mut self, items: &[Item]) {
        self.open.clear();
        self.decisions.clear();
        self.decisions.resize(items.len(), Bar::Plain);
        if !items.iter().any(|item| item.role == Role::Bar) {
            return;
        }
        self.levels.clear();
        self.levels.push(Level::default());
        for (position, item) in items.iter().enumerate() {
            match item.role {
                Role::Open => self.levels.push(Level::default()),
                Role::Close => {
                    if self.levels.len() > 1
                        && let Some(level) = self.levels.pop()
                    {
                        decide_level(&level.bars, items, &mut self.decisions);
                    }
                }
                Role::Bar => {
                    if let Some(level) = self.levels.last_mut() {
                        level.bars.push(position);
                    }
                }
                _ => {}
            }
        }
        while let Some(level) = self.levels.pop() {
            decide_level(&level.bars, items, &mut self.decisions);
        }
    }

    /// What the bar at this position of the baseline does.
    pub(super) fn at(&self, position: usize) -> Bar {
        self.decisions.get(position).copied().unwrap_or_default()
    }

    /// A fence was opened; `start` is where its content will begin.
    pub(super) fn open(&mut self, start: usize) {
        self.open.push(start);
    }

    /// Closes the innermost fence of this baseline.
    pub(super) fn close(&mut self) -> Option<usize> {
        self.open.pop()
    }
}

fn decide_level(bars: &[usize], items: &[Item], decisions: &mut [Bar]) {
    let mut open: Vec<usize> = Vec::new();
    for (number, &position) in bars.iter().enumerate() {
        let remaining = bars.len() - number;
        let after = after_operand(&items[..position]);
        if after && let Some(start) = open.pop() {
            decisions[start] = Bar::Open;
            decisions[position] = Bar::Close;
        } else if after && remaining % 2 == 1 || remaining < 2 {
            // Nothing is left to close it.
        } else {
            open.push(position);
        }
    }
}

/// Whether what stands before is something a bar could close.
fn after_operand(before: &[Item]) -> bool {
    match before.last().map(|item| item.role) {
        None => false,
        Some(role) => matches!(
            role,
            Role::Operand
                | Role::LetterD
                | Role::Postfix
                | Role::Close
                | Role::Script(..)
                | Role::Function
                | Role::Bar
        ),
    }
}
