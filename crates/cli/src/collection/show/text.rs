//! Facts for people.

use super::facts::{Comment, Facts, Form, Formula, Instance, Place, Post, Visual};

/// How wide the names of facts are.
const NAMES: usize = 10;

/// Writes facts as readable text.
pub(super) fn write(facts: &Facts) -> String {
    let mut sheet = Sheet(String::new());
    match facts {
        Facts::Post(post) => sheet.post(post),
        Facts::Comment(comment) => {
            sheet.line(&format!("Comment {} on post {}", comment.id, comment.post));
            sheet.fact("Score", comment.score.map(|score| score.to_string()));
            sheet.fact("Date", comment.date.as_deref().map(minute));
            sheet.fact("By", owner(comment.owner.as_deref(), comment.owner_name.as_deref()));
            sheet.text(&comment.text);
            sheet.formulas(&comment.formulas);
        }
        Facts::Formula(formula) => sheet.formula(formula),
        Facts::Visual(visual) => sheet.visual(visual),
    }
    harmless(&sheet.0)
}

/// Text on one line, with single blanks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What could steer a terminal or turn the direction of text is shown by its number.
fn harmless(text: &str) -> String {
    text::visible(text).into_owned()
}

struct Sheet(String);

impl Sheet {
    fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push('\n');
    }

    fn fact(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.line(&format!("{name:NAMES$}{value}"));
        }
    }

    /// A paragraph apart.
    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.line("");
            self.line(text.trim());
        }
    }

    fn post(&mut self, post: &Post) {
        let mut kind = post.kind.to_owned();
        if let Some(first) = kind.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        self.line(&format!("{kind} {}", post.id));
        self.fact("Title", post.title.clone());
        let absent = if post.parent_is_here { "" } else { " (not in the collection)" };
        self.fact("Question", post.parent.as_ref().map(|parent| format!("{parent}{absent}")));
        self.fact("Score", post.score.map(|score| score.to_string()));
        self.fact("Date", post.date.as_deref().map(minute));
        self.fact("By", owner(post.owner.as_deref(), post.owner_name.as_deref()));
        self.fact("Views", post.views.map(|views| views.to_string()));
        self.fact("Tags", Some(post.tags.join(", ")));
        let answers = post.answers.iter().map(|answer| {
            let accepted = if post.accepted.as_ref() == Some(answer) { " (accepted)" } else { "" };
            format!("{answer}{accepted}")
        });
        self.fact("Answers", Some(answers.collect::<Vec<_>>().join(", ")));
        let own = post.id.to_string();
        let links = post.links.iter().map(|link| match (link.kind, link.from == own) {
            ("duplicate", true) => format!("duplicate of {}", link.to),
            ("duplicate", false) => format!("{} is a duplicate", link.from),
            (_, true) => format!("mentions {}", link.to),
            (_, false) => format!("mentioned by {}", link.from),
        });
        self.fact("Links", Some(links.collect::<Vec<_>>().join(", ")));
        self.text(&post.text);
        self.formulas(&post.formulas);
        if !post.comments.is_empty() {
            self.line("");
            self.line("Comments");
            for comment in &post.comments {
                self.comment(comment);
            }
        }
    }

    fn comment(&mut self, comment: &Comment) {
        let mut about = vec![comment.id.to_string()];
        about.extend(owner(comment.owner.as_deref(), comment.owner_name.as_deref()));
        about.extend(comment.score.filter(|score| *score != 0).map(|score| format!("score {score}")));
        about.extend(comment.date.as_deref().map(minute));
        self.line(&format!("  {}: {}", about.join(", "), one_line(&comment.text)));
    }

    fn formulas(&mut self, formulas: &[Instance]) {
        if formulas.is_empty() {
            return;
        }
        self.line("");
        self.line("Formulas");
        let ids = formulas.iter().map(|formula| formula.id.to_string().len()).max().unwrap_or(0);
        let visuals = formulas.iter().map(|formula| formula.visual_id.to_string().len()).max().unwrap_or(0);
        let (ids, visuals) = (ids.max(2), visuals.max(6));
        self.line(&format!("  {:ids$}  {:visuals$}  {:7}  LaTeX", "id", "visual", "part"));
        for formula in formulas {
            let (id, visual, latex) = (formula.id.to_string(), formula.visual_id, one_line(&formula.latex));
            self.line(&format!("  {id:ids$}  {visual:<visuals$}  {:7}  {latex}", formula.part));
        }
    }

    fn formula(&mut self, formula: &Formula) {
        self.line(&format!("Formula {}", formula.id));
        self.form(&formula.form);
        self.fact("Visual id", Some(formula.visual_id.to_string()));
        for place in &formula.places {
            self.fact("Stands", Some(stands(place)));
        }
        self.places("Other places that look the same", formula.num_alike, &formula.alike);
    }

    fn visual(&mut self, visual: &Visual) {
        self.line(&format!("Visual id {}", visual.id));
        for form in &visual.forms {
            self.form(form);
            self.fact("Places", Some(form.num_places.to_string()));
        }
        self.places("Places", visual.num_places, &visual.places);
    }

    fn form(&mut self, form: &Form) {
        self.fact("LaTeX", Some(one_line(&form.latex)));
        let given = match (form.has_presentation, form.has_content) {
            (true, true) => "Presentation and Content MathML",
            (true, false) => "Presentation MathML",
            (false, true) => "Content MathML",
            (false, false) => "no MathML",
        };
        self.fact("Given", Some(given.to_owned()));
        self.fact("Was", form.old_visual_id.map(|id| format!("visual id {id}")));
        self.fact("Marks", Some(form.marks.join("; ")));
    }

    fn places(&mut self, heading: &str, count: usize, first: &[Place]) {
        self.line("");
        self.line(&format!("{heading}: {count}"));
        for place in first {
            self.line(&format!("  {}: {}", place.id, stands(place)));
        }
        if count > first.len() {
            self.line(&format!("  and {} more", count - first.len()));
        }
    }
}

/// Where a formula stands, in words.
fn stands(place: &Place) -> String {
    let mut words = match (&place.comment, &place.post) {
        (Some(comment), Some(post)) => {
            format!("in comment {comment} on {} {post}", place.kind.unwrap_or("post"))
        }
        (None, Some(post)) if place.part == "title" => {
            format!("in the title of {} {post}", place.kind.unwrap_or("post"))
        }
        (_, Some(post)) => format!("in {} {post}", place.kind.unwrap_or("post")),
        (_, None) => "nowhere".to_owned(),
    };
    for mark in &place.marks {
        words.push_str("; ");
        words.push_str(mark);
    }
    words
}

fn owner(id: Option<&str>, name: Option<&str>) -> Option<String> {
    match (id, name) {
        (Some(id), Some(name)) => Some(format!("{name} (user {id})")),
        (Some(id), None) if id.bytes().all(|byte| byte.is_ascii_digit()) => Some(format!("user {id}")),
        (id, _) => id.map(str::to_owned),
    }
}

/// A date to the minute.
fn minute(date: &str) -> String {
    let shown = date.get(..16).unwrap_or(date).replace('T', " ");
    shown.strip_suffix(" 00:00").unwrap_or(&shown).to_owned()
}
