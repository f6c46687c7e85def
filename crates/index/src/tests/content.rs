//! What an index holds is what the collection says.

use super::util::{PARTS, collection, drafts, files, kinds, options, view};
use crate::fields::STOPS;
use crate::{Extractor, FeatureKind, Field, Index, Part, Unwatched, build, word_key};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{Collection, FormulaNo, VisualNo};
use testkit::TempDir;
use text::{Kind, Stemmer, Tokenizer};

/// The words of a part of each post, cut anew.
fn texts(collection: &Collection) -> BTreeMap<String, BTreeMap<Part, String>> {
    let mut reader = collection.reader();
    let plain = post::plain;
    let mut texts = BTreeMap::new();
    for number in collection.posts() {
        let post = reader.post(number).unwrap();
        let mut comments = String::new();
        for comment in collection.comments_on(number) {
            comments.push_str(&plain(&reader.comment(comment).unwrap().text));
            comments.push('\n');
        }
        let parts = BTreeMap::from([
            (Part::Title, plain(post.title.as_deref().unwrap_or_default())),
            (Part::Body, plain(&post.body)),
            (Part::Tags, post.tags.join(" ")),
            (Part::Comments, comments),
        ]);
        texts.insert(post.id.to_string(), parts);
    }
    texts
}

fn check(collection: &Path, target: &Path) -> Index {
    let index = build(collection, target, &options(), &Unwatched).unwrap();
    index.check().unwrap();
    let collection = Collection::open(collection).unwrap();
    let views = view(&index);
    let texts = texts(&collection);
    assert_eq!(views.keys().collect::<Vec<_>>(), texts.keys().collect::<Vec<_>>());
    let posts = &index.segments()[0].posts;
    let mut all_words = BTreeSet::new();
    let mut memory = String::new();
    for (id, parts) in &texts {
        let view = &views[id];
        let number = collection.find_post(id).unwrap();
        let parent = collection.post_facts(number).parent;
        assert_eq!(view.parent, parent.map(|parent| collection.post_id(parent).to_string()));
        for part in PARTS {
            let name = Field::Words(part).to_string();
            let (mut keys, mut lengths) = (BTreeMap::new(), [0_u16; STOPS.len()]);
            Tokenizer::default().tokenize(&parts[&part], |word| {
                *keys.entry(word_key(word.term)).or_insert(0) += 1;
                all_words.insert(word.term.to_owned());
                for (length, stop) in lengths.iter_mut().zip(STOPS) {
                    *length += u16::from(word.kind != Kind::Compound && !stop.contains(word.term));
                }
            });
            assert_eq!(view.keys.get(&name).cloned().unwrap_or_default(), keys, "{name} of {id}");
            for (length, stop) in lengths.into_iter().zip(STOPS) {
                let expected = (format!("{name} {}", stop.name()), length);
                assert!(view.lengths.contains(&expected), "{expected:?} of {id} in {:?}", view.lengths);
            }
        }
        let mut extractor = Extractor::default();
        let mut reader = collection.reader();
        let title = reader.post(number).unwrap().title.unwrap_or_default();
        let in_title = collection.formulas_of_post(number).start + markup::markers(&title) as u32;
        for part in [Part::Title, Part::Body] {
            let name = Field::Symbols(part).to_string();
            let (mut keys, mut lengths) = (BTreeMap::new(), [0_u16; STOPS.len()]);
            let mut signs = parts[&part].clone();
            for formula in collection.formulas_of_post(number) {
                if (formula < in_title) == (part == Part::Title) {
                    let latex = reader.latex(collection.formula_form(FormulaNo(formula))).unwrap();
                    signs.push_str(&format!(" ${latex} $"));
                }
            }
            crate::symbol_words(&signs, |word| {
                *keys.entry(word_key(word)).or_insert(0) += 1;
                all_words.insert(word.to_owned());
                for (length, stop) in lengths.iter_mut().zip(STOPS) {
                    *length += u16::from(!stop.contains(word));
                }
            });
            assert_eq!(view.keys.get(&name).cloned().unwrap_or_default(), keys, "{name} of {id}");
            for (length, stop) in lengths.into_iter().zip(STOPS) {
                let expected = (format!("{name} {}", stop.name()), length);
                assert!(view.lengths.contains(&expected), "{expected:?} of {id} in {:?}", view.lengths);
            }
        }
        for kind in kinds().into_iter().filter(|kind| *kind != FeatureKind::Symbols) {
            let mut features = BTreeMap::new();
            for formula in collection.formulas_of_post(number) {
                let latex = reader.latex(collection.formula_form(FormulaNo(formula))).unwrap();
                extractor.read(latex, latex::Mode::Document);
                extractor.features(kind, |feature| *features.entry(feature).or_insert(0) += 1);
            }
            let name = Field::Math(kind).to_string();
            assert_eq!(view.keys.get(&name).cloned().unwrap_or_default(), features, "{name} of {id}");
            let length: u32 = features.values().sum();
            assert!(
                view.lengths.contains(&(format!("{name} none"), u16::try_from(length).unwrap())),
                "{view:?}"
            );
        }
    }
    assert_eq!(posts.words(), all_words.len() as u64);
    for stemmer in [Stemmer::Porter, Stemmer::English] {
        let mut classes: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for word in &all_words {
            let stem = stemmer.stem(word, &mut memory);
            let class = classes.entry(word_key(stem)).or_default();
            if stem != word {
                class.insert(word_key(word));
            }
        }
        for (stem, words) in classes {
            let found: Vec<u64> = posts.words_of_stem(stemmer, stem).collect();
            assert_eq!(found, words.into_iter().collect::<Vec<_>>(), "{}", stemmer.name());
        }
        assert_eq!(posts.words_of_stem(stemmer, 12345).count(), 0);
    }
    assert_eq!(posts.words_of_stem(Stemmer::None, word_key("limit")).count(), 0);
    check_formulas(&index, &collection);
    index
}

