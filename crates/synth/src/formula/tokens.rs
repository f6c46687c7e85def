//! Writing tokens, with a space where TeX needs one.

/// Appends tokens to a text.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    out: &'a mut String,
    /// Whether the last token was a command made of letters.
    after_command: bool,
    /// Whether a factor was written and another follows.
    between_factors: bool,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(out: &'a mut String) -> Self {
        Self { out, after_command: false, between_factors: false }
    }

    /// Appends tokens: a character, a command, or several of either.
    pub(crate) fn push(&mut self, text: &str) {
        let Some(first) = text.bytes().next() else { return };
        if std::mem::take(&mut self.between_factors) && first.is_ascii_digit() {
            // `x3` would be read as one thing.
            self.out.push_str("\\cdot");
        }
        if self.after_command && first.is_ascii_alphabetic() {
            self.out.push(' ');
        }
        self.out.push_str(text);
        let letters = text.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        self.after_command = letters > 0 && text[..text.len() - letters].ends_with('\\');
    }

    /// Says that the next token begins a factor after another one.
    pub(crate) fn times(&mut self) {
        self.between_factors = true;
    }

    /// Appends a number.
    pub(crate) fn number(&mut self, number: usize) {
        self.push(&number.to_string());
    }
}
