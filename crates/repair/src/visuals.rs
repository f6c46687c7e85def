//! Visual ids by ARQMath-3's rule: within each only one look remains.
//!
//! The rule itself is [`formula::cluster::recluster`], which `hypatia formula cluster --recluster`
//! follows as well; here are the formulas of a collection, as it wants them.

use formula::cluster::{FormulaId, Member, TieBreak, VisualId, recluster as by_rule};
use formula::identity::Key;
use std::collections::HashMap;
use store::{Collection, FormulaNo, Id, IdKind};

/// The sum of the grades of each judged formula, by formula id.
pub type Relevance = HashMap<String, u32>;

/// The visual id of each form.
///
/// Only visual ids with several looks are counted formula by formula; of each
/// other one member stands for all, since it keeps its id whatever its size.
pub(crate) fn recluster(collection: &Collection, relevance: &Relevance) -> Vec<u64> {
    let numbers = numbers(collection);
    let mut members = Vec::new();
    let mut of_forms = vec![None; collection.num_forms() as usize];
    for visual in collection.visuals() {
        let mut forms = collection.forms_of_visual(visual).peekable();
        let Some(first) = forms.peek().map(|form| collection.form_key(*form)) else { continue };
        let several = collection.forms_of_visual(visual).any(|form| collection.form_key(form) != first);
        for form in forms {
            let places = if several { usize::MAX } else { 1 };
            for formula in collection.formulas_of_form(form).take(places) {
                of_forms[form.index()] = Some(members.len());
                let id = collection.formula_id(formula);
                members.push(Member {
                    formula: numbers.of(formula, id),
                    old: VisualId(collection.visual_id(visual)),
                    key: Key::from_bits(collection.form_key(form)),
                    relevance: relevance.get(&id.to_string()).copied().unwrap_or_default(),
                });
            }
        }
    }
    let ids = by_rule(&members, TieBreak::default()).ids;
    // The rule counts new ids from the highest of a formula, and there may be visual ids without one.
    let highest = |ids: &mut dyn Iterator<Item = u64>| ids.max().unwrap_or_default();
    let of_members = highest(&mut members.iter().map(|member| member.old.0));
    let of_all = highest(&mut collection.visuals().map(|visual| collection.visual_id(visual)));
    let old = |form| collection.visual_id(collection.form_visual(form));
    let new = |member: Option<usize>| {
        let id = ids.get(member?)?.0;
        Some(if id > of_members { id + (of_all - of_members) } else { id })
    };
    collection.forms().zip(of_forms).map(|(form, member)| new(member).unwrap_or_else(|| old(form))).collect()
}

/// Numbers that are in the order of formula ids.
enum Numbers {
    /// The ids are numbers themselves.
    Ids,
    /// Names get the number of their place among all, by formula.
    Places(Vec<u64>),
}

fn numbers(collection: &Collection) -> Numbers {
    if collection.about().formula_ids == IdKind::Numbers.into() {
        return Numbers::Ids;
    }
    let mut places = vec![0; collection.formulas().len()];
    for (place, formula) in (0..).zip(collection.formulas_by_id()) {
        places[formula.index()] = place;
    }
    Numbers::Places(places)
}

impl Numbers {
    fn of(&self, formula: FormulaNo, id: Id<'_>) -> FormulaId {
        FormulaId(match (self, id) {
            (Self::Ids, Id::Number(number)) => number,
            (Self::Ids, Id::Text(_)) => u64::from(formula.0),
            (Self::Places(places), _) => places[formula.index()],
        })
    }
}
