//! How similar written answers are to those that people found relevant.

use super::super::Eval;
use super::super::table::team;
use super::entries::{Answers, Entry};
use super::finished::Finished;
use super::posts::Posts;
use super::{Rules, Task3Args, TokenRule};
use crate::warn;
use anyhow::{Result, ensure};
use clap::ValueEnum;
use eval::task3::{
    AnswerSimilarity, Contributor, Counting, LexicalOverlap, MatchRule, Normalisation, NotUsedReason,
    ReferenceTask, References, Rule, Share, SimilarityScore, Task3Error, Tokenize, TokenizeError, Tokenizer,
    Unanswered, similarity,
};
use formats::qrels::Qrels;
use formats::task3::LONGEST_ANSWER;
use formats::{DocId, TopicId};
use pool::Depths;
use std::collections::{BTreeMap, BTreeSet};

/// Which references an answer is not compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AblationRule {
    /// It is compared with all
    None,
    /// Those that it was cut out of, and those that stand in it
    Own,
    /// Those that, of the scored runs and those of --pool, only runs of its team contributed to the pools
    Team,
}

/// The similarity of the answers of a run to the references, by one measure.
pub(super) struct Similar {
    /// Without the references that are left out for it.
    pub(super) score: SimilarityScore,
    /// How many these are.
    pub(super) removed: usize,
    /// With all references, if some were left out.
    pub(super) all: Option<SimilarityScore>,
}

/// The references, whose they are, and how they are compared with.
pub(super) struct Comparison<'a> {
    references: References,
    /// Runs that contributed references to the pools, with their teams.
    contributors: Vec<(String, Contributor)>,
    ablation: AblationRule,
    /// How many of the judged posts the collection holds.
    judged: Share,
    /// What stands in place of the usual words about the references, for those of a lab.
    words: Vec<String>,
    /// How deep runs of Task 1 were pooled.
    depths: Depths,
    tokenizer: Box<dyn Tokenize + 'a>,
    counting: Counting,
    contextual: Option<Box<dyn AnswerSimilarity + 'a>>,
}

impl<'a> Comparison<'a> {
    /// The relevant answers that the given runs wrote; nothing if there are none.
    pub(super) fn with_answers(args: &'a Eval, entries: &[Entry], qrels: &Qrels) -> Result<Option<Self>> {
        let mut references = References::new(args.task3.normalisation());
        let mut contributors = Vec::new();
        for entry in entries.iter().filter(|entry| matches!(entry.answers, Answers::Mapped { .. })) {
            let ids: BTreeMap<TopicId, DocId<'_>> = entry.known_ids().collect();
            let texts = entry.texts();
            let answers = texts.filter_map(|(topic, text)| Some((topic.clone(), *ids.get(&topic)?, text)));
            references.add_task3(&entry.tag(), answers, |_, _| true, qrels);
            contributors.push((team_of(entry), Contributor { task: ReferenceTask::Task3, run: entry.tag() }));
        }
        if references.num_references() == 0 {
            for (option, given) in
                [("--tokenizer", args.task3.tokenizer.is_some()), ("--encoder", args.task3.encoder.is_some())]
            {
                ensure!(!given, "{option} has no effect: no run gives the text of a relevant answer");
            }
            return Ok(None);
        }
        Self::new(&args.task3, references, contributors, AblationRule::Team).map(Some)
    }

    /// The relevant posts of the judgments, and which runs contributed them to the pools: those of --pool, and
    /// those that are scored, since an answer would meet itself in a post that nobody is known to have contributed.
    pub(super) fn with_posts(
        args: &'a Eval,
        posts: &Posts,
        entries: &[Entry],
        pool: &[Entry],
        qrels: &Qrels,
    ) -> Result<Self> {
        let text = |id: DocId<'_>| posts.get(id.as_str()).cloned();
        let mut references = References::new(args.task3.normalisation());
        references.add_judged(qrels, text);
        let mut contributors = Vec::new();
        for entry in entries.iter().chain(pool) {
            let contributed = entry.contributed(args.task3.depths())?;
            references.add_task1(&entry.tag(), contributed, |_, _| true, qrels, text);
            contributors.push((team_of(entry), Contributor { task: ReferenceTask::Task1, run: entry.tag() }));
        }
        let ablation = match args.task3.ablation {
            Some(ablation) => ablation,
            None if pool.is_empty() => AblationRule::Own,
            None => AblationRule::Team,
        };
        let comparison = Self::new(&args.task3, references, contributors, ablation)?;
        Ok(Self { judged: posts.judged(qrels), ..comparison })
    }

