//! A baseline as a row of tokens: what each symbol is to its neighbours, which brackets belong together, and
//! which d belongs to which integral.

use super::signs::{Kind, is_function_name, sign, spelled_names};
use super::{Read, letter_of};
use crate::slt::{Edge, Hints, SltId};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// One symbol of a baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) id: SltId,
    pub(super) kind: Kind,
    /// The tag of the operation.
    pub(super) tag: &'static str,
    /// For what opens: where it is closed. For an integral: its d, or the fraction that holds it. For such a
    /// fraction: any number.
    pub(super) partner: u32,
}

/// Whether the bars of a fence may be no pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bars {
    Paired,
    /// They begin and end a row.
    AnyEnds,
}

impl Read<'_> {
    /// Puts the symbols of a baseline onto the list of tokens.
    pub(super) fn tokenise(&mut self, head: SltId) {
        self.tokenise_row(head, Bars::AnyEnds);
    }

    /// The same; says what is known of fences that are bars.
    pub(super) fn tokenise_row(&mut self, head: SltId, bars: Bars) {
        let start = self.memory.tokens.len();
        let mut at = Some(head);
        while let Some(id) = at {
            at = self.slt.next(id);
            let tag = self.slt.tag(id);
            if (tag == "W!" || tag.is_empty()) && !self.carries(id) {
                continue;
            }
            if bars == Bars::AnyEnds && tag.starts_with("M!") && self.split_bars(id) {
                continue;
            }
            let before = &self.memory.tokens[start..];
            let amid_letters = before.len() > 1
                && before[before.len() - 2..].iter().all(|token| self.is_lone_letter(token.id));
            if let Some((last, name)) = self.spelled_name(id, amid_letters) {
                self.memory.tokens.push(Token { id: last, kind: Kind::Function, tag: name, partner: NONE });
                at = self.slt.next(last);
                continue;
            }
            let (mut kind, mut operation) = sign(tag);
            // `M#N`, but `2#A`
            if operation == "F!cardinality"
                && self.memory.tokens[start..].last().is_some_and(|last| self.is_capital(last.id))
            {
                (kind, operation) = (Kind::Add, "O!connected-sum");
            }
            let hints = self.slt.hints(id);
            if kind == Kind::Operand
                && (hints.has(Hints::FUNCTION) && tag.starts_with("V!") || self.is_word(id))
                || kind == Kind::Text && self.is_applied_text(id)
            {
                kind = Kind::Function;
            }
            // `\text{sup}_x f`
            if kind == Kind::Text && matches!(tag, "T!lim" | "T!sup" | "T!inf") && self.slt.next(id).is_some()
            {
                (kind, operation) = sign(&tag[2..]);
            }
            if self.joins_last(start, id, tag) {
                continue;
            }
            if kind == Kind::Period {
                self.seen(id);
            }
            if hints.has(Hints::SPACE_BEFORE)
                && self.memory.tokens.len() > start
                && self.memory.tokens.last().is_some_and(|last| ends_operand(last.kind))
                && begins_operand(kind)
                && !is_d(tag)
            {
                self.memory.tokens.push(Token { id, kind: Kind::Semicolon, tag: "", partner: NONE });
            }
            self.memory.tokens.push(Token { id, kind, tag: operation, partner: NONE });
        }
    }

    /// Whether a text is the name of a function before an operand: `\text{sec}^2 x`.
    fn is_applied_text(&self, id: SltId) -> bool {
        is_function_name(&self.slt.tag(id)[2..])
            && self.slt.next(id).is_some_and(|next| {
                matches!(sign(self.slt.tag(next)).0, Kind::Operand | Kind::Function | Kind::Open(_))
            })
    }

    /// Whether an operator is a name of letters.
    fn is_word(&self, id: SltId) -> bool {
        let tag = self.slt.tag(id);
        tag.len() > 1
            && tag.bytes().all(|byte| byte.is_ascii_alphabetic())
            && self.slt.child(id, Edge::Within).is_none()
    }

    fn is_capital(&self, id: SltId) -> bool {
        letter_of(self.slt.tag(id)).is_some_and(char::is_uppercase)
    }

    /// Signs typed as two characters become one: `<=`, `=>`, `->`.
    fn joins_last(&mut self, start: usize, id: SltId, tag: &str) -> bool {
        if !matches!(tag, "=" | ">" | ":" | "↑") {
            return false;
        }
        let Some(last) = self.memory.tokens[start..].last().copied() else { return false };
        if self.carries(last.id) {
            return false;
        }
        let (kind, operation) = match (self.slt.tag(last.id), tag) {
            ("<", "=") => (Kind::Relation, "O!leq"),
            (">", "=") => (Kind::Relation, "O!geq"),
            ("=", ">") => (Kind::Implies, "O!implies"),
            ("-" | "−", ">") => (Kind::Relation, "O!to"),
            ("↑", "↑") if last.tag == "O!uparrow" => (Kind::Multiply, "O!double-uparrow"),
            ("↑", "↑") => (Kind::Multiply, "O!triple-uparrow"),
            ("=", ":") => (Kind::Relation, "O!assigned-to"),
            _ => return false,
        };
        if let Some(last) = self.memory.tokens.last_mut() {
            (last.id, last.kind, last.tag) = (id, kind, operation);
        }
        true
    }

    /// A known name typed as letters side by side, `log(n)`: its last letter, which carries the scripts. Names of
    /// two letters, and names amid other letters, need a bracket after them.
    fn spelled_name(&mut self, first: SltId, amid_letters: bool) -> Option<(SltId, &'static str)> {
        let &[b'V', b'!', letter] = self.slt.tag(first).as_bytes() else { return None };
        self.slt.next(first)?;
        for &name in spelled_names(letter) {
            let Some(last) = self.spelled(first, name) else { continue };
            let next = self.slt.next(last);
            let bracket = next.is_some_and(|next| self.slt.tag(next).starts_with("M!()"));
            if bracket
                || (name.len() > 2
                    && !amid_letters
                    && next.is_some_and(|next| sign(self.slt.tag(next)).0 == Kind::Operand))
            {
                let mut at = first;
                while at != last {
                    self.seen(at);
                    at = self.slt.next(at)?;
                }
                return Some((last, name));
            }
        }
        None
    }

    /// Whether a symbol is one letter and nothing hangs from it.
    fn is_lone_letter(&self, id: SltId) -> bool {
        matches!(self.slt.tag(id).as_bytes(), [b'V', b'!', _]) && !self.carries(id)
    }

    /// The last letter of a name, if it is spelled from here on. Only the last letter may carry scripts.
    pub(super) fn spelled(&self, first: SltId, name: &str) -> Option<SltId> {
        let mut at = first;
        let mut letters = name.bytes();
        let mut expected = letters.next()?;
        loop {
            if self.slt.tag(at).as_bytes() != [b'V', b'!', expected] {
                return None;
            }
            let Some(next) = letters.next() else { return Some(at) };
            if self.carries(at) {
                return None;
            }
            expected = next;
            at = self.slt.next(at)?;
        }
    }

    /// Finds what belongs together among the tokens from `start` on.
    pub(super) fn pair(&mut self, start: usize) {
        let end = self.memory.tokens.len();
        let open_mark = self.memory.open.len();
        let integral_mark = self.memory.integrals.len();
        let mut after_operand = false;
        let norms = |token: &Token| token.kind == Kind::Bar && token.tag == "O!norm";
        let mut norm_bars = self.memory.tokens[start..end].iter().filter(|token| norms(token)).count();
        for at in start..end {
            self.take_dot_for_operand(start, at, end);
            let token = self.memory.tokens[at];
            match token.kind {
                Kind::Open(_) if after_operand && self.closes_backwards(open_mark, at) => {
                    self.close(at);
                    after_operand = true;
                    continue;
                }
                Kind::Open(_) => self.memory.open.push(at as u32),
                Kind::Close('|') if self.is_bar_open(open_mark) => self.close(at),
                Kind::Close(sign) => {
                    if !after_operand && sign == ']' && self.memory.open.len() == open_mark {
                        self.memory.tokens[at].kind = Kind::Open('[');
                        self.memory.open.push(at as u32);
                        continue;
                    }
                    self.drop_bars(open_mark, sign);
                    if self.memory.open.len() > open_mark {
                        self.close(at);
                    } else {
                        self.memory.tokens[at].kind = Kind::Nothing;
                        continue;
                    }
                }
                Kind::Bar => {
                    let name_before = at > start && self.memory.tokens[at - 1].kind == Kind::Function;
                    // `C||x||`: as many bars are left as a norm needs.
                    let opens = name_before
                        || (token.tag == "O!norm" && norm_bars % 2 == 0)
                        || (after_operand && self.opens_product(at, end));
                    norm_bars -= usize::from(token.tag == "O!norm");
                    let inside = self.memory.open[open_mark..]
                        .last()
                        .is_some_and(|&open| self.memory.tokens[open as usize].tag == token.tag);
                    self.bar(open_mark, at, after_operand && (inside && !name_before || !opens));
                    after_operand = matches!(self.memory.tokens[at].kind, Kind::Close(_) | Kind::Postfix);
                    continue;
                }
                Kind::Integral => self.memory.integrals.push(at as u32),
                Kind::Differential => self.differential(integral_mark, at),
                Kind::Operand | Kind::Text if self.memory.integrals.len() > integral_mark => {
                    self.look_for_differential(integral_mark, at, end);
                }
                Kind::Relation | Kind::Implies | Kind::Comma | Kind::Semicolon => {
                    self.memory.integrals.truncate(integral_mark);
                }
                _ => {}
            }
            after_operand = ends_operand(self.memory.tokens[at].kind);
        }
        self.memory.integrals.truncate(integral_mark);
        self.leave_open(open_mark, end);
        self.settle_logic(start, end);
    }

    /// `||.||`: a dot between bars stands for anything.
    fn take_dot_for_operand(&mut self, start: usize, at: usize, end: usize) {
        let bar = |at: usize| matches!(self.slt.tag(self.memory.tokens[at].id), "|" | "||" | "∥" | "‖");
        if self.memory.tokens[at].kind == Kind::Period
            && at > start
            && at + 1 < end
            && bar(at - 1)
            && bar(at + 1)
        {
            self.memory.tokens[at].kind = Kind::Operand;
        }
    }

    fn is_bar_open(&self, open_mark: usize) -> bool {
        self.memory.open[open_mark..]
            .last()
            .is_some_and(|&open| self.memory.tokens[open as usize].kind == Kind::Open('|'))
    }

    /// Closes the bracket opened last.
    fn close(&mut self, at: usize) {
        if let Some(open) = self.memory.open.pop() {
            self.memory.tokens[open as usize].partner = at as u32;
            self.memory.tokens[at].kind = Kind::Close(' ');
        }
    }

    /// `]a,b[`: whether an opening bracket closes one that is the wrong way round.
    fn closes_backwards(&self, open_mark: usize, at: usize) -> bool {
        let tokens = &self.memory.tokens;
        tokens[at].kind == Kind::Open(']')
            && self.memory.open[open_mark..]
                .last()
                .is_some_and(|&open| tokens[open as usize].kind == Kind::Open('['))
    }

    /// Bars that were thought to open something stand between, if a bracket closes before they do. Only a ket
    /// begins with a bar and ends with a bracket.
    fn drop_bars(&mut self, open_mark: usize, sign: char) {
        while self.memory.open.len() > open_mark {
            let Some(&open) = self.memory.open.last() else { return };
            let only = self.memory.open.len() == open_mark + 1;
            let token = &mut self.memory.tokens[open as usize];
            if token.kind != Kind::Open('|') || (only && sign == '⟩') {
                return;
            }
            (token.kind, token.tag) = (Kind::Relation, "O!divides");
            self.memory.open.pop();
        }
    }

    fn bar(&mut self, open_mark: usize, at: usize, after_operand: bool) {
        let tag = self.memory.tokens[at].tag;
        if !after_operand {
            self.memory.tokens[at].kind = Kind::Open('|');
            self.memory.open.push(at as u32);
            return;
        }
        let last = self.memory.open[open_mark..].last().map(|&open| self.memory.tokens[open as usize]);
        let scripted = self.carries(self.memory.tokens[at].id);
        match last {
            Some(open) if open.kind == Kind::Open('|') && open.tag == tag => self.close(at),
            _ if scripted => {
                self.memory.tokens[at].kind = Kind::Postfix;
                self.memory.tokens[at].tag = "O!evaluated-at";
            }
            _ => {
                let parallel = tag == "O!norm";
                let token = &mut self.memory.tokens[at];
                token.kind = Kind::Relation;
                token.tag = if parallel { "U!parallel-to" } else { "O!divides" };
                // A bra, if nothing closes the angle.
                if let Some(&open) = self.memory.open[open_mark..].last() {
                    self.memory.tokens[open as usize].partner = at as u32;
                }
            }
        }
    }

    /// What is opened and never closed is closed by the end; a brace before a table begins cases.
    fn leave_open(&mut self, open_mark: usize, end: usize) {
        // `[a,b[`
        if self.memory.open.len() == open_mark + 2 {
            let (first, second) =
                (self.memory.open[open_mark] as usize, self.memory.open[open_mark + 1] as usize);
            let tokens = &mut self.memory.tokens;
            if second > first + 1
                && tokens[second].kind == Kind::Open(']')
                && matches!(tokens[first].kind, Kind::Open(')' | ']'))
                && tokens.get(second + 1).is_none_or(|next| !begins_operand(next.kind))
            {
                self.memory.open.pop();
                self.close(second);
            }
        }
        while self.memory.open.len() > open_mark {
            let Some(open) = self.memory.open.pop() else { break };
            let at = open as usize;
            let next = self.memory.tokens.get(at + 1).map_or("", |next| self.slt.tag(next.id));
            let token = &mut self.memory.tokens[at];
            match token.kind {
                Kind::Open('|') => (token.kind, token.tag) = (Kind::Relation, "O!divides"),
                Kind::Open('}')
                    if next.starts_with("M!") && next.as_bytes().get(2).is_some_and(u8::is_ascii_digit) =>
                {
                    (token.kind, token.tag) = (Kind::Operand, "O!cases");
                }
                Kind::Open('⟩') if token.partner != NONE => {
                    let bar = token.partner as usize;
                    self.memory.tokens[bar].kind = Kind::Close(' ');
                }
                _ => token.partner = end as u32,
            }
        }
    }

    // Integrals

    /// The d of the integral opened last.
    fn differential(&mut self, mark: usize, at: usize) {
        if self.memory.integrals.len() > mark
            && let Some(integral) = self.memory.integrals.pop()
        {
            self.memory.tokens[integral as usize].partner = at as u32;
        }
    }

    /// A letter d before another letter, or a fraction with one at the end of its numerator.
    fn look_for_differential(&mut self, mark: usize, at: usize, end: usize) {
        let id = self.memory.tokens[at].id;
        let tag = self.slt.tag(id);
        if is_d(tag) {
            let next = if at + 1 < end { self.memory.tokens.get(at + 1) } else { None };
            if next.is_some_and(|next| is_variable(self.slt.tag(next.id))) {
                self.memory.tokens[at].kind = Kind::Differential;
                self.differential(mark, at);
            }
        } else if tag == "O!divide" && self.differential_in(id).is_some() {
            self.differential(mark, at);
            self.memory.tokens[at].partner = 0;
        }
    }

    /// The d and the variable at the end of a numerator.
    pub(super) fn differential_in(&self, fraction: SltId) -> Option<(SltId, SltId)> {
        let mut at = self.slt.child(fraction, Edge::Over)?;
        let mut found = None;
        while let Some(next) = self.slt.next(at) {
            found = Some((at, next));
            at = next;
        }
        // A fraction of two differentials is a derivative.
        let under = self.slt.child(fraction, Edge::Under);
        let derivative =
            under.is_some_and(|under| is_d(self.slt.tag(under)) && self.slt.next(under).is_some());
        found.filter(|&(d, variable)| {
            !derivative && is_d(self.slt.tag(d)) && is_variable(self.slt.tag(variable))
        })
    }
}

/// Whether something stands before an operator when it follows this.
pub(super) fn ends_operand(kind: Kind) -> bool {
    matches!(kind, Kind::Operand | Kind::Postfix | Kind::Close(_) | Kind::Text | Kind::Function)
}

pub(super) fn begins_operand(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Operand
            | Kind::Function
            | Kind::Big
            | Kind::Integral
            | Kind::Prefix
            | Kind::Open(_)
            | Kind::Quantifier
            | Kind::Not
            | Kind::Text
    )
}

/// Whether a symbol can be the d of a differential.
pub(super) fn is_d(tag: &str) -> bool {
    matches!(tag, "V!d" | "T!d" | "d" | "𝑑" | "V!𝑑" | "ⅆ" | "V!ⅆ")
}

/// Whether a symbol can be what is integrated over.
pub(super) fn is_variable(tag: &str) -> bool {
    tag.starts_with("V!") || tag.starts_with('?')
}
