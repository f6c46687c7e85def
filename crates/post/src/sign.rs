//! Characters that nobody sees.

/// Whether a character is not seen and means nothing in a text: controls, marks of no width, directions.
pub(crate) fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF9}'..='\u{FFFC}')
}
