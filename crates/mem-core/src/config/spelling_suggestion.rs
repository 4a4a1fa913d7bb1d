//! The word that was probably meant.

/// The candidate nearest to `word`, if it is near enough to be worth a hint.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let tail = |name: &'a str| name.rsplit('.').next().unwrap_or(name);
    candidates
        .map(|name| {
            let whole = distance(word, name);
            // `mode` alone is as good as `memory.mode`.
            let last = if word.contains('.') {
                whole
            } else {
                distance(word, tail(name))
            };
            (whole.min(last), name)
        })
        .min()
        .filter(|(distance, _)| *distance <= (word.chars().count() / 3).clamp(1, 3))
        .map(|(_, name)| name)
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found_and_others_are_not() {
        let names = ["memory.mode", "memory.write", "history.keep", "color"];
        for (word, want) in [
            ("memory.mod", Some("memory.mode")),
            ("mode", Some("memory.mode")),
            ("colour", Some("color")),
            ("histroy.keep", Some("history.keep")),
            ("something.else", None),
            ("nope", None),
            ("memory.writings", None),
        ] {
            assert_eq!(nearest(word, names.into_iter()), want, "{word}");
        }
        assert_eq!((distance("", "abc"), distance("kitten", "sitting")), (3, 3));
    }
}
