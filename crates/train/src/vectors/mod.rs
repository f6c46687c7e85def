//! Vectors of tokens, learned from the tokens around them.
