//! `hypatia train`: models that this program trains itself, one file a command.

mod cross_encoder;
mod encoder;
mod fit;
mod keep;
mod rank;
mod vectors;

pub(crate) use rank::read_ranker;

use crate::{Exit, Run};
use anyhow::Result;
use clap::Subcommand;

const LONG_ABOUT: &str = "\
Trains models on your own data and puts them into the store of models, where `hypatia model list` shows them.

`encoder` fits a sentence encoder to a collection, whole or by one matrix after it; `cross-encoder` fits one that \
reads two texts together; `vectors` learns an embedding of each token of formulas or text (fastText, word2vec); \
`rank` learns weights of features from judgments (rank-SVM). A trained model records its \
data, its parameters and its seed, and whether it saw the site of ARQMath's topics.";

const EXAMPLES: &str = "\
Examples:
  hypatia train encoder math.coll --base all-MiniLM-L6-v2 --name minilm-math --adapter
  hypatia train cross-encoder math.coll --base all-MiniLM-L6-v2 --name cross --estimate
  hypatia train vectors math.coll --tokens slt --name cft-slt
  hypatia train vectors tokens.txt --from lines --name words
  hypatia train rank features.txt --name mine
  hypatia train rank --system dprl-ltr --index math.index --topics t.xml --qrels q.txt --name dprl-ltr";

/// Train models on your own data
#[derive(Debug, Subcommand)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) enum Train {
    Encoder(Box<encoder::TrainEncoder>),
    CrossEncoder(Box<cross_encoder::TrainCrossEncoder>),
    Vectors(Box<vectors::TrainVectors>),
    Rank(Box<rank::TrainRank>),
}

impl Run for Train {
    fn run(self) -> Result<Exit> {
        match self {
            Self::Encoder(command) => command.run(),
            Self::CrossEncoder(command) => command.run(),
            Self::Vectors(command) => command.run(),
            Self::Rank(command) => command.run(),
        }
    }
}
