//! Characters that nobody sees, and so can make two names look like one.

use crate::limits::PATH_BYTES_MAX;

/// Control and format characters (Cc, Cf), and the separators of lines and paragraphs. The table of Cf is
/// that of Unicode 16.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x890..=0x891 | 0x8E2 | 0x180E
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x2064 | 0x2066..=0x206F | 0xFEFF
            | 0xFFF9..=0xFFFB | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A | 0xE0001 | 0xE0020..=0xE007F)
}

/// A text as an error shows it: hidden characters as escapes, and cut where it is longer than any path.
pub fn escaped(text: &str) -> String {
    let visible = |c: char| match is_hidden(c) {
        true => c.escape_unicode().collect::<Vec<_>>(),
        false => vec![c],
    };
    let mut characters = text.chars();
    let shown = characters.by_ref().take(PATH_BYTES_MAX);
    let mut shown = mem_core::memory_path::escaped(&shown.flat_map(visible).collect::<String>());
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_shown_whole_and_nothing_for_ever() {
        let longest = format!("/{}", "x".repeat(PATH_BYTES_MAX - 1));
        assert_eq!(escaped(&longest), longest);
        assert!(escaped(&"x".repeat(1 << 20)).len() < 2 * PATH_BYTES_MAX);
        assert_eq!(escaped("a\u{202e}b\nc"), "a\\u{202e}b\\u{a}c");
    }
}
