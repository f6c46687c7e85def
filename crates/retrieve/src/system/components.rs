//! The components of a system: the system without one of them, and each of them alone.
//!
//! A component is a member of a fusion; a source or scorer of posts; or, for systems that rank by formulas alone, a
//! way to find formulas, their scorer or their context. Both variants are systems like any other.

use super::{
    FormulaStage, FusionStage, Need, Only, Origin, PostStage, QueryText, System, SystemError, SystemTask,
};
use super::{Member, Topics};
use fuse::{Method, Normalisation};
use std::collections::BTreeSet;

/// A component of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    name: String,
    place: Place,
}

/// Where a component stands in the system's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Member(usize),
    Group(usize),
    ByFormulas,
    Dense(usize),
    Links,
    Proximity,
    PostRerank(usize),
    Find(usize),
    FormulaDense,
    FormulaRerank,
    Context,
}

impl Component {
    /// Its name, which no other component of the system has.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, by the word of the system's file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.place {
            Place::Member(_) => "member",
            Place::Group(_) => "group",
            Place::ByFormulas => "by_formulas",
            Place::Dense(_) | Place::FormulaDense => "dense",
            Place::Links => "links",
            Place::Proximity => "proximity",
            Place::PostRerank(_) | Place::FormulaRerank => "rerank",
            Place::Find(_) => "find",
            Place::Context => "context",
        }
    }

    /// Whether it retrieves by itself. The others score what these retrieve.
    #[must_use]
    pub fn retrieves(&self) -> bool {
        !matches!(self.place, Place::Proximity | Place::PostRerank(_) | Place::FormulaRerank | Place::Context)
    }
}

impl System {
    /// The components, in the order of the file.
    #[must_use]
    pub fn components(&self) -> Vec<Component> {
        let mut found = match (&self.fusion, &self.posts, &self.formulas) {
            (Some(fusion), _, _) => of_fusion(fusion),
            (None, Some(posts), _) if self.task == SystemTask::Answers => of_posts(posts),
            (None, _, Some(formulas)) => of_formulas(formulas),
            _ => Vec::new(),
        };
        // Posts that are found by formulas alone are made of the ways to find formulas.
        if let ([Component { place: Place::ByFormulas, .. }], Some(formulas)) = (&found[..], &self.formulas) {
            found = of_formulas(formulas);
        }
        let mut names = BTreeSet::new();
        for component in &mut found {
            let name = component.name.clone();
            let mut number = 2;
            while !names.insert(component.name.clone()) {
                component.name = format!("{name} ({number})");
                number += 1;
            }
        }
        found
    }

    /// The system without a component: what its file says with that part deleted. All else stays, such as the
    /// weights of other components.
    ///
    /// # Errors
    ///
    /// When there would be nothing left that retrieves.
    pub fn without(&self, component: &Component) -> Result<Self, SystemError> {
        self.retaining(|place| place != component.place)
    }

    /// A component as a system of its own; nothing if it retrieves nothing by itself. A member of a fusion is the
    /// system that the fusion names, which `find` gives, or the run as it is given. A source must be there, also
    /// where the system can do without.
    ///
    /// # Errors
    ///
    /// When there is no system of the name, or the component cannot be a system of its own.
    pub fn only(
        &self,
        component: &Component,
        find: &dyn Fn(&str) -> Result<Self, SystemError>,
    ) -> Result<Option<Self>, SystemError> {
        if !component.retrieves() {
            return Ok(None);
        }
        if let (Place::Member(number), Some(fusion)) = (component.place, &self.fusion) {
            return match fusion.members.get(number).map(|member| &member.from) {
                Some(Origin::System(name)) => find(name).map(Some),
                Some(Origin::Run(name)) => Ok(Some(self.as_given(name))),
                None => Ok(None),
            };
        }
        let components = self.components();
        let others = |place| components.iter().any(|other| other.place == place && other != component);
        let mut system = self.retaining(|place| !others(place))?;
        for dense in system.posts.iter_mut().flat_map(|posts| &mut posts.dense) {
            dense.need = Need::Required;
        }
        Ok(Some(system))
    }

    /// Whether another system ranks by the same settings, whatever both are called.
    #[must_use]
    pub fn ranks_as(&self, other: &Self) -> bool {
        self.task == other.task
            && self.posts == other.posts
            && self.formulas == other.formulas
            && self.fusion == other.fusion
    }

