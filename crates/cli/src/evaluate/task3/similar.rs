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
    ReferenceTask, References, Rule, Share, SimilarityScore, Task3Error, TeamReferences, Tokenize,
    TokenizeError, Tokenizer, Unanswered, similarity,
};
use formats::qrels::Qrels;
use formats::task3::LONGEST_ANSWER;
use formats::{DocId, TopicId};
use lab::AnsweredTask;
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

/// Where references come from.
enum Origin {
    /// The judgments that the runs are scored by.
    Given,
    /// Judgments of answers and of posts: what the references are, in a sentence.
    Both(String),
    /// A finished lab: all that is said of them, in sentences.
    Lab(Vec<String>),
}

/// The references, whose they are, and how they are compared with.
pub(super) struct Comparison<'a> {
    references: References,
    /// Runs that contributed references to the pools, with their teams.
    contributors: Vec<(String, Contributor)>,
    ablation: AblationRule,
    /// How many of the judged posts the collection holds.
    judged: Share,
    origin: Origin,
    /// How deep runs of Task 1 were pooled.
    depths: Depths,
    tokenizer: Box<dyn Tokenize + 'a>,
    counting: Counting,
    contextual: Option<Box<dyn AnswerSimilarity + 'a>>,
}

impl<'a> Comparison<'a> {
    /// The relevant answers that the given runs wrote; nothing if there are none.
    pub(super) fn with_answers(args: &'a Eval, entries: &[Entry], qrels: &Qrels) -> Result<Option<Self>> {
        let mut references = TeamReferences::new(args.task3.normalisation());
        entries.iter().for_each(|entry| add_answers(&mut references, entry, qrels));
        if references.all().num_references() == 0 {
            for (option, given) in
                [("--tokenizer", args.task3.tokenizer.is_some()), ("--encoder", args.task3.encoder.is_some())]
            {
                ensure!(!given, "{option} has no effect: no run gives the text of a relevant answer");
            }
            return Ok(None);
        }
        Self::new(&args.task3, references, AblationRule::Team, None).map(Some)
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
        let mut references = TeamReferences::new(args.task3.normalisation());
        references.add_posts(qrels, |id| posts.get(id.as_str()).cloned());
        for entry in entries.iter().chain(pool) {
            add_posts(&mut references, entry, posts, qrels, args.task3.depths())?;
        }
        let ablation = match args.task3.ablation {
            Some(ablation) => ablation,
            None if pool.is_empty() => AblationRule::Own,
            None => AblationRule::Team,
        };
        let comparison = Self::new(&args.task3, references, ablation, None)?;
        Ok(Self { judged: posts.judged(qrels), ..comparison })
    }

    /// The published references: the relevant answers of Task 3 that the runs wrote, scored or of --pool, and the
    /// relevant posts of Task 1, with the runs of Task 1 that contributed them to the pools.
    pub(super) fn with_both(
        args: &'a Eval,
        (qrels, post_qrels): (&Qrels, &Qrels),
        posts: &Posts,
        entries: &[Entry],
        pool: &[Entry],
    ) -> Result<Self> {
        let mut references = TeamReferences::new(args.task3.normalisation());
        references.add_posts(post_qrels, |id| posts.get(id.as_str()).cloned());
        for entry in entries.iter().chain(pool) {
            match entry.answers {
                Answers::Ranked { .. } => {
                    add_posts(&mut references, entry, posts, post_qrels, args.task3.depths())?;
                }
                _ => add_answers(&mut references, entry, qrels),
            }
        }
        let ablation = args.task3.ablation.unwrap_or(AblationRule::Team);
        let origin = Origin::Both(in_words(references.all(), "the", None));
        let comparison = Self::new(&args.task3, references, ablation, None)?;
        Ok(Self { origin, judged: posts.judged(post_qrels), ..comparison })
    }

