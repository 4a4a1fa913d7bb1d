//! One piece of a text replaced, where it stands exactly once.

/// The text with `old` replaced. Where the text has the line ends of Windows, so may the pieces be meant
/// that were given without.
///
/// # Errors
/// How often `old` occurs, if not once; overlapping occurrences count, and an empty text occurs nowhere.
pub(super) fn replaced(text: &str, old: &str, new: &str) -> Result<String, usize> {
    let count = occurrences(text, old);
    if count == 0 && text.contains("\r\n") {
        let with_returns = |piece: &str| piece.replace("\r\n", "\n").replace('\n', "\r\n");
        let old = with_returns(old);
        return match occurrences(text, &old) {
            1 => Ok(text.replacen(&old, &with_returns(new), 1)),
            count => Err(count),
        };
    }
    match count {
        1 => Ok(text.replacen(old, new, 1)),
        count => Err(count),
    }
}

fn occurrences(text: &str, piece: &str) -> usize {
    let Some(first) = piece.chars().next() else {
        return 0;
    };
    let mut count = 0;
    let mut rest = text;
    while let Some(at) = rest.find(piece) {
        count += 1;
        rest = rest.get(at + first.len_utf8()..).unwrap_or_default();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_replaced_where_it_stands_once() {
        assert_eq!(
            replaced("one two", "two", "three"),
            Ok("one three".to_owned())
        );
        assert_eq!(
            replaced("a\r\nb\r\n", "a\nb", "c\nd"),
            Ok("c\r\nd\r\n".to_owned())
        );
        assert_eq!(replaced("one", "two", ""), Err(0));
        assert_eq!(replaced("aaa", "aa", ""), Err(2));
        assert_eq!(replaced("é é", "é", "e"), Err(2));
        assert_eq!(replaced("one", "", "x"), Err(0));
    }
}
