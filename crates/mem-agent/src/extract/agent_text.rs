//! What the agent said before the person did: a prompt that has it was pasted back.
//!
//! Statements are rare, so the transcript is read a second time, and only where there are some. Phrases are compared by
//! hashes of their letters: lists, emphasis and quotation marks change on the way through a clipboard.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::transcript::{Cursor, MessagePart, Transcript, TranscriptError, TranscriptRecord};

/// What a phrase says, without its case and signs.
type PhraseHash = u64;

/// Shorter phrases are said by anybody.
const PHRASE_LETTERS_MIN: usize = 30;

/// Which phrases of statements the agent said first.
#[derive(Debug, Default)]
pub(super) struct AgentPhrases(HashSet<PhraseHash>);

impl AgentPhrases {
    /// Reads them from the beginning of a transcript.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn read<'q>(
        transcript: &Path,
        quotes: impl Iterator<Item = &'q str>,
    ) -> Result<Self, TranscriptError> {
        let wanted: HashSet<PhraseHash> = quotes.flat_map(phrase_hashes).collect();
        let (mut by_person, mut by_agent) = (HashSet::new(), HashSet::new());
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let look = |record: &TranscriptRecord<'_>| {
            let (is_person, parts) = record.spoken_parts().unwrap_or_default();
            let texts = parts.iter().filter_map(MessagePart::as_text);
            let phrases = texts.flat_map(phrase_hashes);
            (
                is_person,
                phrases.filter(|one| wanted.contains(one)).collect(),
            )
        };
        let take = |(is_person, phrases): (bool, Vec<PhraseHash>)| {
            let (first, second) = match is_person {
                true => (&mut by_person, &by_agent),
                false => (&mut by_agent, &by_person),
            };
            first.extend(phrases.into_iter().filter(|one| !second.contains(one)));
        };
        Transcript::open_at(transcript, &Cursor::default())?.read_on_cores(look, take)?;
        Ok(Self(by_agent))
    }

    /// Whether a statement has one of them.
    pub(super) fn has_part_of(&self, quote: &str) -> bool {
        phrase_hashes(quote).any(|phrase| self.0.contains(&phrase))
    }
}

/// The phrases of a text that are long enough to be known again.
fn phrase_hashes(text: &str) -> impl Iterator<Item = PhraseHash> + '_ {
    let phrases = text.split(['\n', '.', ':', '!', '?', '。', '！', '？', '：']);
    phrases.filter_map(|phrase| {
        let mut hasher = DefaultHasher::new();
        let mut length = 0;
        for letter in phrase.chars().filter(|letter| letter.is_alphanumeric()) {
            letter
                .to_lowercase()
                .for_each(|small| small.hash(&mut hasher));
            // Scripts that write a word with one or two letters.
            length += if letter >= '\u{3000}' { 3 } else { 1 };
        }
        (length >= PHRASE_LETTERS_MIN).then(|| hasher.finish())
    })
}
