//! What can be counted in written answers without knowing whether they are right.
//!
//! Measures can be pleased without answering better: by filling the room there is, by saying things twice, by
//! repeating the question, by one text for every topic. These counts show it. They are no measures: a high
//! one is a reason to look, not a lower score.

use super::matching::source_words;
use super::sequence::Sequence;
use super::share::Share;
use super::text::Normalisation;
use formats::TopicId;
use formats::task3::LONGEST_ANSWER;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// An answer with this share of the characters that are allowed fills the room there is.
const NEAR_LIMIT: f64 = 0.95;

/// Shorter sentences may stand in an answer twice.
const LEAST_SENTENCE: usize = 4;

/// How many tokens a gram has.
const GRAM: usize = 4;

/// How many tokens in a row are copied, not common.
const COPIED: usize = 8;

/// An answer as it was written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenAnswer<'a> {
    /// The topic.
    pub topic: &'a TopicId,
    /// Its text, formulas between dollar signs.
    pub text: &'a str,
    /// The sources that are named for it.
    pub sources: &'a str,
    /// The question with its title, formulas between dollar signs, if it is known.
    pub question: Option<&'a str>,
}

/// Counts over the answers of a run. Means of shares are over answers that are not empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Indicators {
    /// How many answers are empty, of all.
    pub empty: Share,
    /// How many answers have the text of an answer to another topic.
    pub same_text: Share,
    /// How many answers have 95 % of the allowed characters or more.
    pub near_limit: Share,
    /// Characters of an answer, on average.
    pub characters: f64,
    /// Characters of the longest answer.
    pub longest: usize,
    /// Share of the characters that stand in formulas.
    pub formulas: f64,
    /// Share of the sentences of an answer that stood in it before, of those of at least four tokens.
    pub repeated_sentences: f64,
    /// Share of the runs of four tokens of an answer that stood in it before.
    pub repeated_grams: f64,
    /// Share of the tokens of an answer in runs of eight or more that stand in the question; over answers
    /// whose question is known, and nothing if there is none.
    pub from_question: Option<f64>,
    /// How many sources are named for an answer: words with a digit.
    pub sources: f64,
}

/// One of the counts, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indicator {
    /// What it is called.
    pub name: &'static str,
    /// What it is called in files.
    pub key: &'static str,
    /// What it says, in a line.
    pub meaning: &'static str,
    /// Its value.
    pub value: f64,
    /// How many decimals make sense.
    pub decimals: usize,
    /// From which value on it is high, if there is one.
    pub high: Option<f64>,
}

impl Indicator {
    /// Whether the value is a reason to look at the answers.
    #[must_use]
    pub fn is_high(&self) -> bool {
        self.high.is_some_and(|high| self.value >= high)
    }
}

