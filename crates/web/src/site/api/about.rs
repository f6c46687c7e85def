//! `GET /systems` and `GET /index`: what is served, and what can rank it.

use super::params::Params;
use super::{answer, written};
use crate::site::answers;
use crate::site::error::ApiError;
use crate::site::model::Model;
use crate::site::state::App;
use crate::site::systems::{self, Known};
use ::answer::{DEFAULT, Kind, Maker};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use retrieve::{DEFAULT_SEARCH, Engine};
use serde::Serialize;

#[derive(Serialize)]
struct SystemsObject {
    systems: Vec<SystemObject>,
    /// Those that give one answer.
    answers: Vec<AnswererObject>,
}

#[derive(Serialize)]
struct AnswererObject {
    name: &'static str,
    about: &'static str,
    /// Whether it cuts answers out of posts, or lets a language model write them.
    kind: &'static str,
    /// The run of a lab that it stands for.
    lab: Option<LabObject>,
    /// Whether it is taken when none is named.
    usual: bool,
    /// Why it cannot be used.
    reason: Option<String>,
}

impl AnswererObject {
    fn new(engine: &Engine, model: Option<&Model>, maker: &'static Maker) -> Self {
        let system = maker.system();
        let kind = if system.is_generative() { Kind::Generated } else { Kind::Extracted };
        Self {
            name: &system.name,
            about: system.about.trim(),
            kind: kind.word(),
            lab: system.lab.as_ref().map(|lab| LabObject { team: lab.team.clone(), row: lab.row.clone() }),
            usual: system.name == DEFAULT,
            reason: answers::reason(maker, engine, model),
        }
    }
}

#[derive(Serialize)]
struct SystemObject {
    name: String,
    about: String,
    /// 1: answers to questions; 2: formulas.
    task: u8,
    /// The run of a lab that it stands for.
    lab: Option<LabObject>,
    /// What is fused, if it is a fusion.
    members: Vec<String>,
    /// Where it can be named: `search`, `ask`.
    usable: Vec<&'static str>,
    /// Where it is taken when none is named.
    usual: Vec<&'static str>,
    /// Why it cannot be used.
    reason: Option<String>,
}

#[derive(Serialize)]
struct LabObject {
    team: String,
    row: String,
}

impl SystemObject {
    fn new(engine: &Engine, known: &Known) -> Self {
        let system = &known.system;
        let fusion = system.fusion.as_ref();
        let members = fusion.into_iter().flat_map(|fusion| &fusion.members);
        let mut object = Self {
            name: system.name.clone(),
            about: system.about.clone(),
            task: system.task.number(),
            lab: system.lab.as_ref().map(|lab| LabObject { team: lab.team.clone(), row: lab.row.clone() }),
            members: members.map(|member| member.from.name().to_owned()).collect(),
            usable: Vec::new(),
            usual: Vec::new(),
            reason: known.answers(engine).err(),
        };
        for (name, place) in [(DEFAULT_SEARCH, "search"), (engine.default_posts(), "ask")] {
            if system.name == name {
                object.usual.push(place);
            }
        }
        if object.reason.is_none() {
            object.usable.extend(["search", "ask"]);
        }
        object
    }
}

pub(super) async fn systems(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    Params::read(&uri, &[])?;
    let model = app.config().model.clone();
    answer(&app, move |served, _| {
        let engine = &served.engine;
        let systems = systems::all().iter().map(|known| SystemObject::new(engine, known));
        let answers = answers::all().iter();
        let answers = answers.map(|maker| AnswererObject::new(engine, model.as_ref(), maker));
        written(&SystemsObject { systems: systems.collect(), answers: answers.collect() })
    })
    .await
}

#[derive(Serialize)]
struct IndexObject {
    version: &'static str,
    generation: u64,
    fingerprint: String,
    posts: u32,
    /// Visually distinct formulas.
    formulas: u64,
    bytes: u64,
    formula_features: Vec<&'static str>,
    post_features: Vec<&'static str>,
    collections: Vec<CollectionObject>,
}

#[derive(Serialize)]
struct CollectionObject {
    source: String,
    questions: u32,
    answers: u32,
    documents: u32,
    comments: u32,
    formulas: u32,
    visual_ids: u32,
}

pub(super) async fn index(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    Params::read(&uri, &[])?;
    answer(&app, |served, _| {
        let index = served.engine.index();
        let collections: Vec<CollectionObject> = index
            .sources()
            .iter()
            .map(|source| {
                let about = source.collection.about();
                CollectionObject {
                    source: about.source.clone(),
                    questions: about.counts.questions,
                    answers: about.counts.answers,
                    documents: about.counts.documents,
                    comments: about.counts.comments,
                    formulas: about.counts.formulas,
                    visual_ids: about.counts.visuals,
                }
            })
            .collect();
        written(&IndexObject {
            version: env!("CARGO_PKG_VERSION"),
            generation: index.generation(),
            fingerprint: format!("{:016x}", served.fingerprint()),
            posts: index.num_posts(),
            formulas: collections.iter().map(|collection| u64::from(collection.visual_ids)).sum(),
            bytes: index.size(),
            formula_features: index.formula_features().into_iter().map(index::FeatureKind::name).collect(),
            post_features: index.post_features().into_iter().map(index::FeatureKind::name).collect(),
            collections,
        })
    })
    .await
}
