//! What waits here for a person's look before it leaves: listed and counted.

use mem_core::history::{AuthorKind, Sha256};
use mem_core::location::ProjectContext;
use mem_core::{MemoryPath, RunContext};
use mem_sync::EntryKey;
use mem_sync::files::{FilesError, SyncFiles as _};
use mem_sync::plan::{BlockedFile, inspect_outgoing};

use super::files::StoreFiles;
use super::outbound_scan::TeamOutboundScan;
use super::settings::TeamShare;
use super::share_status::ShareStatus;
use super::unreviewed::UnreviewedTexts;

/// A file that waits.
#[derive(Debug)]
pub struct WaitingFile {
    /// Its key.
    pub key: EntryKey,
    /// What it holds.
    pub sha256: Sha256,
    /// The same, as bytes.
    pub bytes: Vec<u8>,
}

/// What waits of a shared tier.
#[derive(Debug, Default)]
pub struct PendingFiles {
    /// What a person may let go.
    pub waiting: Vec<WaitingFile>,
    /// What no review lets go, and why.
    pub blocked: Vec<(EntryKey, BlockedFile)>,
}

/// What waits of a shared tier, as far as its status says that it is to be sent; and of it the files that no review lets
/// go, with what every sync says of them.
///
/// # Errors
/// The files cannot be read.
pub fn waiting_files(
    standing: &ShareStatus,
    unseen: &UnreviewedTexts,
    files: &mut StoreFiles,
    scan: &TeamOutboundScan,
) -> Result<PendingFiles, FilesError> {
    files.list()?;
    let mut pending = PendingFiles::default();
    for (key, _) in &standing.waiting {
        let Some(bytes) = files.read(key)? else {
            continue;
        };
        let sha256 = Sha256::digest(&bytes);
        if !unseen.holds_content(key, sha256) {
            continue;
        }
        match inspect_outgoing(key, bytes.clone(), scan) {
            Ok(Err(why)) => pending.blocked.push((key.clone(), why)),
            // The sync reports a scan that cannot run, and then sends nothing.
            Ok(Ok(_)) | Err(_) => pending.waiting.push(WaitingFile {
                key: key.clone(),
                sha256,
                bytes,
            }),
        }
    }
    Ok(pending)
}

/// How many files of a tier wait; none where nothing is held back.
///
/// # Errors
/// The files cannot be read.
pub fn count_waiting(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<usize, FilesError> {
    if !share.pushes_in_review {
        return Ok(0);
    }
    let standing = ShareStatus::for_share(share, place, context)?;
    let mut files = StoreFiles::for_share(share, place, context);
    let unseen = UnreviewedTexts::for_share(share);
    let dirs = context
        .dirs()
        .map_err(|error| FilesError(Box::new(error)))?;
    let scan = TeamOutboundScan::for_share(share, &place.project, dirs);
    let pending = waiting_files(&standing, &unseen, &mut files, &scan)?;
    Ok(pending.waiting.len())
}

/// How many of these files wait.
pub fn count_among<'p>(
    share: &TeamShare,
    files: impl IntoIterator<Item = &'p MemoryPath>,
) -> usize {
    let of_team = |path: &'p MemoryPath| {
        let key = share
            .tier
            .file(path)
            .and_then(|name| EntryKey::parse(name).ok());
        key.zip(share.store.read(path).ok().flatten())
    };
    let mut files = files.into_iter().filter_map(of_team).peekable();
    if !share.pushes_in_review || files.peek().is_none() {
        return 0;
    }
    let unseen = UnreviewedTexts::for_share(share);
    let waits =
        |(key, bytes): &(EntryKey, Vec<u8>)| unseen.holds_content(key, Sha256::digest(bytes));
    files.filter(waits).count()
}

/// Whether what whoever runs this shares would wait.
pub fn would_wait(share: &TeamShare, context: &RunContext) -> bool {
    share.pushes_in_review && context.author().actor == AuthorKind::Agent
}