    /// A run that is given, in its own order and as deep as it is.
    fn as_given(&self, name: &str) -> Self {
        let from = Origin::Run(name.to_owned());
        let member = Member { from, instead: None, about: None, weight: 1.0, need: Need::Required };
        let stage = FusionStage {
            method: Method::CombSum,
            normalisation: Normalisation::None,
            only: Only::All,
            topics: Topics::All,
            depth: usize::MAX,
            members: vec![member],
        };
        Self { fusion: Some(stage), ..self.clone() }
    }

    /// The system with some of its parts.
    fn retaining(&self, keep: impl Fn(Place) -> bool) -> Result<Self, SystemError> {
        let mut system = self.clone();
        if let Some(fusion) = &mut system.fusion {
            retain_at(&mut fusion.members, |number| keep(Place::Member(number)));
            if fusion.members.is_empty() {
                return Err(SystemError::new(&self.name, "a fusion needs members: [[fusion.member]]"));
            }
        }
        if let Some(posts) = &mut system.posts {
            retain_at(&mut posts.groups, |number| keep(Place::Group(number)));
            retain_at(&mut posts.dense, |number| keep(Place::Dense(number)));
            retain_at(&mut posts.rerank, |number| keep(Place::PostRerank(number)));
            posts.links = posts.links.take().filter(|_| keep(Place::Links));
            posts.proximity = posts.proximity.filter(|_| keep(Place::Proximity));
            if posts.by_formulas.is_some() && !keep(Place::ByFormulas) {
                posts.by_formulas = None;
                // Nothing else of a system for answers looks for formulas.
                system.formulas = None;
            }
        }
        if let Some(formulas) = &mut system.formulas {
            retain_at(&mut formulas.find, |number| keep(Place::Find(number)));
            formulas.dense = formulas.dense.take().filter(|_| keep(Place::FormulaDense));
            formulas.rerank = formulas.rerank.take().filter(|_| keep(Place::FormulaRerank));
            formulas.context = formulas.context.take().filter(|_| keep(Place::Context));
        }
        system.checked(&self.name)
    }
}

fn retain_at<T>(items: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
    let mut places = 0..items.len();
    items.retain(|_| places.next().is_some_and(&keep));
}

fn component(name: impl Into<String>, place: Place) -> Component {
    Component { name: name.into(), place }
}

fn of_fusion(fusion: &FusionStage) -> Vec<Component> {
    let members = fusion.members.iter().enumerate();
    members.map(|(number, member)| component(member.from.name(), Place::Member(number))).collect()
}

fn of_posts(posts: &PostStage) -> Vec<Component> {
    let mut found = Vec::new();
    let groups = posts.groups.iter().enumerate();
    found.extend(groups.map(|(number, group)| component(group.name.as_str(), Place::Group(number))));
    found.extend(posts.by_formulas.map(|_| component("by_formulas", Place::ByFormulas)));
    for (number, dense) in posts.dense.iter().enumerate() {
        let name = match dense.query {
            QueryText::All => "dense",
            QueryText::Title => "dense, title",
        };
        found.push(component(name, Place::Dense(number)));
    }
    found.extend(posts.links.as_ref().map(|_| component("links", Place::Links)));
    found.extend(posts.proximity.map(|_| component("proximity", Place::Proximity)));
    let reranks = posts.rerank.iter().enumerate();
    found
        .extend(reranks.map(|(number, rerank)| {
            component(format!("rerank, {}", rerank.by()), Place::PostRerank(number))
        }));
    found
}

fn of_formulas(formulas: &FormulaStage) -> Vec<Component> {
    let mut found = Vec::new();
    for (number, find) in formulas.find.iter().enumerate() {
        let kinds: Vec<&str> = find.features.kinds().iter().map(|(kind, _)| kind.name()).collect();
        found.push(component(format!("find, {}", kinds.join("+")), Place::Find(number)));
    }
    found.extend(formulas.dense.as_ref().map(|_| component("dense", Place::FormulaDense)));
    found.extend(
        formulas
            .rerank
            .as_ref()
            .map(|rerank| component(format!("rerank, {}", rerank.by()), Place::FormulaRerank)),
    );
    found.extend(formulas.context.as_ref().map(|_| component("context", Place::Context)));
    found
}
