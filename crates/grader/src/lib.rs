//! What would a language model say of this answer, and do people agree with it?
//!
//! A [`Judge`] reads a question and an answer and gives a [`ModelGrade`] on the labs' scale. Its grades are not
//! judgments: they have a [file of their own](verdicts), which no reader of judgments takes, and a
//! [`Trust`] beside them says how often the model and people agreed on answers that people judged.

mod agreement;
mod prompt;
pub mod verdicts;

pub use agreement::{Estimate, FEWEST, Figures, OfGrade, RESAMPLES, Trust, choose, of_grade};
pub use prompt::{MOST_TOKENS, grade_in, prompt};

use generate::{Continue, Error, Generator, Request, without_thoughts};

/// What a model said of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelGrade {
    /// From 0, not relevant, to 3, an answer; nothing if the model gave no grade.
    pub grade: Option<i32>,
    /// What it said, in one line, without what it thought before; if it did not get to the end of its
    /// thoughts, these.
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
    pub fn grade(&self, question: &str, answer: &str) -> Result<ModelGrade, Error> {
        let request = Request {
            prompt: prompt(question, answer),
            temperature: 0.0,
            max_tokens: MOST_TOKENS,
            seed: 0,
            stop: Vec::new(),
        };
        let completion = self.generator.generate(&request, &mut |_| Continue::Yes)?;
        // Numbers in a thought are no grades.
        let answer = without_thoughts(&completion.text);
        let said = answer.unwrap_or(&completion.text).split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(ModelGrade { grade: answer.and_then(grade_in), said })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use generate::{Completion, Ended, Event};

    /// A model that always says the same.
    struct Parrot(&'static str);

    impl Generator for Parrot {
        fn name(&self) -> String {
            "parrot".to_owned()
        }

        fn generate(
            &self,
            _: &Request,
            _: &mut dyn FnMut(Event<'_>) -> Continue,
        ) -> Result<Completion, Error> {
            let text = self.0.to_owned();
            Ok(Completion::new(text, Ended::Itself))
        }
    }

    #[test]
    fn numbers_in_thoughts_are_no_grades() {
        let check = |text, grade, said: &str| {
            let expected = ModelGrade { grade, said: said.to_owned() };
            assert_eq!(Judge::new(&Parrot(text)).grade("Why?", "So.").unwrap(), expected);
        };
        check("<think>3 or 2?</think>\n\n1. It\nhelps.", Some(1), "1. It helps.");
        check("2 or 3?</think> 0", Some(0), "0");
        check("<think>3 or 2?", None, "<think>3 or 2?");
    }
}
