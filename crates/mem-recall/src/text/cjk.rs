//! Scripts that put no space between words: every character and every pair is a term.

/// Whether `c` belongs to a script that is read by characters and pairs: Han, kana, Hangul, and
/// the scripts of South-East Asia that are written without spaces.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF          // Thai, Lao
        | 0x1000..=0x109F        // Myanmar
        | 0x1100..=0x11FF        // Hangul Jamo
        | 0x1780..=0x17FF        // Khmer
        | 0x3005..=0x3007        // iteration mark, Han zero
        | 0x3040..=0x30FF        // Hiragana, Katakana
        | 0x3130..=0x318F        // Hangul compatibility Jamo
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF        // Hangul
        | 0xF900..=0xFAFF
        | 0x20000..=0x323AF)
}

/// Characters and pairs of a run, each pair after its first character.
pub(super) fn emit_grams(run: &str, emit: &mut dyn FnMut(&str)) {
    let mut ends = run.char_indices().map(|(i, c)| i + c.len_utf8()).peekable();
    let mut start = 0;
    while let Some(end) = ends.next() {
        emit(&run[start..end]);
        if let Some(&next) = ends.peek() {
            emit(&run[start..next]);
        }
        start = end;
    }
}
