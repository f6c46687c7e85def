//! What a model that judges is told, and what is read from its reply.

use generate::{Message, Prompt, Role};

/// So many tokens of a reply are wanted: a grade, and why.
pub const MOST_TOKENS: usize = 60;

/// The scale in our words, and the form of the reply.
const INSTRUCTIONS: &str = "You judge answers to questions about mathematics. \
Reply with one grade and nothing before it: \
3 if the answer alone is enough to solve the question, \
2 if it brings the reader a good part of the way, \
1 if something in it could help, \
0 if it does not help or is about something else. \
After the grade, give one short reason.";

/// The prompt for an answer to a question.
#[must_use]
pub fn prompt(question: &str, answer: &str) -> Prompt {
    let content = format!("Question:\n{question}\n\nAnswer:\n{answer}\n\nGrade (0, 1, 2 or 3):");
    Prompt::Chat(vec![
        Message { role: Role::System, content: INSTRUCTIONS.to_owned() },
        Message { role: Role::User, content },
    ])
}

/// The grade that a reply names: the first number that stands by itself, if it is 0 to 3. Nothing if the first
/// number is another one, since then it is no grade that the model speaks of.
///
/// ```
/// use judge::grade_in;
/// assert_eq!(grade_in("Grade: 2. It proves half of it."), Some(2));
/// assert_eq!(grade_in("2/3"), Some(2));
/// assert_eq!(grade_in("10 points"), None);
/// assert_eq!(grade_in("It is a good answer."), None);
/// ```
#[must_use]
pub fn grade_in(reply: &str) -> Option<i32> {
    let start = reply.find(|c: char| c.is_ascii_digit())?;
    let digits: String = reply[start..].chars().take_while(char::is_ascii_digit).collect();
    let grade: i32 = digits.parse().ok()?;
    let before = reply[..start].chars().next_back();
    let by_itself = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '$'));
    (by_itself && (0..=3).contains(&grade)).then_some(grade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_by_itself_is_a_grade() {
        for (reply, expected) in [
            ("3", Some(3)),
            ("**0** because", Some(0)),
            ("I would give it a 1.", Some(1)),
            ("4", None),
            ("-1", None),
            ("x2 is 3", None),
            ("$2$", None),
            ("0.5", Some(0)),
            ("", None),
        ] {
            assert_eq!(grade_in(reply), expected, "{reply:?}");
        }
    }
}
