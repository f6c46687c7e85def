//! Queries in another language than the collection, which is taken to be English unless it has the function words
//! of the query.
//!
//! A query with function words of French, German, Spanish or Italian loses them, since in an English text they are
//! rare parts of names and would decide everything, and its words of mathematics are searched for in English.

use crate::typed::{Must, Note, Typed};

/// Function words that English does not have, by their folded form.
#[rustfmt::skip]
const FUNCTION_WORDS: &[&str] = &[
    "aber", "als", "auf", "avec", "che", "como", "con", "cual", "dans", "das", "dass", "de", "dei", "del", "della",
    "dem", "den", "der", "des", "du", "ein", "eine", "einem", "einen", "einer", "eines", "el", "en", "es",
    "est", "et", "fur", "gibt", "il", "im", "ist", "la", "las", "le", "les", "los", "mit", "nicht", "oder",
    "ou", "par", "para", "perche", "por", "pour", "pourquoi", "que", "quel", "quelle", "qui", "sind", "sono", "sont",
    "sul", "sur", "uber", "una", "und", "une", "uno", "unter", "von", "warum", "wie", "wieso", "zeige", "zu", "zum",
    "zur", "zwei",
];

/// Words of mathematics, folded, and what English says; in order.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("ableitung", "derivative"), ("algebre", "algebra"), ("anneau", "ring"), ("basi", "basis"), ("beweis", "proof"),
    ("beweise", "prove"), ("carre", "square"), ("champ", "field"), ("conjunto", "set"), ("continua", "continuous"),
    ("convergente", "convergent"), ("corps", "field"), ("courbe", "curve"),
    ("cuadrada", "square"), ("demontrer", "prove"), ("demostracion", "proof"),
    ("derivada", "derivative"), ("derivata", "derivative"), ("derivee", "derivative"), ("dimostrazione", "proof"),
    ("dreieck", "triangle"), ("ecuacion", "equation"), ("eigenwert", "eigenvalue"), ("eigenwerte", "eigenvalues"),
    ("endlich", "finite"), ("entier", "integer"), ("entiers", "integers"),
    ("equazione", "equation"), ("espace", "space"), ("fakultat", "factorial"), ("folge", "sequence"),
    ("fonction", "function"), ("formel", "formula"), ("funcion", "function"), ("funktion", "function"),
    ("funzione", "function"), ("gerade", "even"), ("gleichmassig", "uniform"), ("gleichung", "equation"),
    ("grenzwert", "limit"), ("groupe", "group"), ("gruppe", "group"), ("inegalite", "inequality"), ("infini", "infinite"),
    ("infinis", "infinite"), ("infinita", "infinite"),
    ("integrale", "integral"), ("irrationnel", "irrational"), ("irrationnelle", "irrational"),
    ("irrazionale", "irrational"), ("konvergent", "convergent"), ("konvergenz", "convergence"), ("korper", "field"),
    ("kreis", "circle"), ("limite", "limit"), ("matrice", "matrix"), ("matriz", "matrix"), ("menge", "set"),
    ("mittelwertsatz", "mean value theorem"), ("nombre", "number"), ("nombres", "numbers"), ("numeri", "numbers"),
    ("numero", "number"), ("numeros", "numbers"), ("potenz", "power"), ("premiers", "prime"),
    ("preuve", "proof"), ("primi", "prime"), ("primo", "prime"), ("primos", "prime"), ("primzahl", "prime number"),
    ("primzahlen", "prime numbers"), ("produkt", "product"), ("propre", "eigenvalue"), ("quadrat", "square"),
    ("quadrato", "square"), ("racine", "root"), ("radice", "root"), ("raiz", "root"), ("raum", "space"),
    ("reelle", "real"), ("reels", "real"), ("reihe", "series"), ("satz", "theorem"), ("serie", "series"),
    ("somme", "sum"), ("stetig", "continuous"), ("suma", "sum"), ("summe", "sum"),
    ("teiler", "divisor"), ("teorema", "theorem"), ("theoreme", "theorem"), ("unendlich", "infinite"),
    ("ungerade", "odd"), ("ungleichung", "inequality"), ("untergruppe", "subgroup"), ("valeur", "value"),
    ("valeurs", "values"), ("vecteur", "vector"), ("vektor", "vector"), ("vektorraum", "vector space"),
    ("wahrscheinlichkeit", "probability"), ("wurzel", "square root"), ("zahl", "number"), ("zahlen", "numbers"),
];

