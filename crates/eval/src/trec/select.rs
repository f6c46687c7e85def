//! Which measures are asked for, and in which order they are printed.

use super::column::{Column, Kind};
use super::parameters::Parameters;
use super::{Options, TrecError};

/// All measures in the order in which they are printed, and which of them are
/// official or about sets.
const MEASURES: &[(&str, Kind, &[Nickname])] = {
    use Kind as K;
    use Nickname::{Official as O, Set as S};
    &[
        ("runid", K::RunId, &[O, S]),
        ("num_q", K::NumTopics, &[O, S]),
        ("num_ret", K::NumRetrieved, &[O, S]),
        ("num_rel", K::NumRelevant, &[O, S]),
        ("num_rel_ret", K::NumBoth, &[O, S]),
        ("map", K::Plain("AP"), &[O]),
        ("gm_map", K::Geometric("AP"), &[O]),
        ("Rprec", K::Plain("Rprec"), &[O]),
        ("bpref", K::Plain("bpref"), &[O]),
        ("recip_rank", K::Plain("RR"), &[O]),
        ("iprec_at_recall", K::Interpolated, &[O]),
        ("P", K::Cutoffs("P"), &[O]),
        ("relstring", K::Relstring, &[]),
        ("recall", K::Cutoffs("R"), &[]),
        ("infAP", K::Plain("infAP"), &[]),
        ("gm_bpref", K::Geometric("bpref"), &[]),
        ("Rprec_mult", K::RprecMultiples, &[]),
        ("utility", K::Utility, &[S]),
        ("11pt_avg", K::InterpolatedMean, &[]),
        ("binG", K::BinaryGain, &[]),
        ("G", K::Gain, &[]),
        ("ndcg", K::Ndcg, &[]),
        ("ndcg_rel", K::NdcgAtRelevant, &[]),
        ("Rndcg", K::NdcgAtLevels, &[]),
        ("ndcg_cut", K::Cutoffs("nDCG"), &[]),
        ("map_cut", K::Cutoffs("AP"), &[]),
        ("relative_P", K::RelativePrecision, &[]),
        ("success", K::Success, &[]),
        ("set_P", K::Plain("SetP"), &[S]),
        ("set_relative_P", K::SetRelativePrecision, &[S]),
        ("set_recall", K::Plain("SetR"), &[S]),
        ("set_map", K::SetMap, &[S]),
        ("set_F", K::SetF, &[S]),
        ("num_nonrel_judged_ret", K::NumNonrelevant, &[]),
    ]
};

/// A name for several measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nickname {
    Official,
    AllTrec,
    Set,
}

impl Nickname {
    const ALL: [(&str, Self); 3] =
        [("official", Self::Official), ("all_trec", Self::AllTrec), ("set", Self::Set)];
}

/// Nicknames of what only files of preferences or of several judges can answer.
const PREFERENCES: [&str; 3] = ["prefs", "all_prefs", "qrels_jg"];

/// The columns of what is asked for, in the order in which they are printed.
pub(super) fn columns(options: &Options) -> Result<Vec<Column>, TrecError> {
    let official = [String::from("official")];
    let asked: &[String] = if options.measures.is_empty() { &official } else { &options.measures };
    let mut wanted = [const { None }; MEASURES.len()];
    for text in asked {
        let (name, given) = match text.split_once('.') {
            Some((_, "")) => return Err(unknown(text)),
            Some((name, given)) => (name, Some(given)),
            None => (text.as_str(), None),
        };
        if let Some((_, nickname)) = Nickname::ALL.iter().find(|(known, _)| *known == name) {
            for (wanted, (.., nicknames)) in wanted.iter_mut().zip(MEASURES) {
                if *nickname == Nickname::AllTrec || nicknames.contains(nickname) {
                    wanted.get_or_insert(None);
                }
            }
            continue;
        }
        let index = MEASURES.iter().position(|(known, ..)| *known == name).ok_or_else(|| unknown(name))?;
        // The first parameters count, also those behind a mention without any.
        let parameters: &mut Option<&str> = wanted[index].get_or_insert(None);
        *parameters = parameters.or(given);
    }
    let mut columns = Vec::new();
    for ((measure, kind, _), wanted) in MEASURES.iter().zip(wanted) {
        if let Some(given) = wanted {
            kind.columns(Parameters { measure, given }, options, &mut columns)?;
        }
    }
    Ok(columns)
}

fn unknown(name: &str) -> TrecError {
    let name = name.to_owned();
    if PREFERENCES.contains(&name.as_str()) || name.starts_with("prefs_") || name.ends_with("_avgjg") {
        return TrecError::Preferences { name };
    }
    let nicknames = Nickname::ALL.iter().map(|(name, _)| *name);
    TrecError::UnknownMeasure {
        name,
        known: nicknames.chain(MEASURES.iter().map(|(name, ..)| *name)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(measures: &[&str]) -> Vec<String> {
        let measures = measures.iter().map(ToString::to_string).collect();
        let columns = columns(&Options { measures, ..Options::default() }).unwrap();
        columns.into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn the_order_is_not_that_of_the_command_line() {
        assert_eq!(names(&["success.3,1", "recall.2", "map"]), ["map", "recall_2", "success_1", "success_3"]);
    }

    #[test]
    fn the_first_parameters_count() {
        assert_eq!(names(&["P.5", "P.10"]), ["P_5"]);
        assert_eq!(names(&["P", "P.5", "P.x"]), ["P_5"]);
        assert!(names(&["P.7", "official.3"]).contains(&"P_7".to_owned()));
        assert_eq!(names(&["map.5"]), ["map"]);
    }

    #[test]
    fn names_with_parameters() {
        assert_eq!(
            names(&[
                "ndcg.2=9,1=3.5",
                "set_F.0.5",
                "iprec_at_recall.1,.123",
                "utility.1,2,3,4",
                "relstring.7"
            ]),
            [
                "iprec_at_recall_0.12",
                "iprec_at_recall_1.00",
                "relstring_7",
                "utility_1,2,3,4",
                "ndcg_2=9,1=3.5",
                "set_F_0.5"
            ]
        );
    }

    #[test]
    fn what_is_not_known_is_said() {
        let error = |measure: &str| {
            let measures = vec![measure.to_owned()];
            let error = columns(&Options { measures, ..Options::default() }).err();
            error.unwrap().to_string()
        };
        assert!(
            error("nope")
                .starts_with("trec_eval has no measure `nope`; it has official, all_trec, set, runid, ")
        );
        assert!(error("P.").starts_with("trec_eval has no measure `P.`"));
        assert!(error("prefs").contains("preferences"));
        assert_eq!(
            error("utility.1,2"),
            "the parameters of `utility.1,2` should be four numbers, divided by commas"
        );
    }
}