impl Indicators {
    /// Counts what there is to count in the answers of a run, of which each topic has one.
    ///
    /// ```
    /// use formats::TopicId;
    /// use eval::task3::{Indicators, WrittenAnswer};
    /// let topic = TopicId::from("A.1");
    /// let answer = WrittenAnswer { topic: &topic, text: "so $xy$", sources: "7, 8", question: None };
    /// let found = Indicators::count([answer]);
    /// assert_eq!((found.characters, found.formulas, found.sources), (7.0, 0.5, 2.0));
    /// ```
    #[must_use]
    pub fn count<'a>(answers: impl IntoIterator<Item = WrittenAnswer<'a>>) -> Self {
        let mut found = Self::default();
        let mut texts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        let (mut filled, mut with_question, mut from_question) = (0, 0, 0.0);
        for answer in answers {
            let tagged = Normalisation::Published.apply(answer.text);
            let sequence = Sequence::read(&tagged);
            let characters = answer.text.chars().count();
            found.empty.total += 1;
            found.characters += characters as f64;
            found.longest = found.longest.max(characters);
            found.near_limit.count += usize::from(characters as f64 >= NEAR_LIMIT * LONGEST_ANSWER as f64);
            let sources: BTreeSet<&str> =
                source_words(answer.sources).filter(|word| has_digit(word)).collect();
            found.sources += sources.len() as f64;
            if sequence.tokens.is_empty() {
                found.empty.count += 1;
                continue;
            }
            filled += 1;
            found.formulas += in_formulas(&tagged);
            let sentences = sequence.sentences().filter(|sentence| sentence.len() >= LEAST_SENTENCE);
            found.repeated_sentences += repeated(sentences);
            found.repeated_grams += repeated(sequence.tokens.windows(GRAM));
            if let Some(question) = answer.question {
                let question = Sequence::read(&Normalisation::Published.apply(question));
                with_question += 1;
                from_question += copied(&sequence.tokens, &question.tokens);
            }
            *texts.entry(sequence.tokens).or_default() += 1;
        }
        let total = found.empty.total;
        let mean = |sum: f64, over: usize| if over == 0 { 0.0 } else { sum / over as f64 };
        found.characters = mean(found.characters, total);
        found.sources = mean(found.sources, total);
        found.formulas = mean(found.formulas, filled);
        found.repeated_sentences = mean(found.repeated_sentences, filled);
        found.repeated_grams = mean(found.repeated_grams, filled);
        found.from_question = (with_question > 0).then(|| mean(from_question, with_question));
        found.same_text = Share { count: texts.values().filter(|count| **count > 1).sum(), total };
        found.near_limit.total = total;
        found
    }

    /// All counts, with what they mean and from where on they are high.
    #[must_use]
    pub fn list(&self) -> Vec<Indicator> {
        let share = |share: Share| share.value().unwrap_or(0.0);
        let mut list = vec![
            Indicator {
                name: "characters",
                key: "characters",
                meaning: "characters of an answer, mean",
                value: self.characters,
                decimals: 0,
                high: None,
            },
            Indicator {
                name: "longest",
                key: "longest",
                meaning: "characters of the longest answer; 1200 are allowed",
                value: self.longest as f64,
                decimals: 0,
                high: Some(LONGEST_ANSWER as f64 + 1.0),
            },
            Indicator {
                name: "full",
                key: "near_limit",
                meaning: "answers with 95 % of the allowed characters or more",
                value: share(self.near_limit),
                decimals: 2,
                high: Some(0.5),
            },
            Indicator {
                name: "formulas",
                key: "formulas",
                meaning: "characters in formulas, mean share of an answer",
                value: self.formulas,
                decimals: 2,
                high: Some(0.8),
            },
            Indicator {
                name: "sentences again",
                key: "repeated_sentences",
                meaning: "sentences of four tokens or more that stood in the answer before, mean share",
                value: self.repeated_sentences,
                decimals: 2,
                high: Some(0.05),
            },
            Indicator {
                name: "4-grams again",
                key: "repeated_4_grams",
                meaning: "runs of four tokens that stood in the answer before, mean share",
                value: self.repeated_grams,
                decimals: 2,
                high: Some(0.3),
            },
            Indicator {
                name: "sources",
                key: "sources",
                meaning: "sources named for an answer (words with a digit), mean",
                value: self.sources,
                decimals: 1,
                high: Some(4.0),
            },
            Indicator {
                name: "empty",
                key: "empty",
                meaning: "answers without a word or sign",
                value: share(self.empty),
                decimals: 2,
                high: Some(0.05),
            },
            Indicator {
                name: "same text",
                key: "same_text",
                meaning: "answers whose text is also the answer to another topic",
                value: share(self.same_text),
                decimals: 2,
                high: Some(0.05),
            },
        ];
        list.extend(self.from_question.map(|value| Indicator {
            name: "from question",
            key: "from_question",
            meaning: "tokens in runs of eight or more that stand in the question, mean share",
            value,
            decimals: 2,
            high: Some(0.2),
        }));
        list
    }
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The share of the characters of a tagged text, blanks and tags not counted, that stand in formulas.
fn in_formulas(tagged: &str) -> f64 {
    let (mut inside, mut all) = (0, 0);
    let mut is_formula = false;
    for word in tagged.split_whitespace() {
        match word {
            "[MATH]" => is_formula = true,
            "[/MATH]" => is_formula = false,
            word => {
                let characters = word.chars().count();
                all += characters;
                inside += if is_formula { characters } else { 0 };
            }
        }
    }
    Share { count: inside, total: all }.value().unwrap_or(0.0)
}

