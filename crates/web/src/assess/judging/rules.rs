//! The rules of judging that follow from the lab's settings, in words: on the guide and beside every question.

use lab::{Context, Identical, Manifest, PoolKind, Rules};

/// The rules for what is judged.
pub(crate) fn rules_of(manifest: &Manifest, kind: PoolKind) -> Vec<&'static str> {
    let mut rules =
        vec!["Judge as an expert would, such as a mathematics professor, not as the person who asked."];
    match kind {
        PoolKind::Answers => {
            if manifest.rules == Rules::Arqmath {
                rules.push(
                    "Some questions have several parts: an answer is High only if it covers all of them.",
                );
            }
            rules.push("An answer counts as relevant if any part of it is, whatever else it contains.");
        }
        PoolKind::Formulas => {
            rules.push(match (manifest.identical, manifest.context) {
                (Identical::Relevant, _) => "A formula identical to the query formula always gets the highest grade.",
                (Identical::Judged, Context::Formula) => "Judge the formula by itself; no context is shown.",
                (Identical::Judged, Context::Post) => {
                    "A formula identical to the query formula can be less relevant, or not at all, if its symbols mean \
                     something else in its post."
                }
            });
        }
    }
    rules.push("Do not use anything behind links that lead out of the collection, such as Wikipedia pages.");
    if kind == PoolKind::Answers || manifest.context == Context::Post {
        rules.push("Threads are there for reference: judge the post itself.");
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(rules: Rules, identical: Identical, context: Context) -> Manifest {
        Manifest { identical, context, ..Manifest::new("rules", rules, &[1, 2]) }
    }

    fn text(manifest: &Manifest, kind: PoolKind) -> String {
        rules_of(manifest, kind).join("\n")
    }

    #[test]
    fn high_must_cover_all_parts_of_a_question() {
        let arqmath = manifest(Rules::Arqmath, Identical::Judged, Context::Post);
        assert!(text(&arqmath, PoolKind::Answers).contains("High only if it covers all of them"));
        assert!(!text(&arqmath, PoolKind::Formulas).contains("covers all"));
        let ntcir = manifest(Rules::Ntcir12, Identical::Judged, Context::Post);
        assert!(!text(&ntcir, PoolKind::Answers).contains("High"), "NTCIR has no grade of that name");
    }

    #[test]
    fn identical_formulas_are_always_relevant_where_the_lab_says_so() {
        let always = "identical to the query formula always gets the highest grade";
        let first = manifest(Rules::Arqmath, Identical::Relevant, Context::Post);
        let later = manifest(Rules::Arqmath, Identical::Judged, Context::Post);
        assert!(text(&first, PoolKind::Formulas).contains(always));
        assert!(!text(&later, PoolKind::Formulas).contains(always));
        assert!(text(&later, PoolKind::Formulas).contains("can be less relevant"));
        assert!(!text(&first, PoolKind::Answers).contains("identical"));
    }

    #[test]
    fn assessors_judge_as_an_expert_and_use_nothing_behind_external_links() {
        let lab = manifest(Rules::Arqmath, Identical::Judged, Context::Post);
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            let text = text(&lab, kind);
            assert!(
                text.contains("Judge as an expert would") && text.contains("links that lead out"),
                "{text}"
            );
        }
    }
}
