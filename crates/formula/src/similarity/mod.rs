//! How alike two formulas are, by every measure the labs compared. Each has a file of its own.
