//! Which of a person's machines distils tonight, where their notes are kept in step between several.
//!
//! A file in the tier says so: `logs/dream.lease`, the night and the machine. It is written, synchronised and
//! read again: the remote takes conditional writes only, so that of two that write at once one finds the
//! other's word there. A machine that cannot ask the remote does not distil that night.

use std::fmt::Write as _;

use jiff::civil::Date;
use mem_core::memory::ScopeDir;
use mem_core::store::{ChangeMetadata, LocalStore, OpenGate, StoreError, WriteTransaction};
use mem_core::{MemoryPath, Scope, state_file};
use serde::{Deserialize, Serialize};

use super::error::DistillationError;
use super::nightly::NightlyTasks;
use crate::access::MemoryAccess;

/// The file of the tier that says so.
pub(super) const FILE: &str = "logs/dream.lease";

/// The name of this machine, drawn once.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Machine {
    name: Option<String>,
}

/// Whether this machine may distil tonight. Where notes stay on one machine it always may.
///
/// # Errors
/// The remote cannot be asked, or the state not be written.
pub(super) fn is_ours(
    store: &LocalStore,
    night: Date,
    access: &MemoryAccess<'_>,
    tasks: &NightlyTasks<'_>,
) -> Result<bool, DistillationError> {
    if access.place.config.values.sync.remote.is_empty() {
        return Ok(true);
    }
    let machine = machine_name(store)?;
    let wanted = format!("{night} {machine}\n");
    sync_notes(tasks)?;
    if let Some(said) = read(store)?.filter(|said| is_of(said, night)) {
        return Ok(said == wanted);
    }
    let order = ChangeMetadata::new("dream", access.run.author(), access.run.now);
    let path = MemoryPath::parse(FILE)?;
    store.write(&order, &OpenGate, |draft: &mut WriteTransaction<'_>| {
        draft.put(&path, wanted.clone().into_bytes())?;
        Ok::<(), StoreError>(())
    })?;
    sync_notes(tasks)?;
    Ok(read(store)?.is_some_and(|said| said == wanted))
}

fn is_of(said: &str, night: Date) -> bool {
    said.starts_with(&night.to_string())
}

fn read(store: &LocalStore) -> Result<Option<String>, DistillationError> {
    let path = ScopeDir(Scope::Private).path(FILE)?;
    let bytes = store.read(&path)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn sync_notes(tasks: &NightlyTasks<'_>) -> Result<(), DistillationError> {
    match (tasks.sync_notes)() {
        true => Ok(()),
        false => Err(DistillationError::NoAgreement),
    }
}

/// The name of this machine, for other machines of the same person alone.
fn machine_name(store: &LocalStore) -> Result<String, DistillationError> {
    let file = store.places().dreams().with_extension("machine");
    let mut bytes = [0_u8; 8];
    // Without random bits the place tells machines apart as far as it can.
    let drawn = getrandom::fill(&mut bytes).is_ok();
    let fresh = match drawn {
        true => bytes.iter().fold(String::new(), |mut name, byte| {
            let _ = write!(name, "{byte:02x}");
            name
        }),
        false => store.places().key.clone(),
    };
    let (name, _) = state_file::update(&file, |machine: &mut Machine| {
        machine.name.get_or_insert(fresh).clone()
    })?;
    Ok(name)
}