/// The note on such a query.
const NOTE: &str = "The collection seems to be in English: formulas, names and the words with a known English counterpart were searched for.";

/// Puts a query in another language into English, as far as that goes. `is_rare` tells whether a word hardly
/// occurs in the collection: one whose function words do occur there is not foreign to it.
pub(crate) fn translate(typed: &mut Typed, is_rare: impl Fn(&str) -> bool) {
    let folded: Vec<String> = typed.words.iter().map(|word| fold(&word.text)).collect();
    let is_function = |word: &str| FUNCTION_WORDS.binary_search(&word).is_ok();
    let english = |word: &str| {
        WORDS.binary_search_by_key(&word, |(foreign, _)| foreign).ok().map(|place| WORDS[place].1)
    };
    let functions = folded.iter().filter(|word| is_function(word)).count();
    let known = folded.iter().filter(|word| english(word).is_some()).count();
    // Most words of it are foreign, and some of them are no parts of names: de la Vallée Poussin, Satz of a book's
    // title.
    let evidence = known + folded.iter().filter(|word| is_function(word) && !is_particle(word)).count();
    let is_foreign = functions + known >= 2 && evidence >= 1 && 2 * (functions + known) >= folded.len();
    let is_searched = folded.len() > functions || !typed.formulas.is_empty() || !typed.phrases.is_empty();
    let are_rare = || folded.iter().filter(|word| is_function(word)).all(|word| is_rare(word));
    if !is_foreign || !is_searched || !are_rare() {
        return;
    }
    for (word, folded) in typed.words.iter_mut().zip(&folded) {
        let meant = if is_function(folded) { Some("") } else { english(folded) };
        if let Some(meant) = meant.filter(|_| word.must == Must::Should) {
            word.meant = Some(meant.to_owned());
        }
    }
    typed.notes.push(Note { message: NOTE.to_owned(), span: 0..0 });
}

/// Function words that stand in names.
fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "de" | "del"
            | "della"
            | "den"
            | "der"
            | "des"
            | "du"
            | "el"
            | "la"
            | "le"
            | "les"
            | "von"
            | "zu"
            | "zur"
    )
}

/// Lower case, without accents and without an article that is tied to the word: `l'intégrale`.
fn fold(word: &str) -> String {
    let mut terms = Vec::new();
    text::Tokenizer::default().tokenize(word, |word| terms.push(word.term.to_owned()));
    terms.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(query: &str) -> Vec<String> {
        let mut typed = Typed::read(query);
        translate(&mut typed, |_| true);
        typed.words.iter().map(|word| word.searched().to_owned()).collect()
    }

    #[test]
    fn tables_are_in_order() {
        assert!(FUNCTION_WORDS.is_sorted());
        assert!(WORDS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn queries_in_other_languages_are_put_into_english() {
        assert_eq!(searched("théorème de Rolle"), ["theorem", "", "Rolle"]);
        assert_eq!(searched("warum ist $\\sqrt 2$ irrational"), ["", "", "irrational"]);
        assert_eq!(searched("Satz des Pythagoras"), ["theorem", "", "Pythagoras"]);
        assert_eq!(searched("nombres premiers infinis"), ["numbers", "prime", "infinite"]);
    }

    #[test]
    fn a_collection_in_that_language_is_searched_as_it_is() {
        let mut typed = Typed::read("Satz des Pythagoras");
        let before = typed.clone();
        translate(&mut typed, |word| word != "des");
        assert_eq!(typed, before);
    }

    #[test]
    fn english_stays() {
        for query in [
            "de Moivre formula",
            "die roll probability",
            "limit of a sequence",
            "premier league",
            "la Vallee Poussin",
            "de la Vallee Poussin theorem",
            "de la",
            "a man throws a die",
            "canonical ensemble demonstration",
        ] {
            let words: Vec<String> = query.split(' ').map(str::to_owned).collect();
            assert_eq!(searched(query), words);
        }
    }
}
