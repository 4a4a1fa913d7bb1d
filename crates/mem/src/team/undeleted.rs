//! What was to be deleted for everybody and was not: whoever asked for it must not take it for done.

use mem_core::ErrorKind;
use mem_sync::Key;

use super::rounds::Run;
use super::screen::shown;
use super::settings::Share;
use crate::error::Diagnosis;
use crate::exit::Exit;

/// Why a deletion was not made, and what to do.
pub(super) fn undeleted(share: &Share, run: &Run) -> Option<Diagnosis> {
    let command = share.command;
    if let Some(key) = kept(run).map(shown) {
        let message =
            format!("`{key}` is not deleted: somebody changed it meanwhile, or took that back");
        let hint = format!(
            "it stays as the remote has it: look at it, and `{command} delete {key}` if that is still meant"
        );
        return Some(diagnosis(ErrorKind::Conflict, message, hint));
    }
    let key = run.report.absent.first().map(shown)?;
    let message = format!(
        "`{key}` is not deleted for everybody: the remote has lost it, and whoever has it still sends it again"
    );
    let hint = format!("`{command} delete {key}` once it is there again");
    Some(diagnosis(ErrorKind::NotFound, message, hint))
}

/// What this run was to delete, and what stays.
pub(super) fn kept(run: &Run) -> Option<&Key> {
    let key = run.deletion.as_ref()?;
    run.report.kept.contains(key).then_some(key)
}

fn diagnosis(kind: ErrorKind, message: String, hint: String) -> Diagnosis {
    Diagnosis {
        kind: kind.as_str(),
        message,
        hint: Some(hint),
        exit: Exit::from(kind),
    }
}
