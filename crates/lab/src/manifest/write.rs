//! `lab.toml` as it is first written, with remarks for those who edit it.

use super::{Context, Identical, Manifest, SetFiles};
use std::fmt::Write as _;

impl Manifest {
    /// The text of the file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::from(
            "# What this lab is. `hypatia lab` reads it; people may edit names, texts and definitions.\n\
             # Topics, judgments and the collection are known by their checksums: see `hypatia lab verify`.\n\n",
        );
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        let tasks: Vec<String> = self.tasks.iter().map(ToString::to_string).collect();
        line(format!("format = {}", self.format));
        line(format!("name = {}", quoted(&self.name)));
        line(format!("about = {}", quoted(&self.about)));
        line("# Whose rules: arqmath, ntcir10 or ntcir12.".to_owned());
        line(format!("rules = {}", quoted(self.rules.word())));
        line(format!("tasks = [{}]", tasks.join(", ")));
        line("# All chance in the lab comes from this number.".to_owned());
        line(format!("seed = {}", self.seed));
        line("# How many runs a team may submit for a task.".to_owned());
        line(format!("most_runs = {}", self.most_runs));
        line("# What assessors see of a formula: its post, or the formula alone.".to_owned());
        let context = match self.context {
            Context::Post => "post",
            Context::Formula => "formula",
        };
        line(format!("context = {}", quoted(context)));
        line(
            "# A formula that looks like the one asked for: judged as any other, or always relevant."
                .to_owned(),
        );
        let identical = match self.identical {
            Identical::Judged => "judged",
            Identical::Relevant => "relevant",
        };
        line(format!("identical = {}", quoted(identical)));
        line("# The set of topics that is judged now.".to_owned());
        line(format!("current = {}", quoted(&self.current)));
        if let Some(formulas) = &self.formulas {
            line("# The visual ids of formulas.".to_owned());
            line(format!("formulas = {}", quoted(&formulas.display().to_string())));
        }
        if let Some(collection) = &self.collection {
            line("\n[collection]".to_owned());
            line(format!("path = {}", quoted(&collection.path.display().to_string())));
            line(format!("fingerprint = {}", quoted(&collection.fingerprint)));
        }
        if let Some(threads) = &self.topic_threads {
            line(
                "\n# Threads of the topics: shown to assessors, never searched.\n[topic_threads]".to_owned(),
            );
            line(format!("path = {}", quoted(&threads.path.display().to_string())));
            line(format!("fingerprint = {}", quoted(&threads.fingerprint)));
        }
        if self.tasks.contains(&3) {
            let scoring = &self.answers;
            line(
                "\n# How Task 3 is scored without people. LO: tokens = \"bag\" as the overview of ARQMath-3 says, or\n\
                 # \"set\" as its script counts; tokenizer = \"words\" (and LaTeX), \"blanks\" or a tokenizer.json.\n\
                 # CS: encoder, a model of the store or a folder, and the layer that is compared.\n[answers]"
                    .to_owned(),
            );
            line(format!("tokens = {}", quoted(scoring.tokens.word())));
            line(format!("tokenizer = {}", quoted(&scoring.tokenizer.text())));
            if let Some(encoder) = &scoring.encoder {
                line(format!("encoder = {}", quoted(&encoder.display().to_string())));
            }
            if let Some(layer) = scoring.layer {
                line(format!("layer = {layer}"));
            }
        }
        for group in &self.assessor_groups {
            let assessors: Vec<String> = group.assessors.iter().map(|name| quoted(name)).collect();
            line(format!("\n[[assessor_groups]]\nname = {}", quoted(&group.name)));
            line(format!("assessors = [{}]", assessors.join(", ")));
        }
        for set in &self.sets {
            line(format!("\n[[sets]]\nname = {}", quoted(&set.name)));
            for (kind, files) in [("questions", &set.questions), ("formulas", &set.formulas)] {
                if let Some(files) = files {
                    line(format!("{kind} = {}", inline(files)));
                }
            }
        }
        for grade in &self.grades {
            line(format!("\n[[grades]]\ntask = {}\ngrade = {}", grade.task, grade.grade));
            line(format!("name = {}\ndefinition = {}", quoted(&grade.name), quoted(&grade.definition)));
        }
        out
    }
}

fn inline(files: &SetFiles) -> String {
    let mut out = format!("{{ topics = {}", quoted(&files.topics));
    for (name, path) in [("labels", &files.labels), ("qrels", &files.qrels)] {
        if let Some(path) = path {
            let _ = write!(out, ", {name} = {}", quoted(path));
        }
    }
    out.push_str(" }");
    out
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
