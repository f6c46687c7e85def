//! Writing a collection: blocks made on several threads, written in order.

use crate::Settings;
use crate::block::{Block, Collection, FirstIds, make};
use crate::count::Distinct;
use crate::error::Error;
use crate::folder::{Existing, Folder, OpenFile};
use crate::manifest::Manifest;
use crate::people::{push_user, users};
use crate::plan::{BLOCK, block_posts, plan};
use crate::plant::Plants;
use crate::text::HEADER;
use crate::topics::{self, AnswerJudgments};
use crate::vocabulary::vocabulary;
use crate::xml::{attribute, closing, opening};
use std::num::NonZeroUsize;
use std::path::Path;

/// All files of a collection.
pub const FILES: [&str; 12] = [
    "Comments.xml",
    "PostLinks.xml",
    "Posts.xml",
    "Tags.xml",
    "Users.xml",
    "latex_representation.tsv",
    "qrels/task1.qrels",
    "qrels/task2.qrels",
    "synth.json",
    "topics/Formulas_Latex.tsv",
    "topics/Topics_Task1.xml",
    "topics/Topics_Task2.xml",
];

/// Makes a collection in a folder. `progress` hears how many more posts are done.
///
/// # Errors
///
/// When the settings ask for what cannot be made, when the folder has files
/// already and these are not to be replaced, and when writing fails; nothing
/// but an empty folder is left then.
pub fn write(
    settings: &Settings,
    folder: &Path,
    existing: Existing,
    mut progress: impl FnMut(u64),
) -> Result<Manifest, Error> {
    settings.check()?;
    let mut folder = Folder::create(folder, existing)?;
    let plants = Plants::choose(settings);
    let collection = Collection { seed: settings.seed, posts: settings.posts, plants: &plants };
    let mut manifest = Manifest {
        generator: "hypatia synth".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        posts: settings.posts,
        seed: settings.seed,
        topics: u64::from(settings.topics),
        planted_threads: plants.len() as u64,
        ..Manifest::default()
    };

    let mut answers = AnswerJudgments::default();
    let first_ids = number_blocks(&collection, &mut answers);
    let mut files = Files::open(&mut folder)?;
    let mut tags = vec![0; vocabulary().themes.len()];
    let (mut looks, mut texts) = (Distinct::new(), Distinct::new());
    in_order(settings.threads, &collection, &first_ids, |number, block| {
        files.write(&block)?;
        manifest.questions += block.questions;
        manifest.duplicates += block.duplicates;
        let formulas = &mut manifest.formulas;
        let counts =
            [&mut formulas.title, &mut formulas.question, &mut formulas.answer, &mut formulas.comment];
        for (count, more) in counts.into_iter().zip(block.table.counts) {
            *count += more;
        }
        block.table.looks.iter().for_each(|hash| looks.add(*hash));
        block.table.texts.iter().for_each(|hash| texts.add(*hash));
        for (count, more) in tags.iter_mut().zip(&block.tags) {
            *count += more;
        }
        progress(block_posts(settings.posts, number));
        Ok(())
    })?;
    files.close()?;

    let totals = first_ids.last().copied().unwrap_or_default();
    manifest.answers = settings.posts - manifest.questions;
    manifest.comments = totals.comment - 1;
    manifest.links = totals.link - 1;
    manifest.formulas.instances = totals.formula - 1;
    manifest.formulas.distinct_visual_ids = looks.count();
    manifest.formulas.distinct_latex = texts.count();
    manifest.formulas.distinct_are_exact = looks.is_exact() && texts.is_exact();
    manifest.tags = write_tags(&mut folder, &tags)?;
    manifest.users = write_users(&mut folder, settings)?;

    let topic_files = topics::write(settings)?;
    folder.whole_file("topics/Topics_Task1.xml", &topic_files.task1)?;
    folder.whole_file("topics/Topics_Task2.xml", &topic_files.task2)?;
    folder.whole_file("topics/Formulas_Latex.tsv", &topic_files.formulas)?;
    let (formula_judgments, judged) = topics::formula_judgments(settings, &plants);
    folder.whole_file("qrels/task1.qrels", &answers.text())?;
    folder.whole_file("qrels/task2.qrels", &formula_judgments)?;
    manifest.judged_answers = answers.len() as u64;
    manifest.judged_formulas = judged as u64;
    let mut json = serde_json::to_string_pretty(&manifest).expect("plain values always serialise");
    json.push('\n');
    folder.whole_file("synth.json", &json)?;
    folder.finish()?;
    Ok(manifest)
}

