//! Records in a Qdrant of the person's own, by their settings: a collection for each project and for each user.
//!
//! Nothing there is a file: no tier, no history and no inbox. So what is to be kept there is held to what holds for
//! whatever leaves: no secrets, and agents only where they write by themselves.

use crate::CallError;
use mem_core::config::RecordBackend;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::run::ProjectPlaceError;
use mem_core::{Diagnose, Scope};
use mem_recall::encoder::Encoder;
use mem_records::NewRecord;
use mem_records::qdrant::{QdrantOptions, STALL};
use mem_scan::outbound::OutboundScanner;
use mem_team::address::Address;
use secrecy::SecretString;

use mem_core::RunContext;
use mem_core::host_user::HostUser;

/// The settings.
pub(super) const URL: &str = "records.qdrant_url";
/// The key, which stands in no file that is shown.
const KEY_VARIABLE: &str = "MEM_QDRANT_API_KEY";

/// The settings do not say where.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum QdrantSettingError {
    /// No address of a server.
    #[error("`{URL}` is not the address of a server")]
    #[diagnose(
        Invalid,
        hint = "`mem config set records.qdrant_url http://localhost:6333`, or https://host"
    )]
    Address,
    /// Qdrant finds by vectors.
    #[error("this build of `mem` makes no vectors of sentences, by which a Qdrant finds")]
    #[diagnose(
        Invalid,
        hint = "`mem config set records.backend files`, or build with the feature `encoder`"
    )]
    NoEncoder,
    /// Whoever listens on the way would have the key.
    #[error("`{URL}` is neither on this machine nor behind TLS, and its key would be sent there")]
    #[diagnose(Refused, hint = "write `https://`, or leave MEM_QDRANT_API_KEY unset")]
    KeyInTheClear,
}

/// Where the records of a project or of a user are, where that is not in files.
///
/// # Errors
/// The settings name no server, or one that a key cannot be sent to.
pub(super) fn qdrant_options(
    user: Option<&HostUser>,
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Option<QdrantOptions>, QdrantSettingError> {
    if place.config.values.records.backend != RecordBackend::Qdrant {
        return Ok(None);
    }
    if Encoder::embedded().is_none() {
        return Err(QdrantSettingError::NoEncoder);
    }
    let Ok(Address::Server(server)) =
        Address::parse_address(&place.config.values.records.qdrant_url)
    else {
        return Err(QdrantSettingError::Address);
    };
    let api_key = run.env.get(KEY_VARIABLE).map(SecretString::from);
    if api_key.is_some() && server.is_open_to_listeners() {
        return Err(QdrantSettingError::KeyInTheClear);
    }
    let collection = match user {
        Some(user) => collection_of(user),
        None => format!("mem_{}", memory.store(Scope::Private).places().key),
    };
    Ok(Some(QdrantOptions {
        base: server.base,
        api_key,
        collection,
        stall: STALL,
    }))
}

/// In words, where records are that no erasure here reaches; `None` where they are in files.
///
/// # Errors
/// The settings cannot be read.
pub fn open_qdrant(
    user: Option<&HostUser>,
    run: &RunContext,
) -> Result<Option<String>, ProjectPlaceError> {
    let place = run.place()?;
    if place.config.values.records.backend != RecordBackend::Qdrant {
        return Ok(None);
    }
    let collections = match user {
        Some(user) => format!("the collection {}", collection_of(user)),
        None => "the collections mem_…".to_owned(),
    };
    Ok(Some(format!(
        "the Qdrant of `{URL}`: delete {collections} there"
    )))
}

fn collection_of(user: &HostUser) -> String {
    format!("mem_user_{}", user.name())
}

/// Refuses a record that may not leave.
///
/// # Errors
/// It holds a secret, or the rules cannot be read.
pub(super) fn require_clean(
    new: &NewRecord,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(), CallError> {
    let screen = OutboundScanner::for_project(&place.project, run.dirs()?)?;
    let text = format!("{}\n{}", new.content(), new.tags().join("\n"));
    Ok(screen.require_told("the record", &text)?)
}