    fn new(
        args: &'a Task3Args,
        references: References,
        contributors: Vec<(String, Contributor)>,
        ablation: AblationRule,
    ) -> Result<Self> {
        let tokenizer: Box<dyn Tokenize> = match &args.tokenizer {
            None => Box::new(Tokenizer::WordsAndLatex),
            Some(path) => Box::new(crate::similarity::tokenizer(path)?),
        };
        let contextual = args.contextual()?;
        let counting = args.counting(None);
        let (judged, words) = (Share::default(), Vec::new());
        let depths = args.depths();
        Ok(Self {
            references,
            contributors,
            ablation,
            judged,
            words,
            depths,
            tokenizer,
            counting,
            contextual,
        })
    }

    /// The relevant answers and posts of a finished lab. The tokenizer, the way of counting and the encoder are the
    /// lab's, unless options say otherwise.
    pub(super) fn with_lab(args: &'a Eval, finished: &'a Finished) -> Result<Self> {
        let Finished { answered, scoring, instruments } = finished;
        let overlap = instruments.overlap(scoring)?;
        let tokenizer: Box<dyn Tokenize + 'a> = match &args.task3.tokenizer {
            None => Box::new(Lent(overlap.tokenizer)),
            Some(path) => Box::new(crate::similarity::tokenizer(path)?),
        };
        let contextual = match args.task3.contextual()? {
            Some(given) => Some(given),
            None => instruments.contextual(scoring)?.map(|lent| Box::new(LentSimilarity(lent)) as Box<_>),
        };
        let counting = args.task3.counting(Some(overlap.counting));
        let (references, contributors) = answered.references.clone().into_parts();
        let words = of_lab(&references, answered.without_posts);
        let (ablation, judged, depths) = (AblationRule::Team, Share::default(), args.task3.depths());
        Ok(Self {
            references,
            contributors,
            ablation,
            judged,
            words,
            depths,
            tokenizer,
            counting,
            contextual,
        })
    }

    /// The measures: lexical overlap, and contextual similarity if a model was given.
    pub(super) fn measures(&self) -> Vec<Box<dyn AnswerSimilarity + '_>> {
        let overlap = LexicalOverlap { tokenizer: &*self.tokenizer, counting: self.counting };
        let mut measures: Vec<Box<dyn AnswerSimilarity + '_>> = vec![Box::new(overlap)];
        if let Some(contextual) = &self.contextual {
            measures.push(Box::new(LentSimilarity(&**contextual)));
        }
        measures
    }

    /// The similarities of a run, by each measure; none if its texts are not known.
    pub(super) fn of(
        &self,
        entry: &Entry,
        measures: &[Box<dyn AnswerSimilarity + '_>],
    ) -> Result<Vec<Similar>> {
        if entry.written().is_empty() {
            return Ok(Vec::new());
        }
        let references = match self.ablation {
            AblationRule::None => self.references.clone(),
            AblationRule::Own => self.references.without_own(entry.texts(), MatchRule::default()),
            AblationRule::Team => {
                let team = team_of(entry);
                let own: BTreeSet<Contributor> = self
                    .contributors
                    .iter()
                    .filter(|(of, _)| *of == team)
                    .map(|(_, contributor)| contributor.clone())
                    .collect();
                self.references.without_team(&own)?
            }
        };
        let removed = references.ablation().removed();
        let score = |measure: &dyn AnswerSimilarity, references: &References| {
            similarity(measure, entry.texts(), references, Unanswered::LeftOut)
        };
        let mut similar = Vec::new();
        for measure in measures {
            let all = match removed {
                0 => None,
                _ => Some(score(&**measure, &self.references)?),
            };
            similar.push(Similar { score: score(&**measure, &references)?, removed, all });
        }
        Ok(similar)
    }

    /// What the references are, in sentences.
    pub(super) fn about(&self) -> Vec<String> {
        if !self.words.is_empty() {
            return self.words.clone();
        }
        let count = |is: fn(&NotUsedReason) -> bool| {
            self.references.not_used().iter().filter(|answer| is(&answer.reason)).count()
        };
        let long = count(|reason| matches!(reason, NotUsedReason::TooLong(_)));
        let missing = count(|reason| matches!(reason, NotUsedReason::NoText));
        let mut sentences = vec![format!(
            "References: the {} relevant posts (grade 2 or more) of at most {LONGEST_ANSWER} characters, over {} topics; \
             {long} longer ones and {missing} that the collection does not hold are none.",
            self.references.num_references(),
            self.references.topics().count(),
        )];
        if self.judged.count < self.judged.total {
            sentences.push(format!(
                "The collection holds {} of the judged posts: no answer can be found in the others.",
                self.judged
            ));
        }
        sentences.push(match self.ablation {
            AblationRule::None => {
                "An answer is compared with all references, the post it was cut out of as well.".to_owned()
            }
            AblationRule::Own => {
                "An answer is not compared with references that it was cut out of, or that stand in it.".to_owned()
            }
            AblationRule::Team => {
                let Depths { primary, alternate } = self.depths;
                format!(
                    "An answer is not compared with references that, of the scored runs and those of --pool, only \
                     its own team contributed to the pools: the first {primary} posts of primary runs of Task 1, \
                     {alternate} of others, and all answers of Task 3."
                )
            }
        });
        sentences
    }
}

