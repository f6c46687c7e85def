//! Linear rankers learned from judged pairs.
