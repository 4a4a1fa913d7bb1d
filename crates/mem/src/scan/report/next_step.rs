//! What a person does about a finding, by where it stands.

use mem_scan::LocatedFinding;
use mem_scan::scan_origin::{CommitKind, ContentKind};

/// Makes an annotated tag again at the same object; without the last word it would be at `HEAD`.
const RETAG: &str = "git tag --force --annotate NAME NAME^{}";

/// The safe next step, in one line.
pub(super) fn next_step(found: &LocatedFinding) -> String {
    let commit = found.place.commit.as_deref().unwrap_or_default();
    let commit = &commit[..commit.len().min(10)];
    let rebase = match found.place.commit_kind {
        CommitKind::Tag => return tag_step(found.place.kind),
        CommitKind::Notes => return notes_step(found.place.kind, commit),
        CommitKind::Root => "git rebase -i --root".to_owned(),
        // A plain rebase would replace the merge by the commits of its branch.
        CommitKind::Merge => format!("git rebase -i --rebase-merges {commit}~"),
        CommitKind::Ordinary => format!("git rebase -i {commit}~"),
    };
    match found.place.kind {
        ContentKind::File => {
            "revoke it where it was issued, and keep the new one out of files".to_owned()
        }
        ContentKind::Staged => "take it out and stage the file again before you commit".to_owned(),
        ContentKind::Memory => {
            "revoke it, then `mem redact --text -` removes it from the notes and their history"
                .to_owned()
        }
        ContentKind::Blob if commit.is_empty() => {
            "revoke it, then make the tag again without it".to_owned()
        }
        ContentKind::Blob => {
            format!("revoke it, then take it out of {commit} (`{rebase}`)")
        }
        ContentKind::Message => {
            format!("revoke it, then reword {commit} (`{rebase}`)")
        }
        ContentKind::Person => format!(
            "revoke it, correct `user.name` and `user.email`, then make {commit} again \
             (`git commit --amend --reset-author`)"
        ),
        ContentKind::Name if commit.is_empty() => "revoke it, and choose another name".to_owned(),
        ContentKind::Name => {
            format!("revoke it, then rename the file in {commit} (`{rebase}`)")
        }
    }
}

/// The step for the message or the tagger of an annotated tag.
fn tag_step(kind: ContentKind) -> String {
    match kind {
        ContentKind::Person => format!(
            "revoke it, correct `user.name` and `user.email`, then make the tag again (`{RETAG}`)"
        ),
        _ => format!("revoke it, then make the tag again without it (`{RETAG}`)"),
    }
}

/// The step for a commit of a notes reference. An edit adds a commit; the one with the secret stays before it.
fn notes_step(kind: ContentKind, commit: &str) -> String {
    match kind {
        ContentKind::Person => format!(
            "revoke it, correct `user.name` and `user.email`, then make the notes reference again without {commit}"
        ),
        _ => format!(
            "revoke it, take it out of the note (`git notes edit`), then make the notes reference again \
             without {commit}"
        ),
    }
}
