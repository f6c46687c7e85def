//! What would a language model say of this answer, and do people agree with it?
//!
//! A [`Judge`] reads a question and an answer and gives a [`Verdict`] on the labs' scale. Verdicts are no
//! judgments: they have a [file of their own](verdicts), which no reader of judgments takes, and a
//! [`Trust`] beside them says how often the model and people agreed on answers that people judged.

mod agreement;
mod prompt;
pub mod verdicts;

pub use agreement::{Estimate, FEWEST, Figures, OfGrade, RESAMPLES, Trust, choose, of_grade};
pub use prompt::{MOST_TOKENS, grade_in, prompt};

use generate::{Continue, Error, Generator, Request};

/// What a model said of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// From 0, not relevant, to 3, an answer; nothing if the model gave no grade.
    pub grade: Option<i32>,
    /// What it said, in one line.
    pub said: String,
}

/// A language model that judges. It is asked without chance, so that it says the same again.
pub struct Judge<'g> {
    generator: &'g dyn Generator,
}

impl<'g> Judge<'g> {
    /// A model that judges.
    #[must_use]
    pub fn new(generator: &'g dyn Generator) -> Self {
        Self { generator }
    }

    /// What the model is called.
    #[must_use]
    pub fn name(&self) -> String {
        self.generator.name()
    }

    /// Judges an answer to a question.
    ///
    /// # Errors
    ///
    /// When the model fails. That it says nothing that could be read as a grade is no error.
    pub fn verdict(&self, question: &str, answer: &str) -> Result<Verdict, Error> {
        let request = Request {
            prompt: prompt(question, answer),
            temperature: 0.0,
            max_tokens: MOST_TOKENS,
            seed: 0,
            stop: Vec::new(),
        };
        let completion = self.generator.generate(&request, &mut |_| Continue::Yes)?;
        let said = completion.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Verdict { grade: grade_in(&said), said })
    }
}
