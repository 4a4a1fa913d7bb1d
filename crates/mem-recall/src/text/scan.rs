//! Cuts a text into runs of unspaced script and chunks that a person would select with one click:
//! words, identifiers, paths, versions, flags.

use super::cjk::is_unspaced;
use super::normalisation;

/// A run of the text.
pub(super) enum TextPiece<'a> {
    /// Characters of a script without spaces.
    Unspaced(&'a str),
    /// Letters and digits with joiners between them.
    Chunk(&'a str),
}

/// Whether `c` holds a chunk together when letters or digits stand on both sides of it.
fn is_joiner(c: char) -> bool {
    matches!(
        c,
        '_' | '-' | '.' | '/' | '\\' | ':' | '\'' | '\u{2019}' | '@' | '+'
    )
}

/// Letters, digits and the marks that combine with them.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')
}

/// Hands every piece to `emit`, in order.
pub(super) fn emit_pieces(text: &str, emit: &mut dyn FnMut(TextPiece<'_>)) {
    let text = &*normalisation::compose_text(text);
    let mut rest = text.char_indices().peekable();
    while let Some(&(start, c)) = rest.peek() {
        if is_unspaced(c) {
            let end = run_end(text, &mut rest, is_unspaced);
            emit(TextPiece::Unspaced(&text[start..end]));
        } else if is_word(c) {
            let end = chunk_end(text, &mut rest);
            emit(TextPiece::Chunk(&text[start..end]));
        } else {
            rest.next();
        }
    }
}

type Rest<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn run_end(text: &str, rest: &mut Rest<'_>, inside: fn(char) -> bool) -> usize {
    while let Some(&(at, c)) = rest.peek() {
        if !inside(c) {
            return at;
        }
        rest.next();
    }
    text.len()
}

/// The end of a chunk: joiners (at most two together, as in `a::b`) belong to it only between words.
fn chunk_end(text: &str, rest: &mut Rest<'_>) -> usize {
    let spaced = |c| is_word(c) && !is_unspaced(c);
    loop {
        let end = run_end(text, rest, spaced);
        let joiners = text[end..]
            .chars()
            .take_while(|&c| is_joiner(c))
            .take(3)
            .count();
        let after = text[end..].chars().nth(joiners);
        if joiners == 0 || joiners > 2 || !after.is_some_and(spaced) {
            return end;
        }
        rest.by_ref().take(joiners).for_each(|_| {});
    }
}
