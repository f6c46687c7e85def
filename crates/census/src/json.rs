//! Everything as one JSON object with stable keys.

use crate::{Both, Census, Disagreement, FormulaKind, Histogram, Links, Place, Posts, Sheet, Sizes, Texts};
use serde_json::{Map, Value, json};
use store::DirtNote;

impl Sheet<'_> {
    /// All that is known, as an object. Plain counts stand at its top, under the names of
    /// [`Sheet::counts`]; what was scanned stands under `survey`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let about = self.collection.about();
        let mut object = Map::new();
        for (name, count) in self.counts() {
            object.insert(name.to_owned(), count.into());
        }
        let input_bytes: u64 = about.inputs.iter().map(|input| input.bytes).sum();
        let bytes = self.collection.size();
        let ratio = (input_bytes > 0).then(|| bytes as f64 / input_bytes as f64);
        let inputs: Vec<Value> =
            about.inputs.iter().map(|input| json!({"name": input.name, "bytes": input.bytes})).collect();
        let passed_over: Map<String, Value> =
            about.passed_over.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect();
        let sections: Map<String, Value> =
            self.collection.sections().map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
        for (name, value) in [
            ("program", json!(about.program)),
            ("source", json!(about.source)),
            ("bytes", json!(bytes)),
            ("input_bytes", json!(input_bytes)),
            ("ratio", json!(ratio)),
            ("inputs", Value::Array(inputs)),
            ("sections", Value::Object(sections)),
            ("dirt", notes(&about.dirt)),
            ("repairs", notes(&about.repairs)),
            ("passed_over", Value::Object(passed_over)),
        ] {
            object.insert(name.to_owned(), value);
        }
        if let Some(census) = self.census {
            object.insert("survey".to_owned(), scanned(census));
        }
        Value::Object(object)
    }
}

fn notes(notes: &[DirtNote]) -> Value {
    let note = |note: &DirtNote| json!({"kind": note.kind, "action": note.action, "count": note.count});
    Value::Array(notes.iter().map(note).collect())
}

fn scanned(census: &Census) -> Value {
    let Census { posts, forms, visuals, looks } = census;
    let kinds: Map<String, Value> = FormulaKind::ALL
        .iter()
        .map(|kind| {
            let mut value = both(forms.kinds[*kind as usize]);
            value["rule"] = kind.rule().into();
            (kind.name().to_owned(), value)
        })
        .collect();
    let places: Map<String, Value> = Place::ALL
        .iter()
        .map(|place| {
            let instances = posts.places[*place as usize];
            let value = json!({"all": instances.all(), "inline": instances.inline, "block": instances.block});
            (place.name().to_owned(), value)
        })
        .collect();
    let remarks: Map<String, Value> =
        forms.remarks.iter().map(|(remark, count)| ((*remark).to_owned(), both(*count))).collect();
    let frequent: Vec<Value> = visuals
        .most_frequent
        .iter()
        .map(|formula| {
            json!({"latex": formula.latex, "visual_id": formula.visual_id, "instances": formula.instances})
        })
        .collect();
    json!({
        "posts": of_posts(posts),
        "formulas": {
            "places": places,
            "our_ids": posts.oddities.our_id,
            "wrapped": posts.oddities.wrapped,
            "elsewhere": posts.oddities.elsewhere,
            "new_visual_ids": posts.oddities.new_visual_id,
            "kinds": kinds,
            "sizes": {"forms": sizes(&forms.sizes), "instances": sizes(&forms.instance_sizes)},
            "form_frequency": spread(&forms.frequency),
            "forms_once": forms.frequency.at(1),
            "visual_id_frequency": spread(&visuals.frequency),
            "visual_ids_once": visuals.frequency.at(1),
            "visual_ids_in_posts": visuals.in_posts,
            "forms_per_visual_id": spread(&visuals.forms),
            "most_frequent": frequent,
            "unreadable": both(forms.unreadable),
            "without_latex": both(forms.without_latex),
            "without_presentation": both(forms.without_presentation),
            "without_content": both(forms.without_content),
            "foreign_presentation": both(forms.foreign_presentation),
            "foreign_content": both(forms.foreign_content),
            "our_visual_ids": both(forms.our_visual_id),
            "remarks": remarks,
        },
        "looks": {
            "forms": looks.forms,
            "keys": looks.keys,
            "visual_ids_with_several_keys": disagreement(&looks.split),
            "keys_with_several_visual_ids": disagreement(&looks.joined),
        },
    })
}

