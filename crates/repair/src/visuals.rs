//! Visual ids by ARQMath-3's rule: within each only one look remains.

use formula::cluster::{FormulaId, Member, TieBreak, VisualId, recluster as by_rule};
use formula::identity::Key;
use store::{Collection, FormMarks, VisualNo};

/// The visual id of each form. Ids that are ours hold one look already.
///
/// Only visual ids with several looks are counted formula by formula; of each
/// other one member stands for all, since it keeps its id whatever its size.
pub(crate) fn recluster(collection: &Collection) -> Vec<u64> {
    // The rule speaks of lower and higher ids, so numbers must be in the order of ids.
    let mut by_id: Vec<VisualNo> = collection.visuals().collect();
    by_id.sort_by_key(|visual| collection.visual_id(*visual));
    let mut rank = vec![0_u32; by_id.len()];
    for (place, visual) in (0_u32..).zip(&by_id) {
        rank[visual.index()] = place;
    }
    let mut members = Vec::new();
    let mut of_forms = vec![None; collection.num_forms() as usize];
    for visual in collection.visuals() {
        let forms: Vec<_> = collection.forms_of_visual(visual).collect();
        let given = |form: &&store::FormNo| !collection.form_marks(**form).has(FormMarks::OUR_VISUAL_ID);
        let Some(first) = forms.iter().find(given) else { continue };
        let several = forms.iter().any(|form| collection.form_key(*form) != collection.form_key(*first));
        for form in forms.iter().filter(given) {
            of_forms[form.index()] = Some(members.len());
            let places = if several { usize::MAX } else { 1 };
            for formula in collection.formulas_of_form(*form).take(places) {
                members.push(Member {
                    formula: FormulaId(u64::from(formula.0)),
                    old: VisualId(rank[visual.index()]),
                    key: Key::from_bits(collection.form_key(*form)),
                    relevance: 0,
                });
            }
        }
    }
    let ids = by_rule(&members, TieBreak::default()).ids;
    let highest = by_id.last().map_or(0, |visual| collection.visual_id(*visual));
    let known = u32::try_from(by_id.len()).unwrap_or(u32::MAX);
    // The rule gives new numbers above the highest rank that a member has.
    let first_new = members.iter().map(|member| member.old.0 + 1).max().unwrap_or(known);
    let mut visuals = Vec::with_capacity(of_forms.len());
    for (form, member) in collection.forms().zip(&of_forms) {
        let old = collection.visual_id(collection.form_visual(form));
        visuals.push(match member.and_then(|member| ids.get(member)) {
            Some(id) if id.0 >= first_new => highest + u64::from(id.0 - first_new) + 1,
            Some(id) => collection.visual_id(by_id[id.0 as usize]),
            None => old,
        });
    }
    visuals
}
