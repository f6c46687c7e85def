//! Which statements of a text can be tested, and do they hold?
