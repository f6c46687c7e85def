//! Formulas from one file put to the topics of another.

use super::{Formula, Representation, Topics};
use crate::ids::{FormulaId, TopicId};

/// What came of joining.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// Formulas that were there and got a form they did not have.
    pub completed: usize,
    /// Formulas that were not there.
    pub added: usize,
    /// Topics of the other file that are not among these.
    pub unknown: Vec<TopicId>,
    /// Formulas for which both files give the same form differently, blanks
    /// aside; what was there stays.
    pub different: Vec<(TopicId, FormulaId)>,
}

impl Topics {
    /// Puts the formulas of `other` to these topics: to the topic of the same
    /// id and, as `B.7` is made from `A.7`, to that of the same number in the
    /// other task. Formulas are the same if their ids are; those without an id
    /// are passed over.
    ///
    /// ```
    /// use formats::{Source, read_topics};
    /// let read = |text: &str| read_topics(Source::bytes("example", text)).unwrap().topics;
    /// let mut topics = read("topic\tformula_id\tlatex\nB.7\tq_2\tx\n");
    /// let slt = read("id\ttopic_id\tthread_id\ttype\tslt\nq_1\tA.7\t9\ttitle\t[V!y]\nq_2\tA.7\t9\tbody\t[V!x]\n");
    /// let joined = topics.join(&slt);
    /// assert_eq!((joined.completed, joined.added), (1, 1));
    /// let query = topics.get("B.7").unwrap().queries().next().unwrap();
    /// assert_eq!(query.slt.as_deref(), Some("[V!x]"));
    /// ```
    pub fn join(&mut self, other: &Self) -> Joined {
        let mut joined = Joined::default();
        for from in other {
            let own = [Some(from.id.to_string()), twin(from.id.as_str())];
            let own: Vec<usize> =
                own.iter().flatten().filter_map(|id| self.index.get(id.as_str()).copied()).collect();
            if own.is_empty() {
                joined.unknown.push(from.id.clone());
            }
            for at in own {
                let topic = &mut self.list[at];
                if topic.thread.is_none() {
                    topic.thread.clone_from(&from.thread);
                }
                for formula in &from.formulas {
                    let Some(id) = &formula.id else { continue };
                    match topic.formulas.iter_mut().find(|own| own.id.as_ref() == Some(id)) {
                        None => {
                            topic.formulas.push(formula.clone());
                            joined.added += 1;
                        }
                        Some(own) => match merge(own, formula) {
                            Merged::Nothing => {}
                            Merged::Completed => joined.completed += 1,
                            Merged::Different => joined.different.push((topic.id.clone(), id.clone())),
                        },
                    }
                }
            }
        }
        joined
    }
}

/// The number of the same question in the other task.
fn twin(id: &str) -> Option<String> {
    let swap = |from, to| id.strip_prefix(from).map(|number: &str| format!("{to}{number}"));
    swap("A.", "B.").or_else(|| swap("B.", "A."))
}

enum Merged {
    Nothing,
    Completed,
    Different,
}

fn merge(own: &mut Formula, other: &Formula) -> Merged {
    let mut merged = Merged::Nothing;
    own.site = own.site.or(other.site);
    for form in Representation::ALL {
        let Some(given) = other.get(form) else { continue };
        match own.slot(form) {
            slot @ None => {
                *slot = Some(given.to_owned());
                if matches!(merged, Merged::Nothing) {
                    merged = Merged::Completed;
                }
            }
            Some(there) if same_but_for_blanks(there, given) => {}
            Some(_) => merged = Merged::Different,
        }
    }
    merged
}

fn same_but_for_blanks(left: &str, right: &str) -> bool {
    let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    visible(left) == visible(right)
}
