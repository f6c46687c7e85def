//! Which model fits these data? Models that this program trains itself.
//!
//! [`encoder`] fits encoders to pairs of texts, whatever they are made of. [`vectors`] learns vectors of tokens from sequences of tokens: fastText and word2vec. [`rank`] learns weights
//! of features from judged pairs. Both take plain values and give a model that can be written, read and used;
//! where data and models are kept is up to the caller.

pub mod encoder;
pub mod rank;
pub mod vectors;
