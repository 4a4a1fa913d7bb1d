//! Patterns as people write them, as patterns over bytes: those need no tables of Unicode.

use std::fmt::Write as _;

/// Puts parts in for their names, and makes out of it what compiles without Unicode. A language that
/// is written in characters of `width` bytes has its distances counted in those.
pub(super) fn over_bytes(pattern: &str, parts: &[(String, String)], width: usize) -> String {
    let put = |text: String, (name, part): &(String, String)| text.replace(name, part);
    let filled = folded(&parts.iter().fold(pattern.to_owned(), put));
    widened(&without_wide_classes(&filled), width)
}

/// A text with the letters of ASCII in the place of those with marks: what is at the end of a word is then
/// at its end for bytes too.
pub(super) fn folded(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => made.push('a'),
            'é' | 'è' | 'ê' | 'ë' => made.push('e'),
            'í' | 'ì' | 'î' | 'ï' => made.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => made.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => made.push('u'),
            'ñ' => made.push('n'),
            'ç' => made.push('c'),
            'ß' => made.push_str("ss"),
            'œ' => made.push_str("oe"),
            other => made.push(other),
        }
    }
    made
}

/// A class with a character beyond ASCII in it becomes a choice: bytes have no such members.
fn without_wide_classes(pattern: &str) -> String {
    let mut made = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(start) = rest.find('[') {
        let (before, class) = rest.split_at(start);
        made.push_str(before);
        let end = class.find(']').map_or(class.len(), |end| end + 1);
        let (class, after) = class.split_at(end);
        let members = class.trim_matches(['[', ']']);
        if members.is_ascii() {
            made.push_str(class);
        } else {
            let narrow: String = members.chars().filter(char::is_ascii).collect();
            let wide = members.chars().filter(|c| !c.is_ascii());
            let wide: Vec<String> = wide.map(String::from).collect();
            let narrow = if narrow.is_empty() {
                String::new()
            } else {
                format!("[{narrow}]|")
            };
            let _ = write!(made, "(?:{narrow}{})", wide.join("|"));
        }
        rest = after;
    }
    made + rest
}

/// `.{a,b}` with room for `width` bytes a character.
fn widened(pattern: &str, width: usize) -> String {
    let mut pieces = pattern.split(".{");
    let mut made = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        made.push_str(".{");
        let bounds = piece.split_once('}');
        match bounds.and_then(|(bounds, rest)| Some((bounds.split_once(',')?, rest))) {
            Some(((least, most), rest)) => {
                let most = most.parse().map_or(0, |most: usize| most * width);
                let _ = write!(made, "{least},{most}}}{rest}");
            }
            None => made.push_str(piece),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_distances_are_made_for_bytes() {
        let parts = [("{X}".to_owned(), "(?:a|b)".to_owned())];
        assert_eq!(over_bytes("{X}.{0,4}c", &parts, 3), "(?:a|b).{0,12}c");
        assert_eq!(over_bytes("[a-z，]+[^.?]", &[], 1), "(?:[a-z]|，)+[^.?]");
        assert_eq!(over_bytes("[，。]x{2,3}", &[], 3), "(?:，|。)x{2,3}");
    }
}
