//! The same formula as somebody else types it.
//!
//! Each habit rewrites what was typed; whether the look stays is for the caller to see.

use super::operands::walk;
use latex::{Bar, Kind, NodeId, Tree};
use stats::rng::Rng;

/// A way to type: LaTeX and its tree become other LaTeX, if there is anything to change.
pub(super) type Habit = fn(&str, &Tree, &mut Rng) -> Option<String>;

/// All habits.
pub(super) const HABITS: [Habit; 7] =
    [fractions, names, script_braces, script_order, sized_brackets, limits, blanks];

/// Commands with the same meaning; each becomes the other.
const NAMES: [(&str, &str); 22] = [
    ("\\le", "\\leq"),
    ("\\ge", "\\geq"),
    ("\\ne", "\\neq"),
    ("\\to", "\\rightarrow"),
    ("\\gets", "\\leftarrow"),
    ("\\land", "\\wedge"),
    ("\\lor", "\\vee"),
    ("\\lnot", "\\neg"),
    ("\\ni", "\\owns"),
    ("\\iff", "\\Longleftrightarrow"),
    ("\\implies", "\\Longrightarrow"),
    ("\\ldots", "\\dots"),
    ("\\frac", "\\dfrac"),
    ("\\tfrac", "\\frac"),
    ("\\binom", "\\dbinom"),
    ("\\lbrace", "\\{"),
    ("\\rbrace", "\\}"),
    ("\\|", "\\Vert"),
    ("\\lt", "<"),
    ("\\gt", ">"),
    ("\\hat", "\\widehat"),
    ("\\tilde", "\\widetilde"),
];

/// LaTeX cut into commands and characters.
fn tokens(latex: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = latex;
    while let Some(first) = rest.chars().next() {
        let letters = rest.bytes().skip(1).take_while(u8::is_ascii_alphabetic).count();
        let length = match first {
            '\\' if letters > 0 => 1 + letters,
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// Tokens one behind the other, with blanks where a command would swallow a letter.
fn write<'t>(tokens: impl IntoIterator<Item = &'t str>) -> String {
    let mut out = String::new();
    let mut is_command = false;
    for token in tokens {
        if is_command && token.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
        out.push_str(token);
        is_command = token.starts_with('\\') && token.ends_with(|c: char| c.is_ascii_alphabetic());
    }
    out
}

/// The text of a node, without the braces around it.
fn inside<'l>(latex: &'l str, tree: &Tree, id: NodeId) -> Option<&'l str> {
    let text = latex.get(tree.node(id).span.range())?.trim();
    let group = matches!(tree.kind(id), Kind::Row(_));
    let braced = || text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    Some(if group { braced().unwrap_or(text) } else { text }.trim())
}

/// One of the nodes of a kind.
fn one(tree: &Tree, rng: &mut Rng, is_wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
    let all: Vec<NodeId> = walk(tree).into_iter().filter(|id| is_wanted(tree.kind(*id))).collect();
    (!all.is_empty()).then(|| all[rng.index(all.len())])
}

/// The LaTeX with another text for a node.
fn replaced(latex: &str, tree: &Tree, id: NodeId, text: &str) -> Option<String> {
    let range = tree.node(id).span.range();
    Some(format!("{}{text}{}", latex.get(..range.start)?, latex.get(range.end..)?))
}

/// `\frac{a}{b}` as `{a \over b}`, and the other way round.
fn fractions(latex: &str, tree: &Tree, rng: &mut Rng) -> Option<String> {
    let is_plain =
        |kind| matches!(kind, Kind::Fraction { bar: Bar::Line, left: None, right: None, style: None, .. });
    let fraction = one(tree, rng, is_plain)?;
    let Kind::Fraction { numerator, denominator, .. } = tree.kind(fraction) else { return None };
    let (above, below) = (inside(latex, tree, numerator)?, inside(latex, tree, denominator)?);
    let typed = latex.get(tree.node(fraction).span.range())?;
    let text = if typed.starts_with("\\frac") {
        format!("{{{above} \\over {below}}}")
    } else {
        format!("\\frac{{{above}}}{{{below}}}")
    };
    replaced(latex, tree, fraction, &text)
}

/// `\le` as `\leq`, and the like.
fn names(latex: &str, _: &Tree, _: &mut Rng) -> Option<String> {
    let mut is_changed = false;
    let other = |token| {
        let pair = NAMES.iter().find(|(short, long)| *short == token || *long == token);
        let other = pair.map(|(short, long)| if *short == token { *long } else { *short });
        is_changed |= other.is_some();
        other.unwrap_or(token)
    };
    let typed = write(tokens(latex).into_iter().map(other));
    is_changed.then_some(typed)
}

