//! A language model that is watched: what a server says of itself, for people and for the record of a run.

use generate::{Completion, Continue, Error, Event, Generator, Parameter, Request, Served};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// A language model, and what was said of how it wrote.
pub(crate) struct Watched {
    generator: Box<dyn Generator>,
    seen: Mutex<Seen>,
}

/// What servers said of themselves, of all texts together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// What they call their models.
    pub(crate) models: BTreeSet<String>,
    /// By what they tell their states apart.
    pub(crate) system_fingerprints: BTreeSet<String>,
    /// What they were not sent, since they do not take it.
    pub(crate) left_out: BTreeSet<String>,
}

impl Watched {
    pub(crate) fn new(generator: Box<dyn Generator>) -> Self {
        Self { generator, seen: Mutex::default() }
    }

    /// What was said so far.
    pub(crate) fn seen(&self) -> Seen {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes note of what was said, and gives what is worth a warning: parameters that are missed for the
    /// first time, and without which texts vary.
    fn note(&self, served: &Served) -> Vec<String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.models.extend(served.model.clone());
        seen.system_fingerprints.extend(served.system_fingerprint.clone());
        let mut new = Vec::new();
        for name in &served.left_out {
            let matters = Parameter::named(name).is_some_and(Parameter::matters);
            if seen.left_out.insert(name.clone()) && matters {
                new.push(name.clone());
            }
        }
        new
    }
}

impl Generator for Watched {
    fn name(&self) -> String {
        self.generator.name()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        let completion = self.generator.generate(request, on_event)?;
        let new = self.note(&completion.served);
        if !new.is_empty() {
            let (new, name) = (new.join(" and "), self.name());
            crate::warn(&format!("{name} does not take {new}, and was asked without: texts may vary"));
        }
        Ok(completion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use generate::Absent;

    #[test]
    fn what_is_left_out_is_told_once_if_it_matters() {
        let watched = Watched::new(Box::new(Absent { name: "m".to_owned() }));
        let left_out = ["seed", "stop"].map(str::to_owned).to_vec();
        let served = Served { model: Some("m-2".to_owned()), left_out, ..Served::default() };
        assert_eq!(watched.note(&served), ["seed"]);
        assert!(watched.note(&served).is_empty());
        let seen = watched.seen();
        assert_eq!(seen.left_out.into_iter().collect::<Vec<_>>(), ["seed", "stop"]);
        assert_eq!(seen.models.into_iter().collect::<Vec<_>>(), ["m-2"]);
    }
}