impl Task3Args {
    pub(super) fn normalisation(&self) -> Normalisation {
        match self.rules {
            Rules::Published => Normalisation::Published,
            Rules::AsRun => Normalisation::AsRun,
        }
    }

    /// How tokens are counted: as --tokens says, else as --rules does, else as the lab has it.
    fn counting(&self, of_lab: Option<Counting>) -> Counting {
        match (self.tokens, self.rules, of_lab) {
            (Some(TokenRule::Bag), ..) => Counting::Bags,
            (Some(TokenRule::Set), ..) | (None, Rules::AsRun, _) => Counting::Sets,
            (None, Rules::Published, of_lab) => of_lab.unwrap_or_default(),
        }
    }

    /// Contextual similarity by the encoder that was given.
    fn contextual(&self) -> Result<Option<Box<dyn AnswerSimilarity>>> {
        let Some(encoder) = &self.encoder else { return Ok(None) };
        Ok(Some(Box::new(crate::similarity::contextual(encoder, self.layer)?)))
    }
}

/// A tokenizer that somebody else owns.
struct Lent<'a>(&'a dyn Tokenize);

impl Tokenize for Lent<'_> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn tokens(&self, text: &str) -> Result<Vec<String>, TokenizeError> {
        self.0.tokens(text)
    }
}

/// A measure that somebody else owns.
struct LentSimilarity<'a>(&'a dyn AnswerSimilarity);

impl AnswerSimilarity for LentSimilarity<'_> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn rules(&self) -> Vec<Rule> {
        self.0.rules()
    }

    fn similarities(&self, answer: &str, references: &[&str]) -> Result<Vec<Option<f64>>, Task3Error> {
        self.0.similarities(answer, references)
    }

    fn remarks(&self) -> Vec<String> {
        self.0.remarks()
    }
}

/// What the references of a lab are, in sentences.
fn of_lab(references: &References, without_posts: Option<&str>) -> Vec<String> {
    let of = |task: ReferenceTask| {
        let all = references.topics().flat_map(|topic| references.topic(topic));
        all.filter(|reference| reference.task == task).count()
    };
    let (answers, posts) = (of(ReferenceTask::Task3), of(ReferenceTask::Task1));
    let not_used = references.not_used().len();
    let posts = match without_posts {
        None => format!(
            "{posts} relevant posts of Task 1 of at most {LONGEST_ANSWER} characters ({not_used} longer or missing ones \
             are none)"
        ),
        Some(reason) => format!("no posts of Task 1, since {reason}"),
    };
    vec![
        format!(
            "References: the lab's {answers} relevant answers of Task 3 (grade 2 or more) and {posts}, over {} topics.",
            references.topics().count()
        ),
        "An answer is not compared with references that only its own team contributed to the pools; the name of a \
         run tells its team."
            .to_owned(),
    ]
}

/// Says which teams are scored and have nothing in the pool: what they contributed beside the answers that are
/// scored is not known, and their names may be written in another way there.
pub(super) fn warn_of_teams_outside(entries: &[Entry], pool: &[Entry]) {
    if pool.is_empty() {
        return;
    }
    let of_pool: BTreeSet<String> = pool.iter().map(team_of).collect();
    let written = entries.iter().filter(|entry| !entry.written().is_empty());
    for team in written.map(team_of).collect::<BTreeSet<String>>().difference(&of_pool) {
        warn(&format!(
            "--pool holds no run of {team}: only the posts that its scored answers are count as what it contributed"
        ));
    }
}

/// The team that a run's name tells, or the run itself.
fn team_of(entry: &Entry) -> String {
    team(&entry.name).unwrap_or_else(|| entry.name.clone())
}