/// `x^2` as `x^{2}`, and the other way round.
fn script_braces(latex: &str, _: &Tree, _: &mut Rng) -> Option<String> {
    let tokens = tokens(latex);
    let is_single = |token: &str| token.len() == 1 && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        out.push(tokens[at]);
        at += 1;
        if !matches!(tokens[at - 1], "^" | "_") {
            continue;
        }
        match tokens[at..] {
            ["{", script, "}", ..] if is_single(script) => {
                out.push(script);
                at += 3;
            }
            [script, ..] if is_single(script) => {
                out.extend(["{", script, "}"]);
                at += 1;
            }
            _ => {}
        }
    }
    let typed = write(out);
    (typed != latex).then_some(typed)
}

/// `x_1^2` as `x^2_1`, and the other way round.
fn script_order(latex: &str, tree: &Tree, rng: &mut Rng) -> Option<String> {
    let is_both = |kind| matches!(kind, Kind::Scripts { base: Some(_), sub: Some(_), sup: Some(_), .. });
    let scripts = one(tree, rng, is_both)?;
    let Kind::Scripts { base: Some(base), sub: Some(sub), sup: Some(sup), .. } = tree.kind(scripts) else {
        return None;
    };
    let (base_end, end) = (tree.node(base).span.range().end, tree.node(scripts).span.range().end);
    let (below, above) = (inside(latex, tree, sub)?, inside(latex, tree, sup)?);
    // Primes and `\limits` stand there as well.
    let typed = latex.get(base_end..end)?;
    if typed.contains('\'') || typed.trim_start().starts_with('\\') {
        return None;
    }
    let is_low_first = tree.node(sub).span < tree.node(sup).span;
    let text =
        if is_low_first { format!("^{{{above}}}_{{{below}}}") } else { format!("_{{{below}}}^{{{above}}}") };
    Some(format!("{}{text}{}", latex.get(..base_end)?, latex.get(end..)?))
}

/// `\left( … \right)` as `( … )`, and the other way round.
fn sized_brackets(latex: &str, _: &Tree, _: &mut Rng) -> Option<String> {
    let tokens = tokens(latex);
    let is_sized = tokens.contains(&"\\left");
    if is_sized {
        // What stands without its bracket cannot do without its size.
        let stays = tokens.windows(2).any(|pair| matches!(pair[0], "\\left" | "\\right") && pair[1] == ".");
        let sizes = ["\\left", "\\right"];
        return (!stays && !tokens.contains(&"\\middle"))
            .then(|| write(tokens.into_iter().filter(|token| !sizes.contains(token))));
    }
    let is_bracket = |token: &&str| matches!(*token, "(" | ")");
    let sized = |token| match token {
        "(" => ["\\left", "("],
        ")" => ["\\right", ")"],
        _ => ["", token],
    };
    let is_there = tokens.iter().any(is_bracket);
    is_there.then(|| write(tokens.into_iter().flat_map(sized).filter(|token| !token.is_empty())))
}

/// `\sum_{i}` as `\sum\limits_{i}`, and the other way round.
fn limits(latex: &str, _: &Tree, _: &mut Rng) -> Option<String> {
    let tokens = tokens(latex);
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if *token == "\\limits" {
            continue;
        }
        out.push(*token);
        let next = tokens.get(at + 1);
        if matches!(*token, "\\sum" | "\\prod" | "\\lim" | "\\max" | "\\min" | "\\sup" | "\\inf" | "\\bigcup")
            && matches!(next, Some(&("_" | "^")))
        {
            out.push("\\limits");
        }
    }
    (out != tokens).then(|| write(out))
}

/// Blanks around relations and operators, or none.
fn blanks(latex: &str, _: &Tree, _: &mut Rng) -> Option<String> {
    // In text, blanks part words.
    if ["\\text", "box", "\\operatorname"].iter().any(|command| latex.contains(command)) {
        return None;
    }
    let mut out = String::new();
    let tokens = tokens(latex);
    let is_airy = latex.contains([' ', '\n']);
    let mut is_command = false;
    for token in tokens {
        let is_blank = token.chars().all(char::is_whitespace);
        if is_blank && is_airy {
            continue;
        }
        if is_command && token.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
        match token {
            "=" | "+" | "<" | ">" if !is_airy => {
                out.push(' ');
                out.push_str(token);
                out.push(' ');
            }
            _ => out.push_str(token),
        }
        is_command = token.starts_with('\\') && token.ends_with(|c: char| c.is_ascii_alphabetic());
    }
    (out != latex).then_some(out)
}
