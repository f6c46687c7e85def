//! From an operator tree to Content MathML.
//!
//! Tags that the reader would give back are written as the element they come
//! from; any other tag is a `csymbol` of a dictionary of its own.

use super::{TAG_DICTIONARY, names};
use crate::mathml::push_escaped;
use crate::opt::{Opt, OptId};

/// Content MathML of any operator tree, as one `math` element.
///
/// ```
/// use formula::opt::Opt;
/// use formula::opt::content::write_content_mathml;
///
/// let opt = Opt::read("[O!root,0[V!x],1[N!2]]")?;
/// assert_eq!(
///     write_content_mathml(&opt),
///     "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><apply><root/><ci>x</ci></apply></math>"
/// );
/// # Ok::<(), formula::opt::OptError>(())
/// ```
#[must_use]
pub fn write_content_mathml(opt: &Opt) -> String {
    let mut out = String::from("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">");
    let mut steps: Vec<Step> = opt.root().map(Step::Node).into_iter().collect();
    while let Some(step) = steps.pop() {
        match step {
            Step::Markup(markup) => out.push_str(markup),
            Step::Node(id) => {
                let mark = steps.len();
                write_node(opt, id, &mut out, &mut steps);
                // They were listed in reading order.
                steps[mark..].reverse();
            }
        }
    }
    out.push_str("</math>");
    out
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Node(OptId),
    Markup(&'static str),
}

fn write_node(opt: &Opt, id: OptId, out: &mut String, steps: &mut Vec<Step>) {
    let tag = opt.tag(id);
    let all = opt.children(id).map(Step::Node);
    if let Some((open, close)) = container(opt, id) {
        out.push_str(open);
        steps.extend(all);
        steps.push(Step::Markup(close));
        return;
    }
    if let Some(name) = tag.strip_prefix("$!").filter(|name| names::is_qualifier(name)) {
        let (open, close) = match name {
            "degree" => ("<degree>", "</degree>"),
            "bvar" => ("<bvar>", "</bvar>"),
            "lowlimit" => ("<lowlimit>", "</lowlimit>"),
            _ => ("<uplimit>", "</uplimit>"),
        };
        out.push_str(open);
        steps.extend(all);
        steps.push(Step::Markup(close));
        return;
    }
    if opt.is_leaf(id) {
        // A function without operands is an application all the same.
        if tag.starts_with("F!") && !leaf_gives(tag) {
            out.push_str("<apply>");
            write_identifier(&tag[2..], out);
            out.push_str("</apply>");
        } else {
            write_leaf(tag, out);
        }
        return;
    }
    let mut operands: Vec<OptId> = opt.children(id).collect();
    let regular = match tag {
        "O!int" => {
            let blank =
                |at: usize| operands.get(at).is_some_and(|&id| opt.tag(id) == "W!" && opt.is_leaf(id));
            let regular = operands.len() == 3 && blank(1) && blank(2);
            if regular {
                operands.truncate(1);
            }
            regular
        }
        "O!root" => operands.len() == 2,
        "U!and" => true,
        _ if tag.starts_with("V!") => false,
        _ if tag.starts_with("+!") => is_compound(opt, id, &operands),
        _ if tag.starts_with("M!D-") => delimiters(tag).is_some(),
        _ => true,
    };
    out.push_str("<apply>");
    if !regular {
        write_tag(tag, out);
    } else if tag.starts_with("+!") {
        // The operator is the first child.
    } else if let Some(name) = tag.strip_prefix("F!").filter(|_| !leaf_gives(tag)) {
        write_identifier(name, out);
    } else {
        write_leaf(tag, out);
    }
    if tag == "O!root" && regular {
        let degree = operands.pop();
        if let Some(degree) = degree.filter(|&degree| opt.tag(degree) != "N!2" || !opt.is_leaf(degree)) {
            steps.extend([Step::Markup("<degree>"), Step::Node(degree), Step::Markup("</degree>")]);
        }
    }
    steps.extend(operands.into_iter().map(Step::Node));
    steps.push(Step::Markup("</apply>"));
}

/// The markup around the children of a node that is no application.
fn container(opt: &Opt, id: OptId) -> Option<(&'static str, &'static str)> {
    let tag = opt.tag(id);
    let count = opt.children(id).count();
    let counted = |prefix: &str| tag.strip_prefix(prefix).is_some_and(|n| n == count.to_string());
    Some(match tag {
        "E!" => ("<cerror>", "</cerror>"),
        "M!R!" => ("<matrixrow>", "</matrixrow>"),
        "O!interval(C-C)" => ("<interval closure=\"closed\">", "</interval>"),
        "O!interval(O-O)" => ("<interval closure=\"open\">", "</interval>"),
        "O!interval(O-C)" => ("<interval closure=\"open-closed\">", "</interval>"),
        "O!interval(C-O)" => ("<interval closure=\"closed-open\">", "</interval>"),
        _ if counted("M!V-") => ("<vector>", "</vector>"),
        _ if counted("M!L-") => ("<list>", "</list>"),
        _ if counted("M!S-") => ("<set>", "</set>"),
        _ if tag.starts_with("M!M-") => {
            let columns = opt.first_child(id).map_or(0, |row| opt.children(row).count());
            let even =
                opt.children(id).all(|row| opt.tag(row) == "M!R!" && opt.children(row).count() == columns);
            if !even || tag != format!("M!M-{count}x{columns}") {
                return None;
            }
            ("<matrix>", "</matrix>")
        }
        _ => return None,
    })
}

/// Whether an application of the first child to the others gives this node back.
fn is_compound(opt: &Opt, id: OptId, operands: &[OptId]) -> bool {
    let Some(&operator) = operands.first().filter(|&&operator| !opt.is_leaf(operator)) else { return false };
    let main = match (opt.tag(operator), opt.first_child(operator)) {
        ("O!SUB" | "O!SUP", Some(first)) => opt.tag(first),
        _ => "",
    };
    &opt.tag(id)[2..] == main
}

/// Whether the leaf written for a tag, alone, is read as this tag.
fn leaf_gives(tag: &str) -> bool {
    match tag.strip_prefix("F!") {
        Some("det") => true,
        Some(name) => matches!(names::sign(name), Some((names::Named::Prefix("F!"), _))),
        None => true,
    }
}

fn write_identifier(name: &str, out: &mut String) {
    out.push_str("<ci>");
    write_text(name, out);
    out.push_str("</ci>");
}

fn write_symbol(dictionary: &str, name: &str, out: &mut String) {
    out.push_str("<csymbol cd=\"");
    out.push_str(dictionary);
    out.push_str("\">");
    write_text(name, out);
    out.push_str("</csymbol>");
}

fn write_tag(tag: &str, out: &mut String) {
    out.push_str("<csymbol cd=\"");
    out.push_str(TAG_DICTIONARY);
    out.push_str("\">");
    push_escaped(tag, out);
    out.push_str("</csymbol>");
}

/// Writes the leaf that is read as this tag.
fn write_leaf(tag: &str, out: &mut String) {
    if let Some(name) = tag.strip_prefix('?') {
        out.push_str("<qvar name=\"");
        write_text(name, out);
        out.push_str("\"/>");
        return;
    }
    if tag == "W!" {
        return write_symbol("latexml", "absent", out);
    }
    let (Some(prefix), Some(name)) = (tag.get(..2), tag.get(2..)) else { return write_tag(tag, out) };
    if name.is_empty() || name.trim() != name {
        return write_tag(tag, out);
    }
    let lower = name.to_lowercase() == name;
    match (prefix, name) {
        ("V!", _) => write_identifier(name, out),
        ("N!", _) => {
            out.push_str("<cn>");
            write_text(name, out);
            out.push_str("</cn>");
        }
        ("T!", _) => {
            out.push_str("<mtext>");
            write_text(name, out);
            out.push_str("</mtext>");
        }
        ("-!", _) if lower => write_symbol("unknown", name, out),
        ("F!", "det") => out.push_str("<determinant/>"),
        ("C!", "hbar") => write_symbol("latexml", "Planck-constant-over-2-pi", out),
        ("O!", "SUB") => write_symbol("ambiguous", "subscript", out),
        ("O!", "SUP") => write_symbol("ambiguous", "superscript", out),
        ("O!", "form-seq") => write_symbol("ambiguous", "formulae-sequence", out),
        ("O!", "fragments") => write_symbol("ambiguous", "fragments", out),
        ("O!", "rem") => write_symbol("latexml", "modulo", out),
        ("M!", _) => match delimiters(tag) {
            Some(delimiters) => write_symbol("latexml", &format!("delimited-{delimiters}"), out),
            None => write_tag(tag, out),
        },
        _ => {
            let sign = names::sign(name).filter(|(named, _)| {
                *named
                    == names::Named::Prefix(match prefix {
                        "F!" => "F!",
                        "U!" => "U!",
                        "O!" => "O!",
                        _ => "C!",
                    })
            });
            if sign.is_some() && matches!(prefix, "F!" | "U!" | "O!" | "C!") {
                out.push('<');
                out.push_str(name);
                out.push_str("/>");
            } else if prefix == "O!"
                && lower
                && names::sign(name).is_none()
                && names::latexml(name).0 == names::Named::Prefix("O!")
                && !name.starts_with("delimited-")
                && name.parse::<f64>().is_err()
            {
                write_symbol("latexml", name, out);
            } else {
                write_tag(tag, out);
            }
        }
    }
}

/// Both delimiters of a tag that has lost the first one.
fn delimiters(tag: &str) -> Option<String> {
    let rest = tag.strip_prefix("M!D-")?;
    // What is left of `[` when it was spelled out.
    if let Some(close) = rest.strip_prefix("lsqb;").or_else(|| rest.strip_prefix("rsqb;")) {
        return Some(format!("{}{close}", if rest.starts_with('l') { '[' } else { ']' }));
    }
    let open = match rest {
        "⌋" => "⌊",
        "⌉" => "⌈",
        "⟩" => "⟨",
        "}" => "{",
        ")" => "(",
        "" => return None,
        _ if rest.chars().nth(1).is_none() && rest.to_lowercase() == rest && rest.trim() == rest => rest,
        _ => return None,
    };
    Some(format!("{open}{rest}"))
}

/// Letters of a tag as they were before the signs of the string grammar were spelled out.
fn write_text(name: &str, out: &mut String) {
    let mut rest = name;
    while let Some(at) = rest.find('&') {
        push_escaped(&rest[..at], out);
        rest = &rest[at..];
        let spelled = [("&comma;", ","), ("&lsqb;", "["), ("&rsqb;", "]"), ("&quest;", "?")];
        let found = spelled.iter().find(|(word, _)| rest.starts_with(word));
        let (word, sign) = found.copied().unwrap_or(("&", "&"));
        push_escaped(sign, out);
        rest = &rest[word.len()..];
    }
    push_escaped(rest, out);
}
