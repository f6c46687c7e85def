//! Porter's stemmer of 1980.
//!
//! M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980, with the two changes that he made
//! later and that Lucene has: `-bli` becomes `-ble` (the paper: `-abli`, `-able`) and `-logi` becomes `-log`.

/// Endings of step 2 and what replaces them, where something with a consonant after a vowel stands before.
const DOUBLE: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

/// Endings of step 3, under the same condition.
const SIMPLE: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Endings of step 4, dropped where two such pairs stand before; `ion` only after s or t.
const LAST: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a word of the letters a to z; it stands in `word` or in `memory`.
pub(crate) fn stem<'a>(word: &'a str, memory: &'a mut String) -> &'a str {
    if word.len() <= 2 {
        return word;
    }
    memory.clear();
    memory.push_str(word);
    plurals(memory);
    past_and_progressive(memory);
    if memory.ends_with('y') && has_vowel(&memory[..memory.len() - 1]) {
        memory.pop();
        memory.push('i');
    }
    replace(memory, DOUBLE);
    replace(memory, SIMPLE);
    drop_last(memory);
    tidy(memory);
    memory
}

/// The last two letters, compared before whole endings are.
fn mark(word: &str) -> Option<[u8; 2]> {
    word.as_bytes().last_chunk().copied()
}

fn mark_of(ending: &str) -> [u8; 2] {
    mark(ending).expect("endings in the tables have two letters or more")
}

/// Step 1a.
fn plurals(word: &mut String) {
    if word.ends_with("sses") || word.ends_with("ies") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

/// Step 1b.
fn past_and_progressive(word: &mut String) {
    if let Some(stem) = word.strip_suffix("eed") {
        if measure(stem) > 0 {
            word.pop();
        }
        return;
    }
    let Some(stem) = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing")) else { return };
    if !has_vowel(stem) {
        return;
    }
    word.truncate(stem.len());
    if ["at", "bl", "iz"].iter().any(|ending| word.ends_with(ending)) {
        word.push('e');
    } else if ends_in_double(word) {
        if !word.ends_with(['l', 's', 'z']) {
            word.pop();
        }
    } else if measure(word) == 1 && ends_short(word) {
        word.push('e');
    }
}

/// Steps 2 and 3: only the first ending that fits is looked at.
fn replace(word: &mut String, endings: &[(&str, &str)]) {
    let Some(mark) = mark(word) else { return };
    for (ending, replacement) in endings {
        if mark_of(ending) != mark {
            continue;
        }
        if let Some(stem) = word.strip_suffix(ending) {
            if measure(stem) > 0 {
                word.truncate(stem.len());
                word.push_str(replacement);
            }
            return;
        }
    }
}

/// Step 4.
fn drop_last(word: &mut String) {
    let Some(mark) = mark(word) else { return };
    for ending in LAST {
        if mark_of(ending) != mark {
            continue;
        }
        if let Some(stem) = word.strip_suffix(ending) {
            let fits = *ending != "ion" || stem.ends_with(['s', 't']);
            if fits && measure(stem) > 1 {
                word.truncate(stem.len());
            }
            return;
        }
    }
}

/// Step 5.
fn tidy(word: &mut String) {
    if let Some(stem) = word.strip_suffix('e') {
        let pairs = measure(stem);
        if pairs > 1 || pairs == 1 && !ends_short(stem) {
            word.pop();
        }
    }
    if word.ends_with("ll") && measure(word) > 1 {
        word.pop();
    }
}

/// For each letter, whether it is a consonant; y is one at the start and after a vowel.
fn consonants(word: &str) -> impl Iterator<Item = bool> + '_ {
    let mut before = false;
    word.bytes().map(move |letter| {
        before = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !before,
            _ => true,
        };
        before
    })
}

/// How often a consonant follows a vowel: the m of the paper.
fn measure(word: &str) -> usize {
    let mut before = true;
    consonants(word)
        .filter(|consonant| {
            let pair = *consonant && !before;
            before = *consonant;
            pair
        })
        .count()
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|consonant| !consonant)
}

fn ends_in_double(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 2
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && consonants(word).last() == Some(true)
}

/// Whether it ends in consonant, vowel, consonant, the last none of w, x, y.
fn ends_short(word: &str) -> bool {
    if word.len() < 3 || word.ends_with(['w', 'x', 'y']) {
        return false;
    }
    let mut last = [false; 3];
    for consonant in consonants(word) {
        last = [last[1], last[2], consonant];
    }
    last == [true, false, true]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_of_porter() {
        let mut memory = String::new();
        for (word, expected) in PAIRS.split_whitespace().map(|pair| pair.split_once('=').unwrap()) {
            assert_eq!(stem(word, &mut memory), expected, "{word}");
        }
    }

    /// The examples of the paper with what all five steps make of them, and words of mathematics.
    const PAIRS: &str = "
        caresses=caress ponies=poni ties=ti caress=caress cats=cat feed=feed agreed=agre plastered=plaster
        bled=bled motoring=motor sing=sing conflated=conflat troubled=troubl sized=size hopping=hop tanned=tan
        falling=fall hissing=hiss fizzed=fizz failing=fail filing=file happy=happi sky=sky relational=relat
        conditional=condit rational=ration valenci=valenc hesitanci=hesit digitizer=digit conformabli=conform
        radicalli=radic differentli=differ vileli=vile analogousli=analog vietnamization=vietnam
        predication=predic operator=oper feudalism=feudal decisiveness=decis hopefulness=hope
        callousness=callous formaliti=formal sensitiviti=sensit sensibiliti=sensibl triplicate=triplic
        formative=form formalize=formal electriciti=electr electrical=electr hopeful=hope goodness=good
        revival=reviv allowance=allow inference=infer airliner=airlin gyroscopic=gyroscop adjustable=adjust
        defensible=defens irritant=irrit replacement=replac adjustment=adjust dependent=depend
        adoption=adopt homologou=homolog communism=commun activate=activ angulariti=angular
        homologous=homolog effective=effect bowdlerize=bowdler probate=probat rate=rate cease=ceas
        controll=control roll=roll generalizations=gener oscillators=oscil
        matrices=matric integrals=integr continuous=continu continuity=continu topology=topolog
        topological=topolog homology=homolog possibly=possibl reducibly=reduc integrable=integr
        is=is as=as y=y by=by yyy=yyi syzygy=syzygi eed=eed ing=ing s=s sss=sss ion=ion";
}
