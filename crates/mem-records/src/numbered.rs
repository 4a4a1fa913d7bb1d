//! Whether two contents say the same of two things that a number tells apart: to vectors `site 4` is `site 5`.

/// Behind what is spoken of.
const VERBS: [&str; 32] = [
    "is", "are", "was", "were", "has", "have", "had", "uses", "use", "needs", "runs", "ends",
    "begins", "starts", "lives", "takes", "stands", "belongs", "asked", "wants", "listens",
    "returns", "holds", "ist", "sind", "hat", "endet", "beginnt", "es", "son", "est", "sont",
];

/// Whether a number in front of the verb is another.
pub(crate) fn is_another(old: &str, new: &str) -> bool {
    let (old, new) = (subject(old), subject(new));
    let is_number = |word: &String| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut pairs = old.iter().zip(&new);
    old.len() == new.len()
        && pairs.clone().any(|(old, new)| old != new)
        && pairs.all(|(old, new)| old == new || (is_number(old) && is_number(new)))
}

/// The words up to the first verb; none where there is no verb.
fn subject(content: &str) -> Vec<String> {
    let words = content.split_whitespace().map(|word| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        inner.to_lowercase()
    });
    let words: Vec<String> = words.collect();
    let verb = words.iter().position(|word| VERBS.contains(&word.as_str()));
    words.into_iter().take(verb.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::is_another;

    #[test]
    fn numbers_tell_things_apart_and_values_do_not() {
        for (old, new) in [
            (
                "Customer 2 asked for exports.",
                "Customer 5 asked for exports.",
            ),
            ("Sprint 12 ends on Friday.", "Sprint 13 ends on Friday."),
            ("The disk of db-1 is full.", "The disk of db-2 is full."),
        ] {
            assert!(is_another(old, new), "{old} -> {new}");
        }
        for (old, new) in [
            (
                "Sprint 12 ends on Friday.",
                "Sprint 12 ends on Monday instead.",
            ),
            (
                "Line length is 80 characters.",
                "Line length is 100 characters.",
            ),
            ("Uploads may be 10 MB large.", "Uploads may be 25 MB large."),
            ("CI takes about 20 minutes.", "CI takes about 8 minutes."),
            ("The beta is late", "The release is late"),
            ("", ""),
        ] {
            assert!(!is_another(old, new), "{old} -> {new}");
        }
    }
}
