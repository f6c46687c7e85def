//! What a thread is about: a theme, some words, some formulas.

use crate::draw::{Draw, Use, mix};
use crate::formula::{Formula, Shape};
use crate::vocabulary::{Theme, vocabulary};

/// Words of a subject.
const WORDS: usize = 6;
/// Characteristic formulas of a subject.
pub(crate) const FORMULAS: usize = 3;

/// A hidden subject. Threads that share one are about the same thing.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    theme: usize,
    words: [&'static str; WORDS],
    pub(crate) formulas: [Formula; FORMULAS],
}

impl Subject {
    /// The subject that a seed stands for.
    pub(crate) fn new(seed: u64) -> Self {
        let mut draw = Draw::new(mix(seed, Use::Subject as u64));
        let themes = &vocabulary().themes;
        let theme = draw.ranked(themes.len(), 9.0);
        let words = std::array::from_fn(|number| match number {
            0..4 => *draw.pick(&themes[theme].words),
            4 => {
                let other = draw.below(themes.len());
                *draw.pick(&themes[other].words)
            }
            _ => vocabulary().nouns[draw.ranked(vocabulary().nouns.len(), 60.0)],
        });
        let naming = draw.word();
        let formulas = std::array::from_fn(|_| Formula {
            key: draw.word(),
            naming,
            family: themes[theme].family,
            shape: Shape::Relation,
            size: draw.between(7, 19) as u16,
        });
        Self { theme, words, formulas }
    }
}

/// How much of a topic a thread shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Share {
    /// A formula that is part of one of the topic's, and a third of the words.
    Part,
    /// Two of the formulas, the first with other letters, and two thirds of the words.
    Most,
    /// Everything.
    Whole,
}

impl Share {
    /// The grade of its answers.
    pub(crate) fn grade(self) -> u8 {
        match self {
            Self::Part => 1,
            Self::Most => 2,
            Self::Whole => 3,
        }
    }
}

/// The first formula of a topic as threads of that share have it; the number is
/// that of the thread among those of the topic.
pub(crate) fn shared_formula(subject: &Subject, share: Share, number: u64) -> Formula {
    let whole = subject.formulas[0];
    match share {
        Share::Whole => whole,
        Share::Part => Formula { shape: Shape::RightSide, ..whole },
        Share::Most => {
            let (mut original, mut text) = (String::new(), String::new());
            whole.write(&mut original);
            // A naming may by chance give the same letters: try others.
            let tries = (0..64).map(|attempt| whole.renamed(64 * number + attempt));
            let differs = |formula: &Formula| {
                formula.write(&mut text);
                text != original
            };
            tries.into_iter().find(differs).unwrap_or_else(|| whole.renamed(64 * number))
        }
    }
}

/// What the texts of one thread draw from.
#[derive(Clone, Debug)]
pub(crate) struct Voice {
    pub(crate) theme: usize,
    pub(crate) words: [&'static str; WORDS],
    /// Formulas that come back in the thread.
    pub(crate) formulas: [Formula; FORMULAS],
    /// Formulas that every post of the thread has.
    pub(crate) planted: Vec<Formula>,
    /// What symbols of the thread are drawn from.
    pub(crate) key: u64,
}

impl Voice {
    /// An ordinary thread about a subject.
    pub(crate) fn ordinary(subject: &Subject, key: u64) -> Self {
        Self {
            theme: subject.theme,
            words: subject.words,
            formulas: subject.formulas,
            planted: Vec::new(),
            key,
        }
    }

    /// A thread that shares a topic's subject.
    pub(crate) fn planted(topic: &Subject, share: Share, number: u64, own: &Subject, key: u64) -> Self {
        let mut voice = Self::ordinary(own, key);
        voice.theme = topic.theme;
        let first = shared_formula(topic, share, number);
        let (words, formulas) = match share {
            Share::Whole => (WORDS, vec![first, topic.formulas[1], topic.formulas[2]]),
            Share::Most => (WORDS * 2 / 3, vec![first, topic.formulas[1]]),
            Share::Part => (WORDS / 3, vec![first]),
        };
        voice.words[..words].copy_from_slice(&topic.words[..words]);
        voice.formulas[..formulas.len()].copy_from_slice(&formulas);
        voice.planted = formulas;
        voice
    }

    pub(crate) fn theme(&self) -> &'static Theme {
        &vocabulary().themes[self.theme]
    }

    /// The tags of the thread: that of its theme first, 2.4 on average.
    pub(crate) fn tags(&self, draw: &mut Draw) -> Vec<usize> {
        let themes = vocabulary().themes.len();
        let mut tags = vec![self.theme];
        for _ in 0..draw.weighted(&[22, 33, 26, 14, 5]) {
            let tag = draw.ranked(themes, 9.0);
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        tags
    }
}
