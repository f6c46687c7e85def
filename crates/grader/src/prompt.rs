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

/// Words that a grade stands behind.
const NAMES_OF_A_GRADE: [&str; 3] = ["grade", "score", "rating"];

/// Words that may stand between such a word and the grade.
const BETWEEN: [&str; 18] = [
    "is", "of", "a", "as", "be", "would", "will", "should", "i", "give", "assign", "for", "to", "this",
    "the", "answer", "it", "my",
];

/// The grade that a reply names: a number from 0 to 3 with which it starts, or that stands behind a word such as
/// `grade`. Nothing if there is none, or if there are several different ones: what is not known to be a grade is
/// not taken for one.
///
/// ```
/// use grader::grade_in;
/// assert_eq!(grade_in("Grade: 2. It proves half of it."), Some(2));
/// assert_eq!(grade_in("2/3"), Some(2));
/// assert_eq!(grade_in("10 points"), None);
/// assert_eq!(grade_in("The answer is 1."), None);
/// ```
#[must_use]
pub fn grade_in(reply: &str) -> Option<i32> {
    let reply = reply.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = reply.trim_start_matches(|c: char| c.is_whitespace() || is_decoration(c));
    let lower = reply.to_ascii_lowercase();
    let named =
        NAMES_OF_A_GRADE.iter().flat_map(|name| lower.match_indices(name)).filter_map(|(at, name)| {
            let (before, behind) = (&reply[..at], &reply[at + name.len()..]);
            let is_word =
                !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric);
            is_word.then(|| behind_a_name(behind))
        });
    let mut grades: Vec<i32> = std::iter::once(start).chain(named).filter_map(number_at_start).collect();
    grades.sort_unstable();
    grades.dedup();
    match grades[..] {
        [grade] if !is_enumeration(start) => Some(grade),
        _ => None,
    }
}

/// Quotes, brackets and the signs of Markdown.
fn is_decoration(c: char) -> bool {
    matches!(c, '*' | '_' | '#' | '>' | '`' | '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»' | '(' | '[')
}

/// What stands behind the name of a grade, without what says that the grade comes now: a scale in brackets, as in
/// our own prompt, then signs and little words.
fn behind_a_name(text: &str) -> &str {
    let mut rest = text.trim_start();
    if let Some(inside) = rest.strip_prefix(['(', '['])
        && let Some(end) = inside.find([')', ']'])
        && inside[..end].matches(|c: char| c.is_ascii_digit()).count() > 1
    {
        rest = &inside[end + 1..];
    }
    loop {
        rest = rest.trim_start_matches(|c: char| {
            c.is_whitespace() || is_decoration(c) || matches!(c, ':' | '=' | '–' | '—')
        });
        let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        if !BETWEEN.iter().any(|between| word.eq_ignore_ascii_case(between)) {
            return rest.strip_prefix("- ").unwrap_or(rest).trim_start();
        }
        rest = &rest[word.len()..];
    }
}

/// The grade that a text starts with. What is part of a larger number, of a range, of a formula or of another
/// scale is none, and neither is what our instructions say of a grade.
fn number_at_start(text: &str) -> Option<i32> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let grade: i32 = text[..text.len() - behind.len()].parse().ok()?;
    let mut signs = behind.chars();
    let (first, second) = (signs.next(), signs.next());
    let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let stands_alone = match first {
        None => true,
        Some('.' | ',' | '-' | '–' | '—' | ':') => !second.is_some_and(|c| c.is_ascii_digit()),
        Some('/') => behind[1..].trim_start().strip_prefix('3').is_some_and(|rest| !starts_with_digit(rest)),
        Some(c) => c.is_whitespace() || is_decoration(c) || matches!(c, ';' | '!' | ')' | ']'),
    };
    let rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    let then =
        rest.strip_prefix("or ").or_else(|| rest.strip_prefix("to ")).or_else(|| rest.strip_prefix("and "));
    let then = then.or_else(|| rest.strip_prefix(['-', '–', '—'])).map(str::trim_start);
    let is_range =
        then.is_some_and(starts_with_digit) || (behind.starts_with(',') && starts_with_digit(rest));
    let out_of =
        rest.strip_prefix("out of ").is_some_and(|scale| scale.split([' ', '.', ',']).next() != Some("3"));
    let is_formula = behind.starts_with(char::is_whitespace) && rest.starts_with(['+', '=', '<', '^', '/']);
    let is_rule = rest.starts_with("if ");
    let is_no_grade = is_range || out_of || is_formula || is_rule;
    (stands_alone && !is_no_grade && (0..=3).contains(&grade)).then_some(grade)
}

/// Whether a text is a list with numbers, whose first number is no grade.
fn is_enumeration(text: &str) -> bool {
    [". ", ") "]
        .iter()
        .any(|sign| text.starts_with(&format!("1{sign}")) && text.contains(&format!(" 2{sign}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_is_known_to_be_a_grade_is_one() {
        for (reply, expected) in [
            ("3", Some(3)),
            ("**0** because", Some(0)),
            ("\"1\"", Some(1)),
            ("[2]", Some(2)),
            ("**Grade: 2**", Some(2)),
            ("**Grade:** 2", Some(2)),
            ("2/3", Some(2)),
            ("2 / 10", None),
            ("2/10", None),
            ("3/30", None),
            ("3 out of 3.", Some(3)),
            ("2 out of 5", None),
            ("3 – it is complete", Some(3)),
            ("3 - it is complete", Some(3)),
            ("3: it is complete", Some(3)),
            ("2. It proves half of it.", Some(2)),
            ("Grade (0, 1, 2 or 3): 3", Some(3)),
            ("Grade (3)", Some(3)),
            ("Rating [0-3]: 1", Some(1)),
            ("The grade I would give this answer is 1.", Some(1)),
            ("I give it a score of 2, since it helps.", Some(2)),
            ("Score - 2", Some(2)),
            ("Question: what is $2+2$? Answer: 4 Grade (0, 1, 2 or 3): 0", Some(0)),
            ("Grade: 2. My grade is 2.", Some(2)),
            // Which number is the grade is not known.
            ("I give this answer a 3.", None),
            ("I would give it a 1.", None),
            ("On a scale of 0 to 3, I give this answer a 3.", None),
            ("The answer is 1.", None),
            ("Grade: 2. Score: 3.", None),
            ("2 or 3", None),
            ("Grade: 0, 1, 2 or 3", None),
            ("The grade is from 0 to 3", None),
            ("grade of 0 to 3", None),
            // An echo of the instructions, and a list.
            ("3 if the answer alone is enough to solve the question, 2 if it brings", None),
            ("1. The matrix is symmetric. 2. It is real.", None),
            ("1. The matrix is symmetric.\n2. It is real.", None),
            ("2\nor 3", None),
            // No grades at all.
            ("10 points", None),
            ("4", None),
            ("-1", None),
            ("Grade: -1", None),
            ("0.5", None),
            ("Grade: 2.5", None),
            ("2,5", None),
            ("2x is even", None),
            ("2 + 2 = 4", None),
            ("x2 is 3", None),
            ("$2$", None),
            ("99999999999999999999", None),
            ("upgrade 2", None),
            ("It is a good answer.", None),
            ("", None),
        ] {
            assert_eq!(grade_in(reply), expected, "{reply:?}");
        }
    }

    proptest! {
        #[test]
        fn any_reply_is_read(reply in "[0-4 ./a–:*(]{0,12}|.{0,20}|(grade|score) .{0,12}") {
            prop_assert!(grade_in(&reply).is_none_or(|grade| (0..=3).contains(&grade)));
        }
    }
}