fn of_posts(posts: &Posts) -> Value {
    let mut tags: Vec<(&String, &u64)> = posts.tags.iter().collect();
    tags.sort_unstable_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let tags: Vec<Value> = tags.iter().map(|(tag, count)| json!({"tag": tag, "posts": count})).collect();
    let years: Map<String, Value> = posts
        .dates
        .years
        .iter()
        .map(|(year, [questions, answers, documents, comments])| {
            let value = json!({
                "questions": questions, "answers": answers, "documents": documents, "comments": comments,
            });
            (year.to_string(), value)
        })
        .collect();
    let by_answers: Vec<[i64; 2]> = posts
        .answers
        .bins()
        .map(|(value, count)| [value, i64::try_from(count).unwrap_or(i64::MAX)])
        .collect();
    json!({
        "answers_per_question": spread(&posts.answers),
        "questions_by_answers": by_answers,
        "with_accepted_answer": posts.accepted,
        "answers_without_question": posts.lone_answers,
        "comments_per_post": spread(&posts.comments_each()),
        "formulas_per_post": spread(&posts.formulas_each()),
        "posts_without_formulas": posts.formulas_each().at(0),
        "title_words": spread(&posts.title_words),
        "questions": texts(&posts.kinds[0]),
        "answers": texts(&posts.kinds[1]),
        "documents": texts(&posts.kinds[2]),
        "comments": texts(&posts.comments),
        "links": {"duplicate": links(posts.duplicate), "related": links(posts.related)},
        "tags_per_post": spread(&posts.tags_each),
        "tags": tags,
        "first_date": posts.dates.first.map(|date| date.to_string()),
        "last_date": posts.dates.last.map(|date| date.to_string()),
        "years": years,
    })
}

fn texts(texts: &Texts) -> Value {
    json!({
        "words": spread(&texts.words),
        "formulas": spread(&texts.formulas),
        "comments": spread(&texts.comments),
        "scores": spread(&texts.scores),
    })
}

fn links(links: Links) -> Value {
    json!({
        "inside": links.inside,
        "leading_outside": links.leading_outside,
        "from_outside": links.from_outside,
    })
}

fn sizes(sizes: &Sizes) -> Value {
    json!({
        "symbols": spread(&sizes.symbols),
        "depth": spread(&sizes.depth),
        "nesting": spread(&sizes.nesting),
    })
}

fn both(both: Both) -> Value {
    json!({"forms": both.forms, "instances": both.instances})
}

/// How values are spread; without values, all but `n` are null.
fn spread(histogram: &Histogram) -> Value {
    json!({
        "n": histogram.count(),
        "mean": histogram.mean(),
        "least": histogram.least(),
        "q1": histogram.quartile(1),
        "median": histogram.median(),
        "q3": histogram.quartile(3),
        "greatest": histogram.greatest(),
    })
}

fn disagreement(side: &Disagreement) -> Value {
    let examples: Vec<Value> = side
        .examples
        .iter()
        .map(|example| {
            json!({
                "latex": [example.latex.0, example.latex.1],
                "visual_ids": [example.visual_ids.0, example.visual_ids.1],
                "num_visual_ids": example.num_visual_ids,
                "num_keys": example.num_keys,
                "instances": example.instances,
            })
        })
        .collect();
    json!({
        "groups": side.groups,
        "same_latex": side.same_latex,
        "forms": side.forms,
        "instances": side.instances,
        "examples": examples,
    })
}
