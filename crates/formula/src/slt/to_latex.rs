//! A layout tree written as LaTeX again.
//!
//! For trees that came without LaTeX, from MathML or from the labs' strings:
//! what is written here reads back to the same layout, so that everything made
//! from LaTeX (MathML, lines of text) can be made for them too. Characters are
//! written as themselves; `normal` makes commands of them.

use super::build::{BLANK, FRACTION, ROOT, WRAPPER, is_operator};
use super::{Edge, Look, Slt, SltId};

/// How deep a tree is written; what lies deeper is shown as dots.
const MAX_DEPTH: usize = 100;

impl Slt {
    /// The tree as LaTeX. Empty for a tree without a root.
    ///
    /// ```
    /// use formula::slt::Slt;
    ///
    /// let slt = Slt::read("[V!x[+[O!divide,o[N!1],u[V!y]]],a[N!2]]").unwrap();
    /// assert_eq!(slt.to_latex(), r"x^{{2}}+\frac{{1}}{y}");
    /// ```
    #[must_use]
    pub fn to_latex(&self) -> String {
        let mut out = String::new();
        if let Some(root) = self.root() {
            Writer { slt: self, out: &mut out }.baseline(root, 0);
        }
        out
    }
}

struct Writer<'w> {
    slt: &'w Slt,
    out: &'w mut String,
}