fn check_formulas(index: &Index, collection: &Collection) {
    let formulas = &index.sources()[0].formulas;
    let mut reader = collection.reader();
    let mut expected: BTreeSet<VisualNo> = BTreeSet::new();
    for post in collection.posts() {
        for formula in collection.formulas_of_post(post) {
            expected.insert(collection.form_visual(collection.formula_form(FormulaNo(formula))));
        }
    }
    let found: BTreeSet<VisualNo> = (0..formulas.documents()).map(|doc| formulas.visual(doc)).collect();
    assert_eq!(found, expected);
    assert_eq!(found.len(), formulas.documents() as usize);
    assert!(formulas.sizes().is_sorted());
    for visual in collection.visuals() {
        let doc = formulas.document(visual);
        assert_eq!(doc.is_some(), expected.contains(&visual));
        let Some(doc) = doc else { continue };
        assert_eq!(formulas.visual(doc), visual);
        let mut extractor = Extractor::default();
        extractor.read(formulas.latex(doc), latex::Mode::Document);
        assert_eq!(usize::from(formulas.sizes()[doc as usize]), extractor.size().min(255));
        let mut forms = collection.forms_of_visual(visual);
        assert!(forms.any(|form| reader.latex(form).unwrap() == formulas.latex(doc)
            || reader.latex(form).unwrap().trim().is_empty()));
        for kind in options().formula_features {
            let mut features = BTreeMap::new();
            extractor.features(kind, |feature| *features.entry(feature).or_insert(0_u32) += 1);
            let length: u32 = features.values().sum();
            assert_eq!(formulas.lengths(kind).nth(doc as usize), u16::try_from(length).ok());
            let postings = formulas.postings(kind).unwrap();
            for (feature, frequency) in features {
                let list = postings.find(feature).unwrap();
                let mut block = crate::postings::Block::default();
                list.unpack(list.seek(0, doc), &mut block);
                assert!(
                    block.postings().any(|posting| posting == (doc, frequency)),
                    "{}",
                    formulas.latex(doc)
                );
            }
        }
    }
    assert!(formulas.postings(crate::FeatureKind::Paths).is_none());
}

#[test]
fn every_word_is_found() {
    let small = testkit::small_collection("index-small");
    let index = check(small.collection.path(), &small.folder.path().join("index"));
    // Known by heart: formula 504 stands in a comment, 505 nowhere.
    assert_eq!(index.sources()[0].formulas.documents(), 3);
    let views = view(&index);
    let has = |id: &str, field: &str, word: &str| {
        views[id].keys.get(field).and_then(|keys| keys.get(&word_key(word))).copied()
    };
    assert_eq!(has("10", "words.title", "infinite"), Some(1));
    assert_eq!(has("10", "words.body", "infinite"), None);
    assert_eq!(has("10", "words.tags", "series"), Some(1));
    assert_eq!(has("12", "words.comments", "only"), Some(1));
    assert_eq!(has("12", "source.body", "log"), Some(1));
    assert_eq!(has("10", "source.title", "n"), Some(1));
    assert_eq!(views["21"].parent.as_deref(), Some("20"));
}

#[test]
fn every_word_of_many_posts_is_found() {
    let folder = TempDir::new("index-many");
    let path = collection(&folder, "many", &drafts(60));
    check(&path, &folder.path().join("index"));
}

#[test]
fn an_index_of_nothing_is_an_index() {
    let folder = TempDir::new("index-nothing");
    let path = folder.path().join("none.coll");
    let writer = store::CollectionWriter::create(&path, store::IdKinds::default()).unwrap();
    let mut writer = writer;
    writer
        .look_at_forms(|| |_: &str, _: &str| store::FormLook { key: 0, marks: store::FormMarks(0) })
        .unwrap();
    writer.finish(store::About::default()).unwrap();
    let index = build(&path, &folder.path().join("index"), &options(), &Unwatched).unwrap();
    assert_eq!((index.num_posts(), index.segments().len()), (0, 1));
    assert!(index.find("1").is_none());
}

#[test]
fn the_same_collection_gives_the_same_bytes() {
    let folder = TempDir::new("index-same");
    let path = collection(&folder, "same", &drafts(40));
    let targets = [folder.path().join("one"), folder.path().join("two")];
    for target in &targets {
        build(&path, target, &options(), &Unwatched).unwrap();
    }
    assert!(files(&targets[0]) == files(&targets[1]));
    let names: Vec<String> = files(&targets[0]).into_keys().collect();
    assert_eq!(names, ["1.collection", "1.formulas", "1.posts", "index.json", "lock"]);
    // Built again, it has other names and the same content.
    let before = Index::open(&targets[0]).unwrap();
    let again = build(&path, &targets[0], &options(), &Unwatched).unwrap();
    assert_eq!((again.generation(), again.fingerprint()), (2, before.fingerprint()));
    assert_eq!(view(&again), view(&before));
    let names: Vec<String> = files(&targets[0]).into_keys().collect();
    assert_eq!(names, ["2.collection", "2.formulas", "2.posts", "index.json", "lock"]);
}
