//! The labs' grammar: what is between delimiters.

use super::parse::Parse;
use super::role::Role;
use crate::opt::Brackets;
use crate::opt::content::tree::{Closure, ContentId, Element};

impl Parse<'_> {
    pub(super) fn balanced_close(&mut self, open: usize) -> Option<usize> {
        let close = self.take(Role::Close)?;
        is_pair(self.letter(open), self.letter(close)).then_some(close)
    }

    /// What things between two delimiters are to the labs. `punct` is the first sign between them.
    pub(super) fn fence(
        &mut self,
        open: usize,
        items: &[ContentId],
        punct: Option<usize>,
        close: usize,
    ) -> ContentId {
        let (from, to) = (open, close + 1);
        let comma = punct.is_some_and(|place| self.punct_is(place, ","));
        let (left, right) = (self.letter(open), self.letter(close));
        let element = match (items, left, right) {
            ([_], "(", ")") => {
                let span = self.nodes.span(from, to);
                return self.nodes.tree.in_brackets(items[0], Brackets::Round, span);
            }
            ([_], "{", "}") => Element::Set,
            ([_], ..) => {
                let name = match (left, right) {
                    ("|", "|") => "abs",
                    ("⌊", "⌋") => "floor",
                    ("⌈", "⌉") => "ceiling",
                    ("||", "||") | ("‖", "‖") => "norm",
                    _ => "",
                };
                let name_of_others = format!("delimited-{left}{right}");
                let operator = match name {
                    "" => self.nodes.symbol(&name_of_others),
                    "norm" => self.nodes.symbol(name),
                    _ => self.nodes.sign(name),
                };
                return self.nodes.apply(from, to, operator, items);
            }
            ([_, _], "(", ")") if comma => Element::Interval(Closure::Open),
            ([_, _], "[", "]") if comma => Element::Interval(Closure::Closed),
            ([_, _], "(", "]") if comma => Element::Interval(Closure::OpenClosed),
            ([_, _], "[", ")") if comma => Element::Interval(Closure::ClosedOpen),
            ([_, _, ..], "{", "}") if comma => Element::Set,
            ([_, _, _, ..], "(", ")") if comma => Element::Vector,
            _ => Element::List,
        };
        self.nodes.group(from, to, element, items)
    }

    /// Something in delimiters, after the opening one.
    pub(super) fn open_factor(&mut self, open: usize) -> Option<ContentId> {
        let alone = self.attempt(|p| {
            let operator = p.add_op()?;
            let close = p.balanced_close(open)?;
            Some(p.fence(open, &[operator], None, close))
        });
        if let Some(alone) = alone {
            return Some(self.with_scripts(open, alone));
        }
        let applied = self.attempt(|p| {
            let place = p.take_if(|role| matches!(role, Role::BigOp | Role::Integral))?;
            let operator = p.with_scripts(place, p.leaves[place]);
            let close = p.balanced_close(open)?;
            let fenced = p.fence(open, &[operator], None, close);
            let operator = p.with_scripts(open, fenced);
            let operand = p.factor()?;
            Some(p.nodes.apply(open, p.at, operator, &[operand]))
        });
        if applied.is_some() {
            return applied;
        }
        let listed = self.attempt(|p| {
            let first = p.expression()?;
            p.open_expression(open, first)
        });
        if listed.is_some() {
            return listed;
        }
        let empty = self.attempt(|p| p.balanced_close(open));
        if let Some(close) = empty {
            let empty = self.fence(open, &[], None, close);
            return Some(self.with_scripts(open, empty));
        }
        let operator = self.attempt(|p| {
            let operator = p.any_operator()?;
            p.open_expression(open, operator)
        });
        if operator.is_some() {
            return operator;
        }
        let formula = self.attempt(|p| {
            let formula = p.formula()?;
            let close = p.balanced_close(open)?;
            Some(p.fence(open, &[formula], None, close))
        })?;
        Some(self.with_scripts(open, formula))
    }

    /// The rest of a list in delimiters, after its first item.
    fn open_expression(&mut self, open: usize, first: ContentId) -> Option<ContentId> {
        let several = self.attempt(|p| {
            let punct = p.at;
            let mut items = vec![first];
            while let Some(item) = p.attempt(|p| {
                p.take(Role::Punct)?;
                p.expression()
            }) {
                items.push(item);
            }
            if items.len() < 2 {
                return None;
            }
            let close = p.take(Role::Close)?;
            Some(p.fence(open, &items, Some(punct), close))
        });
        let several = several.or_else(|| {
            self.attempt(|p| {
                let punct = p.take(Role::Punct)?;
                let operator = p.any_operator()?;
                let close = p.balanced_close(open)?;
                Some(p.fence(open, &[first, operator], Some(punct), close))
            })
        });
        let fenced = match several {
            Some(several) => several,
            None => {
                let close = self.attempt(|p| p.balanced_close(open))?;
                self.fence(open, &[first], None, close)
            }
        };
        Some(self.with_scripts(open, fenced))
    }

    /// `{x | x > 0}`, after the brace.
    pub(super) fn conditional_set(&mut self, open: usize) -> Option<ContentId> {
        let element = self.attempt(|p| {
            p.limits.no_bar = true;
            p.formula()
        })?;
        let sign = self.take_if(|role| matches!(role, Role::Bar | Role::MetaRelation))?;
        if self.tokens[sign].role == Role::MetaRelation && self.letter(sign) != ":" {
            return None;
        }
        let condition = self.formulae()?;
        self.balanced_close(open)?;
        let operator = self.nodes.symbol("conditional-set");
        let set = self.nodes.apply(open, self.at, operator, &[element, condition]);
        Some(self.with_scripts(open, set))
    }

    /// `||x||`
    pub(super) fn double_bars(&mut self) -> Option<ContentId> {
        let from = self.at;
        self.two_bars()?;
        let inner = self.absolute_expression()?;
        self.two_bars()?;
        let norm = self.nodes.symbol("norm");
        let node = self.nodes.apply(from, self.at, norm, &[inner]);
        Some(self.with_scripts(from, node))
    }

    fn two_bars(&mut self) -> Option<()> {
        if !(self.is_single_bar(self.at) && self.is_single_bar(self.at + 1)) {
            return None;
        }
        self.at += 2;
        Some(())
    }

    /// `|x|`
    pub(super) fn bars(&mut self) -> Option<ContentId> {
        let from = self.at;
        self.take(Role::Bar)?;
        let inner = self.absolute_expression()?;
        let close = self.take(Role::Bar)?;
        let (left, right) = (self.letter(from), self.letter(close));
        let operator = match (left, right) {
            ("|", "|") => self.nodes.sign("abs"),
            ("∥" | "‖" | "||", "∥" | "‖" | "||") => self.nodes.symbol("norm"),
            _ => {
                let name = format!("delimited-{left}{right}");
                self.nodes.symbol(&name)
            }
        };
        let node = self.nodes.apply(from, self.at, operator, &[inner]);
        Some(self.with_scripts(from, node))
    }

    fn absolute_expression(&mut self) -> Option<ContentId> {
        self.attempt(|p| {
            if p.limits.absolute < 0 {
                p.absolute_refused = true;
                return None;
            }
            p.limits.absolute -= 1;
            p.limits.no_evaluation = true;
            p.expression()
        })
    }

    // The brackets of quantum mechanics

    /// `|x⟩`
    pub(super) fn ket(&mut self) -> Option<ContentId> {
        if self.no_brackets {
            return None;
        }
        let from = self.at;
        self.take(Role::Bar)?;
        let inner = self.ket_expression()?;
        self.right_angle()?;
        self.saw_brackets = true;
        let ket = self.nodes.symbol("ket");
        let node = self.nodes.apply(from, self.at, ket, &[inner]);
        Some(self.with_scripts(from, node))
    }

    /// `⟨a|`, `⟨a|b⟩`, `⟨x⟩`, where `<` and `>` will do.
    pub(super) fn angles(&mut self) -> Option<ContentId> {
        if self.no_brackets {
            return None;
        }
        let from = self.at;
        let is_angle = matches!(self.letter(from), "⟨" | "lt");
        if !is_angle || !matches!(self.peek(), Some(Role::Open | Role::Relation)) {
            return None;
        }
        self.at += 1;
        let bra = self.attempt(|p| {
            let left = p.ket_expression()?;
            p.take(Role::Bar)?;
            p.saw_brackets = true;
            p.limits.no_bar = true;
            let rest = p.attempt(|p| {
                let mut parts = vec![left, p.ket_expression()?];
                if p.right_angle().is_some() {
                    return Some(("inner-product", parts));
                }
                p.take(Role::Bar)?;
                parts.push(p.ket_expression()?);
                p.right_angle()?;
                Some(("quantum-operator-product", parts))
            });
            let (name, parts) = rest.unwrap_or(("bra", vec![left]));
            let operator = p.nodes.symbol(name);
            Some(p.nodes.apply(from, p.at, operator, &parts))
        });
        let node = bra.or_else(|| {
            self.attempt(|p| {
                let inner = p.absolute_expression()?;
                p.right_angle()?;
                p.saw_brackets = true;
                let operator = p.nodes.symbol("expectation");
                Some(p.nodes.apply(from, p.at, operator, &[inner]))
            })
        })?;
        Some(self.with_scripts(from, node))
    }

    fn right_angle(&mut self) -> Option<()> {
        let found = matches!(self.peek(), Some(Role::Close | Role::Relation))
            && matches!(self.letter(self.at), "⟩" | "gt");
        self.at += usize::from(found);
        found.then_some(())
    }

    fn ket_expression(&mut self) -> Option<ContentId> {
        self.attempt(|p| {
            p.limits.no_bar = true;
            p.limits.no_angle = true;
            p.attempt(Self::formulae)
                .or_else(|| p.take_node(Role::MetaRelation))
                .or_else(|| p.take_node(Role::ModifierOp))
        })
    }
}

fn is_pair(open: &str, close: &str) -> bool {
    matches!(
        (open, close),
        ("(", ")")
            | ("[", "]")
            | ("{", "}")
            | ("|", "|")
            | ("||", "||")
            | ("‖", "‖")
            | ("∥", "∥")
            | ("⌊", "⌋")
            | ("⌈", "⌉")
            | ("⟨", "⟩")
    )
}
