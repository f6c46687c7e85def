//! What the words of questions say.

use topics::QuestionType::{self, Computation, Concept, Proof};
use topics::wording::{PartsSign, parts, question_type, words};

#[test]
fn questions_have_a_type() {
    let check = |title: &str, body: &str, expected: QuestionType| {
        assert_eq!(question_type(&words(title), &words(body)), expected, "{title} / {body}");
    };
    check("Prove that \u{FDD0} is irrational", "", Proof);
    check("Show that \u{FDD0}", "How do I find a way?", Proof);
    check("Irrational numbers", "I want to prove that the root is irrational.", Proof);
    check("Evaluate \u{FDD0}", "", Computation);
    check("How many solutions does \u{FDD0} have?", "", Computation);
    check("Closed form of \u{FDD0}", "I tried to show that it converges.", Computation);
    check("What does \u{FDD0} mean?", "", Concept);
    check("Intuition behind \u{FDD0}", "Please do not prove it.", Concept);
    check("Difference between \u{FDD0} and \u{FDD0}", "", Concept);
    check("\u{FDD0}", "", Computation);
    check("\u{FDD0} =?", "\u{FDD0}", Computation);
    check("Rings between a domain and a field of fractions", "Some background.", Concept);
    check("", "", Computation);
    check("Improved bounds", "\u{FDD0} \u{FDD0}", Computation);
}

#[test]
fn several_parts_are_seen() {
    use PartsSign::{Also, Enumeration, Questions};
    let check = |text: &str, expected: Option<PartsSign>| assert_eq!(parts(text), expected, "{text}");
    check("Prove that \u{FDD0}.", None);
    check("Is \u{FDD0} true?", None);
    check("(a) Prove \u{FDD0}.\n(b) Find \u{FDD0}.", Some(Enumeration));
    check("Let it be so. (a) Prove \u{FDD0}. (b) Is it \u{FDD0}?", Some(Enumeration));
    check("a) Prove \u{FDD0}.\nb) Find \u{FDD0}.", Some(Enumeration));
    check("1. Prove \u{FDD0}.\n2. Find \u{FDD0}.", Some(Enumeration));
    check("1) What is \u{FDD0}?\n2) What is \u{FDD0}?", Some(Enumeration));
    check("(i) Show \u{FDD0}.\n(ii) Show \u{FDD0}.", Some(Enumeration));
    check("(iii) Show \u{FDD0}.\n(iv) Show \u{FDD0}.", Some(Enumeration));
    check("- Find \u{FDD0}.\n- Find \u{FDD0} as well.", Some(Enumeration));
    // Conditions are listed, nothing is asked in them.
    check("A ring has (a) a sum and (b) a product. Is it a field?", None);
    check("- closed\n- bounded\nIs it compact?", None);
    check("(a) Prove \u{FDD0}.\n(c) Find \u{FDD0}.", None);
    check("Let f(a) be \u{FDD0}. Prove that (b) holds.", None);
    check("Is \u{FDD0} open? Is \u{FDD0} closed?", Some(Questions));
    check("What is \u{FDD0}?\nAnd why is it finite?", Some(Questions));
    check("Is \u{FDD0} open? Any help?", None);
    check("Is \u{FDD0} open? Am I missing something? Is my proof correct?", None);
    check("How? Is \u{FDD0} open?", None);
    check("Prove that \u{FDD0} is open. Also, show that it is not closed.", Some(Also));
    check("Find \u{FDD0}. Moreover, determine its sign.", Some(Also));
    check("Also, find \u{FDD0}.", None);
    check("Find \u{FDD0}. Also, I know that it is positive.", None);
    check("", None);
    check(&"(a) ".repeat(20_000), None);
    check(&"1. ?\n".repeat(20_000), None);
}
