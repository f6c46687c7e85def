//! Posts, comments, links, tags and years.

use super::{grouped, line, line_of, line_text, number, number_columns, share};
use crate::{Census, Histogram, Links, Posts, Sheet};
use figures::table::{Cell, Column, Row, Table};

/// How many tags are shown.
const TAGS: usize = 10;

/// What the collection says of itself, without a scan.
pub(super) fn counts(sheet: &Sheet<'_>) -> Table {
    let rows = sheet.counts().iter().map(|(name, count)| line(&name.replace('_', " "), *count)).collect();
    Table {
        caption: vec!["Counts.".into()],
        columns: vec![Column::left(""), Column::right("Number")],
        rows,
        ..Table::default()
    }
}

/// Everything about posts that is a count.
pub(super) fn overview(sheet: &Sheet<'_>, census: &Census) -> Table {
    let counts = sheet.collection.about().counts;
    let posts = &census.posts;
    let (questions, answers) = (u64::from(counts.questions), u64::from(counts.answers));
    let all = questions + answers + u64::from(counts.documents);
    let mut rows = vec![
        Row::Section("Posts".into()),
        line_of("questions", questions, all),
        line_of("answers", answers, all),
        line_of("documents", counts.documents.into(), all),
    ];
    if questions > 0 {
        rows.push(Row::Section("Questions".into()));
        for (name, value) in [("without an answer", 0), ("with one answer", 1), ("with two answers", 2)] {
            rows.push(line_of(name, posts.answers.at(value), questions));
        }
        rows.push(line_of("with three or more answers", posts.answers.at_least(3), questions));
        rows.push(line_of("with an accepted answer", posts.accepted, questions));
    }
    if posts.lone_answers > 0 {
        rows.push(Row::Section("Answers".into()));
        rows.push(line_of("to a question that is not here", posts.lone_answers, answers));
    }
    if counts.comments > 0 {
        rows.push(Row::Section("Comments".into()));
        for (name, texts) in ["on questions", "on answers", "on documents"].into_iter().zip(&posts.kinds) {
            let sum = u64::try_from(texts.comments.sum()).unwrap_or(0);
            rows.push(line_of(name, sum, counts.comments.into()));
        }
    }
    if counts.links > 0 {
        rows.push(Row::Section("Links".into()));
        push_links(&mut rows, "duplicates", posts.duplicate, counts.links.into());
        push_links(&mut rows, "related", posts.related, counts.links.into());
    }
    if posts.tags_each.count() > 0 && !posts.tags.is_empty() {
        rows.push(Row::Section("Tags".into()));
        rows.push(line("distinct", posts.tags.len() as u64));
        let used: u64 = posts.tags.values().sum();
        let once = posts.tags.values().filter(|count| **count == 1).count() as u64;
        rows.push(line("used in all", used));
        rows.push(line_of("used once", once, posts.tags.len() as u64));
        rows.push(line_of("posts without tags", posts.tags_each.at(0), posts.tags_each.count()));
    }
    if counts.users > 0 {
        rows.push(Row::Section("Users".into()));
        rows.push(line("with a name", counts.users.into()));
    }
    if let (Some(first), Some(last)) = (posts.dates.first, posts.dates.last) {
        rows.push(Row::Section("Dates".into()));
        let day = |date: store::Date| date.to_string().chars().take(10).collect::<String>();
        rows.push(line_text("first", &day(first)));
        rows.push(line_text("last", &day(last)));
    }
    Table {
        caption: vec!["Posts, comments and links.".into()],
        columns: number_columns(),
        rows,
        ..Table::default()
    }
}

fn push_links(rows: &mut Vec<Row>, name: &str, links: Links, all: u64) {
    for (where_to, count) in [
        ("inside the collection", links.inside),
        ("leading outside", links.leading_outside),
        ("from outside", links.from_outside),
    ] {
        if count > 0 || where_to == "inside the collection" {
            rows.push(line_of(&format!("{name}, {where_to}"), count, all));
        }
    }
}

pub(super) fn distributions(posts: &Posts) -> Vec<(&'static str, Histogram)> {
    vec![
        ("answers per question", posts.answers.clone()),
        ("comments per post", posts.comments_each()),
        (
            "tags per question or document",
            if posts.tags.is_empty() { Histogram::default() } else { posts.tags_each.clone() },
        ),
        ("score of questions", posts.kinds[0].scores.clone()),
        ("score of answers", posts.kinds[1].scores.clone()),
        ("score of documents", posts.kinds[2].scores.clone()),
        ("score of comments", posts.comments.scores.clone()),
    ]
}

pub(super) fn words(posts: &Posts) -> Vec<(&'static str, Histogram)> {
    vec![
        ("title", posts.title_words.clone()),
        ("question", posts.kinds[0].words.clone()),
        ("answer", posts.kinds[1].words.clone()),
        ("document", posts.kinds[2].words.clone()),
        ("comment", posts.comments.words.clone()),
    ]
}

pub(super) fn formulas_each(posts: &Posts) -> Vec<(&'static str, Histogram)> {
    vec![
        ("post", posts.formulas_each()),
        ("question with its title", posts.kinds[0].formulas.clone()),
        ("answer", posts.kinds[1].formulas.clone()),
        ("document with its title", posts.kinds[2].formulas.clone()),
        ("comment", posts.comments.formulas.clone()),
    ]
}

/// The tags used most.
pub(super) fn tags(census: &Census) -> Option<Table> {
    let posts = &census.posts;
    let tags = posts.top_tags(TAGS);
    let tagged = posts.tags_each.count();
    (!tags.is_empty()).then(|| Table {
        caption: vec!["Most frequent tags.".into()],
        columns: vec![Column::left("Tag"), Column::right("Posts"), Column::right("Share")],
        rows: tags
            .iter()
            .map(|(tag, count)| Row::Cells(vec![Cell::text(*tag), number(*count), share(*count, tagged)]))
            .collect(),
        ..Table::default()
    })
}

/// What was written in each year.
pub(super) fn years(census: &Census) -> Option<Table> {
    let years = &census.posts.dates.years;
    let kinds = ["Questions", "Answers", "Documents", "Comments"];
    let used: Vec<usize> =
        (0..kinds.len()).filter(|kind| years.values().any(|counts| counts[*kind] > 0)).collect();
    (!years.is_empty()).then(|| Table {
        caption: vec!["Posts and comments by year.".into()],
        columns: [Column::left("Year")]
            .into_iter()
            .chain(used.iter().map(|kind| Column::right(kinds[*kind])))
            .collect(),
        rows: years
            .iter()
            .map(|(year, counts)| {
                let counts = used.iter().map(|kind| Cell::text(grouped(counts[*kind])));
                Row::Cells([Cell::text(year.to_string())].into_iter().chain(counts).collect())
            })
            .collect(),
        ..Table::default()
    })
}
