//! What a redaction makes of a write that waits in the inbox. It quotes what it was based on, the whole index at that,
//! so that a text or a note may stand in it that it does not speak of: such a write is cleaned and waits on.

use super::erase::{MARK, MARK_OF_VALUE, index_without};
use super::redact::PreparedRedaction;
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::history::AuthorKind;
use crate::inbox::{EntryContent, File, InboxEntry};
use crate::topic::TopicFile;

impl PreparedRedaction {
    /// What becomes of it, which may be itself; `None` where nothing of it can be left.
    pub(super) fn redacted(&self, entry: &InboxEntry) -> Option<InboxEntry> {
        let cleaned = entry.files.iter().filter_map(|file| self.cleaned(file));
        let files: Vec<File> = cleaned.collect();
        let is_in = match &self.text {
            Some(text) => entry.contains(text),
            None => files != entry.files,
        };
        if !is_in {
            return Some(entry.clone());
        }
        // What of a colleague waits is still at the remote, and comes from there again; cleaned, it would be theirs no
        // more.
        if entry.author.actor == AuthorKind::Team {
            return None;
        }
        let mut cleaned = entry.with_files(without_shells(files, entry));
        if let (Some(text), Some(reason)) = (&self.text, &mut cleaned.reason) {
            *reason = super::erase::text_without(reason, text);
        }
        cleaned.files.compact_sort_by(|a, b| a.path.cmp(&b.path));
        self.is_left(entry, &cleaned).then_some(cleaned)
    }

    /// Whether there is something left of it that can be carried out, and nothing of what is to go.
    fn is_left(&self, entry: &InboxEntry, cleaned: &InboxEntry) -> bool {
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
        let content = |content: &Option<EntryContent>| {
            content.as_ref().map(|EntryContent(bytes)| {
                let clean = self.clean(file.path.as_str(), bytes);
                EntryContent(clean.unwrap_or_else(|| bytes.clone()))
            })
        };
        let path = |path: &MemoryPath| self.path(path).unwrap_or_else(|| path.clone());
        let cleaned = File {
            path: path(&file.path),
            renamed_from: file.renamed_from.as_ref().map(path),
            old: content(&file.old),
            new: content(&file.new),
        };
        let has_become_idle = cleaned.old == cleaned.new && cleaned.renamed_from.is_none();
        (!has_become_idle || cleaned == *file).then_some(cleaned)
    }
}

/// The files without those of which only marks are left, and without their lines in the lists: nobody could decide on
/// them.
fn without_shells(files: Vec<File>, entry: &InboxEntry) -> Vec<File> {
    let is_shell = |file: &File| {
        let is_new = !entry.files.iter().any(|old| old.new == file.new);
        let new = file.new.as_ref().filter(|_| is_new && !file.is_list());
        new.is_some_and(|EntryContent(bytes)| is_shell(bytes))
    };
    let (shells, mut kept): (Vec<File>, Vec<File>) = files.into_iter().partition(is_shell);
    let gone: Vec<&str> = shells.iter().map(|file| file.path.as_str()).collect();
    if gone.is_empty() {
        return kept;
    }
    for file in kept.iter_mut().filter(|file| file.is_list()) {
        if let Some(EntryContent(bytes)) = &mut file.new
            && let Some(less) = index_without(file.path.as_str(), bytes, gone.iter().copied())
        {
            *bytes = less;
        }
    }
    kept.retain(|file| !is_idle(file));
    kept
}

/// Whether marks are all that a note says, and when it was said.
fn is_shell(bytes: &[u8]) -> bool {
    let topic = TopicFile::parse(bytes);
    let body = topic.text(bytes);
    let fields = [&topic.name, &topic.description].into_iter().flatten();
    let body = body.lines().filter(|line| !line.starts_with("**Said"));
    let mut texts = fields.map(String::as_str).chain(body);
    texts.all(|text| {
        let left = text.replace(MARK, "").replace(MARK_OF_VALUE, "");
        !left.contains(char::is_alphanumeric)
    })
}

/// Whether it wants what is there.
fn is_idle(file: &File) -> bool {
    let is_empty =
        |content: &Option<EntryContent>| content.as_ref().is_none_or(|one| one.0.is_empty());
    let is_same = file.old == file.new || is_empty(&file.old) && is_empty(&file.new);
    is_same && file.renamed_from.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_told_from_a_note_that_lost_a_word() {
        let of = |name: &str, body: &str| {
            let text =
                format!("---\nname: {name}\ndescription: (redacted)\ntype: user\n---\n\n{body}\n");
            is_shell(text.as_bytes())
        };
        assert!(of("(redacted) [redacted]", "[redacted]."));
        assert!(of(
            "(redacted)",
            "[redacted]\n\n**Said (2026-11-20):** \u{201c}[redacted]\u{201d}"
        ));
        assert!(!of("(redacted) at noon", "[redacted]"));
        assert!(!of("(redacted)", "It is [redacted] now"));
    }
}
