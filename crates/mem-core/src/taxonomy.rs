//! What each memory type is for, as texts for people and agents.

use crate::memory_type::MemoryType;

/// What is not to be saved, whoever asks.
pub const NOT_TO_SAVE: &str = mem_templates::TYPE_NOT_TO_SAVE;

/// What belongs into the daily log.
pub const LOG: &str = mem_templates::TYPE_LOG;

/// What a type is for, when to save it, how to write it and where it goes. Markdown.
pub fn guidance(kind: MemoryType) -> &'static str {
    match kind {
        MemoryType::User => mem_templates::TYPE_USER,
        MemoryType::Feedback => mem_templates::TYPE_FEEDBACK,
        MemoryType::Project => mem_templates::TYPE_PROJECT,
        MemoryType::Reference => mem_templates::TYPE_REFERENCE,
    }
}

/// The one line of a type: its heading without the mark.
pub fn summary(kind: MemoryType) -> &'static str {
    let heading = guidance(kind).lines().next().unwrap_or_default();
    let text = heading.trim_start_matches('#').trim();
    text.split_once(": ").map_or(text, |(_, summary)| summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_says_what_it_is_for() {
        for kind in MemoryType::ALL {
            let text = guidance(kind);
            assert!(text.starts_with(&format!("# {kind}: ")), "{kind}");
            for part in [
                "**For.**",
                "**Save when**",
                "**How to write it.**",
                "**Where.**",
            ] {
                assert!(text.contains(part), "{kind} lacks {part}");
            }
        }
        for kind in [MemoryType::Feedback, MemoryType::Project] {
            let text = guidance(kind);
            assert!(text.contains("`**Why:**`") && text.contains("`**How to apply:**`"));
        }
        assert_eq!(summary(MemoryType::Feedback), "how to work here");
        assert!(NOT_TO_SAVE.contains("passwords") && LOG.contains("Corrections"));
    }
}
