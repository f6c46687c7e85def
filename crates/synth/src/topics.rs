//! Topics and their judgments, known because they were planted.

use crate::Settings;
use crate::block::Collection;
use crate::draw::{Draw, Use, place};
use crate::formula::{Formula, visual_id};
use crate::plan::{Extent, Plan, post_id};
use crate::plant::{Plants, topic_subject};
use crate::subject::{Share, Subject, Voice, shared_formula};
use crate::text::{Composer, FormulaTable, Location, Site};
use crate::vocabulary::vocabulary;
use formats::{
    FormulaId, Html, LineEnd, Representation, Role, Topic, TopicFormat, Topics, write_topic_formulas,
    write_topics,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The files of the topics.
#[derive(Debug)]
pub(crate) struct TopicFiles {
    pub(crate) task1: String,
    pub(crate) task2: String,
    pub(crate) formulas: String,
}

/// Writes the topics: questions about their subjects, asked after the collection ends.
pub(crate) fn write(settings: &Settings) -> Result<TopicFiles, formats::Error> {
    let mut table = FormulaTable::new(1, "q_");
    let (mut first, mut second, mut marked) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..settings.topics {
        let (topic, query) = topic(settings, number, &mut table);
        let mut with_formulas = topic.clone();
        with_formulas.formulas = topic.marked_formulas();
        let mut with_query = topic.clone();
        with_query.id = format!("B.{}", number + 1).as_str().into();
        let mut formula = formats::Formula::new(Role::Query);
        formula.latex = with_formulas.formula(&query).and_then(|found| found.latex.clone());
        formula.id = Some(FormulaId::new(query));
        with_query.formulas.push(formula);
        first.push(topic);
        second.push(with_query);
        marked.push(with_formulas);
    }
    let topics = |list: Vec<Topic>| Topics::new(list).expect("topics are numbered");
    let arqmath = |list| write_topics(&topics(list), TopicFormat::ArqmathXml, LineEnd::Lf);
    Ok(TopicFiles {
        task1: arqmath(first)?.text,
        task2: arqmath(second)?.text,
        formulas: write_topic_formulas(&topics(marked), Representation::Latex, LineEnd::Lf)?.text,
    })
}

/// A topic for Task 1, and the id of the formula that Task 2 asks for.
fn topic(settings: &Settings, number: u32, table: &mut FormulaTable) -> (Topic, String) {
    let seed = settings.seed;
    let subject = topic_subject(seed, number);
    let key = place(seed, Use::Topic, u64::from(number), 1);
    let voice = Voice::planted(&subject, Share::Whole, 0, &subject, key);
    let mut draw = Draw::new(key);
    let thread_id = post_id(seed, settings.posts + 100 * (1 + u64::from(number)));
    let title = Extent { words: draw.between(5, 10) as u16, formulas: u16::from(draw.percent(40)) };
    let body = Extent { words: draw.between(50, 110) as u16, formulas: draw.between(5, 8) as u16 };
    let tags = voice.tags(&mut draw);
    let mut composer = Composer {
        seed,
        voice: &voice,
        table,
        location: Location { site: Site::Title, post_id: thread_id, thread_id, comment_id: 0 },
        draw,
        person: place(seed, Use::User, settings.posts + u64::from(number), 1),
        planted: &voice.planted,
        html: String::new(),
        last_id: thread_id,
    };
    composer.title(title);
    let title = composer.html.clone();
    composer.start();
    composer.location.site = Site::Question;
    // The formulas of the subject come first.
    let query = format!("q_{}", composer.table.next_id);
    composer.body(body);
    let mut topic = Topic::new(format!("A.{}", number + 1).as_str());
    topic.title = Some(Html::new(title));
    topic.question = Some(Html::new(composer.html));
    topic.tags = tags.iter().map(|tag| vocabulary().themes[*tag].tag.to_owned()).collect();
    topic.thread = Some(thread_id.to_string());
    (topic, query)
}

/// Judgments of answers, collected block by block.
#[derive(Debug, Default)]
pub(crate) struct AnswerJudgments(BTreeMap<(u32, u64), u8>);

impl AnswerJudgments {
    /// Judges the answers of the planted threads of a block, and for each of
    /// them those of the next thread that was not planted.
    pub(crate) fn add(&mut self, collection: &Collection<'_>, block: u64, plan: &Plan) {
        for (number, plant) in collection.plants.in_block(block) {
            let mut judge = |number: usize, grade: u8| {
                for answer in &plan.thread_posts(&plan.threads[number])[1..] {
                    self.0.entry((plant.topic, collection.id(block, answer.position))).or_insert(grade);
                }
            };
            judge(number as usize, plant.share.grade());
            let threads = plan.threads.len();
            let others = (1..threads).map(|step| (number as usize + step) % threads);
            let ordinary = |other: &usize| collection.plants.get(block, *other as u32).is_none();
            for other in others.filter(ordinary).filter(|other| plan.threads[*other].posts > 1).take(2) {
                judge(other, 0);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The file.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for ((topic, answer), grade) in &self.0 {
            // Writing to a string does not fail.
            let _ = writeln!(text, "A.{}\t0\t{answer}\t{grade}", topic + 1);
        }
        text
    }
}

/// Judgments of formulas by visual id: the file and its number of lines.
pub(crate) fn formula_judgments(settings: &Settings, plants: &Plants) -> (String, usize) {
    let look = |formula: &Formula| {
        let mut canonical = String::new();
        formula.write(&mut canonical);
        visual_id(&canonical)
    };
    let subjects: Vec<Subject> =
        (0..settings.topics).map(|topic| topic_subject(settings.seed, topic)).collect();
    let mut grades: BTreeMap<(u32, u64), u8> = BTreeMap::new();
    for plant in plants.iter() {
        let formula = shared_formula(&subjects[plant.topic as usize], plant.share, plant.number);
        let grade = grades.entry((plant.topic, look(&formula))).or_default();
        *grade = (*grade).max(plant.share.grade());
    }
    // The formulas of the next topics are in the collection, and are something else.
    for topic in 0..settings.topics {
        for step in 1..settings.topics.min(6) {
            let other = &subjects[((topic + step) % settings.topics) as usize];
            for formula in &other.formulas[..2] {
                grades.entry((topic, look(formula))).or_default();
            }
        }
    }
    let mut text = String::new();
    for ((topic, look), grade) in &grades {
        // Writing to a string does not fail.
        let _ = writeln!(text, "B.{}\t0\t{look}\t{grade}", topic + 1);
    }
    (text, grades.len())
}
