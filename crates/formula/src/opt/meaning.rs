//! Operator trees that say what a mathematician reads.
