//! What a redaction makes of a write that waits in the inbox. It quotes what it was based on, the whole index at that, so
//! that a text or a note may stand in it that it does not speak of: such a write is cleaned and waits on.

use super::redact::Plan;
use crate::MemoryPath;
use crate::history::Actor;
use crate::inbox::{Content, Entry, Fate, File};

impl Plan {
    /// What becomes of it.
    pub(super) fn fate(&self, entry: &Entry) -> Fate {
        let files: Vec<File> = entry
            .files
            .iter()
            .filter_map(|file| self.cleaned(file))
            .collect();
        let is_in = match &self.text {
            Some(text) => entry.contains(text),
            None => files != entry.files,
        };
        if !is_in {
            return Fate::Stays;
        }
        // What of a colleague waits is still at the remote, and comes from there again; cleaned, it would be theirs no
        // more.
        if entry.author.actor == Actor::Team {
            return Fate::Goes;
        }
        let mut cleaned = entry.with_files(files);
        if let (Some(text), Some(reason)) = (&self.text, &mut cleaned.reason) {
            *reason = super::erase::text_without(reason, text);
        }
        cleaned.files.sort_by(|a, b| a.path.cmp(&b.path));
        match self.is_left(entry, &cleaned) {
            true => Fate::Cleaned(Box::new(cleaned)),
            false => Fate::Goes,
        }
    }

    /// Whether there is something left of it that can be carried out, and nothing of what is to go.
    fn is_left(&self, entry: &Entry, cleaned: &Entry) -> bool {
        // A path that cannot be changed alone keeps the text; two that become one are no longer told apart.
        let is_clean = self
            .text
            .as_ref()
            .is_none_or(|text| !cleaned.contains(text));
        let are_apart = cleaned
            .files
            .windows(2)
            .all(|two| two[0].path != two[1].path);
        let had_notes = entry.files.iter().any(|file| !file.is_list());
        let has_notes = cleaned.files.iter().any(|file| !file.is_list());
        is_clean && are_apart && !cleaned.files.is_empty() && has_notes == had_notes
    }

    /// What it wants of a file, cleaned; nothing where that is of the note, or changes nothing any more.
    fn cleaned(&self, file: &File) -> Option<File> {
        let is_of_note = |path: &MemoryPath| self.paths.contains(path.as_str());
        if is_of_note(&file.path) || file.renamed_from.as_ref().is_some_and(is_of_note) {
            return None;
        }
        let content = |content: &Option<Content>| {
            content.as_ref().map(|Content(bytes)| {
                let clean = self.clean(file.path.as_str(), bytes);
                Content(clean.unwrap_or_else(|| bytes.clone()))
            })
        };
        let path = |path: &MemoryPath| self.path(path).unwrap_or_else(|| path.clone());
        let cleaned = File {
            path: path(&file.path),
            renamed_from: file.renamed_from.as_ref().map(path),
            old: content(&file.old),
            new: content(&file.new),
        };
        let is_idle = cleaned.old == cleaned.new && cleaned.renamed_from.is_none();
        (!is_idle || cleaned == *file).then_some(cleaned)
    }
}
