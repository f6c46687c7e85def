//! The five ways in which topics shall differ from each other.

use crate::elements::Element;
use std::fmt;

macro_rules! values {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl $name {
            /// All values, in order.
            pub const ALL: [Self; 3] = [$(Self::$variant),*];

            /// The value as the lab writes it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant)),*
                }
            }

            /// The value that a word of the lab stands for.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name().eq_ignore_ascii_case(name))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

values! {
    /// What a question asks for.
    QuestionType {
        /// A value, a solution, a closed form.
        Computation,
        /// What something means, or why it is so.
        Concept,
        /// An argument that something holds.
        Proof
    }
}

values! {
    /// How much of something there is.
    Level {
        /// Little.
        Low,
        /// More.
        Medium,
        /// Much.
        High
    }
}

values! {
    /// What one must read to understand a question.
    Dependence {
        /// Its words.
        Text,
        /// Its formulas.
        Formula,
        /// Both.
        Both
    }
}

/// A place in the five dimensions over which topics are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stratum {
    /// What is asked for.
    pub kind: QuestionType,
    /// How hard it is.
    pub difficulty: Level,
    /// What one must read to understand it.
    pub dependence: Dependence,
    /// How complex the formula to be looked for is.
    pub complexity: Level,
    /// The leading mathematical element, of that formula or of all formulas of the question.
    pub element: Element,
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, difficulty, dependence, complexity, element } = self;
        write!(
            f,
            "{kind}, difficulty {difficulty}, dependence {dependence}, complexity {complexity}, element {element}"
        )
    }
}
