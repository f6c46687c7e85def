//! Features: small pieces of a formula that can be counted, indexed and compared.
//!
//! Each kind of feature has a file of its own and names the system it comes from.