impl Writer<'_> {
    /// A node and everything that follows it on its baseline.
    fn baseline(&mut self, head: SltId, depth: usize) {
        let mut next = Some(head);
        while let Some(id) = next {
            self.node(id, depth);
            next = self.slt.next(id);
        }
    }

    fn group(&mut self, head: Option<SltId>, depth: usize) {
        self.out.push('{');
        if let Some(head) = head {
            if depth < MAX_DEPTH {
                self.baseline(head, depth + 1);
            } else {
                self.out.push('…');
            }
        }
        self.out.push('}');
    }

    /// A node with what stands above, below and around it.
    fn node(&mut self, id: SltId, depth: usize) {
        let child = |edge| self.slt.child(id, edge);
        let tag = self.slt.tag(id);
        let is_root = tag == ROOT;
        let is_fraction = tag == FRACTION;
        let stacked =
            !is_fraction && !is_operator(tag) && (child(Edge::Over), child(Edge::Under)) != (None, None);
        let pre = (child(Edge::PreAbove).filter(|_| !is_root), child(Edge::PreBelow));
        if pre != (None, None) {
            self.out.push_str("\\prescript");
            self.group(pre.0, depth);
            self.group(pre.1, depth);
            self.out.push('{');
        }
        if stacked {
            for (command, edge) in [("\\overset", Edge::Over), ("\\underset", Edge::Under)] {
                if let Some(label) = self.slt.child(id, edge) {
                    match self.accent(label, edge) {
                        Some(accent) => self.out.push_str(accent),
                        None => {
                            self.out.push_str(command);
                            self.group(Some(label), depth);
                        }
                    }
                    self.out.push('{');
                }
            }
        }
        self.symbol(id, depth);
        if stacked {
            for edge in [Edge::Over, Edge::Under] {
                if self.slt.child(id, edge).is_some() {
                    self.out.push('}');
                }
            }
        }
        let (below, above) = if is_operator(self.slt.tag(id)) {
            (Edge::Under, Edge::Over)
        } else {
            (Edge::Below, Edge::Above)
        };
        for (sign, edge) in [('_', below), ('^', above)] {
            if let Some(script) = self.slt.child(id, edge) {
                self.out.push(sign);
                self.group(Some(script), depth);
            }
        }
        if pre != (None, None) {
            self.out.push('}');
        }
    }

    /// The command that sets a mark over or under its argument.
    fn accent(&self, mark: SltId, edge: Edge) -> Option<&'static str> {
        if self.slt.has_children(mark) {
            return None;
        }
        let stretchy = self.slt.look(mark).has(Look::STRETCHY);
        Some(match (self.slt.tag(mark), edge, stretchy) {
            ("¯", Edge::Over, false) => "\\bar",
            ("¯", Edge::Over, true) => "\\overline",
            ("¯", _, _) => "\\underline",
            ("^", Edge::Over, false) => "\\hat",
            ("^", Edge::Over, true) => "\\widehat",
            ("~", Edge::Over, false) => "\\tilde",
            ("~", Edge::Over, true) => "\\widetilde",
            ("→", Edge::Over, false) => "\\vec",
            ("→", Edge::Over, true) => "\\overrightarrow",
            ("←", Edge::Over, _) => "\\overleftarrow",
            ("˙", Edge::Over, _) => "\\dot",
            ("¨", Edge::Over, _) => "\\ddot",
            ("ˇ", Edge::Over, _) => "\\check",
            ("˘", Edge::Over, _) => "\\breve",
            ("´", Edge::Over, _) => "\\acute",
            ("`", Edge::Over, _) => "\\grave",
            ("⏞", Edge::Over, _) => "\\overbrace",
            ("⏟", Edge::Under, _) => "\\underbrace",
            _ => return None,
        })
    }

    /// What a node is by itself, with what is within it.
    fn symbol(&mut self, id: SltId, depth: usize) {
        let tag = self.slt.tag(id);
        let within = self.slt.child(id, Edge::Within);
        match tag {
            BLANK | "" => return self.out.push_str("{}"),
            WRAPPER => return self.group(within, depth),
            FRACTION => {
                let no_bar = self.slt.look(id).has(Look::NO_BAR);
                self.out.push_str(if no_bar { "\\genfrac{}{}{0pt}{}" } else { "\\frac" });
                self.group(self.slt.child(id, Edge::Over), depth);
                return self.group(self.slt.child(id, Edge::Under), depth);
            }
            ROOT => {
                self.out.push_str("\\sqrt");
                if let Some(index) = self.slt.child(id, Edge::PreAbove) {
                    self.out.push('[');
                    self.group(Some(index), depth);
                    self.out.push(']');
                }
                return self.group(within, depth);
            }
            _ => {}
        }
        if let Some(name) = tag.strip_prefix("V!") {
            self.identifier(&unclean(name));
        } else if let Some(digits) = tag.strip_prefix("N!") {
            // Braces keep neighbouring numbers apart.
            self.out.push('{');
            self.out.push_str(&unclean(digits));
            self.out.push('}');
        } else if let Some(words) = tag.strip_prefix("T!") {
            self.text(&unclean(words));
        } else if let Some(size) = tag.strip_prefix("M!") {
            self.table(size, within, depth);
        } else if let Some(error) = tag.strip_prefix("E!") {
            self.text(&unclean(error));
        } else if let Some(name) = tag.strip_prefix('?') {
            self.out.push_str("\\qvar{");
            self.out.push_str(name);
            self.out.push('}');
        } else if within.is_some() {
            let notation = unclean(tag);
            self.out.push_str("\\enclose{");
            self.out.push_str(&notation);
            self.out.push('}');
            self.group(within, depth);
        } else {
            self.operator(&unclean(tag));
        }
    }

    fn identifier(&mut self, name: &str) {
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => self.character(c),
            _ if name.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                self.out.push_str("\\operatorname{");
                self.out.push_str(name);
                self.out.push('}');
            }
            _ => name.chars().for_each(|c| self.character(c)),
        }
    }

    fn operator(&mut self, sign: &str) {
        match sign {
            "lim" | "sup" | "inf" | "det" | "dim" => {
                self.out.push('\\');
                self.out.push_str(sign);
                self.out.push(' ');
            }
            "lim sup" => self.out.push_str("\\limsup "),
            "lim inf" => self.out.push_str("\\liminf "),
            "mod" => self.out.push_str("\\bmod "),
            _ if sign.len() > 1 && sign.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                self.out.push_str("\\operatorname*{");
                self.out.push_str(sign);
                self.out.push('}');
            }
            _ => sign.chars().for_each(|c| self.character(c)),
        }
    }

    fn text(&mut self, words: &str) {
        self.out.push_str("\\text{");
        for c in words.chars() {
            match c {
                '\\' => self.out.push_str("\\textbackslash{}"),
                '{' | '}' | '$' | '&' | '#' | '%' | '_' => self.out.extend(['\\', c]),
                _ => self.out.push(c),
            }
        }
        self.out.push('}');
    }

    fn character(&mut self, c: char) {
        match c {
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => self.out.extend(['\\', c]),
            '\\' => self.out.push_str("\\backslash "),
            '^' => self.out.push_str("\\char94 "),
            '~' => self.out.push_str("\\char126 "),
            '\'' | '′' => self.out.push_str("\\prime "),
            _ => self.out.push(c),
        }
    }

    /// `2x2`, `()1x2`: a table, or a fence with its items.
    fn table(&mut self, size: &str, within: Option<SltId>, depth: usize) {
        let digits = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let before = &size[..size.len() - digits(size)];
        let before = before.strip_suffix('x').unwrap_or(before);
        let (fences, rows) = before.split_at(before.len() - digits(before));
        let columns = size.rsplit('x').next().and_then(|columns| columns.parse().ok()).unwrap_or(1usize);
        let fences = unclean(fences);
        let mut signs = fences.chars();
        let (open, close) = (signs.next(), signs.next());
        let is_list = rows == "1" && open.is_some();
        if let Some(open) = open {
            self.out.push_str("\\left");
            self.character(open);
        }
        if !is_list {
            self.out.push_str("\\begin{matrix}");
        }
        let mut cell = within;
        let mut number = 0;
        while let Some(head) = cell {
            if number > 0 && !is_list {
                self.out.push_str(if number % columns.max(1) == 0 { "\\\\ " } else { "&" });
            }
            if depth < MAX_DEPTH {
                self.baseline(head, depth + 1);
            } else {
                self.out.push('…');
            }
            number += 1;
            cell = self.slt.child(head, Edge::Element);
        }
        if !is_list {
            self.out.push_str("\\end{matrix}");
        }
        if open.is_some() {
            self.out.push_str("\\right");
            match close {
                Some(close) => self.character(close),
                None => self.out.push('.'),
            }
        }
    }
}