/// The first ids of every block, and those after the last one.
fn number_blocks(collection: &Collection<'_>, answers: &mut AnswerJudgments) -> Vec<FirstIds> {
    let mut ids = FirstIds { formula: 1, comment: 1, link: 1 };
    let mut all = vec![ids];
    for block in 0..collection.posts.div_ceil(BLOCK) {
        let plan = plan(collection.seed, collection.posts, block, collection.plants);
        answers.add(collection, block, &plan);
        ids.formula += plan.formulas;
        ids.comment += plan.comments.len() as u64;
        ids.link += plan.links;
        all.push(ids);
    }
    all
}

/// Makes all blocks on several threads and hands them on in order.
fn in_order(
    threads: usize,
    collection: &Collection<'_>,
    first_ids: &[FirstIds],
    mut take: impl FnMut(u64, Block) -> Result<(), Error>,
) -> Result<(), Error> {
    let blocks = first_ids.len() - 1;
    let threads = NonZeroUsize::new(threads.min(blocks)).unwrap_or(NonZeroUsize::MIN);
    let planned = parallel::ordered_on(
        threads,
        |put| {
            let _ = (0_u64..).zip(&first_ids[..blocks]).try_for_each(put);
            Ok(())
        },
        || (),
        |(), (number, ids)| (number, make(collection, number, *ids)),
        |(number, block)| take(number, block),
    )?;
    planned.expect("nothing is read, so reading does not fail");
    Ok(())
}

/// The files that grow block by block.
struct Files {
    posts: OpenFile,
    comments: OpenFile,
    links: OpenFile,
    formulas: OpenFile,
}

impl Files {
    fn open(folder: &mut Folder) -> Result<Self, Error> {
        let mut start = |name: &str, text: &str| {
            let mut file = folder.file(name)?;
            file.write(text)?;
            Ok::<_, Error>(file)
        };
        Ok(Self {
            posts: start("Posts.xml", &opening("posts"))?,
            comments: start("Comments.xml", &opening("comments"))?,
            links: start("PostLinks.xml", &opening("postlinks"))?,
            formulas: start("latex_representation.tsv", HEADER)?,
        })
    }

    fn write(&mut self, block: &Block) -> Result<(), Error> {
        block.posts.iter().try_for_each(|row| self.posts.write(row))?;
        block.comments.iter().try_for_each(|row| self.comments.write(row))?;
        self.links.write(&block.links)?;
        self.formulas.write(&block.table.rows)
    }

    fn close(mut self) -> Result<(), Error> {
        self.posts.write(&closing("posts"))?;
        self.comments.write(&closing("comments"))?;
        self.links.write(&closing("postlinks"))?;
        for file in [self.posts, self.comments, self.links, self.formulas] {
            file.close()?;
        }
        Ok(())
    }
}

/// Writes the tags that were used and gives their number.
fn write_tags(folder: &mut Folder, counts: &[u64]) -> Result<u64, Error> {
    let mut text = opening("tags");
    let mut written = 0;
    for (theme, count) in vocabulary().themes.iter().zip(counts).filter(|(_, count)| **count > 0) {
        written += 1;
        text.push_str("   <row");
        attribute(&mut text, "Id", written);
        attribute(&mut text, "TagName", theme.tag);
        attribute(&mut text, "Count", count);
        text.push_str(" />\n");
    }
    text.push_str(&closing("tags"));
    folder.whole_file("Tags.xml", &text)?;
    Ok(written)
}

/// Writes all users and gives their number.
fn write_users(folder: &mut Folder, settings: &Settings) -> Result<u64, Error> {
    let mut file = folder.file("Users.xml")?;
    file.write(&opening("users"))?;
    let mut row = String::new();
    for number in 1..=users(settings.posts) {
        row.clear();
        push_user(&mut row, settings.seed, settings.posts, number);
        file.write(&row)?;
    }
    file.write(&closing("users"))?;
    file.close()?;
    Ok(users(settings.posts))
}
