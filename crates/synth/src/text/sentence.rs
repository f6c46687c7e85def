//! Filling the gaps of a sentence.

use super::{Composer, Left, Site};
use crate::pool::Setting;
use crate::vocabulary::{Piece, Sentence, vocabulary};

const PREFIXES: [&str; 24] = [
    "non-", "sub", "semi-", "quasi-", "pre", "co", "pseudo-", "super", "multi", "bi", "hyper", "re", "anti",
    "inter", "self-", "pseudo", "half-", "over", "under", "meta", "para", "ultra", "infra-", "cross-",
];

impl Composer<'_> {
    /// Appends a sentence.
    pub(super) fn sentence(&mut self, sentence: &Sentence, left: &mut Left) {
        let start = self.html.len();
        for piece in &sentence.pieces {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Formula => self.formula(Setting::Inline, left),
                Piece::Displayed => self.formula(Setting::Displayed, left),
                Piece::Noun => left.words -= self.noun() - 1,
                Piece::ThemeWord => left.words -= self.marked_theme_word() - 1,
                Piece::Adjective => self.adjective(),
                Piece::Verb => {
                    let verbs = &vocabulary().verbs;
                    let word = verbs[self.draw.ranked(verbs.len(), 12.0)];
                    self.word(word);
                }
                Piece::Adverb => {
                    let adverbs = &vocabulary().adverbs;
                    let word = adverbs[self.draw.ranked(adverbs.len(), 12.0)];
                    self.word(word);
                }
                Piece::Name => self.name(),
                Piece::Link => self.link(),
            }
        }
        // A sentence begins with a capital, unless with a formula or a list's item.
        let first = self.html[start..].chars().next();
        if let Some(letter) = first.filter(char::is_ascii_lowercase)
            && !sentence
                .pieces
                .last()
                .is_some_and(|piece| matches!(piece, Piece::Text(text) if text.ends_with(';')))
        {
            self.html.replace_range(start..=start, letter.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
        }
        left.words -= sentence.words as i32;
    }

    /// Appends words of a sentence, not always the same small ones.
    fn text(&mut self, text: &str) {
        const ARTICLES: [&str; 12] = [
            "this ", "our ", "its ", "that ", "every ", "each ", "your ", "my ", "any ", "one ", "such a ",
            "another ",
        ];
        const IS: [&str; 8] =
            [" was ", " becomes ", " seems ", " has to be ", " looks ", " will be ", " remains ", " can be "];
        let varied = matches!(self.location.site, Site::Question | Site::Answer | Site::Comment);
        match text.strip_suffix("the ") {
            Some(before) if varied && self.draw.percent(35) => {
                self.html.push_str(before);
                let article = ARTICLES[self.draw.ranked(ARTICLES.len(), 5.0)];
                self.html.push_str(article);
            }
            _ if varied && text == " is " && self.draw.percent(35) => {
                let verb = IS[self.draw.ranked(IS.len(), 4.0)];
                self.html.push_str(verb);
            }
            _ => self.html.push_str(text),
        }
    }

    /// Appends a word, with `an` for `a` before a vowel and now and then a slip.
    fn word(&mut self, word: &str) {
        let starts_open = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("uni");
        if starts_open && self.html.ends_with(" a ") {
            self.html.pop();
            self.html.push_str("n ");
        }
        if self.draw.below(15) == 0 {
            // Where mathematicians get new words from.
            let prefix = PREFIXES[self.draw.ranked(PREFIXES.len(), 6.0)];
            self.html.push_str(prefix);
        }
        let slip = word.len() > 4 && self.draw.below(120) == 0;
        if slip && word.is_ascii() {
            let at = self.draw.between(1, word.len() - 2);
            self.html.push_str(&word[..at]);
            // Two letters change places, or one is lost.
            if self.draw.percent(60) {
                self.html.push_str(&word[at + 1..at + 2]);
                self.html.push_str(&word[at..=at]);
                self.html.push_str(&word[at + 2..]);
            } else {
                self.html.push_str(&word[at + 1..]);
            }
        } else {
            self.html.push_str(word);
        }
    }

    /// A noun, and often something before it; gives the number of words.
    fn noun(&mut self) -> i32 {
        let mut words = 1;
        if self.draw.percent(28) {
            self.adjective();
            self.html.push(' ');
            words += 1;
        }
        let nouns = &vocabulary().nouns;
        let word = match self.draw.weighted(&[18, 12, 70]) {
            0 => self.voice.words[self.draw.below(self.voice.words.len())],
            1 => self.draw.pick(&self.voice.theme().words),
            _ => nouns[self.draw.ranked(nouns.len(), 25.0)],
        };
        self.word(word);
        if self.draw.percent(8) && !self.html.ends_with('s') {
            self.html.push('s');
        }
        words
    }

    /// A word of the theme, or two; gives the number of words.
    pub(super) fn theme_word(&mut self) -> i32 {
        let mut words = 1;
        if self.draw.percent(20) {
            let theme = self.voice.theme();
            let word = *self.draw.pick(&theme.words);
            self.word(word);
            self.html.push(' ');
            words += 1;
        }
        let word = match self.draw.weighted(&[55, 30, 15]) {
            0 => self.voice.words[self.draw.below(self.voice.words.len())],
            1 => *self.draw.pick(&self.voice.theme().words),
            _ => {
                let themes = &vocabulary().themes;
                let theme = self.draw.ranked(themes.len(), 9.0);
                *self.draw.pick(&themes[theme].words)
            }
        };
        self.word(word);
        words
    }

    /// A word of the theme, which may be emphasised in a body.
    fn marked_theme_word(&mut self) -> i32 {
        let body = matches!(self.location.site, Site::Question | Site::Answer);
        let mark = if body { [945, 30, 25] } else { [1, 0, 0] };
        match self.draw.weighted(&mark) {
            0 => self.theme_word(),
            kind => {
                let name = if kind == 1 { "strong" } else { "em" };
                self.html.push('<');
                self.html.push_str(name);
                self.html.push('>');
                let words = self.theme_word();
                self.html.push_str("</");
                self.html.push_str(name);
                self.html.push('>');
                words
            }
        }
    }

    pub(super) fn adjective(&mut self) {
        let adjectives = &vocabulary().adjectives;
        let word = adjectives[self.draw.ranked(adjectives.len(), 20.0)];
        self.word(word);
    }

    /// The name of a mathematician; there is always one nobody has heard of.
    pub(super) fn name(&mut self) {
        let number = self.draw.ranked(1 << 40, 15.0) as u64;
        vocabulary().push_name(&mut self.html, self.seed, number);
    }

    fn link(&mut self) {
        let id = 1 + self.draw.below(self.last_id as usize);
        let address = format!("https://math.stackexchange.com/questions/{id}");
        match self.location.site {
            Site::Question | Site::Answer => {
                self.html.push_str("<a href=\"");
                self.html.push_str(&address);
                self.html.push_str("\">this question</a>");
            }
            Site::Title | Site::Comment => self.html.push_str(&address),
        }
    }
}
