//! What a person does about a finding, by where it stands.

use mem_scan::LocatedFinding;
use mem_scan::scan_origin::ContentKind;

/// The safe next step, in one line.
pub(super) fn next_step(found: &LocatedFinding) -> String {
    let commit = found.place.commit.as_deref().unwrap_or_default();
    let commit = &commit[..commit.len().min(10)];
    let rebase = match found.place.is_root_commit {
        true => "git rebase -i --root".to_owned(),
        false => format!("git rebase -i {commit}~"),
    };
    match found.place.kind {
        ContentKind::File => {
            "revoke it where it was issued, and keep the new one out of files".to_owned()
        }
        ContentKind::Staged => "take it out and stage the file again before you commit".to_owned(),
        ContentKind::Memory => {
            "revoke it, then `mem redact` removes it from the note and its history".to_owned()
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
             (`git commit --amend --reset-author`, or `git tag --force`)"
        ),
        ContentKind::Name if commit.is_empty() => "revoke it, and choose another name".to_owned(),
        ContentKind::Name => {
            format!("revoke it, then rename the file in {commit} (`{rebase}`)")
        }
    }
}