/// Undoes what cleaning did to the letters of a tag.
fn unclean(text: &str) -> String {
    text.replace("&quest;", "?").replace("&comma;", ",").replace("&lsqb;", "[").replace("&rsqb;", "]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slt::from_latex;

    fn check(string: &str) {
        let slt = Slt::read(string).unwrap();
        let latex = slt.to_latex();
        let mut again = Slt::default();
        from_latex(&latex::parse(&latex).tree, &mut again);
        assert_eq!(again.to_string(), string, "{latex}");
    }

    #[test]
    fn what_is_written_reads_back() {
        for string in [
            "[V!x]",
            "[V!x[+[N!1]],a[N!2]]",
            "[V!x,a[N!2],b[N!1]]",
            "[O!divide,o[V!a],u[V!b[+[N!1]]]]",
            "[O!root,c[N!3],w[V!x]]",
            "[V!f[M!()1x2,w[V!x[&comma;],e[V!y]]]]",
            "[M!||1x1,w[V!x]]",
            "[∑[V!i],o[V!n],u[V!i[=[N!1]]]]",
            "[lim[V!a,b[V!n]],u[V!n[→[V!∞]]]]",
            "[M!()2x2,w[V!a,e[V!b,e[V!c,e[V!d]]]]]",
            "[V!x,o[¯]]",
            "[N!2[N!3]]",
            "[V!sin[V!x]]",
            "[T!if x]",
            "[V!ℝ,a[V!n]]",
            "[V!f,a[′]]",
        ] {
            check(string);
        }
    }

    #[test]
    fn deep_trees_are_cut() {
        let deep = format!("{}{}", "[V!x,a".repeat(5_000) + "[V!y]", "]".repeat(5_000));
        assert!(Slt::read(&deep).unwrap().to_latex().contains('…'));
    }
}
