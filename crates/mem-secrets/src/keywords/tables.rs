//! Builds the tables of the keyword search. Used twice: by the build script
//! for the rules that ship with the crate, so that start-up costs nothing, and
//! at run time for the keywords of a user's own rules.

/// Bits of a letter's class, and of the three classes of a gram.
pub(crate) const CLASS_BITS: u32 = 5;
pub(crate) const GRAMS: usize = 1 << (3 * CLASS_BITS);
/// Shortest keyword: a gram.
pub(crate) const KEYWORD_BYTES_MIN: usize = 3;

/// Which keywords begin with which three bytes. A gram is the classes of three
/// bytes in a row, so different bytes may share one; a match is compared.
pub(crate) struct Tables {
    /// One bit for each gram that a keyword begins with.
    pub(crate) bits: Vec<u64>,
    /// Of each gram, its bucket; 0 is the empty one.
    pub(crate) buckets: Vec<u16>,
    /// Bucket `n` is `members[starts[n]..starts[n + 1]]`.
    pub(crate) starts: Vec<u16>,
    /// Keyword indices, grouped by bucket.
    pub(crate) members: Vec<u16>,
    /// Of each member, its first eight bytes, the first one lowest; a text with its folds set equals them.
    pub(crate) heads: Vec<u64>,
    /// Of each member, the bits to be set in a text before it is compared.
    pub(crate) folds: Vec<u64>,
    /// Of each bucket, one bit for each class that may come fourth.
    pub(crate) fourths: Vec<u32>,
}

/// The class of a byte: letters apart, whatever their case, but for the three rarest; the rest in groups. Of a letter
/// outside ASCII the first byte has one class and those after it another, so that its grams are those of no other sign.
pub(crate) const fn class(byte: u8) -> u8 {
    match byte {
        b'j' | b'q' | b'J' | b'Q' => class(b'z'),
        0x80..=0xbf => b'j' - b'a' + 1,
        0xc0.. => b'q' - b'a' + 1,
        b'a'..=b'z' => byte - b'a' + 1,
        b'A'..=b'Z' => byte - b'A' + 1,
        b'0'..=b'9' => 27,
        b'_' | b'-' => 28,
        b'.' | b':' | b'/' | b'=' => 29,
        b' ' | b'"' | b'\'' | b'$' | b'%' => 30,
        b'\t' | b'\n' | b'\r' | b',' | b'(' | b')' | b';' => 0,
        _ => 31,
    }
}

/// The gram of the first three bytes of a keyword.
fn gram(word: &[u8]) -> Option<usize> {
    let head = word.first_chunk::<KEYWORD_BYTES_MIN>()?;
    Some(head.iter().fold(0, |gram, &byte| {
        gram << CLASS_BITS | usize::from(class(byte))
    }))
}

/// The first eight bytes of a keyword, and the bits that make a text comparable with them: of a
/// letter the one that tells capitals, of what is beyond the keyword's end all.
fn head(word: &[u8]) -> (u64, u64) {
    let (mut head, mut fold) = (u64::MAX, u64::MAX);
    for (place, &byte) in word.iter().take(8).enumerate() {
        let bits = if byte.is_ascii_alphabetic() { 0x20 } else { 0 };
        let put =
            |word: u64, byte: u8| word & !(0xff << (8 * place)) | u64::from(byte) << (8 * place);
        (head, fold) = (put(head, byte), put(fold, bits));
    }
    (head, fold)
}

/// Builds the tables for `keywords`, matched without regard to ASCII case.
///
/// # Errors
/// When a keyword is shorter than three bytes or there are too many of them.
pub(crate) fn build(keywords: &[&[u8]]) -> Result<Tables, String> {
    if keywords.len() > usize::from(u16::MAX) {
        return Err("too many keywords".to_owned());
    }
    let mut by_gram: Vec<(usize, u16)> = Vec::new();
    for (index, word) in (0_u16..).zip(keywords) {
        let lossy = || format!("keyword `{}` is too short", String::from_utf8_lossy(word));
        by_gram.push((gram(word).ok_or_else(lossy)?, index));
    }
    by_gram.sort_unstable();
    let mut tables = Tables {
        bits: vec![0; GRAMS / 64],
        buckets: vec![0; GRAMS],
        starts: vec![0, 0],
        members: Vec::new(),
        heads: Vec::new(),
        folds: Vec::new(),
        fourths: vec![0],
    };
    for group in by_gram.chunk_by(|a, b| a.0 == b.0) {
        let gram = group[0].0;
        tables.bits[gram / 64] |= 1 << (gram % 64);
        tables.buckets[gram] = (tables.starts.len() - 1) as u16;
        for &(_, index) in group {
            let (head, fold) = head(keywords[usize::from(index)]);
            tables.members.push(index);
            tables.heads.push(head);
            tables.folds.push(fold);
        }
        let fourth = |(_, index): &(usize, u16)| {
            let byte = keywords[usize::from(*index)].get(KEYWORD_BYTES_MIN);
            byte.map_or(u32::MAX, |byte| 1 << class(*byte))
        };
        tables
            .fourths
            .push(group.iter().map(fourth).fold(0, |all, bit| all | bit));
        tables.starts.push(tables.members.len() as u16);
    }
    Ok(tables)
}
