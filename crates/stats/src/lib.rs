//! How sure is a number? Tests, intervals, correlation and agreement.