    /// The relevant answers and posts of a finished lab. The tokenizer, the way of counting and the encoder are the
    /// lab's, unless options say otherwise.
    pub(super) fn with_lab(args: &'a Eval, finished: &'a Finished) -> Result<Self> {
        let AnsweredTask { references, without_posts, train, .. } = &finished.answered;
        let mut words = vec![
            in_words(references.all(), "the lab's", *without_posts),
            "An answer is not compared with references that only its own team contributed to the pools; the name of a \
             run tells its team."
                .to_owned(),
        ];
        match train.len() {
            0 => {}
            1 => words.push("One topic was set apart for training and is in no value.".to_owned()),
            many => words.push(format!("{many} topics were set apart for training and are in no value.")),
        }
        let comparison = Self::new(&args.task3, references.clone(), AblationRule::Team, Some(finished))?;
        Ok(Self { origin: Origin::Lab(words), ..comparison })
    }

    fn new(
        args: &'a Task3Args,
        references: TeamReferences,
        ablation: AblationRule,
        of_lab: Option<&'a Finished>,
    ) -> Result<Self> {
        let (tokenizer, contextual, counting) = match of_lab {
            None => (args.tokenizer()?, args.contextual()?, args.counting(None)),
            // What the options name is among the instruments.
            Some(Finished { scoring, instruments, .. }) => {
                let overlap = instruments.overlap(scoring)?;
                let contextual = instruments.contextual(scoring)?;
                (
                    Box::new(Lent(overlap.tokenizer)) as Box<dyn Tokenize + 'a>,
                    contextual.map(|lent| Box::new(LentSimilarity(lent)) as Box<dyn AnswerSimilarity + 'a>),
                    args.counting(Some(overlap.counting)),
                )
            }
        };
        let (references, contributors) = references.into_parts();
        let (judged, origin, depths) = (Share::default(), Origin::Given, args.depths());
        Ok(Self {
            references,
            contributors,
            ablation,
            judged,
            origin,
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

    /// What the references are, where all are posts.
    fn posts_in_words(&self) -> String {
        let count = |is: fn(&NotUsedReason) -> bool| {
            self.references.not_used().iter().filter(|answer| is(&answer.reason)).count()
        };
        let long = count(|reason| matches!(reason, NotUsedReason::TooLong(_)));
        let missing = count(|reason| matches!(reason, NotUsedReason::NoText));
        format!(
            "References: the {} relevant posts (grade 2 or more) of at most {LONGEST_ANSWER} characters, over {} topics; \
             {long} longer ones and {missing} that the collection does not hold are none.",
            self.references.num_references(),
            self.references.topics().count(),
        )
    }

    /// What the references are, in sentences.
    pub(super) fn about(&self) -> Vec<String> {
        let what = match &self.origin {
            Origin::Lab(words) => return words.clone(),
            Origin::Both(words) => words.clone(),
            Origin::Given => self.posts_in_words(),
        };
        let mut sentences = vec![what];
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

    /// The tokenizer that was given, or the one that is built in.
    fn tokenizer(&self) -> Result<Box<dyn Tokenize>> {
        Ok(match &self.tokenizer {
            None => Box::new(Tokenizer::WordsAndLatex),
            Some(path) => Box::new(crate::similarity::tokenizer(path)?),
        })
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

/// Adds the relevant answers that a run wrote, if a map says which they are.
fn add_answers(references: &mut TeamReferences, entry: &Entry, qrels: &Qrels) {
    if !matches!(entry.answers, Answers::Mapped { .. }) {
        return;
    }
    let ids: BTreeMap<TopicId, DocId<'_>> = entry.known_ids().collect();
    let texts = entry.texts();
    let answers = texts.filter_map(|(topic, text)| Some((topic.clone(), *ids.get(&topic)?, text)));
    references.add_answers(&team_of(entry), entry.tag(), answers, |_, _| true, qrels);
}

/// Says which relevant posts a run contributed to the pools.
fn add_posts(
    references: &mut TeamReferences,
    entry: &Entry,
    posts: &Posts,
    qrels: &Qrels,
    depths: Depths,
) -> Result<()> {
    let contributed = entry.contributed(depths)?;
    let text = |id: DocId<'_>| posts.get(id.as_str()).cloned();
    references.add_ranking(&team_of(entry), entry.tag(), contributed, |_, _| true, qrels, text);
    Ok(())
}

/// What references are that come of answers and of posts, in a sentence.
fn in_words(references: &References, whose: &str, without_posts: Option<&str>) -> String {
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
    format!(
        "References: {whose} {answers} relevant answers of Task 3 (grade 2 or more) and {posts}, over {} topics.",
        references.topics().count()
    )
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
