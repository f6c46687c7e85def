//! Words that say nothing about the subject.

use std::str::FromStr;

use crate::UnknownName;

/// Which words are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StopWords {
    /// None of them.
    #[default]
    None,
    /// The 33 words that Lucene leaves out of English by default.
    Lucene,
    /// Those, the other function words, and the phrases of people who ask.
    Long,
}

impl StopWords {
    /// All lists.
    pub const ALL: [Self; 3] = [Self::None, Self::Lucene, Self::Long];

    /// Its name in files and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lucene => "lucene",
            Self::Long => "long",
        }
    }

    /// Its words, in order, folded as the cutter folds them: `dont`, not `don't`.
    #[must_use]
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Lucene => LUCENE,
            Self::Long => LONG,
        }
    }

    /// Whether a folded term, not yet stemmed, is on the list.
    #[must_use]
    pub fn contains(self, term: &str) -> bool {
        let keys: &[u128] = match self {
            Self::None => return false,
            Self::Lucene => &LUCENE_KEYS,
            Self::Long => &LONG_KEYS,
        };
        term.len() <= LONGEST_WORD && keys.binary_search(&key(term.as_bytes())).is_ok()
    }
}

impl FromStr for StopWords {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|list| list.name() == name).ok_or_else(|| UnknownName {
            what: "list of stop words",
            given: name.to_owned(),
            known: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

/// A word as a number in the same order; every term is looked up, and numbers are compared faster.
const fn key(word: &[u8]) -> u128 {
    let (mut key, mut at) = (0, 0);
    while at < word.len() {
        key = key << 8 | word[at] as u128;
        at += 1;
    }
    if word.is_empty() { 0 } else { key << (8 * (16 - word.len())) }
}

const fn keys<const N: usize>(words: &[&str]) -> [u128; N] {
    let (mut keys, mut at) = ([0; N], 0);
    while at < N {
        keys[at] = key(words[at].as_bytes());
        at += 1;
    }
    keys
}

static LUCENE_KEYS: [u128; LUCENE.len()] = keys(LUCENE);
static LONG_KEYS: [u128; LONG.len()] = keys(LONG);

/// No word of any list is longer, so longer terms need no search.
const LONGEST_WORD: usize = 13;

#[rustfmt::skip]
const LUCENE: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
];

/// Words that also name things of mathematics are not here: near, whole, under, clear, hint, find.
#[rustfmt::skip]
const LONG: &[&str] = &[
    "a", "able", "about", "above", "across", "actually", "advance", "after", "afterwards", "again",
    "against", "ago", "aint", "all", "almost", "alone", "along", "already", "also", "although", "always",
    "am", "among", "amongst", "an", "and", "another", "answer", "answered", "answers", "any", "anybody",
    "anyhow", "anyone", "anything", "anyway", "anywhere", "appreciate", "appreciated", "are", "arent",
    "around", "as", "aside", "ask", "asked", "asking", "asks", "at", "attempt", "attempted", "away",
    "basically", "be", "because", "been", "before", "beforehand", "behind", "being", "below", "beside",
    "besides", "between", "both", "but", "by", "came", "can", "cannot", "cant", "cheers", "clearly", "clue",
    "come", "comes", "confused", "confusing", "could", "couldn", "couldnt", "dear", "did", "didn", "didnt",
    "do", "does", "doesn", "doesnt", "doing", "don", "done", "dont", "down", "during", "each", "edit",
    "edited", "eg", "either", "else", "elsewhere", "enough", "etc", "even", "ever", "every", "everybody",
    "everyone", "everything", "everywhere", "explain", "explained", "explanation", "few", "folks", "for",
    "former", "formerly", "from", "further", "furthermore", "gave", "get", "gets", "getting", "give",
    "given", "gives", "giving", "go", "goes", "going", "gone", "got", "gotten", "greetings", "guess",
    "guys", "had", "hadnt", "happen", "happens", "hardly", "has", "hasnt", "have", "havent", "having", "he",
    "hello", "help", "helped", "helping", "helps", "hence", "her", "here", "hereby", "herein", "hers",
    "herself", "hey", "hi", "him", "himself", "his", "how", "however", "i", "id", "idea", "ideas", "ie",
    "if", "im", "in", "indeed", "instead", "into", "is", "isn", "isnt", "it", "its", "itself", "ive",
    "just", "keep", "keeps", "kept", "know", "knowing", "known", "knows", "lately", "later", "least",
    "less", "lest", "let", "lets", "like", "likely", "look", "looking", "looks", "made", "mainly", "make",
    "makes", "making", "many", "may", "maybe", "me", "meanwhile", "might", "mightnt", "more", "moreover",
    "most", "mostly", "much", "must", "mustnt", "my", "myself", "namely", "nearly", "need", "needed",
    "needs", "neither", "never", "nevertheless", "no", "nobody", "none", "nonetheless", "nor", "not",
    "nothing", "now", "nowhere", "obviously", "of", "off", "often", "ok", "okay", "on", "once", "only",
    "onto", "or", "other", "others", "otherwise", "ought", "our", "ours", "ourselves", "out", "over", "own",
    "perhaps", "please", "pls", "plz", "question", "questions", "quite", "rather", "really", "regarding",
    "regards", "said", "same", "saw", "say", "saying", "says", "see", "seeing", "seem", "seemed", "seeming",
    "seems", "seen", "shall", "shant", "she", "should", "shouldnt", "simply", "since", "so", "some",
    "somebody", "somehow", "someone", "something", "sometime", "sometimes", "somewhat", "somewhere", "soon",
    "sorry", "still", "struggling", "stuck", "such", "suppose", "supposed", "sure", "take", "taken",
    "takes", "taking", "tell", "th", "than", "thank", "thanks", "that", "thats", "the", "their", "theirs", "them",
    "themselves", "then", "thence", "there", "thereafter", "thereby", "therefore", "therein", "thereof",
    "theres", "these", "they", "theyre", "think", "thinking", "this", "though", "thought", "thoughts",
    "through", "throughout", "thus", "thx", "to", "together", "too", "took", "toward", "towards", "tried",
    "tries", "try", "trying", "understand", "understanding", "unless", "until", "unto", "up", "update",
    "upon", "us", "use", "used", "uses", "using", "usually", "very", "via", "want", "wanted", "wants",
    "was", "wasnt", "way", "we", "welcome", "went", "were", "werent", "what", "whatever", "when", "whence",
    "whenever", "where", "whereas", "whereby", "wherein", "wherever", "whether", "which", "whichever",
    "while", "who", "whoever", "whom", "whose", "why", "will", "with", "within", "without", "wonder",
    "wondered", "wondering", "wont", "would", "wouldn", "wouldnt", "wrt", "yes", "yet", "you", "your",
    "youre", "yours", "yourself", "yourselves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_folded_and_nested() {
        for list in StopWords::ALL {
            assert!(list.words().is_sorted_by(|a, b| a < b), "{list:?}");
            assert!(
                list.words()
                    .iter()
                    .all(|word| word.len() <= LONGEST_WORD
                        && word.bytes().all(|byte| byte.is_ascii_lowercase()))
            );
            assert_eq!(list.name().parse(), Ok(list));
            assert!(list.words().iter().all(|word| list.contains(word)));
        }
        assert_eq!(StopWords::Lucene.words().len(), 33);
        assert!(StopWords::Lucene.words().iter().all(|word| StopWords::Long.contains(word)));
    }

    #[test]
    fn what_is_on_them() {
        for word in ["please", "help", "thanks", "hi", "question", "dont", "cant", "the", "therefore"] {
            assert!(StopWords::Long.contains(word), "{word}");
        }
        for word in
            ["integral", "limit", "group", "field", "zero", "prove", "proof", "", "afterwardsafterwards"]
        {
            assert!(!StopWords::Long.contains(word), "{word}");
        }
        assert!(!StopWords::None.contains("the"));
        assert!(!StopWords::Lucene.contains("please"));
    }
}
