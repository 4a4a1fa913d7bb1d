//! Whether an agent may change a memory with the host's own tools: the setting `memory.write`.

use mem_core::config::{MemoryMode, WriteMode};
use mem_core::inbox::ConsentGate;
use mem_core::memory::{MemoryError, ScopedPath, StoreMemories};
use mem_core::store::{ChangeMetadata, GateRefusal, StoreError};

use crate::call::HookCall;
use crate::edit_preview::After;

/// A change that an agent is about to make.
pub(crate) struct AgentEdit<'a> {
    /// The file.
    pub(crate) under: &'a ScopedPath,
    /// What stands in it now; `None` for a new one.
    pub(crate) before: Option<&'a [u8]>,
    /// What it is to hold.
    pub(crate) after: &'a After,
}

/// Why the change may not be made now; `None` where it may. One that a person is to confirm is in the
/// inbox then, with the line of the index that it needs.
pub(crate) fn refusal_reason(
    change: &AgentEdit<'_>,
    order: &ChangeMetadata,
    call: &HookCall<'_>,
) -> Option<String> {
    let gate = ConsentGate::for_config(&call.place.config);
    let after = &*change.after.bytes;
    let source = gate.source_to_review(&order.author, change.before, Some(after));
    let is_free = gate.policy == WriteMode::Auto && source.is_none();
    if is_free || change.before == Some(after) {
        return None;
    }
    let file = change.under.label();
    if gate.policy != WriteMode::ReadOnly && !change.after.is_exact {
        return Some(format!(
            "`{file}` stays as it is: a person must agree to what agents write, and what this edit \
             would make of it cannot be told beforehand (edit text that stands there once, or write \
             the whole file)"
        ));
    }
    let why = match ask_gate(change, order, gate, call) {
        Err(MemoryError::Store(StoreError::Refused(GateRefusal { message, hint, .. }))) => {
            let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
            format!("{message}{hint}")
        }
        Err(error) => error.to_string(),
        Ok(()) => "agents do not write to memory by themselves here".to_owned(),
    };
    Some(format!("`{file}` stays as it is: {why}"))
}

/// Asks the gate about the change as the store would make it; it always refuses.
fn ask_gate(
    change: &AgentEdit<'_>,
    order: &ChangeMetadata,
    gate: ConsentGate,
    call: &HookCall<'_>,
) -> Result<(), MemoryError> {
    let path = mem_core::memory::ScopeDir(change.under.scope).path(&change.under.file)?;
    let has_index = call.place.config.values.memory.mode != MemoryMode::Log;
    let files = StoreMemories::new(call.memory.store(change.under.scope).clone(), has_index);
    files.write(&path, order, &gate, |_| {
        Ok::<_, MemoryError>(change.after.bytes.clone())
    })?;
    Ok(())
}