/// The share of items that are equal to an earlier one.
fn repeated<'a>(items: impl Iterator<Item = &'a [String]>) -> f64 {
    let mut seen: HashSet<&[String]> = HashSet::new();
    let share: Share = items.map(|item| !seen.insert(item)).collect();
    share.value().unwrap_or(0.0)
}

/// The share of tokens in runs that another text has, too.
fn copied(tokens: &[String], from: &[String]) -> f64 {
    let runs: HashSet<&[String]> = from.windows(COPIED).collect();
    let (mut count, mut up_to) = (0, 0);
    for (start, run) in tokens.windows(COPIED).enumerate() {
        if runs.contains(run) {
            count += start + COPIED - up_to.max(start);
            up_to = start + COPIED;
        }
    }
    Share { count, total: tokens.len() }.value().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts of answers to topics 1, 2 and so on.
    fn count(texts: &[&str], question: Option<&str>) -> Indicators {
        let topics: Vec<TopicId> =
            (1..=texts.len()).map(|number| TopicId::from(format!("A.{number}").as_str())).collect();
        let answers = topics.iter().zip(texts).map(|(topic, text)| WrittenAnswer {
            topic,
            text,
            sources: "post 12; 12, 13 and more",
            question,
        });
        Indicators::count(answers)
    }

    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    #[test]
    fn lengths_and_empty_answers() {
        let (full, over) = ("x".repeat(1140), "ä".repeat(1201));
        let found = count(&[&full, &over, "  ", "ab"], None);
        assert_eq!((found.near_limit.to_string(), found.empty.to_string()), ("2/4".into(), "1/4".into()));
        assert_eq!((found.longest, found.characters), (1201, (1140 + 1201 + 2 + 2) as f64 / 4.0));
        let high: Vec<&str> = found.list().iter().filter(|one| one.is_high()).map(|one| one.name).collect();
        assert_eq!(high, ["longest", "full", "empty"]);
    }

    #[test]
    fn formulas_by_their_characters() {
        check(count(&["so $x y$"], None).formulas, 0.5);
        check(count(&["$x$ and $$y^2$$", "none", ""], None).formulas, (4.0 / 7.0) / 2.0);
        check(count(&["$x"], None).formulas, 1.0);
    }

    #[test]
    fn what_is_said_twice() {
        let found = count(&["It is as it is. So what? It is as it is. So what?"], None);
        // Two of the sentences have four tokens or more; "so what ?" has three.
        check(found.repeated_sentences, 0.5);
        // 18 tokens, 15 runs of four; the six of the second half stood before.
        check(found.repeated_grams, 6.0 / 15.0);
        check(count(&["It is as it is. It is not."], None).repeated_sentences, 0.0);
        check(count(&["so"], None).repeated_grams, 0.0);
    }

    #[test]
    fn what_the_question_said() {
        let question = "Why is the sum of all $1/n$ infinite? I do not know.";
        let copied = count(&["You ask why is the sum of all $1/n$ infinite. It is."], Some(question));
        // "why is the sum of all 1 / n infinite" has 10 of the 16 tokens.
        check(copied.from_question.unwrap(), 10.0 / 16.0);
        check(count(&["The sum of all $1/n$ is large"], Some(question)).from_question.unwrap(), 0.0);
        assert_eq!(count(&["a"], None).from_question, None);
        assert_eq!(count(&[""], Some(question)).from_question, None);
    }

    #[test]
    fn one_text_for_everything_and_sources() {
        let found = count(&["It is  $x$", "it is $x$", "other", "", ""], None);
        assert_eq!(found.same_text.to_string(), "2/5");
        check(found.sources, 2.0);
        assert_eq!(count(&[], None), Indicators::default());
    }

    proptest! {
        #[test]
        fn any_answers_are_counted(texts in prop::collection::vec("[$\\\\ab. \\[\\]]{0,30}|\\PC{0,30}", 0..4), question in "\\PC{0,30}") {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for indicator in count(&texts, Some(&question)).list() {
                prop_assert!(indicator.value.is_finite() && indicator.value >= 0.0);
                prop_assert!(indicator.decimals < 2 || indicator.value <= 1.0);
            }
        }
    }
}
