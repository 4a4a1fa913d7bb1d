//! Whether two contents are one sentence by which a thing has another name: to vectors two names are as far
//! apart as two things, although all else says that it is one.

/// In front of a name.
const NAMING: [&str; 10] = [
    "called",
    "named",
    "heißt",
    "heisst",
    "llama",
    "appelle",
    "s'appelle",
    "genannt",
    "nombrado",
    "nommé",
];
/// That it was otherwise before.
const CHANGE: [&str; 7] = [
    "now",
    "jetzt",
    "nun",
    "ahora",
    "maintenant",
    "désormais",
    "inzwischen",
];
/// In front of these it is not said whose name it is.
const POINTING: [&str; 10] = [
    "it", "this", "that", "es", "das", "dies", "esto", "eso", "il", "elle",
];
/// So many words in front of a name say at least whose it is.
const SUBJECT_WORDS_MIN: usize = 2;
/// A longer content says more than one thing.
const WORDS_MAX: usize = 24;

/// Whether the new one gives what the old one names another name.
pub(crate) fn is_renamed(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    let differing = |at: &usize| old[*at] != new[*at];
    if old.len() != new.len() || old.len() > WORDS_MAX {
        return false;
    }
    let mut places = (0..old.len()).filter(differing);
    let (Some(at), None) = (places.next(), places.next()) else {
        return false;
    };
    // `The cluster is called Hydra`: whose name it is stands in front, with the word that names.
    let is_told = at > SUBJECT_WORDS_MIN && !POINTING.contains(&old[0].as_str());
    is_told && NAMING.contains(&old[at - 1].as_str())
}

/// The words of a content in lower case, without those that only say that it is new.
fn words(content: &str) -> Vec<String> {
    let words = content.split_whitespace().take(WORDS_MAX + CHANGE.len());
    let bare = words.map(|word| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        inner.to_lowercase()
    });
    bare.filter(|word| !word.is_empty() && !CHANGE.contains(&word.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_renamed;

    #[test]
    fn another_name_of_one_thing_is_told_from_the_name_of_another() {
        for (old, new) in [
            (
                "The staging cluster is called Hydra.",
                "The staging cluster is now called Medusa.",
            ),
            (
                "Der Staging-Cluster heißt Hydra",
                "Der Staging-Cluster heißt jetzt Medusa",
            ),
            (
                "El cluster se llama Hydra",
                "El cluster se llama ahora Medusa",
            ),
            ("Le cluster s'appelle Hydra", "Le cluster s'appelle Medusa"),
        ] {
            assert!(is_renamed(old, new), "{old} -> {new}");
        }
        for (old, new) in [
            (
                "The staging cluster is called Hydra",
                "The production cluster is called Medusa",
            ),
            (
                "The staging cluster is called Hydra",
                "The production cluster is called Hydra",
            ),
            ("It is called Hydra", "It is called Medusa"),
            ("The cluster is called Hydra", "The cluster is called Hydra"),
            (
                "The staging cluster is fast",
                "The staging cluster is shared",
            ),
            (
                "The function is called twice",
                "The function is called twice by the parser",
            ),
            ("", ""),
        ] {
            assert!(!is_renamed(old, new), "{old} -> {new}");
        }
    }
}
