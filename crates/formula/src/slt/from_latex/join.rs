//! One baseline after its things are listed: fences are matched, scripts attached, neighbours linked.

use super::grammar::{Event, Start, Token};
use super::{Item, LatexToSlt, Walk};
use crate::slt::{Edge, Hints, SltId};
use latex::Font;

/// What the grammar found out about an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Action {
    #[default]
    None,
    /// Opens an absolute value.
    Open,
    /// Closes one.
    Close,
    /// The first of two bars that open a norm.
    OpenNorm,
    /// The first of two bars that close a norm.
    CloseNorm,
    /// Part of the sign before it.
    Absorbed,
    /// A bar that takes everything from this item on.
    EvaluatedAt(usize),
    /// The d of an integral.
    Differential,
    /// Closes a set with its sign at this item.
    CloseSet(usize),
}

/// One thing whose fences are matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    id: Option<SltId>,
    float: Option<(Option<SltId>, Option<SltId>)>,
}

impl Walk<'_> {
    /// Matches the fences of the items since `mark`, attaches scripts, and puts everything side by side.
    pub(super) fn join(&mut self, mark: usize, start: Start) -> Option<SltId> {
        self.consult_grammar(mark, start);
        let bottom = self.memory.done.len();
        self.memory.places.clear();
        self.memory.open.clear();
        self.memory.stray_close = false;
        self.memory.after_space = false;
        for position in mark..self.memory.items.len() {
            let Item { id, token, scripts: (sub, sup) } = self.memory.items[position];
            let action = self.memory.actions.get(position - mark).copied().unwrap_or_default();
            self.memory.places.push(self.memory.done.len());
            match (token, action) {
                (_, Action::Absorbed) => {}
                (Token::Script(_), _) => {
                    match position.checked_sub(mark + 1).map(|before| self.memory.items[mark + before].token)
                    {
                        // `n!^2`: of the whole.
                        Some(Token::Postfix) if self.memory.done.len() > bottom + 1 => {
                            self.group(self.memory.done.len() - 2);
                        }
                        // A closing delimiter that closes nothing carries nothing.
                        Some(Token::Close(_)) if self.memory.stray_close && self.memory.open.is_empty() => {
                            self.memory.done.push(Done { id: None, float: Some((sub, sup)) });
                            continue;
                        }
                        _ => {}
                    }
                    self.attach(bottom, sub, sup);
                }
                (Token::FloatScript, _) => {
                    self.memory.done.push(Done { id: None, float: Some((sub, sup)) });
                }
                (Token::Open(_), _) | (Token::Bar, Action::Open) => {
                    self.memory.open.push(self.memory.done.len());
                    self.push_done(bottom, id);
                }
                (Token::Close(_), Action::EvaluatedAt(from)) | (Token::Bar, Action::EvaluatedAt(from)) => {
                    self.push_done(bottom, id);
                    self.group(self.memory.places[from]);
                }
                (Token::Close(_), Action::CloseSet(sign)) => {
                    let sign = self.memory.places[sign];
                    self.group(sign + 1);
                    if let Some(start) = self.memory.open.pop() {
                        let right = self.memory.done.split_off(sign);
                        self.group(start + 1);
                        self.memory.done.extend(right);
                        self.push_done(bottom, id);
                        self.group(start);
                    }
                }
                (Token::Close(_), _) | (Token::Bar, Action::Close) => {
                    self.push_done(bottom, id);
                    match self.memory.open.pop() {
                        // After a delimiter that closes nothing, the labs give up on the outermost fences.
                        Some(_) if self.memory.stray_close && self.memory.open.is_empty() => {}
                        Some(start) => self.group(start),
                        None => self.memory.stray_close = true,
                    }
                }
                (Token::Bar, Action::OpenNorm) => {
                    self.memory.open.push(self.memory.done.len());
                    self.double(id);
                    self.push_done(bottom, id);
                }
                (Token::Bar, Action::CloseNorm) => {
                    self.double(id);
                    self.push_done(bottom, id);
                    if let Some(start) = self.memory.open.pop() {
                        self.group(start);
                    }
                }
                (Token::LetterD, Action::Differential) => {
                    if let Some(id) = id {
                        let upright = self.builder.slt().look(id).get_font() == Font::Roman;
                        self.builder.slt().set_tag(id, if upright { "d" } else { "𝑑" });
                    }
                    self.push_done(bottom, id);
                }
                // A wide space.
                (_, _) if id.is_none() => self.memory.after_space = true,
                _ => self.push_done(bottom, id),
            }
        }
        self.memory.items.truncate(mark);
        let head = self.finish(bottom);
        self.memory.done.truncate(bottom);
        head
    }

    /// Asks the grammar about the items since `mark`, where its answer can make a difference.
    fn consult_grammar(&mut self, mark: usize, start: Start) {
        let LatexToSlt { items, tokens, actions, grammar, .. } = &mut *self.memory;
        let items = &items[mark..];
        actions.clear();
        let has = |test: fn(Token) -> bool| items.iter().any(|item| test(item.token));
        let asks = has(|token| token == Token::Bar)
            || has(|token| token == Token::Integral) && has(|token| token == Token::LetterD)
            || has(|token| token == Token::Open('{'))
                && has(|token| token == Token::MetaRelation)
                && has(|token| token == Token::Punct);
        if items.len() < 2 || !asks {
            return;
        }
        tokens.clear();
        tokens.extend(items.iter().map(|item| item.token));
        let Some(events) = grammar.parse(tokens, start) else { return };
        actions.resize(items.len(), Action::None);
        for &event in events {
            match event {
                Event::Absolute(open, close) => {
                    actions[open] = Action::Open;
                    actions[close] = Action::Close;
                }
                Event::Norm(open, close) => {
                    actions[open] = Action::OpenNorm;
                    actions[open + 1] = Action::Absorbed;
                    actions[close] = Action::CloseNorm;
                    actions[close + 1] = Action::Absorbed;
                }
                Event::EvaluatedAt(from, bar) => actions[bar] = Action::EvaluatedAt(from),
                Event::Differential(place) => actions[place] = Action::Differential,
                Event::SuchThat(sign, close) => actions[close] = Action::CloseSet(sign),
            }
        }
    }

    /// Writes a bar twice into its tag: two bars of a norm are one sign.
    fn double(&mut self, id: Option<SltId>) {
        if let Some(id) = id {
            self.builder.slt().set_tag_with(id, |tags, old| {
                tags.extend_from_within(old.clone());
                tags.extend_from_within(old);
            });
        }
    }

    fn push_done(&mut self, bottom: usize, id: Option<SltId>) {
        let mut id = id;
        // A script that floats in front belongs to what follows it.
        if let Some(&Done { id: None, float: Some((sub, sup)) }) = self.memory.done.last()
            && self.memory.done.len() > bottom
        {
            self.memory.done.pop();
            id = Some(self.builder.multiscripts(id, &[], &[sub, sup]));
        }
        if let Some(id) = id.filter(|_| std::mem::take(&mut self.memory.after_space)) {
            self.builder.slt().add_hints(id, Hints::SPACE_BEFORE);
        }
        self.memory.done.push(Done { id, float: None });
    }

    fn attach(&mut self, bottom: usize, sub: Option<SltId>, sup: Option<SltId>) {
        let last = if self.memory.done.len() > bottom { self.memory.done.last().copied() } else { None };
        match last {
            Some(Done { float: None, id }) => {
                let id = match id.filter(|&id| self.stands_apart(id, sub, sup)) {
                    Some(id) => self.add_apart(id, sub, sup),
                    None => self.builder.scripts(id, sub, sup),
                };
                if let Some(last) = self.memory.done.last_mut() {
                    last.id = Some(id);
                }
            }
            _ => self.memory.done.push(Done { id: None, float: Some((sub, sup)) }),
        }
    }

    /// Whether a symbol has a script already, on the other side of its baseline: `{p_i}^n` sets the n further out.
    fn stands_apart(&mut self, base: SltId, sub: Option<SltId>, sup: Option<SltId>) -> bool {
        let slt = self.builder.slt();
        let (below, above) = (slt.child(base, Edge::Below), slt.child(base, Edge::Above));
        slt.next(base).is_none()
            && (below.is_some() && above.is_none() && sub.is_none() && sup.is_some()
                || above.is_some() && below.is_none() && sup.is_none() && sub.is_some())
    }

    fn add_apart(&mut self, base: SltId, sub: Option<SltId>, sup: Option<SltId>) -> SltId {
        for (edge, script) in [(Edge::Below, sub), (Edge::Above, sup)] {
            if let Some(script) = script {
                let blank = self.builder.blank();
                self.builder.slt().append(blank, script);
                self.builder.slt().link(base, edge, blank);
            }
        }
        base
    }

    /// Makes one thing of everything from `start` on.
    fn group(&mut self, start: usize) {
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        for position in start..self.memory.done.len() {
            let done = self.memory.done[position];
            ids.extend(self.settle(done));
        }
        self.memory.done.truncate(start);
        let slt = self.builder.slt();
        let spans = ids.first().zip(ids.last()).map(|(&first, &last)| slt.span(first).to(slt.span(last)));
        let hints = ids.first().map_or(Hints::default(), |&first| slt.hints(first));
        let id = self.builder.row(&ids);
        // A space before a bracket is one before the fence.
        if let Some(id) = id.filter(|_| hints.has(Hints::SPACE_BEFORE)) {
            self.builder.slt().add_hints(id, Hints::SPACE_BEFORE);
        }
        if let Some((id, span)) = id.zip(spans)
            && self.builder.slt().span(id).is_empty()
        {
            self.builder.slt().set_span(id, span);
        }
        // A space before the opening sign is before the whole.
        if let Some((id, &first)) = id.zip(ids.first())
            && self.builder.slt().hints(first).has(Hints::SPACE_BEFORE)
        {
            self.builder.slt().add_hints(id, Hints::SPACE_BEFORE);
        }
        self.memory.ids = ids;
        if id.is_some() {
            self.memory.done.push(Done { id, float: None });
        }
    }

    /// The node of a thing; scripts that found nothing to hang from hang from a blank.
    fn settle(&mut self, done: Done) -> Option<SltId> {
        match done.float {
            Some((sub, sup)) => Some(self.builder.scripts(None, sub, sup)),
            None => done.id,
        }
    }

    fn finish(&mut self, bottom: usize) -> Option<SltId> {
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        for position in bottom..self.memory.done.len() {
            let done = self.memory.done[position];
            ids.extend(self.settle(done));
        }
        let head = self.builder.row(&ids);
        self.memory.ids = ids;
        head
    }
}
