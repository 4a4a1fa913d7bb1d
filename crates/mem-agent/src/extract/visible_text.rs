//! What was said without what nobody sees: terminals, browsers and editors leave characters in what people paste that
//! no memory can hold, or that would hide in one.

/// A text without control characters, colours of a terminal and invisible marks of format. Tabs stay, and every sort
/// of line break is one.
pub(super) fn visible_text(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.next_if_eq(&'[').is_some() => {
                // Parameters, and the letter that ends them.
                while letters.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                letters.next_if(|c| matches!(c, '@'..='~'));
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => clean.push('\n'),
            '\n' | '\t' => clean.push(letter),
            _ if letter.is_control() || is_mark(letter) => {}
            _ => clean.push(letter),
        }
    }
    clean
}

/// Whether nobody sees a character. Joiners, which make other letters and pictures of those beside them, are seen.
fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_goes_and_words_stay() {
        for (text, clean) in [
            ("a\u{1b}[31;1mb\u{1b}[0m\u{7}\u{0}c", "abc"),
            ("feature\u{200b}/\u{202e}x\u{ad}\u{feff}", "feature/x"),
            ("a\r\nb\u{85}c\u{2028}d\re\tf", "a\nb\nc\nd\ne\tf"),
            ("tag\u{e0041}ged", "tagged"),
            (
                "میـ\u{200c}خواهم 👩\u{200d}💻 통과",
                "میـ\u{200c}خواهم 👩\u{200d}💻 통과",
            ),
        ] {
            assert_eq!(visible_text(text), clean);
        }
    }
}
